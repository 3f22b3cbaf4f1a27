"""A game's own picture: its parts in the page and in frames, its values for scripts, its past, its words.

F-14 Tomcats is the game that has one. Dice are entered by hand, so each moment is exact.
"""

import gzip
import random
import re
from collections.abc import Sequence
from typing import Any

import pytest

from app.games.f14_tomcats import tables
from tests.web.dom import Element, apply, parse
from tests.web.house import House, Table, Visitor, settle, small_duel
from tests.web.test_streams import since_of

pytestmark = pytest.mark.anyio

PARTS = ("haze", "route", "targets", "jets", "panel", "text")
GAME = "f14-tomcats"
TARGETS = [
    {"waypoint": 8, "type": "hq-bunker"},
    {"waypoint": 14, "type": "power-station"},
]


def pilot(call_sign: str = "Anvil", **changes: Any) -> dict[str, Any]:
    return {"name": "Alex Reyes", "call_sign": call_sign, **changes}


CAPTAIN = {"rank": "Captain"}
"""He leads, so that no die is thrown for the lead."""


def mission(*pilots: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"title": "Night", "pilots": list(pilots) or [pilot()], "targets": TARGETS, **changes}


async def fly(visitor: Visitor, setup: dict[str, Any], *answers: Any, **order: Any) -> Table:
    """A solo table where rolls and decisions are answered in turn, until none is left."""
    table = await visitor.sit(GAME, setup=setup, **{"dice": "hand", "pace": "flow", **order})
    await go_on(table, answers)
    return table


async def go_on(table: Table, answers: Sequence[Any]) -> None:
    left = list(answers)
    while left:
        (visitor, offer, version), *_ = await table.open_offers()
        if offer["kind"] == "confirm":
            await visitor.post(f"{table.url}/advance", {"version": version})
            continue
        key = "dice" if offer["kind"] == "roll" else "choice"
        count = int(offer["pool"].partition("d")[0]) if key == "dice" else 1
        given = [left.pop(0) for _ in range(count)]
        body = {"version": version, "offer": offer["id"], key: given if key == "dice" else given[0]}
        await visitor.post(f"{table.url}/commands", body)


SAM = (1, 2, 5, 5, 1, 2, 2, 6)
"""A SAM site with five missiles: spoofed, evaded, a hit; two are still to come."""
MIGS = (1, 5, 4, "amraam", 6)
"""Four MiG-23s, of which the first is shot down."""


def part(page: Element, name: str) -> Element:
    found = page.find(f"scene-{name}")
    assert found is not None, name
    return found


def of_class(element: Element, name: str) -> list[Element]:
    return [one for one in element.walk() if name in one.attrs.get("class", "").split()]


# The page.


async def test_the_stage_shows_the_picture_and_nothing_of_a_board(ann: Visitor) -> None:
    table = await fly(ann, mission())
    html = await ann.page(table.page)
    page = parse(html)
    for name in PARTS:
        assert part(page, name).elements() or name == "haze"
    assert page.duplicates() == []
    assert len(of_class(part(page, "route"), "wp")) == 25
    for name in ("board", "counters", "lit", "goto"):
        assert page.find(name) is None
    assert "data-zoom" not in html
    assert "hjkl" not in html
    assert " style=" not in html
    assert "<style" not in html


async def test_a_board_keeps_what_belongs_to_it(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    html = await ann.page(table.page)
    page = parse(html)
    assert page.find("board") is not None
    assert page.find("goto") is not None
    assert "data-zoom" in html
    assert 'id="scene-' not in html
    assert [one.text() for one in heads(page)] == [
        "Unit", "Type", "Hex", "Facing", "Alt.", "Speed", "State",
    ]  # fmt: skip


def heads(page: Element) -> list[Element]:
    text = page.find("text")
    assert text is not None
    return [one for one in text.walk() if one.tag == "th" and one.attrs.get("scope") == "col"]


async def test_units_as_text_have_the_columns_that_make_sense(ann: Visitor) -> None:
    table = await fly(ann, mission())
    page = parse(await ann.page(table.page))
    assert [one.text() for one in heads(page)] == ["Unit", "Type", "State"]
    row = page.find("row-jet-1")
    assert row is not None
    assert [one.text() for one in row.elements()] == ["Anvil", "F-14 Tomcat", "–"]


async def test_a_board_game_without_a_board_or_a_picture_still_has_a_page(ann: Visitor) -> None:
    table = await ann.sit("envelopes")
    page = parse(await ann.page(table.page))
    assert page.find("board") is None
    assert page.find("now") is not None
    assert "scene" not in await ann.get(table.url)


async def test_all_that_is_drawn_is_there(ann: Visitor) -> None:
    """Each shape that is used is defined in the page: for every type of target, and whatever happens."""
    kinds = list(tables.target_types())
    for first, second in zip(kinds[::2], kinds[1::2], strict=True):
        targets = [{"waypoint": 3, "type": first}, {"waypoint": 4, "type": second, "damage": 1}]
        table = await fly(ann, mission(pilot(), pilot("Bishop"), targets=targets), dice="server")
        assert_drawn(await ann.page(table.page))
        rng = random.Random(first)
        for _ in range(30):
            if await table.step(rng) is None:
                break
            assert_drawn(await ann.page(table.page))


def assert_drawn(html: str) -> None:
    used = set(re.findall(r'href="#([\w-]+)"', html)) - {"now", "h-table"}
    there = set(re.findall(r'id="([\w-]+)"', html))
    assert used - there == set()


async def test_the_page_is_small(ann: Visitor) -> None:
    table = await fly(ann, mission(pilot(career=CAPTAIN), pilot("Bishop"), waypoint=5), *SAM[:-1])
    html = await ann.page(table.page)
    assert len(gzip.compress(html.encode())) < 20_000
    sheet = await ann.http.get(f"/static/{GAME}/{GAME}.css")
    assert len(gzip.compress(sheet.content)) < 9_000


@pytest.mark.parametrize("call_sign", ["<u>&\"'</u>", '"><u>x</u>', "{{ 7*7 }}"])
async def test_names_are_text(ann: Visitor, call_sign: str) -> None:
    setup = mission(pilot(call_sign, career=CAPTAIN), pilot("Bishop", damage=6), waypoint=5)
    table = await fly(ann, setup, 1, 2, 2, 1, 5, 1)
    html = await ann.page(table.page)
    assert "<u>" not in html
    page = parse(html)
    for name in ("jets", "panel", "text"):
        assert call_sign in part(page, name).text()


async def test_the_set_up_page_shows_the_picture(ann: Visitor) -> None:
    page = parse(await ann.page(f"/games/{GAME}/setup"))
    assert len(of_class(part(page, "route"), "wp")) == 25
    assert "There is no board" not in page.text()


async def test_where_seats_are_no_rivals_nobody_wins(ann: Visitor) -> None:
    setup = mission(pilot(career=CAPTAIN), pilot("Bishop"), waypoint=23)
    table = await fly(ann, setup, 2, 2)
    page = parse(await ann.page(table.page))
    title = page.find("ask-title")
    assert title is not None
    assert title.text().strip() == "The game is over"
    crews = next(one for one in page.walk() if one.attrs.get("class") == "crews")
    assert "0 points, 0 kills" in crews.text()


# Frames.


async def test_frames_make_what_a_fresh_page_shows(house: House, ann: Visitor) -> None:
    """A whole mission by chance, in haze at first; after each step the parts are those of a new page."""
    setup = mission(pilot(), pilot("Bishop"), targets=[])
    table = await ann.sit(GAME, setup=setup, pace="step")
    shown = parse(await ann.page(table.page))
    stream = await ann.stream(f"{table.page}/frames?since={since_of(await ann.page(table.page))}")
    rng = random.Random(5)
    steps = 0
    while await table.step(rng) is not None:
        await settle()
        for message in stream.pending():
            if message.data:
                apply(shown, message.data)
        steps += 1
        if steps % 5 == 0:
            fresh = parse(await ann.page(table.page))
            for name in PARTS:
                assert part(shown, name).canonical() == part(fresh, name).canonical(), name
    assert steps > 60


async def targets_of(stream: Any) -> dict[str, int]:
    """What the frames since the last look replace, and how long each is."""
    await settle()
    data = "".join(one.data for one in stream.pending() if one.data)
    return {
        match[1]: len(match[0])
        for match in re.finditer(r'<hx-partial hx-target="#([\w-]+)".*?</hx-partial>', data)
    }


async def test_a_frame_brings_the_parts_that_have_changed(house: House, ann: Visitor) -> None:
    table = await fly(ann, mission(waypoint=10), *MIGS[:3])
    since = since_of(await ann.page(table.page))
    stream = await ann.stream(f"{table.page}/frames?since={since}")
    await targets_of(stream)
    await go_on(table, ["sidewinder", 1])
    sent = {name: size for name, size in (await targets_of(stream)).items() if "scene" in name}
    # Of a miss only the missile in flight is seen, and the stores that are left as text.
    assert set(sent) == {"scene-panel", "scene-text", "scene-jets"} - {"scene-jets"}
    await go_on(table, ["stop", 3])
    sent = {name: size for name, size in (await targets_of(stream)).items() if "scene" in name}
    assert set(sent) >= {"scene-panel", "scene-text", "scene-jets", "scene-route"}
    assert "scene-haze" not in sent
    assert "scene-targets" not in sent
    assert sum(sent.values()) < 8_000


# For scripts.


async def test_scripts_get_the_values(ann: Visitor) -> None:
    table = await fly(ann, mission(waypoint=5), *SAM)
    scene = (await ann.get(table.url))["scene"]
    assert scene["at"] == 6
    assert [one["outcome"] for one in scene["contact"]["missiles"]] == [
        "spoofed", "evaded", "hit", None, None,
    ]  # fmt: skip
    assert scene["haze"] == []
    schemas = (await ann.get("/openapi.json"))["components"]["schemas"]
    assert "scene" in schemas["View"]["properties"]
    assert "scene" not in schemas["View"]["required"]


async def test_a_game_without_a_picture_has_no_values(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    assert "scene" not in await ann.get(table.url)


async def test_the_haze_says_where_targets_may_be(ann: Visitor) -> None:
    table = await ann.sit(GAME, setup=mission(targets=[]), dice="hand", pace="flow")

    async def haze() -> list[tuple[str, int, int]]:
        scene = (await ann.get(table.url))["scene"]
        return [(one["id"], one["first"], one["last"]) for one in scene["haze"]]

    assert await haze() == [("primary", 3, 13), ("secondary", 5, 24)]
    page = parse(await ann.page(table.page))
    assert len(of_class(part(page, "haze"), "fog")) == 2
    assert "waypoint 3 to 13" in part(page, "text").text()
    await go_on(table, [3, 4])
    assert await haze() == [("primary", 8, 8), ("secondary", 10, 20)]
    await go_on(table, [2, 2])
    assert await haze() == []
    hidden = of_class(part(parse(await ann.page(table.page)), "targets"), "hidden")
    assert len(hidden) == 2
    await go_on(table, [5, 1])
    page = parse(await ann.page(table.page))
    assert of_class(part(page, "targets"), "hidden") == []
    assert "HQ Bunker" in part(page, "targets").text()


# The past.


async def test_history_shows_the_picture_as_it_was(ann: Visitor) -> None:
    table = await fly(ann, mission(waypoint=5), *SAM)
    version = (await ann.get(table.url))["version"]
    before = parse(await ann.page(f"{table.page}?at=3"))
    assert of_class(part(before, "panel"), "fight") == []
    now = parse(await ann.page(table.page))
    assert len(of_class(part(now, "panel"), "fight")) == 1
    assert len(of_class(part(now, "panel"), "hit")) == 1
    last = parse(await ann.page(f"{table.page}?at={version - 1}"))
    assert of_class(part(last, "panel"), "hit") == []
    assert (await ann.get(table.url, at=3))["scene"]["contact"] is None


# In words.


async def test_the_text_tells_all_that_the_panel_shows(ann: Visitor) -> None:
    setup = mission(pilot(career=CAPTAIN), pilot("Bishop", damage=2), waypoint=5)
    table = await fly(ann, setup, 1, 1, 5, 3, 5, 5, 1, 2)
    page = parse(await ann.page(table.page))
    told = re.sub(r"\s+", " ", part(page, "text").text())
    panel = re.sub(r"\s+", " ", part(page, "panel").text())
    assert "SAM site" in panel
    for one in ("Missile 1 for", "Missile 5 for", "to come"):
        assert one in told
    outcomes = re.findall(r"Missile \d for (\w+): ([a-z ]+)", told)
    assert outcomes == [
        ("Anvil", "hit"),
        ("Bishop", "spoofed"),
        ("Anvil", "evaded"),
        ("Bishop", "coming now"),
        ("Anvil", "to come"),
    ]
    shown = [one.text() for one in of_class(part(page, "panel"), "end")]
    assert shown == ["hit −1", "spoofed", "evaded", "incoming", "to come"]
    assert "Bishop" in told
    assert "2 of 7 damage" in told


async def test_migs_are_told_with_who_shot_them_down(ann: Visitor) -> None:
    setup = mission(pilot(career=CAPTAIN), pilot("Bishop"), waypoint=10)
    table = await fly(ann, setup, 1, 5, 3, "amraam@jet-2", 6)
    page = parse(await ann.page(table.page))
    panel = part(page, "panel")
    (won,) = of_class(panel, "won")
    assert "shot down by Anvil" in won.text()
    assert "MiG 2 for Bishop: shot down by Anvil" in part(page, "text").text()
    assert len(of_class(panel, "wait")) == 2
    crews = next(one for one in panel.walk() if one.attrs.get("class") == "crews")
    assert "−2" in crews.elements()[0].text()
    assert "−" not in crews.elements()[1].text()


async def test_a_fallen_jet_stays_where_it_was_hit(ann: Visitor) -> None:
    """The wingman goes down at 6 and is rescued; the leader is at 7 by then."""
    setup = mission(pilot(career=CAPTAIN), pilot("Bishop", damage=6), waypoint=5)
    setup["pilots"][1]["stores"] = {"chaff": 0}
    table = await fly(ann, setup, 1, 2, 2, 6, 6, 4, 2)
    scene = (await ann.get(table.url))["scene"]
    assert [(jet["name"], jet["status"], jet["fell"]) for jet in scene["jets"]] == [
        ("Anvil", "flying", None),
        ("Bishop", "rescued", 6),
    ]
    page = parse(await ann.page(table.page))
    (fallen,) = of_class(part(page, "jets"), "fell")
    assert "w6" in fallen.attrs["class"].split()
    assert "rescued" in part(page, "text").text()


async def test_an_empty_rack_is_seen_and_told(ann: Visitor) -> None:
    stores = {"cannon": 3, "amraam": 1, "sidewinder": 0, "maverick": 2, "chaff": 7}
    table = await fly(ann, mission(pilot(stores=stores, damage=3)))
    card = parse(await ann.page(table.page)).find("card-jet-1")
    assert card is not None
    labels = " | ".join(one.attrs["aria-label"] for one in card.walk() if "aria-label" in one.attrs)
    assert "1 of 2 AMRAAM, 0 of 2 Sidewinder, 2 of 2 Maverick" in labels
    assert "Damage: 3 of 7" in labels
    assert "Cannon bursts: 3 of 10" in labels
    assert "Chaff and flares: 7 of 12" in labels
    assert len(of_class(card, "store")) == 6
    assert len(of_class(card, "used")) == 3


async def test_another_aircraft_has_its_own_card(ann: Visitor) -> None:
    """The ruling for the F-18: six lamps and eight stores, each in a place of its own."""
    table = await fly(ann, mission(), rulings={"aircraft": "f18"})
    card = parse(await ann.page(table.page)).find("card-jet-1")
    assert card is not None
    assert "F-18 Hornet" in card.text()
    stores = of_class(card, "store")
    assert len({(one.attrs["x"], one.attrs["y"]) for one in stores}) == len(stores) == 8
    (damage,) = of_class(card, "hurt")
    assert sum(one.tag == "i" for one in damage.walk()) == 6
