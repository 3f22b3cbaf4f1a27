"""Planning aids: chances drawn over the board."""

import re

from playwright.sync_api import expect

from tests.e2e.desk import Desk

CLEAR = """() => [...document.querySelectorAll("#overlay .heat")].every((cell) => {
  const b = cell.getBoundingClientRect();
  return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest("#board");
})"""


def test_where_a_move_ends(solo: Desk) -> None:
    page = solo.page
    for _ in range(2):
        solo.play_to("plan")
        solo.plan(hard_turns=1)
        solo.confirm()
    solo.play_to("move")
    aid = page.locator("#aid")
    expect(page.locator("#overlay .heat")).to_have_count(0)
    aid.select_option("heat-left-always")
    cells = page.locator("#overlay .heat")
    expect(cells.first).to_be_visible()
    # None of it lies under the legend or the tools.
    expect(page.locator("#overlay-text")).to_be_visible()
    page.wait_for_function(CLEAR, polling=50)
    labels = page.locator("#overlay-labels text")
    shares = [_percent(text) for text in labels.all_text_contents()]
    assert len(shares) > 1
    # Each is rounded to a whole number, so the sum may be off by half of one for each.
    out = page.locator("#overlay-text p").inner_text()
    gone = re.search(r"Leaves the board: (\S+ ?%)", out)
    whole = sum(shares) + (_percent(gone[1]) if gone else 0)
    assert abs(whole - 100) <= 0.5 * len(shares) + 0.5, shares
    assert cells.first.evaluate("node => node.namespaceURI") == "http://www.w3.org/2000/svg"

    # The same as text.
    listed = page.locator("#overlay-text li")
    expect(listed).to_have_count(len(shares))
    page.locator("#overlay-text summary").click()
    expect(listed.first).to_be_visible()
    expect(listed.first).to_contain_text("facing")

    # It follows the move, and goes when it is switched off.
    before = page.locator("#overlay").inner_html()
    solo.choose("ahead")
    solo.confirm()
    page.wait_for_function(
        "was => document.querySelector('#overlay').innerHTML !== was", arg=before, polling=50
    )
    after = [_percent(text) for text in labels.all_text_contents()]
    assert len(after) <= len(shares)  # with a hex behind it there are no more ends than before
    aid.select_option("")
    expect(cells).to_have_count(0)
    expect(page.locator("#overlay-text")).not_to_be_visible()


def _percent(text: str) -> float:
    return 0.5 if text.startswith("<") else 99.5 if text.startswith(">") else float(text.split()[0])


def test_arcs_follow_the_selected_unit(solo: Desk) -> None:
    page = solo.page
    solo.tab("Units")
    page.locator("#aid").select_option("arcs")
    cells = page.locator("#overlay .heat")
    expect(cells.first).to_be_visible()
    mine = cells.count()
    before = page.locator("#overlay").inner_html()
    other = "red-1" if solo.unit == "blue-1" else "blue-1"
    page.locator(f"#card-{other}").click()
    expect(page.locator("#aid-of")).to_have_text("Red 1" if other == "red-1" else "Blue 1")
    page.wait_for_function(
        "was => document.querySelector('#overlay').innerHTML !== was", arg=before, polling=50
    )
    assert mine
    assert cells.count()


def test_the_whole_chance_is_read_out(solo: Desk) -> None:
    """The bars say exact fractions, not only percents."""
    chart = solo.page.locator("#act .opt .face0 svg.odds").first
    label = str(chart.get_attribute("aria-label"))
    parts = re.findall(r"\((\d+)/(\d+)\)|\((1)\)", label)
    assert parts, label
    assert abs(sum(int(a) / int(b) if a else 1 for a, b, _ in parts) - 1) < 1e-9
