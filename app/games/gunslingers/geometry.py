"""Places on hex centres and hexsides, twelve facings, range and arcs (GS-G), in exact integers.

Belongs here: geometry and nothing else. Does not belong here: what a rule makes of a range or an arc.

Every border of an arc lies along one of the twelve facings, so a cross product with a facing's step says on which
side of it a place lies. Where a distance counts, squares are compared: with the dot and cross products below a
step of length 1 (even facings) or √3/2 (odd ones) measures d² = dot² / 16n and lateral² = 3 cross² / 16n, n = 4 or 3.
"""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from app.engine.errors import Illegal
from app.engine.hexes import Board

COMPASS = ("N", "NNE", "ENE", "E", "ESE", "SSE", "S", "SSW", "WSW", "W", "WNW", "NNW")
"""Names of the facings (GS-G-4); facing n looks along compass bearing 30 n."""

STEPS = (
    (0, -2),
    (1, -2),
    (2, -2),
    (2, -1),
    (2, 0),
    (1, 1),
    (0, 2),
    (-1, 2),
    (-2, 2),
    (-2, 1),
    (-2, 0),
    (-1, -1),
)
"""What one HFP along each facing adds to a place (GS-G-5)."""

_LABEL = re.compile(r"(-?\d\d)(-?\d\d)(?:/(-?\d\d)(-?\d\d))?", re.ASCII)
_ALL = frozenset(range(12))
_PARALLEL = {(0, 1): frozenset({3, 9}), (1, 1): frozenset({5, 11}), (1, 0): frozenset({1, 7})}


class Pos(Struct, frozen=True, order=True, array_like=True):
    """A place: doubled axial coordinates (GS-G-2). Both even: a hex centre; else a hexside's midpoint."""

    q: int
    r: int

    @property
    def centre(self) -> bool:
        """Whether it is the centre of a hex."""
        return not (self.q & 1 or self.r & 1)

    @property
    def label(self) -> str:
        """As on the map: "1115", or a hexside by its two hexes, "1115/1215" (GS-G-3)."""
        return _label(self.q, self.r)


@lru_cache(8192)
def _label(q: int, r: int) -> str:
    return "/".join(sorted(_hex_label(*each) for each in _hexes(Pos(q, r))))


def _hexes(pos: Pos) -> tuple[tuple[int, int], ...]:
    """The hex, or the two hexes, that a place belongs to, as doubled coordinates of their centres."""
    q, r = pos.q, pos.r
    match q & 1, r & 1:
        case 0, 0:
            return ((q, r),)
        case 0, _:
            return ((q, r - 1), (q, r + 1))
        case _, 0:
            return ((q - 1, r), (q + 1, r))
        case _:
            return ((q - 1, r + 1), (q + 1, r - 1))


def _hex_label(q: int, r: int) -> str:
    column = q // 2
    return _two_digits(column) + _two_digits(r // 2 + column // 2)


def _two_digits(number: int) -> str:
    return f"{number:02}" if number >= 0 else f"{number:03}"


def parse(label: str) -> Pos:
    """The place of a label such as "1115" or "1115/1215" (GS-G-3).

    Raises Illegal when it is neither, or when the two hexes have no side in common.
    """
    match = _LABEL.fullmatch(label.strip())
    if match is None:
        raise Illegal(
            f"A place is a hex by column and row, such as 1115, or a hexside, such as 1115/1215; not {label!r}."
        )
    one = _centre_of(int(match[1]), int(match[2]))
    if match[3] is None:
        return one
    two = _centre_of(int(match[3]), int(match[4]))
    if (two.q - one.q, two.r - one.r) not in STEPS[::2]:
        raise Illegal(f"{label} is no hexside: its two hexes are not neighbours.")
    return Pos((one.q + two.q) // 2, (one.r + two.r) // 2)


def _centre_of(column: int, row: int) -> Pos:
    return Pos(2 * column, 2 * (row - column // 2))


def on_board(board: Board, pos: Pos) -> bool:
    """Whether a place is on the map: of a hexside, one of its two hexes."""
    return any(
        1 <= q // 2 <= board.columns and 1 <= r // 2 + q // 2 // 2 <= board.rows
        for q, r in _hexes(pos)
    )


def legal_facings(pos: Pos) -> frozenset[int]:
    """The facings that something may have there: on a hexside only the two along it (GS-G-6)."""
    return _ALL if pos.centre else _PARALLEL[pos.q & 1, pos.r & 1]


def ahead(pos: Pos, facing: int) -> Pos:
    """The place one HFP off the nose (GS-G-5)."""
    step = STEPS[facing]
    return Pos(pos.q + step[0], pos.r + step[1])


def turned(pos: Pos, facing: int, side: Literal["L", "R"]) -> tuple[Pos, int]:
    """Place and facing after 30 degrees to a side; from a hexside to the hex on that side (GS-G-7)."""
    way = 1 if side == "R" else -1
    if not pos.centre:
        pos = _half_step(pos, facing + 3 * way)
    return pos, (facing + way) % 12


def slid(pos: Pos, facing: int, side: Literal["L", "R"]) -> Pos:
    """The place after an HFP that slides to a side, with the facing kept (GS-G-8)."""
    way = 1 if side == "R" else -1
    if facing % 2 == 0:
        return ahead(pos, (facing + 2 * way) % 12)
    return _half_step(ahead(pos, facing), facing + 3 * way)


def _half_step(pos: Pos, facing: int) -> Pos:
    """Half a step along an even facing."""
    step = STEPS[facing % 12]
    return Pos(pos.q + step[0] // 2, pos.r + step[1] // 2)


def horizontal(a: Pos, b: Pos) -> int:
    """Horizontal range in hexes, the last part-hex not counted (GS-G-9)."""
    q, r = b.q - a.q, b.r - a.r
    return max(abs(q), abs(r), abs(q + r)) // 2


def slant(a: Pos, level_a: int, b: Pos, level_b: int) -> int:
    """Range for guns, missiles, radar and AAA: two levels are one hex (GS-G-10)."""
    return horizontal(a, b) + abs(level_b - level_a) // 2


def sighting_range(a: Pos, level_a: int, b: Pos, level_b: int) -> int:
    """Range for eyes at `a`: two levels down are one hex, or four levels up (GS-G-11)."""
    per_hex = 4 if level_b > level_a else 2
    return horizontal(a, b) + abs(level_b - level_a) // per_hex


def _cross(facing: int, q: int, r: int) -> int:
    """Positive when (q, r) lies clockwise of a facing's line, 0 when on it."""
    step = STEPS[facing % 12]
    return step[0] * r - step[1] * q


def _dot(facing: int, q: int, r: int) -> int:
    """Eight times the scalar product of a facing's step and (q, r), in hex pitches squared."""
    step = STEPS[facing % 12]
    return 2 * step[0] * q + 2 * step[1] * r + step[0] * r + step[1] * q


def _off_nose(about: Pos, facing: int, other: Pos) -> tuple[int, bool]:
    """How many borders, 30 to 150 degrees off the nose, a place lies beyond, and whether it lies on the next."""
    q, r = other.q - about.q, other.r - about.r
    way = 1 if _cross(facing, q, r) >= 0 else -1
    beyond = 0
    for border in (1, 2, 3, 4, 5):
        side = way * _cross(facing + way * border, q, r)
        if side < 0:
            break
        if side == 0:
            return beyond, True
        beyond = border
    return beyond, False


def angle_off(about: Pos, facing: int, other: Pos, *, sensor: bool) -> int:
    """The arc of `about` in which a place lies: 30 (tail) to 180 (nose) (GS-G-13).

    A border counts as the arc nearer the nose for `about`'s own `sensor`, else as the one nearer the tail
    (GS-G-14). Raises ValueError at the same place: see `same_place_angle`.
    """
    if about == other:
        raise ValueError("a place lies in no arc about itself")
    beyond, border = _off_nose(about, facing, other)
    return 180 - 30 * (beyond + (border and not sensor))


def same_place_angle(facing_a: int, facing_b: int) -> int:
    """Angle-off of attacks at the same place: 0 the 0 line, 180 the 180 line, else the arc (GS-G-15)."""
    apart = (facing_a - facing_b) % 12
    return 30 * min(apart, 12 - apart)


def on_border(about: Pos, facing: int, other: Pos) -> bool:
    """Whether a place lies exactly on a border between two arcs of `about`."""
    return about != other and _off_nose(about, facing, other)[1]


def on_nose_line(about: Pos, facing: int, other: Pos) -> bool:
    """Whether a place lies on the 180 line: dead ahead of `about`."""
    q, r = other.q - about.q, other.r - about.r
    return _cross(facing, q, r) == 0 and _dot(facing, q, r) > 0


def on_tail_line(about: Pos, facing: int, other: Pos) -> bool:
    """Whether a place lies on the 0 line: dead astern of `about`."""
    return on_nose_line(about, (facing + 6) % 12, other)


def in_forward(about: Pos, facing: int, other: Pos, arc: int, *, sensor: bool) -> bool:
    """Whether a place lies in `arc` or nearer the nose: "150+" is arc 150 (GS-G-13, GS-G-14).

    The same place is covered by every sensor, and lies in no arc as a position.
    """
    if about == other:
        return sensor
    return angle_off(about, facing, other, sensor=sensor) >= arc


def in_rear(about: Pos, facing: int, other: Pos, arc: int) -> bool:
    """Whether a place lies in `arc` or nearer the tail: "60-" is arc 60 (GS-G-13).

    Its border counts in either way: a sensor's as covered, a position's as nearer the tail (GS-G-14).
    The same place does not lie in it.
    """
    return about != other and angle_off(about, facing, other, sensor=False) <= arc


def in_coverage(
    about: Pos,
    facing: int,
    other: Pos,
    words: str,
    *,
    sensor: bool,
    level: int = 0,
    other_level: int = 0,
) -> bool:
    """Whether a place lies in what a card calls "150+", "60-", "30- L" (lower ones only), "limited" or "".

    Raises ValueError when the words are none of these.
    """
    if not words:
        return False
    if words == "limited":
        return limited(about, facing, other)
    arc, _, only = words.partition(" ")
    if only and (only != "L" or other_level >= level):
        if only != "L":
            raise ValueError(f"not an arc: {words!r}")
        return False
    if arc.endswith("+"):
        return in_forward(about, facing, other, int(arc[:-1]), sensor=sensor)
    if arc.endswith("-"):
        return in_rear(about, facing, other, int(arc[:-1]))
    raise ValueError(f"not an arc: {words!r}")


def _length(facing: int) -> int:
    """Four times the square of a facing's step, in hex pitches."""
    return 3 if facing % 2 else 4


def _forward_within(facing: int, q: int, r: int, numerator: int, denominator: int) -> bool:
    """Whether (q, r) lies at most so many pitches forward; it must lie forward."""
    return (_dot(facing, q, r) * denominator) ** 2 <= 16 * _length(facing) * numerator**2


def _aside_within(facing: int, q: int, r: int, numerator: int, denominator: int) -> bool:
    """Whether (q, r) lies at most so many pitches to the side of a facing's line."""
    return 3 * (_cross(facing, q, r) * denominator) ** 2 <= 16 * _length(facing) * numerator**2


_LIMITED = (((27, 25), (0, 1)), ((22, 5), (3, 5)), ((44, 5), (11, 10)))
"""Up to 1.08 pitches forward 0 aside, up to 4.4 0.6, up to 8.8 1.1 (GS-G-16), as fractions."""


def limited(about: Pos, facing: int, other: Pos) -> bool:
    """Whether a place lies in the limited arc, a beam that widens by distance (GS-G-16)."""
    if about == other or not in_forward(about, facing, other, 180, sensor=True):
        return False
    q, r = other.q - about.q, other.r - about.r
    for forward, aside in _LIMITED:
        if _forward_within(facing, q, r, *forward):
            return _aside_within(facing, q, r, *aside)
    return _aside_within(facing, q, r, 8, 5)


def gun_range(pos: Pos, facing: int, level: int, other: Pos, other_level: int) -> int | None:
    """Total range of a gun's shot, 0 to 2; None outside its field or beyond 2 (GS-G-17)."""
    flat = _flat_gun_range(pos, facing, other)
    if flat is None:
        return None
    total = flat + abs(other_level - level) // 2
    return total if total <= 2 else None


def _flat_gun_range(pos: Pos, facing: int, other: Pos) -> int | None:
    if pos == other:
        return 0
    q, r = other.q - pos.q, other.r - pos.r
    in_field = (
        in_forward(pos, facing, other, 180, sensor=False)
        and _aside_within(facing, q, r, 1, 2)
        and _forward_within(facing, q, r, 11, 5)
    )
    if not in_field:
        return None
    # No place lies exactly 1.4 pitches ahead: 16 n (7/5)² is no square of an integer.
    return 1 if _forward_within(facing, q, r, 7, 5) else 2


def faster_forward(
    about: Pos, facing: int, speed: float, other: Pos, other_facing: int, other_speed: float
) -> tuple[Pos, Pos]:
    """The two places by which a border is settled at `border` = faster-forward (GS-G-14).

    On a border the faster of the two is one HFP further on; at equal speeds, and off borders, neither.
    """
    if not on_border(about, facing, other) or speed == other_speed:
        return about, other
    if speed > other_speed:
        return ahead(about, facing), other
    return about, ahead(other, other_facing)


def in_sun_clutter(
    unit: Pos, level: int, target: Pos, target_level: int, sun: int, ratio: float
) -> bool:
    """Whether `unit` looks at `target` into the sun (GS-G-19).

    Args:
        unit: where the one who looks stands, `level` his altitude.
        target: whom he looks at, and `target_level`.
        sun: the facing in which the sun stands.
        ratio: levels per hex that the line of sight must rise at least.
    """
    if unit == target:
        return False
    high_enough = target_level - level >= ratio * horizontal(unit, target)
    return target_level > level and high_enough and in_forward(unit, sun, target, 180, sensor=True)


def heading(a: Pos, b: Pos) -> int:
    """The facing nearest to the bearing of b from a. No bearing lies halfway. Raises ValueError if a is b."""
    if a == b:
        raise ValueError("a place has no bearing from itself")
    q, r = b.q - a.q, b.r - a.r
    for facing in range(12):
        before, after = _cross(facing, q, r), -_cross(facing + 1, q, r)
        if before >= 0 and after > 0:
            # Distances from the two lines, each over the length of the step that it was measured with.
            nearer = _length(facing + 1) * before**2 < _length(facing) * after**2
            return facing if nearer else (facing + 1) % 12
    raise AssertionError("twelve sectors cover the plane")
