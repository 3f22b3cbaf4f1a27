"""A player with a mouse: one click to a table, then two turns."""

from playwright.sync_api import expect

from tests.e2e.desk import Desk, deal
from tests.e2e.visitors import Visitors

SVG = "http://www.w3.org/2000/svg"
READ_COUNTER = """u => {
  const box = u.querySelector(".plate").getBoundingClientRect();
  const board = document.querySelector("#board").getBoundingClientRect();
  return { space: u.namespaceURI, inner: u.querySelector(".k *").namespaceURI, hex: u.dataset.hex,
    width: box.width, height: box.height, x: box.x + box.width / 2, y: box.y + box.height / 2,
    inside: box.left >= board.left && box.right <= board.right && box.top >= board.top
      && box.bottom <= board.bottom };
}"""


def counter(desk: Desk, unit: str) -> dict[str, object]:
    return desk.page.locator(f"#u-{unit}").evaluate(READ_COUNTER)


def click_hex(desk: Desk, label: str) -> None:
    """Click the middle of a lit hex, where it is on the screen now."""
    box = desk.page.locator(f"#lit [data-hex='{label}'] use").bounding_box()
    assert box, f"{label} is not lit"
    desk.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_two_turns_from_the_home_page(visitors: Visitors) -> None:
    page = visitors()
    page.goto("/")
    deal(page, "Play solo")
    desk = Desk(page).ready()
    page.evaluate("window.sameDocument = true")
    expect(desk.lines.first).to_contain_text("The table opens")
    expect(page.locator("#phases .current")).to_contain_text("Energy")
    expect(page.locator("#phases .done")).to_contain_text("Initiative")
    for turn in (1, 2):
        assert desk.turn == turn
        start = desk.hexes()
        for _ in range(2):
            _energy(desk)
        expect(page.locator("#phases .current")).to_contain_text("Movement")
        flown = ""
        while desk.kind == "move":
            # Each jet's first hex by itself, and then the rest of its move.
            _fly(desk, "ahead" if flown != desk.unit else "ahead-all")
            flown = desk.unit
        expect(page.locator(".turn b")).to_have_text(str(turn + 1))
        assert all(desk.hexes()[unit] != hex for unit, hex in start.items())
    expect(desk.page.locator("#log-lines .head").last).to_contain_text("Turn 3")
    assert page.evaluate("window.sameDocument"), "the page was loaded again"
    desk.expect_as_fresh()


def _energy(desk: Desk) -> None:
    """Plan with afterburner, fly level, keep what was gained."""
    page, unit = desk.page, desk.unit
    assert desk.kind == "plan"
    before = _chances(desk)
    page.locator(".toggle input").check()
    after = _chances(desk)
    assert before != after, "the odds did not follow the afterburner"
    desk.plan(hard_turns=1)
    seen = desk.confirm()
    assert desk.kind == "altitude"
    roll = page.locator("#log-lines .dicey").last
    expect(roll).to_contain_text("energy roll")
    expect(roll.locator(".die")).to_have_count(4)
    expect(roll.locator(".die.x")).to_have_count(2)
    # The afterburner gives at least 1, so there is always something to brake.
    desk.choose(0)
    assert desk.confirm() > seen
    assert (desk.kind, desk.unit) == ("brakes", unit)
    desk.choose(1)
    desk.confirm()
    card = page.locator(f"#card-{unit}")
    desk.tab("Units")
    speed = card.locator(".gauge", has_text="Speed").locator("b").inner_text().split("/")[0]
    expect(page.locator(f"#u-{unit} .tag text").last).to_have_text(speed)
    expect(card.get_by_role("img", name="Hard turn: 1 of 3")).to_be_visible()
    expect(card.get_by_role("img", name="Burner: 1 of 1")).to_be_visible()
    desk.tab("Text")
    expect(page.locator(f"#row-{unit} td").nth(4)).to_have_text(speed)
    desk.tab("Log")


def _chances(desk: Desk) -> list[str]:
    """The odds beside the options, as they are on the screen."""
    shown = desk.page.locator("#act .chance svg:visible")
    expect(shown.first).to_be_visible()
    return [str(svg.get_attribute("aria-label")) for svg in shown.all()]


def _fly(desk: Desk, how: str) -> None:
    """Fly straight ahead by clicking the hex where that leads."""
    page, unit = desk.page, desk.unit
    was = counter(desk, unit)
    ahead = desk.radio(how) if desk.radio(how).count() else desk.radio("ahead")
    label = str(ahead.get_attribute("data-place"))
    click_hex(desk, label)
    expect(ahead).to_be_checked()
    expect(page.locator("#preview path").first).to_be_attached()
    expect(page.locator("#lit .place.chosen")).to_have_count(1)
    desk.confirm()
    expect(page.locator(f"#u-{unit}")).to_have_attribute("data-hex", label)
    # The counter glides; wait until it is somewhere else and stands.
    page.wait_for_function(
        """([unit, x, y]) => {
          const u = document.getElementById("u-" + unit), b = u.querySelector(".plate")
            .getBoundingClientRect();
          return !u.getAnimations().length && Math.hypot(b.x + b.width / 2 - x,
            b.y + b.height / 2 - y) > 8;
        }""",
        arg=[unit, was["x"], was["y"]],
    )
    now = counter(desk, unit)
    assert now["space"] == now["inner"] == SVG
    assert float(str(now["width"])) > 8
    assert float(str(now["height"])) > 8
    assert now["hex"] == label
    assert now["inside"], "the counter is outside the view"
    expect(page.locator(f"#row-{unit} td").nth(1)).to_have_text(label)
    expect(page.locator(f"#card-{unit} .at")).to_have_text(label)
    expect(desk.lines.filter(has_text=f"to {label}").last).to_be_attached()


def test_a_rule_chip_opens_the_rule_beside_the_board(solo: Desk) -> None:
    solo.page.locator("#act .why .rule").click()
    pane = solo.page.locator("#rule-pane")
    expect(pane).to_be_visible()
    expect(pane).to_contain_text("EN-2")
    expect(solo.page.locator("#board")).to_be_visible()


def test_each_option_that_is_refused_says_why(solo: Desk) -> None:
    shut = solo.page.locator("#act .opt.shut")
    expect(shut).not_to_have_count(0)
    for row in shut.all():
        expect(row.locator("input")).to_be_disabled()
        expect(row.locator(".why-not").first).to_contain_text("three hard manoeuvres at most")
        expect(row.locator(".why-not .rule").first).to_have_attribute("data-rule", "OSAAF-EN-2")


def test_real_dice_are_typed_in(visitors: Visitors) -> None:
    desk = Desk.solo(visitors(), dice="hand")
    page = desk.page
    for _ in range(12):
        if desk.kind == "plan":
            break
        faces = page.locator("#act input[name=faces]")
        for field in faces.all():
            field.fill(str(1 + desk.version % 3))
        desk.confirm()
    desk.plan(hard_turns=1)
    desk.confirm()
    # The text's own example: 1 3 4 4 at a middle altitude keeps 3 and 4.
    for field, face in zip(page.locator("#act input[name=faces]").all(), "1344", strict=True):
        field.fill(face)
    desk.confirm()
    roll = page.locator("#log-lines .dicey").last
    expect(roll.locator(".die b")).to_have_text(["1", "3", "4", "4"])
    expect(roll.locator(".die.x")).to_have_count(2)
    expect(roll).to_contain_text("by hand")


def test_a_counter_can_be_looked_at_while_it_is_not_to_act(solo: Desk) -> None:
    page = solo.page
    other = "red-1" if solo.unit == "blue-1" else "blue-1"
    box = page.locator(f"#u-{other} .plate").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#marks .sel")).to_be_attached()
    expect(page.locator("#peek")).to_contain_text("altitude 5")
    solo.tab("Units")
    expect(page.locator(f"#card-{other}")).to_contain_class("sel")


def test_zoom_has_limits_and_a_way_back(solo: Desk) -> None:
    """U-21."""
    page = solo.page
    box = page.locator("#board").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for step in (-400, 400):
        for _ in range(25):
            page.mouse.wheel(0, step)
        hex = page.evaluate("() => document.querySelector('.sea').getBoundingClientRect().toJSON()")
        assert hex["width"] > 100
        assert hex["width"] < 40 * box["width"]
    page.get_by_role("button", name="Fit the units").click()
    for unit in solo.hexes():
        assert counter(solo, unit)["inside"]
