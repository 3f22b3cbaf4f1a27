"""Spar: the skirmish with bots that do what tests need, as a plug-in that any process can find.

`installed` makes its entry point known, as an installed package does; processes that are started then find
it too.
"""

import contextlib
import dataclasses
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.engine.game import Bot, Fate, Game, Meta, Sight
from app.games import registry

META = Meta(
    id="spar",
    title="Spar",
    summary="The skirmish, for bots.",
    credit="Written for the tests of Contrail",
    players="0",
    minutes="0",
)


def _free(sight: Sight) -> list[Any]:
    return [one.value for one in sight.decision.all_options if one.blocked is None]


def _first(sight: Sight) -> Any:
    return _free(sight)[0]


def _any(sight: Sight) -> Any:
    free = _free(sight)
    return free[sight.die(len(free)) - 1]


def _clumsy(sight: Sight) -> Any:
    """In some games it stumbles."""
    if sight.die(100) == 1:
        raise RuntimeError("stumbled")
    return _any(sight)


def _slow(sight: Sight) -> Any:
    time.sleep(0.05)
    return _any(sight)


def _stuck(sight: Sight) -> Any:
    """It thinks for ever."""
    while True:
        time.sleep(0.01)


def _gone(sight: Sight) -> Any:
    """Its process ends as if it had been killed."""
    os._exit(9)


def _cheat(sight: Sight) -> Any:
    """It answers what nobody offered."""
    return {"win": True}


def _leaving(sight: Sight) -> Any:
    """It ends the program that it thinks is its own."""
    sys.exit("enough")


def _hungry(sight: Sight) -> Any:
    """It takes all the memory that there is, and keeps it."""
    while True:
        _EATEN.append(bytes(16 * 1024 * 1024))


def _gabby(sight: Sight) -> Any:
    """Its answer has no end."""
    return "x" * 10_000_000


_EATEN: list[bytes] = []

PLANES = (("red1", "red", "hit"), ("blue1", "blue", "caught"), ("red2", "red", "lost its leader"))

BOTS = tuple(
    Bot(choose.__name__[1:], choose.__name__[1:].title(), choose.__doc__ or "For tests.", choose)
    for choose in (_any, _first, _clumsy, _slow, _stuck, _gone, _cheat, _leaving, _hungry, _gabby)
)


def _fates(state: Any) -> list[Fate]:
    """Whoever is not there any more; only the larger scenario has wingmen."""
    left = {plane.id for plane in state.planes}
    began = PLANES if state.turns == 4 else PLANES[:2]
    return [Fate(unit, seat, cause) for unit, seat, cause in began if unit not in left]


def _measures(state: Any) -> dict[str, dict[str, Any]]:
    """How many planes a side has left, and whether its leader is one of them."""
    return {
        seat: {
            "leader up": any(plane.leader for plane in state.of(seat)),
            "planes left": len(state.of(seat)),
        }
        for seat in ("red", "blue")
    }


def load() -> Game[Any]:
    """The game."""
    from tests.skirmish.plugin import GAME

    return dataclasses.replace(GAME, meta=META, bots=BOTS, fates=_fates, measures=_measures)


def write_entry_point(folder: Path) -> Path:
    """A folder that makes Spar an installed game for whoever has it on the path."""
    about = folder / "spar-1.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: spar\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{registry.GROUP}]\nspar = {__name__}\n")
    return folder


@contextlib.contextmanager
def installed(folder: Path) -> Generator[None]:
    """Spar is among the games, here and in the processes that are started from here."""
    found = {**registry._plugins(), META.id: sys.modules[__name__]}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(write_entry_point(folder)))
        patch.setattr(registry, "_plugins", lambda: found)
        yield


@contextlib.contextmanager
def without_bots() -> Generator[str]:
    """The id of a game in which nobody could play by itself."""
    game = dataclasses.replace(load(), bots=())
    found = {**registry._plugins(), "boneless": SimpleNamespace(META=META, load=lambda: game)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_plugins", lambda: found)
        yield "boneless"
