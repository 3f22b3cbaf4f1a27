"""The JSON interface as it is promised to scripts: calls, fields, statuses."""

import random
from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from app.engine.sequence import Decision
from tests.web.house import House, Table, Visitor, any_choice, faces_for, problem_of, small_duel

pytestmark = pytest.mark.anyio

VIEW = {
    "id", "game", "name", "version", "seat", "turn", "phase", "phases", "prompt", "offers", "units",
    "board", "seats", "rulings", "dice", "finished",
}  # fmt: skip
ENTRY = {"seq", "at", "turn", "phase", "type", "seat", "text", "data"}
OFFER = {"id", "seat", "kind", "title", "rule"}
UNIT = {"id", "seat", "kind", "name", "hex", "facing"}


class Schemas:
    """Checks values against the schemas that the server publishes."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._made: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def check(self, name: str, value: Any) -> None:
        """Fail when a value is not what the document says of this type."""
        if name not in self._made:
            schema = {
                "$ref": f"#/components/schemas/{name}",
                "components": self._document["components"],
            }
            self._made[name] = jsonschema_rs.Draft202012Validator(schema)
        errors = [
            f"{error.instance_path}: {error.message}"
            for error in self._made[name].iter_errors(value)
        ]
        assert not errors, errors[:3]


async def schemas_of(visitor: Visitor) -> Schemas:
    """The published ones."""
    return Schemas(await visitor.get("/openapi.json"))


# What there is to play


async def test_games_say_what_can_be_chosen(ann: Visitor) -> None:
    games = await ann.get("/api/games")
    schemas = await schemas_of(ann)
    assert "osaaf" in {game["id"] for game in games}
    for game in games:
        schemas.check("GameView", game)
        assert {"id", "title", "summary", "players", "scenarios", "rulings"} <= set(game)
        assert game["scenarios"]
        for scenario in game["scenarios"]:
            assert {"id", "title", "summary", "seats"} <= set(scenario)
            assert scenario["seats"]
        for ruling in game["rulings"]:
            assert {"id", "question", "default", "options", "rule"} <= set(ruling)
            assert ruling["default"] in {option["value"] for option in ruling["options"]}


async def test_a_scenario_can_be_edited_and_sent_back(ann: Visitor) -> None:
    for game in await ann.get("/api/games"):
        for scenario in game["scenarios"]:
            path = f"/api/games/{game['id']}/scenarios/{scenario['id']}"
            setup = await ann.get(path)
            assert isinstance(setup, dict)
            plain = await ann.sit(game["id"], scenario=scenario["id"], pace="step")
            again = await ann.sit(game["id"], setup=setup, pace="step")
            one, other = await plain.view(), await again.view()
            assert one["units"] == other["units"]
            assert one["board"] == other["board"]


async def test_an_edited_set_up_is_what_is_played(ann: Visitor) -> None:
    setup = await ann.get("/api/games/osaaf/scenarios/duel")
    setup["jets"][0] |= {"hex": "0505", "altitude": 2, "facing": 1, "name": "Edited"}
    table = await ann.sit(setup=setup, pace="step")
    unit = (await table.view())["units"][0]
    assert (unit["hex"], unit["altitude"], unit["facing"], unit["name"]) == ("0505", 2, 1, "Edited")


@pytest.mark.parametrize(
    "change",
    [
        {"turns": 0},
        {"turns": "two"},
        {"jets": []},
        {"jets": "many"},
        {"unknown": 1},
        {"board": {"columns": 10**9, "rows": 5}},
        {"seats": [{"id": "blue", "label": "Blue"}]},
        {"seats": [{"id": "blue", "label": "Blue"}, {"id": "blue", "label": "Red"}]},
    ],
)
async def test_a_set_up_that_cannot_be_is_refused(ann: Visitor, change: Any) -> None:
    body = {"game": "osaaf", "setup": small_duel(**change)}
    await ann.post("/api/tables", body, 422)
    assert await ann.get("/api/tables?mine") == []


async def test_a_set_up_outside_a_rule_cites_it(ann: Visitor) -> None:
    setup = small_duel()
    setup["jets"][0]["altitude"] = 99
    problem = await ann.post("/api/tables", {"game": "osaaf", "setup": setup}, 422)
    assert problem["rule"].startswith("OSAAF-")
    assert "jets[0].altitude" in problem["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/nothing/scenarios/duel",
        "/api/games/osaaf/scenarios/nothing",
        "/api/tables/nothing",
        "/api/tables/nothing/log",
        "/api/nothing",
        "/tables/nothing/stream",
        "/tables/nothing/frames",
        "/tables/nothing/dice.json",
    ],
)
async def test_what_is_not_there_is_404(ann: Visitor, path: str) -> None:
    await ann.get(path, 404)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "nothing"}, 404),
        ({"game": "osaaf", "scenario": "nothing"}, 404),
        ({"game": "osaaf", "scenario": "duel", "setup": {}}, 422),
        ({"game": "osaaf", "mode": "alone"}, 422),
        ({"game": "osaaf", "dice": "loaded"}, 422),
        ({"game": "osaaf", "pace": "slow"}, 422),
        ({"game": "osaaf", "takebacks": "always"}, 422),
        ({"game": "osaaf", "rulings": {"nothing": "x"}}, 422),
        ({"game": "osaaf", "seed": "00"}, 422),
        ({"game": 7}, 422),
        ({}, 422),
        ([], 422),
        ("osaaf", 422),
    ],
)
async def test_a_table_that_cannot_be_is_refused(ann: Visitor, body: Any, status: int) -> None:
    answer = await ann.http.post("/api/tables", json=body)
    assert answer.status_code == status
    problem_of(answer)


async def rulings_of(ann: Visitor, game: str) -> list[dict[str, Any]]:
    """The rulings of a game, whichever comes first in the list of games."""
    return next(one for one in await ann.get("/api/games") if one["id"] == game)["rulings"]


async def test_a_ruling_with_a_value_it_has_not_cites_its_rule(ann: Visitor) -> None:
    ruling = (await rulings_of(ann, "osaaf"))[0]
    body = {"game": "osaaf", "rulings": {ruling["id"]: "nonsense"}}
    problem = await ann.post("/api/tables", body, 422)
    assert problem["rule"] == ruling["rule"]


async def test_rulings_are_checked_and_kept(ann: Visitor) -> None:
    ruling, *others = await rulings_of(ann, "osaaf")
    other = next(o["value"] for o in ruling["options"] if o["value"] != ruling["default"])
    table = await ann.sit(rulings={ruling["id"]: other})
    rulings = (await table.view())["rulings"]
    assert rulings[ruling["id"]] == other
    for one in others:
        assert rulings[one["id"]] == one["default"]


# Opening, seats, tokens


async def test_a_solo_table_is_all_yours(ann: Visitor) -> None:
    opened = await ann.post("/api/tables", {"game": "osaaf", "mode": "solo"}, 201)
    (await schemas_of(ann)).check("TableOpened", opened)
    assert opened["url"] == f"/tables/{opened['id']}"
    assert [seat["yours"] for seat in opened["seats"]] == [True, True]
    assert all("invite" not in seat for seat in opened["seats"])
    view = await ann.get(f"/api/tables/{opened['id']}")
    assert view["version"] == opened["version"]
    assert all(seat.get("yours") and seat.get("taken") for seat in view["seats"])


async def test_a_shared_table_has_an_invitation(ann: Visitor) -> None:
    opened = await ann.post("/api/tables", {"game": "osaaf", "mode": "shared"}, 201)
    first, second = opened["seats"]
    assert first["yours"]
    assert "invite" not in first
    assert not second["yours"]
    assert "token" not in second
    assert second["invite"].startswith("http://table.local/join/")


async def test_the_default_mode_is_solo_and_the_first_scenario(ann: Visitor) -> None:
    game = (await ann.get("/api/games"))[0]
    table = await ann.sit(game["id"])
    view = await table.view()
    assert all(seat.get("yours") for seat in view["seats"])
    assert view["name"] == game["scenarios"][0]["title"]


async def test_a_seat_is_claimed_once(house: House, ann: Visitor, bob: Visitor) -> None:
    table = await ann.sit(mode="shared")
    path = f"{table.url}/seats/red/claim"
    await bob.post(path, {"invite": "wrong"}, 403)
    await bob.post(f"{table.url}/seats/blue/claim", {"invite": table.invite("red")}, 403)
    await bob.post(f"{table.url}/seats/green/claim", {"invite": table.invite("red")}, 404)
    taken = await bob.post(path, {"invite": table.invite("red"), "name": "Bob"})
    (await schemas_of(ann)).check("SeatTaken", taken)
    eve = await house.visitor()
    await eve.post(path, {"invite": table.invite("red")}, 409)
    await ann.post(path, {"invite": table.invite("red")}, 409)
    # The same person again: the seat is still theirs, with a new token.
    again = await bob.post(path, {"invite": table.invite("red")})
    assert again["token"] != taken["token"]
    seats = {seat["id"]: seat for seat in (await bob.get(table.url))["seats"]}
    assert seats["red"]["name"] == "Bob"
    assert seats["red"]["taken"]


async def test_the_invitation_may_be_its_last_part(ann: Visitor, bob: Visitor) -> None:
    table = await ann.sit(mode="shared")
    code = table.invite("red").rpartition("/")[2]
    await bob.post(f"{table.url}/seats/red/claim", {"invite": code})


async def test_a_seat_token_opens_that_seat_only(house: House, ann: Visitor) -> None:
    table = await ann.sit(mode="shared")
    other = await ann.sit()
    script = house.bearer(table.token("blue"))
    view = await script.get(table.url)
    assert [seat.get("yours") for seat in view["seats"]] == [True, None]
    await script.get(table.url, seat="blue")
    await script.get(table.url, 403, seat="red")
    await script.get(other.url, 401)
    await script.post(f"{other.url}/advance", {"version": 1}, 401)
    await script.post("/api/tables", {"game": "osaaf"}, 403)
    await script.post("/api/token", {}, 403)


async def test_a_claimed_seat_has_a_token_that_works(house: House, ann: Visitor) -> None:
    table = await ann.sit(mode="shared")
    token = await table.join("red", await house.visitor())
    script = house.bearer(token)
    assert (await script.get(table.url, seat="red"))["seat"] == "red"


async def test_a_personal_token_opens_all_ones_seats(house: House, ann: Visitor) -> None:
    table = await ann.sit()
    token = (await ann.post("/api/token", {}, 201))["token"]
    script = house.bearer(token)
    view = await script.get(table.url)
    assert all(seat.get("yours") for seat in view["seats"])
    assert [line["id"] for line in await script.get("/api/tables?mine")] == [table.id]
    script_table = await script.sit()
    assert (await ann.get(script_table.url))["seats"][0]["yours"]


@pytest.mark.parametrize("token", ["person.x", "person.", "person.abc.def", "nothing", "x" * 500])
async def test_an_unknown_token_is_401(house: House, ann: Visitor, token: str) -> None:
    table = await ann.sit()
    script = house.bearer(token)
    answer = await script.http.get(table.url)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    problem_of(answer)
    assert "set-cookie" not in answer.headers


async def test_a_script_without_cookies_may_use_the_token_only(house: House, ann: Visitor) -> None:
    """A bearer token never falls back to whoever a cookie names."""
    table = await ann.sit()
    ann.http.headers["authorization"] = "Bearer nothing"
    await ann.get(table.url, 401)


async def test_tables_are_listed_newest_first(own_house: House) -> None:
    house, ann, bob = own_house, await own_house.visitor(), await own_house.visitor()
    shared = await ann.sit(mode="shared", name="Shared")
    hidden = await ann.sit(mode="shared", name="Hidden", listed=False)
    alone = await ann.sit(name="Alone", pace="step")
    schemas = await schemas_of(ann)

    async def names(visitor: Visitor, query: str) -> list[str]:
        lines = await visitor.get(f"/api/tables{query}")
        for line in lines:
            schemas.check("TableLine", line)
        assert lines == sorted(lines, key=lambda line: -line["updated_at"])
        return [line["name"] for line in lines]

    assert set(await names(ann, "?mine")) == {"Shared", "Hidden", "Alone"}
    assert await names(ann, "?open") == ["Shared"]
    assert set(await names(ann, "")) == {"Shared", "Hidden", "Alone"}
    assert await names(bob, "?mine") == []
    assert await names(bob, "?open") == ["Shared"]
    assert await names(bob, "") == ["Shared"]
    await hidden.join("red", bob)
    assert await names(bob, "?mine") == ["Hidden"]
    clock = house.site.service.clock
    house.site.service.clock = lambda: clock() + 5_000  # later than anything before
    await alone.advance("blue")
    assert (await names(ann, "?mine"))[0] == "Alone"
    await ann.post(f"{shared.url}/close")
    assert await names(bob, "?open") == []


# Looking


async def check_table(table: Table, schemas: Schemas, visitor: Visitor) -> dict[str, Any]:
    """What a visitor is shown of a table now, checked against the schemas and the contract's words."""
    view = await visitor.get(table.url)
    schemas.check("View", view)
    assert set(view) >= VIEW
    assert set(view["phase"]) == {"id", "title"}
    assert {phase["state"] for phase in view["phases"]} <= {"done", "current", "ahead"}
    assert set(view["dice"]) >= {"mode"}
    for seat in view["seats"]:
        assert set(seat) >= {"id", "label", "present", "to_act"}
    for unit in view["units"]:
        assert set(unit) >= UNIT
    for offer in view["offers"]:
        assert set(offer) >= OFFER
        for option in offer.get("options", ()):
            assert set(option) >= {"value", "label"}
            if "blocked" in option:
                assert option["blocked"]["reason"]
        if offer["kind"] == "decision":
            assert offer.get("options") or offer["example"] is not None
        if offer["kind"] == "roll":
            assert "d" in offer["pool"]
    log = await visitor.get(f"{table.url}/log", limit=1000)
    assert [entry["seq"] for entry in log] == list(range(1, view["version"] + 1))
    return view


@pytest.mark.parametrize("game", ["osaaf", "skirmish"])
@pytest.mark.parametrize("pace", ["flow", "step"])
async def test_a_whole_game_is_as_the_document_says(house: House, game: str, pace: str) -> None:
    ann, bob, eve = [await house.visitor() for _ in range(3)]
    schemas = await schemas_of(ann)
    setup = {"setup": small_duel()} if game == "osaaf" else {"scenario": "duel"}
    table = await ann.sit(game, mode="shared", pace=pace, **setup)
    await table.join(table.opened["seats"][1]["id"], bob)
    rng = random.Random(f"{game} {pace}")
    for number in range(600):
        if number % 7 == 0:
            for visitor in (ann, bob, eve):
                await check_table(table, schemas, visitor)
        done = await table.step(rng)
        if done is None:
            break
        schemas.check("CommandDone", done)
        assert [entry["seq"] for entry in done["entries"]] == list(
            range(done["version"] - len(done["entries"]) + 1, done["version"] + 1)
        )
        if pace == "step":
            assert len(done["entries"]) <= 2  # the choice, or both of a pair sealed together
    for visitor in (ann, bob, eve):
        view = await check_table(table, schemas, visitor)
        assert view["finished"]
        assert view["result"]["reason"]
        assert view["result"]["text"]
        assert view["offers"] == []
        for entry in await visitor.get(f"{table.url}/log", limit=1000):
            schemas.check("EntryView", entry)
            assert set(entry) >= ENTRY
            assert entry["text"]


async def test_a_view_is_for_a_seat_or_for_a_spectator(
    house: House, ann: Visitor, bob: Visitor
) -> None:
    table = await ann.sit(mode="shared", setup=small_duel())
    await table.join("red", bob)
    eve = await house.visitor()
    watching = await eve.get(table.url)
    assert watching["seat"] is None
    assert watching["offers"] == []
    assert not any(seat.get("yours") for seat in watching["seats"])
    await eve.get(table.url, 403, seat="blue")
    await ann.get(table.url, 403, seat="red")
    await ann.get(table.url, 404, seat="green")
    assert (await ann.get(table.url, seat="blue"))["seat"] == "blue"
    assert (await bob.get(table.url))["seat"] == "red"


async def test_a_solo_player_may_look_through_one_seat(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    await table.play(random.Random(5), 3)
    both = await table.view()
    blue, red = await table.view("blue"), await table.view("red")
    assert {offer["seat"] for offer in blue["offers"]} <= {"blue"}
    assert {offer["seat"] for offer in red["offers"]} <= {"red"}
    assert len(blue["offers"]) + len(red["offers"]) == len(both["offers"])


async def test_past_moments_can_be_seen(ann: Visitor) -> None:
    """`?at=N` is the table as it was when the log had N entries."""
    table = await ann.sit(setup=small_duel(), pace="step")
    rng = random.Random(3)
    seen = {(await table.version()): await table.view()}
    for _ in range(40):
        done = await table.step(rng)
        if done is None:
            break
        seen[done["version"]] = done["view"]
    last = max(seen)
    for version, then in seen.items():
        now = await table.view(at=version)
        for same in ("version", "units", "turn", "phase", "board", "rulings", "name"):
            assert now[same] == then[same], (version, same)
        if version != last:
            assert now["offers"] == []
    await ann.get(table.url, 404, at=last + 1)
    await ann.get(table.url, 422, at=0)
    await ann.get(table.url, 422, at="last")


async def test_the_log_comes_in_pages(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    await table.play(random.Random(1), 12)
    whole = await table.log()
    assert len(whole) == await table.version()
    pieces: list[Any] = []
    while piece := await table.log(after=len(pieces), limit=7):
        assert len(piece) <= 7
        pieces += piece
    assert pieces == whole
    assert await table.log(after=len(whole)) == []
    assert await table.log(after=10**6) == []
    for query in ({"after": -1}, {"limit": 0}, {"limit": 1001}, {"after": "x"}):
        await ann.get(f"{table.url}/log", 422, **query)


async def test_an_offer_keeps_its_id_while_it_is_open(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    first = (await table.view())["offers"]
    assert first
    assert [one["id"] for one in (await table.view())["offers"]] == [one["id"] for one in first]


async def test_a_command_answers_what_it_did(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    before = await table.view()
    offer = before["offers"][0]
    choice = any_choice(random.Random(1), offer)
    done = await table.command(offer["seat"], choice)
    assert done["version"] > before["version"]
    assert done["entries"][0]["seq"] == before["version"] + 1
    assert done["entries"][0]["seat"] == offer["seat"]
    assert done["entries"][0]["rule"] == offer["rule"]
    assert done["view"] == await table.view()
    assert "asked" not in done


# Refusals


async def everything(table: Table) -> Any:
    """All that a refused command must leave as it was."""
    audit = (await next(iter(table.seats.values())).http.get(f"{table.page}/dice.json")).json()
    return [await table.view(), await table.log(), audit]


@pytest.mark.parametrize("what", ["stale", "ahead", "offer", "choice", "blocked", "none", "dice"])
async def test_a_refused_command_changes_nothing(ann: Visitor, what: str) -> None:
    table = await ann.sit(setup=small_duel())
    rng = random.Random(2)
    view: dict[str, Any] = {}
    blocked: list[Any] = []
    for _ in range(200):
        view = await table.view()
        blocked = [o["value"] for o in view["offers"][0]["options"] if "blocked" in o]
        if blocked or what != "blocked":
            break
        await table.step(rng)
    offer, version = view["offers"][0], view["version"]
    good = any_choice(rng, offer)
    body, status = {
        "stale": ({"version": version - 1, "offer": offer["id"], "choice": good}, 409),
        "ahead": ({"version": version + 1, "offer": offer["id"], "choice": good}, 409),
        "offer": ({"version": version, "offer": "something-else", "choice": good}, 409),
        "choice": ({"version": version, "offer": offer["id"], "choice": "something"}, 422),
        "blocked": ({"version": version, "offer": offer["id"], "choice": (blocked or [0])[0]}, 422),
        "none": ({"version": version, "offer": offer["id"]}, 422),
        "dice": ({"version": version, "offer": offer["id"], "dice": [6]}, 422),
    }[what]
    before = await everything(table)
    problem = await ann.post(f"{table.url}/commands", body, status)
    if what in ("choice", "blocked", "none", "dice"):
        assert problem["rule"]
    if what == "stale":
        assert "changed" in problem["detail"]
    assert await everything(table) == before
    # The table is as playable as before, and the very next die is the one it would have been.
    await ann.post(
        f"{table.url}/commands", {"version": version, "offer": offer["id"], "choice": good}
    )


async def test_nothing_can_be_advanced_past_a_decision(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    before = await everything(table)
    await table.advance("blue", 422)
    await ann.post(f"{table.url}/advance", {"version": before[0]["version"] - 1}, 409)
    assert await everything(table) == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"version": "1", "offer": "x"},
        {"version": True, "offer": "x"},
        {"version": 1.5, "offer": "x"},
        {"version": -1, "offer": "x"},
        {"version": 2**40, "offer": "x"},
        {"version": 1, "offer": 5},
        {"version": 1, "offer": "x" * 300},
        {"version": 1, "offer": "x", "dice": ["6"]},
        {"version": 1, "offer": "x", "dice": [True]},
        {"version": 1, "offer": "x", "dice": [1] * 200},
        {"version": 1, "offer": "x", "seat": "red"},
        {"version": 1, "offer": "x", "winner": "red"},
        None,
        [],
        7,
    ],
)
async def test_a_malformed_command_is_422(ann: Visitor, body: Any) -> None:
    table = await ann.sit()
    before = await everything(table)
    answer = await ann.http.post(f"{table.url}/commands", json=body)
    assert answer.status_code == 422
    problem_of(answer)
    assert await everything(table) == before


# Pace and dice


async def test_in_flow_a_choice_plays_on_to_the_next_one(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    rng = random.Random(8)
    for _ in range(300):
        view = await table.view()
        if view["finished"]:
            break
        assert [offer["kind"] for offer in view["offers"]] == ["decision"] * len(view["offers"])
        assert view["offers"]
        await table.step(rng)


async def test_in_step_each_advance_is_one_thing(ann: Visitor) -> None:
    table = await ann.sit(pace="step")
    assert await table.version() == 1
    rng = random.Random(8)
    kinds: set[str] = set()
    for _ in range(60):
        view = await table.view()
        kinds |= {offer["kind"] for offer in view["offers"]}
        before = view["version"]
        done = await table.step(rng)
        assert done["version"] == before + 1
        assert len(done["entries"]) == 1
    assert kinds == {"decision", "roll", "confirm"}


async def test_in_step_and_flow_the_same_choices_and_dice_are_the_same_game(ann: Visitor) -> None:
    """With dice by hand both paces can be given the same faces."""
    setup = small_duel()
    facts: list[Any] = []
    for pace in ("flow", "step"):
        table = await ann.sit(setup=setup, dice="hand", pace=pace)
        choices, dice = random.Random(11), random.Random(12)
        for _ in range(2000):
            view = await table.view()
            if view["finished"]:
                break
            offer = view["offers"][0]
            body = {"version": view["version"], "offer": offer["id"]}
            if offer["kind"] == "confirm" or (
                pace == "step"
                and offer["kind"] == "decision"
                and sum("blocked" not in option for option in offer["options"]) == 1
            ):
                await ann.post(f"{table.url}/advance", {"version": view["version"]})
                continue
            if offer["kind"] == "roll":
                body["dice"] = faces_for(offer["pool"], dice)
            else:
                body["choice"] = any_choice(choices, offer)
            await ann.post(f"{table.url}/commands", body)
        log = await table.log()
        facts.append([(entry["type"], entry["data"], entry.get("dice")) for entry in log[1:]])
    assert facts[0] == facts[1]


async def hand_table(ann: Visitor, bob: Visitor) -> tuple[Table, dict[str, Any]]:
    """A shared table with real dice where a roll of at least two dice waits, and its offer."""
    table = await ann.sit(setup=small_duel(), dice="hand", mode="shared")
    await table.join("red", bob)
    rng = random.Random(4)
    for _ in range(200):
        offers = await table.open_offers()
        for _, offer, _ in offers:
            if offer["kind"] == "roll" and int(offer["pool"].split("d")[0]) >= 2:
                return table, offer
        await table.step(rng)
    raise AssertionError("no roll came")


async def test_dice_by_hand_are_entered_by_the_seat_that_rolls(ann: Visitor, bob: Visitor) -> None:
    table, offer = await hand_table(ann, bob)
    seat = offer["seat"]
    owner = table.seats[seat]
    other = ann if owner is bob else bob
    count, sides = map(int, offer["pool"].split("d"))
    before = await table.view(seat)
    body = {"version": before["version"], "offer": offer["id"]}
    path = f"{table.url}/commands"
    assert all(one["id"] != offer["id"] for one in (await other.get(table.url))["offers"])
    await other.post(path, {**body, "dice": [1] * count}, 403)
    for wrong in (
        [1] * (count - 1),
        [1] * (count + 1),
        [0, *[1] * (count - 1)],
        [sides + 1, *[1] * (count - 1)],
        [-1, *[1] * (count - 1)],
        [10**30, *[1] * (count - 1)],
        [],
    ):
        assert (await owner.post(path, {**body, "dice": wrong}, 422))["status"] == 422
    await owner.post(path, body, 422)
    await owner.post(f"{table.url}/advance", {"version": before["version"]}, 422)
    assert await table.view(seat) == before
    faces = [(n * 7) % sides + 1 for n in range(count)]
    done = await owner.post(path, {**body, "dice": faces})
    entry = done["entries"][0]
    assert entry["dice"]["faces"] == faces
    assert entry["dice"]["by"] == "hand"
    assert "index" not in entry["dice"]
    assert entry["dice"]["pool"] == offer["pool"]


async def test_a_table_with_real_dice_has_no_dice_of_its_own(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel(), dice="hand")
    view = await table.view()
    assert view["dice"] == {"mode": "hand"}
    await ann.post(f"{table.url}/word", {"word": "mine"}, 422)
    await table.play(random.Random(2), 1000)
    view = await table.view()
    assert view["finished"]
    assert "seed" not in view["dice"]
    assert {e["dice"]["by"] for e in await table.log() if "dice" in e} == {"hand"}


async def test_words_go_into_the_dice_once_a_seat(ann: Visitor, bob: Visitor) -> None:
    table = await ann.sit(mode="shared", setup=small_duel(), word="  from\tann ")
    assert (await table.view())["dice"]["words"] == ["from ann"]
    await ann.post(f"{table.url}/word", {"word": "again"}, 422)
    await table.join("red", bob, word="from bob")
    assert (await table.view())["dice"]["words"] == ["from ann", "from bob"]
    await bob.post(f"{table.url}/word", {"word": "again"}, 422)
    assert (await table.view())["dice"]["words"] == ["from ann", "from bob"]
    log = await table.log()
    assert [entry["data"] for entry in log if entry["type"] == "WordSaid"] == [
        {"seat": "blue", "word": "from ann"},
        {"seat": "red", "word": "from bob"},
    ]


@pytest.mark.parametrize("word", ["", "   ", "\u0000\u200b", "x" * 41, "x" * 201])
async def test_a_word_is_one_short_line(ann: Visitor, word: str) -> None:
    table = await ann.sit()
    before = await everything(table)
    await ann.post(f"{table.url}/word", {"word": word}, 422)
    assert await everything(table) == before


# The end


async def test_a_player_may_end_the_game(ann: Visitor, bob: Visitor) -> None:
    alone = await ann.sit()
    done = await ann.post(f"{alone.url}/close")
    assert done["view"]["finished"]
    assert done["view"]["result"]["reason"] == "closed"
    shared = await ann.sit(mode="shared")
    await shared.join("red", bob)
    result = (await bob.post(f"{shared.url}/close"))["view"]["result"]
    assert result["reason"] == "conceded"
    assert result["winners"] == ["blue"]
    flight = await ann.sit(game="f14-tomcats", scenario="pair", mode="shared")
    await flight.join("two", bob)
    result = (await bob.post(f"{flight.url}/close"))["view"]["result"]
    assert result["reason"] == "conceded"
    assert "winners" not in result, "they fly together: giving up makes nobody the winner"
    for table in (alone, shared, flight):
        view = await table.view()
        assert view["offers"] == []
        await ann.post(f"{table.url}/close", {}, 409)
        await ann.post(f"{table.url}/advance", {"version": view["version"]}, 409)
        await ann.post(f"{table.url}/word", {"word": "late"}, 409)
        body = {"version": view["version"], "offer": "x", "choice": 1}
        await ann.post(f"{table.url}/commands", body, 409)


async def test_spectators_only_look(house: House, ann: Visitor) -> None:
    table = await ann.sit(mode="shared")
    before = await everything(table)
    eve = await house.visitor()
    version = before[0]["version"]
    decision = house.site.service._live[table.id].todo
    assert isinstance(decision, Decision)
    offer = decision.id
    choice = next(option.value for option in decision.all_options if option.blocked is None)
    for path, body in (
        ("commands", {"version": version, "offer": offer, "choice": choice}),
        ("advance", {"version": version}),
        ("withdraw", {"version": version, "offer": offer}),
        ("takeback", {"version": version}),
        ("takeback/answer", {"version": version, "accept": True}),
        ("word", {"word": "mine"}),
        ("close", {}),
    ):
        await eve.post(f"{table.url}/{path}", body, 409 if path == "takeback/answer" else 403)
    assert await everything(table) == before


# Aids, stream, health


async def test_a_planning_aid_is_there_for_a_unit(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    schemas = await schemas_of(ann)
    game = house_game(ann)
    drawn = 0
    for aid in game.aids:
        for unit in (await table.view())["units"]:
            path = f"{table.url}/overlay"
            answer = await ann.http.get(path, params={"unit": unit["id"], "aid": aid.id})
            assert answer.status_code in (200, 404)
            if answer.status_code == 200:
                schemas.check("OverlayView", answer.json())
                drawn += 1
    assert drawn
    await ann.get(f"{table.url}/overlay", 404, unit="nothing", aid=game.aids[0].id)
    await ann.get(f"{table.url}/overlay", 404, unit="blue-1", aid="nothing")
    await ann.get(f"{table.url}/overlay", 422)


def house_game(visitor: Visitor) -> Any:
    """The game object of osaaf."""
    from app.games import registry

    return registry.load("osaaf")


async def test_healthz_and_metrics(own_house: House) -> None:
    ann = await own_house.visitor()
    table = await ann.sit(pace="step")
    await table.advance("blue")
    answer = await ann.http.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    answer = await ann.http.get("/readyz")
    assert (answer.status_code, answer.text) == (200, "ready\n")
    text = (await ann.http.get("/metrics")).text
    assert "contrail_commands_total 1\n" in text
    assert "# TYPE contrail_streams gauge" in text


async def test_the_document_names_every_call_and_error(ann: Visitor) -> None:
    document = await ann.get("/openapi.json")
    calls = {(method.upper(), path) for path, item in document["paths"].items() for method in item}
    for call in (
        ("GET", "/api/games"),
        ("GET", "/api/games/{game}/scenarios/{scenario}"),
        ("POST", "/api/tables"),
        ("GET", "/api/tables"),
        ("POST", "/api/tables/{table_id}/seats/{seat}/claim"),
        ("GET", "/api/tables/{table_id}"),
        ("DELETE", "/api/tables/{table_id}"),
        ("GET", "/api/tables/{table_id}/log"),
        ("POST", "/api/tables/{table_id}/commands"),
        ("POST", "/api/tables/{table_id}/advance"),
        ("POST", "/api/tables/{table_id}/withdraw"),
        ("POST", "/api/tables/{table_id}/takeback"),
        ("POST", "/api/tables/{table_id}/takeback/answer"),
        ("GET", "/tables/{table_id}/stream"),
        ("GET", "/healthz"),
        ("GET", "/metrics"),
    ):
        assert call in calls
    for path, item in document["paths"].items():
        if path.startswith("/api/"):
            for operation in item.values():
                assert {"401", "403", "404", "409", "413", "422", "429", "503"} <= set(
                    operation["responses"]
                ), path
    schemas = document["components"]["schemas"]
    assert {"View", "Offer", "EntryView", "Problem", "UnitView"} <= set(schemas)
    jsonschema_rs.meta.validate(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", **schemas["View"]}
    )


async def test_answers_are_compact_json(ann: Visitor) -> None:
    """A field with its default is left out, and nothing is sent twice."""
    table = await ann.sit(setup=small_duel())
    raw = (await ann.http.get(table.url)).content
    assert msgspec.json.encode(msgspec.json.decode(raw)) == raw
