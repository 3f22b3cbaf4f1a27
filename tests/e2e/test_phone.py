"""A player with a thumb: 360 x 640, touch."""

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.e2e.desk import Desk
from tests.e2e.visitors import Visitors

PHONE = {
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
SMALLEST = 44
ON_THE_BOARD = """node => {
  const b = node.getBoundingClientRect();
  return !!document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest("#board");
}"""


@pytest.fixture
def phone(visitors: Visitors) -> Desk:
    return Desk.solo(visitors(**PHONE))


def box_of(locator: Locator) -> dict[str, float]:
    box = locator.bounding_box()
    assert box, f"{locator} is not shown"
    return {side: box[side] for side in ("x", "y", "width", "height")}


def in_sight(page: Page, locator: Locator) -> bool:
    """Wholly inside the screen, and nothing lies over it."""
    return locator.evaluate(
        """node => {
          const b = node.getBoundingClientRect();
          const top = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);
          return b.left >= 0 && b.top >= 0 && b.right <= innerWidth + .5
            && b.bottom <= innerHeight + .5 && (node === top || node.contains(top));
        }"""
    )


def tap_hex(desk: Desk, label: str) -> None:
    box = box_of(desk.page.locator(f"#lit [data-hex='{label}'] use").first)
    desk.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def chosen(desk: Desk) -> list[str]:
    """What is selected: at most one value."""
    return desk.page.locator("#act input[name=choice]:checked").evaluate_all(
        "all => all.map(r => r.value)"
    )


def assert_nothing_sticks_out(page: Page) -> None:
    wide = page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page is {wide} px wider than the screen"


def test_a_turn_with_a_thumb(phone: Desk) -> None:
    page = phone.page
    turn = phone.turn
    first = True
    for _ in range(40):
        if phone.turn != turn:
            break
        assert in_sight(page, phone.primary), f"{phone.offer}: the button is not in sight"
        assert in_sight(page, phone.undo)
        expect(page.locator(f"#u-{phone.unit}")).to_contain_class("acting")
        assert page.locator(f"#u-{phone.unit} .plate").evaluate(ON_THE_BOARD), "its jet is not seen"
        assert_nothing_sticks_out(page)
        before = phone.version
        page.wait_for_timeout(360)  # a tap that comes sooner is the second one of a double tap
        if phone.kind == "move" and first:
            first = False
            _tap_twice(phone)
        elif phone.kind == "move":
            whole = phone.radio("ahead-all")
            row = whole if whole.count() else phone.radio("ahead")
            row.locator("xpath=ancestor::label").tap()
            phone.primary.tap()
        else:
            if not page.locator("#act input[name=choice]:checked").count():
                page.locator("#act .opt label").first.tap()
            phone.primary.tap()
        phone.after(before)
    assert not first
    assert phone.turn == turn + 1


def _tap_twice(desk: Desk) -> None:
    """U-04: the first tap shows where it leads, the second does it."""
    page = desk.page
    before = desk.version
    radio = desk.radio("ahead")
    label = str(radio.get_attribute("data-place"))
    tap_hex(desk, label)
    expect(radio).to_be_checked()
    expect(page.locator("#preview path").first).to_be_attached()
    expect(page.locator("#peek")).to_contain_text("Straight ahead")
    page.wait_for_timeout(300)  # nothing must happen by itself
    assert desk.version == before
    tap_hex(desk, label)
    desk.after(before)
    expect(desk.lines.filter(has_text=f"flies to {label}")).to_have_count(1)


def test_another_hex_is_another_preview(phone: Desk) -> None:
    # With two hard turns a try to turn is always allowed, so there are three hexes near the jet.
    for _ in range(2):
        phone.play_to("plan")
        phone.plan(hard_turns=2)
        phone.confirm()
    phone.play_to("move")
    before = phone.version
    for value in ("left", "right", "ahead", "left"):
        tap_hex(phone, str(phone.radio(value).get_attribute("data-place")))
        expect(phone.radio(value)).to_be_checked()
    assert phone.version == before


def test_controls_are_large_enough(phone: Desk) -> None:
    page = phone.page
    small: list[str] = []
    for kind in ("plan", "altitude", "move"):
        phone.play_to(kind)
        selectors = (
            "#primary, #undo, [role=tab], #act .opt label, .toggle, .menu > summary, .zoom button"
        )
        for one in page.locator(selectors).all():
            if not one.is_visible():
                continue
            box = box_of(one)
            if box["height"] < SMALLEST - 0.5 or box["width"] < SMALLEST - 0.5:
                small.append(f"{kind}: {one.evaluate('n => n.outerHTML.slice(0, 90)')} {box}")
    assert not small, "\n".join(small)


def test_pinching_over_a_lit_hex_moves_nothing(phone: Desk) -> None:
    """U-02."""
    page = phone.page
    phone.play_to("move")
    before, was = phone.version, chosen(phone)
    finger = page.context.new_cdp_session(page)
    label = str(phone.radio("ahead").get_attribute("data-place"))
    start = page.locator("#board").get_attribute("viewBox")
    for n in range(20):
        _pinch(finger, box_of(page.locator(f"#lit [data-hex='{label}'] use").first), n % 2 == 0)
    assert page.locator("#board").get_attribute("viewBox") != start, "nothing was zoomed"
    assert phone.version == before
    assert chosen(phone) == was


def _pinch(finger: CDPSession, over: dict[str, float], apart: bool) -> None:
    x, y = over["x"] + over["width"] / 2, over["y"] + over["height"] / 2
    gaps = (4, 12, 26, 40) if apart else (40, 26, 12, 4)

    def at(gap: float) -> list[dict[str, float]]:
        return [{"x": x - gap, "y": y, "id": 0}, {"x": x + gap, "y": y, "id": 1}]

    send = finger.send
    send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at(gaps[0])})
    for gap in gaps[1:]:
        send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at(gap)})
    # One finger leaves first, as fingers do.
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": at(gaps[-1])[:1]})
    send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_panning_moves_nothing_but_the_view(phone: Desk) -> None:
    page = phone.page
    phone.play_to("move")
    before, was = phone.version, chosen(phone)
    finger = page.context.new_cdp_session(page)
    box = box_of(page.locator("#lit use").first)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    start = page.locator("#board").get_attribute("viewBox")
    finger.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    for step in range(1, 6):
        points = [{"x": x - 8 * step, "y": y + 6 * step}]
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.locator("#board").get_attribute("viewBox") != start
    assert page.evaluate("scrollY") == 0
    assert phone.version == before
    assert chosen(phone) == was


@pytest.mark.parametrize("path", ["/", "/tables", "/games/osaaf", "/games/osaaf/rules", "/nowhere"])
def test_no_page_is_wider_than_the_phone(visitors: Visitors, path: str) -> None:
    visitors.expect(r"404")
    page = visitors(**PHONE)
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    assert_nothing_sticks_out(page)


def test_every_tab_fits_the_phone(phone: Desk) -> None:
    for name in ("Log", "Units", "Text", "Rules", "Dice", "Table"):
        phone.tab(name)
        assert_nothing_sticks_out(phone.page)
        assert in_sight(phone.page, phone.primary)
