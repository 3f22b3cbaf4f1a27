"""Can it write? What a full disk, a lost database and a bad start say, and what no log may hold."""

import contextlib
import logging
import os
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.web.house import House, problem_of
from tests.web.test_backup import ROOT, check, contrail
from tests.web.test_server import opened, running, someone
from tests.web.test_withdrawals import ORDERS, SPADES, hounds


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux to fill a disk")
def test_a_full_disk_is_alive_and_not_ready(tmp_path: Path) -> None:
    """No file may grow any more: /healthz goes on, /readyz and commands say why; with room it is as before."""
    with running(tmp_path / "data") as server, contextlib.closing(someone(server)) as client:
        assert (client.get("/readyz").status_code, client.get("/readyz").text) == (200, "ready\n")
        table = opened(client)
        process = server.process
        assert process is not None
        wal = tmp_path / "data" / "contrail.db-wal"
        soft, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        most = max(wal.stat().st_size, 64 * 1024)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, hard))
        answers = [client.get("/readyz") for _ in range(60)]
        assert answers[-1].status_code == 503
        assert len(answers[-1].text.splitlines()) == 1
        assert "can't be used: " in answers[-1].text
        assert client.get("/healthz").status_code == 200
        answer = client.post(f"{table}/word", json={"word": "w"})
        assert answer.status_code == 503
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (soft, hard))
        assert client.get("/readyz").status_code == 200
        assert client.post(f"{table}/word", json={"word": "w"}).status_code == 200
        assert "Traceback" not in server.said()
        assert "can't be written: " in server.said()


def serve(data: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A start that is to fail."""
    command = [sys.executable, "-m", "app", "serve", "--port", "0", "--data", str(data)]
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"CONTRAIL_DATABASE_URL": "sqlite:////no/such/folder/contrail.db"}, ("/no/such/folder",)),
        ({"CONTRAIL_DATABASE_URL": "postgresql+psycopg://u:hush@127.0.0.1:1/x"}, ("psycopg",)),
        ({"CONTRAIL_DATABASE_URL": "contrail.db"}, ("CONTRAIL_DATABASE_URL", "sqlite:///")),
        ({"CONTRAIL_DATABASE_URL": "nosql://u:hush@x/y"}, ("CONTRAIL_DATABASE_URL",)),
    ],
)
def test_a_wrong_database_address_is_told_in_a_line(
    tmp_path: Path, environment: dict[str, str], words: tuple[str, ...]
) -> None:
    """Without a traceback, and without the password that stands in it."""
    done = serve(tmp_path / "data", **environment)
    check(done, *words)
    assert "hush" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("what", ["letters", "cut", "page"])
def test_a_malformed_database_is_told_in_a_line(tmp_path: Path, what: str) -> None:
    """No database at all, half of one, and one whose first page is another's."""
    assert contrail("migrate", "--data", tmp_path).returncode == 0
    path = tmp_path / "contrail.db"
    whole = path.read_bytes()
    path.write_bytes(
        {
            "letters": b"somebody's letters" * 500,
            "cut": whole[: len(whole) // 3],
            "page": whole[:100] + b"\x07" * 3996 + whole[4096:],
        }[what]
    )
    before = path.read_bytes()
    check(serve(tmp_path), str(path))
    assert path.read_bytes() == before


def test_a_folder_that_can_t_be_used_is_told_in_a_line(tmp_path: Path) -> None:
    """A file in its place; and a key that is a folder."""
    (tmp_path / "file").touch()
    check(serve(tmp_path / "file"), "is not a folder")
    assert contrail("migrate", "--data", tmp_path / "data").returncode == 0
    (tmp_path / "data" / "secret.key").mkdir()
    check(serve(tmp_path / "data"), "secret.key", "cannot be read")


@pytest.mark.anyio
async def test_no_log_holds_what_was_to_be_written(
    own_house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither a sealed choice nor an invitation, when a statement with it fails."""
    table = await hounds(own_house)
    path = own_house.settings.data / "contrail.db"

    def change(statement: str) -> None:
        with sqlite3.connect(path) as stored:
            stored.execute(statement)
        stored.close()

    change("CREATE TRIGGER full BEFORE INSERT ON held_answer BEGIN SELECT no_such_function(1); END")
    body: dict[str, Any] = {"version": await table.version(), "offer": ORDERS[0], "choice": SPADES}
    with caplog.at_level(logging.DEBUG):
        answer = await table.seats["home"].http.post(f"{table.url}/commands", json=body)
        assert answer.status_code == 503
        problem_of(answer)
        change("ALTER TABLE seat_claim RENAME TO elsewhere")
        quiet = own_house.stranger(quiet=True)
        answer = await quiet.http.get("/join/plantedinvitation")
        assert answer.status_code == 503
    said = "\n".join(
        caplog.handler.format(record) for record in caplog.records if record.name != "httpx2"
    )
    assert "can't be written" in said
    assert "can't be read" in said
    assert "spades" not in said
    assert "plantedinvitation" not in said.replace("/join/plantedinvitation", "")
