"""Damage is found when a table is loaded: it opens as it was at the last good entry, says so, and is left alone."""

import logging
import random
import re
import sqlite3
from typing import Any

import pytest

from tests.web.house import House, Table, Visitor, problem_of, rechain, small_duel
from tests.web.test_fog import pair

pytestmark = pytest.mark.anyio


def stored(house: House, *statements: tuple[str, Any]) -> None:
    """Do something to the database behind the server's back, then let it forget what it has in memory."""
    with sqlite3.connect(house.settings.data / "contrail.db") as database:
        for statement, values in statements:
            assert database.execute(statement, values).rowcount > 0
    database.close()
    house.site.service._live.clear()


async def played(ann: Visitor, bob: Visitor, **options: Any) -> Table:
    """A table of two, some way into its game."""
    table = await ann.sit(mode="shared", setup=small_duel(), name="Broken one", **options)
    await table.join("red", bob, name="Bob")
    await table.play(random.Random(1), 8)
    return table


async def log_rows(house: House, table: Table) -> list[dict[str, Any]]:
    """All rows of a table's log."""
    with sqlite3.connect(house.settings.data / "contrail.db") as database:
        database.row_factory = sqlite3.Row
        rows = database.execute(
            "SELECT * FROM log_entry WHERE table_id = ? ORDER BY seq", (table.id,)
        ).fetchall()
    database.close()
    return [dict(row) for row in rows]


async def check_only_to_look_at(house: House, table: Table, after: int, why: str) -> None:
    """Everybody sees the moment after that entry, reads why, and nothing can be done."""
    before = await log_rows(house, table)
    ann, bob = table.seats["blue"], table.seats["red"]
    for visitor in (ann, bob, await house.visitor()):
        view = await visitor.get(table.url)
        assert view["damaged"]["after"] == after
        assert why in view["damaged"]["why"]
        assert why in view["detail"]
        assert view["prompt"] == view["detail"]
        assert view["offers"] == []
        assert len(await visitor.get(f"{table.url}/log", limit=1000)) == after
        page = await visitor.page(table.page)
        assert why in page
        assert f"/api/tables/{table.id}/export" in page
        assert f"{table.page}/close" not in page
        for lists in ("/", "/tables"):
            listed = await visitor.page(lists)
            assert listed.count('class="damaged"') == 1
    lines = {line["name"]: line["damaged"] for line in await ann.get("/api/tables")}
    assert lines["Broken one"] is True
    command = {"version": after, "offer": "x", "choice": "y"}
    for path, body in (
        ("commands", command),
        ("advance", {"version": after}),
        ("takeback", {"version": after}),
        ("word", {"word": "w"}),
        ("close", {}),
        ("rematch", {}),
    ):
        answer = await ann.http.post(f"{table.url}/{path}", json=body)
        assert answer.status_code == 409, (path, answer.text)
        assert "damaged" in problem_of(answer)["detail"]
    assert await log_rows(house, table) == before


ENTRY = "UPDATE log_entry SET {} WHERE table_id = ? AND seq = 4"

ALTERED = {
    "at": "at = at + 1",
    "turn": "turn = turn + 1",
    "phase": "phase = upper(phase)",
    "kind": "kind = 'effect '",
    "seat": "seat = 'red '",
    "unit": "unit = 'x'",
    "cite": "cite = 'XX-1'",
    "event": "event = replace(event, '}', ' ,\"x\":1}')",
    "no json": "event = 'garbage'",
    "no text": "event = x'ff00fe'",
    "another event": 'event = \'{"type": "Nothing"}\'',
    "dice": "dice = '[]'",
    "dice no json": "dice = 'garbage'",
    "choice": "choice = '\"another\"'",
    "choice no json": "choice = 'garbage'",
    "command": "command = command + 1",
    "receipt": "receipt = 'r'",
    "hash": "hash = upper(hash)",
    "no hash": "hash = ''",
}


async def test_an_altered_entry_is_found(own_house: House) -> None:
    """Whatever column it is in."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await played(ann, bob)
    (good,) = [row for row in await log_rows(own_house, table) if row["seq"] == 4]
    back = ENTRY.format(", ".join(f"{name} = :{name}" for name in good))
    back = back.replace("table_id = ?", "table_id = :table_id")
    for what, change in ALTERED.items():
        stored(own_house, (ENTRY.format(change), (table.id,)))
        view = await ann.get(table.url)
        assert view["damaged"]["after"] == 3, what
        assert "entry 4 is not as it was written" in view["damaged"]["why"]
        stored(own_house, (back, good))
        assert "damaged" not in await ann.get(table.url)
    stored(own_house, (ENTRY.format(ALTERED["event"]), (table.id,)))
    await check_only_to_look_at(own_house, table, 3, "entry 4 is not as it was written")


async def test_missing_entries_are_found(own_house: House) -> None:
    """At the end and in the middle; others play on; the operator reads of each once."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    fine = await ann.sit(setup=small_duel(), name="Fine one")
    table = await played(ann, bob)
    last = len(await log_rows(own_house, table))
    stored(
        own_house, ("DELETE FROM log_entry WHERE table_id = ? AND seq > ?", (table.id, last - 3))
    )
    for lists in ("/", "/tables"):  # before anybody has opened it
        assert (await ann.page(lists)).count('class="damaged"') == 1
    gap = f"entries {last - 2} to {last} are missing"
    await check_only_to_look_at(own_house, table, last - 3, gap)
    stored(own_house, ("DELETE FROM log_entry WHERE table_id = ? AND seq = 5", (table.id,)))
    await check_only_to_look_at(own_house, table, 4, "entry 5 is missing")
    assert await fine.step(random.Random(1)) is not None


async def test_the_operator_reads_of_it_once(
    own_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """The table, the entry and what is wrong; however often it is opened."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await played(ann, bob)
    stored(own_house, ("DELETE FROM log_entry WHERE table_id = ? AND seq = 5", (table.id,)))
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            await ann.page(table.page)
            own_house.site.service._live.clear()
    assert len(caplog.records) == 1
    said = caplog.records[0].getMessage()
    assert table.id in said
    assert "entry 5 is missing" in said


async def test_a_version_that_is_less_than_the_entries_is_found(own_house: House) -> None:
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await played(ann, bob)
    last = len(await log_rows(own_house, table))
    back = "UPDATE game_table SET version = version - 1 WHERE id = ?"
    stored(own_house, (back, (table.id,)))
    why = f"it has {last} entries where {last - 1} were written"
    await check_only_to_look_at(own_house, table, last - 1, why)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE seed SET seed = zeroblob(32) WHERE table_id = ?", "dice secret"),
        ("DELETE FROM seed WHERE table_id = ?", "dice secret"),
        ("INSERT INTO held_answer VALUES (?, 'x', 'red', 'garbage', NULL)", "sealed answer"),
    ],
)
async def test_what_is_kept_beside_the_log_is_checked(
    own_house: House, statement: str, why: str
) -> None:
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await played(ann, bob)
    stored(own_house, (statement, (table.id,)))
    view = await ann.get(table.url)
    assert why in view["damaged"]["why"]
    assert view["damaged"]["after"] == len(await log_rows(own_house, table))
    assert view["offers"] == []


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("DELETE FROM log_entry WHERE table_id = ? AND seq = 1", "entry 1 is missing"),
        ("UPDATE log_entry SET event = 'garbage' WHERE table_id = ? AND seq = 1", "entry 1 is not"),
        ("DELETE FROM log_entry WHERE table_id = ?", "are missing"),
        ("DELETE FROM seat_claim WHERE table_id = ? AND seat = 'red'", "Red"),
    ],
)
async def test_without_a_beginning_there_is_a_page_that_says_so(
    own_house: House, statement: str, why: str
) -> None:
    """It names the table, and is no crash."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await played(ann, bob)
    stored(own_house, (statement, (table.id,)))
    problem = problem_of(await ann.http.get(table.url))
    assert problem["title"] == "This table can't be read"
    assert "“Broken one”" in problem["detail"]
    assert why.lower() in problem["detail"].lower()
    page = await ann.http.get(table.page, headers={"accept": "text/html"})
    assert page.status_code == 500
    assert "Broken one" in page.text


async def test_an_entry_that_the_rules_can_t_follow_is_no_damage(own_house: House) -> None:
    """What was written is there, so nothing is called damaged; it opens up to there all the same."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await played(ann, bob)
    rows = await log_rows(own_house, table)
    about = next(row for row in rows if row["seq"] > 4 and f'"{row["unit"]}"' in row["event"])
    place = about["seq"]
    impossible = about["event"].replace(f'"{about["unit"]}"', '"nobody"')
    with sqlite3.connect(own_house.settings.data / "contrail.db") as database:
        database.execute(
            "UPDATE log_entry SET event = ? WHERE table_id = ? AND seq = ?",
            (impossible, table.id, place),
        )
        rechain(database, table.id)
    database.close()
    own_house.site.service._live.clear()
    view = await ann.get(table.url)
    assert view["damaged"]["after"] == place - 1
    assert "can't follow" in view["detail"]
    assert f"entry {place}" in view["damaged"]["why"]
    assert "is damaged" not in view["detail"]


async def test_where_facts_are_hidden_it_does_not_say_how_many_there_are(own_house: House) -> None:
    """Neither side learns the number of the entry: it would count what it was not told of."""
    table = await pair(own_house, "hard")
    rows = await log_rows(own_house, table)
    stored(own_house, ("DELETE FROM log_entry WHERE table_id = ? AND seq = 3", (table.id,)))
    assert len(rows) > 3
    for visitor in (*table.seats.values(), await own_house.visitor()):
        view = await visitor.get(table.url)
        assert view["offers"] == []
        assert set(view["damaged"]) == {"why"}
        for text in (view["damaged"]["why"], view["detail"], view["prompt"]):
            assert not re.search(r"\d", text)


async def test_hashes_are_shown_after_the_end_only(own_house: House) -> None:
    """A hash over something that can be guessed lets others guess it."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await played(ann, bob)
    rows = await log_rows(own_house, table)
    hashes = [row["hash"] for row in rows]
    for visitor in (ann, bob):
        shown = [
            (await visitor.http.get(path)).text
            for path in (table.url, f"{table.url}/log?limit=1000", table.page)
        ]
        assert not any(one in text for one in hashes for text in shown)
    assert (await ann.http.post(f"{table.url}/close", json={})).status_code == 200
    rows = await log_rows(own_house, table)
    log = await bob.get(f"{table.url}/log", limit=1000)
    assert [entry["hash"] for entry in log] == [row["hash"] for row in rows]
