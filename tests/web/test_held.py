"""Sealed answers in the database: each is written by itself, so that nobody deletes what another has said."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.web.house import House, Table, Visitor, open_house
from tests.web.test_withdrawals import CLUBS, ORDERS, SPADES, held, hounds, withdraw

pytestmark = pytest.mark.anyio


def rows(data: Path) -> set[tuple[str, str]]:
    """The questions that have a sealed answer, and whose it is."""
    with sqlite3.connect(data / "contrail.db") as stored:
        found = set(stored.execute("SELECT offer, seat FROM held_answer").fetchall())
    stored.close()
    return found


async def elsewhere(house: House, table: Table, seat: str) -> Visitor:
    """Whoever sits there, at another server over the same database."""
    same = house.stranger()
    same.http.cookies.update(dict(table.seats[seat].http.cookies))
    assert (await same.get(table.url))["offers"]
    return same


async def test_another_process_answers_stay(tmp_path: Path, plug_ins: None) -> None:
    """Two servers that should not be: what each seals, the other neither loses nor writes over."""
    async with open_house(tmp_path) as one, open_house(tmp_path) as two:
        table = await hounds(one)
        version = await table.version()
        home, rim = table.seats["home"], await elsewhere(two, table, "rim")
        order = {"version": version, "offer": ORDERS[2], "choice": SPADES}
        await rim.post(f"{table.url}/commands", order)
        await table.command("home", SPADES, offer=ORDERS[0])
        both = {(ORDERS[2], "rim"), (ORDERS[0], "home")}
        assert rows(tmp_path) == both
        await table.command("home", CLUBS, offer=ORDERS[0])
        await withdraw(home, table, ORDERS[0])
        assert rows(tmp_path) == {(ORDERS[2], "rim")}


async def test_an_answer_that_another_process_changed_is_not_written_over(
    tmp_path: Path, plug_ins: None
) -> None:
    """It is refused as stale and the table loaded anew: then the answer is there as it was changed."""
    async with open_house(tmp_path) as one, open_house(tmp_path) as two:
        table = await hounds(one)
        version = await table.version()
        await table.command("home", SPADES, offer=ORDERS[0])
        home = await elsewhere(two, table, "home")
        order = {"version": version, "offer": ORDERS[0], "choice": CLUBS}
        await home.post(f"{table.url}/commands", order)
        await withdraw(table.seats["home"], table, ORDERS[0], 409)
        assert await held(table, "home") == {ORDERS[0]: CLUBS}
        await home.post(f"{table.url}/commands", {**order, "choice": SPADES})
        other = {**order, "choice": {**SPADES, "dc": True}}
        await table.seats["home"].post(f"{table.url}/commands", other, 409)
        assert await held(table, "home") == {ORDERS[0]: SPADES}
        new = {"version": version, "offer": ORDERS[1], "choice": SPADES}
        await table.seats["home"].post(f"{table.url}/commands", new)
        assert rows(tmp_path) == {(ORDERS[0], "home"), (ORDERS[1], "home")}


async def test_the_last_answer_does_not_delete_one_that_was_changed(
    tmp_path: Path, plug_ins: None
) -> None:
    """All are shown as this process knew them, or none: never others than those that are deleted."""
    async with open_house(tmp_path) as one, open_house(tmp_path) as two:
        table = await hounds(one)
        version, log = await table.version(), await table.log()
        for offer in ORDERS[:2]:
            await table.command("home", SPADES, offer=offer)
        home = await elsewhere(two, table, "home")
        order = {"version": version, "offer": ORDERS[0], "choice": CLUBS}
        await home.post(f"{table.url}/commands", order)
        last = {"version": version, "offer": ORDERS[2], "choice": SPADES}
        await table.seats["rim"].post(f"{table.url}/commands", last, 409)
        assert (await table.version(), await table.log()) == (version, log)
        assert await held(table, "home") == {ORDERS[0]: CLUBS, ORDERS[1]: SPADES}
        done = await table.seats["rim"].post(f"{table.url}/commands", last)
        shown = next(one for one in done["entries"] if one["type"] == "OrdersShown")
        assert shown["data"]["cards"] == {"home-1": CLUBS, "home-2": SPADES, "rim-1": SPADES}
        assert rows(tmp_path) == set()


async def test_the_same_key_again_seals_nothing_anew(tmp_path: Path, plug_ins: None) -> None:
    """While the answer waits, after a restart, and when all have opened: never refused, never done twice."""
    async with open_house(tmp_path) as house:
        table = await hounds(house)
        home, rim = table.seats["home"], table.seats["rim"]
        version, log = await table.version(), await table.log()

        def sent(offer: str, choice: object) -> dict[str, object]:
            return {"version": version, "offer": offer, "choice": choice}

        async def say(visitor: Visitor, offer: str, choice: object, key: str) -> Any:
            headers = {"Idempotency-Key": key}
            path = f"{table.url}/commands"
            answer = await visitor.http.post(path, json=sent(offer, choice), headers=headers)
            assert answer.status_code == 200, answer.text
            return answer.json()

        first = await say(home, ORDERS[0], SPADES, "one")
        assert await say(home, ORDERS[0], CLUBS, "one") == first
        assert await held(table, "home") == {ORDERS[0]: SPADES}
        service = house.site.service
        service.let_go(service._live[table.id])
        assert await say(home, ORDERS[0], CLUBS, "one") == first
        assert await held(table, "home") == {ORDERS[0]: SPADES}
        headers = {"Idempotency-Key": "one"}
        path = f"{table.url}/takeback"
        reused = await home.http.post(path, json={"version": version, "to": 1}, headers=headers)
        assert reused.json()["entries"] == [], "a key is one command's, whichever comes with it"
        await say(home, ORDERS[1], SPADES, "two")
        last = await say(rim, ORDERS[2], SPADES, "one")
        after = await table.log()
        assert len(after) > len(log)
        for _ in range(2):
            for visitor, offer, key in (
                (home, ORDERS[0], "one"),
                (home, ORDERS[1], "two"),
                (rim, ORDERS[2], "one"),
            ):
                again = await say(visitor, offer, SPADES, key)
                assert [e["seq"] for e in again["entries"]] == [e["seq"] for e in last["entries"]]
            service.let_go(service._live[table.id])
        assert await table.log() == after
