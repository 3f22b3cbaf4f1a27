"""Gunslingers in a browser: how many clicks a turn takes, what the board and the log show, the log sheet."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_phone import PHONE, SMALLEST
from tests.e2e.visitors import Visitors

MOST_CLICKS = 18
"""That a turn of two against two may take both players together, shots aside."""


def opened(page: Page) -> Desk:
    return Desk.open(page, {"game": "gunslingers", "scenario": "merge-guns", "mode": "solo"})


def go_on(desk: Desk, way: Callable[[Desk], str] = lambda desk: "Straight on") -> int:
    """Answer the open question in the plainest way. Returns the clicks that it took."""
    page, clicks = desk.page, 1
    if desk.kind == "fly":
        page.locator(".quick .token").get_by_text(way(desk), exact=True).click()
        expect(page.locator("#draft-read")).to_have_attribute("data-whole", "")
        clicks += 1
    elif page.locator("#act input[name=choice]:enabled").count():
        page.locator("#act input[name=choice]:enabled").first.check()
        clicks += 1
    before = desk.offer, desk.version
    desk.primary.click()
    desk.moved_on(*before)
    return clicks


def test_a_turn_takes_few_clicks(visitors: Visitors) -> None:
    desk = opened(visitors())
    places: set[tuple[float, ...]] = set()
    for turn in (1, 2):
        clicks = 0
        while desk.turn == turn:
            box = desk.primary.bounding_box()
            assert box
            places.add((box["x"], box["y"], box["width"], box["height"]))
            clicks += go_on(desk)
        assert clicks <= MOST_CLICKS
    assert len(places) == 1, "the button moves from prompt to prompt"
    desk.expect_as_fresh()


def test_how_a_jet_flies_is_changed_button_by_button(visitors: Visitors) -> None:
    desk = opened(visitors())
    while desk.kind != "settings":
        go_on(desk)
    page = desk.page
    expect(page.locator(".figures")).to_contain_text("Level flight, military power")
    expect(desk.primary).to_be_enabled()
    page.locator("#draft .next").get_by_text("Steep dive", exact=True).click()
    expect(page.locator("#line")).to_have_value("SD")
    page.locator("#draft .next").get_by_text("Idle", exact=True).click()
    expect(page.locator(".figures")).to_contain_text("Steep dive, idle")
    assert_accessible(page, "how it flies")
    unit = desk.unit
    go_on(desk)
    assert (desk.kind, desk.unit) == ("fly", unit)
    go_on(desk)
    # It has dived: its trail tells from which level, its log sheet where it is, the log says so once.
    height = page.locator("#trails text").first
    expect(height).to_be_attached()
    now = page.locator(f"#card-{unit} .dials dd").nth(2).text_content()
    assert int(height.text_content() or 0) > int(now or 0)
    flown = page.locator(f"#log-lines > li[data-unit={unit}]", has_text="facing")
    assert flown.count() > 1
    expect(flown.filter(visible=True)).to_have_count(1)
    page.locator("#log-filter").select_option(f"u:{unit}")
    expect(flown.filter(visible=True)).to_have_count(flown.count())


@pytest.mark.parametrize("options", [PHONE, {"viewport": {"width": 1600, "height": 900}}])
def test_the_log_sheet_fits(visitors: Visitors, options: dict[str, object]) -> None:
    desk = opened(visitors(**options))
    page = desk.page
    while desk.turn == 1:
        go_on(desk)
    panel = desk.tab("Units")
    rows = panel.locator("#card-blue-1 tbody tr")
    expect(rows).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == options["viewport"]["width"]  # pyright: ignore[reportIndexIssue]
    for card in panel.locator(".card").all():
        assert card.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert_accessible(page, "log sheets")


def test_tokens_can_be_hit_by_a_thumb(visitors: Visitors) -> None:
    desk = opened(visitors(**PHONE))
    while desk.kind != "fly":
        go_on(desk)
    for button in desk.page.locator("#draft .token, .quick .token").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= SMALLEST
