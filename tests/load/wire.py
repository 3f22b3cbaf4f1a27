"""HTTP on raw connections: as little as a load driver needs, so that it does not measure itself.

Belongs here: connections, times of arrival, cutting answers and frames out of bytes. Does not belong here:
what a frame means.
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

Address = tuple[str, int]

IDLE = 3.0
"""Seconds after which a link connects anew: servers hang up on idle ones (uvicorn after 5 s)."""

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_END_OF_FRAMES = b"\n\n\r\n"
"""The end of a chunk that ends with a whole frame."""


class BenchError(Exception):
    """The server did something that a measurement can't go on from."""


@dataclass(slots=True)
class Reply:
    """An answer. `at` is when its last byte came, on the clock of `time.perf_counter`."""

    status: int
    head: bytes
    body: bytes
    at: float


class _LinkProtocol(asyncio.Protocol):
    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.waiter: asyncio.Future[Reply] | None = None
        self._got = b""
        self._head = b""
        self._need = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._got = self._got + data if self._got else data
        if self._need < 0:
            end = self._got.find(b"\r\n\r\n")
            if end < 0:
                return
            self._head = self._got[:end]
            length = _LENGTH.search(self._head)
            self._need = int(length[1]) if length else 0
            self._got = self._got[end + 4 :]
        if len(self._got) < self._need:
            return
        now = time.perf_counter()
        reply = Reply(int(self._head[9:12]), self._head, self._got[: self._need], now)
        self._got, self._need = self._got[self._need :], -1
        waiter, self.waiter = self.waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(reply)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_exception(BenchError(f"the connection was lost: {exc}"))


class Link:
    """A kept-alive connection for one request at a time, as one player's browser or script has it."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._protocol = _LinkProtocol()
        self._used = 0.0

    async def send(self, request: bytes) -> Reply:
        """The answer to a request."""
        loop = asyncio.get_running_loop()
        transport = self._protocol.transport
        idle, self._used = loop.time() - self._used, loop.time()
        if transport is None or transport.is_closing() or idle > IDLE:
            self.close()
            _, self._protocol = await loop.create_connection(_LinkProtocol, *self._address)
            transport = self._protocol.transport
        assert transport is not None
        waiter = self._protocol.waiter = loop.create_future()
        transport.write(request)
        return await waiter

    def close(self) -> None:
        """Hang up."""
        if self._protocol.transport is not None:
            self._protocol.transport.abort()


class Feed(asyncio.Protocol):
    """A stream of frames. `on_frames` gets the bytes of one or more whole frames and when they came."""

    def __init__(self, request: bytes, on_frames: Callable[[bytes, float], None]) -> None:
        self._request = request
        self._on_frames = on_frames
        self._parts: list[bytes] = []
        self._started = False
        self._transport: asyncio.Transport | None = None
        self.lost = False
        self.received = 0

    @classmethod
    async def open(
        cls, address: Address, request: bytes, on_frames: Callable[[bytes, float], None]
    ) -> "Feed":
        """A connected feed."""
        loop = asyncio.get_running_loop()
        _, feed = await loop.create_connection(lambda: cls(request, on_frames), *address)
        return feed

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Collect until a frame is whole."""
        if not data.endswith(_END_OF_FRAMES):
            self._parts.append(data)
            return
        now = time.perf_counter()
        if self._parts:
            self._parts.append(data)
            data = b"".join(self._parts)
            self._parts.clear()
        if not self._started:
            if not data.startswith(b"HTTP/1.1 200"):
                raise BenchError(f"a stream was refused: {data[:200]!r}")
            self._started = True
        self.received += len(data)
        self._on_frames(data, now)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it is over."""
        self.lost = True

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()


def get(address: Address, path: str, headers: str = "") -> bytes:
    """A GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n{headers}\r\n".encode()


def post(head: bytes, body: bytes) -> bytes:
    """A POST request with a head made by `post_head`."""
    return b"%b%d\r\n\r\n%b" % (head, len(body), body)


def post_head(address: Address, path: str, headers: str) -> bytes:
    """All of a POST request up to the number of the body's bytes."""
    return (
        f"POST {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n{headers}content-length: "
    ).encode()
