"""The set-up page by forms alone, kept set-ups, and set-ups as data."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.errors import Illegal, Missing
from app.games import registry
from app.games.osaaf.editing import added, choices
from app.games.osaaf.setup import Setup, printed_aircraft
from app.tables import setups as keeping
from app.tables.datatext import BadText, data_text, read_text
from app.tables.faults import examine
from app.tables.live import Caller, setup_of
from app.tables.setups import Setups, Taken
from app.web.setup_form import FormView, form_view, read, shape_of, tidy
from tests.web.dom import Element, parse
from tests.web.house import House, Visitor, small_duel

pytestmark = pytest.mark.anyio

PAGE = "/games/osaaf/setup"
HOSTILE = '"><script>alert(1)</script></textarea><img src=x onerror=alert(2)>'
Form = dict[str, list[str]]


# A browser without JavaScript


def form_of(page: Element) -> Form:
    """What a browser would send of the page's form, without its buttons."""
    form = page.find("setup")
    assert form is not None
    sent: Form = {}
    for one in form.walk():
        name = one.attrs.get("name", "")
        if one.tag == "select":
            options = [o for o in one.walk() if o.tag == "option"]
            chosen = [o for o in options if "selected" in o.attrs] or options[:1]
            sent.setdefault(name, []).extend(o.attrs["value"] for o in chosen)
        elif one.tag == "textarea" and name:
            sent.setdefault(name, []).append(one.text().removeprefix("\n"))
        elif one.tag == "input" and (
            one.attrs.get("type") not in ("checkbox", "radio") or "checked" in one.attrs
        ):
            sent.setdefault(name, []).append(one.attrs.get("value", "on"))
    return sent


async def opened(visitor: Visitor, path: str = PAGE, **query: Any) -> tuple[Element, Form]:
    """The page and its form."""
    page = parse(await visitor.page(path, **query))
    return page, form_of(page)


async def pressed(
    visitor: Visitor, form: Form, do: str, status: int = 200, path: str = PAGE
) -> tuple[Element, Form]:
    """The page that a button leads to, and its form."""
    answer = await visitor.form(path, {**form, "do": [do]}, status, htmx=False)
    page = parse(answer.text)
    return page, form_of(page)


async def dealt(house: House, visitor: Visitor, form: Form, path: str = PAGE) -> Any:
    """The table that is dealt."""
    answer = await visitor.form(path, {**form, "do": ["deal"]}, 303, htmx=False)
    table = answer.headers["location"].partition("?")[0].rpartition("/")[2]
    return await house.site.service.get(table)


def at(page: Element, id_: str) -> Element:
    """The element of an id."""
    found = page.find(id_)
    assert found is not None, id_
    return found


def told(page: Element, id_: str) -> str:
    """Its text, white space as single blanks."""
    return " ".join(at(page, id_).text().split())


def setup(data: Any) -> Setup:
    """Data as a set-up of osaaf."""
    return setup_of(registry.load("osaaf"), data)


# From the page to the table


@pytest.mark.parametrize("scenario", list(registry.load("osaaf").scenarios))
async def test_each_scenario_can_be_dealt_as_it_is(
    house: House, ann: Visitor, scenario: str
) -> None:
    _, form = await opened(ann, **{"from": scenario})
    table = await dealt(house, ann, form)
    scenarios = registry.load("osaaf").scenarios
    assert setup(table.opened.setup) == setup(scenarios[scenario].setup)
    assert table.opened.rulings == registry.load("osaaf").rulebook.settle({})
    assert table.name == scenarios[scenario].title


async def test_what_was_changed_is_what_is_dealt(house: House, ann: Visitor) -> None:
    _, form = await opened(ann)
    changes = {
        "s.title": ["Thirteen above Ploiești"],
        "s.night": ["true"],
        "s.sun": ["W"],
        "s.turns": ["7"],
        "s.board.columns": ["40"],
        "s.seats[1].label": ["Crimson"],
        "s.jets[1].aircraft": ["su-9"],
        "s.jets[1].hex": ["3912"],
        "s.jets[1].facing": ["4"],
        "s.jets[1].altitude": ["9"],
        "s.jets[1].speed": ["0"],
        "s.jets[1].skill": ["ace"],
        "s.jets[0].fuel": ["3"],
        "ruling.alt6_band": ["high"],
        "ruling.edge": ["off"],
        "mode": ["shared"],
        "dice": ["hand"],
        "pace": ["step"],
        "takebacks": ["own"],
        "name": ["Thursday"],
    }
    table = await dealt(house, ann, {**form, **changes})
    made = setup(table.opened.setup)
    assert (made.title, made.night, made.sun, made.turns) == (
        "Thirteen above Ploiești",
        True,
        "W",
        7,
    )
    assert (made.board.columns, made.board.rows) == (40, 22)
    assert made.seats[1].label == "Crimson"
    jet = made.jets[1]
    assert (jet.aircraft, jet.hex, jet.facing) == ("su-9", "3912", 4)
    assert (jet.altitude, jet.speed, jet.skill) == (9, 0, "ace")
    assert made.jets[0].fuel == 3
    assert (table.opened.rulings["alt6_band"], table.opened.rulings["edge"]) == ("high", "off")
    assert (table.opened.mode, table.opened.dice, table.opened.pace) == ("shared", "hand", "step")
    assert (table.opened.takebacks, table.name) == ("own", "Thursday")


async def test_bots_take_the_seats_of_their_places(house: House, ann: Visitor) -> None:
    path = "/games/skirmish/setup"
    _, form = await opened(ann, path)
    bot = registry.load("skirmish").bots[0].id
    table = await dealt(house, ann, {**form, "bot.2": [bot]}, path)
    assert dict(table.opened.bots) == {"blue": bot}
    page, again = await pressed(ann, {**form, "bot.1": [bot], "bot.2": [bot]}, "deal", 422, path)
    assert "person" in told(page, "wrong-now")
    assert (again["bot.1"], again["bot.2"]) == ([bot], [bot])


async def test_a_table_s_own_set_up_is_where_to_begin(house: House, ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel(turns=5), rulings={"edge": "off"})
    _, form = await opened(ann, table=table.id)
    again = await dealt(house, ann, form)
    first = await house.site.service.get(table.id)
    assert setup(again.opened.setup) == setup(first.opened.setup)
    assert again.opened.rulings == first.opened.rulings


async def test_own_aircraft_are_kept(house: House, ann: Visitor) -> None:
    card = {
        "id": "x-1",
        "name": "X-1",
        "maneuverability": "low",
        "energy_factor": 2,
        "max_speed": 12,
        "gun": {"quality": "high", "shots": 3},
    }
    duel = small_duel(aircraft=[card])
    duel["jets"][0] |= {"aircraft": "x-1", "speed": 12}
    table = await ann.sit(setup=duel)
    page, form = await opened(ann, table=table.id)
    assert "X-1: speed 12" in at(page, "f-jets-0-aircraft").text()
    _, form = await pressed(ann, form, "copy:jets:0")
    made = setup((await dealt(house, ann, form)).opened.setup)
    assert made.aircraft == setup(duel).aircraft
    assert [jet.aircraft for jet in made.jets] == ["x-1", "x-1", "mig-21f-13"]


@pytest.mark.parametrize(
    "query", [{"from": "nowhere"}, {"saved": "nothing"}, {"table": "nothing"}, {"game": "none"}]
)
async def test_nowhere_to_begin(ann: Visitor, query: dict[str, str]) -> None:
    path = f"/games/{query.pop('game', 'osaaf')}/setup"
    await ann.page(path, 404, **query)


async def test_a_table_of_another_game_is_nowhere_to_begin(ann: Visitor) -> None:
    table = await ann.sit("skirmish")
    await ann.page(PAGE, 404, table=table.id)


# Rows


def units_of(page: Element) -> list[str]:
    """The jets in the order of their rows."""
    return [
        one.attrs["data-unit"]
        for one in page.walk()
        if "data-unit" in one.attrs
        if one.tag == "tbody"
    ]


async def test_rows_come_and_go_by_round_trips(house: House, ann: Visitor) -> None:
    page, form = await opened(ann)
    assert units_of(page) == ["blue-1", "red-1"]
    page, form = await pressed(ann, form, "add:jets")
    assert units_of(page) == ["blue-1", "red-1", "blue-2"]
    assert form["s.jets[2].hex"] == ["1403"]
    assert form["s.jets[2].name"] == ["Blue 2"]
    assert "autofocus" in at(page, "f-jets-2-seat").attrs
    page, form = await pressed(ann, {**form, "s.jets[1].altitude": ["8"]}, "copy:jets:1")
    assert units_of(page) == ["blue-1", "red-1", "red-2", "blue-2"]
    assert (form["s.jets[2].hex"], form["s.jets[2].altitude"]) == (["1418"], ["8"])
    page, form = await pressed(ann, form, "down:jets:0")
    assert units_of(page) == ["red-1", "blue-1", "red-2", "blue-2"]
    page, form = await pressed(ann, form, "up:jets:3")
    page, form = await pressed(ann, form, "remove:jets:1")
    assert units_of(page) == ["red-1", "blue-2", "red-2"]
    assert "Ready" in told(page, "summary")
    made = setup((await dealt(house, ann, form)).opened.setup)
    assert [jet.id for jet in made.jets] == ["red-1", "blue-2", "red-2"]


async def test_there_are_no_more_rows_than_can_be(ann: Visitor) -> None:
    _, form = await opened(ann)
    for _ in range(22):
        _, form = await pressed(ann, form, "add:jets")
    page, form = await pressed(ann, form, "check")
    assert form["s.jets"] == ["24"]
    assert "Ready" in told(page, "summary")
    assert page.find("f-jets-add") is None
    page, again = await pressed(ann, form, "add:jets", 422)
    assert told(page, "wrong-now") == "Jets: at most 24."
    assert again == form
    _, form = await opened(ann)
    _, form = await pressed(ann, form, "remove:jets:0")
    page, _ = await pressed(ann, form, "check")
    assert page.find("f-jets-0-remove") is None  # one must stay


@pytest.mark.parametrize(
    "do", ["add:boats", "remove:jets:9", "copy:jets:-1", "up:jets:x", "add", "remove:jets"]
)
async def test_other_buttons_change_nothing(ann: Visitor, do: str) -> None:
    _, form = await opened(ann)
    _, again = await pressed(ann, form, do, 422)
    assert again == form


async def test_a_form_that_the_page_did_not_make(ann: Visitor) -> None:
    _, form = await opened(ann)
    for bad in ({"s.jets": ["999"]}, {"s.jets": ["x"]}, {"s.aircraft": ["{"]}, {"s.jets": ["²"]}):
        await ann.form(PAGE, {**form, **bad, "do": ["check"]}, 422, htmx=False)
    answer = await ann.http.post(PAGE, json={})
    assert answer.status_code == 422
    await ann.form(PAGE, {f"x{n}": "1" for n in range(5_001)}, 422, htmx=False)
    # Nothing at all is a set-up of nothing.
    await ann.form(PAGE, {"do": "check"}, 200, htmx=False)


# Faults


FAULTS = [
    ("s.title", "", "f-title-wrong", "can have 1 to 40 characters; not 0."),
    ("s.title", "x" * 41, "f-title-wrong", "can have 1 to 40 characters; not 41."),
    ("s.summary", "y" * 201, "f-summary-wrong", "can have at most 200 characters; not 201."),
    ("s.turns", "0", "f-turns-wrong", "can be 1 to 200; not 0."),
    ("s.turns", "many", "f-turns-wrong", "must be a whole number; not 'many'."),
    ("s.turns", "", "f-turns-wrong", "is empty; it must be a whole number."),
    ("s.board.rows", "100", "f-board-rows-wrong", "can be 1 to 99; not 100."),
    ("s.sun", "up", "f-sun-wrong", "can be E, N, S, W, roll; not 'up'."),
    ("s.seats[0].label", "", "f-seats-0-wrong", "Name can have 1 to 40 characters; not 0."),
    (
        "s.jets[1].altitude",
        "12",
        "f-jets-1-wrong",
        "Altitude can be 1 to 9 for MiG-21F-13; not 12.",
    ),
    ("s.jets[1].altitude", "4.5", "f-jets-1-wrong", "Altitude must be a whole number; not '4.5'."),
    ("s.jets[1].speed", "-1", "f-jets-1-wrong", "Speed can be 0 to 8 for MiG-21F-13; not -1."),
    ("s.jets[0].speed", "8", "f-jets-0-wrong", "Speed can be 0 to 7 for F-8E Crusader; not 8."),
    ("s.jets[0].name", "", "f-jets-0-wrong", "Name can have 1 to 40 characters; not 0."),
    (
        "s.jets[0].hex",
        "3101",
        "f-jets-0-wrong",
        "Hex can be 0101 to 3022, column and row; 3101 is off the board.",
    ),
    (
        "s.jets[0].hex",
        "12",
        "f-jets-0-wrong",
        "Hex A hex is named by four digits, column and row, such as 0712; not '12'.",
    ),
    ("s.jets[0].facing", "6", "f-jets-0-wrong", "Facing can be 0 to 5; not 6."),
    ("s.jets[0].seat", "green", "f-jets-0-wrong", "Side can be blue, red; not 'green'."),
    (
        "s.jets[0].skill",
        "god",
        "f-jets-0-wrong",
        "Pilot can be ace, regular, rookie, veteran; not 'god'.",
    ),
    (
        "s.jets[0].fuel",
        "29",
        "f-jets-0-wrong",
        "Fuel left can be 0 to 28 for F-8E Crusader; not 29.",
    ),
    (
        "s.jets[1].id",
        '"blue-1"',
        "f-jets-1-wrong",
        "Id must be one that nothing else has; 'blue-1' is taken.",
    ),
]


@pytest.mark.parametrize(("name", "value", "place", "words"), FAULTS)
async def test_a_fault_stands_beside_its_field_and_nothing_is_lost(
    ann: Visitor, name: str, value: str, place: str, words: str
) -> None:
    _, form = await opened(ann)
    form |= {"s.summary": ["Typed before"], "ruling.edge": ["off"], "word": ["abracadabra"]}
    form[name] = [value]
    for do, status in (("check", 200), ("deal", 422), ("save", 422)):
        page, again = await pressed(ann, form, do, status)
        assert told(page, place) == words
        assert words[-18:] in told(page, "summary")
        assert again == form
        field = next(one for one in page.walk() if one.attrs.get("name") == name)
        if field.attrs.get("type") != "hidden":
            assert field.attrs["aria-invalid"] == "true"
            assert field.attrs["aria-describedby"] == place
            links = {a.attrs["href"] for a in at(page, "summary").walk() if "href" in a.attrs}
            assert f"#{field.attrs['id']}" in links
    assert await Setups(ann.house.site.service.store).of(await caller(ann), "osaaf") == []


async def test_faults_of_several_fields_are_told_at_once(ann: Visitor) -> None:
    _, form = await opened(ann)
    wrong = {"s.turns": ["x"], "s.jets[0].altitude": ["12"], "s.jets[1].hex": ["9999"]}
    page, again = await pressed(ann, {**form, **wrong}, "check")
    summary = told(page, "summary")
    assert "3 things" in summary
    for words in ("Turns: must be", "Blue 1, altitude: can be", "Red 1, hex: can be"):
        assert words in summary
    assert again == {**form, **wrong}


async def test_the_board_shows_the_rest_while_a_row_is_wrong(ann: Visitor) -> None:
    page, form = await opened(ann)
    assert (page.find("u-blue-1"), page.find("u-red-1")) != (None, None)
    page, _ = await pressed(ann, {**form, "s.jets[0].altitude": ["12"]}, "check")
    assert page.find("u-blue-1") is None
    assert at(page, "u-red-1").attrs["data-hex"] == "1218"
    wrong = {"s.board.columns": [""], "s.title": [""]}
    page, _ = await pressed(ann, {**form, **wrong}, "check")
    assert at(page, "board").attrs["data-columns"] == "30"
    assert page.find("u-blue-1") is not None
    wrong = {"s.jets[0].hex": [""], "s.jets[1].hex": [""]}
    page, _ = await pressed(ann, {**form, **wrong}, "check")
    assert at(page, "board").attrs["data-rows"] == "22"


async def test_htmx_gets_what_depends_on_the_set_up(ann: Visitor) -> None:
    _, form = await opened(ann)
    form["s.jets[1].altitude"] = ["12"]
    answer = await ann.form(PAGE, form, 200)
    what, data = parse(answer.text).elements()
    assert what.attrs["id"] == "what"
    assert data.attrs["hx-target"] == "#data-box"
    assert '"altitude": 12' in at(data, "data").text()
    assert what.find("save-as") is None
    refused = await ann.form(PAGE, {**form, "ruling.edge": ["sideways"]}, 200)
    assert "Ruling 'edge' can be" in told(parse(refused.text), "summary")


async def test_markup_in_names_is_text(ann: Visitor) -> None:
    _, form = await opened(ann)
    names = ("s.title", "s.summary", "s.seats[0].label", "s.jets[0].name", "s.jets[0].hex")
    more = ("name", "word", "save_as", "paste", "saved", "s.jets[0].aircraft", "s.turns")
    form |= {name: [HOSTILE] for name in (*names, *more)}
    for do, status in (("check", 200), ("deal", 422), ("paste", 422), ("save", 422)):
        page, again = await pressed(ann, form, do, status)
        tags = {one.tag for one in page.walk()}
        assert "img" not in tags
        assert all("onerror" not in one.attrs for one in page.walk())
        assert all(one.text().strip() == "" for one in page.walk() if one.tag == "script")
        assert again == form
        assert page.duplicates() == []


# Other games


async def test_a_game_without_words_of_its_own(house: House, ann: Visitor) -> None:
    path = "/games/skirmish/setup"
    page, form = await opened(ann, path)
    assert form["s.homes"] == ['{"red": "0104", "blue": "0803"}']
    assert form["s.planes[0].leader"] == ["true"]
    assert "s.planes[1].leader" not in form
    page, form = await pressed(ann, form, "add:planes", path=path)
    assert "blue2: 0802 is off the map or taken." in told(page, "summary")
    form |= {"s.planes[4].id": ["blue3"], "s.planes[4].hex": ["0701"]}
    page, form = await pressed(ann, form, "check", path=path)
    assert "Ready" in told(page, "summary")
    table = await dealt(house, ann, form, path)
    assert [plane["id"] for plane in table.opened.setup["planes"]][-1] == "blue3"


async def test_a_game_whose_set_ups_are_data_only(house: House, ann: Visitor) -> None:
    path = "/games/envelopes/setup"
    page, form = await opened(ann, path)
    scenario = next(iter(registry.load("envelopes").scenarios.values()))
    assert json.loads(at(page, "data").text()) == tidy(
        shape_of(registry.load("envelopes")), json.loads(json.dumps(scenario.setup))
    )
    table = await dealt(house, ann, form, path)
    game = registry.load("envelopes")
    assert setup_of(game, table.opened.setup) == setup_of(game, scenario.setup)


# Kept set-ups


async def caller(visitor: Visitor) -> Caller:
    """Who a visitor is, for the server."""
    identities = visitor.house.site.identities
    return Caller(identities.from_cookie(visitor.http.cookies["contrail"]))


async def test_keep_list_open_play_and_delete(house: House, ann: Visitor) -> None:
    _, form = await opened(ann)
    form |= {"s.turns": ["3"], "ruling.edge": ["off"], "save_as": ["  Short   one "]}
    page, form = await pressed(ann, form, "save")
    assert "Kept as 'Short one'." in page.text()
    assert form["save_as"] == ["Short one"]
    (kept,) = await Setups(house.site.service.store).of(await caller(ann), "osaaf")
    assert form["saved"] == [kept.id]
    listed = parse(await ann.page("/games/osaaf"))
    assert "Short one" in at(listed, "saved").text() or "Short one" in listed.text()
    _, again = await opened(ann, saved=kept.id)
    assert (again["s.turns"], again["ruling.edge"], again["save_as"]) == (
        ["3"],
        ["off"],
        ["Short one"],
    )
    answer = await ann.form(f"/setups/{kept.id}/play", {}, 303, htmx=False)
    table = await house.site.service.get(answer.headers["location"].rpartition("/")[2])
    assert setup(table.opened.setup).turns == 3
    assert (table.opened.rulings["edge"], table.name) == ("off", "Short one")
    await ann.form(f"/setups/{kept.id}/delete", {}, 303, htmx=False)
    assert "Short one" not in await ann.page("/games/osaaf")
    await ann.page(PAGE, 404, saved=kept.id)


async def test_another_of_the_name_is_asked_about(house: House, ann: Visitor) -> None:
    setups, who = Setups(house.site.service.store), await caller(ann)
    _, fresh = await opened(ann)
    fresh["save_as"] = ["Mine"]
    _, first = await pressed(ann, fresh, "save")
    # The one that is open is written over, and so is one that holds the same.
    _, first = await pressed(ann, {**first, "s.turns": ["4"]}, "save")
    page, _ = await pressed(ann, {**fresh, "s.turns": ["4"]}, "save")
    assert "Kept as" in page.text()
    # Another one is not, before somebody says so.
    other = {**fresh, "s.turns": ["5"], "word": ["still here"]}
    page, again = await pressed(ann, other, "save", 422)
    assert "You have another set-up called 'Mine'." in told(page, "save-wrong")
    assert again == other
    assert [one.data["turns"] for one in await setups.of(who, "osaaf")] == [4]
    _, again = await pressed(ann, again, "replace")
    (kept,) = await setups.of(who, "osaaf")
    assert kept.data["turns"] == 5
    assert again["saved"] == [kept.id]


async def test_rename(house: House, ann: Visitor) -> None:
    setups, who = Setups(house.site.service.store), await caller(ann)
    _, form = await opened(ann)
    _, one = await pressed(ann, {**form, "save_as": ["One"]}, "save")
    _, two = await pressed(ann, {**form, "save_as": ["Two"]}, "save")
    page, again = await pressed(ann, {**two, "save_as": ["One"]}, "rename", 422)
    assert "another set-up called 'One'" in told(page, "wrong-now")
    _, again = await pressed(ann, {**again, "save_as": ["Three"]}, "rename")
    assert again["save_as"] == ["Three"]
    assert {kept.name for kept in await setups.of(who, "osaaf")} == {"One", "Three"}
    await pressed(ann, {**again, "save_as": [" "]}, "rename", 422)
    await pressed(ann, {**one, "save_as": ["x" * 61]}, "save", 422)


async def test_nobody_sees_or_changes_another_s(house: House, ann: Visitor, bob: Visitor) -> None:
    _, form = await opened(ann)
    _, form = await pressed(ann, {**form, "save_as": ["Ann's own"]}, "save")
    (mine,) = form["saved"]
    assert "Ann's own" not in parse(await bob.page("/games/osaaf")).text()
    await bob.page(PAGE, 404, saved=mine)
    await bob.form(f"/setups/{mine}/play", {}, 404, htmx=False)
    await bob.form(f"/setups/{mine}/delete", {}, 404, htmx=False)
    _, his = await opened(bob)
    # Bob's form claims Ann's id: he gets one of his own, and hers stays.
    _, his = await pressed(
        bob, {**his, "saved": [mine], "save_as": ["Ann's own"], "s.turns": ["2"]}, "save"
    )
    assert his["saved"] != [mine]
    page, _ = await pressed(bob, {**his, "saved": [mine], "save_as": ["Bob's"]}, "rename", 422)
    assert "no such set-up" in told(page, "wrong-now")
    setups = Setups(house.site.service.store)
    kept = await setups.get(await caller(ann), mine)
    assert (kept.name, kept.data["turns"]) == ("Ann's own", 20)
    with pytest.raises(Missing):
        await setups.delete(await caller(bob), mine)
    nobody = Caller(None)
    assert await setups.of(nobody, "osaaf") == []
    with pytest.raises(Missing):
        await setups.get(nobody, mine)


async def test_names_are_one_s_own_and_a_game_s(house: House, ann: Visitor, bob: Visitor) -> None:
    setups = Setups(house.site.service.store)
    for who in (await caller(ann), await caller(bob)):
        for game in ("osaaf", "skirmish"):
            await setups.save(who, game, "Same", {"a": 1}, {})
            with pytest.raises(Taken):
                await setups.save(who, game, "Same", {"a": 2}, {})
            assert [one.name for one in await setups.of(who, game)] == ["Same"]


async def test_there_is_an_end_to_what_one_keeps(
    house: House, ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST_SETUPS", 3)
    setups, who = Setups(house.site.service.store), await caller(ann)
    kept = [await setups.save(who, "osaaf", str(n), {}, {}) for n in range(3)]
    with pytest.raises(Illegal, match="Delete one first"):
        await setups.save(who, "skirmish", "one more", {}, {})
    await setups.save(who, "osaaf", "1", {"changed": True}, {}, over=kept[1].id)
    await setups.delete(who, kept[0].id)
    await setups.save(who, "skirmish", "one more", {}, {})
    with pytest.raises(Illegal, match="64 KiB"):
        await setups.save(who, "osaaf", "1", {"x": "y" * 70_000}, {}, anyway=True)


async def test_one_that_can_t_be_played_any_more_is_shown_with_why(
    house: House, ann: Visitor
) -> None:
    """The game's checks have changed since it was kept."""
    old = small_duel()
    old["jets"][0]["altitude"] = 12
    kept = await Setups(house.site.service.store).save(await caller(ann), "osaaf", "Old", old, {})
    answer = await ann.form(f"/setups/{kept.id}/play", {}, 303, htmx=False)
    page = parse(await ann.page(answer.headers["location"]))
    assert "Altitude can be 1 to 9" in told(page, "f-jets-0-wrong")


async def test_odd_things_that_were_kept_do_not_break_the_page(house: House, ann: Visitor) -> None:
    for n, odd in enumerate(({}, {"jets": 3, "board": []}, {"jets": [1], "seats": {}, "new": 1})):
        setups = Setups(house.site.service.store)
        kept = await setups.save(await caller(ann), "osaaf", f"odd {n}", odd, {"gone": "x"})
        page, _ = await opened(ann, saved=kept.id)
        assert "To put right" in told(page, "summary")


# As data


DUEL = """\
{
  "title": "Small duel",
  "turns": 2,
  "sun": "N",
  "board": {"columns": 30, "rows": 22},
  "seats": [
    {"id": "blue", "label": "Blue"},
    {"id": "red", "label": "Red"}
  ],
  "jets": [
    {"id": "blue-1", "seat": "blue", "aircraft": "f-8e", "name": "Blue 1",
     "hex": "1203", "facing": 3, "altitude": 5, "speed": 4},
    {"id": "red-1", "seat": "red", "aircraft": "mig-21f-13", "name": "Red 1",
     "hex": "1218", "facing": 0, "altitude": 5, "speed": 4}
  ]
}
"""

BAD_DATA = [
    # (what is put in place of what, what is told)
    ('"altitude": 5, "speed": 4}\n', '"altitude": 12, "speed": 4}\n',
     "Line 14, jets[1].altitude: can be 1 to 9 for MiG-21F-13; not 12."),
    ('"turns": 2', '"turns": "2"', "Line 3, turns: must be a whole number; not '2'."),
    ('"turns": 2', '"turns": 0', "Line 3, turns: can be 1 to 200; not 0."),
    ('"turns": 2,', '"turns": 2', "Line 4: column 3: a comma is missing here, or a bracket that closes."),
    ('"sun": "N",', '"sun": "N", "moon": true,', "Line 4, moon: no such field here; there are title, summary, board, night, sun, turns, seats, jets, aircraft."),
    ('"sun": "N"', '"sun": "Q"', "Line 4, sun: can be E, N, S, W, roll; not 'Q'."),
    ('"rows": 22', '"rows": 22.5', "Line 5, board.rows: must be a whole number; not 22.5."),
    ('"rows": 22', '"rows": 22, "rows": 23', "Line 5: board.rows is there twice."),
    ('"label": "Red"', '"label": ""', "Line 8, seats[1].label: can have 1 to 40 characters; not 0."),
    ('"label": "Red"', '"label": "R\ted"', 'Line 8: column 30: text can\'t go on in the next line, nor hold a tab.'),
    ('"id": "red-1"', '"id": "blue-1"', "Line 13, jets[1].id: must be one that nothing else has; 'blue-1' is taken."),
    ('"hex": "1218", ', "", "Line 13, jets[1].hex: is missing."),
    ('"aircraft": "f-8e"', '"aircraft": "spitfire"', "Line 11, jets[0].aircraft: can be f-86f,"),
    ('"facing": 0', '"facing": NaN', "NaN is no number that a set-up can hold."),
    ('"facing": 0', '"facing": true', "Line 14, jets[1].facing: must be a whole number; not true."),
    ('"name": "Red 1"', '"name": "Red\\ud800"', "Line 13: there is a character in this text that can't be kept."),
    ('{"columns": 30, "rows": 22}', "[" * 21 + "]" * 21, "Line 5: brackets stand within brackets more than 20 deep."),
    ('{"columns": 30, "rows": 22}', "7", "Line 5, board: must be an object with fields; not 7."),
    ("  ]\n}\n", "  ]\n", "Line 16: column 1: a comma is missing here, or a bracket that closes."),
    ("  ]\n}\n", "  ]\n}}\n", "Line 16: column 2: the data has ended before this."),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), BAD_DATA)
async def test_what_is_wrong_with_data_is_told_by_line_and_field(
    ann: Visitor, old: str, new: str, words: str
) -> None:
    assert DUEL.count(old) == 1
    text = DUEL.replace(old, new)
    _, form = await opened(ann)
    form |= {"s.title": ["Typed before"], "paste": [text]}
    page, again = await pressed(ann, form, "paste", 422)
    assert words in told(page, "paste-wrong")
    assert again == form


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Paste the data of a set-up first."),
        ("[]", "Line 1: A set-up is an object: it begins with { and ends with }."),
        ('"duel"', "Line 1: A set-up is an object"),
        ("hello", "no TOML either"),
        ("title = [1,\nturns", "no TOML either"),
        ("turns = 1979-05-27", "something in this TOML that a set-up can't hold"),
        ("\n\n{", "Line 3: column 2"),
        ("[" * 50_000, "more than 20 deep"),
        ("a." * 20_000 + "b = 1", "TOML"),
        ("{" + " " * 65_536 + "}", "at most 64 KiB"),
        ('{"turns": 1' + "0" * 5_000 + "}", "a number in this that is too long"),
        ('{"title": "ü\n"}', "Line 1: column 13"),
    ],
)
async def test_what_is_no_set_up_at_all(ann: Visitor, text: str, words: str) -> None:
    _, form = await opened(ann)
    page, again = await pressed(ann, {**form, "paste": [text]}, "paste", 422)
    assert words in told(page, "paste-wrong")
    assert again == {**form, "paste": [text]}


async def test_good_data_takes_the_form_s_place(house: House, ann: Visitor) -> None:
    _, form = await opened(ann)
    for text in (DUEL, DUEL.replace("\n", "\r\n"), "\ufeff" + DUEL):
        page, again = await pressed(ann, {**form, "paste": [text]}, "paste")
        assert again["paste"] == [""]
        assert "Ready" in told(page, "summary")
        made = setup((await dealt(house, ann, again)).opened.setup)
        assert made == setup(json.loads(DUEL))


async def test_a_scenario_file_can_be_pasted(house: House, ann: Visitor) -> None:
    folder = registry.folder("osaaf").joinpath("scenarios")
    text = folder.joinpath("night-intercept.toml").read_text("utf-8")
    _, form = await opened(ann)
    _, again = await pressed(ann, {**form, "paste": [text]}, "paste")
    made = setup((await dealt(house, ann, again)).opened.setup)
    assert made == setup(registry.load("osaaf").scenarios["night-intercept"].setup)
    # What is wrong in it is told by the lines of the JSON that it was turned into.
    bad = text.replace("altitude = 5", "altitude = 12")
    page, again = await pressed(ann, {**form, "paste": [bad]}, "paste", 422)
    first = next(one for one in at(page, "paste-wrong").walk() if one.tag == "li").text()
    line = int(first.removeprefix("Line ").partition(",")[0])
    assert '"altitude": 12' in again["paste"][0].splitlines()[line - 1]


async def test_the_copied_data_opens_a_table_by_the_interface(ann: Visitor) -> None:
    page, _ = await opened(ann, **{"from": "route-package"})
    data = json.loads(at(page, "data").text())
    table = await ann.sit(setup=data)
    opened_with = (await ann.house.site.service.get(table.id)).opened.setup
    assert setup(opened_with) == setup(registry.load("osaaf").scenarios["route-package"].setup)
    rows = [line for line in at(page, "data").text().splitlines() if '"id": "blue-' in line]
    assert all(line.endswith(("},", "}")) for line in rows)  # a jet is a line


async def test_not_all_of_very_many_faults_are_told(ann: Visitor) -> None:
    _, form = await opened(ann)
    text = json.dumps({f"odd{n}": n for n in range(3_000)})
    page, _ = await pressed(ann, {**form, "paste": [text]}, "paste", 422)
    told_of = [one for one in at(page, "paste-wrong").walk() if one.tag == "li"]
    assert len(told_of) == 100


# Any set-up

text_of = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
CARDS = printed_aircraft()


@st.composite
def set_ups(draw: st.DrawFn) -> dict[str, Any]:
    """A set-up of osaaf that can be played; what has a default may be missing."""
    columns, rows = draw(st.integers(1, 99)), draw(st.integers(1, 99))
    jets: list[dict[str, Any]] = []
    for n in range(draw(st.integers(1, 5))):
        card = CARDS[draw(st.sampled_from(sorted(CARDS)))]
        column, row = draw(st.integers(1, columns)), draw(st.integers(1, rows))
        jet = {
            "id": f"j{n}",
            "seat": draw(st.sampled_from(["a", "b"])),
            "aircraft": card.id,
            "name": draw(names),
            "hex": f"{column:02}{row:02}",
            "facing": draw(st.integers(0, 5)),
            "altitude": draw(st.integers(1, card.ceiling)),
            "speed": draw(st.integers(0, card.max_speed)),
        }
        rare = {"skill": st.sampled_from(["rookie", "ace"]), "fuel": st.integers(0, card.fuel)}
        jets.append(jet | draw(st.fixed_dictionaries({}, optional=rare)))
    made = {
        "title": draw(names),
        "board": {"columns": columns, "rows": rows},
        "seats": [{"id": "a", "label": draw(names)}, {"id": "b", "label": draw(names)}],
        "jets": jets,
    }
    more = {
        "summary": text_of,
        "night": st.booleans(),
        "sun": st.sampled_from("NESW"),
        "turns": st.integers(1, 200),
    }
    return made | draw(st.fixed_dictionaries({}, optional=more))


def sent_by(form: FormView) -> Form:
    """What a browser would send of a form."""
    sent: Form = {one.name: [str(len(one.rows))] for one in form.lists}
    rows = [row for one in form.lists for row in one.rows]
    widgets = [*form.fields, *form.hidden]
    widgets += [w for row in rows for w in (*row.widgets, *row.rare, *row.hidden)]
    for widget in widgets:
        if widget.kind != "check":
            sent[widget.name] = [widget.value]
        elif widget.checked:
            sent[widget.name] = ["true"]
    return sent


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(set_ups())
def test_any_set_up_is_the_same_by_text_and_by_form(data: dict[str, Any]) -> None:
    game = registry.load("osaaf")
    assert examine(game, data, {}).faults == ()
    assert read_text(data_text(data)).data == data
    shape = shape_of(game)
    again = read(shape, sent_by(form_view(shape, tidy(shape, data), ())))
    assert setup(again) == setup(data)
    assert setup(read_text(data_text(again)).data) == setup(data)


@settings(max_examples=60, deadline=None)
@given(set_ups(), st.integers(0, 7))
def test_the_next_jet_can_be_played_wherever_there_is_room(data: dict[str, Any], like: int) -> None:
    game = registry.load("osaaf")
    for pattern in (None, like):
        jets = [*data["jets"], added(data, "jets", pattern)]
        assert examine(game, {**data, "jets": jets}, {}).faults == ()


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    set_ups(),
    st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(Setup.__struct_fields__), junk), max_size=3
    ),
)
def test_nothing_that_is_typed_breaks_the_page(data: dict[str, Any], wrong: list[Any]) -> None:
    """Whatever stands where, there are faults and no failure."""
    game, data = registry.load("osaaf"), copy.deepcopy(data)
    for n, name, value in wrong:
        jets = data.get("jets")
        if n < 3 or not isinstance(jets, list) or not jets:
            data[name] = value
        elif isinstance(jets[n % len(jets)], dict):
            row = jets[n % len(jets)]
            row[sorted(row)[n % len(row)] if row else "id"] = value
    looked = examine(game, data, {})
    try:
        setup_of(game, data)
        game.start(setup_of(game, data), game.rulebook.settle({}))
        fine = True
    except Exception:
        fine = False
    assert (not looked.faults) == fine
    shape = shape_of(game)
    choices(data)
    added(data, "jets", None)
    form_view(shape, data, looked.faults)
    lines = read_text(data_text(data))
    assert lines.data == data
    assert all(lines.line_of(fault.path) >= 1 for fault in looked.faults)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from('{}[]",:\\ \n\t01aé.-truefalsnl"'), max_size=60))
def test_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_text(text)
    except BadText:
        return
    if text.lstrip("\ufeff \n\t").startswith("{"):
        assert found.data == json.loads(text)


async def test_the_page_says_that_nothing_is_kept_of_its_own_people(ann: Visitor) -> None:
    told = "nothing is kept of them"
    assert told in await ann.page("/games/f14-tomcats/setup")
    assert told not in await ann.page("/games/osaaf/setup")
