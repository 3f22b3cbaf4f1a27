"""The largest fight that a set-up allows: what is offered in it is accepted, and it goes on."""

from typing import Any

import msgspec

from app.engine.sequence import Answer, begin, open_decisions, play
from app.games import registry
from tests.load.drawing import melee
from tests.load.flying import dice

SEATS = frozenset({"blue", "red"})


def test_all_that_is_offered_to_twenty_four_aircraft_is_accepted() -> None:
    game: Any = registry.load("gunslingers")
    setup = msgspec.convert(melee(24), game.setup)
    throw = dice()
    played = begin(game, game.start(setup, game.rulebook.settle({"fog": "table"})), throw)
    while played.state.phase != "flight":
        held = {one.offer for one in played.held}
        decision = next(one for one in open_decisions(played.todo) if one.id not in held)
        free = [option for option in decision.all_options if option.blocked is None]
        for option in free:
            decision.accept(option.value)
        command = Answer(decision.id, free[-1].value)
        played = play(game, played.state, command, SEATS, throw, held=played.held)
    assert len(played.state.order) == 24
