"""What is measured while a game is played: one table, many tables, many spectators.

Each scenario gives rows. The bare server is played in the same runs, turn about, so that a ratio to it is
taken under the same conditions.
"""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from tests.load.measure import Meter, Plan, Row, best, p50_p99
from tests.load.play import DOORS, Alone, Crowd, Door, Sample, Table
from tests.load.profiling import profiled
from tests.load.server import Kind, Server
from tests.load.wire import Address, Link, get

KINDS: tuple[Kind, ...] = ("bare", "contrail")
WARM_UP = 30
"""Commands before the first that counts."""


async def order_for(address: Address, kind: Kind, jets: int = 2) -> Mapping[str, Any]:
    """A table to open: the printed duel on a board and with a turn limit that outlast a measurement.

    Nobody fights or runs out of fuel: one who is shot down ends the measurement.
    """
    if kind == "bare":
        return {"game": "bare"}
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
    setup = {**duel, "turns": 200, "board": board, "jets": fleet}
    return {"game": "osaaf", "setup": setup, "rulings": {"combat": "off", "fuel": "off"}}


@contextlib.asynccontextmanager
async def sitting(server: Server, tables: int = 1, jets: int = 2) -> AsyncGenerator[list[Table]]:
    """Tables with both players, who leave at the end."""
    order = await order_for(server.address, server.kind, jets)
    opened: list[Table] = []
    try:
        for seed in range(1, tables + 1):
            table = await Table.open(server.address, order, seed)
            opened.append(table)
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
        await plan.calm()
        meter = Meter(server)
        samples = await play(table, door, plan.of(500, 150))
        shares = meter.row(len(samples))
    return {
        **p50_p99("other", [sample.other for sample in samples]),
        **p50_p99("POST", [sample.answered for sample in samples]),
        **shares,
    }


# Many tables

TABLES = 50
PACE = 4.0
"""Commands per second at each table when they are paced."""


async def tables(plan: Plan) -> list[Row]:
    """50 tables of two players: paced like very fast people, and flat out."""
    rows: list[Row] = []
    with Server("bare", plan.folder) as bare, Server("contrail", plan.folder) as ours:
        for door in DOORS:
            paced: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
            flat: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
            for _ in range(plan.runs):
                for server in (bare, ours):
                    async with sitting(server, TABLES) as opened:
                        paced[server.kind].append(await _paced(plan, server, opened, door))
                        flat[server.kind].append(await _flat_out(plan, server, opened, door))
            for kind in KINDS:
                one = best(paced[kind], "other p50", min)
                rows.append({"server": kind, "door": door, "load": "4/s each", **one})
            for kind in KINDS:
                one = best(flat[kind], "cmd/s", max)
                rows.append({"server": kind, "door": door, "load": "flat out", **one})
        alone = [await _unwatched(plan, ours) for _ in range(plan.runs)]
        one = best(alone, "cmd/s", max)
        rows.append({"server": "contrail", "door": "json", "load": "unwatched", **one})
    if plan.profile is not None:
        with Server("contrail", plan.folder) as server:
            async with sitting(server, TABLES) as opened:
                with profiled(server, plan.profile, "tables", 6):
                    await _for_seconds(opened, "page", 8)
    return rows


async def _paced(plan: Plan, server: Server, opened: list[Table], door: Door) -> Row:
    seconds = plan.of(5, 3)
    rng = random.Random(1)
    samples: list[Sample] = []
    late = 0
    await plan.calm()
    meter = Meter(server)
    begin = time.perf_counter() + 0.1

    async def at(table: Table) -> None:
        nonlocal late
        due = begin + rng.random() / PACE
        while due < begin + seconds:
            wait = due - time.perf_counter()
            await asyncio.sleep(max(0.0, wait))
            late += time.perf_counter() - due > 0.02
            sample = await table.command(door)
            if sample is None:
                return
            samples.append(sample)
            due += 1 / PACE

    await asyncio.gather(*map(at, opened))
    return {
        "cmd/s": round(len(samples) / meter.seconds),
        **p50_p99("other", [sample.other for sample in samples]),
        **p50_p99("POST", [sample.answered for sample in samples]),
        "late": late,
        **meter.row(len(samples)),
    }


async def _flat_out(plan: Plan, server: Server, opened: list[Table], door: Door) -> Row:
    await plan.calm()
    await _for_seconds(opened, door, 0.5)
    meter = Meter(server)
    samples = await _for_seconds(opened, door, plan.of(4, 2))
    return {
        "cmd/s": round(len(samples) / meter.seconds),
        **p50_p99("other", [sample.other for sample in samples]),
        **p50_p99("POST", [sample.answered for sample in samples]),
        **meter.row(len(samples)),
    }


async def _for_seconds(opened: list[Table], door: Door, seconds: float) -> list[Sample]:
    """Each table plays one command after another, all of them at the same time."""
    samples: list[Sample] = []
    end = time.perf_counter() + seconds

    async def at(table: Table) -> None:
        while time.perf_counter() < end:
            sample = await table.command(door)
            if sample is None:
                return
            samples.append(sample)

    await asyncio.gather(*map(at, opened))
    return samples


async def _unwatched(plan: Plan, server: Server) -> Row:
    """As many tables, each of one script that plays both seats, with nobody watching: only the commands."""
    order = await order_for(server.address, server.kind)
    alone = [Alone(server.address, seed) for seed in range(TABLES)]
    await asyncio.gather(*(one.open(order) for one in alone))
    await plan.calm()
    meter = Meter(server)
    end = time.perf_counter() + plan.of(4, 2)
    counts = await asyncio.gather(*(one.play_until(end) for one in alone))
    row = {"cmd/s": round(sum(counts) / meter.seconds), **meter.row(sum(counts))}
    for one in alone:
        one.close()
    return row


# Many spectators

CROWDS = (100, 500)
CROWD_PACE = 10.0


async def fan_out(plan: Plan) -> list[Row]:
    """One table with a crowd: flat out, and paced with the time until the last one sees it."""
    rows: list[Row] = []
    with Server("bare", plan.folder) as bare, Server("contrail", plan.folder) as ours:
        for size in CROWDS:
            flat: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
            paced: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
            for _ in range(plan.runs):
                for server in (bare, ours):
                    async with _crowded(server, size) as (table, crowd):
                        paced[server.kind].append(await _crowd_paced(plan, server, table, crowd))
                        flat[server.kind].append(await _crowd_flat(plan, server, table, crowd))
            for kind in KINDS:
                one = best(paced[kind], "last p50", min)
                rows.append({"server": kind, "crowd": size, "load": "10/s", **one})
            for kind in KINDS:
                one = best(flat[kind], "cmd/s", max)
                rows.append({"server": kind, "crowd": size, "load": "flat out", **one})
    if plan.profile is not None:
        with Server("contrail", plan.folder) as server:
            async with _crowded(server, CROWDS[-1]) as (table, _):
                with profiled(server, plan.profile, "fan-out", 6):
                    await _for_seconds([table], "page", 8)
    return rows


@contextlib.asynccontextmanager
async def _crowded(server: Server, size: int) -> AsyncGenerator[tuple[Table, Crowd]]:
    async with sitting(server) as (table,):
        crowd = Crowd(size)
        try:
            await crowd.gather(server.address, table.id)
            await play(table, "page", WARM_UP)
            yield table, crowd
        finally:
            crowd.close()


def _version(table: Table) -> int:
    return max(player.version for player in table.players)


async def _crowd_paced(plan: Plan, server: Server, table: Table, crowd: Crowd) -> Row:
    seconds = plan.of(5, 3)
    last: list[float] = []
    others: list[float] = []
    await plan.calm()
    meter = Meter(server)
    begin = time.perf_counter()
    for n in range(int(seconds * CROWD_PACE)):
        await asyncio.sleep(max(0.0, begin + n / CROWD_PACE - time.perf_counter()))
        crowd.after(_version(table))
        start = time.perf_counter()
        sample = await table.command("page")
        if sample is None:
            break
        await crowd.all()
        last.append(crowd.last_at - start)
        others.append(sample.other)
    return {
        "cmd/s": round(len(last) / meter.seconds),
        **p50_p99("last", last),
        **p50_p99("other", others),
        **meter.row(len(last)),
    }


async def _crowd_flat(plan: Plan, server: Server, table: Table, crowd: Crowd) -> Row:
    frames, writes, received = crowd.frames, crowd.writes, crowd.bytes
    await plan.calm()
    meter = Meter(server)
    before = _version(table)
    samples = await _for_seconds([table], "page", plan.of(3, 2))
    # It counts only what everybody has seen.
    crowd.after(max(before, _version(table) - 1))
    await crowd.all()
    seconds, count = meter.seconds, len(samples)
    return {
        "cmd/s": round(count / seconds),
        "frames each": round((crowd.frames - frames) / crowd.size / count, 3),
        "per write": round((crowd.frames - frames) / max(1, crowd.writes - writes), 2),
        "MB/s": round((crowd.bytes - received) / seconds / 1e6),
        **p50_p99("other", [sample.other for sample in samples]),
        **meter.row(count),
    }
