"""What tests may ask for: each game, and games of it that were played."""

import gc
from functools import lru_cache
from typing import Any

import pytest

from app.engine.game import Game
from app.testing.fuzz import play_number
from app.testing.games import game_ids, load
from app.testing.player import Sitting, pairwise


@pytest.fixture(params=game_ids())
def game(request: pytest.FixtureRequest) -> Game[Any]:
    """One game after another."""
    return load(request.param)


@pytest.fixture(params=[game for game in game_ids() if load(game).people is not None])
def peopled(request: pytest.FixtureRequest) -> Game[Any]:
    """One game whose persons outlive a table after another."""
    return load(request.param)


ENOUGH = 30_000
"""Moments after which no more games are played: of a game that takes long, there are fewer."""


@lru_cache
def played(game: str) -> tuple[Sitting, ...]:
    """Each settlement in one scenario after another, then the same in the other scenarios until there is enough."""
    loaded = load(game)
    rows, scenarios = pairwise(loaded), list(loaded.scenarios)
    found: list[Sitting] = []
    for further in range(len(scenarios)):
        if sum(len(sitting.moments) for sitting in found) >= ENOUGH:
            break
        for number in range(max(10, len(rows), len(scenarios))):
            scenario = scenarios[(number + further) % len(scenarios)]
            found.append(play_number(loaded, scenario, number, rows, pace="step"))
            gc.freeze()  # it is kept to the end: no use to look through it for garbage again and again
    return tuple(found)


@pytest.fixture
def sittings(game: Game[Any]) -> tuple[Sitting, ...]:
    """Played games of every scenario, every two rulings met. To be read, not played on.

    They were played step by step, so each roll and effect is a moment of its own.
    """
    return played(game.meta.id)
