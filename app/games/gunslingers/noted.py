"""What follows from a fact for what the sides know, and its bookkeeping.

Belongs here: what stands of it in the fact, and the position that it leads to. Does not belong here: how it is found
(`noting`).
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import FadingId, UnitId
from app.engine.secret import Secret
from app.games.gunslingers.model import Aircraft, Known, State, with_own


class Noted(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What sides know otherwise after a fact than before it.

    `warned` are the aircraft whose radar warning receivers tell of other locks from now on: of whose. `lost` are those
    whose enemy knows of them no longer, and remembers where they were before the fact (GS-4-F2).
    """

    warned: Mapping[UnitId, tuple[FadingId, ...]] = {}
    lost: tuple[UnitId, ...] = ()


class Fact(Event, frozen=True, kw_only=True):
    """Base of the facts of this game. What is `noted` is for nobody's eyes; the first edition wrote none."""

    noted: Secret[Noted] | None = None


NOTHING = Secret(Noted(), ())
"""For a fact after which everybody knows of whom he knew."""


def written(before: State, after: State, found: Noted) -> State:
    """The position with what was noted of the fact that leads from one position to the other."""
    changed: dict[str, Aircraft] = {}
    for id in found.lost:
        one = before.aircraft[id]
        known = Known(one.pos, one.facing, one.altitude, before.turn)
        changed[id] = replace(after.aircraft[id], known=known)
    for id, trackers in found.warned.items():
        changed[id] = with_own(changed.get(id, after.aircraft[id]), warned=trackers)
    return replace(after, aircraft={**after.aircraft, **changed}) if changed else after
