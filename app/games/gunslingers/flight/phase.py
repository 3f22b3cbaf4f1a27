"""The Flight Phase (GS-FLT) and the flight rules (GS-F): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

PHASE = phase(
    "flight",
    "Flight",
    (
        Step("GS-FLT-1", "Air-to-ground weapons", nobody),
        Step("GS-FLT-2", "Departed and stalled aircraft", nobody),
        Step("GS-FLT-3", "Blacked-out and disoriented crews", nobody),
        Step("GS-FLT-4", "Engaged aircraft", nobody),
        Step("GS-FLT-5", "Aircraft marking targets", nobody),
        Step("GS-FLT-6", "Joint-attack designators", nobody),
        Step("GS-FLT-7", "Aircraft guiding weapons", nobody),
        Step("GS-FLT-8", "Disadvantaged, non-advantaged, advantaged", nobody),
        Step("GS-FLT-9", "Unsighted, on radar", nobody),
        Step("GS-FLT-10", "Unsighted, undetected", nobody),
        Step("GS-FLT-18", "Collisions", nobody),
    ),
    "GS-FLT-1",
)
