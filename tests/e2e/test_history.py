"""Looking back: the board of any moment, with the controls off."""

import re

from playwright.sync_api import expect

from tests.e2e.desk import Desk
from tests.e2e.visitors import Visitors


def test_a_log_line_shows_the_board_of_that_moment(solo: Desk) -> None:
    page = solo.page
    table = page.url
    solo.play_to("move")
    version, then = solo.version, solo.hexes()
    solo.play_turn()
    latest, now = solo.version, solo.hexes()
    assert now != then

    page.locator(f"#e{version} p").first.click()
    expect(page).to_have_url(f"{table}?at={version}")
    past = Desk(page)
    expect(past.title).to_have_text(f"Entry {version} of {latest}")
    assert past.hexes() == then
    expect(page.locator("#phases .current")).to_contain_text("Movement")
    for unit, hex in then.items():
        expect(page.locator(f"#row-{unit} td").nth(1)).to_have_text(hex)
    # Nothing can be done here.
    expect(past.options).to_have_count(0)
    expect(past.undo).to_have_count(0)
    expect(page.locator("#lit .place")).to_have_count(0)
    expect(page.locator("#now button, #now input")).to_have_count(0)
    expect(page.locator("#stream")).to_have_count(0)

    page.get_by_role("link", name="Later").click()
    expect(past.title).to_have_text(f"Entry {version + 1} of {latest}")
    page.get_by_role("link", name="Back to now").click()
    expect(page).to_have_url(table)
    assert solo.ready().hexes() == now
    assert solo.kind == "plan"


def test_brackets_step_through_the_game(solo: Desk) -> None:
    page = solo.page
    solo.play_to("altitude")
    latest, here = solo.version, page.url
    page.keyboard.press("[")
    expect(solo.title).to_have_text(f"Entry {latest - 1} of {latest}")
    page.keyboard.press("[")
    expect(solo.title).to_have_text(f"Entry {latest - 2} of {latest}")
    page.keyboard.press("]")
    expect(solo.title).to_have_text(f"Entry {latest - 1} of {latest}")
    page.keyboard.press("]")
    expect(page).to_have_url(here)
    assert solo.ready().kind == "altitude"


def test_looking_back_is_a_place_in_the_browsers_own_history(solo: Desk) -> None:
    page = solo.page
    here = page.url
    page.get_by_role("link", name="Show the board at entry 3").click()
    expect(page).to_have_url(re.compile(r"\?at=3$"))
    page.go_back()
    expect(page).to_have_url(here)
    solo.ready()
    assert solo.kind == "plan"


def test_the_log_can_be_sifted(solo: Desk) -> None:
    page = solo.page
    solo.play_to("move")
    solo.tab("Log")
    solo.page.locator("#log-filter").select_option("dicey")
    shown = page.locator("#log-lines .line:visible")
    expect(shown).not_to_have_count(0)
    assert shown.count() < solo.lines.count()
    for line in shown.all():
        expect(line.locator(".die").first).to_be_visible()
    # What comes later is sifted too.
    page.locator("#log-filter").select_option("u:red-1")
    solo.play_turn()
    units = page.locator("#log-lines .line:visible").evaluate_all(
        "all => all.map(l => l.dataset.unit)"
    )
    assert set(units) == {"red-1"}
    page.locator("#log-filter").select_option("")
    expect(page.locator("#log-lines .line:visible")).to_have_count(solo.lines.count())


def test_earlier_lines_come_when_asked_for(visitors: Visitors) -> None:
    desk = Desk.solo(visitors(), scenario="route-package")
    for _ in range(2):
        desk.play_turn()
    page = desk.page
    page.reload()
    desk.ready()
    desk.tab("Log")
    first = page.locator("#log-lines .line").first
    assert int(str(first.get_attribute("data-seq"))) > 1
    shown = desk.lines.count()
    page.get_by_role("link", name="Earlier entries").click()
    expect(desk.lines).not_to_have_count(shown)
    numbers = desk.lines.evaluate_all("all => all.map(l => +l.dataset.seq)")
    assert numbers == sorted(set(numbers))
    assert "at=" not in page.url
