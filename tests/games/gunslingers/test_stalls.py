"""The Stalled Aircraft Phase (GS-STL): vectors by their ids, what recovery leaves, and who may reverse."""

from typing import Any

import pytest

from app.engine.errors import Illegal
from app.games.gunslingers.model import State, TurnCarry
from app.games.gunslingers.stalls import numbers
from app.games.gunslingers.stalls.facts import (
    DepartureRolled,
    Jettisoned,
    RecoveryRolled,
    ReverseChosen,
    ReverseRolled,
    StallEnded,
)
from tests.games.gunslingers.table import Table, craft, position

WIRE: dict[str, Any] = {"card_with": {"properties": ("fly-by-wire",)}}


def pilot(**traits: Any) -> dict[str, Any]:
    """An F-4E's crew with this pilot."""
    return {"crew": (traits, {"quality": "regular"})}


def stalls(*faces: int, **changes: Any) -> Table:
    """An F-4E at level 18 (minimum speed 2.5), through the phase as far as dice and choices allow."""
    return Table.of(craft(speed=2.0, **changes)).begin("stalled", "", *faces)


def departed(*faces: int, **changes: Any) -> Table:
    return stalls(*faces, condition="departed", departed_turns=2, depart_speed=2.0, **changes)


# Vectors.


@pytest.mark.parametrize(("face", "recovers"), [(9, True), (10, False)])
def test_tv_25(face: int, recovers: bool) -> None:
    table = departed(face, **WIRE, **pilot(quality="veteran"))
    rolled = table.facts(RecoveryRolled)[0]
    assert (rolled.roll.result, rolled.roll.made) == (face - 3, recovers)
    assert (table.craft().condition == "normal") is recovers


@pytest.mark.parametrize(("face", "recovers"), [(4, True), (5, False)])
def test_tv_26(face: int, recovers: bool) -> None:
    rolled = departed(face, **pilot(quality="green")).facts(RecoveryRolled)[0]
    assert (rolled.roll.result, rolled.roll.made) == (face + 2, recovers)


@pytest.mark.parametrize(("face", "condition"), [(7, "departed"), (8, "stalled")])
def test_tv_27(face: int, condition: str) -> None:
    table = stalls(face, **pilot(quality="novice", confidence="poor"))
    assert table.facts(DepartureRolled)[0].roll.result == face - 2
    assert table.craft().condition == condition


@pytest.mark.parametrize(("face", "condition"), [(1, "departed"), (2, "stalled")])
def test_tv_28(face: int, condition: str) -> None:
    table = stalls(face, **WIRE, **pilot(quality="veteran", sierra_hotel=True))
    assert table.facts(DepartureRolled)[0].roll.result == face + 4
    assert table.craft().condition == condition


@pytest.mark.parametrize(("face", "reverses"), [(7, True), (8, False)])
def test_tv_29(face: int, reverses: bool) -> None:
    table = stalls(10, flight_type="VC", **pilot(sierra_hotel=True))
    table.choose("try", face)
    one = table.craft()
    assert table.facts(ReverseRolled)[0].roll.result == face - 1
    assert one.vertical_reverse is reverses
    assert (one.condition, one.speed) == (("normal", 2.5) if reverses else ("stalled", 2.0))


# GS-T-7 and GS-T-8, each row alone.


@pytest.mark.parametrize(
    ("traits", "recovery", "departure"),
    [
        ({"quality": "veteran"}, -1, 1),
        ({"quality": "regular"}, 0, 0),
        ({"quality": "novice"}, 0, -1),
        ({"quality": "green"}, 2, -2),
        ({"sierra_hotel": True}, -1, 1),
        ({"confidence": "excellent"}, 0, 1),
        ({"confidence": "poor"}, 0, -1),
        ({"tactics_master": True, "combat_hero": True}, 0, 0),
    ],
)
def test_each_trait(traits: dict[str, Any], recovery: int, departure: int) -> None:
    for wire in ({}, WIRE):
        state = position(craft(**wire, **pilot(**traits)))
        one = state.aircraft["a"]
        help = 2 if wire else 0
        assert numbers.recovery(state, one).modifier == recovery - help
        assert numbers.reverse(state, one).modifier == recovery - help
        assert numbers.departure(state, one).modifier == departure + help
        # GS-STL-4: the controls do not help a disoriented pilot.
        assert numbers.disorientation(one).modifier == recovery


# Letters.


@pytest.mark.parametrize(("depart_speed", "speed"), [(2.0, 2.5), (4.0, 4.0)])
def test_recovery_restores_speed_and_forgets_what_was_carried(
    depart_speed: float, speed: float
) -> None:
    table = stalls(
        6,
        condition="departed",
        departed_turns=3,
        depart_speed=depart_speed,
        fp_carry=0.5,
        ap_carry=1.25,
        turn_carry=TurnCarry("HT", "L", 1),
        bank="L",
    )
    one = table.craft()
    assert (one.speed, one.condition, one.recovered, one.departed_turns) == (
        speed,
        "normal",
        True,
        0,
    )
    own = one.o
    assert (own.fp_carry, own.ap_carry, own.turn_carry, own.bank) == (0, 0, None, "level")
    # GS-STL-2: who has recovered in step 1 does not roll in step 2.
    assert not table.facts(DepartureRolled)


def test_who_recovers_may_be_blacked_out_still() -> None:
    table = departed(6, crew=({"status": "gloc"}, {"quality": "regular"}))
    assert table.craft().condition == "gloc"


def test_a_departed_aircraft_rolls_once_and_is_not_rolled_for_as_stalled() -> None:
    table = departed(7, 1, 1)
    assert len(table.facts(RecoveryRolled)) == 1
    assert not table.facts(DepartureRolled)
    assert (table.craft().condition, table.craft().departed_turns) == ("departed", 2)


def test_stalling_is_tested_with_altitude_and_load() -> None:
    """GS-STL-2a: minimum 2.0 in LO, 2.5 in MH, 3.0 in HI; a load adds 0.5 in HI."""
    low = Table.of(craft(altitude=7, speed=2.0)).begin("stalled", "", 1)
    high = Table.of(craft(altitude=30, speed=3.0)).begin("stalled", "", 1)
    laden = Table.of(craft(altitude=30, speed=3.0, config="half")).begin("stalled")
    laden.choose("keep", 1)
    assert [len(t.facts(DepartureRolled)) for t in (low, high, laden)] == [0, 0, 1]


def test_departing_notes_the_speed_and_drops_locks() -> None:
    table = Table.of(
        craft(speed=2.0, contacts=("b",), locks=("b",)),
        craft(side="red", place="2010", card="f-4e", warned=("a",)),
    )
    table.begin("stalled", "", 5)
    one = table.craft()
    assert (one.condition, one.o.depart_speed, one.o.locks) == ("departed", 2.0, ())
    assert table.craft("b").o.warned == ()


def test_a_stall_ends_when_it_is_fast_enough() -> None:
    table = Table.of(craft(speed=2.5, condition="stalled", stalled_turns=2)).begin("stalled")
    assert len(table.facts(StallEnded)) == 1
    assert (table.craft().condition, table.craft().stalled_turns) == ("normal", 0)


@pytest.mark.parametrize(
    ("lost", "condition"),
    [
        ({"crew": ({"status": "gloc"}, {})}, "gloc"),
        ({"crew": ({}, {"status": "gloc"})}, "normal"),
        ({"crew": ({"status": "dead"}, {"status": "gloc"})}, "gloc"),
        ({"crew": ({"status": "dead"}, {})}, "normal"),
        ({"bearings_lost": True}, "disoriented"),
    ],
)
def test_a_stall_ends_and_nobody_flies_it_still(lost: dict[str, Any], condition: str) -> None:
    """GS-F-33, GS-STL-4: a stall wakes nobody, and gives nobody his bearings back; nor does a departure."""
    stall = Table.of(craft(speed=2.5, condition="stalled", **lost)).begin("stalled")
    fall = Table.of(craft(condition="departed", **lost)).begin("stalled", "", 1)
    assert [t.craft().condition for t in (stall, fall)] == [condition] * 2


STORES = ({"missile": "ir-rear", "count": 4},)


def test_jettison_before_the_roll_may_end_the_stall() -> None:
    """At level 30 a load raises the minimum from 3.0 to 3.5."""
    table = Table.of(craft(altitude=30, speed=3.0, config="half", stores=STORES))
    table.begin("stalled", "", 1).choose("drop")
    one = table.craft()
    assert (one.s.config, one.o.stores, one.condition) == ("CL", (), "normal")
    assert not table.facts(DepartureRolled)


@pytest.mark.parametrize(("choice", "stores"), [("drop", 0), ("keep", 1)])
def test_jettison_may_not_be_enough(choice: str, stores: int) -> None:
    table = Table.of(craft(altitude=30, speed=2.5, config="half", stores=STORES))
    table.begin("stalled").choose(choice, 10)
    assert len(table.facts(Jettisoned)) == len(table.facts(DepartureRolled)) == 1
    assert (len(table.craft().o.stores), table.craft().condition) == (stores, "stalled")


def test_a_load_of_no_missiles_can_be_dropped_too() -> None:
    """GS-STL-2a: what weighs it down need not be missiles."""
    table = Table.of(craft(altitude=30, speed=3.0, config="DT")).begin("stalled").choose("drop")
    assert (table.craft().s.config, table.craft().condition) == ("CL", "normal")


def test_nobody_awake_drops_nothing() -> None:
    out = ({"status": "gloc"}, {"status": "gloc"})
    table = Table.of(craft(altitude=30, speed=3.0, config="half", stores=STORES, crew=out))
    table.begin("stalled", "", 10)
    assert (len(table.facts(Jettisoned)), len(table.facts(DepartureRolled))) == (0, 1)


def test_a_clean_aircraft_is_not_asked_to_jettison() -> None:
    table = stalls(10, stores=STORES)
    assert not table.facts(Jettisoned)
    assert len(table.facts(DepartureRolled)) == 1


@pytest.mark.parametrize(
    ("speed", "flight_type", "offered"),
    [(2.5, "VC", True), (2.0, "VC", True), (3.0, "VC", False), (2.0, "ZC", False)],
)
def test_reversing_takes_a_vertical_climb_and_little_speed(
    speed: float, flight_type: str, offered: bool
) -> None:
    table = Table.of(craft(speed=speed, flight_type=flight_type)).begin("stalled", "", 10)
    ids = [one.id for one in table.decisions]
    assert ("try-reverse:a" in ids) is offered


def test_who_departs_can_not_reverse() -> None:
    table = stalls(1, flight_type="VC")
    assert table.craft().condition == "departed"
    assert not table.facts(ReverseChosen)


@pytest.mark.parametrize(
    ("speed", "quality", "allowed"),
    [
        (1.5, "regular", True),
        (1.0, "regular", False),
        (2.0, "novice", False),
        (2.0, "green", False),
    ],
)
def test_who_may_not_reverse_says_no(speed: float, quality: str, allowed: bool) -> None:
    """GS-STL-3a; the answer is given for whoever has no choice, so that others can't tell why."""
    table = Table.of(craft(speed=speed, flight_type="VC", **pilot(quality=quality)))
    table.begin("stalled", "", 10)
    if allowed:
        assert table.option("try").blocked is None
        table.choose("no")
    assert [one.tries for one in table.facts(ReverseChosen)] == [False]
    assert table.craft().condition == "stalled"


def test_a_blacked_out_pilot_reverses_nothing() -> None:
    state = position(craft(speed=2.0, flight_type="VC", crew=({"status": "gloc"}, {})))
    blocked = numbers.reverse_blocked(state, state.aircraft["a"])
    assert blocked is not None
    assert blocked.cite == "GS-STL-3"
    chosen = Table(state).begin("stalled", "", 10).facts(ReverseChosen)
    assert [one.tries for one in chosen] == [False]


def test_the_blocked_try_names_its_rule() -> None:
    state: State = position(craft(speed=2.0, flight_type="VC", **pilot(quality="green")))
    blocked = numbers.reverse_blocked(state, state.aircraft["a"])
    assert blocked is not None
    assert blocked.cite == "GS-STL-3a"


def test_failing_at_exactly_the_minimum_stalls() -> None:
    table = Table.of(craft(speed=2.5, flight_type="VC")).begin("stalled")
    table.choose("try", 7)
    assert table.craft().condition == "stalled"
    with pytest.raises(Illegal):
        stalls(10, flight_type="VC").choose("perhaps")


def test_the_log_explains_to_each_what_he_may_know() -> None:
    table = departed(9, **WIRE, **pilot(quality="veteran"))
    own = next(told for told in table.told({"blue"}) if "recovers" in told.text)
    other = next(told for told in table.told({"red"}) if "recovers" in told.text)
    assert own.steps == (
        "9 rolled",
        "−2 fly-by-wire",
        "−1 Veteran",
        "6, and 6 or less is needed",
    )
    assert other.steps == ("9 rolled", "−3 not shown", "6, and 6 or less is needed")
    assert table.refold() == table.state
