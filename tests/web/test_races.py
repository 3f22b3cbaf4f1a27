"""The same command twice, two commands at once, two servers, and a database that can't be written."""

import asyncio
import random
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.tables.store import Unavailable
from tests.web.house import (
    House,
    Table,
    Visitor,
    any_choice,
    open_house,
    problem_of,
    queue_of,
    small_duel,
)

pytestmark = pytest.mark.anyio


async def next_command(table: Table) -> tuple[Visitor, dict[str, Any]]:
    """Somebody who may act, and a command that is fine now."""
    visitor, offer, version = (await table.open_offers())[0]
    choice = any_choice(random.Random(1), offer)
    return visitor, {"version": version, "offer": offer["id"], "choice": choice}


async def send(
    visitor: Visitor, table: Table, body: Any, key: str | None = None
) -> httpx2.Response:
    """A command's raw answer."""
    headers = {"Idempotency-Key": key} if key else {}
    return await visitor.http.post(f"{table.url}/commands", json=body, headers=headers)


async def shared_table(house: House, **order: Any) -> Table:
    """A shared table of two visitors."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel(), **order)
    await table.join("red", bob)
    return table


# Idempotency


async def test_the_same_key_answers_the_same(house: House) -> None:
    table = await shared_table(house)
    visitor, body = await next_command(table)
    first = await send(visitor, table, body, "once")
    log = await table.log()
    again = await send(visitor, table, body, "once")
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert await table.log() == log


async def test_the_same_key_later_answers_what_the_first_call_did(house: House) -> None:
    table = await shared_table(house)
    visitor, body = await next_command(table)
    first = (await send(visitor, table, body, "once")).json()
    await table.play(random.Random(1), 5)
    log = await table.log()
    again = (await send(visitor, table, body, "once")).json()
    assert again["version"] == first["version"] == again["view"]["version"]
    assert again["entries"] == first["entries"]
    assert await table.log() == log


async def test_a_key_is_its_callers_own(house: House) -> None:
    table = await shared_table(house)
    visitor, body = await next_command(table)
    await send(visitor, table, body, "k")
    # Both seats in turn may use "k": nobody's key answers for somebody else's.
    other = visitor
    for _ in range(200):
        other, body = await next_command(table)
        if other is not visitor:
            break
        await send(other, table, body)
    before = await table.version()
    done = (await send(other, table, body, "k")).json()
    assert done["version"] > before


async def test_advance_and_take_back_have_keys_too(house: House) -> None:
    ann = await house.visitor()
    table = await ann.sit(pace="step", setup=small_duel())
    once = await ann.post(f"{table.url}/advance", {"version": 1}, key="a")
    assert await ann.post(f"{table.url}/advance", {"version": 1}, key="a") == once
    assert await table.version() == 2
    await table.play_until(
        random.Random(1), lambda done: done["entries"][0]["type"] != "PhaseBegan"
    )
    for _ in range(60):
        view = await table.view()
        if view["offers"][0]["kind"] == "decision":
            break
        await table.advance("blue")
    await table.step(random.Random(1))
    body = {"version": await table.version()}
    back = await ann.post(f"{table.url}/takeback", body, key="t")
    again = await ann.post(f"{table.url}/takeback", body, key="t")
    assert again["version"] == back["version"]
    assert again["entries"] == back["entries"]
    assert await table.version() == back["version"]


async def test_a_refusal_is_not_kept_under_its_key(house: House) -> None:
    table = await shared_table(house)
    visitor, body = await next_command(table)
    refused = await send(visitor, table, {**body, "choice": "nonsense"}, "k")
    assert refused.status_code == 422
    assert (await send(visitor, table, body, "k")).status_code == 200


async def test_keys_survive_a_restart(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        table = await shared_table(house)
        visitor, body = await next_command(table)
        first = (await send(visitor, table, body, "once")).json()
        cookies = dict(visitor.http.cookies)
    async with open_house(tmp_path) as house:
        visitor = house.stranger()
        visitor.http.cookies.update(cookies)
        again = (await send(visitor, table, body, "once")).json()
    assert again["entries"] == first["entries"]
    assert again["version"] == first["version"]


async def test_l13_ten_identical_posts_are_one_move(house: House) -> None:
    """L-13, R-04: one action, one roll; with the key the others hear of it, without they are refused."""
    for key in ("same", None):
        table = await shared_table(house)
        visitor, body = await next_command(table)
        answers = await asyncio.gather(*(send(visitor, table, body, key) for _ in range(10)))
        statuses = Counter(answer.status_code for answer in answers)
        if key:
            assert statuses == {200: 10}
            assert len({answer.content for answer in answers}) == 1
        else:
            assert statuses == {200: 1, 409: 9}
            for answer in answers:
                if answer.status_code == 409:
                    assert "changed" in problem_of(answer)["detail"]
        log = await table.log()
        assert [entry["seq"] for entry in log] == list(range(1, len(log) + 1))
        kinds = [entry for entry in log if entry["seq"] > body["version"]]
        done = next(answer for answer in answers if answer.status_code == 200).json()
        assert kinds == done["entries"]


async def test_r04_the_old_form_again_does_nothing(house: House) -> None:
    """R-04: at every step choose, reload three times, send the old form again."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel())
    rng = random.Random(6)
    for _ in range(12):
        view = await table.view()
        if view["finished"]:
            break
        offer = view["offers"][0]
        fields = {
            "version": str(view["version"]),
            "offer": offer["id"],
            "choice": dumps_choice(any_choice(rng, offer)),
        }
        await ann.form(f"{table.page}/commands", fields)
        after = await table.log()
        for _ in range(3):
            await ann.page(table.page)
        await ann.form(f"{table.page}/commands", fields)  # answered as before
        changed = {
            **fields,
            "choice": dumps_choice(any_choice(random.Random(0), offer)),
            "with": "{}",
        }
        answer = await ann.http.post(
            f"{table.page}/commands", data={**changed, "version": str(view["version"])}
        )
        assert answer.status_code in (204, 303, 409, 422)
        assert await table.log() == after


def dumps_choice(choice: Any) -> str:
    """A choice as a form sends it."""
    import json

    return json.dumps(choice)


# Races


async def test_l14_a_move_races_a_take_back(house: House) -> None:
    """L-14: one of them wins, the other is told that the position changed."""
    won: Counter[str] = Counter()
    for turn in range(8):
        ann = await house.visitor()
        table = await ann.sit(setup=small_duel())
        for _ in range(200):  # until something can be taken back and something can be done
            await table.step(random.Random(turn))
            view = await table.view()
            if view["offers"][0]["kind"] == "decision":
                break
        visitor, body = await next_command(table)
        back = ann.http.post(f"{table.url}/takeback", json={"version": body["version"]})
        move = send(visitor, table, body)
        pair = (back, move) if turn % 2 else (move, back)
        answers = await asyncio.gather(*pair)
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        lost = next(answer for answer in answers if answer.status_code == 409)
        assert "changed" in problem_of(lost)["detail"]
        winner = next(answer for answer in answers if answer.status_code == 200).json()
        won["back" if winner["entries"][0]["type"] == "Rewound" else "move"] += 1
        assert await table.version() == winner["version"]
    assert set(won) == {"back", "move"}


async def test_two_seats_race_for_one_version(house: House) -> None:
    """Of two commands that are both fine alone, one is carried out."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel(), pace="step")
    await table.join("red", bob)
    version = await table.version()
    answers = await asyncio.gather(
        *(
            visitor.http.post(f"{table.url}/advance", json={"version": version})
            for visitor in (ann, bob) * 5
        )
    )
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 9}
    assert await table.version() == version + 1


async def test_fifty_tables_at_once(house: House) -> None:
    ann = await house.visitor()
    tables = [await ann.sit(setup=small_duel()) for _ in range(50)]
    commands = [await next_command(table) for table in tables]
    answers = await asyncio.gather(
        *(send(ann, table, body) for table, (_, body) in zip(tables, commands, strict=True))
    )
    assert Counter(answer.status_code for answer in answers) == {200: 50}
    for table, answer in zip(tables, answers, strict=True):
        assert await table.version() == answer.json()["version"]
        assert len(await table.log()) == answer.json()["version"]


async def test_one_seat_is_claimed_by_one_of_many(house: House) -> None:
    ann = await house.visitor()
    table = await ann.sit(mode="shared")
    guests = [await house.visitor() for _ in range(8)]
    path = f"{table.url}/seats/red/claim"
    answers = await asyncio.gather(
        *(guest.http.post(path, json={"invite": table.invite("red")}) for guest in guests)
    )
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 7}
    holders = [
        guest
        for guest in guests
        if any(seat.get("yours") for seat in (await guest.get(table.url))["seats"])
    ]
    assert len(holders) == 1


async def test_two_servers_on_one_database_lose_nothing(tmp_path: Path) -> None:
    """The second writer of a moment gets 409, looks again, and then both know the same log."""
    async with open_house(tmp_path) as one, open_house(tmp_path) as two:
        here = await one.visitor()
        there = two.stranger()
        there.http.cookies.update(here.http.cookies)
        table = await here.sit(setup=small_duel())
        assert (await there.get(table.url))["version"] == await table.version()
        rng = random.Random(1)
        both = (here, there)
        for turn in range(10):
            view = await both[turn % 2].get(table.url)
            if view["finished"] or not view["offers"]:
                break
            offer = view["offers"][0]
            body = {"version": view["version"], "offer": offer["id"]}
            body["choice"] = any_choice(rng, offer)
            first = await send(both[turn % 2], table, body)
            assert first.status_code == 200
            second = await send(both[1 - turn % 2], table, body)
            assert second.status_code == 409
            problem_of(second)
            logs = [await visitor.get(f"{table.url}/log", limit=1000) for visitor in both]
            assert logs[0] == logs[1]
            assert logs[0][-1]["seq"] == first.json()["version"]


async def test_two_servers_claim_one_seat_once(tmp_path: Path) -> None:
    async with open_house(tmp_path) as one, open_house(tmp_path) as two:
        ann = await one.visitor()
        table = await ann.sit(mode="shared")
        bob, eve = await one.visitor(), await two.visitor()
        await eve.get(table.url)  # both servers have the table in memory
        path = f"{table.url}/seats/red/claim"
        await bob.post(path, {"invite": table.invite("red")})
        await eve.post(path, {"invite": table.invite("red")}, 409)
        assert any(seat.get("yours") for seat in (await bob.get(table.url))["seats"])


# A database that does not take it


class Spy:
    """Watches a table from outside: a page's stream, a script's stream, another seat."""

    def __init__(self, table: Table, watcher: Visitor) -> None:
        self.table, self.watcher = table, watcher

    async def begin(self) -> None:
        self.frames = await self.watcher.stream(f"{self.table.page}/frames")
        self.notices = await self.watcher.stream(f"{self.table.page}/stream")
        await self.frames.next()
        await self.notices.next()
        await self.watcher.house.quiet()
        self.frames.pending()
        self.notices.pending()
        self.before = await self.look()

    async def look(self) -> Any:
        view = await self.watcher.get(self.table.url)
        return view, await self.watcher.get(f"{self.table.url}/log", limit=1000)

    async def saw_nothing(self) -> None:
        await self.frames.silence()
        await self.notices.silence()
        assert await self.look() == self.before


async def locked(house: House) -> sqlite3.Connection:
    """Somebody else holds the database; the server is told to wait a moment only."""
    await house.site.service.store.write(
        lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout=50").close()
    )
    other = sqlite3.connect(house.settings.data / "contrail.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


@pytest.mark.parametrize("how", ["locked", "full", "refused"])
async def test_l26_what_is_not_saved_is_not_seen(own_house: House, how: str) -> None:
    """L-26: COMMIT fails; nobody sees the move, nobody is told, and the table goes on afterwards."""
    table = await shared_table(own_house)
    eve = await own_house.visitor()
    spy = Spy(table, eve)
    await spy.begin()
    visitor, body = await next_command(table)
    store = own_house.site.service.store
    path = own_house.settings.data / "contrail.db"
    other: sqlite3.Connection | None = None
    if how == "locked":
        other = await locked(own_house)
    elif how == "full":
        # As when the disk is full: the file may not grow by a page.
        def fill(connection: Any) -> None:
            connection.exec_driver_sql("CREATE TABLE ballast (weight BLOB)").close()
            connection.exec_driver_sql(
                "CREATE TRIGGER grow BEFORE INSERT ON log_entry "
                "BEGIN INSERT INTO ballast VALUES (zeroblob(99999)); END"
            ).close()
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}").close()

        await store.write(fill)
    else:
        with sqlite3.connect(path) as changed:
            changed.execute(
                "CREATE TRIGGER refuse BEFORE INSERT ON log_entry "
                "BEGIN SELECT RAISE(ABORT, 'no more'); END"
            )
        changed.close()
    answer = await send(visitor, table, body, "k")
    if how == "refused":
        assert answer.status_code in (409, 503)
    else:
        assert answer.status_code == 503
    problem_of(answer)
    await spy.saw_nothing()
    if how != "refused":
        # A take-back, a word and a seat can't be saved either, and say so in the same way.
        await visitor.post(f"{table.url}/word", {"word": "lost"}, 503)
        await eve.post("/api/tables", {"game": "osaaf"}, 503)
        await spy.saw_nothing()
    # The trouble is over.
    if other is not None:
        other.execute("ROLLBACK")
        other.close()
    else:

        def repair(connection: Any) -> None:
            connection.exec_driver_sql("PRAGMA max_page_count=1000000").close()
            connection.exec_driver_sql("DROP TRIGGER IF EXISTS grow").close()
            connection.exec_driver_sql("DROP TRIGGER IF EXISTS refuse").close()
            connection.exec_driver_sql("DROP TABLE IF EXISTS ballast").close()

        await store.write(repair)
    done = await send(visitor, table, body, "k")
    assert done.status_code == 200
    frame = await spy.frames.event()
    assert frame.data
    assert f'"version":{done.json()["version"]}' in (await spy.notices.event()).data
    await table.play(random.Random(1), 20)


async def test_after_a_failed_write_nobody_works_on_an_old_table(own_house: House) -> None:
    """Commands that waited while the write failed see what those see that come after it."""
    table = await shared_table(own_house)
    visitor, body = await next_command(table)
    other = await locked(own_house)
    tasks = [asyncio.create_task(send(visitor, table, body)) for _ in range(4)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    other.execute("ROLLBACK")
    other.close()
    await table.view()  # somebody looks, which loads the table anew
    statuses = Counter(answer.status_code for answer in await asyncio.gather(*tasks))
    assert set(statuses) <= {200, 409, 503}
    assert statuses[503] >= 1
    assert statuses[200] <= 1
    version = (await visitor.get(table.url))["version"]
    with sqlite3.connect(own_house.settings.data / "contrail.db") as stored:
        rows = stored.execute("SELECT count(*), max(seq) FROM log_entry").fetchone()
    stored.close()
    assert rows == (version, version)


async def test_nothing_is_written_from_a_table_that_was_let_go(house: House) -> None:
    """A command waits while its table is loaded anew: it is refused, and the new one is not behind."""
    table = await shared_table(house)
    visitor, body = await next_command(table)
    service = house.site.service
    old = service._live[table.id]
    async with old.lock:
        waiting = asyncio.create_task(send(visitor, table, body))
        await queue_of(old.lock, 1)
        service.let_go(old)
        await table.view()
        assert service._live[table.id] is not old
    answer = await waiting
    assert answer.status_code == 409
    problem_of(answer)
    assert (await send(visitor, table, body)).status_code == 200
    assert len(await table.log()) == await table.version() > body["version"]


async def test_whose_a_seat_is_when_nobody_knows_is_asked_of_the_database(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim was written, but the word of it was lost: the seat is not shown as free any more."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared")
    store = house.site.service.store
    write = store.attempt

    async def lost(work: Any) -> Any:
        await write(work)
        raise Unavailable

    claim = {"invite": table.invite("red")}
    with monkeypatch.context() as patch:
        patch.setattr(store, "attempt", lost)
        await bob.post(f"{table.url}/seats/red/claim", claim, 503)
    held = {seat["id"] for seat in (await bob.get(table.url))["seats"] if seat.get("yours")}
    assert held == {"red"}
    await bob.post(f"{table.url}/seats/red/claim", claim)


async def test_readyz_says_so_when_the_database_does_not_answer(own_house: House) -> None:
    ann = await own_house.visitor()
    path = own_house.settings.data / "contrail.db"
    with sqlite3.connect(path) as changed:
        changed.execute("ALTER TABLE game_table RENAME TO elsewhere")
    changed.close()
    assert (await ann.http.get("/healthz")).status_code == 200
    answer = await ann.http.get("/readyz")
    assert answer.status_code == 503
    assert len(answer.text.splitlines()) == 1
    assert int(answer.headers["retry-after"]) >= 1
    quiet = own_house.stranger(quiet=True)
    problem = await quiet.http.get("/api/tables")
    assert problem.status_code == 503
    problem_of(problem)
