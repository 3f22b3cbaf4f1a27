"""The Air to Air Missile Launch Phase (GS-AAM) and missiles in flight (GS-C-20 to GS-C-26): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

PHASE = phase(
    "launch",
    "Air to Air Missile Launch",
    (
        Step("GS-AAM-1", "Legal launches", nobody),
        Step("GS-AAM-2", "Launches", nobody),
        Step("GS-AAM-3", "Another attempt", nobody),
    ),
    "GS-AAM-1",
)
