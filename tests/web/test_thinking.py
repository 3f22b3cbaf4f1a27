"""Bots in their processes: what one of them does costs its own table an answer, and nobody more."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.thinking import pool
from app.thinking.pool import Thinkers
from tests.e2e.server import Server
from tests.simulation import spar
from tests.simulation.processes import children, needs_proc, wait_until_gone
from tests.web.house import House, Table, open_house, until
from tests.web.test_bots import autoplay, live, rest

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")]

EVERY_WAY = {
    "stuck": "it has not answered in 0.3 seconds",
    "gone": "its process ended",
    "leaving": "SystemExit: enough",
    "hungry": "more memory than a bot may",
    "gabby": "is 10,000,",
    "cheat": "answers what can't be",
}


@pytest.fixture
def spar_installed(tmp_path: Path, plug_ins: None) -> Iterator[None]:
    """A game whose bots do what tests need."""
    with spar.installed(tmp_path / "site"):
        yield


async def against(house: House, bot: str) -> Table:
    """A new table of somebody new, against such a bot."""
    return await (await house.visitor()).sit("spar", bots={"blue": bot}, scenario="duel")


async def play_to_the_end(table: Table, rng: random.Random) -> None:
    """A whole game."""
    for _ in range(300):
        await rest(table.house)
        if await table.step(rng) is None:
            return
    raise AssertionError("the game did not end")


async def asked_at(house: House, *tables: Table) -> None:
    """Wait until the bots of tables are deciding."""

    async def all_of_them() -> bool:
        return all(table.id in autoplay(house)._tasks for table in tables)

    await until(all_of_them)


def thinkers(house: House) -> Thinkers:
    """Where a server's bots think."""
    return autoplay(house)._thinkers


# What a bot may do


@pytest.mark.parametrize(("bot", "why"), EVERY_WAY.items(), ids=list(EVERY_WAY))
async def test_a_bot_that_goes_wrong_costs_its_table_one_answer_and_the_log_one_line(
    tmp_path: Path, spar_installed: None, caplog: pytest.LogCaptureFixture, bot: str, why: str
) -> None:
    """Its table goes on with what is allowed first; the next question finds a process."""
    async with open_house(tmp_path, bot_seconds=0.3, bot_megabytes=128) as house:
        bad = await against(house, bot)
        for answers in (1, 2):
            await rest(house)
            lines = [one for one in caplog.records if "the bot" in one.getMessage()]
            assert len(lines) == answers
            assert why in lines[-1].getMessage()
            assert f"the bot {bot} fails at the table {bad.id}" in lines[-1].getMessage()
            assert "\n" not in lines[-1].getMessage()
            assert len(live(bad).held) + len(live(bad).entries) > 0
            if answers == 1:
                assert [one.seat for one in live(bad).held] == ["blue"]
                await bad.command("red", 1)  # then both plot, again in secret
        good = await against(house, "any")
        await play_to_the_end(good, random.Random(1))
        assert thinkers(house).processes <= 2


async def test_whoever_waits_for_a_bot_that_hangs_is_its_own_table(
    tmp_path: Path, spar_installed: None
) -> None:
    """More hang than there are processes, for longer than this test; a game is played beside."""
    async with open_house(tmp_path, bot_seconds=600) as house:
        hanging = [await against(house, "stuck") for _ in range(3)]
        good = await against(house, "any")
        rng = random.Random(2)
        for _ in range(300):
            await at_rest_but(house, hanging)
            if await good.step(rng) is None:
                break
        assert (await good.view())["finished"]
        for table in hanging:
            assert live(table).held == ()
            assert (await table.view("red"))["offers"]
        await asked_at(house, *hanging)


async def at_rest_but(house: House, tables: list[Table]) -> None:
    """Wait until no bot decides but those of some tables."""
    ids = {table.id for table in tables}

    async def quiet() -> bool:
        return autoplay(house)._tasks.keys() <= ids

    await until(quiet)


async def test_tables_whose_bots_hang_again_and_again_share_one_process(
    tmp_path: Path, spar_installed: None
) -> None:
    """They wait for each other, and never take more than their part."""
    async with open_house(tmp_path, bot_seconds=0.2) as house:
        tables = [await against(house, "stuck") for _ in range(6)]
        await rest(house)
        assert thinkers(house)._hung == {table.id for table in tables}
        for table in tables:
            await table.command("red", 1)

        async def at_most_one_hangs() -> bool:
            there, free = thinkers(house)._there, thinkers(house)._free.qsize()
            assert len(there) - free <= 1
            return not autoplay(house)._tasks

        await until(at_most_one_hangs)


async def test_a_bot_that_answers_in_time_again_is_like_any_other(
    tmp_path: Path, spar_installed: None
) -> None:
    async with open_house(tmp_path) as house:
        table = await against(house, "any")
        thinkers(house)._hung.add(table.id)
        await table.command("red", 1)
        await rest(house)
        assert not thinkers(house)._hung


async def test_the_same_seed_decides_alike_in_any_process(
    tmp_path: Path, spar_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a bot draws comes from the server: so a test, or a search for a fault, can repeat it."""
    monkeypatch.setattr("app.tables.opening.new_seed", lambda: bytes(32))
    monkeypatch.setattr("app.tables.autoplay.new_chance", lambda: random.Random(7))
    played: list[list[Any]] = []
    for n in range(2):
        async with open_house(tmp_path / str(n)) as house:
            table = await against(house, "any")
            await play_to_the_end(table, random.Random(1))
            played.append([one.event for one in live(table).entries])
    assert played[0] == played[1]


# Processes


@needs_proc
async def test_no_process_is_left_when_the_server_closes(
    tmp_path: Path, spar_installed: None
) -> None:
    before = children(os.getpid())
    async with open_house(tmp_path, bot_seconds=600) as house:
        await against(house, "any")
        await asked_at(house, await against(house, "stuck"))

        async def both() -> bool:  # the one that forks, and one that it forks
            return len(children(os.getpid()) - before) > 1

        await until(both)
        new = children(os.getpid()) - before
    await asyncio.to_thread(wait_until_gone, new)


@needs_proc
async def test_thinkers_start_without_the_process_that_forks_them(
    tmp_path: Path, spar_installed: None, caplog: pytest.LogCaptureFixture
) -> None:
    """It is killed: those that it had forked end with it, and the log says it once."""
    async with open_house(tmp_path) as house:
        first = await against(house, "any")
        await rest(house)
        forking = thinkers(house)._nursery._forking
        assert forking is not None
        new = children(forking._pid)
        assert new
        os.kill(forking._pid, signal.SIGKILL)
        await asyncio.to_thread(wait_until_gone, new)
        await play_to_the_end(first, random.Random(3))
        await play_to_the_end(await against(house, "any"), random.Random(4))
    assert caplog.text.count("is lost") == 1


async def test_where_nothing_can_be_forked_bots_think_all_the_same(
    tmp_path: Path, spar_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "fork")
    async with open_house(tmp_path, bot_seconds=20) as house:
        assert thinkers(house)._nursery._forking is None
        await play_to_the_end(await against(house, "any"), random.Random(5))


async def test_processes_beyond_the_usual_end_when_they_are_not_needed(
    tmp_path: Path, spar_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "MOMENT", 0.05)
    async with open_house(tmp_path, bot_seconds=3) as house:
        tables = [await against(house, "stuck") for _ in range(4)]

        async def all_think() -> bool:
            return thinkers(house).processes == 4

        await until(all_think)
        for table in tables:
            await rest(house)
            assert live(table).held
        assert thinkers(house).processes <= 2


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of its own that knows Spar."""
    running = Server(tmp_path / "data", spar.write_entry_point(tmp_path / "site"))
    running.start()
    yield running
    running.stop()


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_hanging_bot_holds_up_no_end_and_outlives_none(
    server: Server, how: signal.Signals
) -> None:
    """Whatever ends the server, Ctrl-C or a power cut, takes seconds and leaves no process."""
    assert server.process
    with httpx2.Client(base_url=server.url) as client:
        order = {"game": "spar", "scenario": "duel", "bots": {"blue": "stuck"}}
        assert client.post("/api/tables", json=order).status_code == 201
        deadline = time.monotonic() + 20
        while len(found := children(server.process.pid)) < 2:  # the one that forks, and its child
            assert time.monotonic() < deadline
            time.sleep(0.02)
        before = time.monotonic()
        server.process.send_signal(how)
        server.process.wait(20)
        assert time.monotonic() - before < 5
    wait_until_gone(found)
    assert "Traceback" not in server.said()
