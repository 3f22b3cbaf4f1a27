"""Initiative, the edge of the board, stalls, the order of movement and the endings, in play."""

import msgspec
import pytest

from app.engine.errors import Illegal
from app.engine.hexes import Board, at
from app.engine.log import Event
from app.games.osaaf.events import (
    Dragged,
    EnergyRolled,
    Flew,
    InitiativeRolled,
    InitiativeTieRolled,
    LeftBoard,
    MoveOrderSet,
    OrderSet,
    PlanChosen,
    Recovered,
    Returned,
    StallDropped,
    Stalled,
    SunRolled,
    TurnRolled,
)
from app.games.osaaf.model import Edge
from app.games.osaaf.movement import distance_from_edge
from tests.games.osaaf.table import GAME, Table, flying, plan, setup

ONES = (1, 1, 1, 1, 1)


def cites(table: Table, kind: type[Event]) -> list[str | None]:
    return [one.cite for one in table.happenings if isinstance(one.event, kind)]


def through_energy(table: Table, *dice: tuple[int, ...], change: int = 0) -> None:
    """The jet whose turn it is chooses nothing, rolls ones, and changes its altitude."""
    table.choose(plan(), ONES, *dice)
    table.choose(change)
    if table.decision.id.startswith("brakes"):
        table.choose(0)


# Initiative.


def test_initiative_is_a_die_and_skill() -> None:
    skills = ["rookie", "regular", "veteran", "ace"]
    table = Table(setup([{"skill": skill} for skill in skills]), [(6,), (4,), (1,), (1,)])
    assert [rolled.total for rolled in table.facts(InitiativeRolled)] == [6, 5, 3, 4]
    assert [order.jets for order in table.facts(OrderSet)] == [("c", "d", "b", "a")]
    assert table.decision.id == "plan:c"
    assert table.decision.why == "lowest initiative (3)"
    assert cites(table, InitiativeRolled) == ["OSAAF-IN-2"] * 4
    assert cites(table, OrderSet) == ["OSAAF-IN-1"]


def test_tied_initiative_is_rolled_off_until_no_tie_is_left() -> None:
    # a, b, d tie at 4; a and d tie again at 2; c is out of it.
    dice = [(3,), (3,), (6,), (3,), (2,), (5,), (2,), (6,), (1,)]
    table = Table(setup([{}] * 4), dice)
    ties = [(tie.jet, tie.face) for tie in table.facts(InitiativeTieRolled)]
    assert ties == [("a", 2), ("b", 5), ("d", 2), ("a", 6), ("d", 1)]
    assert [order.jets for order in table.facts(OrderSet)] == [("d", "a", "b", "c")]
    assert set(cites(table, InitiativeTieRolled)) == {"OSAAF-IN-3"}


def test_without_initiative_the_list_of_units_is_the_order() -> None:
    table = Table(setup([{}, {}]), rulings={"initiative": "off"})
    assert [order.jets for order in table.facts(OrderSet)] == [("a", "b")]
    assert not table.facts(InitiativeRolled)
    assert table.decision.why == "next in the list of units"


def test_one_jet_completes_its_energy_before_the_next() -> None:
    table = Table(setup([{}, {}]), rulings={"initiative": "off"})
    through_energy(table)
    assert table.decision.id == "plan:b"
    assert table.jet("a").energy.settled


def test_the_sun_is_rolled_for_until_an_edge_comes_up() -> None:
    table = Table(setup([{}], sun="roll"), [(5,), (6,), (3,), (1,)])
    assert [(sun.face, sun.edge) for sun in table.facts(SunRolled)] == [
        (5, None),
        (6, None),
        (3, "S"),
    ]
    assert table.state.sun == "S"
    assert GAME.facts(table.state) == (("Light", "Sun in the south"), ("Turn", "1 of 20"))


def test_no_sun_at_night() -> None:
    table = Table(setup([{}], sun="roll", night=True), [(1,)])
    assert not table.facts(SunRolled)
    assert GAME.facts(table.state)[0] == ("Light", "Night")


# Energy.


def test_drag_and_settling_cite_their_rules() -> None:
    table = flying(3)
    assert cites(table, Dragged) == ["OSAAF-EN-15"]
    assert cites(table, EnergyRolled) == ["OSAAF-EN-6"]
    assert cites(flying(3, 3), EnergyRolled) == ["OSAAF-EN-7"]


def test_an_afterburner_that_is_not_there_is_blocked() -> None:
    table = Table(setup([{"card": {"afterburner": False}}]), [(1,)])
    lit = [option for option in table.decision.all_options if option.value["afterburner"]]
    assert len(table.decision.all_options) == 2 * len(lit) == 32
    assert all(option.blocked is not None for option in lit)
    with pytest.raises(Illegal, match="has no afterburner") as refusal:
        table.choose(plan(lit=True))
    assert refusal.value.cite == "OSAAF-EN-5"


def test_there_are_twelve_plans_and_four_that_are_too_many() -> None:
    table = Table(setup([{}]), [(1,)])
    free = [option for option in table.decision.all_options if option.blocked is None]
    assert len(free) == 24
    over = [option for option in table.decision.all_options if option.blocked]
    assert {option.blocked.cite for option in over if option.blocked} == {"OSAAF-EN-2"}
    assert len(over) == 8


def test_altitude_options_say_what_speed_results() -> None:
    table = Table(setup([{"speed": 2, "altitude": 8}]), [(1,)])
    table.choose(plan(), ONES)
    shown = {
        option.value: (option.label, option.detail, option.blocked and option.blocked.cite)
        for option in table.decision.all_options
    }
    assert list(shown) == [3, 2, 1, 0, -1, -2, -3]
    assert shown[3][2] == "OSAAF-EN-20"
    assert shown[1] == ("Climb 1 to altitude 9", "Speed 0: stalls", None)
    assert shown[0] == ("Level at altitude 8", "Speed 1", None)
    assert shown[-3] == ("Dive 3 to altitude 5", "Speed 7", None)


# Stalls.


def test_a_stall_from_the_roll_to_the_recovery() -> None:
    table = Table(setup([{"speed": 1}]), [(1,)])
    through_energy_stalls = (plan(), ONES, (2,))
    table.choose(*through_energy_stalls)
    table.choose(0)
    assert [stall.jet for stall in table.facts(Stalled)] == ["a"]
    assert cites(table, Stalled) == ["OSAAF-EN-18"]
    assert [drop.altitude for drop in table.facts(StallDropped)] == [4]
    assert not table.facts(Flew)
    assert table.state.turn == 2

    blocked = {
        option.blocked.cite
        for option in table.decision.all_options
        if option.value["hard_turns"] == 1 and option.blocked
    }
    assert blocked == {"OSAAF-ST-3"}
    assert table.decision.all_options[0].odds is not None
    assert table.decision.all_options[0].odds.label == "Speed if it then dives 1"
    table.choose(plan(lit=True), (6, 6, 6, 6, 6))
    with pytest.raises(Illegal) as refusal:
        table.choose(0)
    assert refusal.value.cite == "OSAAF-ST-3"
    table.choose(-1)
    table.choose(0)
    assert [one.jet for one in table.facts(Recovered)] == ["a"]
    assert not table.jet().stalled
    assert table.decision.id == "move:a:0"


def test_without_the_stall_rules_a_stalled_jet_only_stands_still() -> None:
    table = Table(setup([{"speed": 0}]), [(1,)], {"stall": "off"})
    table.choose(plan(3), (1, 1), (1,))
    table.choose(0)
    assert table.jet().altitude == 5
    assert table.jet().stalled
    assert table.state.turn == 2


def test_a_stalled_jet_without_afterburner_has_nothing_to_plan() -> None:
    table = Table(setup([{"speed": 0, "card": {"afterburner": False}}]), [(1,), ONES])
    assert table.facts(PlanChosen)[0].plan.manoeuvres == 0
    assert table.decision.id == "altitude:a"


# Movement.


def test_height_lost_in_a_stall_does_not_change_the_order() -> None:
    jets = [
        {"speed": 0, "altitude": 4, "hex": "1011"},
        {"altitude": 3},
        {"altitude": 3, "hex": "1012"},
    ]
    table = Table(setup(jets), rulings={"initiative": "off"})
    through_energy(table, change=-1)
    through_energy(table)
    through_energy(table)
    [order] = table.facts(MoveOrderSet)
    assert [(place.jet, place.altitude, place.by) for place in order.places] == [
        ("c", 3, "sun"),
        ("a", 3, "sun"),
        ("b", 3, "sun"),
    ]
    assert table.decision.unit == "c"
    assert table.decision.why == "lowest altitude (3), then from down-sun: 1 of 3"
    table.choose("ahead-all")
    assert [drop.altitude for drop in table.facts(StallDropped)] == [2]
    assert table.decision.unit == "b"


@pytest.mark.parametrize(
    ("edge", "near", "far"),
    [
        ("N", at(4, 1), at(3, 1)),
        ("S", at(3, 9), at(4, 9)),
        ("W", at(1, 5), at(2, 5)),
        ("E", at(9, 5), at(8, 5)),
    ],
)
def test_distance_from_the_sun_is_exact(edge: Edge, near: object, far: object) -> None:
    board = Board(9, 9)
    assert distance_from_edge(board, edge, far) - distance_from_edge(board, edge, near) == 1  # pyright: ignore[reportArgumentType]


def test_a_standing_intention_asks_no_more_and_ends_with_the_move() -> None:
    table = flying(3, card={"maneuverability": "high"})
    table.choose("left-all", (6, 1, 1), (1, 1, 1), (4, 1, 1))
    assert [roll.success for roll in table.facts(TurnRolled)] == [True, False, True]
    assert table.jet().facing == 4
    assert table.jet().move.heading == ""
    assert table.state.phase == "initiative"


def test_the_last_hex_offers_no_standing_intention() -> None:
    table = flying(2)
    assert len(table.decision.all_options) == 6
    table.choose("ahead")
    assert [option.value for option in table.decision.all_options] == ["ahead", "left", "right"]


def test_a_jet_too_fast_to_turn_is_told_why() -> None:
    table = flying(7)
    left = next(option for option in table.decision.all_options if option.value == "left")
    assert left.blocked is not None
    assert left.blocked.reason == "not even a 6 is above Speed 7"
    assert left.blocked.cite == "OSAAF-MV-7"


# The edge.


def test_a_jet_that_leaves_the_board_waits_a_turn_and_returns_facing_back() -> None:
    table = Table(setup([{"hex": "1002", "speed": 5}, {}]), rulings={"initiative": "off"})
    through_energy(table)
    through_energy(table)  # at the same altitude with the sun in the north: b moves first
    table.choose("ahead-all")
    assert table.decision.unit == "a"
    ahead = table.decision.all_options[3]
    assert ahead.value == "ahead-all"
    assert ahead.place is None
    assert ahead.detail == "off the board, back at the start of turn 3 or out for good"
    table.choose("ahead-all")
    assert table.decision.id == "leave:a"
    table.choose("return")
    assert [left.back for left in table.facts(LeftBoard)] == [3]
    assert cites(table, LeftBoard) == ["OSAAF-ED-2"]
    assert table.jet("a").status == "away"
    unit = GAME.units(table.state, frozenset())[0]
    assert (unit.hex, unit.states) == (None, ("off-board",))

    assert table.state.turn == 2
    through_energy(table)
    table.choose("ahead-all")
    assert table.state.turn == 3
    [back] = table.facts(Returned)
    assert (back.hex.label, back.facing) == ("1001", 3)
    assert table.jet("a").speed == 4
    assert table.jet("a").altitude == 5
    assert table.decision.unit == "a"


def test_off_the_board_for_good() -> None:
    table = Table(setup([{"hex": "1001"}]), [(1,)], {"edge": "off"})
    through_energy(table)
    table.choose("ahead")
    assert table.jet().status == "gone"
    assert table.state.result is not None
    assert table.state.result.reason == "side-out"
    assert table.state.result.winners == ()


# Endings.


def test_the_other_side_wins_when_one_is_out() -> None:
    jets = [{"hex": "1001"}, {"seat": "red", "hex": "1010"}]
    table = Table(setup(jets), rulings={"initiative": "off", "edge": "off"})
    through_energy(table)
    through_energy(table)
    table.choose("ahead-all")
    table.choose("ahead-all")
    result = table.state.result
    assert result is not None
    assert (result.reason, result.winners) == ("side-out", ("red",))
    assert (
        result.text
        == "A side has no jet on the board and none due back. Out: Blue. Still flying: Jet B."
    )
    assert table.step is None


def test_the_last_turn_ends_the_game_without_a_winner() -> None:
    table = Table(
        setup([{}, {"seat": "red", "altitude": 6}], turns=1), rulings={"initiative": "off"}
    )
    through_energy(table)
    through_energy(table)
    table.choose("ahead-all")
    table.choose("ahead-all")
    result = table.state.result
    assert result is not None
    assert (result.reason, result.winners) == ("turns", ())
    assert result.text == "The last turn of the scenario is over. Still flying: Jet A, Jet B."


# Views.


def test_a_unit_shows_its_card_and_its_turn() -> None:
    table = flying(3, 2)
    table.choose("ahead")
    [unit] = GAME.units(table.state, frozenset())
    assert unit.states == ("moving",)
    assert unit.trail == ("1010", "1009")
    assert unit.fields["hard_turns"] == 2
    assert unit.fields["initiative"] == 2
    assert unit.fields["order"] == 1
    assert unit.fields["order_reason"] == "lowest altitude (5)"
    assert msgspec.json.encode(unit)
