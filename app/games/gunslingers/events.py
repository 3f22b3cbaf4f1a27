"""All facts of the game, and the position that each one leads to, put together from its areas."""

from app.engine.log import Event
from app.games.gunslingers import earlier, step_facts
from app.games.gunslingers.admin import facts as admin
from app.games.gunslingers.decisions import facts as decisions
from app.games.gunslingers.flight import facts as flight
from app.games.gunslingers.flight import move_facts as moves
from app.games.gunslingers.guns import facts as guns
from app.games.gunslingers.missiles import facts as missiles
from app.games.gunslingers.model import State
from app.games.gunslingers.noted import Fact, Noted, written
from app.games.gunslingers.order import facts as order
from app.games.gunslingers.outcomes import facts as outcomes
from app.games.gunslingers.radar import facts as radar
from app.games.gunslingers.sighting import facts as sighting
from app.games.gunslingers.stalls import facts as stalls

_AREAS = (stalls, sighting, decisions, order, flight, moves, guns, missiles, outcomes, radar, admin)

EVENTS: tuple[type[Event], ...] = (
    step_facts.StepBegan,
    *(kind for area in _AREAS for kind in area.EVENTS),
)

_AREA_OF = {kind: area for area in _AREAS for kind in area.EVENTS}


def evolve(state: State, event: Event) -> State:
    """The position after a fact."""
    area = _AREA_OF.get(type(event), step_facts)
    after = area.evolve(state, event) or state
    if not isinstance(event, Fact):
        return after
    if event.noted is None:
        return written(state, after, earlier.noted(state, after, held=_held(event)))
    return written(state, after, event.noted.value or Noted())


def _held(event: Fact) -> bool:
    """Whether a fact says what radars hold from now on, be it what they held."""
    match event:
        case decisions.Decided() | radar.RadarSearched() | radar.LocksTried():
            return True
        case radar.ContactsKept():
            return bool(event.held)
        case guns.SystemsRolled():
            return event.what == "radar"
        case _:
            return False
