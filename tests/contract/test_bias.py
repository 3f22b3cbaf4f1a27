"""Luck over many games of two of them: it has no bias."""

import math
from collections import defaultdict
from functools import lru_cache

from app.tables.luck import KindLuck
from app.testing.games import load
from app.testing.player import play_game
from app.testing.test_luck import kinds_of, live_table


@lru_cache(maxsize=1)
def many_games() -> tuple[KindLuck, ...]:
    """Every kind of every seat over many games, with the same dice each time that this runs."""
    found: list[KindLuck] = []
    for game_id, scenario, number in (("osaaf", "duel", 25), ("skirmish", "meeting", 120)):
        game = load(game_id)
        for seed in range(number):
            sitting = play_game(game, game.scenarios[scenario].setup, {}, seed)
            found += kinds_of(live_table(game, sitting)).values()
    return tuple(found)


def test_luck_has_no_bias_over_many_games() -> None:
    """What was rolled beyond expectation is a walk of fair steps; fixed seeds, so no chance of its own."""
    kinds = [kind for kind in many_games() if kind.variance]
    assert len(kinds) > 150
    by_label: dict[str, list[KindLuck]] = defaultdict(list)
    for kind in kinds:
        by_label[kind.label].append(kind)
    for label, some in by_label.items():
        walk = sum(kind.rolled - kind.expected for kind in some)
        spread = math.sqrt(sum(kind.variance for kind in some))
        assert abs(walk) < 3.3 * spread, label
    mean = sum(kind.z for kind in kinds) / len(kinds)
    assert abs(mean) < 3.3 / math.sqrt(len(kinds))
    square = sum(kind.z**2 for kind in kinds) / len(kinds)
    assert 0.7 < square < 1.3
    middle = sum(kind.percentile for kind in kinds) / len(kinds)
    assert abs(middle - 0.5) < 3.3 * math.sqrt(1 / 12 / len(kinds))
