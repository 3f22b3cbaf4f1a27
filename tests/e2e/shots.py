"""Takes pictures of every kind of page: `python -m tests.e2e.shots FOLDER`."""

import sys
import tempfile
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.desk import Desk
from tests.e2e.furball import FURBALL, MELEE, crowd, open_table, play
from tests.e2e.mission import MOMENTS, come_to
from tests.e2e.server import FLAGS, Server, find_browser
from tests.e2e.visitors import Visitors

SIZES: dict[str, dict[str, Any]] = {
    "1366x800": {"viewport": {"width": 1366, "height": 800}},
    "1440x900": {"viewport": {"width": 1440, "height": 900}},
    "1920x1080": {"viewport": {"width": 1920, "height": 1080}},
    "phone": {
        "viewport": {"width": 360, "height": 640},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main(folder: Path) -> None:
    """One server, one player; each scene in both colour schemes."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data) / "data")
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
            for size, options in SIZES.items():
                _scenes(browser, server.url, folder, size, options)
            browser.close()
        finally:
            server.stop()


def _scenes(browser: Browser, url: str, folder: Path, size: str, options: dict[str, Any]) -> None:
    visitors = Visitors(browser, url)
    page = visitors(**options)

    def shot(name: str, of: Page = page, full: bool = False) -> None:
        for scheme in SCHEMES:
            of.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            of.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=full)

    page.goto("/")
    shot("home", full=True)
    page.goto("/games/osaaf")
    shot("game", full=True)
    page.goto("/games/osaaf/rules")
    shot("rules")
    desk = Desk.solo(page, "route-package")
    shot("plan")
    for jet in range(4):
        desk.play_to("plan")
        desk.plan(hard_turns=2)
        desk.confirm()
        if jet == 0:
            shot("altitude")
    desk.play_to("move")
    page.locator("#aid").select_option("heat-left-always")
    page.locator("#overlay .heat").first.wait_for()
    desk.choose("left")
    shot("movement")
    page.locator("#aid").select_option("arcs")
    page.wait_for_timeout(200)
    shot("arcs")
    page.locator("#aid").select_option("")
    for _ in range(2):
        desk.play_turn()
    for name in ("Units", "Text", "Dice", "Table"):
        desk.tab(name)
        if size == "phone":
            page.locator("#panels").evaluate("node => node.scrollIntoView()")
        shot("tab-" + name.lower())
    desk.tab("Log")
    here = page.url
    page.goto(f"{here}?at={desk.version - 10}")
    shot("history")
    page.goto(here)
    desk.ready().concede()
    shot("finished")
    page.goto(here + "/dice")
    shot("dice", full=size == "phone")
    page.goto("/tables")
    shot("tables")
    for name, setup in (("furball", FURBALL), ("crowd", crowd(8))):
        page.goto(f"/tables/{open_table(page.request, setup)}")
        Desk(page).ready()
        shot(name)
    for name, dice in (("hits", 5), ("misses", 1)):
        table = open_table(page.request, MELEE, dice="hand")
        play(page.request, table, lambda view: view["turn"] == 2, dice)
        page.goto(f"/tables/{table}")
        Desk(page).ready()
        shot(name)
    for name, moment in MOMENTS.items():
        page.goto(f"/tables/{come_to(page.request, moment)}")
        Desk(page).ready()
        shot(f"mission-{name}")
    Desk(page).tab("Units")
    shot("mission-units")
    host = Desk.open(page, {"scenario": "duel", "mode": "shared"})
    page.goto(host.page.url + "?fresh=1")
    page.locator("#share").wait_for()
    shot("invitation")
    link = page.locator("#share input").first.input_value()
    other = visitors(**options)
    other.goto(link)
    shot("join", other)
    for context in browser.contexts:
        context.close()
    sys.stdout.write(f"{size}: {'; '.join(visitors.trouble) or 'no trouble'}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
