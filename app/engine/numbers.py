"""Numbers as JSON means them: `1.0` and `1e0` are the integer 1, `true` is none.

Belongs here: what is done about it, once, for every door: the JSON interface, pages, set-ups as text, the command
line, and an answer that a bot gives. Does not belong here: which numbers are allowed.
"""

from typing import Any, cast

MOST = 2**53
"""From here on a number with a point may stand for several integers, and is left as it is."""


def whole(value: Any) -> Any:
    """The same plain data, each number without a fraction as an integer."""
    if type(value) is float:
        return int(value) if abs(value) < MOST and value.is_integer() else value
    if isinstance(value, dict):
        return {key: whole(one) for key, one in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list):
        return [whole(one) for one in cast("list[Any]", value)]
    return value
