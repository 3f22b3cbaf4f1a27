"""What is measured of tables as they grow old or lie idle: the cost of a long log, memory."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

from tests.load.measure import Plan, Row, percentile
from tests.load.play import Player, Sample, Table
from tests.load.scenarios import order_for, play, sitting
from tests.load.server import Server
from tests.load.wire import BenchError

# A long log

JETS = 4
"""Of each table here: so many that a game of 200 turns has well over 10,000 entries."""
CHUNK = 36
"""Commands in a row, about two turns, at the short and the long log turn about."""


async def log(plan: Plan) -> list[Row]:
    """Commands and joining at a young table and at one with a long log, turn about."""
    length, chunks = plan.of(10_000, 2_000), plan.of(12, 4)
    with Server("contrail", plan.folder, {"CONTRAIL_LIVE_TABLES": "2"}) as server:
        async with sitting(server, jets=JETS) as (old,):
            while old.players[0].version < length:
                if not await play(old, "page", 100):
                    raise BenchError(f"the game ended with {old.players[0].version} entries")
            start = old.players[0].version
            short: list[Sample] = []
            long: list[Sample] = []
            cpu = {"short": 0.0, "long": 0.0}
            join: dict[str, list[tuple[float, int]]] = {"short": [], "long": []}
            order = await order_for(server.address, "contrail", JETS)
            for n in range(chunks):
                young = await Table.open(server.address, order, 100 + n)
                await plan.calm()
                for name, table, samples in (("short", young, short), ("long", old, long)):
                    before = server.cpu()
                    samples += await play(table, "page", CHUNK)
                    cpu[name] += server.cpu() - before
                    join[name] += [await _join(table) for _ in range(3)]
                young.close()
            end = old.players[0].version
            if old.over:
                raise BenchError(f"the game ended with {end} entries")
        # Nobody watches any more, and there is room for two: the next ones drive it out.
        stranger = Player(server.address)
        for _ in range(2):
            await stranger.call("/api/tables", order)
        cold = await _join(old)
        old.close()
    weights = _counts(long)
    measures: dict[str, Callable[[Sample], float]] = {
        "other ms": lambda one: one.other * 1000,
        "POST ms": lambda one: one.answered * 1000,
        "answer+frames B": lambda one: one.answer_bytes + one.frame_bytes,
    }
    rows: list[Row] = [
        {"log": "10-150 entries"},
        {"log": f"{start}-{end} entries"},
        {"log": "ratio"},
    ]
    for name, measure in measures.items():
        _fill(rows, name, *(_weighted(part, weights, measure) for part in (short, long)))
    _fill(
        rows,
        "cpu ms/cmd",
        *(1000 * cpu[name] / len(part) for name, part in (("short", short), ("long", long))),
    )
    for name, place in (("join ms", 0), ("join B", 1)):
        one, other = (percentile([got[place] for got in join[kind]], 0.5) for kind in join)
        scale = 1000 if place == 0 else 1
        _fill(rows, name, one * scale, other * scale)
    rows[1]["join cold ms"] = round(cold[0] * 1000, 1)
    return rows


def _fill(rows: Sequence[Row], name: str, short: float, long: float) -> None:
    digits = None if short > 100 else 2
    rows[0][name], rows[1][name] = round(short, digits), round(long, digits)
    rows[2][name] = round(long / short, 3)


def _counts(samples: Sequence[Sample]) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for sample in samples:
        counts[sample.kind] += 1
    return counts


def _weighted(
    samples: Sequence[Sample], weights: dict[str, int], measure: Callable[[Sample], float]
) -> float:
    """The mean of the medians of each kind of command, so that another mix of kinds makes no odds."""
    by_kind: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        by_kind[sample.kind].append(measure(sample))
    total = sum(weights[kind] for kind in by_kind)
    medians = {kind: percentile(values, 0.5) for kind, values in by_kind.items()}
    return sum(medians[kind] * weights[kind] for kind in by_kind) / total


async def _join(table: Table) -> tuple[float, int]:
    """Seconds until a player has the page, and its bytes without compression."""
    start = time.perf_counter()
    reply = await table.players[0].get(f"/tables/{table.id}")
    if reply.status != 200:
        raise BenchError(f"the page was answered {reply.status}")
    return reply.at - start, len(reply.body)


# Memory

ROOMY = 100_000


async def memory(plan: Plan) -> list[Row]:
    """Resident memory for each idle table: opened and left, by default and with all kept in memory."""
    rows: list[Row] = []
    counts = (plan.of(1000, 200), plan.of(5000, 1000))
    for keep in (None, ROOMY):
        env = {} if keep is None else {"CONTRAIL_LIVE_TABLES": str(keep)}
        with Server("contrail", plan.folder, env) as server:
            async with sitting(server):
                pass  # so that everything is loaded that one game needs
            empty = server.rss()
            opened = 0
            for count in counts:
                start = time.perf_counter()
                await _open_tables(server, count - opened)
                seconds = time.perf_counter() - start
                rss = server.rss()
                rows.append(
                    {
                        "kept in memory": "default" if keep is None else keep,
                        "tables": count,
                        "RSS MB": round(rss / 1e6, 1),
                        "kB per table": round((rss - empty) / count / 1000, 2),
                        "opened/s": round((count - opened) / seconds),
                    }
                )
                opened = count
    return rows


async def _open_tables(server: Server, count: int) -> None:
    order = await order_for(server.address, "contrail")
    left = count

    async def opener() -> None:
        nonlocal left
        player = Player(server.address)
        while left > 0:
            left -= 1
            await player.call("/api/tables", {**order, "mode": "shared"})
        player.close()

    await asyncio.gather(*(opener() for _ in range(4)))
