"""Facts of launches and missiles in flight (GS-AAM, GS-C-20 to GS-C-26), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.

That a missile flies at it the target's side is told, its type is for the side that launched it.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import UnitId
from app.engine.secret import Secret
from app.games.gunslingers.geometry import Pos
from app.games.gunslingers.model import (
    Aircraft,
    Decoys,
    Missile,
    State,
    Store,
    Volley,
    Wound,
    with_aircraft,
    with_own,
)
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.rolled import Thrown


class LegalShot(Struct, frozen=True):
    """A legal launch: by whom, at whom, and the missile's id."""

    shooter: UnitId
    target: UnitId
    missile: str


class LaunchesListed(Fact, frozen=True):
    """The legal launches of a side (GS-AAM-1)."""

    side: str
    shots: Secret[tuple[LegalShot, ...]]


class LaunchesOpened(Fact, frozen=True):
    """In fog, a side says whether any of its aircraft is to launch in this turn."""

    side: str
    opens: Secret[bool]


class LaunchDeclared(Fact, frozen=True):
    """An aircraft declares its launches of this turn (GS-AAM-2), or none: then there is no volley."""

    shooter: UnitId
    volley: Volley | None

    @classmethod
    def reveals(cls) -> bool:
        """All but the missile's type is told at once."""
        return True


class LaunchRolled(Fact, frozen=True, kw_only=True):
    """An attempt to launch (GS-C-21). The missile is spent; `missile` is the one in flight, None after a failure.

    `heard`: the target's warning receiver tells of a missile that radar guides.
    """

    shooter: UnitId
    target: UnitId
    spent: Secret[str]
    face: int
    roll: Secret[Thrown]
    missile: Missile | None
    heard: bool = False

    @classmethod
    def reveals(cls) -> bool:
        """Whether a receiver sounds tells of the type."""
        return True


class ExtraChosen(Fact, frozen=True):
    """All attempts have failed, and another is made or not (GS-AAM-3)."""

    shooter: UnitId
    tries: bool


class MissileFlew(Fact, frozen=True, kw_only=True):
    """A missile flies towards its target (GS-C-22), to be `away` from it. `speed` is that of its next move."""

    missile: UnitId
    target: UnitId
    pos: Pos
    altitude: int
    facing: int
    away: int
    speed: Secret[int]

    @classmethod
    def reveals(cls) -> bool:
        """How far it flies tells of its type."""
        return True


class MissileLost(Fact, frozen=True):
    """A missile is removed: it is not guided, out-turned, out of time."""

    missile: UnitId
    target: UnitId
    why: str

    @classmethod
    def reveals(cls) -> bool:
        """Why it is lost tells of its type."""
        return True


class DecoysDropped(Fact, frozen=True):
    """The target drops clusters against a missile's attack (GS-C-26)."""

    missile: UnitId
    target: UnitId
    decoys: Decoys


class DecoyRolled(Fact, frozen=True, kw_only=True):
    """Whether a cluster tempts the missile (GS-C-26). `roll` is None where it takes no notice of that kind."""

    missile: UnitId
    target: UnitId
    kind: Literal["chaff", "flare"]
    roll: Thrown | None

    @classmethod
    def reveals(cls) -> bool:
        """What it takes notice of tells its type."""
        return True


class MissileAttacked(Fact, frozen=True, kw_only=True):
    """A missile attacks (GS-C-23) from `away`. `direct`: it hits directly; no `wound`: it misses."""

    missile: UnitId
    target: UnitId
    away: int
    roll: Thrown
    direct: bool = False
    wound: Wound | None = None

    @classmethod
    def reveals(cls) -> bool:
        """What its number is made from tells its type."""
        return True


EVENTS: tuple[type[Event], ...] = (
    LaunchesListed,
    LaunchesOpened,
    LaunchDeclared,
    LaunchRolled,
    ExtraChosen,
    MissileFlew,
    MissileLost,
    DecoysDropped,
    DecoyRolled,
    MissileAttacked,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    match event:
        case LaunchesListed():
            return _done(state, event.side)
        case LaunchesOpened():
            return _done(state, f"{'open' if event.opens.value else 'shut'}:{event.side}")
        case LaunchDeclared():
            return _declared(_done(state, event.shooter), event)
        case LaunchRolled():
            return _launched(state, event)
        case ExtraChosen():
            volley = replace(state.volleys[event.shooter], extra=event.tries)
            return _with_volley(state, event.shooter, volley)
        case MissileFlew():
            return _flown(state, event)
        case MissileLost():
            return without(state, event.missile)
        case DecoysDropped():
            return _dropped(state, event)
        case DecoyRolled():
            return _decoyed(state, event)
        case MissileAttacked():
            state = without(state, event.missile)
            wounds = (event.wound,) if event.wound else ()
            return replace(state, wounds=(*state.wounds, *wounds))
        case _:
            return None


def _done(state: State, key: str) -> State:
    return replace(state, done=(*state.done, key))


def _with_volley(state: State, shooter: str, volley: Volley) -> State:
    return replace(state, volleys={**state.volleys, shooter: volley})


def _with_missile(state: State, missile: Missile) -> State:
    return replace(state, missiles={**state.missiles, missile.id: missile})


def without(state: State, missile: str) -> State:
    """The position without a missile."""
    return replace(
        state,
        missiles={key: one for key, one in state.missiles.items() if key != missile},
        proposed={key: one for key, one in state.proposed.items() if key != missile},
    )


def _declared(state: State, event: LaunchDeclared) -> State:
    return state if event.volley is None else _with_volley(state, event.shooter, event.volley)


def _launched(state: State, event: LaunchRolled) -> State:
    one, missile = state.aircraft[event.shooter], event.missile
    one = replace(_spent(one, event.spent.value), launches=one.launches + 1)
    volley = state.volleys[one.id]
    volley = replace(volley, rolled=volley.rolled + 1, failed=volley.failed + (missile is None))
    state = _with_volley(with_aircraft(state, one), one.id, volley)
    if missile is None:
        return state
    return replace(_with_missile(state, missile), missiles_fired=state.missiles_fired + 1)


def _spent(one: Aircraft, missile: str | None) -> Aircraft:
    """The aircraft with one missile less."""
    left = (
        Store(store.missile, store.count - (store.missile == missile)) for store in one.o.stores
    )
    return with_own(one, stores=tuple(store for store in left if store.count))


def _flown(state: State, event: MissileFlew) -> State:
    missile = state.missiles[event.missile]
    return _with_missile(
        state,
        replace(
            missile,
            pos=event.pos,
            altitude=event.altitude,
            facing=event.facing,
            speed=event.speed,
            moves=missile.moves + 1,
            moved=True,
            trail=(missile.pos, event.pos),
        ),
    )


def _dropped(state: State, event: DecoysDropped) -> State:
    one, dropped = state.aircraft[event.target], event.decoys
    stock = one.o.decoys
    left = replace(stock, chaff=stock.chaff - dropped.chaff, flare=stock.flare - dropped.flare)
    one = replace(with_own(one, decoys=left), flares_used=one.flares_used or dropped.flare > 0)
    missile = replace(state.missiles[event.missile], decoys=dropped)
    return _with_missile(with_aircraft(state, one), missile)


def _decoyed(state: State, event: DecoyRolled) -> State:
    if event.roll is not None and event.roll.made:
        return without(state, event.missile)
    missile = state.missiles[event.missile]
    decoys = missile.decoys or Decoys()
    left = 0 if event.roll is None else getattr(decoys, event.kind) - 1
    return _with_missile(state, replace(missile, decoys=replace(decoys, **{event.kind: left})))


def flown_on(state: State, missile: str) -> State:
    """The position after a missile has flown on as the players say."""
    one = state.missiles[missile]
    return _with_missile(state, replace(one, moves=one.moves + 1, moved=True))
