"""Slides and rolls (GS-F-16, GS-F-17): what prepares them, what bars them, where they lead, what they cost.

Belongs here: manoeuvres. Does not belong here: plain flight points and turns (`flying`).
"""

from collections.abc import Mapping
from typing import Literal

from app.engine.sequence import Blocked
from app.games.gunslingers.flight.flight_types import third
from app.games.gunslingers.geometry import Pos, slid, turned
from app.games.gunslingers.model import Band, Card, Damage, FlightType, Move, Side

Roll = Literal["DR", "LR", "VR"]

ROLL_NAMES: Mapping[str, str] = {
    "DR": "displacement roll",
    "LR": "lag roll",
    "VR": "vertical roll",
}

SLIDE_PREPS = 2
SECOND_SLIDE_SPEED = 9.0
BETWEEN_SLIDES = 4
SECOND_SLIDE_DRAG = 1.0
NEXT_ROLL_DRAG = 1.0

_MORE_PREPS: Mapping[Band, int] = {"HI": 1, "VH": 2, "EH": 3, "UH": 3}


def roll_preps(speed: float, band: Band) -> int:
    """Flight points that prepare a displacement or lag roll (GS-F-17)."""
    return max(1, third(speed)) + _MORE_PREPS.get(band, 0)


def slide_blocked(move: Move, kind: FlightType, speed: float) -> Blocked | None:
    """What keeps an aircraft from sliding now (GS-F-16)."""
    if kind in ("VC", "VD"):
        return Blocked("no slides in vertical flight", "GS-F-5")
    if move.slides and (move.slides > 1 or speed <= SECOND_SLIDE_SPEED):
        most = "two slides" if move.slides > 1 else "one slide"
        return Blocked(f"{most} a turn at this speed", "GS-F-16")
    if move.slides and move.spent - move.slid_at < BETWEEN_SLIDES:
        return Blocked(f"{BETWEEN_SLIDES} flight points must lie between slides", "GS-F-16")
    return _unprepared(move, "HFPs straight ahead", move.straight, SLIDE_PREPS, "GS-F-16")


def slide_drag(move: Move) -> float:
    """Decel points of the next slide."""
    return SECOND_SLIDE_DRAG if move.slides else 0.0


def roll_blocked(
    roll: Roll,
    move: Move,
    *,
    card: Card,
    kind: FlightType,
    speed: float,
    band: Band,
    damage: Damage,
    damage_control: bool,
    half_roll: bool,
) -> Blocked | None:
    """What keeps an aircraft from a roll now (GS-F-5, GS-F-6, GS-F-17, GS-C-12, GS-FLT-17)."""
    if roll not in card.roll_dp:
        return Blocked(f"{card.name} does not roll", "GS-F-17")
    if kind == "SC":
        return Blocked("only slides in a sustained climb", "GS-F-5")
    if damage in ("H", "C"):
        return Blocked("not with its damage", "GS-C-12")
    if damage_control:
        return Blocked("only slides while the crew controls damage", "GS-FLT-17")
    if roll != "VR":
        if kind in ("VC", "VD"):
            return Blocked("only vertical rolls in vertical flight", "GS-F-5")
        if half_roll:
            return Blocked("no other roll in a half-roll and dive", "GS-F-6")
        what = "flight points without a turn"
        return _unprepared(move, what, move.steady, roll_preps(speed, band), "GS-F-17")
    if kind not in ("VC", "VD"):
        return Blocked("only in vertical flight", "GS-F-17")
    if move.last not in ("C", "D"):
        return Blocked("right after a VFP", "GS-F-17")
    if half_roll and move.spent < move.fps:
        return Blocked("only one, after the last VFP of a half-roll and dive", "GS-F-6")
    return None


def roll_drag(roll: Roll, card: Card, rolls: int) -> float:
    """Decel points of a roll after so many others in this move (GS-F-17)."""
    return card.roll_dp[roll] + (NEXT_ROLL_DRAG if rolls else 0.0)


def _unprepared(move: Move, what: str, flown: int, needed: int, cite: str) -> Blocked | None:
    """What is missing of the flight points that prepare a manoeuvre."""
    if move.turn is not None:
        return Blocked("stop the turn first", cite)
    if flown < needed:
        return Blocked(f"{flown} of {needed} {what} flown for it", cite)
    return None


def lag_rolled(pos: Pos, facing: int, side: Side) -> tuple[Pos, int]:
    """Place and facing after a lag roll: shifted to one side, turned 30 degrees to the other (GS-F-17)."""
    return turned(slid(pos, facing, side), facing, "L" if side == "R" else "R")


def vertically_rolled(pos: Pos, facing: int, side: Side, degrees: int) -> tuple[Pos, int]:
    """Place and facing after a vertical roll; from a hexside it shifts as a turn would (GS-F-17, GS-G-7)."""
    for _ in range(degrees // 30):
        pos, facing = turned(pos, facing, side)
    return pos, facing
