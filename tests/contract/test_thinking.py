"""Bots that think elsewhere: what their seat sees says, alone, what they are asked."""

import random
from typing import Any

import pytest

from app.bots import asked_in, seen_from
from app.engine.game import Game
from app.engine.sequence import Answer, Decision
from app.testing.games import game_ids, load
from app.testing.player import MOST_COMMANDS, Sitting, askable, at_random
from app.testing.test_secrets import Planter, keeps_secrets
from app.thinking.wire import Question, packed, unpacked


def shown(decision: Decision) -> list[object]:
    """All of a question that a bot can go by, but odds, which are functions."""
    options = [
        (one.key, one.label, one.detail, one.cost, one.blocked, one.place, one.path, one.facing)
        for one in decision.all_options
    ]
    line = None if decision.draft is None else decision.reading("").next
    return [
        decision.title,
        decision.unit,
        decision.why,
        decision.step,
        decision.sealed,
        decision.initial,
        decision.schema,
        options,
        None if line is None else [(one.key, one.blocked) for one in line],
    ]


def asked(game: Game[Any], state: Any, decision: Decision) -> bytes:
    """What goes to the process in which the bot of a seat thinks."""
    seen = seen_from(game, state, decision.seat)
    return packed(Question(game.meta.id, "", decision.seat, decision.id, 1, seen))


WITH_BOTS = [game for game in game_ids() if load(game).bots]


@pytest.mark.parametrize("game", WITH_BOTS)
def test_no_secret_of_another_seat_goes_to_a_bot(game: str) -> None:
    """Each secret that it must not know is swapped for a word, and the bytes have none."""
    played, planted = load(game), 0
    for number, scenario in enumerate(played.scenarios.values()):
        sitting, rng = Sitting.open(played, scenario.setup, {}, number), random.Random(number)
        for _ in range(MOST_COMMANDS):
            if sitting.todo() is None:
                break
            for decision in askable(sitting):
                planter = Planter(frozenset({decision.seat}))
                sent = asked(played, planter.plant(sitting.state), decision)
                planted += len(planter.tokens)
                assert not [token for token in planter.tokens if token.encode() in sent]
            decision = rng.choice(askable(sitting))
            sitting.do(decision.seat, Answer(decision.id, at_random(rng, decision)))
    assert planted or not keeps_secrets(played)


@pytest.mark.parametrize("game", WITH_BOTS)
def test_a_seat_is_asked_the_same_by_what_it_sees(game: str) -> None:
    """A question that depended on what its seat can't see would tell of it."""
    played = load(game)
    for number, scenario in enumerate(played.scenarios.values()):
        sitting, rng = Sitting.open(played, scenario.setup, {}, number), random.Random(number)
        for _ in range(MOST_COMMANDS):
            if sitting.todo() is None:
                break
            for decision in askable(sitting):
                seen = seen_from(played, sitting.state, decision.seat)
                sent = unpacked(asked(played, sitting.state, decision)).seen
                assert sent == seen
                there = asked_in(played, sent, decision.seat, decision.id)
                assert shown(there) == shown(decision)
            decision = rng.choice(askable(sitting))
            sitting.do(decision.seat, Answer(decision.id, at_random(rng, decision)))
