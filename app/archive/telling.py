"""Telling: a table as lines of text, for the operator's terminal.

Belongs here: the words and their order. Does not belong here: what a viewer may know (app.tables.looking).
"""

from collections.abc import Iterator

from app.engine.secret import Viewer
from app.tables.live import LiveTable
from app.tables.looking import lines_of, view_of
from app.tables.views import LineView, SeatView

LAST = 12
"""Lines of the log that are told when not all are asked for."""


def told(table: LiveTable, viewer: Viewer, *, whole: bool) -> Iterator[str]:
    """A table as a viewer sees it: its heading, seats, what is to be done, and the last lines or the `whole` log."""
    view = view_of(table, viewer)
    yield f"{view.name}, a table of {table.game.meta.title} ({view.id})"
    moment = "over" if view.finished else f"turn {view.turn}, {view.phase.title or 'not begun'}"
    yield f"{moment.capitalize()}; {view.version} entries, edition {view.edition}, {table.opened.mode}"
    for seat in view.seats:
        yield f"  {seat.label}: {_holder(seat)}{' (to act)' if seat.to_act else ''}"
    yield view.prompt
    yield ""
    lines = lines_of(table, viewer, 0, table.version)
    if not whole and len(lines) > LAST:
        yield f"… {len(lines) - LAST} lines before"
    yield from map(_line, lines if whole else lines[-LAST:])


def _holder(seat: SeatView) -> str:
    return seat.bot or seat.name or ("somebody" if seat.taken else "free")


def _line(line: LineView) -> str:
    name = f"{line.unit_name} " if line.unit_name else ""
    dice = " ".join(str(die.face) for die in line.dice)
    told = f"{line.seq:>5}  {name}{line.text}{f'  [{dice}]' if dice else ''}"
    return f"{told}  (taken back)" if line.struck else told
