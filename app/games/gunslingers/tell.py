"""The log line of each fact, put together from the game's areas."""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.admin import tell as admin
from app.games.gunslingers.decisions import tell as decisions
from app.games.gunslingers.flight import move_tell as moves
from app.games.gunslingers.flight import tell as flight
from app.games.gunslingers.guns import tell as guns
from app.games.gunslingers.missiles import tell as missiles
from app.games.gunslingers.order import tell as order
from app.games.gunslingers.outcomes import tell as outcomes
from app.games.gunslingers.radar import tell as radar
from app.games.gunslingers.sighting import tell as sighting
from app.games.gunslingers.stalls import tell as stalls
from app.games.gunslingers.step_facts import OVER, StepBegan

_AREAS = (stalls, sighting, decisions, order, flight, moves, guns, missiles, outcomes, radar, admin)


def tell(event: Event, names: Mapping[str, str]) -> Told:
    """One sentence for the log. Raises LookupError for a fact of another game."""
    if isinstance(event, StepBegan):
        return Told(_stepped(event), quiet=True, aside=not event.passed)
    for area in _AREAS:
        told = area.tell(event, names)
        if told is not None:
            return told
    raise LookupError(f"no line for {type(event).__name__}")


def _stepped(event: StepBegan) -> str:
    """The steps that passed with nobody concerned; without any, what the phase track shows anyway."""
    if event.passed:
        first, last = (one.removeprefix("GS-") for one in (event.passed[0], event.passed[-1]))
        return f"{first if first == last else f'{first} to {last}'}: nobody is concerned."
    return "The phase is over." if event.step == OVER else f"{event.step} begins."
