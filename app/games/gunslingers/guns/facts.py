"""Facts of guns and damage to aircraft (GS-C-1 to GS-C-12), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.

Dice are open, so what a hit does is told to all. What a crew or an aircraft's damage adds to a die, and how much
damage it has in all, only its own side reads.
"""

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import Bookkeeping, UnitId
from app.engine.secret import Secret
from app.games.gunslingers.model import (
    Aircraft,
    Burst,
    Claim,
    Crew,
    Damage,
    GunFire,
    Result,
    Shot,
    State,
    Status,
    Wound,
    with_aircraft,
    with_own,
    with_seen,
)
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.radar.holding import holding, without_locks
from app.games.gunslingers.rolled import Part, Thrown


class Hurt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What new damage does to an aircraft (GS-C-11, GS-C-12).

    `by` is the aircraft that did it. `shaken`: its damage has become heavy or crippling, so that its systems are
    rolled for. `smokes`: it is crippled. `credit` is the side whose kill it is.
    """

    target: UnitId
    hits: Secret[tuple[str, ...]]
    after: Secret[Damage]
    by: UnitId | None = None
    shaken: bool = False
    smokes: bool = False
    killed: bool = False
    credit: str | None = None


class GunDeclared(Fact, frozen=True, kw_only=True):
    """A gun attack at a point of a move (GS-C-1). `key` names the point, `cost` is ammunition (GS-C-3).

    `returns`: it is head-on and the target may shoot back; `ramming`: head-on at one place and level (GS-C-4).
    """

    burst: Burst
    key: Bookkeeping
    cost: float
    head_on: bool = False
    returns: bool = False
    ramming: bool = False

    @classmethod
    def reveals(cls) -> bool:
        """It may have been planned in secret."""
        return True


class GunHeld(Fact, frozen=True):
    """No attack at this point of a move, by choice."""

    shooter: UnitId
    key: Bookkeeping


class NoShot(Fact, frozen=True):
    """An attack that was planned for this point of a move is not possible; `why` says what keeps it."""

    shooter: UnitId
    key: Bookkeeping
    why: str

    @classmethod
    def reveals(cls) -> bool:
        """It was planned in secret."""
        return True


class ReturnFire(Fact, frozen=True):
    """The target of a head-on attack shoots back, with `cost` of ammunition, or does not (GS-C-4)."""

    target: UnitId
    shooter: UnitId
    burst: Burst | None = None
    cost: float = 0


class BurstRolled(Fact, frozen=True, kw_only=True):
    """The roll to hit at a total range of `reach` (GS-C-2), and what a hit then does."""

    shooter: UnitId
    target: UnitId
    snap: bool
    reach: int
    roll: Thrown
    wound: Wound | None = None


class CollisionRolled(Fact, frozen=True):
    """Whether two that attack head-on at one place fly into each other (GS-C-4)."""

    shooter: UnitId
    target: UnitId
    face: int
    wounds: tuple[Wound, ...] = ()


class DamageRolled(Fact, frozen=True, kw_only=True):
    """The roll for damage (GS-C-10): rating less the die, after `parts`, leaves `margin`."""

    wound: Wound
    parts: tuple[Part, ...]
    face: int
    margin: int
    result: Result
    hurt: Hurt

    @property
    def by_nobody(self) -> bool:
        """Whether it was a collision that did damage: what comes of it later is nobody's kill either."""
        return self.wound.cause == "collision" and self.result != ""


class SystemsRolled(Fact, frozen=True, kw_only=True):
    """What heavy or crippling damage puts out of order (GS-C-12).

    `what` is "crew", "radar", "ecm", "guns", "stores", "engine" or "". `man` is the place of the one who is killed;
    `killed`: nobody is left to fly it, and the kill is `credit`'s.
    """

    target: UnitId
    face: int
    what: str
    man: int = 0
    killed: bool = False
    credit: str | None = None


EVENTS: tuple[type[Event], ...] = (
    GunDeclared,
    GunHeld,
    NoShot,
    ReturnFire,
    BurstRolled,
    CollisionRolled,
    DamageRolled,
    SystemsRolled,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    match event:
        case GunDeclared():
            state = _asked(_spend(state, event.burst, event.cost), event.key)
            shooter = with_own(state.aircraft[event.burst.shooter], last_fp="guns")
            fire = GunFire(
                bursts=(event.burst,),
                answered=not event.returns,
                ramming=event.ramming,
            )
            return replace(with_aircraft(state, shooter), fire=fire)
        case GunHeld() | NoShot():
            return _asked(state, event.key)
        case ReturnFire():
            return _returned(state, event)
        case BurstRolled():
            return settled(state, hit=event.roll.made, wound=event.wound)
        case CollisionRolled():
            wounds = tuple(one.wound for one in _fire(state).bursts if one.wound)
            return replace(state, fire=None, wounds=(*state.wounds, *wounds, *event.wounds))
        case DamageRolled():
            state = hurt(replace(state, wounds=state.wounds[1:]), event.hurt)
            return _nobodys(state, event.hurt.target) if event.by_nobody else state
        case SystemsRolled():
            return _broken(state, event)
        case _:
            return None


def _fire(state: State) -> GunFire:
    if state.fire is None:
        raise LookupError("nobody is firing")
    return state.fire


def _spend(state: State, burst: Burst, cost: float) -> State:
    """The position after a burst has left the guns (GS-C-3)."""
    one = state.aircraft[burst.shooter]
    one = with_own(one, ammo=one.o.ammo - cost)
    return with_aircraft(state, replace(one, gun_shots=one.gun_shots + 1))


def _asked(state: State, key: str) -> State:
    """The position with this point's window dealt with, and the letter that opened it taken off the plan."""
    now = state.activation
    if now is None:
        return state
    left = now.left[1:] if now.left[:1] == ("G",) else now.left
    return replace(state, activation=replace(now, asked=(*now.asked, key), left=left))


def _returned(state: State, event: ReturnFire) -> State:
    fire = replace(_fire(state), answered=True)
    if event.burst is None:
        return replace(state, fire=fire)
    state = _spend(state, event.burst, event.cost)
    return replace(state, fire=replace(fire, bursts=(*fire.bursts, event.burst)))


def settled(state: State, *, hit: bool, wound: Wound | None = None) -> State:
    """The position after the next burst is settled; after the last one, damage is due, or first a collision."""
    fire = _fire(state)
    n = next(n for n, burst in enumerate(fire.bursts) if burst.hit is None)
    bursts = (
        *fire.bursts[:n],
        replace(fire.bursts[n], hit=hit, wound=wound),
        *fire.bursts[n + 1 :],
    )
    state = _shot(state, fire.bursts[n], hit=hit)
    if any(burst.hit is None for burst in bursts) or fire.ramming:
        return replace(state, fire=replace(fire, bursts=bursts))
    wounds = tuple(burst.wound for burst in bursts if burst.wound)
    return replace(state, fire=None, wounds=(*state.wounds, *wounds))


def _shot(state: State, burst: Burst, *, hit: bool) -> State:
    """The position with the burst to be seen on the board; those of earlier turns are not kept."""
    start, end = state.aircraft[burst.shooter].pos, state.aircraft[burst.target].pos
    shot = Shot(burst.shooter, burst.target, start, end, hit, state.turn)
    return replace(state, shots=(*(one for one in state.shots if one.turn == state.turn), shot))


def hurt(state: State, event: Hurt) -> State:
    """The position after new damage to an aircraft."""
    one = state.aircraft[event.target]
    if event.hits.value == one.o.hits:
        return state
    one = with_own(
        replace(one, smoking=one.smoking or event.smokes),
        hits=event.hits.value,
        damage=event.after.value,
        hit_turn=state.turn,
        hit_by=event.by or one.o.hit_by,
    )
    state = with_aircraft(state, one)
    if event.shaken:  # GS-RAD-4b: it tracks nothing any more
        one = with_own(one, shaken_turn=state.turn)
        state = replace(with_aircraft(state, one), shaken=(*state.shaken, one.id))
        state = without_locks(state, one.id)
    return killed(state, one.id, event.credit) if event.killed else state


def _nobodys(state: State, unit: str) -> State:
    """The position in which nobody was the last to hit an aircraft."""
    return with_aircraft(state, with_own(state.aircraft[unit], hit_by=None))


def killed(state: State, unit: str, credit: str | None) -> State:
    """The position after an aircraft is shot down; the credit waits for GS-ADM-2a."""
    claims = (Claim(unit, credit),) if credit else ()
    return replace(gone(state, unit, "killed"), claims=(*state.claims, *claims))


def _broken(state: State, event: SystemsRolled) -> State:
    state = replace(state, shaken=tuple(one for one in state.shaken if one != event.target))
    one = state.aircraft[event.target]
    if event.what in ("radar", "ecm", "guns", "engine"):
        one = with_own(one, out=tuple(dict.fromkeys((*one.o.out, event.what))))
    match event.what:
        case "crew":
            one = with_own(one, crew=_dead(one.o.crew, event.man))
        case "radar":
            one = with_own(one, radar_mode="off")
            state = holding(with_aircraft(state, one), {one.id: ((), ())})
            one = state.aircraft[one.id]
        case "ecm":
            one = replace(one, program_on=False)
        case "stores":
            one = with_seen(with_own(one, stores=()), config="CL")
        case _:
            pass
    state = with_aircraft(state, one)
    return killed(state, one.id, event.credit) if event.killed else state


def _dead(crew: tuple[Crew, ...], place: int) -> tuple[Crew, ...]:
    return tuple(replace(man, status="dead") if n == place else man for n, man in enumerate(crew))


# An aircraft leaves the fight: shot down, crashed or away.


def gone(state: State, unit: str, status: Status) -> State:
    """The position without an aircraft: nobody tracks, tails or watches it, and missiles at it are lost."""
    lost = state.aircraft[unit]
    lost = with_own(
        replace(
            lost,
            status=status,
            engaged=False,
            illuminating=None,
            tailing=None,
            padlocked_by=(),
            vas_by=(),
        ),
        contacts=(),
        locks=(),
        saw=(),
    )
    others = {one.id: _forget(one, unit) for one in state.aircraft.values() if one.id != unit}
    return replace(
        state,
        aircraft={one: others.get(one, lost) for one in state.aircraft},
        missiles={
            key: replace(
                one,
                padlocked_by=_without(one.padlocked_by, unit),
                vas_by=_without(one.vas_by, unit),
            )
            for key, one in state.missiles.items()
            if one.target != unit
        },
        wounds=tuple(wound for wound in state.wounds if wound.target != unit),
        shaken=tuple(one for one in state.shaken if one != unit),
    )


def _forget(one: Aircraft, unit: str) -> Aircraft:
    own = one.o
    if unit in own.contacts or unit in own.locks or unit in own.saw:
        one = with_own(
            one,
            contacts=_without(own.contacts, unit),
            locks=_without(own.locks, unit),
            saw=_without(own.saw, unit),
        )
    return replace(
        one,
        illuminating=None if one.illuminating == unit else one.illuminating,
        tailing=None if one.tailing == unit else one.tailing,
        padlocked_by=_without(one.padlocked_by, unit),
        vas_by=_without(one.vas_by, unit),
    )


def _without(ids: tuple[str, ...], unit: str) -> tuple[str, ...]:
    return tuple(one for one in ids if one != unit)
