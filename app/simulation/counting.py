"""Counting: what many outcomes say together.

Belongs here: statistics of finished games, as data. Does not belong here: how they are shown.
"""

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from app.engine.game import Measured, Seat
from app.games import registry
from app.simulation.measuring import Mean, Share, mean, share
from app.simulation.orders import Order, seats_of
from app.simulation.playing import Outcome, Thinking
from app.simulation.running import Failure, Run


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """How a seat and its bot fared. `lost` counts its units by what became of them.

    `wins` is None where games are not won or lost, and `score`, the mean, where they have no points.
    `shares` and `means` are of what the game measures: yes or no, and numbers.
    """

    seat: str
    label: str
    mark: str
    bot: str
    wins: Share | None
    score: float | None
    lost: Mapping[str, int]
    shares: Mapping[str, Share] = {}
    means: Mapping[str, Mean] = {}


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
    winners; a draw is one without, and `draws` is None where games are not won or lost.
    """

    order: Order
    games: int
    whole: bool
    sides: tuple[Side, ...]
    draws: Share | None
    reasons: Mapping[str, int]
    turns: Turns | None
    failures: tuple[Failure, ...]
    speed: Speed


def summary_of(run: Run) -> Summary:
    """Count what came of an order."""
    outcomes = list(run.outcomes.values())
    seats = seats_of(run.order)
    undecided = sum(not one.winners for one in outcomes)
    return Summary(
        order=run.order,
        games=len(outcomes),
        whole=run.whole,
        sides=tuple(_side(seat, run.order, outcomes) for seat in seats),
        draws=share(undecided, len(outcomes)) if _rivals(run.order) else None,
        reasons=falling(Counter(one.reason for one in outcomes)),
        turns=_turns([one.turns for one in outcomes]) if outcomes else None,
        failures=tuple(run.failures),
        speed=speed_of(run, len(outcomes), [one.thinking for one in outcomes]),
    )


def speed_of(run: Run, games: int, thinking: Sequence[Mapping[str, Thinking]]) -> Speed:
    """What the clock said of so many games, in which the seats thought for so long."""
    return Speed(
        round(run.seconds, 3),
        round(games / run.seconds, 2) if run.seconds else 0.0,
        {seat: _pace([one[seat] for one in thinking]) for seat in run.order.bots},
    )


def falling(counts: Counter[str]) -> dict[str, int]:
    """The most frequent first; equal ones by name, so that no order of arrival shows."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _rivals(order: Order) -> bool:
    return registry.load(order.game).rivals


def _side(seat: Seat, order: Order, outcomes: Sequence[Outcome]) -> Side:
    scores = [one.scores[seat.id] for one in outcomes if seat.id in one.scores]
    fates = (fate.cause for one in outcomes for fate in one.fates if fate.seat == seat.id)
    wins = sum(seat.id in one.winners for one in outcomes)
    measured = _measured(one.measures.get(seat.id, {}) for one in outcomes)
    return Side(
        seat=seat.id,
        label=seat.label,
        mark=seat.mark,
        bot=order.bots[seat.id],
        wins=share(wins, len(outcomes)) if _rivals(order) else None,
        score=statistics.fmean(scores) if scores else None,
        lost=falling(Counter(fates)),
        shares={
            label: share(sum(map(bool, values)), len(values))
            for label, values in measured.items()
            if _yes_or_no(values)
        },
        means={label: mean(values) for label, values in measured.items() if not _yes_or_no(values)},
    )


def _measured(values: Iterable[Mapping[str, Measured]]) -> dict[str, list[Measured]]:
    """All values of each measure, in the order in which the game names them."""
    by_label: dict[str, list[Measured]] = {}
    for one in values:
        for label, value in one.items():
            by_label.setdefault(label, []).append(value)
    return by_label


def _yes_or_no(values: Sequence[Measured]) -> bool:
    return isinstance(values[0], bool)


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


def _pace(thought: Sequence[Thinking]) -> Pace:
    decisions = sum(one.decisions for one in thought)
    seconds = sum(one.seconds for one in thought)
    longest = max((one.longest for one in thought), default=0.0)
    mean = seconds / decisions if decisions else 0.0
    return Pace(decisions, round(mean * 1000, 4), round(longest * 1000, 3))
