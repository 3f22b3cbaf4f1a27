"""Simulations on the server: the form, a job on its way, its results, its bounds, and how it all ends."""

import asyncio
import csv
import html
import io
import os
import re
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.simulation.orders import order_for
from app.simulation.running import run
from app.simulation.writing import csv_of
from tests.e2e.server import Server
from tests.simulation import sortie, spar
from tests.simulation.processes import needs_proc, players, wait_for_players, wait_until_gone
from tests.web.house import House, Visitor, open_house

FORM = "/games/spar/simulate"


@pytest.fixture
def spar_installed(tmp_path: Path) -> Iterator[None]:
    """A game whose bots do what tests need."""
    with spar.installed(tmp_path / "site"):
        yield


@pytest.fixture
async def gym(
    tmp_path: Path, spar_installed: None, anyio_backend: str
) -> AsyncIterator[Callable[..., Any]]:
    """Opens servers with settings; they close with the test."""
    opened: list[Any] = []

    async def open_gym(**settings: Any) -> House:
        manager = open_house(tmp_path / f"data{len(opened)}", **settings)
        opened.append(manager)
        return await manager.__aenter__()

    yield open_gym
    for manager in opened:
        await manager.__aexit__(None, None, None)


async def start(visitor: Visitor, a: str = "any", b: str = "any", **fields: Any) -> str:
    """Send the form; the address of the job."""
    sent = {"scenario": "meeting", "bot.1": a, "bot.2": b, "games": 12, "seed": 5, **fields}
    answer = await visitor.form(FORM, sent, 303, htmx=False)
    return answer.headers["location"]


async def refused(visitor: Visitor, status: int, **fields: Any) -> httpx2.Response:
    """What the form is answered when that can't be."""
    sent = {"bot.1": "any", "bot.2": "any", "games": 12, "seed": 5, **fields}
    return await visitor.form(FORM, sent, status, htmx=False)


async def results(visitor: Visitor, job: str) -> str:
    """The page of a job once it is over."""
    return await shown(visitor, job, lambda page: "<progress" not in page)


async def shown(visitor: Visitor, job: str, what: Callable[[str], object]) -> str:
    """The page of a job once it shows something."""
    async with asyncio.timeout(30):
        while True:
            page = await visitor.page(job)
            if what(page):
                return page
            await asyncio.sleep(0.05)


def told(page: str) -> str:
    """A page's text."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


@pytest.mark.anyio
async def test_from_the_form_to_the_results(gym: Any) -> None:
    ann = await (await gym()).visitor()
    form = await ann.page(FORM)
    for name in ("scenario", "bot.1", "bot.2", "games", "seed", "ruling.again"):
        assert f'name="{name}"' in form
    assert 'href="/games/spar"' in form
    job = await start(ann, "any", "first")
    page = await results(ann, job)
    text = told(page)
    assert "12 games, Any against First, seed 5" in text
    assert page.count('role="img"') >= 2
    assert f'href="{job}/games.csv"' in page
    assert (
        "python -m app simulate spar --scenario meeting --games 12 --a any --b first --seed 5"
        in text
    )
    again = re.search(r'href="(/games/spar/simulate\?[^"]*)"', page)
    assert again
    refilled = await ann.page(html.unescape(again[1]))
    assert re.search(r'name="bot.2">.*?value="first" selected', refilled, re.DOTALL)
    assert 'name="games" value="12"' in refilled


@pytest.mark.anyio
async def test_the_csv_is_what_the_command_line_gives(gym: Any) -> None:
    ann = await (await gym()).visitor()
    job = await start(ann, "any", "first", **{"ruling.again": "always"})
    await results(ann, job)
    answer = await ann.http.get(f"{job}/games.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="spar-meeting-5.csv"'
    order = order_for("spar", bots=["any", "first"], rulings={"again": "always"}, games=12, seed=5)
    expected = csv_of([await asyncio.to_thread(run, order, jobs=2)])

    def rows(text: str) -> list[dict[str, str]]:
        return [{**row, "seconds": ""} for row in csv.DictReader(io.StringIO(text))]

    assert rows(answer.text) == rows(expected)
    assert len(rows(answer.text)) == 12


SOLO = "/games/sortie/simulate"


@pytest.fixture
def sortie_installed(tmp_path: Path) -> Iterator[None]:
    """A game for one, without a winner and with careers."""
    with sortie.installed(tmp_path / "site"):
        yield


async def compare(visitor: Visitor, *bots: str, **fields: Any) -> str:
    """Send the form of the game for one; the address of the job."""
    sent = {"compare": list(bots), "games": 12, "seed": 5, **fields}
    answer = await visitor.form(SOLO, sent, 303, htmx=False)
    return answer.headers["location"]


@pytest.mark.anyio
async def test_a_form_shows_what_applies(gym: Any, sortie_installed: None) -> None:
    ann = await (await gym()).visitor()
    solo, duel = await ann.page(SOLO), await ann.page(FORM)
    assert len(re.findall(r'type="checkbox" name="compare" value="\w+" checked', solo)) == 4
    assert 'name="career" value="0"' in solo
    assert 'name="bot.' not in solo
    assert "who wins" not in solo
    assert 'name="compare"' not in duel
    assert 'name="career"' not in duel
    assert "who wins" in duel
    mixed = await ann.page("/games/f14-tomcats/simulate")
    for name in ("compare", "bot.1", "bot.2", "career"):
        assert f'name="{name}"' in mixed
    assert re.search(r'class="seats-one" value="solo" checked', mixed)
    assert re.search(r'class="seats-more" value="pair"', mixed)


@pytest.mark.anyio
async def test_bots_are_compared(gym: Any, sortie_installed: None) -> None:
    ann = await (await gym()).visitor()
    job = await compare(ann, "brave", "wary")
    page = await results(ann, job)
    text = told(page)
    assert "12 games for each bot, Brave and Wary compared, seed 5" in text
    assert "--games 12 --compare brave,wary --seed 5" in text
    assert "Won" not in text
    assert "Draws" not in text
    assert "wary" not in text.replace("--compare brave,wary", "")
    assert re.search(r"lost \d+\.\d% \([^)]*\) 0\.0% \(0\.0% to 24\.2%\)", text)  # 3.84 / 15.84
    assert page.count('role="img"') == 3
    rows = list(csv.DictReader(io.StringIO((await ann.http.get(f"{job}/games.csv")).text)))
    assert [row["policy"] for row in rows] == ["brave"] * 12 + ["wary"] * 12
    again = re.search(r'href="(/games/sortie/simulate\?[^"]*)"', page)
    assert again
    refilled = await ann.page(html.unescape(again[1]))
    ticked = re.findall(r'name="compare" value="(\w+)" checked', refilled)
    assert ticked == ["brave", "wary"]


@pytest.mark.anyio
async def test_one_bot_that_is_ticked_alone_just_plays(gym: Any, sortie_installed: None) -> None:
    ann = await (await gym()).visitor()
    text = told(await results(ann, await compare(ann, "wary")))
    assert "12 games, Wary, seed 5" in text
    text = told(await results(ann, await compare(ann)))
    assert "12 games, Brave, seed 5" in text


@pytest.mark.anyio
async def test_a_team_does_not_play_against_itself(gym: Any) -> None:
    ann = await (await gym()).visitor()
    sent = {"scenario": "pair", "bot.1": "steady", "bot.2": "bold", "games": 2, "seed": 5}
    answer = await ann.form("/games/f14-tomcats/simulate", sent, 303, htmx=False)
    page = await results(ann, answer.headers["location"])
    assert "2 games, Steady with Bold, seed 5" in told(page)


@pytest.mark.anyio
async def test_careers_on_the_page(gym: Any, sortie_installed: None) -> None:
    ann = await (await gym()).visitor()
    job = await compare(ann, "brave", "wary", career=4)
    page = await results(ann, job)
    text = told(page)
    assert "12 careers of up to 4 missions for each bot" in text
    assert "--games 12 --career 4 --compare brave,wary" in text
    assert "Wary: mission 1: 100% (75.8% to 100%)" in text
    assert "Mean points so far" in text
    assert "expert" in text
    assert "All careers as CSV" in text
    again = re.search(r'href="(/games/sortie/simulate\?[^"]*)"', page)
    assert again
    assert 'name="career" value="4"' in await ann.page(html.unescape(again[1]))
    assert not re.search(r"<style|\sstyle=|\son\w+=", page)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"games": 17, "compare": ["brave", "wary", "fickle"]}, 422, "17 games × 3 bots are 51"),
        (
            {"games": 2, "career": 13, "compare": ["brave", "wary"]},
            422,
            "2 games × 13 missions × 2 bots are 52",
        ),
        ({"games": 1, "career": 51, "compare": ["brave"]}, 422, "1 games × 51 missions are 51"),
        ({"games": 1, "career": 1001}, 422, "career"),
        ({"games": 1, "career": -1}, 422, "career"),
        ({"games": 1, "compare": ["brave", "nobody"]}, 422, "brave, wary"),
        ({"games": 1, "compare": ["brave", "brave"]}, 422, "each of them once"),
    ],
)
async def test_all_games_of_careers_and_bots_are_bounded(
    gym: Any, sortie_installed: None, fields: dict[str, Any], status: int, says: str
) -> None:
    ann = await (await gym(simulation_games=50)).visitor()
    answer = await ann.form(SOLO, {"seed": 5, **fields}, status, htmx=False)
    assert says in told(answer.text)


@pytest.mark.anyio
async def test_progress_is_a_fragment_until_it_is_over(gym: Any) -> None:
    ann = await (await gym()).visitor()
    job = await start(ann, "slow", games=40)
    htmx = {"hx-request": "true"}
    seen: list[int] = []
    async with asyncio.timeout(60):
        while (answer := await ann.http.get(f"{job}/progress", headers=htmx)).status_code == 200:
            assert answer.text.lstrip().startswith('<div id="sim-progress"')
            assert 'hx-trigger="every 1s"' in answer.text
            if found := re.search(r"<b>(\d+)</b> of 40 games", answer.text):
                seen.append(int(found[1]))
            if seen and seen[-1] >= 1:
                await ann.form(f"{job}/cancel", {}, 303, htmx=False)
            await asyncio.sleep(0.02)
    assert seen == sorted(seen)
    assert seen[-1] >= 1
    assert (answer.status_code, answer.headers["hx-refresh"]) == (204, "true")
    gone = await ann.http.get("/simulations/nothing/progress", headers=htmx)
    assert gone.headers["hx-refresh"] == "true"


@pytest.mark.anyio
async def test_it_all_works_without_javascript(gym: Any) -> None:
    ann = await (await gym()).visitor()
    job = await start(ann, "stuck")
    page = await ann.page(job)
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in page
    assert f'action="{job}/cancel"' in page
    back = await ann.http.get(f"{job}/progress")
    assert (back.status_code, back.headers["location"]) == (303, job)
    answer = await ann.form(f"{job}/cancel", {}, 303, htmx=False)
    assert answer.headers["location"] == job
    page = await results(ann, job)
    assert "http-equiv" not in page
    assert "Cancelled: 0 of 12 games were finished" in told(page)


@pytest.mark.anyio
async def test_pages_have_nothing_that_the_policy_forbids(gym: Any) -> None:
    ann = await (await gym()).visitor()
    running = await start(ann, "stuck")
    pages = [await ann.page(FORM), await ann.page(running)]
    await ann.form(f"{running}/cancel", {}, 303, htmx=False)
    await results(ann, running)
    pages.append(await results(ann, await start(ann, "clumsy", games=30)))
    for page in pages:
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)


@pytest.mark.anyio
async def test_a_cancelled_job_shows_what_is_finished(gym: Any) -> None:
    house = await gym()
    ann, bob = await house.visitor(), await house.visitor()
    job = await start(ann, "slow", games=500)
    await shown(ann, job, lambda page: re.search(r"<b>[1-9]\d*</b> of 500", page))
    assert "/cancel" not in await bob.page(job)
    await bob.form(f"{job}/cancel", {}, 403, htmx=False)
    await ann.form(f"{job}/cancel", {}, 303, htmx=False)
    page = await results(ann, job)
    finished = re.search(r"Cancelled: (\d+) of 500 games", told(page))
    assert finished
    assert 1 <= int(finished[1]) < 500
    assert 'role="img"' in page
    assert not players(os.getpid())
    await ann.form(f"{job}/cancel", {}, 303, htmx=False)  # pressed twice


@pytest.mark.anyio
async def test_one_job_a_visitor_and_a_queue_for_all(gym: Any) -> None:
    house = await gym(simulations_waiting=1)
    ann, bob, cid = [await house.visitor() for _ in range(3)]
    first = await start(ann, "stuck")
    again = await refused(ann, 429)
    assert int(again.headers["retry-after"]) >= 1
    assert "cancel it" in told(again.text)
    assert f'href="{first}"' in await ann.page(FORM)
    second = await start(bob, "first")
    assert "1 simulation comes first" in told(await bob.page(second))
    full = await refused(cid, 503)
    assert int(full.headers["retry-after"]) >= 1
    assert "python -m app simulate" in told(full.text)
    await ann.form(f"{first}/cancel", {}, 303, htmx=False)
    assert "12 games" in told(await results(bob, second))
    await results(cid, await start(cid))


@pytest.mark.anyio
async def test_visitors_without_a_cookie_are_counted_by_their_address(gym: Any) -> None:
    house = await gym()
    first = await start(house.stranger(), "stuck")
    await refused(house.stranger(), 429)
    assert first


@pytest.mark.anyio
async def test_a_job_is_cut_short_when_its_time_is_up(gym: Any) -> None:
    ann = await (await gym(simulation_seconds=2.0)).visitor()
    page = await results(ann, await start(ann, "slow", games=500))
    assert re.search(r"Cut short: \d+ of 500 games were finished in the time", told(page))


@pytest.mark.anyio
async def test_games_that_fail_are_shown_with_their_seed(gym: Any) -> None:
    ann = await (await gym()).visitor()
    page = told(await results(ann, await start(ann, "clumsy", games=40)))
    failed = re.search(r"Seed (\d+) : RuntimeError: stumbled", page)
    assert failed
    assert f"--games 1 --a clumsy --b any --seed {failed[1]}" in page
    page = told(await results(ann, await start(ann, "gone")))
    assert "Seed 5 : the process that played it ended with 9" in page


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fields", "status", "says"),
    [
        ({"games": 0}, 422, "1 to 50 games"),
        ({"games": 51}, 422, "1 to 50 games"),
        ({"games": "10**9"}, 422, "games"),
        ({"games": "9" * 400}, 422, "games"),
        ({"seed": -1}, 422, "seed"),
        ({"seed": 2**53}, 422, "seed"),
        ({"scenario": "nowhere"}, 404, "meeting, duel"),
        ({"scenario": "x" * 100}, 422, "scenario"),
        ({"bot.1": "nobody"}, 422, "any, first"),
        ({"bot.2": "<script>"}, 422, "any, first"),
        ({"ruling.again": "perhaps"}, 422, "once, always"),
        ({"ruling.x": "y"}, 422, "ruling"),
    ],
)
async def test_what_can_t_be_is_refused(
    gym: Any, fields: dict[str, Any], status: int, says: str
) -> None:
    ann = await (await gym(simulation_games=50)).visitor()
    answer = await refused(ann, status, **fields)
    assert says in told(answer.text)
    assert "<script>" not in answer.text


@pytest.mark.anyio
async def test_bots_of_seats_that_there_are_not_are_passed_over(gym: Any) -> None:
    """A scenario may have fewer seats than the form shows."""
    ann = await (await gym()).visitor()
    await results(ann, await start(ann, **{"bot.3": "nobody"}))


@pytest.mark.anyio
@pytest.mark.parametrize("job", ["nothing", "%00", "..%2f..", "x" * 24, "<b>"])
async def test_ids_that_are_none(gym: Any, job: str) -> None:
    ann = await (await gym()).visitor()
    for path in (f"/simulations/{job}", f"/simulations/{job}/games.csv"):
        assert (await ann.http.get(path)).status_code == 404
    assert (await ann.http.post(f"/simulations/{job}/cancel")).status_code == 404
    assert (await ann.http.get(f"/simulations/{'x' * 25}")).status_code == 422


@pytest.mark.anyio
async def test_games_that_are_none_and_games_without_bots(gym: Any) -> None:
    ann = await (await gym()).visitor()
    with spar.without_bots():
        assert "has no bots" in told(await ann.page("/games/boneless/simulate", 404))
        await ann.form("/games/boneless/simulate", {"games": 1}, 404, htmx=False)
    assert "spar" in told(await ann.page("/games/nothing/simulate", 404))
    await ann.form("/games/nothing/simulate", {"games": 1}, 404, htmx=False)


@pytest.mark.anyio
async def test_another_site_can_t_start_or_cancel_one(gym: Any) -> None:
    ann = await (await gym()).visitor()
    job = await start(ann, "stuck")
    foreign = {"sec-fetch-site": "cross-site"}
    for path in (FORM, f"{job}/cancel"):
        assert (await ann.http.post(path, headers=foreign)).status_code == 403
    assert "<progress" in await ann.page(job)


@pytest.mark.anyio
async def test_starting_counts_as_a_command(gym: Any) -> None:
    ann = await (await gym(commands_per_minute=3)).visitor()
    answers = [(await ann.http.post(FORM, data={"games": 0})).status_code for _ in range(8)]
    assert answers[0] == 422
    assert 429 in answers


@pytest.mark.anyio
async def test_a_seat_s_token_starts_nothing(gym: Any) -> None:
    house = await gym()
    answer = await house.bearer("no-person").http.post(FORM, data={"games": 1})
    assert answer.status_code == 403


@needs_proc
@pytest.mark.anyio
async def test_no_process_is_left_when_the_server_closes(
    tmp_path: Path, spar_installed: None
) -> None:
    async with open_house(tmp_path / "data") as house:
        await start(await house.visitor(), "stuck")
        found = await asyncio.to_thread(wait_for_players, os.getpid(), 1)
    assert found
    assert not players(os.getpid())


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_a_real_server(
    tmp_path: Path, how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = spar.write_entry_point(tmp_path / "site")
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}{Path(__file__).parents[2]}")
    server = Server(tmp_path / "data")
    server.start()
    try:
        assert server.process
        with httpx2.Client(base_url=server.url) as client:
            fields = {"bot.1": "stuck", "games": 5}
            assert client.post(FORM, data=fields).status_code == 303
        found = wait_for_players(server.process.pid, 1)
        server.process.send_signal(how)
        server.process.wait(20)
        wait_until_gone(found)
    finally:
        server.stop()
    assert "Traceback" not in server.said()


@pytest.mark.anyio
async def test_a_result_is_shown_after_a_restart(tmp_path: Path, spar_installed: None) -> None:
    async with open_house(tmp_path / "data") as house:
        ann = await house.visitor()
        job = await start(ann, "any", "first")
        page = await results(ann, job)
        csv_before = (await ann.http.get(f"{job}/games.csv")).text
    async with open_house(tmp_path / "data") as house:
        bob = await house.visitor()
        assert await bob.page(job) == page
        assert (await bob.http.get(f"{job}/games.csv")).text == csv_before


@pytest.mark.anyio
async def test_a_result_of_what_the_game_has_no_more_is_gone(
    tmp_path: Path, spar_installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(tmp_path / "data") as house:
        ann = await house.visitor()
        job = await start(ann, "any", "first")
        await results(ann, job)
        game = spar.load()
        fewer = replace(game, bots=tuple(bot for bot in game.bots if bot.id != "first"))
        monkeypatch.setattr("app.web.simulations.registry.load", lambda name: fewer)
        assert "any more" in told(await ann.page(job, 404))


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_simulation_whose_server_ended_says_so_and_how_to_repeat_it(
    tmp_path: Path, how: signal.Signals
) -> None:
    server = Server(tmp_path / "data", spar.write_entry_point(tmp_path / "site"))
    server.start()
    try:
        assert server.process
        with httpx2.Client(base_url=server.url) as client:
            fields = {
                "scenario": "meeting",
                "bot.1": "stuck",
                "bot.2": "any",
                "games": 5,
                "seed": 7,
            }
            job = client.post(FORM, data=fields).headers["location"]
            wait_for_players(server.process.pid, 1)
            server.process.send_signal(how)
            server.process.wait(20)
        server.start()
        with httpx2.Client(base_url=server.url) as client:
            text = told(client.get(job).text)
            assert "Stopped by a restart of the server" in text
            again = "simulate spar --scenario meeting --games 5 --a stuck --b any --seed 7"
            assert again in text
            assert "Change and run again" in text
            fields = {**fields, "bot.1": "any"}
            assert client.post(FORM, data=fields).status_code == 303
    finally:
        server.stop()
    assert "Traceback" not in server.said()
