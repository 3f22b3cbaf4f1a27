"""A question stays the same question: only what moves the position makes an answer stale, and not always that."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.house import House, Table, any_choice, small_duel

pytestmark = pytest.mark.anyio


async def pair(house: House, game: str = "osaaf", **order: Any) -> Table:
    """A shared table of two visitors."""
    if game == "osaaf":
        order.setdefault("setup", small_duel(turns=9))
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(game, mode="shared", **order)
    await table.join(table.opened["seats"][1]["id"], bob)
    return table


async def asked(table: Table) -> tuple[str, str, dict[str, Any]]:
    """Play nothing: the seat that is asked, the other one, and an answer that is fine now."""
    visitor, offer, version = (await table.open_offers())[0]
    seat = offer["seat"]
    assert table.seats[seat] is visitor
    other = next(one for one in table.seats if one != seat)
    choice = any_choice(random.Random(1), offer)
    return seat, other, {"version": version, "offer": offer["id"], "choice": choice}


async def say(table: Table, seat: str, word: str = "plum") -> dict[str, Any]:
    """Add a word to the dice."""
    return await table.seats[seat].post(f"{table.url}/word", {"word": word})


async def test_a_word_leaves_the_question(house: House) -> None:
    table = await pair(house)
    seat, other, body = await asked(table)
    before = await table.view(seat)
    done = await say(table, other)
    view = await table.view(seat)
    assert view["version"] == before["version"] == done["version"]
    assert view["log"] == before["log"] + 1 == done["entries"][0]["seq"]
    assert view["offers"] == before["offers"]
    await table.seats[seat].post(f"{table.url}/commands", body)


async def test_so_do_a_request_and_its_refusal(house: House) -> None:
    table = await pair(house)
    await table.play(random.Random(2), 9)
    seat, other, body = await asked(table)
    assert (await table.take_back(other, to=1))["asked"]
    await table.answer(seat, False)
    await table.seats[seat].post(f"{table.url}/commands", body)


async def test_a_script_may_send_the_number_of_the_log(house: House) -> None:
    """Those that take the last entry's number for the version go on working; numbers that never were do not."""
    table = await pair(house)
    seat, other, body = await asked(table)
    await say(table, other)
    log = (await table.view(seat))["log"]
    for never in (0, log + 1):
        stale = {**body, "version": never}
        await table.seats[seat].post(f"{table.url}/commands", stale, 409)
        await table.seats[seat].post(f"{table.url}/takeback", {"version": never}, 409)
    await table.seats[seat].post(f"{table.url}/commands", {**body, "version": log})


async def both_asked(house: House) -> tuple[Table, dict[str, dict[str, Any]]]:
    """A table of Burrows where both seats are asked at once, and an answer of each."""
    table = await pair(house, "burrows", setup={"moles": 0, "turns": 3})
    offers = await table.open_offers()
    bodies = {
        offer["seat"]: {"version": version, "offer": offer["id"], "choice": "yes"}
        for _, offer, version in offers
    }
    assert set(bodies) == {"red", "blue"}
    return table, bodies


async def test_what_the_other_seat_answers_leaves_ones_own_question(house: House) -> None:
    table, bodies = await both_asked(house)
    for seat, body in bodies.items():
        await table.seats[seat].post(f"{table.url}/commands", body)


async def test_the_same_words_in_the_next_turn_are_another_question(house: House) -> None:
    """It was answered in between: an answer to the first is none to the second."""
    table, bodies = await both_asked(house)
    for seat, body in bodies.items():
        await table.seats[seat].post(f"{table.url}/commands", body)
    for seat, body in bodies.items():
        assert (await table.view(seat))["offers"][0]["id"] == body["offer"]
        problem = await table.seats[seat].post(f"{table.url}/commands", body, 409)
        assert "changed" in problem["detail"]


async def test_after_a_take_back_the_same_words_are_another_question(house: House) -> None:
    """L-14: a move built on a position that was undone since is refused, though the question reads the same."""
    table, bodies = await both_asked(house)
    start = await table.view("red")
    await table.seats["blue"].post(f"{table.url}/commands", bodies["blue"])
    await table.take_back("blue")
    await table.answer("red", True)
    view = await table.view("red")
    assert view["offers"] == start["offers"]
    await table.seats["red"].post(f"{table.url}/commands", bodies["red"], 409)
    await table.seats["red"].post(
        f"{table.url}/commands", {**bodies["red"], "version": view["version"]}
    )


async def test_a_request_is_made_once_a_decision(house: House) -> None:
    """Refused or withdrawn: the same seat asks again only when somebody has decided something since."""
    table = await pair(house, takebacks="consent")
    rng = random.Random(3)
    await table.play(rng, 9)
    seat, other, _ = await asked(table)
    for answers in (seat, other):  # refused, then withdrawn
        assert (await table.take_back(other, to=1))["asked"]
        before = await table.view(other)
        await table.answer(answers, False)
        problem = await table.take_back(other, status=422)
        assert "Ask again when somebody has decided since" in problem["detail"]
        assert (await table.view(other))["version"] == before["version"]
        page = await table.seats[other].page(table.page)
        assert 'data-how="no"' in page
        for _ in range(30):
            await table.step(rng)
            offers = await table.open_offers()
            if all(offer["seat"] != other for _, offer, _ in offers):
                break


async def test_the_seat_that_is_asked_finds_the_request_in_its_view(house: House) -> None:
    table = await pair(house)
    await table.play(random.Random(4), 9)
    seat, other, _ = await asked(table)
    assert "asked" not in await table.view(seat)
    assert (await table.take_back(other, to=2))["asked"]
    for one in (seat, other):
        assert (await table.view(one))["asked"] == {"by": other, "to": 2}
    await table.answer(seat, False)
    assert "asked" not in await table.view(seat)


async def test_a_view_says_who_is_waited_for_since_when(own_house: House) -> None:
    times = iter(range(1000, 10**9, 1000))
    own_house.site.service.clock = lambda: next(times)
    table = await pair(own_house)
    seat, other, body = await asked(table)
    log = await table.log()
    assert (await table.view(other))["waiting"] == [{"seat": seat, "since": log[-1]["at"]}]
    await say(table, other)
    assert (await table.view(other))["waiting"] == [{"seat": seat, "since": log[-1]["at"]}]
    done = await table.seats[seat].post(f"{table.url}/commands", body)
    assert {one["since"] for one in done["view"]["waiting"]} == {done["entries"][-1]["at"]}


Deed = tuple[str, bool]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 99),
    deeds=st.lists(
        st.tuples(st.sampled_from(["word", "ask", "withdraw", "look"]), st.booleans()),
        min_size=1,
        max_size=12,
    ),
)
async def test_nothing_that_one_seat_says_stops_the_other(
    house: House, seed: int, deeds: list[Deed]
) -> None:
    """Whatever words and requests come from one seat, in any order, the other's answer is taken."""
    table = await pair(house, takebacks="consent", setup=small_duel(turns=2))
    rng = random.Random(seed)
    await table.play(rng, 3 + seed % 5)
    for kind, play_on in deeds:
        if (await table.view())["finished"]:
            return
        seat, other, body = await asked(table)
        nuisance = table.seats[other]
        version = (await table.view(other))["version"]
        posts: dict[str, tuple[str, dict[str, Any]]] = {
            "word": ("word", {"word": "x"}),
            "ask": ("takeback", {"version": version, "to": 1}),
            "withdraw": ("takeback/answer", {"version": version, "accept": False}),
        }
        if kind in posts:
            path, said = posts[kind]
            answer = await nuisance.http.post(f"{table.url}/{path}", json=said)
            assert answer.status_code in (200, 409, 422)
        if play_on:
            await table.seats[seat].post(f"{table.url}/commands", body)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 99), back=st.integers(1, 4), words=st.integers(0, 2))
async def test_a_move_from_before_a_take_back_is_always_refused(
    house: House, seed: int, back: int, words: int
) -> None:
    """However the question reads after it, and whatever was said in between."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel(turns=3), takebacks="free")
    rng = random.Random(seed)
    bodies: list[tuple[str, dict[str, Any]]] = []
    for _ in range(back + 2):
        if (await table.view())["finished"]:
            return
        seat, _, body = await asked(table)
        bodies.append((seat, body))
        await table.seats[seat].post(f"{table.url}/commands", body)
    if (await table.view())["finished"]:
        return
    for n in range(words):
        await ann.http.post(f"{table.url}/word", json={"word": f"w{n}"})
    to = bodies[-back][1]["version"]
    await table.take_back("blue", to=to)
    for _, body in bodies:
        await ann.post(f"{table.url}/commands", body, 409)
    assert await table.step(rng) is not None
