"""In fog, ids are no words: a hidden aircraft may be called like anything else, and nobody sees a difference.

The same game is played twice by the same choices and dice: once with ids that occur nowhere else, once with words of
the game itself (cards, phases, answers, conditions, whatever stands in its modules). What each viewer is shown must be
the same but for the ids of those whom he knows.
"""

import ast
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.engine.naming import names_units
from app.engine.secret import Viewer, redact
from app.engine.sequence import Advance, Answer
from app.games import gunslingers
from app.games.gunslingers.events import EVENTS
from app.games.gunslingers.flight.cards import printed_cards
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.model import State
from app.testing.player import Sitting, askable, at_random
from tests.games.gunslingers.table import GAME, craft, setup

VIEWERS: tuple[Viewer, ...] = (frozenset(), frozenset({"blue"}), frozenset({"red"}))
PLAIN: tuple[str, ...] = ("qqone", "qqtwo", "qqthree", "qqfour")
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")
COMMANDS = 90


def words() -> list[str]:
    """Every word of the game that could be somebody's id: in its modules, cards, missiles and rules."""
    folder = Path(str(gunslingers.__file__)).parent
    found = {*printed_cards(), *printed_missiles(), *GAME.scenarios, *GAME.rulebook.rulings}
    for source in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    found |= {f"missile-{n}" for n in range(1, 4)}
    found |= {one.id for one in GAME.phases}
    return sorted(word for word in found - {"blue", "red"} if ID.fullmatch(word))


def sitting(ids: tuple[str, ...], fog: str, seed: int) -> Sitting:
    """A game of two against two, begun where they soon meet."""
    arms = [{"missile": "ir-rear", "count": 2}]
    crafts = [
        craft(
            id=id,
            name=f"Name {n}",
            side="blue" if n < 2 else "red",
            card="f-4e" if n < 2 else "mig-21mf",
            place=f"{'16' if n < 2 else '23'}{12 + 2 * (n % 2)}",
            facing=3 if n < 2 else 9,
            stores=arms,
            contacts=[ids[2]] if n == 0 else [],
        )
        for n, id in enumerate(ids)
    ]
    return Sitting.open(GAME, setup(*crafts, turns=3), {"fog": fog}, seed, pace="step")


def moves(seed: int, of: Sitting) -> Iterator[Sitting]:
    """Play on by choices that depend on their number alone; yields after each command."""
    rng = random.Random(seed)
    for _ in range(COMMANDS):
        if of.todo() is None:
            return
        asked = askable(of)
        if not asked or any(one.forced is not None for one in asked):
            of.do(of.seats[0], Advance())
        else:
            one = asked[0]
            of.do(one.seat, Answer(one.id, at_random(rng, one)))
        yield of


def shown(of: Sitting, viewer: Viewer) -> Any:
    """What a viewer is shown of the last fact and the position after it, as plain data."""
    last = of.entries[-1]
    sent = GAME.view(redact(of.state, viewer), viewer)
    told: Any = None
    if type(last.event) in GAME.events:
        before, after = of.states[last.seq - 1], of.states[last.seq]
        event = GAME.tells(before, after, redact(last.event, viewer), viewer)
        told = None if event is None else [event, GAME.tell(event, GAME.names(of.setup))]
    aircraft = list(sent.aircraft.items())
    out = [
        GAME.units(sent, viewer),
        GAME.facts(sent),
        GAME.marks(sent, viewer),
        GAME.queue(sent, viewer),
        told,
        aircraft,
    ]
    return msgspec.json.decode(msgspec.json.encode(out))


def same(one: Any, two: Any, names: Mapping[str, str], path: str = "") -> None:
    """Raises unless two things are the same, but that ids of the first stand under their `names` in the second."""
    assert type(one) is type(two), path
    if isinstance(one, dict):
        assert [_named(key, names) for key in one] == list(two), path
        for key, other in zip(one, two, strict=True):
            same(one[key], two[other], names, f"{path}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(two), path
        for n, (each, other) in enumerate(zip(one, two, strict=True)):
            same(each, other, names, f"{path}[{n}]")
    elif isinstance(one, str):
        assert _named(one, names) == two, path
    else:
        assert one == two, path


def _named(text: str, names: Mapping[str, str]) -> str:
    for plain, word in names.items():
        text = text.replace(plain, word)
    return text


def check(ids: tuple[str, ...], fog: str, seed: int) -> int:
    """Play both games side by side. Returns how often somebody was hidden from a viewer."""
    names = dict(zip(PLAIN, ids, strict=True))
    plain, worded = sitting(PLAIN, fog, seed), sitting(ids, fog, seed)
    hidden = 0
    for one, two in zip(moves(seed, plain), moves(seed, worded), strict=True):
        for viewer in VIEWERS:
            first = shown(one, viewer)
            hidden += len(first[5]) < len(PLAIN)
            same(first, shown(two, viewer), names)
    return hidden


def test_every_fact_and_the_position_tell_by_their_types_whom_they_name() -> None:
    assert names_units(State)
    assert sum(map(names_units, EVENTS)) > len(EVENTS) / 2


@pytest.mark.parametrize("fog", ["hard", "soft"])
@pytest.mark.parametrize(
    "ids",
    [
        ("hold", "stay", "over", "search"),
        ("fighter", "veteran", "f-4e", "rh-medium"),
        ("missile-1", "on", "off", "missile-2"),
        ("by", "no", "locks", "searches"),
    ],
    ids="-".join,
)
def test_an_id_may_be_any_word(ids: tuple[str, ...], fog: str) -> None:
    assert check(ids, fog, 7)


@pytest.mark.parametrize("seed", range(6))
def test_random_words_of_the_game_are_ids_as_good_as_others(seed: int) -> None:
    rng = random.Random(seed)
    first, second, third, fourth = rng.sample(words(), 4)
    assert check((first, second, third, fourth), rng.choice(("hard", "soft")), seed)


def test_there_are_many_words() -> None:
    assert len(words()) > 200
    assert {"fighter", "veteran", "f-4e", "rh-medium", "hold", "stay"} <= set(words())
