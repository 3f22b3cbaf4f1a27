"""Missions flown by bots, many of them, for tests of what comes out on average."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import msgspec

from app.bots import answer
from app.engine.dice import Pool, Rolled
from app.engine.game import Bot
from app.engine.sequence import begin, open_decisions, play
from app.games.f14_tomcats.model import State
from tests.games.f14_tomcats.table import ALL, GAME


def fly(data: Mapping[str, Any], bot: Bot, seed: int, rulings: Mapping[str, str] | None = None):
    """One mission to its end."""
    rng = random.Random(seed)

    def throw(pool: Pool) -> Rolled:
        return Rolled(pool, tuple(rng.randint(1, 6) for _ in range(pool.count)))

    settled = GAME.rulebook.settle(rulings or {})
    state: State = GAME.start(msgspec.convert(data, GAME.setup), settled)
    played = begin(GAME, state, throw)
    while played.todo is not None:
        [decision] = open_decisions(played.todo)
        command = answer(GAME, played.state, decision, bot, rng)
        played = play(GAME, played.state, command, ALL, throw, known=played.todo)
    return played.state


@dataclass
class Sample:
    """Numbers, one a mission."""

    values: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """Their average."""
        return sum(self.values) / len(self.values)

    @property
    def error(self) -> float:
        """The standard error of the average."""
        mean, n = self.mean, len(self.values)
        return sqrt(sum((value - mean) ** 2 for value in self.values) / n / n)

    def fits(self, expected: float, slack: float = 0.0) -> bool:
        """Whether the average is what was expected: four standard errors, and a slack for estimates."""
        return abs(self.mean - expected) <= 4 * self.error + slack


@dataclass
class Tally:
    """What became of one jet."""

    home: Sample = field(default_factory=Sample)
    rescued: Sample = field(default_factory=Sample)
    points: Sample = field(default_factory=Sample)
    kills: Sample = field(default_factory=Sample)
    destroyed: Sample = field(default_factory=Sample)


def fly_many(
    data: Mapping[str, Any],
    bot: Bot,
    seeds: range,
    rulings: Mapping[str, str] | None = None,
) -> dict[str, Tally]:
    """The tallies of each jet."""
    tallies: dict[str, Tally] = {}
    for seed in seeds:
        state = fly(data, bot, seed, rulings)
        for name, jet in state.jets.items():
            tally = tallies.setdefault(name, Tally())
            tally.home.values.append(jet.status == "landed")
            tally.rescued.values.append(jet.status == "rescued")
            tally.points.values.append(jet.points)
            tally.kills.values.append(jet.kills)
            tally.destroyed.values.append(sum(one.destroyed for one in state.targets))
    return tallies
