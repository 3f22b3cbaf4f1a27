"""The AAA Interaction Phase (GS-AAA): guns plot and put up barrages before anybody moves.

Belongs here: the steps of the phase, in the rulebook's order. AAA units come later; until then both steps pass.
"""

from app.games.gunslingers.steps import Step, nobody, phase

STEPS = (
    Step("GS-AAA-1", "Plot fire", nobody),
    Step("GS-AAA-2", "Declare barrages", nobody),
)

PHASE = phase("aaa", "AAA Interaction", STEPS, "GS-AAA-1")
