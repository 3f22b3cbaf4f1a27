"""Set-ups: the data that a scenario or a player gives, and the position that comes of it.

Belongs here: the schema, its checks, and `start`. A set-up may put the flight anywhere on its way, with
damage, stores and targets of its own, so any position can be built. Does not belong here: what happens
after the start.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from app.engine.editing import Editor
from app.engine.errors import Illegal
from app.engine.game import Seat
from app.engine.hexes import Board
from app.games.f14_tomcats import tables
from app.games.f14_tomcats.model import (
    HOME,
    Aircraft,
    Cards,
    Career,
    Jet,
    Rulings,
    State,
    Stores,
    Target,
)

SEATS = ("one", "two")
JETS = ("jet-1", "jet-2")

Name = Annotated[str, Meta(min_length=1, max_length=40)]
CallSign = Annotated[str, Meta(min_length=1, max_length=16)]


class PilotSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pilot and his aircraft. `stores` and `damage` are as at take-off unless they are given."""

    name: Name
    call_sign: CallSign
    career: Career = Career()
    damage: Annotated[int, Meta(ge=0)] = 0
    stores: Stores | None = None


class TargetSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A target that is known from the start: where it is, what it is, and damage it has already."""

    waypoint: Annotated[int, Meta(ge=2, le=HOME - 1)]
    type: str
    damage: Annotated[int, Meta(ge=0)] = 0


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole set-up: what a scenario file holds and what POST /api/tables takes.

    `waypoint` is where the flight is before its first turn. Without `targets` they are rolled for.
    """

    title: Name
    summary: Annotated[str, Meta(max_length=200)] = ""
    waypoint: Annotated[int, Meta(ge=1, le=HOME - 1)] = 1
    pilots: Annotated[tuple[PilotSetup, ...], Meta(min_length=1, max_length=2)]
    targets: Annotated[tuple[TargetSetup, ...], Meta(max_length=2)] = ()


def cards(setup: Setup) -> Mapping[str, Any]:
    """The tables of the rules, which are the same for all set-ups."""
    del setup
    return msgspec.to_builtins(tables.printed())


def start(
    setup: Setup, rulings: Mapping[str, str], cards: Mapping[str, Any] | None = None
) -> State:
    """The position before the first phase. Raises Illegal, naming the field and what it can be.

    `cards` are the tables of the rules that the mission began with; without them, those of today.
    """
    _call_signs(setup.pilots)
    known = tables.printed() if cards is None else msgspec.convert(cards, Cards)
    settled = msgspec.convert(rulings, Rulings)
    jets = [_jet(n, pilot, settled, known) for n, pilot in enumerate(setup.pilots)]
    return State(
        rulings=settled,
        cards=known,
        sides={seat.id: seat.label for seat in seats(setup)},
        jets={jet.id: jet for jet in jets},
        waypoint=setup.waypoint,
        order=(jets[0].id,) if len(jets) == 1 else (),
        targets=_targets(setup.targets, known),
    )


def seats(setup: Setup) -> tuple[Seat, ...]:
    """One seat for each pilot."""
    marks = ("first", "second")
    return tuple(Seat(SEATS[n], pilot.call_sign, marks[n]) for n, pilot in enumerate(setup.pilots))


def names(setup: Setup) -> Mapping[str, str]:
    """Pilots are called by their call signs, in the air and at the table."""
    return {
        key: pilot.call_sign
        for keys in (SEATS, JETS)
        for key, pilot in zip(keys, setup.pilots, strict=False)
    }


def board(setup: Setup) -> Board | None:
    """None: the flight is drawn on its route, not on hexes."""
    del setup


def _call_signs(pilots: Sequence[PilotSetup]) -> None:
    if len({pilot.call_sign.casefold() for pilot in pilots}) < len(pilots):
        taken = pilots[0].call_sign
        raise Illegal(f"pilots[1].call_sign must be another one; {taken!r} is taken.")


def _jet(n: int, pilot: PilotSetup, rulings: Rulings, cards: Cards) -> Jet:
    kind = next(row for row in cards.aircraft if row.id == rulings.aircraft)
    path = f"pilots[{n}]"
    if pilot.damage >= kind.limit:
        most = f"0 to {kind.limit - 1} for the {kind.short}"
        raise Illegal(f"{path}.damage can be {most}; not {pilot.damage}.", "F14-DM-1")
    known = [award.name for award in cards.awards]
    for award in pilot.career.awards:
        if award not in known:
            raise Illegal(f"{path}.career.awards can be {', '.join(known)}; not {award!r}.")
    return Jet(
        id=JETS[n],
        seat=SEATS[n],
        name=pilot.call_sign,
        pilot=pilot.name,
        aircraft=kind.name,
        limit=kind.limit,
        stores=_stores(f"{path}.stores", pilot.stores, kind),
        loadout=kind.stores,
        career=pilot.career,
        damage=pilot.damage,
    )


def _stores(path: str, given: Stores | None, kind: Aircraft) -> Stores:
    """What is given, within what the aircraft can carry (F14-MS-8)."""
    if given is None:
        return kind.stores
    for field in given.__struct_fields__:
        most, has = getattr(kind.stores, field), getattr(given, field)
        if has > most:
            limit = f"0 to {most} for the {kind.short}"
            raise Illegal(f"{path}.{field} can be {limit}; not {has}.", "F14-MS-8")
    return given


def _targets(given: Sequence[TargetSetup], cards: Cards) -> tuple[Target, ...]:
    if not given:
        return ()
    if len(given) != 2:
        raise Illegal("targets must be both of them, or none to roll for them.", "F14-MS-3")
    first, second = (_target(n, one, cards) for n, one in enumerate(given))
    if first.waypoint >= second.waypoint:
        raise Illegal("targets[1].waypoint must lie beyond the first target.", "F14-MS-6")
    return first, second


def _target(n: int, given: TargetSetup, cards: Cards) -> Target:
    row = next((row for row in cards.targets if row.id == given.type), None)
    if row is None:
        known = ", ".join(row.id for row in cards.targets)
        raise Illegal(f"targets[{n}].type can be {known}; not {given.type!r}.", "F14-MS-7")
    if given.damage >= row.needs:
        most = f"0 to {row.needs - 1} for the {row.name}"
        raise Illegal(f"targets[{n}].damage can be {most}; not {given.damage}.", "F14-BP-4")
    return Target(
        id="secondary" if n else "primary",
        waypoint=given.waypoint,
        type=row.name,
        points=row.points,
        needs=row.needs,
        damage=given.damage,
    )


def _choices(data: Mapping[str, Any]) -> Mapping[str, Sequence[tuple[str, str]]]:
    del data
    return {
        "targets.type": [(row.id, row.name) for row in tables.target_types().values()],
        "pilots.career.awards": [(award.name, award.name) for award in tables.awards()],
    }


def _added(data: Mapping[str, Any], rows: str, like: int | None) -> Mapping[str, Any]:
    """The next row of a list: a second pilot, or a target beyond those that there are."""
    listed: Sequence[Mapping[str, Any]] = data.get(rows) or ()
    pattern: Mapping[str, Any] = {} if like is None else listed[like]
    if rows == "pilots":
        taken = {pilot.get("call_sign") for pilot in listed}
        sign = "Comet" if "Comet" not in taken else "Dusty"
        return {"name": "New Pilot", **pattern, "call_sign": sign}
    reached = [target.get("waypoint") for target in listed]
    last = max((waypoint for waypoint in reached if isinstance(waypoint, int)), default=5)
    first = next(iter(tables.target_types()))
    return {"type": first, **pattern, "waypoint": min(HOME - 1, last + 3)}


EDITOR = Editor(
    labels={
        "waypoint": "Waypoint at the start",
        "pilots.name": "Name",
        "pilots.call_sign": "Call sign",
        "pilots.career.purple_hearts": "Purple Hearts",
        "pilots.stores.chaff": "Chaff and flares",
        "pilots.stores.cannon": "Cannon bursts",
        "targets.type": "Type",
    },
    choices=_choices,
    added=_added,
)
