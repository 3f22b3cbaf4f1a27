"""Facts of the Order of Flight Determination Phase (GS-OOF), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from collections.abc import Mapping
from functools import singledispatch

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import Bookkeeping, UnitId
from app.engine.secret import Secret
from app.games.gunslingers.model import Category, OrderPlace, State, with_aircraft, with_own
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.rolled import Part


class Advantage(Struct, frozen=True, omit_defaults=True):
    """`of` is advantaged over `over`, who is `hexes` away and `levels` higher (negative: lower).

    `arc` is where it stands about the other: 150 or 180; 0 for one that tails it.
    """

    of: UnitId
    over: UnitId
    hexes: int
    levels: int
    arc: int = 0


class Standing(Struct, frozen=True, kw_only=True):
    """Initiative of an aircraft (GS-OOF-3): base, total, and what was added: for all, and by its crew."""

    aircraft: UnitId
    base: int
    total: int
    parts: tuple[Part, ...]
    crew: Secret[tuple[Part, ...]]


class Bumped(Fact, frozen=True):
    """A side says which of its pilots are moved `up` one category (GS-OOF-1d)."""

    side: str
    key: Bookkeeping
    up: Secret[tuple[UnitId, ...]]


class CategoriesSet(Fact, frozen=True):
    """Who is advantaged over whom, and the category of each aircraft that is ordered by it (GS-OOF-1)."""

    found: tuple[Advantage, ...]
    categories: Mapping[UnitId, Category]


class BaseRolled(Fact, frozen=True):
    """A side's base initiative (GS-OOF-2)."""

    side: str
    die: int


class InitiativeSet(Fact, frozen=True):
    """Each aircraft's initiative, and the order by rank and initiative, ties not yet rolled off (GS-OOF-3)."""

    standings: tuple[Standing, ...]
    places: tuple[OrderPlace, ...]


class TieRolled(Fact, frozen=True):
    """An aircraft rolls off a tie: low flies first (GS-OOF-3)."""

    aircraft: UnitId
    die: int
    against: tuple[UnitId, ...]


class TiesRolled(Fact, frozen=True):
    """In fog, the dice of a side's aircraft for whatever ties there may be: low flies first (GS-OOF-3)."""

    side: str
    dice: Secret[Mapping[UnitId, tuple[int, ...]]]


class OrderSet(Fact, frozen=True):
    """The order of flight stands (GS-T-12)."""

    places: tuple[OrderPlace, ...]


EVENTS: tuple[type[Event], ...] = (
    Bumped,
    CategoriesSet,
    BaseRolled,
    InitiativeSet,
    TieRolled,
    TiesRolled,
    OrderSet,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    return _evolve(event, state)


@singledispatch
def _evolve(event: Event, state: State) -> State | None:
    del event, state


@_evolve.register
def _(event: Bumped, state: State) -> State:
    for up in event.up.value or ():
        state = with_aircraft(state, with_own(state.aircraft[up], bumped=True))
    return replace(state, done=(*state.done, event.key))


@_evolve.register
def _(event: CategoriesSet, state: State) -> State:
    aircraft = {
        one.id: replace(one, category=event.categories.get(one.id), initiative=None)
        for one in state.aircraft.values()
    }
    return replace(
        state, aircraft=aircraft, order=(), initiative={}, done=(*state.done, "categories")
    )


@_evolve.register
def _(event: BaseRolled, state: State) -> State:
    return replace(state, initiative={**state.initiative, event.side: event.die})


@_evolve.register
def _(event: InitiativeSet, state: State) -> State:
    aircraft = dict(state.aircraft)
    for standing in event.standings:
        aircraft[standing.aircraft] = replace(
            aircraft[standing.aircraft], initiative=standing.total
        )
    return replace(
        state,
        aircraft=aircraft,
        order=event.places,
        done=(*state.done, "initiative"),
    )


@_evolve.register
def _(event: TieRolled, state: State) -> State:
    order = (
        replace(place, tie=(*place.tie, event.die)) if place.aircraft == event.aircraft else place
        for place in state.order
    )
    return replace(state, order=tuple(sorted(order, key=lambda place: place.key)))


@_evolve.register
def _(event: TiesRolled, state: State) -> State:
    dice = event.dice.value or {}
    order = tuple(
        replace(place, tie=dice[place.aircraft]) if place.aircraft in dice else place
        for place in state.order
    )
    if all(place.tie for place in order):
        order = tuple(sorted(order, key=lambda place: place.key))
    return replace(
        state,
        order=order,
        done=(*state.done, f"ties:{event.side}"),
    )


@_evolve.register
def _(event: OrderSet, state: State) -> State:
    aircraft = {one.id: with_own(one, bumped=False) for one in state.aircraft.values()}
    return replace(
        state,
        aircraft=aircraft,
        order=event.places,
        movers=(),
        done=(*state.done, "order"),
    )
