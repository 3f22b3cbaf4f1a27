"""Bots of every game: each plays a whole game against random choices, by what its own seat sees alone."""

import random
from typing import Any

import pytest

from app.bots import answer, bot_of, seated
from app.engine.game import Bot, Game
from app.engine.sequence import Answer
from app.tables.live import setup_of
from app.testing.games import game_ids, load
from app.testing.player import MOST_COMMANDS, Sitting, askable, at_random

BOTS = [(game, bot) for game in game_ids() for bot in load(game).bots]


@pytest.mark.parametrize(("game", "bot"), BOTS, ids=[f"{game}-{bot.id}" for game, bot in BOTS])
@pytest.mark.parametrize("side", [0, 1])
def test_a_bot_plays_a_whole_game(game: str, bot: Bot, side: int) -> None:
    """It is asked all that is asked of its seat, and answers with what is allowed (or `answer` raises)."""
    if side >= most_seats(load(game)):
        pytest.skip("there is no such seat in any scenario")
    asked, sitting = play_bot(load(game), bot, side, seed=side)
    assert asked > 0
    assert sitting.state.result is not None


def test_a_bot_is_called_by_its_name(game: Game[Any]) -> None:
    """Its id is its title in small letters; what it was called formerly still finds it, and nobody else."""
    ids = [one for bot in game.bots for one in (bot.id, *bot.formerly)]
    assert len(ids) == len(set(ids))
    for bot in game.bots:
        assert bot.id == bot.title.lower().replace(" ", "-")
        for known in (bot.id, *bot.formerly):
            assert bot_of(game, known) is bot
            assert seated(game, {"a": known}) == {"a": bot}


def most_seats(game: Game[Any]) -> int:
    """How many seats there are in the scenario that has most."""
    return max(len(game.seats(setup_of(game, one.setup))) for one in game.scenarios.values())


def play_bot(game: Game[Any], bot: Bot, side: int, seed: int) -> tuple[int, Sitting]:
    """A game of the first scenario with such a side; how often the bot was asked, and the table."""
    setups = (scenario.setup for scenario in game.scenarios.values())
    played = next(one for one in setups if len(game.seats(setup_of(game, one))) > side)
    sitting = Sitting.open(game, played, {}, seed)
    rng, chance, asked = random.Random(seed), random.Random(seed), 0
    for _ in range(MOST_COMMANDS):
        if sitting.todo() is None:
            break
        decision = rng.choice(askable(sitting))
        if decision.seat == sitting.seats[side]:
            asked += 1
            command = answer(game, sitting.state, decision, bot, chance)
        else:
            command = Answer(decision.id, at_random(rng, decision))
        sitting.do(decision.seat, command)
    return asked, sitting
