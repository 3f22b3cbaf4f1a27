"""Folding a log of this game writes down what its facts say: nothing is found then that was not found before.

What any game must hold is in tests/contract/test_editions.py; here is what this one had to put into its facts.
"""

import random
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grimp
import msgspec
import pytest
from msgspec.structs import replace

from app.engine import sequence
from app.engine.log import Entry
from app.engine.sequence import Advance, Answer
from app.games.gunslingers import earlier, fog
from app.games.gunslingers.flight import abnormal
from app.games.gunslingers.flight.facts import GlocRolled
from app.games.gunslingers.model import State
from app.games.gunslingers.noted import Fact
from app.games.gunslingers.radar import receivers
from app.tables.codec import encode, event_decoder
from app.testing.player import Sitting, askable, at_random
from tests.games.gunslingers.table import GAME, Table, craft, position, warned

GAME_PACKAGE = "app.games.gunslingers"


def played(seed: int, fog_is: str, commands: int = 300) -> Sitting:
    """The beginning of a game by random choices."""
    rng = random.Random(seed)
    scenario = list(GAME.scenarios.values())[seed % len(GAME.scenarios)]
    data: dict[str, Any] = msgspec.to_builtins(scenario.setup)
    sitting = Sitting.open(GAME, data, {"fog": fog_is}, seed)
    for _ in range(commands):
        if sitting.todo() is None:
            break
        asked = askable(sitting)
        if not asked or any(decision.forced is not None for decision in asked):
            sitting.do(sitting.seats[0], Advance())
        else:
            decision = rng.choice(asked)
            sitting.do(decision.seat, Answer(decision.id, at_random(rng, decision)))
    return sitting


def folded(first: State, entries: Sequence[Entry]) -> list[State]:
    """The position after each entry, as its row is read."""
    decoder, state, found = event_decoder(GAME), first, [first]
    for entry in entries[1:]:
        state = sequence.evolve(GAME, state, decoder.decode(encode(entry.event)))
        found.append(state)
    return found


@pytest.mark.parametrize("fog_is", ["table", "soft", "hard"])
@pytest.mark.parametrize("seed", [4, 5, 6, 7])
def test_a_log_leads_where_it_led_whoever_knows_of_whom_by_then(
    fog_is: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = played(seed, fog_is)
    was = [sitting.states[entry.seq] for entry in sitting.entries]
    assert folded(was[0], sitting.entries) == was
    monkeypatch.setattr(fog, "knows", lambda state, one, viewer: one.side in viewer)
    monkeypatch.setattr(receivers, "hears", lambda state, one: False)
    monkeypatch.setattr(abnormal, "TURNS_OUT", abnormal.TURNS_OUT + 1)
    assert folded(was[0], sitting.entries) == was


def test_in_soft_fog_an_aircraft_is_remembered_where_it_was_lost() -> None:
    """Such losses are among the games above: their facts say so, and the memory is of the moment before."""
    sitting = played(5, "soft", 600)
    lost = 0
    for entry in sitting.entries[1:]:
        noted = entry.event.noted if isinstance(entry.event, Fact) else None
        for id in noted.value.lost if noted and noted.value else ():
            before, after = sitting.states[entry.seq - 1], sitting.states[entry.seq]
            one, known = before.aircraft[id], after.aircraft[id].known
            assert known is not None
            assert (known.pos, known.facing, known.altitude) == (one.pos, one.facing, one.altitude)
            assert known.turn == before.turn
            lost += 1
    assert lost


def test_what_is_noted_is_told_to_nobody() -> None:
    sitting = played(5, "soft", 600)
    told = 0
    for entry in sitting.entries[1:]:
        before, after = sitting.states[entry.seq - 1], sitting.states[entry.seq]
        if type(entry.event) not in GAME.events:
            continue
        for viewer in (frozenset({"blue"}), frozenset({"red"}), frozenset[str]()):
            event = GAME.tells(before, after, entry.event, viewer)
            assert not isinstance(event, Fact) or event.noted is None
            told += event is not None
    assert told > 100


def test_a_receiver_that_is_hit_tells_of_nothing_from_then_on() -> None:
    """What follows for receivers is found with the fact that silences one, not with the next lock."""
    seen = craft(
        side="red",
        place="2010",
        card_with={"rwr": "A"},
        damage="H",
        hits=("H",),
    )
    state = position(craft(contacts=("b",), locks=("b",)), seen)
    state = replace(warned(state), shaken=("b",))
    assert state.aircraft["b"].o.warned == ("a",)
    silent = set[bool]()
    for face in range(1, 11):
        table = Table(state, face, 1, 1, 1).begin("flight")
        one = table.craft("b")
        if "ecm" in one.o.out:
            assert one.o.warned == ()
            silent.add(True)
        assert table.refold() == table.state
    assert silent == {True}


def test_a_black_out_says_how_long_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Today's facts say it; one of the first edition did not, and meant two turns."""
    asleep = None
    for seed in range(3, 60):
        sitting = played(seed, "table", 200)
        found = [e for e in sitting.entries if isinstance(e.event, GlocRolled) and e.event.asleep]
        if found:
            asleep = sitting, found[0]
            break
    assert asleep is not None
    sitting, entry = asleep
    event = entry.event
    assert event.turns == abnormal.TURNS_OUT
    monkeypatch.setattr(abnormal, "TURNS_OUT", 7)
    monkeypatch.setattr(abnormal, "STRAIGHT", (9, 9))
    old = replace(event, turns=None, drift=None, noted=None)
    before, after = sitting.states[entry.seq - 1], sitting.states[entry.seq]
    assert sequence.evolve(GAME, before, old) == after
    assert after.aircraft[event.aircraft].gloc_until == before.turn + 2


def test_the_cards_of_the_first_edition_are_kept_as_they_were() -> None:
    opened = earlier.UPCASTERS[2]["Opened"]({"type": "Opened"})
    assert set(opened["cards"]) == {"aircraft", "missiles"}
    given = {"type": "Opened", "cards": {}}
    assert earlier.UPCASTERS[2]["Opened"](given)["cards"] == {}


def test_a_table_s_cards_tell_nothing_of_who_flies_what() -> None:
    one = msgspec.convert(msgspec.to_builtins(_setup("f-4e")), GAME.setup)
    other = msgspec.convert(msgspec.to_builtins(_setup("mig-17f")), GAME.setup)
    assert GAME.cards(one) == GAME.cards(other)


def _setup(card: str) -> dict[str, Any]:
    placed = {"id": "a", "side": "blue", "name": "A", "card": card, "place": "1010"}
    return {
        "title": "One",
        "aircraft": [{**placed, "facing": 0, "altitude": 10, "speed": 4}],
    }


def test_a_table_in_play_is_not_asked_whether_its_set_up_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rules look at a set-up when a table is opened. They may ask more of one by the time it is loaded."""
    setup = msgspec.convert(_setup("f-4e"), GAME.setup)
    settled = GAME.rulebook.settle({})
    first, cards = GAME.start(setup, settled), GAME.cards(setup)

    def refuses(*args: Any) -> None:
        raise AssertionError("a rule is asked")

    monkeypatch.setattr("app.games.gunslingers.setup.fits", refuses)
    assert GAME.begin(setup, settled, cards) == first
    with pytest.raises(AssertionError):
        GAME.start(setup, settled)


def test_each_module_is_of_facts_or_kept_from_them() -> None:
    """A module that is new belongs into one of the two lists of the contract in pyproject.toml."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    [contract] = [one for one in contracts if one["name"].startswith("Facts of Gunslingers")]
    facts, rules = set(contract["source_modules"]), set(contract["forbidden_modules"])
    graph = grimp.build_graph("app")
    packages = {one for one in graph.modules if graph.find_children(one)}
    inside = {one for one in graph.modules if one.startswith(f"{GAME_PACKAGE}.")} - packages
    assert inside == facts | rules
    assert not facts & rules
    events = {kind.__module__ for kind in GAME.events} | {GAME.evolve.__module__}
    assert events <= facts
    empty = {one for one in graph.modules & packages if one.startswith(f"{GAME_PACKAGE}.")}
    assert all(not graph.find_modules_directly_imported_by(one) for one in empty)
