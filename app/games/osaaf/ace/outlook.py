"""What this turn can come to for a jet: what the others will probably do, and where it can be then.

Belongs here: the ends of a move put together with the stances to every enemy. Does not belong here: which
answer is chosen (the package's own module).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from app.engine.game import Exact
from app.engine.hexes import distance
from app.games.osaaf.ace.asking import chances, turns_by
from app.games.osaaf.ace.foresight import (
    STEPS,
    Chase,
    Spot,
    chase,
    fan,
    fan_ends,
    folded,
    stance,
    turned_back,
    turned_on,
)
from app.games.osaaf.ace.reserves import edge_costs, energy_table
from app.games.osaaf.ace.stances import MOST_GAP, Pair, Worths, fighter, pair
from app.games.osaaf.ace.weights import WEIGHTS
from app.games.osaaf.combat import enemies, in_front
from app.games.osaaf.ending import DISENGAGED_POINTS, score
from app.games.osaaf.energy import NO_MANOEUVRE, speed_after
from app.games.osaaf.model import LOWEST, Energy, Jet, Plan, State
from app.games.osaaf.movement import distance_from_sun, falls, through

MOST_ENEMIES = 3
"""So many of the nearest enemies are minded; it bounds the work."""
WORLDS = 2
"""So many of the likely ways for enemies to move first are thought through."""
LIKELY = 0.2
"""Another way is thought through only if it has this share of the likeliest one's chance."""
HARDLY = 0.08
"""A turn with less of a chance is not reckoned with."""

Variant = tuple[bool, bool]
"""Aim and jink."""
VARIANTS: tuple[Variant, ...] = ((False, False), (True, False), (False, True))
"""Both together undo each other in one's own shot, so that is not thought of."""


# What is known and guessed of the others.


class Guess(Struct, frozen=True):
    """An enemy for the rest of this turn. `hexes` 0: it stays, as it has moved or fallen.

    `turn` is the chance of its turns, `chases` whether it is after the jet that decides, `prey` the place
    of the one that it is after.
    """

    jet: Jet
    hexes: int
    turn: float
    chases: bool
    prey: tuple[int, int]

    @property
    def spot(self) -> Spot:
        """Where it is now."""
        return self.jet.hex.q, self.jet.hex.r, self.jet.facing

    def ends(self) -> list[tuple[float, Spot]]:
        """Where it is likely to end if it moves first, the likeliest first."""
        q, r, facing = self.spot
        to = turned_back(self.prey[0] - q, self.prey[1] - r, facing)
        found: list[tuple[float, Spot]] = []
        for weight, (x, y, f) in chase(*to, self.hexes, self.turn):
            dq, dr = turned_on(x, y, facing)
            found.append((weight, (q + dq, r + dr, (f + facing) % 6)))
        return found


def guesses(exact: Exact, state: State, jet: Jet) -> tuple[Guess, ...]:
    """The nearest enemies, each with what it will probably do."""
    near = sorted(enemies(state, jet), key=lambda one: (distance(jet.hex, one.hex), one.id))
    return tuple(_guess(exact, state, jet, enemy) for enemy in near[:MOST_ENEMIES])


def _guess(exact: Exact, state: State, jet: Jet, enemy: Jet) -> Guess:
    prey = min(
        (other for other in state.flying() if other.seat == jet.seat),
        key=lambda other: (distance(enemy.hex, other.hex), other.id != jet.id),
    )
    chases = prey.id == jet.id or _about_as_near(enemy, jet, prey)
    goal = jet.hex if chases else prey.hex
    if not enemy.energy.settled:
        enemy = _to_come(exact, state, enemy, jet)
    stays = falls(state, enemy) or (state.places is not None and through(state, enemy))
    hexes = 0 if stays else enemy.hexes_left
    return Guess(enemy, hexes, turns_by(exact, enemy), chases, (goal.q, goal.r))


def _about_as_near(enemy: Jet, jet: Jet, prey: Jet) -> bool:
    return distance(enemy.hex, jet.hex) <= distance(enemy.hex, prey.hex) + 2


def _to_come(exact: Exact, state: State, enemy: Jet, jet: Jet) -> Jet:
    """An enemy that has not managed its energy yet: about as fast as a level flight makes it."""
    level = -1 if falls(state, enemy) and enemy.altitude > LOWEST else 0
    odds = chances(exact, speed_after(state.rulings, enemy, NO_MANOEUVRE, level))
    speed = round(sum(speed * share for speed, share in odds.items()))
    plan = replace(NO_MANOEUVRE, hard_turns=0 if in_front(enemy, jet) else 1)
    return replace(
        enemy,
        speed=max(1, speed),
        stalled=False,
        altitude=enemy.altitude + level,
        energy=replace(enemy.energy, plan=plan),
    )


def fear(state: State, seat: str) -> float:
    """How much what the enemy wins counts: more for a lead near the end, less for one who is behind."""
    mine = score(state, seat)
    theirs = max((score(state, other) for other in state.sides if other != seat), default=0)
    lead = max(-1, min(2, mine - theirs))
    late = round(4 * state.turn / state.turns) / 4
    return WEIGHTS.fear * (1 + WEIGHTS.caution * lead * late)


# What the end of a move is worth.


class Reach:
    """Where the jet's own move can end, seen from the others: shared by all that is imagined of them."""

    def __init__(self, state: State, me: Jet) -> None:
        self.spot: Spot = (me.hex.q, me.hex.r, me.facing)
        self.edges = edge_costs(state.board)
        self.leave = -WEIGHTS.leave
        if state.rulings.edge == "off":
            self.leave -= DISENGAGED_POINTS
        self.known: dict[Any, list[Any]] = {}

    def spots(self, hexes: int) -> list[Spot]:
        """The spots that so many hexes can lead to."""
        found = self.known.get(hexes)
        if found is None:
            q, r, facing = self.spot
            found = [(q + x, r + y, f) for x, y, f in fan_ends(hexes, facing)]
            self.known[hexes] = found
        return found

    def costs(self, hexes: int) -> list[float | None]:
        """What the edge costs on each of these spots; None off the board."""
        found = self.known.get(("costs", hexes))
        if found is None:
            found = [self.edges.get(spot) for spot in self.spots(hexes)]
            self.known["costs", hexes] = found
        return found

    def stances(self, place: Spot, hexes: int) -> list[int]:
        """How each of these spots stands to a place."""
        key = (place, hexes)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = [stance(spot, place) for spot in self.spots(hexes)]
        return found

    def chases(self, guess: Guess, hexes: int) -> list[Chase]:
        """Each of these spots as an enemy sees it that will come after the jet there."""
        key = (guess.jet.id, hexes)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = [chase_of(guess, spot) for spot in self.spots(hexes)]
        return found


def chase_of(guess: Guess, spot: Spot) -> Chase:
    """A spot as an enemy sees it that will come after the jet there."""
    q, r, facing = guess.spot
    x, y = turned_back(spot[0] - q, spot[1] - r, facing)
    return x, y, (spot[2] - facing) % 6, guess.hexes, guess.turn


Watch = tuple[Guess, Pair, Spot | None]
"""An enemy, what stances to it are worth, and its place at the end of its move.

No place: it moves later and will come after the jet, wherever that ends.
"""


class Field:
    """One way in which the others move, and what each end of the jet's own move is worth then."""

    def __init__(
        self, reach: Reach, watched: Sequence[Watch], variants: tuple[Variant, ...]
    ) -> None:
        self.reach, self.watched, self.variants = reach, watched, variants
        self.ends: dict[int, list[list[float]]] = {}
        self.worths: dict[tuple[int, float], list[float]] = {}

    def here(self, spot: Spot) -> list[float]:
        """What it is worth to end on a spot, for each variant of aim and jink."""
        found = [
            [stances.worth(stance(spot, place))]
            if place is not None
            else [stances.after_chase(chase_of(guess, spot))]
            for guess, stances, place in self.watched
        ]
        return [end[0] for end in self._together(found, [self.reach.edges.get(spot)])]

    def layer(self, hexes: int) -> list[list[float]]:
        """What it is worth to end on each spot that so many hexes can lead to, variant by variant."""
        found = self.ends.get(hexes)
        if found is None:
            reach = self.reach
            seen = [
                stances.worths(reach.stances(place, hexes))
                if place is not None
                else stances.after_chases(reach.chases(guess, hexes))
                for guess, stances, place in self.watched
            ]
            found = self.ends[hexes] = self._together(seen, reach.costs(hexes))
        return found

    def _together(
        self, seen: list[list[Worths]], costs: Sequence[float | None]
    ) -> list[list[float]]:
        """What spots are worth against all enemies, from what they are worth against each."""
        if not seen:
            sums = [[0.0] * len(costs) for _ in self.variants]
        elif len(seen) == 1:
            sums = [[one[2][n] for one in seen[0]] for n in range(len(self.variants))]
        else:
            # It shoots at one of them; all of them may shoot at it.
            sums = [
                [
                    max([one[0][n] for one in spot]) + sum([one[1][n] for one in spot])
                    for spot in zip(*seen, strict=True)
                ]
                for n in range(len(self.variants))
            ]
        leave = self.reach.leave
        return [
            [leave if c is None else value - c for value, c in zip(column, costs, strict=True)]
            for column in sums
        ]

    def worth(self, hexes: int, turn: float) -> list[float]:
        """What a whole move is worth, variant by variant, flown as well as can be."""
        found = self.worths.get((hexes, turn))
        if found is None:
            if turn == 0:
                found = self._straight(hexes)
            else:
                found = [self._folded(values, hexes, turn)[0] for values in self.layer(hexes)]
            self.worths[hexes, turn] = found
        return found

    def _straight(self, hexes: int) -> list[float]:
        """What it is worth to fly straight on."""
        # The first spot of a layer is that of a move that went straight on.
        for n in range(1, hexes):
            if self.reach.spots(n)[0] not in self.reach.edges:
                return [self.reach.leave for _ in self.variants]
        return self.here(self.reach.spots(hexes)[0])

    def _folded(self, values: list[float], hexes: int, turn: float) -> list[float]:
        """From the ends of a move of so many hexes back to its start."""
        for n in range(hexes - 1, -1, -1):
            values = self._one_back(values, hexes, n, turn)
        return values

    def _one_back(self, values: list[float], hexes: int, n: int, turn: float) -> list[float]:
        """From one layer of spots to the one before it, the spots after `n` hexes."""
        values = folded(values, fan(hexes).links[n], turn)
        if n == 0 or self._inside(hexes):
            return values
        leave, costs = self.reach.leave, self.reach.costs(n)
        return [leave if cost is None else value for value, cost in zip(values, costs, strict=True)]

    def _inside(self, hexes: int) -> bool:
        """Whether no move of so many hexes can leave the board."""
        q, r, facing = self.reach.spot
        return all((q + dq * hexes, r + dr * hexes, facing) in self.reach.edges for dq, dr in STEPS)

    def first_step(self, hexes: int, turn: float, variant: int) -> tuple[float, float, float, bool]:
        """The worth of going straight on, left and right now, for one of the variants.

        The last says whether straight on stays best to the end of the move, whatever comes.
        """
        values = self.layer(hexes)[variant]
        links = fan(hexes).links
        straight = True
        for n in range(hexes - 1, 0, -1):
            # The first spots of a layer are those of a move that went straight on before.
            straight = straight and values[0] >= max(values[i] for i in links[n][0])
            values = self._one_back(values, hexes, n, turn)
        ahead, left, right = (values[i] for i in links[0][0])
        return ahead, ahead + turn * (left - ahead), ahead + turn * (right - ahead), straight


def first_step(
    exact: Exact, state: State, jet: Jet, hexes: int, turn: float
) -> tuple[float, float, float, bool]:
    """The worth of what a moving jet can do about its next hex, as in `Field.first_step`."""
    variants, worry = variants_for(jet.energy.plan), fear(state, jet.seat)
    watched: list[Watch] = []
    for guess in guesses(exact, state, jet):
        stances = pair_of(exact, state, jet, guess.jet, jet.altitude, variants, worry)
        place = None if guess.hexes and guess.chases else guess.ends()[0][1]
        watched.append((guess, stances, place))
    field = Field(Reach(state, jet), watched, variants)
    return field.first_step(hexes, turn, variants.index((jet.aims, jet.jinks)))


# Before the move: Energy Management.


class Prospect:
    """What a jet can make of this turn: each Speed and altitude, with hard turns and a variant."""

    def __init__(self, exact: Exact, state: State, jet: Jet, variants: tuple[Variant, ...]) -> None:
        self.exact, self.state, self.jet, self.variants = exact, state, jet, variants
        self.guesses = guesses(exact, state, jet)
        self.fear = fear(state, jet.seat)
        self.energy = [energy_table(exact, state, jet, lit=lit) for lit in (False, True)]
        self.reach = Reach(state, jet)
        self.fields: dict[Any, list[tuple[float, Field]]] = {}

    def worth(self, plan: Plan, speed: int, altitude: int) -> float:
        """What it is worth to end Energy Management so."""
        now = self.now(plan, speed, altitude)
        return now + self.energy[plan.afterburner][speed, altitude]

    def now(self, plan: Plan, speed: int, altitude: int) -> float:
        """What the rest of the turn is worth then."""
        n = self.variants.index((plan.aim, plan.jink))
        worlds = self.worlds(altitude, stalled=speed == 0)
        if speed == 0:
            return sum(weight * field.here(self.reach.spot)[n] for weight, field in worlds)
        flying = replace(self.jet, speed=speed, energy=Energy(plan=plan))
        turn = turns_by(self.exact, flying)
        turn = 0.0 if turn < HARDLY else turn
        return sum(weight * field.worth(speed, turn)[n] for weight, field in worlds)

    def worlds(self, altitude: int, *, stalled: bool) -> list[tuple[float, Field]]:
        """The likely ways in which those who move before the jet do so, at an altitude of its own."""
        first = tuple(self._moves_first(guess, altitude) for guess in self.guesses)
        levels = tuple(min(MOST_GAP, abs(altitude - guess.jet.altitude)) for guess in self.guesses)
        key = (first, levels, stalled)
        found = self.fields.get(key)
        if found is None:
            found = self.fields[key] = self._imagined(first, altitude, stalled=stalled)
        return found

    def _moves_first(self, guess: Guess, altitude: int) -> bool:
        """As the order of movement will be, as far as it can be told; a tie counts as the worse."""
        mine, its = (distance_from_sun(self.state, jet.hex) or 0 for jet in (self.jet, guess.jet))
        return (guess.jet.altitude, -its) < (altitude, -mine)

    def _imagined(
        self, first: tuple[bool, ...], altitude: int, *, stalled: bool
    ) -> list[tuple[float, Field]]:
        me = replace(self.jet, stalled=stalled)
        pairs = [
            pair_of(self.exact, self.state, me, guess.jet, altitude, self.variants, self.fear)
            for guess in self.guesses
        ]
        ends = [
            guess.ends()[:WORLDS] if moves or not guess.hexes or not guess.chases else None
            for moves, guess in zip(first, self.guesses, strict=True)
        ]
        most = max((len(end) for end in ends if end), default=1)
        worlds: list[tuple[float, Field]] = []
        for n in range(most):
            weight = 1.0
            watched: list[Watch] = []
            for guess, stances, end in zip(self.guesses, pairs, ends, strict=True):
                if end is None:
                    watched.append((guess, stances, None))
                else:
                    share, spot = end[min(n, len(end) - 1)]
                    weight *= share
                    watched.append((guess, stances, spot))
            worlds.append((weight, Field(self.reach, watched, self.variants)))
        likely = [one for one in worlds if one[0] >= LIKELY * worlds[0][0]]
        total = sum(weight for weight, _ in likely)
        return [(weight / total, field) for weight, field in likely]


def pair_of(
    exact: Exact,
    state: State,
    me: Jet,
    enemy: Jet,
    altitude: int,
    variants: tuple[Variant, ...],
    fear: float,
) -> Pair:
    """What stances to an enemy are worth, with what is known of who shoots first (OSAAF-CB-1)."""
    order = state.order or ()
    first = me.id in order and enemy.id in order and order.index(me.id) > order.index(enemy.id)
    levels = min(MOST_GAP, abs(altitude - enemy.altitude))
    # Its own aim and jink are what the variants are about.
    mine = fighter(exact, state, replace(me, energy=Energy()))
    its = fighter(exact, state, enemy)
    return pair(exact, mine, its, levels, first, variants, fear)


def variants_for(plan: Plan | None) -> tuple[Variant, ...]:
    """All that are thought of, also once one is chosen, as the others are worked out already."""
    if plan is None or (plan.aim, plan.jink) in VARIANTS:
        return VARIANTS
    return ((plan.aim, plan.jink),)


class _Asked:
    """A position as a jet sees it before its energy is managed; equal to any other that is the same.

    The questions of one Energy Management all come back to it, and `_prospect` finds it again.
    """

    def __init__(self, exact: Exact, state: State, jet: Jet, variants: tuple[Variant, ...]) -> None:
        self.exact, self.state, self.variants = exact, state, variants
        change = jet.energy.change or 0
        self.jet = replace(jet, altitude=jet.altitude - change, energy=Energy())
        others = tuple(other for other in state.jets.values() if other.id != jet.id)
        self.key = (
            (exact, variants, self.jet, others, state.order),
            (state.turn, state.turns, state.sun, state.night, state.board, state.rulings),
        )

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.key == other.key


@lru_cache(maxsize=4)
def _prospect(asked: _Asked) -> Prospect:
    return Prospect(asked.exact, asked.state, asked.jet, asked.variants)


def prospect_of(exact: Exact, state: State, jet: Jet) -> Prospect:
    """What a jet can make of this turn, as it was before its energy was managed."""
    return _prospect(_Asked(exact, state, jet, variants_for(jet.energy.plan)))
