"""Connections to a real server: what never becomes a request is bounded, and others are served."""

import contextlib
import inspect
import os
import random
import re
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import httpx2
import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app.connections import Bounded, Doors, Limits
from tests.e2e.server import Server
from tests.web.test_server import opened, someone, step

pytestmark = pytest.mark.slow

QUICK = {
    "CONTRAIL_HEADER_SECONDS": "0.5",
    "CONTRAIL_BODY_SECONDS": "0.6",
    "CONTRAIL_MAX_HEADER_BYTES": "20000",
    "CONTRAIL_MAX_BODY_BYTES": "30000",
}

linux = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux")


@contextlib.contextmanager
def running(data: Path, **settings: str) -> Generator[Server]:
    """A server with short limits."""
    server = Server(data)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**QUICK, **settings}.items():
            patch.setenv(name, value)
        server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that only connect to it."""
    with running(tmp_path_factory.mktemp("doors") / "data") as one:
        yield one


def connect(server: Server) -> socket.socket:
    """A bare connection."""
    connection = socket.create_connection(("127.0.0.1", server.port), 10)
    connection.settimeout(10)
    return connection


def answer_to(
    server: Server, first: bytes, more: bytes = b"", *, pause: float = 0.0, most: int = 10**8
) -> tuple[bytes, int]:
    """Send one thing and then another again and again, until the server ends it; what it said, and
    how many bytes it took."""
    with connect(server) as connection:
        sent = 0
        with contextlib.suppress(ConnectionError):
            connection.sendall(first)
            sent = len(first)
            connection.setblocking(False)
            while more and sent < most:
                with contextlib.suppress(BlockingIOError):
                    sent += connection.send(more)
                with contextlib.suppress(BlockingIOError):
                    if connection.recv(1, socket.MSG_PEEK) is not None:
                        break  # an answer, or the end
                if pause:
                    time.sleep(pause)
        connection.settimeout(10)
        said = b""
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(65_536):
                said += part
        return said, sent


def status(said: bytes) -> str:
    """The status of what came."""
    return said.partition(b"\r\n")[0].decode()


def memory(pid: int) -> int:
    """Megabytes that a process has in memory."""
    told = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", told)
    assert found
    return int(found[1]) // 1024


def is_served(server: Server) -> bool:
    """Whether others get their pages."""
    return httpx2.get(f"{server.url}/tables", timeout=5).status_code == 200


def pid_of(server: Server) -> int:
    """The server's process."""
    assert server.process
    return server.process.pid


def wait(what: Callable[[], object], patience: float = 15.0) -> None:
    """Until it is so."""
    deadline = time.monotonic() + patience
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


GET = b"GET /tables HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


# Bytes


@pytest.mark.parametrize(
    ("first", "more"),
    [
        (GET + b"X-Long: ", b"x" * 65_536),
        (GET, b"X-More: y\r\n" * 5_000),
        (b"GET /", b"z" * 65_536),
        (b"GET / HTTP/1.1\r\nH", b"h" * 65_536),
    ],
    ids=["one header", "many headers", "an address", "a name"],
)
def test_a_head_without_an_end_is_refused_early(server: Server, first: bytes, more: bytes) -> None:
    before = memory(pid_of(server)) if Path("/proc/self/status").exists() else 0
    said, sent = answer_to(server, first, more)
    assert status(said) == "HTTP/1.1 431 Request Header Fields Too Large"
    assert b"20,000 bytes" in said
    assert b"connection: close" in said
    assert sent < 20_000_000  # what sockets hold
    assert not before or memory(pid_of(server)) - before < 20
    assert is_served(server)


@pytest.mark.parametrize(
    "head", [b"X: y\r\n" * 101, b"X-Long: " + b"x" * 20_000 + b"\r\n"], ids=["many", "long"]
)
def test_a_whole_head_that_is_too_large_is_refused(server: Server, head: bytes) -> None:
    """Also where it comes at once, with its body and another request after it."""
    said, _ = answer_to(server, POST + head + b"Content-Length: 2\r\n\r\n{}" + GET + b"\r\n")
    assert status(said).startswith("HTTP/1.1 431 ")
    assert said.count(b"HTTP/1.1") == 1


def test_a_head_within_the_limits_is_served(server: Server) -> None:
    head = b"X: y\r\n" * 95 + b"X-Long: " + b"x" * 18_000 + b"\r\nConnection: close\r\n\r\n"
    assert status(answer_to(server, GET + head)[0]) == "HTTP/1.1 200 OK"


@pytest.mark.parametrize("sized", [True, False])
def test_a_body_without_an_end_is_refused_early(server: Server, sized: bool) -> None:
    """Whether it says its length or not: our own answer comes, and then nothing more is taken."""
    if sized:
        first, more = POST + b"Content-Length: 90000000000\r\n\r\n", b"x" * 65_536
    else:
        first = POST + b"Transfer-Encoding: chunked\r\n\r\n"
        more = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
    said, sent = answer_to(server, first, more)
    assert status(said).startswith("HTTP/1.1 413 ")
    assert sent < 20_000_000
    assert is_served(server)


def test_trailers_without_an_end_are_cut(server: Server) -> None:
    first = POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    _, sent = answer_to(server, first, b"X-More: y\r\n" * 5_000)
    assert sent < 20_000_000
    assert is_served(server)


# Time


@pytest.mark.parametrize(
    ("first", "more"),
    [(GET, b"X: y\r\n"), (b"", b"\r\n"), (POST + b"Content-Length: 900\r\n\r\n", b"x")],
    ids=["a head", "empty lines", "a body"],
)
def test_what_comes_too_slowly_is_refused(server: Server, first: bytes, more: bytes) -> None:
    """A byte now and then does not make the time longer."""
    before = time.monotonic()
    said, _ = answer_to(server, first, more, pause=0.02)
    assert time.monotonic() - before < 5
    assert status(said) == "HTTP/1.1 408 Request Timeout"
    assert is_served(server)


def test_whoever_connects_and_says_nothing_is_left(server: Server) -> None:
    before = time.monotonic()
    assert answer_to(server, b"") == (b"", 0)
    assert 0.3 < time.monotonic() - before < 5


def test_a_slow_further_request_is_refused_too(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(GET + b"\r\n")
        answer = httpx2.get(f"{server.url}/tables").headers
        assert answer["content-type"].startswith("text/html")
        said = b""
        while b"</html>" not in said:
            said += connection.recv(65_536)
        connection.sendall(GET)
        while part := connection.recv(65_536):
            said += part
        assert said.count(b"HTTP/1.1 ") == 2
        assert b"HTTP/1.1 408 Request Timeout\r\n" in said


def test_a_stream_is_not_cut(server: Server) -> None:
    """It is a whole request, and its watcher reads it: it outlives all limits."""
    with contextlib.closing(someone(server)) as client:
        table = opened(client)
        with client.stream("GET", f"{table.removeprefix('/api')}/frames") as answer:
            chunks = answer.iter_raw()
            said = next(chunks)
            for _ in range(5):
                answer_to(
                    server, b""
                )  # until somebody who says nothing has been left, again and again
            done = step(client, table, random.Random(1))
            assert done
            wanted = f'data-seq="{done["version"]}"'.encode()
            while wanted not in said:
                said += next(chunks)


def test_whoever_does_not_read_is_left(tmp_path: Path) -> None:
    """What waits for him would stay in memory for good."""
    with running(tmp_path / "data") as server, connect(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        asked, gone = GET + b"\r\n", False
        connection.settimeout(0.2)
        deadline = time.monotonic() + 120  # a busy machine is slow to fill what lies between
        while not gone:  # until neither side takes anything, and the server gives up
            assert time.monotonic() < deadline
            try:
                connection.sendall(asked * 50)
            except TimeoutError:
                continue
            except ConnectionError:
                gone = True
        assert is_served(server)


# How many


@pytest.mark.parametrize(
    "begun", [b"", b"GET ", POST + b"Content-Length: 9\r\n\r\n{"], ids=["none", "head", "body"]
)
def test_half_open_connections_make_room(tmp_path: Path, begun: bytes) -> None:
    """More than there are places, for longer than this test: whoever asks something is served."""
    slow = {"CONTRAIL_HEADER_SECONDS": "600", "CONTRAIL_BODY_SECONDS": "600"}
    with running(tmp_path / "data", CONTRAIL_CONNECTIONS="50", **slow) as server:
        with contextlib.closing(someone(server)) as client, contextlib.ExitStack() as stack:
            page = opened(client).removeprefix("/api")
            chunks = stack.enter_context(client.stream("GET", f"{page}/frames")).iter_raw()
            assert b"data:" in next(chunks)
            for _ in range(200):
                stack.enter_context(connect(server)).sendall(begun)
            for _ in range(5):
                assert is_served(server)
            with contextlib.closing(someone(server)) as other:
                assert other.get(page).status_code == 200
        assert server.said().count("all 50 connections are taken") == 1


@pytest.mark.parametrize(
    "bound",
    [
        {"CONTRAIL_CONNECTIONS": "8"},
        {"CONTRAIL_CONNECTIONS_PER_ADDRESS": "8", "CONTRAIL_FORWARDED_ALLOW_IPS": "192.0.2.1"},
    ],
    ids=["of all", "of an address"],
)
def test_where_all_are_served_a_newcomer_hears_it(tmp_path: Path, bound: dict[str, str]) -> None:
    with running(tmp_path / "data", **bound) as server:
        with contextlib.closing(someone(server)) as client, contextlib.ExitStack() as stack:
            page = opened(client).removeprefix("/api")
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            client.close()
            for _ in range(8):
                one = stack.enter_context(connect(server))
                head = f"GET {page}/frames HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n"
                one.sendall(head.encode())
                assert b"200 OK" in one.recv(65_536)
            said, _ = answer_to(server, b"")
            assert status(said) == "HTTP/1.1 503 Service Unavailable"
            assert b"retry-after: 60" in said
        wait(
            lambda: status(answer_to(server, GET + b"Connection: close\r\n\r\n")[0])[9:12] == "200"
        )


class Peer(Bounded):
    """A connection without a socket: only whether it was closed."""

    def __init__(self, peer: str) -> None:
        self.peer = peer
        self.transport = self  # type: ignore[assignment]
        self.closed = False

    def abort(self) -> None:
        self.closed = True


def doors(trusted: str = "") -> Doors:
    """Places for ten, three for each address."""
    return Doors(Limits(1, 1, 1, 1, 1, connections=10, per_address=3, trusted=trusted))


def test_an_address_has_its_own_bound() -> None:
    """Its oldest idle connection goes, nobody else's; of those that are served none."""
    there = doors()
    other = Peer("192.0.2.9")
    assert there.admit(other, other.peer)
    there.waits(other, other.peer)
    mine = [Peer("192.0.2.1") for _ in range(5)]
    for one in mine[:3]:
        assert there.admit(one, one.peer)
        there.waits(one, one.peer)
    there.works(mine[0], mine[0].peer)
    assert there.admit(mine[3], mine[3].peer)
    there.works(mine[3], mine[3].peer)
    assert [one.closed for one in mine[:4]] == [False, True, False, False]
    there.left(mine[1], mine[1].peer)
    there.works(mine[2], mine[2].peer)
    assert not there.admit(mine[4], mine[4].peer)
    assert not other.closed
    there.left(mine[4], mine[4].peer)
    there.left(mine[0], mine[0].peer)
    assert there.admit(Peer("192.0.2.1"), "192.0.2.1")


@pytest.mark.parametrize("trusted", ["10.0.0.0/8", "*", "proxy.internal, 10.1.2.3"])
def test_a_proxy_has_as_many_as_there_are(trusted: str) -> None:
    there = doors(trusted=trusted)
    assert all(there.admit(Peer("10.1.2.3"), "10.1.2.3") for _ in range(10))


# File descriptors


@linux
def test_out_of_file_descriptors_is_said_and_passes(tmp_path: Path) -> None:
    """The log says it, the processor stays idle meanwhile, and all is well once some are free."""
    with running(tmp_path / "data", CONTRAIL_HEADER_SECONDS="600") as server:
        pid = pid_of(server)
        assert is_served(server)
        soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        assert soft == hard  # it has taken all that it may have
        few = len(os.listdir(f"/proc/{pid}/fd")) + 10
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, hard))
        with contextlib.ExitStack() as stack:
            for _ in range(60):
                stack.enter_context(connect(server))
            wait(lambda: "no file descriptor is left" in server.said())
            before = _seconds_of(pid)
            time.sleep(1)
            assert _seconds_of(pid) - before < 0.5
        wait(lambda: "there are file descriptors again" in server.said())
        assert is_served(server)
        assert server.said().count("no file descriptor is left") == 1
        assert "Traceback" not in server.said()


def _seconds_of(pid: int) -> float:
    """What a process has taken of the processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_low_limit_is_raised_and_what_stays_low_is_said() -> None:
    code = (
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 256))\n"
        "from app.descriptors import connections_for, raise_descriptors\n"
        "found = raise_descriptors()\n"
        "print(found, resource.getrlimit(resource.RLIMIT_NOFILE), connections_for(8000, found))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "256 (256, 256) 156\n"
    assert "256 files" in done.stderr
    assert "ulimit -n" in done.stderr


# The library


def test_the_library_is_as_it_was_when_this_was_written() -> None:
    """`Bounded` overrides and reads parts of uvicorn that it does not promise to keep."""
    for name, ours in vars(Bounded).items():
        if inspect.isfunction(ours) and not name.startswith("_"):
            theirs = getattr(HttpToolsProtocol, name)
            assert [*inspect.signature(ours).parameters] == [*inspect.signature(theirs).parameters]
    made = inspect.getsource(HttpToolsProtocol)
    for part in ("transport", "cycle", "pipeline", "headers", "url", "client", "loop"):
        assert re.search(rf"self\.{part}\b.*=", made)
    cycle = inspect.getsource(RequestResponseCycle)
    for part in ("disconnected", "message_event", "response_started", "response_complete"):
        assert f"self.{part} = " in cycle
