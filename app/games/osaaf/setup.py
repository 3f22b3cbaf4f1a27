"""Set-ups: the data that a scenario or a player gives, and the position that comes of it.

Belongs here: the schema, its checks, and `start`. A set-up may bring aircraft of its own, so any
position can be built. Does not belong here: what happens after the start.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from app.engine.checking import hex_on, unlike
from app.engine.errors import Illegal
from app.engine.game import Cards, Seat
from app.engine.hexes import Board
from app.games.osaaf.model import (
    LOWEST,
    Aircraft,
    Arm,
    Edge,
    Jet,
    Rulings,
    Skill,
    State,
    Stores,
    Weapon,
)

MOST_JETS = 24
ARMS: Sequence[Arm] = ("gun", "heat_seeker", "radar_missile")

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


class JetSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A jet at the start. `aircraft` is the id of a card; `facing` 0 to 5 clockwise from north.

    Fuel, bursts and missiles are the card's unless they are given; `hits` are those it has already taken.
    """

    id: Id
    seat: Id
    aircraft: str
    name: Name
    hex: str
    facing: Annotated[int, Meta(ge=0, le=5)]
    altitude: int
    speed: int
    skill: Skill = "regular"
    fuel: int | None = None
    hits: int = 0
    gun: int | None = None
    heat_seeker: int | None = None
    radar_missile: int | None = None


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole set-up: what a scenario file holds and what POST /api/tables takes.

    `sun` is the edge that the sun stands over, or "roll" for a die at the start of play (OSAAF-MV-4);
    at night it does not matter. `aircraft` are cards of the set-up's own; they come before the printed
    ones of the same id.
    """

    title: Name
    summary: Annotated[str, Meta(max_length=200)] = ""
    board: BoardSetup = BoardSetup()
    night: bool = False
    sun: Literal["N", "E", "S", "W", "roll"] = "roll"
    turns: Annotated[int, Meta(ge=1, le=200)] = 20
    seats: Annotated[tuple[SeatSetup, ...], Meta(min_length=2, max_length=2)] = (
        SeatSetup("blue", "Blue"),
        SeatSetup("red", "Red"),
    )
    jets: Annotated[tuple[JetSetup, ...], Meta(min_length=1, max_length=MOST_JETS)]
    aircraft: tuple[Aircraft, ...] = ()


class _AircraftFile(Struct, frozen=True, forbid_unknown_fields=True):
    aircraft: tuple[Aircraft, ...]


@cache
def printed_aircraft() -> Mapping[str, Aircraft]:
    """The cards of `aircraft.toml`, by id."""
    text = files(__package__ or __name__).joinpath("aircraft.toml").read_text("utf-8")
    cards = msgspec.convert(tomllib.loads(text), _AircraftFile).aircraft
    return {card.id: card for card in cards}


class _Cards(Struct, frozen=True):
    """The cards that a table is opened with, as they are kept with it."""

    aircraft: Mapping[str, Aircraft] = {}


def cards(setup: Setup) -> Cards:
    """The printed cards that a set-up uses. Those of its own are in the set-up."""
    own = {card.id for card in setup.aircraft}
    printed = printed_aircraft()
    used = {jet.aircraft for jet in setup.jets if jet.aircraft not in own}
    return msgspec.to_builtins(_Cards({key: printed[key] for key in printed if key in used}))


def start(setup: Setup, rulings: Mapping[str, str], cards: Cards | None = None) -> State:
    """The position before the first phase. Raises Illegal, naming the field and what it can be.

    `cards` are the table's (see `cards`); without them, what is printed today.
    """
    unlike("seats", [seat.id for seat in setup.seats])
    unlike("aircraft", [card.id for card in setup.aircraft])
    unlike("jets", [jet.id for jet in setup.jets], taken=[seat.id for seat in setup.seats])
    printed = printed_aircraft() if cards is None else msgspec.convert(cards, _Cards).aircraft
    known = {**printed, **{card.id: card for card in setup.aircraft}}
    sides = {seat.id: seat.label for seat in setup.seats}
    field = board(setup)
    jets = [_jet(f"jets[{n}]", jet, known, sides, field) for n, jet in enumerate(setup.jets)]
    settled = msgspec.convert(rulings, Rulings)
    if settled.combat == "off":
        # OSAAF-CB-7 is part of that block: hits neither slow a jet nor count.
        jets = [msgspec.structs.replace(jet, hits=0) for jet in jets]
    sun: Edge | None = None if setup.sun == "roll" else setup.sun
    return State(
        board=field,
        night=setup.night,
        sun=sun,
        turns=setup.turns,
        rulings=settled,
        sides=sides,
        jets={jet.id: jet for jet in jets},
    )


def seats(setup: Setup) -> tuple[Seat, ...]:
    """The two sides."""
    first, second = setup.seats
    return Seat(first.id, first.label, "first"), Seat(second.id, second.label, "second")


def names(setup: Setup) -> Mapping[str, str]:
    """What each jet and each side is called."""
    return {each.id: each.label for each in setup.seats} | {
        each.id: each.name for each in setup.jets
    }


def board(setup: Setup) -> Board:
    """The board in hexes."""
    return Board(setup.board.columns, setup.board.rows)


def _jet(
    path: str,
    jet: JetSetup,
    cards: Mapping[str, Aircraft],
    sides: Mapping[str, str],
    field: Board,
) -> Jet:
    if jet.seat not in sides:
        raise Illegal(f"{path}.seat can be {_listed(sides)}; not {jet.seat!r}.")
    card = cards.get(jet.aircraft)
    if card is None:
        raise Illegal(f"{path}.aircraft can be {_listed(cards)}; not {jet.aircraft!r}.")
    _within(f"{path}.altitude", jet.altitude, LOWEST, card.ceiling, card, "OSAAF-EN-20")
    _within(f"{path}.speed", jet.speed, 0, card.max_speed, card, "OSAAF-EN-17")
    return Jet(
        id=jet.id,
        seat=jet.seat,
        name=jet.name,
        aircraft=card,
        skill=jet.skill,
        hex=hex_on(f"{path}.hex", jet.hex, field),
        facing=jet.facing,
        altitude=jet.altitude,
        speed=jet.speed,
        stalled=jet.speed == 0,
        fuel=_at_most(f"{path}.fuel", jet.fuel, card.fuel, card),
        stores=Stores(**{arm: _shots(path, arm, jet, card) for arm in ARMS}),
        hits=_hits(path, jet, card),
    )


def _shots(path: str, arm: Arm, jet: JetSetup, card: Aircraft) -> int:
    weapon: Weapon | None = getattr(card, arm)
    given: int | None = getattr(jet, arm)
    return _at_most(f"{path}.{arm}", given, weapon.shots if weapon else 0, card)


def _hits(path: str, jet: JetSetup, card: Aircraft) -> int:
    """A jet with as many hits as its Toughness is not there any more (OSAAF-CB-7)."""
    _within(f"{path}.hits", jet.hits, 0, card.toughness - 1, card, "OSAAF-CB-7")
    return jet.hits


def _at_most(path: str, given: int | None, most: int, card: Aircraft) -> int:
    """What the set-up gives, or else the whole of what is on the card."""
    if given is None:
        return most
    _within(path, given, 0, most, card)
    return given


def _within(
    path: str, value: int, low: int, high: int, card: Aircraft, cite: str | None = None
) -> None:
    if not low <= value <= high:
        raise Illegal(f"{path} can be {low} to {high} for {card.name}; not {value}.", cite)


def _listed(things: Mapping[str, Any]) -> str:
    return ", ".join(things)
