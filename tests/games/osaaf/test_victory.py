"""The end of the game and its points (VC)."""

from typing import Any

import pytest

from app.engine.hexes import at
from app.engine.log import Result
from app.games.osaaf.events import Attacked, FuelBurnt, ShotDown
from tests.games.osaaf.table import Table, attack, in_combat, plan, setup

ONES = (1, 1, 1, 1, 1)
GUN = {"gun": {"quality": "medium", "shots": 4}}
ONE_HIT, TWO_HITS, MISS = (5, 5, 5), (6, 6, 6), (1, 1, 1)
"""For a medium gun; from behind a 5 is 6 and a 6 is 7."""
LISTED = {"initiative": "off"}


def blue(**changes: Any) -> dict[str, Any]:
    return {"hex": "1510", "card": GUN, **changes}


def red(**changes: Any) -> dict[str, Any]:
    """Two hexes ahead of the blue one, which is on its tail: +1, so a 6 does 2 damage."""
    return {"hex": "1508", "seat": "red", **changes}


def result(table: Table) -> Result:
    assert table.state.result is not None
    assert table.step is None
    return table.state.result


def disengaging(
    *jets: dict[str, Any], rulings: dict[str, str] | None = None, **changes: Any
) -> Table:
    """The first jet flies off the north edge and disengages; the others fly on."""
    first = {"hex": "1001", "altitude": 1, **jets[0]}
    table = Table(setup([first, *jets[1:]], **changes), rulings={**LISTED, **(rulings or {})})
    for _ in jets:
        table.choose(plan(), ONES)
        table.choose(0)
    table.choose("ahead")
    table.choose("disengage")
    while table.state.turn == 1 and table.step is not None:
        table.choose("ahead-all")
    return table


# VC-1.


def test_a_side_that_is_shot_down_has_lost() -> None:
    table = in_combat([blue(), red()])
    table.choose(attack("gun"), TWO_HITS)
    end = result(table)
    assert (end.reason, end.winners, end.scores) == ("side-out", ("blue",), {"blue": 3, "red": 0})
    assert (
        end.text
        == "A side has no jet on the board and none due back. Out: Red. Still flying: Jet A."
    )
    assert table.happenings[-1].cite == "OSAAF-VC-1"


def test_it_ends_at_the_end_of_the_turn() -> None:
    """Others fire first, and fuel is burnt."""
    table = in_combat([blue(hex="1511"), blue(), red()])
    table.choose(attack("gun", "c"), TWO_HITS)  # b
    assert len(table.facts(Attacked)) == 1, "there is nobody left for a to attack"
    assert len(table.facts(FuelBurnt)) == 1
    assert result(table).winners == ("blue",)


def test_one_of_two_is_not_a_side() -> None:
    table = in_combat([blue(), red(), red(hex="2020")])
    table.choose(attack("gun"), TWO_HITS)
    assert table.state.result is None
    assert table.state.turn == 2


def test_who_is_due_back_keeps_its_side_in_the_game() -> None:
    jets = [{"hex": "1001", "altitude": 1}, {"hex": "2015", "seat": "red"}]
    table = Table(setup(jets), rulings=LISTED)
    for _ in jets:
        table.choose(plan(), ONES)
        table.choose(0)
    table.choose("ahead")
    table.choose("return")
    table.choose("ahead-all")
    assert table.state.turn == 2
    assert table.state.result is None


@pytest.mark.parametrize("turns", [1, 2])
def test_the_last_turn_is_the_scenarios(turns: int) -> None:
    jets = [{"hex": "1015"}, {"hex": "2015", "seat": "red", "altitude": 6}]
    table = Table(setup(jets, turns=turns), rulings=LISTED)
    for turn in range(1, turns + 1):
        assert table.state.turn == turn
        for _ in jets:
            table.choose(plan(), ONES)
            table.choose(0)
        table.choose("ahead-all")
        table.choose("ahead-all")
    end = result(table)
    assert (end.reason, end.winners, end.scores) == ("turns", (), {"blue": 0, "red": 0})


def test_twenty_turns_unless_the_scenario_says_otherwise() -> None:
    assert Table(setup([{}])).state.turns == 20


def test_alone_on_the_board_there_is_an_end_but_no_winner() -> None:
    table = disengaging({})
    assert result(table) == Result(
        "side-out",
        "A side has no jet on the board and none due back. Out: Blue. Nobody is still flying.",
    )


# VC-2.


def test_a_crash_counts_three() -> None:
    jets = [
        {"seat": "red", "speed": 0, "altitude": 1, "hits": 1, "card": {"afterburner": False}},
        {"hex": "2015"},
    ]
    table = Table(setup(jets), [ONES], LISTED)
    table.choose(plan(), ONES)
    table.choose(0)
    table.choose("ahead-all")
    end = result(table)
    assert table.jet("a").status == "crashed"
    assert (end.winners, end.scores) == (("blue",), {"blue": 3, "red": 0}), (
        "and not for its hit too"
    )


@pytest.mark.parametrize(("faces", "points"), [(MISS, 0), (ONE_HIT, 1), (TWO_HITS, 2)])
def test_each_hit_on_one_that_survives_counts_one(faces: tuple[int, ...], points: int) -> None:
    table = in_combat([blue(), red(card={"toughness": 3})], turns=1)
    table.choose(attack("gun"), faces)
    end = result(table)
    assert end.reason == "turns"
    assert end.scores == {"blue": points, "red": 0}
    assert end.winners == (("blue",) if points else ())


@pytest.mark.parametrize(("hits", "points"), [(0, 1), (1, 2)])
def test_one_that_disengages_counts_one_and_its_hits(hits: int, points: int) -> None:
    table = disengaging({"seat": "red", "hits": hits}, {"hex": "2015"})
    end = result(table)
    assert (end.reason, end.winners, end.scores) == (
        "side-out",
        ("blue",),
        {"blue": points, "red": 0},
    )


def test_more_points_win_though_the_side_is_out() -> None:
    """Red is down to nobody, 1 point for blue; but it has shot down a blue jet for 3."""
    jets = [
        {"seat": "red", "hex": "1001", "altitude": 1, "facing": 0},
        {"seat": "red", "hex": "2014", "altitude": 3, "card": GUN, "speed": 2},
        {"hex": "2011", "altitude": 4, "speed": 2, "card": {"energy_factor": 5}},
        {"hex": "2801", "altitude": 5},
    ]
    table = Table(setup(jets, turns=1), rulings=LISTED)
    for _ in jets:
        table.choose(plan(), ONES)
        table.choose(0)
    table.choose("ahead")
    table.choose("disengage")
    table.choose("ahead")
    table.choose("ahead")
    table.choose("ahead-all")
    table.choose("return")
    table.choose(attack("gun", "c"), TWO_HITS)
    assert [down.jet for down in table.facts(ShotDown)] == ["c"]
    end = result(table)
    assert end.scores == {"blue": 1, "red": 3}
    assert end.winners == ("red",)


def test_as_many_are_a_draw() -> None:
    jets = [
        blue(card={**GUN, "toughness": 3}),
        red(facing=3, card={**GUN, "toughness": 3}),
    ]
    table = in_combat(jets, turns=1)
    table.choose(attack("gun", "a"), ONE_HIT)
    table.choose(attack("gun"), (6, 6, 6))  # a is damaged: 5, 1 damage
    end = result(table)
    assert (end.winners, end.scores) == ((), {"blue": 1, "red": 1})


def test_both_sides_out_in_one_turn_count_their_points() -> None:
    jets = [
        {"hex": "1001", "altitude": 1},
        {"seat": "red", "hex": "2001", "altitude": 2, "hits": 1},
    ]
    table = Table(setup(jets), rulings=LISTED)
    for _ in jets:
        table.choose(plan(), ONES)
        table.choose(0)
    for _ in jets:
        table.choose("ahead")
        table.choose("disengage")
    end = result(table)
    assert end.text == (
        "A side has no jet on the board and none due back. Out: Blue and Red. Nobody is still flying."
    )
    assert (end.scores, end.winners) == ({"blue": 2, "red": 1}, ("blue",))


def test_who_is_away_at_the_end_counts_nothing() -> None:
    jets = [{"hex": "1001", "altitude": 1}, {"hex": "2015", "seat": "red"}]
    table = Table(setup(jets, turns=1), rulings=LISTED)
    for _ in jets:
        table.choose(plan(), ONES)
        table.choose(0)
    table.choose("ahead")
    table.choose("return")
    table.choose("ahead-all")
    end = result(table)
    assert (end.reason, end.winners, end.scores) == ("turns", (), {"blue": 0, "red": 0})
    assert end.text == "The last turn of the scenario is over. Still flying: Jet A, Jet B."


# Off.


def test_without_points_the_last_side_with_jets_wins() -> None:
    table = disengaging({"seat": "red"}, {"hex": "2015"}, rulings={"victory": "off"})
    assert (result(table).winners, result(table).scores) == (("blue",), {})


def test_without_points_nobody_wins_by_the_last_turn() -> None:
    table = in_combat([blue(), red(card={"toughness": 3})], turns=1, rulings={"victory": "off"})
    table.choose(attack("gun"), TWO_HITS)
    assert (result(table).winners, result(table).scores) == ((), {})


def test_where_it_went_down_is_known() -> None:
    table = in_combat([blue(), red()])
    table.choose(attack("gun"), TWO_HITS)
    [down] = table.facts(ShotDown)
    assert (down.jet, down.by, down.hex) == ("b", "a", at(15, 8))
