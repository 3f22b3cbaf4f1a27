"""Streams: L-04, L-06, L-07, L-08, L-17, L-21, U-08, and pages that stay in step with what is sent."""

import asyncio
import inspect
import random
import re
from typing import Any

import pytest
from msgspec.structs import replace

from app.tables.frames import Channel, Renderer
from app.tables.looking import page_of
from app.tables.views import BlockedView, Page
from app.web.stream import ping_forever
from tests.web.dom import Element, apply, parse
from tests.web.house import PATIENCE, House, Message, Stream, Table, Visitor, settle, small_duel

pytestmark = pytest.mark.anyio

PARTS = (
    "version", "phases", "seats", "facts", "now", "dice-panel", "trails", "lit", "counters", "cards",
    "rows", "log-lines", "effects-below", "effects-above", "effects-text",
)  # fmt: skip


def since_of(page: str) -> str:
    """Where a page says that its stream begins."""
    found = re.search(r"frames\?since=([^\"&]+)", page)
    assert found is not None
    return found[1]


class Browser:
    """A page that is kept in step by its stream, as the browser's script does it."""

    def __init__(self, table: Table, visitor: Visitor) -> None:
        self.table, self.visitor = table, visitor
        self.last = ""
        self.frames = 0

    async def load(self) -> None:
        """Open the page anew."""
        html = await self.visitor.page(self.table.page)
        self.page = parse(html)
        self.last = since_of(html)

    async def connect(self) -> None:
        """Open the stream where the page left off."""
        headers = {"last_event_id": self.last} if self.frames else {}
        path = f"{self.table.page}/frames?since={self.last}"
        self.stream: Stream = await self.visitor.stream(path, **headers)

    def take(self, messages: list[Message]) -> None:
        """Apply what came."""
        for message in messages:
            if message.data and message.event == "message":
                apply(self.page, message.data)
                self.last = message.id
                self.frames += 1

    async def catch_up(self) -> None:
        """Apply all that is on its way."""
        await self.visitor.house.quiet()
        self.take(self.stream.pending())

    async def check(self) -> None:
        """The page is what a fresh one would be."""
        fresh = parse(await self.visitor.page(self.table.page))
        assert self.page.duplicates() == []
        for part in PARTS:
            mine, theirs = self.page.find(part), fresh.find(part)
            assert (mine is None) == (theirs is None), part
            if mine is None or theirs is None:
                continue
            if part == "log-lines":
                # A page that has been open longer may show older lines too.
                lines = [line.canonical() for line in theirs.elements()]
                assert [line.canonical() for line in mine.elements()][-len(lines) :] == lines
            else:
                assert mine.canonical() == theirs.canonical(), part


async def pair(house: House, game: str = "osaaf", **order: Any) -> Table:
    """A shared table of two visitors."""
    if game == "osaaf":
        order.setdefault("setup", small_duel())
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(game, mode="shared", **order)
    await table.join(table.opened["seats"][1]["id"], bob)
    return table


# What is sent


async def test_l06_l07_the_first_frame_comes_at_once(house: House, ann: Visitor) -> None:
    """Uncompressed whatever the browser accepts, uncached, unbuffered; behind all of the middleware."""
    table = await ann.sit(setup=small_duel())
    for path in ("frames", "stream"):
        stream = await ann.stream(f"{table.page}/{path}", accept_encoding="gzip, br")
        assert stream.status == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["x-accel-buffering"] == "no"
        assert stream.headers["cache-control"] == "no-store"
        assert "content-encoding" not in stream.headers
        assert "content-length" not in stream.headers
        await settle()
        assert stream.pending()[0].data
    # Other answers are compressed.
    answer = await ann.http.get(table.page, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


async def test_a_page_in_step_gets_nothing_but_a_sign_of_life(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    since = since_of(await ann.page(table.page))
    stream = await ann.stream(f"{table.page}/frames?since={since}")
    first = await stream.next()
    assert first.ping or first.id  # its own presence may have made a frame
    await ann.house.quiet()
    stream.pending()
    await stream.silence(0.1)


async def test_a_move_comes_to_everybody_at_once(house: House) -> None:
    table = await pair(house)
    eve = await house.visitor()
    streams = [
        await visitor.stream(f"{table.page}/frames") for visitor in (*table.seats.values(), eve)
    ]
    for stream in streams:
        await stream.event()
    await house.quiet()
    for stream in streams:
        stream.pending()
    done = await table.step(random.Random(1))
    await house.quiet()
    for stream in streams:
        (frame,) = stream.pending()
        assert f'value="{done["version"]}"' in frame.data
        assert "\n" not in frame.data
        assert re.fullmatch(r"[0-9a-f]+\.\d+", frame.id)


@pytest.mark.parametrize("sender", ["blue", "red"])
async def test_the_others_frame_is_sent_before_the_senders_is_made(
    house: House, monkeypatch: pytest.MonkeyPatch, sender: str
) -> None:
    table = await pair(house)
    other = "red" if sender == "blue" else "blue"
    streams = {seat: await table.seats[seat].stream(f"{table.page}/frames") for seat in table.seats}
    while (await table.open_offers())[0][1]["seat"] != sender:
        await table.step(random.Random(1))
    await house.quiet()
    for stream in streams.values():
        stream.pending()
    sent: list[tuple[str, int]] = []
    refresh = Channel.refresh

    def noted(channel: Channel, render: Renderer) -> bool:
        (seat,) = channel.viewer
        sent.append((seat, len(streams[other].pending())))
        return refresh(channel, render)

    monkeypatch.setattr(Channel, "refresh", noted)
    await table.step(random.Random(1))
    await house.quiet()
    assert sent == [(other, 0), (sender, 1)]
    assert len(streams[sender].pending()) == 1


async def test_one_frame_a_change(house: House) -> None:
    """What one command did comes as one frame, so no half of it is ever shown."""
    table = await pair(house)
    eve = await house.visitor()
    stream = await eve.stream(f"{table.page}/frames")
    await stream.event()
    await house.quiet()
    stream.pending()
    for _ in range(5):
        await table.step(random.Random(1))
        await house.quiet()
        assert len([m for m in stream.pending() if not m.ping]) == 1


async def test_the_scripts_stream_says_the_version(house: House) -> None:
    """The version and who is present, and nothing else."""
    table = await pair(house)
    eve = await house.visitor()
    stream = await eve.stream(f"{table.page}/stream")
    first = await stream.event()
    assert first.event == "version"
    assert first.data == f'{{"version":{await table.version()},"present":[]}}'
    done = await table.step(random.Random(1))
    then = await stream.event()
    assert then.data == f'{{"version":{done["version"]},"present":[]}}'
    assert then.id == str(done["version"])
    once = (await eve.http.get(f"{table.page}/stream?once=true")).text
    assert once == f"id: {then.id}\nevent: version\ndata: {then.data}\n\n"


async def test_a_script_hears_of_its_table_after_it_was_loaded_anew(house: House) -> None:
    """The table leaves memory and comes back while somebody listens: the version goes on."""
    table = await pair(house)
    eve = await house.visitor()
    stream = await eve.stream(f"{table.page}/stream")
    await stream.event()
    service = house.site.service
    service.let_go(service._live[table.id])
    done = await table.step(random.Random(1))
    assert f'"version":{done["version"]}' in (await stream.event()).data


async def test_tokens_open_streams_too(house: House, ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel(), mode="shared")
    script = house.bearer(table.token("blue"))
    stream = await script.stream(f"{table.page}/stream")
    assert (await stream.event()).event == "version"
    stream = await script.stream(f"{table.page}/frames")
    assert "undo-form" in (await stream.event()).data  # a control of those who play
    wrong = await house.bearer("nothing").stream(f"{table.page}/stream")
    assert wrong.status == 401


# Resuming


async def test_frames_are_resumed_by_their_id(house: House) -> None:
    """L-04: by header or by address, the later ones exactly."""
    table = await pair(house)
    eve = await house.visitor()
    since = since_of(await eve.page(table.page))
    stream = await eve.stream(f"{table.page}/frames?since={since}")
    for _ in range(6):
        await table.step(random.Random(1))
    await settle()
    frames = [message for message in stream.pending() if not message.ping]
    assert len(frames) >= 6
    for back in (1, 2, 5):
        last = frames[-back - 1].id
        by_header = await eve.stream(f"{table.page}/frames", last_event_id=last)
        by_address = await eve.stream(f"{table.page}/frames?since={last}")
        for again in (by_header, by_address):
            got = [await again.next()]
            await settle()
            assert got + again.pending() == frames[-back:]
    # The header is newer than the address of the page.
    both = await eve.stream(f"{table.page}/frames?since={since}", last_event_id=frames[-2].id)
    assert (await both.event()).id == frames[-1].id


@pytest.mark.parametrize("last", ["", "x", "x.1", "BOOT.999999", "BOOT.-1", "BOOT.", "BOOT.x", "."])
async def test_an_unknown_id_gets_everything(house: House, last: str) -> None:
    """Another server's, a future one, nonsense: a resync, which makes any page whole."""
    table = await pair(house)
    eve = await house.visitor()
    boot = since_of(await eve.page(table.page)).partition(".")[0]
    for _ in range(4):
        await table.step(random.Random(1))
    stream = await eve.stream(f"{table.page}/frames", last_event_id=last.replace("BOOT", boot))
    frame = await stream.event()
    for part in ("version", "phases", "seats", "now", "counters", "cards", "log-lines"):
        assert f'hx-target="#{part}"' in frame.data
    page = parse(await eve.page(table.page))
    for part in ("now", "counters", "cards", "rows", "log-lines"):
        found = page.find(part)
        assert found is not None
        found.children = ["something old"]
    apply(page, frame.data)
    fresh = parse(await eve.page(table.page))
    for part in PARTS:
        mine, theirs = page.find(part), fresh.find(part)
        assert mine is not None
        assert theirs is not None
        assert mine.canonical() == theirs.canonical(), part


async def test_a_gap_gets_everything(house: House) -> None:
    """L-04: more frames missed than are kept."""
    ann = await house.visitor()
    table = await ann.sit(pace="step", setup=small_duel(turns=9))
    browser = Browser(table, ann)
    await browser.load()
    await browser.connect()
    await browser.stream.close()
    watching = await ann.stream(f"{table.page}/frames")
    await table.play(random.Random(1), 80)
    await watching.close()
    await browser.connect()
    frame = await browser.stream.event()
    assert frame.data.count("hx-partial hx-target") > 10
    browser.take([frame])
    await browser.catch_up()
    await browser.check()


@pytest.mark.parametrize("game", ["osaaf", "skirmish"])
@pytest.mark.parametrize("seed", range(2))
async def test_l04_l17_frames_lead_to_what_a_fresh_page_shows(
    house: House, game: str, seed: int
) -> None:
    """Streams are killed, frames doubled, moves made and taken back at random: no lasting difference."""
    order: dict[str, Any] = {"setup": small_duel(turns=4)} if game == "osaaf" else {}
    table = await pair(
        house, game, pace="step" if seed == 1 else "flow", takebacks="consent", **order
    )
    eve = await house.visitor()
    rng = random.Random(f"{game} {seed}")
    browsers = [Browser(table, visitor) for visitor in (*table.seats.values(), eve)]
    for browser in browsers:
        await browser.load()
        await browser.connect()
    doubled = False
    for number in range(26):
        if rng.random() < 0.12:
            seat = rng.choice(list(table.seats))
            version = await table.version()
            body = {"version": version, "to": rng.randint(1, version)}
            await table.seats[seat].http.post(f"{table.url}/takeback", json=body)
            other = next(one for name, one in table.seats.items() if name != seat)
            answer = {"version": await table.version(), "accept": rng.random() < 0.8}
            await other.http.post(f"{table.url}/takeback/answer", json=answer)
        elif await table.step(rng) is None:
            break
        for browser in browsers:
            chance = rng.random()
            if chance < 0.1:  # the net is gone for a while
                await browser.stream.close()
                await table.step(rng)
                await browser.connect()
            elif chance < 0.2:  # what came is lost, and asked for again
                await settle()
                browser.stream.pending()
                await browser.stream.close()
                await browser.connect()
            elif chance < 0.3:  # what came comes twice
                await settle()
                came = browser.stream.pending()
                browser.take(came)
                browser.take(came)
                doubled = doubled or bool(came)
            elif chance < 0.4:
                await browser.catch_up()
        if number % 10 == 9:
            for browser in browsers:
                await browser.catch_up()
                await browser.check()
    for browser in browsers:
        await browser.catch_up()
        await browser.check()
    assert doubled


@pytest.mark.parametrize("game", ["osaaf", "skirmish", "envelopes"])
async def test_pieces_that_are_kept_are_what_new_ones_would_be(house: House, game: str) -> None:
    """Pages are put together from pieces that were made before; a server without any makes the same."""
    table = await pair(house, game)
    rng = random.Random(9)
    for _ in range(25):
        if await table.step(rng) is None:
            break
        for visitor in table.seats.values():
            kept = await visitor.page(table.page)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(house.site.pages, "_pieces", {})
                made = await visitor.page(table.page)
            assert kept == made


async def test_a_place_that_is_blocked_now_is_not_lit(house: House, ann: Visitor) -> None:
    """The same choices at the same places, one of them blocked: not the piece of before."""
    table = await ann.sit("skirmish", scenario="duel")

    def look() -> Page:
        return page_of(house.site.service._live[table.id], frozenset({"red", "blue"}))

    for _ in range(60):
        offer = look().offer
        if offer is not None and sum(1 for o in offer.options if o.place and not o.blocked) > 1:
            break
        await table.step(random.Random(1))
    page = look()
    assert page.offer is not None
    placed = [option for option in page.offer.options if option.place and not option.blocked]
    before = house.site.pages.fragments(page)["lit"].html
    shut = replace(placed[0], blocked=BlockedView("No.", "skirmish-4.4"))
    options = tuple(shut if option is placed[0] else option for option in page.offer.options)
    then = replace(page, offer=replace(page.offer, options=options))
    after = house.site.pages.fragments(then)["lit"].html
    assert before.count("data-choice") == after.count("data-choice") + 1


async def test_ids_on_a_page_are_its_own(house: House, ann: Visitor) -> None:
    """Frames name elements by id: each exists, once."""
    for game in ("osaaf", "skirmish", "envelopes"):
        table = await ann.sit(game)
        page = parse(await ann.page(table.page))
        assert page.duplicates() == []
        stream = await ann.stream(f"{table.page}/frames")
        for partial in parse((await stream.event()).data).elements():
            assert page.find(partial.attrs["hx-target"].removeprefix("#")) is not None


async def test_u10_the_live_region_says_each_event_once(house: House) -> None:
    """U-10: one short region, still one after many frames; the log itself is not live."""
    table = await pair(house)
    eve = await house.visitor()
    browser = Browser(table, eve)
    await browser.load()
    await browser.connect()
    said: set[str] = set()
    for _ in range(12):
        await table.step(random.Random(1))
        await browser.catch_up()
        region = browser.page.find("announce")
        assert region is not None
        assert region.attrs["aria-live"] == "polite"
        assert len([e for e in region.walk() if "aria-live" in e.attrs]) == 1
        said.add(region.text())
    assert len(said) > 6
    log = browser.page.find("log-lines")
    assert log is not None
    assert "aria-live" not in log.attrs


# Signs of life, presence, slow browsers


async def test_pings_come_to_silent_streams(house: House, ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    streams = [await ann.stream(f"{table.page}/{path}") for path in ("frames", "stream")]
    for stream in streams:
        await stream.event()
    await house.quiet()
    for stream in streams:
        stream.pending()
    for _ in range(2):
        house.site.hub.ping()
        for stream in streams:
            assert (await stream.next()).ping
            await stream.silence(0.05)


async def test_l06_pings_are_often_enough(house: House, ann: Visitor) -> None:
    """L-06: proxies cut what is silent for 30 seconds or more."""
    assert inspect.signature(ping_forever).parameters["seconds"].default < 25
    table = await ann.sit(setup=small_duel())
    stream = await ann.stream(f"{table.page}/stream")
    await stream.event()
    pinging = asyncio.create_task(ping_forever(house.site.hub, 0.02))
    for _ in range(3):
        assert (await stream.next()).ping
    pinging.cancel()


async def test_a_frame_that_comes_while_another_is_sent_is_not_left_behind(house: House) -> None:
    """A slow browser: the next frame is made while the last one is still on its way."""
    table = await pair(house)
    eve = await house.visitor()
    stream = await eve.stream(f"{table.page}/frames")
    await stream.event()
    gate, sending = asyncio.Event(), asyncio.Event()
    passing = stream._send

    async def slow(message: Any) -> None:
        sending.set()
        await gate.wait()
        await passing(message)

    stream.through = slow
    await table.step(random.Random(1))
    await asyncio.wait_for(sending.wait(), PATIENCE)
    last = await table.step(random.Random(1))
    gate.set()
    seen = ""
    while f'value="{last["version"]}"' not in seen:
        seen = (await stream.event()).data


async def present(visitor: Visitor, table: Table) -> list[str]:
    """The seats that are shown as present."""
    return [seat["id"] for seat in (await visitor.get(table.url))["seats"] if seat["present"]]


async def test_l21_presence_counts_people(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """L-21: a seat with three tabs is there once, and away only when the last of them has closed."""
    monkeypatch.setattr(house.site.hub, "AWAY_SECONDS", 0.05)
    table = await pair(house)
    eve = await house.visitor()
    ann, bob = table.seats.values()
    assert await present(eve, table) == []
    tabs = [await ann.stream(f"{table.page}/frames") for _ in range(3)]
    for tab in tabs:
        await tab.event()
    assert await present(eve, table) == ["blue"]
    other = await bob.stream(f"{table.page}/frames")
    await other.event()
    assert await present(eve, table) == ["blue", "red"]
    await tabs[0].close()
    await tabs[1].close()
    await asyncio.sleep(0.15)
    assert await present(eve, table) == ["blue", "red"]
    # A reconnect at once is no absence: nobody is told of one.
    monkeypatch.setattr(house.site.hub, "AWAY_SECONDS", 0.5)
    notices = await eve.stream(f"{table.page}/stream")
    await notices.event()
    await tabs[2].close()
    back = await ann.stream(f"{table.page}/frames")
    await back.next()
    await notices.silence(0.7)
    await back.close()
    said = await notices.event()
    assert '"present":["red"]' in said.data
    assert await present(eve, table) == ["red"]


async def test_watchers_are_no_seats(house: House) -> None:
    table = await pair(house)
    eve = await house.visitor()
    stream = await eve.stream(f"{table.page}/frames")
    await stream.event()
    assert await present(eve, table) == []
    assert house.site.hub.streams == 1


async def test_streams_are_counted_and_let_go(own_house: House) -> None:
    ann = await own_house.visitor()
    table = await ann.sit(setup=small_duel())
    streams = [await ann.stream(f"{table.page}/frames") for _ in range(4)]
    streams.append(await ann.stream(f"{table.page}/stream"))
    for stream in streams:
        await stream.next()
    assert own_house.site.hub.streams == 5
    for stream in streams:
        await asyncio.wait_for(stream.close(), PATIENCE)
    assert own_house.site.hub.streams == 0


async def test_l08_streams_end_when_the_server_stops(own_house: House) -> None:
    """L-09 too: the stream says that it will be back, and its end is a proper one."""
    ann = await own_house.visitor()
    table = await ann.sit(setup=small_duel())
    streams = [await ann.stream(f"{table.page}/{path}") for path in ("frames", "stream")]
    for stream in streams:
        await stream.event()
    own_house.app.state.closing.set()
    for stream in streams:
        said = await stream.end()
        assert said[-1].event == "restart"


# Pages


async def test_u08_pages_are_whole_pages(house: House, ann: Visitor) -> None:
    """U-08: never a fragment under a page's address, from a cache or otherwise."""
    table = await ann.sit(setup=small_duel())
    await table.step(random.Random(1))
    for path in (
        table.page,
        f"{table.page}?at=3",
        "/",
        "/tables",
        "/games/osaaf",
        "/games/osaaf/rules",
    ):
        for headers in ({}, {"hx-request": "true"}):
            answer = await ann.http.get(path, headers={"accept": "text/html", **headers})
            assert answer.status_code == 200
            assert answer.text.startswith("<!doctype html>")
            parse(answer.text)
    answer = await ann.http.get(table.page)
    assert answer.headers["cache-control"] == "no-store"
    assert "HX-Request" in answer.headers["vary"]


async def test_a_form_without_script_leads_back_to_the_page(ann: Visitor) -> None:
    """U-08: a reload after it sends nothing again."""
    table = await ann.sit(setup=small_duel(), pace="step")
    answer = await ann.form(f"{table.page}/advance", {"version": "1"}, 303, htmx=False)
    assert answer.headers["location"] == table.page
    opened = await ann.form("/tables", {"game": "osaaf"}, 303, htmx=False)
    assert re.fullmatch(r"/tables/[\w-]{12}", opened.headers["location"])
    await ann.page(opened.headers["location"])


async def test_an_invitation_page_takes_no_seat(house: House, ann: Visitor, bob: Visitor) -> None:
    """Programs that preview links look at it too. L-22: whoever took it comes straight to the table."""
    table = await ann.sit(mode="shared", setup=small_duel())
    path = f"/join/{table.invite('red').rpartition('/')[2]}"
    await bob.page(path)
    assert not (await bob.get(table.url))["seats"][1].get("taken")
    await bob.form(path, {"name": "Bob"}, 303, htmx=False)
    assert (await bob.get(table.url))["seats"][1]["yours"]
    again = await bob.http.get(path, headers={"accept": "text/html"})
    assert (again.status_code, again.headers["location"]) == (303, table.page)
    eve = await house.visitor()
    await eve.form(path, {}, 409, htmx=False)
    await eve.page("/join/nothing", 404)


async def test_l19_a_refusal_is_told_beside_the_control(house: House, ann: Visitor) -> None:
    """L-19: to a script as a problem, to a page as a fragment for #notice, without it as a page."""
    table = await ann.sit(setup=small_duel())
    fields = {"version": "1", "offer": "x", "choice": "1"}
    fragment = await ann.form(f"{table.page}/commands", fields, 409)
    notice = parse(fragment.text)
    assert "changed" in notice.text()
    assert any(element.attrs.get("role") == "alert" for element in notice.walk())
    assert not fragment.text.startswith("<!doctype")
    page = await ann.form(f"{table.page}/commands", fields, 409, htmx=False)
    assert page.text.startswith("<!doctype html>")
    assert "changed" in page.text
    plain = await ann.http.post(f"{table.page}/commands", data=fields)
    assert plain.headers["content-type"] == "application/problem+json"


def lines_of(page: Element) -> list[int]:
    """The seqs of the log lines on a page."""
    log = page.find("log-lines")
    assert log is not None
    return [int(line.attrs["data-seq"]) for line in log.elements()]


async def test_older_log_lines_are_fetched(ann: Visitor) -> None:
    table = await ann.sit(scenario="route-package", pace="step")
    await table.play(random.Random(1), 130)
    version = await table.version()
    assert version > 81  # more than a page shows
    shown = lines_of(parse(await ann.page(table.page)))
    assert shown[-1] == version
    assert 0 < len(shown) <= 80
    answer = await ann.http.get(
        f"{table.page}/log", params={"before": shown[0]}, headers={"hx-request": "true"}
    )
    older = [
        int(element.attrs["data-seq"])
        for element in parse(answer.text).walk()
        if "data-seq" in element.attrs
    ]
    assert max(older) < shown[0]
    assert sorted({*older, *shown}) == list(range(min(older), version + 1))
