"""Moves that the players work out themselves (the switch `flight`: adjudicated, GS-0-7).

Belongs here: what a side enters, and that the other confirms it. Does not belong here: rules of flight.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from app.engine.errors import Illegal
from app.engine.sequence import Decision, Option
from app.games.gunslingers import geometry
from app.games.gunslingers.flight.energy import POWER_NAMES
from app.games.gunslingers.flight.facts import MoveConfirmed, MoveEntered
from app.games.gunslingers.flight.flight_types import NAMES
from app.games.gunslingers.flight.turning import RATE_NAMES
from app.games.gunslingers.geometry import COMPASS
from app.games.gunslingers.model import (
    Activation,
    Aircraft,
    Ended,
    FlightType,
    Power,
    Rate,
    State,
)


def _titled(names: Iterable[tuple[Any, str]]) -> list[dict[str, Any]]:
    """Values and what they are called, as a schema lists them."""
    return [{"const": value, "title": name} for value, name in names]


SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["place", "facing", "altitude", "speed"],
    "additionalProperties": False,
    "properties": {
        "place": {"type": "string", "format": "hex", "title": "Place, such as 1115 or 1115/1215"},
        "facing": {"oneOf": _titled(enumerate(COMPASS))},
        "altitude": {"type": "integer", "minimum": 0, "maximum": 99},
        "speed": {
            "type": "number",
            "minimum": 0,
            "maximum": 30,
            "multipleOf": 0.5,
            "title": "Speed next turn",
        },
        "flight_type": {"oneOf": _titled((kind, name.lower()) for kind, name in NAMES.items())},
        "power": {"oneOf": _titled(POWER_NAMES.items())},
        "turn": {"oneOf": _titled(RATE_NAMES.items()), "title": "Tightest turn"},
        "damage_control": {"type": "boolean"},
    },
}


class Given(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player enters; `speed` is the next turn's."""

    place: str
    facing: int
    altitude: int
    speed: float
    flight_type: FlightType = "LVL"
    power: Power | None = None
    turn: Rate | None = None
    damage_control: bool = False


def todo(state: State, activation: Activation, one: Aircraft) -> Decision:
    """Where the move ends, then whether the other side agrees."""
    if activation.entered is None:
        return Decision(
            id=f"enter:{one.id}",
            seat=one.side,
            title=f"{one.name}: where does its move end?",
            options=lambda: (_stays(one),),
            happen=partial(MoveEntered, one.id, one.side),
            cite="GS-0-2",
            unit=one.id,
            why="this table works out flight itself",
            schema=SCHEMA,
            read=partial(read, one),
        )
    ended, other = activation.entered, state.other(one.side)
    options = (
        Option(True, "Agree", in_words(ended), place=ended.pos.label),
        Option(False, "Say no", "it is entered again"),
    )
    return Decision(
        id=f"agree:{one.id}",
        seat=other,
        title=f"{one.name} ends at {ended.pos.label}?",
        options=lambda: options,
        happen=partial(MoveConfirmed, one.id, other),
        cite="GS-0-2",
        unit=one.id,
        why="one side enters a move, the other confirms it",
    )


def read(one: Aircraft, choice: Any) -> Ended:
    """The end of an aircraft's move as it was entered. Raises Illegal, naming the field."""
    try:
        given = msgspec.convert(choice, Given)
    except msgspec.ValidationError as wrong:
        raise Illegal(f"Give place, facing, altitude and speed: {wrong}.", "GS-0-2") from None
    pos = geometry.parse(given.place)
    legal = sorted(geometry.legal_facings(pos))
    if given.facing not in legal:
        listed = ", ".join(str(facing) for facing in legal)
        raise Illegal(f"facing can be {listed} at {pos.label}; not {given.facing}.", "GS-G-6")
    if not 0 <= given.altitude <= 99:
        raise Illegal(f"altitude can be 0 to 99; not {given.altitude}.", "GS-F-25")
    if not 0 <= given.speed <= 30 or given.speed * 2 % 1:
        raise Illegal(f"speed can be 0 to 30 in steps of 0.5; not {given.speed:g}.", "GS-F-1")
    if given.damage_control and not one.o.damage:
        raise Illegal(f"damage_control: {one.name} has no damage.", "GS-FLT-17")
    return Ended(
        pos=pos,
        facing=given.facing,
        altitude=given.altitude,
        speed=given.speed,
        flight_type=given.flight_type,
        power=given.power,
        turn=given.turn,
        damage_control=given.damage_control,
    )


def in_words(ended: Ended) -> str:
    """The end of a move for people."""
    kind = NAMES[ended.flight_type].lower()
    facing = COMPASS[ended.facing]
    end = f"{ended.pos.label} facing {facing}, level {ended.altitude}, {kind}"
    power = f", {POWER_NAMES[ended.power]}" if ended.power else ""
    turn = f", {RATE_NAMES[ended.turn]} turns" if ended.turn else ""
    control = ", damage under control" if ended.damage_control else ""
    return f"{end}{power}{turn}{control}, speed {ended.speed:g} next turn"


def _stays(one: Aircraft) -> Option:
    value = {
        "place": one.pos.label,
        "facing": one.facing,
        "altitude": one.altitude,
        "speed": one.speed,
        "flight_type": one.s.flight_type,
    }
    return Option(value, "Where it is", "an example of what can be entered", place=one.pos.label)
