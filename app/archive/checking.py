"""Checking: which tables this version would not go on with as they are.

For the operator, before an upgrade: the new version looks at what the old one keeps. It reads a copy, brought to
this version's schema, so the database itself is not touched and a server may go on using it. Each table is loaded
and its open question compared with the mark of it that was kept with its last entry (app.tables.questions).
"""

import asyncio
import contextlib
import logging
import sqlite3
import tempfile
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import make_url, select

from app.engine.errors import Refused
from app.engine.sequence import Todo, waiting
from app.migrate import migrate
from app.tables import models
from app.tables.loading import load
from app.tables.questions import FORM, mark_of
from app.tables.store import Store


class Trouble(msgspec.Struct, frozen=True):
    """A table that would not go on as it is: it does not load, or another question would be asked."""

    table: str
    name: str
    game: str
    why: str


class Report(msgspec.Struct, frozen=True):
    """What a check found. Of `unmarked` tables in play it is not known what was asked: an older version kept them."""

    tables: int
    unmarked: int
    troubles: tuple[Trouble, ...]


class Uncheckable(Exception):
    """The database can't be checked; the message says why in one line."""


def check(url: str) -> Report:
    """Look at every table of a database. Raises Uncheckable, and MigrationError where it is no database of ours."""
    with _copied(url) as copy:
        return asyncio.run(_check(copy))


@contextlib.contextmanager
def _copied(url: str) -> Generator[str]:
    """A copy at this version's schema. SQLite is copied whole while others write it; of others, only what is up to date is read."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        raise Uncheckable(
            "only SQLite is copied to be checked; restore a copy of this database as another one, "
            "migrate that with this version, and start it without players"
        )
    source = Path(address.database or "")
    if not source.is_file():
        raise Uncheckable(f"there is no database {source}")
    with tempfile.TemporaryDirectory(prefix="contrail-check-") as folder:
        copy = Path(folder) / "contrail.db"
        try:
            with (
                contextlib.closing(
                    sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)
                ) as old,
                contextlib.closing(sqlite3.connect(copy)) as new,
            ):
                old.backup(new)
        except sqlite3.Error as error:
            raise Uncheckable(f"the database {source} can't be copied: {error}") from None
        migrate(f"sqlite:///{copy}")
        yield f"sqlite:///{copy}"


async def _check(url: str) -> Report:
    store = Store(url)
    try:
        rows = await store.read(select(models.game_table).order_by(models.game_table.c.created_at))
        troubles: list[Trouble] = []
        unmarked = 0
        for row in rows:
            why = await _trouble(store, row)
            if why:
                troubles.append(Trouble(row["id"], row["name"], row["game"], why))
            unmarked += not row["finished"] and not _marked(row)
    finally:
        store.close()
    return Report(len(rows), unmarked, tuple(troubles))


async def _trouble(store: Store, row: Mapping[str, Any]) -> str:
    """What is wrong with a table; "" when nothing is."""
    with _heard() as said:
        try:
            table = await load(store, row["id"])
        except Refused as refused:
            return f"does not load: {next(said, refused.detail)}"
    if table.damaged is not None:
        return next(said, table.damaged.text)
    if not _marked(row) or row["finished"]:
        return ""
    try:
        now = mark_of(table.todo)
    except Exception as error:
        return f"the rules fall over on its position: {error!r}"
    if now != row["question"]:
        return f"another question would be open: {_asked(table.todo)}"
    return ""


def _marked(row: Mapping[str, Any]) -> bool:
    return (row["question"] or "").startswith(f"{FORM}:")


def _asked(step: Todo) -> str:
    """What is open now, in a few words."""
    if step is None:
        return "none, the game is over"
    return "; ".join(f"{one.seat or 'nobody'}: {one.title or one.id}" for one in waiting(step))


@contextlib.contextmanager
def _heard() -> Generator[Iterator[str]]:
    """What the server's log would say meanwhile of errors, in a line each; nothing of it is printed."""
    said: list[str] = []

    class Hear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            error = record.exc_info[1] if record.exc_info else None
            said.append(record.getMessage() if error is None else repr(error))

    logger, hear = logging.getLogger("contrail"), Hear(logging.WARNING)
    propagates = logger.propagate
    logger.addHandler(hear)
    logger.propagate = False
    try:
        yield _taken(said)
    finally:
        logger.propagate = propagates
        logger.removeHandler(hear)


def _taken(said: list[str]) -> Iterator[str]:
    while said:
        yield said.pop()
