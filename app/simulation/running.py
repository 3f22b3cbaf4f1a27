"""Many games in several processes: they are shared out, collected, and stopped when that is asked.

Each process has every so-maniest game and tells each outcome at once, so that what is finished is known
at any moment. Orders that are compared are carried out together, game by game, so that one that is cut
short has played as much for each. Belongs here: processes. Does not belong here: what a game is, and what the results mean.
"""

import contextlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from app.engine.errors import Missing
from app.games import registry
from app.processes import end_with_parent, go_first, limit_memory, step_back
from app.simulation.careers import Career, play_career
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
    """What came of an order: finished games or careers by their number, and those that failed.

    `whole` is False when it was stopped before all games were played. `seconds` is its part of the time
    that all orders took together.
    """

    order: Order
    outcomes: dict[int, Outcome] = field(default_factory=lambda: dict[int, Outcome]())
    careers: dict[int, Career] = field(default_factory=lambda: dict[int, Career]())
    failures: list[Failure] = field(default_factory=lambda: list[Failure]())
    seconds: float = 0.0

    @property
    def done(self) -> int:
        """How many games are over, one way or the other."""
        return len(self.outcomes) + len(self.careers) + len(self.failures)

    @property
    def whole(self) -> bool:
        """Whether no game is missing."""
        return self.done == self.order.games

    @property
    def played(self) -> float:
        """Seconds that its games took, in whichever process."""
        return sum(one.seconds for one in (*self.outcomes.values(), *self.careers.values()))


class _Task(NamedTuple):
    """A game to be played: of which order, counted from 0, and its number there."""

    order: int
    number: int


class _Told(msgspec.Struct, frozen=True):
    """What a process tells of one game or career."""

    outcome: Outcome | None = None
    career: Career | None = None
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
    return run_all((order,), progress, cancelled, jobs=jobs, niceness=niceness)[0]


def run_all(
    orders: Sequence[Order],
    progress: Callable[[int], None] = lambda done: None,
    cancelled: Callable[[], bool] = lambda: False,
    *,
    jobs: int | None = None,
    niceness: int = 0,
    megabytes: int | None = None,
) -> tuple[Run, ...]:
    """The same for several orders at once; `progress` hears how many are done of all of them.

    With `megabytes` no process may take so much more memory than it has at its start.
    """
    jobs = max(1, min(jobs or processors(), sum(order.games for order in orders)))
    began = time.perf_counter()
    results = tuple(Run(order) for order in orders)
    with _workers(orders, jobs, niceness, megabytes) as workers:
        open_pipes = {worker.pipe: worker for worker in workers}
        while open_pipes and not cancelled():
            for pipe in cast("list[Pipe]", wait(list(open_pipes), LISTEN)):
                if not _heard(pipe, open_pipes[pipe], results):
                    del open_pipes[pipe]
            progress(sum(result.done for result in results))
    _tidy(results, time.perf_counter() - began)
    return results


def _tidy(results: Sequence[Run], seconds: float) -> None:
    """In the order of their numbers; the time is shared out by what the games of each took."""
    played = sum(result.played for result in results)
    for result in results:
        result.outcomes = dict(sorted(result.outcomes.items()))
        result.careers = dict(sorted(result.careers.items()))
        result.failures.sort(key=lambda failure: failure.number)
        part = result.played / played if played else 1 / len(results)
        result.seconds = seconds * part


@dataclass
class _Worker:
    """A process and the games that it still has to play."""

    process: SpawnProcess
    pipe: "Pipe"
    tasks: list[_Task]  # the next one last


_encoder = msgspec.msgpack.Encoder()
_told = msgspec.msgpack.Decoder(_Told)


def _heard(pipe: "Pipe", worker: _Worker, results: Sequence[Run]) -> bool:
    """Take in what a process tells of its next game; False when it has nothing more to say."""
    try:
        told = _told.decode(pipe.recv_bytes())
    except (EOFError, OSError):
        if worker.tasks:
            # Killed, or out of memory: it was in the middle of this game, and the rest are not played.
            worker.process.join(1)
            error = f"the process that played it ended with {worker.process.exitcode}"
            _take(_Told(error=error), worker.tasks.pop(), results)
        return False
    _take(told, worker.tasks.pop(), results)
    return True


def _take(told: _Told, task: _Task, results: Sequence[Run]) -> None:
    result, number = results[task.order], task.number
    if told.outcome is not None:
        result.outcomes[number] = told.outcome
    elif told.career is not None:
        result.careers[number] = told.career
    else:
        failure = Failure(number, result.order.seed_of(number), told.error)
        result.failures.append(failure)


@contextlib.contextmanager
def _workers(
    orders: Sequence[Order], jobs: int, niceness: int, megabytes: int | None
) -> Generator[list[_Worker]]:
    """The processes at work. None of them is left afterwards, whatever happens in between."""
    workers: list[_Worker] = []
    try:
        with _interrupts_held():
            for share in range(jobs):
                workers.append(_start(orders, share, jobs, niceness, megabytes))  # noqa: PERF401 (each is ended)
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


def _tasks(orders: Sequence[Order]) -> list[_Task]:
    """Game by game, each of them for every order."""
    most = max(order.games for order in orders)
    return [
        _Task(n, number)
        for number in range(most)
        for n, order in enumerate(orders)
        if number < order.games
    ]


def _start(
    orders: Sequence[Order], share: int, jobs: int, niceness: int, megabytes: int | None
) -> _Worker:
    tasks = _tasks(orders)[share::jobs]
    mine, its = cast("tuple[Pipe, Pipe]", _context.Pipe(duplex=False))
    data = _encoder.encode(orders)
    process = _context.Process(
        target=_work, args=(data, tasks, niceness, megabytes, its), daemon=True
    )
    process.start()
    its.close()  # or the end of the process would not be the end of the pipe
    return _Worker(process, mine, tasks[::-1])


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


def _work(
    data: bytes, tasks: list[_Task], niceness: int, megabytes: int | None, pipe: "Pipe"
) -> None:
    """One process: play games and tell what came of each."""
    end_with_parent()
    go_first()
    step_back(niceness)
    if megabytes is not None:
        limit_memory(megabytes)
    orders = msgspec.msgpack.decode(data, type=list[Order])
    with contextlib.suppress(BrokenPipeError):
        for task in tasks:
            pipe.send_bytes(_encoder.encode(_play(orders[task.order], task.number)))


def _play(order: Order, number: int) -> _Told:
    seed = order.seed_of(number)
    try:
        game = registry.load(order.game)
        if order.missions:
            return _Told(career=play_career(game, order, seed))
        outcome = play_one(game, order.setup, order.rulings, order.bots, seed, most=order.most)
    except Missing:
        raise  # it could be loaded a moment ago: nothing here can be played
    except Exception as error:  # whatever went wrong, the report says in which game
        return _Told(error=_described(error))
    return _Told(outcome)


def _described(error: Exception) -> str:
    """What went wrong and where, in one line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).parent.name}/{Path(last.filename).name}:{last.lineno}"
    return f"{type(error).__name__}: {error} ({place})"
