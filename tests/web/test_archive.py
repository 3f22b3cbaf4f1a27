"""Tables as files and other ways from a moment: P-10, P-11, P-12, R-07, R-08, R-18, S-01, S-06."""

import asyncio
import copy
import json
import random
import re
from typing import Any

import pytest
from sqlalchemy import select

from app.archive.document import FORMAT, written
from app.archive.exporting import whole
from app.archive.replaying import replay
from app.engine.dice import Pool
from app.engine.log import Forked, Restored
from app.engine.record import first_fault, link
from app.engine.sequence import canonical
from app.records.models import deed
from app.records.models import person as persons
from tests.web.house import House, Table, Visitor, problem_of, read, small_duel, strings_of
from tests.web.test_fog import BANDITS, bodies, pair

pytestmark = pytest.mark.anyio

GAMES = ("osaaf", "war-in-space", "gunslingers", "f14-tomcats", "skirmish", "envelopes", "patrol")


async def finished(visitor: Visitor, game: str = "osaaf", steps: int = 25, **order: Any) -> Table:
    """A table whose game is over, by its rules or because it was closed."""
    table = await visitor.sit(game, **order)
    await table.play(random.Random(7), steps)
    if not (await table.view())["finished"]:
        await visitor.post(f"{table.url}/close")
    return table


async def send(visitor: Visitor, document: Any, status: int = 201, **query: Any) -> Any:
    """Import a document."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    headers = {"content-type": "application/json"}
    answer = await visitor.http.post(
        "/api/tables/import", content=data, headers=headers, params=query or None
    )
    return read(answer, status)


def chained_anew(document: dict[str, Any]) -> dict[str, Any]:
    """A document whose hashes were all computed again, as somebody could who forges it."""
    before = ""
    for number, entry in enumerate(document["log"], start=1):
        entry["seq"] = number
        before = entry["hash"] = link(before, entry)
    document["table"]["entries"] = len(document["log"])
    return document


# Export


@pytest.mark.parametrize("game", GAMES)
async def test_p11_a_finished_game_comes_back_the_same(
    house: House, ann: Visitor, bob: Visitor, game: str
) -> None:
    """Whole, by itself verifiable, and imported elsewhere the same: log, position, audit, export."""
    table = await finished(ann, game)
    document = await bob.get(f"{table.url}/export")
    assert (document["contrail"], document["format"]) == ("table", FORMAT)
    assert document["kind"] == "whole"
    assert first_fault(document["log"]) is None
    assert len(document["log"]) == document["table"]["entries"] == await table.version()
    done = await send(bob, document)
    assert done["kind"] == "finished"
    assert done["verified"] is True, done["findings"]
    assert all(found["right"] is not False for found in done["findings"].values())
    here, there = [await house.site.service.get(one) for one in (table.id, done["id"])]
    assert canonical(there.state) == canonical(here.state)
    assert [entry.hash for entry in there.entries] == [entry.hash for entry in here.entries]
    again = await bob.get(f"/api/tables/{done['id']}/export")
    for name in ("log", "setup", "rulings", "dice", "seats", "result"):
        assert again.get(name) == document.get(name)
    page = await bob.page(f"/tables/{done['id']}")
    assert "Imported from elsewhere" in page
    assert "not verified" not in page
    assert "imported" in await bob.page("/tables")


async def test_r07_before_the_end_nothing_that_tells_more_than_the_log(
    house: House, ann: Visitor, bob: Visitor
) -> None:
    """No seed, no hash, no key of a command: what each seat is told by the log call, and no more."""
    table = await ann.sit(mode="shared", setup=small_duel())
    await table.join("red", bob)
    await table.play(random.Random(2), 12)
    live = await house.site.service.get(table.id)
    stranger = await house.visitor()
    for visitor, seats in ((ann, ["blue"]), (bob, ["red"]), (stranger, [])):
        document = await visitor.get(f"{table.url}/export")
        assert document["kind"] == "view"
        assert document.get("seen_by", []) == seats
        assert document["log"] == await visitor.get(f"{table.url}/log", limit=1000)
        text = json.dumps(document)
        assert live.cup.seed.hex() not in text
        assert not any(entry.hash in text for entry in live.entries)
        assert not any(entry.receipt in text for entry in live.entries if entry.receipt)
        assert all(claim.invite not in text for claim in live.claims.values())


@pytest.mark.parametrize("game", ["envelopes", "patrol"])
async def test_s01_an_export_in_play_holds_no_secret_of_the_other_seat(
    ann: Visitor, bob: Visitor, game: str
) -> None:
    table = await ann.sit(game, mode="shared")
    first, second = (seat["id"] for seat in table.opened["seats"])
    await table.join(second, bob)
    for step in range(12):
        if await table.play(random.Random(step), 1) == 0:
            break
        for seat, visitor in ((first, ann), (second, bob)):
            document = await visitor.get(f"{table.url}/export")
            if document["finished"]:
                return
            known = strings_of(await visitor.get(f"{table.url}/log", limit=1000))
            known += strings_of(await visitor.get(table.url))
            told = strings_of(document["log"]) + strings_of(document.get("units", []))
            assert set(told) <= set(known), seat


async def test_a_view_can_only_be_read(house: House, ann: Visitor, bob: Visitor) -> None:
    """For whoever imported it, without a way to play it."""
    table = await ann.sit(setup=small_duel(), name="<b>Bold</b> one")
    await table.play(random.Random(4), 10)
    document = await ann.get(f"{table.url}/export")
    done = await send(bob, document)
    assert done["kind"] == "view"
    assert (await send(bob, document, 200)) == done
    page = await bob.page(done["url"])
    assert "&lt;b&gt;Bold&lt;/b&gt; one" in page
    assert "<b>Bold" not in page
    assert document["log"][-1]["text"] in page
    assert done["url"] in await bob.page("/tables")
    await ann.page(done["url"], 404)


# Import of what is over


async def test_p12_the_same_file_twice_is_one_table(
    house: House, ann: Visitor, bob: Visitor
) -> None:
    """Also when both come at once, or it is spaced in another way; another visitor gets his own."""
    table = await finished(ann)
    document = await ann.get(f"{table.url}/export")
    answers = await asyncio.gather(
        *(
            bob.http.post("/api/tables/import", content=json.dumps(document, indent=n).encode())
            for n in range(4)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    other = await send(await house.visitor(), document)
    assert other["id"] != answers[0].json()["id"]


async def test_what_is_imported_can_only_be_looked_at(ann: Visitor, bob: Visitor) -> None:
    table = await finished(ann)
    done = await send(bob, await ann.get(f"{table.url}/export"))
    here = f"/api/tables/{done['id']}"
    version = (await bob.get(here))["version"]
    body = {"version": version}
    await bob.post(f"{here}/advance", body, 409)
    await bob.post(f"{here}/takeback", body, 409)
    for path in ("", "/dice", "/after", f"?at={version // 2}", "/export"):
        assert (await bob.http.get(f"/tables/{done['id']}{path}")).status_code == 200
    assert (await bob.get(here))["offers"] == []


def altered(document: dict[str, Any]) -> dict[str, Any]:
    """One with a fact changed."""
    changed = copy.deepcopy(document)
    entry = next(one for one in changed["log"] if one["kind"] == "roll")
    faces = entry["dice"]["faces"]
    entry["dice"]["faces"] = [face % 6 + 1 for face in faces]
    return changed


async def test_a_forged_record_is_not_verified(ann: Visitor, bob: Visitor) -> None:
    """Whoever changes a die and computes all hashes again is found out by the dice, and by the rules."""
    table = await finished(ann, "skirmish")
    document = await ann.get(f"{table.url}/export")
    await send(bob, altered(document), 422)
    done = await send(bob, chained_anew(altered(document)))
    assert done["verified"] is False
    assert done["findings"]["Chain"]["right"] is True
    assert done["findings"]["Dice"]["right"] is False
    page = await bob.page(f"/tables/{done['id']}")
    assert "not verified" in page
    assert "wrong" in await bob.page(f"/tables/{done['id']}/dice")


Change = Any


def _without(name: str) -> Change:
    return lambda document: document.pop(name)


def _with(*path: Any, value: Any) -> Change:
    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


HOSTILE: dict[str, tuple[Change, str]] = {
    "no format": (_without("format"), "no format number"),
    "format as text": (_with("format", value="1"), "no format number"),
    "format true": (_with("format", value=True), "no format number"),
    "newer format": (_with("format", value=FORMAT + 1), "newer Contrail"),
    "other document": (_with("contrail", value="set-up"), "no record of a table"),
    "no game": (_with("game", value="chess"), "does not have"),
    "kind": (_with("kind", value="half"), "damaged or made by hand"),
    "log no list": (_with("log", value={}), "damaged or made by hand"),
    "no entries": (_with("log", value=[]), "damaged or made by hand"),
    "entries of text": (_with("log", value=["x"]), "damaged or made by hand"),
    "an entry without event": (lambda d: d["log"][3].pop("event"), "Entry 4"),
    "an entry with more": (_with("log", 3, "color", value=1), "Entry 4"),
    "seq as text": (_with("log", 3, "seq", value="4"), "Entry 4"),
    "huge number": (_with("log", 3, "at", value=2**70), "Entry 4"),
    "negative turn": (_with("log", 3, "turn", value=-1), "Entry 4"),
    "long phase": (_with("log", 3, "phase", value="x" * 500), "too long"),
    "altered": (_with("log", 3, "phase", value="other"), "entry 4 is not as it was written"),
    "missing": (lambda d: d["log"].pop(3), "entry 4 is missing"),
    "cut short": (lambda d: d["log"].pop(), "cut short"),
    "no seed": (_with("dice", value={"mode": "server"}), "seed"),
    "other seed": (_with("dice", "seed", value="0" * 64), "promised"),
    "seed no hex": (_with("dice", "seed", value="x" * 64), "damaged or made by hand"),
    "setup beside": (_with("setup", "turns", value=9), "setup"),
    "rulings beside": (_with("rulings", value={}), "rulings"),
    "deep": (_with("setup", value=json.loads("[" * 200 + "]" * 200)), "nested"),
}


@pytest.mark.parametrize("what", HOSTILE)
async def test_hostile_files_are_refused_and_leave_nothing(
    ann: Visitor, bob: Visitor, what: str
) -> None:
    change, expected = HOSTILE[what]
    table = await finished(ann, setup=small_duel())
    document = await ann.get(f"{table.url}/export")
    change(document)
    problem = await send(bob, document, 422)
    assert expected in problem["detail"], problem["detail"]
    assert await bob.get("/api/tables", mine="") == []


def _opened(name: str, value: Any) -> Change:
    def change(document: Any) -> None:
        document["log"][0]["event"][name] = value
        if name in ("setup", "rulings"):
            document[name] = value

    return change


def _event(kind: str, name: str, value: Any) -> Change:
    def change(document: Any) -> None:
        entry = next(one for one in document["log"] if one["event"]["type"] == kind)
        entry["event"][name] = value

    return change


FORGED: dict[str, tuple[Change, str]] = {
    "setup no object": (_opened("setup", {"x": 1}), "set-up"),
    "setup empty": (_opened("setup", {}), "set-up"),
    "unknown ruling": (_opened("rulings", {"no-such": "x"}), "does not know"),
    "unknown value": (_opened("rulings", {"altitude-six": "purple"}), "does not know"),
    "later edition": (_opened("rules", 999), "edition 999"),
    "edition as text": (_opened("rules", "new"), "Entry 1"),
    "first is no Opened": (lambda d: d["log"].pop(0), "does not open"),
    "unknown event": (_event("PhaseBegan", "type", "Teleported"), "does not have"),
    "unknown phase": (_event("PhaseBegan", "phase", "lunch"), "can"),
    "dice no dice": (_with("log", 4, "dice", value={"pool": 7}), "can"),
    "no end": (lambda d: d["log"].pop(), "does not end it"),
}


@pytest.mark.parametrize("what", FORGED)
async def test_forged_files_whose_chain_holds_are_refused_too(
    ann: Visitor, bob: Visitor, what: str
) -> None:
    """Somebody computed all hashes again: then the contents are what is wrong."""
    change, expected = FORGED[what]
    table = await finished(ann, setup=small_duel())
    document = await ann.get(f"{table.url}/export")
    if what == "unknown value":
        rulings = document["rulings"]
        change = _opened("rulings", {**rulings, next(iter(rulings)): "purple"})
    change(document)
    problem = await send(bob, chained_anew(document), 422)
    assert expected in problem["detail"], problem["detail"]
    assert await bob.get("/api/tables", mine="") == []


@pytest.mark.parametrize("game", ["osaaf", "gunslingers", "war-in-space", "f14-tomcats"])
async def test_facts_of_any_shape_are_refused_or_can_be_looked_at(
    ann: Visitor, bob: Visitor, game: str
) -> None:
    """Numbers, names and places of facts changed at random, with a chain that holds: never a crash."""
    table = await finished(ann, game, 12)
    document = await ann.get(f"{table.url}/export")
    rng = random.Random(11)
    for _ in range(12):
        forged = copy.deepcopy(document)
        entry = rng.choice(forged["log"][1:-1])
        name = rng.choice(sorted(entry["event"]))
        entry["event"][name] = rng.choice([-5, 10**6, "x", "9999", None, [], {}, True, 1.5])
        data = json.dumps(chained_anew(forged)).encode()
        answer = await bob.http.post("/api/tables/import", content=data)
        assert answer.status_code in (200, 201, 422), answer.text
        if answer.status_code == 422:
            problem_of(answer)
            continue
        done = answer.json()
        for at in range(1, done["version"] + 1, 7):
            await bob.page(f"/tables/{done['id']}", at=at)
        await bob.page(f"/tables/{done['id']}/dice")


async def test_what_is_no_document_is_refused(house: House, bob: Visitor) -> None:
    for data in (
        b"", b"nonsense", b"[]", b"7", b"null", b'"x"', b"{}", b"\xff\xfe", b"[" * 5000,
        b'{"contrail": "table", "format": 1, "x": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"contrail": "table", "format": 1, "game": "\\ud800"}',
    ):  # fmt: skip
        await send(bob, data, 422)
    large = b" " * (house.settings.max_import_bytes + 1)
    problem = await send(bob, large, 413)
    assert "KiB" in problem["detail"]


async def test_an_import_larger_than_other_requests_is_taken(own_house: House) -> None:
    """A long game is longer than a command may be."""
    ann = await own_house.visitor()
    table = await finished(ann, "gunslingers", 60)
    document = await ann.get(f"{table.url}/export")
    data = json.dumps(document, indent=8).encode()
    padded = data + b" " * max(0, own_house.settings.max_body_bytes + 1 - len(data))
    assert (await send(ann, padded))["verified"]


# By the page


async def test_the_page_imports_without_javascript(ann: Visitor, bob: Visitor) -> None:
    table = await finished(ann)
    data = (await bob.http.get(f"/tables/{table.id}/export")).content
    headers = {"accept": "text/html", "sec-fetch-site": "same-origin"}
    places = set[str]()
    for _ in range(2):
        files = {"file": ("contrail.json", data, "application/json")}
        answer = await bob.http.post(
            "/tables/import", files=files, data={"name": "Bob"}, headers=headers
        )
        assert answer.status_code == 303, answer.text
        places.add(answer.headers["location"])
    assert len(places) == 1
    answer = await bob.http.post("/tables/import", data={"name": "Bob"}, headers=headers)
    assert answer.status_code == 422
    assert "Choose a file" in answer.text
    files = {"file": ("x.json", b"nonsense", "application/json")}
    answer = await bob.http.post("/tables/import", files=files, headers=headers)
    assert answer.status_code == 422
    assert "no JSON" in answer.text
    foreign = {**headers, "sec-fetch-site": "cross-site"}
    answer = await bob.http.post("/tables/import", files=files, headers=foreign)
    assert answer.status_code == 403


async def test_the_page_forks_without_javascript(ann: Visitor) -> None:
    """Sent twice, it is one table; the page says from where it came."""
    table = await ann.sit(setup=small_duel())
    await table.play(random.Random(3), 10)
    page = await ann.page(f"{table.page}/fork", at=12)
    key = page.split('name="key" value="')[1].split('"')[0]
    places = set[str]()
    for _ in range(2):
        answer = await ann.form(f"{table.page}/fork", {"at": "12", "key": key}, 303, htmx=False)
        places.add(answer.headers["location"])
    assert len(places) == 1
    other = await ann.page(places.pop())
    assert f'href="{table.page}?at=12"' in other
    await ann.page(f"{table.page}/fork", 404, at=100_000)
    await ann.post(f"{table.url}/close")
    assert "The game is over at that moment" in await ann.page(f"{table.page}/fork")


# Forks


@pytest.mark.parametrize(
    "game", ["osaaf", "skirmish", "f14-tomcats", "war-in-space", "gunslingers"]
)
async def test_r18_the_same_choices_and_dice_lead_to_the_same_end(
    house: House, ann: Visitor, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fork, give it the original's seed, and feed what was chosen: the same final state."""
    table = await finished(ann, game, 16)
    live = await house.site.service.get(table.id)
    monkeypatch.setattr("app.tables.opening.new_seed", lambda: live.cup.seed)
    firsts = sorted({e.command for e in live.entries if e.kind != "table"} - {1})
    for first in firsts[:: max(1, len(firsts) // 4)]:
        made = await ann.post(f"{table.url}/fork", {"at": first - 1}, 201)
        fork = await house.site.service.get(made["id"])
        # Their numbers go on, so with the same seed the same dice fall.
        for entry in live.entries[first - 1 :]:
            if entry.choice is None:
                continue
            view = await ann.get(f"/api/tables/{fork.id}", seat=entry.seat)
            asked = [o for o in view["offers"] if o["seat"] == entry.seat and "held" not in o]
            offer = next(o for o in asked if o.get("unit") == entry.unit)
            body = {"version": view["version"], "offer": offer["id"], "choice": entry.choice}
            await ann.post(f"/api/tables/{fork.id}/commands", body)
        if not fork.finished:
            await ann.post(f"/api/tables/{fork.id}/close")
        assert canonical(fork.state) == canonical(live.state)
        assert replay(fork).first is None


async def test_r07_twenty_forks_have_twenty_futures(house: House, ann: Visitor) -> None:
    """Numbers of dice go on, and none is what the original, or another fork, would throw."""
    table = await ann.sit("skirmish")
    await table.play(random.Random(1), 6)
    live = await house.site.service.get(table.id)
    seeds, futures = {live.cup.seed}, set[tuple[int, ...]]()
    index = live.cup.next_index
    before = live.version
    for _ in range(20):
        made = await ann.post(f"{table.url}/fork", {}, 201)
        fork = await house.site.service.get(made["id"])
        seeds.add(fork.cup.seed)
        assert fork.cup.next_index >= index
        futures.add(fork.cup.throw(Pool(20, 6), index).faces)
        parted = fork.entries[before].event
        assert isinstance(parted, Forked)
        assert (parted.table, parted.at) == (table.id, before)
    futures.add(live.cup.throw(Pool(20, 6), index).faces)
    assert len(seeds) == len(futures) == 21
    assert live.version == before


async def test_a_fork_is_audited_apart_from_what_it_came_from(house: House, ann: Visitor) -> None:
    """The dice before it are another seed's: said by the audit, left out of luck, and their numbers leave no gap."""
    table = await ann.sit("skirmish", word="otter")
    await table.play(random.Random(1), 8)
    made = await ann.post(f"{table.url}/fork", {}, 201)
    fork = Table(house, made["id"], made, {seat["id"]: ann for seat in made["seats"]})
    assert (await fork.view())["dice"]["commitment"] != (await table.view())["dice"]["commitment"]
    said = await ann.post(f"{fork.url}/word", {"word": "badger"})
    assert said["entries"][0]["type"] == "WordSaid"
    await fork.play(random.Random(2), 12)
    await ann.post(f"{fork.url}/close")
    audit = json.loads((await ann.http.get(f"{fork.page}/dice.json")).text)
    other = [roll for roll in audit["rolls"] if roll.get("other")]
    own = [roll for roll in audit["rolls"] if not roll.get("other")]
    assert other
    assert own
    assert all(roll["entry"] < audit["parted"] < mine["entry"] for roll in other for mine in own)
    numbers = [roll["index"] + n for roll in audit["rolls"] for n in range(len(roll["faces"]))]
    assert numbers == list(range(len(numbers)))
    page = await ann.page(f"{fork.page}/dice")
    assert page.count("another seed&#39;s") == len(other)
    assert page.count("✓ right") == len(own)
    document = await ann.get(f"{fork.url}/export")
    done = await send(ann, document)
    assert done["verified"] is True
    luck = (await ann.get(f"{fork.url}/summary"))["luck"]["seats"]
    counted = sum(kind["n"] for seat in luck for kind in seat["kinds"])
    left = sum(seat["left_out"] + seat["struck"] for seat in luck)
    assert counted + left == len(own)


async def test_no_takeback_leads_back_before_a_fork(ann: Visitor, house: House) -> None:
    table = await ann.sit("skirmish")
    await table.play(random.Random(1), 8)
    made = await ann.post(f"{table.url}/fork", {}, 201)
    fork = Table(house, made["id"], made, {seat["id"]: ann for seat in made["seats"]})
    version = await table.version()
    await fork.play(random.Random(1), 3)
    await fork.take_back(next(iter(fork.seats)), version - 1, 422)
    await fork.take_back(next(iter(fork.seats)), version + 1)


async def test_a_fork_is_alone_or_with_others(house: House, ann: Visitor, bob: Visitor) -> None:
    """Alone, every seat is the forker's; shared, one is, and the others have invitations. The old one knows nothing."""
    table = await ann.sit(mode="shared", setup=small_duel())
    await table.join("red", bob)
    await table.play(random.Random(2), 6)
    before = await table.log()
    alone = await bob.post(f"{table.url}/fork", {}, 201)
    assert all(seat["yours"] for seat in alone["seats"])
    stranger = await house.visitor()
    assert all(s["yours"] for s in (await stranger.post(f"{table.url}/fork", {}, 201))["seats"])
    shared = await bob.post(f"{table.url}/fork", {"mode": "shared"}, 201)
    mine = {seat["id"]: seat["yours"] for seat in shared["seats"]}
    assert mine == {"blue": False, "red": True}
    other = Table(house, shared["id"], shared, {"red": bob})
    await other.join("blue", ann)
    assert (await other.view("blue"))["seat"] == "blue"
    assert await table.log() == before
    twice = [
        await bob.post(f"{table.url}/fork", {"at": 5}, status, key="k") for status in (201, 200)
    ]
    assert twice[0]["id"] == twice[1]["id"]


@pytest.mark.parametrize("game", ["envelopes", "war-in-space", "gunslingers"])
async def test_nobody_goes_on_from_what_he_may_not_know(
    house: House, ann: Visitor, bob: Visitor, game: str
) -> None:
    """Where something is hidden: refused with the reason before the end, free after it."""
    if game == "gunslingers":
        table = await pair(house, "hard")
        ann, bob = table.seats.values()
    else:
        table = await ann.sit(game, mode="shared")
        await table.join(table.opened["seats"][1]["id"], bob)
    refused = 0
    for step in range(8):
        for visitor in (ann, bob, await house.visitor()):
            answer = await visitor.http.post(f"{table.url}/fork", json={})
            assert answer.status_code in (201, 409, 422)
            if answer.status_code == 409:
                refused += 1
                assert "before the game is over" in problem_of(answer)["detail"]
                assert "Then anyone can" in await visitor.page(f"{table.page}/fork")
        if await table.play(random.Random(step), 1) == 0:
            break
    assert refused
    if not (await table.view())["finished"]:
        await ann.post(f"{table.url}/close")
    end = (await table.view())["version"]
    await bob.post(f"{table.url}/fork", {"at": end}, 422)
    await bob.post(f"{table.url}/fork", {"at": 2}, 201)


async def test_in_fog_an_export_gives_only_what_its_asker_is_told(house: House) -> None:
    """Not the set-up, not a name, not an id of the other side, nor how many entries there are."""
    table = await pair(house, "hard")
    await table.play(random.Random(3), 12)
    refusals = set[str]()
    for at in (1, 5, (await house.site.service.get(table.id)).version, 9999):
        answer = await table.seats["red"].http.post(f"{table.url}/fork", json={"at": at})
        assert answer.status_code == 409
        refusals.add(problem_of(answer)["detail"])
        page = await table.seats["red"].page(f"{table.page}/fork", at=at)
        assert f"?at={at}" not in page
    assert len(refusals) == 1
    for seat in ("blue", ""):
        visitor = table.seats[seat] if seat else await house.visitor()
        document = await visitor.get(f"{table.url}/export")
        assert document["setup"] is None
        assert not [word for word in BANDITS if word in json.dumps(document)]


@pytest.mark.parametrize("way", ["forked", "restored"])
async def test_in_fog_nobody_learns_where_his_table_parted_from_another(
    house: House, bob: Visitor, way: str
) -> None:
    """Not by the record's number, not by the table's name, nor by the way to a table where all is open once it is over."""
    old = await pair(house, "hard", name="Far apart")
    await old.play(random.Random(3), 25)
    at = (await house.site.service.get(old.id)).version
    ann = old.seats["blue"]
    if way == "forked":
        await ann.post(f"{old.url}/close")
        made = await ann.post(f"{old.url}/fork", {"at": at, "mode": "shared"}, 201)
    else:
        record = written(await whole(house.site.service.store, old.id))
        made = await send(ann, record, seats="first")
    fork = Table(house, made["id"], made, {"blue": ann})
    await fork.join("red", bob)
    for visitor in (bob, ann, await house.visitor()):
        log = await visitor.get(f"{fork.url}/log", limit=1000)
        told = next(n for n, line in enumerate(log, 1) if "dice are new" in line["text"]) - 1
        assert 0 < told < at
        for path, text in (await bodies(fork, visitor)).items():
            assert old.id not in text, path
            assert not re.search(rf"\b(entry|at|parted)\W+({at}|{at + 1})\b", text), path
        assert f"entry {told}" in await visitor.page(fork.page)
        assert (await visitor.get(f"{fork.page}/dice.json"))["parted"] == told + 1
    await ann.post(f"{fork.url}/close")
    page = await bob.page(fork.page)
    assert f"entry {at}" in page
    assert (f"{old.page}?at={at}" in page) is (way == "forked")


async def test_a_fork_writes_nobodys_record(ann: Visitor, house: House) -> None:
    """P-12 of people: an exercise from a mission in the campaign book ends without a deed."""
    headers = {"accept": "text/html", "sec-fetch-site": "same-origin"}
    fields = {"game": "f14-tomcats", "mode": "solo"}
    answer = await ann.http.post("/tables", data=fields, headers=headers)
    table_id = answer.headers["location"].rpartition("/")[2].partition("?")[0]
    view = await ann.get(f"/api/tables/{table_id}")
    live = await house.site.service.get(table_id)
    assert live.people
    seats = {seat["id"]: ann for seat in view["seats"]}
    table = Table(house, table_id, view, seats)
    await table.play(random.Random(1), 4)
    made = await ann.post(f"{table.url}/fork", {}, 201)
    fork = Table(house, made["id"], made, seats)
    await fork.play(random.Random(2), 400)
    if not (await fork.view())["finished"]:
        await ann.post(f"{fork.url}/close")
    page = await ann.page(f"{fork.page}/after")
    assert "In your campaign book" not in page
    person = next(iter(live.people.values()))
    store = house.site.service.store
    assert await store.read(select(deed).where(deed.c.person_id == person.id)) == []
    where = await store.read(select(persons.c.table_id).where(persons.c.id == person.id))
    assert where[0]["table_id"] == table_id


async def test_a_rematch_of_an_exercise_needs_nobody_of_a_book(
    house: House, ann: Visitor, bob: Visitor
) -> None:
    """Also with a seat that nobody has taken; who flew the mission is not taken along."""
    person = {"game": "f14-tomcats", "name": "Ann Other", "call_sign": "Drill"}
    known = (await ann.post("/api/people", person, 201))["id"]
    order = {"scenario": "pair", "mode": "shared", "people": {"one": known}}
    table = await ann.sit("f14-tomcats", **order)
    await table.join("two", bob)
    store = house.site.service.store
    where = select(persons.c.table_id).where(persons.c.id == known)
    fork = await ann.post(f"{table.url}/fork", {"mode": "shared"}, 201)
    assert [seat["yours"] for seat in fork["seats"]] == [True, False]
    await ann.post(f"/api/tables/{fork['id']}/close")
    again = await ann.post(f"/api/tables/{fork['id']}/rematch", {}, 201)
    view = await ann.get(f"/api/tables/{again['id']}")
    assert [bool(seat.get("yours")) for seat in view["seats"]] == [True, False]
    assert (await store.read(where))[0]["table_id"] == table.id


# Games in play, whole


@pytest.mark.parametrize("game", ["osaaf", "war-in-space", "gunslingers", "skirmish"])
async def test_r08_a_whole_record_in_play_is_restored_and_says_so(
    house: House, ann: Visitor, bob: Visitor, game: str
) -> None:
    """The operator's copy goes on with another seed; the counter of dice goes on, and the log says who restored it."""
    table = await ann.sit(game)
    await table.play(random.Random(5), 9)
    live = await house.site.service.get(table.id)
    if live.finished:
        pytest.skip("this game was over at once")
    data = written(await whole(house.site.service.store, table.id))
    assert live.cup.seed.hex().encode() not in data
    done = await send(bob, data, name="<i>Bob</i>")
    assert done["kind"] == "goes on"
    there = await house.site.service.get(done["id"])
    parted = there.entries[live.version].event
    assert isinstance(parted, Restored)
    assert (parted.table, parted.at, parted.by) == (table.id, live.version, "<i>Bob</i>")
    assert there.cup.seed != live.cup.seed
    assert there.cup.next_index >= live.cup.next_index
    assert canonical(there.state_at(live.version)) == canonical(live.state)
    page = await bob.page(f"/tables/{done['id']}")
    assert "Restored at entry" in page
    assert "<i>Bob" not in page
    assert {one.name for one in there.claims.values() if one.token_hash} == {"<i>Bob</i>"}
    other = Table(house, done["id"], done, {seat["id"]: bob for seat in done["seats"]})
    assert await other.play(random.Random(6), 3) > 0
    assert "another seed" in await bob.page(f"{other.page}/dice")
