"""The Aircraft Decisions Phase (GS-DEC): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

PHASE = phase(
    "decisions",
    "Aircraft Decisions",
    (
        Step("GS-DEC-1", "Decoy programs and IFF", nobody),
        Step("GS-DEC-2", "Engage missiles", nobody),
        Step("GS-DEC-3", "Illuminate", nobody),
        Step("GS-DEC-4", "Designate by laser", nobody),
        Step("GS-DEC-5", "Mark targets", nobody),
        Step("GS-DEC-6", "Radar and weapon modes", nobody),
    ),
    "GS-DEC-1",
)
