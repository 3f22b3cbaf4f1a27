"""An answer that is filled in: fields by a decision's JSON Schema, and what was entered as a choice again.

Belongs here: a member of the schema as a field of a form, both ways. Does not belong here: whether an answer is
right (`Decision.read`), requests, set-ups (`setup_form`). Names of form fields are names of members with "own."
before them.

A schema is read as far as answers have needed it: an object of text, whole and other numbers, yes or no, and values
from a list, or one such member by itself. `enum` lists values, `oneOf` values with titles; `format` "hex" is the
label of a place on the board.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from app.engine.errors import Illegal
from app.web.reading import Fields

PREFIX = "own."
MOST_TEXT = 500

Kind = Literal["text", "hex", "whole", "number", "check", "select"]
Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """A field of the form. `value` is what it begins with, "" where it is empty or not ticked.

    `options` are a selection's values and their titles; `step` goes with `least` and `most`, None where there is none.
    """

    name: str
    label: str
    kind: Kind
    value: str
    required: bool
    options: tuple[tuple[str, str], ...] = ()
    least: float | None = None
    most: float | None = None
    step: float | None = None


def fields_of(schema: Schema, start: Any) -> tuple[Field, ...]:
    """The fields of an answer, beginning with an example's values; () where the schema has other things in it."""
    made: list[Field] = []
    for name, member, required in _members(schema):
        kind = _kind(member)
        if kind is None:
            return ()
        value = cast("Schema", start).get(name) if isinstance(start, Mapping) else start
        made.append(
            Field(
                PREFIX + name,
                _label(name, member),
                kind,
                _text(kind, value),
                required and kind != "check" and not _nullable(member),
                _options(member, required=required) if kind == "select" else (),
                member.get("minimum"),
                member.get("maximum"),
                member.get("multipleOf"),
            )
        )
    return tuple(made)


def entered(schema: Schema, form: Fields) -> Any:
    """The choice that was filled in. Raises Illegal, naming the field, for what is no value of its kind."""
    choice: dict[str, Any] = {}
    for name, member, required in _members(schema):
        text = form.text(PREFIX + name, MOST_TEXT, default="").strip()
        if text or _kind(member) == "check":
            choice[name] = _value(member, _label(name, member), text)
        elif _nullable(member):
            choice[name] = None
        elif required:
            raise Illegal(f"{_label(name, member)}: fill this in.")
    return choice if schema.get("type") == "object" else choice.get("")


def _members(schema: Schema) -> Iterator[tuple[str, Schema, bool]]:
    """Name, schema, and whether it must be there; a schema that is no object is its own only member, "" by name."""
    if schema.get("type") != "object":
        yield "", schema, True
        return
    required = schema.get("required", ())
    for name, member in schema["properties"].items():
        yield name, member, name in required


def _kind(member: Schema) -> Kind | None:
    if "enum" in member or "oneOf" in member:
        return "select"
    for one in ("boolean", "integer", "number", "string"):
        if one in _types(member):
            text: Kind = "hex" if member.get("format") == "hex" else "text"
            kinds: dict[str, Kind] = {"boolean": "check", "integer": "whole", "number": "number"}
            return kinds.get(one, text)
    return None


def _types(member: Schema) -> tuple[str, ...]:
    kind = member.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _nullable(member: Schema) -> bool:
    return "null" in _types(member)


def _label(name: str, member: Schema) -> str:
    return member.get("title") or name.replace("_", " ").capitalize() or "Your answer"


def _listed(member: Schema) -> Iterator[tuple[Any, str]]:
    """The values to choose from, with their titles."""
    for value in member.get("enum", ()):
        yield value, str(value)
    for one in member.get("oneOf", ()):
        yield one["const"], one.get("title", str(one["const"]))


def _options(member: Schema, *, required: bool) -> tuple[tuple[str, str], ...]:
    nothing = () if required else (("", "not given"),)
    return (*nothing, *((json.dumps(value), title) for value, title in _listed(member)))


def _text(kind: Kind, value: Any) -> str:
    if value is None or value is False:
        return ""
    if kind == "select":
        return json.dumps(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _value(member: Schema, label: str, text: str) -> Any:
    kind = _kind(member)
    if kind == "select":
        for value, _ in _listed(member):
            if json.dumps(value) == text:
                return value
        raise Illegal(f"{label}: choose from the list.")
    if kind == "check":
        return bool(text)
    if kind not in ("whole", "number"):
        return text
    number = _number(text)
    if number is None or (kind == "whole" and not number.is_integer()):
        raise Illegal(f"{label}: a {'whole ' * (kind == 'whole')}number, not {text[:20]!r}.")
    return int(number) if kind == "whole" else number


def _number(text: str) -> float | None:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
