"""The chance to get home from here, for a flight that goes on by a stated policy (`policy.STEADY`).

Alone it is exact (see `road`). In a team the road of each jet is an estimate: it meets its share of
missiles and MiGs and shoots at those only, and on each pass the other one fires what this one would. That
is for as long as both are in the air; for the case that the other one goes down, half the way is counted
as flown alone.

Belongs here: where a jet is on its road, and the chances that people see. Does not belong here: a rule, or
the sums themselves.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from app.engine.chance import Chance, Faces, Odds
from app.engine.dice import Pool
from app.games.f14_tomcats.model import Contact, Jet, State, Target, Weapon
from app.games.f14_tomcats.policy import STEADY, Load, Policy, load_of
from app.games.f14_tomcats.road import (
    FACES,
    NOTHING,
    Arm,
    Mark,
    Share,
    Spot,
    Spots,
    Stage,
    Sums,
    Way,
    added,
    arms_of,
    one_less,
    road,
    share_of,
    sites,
    value,
)

Told = Sequence[tuple[str, Odds]]
"""What people see beside an option: whom it is about, and his chances."""

THEN = "Getting home"
FLOWN = (
    "Missiles first, then the gun, three bursts kept for the targets, each attacked until destroyed"
)
ESTIMATE = "An estimate. "


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


def way_of(state: State, jet: Jet, policy: Policy = STEADY) -> Way:
    """What the sums depend on, for a jet of this mission as it is flown now."""
    rulings = state.rulings
    flying = [one.id for one in state.flying()]
    share: Share = "all"
    if len(flying) > 1:
        share = "leader" if flying[0] == jet.id else "wingman"
    return Way(
        arms=arms_of(state.cards),
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
    """The chances of getting home, being rescued and lost, told as three ten-sided dice read as one number.

    A chance is described by dice here; these are the known shares, rounded to a thousandth.
    """
    landed = round(home * THOUSAND)
    rescued = landed + round((THOUSAND - landed) * Fraction(2, 3))
    return _digit(landed, rescued, 0, THOUSAND)


def _digit(landed: int, rescued: int, start: int, size: int) -> Chance:
    """The next digit of a number from `start`, of so many; further ones only while they matter."""
    tenth = size // 10

    def fate(number: int) -> int:
        return (number >= landed) + (number >= rescued)

    def outcome(faces: Faces) -> int | Chance:
        low = start + (faces[0] - 1) * tenth
        settled = fate(low) == fate(low + tenth - 1)
        return fate(low) if settled else _digit(landed, rescued, low, tenth)

    key = ("f14-tomcats-home", landed, start, size)
    return Chance(Pool(1, 10), outcome, key)


def _each(state: State, spots: Callable[[Jet], Spots]) -> Told:
    flight = courses(state, spots)
    label = FLOWN if len(flight) == 1 else f"{ESTIMATE}{FLOWN}"
    return tuple(
        (_to_come(course.jet, sums), Odds(label, as_chance(sums.home), words=FATES))
        for course, sums in zip(flight, expected(flight), strict=True)
    )


def _to_come(jet: Jet, sums: Sums) -> str:
    return f"{jet.name}: {sums.points:.1f} points and {sums.kills:.1f} kills to come"


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
        hit = arms_of(state.cards).of(weapon).sixths / 6
        if jet.id == shooter.id:
            spot = spot._replace(load=spot.load.without(weapon))
        spot = spot._replace(shots=one_less(spot.shots))
        killed = spot._replace(migs=spot.migs - 1) if jet.id == prey else spot
        killed = killed._replace(kills=int(jet.id == shooter.id))
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


class Moment(NamedTuple):
    """While several fire at a target: how likely, its damage, and what one jet has left and has won."""

    chance: float
    damage: int
    load: Load
    points: int = 0


def _after_volley(
    state: State, target: Target, volley: Sequence[tuple[Jet, Weapon | None]], jet: Jet
) -> Iterator[tuple[float, Spot]]:
    """Where a jet is once those of `volley` have fired, one after another, while the target stands."""
    start = Spot(stage_of(state)[0], load_of(jet.stores), jet.damage, jet.stores.chaff)
    moments = [Moment(1.0, target.damage, start.load)]
    for shooter, weapon in volley:
        if weapon is not None:
            mine = shooter.id == jet.id
            points = target.points if mine or state.rulings.team_points == "both" else 0
            arm = arms_of(state.cards).of(weapon)
            moments = [
                after
                for now in moments
                for after in _fired(now, target, weapon, arm, points, mine=mine)
            ]
    number = [one.id for one in state.targets].index(target.id)
    for chance, damage, load, points in moments:
        stage = Stage("at", state.waypoint, number, damage, again=True)
        if damage >= target.needs:
            stage = Stage("fly", state.waypoint)
        yield chance, start._replace(stage=stage, load=load, points=points)


def _fired(
    now: Moment, target: Target, weapon: Weapon, arm: Arm, points: int, *, mine: bool
) -> Iterator[Moment]:
    """Hit and miss; nothing is fired at what is destroyed."""
    if now.damage >= target.needs:
        yield now
        return
    left = now.load.without(weapon) if mine else now.load
    hit, damage = arm.sixths / 6, now.damage + arm.ground
    won = points if damage >= target.needs else 0
    yield Moment(now.chance * hit, damage, left, won)
    yield Moment(now.chance * (1 - hit), now.damage, left)
