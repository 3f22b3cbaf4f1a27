"""What is clicked is what was meant: nothing jumps, and the lit hex is the one that is chosen."""

from typing import Any

import pytest
from playwright.sync_api import expect

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
