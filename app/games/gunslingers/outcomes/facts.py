"""Facts of outcomes that players enter (the switches `guns` and `missiles`: adjudicated).

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import UnitId
from app.games.gunslingers.guns.facts import Hurt, hurt, settled
from app.games.gunslingers.missiles.facts import flown_on, without
from app.games.gunslingers.model import State
from app.games.gunslingers.noted import Fact

MISS = "miss"
FLIES = "flies"
"""Outcomes beside the results of damage."""


class Attack(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An attack whose outcome is entered: a missile's, or else a burst by `shooter`."""

    target: UnitId
    shooter: UnitId = ""
    missile: UnitId = ""

    @property
    def key(self) -> str:
        """What names it while its outcome is open."""
        return self.missile or f"burst:{self.shooter}"


class OutcomeEntered(Fact, frozen=True):
    """The side of the attacker, `by`, says what came of an attack.

    "miss", "none" (a hit without damage), a result of damage, or for a missile "flies" (it flies on).
    """

    attack: Attack
    by: str
    outcome: str


class OutcomeAgreed(Fact, frozen=True):
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


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    match event:
        case OutcomeEntered():
            return replace(state, proposed={**state.proposed, event.attack.key: event.outcome})
        case OutcomeAgreed():
            open_ones = {k: one for k, one in state.proposed.items() if k != event.attack.key}
            state = replace(state, proposed=open_ones)
            if not event.agreed:
                return state
            state = _over(state, event.attack, event.outcome)
            return state if event.hurt is None else hurt(state, event.hurt)
        case _:
            return None


def _over(state: State, attack: Attack, outcome: str) -> State:
    """The position with the attack made; the damage comes after."""
    if not attack.missile:
        return settled(state, hit=outcome != MISS)
    if outcome == FLIES:
        return flown_on(state, attack.missile)
    return without(state, attack.missile)
