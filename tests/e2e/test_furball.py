"""The board reads well in a furball: stacks, heights, shots, wrecks, in a small window and a large one."""

from collections.abc import Mapping
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk
from tests.e2e.furball import FURBALL, MELEE, crowd, open_table, play, shots_of, view_of
from tests.e2e.server import Server
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_phone import PHONE
from tests.e2e.visitors import Visitors

SCREENS: Mapping[str, dict[str, Any]] = {
    "1440": {"viewport": {"width": 1440, "height": 900}},
    "1920": {"viewport": {"width": 1920, "height": 1080}},
    "phone": PHONE,
}
# How tall a tag's digits must be in pixels of the screen.
LEGIBLE = {"1440": 9, "1920": 9, "phone": 5}

# All that is measured of the counters, in pixels.
COUNTERS = """() => [...document.querySelectorAll("#counters .unit[data-hex]")].map((unit) => {
  const box = (node) => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const hit = (b) => document.elementFromPoint((b[0] + b[2]) / 2, (b[1] + b[3]) / 2);
  const plate = box(unit.querySelector(".plate")), shade = box(unit.querySelector(".shade"));
  const texts = [...unit.querySelectorAll(".tag text")].filter((text) => getComputedStyle(text).opacity > 0);
  const ladder = unit.querySelector("[href='#ladder']"), high = unit.querySelector(".high");
  return {
    id: unit.dataset.unit, hex: unit.dataset.hex, plate, altitude: +texts[0].textContent,
    texts: texts.map((text) => ({ text: text.textContent, box: box(text), size: parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a, covered: hit(box(text))?.closest("[id^='u-']") !== unit })),
    middle: hit(plate)?.closest(".unit") === unit,
    filled: high.getBoundingClientRect().height / ladder.getBoundingClientRect().height,
    shadow: shade[0] - plate[0],
  };
})"""


@pytest.fixture
def table_of(visitors: Visitors) -> Any:
    """Opens a table with a set-up on a screen; the desk of its player."""

    def opened(setup: Mapping[str, Any], screen: str = "1440", **order: Any) -> Desk:
        page = visitors(**SCREENS[screen])
        page.goto("/")
        page.emulate_media(reduced_motion="no-preference")
        page.goto(f"/tables/{open_table(page.request, setup, **order)}")
        return Desk(page).ready()

    return opened


def overlap(a: list[float], b: list[float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    "setup", [FURBALL, *(crowd(many) for many in range(2, 9))], ids=["furball", *"2345678"]
)
def test_every_counter_can_be_read_and_hit(table_of: Any, setup: Any, screen: str) -> None:
    desk = table_of(setup, screen)
    found = desk.page.evaluate(COUNTERS)
    assert len(found) == len(setup["jets"])
    assert [one["altitude"] for one in found] == [jet["altitude"] for jet in setup["jets"]]
    texts = [(one["id"], text) for one in found for text in one["texts"]]
    assert len(texts) >= len(found)
    for n, (unit, text) in enumerate(texts):
        assert not text["covered"], f"{unit}: {text} lies under something"
        assert text["size"] >= LEGIBLE[screen], f"{unit}: {text} is too small"
        for other, its in texts[n + 1 :]:
            assert not overlap(text["box"], its["box"]), f"{unit} {text} meets {other} {its}"
    assert [one["id"] for one in found if not one["middle"]] == []


@pytest.mark.parametrize("many", [3, 8])
def test_heights_can_be_told_at_a_glance(table_of: Any, many: int) -> None:
    """By the ladder, the place in the stack, the size and the shadow: each in the order of altitude."""
    found = table_of(crowd(many)).page.evaluate(COUNTERS)
    by_height = sorted(found, key=lambda one: one["altitude"])
    assert len({one["altitude"] for one in found}) == many
    middles = [(one["plate"][1] + one["plate"][3]) / 2 for one in by_height]
    assert middles == sorted(middles, reverse=True)
    for cue in ("filled", "shadow"):
        shown = [one[cue] for one in by_height]
        assert shown == sorted(shown), cue
        assert len({round(value, 3) for value in shown}) == many, cue
    # Each side has a shape of its own, so sizes compare within a side.
    for side in ("blue", "red"):
        widths = [
            one["plate"][2] - one["plate"][0] for one in by_height if one["id"].startswith(side)
        ]
        assert widths == sorted(widths)


def test_ladders_compare_between_stacks(table_of: Any) -> None:
    found = table_of(FURBALL).page.evaluate(COUNTERS)
    assert len({one["hex"] for one in found}) == 3
    shown = sorted(found, key=lambda one: one["filled"])
    assert [one["altitude"] for one in shown] == sorted(one["altitude"] for one in found)
    equal = [one["filled"] for one in found if one["altitude"] == 5]
    assert len(equal) == 2
    assert abs(equal[0] - equal[1]) < 0.02


CONTRASTS = """() => {
  const rgb = (colour) => { const c = document.createElement("canvas").getContext("2d"); c.fillStyle = colour; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (colour) => { const [r, g, b] = rgb(colour).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const style = (node) => getComputedStyle(node);
  const smoke = document.createElementNS("http://www.w3.org/2000/svg", "g");
  smoke.setAttribute("class", "smoke");
  document.querySelector("#board").append(smoke);
  return [...document.querySelectorAll("#counters .unit[data-hex]")].map((unit) => {
    const paper = style(unit.querySelector(".plate")).fill, pill = style(document.querySelector("#tag .pill")).fill;
    return { text: ratio(style(unit.querySelector(".tag text")).fill, pill), jet: ratio(style(unit.querySelector(".sil")).fill, paper), ladder: ratio(style(unit.querySelector(".high")).stroke, pill), smoke: ratio(style(smoke).fill, style(document.querySelector(".land")).fill) };
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(table_of: Any, scheme: Literal["light", "dark"]) -> None:
    page = table_of(FURBALL).page
    page.emulate_media(color_scheme=scheme)
    for one in page.evaluate(CONTRASTS):
        assert one["text"] >= 7, one
        assert one["jet"] >= 4.5, one
        assert one["ladder"] >= 4.5, one
        assert one["smoke"] >= 4.5, one


# Lifting


def test_a_counter_is_lifted_from_its_stack(table_of: Any) -> None:
    """Under the pointer, or chosen: larger, whole, with its name, and over all the others."""
    page: Page = table_of(crowd(6)).page
    lifted = page.locator("#marks .lift")
    expect(lifted).to_have_count(0)
    box = page.locator("#u-red-2 .plate").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(lifted).to_have_attribute("href", "#u-red-2")
    # Still the counter's place, and larger than it was.
    large = lifted.bounding_box()
    assert large
    assert large["width"] > 1.5 * box["width"]
    assert large["x"] < box["x"]
    assert large["x"] + large["width"] > box["x"] + box["width"]
    # It says its speed and its name now.
    for shown in (".nm", "text.more"):
        expect(page.locator(f"#u-red-2 {shown}")).to_have_css("opacity", "1")
        expect(page.locator(f"#u-blue-1 {shown}")).to_have_css("opacity", "0")
    expect(page.locator("#peek")).to_contain_text("Red 2")
    expect(page.locator("#peek")).to_contain_text("5 more")
    page.mouse.move(5, 5)
    expect(lifted).to_have_count(0)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(5, 5)
    expect(lifted).to_have_attribute("href", "#u-red-2")
    page.keyboard.press("Escape")
    expect(lifted).to_have_count(0)


def test_a_counter_that_stands_alone_needs_no_lift(table_of: Any) -> None:
    page = table_of(FURBALL).page
    page.locator("#u-red-3 .sil").hover()
    expect(page.locator("#peek")).to_contain_text("Red 3")
    expect(page.locator("#marks .lift")).to_have_count(0)


# Shots and wrecks

# Notes which marks fly, and how many animations that starts.
WATCH = """() => {
  window.flown = {};
  new MutationObserver((all) => {
    for (const { target } of all) if (target.classList.contains("fly")) window.flown[target.id] = target.getAnimations({ subtree: true }).length;
  }).observe(document.querySelector("#board"), { subtree: true, attributes: true, attributeFilter: ["class"] });
}"""


def to_first_shot(desk: Desk, table: str) -> None:
    """The first attack is about to be rolled for."""
    view = play(
        desk.page.request, table, lambda view: view["offers"][0]["id"].startswith("attack:")
    )
    desk.reaches(view["version"])


def table_id(desk: Desk) -> str:
    return desk.page.url.rpartition("/")[2]


def test_shots_come_with_a_frame_and_go_with_the_next_move(table_of: Any) -> None:
    desk = table_of(MELEE, dice="hand")
    page, request, table = desk.page, desk.page.request, table_id(desk)
    shots, fallen = page.locator("#effects-above > .mark"), page.locator("#effects-below > .mark")
    to_first_shot(desk, table)
    expect(shots).to_have_count(0)
    page.evaluate(WATCH)
    view = play(request, table, lambda view: view["turn"] == 2)
    desk.reaches(view["version"])
    told = view["marks"]
    assert len(shots_of(view)) == 2
    expect(shots).to_have_count(2)
    expect(fallen).to_have_count(1)
    flown = page.evaluate("window.flown")
    assert set(flown) == {f"m-{mark['id']}" for mark in told}
    assert all(flown[f"m-{mark['id']}"] for mark in told), "something was not animated"
    expect(page.locator(".mark.fly")).to_have_count(0)
    desk.expect_as_fresh()

    # The same in words, and what was hit is seen on its counter.
    panel = desk.tab("Text")
    expect(panel.locator("#effects-text li")).to_have_text([mark["words"] for mark in told])
    assert "Blue 3 attacked Red 1" in " ".join(mark["words"] for mark in told)
    for unit in view["units"]:
        smokes = "damaged" in unit.get("states", ())
        expect(page.locator(f"#u-{unit['id']} .smoke")).to_have_count(int(smokes))
    assert page.locator("#counters .smoke").count() == 1
    expect(page.locator("#u-red-1 .plate")).to_have_count(0)  # it was shot down

    # They stay while the next turn is planned, and go when jets move again. The wreck stays.
    was = view["version"]
    view = play(request, table, lambda view: view["phase"]["id"] == "movement")
    desk.reaches(view["version"])
    while shots_of(view):
        seen = view["version"]
        view = play(request, table, lambda view, seen=seen: view["version"] > seen)
    desk.reaches(view["version"])
    expect(shots).to_have_count(0)
    expect(fallen).to_have_count(1)
    expect(fallen.locator(".wreck")).to_have_count(1)
    expect(panel.locator("#effects-text li")).to_have_count(1)

    # History shows them where they were.
    page.goto(f"{page.url.partition('?')[0]}?at={was}")
    expect(shots).to_have_count(2)
    expect(fallen.locator(".splash")).to_have_count(1)
    expect(page.locator(".mark.fly")).to_have_count(0)


def test_nothing_flies_for_those_who_want_it_still(table_of: Any) -> None:
    desk = table_of(MELEE, dice="hand")
    desk.page.emulate_media(reduced_motion="reduce")
    to_first_shot(desk, table_id(desk))
    desk.page.evaluate(WATCH)
    view = play(desk.page.request, table_id(desk), shots_of)
    desk.reaches(view["version"])
    expect(desk.page.locator("#effects-above > .mark")).to_have_count(1)
    flown = desk.page.evaluate("window.flown")
    assert flown
    assert not any(flown.values())
    assert desk.page.locator("#effects-above .burst").bounding_box()


def test_what_comes_with_everything_does_not_fly(own_server: Server, visitors: Visitors) -> None:
    """After a restart each page gets all anew; the shot that fell meanwhile is just there."""
    visitors.expect(r"ERR_|htmx:sse:error: (network error|Failed to fetch)")
    page = visitors(base_url=own_server.url)
    page.goto("/")
    table = open_table(page.request, MELEE, dice="hand")
    page.goto(f"/tables/{table}")
    desk = Desk(page).ready()
    to_first_shot(desk, table)
    page.evaluate(WATCH)
    page.context.set_offline(True)
    own_server.stop()
    own_server.start()
    view = play(page.request, table, shots_of)
    page.context.set_offline(False)
    desk.reaches(view["version"])
    expect(page.locator("#effects-above > .mark")).to_have_count(1)
    page.wait_for_timeout(100)
    assert page.evaluate("window.flown") == {}


def test_a_miss_passes_by(table_of: Any) -> None:
    desk = table_of(MELEE, dice="hand")
    view = play(desk.page.request, table_id(desk), lambda view: len(shots_of(view)) == 2, 1)
    desk.reaches(view["version"])
    assert not any(mark.get("good") for mark in view["marks"])
    expect(desk.page.locator("#effects-above .miss")).to_have_count(2)
    expect(desk.page.locator("#effects-above .burst")).to_have_count(0)
    expect(desk.page.locator("#counters .smoke")).to_have_count(0)


def test_what_an_aid_says_is_read_over_the_counters(table_of: Any) -> None:
    desk = table_of(MELEE, dice="hand")
    page = desk.page
    view = play(page.request, table_id(desk), lambda view: view["phase"]["id"] == "movement")
    desk.reaches(view["version"])
    page.locator("#aid").select_option("heat-never")
    label = page.locator("#overlay-labels text")
    expect(label).to_have_count(1)
    above = """node => !!(document.querySelector("#counters").compareDocumentPosition(node)
      & Node.DOCUMENT_POSITION_FOLLOWING)"""
    assert label.evaluate(above)
    page.locator("#aid").select_option("")
    expect(label).to_have_count(0)


@pytest.mark.parametrize("screen", ["1440", "phone"])
def test_it_is_accessible(table_of: Any, screen: str) -> None:
    desk = table_of(MELEE, screen, dice="hand")
    view = play(desk.page.request, table_id(desk), lambda view: view["turn"] == 2)
    desk.reaches(view["version"])
    desk.tab("Text")
    assert_accessible(desk.page, "shots")
    assert view_of(desk.page.request, table_id(desk))["marks"]
    desk.page.locator("#u-blue-1").focus()
    expect(desk.page.locator("#u-blue-1")).to_be_focused()
    assert_accessible(desk.page, "a counter that has the focus")
