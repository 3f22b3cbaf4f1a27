"""Moves: where a ship can get to, where enemies may be by then, and what that is worth.

Belongs here: geometry with chances. Where its own ship gets to is exact: from the last hex back it takes the best
of straight on and the turns. What enemies will do is a guess: they turn towards their prey.
"""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from app.engine.game import Exact
from app.engine.hexes import Board, Hex, distance, sectors
from app.games.war_in_space.admiral.damage import boxes_left, strength, worth
from app.games.war_in_space.admiral.gunnery import exchange
from app.games.war_in_space.admiral.weights import WEIGHTS
from app.games.war_in_space.ending import score
from app.games.war_in_space.ending import worth as given_away
from app.games.war_in_space.fire import FRONT, enemies
from app.games.war_in_space.model import Ship, ShipClass, State
from app.games.war_in_space.movement import ahead, hard_turn_blocked, turn_chance

EDGE_NEAR = 3
"""Hexes ahead within which it minds the edge."""
FARTHEST = 4
"""So many hexes are thought through: of a move that is to come the last ones, the others flown straight; of one
that is on, the next ones."""
LIKELIEST = 4
"""Of an enemy's move so many places are followed, the likeliest ones, from hex to hex."""
MINDED = 3
"""So many enemies are minded, the nearest ones."""


class Pose(Struct, frozen=True, gc=False):
    """A place and a facing. There are thousands in a decision, and no cycles for the garbage collector to find."""

    hex: Hex
    facing: int


Poses = Mapping[Pose, float]
"""Where a ship may be, each with its chance."""


@lru_cache(maxsize=4096)
def turns_by(exact: Exact, kind: ShipClass, speed: int, bonus: int, sides: int) -> float:
    """The chance of a turn by so many hex-sides (WIS-MV-6, WIS-MV-10)."""
    return float(exact(turn_chance(kind, speed, bonus, sides)).get(True, 0))


@lru_cache(maxsize=16384)
def bearing(offset: Hex, facing: int) -> int:
    """How many hex-sides a place lies off the nose, 0 to 3; 3 in the same hex, where nobody can fire."""
    return min((min(s, 6 - s) for s in sectors(offset, facing)), default=3)


@lru_cache(maxsize=16384)
def fires_at(offset: Hex, facing: int) -> bool:
    """Whether a place is in the front 180° (WIS-WF-1)."""
    return bool(FRONT & sectors(offset, facing))


@lru_cache(maxsize=16384)
def room_ahead(board: Board, place: Hex, facing: int) -> int:
    """Hexes off the nose before the edge, as far as it minds."""
    return len(ahead(board, place, facing, EDGE_NEAR))


def after_chase(exact: Exact, board: Board, ship: Ship, prey: Hex) -> Poses:
    """Where an enemy may end its move when it turns towards its prey before each hex."""
    poses: Poses = {Pose(ship.hex, ship.facing): 1.0}
    chance = turns_by(exact, ship.kind, ship.speed, ship.bonus, 1)
    for step in range(ship.steps_left):
        free = step > 0 or not ship.move.tried
        poses = _likeliest(_chased(board, poses, prey, chance if free else 0.0))
    return poses


def _chased(board: Board, poses: Poses, prey: Hex, chance: float) -> Poses:
    after: dict[Pose, float] = {}
    for pose, share in poses.items():
        side = _side(pose, prey)
        for facing, part in ((pose.facing + side, chance), (pose.facing, 1 - chance)):
            place = pose.hex.ahead(facing)
            end = Pose(place if place in board else pose.hex, facing % 6)
            after[end] = after.get(end, 0.0) + share * part
    return after


def _likeliest(poses: Poses) -> Poses:
    if len(poses) <= LIKELIEST:
        return poses
    kept = sorted(poses.items(), key=lambda one: -one[1])[:LIKELIEST]
    whole = sum(share for _, share in kept)
    return {pose: share / whole for pose, share in kept}


def _side(pose: Pose, prey: Hex) -> int:
    """The hex-side, to the right or to the left, that brings the nose nearer; 0 dead ahead."""
    found = sectors(prey - pose.hex, pose.facing)
    if not found or 0 in found:
        return 0
    return 1 if min(found) <= 3 else -1


class Outlook:
    """A ship and what is around it: asked what ends of its move are worth, at any speed and bonus."""

    def __init__(self, exact: Exact, state: State, ship: Ship) -> None:
        self.exact = exact
        self.state = state
        self.ship = ship
        self.enemies = sorted(enemies(state, ship), key=lambda e: distance(e.hex, ship.hex))[
            :MINDED
        ]
        self.friends = sum(other.seat == ship.seat for other in state.fighting())
        self.hard = hard_turn_blocked(state, ship) is None
        self.once = state.rulings.bonus_scope == "attempt"
        self.may_stop = state.rulings.whole_distance == "may"
        self.engine_box = _engine_box(ship)
        self.leaving = leaving(state, ship)
        self._chases: dict[tuple[str, Hex], Poses] = {}
        self._stances: dict[tuple[Pose, frozenset[str]], float] = {}
        self._pairs: dict[tuple[str, Pose, Pose], tuple[float, float, float]] = {}

    def plan(self, speed: int, bonus: int) -> "Plan":
        """The rest of the move at a speed with a bonus."""
        return Plan(self, speed, bonus)

    def places(self, enemy: Ship, mine: Hex, *, follows: bool) -> Poses:
        """Where an enemy may be: one that moves later follows to where the ship ends."""
        if self.state.phase == "movement" and enemy.steps_left == 0:
            return {Pose(enemy.hex, enemy.facing): 1.0}
        prey = mine if follows else self.ship.hex
        key = (enemy.id, prey)
        if key not in self._chases:
            self._chases[key] = after_chase(self.exact, self.state.board, enemy, prey)
        return self._chases[key]

    def stance(self, pose: Pose, later: frozenset[str]) -> float:
        """What it is worth to end there, `later` being those that move afterwards."""
        key = (pose, later)
        if key not in self._stances:
            self._stances[key] = self._stance(pose, later)
        return self._stances[key]

    def _stance(self, pose: Pose, later: frozenset[str]) -> float:
        best, feared, rest = 0.0, 0.0, 0.0
        for enemy in self.enemies:
            mine, its, lies = 0.0, 0.0, 0.0
            for place, share in self.places(enemy, pose.hex, follows=enemy.id in later).items():
                gives, takes, stands = self._pair(enemy, pose, place)
                mine += share * gives
                its += share * takes
                lies += share * stands
            best = max(best, mine)
            feared += its
            rest += lies
        feared /= max(1, self.friends)
        rest /= max(1, len(self.enemies))
        near_edge = EDGE_NEAR - room_ahead(self.state.board, pose.hex, pose.facing)
        return WEIGHTS.later * (best - WEIGHTS.fear * feared) + rest - WEIGHTS.edge * near_edge

    def _pair(self, enemy: Ship, mine: Pose, its: Pose) -> tuple[float, float, float]:
        """Against one enemy: the shot it would have, the enemy's shot, and how the two lie."""
        key = (enemy.id, mine, its)
        if key not in self._pairs:
            self._pairs[key] = self._pair_of(enemy, mine, its)
        return self._pairs[key]

    def _pair_of(self, enemy: Ship, mine: Pose, its: Pose) -> tuple[float, float, float]:
        offset, back = its.hex - mine.hex, mine.hex - its.hex
        span = distance(mine.hex, its.hex)
        gives = takes = 0.0
        if fires_at(offset, mine.facing):
            gives = exchange(self.exact, self.ship, enemy, span)
        if fires_at(back, its.facing):
            takes = exchange(self.exact, enemy, self.ship, span)
        at_stake = (self.ship.kind.points + enemy.kind.points) / 2
        angle = bearing(back, its.facing) - bearing(offset, mine.facing)
        far = max(0, span - WEIGHTS.good_range)
        return gives, takes, at_stake * (WEIGHTS.pointing * angle / (1 + far) - WEIGHTS.far * far)


def _engine_box(ship: Ship) -> float:
    """What the Engine box is worth that a failed hard turn costs (WIS-MV-11)."""
    if not ship.unmarked("engine"):
        return 0.0
    return worth(ship) - worth(replace(ship, marked=ship.marked.more("engine")))


def leaving(state: State, ship: Ship) -> float:
    """What it is worth to withdraw: points given away, and what the ship could still have done.

    The last ship of a side ends the game (WIS-VC-2), so that whoever is ahead then has won.
    """
    after = replace(ship, status="withdrawn")
    given = given_away(after) - given_away(ship)
    cost = given + strength(ship, boxes_left(ship))
    if any(other.seat == ship.seat and other is not ship for other in state.fighting()):
        return -cost
    mine = score(state, ship.seat)
    theirs = sum(score(state, seat) for seat in state.sides if seat != ship.seat) + given
    return WEIGHTS.win if mine > theirs else -cost - WEIGHTS.win


class Plan:
    """A move at a speed with a bonus, from the last hex back."""

    def __init__(self, outlook: Outlook, speed: int, bonus: int) -> None:
        self.outlook = outlook
        self.speed = speed
        ship = outlook.ship
        self.start = Pose(ship.hex, ship.facing)
        hexes = speed - ship.move.flown
        self.left = min(hexes, FARTHEST)
        self.before = hexes - self.left
        self.bonus = bonus
        self.later = _later(outlook, speed)
        self._known: dict[tuple[Pose, int, int], float] = {}

    def worth(self) -> float:
        """The move at its best, with the speed that is left for the next turn."""
        ship = self.outlook.ship
        pace = turns_by(self.outlook.exact, ship.kind, self.speed, 0, 1) if self.speed else 0.0
        pose = replace(self.start, hex=self.start.hex.ahead(self.start.facing, self.before))
        if pose.hex not in self.outlook.state.board:
            return self.outlook.leaving
        return self.go(pose, self.left, self.bonus) + WEIGHTS.turning * pace

    def next(self) -> dict[int, float]:
        """What straight on and each turn is worth before the next hex, as far as is thought."""
        return self.choices(self.start, self.left, self.bonus)

    def go(self, pose: Pose, left: int, bonus: int) -> float:
        """What the rest of the move is worth at its best."""
        if left == 0:
            return self.outlook.stance(pose, self.later)
        key = (pose, left, bonus)
        if key not in self._known:
            found = max(self.choices(pose, left, bonus).values())
            self._known[key] = (
                max(found, self.outlook.stance(pose, self.later))
                if self.outlook.may_stop
                else found
            )
        return self._known[key]

    def choices(self, pose: Pose, left: int, bonus: int) -> dict[int, float]:
        """What straight on and each turn is worth, by hex-sides to the right.

        Hard turns are thought of for the next hex only.
        """
        straight = self._step(pose, pose.facing, left, bonus)
        found = {0: straight}
        after = 0 if self.outlook.once else bonus
        failed = straight if after == bonus else self._step(pose, pose.facing, left, after)
        hard = self.outlook.hard and left == self.left
        for sides in (1, -1, 2, -2, 3) if hard else (1, -1):
            ship = self.outlook.ship
            chance = turns_by(self.outlook.exact, ship.kind, self.speed, bonus, abs(sides))
            if chance:
                price = self.outlook.engine_box if abs(sides) > 1 else 0.0
                good = self._step(pose, pose.facing + sides, left, after)
                found[sides] = chance * good + (1 - chance) * (failed - price)
        return found

    def _step(self, pose: Pose, facing: int, left: int, bonus: int) -> float:
        place = pose.hex.ahead(facing)
        if place not in self.outlook.state.board:
            return self.outlook.leaving
        return self.go(Pose(place, facing % 6), left - 1, bonus)


def _later(outlook: Outlook, speed: int) -> frozenset[str]:
    """Enemies that move after the ship: by the order once it is set, else by crew and speed (WIS-MO-2)."""
    ship, state = outlook.ship, outlook.state
    if state.order is not None:
        place = {one.ship: n for n, one in enumerate(state.order)}
        return frozenset(
            e.id for e in outlook.enemies if place.get(e.id, 0) > place.get(ship.id, 0)
        )
    mine = (ship.experience, speed, -ship.size)
    return frozenset(e.id for e in outlook.enemies if (e.experience, e.speed, -e.size) >= mine)
