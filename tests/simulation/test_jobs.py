"""Jobs: how many at once, for whom, and for how long."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.engine.errors import Missing, NotYourSeat
from app.simulation.jobs import NICENESS, Full, Job, Jobs, OneAtATime
from app.simulation.keeping import Files
from app.simulation.orders import Order, order_for
from tests.simulation.processes import needs_proc, niceness, players, wait_for_players

pytestmark = pytest.mark.usefixtures("game")


class Clock:
    """Seconds that only tests let pass."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock."""
    return Clock()


@pytest.fixture
def jobs(clock: Clock, game: object) -> Iterator[Jobs]:
    """Jobs of a server: one at once, one waits."""
    made = Jobs(at_once=1, waiting=1, seconds=60, keep=3600, clock=clock)
    yield made
    made.close()


def server(folder: Path, clock: Clock, **changed: Any) -> Jobs:
    """Jobs of a server that keeps them in a folder."""
    return Jobs(
        at_once=1, waiting=1, seconds=60, keep=3600, clock=clock, files=Files(folder), **changed
    )


def ordered(bot: str = "any", games: int = 3) -> Order:
    """An order."""
    return order_for("spar", bots=[bot], games=games, seed=1)


def wait(what: Callable[[], bool]) -> None:
    """Until it is so."""
    deadline = time.monotonic() + 20
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def finished(jobs: Jobs, visitor: str = "ann", order: Order | None = None) -> Job:
    """A job that is over."""
    job = jobs.start([order or ordered()], visitor, visitor)
    wait(lambda: not job.unfinished)
    return job


def test_a_job_runs_to_its_end(jobs: Jobs) -> None:
    job = finished(jobs)
    assert (job.state, job.done) == ("finished", 3)
    assert len(job.results) == 1
    assert job.results[0].games == 3
    assert len(job.csv.splitlines()) == 4
    assert jobs.get(job.id) is job


def test_one_for_each_visitor_and_a_short_queue(jobs: Jobs) -> None:
    first = jobs.start([ordered("stuck")], "ann", "ann")
    with pytest.raises(OneAtATime):
        jobs.start([ordered()], "ann", "ann")
    with pytest.raises(OneAtATime):
        jobs.start([ordered()], "somebody new", "ann")  # no cookie yet, the same address
    second = jobs.start([ordered()], "bob", "bob")
    wait(lambda: first.state == "running")
    assert second.state == "waiting"
    assert jobs.ahead_of(second) == 1
    with pytest.raises(Full):
        jobs.start([ordered()], "cid", "cid")
    jobs.cancel(first.id, "ann")
    wait(lambda: second.state == "finished")
    assert first.state == "cancelled"
    finished(jobs, "cid")


def test_only_its_owner_cancels_a_job(jobs: Jobs) -> None:
    job = jobs.start([ordered("stuck")], "ann", "ann")
    with pytest.raises(NotYourSeat):
        jobs.cancel(job.id, "bob")
    assert not job.cancelled.is_set()


def test_a_job_that_waits_can_be_cancelled(jobs: Jobs) -> None:
    first = jobs.start([ordered("stuck")], "ann", "ann")
    second = jobs.start([ordered()], "bob", "bob")
    jobs.cancel(second.id, "bob")
    assert second.state == "cancelled"
    jobs.cancel(first.id, "ann")
    wait(lambda: not first.unfinished)
    assert finished(jobs, "cid").state == "finished"
    assert (second.state, second.results) == ("cancelled", ())


def test_a_job_is_cut_short_when_its_time_is_up(jobs: Jobs, clock: Clock) -> None:
    job = jobs.start([ordered("slow", games=1000)], "ann", "ann")
    wait(lambda: job.done >= 1)
    clock.now += 61
    wait(lambda: not job.unfinished)
    assert job.state == "cut short"
    (result,) = job.results
    assert 1 <= result.games < 1000
    assert not result.whole


def test_waiting_does_not_count_as_running(jobs: Jobs, clock: Clock) -> None:
    first = jobs.start([ordered("stuck")], "ann", "ann")
    second = jobs.start([ordered()], "bob", "bob")
    wait(lambda: first.state == "running")
    clock.now += 61
    wait(lambda: not second.unfinished)
    assert (first.state, second.state) == ("cut short", "finished")


def test_results_are_forgotten_in_time(jobs: Jobs, clock: Clock) -> None:
    job = finished(jobs)
    clock.now += 3599
    assert jobs.get(job.id) is job
    clock.now += 2
    with pytest.raises(Missing):
        jobs.get(job.id)


def test_only_so_many_results_are_kept() -> None:
    jobs = Jobs(at_once=1, waiting=1, seconds=60, keep=3600, most_kept=2)
    first, second, third = (finished(jobs) for _ in range(3))
    with pytest.raises(Missing):
        jobs.get(first.id)
    assert jobs.get(second.id)
    assert jobs.get(third.id)
    jobs.close()


def test_a_job_that_breaks_says_so_and_the_next_one_runs(jobs: Jobs) -> None:
    broken = Order(game="spar", scenario="", setup={}, rulings={}, bots={}, games=1, seed=1)
    job = finished(jobs, order=broken)
    assert (job.state, job.results) == ("broken", ())
    assert finished(jobs).state == "finished"


# Across a restart


def test_a_result_survives_a_restart(tmp_path: Path, clock: Clock) -> None:
    """All of it, for as long as it would have been kept."""
    with closing(server(tmp_path, clock)) as jobs:
        job = finished(jobs)
    clock.now = 5.0  # another machine time
    with closing(server(tmp_path, clock)) as jobs:
        again = jobs.get(job.id)
        assert (again.state, again.done, again.orders) == ("finished", 3, job.orders)
        assert (again.results, again.csv) == (job.results, job.csv)
        assert not jobs.unfinished_of("ann")
        with pytest.raises(NotYourSeat):
            jobs.cancel(job.id, "ann")
        clock.now += 3601
        with pytest.raises(Missing):
            jobs.get(job.id)
    assert not list(tmp_path.glob("*.json"))


def test_careers_survive_a_restart_too(
    tmp_path: Path, clock: Clock, solo: object, game: object
) -> None:
    order = order_for("sortie", bots=["brave"], games=3, seed=1, missions=2)
    with closing(server(tmp_path, clock)) as jobs:
        job = finished(jobs, order=order)
        assert job.state == "finished"
    with closing(server(tmp_path, clock)) as jobs:
        assert jobs.get(job.id).results == job.results


def test_what_was_not_over_says_so_after_a_restart(tmp_path: Path, clock: Clock) -> None:
    """What was finished of it is kept; what only waited has nothing."""
    with closing(server(tmp_path, clock)) as jobs:
        ran = jobs.start([ordered("slow", games=1000)], "ann", "ann")
        waited = jobs.start([ordered()], "bob", "bob")
        wait(lambda: ran.done >= 2)
    with closing(server(tmp_path, clock)) as jobs:
        back = jobs.get(ran.id)
        assert back.state == "restarted"
        assert back.results[0].games == back.done >= 2
        assert not back.results[0].whole
        assert (jobs.get(waited.id).state, jobs.get(waited.id).results) == ("restarted", ())
        assert finished(jobs).state == "finished"


def test_old_results_go_by_age_and_number(tmp_path: Path, clock: Clock) -> None:
    with closing(server(tmp_path, clock, most_kept=2)) as jobs:
        first, second = (finished(jobs) for _ in range(2))
    os.utime(tmp_path / f"{first.id}.json", (1, 1))
    with closing(server(tmp_path, clock, most_kept=2)) as jobs:
        with pytest.raises(Missing):
            jobs.get(first.id)
        third, fourth = (finished(jobs) for _ in range(2))
        with pytest.raises(Missing):
            jobs.get(second.id)
        assert jobs.get(third.id)
        assert jobs.get(fourth.id)
        assert {path.stem for path in tmp_path.glob("*.json")} == {third.id, fourth.id}


def test_a_file_that_can_t_be_read_is_a_result_that_is_gone(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(server(tmp_path, clock)) as jobs:
        job = finished(jobs)
    (tmp_path / f"{job.id}.json").write_text('{"orders": 5}')
    with closing(server(tmp_path, clock)) as jobs, pytest.raises(Missing):
        jobs.get(job.id)
    assert job.id in caplog.text


def test_a_disk_that_takes_nothing_stops_no_simulation(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    with closing(server(tmp_path / "file" / "in", clock)) as jobs:
        assert finished(jobs).state == "finished"
    assert "can't be kept" in caplog.text


# What games do to their processes


@pytest.mark.parametrize(
    ("bot", "says"), [("leaving", "ended with 1"), ("gone", "ended with 9"), ("hungry", "Memory")]
)
def test_a_bot_that_goes_wrong_costs_its_own_simulation(
    clock: Clock, tmp_path: Path, bot: str, says: str
) -> None:
    with closing(server(tmp_path, clock, megabytes=128)) as jobs:
        job = finished(jobs, "ann", ordered(bot))
        assert all(says in failure.error for failure in job.results[0].failures)
        assert job.results[0].failures
        assert finished(jobs, "bob").state == "finished"


@needs_proc
def test_games_are_played_elsewhere_and_with_low_priority(jobs: Jobs) -> None:
    jobs.start([ordered("stuck")], "ann", "ann")
    (player,) = wait_for_players(os.getpid(), 1)
    wait(lambda: niceness(player) == min(19, niceness(os.getpid()) + NICENESS))


@needs_proc
def test_closing_ends_what_runs_and_what_waits() -> None:
    jobs = Jobs(at_once=2, waiting=2, seconds=60, keep=60)
    started = [jobs.start([ordered("stuck")], name, name) for name in ("ann", "bob", "cid")]
    wait_for_players(os.getpid(), 2)
    jobs.close()
    assert not players(os.getpid())
    assert started[2].state == "waiting"  # it never began
    assert threading.active_count() < 10
