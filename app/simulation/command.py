"""The command `simulate`: its options, a bar while it runs, and the results as tables or files.

Belongs here: what can be asked for in a terminal. Does not belong here: playing, counting, and the tables
(`terminal`). What takes time to import is imported when the command runs, so that `--help` is quick.
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
    from app.simulation.orders import Order
    from app.simulation.results import Result
    from app.simulation.running import Run

INTERRUPTED = 130
"""The exit status of a command that Ctrl-C stopped, by the custom of shells."""


def simulate(
    game: Annotated[str, typer.Argument(help="The game's id.")],
    scenario: Annotated[str | None, typer.Option(help="Its id; the first one is taken.")] = None,
    setup: Annotated[
        Path | None, typer.Option(help="A set-up of your own: .json or .toml.", dir_okay=False)
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many.")] = 1000,
    a: Annotated[str | None, typer.Option("--a", help="The bot of the first seat.")] = None,
    b: Annotated[str | None, typer.Option("--b", help="The bot of the second seat.")] = None,
    compare: Annotated[
        str | None,
        typer.Option(metavar="BOT,BOT…", help="Play the same for each of these bots, in one seat."),
    ] = None,
    career: Annotated[
        int, typer.Option(metavar="N", min=0, help="N in a row for the same persons, each time.")
    ] = 0,
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
    from app.simulation.orders import compared, order_for
    from app.simulation.results import results_of

    if compare is not None and (a is not None or b is not None):
        _stop("give --compare, or --a and --b, not both")
    try:
        order = order_for(
            game,
            scenario=scenario,
            setup=_read_setup(setup, scenario),
            bots=(a, b) if b is not None else (a,),
            rulings=_rulings(ruling or ()),
            games=games,
            seed=seed,
            missions=career,
        )
        orders = (order,) if compare is None else compared(order, compare.split(","))
    except Refused as refusal:
        _stop(refusal.detail)
    for file in (csv, plot):
        if file is not None and not file.absolute().parent.is_dir():
            _stop(f"there is no folder {file.parent} to write {file.name} in")
    runs = _run_with_bar(orders, jobs)
    results = results_of(runs)
    _tell(results, as_json=as_json)
    _write_files(runs, results, csv, plot)
    if any(run.failures for run in runs):
        raise typer.Exit(1)
    if not all(run.whole for run in runs):
        raise typer.Exit(INTERRUPTED)


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

    from app.engine.numbers import whole

    decoders: dict[str, Callable[[bytes], Any]] = {
        ".json": lambda text: whole(msgspec.json.decode(text)),
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


def _run_with_bar(orders: "Sequence[Order]", jobs: int | None) -> "Sequence[Run]":
    """Play, with a bar on a terminal's stderr. Ctrl-C ends it early, with what is finished."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from app.simulation.running import run_all

    console = Console(stderr=True)
    columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with _until_interrupted() as interrupted, bar:
        task = bar.add_task("", total=sum(order.games for order in orders))

        def progress(done: int) -> None:
            bar.update(task, completed=done)

        return run_all(orders, progress, interrupted.is_set, jobs=jobs)


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


def _tell(results: "Sequence[Result]", *, as_json: bool) -> None:
    if as_json:
        from app.simulation.writing import json_of

        sys.stdout.write(json_of(results) + "\n")
    else:
        from app.simulation.terminal import show

        show(results)


def _write_files(
    runs: "Sequence[Run]", results: "Sequence[Result]", csv: Path | None, plot: Path | None
) -> None:
    from app.simulation.plots import svg_of
    from app.simulation.results import figures_of
    from app.simulation.writing import csv_of

    try:
        if csv is not None:
            csv.write_text(csv_of(runs), encoding="utf-8")
        if plot is not None:
            plot.write_text(svg_of(results, figures_of(results)), encoding="utf-8")
    except OSError as error:
        _stop(f"{error.filename} can't be written: {error.strerror}")
