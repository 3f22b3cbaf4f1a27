"""The Visual Sighting Phase (GS-VIS): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

PHASE = phase(
    "sighting",
    "Visual Sighting",
    (
        Step("GS-VIS-1", "Ground controllers mark targets", nobody),
        Step("GS-VIS-2", "Lines of sight", nobody),
        Step("GS-VIS-3", "Search for ground units", nobody),
        Step("GS-VIS-4", "Sight ground units", nobody),
        Step("GS-VIS-5", "Sight camouflaged units", nobody),
        Step("GS-VIS-6", "Identify ground units", nobody),
        Step("GS-VIS-7", "Designate search aircraft", nobody),
        Step("GS-VIS-8", "Padlock", nobody),
        Step("GS-VIS-9", "Search for aircraft", nobody),
        Step("GS-VIS-10", "Identify aircraft", nobody),
    ),
    "GS-VIS-1",
)
