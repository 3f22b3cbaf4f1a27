"""Facts, and the position that each one leads to.

Belongs here: what can be written in the log, with all that is needed to tell it, and the bookkeeping.
Does not belong here: rules. A fact already holds what the rules made of it; here it is written down.
"""

from typing import Literal

from msgspec.structs import replace

from app.engine.log import Event, PhaseBegan
from app.games.f14_tomcats.model import (
    Aim,
    Career,
    Contact,
    ContactKind,
    Jet,
    Label,
    Mig,
    Missile,
    RankName,
    Run,
    State,
    Weapon,
    with_jet,
    with_target,
)
from app.games.f14_tomcats.model import Target as TargetState

TargetId = Literal["primary", "secondary"]


class LeaderTossed(Event, frozen=True):
    """The die for the lead between two pilots who are alike."""

    face: int
    order: tuple[str, ...]


class LeaderSet(Event, frozen=True):
    """Who leads and who is the wingman, and what decided it."""

    order: tuple[str, ...]
    by: Literal["rank", "points", "missions", "die"]
    standing: tuple[str, ...]


class TargetPlaced(Event, frozen=True):
    """Two dice for how far a target lies beyond `start`; `reach` is where that is, `waypoint` where it is."""

    target: TargetId
    faces: tuple[int, ...]
    start: int
    reach: int
    waypoint: int


class TargetIdentified(Event, frozen=True):
    """A die for what a target is."""

    target: TargetId
    face: int
    name: str
    points: int
    needs: int


class Flew(Event, frozen=True):
    """The flight goes on to the next waypoint; `target` is the type of one that lies there."""

    waypoint: int
    target: str = ""


class ContactRolled(Event, frozen=True):
    """A contact roll, on the way (`run` is 0) or at a bombing pass."""

    waypoint: int
    run: int
    face: int
    met: bool


class ContactTypeRolled(Event, frozen=True):
    """What it is that was met."""

    face: int
    kind: ContactKind


class NumberRolled(Event, frozen=True):
    """How many missiles or MiGs there are, and for whom each comes."""

    kind: ContactKind
    face: int
    jets: tuple[str, ...]


class MissileTurned(Event, frozen=True):
    """A missile comes for another jet, as the one that it was meant for is down."""

    missile: int
    jet: str


class ChaffKept(Event, frozen=True):
    """A pilot saves chaff and flares, or uses them against this missile."""

    jet: str
    missile: int
    used: bool


class CountermeasureRolled(Event, frozen=True):
    """A countermeasure roll; `chaff` is what is left after it. Missiles count from 0."""

    jet: str
    missile: int
    face: int
    spoofed: bool
    chaff: int


class EvadeRolled(Event, frozen=True):
    """An evade roll; `damage` and `limit` are the jet's after it."""

    jet: str
    missile: int
    face: int
    evaded: bool
    damage: int
    limit: int


class ShotChosen(Event, frozen=True):
    """A jet fires at a MiG, which came for jet `prey`."""

    jet: str
    weapon: Weapon
    mig: int
    prey: str


class ShotRolled(Event, frozen=True):
    """The die of a shot, what it needed, and what is left of the weapon and of the MiGs."""

    jet: str
    weapon: Weapon
    mig: int
    face: int
    needed: int
    hit: bool
    stock: int
    migs: int


class HeldFire(Event, frozen=True):
    """A jet takes no further shot at these MiGs."""

    jet: str
    migs: int


class MigsHit(Event, frozen=True):
    """The MiGs that are left hit: number of each (from 0), the jet, and the damage of each jet after it."""

    hits: tuple[tuple[int, str], ...]
    damage: tuple[tuple[str, int], ...]
    limit: int


class RunBegun(Event, frozen=True):
    """A bombing pass begins. `plan` is what the leader means to fire, None for nothing."""

    jet: str
    target: TargetId
    name: str
    number: int
    plan: Weapon | None


class WeaponChosen(Event, frozen=True):
    """What a jet fires on this pass; None: it holds its fire."""

    jet: str
    weapon: Weapon | None


class BombRolled(Event, frozen=True):
    """The die of a weapon fired at a target.

    `damage` is the target's after it, of `needs`; `scorers` get `points` each, when it is destroyed.
    """

    jet: str
    target: TargetId
    name: str
    weapon: Weapon
    face: int
    needed: int
    hit: bool
    done: int
    damage: int
    needs: int
    destroyed: bool
    stock: int
    points: int = 0
    scorers: tuple[str, ...] = ()


class FlewOn(Event, frozen=True):
    """The flight leaves a target that still stands."""

    target: TargetId
    name: str
    damage: int
    needs: int
    forced: bool


class WentDown(Event, frozen=True):
    """A jet has all the damage that it can take."""

    jet: str
    damage: int


class BailoutRolled(Event, frozen=True):
    """The bail-out roll of a pilot whose jet is down."""

    jet: str
    face: int
    rescued: bool


class Landed(Event, frozen=True):
    """A jet is home."""

    jet: str
    damage: int
    limit: int


class Debriefed(Event, frozen=True):
    """A mission in a pilot's record: what it is called, what it brought, and the totals with it."""

    jet: str
    label: Label
    fate: Literal["landed", "rescued", "lost"]
    destroyed: int
    points: int
    kills: int
    counted: bool
    record: Career


class Promoted(Event, frozen=True):
    """A higher rank, with the row of the table that earned it and the ranks passed on the way."""

    jet: str
    before: RankName
    rank: RankName
    missions: int
    points: int
    needs_missions: int
    needs_points: int
    passed: tuple[RankName, ...] = ()


class Awarded(Event, frozen=True):
    """A medal or title. `needs` are the kills that earn it, of `kills`; 0 for a Purple Heart, number `count`."""

    jet: str
    award: str
    kills: int = 0
    needs: int = 0
    count: int = 1
    title: bool = False


EVENTS: tuple[type[Event], ...] = (
    LeaderTossed,
    LeaderSet,
    TargetPlaced,
    TargetIdentified,
    Flew,
    ContactRolled,
    ContactTypeRolled,
    NumberRolled,
    MissileTurned,
    ChaffKept,
    CountermeasureRolled,
    EvadeRolled,
    ShotChosen,
    ShotRolled,
    HeldFire,
    MigsHit,
    RunBegun,
    WeaponChosen,
    BombRolled,
    FlewOn,
    WentDown,
    BailoutRolled,
    Landed,
    Debriefed,
    Promoted,
    Awarded,
)


def evolve(state: State, event: Event) -> State:
    """The position after a fact."""
    match event:
        case PhaseBegan(phase="flight"):
            return replace(_put_away(state), flown=False)
        case LeaderTossed(order=order):
            return replace(state, order=order, tossed=True)
        case LeaderSet(order=order):
            return replace(state, order=order, tossed=False)
        case TargetPlaced(target=target, waypoint=waypoint):
            placed = TargetState(id=target, waypoint=waypoint)
            return replace(state, targets=(*state.targets, placed))
        case TargetIdentified():
            return _identified(state, event)
        case Flew(waypoint=waypoint):
            return replace(state, waypoint=waypoint, flown=True)
        case RunBegun() | WeaponChosen() | BombRolled() | FlewOn():
            return _bombing(state, event)
        case ContactRolled() | ContactTypeRolled() | NumberRolled():
            return _contact(state, event)
        case WentDown() | BailoutRolled() | Landed() | Debriefed() | Promoted() | Awarded():
            return with_jet(state, _ending(state.jets[event.jet], event))
        case _:
            return _fought(state, event)


def _put_away(state: State) -> State:
    """A contact roll is over; it is kept where it brought something."""
    contact = state.contact
    past = (*state.past, contact) if contact is not None and contact.met else state.past
    return replace(state, contact=None, past=past)


def _identified(state: State, event: TargetIdentified) -> State:
    [target] = [one for one in state.targets if one.id == event.target]
    target = replace(target, type=event.name, points=event.points, needs=event.needs)
    return with_target(state, target)


def _contact(state: State, event: ContactRolled | ContactTypeRolled | NumberRolled) -> State:
    """The position after a roll that says what is met."""
    match event:
        case ContactRolled(waypoint=waypoint, run=run, met=met):
            return replace(state, contact=Contact(waypoint=waypoint, run=run, met=met))
        case ContactTypeRolled(kind=kind):
            return _with_contact(state, kind=kind)
        case NumberRolled(kind="sam", jets=jets):
            return _with_contact(state, missiles=tuple(Missile(jet) for jet in jets))
        case NumberRolled(jets=jets):
            return _with_contact(state, migs=tuple(Mig(jet) for jet in jets))


def _with_contact(state: State, **changes: object) -> State:
    assert state.contact is not None
    return replace(state, contact=replace(state.contact, **changes))


def _fought(state: State, event: Event) -> State:
    """The position after a fact of a contact that is fought out."""
    match event:
        case MissileTurned(missile=number, jet=jet):
            return _missile(state, number, jet=jet)
        case ChaffKept(missile=number, used=used):
            return _missile(state, number, chaff="use" if used else "keep")
        case CountermeasureRolled(missile=number, face=face, spoofed=spoofed):
            jet = state.jets[event.jet]
            jet = replace(jet, stores=replace(jet.stores, chaff=event.chaff))
            outcome = "spoofed" if spoofed else ""
            return _missile(with_jet(state, jet), number, spoof=face, outcome=outcome)
        case EvadeRolled(missile=number, face=face, evaded=evaded):
            jet = replace(state.jets[event.jet], damage=event.damage)
            outcome = "evaded" if evaded else "hit"
            return _missile(with_jet(state, jet), number, evade=face, outcome=outcome)
        case ShotChosen(jet=jet, weapon=weapon, mig=mig):
            return _with_contact(state, aim=Aim(jet, weapon, mig))
        case ShotRolled():
            return _shot(state, event)
        case HeldFire(jet=jet):
            assert state.contact is not None
            return _with_contact(state, held=(*state.contact.held, jet))
        case MigsHit():
            return _migs_hit(state, event)
        case _:
            return state


def _missile(state: State, number: int, **changes: object) -> State:
    assert state.contact is not None
    missiles = list(state.contact.missiles)
    missiles[number] = replace(missiles[number], **changes)
    return _with_contact(state, missiles=tuple(missiles))


def _shot(state: State, event: ShotRolled) -> State:
    assert state.contact is not None
    jet = state.jets[event.jet]
    stores = jet.stores.without(event.weapon)
    jet = replace(jet, stores=stores, kills=jet.kills + event.hit)
    migs = list(state.contact.migs)
    if event.hit:
        migs[event.mig] = replace(migs[event.mig], by=event.jet)
    shots = state.contact.shots + 1
    return _with_contact(with_jet(state, jet), migs=tuple(migs), aim=None, shots=shots)


def _migs_hit(state: State, event: MigsHit) -> State:
    assert state.contact is not None
    for name, damage in event.damage:
        state = with_jet(state, replace(state.jets[name], damage=damage))
    assert state.contact is not None
    migs = list(state.contact.migs)
    for number, jet in event.hits:
        migs[number] = replace(migs[number], jet=jet, hit=True)
    return _with_contact(state, migs=tuple(migs), over=True)


def _bombing(state: State, event: RunBegun | WeaponChosen | BombRolled | FlewOn) -> State:
    """The position after a fact at a target."""
    target = state.target
    assert target is not None
    match event:
        case RunBegun(jet=jet, number=number, plan=plan):
            state = with_target(_put_away(state), replace(target, passes=number))
            return replace(state, run=Run(number, jet, plan))
        case WeaponChosen(jet=jet, weapon=weapon):
            assert state.run is not None
            if weapon is not None:
                return replace(state, run=replace(state.run, fired=weapon))
            return _has_fired(state, jet)
        case BombRolled(jet=jet):
            return _bombed(_has_fired(state, jet), target, event)
        case FlewOn():
            return with_target(state, replace(target, left_behind=True))


def _has_fired(state: State, jet: str) -> State:
    """A pass is over when all who are in the air have fired, or held their fire."""
    assert state.run is not None
    done = (*state.run.done, jet)
    over = all(one.id in done for one in state.flying())
    return replace(state, run=None if over else replace(state.run, done=done, fired=None))


def _bombed(state: State, target: TargetState, event: BombRolled) -> State:
    jet = state.jets[event.jet]
    state = with_jet(state, replace(jet, stores=jet.stores.without(event.weapon)))
    for name in event.scorers:
        scorer = state.jets[name]
        state = with_jet(state, replace(scorer, points=scorer.points + event.points))
    run = None if event.destroyed else state.run
    return replace(with_target(state, replace(target, damage=event.damage)), run=run)


def _ending(
    jet: Jet, event: WentDown | BailoutRolled | Landed | Debriefed | Promoted | Awarded
) -> Jet:
    """The jet after a fact of its end, or its pilot's record."""
    match event:
        case WentDown():
            return replace(jet, status="down")
        case BailoutRolled(rescued=rescued):
            return replace(jet, status="rescued" if rescued else "lost")
        case Landed():
            return replace(jet, status="landed")
        case Debriefed(record=record):
            return replace(jet, record=record)
        case Promoted(rank=rank):
            return replace(jet, record=replace(_record(jet), rank=rank))
        case Awarded(award=award, needs=needs):
            known = _record(jet)
            if needs:
                return replace(jet, record=replace(known, awards=(*known.awards, award)))
            return replace(jet, record=replace(known, purple_hearts=event.count))


def _record(jet: Jet) -> Career:
    assert jet.record is not None
    return jet.record
