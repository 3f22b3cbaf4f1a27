"""Deleting a table: its owner's alone, with everything that belongs to it; nobody stays locked to what is gone."""

import random
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.engine.game import Game
from app.games import registry
from tests.records.missions import SHOT_DOWN, book_of, fly, newcomer, take_off
from tests.web.house import House, Table, Visitor, open_house, problem_of, settle, small_duel
from tests.web.test_adopting import first_edition, playing, second_edition

pytestmark = pytest.mark.anyio


def left_of(house: House, table: Table) -> dict[str, int]:
    """How many rows of each kind there are of a table."""
    names = {"game_table": "id", **dict.fromkeys(("log_entry", "seat_claim", "seed"), "table_id")}
    names["held_answer"] = "table_id"
    with sqlite3.connect(house.settings.data / "contrail.db") as stored:
        found = {
            name: stored.execute(
                f"SELECT count(*) FROM {name} WHERE {key} = ?", (table.id,)
            ).fetchone()[0]
            for name, key in names.items()
        }
    stored.close()
    return {name: count for name, count in found.items() if count}


async def test_a_table_goes_with_everything(house: House) -> None:
    """For its owner nothing is left, for everybody else there is no such table; streams end."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel(), name="To go")
    page = await ann.page(table.page)
    assert f'action="{table.page}/delete"' in page
    streams = [await bob.stream(f"{table.page}/{path}") for path in ("frames", "stream")]
    for stream in streams:
        await stream.event()
    answer = await ann.http.delete(table.url)
    assert (answer.status_code, answer.content) == (204, b"")
    await settle()
    for stream in streams:
        assert [message.event for message in stream.pending()][-1] == "restart"
        assert stream.ended
    assert left_of(house, table) == {}
    for path in (table.url, f"{table.url}/log", table.page, f"{table.page}/frames"):
        for visitor in (ann, bob):
            assert (await visitor.http.get(path)).status_code == 404
    assert "To go" not in {line["name"] for line in await ann.get("/api/tables")}
    assert (await ann.http.delete(table.url)).status_code == 404
    assert table.id not in house.site.service._live


async def test_only_its_owner_may(house: House, ann: Visitor) -> None:
    """Neither a stranger nor who has a seat."""
    bob, eve = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel())
    await table.join("red", bob)
    for visitor in (bob, eve):
        problem = problem_of(await visitor.http.delete(table.url))
        assert problem["status"] == 403
        await visitor.form(f"{table.page}/delete", {"confirmed": "yes"}, 403, htmx=False)
        assert f"{table.page}/delete" not in await visitor.page(table.page)
    before = left_of(house, table)
    assert (await table.view())["finished"] is False
    assert left_of(house, table) == before


async def test_not_while_somebody_else_plays(house: House, ann: Visitor) -> None:
    """With a seat taken it can't go before the end; after the end it can."""
    bob = await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel())
    await table.join("red", bob)
    assert problem_of(await ann.http.delete(table.url))["status"] == 409
    assert f"{table.page}/delete" not in await ann.page(table.page)
    await bob.post(f"{table.url}/close")
    assert f"{table.page}/delete" in await ann.page(table.page)
    assert (await ann.http.delete(table.url)).status_code == 204
    assert left_of(house, table) == {}


async def test_a_seat_taken_by_a_script_counts(house: House, ann: Visitor) -> None:
    """Somebody without a cookie, by a seat token, is somebody else."""
    table = await ann.sit(mode="shared", setup=small_duel())
    invite = table.opened["seats"][1]["invite"]
    script = house.bearer((await (await house.visitor()).post("/api/token", None, 201))["token"])
    await script.post(f"{table.url}/seats/red/claim", {"invite": invite})
    assert problem_of(await ann.http.delete(table.url))["status"] == 409


async def test_the_page_asks_first(house: House, ann: Visitor) -> None:
    """Without JavaScript: a page that says what goes, then the way to the other tables."""
    table = await ann.sit(setup=small_duel(), name="Solo one")
    asked = await ann.form(f"{table.page}/delete", {}, 200, htmx=False)
    assert "“Solo one” goes for good" in asked.text
    assert "abandoned" not in asked.text
    assert left_of(house, table) != {}
    done = await ann.form(f"{table.page}/delete", {"confirmed": "yes"}, 303, htmx=False)
    assert done.headers["location"] == "/tables"
    assert left_of(house, table) == {}


async def test_a_person_is_free_again_and_has_abandoned(ann: Visitor) -> None:
    """No way round what closing a game costs, and nobody is locked to a table that is gone."""
    person = await newcomer(ann, "Quitter")
    table = await take_off(ann, person, damage=6)
    await fly(table, SHOT_DOWN)
    asked = await ann.form(f"{table.page}/delete", {}, 200, htmx=False)
    assert "counts it as abandoned" in asked.text
    assert (await ann.http.delete(table.url)).status_code == 204
    book = await book_of(ann, person)
    assert (book["person"]["status"], book["person"]["table"]) == ("active", None)
    assert book["person"]["abandoned"] == 1
    assert [deed["kind"] for deed in book["deeds"]] == ["abandoned"]
    await take_off(ann, person)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM log_entry WHERE table_id = ? AND seq = 3",
        "DELETE FROM log_entry WHERE table_id = ?",
        "DELETE FROM seat_claim WHERE table_id = ?",
    ],
)
async def test_a_damaged_table_can_go(own_house: House, damage: str) -> None:
    """Also with others at it, and also one that can't be shown at all; from the list, as it has no page."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel())
    await table.join("red", bob)
    with sqlite3.connect(own_house.settings.data / "contrail.db") as stored:
        stored.execute(damage, (table.id,))
    stored.close()
    own_house.site.service._live.clear()
    await ann.http.get(table.url)
    assert f'action="{table.page}/delete"' in await ann.page("/tables")
    assert f'action="{table.page}/delete"' not in await bob.page("/tables")
    assert (await bob.http.delete(table.url)).status_code == 403
    await ann.form(f"{table.page}/delete", {}, 200, htmx=False)
    await ann.form(f"{table.page}/delete", {"confirmed": "yes"}, 303, htmx=False)
    assert left_of(own_house, table) == {}


async def test_a_seat_taken_elsewhere_meanwhile_stops_it(
    tmp_path_factory: pytest.TempPathFactory, plug_ins: None
) -> None:
    """By way of another process, which this one knows nothing of."""
    data = tmp_path_factory.mktemp("two")
    async with open_house(data) as one, open_house(data) as two:
        ann, bob = await one.visitor(), await two.visitor()
        table = await ann.sit(mode="shared", setup=small_duel())
        invite = table.opened["seats"][1]["invite"]
        await bob.post(f"{table.url}/seats/red/claim", {"invite": invite})
        assert problem_of(await ann.http.delete(table.url))["status"] == 409
        assert (await bob.get(table.url))["seat"] == "red"


def forget(table: Table) -> None:
    """The server has no table in memory any more, as after a restart."""
    table.house.site.service._live.clear()


async def check_stays_while_another_plays(
    ann: Visitor, table: Table, game: Game[Any] | None
) -> None:
    """While the skirmish is `game`, its owner can't delete it, and by another version it is played on."""
    before = left_of(table.house, table)
    forget(table)
    with playing(game):
        problem = problem_of(await ann.http.delete(table.url))
        assert problem["status"] == 409
        assert "nothing of it is lost" in problem["detail"]
        await ann.form(f"{table.page}/delete", {"confirmed": "yes"}, 409, htmx=False)
        assert left_of(table.house, table) == before
    forget(table)
    with playing(second_edition()):
        assert "damaged" not in await table.view()


async def check_can_go(ann: Visitor, table: Table, game: Game[Any] | None) -> None:
    """While the skirmish is `game`, its owner may delete it."""
    forget(table)
    with playing(game):
        assert (await ann.http.delete(table.url)).status_code == 204
        assert left_of(table.house, table) == {}
        assert table.id not in table.house.site.service.damaged


def lame_edition() -> Game[Any]:
    """The skirmish by rules that can't follow what its planes have done."""

    def evolve(state: Any, event: Any) -> Any:
        raise ValueError(f"no {type(event).__name__} of {state.turn}")

    return replace(second_edition(), evolve=evolve)


def stillborn() -> Game[Any]:
    """The skirmish by rules that can't begin."""

    def start(setup: Any, rulings: Any, cards: Any) -> Any:
        raise ValueError(f"no {len(rulings)}, {len(cards)}, {setup}")

    return replace(second_edition(), start=start)


@pytest.mark.parametrize("other", [None, first_edition, lame_edition, stillborn])
async def test_a_table_that_another_version_can_read_is_not_lost(
    own_house: House, other: Callable[[], Game[Any]] | None
) -> None:
    """Whether its game is not installed, older, or can't follow: others at it keep it, till the game is over."""
    ann, bob = await own_house.visitor(), await own_house.visitor()
    game = other() if other else None
    with playing(second_edition()):
        table = await ann.sit("skirmish", mode="shared")
        await table.join("blue", bob)
        await table.play(random.Random(1), 6)
        alone = await ann.sit("skirmish")
        await alone.play(random.Random(1), 2)
    await check_stays_while_another_plays(ann, table, game)
    await check_can_go(ann, alone, game)
    with playing(second_edition()):
        await bob.post(f"{table.url}/close")
    await check_can_go(ann, table, game)


async def test_a_person_has_abandoned_also_what_can_not_be_read(
    ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taking a plug-in away is no way round what closing a game costs."""
    person = await newcomer(ann, "Evader")
    table = await take_off(ann, person, damage=6)
    await fly(table, SHOT_DOWN)
    forget(table)
    plugins = registry._plugins()
    rest = {key: one for key, one in plugins.items() if key != "f14-tomcats"}
    with monkeypatch.context() as patch:
        patch.setattr(registry, "_plugins", lambda: rest)
        assert (await ann.http.delete(table.url)).status_code == 204
    book = await book_of(ann, person)
    assert (book["person"]["status"], book["person"]["table"]) == ("active", None)
    assert book["person"]["abandoned"] == 1
    assert [deed["kind"] for deed in book["deeds"]] == ["abandoned"]
    await take_off(ann, person)
