"""Facts of the administrative phases (GS-ADM, GS-EOT) and of the end of the game, and what becomes of the position.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import Bookkeeping, UnitId
from app.engine.secret import Secret
from app.games.gunslingers.earlier import awake
from app.games.gunslingers.guns.facts import Hurt, gone, hurt
from app.games.gunslingers.missiles.facts import without
from app.games.gunslingers.model import (
    Aircraft,
    Claim,
    Condition,
    Missile,
    Row,
    State,
    with_aircraft,
    with_own,
    with_seen,
)
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.rolled import Thrown

ROWS_KEPT = 20
"""Lines of an aircraft's log sheet that are kept."""


class MissilesAged(Fact, frozen=True):
    """Missiles have a move less before them (GS-ADM-1)."""

    missiles: tuple[UnitId, ...]


class MissileSpent(Fact, frozen=True):
    """A missile's time of flight is over (GS-ADM-1)."""

    missile: UnitId
    target: UnitId

    @classmethod
    def reveals(cls) -> bool:
        """How long it flies tells of its type."""
        return True


class WorseRolled(Fact, frozen=True):
    """Whether an aircraft's damage gets worse by itself (GS-ADM-2); `hurt` is what then becomes of it."""

    aircraft: UnitId
    roll: Thrown
    hurt: Hurt | None


class KillsCredited(Fact, frozen=True):
    """The kills of this turn (GS-ADM-2a), with all of a side's so far, and who had the first."""

    claims: tuple[Claim, ...]
    kills: Mapping[str, int]
    first: str


class CrewRolled(Fact, frozen=True, kw_only=True):
    """A crew member who blacked out comes to, or not yet (GS-ADM-3); without a `roll` by itself.

    `man` is his place, 0 the pilot's; `flies`: he is at the controls, and flies the aircraft again, which then has this
    `condition`.
    """

    aircraft: UnitId
    man: int
    key: Bookkeeping
    awake: bool
    flies: bool
    roll: Thrown | None = None
    condition: Condition | None = None


class BearingsRolled(Fact, frozen=True):
    """A disoriented pilot finds his bearings, or not yet (GS-ADM-3)."""

    aircraft: UnitId
    roll: Thrown


class LogsKept(Fact, frozen=True):
    """The turn is entered in each aircraft's log sheet, and it has its next speed (GS-ADM-4).

    `wished` are sides that have said in their decisions that an aircraft of theirs would leave now: it shows before
    it leads to a question (GS-ADM-5).
    """

    rows: Mapping[UnitId, Secret[Row]]
    speeds: Mapping[UnitId, Secret[float]]
    wished: tuple[str, ...] = ()

    @classmethod
    def reveals(cls) -> bool:
        """Those who see an aircraft learn its new speed, and all who would leave."""
        return True


class LeaveChosen(Fact, frozen=True):
    """A side says which aircraft tries to leave the fight (GS-ADM-5); None: no other.

    `standing`: it is not asked again before shots fall.
    """

    side: str
    aircraft: UnitId | None
    standing: bool = False


class LeaveRefused(Fact, frozen=True):
    """An aircraft can't leave: the enemy says why (GS-ADM-5a)."""

    aircraft: UnitId
    why: str


class LeaveRolled(Fact, frozen=True):
    """An aircraft leaves the fight, or fails to (GS-ADM-5a)."""

    aircraft: UnitId
    roll: Thrown


class TurnEnded(Fact, frozen=True):
    """The turn is over (GS-EOT-11); `points` are each side's so far.

    `lapsed` are sides that would stay until shots fell, as they now have (GS-ADM-5a).
    """

    points: Mapping[str, int]
    lapsed: tuple[str, ...] = ()


EVENTS: tuple[type[Event], ...] = (
    MissilesAged,
    MissileSpent,
    WorseRolled,
    KillsCredited,
    CrewRolled,
    BearingsRolled,
    LogsKept,
    LeaveChosen,
    LeaveRefused,
    LeaveRolled,
    TurnEnded,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    match event:
        case MissilesAged():
            return _aged(_done(state, "missiles"), event)
        case MissileSpent():
            return without(state, event.missile)
        case WorseRolled():
            state = _done(state, event.aircraft)
            return hurt(state, event.hurt) if event.hurt else state
        case KillsCredited():
            return replace(state, claims=(), kills=event.kills, first_kill=event.first)
        case CrewRolled():
            return _woken(_done(state, event.key), event)
        case BearingsRolled():
            return _righted(_done(state, event.aircraft), event)
        case LogsKept():
            return _kept(_done(state, "logs"), event)
        case LeaveChosen():
            return _chosen(state, event)
        case LeaveRefused():
            return _done(state, event.aircraft)
        case LeaveRolled():
            state = _done(state, event.aircraft)
            return gone(state, event.aircraft, "left") if event.roll.made else state
        case TurnEnded():
            return _ended(_done(state, "over"), event)
        case _:
            return None


def _done(state: State, key: str) -> State:
    return replace(state, done=(*state.done, key))


def _chosen(state: State, event: LeaveChosen) -> State:
    if event.aircraft is not None:
        return _done(state, f"leaves:{event.aircraft}")
    staying = {side: turn for side, turn in state.staying.items() if side != event.side}
    if event.standing:
        staying[event.side] = state.turn
    return replace(_done(state, f"stays:{event.side}"), staying=staying)


def _aged(state: State, event: MissilesAged) -> State:
    missiles = {
        key: _older(one) if key in event.missiles else one for key, one in state.missiles.items()
    }
    return replace(state, missiles=missiles)


def _older(missile: Missile) -> Missile:
    left = max(0, (missile.left.value or 0) - 1)
    return replace(missile, left=Secret(left, missile.left.seats))


def _woken(state: State, event: CrewRolled) -> State:
    if not event.awake:
        return state
    one = state.aircraft[event.aircraft]
    crew = tuple(
        replace(man, status="ok") if n == event.man else man for n, man in enumerate(one.o.crew)
    )
    one = with_own(one, crew=crew)
    if event.flies:
        one = replace(one, condition=event.condition or awake(one))
    return with_aircraft(state, one)


def _righted(state: State, event: BearingsRolled) -> State:
    if not event.roll.made:
        return state
    one = replace(state.aircraft[event.aircraft], condition="normal", bearings_lost=False)
    return with_aircraft(state, one)


def _kept(state: State, event: LogsKept) -> State:
    for unit, row in event.rows.items():
        one = state.aircraft[unit]
        sheet = (*one.o.sheet, row.value)[-ROWS_KEPT:]
        one = with_seen(with_own(one, sheet=sheet), speed=event.speeds[unit].value)
        state = with_aircraft(state, one)
    return state


def _ended(state: State, event: TurnEnded) -> State:
    """What counted for the turn alone is cleared; padlocks, sightings, contacts and locks stay (GS-EOT-11)."""
    return replace(
        state,
        aircraft={key: _rested(one) for key, one in state.aircraft.items()},
        missiles={key: replace(one, moved=False) for key, one in state.missiles.items()},
        volleys={},
        points=event.points,
        staying={side: turn for side, turn in state.staying.items() if side not in event.lapsed},
    )


def _rested(one: Aircraft) -> Aircraft:
    return replace(
        with_own(one, move=None, leaves=False),
        engaged=False,
        illuminating=None,
        damage_control=False,
        moved=False,
        no_attacks=False,
        gun_shots=0,
        launches=0,
    )
