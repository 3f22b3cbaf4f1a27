"""Every revision, up and down; the schema that comes of it; and old files: P-02, P-06, P-08."""

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.migrate import MigrationError, migrate, migration_engine
from app.records.models import metadata
from app.settings import resource


def config() -> Config:
    """Alembic's settings, with our revisions."""
    made = Config()
    made.set_main_option("script_location", str(resource("migrations")))
    return made


def revisions() -> list[str]:
    """All revisions, oldest first."""
    scripts = ScriptDirectory.from_config(config())
    return [script.revision for script in reversed(list(scripts.walk_revisions()))]


def go(path: Path, revision: str, *, down: bool = False) -> None:
    """Bring a file to a revision."""
    engine = migration_engine(url(path))
    with engine.connect() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(settings, revision)
    engine.dispose()


def url(path: Path) -> str:
    """A file's address."""
    return f"sqlite:///{path}"


def ask(path: Path, statement: str) -> list[Any]:
    """Rows of a query by a program that knows nothing of us."""
    with sqlite3.connect(path) as stored:
        rows = stored.execute(statement).fetchall()
    stored.close()
    return rows


def schema(path: Path) -> list[Any]:
    """All that is defined in a file."""
    return sorted(
        ask(path, "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    )


def test_there_is_one_line_of_revisions() -> None:
    scripts = ScriptDirectory.from_config(config())
    assert len(scripts.get_heads()) == 1
    assert len(scripts.get_bases()) == 1


def test_each_revision_goes_up_and_down(tmp_path: Path) -> None:
    """Up one, down again, up again: the same schema each time, and nothing left at the bottom."""
    path = tmp_path / "contrail.db"
    steps: list[list[Any]] = []
    for revision in revisions():
        go(path, revision)
        steps.append(schema(path))
    below = ["base", *revisions()]
    for number in range(len(steps) - 1, -1, -1):
        go(path, below[number], down=True)
        expected = steps[number - 1] if number else None
        left = schema(path)
        if expected is None:
            assert [name for _, name, _ in left] == ["alembic_version"]
        else:
            assert left == expected
        go(path, below[number + 1])
        assert schema(path) == steps[number]
        go(path, below[number], down=True)


def test_the_models_are_what_the_revisions_make(tmp_path: Path) -> None:
    """Nothing was changed in the models without a revision, or the other way round."""
    path = tmp_path / "contrail.db"
    migrate(url(path))
    engine = migration_engine(url(path))
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, metadata) == []
    engine.dispose()


@pytest.mark.parametrize("revision", ["base", *revisions()])
def test_p02_p08_an_old_file_ends_up_to_date_and_in_wal(tmp_path: Path, revision: str) -> None:
    """From each revision, with the old journal that older files have."""
    path = tmp_path / "contrail.db"
    if revision != "base":
        go(path, revision)
    with sqlite3.connect(path, isolation_level=None) as stored:
        assert stored.execute("PRAGMA journal_mode=DELETE").fetchone() == ("delete",)
        stored.execute("CREATE TABLE bystander (x)")
        stored.execute("INSERT INTO bystander VALUES (7)")
    stored.close()
    migrate(url(path))
    assert ask(path, "PRAGMA journal_mode") == [("wal",)]
    assert ask(path, "SELECT version_num FROM alembic_version") == [(revisions()[-1],)]
    assert ask(path, "SELECT x FROM bystander") == [(7,)]
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]


def test_again_does_nothing(tmp_path: Path) -> None:
    path = tmp_path / "contrail.db"
    assert "created" in migrate(url(path))
    before = path.read_bytes()
    assert "up to date" in migrate(url(path))
    assert path.read_bytes() == before


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "contrail.db"
    migrate(url(path))
    with sqlite3.connect(path) as stored:
        stored.execute("UPDATE alembic_version SET version_num = 'ffffffffffff'")
    stored.close()
    before = schema(path)
    with pytest.raises(MigrationError, match="newer"):
        migrate(url(path))
    assert schema(path) == before


def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "contrail.db"
    path.write_bytes(b"not a database, but somebody's letters" * 100)
    before = path.read_bytes()
    with pytest.raises(MigrationError):
        migrate(url(path))
    assert path.read_bytes() == before


def test_a_failing_migration_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it is one transaction."""
    path = tmp_path / "contrail.db"
    if len(revisions()) > 1:
        go(path, revisions()[0])
    else:
        sqlite3.connect(path).close()
    before = schema(path) if path.stat().st_size else []

    def fail(_: Any) -> None:
        raise MigrationError("at the last moment")

    monkeypatch.setattr("app.migrate.check_foreign_keys", fail)
    with pytest.raises(MigrationError, match="last moment"):
        migrate(url(path))
    assert (schema(path) if path.stat().st_size else []) == before


async def _played(data: Path) -> tuple[list[Any], dict[str, str], str]:
    from tests.web.house import open_house, small_duel

    async with open_house(data) as house:
        ann = await house.visitor()
        table = await ann.sit(setup=small_duel())
        await table.play(random.Random(1), 6)
        return await table.log(), dict(ann.http.cookies), table.url


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_game_outlives_the_upgrade_of_its_file(tmp_path: Path, anyio_backend: str) -> None:
    """A played game in a file of the old journal: migrated and opened, it is the same game."""
    from tests.web.house import open_house

    log, cookies, table = await _played(tmp_path)
    with sqlite3.connect(tmp_path / "contrail.db", isolation_level=None) as stored:
        stored.execute("PRAGMA journal_mode=DELETE")
    stored.close()
    async with open_house(tmp_path) as house:
        ann = house.stranger()
        ann.http.cookies.update(cookies)
        assert await ann.get(f"{table}/log", limit=1000) == log
    assert ask(tmp_path / "contrail.db", "PRAGMA journal_mode") == [("wal",)]


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_logs_from_before_there_were_hashes_get_the_same_ones(
    tmp_path: Path, anyio_backend: str
) -> None:
    """What the revision computes is what is computed when an entry is written; a damaged log stops no upgrade."""
    from tests.web.house import rechain

    path = tmp_path / "contrail.db"
    _, _, table = await _played(tmp_path)
    with sqlite3.connect(path) as stored:  # before there were hashes there were no choices
        stored.execute("UPDATE log_entry SET choice = NULL")
        rechain(stored, table.rpartition("/")[2])
    stored.close()
    hashes = "SELECT table_id, seq, hash FROM log_entry ORDER BY table_id, seq"
    written = ask(path, hashes)
    assert len({row[2] for row in written}) == len(written) > 10
    go(path, "3ad0267a8557", down=True)
    with sqlite3.connect(path) as stored:
        names = [row[1] for row in stored.execute("PRAGMA table_info(log_entry)")]
    stored.close()
    assert "hash" not in names
    migrate(url(path))
    assert ask(path, hashes) == written
    go(path, "3ad0267a8557", down=True)
    with sqlite3.connect(path) as stored:
        stored.execute("UPDATE log_entry SET event = 'garbage' WHERE seq = 5")
    stored.close()
    migrate(url(path))
    again = ask(path, hashes)
    assert again[:4] == written[:4]
    assert {row[2] for row in again[4:]} == {""}


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_logs_whose_choices_were_in_no_hash_get_the_same_ones(
    tmp_path: Path, anyio_backend: str
) -> None:
    """Up and down; of a damaged log what was found before is found afterwards."""
    path = tmp_path / "contrail.db"
    await _played(tmp_path)
    hashes = "SELECT table_id, seq, hash FROM log_entry ORDER BY table_id, seq"
    written = ask(path, hashes)
    (first,) = ask(path, "SELECT min(seq) FROM log_entry WHERE choice IS NOT NULL")[0]
    go(path, "5b8d2f6c41ea", down=True)
    before = ask(path, hashes)
    assert before[: first - 1] == written[: first - 1]
    assert not set(before[first - 1 :]) & set(written)
    migrate(url(path))
    assert ask(path, hashes) == written
    go(path, "5b8d2f6c41ea", down=True)
    broken = first + 2
    with sqlite3.connect(path) as stored:
        stored.execute("UPDATE log_entry SET at = at + 1 WHERE seq = ?", (broken,))
    stored.close()
    migrate(url(path))
    again = ask(path, hashes)
    assert again[: broken - 1] == written[: broken - 1]
    assert again[broken - 1 :] == before[broken - 1 :]
