"""Whole games by chance: no dead end, and the position is always the fold of what happened."""

import random
from collections import Counter

import msgspec
import pytest

from app.engine import sequence
from app.engine.dice import Pool, Rolled
from app.engine.errors import NotYourSeat
from app.engine.game import UnitView
from app.engine.log import Event, Finished, PhaseBegan
from app.engine.sequence import Advance, Answer, Decision
from app.games.osaaf.events import EVENTS
from app.games.osaaf.model import State
from app.odds import exact
from tests.games.osaaf.table import BOTH, GAME, Table, setup

GAMES = 300
CARDS = ("f-86f", "f-104c", "f-8e", "mirage-iiic", "su-9", "su-7b")


def random_setup(rng: random.Random) -> dict[str, object]:
    """A small board and low jets, so that edges, shots, stalls and crashes come up."""
    jets = [
        {
            "id": f"jet-{n}",
            "seat": rng.choice(("blue", "red")),
            "aircraft": rng.choice(CARDS),
            "name": f"Jet {n}",
            "hex": f"{rng.randint(4, 9):02}{rng.randint(4, 9):02}",
            "facing": rng.randrange(6),
            "altitude": rng.randint(1, 4),
            "speed": rng.randint(0, 5),
            "skill": rng.choice(("rookie", "regular", "veteran", "ace")),
            "fuel": rng.randint(0, 9),
            "hits": rng.randrange(2),
        }
        for n in range(rng.randint(1, 8))
    ]
    sun = rng.choice(("N", "E", "S", "W", "roll"))
    board = {"columns": 12, "rows": 12}
    night = rng.random() < 0.3
    return {"title": "Random", "board": board, "night": night, "sun": sun, "turns": 6, "jets": jets}


def random_rulings(rng: random.Random) -> dict[str, str]:
    rulings = GAME.rulebook.rulings.values()
    return {ruling.id: rng.choice(ruling.options).value for ruling in rulings}


def play_by_chance(rng: random.Random) -> Table:
    """A game to its end; each answer one of those that are not blocked."""
    table = Table(random_setup(rng), rulings=random_rulings(rng))
    while (step := table.step) is not None:
        if isinstance(step, Decision):
            free = [one for one in step.all_options if one.blocked is None]
            assert len(free) > 1, "a choice of one answers itself"
            table.choose(rng.choice(free).value)
        else:
            table.roll([rng.randint(1, step.pool.sides) for _ in range(step.pool.count)])
        assert len(table.happenings) < 5000
    return table


@pytest.mark.parametrize("part", range(10))
def test_random_games_come_to_an_end_and_fold(part: int) -> None:
    for n in range(GAMES // 10):
        table = play_by_chance(random.Random(f"{part}-{n}"))
        result = table.state.result
        assert result is not None
        assert result.reason in GAME.endings
        assert isinstance(table.happenings[-1].event, Finished)
        assert table.refold() == table.state
        names = GAME.names(msgspec.convert(random_setup(random.Random(f"{part}-{n}")), GAME.setup))
        for one in table.happenings:
            if not isinstance(one.event, PhaseBegan | Finished):
                assert GAME.tell(one.event, names).text.endswith(".")
            assert one.cite is not None
            assert GAME.rulebook.paragraphs[one.cite].standing == "rule"


def test_every_fact_and_ending_comes_up_by_chance() -> None:
    kinds: Counter[type[Event]] = Counter()
    endings: Counter[str] = Counter()
    for n in range(200):
        table = play_by_chance(random.Random(n))
        kinds.update(type(one.event) for one in table.happenings)
        assert table.state.result is not None
        endings[table.state.result.reason] += 1
    assert set(kinds) == {*EVENTS, PhaseBegan, Finished}
    assert set(endings) == set(GAME.endings)


def test_state_facts_and_units_survive_json() -> None:
    table = play_by_chance(random.Random(7))
    assert msgspec.json.decode(msgspec.json.encode(table.state), type=State) == table.state
    codec = msgspec.json.Decoder(GAME.events[0] | GAME.events[1])
    for kind in GAME.events[2:]:
        codec = msgspec.json.Decoder(codec.type | kind)
    for one in table.happenings:
        if isinstance(one.event, GAME.events):
            assert codec.decode(msgspec.json.encode(one.event)) == one.event
    units = list(GAME.units(table.state, frozenset()))
    assert msgspec.json.decode(msgspec.json.encode(units), type=list[UnitView]) == units


def test_aids_hold_in_any_position() -> None:
    rng = random.Random(3)
    table = Table(random_setup(rng))
    for _ in range(150):
        for jet in table.state.jets:
            for aid in GAME.aids:
                overlay = aid.draw(table.state, jet, exact)
                if overlay is None:
                    continue
                assert all(0 <= cell.shade <= 1 for cell in overlay.cells)
                if aid.id.startswith("heat-") and "Leaves" not in overlay.detail:
                    assert sum(cell.shade for cell in overlay.cells) == pytest.approx(1)
        step = table.step
        if step is None:
            break
        if isinstance(step, Decision):
            free = [one for one in step.all_options if one.blocked is None]
            table.choose(rng.choice(free).value)
        else:
            table.roll([rng.randint(1, 6) for _ in range(step.pool.count)])


def test_the_same_choices_and_dice_make_the_same_game() -> None:
    one, other = play_by_chance(random.Random(5)), play_by_chance(random.Random(5))
    assert one.happenings == other.happenings


def test_step_by_step_one_thing_happens_at_a_time() -> None:
    table = Table(random_setup(random.Random(11)))
    state, rng = table.start, random.Random(12)

    def throw(pool: Pool) -> Rolled:
        return Rolled(pool, tuple(rng.randint(1, 6) for _ in range(pool.count)))

    while (step := sequence.todo(GAME, state)) is not None:
        command = Advance()
        if isinstance(step, Decision) and step.forced is None:
            first = next(one.value for one in step.all_options if one.blocked is None)
            command = Answer(step.id, first if step.initial is None else step.initial)
        played = sequence.play(GAME, state, command, BOTH, throw, pace="step")
        assert len(played.happenings) == 1
        state = played.state
    assert state.result is not None


def test_no_seat_decides_for_another() -> None:
    jets = [{"seat": "red"}]
    table = Table(setup(jets), [(3,)])
    with pytest.raises(NotYourSeat):
        sequence.play(
            GAME,
            table.state,
            Answer(table.decision.id, table.decision.initial),
            frozenset({"blue"}),
            lambda pool: None,
        )
