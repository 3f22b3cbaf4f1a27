"""Where a missile flies (GS-C-22), in exact integers.

Belongs here: geometry of pursuit. Does not belong here: guidance, attacks.
"""

from msgspec import Struct

from app.games.gunslingers.geometry import Pos, heading, legal_facings, slant

LEAST_SPEED = 4
"""Below this no missile slows down."""

REACH = 3
"""How far from the point the nearest legal place is looked for; a hex centre is never farther than 2 in q or r."""


class Leg(Struct, frozen=True):
    """A missile's move: where it ends, and the speed of its next."""

    pos: Pos
    altitude: int
    facing: int
    speed: int


def leg(
    pos: Pos, altitude: int, speed: int, target: Pos, target_altitude: int, facing: int
) -> Leg | None:
    """The move towards a target that is out of reach; None when it is within reach, to be attacked now.

    It goes `speed` hexes along the straight line, to the legal place nearest that point and then nearest the
    target; its level is on the line too, its heading that of the line.
    """
    away = slant(pos, altitude, target, target_altitude)
    if away <= speed:
        return None
    # Straight up or down there is no bearing: it keeps its own heading.
    facing = heading(pos, target) if pos != target else facing
    rise = target_altitude - altitude
    return Leg(
        nearest(pos, target, speed, away, facing),
        altitude + (2 * rise * speed + away) // (2 * away),
        facing,
        slowed(speed),
    )


def nearest(start: Pos, end: Pos, part: int, whole: int, facing: int) -> Pos:
    """The place nearest the point `part`/`whole` of the way, of those where `facing` is legal (GS-G-6).

    Of two as near, the one nearer the end; of two of those, the one with the lower q, then r.
    """
    # The point, times `whole`, so that everything stays an integer.
    q = whole * start.q + part * (end.q - start.q)
    r = whole * start.r + part * (end.r - start.r)
    around = [
        Pos(q // whole + dq, r // whole + dr)
        for dq in range(-REACH, REACH + 1)
        for dr in range(-REACH, REACH + 1)
    ]
    legal = [pos for pos in around if facing in legal_facings(pos)]

    def order(pos: Pos) -> tuple[int, int, Pos]:
        off = _square(whole * pos.q - q, whole * pos.r - r)
        return off, _square(pos.q - end.q, pos.r - end.r), pos

    return min(legal, key=order)


def _square(q: int, r: int) -> int:
    """Four times the square of a distance in hex pitches, of doubled coordinates."""
    return q * q + q * r + r * r


def slowed(speed: int) -> int:
    """The speed of the next move: a quarter less, the loss rounded up, but not below the least."""
    return max(LEAST_SPEED, speed - -(-speed // 4))
