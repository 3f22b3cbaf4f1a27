"""What things are worth to the ace, in points of victory: shots, stances, energy, fuel.

All weights stand here, named. Belongs here: weighing. Does not belong here: where jets get to (`foresight`),
what is decided with it (`ace`), or numbers of the rules: chances come from the rules' own functions.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from app.engine.game import Exact
from app.engine.hexes import Board, Hex, at
from app.games.osaaf.combat import (
    WEAPONS,
    attack_blocked,
    behind,
    carried,
    damage_chance,
    modifiers,
)
from app.games.osaaf.ending import DOWN_POINTS, HIT_POINTS
from app.games.osaaf.energy import (
    DRY_FUEL,
    LIT_FUEL,
    MOST_LEVELS,
    NO_MANOEUVRE,
    after_drag,
    change_blocked,
    gain_of,
    trade,
    within_limits,
)
from app.games.osaaf.foresight import ASTERN, BEARINGS, Chase, Spot, chased, example, unpacked
from app.games.osaaf.model import (
    LOWEST,
    Aircraft,
    Arm,
    Energy,
    Jet,
    Quality,
    Rulings,
    State,
    Stores,
    Weapon,
)
from app.games.osaaf.movement import ahead, falls, turn_chance


class Weights(Struct, frozen=True):
    """What the ace likes and fears, in points unless said otherwise. Set by games against `simple`."""

    damage: float = 0.6
    """A hit beyond its point: the jet flies and shoots worse from then on."""
    kill: float = 1.0
    """A jet that is gone beyond its points: it never shoots again."""
    fear: float = 0.9
    """How much a point that the enemy makes counts against one's own."""
    caution: float = 0.5
    """More fear for a lead in points that has not long to last."""
    pointing: float = 0.55
    """To have the nose on an enemy that has its tail to oneself, at a good range."""
    far: float = 0.05
    """Each hex beyond a good range."""
    gap: float = 0.06
    """Each level of altitude beyond what the weapons bridge."""
    keep: float = 0.8
    """Of what a good shot is worth, what the last burst or missile is worth unspent."""
    chance: float = 0.4
    """Good shots that a turn brings, to tell whether ammunition will run out before the game does."""
    stall: float = 1.2
    """A turn in a stall, beyond the shots that it invites."""
    crash: float = 12.0
    """A jet lost to the ground."""
    turning: float = 0.35
    """To be sure of one's turns, for a turn."""
    pace: float = 0.12
    """To be at a Speed from which one can slow down, for a turn."""
    manoeuvre: float = 0.1
    """To be able to afford a hard manoeuvre, for a turn."""
    later: float = 0.9
    """The next turn's worth, of this turn's (a factor)."""
    fuel: float = 0.03
    """Each fuel burnt that no turn needs."""
    dry: float = 0.35
    """Each turn at the end of the game for which there will be no fuel."""
    edge: float = 0.08
    """Each hex that the edge is nearer ahead than three."""
    leave: float = 1.2
    """Two turns off the board and a come-back on its edge."""


WEIGHTS = Weights()

# A shot.

SLOW, QUICK = 1, 4
EDGE_NEAR = 3
MOST_GAP, MOST_GAIN, MOST_PLANNED = 4, 4, 2
"""More levels apart than any weapon bridges."""
FORESEEN = 10
"""So many turns of energy are looked ahead."""


def chances(exact: Exact, chance: Any) -> dict[Any, float]:
    """A distribution in floats: quick, and exact enough to choose by."""
    return {result: float(share) for result, share in exact(chance).items()}


_CARD = Aircraft(id="x", name="X", maneuverability="low", energy_factor=1, max_speed=9)
_ARMED = replace(
    _CARD,
    gun=Weapon("low", 1),
    heat_seeker=Weapon("low", 1),
    radar_missile=Weapon("low", 1),
    toughness=9,
)
_STAND_IN = Jet(
    id="x",
    seat="x",
    name="X",
    aircraft=_ARMED,
    skill="regular",
    hex=Hex(0, 0),
    facing=0,
    altitude=5,
    speed=4,
    stores=Stores(1, 1, 1),
)
"""A jet to ask the rules about, where only its stance counts."""


@lru_cache(maxsize=65536)
def has_tail(stance: int) -> bool:
    """Whether one is in the other's rear arc."""
    found = example(stance)
    if found is None:
        return False
    return behind(replace(_STAND_IN, hex=found[0], facing=found[1]), _STAND_IN)


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
    return replace(_STAND_IN, energy=replace(_STAND_IN.energy, plan=plan))


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
    altitude = _STAND_IN.altitude + min(levels, MOST_GAP)
    other = replace(_STAND_IN, hex=found[0], facing=found[1], altitude=altitude)
    return tuple(arm for arm in WEAPONS if attack_blocked(_STAND_IN, other, arm) is None)


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


Worths = tuple[list[float], list[float], list[float]]
"""For each variant of aim and jink: what the shot is worth, all the rest, and both together."""


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
        self.known: dict[int, Worths] = {}
        self.after: dict[Chase, Worths] = {}

    def worth(self, stance: int) -> Worths:
        """What a stance at the end of both moves is worth."""
        found = self.known.get(stance)
        if found is None:
            place = self.place(stance)
            shots = [self._shots(stance, place, *variant) for variant in self.variants]
            found = self.known[stance] = summed((give, rest) for give, rest in shots)
        return found

    def worths(self, stances: Iterable[int]) -> list[Worths]:
        """What each of these stances is worth."""
        known = self.known
        return [known.get(one) or self.worth(one) for one in stances]

    def after_chase(self, chase: Chase) -> Worths:
        """The mean over the stances to which the other one comes that chases the first."""
        found = self.after.get(chase)
        if found is None:
            seen = [(weight, self.worth(one)) for weight, one in chased(chase)]
            found = self.after[chase] = summed(
                (sum([w * one[0][n] for w, one in seen]), sum([w * one[1][n] for w, one in seen]))
                for n in range(len(self.variants))
            )
        return found

    def after_chases(self, chases: Iterable[Chase]) -> list[Worths]:
        """What each of these chases comes to."""
        after = self.after
        return [after.get(one) or self.after_chase(one) for one in chases]

    def _shots(self, stance: int, place: float, aim: bool, jink: bool) -> tuple[float, float]:
        give = self._best(self.me, self.other, stance, (aim, jink), self.other.jinks)
        its = reversed_stance(stance)
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
    gives, rests = map(list, zip(*pairs, strict=True))
    return gives, rests, [give + rest for give, rest in zip(gives, rests, strict=True)]


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


# Energy.


EnergyTable = Mapping[tuple[int, int], float]
"""What each Speed and altitude is worth for the turns to come."""


def energy_table(exact: Exact, state: State, jet: Jet, *, lit: bool) -> EnergyTable:
    """What Speed and altitude at the end of this turn are worth to a jet for those after it.

    `lit`: it burns its afterburner this turn, and has so much less fuel afterwards.
    """
    turns = min(FORESEEN, state.turns - state.turn)
    fuelled = turns
    if state.rulings.fuel == "on":
        fuelled = max(0, min(turns, jet.fuel - (LIT_FUEL if lit else DRY_FUEL)))
    return _energy(exact, state.rulings, jet.aircraft, jet.energy_factor, turns, fuelled)


@lru_cache(maxsize=512)
def _energy(
    exact: Exact, rulings: Rulings, card: Aircraft, factor: int, turns: int, fuelled: int
) -> EnergyTable:
    """For each Speed and altitude the best that so many turns can bring, the farthest first."""
    # The factor is the one that counts, damage and all.
    card = replace(card, energy_factor=factor)
    flown = [_flight(exact, card, speed) for speed in range(card.max_speed + 1)]
    ways = _ways(rulings, card)
    rolls = [_rolls(exact, rulings, card, fuel) for fuel in (0, 1)]
    table = dict.fromkeys(rolls[0], 0.0)
    for turn in range(turns, 0, -1):
        ended = {spot: flown[spot[0]] + _ended(rulings, table, spot) for spot in table}
        best = {drag: max([ended[spot] for spot in spots]) for drag, spots in ways.items()}
        table = {
            spot: WEIGHTS.later
            * max([gain + sum([share * best[to] for share, to in odds]) for gain, odds in plans])
            for spot, plans in rolls[turn <= fuelled].items()
        }
    return {spot: _ended(rulings, table, spot) for spot in table}


Dragged = tuple[int, int, bool]
"""A Speed after drag, an altitude, and whether the jet has to dive (OSAAF-ST-3)."""


@lru_cache(maxsize=128)
def _ways(rulings: Rulings, card: Aircraft) -> Mapping[Dragged, tuple[tuple[int, int], ...]]:
    """The Speeds and altitudes that a jet can choose from after drag."""
    fast = range(-1, card.max_speed + MOST_GAIN)
    found: dict[Dragged, tuple[tuple[int, int], ...]] = {}
    for drag in product(fast, range(LOWEST, card.ceiling + 1), (False, True)):
        dragged, altitude, dives = drag
        jet = replace(_STAND_IN, aircraft=card, altitude=altitude, stalled=dives)
        found[drag] = tuple(
            (within_limits(card, dragged + trade(change)), altitude + change)
            for change in range(-MOST_LEVELS, MOST_LEVELS + 1)
            if change_blocked(rulings, jet, change, dragged) is None
        )
    return found


Rolls = tuple[tuple[float, tuple[tuple[float, Dragged], ...]], ...]
"""For each number of hard manoeuvres what they are worth, and the chances of what they lead to."""


@lru_cache(maxsize=128)
def _rolls(
    exact: Exact, rulings: Rulings, card: Aircraft, fuel: int
) -> Mapping[tuple[int, int], Rolls]:
    """What the energy roll can lead to from each Speed and altitude."""
    found: dict[tuple[int, int], Rolls] = {}
    for altitude in range(LOWEST, card.ceiling + 1):
        jet = replace(_STAND_IN, aircraft=card, altitude=altitude, fuel=fuel)
        gains = [_gains(exact, rulings, jet, n) for n in range(MOST_PLANNED + 1)]
        for speed in range(card.max_speed + 1):
            stalled = speed == 0 and rulings.stall == "on"
            found[speed, altitude] = tuple(
                (
                    WEIGHTS.manoeuvre * n,
                    tuple(
                        (share, (after_drag(rulings, speed, gain), altitude, stalled))
                        for gain, share in gains[n]
                    ),
                )
                for n in range(1 if stalled else MOST_PLANNED + 1)
            )
    return found


def _gains(
    exact: Exact, rulings: Rulings, jet: Jet, hard_turns: int
) -> tuple[tuple[int, float], ...]:
    plan = replace(NO_MANOEUVRE, hard_turns=hard_turns)
    return tuple(chances(exact, gain_of(rulings, jet, plan)).items())


def _flight(exact: Exact, card: Aircraft, speed: int) -> float:
    """What a turn at a Speed is worth by itself."""
    if speed == 0:
        return 0.0
    plan = replace(NO_MANOEUVRE, hard_turns=1)
    jet = replace(_STAND_IN, aircraft=card, speed=speed, energy=Energy(plan=plan))
    pace = (min(speed, QUICK) - SLOW) / (QUICK - SLOW)
    return WEIGHTS.turning * turns_by(exact, jet) + WEIGHTS.pace * pace


def _ended(
    rulings: Rulings, table: Mapping[tuple[int, int], float], spot: tuple[int, int]
) -> float:
    """The turns after one that ends so; at Speed 0 with the fall (OSAAF-ST-2), which may be the last."""
    speed, altitude = spot
    if speed:
        return table[spot]
    if rulings.stall == "off":
        return table[spot] - WEIGHTS.stall / 2
    return -WEIGHTS.crash if altitude == LOWEST else table[0, altitude - 1] - WEIGHTS.stall


def turns_by(exact: Exact, jet: Jet) -> float:
    """The chance of a turn roll."""
    return _turns_by(exact, jet.aircraft.maneuverability, jet.hard_turns, jet.speed)


@lru_cache(maxsize=1024)
def _turns_by(exact: Exact, maneuverability: Any, hard_turns: int, speed: int) -> float:
    plan = replace(NO_MANOEUVRE, hard_turns=hard_turns)
    jet = replace(
        _STAND_IN,
        aircraft=replace(_CARD, maneuverability=maneuverability),
        speed=speed,
        energy=replace(_STAND_IN.energy, plan=plan),
    )
    return chances(exact, turn_chance(jet)).get(True, 0.0)


def fuel_cost(state: State, jet: Jet, *, lit: bool) -> float:
    """What the afterburner costs beyond a turn without it."""
    if not lit or state.rulings.fuel == "off":
        return 0.0
    after = state.turns - state.turn
    lacking = max(0, after - (jet.fuel - LIT_FUEL)) - max(0, after - (jet.fuel - DRY_FUEL))
    return WEIGHTS.fuel * (LIT_FUEL - DRY_FUEL) + WEIGHTS.dry * lacking


@lru_cache(maxsize=32)
def edge_costs(board: Board) -> Mapping[Spot, float]:
    """For each spot on the board what it costs to have its edge ahead; spots off the board are missing."""
    costs: dict[Spot, float] = {}
    for column, row in product(range(1, board.columns + 1), range(1, board.rows + 1)):
        place = at(column, row)
        for facing in range(6):
            room = len(ahead(board, place, facing, EDGE_NEAR))
            costs[place.q, place.r, facing] = WEIGHTS.edge * (EDGE_NEAR - room)
    return costs
