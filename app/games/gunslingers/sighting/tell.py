"""Log lines of the Visual Sighting Phase (GS-VIS).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Iterable, Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.checks import at_most, shown, steps
from app.games.gunslingers.flight.energy import POWER_NAMES
from app.games.gunslingers.flight.flight_types import flown_in
from app.games.gunslingers.model import Seen
from app.games.gunslingers.sighting.facts import (
    Identified,
    Looked,
    LostFromSight,
    Padlocked,
    Searched,
    Sighted,
    TrailsSeen,
    WatchSet,
)

Names = Mapping[str, str]


def tell(event: Event, names: Names) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    match event:
        case TrailsSeen():
            who = _list(names, event.aircraft) or "none"
            return Told(f"Smoke trails: {who}.", quiet=True)
        case WatchSet() if not (event.watch.searchers or event.watch.padlocks):
            return Told(f"{names[event.side]} has nobody to look for.", quiet=True)
        case WatchSet():
            return Told(f"{names[event.side]} sets its watch: {_watch(event, names)}.", quiet=True)
        case Padlocked() if not event.padlocks:
            return Told("Nobody is padlocked.", quiet=True)
        case Padlocked():
            pairs = (f"{_name(names, by)} {_name(names, id)}" for id, by in event.padlocks.items())
            return Told(f"Padlocks: {', '.join(pairs)}.", quiet=True)
        case LostFromSight():
            return Told(
                f"Out of sight until found again: {_list(names, event.targets)}.", quiet=True
            )
        case Searched():
            return _searched(event, names)
        case Looked():
            return _looked(event, names)
        case Sighted():
            return Told(f"{names[event.side]} sights {_list(names, event.targets)}.")
        case Identified():
            found = (
                f"{names[side]} identifies {_list(names, targets)}"
                for side, targets in event.targets.items()
                if targets
            )
            return Told(f"{'; '.join(found)}.")
        case _:
            return None


def _searched(event: Searched, names: Names) -> Told:
    who, whom = _name(names, event.searcher), _name(names, event.target)
    does = "sees" if event.roll.made else "does not see"
    how = " by VAS" if event.by_vas else ""
    flown = event.shows.value if event.shows else None
    manner = f", {_flown(flown)}" if flown else ""
    return Told(f"{who} {does} {whom}{how}{manner}.", shown((event.roll.face,)), steps(event.roll))


def _looked(event: Looked, names: Names) -> Told:
    """What came of each search that its side may be told of; the other dice count for nobody whom it knows."""
    lines = [_searched(look, names) for look in event.looks.value or ()]
    if not lines:
        return Told(f"{names[event.side]} looks out, and sees nobody new.", quiet=True)
    dice = tuple(die for line in lines for die in line.dice)
    rows = tuple(row for line in lines for row in line.steps)
    return Told(" ".join(line.text for line in lines), dice, rows)


def _flown(flown: Seen) -> str:
    """How an aircraft has flown that is seen: "in level flight at speed 5.5, military power"."""
    kind, power = flown_in(flown.flight_type), POWER_NAMES[flown.power]
    return f"in {kind} at speed {flown.speed:g}, {power}"


def _watch(event: WatchSet, names: Names) -> str:
    watch = event.watch
    padlocks = (
        f"{_name(names, by)} padlocks {_name(names, id)}" for id, by in watch.padlocks.items()
    )
    searches = (
        f"{_name(names, by)} looks for {_name(names, id)} ({_need(event, id)})"
        for id, by in watch.searchers.items()
        if id not in watch.padlocks
    )
    return ", ".join((*padlocks, *searches))


def _need(event: WatchSet, target: str) -> str:
    return at_most(event.needs[target]) if target in event.needs else "no die would do"


def _list(names: Names, ids: Iterable[str]) -> str:
    return ", ".join(_name(names, id) for id in ids)


def _name(names: Names, id: str) -> str:
    """A unit's name; missiles have none of their own."""
    return names.get(id, "a missile")
