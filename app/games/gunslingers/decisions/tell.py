"""Log lines of the Aircraft Decisions Phase (GS-DEC).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Iterator, Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.decisions.facts import Decided, Hidden, Shown
from app.games.gunslingers.radar.tell import who


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    if not isinstance(event, Decided):
        return None
    hidden = event.hidden.value or {}
    words = [
        f"{names[id]} {', '.join(said)}"
        for id, shown in event.shown.items()
        if (said := [*_shown(shown, names), *_hidden(hidden.get(id, Hidden()))])
    ]
    words += [
        f"{names[target]} is no longer locked on by {who(names, by)}"
        for by, target in event.silenced.value or ()
    ]
    told = "; ".join(words) or "nothing special"
    return Told(f"{names[event.side]} decides: {told}.", quiet=not words)


def _shown(shown: Shown, names: Mapping[str, str]) -> Iterator[str]:
    if shown.engaged:
        yield "engages missiles"
    if shown.illuminating is not None:
        yield f"illuminates {names[shown.illuminating]}"
    if shown.program_on:
        program = shown.program
        yield f"has its program on ({program.chaff}/{program.flare}/{program.mini})"


def _hidden(hidden: Hidden) -> Iterator[str]:
    """For its own side only."""
    if hidden.iff:
        yield "has IFF on"
    if hidden.radar_mode != "search":
        yield f"has its radar {hidden.radar_mode}"
    if hidden.uncaged:
        yield "has uncaged its seekers"
    if hidden.leaves:
        yield "would leave the fight"
