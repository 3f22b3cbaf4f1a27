"""What is measured in a browser: bytes and first paint of the home page and of a table, cold and warm."""

import re
import shutil
from typing import Any

from playwright.async_api import Browser, BrowserContext, Response, async_playwright

from tests.load.measure import Plan, Row, percentile
from tests.load.play import Player
from tests.load.scenarios import sitting
from tests.load.server import Server
from tests.load.wire import BenchError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PAINT = "first-contentful-paint"
_ENTRIES = """() => ({
  origin: performance.timeOrigin,
  paint: performance.getEntriesByType('paint').map(e => [e.name, e.startTime]),
  files: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map(e => [e.name, e.transferSize, e.encodedBodySize, e.decodedBodySize]),
})"""
_KINDS = re.compile(r"\.(css|js|svg)(?:\?|$)")


async def page(plan: Plan) -> list[Row]:
    """Bytes of the home page and the table page with all that they load, and when they are painted."""
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        raise BenchError(f"no browser found on PATH; looked for {', '.join(BROWSERS)}")
    rows: list[Row] = []
    with Server("contrail", plan.folder) as server:
        base = f"http://{server.address[0]}:{server.address[1]}"
        async with async_playwright() as playwright, sitting(server) as (table,):
            browser = await playwright.chromium.launch(executable_path=program, args=FLAGS)
            for name, path, player in (
                ("home", "/", None),
                ("table", f"/tables/{table.id}", table.players[0]),
                ("table, a spectator", f"/tables/{table.id}", None),
            ):
                rows += await _visits(plan, browser, name, base + path, player)
            await browser.close()
    return rows


async def _visits(
    plan: Plan, browser: Browser, name: str, url: str, player: Player | None
) -> list[Row]:
    cold: list[dict[str, Any]] = []
    warm: list[dict[str, Any]] = []
    for _ in range(plan.of(7, 3)):
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        if player is not None:
            cookie, _, value = player.cookie.strip().partition(": ")[2].partition("=")
            await context.add_cookies([{"name": cookie, "value": value, "url": url}])
        await plan.calm()
        cold.append(await _visit(context, url))
        warm.append(await _visit(context, url))
        await context.close()
    return [_row(name, "cold", cold), _row(name, "warm", warm)]


async def _visit(context: BrowserContext, url: str) -> dict[str, Any]:
    tab = await context.new_page()
    connected: list[float] = []
    is_table = "/tables/" in url

    def answered(response: Response) -> None:
        if "/frames" in response.url:
            timing = response.request.timing
            connected.append(timing["startTime"] + max(0.0, timing["responseStart"]))

    tab.on("response", answered)
    await tab.goto(url, wait_until="load")
    for _ in range(100):
        found = await tab.evaluate(_ENTRIES)
        if PAINT in dict(found["paint"]) and (connected or not is_table):
            break
        await tab.wait_for_timeout(20)
    else:
        raise BenchError(f"{url} was not painted, or its stream not connected")
    await tab.close()
    files = [entry for entry in found["files"] if "/frames" not in entry[0]]
    return {
        "paint": dict(found["paint"])[PAINT],
        "stream": connected[0] - found["origin"] if connected else None,
        "files": len(files),
        "sent": sum(entry[1] for entry in files),
        "compressed": _by_kind(files, 2),
        "raw": _by_kind(files, 3),
    }


def _by_kind(files: list[list[Any]], column: int) -> dict[str, int]:
    sums = {"html": 0, "css": 0, "js": 0, "svg": 0}
    for entry in files:
        kind = _KINDS.search(entry[0])
        sums[kind[1] if kind else "html"] += entry[column]
    return sums


def _row(name: str, cache: str, visits: list[dict[str, Any]]) -> Row:
    one = visits[-1]
    paints = [visit["paint"] for visit in visits]
    streams = [visit["stream"] for visit in visits if visit["stream"] is not None]
    row: Row = {
        "page": name,
        "cache": cache,
        "paint ms best": round(min(paints)),
        "paint ms p50": round(percentile(paints, 0.5)),
        "stream ms p50": round(percentile(streams, 0.5)) if streams else "",
        "sent kB": round(one["sent"] / 1000, 1),
        "files": one["files"],
    }
    if cache == "cold":
        row["compressed kB"] = round(sum(one["compressed"].values()) / 1000, 1)
        row["raw kB"] = round(sum(one["raw"].values()) / 1000, 1)
        row["of which"] = ", ".join(
            f"{kind} {one['compressed'][kind] / 1000:.1f}" for kind in one["compressed"]
        )
    return row
