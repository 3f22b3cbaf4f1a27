"""One game between bots: it follows from its seed, and ends or says why not."""

import dataclasses
from typing import Any

import msgspec
import pytest

from app.engine.errors import BrokenGame, Illegal
from app.engine.game import Bot, Game
from app.games import registry
from app.simulation.playing import Outcome, Thinking, play_one
from tests.simulation import spar

ANY = {"red": "any", "blue": "any"}


def untimed(outcome: Outcome) -> Outcome:
    """An outcome without what the clock said."""
    thinking = {seat: Thinking(one.decisions) for seat, one in outcome.thinking.items()}
    return msgspec.structs.replace(outcome, seconds=0.0, thinking=thinking)


def setup(game: Game[Any], scenario: str = "meeting") -> Any:
    """A scenario's set-up."""
    return game.scenarios[scenario].setup


def test_the_same_seed_plays_the_same_game(game: Game[Any]) -> None:
    games = [untimed(play_one(game, setup(game), {}, ANY, seed)) for seed in range(12)]
    again = [untimed(play_one(game, setup(game), {}, ANY, seed)) for seed in range(12)]
    assert games == again
    assert len({msgspec.json.encode(msgspec.structs.replace(g, seed=0)) for g in games}) > 6


def test_an_outcome_says_who_won_and_what_was_lost(game: Game[Any]) -> None:
    games = [play_one(game, setup(game), {}, ANY, seed) for seed in range(40)]
    assert {one.reason for one in games} <= set(game.endings)
    assert any(one.winners for one in games)
    assert any(one.fates for one in games)
    for one in games:
        assert set(one.winners) <= {"red", "blue"}
        assert 1 <= one.turns <= 4
        assert one.decisions == sum(seat.decisions for seat in one.thinking.values())
        assert all(0 <= t.longest <= t.seconds <= one.seconds for t in one.thinking.values())


def test_dice_of_a_bots_own_change_neither_the_games_nor_the_others(game: Game[Any]) -> None:
    def wasteful(sight: Any) -> Any:
        for _ in range(7):
            sight.die(6)
        return spar._first(sight)

    more = dataclasses.replace(game, bots=(*game.bots, Bot("wasteful", "Wasteful", "", wasteful)))
    for seed in range(10):
        plain = play_one(more, setup(game), {}, {"red": "first", "blue": "any"}, seed)
        waste = play_one(more, setup(game), {}, {"red": "wasteful", "blue": "any"}, seed)
        assert untimed(plain) == untimed(waste)


def test_rulings_reach_the_game(game: Game[Any]) -> None:
    ruling = game.rulebook.rulings["again"]
    other = next(one.value for one in ruling.options if one.value != ruling.default)
    seeds = range(40)
    default = [untimed(play_one(game, setup(game), {}, ANY, seed)) for seed in seeds]
    changed = [untimed(play_one(game, setup(game), {"again": other}, ANY, seed)) for seed in seeds]
    assert default != changed


@pytest.mark.parametrize(
    ("setup_", "rulings", "bots", "says"),
    [
        (None, {}, {"red": "any"}, "seat blue"),
        (None, {}, {"red": "any", "blue": "nobody"}, "any, first"),
        (None, {"again": "never"}, ANY, "again"),
        ({"columns": "wide"}, {}, ANY, "columns"),
        ({}, {}, ANY, "columns"),
    ],
)
def test_what_can_t_be_is_refused(
    game: Game[Any], setup_: Any, rulings: dict[str, str], bots: dict[str, str], says: str
) -> None:
    with pytest.raises(Illegal, match=says):
        play_one(game, setup(game) if setup_ is None else setup_, rulings, bots, 1)


def test_a_game_without_an_end_is_broken(game: Game[Any]) -> None:
    whole = play_one(game, setup(game), {}, ANY, 3)
    assert play_one(game, setup(game), {}, ANY, 3, most=whole.decisions).turns == whole.turns
    with pytest.raises(BrokenGame, match="no end after"):
        play_one(game, setup(game), {}, ANY, 3, most=whole.decisions - 1)


def test_an_answer_that_nobody_offered_is_broken(game: Game[Any]) -> None:
    with pytest.raises(BrokenGame, match="cheat"):
        play_one(game, setup(game), {}, {"red": "any", "blue": "cheat"}, 1)


def first_against_last(game: Game[Any], scenario: str) -> Outcome:
    """The first bot in the first seat, the last one in all others."""
    seats = game.seats(msgspec.convert(setup(game, scenario), game.setup))
    bots = {seat.id: game.bots[-(n > 0)].id for n, seat in enumerate(seats)}
    outcome = play_one(game, setup(game, scenario), {}, bots, 1)
    assert outcome.reason in game.endings
    assert {fate.seat for fate in outcome.fates} <= set(bots)
    return untimed(outcome)


real_games = pytest.mark.parametrize("game_id", list(registry.metas()))


@real_games
def test_bots_of_every_game_play_it_to_its_end(game_id: str) -> None:
    real = registry.load(game_id)
    if real.bots:
        first_against_last(real, next(iter(real.scenarios)))


@real_games
@pytest.mark.slow
def test_bots_of_every_game_play_every_scenario_again_the_same(game_id: str) -> None:
    real = registry.load(game_id)
    for scenario in real.scenarios if real.bots else ():
        assert first_against_last(real, scenario) == first_against_last(real, scenario)
