"""Odds shown beside a choice are the odds: counted out over ordered faces, without the cache."""

import os
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from app import odds
from app.engine.chance import Chain, Chance, Odds
from app.engine.dice import Cup
from app.engine.sequence import Decision, Roll, waiting
from app.testing.player import Sitting

MOST_THROWS = 50_000


def shown(sitting: Sitting) -> Iterator[Odds]:
    """All odds that were there to be seen in a game."""
    for moment in sitting.moments:
        for one in waiting(moment.step):
            if isinstance(one, Roll) and one.odds is not None:
                yield one.odds
            elif isinstance(one, Decision):
                for option in one.all_options:
                    if option.odds is not None:
                        yield option.odds
                    for _, also in option.also:
                        assert also.yes, "further chances in view are of yes or no"
                        yield also


def some(sittings: tuple[Sitting, ...], most: int) -> list[Odds]:
    """Some of what was shown: up to three of each key, as equal keys must mean equal chances.

    With `CONTRAIL_FUZZ` set, all keys are taken.
    """
    by_key: dict[Hashable, list[Odds]] = {}
    for sitting in sittings:
        for one in shown(sitting):
            by_key.setdefault((one.label, type(one.chance), one.chance.key), []).append(one)
    rng = random.Random(0)
    keys = list(by_key)
    if "CONTRAIL_FUZZ" not in os.environ:
        keys = rng.sample(keys, min(most, len(keys)))
    return [one for key in keys for one in rng.sample(by_key[key], min(3, len(by_key[key])))]


def counted(chance: Chance | Chain) -> Mapping[Any, Fraction]:
    """The distribution by counting every ordered throw, each as likely as any other."""
    if isinstance(chance, Chain):
        ends = _from(chance, chance.start, {})
        if chance.result is None:
            return ends
        results: dict[Any, Fraction] = defaultdict(Fraction)
        for end, p in ends.items():
            results[chance.result(end)] += p
        return results
    if not chance.pool.count:
        result = chance.outcome(())
        return counted(result) if isinstance(result, Chance) else {result: Fraction(1)}
    throws = chance.pool.sides**chance.pool.count
    assert throws <= MOST_THROWS, f"{chance.pool} is too much to count out"
    tally: Counter[Any] = Counter()
    further: list[Mapping[Any, Fraction]] = []
    for faces in product(range(1, chance.pool.sides + 1), repeat=chance.pool.count):
        result = chance.outcome(faces)
        if isinstance(result, Chance):
            further.append(counted(result))
        else:
            tally[result] += 1
    odds_ = {result: Fraction(n, throws) for result, n in tally.items()}
    for then in further:
        for result, p in then.items():
            odds_[result] = odds_.get(result, Fraction(0)) + p / throws
    return odds_


def _from(chain: Chain, position: Any, known: dict[Any, Mapping[Any, Fraction]]) -> Any:
    """Backwards, from a position to its ends; `app.odds` walks forwards."""
    if position not in known:
        chance = chain.step(position)
        if chance is None:
            return {position: Fraction(1)}
        tally: dict[Any, Fraction] = defaultdict(Fraction)
        for result, chance_of_it in counted(chance).items():
            for end, further in _from(chain, result, known).items():
                tally[end] += chance_of_it * further
        known[position] = tally
    return known[position]


def test_odds_are_what_counting_gives(sittings: tuple[Sitting, ...]) -> None:
    checked = 0
    for one in some(sittings, 60):
        by_hand = counted(one.chance)
        assert odds.exact(one.chance) == by_hand, one.label
        assert sum(by_hand.values()) == 1
        assert all(0 < p <= 1 for p in by_hand.values())
        checked += 1
    if not checked:
        pytest.skip("this game shows no odds")


def test_odds_can_be_shown(sittings: tuple[Sitting, ...]) -> None:
    """Results are bars in order; a yes-or-no has no third answer."""
    for one in some(sittings, 500):
        results = set(odds.exact(one.chance))
        assert one.label
        if one.yes:
            assert {type(result) for result in results} == {bool}
        else:
            sorted(results)


def test_a_rolls_odds_are_of_its_own_dice(sittings: tuple[Sitting, ...]) -> None:
    """Equal faces, equal facts, in whatever order they fall; and the odds throw the same pool."""
    rolls = [
        (moment, moment.step)
        for sitting in sittings
        for moment in sitting.moments
        if isinstance(moment.step, Roll)
    ]
    if not rolls:
        pytest.skip("this game has no dice")
    for _, roll in random.Random(0).sample(rolls, min(300, len(rolls))):
        if roll.odds is not None and isinstance(roll.odds.chance, Chance):
            assert roll.odds.chance.pool == roll.pool


def test_a_key_means_one_thing(sittings: tuple[Sitting, ...]) -> None:
    """The cache asks for nothing but the key, and all games share it."""
    game = sittings[0].game.meta.id
    for one in some(sittings, 500):
        key = one.chance.key
        assert key is None or (isinstance(key, tuple) and str(key[0]).startswith(game)), (
            f"{key!r}: a key begins with the game's id, or two games could share it"
        )


def test_dice_keep_to_the_odds(sittings: tuple[Sitting, ...]) -> None:
    """Thrown 2,000 times through the table's own dice, the shown chances come out."""
    distinct = {
        (one.label, repr(one.chance.key)): one.chance
        for one in some(sittings, 500)
        if one.chance.key
    }
    picked = random.Random(1).sample(sorted(distinct), min(6, len(distinct)))
    cup = Cup(b"contract test of the dice       ")
    for name in picked:
        chance = distinct[name]
        expected = odds.exact(chance)
        tally: Counter[Any] = Counter(thrown(chance, cup) for _ in range(2000))
        assert set(tally) <= set(expected)
        parts = [(tally[result], 2000 * float(p)) for result, p in expected.items()]
        statistic = sum((n - mean) ** 2 / mean for n, mean in parts)
        freedom = len(parts) - 1
        # About five standard deviations above the mean of chi-square; the seed is fixed.
        assert statistic <= freedom + 5 * (2 * max(freedom, 1)) ** 0.5, name


def thrown(chance: Chance | Chain, cup: Cup) -> Any:
    """One result, by dice."""
    if isinstance(chance, Chain):
        position = chance.start
        while (step := chance.step(position)) is not None:
            position = thrown(step, cup)
        return position if chance.result is None else chance.result(position)
    rolled = cup.throw(chance.pool, cup.next_index)
    cup.next_index += chance.pool.count
    result = chance.outcome(rolled.faces)
    return thrown(result, cup) if isinstance(result, Chance) else result
