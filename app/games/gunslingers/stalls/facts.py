"""Facts of the Stalled Aircraft Phase (GS-STL), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from app.engine.log import Event
from app.games.gunslingers.model import State

EVENTS: tuple[type[Event], ...] = ()


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    del state, event
    return None
