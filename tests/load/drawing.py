"""What a table of few and of many units costs: a command, the view, the frame after it, the page.

All in this process, with no network and no other work: per-operation times of each alone. A command is durable
when it has been timed: its entries are in the database.
"""

import random
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx2
import msgspec

from app.bots import plain_answer
from app.engine.hexes import at
from app.engine.sequence import Answer, open_decisions
from app.games import registry
from app.main import create_app
from app.migrate import migrate
from app.settings import Settings
from app.tables import playing
from app.tables.frames import Channel
from app.tables.live import Caller, LiveTable
from app.tables.looking import view_of
from app.tables.opening import open_table
from app.tables.orders import Order
from tests.load.measure import Plan, Row, p50_p99

CASES = (("osaaf", 2), ("osaaf", 24), ("gunslingers", 4), ("gunslingers", 24))
"""Games, and how many units take part."""


async def drawing(plan: Plan) -> list[Row]:
    """One table after another, played by chance; each command's consequences are drawn and timed."""
    with tempfile.TemporaryDirectory(dir=plan.folder) as folder:
        settings = Settings(data=Path(folder), commands_per_minute=1_000_000)
        migrate(settings.url)
        app = create_app(settings)
        try:
            return [await _of_size(app, game, units, plan) for game, units in CASES]
        finally:
            app.state.site.service.store.close()


async def _of_size(app: Any, game: str, units: int, plan: Plan) -> Row:
    site = app.state.site
    caller = Caller(identity="bench")
    order = Order(game=game, setup=SETUPS[game](units))
    table, tokens = await open_table(site.service, order, caller)
    viewer = table.seats_of(caller)
    token = next(iter(tokens.values()))
    channel = Channel(table, viewer, "bench")
    render = site.pages.renderer(site.hub)
    channel.refresh(render)
    chance = random.Random(1)
    commands: list[float] = []
    views: list[float] = []
    frames: list[float] = []
    pages: list[float] = []
    sizes: list[int] = []
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://bench.local") as client:
        await plan.calm()
        for n in range(plan.of(600, 100)):
            if table.finished:
                break
            answer = _any(table, chance)
            begin = time.perf_counter()
            await playing.command(site.service, table.id, answer, table.version, caller)
            commands.append(time.perf_counter() - begin)
            begin = time.perf_counter()
            msgspec.json.encode(view_of(table, viewer))
            views.append(time.perf_counter() - begin)
            table.position.looks.clear()
            begin = time.perf_counter()
            channel.refresh(render)
            frames.append(time.perf_counter() - begin)
            sizes.append(len(channel.ring[-1]))
            if n % 10 == 0:
                headers = {"authorization": f"Bearer {token}"}
                begin = time.perf_counter()
                shown = await client.get(f"/tables/{table.id}", headers=headers)
                pages.append(time.perf_counter() - begin)
                shown.raise_for_status()
    return {
        "game": game,
        "units": units,
        "commands": len(frames),
        **p50_p99("command ms", commands),
        **p50_p99("view ms", views),
        **p50_p99("frame ms", frames),
        "frame B": round(sum(sizes) / len(sizes)),
        **p50_p99("page ms", pages),
    }


def _any(table: LiveTable, chance: random.Random) -> Answer:
    """Any answer; of a line of text, one of those that are offered whole."""
    held = {one.offer for one in table.held}
    decision = next(one for one in open_decisions(table.todo) if one.id not in held)
    free = [option for option in decision.all_options if option.blocked is None]
    if not free:
        return plain_answer(table.game, decision)
    return Answer(decision.id, chance.choice(free).value)


def many(units: int) -> Mapping[str, Any]:
    """A set-up of so many jets, half a side, facing each other in two rows."""
    jets = [
        {
            "id": f"{seat}-{n + 1}",
            "seat": seat,
            "aircraft": aircraft,
            "name": f"{seat.title()} {n + 1}",
            "hex": at(3 + 2 * n, row).label,
            "facing": facing,
            "altitude": 5,
            "speed": 3,
        }
        for seat, aircraft, row, facing in (("blue", "f-8e", 3, 3), ("red", "mig-21f-13", 18, 0))
        for n in range(units // 2)
    ]
    return {"title": f"{units} jets", "turns": 40, "jets": jets}


def melee(units: int) -> Mapping[str, Any]:
    """A set-up of so many aircraft of "Merge", half a side, in two columns that meet."""
    merge = registry.load("gunslingers").scenarios["merge"].setup
    columns = {"blue": 15, "red": 25}
    aircraft = [
        {**kind, "id": f"{side}-{n + 1}", "name": f"{side.title()} {n + 1}", "contacts": []}
        | {"place": at(column, 2 + 2 * n).label}
        for side, column in columns.items()
        for kind in [next(one for one in merge["aircraft"] if one["side"] == side)]
        for n in range(units // 2)
    ]
    return {**merge, "title": f"{units} aircraft", "aircraft": aircraft}


SETUPS: Mapping[str, Callable[[int], Mapping[str, Any]]] = {"osaaf": many, "gunslingers": melee}
