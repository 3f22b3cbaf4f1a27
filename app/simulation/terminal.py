"""The results in a terminal.

Belongs here: what the command prints. Does not belong here: its options (`command`), and what is counted.
"""

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from app.games import registry
from app.simulation.career_counting import CareerSummary
from app.simulation.charts import Series, players, side_by_side
from app.simulation.counting import Side, Summary
from app.simulation.figures import percent
from app.simulation.measuring import Share
from app.simulation.results import Result, careers, counted, plain
from app.simulation.tables import tables_of
from app.simulation.writing import command_line

MOST_SHOWN = 5
"""So many failed games are shown; all of them are in the CSV and JSON."""

PACE = ("score", "decisions", "ms mean", "ms max")


def show(results: Sequence[Result]) -> None:
    """Print all that there is to say."""
    console = Console(highlight=False, markup=False)
    console.print(_heading(results), soft_wrap=True)
    for result in results:
        if not result.whole:
            console.print(f"CUT SHORT: {result.games} of {result.order.games} were finished.")
    if all(result.games for result in results):
        for part in _parts(results):
            console.print(part)
    _show_failures(results, console)


def _heading(results: Sequence[Result]) -> str:
    order = results[0].order
    seconds = sum(result.speed.seconds for result in results)
    played = sum(result.speed.games_per_second * result.speed.seconds for result in results)
    return (
        f"{registry.load(order.game).meta.title}: {order.scenario or 'own set-up'}, "
        f"{counted(results)}, seed {order.seed}, {seconds:.1f} s, "
        f"{played / seconds if seconds else 0:.0f} games/s"
    )


def _parts(results: Sequence[Result]) -> Iterator[Table | str]:
    games = plain(results)
    if games:
        yield _sides(games)
    for found in tables_of(results):
        table = _table(found.title)
        for head in found.heads:
            table.add_column(head.label, justify="right", no_wrap=True)
        for label, values in found.rows:
            table.add_row(label, *values)
        yield table
    yield from _course(games)
    yield from _last_missions(careers(results))


def _sides(summaries: Sequence[Summary]) -> Table:
    table = _table("side", "bot")
    won = any(side.wins for summary in summaries for side in summary.sides)
    for name in (*(("wins", "%", "95% interval") if won else ()), *PACE):
        table.add_column(name, justify="right", no_wrap=True)
    for summary in summaries:
        for side in summary.sides:
            pace = summary.speed.bots[side.seat]
            table.add_row(
                side.label,
                side.bot,
                *_won(side.wins),
                "" if side.score is None else f"{side.score:.2f}",
                str(pace.decisions),
                f"{pace.mean_ms:.3f}",
                f"{pace.most_ms:.1f}",
            )
        if summary.draws:
            table.add_row("draws", "", *_won(summary.draws))
    return table


def _won(share: Share | None) -> tuple[str, ...]:
    if share is None:
        return ()
    interval = f"{percent(share.low).removesuffix('%')}-{percent(share.high)}"
    return str(share.count), percent(share.rate), interval


def _course(summaries: Sequence[Summary]) -> Iterator[Table | str]:
    """How long the games were, how they ended, and what was lost."""
    for summary in summaries:
        whose = f"{players(summary.order)}: " if len(summaries) > 1 else ""
        turns = summary.turns
        if turns is not None:
            yield (
                f"{whose}Turns: mean {turns.mean:.1f}, median {turns.median:g}, the middle half "
                f"{turns.lower_quartile:g} to {turns.upper_quartile:g}, all {turns.least} to {turns.most}"
            )
        yield f"{whose}Ended by: {_tally(summary.reasons)}"
    if any(side.lost for summary in summaries for side in summary.sides):
        series = side_by_side([one.sides for one in summaries], {})
        yield _losses(series, alone=len(summaries) == 1)


def _losses(series: Sequence[Series[Side]], *, alone: bool) -> Table:
    table = _table("lost by")
    for label, _, side in series:
        table.add_column(side.label if alone else label, justify="right")
    for cause in dict.fromkeys(cause for *_, side in series for cause in side.lost):
        table.add_row(cause, *(str(side.lost.get(cause, 0)) for *_, side in series))
    return table


def _last_missions(summaries: Sequence[CareerSummary]) -> Iterator[str]:
    for summary in summaries:
        whose = f"{players(summary.order)}: " if len(summaries) > 1 else ""
        yield f"{whose}Last missions ended by: {_tally(summary.endings)}"


def _table(*names: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name in names:
        table.add_column(name, no_wrap=True)
    return table


def _tally(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {count}" for what, count in counts.items())


def _show_failures(results: Sequence[Result], console: Console) -> None:
    failures = [(result.order, one) for result in results for one in result.failures]
    if not failures:
        return
    console.print(f"FAILED: {len(failures)} games. Each can be played again, as here:")
    for order, failure in failures[:MOST_SHOWN]:
        console.print(f"  {failure.error}", soft_wrap=True)
        again = command_line((order,), games=1, seed=failure.seed)
        console.print(f"    {again}", soft_wrap=True)
