"""In fog, what a viewer is told of facts and of steps that wait (GS-4-F1 to GS-4-F3).

Belongs here: which facts are told to whom, and of which questions and rolls others may know. Does not belong here: whom
a viewer knows of (`fog`), or what is asked; that the same is asked and rolled, whoever is hidden, is each phase's part.

What is told may hang only on what the viewer knows of. A fact about units loses those of whom he knows nothing, and is
not told where nobody is left. A fact of a side that comes only when something is so (it could launch, its radar looks)
is told to that side alone.
"""

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from app.engine.game import AskedOf
from app.engine.log import Event
from app.engine.naming import GONE, without
from app.engine.secret import Viewer, redact
from app.engine.sequence import Decision, Effect, Roll
from app.games.gunslingers.admin.facts import LeaveChosen, LogsKept, MissilesAged
from app.games.gunslingers.flight.facts import LetFly
from app.games.gunslingers.fog import unknown, unnamed
from app.games.gunslingers.missiles.facts import LaunchDeclared, LaunchesListed, LaunchesOpened
from app.games.gunslingers.model import State
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.order.facts import InitiativeSet, OrderSet, TiesRolled
from app.games.gunslingers.radar.facts import (
    ContactsKept,
    LocksHeard,
    LocksLost,
    LocksPlanned,
    LocksShaken,
    LocksTried,
    RadarSearched,
    RadarsLook,
    SearchPlanned,
)
from app.games.gunslingers.sighting.facts import (
    Identified,
    Looked,
    LostFromSight,
    Padlocked,
    WatchSet,
)
from app.games.gunslingers.step_facts import StepBegan

ONE_SIDES: frozenset[type[Event]] = frozenset(
    {
        TiesRolled,
        WatchSet,
        Looked,
        LaunchesListed,
        LaunchesOpened,
        SearchPlanned,
        RadarSearched,
        LocksPlanned,
        LocksTried,
        LocksShaken,
        LocksHeard,
        LocksLost,
    }
)
"""Facts of a side that is named in them, told to it alone."""

SIDES_ONLY: frozenset[type[Event]] = frozenset({LetFly, ContactsKept})
"""Facts that hang on what one of the sides knows: no spectator is told that there were any."""

NOBODYS: frozenset[type[Event]] = frozenset({StepBegan})
"""Facts of the sequence: which steps have begun tells that somebody was concerned."""

LEFT: dict[type[Event], Callable[[Any], Any]] = {
    Padlocked: lambda event: event.padlocks,
    LostFromSight: lambda event: event.targets,
    Identified: lambda event: any(event.targets.values()),
    RadarsLook: lambda event: event.looking,
    MissilesAged: lambda event: event.missiles,
    LogsKept: lambda event: event.rows or event.speeds or event.wished,
}
"""Facts that come only when they are about somebody: what of them has to be left for there to be something to tell."""

ALWAYS = frozenset({"watch", "search", "decide", "bump", "base", "ties", "launches", "lock-plan"})
"""Questions and rolls of a side that come in every turn, whoever is hidden: the first word of their ids."""

SOMETIMES = frozenset(
    {"launch", "launch-again", "preempt", "tail", "gun", "return-fire", "decoys", "leave"}
)
"""Questions about a unit that come only when something is so that others need not know."""


def told(before: State, after: State, event: Event, viewer: Viewer) -> Event | None:
    """A fact as a viewer may be told it, after secrets are emptied; None where nothing is left to be told.

    In fog it loses what is about those of whom the viewer knows neither before nor after it.
    """
    if isinstance(event, Fact):
        event = replace(event, noted=None)
    if not after.foggy or viewer.issuperset(after.sides):
        return event
    kind = type(event)
    if kind in NOBODYS or (kind in SIDES_ONLY and not viewer):
        return None
    if kind in ONE_SIDES and cast("Any", event).side not in viewer:
        return None
    if _declined(after, event, viewer):
        return None
    if isinstance(event, LogsKept):
        event = replace(event, wished=tuple(side for side in event.wished if side in viewer))
    hidden = unknown(before, viewer) & unknown(after, viewer)
    if isinstance(event, InitiativeSet | OrderSet):
        event = replace(event, places=unnamed(event.places, hidden))
    cut = without(event, hidden)
    left = LEFT.get(kind)
    return None if cut is GONE or (left is not None and not left(cut)) else cut


def _declined(state: State, event: Event, viewer: Viewer) -> bool:
    """Whether a fact says no more than that another side has declined what it could do."""
    match event:
        case LaunchDeclared():
            return event.volley is None and state.aircraft[event.shooter].side not in viewer
        case LeaveChosen():
            return event.aircraft is None and event.side not in viewer
        case _:
            return False


def asks(state: State, step: Decision | Roll | Effect, viewer: Viewer) -> AskedOf:
    """How much a viewer, who is not asked himself, may know of a step that waits."""
    if not state.foggy or viewer.issuperset(state.sides):
        return "all"
    if isinstance(step, Effect):
        event = redact(step.event, viewer)
        return "nothing" if told(state, state, event, viewer) is None else "all"
    kind = step.id.partition(":")[0]
    if kind in ALWAYS:
        return "all"
    return "nothing" if kind in SOMETIMES or step.unit is None else "all"
