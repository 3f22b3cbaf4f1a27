"""Thinkers: the processes in which the bots of one server think, and who of them thinks about what.

There are as many as bots usually need. While all are busy for longer than a moment, more are
started, up to a bound, so that no question waits behind another table's bot. Whoever hangs is ended
when its time is up; a table whose bot did that shares one thinker with others like it until it
answers in time again.

Belongs here: sharing out, and the limits of time. Does not belong here: processes (`starting`), and
what is played when no answer comes (`app.tables.autoplay`).
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Any

from app.settings import Settings
from app.thinking.starting import CantStart, Nursery, Started
from app.thinking.wire import MOST_TOLD, Cut, Question, decoded, packed, receive_soon, send_soon

MOST = 8
"""So many thinkers at most."""

MOMENT = 0.5
"""Seconds that a question waits for a thinker before there is to be one more."""


def thinkers_for(settings: Settings) -> "Thinkers":
    """Those of a server. It may fork here: the fewer threads and files there are, the better."""
    return Thinkers(seconds=settings.bot_seconds, megabytes=settings.bot_megabytes)


class Failed(Exception):
    """The bot gave no answer. The message says in one line why."""


class Thinkers:
    """The processes in which a server's bots think. Nothing blocks; all is called on one event loop.

    Args:
        seconds: for which a bot may think about one question.
        megabytes: how much memory more than at its start a process may take.
        usual: how many processes are kept.
        most: how many there may be while all are busy.
        fork: whether to fork them, where that can be.
    """

    def __init__(
        self,
        *,
        seconds: float,
        megabytes: int,
        usual: int = 2,
        most: int = MOST,
        fork: bool = True,
    ) -> None:
        self._seconds = seconds
        self._usual = usual
        self._most = most
        self._nursery = Nursery(megabytes, fork=fork)
        # Whoever thought last is asked first: it has remembered the most.
        self._free: asyncio.LifoQueue[Started] = asyncio.LifoQueue()
        self._there: set[Started] = set()
        self._starting = 0
        self._waiting = 0
        self._hung: set[str] = set()  # tables whose bot has cost a process with its last question
        self._for_hung = asyncio.Semaphore(1)
        self._closed = False

    @property
    def processes(self) -> int:
        """How many there are, those that are starting too."""
        return len(self._there) + self._starting

    async def think(self, table: str, question: Question) -> Any:
        """What a bot chooses. Raises Failed when nothing comes of it: in time, or at all."""
        try:
            data = packed(question)
        except Exception as error:  # a state is a plug-in's
            raise Failed(f"what it sees can't be sent to it: {error}") from error
        alone = self._for_hung if table in self._hung else contextlib.nullcontext()
        async with alone, self._thinker(question.game) as thinker:
            try:
                async with asyncio.timeout(self._seconds):
                    await send_soon(thinker.sock, data)
                    told = decoded(await receive_soon(thinker.sock, MOST_TOLD))
            except TimeoutError:
                self._lose(thinker, table)
                raise Failed(f"it has not answered in {self._seconds:g} seconds") from None
            except Cut as error:
                self._lose(thinker, table)
                raise Failed(str(error)) from None
            except BaseException:
                self._lose(thinker)  # it is still thinking about what nobody asks any more
                raise
            if told.spent:
                self._lose(thinker, table)
            else:
                self._hung.discard(table)
        if told.wrong:
            raise Failed(told.wrong)
        return told.choice

    def close(self) -> None:
        """End all of them at once, whatever they do."""
        self._closed = True
        for thinker in list(self._there):
            self._lose(thinker)
        self._nursery.close()

    @contextlib.asynccontextmanager
    async def _thinker(self, game: str) -> AsyncGenerator[Started]:
        """One that is free, for a while."""
        thinker = await self._take(game)
        try:
            yield thinker
        finally:
            if thinker in self._there:
                if len(self._there) > self._usual and not self._waiting:
                    self._lose(thinker)
                else:
                    self._free.put_nowait(thinker)

    async def _take(self, game: str) -> Started:
        self._waiting += 1
        try:
            while True:
                if self._free.empty() and self.processes < self._usual:
                    await self._add(game)
                try:
                    async with asyncio.timeout(MOMENT):
                        thinker = await self._free.get()
                except TimeoutError:
                    if self.processes < self._most:
                        await self._add(game)
                    continue
                if thinker in self._there:
                    return thinker
        finally:
            self._waiting -= 1

    async def _add(self, game: str) -> None:
        self._starting += 1
        try:
            thinker = await self._nursery.start(game)
        except (CantStart, OSError) as error:
            raise Failed(f"no process can be started for it: {error}") from error
        finally:
            self._starting -= 1
        if self._closed:
            thinker.end()
            raise Failed("the server stops")
        self._there.add(thinker)
        self._free.put_nowait(thinker)

    def _lose(self, thinker: Started, table: str | None = None) -> None:
        """End one; `table` is whose bot has cost it."""
        self._there.discard(thinker)
        thinker.end()
        if table is not None:
            self._hung.add(table)
