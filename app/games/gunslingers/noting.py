"""Finds what follows from a fact for what the sides know, when the fact is made.

Belongs here: which facts are asked about it. Does not belong here: who knows of whom (`fog`), what receivers hear
(`receivers`), bookkeeping (`noted`).
"""

from msgspec.structs import replace

from app.engine.log import Event
from app.engine.secret import Secret
from app.games.gunslingers.events import evolve
from app.games.gunslingers.fog import lost
from app.games.gunslingers.model import State
from app.games.gunslingers.noted import NOTHING, Fact, Noted
from app.games.gunslingers.radar.receivers import heard


def complete(state: State, event: Event) -> Event:
    """A fact that is made in this position, with what is to be noted of it."""
    if not isinstance(event, Fact) or event.noted is not None:
        return event
    after = evolve(state, replace(event, noted=NOTHING))
    found = Noted(warned=heard(after), lost=lost(state, after))
    return replace(event, noted=NOTHING if found == NOTHING.value else Secret(found, ()))
