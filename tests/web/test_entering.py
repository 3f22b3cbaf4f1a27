"""Answers that are filled in: fields by a decision's schema, and what was entered as a choice again."""

import random
from typing import Any

import pytest

from app.engine.errors import Illegal
from app.web.entering import entered, fields_of
from app.web.reading import Fields
from tests.web.house import House, Table

KINDS = {
    "type": "object",
    "required": ["word", "count", "size", "way", "place"],
    "properties": {
        "word": {"type": ["string", "null"], "title": "A word"},
        "count": {"type": "integer", "minimum": 0},
        "size": {"type": "number"},
        "way": {"enum": ["up", 2]},
        "facing": {"oneOf": [{"const": 0, "title": "N"}, {"const": 3, "title": "E"}]},
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
        (KINDS, FULL),
        (KINDS, FULL | {"facing": 3}),
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


async def smoking(house: House) -> Table:
    """A skirmish for two where it is time to lay smoke on any hex."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit("skirmish", mode="shared")
    await table.join(next(s["id"] for s in table.opened["seats"] if not s["yours"]), bob)
    await table.play_until(
        random.Random(1), lambda done: done["view"]["prompt"].endswith("Lay smoke")
    )
    return table


async def test_an_answer_is_filled_in_by_a_form(house: House) -> None:
    table = await smoking(house)
    ((mine, offer, version),) = await table.open_offers()
    other = next(one for one in table.seats.values() if one is not mine)
    assert 'name="own.hex"' in await mine.page(table.page)
    assert 'name="own.hex"' not in await other.page(table.page)
    sent = {"version": version, "offer": offer["id"], "choice": "", "own.hex": "9999"}
    assert "9999" in (await mine.form(f"{table.page}/commands", sent, 422)).text
    # Of whose question it is, nobody else learns anything.
    stranger = await other.form(f"{table.page}/commands", sent, 422)
    assert "Choose one of the options first" in stranger.text
    assert await table.version() == version
    await mine.form(f"{table.page}/commands", sent | {"own.hex": " 0101 "})
    laid = next(entry for entry in reversed(await table.log()) if entry["type"] == "SmokeLaid")
    assert "on 0101" in laid["text"]


async def test_what_may_be_nothing_is_left_empty(house: House) -> None:
    table = await smoking(house)
    ((mine, offer, version),) = await table.open_offers()
    sent = {"version": version, "offer": offer["id"], "choice": "", "own.hex": ""}
    await mine.form(f"{table.page}/commands", sent)
    assert await table.version() > version


async def test_a_question_without_a_schema_reads_no_fields(house: House) -> None:
    ann = await house.visitor()
    table = await ann.sit()
    ((_, offer, version),) = await table.open_offers()
    sent = {"version": version, "offer": offer["id"], "choice": "", "own.hex": "0101"}
    refused = await ann.form(f"{table.page}/commands", sent, 422)
    assert "Choose one of the options first" in refused.text
