"""What radar warning receivers tell: whose work, and which locks they hear (GS-RAD-4).

Belongs here: rules of receivers. Does not belong here: bookkeeping of what radars hold (`holding`).
"""

from collections.abc import Mapping

from app.games.gunslingers.model import Aircraft, State
from app.games.gunslingers.radar.holding import Pair, Pairs


def hears(state: State, aircraft: Aircraft) -> bool:
    """Whether its radar warning receiver works."""
    return bool(state.card(aircraft).rwr) and "ecm" not in aircraft.o.out


def heard(state: State) -> Mapping[str, tuple[str, ...]]:
    """By aircraft whose receiver is to tell of other locks than it does: the enemies that hold one on it now."""
    found: dict[str, tuple[str, ...]] = {}
    for one in state.aircraft.values():
        locking = tuple(each.id for each in state.enemies(one.side) if one.id in each.o.locks)
        told = locking if locking and hears(state, one) else ()
        if told != one.o.warned:
            found[one.id] = told
    return found


def silenced(state: State, side: str, locks: Mapping[str, tuple[str, ...]]) -> Pairs:
    """The locks of a side that working receivers hear end, when its aircraft hold only these from now on."""
    return tuple(
        Pair(id, target)
        for id, kept in locks.items()
        if state.aircraft[id].side == side
        for target in state.aircraft[id].o.locks
        if target not in kept and hears(state, state.aircraft[target])
    )
