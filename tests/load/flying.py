"""What the largest pieces of Gunslingers cost: the order of flight, and a line that is read as it is typed.

All in this process, on a table of 24 aircraft played by chance, step by step, without a database: the time of
the rules alone.
"""

import random
import time
from collections.abc import Callable
from typing import Any

import msgspec

from app.engine.dice import Cup, Pool, Rolled
from app.engine.sequence import (
    Advance,
    Answer,
    Decision,
    Draft,
    Held,
    Option,
    begin,
    open_decisions,
    play,
    walk,
)
from app.games import registry
from tests.load.drawing import melee
from tests.load.measure import Plan, Row, p50_p99

UNITS = 24


async def flying(plan: Plan) -> list[Row]:
    """Some turns by chance; each order of flight and each line is timed."""
    await plan.calm()
    game: Any = registry.load("gunslingers")
    seats = frozenset({"blue", "red"})
    throw = dice()
    setup = msgspec.convert(melee(UNITS), game.setup)
    state = game.start(setup, game.rulebook.settle({}))
    orders: list[float] = []
    lines: list[float] = []
    held: tuple[Held, ...] = ()
    chance = random.Random(1)
    ordering = 0.0
    played = begin(game, state, throw, pace="step")
    while played.todo is not None and played.state.turn <= plan.of(4, 2):
        command = _next(played.todo, held, chance, lines)
        before = time.perf_counter()
        played = play(game, played.state, command, seats, throw, pace="step", held=held)
        held = played.held
        if played.state.phase == "order":
            ordering += time.perf_counter() - before
        elif ordering:
            orders.append(ordering)
            ordering = 0.0
    return [
        {
            "units": UNITS,
            "orders": len(orders),
            **p50_p99("order of flight ms", orders),
            "lines": len(lines),
            **p50_p99("line ms", lines),
        }
    ]


def _next(
    step: Any, held: tuple[Held, ...], chance: random.Random, lines: list[float]
) -> Answer | Advance:
    """Any answer to the next open question; a line of flight is put together token by token."""
    ids = {one.offer for one in held}
    decision = next((one for one in open_decisions(step) if one.id not in ids), None)
    if decision is None:
        return Advance()
    if decision.draft is not None and decision.id.startswith("fly:"):
        line = walk(decision, lambda read: _any_of(read, chance))
        begun = time.perf_counter()
        decision.draft(line)
        lines.append(time.perf_counter() - begun)
        return Answer(decision.id, line)
    return Answer(decision.id, chance.choice(_free(decision)))


def _any_of(read: Draft, chance: random.Random) -> Option | None:
    """A token that may follow; None at the end of the line."""
    free = [option for option in read.next if option.blocked is None]
    return chance.choice(free) if free else None


def _free(decision: Decision) -> list[Any]:
    return [option.value for option in decision.all_options if option.blocked is None]


def dice() -> Callable[[Pool], Rolled]:
    """A cup that goes on by itself."""
    cup = Cup(bytes(32))
    thrown = 0

    def throw(pool: Pool) -> Rolled:
        nonlocal thrown
        rolled = cup.throw(pool, thrown)
        thrown += pool.count
        return rolled

    return throw
