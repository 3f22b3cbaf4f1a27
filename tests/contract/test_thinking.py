"""Bots that think elsewhere: what their seat sees says, alone, what they are asked."""

import pickle
import random

import pytest

from app.bots import asked_in, seen_from
from app.engine.sequence import Answer, Decision
from tests.contract.games import game_ids, load
from tests.contract.player import MOST_COMMANDS, Sitting, askable, at_random


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


@pytest.mark.parametrize("game", [game for game in game_ids() if load(game).bots])
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
                sent = pickle.loads(pickle.dumps(seen, pickle.HIGHEST_PROTOCOL))
                assert sent == seen
                there = asked_in(played, sent, decision.seat, decision.id)
                assert shown(there) == shown(decision)
            decision = rng.choice(askable(sitting))
            sitting.do(decision.seat, Answer(decision.id, at_random(rng, decision)))
