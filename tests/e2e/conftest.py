"""Browser tests: a server of its own in a process of its own, and the machine's Chromium."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.chance import IN_CI
from tests.e2e.desk import Desk
from tests.e2e.server import BROWSERS, FLAGS, TEST, Server, find_browser
from tests.e2e.visitors import Visitors

HERE = Path(__file__).parent
expect.set_options(timeout=10_000)  # each core may be busy with other tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder, and put them last, in every worker (`make test` keeps the order).

    Playwright keeps an event loop running in its thread until the session ends, so no asynchronous test can
    follow in that worker. Each worker has a server and a browser of its own, shared by its tests.
    """
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.e2e)
    items.sort(key=lambda item: item.get_closest_marker("e2e") is not None)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where Chromium is. Without one the test is skipped, but in CI it fails: there nothing is."""
    if path := find_browser():
        return path
    missing = f"no browser found on PATH; looked for {', '.join(BROWSERS)}"
    if IN_CI:
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], chromium_path: str
) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium_path, "args": FLAGS}


@pytest.fixture(scope="session")
def naming() -> Iterator[Path]:
    """The file that names the test under way."""
    TEST.write_text("none yet")
    yield TEST
    TEST.unlink()


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, naming: Path) -> None:
    """Each test has dice of its own, whatever ran before it."""
    naming.write_text(request.node.nodeid)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, naming: Path) -> Iterator[str]:
    """The address of a server that all browser tests share."""
    running = Server(tmp_path_factory.mktemp("server") / "data")
    running.start()
    yield running.url
    running.stop()


@pytest.fixture(scope="session")
def base_url(server: str) -> str:
    """So that `page.goto("/tables")` works (pytest-base-url's fixture)."""
    return server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that one test alone may stop and start again."""
    running = Server(tmp_path / "data")
    running.start()
    yield running
    running.stop()


@pytest.fixture
def visitors(browser: Browser, base_url: str) -> Iterator[Visitors]:
    """People at browsers of their own. The test fails if a page of theirs was in trouble."""
    everybody = Visitors(browser, base_url)
    yield everybody
    everybody.leave()


@pytest.fixture
def solo(visitors: Visitors) -> Desk:
    """A solo table of the first scenario, fresh."""
    return Desk.solo(visitors())


@pytest.fixture
def pair(visitors: Visitors) -> tuple[Desk, Desk]:
    """The two seats of a shared table: who opened it, and who came by the link."""
    return Desk.pair(visitors(), visitors())
