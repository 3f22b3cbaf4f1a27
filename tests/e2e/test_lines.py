"""Lines of text, orders of units and long turns in a browser, in a game that has all of them."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.desk import Desk
from tests.e2e.server import Server, write_entry_points
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_gunslingers import go_on
from tests.e2e.test_layout import overlap
from tests.e2e.test_phone import PHONE, SMALLEST
from tests.e2e.visitors import Visitors

GAMES = {"patrol": "tests.web.patrol", "skirmish": "tests.web.skirmish"}
Opens = Callable[..., Desk]


@pytest.fixture(scope="module")
def plugged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with more games."""
    folder = tmp_path_factory.mktemp("plugged")
    running = Server(folder / "data", write_entry_points(folder / "plugins", **GAMES))
    running.start()
    yield running.url
    running.stop()


@pytest.fixture
def guests(browser: Browser, plugged: str) -> Iterator[Visitors]:
    everybody = Visitors(browser, plugged)
    yield everybody
    everybody.leave()


@pytest.fixture
def moving(guests: Visitors) -> Opens:
    """Opens a patrol whose first aircraft is to move."""

    def opens(**options: Any) -> Desk:
        desk = Desk.open(guests(**options), {"game": "patrol", "scenario": "two", "mode": "solo"})
        desk.confirm()
        expect(desk.page.locator("#next-1")).to_be_visible()
        # Its script has come: only then do keys do anything.
        expect(desk.page.locator("#keys kbd").get_by_text("Backspace")).to_have_count(1)
        return desk

    return opens


def line_is(page: Page, text: str) -> None:
    """The field has this line, and it has been read."""
    expect(page.locator("#line")).to_have_value(text)
    expect(page.locator("#draft-read")).to_have_attribute("data-asked", text)


def token(page: Page, label: str) -> None:
    """Press the button of a token that may follow."""
    page.locator("#draft .next").get_by_text(label, exact=True).click()


def test_a_line_is_put_together_by_buttons(moving: Opens) -> None:
    desk = moving()
    page = desk.page
    expect(desk.primary).to_be_disabled()
    token(page, "HC")
    line_is(page, "HC")
    token(page, "HTL")
    line_is(page, "HC,HTL")
    expect(page.locator(".so-far")).to_have_count(2)
    expect(page.locator(".figures")).to_contain_text("Altitude13")
    page.locator("#draft-back").click()
    line_is(page, "HC")
    page.locator("#draft-clear").click()
    line_is(page, "")
    page.locator(".quick").get_by_text("Straight on").click()
    line_is(page, "H,H,H,H")
    expect(desk.primary).to_be_enabled()
    page.locator("#token-2").click()
    line_is(page, "H")
    expect(desk.primary).to_be_disabled()
    for count in (2, 3, 4):
        token(page, "H")
        line_is(page, ",".join("H" * count))
    desk.confirm()
    expect(desk.lines.last).to_contain_text("flies H,H,H,H")
    # The next question begins with an empty line.
    line_is(page, "")


def test_a_line_is_typed(moving: Opens) -> None:
    desk = moving()
    line, fault = desk.page.locator("#line"), desk.page.locator("#draft-fault")
    line.press_sequentially("hc,hq", delay=15)
    expect(fault).to_contain_text("HQ is no token.")
    expect(fault).to_contain_text("Good as far as HC")
    expect(fault).to_have_role("status")
    expect(line).to_have_value("hc,hq")
    expect(line).to_be_focused()
    line.press("Enter")
    assert desk.offer == "move-1-r1"
    line.fill("hc,h,h")
    expect(fault).to_be_empty()
    line.press("Enter")
    expect(fault).to_have_text("The line is not complete yet.")
    line.press_sequentially(",h")
    expect(desk.primary).to_be_enabled()
    before = desk.version
    line.press("Enter")
    desk.after(before)
    expect(desk.lines.last).to_contain_text("flies HC,H,H,H")


def test_a_line_is_made_with_the_keys_alone(moving: Opens) -> None:
    desk = moving()
    page = desk.page
    page.evaluate("document.activeElement.blur()")
    for key, line in (
        ("2", "HC"),
        ("1", "HC,H"),
        ("Backspace", "HC"),
        ("1", "HC,H"),
        ("1", "HC,H,H"),
        ("1", "HC,H,H,H"),
    ):
        page.keyboard.press(key)
        line_is(page, line)
    expect(desk.primary).to_be_enabled()
    before = desk.version
    page.keyboard.press("Enter")
    desk.after(before)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("Backspace")


def test_the_focus_stays_with_the_tokens(moving: Opens) -> None:
    page = moving().page
    page.locator("#next-1").focus()
    for line in ("H", "H,H", "H,H,H"):
        page.keyboard.press("Enter")
        line_is(page, line)
        expect(page.locator("#next-1")).to_be_focused()
    page.keyboard.press("Enter")
    line_is(page, "H,H,H,H")  # nothing may follow now
    expect(page.locator("#primary")).to_be_focused()


def test_the_board_shows_where_a_line_leads(moving: Opens) -> None:
    desk = moving()
    page = desk.page
    # A hexside 30 degrees off north, lit as a place of its own.
    lit = page.locator("#lit .place")
    expect(lit).to_have_attribute("data-hex", "0306/0407")
    lit.click()
    line_is(page, "H")
    expect(page.locator("#preview .end")).to_have_attribute(
        "transform", "translate(123.5 281.25) rotate(30)"
    )
    token(page, "HTR")
    line_is(page, "H,HTR")
    # From 0407 on: 0406 lies half a column further; east by north-east is 60 degrees.
    expect(page.locator("#preview .end")).to_have_attribute(
        "transform", "translate(143 247.5) rotate(60)"
    )
    expect(page.locator("#preview text")).to_have_text("12")
    expect(page.locator("#preview use")).to_have_count(2)


def test_a_click_on_a_hexside_takes_its_counter(moving: Opens) -> None:
    desk = moving()
    page = desk.page
    page.locator("#u-r2").click()
    expect(page.locator("#card-r2")).to_have_class(re.compile(r"\bsel\b"))
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("g")
    page.locator("#goto-hex").fill("0207/0307")
    page.keyboard.press("Enter")
    expect(page.locator("#card-r2")).to_have_class(re.compile(r"\bsel\b"))


def test_a_line_outlives_what_others_do(moving: Opens) -> None:
    """The table moves on elsewhere: the question is drawn anew, the line stays."""
    desk = moving()
    page = desk.page
    page.locator("#line").fill("hc,h")
    line_is(page, "hc,h")
    page.request.post(f"{page.url}/word", form={"word": "tailwind"})
    expect(page.locator("#log-lines .line").last).to_contain_text("tailwind")
    line_is(page, "hc,h")
    expect(page.locator(".so-far")).to_have_count(2)


def test_a_line_that_comes_too_late_is_told(moving: Opens) -> None:
    desk = moving()
    page = desk.page
    page.locator("#line").fill("hc,hd")
    line_is(page, "hc,hd")
    form: dict[str, Any] = {"version": str(desk.version), "offer": "move-1-r1", "text": "h,h,h,h"}
    assert page.request.post(f"{page.url}/commands", form=form).ok
    expect(page.locator("#notice")).to_contain_text("Your line was: hc,hd")
    assert desk.offer == "move-1-r2"
    line_is(page, "")


def test_without_a_script(guests: Visitors) -> None:
    page = guests(java_script_enabled=False)
    form: dict[str, Any] = {"game": "patrol", "scenario": "two", "mode": "solo"}
    answer = page.request.post("/tables", form=form, max_redirects=0)
    page.goto(answer.headers["location"])
    page.locator("#primary").click()
    page.locator("#line").fill("hc,hq")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#draft-fault")).to_contain_text("HQ is no token.")
    expect(page.locator("#line")).to_have_value("hc,hq")
    page.locator("#line").fill("hc")
    page.get_by_role("button", name="Check").click()
    for _ in range(3):
        page.locator("#next-1").click()
    expect(page.locator("#line")).to_have_value("HC,H,H,H")
    page.locator("#primary").click()
    expect(page.locator("#log-lines")).to_contain_text("flies HC,H,H,H")


def test_the_order_stands_by_and_lights_its_counters(moving: Opens) -> None:
    desk = moving(viewport={"width": 1366, "height": 900})
    page, queue = desk.page, desk.page.locator("#queue")
    expect(queue.locator("li[aria-current]")).to_contain_text("Anvil 1")
    queue.locator("[data-light=b1]").hover()
    expect(page.locator("#marks .lit")).to_have_count(1)
    page.locator("#line").hover()
    expect(page.locator("#marks .lit")).to_have_count(0)
    queue.locator("[data-light=b1]").focus()
    expect(page.locator("#marks .lit")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#card-b1")).to_have_class(re.compile(r"\bsel\b"))
    page.locator(".quick").get_by_text("Straight on").click()
    line_is(page, "H,H,H,H")
    desk.confirm()
    expect(queue.locator("li[aria-current]")).to_contain_text("Anvil 2")
    # Folded up it stays so, whatever comes.
    queue.locator("summary").click()
    page.locator(".quick").get_by_text("Straight on").click()
    line_is(page, "H,H,H,H")
    desk.confirm()
    expect(queue.locator("summary")).to_contain_text("2 of 7 done")
    expect(queue.locator("ol").first).to_be_hidden()


def test_nothing_jumps_when_another_option_is_chosen(guests: Visitors) -> None:
    page = Desk.open(guests(), {"game": "patrol", "scenario": "two", "mode": "solo"}).page
    where = "() => [...document.querySelectorAll('.opt')].map(o => o.getBoundingClientRect().top)"
    page.locator(".ask").evaluate("node => { node.scrollTop = 0; }")
    heights = "() => document.querySelector('.ask').scrollHeight"
    before, tall = page.evaluate(where), page.evaluate(heights)
    for number in range(5):
        page.locator("#act input[name=choice]").nth(number).check()
        page.locator(".ask").evaluate("node => { node.scrollTop = 0; }")
        assert page.evaluate(where) == before
        assert page.evaluate(heights) == tall
        shown = page.locator(".opt .terms:visible")
        expect(shown).to_have_count(1)
        expect(shown.locator("tfoot td")).to_have_text(("5", "6", "3", "5", "1")[number])
        last = page.locator(".opt").last.bounding_box()
        assert not overlap(shown.bounding_box(), last)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_turn_shows_where_it_is(guests: Visitors, width: int) -> None:
    """In one line, with the phase that is played wholly in sight, at each of its ends too."""
    options: dict[str, Any] = (
        PHONE if width == 360 else {"viewport": {"width": 1280, "height": 800}}
    )
    page = guests(**options)
    fields = {"game": "patrol", "scenario": "two", "mode": "solo", "pace": "step"}
    desk = Desk.open(page, fields)
    seen: set[str] = set()
    for _ in range(24):
        now = page.locator("#phases > ol > li[aria-current=step]")
        if now.count():
            seen.add(page.evaluate("document.querySelector('#phases li[aria-current]').innerText"))
            track, box = page.locator("#phases > ol").bounding_box(), now.bounding_box()
            assert track
            assert box
            assert box["width"] <= track["width"] + 1
            assert box["x"] >= track["x"] - 1
            assert box["x"] + box["width"] <= track["x"] + track["width"] + 1
            assert box["height"] <= 50
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if desk.offer.startswith("move"):
            page.locator(".quick button").first.click()
            expect(desk.primary).to_be_enabled()
        desk.confirm()
    assert len(seen) >= 10


def test_units_print_as_sheets(moving: Opens) -> None:
    """With the tab Units open, its cards and nothing else, one under another."""
    page = moving().page
    page.locator("[data-zoom=in]").click()
    view = str(page.locator("#board").get_attribute("viewBox"))
    for event in ("beforeprint", "afterprint"):
        page.evaluate("name => dispatchEvent(new Event(name))", event)
    expect(page.locator("#board")).to_have_attribute("viewBox", view)
    page.emulate_media(media="print")
    expect(page.locator("#board")).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_role("tab", name="Units").click()
    page.emulate_media(media="print")
    cards = page.locator("#cards .card")
    expect(cards).to_have_count(6)
    boxes = [card.bounding_box() for card in cards.all()]
    assert all(a and b and b["y"] >= a["y"] + a["height"] for a, b in pairwise(boxes))
    for gone in ("#board", "#now", ".bar", "#queue", "#log", ".tabs"):
        expect(page.locator(gone)).to_be_hidden()


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_accessible(guests: Visitors, moving: Opens, device: str) -> None:
    options = PHONE if device == "phone" else {"viewport": {"width": 1366, "height": 900}}
    desk = moving(**options)
    page = desk.page
    token(page, "HC")
    line_is(page, "HC")
    page.locator("#draft-whynot summary").click() if page.locator("#draft-whynot").count() else None
    if device == "phone":
        page.locator("#queue summary").click()
    assert_accessible(page, f"a line on a {device}")
    page.locator("#line").fill("hc,hq")
    expect(page.locator("#draft-fault")).to_contain_text("HQ")
    assert_accessible(page, f"a fault on a {device}")
    page.goto(f"{page.url}/draft?offer=move-1-r1&text=hc,hq")
    assert_accessible(page, f"a line on a page of its own, {device}")
    page = Desk.open(guests(**options), {"game": "patrol", "scenario": "two", "mode": "solo"}).page
    assert_accessible(page, f"groups and terms on a {device}")


def test_a_thumb_finds_every_token(moving: Opens) -> None:
    page = moving(**PHONE).page
    token(page, "HC")
    line_is(page, "HC")
    for button in page.locator("#act .token, #queue summary").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= SMALLEST
        assert box["width"] >= 40


# An answer that is filled in.


@pytest.mark.parametrize("options", [PHONE, {}])
def test_an_answer_is_filled_in(guests: Visitors, options: dict[str, Any]) -> None:
    desk = smoking(guests(**options))
    page, own = desk.page, desk.page.locator(".own")
    example = desk.options.first
    example.check()
    own.get_by_label("Hex").fill("0101")
    expect(example).not_to_be_checked()
    expect(page.locator("#preview .end")).to_be_attached()
    assert_accessible(page, "an answer that is filled in")
    for field in own.locator("input:not([type=radio]), .own-pick").all():
        box = field.bounding_box()
        assert box
        assert box["height"] >= SMALLEST
    desk.confirm()
    expect(desk.lines.filter(has_text="0101")).not_to_have_count(0)


def test_a_place_is_filled_in_by_a_click_on_the_board(guests: Visitors) -> None:
    desk = smoking(guests())
    board = desk.page.locator("#board").bounding_box()
    assert board
    desk.page.mouse.click(board["x"] + board["width"] / 2, board["y"] + board["height"] / 3)
    place = desk.page.locator(".own [data-role=hex]").input_value()
    assert place not in desk.hexes().values()
    desk.confirm()
    expect(desk.lines.filter(has_text=place)).not_to_have_count(0)


def smoking(page: Page) -> Desk:
    """A skirmish where smoke may be laid on any hex."""
    desk = Desk.open(page, {"game": "skirmish", "mode": "solo"})
    while not desk.offer.startswith("smoke"):
        go_on(desk)
    return desk
