"""What radars hold, and what the radar warning receivers of those held say of it: bookkeeping for facts.

Belongs here: changes of contacts and locks, so that warnings always agree with them. Does not belong here: when
a radar gains or loses anything.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from app.engine.naming import FadingId, UnitId
from app.games.gunslingers.model import Aircraft, State, with_aircraft, with_own


def hears(state: State, aircraft: Aircraft) -> bool:
    """Whether its radar warning receiver works."""
    return bool(state.card(aircraft).rwr) and "ecm" not in aircraft.o.out


def warned(state: State) -> State:
    """The position in which each receiver names the enemies that hold a lock on its aircraft now."""
    changed: dict[str, Aircraft] = {}
    for one in state.aircraft.values():
        locking = tuple(each.id for each in state.enemies(one.side) if one.id in each.o.locks)
        heard = locking if locking and hears(state, one) else ()
        if heard != one.o.warned:
            changed[one.id] = with_own(one, warned=heard)
    return replace(state, aircraft={**state.aircraft, **changed}) if changed else state


class Pair(NamedTuple):
    """A tracker and its target. `tracker` is "" for those who don't know who it is: a receiver tells that much."""

    tracker: FadingId = ""
    target: UnitId = ""


Pairs = tuple[Pair, ...]


def silenced(state: State, side: str, locks: Mapping[str, tuple[str, ...]]) -> Pairs:
    """The locks of a side that working receivers hear end, when its aircraft hold only these from now on."""
    return tuple(
        Pair(id, target)
        for id, kept in locks.items()
        if state.aircraft[id].side == side
        for target in state.aircraft[id].o.locks
        if target not in kept and hears(state, state.aircraft[target])
    )


def holding(state: State, held: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> State:
    """The position in which each aircraft named holds these contacts and locks."""
    for name, (contacts, locks) in held.items():
        one = with_own(state.aircraft[name], contacts=contacts, locks=locks)
        state = with_aircraft(state, one)
    return warned(state)


def without_locks(
    state: State, aircraft: str, lost: Callable[[str], bool] = lambda target: True
) -> State:
    """The position in which an aircraft has lost its locks on those who are `lost`, by id."""
    own = state.aircraft[aircraft].o
    kept = tuple(target for target in own.locks if not lost(target))
    return holding(state, {aircraft: (own.contacts, kept)}) if kept != own.locks else state
