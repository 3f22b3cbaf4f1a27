"""Each way in which a game says it can end is a way in which it does end."""

import importlib
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from app.engine.game import Game
from app.engine.log import Finished
from app.testing.fuzz import fuzz
from app.testing.player import Rulings, Sitting, play_game

SetUps = Iterator[tuple[Mapping[str, Any], Rulings]]


def more_set_ups(game: Game[Any]) -> SetUps:
    """Set-ups for endings that chance hardly brings about in the scenarios.

    A game's tests may have a module `tests.games.<id>.endings` (a dash is written "_") with `set_ups(game)`, which yields set-up
    and rulings; each is played ten times at random.
    """
    module = f"tests.games.{game.meta.id.replace('-', '_')}.endings"
    try:
        found = find_spec(module)
    except ModuleNotFoundError:
        found = None
    if found is not None:
        yield from importlib.import_module(module).set_ups(game)


def test_every_declared_ending_is_reached(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    reached = {sitting.state.result.reason for sitting in sittings}
    if missing := set(game.endings) - reached:
        for setup, rulings in more_set_ups(game):
            played = (play_game(game, setup, rulings, seed) for seed in range(10))
            reached |= {sitting.state.result.reason for sitting in played}
    if missing := set(game.endings) - reached:
        reached |= set(fuzz(game, 100, seed=5000).endings)
        missing = set(game.endings) - reached
    assert missing == set()
    assert reached <= set(game.endings)


def test_the_last_fact_says_how_it_ended(sittings: tuple[Sitting, ...]) -> None:
    for sitting in sittings:
        last = sitting.entries[-1].event
        assert isinstance(last, Finished)
        assert last.result == sitting.state.result
        assert last.result.text
        assert set(last.result.winners) <= set(sitting.seats)
        assert set(last.result.scores) <= set(sitting.seats)
        ends = [entry for entry in sitting.entries if isinstance(entry.event, Finished)]
        assert len(ends) == 1
