"""Reading what forms and addresses carry as text: JSON choices, toggles, faces of dice."""

import json
from typing import Any, cast

from app.engine.errors import Illegal


def read_json(text: str) -> Any:
    """A choice. Raises Illegal when it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Illegal("The choice can't be read. Reload the page and choose again.") from None


def read_choice(choice: str, toggles: list[str]) -> Any:
    """An option's value with the members of the toggles that are on; None when none was chosen."""
    value = read_json(choice) if choice else None
    for toggle in toggles:
        more = read_json(toggle)
        if not isinstance(value, dict) or not isinstance(more, dict):
            raise Illegal("Choose one of the options first.")
        value = {**cast("dict[str, Any]", value), **cast("dict[str, Any]", more)}
    return value


def read_face(text: str) -> int:
    """The face of a die thrown by hand. Raises Illegal when it is no number."""
    if not text.strip().isdecimal() or len(text) > 4:
        raise Illegal(f"A die's face is a number; {text[:20]!r} is not.")
    return int(text)
