"""The chance to get home from here, for a flight that goes on by a stated policy (`policy.STEADY`).

It is exact: alone by the sums of `road`, in a team by those of `pair`. A team whose shots at MiGs are limited is
not told any, as these sums take too long for somebody who waits.

Belongs here: where the jets are on their way, and the chances that people see. Does not belong here: a rule, or
the sums themselves.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from app.engine.chance import Chance, Faces, Odds
from app.engine.dice import Pool
from app.games.f14_tomcats import pair
from app.games.f14_tomcats.model import Contact, ContactKind, Jet, State, Target, Weapon
from app.games.f14_tomcats.policy import STEADY, Load, Policy, load_of
from app.games.f14_tomcats.road import (
    FACES,
    NOTHING,
    Arms,
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


def offered(state: State) -> str:
    """What stands over the chances beside options; nothing where there are none."""
    slow = state.rulings.shots_per_mig == "one" and len(list(state.flying())) > 1
    return "" if slow else THEN


def told(
    after: Callable[..., Told], state: State, *how: Any, **more: Any
) -> Callable[[], Told] | None:
    """For an option: what is told of it when somebody asks, by one of the functions `after_...`."""
    return partial(after, state, *how, **more) if offered(state) else None


FLOWN = (
    "Missiles first, then the gun, three bursts kept for the targets, each attacked until destroyed"
)


class Outlook(Struct, frozen=True):
    """What a jet may expect: the chances add up to 1; points and kills are those still to come."""

    home: float
    rescued: float
    lost: float
    points: float
    kills: float


def _arms(state: State) -> Arms:
    """The weapons of this mission."""
    return arms_of(state.cards)


def way_of(state: State, jet: Jet, policy: Policy = STEADY) -> Way:
    """What the sums depend on, for this mission as it is flown now."""
    rulings = state.rulings
    return Way(
        arms=_arms(state),
        targets=tuple(Mark(one.waypoint, one.needs, one.points) for one in state.targets),
        limit=jet.limit,
        last_leg=rulings.contact_last_leg == "on",
        first_pass=rulings.first_pass_contact == "on",
        one_shot=rulings.shots_per_mig == "one",
        both_score=rulings.team_points == "both",
        policy=policy,
    )


def expected(state: State, spots: Spots, policy: Policy = STEADY) -> Sequence[Sums]:
    """What each jet in the air may expect, the leader first."""
    flying = list(state.flying())
    if not flying:
        return ()
    way = way_of(state, flying[0], policy)
    if len(flying) > 1:
        return pair.expected(way, tuple(spots))
    roads, table = road(way), sites(way.limit, flying[0].loadout.chaff)
    sums = added((chance, value(spot, roads, table)) for chance, (spot,) in spots)
    roads.forget()
    return (sums,)


def outlooks(state: State, policy: Policy = STEADY) -> Mapping[str, Outlook]:
    """What each jet in the air may expect from here on; nothing before the targets are known."""
    if len(state.targets) < 2 or not all(one.known for one in state.targets):
        return {}
    return {
        jet.id: Outlook(
            home=sums.home,
            rescued=(1 - sums.home) * 2 / 3,
            lost=(1 - sums.home) / 3,
            points=sums.points,
            kills=sums.kills,
        )
        for jet, sums in zip(state.flying(), expected(state, spots_of(state), policy), strict=True)
    }


def _spots_at(state: State, stage: Stage) -> tuple[Spot, ...]:
    return tuple(
        Spot(stage, load_of(jet.stores), jet.damage, jet.stores.chaff) for jet in state.flying()
    )


def spots_of(state: State) -> Spots:
    """Where the jets are, by all that is known and has not been dealt with.

    A kind, a number or a shot that is still to be rolled gives several.
    """
    stage, rolled = stage_of(state)
    spots = _spots_at(state, stage)
    contact = state.contact
    if not rolled or contact is None or not contact.met or contact.over:
        return [(1.0, spots)]
    if not contact.counted:
        return list(_uncounted(state, contact, spots))
    here = _engaged(state, contact, spots)
    if contact.aim is None:
        return [(1.0, here)]
    prey = contact.migs[contact.aim.mig].jet
    return list(_shot(state, here, contact.aim.jet, contact.aim.weapon, prey))


def _uncounted(
    state: State, contact: Contact, spots: tuple[Spot, ...]
) -> Iterator[tuple[float, tuple[Spot, ...]]]:
    kinds: Sequence[ContactKind] = [contact.kind] if contact.kind else ["sam", "migs"]
    one_shot = state.rulings.shots_per_mig == "one"
    shares: Sequence[Share] = ("leader", "wingman") if len(spots) > 1 else ("all",)
    for kind in kinds:
        for face in FACES:
            numbers = [share_of(face, share) for share in shares]
            yield (
                1 / (6 * len(kinds)),
                tuple(
                    spot._replace(missiles=number)
                    if kind == "sam"
                    else spot._replace(migs=number, shots=face if one_shot else -1)
                    for spot, number in zip(spots, numbers, strict=True)
                ),
            )


def _engaged(state: State, contact: Contact, spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Jets among missiles or MiGs that have been counted."""
    flying = list(state.flying())
    down = {name for name, one in state.jets.items() if not one.flying}
    shots = -1 if state.rulings.shots_per_mig == "unlimited" else _shots_left(contact)
    found: list[Spot] = []
    for jet, spot in zip(flying, spots, strict=True):
        mine = {jet.id, *down}
        coming = [one for one in contact.missiles if not one.outcome and one.jet in mine]
        found.append(
            spot._replace(
                missiles=len(coming),
                late=bool(coming) and (coming[0].spoof is not None or coming[0].chaff == "keep"),
                migs=sum(one.by is None and one.jet in mine for one in contact.migs),
                shots=0 if jet.id in contact.held else shots,
            )
        )
    return tuple(found)


def _shot(
    state: State, spots: tuple[Spot, ...], shooter: str, weapon: Weapon, prey: str
) -> Iterator[tuple[float, tuple[Spot, ...]]]:
    """A shot at a MiG that came for `prey`: hit or miss."""
    flying = [jet.id for jet in state.flying()]
    fired = [
        spot._replace(
            shots=one_less(spot.shots),
            load=spot.load.without(weapon) if name == shooter else spot.load,
        )
        for name, spot in zip(flying, spots, strict=True)
    ]
    killed = list(fired)
    his, mine = flying.index(prey) if prey in flying else 0, flying.index(shooter)
    killed[his] = killed[his]._replace(migs=killed[his].migs - 1)
    killed[mine] = killed[mine]._replace(kills=1)
    hit = _arms(state).of(weapon).sixths / 6
    yield hit, tuple(killed)
    yield 1 - hit, tuple(fired)


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
    """Who takes over from a leader that went down is not bound by his plan."""
    run = state.run
    assert run is not None
    leads = state.leader is not None and state.leader.id == run.jet
    plan = (run.fired or run.plan or NOTHING) if leads else ""
    again = run.number > 1
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


def _each(state: State, spots: Spots) -> Told:
    return tuple(
        (_to_come(jet, sums), Odds(FLOWN, as_chance(sums.home), words=FATES))
        for jet, sums in zip(state.flying(), expected(state, spots), strict=True)
    )


def _to_come(jet: Jet, sums: Sums) -> str:
    return f"{jet.name}: {sums.points:.1f} points and {sums.kills:.1f} kills to come"


def after_flying_on(state: State) -> Told:
    """Once the target below is left behind."""
    return _each(state, [(1.0, _spots_at(state, Stage("fly", state.waypoint)))])


def after_pass(state: State, plan: Weapon | None) -> Told:
    """Once a pass is begun, on which the leader means to fire `plan`."""
    stage = stage_of(state)[0]._replace(kind="pass", plan=plan or NOTHING)
    return _each(state, [(1.0, _spots_at(state, stage))])


def after_shot(state: State, shooter: Jet, weapon: Weapon, prey: str) -> Told:
    """Once a shot is fired at a MiG that came for jet `prey`."""
    [(_, here)] = spots_of(state)
    return _each(state, list(_shot(state, here, shooter.id, weapon, prey)))


def _with(
    state: State, spots: Spots, jet: str, **changes: int
) -> Iterator[tuple[float, tuple[Spot, ...]]]:
    """One jet's spot changed."""
    flying = [one.id for one in state.flying()]
    for chance, here in spots:
        yield (
            chance,
            tuple(
                spot._replace(**changes) if name == jet else spot
                for name, spot in zip(flying, here, strict=True)
            ),
        )


def after_stop(state: State, stopping: Jet) -> Told:
    """Once a jet takes no further shot at these MiGs."""
    return _each(state, list(_with(state, spots_of(state), stopping.id, shots=0)))


def after_chaff(state: State, *, used: bool) -> Told:
    """Once a pilot has chosen whether to use chaff against the missile that is coming.

    Further ones are met with chaff while there is any.
    """
    contact = state.contact
    assert contact is not None
    assert contact.coming is not None
    spots = spots_of(state)
    if not used:
        spots = list(_with(state, spots, contact.missiles[contact.coming].jet, late=True))
    return _each(state, spots)


def after_fire(state: State, shooter: Jet, weapon: Weapon | None) -> Told:
    """Once a jet fires at the target, or holds its fire; a wingman who is to follow fires by the policy."""
    target, run = state.target, state.run
    assert target is not None
    assert run is not None
    waiting = [jet for jet in state.flying() if jet.id not in (*run.done, shooter.id)]
    volley: list[tuple[Jet, Weapon | None]] = [(shooter, weapon)]
    volley.extend((jet, STEADY.at_target(load_of(jet.stores))) for jet in waiting)
    return _each(state, list(_after_volley(state, target, volley)))


class Moment(NamedTuple):
    """While several fire at a target: how likely, its damage, and what each jet has left and has won."""

    chance: float
    damage: int
    loads: Mapping[str, Load]
    points: Mapping[str, int]


def _after_volley(
    state: State, target: Target, volley: Sequence[tuple[Jet, Weapon | None]]
) -> Iterator[tuple[float, tuple[Spot, ...]]]:
    """Where the jets are once those of `volley` have fired, one after another, while the target stands."""
    flying = {jet.id: jet for jet in state.flying()}
    loads = {name: load_of(jet.stores) for name, jet in flying.items()}
    moments = [Moment(1.0, target.damage, loads, dict.fromkeys(flying, 0))]
    for shooter, weapon in volley:
        if weapon is not None:
            moments = [
                after for now in moments for after in _fired(state, now, target, shooter, weapon)
            ]
    number = [one.id for one in state.targets].index(target.id)
    for chance, damage, left, points in moments:
        stage = Stage("at", state.waypoint, number, damage, again=True)
        if damage >= target.needs:
            stage = Stage("fly", state.waypoint)
        yield (
            chance,
            tuple(
                spot._replace(load=left[name], points=points[name])
                for name, spot in zip(flying, _spots_at(state, stage), strict=True)
            ),
        )


def _fired(
    state: State, now: Moment, target: Target, shooter: Jet, weapon: Weapon
) -> Iterable[Moment]:
    if now.damage >= target.needs:
        return [now]
    loads = {**now.loads, shooter.id: now.loads[shooter.id].without(weapon)}
    arm = _arms(state).of(weapon)
    damage, points = now.damage + arm.ground, now.points
    if damage >= target.needs:
        both = state.rulings.team_points == "both"
        points = {name: target.points if both or name == shooter.id else 0 for name in now.points}
    hit = arm.sixths / 6
    return [
        Moment(now.chance * hit, damage, loads, points),
        Moment(now.chance * (1 - hit), now.damage, loads, now.points),
    ]
