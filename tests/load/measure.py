"""How a measurement is taken: percentiles, the best of several runs, what else the machine did meanwhile."""

import asyncio
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.load.server import Server

Row = dict[str, Any]
"""A line of a table of results; every value is a number or a short text."""

QUIET = 0.12
"""Processors' worth of other work that still counts as quiet."""

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Plan:
    """What was asked for.

    Args:
        quick: short runs, to see that everything works.
        folder: where servers keep their data; its disk is measured too.
        profile: where profiles go; None: none are taken.
        patience: seconds to wait, before each run, for other processes to be quiet.
    """

    quick: bool = False
    folder: Path | None = None
    profile: Path | None = None
    patience: float = 0.0

    @property
    def runs(self) -> int:
        """How often each case is measured; the best one counts, as other work only makes it worse."""
        return 1 if self.quick else 3

    async def calm(self) -> None:
        """Wait until the rest of the machine is quiet, or patience is at an end."""
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            before = _busy()
            await asyncio.sleep(0.5)
            if (_busy() - before) / 0.5 < QUIET:
                return

    def of(self, full: int, quick: int) -> int:
        """One number or the other."""
        return quick if self.quick else full


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that at least `part` of all values do not pass (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def p50_p99(name: str, seconds: Sequence[float]) -> Row:
    """Median and 99th percentile in milliseconds."""
    return {
        f"{name} p50": round(percentile(seconds, 0.5) * 1000, 2),
        f"{name} p99": round(percentile(seconds, 0.99) * 1000, 2),
    }


class Meter:
    """What processors did during a measurement. In percent of one processor.

    `others` is all that neither the server nor the driver used: when it is not small, the numbers say
    little. The kernel's own work for the network is in it as far as it is charged to nobody.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._wall = time.perf_counter()
        self._mine = time.process_time()
        self._its = server.cpu()
        self._all = _busy()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.perf_counter() - self._wall

    def row(self, commands: int) -> Row:
        """Shares since the start, and the server's processor time for each command."""
        wall = self.seconds
        mine, its = time.process_time() - self._mine, self._server.cpu() - self._its
        rest = max(0.0, _busy() - self._all - mine - its)
        return {
            "server %": round(100 * its / wall),
            "driver %": round(100 * mine / wall),
            "others %": round(100 * rest / wall),
            "cpu ms/cmd": round(1000 * its / max(1, commands), 2),
        }


def _busy() -> float:
    """Seconds that all processors together have worked since the machine started."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    return sum(int(fields[n]) for n in (0, 1, 2, 5, 6, 7)) / _TICKS


def best(rows: Sequence[Row], key: str, pick: Callable[..., Row]) -> Row:
    """The best of several runs by `key` (`pick` is min or max), with what all of them had."""
    row = pick(rows, key=lambda one: one[key])
    return {**row, f"all {key}": " ".join(str(one[key]) for one in rows)}
