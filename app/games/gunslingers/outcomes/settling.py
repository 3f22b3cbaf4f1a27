"""The position that an outcome leads to which players have entered.

Belongs here: bookkeeping. Does not belong here: the facts themselves (`facts`), rules.
"""

from msgspec.structs import replace

from app.engine.log import Event
from app.games.gunslingers.guns.facts import hurt, settled
from app.games.gunslingers.missiles.facts import flown_on, without
from app.games.gunslingers.model import State
from app.games.gunslingers.outcomes.facts import EVENTS as EVENTS
from app.games.gunslingers.outcomes.facts import FLIES, MISS, Attack, OutcomeAgreed, OutcomeEntered


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
