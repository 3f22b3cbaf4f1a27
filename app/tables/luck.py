"""Luck: what the dice of a finished game came to, against what was to be expected of them.

Each roll that had odds is measured by the odds it had at that moment: the same Chance that players saw
before it fell, its exact distribution and what the faces made of it. Rolls of a kind and seat are
summed, and the sum is held against the exact distribution of such sums. Belongs here: numbers and the
plain words for them. Does not belong here: what was decided, and how it is drawn.

The summed rolls are taken as independent. They nearly are: each is measured by its own odds, so what a
roll leads to (a lower speed, another try) changes later odds but no expectation.
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from statistics import NormalDist
from typing import Any

import msgspec

from app.engine.chance import Chance, Faces, Odds
from app.engine.log import Entry
from app.engine.sequence import GameState, Roll, todo
from app.odds import exact
from app.tables.live import LiveTable
from app.tables.position import Position

MOST_EXACT = 400
"""Rolls of a kind whose sum's distribution is computed exactly; beyond, the normal one is as good."""

EVEN, LEAN, FAR = 0.15, 0.35, 0.48
"""How far from the middle of all games (0 to 0.5) luck counts as average, as slight, as plain."""


class KindLuck(msgspec.Struct, frozen=True):
    """The rolls of a kind by a seat.

    `label` is what the odds were of. `rolled` is the sum of the results (a yes counts 1), `expected` its
    mean and `variance` its variance by the odds; `z` is how many standard deviations above the mean,
    `percentile` the share of games with less luck (0 to 1, equal luck counted half); both are turned
    round where a low result is the good one. `by_hand` is how many were real dice. `text` says it.
    """

    label: str
    yes: bool
    n: int
    rolled: float
    expected: float
    variance: float
    z: float
    percentile: float
    by_hand: int
    text: str


class SeatLuck(msgspec.Struct, frozen=True):
    """A seat's luck over all kinds.

    `verdict` says it in a few words. `struck` rolls were taken back and `left_out` ones had no odds
    that can be summed; neither count.
    """

    seat: str
    z: float
    percentile: float
    verdict: str
    kinds: tuple[KindLuck, ...]
    struck: int
    left_out: int


class Luck(msgspec.Struct, frozen=True):
    """Luck by seat, in the order of the seats."""

    seats: tuple[SeatLuck, ...]


def luck(table: LiveTable) -> Luck:
    """What the dice came to. Worked out once a finished table."""
    known: Luck | None = table.accounts.get("luck")
    if known is None:
        known = _luck(table.position)
        if table.finished:
            table.accounts["luck"] = known
    return known


@dataclass
class _Tally:
    """Rolls of a kind, one after another."""

    odds: Odds
    yes: bool
    by_hand: int = 0
    rolled: "Number" = 0
    odds_of: list["Numbers"] = field(default_factory=list["Numbers"])


Number = int | float | Fraction
Numbers = Mapping[Number, float]
"""Each result with its probability. Results stay exact, so that equal sums are equal."""


def _luck(table: Position) -> Luck:
    seats = [seat.id for seat in table.seats]
    tallies: dict[str, dict[Hashable, _Tally]] = {seat: {} for seat in seats}
    left_out = dict.fromkeys(seats, 0)
    for seat, odds, entry in _rolls(table):
        measured = None if odds is None else _measured(odds, entry)
        if odds is None or measured is None:
            left_out[seat] += 1
            continue
        numbers, rolled, yes = measured
        tally = tallies[seat].setdefault((odds.label, odds.good, yes), _Tally(odds, yes))
        tally.odds_of.append(numbers)
        tally.rolled += rolled
        tally.by_hand += entry.dice is not None and entry.dice.by == "hand"
    struck = _struck(table)
    return Luck(
        tuple(_seat_luck(s, tallies[s].values(), struck.get(s, 0), left_out[s]) for s in seats)
    )


def _rolls(table: Position) -> Iterator[tuple[str, Odds | None, Entry]]:
    """Each roll that counts, with the odds that it had. A throw of no dice at all is none."""
    for before, entry, _ in table.course():
        if entry.kind == "roll" and entry.seat is not None and entry.dice and entry.dice.faces:
            yield entry.seat, _odds_of(table, before), entry


def _odds_of(table: Position, before: GameState) -> Odds | None:
    step = todo(table.game, before)
    return step.odds if isinstance(step, Roll) else None


def _struck(table: Position) -> Mapping[str, int]:
    gone: dict[str, int] = {}
    for entry in table.entries:
        if (
            entry.seat is not None
            and entry.dice
            and entry.dice.faces
            and table.is_struck(entry.seq)
        ):
            gone[entry.seat] = gone.get(entry.seat, 0) + 1
    return gone


# One roll


_UNSETTLED = object()
"""The result of faces that other dice have still to settle."""


def _measured(odds: Odds, entry: Entry) -> tuple[Numbers, Number, bool] | None:
    """A roll's distribution, its result and whether it is a yes or no; None where it can't be summed.

    That is decided by all that could have come, never by what did: else the good or the bad results of
    a roll would be left out.
    """
    chance = odds.chance
    if odds.good == "none" or not isinstance(chance, Chance) or entry.dice is None:
        return None
    settled = _settled(chance)
    distribution = exact(settled)
    if not all(isinstance(result, Number) for result in distribution):
        return None
    yes = all(isinstance(result, bool) for result in distribution)
    numbers = {result: float(weight) for result, weight in distribution.items()}
    return numbers, settled.outcome(entry.dice.faces), yes


def _settled(chance: Chance) -> Chance:
    """The same roll, with what it leaves to other dice as one result."""
    key = None if chance.key is None else ("luck", chance.key)
    return Chance(chance.pool, partial(_settle, chance), key)


def _settle(chance: Chance, faces: Faces) -> Any:
    result = chance.outcome(faces)
    while isinstance(result, Chance):
        if result.pool.count:
            return _UNSETTLED
        result = result.outcome(())
    return result


# Sums


def _seat_luck(seat: str, tallies: Iterable[_Tally], struck: int, left_out: int) -> SeatLuck:
    kinds = tuple(_kind_luck(tally) for tally in tallies)
    open_ = [kind for kind in kinds if kind.variance]
    weight = math.sqrt(sum(kind.n for kind in open_))
    z = sum(math.sqrt(kind.n) * kind.z for kind in open_) / weight if open_ else 0.0
    percentile = open_[0].percentile if len(open_) == 1 else NormalDist().cdf(z)
    verdict = _verdict(percentile) if open_ else "No dice to judge by"
    return SeatLuck(seat, z, percentile, verdict, kinds, struck, left_out)


def _kind_luck(tally: _Tally) -> KindLuck:
    n = len(tally.odds_of)
    moments = [_moments(numbers) for numbers in tally.odds_of]
    expected = math.fsum(mean for mean, _ in moments)
    variance = math.fsum(spread for _, spread in moments)
    rolled = float(tally.rolled)
    z = (rolled - expected) / math.sqrt(variance) if variance else 0.0
    percentile = _mid_rank(tally.odds_of, tally.rolled) if n <= MOST_EXACT else NormalDist().cdf(z)
    if tally.odds.good == "low":
        z, percentile = -z, 1 - percentile
    text = _text(tally, n, expected, percentile if variance else None)
    return KindLuck(
        tally.odds.label,
        tally.yes,
        n,
        rolled,
        expected,
        variance,
        z,
        percentile,
        tally.by_hand,
        text,
    )


def _moments(numbers: Numbers) -> tuple[float, float]:
    """Mean and variance; a result that was certain has a variance of just 0."""
    if len(numbers) == 1:
        return float(next(iter(numbers))), 0.0
    mean = math.fsum(float(value) * p for value, p in numbers.items())
    return mean, math.fsum((float(value) - mean) ** 2 * p for value, p in numbers.items())


def _mid_rank(odds_of: Sequence[Numbers], rolled: Number) -> float:
    """The share of sums below this one, with half of the equal ones."""
    sums: dict[Any, float] = {0: 1.0}
    for numbers in odds_of:
        more: dict[Any, float] = {}
        for total, weight in sums.items():
            for value, p in numbers.items():
                more[total + value] = more.get(total + value, 0.0) + weight * p
        sums = more
    below = math.fsum(weight for total, weight in sums.items() if total < rolled)
    return below + sums.get(rolled, 0.0) / 2


# Words


def _text(tally: _Tally, n: int, expected: float, percentile: float | None) -> str:
    """What a kind came to, as a sentence or two."""
    times = "1 roll" if n == 1 else f"{n} rolls"
    came = (
        f"Yes {float(tally.rolled):g} of {n} times"
        if tally.yes
        else f"{float(tally.rolled):g} in {times}"
    )
    if percentile is None:
        return f"{came}; nothing was left to chance."
    return f"{came}; {expected:.1f} to be expected. {_compared(percentile)}."


def _compared(percentile: float) -> str:
    """Luck beside that of other games."""
    hundred = round(100 * max(percentile, 1 - percentile))
    if abs(percentile - 0.5) < EVEN:
        return "About as expected"
    share = "more than 99" if hundred > 99 else str(hundred)
    return f"{'Luckier' if percentile > 0.5 else 'Unluckier'} than {share} of 100 games"


def _verdict(percentile: float) -> str:
    """Luck in a few words."""
    far = abs(percentile - 0.5)
    if far < EVEN:
        return "Average luck"
    kind = "lucky" if percentile > 0.5 else "unlucky"
    degree = "a little " if far < LEAN else "" if far < FAR else "very "
    return f"{degree}{kind}".capitalize()
