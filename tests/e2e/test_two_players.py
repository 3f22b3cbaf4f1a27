"""Two players and a spectator, each at a browser of their own."""

import json
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.desk import Desk, deal
from tests.e2e.visitors import Visitors

Pair = tuple[Desk, Desk]


def acting(desks: Pair) -> Pair:
    """Who is to act and who waits."""
    return desks if desks[0].offer else (desks[1], desks[0])


def expect_no_controls(desk: Desk) -> None:
    """Nothing in the prompt can be pressed save Undo, which is one's own."""
    expect(desk.now).not_to_contain_class("yours")
    expect(desk.options).to_have_count(0)
    expect(desk.page.locator("#lit .place")).to_have_count(0)
    expect(desk.now.locator("button:enabled:not(#undo)")).to_have_count(0)


def test_a_friend_comes_by_the_link_and_a_turn_is_played(visitors: Visitors) -> None:
    first = visitors()
    first.goto("/")
    deal(first, "Play with a friend")
    share = first.locator("#share")
    expect(share).to_be_visible()
    expect(share.locator("svg.qr")).to_be_visible()
    link = share.get_by_role("textbox", name="Invitation").input_value()
    assert re.match(r"http://127\.0\.0\.1:\d+/join/", link)
    # The address without "fresh": a reload does not open the invitation again.
    assert "fresh" not in first.url
    share.get_by_role("button", name="Done").click()
    blue = Desk(first).ready()
    expect(first.locator("#seats .second")).to_contain_text("free")

    second = visitors()
    second.goto(link)
    expect(second.get_by_role("heading", level=1)).to_contain_text("invites you to play")
    second.get_by_label("Your name at the table").fill("Ada")
    second.get_by_label("A word for the dice").fill("sesame")
    second.get_by_role("button", name="Take the seat").click()
    red = Desk(second).ready()

    # Each sees the other.
    expect(first.locator("#seats .second")).to_contain_class("here")
    expect(first.locator("#seats .second")).to_contain_text("Ada")
    expect(second.locator("#seats .first")).to_contain_class("here")
    expect(first.locator("#log-lines")).to_contain_text("sesame")

    watcher = Desk(visitors())
    watcher.page.goto(first.url)
    watcher.ready()
    _play_a_turn((blue, red), watcher)

    for desk in (blue, red, watcher):
        assert desk.turn == 2
        desk.expect_as_fresh()

    # A seat that is taken can't be taken again, and whoever holds it comes back to it.
    late = visitors()
    late.goto(link)
    expect(late.get_by_role("heading", level=1)).to_have_text("This seat is taken")
    second.goto(link)
    expect(second).to_have_url(first.url)


def _play_a_turn(desks: Pair, watcher: Desk) -> None:
    turn = desks[0].turn
    for _ in range(40):
        if desks[0].turn != turn:
            return
        actor, other = acting(desks)
        assert actor.offer, "nobody can act"
        expect(actor.now).to_contain_class("yours")
        expect_no_controls(other)
        expect_no_controls(watcher)
        expect(watcher.now).to_contain_text("Watching")
        version = actor.answer()
        for desk in (other, watcher):
            desk.reaches(version)
            assert desk.hexes() == actor.hexes()
    raise AssertionError(f"turn {turn} did not end")


def test_nobody_acts_for_the_other_seat_or_as_a_spectator(pair: Pair, visitors: Visitors) -> None:
    """What the page does not offer, the server refuses too."""
    actor, other = acting(pair)
    watcher = Desk(visitors())
    watcher.page.goto(actor.page.url)
    watcher.ready()
    form: dict[str, str | float | bool] = {
        "version": str(actor.version),
        "offer": actor.offer,
        "choice": json.dumps({"afterburner": False, "aim": False, "hard_turns": 0, "jink": False}),
    }
    for desk in (other, watcher):
        expect_no_controls(desk)
        answer = desk.page.request.post(actor.page.url + "/commands", form=form)
        assert answer.status == 403, answer.text()
    assert actor.version == int(str(form["version"]))


def test_take_back_at_once_then_asked_refused_and_granted(pair: Pair) -> None:
    actor, other = acting(pair)
    unit = actor.unit

    # Past a roll: the other seat is asked. It refuses.
    actor.confirm()
    assert actor.kind == "altitude"
    rolled = actor.version
    expect(actor.undo).to_have_text("Ask undo…")
    actor.undo.click()
    expect(other.title).to_contain_text("asks to take back")
    other.undo.click()
    expect(other.title).not_to_contain_text("asks to take back")
    expect(actor.lines.last).to_contain_text(re.compile("refus|not", re.I))
    expect(actor.page.locator("#log-lines .struck")).to_have_count(0)

    # It may ask again only when somebody has decided since; this time the other seat allows it.
    expect(actor.undo).to_be_disabled()
    actor.confirm()
    expect(actor.undo).to_have_text("Undo")  # its own choice comes back at once
    actor.undo.click()
    expect(actor.undo).to_have_text("Ask undo…")
    actor.undo.click()
    expect(other.title).to_contain_text("asks to take back")
    other.primary.click()
    expect(actor.title).to_have_text("Choose hard manoeuvres")
    for desk in (actor, other):
        struck = desk.page.locator("#log-lines .struck")
        expect(
            struck.and_(desk.page.locator(".dicey")).filter(has_text="energy roll")
        ).to_have_count(1)
        expect(struck.filter(has_text="plans")).to_have_count(1)
        expect(struck.first).to_contain_text("taken back")
        expect(desk.page.locator(f"#row-{unit} td").nth(4)).to_have_text("4")
        desk.reaches(actor.version)
        desk.expect_as_fresh()
    assert actor.version > rolled

    # The dice that fall now are new ones: the first roll stays where it was.
    actor.confirm()
    expect(
        actor.page.locator("#log-lines .dicey:not(.struck)", has_text="energy roll")
    ).to_have_count(1)

    # One's own choice comes back at once.
    actor.choose(-1)
    actor.confirm()
    expect(actor.page.locator(f"#u-{unit} .tag text").first).to_have_text("4")
    expect(actor.undo).to_have_text("Undo")
    before = actor.version
    actor.undo.click()
    other.reaches(actor.after(before))
    for desk in (actor, other):
        expect(desk.page.locator(f"#u-{unit} .tag text").first).to_have_text("5")
        expect(desk.page.locator("#log-lines .struck", has_text="dives")).to_have_count(1)
        desk.expect_as_fresh()
    assert actor.kind == "altitude"


def test_a_solo_player_is_asked_before_dice_are_struck(solo: Desk) -> None:
    """U-16, R-01."""
    page = solo.page
    solo.confirm()
    version = solo.version
    solo.undo.click()
    ask = page.locator("#undo-ask")
    expect(ask).to_be_visible()
    expect(ask.locator("#undo-list")).to_contain_text("energy roll")
    ask.get_by_role("button", name="Keep it").click()
    expect(ask).not_to_be_visible()
    assert solo.version == version
    solo.undo.click()
    ask.get_by_role("button", name="Take it back").click()
    solo.after(version)
    assert solo.kind == "plan"
    expect(page.locator("#log-lines .struck", has_text="energy roll")).to_have_count(1)
    solo.expect_as_fresh()


def test_concede_then_check_every_die(pair: Pair, tmp_path: Path) -> None:
    blue, red = pair
    for _ in range(6):
        actor, other = acting(pair)
        other.reaches(actor.answer())
    page = blue.page
    page.goto(page.url + "/dice")
    expect(page.locator("main")).to_contain_text("shown when the game is over")
    page.go_back()
    blue.concede()
    expect(red.title).to_have_text("Red wins")
    expect(red.now).to_contain_text("Blue concedes")
    expect_no_controls_after_the_end(red)

    red.page.get_by_role("link", name="check every one").click()
    expect(red.page.locator("main .lead")).to_contain_text("All dice follow from the seed")
    checks = red.page.locator("tbody td:last-child")
    expect(checks).not_to_have_count(0)
    assert set(checks.all_inner_texts()) == {"✓ right"}

    with red.page.expect_download() as dice:
        red.page.get_by_role("link", name="The dice as a file").click()
    with red.page.expect_download() as script:
        red.page.get_by_role("link", name="The script").click()
    file, verify = tmp_path / "dice.json", tmp_path / "contrail_verify.py"
    dice.value.save_as(file)
    script.value.save_as(verify)
    assert dice.value.suggested_filename.startswith("contrail-dice-")
    assert script.value.suggested_filename == "contrail_verify.py"
    run = [sys.executable, "-I", str(verify), str(file)]
    honest = subprocess.run(run, capture_output=True, text=True, timeout=30, check=False)
    assert honest.returncode == 0, honest.stdout + honest.stderr

    audit = json.loads(file.read_text())
    faces = audit["rolls"][-1]["faces"]
    faces[0] = faces[0] % 6 + 1
    file.write_text(json.dumps(audit))
    tampered = subprocess.run(run, capture_output=True, text=True, timeout=30, check=False)
    assert tampered.returncode == 1, tampered.stdout + tampered.stderr


def expect_no_controls_after_the_end(desk: Desk) -> None:
    expect(desk.options).to_have_count(0)
    expect(desk.primary).to_have_text("Rematch, same sides")
    expect(desk.undo).to_be_disabled()
    desk.expect_as_fresh()
