"""What only some games show: orders of units, groups, terms, twelve facings, hexsides, many phases."""

import pytest

from app.engine.sequence import Term
from app.tables.views import sum_of
from tests.web.dom import Element, apply, parse
from tests.web.house import House, Table, Visitor
from tests.web.test_lines import moving
from tests.web.test_streams import since_of

pytestmark = pytest.mark.anyio


def found(page: Element, id_: str) -> Element:
    element = page.find(id_)
    assert element is not None, id_
    return element


def lit(page: Element) -> list[tuple[str, str]]:
    """Rows of tables of terms that apply."""
    return [
        (row.first("th").text(), row.first("td").text())
        for row in page.walk()
        if row.tag == "tr" and row.attrs.get("class") == "lit"
    ]


# Orders


async def test_an_order_is_there_while_there_is_one(ann: Visitor) -> None:
    table = await ann.sit("patrol")
    assert "queue" not in await table.view()
    assert "hidden" in found(parse(await ann.page(table.page)), "queue").attrs
    await table.command("red", "Ahead-low")
    queue = (await table.view())["queue"]
    assert queue["title"] == "Order of movement"
    assert queue["rule"] == "P-3"
    assert [one["unit"] for one in queue["places"]][:2] == ["r1", "r2"]
    assert queue["places"][0]["now"] is True
    await table.command("red", "H,H,H,H")
    first, second, *_ = (await table.view())["queue"]["places"]
    assert (first["done"], second["now"]) == (True, True)
    assert "now" not in first


async def test_an_order_is_shown_in_words_and_numbers(ann: Visitor) -> None:
    table = await moving(ann)
    await table.command("red", "H,H,H,H")
    page = parse(await ann.page(table.page))
    assert not page.duplicates()
    queue = found(page, "queue")
    assert [one.text() for one in queue.walk() if one.tag == "h3"] == [
        "Disadvantaged",
        "Advantaged",
    ]
    rows = [one for one in queue.walk() if one.tag == "li"]
    assert len(rows) == 7
    assert "Anvil 1" in rows[0].text()
    assert "done" in rows[0].text()
    assert [row.attrs.get("aria-current") for row in rows] == [None, "true", *[None] * 5]
    assert rows[0].first("a").attrs["data-light"] == "r1"
    assert [one.attrs["start"] for one in queue.walk() if one.tag == "ol"] == ["1", "4", "7"]
    # Whom the viewer does not know is told in words, and leads nowhere.
    assert "unsighted aircraft" in rows[6].text()
    assert all(one.tag != "a" for one in rows[6].walk())
    text = found(page, "queue-text")
    assert [one.text().split() for one in text.walk() if one.tag == "li"] == [
        row.text().split() for row in rows
    ]


async def test_frames_bring_the_order(house: House, ann: Visitor) -> None:
    table = await ann.sit("patrol")
    html = await ann.page(table.page)
    page = parse(html)
    stream = await ann.stream(f"{table.page}/frames?since={since_of(html)}")
    for choice in ("Ahead-low", "H,H,H,H"):
        await table.command("red", choice)
        while found(page, "version").attrs["value"] != str(await table.version()):
            apply(page, (await stream.event()).data)
        fresh = parse(await ann.page(table.page))
        for part in ("queue", "queue-text", "now", "lit", "counters", "rows", "phases", "trails"):
            assert found(page, part).canonical() == found(fresh, part).canonical()


@pytest.mark.parametrize("game", ["osaaf", "f14-tomcats"])
async def test_other_games_carry_nothing_of_it(ann: Visitor, game: str) -> None:
    table = await ann.sit(game)
    html = await ann.page(table.page)
    shared = (
        "css/extra.css",
        'id="draft',
        'id="queue',
        "data-facings",
        'class="terms',
        "phases many",
    )
    for part in shared:
        assert part not in html, part
    view = await table.view()
    assert view.keys().isdisjoint({"queue", "facings"})
    for offer in view["offers"]:
        assert offer.keys().isdisjoint({"draft", "terms"})
        for option in offer.get("options", ()):
            assert option.keys().isdisjoint({"group", "terms"})


# Groups and terms


@pytest.mark.parametrize(
    ("amounts", "total"),
    [
        (["7", "+2", "−1"], "8"),
        (["+2", "-1"], "+1"),
        (["−2", "0"], "−2"),
        (["1", "-3"], "−2"),
        (["+2", "half"], None),
        (["1.5", "1"], None),
        ([], "+0"),
    ],
)
def test_amounts_add_up_where_they_are_whole(amounts: list[str], total: str | None) -> None:
    terms = [Term("so much", amount) for amount in amounts]
    assert sum_of([*terms, Term("not here", "99", lit=False)]) == total


async def test_scripts_get_groups_and_terms(ann: Visitor) -> None:
    table = await ann.sit("patrol")
    [offer] = (await table.view())["offers"]
    low = next(one for one in offer["options"] if one["value"] == "Abeam-low")
    assert low["group"] == "Abeam"
    assert {"words": "Target abeam", "amount": "−1", "lit": True} in low["terms"]
    assert {
        "words": "Target astern of the searching aircraft",
        "amount": "−3",
        "lit": False,
    } in low["terms"]


async def test_options_stand_under_their_headings(ann: Visitor) -> None:
    table = await ann.sit("patrol")
    page = parse(await ann.page(table.page))
    groups = [one for one in page.walk() if one.attrs.get("class") == "under"]
    assert [one.first("h3").text() for one in groups] == ["Ahead", "Abeam", "Astern"]
    for group in groups:
        assert group.attrs["role"] == "group"
        assert group.attrs["aria-labelledby"] == group.first("h3").attrs["id"]
        inputs = [one for one in group.walk() if one.tag == "input"]
        assert len(inputs) == 2


async def test_terms_stand_with_each_option(ann: Visitor) -> None:
    table = await ann.sit("patrol")
    page = parse(await ann.page(table.page))
    options = {
        one.first("b").text(): one
        for one in page.walk()
        if "opt" in one.attrs.get("class", "").split()
    }
    assert lit(options["Abeam, low"]) == [
        ("Searching aircraft's radar", "6"),
        ("Target abeam", "−1"),
        ("Clutter: target below", "−2"),
    ]
    assert options["Abeam, low"].first("tfoot").text() == "Together3"
    # Room for the longest of them, so that nothing moves when another one is chosen.
    room = next(one for one in page.walk() if one.attrs.get("class") == "room")
    rows = [sum(one.tag == "tr" for one in option.walk()) for option in options.values()]
    assert sum(one.tag == "tr" for one in room.walk()) == max(rows)


async def test_a_roll_shows_its_terms(ann: Visitor) -> None:
    table = await ann.sit("patrol", pace="step", dice="hand")
    while (await table.view())["phase"]["id"] != "orders":
        await table.advance("red")
    await table.command("red", "Astern-low")
    await table.advance("red")
    [offer] = (await table.view())["offers"]
    assert offer["kind"] == "roll"
    assert [one["amount"] for one in offer["terms"] if one["lit"]] == ["6", "−3", "−2"]
    assert lit(parse(await ann.page(table.page)))[0] == ("Searching aircraft's radar", "6")


async def test_the_skirmish_shows_what_a_shot_needs(ann: Visitor) -> None:
    """The same table beside the choice to fire and beside the dice."""
    table = await ann.sit("skirmish", scenario="duel", dice="hand")
    shown: dict[str, list[str]] = {}
    for _ in range(300):
        offers = await table.open_offers()
        if not offers or len(shown) == 2:
            break
        _, offer, _ = offers[0]
        terms = offer.get("terms") or offer.get("options", [{}])[0].get("terms")
        if terms:
            shown[offer["kind"]] = [one["words"] for one in terms]
        await plainly(table, offer)
    assert shown == {kind: ["Any shot", "Into smoke", "Decoy"] for kind in ("decision", "roll")}


async def plainly(table: Table, offer: dict) -> None:
    """The first answer that is allowed, and sixes."""
    visitor = table.seats[offer["seat"]]
    body = {"version": await table.version(), "offer": offer["id"]}
    if offer["kind"] == "roll":
        body["dice"] = [6] * int(offer["pool"].split("d")[0] or 1)
    elif offer["kind"] == "decision":
        free = [one["value"] for one in offer["options"] if "blocked" not in one]
        body["choice"] = free[0]
    await visitor.post(f"{table.url}/commands", body)


# Facings, hexsides, phases


async def test_twelve_facings_have_names(ann: Visitor) -> None:
    table = await ann.sit("patrol")
    assert (await table.view())["facings"] == 12
    page = parse(await ann.page(table.page))
    rows = [[cell.text() for cell in row.elements()] for row in found(page, "rows").elements()]
    assert [row[3] for row in rows] == ["NNE", "NNE", "E", "WSW", "SSW", "W"]
    assert found(page, "board").attrs["data-facings"] == "12"


async def test_hexsides_are_places(ann: Visitor) -> None:
    table = await moving(ann)
    page = parse(await ann.page(table.page))
    # Half way between 0207 at (65, 292.5) and 0307 at (104, 315).
    assert found(page, "u-r2").attrs["transform"] == "translate(84.5 303.75)"
    assert found(page, "goto-hex").attrs["pattern"] == "[0-9]{4}(/[0-9]{4})?"
    await table.command("red", "H,H,H,H")
    trails = found(parse(await ann.page(table.page)), "trails")
    assert "M104 315L123.5 281.25" in trails.first("path").attrs["d"]


async def test_a_long_turn_names_what_is_near(ann: Visitor) -> None:
    table = await moving(ann)
    phases = found(parse(await ann.page(table.page)), "phases")
    assert "many" in phases.attrs["class"].split()
    track = phases.first("ol").elements()
    near = [one.text() for one in track if "near" in one.attrs["class"].split()]
    assert [one.split(",")[0].strip() for one in near] == ["Initiative", "Gun attacks"]
    [now] = [one for one in track if one.attrs.get("aria-current") == "step"]
    ticks = [one for one in now.walk() if one.tag == "i"]
    assert [one.attrs.get("class") for one in ticks] == ["on", *[None] * 12]
    await table.command("red", "H,H,H,H")
    assert (await table.view())["step"]["title"] == "Aircraft 3 of 13 moves"
