"""Stored tables of past editions load, and show everybody what the golden texts say.

A text that changes is a diff to be read: `python -m tests.golden` writes them anew.
"""

import pytest

from app.engine.log import Brought, Finished, Rewound, TakebackRefused, WordSaid
from tests.golden import stored
from tests.golden.render import TEXTS, path_of, text_of


@pytest.mark.parametrize("name", stored.names())
def test_everybody_sees_what_the_text_says(name: str) -> None:
    assert text_of(stored.read(name)) == path_of(name).read_text("utf-8")


@pytest.mark.parametrize("name", stored.names())
def test_it_was_played_to_its_end(name: str) -> None:
    table = stored.read(name).live()
    assert table.finished
    assert table.todo is None


def test_there_is_no_text_of_nothing() -> None:
    texts = {f"{path.parent.name}/{path.stem}" for path in TEXTS.glob("*/*.txt")}
    assert texts == set(stored.names())


def test_what_happens_at_tables_is_among_them() -> None:
    """Take-backs that were done and refused, words, people of the campaign book, and ends."""
    held = {
        type(entry.event)
        for name in stored.names()
        for entry in stored.read(name).live().entries
        if entry.kind == "table" or isinstance(entry.event, Finished)
    }
    assert {Rewound, TakebackRefused, WordSaid, Brought, Finished} <= held
