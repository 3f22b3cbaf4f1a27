"""Commands: what all that is done to a table has in common.

Belongs here: in whose name somebody acts, whether what he answers is still asked, that a command is carried out
once, and what it answers. Does not belong here: the commands themselves (playing, takebacks, words, closing).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.errors import NotYourSeat, Stale
from app.engine.log import Entry, Event, Rewound
from app.engine.secret import Viewer
from app.engine.sequence import (
    Advance,
    Answer,
    Decision,
    Held,
    Todo,
    open_decisions,
    same_question,
    todo,
)
from app.tables.damage import Damaged
from app.tables.live import Caller, LiveTable, token_hash
from app.tables.position import Position


@dataclass(frozen=True)
class Done:
    """What a command did: the entries it made and the number of the last one, as the record counts.

    `asked`: a take-back was not done but asked for. A sealed answer that was kept makes no entry.
    """

    table: LiveTable
    entries: Sequence[Entry]
    version: int
    asked: bool = False


def check_kept(table: LiveTable) -> None:
    """Raises Stale for a table that is no longer the one in memory: nothing may be written from it.

    Raises Damaged for one whose record is.
    """
    if table.damaged:
        raise Damaged
    if table.lost:
        raise Stale("The table was loaded anew meanwhile. Look again, then choose.")


def seen_at(now: Position, seats: Viewer, version: int) -> int:
    """The last moment of the record that the holder of `seats` can have seen as `version`.

    Raises Stale when the game is over, and for a version that there never was.
    """
    if now.finished:
        raise Stale("The game is over.")
    seen = now.seen_since(version, seats)
    if seen is None:
        raise moved_on(now, seats, version)
    return seen


def moved_on(now: Position, seats: Viewer, version: int) -> Stale:
    """That what somebody saw at `version` is not so any more."""
    return Stale(
        f"The position has changed: the table is at version {now.version_for(seats)}, "
        f"you saw {version}. Look again, then choose."
    )


def check_asked(now: Position, seats: Viewer, version: int, given: Answer | Advance) -> None:
    """Raises Stale when what is answered at `version` is not asked any more as it was then, or the game is over.

    What is only said about a table changes no question, nor does what another seat answers to one of its own.
    """
    seen = seen_at(now, seats, version)
    if not _still_asked(now, seen, given):
        raise moved_on(now, seats, version)


def check_asked_since(now: Position, seen: int, given: Answer | Advance) -> None:
    """The same for what was decided at the moment after entry `seen` of the record."""
    if now.finished or not _still_asked(now, seen, given):
        raise Stale("The position has changed since that was decided.")


def _still_asked(now: Position, seen: int, given: Answer | Advance) -> bool:
    if seen >= now.version:
        return True
    between = now.entries[seen:]
    if any(isinstance(entry.event, Rewound) for entry in between):
        return False
    # A roll or an effect that was pending has happened by now, else nothing could have moved.
    asked = _question(now.todo, given)
    before = _question(todo(now.game, now.state_at(seen)), given) if asked else None
    if asked is None or before is None or not same_question(before, asked):
        return False
    # The same words again are another question, when it was answered in between.
    return not any(_may_answer(entry, asked) for entry in between)


def _question(step: Todo, given: Answer | Advance) -> Decision | None:
    """The question that is answered; by playing on, that is the first with only one answer."""
    for decision in open_decisions(step):
        if isinstance(given, Answer):
            if decision.id == given.offer:
                return decision
        elif decision.forced is not None:
            return decision
    return None


def still_held(now: Position, to: int, step: Todo) -> tuple[Held, ...]:
    """The sealed answers that wait on when the table goes back to the moment after entry `to`, where `step` is open.

    Those whose question has stood open since then; all others are asked anew.
    """
    since = now.entries[to:]
    kept: list[Held] = []
    for one in now.held:
        here, there = (_question(todo_, Answer(one.offer)) for todo_ in (now.todo, step))
        same = here is not None and there is not None and same_question(here, there)
        if same and here is not None and not any(_may_answer(entry, here) for entry in since):
            kept.append(one)
    return tuple(kept)


def _may_answer(entry: Entry, asked: Decision) -> bool:
    ours = entry.kind in ("decision", "effect") and entry.cite == asked.cite
    return ours and entry.seat == asked.seat and entry.unit == asked.unit


def acting_seat(seats: Viewer, table: LiveTable) -> str:
    """The seat in whose name somebody acts about the table. Raises NotYourSeat for a spectator."""
    for seat in table.seats:
        if seat.id in seats:
            return seat.id
    raise NotYourSeat("Only those who have a seat at this table can do that.")


def done_before(
    table: LiveTable, receipt: str | None, request: type[Event] | None = None
) -> Done | None:
    """What the command with this receipt did, if it was carried out before.

    `asked` where it came to a `request`. A sealed answer that waits made no entry.
    """
    before = None if receipt is None else table.done_by(receipt)
    if before is None:
        return None
    if not before:
        return Done(table, (), table.version)
    asked = request is not None and isinstance(before[-1].event, request)
    return Done(table, before, before[-1].seq, asked=asked)


def receipt_of(caller: Caller, key: str | None) -> str | None:
    """A caller's key for a command, as the log keeps it: nobody's key can meet another's."""
    if not key:
        return None
    who = caller.identity or token_hash(caller.seat_token or "")
    return hashlib.sha256(f"{who}\n{key}".encode()).hexdigest()
