"""The SAM Interaction Phase (GS-SAM): radars, jammers, lock-ons, launches and what breaks them.

Belongs here: the steps of the phase, in the rulebook's order. SAM units, early-warning radars, command posts, barrage
jammers and anti-radiation missiles come later; until then all steps pass.
"""

from app.games.gunslingers.steps import Step, nobody, phase

STEPS = (
    Step("GS-SAM-1", "Reactivate radars", nobody),
    Step("GS-SAM-2", "Shut radars down", nobody),
    Step("GS-SAM-3", "Noise jamming", nobody),
    Step("GS-SAM-4", "Stand-off jamming", nobody),
    Step("GS-SAM-5", "Quick-reaction lock-ons", nobody),
    Step("GS-SAM-6", "Launch", nobody),
    Step("GS-SAM-7", "Passdowns", nobody),
    Step("GS-SAM-8", "Lock-ons", nobody),
    Step("GS-SAM-9", "Deceptive jammers break locks", nobody),
    Step("GS-SAM-10", "Chaff breaks locks", nobody),
    Step("GS-SAM-11", "Mini-jammers break locks", nobody),
    Step("GS-SAM-12", "Flares break locks", nobody),
    Step("GS-SAM-13", "Self-defence ARMs", nobody),
)

PHASE = phase("sam", "SAM Interaction", STEPS, "GS-SAM-1")
