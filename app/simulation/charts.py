"""Charts of results: which figures show them, and in which words.

Belongs here: what is drawn of games and careers. Does not belong here: what a figure is (`figures`), and the
file of a plot (`plots`).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from app.simulation.career_counting import CareerSide, CareerSummary
from app.simulation.counting import Side, Summary, Turns
from app.simulation.figures import (
    MARKS,
    Bars,
    Column,
    Figure,
    Group,
    Groups,
    Histogram,
    bars,
    lines,
    mean_of,
    rate_of,
    ticks,
)
from app.simulation.measuring import Mean, Share
from app.simulation.orders import Order

MOST_COLUMNS = 24
"""More columns than this in a histogram would be too thin to label; then several turns share one."""

S = TypeVar("S", Side, CareerSide)


class Series(NamedTuple, Generic[S]):
    """What is set side by side: the sides of one simulation, or the bots of several."""

    label: str
    mark: str
    side: S


def side_by_side(sides: Sequence[Sequence[S]], titles: Mapping[str, str]) -> list[Series[S]]:
    """The sides of each simulation, as columns of tables and rows of charts. `titles` names bots."""
    if len(sides) > 1:
        return [
            Series(titles.get(side.bot, side.bot), MARKS[n % len(MARKS)], side)
            for n, (side,) in enumerate(sides)
        ]
    return [
        Series(f"{side.label} ({titles.get(side.bot, side.bot)})", side.mark, side)
        for side in sides[0]
    ]


def players(order: Order, titles: Mapping[str, str] | None = None) -> str:
    """Who played all seats together."""
    named = titles or {}
    return " and ".join(dict.fromkeys(named.get(bot, bot) for bot in order.bots.values()))


def charts_of(
    summaries: Sequence[Summary], titles: Mapping[str, str] | None = None
) -> tuple[Figure, ...]:
    """The charts of one simulation, or of several that are compared. Without games there are none."""
    if not all(summary.games for summary in summaries):
        return ()
    series = side_by_side([summary.sides for summary in summaries], titles or {})
    return (
        *_wins(summaries, series),
        *_shares(series),
        *_means(series),
        *_lengths(summaries),
        *_losses(series, alone=len(summaries) == 1),
    )


def career_charts_of(
    summaries: Sequence[CareerSummary], titles: Mapping[str, str] | None = None
) -> tuple[Figure, ...]:
    """The charts of careers. Without any there are none."""
    if not all(summary.careers for summary in summaries):
        return ()
    series = side_by_side([summary.sides for summary in summaries], titles or {})
    return (
        _survival(summaries, titles or {}),
        *_totals(series, alone=len(summaries) == 1),
        *_honours(series),
    )


def _wins(summaries: Sequence[Summary], series: Sequence[Series[Side]]) -> Iterator[Bars]:
    rows = [(label, mark, rate_of(side.wins)) for label, mark, side in series if side.wins]
    draws = summaries[0].draws if len(summaries) == 1 else None
    if draws:
        rows.append(("Draws", "", rate_of(draws)))
    if rows:
        yield bars("wins", "Games won, with the 95% interval", rows, rates=True)


def _shares(series: Sequence[Series[Side]]) -> Iterator[Bars]:
    """One chart of all where there is nothing to set beside it; else one for each measure."""
    if len(series) == 1:
        ((_, mark, side),) = series
        rows = [(_titled(label), mark, rate_of(part)) for label, part in side.shares.items()]
        if rows:
            yield bars("shares", "How often, with the 95% interval", rows, rates=True)
        return
    for n, label in enumerate(_labels([one.side.shares for one in series])):
        rows = [
            (name, mark, rate_of(side.shares[label]))
            for name, mark, side in series
            if label in side.shares
        ]
        yield bars(f"share-{n}", f"{_titled(label)}, with the 95% interval", rows, rates=True)


def _means(series: Sequence[Series[Side]]) -> Iterator[Figure]:
    """How often each number came, where there is nothing to set beside it; else the means."""
    for n, label in enumerate(_labels([one.side.means for one in series])):
        found = [(one, one.side.means[label]) for one in series if label in one.side.means]
        if len(series) == 1:
            if found[0][1].distribution:
                yield _distribution(f"mean-{n}", label, found[0][1])
            continue
        rows = [(one.label, one.mark, mean_of(mean)) for one, mean in found]
        title = f"Mean {label}, with the 95% interval"
        yield bars(f"mean-{n}", title, rows, rates=False)


def _distribution(figure: str, label: str, found: Mean) -> Histogram:
    columns = tuple(Column(str(one.value), one.games) for one in found.distribution)
    games = ", ".join(f"{one.label}: {one.count}" for one in columns if one.count)
    return Histogram(
        figure,
        f"{_titled(label)}: mean {mean_of(found).text}",
        f"Games by number: {games}.",
        columns,
        ticks(max(one.count for one in columns)),
        label,
    )


def _lengths(summaries: Sequence[Summary]) -> Iterator[Histogram]:
    turns = summaries[0].turns
    if turns is None or len(summaries) > 1:
        return
    columns = _columns(turns)
    yield Histogram(
        "turns",
        "Length of the games",
        _columns_text(turns, columns),
        columns,
        ticks(max(column.count for column in columns)),
        "turns",
    )


def _columns(turns: Turns) -> tuple[Column, ...]:
    """The histogram, with several turns to a column where there would be too many."""
    found = turns.histogram
    width = math.ceil(len(found) / MOST_COLUMNS)
    columns: list[Column] = []
    for first in range(0, len(found), width):
        part = found[first : first + width]
        ends = dict.fromkeys((part[0].turns, part[-1].turns))
        columns.append(Column("–".join(map(str, ends)), sum(bar.games for bar in part)))
    return tuple(columns)


def _columns_text(turns: Turns, columns: Sequence[Column]) -> str:
    games = ", ".join(f"{column.label} turns: {column.count}" for column in columns if column.count)
    return f"Median {turns.median:g}, mean {turns.mean:.1f}. Games by length: {games}."


def _losses(series: Sequence[Series[Side]], *, alone: bool) -> Iterator[Groups]:
    """Sides go by their own names; bots that are compared by theirs."""
    names = [one.side.label if alone else one.label for one in series]
    totals: dict[str, int] = {}
    for one in series:
        for cause, count in one.side.lost.items():
            totals[cause] = totals.get(cause, 0) + count
    groups = tuple(
        Group(
            cause,
            tuple(
                (name, one.mark, one.side.lost.get(cause, 0))
                for name, one in zip(names, series, strict=True)
            ),
        )
        for cause in sorted(totals, key=lambda cause: (-totals[cause], cause))
    )
    if groups:
        told = "; ".join(
            f"{group.label}: " + ", ".join(f"{label} {count}" for label, _, count in group.bars)
            for group in groups
        )
        yield Groups("losses", "Losses by cause", told, groups)


def _survival(summaries: Sequence[CareerSummary], titles: Mapping[str, str]) -> Figure:
    drawn = [
        (
            players(one.order, titles),
            MARKS[n % len(MARKS)],
            [rate_of(part) for part in one.survival],
        )
        for n, one in enumerate(summaries)
    ]
    title = "Careers that go on, with the 95% interval"
    return lines("survival", title, "mission", drawn, rates=True)


def _totals(series: Sequence[Series[CareerSide]], *, alone: bool) -> Iterator[Figure]:
    """Labels at the ends of lines are short: sides go by their names, without their bots'."""
    for n, label in enumerate(_labels([one.side.totals for one in series])):
        drawn = [
            (
                side.label if alone else name,
                mark,
                [mean_of(found) for found in side.totals[label]],
            )
            for name, mark, side in series
            if label in side.totals
        ]
        title = f"Mean {label} so far, with the 95% interval"
        yield lines(f"total-{n}", title, "mission", drawn, rates=False)


def _honours(series: Sequence[Series[CareerSide]]) -> Iterator[Bars]:
    """Those that somebody holds; the others are left to the table."""
    for n, kind in enumerate(_labels([one.side.honours for one in series])):
        title = f"{_titled(kind)} at the end, with the 95% interval"
        rows = [
            (honour, name, mark, rate_of(part))
            for honour in _labels([one.side.honours.get(kind, {}) for one in series])
            for name, mark, part in _held(series, kind, honour)
        ]
        if rows and len(series) == 1:
            alone = [(honour, mark, value) for honour, _, mark, value in rows]
            yield bars(f"honours-{n}", title, alone, rates=True)
            continue
        for m, honour in enumerate(dict.fromkeys(honour for honour, *_ in rows)):
            beside = [(name, mark, value) for of, name, mark, value in rows if of == honour]
            yield bars(f"honours-{n}-{m}", f"{honour}, with the 95% interval", beside, rates=True)


def _held(
    series: Sequence[Series[CareerSide]], kind: str, honour: str
) -> list[tuple[str, str, Share]]:
    """Of each, the share that holds an honour; of none, where nobody does."""
    found = [
        (name, mark, side.honours[kind][honour])
        for name, mark, side in series
        if honour in side.honours.get(kind, {})
    ]
    return found if any(part.count for *_, part in found) else []


def _labels(named: Sequence[Mapping[str, object]]) -> list[str]:
    """All labels, in the order in which they are first named."""
    return list(dict.fromkeys(label for one in named for label in one))


def _titled(label: str) -> str:
    return label[:1].upper() + label[1:]
