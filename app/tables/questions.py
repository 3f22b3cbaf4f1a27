"""Questions: what is open at a table, in a few letters, so that it can be told whether it is still the same.

Belongs here: the mark of an open question. Does not belong here: asking it (app.engine.sequence), who compares
(app.archive.checking).
"""

import hashlib
from typing import Any

from app.engine.sequence import Decision, Roll, Todo, canonical, waiting

FORM = "1"
"""Goes before each mark. Marks of another form can't be compared."""


def mark_of(step: Todo) -> str:
    """The mark of what must happen next: the same as long as the same is asked of the same with the same choices.

    Words do not count: how a question and its options are called, the odds, the rule that is cited.
    """
    asked = [_asked(one) for one in waiting(step)]
    return f"{FORM}:{hashlib.sha256(canonical(asked).encode()).hexdigest()[:32]}"


def _asked(one: Any) -> list[Any]:
    if isinstance(one, Roll):
        return ["roll", one.id, one.seat, one.unit, str(one.pool)]
    if isinstance(one, Decision):
        free = [option.value for option in one.all_options if option.blocked is None]
        return ["decision", one.id, one.seat, one.unit, one.sealed, free, one.schema]
    return ["effect", type(one.event).__name__, one.seat, one.unit]
