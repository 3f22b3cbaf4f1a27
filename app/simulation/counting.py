"""Counting: what many outcomes say together.

Belongs here: statistics of finished games, as data. Does not belong here: how they are shown.
"""

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from app.engine.game import Seat
from app.simulation.orders import Order, seats_of
from app.simulation.playing import Outcome
from app.simulation.running import Failure, Run

Z95 = 1.959964
"""Nineteen of twenty values of a normal distribution are within so many standard deviations."""


class Share(msgspec.Struct, frozen=True):
    """So many of all games, as a part of 1, and the 95 % interval of the true part (Wilson's)."""

    count: int
    rate: float
    low: float
    high: float


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """How a seat and its bot fared. `lost` counts its units by what became of them.

    `score` is the mean; None where the games have no points.
    """

    seat: str
    label: str
    mark: str
    bot: str
    wins: Share
    score: float | None
    lost: Mapping[str, int]


class Bar(msgspec.Struct, frozen=True):
    """So many games took so many turns."""

    turns: int
    games: int


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """How long the games were. The quartiles are between which the middle half lies."""

    mean: float
    least: int
    lower_quartile: float
    median: float
    upper_quartile: float
    most: int
    histogram: tuple[Bar, ...]


class Pace(msgspec.Struct, frozen=True):
    """How fast a side's bot decided, in milliseconds."""

    decisions: int
    mean_ms: float
    most_ms: float


class Speed(msgspec.Struct, frozen=True):
    """What the clock said: the one part that another run of the same order does not repeat."""

    seconds: float
    games_per_second: float
    bots: Mapping[str, Pace]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an order. `whole` is False when it was cut short.

    `games` are those that were played to their end; shares are of these. A game can have several
    winners; a draw is one without.
    """

    order: Order
    games: int
    whole: bool
    sides: tuple[Side, ...]
    draws: Share
    reasons: Mapping[str, int]
    turns: Turns | None
    failures: tuple[Failure, ...]
    speed: Speed


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


def summary_of(run: Run) -> Summary:
    """Count what came of an order."""
    outcomes = list(run.outcomes.values())
    seats = seats_of(run.order)
    return Summary(
        order=run.order,
        games=len(outcomes),
        whole=run.whole,
        sides=tuple(_side(seat, run.order, outcomes) for seat in seats),
        draws=share(sum(not one.winners for one in outcomes), len(outcomes)),
        reasons=_falling(Counter(one.reason for one in outcomes)),
        turns=_turns([one.turns for one in outcomes]) if outcomes else None,
        failures=tuple(run.failures),
        speed=Speed(
            round(run.seconds, 3),
            round(len(outcomes) / run.seconds, 2) if run.seconds else 0.0,
            {seat.id: _pace(seat, outcomes) for seat in seats},
        ),
    )


def _side(seat: Seat, order: Order, outcomes: Sequence[Outcome]) -> Side:
    scores = [one.scores[seat.id] for one in outcomes if seat.id in one.scores]
    fates = (fate.cause for one in outcomes for fate in one.fates if fate.seat == seat.id)
    return Side(
        seat=seat.id,
        label=seat.label,
        mark=seat.mark,
        bot=order.bots[seat.id],
        wins=share(sum(seat.id in one.winners for one in outcomes), len(outcomes)),
        score=statistics.fmean(scores) if scores else None,
        lost=_falling(Counter(fates)),
    )


def _falling(counts: Counter[str]) -> dict[str, int]:
    """The most frequent first; equal ones by name, so that no order of arrival shows."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _turns(turns: Sequence[int]) -> Turns:
    # One game alone has no quartiles; twice the same one has them where one looks for them.
    lower, median, upper = statistics.quantiles(
        turns if len(turns) > 1 else [*turns, *turns], n=4, method="inclusive"
    )
    counts = Counter(turns)
    return Turns(
        mean=statistics.fmean(turns),
        least=min(turns),
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        most=max(turns),
        histogram=tuple(Bar(turn, counts[turn]) for turn in range(min(turns), max(turns) + 1)),
    )


def _pace(seat: Seat, outcomes: Sequence[Outcome]) -> Pace:
    thought = [one.thinking[seat.id] for one in outcomes]
    decisions = sum(one.decisions for one in thought)
    seconds = sum(one.seconds for one in thought)
    longest = max((one.longest for one in thought), default=0.0)
    mean = seconds / decisions if decisions else 0.0
    return Pace(decisions, round(mean * 1000, 4), round(longest * 1000, 3))
