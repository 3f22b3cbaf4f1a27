"""Facts of the Aircraft Decisions Phase (GS-DEC), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import UnitId
from app.engine.secret import Secret
from app.games.gunslingers.model import Decoys, State, with_aircraft, with_own
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.radar.holding import Pairs, holding

RadarMode = Literal["off", "search", "boresight", "auto-track"]


class Shown(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What everybody learns of an aircraft's decisions. `program` is in force where it is `program_on`."""

    program: Decoys = Decoys()
    program_on: bool = False
    engaged: bool = False
    illuminating: UnitId | None = None


class Hidden(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What only its side knows: decoys that are left, what its transponder, radar and seekers do, and whether it
    would leave the fight at the end of the turn.
    """

    decoys: Decoys = Decoys()
    iff: bool = False
    radar_mode: RadarMode = "search"
    uncaged: bool = False
    leaves: bool = False
    contacts: tuple[UnitId, ...] = ()
    locks: tuple[UnitId, ...] = ()


class Decided(Fact, frozen=True):
    """A side's decisions, by aircraft. Both sides' come to light at once.

    `silenced` are locks that it gives up, for the other side's receivers.
    """

    side: str
    shown: Mapping[UnitId, Shown]
    hidden: Secret[Mapping[UnitId, Hidden]]
    silenced: Secret[Pairs]

    @classmethod
    def reveals(cls) -> bool:
        """Sealed answers are opened."""
        return True


EVENTS: tuple[type[Event], ...] = (Decided,)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    if not isinstance(event, Decided):
        return None
    hidden = event.hidden.value or {}
    for id, shown in event.shown.items():
        state = _decided(state, id, shown, hidden[id])
    state = holding(state, {id: (one.contacts, one.locks) for id, one in hidden.items()})
    return replace(state, done=(*state.done, event.side))


def _decided(state: State, id: str, shown: Shown, hidden: Hidden) -> State:
    one = replace(
        state.aircraft[id],
        program=shown.program,
        program_on=shown.program_on,
        flares_used=shown.program_on and shown.program.flare > 0,
        engaged=shown.engaged,
        illuminating=shown.illuminating,
    )
    one = with_own(
        one,
        decoys=hidden.decoys,
        iff=hidden.iff,
        radar_mode=hidden.radar_mode,
        uncaged=hidden.uncaged,
        leaves=hidden.leaves,
    )
    return with_aircraft(state, one)
