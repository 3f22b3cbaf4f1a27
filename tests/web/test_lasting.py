"""What is kept: P-14, R-04 and restarts in every phase; and what must not grow with it: L-12, P-19, P-20."""

import asyncio
import gc
import random
import sqlite3
import weakref
from pathlib import Path
from typing import Any

import pytest

from app.tables.live import LiveTable
from tests.web.envelopes.plugin import PONDERED, PONDERING
from tests.web.house import (
    PATIENCE,
    House,
    Table,
    Visitor,
    open_house,
    problem_of,
    settle,
    small_duel,
    until,
)

pytestmark = pytest.mark.anyio


def change(house: House, statement: str, *values: Any) -> None:
    """Damage the database from outside."""
    with sqlite3.connect(house.settings.data / "contrail.db") as stored:
        assert stored.execute(statement, values).rowcount > 0
    stored.close()


DAMAGE = {
    "event": 'UPDATE log_entry SET event = \'{"type": "Nothing"}\' WHERE table_id = ? AND seq = 3',
    "json": "UPDATE log_entry SET event = 'garbage' WHERE table_id = ? AND seq = 1",
    "dice": "UPDATE log_entry SET dice = '[]' WHERE table_id = ? AND dice IS NOT NULL",
    "entries": "DELETE FROM log_entry WHERE table_id = ?",
    "first": "DELETE FROM log_entry WHERE table_id = ? AND seq = 1",
    "seed": "DELETE FROM seed WHERE table_id = ?",
    "seats": "DELETE FROM seat_claim WHERE table_id = ? AND seat = 'red'",
    "game": "UPDATE game_table SET game = 'uninstalled' WHERE id = ?",
    "held": "INSERT INTO held_answer VALUES (?, 'x', 'red', 'garbage')",
}


@pytest.mark.parametrize("what", DAMAGE)
async def test_p14_one_broken_table_breaks_no_other(own_house: House, what: str) -> None:
    """P-14: lists and home go on; the broken one says that it is broken, and is no crash."""
    ann, eve = await own_house.visitor(), await own_house.visitor()
    fine = await ann.sit(mode="shared", setup=small_duel(), name="Fine one")
    broken = await ann.sit(mode="shared", setup=small_duel(), name="Broken one")
    change(own_house, DAMAGE[what], broken.id)
    own_house.site.service._live.clear()
    for visitor in (ann, eve):
        for path in ("/", "/tables"):
            page = await visitor.page(path)
            assert "Fine one" in page
            if what not in ("seats",):
                assert "Broken one" in page
        names = {line["name"] for line in await visitor.get("/api/tables")}
        assert "Fine one" in names
    if what == "game":
        assert "not installed" in await ann.page("/tables")
    for path in (broken.url, f"{broken.url}/log", f"{broken.page}/frames"):
        answer = await ann.http.get(path)
        assert answer.status_code in ((409,) if what == "event" else (404, 500))
        problem = problem_of(answer)
        assert "Traceback" not in problem["detail"]
    page = await ann.http.get(broken.page, headers={"accept": "text/html"})
    assert page.status_code in ((409,) if what == "event" else (404, 500))
    assert page.text.startswith("<!doctype html>")
    await ann.page(fine.page)
    assert (await fine.view())["name"] == "Fine one"


async def restarted(house: House, data: Path, table: Table) -> None:
    """Point a table's visitors to another server on the same data."""
    for seat, visitor in table.seats.items():
        cookies = dict(visitor.http.cookies)
        table.seats[seat] = house.stranger()
        table.seats[seat].http.cookies.update(cookies)
    table.house = house


@pytest.mark.slow
@pytest.mark.parametrize("game", ["osaaf", "skirmish", "envelopes"])
async def test_a_restart_changes_nothing_in_any_phase(
    tmp_path: Path, plug_ins: None, game: str
) -> None:
    """P-11, R-15: each seat's view, the log, the offers and the audit are the same after loading."""
    rng = random.Random(1)
    data = tmp_path / "data"
    table: Table | None = None
    for number in range(4):
        async with open_house(data) as house:
            if table is None:
                ann, bob = await house.visitor(), await house.visitor()
                order = {"setup": small_duel()} if game == "osaaf" else {}
                table = await ann.sit(game, mode="shared", pace="step", word="w", **order)
                await table.join(table.opened["seats"][1]["id"], bob, name="Bob")
            else:
                await restarted(house, data, table)
            await table.play(rng, 5 + 4 * number)
            before: list[Any] = [
                [await table.view(seat), await table.log(seat)] for seat in table.seats
            ]
            audit = (
                await next(iter(table.seats.values())).http.get(f"{table.page}/dice.json")
            ).text
        async with open_house(data) as house:
            await restarted(house, data, table)
            after = [[await table.view(seat), await table.log(seat)] for seat in table.seats]
            assert after == before
            again = (
                await next(iter(table.seats.values())).http.get(f"{table.page}/dice.json")
            ).text
            assert again == audit
            if before[0][0]["finished"]:
                break


async def test_tables_leave_memory_and_come_back(tmp_path: Path) -> None:
    """P-19: no more are kept than is set; those that are used again are as they were."""
    async with open_house(tmp_path, live_tables=3) as house:
        ann = await house.visitor()
        tables = [await ann.sit(setup=small_duel()) for _ in range(10)]
        for turn in range(3):
            for table in tables:
                await table.step(random.Random(turn))
        assert house.site.service.live <= 3
        # All at once, none can be let go; with the next one they are.
        await asyncio.gather(*(table.step(random.Random(9)) for table in tables))
        await ann.sit(setup=small_duel())
        assert house.site.service.live <= 3
        for table in tables:
            log = await table.log()
            assert [entry["seq"] for entry in log] == list(range(1, len(log) + 1))
            assert len(log) == await table.version()


async def test_who_watches_is_known_after_a_table_was_loaded_anew(house: House) -> None:
    """A watched table stays in memory, and is let go when the last watcher has gone."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel())
    streams = [await ann.stream(f"{table.page}/frames") for _ in range(2)]
    for stream in streams:
        await stream.event()
    service = house.site.service
    old = service._live[table.id]
    assert old.watchers == 2
    service.let_go(old)
    await table.step(random.Random(1))
    new = service._live[table.id]
    assert new is not old
    assert (old.watchers, new.watchers) == (0, 2)
    for stream in streams:
        await stream.close()
    assert new.watchers == 0


async def test_a_full_memory_stops_nobody(tmp_path: Path) -> None:
    """One table may be kept, and that one is watched: others are played all the same."""
    async with open_house(tmp_path, live_tables=1) as house:
        ann = await house.visitor()
        watched = [await ann.sit(setup=small_duel()) for _ in range(3)]
        streams = [await ann.stream(f"{table.page}/frames") for table in watched]
        for stream in streams:
            await stream.event()
        other = await ann.sit(setup=small_duel())
        for _ in range(4):
            assert await other.step(random.Random(1)) is not None
        for table, stream in zip(watched, streams, strict=True):
            stream.pending()
            done = await table.step(random.Random(1))
            await settle()
            text = "".join(message.data for message in stream.pending())
            assert f'value="{done["version"]}"' in text


async def filled(house: House, ann: Visitor, entries: int) -> Table:
    """A table whose log was made long in the database: one roll, taken back many times."""
    table = await ann.sit(setup=small_duel(), takebacks="free")
    start = await table.version()
    for _ in range(60):
        if await table.version() >= min(entries, 60):
            break
        await table.step(random.Random(1))
        await table.take_back("blue", to=start)
    if entries > 60:
        first, last = start + 1, await table.version()
        with sqlite3.connect(house.settings.data / "contrail.db") as stored:
            size = last - start
            number = last
            while number < entries:
                stored.execute(
                    "INSERT INTO log_entry SELECT table_id, seq + ?, at, turn, phase, kind, seat, unit,"
                    " cite, NULL, event, command + ?, NULL FROM log_entry"
                    " WHERE table_id = ? AND seq BETWEEN ? AND ?",
                    (number - start, number - start, table.id, first, last),
                )
                number += size
            stored.execute("UPDATE game_table SET version = ? WHERE id = ?", (number, table.id))
        stored.close()
        house.site.service.let_go(house.site.service._live[table.id])
    return table


async def test_p20_what_is_sent_does_not_grow_with_the_log(own_house: House) -> None:
    """P-20: a command's answer and frame have as many bytes at entry 2,000 as at entry 10."""
    ann = await own_house.visitor()
    sizes: dict[int, list[int]] = {}
    for entries in (10, 2000):
        table = await filled(own_house, ann, entries)
        version = await table.version()
        assert version >= entries
        page = await ann.page(table.page)
        stream = await ann.stream(f"{table.page}/frames")
        resync = await stream.event()
        await own_house.quiet()
        stream.pending()
        view = await table.view()
        offer = view["offers"][0]
        choice = next(o["value"] for o in offer["options"] if "blocked" not in o)
        body = {"version": version, "offer": offer["id"], "choice": choice}
        answer = await ann.http.post(f"{table.url}/commands", json=body)
        assert answer.status_code == 200
        frame = (await stream.event()).data
        whole = [len(answer.content), len(frame)]
        sizes[entries] = [*whole, len(view["offers"]), len(resync.data), len(page)]
    for short, long in zip(sizes[10][:2], sizes[2000][:2], strict=True):
        assert abs(long - short) < 0.1 * short, sizes
    # A whole page has at most so many log lines, however long the game is.
    assert sizes[2000][3] < 4 * sizes[10][3] + 100_000
    assert sizes[2000][0] < 100_000


async def test_l12_a_long_calculation_holds_up_nobody(house: House) -> None:
    """L-12: while an aid computes, others play, and the server says that it is well."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit("envelopes")
    other = await bob.sit(setup=small_duel())
    for path in (f"{table.url}/overlay", f"{table.page}/overlay"):
        heavy = asyncio.create_task(
            ann.http.get(path, params={"unit": "desk", "aid": "ponder"}, timeout=60)
        )
        assert await asyncio.to_thread(PONDERING.acquire, timeout=PATIENCE)
        assert (await bob.http.get("/healthz")).status_code == 200
        assert await other.step(random.Random(1)) is not None
        assert not heavy.done()
        PONDERED.release()
        assert (await heavy).status_code == 200


async def test_tables_that_were_only_looked_at_leave_memory(tmp_path: Path) -> None:
    """P-19: a page visited once must not keep its table for ever."""
    async with open_house(tmp_path, live_tables=3) as house:
        ann, eve = await house.visitor(), await house.visitor()
        seen: list[weakref.ref[LiveTable]] = []
        for _ in range(12):
            table = await ann.sit(setup=small_duel())
            await eve.page(table.page)
            seen.append(weakref.ref(await house.site.service.get(table.id)))
        house.site.hub.UNUSED_SECONDS = -1.0
        house.site.hub.sweep()
        gc.collect()
        assert sum(one() is not None for one in seen) <= 3


async def test_looking_back_keeps_nothing(house: House, ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    await table.view()
    live = await house.site.service.get(table.id)
    kept = len(live.views)
    for at in range(1, live.version):
        await table.view(at=at)
    assert len(live.views) == kept


async def test_who_leaves_is_told_to_a_table_that_was_loaded_anew(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L-21: presence follows the table in memory, not the one that was there when somebody came."""
    monkeypatch.setattr(house.site.hub, "AWAY_SECONDS", 1.0)
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel())
    await table.join("red", bob)
    streams = [await one.stream(f"{table.page}/frames") for one in (ann, bob)]
    for stream in streams:
        await stream.event()
    await streams[1].close()
    service = house.site.service
    service.let_go(await service.get(table.id))
    await service.get(table.id)
    await table.step(random.Random(1))

    async def present() -> set[str]:
        return {seat["id"] for seat in (await ann.get(table.url))["seats"] if seat["present"]}

    async def gone() -> bool:
        return await present() == {"blue"}

    assert await present() == {"blue", "red"}  # who has just left may be back at once
    await until(gone)
