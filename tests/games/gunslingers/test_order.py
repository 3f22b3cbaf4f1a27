"""The order of flight: 9-6-9, categories, initiative, ranks, ties (GS-OOF, GS-T-9, GS-T-12)."""

import math
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.log import Event
from app.engine.sequence import Decision, Effect, Roll
from app.games.gunslingers import events
from app.games.gunslingers.geometry import Pos
from app.games.gunslingers.model import Aircraft, Crew, OrderPlace, State
from app.games.gunslingers.order import advantage, ranks, walk
from app.games.gunslingers.order.facts import CategoriesSet, InitiativeSet
from app.games.gunslingers.order.phase import PHASE
from app.games.gunslingers.order.tell import tell
from tests.games.gunslingers.formation import aircraft, position


def play(
    state: State, dice: Sequence[int] = (), choices: Sequence[Any] = ()
) -> tuple[State, list[Event]]:
    """The whole phase with scripted dice and answers."""
    faces, answers = iter(dice), iter(choices)
    happened: list[Event] = []
    while (todo := PHASE.todo(state)) is not None:
        match todo:
            case Effect():
                event = todo.event
            case Roll():
                event = todo.happen(tuple(next(faces) for _ in range(todo.pool.count)))
            case _:
                decision = todo[0] if isinstance(todo, tuple) else todo
                assert isinstance(decision, Decision)
                event = decision.happen(decision.accept(next(answers)))
        happened.append(event)
        state = events.evolve(state, event)
    assert next(faces, None) is None
    return state, happened


def in_order(state: State) -> list[str]:
    return [place.aircraft for place in state.order]


A = ("b1", "2015", 0, 15)


@pytest.mark.parametrize(
    ("place", "level", "advantaged"),
    [
        ("2006", 15, True),  # GV-19: range 9
        ("2005", 15, False),  # range 10
        ("2010", 21, True),  # GV-20: 6 higher
        ("2010", 22, False),
        ("2010", 6, True),  # 9 lower
        ("2010", 5, False),
        ("2412", 15, True),  # GV-21
        ("2413", 15, False),  # exactly 60 degrees (TV: A-24)
        ("2414", 15, False),
        ("2015", 14, False),  # GV-22: same position
    ],
)
def test_9_6_9(place: str, level: int, advantaged: bool) -> None:
    one, other = aircraft(*A), aircraft("r1", place, 0, level)
    found = advantage.advantage(position(one, other), one, other)
    assert (found is not None) == advantaged


def test_gv_23_advantage_on_a_border_within_the_arc() -> None:
    one, other = aircraft("b1", "2015", 3, 15), aircraft("r1", "2413", 0, 12)
    found = advantage.advantage(position(one, other), one, other)
    assert found == advantage.Advantage("b1", "r1", 4, -3, 150)


def test_only_over_those_in_sight() -> None:
    one, other = aircraft(*A), aircraft("r1", "2010", sighted=False)
    assert advantage.advantage(position(one, other), one, other) is None


@pytest.mark.parametrize("condition", ["stalled", "departed", "gloc", "disoriented"])
def test_only_free_aircraft_gain_it(condition: str) -> None:
    one, other = aircraft(*A, condition=condition), aircraft("r1", "2010")
    assert advantage.advantage(position(one, other), one, other) is None


def test_engaged_aircraft_gain_none() -> None:
    one, other = aircraft(*A, engaged=True), aircraft("r1", "2010")
    assert advantage.advantage(position(one, other), one, other) is None


@pytest.mark.parametrize(("level", "advantaged"), [(16, False), (15, True), (14, True)])
def test_from_a_vertical_dive_none_over_higher_ones(level: int, advantaged: bool) -> None:
    one = aircraft(*A, seen={"flight_type": "VD"})
    other = aircraft("r1", "2010", 0, level)
    assert (advantage.advantage(position(one, other), one, other) is not None) == advantaged


def test_one_who_tails_is_advantaged_over_its_tailee_only() -> None:
    one = aircraft(*A, tailing="r1")
    state = position(one, aircraft("r1", "2015"), aircraft("r2", "2010"))
    assert [each.over for each in advantage.advantages(state) if each.of == "b1"] == ["r1"]


def test_a_border_by_the_faster_one() -> None:
    """GS-G-14 with its switch: 2413 is exactly 60 degrees off the nose of 2015 N."""
    switches = {"border": "faster-forward"}
    for speed, facing, advantaged in ((5.0, 0, False), (6.0, 0, True), (6.0, 6, False)):
        one, other = aircraft(*A, speed=5.0), aircraft("r1", "2413", facing, speed=speed)
        state = position(one, other, switches=switches)
        assert (advantage.advantage(state, one, other) is not None) == advantaged, (speed, facing)


def test_tv_44_ranks() -> None:
    """A disadvantaged init 9; B, C non-advantaged 2, 5; D advantaged 1; E engaged 8; F stalled; G on radar."""
    state = position(
        aircraft("ba", "0101", own={"contacts": ("rg",)}),
        aircraft("rg", "0101", sighted=False),
        aircraft("be", "0101", engaged=True),
        aircraft("bf", "0101", condition="stalled"),
        aircraft("bb", "0101", category="non-advantaged"),
        aircraft("bc", "0101", category="non-advantaged"),
        aircraft("bd", "0101", category="advantaged"),
    )
    state = replace(
        state,
        aircraft={**state.aircraft, "ba": replace(state.aircraft["ba"], category="disadvantaged")},
    )
    initiative = {"ba": 9, "bb": 2, "bc": 5, "bd": 1, "be": 8, "bf": 10, "rg": 0}
    places = [
        OrderPlace(
            one.id, ranks.rank(state, one), initiative[one.id], "", within=ranks.within(state, one)
        )
        for one in state.flying()
    ]
    listed = [place.aircraft for place in sorted(places, key=lambda place: place.key)]
    assert listed == ["bf", "be", "ba", "bb", "bc", "bd", "rg"]


def test_every_rank_in_its_order() -> None:
    state = position(
        aircraft("b10", "0101", sighted=False),
        aircraft("b9", "0101", sighted=False),
        aircraft("r8", "0101", own={"contacts": ("b9",)}),
        aircraft("b4", "0101", engaged=True),
        aircraft("b3b", "0101", condition="disoriented"),
        aircraft("b3a", "0101", condition="gloc"),
        aircraft("b2b", "0101", condition="stalled"),
        aircraft("b2a", "0101", condition="departed"),
    )
    state, _ = play(state, (5, 5))
    assert in_order(state) == ["b2a", "b2b", "b3a", "b3b", "b4", "r8", "b9", "b10"]
    assert [place.rank for place in state.order] == [2, 2, 3, 3, 4, 8, 9, 10]


def test_tv_45_ties() -> None:
    state = position(aircraft("b1", "0101"), aircraft("r1", "4030"))
    state, _ = play(state, (5, 5, 7, 3))
    assert in_order(state) == ["r1", "b1"]
    assert [place.tie for place in state.order] == [(3,), (7,)]


def test_ties_are_rolled_off_until_none_is_left() -> None:
    state = position(aircraft("b1", "0101"), aircraft("b2", "0101"), aircraft("r1", "4030"))
    state, _ = play(state, (5, 5, 4, 4, 1, 9, 9, 2, 8))
    assert in_order(state) == ["r1", "b1", "b2"]
    assert [place.tie for place in state.order] == [(1,), (4, 9, 2), (4, 9, 8)]


def test_tv_46_both_is_neither() -> None:
    a = aircraft("b1", "2015", 0)
    x, y = aircraft("r1", "2010", 0), aircraft("r2", "2020", 0)
    state, happened = play(position(a, x, y), (5, 6))
    assert state.aircraft["b1"].category == "non-advantaged"
    assert state.aircraft["r1"].category == "disadvantaged"
    assert state.aircraft["r2"].category == "advantaged"
    assert in_order(state) == ["r1", "b1", "r2"]
    assert next(place.why for place in state.order if place.aircraft == "b1") == (
        "advantaged over R1, disadvantaged by R2"
    )
    told = tell(next(one for one in happened if isinstance(one, CategoriesSet)), _names(state))
    assert told is not None
    assert "B1 over R1: in its 180 arc, 5 hexes of at most 9, same level" in told.steps


def _names(state: State) -> dict[str, str]:
    return {one.id: one.name for one in state.aircraft.values()} | dict(state.sides)


def test_tv_42_and_tv_43_initiative() -> None:
    best = Crew(quality="veteran", sierra_hotel=True)
    worst = Crew(quality="green", confidence="poor")
    state = position(
        aircraft("b1", "0101", crew=(best,)),
        aircraft("r1", "4030", crew=(worst,)),
        training={"blue": "good", "red": "limited"},
        first_kill="blue",
        kills={"blue": 2, "red": 1},
    )
    state, happened = play(state, (6, 7))
    assert (state.aircraft["b1"].initiative, state.aircraft["r1"].initiative) == (11, 3)
    fact = next(one for one in happened if isinstance(one, InitiativeSet))
    crews = [one.crew for one in fact.standings]
    assert [crew.seats for crew in crews] == [("blue",), ("red",)]


def test_equal_kills_are_most_for_nobody() -> None:
    state = position(aircraft("b1"), kills={"blue": 2, "red": 2})
    assert not any(line.lit for line in ranks.modifiers(state, state.aircraft["b1"])[-2:])


def test_who_flies_is_the_first_who_lives() -> None:
    crew = (Crew(quality="veteran", status="dead"), Crew(quality="green"))
    state = position(aircraft("b1", crew=crew))
    rows = {line.words: line.amount for line in ranks.modifiers(state, state.aircraft["b1"])}
    assert rows["green pilot"] == -2


@pytest.mark.parametrize(("choice", "category"), [("b1", "advantaged"), ("", "non-advantaged")])
def test_a_sierra_hotel_may_be_moved_up(choice: str, category: str) -> None:
    state = position(
        aircraft("b1", "0101", crew=(Crew(sierra_hotel=True),)),
        aircraft("r1", "4030"),
        switches={"sierra_hotel_bump": "on"},
    )
    asked = PHASE.todo(play_until(state, "GS-OOF-1"))
    assert isinstance(asked, tuple)
    assert [(one.seat, one.sealed) for one in asked] == [("blue", True), ("red", True)]
    assert [[option.value for option in one.all_options] for one in asked] == [["", "b1"], [""]]
    state, _ = play(state, (5, 5), (choice, ""))
    assert state.aircraft["b1"].category == category
    assert not state.aircraft["b1"].o.bumped


def play_until(state: State, step: str) -> State:
    """The position in which a step has begun."""
    while state.step != step:
        todo = PHASE.todo(state)
        assert isinstance(todo, Effect)
        state = events.evolve(state, todo.event)
    return state


def test_without_the_switch_nobody_is_asked() -> None:
    state = position(
        aircraft("b1", "0101", crew=(Crew(sierra_hotel=True),)), aircraft("r1", "4030")
    )
    state, _ = play(state, (5, 5))
    assert in_order(state) == ["r1", "b1"]


@pytest.mark.parametrize("fog", ["soft", "hard"])
def test_in_fog_those_out_of_sight_are_not_named(fog: str) -> None:
    state = position(
        aircraft("b1", "2015", 0, sighted=False), aircraft("r1", "2010"), switches={"fog": fog}
    )
    state, _ = play(
        state, (5, 6, 3, 9, 3, 4)
    )  # two dice for ties each, whether there are any or not
    assert {place.aircraft: place.tie for place in state.order} == {"b1": (3, 9), "r1": (3, 4)}
    assert {place.aircraft: place.why for place in state.order} == {
        "b1": "unsighted",
        "r1": "disadvantaged by an enemy out of sight",
    }


# Against an oracle that measures with floating-point bearings.


def _random_fleet(dice: random.Random, each: int) -> Iterator[Aircraft]:
    for side in "br":
        for number in range(each):
            pos = Pos(2 * dice.randint(1, 12), 2 * dice.randint(1, 9))
            yield replace(
                aircraft(
                    f"{side}{number}",
                    facing=dice.randrange(12),
                    altitude=dice.randint(8, 26),
                    sighted=dice.random() < 0.8,
                    engaged=dice.random() < 0.1,
                    condition=dice.choice(
                        ["normal"] * 9 + ["stalled", "departed", "gloc", "disoriented"]
                    ),
                    seen={"flight_type": dice.choice(["LVL", "VD"])},
                    crew=(Crew(quality=dice.choice(["veteran", "regular", "novice", "green"])),),
                    own={"contacts": ("r1",) if side == "b" and dice.random() < 0.3 else ()},
                ),
                pos=pos,
            )


def _oracle_advantage(one: Aircraft, other: Aircraft) -> bool:
    x = math.sqrt(3) / 4 * (other.pos.q - one.pos.q)
    y = (other.pos.r - one.pos.r) / 2 + (other.pos.q - one.pos.q) / 4
    if (x, y) == (0, 0) or one.engaged or one.condition != "normal":
        return False
    bearing = math.degrees(math.atan2(x, -y))
    off = abs((bearing - 30 * one.facing + 180) % 360 - 180)
    dq, dr = (other.pos.q - one.pos.q) / 2, (other.pos.r - one.pos.r) / 2
    hexes = (abs(dq) + abs(dr) + abs(dq + dr)) / 2
    levels = other.altitude - one.altitude
    in_dive = one.s.flight_type == "VD" and levels > 0
    in_sight = one.side in other.sighted_by
    return off < 60 - 1e-9 and hexes <= 9 and -9 <= levels <= 6 and in_sight and not in_dive


def _oracle_key(state: State, one: Aircraft) -> tuple[int, int]:
    enemies = [other for other in state.aircraft.values() if other.side != one.side]
    names = ("departed", "stalled", "gloc", "disoriented")
    if one.condition in names:
        return (2, 2, 3, 3)[names.index(one.condition)], names.index(one.condition) % 2
    if one.engaged:
        return 4, 0
    if not one.sighted_by:
        return (9, 0) if any(one.id in enemy.o.contacts for enemy in enemies) else (10, 0)
    over = any(_oracle_advantage(one, enemy) for enemy in enemies)
    under = any(_oracle_advantage(enemy, one) for enemy in enemies)
    return 8, 1 + over - under


def test_the_order_against_an_oracle() -> None:
    dice = random.Random(8)
    quality = {"veteran": 1, "regular": 0, "novice": -1, "green": -2}
    for _ in range(150):
        start = position(*_random_fleet(dice, 4))
        state, base = start, {"blue": dice.randint(1, 10), "red": dice.randint(1, 10)}
        while (todo := PHASE.todo(state)) is not None:
            if isinstance(todo, Roll):
                face = base[todo.seat] if todo.id.startswith("base") else dice.randint(1, 10)
                event = todo.happen((face,))
            else:
                assert isinstance(todo, Effect)
                event = todo.event
            state = events.evolve(state, event)
        assert len(state.order) == 8
        keys = [
            (
                *_oracle_key(start, one := start.aircraft[place.aircraft]),
                base[one.side] + quality[one.o.crew[0].quality],
                place.tie,
            )
            for place in state.order
        ]
        assert all(before < after for before, after in pairwise(keys)), keys


# The order as it is walked.


def listed(*ids: str, initiative: Sequence[int] = ()) -> tuple[OrderPlace, ...]:
    numbers = initiative or range(1, len(ids) + 1)
    return tuple(OrderPlace(one, 8, number, "") for one, number in zip(ids, numbers, strict=True))


def walked(state: State) -> list[str]:
    return [entry.place.aircraft for entry in walk.walk(state)]


def test_tv_47_who_illuminates_comes_right_after_its_target() -> None:
    state = position(
        aircraft("bb"), aircraft("r2"), aircraft("b2"), aircraft("ra", illuminating="bb")
    )
    assert walked(replace(state, order=listed("bb", "r2", "b2", "ra"))) == ["bb", "ra", "r2", "b2"]
    assert walked(replace(state, order=listed("ra", "r2", "bb", "b2"))) == ["r2", "bb", "ra", "b2"]


def test_followers_of_followers() -> None:
    state = position(
        aircraft("b1", tailing="r1"),
        aircraft("r1"),
        aircraft("r2", illuminating="b1"),
        aircraft("b3"),
    )
    assert walked(replace(state, order=listed("b1", "r2", "b3", "r1"))) == ["b3", "r1", "b1", "r2"]


def test_only_free_aircraft_follow() -> None:
    state = position(aircraft("b1", tailing="r1", condition="stalled"), aircraft("r1"))
    assert walked(replace(state, order=listed("b1", "r1"))) == ["b1", "r1"]


def test_a_shoot_out_is_flown_at_the_earlier_place_lower_initiative_first() -> None:
    state = position(
        aircraft("b1", illuminating="r1"),
        aircraft("r1", illuminating="b1"),
        aircraft("b2"),
        aircraft("r2"),
    )
    order = listed("b2", "b1", "r2", "r1", initiative=(1, 9, 2, 4))
    assert walked(replace(state, order=order)) == ["b2", "r1", "b1", "r2"]


def test_a_ring_of_three_does_not_lock() -> None:
    state = position(
        aircraft("b1", tailing="r1"),
        aircraft("r1", illuminating="b2"),
        aircraft("b2", tailing="r1"),
    )
    assert sorted(walked(replace(state, order=listed("b1", "r1", "b2")))) == ["b1", "b2", "r1"]
    state = position(
        aircraft("b1", tailing="r1"),
        aircraft("r1", illuminating="b2"),
        aircraft("b2", tailing="r2"),
        aircraft("r2", illuminating="b1"),
    )
    assert len(walked(replace(state, order=listed("b1", "r1", "b2", "r2")))) == 4


def test_the_queue_says_why_and_who_is_done() -> None:
    state = position(aircraft("b1", moved=True), aircraft("r1"), aircraft("r2", illuminating="b1"))
    queue = walk.queue(replace(state, order=listed("b1", "r1", "r2")), frozenset())
    assert queue is not None
    assert [place.unit for place in queue.places] == ["b1", "r2", "r1"]
    assert [place.done for place in queue.places] == [True, False, False]
    assert queue.places[1].why.startswith("right after B1")
    assert walk.queue(state, frozenset()) is None
