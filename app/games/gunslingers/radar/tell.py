"""Log lines of the Air Radar Search and Lock-on Phase (GS-RAD).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.

Each line has two forms: what the side that knows reads, and what all others do.
"""

from collections.abc import Iterable, Mapping, Sequence

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.checks import shown, steps
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
    Shaken,
    Try,
)

Names = Mapping[str, str]


def tell(event: Event, names: Names) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    match event:
        case ContactsKept():
            return Told(_kept(event, names), quiet=not event.answered)
        case RadarsLook():
            radars = ", ".join(
                names[id] if mode == "search" else f"{names[id]} ({mode})"
                for id, mode in event.looking.items()
            )
            return Told(f"Radars that look: {radars}." if radars else "No radar looks.", quiet=True)
        case SearchPlanned():
            return Told(f"{names[event.side]} picks whom its radars search for.", quiet=True)
        case RadarSearched():
            return _tried(
                names, event.side, "radar search", event.tries.value, ("finds", "does not find")
            )
        case LocksPlanned():
            return Told(f"{names[event.side]} decides on lock-ons.", quiet=True)
        case LocksTried():
            return _locked(event, names)
        case LocksShaken():
            return _shaken(event, names)
        case LocksHeard():
            heard = (
                f"{names[target]} is locked on by {who(names, by)}"
                for by, target in event.warned.value or ()
            )
            return Told(f"Radar warning: {'; '.join(heard)}.")
        case LocksLost():
            lost = (
                f"{names[target]} breaks {who(names, by)}'s lock"
                for by, target in event.lost.value or ()
            )
            return Told(f"{'; '.join(lost)}.")
        case _:
            return None


def _kept(event: ContactsKept, names: Names) -> str:
    held = [
        f"{names[id]} holds {_list(names, dict.fromkeys((*one.contacts, *one.locks)))}"
        for secret in event.held.values()
        for id, one in (secret.value or {}).items()
        if one.contacts or one.locks
    ]
    held += [
        f"{names[target]} is no longer locked on by {who(names, by)}"
        for secret in event.silenced.values()
        for by, target in secret.value or ()
    ]
    if event.answered:
        held.append(f"IFF answers: {_list(names, event.answered)}")
    return f"{'; '.join(held)}." if held else "No contact is kept."


def _tried(
    names: Names, side: str, what: str, tries: Sequence[Try] | None, does: tuple[str, str]
) -> Told:
    if not tries:
        own = "nothing to roll for" if tries is not None else "what comes of it is secret"
        return Told(f"{names[side]}: {what}, {own}.", quiet=True)
    said = (f"{names[one.aircraft]} {does[not one.made]} {names[one.target]}" for one in tries)
    rolls = [one.roll for one in tries if one.roll is not None]
    rows = (row for roll in rolls for row in steps(roll))
    return Told(f"{'; '.join(said)}.", shown(roll.face for roll in rolls), tuple(rows))


def _locked(event: LocksTried, names: Names) -> Told:
    if event.warned.value and not event.tries.value:
        heard = (
            f"{names[target]} is locked on by {who(names, by)}" for by, target in event.warned.value
        )
        return Told(f"Radar warning: {'; '.join(heard)}.")
    does = ("locks on to", "does not lock on to")
    return _tried(names, event.side, "lock-ons", event.tries.value, does)


def _shaken(event: LocksShaken, names: Names) -> Told:
    # Who holds both seats reads what the trackers know: it is never less.
    results = event.known.value or event.heard.value
    if not results:
        return Told(f"{names[event.side]} throws its {event.means}' dice.", quiet=True)
    rows = tuple(f"{one.face} rolled, {one.need} or less breaks it ({one.by})" for one in results)
    said = "; ".join(_what(one, names) for one in results)
    return Told(f"{said}.", shown(one.face for one in results), rows)


def _what(one: Shaken, names: Names) -> str:
    does = "breaks" if one.broken else "does not break"
    return f"{names[one.target]}'s {one.by} {does} {who(names, one.tracker)}'s lock"


def who(names: Names, tracker: str) -> str:
    """Whose radar a receiver hears; in fog it may be that of somebody its side knows nothing of."""
    return names[tracker] if tracker else "somebody out of sight"


def _list(names: Names, ids: Iterable[str]) -> str:
    return ", ".join(names[id] for id in ids)
