"""Set-ups: the data that a scenario or a player gives, and the position that comes of it.

Belongs here: the schema, its checks, and `start`. A set-up may bring cards of its own, so any position can be
built. Does not belong here: what happens after the start.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from app.engine.checking import unlike
from app.engine.errors import Illegal
from app.engine.game import Seat
from app.engine.hexes import Board
from app.engine.secret import Secret
from app.games.gunslingers.flight.cards import at_config, band, limits, printed_cards
from app.games.gunslingers.flight.flight_types import CLIMBS, DIVES
from app.games.gunslingers.fog import remembered
from app.games.gunslingers.geometry import Pos, legal_facings, parse
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.model import (
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
MOST_PPL = 6

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


def start(setup: Setup, rulings: Mapping[str, str]) -> State:
    """The position before the first phase (GS-TURN-1). Raises Illegal, naming the field and what it can be."""
    unlike("sides", [side.id for side in setup.sides])
    unlike("cards", [card.id for card in setup.cards])
    unlike("missile_cards", [card.id for card in setup.missile_cards])
    taken = [side.id for side in setup.sides]
    unlike("aircraft", [each.id for each in setup.aircraft], taken)
    cards = {**printed_cards(), **{card.id: card for card in setup.cards}}
    missiles = {**printed_missiles(), **{card.id: card for card in setup.missile_cards}}
    placed = [
        _aircraft(f"aircraft[{n}]", each, setup, cards, missiles)
        for n, each in enumerate(setup.aircraft)
    ]
    begun = State(
        board=board(setup),
        switches=msgspec.convert(
            {key: rulings[key] for key in Switches.__struct_fields__ if key in rulings}, Switches
        ),
        sides={side.id: side.label for side in setup.sides},
        training={side.id: side.training for side in setup.sides},
        cards=cards,
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
    return remembered(begun)


def _aircraft(
    path: str,
    given: AircraftSetup,
    setup: Setup,
    cards: Mapping[str, Card],
    missiles: Mapping[str, MissileCard],
) -> Aircraft:
    """One aircraft, each of its fields checked against its card."""
    sides = [side.id for side in setup.sides]
    if given.side not in sides:
        raise Illegal(f"{path}.side can be {', '.join(sides)}; not {given.side!r}.")
    card = cards.get(given.card)
    if card is None:
        raise Illegal(f"{path}.card can be {', '.join(cards)}; not {given.card!r}.")
    pos = _place(f"{path}.place", given.place, board(setup))
    _facing(f"{path}.facing", given, pos)
    _flown(path, given, at_config(card, given.config))
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
            own=Secret(_own(path, given, card, setup, missiles), ()),
            sighted_by=(enemy,) if given.sighted else (),
            identified_by=(enemy,) if given.identified else (),
            program=_program(path, given, card),
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


def _own(
    path: str,
    given: AircraftSetup,
    card: Card,
    setup: Setup,
    missiles: Mapping[str, MissileCard],
) -> Own:
    contacts, locks = _on_radar(path, given, card, setup)
    return Own(
        next_speed=given.speed,
        climb_turns=int(given.flight_type in CLIMBS),
        dive_turns=int(given.flight_type in DIVES),
        fuel=given.fuel,
        ammo=_ammo(path, given, card),
        stores=_stores(path, given, card, missiles),
        decoys=_decoys(path, given, card),
        radar_mode="search" if card.radar else "off",
        contacts=contacts,
        locks=locks,
        iff=given.iff,
        crew=_crew(path, given, card),
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


def _facing(path: str, given: AircraftSetup, pos: Pos) -> None:
    """GS-G-6: on a hexside only the two facings along it."""
    legal = legal_facings(pos)
    if given.facing not in legal:
        listed = " or ".join(str(facing) for facing in sorted(legal))
        raise Illegal(f"{path} can be {listed} at {given.place}; not {given.facing}.", "GS-G-6")


def _flown(path: str, given: AircraftSetup, card: Card) -> None:
    """Altitude (GS-F-25), speed (GS-F-23) and power (GS-F-3) that the card allows.

    Below its least speed an aircraft begins stalled.
    """
    if given.altitude > card.ceiling:
        raise Illegal(
            f"{path}.altitude can be 1 to {card.ceiling} for {card.name}; not {given.altitude}.",
            "GS-F-25",
        )
    most = limits(card, band(given.altitude)).max + card.dive_bonus
    if given.speed > most:
        raise Illegal(
            f"{path}.speed can be 0 to {most:g} for {card.name} at level {given.altitude}; "
            f"not {given.speed:g}.",
            "GS-F-23",
        )
    if given.power == "AB" and card.ap_ab is None:
        raise Illegal(f"{path}.power can be I, N, M: {card.name} has no afterburner.", "GS-F-3")


def _crew(path: str, given: AircraftSetup, card: Card) -> tuple[Crew, ...]:
    if not given.crew:
        return (Crew(),) * card.seats
    if len(given.crew) != card.seats:
        raise Illegal(
            f"{path}.crew must be as many as {card.name} has seats, {card.seats}; "
            f"not {len(given.crew)}."
        )
    return given.crew


def _ammo(path: str, given: AircraftSetup, card: Card) -> float:
    most = card.gun.ammo if card.gun else 0
    if given.ammo is None:
        return most
    if given.ammo > most:
        raise Illegal(
            f"{path}.ammo can be 0 to {most:g} for {card.name}; not {given.ammo:g}.", "GS-C-3"
        )
    return given.ammo


def _stores(
    path: str, given: AircraftSetup, card: Card, missiles: Mapping[str, MissileCard]
) -> tuple[Store, ...]:
    """Missiles that the card can carry, each kind listed once."""
    listed = ", ".join(card.missiles) or "nothing"
    for n, store in enumerate(given.stores):
        if store.missile not in missiles or store.missile not in card.missiles:
            raise Illegal(
                f"{path}.stores[{n}].missile: {card.name} carries {listed}; not {store.missile!r}."
            )
        if store.count < 1:
            raise Illegal(f"{path}.stores[{n}].count must be at least 1; not {store.count}.")
        if any(other.missile == store.missile for other in given.stores[:n]):
            raise Illegal(f"{path}.stores[{n}].missile: {store.missile!r} is listed twice.")
    return given.stores


def _decoys(path: str, given: AircraftSetup, card: Card) -> Decoys:
    """The stock; at most what the dispenser holds."""
    if given.decoys is None:
        return card.decoys
    for kind in Decoys.__struct_fields__:
        _within(f"{path}.decoys.{kind}", getattr(given.decoys, kind), getattr(card.decoys, kind))
    return given.decoys


def _program(path: str, given: AircraftSetup, card: Card) -> Decoys:
    """The decoy program in force; only with a dispenser (GS-DEC-1)."""
    for kind in Decoys.__struct_fields__:
        most = MOST_PPL if card.dds else 0
        _within(f"{path}.program.{kind}", getattr(given.program, kind), most)
    if given.program_on and not card.dds:
        raise Illegal(f"{path}.program_on: {card.name} has no dispenser.", "GS-DEC-1")
    return given.program


def _within(path: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise Illegal(f"{path} can be 0 to {most}; not {value}.", "GS-DEC-1")


def _on_radar(
    path: str, given: AircraftSetup, card: Card, setup: Setup
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Contacts and locks: enemies, on an aircraft with a radar. Whatever is locked is a contact too."""
    enemies = [each.id for each in setup.aircraft if each.side != given.side]
    named = {"contacts": given.contacts, "locks": given.locks}
    for field, ids in named.items():
        if ids and card.radar is None:
            raise Illegal(f"{path}.{field}: {card.name} has no radar.", "GS-RAD-2")
        for one in ids:
            if one not in enemies:
                raise Illegal(f"{path}.{field} can be {', '.join(enemies)}; not {one!r}.")
    if card.radar is not None and len(given.locks) > card.radar.multi_track:
        raise Illegal(
            f"{path}.locks can be {card.radar.multi_track} at most for {card.name}.", "GS-RAD-4a"
        )
    return tuple(dict.fromkeys((*given.contacts, *given.locks))), given.locks
