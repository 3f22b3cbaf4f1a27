"""The edges of the board (ED): a jet that flies off it comes back, or is out for good."""

from typing import Any

import pytest

from app.engine.errors import Illegal, NotYourSeat
from app.engine.hexes import at
from app.engine.log import Event
from app.engine.sequence import Answer, play
from app.games.osaaf.events import (
    Flew,
    FuelBurnt,
    InitiativeRolled,
    LeftBoard,
    Returned,
    TurnRolled,
)
from tests.games.osaaf.table import GAME, Table, plan, setup

ONES = (1, 1, 1, 1, 1)
LISTED = {"initiative": "off"}


def cites(table: Table, kind: type[Event]) -> list[str | None]:
    return [one.cite for one in table.happenings if isinstance(one.event, kind)]


def at_the_edge(rulings: dict[str, str] | None = None, **changes: Any) -> Table:
    """a has 2 hexes to the north edge and Speed 4; b flies far away in the south-east and moves first."""
    jets = [
        {"hex": "1003", "speed": 5, "altitude": 5},
        {"hex": "2520", "seat": "red", "speed": 6, "altitude": 4},
    ]
    table = Table(setup(jets, **changes), rulings={**LISTED, **(rulings or {})})
    energy(table)
    table.choose("ahead-all")  # b
    assert table.decision.unit == "a"
    return table


def energy(table: Table) -> None:
    """Everybody on the board flies level and gains nothing."""
    while table.state.phase == "energy":
        table.choose(plan(), ONES)
        table.choose(0)


# ED-1.


def test_the_next_hex_is_off_the_board_and_the_rest_is_lost() -> None:
    table = at_the_edge()
    table.choose("ahead-all")
    assert [place.label for flew in table.facts(Flew)[1:] for place in flew.path] == [
        "1002",
        "1001",
    ]
    assert table.decision.id == "leave:a"
    assert table.decision.seat == "blue"
    assert table.jet().status == "flying", "not before it is decided"
    assert [(one.value, one.label, one.detail, one.cite) for one in table.decision.all_options] == [
        ("return", "Come back", "at the start of turn 3 in 1001, facing S", "OSAAF-ED-1"),
        (
            "disengage",
            "Disengage for good",
            "out of the game; counts 1 point for the enemy",
            "OSAAF-ED-2",
        ),
    ]
    table.choose("return")
    assert table.facts(LeftBoard) == [LeftBoard("a", at(10, 1), 3)]
    assert table.jet().trail == ()
    assert table.state.turn == 2


def test_it_is_asked_at_the_hex_where_it_leaves() -> None:
    """A turn that keeps it on the board asks nothing; one that fails leads off it."""
    on = at_the_edge()
    on.choose("ahead")
    on.choose("ahead")
    on.choose("right", (1, 6, 6))  # 6 is above 4: to the north-east there is no hex either
    assert on.decision.id == "leave:a"
    assert on.jet().facing == 1
    off = at_the_edge()
    off.choose("ahead")
    off.choose("ahead")
    off.choose("right", (1, 1, 6))
    assert off.decision.id == "leave:a"
    assert off.jet().facing == 0
    assert [rolled.success for rolled in off.facts(TurnRolled)] == [False]


@pytest.mark.parametrize(
    ("place", "facing", "back"), [("0110", 5, 2), ("3010", 1, 4), ("1022", 3, 0), ("1001", 0, 3)]
)
def test_every_edge_turns_it_round(place: str, facing: int, back: int) -> None:
    jets = [{"hex": place, "facing": facing, "altitude": 6, "speed": 4}]
    table = Table(setup(jets, board={"columns": 30, "rows": 22}), rulings=LISTED)
    energy(table)
    table.choose("ahead")
    table.choose("return")
    assert table.facts(Returned) == [Returned("a", at(int(place[:2]), int(place[2:])), back)]
    assert cites(table, Returned) == ["OSAAF-ED-1"]
    assert (table.jet().speed, table.jet().altitude) == (3, 6)
    assert table.state.turn == 3


def test_it_is_away_for_the_whole_next_turn() -> None:
    table = at_the_edge()
    table.choose("ahead-all")
    table.choose("return")
    assert table.state.turn == 2
    assert table.state.order == ("b",)
    assert table.jet().status == "away"
    unit = GAME.units(table.state, frozenset())[0]
    assert (unit.hex, unit.states, unit.fields["back"]) == (None, ("off-board",), 3)
    energy(table)
    assert [place.jet for place in table.state.places or ()] == ["b"]
    table.choose("ahead-all")
    assert table.state.turn == 3
    burns = [burn for fact in table.facts(FuelBurnt) for burn in fact.burns if burn.jet == "a"]
    assert [burn.cost for burn in burns] == [1, 1]
    assert table.state.order == ("a", "b")
    assert table.jet().hex == at(10, 1)


def test_who_is_back_rolls_for_initiative_like_all() -> None:
    table = Table(setup([{"hex": "1001"}]), [(2,)])
    table.choose(plan(), ONES)
    table.choose(0)
    table.choose("ahead")
    table.choose("return")
    assert table.state.turn == 3
    assert len(table.facts(InitiativeRolled)) == 1, "none for the turn away"
    table.roll((4,))
    assert [rolled.face for rolled in table.facts(InitiativeRolled)] == [2, 4]


@pytest.mark.parametrize(("turns", "late"), [(3, False), (2, True), (1, True)])
def test_what_is_offered_near_the_end_of_the_game_is_true(turns: int, late: bool) -> None:
    """Who would be due back in turn 3 of fewer is off the board when the game ends."""
    table = at_the_edge(turns=turns)
    table.choose("ahead")
    table.choose("ahead")
    ahead = table.decision.all_options[0].detail
    table.choose("ahead")
    back = table.decision.all_options[0].detail
    if late:
        assert ahead == "off the board until the game ends"
        assert back == f"off the board when the game ends, after turn {turns}"
    else:
        assert ahead == "off the board, back at the start of turn 3 or out for good"
        assert back == "at the start of turn 3 in 1001, facing S"


# ED-2.


def test_its_owner_may_have_it_disengage() -> None:
    table = at_the_edge()
    table.choose("ahead-all")
    with pytest.raises(NotYourSeat) as refusal:
        play(
            GAME, table.state, Answer("leave:a", "disengage"), frozenset({"red"}), lambda pool: None
        )
    assert refusal.value.cite == "OSAAF-ED-2"
    with pytest.raises(Illegal):
        table.choose("stay")
    table.choose("disengage")
    assert table.facts(LeftBoard) == [LeftBoard("a", at(10, 1), None)]
    assert cites(table, LeftBoard) == ["OSAAF-ED-2"]
    assert table.jet().status == "gone"
    assert table.state.result is not None
    assert table.state.result.scores == {"blue": 0, "red": 1}
    assert GAME.fates(table.state)[0].cause == "disengaged"


def test_without_points_none_are_spoken_of() -> None:
    table = at_the_edge({"victory": "off"})
    table.choose("ahead-all")
    assert table.decision.all_options[1].detail == "out of the game"


# The switch.


def test_without_the_rule_who_leaves_is_out() -> None:
    table = at_the_edge({"edge": "off"})
    table.choose("ahead")
    table.choose("ahead")
    assert table.decision.all_options[0].detail == "off the board, out for good"
    table.choose("ahead")
    assert table.facts(LeftBoard) == [LeftBoard("a", at(10, 1), None)]
    assert cites(table, LeftBoard) == ["OSAAF-ED-2"], "OSAAF-ED-1 says that it returns"
    assert table.jet().status == "gone"
    assert table.state.result is not None


def test_the_log_tells_which() -> None:
    names = {"a": "Jet A"}
    for back, text in (
        (3, "Jet A leaves the board at 1001; it is due back at the start of turn 3."),
        (None, "Jet A leaves the board at 1001 and disengages for good."),
    ):
        assert GAME.tell(LeftBoard("a", at(10, 1), back), names).text == text
    told = GAME.tell(Returned("a", at(10, 1), 3), names).text
    assert told == "Jet A returns to the board at 1001, facing S."
