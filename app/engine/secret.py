"""Secrets: values that only some seats may see, told apart by their type.

A state or an event wraps what is hidden in `Secret(value, seats)`. `redact` empties every secret that
a viewer may not see, wherever it stands, so nothing depends on a template remembering to look away.
A viewer is the set of seats that a browser holds: empty for a spectator, both for a solo player.
"""

import dataclasses
from collections.abc import Collection, Mapping
from enum import Enum
from functools import lru_cache
from operator import is_
from typing import Any, Generic, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

T = TypeVar("T")
X = TypeVar("X")

Viewer = frozenset[str]


class Secret(msgspec.Struct, Generic[T], frozen=True):
    """A value for the eyes of `seats`. Redacted, its value is None: it says neither what nor whether."""

    value: T | None
    seats: tuple[str, ...]

    def seen_by(self, viewer: Viewer) -> bool:
        """Whether one of the viewer's seats may see it."""
        return not viewer.isdisjoint(self.seats)


def redact(thing: X, viewer: Viewer) -> X:
    """`thing` with each Secret that `viewer` may not see emptied. Unchanged parts are shared."""
    if not holds_secrets(type(thing)):
        return thing
    return cast(X, _redact(thing, viewer))


def _redact(thing: Any, viewer: Viewer) -> Any:
    if type(thing) in _PLAIN:
        return thing
    if isinstance(thing, Secret):
        secret = cast("Secret[Any]", thing)
        value = _redact(secret.value, viewer) if secret.seen_by(viewer) else None
        return secret if value is secret.value else Secret[Any](value, secret.seats)
    if isinstance(thing, msgspec.Struct):
        changed = _changed(thing, viewer)
        return msgspec.structs.replace(thing, **changed) if changed else thing
    if isinstance(thing, tuple):
        items = cast("tuple[Any, ...]", thing)
        new_items = tuple(_redact(item, viewer) for item in items)
        if _same(items, new_items):
            return items
        named = cast("Any", type(items))
        return named(*new_items) if hasattr(named, "_fields") else new_items
    if isinstance(thing, list):
        return [_redact(item, viewer) for item in cast("list[Any]", thing)]
    if isinstance(thing, set | frozenset):
        crowd = cast("frozenset[Any]", thing)
        return type(crowd)(_redact(item, viewer) for item in crowd)
    if isinstance(thing, Mapping):
        table = cast("Mapping[Any, Any]", thing)
        new_table = {_redact(key, viewer): _redact(value, viewer) for key, value in table.items()}
        same = _same(table, new_table) and _same(table.values(), new_table.values())
        return table if same else new_table
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        changed = _changed(thing, viewer)
        return dataclasses.replace(thing, **changed) if changed else thing
    return thing


def _same(old: Collection[Any], new: Collection[Any]) -> bool:
    """Whether nothing in a collection was replaced."""
    return len(old) == len(new) and all(map(is_, old, new))


def _changed(thing: Any, viewer: Viewer) -> dict[str, Any]:
    """The members of a thing that redaction changes."""
    return {
        name: new
        for name in _hiding(cast("type[Any]", type(thing)))
        if (new := _redact(old := getattr(thing, name), viewer)) is not old
    }


@lru_cache(maxsize=4096)
def _hiding(kind: type[Any]) -> tuple[str, ...]:
    """The members of a struct or data class that can hold a Secret, by what their types tell."""
    if issubclass(kind, msgspec.Struct):
        names = kind.__struct_fields__
    else:
        names = tuple(field.name for field in dataclasses.fields(cast("Any", kind)))
    types = get_type_hints(kind)
    return tuple(name for name in names if holds_secrets(types[name]))


@lru_cache(maxsize=4096)
def holds_secrets(kind: Any) -> bool:
    """Whether a value of type `kind` can hold a Secret. What a type does not tell counts as holding.

    A value may be of any subclass of `kind` that there is when it is first asked about.
    """
    return _holds(kind, frozenset())


def _holds(kind: Any, seen: frozenset[Any]) -> bool:
    if kind in seen or kind in _PLAIN:
        return False
    origin = get_origin(kind)
    if kind is Secret or origin is Secret:
        return True
    if origin is Literal:
        return False
    if origin is not None:
        # Box[int] may have a secret beside its int: a class of ours is looked into as well.
        parts = [part for part in get_args(kind) if part is not Ellipsis]
        return any(_holds(part, seen) for part in ([*parts, origin] if _tells(origin) else parts))
    if _tells(kind):
        inner = seen | {kind}
        parts = [*get_type_hints(kind).values(), *kind.__subclasses__()]
        return any(_holds(part, inner) for part in parts)
    return not (isinstance(kind, type) and issubclass(kind, Enum))


def _tells(kind: Any) -> bool:
    """Whether a type says what is in it: a struct, a data class or a named tuple."""
    if not isinstance(kind, type):
        return False
    known = cast("Any", kind)
    if issubclass(known, msgspec.Struct) or hasattr(known, "_fields"):
        return True
    return bool(dataclasses.is_dataclass(known))


_PLAIN: frozenset[Any] = frozenset({int, str, bool, float, bytes, type(None)})
