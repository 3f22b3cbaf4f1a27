"""Many games in several processes: they are shared out, collected, and stopped when that is asked.

Each process has every so-maniest game and tells each outcome at once, so that what is finished is known
at any moment. Belongs here: processes. Does not belong here: what a game is, and what the results mean.
"""

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from app.engine.errors import Missing
from app.games import registry
from app.simulation.orders import Order
from app.simulation.playing import Outcome, play_one

LISTEN = 0.1
"""Seconds after which somebody who waits for outcomes looks whether to stop."""

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    Pipe = Connection[bytes, bytes]

_context = get_context("spawn")  # a fork would copy the server's threads and open connections


class Failure(msgspec.Struct, frozen=True):
    """A game that could not be played to its end. Its seed plays it again."""

    number: int
    seed: int
    error: str


@dataclass
class Run:
    """What came of an order: finished games by their number, and those that failed.

    `whole` is False when it was stopped before all games were played.
    """

    order: Order
    outcomes: dict[int, Outcome] = field(default_factory=lambda: dict[int, Outcome]())
    failures: list[Failure] = field(default_factory=lambda: list[Failure]())
    seconds: float = 0.0

    @property
    def done(self) -> int:
        """How many games are over, one way or the other."""
        return len(self.outcomes) + len(self.failures)

    @property
    def whole(self) -> bool:
        """Whether no game is missing."""
        return self.done == self.order.games


class _Told(msgspec.Struct, frozen=True):
    """What a process tells of one game."""

    number: int
    outcome: Outcome | None = None
    error: str = ""


def processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(
    order: Order,
    progress: Callable[[int], None] = lambda done: None,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    jobs: int | None = None,
    niceness: int = 0,
) -> Run:
    """Play an order's games. What comes out does not depend on the number of processes, only when.

    `progress` hears how many are done. When `cancelled` says so, the processes are ended within a tenth of
    a second and the games finished so far are returned.
    """
    jobs = max(1, min(jobs or processors(), order.games))
    began = time.perf_counter()
    result = Run(order)
    with _workers(order, jobs, niceness) as workers:
        open_pipes = {worker.pipe: worker for worker in workers}
        while open_pipes and not cancelled():
            for pipe in cast("list[Pipe]", wait(list(open_pipes), LISTEN)):
                if not _heard(pipe, open_pipes[pipe], result):
                    del open_pipes[pipe]
            progress(result.done)
    result.outcomes = dict(sorted(result.outcomes.items()))
    result.failures.sort(key=lambda failure: failure.number)
    result.seconds = time.perf_counter() - began
    return result


@dataclass
class _Worker:
    """A process and the numbers of the games that it still has to play."""

    process: SpawnProcess
    pipe: "Pipe"
    numbers: list[int]  # the next one last


_encoder = msgspec.msgpack.Encoder()
_told = msgspec.msgpack.Decoder(_Told)


def _heard(pipe: "Pipe", worker: _Worker, result: Run) -> bool:
    """Take in what a process tells; False when it has nothing more to say."""
    order = result.order
    try:
        told = _told.decode(pipe.recv_bytes())
    except (EOFError, OSError):
        if worker.numbers:
            # Killed, or out of memory: it was in the middle of this game, and the rest are not played.
            worker.process.join(1)
            number = worker.numbers.pop()
            error = f"the process that played it ended with {worker.process.exitcode}"
            result.failures.append(Failure(number, order.seed_of(number), error))
        return False
    worker.numbers.pop()
    if told.outcome is not None:
        result.outcomes[told.number] = told.outcome
    else:
        failure = Failure(told.number, order.seed_of(told.number), told.error)
        result.failures.append(failure)
    return True


@contextlib.contextmanager
def _workers(order: Order, jobs: int, niceness: int) -> Generator[list[_Worker]]:
    """The processes at work. None of them is left afterwards, whatever happens in between."""
    workers: list[_Worker] = []
    try:
        with _interrupts_held():
            for share in range(jobs):
                workers.append(_start(order, share, jobs, niceness))  # noqa: PERF401 (each is ended)
        yield workers
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.process.join(1)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
            worker.process.close()


def _start(order: Order, share: int, jobs: int, niceness: int) -> _Worker:
    numbers = list(range(share, order.games, jobs))
    mine, its = cast("tuple[Pipe, Pipe]", _context.Pipe(duplex=False))
    data = _encoder.encode(order)
    process = _context.Process(target=_work, args=(data, numbers, niceness, its), daemon=True)
    process.start()
    its.close()  # or the end of the process would not be the end of the pipe
    return _Worker(process, mine, numbers[::-1])


@contextlib.contextmanager
def _interrupts_held() -> Generator[None]:
    """Processes that are started meanwhile never hear of Ctrl-C, which a terminal sends to all.

    Whoever started them ends them, and no traceback of theirs is printed.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting it would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(data: bytes, numbers: list[int], niceness: int, pipe: "Pipe") -> None:
    """One process: play games and tell what came of each."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if niceness and sys.platform != "win32":
        os.nice(niceness)
    order = msgspec.msgpack.decode(data, type=Order)
    with contextlib.suppress(BrokenPipeError):
        for number in numbers:
            pipe.send_bytes(_encoder.encode(_play(order, number)))


def _play(order: Order, number: int) -> _Told:
    seed = order.seed_of(number)
    try:
        game = registry.load(order.game)
        outcome = play_one(game, order.setup, order.rulings, order.bots, seed, most=order.most)
    except Missing:
        raise  # it could be loaded a moment ago: nothing here can be played
    except Exception as error:  # whatever went wrong, the report says in which game
        return _Told(number, error=_described(error))
    return _Told(number, outcome)


def _described(error: Exception) -> str:
    """What went wrong and where, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).parent.name}/{Path(last.filename).name}:{last.lineno}"
    return f"{type(error).__name__}: {error} ({place})"


def _end_with_parent() -> None:
    """A process whose parent is gone, however that went, has nobody to tell anything."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
