"""Answers that are filled in: fields by a decision's schema, and what was entered as a choice again."""

import random
from typing import Any

import pytest

from app.engine.errors import Illegal
from app.games.gunslingers.flight import by_hand
from app.web.entering import entered, fields_of
from app.web.reading import Fields
from tests.web.house import House, Table, Visitor

WHERE = {"place": "1015", "facing": 3, "altitude": 17, "speed": 4.5, "flight_type": "SD"}
KINDS = {
    "type": "object",
    "required": ["word", "count", "size", "way", "place"],
    "properties": {
        "word": {"type": ["string", "null"], "title": "A word"},
        "count": {"type": "integer", "minimum": 0},
        "size": {"type": "number"},
        "way": {"enum": ["up", 2]},
        "sure": {"type": "boolean"},
        "place": {"type": "string", "format": "hex"},
        "note": {"type": "string"},
    },
}
FULL = {"word": "a", "count": 3, "size": 0.5, "way": 2, "sure": True, "place": "0101", "note": "b"}


def form(**fields: str) -> Fields:
    return Fields({f"own.{name}": [value] for name, value in fields.items()})


@pytest.mark.parametrize(
    ("schema", "choice"),
    [
        (by_hand.SCHEMA, WHERE | {"damage_control": False}),
        (KINDS, FULL),
        (KINDS, {**FULL, "word": None, "sure": False}),
        (KINDS, {name: value for name, value in FULL.items() if name != "note"}),
        ({"type": "string"}, "a word"),
    ],
)
def test_what_the_fields_begin_with_is_entered_again(schema: dict[str, Any], choice: Any) -> None:
    fields = fields_of(schema, choice)
    sent = Fields({one.name: [one.value] for one in fields if one.value or one.kind != "check"})
    assert entered(schema, sent) == choice


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("count", "2.5", "Count: a whole number"),
        ("count", "", "Count: fill this in"),
        ("size", "nan", "Size: a number"),
        ("size", "1e999", "Size: a number"),
        ("way", '"down"', "Way: choose from the list"),
        ("place", " ", "Place: fill this in"),
        ("note", "x" * 501, "at most 500"),
    ],
)
def test_what_is_no_value_is_refused_by_its_fields_name(name: str, text: str, words: str) -> None:
    good = {"word": "a", "count": "3", "size": "0,5", "way": "2", "place": "0101"}
    assert entered(KINDS, form(**good))["size"] == 0.5
    with pytest.raises(Illegal, match=words):
        entered(KINDS, form(**good | {name: text}))


@pytest.mark.parametrize("member", [{"type": "array"}, {"type": "object"}, {}])
def test_other_schemas_have_no_fields(member: dict[str, Any]) -> None:
    assert fields_of({"type": "object", "properties": {"a": member}}, None) == ()


async def by_hand_table(house: House) -> Table:
    """A game of Gunslingers for two, where a move is entered by hand and it is time to."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(
        "gunslingers", scenario="one-on-one", mode="shared", rulings={"flight": "adjudicated"}
    )
    await table.join(next(s["id"] for s in table.opened["seats"] if not s["yours"]), bob)
    await table.play_until(random.Random(1), lambda done: entering(done["view"]))
    return table


def entering(view: dict[str, Any]) -> bool:
    return (
        any(seat["to_act"] for seat in view["seats"])
        and "where does its move end" in view["prompt"]
    )


async def the_mover(table: Table) -> tuple[Visitor, Visitor, dict[str, Any], int]:
    """Who is asked, the other one, the question and the version."""
    ((mover, offer, version),) = await table.open_offers()
    other = next(one for one in table.seats.values() if one is not mover)
    return mover, other, offer, version


async def test_a_move_is_entered_by_a_form(house: House) -> None:
    table = await by_hand_table(house)
    mover, other, offer, version = await the_mover(table)
    page = await mover.page(table.page)
    assert 'name="own.altitude"' in page
    assert 'name="own.altitude"' not in await other.page(table.page)
    sent = {"version": version, "offer": offer["id"], "choice": "", "own.place": "1215"}
    sent |= {"own.facing": "3", "own.altitude": "9", "own.speed": "4.5", "own.flight_type": '"SD"'}
    for wrong, words in (
        ({"own.altitude": "high"}, "Altitude: a whole number, not"),
        ({"own.facing": "12"}, "Facing: choose from the list"),
        ({"own.place": ""}, "Place, such as 1115 or 1115/1215: fill this in"),
        ({"own.speed": "4.3"}, "speed can be 0 to 30 in steps of 0.5"),
    ):
        refused = await mover.form(f"{table.page}/commands", sent | wrong, 422)
        assert words in refused.text
    # Of whose question it is, nobody else learns anything.
    stranger = await other.form(f"{table.page}/commands", sent | {"own.altitude": ""}, 422)
    assert "Choose one of the options first" in stranger.text
    assert await table.version() == version
    await mover.form(f"{table.page}/commands", sent)
    (_, agree, _) = (await table.open_offers())[0]
    assert agree["id"].startswith("agree:")
    assert (
        "1215 facing E, level 9, steep dive, speed 4.5 next turn" in agree["options"][0]["detail"]
    )


async def test_a_question_without_a_schema_reads_no_fields(house: House) -> None:
    ann = await house.visitor()
    table = await ann.sit()
    ((_, offer, version),) = await table.open_offers()
    sent = {"version": version, "offer": offer["id"], "choice": "", "own.hex": "0101"}
    refused = await ann.form(f"{table.page}/commands", sent, 422)
    assert "Choose one of the options first" in refused.text
