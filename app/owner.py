"""One owner: a data folder, and a database, belong to one server process at a time.

A server keeps tables in memory and writes from there, so a second one over the same database would work from
an old picture. Belongs here: the lock and who holds it. Does not belong here: what is done under it.
"""

import contextlib
import os
import socket
import sys
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, Engine, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from app.settings import Settings

LOCK = "contrail.lock"
"""The file in a data folder that its owner holds locked. Its text says who that is; it stays behind."""

_BYTE = 1 << 30
"""Windows locks bytes so that others can't read them: this one is far behind the text."""


class Owned(Exception):
    """Something belongs to a server that is running; the message says to which, in one line."""


@contextlib.contextmanager
def owning(settings: Settings, where: str) -> Generator[None]:
    """Be the one who writes a server's folder and database, until the end of the block or of the process.

    `where` says to others what this process does ("http://127.0.0.1:8000"). Raises Owned.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(
            _locked(settings.data / LOCK, f"the data folder {settings.data}", where)
        )
        url = make_url(settings.url)
        if url.get_backend_name() == "sqlite":
            path = Path(url.database or "").absolute()
            if path.parent != settings.data.absolute():
                beside = path.with_name(f"{path.name}.lock")
                stack.enter_context(_locked(beside, f"the database {path}", where))
        else:
            stack.enter_context(_locked_schema(settings.url))
        yield


@contextlib.contextmanager
def _locked(path: Path, what: str, where: str) -> Generator[None]:
    with path.open("a+", encoding="utf-8") as file:
        if not _lock(file):
            file.seek(0)
            who = file.read().strip() or "a process that has not said who it is"
            raise Owned(f"{what} belongs to another server: {who}")
        file.truncate(0)
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        host = socket.gethostname()
        file.write(f"process {os.getpid()} on {host}, since {since}, {where}\n")
        file.flush()
        yield


# A lock of the process, not of the open file: then children that were forked do not hold it any longer than
# their parent lives, however that ends. No other code may open this file, as closing it would let go.
if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> bool:
        file.seek(_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        file.seek(0)
        return True
else:
    import fcntl

    def _lock(file: IO[str]) -> bool:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


_TAKE = text("SELECT pg_try_advisory_lock(hashtextextended('contrail ' || current_schema(), 0))")
_HOLDER = text(
    "SELECT a.pid, a.client_addr, a.backend_start FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND ((l.classid::bigint << 32) | l.objid::bigint) = "
    "hashtextextended('contrail ' || current_schema(), 0)"
)


@contextlib.contextmanager
def _locked_schema(url: str) -> Generator[None]:
    """The same for a schema of a database server, for as long as one connection to it lasts."""
    try:
        engine = create_engine(url, hide_parameters=True, isolation_level="AUTOCOMMIT")
    except (SQLAlchemyError, ImportError):  # said better by the migration, which comes next
        yield
        return
    try:
        connection = _connected(engine)
        if connection is None:
            yield
            return
        with connection:
            if not connection.scalar(_TAKE):
                row = connection.execute(_HOLDER).first()
                who = f"session {row[0]} from {row[1]}, since {row[2]}" if row else "unknown"
                raise Owned(f"the database {engine.url.database} belongs to another server: {who}")
            yield
    finally:
        engine.dispose()


def _connected(engine: Engine) -> Connection | None:
    try:
        return engine.connect()
    except SQLAlchemyError:
        return None
