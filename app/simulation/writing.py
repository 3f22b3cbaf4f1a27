"""Writing: results as JSON and CSV, and the command that repeats them."""

import csv
import io
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from app.simulation.careers import Career
from app.simulation.orders import Order
from app.simulation.playing import Outcome
from app.simulation.results import Result
from app.simulation.running import Run

Row = dict[str, object]


def json_of(results: Sequence[Result]) -> str:
    """The result as JSON; several under the ids of the bots that they compare."""
    data: Any = results[0]
    if len(results) > 1:
        data = {"compared": {_policy(result.order): result for result in results}}
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def csv_of(runs: Sequence[Run]) -> str:
    """One row a game, or a career. One that failed has its error and nothing else.

    Where bots are compared, the first column says whose game it is.
    """
    several = len(runs) > 1
    rows = [
        {"policy": _policy(run.order), **row} if several else row
        for run in runs
        for row in _rows(run)
    ]
    text = io.StringIO()
    # Measures are the game's, and a failed game has none: the columns are those of all rows.
    first = ["policy"] * several + [_number(runs[0].order), "seed"]
    names = dict.fromkeys([*first, *(name for row in rows for name in row if name != "error")])
    writer = csv.DictWriter(text, [*names, "error"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def command_line(
    orders: Sequence[Order], *, games: int | None = None, seed: int | None = None
) -> str:
    """The command that plays orders again, or one game of one. Set-ups of one's own are a file's."""
    order = orders[0]
    words = ["python", "-m", "app", "simulate", order.game]
    words += ["--scenario", order.scenario] if order.scenario else ["--setup", "FILE"]
    words += ["--games", str(order.games if games is None else games)]
    if order.missions:
        words += ["--career", str(order.missions)]
    if len(orders) > 1:
        words += ["--compare", ",".join(map(_policy, orders))]
    else:
        for option, bot in zip(("--a", "--b"), order.bots.values(), strict=False):
            words += [option, bot]
    for key, value in order.rulings.items():
        words += ["--ruling", f"{key}={value}"]
    words += ["--seed", str(order.seed if seed is None else seed)]
    return shlex.join(words)


def _policy(order: Order) -> str:
    """Whom an order that is compared to others has in its one seat."""
    return next(iter(order.bots.values()))


def _number(order: Order) -> str:
    return "career" if order.missions else "game"


def _rows(run: Run) -> Iterator[Row]:
    number = _number(run.order)
    for n, outcome in run.outcomes.items():
        yield {number: n, **_game(outcome, list(run.order.bots))}
    for n, career in run.careers.items():
        yield {number: n, **_career(career)}
    for failure in run.failures:
        yield {number: failure.number, "seed": failure.seed, "error": failure.error}


def _game(one: Outcome, seats: Sequence[str]) -> Row:
    row: Row = {
        "seed": one.seed,
        "winners": " ".join(one.winners),
        "reason": one.reason,
        "turns": one.turns,
        "decisions": one.decisions,
        "seconds": f"{one.seconds:.6f}",
    }
    for seat in seats:
        row[f"score {seat}"] = one.scores.get(seat, "")
        row[f"lost {seat}"] = sum(fate.seat == seat for fate in one.fates)
    row["fates"] = "; ".join(f"{fate.unit}: {fate.cause}" for fate in one.fates)
    return row | _by_seat({seat: dict(named) for seat, named in one.measures.items()})


def _career(one: Career) -> Row:
    row: Row = {
        "seed": one.seed,
        "missions": one.missions,
        "over": int(one.over),
        "ending": one.ending,
        "decisions": one.decisions,
        "seconds": f"{one.seconds:.6f}",
    }
    for seat, totals in one.totals.items():
        row |= _by_seat({seat: {label: each[-1] for label, each in totals.items()}})
        held = {kind: _held(named) for kind, named in one.honours[seat].items()}
        row |= _by_seat({seat: held})
    return row


def _held(named: Mapping[str, bool]) -> str:
    return "; ".join(honour for honour, held in named.items() if held)


def _by_seat(values: Mapping[str, Mapping[str, Any]]) -> Row:
    """The game's own columns, which name the seat first. Yes is 1 and no is 0, so that they add up."""
    return {
        f"{seat}: {label}": _written(value)
        for seat, named in values.items()
        for label, value in named.items()
    }


def _written(value: object) -> object:
    if isinstance(value, int | float) and value == int(value):
        return int(value)
    return value
