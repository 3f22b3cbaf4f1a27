"""The games under test: those that were named, else every registered one and those that were added.

Belongs here: which games. Does not belong here: how they are played; see `player`.
"""

import importlib
from types import ModuleType
from typing import Any

from app.engine.errors import Missing
from app.engine.game import Game
from app.games import registry

_only: list[str] = []
_added: dict[str, ModuleType] = {}


def add(package: str) -> str:
    """Test the game of a package that nobody has registered, beside the others. Returns its id."""
    plugin = importlib.import_module(package)
    _added[plugin.META.id] = plugin
    return plugin.META.id


def only(*games: str) -> None:
    """Test these games and no others, each by its id or its package. Raises Missing."""
    found = [game if game in registry.metas() else _from(game) for game in games]
    _only[:] = found


def _from(package: str) -> str:
    try:
        return add(package)
    except ModuleNotFoundError as missing:
        known = ", ".join(registry.metas())
        raise Missing(
            f"There is no game and no package {package!r} here ({missing}). Games here: {known}."
        ) from None


def game_ids() -> tuple[str, ...]:
    """All of them; a game that is added to the registry is tested without another word."""
    return tuple(_only) or (*_added, *registry.metas())


def load(game: str) -> Game[Any]:
    """The game of an id."""
    return _added[game].load() if game in _added else registry.load(game)
