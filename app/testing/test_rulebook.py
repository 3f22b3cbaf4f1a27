"""The rulebook and the code name the same rules.

That every id used exists is looked for in two places: in all that random games under every pair of
rulings offer, do and refuse, and in the game's source, for what no game of the sample reached. A
paragraph counts as enforced when a game cited it, or when the source names its full id: as a citation,
or in the words above the function that does what it says ("X-8 to X-13" names six). The second is only
a promise, so most rules must be met in play as well.
"""

import ast
import importlib
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.engine.game import Game
from app.engine.sequence import Decision, Effect, Roll, waiting
from app.testing.player import Sitting


def cited(sitting: Sitting) -> set[str]:
    """Every citation in a game that was played: of what happened, and of what could be chosen or not."""
    found: set[str | None] = {entry.cite for entry in sitting.entries}
    for moment in sitting.moments:
        for one in waiting(moment.step):
            found.add(one.cite)
            if isinstance(one, Decision):
                follow = one.reading("").next if one.draft is not None else ()
                for option in (*one.all_options, *follow):
                    found.add(option.cite)
                    if option.blocked is not None:
                        found.add(option.blocked.cite)
            else:
                assert isinstance(one, Roll | Effect)
    return {cite for cite in found if cite is not None}


@lru_cache
def source(package: str) -> tuple[str, ...]:
    """The text of each module of a package."""
    folder = Path(importlib.import_module(package).__file__ or "").parent
    return tuple(file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.py")))


@lru_cache
def literals(package: str) -> frozenset[str]:
    """All strings and names of members in the source of a package."""
    nodes = [node for text in source(package) for node in ast.walk(ast.parse(text))]
    strings = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return frozenset(strings | {n.attr for n in nodes if isinstance(n, ast.Attribute)})


def named(package: str, ids: Iterable[str]) -> set[str]:
    """Those of the ids that the source names in full, alone or within "first to last"."""
    text = "\n".join(source(package))
    found = {one for one in ids if re.search(rf"(?<![\w.-]){re.escape(one)}(?![\w-]|\.\d)", text)}
    for stem, first, last in re.findall(r"([\w-]+[-.])(\d+)\s+to\s+\1(\d+)", text):
        found |= {f"{stem}{n}" for n in range(int(first), int(last) + 1)}
    return found & set(ids)


def package_of(game: Game[Any]) -> str:
    """The package that holds a game's rules."""
    module = game.state.__module__
    return module if hasattr(sys.modules[module], "__path__") else module.rpartition(".")[0]


def test_what_is_cited_exists(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    paragraphs = set(game.rulebook.paragraphs)
    for sitting in sittings:
        assert cited(sitting) <= paragraphs
    assert {phase.cite for phase in game.phases} <= paragraphs
    prefix = next(iter(paragraphs)).partition("-")[0] + "-"
    shaped = {
        text
        for text in literals(package_of(game))
        if text.startswith(prefix) and text[-1].isdigit() and " " not in text
    }
    assert shaped <= paragraphs


def test_what_is_a_rule_is_enforced(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    used = named(package_of(game), game.rulebook.paragraphs)
    for sitting in sittings:
        used |= cited(sitting)
    unused = {
        paragraph.id
        for paragraph in game.rulebook.paragraphs.values()
        if paragraph.standing == "rule" and paragraph.id not in used
    }
    assert unused == set(), "cited nowhere: enforce them, or mark them planned or not_a_rule"


def test_most_rules_are_cited_in_play(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    """An id in the source proves little; most of them should turn up at the table too."""
    rules = {p.id for p in game.rulebook.paragraphs.values() if p.standing == "rule"}
    met = {cite for sitting in sittings for cite in cited(sitting)}
    assert len(rules & met) * 2 > len(rules), sorted(rules - met)


def test_every_decision_by_the_dice_or_a_seat_is_cited(sittings: tuple[Sitting, ...]) -> None:
    for sitting in sittings:
        for entry in sitting.entries[1:]:
            assert entry.cite, f"entry {entry.seq}, {type(entry.event).__name__}, has no rule"


def test_paragraphs_and_rulings_belong_together(game: Game[Any]) -> None:
    book = game.rulebook
    for paragraph in book.paragraphs.values():
        assert paragraph.summary
        assert paragraph.ruling is None or paragraph.ruling in book.rulings
    for ruling in book.rulings.values():
        assert len({option.value for option in ruling.options}) == len(ruling.options) >= 2
        assert any(p.ruling == ruling.id for p in book.paragraphs.values()), ruling.id
        assert ruling.id in literals(package_of(game)), f"no code asks for ruling {ruling.id}"
