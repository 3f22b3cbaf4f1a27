"""Chances as data: what a roll could lead to, written down before it falls.

A game describes a chance with these; `app.odds` computes it exactly. Nothing is computed here.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from app.engine.dice import Pool

Faces = tuple[int, ...]


def percent(chance: Fraction | float) -> str:
    """For people: never 0 % for what can happen, nor 100 % for what may not."""
    if 0 < chance < 0.005:
        return "<1 %"
    if 0.995 < chance < 1:
        return ">99 %"
    return f"{round(chance * 100)} %"


@dataclass(frozen=True, slots=True)
class Chance:
    """One roll and what is made of it.

    Args:
        pool: the dice.
        outcome: the result for given faces. It must not depend on their order, and may return another
            Chance: what follows is rolled then.
        key: names the distribution, so that it is computed once: equal keys, equal chances.
    """

    pool: Pool
    outcome: Callable[[Faces], Any]
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Chain:
    """A roll after another, each decided by where the last one led (a move hex by hex).

    Args:
        start: the first position (hashable).
        step: what is rolled in a position; None where the chain ends.
        key: as for Chance.
        result: what an end means; without it the end itself is the result.
    """

    start: Hashable
    step: Callable[[Any], Chance | None]
    key: Hashable = None
    result: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Odds:
    """A chance to be shown beside an option.

    Args:
        label: what the numbers are, in words that mean just that ("Speed after the roll").
        chance: whose results are the shown values; sorted, they are the bars.
        yes: when the results are True and False, only the chance of True is shown.
        words: results that are no plain numbers, each with what is shown in its place.
        good: what the seat that rolls hopes for: a high result (or a yes), a low one (or a no), or
            neither, so that nobody is called lucky for it. Results that are numbers count as such,
            whatever `words` there are for them.
    """

    label: str
    chance: Chance | Chain
    yes: bool = False
    words: tuple[tuple[Any, str], ...] = ()
    good: Literal["high", "low", "none"] = "high"
