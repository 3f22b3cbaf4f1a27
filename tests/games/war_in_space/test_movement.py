"""Movement, board edges, Damage Control and the end of the game, at their corners."""

from fractions import Fraction
from typing import Any

import pytest

from app.engine.errors import Illegal
from app.engine.hexes import parse_label
from app.games.war_in_space.events import Moved, Repaired, RepairsEnded, TurnRolled, Withdrew
from app.games.war_in_space.model import Boxes
from app.games.war_in_space.movement import turn_chance
from app.games.war_in_space.setup import ship_classes
from app.odds import exact
from tests.games.war_in_space.table import GAME, Table, card, moving, ordered, setup

HERE = parse_label("1511")


@pytest.mark.parametrize("kind", ship_classes().values(), ids=lambda kind: kind.id)
@pytest.mark.parametrize("sides", [1, 2, 3])
def test_the_odds_of_turns(kind: Any, sides: int) -> None:
    """Dice are independent, so a hard turn's chance is a power of the normal one's."""
    for speed in range(1, 7):
        for bonus in range(4):
            good = sum(face + bonus > speed for face in range(1, kind.turn_die + 1))
            chance = exact(turn_chance(kind, speed, bonus, sides)).get(True, Fraction(0))
            assert chance == Fraction(good, kind.turn_die) ** sides


def test_straight_on_to_the_end_is_one_choice() -> None:
    table = moving({"speed": 3})
    assert table.option("ahead-all").path == ("1510", "1509", "1508")
    table.choose("ahead-all")
    [moved] = table.facts(Moved)
    assert moved.path == tuple(HERE.ahead(0, n) for n in (1, 2, 3))
    assert table.state.turn == 2


def test_the_trail_is_the_whole_move() -> None:
    table = moving({"speed": 2})
    table.choose("right", (8,))
    table.choose("ahead")
    labels = ["1511", *(HERE.ahead(1, n).label for n in (1, 2))]
    assert [place.label for place in table.ship().trail] == labels


@pytest.mark.parametrize(("choice", "path"), [("ahead", []), ("ahead-all", ["1501"])])
def test_a_step_off_the_board_withdraws_for_good(choice: str, path: list[str]) -> None:
    place = "1501" if choice == "ahead" else "1502"
    table = moving({"speed": 3, "hex": place})
    assert table.option(choice).place is None
    table.choose(choice)
    [gone] = table.facts(Withdrew)
    assert [step.label for step in gone.path] == path
    assert gone.hex.label == "1501"
    assert table.ship().status == "withdrawn"
    [unit] = GAME.units(table.state, frozenset())
    assert (unit.hex, unit.states) == (None, ("withdrawn",))
    [mark] = GAME.marks(table.state, frozenset())
    assert (mark.kind, mark.hex) == ("withdrew", "1501")


def test_a_failed_turn_may_lead_off_the_board() -> None:
    table = moving({"speed": 3, "hex": "1501"})
    table.choose("right", (1,))
    assert table.ship().status == "withdrawn"


@pytest.mark.parametrize(("scope", "second"), [("turn", True), ("attempt", False)])
def test_how_long_a_bonus_counts(scope: str, second: bool) -> None:
    table = moving({"speed": 3}, 2, {"bonus_scope": scope})
    table.choose("right-2", (2, 2))
    assert table.ship().facing == 2
    table.choose("right", (2,))
    assert [fact.success for fact in table.facts(TurnRolled)] == [True, second]


def test_a_ship_may_stop_only_where_the_table_says_so() -> None:
    with pytest.raises(Illegal):
        moving({"speed": 3}).choose("stop")
    table = moving({"speed": 3}, rulings={"whole_distance": "may"})
    table.choose("ahead")
    table.choose("stop")
    assert table.ship().hex == HERE.ahead(0)
    assert (table.state.turn, table.ship().speed) == (2, 3)


def test_hard_turns_without_an_engine_box_where_they_are_allowed() -> None:
    ship = {"speed": 2, "marked": {"engine": 4}}
    table = moving(ship, rulings={"hard_turn_without_engine": "yes"})
    assert table.option("about").cost == ""
    table.choose("about", (1, 1, 1))
    assert table.ship().marked.engine == 4


# Damage Control.


def repairing(marked: dict[str, int], **changes: Any) -> Table:
    ship = {"speed": 0, "marked": marked, **changes}
    return ordered([ship], {"a1": (card("hearts", dc=True), (7, 2, 1))})


def test_a_repair_that_is_too_dear_says_so() -> None:
    table = repairing({"hull": 2, "weapon": 1})
    table.choose("weapon")
    with pytest.raises(Illegal):
        table.choose("hull")  # 4 energy is left, and it costs 6: the phase is over
    assert table.ship().marked == Boxes(hull=2)
    assert table.state.turn == 2


def test_repairs_may_be_left_undone() -> None:
    table = repairing({"shield": 2})
    table.choose("stop")
    assert [fact.lost for fact in table.facts(RepairsEnded)] == [7]
    assert table.ship().marked == Boxes(shield=2)


def test_both_sides_repair_at_the_same_time() -> None:
    ships = [{"speed": 0, "seat": seat, "marked": {"shield": 1}} for seat in "ab"]
    orders = {s: (card("hearts", dc=True), (4, 1, 1)) for s in ("a1", "b1")}
    table = ordered(ships, orders, {"weapons": "off"})
    assert [one.unit for one in table.step] == ["a1", "b1"]
    table.choose("shield", offer=table.step[1].id)
    assert [fact.ship for fact in table.facts(Repaired)] == ["b1"]


def test_what_is_not_marked_is_not_repaired() -> None:
    table = repairing({"shield": 1, "weapon": 1})
    blocked = {o.value: o.blocked.cite for o in table.decision.all_options if o.blocked is not None}
    assert blocked == dict.fromkeys(("hull", "engine", "power"), "WIS-DC-2")


# The end.


def pair(a: dict[str, Any], b: dict[str, Any], rulings: dict[str, str], **changes: Any) -> Table:
    """Two ships at rest, far from each other, through one turn."""
    ships = [{"speed": 0, **a}, {"seat": "b", "hex": "1501", "speed": 0, **b}]
    orders = {s: (card("hearts"), (1, 1, 1)) for s in ("a1", "b1")}
    table = ordered(ships, orders, {"weapons": "off", **rulings}, **changes)
    if table.state.phase == "energy" and table.state.turn == 1:  # a Corvette can spend even 1
        table.choose({"speed": table.ship().speed, "bonus": 0})
    return table


@pytest.mark.parametrize(
    ("kind", "hull", "points"),
    [
        ("cruiser", 3, 0),
        ("cruiser", 4, 4),
        ("dreadnought", 5, 0),
        ("dreadnought", 6, 8),
        ("corvette", 2, 2),
        ("frigate", 3, 3),
        ("battlecruiser", 5, 6),
    ],
)
def test_a_crippled_ship_counts_half_rounded_up(kind: str, hull: int, points: int) -> None:
    table = pair({"kind": kind, "marked": {"hull": hull}}, {}, {}, turns=1)
    result = table.state.result
    assert result is not None
    assert (result.reason, result.scores) == ("turns", {"a": 0, "b": points})
    assert result.winners == (("b",) if points else ())
    assert ("crippled" in GAME.units(table.state, frozenset())[0].states) == (points > 0)


def test_the_last_turn_is_the_set_ups() -> None:
    table = pair({}, {}, {}, turns=2)
    assert (table.state.turn, table.state.result) == (2, None)
    for ship in ("a1", "b1"):
        table.choose(card("hearts"), offer=f"order:2:{ship}")
    table.roll((1, 1, 1), (1, 1, 1))
    assert table.state.result is not None


@pytest.mark.parametrize(("victory", "over"), [("on", True), ("off", False)])
def test_a_side_that_is_out_ends_it_at_once(victory: str, over: bool) -> None:
    table = pair({"hex": "1522", "facing": 3, "speed": 1}, {}, {"victory": victory})
    table.choose("ahead")
    result = table.state.result
    assert (result is not None) is over
    if result is not None:
        assert (result.reason, result.winners, result.scores) == (
            "side-out",
            ("b",),
            {"a": 0, "b": 4},
        )
        assert "Side A" in result.text
    else:
        assert table.state.turn == 2


def test_an_empty_board_ends_an_exercise() -> None:
    table = moving({"hex": "1501", "speed": 1}, rulings={"victory": "off"})
    table.choose("ahead")
    result = table.state.result
    assert result is not None
    assert (result.reason, result.winners, result.scores) == ("empty", (), {})


def test_a_game_folds_to_what_was_played() -> None:
    table = moving({"speed": 2}, 1)
    table.choose("right-2", (2, 2))
    table.choose("ahead")
    assert table.refold() == table.state
    assert Table(setup([{}])).refold() == Table(setup([{}])).state
