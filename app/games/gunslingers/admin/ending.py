"""How the game ends (GS-EOT-11 and the scenarios).

Belongs here: the reasons for which it ends, points and the winner.
"""

from collections.abc import Mapping

ENDINGS: Mapping[str, str] = {
    "time": "The last turn is over",
    "left": "A side has nobody left in the fight",
}
