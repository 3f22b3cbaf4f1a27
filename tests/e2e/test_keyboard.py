"""A player without a pointer."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk

FOCUS = """() => {
  const on = document.activeElement, style = getComputedStyle(on);
  const ring = on.closest(".opt") || on.closest(".theme label") || on;
  const drawn = (node) => getComputedStyle(node).outlineStyle !== "none"
    && parseFloat(getComputedStyle(node).outlineWidth) >= 1.5;
  return { tag: on.localName, id: on.id, name: on.getAttribute("name"), value: on.value ?? null,
    unit: on.dataset?.unit ?? null, seen: on.matches(":focus-visible"),
    drawn: drawn(on) || drawn(ring) || on.matches(".unit, summary"), shown: style.visibility };
}"""


def focus(page: Page) -> dict[str, Any]:
    return page.evaluate(FOCUS)


def tab_to(desk: Desk, what: str, value: str, backwards: bool = False) -> dict[str, Any]:
    """Press Tab until something has the focus; on the way, each stop must be visible."""
    page = desk.page
    for _ in range(60):
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
        at = focus(page)
        if at["tag"] != "body":
            assert at["seen"], at
            assert at["drawn"], at
        if at[what] == value:
            return at
    raise AssertionError(f"Tab never came to {what} {value}")


def test_a_turn_with_tab_arrows_and_enter(solo: Desk) -> None:
    """Choose by arrows, confirm by Enter, and never look for the focus afterwards."""
    page = solo.page
    turn = solo.turn
    tab_to(solo, "name", "choice")
    for _ in range(40):
        if solo.turn != turn:
            break
        at = focus(page)
        assert at["tag"] in ("input", "button"), f"after {solo.offer} the focus is lost: {at}"
        if at["name"] != "choice":
            tab_to(solo, "name", "choice", backwards=True)
        page.keyboard.press("ArrowDown")
        at = focus(page)
        assert at["name"] == "choice"
        expect(page.locator("#act input[name=choice]:checked")).to_have_count(1)
        assert page.locator("#act input[name=choice]:checked").input_value() == at["value"]
        if solo.kind == "move":
            _arrow_to(solo, '"ahead-all"', '"ahead"')
        elif solo.kind == "altitude":
            _arrow_to(solo, "0")
        before = solo.version
        page.keyboard.press("Enter")
        solo.after(before)
    assert solo.turn == turn + 1
    solo.expect_as_fresh()


def _arrow_to(desk: Desk, *values: str) -> None:
    """Go down the options to one of these."""
    for _ in range(12):
        if focus(desk.page)["value"] in values:
            return
        desk.page.keyboard.press("ArrowDown")
    raise AssertionError(f"the arrows do not come to {values}")


def test_a_turn_with_single_keys(solo: Desk) -> None:
    """1 to 9 choose, Enter does it, u takes it back: no Tab needed at all."""
    page = solo.page
    turn = solo.turn
    took_back = False
    for _ in range(40):
        if solo.turn != turn:
            break
        choice = {
            "plan": "1",
            "altitude": "4",
            "brakes": "1",
            "move": "1",
            "fire": "1",
            "leave": "1",
        }[solo.kind]
        page.keyboard.press(choice)
        expect(page.locator("#act input[name=choice]:checked")).to_have_count(1)
        kind, unit = solo.kind, solo.unit
        before = solo.version
        page.keyboard.press("Enter")
        solo.after(before)
        if kind == "move" and not took_back:
            took_back = True
            before = solo.version
            page.keyboard.press("u")
            solo.after(before)
            assert (solo.kind, solo.unit) == ("move", unit)
            assert "struck" in str(page.locator("#log-lines li.struck").last.get_attribute("class"))
    assert took_back
    assert solo.turn == turn + 1


def test_primary_keeps_the_focus(solo: Desk) -> None:
    page = solo.page
    tab_to(solo, "id", "primary")
    for _ in range(3):
        before = solo.version
        if not page.locator("#act input[name=choice]:checked").count():
            break
        page.keyboard.press("Enter")
        solo.after(before)
        assert focus(page)["id"] == "primary"
        assert focus(page)["seen"]


def test_units_are_reached_and_walked_by_arrows(solo: Desk) -> None:
    page = solo.page
    page.keyboard.press("n")
    assert focus(page)["unit"] == solo.unit
    expect(page.locator("#peek")).to_contain_text("altitude 5")
    page.keyboard.press("ArrowRight")
    other = focus(page)["unit"]
    assert other != solo.unit
    expect(page.locator("#peek")).to_contain_text("Red 1" if other == "red-1" else "Blue 1")
    page.keyboard.press("Escape")
    assert focus(page)["unit"] is None
    # A unit keeps the focus while the board follows the game.
    page.keyboard.press("n")
    unit = focus(page)["unit"]
    before = solo.version
    page.locator("#primary").dispatch_event("click")
    solo.after(before)
    assert focus(page)["unit"] == unit


def test_view_keys_pan_zoom_and_fit(solo: Desk) -> None:
    page = solo.page

    def box() -> list[float]:
        return [float(n) for n in str(page.locator("#board").get_attribute("viewBox")).split()]

    start = box()
    page.keyboard.press("ArrowRight")
    assert box()[0] > start[0]
    page.keyboard.press("h")
    assert abs(box()[0] - start[0]) < 1
    page.keyboard.press("+")
    assert box()[2] < start[2]
    page.keyboard.press("0")
    page.keyboard.press("g")
    expect(page.locator("#goto")).to_be_visible()
    page.keyboard.type("0505")
    page.keyboard.press("Enter")
    expect(page.locator("#goto")).not_to_be_visible()
    expect(page.locator("#marks .lit")).to_be_attached()
    x, y, width, height = box()
    assert abs(x + width / 2 - 182) < 2
    assert abs(y + height / 2 - 225) < 2


def test_the_list_of_keys_opens_and_closes(solo: Desk) -> None:
    page = solo.page
    page.keyboard.press("?")
    keys = page.locator("#keys")
    expect(keys).to_be_visible()
    version = solo.version
    page.keyboard.press("u")
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(keys).not_to_be_visible()
    assert solo.version == version


def test_keys_do_nothing_while_a_field_has_the_focus(solo: Desk) -> None:
    page = solo.page
    solo.tab("Dice")
    word = page.get_by_label("Add your word to the dice")
    word.focus()
    first = page.locator("#act input[name=choice]:checked").input_value()
    version = solo.version
    page.keyboard.type("u3n?g[")
    expect(word).to_have_value("u3n?g[")
    assert page.locator("#act input[name=choice]:checked").input_value() == first
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert solo.version == version
    assert "at=" not in page.url


def test_single_keys_can_be_switched_off(solo: Desk) -> None:
    page = solo.page
    panel = solo.tab("Table")
    switch = panel.get_by_label("Single-key shortcuts")
    switch.uncheck()
    page.locator("#board").click(position={"x": 5, "y": 5})
    first = page.locator("#act input[name=choice]:checked").input_value()
    version = solo.version
    for key in ("3", "?", "g", "n", "["):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.locator("#act input[name=choice]:checked").input_value() == first
    page.reload()
    solo.ready()
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert solo.version == version
    solo.tab("Table").get_by_label("Single-key shortcuts").check()
    page.locator("#board").click(position={"x": 5, "y": 5})
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


def test_tabs_are_walked_by_arrows(solo: Desk) -> None:
    page = solo.page
    solo.tab("Log")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Units")).to_be_focused()
    expect(page.locator("#units")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#table")).to_be_visible()


def test_each_event_is_said_once(solo: Desk) -> None:
    """U-06, U-10: one sentence an event; the log itself is not live."""
    page = solo.page
    said = page.locator("#announce")
    expect(said).to_have_attribute("aria-live", "polite")
    expect(page.locator("#log-lines")).not_to_have_attribute("aria-live", "polite")
    solo.confirm()
    expect(said).to_contain_text("energy roll")
    first = said.inner_text()
    solo.confirm()
    expect(said).not_to_have_text(first)
    assert len(said.locator("p").all()) <= 4


COMPOSED = """([key, how]) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...how }))"""


def test_keys_of_an_input_method_do_nothing_else(solo: Desk) -> None:
    """Chrome and Firefox say that they compose, Safari says 229 for the key that ends it."""
    page = solo.page
    chosen = page.locator("#act input[name=choice]:checked")
    second = page.locator("#act input[name=choice]").nth(1)
    before = chosen.evaluate_all("all => all.map((one) => one.value)")
    for how in ({"isComposing": True}, {"keyCode": 229}):
        page.evaluate(COMPOSED, ["2", how])
        assert chosen.evaluate_all("all => all.map((one) => one.value)") == before
    page.evaluate(COMPOSED, ["2", {}])
    expect(second).to_be_checked()
    # What is written with an input method into a field is there, and chooses nothing.
    page.evaluate(
        "() => document.body.append(Object.assign(document.createElement('input'), { id: 'ime' }))"
    )
    page.locator("#ime").focus()
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "か", "selectionStart": 1, "selectionEnd": 1})
    session.send("Input.insertText", {"text": "花1"})
    assert page.locator("#ime").input_value() == "花1"
    expect(second).to_be_checked()
