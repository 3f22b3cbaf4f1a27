"""War In Space as people play it: two in secret, with keys alone, with a thumb, against a captain."""

import html
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.desk import Desk, deal
from tests.e2e.test_accessibility import assert_accessible
from tests.e2e.test_keyboard import focus, tab_to
from tests.e2e.test_phone import (
    ON_THE_BOARD,
    PHONE,
    SMALLEST,
    assert_nothing_sticks_out,
    box_of,
    in_sight,
)
from tests.e2e.test_war_in_space_page import answer, play_to, sheet
from tests.e2e.visitors import Visitors
from tests.e2e.wire import Wire

GAME = "war-in-space"
MOST_ANSWERS = 80


def _ship(ship: str, kind: str, name: str, place: str, facing: int, **more: Any) -> dict[str, Any]:
    seat = ship.partition("-")[0]
    start = {"id": ship, "seat": seat, "kind": kind, "name": name, "hex": place, "facing": facing}
    return {**start, "speed": 1, **more}


def setup(*ships: dict[str, Any], turns: int = 2) -> dict[str, Any]:
    return {
        "title": "Close",
        "turns": turns,
        "seats": [{"id": "home", "label": "Home Fleet"}, {"id": "rim", "label": "Rim Fleet"}],
        "ships": list(ships),
    }


CLOSE = setup(
    _ship("home-1", "cruiser", "Resolve", "1509", 3),
    _ship("home-2", "frigate", "Greyhound", "1309", 3, crew="green"),
    _ship("rim-1", "battlecruiser", "Iron Duke", "1513", 0),
)
"""Four hexes apart and slow: all can fire at one another in both turns."""


@pytest.fixture
def table(visitors: Visitors) -> Callable[..., Desk]:
    """Opens a solo table of a set-up."""

    def opened(data: dict[str, Any] = CLOSE, dice: str = "server", **options: Any) -> Desk:
        page = visitors(**options)
        order = {"game": GAME, "mode": "solo", "setup": data, "dice": dice}
        made = page.request.post("/api/tables", data=order)
        assert made.ok, made.text()
        page.goto(f"/tables/{made.json()['id']}")
        return Desk(page).ready()

    return opened


# Two people, in secret.


class Duellist:
    """Somebody whose browser's traffic is read."""

    def __init__(self, page: Page) -> None:
        self.desk = Desk(page)

    @cached_property
    def wire(self) -> Wire:
        """From when it is first asked for."""
        return Wire(self.desk.page)

    def page_now(self) -> str:
        """The page as the server would send it now."""
        return self.desk.page.request.get(self.desk.page.url).text()


def seated(visitors: Visitors) -> tuple[Duellist, Duellist]:
    host, guest = Duellist(visitors()), Duellist(visitors())
    order = {"game": GAME, "mode": "shared", "setup": CLOSE}
    made = host.desk.page.request.post("/api/tables", data=order).json()
    host.desk.page.goto(f"/tables/{made['id']}")
    host.desk.ready()
    guest.desk.page.goto(next(s["invite"] for s in made["seats"] if not s["yours"]))
    guest.wire.news()
    guest.desk.page.get_by_role("button", name="Take the seat").click()
    guest.desk.ready()
    for one in (host, guest):
        expect(one.desk.page.locator("#seats .seat.here")).to_have_count(2)
    return host, guest


class Unseen:
    """While this lasts, nothing at all reaches somebody, and their page stays the same to the byte."""

    def __init__(self, whom: Duellist) -> None:
        self.whom = whom
        whom.wire.news()
        self.before = whom.page_now()

    def check(self) -> None:
        assert self.whom.wire.news() == ""
        assert self.whom.page_now() == self.before


PLANTED = {"suit": "hearts", "allout": True, "dc": True}
CHANGED = {"suit": "diamonds", "allout": False, "dc": False}
"""Orders of the host. Nobody else gives any of these."""


def held(desk: Desk) -> Locator:
    return desk.page.locator("#now .held li")


def order_in_secret(host: Duellist, guest: Duellist) -> None:
    """Both ships get orders, one of them twice; the guest's page knows nothing of any of it."""
    desk, unseen = host.desk, Unseen(guest)
    for ship in ("home-1", "home-2"):
        assert desk.offer == f"order:{desk.turn}:{ship}"
        desk.choose({**PLANTED, "dc": False})
        desk.page.get_by_role("checkbox", name="Damage Control").check()
        answer(desk)
        unseen.check()
    expect(held(desk)).to_have_text(
        [re.compile(r"^Resolve .*♥ Hearts, all-out, Damage Control"), re.compile("^Greyhound")]
    )
    desk.page.get_by_role("button", name="Change Greyhound").click()
    expect(held(desk)).to_have_count(1)
    assert desk.offer == f"order:{desk.turn}:home-2"
    unseen.check()
    desk.choose(CHANGED)
    answer(desk)
    expect(held(desk)).to_have_count(2)
    unseen.check()
    said = html.unescape(guest.wire.heard)
    assert f"order:{desk.turn}:rim-1" in said
    assert f"order:{desk.turn}:home" not in said
    before = desk.version
    guest.desk.choose({"suit": "spades", "allout": False, "dc": False})
    answer(guest.desk)
    guest.desk.reaches(desk.after(before))
    for one in (host, guest):
        shown = one.desk.lines.filter(has_text="Orders are shown.").last
        expect(shown).to_contain_text("Resolve: ♥ all-out with Damage Control")
        expect(shown).to_contain_text("Greyhound: ♦ normal")
        expect(shown).to_contain_text("Iron Duke: ♠ normal")
        # And on the sheets, all at once.
        expect(one.desk.page.locator("#cards .order[data-fly]")).to_have_count(3)
    assert "Resolve: ♥ all-out with Damage Control" in html.unescape(guest.wire.news())


AT_RIM = '"target":"rim-1"'


def fire_in_secret(host: Duellist, guest: Duellist) -> None:
    """The host declares for each ship that can fire; the guest is not told before it has declared too."""
    desk, unseen = host.desk, Unseen(guest)
    assert guest.desk.kind == "fire"
    while desk.kind == "fire":
        desk.choose({"aim": 0, "target": "rim-1"})
        answer(desk)
        unseen.check()
    assert AT_RIM not in html.unescape(guest.wire.heard)
    before = desk.version
    guest.desk.choose("hold")
    answer(guest.desk)
    guest.desk.reaches(desk.after(before))
    for one in (host, guest):
        shown = one.desk.lines.filter(
            has_text="All fire is shown; damage is dealt after the last shot."
        ).last
        expect(shown).to_contain_text("at Iron Duke: range")
        expect(shown).to_contain_text("Iron Duke holds fire")
    guest.wire.news()


def test_two_people_play_a_game_and_no_secret_is_sent(visitors: Visitors) -> None:
    host, guest = seated(visitors)
    rounds: list[str] = []
    for _ in range(MOST_ANSWERS):
        if host.desk.primary.inner_text().startswith("Rematch"):
            break
        kind = host.desk.kind
        if kind == "order":
            order_in_secret(host, guest)
            rounds.append(kind)
        elif kind == "fire":
            fire_in_secret(host, guest)
            rounds.append(kind)
        else:
            actor, other = (host, guest) if kind else (guest, host)
            answer(actor.desk)
            other.desk.reaches(actor.desk.version)
    assert rounds[:1] == ["order"]
    assert rounds.count("order") == 2
    assert "fire" in rounds
    for one in (host, guest):
        expect(one.desk.primary).to_have_text("Rematch, same sides")
        expect(one.desk.now).to_contain_text("The last turn of the scenario is over.")
        one.desk.expect_as_fresh()


def test_the_wire_hears_what_is_sent(visitors: Visitors) -> None:
    """What the test above relies on: of an open answer the other browser is sent a frame, and it is heard."""
    host, guest = seated(visitors)
    answer(host.desk)
    answer(host.desk)
    answer(guest.desk)
    guest.wire.news()
    actor, other = (host, guest) if host.desk.kind in ("spend", "move") else (guest, host)
    other.wire.news()
    answer(actor.desk)
    other.desk.reaches(actor.desk.version)
    assert "hx-partial" in other.wire.news()


# One person.


def test_a_turn_with_keys_alone(table: Callable[..., Desk]) -> None:
    desk = table()
    page, turn = desk.page, desk.turn
    kinds: set[str] = set()
    for _ in range(MOST_ANSWERS):
        if desk.turn != turn:
            break
        kinds.add(desk.kind)
        before = desk.offer, desk.version
        page.keyboard.press("1")
        expect(desk.options.and_(page.locator(":checked"))).to_have_count(1)
        page.keyboard.press("Enter")
        desk.moved_on(*before)
    assert desk.turn == turn + 1
    assert {"order", "move"} <= kinds


def test_an_order_is_changed_with_keys_alone(visitors: Visitors) -> None:
    host, _ = seated(visitors)
    desk, page = host.desk, host.desk.page
    for _ in range(2):
        before = desk.offer, desk.version
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        desk.moved_on(*before)
    expect(held(desk)).to_have_count(2)
    tab_to(desk, "value", f"order:{desk.turn}:home-2")
    page.keyboard.press("Enter")
    expect(held(desk)).to_have_count(1)
    expect(desk.title).to_have_text("Give orders")
    assert desk.unit == "home-2"
    assert focus(page)["tag"] != "body", "whoever pressed the button goes on in the question"
    assert_accessible(page, "an order to change")


@pytest.fixture
def phone(table: Callable[..., Desk]) -> Desk:
    return table(**PHONE)


def test_a_turn_with_a_thumb(phone: Desk) -> None:
    page, turn = phone.page, phone.turn
    kinds: set[str] = set()
    for _ in range(MOST_ANSWERS):
        if phone.turn != turn:
            break
        kinds.add(phone.kind)
        assert in_sight(page, phone.primary), f"{phone.offer}: the button is not in sight"
        assert_nothing_sticks_out(page)
        rows = page.locator("#act .opt label").filter(has=page.locator("input:enabled"))
        # The last card, far down the list; a purchase keeps its speed, so that there is a move.
        row = rows.last if phone.kind == "order" else rows.first
        if phone.kind == "spend":
            row = rows.filter(has=page.locator(":checked"))
        row.scroll_into_view_if_needed()
        assert box_of(row)["height"] >= SMALLEST - 0.5
        before = phone.offer, phone.version
        page.wait_for_timeout(360)  # a tap that comes sooner is the second one of a double tap
        row.tap()
        expect(row.locator("input")).to_be_checked()
        phone.primary.tap()
        phone.moved_on(*before)
    assert phone.turn == turn + 1
    assert {"order", "move"} <= kinds


AFAR = setup(
    _ship("home-1", "cruiser", "Resolve", "1504", 3),
    _ship("rim-1", "dreadnought", "Goliath", "1513", 0),
)


@pytest.mark.parametrize("options", [PHONE, {}], ids=["phone", "screen"])
def test_whom_a_ship_can_fire_at_is_seen(table: Callable[..., Desk], options: Any) -> None:
    """Nine hexes away, after a closer look at the ship itself."""
    desk = table(AFAR, **options)
    plates = [desk.page.locator(f"#u-{ship} .plate") for ship in ("home-1", "rim-1")]
    for _ in plates:
        # Nothing for movement, so that fire is next.
        desk.choose({"suit": "spades", "allout": True, "dc": False})
        for _ in range(5):
            desk.page.locator("[data-zoom=in]").dispatch_event("click")
        assert not all(on_the_stage(desk, plate) for plate in plates)
        answer(desk)
    assert desk.offer == "fire:1:home-1"
    assert all(on_the_stage(desk, plate) for plate in plates)
    # However small the board is drawn then, and however large the counters on it.
    assert is_ringed(desk, "home-1")


def is_ringed(desk: Desk, ship: str) -> bool:
    """The one ring that there is lies around the ship."""
    ring, plate = desk.page.locator("#ring .halo"), desk.page.locator(f"#u-{ship} .plate")
    expect(ring).to_have_count(1)
    around, inner = box_of(ring), box_of(plate)
    return all(
        around[start] <= inner[start]
        and around[start] + around[length] >= inner[start] + inner[length]
        for start, length in (("x", "width"), ("y", "height"))
    )


def on_the_stage(desk: Desk, plate: Locator) -> bool:
    """Wholly on the board as far as it is seen, and with nothing over its middle."""
    box, stage = box_of(plate), box_of(desk.page.locator("#board"))
    within = all(
        stage[start] <= box[start] and box[start] + box[length] <= stage[start] + stage[length]
        for start, length in (("x", "width"), ("y", "height"))
    )
    return within and plate.evaluate(ON_THE_BOARD)


def test_the_ship_that_a_sealed_question_is_about_is_ringed(visitors: Visitors) -> None:
    host, guest = (one.desk for one in seated(visitors))
    ring = host.page.locator("#ring .halo")
    for ship in ("home-1", "home-2"):
        assert host.unit == ship
        assert is_ringed(host, ship)
        answer(host)
    # All is answered: nobody is asked here, and the other one has a ring of his own.
    expect(ring).to_have_count(0)
    expect(guest.page.locator("#ring .halo")).to_have_count(1)


def test_who_has_answered_sees_whom_he_waits_for(visitors: Visitors) -> None:
    """However far down the answer stood."""
    host, _ = Desk.pair(visitors(**PHONE), visitors(), game=GAME)
    row = host.page.locator("#act .opt label").filter(has=host.page.locator("input:enabled")).last
    row.scroll_into_view_if_needed()
    assert not in_sight(host.page, host.title)
    row.tap()
    answer(host)
    expect(host.title).to_contain_text("waiting for the others")
    assert in_sight(host.page, host.title)


HEAD = """() => [...document.querySelectorAll(".bar > *")].map((n) => n.getBoundingClientRect())
  .filter((b) => b.width > 1).map((b) => [b.left, b.right])"""


@pytest.mark.parametrize("width", [360, 1024, 1280, 1366])
def test_the_head_has_room_for_every_phase(visitors: Visitors, width: int) -> None:
    """The names of the phases are long; what does not fit must not lie over the seats."""
    size = {"viewport": {"width": width, "height": 720}}
    host, _ = Desk.pair(visitors(**size), visitors(), game=GAME)
    for kind in ("order", "move"):
        if host.kind != kind:
            break
        spans = sorted(host.page.evaluate(HEAD))
        for (_, right), (left, _) in pairwise(spans):
            assert right <= left + 0.5, spans
        last = host.page.locator(".phases > ol > li").last
        if width > 980:
            assert (
                box_of(last)["x"] + box_of(last)["width"]
                <= box_of(host.page.locator("#seats"))["x"]
            )


def test_the_order_of_movement_follows_the_moves(table: Callable[..., Desk]) -> None:
    desk = table()
    play_to(desk, "move")
    page = desk.page
    places = page.locator("#queue li")
    expect(page.locator("#queue h2")).to_have_text("Order of movement")
    # Home has more ships, and of those the Green crew is the least experienced.
    expect(places).to_have_text(
        [
            re.compile(
                "Greyhound more ships, so its side begins; Green crew, least experienced, now"
            ),
            re.compile("Iron Duke the last of its side"),
            re.compile("Resolve the last of its side"),
        ]
    )
    for done, ship in enumerate(("home-2", "rim-1", "home-1")):
        assert desk.unit == ship
        expect(page.locator("#queue .is-done")).to_have_count(done)
        expect(page.locator("#queue .is-now")).to_have_text(re.compile("^" + _name(ship)))
        expect(page.locator("#queue summary")).to_contain_text(f"{done} of 3 done")
        answer(desk)
    assert page.locator("#queue").is_hidden()


def _name(ship: str) -> str:
    return next(one["name"] for one in CLOSE["ships"] if one["id"] == ship)


def row_of(desk: Desk, value: Any) -> Locator:
    """The row of an option, with its chances."""
    return desk.radio(value).locator("xpath=ancestor::*[contains(@class, 'opt')][1]")


def by_hand(desk: Desk, *faces: int) -> None:
    """Enter dice that were thrown on a real table."""
    before = desk.offer, desk.version
    fields = desk.page.locator("#act input[name=faces]")
    expect(fields).to_have_count(len(faces))
    for field, face in zip(fields.all(), faces, strict=True):
        field.fill(str(face))
    desk.primary.click()
    desk.moved_on(*before)


def struck(desk: Desk, ship: str) -> Iterator[int]:
    """How many boxes of each system are struck out: Hull, Weapon, Shield, Engine, Power."""
    for row in sheet(desk.page, ship).locator(".system").all():
        yield row.locator(".struck").count()


def test_the_sheet_is_struck_out_box_by_box(table: Callable[..., Desk]) -> None:
    ships = CLOSE["ships"][0], CLOSE["ships"][2]
    desk = table(setup(*ships), dice="hand")
    desk.tab("Units")
    duke = sheet(desk.page, "rim-1")
    for _ in ships:
        desk.choose({"suit": "spades", "allout": False, "dc": False})
        answer(desk)
    by_hand(desk, 8, 2, 2)  # Resolve: 8 to Attack
    by_hand(desk, 5, 3, 2)  # Iron Duke: 3 to Defence
    attack = duke.get_by_role("img", name="Attack energy: 5 left of 5")
    expect(attack).to_be_visible()
    assert desk.offer == "fire:1:home-1"
    expect(desk.page.locator("#act .under h3")).to_have_text("Iron Duke, range 4, defence 3")
    row = row_of(desk, {"aim": 0, "target": "rim-1"})
    expect(row).to_contain_text("60 %")
    expect(row).to_contain_text("11 damage, 8 past defence")
    desk.choose({"aim": 0, "target": "rim-1"})
    answer(desk)
    desk.choose("hold")
    answer(desk)
    assert list(struck(desk, "rim-1")) == [0, 0, 0, 0, 0]
    by_hand(desk, 5)
    assert list(struck(desk, "rim-1")) == [0, 0, 0, 0, 0]
    by_hand(desk, 1, 2, 3, 3, 4, 5, 6, 6)
    assert list(struck(desk, "rim-1")) == [2, 2, 1, 1, 2]
    assert list(struck(desk, "home-1")) == [0, 0, 0, 0, 0]
    expect(duke.get_by_role("img", name="Defence energy: 0 left of 3")).to_be_visible()
    expect(desk.page.locator("#effects-above .shot")).to_have_count(1)
    play_by_hand_to_a_move(desk)
    answer(desk)
    # The beam lay between ships that stood where they fired.
    expect(desk.page.locator("#effects-above .shot")).to_have_count(0)
    desk.expect_as_fresh()


def play_by_hand_to_a_move(desk: Desk) -> None:
    for _ in range(6):
        if desk.kind == "move":
            return
        if desk.page.locator("#act input[name=faces]").count():
            by_hand(desk, 1)
        else:
            answer(desk)
    raise AssertionError("nobody moves")


def test_purchases_stand_side_by_side(table: Callable[..., Desk]) -> None:
    """Each row has the chances of all turns and what it comes to."""
    desk = table(setup(_ship("home-1", "cruiser", "Resolve", "1509", 3), CLOSE["ships"][2]), "hand")
    for suit in ("diamonds", "spades"):
        desk.choose({"suit": suit, "allout": False, "dc": False})
        answer(desk)
    by_hand(desk, 7, 2, 1)
    by_hand(desk, 5, 3, 2)
    assert desk.offer == "spend:1:home-1"
    for value, cost, chances in (
        ({"bonus": 0, "speed": 1}, "0 of 7 energy, 7 lost", ("88 %", "77 %", "67 %")),
        ({"bonus": 1, "speed": 2}, "6 of 7 energy, 1 lost", ("88 %", "77 %", "67 %")),
        ({"bonus": 0, "speed": 3}, "6 of 7 energy, 1 lost", ("62 %", "39 %", "24 %")),
    ):
        # d8 above speed less bonus: 7, 7 and 5 of 8 faces, to the power of the dice.
        row = row_of(desk, value)
        expect(row).to_contain_text(cost)
        for chance in chances:
            expect(row.locator(".chance")).to_contain_text(chance)


# From the home page and the set-up page.


def test_a_battle_of_ones_own_against_a_captain(visitors: Visitors) -> None:
    visitors.expect(r"failed: POST .*/setup: net::ERR_ABORTED")  # a newer change takes its place
    page = visitors()
    page.goto("/games/war-in-space/setup")
    page.wait_for_function("() => document.querySelector('#setup')?._htmx || window.htmx")
    page.locator('[name="s.ships[0].kind"]').select_option("dreadnought")
    page.locator('[name="s.turns"]').fill("2")
    expect(page.locator("#u-home-1")).to_have_attribute("aria-label", re.compile("Dreadnought"))
    page.locator("select[name='bot.2']").select_option("captain")
    page.get_by_role("button", name="Deal the table").click()
    expect(page).to_have_url(re.compile(r"/tables/"))
    Desk(page).ready()
    expect(page.locator("#seats .second .bot")).to_have_text("Captain")
    expect(page.locator("#now .who")).to_contain_text("Dreadnought")


def test_two_turns_against_a_captain(visitors: Visitors) -> None:
    page = visitors()
    page.goto("/")
    deal(page, "against", "War In Space")
    desk = Desk(page).ready()
    for _ in range(MOST_ANSWERS):
        if desk.turn == 3:
            break
        expect(page.locator("#primary:not(.idle)")).to_be_visible(timeout=30_000)
        if page.locator("#act input[name=choice]").count():
            answer(desk)
    assert desk.turn == 3
    # The turn may have begun while the captain was still answering what came before.
    expect(page.locator("#primary:not(.idle)")).to_be_visible(timeout=30_000)
    expect(desk.lines.filter(has=page.locator(".chip.second:not(.bare)")).first).to_be_attached()
    desk.expect_as_fresh()
