"""What is wrong with a set-up, fault by fault, each with the path of its field.

The checks are those of a table that opens: the set-up's type, and the game's own `start`. Here they are
only asked for all that they find, and in words. Does not belong here: forms, text, lines.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

import msgspec
from msgspec import inspect

from app.engine.errors import Illegal
from app.engine.game import Game
from app.engine.hexes import Board
from app.tables.live import setup_of

MOST_FAULTS = 100
"""Told at once: whoever has more of them begins with these."""

_PATH = re.compile(r"([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*|\[\d+\])*):? +(.+)", re.DOTALL)
_ROW = re.compile(r"([a-z_][a-z0-9_]*)\[(\d+)\](.*)", re.DOTALL)


@dataclass(frozen=True)
class Fault:
    """Something wrong. `path` is "jets[2].altitude", or "" where it is the whole."""

    path: str
    text: str
    cite: str | None = None

    @property
    def row(self) -> tuple[str, int] | None:
        """The list and the number of its row, for a field of a row."""
        match = _ROW.fullmatch(self.path)
        return (match[1], int(match[2])) if match else None


@dataclass(frozen=True)
class Examined:
    """What came of looking at a set-up.

    `state` is where it would begin, `seats` its sides. Where there are faults, they are of what is left
    without the rows at fault, if that can begin; `board` is there even if it can't.
    """

    faults: tuple[Fault, ...]
    state: Any = None
    seats: tuple[Any, ...] = ()
    board: Board | None = None


def examine(game: Game[Any], data: Mapping[str, Any], rulings: Mapping[str, str]) -> Examined:
    """All that can be found wrong with a set-up at once, and what it looks like so far."""
    try:
        settled = game.rulebook.settle(rulings)
    except Illegal as wrong:
        return Examined((Fault("", wrong.detail, wrong.cite),), board=_board(game, data))
    faults = list(islice(type_faults(game, data), MOST_FAULTS))
    while True:
        part, rows = _sound_part(game, data, faults)
        try:
            setup = setup_of(game, part)
            state = game.start(setup, settled)
        except msgspec.ValidationError:  # nothing is left of a list that needs a row
            return Examined(tuple(faults), board=_board(game, part))
        except Illegal as wrong:
            fault = _rule_fault(game, wrong, rows)
            if not faults or fault.row:
                faults.append(fault)
            # Without its row the rules may find more. Any other fault hides what comes after it.
            if not fault.row or faults[:-1].count(fault) or len(faults) >= MOST_FAULTS:
                return Examined(tuple(dict.fromkeys(faults)), board=_board(game, part))
            continue
        seats = game.seats(setup)
        return Examined(tuple(faults), state, seats, game.board(setup))


def _board(game: Game[Any], part: Mapping[str, Any]) -> Board | None:
    """The board of a set-up that has no rows to begin with."""
    sample = next(iter(game.scenarios.values())).setup
    lists = _lists(game, fixed=True) | _lists(game, fixed=False)
    rows = {name: value for name, value in sample.items() if name in lists}
    try:
        return game.board(setup_of(game, {**part, **rows}))
    except (msgspec.ValidationError, Illegal):
        return None


def _sound_part(
    game: Game[Any], data: Mapping[str, Any], faults: Sequence[Fault]
) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """A set-up without the rows at fault, and other fields at fault as in the first scenario.

    Also which rows of each list are left.
    """
    part = dict(data)
    rows: dict[str, list[int]] = {}
    sample = next(iter(game.scenarios.values())).setup
    bad = {fault.row for fault in faults}
    for name in {re.split(r"[.\[]", fault.path)[0] for fault in faults}:
        value = part.get(name)
        by_row = any(row and row[0] == name for row in bad) and name not in _lists(game, fixed=True)
        if isinstance(value, list | tuple) and by_row:
            members = cast("Sequence[Any]", value)
            rows[name] = [n for n in range(len(members)) if (name, n) not in bad]
            part[name] = [members[n] for n in rows[name]]
        elif name in _lists(game, fixed=False) or name not in sample or name not in _fields(game):
            part.pop(name, None)
        else:
            part[name] = sample[name]
    return part, rows


def _fields(game: Game[Any]) -> tuple[str, ...]:
    return game.setup.__struct_fields__


def _lists(game: Game[Any], *, fixed: bool) -> set[str]:
    """The lists of a set-up: those that must have just so many rows, or the others."""
    kind = inspect.type_info(game.setup)
    assert isinstance(kind, inspect.StructType)
    lists = (inspect.VarTupleType, inspect.ListType)
    return {
        one.encode_name
        for one in kind.fields
        if isinstance(one.type, lists)
        and (one.type.min_length == one.type.max_length is not None) == fixed
    }


def _rule_fault(game: Game[Any], wrong: Illegal, rows: Mapping[str, Sequence[int]]) -> Fault:
    """What the game refuses, with the path that its words begin with."""
    match = _PATH.fullmatch(wrong.detail)
    if match is None or re.split(r"[.\[]", match[1])[0] not in _fields(game):
        return Fault("", wrong.detail, wrong.cite)
    row = _ROW.fullmatch(match[1])
    path = match[1]
    if row and row[1] in rows and int(row[2]) < len(rows[row[1]]):
        path = f"{row[1]}[{rows[row[1]][int(row[2])]}]{row[3]}"
    return Fault(path, match[2], wrong.cite)


# Types


def type_faults(game: Game[Any], data: Mapping[str, Any]) -> Iterator[Fault]:
    """Where data does not fit the set-up's type. None where msgspec takes it."""
    try:
        setup_of(game, data)
    except msgspec.ValidationError as error:
        found = list(_walk(inspect.type_info(game.setup), data, ""))
        yield from found or [_as_said(str(error))]


def _as_said(error: str) -> Fault:
    """What msgspec says of a type that has no words here."""
    text, _, path = error.partition(" - at `")
    return Fault(path.removesuffix("`").removeprefix("$").removeprefix("."), f"{text}.")


def _walk(kind: inspect.Type, value: Any, path: str) -> Iterator[Fault]:
    match kind:
        case inspect.Metadata():
            yield from _walk(kind.type, value, path)
        case inspect.StructType():
            yield from _walk_struct(kind, value, path)
        case inspect.VarTupleType() | inspect.ListType():
            yield from _walk_list(kind, value, path)
        case inspect.UnionType():
            given = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
            if value is not None and len(given) == 1:
                yield from _walk(given[0], value, path)
        case _:
            if text := _wrong(kind, value):
                yield Fault(path, text)


def _walk_struct(kind: inspect.StructType, value: Any, path: str) -> Iterator[Fault]:
    if not isinstance(value, Mapping):
        yield Fault(path, f"must be an object with fields; not {_short(value)}.")
        return
    members = cast("Mapping[str, Any]", value)
    known = {one.encode_name: one for one in kind.fields}
    for name in members:
        if name not in known and kind.forbid_unknown_fields:
            yield Fault(_join(path, name), f"no such field here; there are {', '.join(known)}.")
    for name, one in known.items():
        if name in members:
            yield from _walk(one.type, members[name], _join(path, name))
        elif one.required:
            yield Fault(_join(path, name), "is missing.")


def _walk_list(
    kind: inspect.VarTupleType | inspect.ListType, value: Any, path: str
) -> Iterator[Fault]:
    if not isinstance(value, list | tuple):
        yield Fault(path, f"must be a list; not {_short(value)}.")
        return
    members = cast("Sequence[Any]", value)
    if not _between(len(members), kind.min_length, kind.max_length):
        many = _range(kind.min_length, kind.max_length)
        yield Fault(path, f"can have {many} rows; not {len(members)}.")
    for n, member in enumerate(members):
        yield from _walk(kind.item_type, member, f"{path}[{n}]")


def _wrong(kind: inspect.Type, value: Any) -> str | None:
    """What is wrong with one value, in words; None when nothing is, or when there are no words."""
    match kind:
        case inspect.IntType():
            low, high = _bounds(kind)
            if value == "":
                return "is empty; it must be a whole number."
            if type(value) is not int:
                return f"must be a whole number; not {_short(value)}."
            if not _between(value, low, high):
                return f"can be {_range(low, high)}; not {value}."
        case inspect.BoolType() if type(value) is not bool:
            return f"can be true or false; not {_short(value)}."
        case inspect.LiteralType() if not any(
            type(one) is type(value) and one == value for one in kind.values
        ):
            return f"can be {', '.join(map(str, kind.values))}; not {_short(value)}."
        case inspect.StrType():
            return _wrong_text(kind, value)
        case _:
            pass
    return None


def _wrong_text(kind: inspect.StrType, value: Any) -> str | None:
    if not isinstance(value, str):
        return f"must be text; not {_short(value)}."
    if not _between(len(value), kind.min_length, kind.max_length):
        many = _range(kind.min_length, kind.max_length)
        return f"can have {many} characters; not {len(value)}."
    if kind.pattern and not re.search(kind.pattern, value):
        return f"can't be {_short(value)}: it must fit the pattern {kind.pattern}"
    return None


def _bounds(kind: inspect.IntType) -> tuple[int | None, int | None]:
    low = kind.ge if kind.gt is None else kind.gt + 1
    high = kind.le if kind.lt is None else kind.lt - 1
    return low, high


def _between(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _range(low: int | None, high: int | None) -> str:
    if low is None or high is None:
        return f"at least {low}" if high is None else f"at most {high}"
    return str(low) if low == high else f"{low} to {high}"


def _short(value: Any) -> str:
    """A wrong value as it is shown: not all of it, if it is long."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    shown = "null" if value is None else str(value).lower() if type(value) is bool else repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
