"""The rulebook of a game as data: numbered paragraphs, and the rulings where the text is silent.

A game's `rulebook.toml` and `rulings.toml` are read by `read_rulebook`. Paragraphs are our own summary
of each rule with its provenance; no sentence of a source is carried.
"""

import tomllib
from collections.abc import Mapping
from typing import Literal

import msgspec

from app.engine.errors import Illegal

Provenance = Literal["seed", "series", "public", "ruling", "house"]
Standing = Literal["rule", "not_a_rule", "planned"]


class Paragraph(msgspec.Struct, frozen=True, omit_defaults=True):
    """One numbered rule.

    `standing` is "not_a_rule" for a definition or consequence that nothing cites, "planned" for a rule
    that a later version will enforce; both say so in the rules pane.
    """

    id: str
    section: str
    summary: str
    provenance: Provenance
    source: str = ""
    reason: str = ""
    ruling: str | None = None
    standing: Standing = "rule"


class RulingOption(msgspec.Struct, frozen=True):
    """A way to settle a ruling. `value` is what a table's rulings hold."""

    value: str
    label: str


class Ruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """A gap or contradiction in the text, or a house block, and the ways a table may settle it.

    `since` is the edition of the rules that it came with, `before` how tables of earlier editions play: as it
    was before the ruling came. `fixed` says why no table can change it once it is open; "" where one can.
    """

    id: str
    question: str
    default: str
    options: tuple[RulingOption, ...]
    rule: str
    reason: str = ""
    house: bool = False
    since: int = 1
    before: str = ""
    fixed: str = ""

    def unset(self, edition: int | None) -> str:
        """The value at a table of an edition (None: a new one) that says nothing of this ruling."""
        return self.before if edition is not None and self.since > edition else self.default


class Rulebook(msgspec.Struct, frozen=True):
    """All paragraphs and rulings of a game, by id, in the order of the text."""

    paragraphs: Mapping[str, Paragraph]
    rulings: Mapping[str, Ruling]
    sections: Mapping[str, str]

    def settle(self, chosen: Mapping[str, str], edition: int | None = None) -> dict[str, str]:
        """A value for every ruling: the chosen ones checked, the others as at a table of that edition.

        Without an edition it is a new table, and the others are at their default. Raises Illegal for an
        unknown ruling or value.
        """
        for key, value in chosen.items():
            self.check(key, value)
        return {key: chosen.get(key, ruling.unset(edition)) for key, ruling in self.rulings.items()}

    def check(self, key: str, value: str) -> Ruling:
        """The ruling that can be so. Raises Illegal for an unknown ruling or value."""
        ruling = self.rulings.get(key)
        if ruling is None:
            known = ", ".join(self.rulings)
            raise Illegal(f"There is no ruling {key!r}; this game has {known}.")
        if all(value != option.value for option in ruling.options):
            ways = ", ".join(option.value for option in ruling.options)
            raise Illegal(f"Ruling {key!r} can be {ways}; not {value!r}.", ruling.rule)
        return ruling

    def completed(self, stored: Mapping[str, str], edition: int) -> dict[str, str]:
        """The rulings of a stored table of an edition: those that came later are as before they came.

        What is stored stays, also what this version has no ruling for any more.
        """
        later = {key: ruling.unset(edition) for key, ruling in self.rulings.items()}
        return {**later, **stored}

    def since(self, edition: int) -> tuple[Ruling, ...]:
        """The rulings that came after an edition, in the order of the text."""
        return tuple(ruling for ruling in self.rulings.values() if ruling.since > edition)


class _RulebookFile(msgspec.Struct):
    sections: dict[str, str]
    paragraph: list[Paragraph]


class _RulingsFile(msgspec.Struct):
    ruling: list[Ruling]


def read_rulebook(rulebook_toml: str, rulings_toml: str) -> Rulebook:
    """The rulebook from the text of a game's two files. Raises ValueError when they do not fit."""
    book = msgspec.convert(tomllib.loads(rulebook_toml), _RulebookFile)
    rulings = msgspec.convert(tomllib.loads(rulings_toml), _RulingsFile)
    paragraphs = {paragraph.id: paragraph for paragraph in book.paragraph}
    ids = [ruling.id for ruling in rulings.ruling]
    if len(set(ids)) != len(ids):
        raise ValueError(f"two rulings share an id: {', '.join(ids)}")
    if len(paragraphs) != len(book.paragraph):
        raise ValueError("two paragraphs share an id")
    for paragraph in book.paragraph:
        if paragraph.section not in book.sections:
            raise ValueError(f"{paragraph.id}: unknown section {paragraph.section!r}")
        if paragraph.ruling is not None and paragraph.ruling not in ids:
            raise ValueError(f"{paragraph.id}: unknown ruling {paragraph.ruling!r}")
    for ruling in rulings.ruling:
        if ruling.rule not in paragraphs:
            raise ValueError(f"ruling {ruling.id}: unknown rule {ruling.rule!r}")
        if all(ruling.default != option.value for option in ruling.options):
            raise ValueError(f"ruling {ruling.id}: its default is not one of its options")
        if ruling.since > 1 and all(ruling.before != option.value for option in ruling.options):
            raise ValueError(f"ruling {ruling.id}: `before` is not one of its options")
    return Rulebook(paragraphs, {ruling.id: ruling for ruling in rulings.ruling}, book.sections)
