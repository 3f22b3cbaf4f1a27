"""Names that carry markup are shown as text, wherever they appear (S-06)."""

from playwright.sync_api import Dialog, Page, expect

from tests.e2e.desk import Desk
from tests.e2e.visitors import Visitors

NAME = "</title></script><img src=x onerror=alert(1)>"
PERSON = '"><svg onload=alert(2)><b>Bo'


def test_html_in_names_is_text(visitors: Visitors) -> None:
    alarms: list[str] = []

    def alarm(dialog: Dialog) -> None:
        alarms.append(dialog.message)
        dialog.dismiss()

    def watched(page: Page) -> Page:
        page.on("dialog", alarm)
        return page

    first, second = watched(visitors()), watched(visitors())
    host = Desk.open(first, {"scenario": "duel", "mode": "shared", "name": NAME})
    assert NAME in first.title()
    link = first.locator("#table input[aria-label^=Invitation]").input_value()
    second.goto(link)
    expect(second.locator("main")).to_contain_text(NAME)
    second.get_by_label("Your name at the table").fill(PERSON)
    second.get_by_label("A word for the dice").fill(PERSON)
    second.get_by_role("button", name="Take the seat").click()
    guest = Desk(second).ready()
    # It came to the first page by the stream, and to the second one with the page.
    expect(first.locator("#seats")).to_contain_text(PERSON)
    for desk in (host, guest):
        expect(desk.page.locator(".bar h1")).to_have_text(NAME)
        expect(desk.lines.filter(has_text=PERSON)).to_have_count(1)
        expect(desk.page.locator("#dice-panel")).to_contain_text(PERSON)
    for path in ("/", "/tables", first.url + "/dice", first.url + "?at=1"):
        second.goto(path)
        expect(second.locator("h1").first).to_be_visible()
        assert NAME in (second.locator("body").text_content() or "") + second.title()
        assert second.locator("img, [onload], [onerror]").count() == 0
    assert not alarms
