"""Aids that a player can switch on for a ship: arcs, what it can hit, where its move can end.

Belongs here: overlays, computed from the rules' own functions. Does not belong here: a rule, or markup.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Literal

from msgspec import Struct

from app.engine.chance import Chain, Chance, percent
from app.engine.dice import Pool
from app.engine.game import Aid, Cell, Exact, Overlay
from app.engine.heat import End, heat_map
from app.engine.hexes import COMPASS, DIRECTIONS, Board, Hex, distance, sectors
from app.games.war_in_space.fire import FRONT, TO_HIT, hit_chance, most_aim
from app.games.war_in_space.model import Ship, ShipClass, Side, State
from app.games.war_in_space.movement import hard_turn_blocked, turned, turns

NO_DICE = Pool(0)
MOST_REACH = 12
"""A move of more hexes is not drawn: it leads anywhere."""


def _around(radius: int) -> Iterator[Hex]:
    """Offsets of all hexes within a range, ring by ring."""
    for ring in range(1, radius + 1):
        for side in range(6):
            corner = Hex(0, 0).ahead(side, ring)
            step = DIRECTIONS[(side + 2) % 6]
            for n in range(ring):
                yield Hex(corner.q + step.q * n, corner.r + step.r * n)


# Fire.


def _to_hit(aimed: bool, title: str, state: State, ship_id: str, exact: Exact) -> Overlay | None:
    """The chance to hit in each hex of the front 180° (WIS-WF-1, WIS-WF-3), from where the ship is."""
    ship = state.ships[ship_id]
    if state.rulings.weapons == "off" or ship.status != "fighting":
        return None
    aim = most_aim(ship) if aimed else 0
    cells: list[Cell] = []
    for offset in _around(TO_HIT.sides + aim - 1):
        place = ship.hex + offset
        if FRONT & sectors(offset, ship.facing) and place in state.board:
            span = distance(ship.hex, place)
            chance = exact(hit_chance(span, aim)).get(True, Fraction(0))
            cells.append(Cell(place.label, float(chance), percent(chance), f"range {span}"))
    return Overlay(title, tuple(cells), _fire_detail(ship, aimed, aim))


def _fire_detail(ship: Ship, aimed: bool, aim: int) -> str:
    if ship.unmarked("weapon") == 0:
        return "No Weapon box is left: shown as if there were one."
    if ship.energy is None:
        return "Energy is not rolled for yet: shown without aim."
    if not ship.has("attack"):
        return "No attack energy is left: shown as if there were some."
    return f"Aim +{aim}." if aimed else "All attack energy is charge."


# Where the move can end.

Policy = Literal["never"] | Side | int
"""Tries no turn, a turn to one side before each hex, or the shorter way until it faces 0 to 5."""


class Flight(Struct, frozen=True):
    """A moment of a move: `left` hexes to come; `tried` if the turn before the next one is rolled.

    `bonus` counts for the next try. `out`: it has left the board from `hex`.
    """

    hex: Hex
    facing: int
    left: int
    bonus: int
    tried: bool = False
    out: bool = False

    @property
    def where(self) -> End:
        """Where it is, for the map."""
        return None if self.out else (self.hex, self.facing)


def flight(
    board: Board, kind: ShipClass, speed: int, policy: Policy, start: Flight, *, once: bool
) -> Chain:
    """The rest of a move under a policy, exactly as the rules play it (WIS-MV-1, WIS-MV-6, WIS-MV-7).

    `once`: the bonus counts for one try only (WIS-MV-9).
    """

    def step(now: Flight) -> Chance | None:
        if now.left == 0 or now.out:
            return None
        side = None if now.tried else side_to_try(policy, now.facing)
        if side is None:
            straight = _forward(board, now, now.facing, now.bonus)
            return Chance(NO_DICE, lambda faces: straight)
        after = 0 if once else now.bonus
        good = _forward(board, now, turned(now.facing, side), after)
        bad = _forward(board, now, now.facing, after)
        bonus = now.bonus
        return Chance(
            Pool(1, kind.turn_die), lambda faces: good if turns(speed, bonus, faces) else bad
        )

    key = ("war-in-space", "flight", board, kind.turn_die, speed, policy, start, once)
    return Chain(start, step, key)


def side_to_try(policy: Policy, facing: int) -> Side | None:
    """The side to which a policy tries to turn; dead astern counts as right."""
    if not isinstance(policy, int):
        return None if policy == "never" else policy
    by = (policy - facing) % 6
    return None if by == 0 else "right" if by <= 3 else "left"


def _forward(board: Board, now: Flight, facing: int, bonus: int) -> Flight:
    place = now.hex.ahead(facing)
    if place not in board:
        return Flight(now.hex, facing, 0, bonus, out=True)
    return Flight(place, facing, now.left - 1, bonus)


def _heat(policy: Policy, title: str, state: State, ship_id: str, exact: Exact) -> Overlay | None:
    """The chances of each end of the move; None for a ship that has no move ahead of it this turn."""
    ship = state.ships[ship_id]
    if not _has_to_move(state, ship):
        return None
    start = Flight(ship.hex, ship.facing, ship.steps_left, ship.bonus, ship.move.tried)
    once = state.rulings.bonus_scope == "attempt"
    chain = flight(state.board, ship.kind, ship.speed, policy, start, once=once)
    ends = ((end.where, chance) for end, chance in exact(chain).items())
    return heat_map(title, _assumed(ship), ends)


def _has_to_move(state: State, ship: Ship) -> bool:
    """Whether a move of this turn is still to come."""
    if ship.status != "fighting" or state.result is not None or state.phase == "repair":
        return False
    return ship.steps_left > 0


def _assumed(ship: Ship) -> str:
    if ship.spent or ship.move.flown:
        return ""
    return f"Shown for speed {ship.speed} with turn bonus +{ship.bonus}."


def _reach(state: State, ship_id: str, exact: Exact) -> Overlay | None:
    """Every hex in which the move can end if all turns that are tried succeed, hard ones too (WIS-MV-10)."""
    del exact
    ship = state.ships[ship_id]
    if not _has_to_move(state, ship) or ship.steps_left > MOST_REACH:
        return None
    ends = {(ship.hex, ship.facing, ship.bonus)}
    for step in range(ship.steps_left):
        free = step > 0 or not ship.move.tried
        ends = {end for start in ends for end in _next_ends(state, ship, start, free=free)}
    facings: dict[Hex, list[int]] = {}
    for place, facing in sorted({(place, facing) for place, facing, _ in ends}):
        facings.setdefault(place, []).append(facing)
    cells = tuple(
        Cell(place.label, 0.3, "", "facing " + ", ".join(COMPASS[f] for f in found))
        for place, found in facings.items()
    )
    return Overlay("Within reach", cells, _assumed(ship))


def _next_ends(
    state: State, ship: Ship, start: tuple[Hex, int, int], *, free: bool
) -> Iterator[tuple[Hex, int, int]]:
    """Hex, facing and bonus after one hex more: straight on or, if a try is `free`, after one that succeeds."""
    place, facing, bonus = start
    most = 0
    if free and ship.kind.turn_die + bonus > ship.speed:
        most = 1 if hard_turn_blocked(state, ship) else 3
    for turn in range(-most, most + 1):
        ahead = place.ahead(facing + turn)
        if ahead in state.board:
            spent = turn != 0 and state.rulings.bonus_scope == "attempt"
            yield ahead, (facing + turn) % 6, 0 if spent else bonus


def _heat_aid(key: str, policy: Policy, title: str) -> Aid:
    drawn = partial(_heat, policy, f"{ENDS}, {title}")
    return Aid(f"heat-{key}", title, drawn, ENDS)


ENDS = "Where the move ends"
CHARGED = "Chance to hit, all energy as charge"
AIMED = "Chance to hit, with the best aim"

AIDS: tuple[Aid, ...] = (
    Aid("hit-charge", CHARGED, partial(_to_hit, False, CHARGED)),
    Aid("hit-aim", AIMED, partial(_to_hit, True, AIMED)),
    Aid("reach", "Within reach of its move", _reach),
    _heat_aid("never", "never", "flying straight"),
    _heat_aid("left-always", "left", "trying left before each hex"),
    _heat_aid("right-always", "right", "trying right before each hex"),
    *(
        _heat_aid(f"until-{point.lower()}", facing, f"trying until it faces {point}")
        for facing, point in enumerate(COMPASS)
    ),
)
