"""Bots: whole games a second, and how long a decision takes. No server is involved.

For each game that has bots, the first against the last in the game's first scenario: one process, then one
for each processor.
"""

import asyncio
import time
from collections.abc import Callable

from app.games import registry
from app.simulation.counting import Summary, summary_of
from app.simulation.orders import Order, order_for
from app.simulation.running import processors, run
from tests.load.measure import Plan, Row, best


async def bots(plan: Plan) -> list[Row]:
    """A row for each game and number of processes."""
    rows: list[Row] = []
    for game in registry.metas():
        players = registry.load(game).bots
        if not players:
            continue
        seats = len(order_for(game, games=1, seed=1).bots)
        named = [players[0].id, players[-1].id][:seats]
        order = order_for(game, bots=named, games=100_000, seed=1)
        for jobs in dict.fromkeys((1, processors())):
            taken: list[Row] = []
            for _ in range(plan.runs):
                await plan.calm()
                taken.append(await asyncio.to_thread(_measured, order, jobs, plan.of(30, 5)))
            rows.append(best(taken, "games/s", max))
    return rows


def _measured(order: Order, jobs: int, seconds: float) -> Row:
    """As many games as there is time for; the last ones, in the middle of which it ends, are lost."""
    end = time.monotonic() + seconds
    counted = summary_of(run(order, cancelled=lambda: time.monotonic() > end, jobs=jobs))
    return {
        "game": f"{order.game} {order.scenario}",
        "bots": " - ".join(order.bots.values()),
        "processes": jobs,
        "games": counted.games,
        "games/s": counted.speed.games_per_second,
        "ms/game": _each(counted, lambda made: 1000 * jobs * made.speed.seconds),
        "decisions": _each(
            counted, lambda made: sum(b.decisions for b in made.speed.bots.values())
        ),
        **{
            f"ms/decision {n}": pace.mean_ms
            for n, pace in enumerate(counted.speed.bots.values(), start=1)
        },
        "longest ms": max(pace.most_ms for pace in counted.speed.bots.values()),
        "failed": len(counted.failures),
    }


def _each(counted: Summary, of: Callable[[Summary], float]) -> float:
    """A total for each game."""
    return round(of(counted) / max(1, counted.games), 1)
