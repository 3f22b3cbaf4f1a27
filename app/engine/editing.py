"""How people make set-ups of their own: what the set-up page needs to know besides the set-up's type.

Belongs here: words and choices, as data. Does not belong here: forms, or anything of one game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Data = Mapping[str, Any]
"""A set-up as plain data."""


def _no_choices(data: Data) -> Mapping[str, Sequence[tuple[str, str]]]:
    del data
    return {}


@dataclass(frozen=True)
class Editor:
    """What a game says of its set-up's fields. A path is "night" or "jets.altitude".

    Args:
        labels: words for fields by path, where the field's own name does not do.
        choices: for text fields that name something (an aircraft, a seat), by path: value and label.
        added: a list's name and the set-up so far: the next row, fit to be played as it is.
        hidden: paths that are only edited as data.
    """

    labels: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())
    choices: Callable[[Data], Mapping[str, Sequence[tuple[str, str]]]] = _no_choices
    added: Callable[[Data, str], Data] | None = None
    hidden: frozenset[str] = frozenset()
