"""Aerobatics (AE), a switch: two or three hex-sides at once, and what a try in vain costs."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from app.engine.errors import Illegal
from app.engine.log import Event
from app.engine.sequence import Option, Roll
from app.games.osaaf.events import (
    Flew,
    LeftBoard,
    Returned,
    SpeedLost,
    StallDropped,
    Stalled,
    StuntRolled,
    TurnRolled,
)
from app.odds import exact
from tests.games.osaaf.table import GAME, Table, flying, plan, setup, shots

ON = {"aerobatics": "on"}
STUNTS = {"left-2": (2, -2), "right-2": (2, 2), "about": (3, 3)}
"""How many rolls, and by how many hex-sides the facing changes."""
WIN, LOSE = (6, 6, 6), (1, 1, 1)
THROWS = list(product(range(1, 7), repeat=3))
ONES = (1, 1, 1, 1, 1)


def aloft(speed: int, hard_turns: int = 0, **changes: Any) -> Table:
    return flying(speed, hard_turns, rulings={**ON, **changes.pop("rulings", {})}, **changes)


def offered(table: Table) -> dict[str, Option]:
    return {option.value: option for option in table.decision.all_options}


def cites(table: Table, kind: type[Event]) -> list[str | None]:
    return [one.cite for one in table.happenings if isinstance(one.event, kind)]


# AE-1: when, and which rolls.


def test_off_it_is_not_offered() -> None:
    table = flying(4)
    assert not set(STUNTS) & set(offered(table))
    with pytest.raises(Illegal):
        table.choose("about")


@pytest.mark.parametrize("speed", [1, 2, 3])
def test_it_takes_speed_2(speed: int) -> None:
    table = aloft(speed)
    for stunt in STUNTS:
        blocked = offered(table)[stunt].blocked
        assert (blocked and blocked.cite) == ("OSAAF-AE-1" if speed == 1 else None)
    if speed == 1:
        with pytest.raises(Illegal, match="needs Speed 2 or more"):
            table.choose("left-2")


def test_not_where_no_roll_can_succeed() -> None:
    blocked = offered(aloft(7, 1))["about"].blocked
    assert blocked is not None
    assert (blocked.cite, blocked.reason) == (
        "OSAAF-MV-7",
        "not even a 6 with +1 is above Speed 7",
    )
    assert offered(aloft(6, 1))["about"].blocked is None


@pytest.mark.parametrize("first", [WIN, LOSE])
def test_once_a_move_whether_it_succeeds_or_not(first: tuple[int, ...]) -> None:
    table = aloft(4, hex="1510")
    table.choose("left-2", first, *([WIN] if first == WIN else []))
    for stunt in STUNTS:
        with pytest.raises(Illegal, match="one aerobatic turn a move") as refusal:
            table.choose(stunt)
        assert refusal.value.cite == "OSAAF-AE-1"
    table.choose("left", WIN)  # a normal try is as good as ever
    assert table.facts(TurnRolled)[0].success
    table.choose("ahead-all", (1,))
    assert table.state.turn == 2
    table.choose(plan(1), (1, 1, 1, 1))
    table.choose(0)
    assert offered(table)["left-2"].blocked is None, "a new move"


def test_it_is_in_place_of_a_normal_try() -> None:
    table = aloft(3)
    table.choose("left", LOSE)
    table.choose("right-2", WIN, WIN)
    assert table.decision.id == "move:a:2", "one hex after each"
    assert [len(flew.path) for flew in table.facts(Flew)] == [1, 1]


def test_on_the_last_hex_too() -> None:
    table = aloft(2)
    table.choose("ahead")
    table.choose("about", WIN, WIN, WIN)
    assert table.jet().facing == 3
    assert table.jet().hex.label == "1010"


@pytest.mark.parametrize(("stunt", "rolls"), [("left-2", 2), ("right-2", 2), ("about", 3)])
def test_every_roll_must_succeed_and_the_first_failure_is_the_last(stunt: str, rolls: int) -> None:
    for won in range(rolls + 1):
        table = aloft(3)
        table.choose(stunt, *[WIN] * won, *[LOSE] * (won < rolls))
        facts = table.facts(StuntRolled)
        assert [fact.success for fact in facts] == [True] * won + [False] * (won < rolls)
        assert [fact.over for fact in facts] == [False] * (len(facts) - 1) + [True]
        assert [fact.roll for fact in facts] == list(range(1, len(facts) + 1))
        assert set(cites(table, StuntRolled)) == {"OSAAF-AE-1"}
        assert table.jet().facing == (STUNTS[stunt][1] % 6 if won == rolls else 0)
        assert table.jet().move.flown == 1
        assert not table.facts(TurnRolled)


@pytest.mark.parametrize(
    ("grade", "faces", "bonus", "success"),
    [
        ("low", (3, 6, 6), 0, False),  # 3 is not above 3
        ("low", (3, 6, 6), 1, True),
        ("medium", (1, 4, 6), 0, True),
        ("medium", (1, 3, 6), 0, False),
        ("high", (1, 1, 4), 0, True),
        ("high", (3, 3, 3), 0, False),
    ],
)
def test_each_roll_is_a_turn_roll(
    grade: str, faces: tuple[int, ...], bonus: int, success: bool
) -> None:
    table = aloft(3, bonus, card={"maneuverability": grade})
    table.choose("left-2", faces)
    assert table.facts(StuntRolled)[0].success is success
    assert table.facts(StuntRolled)[0].bonus == bonus


@pytest.mark.parametrize(
    ("stunt", "path"), [("left-2", "0910"), ("right-2", "1110"), ("about", "1011")]
)
def test_success_turns_it_and_then_comes_one_hex(stunt: str, path: str) -> None:
    """From 1010 the hexes to the south-west and south-east of an even column are of the same row."""
    table = aloft(3)
    shown = offered(table)[stunt]
    rolls, sides = STUNTS[stunt]
    table.choose(stunt, *[WIN] * rolls)
    assert table.jet().facing == sides % 6 == shown.facing
    assert [place.label for flew in table.facts(Flew) for place in flew.path] == [path]
    assert shown.place == path
    assert not table.jet().move.slowed


# AE-2: in vain.


def test_failure_flies_on_at_the_old_speed_and_pays_at_the_end() -> None:
    table = aloft(4, hex="1510")
    table.choose("about", WIN, LOSE)
    assert (table.jet().facing, table.jet().hex.label, table.jet().speed) == (0, "1509", 4)
    table.choose("left", (3, 4, 5))  # the middle one is not above 4, but it is above 3
    assert table.facts(TurnRolled)[0].speed == 4
    assert not table.facts(TurnRolled)[0].success
    assert not table.facts(SpeedLost)
    table.choose("ahead-all")
    assert [place.label for flew in table.facts(Flew) for place in flew.path] == [
        "1509",
        "1508",
        "1507",
        "1506",
    ]
    assert table.facts(SpeedLost) == [SpeedLost("a", 3)]
    assert cites(table, SpeedLost) == ["OSAAF-AE-2"]
    kinds = [type(one.event) for one in table.happenings]
    assert kinds.index(SpeedLost) > max(n for n, kind in enumerate(kinds) if kind is Flew)
    assert table.jet().speed == 3


def test_failure_on_the_last_hex_costs_the_same() -> None:
    table = aloft(2)
    table.choose("ahead")
    table.choose("left-2", LOSE)
    assert table.jet().speed == 1
    assert table.jet().hex.label == "1008"


def test_success_costs_no_speed() -> None:
    table = aloft(2)
    table.choose("left-2", WIN, WIN)
    table.choose("ahead")
    assert not table.facts(SpeedLost)
    assert table.jet().speed == 2


def test_a_stall_that_comes_of_it_counts_from_the_next_turn() -> None:
    """Speed 2 falls to 1: it fires this turn, plans as it likes in the next, and only then stalls."""
    gun = {"gun": {"quality": "medium", "shots": 4}, "energy_factor": 5}
    jets = [
        {"speed": 3, "hex": "1012", "card": gun},
        {"speed": 2, "hex": "1009", "seat": "red", "facing": 0, "card": {"energy_factor": 5}},
    ]
    table = Table(setup(jets), rulings={**ON, "initiative": "off"})
    for _ in jets:
        table.choose(plan(), ONES)
        table.choose(0)
    assert table.decision.unit == "a", "farther from the sun"
    table.choose("left-2", LOSE)
    table.choose("ahead")
    table.choose("ahead")  # b
    assert table.jet("a").speed == 1
    assert not table.jet("a").stalled
    assert table.decision.id == "fire:a"
    assert shots(table)["gun", "b"].blocked is None
    table.choose("hold")

    assert table.decision.id == "plan:a"
    [option] = [one for one in table.decision.all_options if one.value == plan(3)]
    assert option.blocked is None
    table.choose(plan(3), (1, 1))
    assert offered_levels(table)[0] is None, "it need not dive"
    table.choose(0)
    assert [stalled.jet for stalled in table.facts(Stalled)] == ["a"]
    table.choose(plan(), ONES)
    table.choose(-1)
    table.choose(0)
    assert table.decision.unit == "b", "lower by then"
    table.choose("ahead")
    assert [drop.jet for drop in table.facts(StallDropped)] == ["a"]


def offered_levels(table: Table) -> dict[int, str | None]:
    return {
        option.value: option.blocked and option.blocked.cite
        for option in table.decision.all_options
    }


def test_who_leaves_the_board_after_a_failure_comes_back_slower() -> None:
    table = aloft(4, hex="1002")
    table.choose("about", LOSE)
    table.choose("ahead")
    assert table.decision.id == "leave:a"
    assert table.jet().speed == 4
    table.choose("return", (1,))
    assert table.facts(LeftBoard)[0].speed == 3
    line = GAME.tell(table.facts(LeftBoard)[0], {"a": "Jet A"}).text
    assert line == (
        "Jet A leaves the board at 1001; it is due back at the start of turn 3. "
        "It has lost Speed in the turn that failed: Speed 3."
    )
    assert not table.facts(SpeedLost)
    assert table.facts(Returned)[0].facing == 3
    assert table.jet().speed == 3


def test_who_leaves_without_a_failure_keeps_its_speed() -> None:
    table = aloft(4, hex="0102")
    table.choose("left-2", WIN, WIN)
    table.choose("return", (1,))
    assert table.facts(LeftBoard)[0].speed is None
    assert table.jet().speed == 4
    assert table.jet().facing == (4 + 3) % 6


def test_out_for_good_after_a_failure() -> None:
    table = aloft(3, hex="1001", rulings={"edge": "off"})
    table.choose("about", LOSE)
    assert table.jet().status == "gone"
    assert table.jet().speed == 2
    assert not table.facts(SpeedLost)


# The odds.


@pytest.mark.parametrize("grade", ["low", "medium", "high"])
@pytest.mark.parametrize(("speed", "bonus"), [(2, 0), (4, 1), (5, 0), (8, 3)])
def test_the_chance_is_that_of_all_rolls_together(grade: str, speed: int, bonus: int) -> None:
    place = {"low": 0, "medium": 1, "high": 2}[grade]
    once = Fraction(sum(sorted(faces)[place] + bonus > speed for faces in THROWS), len(THROWS))
    table = aloft(speed, bonus, card={"maneuverability": grade})
    for stunt, (rolls, _) in STUNTS.items():
        odds = offered(table)[stunt].odds
        assert odds is not None
        assert odds.yes
        assert exact(odds.chance) == {True: once**rolls, False: 1 - once**rolls}
    table.choose("about")
    assert isinstance(table.step, Roll)
    assert table.step.odds is not None
    assert exact(table.step.odds.chance).get(True, 0) == once
    assert table.step.why == f"must beat Speed {speed}" + (f" with +{bonus}" if bonus else "")


def test_two_rolls_by_every_pair_of_throws() -> None:
    """Medium at Speed 4: a throw turns when two of its dice show 5 or 6, 7 times in 27."""
    odds = offered(aloft(4))["left-2"].odds
    assert odds is not None
    turned = [sorted(faces)[1] > 4 for faces in THROWS]
    both = sum(one and other for one in turned for other in turned)
    assert exact(odds.chance)[True] == Fraction(both, 216**2) == Fraction(49, 729)


def test_the_log_tells_each_roll() -> None:
    table = aloft(3)
    table.choose("about", WIN, WIN, LOSE)
    lines = [GAME.tell(fact, {"a": "Jet A"}) for fact in table.facts(StuntRolled)]
    assert [line.text for line in lines] == [
        "Jet A succeeds with roll 1 of 3.",
        "Jet A succeeds with roll 2 of 3.",
        "Jet A fails roll 3 of 3 and keeps facing N.",
    ]
    assert lines[2].steps == ("1 counts", "1 is not above Speed 3")
    won = aloft(3)
    won.choose("right-2", WIN, WIN)
    told = GAME.tell(won.facts(StuntRolled)[1], {"a": "Jet A"})
    assert told.text == "Jet A turns by 120° to face SE."
