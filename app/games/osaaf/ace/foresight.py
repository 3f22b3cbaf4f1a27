"""Where jets can get to in the rest of a turn, for the ace: exact, and quick by tables that are made once.

Everything is seen relative to a jet that stands at (0, 0) and faces north, so that a table serves every
place of the board. Belongs here: geometry, own moves hex by hex, and where an enemy is likely to end. Does
not belong here: what any of it is worth (`stances`), or a number of the rules: they are asked for theirs.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from app.engine.hexes import DIRECTIONS, Hex, distance, sectors
from app.games.osaaf.combat import WEAPONS

STEPS: Sequence[tuple[int, int]] = tuple((step.q, step.r) for step in DIRECTIONS)

BEARINGS = 12
"""Bearings clockwise from the nose: even ones within a sector, odd ones on the border of two."""
AHEAD = frozenset({11, 0, 1})
"""The bearings of the front arc, both borders with it (OSAAF-CB-2)."""
ASTERN = 6
FARTHEST = 24
"""Nothing changes beyond this range."""
FARTHEST_SHOT = max(weapon.most for weapon in WEAPONS.values())

TURNS_FORESEEN = 5
"""Turns are thought through for so many hexes; a longer move goes straight from there."""
PLACES_FORESEEN = 6
"""So many of an enemy's likely places are kept; the rest are too unlikely to matter."""

Spot = tuple[int, int, int]
"""A place and a heading: q, r and facing."""


# How two jets stand to each other.


@lru_cache(maxsize=8192)
def look(q: int, r: int) -> tuple[int, int]:
    """The range of an offset, and the bearing on which it lies from a jet that faces north."""
    offset = Hex(q, r)
    found = sectors(offset, 0)
    if not found:
        return 0, 0
    # Sectors 0 and 5 are neighbours too; else the border of two is between their numbers.
    low, high = min(found), max(found)
    bearing = 11 if (low, high) == (0, 5) else low + high
    return min(FARTHEST, distance(Hex(0, 0), offset)), bearing


def stance(me: Spot, other: Spot) -> int:
    """How two jets stand to each other, as one number: range and each one's bearing from the other."""
    q, r = other[0] - me[0], other[1] - me[1]
    span, mine = look(q, r)
    its = look(-q, -r)[1]
    mine, its = (mine - 2 * me[2]) % BEARINGS, (its - 2 * other[2]) % BEARINGS
    return (span * BEARINGS + mine) * BEARINGS + its


def unpacked(stance: int) -> tuple[int, int, int]:
    """Range, the other's bearing from me, and mine from the other."""
    rest, its = divmod(stance, BEARINGS)
    span, mine = divmod(rest, BEARINGS)
    return span, mine, its


@lru_cache(maxsize=1)
def _offsets() -> Mapping[tuple[int, int], tuple[int, int]]:
    """An offset for each range and bearing that there is, as far as any weapon reaches."""
    reach = range(-FARTHEST_SHOT, FARTHEST_SHOT + 1)
    return {look(q, r): (q, r) for q in reach for r in reach}


@lru_cache(maxsize=8192)
def example(wanted: int) -> tuple[Hex, int] | None:
    """A place and facing of the other in such a stance, from a jet at the origin that faces north.

    None when there is no such stance, or they are farther apart than any weapon reaches.
    """
    span, mine, _ = unpacked(wanted)
    offset = _offsets().get((span, mine))
    if offset is None or span > FARTHEST_SHOT:
        return None
    for facing in range(6):
        if stance((0, 0, 0), (*offset, facing)) == wanted:
            return Hex(*offset), facing
    return None


def turned_back(q: int, r: int, facing: int) -> tuple[int, int]:
    """An offset as a jet of this facing sees it, had it been facing north."""
    for _ in range((6 - facing) % 6):
        q, r = -r, q + r
    return q, r


def turned_on(q: int, r: int, facing: int) -> tuple[int, int]:
    """An offset seen from the north-facing jet, turned to a facing."""
    for _ in range(facing % 6):
        q, r = -r, q + r
    return q, r


# One's own move: every place after so many hexes, and how one leads to the next.


class Fan:
    """All that a move of so many hexes can lead to.

    `layers[n]` are the spots after n hexes; `links[n]` tells for each of them which spots of the next
    layer follow: straight on, after a turn to the left, after one to the right.
    """

    def __init__(self, hexes: int) -> None:
        self.layers: list[list[Spot]] = [[(0, 0, 0)]]
        self.links: list[list[tuple[int, int, int]]] = []
        for n in range(hexes):
            self._grow(may_turn=n < TURNS_FORESEEN)

    def _grow(self, *, may_turn: bool) -> None:
        index: dict[Spot, int] = {}
        links: list[tuple[int, int, int]] = []
        for q, r, facing in self.layers[-1]:
            ahead, left, right = (
                index.setdefault(_flown(q, r, facing + by), len(index))
                for by in ((0, -1, 1) if may_turn else (0, 0, 0))
            )
            links.append((ahead, left, right))
        self.layers.append(list(index))
        self.links.append(links)


def _flown(q: int, r: int, facing: int) -> Spot:
    facing %= 6
    step = STEPS[facing]
    return q + step[0], r + step[1], facing


@lru_cache(maxsize=32)
def fan(hexes: int) -> Fan:
    """The fan of a move, made once."""
    return Fan(hexes)


@lru_cache(maxsize=512)
def fan_ends(hexes: int, facing: int) -> tuple[Spot, ...]:
    """The spots that so many hexes lead to for a jet of this facing, still relative to its hex."""
    return tuple(
        (*turned_on(q, r, facing), (f + facing) % 6) for q, r, f in fan(hexes).layers[hexes]
    )


def folded(values: list[float], links: Sequence[tuple[int, int, int]], turn: float) -> list[float]:
    """What the spots of a layer are worth, from those of the next: each time the best of three actions."""
    return [
        values[a] + turn * max(0.0, values[left] - values[a], values[right] - values[a])
        for a, left, right in links
    ]


# An enemy's move.


@lru_cache(maxsize=65536)
def chase(q: int, r: int, hexes: int, turn: float) -> tuple[tuple[float, Spot], ...]:
    """Where a jet ends that turns towards an offset whenever it does not have it in front.

    Each likely place with its probability, the likeliest first. It is how most people, and the simple
    bandit, fly; who flies better is a surprise.
    """
    front: dict[Spot, float] = {(0, 0, 0): 1.0}
    for _ in range(hexes):
        after: dict[Spot, float] = {}
        for (x, y, facing), weight in front.items():
            by = _turn_towards(q - x, r - y, facing)
            if by and turn:
                spot = _flown(x, y, facing + by)
                after[spot] = after.get(spot, 0.0) + weight * turn
            if not by or turn < 1:
                spot = _flown(x, y, facing)
                after[spot] = after.get(spot, 0.0) + (weight * (1 - turn) if by else weight)
        front = after
    return _likeliest(front)


def _likeliest(front: dict[Spot, float]) -> tuple[tuple[float, Spot], ...]:
    ranked = sorted(((weight, spot) for spot, weight in front.items()), reverse=True)
    ranked = ranked[:PLACES_FORESEEN]
    total = sum(weight for weight, _ in ranked)
    return tuple((weight / total, spot) for weight, spot in ranked)


def _turn_towards(q: int, r: int, facing: int) -> int:
    """-1 to turn left, 1 right, 0 when the offset is in front. Dead astern either side is as good."""
    span, bearing = look(q, r)
    bearing = (bearing - 2 * facing) % BEARINGS
    if span and bearing in AHEAD:
        return 0
    return 1 if not span or bearing <= ASTERN else -1


Chase = tuple[int, int, int, int, float]
"""A jet at an offset and with a facing, as it looks to one that has so many hexes to come after it."""


@lru_cache(maxsize=65536)
def chased(after: Chase) -> tuple[tuple[float, int], ...]:
    """The stances in which a jet finds itself after being chased, with their probabilities."""
    q, r, facing, hexes, turn = after
    odds: dict[int, float] = {}
    me = (q, r, facing)
    for weight, spot in chase(q, r, hexes, turn):
        found = stance(me, spot)
        odds[found] = odds.get(found, 0.0) + weight
    return tuple((weight, found) for found, weight in odds.items())
