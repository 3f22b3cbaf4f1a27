"""Entries: what happened, as the log is to have it.

Belongs here: numbers and times of entries that are not written yet. Does not belong here: writing them
(service), rows (codec).
"""

from collections.abc import Sequence

from app.engine.log import Entry, Event
from app.engine.record import chained
from app.engine.sequence import Happening
from app.tables.live import LiveTable


def entries_for(
    table: LiveTable,
    happenings: Sequence[Happening],
    at: int,
    *,
    command: int | None = None,
    receipt: str | None = None,
) -> list[Entry]:
    """The next entries of a table, for what happened at a time.

    `command` is the seq of the command's first entry (default: of the first of these), `receipt` what
    that one is found by when the command comes again. Sealed answers that open have each their own.
    """
    if any(h.receipt == receipt for h in happenings):
        receipt = None
    first = table.version + 1
    made = [
        Entry(
            seq=first + n,
            at=at,
            turn=h.turn,
            phase=h.phase,
            kind=h.kind,
            event=h.event,
            seat=h.seat,
            unit=h.unit,
            cite=h.cite,
            dice=h.dice,
            command=command or first,
            receipt=h.receipt or (receipt if n == 0 else None),
            choice=h.choice,
        )
        for n, h in enumerate(happenings)
    ]
    return chained(made, table.entries[-1].hash)


def about(table: LiveTable, event: Event, seat: str) -> Happening:
    """What a seat says or does about a table, beside what is played there."""
    state = table.state
    return Happening(event, "table", state.turn, state.phase, seat, None, None)
