"""Many games in real processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import msgspec
import pytest

from app.engine.errors import Illegal, Missing
from app.simulation.orders import Order, order_for
from app.simulation.running import run
from tests.simulation import spar
from tests.simulation.conftest import ROOT
from tests.simulation.processes import needs_proc, players, wait_for_players, wait_until_gone
from tests.simulation.test_playing import untimed

pytestmark = pytest.mark.usefixtures("game")


def ordered(*bots: str, games: int = 24, seed: int = 1) -> Order:
    """An order for the first scenario."""
    return order_for("spar", bots=bots, games=games, seed=seed)


def outcomes(order: Order, jobs: int) -> dict[int, Any]:
    """What can't depend on clocks."""
    result = run(order, jobs=jobs)
    assert result.whole
    return {number: untimed(one) for number, one in result.outcomes.items()}


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    order = ordered("any", "first")
    one, two, five = (outcomes(order, jobs) for jobs in (1, 2, 5))
    assert one == two == five
    assert list(one) == list(two) == list(range(24))


def test_another_seed_plays_other_games() -> None:
    first, second = (outcomes(ordered("any", "any", seed=seed), 2) for seed in (1, 2))
    assert first != second
    assert not {one.seed for one in first.values()} & {one.seed for one in second.values()}


def test_any_game_is_played_again_alone() -> None:
    many = outcomes(ordered("any", "any"), 2)
    alone = outcomes(ordered("any", "any", games=1, seed=many[17].seed), 1)
    assert alone[0] == many[17]


def test_more_processes_than_games_are_not_started() -> None:
    assert len(outcomes(ordered(games=2), jobs=64)) == 2


def test_progress_counts_up_to_the_end() -> None:
    heard: list[int] = []
    run(ordered(games=9), heard.append, jobs=2)
    assert heard == sorted(heard)
    assert heard[-1] == 9


def test_games_that_fail_are_reported_and_the_others_played() -> None:
    order = ordered("clumsy", "any", games=40)
    result = run(order, jobs=2)
    assert result.whole
    assert 0 < len(result.failures) < 40
    assert len(result.failures) + len(result.outcomes) == 40
    for failure in result.failures:
        assert failure.seed == order.seed_of(failure.number)
        assert "stumbled" in failure.error
        assert "spar/__init__.py:" in failure.error
    again = run(ordered("clumsy", "any", games=1, seed=result.failures[0].seed), jobs=1)
    assert [one.error for one in again.failures] == [result.failures[0].error]


def test_a_game_without_an_end_is_a_failure_with_its_seed() -> None:
    order = msgspec.structs.replace(ordered(games=3), most=5)
    result = run(order, jobs=2)
    assert [one.seed for one in result.failures] == [order.seed_of(n) for n in range(3)]
    assert all("no end after 5" in one.error for one in result.failures)


def test_a_process_that_dies_names_the_game_it_played() -> None:
    result = run(ordered("gone", "any", games=6), jobs=2)
    assert [one.number for one in result.failures] == [0, 1]
    assert all("ended with 9" in one.error for one in result.failures)
    assert not result.whole


@needs_proc
def test_a_run_that_is_cancelled_keeps_what_is_finished_and_leaves_no_process() -> None:
    stop = threading.Event()
    seen: set[int] = set()

    def progress(done: int) -> None:
        seen.update(players(os.getpid()))
        if done >= 1:
            stop.set()

    result = run(ordered("slow", "any", games=500), progress, stop.is_set, jobs=2)
    assert 1 <= result.done < 500
    assert not result.failures
    assert len(seen) == 2
    assert not players(os.getpid())


@needs_proc
def test_bots_that_never_answer_can_be_cancelled_too() -> None:
    began = time.monotonic()
    result = run(ordered("stuck", "any"), cancelled=lambda: time.monotonic() > began + 1, jobs=2)
    assert result.done == 0
    assert not players(os.getpid())


@needs_proc
def test_an_error_meanwhile_leaves_no_process() -> None:
    def progress(done: int) -> None:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        run(ordered("slow", "any"), progress, jobs=2)
    assert not players(os.getpid())


@needs_proc
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_no_process_outlives_the_one_that_started_it(
    environment: dict[str, str], how: signal.Signals
) -> None:
    """Also one that had no time to end them, with bots that would play for ever."""
    code = (
        "from app.simulation.orders import order_for\n"
        "from app.simulation.running import run\n"
        "run(order_for('spar', bots=['stuck'], games=4, seed=1), jobs=2)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment) as process:
        found = wait_for_players(process.pid, 2)
        process.send_signal(how)
        process.wait(20)
    wait_until_gone(found)


def test_orders_that_can_t_be_say_what_there_is() -> None:
    with pytest.raises(Illegal, match="any, first"):
        ordered("nobody")
    with pytest.raises(Missing, match="meeting, duel"):
        order_for("spar", scenario="nowhere", games=1, seed=1)
    with pytest.raises(Missing, match="spar"):
        order_for("nothing", games=1, seed=1)
    with spar.without_bots() as game, pytest.raises(Illegal, match="no bots"):
        order_for(game, games=1, seed=1)
    with pytest.raises(Illegal, match="2 seats"):
        ordered("any", "any", "any")
    with pytest.raises(Illegal, match="again"):
        order_for("spar", rulings={"x": "y"}, games=1, seed=1)
    with pytest.raises(Illegal, match="rows"):
        order_for("spar", setup={"columns": 1}, games=1, seed=1)


def test_the_first_bot_plays_where_none_is_named() -> None:
    assert ordered().bots == {"red": "any", "blue": "any"}
    assert order_for("spar", bots=[None, "first"], games=1, seed=1).bots["blue"] == "first"
