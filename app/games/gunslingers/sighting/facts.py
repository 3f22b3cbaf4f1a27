"""Facts of the Visual Sighting Phase (GS-VIS), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import UnitId
from app.engine.secret import Secret
from app.games.gunslingers.earlier import stay_in_sight
from app.games.gunslingers.model import Aircraft, Missile, Seen, State, Watch, eyes
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.rolled import Thrown


class TrailsSeen(Fact, frozen=True):
    """Aircraft whose engines or damage leave smoke for everybody to see, sighted or not."""

    aircraft: tuple[UnitId, ...]

    @classmethod
    def reveals(cls) -> bool:
        """A trail tells of the power that an aircraft out of sight has used."""
        return True


class WatchSet(Fact, frozen=True):
    """A side says who searches for whom, and who padlocks whom. Declared openly, with what each die needs."""

    side: str
    watch: Watch
    needs: Mapping[UnitId, int]

    @classmethod
    def reveals(cls) -> bool:
        """What a die needs may tell of crews, and of what is on radar."""
        return True


class Padlocked(Fact, frozen=True):
    """The padlocks of all sides from now on: by target, the aircraft that watches it."""

    padlocks: Mapping[UnitId, UnitId]


class LostFromSight(Fact, frozen=True):
    """All that was sighted and is not padlocked is out of sight, until it is found again.

    Of the `targets`, those that are `padlocked` are so only for VAS: eyes are kept on them.
    """

    targets: tuple[UnitId, ...]
    padlocked: tuple[UnitId, ...] | None = None


class Searched(Fact, frozen=True):
    """A side looks for one target. `by_vas`: what is found, only the searcher sees.

    `shows` is how an aircraft that is found has flown, which the side now sees.
    """

    side: str
    target: UnitId
    searcher: UnitId
    roll: Thrown
    by_vas: bool
    shows: Secret[Seen] | None = None

    @classmethod
    def reveals(cls) -> bool:
        """What is seen becomes known."""
        return True


class Looked(Fact, frozen=True):
    """In fog, all searches of a side: a die for each enemy and missile, of which those count that it looks for."""

    side: str
    looks: Secret[tuple[Searched, ...]]

    @classmethod
    def reveals(cls) -> bool:
        """What is seen becomes known."""
        return True


class Sighted(Fact, frozen=True):
    """In fog, whom a side has found, for all who may know of him. He is in sight already."""

    side: str
    targets: tuple[UnitId, ...]

    @classmethod
    def reveals(cls) -> bool:
        """Whoever is found learns of it."""
        return True


class Identified(Fact, frozen=True):
    """Aircraft that are identified, by the side that does it."""

    targets: Mapping[str, tuple[UnitId, ...]]

    @classmethod
    def reveals(cls) -> bool:
        """The card becomes known."""
        return True


EVENTS: tuple[type[Event], ...] = (
    TrailsSeen,
    WatchSet,
    Padlocked,
    LostFromSight,
    Searched,
    Looked,
    Sighted,
    Identified,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    match event:
        case TrailsSeen():
            return replace(state, done=(*state.done, "trails"))
        case WatchSet():
            watches = {**state.watches, event.side: event.watch}
            return replace(state, watches=watches, done=(*state.done, event.side))
        case Padlocked():
            everything = (*state.aircraft, *state.missiles)
            state = replace(state, done=(*state.done, "padlocks"))
            for id in everything:
                state = changed(state, id, padlocked_by=_by(event.padlocks, id))
            return state
        case LostFromSight():
            state = replace(state, done=(*state.done, "lost"))
            padlocked = event.padlocked
            if padlocked is None:
                padlocked = stay_in_sight(state, event.targets)
            for id in event.targets:
                kept = target(state, id).sighted_by if id in padlocked else ()
                state = changed(state, id, sighted_by=kept, vas_by=())
            return state
        case Searched():
            return _searched(state, event)
        case Looked():
            return _looked(state, event)
        case Sighted():
            return replace(state, done=(*state.done, f"told:{event.side}"))
        case Identified():
            return _identified(state, event)
        case _:
            return None


def target(state: State, id: str) -> Aircraft | Missile:
    """An aircraft or a missile by its id. Raises KeyError."""
    return state.aircraft[id] if id in state.aircraft else state.missiles[id]


def _by(padlocks: Mapping[str, str], target: str) -> tuple[str, ...]:
    return (padlocks[target],) if target in padlocks else ()


def changed(state: State, id: str, **fields: Any) -> State:
    """The position with changed fields of an aircraft or a missile."""
    if id in state.aircraft:
        one: Aircraft = eyes(replace(state.aircraft[id], **fields))
        return replace(state, aircraft={**state.aircraft, id: one})
    missile: Missile = replace(state.missiles[id], **fields)
    return replace(state, missiles={**state.missiles, id: missile})


def _searched(state: State, event: Searched) -> State:
    state = replace(state, done=(*state.done, f"{event.side}:{event.target}"))
    return _seen(state, event) if event.roll.made else state


def _looked(state: State, event: Looked) -> State:
    state = replace(state, done=(*state.done, f"dice:{event.side}"))
    for look in event.looks.value or ():
        if look.roll.made:
            done = (*state.done, f"found:{event.side}:{look.target}")
            state = replace(_seen(state, look), done=done)
    return state


def found(state: State, side: str) -> tuple[str, ...]:
    """Whom the dice of a side have found in this step."""
    before = f"found:{side}:"
    return tuple(key.removeprefix(before) for key in state.done if key.startswith(before))


def _seen(state: State, event: Searched) -> State:
    seen = target(state, event.target)
    if event.by_vas:
        return changed(state, event.target, vas_by=(*seen.vas_by, event.searcher))
    return changed(state, event.target, sighted_by=(*seen.sighted_by, event.side))


def _identified(state: State, event: Identified) -> State:
    for side, targets in event.targets.items():
        for id in targets:
            known = state.aircraft[id].identified_by
            state = changed(state, id, identified_by=(*known, side))
    return replace(state, done=(*state.done, "identified"))
