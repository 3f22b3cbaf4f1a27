"""Reading what forms and addresses carry as text: JSON choices, toggles, faces of dice."""

import json
from typing import Any, cast
from urllib.parse import parse_qs

from starlette.requests import Request

from app.engine.errors import Illegal
from app.engine.numbers import whole

MOST_FIELDS = 200
MOST_WHOLE = 2**31


class Fields:
    """The fields of a form. Raises Illegal, naming the field, where one is missing or malformed."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def all(self, name: str) -> list[str]:
        """Every value of a field that may be there several times."""
        return self._fields.get(name, [])

    def text(self, name: str, most: int, default: str | None = None) -> str:
        """A field of at most so many characters."""
        values = self._fields.get(name)
        if not values:
            if default is None:
                raise Illegal(f"{name}: this field is missing.")
            return default
        if len(values[-1]) > most:
            raise Illegal(f"{name}: at most {most} characters.")
        return values[-1]

    def whole(self, name: str) -> int:
        """A whole number from 0."""
        text = self.text(name, 10)
        if not (text.isascii() and text.isdecimal()) or int(text) > MOST_WHOLE:
            raise Illegal(f"{name}: a whole number from 0, not {text!r}.")
        return int(text)


async def read_form(request: Request) -> Fields:
    """A form as a page sends it. Raises Illegal for any other body."""
    return Fields(await read_fields(request, MOST_FIELDS))


async def read_fields(request: Request, most: int) -> dict[str, list[str]]:
    """The values of each field of a form of at most so many. Raises Illegal for any other body."""
    kind = request.headers.get("content-type", "")
    if not kind.startswith("application/x-www-form-urlencoded"):
        raise Illegal("Send a form, as the page does.")
    try:
        text = (await request.body()).decode()
        return parse_qs(text, keep_blank_values=True, max_num_fields=most)
    except ValueError:
        raise Illegal("This form can't be read.") from None


def read_json(text: str) -> Any:
    """A choice. Raises Illegal when it is not JSON."""
    try:
        return whole(json.loads(text))
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
