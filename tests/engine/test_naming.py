"""Ids of units by their type: what is left of a thing when some units are not to be named."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec
import pytest
from msgspec import Struct

from app.engine.naming import (
    GONE,
    Bookkeeping,
    Bookmarks,
    FadingId,
    UnitId,
    names_units,
    without,
)
from app.engine.secret import Secret

HIDDEN = frozenset({"fox"})


class Card(Struct, frozen=True):
    """Names nobody, though its words may read like ids."""

    kind: Literal["fox", "hen"]
    words: str
    many: tuple[str, ...] = ()


class Watch(Struct, frozen=True):
    """Names units as keys and values."""

    by: Mapping[UnitId, UnitId] = {}
    seats: Mapping[str, int] = {}


class Pair(NamedTuple):
    """Two units, of which the first may fade."""

    tracker: FadingId = ""
    target: UnitId = ""


class Shot(Struct, frozen=True):
    """Goes with whoever fires, or is fired at."""

    shooter: UnitId
    target: UnitId
    side: str


class Position(Struct, frozen=True, kw_only=True):
    """Everything that a position can hold."""

    card: Card
    seen: tuple[UnitId, ...] = ()
    leader: UnitId | None = None
    last: UnitId = "nobody"
    watch: Watch = Watch()
    pairs: tuple[Pair, ...] = ()
    shots: tuple[Shot, ...] = ()
    shot: Shot | None = None
    own: Secret[tuple[UnitId, ...]] = Secret((), ())
    one: Secret[UnitId] = Secret(None, ())
    places: Mapping[UnitId, Card] = {}
    done: Bookmarks = ()
    key: Bookkeeping = ""


CARD = Card("fox", "fox", ("fox",))


def test_only_fields_that_name_units_change() -> None:
    before = Position(card=CARD, watch=Watch(seats={"fox": 1}), places={"hen": CARD})
    assert without(before, HIDDEN) is before


@pytest.mark.parametrize(
    ("field", "value", "left"),
    [
        ("seen", ("hen", "fox", "owl"), ("hen", "owl")),
        ("leader", "fox", None),
        ("leader", "hen", "hen"),
        ("last", "fox", "nobody"),
        ("watch", Watch({"fox": "hen", "hen": "fox", "owl": "hen"}), Watch({"owl": "hen"})),
        ("pairs", (Pair("fox", "hen"), Pair("hen", "fox")), (Pair("", "hen"),)),
        ("shots", (Shot("hen", "fox", "a"), Shot("hen", "owl", "a")), (Shot("hen", "owl", "a"),)),
        ("shot", Shot("fox", "hen", "a"), None),
        ("shot", None, None),
        ("own", Secret(("fox", "hen"), ("a",)), Secret(("hen",), ("a",))),
        ("own", Secret(None, ("a",)), Secret(None, ("a",))),
        ("one", Secret("fox", ("a",)), Secret(None, ("a",))),
        ("places", {"fox": CARD, "hen": CARD}, {"hen": CARD}),
    ],
)
def test_what_names_a_hidden_unit_goes(field: str, value: Any, left: Any) -> None:
    before = Position(card=CARD, **{field: value})
    assert without(before, HIDDEN) == Position(card=CARD, **{field: left})


def test_bookkeeping_is_emptied_whoever_is_hidden() -> None:
    before = Position(card=CARD, done=("dice:hen",), key="hen:1")
    assert without(before, frozenset()) == Position(card=CARD)


def test_a_struct_goes_with_a_field_that_it_needs() -> None:
    assert without(Shot("hen", "fox", "a"), HIDDEN) is GONE
    assert without(Shot("hen", "fox", "a"), HIDDEN, frozenset({"target"})) == Shot(
        "hen", "fox", "a"
    )


def test_an_id_is_a_string_in_json() -> None:
    shot = Shot("hen", "fox", "a")
    assert msgspec.json.encode(shot) == b'{"shooter":"hen","target":"fox","side":"a"}'
    assert msgspec.convert(msgspec.to_builtins(shot), Shot) == shot


def test_types_tell_who_names_units() -> None:
    assert names_units(Position)
    assert names_units(Mapping[str, tuple[UnitId, ...]])
    assert not names_units(Card)


@pytest.mark.parametrize("kind", [Any, list[UnitId], Shot | UnitId])
def test_a_type_that_does_not_tell_is_refused(kind: Any) -> None:
    with pytest.raises(TypeError):
        names_units(kind)
