"""The Air Radar Search and Lock-on Phase (GS-RAD): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

PHASE = phase(
    "radar",
    "Air Radar Search and Lock-on",
    (
        Step("GS-RAD-1", "Contacts kept", nobody),
        Step("GS-RAD-2", "Targets to search for", nobody),
        Step("GS-RAD-3", "Search", nobody),
        Step("GS-RAD-4", "Lock on", nobody),
        Step("GS-RAD-5", "Deceptive jammers break locks", nobody),
        Step("GS-RAD-6", "Decoys break locks", nobody),
    ),
    "GS-RAD-1",
)
