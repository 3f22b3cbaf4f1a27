"""The campaign book: whole missions to their end, and that each counts once, whatever happens between."""

import asyncio
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from app.engine.log import Finished
from app.tables.live import Caller
from tests.records.missions import (
    CALM,
    GAME,
    KILL,
    LOST,
    RESCUED,
    SHOT_DOWN,
    book_of,
    by_click,
    fly,
    found,
    last_leg,
    mission,
    newcomer,
    take_off,
    veteran,
)
from tests.records.papers import fields, paper
from tests.web.house import House, Table, Visitor, open_house, small_duel

pytestmark = pytest.mark.anyio


async def flown_by(visitor: Visitor, table: Table) -> dict[str, Any]:
    """Whom of a visitor's book a table has, or had last."""
    people = await visitor.get("/api/people")
    return next(one for one in people if one["table"] == table.id)


def link(table: Table) -> str:
    """The address of a table, as pages have it."""
    return f'href="/tables/{table.id}"'


# What a mission makes of a pilot


async def test_a_calm_mission_counts_once(ann: Visitor) -> None:
    person = await newcomer(ann)
    table = await mission(ann, person, CALM)
    book = await book_of(ann, person)
    assert book["person"]["record"]["missions"] == 1
    assert (book["person"]["status"], book["person"]["table"]) == ("active", None)
    (deed,) = book["deeds"]
    assert (deed["title"], deed["kind"]) == ("Mission failed, landed", "played")
    assert (deed["number"], deed["table"], deed["own_setup"]) == (1, table.id, True)
    assert deed["tallies"] == {"Points": 0, "Kills": 0}
    log = await table.log()
    assert log[-1]["type"] == "Finished"
    assert (deed["seq"], deed["at"]) == (log[-1]["seq"], log[-1]["at"])


async def test_promotion_and_award_name_the_rows_that_earned_them(ann: Visitor) -> None:
    person = await veteran(ann, missions=4, points=15, kills=4)
    table = await mission(ann, person, KILL)
    book = await book_of(ann, person)
    record = book["person"]["record"]
    assert (record["rank"], record["missions"], record["kills"]) == ("1st Lt", 5, 5)
    assert record["awards"] == ["Ace"]
    lines = ["Awarded Ace: 5 kills", "Promoted to 1st Lt: 5 missions and 15 points"]
    assert book["deeds"][0]["lines"] == lines
    (debrief,) = (await ann.get(f"{table.url}/summary"))["debrief"]
    assert debrief["lines"] == lines
    assert (debrief["person"], debrief["who"]) == (person, "1st Lt Zed")
    for path in (table.page, f"{table.page}/after", f"/book/{person}"):
        page = await ann.page(path)
        assert all(line in page for line in lines), path
    assert f'href="/book/{person}"' in await ann.page(table.page)
    assert link(table) in await ann.page(f"/book/{person}")


async def test_who_bails_out_and_is_rescued_flies_again(ann: Visitor) -> None:
    person = await newcomer(ann)
    await mission(ann, person, RESCUED, damage=6)
    book = await book_of(ann, person)
    assert book["person"]["record"]["purple_hearts"] == 1
    assert book["deeds"][0]["lines"] == ["Awarded the Purple Heart: a bail-out with rescue"]
    await mission(ann, person, CALM)
    book = await book_of(ann, person)
    assert book["person"]["record"]["missions"] == 2
    assert [deed["number"] for deed in book["deeds"]] == [2, 1]


async def test_who_is_lost_enters_the_hall_of_fame_and_flies_no_more(ann: Visitor) -> None:
    person = await newcomer(ann, "Lostone")
    assert "Lostone" not in await ann.page("/hall-of-fame")
    await mission(ann, person, LOST, damage=6)
    book = await book_of(ann, person)
    assert book["person"]["status"] == "lost"
    assert book["person"]["record"]["missions"] == 0, "his last mission does not count"
    order = {"game": GAME, "setup": last_leg(), "people": {"one": person}}
    assert "lost" in (await ann.post("/api/tables", order, 409))["detail"]
    hall = await ann.page("/hall-of-fame")
    lost = hall.partition("<h3>Lost</h3>")[2]
    assert "Lostone" in lost
    assert "/book/" not in lost


async def test_the_hall_has_the_best_first_and_no_players(own_house: House) -> None:
    ann, bob = await own_house.visitor(), await own_house.visitor()
    await veteran(ann, "Middle", missions=2, points=9)
    await veteran(bob, "First", rank="Captain", missions=15, points=25)
    await veteran(ann, "Last", missions=1)
    await newcomer(ann, "Unproven")
    hall = await bob.page("/hall-of-fame")
    order = re.findall(r"“(\w+)”", hall)
    assert order == ["First", "Middle", "Last"]
    assert hall.count("brought from elsewhere") == 3
    row = await own_house.site.book.of(Caller(_identity(ann, own_house)))
    assert row[0].owner not in hall


def _identity(visitor: Visitor, house: House) -> str:
    """Who a visitor is, by the cookie."""
    identity = house.site.identities.from_cookie(visitor.http.cookies["contrail"])
    assert identity is not None
    return identity


# One click


@pytest.mark.parametrize("mode", ["solo", "shared"])
async def test_one_click_makes_a_pilot_and_the_next_takes_him_again(
    house: House, mode: str
) -> None:
    ann = await house.visitor()
    first = await by_click(house, ann, mode=mode)
    made = await flown_by(ann, first)
    view = await first.view()
    assert view["seats"][0]["label"] == made["call_sign"]
    assert not view.get("awaited")
    await ann.post(f"{first.url}/close")
    second = await by_click(house, ann, mode=mode)
    assert (await flown_by(ann, second))["id"] == made["id"]
    third = await by_click(house, ann, mode=mode)  # he is away, so somebody else comes
    assert (await flown_by(ann, third))["id"] != made["id"]
    assert len(await ann.get("/api/people")) == 2


async def test_alone_with_two_seats_two_fly(house: House) -> None:
    ann = await house.visitor()
    table = await by_click(house, ann, scenario="pair")
    people = await ann.get("/api/people")
    assert [one["table"] for one in people] == [table.id, table.id]
    assert len({one["call_sign"] for one in people}) == 2
    view = await table.view()
    assert {seat["label"] for seat in view["seats"]} == {one["call_sign"] for one in people}


async def test_a_bots_seat_keeps_the_set_ups_own(house: House) -> None:
    ann = await house.visitor()
    person = await newcomer(ann, "Bishop")  # what the scenario calls its second pilot
    sent = {"scenario": "pair", "bot.2": "steady", "person.1": person}
    table = await by_click(house, ann, **sent)
    labels = [seat["label"] for seat in (await table.view())["seats"]]
    assert labels == ["Bishop", "Bishop 2"]
    assert len(await ann.get("/api/people")) == 1


async def test_the_games_page_offers_who_is_free(house: House) -> None:
    ann = await house.visitor()
    person = await newcomer(ann, "Chosen")
    away = await newcomer(ann, "Away")
    await take_off(ann, away)
    page = await ann.page(f"/games/{GAME}")
    assert f'<option value="{person}" selected>2nd Lt Ann Other “Chosen”</option>' in page
    assert away not in page
    fresh = {"person.1": "new", "person_name.1": "Cy New", "call_sign.1": "Cyan"}
    assert (await flown_by(ann, await by_click(house, ann, **fresh)))["call_sign"] == "Cyan"
    chosen = await by_click(house, ann, **{"person.1": person})
    assert (await flown_by(ann, chosen))["id"] == person
    await ann.form("/tables", {"game": GAME, "person.1": person}, 409)


async def test_other_games_have_no_pilots(ann: Visitor) -> None:
    assert "person.1" not in await ann.page("/games/osaaf")
    detail = (await ann.post("/api/people", {"game": "osaaf", "name": "A", "call_sign": "B"}, 404))[
        "detail"
    ]
    assert "book" in detail
    order = {"game": "osaaf", "setup": small_duel(), "people": {"blue": "nobody"}}
    await ann.post("/api/tables", order, 404)


# Two players


async def invited(host: Visitor, person: str = "", **order: Any) -> Table:
    """A table for two, with the host's pilot and the second seat free."""
    return await host.sit(
        GAME,
        mode="shared",
        setup=last_leg(pilots=2),
        dice="hand",
        people={"one": person or await newcomer(host)},
        **order,
    )


async def test_nothing_begins_before_the_wingman_is_there(ann: Visitor, bob: Visitor) -> None:
    table = await invited(ann)
    view = await table.view()
    assert view["awaited"] == ["two"]
    assert view["prompt"] == "Waiting for the wingman: send the link"
    assert (view["offers"], view["turn"], view["phase"]["id"]) == ([], 0, "")
    assert {entry["type"] for entry in await table.log()} == {"Opened", "Brought"}
    body = {"version": view["version"]}
    for path in ("advance", "takeback"):
        await ann.post(f"{table.url}/{path}", body, 409 if path == "advance" else 422)
    await ann.post(f"{table.url}/commands", {**body, "offer": "leader", "dice": [1]}, 409)
    page = await ann.page(table.page)
    assert "Waiting for the wingman: send the link" in page
    assert "The game begins when the seat is taken" in page
    assert "You can begin" not in page
    eve = await ann.house.visitor()
    assert (await eve.get(table.url))["prompt"] == "Waiting for the wingman"
    person = await newcomer(bob, "Yak")
    await table.join("two", bob, person=person)
    view = await table.view()
    assert "awaited" not in view
    assert [seat["label"] for seat in view["seats"]] == ["Zed", "Yak"]
    assert view["offers"]
    assert (await book_of(bob, person))["person"]["table"] == table.id


async def test_the_friends_word_comes_before_the_first_die(house: House, bob: Visitor) -> None:
    ann = await house.visitor()
    person = await newcomer(ann)
    table = await ann.sit(GAME, mode="shared", scenario="pair", people={"one": person})
    assert not (await table.view())["dice"].get("thrown")
    await table.join("two", bob, word="mine")
    kinds = [entry["type"] for entry in await table.log()]
    assert kinds.index("WordSaid") < kinds.index("PhaseBegan")
    assert (await table.view())["dice"]["thrown"] > 0


async def test_the_higher_rank_leads_wherever_he_sits(ann: Visitor, bob: Visitor) -> None:
    low = await newcomer(ann, "Low")
    high = await veteran(bob, "High", rank="Major", missions=20, points=45)
    table = await invited(ann, low)
    await table.join("two", bob, person=high)
    told = [entry["text"] for entry in await table.log()]
    assert "High (Major) leads, and Low (2nd Lt) is the wingman." in told
    view = await fly(table, CALM)
    assert view["finished"]
    assert (await book_of(ann, low))["person"]["record"]["missions"] == 1
    assert (await book_of(bob, high))["person"]["record"]["missions"] == 21
    summary = await bob.get(f"{table.url}/summary")
    assert [one.get("person", "") for one in summary["debrief"]] == ["", high]
    assert "In your campaign book" in await bob.page(table.page)
    eve = await bob.house.visitor()
    assert "In your campaign book" not in await eve.page(table.page)


async def test_two_of_one_call_sign_do_not_fly_together(ann: Visitor, bob: Visitor) -> None:
    table = await invited(ann)
    twin, other = await newcomer(bob, "zed"), await newcomer(bob, "Other")
    before = await table.view()
    body = {"invite": table.invite("two"), "person": twin}
    refused = await bob.post(f"{table.url}/seats/two/claim", body, 422)
    assert "zed in this flight already" in refused["detail"]
    assert await table.view() == before
    assert (await book_of(bob, twin))["person"]["table"] is None
    page = await bob.page(table.invite("two").replace("http://table.local", ""))
    assert re.search(rf'<option value="{twin}" disabled>.*that call sign is taken there', page)
    assert f'<option value="{other}" selected>' in page
    fresh = {"person.1": "new", "person_name.1": "New One", "call_sign.1": "ZED"}
    join = table.invite("two").replace("http://table.local", "")
    await bob.form(join, fresh, 422)
    assert len(await bob.get("/api/people")) == 2, "a newcomer who was refused is not kept"
    await bob.form(join, {"person.1": other}, 303, htmx=False)
    assert (await book_of(bob, other))["person"]["table"] == table.id


async def test_without_a_choice_who_fits_comes(ann: Visitor, bob: Visitor) -> None:
    table = await invited(ann)
    fits, twin = await newcomer(bob, "Fits"), await newcomer(bob, "Zed")
    await table.join("two", bob)
    assert (await book_of(bob, fits))["person"]["table"] == table.id
    assert (await book_of(bob, twin))["person"]["table"] is None


async def test_a_table_that_never_began_leaves_no_trace(ann: Visitor) -> None:
    person = await newcomer(ann)
    table = await invited(ann, person)
    asked = await ann.form(f"{table.page}/close", {}, 200, htmx=False)
    assert "abandoned" not in asked.text
    assert "concede" not in asked.text.lower()
    await ann.form(f"{table.page}/close", {"confirmed": "yes"}, 303, htmx=False)
    assert "before the game began" in (await table.view())["prompt"]
    book = await book_of(ann, person)
    assert (book["person"]["table"], book["person"]["abandoned"], book["deeds"]) == (None, 0, [])


# The same person is at one table


async def test_the_same_pilot_twice_at_once(ann: Visitor) -> None:
    person = await newcomer(ann)
    order = {"game": GAME, "setup": last_leg(), "dice": "hand", "people": {"one": person}}
    answers = await asyncio.gather(*(ann.http.post("/api/tables", json=order) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    opened = next(answer.json()["id"] for answer in answers if answer.status_code == 201)
    assert (await book_of(ann, person))["person"]["table"] == opened
    mine = await ann.get("/api/tables?mine")
    assert [one["id"] for one in mine if one["game"] == GAME] == [opened]


async def test_the_same_pilot_at_a_new_table_and_an_old_seat(ann: Visitor, bob: Visitor) -> None:
    person = await newcomer(bob, "Yak")
    tables = [await invited(ann, await newcomer(ann, sign)) for sign in ("Una", "Duo")]
    answers = await asyncio.gather(
        *(
            bob.http.post(
                f"{table.url}/seats/two/claim",
                json={"invite": table.invite("two"), "person": person},
            )
            for table in tables
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    for table, answer in zip(tables, answers, strict=True):
        taken = answer.status_code == 200
        view = await table.view()
        assert view["seats"][1].get("taken", False) is taken, "a refused claim takes no seat"
        assert ("awaited" in view) is not taken


async def test_two_bookings_of_one_table_need_two(ann: Visitor) -> None:
    person, other = await newcomer(ann, "One"), await newcomer(ann, "Two")
    order = {"game": GAME, "setup": last_leg(pilots=2)}
    twice = {"one": person, "two": person}
    await ann.post("/api/tables", {**order, "people": twice}, 409)
    await ann.post("/api/tables", {**order, "people": {"one": person}}, 422)
    await ann.post("/api/tables", {**order, "people": {**twice, "three": other}}, 409)
    await ann.post("/api/tables", {**order, "people": {"one": person, "two": other}}, 201)


# What is between the beginning and the end


async def test_a_restart_in_the_middle_loses_nobody(tmp_path: Path, plug_ins: None) -> None:
    async with open_house(tmp_path) as house:
        ann = await house.visitor()
        person = await newcomer(ann)
        table = await take_off(ann, person)
        await fly(table, KILL[:3])
        log, cookies = await table.log(), dict(ann.http.cookies)
    async with open_house(tmp_path) as house:
        ann = house.stranger()
        ann.http.cookies.update(cookies)
        table = Table(house, table.id, table.opened, {"one": ann})
        assert await table.log() == log
        assert (await book_of(ann, person))["person"]["table"] == table.id
        assert link(table) in await ann.page("/book")
        view = await fly(table, KILL[3:])
        assert view["finished"]
        book = await book_of(ann, person)
        assert (book["person"]["record"]["kills"], len(book["deeds"])) == (1, 1)


async def test_the_end_is_written_once(ann: Visitor) -> None:
    """The same last command again, with its key and without, adds nothing."""
    person = await newcomer(ann)
    table = await take_off(ann, person)
    view = await table.view()
    body = {"version": view["version"], "offer": view["offers"][0]["id"], "dice": [6]}
    first = await ann.post(f"{table.url}/commands", body, key="land")
    assert first["view"]["finished"]
    again = await ann.post(f"{table.url}/commands", body, key="land")
    assert again["version"] == first["version"]
    await ann.post(f"{table.url}/commands", body, 409)
    await ann.post(f"{table.url}/close", {}, 409)
    book = await book_of(ann, person)
    assert (book["person"]["record"]["missions"], len(book["deeds"])) == (1, 1)


async def test_an_end_that_is_not_kept_adds_nothing(
    house: House, ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record and the end of the game are one transaction."""
    person = await newcomer(ann)
    table = await take_off(ann, person)
    crew = house.site.crew
    settle = crew.settle

    def broken(*about: Any) -> Any:
        write = settle(*about)

        def fail(connection: Any) -> None:
            assert write is not None
            write(connection)
            raise RuntimeError("the power is gone")

        return fail

    monkeypatch.setattr(crew, "settle", broken)
    with pytest.raises(RuntimeError):
        await fly(table, CALM)
    assert not (await table.view())["finished"]
    book = await book_of(ann, person)
    assert (book["person"]["table"], book["deeds"]) == (table.id, [])
    monkeypatch.undo()
    await fly(table, CALM)
    assert (await book_of(ann, person))["person"]["record"]["missions"] == 1


async def test_after_the_end_nothing_is_taken_back(house: House, ann: Visitor) -> None:
    """So a record that was written stays right."""
    person = await newcomer(ann)
    table = await mission(ann, person, RESCUED, damage=6)
    version = await table.version()
    for to in (None, 2, version - 1):
        body = {"version": version} | ({} if to is None else {"to": to})
        await ann.post(f"{table.url}/takeback", body, 409)
    live = await house.site.service.get(table.id)
    assert isinstance(live.entries[-1].event, Finished)


async def test_rolls_that_were_taken_back_are_told(ann: Visitor) -> None:
    """Alone everything can be taken back; the book says how often dice were."""
    person = await newcomer(ann)
    table = await take_off(ann, person, damage=6)
    await fly(table, SHOT_DOWN)
    await table.take_back("one")
    before = await table.version()
    brought = next(e["seq"] for e in await table.log() if e["type"] == "Brought")
    await table.take_back("one", brought - 1, 422)
    assert await table.version() == before
    await table.take_back("one", brought)
    assert (await table.view())["seats"][0]["label"] == "Zed"
    await table.advance("one")
    await fly(table, CALM)
    (deed,) = (await book_of(ann, person))["deeds"]
    assert deed["taken_back"] == 3
    assert "3 rolls were taken back" in await ann.page(f"/book/{person}")


async def test_closing_early_adds_nothing_and_is_told_before(ann: Visitor) -> None:
    person = await newcomer(ann, "Quitter")
    table = await take_off(ann, person, damage=6)
    await fly(table, SHOT_DOWN)
    asked = await ann.form(f"{table.page}/close", {}, 200, htmx=False)
    assert "Quitter will be free again" in asked.text
    assert "counts it as abandoned" in asked.text
    await ann.form(f"{table.page}/close", {"confirmed": "yes"}, 303, htmx=False)
    book = await book_of(ann, person)
    assert (book["person"]["status"], book["person"]["table"]) == ("active", None)
    assert book["person"]["abandoned"] == 1
    assert book["person"]["record"]["missions"] == 0
    (deed,) = book["deeds"]
    assert (deed["kind"], deed["title"]) == ("abandoned", "Abandoned in turn 1")
    assert "nothing is added to the record" in await ann.page(table.page)


async def test_who_concedes_abandons_and_the_other_is_cut_short(ann: Visitor, bob: Visitor) -> None:
    mine, other = await newcomer(ann, "Mine"), await newcomer(bob, "Theirs")
    table = await invited(ann, mine)
    await table.join("two", bob, person=other)
    await bob.post(f"{table.url}/close")
    theirs, own = await book_of(bob, other), await book_of(ann, mine)
    assert (theirs["person"]["abandoned"], theirs["deeds"][0]["kind"]) == (1, "abandoned")
    assert (own["person"]["abandoned"], own["deeds"][0]["kind"]) == (0, "cut")
    assert own["deeds"][0]["title"] == "Cut short by Theirs in turn 1"
    assert own["person"]["table"] is None


async def test_a_script_without_people_flies_the_set_ups_own(ann: Visitor) -> None:
    table = await ann.sit(GAME, setup=last_leg(), dice="hand")
    view = await fly(table, CALM)
    assert view["finished"]
    assert "Brought" not in {entry["type"] for entry in await table.log()}
    assert await ann.get("/api/people", game=GAME) == []
    page = await ann.page(table.page)
    assert "nothing is kept" in page
    assert "In your campaign book" not in page


# Again


async def test_play_again_brings_the_same_pilot(house: House, ann: Visitor) -> None:
    person = await newcomer(ann)
    table = await mission(ann, person, CALM)
    again = await ann.form("/tables", {"again": table.id}, 303, htmx=False)
    second = await found(house, ann, again.headers["location"])
    assert (await flown_by(ann, second))["id"] == person
    assert "instead" not in (await second.log())[1]["data"]
    await fly(second, CALM)
    assert (await book_of(ann, person))["person"]["record"]["missions"] == 2


async def test_who_is_lost_is_replaced_and_that_is_told(house: House, ann: Visitor) -> None:
    person = await newcomer(ann, "Gone")
    table = await mission(ann, person, LOST, damage=6)
    again = await ann.form("/tables", {"again": table.id}, 303, htmx=False)
    second = await found(house, ann, again.headers["location"])
    other = await flown_by(ann, second)
    assert other["id"] != person
    assert "in place of Gone, who is lost." in (await second.log())[1]["text"]
    assert "in place of Gone, who is lost." in await ann.page(second.page)


async def test_a_spectator_who_plays_it_brings_his_own(house: House, ann: Visitor) -> None:
    person = await newcomer(ann)
    table = await mission(ann, person, CALM)
    eve = await house.visitor()
    again = await eve.form("/tables", {"again": table.id}, 303, htmx=False)
    second = await found(house, eve, again.headers["location"])
    assert (await flown_by(eve, second))["id"] != person
    assert (await book_of(ann, person))["person"]["table"] is None


@pytest.mark.parametrize("swapped", [False, True])
async def test_a_rematch_has_the_same_people(ann: Visitor, bob: Visitor, swapped: bool) -> None:
    mine, other = await newcomer(ann, "Mine"), await newcomer(bob, "Theirs")
    table = await invited(ann, mine)
    await table.join("two", bob, person=other)
    while not (await table.view())["finished"]:
        await fly(table, [[6]])
    again = await bob.post(f"{table.url}/rematch", {"swapped": swapped}, 201)
    view = await ann.get(f"/api/tables/{again['id']}")
    labels = ["Theirs", "Mine"] if swapped else ["Mine", "Theirs"]
    assert [seat["label"] for seat in view["seats"]] == labels
    assert view["seats"][int(swapped)]["yours"]
    for visitor, person in ((ann, mine), (bob, other)):
        assert (await book_of(visitor, person))["person"]["table"] == again["id"]
    second = await ann.post(f"{table.url}/rematch", {}, 200)
    assert second["id"] == again["id"]


async def test_a_rematch_of_what_never_began_waits_again(ann: Visitor, bob: Visitor) -> None:
    person = await newcomer(ann)
    table = await invited(ann, person)
    await ann.post(f"{table.url}/close")
    again = await ann.post(f"{table.url}/rematch", {}, 201)
    assert (await ann.get(f"/api/tables/{again['id']}"))["awaited"] == ["two"]
    assert (await book_of(ann, person))["person"]["table"] == again["id"]
    second = Table(bob.house, again["id"], again, {"one": ann})
    await second.join("two", bob)
    assert "awaited" not in await second.view()


async def test_a_rematch_replaces_who_can_not_come(ann: Visitor, bob: Visitor) -> None:
    """One is lost, the other has gone to another table meanwhile: both are told, none is taken."""
    mine, other = await newcomer(ann, "Mine"), await newcomer(bob, "Theirs")
    order = {"mode": "shared", "setup": last_leg(pilots=2, damage=6), "dice": "hand"}
    table = await ann.sit(GAME, people={"one": mine}, **order)
    await table.join("two", bob, person=other)
    while not (await table.view())["finished"]:  # two MiGs, one for each, and Mine is lost
        kind = (await table.open_offers())[0][1]["id"].partition(":")[0]
        face = {"leader": 1, "contact": 1, "kind": 4, "number": 2}.get(kind)
        seat = (await table.open_offers())[0][1]["seat"]
        await fly(table, ["stop"] if kind == "shoot" else [[face or (1 if seat == "one" else 6)]])
    elsewhere = await take_off(bob, other)
    again = await bob.post(f"{table.url}/rematch", {}, 201)
    log = await bob.get(f"/api/tables/{again['id']}/log")
    told = [entry["text"] for entry in log if entry["type"] == "Brought"]
    assert told[0].endswith("in place of Mine, who is lost.")
    assert told[1].endswith("in place of Theirs, who is at another table.")
    assert (await book_of(bob, other))["person"]["table"] == elsewhere.id
    assert (await book_of(ann, mine))["person"]["table"] is None


# The book


async def test_a_book_is_its_owners_alone(house: House, ann: Visitor, bob: Visitor) -> None:
    person = await newcomer(ann, "Private")
    for path in (f"/book/{person}", f"/book/{person}/export"):
        assert "Private" in await _text(ann, path)
        assert (await bob.http.get(path)).status_code == 404
    await bob.get(f"/api/people/{person}", 404)
    assert "Private" not in await bob.page("/book")
    for what in ("rename", "retire"):
        await bob.form(f"/book/{person}/{what}", {"name": "x", "call_sign": "y"}, 404)
    order = {"game": GAME, "setup": last_leg(), "people": {"one": person}}
    await bob.post("/api/tables", order, 404)
    table = await invited(bob)
    stranger = await house.visitor()
    body = {"invite": table.invite("two"), "person": person}
    await stranger.post(f"{table.url}/seats/two/claim", body, 404)
    assert (await book_of(ann, person))["person"]["table"] is None


async def _text(visitor: Visitor, path: str) -> str:
    answer = await visitor.http.get(path)
    assert answer.status_code == 200
    return answer.text


async def test_names_are_changed_and_checked(ann: Visitor) -> None:
    person = await newcomer(ann)
    names = {"name": "  New   Name ", "call_sign": "Nova"}
    await ann.form(f"/book/{person}/rename", names, 303, htmx=False)
    kept = (await book_of(ann, person))["person"]
    assert (kept["name"], kept["call_sign"]) == ("New Name", "Nova")
    for wrong in (
        {"name": "", "call_sign": "Nova"},
        {"name": "N", "call_sign": " "},
        {"name": "x" * 41, "call_sign": "Nova"},
        {"name": "N", "call_sign": "x" * 17},
        {"name": "N", "call_sign": "wingman"},
    ):
        await ann.form(f"/book/{person}/rename", wrong, 422)
        await ann.form("/book", {"game": GAME, **wrong}, 422)
    table = await take_off(ann, person)
    await ann.form(f"/book/{person}/rename", names, 409)
    await ann.form(f"/book/{person}/retire", {}, 409)
    await fly(table, CALM)
    await ann.form(f"/book/{person}/retire", {}, 303, htmx=False)
    assert (await book_of(ann, person))["person"]["status"] == "retired"
    order = {"game": GAME, "setup": last_leg(), "people": {"one": person}}
    assert "retired" in (await ann.post("/api/tables", order, 409))["detail"]


EVIL = '<script>alert("1")</script>'


async def test_names_are_text_everywhere(house: House) -> None:
    ann = await house.visitor()
    person = await newcomer(ann, "<b>\"'&</b>", EVIL)
    table = await mission(ann, person, CALM)
    paths = ("/book", f"/book/{person}", "/hall-of-fame", f"/games/{GAME}", table.page)
    for path in (*paths, f"{table.page}/after"):
        page = await ann.page(path)
        assert EVIL not in page, path
        assert "<b>\"'&" not in page, path
    assert "&lt;script&gt;" in await ann.page("/hall-of-fame")


async def test_export_and_import_are_one_round_trip(ann: Visitor, bob: Visitor) -> None:
    person = await veteran(ann, missions=4, points=15, kills=4)
    await mission(ann, person, KILL)
    answer = await ann.http.get(f"/book/{person}/export")
    assert answer.headers["content-type"] == "application/json"
    assert "attachment" in answer.headers["content-disposition"]
    brought = await bob.form("/book/import", {"paper": answer.text}, 303, htmx=False)
    copy = brought.headers["location"].rpartition("/")[2]
    mine, theirs = await book_of(ann, person), await book_of(bob, copy)
    assert theirs["person"]["record"] == mine["person"]["record"]
    assert theirs["person"]["imported"]
    same = ("number", "at", "kind", "title", "lines", "tallies", "taken_back", "own_setup")
    assert [{k: deed[k] for k in same} for deed in theirs["deeds"]] == [
        {k: deed[k] for k in same} for deed in mine["deeds"]
    ]
    assert {deed["table"] for deed in theirs["deeds"]} == {None}
    for path in ("/book", f"/book/{copy}", "/hall-of-fame"):
        assert "brought from elsewhere" in await bob.page(path)
    await mission(bob, copy, CALM)
    assert (await book_of(bob, copy))["person"]["imported"], "the mark stays"
    again = (await bob.http.get(f"/book/{copy}/export")).json()
    assert set(again) == set(fields())


@pytest.mark.parametrize(
    "text", ["{", paper(record={"points": -1}), paper(owner="x"), paper(game="osaaf")]
)
async def test_a_bad_document_is_shown_again_with_what_is_wrong(house: House, text: str) -> None:
    ann = await house.visitor()
    answer = await ann.form("/book/import", {"paper": text}, 422, htmx=False)
    assert 'role="alert"' in answer.text
    assert "aria-invalid" in answer.text
    assert await ann.get("/api/people") == []


async def test_a_huge_document_is_refused(ann: Visitor) -> None:
    deeds = [{"at": 0, "title": "x" * 200, "lines": ["y" * 200] * 20}] * 300
    answer = await ann.http.post("/book/import", data={"paper": paper(deeds=deeds)})
    assert answer.status_code in (413, 422)


async def test_a_book_is_full_some_day(
    ann: Visitor, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.records.book.MOST_PEOPLE", 1)
    await newcomer(ann)
    body = {"game": GAME, "name": "A", "call_sign": "B"}
    assert "no more fit in" in (await ann.post("/api/people", body, 422))["detail"]
    await by_click(house, ann)
    tables = len(await ann.get("/api/tables?mine"))
    await ann.form("/tables", {"game": GAME}, 422)
    assert len(await ann.get("/api/tables?mine")) == tables, "no table without its pilot"


async def test_a_record_of_another_version_breaks_no_page(house: House) -> None:
    import sqlite3

    ann = await house.visitor()
    person = await newcomer(ann, "Oldtimer")
    with sqlite3.connect(house.settings.data / "contrail.db") as stored:
        change = "UPDATE person SET record = ? WHERE id = ?"
        stored.execute(change, (json.dumps({"glory": 3}), person))
    stored.close()
    for path in ("/book", f"/book/{person}", "/hall-of-fame", f"/games/{GAME}"):
        await ann.page(path)
    order = {"game": GAME, "setup": last_leg(), "people": {"one": person}}
    assert "can't be read" in (await ann.post("/api/tables", order, 422))["detail"]
    assert (await flown_by(ann, await by_click(house, ann)))["id"] != person


async def test_whole_scenarios_are_flown_and_kept(house: House) -> None:
    """Whatever happens on the way, one mission is one deed, and what it tells is what it added."""
    ann = await house.visitor()
    for seed in range(12):
        table = await by_click(house, ann, scenario="pair" if seed % 3 == 0 else "solo")
        await table.play(random.Random(seed), 2_000)
        assert (await table.view())["finished"]
        for one in (await ann.get(f"{table.url}/summary"))["debrief"]:
            deed = (await book_of(ann, one["person"]))["deeds"][0]
            assert deed["table"] == table.id
            assert not deed["own_setup"]
            assert (deed["title"], deed["tallies"]) == (one["title"], one["tallies"])
    for kept in await ann.get("/api/people"):
        deeds = (await book_of(ann, kept["id"]))["deeds"]
        for field, label in (("points", "Points"), ("kills", "Kills")):
            assert kept["record"][field] == sum(deed["tallies"][label] for deed in deeds)
        assert kept["record"]["missions"] == len(deeds) - (kept["status"] == "lost")
        assert kept["table"] is None


async def test_the_interface_says_what_there_is(ann: Visitor) -> None:
    games = {game["id"]: game for game in await ann.get("/api/games")}
    assert games[GAME]["people"] == "pilots"
    assert games["osaaf"]["people"] == ""
    document = await ann.get("/openapi.json")
    assert {"/api/people", "/api/people/{person_id}"} <= set(document["paths"])
    assert {"PersonView", "PersonBook", "DeedView"} <= set(document["components"]["schemas"])
