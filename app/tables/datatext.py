"""Set-ups as text: written so that people can read it, and read so that every fault has its line.

The text is JSON, the same that POST /api/tables takes as `setup`. TOML, in which scenarios are files, is
turned into it. Does not belong here: what a set-up means (`faults`).
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from app.engine.errors import Illegal
from app.engine.numbers import whole

MOST_TEXT = 65_536
MOST_DEPTH = 20
WIDTH = 240
"""A value that fits into a line of so many characters stands on one."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+|\s+', re.DOTALL)


class BadText(Illegal):
    """Text that is no data. `line` counts from 1; 0: the text as a whole."""

    title = "Not data"

    def __init__(self, detail: str, line: int = 0) -> None:
        super().__init__(f"Line {line}: {detail}" if line else detail)
        self.line = line


@dataclass(frozen=True)
class Read:
    """What a text says: its data, the JSON that says it, and the line of each path ("jets[2].hex")."""

    data: Mapping[str, Any]
    text: str
    lines: Mapping[str, int]

    def line_of(self, path: str) -> int:
        """The line of a path; for something that is missing, that of what it is missing from."""
        while path and path not in self.lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.lines.get(path, 1)


# Writing


def data_text(data: Mapping[str, Any]) -> str:
    """Data as JSON, short values on one line."""
    return _written(data, "", 0) + "\n"


def _written(value: Any, indent: str, before: int) -> str:
    """A value; `before` characters stand before it on its line. The whole is never on one line."""
    line = json.dumps(value, ensure_ascii=False)
    fits = len(indent) + before + len(line) <= WIDTH and indent
    if not isinstance(value, (Mapping, list, tuple)) or not value or (fits and _flat(value)):
        return line
    inner = indent + "  "
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, Any]", value).items()
        keys = [(json.dumps(key, ensure_ascii=False) + ": ", member) for key, member in pairs]
        rows = [key + _written(member, inner, len(key)) for key, member in keys]
    else:
        rows = [_written(member, inner, 0) for member in cast("list[Any]", value)]
    opened, closed = "{}" if isinstance(value, Mapping) else "[]"
    return f"{opened}\n{inner}" + f",\n{inner}".join(rows) + f"\n{indent}{closed}"


def _flat(value: Any) -> bool:
    """Whether a value is no list of structs: each of those has a line of its own."""
    return isinstance(value, Mapping) or not any(
        isinstance(member, (Mapping, list)) for member in value
    )


# Reading


def read_text(text: str) -> Read:
    """The data of a text. Raises BadText, naming the line."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text.encode(errors="replace")) > MOST_TEXT:
        raise BadText(f"A set-up has at most {MOST_TEXT // 1024} KiB of text.")
    if not text.strip():
        raise BadText("Paste the data of a set-up first.")
    if not text.lstrip().startswith(("{", "[", '"')):
        text = _from_toml(text)
    _check_depth(text)
    data = _loaded(text)
    if not isinstance(data, dict):
        raise BadText("A set-up is an object: it begins with { and ends with }.", 1)
    return Read(cast("dict[str, Any]", data), text, _lines(text))


def _from_toml(text: str) -> str:
    try:
        return data_text(tomllib.loads(text))
    except tomllib.TOMLDecodeError as wrong:
        known = re.search(r"at line (\d+)", str(wrong))
        said = "This is no JSON, as it does not begin with {, and no TOML either"
        raise BadText(f"{said}: {wrong}.", int(known[1]) if known else 0) from None
    except (TypeError, ValueError, RecursionError):
        raise BadText("There is something in this TOML that a set-up can't hold.") from None


def _loaded(text: str) -> Any:
    try:
        return whole(json.loads(text, parse_constant=_no_constant))
    except json.JSONDecodeError as wrong:
        raise BadText(f"column {wrong.colno}: {_plainly(wrong.msg)}.", wrong.lineno) from None
    except BadText:
        raise
    except ValueError:  # a number of thousands of digits
        raise BadText("There is a number in this that is too long.") from None


def _plainly(message: str) -> str:
    """What the parser says, for people."""
    for said, meant in _SAID:
        if message.startswith(said):
            return meant
    return message


_SAID = (
    ("Expecting ',' delimiter", "a comma is missing here, or a bracket that closes"),
    ("Expecting ':' delimiter", "a colon is missing here, between a name and its value"),
    ("Expecting property name", 'a name in "double quotes" should be here'),
    ("Illegal trailing comma", "a comma with nothing after it"),
    ("Expecting value", "a value should be here"),
    ("Extra data", "the data has ended before this"),
    ("Unterminated string", "text that begins here has no closing quote"),
    ("Invalid control character", "text can't go on in the next line, nor hold a tab"),
    ("Invalid \\escape", "a backslash in text must be written twice"),
)


def _no_constant(name: str) -> Any:
    raise BadText(f"{name} is no number that a set-up can hold.")


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The pieces of a text with their lines, white space left out."""
    line = 1
    for match in _TOKEN.finditer(text):
        token = match[0]
        if not token.isspace():
            yield token, line
        line += token.count("\n")


def _check_depth(text: str) -> None:
    depth = 0
    for token, line in _tokens(text):
        depth += (token in ("{", "[")) - (token in ("}", "]"))
        if depth > MOST_DEPTH:
            raise BadText(f"brackets stand within brackets more than {MOST_DEPTH} deep.", line)


@dataclass
class _Open:
    """A bracket that is open. `item` counts in a list; in an object it is None, and `names` are its own."""

    path: str
    item: int | None
    key: str | None = None
    names: set[str] = field(default_factory=lambda: set[str]())

    def inner(self) -> str:
        """The path of the value that begins now."""
        if self.item is not None:
            return f"{self.path}[{self.item}]"
        return f"{self.path}.{self.key}" if self.path else str(self.key)


def _lines(text: str) -> dict[str, int]:
    """The line of each path of a text that is JSON. Raises BadText where a name is there twice."""
    lines: dict[str, int] = {}
    stack: list[_Open] = []
    for token, line in _tokens(text):
        top = stack[-1] if stack else None
        if token[0] == '"':
            _check_characters(token, line)
        if token in ("}", "]"):
            stack.pop()
        elif token == ",":
            assert top is not None
            if top.item is None:
                top.key = None
            else:
                top.item += 1
        elif top is not None and top.item is None and top.key is None:
            top.key = name = str(json.loads(token))
            if name in top.names:
                raise BadText(f"{top.inner()} is there twice.", line)
            top.names.add(name)
            lines[top.inner()] = line
        elif token != ":":
            path = top.inner() if top else ""
            lines.setdefault(path, line)
            if token in ("{", "["):
                stack.append(_Open(path, 0 if token == "[" else None))
    return lines


def _check_characters(token: str, line: int) -> None:
    """Half of a surrogate pair: JSON can spell it, no text can hold it."""
    try:
        json.loads(token).encode()
    except UnicodeEncodeError:
        raise BadText("there is a character in this text that can't be kept.", line) from None
