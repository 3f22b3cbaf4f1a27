"""Browser tests: a server of its own in a process of its own, and the machine's Chromium."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",  # CI runs as root, where Chromium has no sandbox
    "--disable-gpu",
    # The rest keeps the browser from calling home or waiting for an answer.
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder, and let them share one worker: a browser fills a core alone."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where Chromium is. Without one the test is skipped, but in CI it fails: there nothing is."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    missing = f"no browser found on PATH; looked for {', '.join(BROWSERS)}"
    if os.environ.get("CI", "") not in ("", "false", "0"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], chromium_path: str
) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium_path, "args": FLAGS}


class Server:
    """`python -m app serve` in a process of its own; it can be stopped and started again."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.log = data.with_suffix(".log")
        self.port = 0  # any free one at first, the same one after a restart
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "app", "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            if said := re.search(r"Contrail is at http://127\.0\.0\.1:(\d+)", self.said()):
                self.port = int(said[1])
                try:
                    with urlopen(f"{self.url}/healthz", timeout=5):
                        return
                except URLError:
                    pass
            time.sleep(0.05)
        self.stop()
        pytest.fail(f"the server did not start; it said:\n{self.said()}")

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None

    def said(self) -> str:
        """What it has printed since its last start."""
        return self.log.read_text("utf-8", "replace")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
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
