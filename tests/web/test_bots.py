"""Bots at tables: who may take and answer what, what they see, and that nothing stops them or leaks of them."""

import asyncio
import logging
import random
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.engine.game import Bot, Game, Phase, Seat, Sight
from app.engine.sequence import Blocked, Decision, Option
from app.games import registry
from app.tables.autoplay import Autoplay
from app.tables.live import LiveTable
from tests.skirmish import load, model
from tests.skirmish.events import SmokeLaid
from tests.skirmish.rules import dusk
from tests.web.house import (
    PATIENCE,
    House,
    Table,
    Visitor,
    any_choice,
    faces_for,
    open_house,
    settle,
)

pytestmark = pytest.mark.anyio


# Helpers


def autoplay(house: House) -> Autoplay:
    """What plays the bots of a server."""
    return house.app.state.bots


async def rest(house: House) -> None:
    """Wait until no bot decides any more."""
    async with asyncio.timeout(PATIENCE):
        while tasks := list(autoplay(house)._tasks.values()):
            await asyncio.wait(tasks)


async def sit(visitor: Visitor, bot: str = "dicey", **order: Any) -> Table:
    """A solo table of the skirmish, red against a bot."""
    return await visitor.sit("skirmish", bots={"blue": bot}, **order)


def live(table: Table) -> LiveTable:
    """The table in the server's memory."""
    return table.house.site.service._live[table.id]


def first(sight: Sight) -> Any:
    """The first thing that is allowed."""
    return next(o.value for o in sight.decision.all_options if o.blocked is None)


@contextmanager
def playing(game: Game[Any]) -> Generator[None]:
    """The skirmish is another game for a while."""
    original = registry.load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "load", lambda one: game if one == game.meta.id else original(one))
        yield


def with_bots(*bots: Bot) -> Game[Any]:
    """The skirmish with other bots."""
    return replace(load(), bots=bots)


class Thinker:
    """A bot that thinks until it is allowed to answer. It keeps what it was asked."""

    def __init__(self) -> None:
        self.sights: list[Sight] = []
        self.asked = threading.Semaphore(0)
        self._may = threading.Semaphore(0)
        self.bot = Bot("thinker", "Thinker", "Takes its time.", self._choose)

    def _choose(self, sight: Sight) -> Any:
        self.sights.append(sight)
        self.asked.release()
        assert self._may.acquire(timeout=PATIENCE)
        return first(sight)

    async def thinking(self) -> Sight:
        """Wait until it is asked; what it sees."""
        assert await asyncio.to_thread(self.asked.acquire, timeout=PATIENCE)
        return self.sights[-1]

    def answers(self, times: int = 1) -> None:
        """Let it answer."""
        self._may.release(times)


async def thinking_table(house: House, thinker: Thinker, **order: Any) -> tuple[Table, Visitor]:
    """A table where the person has answered everything that is sealed and the bot thinks about its smoke."""
    ann = await house.visitor()
    table = await sit(ann, "thinker", scenario="duel", **order)
    for choice in (1, {"plan": "hold", "decoy": False}):
        await thinker.thinking()
        thinker.answers()
        await rest(house)
        await table.command("red", choice)
    await table.command("red", {"hex": None})
    assert (await thinker.thinking()).decision.id.startswith("smoke-")
    return table, ann


# Opening


async def test_games_name_their_bots(ann: Visitor) -> None:
    games = {game["id"]: game for game in await ann.get("/api/games")}
    assert games["skirmish"]["bots"] == [
        {"id": "plain", "title": "Plain", "summary": "Takes what comes first."},
        {"id": "dicey", "title": "Dicey", "summary": "Lets its die decide."},
    ]
    assert games["envelopes"]["bots"] == []


@pytest.mark.parametrize(
    ("game", "bots", "says"),
    [
        ("skirmish", {"green": "plain"}, "red, blue"),
        ("skirmish", {"blue": "deep"}, "plain, dicey"),
        ("skirmish", {"blue": "plain", "red": "dicey"}, "simulations"),
        ("envelopes", {"blue": "plain"}, ""),
    ],
)
async def test_an_order_that_can_not_be_says_what_can(
    ann: Visitor, game: str, bots: dict[str, str], says: str
) -> None:
    problem = await ann.post("/api/tables", {"game": game, "bots": bots}, 422)
    assert says in problem["detail"]


async def test_a_bots_seat_is_nobodys(house: House, ann: Visitor, bob: Visitor) -> None:
    """No invitation, no token, and it can't be claimed, not even with the right invitation."""
    table = await sit(ann, mode="shared")
    red, blue = table.opened["seats"]
    assert red["yours"]
    assert "token" in red
    assert blue == {"id": "blue", "label": "Blue", "yours": False, "bot": "Dicey"}
    await rest(house)
    view = await table.view("red")
    assert [seat.get("bot") for seat in view["seats"]] == [None, "Dicey"]
    assert view["seats"][1]["taken"]
    assert view["seats"][1]["name"] == "Dicey"
    assert "Invite" not in await ann.page(table.page)
    claim = live(table).claims["blue"]
    assert claim.token_hash is None
    for visitor in (ann, bob):
        problem = await visitor.post(f"{table.url}/seats/blue/claim", {"invite": claim.invite}, 409)
        assert "Dicey" in problem["detail"]
        await visitor.form(f"/join/{claim.invite}", {}, 409, htmx=False)
        assert "This seat is taken" in await visitor.page(f"/join/{claim.invite}")
    assert live(table).claims["blue"].identity is None


async def test_a_word_is_the_openers(house: House, ann: Visitor) -> None:
    """The bot has the first seat; the word for the dice is said by the second, which is the person's."""
    table = await ann.sit("skirmish", bots={"red": "plain"}, word="w")
    assert list(table.seats) == ["blue"]
    assert (await table.log())[1]["seat"] == "blue"


# Playing


@pytest.mark.parametrize("order", [{}, {"pace": "step"}, {"dice": "hand"}], ids=str)
@pytest.mark.parametrize("bot", ["plain", "dicey"])
async def test_a_whole_game(house: House, ann: Visitor, bot: str, order: dict[str, str]) -> None:
    """The person plays at random and throws dice by hand for both; the bot answers all its questions."""
    table = await ann.sit("skirmish", bots={"red": bot}, **order)
    rng = random.Random(1)
    for _ in range(600):
        await rest(house)
        view = await table.view()
        if view["finished"]:
            break
        offers = [offer for offer in view["offers"] if "held" not in offer]
        offer = offers[0] if offers else {"kind": "confirm"}
        body: dict[str, Any] = {"version": view["version"]}
        if offer["kind"] == "decision":
            assert offer["seat"] == "blue"
            body |= {"offer": offer["id"], "choice": any_choice(rng, offer)}
            await ann.post(f"{table.url}/commands", body)
        elif offer["kind"] == "roll" and order.get("dice") == "hand":
            body |= {"offer": offer["id"], "dice": faces_for(offer["pool"], rng)}
            await ann.post(f"{table.url}/commands", body)
        else:
            await ann.post(f"{table.url}/advance", body)
    else:
        raise AssertionError("the game did not end")
    entries = live(table).entries
    decided = [entry for entry in entries if entry.kind == "decision"]
    assert {entry.seat for entry in decided} == {"red", "blue"}
    # Each open decision of the bot is a command of its own; those made at once are one.
    at_once = {"ReserveDeclared", "Plotted"}
    for entry in decided:
        if entry.seat == "red" and type(entry.event).__name__ not in at_once:
            assert entry.command == entry.seq
    if order.get("dice") == "hand":
        assert {e.dice.by for e in entries if e.dice is not None and e.seat == "red"} == {"hand"}


async def test_watchers_see_each_decision(own_house: House) -> None:
    """Two who watch get the same frames, one for each decision of the bot, and none is left out."""
    ann, eve = await own_house.visitor(), await own_house.visitor()
    table = await ann.sit("skirmish", bots={"blue": "dicey"}, mode="shared")
    await rest(own_house)
    streams = [await visitor.stream(f"{table.page}/frames") for visitor in (ann, eve)]
    firsts = [await stream.event() for stream in streams]
    rng = random.Random(3)
    versions: set[int] = {await table.version()}
    for _ in range(20):
        await rest(own_house)
        await table.step(rng)
        await rest(own_house)
    versions = {entry.command for entry in live(table).entries if entry.seat == "blue"}
    await settle()
    for stream, start in zip(streams, firsts, strict=True):
        frames = [start, *stream.pending()]
        seen = "".join(frame.data for frame in frames)
        assert len(frames) > len([v for v in versions if v > 1])
        for entry in live(table).entries[-30:]:
            assert f'data-seq="{entry.seq}"' in seen


async def test_bots_are_in_no_hurry_while_somebody_watches(tmp_path: Path, plug_ins: None) -> None:
    """With a watcher there is the set pause before each decision of a bot; without one there is none."""
    async with open_house(tmp_path, bot_pause_ms=250) as house:
        ann = await house.visitor()
        gaps: dict[bool, list[int]] = {}
        for watched in (False, True):
            table = await sit(ann, "plain")
            if watched:
                await (await ann.stream(f"{table.page}/frames")).event()
            rng = random.Random(1)
            for _ in range(12):
                await rest(house)
                await table.step(rng)
            await rest(house)
            entries = live(table).entries
            gaps[watched] = [
                entry.at - entries[entry.seq - 2].at
                for entry in entries
                if entry.seat == "blue" and entry.kind == "decision" and entry.command == entry.seq
            ]
        assert min(gaps[True]) >= 245
        assert min(gaps[False]) < 245


async def test_nobody_else_answers_for_a_bot(house: House, plug_ins: None) -> None:
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        table, ann = await thinking_table(house, thinker)
        view = await table.view("red")
        assert view["offers"] == []
        assert view["prompt"].startswith("Thinker is deciding for Blue")
        assert [seat["id"] for seat in view["seats"] if seat["to_act"]] == ["blue"]
        offer = thinker.sights[-1].decision.id
        body = {"version": view["version"], "offer": offer, "choice": {"hex": None}}
        await ann.post(f"{table.url}/commands", body, 403)
        assert await table.version() == view["version"]
        page = await ann.page(table.page)
        assert "Thinker is deciding for Blue" in page
        thinker.answers(99)
        await rest(house)


async def test_sealed_answers_of_bots_are_held_and_told_nobody(house: House) -> None:
    """The bot has answered, the person has not: no entry, and the person's page says nothing of it."""
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        ann = await house.visitor()
        table = await sit(ann, "thinker")
        await thinker.thinking()
        before = await table.view("red"), await table.log()
        stream = await ann.stream(f"{table.page}/frames")
        await stream.event()
        thinker.answers()
        await rest(house)
        assert [held.seat for held in live(table).held] == ["blue"]
        await stream.silence()
        after = await table.view("red"), await table.log()
        assert after[1] == before[1]
        for one in (before, after):
            one[0]["seats"][0].pop("present")
        assert after[0] == before[0]
        thinker.answers(99)
        await table.command("red", 3)
        assert [e["type"] for e in await table.log()][-3:-1] == ["ReserveDeclared"] * 2
        await rest(house)


async def test_a_bot_never_sees_the_other_seats_secrets(house: House) -> None:
    """What the person sealed is in the table's state, and in nothing that the bot is given."""
    seen: list[Sight] = []

    def spy(sight: Sight) -> Any:
        seen.append(sight)
        return first(sight)

    with playing(with_bots(Bot("spy", "Spy", "Looks around.", spy))):
        table = await sit(await house.visitor(), "spy", scenario="duel")
        await rest(house)
        await table.command("red", 3)
        await rest(house)
        planted = live(table).state
        assert isinstance(planted, model.State)
        reserve = planted.side("red").reserve
        assert reserve is not None
        assert reserve.value == 3
        assert planted.stake is not None
        rng = random.Random(1)
        for _ in range(60):
            await rest(house)
            if await table.step(rng) is None:
                break
        plots = [sight for sight in seen if sight.decision.id.startswith("plot-")]
        assert plots
        for sight in plots:
            own, other = sight.state.side("blue"), sight.state.side("red")
            assert own.reserve.value is not None
            assert other.reserve.value is None
            assert sight.state.stake is None
            assert sight.seat == "blue"
        later = [sight for sight in seen if sight.state.turn == 1 and sight not in plots]
        assert later
        for sight in later:
            text = msgspec.json.encode(sight.state.side("red").reserve).decode()
            assert "3" not in text


# What happens while a bot thinks


async def test_a_take_back_while_it_thinks_drops_its_answer(house: House) -> None:
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        table, _ = await thinking_table(house, thinker)
        asked = len(thinker.sights)
        done = await table.take_back("red")
        thinker.answers()  # too late: its question is not open any more
        await rest(house)
        assert await table.version() == done["version"]
        assert len(thinker.sights) == asked
        assert (await table.view("red"))["offers"][0]["title"] == "Lay smoke"
        await table.command("red", {"hex": None})
        assert (await thinker.thinking()).decision.id.startswith("smoke-")
        thinker.answers(99)
        await rest(house)
        kept = [e for e in live(table).entries if e.kind == "decision" and e.seat == "blue"]
        assert sum(type(e.event).__name__ == "SmokeLaid" for e in kept) == 1


async def test_words_and_wrong_commands_while_it_thinks(house: House) -> None:
    """Its question stays the same: it is asked once, however many requests came, and its answer counts."""
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        table, ann = await thinking_table(house, thinker)
        asked = len(thinker.sights)
        await ann.post(f"{table.url}/word", {"word": "w"})
        version = await table.version()
        body = {"version": version, "offer": "smoke-1-blue", "choice": {"hex": None}}
        await asyncio.gather(*(ann.post(f"{table.url}/commands", body, 403) for _ in range(20)))
        advances = (ann.post(f"{table.url}/advance", {"version": version}, 422) for _ in range(20))
        await asyncio.gather(*advances)
        assert len(thinker.sights) == asked
        assert autoplay(house).playing == 1
        thinker.answers(99)
        await rest(house)
        assert await table.version() > version
        ids = [sight.decision.id for sight in thinker.sights[asked - 1 :]]
        assert ids.count("smoke-1-blue") == 1


async def test_conceding_while_it_thinks(house: House) -> None:
    """The bot has won, and its late answer changes nothing."""
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        table, ann = await thinking_table(house, thinker)
        asks = await ann.form(f"{table.page}/close", {}, 200)
        assert "concedes" in asks.text
        assert "Concede" in await ann.page(table.page)
        done = await ann.post(f"{table.url}/close")
        assert done["view"]["result"]["winners"] == ["blue"]
        assert done["view"]["result"]["text"] == "Red concedes."
        thinker.answers()
        await rest(house)
        assert await table.version() == done["version"]
        again = await ann.form("/tables", {"again": table.id}, 303, htmx=False)
        other = again.headers["location"].rpartition("/")[2]
        assert (await ann.get(f"/api/tables/{other}"))["seats"][1]["bot"] == "Thinker"
        thinker.answers(99)
        await rest(house)


async def test_others_are_served_while_it_thinks(house: House) -> None:
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        await thinking_table(house, thinker)
        eve = await house.visitor()
        other = await eve.sit("skirmish")
        await other.play(random.Random(1), 10)
        thinker.answers(99)
        await rest(house)


async def test_a_restart_while_it_thinks(tmp_path: Path, plug_ins: None) -> None:
    """The server stops without waiting; the bot decides when somebody looks at the table again."""
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        async with open_house(tmp_path) as house:
            table, ann = await thinking_table(house, thinker)
            version = await table.version()
            cookies = dict(ann.http.cookies)
        assert autoplay(house).playing == 0
        assert not [task for task in asyncio.all_tasks() if "Autoplay" in repr(task)]
        thinker.answers()
        async with open_house(tmp_path) as house:
            back = house.stranger()
            back.http.cookies.update(cookies)
            assert (await back.get(table.url))["version"] == version
            await thinker.thinking()
            thinker.answers(99)
            await rest(house)
            assert (await back.get(table.url))["version"] > version
            assert live(replace(table, house=house)).bots["blue"].title == "Thinker"


async def test_a_held_answer_is_not_asked_again_after_a_restart(
    tmp_path: Path, plug_ins: None
) -> None:
    async with open_house(tmp_path) as house:
        ann = await house.visitor()
        table = await sit(ann)
        await rest(house)
        held = live(table).held
        assert [one.seat for one in held] == ["blue"]
        cookies = dict(ann.http.cookies)
    async with open_house(tmp_path) as house:
        back = house.stranger()
        back.http.cookies.update(cookies)
        await back.get(table.url)
        await rest(house)
        assert live(replace(table, house=house)).held == held


async def test_a_table_that_left_memory_plays_on(tmp_path: Path, plug_ins: None) -> None:
    """More tables than are kept, all with bots: each still comes to where a person is to act."""
    async with open_house(tmp_path, live_tables=2) as house:
        ann = await house.visitor()
        tables = [await sit(ann, "plain") for _ in range(6)]
        for table in tables:
            await table.command("red", 1)
            await rest(house)
            assert (await table.view("red"))["offers"]
        assert house.site.service.live <= 2


async def test_bots_wait_while_the_database_can_not_be_written(
    own_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.tables.autoplay.RETRY_SECONDS", 0.05)
    thinker = Thinker()
    with playing(with_bots(thinker.bot)):
        table, _ = await thinking_table(own_house, thinker)
        version = await table.version()
        await own_house.site.service.store.write(
            lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout=50").close()
        )
        path = own_house.settings.data / "contrail.db"
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            thinker.answers()
            await thinker.thinking()  # it could not be written, so it is asked again
            assert await table.version() == version
            other.execute("ROLLBACK")
        thinker.answers(99)
        await rest(own_house)
        assert await table.version() > version


# Bots that fail


def _raises(sight: Sight) -> Any:
    raise ZeroDivisionError("no idea")


@pytest.mark.parametrize("wrong", [_raises, lambda sight: "nonsense", lambda sight: object()])
async def test_a_bot_that_fails_takes_what_is_allowed_first(
    house: House, caplog: pytest.LogCaptureFixture, wrong: Callable[[Sight], Any]
) -> None:
    """The game goes on, and the server's log says what was wrong."""
    with playing(with_bots(Bot("wrong", "Wrong", "Fails.", wrong))):
        table = await sit(await house.visitor(), "wrong", scenario="duel")
        rng = random.Random(2)
        for _ in range(200):
            await rest(house)
            if await table.step(rng) is None:
                break
        assert (await table.view())["finished"]
    assert "the bot wrong fails" in caplog.text
    assert caplog.records[0].levelno == logging.ERROR


async def test_a_bot_that_the_game_has_no_more(tmp_path: Path, plug_ins: None) -> None:
    with playing(with_bots(Bot("old", "Old", "Will go.", first))):
        async with open_house(tmp_path) as house:
            ann = await house.visitor()
            table = await sit(ann, "old")
            await rest(house)
            cookies = dict(ann.http.cookies)
    async with open_house(tmp_path) as house:
        table.house, table.seats = house, {"red": house.stranger()}
        table.seats["red"].http.cookies.update(cookies)
        assert (await table.view("red"))["seats"][1]["bot"] == "old"
        await table.command("red", 1)
        await rest(house)
        assert (await table.view("red"))["offers"]


def _corner(state: Any, blocked: Blocked | None) -> Any:
    """Red lays no smoke, in one of two ways; then blue has one way out, or none."""
    if state.side("blue").smoke_asked:
        return None
    if state.side("red").smoke_asked:
        return Decision(
            id="corner",
            seat="blue",
            title="Get out of the corner",
            options=lambda: [Option("out", "Out", blocked=blocked)],
            happen=lambda value: SmokeLaid("blue", None),
            cite="skirmish-4.4",
        )
    return Decision(
        id="push",
        seat="red",
        title="Push",
        options=lambda: [Option(1, "One"), Option(2, "Two")],
        happen=lambda value: SmokeLaid("red", None),
        cite="skirmish-4.4",
    )


async def test_where_no_answer_is_possible_people_are_told_and_may_take_back(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    stuck = partial(_corner, blocked=Blocked("No.", "skirmish-4.4"))
    corner = Phase("flight", "Flight", stuck, "skirmish-4.4")
    game = replace(load(), phases=(corner,))
    with playing(game):
        table = await sit(await house.visitor(), "plain")
        await table.command("red", 1)
        await rest(house)
        view = await table.view("red")
        assert view["prompt"] == "Plain can't go on for Blue: take back, or end the game"
        assert "no bot can go on" in caplog.text
        told = caplog.text.count("no bot can go on")
        await settle()
        await table.view("red")
        assert caplog.text.count("no bot can go on") == told
        await table.take_back("red")
        assert (await table.view("red"))["offers"][0]["id"] == "push"
        await table.command("red", 2)
        await rest(house)
        assert caplog.text.count("no bot can go on") == told + 1


async def test_what_a_bot_must_do_it_does_itself(house: House) -> None:
    """Step by step a person's only answer waits for a click; a bot's is its own, and no control is shown."""
    thinker = Thinker()
    corner = Phase("flight", "Flight", partial(_corner, blocked=None), "skirmish-4.4")
    with playing(replace(load(), phases=(corner,), bots=(thinker.bot,))):
        ann = await house.visitor()
        table = await sit(ann, "thinker", pace="step")
        await table.advance("red")
        await table.command("red", 1)
        await thinker.thinking()
        now = (await ann.page(table.page)).partition('id="act-bar"')[2].partition("</section>")[0]
        assert "Waiting" in now
        assert "Continue" not in now
        thinker.answers()
        await rest(house)
        assert (await table.log())[-1]["type"] == "SmokeLaid"
        assert (await table.log())[-1]["seat"] == "blue"


# Take-backs


async def to_own_choice(table: Table, rng: random.Random, wanted: Callable[[Any], bool]) -> int:
    """Play until a choice of red's was followed by entries as wanted; the version before the choice."""
    for _ in range(300):
        await rest(table.house)
        before = await table.view("red")
        assert not before["finished"]
        done = await table.step(rng)
        await rest(table.house)
        after = live(table).entries[before["version"] :]
        if (
            done["entries"]
            and after[0].seat == "red"
            and after[0].kind == "decision"
            and not any(entry.seat == "red" and entry.kind == "decision" for entry in after[1:])
            and wanted(after)
        ):
            return before["version"]
    raise AssertionError("that did not happen")


def bot_decided(entries: Any) -> bool:
    """Whether the bot decided and no die fell."""
    blue = any(entry.seat == "blue" and entry.kind == "decision" for entry in entries)
    return (
        blue
        and not any(e.dice is not None for e in entries)
        and not any(e.event.reveals() for e in entries)
    )


async def test_alone_a_take_back_goes_past_the_bots_decisions_at_once(house: House) -> None:
    ann = await house.visitor()
    table = await sit(ann, "plain")
    version = await to_own_choice(table, random.Random(1), bot_decided)
    before = await table.view("red", at=version)
    assert 'data-how="now"' in await ann.page(table.page)
    done = await table.take_back("red")
    assert "asked" not in done
    await rest(house)
    view = await table.view("red")
    assert view["units"] == before["units"]
    assert view["offers"]
    assert (await table.log())[-1]["data"]["to"] == version


@pytest.mark.parametrize(
    ("takebacks", "mode"), [("free", "solo"), ("consent", "solo"), ("consent", "shared")]
)
async def test_past_dice_the_player_confirms_and_no_bot_is_asked(
    house: House, takebacks: str, mode: str
) -> None:
    ann = await house.visitor()
    table = await sit(ann, "plain", takebacks=takebacks, mode=mode)
    await to_own_choice(
        table, random.Random(1), lambda entries: any(e.dice is not None for e in entries)
    )
    page = await ann.page(table.page)
    assert 'data-how="confirm"' in page
    assert "other seat" not in page.partition('id="undo-form"')[2].partition("</form>")[0]
    done = await table.take_back("red")
    assert "asked" not in done
    assert (await table.log())[-1]["type"] in ("Rewound", "SmokeLaid", "Regrouped")
    await rest(house)


async def test_own_take_backs_end_where_the_bot_has_decided(house: House) -> None:
    table = await sit(await house.visitor(), "plain", takebacks="own")
    await to_own_choice(table, random.Random(1), bot_decided)
    problem = await table.take_back("red", status=422)
    assert "another seat has decided since" in problem["detail"]


async def test_free_take_backs_are_for_one_person(house: House, ann: Visitor) -> None:
    """One person and bots may have them, at a shared table too: nobody else plays."""
    await sit(ann, mode="shared", takebacks="free")
    await ann.post("/api/tables", {"game": "skirmish", "mode": "shared", "takebacks": "free"}, 422)


def three() -> Game[Any]:
    """Nothing but dusk, and green, a seat without planes, regroups blue's after red has regrouped."""
    game = load()

    def seats(setup: Any) -> tuple[Seat, ...]:
        return (*game.seats(setup), Seat("green", "Green", "second"))

    def asks(state: Any) -> Any:
        step = dusk(state)
        if not isinstance(step, tuple):
            return step
        return step[0] if len(step) == 2 else replace(step[0], seat="green")

    return replace(game, seats=seats, phases=(replace(game.phases[-1], todo=asks),))


async def test_a_bot_waits_while_a_person_is_asked_for_a_take_back(house: House) -> None:
    """Playing on would answer for the one who is asked."""
    thinker = Thinker()
    with playing(replace(three(), bots=(thinker.bot,))):
        ann, bob = await house.visitor(), await house.visitor()
        table = await ann.sit("skirmish", mode="shared", bots={"green": "thinker"})
        await table.join("blue", bob)
        offer = (await table.view("red"))["offers"][0]
        await table.command("red", any_choice(random.Random(1), offer))
        await thinker.thinking()
        asked = await table.take_back("red", to=2)  # before the smoke's dice
        assert asked["asked"] is True
        thinker.answers()
        await rest(house)
        assert await table.version() == asked["version"]
        assert "asks to take back" in await bob.page(table.page)
        await table.answer("blue", False)
        await thinker.thinking()
        thinker.answers()
        await rest(house)
        assert await table.version() > asked["version"] + 1


# Pages


async def test_the_home_page_offers_the_strongest_bot(house: House, ann: Visitor) -> None:
    home = await ann.page("/")
    assert "against Dicey" in home
    fields = {"game": "skirmish", "scenario": "meeting", "mode": "solo", "bot.2": "dicey"}
    answer = await ann.form("/tables", fields, 303, htmx=False)
    table = await ann.get(f"/api{answer.headers['location']}")
    assert [seat.get("bot") for seat in table["seats"]] == [None, "Dicey"]
    assert "solo against Dicey" in await ann.page("/tables")


async def test_the_games_page_lets_choose_who_plays_each_side(house: House, ann: Visitor) -> None:
    page = await ann.page("/games/skirmish")
    assert 'name="bot.1"' in page
    assert 'name="bot.2"' in page
    assert "Lets its die decide." in page
    assert 'name="bot.1"' not in await ann.page("/games/envelopes")
    form = {"game": "skirmish", "scenario": "duel", "form": "full"}
    answer = await ann.form(
        "/tables", {**form, "mode": "solo", "bot.1": "plain", "bot.2": ""}, 303, htmx=False
    )
    table = await ann.get(f"/api{answer.headers['location']}")
    assert [seat.get("bot") for seat in table["seats"]] == ["Plain", None]
    both = {**form, "mode": "solo", "bot.1": "plain", "bot.2": "dicey"}
    assert "simulations" in (await ann.form("/tables", both, 422, htmx=False)).text
    # With a friend there is no seat left for a bot.
    answer = await ann.form("/tables", {**both, "mode": "shared"}, 303, htmx=False)
    place = answer.headers["location"].partition("?")[0]
    assert not any(seat.get("bot") for seat in (await ann.get(f"/api{place}"))["seats"])


async def test_tables_without_bots_have_no_task(house: House, ann: Visitor) -> None:
    table = await ann.sit("skirmish")
    woken: list[str] = []
    service = house.site.service
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "wake", partial(lambda one: woken.append(one.id)))
        await table.play(random.Random(1), 20)
    assert woken == []
    assert autoplay(house).playing == 0
