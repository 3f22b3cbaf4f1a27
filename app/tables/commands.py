"""Commands: what all that is done to a table has in common.

Belongs here: in whose name somebody acts, whether the moment is right, that a command is carried out once,
and what it answers. Does not belong here: the commands themselves (playing, takebacks, words, closing).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.errors import NotYourSeat, Stale
from app.engine.log import Entry
from app.engine.secret import Viewer
from app.tables.damage import Damaged
from app.tables.live import Caller, LiveTable, token_hash


@dataclass(frozen=True)
class Done:
    """What a command did: the entries it made and the version after them.

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


def check_open(table: LiveTable, version: int) -> None:
    """Raises Stale when the table has moved on since somebody saw it at `version`, or is over."""
    if version != table.version:
        raise Stale(
            f"The position has changed: the table is at version {table.version}, "
            f"you saw {version}. Look again, then choose."
        )
    if table.finished:
        raise Stale("The game is over.")


def acting_seat(seats: Viewer, table: LiveTable) -> str:
    """The seat in whose name somebody acts about the table. Raises NotYourSeat for a spectator."""
    for seat in table.seats:
        if seat.id in seats:
            return seat.id
    raise NotYourSeat("Only those who have a seat at this table can do that.")


def receipt_of(caller: Caller, key: str | None) -> str | None:
    """A caller's key for a command, as the log keeps it: nobody's key can meet another's."""
    if not key:
        return None
    who = caller.identity or token_hash(caller.seat_token or "")
    return hashlib.sha256(f"{who}\n{key}".encode()).hexdigest()
