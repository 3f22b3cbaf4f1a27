"""Facts of outcomes that players enter (the switches `guns` and `missiles`: adjudicated).

Belongs here: what can be written in the log. Does not belong here: the position that it leads to (`settling`).
"""

from msgspec import Struct

from app.engine.log import Event
from app.engine.naming import UnitId
from app.games.gunslingers.guns.facts import Hurt


class Attack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An attack whose outcome is entered: a missile's, or else a burst by `shooter`."""

    target: UnitId
    shooter: UnitId = ""
    missile: UnitId = ""

    @property
    def key(self) -> str:
        """What names it while its outcome is open."""
        return self.missile or f"burst:{self.shooter}"


class OutcomeEntered(Event, frozen=True):
    """The side of the attacker, `by`, says what came of an attack.

    "miss", "none" (a hit without damage), a result of damage, or for a missile "flies" (it flies on).
    """

    attack: Attack
    by: str
    outcome: str


class OutcomeAgreed(Event, frozen=True):
    """The other side, `by`, confirms, and then it is so; or says no, and it is asked again."""

    attack: Attack
    by: str
    outcome: str
    agreed: bool
    hurt: Hurt | None = None

    @classmethod
    def reveals(cls) -> bool:
        """What an aircraft's damage comes to in all stays its side's; the outcome is told."""
        return True


EVENTS: tuple[type[Event], ...] = (OutcomeEntered, OutcomeAgreed)
