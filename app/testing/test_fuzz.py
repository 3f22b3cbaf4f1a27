"""No dead end, no game without end. `CONTRAIL_FUZZ=10000` plays that many of each scenario.

Left to itself it plays as many of every game, be it of few scenarios or of many, and each of the pairwise
settlements in every scenario.
"""

import os
from itertools import combinations
from typing import Any

import pytest

from app.engine.game import Game
from app.testing.fuzz import fuzz
from app.testing.player import EndlessError, pairwise, play_game

OF_EACH_SCENARIO = int(os.environ.get("CONTRAIL_FUZZ", "0"))
OF_A_GAME = 120
PARTS = 6
"""The games are shared out, so that the processes of a parallel run have them all at once."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_game_comes_to_a_declared_end(game: Game[Any], part: int) -> None:
    games = OF_EACH_SCENARIO or max(OF_A_GAME // len(game.scenarios), len(pairwise(game)))
    share = -(-games // PARTS)
    report = fuzz(game, share, part * share)
    assert report.failures == []
    assert report.games == share * len(game.scenarios)
    assert set(report.endings) <= set(game.endings)


def test_every_two_values_of_rulings_meet_in_some_game(game: Game[Any]) -> None:
    rows = pairwise(game)
    rulings = game.rulebook.rulings
    for a, b in combinations(rulings, 2):
        met = {(row[a], row[b]) for row in rows}
        assert met == {(x.value, y.value) for x in rulings[a].options for y in rulings[b].options}
    for row in rows:
        assert game.rulebook.settle(row) == row


def test_a_game_over_the_limit_is_noticed(game: Game[Any]) -> None:
    """The fuzzer itself must be able to fail."""
    scenario = next(iter(game.scenarios.values()))
    with pytest.raises(EndlessError):
        play_game(game, scenario.setup, {}, 1, max_commands=0)
