"""The set-up page in a browser: placing by pointer and keys, faults while typing, dealing the table."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.desk import Desk
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_phone import PHONE, assert_nothing_sticks_out
from tests.e2e.visitors import Visitors

PAGE = "/games/osaaf/setup"


@pytest.fixture
def page(visitors: Visitors) -> Page:
    visitors.expect(r"failed: POST .*/setup: net::ERR_ABORTED")  # a newer change takes its place
    return opened(visitors())


def opened(page: Page, path: str = PAGE) -> Page:
    """The page, with htmx ready."""
    page.goto(path)
    page.wait_for_function("() => document.querySelector('#setup')?._htmx || window.htmx")
    return page


def field(page: Page, path: str) -> Locator:
    """The field of a path such as jets[1].altitude."""
    return page.locator(f'[name="s.{path}"]')


def units(page: Page) -> list[str]:
    """The jets in the order of their rows."""
    return page.locator("tbody[data-unit]").evaluate_all("all => all.map(b => b.dataset.unit)")


def click_hex(page: Page, label: str) -> None:
    """Click in the middle of a hex."""
    point: Any = page.evaluate(
        """label => {
          const [c, r] = [+label.slice(0, 2), +label.slice(2)];
          const at = new DOMPoint(39 * c - 13, 45 * r - (c % 2 ? 0 : 22.5));
          const to = at.matrixTransform(document.querySelector('#board').getScreenCTM());
          return [to.x, to.y];
        }""",
        label,
    )
    page.mouse.click(*point)


def deal(page: Page) -> Desk:
    page.get_by_role("button", name="Deal the table").click()
    expect(page).to_have_url(re.compile(r"/tables/"))
    return Desk(page).ready()


def test_from_a_scenario_to_a_table_with_the_mouse(page: Page) -> None:
    page.get_by_role("button", name="Add a jet").click()
    expect(page.locator("tbody[data-unit]")).to_have_count(3)
    expect(field(page, "jets[2].seat")).to_be_focused()
    click_hex(page, "0907")
    expect(page.locator("#u-blue-2")).to_have_attribute("data-hex", "0907")
    expect(field(page, "jets[2].hex")).to_have_value("0907")
    page.get_by_role("button", name="Turn right").click()
    expect(field(page, "jets[2].facing")).to_have_value("4")
    expect(page.locator("#u-blue-2")).to_have_attribute("aria-label", re.compile("south-west"))
    # A counter on the board is chosen, not placed upon; then it goes where it is told.
    page.locator("#u-red-1").click()
    expect(page.locator("#f-jets-1")).to_contain_class("chosen")
    click_hex(page, "2010")
    expect(page.locator("#u-red-1")).to_have_attribute("data-hex", "2010")
    field(page, "jets[1].aircraft").select_option("su-9")
    page.get_by_role("button", name="Move up Blue 2").click()
    expect(page.locator("#f-jets-1")).to_have_attribute("data-unit", "blue-2")
    expect(field(page, "jets[2].aircraft")).to_have_value("su-9")
    assert units(page) == ["blue-1", "blue-2", "red-1"]
    desk = deal(page)
    assert desk.hexes() == {"blue-1": "1203", "blue-2": "0907", "red-1": "2010"}
    expect(page.locator("#card-red-1")).to_contain_text("SU-9")


def test_a_fault_shows_while_typing_and_goes_when_it_is_mended(page: Page) -> None:
    altitude = field(page, "jets[1].altitude")
    altitude.fill("12")
    expect(page.locator("#f-jets-1-wrong")).to_contain_text("can be 1 to 9 for MiG-21F-13; not 12")
    expect(altitude).to_have_attribute("aria-invalid", "true")
    expect(altitude).to_be_focused()
    expect(page.locator("#u-red-1")).to_have_count(0)
    # Pressed all the same, the page comes again with all that was typed.
    page.get_by_label("Your word for the dice").evaluate("node => { node.value = 'sesame'; }")
    page.get_by_role("button", name="Deal the table").click()
    expect(page.locator("#wrong-now")).to_contain_text("put right first")
    expect(field(page, "jets[1].altitude")).to_have_value("12")
    expect(page.locator("[name=word]")).to_have_value("sesame")
    page.locator("#summary a").first.click()
    expect(field(page, "jets[1].altitude")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("9")
    expect(page.locator("#summary")).to_contain_text("Ready")
    expect(page.locator("#f-jets-1-wrong")).to_be_empty()
    expect(page.locator("#u-red-1")).to_have_count(1)
    deal(page)


@pytest.fixture(autouse=True)
def _dealing_with_a_fault_answers_422(visitors: Visitors) -> None:
    visitors.expect("422")


@pytest.mark.parametrize("size", [(1600, 900), (1366, 768), (900, 1000), (360, 640)])
def test_nothing_jumps_while_typing(visitors: Visitors, size: tuple[int, int]) -> None:
    visitors.expect(r"failed: POST .*/setup: net::ERR_ABORTED")
    page = opened(visitors(viewport={"width": size[0], "height": size[1]}))
    places = """() => Object.fromEntries([...document.querySelectorAll('#setup [name], #board, h2')]
      .filter(n => n.type !== 'hidden' && n.offsetParent !== null || n.id === 'board')
      .map(n => [n.name || n.id, [n.getBoundingClientRect().x, n.getBoundingClientRect().y
        + scrollY]].map(v => Array.isArray(v) ? v.map(Math.round) : v)))"""
    before = page.evaluate(places)
    assert len(before) > 20
    wrongs = (("jets[0].altitude", "12", "5"), ("turns", "0", "20"), ("seats[0].label", "", "B"))
    for path, wrong, right in wrongs:
        typed = field(page, path)
        typed.fill(wrong)
        expect(page.locator("#summary")).to_contain_text("To put right")
        assert page.evaluate(places) == before, path
        expect(typed).to_be_focused()
        typed.fill(right)
        expect(page.locator("#summary")).to_contain_text("Ready")
        assert page.evaluate(places) == before, path


def test_fast_typing_loses_nothing(page: Page) -> None:
    """Answers that come while the next field is being typed in leave it alone."""
    for n in (0, 1):
        name, speed = field(page, f"jets[{n}].name"), field(page, f"jets[{n}].speed")
        name.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(f"A much longer name {n}", delay=60)
        speed.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type("3", delay=60)
    field(page, "turns").focus()
    for n in (0, 1):
        expect(page.locator(f"#f-jets-{n}")).to_have_attribute(
            "data-title", f"A much longer name {n}"
        )
        expect(field(page, f"jets[{n}].name")).to_have_value(f"A much longer name {n}")
        expect(field(page, f"jets[{n}].speed")).to_have_value("3")


def test_a_server_out_of_reach_or_a_refusal_loses_nothing(page: Page, visitors: Visitors) -> None:
    visitors.expect(r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|413|fetch")
    turns = field(page, "turns")
    page.context.set_offline(True)
    turns.fill("7")
    expect(page.locator("#notice")).to_contain_text("could not be reached")
    expect(turns).to_have_value("7")
    page.context.set_offline(False)
    turns.fill("8")
    expect(page.locator("#data")).to_have_value(re.compile('"turns": 8'))
    expect(page.locator("#notice")).to_be_empty()
    # More than a request can carry: the answer stands beside the form, not in its place.
    page.locator("#paste").fill("x" * 300_000)
    expect(page.locator("#notice")).to_contain_text("At most 256 KiB")
    expect(turns).to_have_value("8")
    page.get_by_role("button", name="Dismiss").click()
    page.locator("#paste").fill("")
    turns.fill("9")
    expect(page.locator("#data")).to_have_value(re.compile('"turns": 9'))
    expect(page.locator("#notice")).to_be_empty()


def test_what_is_open_stays_open(page: Page) -> None:
    page.locator("#f-jets-0-more summary").click()
    fuel = field(page, "jets[0].fuel")
    fuel.fill("99")
    expect(page.locator("#f-jets-0-wrong")).to_contain_text("Fuel left can be 0 to 28")
    expect(fuel).to_be_visible()
    fuel.fill("9")
    expect(page.locator("#summary")).to_contain_text("Ready")
    expect(page.locator("#data")).to_have_value(re.compile('"fuel": 9'))
    expect(fuel).to_be_focused()


def test_sides_are_called_as_they_are_renamed(page: Page) -> None:
    field(page, "seats[1].label").fill("Crimson")
    expect(page.locator("#f-jets-0-seat option").nth(1)).to_have_text("Crimson")
    expect(page.locator("#f-jets-1-seat")).to_have_value("red")


def test_with_the_keys_alone(page: Page) -> None:
    page.locator("#f-jets-add").focus()
    page.keyboard.press("Enter")
    expect(field(page, "jets[2].seat")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("Third")
    page.locator("#sheet").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("]")
    expect(page.locator("#u-blue-2")).to_have_attribute("data-hex", "1504")
    expect(page.locator("#chosen")).to_have_text("Third: 1504, SW")
    expect(page.locator("#sheet")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("#chosen")).to_contain_text("Blue 1: 1203")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")  # there is the edge
    expect(page.locator("#u-blue-1")).to_have_attribute("data-hex", "1201")
    page.get_by_role("button", name="Move down Blue 1").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#f-jets-1")).to_have_attribute("data-unit", "blue-1")
    expect(page.locator("#f-jets-1-down")).to_be_focused()
    page.get_by_role("button", name="Deal the table").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/tables/"))
    assert Desk(page).ready().hexes() == {"blue-1": "1201", "blue-2": "1504", "red-1": "1218"}


def test_enter_in_a_field_checks_and_removes_nothing(page: Page) -> None:
    title = field(page, "title")
    title.fill("Entered")
    title.press("Enter")
    expect(field(page, "title")).to_have_value("Entered")
    assert units(page) == ["blue-1", "red-1"]
    expect(page).to_have_url(re.compile(r"/games/osaaf/setup$"))


def test_with_a_thumb(visitors: Visitors) -> None:
    visitors.expect(r"failed: POST .*/setup: net::ERR_ABORTED")
    page = opened(visitors(**PHONE))
    assert_nothing_sticks_out(page)
    expect(page.locator("#u-blue-1 .plate")).to_be_in_viewport()
    place = page.get_by_role("button", name="Place Red 1 on the board")
    place.tap()
    expect(page.locator("#u-red-1 .plate")).to_be_in_viewport()
    box = page.locator("#u-red-1 .plate").bounding_box()
    assert box
    # Two hexes up: 68 to 70 px at this size.
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 58)
    expect(page.locator("#u-red-1")).not_to_have_attribute("data-hex", "1218")
    label = field(page, "jets[1].hex").input_value()
    assert label.startswith("12")
    assert 15 <= int(label[2:]) <= 17
    for button in page.locator("#what button:visible, .deal button").all():
        size = button.bounding_box()
        assert size
        assert size["height"] >= 44, button.inner_text()
    assert_nothing_sticks_out(page)
    page.get_by_role("button", name="Deal the table").tap()
    expect(page).to_have_url(re.compile(r"/tables/"))


def test_keep_and_open_again(page: Page) -> None:
    field(page, "turns").fill("3")
    page.get_by_label("Name", exact=True).fill("Three turns")
    page.get_by_role("button", name="Keep under this name").click()
    expect(page.locator(".said")).to_have_text("Kept as 'Three turns'.")
    page.goto("/games/osaaf")
    page.get_by_role("link", name="Open Three turns").click()
    expect(field(page, "turns")).to_have_value("3")
    page.goto("/games/osaaf")
    page.get_by_text("Delete…").click()
    page.get_by_role("button", name="Delete for good Three turns").click()
    expect(page.get_by_text("Three turns")).to_have_count(0)


def test_copy_and_paste(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    field(page, "turns").fill("4")
    expect(page.locator("#data")).to_have_value(re.compile('"turns": 4'))
    page.get_by_role("button", name="Copy", exact=True).last.click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    text: str = page.evaluate("navigator.clipboard.readText()")
    opened(page)
    page.locator("#paste").fill(text.replace('"turns": 4', '"turns": "4"'))
    page.get_by_role("button", name="Use this data").click()
    expect(page.locator("#paste-wrong")).to_have_text(
        "Line 7, turns: must be a whole number; not '4'."
    )
    expect(field(page, "turns")).to_have_value("20")
    page.locator("#paste").fill(text)
    page.get_by_role("button", name="Use this data").click()
    expect(field(page, "turns")).to_have_value("4")


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_axe(visitors: Visitors, device: str) -> None:
    visitors.expect(r"failed: POST .*/setup: net::ERR_ABORTED")
    page = opened(visitors(**(PHONE if device == "phone" else {})))
    page.locator("main details").evaluate_all("all => all.forEach(d => { d.open = true; })")
    assert_accessible(page, "set-up")
    field(page, "jets[0].altitude").fill("12")
    field(page, "title").fill("")
    expect(page.locator("#summary")).to_contain_text("2 things")
    page.locator("#paste").fill("{")
    page.get_by_role("button", name="Use this data").click()
    expect(page.locator("#paste-wrong")).to_be_visible()
    page.locator("main details").evaluate_all("all => all.forEach(d => { d.open = true; })")
    assert_accessible(page, "set-up with faults")


def test_without_javascript(visitors: Visitors) -> None:
    page = visitors(java_script_enabled=False)
    page.goto("/games/osaaf")
    page.get_by_role("link", name="Set up your own game").click()
    page.get_by_role("button", name="Add a jet").click()
    expect(page.locator("tbody[data-unit]")).to_have_count(3)
    page.locator('[name="s.jets[2].hex"]').fill("0907")
    page.locator('[name="s.jets[2].altitude"]').fill("12")
    page.get_by_role("button", name="Deal the table").click()
    expect(page.locator("#f-jets-2-wrong")).to_contain_text(
        "can be 1 to 9 for F-8E Crusader; not 12"
    )
    page.locator('[name="s.jets[2].altitude"]').fill("9")
    page.get_by_role("button", name="Deal the table").click()
    expect(page).to_have_url(re.compile(r"/tables/"))
    assert Desk(page).hexes()["blue-2"] == "0907"
