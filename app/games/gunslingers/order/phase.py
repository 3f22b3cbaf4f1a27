"""The Order of Flight Determination Phase (GS-OOF): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

PHASE = phase(
    "order",
    "Order of Flight",
    (
        Step("GS-OOF-1", "Advantage", nobody),
        Step("GS-OOF-2", "Base initiative", nobody),
        Step("GS-OOF-3", "Order of flight", nobody),
    ),
    "GS-OOF-1",
)
