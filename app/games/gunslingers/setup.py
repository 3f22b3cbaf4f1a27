"""Set-ups: the data that a scenario or a player gives, and the position that comes of it.

Belongs here: the schema, and `start`. A set-up may bring cards of its own, so any position can be
built. Does not belong here: what the rules let a set-up have (`fitting`), what happens after the start.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from app.engine.checking import unlike
from app.engine.errors import Illegal
from app.engine.game import Cards, Seat
from app.engine.hexes import Board
from app.engine.secret import Secret
from app.games.gunslingers.fitting import fits
from app.games.gunslingers.flight.cards import printed_cards
from app.games.gunslingers.geometry import Pos, parse
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.model import (
    CLIMBS,
    DIVES,
    Aircraft,
    Card,
    Config,
    Crew,
    Decoys,
    FlightType,
    Ident,
    MissileCard,
    Own,
    Power,
    Seen,
    State,
    Store,
    Sun,
    Switches,
    Training,
    eyes,
)

MOST_AIRCRAFT = 24

Id = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,23}$")]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Size = Annotated[int, Meta(ge=1, le=99)]
Half = Annotated[float, Meta(ge=0, le=30, multiple_of=0.5)]


class BoardSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """The board's size in hexes."""

    columns: Size = 40
    rows: Size = 30


class SideSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """A side: its id, what people call it, and its training standard (GS-T-9)."""

    id: Id
    label: Name
    training: Training = "average"


class SunSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the sun stands (GS-G-19): its facing, and levels per hex of its slope."""

    facing: Annotated[int, Meta(ge=0, le=11)]
    ratio: Annotated[float, Meta(gt=0, le=10)] = 1


class AircraftSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An aircraft at the start.

    `place` is the label of a hex ("1115") or a hexside ("1115/1215"), `facing` 0 to 11 clockwise from north in
    steps of 30 degrees, `altitude` in levels of 1,000 ft, `speed` in flight points. `flight_type` is how it flew
    in the turn before. Crew, ammunition and decoys are the card's unless they are given: regulars, and full.
    `sighted` and `identified` say whether the enemy has; `contacts` and `locks` are ids of aircraft.
    """

    id: Id
    side: Id
    card: str
    name: Name
    place: str
    facing: Annotated[int, Meta(ge=0, le=11)]
    altitude: Annotated[int, Meta(ge=1, le=99)]
    speed: Half
    power: Power = "M"
    flight_type: FlightType = "LVL"
    config: Config = "CL"
    crew: Annotated[tuple[Crew, ...], Meta(max_length=6)] = ()
    fuel: Annotated[float, Meta(ge=0, le=999, multiple_of=0.5)] = 150
    ammo: Half | None = None
    stores: Annotated[tuple[Store, ...], Meta(max_length=8)] = ()
    decoys: Decoys | None = None
    program: Decoys = Decoys()
    program_on: bool = False
    iff: bool = False
    paint: Literal["", "camouflage", "bare metal"] = ""
    sighted: bool = False
    identified: bool = False
    contacts: tuple[Id, ...] = ()
    locks: tuple[Id, ...] = ()


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole set-up: what a scenario file holds and what POST /api/tables takes.

    `lead` is by how many points a side must lead to win. `leaving` says whether aircraft may leave the fight
    (GS-ADM-5a). `cards` and `missile_cards` are the set-up's own; they
    come before the printed ones of the same id. `sun` counts only with the switch of that name.
    """

    title: Name
    summary: Annotated[str, Meta(max_length=200)] = ""
    board: BoardSetup = BoardSetup()
    turns: Annotated[int, Meta(ge=1, le=200)] = 15
    lead: Annotated[int, Meta(ge=1, le=999)] = 8
    leaving: bool = True
    sun: SunSetup | None = None
    sides: Annotated[tuple[SideSetup, ...], Meta(min_length=2, max_length=2)] = (
        SideSetup("blue", "Blue"),
        SideSetup("red", "Red"),
    )
    aircraft: Annotated[tuple[AircraftSetup, ...], Meta(min_length=1, max_length=MOST_AIRCRAFT)]
    cards: tuple[Card, ...] = ()
    missile_cards: tuple[MissileCard, ...] = ()


def seats(setup: Setup) -> tuple[Seat, ...]:
    """The two sides."""
    first, second = setup.sides
    return Seat(first.id, first.label, "first"), Seat(second.id, second.label, "second")


def names(setup: Setup) -> Mapping[str, str]:
    """What each aircraft and each side is called."""
    return {each.id: each.label for each in setup.sides} | {
        each.id: each.name for each in setup.aircraft
    }


def board(setup: Setup) -> Board:
    """The board in hexes."""
    return Board(setup.board.columns, setup.board.rows)


class _Cards(Struct, frozen=True):
    """The cards that a table is opened with, as they are kept with it."""

    aircraft: Mapping[str, Card] = {}
    missiles: Mapping[str, MissileCard] = {}


def cards(setup: Setup) -> Cards:
    """All printed cards: which of them are flown may be nobody's to know. Those of a set-up's own are in it."""
    del setup
    return msgspec.to_builtins(_printed())


def _printed() -> _Cards:
    return _Cards(printed_cards(), printed_missiles())


def start(setup: Setup, rulings: Mapping[str, str], cards: Cards | None = None) -> State:
    """The position before the first phase (GS-TURN-1). Raises Illegal, naming the field and what it can be.

    `cards` are the table's (see `cards`); it has been looked at by the rules when it was opened. Without them the
    set-up is looked at now, with what is printed today.
    """
    unlike("sides", [side.id for side in setup.sides])
    unlike("cards", [card.id for card in setup.cards])
    unlike("missile_cards", [card.id for card in setup.missile_cards])
    taken = [side.id for side in setup.sides]
    unlike("aircraft", [each.id for each in setup.aircraft], taken)
    kept = _printed() if cards is None else msgspec.convert(cards, _Cards)
    known = {**kept.aircraft, **{card.id: card for card in setup.cards}}
    missiles = {**kept.missiles, **{card.id: card for card in setup.missile_cards}}
    placed: list[Aircraft] = []
    for n, each in enumerate(setup.aircraft):
        path = f"aircraft[{n}]"
        placed.append(_aircraft(path, each, setup, known))
        if cards is None:
            fits(path, each, known[each.card], setup, missiles)
    return State(
        board=board(setup),
        switches=msgspec.convert(
            {key: rulings[key] for key in Switches.__struct_fields__ if key in rulings}, Switches
        ),
        sides={side.id: side.label for side in setup.sides},
        training={side.id: side.training for side in setup.sides},
        cards=known,
        missile_cards=missiles,
        aircraft={each.id: each for each in placed},
        sun=Sun(setup.sun.facing, setup.sun.ratio) if setup.sun else None,
        turns=setup.turns,
        lead=setup.lead,
        leaving=setup.leaving,
        kills={side.id: 0 for side in setup.sides},
        points={side.id: 0 for side in setup.sides},
        staying={side.id: 0 for side in setup.sides},
    )


def _aircraft(
    path: str,
    given: AircraftSetup,
    setup: Setup,
    cards: Mapping[str, Card],
) -> Aircraft:
    """One aircraft, of a side, with a card, at a place."""
    sides = [side.id for side in setup.sides]
    if given.side not in sides:
        raise Illegal(f"{path}.side can be {', '.join(sides)}; not {given.side!r}.")
    card = cards.get(given.card)
    if card is None:
        raise Illegal(f"{path}.card can be {', '.join(cards)}; not {given.card!r}.")
    pos = _place(f"{path}.place", given.place, board(setup))
    enemy = next(side for side in sides if side != given.side)
    return eyes(
        Aircraft(
            id=given.id,
            side=given.side,
            name=given.name,
            kind=card.kind,
            pos=pos,
            facing=given.facing,
            altitude=given.altitude,
            seen=Secret(_seen(given), ()),
            ident=Secret(Ident(given.card), ()),
            own=Secret(_own(given, card), ()),
            sighted_by=(enemy,) if given.sighted else (),
            identified_by=(enemy,) if given.identified else (),
            program=given.program,
            program_on=given.program_on,
            paint=given.paint,
        )
    )


def _seen(given: AircraftSetup) -> Seen:
    return Seen(
        speed=given.speed,
        flight_type=given.flight_type,
        previous_type=given.flight_type,
        power=given.power,
        previous_power=given.power,
        config=given.config,
    )


def _own(given: AircraftSetup, card: Card) -> Own:
    """What is its side's alone. Crew, ammunition and decoys are the card's unless they are given."""
    ammo = card.gun.ammo if card.gun else 0
    return Own(
        next_speed=given.speed,
        climb_turns=int(given.flight_type in CLIMBS),
        dive_turns=int(given.flight_type in DIVES),
        fuel=given.fuel,
        ammo=ammo if given.ammo is None else given.ammo,
        stores=given.stores,
        decoys=card.decoys if given.decoys is None else given.decoys,
        radar_mode="search" if card.radar else "off",
        # Whatever is locked is a contact too.
        contacts=tuple(dict.fromkeys((*given.contacts, *given.locks))),
        locks=given.locks,
        iff=given.iff,
        crew=given.crew or (Crew(),) * card.seats,
    )


def _place(path: str, label: str, field: Board) -> Pos:
    """A place on the board; a hexside needs both its hexes there (GS-G-3)."""
    try:
        pos = parse(label)
    except Illegal as wrong:
        raise Illegal(f"{path}: {wrong.detail}", "GS-G-3") from None
    for part in label.split("/"):
        if not 1 <= int(part[:2]) <= field.columns or not 1 <= int(part[2:]) <= field.rows:
            last = f"{field.columns:02}{field.rows:02}"
            raise Illegal(f"{path} can be 0101 to {last}, column and row; {part} is off the board.")
    return pos
