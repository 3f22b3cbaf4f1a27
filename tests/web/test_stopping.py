"""Ctrl-C ends a server within seconds, whatever hangs in it."""

import contextlib
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.e2e.server import Server, write_entry_points
from tests.simulation import spar
from tests.simulation.processes import children, needs_proc, wait_for_players, wait_until_gone
from tests.web.test_server import opened, someone

pytestmark = pytest.mark.slow

TARPIT = """
import time
from app.engine.game import Meta

META = Meta(id="tarpit", title="Tarpit", summary="", credit="", players="0", minutes="0")

def load():
    print("stuck for good", flush=True)
    while True:
        time.sleep(0.01)
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that knows Spar, and a game whose rules never return."""
    site = spar.write_entry_point(tmp_path / "site")
    write_entry_points(tmp_path / "site", tarpit="tarpit")
    (site / "tarpit").mkdir()
    (site / "tarpit" / "__init__.py").write_text(TARPIT)
    running = Server(tmp_path / "data", site)
    running.start()
    yield running
    running.stop()


def stopped(server: Server, how: signal.Signals = signal.SIGINT) -> float:
    """Seconds that it took to stop."""
    assert server.process
    before = time.monotonic()
    server.process.send_signal(how)
    server.process.wait(20)
    return time.monotonic() - before


@needs_proc
def test_with_everything_that_hangs_at_once(server: Server, tmp_path: Path) -> None:
    """A bot, a simulation, open streams, half a request, and a database that is locked."""
    assert server.process
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(contextlib.closing(someone(server)))
        order = {"game": "spar", "scenario": "duel", "bots": {"blue": "stuck"}}
        assert client.post("/api/tables", json=order).status_code == 201
        fields = {"bot.1": "stuck", "games": 5}
        assert client.post("/games/spar/simulate", data=fields).status_code == 303
        page = opened(client).removeprefix("/api")
        for _ in range(3):
            answer = stack.enter_context(client.stream("GET", f"{page}/frames"))
            assert next(answer.iter_raw())
        stack.enter_context(socket.create_connection(("127.0.0.1", server.port))).sendall(b"GET ")
        wait_for_players(server.process.pid, 1)
        other = stack.enter_context(
            contextlib.closing(sqlite3.connect(tmp_path / "data" / "contrail.db"))
        )
        other.execute("BEGIN IMMEDIATE")
        writing = threading.Thread(target=_write, args=(server, dict(client.cookies), page))
        writing.start()
        found = children(server.process.pid)
        assert len(found) >= 3  # the one that forks, the one that thinks, the one that plays
        assert stopped(server) < 5
        writing.join(10)
    wait_until_gone(found)


def _write(server: Server, cookies: dict[str, str], page: str) -> None:
    """A command that waits for the database, and for nothing once the server is gone."""
    with (
        contextlib.suppress(httpx2.HTTPError),
        httpx2.Client(base_url=server.url, cookies=cookies) as client,
    ):
        client.post(f"/api{page}/word", json={"word": "w"}, timeout=20)


def test_with_rules_that_never_return(server: Server) -> None:
    """They hang in the server's own thread, which serves nobody; stopping it still works."""

    def open_table() -> None:
        with contextlib.suppress(httpx2.HTTPError), contextlib.closing(someone(server)) as client:
            client.post("/api/tables", json={"game": "tarpit"}, timeout=20)

    asking = threading.Thread(target=open_table)
    asking.start()
    deadline = time.monotonic() + 20
    while "stuck for good" not in server.said():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert stopped(server) < 5
    asking.join(10)
    assert "did not end in time" in server.said()
    assert "Traceback" not in server.said()
