"""Writing: results as JSON and CSV, and the command that repeats them."""

import csv
import io
import shlex

import msgspec

from app.simulation.counting import Summary
from app.simulation.orders import Order
from app.simulation.running import Run


def json_of(summary: Summary) -> str:
    """The summary as JSON."""
    return msgspec.json.format(msgspec.json.encode(summary), indent=2).decode()


def csv_of(run: Run) -> str:
    """One row a game. A game that failed has its error and nothing else."""
    seats = list(run.order.bots)
    names = ["game", "seed", "winners", "reason", "turns", "decisions", "seconds"]
    names += [f"{what} {seat}" for seat in seats for what in ("score", "lost")]
    names += ["fates", "error"]
    text = io.StringIO()
    rows = csv.DictWriter(text, names, lineterminator="\n")
    rows.writeheader()
    for number, one in run.outcomes.items():
        row: dict[str, object] = {
            "game": number,
            "seed": one.seed,
            "winners": " ".join(one.winners),
            "reason": one.reason,
            "turns": one.turns,
            "decisions": one.decisions,
            "seconds": f"{one.seconds:.6f}",
            "fates": "; ".join(f"{fate.unit}: {fate.cause}" for fate in one.fates),
        }
        for seat in seats:
            row[f"score {seat}"] = one.scores.get(seat, "")
            row[f"lost {seat}"] = sum(fate.seat == seat for fate in one.fates)
        rows.writerow(row)
    for failure in run.failures:
        rows.writerow({"game": failure.number, "seed": failure.seed, "error": failure.error})
    return text.getvalue()


def command_line(order: Order, *, games: int | None = None, seed: int | None = None) -> str:
    """The command that plays an order again, or one game of it. Set-ups of one's own are a file's."""
    words = ["python", "-m", "app", "simulate", order.game]
    if order.scenario:
        words += ["--scenario", order.scenario]
    else:
        words += ["--setup", "FILE"]
    words += ["--games", str(order.games if games is None else games)]
    for option, bot in zip(("--a", "--b"), order.bots.values(), strict=False):
        words += [option, bot]
    for key, value in order.rulings.items():
        words += ["--ruling", f"{key}={value}"]
    words += ["--seed", str(order.seed if seed is None else seed)]
    return shlex.join(words)
