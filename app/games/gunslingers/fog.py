"""Fog (GS-4-F1 to GS-4-F3): which enemies a viewer knows of, and the position without the others.

Belongs here: whom a viewer knows of, what is taken out of a position for the others' sake, and where an enemy was
last known to be. What a type hides (`Secret`) is emptied by the engine, which also knows by their types which fields
name units (`app.engine.naming`); here is what has to be computed.

A viewer's own radar and eyes count. A spectator knows of an aircraft what its enemy has in sight, nothing of radar.
"""

from typing import cast

from msgspec.structs import replace

from app.engine.naming import without
from app.engine.secret import Secret, Viewer
from app.games.gunslingers.model import (
    Activation,
    Aircraft,
    Missile,
    OrderPlace,
    State,
)


def hides(state: State) -> bool:
    """Whether the table is played in fog, so that whole facts are kept from some."""
    return state.foggy


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
    aircraft = {
        one.id: shown
        for one in state.aircraft.values()
        if (shown := _shown(state, one, hidden, viewer)) is not None
    }
    changed = replace(state, order=unnamed(state.order, hidden))
    return replace(without(changed, hidden, frozenset({"aircraft"})), aircraft=aircraft)


def _shown(
    state: State, aircraft: Aircraft, hidden: frozenset[str], viewer: Viewer
) -> Aircraft | None:
    """An aircraft as a viewer has it; None where he has nothing of it."""
    if aircraft.id in hidden:
        return _blurred(state, aircraft, viewer)
    return cast("Aircraft", without(replace(aircraft, known=None), hidden))


def unnamed(places: tuple[OrderPlace, ...], hidden: frozenset[str]) -> tuple[OrderPlace, ...]:
    """Places of an order without reasons that name somebody hidden."""
    return tuple(
        place if hidden.isdisjoint(place.about) else replace(place, why="", about=())
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
