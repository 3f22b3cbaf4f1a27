"""Brings a database to the schema of this version, from a checkout and from an installed wheel.

On SQLite all of it is one transaction, so a migration that fails leaves the database as it was.
Foreign keys are off meanwhile: Alembic rebuilds a table by copying and dropping it, and with them
on, dropping the parent silently deletes every child row. They are checked before the commit.
"""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError

from app.settings import resource


class MigrationError(Exception):
    """The database cannot be brought up to date; the message says why in one line."""


def migrate(database_url: str) -> str:
    """Upgrade the database to the newest revision; return one sentence that says what happened."""
    config = _config()
    scripts = ScriptDirectory.from_config(config)
    head = scripts.get_current_head()
    engine = _engine_for(database_url)
    sqlite = engine.dialect.name == "sqlite"
    name = engine.url.database if sqlite else engine.url.render_as_string(hide_password=True)
    if sqlite and engine.url.database:
        _check_beside(Path(engine.url.database))
    try:
        with engine.connect() as connection:
            before = _revision(connection)
            if before is not None and before == head:
                return f"database {name}: up to date at {head}"
            if before is not None and before not in {s.revision for s in scripts.walk_revisions()}:
                raise MigrationError(
                    f"database {name}: its revision {before} is unknown here; "
                    "a newer Contrail made it, so run that one or newer"
                )
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except (SQLAlchemyError, CommandError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise MigrationError(f"database {name}: {reason}") from error
    finally:
        engine.dispose()
    if before is None:
        return f"database {name}: created at revision {head}"
    return f"database {name}: upgraded {before} -> {head}"


def newest() -> str | None:
    """The revision of this version, which a database is to have that is only read."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def known_revisions() -> frozenset[str]:
    """All revisions that this version has or comes from."""
    scripts = ScriptDirectory.from_config(_config())
    return frozenset(script.revision for script in scripts.walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resource("migrations")).replace("%", "%%"))
    return config


def _engine_for(database_url: str) -> Engine:
    try:
        return migration_engine(database_url)
    except ModuleNotFoundError as error:
        raise MigrationError(
            f"the database needs the Python package {error.name}, which is not installed"
        ) from None
    except SQLAlchemyError as error:
        raise MigrationError(f"CONTRAIL_DATABASE_URL: {str(error).splitlines()[0]}") from None


def _check_beside(path: Path) -> None:
    """See that what was not taken into the database yet, because its server was killed, is its own.

    Taken into another copy of the database it would destroy that. Looking does not take it in.
    """
    beside = path.with_name(f"{path.name}-wal")
    if not path.exists() or not beside.exists() or beside.stat().st_size == 0:
        return
    try:
        reading = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)
        with contextlib.closing(reading):
            said = reading.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        said = str(error)
    if said != "ok":
        raise MigrationError(
            f"database {path}: it and {beside.name} do not belong together, or are damaged "
            f"({said.splitlines()[0]}); nothing was changed. Restore a backup with: python -m app restore FILE"
        )


def migration_engine(database_url: str) -> Engine:
    """An engine for migrating only; migrations/env.py uses it too."""
    engine = create_engine(make_url(database_url), hide_parameters=True)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_immediate)
    return engine


def check_foreign_keys(connection: Connection) -> None:
    """Raise if a row refers to one that is not there; call it before the commit of a migration."""
    if connection.dialect.name != "sqlite":
        return
    if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall():
        tables = ", ".join(sorted({str(row[0]) for row in broken}))
        raise MigrationError(
            f"the migration would leave {len(broken)} rows without their parent, in {tables}; "
            "it was undone"
        )


def _revision(connection: Connection) -> str | None:
    revision = MigrationContext.configure(connection).get_current_revision()
    connection.rollback()  # the look-up began a transaction; the upgrade wants its own
    return revision


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Python's sqlite3 would start no transaction before CREATE or ALTER; ours starts below.
    connection.isolation_level = None
    # All three do nothing inside a transaction. WAL is a property of the file and stays.
    connection.execute("PRAGMA busy_timeout=10000")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA foreign_keys=OFF")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
