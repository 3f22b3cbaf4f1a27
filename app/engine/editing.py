"""How people make set-ups of their own: what the set-up page needs to know besides the set-up's type.

Belongs here: words and choices, as data. Does not belong here: forms, or anything of one game.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

Data = Mapping[str, Any]
"""A set-up as plain data. It may be wrong anywhere: people are still typing."""

Choices = Mapping[str, Sequence[tuple[str, str]]]
"""By path, what a field can be: the value as text, and words for it."""


def _no_choices(data: Data) -> Choices:
    del data
    return {}


@dataclass(frozen=True)
class Placed:
    """How the rows of a list stand on the board: which of their fields say so.

    `id` is the id of the unit that a row becomes, `hex` a label such as "0712", `facing` a number from 0.
    """

    id: str = "id"
    hex: str = "hex"
    facing: str | None = "facing"


@dataclass(frozen=True)
class Editor:
    """What a game says of its set-up's fields. A path is "night", "board.rows" or "jets.altitude".

    Args:
        labels: words for fields by path, where the field's own name does not do. "jets" is the list,
            "jets[]" one of it ("jet").
        hints: what a field can be, in a few words, where its type does not tell.
        choices: what fields can be that name something (an aircraft, a seat, a facing), by path.
        added: a list's name, the set-up so far and the number of a row to copy, or None: the next row,
            fit to be played as it is.
        placed: lists whose rows stand on the board.
        hidden: paths that are only edited as data. They are kept as they are.
        rare: fields of rows that are seldom changed, and stand behind a button.
    """

    labels: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    hints: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    choices: Callable[[Data], Choices] = _no_choices
    added: Callable[[Data, str, int | None], Data] | None = None
    placed: Mapping[str, Placed] = field(default_factory=lambda: dict[str, Placed]())
    hidden: frozenset[str] = frozenset()
    rare: frozenset[str] = frozenset()


def members(data: Data, name: str) -> Iterator[Data]:
    """The rows of a list of a set-up, as far as there are any."""
    value = data.get(name)
    if isinstance(value, list | tuple):
        for member in cast("Sequence[Any]", value):
            if isinstance(member, Mapping):
                yield cast("Data", member)


def size(data: Data, name: str, otherwise: int) -> int:
    """The board's "columns" or "rows", where they can be read."""
    board = data.get("board")
    value = cast("Data", board).get(name) if isinstance(board, Mapping) else None
    return value if isinstance(value, int) and 1 <= value <= 99 else otherwise


def free_number(rows: Sequence[Data], side: str, by: str) -> int:
    """The first number that no id or name of a side's rows ends in; `by` is the field that names the side."""
    own = [row for row in rows if row.get(by) == side]
    words = [str(row.get(name, "")) for row in own for name in ("id", "name")]
    ids = {str(row.get("id")) for row in rows}
    taken = {int(found[0]) for word in words if (found := re.search(r"\d{1,3}$", word))}
    number = 1
    while number in taken or f"{side[:18]}-{number}" in ids:
        number += 1
    return number
