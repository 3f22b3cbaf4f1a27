"""One career: missions in a row for the same persons, until one of them can't go on. The same seed, the same career.

Belongs here: how one mission leads to the next, and what is kept of them. Does not belong here: a mission
itself (`playing`) and what many careers say together (`career_counting`).
"""

import time
from collections.abc import Mapping
from typing import Any

import msgspec

from app.engine.errors import BrokenGame
from app.engine.game import Game, Standing
from app.simulation.orders import Order, derived_seed
from app.simulation.playing import Outcome, Thinking, play_to_the_end


class Career(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a career. All but `seconds` and the times in `thinking` follow from the seed.

    `missions` is how many were played; `over` says that no further one could be. `totals` has, by seat and
    label, the total after each mission; `honours` by seat and kind what was held at the end.
    """

    seed: int
    missions: int
    over: bool
    ending: str
    totals: Mapping[str, Mapping[str, tuple[float, ...]]]
    honours: Mapping[str, Mapping[str, Mapping[str, bool]]]
    decisions: int
    seconds: float
    thinking: Mapping[str, Thinking]


def play_career(game: Game[Any], order: Order, seed: int) -> Career:
    """A career of up to so many missions as the order says.

    Its first mission is the game that the career's seed plays; the others have seeds of their own. Raises
    what a mission raises, saying which one it was.
    """
    if game.next_setup is None:
        raise BrokenGame(f"{game.meta.id} has no careers")
    began = time.perf_counter()
    setup: Mapping[str, Any] | None = order.setup
    outcomes: list[Outcome] = []
    standings: list[Mapping[str, Standing]] = []
    while setup is not None and len(outcomes) < order.missions:
        mission = derived_seed(seed, "mission ", len(outcomes))
        outcome, state = play_to_the_end(
            game, setup, order.rulings, order.bots, mission, most=order.most
        )
        outcomes.append(outcome)
        standings.append(game.standings(state))
        setup = game.next_setup(state, setup)
    return Career(
        seed=seed,
        missions=len(outcomes),
        over=setup is None,
        ending=outcomes[-1].reason,
        totals=_totals(standings),
        honours={seat: one.honours for seat, one in standings[-1].items()},
        decisions=sum(one.decisions for one in outcomes),
        seconds=time.perf_counter() - began,
        thinking={seat: _thinking(seat, outcomes) for seat in order.bots},
    )


def _totals(standings: list[Mapping[str, Standing]]) -> dict[str, dict[str, tuple[float, ...]]]:
    return {
        seat: {label: tuple(one[seat].totals[label] for one in standings) for label in last.totals}
        for seat, last in standings[-1].items()
    }


def _thinking(seat: str, outcomes: list[Outcome]) -> Thinking:
    each = [one.thinking[seat] for one in outcomes]
    return Thinking(
        sum(one.decisions for one in each),
        sum(one.seconds for one in each),
        max(one.longest for one in each),
    )
