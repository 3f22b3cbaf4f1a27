"""Tables of results, as words: what is measured, and what careers come to, side by side.

Belongs here: rows and columns for a terminal and for a page alike. Does not belong here: how either draws
them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.simulation.career_counting import CareerSide, CareerSummary
from app.simulation.charts import Series, players, side_by_side
from app.simulation.counting import Side, Summary
from app.simulation.figures import MARKS, mean_of, rate_of, ticks
from app.simulation.results import Result, careers, plain

ALL_SHOWN = 10
"""Of a longer career than this not every mission has a row; the JSON has all of them."""


class Head(NamedTuple):
    """A column of values, and the mark of whose they are."""

    label: str
    mark: str


@dataclass(frozen=True)
class Table:
    """A row for each label, a column for each of what is set side by side; "" where there is nothing."""

    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def tables_of(
    results: Sequence[Result], titles: Mapping[str, str] | None = None
) -> tuple[Table, ...]:
    """Those that have rows. `titles` names bots for people."""
    found = (
        _of_careers(careers(results), titles or {})
        if careers(results)
        else _of_games(plain(results), titles or {})
    )
    return tuple(table for table in found if table.rows)


def _of_games(summaries: Sequence[Summary], titles: Mapping[str, str]) -> Iterator[Table]:
    series = side_by_side([one.sides for one in summaries], titles)
    yield _beside("measured in each game", series, [_measured(one.side) for one in series])


def _of_careers(summaries: Sequence[CareerSummary], titles: Mapping[str, str]) -> Iterator[Table]:
    series = side_by_side([one.sides for one in summaries], titles)
    most = summaries[0].order.missions
    yield _survival(summaries, titles)
    totals = [
        {label: mean_of(found[-1]).text for label, found in one.side.totals.items()}
        for one in series
    ]
    yield _beside(f"mean after {most} missions", series, totals)
    for kind in dict.fromkeys(kind for one in series for kind in one.side.honours):
        held = [one.side.honours.get(kind, {}) for one in series]
        shares = [{honour: rate_of(part).text for honour, part in each.items()} for each in held]
        yield _beside(f"{kind} at the end", series, shares)


def _measured(side: Side) -> dict[str, str]:
    """Shares first, then means."""
    return {
        **{label: rate_of(part).text for label, part in side.shares.items()},
        **{f"{label}, mean": mean_of(found).text for label, found in side.means.items()},
    }


def _survival(summaries: Sequence[CareerSummary], titles: Mapping[str, str]) -> Table:
    most = summaries[0].order.missions
    shown = range(1, most + 1) if most <= ALL_SHOWN else sorted({1, *ticks(most)[1:-1], most})
    heads = tuple(
        Head(players(one.order, titles), MARKS[n % len(MARKS)]) for n, one in enumerate(summaries)
    )
    rows = tuple(
        (str(mission), tuple(rate_of(one.survival[mission - 1]).text for one in summaries))
        for mission in shown
    )
    return Table("go on after mission", heads, rows)


def _beside(
    title: str,
    series: Sequence[Series[Side]] | Sequence[Series[CareerSide]],
    columns: Sequence[Mapping[str, str]],
) -> Table:
    labels = dict.fromkeys(label for column in columns for label in column)
    return Table(
        title,
        tuple(Head(label, mark) for label, mark, _ in series),
        tuple((label, tuple(column.get(label, "") for column in columns)) for label in labels),
    )
