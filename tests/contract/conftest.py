"""The games of this project, and set-ups for their rare endings."""

import importlib
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from app.engine.game import Game
from app.testing import games
from app.testing.plugin import SetUps

games.add("tests.skirmish")

from app.testing.fixtures import game, peopled, sittings  # noqa: E402

__all__ = ["game", "more_set_ups", "peopled", "sittings"]


@pytest.fixture
def more_set_ups() -> Callable[[Game[Any]], SetUps]:
    """Those of the module `tests.games.<id>.endings`, where there is one; a dash is written "_"."""

    def found(game: Game[Any]) -> SetUps:
        module = f"tests.games.{game.meta.id.replace('-', '_')}.endings"
        try:
            there = find_spec(module) is not None
        except ModuleNotFoundError:
            there = False
        return importlib.import_module(module).set_ups(game) if there else iter(())

    return found
