"""The game without any script: forms and links only."""

import pytest
from playwright.sync_api import expect

from tests.e2e.desk import Desk, deal
from tests.e2e.visitors import Visitors


@pytest.fixture
def plain(visitors: Visitors) -> Desk:
    page = visitors(java_script_enabled=False)
    page.goto("/")
    deal(page, "Play solo")
    return Desk(page)


# evaluate() runs even where the page's own scripts are off, so a Desk reads as usual.


def test_a_whole_turn_by_forms(plain: Desk) -> None:
    page = plain.page
    expect(page.locator("[role=tab]")).to_have_count(0)
    for name in ("log", "units", "text", "rules", "dice", "table"):
        expect(page.locator(f"#{name}")).to_be_visible()
    start = plain.hexes()
    plain.page.locator(".toggle input").check()
    plain.plan(hard_turns=1)
    plain.confirm()
    assert plain.kind == "altitude"
    plain.play_turn()
    assert all(plain.hexes()[unit] != hex for unit, hex in start.items())
    expect(plain.lines.filter(has_text="afterburner")).not_to_have_count(0)


def test_take_back_asks_on_a_page_of_its_own(plain: Desk) -> None:
    page = plain.page
    table = page.url
    plain.confirm()
    version = plain.version
    plain.undo.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Take this back?")
    expect(page.locator("main")).to_contain_text("energy roll")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#primary")).to_be_visible()  # a click does not wait for the next page
    assert plain.version == version
    plain.undo.click()
    page.get_by_role("button", name="Take back").click()
    expect(page).to_have_url(table)
    assert plain.kind == "plan"
    expect(page.locator("#log-lines .struck", has_text="energy roll")).to_have_count(1)


def test_closing_takes_two_steps(plain: Desk) -> None:
    page = plain.page
    page.get_by_role("button", name="Close this table…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("End this game?")
    expect(page.locator("main")).to_contain_text("nothing more can be played or taken back")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator("#primary")).to_be_visible()  # a click does not wait for the next page
    assert plain.kind == "plan"
    page.get_by_role("button", name="Close this table…").click()
    page.get_by_role("button", name="End the game").click()
    expect(plain.primary).to_have_text("Play again")


def test_history_and_rules_are_links(plain: Desk) -> None:
    page = plain.page
    plain.confirm()
    page.get_by_role("link", name="Show the board at entry 3").click()
    expect(plain.title).to_have_text(
        f"Entry 3 of {plain.page.locator('#version').get_attribute('data-latest')}"
    )
    page.get_by_role("link", name="Back to now").click()
    expect(page.locator("#now:not(.past) #primary")).to_be_visible()
    assert plain.kind == "altitude"
    page.locator("#act .why .rule").click()
    expect(page.locator(":target")).to_contain_text("EN-16")
