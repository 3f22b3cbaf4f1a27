"""Facts of the Stalled Aircraft Phase (GS-STL), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import UnitId
from app.games.gunslingers.earlier import in_hand
from app.games.gunslingers.model import (
    Aircraft,
    Condition,
    State,
    with_aircraft,
    with_own,
    with_seen,
)
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.radar.holding import without_locks
from app.games.gunslingers.rolled import Thrown


class RecoveryRolled(Fact, frozen=True):
    """A departed aircraft tries to recover. `speed` is what it then flies at, None when it stays departed.

    `condition` is the one that it then has, here and below: under control, or its pilot is not himself.
    """

    aircraft: UnitId
    roll: Thrown
    speed: float | None
    condition: Condition | None = None


class StallEnded(Fact, frozen=True):
    """A stalled aircraft is fast enough again."""

    aircraft: UnitId
    condition: Condition | None = None


class Jettisoned(Fact, frozen=True):
    """Before it is rolled for, a slow aircraft drops what it carries, or keeps it."""

    aircraft: UnitId
    dropped: bool


class DepartureRolled(Fact, frozen=True):
    """A stalled aircraft departs, or only stalls."""

    aircraft: UnitId
    roll: Thrown
    departs: bool


class ReverseChosen(Fact, frozen=True):
    """An aircraft tries a vertical reverse, or does not."""

    aircraft: UnitId
    tries: bool


class ReverseRolled(Fact, frozen=True):
    """A vertical reverse: at `speed`, the minimum, it must dive vertically; None when it stalls instead."""

    aircraft: UnitId
    roll: Thrown
    speed: float | None
    condition: Condition | None = None


EVENTS: tuple[type[Event], ...] = (
    RecoveryRolled,
    StallEnded,
    Jettisoned,
    DepartureRolled,
    ReverseChosen,
    ReverseRolled,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    match event:
        case RecoveryRolled():
            return _recovered(_done(state, event.aircraft), event)
        case StallEnded():
            return with_aircraft(state, _in_hand(state.aircraft[event.aircraft], event.condition))
        case Jettisoned():
            return _jettisoned(_done(state, f"jettison:{event.aircraft}"), event)
        case DepartureRolled():
            return _departed(_done(state, event.aircraft), event)
        case ReverseChosen():
            key = event.aircraft if event.tries else f"over:{event.aircraft}"
            return _done(state, key)
        case ReverseRolled():
            return _reversed(_done(state, f"over:{event.aircraft}"), event)
        case _:
            return None


def _done(state: State, key: str) -> State:
    return replace(state, done=(*state.done, key))


def _recovered(state: State, event: RecoveryRolled) -> State:
    """GS-STL-1a: wings level, and nothing carried."""
    if event.speed is None:
        return state
    one = with_seen(state.aircraft[event.aircraft], speed=event.speed)
    one = with_own(
        one,
        fp_carry=0,
        ap_carry=0,
        turn_carry=None,
        bank="level",
        bank_free=0,
        depart_speed=0,
        next_speed=event.speed,
    )
    return with_aircraft(
        state, replace(_in_hand(one, event.condition), departed_turns=0, recovered=True)
    )


def _in_hand(aircraft: Aircraft, condition: Condition | None) -> Aircraft:
    """Neither stalled nor departed any more."""
    return replace(aircraft, condition=condition or in_hand(aircraft), stalled_turns=0)


def _jettisoned(state: State, event: Jettisoned) -> State:
    if not event.dropped:
        return state
    one = with_own(with_seen(state.aircraft[event.aircraft], config="CL"), stores=())
    return with_aircraft(state, one)


def _departed(state: State, event: DepartureRolled) -> State:
    """A stall drops radar locks as a departure does (GS-RAD-4b)."""
    state = without_locks(state, event.aircraft)
    one = state.aircraft[event.aircraft]
    if event.departs:
        one = with_own(replace(one, condition="departed", stalled_turns=0), depart_speed=one.speed)
    else:
        one = replace(one, condition="stalled")
    return with_aircraft(state, one)


def _reversed(state: State, event: ReverseRolled) -> State:
    one = state.aircraft[event.aircraft]
    if event.speed is None:
        state = without_locks(state, event.aircraft)
        return with_aircraft(state, replace(state.aircraft[one.id], condition="stalled"))
    one = with_own(with_seen(one, speed=event.speed), next_speed=event.speed)
    return with_aircraft(state, replace(_in_hand(one, event.condition), vertical_reverse=True))
