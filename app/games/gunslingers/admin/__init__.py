"""The two administrative phases (GS-ADM, GS-EOT) and the end of the game."""
