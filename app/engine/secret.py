"""Secrets: values that only some seats may see, told apart by their type.

A state or an event wraps what is hidden in `Secret(value, seats)`. `redact` empties every secret that
a viewer may not see, wherever it stands, so nothing depends on a template remembering to look away.
A viewer is the set of seats that a browser holds: empty for a spectator, both for a solo player.
"""

from functools import lru_cache
from typing import Any, Generic, TypeVar, cast, get_args, get_type_hints

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
        return any(seat in viewer for seat in self.seats)


def redact(thing: X, viewer: Viewer) -> X:
    """`thing` with each Secret that `viewer` may not see emptied. Unchanged parts are shared."""
    if not holds_secrets(type(thing)):
        return thing
    return cast(X, _redact(thing, viewer))


def _redact(thing: Any, viewer: Viewer) -> Any:
    if isinstance(thing, Secret):
        secret = cast("Secret[Any]", thing)
        if secret.seen_by(viewer):
            return Secret[Any](_redact(secret.value, viewer), secret.seats)
        return Secret[Any](None, secret.seats)
    if isinstance(thing, msgspec.Struct):
        if not holds_secrets(type(thing)):
            return thing
        changed = {
            name: new
            for name in thing.__struct_fields__
            if (new := _redact(old := getattr(thing, name), viewer)) is not old
        }
        return msgspec.structs.replace(thing, **changed) if changed else thing
    if isinstance(thing, tuple):
        items = cast("tuple[Any, ...]", thing)
        new = tuple(_redact(item, viewer) for item in items)
        return new if any(a is not b for a, b in zip(items, new, strict=True)) else items
    if isinstance(thing, list):
        return [_redact(item, viewer) for item in cast("list[Any]", thing)]
    if isinstance(thing, dict):
        table = cast("dict[Any, Any]", thing)
        return {key: _redact(value, viewer) for key, value in table.items()}
    return thing


@lru_cache(maxsize=4096)
def holds_secrets(kind: Any) -> bool:
    """Whether a value of type `kind` can hold a Secret. Unknown types (Any, dict) count as holding."""
    return _holds(kind, frozenset())


def _holds(kind: Any, seen: frozenset[Any]) -> bool:
    if kind in seen:
        return False
    if kind in _PLAIN:
        return False
    origin = getattr(kind, "__origin__", None)
    if kind is Secret or origin is Secret:
        return True
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        inner = seen | {kind}
        return any(_holds(hint, inner) for hint in get_type_hints(kind).values())
    arguments = get_args(kind)
    if arguments:
        return any(_holds(argument, seen) for argument in arguments if argument is not Ellipsis)
    return kind in _OPAQUE or isinstance(kind, TypeVar)


_PLAIN: frozenset[Any] = frozenset({int, str, bool, float, bytes, type(None)})
_OPAQUE: frozenset[Any] = frozenset({Any, object, tuple, list, dict})
