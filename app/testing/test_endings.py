"""Each way in which a game says it can end is a way in which it does end."""

from collections.abc import Callable
from typing import Any

from app.engine.game import Game
from app.engine.log import Finished
from app.testing.fuzz import fuzz
from app.testing.player import Sitting, play_game
from app.testing.plugin import SetUps


def test_every_declared_ending_is_reached(
    game: Game[Any],
    sittings: tuple[Sitting, ...],
    more_set_ups: Callable[[Game[Any]], SetUps],
) -> None:
    reached = {sitting.state.result.reason for sitting in sittings}
    if missing := set(game.endings) - reached:
        for setup, rulings in more_set_ups(game):
            played = (play_game(game, setup, rulings, seed) for seed in range(10))
            reached |= {sitting.state.result.reason for sitting in played}
    if missing := set(game.endings) - reached:
        reached |= set(fuzz(game, 100, seed=5000).endings)
        missing = set(game.endings) - reached
    assert missing == set()
    assert reached <= set(game.endings)


def test_the_last_fact_says_how_it_ended(sittings: tuple[Sitting, ...]) -> None:
    for sitting in sittings:
        last = sitting.entries[-1].event
        assert isinstance(last, Finished)
        assert last.result == sitting.state.result
        assert last.result.text
        assert set(last.result.winners) <= set(sitting.seats)
        assert set(last.result.scores) <= set(sitting.seats)
        ends = [entry for entry in sitting.entries if isinstance(entry.event, Finished)]
        assert len(ends) == 1
