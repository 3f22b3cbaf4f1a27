"""The command `simulate`: its options, a bar while it runs, and the results as a table or a file.

Belongs here: what is said to whom in a terminal. Does not belong here: playing and counting. What takes time
to import is imported when the command runs, so that `--help` is quick.
"""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Never

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from app.simulation.counting import Share, Summary
    from app.simulation.orders import Order
    from app.simulation.running import Run

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C stopped, by the custom of shells."""

MOST_SHOWN = 5
"""So many failed games are shown; all of them are in the CSV and JSON."""


def simulate(
    game: Annotated[str, typer.Argument(help="The game's id.")],
    scenario: Annotated[str | None, typer.Option(help="Its id; the first one is taken.")] = None,
    setup: Annotated[
        Path | None, typer.Option(help="A set-up of your own: .json or .toml.", dir_okay=False)
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many.")] = 1000,
    a: Annotated[str | None, typer.Option("--a", help="The bot of the first seat.")] = None,
    b: Annotated[str | None, typer.Option("--b", help="The bot of the second seat.")] = None,
    ruling: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Settle a ruling; repeatable.")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**53 - 1, help="The same seed plays the same games.")
    ] = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=256, help="Processes; as many as processors.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The results as JSON.")] = False,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one row a game there.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw the results there.")
    ] = None,
) -> None:
    """Let bots play many games of GAME against each other, and count what came of them."""
    from app.engine.errors import Refused
    from app.simulation.counting import summary_of
    from app.simulation.orders import order_for

    try:
        order = order_for(
            game,
            scenario=scenario,
            setup=_read_setup(setup, scenario),
            bots=(a, b) if b is not None else (a,),
            rulings=_rulings(ruling or ()),
            games=games,
            seed=seed,
        )
    except Refused as refusal:
        _stop(refusal.detail)
    for file in (csv, plot):
        if file is not None and not file.absolute().parent.is_dir():
            _stop(f"there is no folder {file.parent} to write {file.name} in")
    run = _run_with_bar(order, jobs)
    summary = summary_of(run)
    if as_json:
        from app.simulation.writing import json_of

        sys.stdout.write(json_of(summary) + "\n")
    else:
        _show(summary)
    _write_files(run, summary, csv, plot)
    if not run.whole and not run.failures:
        raise typer.Exit(INTERRUPTED)
    if run.failures:
        raise typer.Exit(1)


def _stop(message: str) -> Never:
    sys.stderr.write(f"contrail: {message}\n")
    raise typer.Exit(1)


def _read_setup(file: Path | None, scenario: str | None) -> Any:
    """The data of a file; of a scenario's file, its set-up. None where none is named."""
    if file is None:
        return None
    if scenario is not None:
        _stop("give --scenario or --setup, not both")
    import msgspec

    decoders: dict[str, Callable[[bytes], Any]] = {
        ".json": msgspec.json.decode,
        ".toml": msgspec.toml.decode,
    }
    if file.suffix not in decoders:
        _stop(f"{file}: a set-up is a .json or a .toml file")
    try:
        data = decoders[file.suffix](file.read_bytes())
    except OSError as error:
        _stop(f"{file} can't be read: {error.strerror}")
    except (msgspec.DecodeError, UnicodeError) as error:
        _stop(f"{file} can't be read: {error}")
    return data["setup"] if isinstance(data, dict) and "setup" in data else data  # pyright: ignore[reportUnknownVariableType]


def _rulings(pairs: Sequence[str]) -> dict[str, str]:
    settled: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            _stop(f"--ruling {pair}: write it as KEY=VALUE")
        settled[key] = value
    return settled


def _run_with_bar(order: "Order", jobs: int | None) -> "Run":
    """Play, with a bar on a terminal's stderr. Ctrl-C ends it early, with what is finished."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from app.simulation.running import run

    console = Console(stderr=True)
    columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with _until_interrupted() as interrupted, bar:
        task = bar.add_task("", total=order.games)

        def progress(done: int) -> None:
            bar.update(task, completed=done)

        return run(order, progress, interrupted.is_set, jobs=jobs)


@contextlib.contextmanager
def _until_interrupted() -> Generator[threading.Event]:
    """An event that Ctrl-C or a request to end sets. A second Ctrl-C is as usual."""
    interrupted = threading.Event()

    def heard(number: int, frame: FrameType | None) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, heard) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _write_files(run: "Run", summary: "Summary", csv: Path | None, plot: Path | None) -> None:
    from app.simulation.charts import svg_of
    from app.simulation.writing import csv_of

    try:
        if csv is not None:
            csv.write_text(csv_of(run), encoding="utf-8")
        if plot is not None:
            plot.write_text(svg_of(summary), encoding="utf-8")
    except OSError as error:
        _stop(f"{error.filename} can't be written: {error.strerror}")


def _show(summary: "Summary") -> None:
    from rich.console import Console

    from app.games import registry

    order, speed = summary.order, summary.speed
    console = Console(highlight=False, markup=False)
    console.print(
        f"{registry.load(order.game).meta.title}: {order.scenario or 'own set-up'}, "
        f"{summary.games} games, seed {order.seed}, {speed.seconds:.1f} s, "
        f"{speed.games_per_second:g} games/s"
    )
    if not summary.whole:
        console.print(f"CUT SHORT: {summary.games} of {order.games} games were finished.")
    if summary.turns is not None:
        turns = summary.turns
        console.print(_sides(summary))
        console.print(
            f"Turns: mean {turns.mean:.1f}, median {turns.median:g}, the middle half "
            f"{turns.lower_quartile:g} to {turns.upper_quartile:g}, all {turns.least} to {turns.most}"
        )
        console.print(
            "Ended by: " + ", ".join(f"{why} {count}" for why, count in summary.reasons.items())
        )
        if any(side.lost for side in summary.sides):
            console.print(_losses(summary))
    _show_failures(summary, console.print)


def _sides(summary: "Summary") -> "Table":
    from app.simulation.charts import percent

    table = _table("side", "bot")
    for name in ("wins", "%", "95% interval", "score", "decisions", "ms mean", "ms max"):
        table.add_column(name, justify="right", no_wrap=True)
    for side in summary.sides:
        pace = summary.speed.bots[side.seat]
        table.add_row(
            side.label,
            side.bot,
            str(side.wins.count),
            percent(side.wins.rate),
            _interval(side.wins),
            "" if side.score is None else f"{side.score:.2f}",
            str(pace.decisions),
            f"{pace.mean_ms:.3f}",
            f"{pace.most_ms:.1f}",
        )
    draws = summary.draws
    table.add_row("draws", "", str(draws.count), percent(draws.rate), _interval(draws))
    return table


def _interval(share: "Share") -> str:
    from app.simulation.charts import percent

    return f"{percent(share.low).removesuffix('%')}-{percent(share.high)}"


def _table(*names: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name in names:
        table.add_column(name, no_wrap=True)
    return table


def _losses(summary: "Summary") -> "Table":
    table = _table("lost by")
    for side in summary.sides:
        table.add_column(side.label, justify="right")
    for cause in dict.fromkeys(cause for side in summary.sides for cause in side.lost):
        table.add_row(cause, *(str(side.lost.get(cause, 0)) for side in summary.sides))
    return table


def _show_failures(summary: "Summary", say: Callable[..., None]) -> None:
    from app.simulation.writing import command_line

    if not summary.failures:
        return
    say(f"FAILED: {len(summary.failures)} games. Each can be played again, as here:")
    for failure in summary.failures[:MOST_SHOWN]:
        say(f"  {failure.error}", soft_wrap=True)
        say(f"    {command_line(summary.order, games=1, seed=failure.seed)}", soft_wrap=True)
