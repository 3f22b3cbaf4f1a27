"""General types of flight (GS-F-2, GS-F-4 to GS-F-6): what may follow what, and how many VFPs each has.

Belongs here: the table of flight types. Does not belong here: flight points one by one (`flying`).
"""

import dataclasses
import math
from collections.abc import Mapping

from app.engine.sequence import Blocked
from app.games.gunslingers.model import CLIMBS, DIVES, FlightType

CHOICES: tuple[FlightType, ...] = ("LVL", "SC", "ZC", "VC", "SD", "UD", "VD")

NAMES: Mapping[FlightType, str] = {
    "LVL": "Level flight",
    "SC": "Sustained climb",
    "ZC": "Zoom climb",
    "VC": "Vertical climb",
    "SD": "Steep dive",
    "UD": "Unloaded dive",
    "VD": "Vertical dive",
    "ST": "Stalled flight",
    "DP": "Departed flight",
}

MOST_VFPS_CONTROLLING = 2
"""VFPs of a dive while the crew controls damage (GS-FLT-17)."""


def flown_in(kind: FlightType) -> str:
    """A type within a sentence: "level flight", "a steep dive"."""
    name = NAMES[kind].lower()
    if name.endswith("flight"):
        return name
    return f"an {name}" if name.startswith("u") else f"a {name}"


@dataclasses.dataclass(frozen=True, slots=True)
class Shape:
    """How a type's flight points may be spent.

    Args:
        least: VFPs that it must have, `most` that it may have.
        levels: how many levels a VFP may climb or dive.
        first: how many of its first flight points must be HFPs.
        level_first: whether all its HFPs come before its VFPs.
        unloads: whether it flies unloaded HFPs, one at least.
    """

    least: int = 0
    most: int = 0
    levels: tuple[int, ...] = ()
    first: int = 0
    level_first: bool = False
    unloads: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a type of flight is chosen by.

    Args:
        previous: last turn's type of flight; "ST" or "DP" when it is just under control again.
        fps: flight points of the move.
        speed: start speed; `least_speed` is the least in this band and with this load.
        climb: climb capability, halved where GS-F-22 halves it.
        high_pitch: the card's property.
        high: whether it is at its ceiling or above.
        reversing: whether it is reversing vertically (GS-STL-3).
        damage_control: whether its crew controls damage.
    """

    previous: FlightType
    fps: int
    speed: float
    least_speed: float
    climb: float
    high_pitch: bool = False
    high: bool = False
    reversing: bool = False
    damage_control: bool = False


def third(points: float) -> int:
    """A third, to the nearest whole number (GS-F-2)."""
    return int((2 * points + 3) // 6)


def needs_half_roll(kind: FlightType, start: Start) -> bool:
    """Whether the type can only be entered by a half-roll (GS-F-4, GS-F-6)."""
    if start.reversing:
        return False
    if kind == "VD":
        return start.previous in CLIMBS or start.previous == "LVL"
    return kind == "SD" and start.previous == "VC" and not start.high_pitch


def shape(kind: FlightType, start: Start) -> Shape | Blocked:
    """How the flight points of a type would be spent from here, or why it can't be flown."""
    blocked = _may_follow(kind, start)
    if blocked is not None:
        return blocked
    made = _shape(kind, start)
    if start.damage_control and kind in DIVES:
        made = dataclasses.replace(made, most=min(made.most, MOST_VFPS_CONTROLLING))
        if made.least > made.most:
            return Blocked(
                "it dives by more than 2 VFPs, and the crew controls damage", "GS-FLT-17"
            )
    if made.least + made.unloads > start.fps - made.first or made.least > made.most:
        return Blocked(f"{start.fps} flight points are too few for it", "GS-F-4")
    if made.level_first and start.previous == "LVL" and start.fps == made.least:
        return Blocked(f"{start.fps} flight points are too few: the first must be level", "GS-F-4")
    return made


def _may_follow(kind: FlightType, start: Start) -> Blocked | None:
    """GS-F-4, second column; GS-STL-1a, GS-STL-3; GS-F-30; GS-FLT-17."""
    if start.reversing and kind != "VD":
        return Blocked("it reverses vertically: this turn is a vertical dive", "GS-STL-3")
    if start.reversing:
        return None
    if start.previous == "DP" and not (kind in DIVES or (kind == "LVL" and start.high_pitch)):
        return Blocked("it has just recovered and must dive", "GS-STL-1a")
    if start.previous == "ST" and kind in CLIMBS:
        return Blocked("after a stall it flies level or dives", "GS-F-30")
    if start.damage_control and kind in ("ZC", "VC"):
        return Blocked("the crew controls damage: no climb but a sustained one", "GS-FLT-17")
    return _after(kind, start)


def _after(kind: FlightType, start: Start) -> Blocked | None:
    previous, cite = start.previous, "GS-F-4"
    match kind:
        case "LVL":
            most = 3.0 if start.high_pitch else 2.0
            if previous == "VD" and start.speed > most:
                return Blocked(f"after a vertical dive only at speed {most:g} or less", cite)
        case "SC" | "ZC" if previous == "VD":
            return Blocked("not after a vertical dive", cite)
        case "SC":
            if start.high:
                return Blocked("not at its ceiling", "GS-F-25")
            if start.speed < start.least_speed + 1:
                return Blocked(f"it needs speed {start.least_speed + 1:g}", cite)
        case "VC":
            slow = previous == "LVL" and start.high_pitch and start.speed < 4
            if previous not in CLIMBS and not slow:
                return Blocked("only after a climb", cite)
        case "UD":
            if previous == "VC":
                return Blocked("not after a vertical climb", cite)
        case "VD":
            if previous == "VC" or (previous in ("SC", "ZC") and start.speed > 4):
                return Blocked("after a climb only by a half-roll, at speed 4 or less", cite)
        case _:
            pass
    return None


def _shape(kind: FlightType, start: Start) -> Shape:
    """GS-F-4, third to last columns."""
    fps, previous = start.fps, start.previous
    steep = fps - third(fps)
    match kind:
        case "SC" | "ZC":
            levels = (1, 2) if start.climb > 2 else (1,)
            return Shape(1, steep, levels, _level_first(start, previous in DIVES))
        case "VC":
            return Shape(
                steep, fps if previous == "VC" else steep, (1, 2), _level_first(start, False)
            )
        case "SD":
            least = (third(fps) if start.high_pitch else fps // 2) if previous == "VD" else 0
            return Shape(max(1, least), steep, (1, 2), _level_first(start, previous in CLIMBS))
        case "UD":
            after_climb = math.floor(start.speed / 2) if previous in CLIMBS else 0
            return Shape(first=after_climb, unloads=True)
        case "VD":
            most = fps if previous == "VD" else steep
            return Shape(steep, most, (2, 3), level_first=needs_half_roll("VD", start))
        case _:
            return Shape()


def _level_first(start: Start, reverses: bool) -> int:
    """How many FPs are HFPs first: one after level flight, more between a dive and a climb."""
    if start.previous == "LVL":
        return 1
    if not reverses:
        return 0
    if start.high_pitch and start.previous in DIVES:
        return third(start.fps)
    return math.floor(start.speed / 2)
