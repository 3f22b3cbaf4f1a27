"""A table is played by the edition that it was opened by: facts are written down, not worked out again.

Stored tables of past editions (tests/golden) and games played here are folded while the game's rules and files are
others than they were: nothing of a position may change.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import Any, cast

import msgspec
import pytest

from app.bots import answer
from app.engine import sequence
from app.engine.editions import upcast
from app.engine.game import Game, no_cards
from app.engine.log import Entry, Finished, RulingsAdopted, live
from app.engine.secret import redact
from app.engine.sequence import open_decisions
from app.tables.codec import encode, event_decoder
from app.tables.live import LiveTable, setup_of
from app.testing.games import load
from app.testing.player import at_random, play_game
from tests.golden import stored


def tables_of(game: Game[Any]) -> list[str]:
    """The stored tables of a game."""
    return [name for name in stored.names() if stored.read(name).game == game.meta.id]


@lru_cache
def courses(game: str) -> tuple[tuple[Any, tuple[Entry, ...]], ...]:
    """Games of past editions, and one of each scenario of today's: where they begin, and their entries."""
    loaded = load(game)
    found = [course_of(stored.read(name).live(loaded)) for name in tables_of(loaded)]
    for number, scenario in enumerate(loaded.scenarios.values()):
        sitting = play_game(loaded, scenario.setup, {}, number, choose=at_random)
        found.append((sitting.states[1], tuple(live(sitting.entries))))
    return tuple(found)


def course_of(table: LiveTable) -> tuple[Any, tuple[Entry, ...]]:
    """Where a table began, and its entries that count."""
    first = table.game.begin(
        setup_of(table.game, table.opened.setup), table.opened.rulings, table.opened.cards
    )
    if table.people:
        first = table.state_at(1)
    return first, tuple(live(table.entries))


def fold(game: Game[Any], first: Any, entries: tuple[Entry, ...]) -> Iterator[Any]:
    """The position after each entry."""
    state = first
    for entry in entries:
        if entry.kind != "table" or isinstance(entry.event, Finished | RulingsAdopted):
            state = sequence.evolve(game, state, entry.event)
        yield state


# Facts run no rule


def modules_of(game: Game[Any]) -> dict[str, ModuleType]:
    """All modules of a game that are loaded, by name."""
    root = _root(game)
    return {
        name: module
        for name, module in sys.modules.items()
        if name == root or name.startswith(f"{root}.")
    }


def _root(game: Game[Any]) -> str:
    """The game's package: what the modules of its facts and its state have in common."""
    names = {game.state.__module__, *(kind.__module__ for kind in game.events)}
    parts = [name.split(".") for name in names]
    common = [column[0] for column in zip(*parts, strict=False) if len(set(column)) == 1]
    return ".".join(common) if len(names) > 1 else parts[0][0] + "." + parts[0][1]


def nouns_and_facts(game: Game[Any]) -> set[str]:
    """The modules that say what a position is made of, what can happen to it, and what that meant in earlier editions."""
    return {
        game.evolve.__module__,
        game.adopt.__module__,
        *(step.__module__ for steps in game.upcasters.values() for step in steps.values()),
        *(kind.__module__ for kind in game.events),
        *(kind.__module__ for facts in (game.state, *game.events) for kind in structs_in(facts)),
    }


def structs_in(kind: Any) -> set[Any]:
    """Every struct and named tuple in a type."""
    found = set[Any]()
    _walk(msgspec.inspect.type_info(kind), found)
    return found


def _walk(info: Any, seen: set[Any]) -> None:
    if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.NamedTupleType):
        if info.cls in seen:
            return
        seen.add(info.cls)
        for field in info.fields:
            _walk(field.type, seen)
    for part in ("item_type", "key_type", "value_type"):
        if (inner := getattr(info, part, None)) is not None:
            _walk(inner, seen)
    for part in ("item_types", "types"):
        for inner in getattr(info, part, ()):
            _walk(inner, seen)


def other(value: Any) -> Any:
    """The same kind of value with other numbers in it; the value itself where there are none."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return value * 7 + 13
    if isinstance(value, tuple) and type(value) is tuple:
        made = tuple(other(one) for one in cast("tuple[Any, ...]", value))
        return made if made != value else cast("Any", value)
    if isinstance(value, dict):
        rows = cast("dict[Any, Any]", value)
        made = {key: other(one) for key, one in rows.items()}
        return made if made != rows else rows
    return value


def alien(game: Game[Any], patch: pytest.MonkeyPatch) -> int:
    """Make every number of the game another one, and let no rule be asked. Returns how many things changed.

    The numbers that a module of facts has for itself alone stay: they say what its own words mean ("left-2"), and
    change with the form of its facts.
    """
    facts = nouns_and_facts(game)
    inside = modules_of(game)
    words = {game.evolve.__module__, *(kind.__module__ for kind in game.events)}
    shared = Counter(key for module in inside.values() for key in vars(module))
    changed = 0
    for module in inside.values():
        for key, value in vars(module).copy().items():
            if key.startswith("__"):
                continue
            if isinstance(value, FunctionType) or hasattr(value, "cache_clear"):
                home = value.__module__
                if home in inside and home not in facts:
                    patch.setattr(module, key, _forbidden(home, key))
                    changed += 1
            elif module.__name__ in words and shared[key] == 1:
                continue
            elif (replaced := other(value)) is not value:
                patch.setattr(module, key, replaced)
                changed += 1
    return changed


def _forbidden(home: str, key: str) -> Any:
    def asked(*args: Any, **named: Any) -> Any:
        raise AssertionError(f"folding asks {home}.{key}")

    return asked


def test_folding_runs_no_rule_and_reads_no_number_of_one(game: Game[Any]) -> None:
    """With all rules gone and all numbers changed, each log leads where it led."""
    played = courses(game.meta.id)
    before = [list(fold(game, first, entries)) for first, entries in played]
    assert sum(map(len, before)) > 100
    with pytest.MonkeyPatch.context() as patch:
        assert alien(game, patch) > 10
        after = [list(fold(game, first, entries)) for first, entries in played]
    assert after == before


def test_modules_of_facts_import_nouns_and_facts_alone(game: Game[Any]) -> None:
    """What a fact leads to can't be worked out by what it does not know of."""
    facts, inside = nouns_and_facts(game), modules_of(game)
    for name in facts & inside.keys():
        for value in vars(inside[name]).values():
            home = value.__name__ if isinstance(value, ModuleType) else _home(value)
            if home in inside and home != name:
                assert home in facts, f"{name} imports from {home}"


def _home(value: Any) -> str:
    return getattr(value, "__module__", "") if isinstance(value, FunctionType | type) else ""


# Cards are kept with the table


def seen(game: Game[Any], state: Any, seats: Sequence[str]) -> Any:
    """What the rules and the pages make of a position, as far as it can be compared."""
    step = sequence.todo(game, state)
    viewers = [frozenset({seat}) for seat in seats] + [frozenset[str]()]
    views = [game.view(redact(state, viewer), viewer) for viewer in viewers]
    asked = [
        (
            one.id,
            one.title,
            [
                (option.key, option.label, option.detail, option.blocked)
                for option in one.all_options
            ],
        )
        for one in open_decisions(step)
    ]
    shown = [
        (
            game.units(view, viewer),
            game.marks(view, viewer),
            game.queue(view, viewer),
            game.facts(view),
            game.scene(view, viewer),
        )
        for view, viewer in zip(views, viewers, strict=True)
    ]
    answers = [
        answer(game, state, decision, bot, random.Random(1)).choice
        for decision in open_decisions(step)
        for bot in game.bots
    ]
    told = game.fates(state), game.measures(state), game.standings(state)
    return getattr(step, "id", None), asked, shown, answers, told


def clear_caches(game: Game[Any]) -> None:
    """Forget what the game has read."""
    for module in modules_of(game).values():
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def test_cards_are_read_from_the_table_and_from_no_file(
    game: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table opened with these cards is the same when their files say something else, or nothing at all."""
    if game.cards is no_cards or not tables_of(game):
        return  # a game without cards, or without a past, has nothing to read
    rows = [stored.read(name) for name in tables_of(game)]
    every = [range(1, one.live().version, 23) for one in rows]

    def looked() -> list[Any]:
        tables = [one.live() for one in rows]
        return [
            (table.state, [seen(game, table.state_at(seq), list(table.claims)) for seq in seqs])
            for table, seqs in zip(tables, every, strict=True)
        ]

    before = looked()
    clear_caches(game)
    monkeypatch.setattr("tomllib.loads", _no_file)
    assert looked() == before
    monkeypatch.undo()
    clear_caches(game)


def _no_file(text: str) -> Any:
    raise AssertionError("a file is read")


def test_cards_are_plain_data_and_enough_to_begin_by(game: Game[Any]) -> None:
    for scenario in game.scenarios.values():
        setup = setup_of(game, scenario.setup)
        settled = game.rulebook.settle({})
        cards = game.cards(setup)
        kept: Mapping[str, Any] = msgspec.json.decode(encode(cards))
        assert game.begin(setup, settled, kept) == game.start(setup, settled)


def test_what_is_written_today_is_read_as_it_is(game: Game[Any]) -> None:
    """Tables that go on under a later version hold both forms: upcasters leave the new one alone."""
    for _, entries in courses(game.meta.id):
        for entry in entries[1:]:  # the first entry says itself of which edition it is
            written = encode(entry.event)
            assert upcast(msgspec.json.decode(written), 0, game.upcasters) == (
                msgspec.json.decode(written)
            )


def test_every_table_of_a_past_edition_is_read(game: Game[Any]) -> None:
    for name in tables_of(game):
        one = stored.read(name)
        decoder = event_decoder(game, one.rows[0]["event"])
        table = one.live(game)
        assert table.opened.rules == one.edition <= game.rules
        assert set(game.rulebook.rulings) <= set(table.opened.rulings)
        assert [type(decoder.decode(row["event"])).__name__ for row in one.rows] == [
            msgspec.json.decode(row["event"])["type"] for row in one.rows
        ]


def test_a_ruling_that_is_adopted_is_as_if_the_table_had_it(game: Game[Any]) -> None:
    """Where that is not so, the ruling says why it is `fixed`."""
    for scenario in game.scenarios.values():
        setup = setup_of(game, scenario.setup)
        first = game.start(setup, game.rulebook.settle({}))
        for ruling in game.rulebook.rulings.values():
            for option in ruling.options:
                chosen = {ruling.id: option.value}
                adopted = game.adopt(first, chosen)
                meant = game.start(setup, game.rulebook.settle(chosen))
                assert adopted == meant or ruling.fixed, (ruling.id, option.value)
