"""Jobs: simulations that a server runs for its visitors, a few at a time, in processes of low priority.

A thread waits for each running job's process, so nothing here holds up those who serve people. Belongs here:
how many, how long, for whom, and that nothing is left running. Does not belong here: pages.
"""

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.engine.errors import Missing, NotYourSeat, Refused
from app.simulation.keeping import Ended, Files, kept
from app.simulation.orders import Order
from app.simulation.results import Result, results_of
from app.simulation.running import run_all
from app.simulation.writing import csv_of

NICENESS = 15
"""How far the games step back behind everything else on the machine, 19 being furthest."""

State = Literal["waiting", "running"] | Ended

log = logging.getLogger("contrail")


class OneAtATime(Refused):
    """This visitor's last simulation is not over yet."""

    status = 429
    title = "One simulation at a time"
    retry_after = 10


class Full(Refused):
    """The queue has no place left."""

    status = 503
    title = "Too many simulations"
    retry_after = 60


@dataclass
class Job:
    """A simulation that somebody asked for. `owner` may cancel it.

    It has several orders where bots are compared. `counted` is what it is counted by, which for a visitor
    without a cookie is the address. `results` and `csv` are there once it is over, also of one that was
    stopped; not of one that broke, or whose server was killed meanwhile.
    """

    id: str
    orders: tuple[Order, ...]
    owner: str
    counted: str
    state: State = "waiting"
    done: int = 0
    began: float = 0.0
    over: float | None = None
    results: tuple[Result, ...] = ()
    csv: str = ""
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def unfinished(self) -> bool:
        """Whether it waits or runs."""
        return self.over is None

    @property
    def games(self) -> int:
        """How many games or careers it has in all."""
        return sum(order.games for order in self.orders)


class Jobs:
    """A server's simulations.

    Args:
        at_once: how many run at the same time, each in one process.
        waiting: how many more may wait for that.
        seconds: after which a running one is cut short.
        keep: seconds for which results are kept.
        megabytes: how much memory more than at its start a process may take.
        files: where jobs are kept across a restart; None: they are not.
        most_kept: results kept, about a megabyte each at most; older ones go before their time.
        clock: seconds.
    """

    def __init__(
        self,
        *,
        at_once: int,
        waiting: int,
        seconds: float,
        keep: float,
        megabytes: int | None = None,
        files: Files | None = None,
        most_kept: int = 50,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once = at_once
        self._most = at_once + waiting
        self._seconds = seconds
        self._keep = keep
        self._most_kept = most_kept
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._closed = threading.Event()
        self._megabytes = megabytes
        self._files = files
        # Those of the run before, by their ids: when they were over. They are read when they are asked for.
        self._before: dict[str, float] = {}
        if files is not None:
            self._before = {job: clock() - age for job, age in files.ages().items()}

    def start(self, orders: Sequence[Order], owner: str, counted: str) -> Job:
        """Queue a job. Raises OneAtATime or Full, saying what to do."""
        self._forget()
        if self.unfinished_of(counted) or self.unfinished_of(owner):
            raise OneAtATime("Your last simulation is not over yet. Wait for it, or cancel it.")
        if sum(job.unfinished for job in self._jobs.values()) >= self._most:
            raise Full(
                "Others' simulations are waiting already. Try again in a minute, or run it on your own "
                "machine: python -m app simulate"
            )
        job = Job(secrets.token_urlsafe(9), tuple(orders), owner, counted)
        self._jobs[job.id] = job
        self._write(job, None)
        self._queue.put(job)
        if len(self._threads) < self._at_once:
            # Not an executor's: those hold up the end of a server that is stopped in a hurry.
            self._threads.append(threading.Thread(target=self._work, daemon=True))
            self._threads[-1].start()
        return job

    def get(self, job_id: str) -> Job:
        """A job. Raises Missing when it was never there or is forgotten."""
        self._forget()
        job = self._jobs.get(job_id) or self._from_before(job_id)
        if job is None:
            raise Missing(
                "This simulation is not here any more: results are kept for a while only. Run it again "
                "from the game's page."
            )
        return job

    def _from_before(self, job_id: str) -> Job | None:
        """A job of the run before. One that was not over then was stopped by the restart."""
        over = self._before.pop(job_id, None)
        if over is None or self._files is None:
            return None
        kept = self._files.read(job_id)
        if kept is None:
            self._files.forget(job_id)
            return None
        job = Job(job_id, kept.orders, owner="", counted="", done=kept.done, over=over)
        job.state, job.results, job.csv = kept.ended or "restarted", kept.results, kept.csv
        # Before those of this run: they are in the order in which they began.
        self._jobs = {job_id: job, **self._jobs}
        return job

    def _write(self, job: Job, ending: Ended | None) -> None:
        if self._files is not None:
            self._files.write(job.id, kept(job.orders, ending, job.done, job.results, job.csv))

    def unfinished_of(self, visitor: str) -> Job | None:
        """The job of somebody that waits or runs."""
        for job in self._jobs.values():
            if job.unfinished and visitor in (job.owner, job.counted):
                return job
        return None

    def ahead_of(self, job: Job) -> int:
        """How many jobs come before one that waits."""
        jobs = list(self._jobs.values())
        return sum(other.unfinished for other in jobs[: jobs.index(job)])

    def cancel(self, job_id: str, visitor: str) -> Job:
        """Stop a job; what is finished of it stays. Raises Missing or NotYourSeat."""
        job = self.get(job_id)
        if visitor != job.owner:
            raise NotYourSeat("This simulation is somebody else's.")
        job.cancelled.set()
        if job.state == "waiting":
            self._end(job, "cancelled")
        return job

    def close(self) -> None:
        """Stop all of them; no process is left. Blocks until that is so."""
        self._closed.set()
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            self._carry_out(job)

    def _carry_out(self, job: Job) -> None:
        """Run a job and keep what came of it."""
        if self._closed.is_set() or not job.unfinished:  # cancelled while it waited
            return
        job.state, job.began = "running", self._clock()
        deadline = job.began + self._seconds

        def progress(done: int) -> None:
            job.done = done

        def stop() -> bool:
            return job.cancelled.is_set() or self._closed.is_set() or self._clock() > deadline

        try:
            runs = run_all(
                job.orders, progress, stop, jobs=1, niceness=NICENESS, megabytes=self._megabytes
            )
            job.results, job.csv = results_of(runs), csv_of(runs)
        except Exception:
            log.exception("the simulation %s broke", job.id)
            self._end(job, "broken")
            return
        whole = all(run.whole for run in runs)
        if whole:
            self._end(job, "finished")
        elif job.cancelled.is_set():
            self._end(job, "cancelled")
        else:
            self._end(job, "restarted" if self._closed.is_set() else "cut short")

    def _end(self, job: Job, ending: Ended) -> None:
        self._write(job, ending)
        job.state, job.over = ending, self._clock()

    def _forget(self) -> None:
        over = {**self._before}  # all of them were over before the first of this run
        over |= {job.id: job.over for job in self._jobs.values() if job.over is not None}
        too_old = self._clock() - self._keep
        for n, (job_id, when) in enumerate(over.items()):
            if n < len(over) - self._most_kept or when < too_old:
                self._before.pop(job_id, None)
                self._jobs.pop(job_id, None)
                if self._files is not None:
                    self._files.forget(job_id)
