"""Through every door, `1.0` is the integer 1: set-ups, versions, choices, faces, and what comes of them."""

import json
import random
from typing import Any

import pytest

from app.engine.numbers import whole
from app.games import registry
from tests.engine.test_numbers import floated
from tests.web.house import House, Table, Visitor, any_choice, faces_for


@pytest.mark.parametrize("game", registry.metas())
async def test_a_game_is_played_in_numbers_with_a_point(house: House, game: str) -> None:
    """Everything that is sent has them: the set-up, versions, choices and the faces of real dice."""
    ann: Visitor = await house.visitor()
    games = {one["id"]: one for one in await ann.get("/api/games")}
    scenario = games[game]["scenarios"][0]["id"]
    setup = await ann.get(f"/api/games/{game}/scenarios/{scenario}")
    table: Table = await ann.sit(game, setup=floated(setup), dice="hand")
    rng = random.Random(game)
    for _ in range(25):
        view = await ann.get(table.url)
        if view["finished"]:
            break
        body: dict[str, Any] = {"version": view["version"]}
        asked = [one for one in view["offers"] if one["kind"] != "confirm"]
        if not asked:
            await ann.post(f"{table.url}/advance", floated(body))
            continue
        offer = rng.choice(asked)
        body["offer"] = offer["id"]
        if offer["kind"] == "roll":
            body["dice"] = faces_for(offer["pool"], rng)
        else:
            body["choice"] = any_choice(rng, offer)
        await ann.post(f"{table.url}/commands", floated(body))
    log = await ann.get(f"{table.url}/log", limit=1000)
    assert len(log) > 5
    assert json.dumps(log[0]["data"]["setup"]) == json.dumps(whole(setup))
    back = floated({"version": (await ann.get(table.url))["version"], "to": 1})
    await ann.post(f"{table.url}/takeback", back)


async def test_true_is_no_integer(ann: Visitor) -> None:
    table = await ann.sit()
    await ann.post(f"{table.url}/advance", {"version": True}, 422)
    await ann.post(f"{table.url}/advance", {"version": 1.5}, 422)
    setup = await ann.get("/api/games/osaaf/scenarios/duel")
    await ann.post("/api/tables", {"game": "osaaf", "setup": {**setup, "turns": True}}, 422)
    await ann.post("/api/tables", {"game": "osaaf", "setup": {**setup, "turns": 2.5}}, 422)


async def test_pages_and_addresses_take_them_too(ann: Visitor) -> None:
    table = await ann.sit("osaaf", scenario="duel")
    await ann.get(f"{table.url}/log?after=1.0&limit=5.0")
    view = await ann.get(table.url)
    offer = next(one for one in view["offers"] if one["kind"] == "decision")
    integers = [one["value"] for one in offer["options"] if type(one["value"]) is int]
    choice = integers[0] if integers else any_choice(random.Random(1), offer)
    fields = {"version": view["version"], "offer": offer["id"]}
    fields["choice"] = json.dumps(floated(choice))
    await ann.form(f"{table.page}/commands", fields, 303, htmx=False)
    assert (await ann.get(table.url))["version"] > view["version"]
