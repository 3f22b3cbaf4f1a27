"""After the game: what is told of it, and the rematch."""

import asyncio
import math
import random
import sqlite3
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.tables.live import Caller
from app.tables.seating import claim
from tests.web.dom import apply, parse
from tests.web.house import (
    House,
    Table,
    Visitor,
    any_choice,
    open_house,
    problem_of,
    small_duel,
)
from tests.web.test_api import schemas_of

pytestmark = pytest.mark.anyio

Answers = Callable[[Mapping[str, Any]], Any]


async def play_out(table: Table, answer: Answers) -> None:
    """Play to the end; `answer` gives each offer's choice, or for a roll the faces."""
    for _ in range(400):
        offers = await table.open_offers()
        if not offers:
            assert (await table.view())["finished"]
            return
        visitor, offer, version = offers[0]
        body: dict[str, Any] = {"version": version, "offer": offer["id"]}
        body["dice" if offer["kind"] == "roll" else "choice"] = answer(offer)
        await visitor.post(f"{table.url}/commands", body)
    raise AssertionError("the game did not end")


async def summary(table: Table) -> dict[str, Any]:
    """What is told of a finished game."""
    return await next(iter(table.seats.values())).get(f"{table.url}/summary")


async def pair(house: House, game: str = "osaaf", **order: Any) -> Table:
    """A shared table of two visitors."""
    ann, bob = await house.visitor(), await house.visitor()
    if game == "osaaf":
        order.setdefault("setup", small_duel())
    table = await ann.sit(game, mode="shared", **order)
    await table.join(table.opened["seats"][1]["id"], bob, name="Bob")
    return table


async def over(house: House, **order: Any) -> Table:
    """The same with the game given up by the first seat."""
    table = await pair(house, **order)
    await next(iter(table.seats.values())).post(f"{table.url}/close")
    return table


# Luck


def skirmish_by_hand() -> Answers:
    """A duel without shots: red flies first on the 7 of turn 1, and the one smoke goes at once."""
    rolls = {"order-1": [3, 4], "order-2": [6, 6], "thin-1": [1], "thin-2": []}
    laid: list[str] = []

    def answer(offer: Mapping[str, Any]) -> Any:
        kind = offer["id"].split("-")[0]
        if offer["kind"] == "roll":
            return rolls[offer["id"]]
        if kind == "reserve":
            return 1
        if kind == "plot":
            return {"plan": "hold", "decoy": False}
        if kind == "smoke":
            free = [one["value"] for one in offer["options"] if one["value"]["hex"]]
            laid.append(offer["id"])
            return free[0] if len(laid) == 1 else {"hex": None}
        if kind == "snap":
            return False
        return any_choice(random.Random(1), offer)

    return answer


async def test_luck_by_hand(ann: Visitor) -> None:
    """21 of 36 throws are 7 or less, and a smoke goes on a 1 or 2: the rest is done with a pencil."""
    table = await ann.sit("skirmish", scenario="duel", dice="hand")
    await play_out(table, skirmish_by_hand())
    red, blue = (await summary(table))["luck"]["seats"]
    assert (red["seat"], red["struck"], red["left_out"]) == ("red", 0, 0)
    order, smoke = red["kinds"]
    assert (order["label"], order["n"], order["rolled"]) == ("Red flies first", 2, 1)
    assert order["yes"] is True
    assert order["by_hand"] == 2
    assert order["expected"] == pytest.approx(42 / 36)
    assert order["variance"] == pytest.approx(2 * 21 / 36 * 15 / 36)
    assert order["z"] == pytest.approx(-0.2390, abs=1e-4)
    # No yes at all in 225 of 1296, one in 630 of them.
    assert order["percentile"] == pytest.approx((225 + 315) / 1296)
    assert order["text"] == "Yes 1 of 2 times; 1.2 to be expected. About as expected."
    # In turn 2 there is no smoke, so no die falls: that is no roll.
    assert (smoke["label"], smoke["n"], smoke["rolled"]) == ("Smokes gone", 1, 1)
    assert smoke["yes"] is False
    assert smoke["expected"] == pytest.approx(1 / 3)
    assert smoke["z"] == pytest.approx(math.sqrt(2))
    assert smoke["percentile"] == pytest.approx(2 / 3 + 1 / 6)
    assert smoke["text"] == "1 in 1 roll; 0.3 to be expected. Luckier than 83 of 100 games."
    assert red["z"] == pytest.approx((math.sqrt(2) * order["z"] + smoke["z"]) / math.sqrt(3))
    assert red["verdict"] == "A little lucky"
    assert (blue["kinds"], blue["verdict"]) == ([], "No dice to judge by")
    page = await ann.page(f"{table.page}/after")
    assert "Yes 1 of 2 times; 1.2 to be expected. About as expected. All by hand." in page
    assert "No roll of this side had odds." in page
    # Its planes have neither altitude nor speed.
    assert "Timeline" not in page


async def test_a_roll_that_was_taken_back_is_told_but_does_not_count(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel(), takebacks="free", dice="hand", pace="step")
    wanted = {"n": 0}

    async def until_energy() -> dict[str, Any]:
        for _ in range(60):
            offers = await table.open_offers()
            visitor, offer, version = offers[0]
            if offer["id"].startswith("energy"):
                return offer
            if offer["kind"] == "confirm":
                await visitor.post(f"{table.url}/advance", {"version": version})
                continue
            body: dict[str, Any] = {"version": version, "offer": offer["id"]}
            if offer["kind"] == "roll":
                wanted["n"] += 1
                # No two equal dice one after another, or initiative would be rolled for ever.
                body["dice"] = [1 + wanted["n"] % 4] * int(offer["pool"][0])
            else:
                body["choice"] = any_choice(random.Random(2), offer)
            await visitor.post(f"{table.url}/commands", body)
        raise AssertionError("no energy roll came up")

    offer = await until_energy()
    seat, before = offer["seat"], await table.version()
    dice = int(offer["pool"][0])
    await table.seats[seat].post(
        f"{table.url}/commands", {"version": before, "offer": offer["id"], "dice": [1] * dice}
    )
    await table.take_back(seat, before)
    again = next(o for _, o, _ in await table.open_offers() if o["id"] == offer["id"])
    done = await table.seats[seat].post(
        f"{table.url}/commands",
        {"version": await table.version(), "offer": again["id"], "dice": [6] * dice},
    )
    gain = done["entries"][0]["data"]["gain"]
    await table.seats[seat].post(f"{table.url}/close")
    told = await summary(table)
    luck = {one["seat"]: one for one in told["luck"]["seats"]}
    (energy,) = (k for k in luck[seat]["kinds"] if k["label"].startswith("Speed gained"))
    assert (energy["n"], energy["rolled"], energy["by_hand"]) == (1, gain, 1)
    assert luck[seat]["struck"] == 1
    # The sun and initiative have no odds, so nobody is lucky at them.
    assert sum(one["left_out"] for one in luck.values()) == wanted["n"]
    page = await ann.page(f"{table.page}/after")
    assert "1 roll was taken back and does not count." in page


# The timeline


async def test_the_timeline_is_what_the_history_shows(house: House) -> None:
    """At the end of each turn, the values that the table shows there; what was taken back is not there."""
    ann = await house.visitor()
    game = await ann.sit(setup=small_duel(turns=4), takebacks="free")
    rng = random.Random(5)
    await game.play(rng, 12)
    await game.take_back("blue", (await game.version()) // 2)
    await game.play(rng, 300)
    view = await game.view()
    assert view["finished"]
    log = [entry for entry in await game.log() if "struck" not in entry]
    assert len(log) < view["version"], "nothing was struck"
    log = [entry for entry in log if entry["type"] != "Rewound"]
    ends = {0: 1}
    for before, entry in pairwise(log):
        if entry["type"] == "PhaseBegan" and entry["data"]["turn"] != before["turn"]:
            ends[before["turn"]] = before["seq"]
    ends[view["turn"]] = view["version"]
    told = (await summary(game))["timeline"]
    assert told["turns"] == view["turn"] == max(ends)
    assert [unit["id"] for unit in told["units"]] == ["blue-1", "red-1"]
    for unit in told["units"]:
        seen: list[Any] = []
        for turn, seq in ends.items():
            past = await game.view(at=seq)
            now = next(one for one in past["units"] if one["id"] == unit["id"])
            if now["hex"] is not None:
                seen.append({"turn": turn, "altitude": now["altitude"], "speed": now["speed"]})
        assert unit["points"] == seen
        assert unit["points"][0] == {"turn": 0, "altitude": 5, "speed": 4}
    page = parse(await ann.page(f"{game.page}/after"))
    charts = [one for one in page.walk() if one.tag == "svg" and one.attrs.get("class") == "tl"]
    assert len(charts) == 2
    words = [
        [one.attrs["aria-label"] for one in chart.walk() if one.attrs.get("class") == "tl-turn"]
        for chart in charts
    ]
    assert [len(one) for one in words] == [told["turns"] + 1] * 2
    assert words[0][0] == "Start, altitude: Blue 1 5, Red 1 5"
    assert words[1][0] == "Start, speed: Blue 1 4, Red 1 4"


async def test_a_unit_that_leaves_is_told_with_the_turn_and_the_reason(ann: Visitor) -> None:
    setup = small_duel(turns=3)
    # Too fast to stall before it is out.
    setup["jets"][0] |= {"hex": "1201", "facing": 0, "altitude": 5, "speed": 6}
    table = await ann.sit(setup=setup, rulings={"edge": "off"})

    def straight(rng: random.Random, offer: Mapping[str, Any]) -> Any:
        values = [one["value"] for one in offer["options"] if "blocked" not in one]
        return next((v for v in values if v in ("ahead-all", "ahead")), values[0])

    await table.play(random.Random(1), 200, straight)
    view = await table.view()
    assert view["finished"]
    left = next(e for e in await table.log() if "edge" in e["type"].lower() or "Left" in e["type"])
    told = (await summary(table))["timeline"]
    unit = next(one for one in told["units"] if one["id"] == left["unit"])
    assert unit["left"] == left["turn"]
    assert [point["turn"] for point in unit["points"]] == list(range(left["turn"]))
    assert unit["cause"]
    page = await ann.page(f"{table.page}/after")
    assert f"{unit['name']}: {unit['cause']}, turn {unit['left']}" in page


async def test_what_units_launch_has_no_line(ann: Visitor) -> None:
    flies: dict[str, Any] = {"altitude": 18, "facing": 0, "speed": 5.5, "sighted": True}
    shooter: dict[str, Any] = {"id": "blue-1", "side": "blue", "name": "Blue 1", "card": "f-4e"}
    shooter |= {"place": "2025", "stores": [{"missile": "ir-rear", "count": 9}]}
    target = {"id": "red-1", "side": "red", "name": "Red 1", "card": "mig-21mf", "place": "2019"}
    setup = {"title": "Shot", "turns": 6, "aircraft": [shooter | flies, target | flies]}
    table = await ann.sit("gunslingers", setup=setup)

    def shoots(rng: random.Random, offer: Mapping[str, Any]) -> Any:
        """Launches what it can; flies straight on."""
        if offer["id"].startswith("launch:"):
            return [one["value"] for one in offer["options"] if "blocked" not in one][-1]
        return offer["example"] if offer.get("draft") else any_choice(rng, offer)

    await table.play(random.Random(1), 2_000, shoots)
    assert "MissileAttacked" in {entry["type"] for entry in await table.log()}
    told = (await summary(table))["timeline"]
    assert {unit["id"] for unit in told["units"]} == {"blue-1", "red-1"}


async def test_nothing_is_told_before_the_end(house: House) -> None:
    table = await pair(house)
    ann = table.seats["blue"]
    problem = await ann.get(f"{table.url}/summary", 409)
    assert "still being played" in problem["detail"]
    assert "still being played" in await ann.page(f"{table.page}/after", 409)
    assert 'id="after" class="panel" aria-labelledby="h-after" hidden' in await ann.page(table.page)
    await ann.get("/api/tables/nothing/summary", 404)


async def test_who_comes_by_sees_it_too(house: House) -> None:
    table = await over(house)
    eve = await house.visitor()
    told = await eve.get(f"{table.url}/summary")
    (await schemas_of(eve)).check("AfterGame", told)
    assert told["result"]["reason"] == "conceded"
    assert told["rematch"] is None
    page = await eve.page(f"{table.page}/after")
    assert "Rematch" not in page
    panel = await eve.http.get(f"{table.page}/after", headers={"hx-request": "true"})
    assert "<html" not in panel.text
    assert "told-luck" in panel.text
    assert "hx-request" in panel.headers["vary"].lower()


async def test_the_game_says_what_its_ending_means(ann: Visitor) -> None:
    table = await ann.sit("skirmish", scenario="duel", dice="hand")
    await play_out(table, skirmish_by_hand())
    told = await summary(table)
    assert told["result"]["reason"] in ("time", "home")
    assert told["ending"]
    page = await ann.page(table.page)
    assert told["ending"] in page
    assert "Play again" in page


async def test_names_are_text(house: House) -> None:
    nasty = "<i>x</i>&\"'"
    setup = small_duel()
    setup["jets"][0]["name"] = nasty
    table = await pair(house, setup=setup)
    await table.join("red", table.seats["red"], name="<script>alert(1)</script>")
    await table.seats["blue"].post(f"{table.url}/close")
    page = await table.seats["blue"].page(f"{table.page}/after")
    assert "<i>x" not in page
    assert "<script>alert" not in page
    assert "&lt;i&gt;x&lt;/i&gt;&amp;" in page
    assert "&lt;script&gt;alert(1)" in page
    parse(page.removeprefix("<!doctype html>"))


# The rematch


async def holders(house: House, table: str, *visitors: Visitor) -> list[list[str]]:
    """The seats that each visitor holds at a table."""
    held: list[list[str]] = []
    for visitor in visitors:
        view = await visitor.get(f"/api/tables/{table}")
        held.append([seat["id"] for seat in view["seats"] if seat.get("yours")])
    return held


@pytest.mark.parametrize("swapped", [False, True])
async def test_the_same_people_play_again(house: House, swapped: bool) -> None:
    table = await over(
        house,
        rulings={"initiative": "off"},
        pace="step",
        takebacks="own",
        name="Ours",
        listed=False,
    )
    ann, bob = table.seats.values()
    made = await bob.post(f"{table.url}/rematch", {"swapped": swapped}, 201)
    (await schemas_of(bob)).check("TableOpened", made)
    new = made["id"]
    seats = ["red", "blue"] if swapped else ["blue", "red"]
    assert await holders(house, new, ann, bob) == [[seats[0]], [seats[1]]]
    old, view = await table.view(), await ann.get(f"/api/tables/{new}")
    for field in ("game", "name", "rulings", "board"):
        assert view[field] == old[field]
    names = {seat["id"]: seat.get("name", "") for seat in view["seats"]}
    assert names[seats[1]] == "Bob"
    live, before = house.site.service._live[new], house.site.service._live[table.id]
    for field in ("setup", "pace", "takebacks", "mode", "dice"):
        assert getattr(live.opened, field) == getattr(before.opened, field)
    assert live.listed is False
    assert live.opened.commitment != before.opened.commitment
    own = next(seat for seat in made["seats"] if seat["yours"])
    assert own["id"] == seats[1]
    by_token = house.bearer(own["token"])
    assert await holders(house, new, by_token) == [[seats[1]]]
    other = next(seat for seat in made["seats"] if not seat["yours"])
    assert "token" not in other, "Ann's token is nobody else's to have"
    assert "invite" not in other
    last = (await table.log())[-1]
    assert (last["type"], last["data"]) == (
        "Rematched",
        {"table": new, "by": "red", "swapped": swapped},
    )
    words = "sides swapped" if swapped else "same sides"
    assert last["text"] == f"Red has opened a rematch, {words}."
    assert (await summary(table))["rematch"] == new


async def test_the_form_leads_to_it_without_javascript(house: House) -> None:
    table = await over(house)
    bob = table.seats["red"]
    page = await bob.page(table.page)
    assert "Rematch, same sides" in page
    assert "Rematch, sides swapped" in page
    answer = await bob.form(f"{table.page}/rematch", {"swapped": "yes"}, 303, htmx=False)
    new = answer.headers["location"]
    assert await holders(house, new.rpartition("/")[2], bob) == [["blue"]]
    await bob.page(new)
    again = await bob.form(f"{table.page}/rematch", {"swapped": "no"}, 303, htmx=False)
    assert again.headers["location"] == new
    eve = await house.visitor()
    for visitor, words in ((bob, "Go to the rematch"), (eve, "Watch the rematch")):
        for path in (table.page, f"{table.page}/after"):
            page = await visitor.page(path)
            assert f'href="{new}">{words}</a>' in page
            assert "Rematch, s" not in page


async def test_two_ask_at_once_and_get_one(house: House) -> None:
    table = await over(house)
    ann, bob = table.seats.values()
    count = await tables_of(ann)
    asked = [
        visitor.http.post(f"{table.url}/rematch", json={"swapped": swapped})
        for visitor in (ann, bob)
        for swapped in (False, True, False)
    ]
    answers = await asyncio.gather(*asked)
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert await tables_of(ann) == count + 1
    log = await table.log()
    assert [entry["type"] for entry in log].count("Rematched") == 1
    second = next(answer for answer in answers if answer.status_code == 200).json()
    assert all("token" not in seat for seat in second["seats"])


async def tables_of(visitor: Visitor) -> int:
    """How many tables are theirs."""
    return len(await visitor.get("/api/tables?mine"))


async def test_no_rematch_for_spectators_nor_before_the_end(house: House) -> None:
    table = await pair(house)
    ann = table.seats["blue"]
    problem = await ann.post(f"{table.url}/rematch", {}, 409)
    assert "not over" in problem["detail"]
    await ann.post(f"{table.url}/close")
    eve = await house.visitor()
    assert "Rematch" not in await eve.page(table.page)
    await eve.post(f"{table.url}/rematch", {}, 403)
    answer = await eve.form(f"{table.page}/rematch", {}, 403, htmx=False)
    assert "have a seat" in answer.text
    await ann.post(f"{table.url}/rematch", {"swapped": "yes"}, 422)
    await ann.post("/api/tables/nothing/rematch", {}, 404)
    assert (await table.log())[-1]["type"] == "Finished"


async def test_scripts_without_a_cookie_take_their_seats_anew(house: House) -> None:
    ann = await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel())
    # Taken by nothing but a token: the claim of a program that is no visitor.
    invite = table.invite("red").rpartition("/")[2]
    _, token = await claim(house.site.service, table.id, "red", invite, Caller())
    script = house.bearer(token)
    await ann.post(f"{table.url}/close")
    made = await ann.post(f"{table.url}/rematch", {"swapped": True}, 201)
    seats = {seat["id"]: seat for seat in made["seats"]}
    assert seats["red"]["yours"]
    assert not seats["blue"]["yours"]
    # The script asks too, is told of the free seat, and sits down.
    same = await script.post(f"{table.url}/rematch", {"swapped": True}, 200)
    assert same["id"] == made["id"]
    invite = next(seat["invite"] for seat in same["seats"] if "invite" in seat)
    assert invite == seats["blue"]["invite"]
    newcomer = await house.visitor()
    taken = await newcomer.post(f"/api/tables/{made['id']}/seats/blue/claim", {"invite": invite})
    assert await holders(house, made["id"], house.bearer(taken["token"])) == [["blue"]]


async def test_a_script_that_asks_gets_its_own_token(house: House) -> None:
    table = await over(house)
    script = house.bearer(table.token("blue"))
    made = await script.post(f"{table.url}/rematch", {"swapped": True}, 201)
    own = [seat for seat in made["seats"] if "token" in seat]
    assert [seat["id"] for seat in own] == ["red"]
    assert await holders(house, made["id"], house.bearer(own[0]["token"])) == [["red"]]
    assert await holders(house, made["id"], *table.seats.values()) == [["red"], ["blue"]]


async def test_a_bot_swaps_too(ann: Visitor) -> None:
    table = await ann.sit("skirmish", bots={"blue": "plain"})
    await ann.post(f"{table.url}/close")
    assert "Rematch, sides swapped" in await ann.page(table.page)
    made = await ann.post(f"{table.url}/rematch", {"swapped": True}, 201)
    view = await ann.get(f"/api/tables/{made['id']}")
    seats = {seat["id"]: seat for seat in view["seats"]}
    assert seats["red"]["bot"] == "Plain"
    assert seats["blue"]["yours"]
    assert not seats["red"].get("yours")


async def test_alone_one_just_plays_again(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    await ann.post(f"{table.url}/close")
    for path in (table.page, f"{table.page}/after"):
        page = await ann.page(path)
        assert "Play again" in page
        assert "Rematch" not in page


async def test_the_other_browsers_see_it_at_once(house: House) -> None:
    table = await over(house)
    ann, bob = table.seats.values()
    eve = await house.visitor()
    watching: list[Any] = []
    for visitor in (ann, eve):
        page = parse((await visitor.page(table.page)).removeprefix("<!doctype html>"))
        since = next(
            one.attrs["hx-sse:connect"] for one in page.walk() if "hx-sse:connect" in one.attrs
        )
        watching.append((visitor, page, await visitor.stream(since)))
    made = await bob.post(f"{table.url}/rematch", {"swapped": True}, 201)
    for (visitor, page, stream), words in zip(
        watching, ("Go to the rematch", "Watch the rematch"), strict=True
    ):
        while made["id"] not in page.canonical():
            apply(page, (await stream.event()).data)
        now = page.find("now")
        assert now is not None
        link = next(one for one in now.walk() if one.attrs.get("id") == "primary")
        assert (link.attrs["href"], link.text()) == (f"/tables/{made['id']}", words)
        lines = page.find("log-lines")
        assert lines is not None
        assert "Red has opened a rematch, sides swapped." in lines.text()
        fresh = parse((await visitor.page(table.page)).removeprefix("<!doctype html>"))
        shown = fresh.find("now")
        assert shown is not None
        assert shown.canonical() == now.canonical()


async def test_after_the_rematch_history_and_dice_are_as_before(house: House) -> None:
    table = await over(house)
    ann = table.seats["blue"]
    before = await summary(table)
    dice = (await ann.http.get(f"{table.page}/dice.json")).json()
    await ann.post(f"{table.url}/rematch", {}, 201)
    after = await summary(table)
    assert {**after, "rematch": None} == before
    assert (await ann.http.get(f"{table.page}/dice.json")).json() == dice
    version = await table.version()
    assert "Back to now" in await ann.page(f"{table.page}?at={version - 1}")
    assert "All dice follow" in await ann.page(f"{table.page}/dice")


async def test_a_restart_forgets_nothing(tmp_path: Path, plug_ins: None) -> None:
    async with open_house(tmp_path) as house:
        table = await over(house)
        told = await summary(table)
        cookies = [dict(visitor.http.cookies) for visitor in table.seats.values()]
    async with open_house(tmp_path) as house:
        ann, bob = house.stranger(), house.stranger()
        ann.http.cookies.update(cookies[0])
        bob.http.cookies.update(cookies[1])
        assert await ann.get(f"{table.url}/summary") == told
        made = await ann.post(f"{table.url}/rematch", {"swapped": True}, 201)
    async with open_house(tmp_path) as house:
        bob = house.stranger()
        bob.http.cookies.update(cookies[1])
        same = await bob.post(f"{table.url}/rematch", {"swapped": False}, 200)
        assert same["id"] == made["id"]
        assert await holders(house, made["id"], bob) == [["blue"]]


def counted(folder: Path, table: str) -> int:
    """How many rows a table of the database has."""
    with sqlite3.connect(folder / "contrail.db") as stored:
        (rows,) = stored.execute(f"SELECT count(*) FROM {table}").fetchone()
    stored.close()
    return int(rows)


async def test_two_servers_make_one_rematch_and_no_stray_table(
    tmp_path: Path, plug_ins: None
) -> None:
    """The second server does not know of the first one's; it writes nothing, then finds it."""
    async with open_house(tmp_path) as one, open_house(tmp_path) as two:
        table = await over(one)
        bob = two.stranger()
        bob.http.cookies.update(dict(table.seats["red"].http.cookies))
        await bob.page(table.page)
        made = await table.seats["blue"].post(f"{table.url}/rematch", {}, 201)
        rows = {name: counted(tmp_path, name) for name in ("game_table", "seed", "seat_claim")}
        late = await bob.http.post(f"{table.url}/rematch", json={"swapped": True})
        assert late.status_code == 409
        assert "moved on" in problem_of(late)["detail"]
        assert {name: counted(tmp_path, name) for name in rows} == rows
        same = await bob.post(f"{table.url}/rematch", {"swapped": True}, 200)
        assert same["id"] == made["id"]


async def test_what_can_not_be_written_leaves_neither_table_nor_link(
    tmp_path: Path, plug_ins: None
) -> None:
    async with open_house(tmp_path) as house:
        table = await over(house)
        rows = counted(tmp_path, "game_table")
        with sqlite3.connect(tmp_path / "contrail.db") as stored:
            stored.execute(
                "CREATE TRIGGER full BEFORE INSERT ON log_entry WHEN NEW.event LIKE '%Rematched%' "
                "BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
        stored.close()
        ann = table.seats["blue"]
        assert (await ann.http.post(f"{table.url}/rematch", json={})).status_code == 409
        assert counted(tmp_path, "game_table") == rows
        assert (await table.log())[-1]["type"] == "Finished"
        with sqlite3.connect(tmp_path / "contrail.db") as stored:
            stored.execute("DROP TRIGGER full")
        stored.close()
        await ann.post(f"{table.url}/rematch", {}, 201)
