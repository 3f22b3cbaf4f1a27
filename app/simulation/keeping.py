"""Keeping: a server's simulations as files, so that a restart does not lose what came of them.

One small file says from the beginning that there is a job, and in the end what came of it. One that
was not over when the server ended is found so, and can be said to be gone and how to repeat it.
Belongs here: reading and writing these files. Does not belong here: for how long they are kept
(`jobs`). A disk that is full costs a result only what comes after a restart.
"""

import contextlib
import logging
import os
import re
import time
from pathlib import Path
from typing import Literal

import msgspec

from app.simulation.career_counting import CareerSummary
from app.simulation.counting import Summary
from app.simulation.orders import Order
from app.simulation.results import Result, careers, plain

_ID = re.compile(r"[A-Za-z0-9_-]{1,24}")

Ended = Literal["finished", "cut short", "cancelled", "broken", "restarted"]
"""How a job ended."""

log = logging.getLogger("contrail")


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a job; `ended` is None until it is over.

    Who asked for it is not kept: after a restart there is nothing to cancel.
    """

    orders: tuple[Order, ...]
    ended: Ended | None = None
    done: int = 0
    games: tuple[Summary, ...] = ()
    careers: tuple[CareerSummary, ...] = ()
    csv: str = ""

    @property
    def results(self) -> tuple[Result, ...]:
        """What came of its orders; a job has games or careers, never both."""
        return self.games or self.careers


def kept(
    orders: tuple[Order, ...], ended: Ended | None, done: int, results: tuple[Result, ...], csv: str
) -> Kept:
    """What is to be kept of a job."""
    return Kept(
        orders=orders,
        ended=ended,
        done=done,
        games=tuple(plain(results)),
        careers=tuple(careers(results)),
        csv=csv,
    )


class Files:
    """The files of a server's simulations.

    Args:
        folder: where they are; made when it is needed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ages(self) -> dict[str, float]:
        """Seconds since each file was written, by the id of its job, the oldest first."""
        now, found = time.time(), dict[str, float]()
        with contextlib.suppress(OSError):
            for path in self._folder.glob("*.json"):
                if _ID.fullmatch(path.stem):
                    found[path.stem] = now - path.stat().st_mtime
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def write(self, job: str, what: Kept) -> None:
        """Keep a job, in place of what was kept of it."""
        path = self._path(job)
        new = path.with_suffix(".new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            new.write_bytes(msgspec.json.encode(what))
            os.replace(new, path)
        except OSError as error:
            log.error("the simulation %s can't be kept: %s", job, error.strerror)
            with contextlib.suppress(OSError):
                new.unlink()

    def read(self, job: str) -> Kept | None:
        """What is kept of a job; None where there is nothing, or nothing that this version can read."""
        try:
            return msgspec.json.decode(self._path(job).read_bytes(), type=Kept)
        except OSError:
            return None
        except msgspec.DecodeError as error:
            log.warning("the simulation %s can't be read any more: %s", job, error)
            return None

    def forget(self, job: str) -> None:
        """Keep it no longer."""
        with contextlib.suppress(OSError):
            self._path(job).unlink()

    def _path(self, job: str) -> Path:
        return self._folder / f"{job}.json"
