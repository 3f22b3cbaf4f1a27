"""In fog each side is asked the same, and throws as many dice, whoever is hidden and wherever he is (GS-4-F1)."""

from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.secret import Secret, Viewer, redact
from app.engine.sequence import Roll, waiting
from app.games.gunslingers import hearing
from app.games.gunslingers.missiles.facts import LaunchDeclared, LaunchesOpened
from app.games.gunslingers.model import State
from app.games.gunslingers.sighting.facts import Looked, Sighted
from app.games.gunslingers.steps import StepBegan
from tests.games.gunslingers.table import GAME, Table, craft, position

SPECTATOR: Viewer = frozenset()
BLUE: Viewer = frozenset({"blue"})
RED: Viewer = frozenset({"red"})
FOG = {"fog": "hard"}
PLACES = ("2013", "2010", "0101", "3902")
"""In front of Blue and near, farther off, and where nobody sees or reaches him."""

ARMED: dict[str, Any] = {"stores": [{"missile": "ir-rear", "count": 2}]}


def facing(place: str, **red: Any) -> State:
    """One of Blue at 2015 that faces north, one of Red somewhere, unseen."""
    given = {"side": "red", "place": place, "card": "mig-17f", **red}
    return position(craft(**ARMED), craft(**given), rulings=FOG)


@pytest.mark.parametrize("place", ["2003", "2001", "0101", "3902"])
def test_eyes_have_a_die_for_each_enemy_wherever_he_is(place: str) -> None:
    """GS-VIS-7, GS-VIS-9."""
    table = Table(facing(place)).begin("sighting", "GS-VIS-7")
    assert [(one.id, one.sealed) for one in table.decisions] == [
        ("watch:blue", True),
        ("watch:red", True),
    ]
    for side in ("blue", "red"):
        table.choose("", offer=f"watch:{side}")
    assert (table.waiting_roll.id, table.waiting_roll.pool.count) == ("search:blue", 1)
    table.roll(10, 10)
    assert not table.facts(Sighted)
    assert [one.side for one in table.facts(Looked)] == ["blue", "red"]


@pytest.mark.parametrize(("face", "seen"), [(1, True), (10, False)])
def test_a_die_finds_him_as_the_rule_says(face: int, seen: bool) -> None:
    """GS-VIS-9a: the same number as where nothing is hidden."""
    table = Table(facing("2003")).begin("sighting", "GS-VIS-7")
    table.choose("", offer="watch:blue").choose("", offer="watch:red").roll(face, 10)
    assert ("blue" in table.craft("b").sighted_by) is seen
    assert [one.targets for one in table.facts(Sighted)] == ([("b",)] if seen else [])
    look = next(look for one in table.facts(Looked) for look in one.looks.value or ())
    open_table = Table(position(craft(**ARMED), craft(side="red", place="2003", card="mig-17f")))
    open_table.begin("sighting")
    assert look.roll.need - look.roll.modifier == _reach(open_table)


def _reach(table: Table) -> int:
    roll = table.waiting_roll
    assert roll.unit == "a"
    return max(face for face in range(1, 11) if roll.happen((face,)).roll.made)  # pyright: ignore


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("sighted", [False, True])
def test_each_side_is_asked_whether_anybody_launches(place: str, sighted: bool) -> None:
    """GS-AAM-2: also where nobody could, and nobody else is told what it answers."""
    state = facing(place, sighted=sighted, facing=0)
    table = Table(state).begin("launch", "GS-AAM-2")
    assert [one.id for one in table.decisions] == ["launches:blue", "launches:red"]
    assert all(one.sealed for one in table.decisions)
    table.choose("hold", offer="launches:blue").choose("hold", offer="launches:red")
    assert len(table.facts(LaunchesOpened)) == 2
    assert not table.facts(LaunchDeclared)


def test_whoever_opens_launches_is_asked_by_aircraft() -> None:
    state = facing("2013", sighted=True, facing=0)
    armed = Table(state).begin("launch", "GS-AAM-2")
    blocked = {one.value: one.blocked is not None for one in armed.decisions[0].all_options}
    none = Table(facing("0101")).begin("launch", "GS-AAM-2")
    shut = {one.value: one.blocked is not None for one in none.decisions[0].all_options}
    assert shut == {"hold": False, "open": True}
    assert blocked.keys() == shut.keys()


@pytest.mark.parametrize("place", PLACES)
def test_radars_have_the_same_questions_and_dice_wherever_he_is(place: str) -> None:
    """GS-RAD-3, GS-RAD-4."""
    table = Table(facing(place)).begin("radar")
    pools: list[tuple[str, int]] = []
    while isinstance(table.step, Roll):
        pools.append((table.step.id, table.step.pool.count))
        table.roll(*[10] * table.step.pool.count)
    assert pools == [("radar-search:blue", 1)]
    assert [one.id for one in table.decisions] == ["lock-plan:blue", "lock-plan:red"]


def test_others_are_not_told_what_a_side_declines_or_throws() -> None:
    state = facing("2013", sighted=True)
    own = (
        LaunchesOpened("blue", Secret(False, ("blue",))),
        LaunchDeclared("a", None),
        Looked("blue", Secret((), ("blue",))),
    )
    for event in own:
        assert told(state, event, BLUE) == event
        assert told(state, event, RED) is None
        assert told(state, event, SPECTATOR) is None
    for viewer in (BLUE, RED, SPECTATOR):
        assert told(state, StepBegan("GS-VIS-9", ("GS-VIS-8",)), viewer) is None
    both = frozenset({"blue", "red"})
    assert told(state, StepBegan("GS-VIS-9"), both) == StepBegan("GS-VIS-9")


def told(state: State, event: Event, viewer: Viewer) -> Event | None:
    return GAME.tells(state, state, redact(event, viewer), viewer)


def test_others_may_know_of_questions_that_always_come_and_of_no_others() -> None:
    table = Table(facing("2013")).begin("sighting", "GS-VIS-7")
    assert {hearing.asks(table.state, one, SPECTATOR) for one in waiting(table.step)} == {"all"}
    table = Table(facing("2013")).begin("radar")
    assert {hearing.asks(table.state, one, RED) for one in waiting(table.step)} == {"nothing"}
    assert {hearing.asks(table.state, one, BLUE | RED) for one in waiting(table.step)} == {"all"}


@pytest.mark.parametrize(("turn", "first"), [(1, "a"), (2, "b")])
def test_ties_that_all_dice_leave_are_settled_in_turns(turn: int, first: str) -> None:
    """GS-OOF-3: two dice each fall in fog, tied or not; equal ones leave it to the set-up's order."""
    table = Table(position(craft(), craft(side="red", place="3902"), rulings=FOG))
    table.begin("order")
    table.state = replace(table.state, turn=turn)
    table.roll(5, 5)
    table.roll(7, 7)
    table.roll(7, 7)
    assert next(place.aircraft for place in table.state.order) == first
    assert {place.tie for place in table.state.order} == {(7, 7)}
