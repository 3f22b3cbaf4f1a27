"""Rulebooks: a good pair of files is read, a bad one is refused by the name of what is wrong."""

import msgspec
import pytest

from app.engine.errors import Illegal
from app.engine.rulebook import Paragraph, read_rulebook

BOOK = """
[sections]
one = "One"
two = "Two"

[[paragraph]]
id = "g-1.1"
section = "one"
summary = "First."
provenance = "seed"

[[paragraph]]
id = "g-2.1"
section = "two"
summary = "Second."
provenance = "ruling"
ruling = "r"
standing = "planned"
"""

RULINGS = """
[[ruling]]
id = "r"
question = "Which?"
default = "a"
rule = "g-2.1"
options = [{ value = "a", label = "A" }, { value = "b", label = "B" }]

[[ruling]]
id = "h"
question = "House?"
default = "no"
rule = "g-1.1"
house = true
options = [{ value = "no", label = "No" }, { value = "yes", label = "Yes" }]
"""


def test_a_rulebook_is_read_in_its_order() -> None:
    book = read_rulebook(BOOK, RULINGS)
    assert list(book.paragraphs) == ["g-1.1", "g-2.1"]
    assert book.paragraphs["g-2.1"] == Paragraph(
        "g-2.1", "two", "Second.", "ruling", ruling="r", standing="planned"
    )
    assert book.paragraphs["g-1.1"].standing == "rule"
    assert list(book.rulings) == ["r", "h"]
    assert book.rulings["h"].house
    assert book.sections == {"one": "One", "two": "Two"}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('id = "g-2.1"', 'id = "g-1.1"', "id"),
        ('section = "two"', 'section = "three"', r"g-2\.1.*three"),
        ('provenance = "seed"', 'provenance = "rumour"', "rumour"),
        ('standing = "planned"', 'standing = "perhaps"', "perhaps"),
        ('summary = "First."', "", "summary"),
        ('summary = "First."', "summary = 1", "summary"),
    ],
)
def test_a_bad_rulebook_is_named(old: str, new: str, says: str) -> None:
    assert old in BOOK
    with pytest.raises((ValueError, msgspec.ValidationError), match=says):
        read_rulebook(BOOK.replace(old, new), RULINGS)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('rule = "g-2.1"', 'rule = "g-9.9"', r"r.*g-9\.9"),
        ('default = "a"', 'default = "c"', "r.*default"),
        ('question = "Which?"', "", "question"),
        ('id = "h"', 'id = "r"', "r"),
    ],
)
def test_bad_rulings_are_named(old: str, new: str, says: str) -> None:
    assert old in RULINGS
    with pytest.raises((ValueError, msgspec.ValidationError), match=says):
        read_rulebook(BOOK, RULINGS.replace(old, new))


def test_a_paragraphs_ruling_exists() -> None:
    with pytest.raises(ValueError, match=r"g-2\.1.*nothing"):
        read_rulebook(BOOK.replace('ruling = "r"', 'ruling = "nothing"'), RULINGS)


def test_settling_rulings() -> None:
    book = read_rulebook(BOOK, RULINGS)
    assert book.settle({}) == {"r": "a", "h": "no"}
    assert book.settle({"h": "yes"}) == {"r": "a", "h": "yes"}
    with pytest.raises(Illegal, match="'x'") as unknown:
        book.settle({"x": "a"})
    assert unknown.value.cite is None
    with pytest.raises(Illegal, match="'c'") as wrong:
        book.settle({"r": "c"})
    assert wrong.value.cite == "g-2.1"
