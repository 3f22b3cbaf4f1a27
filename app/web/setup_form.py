"""A set-up as a form: its fields by the set-up's type, and what was typed as data again.

Belongs here: shapes and widgets, as plain values for templates. Does not belong here: whether a set-up is
right (`app.tables.faults`), requests, or anything of one game. Names of form fields are paths in the data
with "s." before them: `s.turns`, `s.board.rows`, `s.jets[2].altitude`.
"""

import json
import re
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, cast

import msgspec
from msgspec import inspect

from app.engine.editing import Choices, Data, Editor, Placed
from app.engine.errors import Illegal
from app.engine.game import Game
from app.engine.numbers import whole
from app.tables.faults import Fault

PREFIX = "s."
MOST_ROWS = 200
NAMES = ("name", "label", "title", "id")
"""What a row may be called by, the best first."""

Kind = Literal["text", "number", "check", "select", "data"]
Sent = Mapping[str, Sequence[str]]
"""A form as it was sent: each name's values."""

_LISTS = (inspect.VarTupleType, inspect.ListType)
_NO_EDITOR = Editor()


# Shapes


@dataclass(frozen=True)
class Spec:
    """A field of the set-up, or of a list's rows. `path` is whole, `keys` lead to it from there.

    `options` are the values of a type that has only a few. `default` is None where there is none.
    """

    path: str
    keys: tuple[str, ...]
    label: str
    kind: Kind
    type: inspect.Type
    optional: bool
    default: Any
    options: tuple[tuple[str, str], ...] = ()
    rare: bool = False


@dataclass(frozen=True)
class Rows:
    """A list of structs. `one` is the word for one of it."""

    path: str
    label: str
    one: str
    columns: tuple[Spec, ...]
    least: int
    most: int
    placed: Placed | None


@dataclass(frozen=True)
class Shape:
    """A game's set-up: fields first, then lists, each in the order of the type."""

    editor: Editor
    fields: tuple[Spec, ...]
    lists: tuple[Rows, ...]


def shape_of(game: Game[Any]) -> Shape:
    """The shape of a game's set-ups. Without an editor all of it is data."""
    kind = inspect.type_info(game.setup)
    assert isinstance(kind, inspect.StructType)
    editor = game.editor or _NO_EDITOR
    fields: list[Spec] = []
    lists: list[Rows] = []
    for one in kind.fields:
        hidden = game.editor is None or one.encode_name in editor.hidden
        row = one.type.item_type if isinstance(one.type, _LISTS) else None
        if isinstance(row, inspect.StructType) and not hidden:
            lists.append(_rows(editor, one, row))
        elif hidden:
            fields.append(_data(one, one.encode_name, (one.encode_name,), ""))
        else:
            fields += _specs(editor, kind.cls, one, (), "")
    return Shape(editor, tuple(fields), tuple(lists))


def _rows(editor: Editor, of: inspect.Field, row: inspect.StructType) -> Rows:
    path = of.encode_name
    assert isinstance(of.type, _LISTS)
    columns = [spec for one in row.fields for spec in _specs(editor, row.cls, one, (), path)]
    label = editor.labels.get(path, _words(path))
    return Rows(
        path,
        label,
        editor.labels.get(f"{path}[]", "row"),
        tuple(columns),
        of.type.min_length or 0,
        min(of.type.max_length or MOST_ROWS, MOST_ROWS),
        editor.placed.get(path),
    )


def _specs(
    editor: Editor, cls: type, one: inspect.Field, above: tuple[str, ...], within: str
) -> Iterator[Spec]:
    """A field's own spec, or those of the struct that it holds."""
    keys = (*above, one.encode_name)
    path = ".".join((within, *keys) if within else keys)
    label = editor.labels.get(path, ", ".join(map(_words, keys)))
    kind, optional = _plain(one.type)
    if path in editor.hidden:
        yield _data(one, path, keys, label)
    elif isinstance(kind, inspect.StructType) and not optional:
        for inner in kind.fields:
            yield from _specs(editor, kind.cls, inner, keys, within)
    else:
        shown = _kind(kind)
        options = _options(cls, one) if isinstance(kind, inspect.LiteralType) else ()
        rare = path in editor.rare
        yield Spec(path, keys, label, shown, kind, optional, _default(one), options, rare)


def _data(one: inspect.Field, path: str, keys: tuple[str, ...], label: str) -> Spec:
    return Spec(path, keys, label or _words(path), "data", one.type, True, _default(one))


def _plain(kind: inspect.Type) -> tuple[inspect.Type, bool]:
    """A type without "or None", and whether it can be None."""
    if isinstance(kind, inspect.UnionType):
        given = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        if len(given) == 1:
            return given[0], True
    return kind, False


def _kind(kind: inspect.Type) -> Kind:
    match kind:
        case inspect.StrType():
            return "text"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "check"
        case inspect.LiteralType():
            return "select"
        case _:
            return "data"


def _options(cls: type, one: inspect.Field) -> tuple[tuple[str, str], ...]:
    """The values of a Literal in the order in which they are written; the type's info sorts them."""
    hint = typing.get_type_hints(cls)[one.name]
    return tuple((str(value), str(value).replace("_", " ")) for value in _literals(hint))


def _literals(hint: Any) -> Iterator[Any]:
    origin = typing.get_origin(hint)
    if origin is Literal:
        yield from typing.get_args(hint)
    elif origin is typing.Union or isinstance(hint, UnionType):
        for one in typing.get_args(hint):
            yield from _literals(one)


def _default(one: inspect.Field) -> Any:
    """A field's default as plain data; None where it has none."""
    if one.default_factory is not msgspec.NODEFAULT:
        return json.loads(msgspec.json.encode(one.default_factory()))
    if one.default is not msgspec.NODEFAULT:
        return json.loads(msgspec.json.encode(one.default))
    return None


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


# Reading


def read(shape: Shape, sent: Sent) -> dict[str, Any]:
    """What was typed, as data. What is no number stays text, so that nothing typed is lost.

    Raises Illegal for a form that the page did not make.
    """
    data: dict[str, Any] = {}
    for spec in shape.fields:
        _put(data, spec, _typed(spec, sent, PREFIX + spec.path))
    for rows in shape.lists:
        count = sent.get(f"{PREFIX}{rows.path}", ["0"])[-1]
        if not re.fullmatch(r"\d{1,3}", count, re.ASCII) or int(count) > MOST_ROWS:
            raise Illegal("This form can't be read. Reload the page.")
        made: list[dict[str, Any]] = [{} for _ in range(int(count))]
        for n, row in enumerate(made):
            for spec in rows.columns:
                name = f"{PREFIX}{rows.path}[{n}].{'.'.join(spec.keys)}"
                _put(row, spec, _typed(spec, sent, name))
        data[rows.path] = made
    return data


_ABSENT = object()


def _typed(spec: Spec, sent: Sent, name: str) -> Any:
    if spec.kind == "check":
        return name in sent
    if name not in sent:
        return _ABSENT
    text = sent[name][-1]
    if spec.kind == "data":
        try:
            return whole(json.loads(text))
        except (ValueError, RecursionError):
            raise Illegal("This form can't be read. Reload the page.") from None
    if not text.strip() and spec.optional:
        return None
    return _value(spec.type, text)


def _value(kind: inspect.Type, text: str) -> Any:
    """Text as a value of a type, if it can be one."""
    match kind:
        case inspect.IntType() if re.fullmatch(r"\s*[+-]?\d{1,15}\s*", text, re.ASCII):
            return int(text)
        case inspect.FloatType() if re.fullmatch(
            r"\s*[+-]?\d{1,15}(\.\d{1,15})?\s*", text, re.ASCII
        ):
            return float(text)
        case inspect.LiteralType():
            return next((value for value in kind.values if str(value) == text), text)
        case _:
            return text


def _put(data: dict[str, Any], spec: Spec, value: Any) -> None:
    """Put a value where it belongs. What need not be said is left out: the data stays short."""
    needless = spec.optional or spec.rare
    if value is _ABSENT or (needless and value == spec.default):
        return
    for key in spec.keys[:-1]:
        data = data.setdefault(key, {})
    data[spec.keys[-1]] = value


def tidy(shape: Shape, data: Data) -> dict[str, Any]:
    """Data as the form would give it back: without what need not be said."""
    made: dict[str, Any] = {}
    for spec in shape.fields:
        _put(made, spec, _get(data, spec.keys, _ABSENT))
    for rows in shape.lists:
        listed: list[dict[str, Any]] = []
        for member in members(data, rows.path):
            row: dict[str, Any] = {}
            for spec in rows.columns:
                _put(row, spec, _get(member, spec.keys, _ABSENT))
            listed.append(row)
        if rows.path in data:
            made[rows.path] = listed
    return made


def members(data: Data, path: str) -> list[Data]:
    """The rows of a list that are rows."""
    value = data.get(path)
    if not isinstance(value, list | tuple):
        return []
    return [row for row in cast("Sequence[Any]", value) if isinstance(row, Mapping)]


def _get(data: Any, keys: Sequence[str], otherwise: Any) -> Any:
    for key in keys:
        if not isinstance(data, Mapping) or key not in data:
            return otherwise
        data = cast("Data", data)[key]
    return data


# Changing rows


def change(shape: Shape, data: dict[str, Any], do: str) -> str:
    """Add, copy, remove or move a row: "add:jets", "remove:jets:2".

    Returns the id of the element where one goes on: a new row's first field, or the button again.

    Raises Illegal for anything that the page does not offer.
    """
    what, path, number = ([*do.split(":"), "", ""])[:3]
    rows = next((one for one in shape.lists if one.path == path), None)
    if rows is None:
        raise Illegal("This form can't be read. Reload the page.")
    listed = list(members(data, path))
    n = int(number) if re.fullmatch(r"\d{1,3}", number, re.ASCII) else -1
    if what == "add" or (what == "copy" and 0 <= n < len(listed)):
        n = _add(shape, rows, data, listed, n if what == "copy" else None)
        what = next((".".join(one.keys) for one in rows.columns if one.kind != "data"), "")
    elif not 0 <= n < len(listed):
        raise Illegal("This form can't be read. Reload the page.")
    elif what == "remove":
        del listed[n]
        n = min(n, len(listed) - 1)
    elif what in ("up", "down"):
        to = max(0, min(n + (1 if what == "down" else -1), len(listed) - 1))
        listed.insert(to, listed.pop(n))
        n = to
        if n in (0, len(listed) - 1):  # the button that was pressed goes no further
            what = "down" if n == 0 else "up"
    data[path] = listed
    return element_id(f"{path}[{n}].{what}" if listed else f"{path}.add")


def _add(shape: Shape, rows: Rows, data: Data, listed: list[Data], like: int | None) -> int:
    """Put a row behind the one to copy, else at the end; its number."""
    if len(listed) >= rows.most:
        raise Illegal(f"{rows.label}: at most {rows.most}.")
    if shape.editor.added is not None:
        row = shape.editor.added(data, rows.path, like)
    elif listed:
        row = dict(listed[-1 if like is None else like])
    else:
        row = {spec.keys[-1]: spec.default for spec in rows.columns if len(spec.keys) == 1}
    at = len(listed) if like is None else like + 1
    listed.insert(at, row)
    return at


# Showing


@dataclass(frozen=True)
class Widget:
    """A place to type. `role` says what a script may set by the board: "hex" or "facing"."""

    id: str
    name: str
    label: str
    kind: Kind
    value: str
    checked: bool = False
    options: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    length: int | None = None
    hint: str = ""
    faults: tuple[str, ...] = ()
    role: str = ""
    wide: bool = False


@dataclass(frozen=True)
class RowView:
    """A row. `faults` are those of its fields and its own, each with the field's label."""

    id: str
    unit: str
    title: str
    widgets: tuple[Widget, ...]
    rare: tuple[Widget, ...]
    hidden: tuple[Widget, ...]
    faults: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RowsView:
    """A list as a table."""

    id: str
    path: str
    name: str
    label: str
    one: str
    heads: tuple[str, ...]
    rows: tuple[RowView, ...]
    grows: bool
    shrinks: bool
    fixed: bool
    faults: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """A fault in the summary: where, in words, and the element to go to, "" when it has none."""

    where: str
    text: str
    to: str
    cite: str | None


@dataclass(frozen=True)
class FormView:
    """All of a set-up's fields with what is in them and what is wrong with it."""

    fields: tuple[Widget, ...]
    hidden: tuple[Widget, ...]
    lists: tuple[RowsView, ...]
    told: tuple[Told, ...]


def form_view(shape: Shape, data: Data, faults: Sequence[Fault]) -> FormView:
    """The form of a set-up."""
    choices = shape.editor.choices(data)
    by_path: dict[str, list[str]] = {}
    for fault in faults:
        by_path.setdefault(fault.path, []).append(fault.text)
    widgets = [_widget(shape, spec, data, spec.path, choices, by_path) for spec in shape.fields]
    lists = tuple(_rows_view(shape, rows, data, choices, by_path) for rows in shape.lists)
    told = tuple(_told(shape, data, fault) for fault in faults)
    return FormView(
        tuple(widget for widget in widgets if widget.kind != "data"),
        tuple(widget for widget in widgets if widget.kind == "data" and widget.value),
        lists,
        told,
    )


def _rows_view(
    shape: Shape, rows: Rows, data: Data, choices: Choices, by_path: Mapping[str, list[str]]
) -> RowsView:
    listed = members(data, rows.path)
    shown = [spec for spec in rows.columns if spec.kind != "data" and not spec.rare]
    return RowsView(
        element_id(rows.path),
        rows.path,
        PREFIX + rows.path,
        rows.label,
        rows.one,
        tuple(spec.label for spec in shown),
        tuple(_row(shape, rows, n, row, choices, by_path) for n, row in enumerate(listed)),
        len(listed) < rows.most,
        len(listed) > rows.least,
        rows.least == rows.most,
        tuple(by_path.get(rows.path, ())),
    )


def _row(
    shape: Shape,
    rows: Rows,
    n: int,
    row: Data,
    choices: Choices,
    by_path: Mapping[str, list[str]],
) -> RowView:
    start = f"{rows.path}[{n}]"
    made = [
        (spec, _widget(shape, spec, row, f"{start}.{'.'.join(spec.keys)}", choices, by_path, rows))
        for spec in rows.columns
    ]
    labels = {f"{start}.{'.'.join(spec.keys)}": spec.label for spec in rows.columns}
    faults = [
        (labels.get(path, path.removeprefix(f"{start}.") if path != start else ""), text)
        for path, texts in by_path.items()
        if path == start or path.startswith(f"{start}.")
        for text in texts
    ]
    unit = row.get(rows.placed.id, "") if rows.placed else ""
    return RowView(
        element_id(start),
        str(unit),
        row_title(rows, n, row),
        tuple(w for spec, w in made if w.kind != "data" and not spec.rare),
        tuple(w for spec, w in made if w.kind != "data" and spec.rare),
        tuple(w for _, w in made if w.kind == "data" and w.value),
        tuple(faults),
    )


def row_title(rows: Rows, n: int, row: Data) -> str:
    """What a row is called: its name, else its number."""
    for name in NAMES:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return f"{rows.one} {n + 1}"


def _widget(
    shape: Shape,
    spec: Spec,
    data: Data,
    path: str,
    choices: Choices,
    by_path: Mapping[str, list[str]],
    rows: Rows | None = None,
) -> Widget:
    value = _get(data, spec.keys, _ABSENT)
    if value is _ABSENT:
        value = None if spec.kind == "data" else spec.default
    bounds = _bounds(spec.type)
    text = _text(spec, value)
    kind, options = _choice(spec, choices, text)
    role = _role(spec, rows)
    return Widget(
        element_id(path),
        PREFIX + path,
        spec.label,
        kind,
        text,
        value is True,
        options,
        *bounds,
        spec.type.max_length if isinstance(spec.type, inspect.StrType) else None,
        shape.editor.hints.get(spec.path, ""),
        tuple(by_path.get(path, ())),
        role,
        kind == "text" and not role and not _short(spec),
    )


def _choice(spec: Spec, choices: Choices, text: str) -> tuple[Kind, tuple[tuple[str, str], ...]]:
    """Whether a field is chosen from a list, and what is in it: also what it has now, if unknown."""
    options = tuple(choices.get(spec.path, ())) or spec.options
    if not options or spec.kind == "data":
        return spec.kind, ()
    if all(value != text for value, _ in options):
        options = ((text, f"{text} (not known)" if text else "choose"), *options)
    return "select", options


def _text(spec: Spec, value: Any) -> str:
    if spec.kind == "data":
        return "" if value is None else json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, list | Mapping):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _bounds(kind: inspect.Type) -> tuple[int | None, int | None]:
    if not isinstance(kind, inspect.IntType):
        return None, None
    low = kind.ge if kind.gt is None else kind.gt + 1
    return low, kind.le if kind.lt is None else kind.lt - 1


def _role(spec: Spec, rows: Rows | None) -> str:
    if rows is None or rows.placed is None or len(spec.keys) > 1:
        return ""
    roles = {rows.placed.hex: "hex", rows.placed.facing: "facing"}
    return roles.get(spec.path.rpartition(".")[2], "")


def _short(spec: Spec) -> bool:
    most = spec.type.max_length if isinstance(spec.type, inspect.StrType) else None
    return most is not None and most <= 60


def element_id(path: str) -> str:
    """A path as the id of an element."""
    return "f-" + re.sub(r"[^a-z0-9_]+", "-", path.lower()).strip("-")


def _told(shape: Shape, data: Data, fault: Fault) -> Told:
    """A fault in words: "Red 1, altitude"."""
    words, known = where(shape, data, fault.path)
    return Told(words, fault.text, element_id(fault.path) if known else "", fault.cite)


def where(shape: Shape, data: Data, path: str) -> tuple[str, bool]:
    """What a path is called, and whether it is a field of the form."""
    for spec in shape.fields:
        if spec.path == path:
            return spec.label, spec.kind != "data"
    for rows in shape.lists:
        if rows.path == path:
            return rows.label, True
        match = re.fullmatch(re.escape(rows.path) + r"\[(\d+)\](?:\.(.+))?", path)
        if match:
            return _where_in(rows, members(data, rows.path), int(match[1]), match[2])
    return path, False


def _where_in(rows: Rows, listed: Sequence[Data], n: int, rest: str | None) -> tuple[str, bool]:
    title = row_title(rows, n, listed[n]) if n < len(listed) else f"{rows.one} {n + 1}"
    if rest is None:
        return title, True
    for spec in rows.columns:
        if ".".join(spec.keys) == rest:
            return f"{title}, {spec.label.lower()}", spec.kind != "data"
    return f"{title}, {rest}", False
