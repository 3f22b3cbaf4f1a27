"""A sealed answer is withdrawn while others wait: its question is asked again, and nobody else can tell."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.web.house import House, Table, Visitor, open_house, queue_of
from tests.web.test_races import Spy
from tests.web.test_secrets import pair

pytestmark = pytest.mark.anyio

SPADES = {"suit": "spades", "allout": False, "dc": False}
CLUBS = {"suit": "clubs", "allout": True, "dc": True}
ORDERS = ("order:1:home-1", "order:1:home-2", "order:1:rim-1")


async def hounds(house: House) -> Table:
    """Two ships of one side and one of the other, all without orders."""
    host, guest = await house.visitor(), await house.visitor()
    table = await host.sit("war-in-space", scenario="hounds", mode="shared")
    await table.join("rim", guest)
    return table


async def withdraw(visitor: Visitor, table: Table, offer: str, status: int = 200) -> Any:
    body = {"version": (await visitor.get(table.url))["version"], "offer": offer}
    return await visitor.post(f"{table.url}/withdraw", body, status)


async def held(table: Table, seat: str) -> dict[str, Any]:
    """A seat's sealed answers that wait, by offer."""
    offers = (await table.view(seat))["offers"]
    return {offer["id"]: offer["held"] for offer in offers if "held" in offer}


async def test_one_of_several_is_asked_again(house: House) -> None:
    table = await hounds(house)
    for offer in ORDERS[:2]:
        await table.command("home", SPADES, offer=offer)
    assert (await table.view("home"))["prompt"] == (
        "Your sealed answers are in: waiting for the others"
    )
    version, log = await table.version(), await table.log()
    done = await withdraw(table.seats["home"], table, ORDERS[0])
    assert (done["version"], done["entries"]) == (version, [])
    assert done["view"]["prompt"] == "Greyhound: Give orders"
    assert await held(table, "home") == {ORDERS[1]: SPADES}
    # The last of the others comes in, and yet nothing is shown.
    await table.command("rim", SPADES, offer=ORDERS[2])
    assert (await table.version(), await table.log()) == (version, log)
    done = await table.command("home", CLUBS, offer=ORDERS[0])
    shown = next(one for one in done["entries"] if one["type"] == "OrdersShown")
    assert shown["data"]["cards"] == {"home-1": CLUBS, "home-2": SPADES, "rim-1": SPADES}


async def test_nobody_else_can_tell(house: House) -> None:
    """No frame, no event, no ping; every view and the log are the same to the byte."""
    table = await hounds(house)
    await table.command("home", SPADES, offer=ORDERS[0])
    await table.command("home", SPADES, offer=ORDERS[1])
    spies = [Spy(table, table.seats["rim"]), Spy(table, await house.visitor())]
    for spy in spies:
        await spy.begin()
    pages = [await spy.watcher.page(table.page) for spy in spies]
    lists = await spies[1].watcher.get("/api/tables")
    await withdraw(table.seats["home"], table, ORDERS[1])
    for spy in spies:
        await spy.saw_nothing()
    assert [await spy.watcher.page(table.page) for spy in spies] == pages
    assert await spies[1].watcher.get("/api/tables") == lists


async def test_who_withdraws_sees_it_at_once(house: House) -> None:
    table = await hounds(house)
    home = table.seats["home"]
    for offer in ORDERS[:2]:
        await table.command("home", SPADES, offer=offer)
    stream = await home.stream(f"{table.page}/frames")
    await stream.event()
    page = await home.page(table.page)
    assert page.count('form="held-form"') == 2
    fields = {"version": await table.version(), "offer": ORDERS[0]}
    await home.form(f"{table.page}/withdraw", fields, 204)
    frame = (await stream.event()).data
    assert f'name="offer" value="{ORDERS[0]}"' in frame
    assert frame.count('form="held-form"') == 1
    # Without JavaScript the answer leads back to the page.
    back = await home.form(
        f"{table.page}/withdraw", {**fields, "offer": ORDERS[1]}, 303, htmx=False
    )
    assert back.headers["location"] == table.page
    assert await held(table, "home") == {}


@pytest.mark.parametrize("answered", [False, True])
async def test_only_ones_own_and_only_what_waits(house: House, answered: bool) -> None:
    """The refusals are the same whether the other seat has answered or not."""
    table = await hounds(house)
    if answered:
        await table.command("home", SPADES, offer=ORDERS[0])
    mine = await held(table, "home")
    for seat, offer, status, words in (
        ("rim", ORDERS[0], 403, "That is another seat's decision."),
        ("rim", ORDERS[2], 409, "There is no answer to withdraw"),
        ("rim", "order:1:nobody", 409, "That question is not open any more"),
    ):
        problem = await withdraw(table.seats[seat], table, offer, status)
        assert problem["detail"].startswith(words)
    problem = await withdraw(await house.visitor(), table, ORDERS[0], 403)
    assert problem["detail"].startswith("Spectators watch.")
    assert await held(table, "home") == mine


async def test_an_open_answer_is_not_withdrawn(house: House) -> None:
    """What was answered in the open has happened; the way back is a take-back."""
    table = await pair(house, "envelopes")
    await table.command("red", "alpha")
    await table.command("blue", "beta")
    offer = (await table.view("red"))["offers"][0]["id"]
    await withdraw(table.seats["red"], table, offer, 409)
    await table.command("red", "yes")
    await withdraw(table.seats["red"], table, offer, 409)


@pytest.mark.parametrize("first", ["answer", "withdrawal"])
async def test_whoever_comes_first_wins(house: House, first: str) -> None:
    """The last answer of the others and a withdrawal at once: all are shown, or none."""
    table = await hounds(house)
    for offer in ORDERS[:2]:
        await table.command("home", SPADES, offer=offer)
    version = await table.version()
    home, rim = table.seats["home"], table.seats["rim"]
    last = {"version": version, "offer": ORDERS[2], "choice": SPADES}
    answer = rim.http.post(f"{table.url}/commands", json=last)
    gone = home.http.post(f"{table.url}/withdraw", json={"version": version, "offer": ORDERS[0]})
    queue = [answer, gone] if first == "answer" else [gone, answer]
    lock = house.site.service._live[table.id].lock
    async with lock:
        tasks = []
        for one in queue:
            tasks.append(asyncio.create_task(one))
            await queue_of(lock, len(tasks))
    codes = [answer.status_code for answer in await asyncio.gather(*tasks)]
    shown = [entry["type"] for entry in await table.log() if entry["type"] == "OrdersShown"]
    if first == "answer":
        assert codes == [200, 409]
        assert shown == ["OrdersShown"]
        assert await table.version() > version
    else:
        assert codes == [200, 200]
        assert shown == []
        assert await table.version() == version
        assert await held(table, "home") == {ORDERS[1]: SPADES}


async def test_it_survives_a_restart(tmp_path: Path, plug_ins: None) -> None:
    async with open_house(tmp_path) as house:
        table = await hounds(house)
        for offer in ORDERS[:2]:
            await table.command("home", SPADES, offer=offer)
        await withdraw(table.seats["home"], table, ORDERS[0])
    with sqlite3.connect(tmp_path / "contrail.db") as stored:
        rows = stored.execute("SELECT offer FROM held_answer").fetchall()
    stored.close()
    assert rows == [(ORDERS[1],)]
