"""The chance to get home from here, for a flight that goes on by a stated policy (`policy.STEADY`).

What lies ahead of a jet comes in two kinds that do not touch each other: how many SAM sites it meets, and
what MiGs and targets do to its weapons and its damage. A jet comes home when the damage of both stays
below its limit; that it went down early changes nothing in that sum, so both may be followed to the end.
`Road` therefore gives, for a place on the route and a load, how likely each pair is of (SAM sites met, MiG
hits taken), whatever the damage and chaff now; `Sites` gives the chance to come through so many sites
with so much chaff. Exact, but that 13 sites or more count as not getting home (less than one in a million).

In a team the road of each jet is an estimate: it meets its share of missiles and MiGs and shoots at those
only, and on each pass the other one fires what this one would. That is for as long as both are in the air;
for the case that the other one goes down, half the way is counted as flown alone.

Belongs here: these sums and the rows that people see. Does not belong here: a rule, or a random number.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from operator import mul
from typing import Literal, NamedTuple

from msgspec import Struct

from app.engine.chance import Chance, Faces, Odds
from app.engine.dice import Pool
from app.games.f14_tomcats import tables
from app.games.f14_tomcats.model import HOME, Contact, Jet, Rulings, State, Target, Weapon
from app.games.f14_tomcats.policy import STEADY, Load, Policy, load_of
from app.games.f14_tomcats.rows import Row, Rows

Share = Literal["all", "leader", "wingman"]
Told = Sequence[tuple[str, Odds]]
"""What people see beside an option: whom it is about, and his chances."""

THEN = "Getting home"
FLOWN = (
    "Missiles first, then the gun, three bursts kept for the targets, each attacked until destroyed"
)
ESTIMATE = "An estimate. "

MOST_SITES = 12
WITH_CHAFF, WITHOUT = 1 / 6, 1 / 3
"""The chance that a missile hits."""
Plan = Literal["", "-"] | Weapon
NOTHING: Literal["-"] = "-"
FACES = range(1, 7)


def share_of(number: int, share: Share) -> int:
    """How many of so many missiles or MiGs come for a jet (F14-TP-4)."""
    return {"all": number, "leader": (number + 1) // 2, "wingman": number // 2}[share]


@cache
def sixths(weapon: Weapon) -> int:
    """The faces on which a weapon hits."""
    return 7 - tables.weapons()[weapon].hits


def one_less(shots: int) -> int:
    """Shots that may still be fired, after one; -1 means any number."""
    return shots - 1 if shots > 0 else shots


# SAM sites.


class Sites:
    """The chance that so many SAM sites do no more than so much damage, with so much chaff.

    By missile (F14-SM-2, F14-SM-4): with chaff 1 in 6 hits, without it 1 in 3.
    """

    def __init__(self, limit: int, chaff: int, share: Share):
        self.limit = limit
        self.share: Share = share
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
        met = [by_missiles[share_of(face, self.share)] for face in FACES]
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


class Way(NamedTuple):
    """What the sums of a mission depend on besides the position."""

    targets: tuple[Mark, ...]
    limit: int
    share: Share
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
        migs = share_of(number, self.way.share)
        return self.fight(after, load, migs, migs if self.way.one_shot else -1)

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
        left, hit, further = load.without(weapon), sixths(weapon), one_less(shots)
        killed = self.fight(after, left, migs - 1, further) + self.one_kill
        return self.rows.mix(hit, killed, self.fight(after, left, migs, further))

    def _target_ahead(self, after: Stage) -> bool:
        """Whether a target is still to be attacked once this contact is over."""
        return self.last > after.waypoint or (self.last == after.waypoint and after.kind != "fly")

    # Over a target.

    def fire(self, stage: Stage, load: Load) -> Row:
        """The leader fires, then the wingman; here one of them is this jet and one the other."""
        if self.way.share == "leader":
            mine, his = self._planned(stage.plan, load), self._planned("", load)
            return self._shoots(stage, load, mine, then=his)
        if self.way.share == "wingman":
            mine, his = self._planned("", load), self._planned(stage.plan, load)
            return self._looks_on(stage, load, his, then=mine)
        return self._shoots(stage, load, self._planned(stage.plan, load), then=None)

    def _planned(self, plan: Plan, load: Load) -> Weapon | None:
        if plan == NOTHING:
            return None
        if plan != "" and getattr(load, plan):
            return plan
        return self.way.policy.at_target(load)

    def _shoots(self, stage: Stage, load: Load, weapon: Weapon | None, then: Weapon | None) -> Row:
        """This jet fires, and then, if the target still stands, the other one."""
        if weapon is None:
            return self._looks_on(stage, load, then, then=None)
        left = load.without(weapon)
        missed = self._looks_on(stage, left, then, then=None)
        hit = self._with_hit(stage, weapon)
        done = (
            self._destroyed(stage, left, mine=True)
            if hit is None
            else self._looks_on(hit, left, then, then=None)
        )
        return self.rows.mix(sixths(weapon), done, missed)

    def _looks_on(
        self, stage: Stage, load: Load, weapon: Weapon | None, then: Weapon | None
    ) -> Row:
        """The other jet fires, and then, if the target still stands, this one."""
        missed = self._after_him(stage, load, then)
        if weapon is None:
            return missed
        hit = self._with_hit(stage, weapon)
        done = (
            self._destroyed(stage, load, mine=False)
            if hit is None
            else self._after_him(hit, load, then)
        )
        return self.rows.mix(sixths(weapon), done, missed)

    def _after_him(self, stage: Stage, load: Load, weapon: Weapon | None) -> Row:
        if weapon is not None:
            return self._shoots(stage, load, weapon, then=None)
        at = Stage("at", stage.waypoint, stage.target, stage.damage, again=True)
        return self.row(at, load)

    def _with_hit(self, stage: Stage, weapon: Weapon) -> Stage | None:
        """The stage with the damage of a hit; None when that destroys the target."""
        damage = stage.damage + tables.weapons()[weapon].ground
        needs = self.way.targets[stage.target].needs
        return None if damage >= needs else stage._replace(damage=damage)

    def _destroyed(self, stage: Stage, load: Load, *, mine: bool) -> Row:
        on = self.row(Stage("fly", stage.waypoint), load)
        if mine or self.way.both_score:
            on += self.one_point * self.way.targets[stage.target].points
        return on


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
def sites(limit: int, chaff: int, share: Share) -> Sites:
    """The sites of an aircraft."""
    return Sites(limit, chaff, share)


# Where a jet is.


class Spot(NamedTuple):
    """A jet at a moment: the stage that follows, and what is still to be dealt with before it.

    `missiles` are to come, of which the first is past its countermeasure roll when `late`. `migs` come
    for it; it may still shoot at them `shots` times (-1: any), and `aim` is fired already.
    """

    stage: Stage
    load: Load
    damage: int
    chaff: int
    missiles: int = 0
    late: bool = False
    migs: int = 0
    shots: int = 0
    aim: Weapon | None = None


Spots = Iterable[tuple[float, Spot]]


class Outlook(Struct, frozen=True):
    """What a jet may expect: the chances add up to 1; points and kills are those still to come.

    `exact` is false for a jet of a team, whose chances are an estimate.
    """

    home: float
    rescued: float
    lost: float
    points: float
    kills: float
    exact: bool


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
    if spot.damage >= table.limit:
        return NO_SUMS
    if spot.missiles:
        return _missile(spot, roads, table)
    if spot.aim is not None:
        return _aimed(spot, spot.aim, roads, table)
    row = roads.fight(spot.stage, spot.load, spot.migs, spot.shots)
    parts = roads.rows.numbers(row)
    return Sums(*(table.through(part, spot.damage, spot.chaff) for part in parts))


def _aimed(spot: Spot, weapon: Weapon, roads: Road, table: Sites) -> Sums:
    """A shot that is on its way."""
    further = one_less(spot.shots)
    left = spot._replace(load=spot.load.without(weapon), aim=None, shots=further)
    killed = value(left._replace(migs=left.migs - 1), roads, table)
    hit = sixths(weapon) / 6
    return added(
        [(hit, killed._replace(kills=killed.kills + 1)), (1 - hit, value(left, roads, table))]
    )


def _missile(spot: Spot, roads: Road, table: Sites) -> Sums:
    """The next missile; `late`: it can only be evaded."""
    used = 0 if spot.late or not spot.chaff else 1
    hit = WITH_CHAFF if used else WITHOUT
    after = spot._replace(missiles=spot.missiles - 1, late=False, chaff=spot.chaff - used)
    damaged = value(after._replace(damage=spot.damage + 1), roads, table)
    return added([(hit, damaged), (1 - hit, value(after, roads, table))])


def way_of(state: State, jet: Jet, policy: Policy = STEADY) -> Way:
    """What the sums depend on, for a jet of this mission as it is flown now."""
    rulings: Rulings = state.rulings
    flying = [one.id for one in state.flying()]
    share: Share = "all"
    if len(flying) > 1:
        share = "leader" if flying[0] == jet.id else "wingman"
    return Way(
        targets=tuple(Mark(one.waypoint, one.needs, one.points) for one in state.targets),
        limit=jet.limit,
        share=share,
        last_leg=rulings.contact_last_leg == "on",
        first_pass=rulings.first_pass_contact == "on",
        one_shot=rulings.shots_per_mig == "one",
        both_score=rulings.team_points == "both",
        policy=policy,
    )


class Course(NamedTuple):
    """A jet, and where it is or may be."""

    jet: Jet
    way: Way
    spots: tuple[tuple[float, Spot], ...]


def courses(
    state: State, spots: Callable[[Jet], Spots], policy: Policy = STEADY
) -> tuple[Course, ...]:
    """Each jet in the air."""
    return tuple(
        Course(jet, way_of(state, jet, policy), tuple(spots(jet))) for jet in state.flying()
    )


def _expected(course: Course, share: Share) -> Sums:
    way = course.way._replace(share=share)
    roads, table = road(way), sites(way.limit, course.jet.loadout.chaff, share)
    sums = added((chance, value(spot, roads, table)) for chance, spot in course.spots)
    roads.forget()
    return sums


def expected(flight: Sequence[Course]) -> list[Sums]:
    """What each jet may expect. Alone it is exact; two are estimates that know of each other."""
    together = [_expected(course, course.way.share) for course in flight]
    if len(flight) < 2:
        return together
    alone = [_expected(course, "all") for course in flight]
    return [_with_other(together[n], alone[n], together[1 - n].home) for n in range(len(flight))]


def _with_other(together: Sums, alone: Sums, other_home: float) -> Sums:
    left_alone = (together.home + alone.home) / 2
    return together._replace(home=other_home * together.home + (1 - other_home) * left_alone)


def outlooks(state: State, policy: Policy = STEADY) -> Mapping[str, Outlook]:
    """What each jet in the air may expect from here on; nothing before the targets are known."""
    if len(state.targets) < 2 or not all(one.known for one in state.targets):
        return {}
    flight = courses(state, partial(spots_of, state), policy)
    return {
        course.jet.id: Outlook(
            home=sums.home,
            rescued=(1 - sums.home) * 2 / 3,
            lost=(1 - sums.home) / 3,
            points=sums.points,
            kills=sums.kills,
            exact=course.way.share == "all",
        )
        for course, sums in zip(flight, expected(flight), strict=True)
    }


def spots_of(state: State, jet: Jet) -> Iterator[tuple[float, Spot]]:
    """Where a jet is, by all that is known and has not been dealt with.

    A kind or number that is still to be rolled gives several.
    """
    stage, rolled = stage_of(state)
    spot = Spot(stage, load_of(jet.stores), jet.damage, jet.stores.chaff)
    contact = state.contact
    if not rolled or contact is None or not contact.met or contact.over:
        yield 1, spot
    elif contact.counted:
        yield 1, _engaged(state, contact, jet, spot)
    else:
        yield from _uncounted(state, contact, jet, spot)


def _uncounted(
    state: State, contact: Contact, jet: Jet, spot: Spot
) -> Iterator[tuple[float, Spot]]:
    kinds = [contact.kind] if contact.kind else ["sam", "migs"]
    share = way_of(state, jet).share
    one_shot = state.rulings.shots_per_mig == "one"
    for kind in kinds:
        for face in FACES:
            number = share_of(face, share)
            met = (
                spot._replace(missiles=number)
                if kind == "sam"
                else spot._replace(migs=number, shots=number if one_shot else -1)
            )
            yield 1 / (6 * len(kinds)), met


def _engaged(state: State, contact: Contact, jet: Jet, spot: Spot) -> Spot:
    """A jet among missiles or MiGs that have been counted."""
    down = {name for name, one in state.jets.items() if not one.flying}

    def for_me(name: str) -> bool:
        return name == jet.id or name in down

    coming = [one for one in contact.missiles if not one.outcome and for_me(one.jet)]
    late = bool(coming) and (coming[0].spoof is not None or coming[0].chaff == "keep")
    migs = sum(one.by is None and for_me(one.jet) for one in contact.migs)
    shots = -1 if state.rulings.shots_per_mig == "unlimited" else _shots_left(contact)
    aim = contact.aim.weapon if contact.aim is not None and contact.aim.jet == jet.id else None
    return spot._replace(
        missiles=len(coming),
        late=late,
        migs=migs,
        shots=0 if jet.id in contact.held else shots,
        aim=aim,
    )


def _shots_left(contact: Contact) -> int:
    return max(0, len(contact.migs) - contact.shots)


def stage_of(state: State) -> tuple[Stage, bool]:
    """The stage that follows the contact of this moment, and whether that has been rolled for."""
    at = state.waypoint
    here = [n for n, one in enumerate(state.targets) if one is state.target]
    if not state.flown:
        return Stage("fly", at), False
    if not here:
        return (Stage("fly", at), True) if state.contact else (Stage("fly", at - 1), False)
    target = state.targets[here[0]]
    if state.run is not None:
        return _stage_of_run(state, here[0], target)
    if state.phase == "flight" and state.contact is None:
        return Stage("fly", at - 1), False
    return Stage("at", at, here[0], target.damage, again=target.passes > 0), True


def _stage_of_run(state: State, number: int, target: Target) -> tuple[Stage, bool]:
    assert state.run is not None
    plan = state.run.fired or state.run.plan or NOTHING
    again = state.run.number > 1
    rolled = state.contact is not None
    kind = "fire" if rolled or not (again or state.rulings.first_pass_contact == "on") else "pass"
    return Stage(kind, state.waypoint, number, target.damage, again, plan), rolled


# What people see beside an option.


FATES = ((0, "home"), (1, "rescued"), (2, "lost"))
THOUSAND = 1000


def as_chance(home: float) -> Chance:
    """The chances of getting home, being rescued and lost, told as a die of a thousand sides.

    A chance is described by dice here; these are the known shares, rounded to a thousandth.
    """
    landed = round(home * THOUSAND)
    rescued = landed + round((THOUSAND - landed) * Fraction(2, 3))

    def outcome(faces: Faces) -> int:
        return (faces[0] > landed) + (faces[0] > rescued)

    return Chance(Pool(1, THOUSAND), outcome, ("f14-tomcats-home", landed))


def _each(state: State, spots: Callable[[Jet], Spots]) -> Told:
    flight = courses(state, spots)
    label = FLOWN if len(flight) == 1 else f"{ESTIMATE}{FLOWN}"
    return tuple(
        (course.jet.name, Odds(label, as_chance(sums.home), words=FATES))
        for course, sums in zip(flight, expected(flight), strict=True)
    )


def after_flying_on(state: State) -> Told:
    """Once the target below is left behind."""

    def spots(jet: Jet) -> Spots:
        stage = Stage("fly", state.waypoint)
        yield 1, Spot(stage, load_of(jet.stores), jet.damage, jet.stores.chaff)

    return _each(state, spots)


def after_pass(state: State, plan: Weapon | None) -> Told:
    """Once a pass is begun, on which the leader means to fire `plan`."""
    stage = stage_of(state)[0]._replace(kind="pass", plan=plan or NOTHING)

    def spots(jet: Jet) -> Spots:
        yield 1, Spot(stage, load_of(jet.stores), jet.damage, jet.stores.chaff)

    return _each(state, spots)


def after_shot(state: State, shooter: Jet, weapon: Weapon, prey: str) -> Told:
    """Once a shot is fired at a MiG that came for jet `prey`."""

    def spots(jet: Jet) -> Spots:
        [(_, spot)] = spots_of(state, jet)
        hit = sixths(weapon) / 6
        if jet.id == shooter.id:
            spot = spot._replace(load=spot.load.without(weapon))
        spot = spot._replace(shots=one_less(spot.shots))
        killed = spot._replace(migs=spot.migs - 1) if jet.id == prey else spot
        return ((hit, killed), (1 - hit, spot))

    return _each(state, spots)


def after_stop(state: State, stopping: Jet) -> Told:
    """Once a jet takes no further shot at these MiGs."""

    def spots(jet: Jet) -> Spots:
        for chance, spot in spots_of(state, jet):
            yield chance, spot._replace(shots=0) if jet.id == stopping.id else spot

    return _each(state, spots)


def after_chaff(state: State, *, used: bool) -> Told:
    """Once a pilot has chosen whether to use chaff against the missile that is coming.

    Further ones are met with chaff while there is any.
    """
    contact = state.contact
    assert contact is not None
    assert contact.coming is not None
    asked = contact.missiles[contact.coming].jet

    def spots(jet: Jet) -> Spots:
        for chance, spot in spots_of(state, jet):
            yield chance, spot._replace(late=True) if jet.id == asked and not used else spot

    return _each(state, spots)


def after_fire(state: State, shooter: Jet, weapon: Weapon | None) -> Told:
    """Once a jet fires at the target, or holds its fire; a wingman who is to follow fires by the policy."""
    target, run = state.target, state.run
    assert target is not None
    assert run is not None
    waiting = [jet for jet in state.flying() if jet.id not in (*run.done, shooter.id)]
    volley: list[tuple[Jet, Weapon | None]] = [(shooter, weapon)]
    volley.extend((jet, STEADY.at_target(load_of(jet.stores))) for jet in waiting)
    return _each(state, partial(_after_volley, state, target, volley))


def _after_volley(
    state: State, target: Target, volley: Sequence[tuple[Jet, Weapon | None]], jet: Jet
) -> Iterator[tuple[float, Spot]]:
    """Where a jet is once those of `volley` have fired, one after another, while the target stands."""
    start = Spot(stage_of(state)[0], load_of(jet.stores), jet.damage, jet.stores.chaff)
    moments: list[tuple[float, int, Load]] = [(1.0, target.damage, start.load)]
    for shooter, weapon in volley:
        if weapon is not None:
            mine = shooter.id == jet.id
            moments = [
                after for now in moments for after in _fired(now, weapon, target.needs, mine)
            ]
    number = [one.id for one in state.targets].index(target.id)
    for chance, damage, load in moments:
        stage = Stage("at", state.waypoint, number, damage, again=True)
        if damage >= target.needs:
            stage = Stage("fly", state.waypoint)
        yield chance, start._replace(stage=stage, load=load)


def _fired(
    now: tuple[float, int, Load], weapon: Weapon, needs: int, mine: bool
) -> Iterator[tuple[float, int, Load]]:
    chance, damage, load = now
    if damage >= needs:
        yield now
        return
    left = load.without(weapon) if mine else load
    hit = sixths(weapon) / 6
    yield chance * hit, damage + tables.weapons()[weapon].ground, left
    yield chance * (1 - hit), damage, left
