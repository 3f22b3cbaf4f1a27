"""The Ground Unit Interaction Phase (GS-GND): plotted fire, ground movement and ground combat.

Belongs here: the steps of the phase, in the rulebook's order. Ground units come later, AAA among them; until then all
steps pass.
"""

from app.games.gunslingers.steps import Step, nobody, phase

STEPS = (
    Step("GS-GND-1", "Remove plotted fire", nobody),
    Step("GS-GND-2", "Reveal plots", nobody),
    Step("GS-GND-3", "Plotted fire attacks", nobody),
    Step("GS-GND-4", "Ground movement", nobody),
    Step("GS-GND-5", "Ground combat", nobody),
)

PHASE = phase("ground", "Ground Units", STEPS, "GS-GND-1")
