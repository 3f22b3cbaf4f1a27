"""Nouns: planes, sides, what is being flown and what is owed, and the state of all of it."""

from collections.abc import Iterator, Mapping

import msgspec

from app.engine.errors import Illegal
from app.engine.hexes import Board, Hex, distance, parse_label, sectors
from app.engine.secret import Secret
from app.engine.sequence import GameState, Term

SEATS = ("red", "blue")
LABELS = {"red": "Red", "blue": "Blue"}
STEPS = {"hold": 1, "press": 2, "dash": 3}


class SetupPlane(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plane of a set-up."""

    id: str
    seat: str
    name: str
    hex: str
    facing: int
    leader: bool = False


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a game begins. `homes` is the hex of each side that the other wants to reach."""

    columns: int
    rows: int
    turns: int
    smoke: int
    homes: Mapping[str, str]
    planes: tuple[SetupPlane, ...]


class Plane(msgspec.Struct, frozen=True):
    """A plane still in the air."""

    id: str
    seat: str
    name: str
    hex: Hex
    facing: int
    leader: bool
    shaken: bool = False
    fired: bool = False
    trail: tuple[Hex, ...] = ()


class Plot(msgspec.Struct, frozen=True):
    """What a side means to do this turn."""

    plan: str
    decoy: bool


class Side(msgspec.Struct, frozen=True):
    """A side: its reserve and this turn's plot are for its own eyes, `shown` is the plot revealed."""

    seat: str
    smoke: int
    reserve: Secret[int] | None = None
    plot: Secret[Plot] | None = None
    shown: Plot | None = None
    smoke_asked: bool = False
    regrouped: bool = False
    woven: bool = False


class Move(msgspec.Struct, frozen=True):
    """The flight under way: it survives being interrupted because it is written down."""

    plane: str
    left: int
    flown: int = 0


class Snap(msgspec.Struct, frozen=True):
    """A snap shot that may be made, asked before anything else. `fires` and `hit` once decided."""

    shooter: str
    target: str
    fires: bool = False
    hit: bool = False


class State(GameState, frozen=True, kw_only=True):
    """Everything. `stake` is both reserves together, known to nobody who doesn't know both."""

    rulings: Mapping[str, str]
    board: Board
    turns: int
    homes: Mapping[str, Hex]
    planes: tuple[Plane, ...]
    sides: tuple[Side, ...]
    smoke: tuple[Hex, ...] = ()
    stake: int | None = None
    order: tuple[str, ...] | None = None
    move: Move | None = None
    snaps: tuple[Snap, ...] = ()
    followers: tuple[str, ...] = ()
    thinned: bool = False
    reserves: Mapping[str, int] | None = None

    def plane(self, plane: str) -> Plane:
        """The plane of an id."""
        return next(one for one in self.planes if one.id == plane)

    def side(self, seat: str) -> Side:
        """The side of a seat."""
        return next(one for one in self.sides if one.seat == seat)

    def of(self, seat: str) -> tuple[Plane, ...]:
        """The planes a side has left."""
        return tuple(one for one in self.planes if one.seat == seat)

    def taken(self, place: Hex) -> bool:
        """Whether a plane is there."""
        return any(one.hex == place for one in self.planes)

    def threats(self, seat: str, place: Hex) -> Iterator[Plane]:
        """The planes of the other side that could fire at `place`."""
        for one in self.planes:
            if one.seat == seat or (one.fired and self.rulings["again"] == "once"):
                continue
            if distance(one.hex, place) <= 2 and 0 in sectors(place - one.hex, one.facing):
                yield one

    def terms(self, seat: str, place: Hex) -> tuple[Term, ...]:
        """What makes the number that a snap shot at a plane of `seat` in `place` must roll."""
        shown = self.side(seat).shown
        return (
            Term("Any shot", "7"),
            Term("Into smoke", "+2", place in self.smoke),
            Term("Decoy", "+1", shown is not None and shown.decoy),
        )

    def needed(self, seat: str, place: Hex) -> int:
        """What it comes to."""
        return sum(int(term.amount) for term in self.terms(seat, place) if term.lit)


def other(seat: str) -> str:
    """The enemy."""
    return SEATS[1 - SEATS.index(seat)]


def start(setup: Setup, rulings: Mapping[str, str]) -> State:
    """The state before the first phase. Raises Illegal."""
    if not (1 <= setup.columns <= 99 and 1 <= setup.rows <= 99):
        raise Illegal("A map has 1 to 99 columns and rows.")
    if not 1 <= setup.turns <= 20:
        raise Illegal("A game has 1 to 20 turns.")
    board = Board(setup.columns, setup.rows)
    planes: list[Plane] = []
    for one in setup.planes:
        place = parse_label(one.hex)
        if one.seat not in SEATS or not 0 <= one.facing <= 5:
            raise Illegal(f"{one.id}: its seat is red or blue, its facing 0 to 5.")
        if place not in board or any(place == before.hex for before in planes):
            raise Illegal(f"{one.id}: {one.hex} is off the map or taken.")
        if any(one.id == before.id for before in planes):
            raise Illegal(f"There are two planes {one.id}.")
        planes.append(Plane(one.id, one.seat, one.name, place, one.facing, one.leader))
    for seat in SEATS:
        if sum(plane.leader for plane in planes if plane.seat == seat) != 1:
            raise Illegal(f"{LABELS[seat]} needs one leader.")
        if seat not in setup.homes or parse_label(setup.homes[seat]) not in board:
            raise Illegal(f"{LABELS[seat]} needs a home on the map.")
    return State(
        rulings=rulings,
        board=board,
        turns=setup.turns,
        homes={seat: parse_label(setup.homes[seat]) for seat in SEATS},
        planes=tuple(planes),
        sides=tuple(Side(seat, setup.smoke) for seat in SEATS),
    )
