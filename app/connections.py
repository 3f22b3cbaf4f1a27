"""Connections: what a client may ask of the server before there is a request.

uvicorn bounds neither the bytes of a request's head nor the time that it takes, nor who is
connected. This does, so that nobody needs a proxy for it: a head or a body that has no end or does
not come, a client that connects and says nothing or never reads, more connections than there are
file descriptors. What is refused gets a short answer in plain text, and the connection is closed.

It overrides methods of uvicorn's protocol, so pyproject.toml says up to which version that is known
to fit. Belongs here: bytes, seconds, and how many. Does not belong here: what is in a request
(`app.web.guard`).
"""

import asyncio
import ipaddress
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from http import HTTPStatus
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST_HEADERS = 100

LINGER = 1.0
"""Seconds for which a refused client may read why, while what it still sends is thrown away."""

BETWEEN = 60.0
"""Seconds between two lines of the log that say the same."""

log = logging.getLogger("contrail")


@dataclass(frozen=True)
class Limits:
    """Bytes, seconds, and how many.

    `message_bytes` are of a whole request as it comes over the wire. `head_seconds` begin when
    somebody connects, or with the first byte of a further request; `body_seconds` when the head is
    there. Whoever has not read for `stall_seconds` what waits for him is gone. `trusted` are the
    proxies, which nobody counts.
    """

    head_bytes: int
    message_bytes: int
    head_seconds: float
    body_seconds: float
    stall_seconds: float
    connections: int
    per_address: int
    trusted: str = ""


class _Phase(Enum):
    """Where the request is that comes in."""

    REST = "none has begun"
    HEAD = "its head is not whole"
    BODY = "its body is not whole"


@dataclass
class _Address:
    """The connections of an address; those in `waiting` have no whole request, oldest first."""

    count: int = 0
    waiting: dict["Bounded", None] = field(default_factory=lambda: dict["Bounded", None]())


class Doors:
    """Who is connected.

    When all places are taken, the oldest connection without a whole request makes room; those that
    serve somebody stay.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._trusted = _networks(limits.trusted)
        self._addresses: defaultdict[str, _Address] = defaultdict(_Address)
        self._waiting: dict[Bounded, None] = {}
        self._count = 0
        self._said = -BETWEEN

    def admit(self, connection: "Bounded", peer: str) -> bool:
        """Count a new connection. False: there is no place for it, nor can one be made."""
        address = self._addresses[peer]
        address.count += 1
        self._count += 1
        if address.count > self._limits.per_address and not self._is_trusted(peer):
            self._say(f"{peer} has {address.count} connections")
            return self._made_room(address.waiting)
        if self._count > self._limits.connections:
            self._say(f"all {self._limits.connections} connections are taken")
            return self._made_room(self._waiting)
        return True

    def waits(self, connection: "Bounded", peer: str) -> None:
        """There is no whole request on a connection now."""
        self._waiting[connection] = None
        self._addresses[peer].waiting[connection] = None

    def works(self, connection: "Bounded", peer: str) -> None:
        """A request is being answered."""
        self._waiting.pop(connection, None)
        self._addresses[peer].waiting.pop(connection, None)

    def left(self, connection: "Bounded", peer: str) -> None:
        """It is closed."""
        self.works(connection, peer)
        self._count -= 1
        address = self._addresses[peer]
        address.count -= 1
        if not address.count:
            del self._addresses[peer]

    def _made_room(self, waiting: dict["Bounded", None]) -> bool:
        oldest = next(iter(waiting), None)
        if oldest is None:
            return False
        self.works(oldest, oldest.peer)
        oldest.transport.abort()
        return True

    def _is_trusted(self, peer: str) -> bool:
        if self._trusted is None or not peer:
            return True
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return True
        return any(address in network for network in self._trusted)

    def _say(self, what: str) -> None:
        if self._clock() - self._said >= BETWEEN:
            self._said = self._clock()
            log.warning(
                "%s: the oldest without a whole request close, or new ones are refused", what
            )


_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _networks(trusted: str) -> list[_Network] | None:
    """The networks of a list with commas; None for "*", everybody. Names are passed over."""
    found: list[_Network] = []
    for part in (part.strip() for part in trusted.split(",")):
        if part == "*":
            return None
        try:
            found.append(ipaddress.ip_network(part, strict=False))
        except ValueError:
            continue
    return found


class Bounded(HttpToolsProtocol):
    """One connection, within limits."""

    limits: ClassVar[Limits]
    doors: ClassVar[Doors]

    peer = ""
    _phase = _Phase.HEAD
    _watched = _Phase.REST
    _size = 0  # bytes of the request that comes in
    _too_large = False
    _refused = False
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        if self.doors.admit(self, self.peer):
            self.doors.waits(self, self.peer)
            self._watch()
        else:
            self._refuse(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "Too many connections are open, here or from your address. Try again in a minute.",
            )

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, by whomever."""
        self._phase = _Phase.REST
        self._watch()
        self.resume_writing()
        self.doors.left(self, self.peer)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what was sent."""
        if self._refused:
            return
        self._size += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._phase is _Phase.REST and self._is_answered():
            self._phase = _Phase.HEAD  # empty lines before a request, which may never come
        if self._too_large or (self._phase is _Phase.HEAD and self._size > self.limits.head_bytes):
            self._refuse(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                f"The head of a request may have {self.limits.head_bytes:,} bytes "
                f"and {MOST_HEADERS} headers here.",
            )
        elif self._phase is _Phase.BODY and self._size > self.limits.message_bytes:
            self._refuse(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"A request may have {self.limits.message_bytes:,} bytes in all.",
            )
        else:
            self._watch()

    # What the parser tells

    def on_message_begin(self) -> None:
        """The first byte of a request. What came together with it is not counted."""
        self._phase, self._size = _Phase.HEAD, 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.limits.head_bytes or len(self.headers) > MOST_HEADERS:
            self._too_large = True
            return
        self._phase = _Phase.BODY
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        if not self._too_large:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole: whoever has sent it is served from here on."""
        if not self._too_large:
            self._phase = _Phase.REST
            self.doors.works(self, self.peer)
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is out."""
        super().on_response_complete()
        if self._is_answered() and not self.transport.is_closing():
            self.doors.waits(self, self.peer)

    # Time

    def pause_writing(self) -> None:
        """The client does not read what it asked for."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(self.limits.stall_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _watch(self) -> None:
        """See to it that what has begun comes to an end."""
        if self._phase is self._watched:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._watched = self._phase
        if self._phase is not _Phase.REST:
            head = self._phase is _Phase.HEAD
            seconds = self.limits.head_seconds if head else self.limits.body_seconds
            self._timer = self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        if self._phase is _Phase.HEAD and not self._size:
            self.transport.close()  # browsers connect in advance, and need not be told
            return
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The request took too long to come.")

    def _is_answered(self) -> bool:
        """Whether no answer is under way."""
        cycle: RequestResponseCycle | None = getattr(self, "cycle", None)
        return cycle is None or cycle.response_complete

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Say why, and close."""
        self._refused = True
        self._phase = _Phase.REST
        self._watch()
        cycle: RequestResponseCycle | None = getattr(self, "cycle", None)
        if cycle is not None and not cycle.response_complete:
            if cycle.response_started:
                self.transport.abort()
                return
            cycle.disconnected = True  # whoever waits for the rest of it hears that there is none
            cycle.message_event.set()
        body = f"{why}\n".encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\n"
            f"content-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n"
        )
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            head += "retry-after: 60\r\n"
        self.transport.write(head.encode() + b"\r\n" + body)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER, self.transport.abort)


def bounded(limits: Limits) -> type[Bounded]:
    """The protocol of one server."""
    return type("Bounded", (Bounded,), {"limits": limits, "doors": Doors(limits)})
