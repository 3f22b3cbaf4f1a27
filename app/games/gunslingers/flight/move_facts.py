"""Facts of a move (GS-F), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import UnitId
from app.engine.secret import Secret
from app.games.gunslingers.geometry import Pos
from app.games.gunslingers.model import (
    Aircraft,
    FlightType,
    Move,
    Power,
    Rate,
    Settings,
    State,
    TurnCarry,
    moved_to,
    trail_begun,
    with_aircraft,
    with_own,
    with_seen,
)
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.radar.holding import without_locks

T = TypeVar("T")


class Manner(Struct, frozen=True):
    """How an aircraft is seen to fly: its type of flight and its power (visibility S)."""

    flight_type: FlightType
    power: Power


class SettingsChosen(Fact, frozen=True):
    """A side chooses how an aircraft flies this turn (GS-F-3, GS-F-4), and its move begins with `move`."""

    aircraft: UnitId
    settings: Secret[Settings]
    manner: Secret[Manner]
    move: Secret[Move]
    damage_control: bool = False

    @classmethod
    def reveals(cls) -> bool:
        """Those who have it in sight see its power and its type of flight."""
        return True


class LinePlanned(Fact, frozen=True):
    """A side says how an aircraft flies on: the tokens of the notation (6.7).

    `ends`: they take all its flight points. Otherwise its side is asked again, which all see.
    """

    aircraft: UnitId
    tokens: Secret[tuple[str, ...]]
    ends: bool = True

    @classmethod
    def reveals(cls) -> bool:
        """Whether the rest of the move is planned shows in who is asked next."""
        return True


class Counts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an aircraft's side keeps count of after a flight point; fields as in `Own` and `Move`."""

    move: Move
    max_rate: Rate | None = None
    sight_rate: Rate | None = None
    facings: int = 0
    rolls: int = 0
    unloaded: int = 0
    recovery: int = 0
    bank: Literal["L", "R", "level"] = "level"
    bank_free: int = 0
    last_fp: Literal["", "guns", "roll"] = ""


class Flew(Fact, frozen=True):
    """An aircraft flies one token of its line, to a place, a facing and a level; 0 is the ground."""

    aircraft: UnitId
    token: Secret[str]
    pos: Pos
    facing: int
    altitude: int
    counts: Secret[Counts]
    spent: int

    @classmethod
    def reveals(cls) -> bool:
        """What was planned in secret is seen as it is flown."""
        return True


class Item(Struct, frozen=True):
    """A line of the energy account: accel points, or decel points as a negative amount."""

    words: str
    amount: float


class Account(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The energy account of a move (GS-F-20 to GS-F-24), and what it leads to.

    `items` add up to `net`, the carry from before among them. `notes` say what a limit changed.
    """

    items: tuple[Item, ...]
    net: float
    next_speed: float
    ap_carry: float
    fp_carry: float = 0
    turn_carry: TurnCarry | None = None
    fuel: float = 0
    climb_turns: int = 0
    dive_turns: int = 0
    gloc_checks: int = 0
    notes: tuple[str, ...] = ()

    @property
    def ap(self) -> float:
        """Accel points of the move."""
        return sum(item.amount for item in self.items[1:] if item.amount > 0)

    @property
    def dp(self) -> float:
        """Decel points of the move."""
        return -sum(item.amount for item in self.items[1:] if item.amount < 0)


class EnergySettled(Fact, frozen=True):
    """A move's flight points are over, and its energy account is made up (GS-F-20).

    `pos`, `facing` and `altitude` are where that leaves it. `departed`: it carries a turn that it is too slow for next
    turn (GS-F-12).
    """

    aircraft: UnitId
    account: Secret[Account]
    pos: Pos
    facing: int
    altitude: int
    departed: bool = False

    @classmethod
    def reveals(cls) -> bool:
        """A turn that it is too slow to carry on is seen by all."""
        return True


EVENTS: tuple[type[Event], ...] = (SettingsChosen, LinePlanned, Flew, EnergySettled)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    if isinstance(event, SettingsChosen):
        return _chosen(state, event)
    if isinstance(event, LinePlanned):
        return _activation(state, event.aircraft, left=_known(event.tokens))
    if isinstance(event, Flew):
        return _flew(state, event)
    if isinstance(event, EnergySettled):
        return _settled(state, event)
    return None


def _chosen(state: State, event: SettingsChosen) -> State:
    aircraft = state.aircraft[event.aircraft]
    manner = _known(event.manner)
    aircraft = with_seen(
        aircraft,
        flight_type=manner.flight_type,
        power=manner.power,
        previous_type=aircraft.s.flight_type,
        previous_power=aircraft.s.power,
    )
    aircraft = with_own(
        aircraft,
        move=_known(event.move),
        thrust=_known(event.settings).ap,
        max_rate=None,
        sight_rate=None,
        facings=0,
        rolls=0,
        unloaded=0,
        last_fp="",
        flamed_out=False,
    )
    aircraft = replace(trail_begun(aircraft), damage_control=event.damage_control)
    state = with_aircraft(state, aircraft)
    return _activation(state, event.aircraft, settings=_known(event.settings))


def _flew(state: State, event: Flew) -> State:
    aircraft = state.aircraft[event.aircraft]
    aircraft = moved_to(
        with_own(aircraft, **_fields(_known(event.counts))),
        event.pos,
        event.facing,
        event.altitude,
    )
    state = with_aircraft(state, aircraft)
    activation = state.activation
    if activation is None:
        return state
    token = _known(event.token)
    left = activation.left[1:] if activation.left[:1] == (token,) else activation.left
    return _activation(state, event.aircraft, flown=(*activation.flown, token), left=left)


def _settled(state: State, event: EnergySettled) -> State:
    aircraft = state.aircraft[event.aircraft]
    account = _known(event.account)
    aircraft = with_own(
        aircraft,
        next_speed=account.next_speed,
        ap_carry=account.ap_carry,
        fp_carry=account.fp_carry,
        turn_carry=account.turn_carry,
        fuel=account.fuel,
        climb_turns=account.climb_turns,
        dive_turns=account.dive_turns,
        gloc_checks=account.gloc_checks,
        last_ap=account.ap,
        last_dp=account.dp,
    )
    state = with_aircraft(state, aircraft)
    if event.departed:
        state = _departed(state, aircraft, account.next_speed)
    activation = state.activation
    if activation is None:
        return state
    return _activation(state, event.aircraft, asked=(*activation.asked, "flown"))


def _departed(state: State, aircraft: Aircraft, speed: float) -> State:
    """A departure drops radar locks (GS-RAD-4b); the turn that it carried is over."""
    out = with_own(aircraft, depart_speed=speed, turn_carry=None)
    out = replace(out, condition="departed", departed_turns=0)
    return without_locks(with_aircraft(state, out), aircraft.id)


def _fields(counts: Counts) -> dict[str, object]:
    return {field: getattr(counts, field) for field in Counts.__struct_fields__}


def _activation(state: State, aircraft: str, **changes: object) -> State:
    """The position with the activation under way changed, if it is that aircraft's."""
    activation = state.activation
    if activation is None or activation.aircraft != aircraft:
        return state
    return replace(state, activation=replace(activation, **changes))


def _known(secret: Secret[T]) -> T:
    if secret.value is None:
        raise LookupError("a redacted fact leads nowhere")
    return secret.value
