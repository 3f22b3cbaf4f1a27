"""What comes from elsewhere is checked to the last field."""

import json
from typing import Any

import pytest

from app.engine.errors import Illegal, Missing
from app.records.papers import MOST_BYTES, checked
from tests.records.papers import fields, paper

BAD: dict[str, str] = {
    "no JSON": "{",
    "no object": "[1, 2]",
    "another document": json.dumps({"id": "x"}),
    "deep": "[" * 100_000,
    "half a character": json.dumps("\ud800"),
    "other version": paper(contrail="person 2"),
    "unknown field": paper(owner="somebody"),
    "number for a name": paper(name=7),
    "no name": paper(name=""),
    "blank name": paper(name=" \u200b "),
    "long name": paper(name="x" * 41),
    "long call sign": paper(call_sign="x" * 17),
    "the stand-in's call sign": paper(call_sign="Wingman"),
    "unknown status": paper(status="admiral"),
    "negative abandoned": paper(abandoned=-1),
    "negative points": paper(record={"points": -1}),
    "huge points": paper(record={"points": 10_000}),
    "a fraction": paper(record={"points": 1.5}),
    "true for a number": paper(record={"missions": True}),
    "unknown rank": paper(record={"rank": "General"}),
    "unknown field of the record": paper(record={"wings": 2}),
    "unknown award": paper(record={"awards": ["Best Pilot"]}),
    "an award twice": paper(record={"awards": ["Ace", "Ace"]}),
    "awards as text": paper(record={"awards": "Ace"}),
    "deed without a time": paper(deeds=[{"title": "x"}]),
    "deed of the far future": paper(deeds=[{"at": 10**15, "title": "x"}]),
    "deed of an unknown kind": paper(deeds=[{"at": 0, "title": "x", "kind": "won"}]),
    "deed with a long title": paper(deeds=[{"at": 0, "title": "x" * 201}]),
    "deed with a table of here": paper(deeds=[{"at": 0, "title": "x", "table_id": "abc"}]),
    "too many deeds": paper(deeds=[{"at": 0, "title": "x"}] * 301),
    "too many lines": paper(deeds=[{"at": 0, "title": "x", "lines": ["y"] * 21}]),
    "too large": paper(name="x" * MOST_BYTES),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_person_is_refused(what: str) -> None:
    with pytest.raises(Illegal):
        checked(BAD[what], "ann")


@pytest.mark.parametrize("game", ["nothing", "osaaf"])
def test_so_is_somebody_of_a_game_without_persons(game: str) -> None:
    with pytest.raises(Missing):
        checked(paper(game=game), "ann")


def test_a_fault_is_named_by_its_field() -> None:
    with pytest.raises(Illegal, match=r"record.*\$\.points"):
        checked(BAD["negative points"], "ann")


def test_who_is_brought_is_marked_and_free() -> None:
    record: dict[str, Any] = {"rank": "Captain", "missions": 15, "points": 25, "kills": 5}
    made, stories = checked(paper(record={**record, "awards": ["Ace"]}, abandoned=2), "ann")
    assert (made.owner, made.imported, made.table, made.abandoned) == ("ann", True, None, 2)
    assert made.record == {**record, "awards": ["Ace"], "purple_hearts": 0}
    assert [(at, story.title) for at, story in stories] == [
        (fields()["deeds"][0]["at"], "Mission failed, landed")
    ]
