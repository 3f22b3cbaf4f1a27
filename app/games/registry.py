"""Finds the games: subpackages of `app.games`, then entry points of the group "contrail.games".

A plug-in is a package with META (what the home page shows) and `load()` (the whole Game), and a folder
with its templates. A broken one is reported in the log of the server, and the others go on. Belongs
here: finding and loading. Does not belong here: anything about a particular game.
"""

import importlib
import logging
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any

import app.games
from app.engine.errors import Missing
from app.engine.game import Game, Meta

GROUP = "contrail.games"

_log = logging.getLogger(__name__)


def metas() -> Mapping[str, Meta]:
    """What is known of each game without loading its rules, by id, in the order they were found."""
    return {game: plugin.META for game, plugin in _plugins().items()}


@cache
def load(game: str) -> Game[Any]:
    """The game of an id; loaded once. Raises Missing when there is none, or when it does not load."""
    plugin = _plugin(game)
    try:
        loaded: Game[Any] = plugin.load()
    except Exception:
        _log.exception("the game %s does not load", game)
        raise Missing(f"The game {game!r} does not load here; the server's log says why.") from None
    return loaded


def folder(game: str) -> Traversable:
    """The folder of a game's package, with its templates and static files. Raises Missing."""
    return files(_plugin(game))


def _plugin(game: str) -> ModuleType:
    try:
        return _plugins()[game]
    except KeyError:
        known = ", ".join(_plugins())
        raise Missing(f"There is no game {game!r} here; there is {known}.") from None


@cache
def _plugins() -> Mapping[str, ModuleType]:
    return _find()


def _find() -> Mapping[str, ModuleType]:
    """Every plug-in that can be imported, by the id in its META; the first of an id stands."""
    found: dict[str, ModuleType] = {}
    for name in _names():
        try:
            plugin = importlib.import_module(name)
            meta: Meta = plugin.META
        except Exception:
            _log.exception("the plug-in %s can't be imported", name)
            continue
        if meta.id in found:
            _log.error("the plug-in %s is passed over: there is a game %s already", name, meta.id)
            continue
        found[meta.id] = plugin
    return found


def _names() -> Iterator[str]:
    """Modules that say they are games: our own subpackages first."""
    for module in pkgutil.iter_modules(app.games.__path__, f"{app.games.__name__}."):
        if module.ispkg:
            yield module.name
    for entry in entry_points(group=GROUP):
        yield entry.module
