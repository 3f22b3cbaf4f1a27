"""F-14 Tomcats in a browser: whole missions, and a picture that is in step, readable and at rest."""

import math
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk
from tests.e2e.mission import ANVIL, BISHOP, GAME, MOMENTS, come_to, setup
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_layout import place_of
from tests.e2e.test_phone import PHONE, SMALLEST, assert_nothing_sticks_out
from tests.e2e.visitors import Visitors

MOST_ANSWERS = 250
SCENE = """() => ["haze", "route", "targets", "jets", "panel", "text"].map((part) => {
  const node = document.getElementById("scene-" + part).cloneNode(true);
  for (const one of [node, ...node.querySelectorAll(".fly")]) one.classList.remove("fly");
  for (const one of [node, ...node.querySelectorAll("*")]) {
    one.classList.forEach((name) => name.startsWith("htmx-") && one.classList.remove(name));
    if (one.getAttribute("class") === "") one.removeAttribute("class");
  }
  return node.outerHTML.replace(/\\s+/g, " ").replace(/> </g, "><");
})"""


def at_moment(page: Page, name: str) -> Desk:
    """This person's page of a solo table at a moment."""
    page.goto(f"/tables/{come_to(page.request, MOMENTS[name])}")
    return Desk(page).ready()


def pair_at(first: Page, second: Page) -> tuple[Desk, Desk]:
    """A shared table where the wingman is sure to be asked: no single hit destroys its first target."""
    targets = [{"waypoint": 2, "type": "power-station"}, {"waypoint": 12, "type": "fuel-dump"}]
    body = {"game": GAME, "mode": "shared", "setup": setup(ANVIL, BISHOP, targets=targets)}
    answer = first.request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    first.goto(f"/tables/{answer.json()['id']}")
    second.goto(first.locator("#table input[aria-label^=Invitation]").input_value())
    second.get_by_role("button", name="Take the seat").click()
    desks = Desk(first).ready(), Desk(second).ready()
    expect(first.locator("#seats .seat.here")).to_have_count(2)
    return desks


def is_over(desk: Desk) -> bool:
    return bool(re.match("Play again|Rematch", desk.primary.inner_text()))


def assert_as_fresh(desk: Desk) -> None:
    """The picture that has come piece by piece is the one that a reader who comes now gets."""
    page = desk.page.context.new_page()
    page.goto(desk.page.url)
    fresh = page.evaluate(SCENE)
    page.close()
    for mine, new in zip(desk.page.evaluate(SCENE), fresh, strict=True):
        assert mine.split("<") == new.split("<")


# Whole missions.


def test_a_mission_by_mouse(visitors: Visitors) -> None:
    desk = Desk.open(visitors(), {"game": GAME, "scenario": "solo", "mode": "solo"})
    page = desk.page
    for _ in range(MOST_ANSWERS):
        if is_over(desk):
            break
        if desk.options.count():
            page.locator("#act .opt:not(.shut) label").first.click()
        desk.confirm()
    assert is_over(desk)
    jet = page.locator("#scene-jets > g")
    expect(jet).to_have_class(re.compile(r"\bw25\b.*\bhome\b|\bfell\b"))
    expect(page.locator("#scene-panel h2")).to_contain_text("Mission over")
    assert_as_fresh(desk)


def test_a_mission_by_keyboard(visitors: Visitors) -> None:
    """Digits choose, Enter does; keys of a board do nothing here, and are not listed."""
    desk = Desk.open(visitors(), {"game": GAME, "scenario": "solo", "mode": "solo"})
    page = desk.page
    page.keyboard.press("?")
    keys = page.locator("dialog#keys")
    expect(keys).to_be_visible()
    assert "pan" not in keys.inner_text()
    assert "undo" in keys.inner_text()
    page.keyboard.press("Escape")
    for _ in range(MOST_ANSWERS):
        if is_over(desk):
            break
        before = desk.version
        for key in ("g", "n", "0", "h", "+", "ArrowLeft"):
            if before < 3:
                page.keyboard.press(key)
        expect(page.locator("dialog[open]")).to_have_count(0)
        if desk.options.count():
            page.keyboard.press("1")
            assert desk.options.first.is_checked() or desk.options.first.is_disabled()
        page.keyboard.press("Enter")
        desk.after(before)
        expect(page.locator("body.busy")).to_have_count(0)
    assert is_over(desk)


def test_a_mission_of_two(visitors: Visitors) -> None:
    """Leader and wingman at browsers of their own: each sees the other's shots, and the same picture."""
    desks = pair_at(visitors(), visitors())
    acted: set[int] = set()
    for turn in range(MOST_ANSWERS):
        if is_over(desks[0]):
            break
        n = 0 if desks[0].offer else 1
        actor, other = desks[n], desks[1 - n]
        if not actor.offer:  # a roll or effect that nobody in particular owns
            actor = desks[0]
        if actor.options.count():
            acted.add(n)
            actor.page.locator("#act input[name=choice]:enabled").first.check()
        other.reaches(actor.confirm())
        if turn % 12 == 0:
            assert desks[0].page.evaluate(SCENE) == desks[1].page.evaluate(SCENE)
    assert is_over(desks[0])
    assert acted == {0, 1}
    assert desks[0].page.evaluate(SCENE) == desks[1].page.evaluate(SCENE)


@pytest.mark.parametrize(
    ("face", "state", "mark"), [(4, "rescued", "canopy"), (2, "lost", "cross")]
)
def test_a_jet_goes_down(visitors: Visitors, face: int, state: str, mark: str) -> None:
    """The bail-out roll is asked for at once, and what became of the pilot is drawn where he was hit."""
    desk = at_moment(visitors(), "down")
    page = desk.page
    expect(desk.title).to_contain_text("bail-out")
    expect(page.locator("#scene-jets .fell.down.w21")).to_have_count(1)
    expect(page.locator("#scene-panel .crews")).to_contain_text("going down")
    page.locator("#act input[name=faces]").fill(str(face))
    desk.confirm()
    expect(page.locator(f"#scene-jets .fell.w21.{state} use[href='#{mark}']")).to_have_count(1)
    expect(page.locator("#scene-panel .crews")).to_contain_text(state)
    assert is_over(desk)


# What is seen.


@pytest.mark.parametrize(
    "size", [(1440, 900), (1920, 1080), (1024, 700), (844, 390), (360, 640)], ids=str
)
def test_every_waypoint_can_be_read(visitors: Visitors, size: tuple[int, int]) -> None:
    """All 25 lie within the stage and apart from one another, with numbers of a size to read."""
    page = visitors(viewport={"width": size[0], "height": size[1]})
    desk = at_moment(page, "home")
    stage = desk.page.locator(".stage").bounding_box()
    assert stage
    boxes = [one.bounding_box() for one in page.locator("#scene-route .wp").all()]
    middles: list[tuple[float, float]] = []
    for box in boxes:
        assert box
        assert stage["x"] <= box["x"] <= stage["x"] + stage["width"] - box["width"]
        assert stage["y"] <= box["y"] <= stage["y"] + stage["height"] - box["height"]
        middles.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    assert len(middles) == 25
    wide = boxes[4]["width"] if boxes[4] else 0
    least = min(math.dist(a, b) for n, a in enumerate(middles) for b in middles[:n])
    assert least > wide * 0.9, (least, wide)
    tall = page.locator("#scene-route .wp text").nth(4).evaluate(
        "n => parseFloat(getComputedStyle(n).fontSize) * n.getScreenCTM().a"
    )  # fmt: skip
    assert tall >= 8


@pytest.mark.parametrize("name", list(MOMENTS))
def test_a_moment_on_a_phone(visitors: Visitors, name: str) -> None:
    """Nothing sticks out, the panel is whole within the stage, and what is touched is large enough."""
    page = visitors(**PHONE)
    at_moment(page, name)
    assert_nothing_sticks_out(page)
    stage, panel = (
        page.locator(".stage").bounding_box(),
        page.locator("#scene-panel").bounding_box(),
    )
    assert stage
    if panel:
        assert panel["y"] >= stage["y"] - 0.5
        assert panel["x"] >= 0
        assert panel["x"] + panel["width"] <= 360
        assert page.locator("#scene-panel").evaluate("n => n.scrollWidth <= n.clientWidth")
    for one in page.locator("#primary, #undo, [role=tab], #act .opt label").all():
        if box := one.bounding_box():
            assert box["height"] >= SMALLEST - 0.5
            assert box["width"] >= SMALLEST - 0.5


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_moments_are_accessible(visitors: Visitors, device: str) -> None:
    page = visitors(**(PHONE if device == "phone" else {}))
    for name in ("start", "sam", "two", "bombed", "rescued"):
        desk = at_moment(page, name)
        assert_accessible(page, name)
        if name == "two":
            for tab in ("Units", "Text"):
                desk.tab(tab)
                assert_accessible(page, f"tab {tab}")
            desk.tab("Log")


SIZES = [(1366, 800), (360, 640)]


@pytest.mark.parametrize(("width", "height"), SIZES, ids=str)
def test_the_buttons_keep_their_place(visitors: Visitors, width: int, height: int) -> None:
    """From prompt to prompt, over every kind of question that there is, with dice by hand."""
    small = {"is_mobile": True, "has_touch": True} if width < 500 else {}
    page = visitors(viewport={"width": width, "height": height}, **small)
    places: set[Any] = set()
    for name in MOMENTS:
        desk = at_moment(page, name)
        places.add((place_of(desk, "#primary"), place_of(desk, "#undo")))
        stage = page.locator(".stage").bounding_box()
        assert stage
        places.add(("stage", *stage.values()))
    assert len(places) == 2, places


def test_the_panel_tells_what_is_to_come(visitors: Visitors) -> None:
    page = visitors()
    at_moment(page, "sam")
    panel = page.locator("#scene-panel")
    expect(panel.locator(".lanes li")).to_have_count(5)
    expect(panel.locator(".tally")).to_contain_text("2 still to come")
    expect(panel.locator(".lanes .coming .no")).to_have_text("4")
    expect(panel.locator(".lamps .risk")).to_have_count(2)
    expect(panel.locator(".lamps .on")).to_have_count(1)
    at_moment(page, "aim")
    expect(panel.locator(".lanes .coming use[href='#l-amraam']")).to_have_count(1)
    at_moment(page, "pass")
    expect(panel).to_contain_text("Pass 1: Maverick from Anvil")
    at_moment(page, "bombed")
    expect(panel.locator(".pips .on")).to_have_count(2)


def test_the_past_has_its_picture(visitors: Visitors) -> None:
    page = visitors()
    desk = at_moment(page, "migs")
    here, newest = page.url, desk.version
    page.goto(f"{here}?at={newest - 2}")
    expect(page.locator("#scene-panel .lanes .won")).to_have_count(1)
    page.keyboard.press("[")
    page.wait_for_url(f"**at={newest - 3}")
    page.goto(f"{here}?at=2")
    expect(page.locator("#scene-panel.fight")).to_have_count(0)


# Motion.

WATCH = """() => {
  window.moved = [];
  for (const type of ["transitionrun", "animationstart"])
    document.addEventListener(type, (e) => window.moved.push(e.target.getAttribute("class") || ""));
}"""


def fly(desk: Desk) -> None:
    """On to the next waypoint, by as many steps as it takes."""
    jet = desk.page.locator("#scene-jets .jet")
    at = jet.get_attribute("class")
    for _ in range(4):
        desk.confirm()
        if jet.get_attribute("class") != at:
            return
    raise AssertionError("the jet has not moved")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_jet_glides_only_where_a_frame_moves_it(visitors: Visitors, motion: Any) -> None:
    page = visitors(reduced_motion=motion)
    page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH})")
    desk = at_moment(page, "flight")
    page.wait_for_timeout(300)

    def moved() -> list[str]:
        """What has moved of the picture since the last look."""
        found: list[str] = page.evaluate("() => window.moved.splice(0)")
        return [name for name in found if re.search(r"\b(jet|turn|flown|run|burst)\b", name)]

    assert moved() == [], "something moved on arrival"
    fly(desk)
    page.wait_for_timeout(500)
    names = moved()
    if motion == "reduce":
        assert names == []
    else:
        assert any("jet" in name for name in names)
        assert any("flown" in name for name in names)


def test_what_a_frame_brings_flies_in(visitors: Visitors) -> None:
    """The missile that was dealt with and the one that comes next; not those that stay as they were."""
    page = visitors()
    desk = at_moment(page, "sam")
    flying = page.locator("#scene-panel .lanes .fly .no")
    expect(flying).to_have_count(0)
    page.locator("#act input[name=faces]").fill("2")
    page.evaluate("""() => { window.flown = []; new MutationObserver(() =>
      document.querySelectorAll("#scene-panel .lanes .fly .no").forEach((n) => flown.push(n.textContent)))
      .observe(document.body, {subtree: true, attributes: true, attributeFilter: ["class"]}); }""")
    desk.confirm()
    expect(page.locator("#scene-panel .lanes .evaded")).to_have_count(2)
    page.wait_for_timeout(300)
    assert set(page.evaluate("() => window.flown")) == {"4", "5"}
    page.wait_for_timeout(900)
    expect(flying).to_have_count(0)


def test_a_resync_moves_nothing(visitors: Visitors) -> None:
    """Whoever was away finds the flight where it is."""
    page = visitors()
    page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH})")
    desk = at_moment(page, "flight")
    visitors.expect("ERR_INTERNET_DISCONNECTED|failed: |net::")
    page.wait_for_timeout(200)
    page.evaluate("""() => document.addEventListener("htmx:sse:before:message", (e) => {
      e.detail.message.data = e.detail.message.data.replaceAll('hx-target="#log-lines" hx-swap="upsert"',
        'hx-target="#log-lines" hx-swap="innerMorph"');
    }, true)""")
    page.evaluate("() => window.moved.splice(0)")
    fly(desk)
    page.wait_for_timeout(500)
    found: list[str] = page.evaluate("() => window.moved")
    assert [name for name in found if re.search(r"\b(jet|turn|flown)\b", name)] == []
