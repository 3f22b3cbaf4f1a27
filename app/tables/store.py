"""The store: rows in and out of the database, through SQLAlchemy Core.

One thread writes. Whatever waits when it is free is committed together, so that many tables share the
cost of making a commit durable; if something in such a group fails, each of its jobs is tried alone and
only the faulty one fails. Readers use connections of their own. A write is done when its future is:
then it is on the disk (SQLite: WAL, synchronous FULL).
"""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    bindparam,
    create_engine,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, InterfaceError, InternalError, OperationalError

from app.engine.errors import Refused, Stale
from app.tables import models

T = TypeVar("T")
Row = Mapping[str, Any]

GROUP = 64
BUSY_SECONDS = 5

log = logging.getLogger("contrail")


class Unavailable(Refused):
    """The database can't be read or written now: it is locked, full or away. Nothing was changed."""

    status = 503
    title = "Not available"
    retry_after = 5

    def __init__(self) -> None:
        super().__init__(
            "The server can't reach what it keeps, so nothing was saved. Try again in a moment."
        )


class MovedOn(Stale):
    """Somebody else, in another process, has written that moment of a table."""

    def __init__(self) -> None:
        super().__init__("The table has moved on since then. Look again, then choose.")


def reason_of(error: BaseException) -> str:
    """What the database says is wrong, in one line and without what was to be written."""
    said = str(getattr(error, "orig", None) or error) or type(error).__name__
    return said.splitlines()[0]


_TROUBLE = (OperationalError, InterfaceError, InternalError)


@dataclass
class Append:
    """New entries of a table, and what the lists of tables show after them.

    `held` is what becomes of the table's sealed answers; None leaves them as they are. `also` is written with
    them, or neither is.
    """

    table: str
    entries: Sequence[Row]
    head: Row
    held: "HeldChange | None" = None
    also: Callable[[Connection], None] | None = None


@dataclass(frozen=True)
class HeldChange:
    """What becomes of a table's sealed answers: rows that were there, and rows that are to be there."""

    before: Sequence[Row]
    after: Sequence[Row]


@dataclass
class _Job:
    """Something for the writer: an Append, or any work on a connection."""

    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]
    append: Append | None = None
    work: Callable[[Connection], Any] | None = None
    result: Any = field(default=None)
    error: BaseException | None = field(default=None)


_INSERT_ENTRY = insert(models.log_entry)
_UPDATE_HEAD = (
    update(models.game_table)
    .where(models.game_table.c.id == bindparam("table"))
    .values(
        version=bindparam("new_version"),
        turn=bindparam("new_turn"),
        to_act=bindparam("new_to_act"),
        finished=bindparam("new_finished"),
        updated_at=bindparam("new_updated_at"),
        question=bindparam("new_question"),
    )
)


class Store:
    """The database of one server.

    Args:
        url: an SQLAlchemy URL, SQLite or PostgreSQL (psycopg).
    """

    def __init__(self, url: str) -> None:
        self._writing = _engine(url, writes=True)
        self._reading = _engine(url, writes=False)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="read")
        self._writer = threading.Thread(target=self._write_all, name="write", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Finish what was handed in, then let go of the database."""
        self._jobs.put(None)
        self._writer.join(timeout=10)
        self._readers.shutdown(wait=True)
        self._writing.dispose()
        self._reading.dispose()

    async def append(self, append: Append) -> None:
        """Add entries to a log, durably.

        Raises MovedOn when somebody else has written that moment, Unavailable when it can't be written.
        """
        loop = asyncio.get_running_loop()
        job = _Job(loop, loop.create_future(), append=append)
        self._jobs.put(job)
        try:
            await job.done
        except IntegrityError:
            raise MovedOn from None
        except _TROUBLE:
            raise Unavailable from None

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the writing connection, in a transaction of the writer thread.

        Raises Unavailable.
        """
        loop = asyncio.get_running_loop()
        job = _Job(loop, loop.create_future(), work=work)
        self._jobs.put(job)
        try:
            return await job.done
        except _TROUBLE:
            raise Unavailable from None

    async def attempt(self, work: Callable[[Connection], T]) -> T:
        """The same for work that may refuse: a Refused of it undoes what it wrote, and is raised here.

        It comes back from the writer as a value, since what is raised there is taken for trouble.
        """

        def guarded(connection: Connection) -> T | Refused:
            try:
                with connection.begin_nested():
                    return work(connection)
            except Refused as refused:
                return refused

        done = await self.write(guarded)
        if isinstance(done, Refused):
            raise done
        return done

    async def trouble(self, at: int) -> str | None:
        """Why nothing can be written now, in one line; None after a write at that time went to the disk."""
        loop = asyncio.get_running_loop()
        job = _Job(loop, loop.create_future(), work=lambda connection: _touch(connection, at))
        self._jobs.put(job)
        try:
            await job.done
        except Exception as error:
            return reason_of(error)
        return None

    async def read(self, statement: Executable) -> list[Row]:
        """The rows of a query, as mappings. Raises Unavailable."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._read, statement)
        except _TROUBLE as error:
            log.error("the database can't be read: %s", reason_of(error))
            raise Unavailable from None

    def _read(self, statement: Executable) -> list[Row]:
        with self._reading.connect() as connection:
            return [dict(row) for row in connection.execute(statement).mappings()]

    def _write_all(self) -> None:
        stop = False
        while not stop:
            job = self._jobs.get()
            if job is None:
                return
            group = [job]
            while len(group) < GROUP:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    stop = True
                    break
                group.append(more)
            self._commit(group)

    def _commit(self, group: list[_Job]) -> None:
        begun = False
        try:
            with self._writing.begin() as connection:
                begun = True
                _carry_out(connection, group)
        except Exception as error:
            if begun and len(group) > 1:
                for job in group:
                    self._commit([job])
                return
            if not isinstance(error, IntegrityError | MovedOn):
                unforeseen = None if isinstance(error, _TROUBLE) else error
                log.error(
                    "the database can't be written: %s", reason_of(error), exc_info=unforeseen
                )
            for job in group:
                job.error = error
        by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        for job in group:
            by_loop.setdefault(job.loop, []).append(job)
        for loop, jobs in by_loop.items():
            # A loop that has ended has nobody waiting any more.
            if not loop.is_closed():
                loop.call_soon_threadsafe(_tell, jobs)


def _carry_out(connection: Connection, group: Sequence[_Job]) -> None:
    appends = [job.append for job in group if job.append is not None]
    if appends:
        connection.execute(_INSERT_ENTRY, [row for append in appends for row in append.entries])
        connection.execute(_UPDATE_HEAD, [_head_parameters(append) for append in appends])
        for append in appends:
            if append.held is not None:
                keep_held(connection, append.held)
            if append.also is not None:
                append.also(connection)
    for job in group:
        if job.work is not None:
            job.result = job.work(connection)


def _touch(connection: Connection, at: int) -> None:
    connection.execute(update(models.server).values(written_at=at))


def _head_parameters(append: Append) -> dict[str, Any]:
    """A head's values under the names that the statement has for them: its columns' are taken."""
    return {"table": append.table, **{f"new_{name}": value for name, value in append.head.items()}}


def write_append(connection: Connection, append: Append) -> None:
    """Add entries to a log as part of a transaction that writes more than them.

    Raises IntegrityError when somebody else has written that moment; then nothing of it is kept.
    """
    connection.execute(_INSERT_ENTRY, list(append.entries))
    connection.execute(_UPDATE_HEAD, _head_parameters(append))


def keep_held(connection: Connection, change: HeldChange) -> None:
    """Write what has changed of a table's sealed answers, each by itself, if it is still what it was.

    So an answer that another process has taken meanwhile is neither lost nor written over. Raises MovedOn when
    one is not what it was; then nothing of the transaction may be kept.
    """
    answer = models.held_answer
    before = {(row["table_id"], row["offer"]): row for row in change.before}
    after = {(row["table_id"], row["offer"]): row for row in change.after}
    for key, row in before.items():
        if row == after.get(key):
            continue
        as_it_was = (
            (answer.c.table_id == row["table_id"])
            & (answer.c.offer == row["offer"])
            & (answer.c.seat == row["seat"])
            & (answer.c.choice == row["choice"])
        )
        new = after.get(key)
        statement = (
            delete(answer).where(as_it_was)
            if new is None
            else update(answer)
            .where(as_it_was)
            .values(seat=new["seat"], choice=new["choice"], receipt=new["receipt"])
        )
        if connection.execute(statement).rowcount != 1:
            raise MovedOn
    added = [row for key, row in after.items() if key not in before]
    if added:
        try:
            connection.execute(insert(answer), added)
        except IntegrityError:
            raise MovedOn from None


def _tell(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        if job.done.done():  # the caller has gone away; what was written stays written
            continue
        if job.error is not None:
            job.done.set_exception(job.error)
        else:
            job.done.set_result(job.result)


def _engine(url: str, *, writes: bool) -> Engine:
    engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"), hide_parameters=True)
    if engine.dialect.name == "sqlite":
        begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

        def set_up(connection: Any, _record: Any) -> None:
            # The driver must not open transactions by itself: ours are explicit, and immediate when
            # they write, so that none fails half way for want of the lock.
            connection.isolation_level = None
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.execute("PRAGMA foreign_keys=ON")
            cursor.close()

        def start(connection: Connection) -> None:
            connection.exec_driver_sql(begin)

        event.listen(engine, "connect", set_up)
        event.listen(engine, "begin", start)
    return engine


def entries_of(table_id: str) -> Executable:
    """All log rows of a table in order."""
    entry = models.log_entry
    return select(entry).where(entry.c.table_id == table_id).order_by(entry.c.seq)
