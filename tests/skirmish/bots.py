"""Bots that need no wits: one takes what comes first, one leaves it to its die."""

from typing import Any

from app.engine.game import Bot, Sight
from app.engine.sequence import Draft, Option, walk


def _free(sight: Sight) -> list[Any]:
    return [option.value for option in sight.decision.all_options if option.blocked is None]


def _first(sight: Sight) -> Any:
    return _free(sight)[0]


def _any(sight: Sight) -> Any:
    if sight.decision.draft is not None:
        return walk(sight.decision, lambda line: _any_token(sight, line))
    free = _free(sight)
    return free[sight.die(len(free)) - 1]


def _any_token(sight: Sight, line: Draft) -> Option | None:
    free = [option for option in line.next if option.blocked is None]
    if not free or (line.whole and sight.die(2) == 1):
        return None
    return free[sight.die(len(free)) - 1]


BOTS = (
    Bot("plain", "Plain", "Takes what comes first.", _first, "skirmish-2.1"),
    Bot("dicey", "Dicey", "Lets its die decide.", _any),
)
