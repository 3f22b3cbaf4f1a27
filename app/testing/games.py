"""The games under test: every registered one, and the skirmish."""

from typing import Any

from app.engine.game import Game
from app.games import registry
from tests import skirmish


def game_ids() -> tuple[str, ...]:
    """All of them; a game that is added to the registry is tested without another word."""
    return (skirmish.META.id, *registry.metas())


def load(game: str) -> Game[Any]:
    """The game of an id."""
    return skirmish.load() if game == skirmish.META.id else registry.load(game)
