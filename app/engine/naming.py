"""Ids of units as a type of their own, and what is left of a thing when some of them are not to be named.

For fog that is worked out from the position: which units a viewer knows of the game says, and `Cutter` takes the
others out of states and facts. Which fields name units is read off the types alone, never off values: a string that
happens to read like somebody's id (a word, a card, a phase) is never touched.

Belongs here: the marks, and the walk. Does not belong here: whom a viewer knows of, or what a `Secret` hides.

A value of a marked type is a plain string in memory, in JSON and in its schema, so nothing is slower or stored
differently. What names somebody hidden falls out of its tuple or mapping; a field that does takes its default, and
where it has none, the whole struct goes.
"""

import types
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Struct

from app.engine.secret import Secret


class Mark(Enum):
    """What a string in a type stands for."""

    NAMES = "names a unit"
    FADES = "names a unit, or is empty where it is hidden"
    BOOKS = "keeps count for the rules, and is nobody's to see"


UnitId = Annotated[str, Mark.NAMES]
"""The id of a unit, "" for none. What it stands in goes when the unit is hidden."""

FadingId = Annotated[str, Mark.FADES]
"""The id of a unit of which others may know that there is one, though not who: it becomes "" when it is hidden."""

Bookkeeping = Annotated[str, Mark.BOOKS]
"""A key that rules put together for themselves, from ids, words or both. It is emptied."""

Bookmarks = Annotated[tuple[str, ...], Mark.BOOKS]
"""Several such keys."""


class Gone:
    """Stands for what was about somebody hidden."""


GONE = Gone()

Hidden = frozenset[str]
_Cut = Callable[[Any, Hidden], Any]

_PLAIN: frozenset[Any] = frozenset({int, str, bool, float, bytes, type(None)})


def without(thing: Any, hidden: Hidden, left_out: frozenset[str] = frozenset()) -> Any:
    """A struct without what is about the hidden; GONE where nothing of it can be told.

    Fields that are `left_out` stay as they are. Raises TypeError for a struct whose types don't tell what is in it.
    """
    return _struct(thing, hidden, left_out)


def names_units(kind: Any) -> bool:
    """Whether a value of a type can name a unit, or keeps what nobody is to see. Raises TypeError as `without`."""
    return _cutter(kind) is not None


def _struct(thing: Struct, hidden: Hidden, left_out: frozenset[str] = frozenset()) -> Any:
    changed: dict[str, Any] = {}
    for name, cut, instead in _members(type(thing)):
        if name in left_out:
            continue
        old = getattr(thing, name)
        value = cut(old, hidden)
        if value is GONE:
            if instead is msgspec.NODEFAULT:
                return GONE
            value = instead
        if value is not old:
            changed[name] = value
    return msgspec.structs.replace(thing, **changed) if changed else thing


@cache
def _members(kind: type[Struct]) -> tuple[tuple[str, _Cut, Any], ...]:
    """The fields of a struct that can name a unit: name, how they are cut, and what they are by default."""
    hints = get_type_hints(kind, include_extras=True)
    found: list[tuple[str, _Cut, Any]] = []
    for field in msgspec.structs.fields(kind):
        cut = _field(kind, field.name, hints[field.name])
        if cut is not None:
            instead = field.default
            if field.default_factory is not msgspec.NODEFAULT:
                instead = cast("Callable[[], Any]", field.default_factory)()
            found.append((field.name, cut, instead))
    return tuple(found)


def _field(kind: type[Any], name: str, hint: Any) -> _Cut | None:
    try:
        return _cutter(hint)
    except TypeError as error:
        raise TypeError(f"{kind.__name__}.{name}: {error}") from None


def _cutter(kind: Any) -> _Cut | None:
    """How a value of a type is cut; None where there is nothing in it that could name a unit."""
    return _made(kind, ())


def _made(kind: Any, within: tuple[Any, ...]) -> _Cut | None:
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *extras = get_args(kind)
        marked = next((extra for extra in extras if isinstance(extra, Mark)), None)
        return _made(inner, within) if marked is None else _MARKED[marked]
    if kind in _PLAIN or origin is Literal:
        return None
    if isinstance(kind, type) and issubclass(kind, Enum):
        return None
    if origin is None:
        return _made_of_class(kind, within)
    parts = get_args(kind)
    if origin in (Union, types.UnionType):
        return _union([_made(part, within) for part in parts])
    if origin is Secret:
        return _secret(_made(parts[0], within))
    if origin is tuple:
        return _tuple(parts, within)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(_made(parts[0], within), _made(parts[1], within))
    raise TypeError(f"{kind} does not tell whether it names a unit")


def _made_of_class(kind: Any, within: tuple[Any, ...]) -> _Cut | None:
    if kind in within:  # a struct in itself: what it names is found in the rest of it
        return _struct
    if isinstance(kind, type) and issubclass(kind, Struct):
        hints = get_type_hints(kind, include_extras=True)
        found = [_field_within(kind, name, hints[name], within) for name in kind.__struct_fields__]
        return _struct if any(cut is not None for cut in found) else None
    if isinstance(kind, type) and hasattr(kind, "_fields"):  # a named tuple
        named = cast("Any", kind)
        hints = get_type_hints(named, include_extras=True)
        cuts = [_made(hints[name], (*within, named)) for name in named._fields]
        return _whole(named, cuts) if any(cuts) else None
    raise TypeError(f"{kind} does not tell whether it names a unit")


def _field_within(kind: type[Any], name: str, hint: Any, within: tuple[Any, ...]) -> _Cut | None:
    try:
        return _made(hint, (*within, kind))
    except TypeError as error:
        raise TypeError(f"{kind.__name__}.{name}: {error}") from None


def _names(value: str, hidden: Hidden) -> Any:
    return GONE if value in hidden else value


def _fades(value: str, hidden: Hidden) -> str:
    return "" if value in hidden else value


def _books(value: Any, hidden: Hidden) -> Any:
    del hidden
    return type(value)()


_MARKED: Mapping[Mark, _Cut] = {Mark.NAMES: _names, Mark.FADES: _fades, Mark.BOOKS: _books}


def _union(cuts: list[_Cut | None]) -> _Cut | None:
    """Of the members of a union at most one names units beside None, or all that do are structs."""
    named = list(dict.fromkeys(cut for cut in cuts if cut is not None))
    if not named:
        return None
    if len(named) > 1:
        raise TypeError("a union of several things that name units")
    cut = named[0]
    return lambda value, hidden: None if value is None else cut(value, hidden)


def _secret(cut: _Cut | None) -> _Cut | None:
    if cut is None:
        return None

    def secret(thing: Secret[Any], hidden: Hidden) -> Secret[Any]:
        if thing.value is None:
            return thing
        value = cut(thing.value, hidden)
        if value is thing.value:
            return thing
        return Secret(None if value is GONE else value, thing.seats)

    return secret


def _tuple(parts: tuple[Any, ...], within: tuple[Any, ...]) -> _Cut | None:
    if len(parts) != 2 or parts[1] is not Ellipsis:
        cuts = [_made(part, within) for part in parts]
        return _whole(tuple, cuts) if any(cuts) else None
    each = _made(parts[0], within)
    if each is None:
        return None

    def several(things: tuple[Any, ...], hidden: Hidden) -> tuple[Any, ...]:
        cut = [each(one, hidden) for one in things]
        if all(map(_same, things, cut)):
            return things
        return tuple(one for one in cut if one is not GONE)

    return several


def _whole(kind: Any, cuts: list[_Cut | None]) -> _Cut:
    """Of a tuple with a place for each thing nothing is left when one of them goes."""

    def whole(things: tuple[Any, ...], hidden: Hidden) -> Any:
        pairs = zip(things, cuts, strict=True)
        cut = [one if how is None else how(one, hidden) for one, how in pairs]
        if any(one is GONE for one in cut):
            return GONE
        if all(map(_same, things, cut)):
            return things
        return tuple(cut) if kind is tuple else kind(*cut)

    return whole


def _mapping(key_cut: _Cut | None, value_cut: _Cut | None) -> _Cut | None:
    if key_cut is None and value_cut is None:
        return None

    def mapping(things: Mapping[Any, Any], hidden: Hidden) -> Mapping[Any, Any]:
        kept: dict[Any, Any] = {}
        same = True
        for key, value in things.items():
            new_key = key if key_cut is None else key_cut(key, hidden)
            new = value if value_cut is None else value_cut(value, hidden)
            same = same and new_key is key and new is value
            if new_key is not GONE and new is not GONE:
                kept[new_key] = new
        return things if same else kept

    return mapping


def _same(old: Any, new: Any) -> bool:
    return old is new
