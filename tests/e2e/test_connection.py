"""Bad nets, impatient people and restarted servers."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.desk import Desk, deal
from tests.e2e.server import Server
from tests.e2e.visitors import Visitors

Pair = tuple[Desk, Desk]

FORM = """() => [...new FormData(document.querySelector("#act"))]"""
SEND = """async ([action, fields]) => {
  const body = new URLSearchParams(fields);
  const answer = await fetch(action, { method: "POST", body, headers: { "HX-Request": "true" } });
  await answer.text();  // a reload would cut off what is not read
  return answer.status;
}"""

# A tab in the background, as the browser tells a page of it. Headless pages are all in front.
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  const state = hidden ? "hidden" : "visible";
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

# Streams that can be silenced: what comes on a net that `netIsDead` is lost, and nothing says so.
MUFFLE = """(() => {
  Object.assign(window, { netIsDead: false, givenUp: false, lastHeard: 0 });
  const ask = window.fetch;
  window.fetch = async (...what) => {
    const answer = await ask(...what);
    if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer;
    lastHeard = performance.now();
    const muffled = answer.body.pipeThrough(new TransformStream({
      transform(chunk, out) {
        if (netIsDead) return;
        lastHeard = performance.now();
        out.enqueue(chunk);
      },
    }));
    return Object.defineProperty(answer, "body", { value: muffled });
  };
})()"""


def acting(desks: Pair) -> Pair:
    return desks if desks[0].offer else (desks[1], desks[0])


def posts(page: Page) -> list[str]:
    """The commands that a page sends from now on."""
    sent: list[str] = []
    page.on("request", lambda r: sent.append(r.url) if r.method == "POST" else None)
    return sent


def test_reload_at_every_step_and_sending_again_do_nothing_twice(solo: Desk) -> None:
    """R-04, L-13."""
    page = solo.page
    turn = solo.turn
    for _ in range(12):
        if solo.turn != turn:
            break
        if solo.kind == "move":
            solo.choose("ahead-all" if solo.radio("ahead-all").count() else "ahead")
        elif not page.locator("#act input[name=choice]:checked").count():
            page.locator("#act input[name=choice]:enabled").first.check()
        form = [str(page.locator("#act").get_attribute("action")), page.evaluate(FORM)]
        # The frame may come before the answer, and a reload would cut that off.
        with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            after = solo.confirm()
        answered.value.finished()
        page.reload()
        assert solo.version == after
        status = page.evaluate(SEND, form)
        assert status in (204, 409), status
        page.reload()
        assert solo.version == after
        numbers = solo.lines.evaluate_all("all => all.map(l => +l.dataset.seq)")
        assert numbers[-1] == after
        assert len(numbers) == len(set(numbers))
    assert solo.turn == turn + 1


def test_ten_times_at_once_is_once(solo: Desk) -> None:
    """L-13."""
    page = solo.page
    form = [str(page.locator("#act").get_attribute("action")), page.evaluate(FORM)]
    before = solo.version
    answers = page.evaluate(
        f"async (form) => Promise.all(Array.from({{length: 10}}, () => ({SEND})(form)))", form
    )
    assert set(answers) == {204}
    solo.after(before)
    expect(solo.lines.filter(has_text="energy roll")).to_have_count(1)


@pytest.mark.parametrize("pause", [0, 120])
def test_a_double_click_is_one_command(solo: Desk, pause: int) -> None:
    """The second click of a double click must not answer the question that comes next."""
    page = solo.page
    sent = posts(page)
    box = solo.primary.bounding_box()
    assert box
    before = solo.version
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down(click_count=1)
    page.mouse.up(click_count=1)
    page.wait_for_timeout(pause)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    solo.after(before)
    page.wait_for_timeout(400)
    assert len(sent) == 1
    assert solo.kind == "altitude"
    # A click that is meant works at once.
    solo.confirm()


def test_back_forward_and_reload_show_whole_pages_and_send_nothing(solo: Desk) -> None:
    """U-08."""
    page = solo.page
    for _ in range(2):
        solo.answer()
    version = solo.version
    sent = posts(page)
    page.locator("#rules a.btn", has_text="rulebook").evaluate("a => a.click()")
    expect(page.locator("h1")).to_contain_text("Rules of")
    page.go_back()
    solo.ready()
    page.goto("/games/osaaf")
    page.goto("/tables")
    page.goto("/")
    for _ in range(3):
        page.go_back()
        page.wait_for_load_state()
        assert page.locator("html[lang] head title").count() == 1
        expect(page.locator("body")).to_have_class(re.compile("table|page"))
    for _ in range(3):
        page.go_forward()
        assert page.locator("html[lang] head title").count() == 1
    for _ in range(3):
        page.go_back()
    page.reload()
    solo.ready()
    assert solo.version == version
    assert not sent


def test_back_after_a_form_without_script_sends_nothing(visitors: Visitors) -> None:
    """U-08, where forms lead from page to page."""
    page = visitors(java_script_enabled=False)
    page.goto("/")
    deal(page, "Play solo")
    desk = Desk(page)
    desk.confirm()
    version = desk.version
    sent = posts(page)
    page.reload()
    page.go_back()
    page.go_forward()
    page.reload()
    assert desk.version == version
    assert not sent


def test_what_the_page_asks_for_differs_by_header(solo: Desk) -> None:
    answer = solo.page.request.get(solo.page.url)
    assert "HX-Request" in answer.headers["vary"]
    assert answer.headers["cache-control"] == "no-store"


def test_a_killed_server_comes_back_and_the_board_follows(
    own_server: Server, visitors: Visitors
) -> None:
    """L-03, L-08, P-05."""
    visitors.expect(r"ERR_|htmx:sse:error: (network error|Failed to fetch)")
    blue, red = Desk.pair(visitors(base_url=own_server.url), visitors(base_url=own_server.url))
    actor, other = acting((blue, red))
    kept = actor.answer()
    own_server.kill()
    for desk in (blue, red):
        expect(desk.page.locator("#banner")).to_contain_text("Reconnecting")
        expect(desk.now.locator("#primary:enabled, #undo:enabled")).to_have_count(0)
    # What cannot be sent is not pretended.
    actor.primary.click(force=True)
    assert actor.version == kept
    own_server.start()
    for desk in (blue, red):
        expect(desk.page.locator("#banner")).to_be_empty(timeout=8_000)
        assert desk.version == kept
    version = actor.answer()
    other.reaches(version)
    for desk in (blue, red):
        desk.expect_as_fresh()


def test_offline_while_the_other_plays(pair: Pair, visitors: Visitors) -> None:
    """L-03, L-18: what was missed is there two seconds after the net is back, without a reload."""
    visitors.expect(r"ERR_|htmx:sse:error: (network error|Failed to fetch)")
    actor, other = acting(pair)
    page = other.page
    missed = other.version
    page.context.set_offline(True)
    expect(page.locator("#banner")).to_contain_text("Offline")
    for _ in range(3):
        if actor.offer:
            actor.answer()
    page.wait_for_timeout(4_000)
    assert other.version in (missed, actor.version)
    page.context.set_offline(False)
    other.reaches(actor.version, timeout=2_000)
    expect(page.locator("#banner")).to_be_empty(timeout=4_000)
    other.expect_as_fresh()
    # And every control works.
    expect(page.locator("body")).not_to_contain_class("off")
    if other.offer:
        actor.reaches(other.answer())


def test_the_net_is_gone_for_a_moment_only(solo: Desk) -> None:
    """A stream that outlives the interruption must not leave the page locked."""
    page = solo.page
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator("#banner")).not_to_be_empty()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#banner")).to_be_empty()
    solo.confirm()
    solo.confirm()


def test_a_stream_that_died_in_silence_is_begun_anew(visitors: Visitors) -> None:
    """L-03: no event tells of a dead net; the missing pings do."""
    page = visitors()
    page.clock.install()
    page.add_init_script(MUFFLE)
    begun: list[str] = []
    page.on(
        "request", lambda request: begun.append(request.url) if "/frames" in request.url else None
    )
    page.goto("/")
    deal(page, "Play solo")
    expect(page.locator("#primary")).to_be_enabled()
    page.wait_for_function("() => document.querySelector('#stream')._htmx?.sse?.status === 200")
    assert len(begun) == 1
    page.evaluate("""() => {
      netIsDead = true;
      document.querySelector("#stream")._htmx.sse.reader.closed.then(() => { givenUp = true; });
    }""")
    # From here on time stands still but for what the test lets pass.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 10)
    silent = page.evaluate("performance.now() - lastHeard")
    page.clock.run_for(39_000 - silent)
    assert not page.evaluate("givenUp")  # silence of less than three pings is nothing
    assert len(begun) == 1
    with page.expect_request("**/frames*"):
        page.clock.run_for(6_000)
        assert page.evaluate("givenUp")
        page.clock.resume()


def test_a_hidden_tab_lets_go_of_its_stream_and_catches_up(pair: Pair) -> None:
    """L-01, L-03."""
    actor, other = acting(pair)
    page = other.page
    missed = other.version
    page.evaluate(HIDE, True)
    # It counts as away only after a few seconds.
    mark = "second" if other is pair[1] else "first"
    expect(actor.page.locator(f"#seats .{mark}")).not_to_contain_class("here")
    while actor.offer:
        actor.answer()
    assert other.version == missed, "a hidden tab still follows"
    page.evaluate(HIDE, False)
    other.reaches(actor.version, timeout=4_000)
    other.expect_as_fresh()
    expect(actor.page.locator(f"#seats .{mark}")).to_contain_class("here")


def test_a_hidden_tab_is_called_by_whose_turn_it_is(pair: Pair) -> None:
    """U-29: it has no stream, and yet its title and icon say so; a tab in front has them with the frame."""
    actor, other = acting(pair)
    page = other.page
    expect(actor.page).to_have_title(re.compile("^Your turn: "))
    expect(page).not_to_have_title(re.compile("^Your turn"))
    page.evaluate(HIDE, True)
    while actor.offer:
        actor.answer()
    expect(actor.page).not_to_have_title(re.compile("^Your turn"))
    expect(page).to_have_title(re.compile("^Your turn: "), timeout=15_000)
    expect(page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("your-turn"))


def test_eight_tabs_of_one_browser(visitors: Visitors) -> None:
    """L-01: over HTTP/1.1 a browser has six connections to a host; hidden tabs must not keep them.

    Headless pages are all visible, so each is told that it is hidden before the next one opens.
    """
    first = visitors()
    tabs = [Desk.solo(first)]
    for _ in range(7):
        tabs[-1].page.evaluate(HIDE, True)
        page = first.context.new_page()
        began = time.monotonic()
        page.goto(first.url)
        expect(page.locator("#ask-title")).to_be_visible()
        tabs.append(Desk(page).ready())
        assert time.monotonic() - began < 5
    front = tabs[-1]
    front.confirm()
    assert tabs[0].version != front.version
    front.page.evaluate(HIDE, True)
    tabs[0].page.evaluate(HIDE, False)
    tabs[0].reaches(front.version, timeout=4_000)


def test_one_page_holds_one_stream(solo: Desk) -> None:
    """L-02, L-21: also after coming and going."""
    page = solo.page
    here = page.url
    opened: list[Any] = []
    closed: list[Any] = []
    page.on("request", lambda r: opened.append(r) if "/frames" in r.url else None)
    page.on("requestfailed", lambda r: closed.append(r) if "/frames" in r.url else None)
    for _ in range(3):
        page.goto("/tables")
        page.goto(here)
        solo.ready()
    page.wait_for_timeout(5_500)  # the trigger "every 5s" must not open a second one
    assert len(opened) == 3
    assert len(closed) <= 3


def test_frames_that_come_twice_or_late_are_ignored(visitors: Visitors) -> None:
    """L-04."""
    frame = (
        'id: a.{n}\ndata: <hx-partial hx-target="#announce" hx-swap="innerHTML">'
        "<p>{text}</p></hx-partial>\n\n"
    )
    frames = "".join(
        frame.format(n=n, text=text)
        for n, text in [(7, "seven"), (8, "eight"), (8, "eight again"), (7, "late")]
    )
    page = visitors()
    served: list[str] = []

    def stream(route: Route) -> None:
        if served:
            route.abort()
            return
        served.append(route.request.url)
        route.fulfill(body=frames, headers={"content-type": "text/event-stream"})

    visitors.expect("ERR_FAILED")
    visitors.expect("Failed to fetch")  # the stream ends, and may be asked for again before the end
    page.route("**/frames?*", stream)
    page.goto("/")
    deal(page, "Play solo")
    expect(page.locator("#announce")).to_have_text("eight")
    page.wait_for_timeout(300)
    expect(page.locator("#announce")).to_have_text("eight")


@pytest.mark.parametrize("late", ["htmx.min.js", "hx-sse.min.js", "hx-upsert.min.js", "table.js"])
def test_scripts_may_come_in_any_order(visitors: Visitors, late: str) -> None:
    page = visitors()

    def hold(route: Route) -> None:
        time.sleep(0.4)
        route.continue_()

    page.route(f"**/{late}*", hold)
    desk = Desk.solo(page)
    assert desk.confirm()


def test_a_refusal_is_told_and_stays_until_dismissed(solo: Desk, visitors: Visitors) -> None:
    """L-14, L-19: an answer to a position that has changed in another tab."""
    visitors.expect("409")
    page = solo.page
    page.evaluate(HIDE, True)
    page.wait_for_timeout(200)
    twin = page.context.new_page()
    twin.goto(page.url)
    Desk(twin).ready().confirm()
    stale = solo.version
    solo.plan(aim=True)
    solo.primary.click()
    notice = page.locator("#notice [role=alert]")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text(re.compile("changed|position", re.I))
    expect(notice.locator("code")).not_to_be_empty()
    assert solo.version == stale
    page.evaluate(HIDE, False)
    solo.after(stale)
    expect(notice).to_be_visible()
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).not_to_be_visible()


def test_a_server_that_cannot_be_reached_is_told(solo: Desk, visitors: Visitors) -> None:
    visitors.expect(r"ERR_FAILED|htmx:error: Failed to fetch")
    page = solo.page
    page.route("**/commands", lambda route: route.abort())
    before = solo.version
    solo.primary.click()
    expect(page.locator("#notice")).to_contain_text("Not sent")
    assert solo.version == before
    page.unroute("**/commands")
    solo.confirm()
