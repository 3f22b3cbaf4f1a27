"""Newer rules reach a table in play by consent of its seats, and what another version wrote says so."""

import html
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from app.archive import exporting, telling
from app.engine.errors import Missing
from app.engine.game import Game
from app.engine.log import Rewound, RulingsAdopted
from app.engine.rulebook import Rulebook
from app.games import registry
from app.games.osaaf.setup import printed_aircraft
from tests.skirmish import load
from tests.web.house import Table, Visitor

pytestmark = pytest.mark.anyio

NEWCOMER = {"game": "f14-tomcats", "name": "Ann Other", "call_sign": "Zed"}

LATER = {"edge": "wall", "about": "no"}
"""Rulings of the skirmish that come with its second edition, with what was so before."""


def first_edition() -> Game[Any]:
    """The skirmish before there were those."""
    book = load().rulebook
    kept = {key: one for key, one in book.rulings.items() if key not in LATER}
    paragraphs = {key: one for key, one in book.paragraphs.items() if one.ruling not in LATER}
    return replace(load(), rulebook=Rulebook(paragraphs, kept, book.sections), start=_started)


def _started(setup: Any, rulings: Any, *cards: Any) -> Any:
    return load().start(setup, {**LATER, **rulings}, *cards)


def second_edition(fixed: str = "") -> Game[Any]:
    """The skirmish with them; new tables may leave the map, old ones may not."""
    book = load().rulebook
    rulings = {
        key: msgspec.structs.replace(
            one,
            since=2,
            before=LATER[key],
            default=one.options[-1].value,
            fixed=fixed if key == "about" else "",
        )
        if key in LATER
        else one
        for key, one in book.rulings.items()
    }
    return replace(load(), rules=2, rulebook=Rulebook(book.paragraphs, rulings, book.sections))


@contextmanager
def playing(game: Game[Any] | None) -> Generator[None]:
    """The skirmish is this game for a while; None: it is not installed."""
    original, plugins = registry.load, registry._plugins()

    def loaded(one: str) -> Game[Any]:
        if one != "skirmish":
            return original(one)
        if game is None:
            raise Missing("no skirmish")
        return game

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "load", loaded)
        if game is None:
            rest = {key: one for key, one in plugins.items() if key != "skirmish"}
            patch.setattr(registry, "_plugins", lambda: rest)
        yield


def forget(table: Table) -> None:
    """The server has no table in memory any more, as after a restart."""
    service = table.house.site.service
    if (live := service._live.get(table.id)) is not None:
        service.let_go(live)


def live(table: Table) -> Any:
    """The table in the memory of the server."""
    return table.house.site.service._live[table.id]


async def old_table(visitor: Visitor, **order: Any) -> Table:
    """A table that was opened by the first edition."""
    with playing(first_edition()):
        table = await visitor.sit("skirmish", **order)
        assert live(table).opened.rules == 1
        assert not LATER.keys() & live(table).opened.rulings.keys()
    forget(table)
    return table


async def shared(ann: Visitor, bob: Visitor, **order: Any) -> Table:
    """One for two people."""
    table = await old_table(ann, mode="shared", takebacks="consent", **order)
    with playing(second_edition()):
        await table.join("blue", bob)
    return table


async def ask(table: Table, seat: str, rulings: Any, status: int = 200) -> Any:
    body = {"version": (await table.view(seat))["version"], "rulings": rulings}
    return await table.seats[seat].post(f"{table.url}/rulings", body, status)


async def answer(table: Table, seat: str, accept: bool, status: int = 200) -> Any:
    body = {"version": (await table.view(seat))["version"], "accept": accept}
    return await table.seats[seat].post(f"{table.url}/rulings/answer", body, status)


async def test_what_came_later_is_as_before_it_came(ann: Visitor) -> None:
    table = await old_table(ann)
    with playing(second_edition()):
        view = await table.view()
        assert view["edition"] == 1
        assert {key: view["rulings"][key] for key in LATER} == LATER
        assert dict(live(table).state.rulings) == view["rulings"]
        fresh = await ann.sit("skirmish")
        assert (await fresh.view())["edition"] == 2
        assert "newer" not in await fresh.view()
        assert (await fresh.view())["rulings"]["edge"] == "lost"
        assert [one["id"] for one in view["newer"]["rulings"]] == list(LATER)


async def test_who_plays_alone_goes_on_by_them_at_once(ann: Visitor) -> None:
    table = await old_table(ann)
    with playing(second_edition()):
        done = await ask(table, "red", {"edge": "lost"})
        assert "asked" not in done
        assert done["view"]["edition"] == 2
        assert done["view"]["rulings"]["edge"] == "lost"
        assert done["view"]["rulings"]["about"] == "no", "what is not named stays"
        assert "newer" not in done["view"]
        assert live(table).state.rulings["edge"] == "lost"
        before = live(table).state
        forget(table)
        assert (await table.view())["rulings"]["edge"] == "lost"
        assert live(table).state == before, "it stands in the log"


async def test_the_other_seat_is_asked_and_can_say_no(ann: Visitor, bob: Visitor) -> None:
    table = await shared(ann, bob)
    with playing(second_edition()):
        assert (await ask(table, "red", {"edge": "lost"}))["asked"] is True
        asked = (await table.view("blue"))["rulings_asked"]
        assert asked["seat"] == "red"
        assert asked["rulings"] == {"edge": "lost"}
        assert asked["yours_to_answer"] is True
        assert (await table.view("red"))["rulings_asked"]["yours_to_answer"] is False
        await answer(table, "red", True, 403)
        assert live(table).state.rulings["edge"] == "wall", "nothing has changed yet"
        await ask(table, "blue", {"about": "yes"}, 409)
        await answer(table, "blue", False)
        assert live(table).state.rulings["edge"] == "wall"
        assert "rulings_asked" not in await table.view("blue")
        await ask(table, "red", {"edge": "lost"}, 409)  # once a turn
        await answer(table, "blue", True, 409)


async def test_the_other_seat_can_say_yes(ann: Visitor, bob: Visitor) -> None:
    table = await shared(ann, bob)
    with playing(second_edition()):
        await ask(table, "blue", {"edge": "lost", "about": "yes"})
        done = await answer(table, "red", True)
        assert done["view"]["rulings"]["edge"] == "lost"
        event = live(table).entries[-1].event
        assert event == RulingsAdopted({"edge": "lost", "about": "yes"}, 2, "blue", ("red",))
        text = (await table.log())[-1]["text"]
        assert "edition 2" in text
        assert (await table.view())["edition"] == 2


async def test_spectators_and_strangers_have_no_say(ann: Visitor, bob: Visitor) -> None:
    table = await old_table(ann, mode="shared")
    with playing(second_edition()):
        view = await bob.get(table.url)
        body = {"version": view["version"], "rulings": {"edge": "lost"}}
        await bob.post(f"{table.url}/rulings", body, 403)
        assert "newer" not in str(await bob.page(table.page))


@pytest.mark.parametrize(
    ("rulings", "words"),
    [
        ({"seven": "second"}, "stays"),
        ({"edge": "nowhere"}, "can be wall, lost"),
        ({"nothing": "on"}, "There is no ruling"),
        ({"edge": "wall"}, "changes nothing"),
        ({"about": "yes"}, "The planes fly already."),
    ],
)
async def test_what_can_not_be_adopted_is_told_why(
    ann: Visitor, rulings: dict[str, str], words: str
) -> None:
    table = await old_table(ann)
    with playing(second_edition(fixed="The planes fly already.")):
        problem = await ask(table, "red", rulings, 422)
        assert words in problem["detail"]
        assert (await table.view())["edition"] == 1


async def test_a_take_back_past_it_needs_consent_and_takes_it_back(
    ann: Visitor, bob: Visitor
) -> None:
    """Nobody goes back alone to rules that the other agreed to leave; together they may."""
    table = await shared(ann, bob)
    with playing(second_edition()):
        view = await table.view("red")
        offer = next(one for one in view["offers"] if one["seat"] == "red")
        choice = next(o["value"] for o in offer["options"] if "blocked" not in o)
        await table.command("red", choice, offer=offer["id"])
        view = await table.view("blue")
        offer = next(one for one in view["offers"] if one["seat"] == "blue")
        choice = next(o["value"] for o in offer["options"] if "blocked" not in o)
        await table.command("blue", choice, offer=offer["id"])
        moment = live(table).version
        await ask(table, "red", {"edge": "lost"})
        await answer(table, "blue", True)
        offers = (await table.view("red"))["offers"] + (await table.view("blue"))["offers"]
        offer = next(one for one in offers if one["kind"] == "decision")
        choice = next(o["value"] for o in offer["options"] if "blocked" not in o)
        await table.command(offer["seat"], choice, offer=offer["id"])
        await table.take_back("red", 2)
        assert (await table.view())["rulings"]["edge"] == "lost", "it is only asked for"
        await table.answer("blue", True)
        assert isinstance(live(table).entries[-1].event, Rewound)
        after = await table.view()
        assert after["rulings"]["edge"] == "wall"
        assert after["edition"] == 1
        assert live(table).state.rulings["edge"] == "wall"
        assert "newer" in after
        assert moment > 2


async def test_the_page_offers_it_in_one_line(ann: Visitor) -> None:
    table = await old_table(ann)
    with playing(second_edition()):
        page = await ann.page(table.page)
        assert page.count("Rules of edition 2 are out; this table plays edition 1.") == 1
        chosen = await ann.page(f"{table.page}/rulings")
        assert 'name="ruling.edge"' in chosen
        version = (await table.view())["version"]
        fields = {"version": version, "ruling.edge": "lost", "ruling.about": "no"}
        await ann.form(f"{table.page}/rulings", fields, 303)
        assert (await table.view())["rulings"]["edge"] == "lost"
        assert "are out" not in await ann.page(table.page)
        fresh = await ann.sit("skirmish")
        assert "are out" not in await ann.page(fresh.page)


async def test_the_page_asks_the_other_seat(ann: Visitor, bob: Visitor) -> None:
    table = await shared(ann, bob)
    with playing(second_edition()):
        version = (await table.view("red"))["version"]
        fields = {"version": version, "ruling.edge": "lost"}
        await ann.form(f"{table.page}/rulings", fields, 303)
        assert "Red asks to go on by rules of edition 2." in await bob.page(table.page)
        assert "Play on by it" in await bob.page(f"{table.page}/rulings")
        version = (await table.view("blue"))["version"]
        await bob.form(f"{table.page}/rulings/answer", {"version": version, "accept": "yes"}, 303)
        assert (await table.view())["rulings"]["edge"] == "lost"


def only(pattern: str, text: str) -> str:
    """What a pattern's group is, which is there once."""
    (found,) = re.findall(pattern, text)
    return found


async def test_what_was_adopted_shows_wherever_rulings_are_shown(
    ann: Visitor, bob: Visitor
) -> None:
    """On the page, in the rules pane, in the form of the set-up, in both exports and in the terminal."""
    table = await shared(ann, bob)
    with playing(second_edition()):
        book = second_edition().rulebook
        edge = book.rulings["edge"]
        values = {one.label: one.value for one in edge.options}
        paragraph = next(one.id for one in book.paragraphs.values() if one.ruling == "edge")
        rule = f"/games/skirmish/rules?table={table.id}&rule={paragraph}"

        async def shown() -> list[tuple[str, int]]:
            """The ruling and the edition, at each place that shows one; where it does not, as in the view."""
            view = await table.view()
            ruling, edition = view["rulings"]["edge"], view["edition"]
            page = html.unescape(await ann.page(table.page))
            on_page = only(rf"(?s)<dt>{re.escape(edge.question)}.*?<dd>([^<]*)</dd>", page)
            pane = html.unescape((await ann.http.get(rule, headers={"hx-request": "true"})).text)
            in_pane = only(r"● ([^<]*) \(this table\)", pane)
            form = await ann.page(f"/games/skirmish/setup?table={table.id}")
            select = only(r'(?s)name="ruling.edge">(.*?)</select>', form)
            export = await ann.get(f"{table.url}/export")
            whole = await exporting.whole(table.house.site.service.store, table.id)
            told = "\n".join(telling.told(live(table), frozenset(table.seats), whole=False))
            assert whole.rulings is not None
            return [
                (ruling, edition),
                (values[on_page], edition),
                (values[in_pane], edition),
                (only(r'value="(\w+)" selected', select), edition),
                (export["rulings"]["edge"], export["edition"]),
                (whole.rulings.get("edge", "wall"), whole.edition),
                (ruling, int(only(r"edition (\d+), shared", told))),
            ]

        assert set(await shown()) == {("wall", 1)}
        await ask(table, "red", {"edge": "lost"})
        await answer(table, "blue", True)
        assert set(await shown()) == {("lost", 2)}
        await table.take_back("red", 1)
        await table.answer("blue", True)
        assert set(await shown()) == {("wall", 1)}


async def test_a_call_without_a_version_means_now(ann: Visitor) -> None:
    table = await old_table(ann)
    with playing(second_edition()):
        await ann.post(f"{table.url}/rulings", {"rulings": {"edge": "lost"}})
        assert (await table.view())["edition"] == 2


async def test_nothing_is_adopted_before_the_game_begins(ann: Visitor) -> None:
    """Whoever is still to come was not asked, and who sits down begins the game anew."""
    tomcats = registry.load("f14-tomcats")
    book = tomcats.rulebook
    later = msgspec.structs.replace(book.rulings["team_points"], since=99, before="both")
    newer = replace(
        tomcats,
        rules=99,
        rulebook=Rulebook(book.paragraphs, {**book.rulings, later.id: later}, book.sections),
    )
    person = (await ann.post("/api/people", NEWCOMER, 201))["id"]
    order = {"scenario": "pair", "mode": "shared", "people": {"one": person}}
    table = await ann.sit("f14-tomcats", **order)
    forget(table)
    original = registry.load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            registry, "load", lambda one: newer if one == "f14-tomcats" else original(one)
        )
        view = await table.view("one")
        assert view["awaited"] == ["two"]
        assert "newer" not in view
        problem = await ask(table, "one", {"team_points": "destroyer"}, 409)
        assert "has not begun" in problem["detail"]


# Cards


async def test_an_edited_card_is_for_new_tables_alone(
    ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ann.sit("osaaf")
    before = await table.view()
    cards = live(table).opened.cards["aircraft"]
    assert set(cards) == {jet.aircraft.id for jet in live(table).state.jets.values()}
    edited = {
        key: msgspec.structs.replace(card, toughness=card.toughness + 5, max_speed=1)
        for key, card in printed_aircraft().items()
    }
    monkeypatch.setattr("app.games.osaaf.setup.printed_aircraft", lambda: edited)
    forget(table)
    after = await table.view()
    assert {**after, "seats": 0} == {**before, "seats": 0}
    jets = live(table).state.jets.values()
    assert all(jet.aircraft.toughness < 5 for jet in jets)
    monkeypatch.setattr(
        "app.games.osaaf.setup.printed_aircraft",
        lambda: {key: msgspec.structs.replace(one, max_speed=9) for key, one in edited.items()},
    )
    fresh = await ann.sit("osaaf")
    assert all(jet.aircraft.toughness > 5 for jet in live(fresh).state.jets.values())


# Tables that another version wrote


async def test_a_table_of_a_later_edition_says_which_and_what_to_do(ann: Visitor) -> None:
    with playing(second_edition()):
        table = await ann.sit("skirmish")
    forget(table)
    problem = await ann.get(table.url, 409)
    assert "edition 2 of Skirmish" in problem["detail"]
    assert "this server has edition 1" in problem["detail"]
    assert "update" in problem["detail"]
    assert "damaged" not in problem["detail"]
    with playing(second_edition()):
        assert (await table.view())["edition"] == 2, "nothing was lost"


async def test_a_table_of_a_game_that_is_not_here_says_so(ann: Visitor) -> None:
    table = await ann.sit("skirmish")
    forget(table)
    with playing(None):
        problem = await ann.get(table.url, 404)
        assert "'skirmish'" in problem["detail"]
        assert "install the plug-in" in problem["detail"]
        assert "Its game is not here" in await ann.page(table.page, 404)
    assert (await table.view())["game"] == "skirmish"


async def test_an_entry_of_an_unknown_type_is_no_damage(ann: Visitor, bob: Visitor) -> None:
    """A newer version has played on here, and the older one is back."""
    table = await shared(ann, bob)
    with playing(second_edition()):
        await table.command("red", await first_choice(table, "red"))
        await table.command("blue", await first_choice(table, "blue"))
    forget(table)
    old = replace(second_edition(), events=tuple(without("ReserveDeclared")))
    with playing(old):
        problem = await ann.get(table.url, 409)
        assert "'ReserveDeclared'" in problem["detail"]
        assert "damaged" not in problem["detail"]


def without(name: str) -> list[Any]:
    return [kind for kind in load().events if kind.__name__ != name]


async def first_choice(table: Table, seat: str) -> Any:
    view = await table.view(seat)
    offer = next(one for one in view["offers"] if one["seat"] == seat)
    return next(o["value"] for o in offer["options"] if "blocked" not in o)


async def test_cards_are_hidden_with_the_set_up_they_belong_to(ann: Visitor, bob: Visitor) -> None:
    """Which cards a table is opened with would tell what the other side flies."""
    table = await ann.sit("gunslingers", mode="shared", rulings={"fog": "hard"})
    await table.join(table.opened["seats"][1]["id"], bob)
    for visitor in (ann, bob):
        first = (await visitor.get(f"{table.url}/log"))[0]
        assert first["type"] == "Opened"
        assert not first["data"].get("setup")
        assert not first["data"].get("cards")
