"""Secrets: wherever one stands, only its seats see it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.log import Event
from app.engine.secret import Secret, holds_secrets, redact

T = TypeVar("T")

RED = frozenset({"red"})
BLUE = frozenset({"blue"})
BOTH = RED | BLUE
NOBODY: frozenset[str] = frozenset()
TOKEN = "token-7f3a"


class Inner(msgspec.Struct, frozen=True):
    plot: Secret[str]
    open: int = 0


class Plain(msgspec.Struct, frozen=True):
    number: int
    words: tuple[str, ...] = ()
    maybe: float | None = None


class Box(msgspec.Struct, Generic[T], frozen=True):
    content: T


class Tagged(msgspec.Struct, Generic[T], frozen=True):
    """Generic in a harmless member, with a secret beside it."""

    label: T
    plot: Secret[str]


class Base(msgspec.Struct, frozen=True):
    pass


class Derived(Base, frozen=True):
    plot: Secret[str]


class Pair(NamedTuple):
    name: str
    plot: Secret[str]


@dataclass(frozen=True)
class Data:
    plot: Secret[str]


class Everywhere(msgspec.Struct, frozen=True):
    """One member for each way in which a secret can stand in a state."""

    alone: Secret[str]
    maybe: Secret[str] | None
    struct: Inner
    row: tuple[Secret[str], ...]
    rows: tuple[tuple[int, Secret[str]], ...]
    table: dict[str, Secret[str]]
    mapping: Mapping[str, Inner]
    listed: list[Inner]
    crowd: frozenset[Secret[str]]
    generic: Box[Secret[str]]
    tagged: Tagged[int]
    nested: Secret[Inner]
    anything: Any
    bare: Mapping
    base: Base
    pair: Pair
    data: Data
    plain: Plain = Plain(1)


def everywhere() -> Everywhere:
    secret = Secret(TOKEN, ("red",))
    inner = Inner(secret, 5)
    return Everywhere(
        alone=secret,
        maybe=secret,
        struct=inner,
        row=(secret, secret),
        rows=((1, secret),),
        table={"a": secret},
        mapping={"a": inner},
        listed=[inner],
        crowd=frozenset({secret}),
        generic=Box(secret),
        tagged=Tagged(1, secret),
        nested=Secret(inner, ("red",)),
        anything={"deep": [secret, (inner,)]},
        bare={"a": secret},
        base=Derived(secret),
        pair=Pair("a", secret),
        data=Data(secret),
    )


@pytest.mark.parametrize("name", Everywhere.__struct_fields__)
def test_a_secret_is_empty_wherever_it_stands(name: str) -> None:
    if name == "plain":
        return
    whole = everywhere()
    assert TOKEN in repr(getattr(whole, name))
    for viewer in (BLUE, NOBODY):
        assert TOKEN not in repr(getattr(redact(whole, viewer), name))


class OnlyBase(msgspec.Struct, frozen=True):
    member: Base


class OnlyBare(msgspec.Struct, frozen=True):
    member: Mapping


class OnlySequence(msgspec.Struct, frozen=True):
    member: Sequence


class OnlyCrowd(msgspec.Struct, frozen=True):
    member: frozenset[Secret[str]]


class OnlyTagged(msgspec.Struct, frozen=True):
    member: Tagged[int]


class OnlyPair(msgspec.Struct, frozen=True):
    member: Pair


class OnlyData(msgspec.Struct, frozen=True):
    member: Data


class OnlyObject(msgspec.Struct, frozen=True):
    member: object


class OnlyEvent(msgspec.Struct, frozen=True):
    member: Event


class Hiding(Event, frozen=True):
    plot: Secret[str]


SECRET = Secret(TOKEN, ("red",))


@pytest.mark.parametrize(
    "thing",
    [
        OnlyBase(Derived(SECRET)),
        OnlyBare({"a": SECRET}),
        OnlySequence([SECRET]),
        OnlyCrowd(frozenset({SECRET})),
        OnlyTagged(Tagged(1, SECRET)),
        OnlyPair(Pair("a", SECRET)),
        OnlyData(Data(SECRET)),
        OnlyObject((SECRET,)),
        OnlyEvent(Hiding(SECRET)),
        (SECRET,),
        [SECRET],
        {"a": SECRET},
        frozenset({SECRET}),
        Data(SECRET),
        Pair("a", SECRET),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_no_type_hides_a_secret_from_redaction(thing: Any) -> None:
    """The short cut by types must not pass over what a type does not tell."""
    assert TOKEN in repr(thing)
    hidden = redact(thing, BLUE)
    assert TOKEN not in repr(hidden)
    assert type(hidden) is type(thing)
    assert redact(thing, RED) == thing


def test_its_seats_see_everything() -> None:
    whole = everywhere()
    for viewer in (RED, BOTH):
        assert redact(whole, viewer) == whole


def test_a_hidden_value_says_neither_what_nor_whether() -> None:
    for value in ("x", "", 0, None, (1, 2)):
        assert redact(Secret(value, ("red",)), BLUE) == Secret(None, ("red",))


def test_a_secret_of_two_seats_and_of_none() -> None:
    shared = Secret(1, ("red", "blue"))
    assert redact(shared, RED) == redact(shared, BLUE) == shared
    assert redact(shared, NOBODY).value is None
    for_nobody = Secret(1, ())
    assert redact(for_nobody, BOTH).value is None


def test_a_secret_inside_anothers_secret() -> None:
    """What red may see may hold what red may not see."""
    nested = Secret((Secret("mine", ("red",)), Secret("theirs", ("blue",))), ("red",))
    seen = redact(nested, RED)
    assert seen.value == (Secret("mine", ("red",)), Secret(None, ("blue",)))


def test_the_original_is_never_touched() -> None:
    whole = everywhere()
    before = repr(whole)
    hidden = redact(whole, BLUE)
    hidden.table["a"] = Secret("changed", ())
    hidden.listed.clear()
    assert repr(whole) == before


def test_what_holds_no_secret_is_shared() -> None:
    whole = everywhere()
    assert redact(whole, BLUE).plain is whole.plain
    assert redact(whole.plain, BLUE) is whole.plain
    assert redact((1, "a"), BLUE) == (1, "a")
    assert not holds_secrets(Plain)
    assert holds_secrets(Inner)
    assert holds_secrets(Everywhere)


def test_the_short_cut_is_taken_where_it_may_be() -> None:
    """Plain facts are most of a log; they must not be walked."""

    class Fact(Event, frozen=True):
        seat: str
        numbers: tuple[int, ...]
        place: Plain | None = None

    assert not holds_secrets(Fact)


values = st.recursive(
    st.integers() | st.text(max_size=4) | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.builds(Box, inner)
        | st.builds(
            lambda value, seats: Secret(value, tuple(sorted(seats))),
            inner,
            st.sets(st.sampled_from(["red", "blue"])),
        )
    ),
    max_leaves=25,
)


@given(values)
def test_redaction_of_anything(thing: Any) -> None:
    once = redact(thing, RED)
    assert redact(once, RED) == once, "nothing is left to hide"
    assert redact(redact(thing, BOTH), RED) == once, "what both see holds all that one sees"
    assert _visible(once, RED), "a secret of others has a value"


def _visible(thing: Any, viewer: frozenset[str]) -> bool:
    if isinstance(thing, Secret):
        mine = any(seat in viewer for seat in thing.seats)
        return _visible(thing.value, viewer) if mine else thing.value is None
    if isinstance(thing, Box):
        return _visible(thing.content, viewer)
    if isinstance(thing, list | tuple):
        return all(_visible(one, viewer) for one in thing)
    if isinstance(thing, dict):
        return all(_visible(one, viewer) for one in thing.values())
    return True


def test_a_redacted_state_survives_json() -> None:
    hidden = redact(Inner(Secret("x", ("red",))), BLUE)
    assert msgspec.json.decode(msgspec.json.encode(hidden), type=Inner) == hidden
    box = redact(Box(Secret(3, ("red",))), BLUE)
    assert msgspec.json.decode(msgspec.json.encode(box), type=Box[Secret[int]]) == box
