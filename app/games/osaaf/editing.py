"""What the set-up page needs to know besides the set-up's type: words, choices, the next jet.

Belongs here: help for people who make set-ups. Does not belong here: what can be played (`setup`). The data
that comes in is still being typed and may be wrong anywhere; nothing here may fail for that.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from app.engine.editing import Choices, Data, Editor, Placed, free_number, members, size
from app.engine.hexes import COMPASS
from app.games.osaaf.model import Aircraft
from app.games.osaaf.setup import printed_aircraft

FIRST_COLUMN, APART = 12, 2
"""Where a side's first jet stands when there is none to go by, and how far apart the next ones are."""

_FRESH: Mapping[str, Any] = {"facing": 3, "altitude": 5, "speed": 4, "skill": "regular"}


def choices(data: Data) -> Choices:
    """Aircraft with their main values, sides by their labels, facings and edges in words."""
    cards = {**printed_aircraft(), **_own_cards(data)}
    return {
        "jets.aircraft": [(card.id, _card(card)) for card in cards.values()],
        "jets.seat": [(seat, label) for seat, label in _sides(data)],
        "jets.facing": [(str(n), name) for n, name in enumerate(COMPASS)],
        "sun": [
            ("roll", "a die decides"),
            ("N", "north"),
            ("E", "east"),
            ("S", "south"),
            ("W", "west"),
        ],
    }


def added(data: Data, path: str, like: int | None) -> Data:
    """The next jet: as the one to copy, else as the last one of the side that has fewer."""
    del path  # jets are the only list that grows
    jets = list(members(data, "jets"))
    sides = _sides(data) or [("blue", "Blue")]
    if like is not None and like < len(jets):
        pattern = jets[like]
        seat = str(pattern.get("seat"))
    else:
        seat = min(sides, key=lambda side: sum(jet.get("seat") == side[0] for jet in jets))[0]
        own = [jet for jet in jets if jet.get("seat") == seat]
        pattern = own[-1] if own else _first(data, seat, [side for side, _ in sides])
    number = free_number(jets, seat, "seat")
    label = dict(sides).get(seat, seat)
    return {
        **pattern,
        "id": f"{seat[:18]}-{number}",
        "seat": seat,
        "name": f"{label[:36]} {number}",
        "hex": _next_hex(data, jets, pattern),
    }


def _first(data: Data, seat: str, sides: Sequence[str]) -> Data:
    """A side's first jet: at its own edge of the board, facing the other one."""
    rows = size(data, "rows", 22)
    north = not sides or seat == sides[0]
    row = min(3, rows) if north else max(1, rows - 4)
    place = f"{FIRST_COLUMN - APART:02}{row:02}"  # the next one of the row is the first
    facing = 3 if north else 0
    return {"aircraft": next(iter(printed_aircraft())), **_FRESH, "facing": facing, "hex": place}


def _next_hex(data: Data, jets: Sequence[Data], pattern: Data) -> str:
    """The next free hex of the pattern's row, some columns on; from the edge it goes on at the other."""
    found = re.fullmatch(r"(\d\d)(\d\d)", str(pattern.get("hex", "")), re.ASCII)
    columns = size(data, "columns", 30)
    column, row = (int(found[1]), found[2]) if found else (FIRST_COLUMN - APART, "01")
    taken = {str(jet.get("hex")) for jet in jets}
    for step in range(1, columns + 1):
        label = f"{(column - 1 + APART * step) % columns + 1:02}{row}"
        if label not in taken:
            return label
    return f"{min(column, columns):02}{row}"


def _sides(data: Data) -> list[tuple[str, str]]:
    return [(str(s.get("id", "")), str(s.get("label", ""))) for s in members(data, "seats")]


def _own_cards(data: Data) -> dict[str, Aircraft]:
    """The set-up's own aircraft, as far as they can be read."""
    try:
        cards = msgspec.convert(list(members(data, "aircraft")), tuple[Aircraft, ...])
    except msgspec.ValidationError:
        return {}
    return {card.id: card for card in cards}


def _card(card: Aircraft) -> str:
    burner = ", afterburner" if card.afterburner else ""
    values = f"speed {card.max_speed}, ceiling {card.ceiling}, energy {card.energy_factor}"
    return f"{card.name}: {values}, turns {card.maneuverability}{burner}"


EDITOR = Editor(
    labels={
        "board.columns": "Columns",
        "board.rows": "Rows",
        "night": "Night",
        "sun": "Sun stands over",
        "turns": "Turns",
        "seats": "Sides",
        "seats.label": "Name",
        "jets": "Jets",
        "jets[]": "jet",
        "jets.seat": "Side",
        "jets.altitude": "Altitude",
        "jets.speed": "Speed",
        "jets.skill": "Pilot",
        "jets.fuel": "Fuel left",
        "jets.hits": "Hits taken",
        "jets.gun": "Bursts left",
        "jets.heat_seeker": "Heat seekers left",
        "jets.radar_missile": "Radar missiles left",
        "aircraft": "Own aircraft",
    },
    hints={
        "jets.hex": "column and row, such as 1203",
        "jets.fuel": "as on the card if left empty",
        "jets.gun": "as on the card if left empty",
        "jets.heat_seeker": "as on the card if left empty",
        "jets.radar_missile": "as on the card if left empty",
    },
    choices=choices,
    added=added,
    placed={"jets": Placed()},
    hidden=frozenset({"aircraft", "jets.id", "seats.id"}),
    rare=frozenset(
        f"jets.{name}" for name in ("fuel", "hits", "gun", "heat_seeker", "radar_missile")
    ),
)
