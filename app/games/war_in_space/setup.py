"""Set-ups: the data that a scenario or a player gives, and the position that comes of it.

Belongs here: the schema, its checks, and `start`. Does not belong here: what happens after the start.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from app.engine.checking import hex_on, unlike
from app.engine.errors import Illegal
from app.engine.game import Cards, Seat
from app.engine.hexes import Board
from app.games.war_in_space.model import (
    SYSTEMS,
    Boxes,
    Crew,
    Pattern,
    Rulings,
    Ship,
    ShipClass,
    State,
)

MOST_SHIPS = 24
HIGHEST_SPEED = 12
"""The most a set-up may begin with; no turn die has more sides. In play only energy sets a limit (WIS-MV-3)."""

Id = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,23}$")]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Size = Annotated[int, Meta(ge=1, le=99)]


class BoardSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """The board's size in hexes."""

    columns: Size = 30
    rows: Size = 22


class SeatSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """A side: its id and what people call it."""

    id: Id
    label: Name


class ShipSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ship at the start. `kind` is the id of a class; `facing` 0 to 5 clockwise from north.

    `marked` are boxes that are marked out already.
    """

    id: Id
    seat: Id
    kind: str
    name: Name
    hex: str
    facing: Annotated[int, Meta(ge=0, le=5)]
    speed: Annotated[int, Meta(ge=0, le=HIGHEST_SPEED)] = 2
    crew: Crew = "regular"
    marked: Boxes = Boxes()


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole set-up: what a scenario file holds and what POST /api/tables takes. `turns` is the limit."""

    title: Name
    summary: Annotated[str, Meta(max_length=200)] = ""
    board: BoardSetup = BoardSetup()
    turns: Annotated[int, Meta(ge=1, le=200)] = 15
    seats: Annotated[tuple[SeatSetup, ...], Meta(min_length=2, max_length=2)] = (
        SeatSetup("a", "Side A"),
        SeatSetup("b", "Side B"),
    )
    ships: Annotated[tuple[ShipSetup, ...], Meta(min_length=1, max_length=MOST_SHIPS)]


class _ClassRow(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: str
    size: int
    turn_die: int
    energy_die: int
    systems: int
    hull: int
    points: int
    pattern: str


class _ClassFile(Struct, frozen=True, rename={"classes": "class"}, forbid_unknown_fields=True):
    pattern: tuple[Pattern, ...]
    classes: tuple[_ClassRow, ...]


@cache
def ship_classes() -> Mapping[str, ShipClass]:
    """Table 1, by id, smallest first. Raises ValueError when the file is broken."""
    text = files(__package__ or __name__).joinpath("classes.toml").read_text("utf-8")
    read = msgspec.convert(tomllib.loads(text), _ClassFile)
    patterns = {pattern.id: pattern for pattern in read.pattern}
    return {
        row.id: msgspec.convert(
            {**msgspec.structs.asdict(row), "pattern": patterns[row.pattern]}, ShipClass
        )
        for row in read.classes
    }


class _Cards(Struct, frozen=True):
    """The classes that a table is opened with, as they are kept with it."""

    ships: Mapping[str, ShipClass] = {}


def cards(setup: Setup) -> Cards:
    """The classes that a set-up uses."""
    used = {ship.kind for ship in setup.ships}
    kept = {key: kind for key, kind in ship_classes().items() if key in used}
    return msgspec.to_builtins(_Cards(kept))


def start(setup: Setup, rulings: Mapping[str, str], cards: Cards | None = None) -> State:
    """The position before the first phase. Raises Illegal, naming the field and what it can be.

    `cards` are the table's (see `cards`); without them, the classes of today.
    """
    unlike("seats", [seat.id for seat in setup.seats])
    unlike("ships", [ship.id for ship in setup.ships], taken=[seat.id for seat in setup.seats])
    sides = {seat.id: seat.label for seat in setup.seats}
    field = board(setup)
    kinds = ship_classes() if cards is None else msgspec.convert(cards, _Cards).ships
    ships = [_ship(f"ships[{n}]", ship, kinds, sides, field) for n, ship in enumerate(setup.ships)]
    return State(
        board=field,
        turns=setup.turns,
        rulings=msgspec.convert(rulings, Rulings),
        sides=sides,
        ships={ship.id: ship for ship in ships},
    )


def seats(setup: Setup) -> tuple[Seat, ...]:
    """The two sides."""
    first, second = setup.seats
    return Seat(first.id, first.label, "first"), Seat(second.id, second.label, "second")


def names(setup: Setup) -> Mapping[str, str]:
    """What each ship and each side is called."""
    return {each.id: each.label for each in setup.seats} | {
        each.id: each.name for each in setup.ships
    }


def board(setup: Setup) -> Board:
    """The board in hexes."""
    return Board(setup.board.columns, setup.board.rows)


def _ship(
    path: str,
    ship: ShipSetup,
    kinds: Mapping[str, ShipClass],
    sides: Mapping[str, str],
    field: Board,
) -> Ship:
    if ship.seat not in sides:
        raise Illegal(f"{path}.seat can be {', '.join(sides)}; not {ship.seat!r}.")
    if ship.kind not in kinds:
        raise Illegal(f"{path}.kind can be {', '.join(kinds)}; not {ship.kind!r}.")
    made = Ship(
        id=ship.id,
        seat=ship.seat,
        name=ship.name,
        kind=kinds[ship.kind],
        crew=ship.crew,
        hex=hex_on(f"{path}.hex", ship.hex, field),
        facing=ship.facing,
        speed=ship.speed,
        marked=ship.marked,
    )
    _check_marked(f"{path}.marked", made)
    return made


def _check_marked(path: str, ship: Ship) -> None:
    """A ship without a Hull box is not there any more (WIS-WF-6)."""
    for system in SYSTEMS:
        most = ship.total(system) - (1 if system == "hull" else 0)
        if ship.marked.of(system) > most:
            given = ship.marked.of(system)
            raise Illegal(
                f"{path}.{system} can be 0 to {most} for a {ship.kind.title}; not {given}."
            )
