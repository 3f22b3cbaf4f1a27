"""A server as a process of its own: L-07, L-08, P-01, P-05, and how it starts and stops."""

import contextlib
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.e2e.server import Server
from tests.web.house import any_choice, faces_for, small_duel

pytestmark = pytest.mark.slow


@contextlib.contextmanager
def running(data: Path) -> Generator[Server]:
    """A server of a test's own."""
    server = Server(data)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def someone(server: Server, **headers: str) -> httpx2.Client:
    """A visitor with a cookie."""
    client = httpx2.Client(base_url=server.url, headers=headers, timeout=30)
    assert client.get("/api/tables").status_code == 200
    return client


def opened(client: httpx2.Client, **order: Any) -> str:
    """The path of a new table."""
    answer = client.post("/api/tables", json={"game": "osaaf", "setup": small_duel(), **order})
    assert answer.status_code == 201, answer.text
    return f"/api/tables/{answer.json()['id']}"


def step(client: httpx2.Client, table: str, rng: random.Random) -> dict[str, Any] | None:
    """One random command; None at the end."""
    view = client.get(table).json()
    if view["finished"]:
        return None
    if not view["offers"]:
        answer = client.post(f"{table}/advance", json={"version": view["version"]})
    else:
        offer = view["offers"][0]
        body: dict[str, Any] = {"version": view["version"], "offer": offer["id"]}
        if offer["kind"] == "roll":
            body["dice"] = faces_for(offer["pool"], rng)
        else:
            body["choice"] = any_choice(rng, offer)
        answer = client.post(f"{table}/commands", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("kills", [12])
def test_p05_what_was_acknowledged_is_there_after_a_crash(tmp_path: Path, kills: int) -> None:
    """P-05: killed right after each answer, many times in one game; nothing is lost or doubled."""
    server = Server(tmp_path / "data")
    server.start()
    rng = random.Random(5)
    try:
        client = someone(server)
        cookies = dict(client.cookies)
        table = opened(client)
        client.post(f"{table}/word", json={"word": "kept"})
        log: list[Any] = client.get(f"{table}/log?limit=1000").json()
        for _ in range(kills):
            done = step(client, table, rng)
            if done is None:
                break
            server.kill()
            log += done["entries"]
            server.start()
            client = httpx2.Client(base_url=server.url, cookies=cookies, timeout=30)
            view = client.get(table).json()
            assert view["version"] == done["version"]
            assert client.get(f"{table}/log?limit=1000").json() == log
            seats = [{**seat, "present": 0} for seat in view["seats"]]
            assert [{**seat, "present": 0} for seat in done["view"]["seats"]] == seats
            assert {**view, "seats": 0} == {**done["view"], "seats": 0}
        with sqlite3.connect(tmp_path / "data" / "contrail.db") as stored:
            assert stored.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert stored.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        stored.close()
        assert "Traceback" not in server.said()
    finally:
        server.stop()


def test_l08_twenty_open_streams_do_not_hold_up_the_end(tmp_path: Path) -> None:
    """L-08, L-09: SIGTERM ends the server in seconds; streams are closed properly, not cut."""
    with running(tmp_path / "data") as server:
        client = someone(server)
        page = opened(client).removeprefix("/api")
        ends: list[bytes] = []
        begun = threading.Barrier(21)

        def watch(path: str) -> None:
            with (
                httpx2.Client(base_url=server.url, cookies=dict(client.cookies)) as mine,
                mine.stream("GET", path, timeout=60) as answer,
            ):
                said = b""
                waiting = True
                for chunk in answer.iter_raw():
                    said += chunk
                    if waiting:
                        begun.wait(30)
                        waiting = False
                ends.append(said)

        paths = [f"{page}/frames", f"{page}/stream"] * 10
        threads = [threading.Thread(target=watch, args=(path,)) for path in paths]
        for thread in threads:
            thread.start()
        begun.wait(30)
        process = server.process
        assert process is not None
        before = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        took = time.monotonic() - before
        for thread in threads:
            thread.join(10)
        assert took < 5
        assert process.returncode in (0, -signal.SIGTERM)
        assert len(ends) == 20
        assert all(said.endswith(b"event: restart\ndata: {}\n\n") for said in ends)
        assert "Traceback" not in server.said()


def test_l07_the_first_event_comes_over_the_wire(tmp_path: Path) -> None:
    """L-07: a browser that accepts gzip has the first event within a second, and later ones too."""
    with running(tmp_path / "data") as server:
        client = someone(server)
        table = opened(client)
        page = table.removeprefix("/api")
        headers = {"accept-encoding": "gzip, deflate, br"}
        for path in ("frames", "stream"):
            before = time.monotonic()
            with client.stream("GET", f"{page}/{path}", headers=headers) as answer:
                assert "content-encoding" not in answer.headers
                assert answer.headers["x-accel-buffering"] == "no"
                chunks = answer.iter_raw()
                assert b"data:" in next(chunks)
                assert time.monotonic() - before < 2
                said = b""
                with httpx2.Client(base_url=server.url, cookies=dict(client.cookies)) as other:
                    done = step(other, table, random.Random(1))
                    before = time.monotonic()
                assert done is not None
                wanted = str(done["version"]).encode()
                while wanted not in said:
                    said += next(chunks)
                assert time.monotonic() - before < 2


def test_p01_many_writers_and_readers_meet_no_lock(tmp_path: Path) -> None:
    """P-01: no "database is locked", no error of any kind, while another program reads the file too."""
    writers, commands = 8, 15
    with running(tmp_path / "data") as server, ThreadPoolExecutor(writers + 6) as threads:
        over = threading.Event()  # the readers go on until the last writer has done its commands

        def write(number: int) -> int:
            rng, written = random.Random(number), 0
            with contextlib.closing(someone(server)) as client:
                table = opened(client)
                while written < commands:
                    if step(client, table, rng) is None:
                        table = opened(client)
                    else:
                        written += 1
            return written

        def look() -> list[str]:
            paths, wrong = ("/api/tables?open", "/", "/healthz"), list[str]()
            with contextlib.closing(someone(server)) as client:
                while not over.is_set():
                    wrong += [path for path in paths if client.get(path).status_code != 200]
            return wrong

        def read_file() -> int:
            path, read = tmp_path / "data" / "contrail.db", 0
            while not over.is_set():
                with contextlib.closing(sqlite3.connect(path)) as stored:
                    stored.execute("SELECT count(*) FROM log_entry").fetchone()
                read += 1
            return read

        looking = [threads.submit(look) for _ in range(4)]
        reading = [threads.submit(read_file) for _ in range(2)]
        writing = [threads.submit(write, number) for number in range(writers)]
        wait(writing)
        over.set()
        assert [writer.result() for writer in writing] == [commands] * writers
        assert [looker.result() for looker in looking] == [[]] * 4
        assert all(reader.result() for reader in reading)
        assert "locked" not in server.said()
        with sqlite3.connect(tmp_path / "data" / "contrail.db") as stored:
            rows = stored.execute(
                "SELECT count(*), max(seq), t.version FROM log_entry e "
                "JOIN game_table t ON t.id = e.table_id GROUP BY t.id"
            ).fetchall()
        stored.close()
        assert rows
        assert all(count == last == version for count, last, version in rows)


def test_two_servers_cannot_have_one_port(tmp_path: Path) -> None:
    """The second says so and touches nothing."""
    with running(tmp_path / "data") as server:
        command = [sys.executable, "-m", "app", "serve", "--port", str(server.port)]
        second = subprocess.run(
            [*command, "--data", str(tmp_path / "other")],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert second.returncode != 0
        assert str(server.port) in second.stderr
        assert "Traceback" not in second.stderr
        assert not (tmp_path / "other" / "contrail.db").exists()


def test_a_request_with_two_hosts_or_lengths_is_no_puzzle(tmp_path: Path) -> None:
    """Malformed HTTP is refused before it reaches us, and the server lives on."""
    with running(tmp_path / "data") as server:
        for raw in (
            b"GET / HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: \r\n\r\n",
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
            b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n{}",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"GET /tables/%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /tables/x\x00y HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
                connection.sendall(raw)
                connection.settimeout(5)
                answer = connection.recv(2000)
            assert b" 500 " not in answer[:40], raw
            assert b" 200 " not in answer[:40], raw
        assert httpx2.get(f"{server.url}/healthz").status_code == 200
        assert "Traceback" not in server.said()


def test_p06_a_new_database_beside_other_files_is_told(tmp_path: Path) -> None:
    """P-06: a folder that holds something but no database may be the wrong one."""
    (tmp_path / "old-name.db").write_bytes(b"somebody's games")
    command = [sys.executable, "-m", "app", "migrate", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0
    assert "old-name.db" in done.stderr
    assert "right folder" in done.stderr
    again = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert again.stderr == ""
    assert (tmp_path / "old-name.db").read_bytes() == b"somebody's games"


def test_p03_a_backup_under_load_is_whole_and_new(tmp_path: Path) -> None:
    """P-03: what the README advises, while commands are being written."""
    with running(tmp_path / "data") as server, contextlib.closing(someone(server)) as client:
        rng, table = random.Random(3), opened(client)
        for number in range(8):
            for _ in range(6):
                done = step(client, table, rng)
                if done is None:
                    table = opened(client)
            version = client.get(table).json()["version"]
            backup = tmp_path / f"backup-{number}.db"
            with contextlib.closing(sqlite3.connect(tmp_path / "data" / "contrail.db")) as live:
                live.execute("VACUUM INTO ?", (str(backup),))
            with contextlib.closing(sqlite3.connect(backup)) as copy:
                assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                newest = "SELECT max(seq) FROM log_entry WHERE table_id = ?"
                stored = copy.execute(newest, (table.rpartition("/")[2],)).fetchone()
                assert stored == (version,)
