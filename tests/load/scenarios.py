"""What is measured while a game is played: one table, many tables, many spectators.

Each scenario gives rows. The bare server is played in the same runs, turn about, so that a ratio to it is
taken under the same conditions.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from tests.load.measure import Meter, Plan, Row, best, p50_p99
from tests.load.play import DOORS, Crowd, Door, Sample, Table
from tests.load.profiling import profiled
from tests.load.server import Kind, Server
from tests.load.wire import Address, Link, get

KINDS: tuple[Kind, ...] = ("bare", "contrail")
WARM_UP = 30
"""Commands before the first that counts."""


async def order_for(address: Address, kind: Kind, jets: int = 2) -> Mapping[str, Any]:
    """A table to open: the printed duel on a board and with a turn limit that outlast a measurement."""
    if kind == "bare":
        return {"game": "bare"}
    import json

    link = Link(address)
    reply = await link.send(get(address, "/api/games/osaaf/scenarios/duel"))
    link.close()
    duel = json.loads(reply.body)
    fleet = [
        {
            **duel["jets"][n % 2],
            "id": f"jet-{n}",
            "name": f"Jet {n}",
            "hex": f"{46 + n}{40 + 20 * (n % 2)}",
        }
        for n in range(jets)
    ]
    board = {"columns": 99, "rows": 99}
    return {"game": "osaaf", "setup": {**duel, "turns": 200, "board": board, "jets": fleet}}


@contextlib.asynccontextmanager
async def sitting(
    server: Server, tables: int = 1, jets: int = 2
) -> AsyncGenerator[list[Table]]:
    """Tables with both players, who leave at the end."""
    order = await order_for(server.address, server.kind, jets)
    opened: list[Table] = []
    try:
        for seed in range(tables):
            opened.append(await Table.open(server.address, order, seed + 1))
        yield opened
    finally:
        for table in opened:
            table.close()


async def play(table: Table, door: Door, commands: int) -> list[Sample]:
    """Commands one after another; fewer when the game is over before."""
    samples: list[Sample] = []
    for _ in range(commands):
        sample = await table.command(door)
        if sample is None:
            break
        samples.append(sample)
    return samples


# One table


async def latency(plan: Plan) -> list[Row]:
    """One table, two players, one command at a time."""
    rows: list[Row] = []
    with Server("bare", plan.folder) as bare, Server("contrail", plan.folder) as ours:
        for door in DOORS:
            runs: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
            for _ in range(plan.runs):
                for server in (bare, ours):
                    runs[server.kind].append(await _latency(plan, server, door))
            both = {kind: best(runs[kind], "other p50", min) for kind in KINDS}
            for kind in KINDS:
                ratio = both[kind]["other p50"] / both["bare"]["other p50"]
                rows.append({"server": kind, "door": door, **both[kind], "x bare": round(ratio, 2)})
    return rows


async def _latency(plan: Plan, server: Server, door: Door) -> Row:
    async with sitting(server) as (table,):
        await play(table, door, WARM_UP)
        meter = Meter(server)
        samples = await play(table, door, plan.of(500, 150))
        shares = meter.row()
    cpu = meter_cpu(shares, samples, sum(1 for _ in samples))
    return {
        **p50_p99("other", [sample.other for sample in samples]),
        **p50_p99("POST", [sample.answered for sample in samples]),
        "cpu ms/cmd": cpu,
        **shares,
    }


def meter_cpu(shares: Row, samples: list[Sample], count: int) -> float:
    """Milliseconds of the server's processor time for each command of a closed loop."""
    total = sum(max(s.answered, s.own, s.other) for s in samples)
    return round(shares["server %"] / 100 * total / count * 1000, 2)
