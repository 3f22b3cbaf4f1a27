"""Gunslingers in a browser: whole turns of two, what one must not learn of the other, and moves by every means."""

import re

from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.desk import Desk
from tests.e2e.dogfight import (
    BLIND,
    CHASE,
    KEPT,
    SECRETIVE,
    Pilot,
    alone,
    deal_out,
    play_to,
    spots,
    two,
)
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_keyboard import focus
from tests.e2e.test_phone import PHONE, SMALLEST, assert_nothing_sticks_out, in_sight, tap_hex
from tests.e2e.visitors import Visitors
from tests.e2e.wire import Wire

TALL = {"viewport": {"width": 1440, "height": 900}}
"""A screen on which the order of flight stands unfolded."""


def queue_of(page: Page) -> list[str]:
    """The order of flight as it stands beside the board, reasons and all."""
    places = page.locator("#queue li")
    return [" ".join(text.split()) for text in places.all_inner_texts()]


def lit(page: Page) -> set[str]:
    """The places on the board that answer the open question."""
    places = page.locator("#lit .place").all()
    return {str(place.get_attribute("data-hex")) for place in places}


def led_by(page: Page) -> list[tuple[float, float]]:
    """The way that the line leads, as points of the drawing, from where the aircraft is."""
    points = str(page.locator("#preview path").first.get_attribute("d"))[1:].split("L")
    return [(float(x), float(y)) for x, y in (point.split(",") for point in points)]


# Three turns of two.


def test_three_turns_of_two(visitors: Visitors) -> None:
    duel = two(visitors(**TALL), visitors(**TALL), CHASE, "watch")
    blue, red = duel.desks

    # Blue 1 has one pair of eyes: the proposal keeps Red 2 in sight, Blue would rather keep Red 1.
    blue.write("no padlock on red-2, padlock red-1 by blue-1")
    duel.both(blue.confirm())
    for desk in duel.desks:
        expect(desk.lines.filter(has_text=re.compile("padlocks? Red 1"))).not_to_have_count(0)
    duel.fly_to("decide")
    duel.decide("blue-1 radar off")

    # Both see who flies when, and why.
    duel.fly_to("settings:red-1")
    order = queue_of(blue.page)
    assert order == queue_of(red.page)
    assert [place[:6].strip() for place in order] == ["Red 1", "Blue 1", "Red 2"], order
    assert "disadvantaged by Blue 1; initiative 6" in order[0]
    assert "advantaged over Red 1 and Red 2, disadvantaged by Red 2; initiative 1" in order[1]
    duel.fly_to("settings:blue-1")
    duel.both(blue.confirm())

    # Before Blue 1 flies, Red 2 does, by a line that is typed, a slip included.
    assert red.kind == "preempt"
    expect(blue.now).to_contain_text("Waiting")
    red.pick("Red 2 moves first")
    duel.both(red.confirm())
    duel.fly_to("fly:red-2")
    red.line.press_sequentially("htl/h,h/r", delay=10)
    expect(red.fault).to_contain_text("H/R: it turns left")
    expect(red.fault.locator("a.rule")).to_have_attribute("data-rule", "GS-F-11")
    expect(red.fault).to_contain_text("Good as far as HTL/H")
    expect(red.line).to_be_focused()
    red.line.press("Backspace")
    red.line.press_sequentially("l,h,h/l,h")
    red.read("htl/h,h/l,h,h/l,h")
    expect(red.fault).to_be_empty()
    assert led_by(red.page) == spots("1621", "1622", "1623", "1624/1723", "1724", "1825")
    before = red.version
    red.line.press("Enter")
    duel.both(red.after(before))
    for desk in duel.desks:
        assert desk.hexes()["red-2"] == "1825"
    expect(red.page.locator("#lit .place")).to_have_count(0)

    # Blue 1's line is interrupted where its guns bear, and goes on from there.
    assert (blue.kind, blue.unit) == ("fly", "blue-1")
    blue.quick("Straight on")
    duel.both(blue.confirm())
    assert (blue.kind, blue.hexes()["blue-1"]) == ("gun", "1422")
    assert lit(blue.page) == {blue.hexes()["red-1"]}
    blue.pick("No attack")
    duel.both(blue.confirm())
    assert (blue.kind, blue.hexes()["blue-1"]) == ("gun", "1421")
    blue.pick("Burst at Red 1")
    duel.both(blue.confirm())
    assert blue.kind == "burst"
    duel.both(blue.throw(9))
    for desk in duel.desks:
        expect(desk.lines.filter(has_text="Blue 1 misses Red 1 at range 1")).to_have_count(1)

    # The second turn: Red 1 is put on its way by buttons, and its line shows on the board before it is sent.
    duel.fly_to("fly:red-1")
    assert red.turn == 2
    for _ in range(5):
        red.token("Ahead")
    assert led_by(red.page) == spots("1420", "1419", "1418", "1417", "1416", "1415")
    assert blue.page.locator("#preview > *").count() == 0
    duel.both(red.confirm())

    # Blue 1 shoots it down halfway through its own line, which goes on.
    duel.fly_to("gun:blue-1")
    assert blue.hexes()["blue-1"] == "1417"
    blue.pick("Burst at Red 1")
    duel.both(blue.confirm())
    duel.both(blue.throw(1))
    assert blue.kind == "damage"
    duel.both(blue.throw(1))
    assert blue.hexes()["blue-1"] == "1415"
    for desk in duel.desks:
        expect(desk.page.locator("#card-red-1")).to_contain_text("shot down")

    # The third, in which two are left; and what has come bit by bit is what stands there.
    duel.fly_to("fly:blue-1")
    assert blue.turn == 3
    duel.fly_to("decide")
    for desk in duel.desks:
        assert desk.turn == 4
        assert set(desk.hexes()) == {"blue-1", "red-2"}
        desk.expect_as_fresh()


# What one must not learn of the other, by what comes over the network.


def found_in(text: str, *words: str) -> list[str]:
    """Those of the words that a text holds."""
    return [word for word in words if word.casefold() in text.casefold()]


def test_a_sealed_answer_stays_at_home(visitors: Visitors) -> None:
    """Until both have decided, the other's browser gets nothing at all, and a fresh page is as it was."""
    first, second = visitors(), visitors()
    wire = Wire(second)
    duel = two(first, second, SECRETIVE, "decide")
    blue, red = duel.desks
    address = second.url
    before, mark = second.request.get(address).text(), wire.mark()
    blue.write("quokka chaff 3, quokka flare 2, quokka program on, quokka iff on")
    blue.primary.click()
    expect(first.locator("#act .held")).to_be_visible()
    assert wire.since(mark) == ""
    assert second.request.get(address).text() == before
    # Blue thinks again; that too reads as nothing.
    first.get_by_role("button", name="Change").click()
    blue.write("quokka chaff 4, quokka program on")
    with first.expect_response(lambda answer: answer.request.method == "POST"):
        blue.primary.click()
    assert wire.since(mark) == ""
    duel.both(red.confirm())
    for desk in duel.desks:
        expect(desk.lines.filter(has_text="4/0/0")).not_to_have_count(0)

    # A whole turn later nothing has told of its crew or its stores.
    duel.skip_to("decide")
    assert red.turn == 2
    assert found_in(wire.heard, "3/2/0", *KEPT) == []
    assert found_in(first.content(), *KEPT) == list(KEPT)


def test_a_line_is_its_own_sides(visitors: Visitors) -> None:
    """What is typed, and what an interrupted line has still before it, does not come to the other's browser."""
    first, second = visitors(), visitors()
    wire = Wire(second)
    duel = two(first, second, CHASE, "fly:blue-1")
    blue = duel.blue
    mark = wire.mark()
    blue.write("H,H,H,H,HD")
    assert wire.since(mark) == ""
    duel.both(blue.confirm())
    assert blue.kind == "gun"
    told = wire.since(mark) + second.request.get(second.url).text()
    assert "1422" in told
    assert found_in(told, "HD", "level 17") == []
    blue.pick("No attack")
    duel.both(blue.confirm())
    assert found_in(wire.since(mark), "HD", "level 17") == ["level 17"]


def test_nobody_flies_in_hard_fog(visitors: Visitors) -> None:
    """A whole turn of an aircraft that the other side neither sees nor has on radar leaves no trace there."""
    first, second = visitors(), visitors()
    wire = Wire(second)
    duel = two(first, second, SECRETIVE, "decide", BLIND, rulings={"fog": "hard"})
    blue, red = duel.desks
    duel.decide("quokka chaff 4, quokka program on")
    duel.skip_to("fly:quokka", BLIND)
    mark = wire.mark()
    blue.write("HTR/H,H/R,H,H/R,HD")
    assert wire.since(mark) == ""
    places = str(first.locator("#draft-read").get_attribute("data-path")).split()
    assert len(places) == 6
    duel.both(blue.confirm())
    duel.skip_to("decide", BLIND)
    assert red.turn == 2
    assert set(blue.hexes()) == {"quokka", "red-1"}
    assert set(red.hexes()) == {"red-1"}
    table = second.url.rpartition("/")[2]
    asked = (
        second.url,
        f"{second.url}?at={red.version - 3}",
        f"/api/tables/{table}",
        f"/api/tables/{table}/log",
    )
    heard = wire.heard + "".join(second.request.get(address).text() for address in asked)
    assert found_in(heard, "quokka", "nightjar", "4/0/0", "F-4E", "H/R,HD", *places, *KEPT) == []


# By keys alone, and with a thumb.


def test_a_search_and_a_move_by_keys(visitors: Visitors) -> None:
    """From the watch to the end of a move: tokens by digits, a line by typing, never a pointer."""
    pilot = alone(visitors(), CHASE, "watch")
    page = pilot.page
    page.evaluate("document.activeElement.blur()")
    # The first thing that may follow: no padlock on Red 2, so that Red 1 can have it.
    labels = page.locator("#draft .next button b")
    for wanted in ("No padlock", "Padlocked by Blue 1"):
        number = labels.all_inner_texts().index(wanted) + 1
        page.keyboard.press(str(number))
        expect(page.locator(".so-far")).to_have_count(1 if wanted == "No padlock" else 2)
    pilot.enter()
    expect(pilot.lines.filter(has_text="padlocks Red 1")).not_to_have_count(0)

    # Dice: the field is one Tab away at most.
    assert pilot.kind == "search"
    page.locator("#now").focus()
    to_field(pilot, "faces")
    page.keyboard.type("1")
    pilot.enter()

    pilot.skip_to("settings:red-1")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(str(labels.all_inner_texts().index("Afterburner 2") + 1))
    pilot.enter()
    assert (pilot.kind, pilot.unit) == ("fly", "red-1")
    # The focus has come along, so the next key counts.
    for line in ("H", "H,H"):
        page.keyboard.press("1")
        pilot.read(line)
    page.keyboard.press("Backspace")
    pilot.read("H")
    to_field(pilot, "text")
    page.keyboard.press("End")
    page.keyboard.type(",h,h,h")
    pilot.read("H,h,h,h")
    pilot.enter()
    assert pilot.hexes()["red-1"] == "1420"


def to_field(pilot: Pilot, name: str) -> None:
    """Walk back with Tab until a field has the focus."""
    for _ in range(80):
        at = focus(pilot.page)
        if (at["tag"], at["name"]) == ("input", name):
            return
        pilot.page.keyboard.press("Shift+Tab")
    raise AssertionError(f"Tab never came to {name}")


def test_a_move_with_a_thumb(visitors: Visitors) -> None:
    """A whole move at 360 x 640: what is pressed is in sight, large enough, and nothing sticks out."""
    pilot = alone(visitors(**PHONE), CHASE, "settings:red-1")
    page = pilot.page
    pilot.tap()
    assert pilot.kind == "fly"
    for n in range(4):
        check_phone(pilot)
        button = page.locator("#next-1")
        button.scroll_into_view_if_needed()
        assert in_sight(page, button)
        assert_large(button)
        value = str(button.get_attribute("value"))
        button.tap()
        pilot.read(value)
        expect(page.locator("#token-" + str(n + 1))).to_be_visible()
    check_phone(pilot)
    for part in page.locator("#draft .token:visible").all():
        assert_large(part)
    # One back and on again, on the board this time: where the line leads is lit, and a tap takes it.
    page.locator("#draft-back").tap()
    pilot.read("H,H,H")
    tap_hex(pilot, "1420")
    pilot.read("H,H,H,H")
    pilot.tap()
    assert pilot.hexes()["red-1"] == "1420"
    check_phone(pilot)


def test_two_far_apart_are_seen_whole_on_a_phone(visitors: Visitors) -> None:
    """Counters that are drawn larger than their hexes, and the phase in words, with the invitation beside it."""
    page = visitors(**PHONE)
    page.goto(f"/tables/{deal_out(page, SECRETIVE, mode='shared')}")
    pilot = Pilot(page).ready()
    page.locator("[data-zoom=fit]").tap()
    board, tools = page.locator("#board").bounding_box(), page.locator(".zoom").bounding_box()
    assert board
    assert tools
    parts = page.locator("#counters .unit :is(.plate, .tag)").all()
    assert len(parts) == 4
    for box in (part.bounding_box() for part in parts):
        assert box
        assert board["x"] <= box["x"]
        assert box["x"] + box["width"] <= board["x"] + board["width"]
        assert board["y"] <= box["y"]
        assert box["y"] + box["height"] <= tools["y"]
    expect(page.locator(".bar .share")).to_be_visible()
    phase = page.locator(".phases [aria-current] summary > span").first
    expect(phase).to_have_text("Aircraft Decisions")
    assert phase.evaluate("node => node.scrollWidth <= node.clientWidth + 1")
    assert in_sight(page, phase)
    check_phone(pilot)


def check_phone(pilot: Pilot) -> None:
    """Nothing is wider than the screen, and the primary button can be reached without scrolling."""
    assert_nothing_sticks_out(pilot.page)
    assert in_sight(pilot.page, pilot.primary)


def assert_large(button: Locator) -> None:
    box = button.bounding_box()
    assert box
    assert box["height"] >= SMALLEST - 0.5, button
    assert box["width"] >= 40, button


def test_the_flight_phase_is_accessible(visitors: Visitors) -> None:
    pilot = alone(visitors(**TALL), CHASE, "fly:red-1")
    page = pilot.page
    pilot.write("HTR/H,H/L")
    page.locator("#draft-whynot summary").click()
    assert_accessible(page, "a line with a fault")
    pilot.skip_to("gun")
    assert_accessible(page, "gun")


def test_the_flight_phase_is_accessible_on_a_phone(visitors: Visitors) -> None:
    pilot = alone(visitors(**PHONE), CHASE, "fly:red-1")
    pilot.write("HTR/H,H/R,H/R,H/R")
    pilot.page.locator("#queue summary").tap()
    assert_accessible(pilot.page, "a whole line")
    pilot.skip_to("gun")
    assert_accessible(pilot.page, "gun")
    # What may come of a burst has six results; their names are no smaller than can be read.
    for odds in pilot.page.locator("#act svg.odds").all():
        assert odds.evaluate("node => 10.5 * node.getScreenCTM().a") >= 9


# A net that is slow.


def test_what_is_read_too_late_is_not_shown(visitors: Visitors) -> None:
    """Enter right after a digit: how that line reads comes when the next question stands there already."""
    pilot = alone(visitors(), CHASE, "settings:red-1")
    page = pilot.page
    late: list[Route] = []
    page.route("**/draft?**offer=settings**", lambda route: late.append(route))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("1")
    expect(pilot.line).to_have_value("SC")
    pilot.enter()
    expect(page.locator("#draft")).to_have_attribute("data-offer", "fly:red-1:0")
    assert late
    for route in late:
        route.continue_()
    expect(pilot.line).to_have_value("")
    page.keyboard.press("1")
    pilot.read("H")
    expect(page.locator(".so-far")).to_contain_text("Ahead")


def test_the_script_of_lines_comes_late_and_begins_once(visitors: Visitors) -> None:
    """The table moves on meanwhile; what is typed then is read once, for the question that is open."""
    page = visitors()
    late: list[Route] = []
    page.route("**/draft.js*", lambda route: late.append(route))
    table = deal_out(page, CHASE)
    play_to(table, (page,), "settings:red-1")
    page.goto(f"/tables/{table}")
    pilot = Pilot(page)
    Desk.ready(pilot)
    version = play_to(table, (page,), "settings:blue-1")
    pilot.reaches(version)
    for route in late:
        route.continue_()
    pilot.ready()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/draft?" in one.url else None)
    pilot.write("SC")
    page.wait_for_timeout(300)
    assert [one.partition("?")[2] for one in asked] == ["offer=settings%3Ablue-1&text=SC"]


# Alone.


def test_a_turn_of_one_against_one_in_few_clicks(visitors: Visitors) -> None:
    """As it is proposed and straight on: but for the line of each move, the primary button is enough."""
    page = visitors()
    answer = page.request.post(
        "/tables",
        form={"game": "gunslingers", "scenario": "one-on-one", "mode": "solo"},
        max_redirects=0,
    )
    page.goto(answer.headers["location"].partition("?")[0])
    pilot = Pilot(page).ready()
    clicks: list[str] = []
    while pilot.turn == 1:
        assert len(clicks) < 20, clicks
        if pilot.kind == "fly":
            clicks.append("straight on")
            pilot.quick("Straight on")
        clicks.append(pilot.offer)
        if pilot.kind == "decide":
            pilot.decide()
        else:
            pilot.confirm()
    # Both watch or find nobody, both decide, both set how they fly, and fly; what else is asked depends on dice.
    assert clicks.count("straight on") == 2
    assert len(clicks) <= 12, clicks


def test_what_is_committed_is_not_lost(visitors: Visitors) -> None:
    """A line half typed, half flown: after a reload, the back button and in a second tab of the same seat."""
    pilot = alone(visitors(), CHASE, "fly:red-1")
    page = pilot.page
    pilot.write("HTR/H,H/R")
    pilot.confirm()
    assert pilot.offer == "fly:red-1:2"
    where = pilot.hexes()["red-1"]
    assert where == "1422"
    pilot.write("H,H/L")
    page.reload()
    pilot.ready()
    assert (pilot.offer, pilot.hexes()["red-1"]) == ("fly:red-1:2", where)
    pilot.read("H,H/L")

    page.goto("/games/gunslingers")
    page.go_back()
    pilot.ready()
    assert (pilot.offer, pilot.hexes()["red-1"]) == ("fly:red-1:2", where)

    # A second tab goes on; the first is told, and shows the same.
    other = Pilot(page.context.new_page())
    other.page.goto(page.url)
    other.ready()
    pilot.write("H,H/R")
    version = other.write("H,H").confirm()
    pilot.reaches(version)
    expect(page.locator("#notice")).to_contain_text("Your line was: H,H/R")
    assert pilot.hexes() == other.hexes()
    other.page.close()
    # What was typed for that question is nothing to the one that is open now.
    assert pilot.offer != "fly:red-1:2"
    page.reload()
    expect(pilot.ready().line).not_to_have_value("H,H/R")


def test_a_double_click_flies_once_and_a_line_can_be_taken_back(visitors: Visitors) -> None:
    pilot = alone(visitors(), CHASE, "fly:red-1")
    page = pilot.page
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    pilot.write("H,H")
    before = pilot.version
    pilot.primary.dblclick()
    pilot.after(before)
    page.wait_for_timeout(400)
    assert len(sent) == 1
    assert (pilot.offer, pilot.hexes()["red-1"]) == ("fly:red-1:2", "1422")

    # Taken back it can be flown otherwise: at once, for no die fell, and nobody else has seen it.
    before = pilot.version
    pilot.undo.click()
    pilot.after(before)
    assert (pilot.offer, pilot.hexes()["red-1"]) == ("fly:red-1:0", "1424")
    expect(page.locator("#log-lines .struck")).not_to_have_count(0)
    pilot.write("HTR/H,H/R").confirm()
    assert pilot.hexes()["red-1"] == "1422"
    expect(pilot.lines.filter(has_text="plans HTR/H, H/R")).to_have_count(1)
