"""axe finds nothing on any kind of page, by day and by night, on a screen and on a phone."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk, deal
from tests.e2e.test_phone import PHONE
from tests.e2e.visitors import Visitors

axe = Axe()
EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"]}
# What a colour scheme can change.
COLOURS = {**EVERYTHING, "runOnly": {"type": "rule", "values": ["color-contrast"]}}


def assert_accessible(page: Page, what: str) -> None:
    """By day with all rules, by night with those on colours."""
    found: list[str] = []
    schemes: tuple[tuple[Literal["light", "dark"], dict[str, Any]], ...]
    schemes = (("light", EVERYTHING), ("dark", COLOURS))
    for scheme, options in schemes:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        results = axe.run(page, options=options)
        if results.violations_count:
            found.append(f"{what}, {scheme}: {results.generate_report()}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "path", ["/", "/games/osaaf", "/games/osaaf/rules", "/tables", "/tables/nowhere"]
)
@pytest.mark.parametrize("device", ["screen", "phone"])
def test_plain_pages(visitors: Visitors, solo: Desk, path: str, device: str) -> None:
    visitors.expect("404")
    page = solo.page if device == "screen" else visitors(**PHONE)
    page.goto(path)
    page.locator("main details").evaluate_all("all => all.forEach(d => { d.open = true; })")
    assert_accessible(page, path)


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_a_table_from_deal_to_end(visitors: Visitors, device: str) -> None:
    options = PHONE if device == "phone" else {}
    desk = Desk.solo(visitors(**options))
    page, here = desk.page, desk.page.url
    assert_accessible(page, "plan")
    for name in ("Units", "Text", "Rules", "Dice", "Table"):
        if device == "phone":
            break  # the same panels
        desk.tab(name)
        assert_accessible(page, f"tab {name}")
    desk.tab("Log")
    desk.play_to("move")
    page.locator("#aid").select_option("heat-left-always")
    assert_accessible(page, "movement")
    desk.answer()
    page.goto(f"{here}?at={desk.version - 1}")
    assert_accessible(page, "history")
    page.goto(f"{here}/dice")
    assert_accessible(page, "dice")
    page.goto(here)
    desk.ready().tab("Table")
    page.get_by_role("button", name="Close this table…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("End this game?")
    assert_accessible(page, "confirm")
    page.get_by_role("button", name="End the game").click()
    expect(desk.primary).to_have_text("Play again")
    assert_accessible(page, "finished")


def test_a_shared_table(visitors: Visitors) -> None:
    page = visitors()
    page.goto("/")
    deal(page, "Play with a friend")
    share = page.locator("#share")
    share.wait_for()
    assert_accessible(page, "invitation")
    link = share.get_by_role("textbox", name="Invitation").input_value()
    watcher = visitors()
    watcher.goto(page.url)
    assert_accessible(watcher, "spectator")
    watcher.goto(link)
    assert_accessible(watcher, "join")
    watcher.get_by_role("button", name="Take the seat").click()
    expect(watcher.locator("#now")).to_be_visible()
    assert_accessible(watcher, "the other seat")
    late = visitors()
    late.goto(link)
    assert_accessible(late, "taken")


def test_dialogs(solo: Desk) -> None:
    page = solo.page
    for key in ("?", "g"):
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()
        assert_accessible(page, f"dialog {key}")
        page.keyboard.press("Escape")
    solo.confirm()
    solo.undo.click()
    page.locator("dialog[open]").wait_for()
    assert_accessible(page, "take back?")
