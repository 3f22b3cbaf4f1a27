"""What goes between a server and the processes in which its bots think.

A question is pickled, as states are any classes of a game; only the server makes them. What comes
back is MessagePack with a length that is bounded, as whoever answers may have gone mad.
"""

import asyncio
import pickle
import socket
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

_LENGTH = struct.Struct("!I")

MOST_TOLD = 1024 * 1024
"""Bytes of an answer. A real one is a word or a line."""


class Question(NamedTuple):
    """What a bot is asked. `seen` is the position without what its seat must not see."""

    game: str
    bot: str
    seat: str
    offer: str
    seed: int
    seen: Any


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """What comes back: a choice, or what was wrong in one line. `spent`: its process has to go."""

    choice: Any = None
    wrong: str = ""
    spent: bool = False


class Cut(Exception):
    """The other side is gone, or what it sends is no frame."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Told)


def packed(question: Question) -> bytes:
    """A question as bytes. Raises whatever can't be pickled."""
    return pickle.dumps(tuple(question), pickle.HIGHEST_PROTOCOL)


def unpacked(data: bytes) -> Question:
    """The question that a server has packed."""
    return Question(*pickle.loads(data))


def encoded(told: Told) -> bytes:
    """What a thinker tells, as bytes. Raises TypeError and the like for what is no plain data."""
    return _encoder.encode(told)


def decoded(data: bytes) -> Told:
    """What a thinker has told. Raises Cut."""
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Cut(f"what it answers can't be read: {error}") from error


def framed(data: bytes) -> bytes:
    """The bytes with their length before them."""
    return _LENGTH.pack(len(data)) + data


def length_of(head: bytes, most: int) -> int:
    """The length that a frame begins with. Raises Cut where it is more than `most`."""
    (length,) = _LENGTH.unpack(head)
    if length > most:
        raise Cut(f"what it answers is {length:,} bytes long")
    return length


# In a process that does nothing else meanwhile


def receive(sock: socket.socket, most: int) -> bytes:
    """The next frame. Blocks; raises Cut."""
    return _exactly(length_of(_exactly(_LENGTH.size, sock.recv), most), sock.recv)


def _exactly(count: int, recv: Callable[[int], bytes]) -> bytes:
    got = bytearray()
    while len(got) < count:
        part = recv(count - len(got))
        if not part:
            raise Cut("the other side is gone")
        got += part
    return bytes(got)


# On the server's event loop


async def receive_soon(sock: socket.socket, most: int) -> bytes:
    """The next frame. Raises Cut."""
    head = await _exactly_soon(sock, _LENGTH.size)
    return await _exactly_soon(sock, length_of(head, most))


async def send_soon(sock: socket.socket, data: bytes) -> None:
    """Send a frame. Raises Cut."""
    try:
        await asyncio.get_running_loop().sock_sendall(sock, framed(data))
    except OSError as error:
        raise Cut("it is gone") from error


async def _exactly_soon(sock: socket.socket, count: int) -> bytes:
    loop = asyncio.get_running_loop()
    got = bytearray()
    while len(got) < count:
        try:
            part = await loop.sock_recv(sock, min(count - len(got), 65_536))
        except OSError as error:
            raise Cut("its process ended") from error
        if not part:
            raise Cut("its process ended")
        got += part
    return bytes(got)
