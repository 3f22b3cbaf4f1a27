"""Every test with a `game` argument runs for each game."""

from functools import lru_cache
from typing import Any

import pytest

from app.engine.game import Game
from tests.contract.fuzz import play_number
from tests.contract.games import game_ids, load
from tests.contract.player import Sitting, pairwise


@pytest.fixture(params=game_ids())
def game(request: pytest.FixtureRequest) -> Game[Any]:
    """One game after another."""
    return load(request.param)


@lru_cache
def _played(game: str) -> tuple[Sitting, ...]:
    loaded = load(game)
    rows = pairwise(loaded)
    return tuple(
        play_number(loaded, scenario, number, rows, pace="step")
        for scenario in loaded.scenarios
        for number in range(max(10, len(rows)))
    )


@pytest.fixture
def sittings(game: Game[Any]) -> tuple[Sitting, ...]:
    """Played games of every scenario, every two rulings met. To be read, not played on.

    They were played step by step, so each roll and effect is a moment of its own.
    """
    return _played(game.meta.id)
