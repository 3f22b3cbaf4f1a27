"""Turns (GS-F-10 to GS-F-14): how many flight points one needs, how fast it must be, what it costs.

Belongs here: the numbers of turns. Does not belong here: the turn under way (`flying`).
"""

from collections.abc import Mapping
from functools import lru_cache

from app.engine.sequence import Blocked
from app.games.gunslingers.flight.flight_types import NAMES
from app.games.gunslingers.model import RATES, Band, Card, Damage, FlightType, Rate

RATE_NAMES: Mapping[Rate, str] = {
    "EZ": "easy",
    "TT": "tactical",
    "HT": "hard",
    "BT": "break",
    "ET": "emergency",
}

EXTRA_SPEED: Mapping[Rate, float] = {"EZ": 0.0, "TT": 0.5, "HT": 1.0, "BT": 1.5, "ET": 2.0}
"""How much faster than its least speed an aircraft must be for a rate (6.1)."""

_THOUSANDTHS: Mapping[Rate, int] = {"EZ": 120, "TT": 70, "HT": 45, "BT": 34, "ET": 25}
_TENTHS: Mapping[Band, int] = {
    "LO": 10,
    "ML": 10,
    "MH": 12,
    "HI": 15,
    "VH": 20,
    "EH": 30,
    "UH": 30,
}
_WHOLE = 4 * 1000 * 10 * 100
"""Speeds are counted in halves (squared: quarters), k in thousandths, bands in tenths, the card's factor in
hundredths: so much makes one flight point."""

_TIGHTEST_BY_DAMAGE: Mapping[Damage, Rate] = {
    "": "ET",
    "L": "BT",
    "2L": "HT",
    "H": "HT",
    "C": "TT",
    "K": "EZ",
}


@lru_cache(maxsize=4096)
def requirement(rate: Rate, speed: float, band: Band, factor: float) -> tuple[int, int]:
    """The flight points that a facing change needs, and how many steps of 30 degrees it may then be (GS-F-10).

    Args:
        rate: of the turn.
        speed: start speed, in steps of 0.5.
        band: altitude band that counts.
        factor: the card's turn factor, in hundredths.
    """
    parts = _THOUSANDTHS[rate] * round(speed * 2) ** 2 * _TENTHS[band] * round(factor * 100)
    if 2 * parts < _WHOLE:
        return 1, 2
    return (2 * parts + _WHOLE) // (2 * _WHOLE), 1


def reversal_cost(card: Card) -> int:
    """Flight points that count for nothing when a turn goes to the other side (GS-F-14)."""
    if card.has("high-roll-rate"):
        return 0
    return 2 if card.has("low-roll-rate") else 1


def facing_drag(card: Card) -> float:
    """Decel points of each 30 degrees after the first (GS-F-21)."""
    if card.has("high-bleed"):
        return 2.0
    return 0.5 if card.has("low-bleed") else 1.0


def rate_drag(card: Card, rate: Rate | None) -> float:
    """Decel points of the tightest rate of a move (GS-F-21)."""
    return card.drag.get(rate, 0.0) if rate else 0.0


def tightest_by_type(kind: FlightType) -> Rate | None:
    """The tightest turn that a type of flight allows; None where there are no turns (GS-F-5)."""
    match kind:
        case "VC" | "VD" | "ST" | "DP":
            return None
        case "SC":
            return "EZ"
        case "ZC":
            return "BT"
        case _:
            return "ET"


def rate_blocked(
    card: Card,
    rate: Rate,
    *,
    kind: FlightType,
    damage: Damage,
    damage_control: bool,
    speed: float,
    least_speed: float,
) -> Blocked | None:
    """What keeps an aircraft from turning at a rate (6.1, GS-F-5, GS-C-12, GS-FLT-17)."""
    most = tightest_by_type(kind)
    if most is None:
        return Blocked(f"no turns in {NAMES[kind].lower()}", "GS-F-5")
    if rate != "EZ" and rate not in card.drag:
        return Blocked(f"{card.name} can't turn so tightly with this load", "GS-F-10")
    if _tighter(rate, most):
        return Blocked(f"at most {RATE_NAMES[most]} turns in {NAMES[kind].lower()}", "GS-F-5")
    hurt = damage_blocked(rate, damage)
    if hurt is not None:
        return hurt
    if damage_control and rate != "EZ":
        return Blocked("only easy turns while the crew controls damage", "GS-FLT-17")
    needed = least_speed + EXTRA_SPEED[rate]
    if speed < needed:
        return Blocked(f"it needs speed {needed:g}", "GS-F-11")
    return None


def damage_blocked(rate: Rate, damage: Damage) -> Blocked | None:
    """Why damage forbids a turn of that rate, also one that is under way (GS-C-12)."""
    if _tighter(rate, _TIGHTEST_BY_DAMAGE[damage]):
        return Blocked("not with its damage", "GS-C-12")
    return None


def _tighter(one: Rate, other: Rate) -> bool:
    return RATES.index(one) > RATES.index(other)
