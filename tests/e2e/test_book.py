"""The campaign book in the browser: one click, a mission, the debriefing, the book; and two with their own."""

import json
import re

from playwright.sync_api import Page, expect

from tests.e2e.desk import _PARTS, PARTS, Desk
from tests.e2e.mission import GAME, setup
from tests.e2e.visitors import Visitors

CARD = "article.game[aria-labelledby='g-f14-tomcats']"


def start(page: Page, button: str) -> Desk:
    """A table by one click on the home page."""
    page.goto("/")
    page.locator(CARD).get_by_role("button", name=button, exact=True).click()
    page.wait_for_url(re.compile(r"/tables/"))
    return Desk(page).ready()


def fly_home(desk: Desk) -> None:
    """Answer plainly until the mission is over."""
    for _ in range(300):
        if desk.page.locator("#now .debrief").count():
            return
        desk.answer()
    raise AssertionError("the mission does not end")


def expect_as_fresh(desk: Desk) -> None:
    """As Desk.expect_as_fresh, for a game without a board."""
    ids = [one for one in PARTS if desk.page.locator(f"#{one}").count()]
    page = desk.page.context.new_page()
    page.goto(desk.page.url)
    fresh = Desk(page).ready()
    expect(page.locator("#version")).to_have_attribute("value", str(desk.version))
    mine, new = desk.page.evaluate(_PARTS, ids), fresh.page.evaluate(_PARTS, ids)
    page.close()
    for one in ids:
        assert mine[one].split("<") == new[one].split("<"), f"#{one} is not as it should be"


def call_sign(desk: Desk) -> str:
    """Who sits in the first seat."""
    return desk.page.locator("#seats .seat b").first.inner_text()


def test_one_click_a_mission_and_the_book(visitors: Visitors) -> None:
    desk = start(visitors(), "Play solo")
    page, sign = desk.page, call_sign(desk)
    page.goto("/book")
    row = page.locator(".persons li").filter(has_text=f"“{sign}”")
    expect(row).to_have_count(1)
    expect(page.get_by_role("heading", name="At a table")).to_be_visible()
    row.get_by_role("link", name=f"Continue with {sign}").click()
    desk.ready()
    fly_home(desk)
    debrief = page.locator("#now .debrief > li")
    expect(debrief).to_contain_text(re.compile(r"Mission (complete|partial|failed), "))
    expect(debrief).to_contain_text(re.compile(r"\d+ points, \d+ kills"))
    expect_as_fresh(desk)
    debrief.get_by_role("link", name="In your campaign book").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"“{sign}”")
    deed = page.locator(".deeds li.box")
    expect(deed).to_have_count(1)
    expect(deed).to_contain_text("Lone Tomcat")
    deed.get_by_role("link", name="Log of the table").click()
    expect(page.locator("#log-lines li").last).to_contain_text("Mission")


def test_a_promotion_is_told_and_kept(visitors: Visitors) -> None:
    """Four missions and 15 points, then the fifth: 1st Lt, on the card, in the log and in the book."""
    page = visitors()
    new = {"game": GAME, "name": "Nearly There", "call_sign": "Nearly"}
    answer = page.request.post("/api/people", data=new)
    assert answer.ok, answer.text()
    paper = page.request.get(f"/book/{answer.json()['id']}/export").json()
    paper["call_sign"], paper["deeds"] = "Almost", []
    paper["record"] = {**paper["record"], "missions": 4, "points": 15}
    page.goto("/book")
    page.locator("details", has=page.get_by_label("The document")).locator("summary").click()
    page.get_by_label("The document").fill(json.dumps(paper))
    page.get_by_role("button", name="Bring in").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("2nd Lt Nearly There “Almost”")
    pilot = page.url.rpartition("/")[2]
    body = {"game": GAME, "dice": "hand", "setup": setup(waypoint=24), "people": {"one": pilot}}
    table = page.request.post("/api/tables", data=body)
    assert table.ok, table.text()
    page.goto(f"/tables/{table.json()['id']}")
    desk = Desk(page).ready()
    page.locator("#act input[name=faces]").fill("3")
    desk.confirm()
    debrief = page.locator("#now .debrief > li")
    expect(debrief).to_contain_text("landed")
    expect(debrief).to_contain_text("Promoted to 1st Lt: 5 missions and 15 points")
    expect(desk.lines.filter(has_text="1st Lt")).to_have_count(1)
    debrief.get_by_role("link", name="In your campaign book").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1st Lt Nearly There “Almost”")


def test_each_brings_their_own(visitors: Visitors) -> None:
    host = start(visitors(), "Play with a friend")
    waiting = "Waiting for the wingman: send the link"
    expect(host.title).to_have_text(waiting)
    sign = call_sign(host)
    link = host.page.locator("#share .copy input").input_value()
    guest_page = visitors()
    guest_page.goto(link)
    choice = guest_page.get_by_label("Who flies for you")
    expect(choice).to_have_value("new")
    guest_page.get_by_label("Call sign").fill(sign.upper())
    visitors.expect("422")
    guest_page.get_by_role("button", name="Take the seat").click()
    expect(guest_page.locator("body")).to_contain_text("in this flight already")
    expect(host.title).to_have_text(waiting)
    guest_page.goto(link)
    guest_page.get_by_label("Name of the pilot").fill("Guest Pilot")
    guest_page.get_by_label("Call sign").fill("Guest")
    guest_page.get_by_role("button", name="Take the seat").click()
    guest_page.wait_for_url(re.compile(r"/tables/"))
    guest = Desk(guest_page).ready()
    expect(host.title).not_to_have_text(re.compile("Waiting for the wingman"))
    expect(host.page.locator("#seats")).to_contain_text("Guest")
    expect_as_fresh(host)
    guest.concede()
    for desk, one, what in ((host, sign, "Cut short by Guest"), (guest, "Guest", "Abandoned")):
        desk.page.goto("/book")
        desk.page.locator(".persons a").filter(has_text=f"“{one}”").click()
        expect(desk.page.locator(".deeds li.box")).to_contain_text(what)


def test_the_book_without_javascript(visitors: Visitors) -> None:
    page = visitors(java_script_enabled=False)
    page.goto("/book")
    page.get_by_label("Name", exact=True).fill("Plain Page")
    page.get_by_label("Call sign").fill("Plain")
    page.get_by_role("button", name="Into the book").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2nd Lt Plain Page “Plain”")
    page.get_by_text("Rename", exact=True).first.click()
    page.get_by_label("Call sign").fill("Plainer")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("“Plainer”")
    page.goto("/games/f14-tomcats")
    choice, sign = page.locator("[name='person.1']"), page.locator("[name='call_sign.1']")
    expect(choice).to_contain_text("“Plainer”")
    expect(sign).to_be_hidden()
    choice.select_option("new")
    expect(sign).to_be_visible()
    choice.select_option(index=0)
    page.get_by_role("button", name="Deal the table").click()
    expect(page.locator("#seats")).to_contain_text("Plainer")
    page.goto("/hall-of-fame")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hall of fame")
