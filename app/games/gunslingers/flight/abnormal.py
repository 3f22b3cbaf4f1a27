"""Flight out of hand: stalled, departed, blacked out, disoriented (GS-F-30 to GS-F-34, GS-F-15, GS-F-25).

Belongs here: what such an aircraft does, and the numbers of the rolls that lead there. Does not belong here: when
they are rolled (`activation`), recovery (the Stalled Aircraft Phase and GS-ADM-3).
"""

import math
from collections.abc import Sequence

from msgspec import Struct

from app.games.gunslingers import geometry
from app.games.gunslingers.checks import Number, Part
from app.games.gunslingers.crews import pilot
from app.games.gunslingers.flight.tokens import read_token
from app.games.gunslingers.model import Aircraft, Crew, FlightType, Rate, Side

TURNS_OUT = 2
"""A crew that blacked out is back in the second turn after, at the latest (GS-ADM-3)."""

INSTEAD: tuple[FlightType, ...] = ("LVL", "SD", "ZC", "UD", "VD", "SC", "VC")
"""What an aircraft that nobody flies does when it can't fly what was rolled: the first that it can."""

VERTICAL: frozenset[FlightType] = frozenset({"VC", "VD"})


class Fall(Struct, frozen=True):
    """A departed aircraft tumbles: to a side by so many steps of 30 degrees, and down so many levels."""

    side: Side
    steps: int
    pos: geometry.Pos
    facing: int
    levels: int


def fall(aircraft: Aircraft, dice: Sequence[int]) -> Fall:
    """GS-F-31: an odd first die is left, the second one how far. This turn counts among the departed ones."""
    side: Side = _side(dice[0])
    pos, facing = aircraft.pos, aircraft.facing
    for _ in range(dice[1]):
        pos, facing = geometry.turned(pos, facing, side)
    levels = math.ceil(aircraft.speed) + 2 * (aircraft.departed_turns + 1)
    return Fall(side, dice[1], pos, facing, levels)


def _side(die: int) -> Side:
    return "L" if die % 2 else "R"


# Blacked-out and disoriented crews (GS-F-33).

STRAIGHT = (1, 1)
"""Dice by which an aircraft flies on straight and level."""


class Drift(Struct, frozen=True):
    """How an aircraft flies that nobody flies: its type, and what it would rather do with each flight point.

    `wishes` are tokens, the best first; `once`: that one is flown but once. `turn` is the turn that it is in.
    """

    words: str
    flight_type: FlightType
    wishes: tuple[str, ...]
    once: str = ""
    turn: tuple[Rate, Side] | None = None


def drift(dice: tuple[int, int]) -> Drift:
    """GS-F-33: by the first die; an odd second one turns left."""
    side = _side(dice[1])
    way = "left" if side == "L" else "right"
    match dice[0]:
        case 1 | 2 | 3:
            return Drift("straight and level", "LVL", ("H",))
        case 4 | 5:
            turns = (*_turning("EZ", side, "H"), "H")
            return Drift(f"an easy turn to the {way}", "LVL", turns, turn=("EZ", side))
        case 6 | 7:
            return Drift("a shallow dive of one level", "SD", ("D1", "H"), "D1")
        case 8:
            return Drift("as many single levels down as it can", "SD", ("D1", "H"))
        case 9:
            return Drift("a zoom of one level", "ZC", ("C1", "H"), "C1")
        case _:
            turns = (*_turning("HT", side, "D2"), "D2", *_turning("HT", side, "H"), "H")
            return Drift(f"a steep spiral to the {way}", "SD", turns, turn=("HT", side))


def _turning(rate: Rate, side: Side, point: str) -> tuple[str, ...]:
    """Tokens of a turn at a flight point: to face, to declare it, to keep it up."""
    return f"{point}/{side}", f"{rate}{side}/{point}/{side}", f"{rate}{side}/{point}"


# Rolls that lead there. Low is bad: the modified die does it when it is at most the number.


def gloc(aircraft: Aircraft, man: Crew) -> Number:
    """GS-F-15: one of the crew blacks out on 1 or less."""
    checks = aircraft.o.gloc_checks
    return Number(
        1,
        (
            Part("earlier checks since the last gentle turn", -checks, checks > 0),
            Part("fitness", man.fitness, man.fitness != 0, own=True),
            Part("novice", -1, man.quality == "novice", own=True),
            Part("green", -2, man.quality == "green", own=True),
        ),
    )


def disorientation(aircraft: Aircraft) -> Number:
    """GS-F-34: the pilot loses his bearings on 3 or less."""
    confidence = pilot(aircraft).confidence
    return Number(
        3,
        (
            Part("excellent confidence", 1, confidence == "excellent", own=True),
            Part("poor confidence", -1, confidence == "poor", own=True),
        ),
    )


def disorienting(aircraft: Aircraft, flown: Sequence[str]) -> bool:
    """GS-F-34: whether what was flown can disorient its pilot."""
    quality = pilot(aircraft).quality
    if quality == "green":
        return aircraft.o.rolls > 0 or aircraft.s.flight_type in VERTICAL
    return quality == "novice" and any(read_token(token).kind == "VR" for token in flown)


CEILING = Number(4)
"""GS-F-25: above the ceiling a turn or roll departs on 4 or less."""
