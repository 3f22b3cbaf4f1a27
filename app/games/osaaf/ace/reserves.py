"""What a jet keeps for the turns to come is worth: Speed and altitude, fuel, room before the edge.

Speed and altitude are worth what can be done with them, so that is worked out turn by turn from the end:
the rules' own chances and choices, and a weight for what a turn at a Speed is good for.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product, starmap

from msgspec.structs import replace

from app.engine.game import Exact
from app.engine.hexes import Board, at
from app.games.osaaf.ace.asking import STAND_IN, chances, turns_by
from app.games.osaaf.ace.foresight import STEPS, Spot
from app.games.osaaf.ace.weights import WEIGHTS
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
from app.games.osaaf.model import LOWEST, Aircraft, Energy, Jet, Rulings, State

FORESEEN = 10
"""So many turns of energy are looked ahead."""
MOST_GAIN = 4
"""The most that a roll gains without afterburner, and one: no Speed after drag is higher."""
MOST_PLANNED = 2
"""Hard manoeuvres that are thought of for later turns."""
SLOW, QUICK = 1, 4
"""The Speeds between which more is better."""
EDGE_NEAR = 3
"""From so many hexes the edge ahead is felt."""

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
        jet = replace(STAND_IN, aircraft=card, altitude=altitude, stalled=dives)
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
        jet = replace(STAND_IN, aircraft=card, altitude=altitude, fuel=fuel)
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
    jet = replace(STAND_IN, aircraft=card, speed=speed, energy=Energy(plan=plan))
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
    columns, rows = range(1, board.columns + 1), range(1, board.rows + 1)
    places = {(place.q, place.r) for place in starmap(at, product(columns, rows))}
    costs: dict[Spot, float] = {}
    for q, r in places:
        for facing, (dq, dr) in enumerate(STEPS):
            near = range(1, EDGE_NEAR + 1)
            off = sum((q + dq * n, r + dr * n) not in places for n in near)
            costs[q, r, facing] = WEIGHTS.edge * off
    return costs
