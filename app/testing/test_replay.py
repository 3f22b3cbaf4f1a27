"""The same choices and dice make the same game; other dice another one."""

import random
from typing import Any

import pytest

from app.engine.game import Game
from app.engine.log import PhaseBegan
from app.engine.sequence import Advance, Answer, Effect, Happening, evolve, todo
from app.testing.player import Moment, Sitting, play_game


def test_same_seed_same_game(game: Game[Any]) -> None:
    for scenario in game.scenarios.values():
        one = play_game(game, scenario.setup, {}, 42)
        two = play_game(game, scenario.setup, {}, 42)
        assert one.entries == two.entries
        assert len(one.entries) > 1


def test_choices_and_dice_are_all_that_matters(sittings: tuple[Sitting, ...]) -> None:
    """A game played step by step, played again in flow: the same facts in the same order."""
    for stepped in sittings:
        flowing = Sitting.open(
            stepped.game,
            stepped.entries[0].event.setup,
            stepped.rulings,
            int.from_bytes(stepped.cup.seed, "big"),
            words=stepped.cup.words,
        )
        for moment in stepped.moments:
            if isinstance(moment.command, Answer):
                flowing.do(moment.seat, moment.command)
        assert flowing.state == stepped.state
        assert [e.event for e in flowing.entries[1:]] == [e.event for e in stepped.entries[1:]]
        assert [e.dice for e in flowing.entries] == [e.dice for e in stepped.entries]
        assert [e.cite for e in flowing.entries] == [e.cite for e in stepped.entries]


def test_one_step_at_a_time(sittings: tuple[Sitting, ...]) -> None:
    """In pace "step" no command does more than one thing, but for sealed answers that fall together."""
    for sitting in sittings:
        assert len(sitting.states) > 2
        for moment in sitting.moments:
            done = waited_for(sitting.game, moment)
            if isinstance(moment.command, Advance):
                assert len(done) == 1
            else:
                assert all(one.kind == "decision" for one in done)
                # A seat may owe several, one for each of its units.
                assert len({(one.seat, one.unit) for one in done}) == len(done)


def waited_for(game: Game[Any], moment: Moment) -> list[Happening]:
    """What a command did, without what is passing and waits in no pace."""
    state, done = moment.state, []
    for one in moment.played.happenings:
        step = todo(game, state)
        if not (isinstance(step, Effect) and step.passing):
            done.append(one)
        state = evolve(game, state, one.event)
    return done


ENOUGH_DICE = 10


def test_a_word_changes_the_dice(game: Game[Any]) -> None:
    scenario = next(iter(game.scenarios.values()))
    silent = play_game(game, scenario.setup, {}, 7)
    said = play_game(game, scenario.setup, {}, 7, words=("otter",))
    if min(len(first_faces(silent)), len(first_faces(said))) < ENOUGH_DICE:
        pytest.skip("too few dice to tell: they may fall alike by chance")
    assert first_faces(silent) != first_faces(said)


def first_faces(sitting: Sitting) -> list[int]:
    """The first dice of a game, one after another."""
    faces = [face for e in sitting.entries if e.dice is not None for face in e.dice.faces]
    return faces[:ENOUGH_DICE]


def test_phases_come_in_order_and_turns_count_up(
    game: Game[Any], sittings: tuple[Sitting, ...]
) -> None:
    order = [phase.id for phase in game.phases]
    for sitting in sittings:
        begun = [e.event for e in sitting.entries if isinstance(e.event, PhaseBegan)]
        expected = [(turn, phase) for turn in range(1, sitting.state.turn + 1) for phase in order]
        assert [(one.turn, one.phase) for one in begun] == expected[: len(begun)]


def test_the_table_shows_what_there_is(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    """Units stand on the board under names that never change; every fact has a log line.

    A unit that comes into being in play has no name in the set-up, and keeps the one that it comes with.
    """
    rng = random.Random(1)
    for sitting in sittings:
        names = game.names(sitting.setup)
        called = dict(names)
        seats = game.seats(sitting.setup)
        assert len({seat.mark for seat in seats}) == len(seats) in (1, 2)
        assert all(seat.id in names for seat in seats)
        board = game.board(sitting.setup)
        for moment in rng.sample(sitting.moments, min(8, len(sitting.moments))):
            units = game.units(moment.state, frozenset(sitting.seats))
            assert len({unit.id for unit in units}) == len(units)
            for unit in units:
                assert unit.seat in sitting.seats
                assert called.setdefault(unit.id, unit.name) == unit.name
                if board is not None and unit.hex is not None:
                    assert any(on(board, label) for label in unit.hex.split("/"))
        for entry in sitting.entries:
            if type(entry.event) in game.events:
                assert game.tell(entry.event, names).text


def on(board: Any, label: str) -> bool:
    """Whether a label is one of a board's hexes."""
    return 1 <= int(label[:2]) <= board.columns and 1 <= int(label[2:]) <= board.rows


def test_steps_belong_to_their_phase(game: Game[Any], sittings: tuple[Sitting, ...]) -> None:
    """A step that no phase lists would light up nothing in the phase track."""
    steps = {phase.id: {step.id for step in phase.steps} for phase in game.phases}
    for sitting in sittings:
        for moment in sitting.moments:
            pending = moment.step if isinstance(moment.step, tuple) else (moment.step,)
            for one in pending:
                assert one is not None
                assert one.step is None or one.step in steps[moment.state.phase]
