"""Facts of the Flight Phase (GS-FLT), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules; the facts of a
move's flight points (`move_facts`).
"""

from functools import singledispatch

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import Bookkeeping, UnitId
from app.engine.secret import Secret
from app.games.gunslingers.earlier import broken_off
from app.games.gunslingers.flight.move_facts import Account
from app.games.gunslingers.geometry import Pos
from app.games.gunslingers.guns.facts import gone
from app.games.gunslingers.model import (
    Activation,
    Aircraft,
    Ended,
    Side,
    State,
    Wound,
    moved_to,
    trail_begun,
    with_aircraft,
    with_own,
    with_seen,
)
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.radar.holding import without_locks
from app.games.gunslingers.rolled import Thrown

GLOC_TURNS = 2
STRAIGHT_ON = (1, 1)
"""What facts of the first edition meant that a black-out leads to; today's say it."""


class MoveBegan(Fact, frozen=True):
    """An aircraft's move begins; `saw` are the enemies that its crew has in view (GS-VIS-11).

    `after` is whom it follows, by tailing or illuminating; `before` the mover whom it pre-empts (GS-FLT-14).
    """

    aircraft: UnitId
    saw: Secret[tuple[UnitId, ...]]
    after: UnitId | None = None
    before: UnitId | None = None


class LetFly(Fact, frozen=True):
    """Nobody pre-empts the mover (GS-FLT-14) at the point of its move that `key` names."""

    mover: UnitId
    key: Bookkeeping


class PreemptorPaused(Fact, frozen=True):
    """A pre-emptor has flown half its move; the mover goes on (GS-FLT-14)."""

    aircraft: UnitId


class MoveResumed(Fact, frozen=True):
    """A move that was interrupted goes on."""

    aircraft: UnitId


class MoveEnded(Fact, frozen=True):
    """An aircraft has moved."""

    aircraft: UnitId


class Tumbled(Fact, frozen=True, kw_only=True):
    """A departed aircraft falls (GS-F-31): two dice, a side and steps of 30 degrees, and levels lost."""

    aircraft: UnitId
    dice: tuple[int, int]
    side: Side
    pos: Pos
    facing: int
    levels: int
    altitude: int


class Sank(Fact, frozen=True, kw_only=True):
    """A stalled aircraft sinks (GS-F-30). What its account comes to is its side's to know."""

    aircraft: UnitId
    levels: int
    altitude: int
    account: Secret[Account]


class FlameOutRolled(Fact, frozen=True):
    """From idle to afterburner the engines may go out, and idle until the next turn (GS-F-3)."""

    aircraft: UnitId
    die: int
    out: bool


class DriftRolled(Fact, frozen=True):
    """How an aircraft flies that nobody flies (GS-F-33); the second die says to which side it would turn."""

    aircraft: UnitId
    dice: tuple[int, int]
    words: str


class GlocRolled(Fact, frozen=True, kw_only=True):
    """One of the crew rolls against blacking out (GS-F-15); `last` of those who roll for this facing.

    `man` is his place, 0 the pilot's; `key` names the roll. `asleep`: it is the pilot, and nobody flies it, but as by
    the dice `drift` (GS-F-33). Whoever blacks out comes to after so many `turns` at the latest.
    """

    aircraft: UnitId
    man: int
    key: Bookkeeping
    roll: Thrown
    last: bool
    asleep: bool
    turns: int | None = None
    drift: tuple[int, int] | None = None


class BrokenOff(Struct, frozen=True, kw_only=True):
    """What a move comes to that a departure breaks off (GS-F-25): fuel left, and fields as in `Own`."""

    fuel: float
    climb_turns: int
    dive_turns: int
    gloc_checks: int


class CeilingRolled(Fact, frozen=True):
    """A turn or roll above the ceiling, which may depart (GS-F-25), at the point that `key` names.

    `broken` is what its move then comes to.
    """

    aircraft: UnitId
    key: Bookkeeping
    roll: Thrown
    broken: Secret[BrokenOff] | None = None


class Crashed(Fact, frozen=True):
    """An aircraft flies into the ground (GS-F-25)."""

    aircraft: UnitId
    place: str


class LeftMap(Fact, frozen=True):
    """An aircraft flies off the map's edge and out of the fight (GS-ADM-5a)."""

    aircraft: UnitId
    place: str


class DisorientationRolled(Fact, frozen=True):
    """A pilot may have lost his bearings (GS-F-34)."""

    aircraft: UnitId
    roll: Thrown


class TailingChosen(Fact, frozen=True):
    """An aircraft tails an enemy whose place it shares, or does not (GS-FLT-13)."""

    aircraft: UnitId
    target: UnitId | None


class StackRolled(Fact, frozen=True, kw_only=True):
    """Aircraft too close together (GS-FLT-18): the last to have moved collides with `other` on 1."""

    aircraft: UnitId
    other: UnitId
    key: Bookkeeping
    place: str
    altitude: int
    face: int
    wounds: tuple[Wound, ...] = ()


class MoveEntered(Fact, frozen=True):
    """A side says where its aircraft's move ends, at a table that works out flight itself."""

    aircraft: UnitId
    by: str
    ended: Ended


class MoveConfirmed(Fact, frozen=True):
    """The other side, `by`, agrees to a move that was entered, or does not."""

    aircraft: UnitId
    by: str
    agreed: bool


EVENTS: tuple[type[Event], ...] = (
    MoveBegan,
    LetFly,
    PreemptorPaused,
    MoveResumed,
    MoveEnded,
    Tumbled,
    Sank,
    FlameOutRolled,
    DriftRolled,
    GlocRolled,
    CeilingRolled,
    Crashed,
    LeftMap,
    DisorientationRolled,
    TailingChosen,
    StackRolled,
    MoveEntered,
    MoveConfirmed,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    return _evolve(event, state)


@singledispatch
def _evolve(event: Event, state: State) -> State | None:
    del event, state


# A move begins, is interrupted, goes on and ends.


@_evolve.register
def _(event: MoveBegan, state: State) -> State:
    aircraft = _fresh(state.aircraft[event.aircraft], event.saw.value or ())
    activation = Activation(aircraft=event.aircraft)
    waiting = state.waiting
    if event.before is not None:
        aircraft = replace(aircraft, no_attacks=True)
        activation = replace(activation, preempting=True)
    if state.activation is not None:
        waiting = (*waiting, state.activation)
    return replace(with_aircraft(state, aircraft), activation=activation, waiting=waiting)


def _fresh(aircraft: Aircraft, saw: tuple[str, ...]) -> Aircraft:
    """With what it did in its last move forgotten. Whom it tailed it follows no longer than up to here."""
    return with_own(
        replace(trail_begun(aircraft), tailing=None, damage_control=False),
        saw=saw,
        move=None,
        flamed_out=False,
        max_rate=None,
        sight_rate=None,
        facings=0,
        rolls=0,
        unloaded=0,
        last_fp="",
        last_ap=0,
        last_dp=0,
    )


@_evolve.register
def _(event: LetFly, state: State) -> State:
    return _asked(state, event.key)


@_evolve.register
def _(event: PreemptorPaused, state: State) -> State:
    del event
    assert state.activation is not None
    paused = replace(state.activation, paused=True)
    *others, mover = state.waiting
    return replace(state, activation=mover, waiting=(*others, paused))


@_evolve.register
def _(event: MoveResumed, state: State) -> State:
    resumed = next(one for one in state.waiting if one.aircraft == event.aircraft)
    waiting = tuple(one for one in state.waiting if one is not resumed)
    return replace(state, activation=resumed, waiting=waiting)


@_evolve.register
def _(event: MoveEnded, state: State) -> State:
    moved = replace(
        state.aircraft[event.aircraft], moved=True, recovered=False, vertical_reverse=False
    )
    return replace(
        with_aircraft(state, moved), activation=None, movers=(*state.movers, event.aircraft)
    )


# Out of hand.


@_evolve.register
def _(event: Tumbled, state: State) -> State:
    one = state.aircraft[event.aircraft]
    fallen = replace(
        moved_to(one, event.pos, event.facing, event.altitude),
        departed_turns=one.departed_turns + 1,
    )
    # Speed and points are frozen; climbs, dives and hard turns in a row end here (GS-F-15, GS-F-22).
    fallen = with_own(
        fallen, next_speed=one.speed, climb_turns=0, dive_turns=0, gloc_checks=0, turn_carry=None
    )
    fallen = with_seen(fallen, flight_type="DP")
    return _asked(with_aircraft(state, fallen), "flown")


@_evolve.register
def _(event: Sank, state: State) -> State:
    account = event.account.value
    assert account is not None
    one = state.aircraft[event.aircraft]
    sunk = replace(
        moved_to(one, one.pos, one.facing, event.altitude), stalled_turns=one.stalled_turns + 1
    )
    sunk = with_own(
        sunk,
        next_speed=account.next_speed,
        ap_carry=account.ap_carry,
        fp_carry=account.fp_carry,
        turn_carry=None,
        fuel=account.fuel,
        climb_turns=account.climb_turns,
        dive_turns=account.dive_turns,
        gloc_checks=account.gloc_checks,
        last_ap=account.ap,
        last_dp=account.dp,
    )
    return _asked(with_aircraft(state, sunk), "flown")


@_evolve.register
def _(event: FlameOutRolled, state: State) -> State:
    state = _asked(state, "flame-out")
    if not event.out:
        return state
    one = with_own(state.aircraft[event.aircraft], flamed_out=True)
    return with_aircraft(state, with_seen(one, power="I"))


@_evolve.register
def _(event: DriftRolled, state: State) -> State:
    assert state.activation is not None
    return replace(state, activation=replace(state.activation, drift=event.dice))


@_evolve.register
def _(event: GlocRolled, state: State) -> State:
    state = _asked(state, event.key)
    one = state.aircraft[event.aircraft]
    if event.roll.made:
        crew = tuple(
            replace(man, status="gloc") if n == event.man else man
            for n, man in enumerate(one.o.crew)
        )
        turns = GLOC_TURNS if event.turns is None else event.turns
        one = with_own(replace(one, gloc_until=state.turn + turns), crew=crew)
    if event.last:
        one = with_own(one, gloc_checks=one.o.gloc_checks + 1)
    state = with_aircraft(state, one)
    return _blacked_out(state, one, event.drift or STRAIGHT_ON) if event.asleep else state


def _blacked_out(state: State, one: Aircraft, drift: tuple[int, int]) -> State:
    """Nobody flies it any more: the plan is forgotten, the rest of the move is flown by the dice `drift`."""
    state = without_locks(with_aircraft(state, replace(one, condition="gloc")), one.id)
    return replace(state, activation=_current(state, left=(), drift=drift))


@_evolve.register
def _(event: CeilingRolled, state: State) -> State:
    state = _asked(state, event.key)
    if not event.roll.made:
        return state
    state = without_locks(state, event.aircraft)
    one = replace(state.aircraft[event.aircraft], condition="departed", departed_turns=0)
    broken = (
        event.broken.value if event.broken else broken_off(state, one, _current(state).settings)
    )
    if broken is None:
        raise LookupError("a redacted fact leads nowhere")
    one = with_own(
        one,
        fuel=broken.fuel,
        climb_turns=broken.climb_turns,
        dive_turns=broken.dive_turns,
        gloc_checks=broken.gloc_checks,
        depart_speed=one.speed,
        next_speed=one.speed,
        turn_carry=None,
        bank="level",
    )
    return replace(with_aircraft(state, one), activation=_current(state, left=()))


@_evolve.register
def _(event: Crashed, state: State) -> State:
    return gone(state, event.aircraft, "crashed")


@_evolve.register
def _(event: LeftMap, state: State) -> State:
    return gone(state, event.aircraft, "left")


@_evolve.register
def _(event: DisorientationRolled, state: State) -> State:
    state = _asked(state, "disorientation")
    if not event.roll.made:
        return state
    lost = replace(state.aircraft[event.aircraft], condition="disoriented", bearings_lost=True)
    return with_aircraft(state, lost)


# After a move, and after all of them.


@_evolve.register
def _(event: TailingChosen, state: State) -> State:
    state = _asked(state, "tailing")
    return with_aircraft(state, replace(state.aircraft[event.aircraft], tailing=event.target))


@_evolve.register
def _(event: StackRolled, state: State) -> State:
    return replace(state, done=(*state.done, event.key), wounds=(*state.wounds, *event.wounds))


# Entered by hand.


@_evolve.register
def _(event: MoveEntered, state: State) -> State:
    return replace(state, activation=_current(state, entered=event.ended))


@_evolve.register
def _(event: MoveConfirmed, state: State) -> State:
    assert state.activation is not None
    ended = state.activation.entered
    assert ended is not None
    if not event.agreed:
        return replace(state, activation=_current(state, entered=None))
    one = state.aircraft[event.aircraft]
    flown = moved_to(one, ended.pos, ended.facing, ended.altitude)
    flown = with_own(
        replace(flown, damage_control=ended.damage_control),
        next_speed=ended.speed,
        max_rate=ended.rate,
        sight_rate=ended.rate,
        rolls=int(ended.rolled),
    )
    flown = with_seen(
        flown,
        flight_type=ended.flight_type,
        previous_type=one.s.flight_type,
        power=ended.power,
        previous_power=one.s.power,
    )
    # That it has flown some way at all is what a gun attack at the end of it needs (GS-C-1).
    state = replace(state, activation=_current(state, flown=("H",)))
    return _asked(with_aircraft(state, flown), "flown")


def _current(state: State, **changes: object) -> Activation:
    assert state.activation is not None
    return replace(state.activation, **changes)


def _asked(state: State, key: str) -> State:
    """The position with a window of this move passed."""
    assert state.activation is not None
    asked = (*state.activation.asked, key)
    return replace(state, activation=replace(state.activation, asked=asked))
