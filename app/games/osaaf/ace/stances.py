"""What it is worth to stand to another jet in some way: the shots that it allows, and the turns to come.

Belongs here: weighing two jets at the end of their moves. Does not belong here: how they get there
(`foresight`), or numbers of the rules: reach, modifiers and chances come from the rules' own functions.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from app.engine.game import Exact
from app.engine.hexes import Hex
from app.games.osaaf.ace.asking import STAND_IN, chances
from app.games.osaaf.ace.foresight import ASTERN, BEARINGS, Chase, chased, example, unpacked
from app.games.osaaf.ace.weights import WEIGHTS
from app.games.osaaf.combat import (
    WEAPONS,
    attack_blocked,
    behind,
    carried,
    damage_chance,
    modifiers,
)
from app.games.osaaf.ending import DOWN_POINTS, HIT_POINTS
from app.games.osaaf.energy import NO_MANOEUVRE
from app.games.osaaf.model import Arm, Jet, Quality, State
from app.games.osaaf.movement import falls

MOST_GAP = max(weapon.levels for weapon in WEAPONS.values()) + 1
"""More levels apart than any weapon bridges."""


@lru_cache(maxsize=65536)
def has_tail(stance: int) -> bool:
    """Whether one is in the other's rear arc."""
    found = example(stance)
    if found is None:
        return False
    return behind(replace(STAND_IN, hex=found[0], facing=found[1]), STAND_IN)


class Shooting(Struct, frozen=True):
    """What of two jets bears on a shot, beside their stance."""

    aims: bool
    jinks: bool
    damaged: bool
    stalled: bool
    dodges: bool


@lru_cache(maxsize=256)
def bonus(shooting: Shooting, tail: bool) -> int:
    """The sum of the modifiers, as the rules add them up."""
    jet = _planned(aims=shooting.aims, jinks=shooting.jinks)
    jet = replace(jet, hits=int(shooting.damaged))
    target = _planned(aims=False, jinks=shooting.dodges)
    place = Hex(0, -2) if tail else Hex(2, -1)
    target = replace(target, hex=place, stalled=shooting.stalled)
    return sum(one.value for one in modifiers(jet, target))


def _planned(*, aims: bool, jinks: bool) -> Jet:
    plan = replace(NO_MANOEUVRE, aim=aims, jink=jinks)
    return replace(STAND_IN, energy=replace(STAND_IN.energy, plan=plan))


@lru_cache(maxsize=4096)
def damages(exact: Exact, arm: Arm, quality: Quality, added: int) -> tuple[tuple[int, float], ...]:
    """Each damage above 0 with its probability."""
    odds = chances(exact, damage_chance(arm, quality, added))
    return tuple((damage, share) for damage, share in sorted(odds.items()) if damage)


@lru_cache(maxsize=4096)
def shot_worth(
    exact: Exact, arm: Arm, quality: Quality, added: int, hits: int, toughness: int
) -> tuple[float, float]:
    """What a shot is worth in the mean, and its chance to bring the target down."""
    worth = kills = 0.0
    for damage, share in damages(exact, arm, quality, added):
        if hits + damage >= toughness:
            # The hits it had already counted; now it counts as down instead.
            worth += share * (DOWN_POINTS - hits * HIT_POINTS + WEIGHTS.kill)
            kills += share
        else:
            first = WEIGHTS.damage if hits == 0 else 0.0
            worth += share * (damage * HIT_POINTS + first)
    return worth, kills


def spent(exact: Exact, jet: Jet, arm: Arm, quality: Quality, turns: int) -> float:
    """What a shot's ammunition is worth unspent: nothing once there is enough for the turns left."""
    scarce = max(0.0, 1 - jet.stores.of(arm) / max(1.0, turns * WEIGHTS.chance))
    # In steps, so that what was worked out for one turn mostly serves the next.
    return _spent(exact, arm, quality, round(scarce * 8) / 8)


@lru_cache(maxsize=1024)
def _spent(exact: Exact, arm: Arm, quality: Quality, scarce: float) -> float:
    usual, _ = shot_worth(exact, arm, quality, 1, 0, 2)
    return WEIGHTS.keep * usual * scarce


@lru_cache(maxsize=65536)
def usable(stance: int, levels: int) -> tuple[Arm, ...]:
    """The weapons that can be used in a stance, so many levels apart; ammunition is another matter."""
    found = example(stance)
    if found is None:
        return ()
    altitude = STAND_IN.altitude + min(levels, MOST_GAP)
    other = replace(STAND_IN, hex=found[0], facing=found[1], altitude=altitude)
    return tuple(arm for arm in WEAPONS if attack_blocked(STAND_IN, other, arm) is None)


# A stance.


def good_range(jet: Jet) -> int:
    """In the middle of what its farthest-reaching weapon reaches, but near enough for its gun."""
    reach = [WEAPONS[arm] for arm, _ in carried(jet) if jet.stores.of(arm)]
    return min(((one.least + one.most) // 2 for one in reach), default=6)


class Fighter(Struct, frozen=True):
    """What of a jet bears on shots by it and at it. `arms`: each with its quality, and its shot's price."""

    arms: tuple[tuple[Arm, Quality, float], ...]
    range: int
    hits: int
    toughness: int
    stalled: bool
    helpless: bool
    aims: bool
    jinks: bool


def fighter(exact: Exact, state: State, jet: Jet) -> Fighter:
    """A jet as it fights now."""
    turns = state.turns - state.turn + 1
    return Fighter(
        arms=tuple(
            (arm, weapon.quality, spent(exact, jet, arm, weapon.quality, turns))
            for arm, weapon in carried(jet)
            if jet.stores.of(arm) and state.rulings.combat == "on"
        ),
        range=good_range(jet),
        hits=jet.hits,
        toughness=jet.aircraft.toughness,
        stalled=jet.stalled,
        helpless=falls(state, jet),
        aims=jet.aims,
        jinks=jet.jinks,
    )


Worths = tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]
"""For each variant of aim and jink: what the shot is worth, all the rest, and both together.

Tuples, as there are many of them: the garbage collector has no need to look at those of plain numbers.
"""


class Pair:
    """Two fighters, so many levels apart: what their stances are worth to the first. It remembers."""

    def __init__(
        self,
        exact: Exact,
        me: Fighter,
        other: Fighter,
        *,
        levels: int,
        shoots_first: bool,
        variants: tuple[tuple[bool, bool], ...],
        fear: float,
    ) -> None:
        self.exact, self.me, self.other = exact, me, other
        self.levels = levels
        self.shoots_first = shoots_first
        self.variants = variants
        self.fear = fear
        self.many = range(len(variants))
        self.nothing = (0.0,) * len(variants)
        self.known: dict[int, Worths] = {}
        self.after: dict[Chase, Worths] = {}

    def worth(self, stance: int) -> Worths:
        """What a stance at the end of both moves is worth."""
        found = self.known.get(stance)
        if found is None:
            found = self.known[stance] = self._worth(stance)
        return found

    def _worth(self, stance: int) -> Worths:
        place, its = self.place(stance), reversed_stance(stance)
        if not usable(stance, self.levels) and not usable(its, self.levels):
            # So it is mostly, and then there is little to work out.
            return self.nothing, (same := (place,) * len(self.variants)), same
        return summed(self._shots(stance, its, place, *variant) for variant in self.variants)

    def worths(self, stances: Iterable[int]) -> list[Worths]:
        """What each of these stances is worth."""
        known = self.known
        return [known.get(one) or self.worth(one) for one in stances]

    def after_chase(self, chase: Chase) -> Worths:
        """The mean over the stances to which the other one comes that chases the first."""
        found = self.after.get(chase)
        if found is None:
            found = self.after[chase] = self._mean(chased(chase))
        return found

    def _mean(self, seen: Sequence[tuple[float, int]]) -> Worths:
        if len(seen) == 1:
            return self.worth(seen[0][1])
        gives, rests = list(self.nothing), list(self.nothing)
        for weight, stance in seen:
            give, rest, _ = self.worth(stance)
            for n in self.many:
                gives[n] += weight * give[n]
                rests[n] += weight * rest[n]
        return summed(zip(gives, rests, strict=True))

    def after_chases(self, chases: Iterable[Chase]) -> list[Worths]:
        """What each of these chases comes to."""
        after = self.after
        return [after.get(one) or self.after_chase(one) for one in chases]

    def _shots(
        self, stance: int, its: int, place: float, aim: bool, jink: bool
    ) -> tuple[float, float]:
        give = self._best(self.me, self.other, stance, (aim, jink), self.other.jinks)
        take = self._best(self.other, self.me, its, (self.other.aims, self.other.jinks), jink)
        if self.shoots_first:
            return give[0], place - self.fear * take[0] * (1 - give[1])
        return give[0] * (1 - take[1]), place - self.fear * take[0]

    def _best(
        self, jet: Fighter, target: Fighter, stance: int, variant: tuple[bool, bool], dodges: bool
    ) -> tuple[float, float]:
        """The worth of the best shot in a stance, ammunition counted, and its chance to kill; or 0."""
        best = (0.0, 0.0)
        free = () if jet.helpless else usable(stance, self.levels)
        for arm, quality, price in jet.arms:
            if arm in free:
                shooting = Shooting(*variant, jet.hits > 0, target.stalled, dodges)
                added = bonus(shooting, has_tail(stance))
                worth, kills = shot_worth(
                    self.exact, arm, quality, added, target.hits, target.toughness
                )
                best = max(best, (worth - price, kills))
        return best

    def place(self, stance: int) -> float:
        """How well it stands for the turns to come: whose nose is on whom, how near, how level."""
        span, mine, its = unpacked(stance)
        off_me, off_it = min(mine, BEARINGS - mine), min(its, BEARINGS - its)
        if span == 0:
            off_me = off_it = ASTERN // 2
        # A nose counts only for a jet that has something in it, and most where that works.
        mine_on = its_on = away = 0.0
        if self.me.arms:
            mine_on = (1 - off_me / ASTERN) * _nearness(span, self.me.range)
            away = WEIGHTS.far * max(0, span - self.me.range)
            away += WEIGHTS.gap * max(0, self.levels - 1)
        if self.other.arms:
            its_on = (1 - off_it / ASTERN) * _nearness(span, self.other.range)
        return WEIGHTS.pointing * (mine_on - self.fear * its_on) - away


def summed(pairs: Iterable[tuple[float, float]]) -> Worths:
    """Shots and rest, variant by variant, with their sums."""
    gives, rests = zip(*pairs, strict=True)
    return gives, rests, tuple([give + rest for give, rest in zip(gives, rests, strict=True)])


@lru_cache(maxsize=256)
def pair(
    exact: Exact,
    me: Fighter,
    other: Fighter,
    levels: int,
    shoots_first: bool,
    variants: tuple[tuple[bool, bool], ...],
    fear: float,
) -> Pair:
    """The pair, with what it remembers from earlier turns and games."""
    return Pair(
        exact,
        me,
        other,
        levels=levels,
        shoots_first=shoots_first,
        variants=variants,
        fear=fear,
    )


@lru_cache(maxsize=8192)
def reversed_stance(stance: int) -> int:
    """The same stance as the other one sees it."""
    span, mine, its = unpacked(stance)
    return (span * BEARINGS + its) * BEARINGS + mine


@lru_cache(maxsize=1024)
def _nearness(span: int, good: int) -> float:
    """1 up to a good range, then falling."""
    return 1.0 if span <= good else 1.0 / (1.0 + 0.2 * (span - good))
