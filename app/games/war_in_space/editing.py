"""What the set-up page needs to know besides the set-up's type: words, choices, the next ship.

Belongs here: help for people who make set-ups. Does not belong here: what can be played (`setup`). The data
that comes in is still being typed and may be wrong anywhere; nothing here may fail for that.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.editing import Choices, Data, Editor, Placed, members, size
from app.engine.hexes import COMPASS
from app.games.war_in_space.model import EXPERIENCE, SYSTEMS, ShipClass
from app.games.war_in_space.setup import ship_classes
from app.games.war_in_space.words import CREWS, counted
from app.games.war_in_space.words import SYSTEMS as NAMES

APART = 3
"""So many columns from a ship to the next one of its side."""
FIRST = {"hex": "1504", "facing": 3}, {"hex": "1516", "facing": 0}
"""Where a side's first ship stands when there is none to go by: as in the scenarios."""
_FRESH: Mapping[str, Any] = {"kind": "cruiser", "speed": 2, "crew": "regular"}


def choices(data: Data) -> Choices:
    """Classes with their main values, sides by their labels and points, crews and facings in words."""
    return {
        "ships.kind": [(kind.id, _class(kind)) for kind in ship_classes().values()],
        "ships.seat": [
            (seat, f"{label}, {points(data, seat)} points") for seat, label in _sides(data)
        ],
        "ships.facing": [(str(n), name) for n, name in enumerate(COMPASS)],
        "ships.crew": [(crew, CREWS[crew]) for crew in EXPERIENCE],
    }


def points(data: Data, seat: str) -> int:
    """What the ships of a side are worth together, as far as their classes can be read."""
    kinds = ship_classes()
    classes = [str(ship.get("kind")) for ship in members(data, "ships") if ship.get("seat") == seat]
    return sum(kinds[kind].points for kind in classes if kind in kinds)


def _class(kind: ShipClass) -> str:
    return (
        f"{kind.title}: {counted(kind.points, 'point')}, turns on d{kind.turn_die}, "
        f"energy 3d{kind.energy_die}, Hull {kind.hull}, {kind.pattern.title}"
    )


def added(data: Data, path: str, like: int | None) -> Data:
    """The next ship: as the one to copy, else as the last one of the side that has fewer points."""
    del path  # ships are the only list that grows
    ships = list(members(data, "ships"))
    sides = _sides(data) or [("a", "Side A")]
    if like is not None and like < len(ships):
        pattern = ships[like]
        seat = str(pattern.get("seat"))
    else:
        seat = min(sides, key=lambda side: points(data, side[0]))[0]
        own = [ship for ship in ships if ship.get("seat") == seat]
        place = FIRST[0 if seat == sides[0][0] else 1]
        pattern = own[-1] if own else {**_FRESH, **place}
    number = _free_number(ships, seat)
    label = dict(sides).get(seat, seat)
    return {
        **pattern,
        "id": f"{seat[:18]}-{number}",
        "seat": seat,
        "name": f"{label[:36]} {number}",
        "hex": _free_hex(data, ships, str(pattern.get("hex", ""))),
    }


def _free_number(ships: Sequence[Data], seat: str) -> int:
    """The first number that leads to an id and a name that no ship has."""
    taken = {str(ship.get("id")) for ship in ships}
    ends = tuple(str(ship.get("name", "")) for ship in ships if ship.get("seat") == seat)
    return next(
        n
        for n in range(1, 2 * len(ships) + 2)
        if f"{seat[:18]}-{n}" not in taken and not any(e.endswith(f" {n}") for e in ends)
    )


def _free_hex(data: Data, ships: Sequence[Data], wished: str) -> str:
    """The wished hex, or the next free one of its row so many columns on; from the edge on at the other."""
    found = re.fullmatch(r"(\d\d)(\d\d)", wished, re.ASCII)
    columns = size(data, "columns", 30)
    column, row = (int(found[1]), found[2]) if found else (columns // 2, "04")
    taken = {str(ship.get("hex")) for ship in ships}
    row_of_it = (f"{(column - 1 + APART * n) % columns + 1:02}{row}" for n in range(columns))
    return next(
        (label for label in row_of_it if label not in taken), f"{min(column, columns):02}{row}"
    )


def _sides(data: Data) -> list[tuple[str, str]]:
    return [(str(s.get("id", "")), str(s.get("label", ""))) for s in members(data, "seats")]


EDITOR = Editor(
    labels={
        "board.columns": "Columns",
        "board.rows": "Rows",
        "turns": "Turns",
        "seats": "Sides",
        "seats.label": "Name",
        "ships": "Ships",
        "ships[]": "ship",
        "ships.seat": "Side",
        "ships.kind": "Class",
        "ships.crew": "Crew",
        "ships.speed": "Speed",
        "ships.marked": "Boxes marked",
        **{f"ships.marked.{system}": f"{NAMES[system]} boxes marked" for system in SYSTEMS},
    },
    hints={
        "ships.hex": "column and row, such as 1504",
        "ships.kind": "a side's points stand beside its name",
    },
    choices=choices,
    added=added,
    placed={"ships": Placed()},
    hidden=frozenset({"ships.id", "seats.id"}),
    rare=frozenset(f"ships.marked.{system}" for system in SYSTEMS),
)
