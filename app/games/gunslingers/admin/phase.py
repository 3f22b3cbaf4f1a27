"""The two administrative phases (GS-ADM, GS-EOT) and the end of the game: its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`).
"""

from app.games.gunslingers.steps import Step, nobody, phase

AIRCRAFT = phase(
    "admin",
    "Aircraft Administration",
    (
        Step("GS-ADM-1", "Missiles run out", nobody),
        Step("GS-ADM-2", "Damage worsens", nobody),
        Step("GS-ADM-3", "Crews recover", nobody),
        Step("GS-ADM-4", "Logs", nobody),
        Step("GS-ADM-5", "Disengagement", nobody),
        Step("GS-ADM-6", "Operational movement", nobody),
    ),
    "GS-ADM-1",
)

END = phase(
    "end",
    "End of Turn",
    (
        Step("GS-EOT-1", "Laser spots", nobody),
        Step("GS-EOT-2", "Blast zones", nobody),
        Step("GS-EOT-3", "Suppression ends", nobody),
        Step("GS-EOT-4", "Smoke clears", nobody),
        Step("GS-EOT-5", "Suppression", nobody),
        Step("GS-EOT-6", "Smoke", nobody),
        Step("GS-EOT-7", "Barrages end", nobody),
        Step("GS-EOT-8", "AAA resupply", nobody),
        Step("GS-EOT-9", "Infantry reload", nobody),
        Step("GS-EOT-10", "Auto-reload", nobody),
        Step("GS-EOT-11", "The turn ends", nobody),
    ),
    "GS-EOT-1",
)
