"""Who may interrupt a move or follow one, and how aircraft fly that nobody flies (GS-FLT-13 to 18, GS-F-15, 30 to 34)."""

import math
import random
from typing import Any

import pytest
from msgspec.structs import replace

from app.games.gunslingers.flight import abnormal, collisions, windows
from app.games.gunslingers.flight.flight_types import CHOICES
from app.games.gunslingers.geometry import Pos, legal_facings, parse
from app.games.gunslingers.model import Activation, Aircraft, Crew, OrderPlace, State
from tests.games.gunslingers.formation import aircraft, position


def ordered(*all_of_them: Aircraft, **fields: Any) -> State:
    """A position whose order of flight is the order given."""
    order = tuple(OrderPlace(one.id, 8, n, "") for n, one in enumerate(all_of_them))
    return position(*all_of_them, order=order, **fields)


def may(state: State, mover: str) -> list[str]:
    return [one.id for one in windows.preemptors(state, state.aircraft[mover])]


# Pre-emption (GS-FLT-14).


def test_a_threatened_enemy_with_a_later_place_may_preempt() -> None:
    assert may(ordered(aircraft("b1", "2015"), aircraft("r1", "2010")), "b1") == ["r1"]


@pytest.mark.parametrize(
    "other",
    [
        aircraft("b2", "2010"),  # a friend
        aircraft("r1", "2008"),  # out of range
        aircraft("r1", "2010", altitude=19),  # 5 and 2 for altitude
        aircraft("r1", "2020"),  # behind
        aircraft("r1", "2413"),  # exactly 60 degrees off the nose
        aircraft("r1", "2015"),  # in the same place
        aircraft("r1", "2010", moved=True),
        aircraft("r1", "2010", condition="stalled"),
        aircraft("r1", "2010", status="killed"),
    ],
)
def test_nobody_else_may(other: Aircraft) -> None:
    assert may(ordered(aircraft("b1", "2015"), other), "b1") == []


def test_not_with_an_earlier_place_nor_of_one_out_of_sight() -> None:
    assert may(ordered(aircraft("r1", "2010"), aircraft("b1", "2015")), "b1") == []
    assert may(ordered(aircraft("b1", "2015", sighted=False), aircraft("r1", "2010")), "b1") == []


def test_not_while_its_own_move_waits() -> None:
    state = ordered(aircraft("b1", "2015"), aircraft("r1", "2010"))
    assert may(replace(state, waiting=(Activation(aircraft="r1"),)), "b1") == []


@pytest.mark.parametrize(
    ("switch", "flown", "is_open"),
    [
        ("before-first-fp", (), True),
        ("before-first-fp", ("H",), False),
        ("half-move", ("H", "H"), True),
        ("off", (), False),
    ],
)
def test_when_the_window_is_open(switch: str, flown: tuple[str, ...], is_open: bool) -> None:
    state = position(switches={"preempt": switch})
    move = Activation(aircraft="b1", flown=flown)
    assert windows.preemption_open(state, move) == is_open
    passed = replace(move, asked=(windows.preempt_key(move),))
    assert not windows.preemption_open(state, passed)
    assert not windows.preemption_open(state, replace(move, preempting=True))


def test_preemption_against_an_oracle() -> None:
    dice = random.Random(14)
    found = 0
    for _ in range(400):
        mover = replace(
            aircraft("b1", facing=dice.randrange(12), altitude=dice.randint(10, 16)),
            pos=Pos(2 * dice.randint(5, 15), 2 * dice.randint(1, 6)),
        )
        enemies = [
            replace(
                aircraft(f"r{n}", altitude=dice.randint(8, 18), moved=dice.random() < 0.2),
                pos=Pos(dice.randint(10, 30), dice.randint(2, 12)),
            )
            for n in range(6)
        ]
        fleet = [mover, *enemies]
        dice.shuffle(fleet)
        later = fleet[fleet.index(mover) + 1 :]
        expected = [one.id for one in later if not one.moved and _threatens(mover, one)]
        assert may(ordered(*fleet), "b1") == expected
        found += len(expected)
    assert found > 100


def _threatens(mover: Aircraft, other: Aircraft) -> bool:
    dq, dr = other.pos.q - mover.pos.q, other.pos.r - mover.pos.r
    x, y = math.sqrt(3) / 4 * dq, dr / 2 + dq / 4
    if (dq, dr) == (0, 0):
        return False
    off = abs((math.degrees(math.atan2(x, -y)) - 30 * mover.facing + 180) % 360 - 180)
    hexes = max(abs(dq), abs(dr), abs(dq + dr)) // 2
    return off < 60 - 1e-9 and hexes + abs(other.altitude - mover.altitude) // 2 <= 6


# Tailing (GS-FLT-13).


@pytest.mark.parametrize(
    ("facing", "speed", "fields", "allowed"),
    [
        (0, 5.0, {}, True),
        (2, 6.0, {}, True),  # 60 degrees off, 1.0 faster
        (10, 5.0, {}, True),
        (3, 5.0, {}, False),
        (9, 5.0, {}, False),
        (0, 6.5, {}, False),
        (0, 5.0, {"condition": "disoriented"}, False),
        (0, 5.0, {"engaged": True}, False),
    ],
)
def test_who_may_tail(facing: int, speed: float, fields: dict[str, Any], allowed: bool) -> None:
    one = aircraft("b1", "2015", facing, speed=speed, **fields)
    state = position(one, aircraft("r1", "2015", moved=True))
    ((other, blocked),) = windows.tailees(state, one)
    assert other.id == "r1"
    assert (blocked is None) == allowed


def test_only_an_enemy_in_sight_who_has_moved_is_tailed() -> None:
    one = aircraft("b1", "2015")
    for other in (aircraft("r1", "2015"), aircraft("r1", "2015", moved=True, sighted=False)):
        ((_, blocked),) = windows.tailees(position(one, other), one)
        assert blocked is not None
    apart = aircraft("r1", "2015", altitude=16, moved=True), aircraft("r2", "2016", moved=True)
    assert windows.tailees(position(one, *apart), one) == ()


# Departed (GS-F-31).


def test_tv_32_departed() -> None:
    one = aircraft("b1", "2015", 0, speed=2.0, condition="departed")
    fallen = abnormal.fall(one, (4, 7))
    assert (fallen.side, fallen.steps, fallen.facing, fallen.levels) == ("R", 7, 7, 4)
    assert fallen.pos == parse("2015")
    assert abnormal.fall(replace(one, departed_turns=1), (4, 7)).levels == 6


def test_a_departed_aircraft_on_a_hexside_shifts_first() -> None:
    one = aircraft("b1", "1215/1216", 3, condition="departed")
    right, left = abnormal.fall(one, (2, 1)), abnormal.fall(one, (1, 1))
    assert (right.pos, right.facing) == (parse("1216"), 4)
    assert (left.pos, left.facing) == (parse("1215"), 2)


def test_it_always_has_a_facing_that_its_place_allows() -> None:
    for place in ("2015", "1215/1216", "1114/1215", "1115/1215"):
        for facing in legal_facings(parse(place)):
            one = aircraft("b1", place, facing, condition="departed")
            for dice in ((a, b) for a in (1, 2) for b in range(1, 11)):
                fallen = abnormal.fall(one, dice)
                assert fallen.facing == (facing + (-1 if dice[0] == 1 else 1) * dice[1]) % 12
                assert fallen.facing in legal_facings(fallen.pos)


# Nobody flies it (GS-F-33).


@pytest.mark.parametrize(
    ("die", "kind", "first"),
    [
        *((die, "LVL", "H") for die in (1, 2, 3)),
        *((die, "LVL", "H/R") for die in (4, 5)),
        *((die, "SD", "D1") for die in (6, 7, 8)),
        (9, "ZC", "C1"),
        (10, "SD", "D2/R"),
    ],
)
def test_how_it_drifts(die: int, kind: str, first: str) -> None:
    drift = abnormal.drift((die, 2))
    assert (drift.flight_type, drift.wishes[0]) == (kind, first)
    assert "left" not in drift.words
    assert set(abnormal.INSTEAD) == set(CHOICES)


def test_one_vfp_is_flown_once() -> None:
    assert [abnormal.drift((die, 1)).once for die in (6, 7, 8, 9, 10)] == ["D1", "D1", "", "C1", ""]


# Black-outs and lost bearings (GS-F-15, GS-F-34).


@pytest.mark.parametrize(
    ("crew", "checks", "highest"),
    [
        (Crew(), 0, 1),
        (Crew(fitness=1), 0, 0),
        (Crew(fitness=-1), 0, 2),
        (Crew(quality="novice"), 1, 3),
        (Crew(quality="green"), 3, 6),
        (Crew(quality="veteran"), 2, 3),
    ],
)
def test_gloc_number(crew: Crew, checks: int, highest: int) -> None:
    one = aircraft("b1", crew=(crew,), own={"gloc_checks": checks})
    assert abnormal.gloc(one, crew).reach == highest


@pytest.mark.parametrize(
    ("quality", "kind", "rolls", "flown", "rolled_for"),
    [
        ("green", "LVL", 1, ("LRR",), True),
        ("green", "VC", 0, ("C1",), True),
        ("green", "SD", 0, ("D1",), False),
        ("novice", "LVL", 1, ("DRL",), False),
        ("novice", "VD", 1, ("D2", "VRL60"), True),
        ("novice", "VD", 0, ("D2",), False),
        ("regular", "VD", 1, ("VRL60",), False),
    ],
)
def test_what_disorients(
    quality: Any, kind: str, rolls: int, flown: tuple[str, ...], rolled_for: bool
) -> None:
    one = aircraft(
        "b1", crew=(Crew(quality=quality),), own={"rolls": rolls}, seen={"flight_type": kind}
    )
    assert abnormal.disorienting(one, flown) == rolled_for


@pytest.mark.parametrize(("confidence", "highest"), [("excellent", 2), ("normal", 3), ("poor", 4)])
def test_disorientation_number(confidence: Any, highest: int) -> None:
    one = aircraft("b1", crew=(Crew(quality="green", confidence=confidence),))
    assert abnormal.disorientation(one).reach == highest


# Collisions (GS-FLT-18).


def stack(*all_of_them: Aircraft) -> list[tuple[str, str]]:
    state = position(*all_of_them, movers=tuple(one.id for one in all_of_them))
    return [(last.id, other.id) for last, other in collisions.crowded(state)]


def test_who_may_collide() -> None:
    assert stack(aircraft("b1"), aircraft("r1")) == [("r1", "b1")]
    assert stack(aircraft("b1"), aircraft("b2")) == []
    assert stack(aircraft("b1"), aircraft("b2"), aircraft("b3")) == [("b3", "b2")]
    assert stack(aircraft("b1"), aircraft("r1", altitude=16)) == []
    assert stack(aircraft("b1"), aircraft("r1", "2016")) == []
    assert stack(aircraft("b1"), aircraft("r1"), aircraft("b2")) == [("b2", "r1")]


def test_tailing_prevents_it() -> None:
    assert stack(aircraft("b1"), aircraft("r1", tailing="b1")) == []
    assert stack(aircraft("b1"), aircraft("r1", tailing="b1"), aircraft("b2")) == [("b2", "r1")]


def test_the_last_of_a_crowd_that_tails_leaves_the_others_to_it() -> None:
    crowd = aircraft("r2"), aircraft("b1"), aircraft("b2", tailing="r2")
    assert stack(*crowd) == [("b1", "r2")]


def test_the_dead_are_in_nobody_s_way() -> None:
    assert stack(aircraft("b1", status="killed"), aircraft("r1")) == []
