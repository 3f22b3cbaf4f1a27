"""Exact odds of a Chance or a Chain, as fractions. Games describe, this computes (with icepool)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import icepool

from app.engine.chance import Chain, Chance

Distribution = Mapping[Any, Fraction]


def exact(chance: Chance | Chain) -> Distribution:
    """Each possible result with its probability; they add up to 1.

    A chance with a key is computed once per process.
    """
    if chance.key is not None:
        return _remembered(_Keyed(chance))
    return _compute(chance)


class _Keyed:
    """A chance that is equal to every other of its kind and key, so that a cache can find it."""

    def __init__(self, chance: Chance | Chain) -> None:
        self.chance = chance

    def __hash__(self) -> int:
        return hash(self.chance.key)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Keyed)
            and type(self.chance) is type(other.chance)
            and self.chance.key == other.chance.key
        )


@lru_cache(maxsize=8192)
def _remembered(keyed: _Keyed) -> Distribution:
    return _compute(keyed.chance)


def _compute(chance: Chance | Chain) -> Distribution:
    return _once(chance) if isinstance(chance, Chance) else _walk(chance)


def _once(chance: Chance) -> Distribution:
    ways, whole = _faces(chance.pool.count, chance.pool.sides)
    # Counted whole as long as it goes: adding fractions takes most of the time.
    counts: dict[Any, int | Fraction] = {}
    for faces, count in ways.items():
        result = chance.outcome(faces)
        if isinstance(result, Chance):
            for then, further in exact(result).items():
                counts[then] = counts.get(then, 0) + count * further
        else:
            counts[result] = counts.get(result, 0) + count
    return {result: Fraction(count) / whole for result, count in counts.items()}


@lru_cache(maxsize=256)
def _faces(count: int, sides: int) -> tuple[Mapping[tuple[int, ...], int], int]:
    """Each sorted throw of a pool with the number of ways in which it falls, and the number of all ways."""
    if count == 0:
        return {(): 1}, 1
    die: Any = (
        icepool.d(sides).pool(count).expand()
    )  # its type depends on an operand icepool infers
    return {tuple(faces): n for faces, n in die.items()}, die.denominator()


def _walk(chain: Chain) -> Distribution:
    """What a chain ends in. Positions reached on several ways are walked on once."""
    ended: dict[Any, Fraction] = {}
    front: dict[Any, Fraction] = {chain.start: Fraction(1)}
    while front:
        ahead: dict[Any, Fraction] = {}
        for position, weight in front.items():
            chance = chain.step(position)
            if chance is None:
                end = position if chain.result is None else chain.result(position)
                ended[end] = ended.get(end, Fraction(0)) + weight
                continue
            for result, further in exact(chance).items():
                ahead[result] = ahead.get(result, Fraction(0)) + weight * further
        front = ahead
    return ended
