"""Fog (GS-4-F1 to GS-4-F3): which enemies a viewer knows of, and the position without the others.

Belongs here: whom a viewer knows of, what is taken out of a position for the others' sake, and where an enemy was
last known to be. What a type hides (`Secret`) is emptied by the engine; here is what has to be computed.

A viewer's own radar and eyes count. A spectator knows of an aircraft what its enemy has in sight, nothing of radar.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import FieldInfo, fields, replace

from app.engine.log import Event
from app.engine.secret import Secret, Viewer
from app.games.gunslingers.model import (
    Activation,
    Aircraft,
    Missile,
    OrderPlace,
    State,
    with_own,
)
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.order.facts import InitiativeSet, OrderSet
from app.games.gunslingers.radar.holding import Pair


def hides(state: State) -> bool:
    """Whether the table is played in fog, so that whole facts are kept from some."""
    return state.switches.fog != "table"


def knows(state: State, aircraft: Aircraft, viewer: Viewer) -> bool:
    """Whether a viewer knows where an aircraft is: its own, in sight, on its radar, or out of the game."""
    if state.switches.fog == "table" or aircraft.side in viewer or not aircraft.flying:
        return True
    if any(seat in viewer or not viewer for seat in aircraft.sighted_by if seat != aircraft.side):
        return True
    own = (one for one in state.aircraft.values() if one.side in viewer)
    return any(one.id in aircraft.vas_by or aircraft.id in _on_radar(one) for one in own)


def knows_missile(state: State, missile: Missile, viewer: Viewer) -> bool:
    """Whether a viewer knows of a missile: its own, in sight, or flying at one of its aircraft."""
    if state.switches.fog == "table" or missile.side in viewer:
        return True
    if any(seat in viewer or not viewer for seat in missile.sighted_by if seat != missile.side):
        return True
    target = state.aircraft.get(missile.target)
    if target is not None and target.side in viewer:
        return True
    return any(one.side in viewer for one in state.aircraft.values() if one.id in missile.vas_by)


def known_to(state: State, side: str, target: Aircraft | Missile) -> bool:
    """GS-4-F1 to GS-4-F3: whether a side may be told of a target; it searches for others too."""
    viewer = frozenset({side})
    if isinstance(target, Aircraft):
        return knows(state, target, viewer)
    return knows_missile(state, target, viewer)


def _on_radar(own: Aircraft) -> tuple[str, ...]:
    held = own.own.value
    return () if held is None else (*held.contacts, *held.locks)


def unknown(state: State, viewer: Viewer) -> frozenset[str]:
    """The ids of all that a viewer does not know of."""
    aircraft = {one.id for one in state.aircraft.values() if not knows(state, one, viewer)}
    missiles = {one.id for one in state.missiles.values() if not knows_missile(state, one, viewer)}
    return frozenset(aircraft | missiles)


def view(state: State, viewer: Viewer) -> State:
    """The position as a viewer may have it, after secrets are emptied (GS-4-F2, GS-4-F3)."""
    state = _without_plans(state, viewer)
    if state.switches.fog == "table":
        return state
    hidden = unknown(state, viewer)
    flown = {
        one.id: replace(
            one,
            shooter="" if one.shooter in hidden else one.shooter,
            target="" if one.target in hidden else one.target,
        )
        for one in state.missiles.values()
    }
    shown = {
        one.id: _blurred(state, one, viewer) if one.id in hidden else replace(one, known=None)
        for one in state.aircraft.values()
    }
    changed = replace(state, missiles=flown, order=_unnamed(state, state.order, hidden))
    kept = _struct_without(changed, hidden, _NEVER_NAMES | {"aircraft"})
    aircraft = {
        id: one if id in hidden else _without(_warned(one, hidden), hidden)
        for id, one in shown.items()
        if one is not None
    }
    return replace(kept, aircraft=aircraft)


def _warned(aircraft: Aircraft, hidden: frozenset[str]) -> Aircraft:
    """An aircraft whose receiver still tells of each lock, though not of whose it is."""
    if aircraft.own.value is None or hidden.isdisjoint(aircraft.own.value.warned):
        return aircraft
    heard = tuple(_named(tracker, hidden) for tracker in aircraft.own.value.warned)
    return with_own(aircraft, warned=heard)


def _unnamed(
    state: State, places: tuple[OrderPlace, ...], hidden: frozenset[str]
) -> tuple[OrderPlace, ...]:
    """Places of an order without reasons that name somebody hidden."""
    names = [one.name for one in state.aircraft.values() if one.id in hidden]
    return tuple(
        replace(place, why="") if any(name in place.why for name in names) else place
        for place in places
    )


def _without_plans(state: State, viewer: Viewer) -> State:
    """The position with no more of an enemy's move than whose it is: what it chose and plans is its side's."""

    def seen(move: Activation) -> Activation:
        if state.aircraft[move.aircraft].side in viewer:
            return move
        return replace(move, settings=None, flown=(), left=(), asked=())

    return replace(
        state,
        activation=None if state.activation is None else seen(state.activation),
        waiting=tuple(seen(move) for move in state.waiting),
    )


_NEVER_NAMES = frozenset(
    {"board", "switches", "sides", "training", "cards", "missile_cards", "sun", "result"}
)
"""Fields of a position that are about nobody in it."""


def _named(tracker: str, hidden: frozenset[str]) -> str:
    return "" if tracker in hidden else tracker


class _Gone:
    """Stands for what was about somebody hidden."""


_GONE = _Gone()


def _without(thing: Any, hidden: frozenset[str]) -> Any:
    """A part of a position without what is about the hidden.

    What names one of them falls out of its tuple or mapping; a field that does takes its default, and where it
    has none, the whole struct goes. Keys such as "search:red-2" name whom they have between their colons.
    """
    if isinstance(thing, str):
        return _GONE if any(part in hidden for part in thing.split(":")) else thing
    if isinstance(thing, Pair):
        # A receiver tells of a lock, and not whose it is.
        return (
            _GONE
            if thing.target in hidden
            else thing._replace(tracker=_named(thing.tracker, hidden))
        )
    if isinstance(thing, tuple):
        items = (_without(one, hidden) for one in cast("tuple[Any, ...]", thing))
        return tuple(one for one in items if one is not _GONE)
    if isinstance(thing, Mapping):
        pairs = (
            (key, _without(key, hidden), _without(value, hidden))
            for key, value in cast("Mapping[Any, Any]", thing).items()
        )
        return {key: value for key, kept, value in pairs if _GONE not in (kept, value)}
    if isinstance(thing, Secret):
        value = _without(cast("Secret[Any]", thing).value, hidden)
        return Secret(None if value is _GONE else value, cast("Secret[Any]", thing).seats)
    if isinstance(thing, Struct):
        return _struct_without(thing, hidden)
    return thing


def _struct_without(
    thing: Struct, hidden: frozenset[str], left_out: frozenset[str] = frozenset()
) -> Any:
    changed: dict[str, Any] = {}
    for field in _members(type(thing)):
        if field.name in left_out:
            continue
        value = _without(old := getattr(thing, field.name), hidden)
        if value is _GONE:
            if field.required:
                return _GONE
            value = field.default
        if value is not old:
            changed[field.name] = value
    return replace(thing, **changed) if changed else thing


@cache
def _members(kind: type[Struct]) -> tuple[FieldInfo, ...]:
    return fields(kind)


def _blurred(state: State, aircraft: Aircraft, viewer: Viewer) -> Aircraft | None:
    """In soft fog, what is left of an aircraft: where it was last known to be. None where it never was."""
    if state.switches.fog != "soft" or aircraft.known is None or not viewer:
        return None
    return Aircraft(
        id=aircraft.id,
        side=aircraft.side,
        name=aircraft.name,
        kind=aircraft.kind,
        pos=aircraft.known.pos,
        facing=aircraft.known.facing,
        altitude=aircraft.known.altitude,
        seen=Secret(None, aircraft.seen.seats),
        ident=aircraft.ident,
        own=Secret(None, aircraft.own.seats),
        identified_by=aircraft.identified_by,
        known=aircraft.known,
    )


def lost(before: State, after: State) -> tuple[str, ...]:
    """In soft fog, the aircraft of which the enemy knew before a fact and knows no longer after it (GS-4-F2)."""
    if after.switches.fog != "soft":
        return ()

    def known(state: State, id: str, enemy: str) -> bool:
        return knows(state, state.aircraft[id], frozenset({enemy}))

    sides = ((one.id, after.other(one.side)) for one in after.flying())
    return tuple(
        id for id, enemy in sides if not known(after, id, enemy) and known(before, id, enemy)
    )


def told(before: State, after: State, event: Event, viewer: Viewer) -> Event | None:
    """A fact as a viewer may be told it, after secrets are emptied (GS-4-F2, GS-4-F3).

    In fog it loses what is about those of whom the viewer knows neither before nor after it; None where nothing is
    left to be told.
    """
    if isinstance(event, Fact):
        event = replace(event, noted=None)
    if after.switches.fog == "table":
        return event
    hidden = unknown(before, viewer) & unknown(after, viewer)
    if isinstance(event, InitiativeSet | OrderSet):
        event = replace(event, places=_unnamed(after, event.places, hidden))
    left = _without(event, hidden) if hidden else event
    return None if left is _GONE else left
