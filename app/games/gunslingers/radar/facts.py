"""Facts of the Air Radar Search and Lock-on Phase (GS-RAD), and the position that each one leads to.

Belongs here: what can be written in the log, and the bookkeeping. Does not belong here: rules.

What a side's radars find and hold is its secret; the target's side learns what its warning receivers say of locks.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.naming import FadingId, UnitId
from app.engine.secret import Secret
from app.games.gunslingers.model import State
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.radar.holding import Pair, Pairs, holding, without_locks
from app.games.gunslingers.rolled import Thrown

Plan = Mapping[UnitId, tuple[UnitId, ...]]
"""Targets by aircraft."""


class Held(Struct, frozen=True, omit_defaults=True):
    """What a radar holds."""

    contacts: tuple[UnitId, ...] = ()
    locks: tuple[UnitId, ...] = ()


class Try(Struct, frozen=True, omit_defaults=True):
    """A search or a lock-on: by whom, at whom, and the roll; None for what a mode finds without one."""

    aircraft: UnitId
    target: UnitId
    roll: Thrown | None = None

    @property
    def made(self) -> bool:
        """Whether it succeeded."""
        return self.roll is None or self.roll.made


class Shaken(Struct, frozen=True, kw_only=True):
    """A die against a lock: `by` what, and whether it broke. `tracker` is "" for those who don't know who it is."""

    target: UnitId
    by: str
    face: int
    need: int
    tracker: FadingId = ""

    @property
    def broken(self) -> bool:
        """Whether the lock is lost."""
        return self.face <= self.need


class ContactsKept(Fact, frozen=True):
    """What each radar holds on to, by side and aircraft. `answered` are aircraft whose IFF has been heard.

    `silenced` are locks that are lost, by the side whose receivers hear it.
    """

    held: Mapping[str, Secret[Mapping[UnitId, Held]]]
    answered: tuple[UnitId, ...]
    silenced: Mapping[str, Secret[Pairs]]

    @classmethod
    def reveals(cls) -> bool:
        """An answer tells that a transponder is on."""
        return True


class RadarsLook(Fact, frozen=True):
    """Whose radars look this turn and in which mode; and whom they search for, by side.

    A mode is its side's (GS 4.4) until its radar looks: from here on the number of dice tells it anyway.
    """

    looking: Mapping[UnitId, str]
    searches: Mapping[str, Secret[Plan]]

    @classmethod
    def reveals(cls) -> bool:
        """It tells which radars are on."""
        return True


class SearchPlanned(Fact, frozen=True):
    """A side picks whom its radars search for."""

    side: str
    plan: Secret[Plan]


class RadarSearched(Fact, frozen=True):
    """The searches of a side, all dice at once."""

    side: str
    tries: Secret[tuple[Try, ...]]
    held: Secret[Mapping[UnitId, Held]]


class LocksPlanned(Fact, frozen=True):
    """A side picks whom its radars lock on to."""

    side: str
    plan: Secret[Plan]


class LocksTried(Fact, frozen=True):
    """The lock-ons of a side, all dice at once. `warned`: trackers and targets that receivers tell of."""

    side: str
    tries: Secret[tuple[Try, ...]]
    held: Secret[Mapping[UnitId, Held]]
    warned: Secret[Pairs]

    @classmethod
    def reveals(cls) -> bool:
        """Receivers tell."""
        return True


class LocksShaken(Fact, frozen=True):
    """The countermeasures of a side: what they did to locks, as the trackers know it and as receivers tell."""

    side: str
    means: Literal["jammers", "decoys"]
    known: Secret[tuple[Shaken, ...]]
    heard: Secret[tuple[Shaken, ...]]

    @classmethod
    def reveals(cls) -> bool:
        """Receivers tell."""
        return True


class LocksHeard(Fact, frozen=True):
    """In fog, what a side's receivers say of locks that the enemy has just got. They are in force already."""

    side: str
    warned: Secret[Pairs]

    @classmethod
    def reveals(cls) -> bool:
        """Receivers tell."""
        return True


class LocksLost(Fact, frozen=True):
    """In fog, locks of a side that the enemy's countermeasures have just broken."""

    side: str
    lost: Secret[Pairs]

    @classmethod
    def reveals(cls) -> bool:
        """It tells of what the enemy carries."""
        return True


EVENTS: tuple[type[Event], ...] = (
    ContactsKept,
    RadarsLook,
    SearchPlanned,
    RadarSearched,
    LocksPlanned,
    LocksTried,
    LocksShaken,
    LocksHeard,
    LocksLost,
)


def evolve(state: State, event: Event) -> State | None:
    """The position after a fact of this area; None for any other."""
    match event:
        case ContactsKept():
            for secret in event.held.values():
                state = _holding(state, secret)
            return _done(state, "kept")
        case RadarsLook():
            return _done(replace(state, searches=event.searches, locking={}), "looking")
        case SearchPlanned():
            searches = {**state.searches, event.side: event.plan}
            return _done(replace(state, searches=searches), f"plan:{event.side}")
        case RadarSearched():
            return _done(_holding(state, event.held), f"dice:{event.side}")
        case LocksPlanned():
            locking = {**state.locking, event.side: event.plan}
            return _done(replace(state, locking=locking), f"plan:{event.side}")
        case LocksTried():
            state = _done(_holding(state, event.held), f"dice:{event.side}")
            return _noted(state, "heard", event.warned.value or ())
        case LocksShaken():
            lost: list[Pair] = []
            for one in event.known.value or ():
                if one.broken:
                    state = without_locks(state, one.tracker, one.target.__eq__)
                    lost.append(Pair(one.tracker, one.target))
            return _noted(_done(state, event.side), "lost", lost)
        case LocksHeard():
            return _done(state, f"told:{event.side}")
        case LocksLost():
            return _done(state, f"told:{event.side}")
        case _:
            return None


def _done(state: State, key: str) -> State:
    return replace(state, done=(*state.done, key))


def _noted(state: State, what: str, pairs: Iterable[Pair]) -> State:
    """The position with a note of pairs that are still to be told to somebody, in fog."""
    keys = (f"{what}:{tracker}:{target}" for tracker, target in pairs)
    return replace(state, done=(*state.done, *keys)) if state.foggy else state


def noted(state: State, what: str, side: str) -> Pairs:
    """The pairs noted of which a side is told: of locks heard the targets', of those lost the trackers'."""
    found = [key.split(":")[1:] for key in state.done if key.startswith(f"{what}:")]
    return tuple(
        Pair(tracker, target)
        for tracker, target in found
        if state.aircraft[target if what == "heard" else tracker].side == side
    )


def _holding(state: State, secret: Secret[Mapping[str, Held]]) -> State:
    held = secret.value or {}
    return holding(state, {id: (one.contacts, one.locks) for id, one in held.items()})
