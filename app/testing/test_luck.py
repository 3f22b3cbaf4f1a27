"""Luck and history of any game: sums as by brute force, no bias over many games, one fold of the log."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.chance import Chance
from app.engine.game import Game
from app.engine.log import Entry, Finished, Result
from app.engine.secret import redact
from app.engine.sequence import Roll
from app.tables.history import timeline
from app.tables.live import Claim, LiveTable
from app.tables.luck import KindLuck, _mid_rank, luck
from app.testing.player import Sitting

LARGEST = 6**5
"""Throws that are still gone through one by one."""


def live_table(game: Game[Any], sitting: Sitting, entries: Sequence[Entry] = ()) -> LiveTable:
    """A played game as tables keep it."""
    about = {"id": "t", "name": "T", "owner": "o", "listed": False}
    claims = [Claim(seat, "invite") for seat in sitting.seats]
    return LiveTable(game, about, claims, bytes(32), entries or sitting.entries)


def kinds_of(table: LiveTable) -> dict[tuple[str, str], KindLuck]:
    """All kinds of all seats."""
    return {(seat.seat, kind.label): kind for seat in luck(table).seats for kind in seat.kinds}


_known: dict[Any, tuple[float, float] | None] = {}


def moments_of(chance: Chance) -> tuple[float, float] | None:
    """The same for equal keys, as chances promise."""
    if chance.key is None:
        return gone_through(chance)
    if chance.key not in _known:
        _known[chance.key] = gone_through(chance)
    return _known[chance.key]


def gone_through(chance: Chance) -> tuple[float, float] | None:
    """Mean and variance over every single throw; None where one of them is no number."""
    pool = chance.pool
    results = [
        chance.outcome(tuple(sorted(faces)))
        for faces in product(range(1, pool.sides + 1), repeat=pool.count)
    ]
    if not all(isinstance(result, int | float) for result in results):
        return None
    mean = sum(results) / len(results)
    return mean, sum((result - mean) ** 2 for result in results) / len(results)


def test_sums_are_those_of_brute_force(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    compared = 0
    for sitting in sittings[::3]:
        sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0, 0, 0])
        skipped: set[tuple[str, str]] = set()
        for moment in sitting.moments:
            step = moment.step
            if not isinstance(step, Roll) or step.odds is None or not step.pool.count:
                continue
            chance, key = step.odds.chance, (step.seat, step.odds.label)
            assert isinstance(chance, Chance)
            if chance.pool.sides**chance.pool.count > LARGEST or step.odds.good == "none":
                skipped.add(key)
                continue
            moments = moments_of(chance)
            dice = moment.played.happenings[0].dice
            assert dice is not None
            if moments is None:
                continue
            result = chance.outcome(dice.faces)
            for n, more in enumerate((1, float(result), *moments)):
                sums[key][n] += more
        told = kinds_of(live_table(game, sitting))
        for key, (n, rolled, expected, variance) in sums.items():
            if key in skipped:
                continue
            kind = told[key]
            assert (kind.n, kind.rolled) == (n, rolled)
            assert kind.expected == pytest.approx(expected)
            assert kind.variance == pytest.approx(variance, abs=1e-9)
            if variance:
                assert abs(kind.z) == pytest.approx(abs(rolled - expected) / math.sqrt(variance))
            compared += 1
        assert told.keys() <= sums.keys() | skipped
    if not compared:
        pytest.skip("no roll of this game has odds of a number that can be gone through")


Weights = st.dictionaries(st.integers(-3, 6), st.integers(1, 6), min_size=1, max_size=4)


@given(st.lists(Weights, min_size=1, max_size=4))
def test_the_rank_of_a_sum_is_that_of_brute_force(weights: list[Mapping[int, int]]) -> None:
    odds: list[Any] = [
        {value: w / sum(one.values()) for value, w in one.items()} for one in weights
    ]
    sums: Counter[int] = Counter()
    for throw in product(*(one.items() for one in weights)):
        sums[sum(value for value, _ in throw)] += math.prod(weight for _, weight in throw)
    total, mean = sum(sums.values()), 0.0
    for rolled, weight in sums.items():
        below = sum(w for value, w in sums.items() if value < rolled)
        rank = _mid_rank(odds, rolled)
        assert rank == pytest.approx((below + weight / 2) / total)
        mean += rank * weight / total
    assert mean == pytest.approx(0.5)


def test_one_fold_of_the_log_and_only_once(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    calls = 0

    def counting(state: Any, event: Any) -> Any:
        nonlocal calls
        calls += 1
        return game.evolve(state, event)

    sitting = max(sittings, key=lambda one: len(one.entries))
    table = live_table(replace(game, evolve=counting), sitting)
    assert table.finished
    for told in (lambda: timeline(table, frozenset()), lambda: luck(table)):
        calls = 0
        first = told()
        assert 0 < calls <= len(sitting.entries)
        calls = 0
        assert told() is first
        assert calls == 0


def test_the_last_point_is_how_the_game_ended(
    game: Game[Any], sittings: tuple[Sitting, ...]
) -> None:
    """Whoever is in play at the end has its last point there; who is not, has left and a word for it."""
    for sitting in sittings:
        table = live_table(game, sitting)
        sent = game.view(redact(sitting.state, frozenset()), frozenset())
        units = {unit.id: unit for unit in game.units(sent, frozenset())}
        told = timeline(table, frozenset())
        assert told.turns == sitting.state.turn
        for line in told.units:
            turns = [point.turn for point in line.points]
            assert turns == sorted(set(turns))
            unit = units.get(line.id)
            if unit is not None and unit.hex is not None:
                last = line.points[-1]
                assert (last.turn, last.altitude, last.speed) == (
                    told.turns,
                    unit.altitude,
                    unit.speed,
                )
                assert line.left is None
            else:
                assert line.left == turns[-1] + 1
                assert line.cause


def test_a_game_given_up_at_once_has_a_story_too(
    game: Game[Any], sittings: tuple[Sitting, ...]
) -> None:
    entries = sittings[0].entries[:1]
    over = Finished(Result("conceded", "Over."))
    table = live_table(game, sittings[0], [*entries, Entry(2, 2, 0, "", "table", over, "x")])
    told = timeline(table, frozenset())
    assert told.turns == 0
    assert all(len(line.points) == 1 for line in told.units)
    assert all(not seat.kinds for seat in luck(table).seats)
