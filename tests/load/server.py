"""Servers to measure, each in a process of its own on a free port of loopback, with a folder of its own."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from tests.load.wire import Address, BenchError

ROOT = Path(__file__).resolve().parents[2]
_AT = re.compile(r" at http://127\.0\.0\.1:(\d+)")
_TICKS = os.sysconf("SC_CLK_TCK")

Kind = Literal["contrail", "bare"]
_COMMANDS: Mapping[Kind, tuple[str, ...]] = {
    "contrail": ("-m", "app", "serve", "--host", "127.0.0.1", "--port", "0", "--data"),
    "bare": ("-m", "tests.load.bare"),
}
UNLIMITED = {"CONTRAIL_COMMANDS_PER_MINUTE": "10000000", "CONTRAIL_TABLES_PER_MINUTE": "1000000"}
"""The limits that would stop a load driver, as they should."""


class Server:
    """A running server; use it in a `with` statement.

    Args:
        kind: ours, or the bare one to compare with.
        folder: where its data folder is made and removed; None: the machine's folder for such things.
        env: more environment variables.
    """

    def __init__(
        self, kind: Kind, folder: Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        self.kind: Kind = kind
        self._folder = Path(tempfile.mkdtemp(prefix="contrail-bench-", dir=folder))
        self._env = {**os.environ, **UNLIMITED, **(env or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self.address: Address = ("127.0.0.1", 0)

    def __enter__(self) -> "Server":
        """Start, and wait until it says where it is."""
        log = self._folder / "log.txt"
        command = [sys.executable, *_COMMANDS[self.kind], str(self._folder / "data")]
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self._env, stdout=out, stderr=out
            )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self._process.poll() is None:
            said = _AT.search(log.read_text("utf-8", "replace"))
            if said:
                self.address = ("127.0.0.1", int(said[1]))
                return self
            time.sleep(0.05)
        text = log.read_text("utf-8", "replace")
        self.stop()
        raise BenchError(f"the server did not start; it said:\n{text}")

    def __exit__(self, *_: object) -> None:
        """Stop it and remove its data."""
        self.stop()

    def stop(self) -> None:
        """Stop it and remove its data."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def cpu(self) -> float:
        """Seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def rss(self) -> int:
        """Bytes of memory that it holds now."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s*(\d+) kB", status)
        return int(found[1]) * 1024 if found else 0
