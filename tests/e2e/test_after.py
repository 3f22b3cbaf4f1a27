"""After the game, in the browser: the end, what is told of it, and the rematch."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.desk import Desk
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_phone import PHONE
from tests.e2e.visitors import Visitors

Pair = tuple[Desk, Desk]


def played(desks: Pair) -> Pair:
    """A pair that has played a turn; the one that has the first seat then gives up."""
    turn = desks[0].turn
    for _ in range(60):
        if desks[0].turn != turn:
            break
        actor, other = desks if desks[0].offer else desks[::-1]
        other.reaches(actor.answer())
    desks[0].concede()
    return desks


def expect_within(page: Page) -> None:
    """Nothing sticks out at the side."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def box_of(turn: Locator) -> Locator:
    return turn.locator(".tl-box")


def test_two_players_end_a_game_and_swap_sides(pair: Pair, visitors: Visitors) -> None:
    blue, red = pair
    watcher = Desk(visitors())
    watcher.page.goto(blue.page.url)
    watcher.ready()
    expect(red.page.get_by_role("tab", name="After")).to_be_hidden()
    played(pair)
    # By the frames: nobody has loaded anything.
    for desk in (red, watcher):
        expect(desk.title).to_have_text("Red wins")
        expect(desk.page.get_by_role("tab", name="After")).to_be_visible()
    expect(red.primary).to_have_text("Rematch, same sides")
    expect(watcher.primary).to_have_text("Play it yourself")
    expect(watcher.page.get_by_role("button", name="Rematch")).to_have_count(0)
    old = red.page.url

    red.page.get_by_role("button", name="Rematch, sides swapped").click()
    expect(red.page).not_to_have_url(old)
    expect(red.page).to_have_url(re.compile(r"/tables/[\w-]+$"))
    red.ready()
    expect(red.page.locator("#seats .first")).to_contain_text("you")

    # The others see it at once, as a line and as the way there.
    for desk in (blue, watcher):
        expect(desk.lines.last).to_contain_text("Red has opened a rematch, sides swapped.")
        expect(desk.page.get_by_role("button", name="Rematch")).to_have_count(0)
        desk.expect_as_fresh()
    expect(watcher.primary).to_have_text("Watch the rematch")
    expect(blue.primary).to_have_text("Go to the rematch")
    blue.primary.click()
    expect(blue.page).to_have_url(red.page.url)
    blue.ready()
    expect(blue.page.locator("#seats .second")).to_contain_text("you")
    expect(red.page.locator("#seats .seat.here")).to_have_count(2)
    watcher.primary.click()
    expect(watcher.page).to_have_url(red.page.url)
    watcher.ready()
    expect(watcher.page.locator("#seats")).not_to_contain_text("you")

    # They play: what was blue's question is now the other person's.
    actor, other = (red, blue) if red.offer else (blue, red)
    other.reaches(actor.answer())


def test_the_charts_show_a_turn_when_it_is_pointed_at_or_focused(pair: Pair) -> None:
    blue, _ = played(pair)
    page = blue.page
    page.get_by_role("link", name="Timeline and luck").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("After the game")
    chart = page.get_by_role("group", name="Altitude at the end of each turn")
    turns = chart.locator(".tl-turn")
    expect(turns.first).to_have_attribute("aria-label", "Start, altitude: Blue 1 5, Red 1 5")
    expect(box_of(turns.first)).to_be_hidden()
    strip = turns.first.locator(".tl-strip").bounding_box()
    assert strip
    page.mouse.move(strip["x"] + strip["width"] / 2 + 3, strip["y"] + strip["height"] - 10)
    expect(box_of(turns.first)).to_be_visible()
    expect(box_of(turns.first)).to_contain_text("Start")
    page.mouse.move(2, 2)
    expect(box_of(turns.first)).to_be_hidden()
    # One stop of Tab for each chart; from there by arrow keys.
    turns.last.focus()
    expect(box_of(turns.last)).to_be_visible()
    page.keyboard.press("Home")
    expect(turns.first).to_be_focused()
    expect(box_of(turns.first)).to_be_visible()
    expect(box_of(turns.last)).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(turns.nth(1)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("group", name="Speed").locator(".tl-turn").last).to_be_focused()

    numbers = page.locator("details.tl-numbers")
    numbers.locator("summary").click()
    row = numbers.get_by_role("table", name="Altitude").get_by_role("row", name="Blue 1")
    expect(row.get_by_role("cell").first).to_have_text("5")
    for name in ("Blue", "Red"):
        expect(page.locator(".luck", has=page.get_by_role("heading", name=name))).to_have_count(1)


def test_the_tab_after_has_the_same(pair: Pair) -> None:
    blue, red = played(pair)
    panel = red.tab("After")
    expect(panel.locator(".luck")).to_have_count(2)
    expect(panel.locator("svg.tl")).to_have_count(2)
    turn = panel.locator("svg.tl").first.locator(".tl-turn").last
    turn.focus()
    expect(box_of(turn)).to_be_visible()
    before = red.page.locator("#board").get_attribute("viewBox")
    red.page.keyboard.press("ArrowLeft")
    expect(box_of(turn)).to_be_hidden()
    assert red.page.locator("#board").get_attribute("viewBox") == before, "the board has moved"
    # What is told stays when the rematch comes by a frame, and the tab is not where a new table opens.
    blue.primary.click()
    expect(red.primary).to_have_text("Go to the rematch")
    expect(panel.locator(".luck")).to_have_count(2)
    red.primary.click()
    red.ready()
    expect(red.page.get_by_role("tab", name="After")).to_be_hidden()
    expect(red.page.get_by_role("tab", selected=True)).not_to_have_text("After")


def test_a_solo_player_just_plays_again(solo: Desk) -> None:
    page = solo.page
    solo.play_turn()
    solo.concede()
    here = page.url
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    solo.primary.click()
    expect(page).not_to_have_url(here)
    solo.ready()
    assert solo.turn == 1


def test_after_without_javascript(visitors: Visitors) -> None:
    first = visitors()
    blue, red = Desk.pair(first, visitors())
    played((blue, red))
    page = visitors(java_script_enabled=False, storage_state=first.context.storage_state())
    page.goto(blue.page.url)
    page.locator("#now").get_by_role("link", name="Timeline and luck").click()
    expect(page.locator("svg.tl")).to_have_count(2)
    expect(page.locator(".luck")).to_have_count(2)
    page.get_by_role("button", name="Rematch, same sides").click()
    expect(page.locator("#seats .first")).to_contain_text("you")
    expect(page.locator("#after")).to_be_hidden()


def test_after_is_accessible_and_fits(visitors: Visitors) -> None:
    first = visitors()
    blue, _ = played(Desk.pair(first, visitors()))
    here = blue.page.url
    assert_accessible(blue.page, "finished")
    blue.tab("After")
    expect(blue.page.locator("#after .luck")).to_have_count(2)
    assert_accessible(blue.page, "tab After")
    phone = visitors(**PHONE, storage_state=first.context.storage_state())
    for page in (blue.page, phone):
        page.goto(here + "/after")
        page.locator("details.tl-numbers").evaluate("node => { node.open = true; }")
        page.locator(".tl-turn").first.focus()
        expect_within(page)
        assert_accessible(page, "after")
