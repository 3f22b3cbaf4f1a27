"""The log is the game: folding it is playing it, through JSON too, and with anything taken back."""

import random
from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.game import Game
from app.engine.log import Entry, Opened, Takeback, last_decision, live, struck, takeback_to
from app.testing.games import game_ids, load
from app.testing.player import Sitting, askable, fold, play_tape, settlement

# Left to itself, Hypothesis draws lists of about five.
tapes = st.integers(0, 120).flatmap(
    lambda length: st.lists(st.integers(0, 500), min_size=length, max_size=length)
)


unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A whole game takes the time that it takes."""


def last(sittings: Iterator[Sitting]) -> Sitting:
    """The table after all of it."""
    *_, sitting = sittings
    return sitting


def set_ups(game: Game[Any]) -> st.SearchStrategy[Any]:
    return st.sampled_from(list(game.scenarios)).map(lambda name: game.scenarios[name].setup)


def test_folding_the_log_gives_the_state_of_play(sittings: tuple[Sitting, ...]) -> None:
    for sitting in sittings:
        assert sitting.fold() == sitting.state
        assert sitting.states[len(sitting.entries)] == sitting.state


def test_events_and_states_survive_json(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    """A table read back from storage must be the table that was written."""
    events = msgspec.json.Decoder(reduce(or_, game.event_types.values()))
    states = msgspec.json.Decoder(game.state)
    for sitting in sittings:
        read = [events.decode(msgspec.json.encode(entry.event)) for entry in sitting.entries]
        assert read == [entry.event for entry in sitting.entries]
        assert [type(event) for event in read] == [type(e.event) for e in sitting.entries]
        state = states.decode(msgspec.json.encode(sitting.state))
        assert state == sitting.state
        assert fold(game, sitting.setup, sitting.rulings, iter(read)) == sitting.state
        for moment in sitting.moments[::7]:
            assert states.decode(msgspec.json.encode(moment.state)) == moment.state


def test_the_set_up_and_rulings_in_the_first_entry_are_enough(
    game: Game[Any], sittings: tuple[Sitting, ...]
) -> None:
    for sitting in sittings:
        opened = msgspec.json.decode(
            msgspec.json.encode(sitting.entries[0].event), type=game.event_types["Opened"]
        )
        assert isinstance(opened, Opened)
        setup = msgspec.convert(opened.setup, game.setup)
        events = (entry.event for entry in sitting.entries)
        assert fold(game, setup, opened.rulings, events) == sitting.state


def test_every_entry_names_its_turn_and_phase(
    game: Game[Any], sittings: tuple[Sitting, ...]
) -> None:
    for sitting in sittings:
        for entry in sitting.entries[1:]:
            state = sitting.states[entry.seq]
            assert (entry.turn, entry.phase) == (state.turn, state.phase)
            assert type(entry.event) in game.event_types.values()
            assert entry.seat is None or entry.seat in sitting.seats


@pytest.mark.parametrize("game_id", game_ids())
@unhurried
@given(data=st.data())
def test_random_play_folds(game_id: str, data: st.DataObject) -> None:
    """The same as above, but a fault here is shrunk to the shortest game that shows it."""
    game = load(game_id)
    rulings = settlement(game, data.draw(st.integers(0, 1000), "rulings"), [])
    tape = data.draw(tapes, "tape")
    seed = data.draw(st.integers(0, 1000), "seed")
    sitting = last(play_tape(game, data.draw(set_ups(game), "setup"), rulings, seed, tape))
    assert sitting.fold() == sitting.state


@pytest.mark.parametrize("game_id", game_ids())
@unhurried
@given(data=st.data())
def test_take_backs(game_id: str, data: st.DataObject) -> None:
    """Whatever is taken back, the log and the state agree, and dice never come back."""
    game = load(game_id)
    setup = data.draw(set_ups(game), "setup")
    tape = data.draw(tapes, "tape")
    seed = data.draw(st.integers(0, 1000), "seed")
    sitting = last(play_tape(game, setup, {}, seed, tape, rewinds=True))
    everything = {entry.seq for entry in sitting.entries}
    rewound = {entry.seq for entry in sitting.entries if type(entry.event).__name__ == "Rewound"}
    assert tuple(entry.seq for entry in live(sitting.entries)) == sitting.live
    # A Rewound neither counts for the game nor, by itself, is taken back.
    assert struck(sitting.entries) - rewound == everything - rewound - set(sitting.live)
    assert sitting.fold() == sitting.state
    rolled = [entry.dice for entry in sitting.entries if entry.dice is not None]
    for before, after in pairwise(rolled):
        assert before.index is not None
        assert after.index == before.index + before.pool.count
    _check_limits(sitting, random.Random(seed))


def _check_limits(sitting: Sitting, rng: random.Random) -> None:
    seats = sitting.seats
    counting = [sitting.entries[seq - 1] for seq in sitting.live]
    for viewer in (
        frozenset[str](),
        *(frozenset({seat}) for seat in seats),
        frozenset(seats),
    ):
        mine = [e for e in counting if e.kind == "decision" and e.seat in viewer]
        assert last_decision(sitting.entries, viewer) == (mine[-1] if mine else None)
        for to in rng.sample(sitting.live, min(8, len(sitting.live))):
            undone = [e for e in counting if e.seq > to and e.kind != "table"]
            expected = Takeback(to, _limit(undone, viewer), len(undone))
            assert takeback_to(sitting.entries, to, viewer) == expected
    assert takeback_to(sitting.entries, 0, frozenset(seats)).passes == "start"


def _limit(undone: list[Entry], viewer: frozenset[str]) -> Any:
    """The rule as the players know it: what was shown or rolled or decided by others stays."""
    if any(e.event.reveals() for e in undone):
        return "reveal"
    if any(e.dice is not None for e in undone):
        return "roll"
    others = any(e.kind == "decision" and e.seat not in viewer for e in undone)
    return "other" if others else ""


def test_play_goes_on_from_a_take_back(game: Game[Any]) -> None:
    """After two take-backs, one of them to the start, the game still comes to its end."""
    no_seven = [number for number in range(1, 3000) if number % 7]
    for scenario in game.scenarios.values():
        # Two choices after those that are asked at once, if a short game has as many.
        choices = len(list(play_tape(game, scenario.setup, {}, 5, no_seven))) - 1
        at_once = len(askable(Sitting.open(game, scenario.setup, {}, 5)))
        few = no_seven[: min(choices, at_once + 2)]
        first = 3 if choices > 2 else 1
        tape = [*few, 7 * first, *few, 7 * 1, *no_seven]
        sitting = last(play_tape(game, scenario.setup, {}, 5, tape, rewinds=True))
        assert sitting.todo() is None
        assert sitting.fold() == sitting.state
        assert struck(sitting.entries)
