"""History: how high and how fast each unit was, turn by turn, when a game is over.

Belongs here: numbers read off one fold of the log, through the same redacted states and units that the
page shows, so that it holds for every game. Does not belong here: how they are drawn (app.web.charts),
and what dice did (luck).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from app.engine.game import UnitView
from app.engine.log import PhaseBegan
from app.engine.secret import Viewer, redact
from app.engine.sequence import GameState
from app.tables.live import LiveTable
from app.tables.position import Position


class TurnPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit at the end of a turn; turn 0 is the start. What it has no value of then is left out."""

    turn: int
    altitude: int | None = None
    speed: float | None = None


class UnitLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit over the turns in which it was in play.

    `left` is the turn in which it went out for the last time, `cause` why in a word or two; a turn
    that is missing between others is one that it spent off the board.
    """

    id: str
    name: str
    seat: str
    points: tuple[TurnPoint, ...]
    left: int | None = None
    cause: str = ""


class Timeline(msgspec.Struct, frozen=True):
    """All units of the set-up that have an altitude or a speed, from turn 0 to the last one, `turns`.

    What they launch has no line: a missile lives for a turn or two, and there are many.
    """

    turns: int
    units: tuple[UnitLine, ...]


def timeline(table: LiveTable, viewer: Viewer) -> Timeline:
    """How the game went, as a viewer may see it. Worked out once a finished table and viewer."""
    key = ("timeline", viewer)
    known: Timeline | None = table.accounts.get(key)
    if known is None:
        known = _timeline(table.position, viewer)
        if table.finished:
            table.accounts[key] = known
    return known


def _timeline(table: Position, viewer: Viewer) -> Timeline:
    last: GameState = table.state
    sampled = [(turn, _seen(table, viewer, state)) for turn, state in _ends_of_turns(table)]
    fates = {fate.unit: fate.cause for fate in table.game.fates(table.seen_state(viewer))}
    ids = dict.fromkeys(unit for _, units in sampled for unit in units if unit in table.names)
    lines = (_line(table, unit, sampled, fates) for unit in ids)
    return Timeline(last.turn, tuple(line for line in lines if line is not None))


def _ends_of_turns(table: Position) -> Iterator[tuple[int, GameState]]:
    """The state at the end of each turn, turn 0 being the set-up, by one fold."""
    state: GameState | None = None
    for before, entry, after in table.course():
        if isinstance(entry.event, PhaseBegan) and after.turn != before.turn:
            yield before.turn, before
        state = after
    if state is not None:
        yield state.turn, state


def _seen(table: Position, viewer: Viewer, state: GameState) -> dict[str, UnitView]:
    seen = table.game.view(redact(state, viewer), viewer)
    return {unit.id: unit for unit in table.game.units(seen, viewer)}


def _line(
    table: Position,
    unit: str,
    sampled: Sequence[tuple[int, Mapping[str, UnitView]]],
    fates: Mapping[str, str],
) -> UnitLine | None:
    """A unit's line; None for one that has neither altitude nor speed."""
    points: list[TurnPoint] = []
    last: UnitView | None = None
    for turn, units in sampled:
        seen = units.get(unit)
        last = seen or last
        if seen is not None and _in_play(table, seen):
            points.append(TurnPoint(turn, seen.altitude, seen.speed))
    if last is None or all(p.altitude is None and p.speed is None for p in points):
        return None
    over = sampled[-1][0]
    stayed = points[-1].turn == over
    cause = "" if stayed else fates.get(unit) or _last_word(sampled, unit)
    left = None if stayed else points[-1].turn + 1
    return UnitLine(unit, last.name, last.seat, tuple(points), left, cause)


def _in_play(table: Position, unit: UnitView) -> bool:
    """Whether a unit is somewhere: on the board, or where there is none, anywhere with a number."""
    if table.board is not None:
        return unit.hex is not None
    return unit.altitude is not None or unit.speed is not None


def _last_word(sampled: Sequence[tuple[int, Mapping[str, Any]]], unit: str) -> str:
    """What the game says of a unit that is out; "gone" for one that it shows no more."""
    seen: UnitView | None = sampled[-1][1].get(unit)
    return seen.states[-1] if seen is not None and seen.states else "gone"
