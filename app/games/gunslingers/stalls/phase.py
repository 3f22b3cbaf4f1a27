"""The Stalled Aircraft Phase (GS-STL): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

PHASE = phase(
    "stalled",
    "Stalled Aircraft",
    (
        Step("GS-STL-1", "Recover from departed flight", nobody),
        Step("GS-STL-2", "Avoid departing", nobody),
        Step("GS-STL-3", "Vertical reverse", nobody),
    ),
    "GS-STL-1",
)
