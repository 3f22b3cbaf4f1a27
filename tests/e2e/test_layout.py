"""What is clicked is what was meant: nothing jumps, and the lit hex is the one that is chosen."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk
from tests.e2e.visitors import Visitors

SIZES = [(1366, 800), (360, 640)]
NEAR_THE_EDGE = 0.9
CORNERS = [(26, 0), (13, 22.5), (-13, 22.5), (-26, 0), (-13, -22.5), (13, -22.5)]
# Every other corner, and the middles of three sides.
POINTS = [
    *CORNERS[::2],
    *[
        ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for a, b in zip(CORNERS[::2], CORNERS[1::2], strict=True)
    ],
]
TO_SCREEN = """([label, points]) => {
  const g = document.querySelector(`#lit [data-hex="${label}"]`), m = g.getScreenCTM();
  return points.map(([x, y]) => { const p = new DOMPoint(x, y).matrixTransform(m); return [p.x, p.y]; });
}"""

# Chooses something else first. Says whether a click there meets the board and nothing that lies over it.
CLEAR = """([x, y]) => {
  document.querySelector("#act input[value='\\"left-all\\"']").checked = true;
  return !!document.elementFromPoint(x, y)?.closest("#board");
}"""


def place_of(desk: Desk, selector: str) -> tuple[float, float, float, float]:
    box = desk.page.locator(selector).bounding_box()
    assert box, f"{selector} is not shown"
    return (round(box["x"]), round(box["y"]), round(box["width"]), round(box["height"]))


@pytest.mark.parametrize(("width", "height"), SIZES, ids=lambda n: str(n))
def test_primary_and_undo_keep_their_place(visitors: Visitors, width: int, height: int) -> None:
    """U-23: over a whole turn, from prompt to prompt, and while the other seat acts."""
    small = {"is_mobile": True, "has_touch": True} if width < 500 else {}
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}, **small}
    desks = Desk.pair(visitors(**options), visitors(**options))
    turn = desks[0].turn
    seen: dict[str, set[Any]] = {"#primary": set(), "#undo": set()}
    kinds: set[str] = set()
    for _ in range(40):
        if desks[0].turn != turn:
            break
        for desk in desks:
            for selector, places in seen.items():
                places.add(place_of(desk, selector))
        actor, other = desks if desks[0].offer else (desks[1], desks[0])
        kinds.add(actor.kind)
        other.reaches(actor.answer())
    assert {"plan", "altitude", "move"} <= kinds
    assert {selector: len(places) for selector, places in seen.items()} == {
        "#primary": 1,
        "#undo": 1,
    }, seen


@pytest.fixture
def moving(solo: Desk) -> Desk:
    """A solo table where a jet is to move and may try to turn: three hexes are lit in front of it."""
    for _ in range(2):
        solo.play_to("plan")
        solo.plan(hard_turns=2)
        solo.confirm()
    return solo.play_to("move")


def test_the_lit_hex_is_the_one_that_is_chosen(moving: Desk) -> None:
    """U-01: at the edges of each hex, after zooming, resizing and a prompt of another height."""
    page = moving.page
    clicked = 0

    def zoom(step: int, times: int) -> None:
        box = page.locator("#lit .place use").first.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for _ in range(times):
            page.mouse.wheel(0, step)

    def resize(width: int, height: int) -> None:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)  # the observer of the board's size has had its turn

    clicked += _click_all(moving)
    zoom(-60, 3)
    clicked += _click_all(moving)
    zoom(60, 6)
    clicked += _click_all(moving)
    resize(1040, 700)
    clicked += _click_all(moving)
    page.evaluate("document.querySelector('#now .why').textContent += ' more of it'.repeat(40)")
    clicked += _click_all(moving)
    resize(700, 900)
    page.keyboard.press("0")
    clicked += _click_all(moving)
    assert clicked > 60


def _click_all(desk: Desk) -> int:
    """Click near every corner and side of each lit hex that is in view."""
    page = desk.page
    board = page.locator("#board").bounding_box()
    assert board
    clicked = 0
    for value in ("left", "right", "ahead"):
        radio = desk.radio(value)
        label = radio.get_attribute("data-place")
        points = [(x * NEAR_THE_EDGE, y * NEAR_THE_EDGE) for x, y in POINTS]
        for x, y in page.evaluate(TO_SCREEN, [label, points]):
            if not page.evaluate(CLEAR, [x, y]):
                continue
            page.mouse.click(x, y)
            on = page.evaluate(
                "document.querySelector('#act input[name=choice]:checked').dataset.place"
            )
            assert on == label, f"clicked {label} at {x:.0f}, {y:.0f}"
            clicked += 1
    assert clicked, "no lit hex was in view"
    return clicked


def test_a_long_prompt_scrolls_and_hides_nothing(solo: Desk) -> None:
    page = solo.page
    page.set_viewport_size({"width": 1024, "height": 560})
    for selector in ("#primary", "#undo"):
        box = page.locator(selector).bounding_box()
        assert box
        assert box["y"] + box["height"] <= 560
    last = page.locator("#act .opt").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()


# A phone on its side, and pages at 200 %.
LOW = [(640, 360), (844, 390), (1024, 400), (1280, 400)]


def assert_usable(page: Page) -> None:
    """The buttons and the unit that is to act are in the window, and the board is no taller than it."""
    window = page.viewport_size
    assert window
    for selector in ("#primary", "#undo", ".stage"):
        box = page.locator(selector).bounding_box()
        assert box, f"{selector} is not shown"
        assert 0 <= box["x"] <= window["width"] + 0.5 - box["width"], (selector, box)
        assert 0 <= box["y"] <= window["height"] + 0.5 - box["height"], (selector, box)
    assert page.evaluate(ON_TOP, "#primary"), "something lies over the button"
    assert page.evaluate(ON_TOP, "#counters .acting .plate"), "the unit to act is not seen"


ON_TOP = """(selector) => {
  const node = document.querySelector(selector), b = node.getBoundingClientRect();
  const top = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);
  return selector.startsWith("#counters") ? !!top?.closest("#board") : node.contains(top);
}"""


@pytest.mark.parametrize(("width", "height"), LOW, ids=lambda n: str(n))
def test_a_low_window_is_usable(visitors: Visitors, width: int, height: int) -> None:
    touch = {"is_mobile": True, "has_touch": True} if width < 900 else {}
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}, **touch}
    desk = Desk.solo(visitors(**options))
    kinds: set[str] = set()
    for _ in range(12):
        kinds.add(desk.kind)
        assert_usable(desk.page)
        if desk.kind == "move":
            break
        desk.answer()
    assert {"plan", "move"} <= kinds
    # Reading on in the panel takes nothing away.
    desk.page.locator(".side").evaluate("node => { node.scrollTop = node.scrollHeight; }")
    assert_usable(desk.page)


def test_turning_the_phone_keeps_the_unit_in_view(visitors: Visitors) -> None:
    upright, lying = {"width": 360, "height": 640}, {"width": 640, "height": 360}
    phone: dict[str, Any] = {"viewport": upright, "is_mobile": True, "has_touch": True}
    desk = Desk.solo(visitors(**phone))
    for _ in range(2):
        desk.play_to("plan")
        desk.plan(hard_turns=2)
        desk.confirm()
    desk.play_to("move")
    page = desk.page
    for size in (lying, upright, lying, upright):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.wait_for_timeout(150)  # the observer of the board's size has had its turn
        assert_usable(page)
        for value in ("left", "right", "ahead"):
            assert_whole_hex(page, str(desk.radio(value).get_attribute("data-place")))


def assert_whole_hex(page: Page, label: str) -> None:
    """The lit hex is not cut off by the board's edge, nor under the facts or the tools."""
    hex_ = page.locator(f"#lit [data-hex='{label}'] use").first.bounding_box()
    stage = page.locator(".stage").bounding_box()
    assert hex_
    assert stage
    assert hex_["x"] >= stage["x"]
    assert hex_["y"] >= stage["y"]
    assert hex_["x"] + hex_["width"] <= stage["x"] + stage["width"] + 1
    for selector in ("#facts > div", ".zoom", ".aids"):
        for one in page.locator(selector).all():
            over = one.bounding_box()
            assert not overlap(hex_, over), f"{label} is under {selector}"


def overlap(a: Any, b: Any) -> bool:
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


@pytest.mark.parametrize("size", [(1280, 800), (1000, 700), (768, 1024), (640, 360), (360, 640)])
def test_facts_and_tools_lie_apart(visitors: Visitors, size: tuple[int, int]) -> None:
    options: dict[str, Any] = {"viewport": {"width": size[0], "height": size[1]}}
    page = Desk.solo(visitors(**options), "route-package").page
    page.locator("#aid").select_option("heat-left-always")
    tools = page.locator(".tools").bounding_box()
    for fact in page.locator("#facts > div").all():
        assert not overlap(fact.bounding_box(), tools)
        assert fact.evaluate("node => node.scrollWidth <= node.clientWidth")


IN_SIGHT = """() => [...document.querySelectorAll("#counters .k")].map((counter) => {
  const c = counter.getBoundingClientRect();
  const over = document.elementFromPoint(c.x + c.width / 2, c.y + c.height / 2);
  return !!over?.closest("#board");
})"""


@pytest.mark.parametrize(
    ("width", "height"), [*SIZES, (844, 390), (1920, 1080)], ids=lambda n: str(n)
)
def test_the_first_view_shows_every_unit(visitors: Visitors, width: int, height: int) -> None:
    """Not the whole board, and nothing under the tools."""
    desk = Desk.solo(visitors(viewport={"width": width, "height": height}))
    expect(desk.page.locator("#counters .k")).to_have_count(2)
    assert desk.page.evaluate(IN_SIGHT) == [True, True]
