"""Fog that is computed: an enemy of whom a side knows nothing reaches it by no door (Game.view, Game.tells).

Two visitors play Gunslingers in hard fog. The words looked for are the names and ids of the other side's aircraft.
"""

import dataclasses
import json
import random
import re

import pytest
from msgspec.structs import replace

from app.engine.secret import Secret, Viewer
from app.engine.sequence import Roll
from app.games.gunslingers.model import Missile, State
from app.tables.looking import OUT_OF_SIGHT, view_of
from app.tables.position import Position, Standing
from tests.web.house import House, Table, Visitor

pytestmark = pytest.mark.anyio

BANDITS = ("red-1", "red-2", "Bandit Hidden", "Bandit Lurking")


def far_apart() -> dict[str, object]:
    """Two against two on a board so large that nobody sees anybody for some turns."""
    sides = {
        "blue": ("f-4e", 3, "05", ("Viper One", "Viper Two")),
        "red": ("mig-17f", 9, "95", ("Bandit Hidden", "Bandit Lurking")),
    }
    return {
        "title": "Far apart",
        "board": {"columns": 99, "rows": 40},
        "turns": 9,
        "leaving": False,
        "aircraft": [
            {
                "id": f"{side}-{n}",
                "side": side,
                "card": card,
                "name": name,
                "place": f"{column}{20 + 2 * n}",
                "facing": facing,
                "altitude": 18,
                "speed": 4.5,
            }
            for side, (card, facing, column, names) in sides.items()
            for n, name in enumerate(names, 1)
        ],
    }


async def pair(house: House, fog: str, **order: object) -> Table:
    """Blue opens the table, Red joins it."""
    blue, red = await house.visitor(), await house.visitor()
    order = {"mode": "shared", "setup": far_apart(), "rulings": {"fog": fog}, **order}
    table = await blue.sit("gunslingers", **order)
    await table.join("red", red)
    return table


async def bodies(table: Table, visitor: Visitor) -> dict[str, str]:
    """All that a visitor can fetch of a table, by path."""
    version = (await visitor.get(table.url))["version"]
    paths = (
        table.url,
        *(f"{table.url}?at={at}" for at in range(1, version + 1, 9)),
        f"{table.url}/log?limit=1000",
        table.page,
        f"{table.page}?at={version // 2}",
        f"{table.page}/log?before={version}",
        f"{table.page}/dice",
        f"{table.page}/dice.json",
        f"{table.page}/stream?once=true",
        f"/games/gunslingers/setup?table={table.id}",
    )
    found: dict[str, str] = {}
    for path in paths:
        answer = await visitor.http.get(path, headers={"hx-request": "true"})
        assert answer.status_code in (200, 404), (path, answer.text[:300])
        found[path] = answer.text
    return found


async def test_in_hard_fog_nothing_of_the_unknown_gets_out(house: House) -> None:
    table = await pair(house, "hard")
    blue, red, stranger = table.seats["blue"], table.seats["red"], await house.visitor()
    rng = random.Random(3)
    looks = 0
    for _ in range(3):
        assert await table.play(rng, 9) == 9
        if any(unit["hex"] is None for unit in (await table.view("red"))["units"]):
            break  # who has left the fight is known to all
        looks += 1
        for visitor in (blue, stranger):
            for path, text in (await bodies(table, visitor)).items():
                assert not [word for word in BANDITS if word in text], path
    assert looks
    own = "".join((await bodies(table, red)).values())
    assert all(word in own for word in BANDITS)


async def test_a_step_of_an_unseen_unit_waits_out_of_sight(house: House) -> None:
    """In pace "step" its own side lets it happen; the other can't tell what waits, nor whom all wait for."""
    table = await pair(house, "hard", pace="step")
    blue, rng = table.seats["blue"], random.Random(3)
    unseen: set[str] = set()
    view = await table.view("blue")
    while view["turn"] < 2 and all(unit["hex"] for unit in (await table.view("red"))["units"]):
        text = json.dumps(view)
        assert not [word for word in BANDITS if word in text], text
        assert not re.search(r"\b(.+): \1\b", view["prompt"]), "named twice"
        if view["prompt"] == OUT_OF_SIGHT:
            assert view["offers"] == []
            assert "step" not in view
            assert not [seat for seat in view["seats"] if seat["to_act"]]
            (waits,) = {offer["kind"] for _, offer, _ in await table.open_offers()}
            unseen.add(waits)
            refusal = await table.advance("blue", 422)
            assert refusal["detail"] == "There is nothing that you could let happen now."
            page = (await blue.http.get(table.page)).text
            assert not [word for word in BANDITS if word in page]
            assert "Continue" not in page
        assert await table.play(rng, 1) == 1
        view = await table.view("blue")
    assert len(unseen) > 1, "effects, rolls and decisions look alike"


async def test_how_many_dice_wait_is_told_to_those_who_throw_them(house: House) -> None:
    """In pace "step" an unsighted missile in flight has a die in the enemy's search: no spectator can tell."""
    table = await pair(house, "hard", pace="step")
    rng, spectator = random.Random(3), await house.visitor()
    waited: set[str] = set()
    live = await house.site.service.get(table.id)
    for _ in range(60):
        now = live.position
        if isinstance(now.todo, Roll) and now.todo.id.startswith(("ties", "search")):
            other = table.seats["red" if now.todo.seat == "blue" else "blue"]
            for visitor in (spectator, other):
                for path in (table.url, table.page):
                    text = (await visitor.http.get(path)).text
                    assert not re.search(r"Roll \d|, \d+d10", text), path
            own = await table.view(now.todo.seat)
            assert own["prompt"].endswith(f", {own['offers'][0]['pool']}")
            waited.add(now.todo.id)
        if "search:blue" in waited:
            break
        assert await table.play(rng, 1) == 1
    assert "search:blue" in waited
    assert looks_alike(live.position, frozenset())


def looks_alike(now: Position, viewer: Viewer) -> bool:
    """Whether a viewer sees the same with a missile of Red in flight that nobody has sighted."""
    state: State = now.state  # pyright: ignore[reportAssignmentType]
    shooter = state.aircraft["red-1"]
    missile = Missile(
        id="missile-1",
        side="red",
        card=Secret("ir-rear", ("red",)),
        shooter="red-1",
        target="blue-1",
        pos=shooter.pos,
        altitude=18,
        facing=9,
        speed=Secret(9, ("red",)),
        left=Secret(3, ("red",)),
        launched=0,
    )
    twin = replace(state, missiles={missile.id: missile})
    other = dataclasses.replace(now, standing=Standing(now.game, twin, waits=False))
    rolls = [one.todo for one in (now, other)]
    assert [one.pool.count for one in rolls if isinstance(one, Roll)] == [2, 3]
    return view_of(now, viewer) == view_of(other, viewer)


async def test_the_servers_counters_stand_still_while_facts_are_hidden(own_house: House) -> None:
    """All may read them. What was done at the table is counted when nothing is hidden there any more."""
    table = await pair(own_house, "hard")
    live, eve = await own_house.site.service.get(table.id), await own_house.visitor()
    before, opened = (await eve.http.get("/metrics")).text, live.version
    assert await table.play(random.Random(3), 9) == 9
    assert (await eve.http.get("/metrics")).text == before
    await table.seats["blue"].post(f"{table.url}/close")
    after = (await eve.http.get("/metrics")).text
    commands = {entry.command for entry in live.entries[opened:]}
    assert f"contrail_commands_total {len(commands)}\n" in after
    assert f"contrail_entries_total {live.version - opened}\n" in after


async def test_at_an_open_table_the_same_is_there_for_both(house: House) -> None:
    table = await pair(house, "table")
    await table.play(random.Random(3), 9)
    text = json.dumps(await table.view("blue")) + json.dumps(await table.log("blue"))
    assert all(word in text for word in BANDITS)


async def test_what_one_is_not_told_takes_no_number(house: House) -> None:
    """The record is longer than what Blue counts; each viewer's own numbers have no gap, in log and page."""
    table = await pair(house, "hard")
    blue = table.seats["blue"]
    await table.play(random.Random(3), 25)
    record = house.site.service._live[table.id].version
    log = await table.log("blue")
    count = (await table.view("blue"))["log"]
    assert [line["seq"] for line in log] == list(range(1, count + 1))
    assert count < record
    assert [line["seq"] for line in await table.log("blue", after=7, limit=5)] == [*range(8, 13)]
    indexes = [line["dice"]["index"] for line in log if "dice" in line]
    faces = [len(line["dice"]["faces"]) for line in log if "dice" in line]
    assert indexes == [sum(faces[:n]) for n in range(len(faces))]
    assert (await table.view("blue"))["dice"]["thrown"] == sum(faces)
    pages = [(await blue.http.get(table.page)).text]
    for before in range(count + 1, 1, -37):  # pages that overlap, and break where they will
        asked = {"hx-request": "true"}
        pages.append((await blue.http.get(f"{table.page}/log?before={before}", headers=asked)).text)
    shown = {int(seq) for page in pages for seq in re.findall(r'<li id="e(\d+)"', page)}
    assert shown == set(range(1, count + 1))
    assert not [page for page in pages if "out of sight" in page]
    await blue.get(table.url, 404, at=count + 1)


@pytest.mark.parametrize("fog", ["table", "hard"])
async def test_the_set_up_is_its_sides_own_in_fog_or_not(house: House, fog: str) -> None:
    """What is secret in the state stands in it in plain words."""
    table = await pair(house, fog)
    for log in (await table.log("blue"), await (await house.visitor()).get(f"{table.url}/log")):
        assert log[0]["type"] == "Opened"
        assert log[0]["data"]["setup"] == {}
