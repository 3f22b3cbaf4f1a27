"""A game against a bot: from the home page, through its turns, back past them, and over a power cut."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk
from tests.e2e.server import Server
from tests.e2e.visitors import Visitors

MINE = re.compile(r"^(?!.*is deciding)")


def deal(page: Page) -> Desk:
    """The quick button of the home page: the second seat is the bot's."""
    page.goto("/")
    page.get_by_role("button", name=re.compile("^Play against ")).first.click()
    return Desk(page).ready()


def play_on(desk: Desk) -> int:
    """Answer one question plainly and wait until the next one is the person's. Returns the version."""
    version = desk.answer()
    until_mine(desk)
    return version


def until_mine(desk: Desk) -> None:
    """Wait until the question is the person's. Whose turn it is may change with each frame."""
    expect(desk.title).to_have_text(MINE, timeout=30_000)
    expect(desk.page.locator("#primary:not(.idle)")).to_be_visible(timeout=30_000)


def by_bot(desk: Desk) -> int:
    """How many lines of the log are the second side's units'."""
    return desk.lines.filter(has=desk.page.locator(".chip.second:not(.bare)")).count()


def test_two_turns_against_a_bot(visitors: Visitors) -> None:
    page = visitors()
    desk, start = deal(page), dict[str, str]()
    for _ in range(5):  # somebody may be shot down before that
        seat = page.locator("#seats .seat.second")
        title = seat.locator(".bot").inner_text()
        assert title
        expect(seat).not_to_have_class(re.compile("free"))
        expect(page.locator("#table .invite")).to_have_count(0)
        start = desk.hexes()
        while desk.turn < 3 and not desk.over:
            # Every question that comes up is the person's own.
            expect(page.locator("#now .chip.first").first).to_be_attached()
            play_on(desk)
        if not desk.over:
            break
        desk = deal(page)
    assert desk.turn == 3
    assert by_bot(desk) > 0
    assert all(desk.hexes()[unit] != hex for unit, hex in start.items())
    desk.expect_as_fresh()


def to_the_bots_answer(desk: Desk) -> tuple[int, str]:
    """Play until the bot has decided after one's answer; the version and the question before that."""
    until_mine(desk)  # the bot may be the first to be asked
    for _ in range(20):
        before, asked, lines = desk.version, desk.offer, by_bot(desk)
        play_on(desk)
        if by_bot(desk) > lines:
            return before, asked
    raise AssertionError("the bot did not decide")


def test_undo_leads_back_past_the_bot(visitors: Visitors) -> None:
    """Its decisions go with one's own; nobody has to agree."""
    desk = deal(visitors())
    before, asked = to_the_bots_answer(desk)
    desk.undo.click()
    yes = desk.page.locator("#undo-yes")
    expect(yes.or_(desk.page.locator("#log-lines .struck").first).first).to_be_visible()
    if yes.is_visible():
        yes.click()
    expect(desk.page.locator("#log-lines .struck")).not_to_have_count(0)
    expect(desk.page.locator("#act input[name=offer]")).to_have_attribute("value", asked)
    assert desk.version > before
    desk.expect_as_fresh()


def test_watchers_see_that_the_bot_decides(
    own_server: Server, visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a long pause: the page says who decides and offers no control but Undo; then power is cut."""
    visitors.expect(r"ERR_|htmx:sse:error: (network error|Failed to fetch)")
    monkeypatch.setenv("CONTRAIL_BOT_PAUSE_MS", "1500")
    own_server.stop()
    own_server.start()
    desk = deal(visitors(base_url=own_server.url))
    for _ in range(12):
        if "is deciding" in desk.title.inner_text():
            break
        desk.answer()
    expect(desk.title).to_contain_text("is deciding")
    expect(desk.page.locator("#primary")).to_have_class(re.compile(r"\bidle\b"))
    expect(desk.page.locator("#act input[name=choice]")).to_have_count(0)
    expect(desk.undo).to_be_enabled()
    version = desk.version
    own_server.kill()
    expect(desk.page.locator("#banner")).to_contain_text("Reconnecting")
    own_server.start()
    expect(desk.page.locator("#banner")).to_be_empty(timeout=8_000)
    # It goes on by itself: to load the table is enough.
    desk.after(version)
    expect(desk.title).to_have_text(MINE, timeout=30_000)
    desk.expect_as_fresh()


def test_who_plays_each_side_is_chosen_without_javascript(visitors: Visitors) -> None:
    page = visitors(java_script_enabled=False)
    page.goto("/games/osaaf")
    bots = page.locator("select[name='bot.1'] option")
    title = bots.nth(1).inner_text()
    page.locator("select[name='bot.1']").select_option(index=1)
    page.get_by_role("button", name="Deal the table").click()
    expect(page.locator("#seats .seat.first .bot")).to_have_text(title)
    expect(page.locator("#seats .seat.second .bot")).to_have_count(0)
    for _ in range(20):  # nobody watches, so the bot makes no pauses
        if page.locator("#act input[name=choice]").count():
            break
        page.get_by_role("link", name="Look again").click()
    expect(page.locator("#now .chip.second")).to_be_visible()
    # With a friend the bots' choices are not there.
    page.goto("/games/osaaf")
    page.locator("input[value=shared]").check()
    expect(page.locator("select[name='bot.1']")).to_be_hidden()
