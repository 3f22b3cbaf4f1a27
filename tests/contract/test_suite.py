"""The suite itself: nothing of it is lost on the way here, it asks for nothing but laws, and it can fail."""

import importlib
import pkgutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import app.testing
from app import games
from app.testing import suite
from app.testing.games import game_ids, load
from app.testing.test_drafts import asked
from app.testing.test_showing import seen
from tests import skirmish

ROOT = Path(__file__).parents[2]


def test_each_test_of_the_suite_is_run_here() -> None:
    """A name that two modules have would hide one of them."""
    modules = [
        importlib.import_module(f"app.testing.{one.name}")
        for one in pkgutil.iter_modules(app.testing.__path__)
        if one.name.startswith("test_")
    ]
    assert {one.__name__.rpartition("test_")[2] for one in modules} == set(suite.NAMES)
    tests = Counter(
        name
        for module in modules
        for name, there in vars(module).items()
        if name.startswith("test_") and getattr(there, "__module__", "") == module.__name__
    )
    assert [name for name, times in tests.items() if times > 1] == []
    assert set(tests) <= set(vars(suite))


def test_every_folder_of_games_is_a_game_that_loads() -> None:
    """The registry passes over what is broken; here it must not go unnoticed."""
    folders = {one.name for one in pkgutil.iter_modules(games.__path__) if one.ispkg}
    # A folder can't have the dash that an id may have.
    assert folders <= {game.replace("-", "_") for game in game_ids()}
    for game in game_ids():
        assert load(game).meta.id == game


def test_the_skirmish_tries_what_few_games_have() -> None:
    """Lines and orders, so that those laws are tried in one game at least; persons in another."""
    from app.testing.fixtures import played

    sittings = played(skirmish.META.id)
    assert next(asked(sittings), None) is not None
    assert any(
        sitting.game.queue(state, viewer) is not None for sitting, state, viewer in seen(sittings)
    )
    assert any(load(game).people is not None for game in game_ids())


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The suite as a command."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "app.testing.plugin"]
    command += ["-p", "no:cacheprovider", "-p", "no:xdist", "--pyargs", "app.testing", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )


def test_a_game_of_one_choice_and_one_die_keeps_it() -> None:
    """No number of entries, units, options, dice or seats is asked for without being said."""
    done = run("--game", "tests.simulation.sortie")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert "passed" in done.stdout


def test_a_game_that_is_not_there_is_named() -> None:
    done = run("--game", "no-such-game")
    assert done.returncode == 4
    assert "There is no game and no package 'no-such-game'" in done.stderr
    assert "osaaf" in done.stderr
    assert "Traceback" not in done.stderr
