"""Backups that restore: made while a server writes, put back after a crash, and everybody's seat is theirs."""

import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.backup import KEPT_ASIDE, MANIFEST, BackupError, back_up, restore
from app.owner import LOCK
from tests.e2e.server import Server
from tests.web.house import open_house, prepare, settings_for, small_duel
from tests.web.test_server import opened, running, someone, step

ROOT = Path(__file__).parent.parent.parent


def contrail(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command of the operator's."""
    command = [sys.executable, "-m", "app", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    return done


def check(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """A command that was refused, in one line with these words."""
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 1, done.stderr
    for word in words:
        assert word in done.stderr


def shared(client: httpx2.Client) -> tuple[str, str]:
    """A table of two, one of whom has yet to come: its path and the other's invitation."""
    order = {"game": "osaaf", "mode": "shared", "setup": small_duel()}
    answer = client.post("/api/tables", json=order)
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    return f"/api/tables/{opened['id']}", opened["seats"][1]["invite"].rpartition("/")[2]


def play(clients: Sequence[httpx2.Client], table: str, rng: random.Random, commands: int) -> None:
    """So many commands, each by whoever is asked."""
    for _ in range(commands):
        asked = [one for one in clients if one.get(table).json()["offers"]]
        assert step((asked or list(clients))[0], table, rng) is not None


@pytest.mark.slow
def test_after_a_crash_a_backup_gives_everybody_their_seat(tmp_path: Path) -> None:
    """Killed in play, restored: seats and invitations are still their people's, and the game goes on."""
    data, file = tmp_path / "data", tmp_path / "backup.zip"
    server = Server(data)
    server.start()
    try:
        ann, bob = someone(server), someone(server)
        table, invite = shared(ann)
        other, free = shared(ann)
        claim = {"invite": invite, "name": "Bob"}
        assert bob.post(f"{table}/seats/red/claim", json=claim).status_code == 200
        rng = random.Random(1)
        play([ann, bob], table, rng, 3)
        kept = ann.get(f"{table}/log?limit=1000").json()
        done = contrail("backup", file, "--data", data)
        assert done.returncode == 0, done.stderr
        play([ann, bob], table, rng, 3)
        shared(ann)
        server.kill()
        done = contrail("restore", file, "--data", data)
        assert done.returncode == 0, done.stderr
        (aside,) = data.glob(f"{KEPT_ASIDE}*")
        assert str(aside) in done.stdout
        assert (aside / "contrail.db-wal").stat().st_size > 0
        assert not (data / "contrail.db-wal").exists()
        server.start()
        cookies = [dict(one.cookies) for one in (ann, bob)]
        ann, bob = (httpx2.Client(base_url=server.url, cookies=c, timeout=30) for c in cookies)
        assert ann.get(f"{table}/log?limit=1000").json() == kept
        for client, seat in ((ann, "blue"), (bob, "red")):
            assert [s["id"] for s in client.get(table).json()["seats"] if s.get("yours")] == [seat]
        assert bob.post(f"{other}/seats/red/claim", json={"invite": free}).status_code == 200
        play([ann, bob], table, rng, 3)
        assert "Traceback" not in server.said()
    finally:
        server.stop()


@pytest.mark.slow
def test_each_backup_under_load_holds_what_was_acknowledged(tmp_path: Path) -> None:
    """P-03: while commands are written, each copy is whole and has the last one that was answered."""
    with running(tmp_path / "data") as server, contextlib.closing(someone(server)) as client:
        rng = random.Random(3)
        table = opened(client)
        settings = settings_for(tmp_path / "data")
        for number in range(6):
            for _ in range(5):
                step(client, table, rng)
            version = client.get(table).json()["version"]
            file = tmp_path / f"{number}.zip"
            back_up(settings, file)
            with zipfile.ZipFile(file) as packed:
                packed.extract("contrail.db", tmp_path / str(number))
            with contextlib.closing(
                sqlite3.connect(tmp_path / str(number) / "contrail.db")
            ) as copy:
                assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                newest = "SELECT max(seq) FROM log_entry WHERE table_id = ?"
                found = copy.execute(newest, (table.rpartition("/")[2],)).fetchone()
                assert found == (version,)


@pytest.mark.slow
def test_over_a_running_server_nothing_is_restored(tmp_path: Path) -> None:
    """It says who has the folder; after kill -9 it is free, also while a child of that server lives."""
    data, file = tmp_path / "data", tmp_path / "backup.zip"
    with running(data) as server:
        assert contrail("backup", file, "--data", data).returncode == 0
        process = server.process
        assert process is not None
        for command in (["restore", file], ["migrate"], ["serve", "--port", "0"]):
            before = (data / "secret.key").read_bytes()
            done = contrail(*command, "--data", data)
            check(done, str(data), f"process {process.pid}", server.url)
            assert (data / "secret.key").read_bytes() == before
        server.kill()
        assert contrail("restore", file, "--data", data).returncode == 0


def test_a_forked_child_does_not_keep_the_folder(tmp_path: Path) -> None:
    """The lock is its process's: what that leaves behind does not hold it."""
    code = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from app.owner import owning\n"
        "from app.settings import Settings\n"
        "with owning(Settings(data=Path(sys.argv[1])), 'here'):\n"
        "    child = os.fork()\n"
        "    if child:\n"
        "        print(child, flush=True)\n"
        "        os.kill(os.getpid(), 9)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.wait(10)
        try:
            assert contrail("migrate", "--data", tmp_path).returncode == 0
        finally:
            os.kill(child, signal.SIGKILL)


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Any, Path]:
    """The settings of a folder with a database and a key, and a backup of it."""
    settings = settings_for(tmp_path / "data")
    prepare(settings)
    (settings.data / "secret.key").write_text("k" * 64)
    file = tmp_path / "backup.zip"
    back_up(settings, file)
    return settings, file


def everything(folder: Path) -> dict[str, bytes]:
    """The names and contents of all files in a folder, but the lock."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != LOCK
    }


def test_all_that_is_kept_comes_back(tmp_path: Path) -> None:
    """Further files and folders too; a backup in the folder is not packed into the next one."""
    settings = settings_for(tmp_path / "data")
    prepare(settings)
    (settings.data / "secret.key").write_text("k" * 64)
    (settings.data / "results" / "deep").mkdir(parents=True)
    (settings.data / "results" / "deep" / "one.json").write_text("{}")
    first, second = settings.data / "first.zip", settings.data / "second.zip"
    back_up(settings, first)
    names = set(back_up(settings, second).manifest.members)
    assert names == {"contrail.db", "secret.key", "results/deep/one.json"}
    for made in (first, second):
        assert made.stat().st_mode & 0o777 == 0o600
    shutil.rmtree(settings.data / "results")
    (settings.data / "secret.key").write_text("other")
    (settings.data / "contrail.db-wal").write_text("of another database")
    restore(settings, second)
    assert (settings.data / "results" / "deep" / "one.json").read_text() == "{}"
    assert (settings.data / "secret.key").read_text() == "k" * 64
    assert (settings.data / "secret.key").stat().st_mode & 0o777 == 0o600
    assert not (settings.data / "contrail.db-wal").exists()
    (aside,) = settings.data.glob(f"{KEPT_ASIDE}*")
    assert (aside / "secret.key").read_text() == "other"
    assert first.exists()
    assert second.exists()


def test_a_restore_that_fails_half_way_puts_back_what_was_there(tmp_path: Path) -> None:
    """The database is to go where there is no folder: that shows only when all else has been moved."""
    settings = settings_for(tmp_path / "data")
    prepare(settings)
    (settings.data / "results").mkdir()
    (settings.data / "results" / "one.json").write_text("{}")
    file = tmp_path / "backup.zip"
    back_up(settings, file)
    (settings.data / "results" / "one.json").write_text("[]")
    before = {
        path.relative_to(settings.data): path.read_bytes() if path.is_file() else None
        for path in settings.data.rglob("*")
    }
    astray = settings_for(settings.data, database_url=f"sqlite:///{tmp_path}/nowhere/contrail.db")
    with pytest.raises(BackupError, match="Nothing is changed"):
        restore(astray, file)
    assert before == {
        path.relative_to(settings.data): path.read_bytes() if path.is_file() else None
        for path in settings.data.rglob("*")
    }


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A backup with other members, whose manifest fits them unless `change` makes another."""
    with zipfile.ZipFile(file) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    change(members)
    if "manifest" not in members:
        manifest = json.loads(members[MANIFEST])
        manifest["members"] = {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
            for name, data in members.items()
            if name != MANIFEST
        }
        members[MANIFEST] = json.dumps(manifest).encode()
    else:
        members[MANIFEST] = members.pop("manifest")
    made = file.with_name("changed.zip")
    with zipfile.ZipFile(made, "w") as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return made


def _manifest(members: dict[str, bytes], /, **values: Any) -> None:
    members["manifest"] = json.dumps(json.loads(members[MANIFEST]) | values).encode()


def _of_schema(members: dict[str, bytes], folder: Path) -> None:
    path = folder / "newer.db"
    path.write_bytes(members["contrail.db"])
    with contextlib.closing(sqlite3.connect(path)) as stored, stored:
        stored.execute("UPDATE alembic_version SET version_num = 'ffffffffffff'")
    members["contrail.db"] = path.read_bytes()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda m, _: m.update({"../escaped": b"x"}), "unsafe name"),
        (lambda m, _: m.update({"/tmp/escaped": b"x"}), "unsafe name"),
        (lambda m, _: m.update({"a/../../escaped": b"x"}), "unsafe name"),
        (lambda m, _: m.update({"..\\escaped": b"x"}), "unsafe name"),
        (lambda m, _: m.update({"C:escaped": b"x"}), "unsafe name"),
        (lambda m, _: m.update({LOCK: b"x"}), "no backup has"),
        (lambda m, _: m.pop("contrail.db"), "no contrail.db"),
        (lambda m, _: m.update({"contrail.db": m["contrail.db"][:-5000]}), "damaged"),
        (lambda m, _: m.update({"contrail.db": b"letters" * 900}), "damaged"),
        (_of_schema, "newer"),
        (lambda m, _: _manifest(m, format=2), "newer"),
        (lambda m, _: _manifest(m, format=2, members=7), "newer"),
        (lambda m, _: _manifest(m, members={}), "other files"),
        (lambda m, _: m.update({"manifest": b"[]"}), "no backup"),
        (lambda m, _: (_manifest(m), m.update({"secret.key": b"z" * 64})), "manifest says"),
    ],
)
def test_what_is_no_whole_backup_is_refused(
    kept: tuple[Any, Path],
    tmp_path: Path,
    change: Callable[[dict[str, bytes], Path], None],
    why: str,
) -> None:
    """All is checked first: the folder is as it was, and nothing is written elsewhere."""
    settings, file = kept
    bad = rewritten(file, lambda members: change(members, tmp_path))
    before = everything(settings.data)
    with pytest.raises(BackupError, match=why):
        restore(settings, bad)
    assert everything(settings.data) == before
    assert not list(tmp_path.rglob("*escaped*"))
    assert not Path("/tmp/escaped").exists()


def test_a_cut_or_altered_file_is_refused(kept: tuple[Any, Path], tmp_path: Path) -> None:
    """Wherever it was cut, and wherever a byte was flipped in what it packs."""
    settings, file = kept
    whole = file.read_bytes()
    before = everything(settings.data)
    bad = tmp_path / "bad.zip"
    rng = random.Random(1)
    for place in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        bad.write_bytes(whole[:place])
        with pytest.raises(BackupError):
            restore(settings, bad)
    with zipfile.ZipFile(file) as packed:
        begin = packed.getinfo("contrail.db").header_offset + 60
    for _ in range(20):
        place = rng.randrange(begin, begin + 2000)
        bad.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(BackupError):
            restore(settings, bad)
    assert everything(settings.data) == before


def test_nothing_is_written_over(kept: tuple[Any, Path], tmp_path: Path) -> None:
    """A backup that is there stays; a folder without a database, or one that is damaged, gives none."""
    settings, file = kept
    whole = file.read_bytes()
    with pytest.raises(BackupError, match="there already"):
        back_up(settings, file)
    assert file.read_bytes() == whole
    with pytest.raises(BackupError, match="no database"):
        back_up(settings_for(tmp_path / "elsewhere"), tmp_path / "none.zip")
    database = settings.data / "contrail.db"
    good = database.read_bytes()
    database.write_bytes(good[:4096] + bytes(4096) + good[8192:])  # a page that a disk has lost
    with pytest.raises(BackupError):
        back_up(settings, tmp_path / "none.zip")
    assert not (tmp_path / "none.zip").exists()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.slow
def test_a_copy_over_a_crashed_folder_destroys_nothing(tmp_path: Path) -> None:
    """What the killed server had not taken into its database must not be taken into another copy."""
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    server = Server(data)
    server.start()
    try:
        client = someone(server)
        for _ in range(3):
            shared(client)
        with contextlib.closing(sqlite3.connect(data / "contrail.db")) as live:
            live.execute("VACUUM INTO ?", (str(copy),))
        for _ in range(8):
            shared(client)
        server.kill()
        shutil.copy(copy, data / "contrail.db")
        before = everything(data)
        done = contrail("serve", "--port", "0", "--data", data)
        check(done, "contrail.db-wal", "do not belong together", "restore")
        after = everything(data)
        assert after["contrail.db"] == before["contrail.db"]
        assert after["contrail.db-wal"] == before["contrail.db-wal"]
    finally:
        server.stop()


@pytest.mark.anyio
async def test_a_key_that_is_not_the_databases_is_refused(tmp_path: Path) -> None:
    """A new one, none, one that can't be read; with --new-key the server goes on."""
    async with open_house(tmp_path) as house:
        ann = await house.visitor()
        await ann.sit(setup=small_duel())
    from app.keys import KeyTrouble, settle_key

    settings = settings_for(tmp_path)
    key = tmp_path / "secret.key"
    good = key.read_text()
    key.unlink()
    with pytest.raises(KeyTrouble, match="missing"):  # before its print was ever kept
        settle_key(settings)
    assert not key.exists()
    key.write_text(good)
    settle_key(settings)
    key.write_text("0" * 64)
    with pytest.raises(KeyTrouble, match="not the key"):
        settle_key(settings)
    for bad in ("", None):
        key.unlink()
        if bad is not None:
            key.write_text(bad)
        with pytest.raises(KeyTrouble, match="missing"):
            settle_key(settings)
        key.write_text("")
    key.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KeyTrouble, match="cannot be read"):
        settle_key(settings)
    key.unlink()
    key.mkdir()
    with pytest.raises(KeyTrouble, match="cannot be read"):
        settle_key(settings)
    key.rmdir()
    key.write_text("1" * 64)
    settle_key(settings, new=True)
    settle_key(settings)
