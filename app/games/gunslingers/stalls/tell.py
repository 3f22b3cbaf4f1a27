"""Log lines of the Stalled Aircraft Phase (GS-STL).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.checks import Thrown, shown, steps
from app.games.gunslingers.stalls.facts import (
    DepartureRolled,
    Jettisoned,
    RecoveryRolled,
    ReverseChosen,
    ReverseRolled,
    StallEnded,
)


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    match event:
        case RecoveryRolled(speed=None):
            return _rolled(f"{names[event.aircraft]} stays departed.", event.roll)
        case RecoveryRolled():
            text = f"{names[event.aircraft]} recovers, at speed {event.speed:.1f}, and must dive."
            return _rolled(text, event.roll)
        case StallEnded():
            return Told(f"{names[event.aircraft]} is no longer stalled.")
        case Jettisoned():
            does = "drops its stores" if event.dropped else "keeps its stores"
            return Told(f"{names[event.aircraft]} {does}.", quiet=not event.dropped)
        case DepartureRolled():
            does = "departs: it is out of control" if event.departs else "stalls"
            return _rolled(f"{names[event.aircraft]} {does}.", event.roll)
        case ReverseChosen():
            does = "tries" if event.tries else "does not try"
            return Told(f"{names[event.aircraft]} {does} a vertical reverse.", quiet=True)
        case ReverseRolled(speed=None):
            return _rolled(f"{names[event.aircraft]} fails to reverse and stalls.", event.roll)
        case ReverseRolled():
            text = f"{names[event.aircraft]} reverses: a vertical dive at speed {event.speed:.1f}."
            return _rolled(text, event.roll)
        case _:
            return None


def _rolled(text: str, roll: Thrown) -> Told:
    return Told(text, shown((roll.face,)), steps(roll))
