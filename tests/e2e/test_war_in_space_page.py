"""War In Space in a browser: what is drawn of it can be read, stays in its place, and tells no secret."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.desk import Desk
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_phone import PHONE, assert_nothing_sticks_out
from tests.e2e.visitors import Visitors

GAME = "war-in-space"
MOST_ANSWERS = 80
BACK = "Order face down"


def _ship(ship: str, kind: str, place: str, facing: int, **more: Any) -> dict[str, Any]:
    side = ship.partition("-")[0]
    name = ship.replace("-", " ").title()
    start = {"id": ship, "seat": side, "kind": kind, "name": name, "hex": place, "facing": facing}
    return {**start, **more}


FLEETS: dict[str, Any] = {
    "title": "One of each",
    "ships": [
        _ship("a-1", "dreadnought", "1410", 3, marked={"hull": 6, "weapon": 1, "power": 2}),
        _ship("a-2", "cruiser", "1609", 3, speed=3, marked={"shield": 4}),
        _ship("a-3", "corvette", "1211", 2, speed=10),
        _ship("b-1", "battlecruiser", "1414", 0),
        _ship("b-2", "frigate", "1611", 0, speed=0),
        _ship("b-3", "frigate", "1611", 4, speed=6),
    ],
}
"""Every class; ships that are whole, hurt and crippled, at rest and fast, alone and two in a hex."""

COLOURS = """() => {
  const rgb = (colour, over) => { const c = document.createElement("canvas").getContext("2d"); for (const one of [over, colour]) if (one) { c.fillStyle = one; c.fillRect(0, 0, 1, 1); } return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (of) => { const [r, g, b] = of.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  const halo = document.createElementNS("http://www.w3.org/2000/svg", "circle");  // a ship has one when it alone is to act
  halo.setAttribute("class", "halo");
  document.querySelector("#board").append(halo);
  const ground = style(".ground").fill;
  // By night, where two clouds lie over one another, which is the lightest that the ground becomes.
  const sky = style(".by-night").display !== "none", rose = style(".rose").stopColor;
  const cloud = sky ? rgb(rose, `rgb(${rgb(rose, ground)})`) : rgb(ground);
  const plate = rgb(style(".plate").fill), pill = rgb(style("#tag .pill").fill);
  const found = { label: ratio(rgb(style("#labels text").fill), cloud), name: ratio(rgb(style(".nm").fill), cloud), ruler: ratio(rgb(style(".ruler text").fill), rgb(style("#board").backgroundColor)) };
  const shapes = { flag: ratio(rgb(style(".flag circle").fill), cloud), jets: ratio(rgb(style(".jets").fill), plate), halo: ratio(rgb(style(".halo").stroke), cloud) };
  for (const side of ["first", "second"]) {
    const unit = `.unit.${side}`, hull = rgb(style(`${unit} .sil`).fill);
    found[`speed ${side}`] = ratio(rgb(style(`${unit} .tag text`).fill), pill);
    Object.assign(shapes, { [`hull ${side}`]: ratio(hull, plate), [`beam ${side}`]: ratio(hull, cloud), [`ladder ${side}`]: ratio(rgb(style(`${unit} .high`).stroke), pill) });
  }
  return [found, shapes];
}"""


@pytest.fixture
def fleets(visitors: Visitors) -> Callable[..., Desk]:
    """Opens a solo table of the fleets."""

    def opened(**options: Any) -> Desk:
        page = visitors(**options)
        order = {"game": GAME, "mode": "solo", "setup": FLEETS}
        answer = page.request.post("/api/tables", data=order)
        assert answer.ok, answer.text()
        page.goto(f"/tables/{answer.json()['id']}")
        return Desk(page).ready()

    return opened


def answer(desk: Desk) -> None:
    """The first that is allowed; a sealed answer gives the table no new version, but another question."""
    before = desk.offer, desk.version
    if not desk.page.locator("#act input[name=choice]:checked").count():
        desk.page.locator("#act input[name=choice]:enabled").first.check()
    desk.primary.click()
    desk.moved_on(*before)


def play_to(desk: Desk, kind: str) -> None:
    for _ in range(MOST_ANSWERS):
        if desk.kind == kind:
            return
        answer(desk)
    raise AssertionError(f"no question {kind} came up")


def sheet(page: Page, ship: str) -> Any:
    return page.locator(f"#card-{ship}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(fleets: Callable[..., Desk], scheme: Literal["light", "dark"]) -> None:
    page = fleets().page
    page.emulate_media(color_scheme=scheme)
    texts, shapes = page.evaluate(COLOURS)
    assert min(texts.values()) >= 4.5, texts
    assert min(shapes.values()) >= 3, shapes


GROUNDS = """() => ["by-day", "by-night"].filter((name) =>
  getComputedStyle(document.querySelector(`.${name}`)).display !== "none")"""


@pytest.mark.parametrize("chosen", ["", "light", "dark"])
@pytest.mark.parametrize("system", ["light", "dark"])
def test_one_ground_for_each_theme(
    fleets: Callable[..., Desk], system: Literal["light", "dark"], chosen: str
) -> None:
    page = fleets(color_scheme=system).page
    if chosen:
        page.locator(".menu > summary").click()
        page.locator(f".theme input[value={chosen}]").check()
    night = (chosen or system) == "dark"
    assert page.evaluate(GROUNDS) == ["by-night" if night else "by-day"]
    page.emulate_media(media="print")
    assert page.evaluate(GROUNDS) == []


def test_a_sheet_tells_what_it_draws(fleets: Callable[..., Desk]) -> None:
    desk = fleets()
    page = desk.page
    desk.tab("Units")
    hurt = sheet(page, "a-1")
    for words, struck in (
        ("Hull: 6 of 11 boxes marked", 6),
        ("Weapon: 1 of 6 boxes marked", 1),
        ("Shield: 0 of 6 boxes marked", 0),
        ("Power: 2 of 6 boxes marked", 2),
    ):
        row = hurt.get_by_role("img", name=words)
        expect(row.locator(".struck")).to_have_count(struck)
    # What was so on arrival does not move.
    expect(page.locator(".struck.fly")).to_have_count(0)
    # Two Power boxes less: from d12 to d8.
    expect(hurt.get_by_role("img", name="Energy dice: 3d8")).to_be_visible()
    expect(hurt.get_by_role("img", name="Turn die: d4")).to_be_visible()
    expect(hurt.get_by_role("img", name="Attack energy: not rolled yet")).to_be_visible()
    expect(hurt).to_contain_text(BACK)
    crippled = page.locator("#counters .unit:has(.flag)")
    expect(crippled).to_have_count(1)
    expect(crippled).to_have_attribute("data-unit", "a-1")
    # At rest no jets burn.
    expect(page.locator("#u-b-2 .jets")).to_have_count(0)
    expect(page.locator("#u-b-3 .jets")).to_have_count(1)


def test_a_ship_without_power_has_no_order(visitors: Visitors) -> None:
    page = visitors()
    dark = _ship("a-1", "cruiser", "1410", 3, marked={"power": 4})
    order = {"game": GAME, "mode": "solo", "setup": {**FLEETS, "ships": [dark, FLEETS["ships"][3]]}}
    page.goto(page.request.post("/api/tables", data=order).json()["url"])
    Desk(page).ready().tab("Units")
    expect(sheet(page, "a-1")).to_contain_text("No order")
    expect(sheet(page, "a-1").locator(".back")).to_have_count(0)
    expect(sheet(page, "b-1")).to_contain_text(BACK)


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_sheets_keep_their_size_for_a_turn(fleets: Callable[..., Desk], device: str) -> None:
    desk = fleets(**(PHONE if device == "phone" else {}))
    page = desk.page
    desk.tab("Units")
    turn, sizes, kinds = desk.turn, set[Any](), set[str]()
    for _ in range(MOST_ANSWERS):
        sizes.add(
            tuple(
                page.locator("#cards > article").evaluate_all(
                    "all => all.map(one => Math.round(one.getBoundingClientRect().height * 10))"
                )
            )
        )
        kinds.add(desk.kind)
        if desk.turn != turn:
            break
        answer(desk)
    assert desk.turn == turn + 1
    assert {"order", "move"} <= kinds
    assert len(sizes) == 1, sizes
    assert_nothing_sticks_out(page)
    desk.expect_as_fresh()


def test_the_card_is_a_back_until_all_are_shown(visitors: Visitors) -> None:
    desks = Desk.pair(visitors(), visitors(), game=GAME)
    for desk in desks:
        desk.tab("Units")
    cards = [desk.page.locator("#cards > article") for desk in desks]
    backs = [
        one.locator(".bridge").evaluate_all("all => all.map(b => b.innerHTML)") for one in cards
    ]
    desks[0].primary.click()
    expect(desks[0].page.locator("#now .held")).to_be_visible()
    for one, back in zip(cards, backs, strict=True):
        assert one.locator(".bridge").evaluate_all("all => all.map(b => b.innerHTML)") == back
    before = desks[0].version
    desks[1].confirm()
    desks[0].after(before)
    for one in cards:
        expect(one.filter(has_text=BACK)).to_have_count(0)
        expect(one.locator(".order[data-fly]")).to_have_count(2)
        expect(one.locator(".orders [aria-current]")).to_have_count(2)


@pytest.mark.parametrize("device", ["screen", "phone"])
def test_accessible(fleets: Callable[..., Desk], device: str) -> None:
    desk = fleets(**(PHONE if device == "phone" else {}))
    desk.tab("Units")
    assert_accessible(desk.page, "sheets, face down")
    play_to(desk, "move")
    assert_accessible(desk.page, "sheets, shown")
    assert_nothing_sticks_out(desk.page)
