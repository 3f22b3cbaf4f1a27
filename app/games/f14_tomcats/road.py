"""What lies ahead of a jet that flies by a policy: SAM sites, MiG hits, points and kills.

What lies ahead comes in two kinds that do not touch each other: how many SAM sites are met, and what MiGs
and targets do to a jet's weapons and its damage. It comes home when the damage of both stays below its
limit; that it went down early changes nothing in that sum, so both may be followed to the end. `Road`
therefore gives, for a place on the route and a load, how likely each pair is of (SAM sites met, MiG hits
taken), whatever the damage and chaff now; `Sites` gives the chance to come through so many sites with so
much chaff. Exact, but that 13 sites or more count as not getting home: less than one in ten million.

Belongs here: these sums. Does not belong here: a game's position, or what people see; see `foresight`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import Literal, NamedTuple

from app.games.f14_tomcats.model import HOME, Cards, Weapon
from app.games.f14_tomcats.policy import Load, Policy
from app.games.f14_tomcats.rows import Row, Rows

Share = Literal["all", "leader", "wingman"]
MOST_SITES = 12
WITH_CHAFF, WITHOUT = 1 / 6, 1 / 3
"""The chance that a missile hits."""
Plan = Literal["", "-"] | Weapon
NOTHING: Literal["-"] = "-"
FACES = range(1, 7)


def share_of(number: int, share: Share) -> int:
    """How many of so many missiles or MiGs come for a jet (F14-TP-4)."""
    return {"all": number, "leader": (number + 1) // 2, "wingman": number // 2}[share]


def one_less(shots: int) -> int:
    """Shots that may still be fired, after one; -1 means any number."""
    return shots - 1 if shots > 0 else shots


# SAM sites.


class Sites:
    """The chance that so many SAM sites do no more than so much damage, with so much chaff.

    By missile (F14-SM-2, F14-SM-4): with chaff 1 in 6 hits, without it 1 in 3.
    """

    def __init__(self, limit: int, chaff: int):
        self.limit = limit
        come_through = [[1.0] * limit for _ in range(chaff + 1)]
        self.table = [come_through]
        for _ in range(MOST_SITES):
            come_through = self._site(come_through)
            self.table.append(come_through)

    def _site(self, after: list[list[float]]) -> list[list[float]]:
        """One more site before those of `after`."""
        by_missiles = [after]
        for _ in FACES:
            by_missiles.append(self._missile(by_missiles[-1]))
        met = by_missiles[1:]
        return [
            [sum(one[chaff][most] for one in met) / 6 for most in range(self.limit)]
            for chaff in range(len(after))
        ]

    def _missile(self, after: list[list[float]]) -> list[list[float]]:
        return [
            self._one(after[max(0, chaff - 1)], WITH_CHAFF if chaff else WITHOUT)
            for chaff in range(len(after))
        ]

    def _one(self, after: list[float], hit: float) -> list[float]:
        return [
            (1 - hit) * after[most] + (hit * after[most - 1] if most else 0)
            for most in range(self.limit)
        ]

    def through(self, ahead: Sequence[float], damage: int, chaff: int) -> float:
        """The sum over all of `Road` that leaves the jet in the air."""
        left, total = self.limit - damage, 0.0
        for met, by_damage in enumerate(self.table):
            spare = by_damage[chaff][:left]
            start = met * self.limit
            total += sum(map(mul, ahead[start : start + left], reversed(spare)))
        return total


# The road.


class Mark(NamedTuple):
    """A target on the way."""

    waypoint: int
    needs: int
    points: int


class Arm(NamedTuple):
    """What a weapon does: the faces on which it hits, and the damage to a target."""

    sixths: int
    ground: int


class Arms(NamedTuple):
    """The weapons of a mission."""

    amraam: Arm
    sidewinder: Arm
    cannon: Arm
    maverick: Arm

    def of(self, weapon: Weapon) -> Arm:
        """One of them."""
        arm: Arm = getattr(self, weapon)
        return arm


def arms_of(cards: Cards) -> Arms:
    """The weapons as a mission's tables have them."""
    return Arms(**{row.id: Arm(7 - row.hits, row.ground) for row in cards.weapons})


class Way(NamedTuple):
    """What the sums of a mission depend on besides the position."""

    arms: Arms
    targets: tuple[Mark, ...]
    limit: int
    last_leg: bool
    first_pass: bool
    one_shot: bool
    both_score: bool
    policy: Policy


class Stage(NamedTuple):
    """A moment of a mission: what comes next.

    "fly" leaves `waypoint`, "arrive" has the contact there behind it, "pass" begins a pass over target
    number `target` with `damage` on it, "fire" has the contact of that pass behind it, "at" decides.
    `plan` is the weapon to be fired: "" what the policy says, `NOTHING` none.
    """

    kind: Literal["fly", "arrive", "at", "pass", "fire"]
    waypoint: int
    target: int = 0
    damage: int = 0
    again: bool = False
    plan: Plan = ""


class Road:
    """For each stage and load, by SAM sites met and MiG hits taken: a chance, points and kills.

    A row has three parts, each with a block for each number of sites, and in it a place for each number
    of hits. The first holds the chance to reach the end of the route so, the others the points and the
    kills that are won at the moment when so much has been met.
    """

    def __init__(self, way: Way):
        self.way = way
        self.rows = Rows(3, MOST_SITES + 1, way.limit)
        self.one_home, self.one_point, self.one_kill = (self.rows.first(n, 1) for n in range(3))
        self.known: dict[tuple[Stage, Load], Row] = {}
        self.fights: dict[tuple[Stage, Load, int, int], Row] = {}
        self.last = max((target.waypoint for target in way.targets), default=0)

    def row(self, stage: Stage, load: Load) -> Row:
        """What lies ahead."""
        key = (stage, load)
        row = self.known.get(key)
        if row is None:
            row = self.known[key] = _STEPS[stage.kind](self, stage, load)
        return row

    def forget(self) -> None:
        """Drop what is soon made again: fights take three times the room of all the rest."""
        self.fights.clear()

    # Along the route.

    def fly(self, stage: Stage, load: Load) -> Row:
        """On to the next waypoint, and the contact there."""
        ahead = stage.waypoint + 1
        if ahead > HOME:
            return self.one_home
        arrived = Stage("arrive", ahead)
        contact = ahead < HOME or self.way.last_leg
        return self.contact(arrived, load) if contact else self.row(arrived, load)

    def arrive(self, stage: Stage, load: Load) -> Row:
        """A target, or further on."""
        for n, target in enumerate(self.way.targets):
            if target.waypoint == stage.waypoint:
                return self.row(Stage("at", stage.waypoint, n), load)
        return self.row(Stage("fly", stage.waypoint), load)

    def at(self, stage: Stage, load: Load) -> Row:
        """A pass, or on."""
        if self.way.policy.at_target(load) is None:
            return self.row(Stage("fly", stage.waypoint), load)
        return self.row(stage._replace(kind="pass"), load)

    def begin(self, stage: Stage, load: Load) -> Row:
        """The contact of a pass."""
        fire = stage._replace(kind="fire")
        contact = stage.again or self.way.first_pass
        return self.contact(fire, load) if contact else self.row(fire, load)

    # Contact.

    def contact(self, after: Stage, load: Load) -> Row:
        """One contact roll: 1 in 12 a SAM site, 1 in 12 MiGs, one to six of them (F14-CT-1, F14-CT-2)."""
        met = [self.met(after, load, number) for number in FACES]
        return self.rows.contact(self.row(after, load), met)

    def met(self, after: Stage, load: Load, number: int) -> Row:
        """A flight of so many MiGs."""
        return self.fight(after, load, number, number if self.way.one_shot else -1)

    def fight(self, after: Stage, load: Load, migs: int, shots: int) -> Row:
        """So many MiGs that come for this jet, and the shots that may still be fired (-1: any)."""
        if not migs:
            return self.row(after, load)
        key = (after, load, migs, shots)
        row = self.fights.get(key)
        if row is None:
            weapon = self.way.policy.at_migs(load, self._target_ahead(after)) if shots else None
            if weapon is None:
                row = self.rows.further(self.row(after, load), migs)
            else:
                row = self.shot(after, load, migs, shots, weapon)
            self.fights[key] = row
        return row

    def shot(self, after: Stage, load: Load, migs: int, shots: int, weapon: Weapon) -> Row:
        """One shot, then as the policy says."""
        left, hit, further = load.without(weapon), self.way.arms.of(weapon).sixths, one_less(shots)
        killed = self.fight(after, left, migs - 1, further) + self.one_kill
        return self.rows.mix(hit, killed, self.fight(after, left, migs, further))

    def _target_ahead(self, after: Stage) -> bool:
        """Whether a target is still to be attacked once this contact is over."""
        return self.last > after.waypoint or (self.last == after.waypoint and after.kind != "fly")

    # Over a target.

    def fire(self, stage: Stage, load: Load) -> Row:
        """A shot at the target, if there is one."""
        at = Stage("at", stage.waypoint, stage.target, stage.damage, again=True)
        weapon = self._planned(stage.plan, load)
        if weapon is None:
            return self.row(at, load)
        left, target = load.without(weapon), self.way.targets[stage.target]
        arm = self.way.arms.of(weapon)
        damage = stage.damage + arm.ground
        if damage >= target.needs:
            hit = self.row(Stage("fly", stage.waypoint), left) + self.one_point * target.points
        else:
            hit = self.row(at._replace(damage=damage), left)
        return self.rows.mix(arm.sixths, hit, self.row(at, left))

    def _planned(self, plan: Plan, load: Load) -> Weapon | None:
        if plan == NOTHING:
            return None
        if plan != "" and getattr(load, plan):
            return plan
        return self.way.policy.at_target(load)


_STEPS: Mapping[str, Callable[[Road, Stage, Load], Row]] = {
    "fly": Road.fly,
    "arrive": Road.arrive,
    "at": Road.at,
    "pass": Road.begin,
    "fire": Road.fire,
}


@lru_cache(maxsize=8)
def road(way: Way) -> Road:
    """The road of a mission; it learns as it is asked, some 10 MB at most."""
    return Road(way)


@lru_cache(maxsize=24)
def sites(limit: int, chaff: int) -> Sites:
    """The sites of an aircraft."""
    return Sites(limit, chaff)


# Where a jet is.


class Spot(NamedTuple):
    """A jet at a moment: the stage that follows, and what is still to be dealt with before it.

    `missiles` are to come, of which the first is past its countermeasure roll when `late`. `migs` come
    for it; it may still shoot at them `shots` times (-1: any). `points` and `kills` are what it has won on
    the way to this moment.
    """

    stage: Stage
    load: Load
    damage: int
    chaff: int
    missiles: int = 0
    late: bool = False
    migs: int = 0
    shots: int = 0
    points: int = 0
    kills: int = 0


Spots = Iterable[tuple[float, tuple[Spot, ...]]]
"""What may be: how likely it is, and where each jet in the air is then, the leader first."""


class Sums(NamedTuple):
    """The chance to get home, and the points and kills to be expected."""

    home: float
    points: float
    kills: float


NO_SUMS = Sums(0, 0, 0)


def added(parts: Iterable[tuple[float, Sums]]) -> Sums:
    """The sum of what may happen, each by its chance."""
    home = points = kills = 0.0
    for chance, one in parts:
        home += chance * one.home
        points += chance * one.points
        kills += chance * one.kills
    return Sums(home, points, kills)


def value(spot: Spot, roads: Road, table: Sites) -> Sums:
    """What a jet may expect from a moment on."""
    if spot.points or spot.kills:
        rest = value(spot._replace(points=0, kills=0), roads, table)
        return Sums(rest.home, rest.points + spot.points, rest.kills + spot.kills)
    if spot.damage >= table.limit:
        return NO_SUMS
    if spot.missiles:
        return _missile(spot, roads, table)
    row = roads.fight(spot.stage, spot.load, spot.migs, spot.shots)
    parts = roads.rows.numbers(row)
    return Sums(*(table.through(part, spot.damage, spot.chaff) for part in parts))


def _missile(spot: Spot, roads: Road, table: Sites) -> Sums:
    """The next missile; `late`: it can only be evaded."""
    used = 0 if spot.late or not spot.chaff else 1
    hit = WITH_CHAFF if used else WITHOUT
    after = spot._replace(missiles=spot.missiles - 1, late=False, chaff=spot.chaff - used)
    damaged = value(after._replace(damage=spot.damage + 1), roads, table)
    return added([(hit, damaged), (1 - hit, value(after, roads, table))])
