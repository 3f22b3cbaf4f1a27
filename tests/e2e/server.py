"""A server in a process of its own, and where the machine's browser is."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent.parent
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
TEST = Path(tempfile.gettempdir()) / f"contrail-test-{os.getpid()}"
"""The file that names the test under way, for its servers' dice."""

# All tests come from one address, which opens more tables in a minute than people do.
LIMITS = {"CONTRAIL_TABLES_PER_MINUTE": "100000", "CONTRAIL_COMMANDS_PER_MINUTE": "100000"}


def find_browser() -> str | None:
    """The path of a Chromium, if there is one."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


class NotStarted(Exception):
    """The server ended or stayed silent; the message is what it said."""


def write_entry_points(folder: Path, **modules: str) -> Path:
    """A folder that makes modules installed games for whoever has it on the path."""
    about = folder / "plugins-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugins\nVersion: 1\n")
    named = "".join(f"{name} = {module}\n" for name, module in modules.items())
    (about / "entry_points.txt").write_text(f"[contrail.games]\n{named}")
    return folder


class Server:
    """`serving.py`, which is `python -m app serve`, in a process of its own; it can be stopped and started again.

    `plugins` is a folder with the entry points of more games.
    """

    def __init__(self, data: Path, plugins: Path | None = None) -> None:
        self.data = data
        self.plugins = plugins
        self.log = data.with_suffix(".log")
        self.port = 0  # any free one at first, the same one after a restart
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.e2e.serving", str(TEST), "serve"]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        env = {**os.environ, **LIMITS}
        if self.plugins is not None:
            env["PYTHONPATH"] = os.pathsep.join((str(self.plugins), str(ROOT)))
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=env)
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
        raise NotStarted(self.said())

    def kill(self) -> None:
        """As a power cut does it."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

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
