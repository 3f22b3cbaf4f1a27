"""Starts the processes in which bots think.

Where there is fork, a small process is forked while the server is young: before its threads, its
loop and its files. It does nothing but fork a thinker when one is wanted. So a thinker knows every
game that the server knew, shares its memory with the others, and starts in milliseconds; and a
server full of threads is never forked. Where there is no fork, or that process is gone, a thinker
is started anew by multiprocessing.

Belongs here: beginning and ending processes. Does not belong here: what they are asked (`pool`).
"""

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any, NoReturn

from app.games import registry
from app.thinking import thinker
from app.thinking.wire import Cut, framed, receive, receive_soon

PATIENCE = 30.0
"""Seconds for which a thinker may take to start, its game included."""

_MOST_ORDER = 4096
_ALONE, _WITH_SOCKET = b"-", b"+"  # what an order begins with

log = logging.getLogger("contrail")


class CantStart(Exception):
    """The machine has no process or no memory left for one more."""


@dataclass(frozen=True)
class Started:
    """A thinker: where it is asked, and what ends it, however it hangs."""

    sock: socket.socket
    end: Callable[[], None]


class Nursery:
    """Starts thinkers for a server.

    Args:
        megabytes: how much memory more than at its start each may take.
        fork: whether to fork, where that can be.
    """

    def __init__(self, megabytes: int, *, fork: bool = True) -> None:
        self._megabytes = megabytes
        self._lock = asyncio.Lock()
        self._forking = _Forking(megabytes) if fork and hasattr(os, "fork") else None

    async def start(self, game: str) -> Started:
        """A new thinker, with a game that it will be asked about. Raises CantStart, OSError."""
        async with self._lock:
            if self._forking is not None:
                try:
                    async with asyncio.timeout(PATIENCE):
                        return await self._forking.start(game)
                except CantStart:
                    raise
                except (TimeoutError, Cut, OSError) as error:
                    log.error(
                        "the process that forks those in which bots think is lost (%s); "
                        "they are started anew from here on, which takes longer",
                        str(error) or "it does not answer",
                    )
                    self.close()
                except BaseException:
                    self.close()  # its answer may still come, and would be taken for the next one's
                    raise
            return await asyncio.to_thread(_started_anew, self._megabytes)

    def close(self) -> None:
        """Start none any more; those that were forked end with this, whatever they do."""
        if self._forking is not None:
            self._forking.close()
            self._forking = None


def _started_anew(megabytes: int) -> Started:
    ours, its = socket.socketpair()
    process = get_context("spawn").Process(
        target=thinker.begin_alone, args=(its, megabytes), daemon=True
    )
    try:
        process.start()
    except BaseException:
        ours.close()
        raise
    finally:
        its.close()
    ours.setblocking(False)

    def end() -> None:
        ours.close()
        process.kill()

    return Started(ours, end)


class _Forking:
    """The server's end of the process that forks."""

    def __init__(self, megabytes: int) -> None:
        ours, its = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            ours.close()
            _fork_for(its, megabytes)
        its.close()
        ours.setblocking(False)
        self._pid = pid
        self._control = ours

    async def start(self, game: str) -> Started:
        """A thinker that knows a game. Raises CantStart, Cut, OSError."""
        ours, its = socket.socketpair()
        try:
            self._order({"start": game}, its)
            told = json.loads(await receive_soon(self._control, _MOST_ORDER))
        except BaseException:
            ours.close()
            raise
        finally:
            its.close()
        if "pid" not in told:
            ours.close()
            raise CantStart(told["wrong"])
        pid: int = told["pid"]
        ours.setblocking(False)

        def end() -> None:
            ours.close()
            with contextlib.suppress(OSError):
                self._order({"end": pid})

        return Started(ours, end)

    def _order(self, order: dict[str, Any], sock: socket.socket | None = None) -> None:
        """Tell it something. A message is far smaller than what a socket takes at once."""
        data = framed(json.dumps(order).encode())
        if sock is None:
            self._control.sendall(_ALONE + data)
        else:
            socket.send_fds(self._control, [_WITH_SOCKET], [sock.fileno()])
            self._control.sendall(data)

    def close(self) -> None:
        """It ends when it hears that this end is closed, and ends those that it has forked."""
        self._control.close()
        # Somebody has to take note of its end, or it would stay in the list of processes.
        threading.Thread(target=_wait_for, args=(self._pid,), daemon=True).start()


def _wait_for(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


# In the process that forks


def _fork_for(control: socket.socket, megabytes: int) -> NoReturn:
    try:
        _settle(control.fileno())
        # Its writing end is open in this process alone: who reads hears when this process is gone.
        reading, writing = os.pipe()
        _Forks(control, megabytes, reading, writing).serve()
    finally:
        os._exit(0)


def _settle(*keep: int) -> None:
    """Be nobody's but the server's: no terminal, no signals of it, none of its files."""
    # What was the server's is left alone: memory stays shared, no file is closed a second time.
    gc.freeze()
    os.setsid()
    # Whoever is stopped together with the server waits until the server says so.
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.set_wakeup_fd(-1)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for name in os.listdir("/dev/fd"):
        if int(name) > 2 and int(name) not in keep:
            with contextlib.suppress(OSError):
                os.close(int(name))


class _Forks:
    """Forks a thinker when the server wants one, and ends those that it names, or all with itself."""

    def __init__(self, control: socket.socket, megabytes: int, reading: int, writing: int) -> None:
        self._control = control
        self._megabytes = megabytes
        self._reading = reading
        self._writing = writing
        self._thinkers: set[int] = set()

    def serve(self) -> None:
        """Until the server is gone."""
        try:
            while True:
                self._obey()
        except (Cut, OSError):
            pass
        finally:
            for pid in self._thinkers:
                _kill(pid)

    def _obey(self) -> None:
        first, fds, _, _ = socket.recv_fds(self._control, 1, 1)
        if not first:
            raise Cut("the server is gone")
        order = json.loads(receive(self._control, _MOST_ORDER))
        self._reap()
        if "end" in order:
            # One that has been reaped is nobody's any more: its number may be another's.
            if order["end"] in self._thinkers:
                _kill(order["end"])
            return
        try:
            answer: dict[str, Any] = {"pid": self._fork(order["start"], fds[0])}
        except OSError as error:
            answer = {"wrong": error.strerror}
        os.close(fds[0])
        self._control.sendall(framed(json.dumps(answer).encode()))

    def _fork(self, game: str, fd: int) -> int:
        # Loaded here once, it is shared by all that are forked from here on. What is wrong
        # with it, the thinker tells.
        with contextlib.suppress(Exception):
            registry.load(game)
            gc.freeze()
        pid = os.fork()
        if pid:
            self._thinkers.add(pid)
            return pid
        try:
            os.setsid()  # whatever it starts is ended with it
            self._control.close()
            os.close(self._writing)
            threading.Thread(target=_end_when_closed, args=(self._reading,), daemon=True).start()
            thinker.begin(socket.socket(fileno=fd), self._megabytes)
        finally:
            os._exit(0)

    def _reap(self) -> None:
        """Take note of those that have ended."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, _ = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                self._thinkers.discard(pid)


def _kill(pid: int) -> None:
    """End a thinker and what it has started."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


# In a thinker


def _end_when_closed(reading: int) -> None:
    os.read(reading, 1)  # nobody ever writes: it returns when the one end is closed
    os._exit(1)
