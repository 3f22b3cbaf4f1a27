"""Taking back: what needs whose yes, what the log says of it, and dice that never come back."""

import random
from itertools import pairwise
from typing import Any

import pytest

from tests.web.house import House, Table, Visitor, small_duel

pytestmark = pytest.mark.anyio


async def pair(house: House, game: str = "osaaf", **order: Any) -> Table:
    """A shared table of two visitors."""
    ann, bob = await house.visitor(), await house.visitor()
    if game == "osaaf":
        order.setdefault("setup", small_duel(turns=9))
    table = await ann.sit(game, mode="shared", **order)
    await table.join(table.opened["seats"][1]["id"], bob)
    return table


def has_dice(entries: list[Any]) -> bool:
    """Whether dice fell."""
    return any("dice" in entry for entry in entries)


async def undone(table: Table) -> dict[str, Any]:
    """The last entry of the log, which says that something was taken back."""
    entry = (await table.log())[-1]
    assert entry["type"] == "Rewound"
    return entry


async def own_choice(
    table: Table, rng: random.Random
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Play until a choice has been made after which no dice fell: its seat, the view before, the answer."""
    for _ in range(300):
        offers = await table.open_offers()
        seat = offers[0][1]["seat"]
        before = await table.view(seat)
        done = await table.step(rng)
        if (
            offers[0][1]["kind"] == "decision"
            and done["entries"][0]["seat"] == seat
            and not has_dice(done["entries"])
        ):
            return seat, before, done
    raise AssertionError("no such choice came")


async def past_a_roll(
    table: Table, rng: random.Random
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Play until a choice has led to a roll: its seat, the view before, the answer."""
    for _ in range(300):
        offers = await table.open_offers()
        seat = offers[0][1]["seat"]
        before = await table.view(seat)
        done = await table.step(rng)
        if done["entries"][0]["seat"] == seat and has_dice(done["entries"]):
            return seat, before, done
    raise AssertionError("no roll came")


def other(table: Table, seat: str) -> str:
    """The other seat."""
    return next(one for one in table.seats if one != seat)


@pytest.mark.parametrize("setting", ["own", "consent"])
async def test_ones_own_choice_comes_back_at_once(house: House, setting: str) -> None:
    table = await pair(house, takebacks=setting)
    seat, before, _ = await own_choice(table, random.Random(1))
    done = await table.take_back(seat)
    assert "asked" not in done
    view = await table.view(seat)
    assert view["version"] == before["version"] + len(await table.log(after=before["version"]))
    for same in ("units", "turn", "phase", "prompt", "offers"):
        assert view[same] == before[same], same
    entry = await undone(table)
    assert entry["seat"] == entry["data"]["by"] == seat
    assert entry["data"]["to"] == before["version"]
    assert not entry["data"].get("agreed")
    struck = [one["seq"] for one in await table.log() if one.get("struck")]
    assert struck == list(range(before["version"] + 1, entry["seq"]))


async def test_none_means_none(house: House) -> None:
    table = await pair(house, takebacks="none")
    seat, _, done = await own_choice(table, random.Random(1))
    problem = await table.take_back(seat, status=422)
    assert "without take-backs" in problem["detail"]
    assert await table.version() == done["version"]
    solo = await next(iter(table.seats.values())).sit(setup=small_duel(), takebacks="none")
    await solo.step(random.Random(1))
    await solo.take_back("blue", status=422)


async def test_r01_own_stops_at_dice(house: House) -> None:
    """R-01: a roll undone to choose again is refused, with the reason."""
    table = await pair(house, takebacks="own")
    seat, _, done = await past_a_roll(table, random.Random(2))
    before = await table.log()
    problem = await table.take_back(seat, status=422)
    assert "dice have fallen" in problem["detail"]
    assert await table.log() == before
    assert done["version"] == len(before)


async def test_r01_r02_past_a_roll_the_other_seat_must_agree(house: House) -> None:
    """R-01, R-02: the log names who asked and who agreed, keeps the roll, and the dice go on."""
    table = await pair(house)
    seat, before, done = await past_a_roll(table, random.Random(3))
    fallen = [entry for entry in done["entries"] if "dice" in entry]
    thrown = done["view"]["dice"]["thrown"]
    asked = await table.take_back(seat)
    assert asked["asked"] is True
    assert asked["entries"][0]["type"] == "TakebackAsked"
    assert asked["entries"][0]["data"] == {"seat": seat, "to": before["version"]}
    # Nothing has come back yet, and who asked can't say yes.
    assert (await table.view())["units"] == done["view"]["units"]
    await table.answer(seat, True, 403)
    agreed = await table.answer(other(table, seat), True)
    entry = agreed["entries"][0]
    assert entry["type"] == "Rewound"
    assert (entry["data"]["by"], entry["data"]["agreed"]) == (seat, other(table, seat))
    names = {one["id"]: one["label"] for one in agreed["view"]["seats"]}
    assert names[seat] in entry["text"]
    assert f"agreed by {names[other(table, seat)]}" in entry["text"]
    # The same roll again has new dice with new numbers; the old one stands, struck out.
    again = await table.view(seat)
    assert again["offers"] == before["offers"]
    assert again["dice"]["thrown"] == thrown
    log = {one["seq"]: one for one in await table.log()}
    for roll in fallen:
        assert log[roll["seq"]]["struck"]
        assert log[roll["seq"]]["dice"] == roll["dice"]
    redone = await table.command(seat, _choice_of(done, before))
    rolls = [one for one in redone["entries"] if "dice" in one]
    assert rolls[0]["dice"]["index"] == thrown
    audit = (await table.seats[seat].http.get(f"{table.page}/dice.json")).json()
    struck = [roll["entry"] for roll in audit["rolls"] if roll["struck"]]
    assert struck == [roll["seq"] for roll in fallen]
    indexes = [roll["index"] for roll in audit["rolls"]]
    assert indexes == sorted(indexes)
    spans = [(roll["index"], roll["index"] + len(roll["faces"])) for roll in audit["rolls"]]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def _choice_of(done: dict[str, Any], before: dict[str, Any]) -> Any:
    """A choice of the same question again: the one that was made, read off the entry."""
    offer = before["offers"][0]
    data = done["entries"][0]["data"]
    for option in offer["options"]:
        if "blocked" not in option and option["value"] in data.values():
            return option["value"]
    return next(option["value"] for option in offer["options"] if "blocked" not in option)


async def test_a_request_may_be_refused(house: House) -> None:
    table = await pair(house)
    seat, _, done = await past_a_roll(table, random.Random(4))
    await table.take_back(seat)
    refused = await table.answer(other(table, seat), False)
    assert refused["entries"][0]["type"] == "TakebackRefused"
    assert refused["entries"][0]["seat"] == other(table, seat)
    view = await table.view()
    assert view["units"] == done["view"]["units"]
    await table.answer(other(table, seat), True, 409)  # nobody asks any more


async def test_a_request_goes_away_when_play_goes_on(house: House) -> None:
    table = await pair(house)
    seat, _, _ = await past_a_roll(table, random.Random(5))
    await table.take_back(seat)
    offers = await table.open_offers()
    visitor, offer, version = offers[0]
    choice = next(o["value"] for o in offer["options"] if "blocked" not in o)
    body = {"version": version, "offer": offer["id"], "choice": choice}
    await visitor.post(f"{table.url}/commands", body)
    await table.answer(other(table, seat), True, 409)


async def test_who_asked_may_withdraw(house: House) -> None:
    table = await pair(house)
    seat, _, _ = await past_a_roll(table, random.Random(6))
    await table.take_back(seat)
    await table.take_back(seat, status=422)  # it is asked for already
    await table.answer(seat, False)
    await table.answer(other(table, seat), True, 409)


async def test_an_old_answer_meets_no_new_request(house: House) -> None:
    """The yes carries the version that was seen; another request since needs another yes."""
    table = await pair(house)
    seat, _, _ = await past_a_roll(table, random.Random(7))
    await table.take_back(seat)
    version = await table.version()
    await table.answer(seat, False)
    await table.play(random.Random(7), 2)
    await table.take_back(seat, to=1)
    body = {"version": version, "accept": True}
    await table.seats[other(table, seat)].post(f"{table.url}/takeback/answer", body, 409)
    view = await table.view(seat)
    stale = {"version": view["version"], "accept": True, "request": view["log"] - 1}
    await table.seats[other(table, seat)].post(f"{table.url}/takeback/answer", stale, 409)
    asks = {**stale, "request": view["log"]}
    await table.seats[other(table, seat)].post(f"{table.url}/takeback/answer", asks)


async def test_past_the_other_seats_choice_needs_its_yes(house: House) -> None:
    """With dice by hand, so that nothing else lies between."""
    table = await pair(house, "skirmish", scenario="duel")
    # In the last phase both choose in the open, with no dice between them.
    offers: list[Any] = []
    for _ in range(300):
        offers = await table.open_offers()
        titles = {offer["id"].split("-")[0] for _, offer, _ in offers}
        if titles == {"regroup"} and len(offers) == 2:
            break
        assert await table.step(random.Random(8)) is not None
    first, second = (offer["seat"] for _, offer, _ in offers)
    before = await table.version()
    await table.command(first, 1 if _free(offers[0][1], 1) else 2, offer=offers[0][1]["id"])
    done = await table.command(second, 1 if _free(offers[1][1], 1) else 2, offer=offers[1][1]["id"])
    assert not has_dice(done["entries"])
    asked = await table.take_back(first, to=before)
    assert asked["asked"] is True
    await table.answer(second, True)
    assert [offer["id"] for _, offer, _ in await table.open_offers()] == [
        offer["id"] for _, offer, _ in offers
    ]


def _free(offer: Any, value: Any) -> bool:
    return any(o["value"] == value and "blocked" not in o for o in offer["options"])


async def sealed_pair(house: House, **order: Any) -> Table:
    """A table of envelopes where both have sealed their first word."""
    table = await pair(house, "envelopes", **order)
    await table.command("red", "alpha")
    await table.command("blue", "beta")
    return table


async def test_r02_past_a_reveal_the_other_seat_must_agree(house: House) -> None:
    """R-02: what was shown was seen, even by a take-back of one's own choice."""
    for setting, how in (("consent", "asked"), ("own", "refused")):
        table = await pair(house, "skirmish", scenario="duel", takebacks=setting)
        await table.command("red", 1)
        await table.command("blue", 2)
        before = await table.version()
        await table.command("red", {"plan": "press", "decoy": False})
        done = await table.command("blue", {"plan": "hold", "decoy": False})
        assert "PlotsShown" in [entry["type"] for entry in done["entries"]]
        if how == "refused":
            problem = await table.take_back("red", to=before, status=422)
            assert "hidden was shown" in problem["detail"]
        else:
            assert (await table.take_back("red", to=before))["asked"] is True
            await table.answer("blue", True)
            view = await table.view("red")
            assert view["offers"][0]["id"].startswith("plot-1")


async def test_who_plays_every_seat_is_not_asked_about_what_he_saw_himself(house: House) -> None:
    """A reveal shows a lone player nothing new; dice still stand in the way."""
    ann = await house.visitor()
    table = await ann.sit("skirmish", scenario="duel", takebacks="free")
    await table.command("red", 1)
    await table.command("blue", 2)
    before = await table.version()
    await table.command("red", {"plan": "press", "decoy": False})
    done = await table.command("blue", {"plan": "hold", "decoy": False})
    assert "PlotsShown" in [entry["type"] for entry in done["entries"]]
    assert not has_dice(await table.log(after=before))
    fields = {"version": str(done["version"])}
    await ann.form(f"{table.page}/takeback", fields, 303, htmx=False)
    assert (await undone(table))["data"]["to"] >= before


async def test_a_sealed_answer_may_be_changed_until_all_have_answered(house: House) -> None:
    table = await pair(house, "envelopes")
    await table.command("red", "first thought")
    await table.command("red", "second thought")
    await table.command("blue", "beta")
    sealed = [entry for entry in await table.log("red") if entry["type"] == "Sealed"]
    assert sealed[0]["data"]["word"]["value"] == "second thought"


@pytest.mark.parametrize("what", ["word", "ask", "refuse", "claim"])
async def test_what_is_said_about_the_table_leaves_sealed_answers(house: House, what: str) -> None:
    """A word for the dice or a request does not throw away what the other seat has sealed."""
    table = await sealed_pair(house)
    await table.command("red", "yes")
    await table.command("blue", "yes")  # a die falls, and the next turn's words are to be sealed
    await table.command("red", "kept under seal")
    held = (await table.view("red"))["offers"][0]["held"]
    if what == "word":
        await table.seats["blue"].post(f"{table.url}/word", {"word": "hm"})
    elif what == "claim":
        body = {"invite": table.invite("blue")}
        await table.seats["blue"].post(f"{table.url}/seats/blue/claim", body)
    else:
        assert (await table.take_back("blue"))["asked"] is True
        if what == "refuse":
            await table.answer("red", False)
    assert (await table.view("red"))["offers"][0]["held"] == held == "kept under seal"
    await table.command("blue", "beta")
    await table.command("red", "yes")
    await table.command("blue", "yes")
    assert (await table.view())["finished"]
    opened = next(e for e in await table.log() if e["type"] == "AllOpened")
    assert opened["data"]["words"]["red"][-1] == "kept under seal"


async def test_a_take_back_opens_sealed_questions_anew(house: House) -> None:
    table = await sealed_pair(house)
    await table.command("red", "yes")
    await table.command("blue", "yes")
    await table.command("red", "gone")
    await table.take_back("blue", to=2)
    await table.answer("red", True)
    for seat in ("red", "blue"):
        assert "held" not in (await table.view(seat))["offers"][0]


async def test_alone_everything_may_come_back(house: House) -> None:
    """R-01, solo: also past dice, and the dice still go on."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel())
    start = await table.view()
    await table.play(random.Random(9), 9)
    thrown = (await table.view())["dice"]["thrown"]
    done = await table.take_back("blue", to=start["version"])
    assert "asked" not in done
    view = await table.view()
    assert view["units"] == start["units"]
    assert view["offers"] == start["offers"]
    assert view["dice"]["thrown"] == thrown
    done = await table.play_until(random.Random(9), lambda done: has_dice(done["entries"]))
    first = next(entry for entry in done["entries"] if "dice" in entry)
    assert first["dice"]["index"] == thrown


async def test_alone_the_page_asks_before_dice_are_taken_back(house: House) -> None:
    """U-16: what goes is listed, and one click alone takes no roll back."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel(turns=9))
    _, _, done = await past_a_roll(table, random.Random(1))
    fields = {"version": str(done["version"])}
    answer = await ann.form(f"{table.page}/takeback", fields, 200, htmx=False)
    assert "confirmed" in answer.text
    for entry in done["entries"]:
        if entry["type"] != "PhaseBegan":
            assert f'id="e{entry["seq"]}"' in answer.text
    assert await table.version() == done["version"]
    await ann.form(f"{table.page}/takeback", {**fields, "confirmed": "yes"}, 303, htmx=False)
    assert (await undone(table))["data"]["to"] == done["entries"][0]["seq"] - 1


@pytest.mark.parametrize("to", [0, 10_000, 2**31])
async def test_only_moments_of_this_game_can_be_gone_back_to(ann: Visitor, to: int) -> None:
    table = await ann.sit(setup=small_duel())
    await table.step(random.Random(1))
    before = await table.version()
    await table.take_back("blue", to=to, status=422)
    assert await table.version() == before


async def test_a_struck_moment_is_none(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel(turns=9))
    start = await table.version()
    await table.play(random.Random(1), 4)
    middle = await table.version()
    await table.play(random.Random(2), 2)
    await table.take_back("blue", to=start)
    await table.take_back("blue", to=middle, status=422)
    await table.take_back("blue", to=-1, status=422)


async def test_nothing_is_taken_back_after_the_end(house: House) -> None:
    """The dice are open then."""
    ann = await house.visitor()
    solo = await ann.sit(setup=small_duel(), takebacks="free")
    await solo.play(random.Random(1), 1000)
    assert (await solo.view())["finished"]
    await solo.take_back("blue", status=409)
    await solo.take_back("blue", to=3, status=409)
    shared = await pair(house)
    await past_a_roll(shared, random.Random(1))
    await shared.take_back("red", to=3)
    await ann.http.aclose()
    await shared.seats["blue"].post(f"{shared.url}/close")
    version = await shared.version()
    await shared.answer("blue", True, 409)
    await shared.take_back("red", status=409)
    assert await shared.version() == version


async def test_r15_after_many_take_backs_a_restart_shows_the_same(own_house: House) -> None:
    """R-15: the log folded anew is what the players saw, and past moments stay what they were."""
    ann = await own_house.visitor()
    table = await ann.sit(setup=small_duel(turns=9))
    rng = random.Random(15)
    for _ in range(60):
        if rng.random() < 0.3:
            version = await table.version()
            target = rng.randint(2, version - 1)
            answer = await ann.http.post(
                f"{table.url}/takeback", json={"version": version, "to": target}
            )
            assert answer.status_code in (200, 422)
        elif await table.step(rng) is None:
            break
    before: list[Any] = [await table.view(), await table.log()]
    moments = [await table.view(at=at) for at in range(1, before[0]["version"], 5)]
    live = own_house.site.service._live
    own_house.site.service.let_go(live[table.id])
    assert [await table.view(), await table.log()] == before
    assert [await table.view(at=at) for at in range(1, before[0]["version"], 5)] == moments
    assert any(entry.get("struck") for entry in before[1])


async def test_free_take_backs_are_for_playing_alone(ann: Visitor) -> None:
    """R-02: at a shared table nobody takes a roll back without the other seat's yes."""
    order = {"game": "osaaf", "mode": "shared", "takebacks": "free"}
    problem = await ann.post("/api/tables", order, 422)
    assert "alone" in problem["detail"]
    assert (await ann.post("/api/tables", {**order, "mode": "solo"}, 201))["version"] > 1
