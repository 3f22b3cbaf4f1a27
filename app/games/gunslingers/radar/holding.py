"""What radars hold: bookkeeping for facts.

Belongs here: changes of contacts and locks. Does not belong here: when a radar gains or loses anything, what radar
warning receivers say of it (`receivers`).
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from app.engine.naming import FadingId, UnitId
from app.games.gunslingers.model import State, with_aircraft, with_own


class Pair(NamedTuple):
    """A tracker and its target. `tracker` is "" for those who don't know who it is: a receiver tells that much."""

    tracker: FadingId = ""
    target: UnitId = ""


Pairs = tuple[Pair, ...]


def holding(state: State, held: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> State:
    """The position in which each aircraft named holds these contacts and locks."""
    for name, (contacts, locks) in held.items():
        one = with_own(state.aircraft[name], contacts=contacts, locks=locks)
        state = with_aircraft(state, one)
    return state


def without_locks(
    state: State, aircraft: str, lost: Callable[[str], bool] = lambda target: True
) -> State:
    """The position in which an aircraft has lost its locks on those who are `lost`, by id."""
    own = state.aircraft[aircraft].o
    kept = tuple(target for target in own.locks if not lost(target))
    return holding(state, {aircraft: (own.contacts, kept)}) if kept != own.locks else state
