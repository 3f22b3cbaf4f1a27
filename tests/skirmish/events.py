"""Facts, and the state after each. No rule is run here."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from app.engine.hexes import Hex
from app.engine.log import Event, PhaseBegan
from app.engine.secret import Secret
from tests.skirmish.model import Move, Plot, Snap, State


class ReserveDeclared(Event, frozen=True):
    """A side has declared its reserve."""

    seat: str
    reserve: Secret[int]


class Plotted(Event, frozen=True):
    """A side has plotted."""

    seat: str
    plot: Secret[Plot]


class PlotsShown(Event, frozen=True):
    """Both plots lie open."""

    plots: Mapping[str, Plot]

    @classmethod
    def reveals(cls) -> bool:
        return True


class SmokeLaid(Event, frozen=True):
    """A side has laid smoke, or said that it won't this turn."""

    seat: str
    place: Hex | None


class OrderFixed(Event, frozen=True):
    """The leaders fly in this order."""

    total: int
    order: tuple[str, ...]


class MoveBegan(Event, frozen=True):
    """A leader begins to fly."""

    plane: str
    steps: int


class Stepped(Event, frozen=True):
    """A leader has flown a step; `snaps` are the enemies that may answer it."""

    plane: str
    to: Hex
    facing: int
    snaps: tuple[str, ...] = ()


class FlewOff(Event, frozen=True):
    """A plane has left the map for good."""

    plane: str


class MoveEnded(Event, frozen=True):
    """A leader has flown; `followers` are to follow it now."""

    plane: str
    followers: tuple[str, ...] = ()


class HeldFire(Event, frozen=True):
    """No snap shot this time."""

    shooter: str
    target: str


class Fired(Event, frozen=True):
    """A snap shot is made."""

    shooter: str
    target: str


class ShotRolled(Event, frozen=True):
    """Where the shot went."""

    shooter: str
    target: str
    needed: int
    total: int
    hit: bool


class Damaged(Event, frozen=True):
    """What the hit did."""

    plane: str
    face: int
    lost: bool


class Followed(Event, frozen=True):
    """A wingman has followed, or could not (`to` is where it was)."""

    plane: str
    to: Hex


class Promoted(Event, frozen=True):
    """A wingman leads now."""

    plane: str


class SmokeThinned(Event, frozen=True):
    """The oldest `gone` smokes are gone."""

    gone: int


class Regrouped(Event, frozen=True):
    """A side has turned its last plane."""

    seat: str
    plane: str
    facing: int


class Woven(Event, frozen=True):
    """A side's last plane has flown a weave, or stayed: then `line` is empty."""

    seat: str
    plane: str
    line: str
    path: tuple[Hex, ...]
    facing: int


class ReservesShown(Event, frozen=True):
    """What was left of the reserves lies open."""

    left: Mapping[str, int]

    @classmethod
    def reveals(cls) -> bool:
        return True


EVENTS: tuple[type[Event], ...] = (
    ReserveDeclared,
    Plotted,
    PlotsShown,
    SmokeLaid,
    OrderFixed,
    MoveBegan,
    Stepped,
    FlewOff,
    MoveEnded,
    HeldFire,
    Fired,
    ShotRolled,
    Damaged,
    Followed,
    Promoted,
    SmokeThinned,
    Regrouped,
    Woven,
    ReservesShown,
)


def evolve(s: State, event: Event) -> State:
    """The state after a fact."""
    match event:
        case PhaseBegan(phase="plot"):
            for side in s.sides:
                s = _side(s, side.seat, plot=None, shown=None, smoke_asked=False)
                s = _side(s, side.seat, regrouped=False, woven=False)
            planes = tuple(replace(plane, fired=False) for plane in s.planes)
            return replace(s, planes=planes, order=None, thinned=False)
        case ReserveDeclared(seat, reserve):
            s = _side(s, seat, reserve=reserve)
            held = [side.reserve for side in s.sides]
            values = [one.value for one in held if one is not None and one.value is not None]
            return replace(s, stake=sum(values) if len(values) == len(held) else None)
        case Plotted(seat, plot):
            return _side(s, seat, plot=plot)
        case PlotsShown(plots):
            for seat, plot in plots.items():
                reserve = s.side(seat).reserve
                if plot.plan == "dash" and reserve is not None and reserve.value is not None:
                    reserve = Secret(reserve.value - 1, reserve.seats)
                s = _side(s, seat, shown=plot, reserve=reserve)
            return s
        case SmokeLaid(seat, place):
            s = _side(s, seat, smoke_asked=True)
            if place is None:
                return s
            s = _side(s, seat, smoke=s.side(seat).smoke - 1)
            return replace(s, smoke=(*s.smoke, place))
        case OrderFixed(order=order):
            return replace(s, order=order)
        case MoveBegan(plane, steps):
            return _plane(replace(s, move=Move(plane, steps)), plane, trail=(s.plane(plane).hex,))
        case Stepped(plane, to, facing, snaps):
            assert s.move is not None
            move = replace(s.move, left=s.move.left - 1, flown=s.move.flown + 1)
            owed = tuple(Snap(shooter, plane) for shooter in snaps)
            trail = (*s.plane(plane).trail, to)
            s = _plane(s, plane, hex=to, facing=facing, trail=trail)
            return replace(s, move=move, snaps=owed)
        case FlewOff(plane):
            return _lose(s, plane)
        case MoveEnded(plane, followers):
            assert s.order is not None
            order = tuple(one for one in s.order if one != plane)
            return replace(s, order=order, move=None, followers=followers)
        case HeldFire():
            return replace(s, snaps=s.snaps[1:])
        case Fired(shooter):
            s = _plane(s, shooter, fired=True)
            return replace(s, snaps=(replace(s.snaps[0], fires=True), *s.snaps[1:]))
        case ShotRolled(hit=hit):
            rest = s.snaps[1:]
            return replace(s, snaps=(replace(s.snaps[0], hit=True), *rest) if hit else rest)
        case Damaged(plane, lost=lost):
            s = replace(s, snaps=s.snaps[1:])
            return _lose(s, plane) if lost else _plane(s, plane, shaken=True)
        case Followed(plane, to):
            trail = (s.plane(plane).hex, to)
            s = _plane(s, plane, hex=to, trail=trail)
            return replace(s, followers=s.followers[1:])
        case Promoted(plane):
            return _plane(s, plane, leader=True)
        case SmokeThinned(gone):
            return replace(s, smoke=s.smoke[gone:], thinned=True)
        case Regrouped(seat, plane, facing):
            return _side(_plane(s, plane, facing=facing), seat, regrouped=True)
        case Woven(seat, plane, path=path, facing=facing):
            s = _side(s, seat, woven=True)
            if not path:
                return s
            trail = (s.plane(plane).hex, *path)
            return _plane(s, plane, hex=path[-1], facing=facing, trail=trail)
        case ReservesShown(left):
            return replace(s, reserves=left)
        case _:
            return s


def _plane(s: State, plane: str, **changed: Any) -> State:
    planes = tuple(replace(one, **changed) if one.id == plane else one for one in s.planes)
    return replace(s, planes=planes)


def _side(s: State, seat: str, **changed: Any) -> State:
    sides = tuple(replace(one, **changed) if one.seat == seat else one for one in s.sides)
    return replace(s, sides=sides)


def _lose(s: State, plane: str) -> State:
    """Without a plane, its flight, and every obligation that it is part of."""
    gone = s.move is not None and s.move.plane == plane
    return replace(
        s,
        planes=tuple(one for one in s.planes if one.id != plane),
        order=None if s.order is None else tuple(one for one in s.order if one != plane),
        move=None if gone else s.move,
        snaps=tuple(one for one in s.snaps if plane not in (one.shooter, one.target)),
        followers=tuple(one for one in s.followers if one != plane),
    )
