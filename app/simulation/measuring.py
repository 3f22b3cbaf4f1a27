"""Measuring: what many values of one measure say together, with how sure that is.

Belongs here: shares, means and their 95 % intervals. Does not belong here: which values there are, and what
they are of.
"""

import math
import statistics
from collections import Counter
from collections.abc import Sequence

import msgspec

Z95 = 1.959964
"""Nineteen of twenty values of a normal distribution are within so many standard deviations."""

MOST_VALUES = 24
"""With more different whole numbers than this, how often each came says little."""


class Share(msgspec.Struct, frozen=True):
    """So many of all games, as a part of 1, and the 95 % interval of the true part (Wilson's)."""

    count: int
    rate: float
    low: float
    high: float


class Counted(msgspec.Struct, frozen=True):
    """So many games had this value."""

    value: int
    games: int


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of a number and its 95 % interval, by the normal approximation.

    `deviation` is the standard deviation of one game's value. `distribution` counts each whole number from
    the least to the most; it is empty where they are too many, or not whole.
    """

    mean: float
    low: float
    high: float
    deviation: float
    least: float
    most: float
    distribution: tuple[Counted, ...] = ()


def share(count: int, of: int) -> Share:
    """A part with Wilson's interval, which stays within 0 and 1 and is fair for small numbers."""
    if of == 0:
        return Share(0, 0.0, 0.0, 1.0)
    rate, square = count / of, Z95 * Z95 / of
    middle = (rate + square / 2) / (1 + square)
    half = math.sqrt(rate * (1 - rate) * square + square * square / 4) / (1 + square)
    # At the ends the interval touches 0 or 1, and rounding must not put it beside.
    low = 0.0 if count == 0 else middle - half
    high = 1.0 if count == of else middle + half
    return Share(count, rate, low, high)


def mean(values: Sequence[float]) -> Mean:
    """The mean of at least one value. One alone says nothing of how far others are from it."""
    middle = statistics.fmean(values)
    # Not statistics.stdev: its exact fractions take seconds for what is summed up here.
    squares = math.fsum((value - middle) ** 2 for value in values)
    deviation = math.sqrt(squares / (len(values) - 1)) if len(values) > 1 else 0.0
    half = Z95 * deviation / math.sqrt(len(values))
    return Mean(
        mean=middle,
        low=middle - half,
        high=middle + half,
        deviation=deviation,
        least=min(values),
        most=max(values),
        distribution=_distribution(values),
    )


def _distribution(values: Sequence[float]) -> tuple[Counted, ...]:
    least, most = min(values), max(values)
    if most - least >= MOST_VALUES or any(value != int(value) for value in values):
        return ()
    counts = Counter(int(value) for value in values)
    return tuple(Counted(value, counts[value]) for value in range(int(least), int(most) + 1))
