"""What the set-up page needs to know besides the set-up's type: words, choices, the next aircraft.

Belongs here: help for people who make set-ups. Does not belong here: what can be played (`setup`). The data
that comes in is still being typed and may be wrong anywhere; nothing here may fail for that.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from app.engine.editing import Choices, Data, Editor, Placed, free_number, members, size
from app.games.gunslingers.flight.cards import printed_cards
from app.games.gunslingers.geometry import COMPASS
from app.games.gunslingers.model import Card

BEGIN = {"first": (8, 3), "second": (32, 9)}
"""Column and facing of a side's first aircraft when there is none to go by."""
FIRST_ROW, APART = 10, 2

_FRESH: Mapping[str, Any] = {"altitude": 18, "speed": 5.5, "power": "M", "fuel": 150.0}


def choices(data: Data) -> Choices:
    """Cards with their main values, sides by their labels, facings by their names."""
    cards = {**printed_cards(), **_own_cards(data)}
    return {
        "aircraft.card": [(card.id, _card(card)) for card in cards.values()],
        "aircraft.side": _sides(data),
        "aircraft.facing": [(str(n), name) for n, name in enumerate(COMPASS)],
    }


def added(data: Data, path: str, like: int | None) -> Data:
    """The next aircraft: as the one to copy, else as the last one of the side that has fewer."""
    del path  # aircraft are the only list that grows
    placed = list(members(data, "aircraft"))
    sides = _sides(data) or [("blue", "Blue")]
    if like is not None and like < len(placed):
        pattern = placed[like]
        side = str(pattern.get("side"))
    else:
        side = min(sides, key=lambda one: sum(each.get("side") == one[0] for each in placed))[0]
        own = [each for each in placed if each.get("side") == side]
        pattern = own[-1] if own else _first(side, first=side == sides[0][0])
    number = free_number(placed, side, "side")
    label = dict(sides).get(side, side)
    return {
        **{key: value for key, value in pattern.items() if key not in ("contacts", "locks")},
        "id": f"{side[:18]}-{number}",
        "side": side,
        "name": f"{label[:36]} {number}",
        "place": _next_place(data, placed, pattern),
    }


def _first(side: str, *, first: bool) -> Data:
    """A side's first aircraft: at its own edge of the board, facing the other one."""
    column, facing = BEGIN["first" if first else "second"]
    place = f"{column:02}{FIRST_ROW - APART:02}"  # the next one of the column is the first
    card = next(iter(printed_cards()))
    return {"side": side, "card": card, "facing": facing, "place": place, **_FRESH}


def _next_place(data: Data, placed: Sequence[Data], pattern: Data) -> str:
    """The next free hex of the pattern's column, some rows on; from the edge it goes on at the other."""
    found = re.match(r"(\d\d)(\d\d)", str(pattern.get("place", "")), re.ASCII)
    rows = size(data, "rows", 30)
    column, row = (found[1], int(found[2])) if found else ("08", FIRST_ROW - APART)
    taken = {str(each.get("place")) for each in placed}
    for step in range(1, rows + 1):
        label = f"{column}{(row - 1 + APART * step) % rows + 1:02}"
        if label not in taken:
            return label
    return f"{column}{min(row, rows):02}"


def _sides(data: Data) -> list[tuple[str, str]]:
    return [(str(s.get("id", "")), str(s.get("label", ""))) for s in members(data, "sides")]


def _own_cards(data: Data) -> dict[str, Card]:
    """The set-up's own cards, as far as they can be read."""
    try:
        cards = msgspec.convert(list(members(data, "cards")), tuple[Card, ...])
    except msgspec.ValidationError:
        return {}
    return {card.id: card for card in cards}


def _card(card: Card) -> str:
    burner = f"{card.ap_ab:g} in afterburner" if card.ap_ab is not None else "no afterburner"
    missiles = ", ".join(card.missiles) or "no missiles"
    return f"{card.name}: thrust {card.ap_m:g}, {burner}; crew {card.seats}; {missiles}"


_CREW = "as on the card if left empty; else one for each seat, the pilot first"
_CARD = "as on the card if left empty"

EDITOR = Editor(
    labels={
        "board.columns": "Columns",
        "board.rows": "Rows",
        "turns": "Turns",
        "lead": "Points of lead that win",
        "leaving": "Aircraft may leave the fight",
        "sun": "Sun",
        "sides": "Sides",
        "sides.label": "Name",
        "sides.training": "Training",
        "aircraft": "Aircraft",
        "aircraft[]": "aircraft",
        "aircraft.side": "Side",
        "aircraft.card": "Type",
        "aircraft.place": "Place",
        "aircraft.altitude": "Level",
        "aircraft.speed": "Speed",
        "aircraft.power": "Power",
        "aircraft.flight_type": "Flew last turn",
        "aircraft.config": "Load",
        "aircraft.crew": "Crew",
        "aircraft.fuel": "Fuel",
        "aircraft.ammo": "Bursts",
        "aircraft.stores": "Missiles",
        "aircraft.decoys": "Decoys",
        "aircraft.program.chaff": "Program: chaff",
        "aircraft.program.flare": "Program: flares",
        "aircraft.program.mini": "Program: mini-jammers",
        "aircraft.program_on": "Program on",
        "aircraft.iff": "Transponder on",
        "aircraft.sighted": "In the enemy's sight",
        "aircraft.identified": "Identified by the enemy",
        "aircraft.contacts": "Radar contacts",
        "aircraft.locks": "Radar locks",
    },
    hints={
        "aircraft.place": "a hex such as 1115, or a hexside such as 1115/1215",
        "aircraft.speed": "flight points, in halves",
        "aircraft.crew": _CREW,
        "aircraft.ammo": _CARD,
        "aircraft.decoys": _CARD,
        "aircraft.contacts": "ids of enemies",
        "aircraft.locks": "ids of enemies",
        "leaving": "else nobody rolls to get away; the map's edge is the end all the same",
        "sun": "its facing and slope, with the switch of that name",
    },
    choices=choices,
    added=added,
    placed={"aircraft": Placed(hex="place")},
    hidden=frozenset({"cards", "missile_cards", "aircraft.id", "sides.id"}),
    rare=frozenset(
        f"aircraft.{name}"
        for name in (
            "power",
            "flight_type",
            "config",
            "crew",
            "fuel",
            "ammo",
            "stores",
            "decoys",
            "program.chaff",
            "program.flare",
            "program.mini",
            "program_on",
            "iff",
            "paint",
            "sighted",
            "identified",
            "contacts",
            "locks",
        )
    ),
)
