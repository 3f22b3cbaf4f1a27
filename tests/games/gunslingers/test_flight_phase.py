"""The Flight Phase played through the engine: whose move it is, what interrupts it, how it ends (GS-FLT, GS-F)."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from app.engine import sequence
from app.engine.errors import Illegal
from app.engine.secret import Secret
from app.engine.sequence import Decision, Roll
from app.games.gunslingers.flight.facts import (
    CeilingRolled,
    Crashed,
    DriftRolled,
    GlocRolled,
    LeftMap,
    MoveBegan,
    MoveEnded,
    PreemptorPaused,
    Sank,
    StackRolled,
    Tumbled,
)
from app.games.gunslingers.flight.flying import points_left
from app.games.gunslingers.flight.move_facts import EnergySettled, Flew
from app.games.gunslingers.geometry import legal_facings, parse
from app.games.gunslingers.guns.facts import DamageRolled
from app.games.gunslingers.missiles.attack import attack_number
from app.games.gunslingers.model import (
    Aircraft,
    Crew,
    Missile,
    OrderPlace,
    Settings,
    State,
    TurnCarry,
    with_aircraft,
    with_own,
)
from app.games.gunslingers.order.ranks import ABNORMAL
from app.games.gunslingers.step_facts import StepBegan
from tests.games.gunslingers.table import GAME, Craft, Table, craft, line_to, position


def flight(*crafts: Craft, dice: Sequence[int] = (), **changes: Any) -> Table:
    """A table at the start of the Flight Phase; within a rank, the order of flight is that of the crafts.

    All are in sight, and nobody has ammunition, so that nobody is asked about his guns.
    """
    state = position(*(_plain(one) for one in crafts), **changes)
    order = (_place(n, one) for n, one in enumerate(state.aircraft.values()))
    state = replace(state, order=tuple(sorted(order, key=lambda place: place.key)))
    return Table(state, *dice).begin("flight")


def _plain(one: Craft) -> Craft:
    enemy = "red" if one["side"] == "blue" else "blue"
    return {"sighted_by": (enemy,), "ammo": 0, **one}


def _place(number: int, one: Aircraft) -> OrderPlace:
    rank, within = ABNORMAL.get(one.condition, (4 if one.engaged else 8, 0))
    return OrderPlace(one.id, rank, number, "as listed", within=within)


def settings(kind: str = "LVL", power: str = "N", ap: float = 0, **more: Any) -> dict[str, Any]:
    return {
        "flight_type": kind,
        "power": power,
        "ap": ap,
        "brakes": 0,
        "damage_control": False,
        "half_roll": False,
        **more,
    }


def fly(table: Table, line: str, *dice: int, **how: Any) -> Table:
    """Answer an aircraft's settings and its line."""
    assert table.decision.id.startswith("settings:"), table.decision
    table.choose(_offered(table, settings(**how)))
    return table.choose(line, *dice)


def _offered(table: Table, wanted: dict[str, Any]) -> str:
    """The line of orders that leads to these settings."""
    return line_to(table, msgspec.convert(wanted, Settings))


def straight(table: Table) -> Table:
    """The next aircraft flies straight and level."""
    table.choose(_offered(table, settings()))
    unit = table.decision.unit
    assert unit is not None
    return table.choose(",".join(["H"] * points_left(table.craft(unit))))


def moved(table: Table) -> list[str]:
    return [one.aircraft for one in table.facts(MoveEnded)]


# Whole moves (GS-F).


def test_tv_49_a_turn_is_carried() -> None:
    table = flight(
        craft(place="1015", facing=3, altitude=18, speed=5.5), craft(side="red", place="4001")
    )
    fly(table, "HTR/H,H/R,H,H/R,H", power="AB", ap=3.5)
    one = table.craft()
    assert (one.pos.label, one.facing, one.altitude) == ("1417/1516", 5, 18)
    assert (one.o.next_speed, one.o.ap_carry, one.o.fp_carry) == (5.5, 0.5, 0.5)
    assert one.o.turn_carry == TurnCarry("HT", "R", 1)
    assert one.moved


def test_tv_49_or_stopped() -> None:
    table = flight(
        craft(place="1015", facing=3, altitude=18, speed=5.5), craft(side="red", place="4001")
    )
    fly(table, "HTR/H,H/R,H,H/R,H,-", power="AB", ap=3.5)
    assert table.craft().o.turn_carry is None


def test_tv_50_a_break_turn_in_parts() -> None:
    """The line is given in three parts; it comes to the same."""
    table = flight(craft(place="1015", altitude=12, speed=5.0), craft(side="red", place="4001"))
    fly(table, "BTL/H/L", power="M", ap=1.5)
    assert table.decision.id.startswith("fly:a")
    table.choose("H/L,H/L").choose("H/L,H")
    one = table.craft()
    assert (one.pos.label, one.facing, one.o.next_speed, one.o.ap_carry) == ("0614", 8, 4.0, -1.0)


def test_tv_62_minimum_speed_of_a_rate() -> None:
    table = flight(craft(altitude=18, speed=3.0), craft(side="red", place="4001"))
    table.choose(_offered(table, settings()))
    with pytest.raises(Illegal, match=r"3\.5"):
        table.choose("HTR/H,H,H")
    table.choose("TTR/H,H,H")
    assert table.craft().moved


# Out of hand (GS-F-25, GS-F-30 to GS-F-33).


def test_tv_30_and_tv_31_a_stall() -> None:
    stalled = craft(speed=2.0, altitude=30, condition="stalled")
    table = flight(stalled, craft(side="red", place="4001"))
    table.choose(_offered(table, settings("ST", "M", 1.5)))
    one = table.craft()
    assert (one.altitude, one.o.next_speed, one.o.ap_carry) == (27, 2.5, 1.0)
    assert one.stalled_turns == 1
    again = craft(speed=2.5, altitude=27, condition="stalled", stalled_turns=1, ap_carry=1.0)
    table = flight(again, craft(side="red", place="4001"))
    table.choose(_offered(table, settings("ST", "M", 1.5)))
    one = table.craft()
    assert (one.altitude, one.o.next_speed, one.o.ap_carry) == (22, 4.0, 1.5)
    assert len(table.facts(Sank)) == 1


def test_tv_32_a_departed_aircraft_tumbles() -> None:
    table = flight(
        craft(speed=2.0, condition="departed"), craft(side="red", place="4001"), dice=(4, 7)
    )
    one = table.craft()
    assert (one.pos.label, one.facing, one.altitude) == ("2015", 7, 14)
    assert (one.departed_turns, one.o.next_speed, one.moved) == (1, 2.0, True)
    assert len(table.facts(Tumbled)) == 1


def test_a_fall_ends_at_the_ground() -> None:
    table = flight(
        craft(speed=2.0, altitude=4, condition="departed"),
        craft(side="red", place="4001"),
        dice=(1, 1),
    )
    assert table.craft().status == "crashed"
    assert [one.aircraft for one in table.facts(Crashed)] == ["a"]


@pytest.mark.parametrize(
    ("dice", "lost", "facing"),
    [((2, 5), 0, 0), ((7, 5), 1, 0), ((8, 5), 4, 0), ((9, 5), -1, 0), ((10, 2), 8, None)],
)
def test_gs_f_33_flight_at_random(dice: tuple[int, int], lost: int, facing: int | None) -> None:
    """Speed 6.0: six flight points, four of them may be VFPs; after level flight the first is an HFP."""
    table = flight(
        craft(speed=6.0, altitude=18, condition="disoriented"),
        craft(side="red", place="4001"),
        dice=dice,
    )
    one = table.craft()
    assert one.moved
    assert 18 - one.altitude == lost
    assert one.facing == facing or facing is None
    assert one.s.power == "M"
    assert [one.dice for one in table.facts(DriftRolled)] == [dice]


def test_gs_f_33_an_easy_turn_to_the_side_of_the_second_die() -> None:
    for die, facing in ((1, 10), (2, 2)):
        table = flight(
            craft(speed=5.0, altitude=12, condition="gloc"),
            craft(side="red", place="4001"),
            dice=(4, die),
        )
        one = table.craft()
        assert (one.facing - facing) % 12 in (0, 1, 11)
        assert one.facing != 0
        assert one.altitude == 12


def test_gs_f_15_every_emergency_facing_is_rolled_for_by_each_of_the_crew() -> None:
    table = flight(craft(altitude=12, speed=5.0), craft(side="red", place="4001"))
    fly(table, "ETR/H/R,H/R,H,H,H", 5, 5, 5, 5, power="M", ap=1.5)
    rolls = table.facts(GlocRolled)
    assert [(one.man, one.roll.modifier) for one in rolls] == [(0, 0), (1, 0), (0, -1), (1, -1)]
    assert table.craft().moved
    assert table.craft().o.gloc_checks == 2


def test_gs_f_15_a_pilot_who_blacks_out_flies_straight_on() -> None:
    table = flight(
        craft(altitude=12, speed=5.0, card="mig-21mf", crew=(Crew(),)),
        craft(side="red", place="4001"),
    )
    fly(table, "ETR/H/R,H/R,H/R,H/R,H/R", 1, power="M", ap=1.5)
    one = table.craft()
    assert (one.condition, one.facing, one.gloc_until) == ("gloc", 1, 3)
    assert one.o.crew[0].status == "gloc"
    assert one.moved
    assert [flown.token.value for flown in table.facts(Flew)][1:] == ["-", "H", "H", "H", "H"]


def test_gs_f_15_a_crewman_who_blacks_out_does_not_fly() -> None:
    for dice, condition in (((10, 1), "normal"), ((1, 10), "gloc")):
        table = flight(craft(altitude=12, speed=5.0), craft(side="red", place="4001"))
        fly(table, "ETR/H/R,H,H,H,H", *dice, power="M", ap=1.5)
        assert table.craft().condition == condition
        assert table.craft().moved


def test_gs_f_15_the_crew_rolls_on_when_the_pilot_is_out() -> None:
    table = flight(craft(altitude=12, speed=4.0), craft(side="red", place="4001"))
    # Two facings at once: the pilot is out after the first, the crewman by the second.
    fly(table, "ETR/H/RR,H,H,H", 1, 10, 2, power="M", ap=1.5)
    assert [(one.man, one.roll.modifier) for one in table.facts(GlocRolled)] == [
        (0, 0),
        (1, 0),
        (1, -1),
    ]
    one = table.craft()
    assert [man.status for man in one.o.crew] == ["gloc", "gloc"]
    assert (one.o.gloc_checks, one.moved) == (2, True)


def test_gs_f_15_not_above_mh_nor_when_switched_off() -> None:
    for altitude, rulings in ((27, {}), (12, {"gloc": "off"})):
        table = flight(
            craft(altitude=altitude, speed=7.0), craft(side="red", place="4001"), rulings=rulings
        )
        fly(table, "ETR/H,H,H/R,H,H,H,H", power="M", ap=1.5)
        assert table.facts(GlocRolled) == []
        assert table.craft().moved


def test_gs_f_12_a_turn_that_is_too_slow_to_carry_departs() -> None:
    table = flight(craft(altitude=12, speed=4.0), craft(side="red", place="4001"))
    fly(table, "ETR/H/R,H/R,H/R,H", *[10] * 6)
    one = table.craft()
    assert table.facts(EnergySettled)[0].departed
    assert one.condition == "departed"
    assert one.moved


def high(altitude: int, **changes: Any) -> Table:
    """An F-4E, whose ceiling is 58, about to fly at a level to which no set-up would put it."""
    table = flight(craft(altitude=58, speed=7.0, **changes), craft(side="red", place="4001"))
    table.state = with_aircraft(table.state, replace(table.craft(), altitude=altitude))
    return table


@pytest.mark.parametrize(("die", "condition"), [(4, "departed"), (5, "normal")])
def test_gs_f_25_a_turn_above_the_ceiling_may_depart(die: int, condition: str) -> None:
    table = high(59)
    fly(table, "HTR/H,H,H,H,H,H,H", die)
    one = table.craft()
    assert one.condition == condition
    assert len(table.facts(Flew)) == (1 if condition == "departed" else 7)
    assert one.moved
    if condition == "departed":
        assert (one.o.depart_speed, one.o.next_speed) == (7.0, 7.0)


def test_gs_f_25_a_move_that_is_broken_off_has_used_fuel_and_counts_in_a_row() -> None:
    ways = (
        ("LVL", "HTR/H,6H", (0, 0)),
        ("ZC", "HTR/H,C1,5H", (3, 0)),
        ("SD", "H,H,H,HTR/H,D1,H,H", (0, 2)),
    )
    for kind, line, counted in ways:
        table = high(62, flight_type="SC", climb_turns=2, dive_turns=1, gloc_checks=2)
        fly(table, line, 1, kind=kind, power="M", ap=1.5)
        own = table.craft().o
        assert table.craft().condition == "departed"
        assert 150 - own.fuel == 4.0
        assert (own.climb_turns, own.dive_turns, own.gloc_checks) == (*counted, 0)


@pytest.mark.parametrize(("die", "condition"), [(4, "departed"), (5, "normal")])
def test_gs_f_25_a_carried_turn_is_one_too(die: int, condition: str) -> None:
    table = high(59, turn_carry=TurnCarry("HT", "R", 1))
    fly(table, "H,H,H,-,H,H,H,H", die)
    assert table.craft().condition == condition
    assert len(table.facts(CeilingRolled)) == 1


def test_gs_f_25_a_turn_that_is_climbed_in() -> None:
    """At 57 and 58 it is not above its ceiling of 58, at 59 it is."""
    table = high(57, flight_type="ZC")
    fly(table, "HTR/H,C1,C1,C1,H,H,H", 10, kind="ZC")
    assert [one.key for one in table.facts(CeilingRolled)] == ["ceiling:3"]
    assert table.craft().altitude == 60


def test_gs_f_25_not_at_the_ceiling_nor_for_an_easy_turn() -> None:
    for altitude, line in ((58, "HTR/H,H,H,H,H,H,H"), (59, "EZR/H,H,H,H,H,H,H")):
        table = high(altitude)
        fly(table, line)
        assert len(table.facts(Flew)) == 7


@pytest.mark.parametrize(("die", "points"), [(4, -1.0), (5, 3.5)])
def test_gs_f_3_from_idle_to_afterburner(die: int, points: float) -> None:
    """In idle an F-4E has 1.0 DP, in afterburner 3.5 AP; 5.5 is not over its cruise speed."""
    table = flight(craft(power="I"), craft(side="red", place="4001"))
    table.choose(_offered(table, settings(power="AB", ap=3.5)), die)
    table.choose("H,H,H,H,H")
    own = table.craft().o
    assert own.last_ap - own.last_dp == points
    assert own.flamed_out == (die == 4)
    # Engines that are out count as idle, for fuel and for whoever looks at the power, until next turn.
    assert table.craft().s.power == ("I" if own.flamed_out else "AB")
    assert 150 - own.fuel == (1.0 if own.flamed_out else 12.0)


@pytest.mark.parametrize(("die", "speed"), [(4, 2.0), (5, 3.0)])
def test_gs_f_3_in_a_stall_too(die: int, speed: float) -> None:
    """TV-30 from idle: 3 levels give 1.5 AP; with 1.0 DP 0.5 is left, with 3.5 AP 5.0 make a whole speed."""
    stalled = craft(speed=2.0, altitude=30, condition="stalled", power="I")
    table = flight(stalled, craft(side="red", place="4001"))
    table.choose(_offered(table, settings("ST", "AB", 3.5)), die)
    own = table.craft().o
    assert (own.flamed_out, own.next_speed) == (die == 4, speed)


@pytest.mark.parametrize("lost", [{"crew": [{"status": "gloc"}, {}]}, {"bearings_lost": True}])
def test_gs_f_33_power_is_unchanged_in_a_stall_that_nobody_flies(lost: dict[str, Any]) -> None:
    """TV-30: 3 levels and military power make 3.0 AP."""
    stalled = craft(speed=2.0, altitude=30, condition="stalled", power="M", **lost)
    table = flight(stalled, craft(side="red", place="4001"))
    one = table.craft()
    assert (one.moved, one.altitude, one.s.power) == (True, 27, "M")
    assert (one.o.next_speed, one.o.ap_carry) == (2.5, 1.0)


def test_gs_f_33_power_is_unchanged_to_the_point() -> None:
    table = flight(craft(speed=6.0, condition="gloc", thrust=0.5), craft(side="red", place="4001"))
    table.roll(1, 1)
    own = table.craft().o
    assert (table.craft().s.power, own.thrust, own.last_ap - own.last_dp) == ("M", 0.5, 0.5)


def test_gs_f_31_a_fall_ends_what_went_on_in_a_row() -> None:
    """GS-F-22 counts consecutive dives, GS-F-15 the checks since the last gentle turn."""
    diving = craft(
        speed=2.0,
        condition="departed",
        dive_turns=2,
        gloc_checks=3,
        last_ap=4.0,
        turn_carry=TurnCarry("HT", "R", 1),
    )
    table = flight(diving, craft(side="red", place="4001"), dice=(4, 7))
    own = table.craft().o
    assert (own.dive_turns, own.gloc_checks, own.last_ap, own.turn_carry) == (0, 0, 0, None)


def test_gs_f_34_a_green_pilot_who_rolls_may_lose_his_bearings() -> None:
    for die, condition in ((3, "disoriented"), (4, "normal")):
        table = flight(
            craft(card="mig-21mf", speed=6.0, crew=(Crew(quality="green"),)),
            craft(side="red", place="4001"),
        )
        fly(table, "H,H,DRL,H,H,H", die)
        assert table.craft().condition == condition


def test_gs_f_34_not_when_switched_off() -> None:
    table = flight(
        craft(card="mig-21mf", speed=6.0, crew=(Crew(quality="green"),)),
        craft(side="red", place="4001"),
        rulings={"disorientation": "off"},
    )
    fly(table, "H,H,DRL,H,H,H")
    assert (table.craft().condition, table.craft().moved) == ("normal", True)


def test_gs_adm_5a_off_the_map_and_away() -> None:
    table = flight(
        craft(place="2002", speed=5.0),
        craft(side="red", place="3020", locks=(), sighted_by=("blue",)),
    )
    fly(table, "H,H,H,H,H")
    assert [one.aircraft for one in table.facts(LeftMap)] == ["a"]
    assert table.craft().status == "left"
    assert table.decision.unit == "b"


def test_a_dive_into_the_ground() -> None:
    table = flight(craft(altitude=3, speed=6.0, flight_type="SD"), craft(side="red", place="4001"))
    fly(table, "D2,D2", kind="SD")
    assert table.craft().status == "crashed"
    assert table.decision.unit == "b"


# Whose move it is (GS-T-12, GS-FLT-11 to GS-FLT-15).


def test_tv_44_ranks_are_walked_in_order() -> None:
    table = flight(
        craft(id="adv", place="0110"),
        craft(id="eng", place="1025", engaged=True, side="red"),
        craft(id="sta", place="2530", condition="stalled", speed=2.0),
        craft(id="dep", place="4020", condition="departed", side="red"),
        dice=(3, 2),
    )
    table.choose(_offered(table, settings("ST")))
    straight(table)
    straight(table)
    assert moved(table) == ["dep", "sta", "eng", "adv"]
    steps = [one.step for one in table.facts(StepBegan)]
    assert steps[:3] == ["GS-FLT-2", "GS-FLT-4", "GS-FLT-8"]


def test_tv_47_who_illuminates_flies_right_after_its_target() -> None:
    table = flight(
        craft(id="bb", place="0110"),
        craft(id="r2", place="4015", side="red"),
        craft(id="ra", place="4030", side="red", illuminating="bb"),
    )
    for _ in range(3):
        straight(table)
    assert moved(table) == ["bb", "ra", "r2"]
    assert [one.after for one in table.facts(MoveBegan)] == [None, "bb", None]


def test_gs_flt_15_a_shoot_out_is_flown_at_the_earlier_place() -> None:
    table = flight(
        craft(id="b1", place="0110", illuminating="r1"),
        craft(id="b2", place="0130"),
        craft(id="r1", place="4015", side="red", illuminating="b1"),
    )
    for _ in range(3):
        straight(table)
    assert moved(table) == ["b1", "r1", "b2"]


# Pre-emption (GS-FLT-14).


def threatened(**changes: Any) -> Table:
    return flight(
        craft(id="mover", place="2015", speed=5.0),
        craft(id="prey", side="red", place="2011", speed=4.0, facing=2),
        **changes,
    )


def test_gs_flt_14_a_whole_move_before_the_first_flight_point() -> None:
    table = threatened()
    table.choose(_offered(table, settings()))
    assert table.decision.seat == "red"
    assert [option.value for option in table.decision.all_options] == ["hold", "prey"]
    table.choose("prey")
    straight(table)
    assert moved(table) == ["prey"]
    assert table.craft("prey").no_attacks
    assert table.decision.id == "fly:mover:0"
    table.choose("H,H,H,H,H")
    assert moved(table) == ["prey", "mover"]


def test_gs_flt_14_asked_once() -> None:
    table = threatened()
    table.choose(_offered(table, settings())).choose("hold")
    table.choose("H").choose("H,H,H,H")
    straight(table)
    assert moved(table) == ["mover", "prey"]
    assert not table.craft("prey").no_attacks


def test_gs_flt_14_half_a_move() -> None:
    table = threatened(rulings={"preempt": "half-move"})
    table.choose(_offered(table, settings())).choose("hold")
    table.choose("H,H")
    assert table.decision.id.startswith("preempt:mover:1")
    table.choose("prey")
    table.choose(_offered(table, settings())).choose("H,H,H,H")
    assert [one.aircraft for one in table.facts(PreemptorPaused)] == ["prey"]
    assert not table.decision.id.startswith("preempt"), "nobody pre-empts twice"
    table.choose("H,H,H")
    assert moved(table) == ["mover", "prey"]
    flown = [one.aircraft for one in table.facts(Flew)]
    assert flown == ["mover", "prey", "prey", "mover", "mover", "mover", "mover", "prey", "prey"]


WAYS = ("before-first-fp", "half-move")
OUT_OF_HAND: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "departed": ({"speed": 2.0}, (1, 1)),
    "stalled": ({"speed": 2.0}, ()),
    "disoriented": ({"speed": 5.0, "altitude": 12}, (1, 1)),
    "gloc": ({"speed": 5.0, "altitude": 12}, (1, 1)),
}


@pytest.mark.parametrize("preempt", WAYS)
@pytest.mark.parametrize("condition", OUT_OF_HAND)
def test_gs_flt_14_also_before_an_aircraft_that_is_out_of_hand(
    condition: str, preempt: str
) -> None:
    """It is about to move like any other: before it falls, sinks or drifts the enemy ahead of it is asked."""
    fields, dice = OUT_OF_HAND[condition]
    table = flight(
        craft(id="mover", place="2015", condition=condition, **fields),
        craft(id="prey", side="red", place="2011", speed=4.0, facing=2, altitude=14),
        dice=dice if condition in ("disoriented", "gloc") else (),
        rulings={"preempt": preempt},
    )
    if condition == "stalled":
        table.choose(_offered(table, settings("ST")))
    assert table.decision.id.startswith("preempt:mover")
    assert table.craft("mover").pos.label == "2015"
    assert table.craft("mover").altitude == fields.get("altitude", 18)
    table.choose("prey").choose(_offered(table, settings()))
    table.choose("H,H,H,H", *(dice if condition == "departed" else ()))
    assert moved(table) == (["prey", "mover"] if preempt == WAYS[0] else ["mover", "prey"])
    assert len(table.facts(PreemptorPaused)) == (preempt == WAYS[1])
    assert table.refold() == table.state


@pytest.mark.parametrize("preempt", WAYS)
def test_gs_flt_14_at_a_table_that_works_out_flight_itself(preempt: str) -> None:
    """Nobody counts flight points there, so the whole move comes first."""
    rulings = {"flight": "adjudicated", "preempt": preempt}
    table = threatened(rulings=rulings)
    assert table.decision.id.startswith("preempt:mover")
    assert "whole" in table.option("prey").detail
    table.choose("prey")
    for _ in range(2):
        table.choose("H, H").choose(True)
    assert moved(table) == ["prey", "mover"]
    assert table.craft("prey").no_attacks


def test_gs_flt_14_whoever_follows_another_has_his_place_behind_it() -> None:
    """By the list `guide` comes first; but it illuminates `other`, and flies right after it (GS-FLT-12)."""
    table = flight(
        craft(id="guide", side="red", place="2011", speed=4.0, facing=2, illuminating="other"),
        craft(id="mover", place="2015", speed=5.0),
        craft(id="other", place="4001", speed=5.0),
    )
    table.choose(_offered(table, settings()))
    assert [option.value for option in table.decision.all_options] == ["hold", "guide"]


@pytest.mark.parametrize(
    ("fog", "known", "asked"),
    [
        ("table", {}, True),
        ("soft", {}, False),
        ("hard", {}, False),
        ("hard", {"sighted_by": ("blue",)}, True),
        ("hard", {"contact": True}, True),
    ],
)
def test_gs_flt_14_being_asked_tells_nobody_of_an_enemy(
    fog: str, known: dict[str, Any], asked: bool
) -> None:
    """In fog the mover would else learn that somebody whom it knows nothing of is near."""
    contact = ("prey",) if known.get("contact") else ()
    table = flight(
        craft(id="mover", place="2015", speed=5.0, contacts=contact),
        craft(
            id="prey",
            side="red",
            place="2011",
            speed=4.0,
            facing=2,
            sighted_by=known.get("sighted_by", ()),
        ),
        rulings={"fog": fog},
    )
    table.choose(_offered(table, settings()))
    assert table.decision.id.startswith("preempt" if asked else "fly:mover")


def test_gs_flt_14_switched_off() -> None:
    table = threatened(rulings={"preempt": "off"})
    table.choose(_offered(table, settings()))
    assert table.decision.id == "fly:mover:0"


# Tailing and collisions (GS-FLT-13, GS-FLT-18).


def behind(**changes: Any) -> Table:
    """`lead` flies five hexes north; `tail` can end in its place."""
    return flight(
        craft(id="lead", side="red", place="2015", speed=5.0),
        craft(id="tail", place="2015", speed=5.0, **changes),
        rulings={"preempt": "off"},
    )


def test_gs_flt_13_whoever_ends_in_an_enemy_s_place_may_tail_it() -> None:
    table = behind()
    straight(table)
    straight(table)
    assert table.decision.id == "tail:tail"
    table.choose("lead")
    assert table.craft("tail").tailing == "lead"
    assert table.facts(StackRolled) == []
    assert table.state.phase != "flight"


def test_gs_flt_18_or_may_collide() -> None:
    table = behind()
    straight(table)
    straight(table)
    table.choose("hold", 1, 10, 10)
    assert [one.wounds != () for one in table.facts(StackRolled)] == [True]
    assert {one.wound.target for one in table.facts(DamageRolled)} == {"lead", "tail"}


def test_tailing_holds_until_the_next_move() -> None:
    table = flight(
        craft(id="tail", place="2015", speed=5.0, tailing="lead"),
        craft(id="lead", side="red", place="2015", speed=5.0),
        craft(id="other", side="red", place="4001", speed=5.0),
        rulings={"preempt": "off"},
    )
    straight(table)
    straight(table)
    assert moved(table) == ["lead"]
    assert table.decision.id == "tail:tail"
    assert table.craft("tail").tailing is None
    table.choose("hold")
    assert moved(table) == ["lead", "tail"]


# Entered by hand.


def test_flight_by_hand_is_entered_and_confirmed() -> None:
    table = flight(
        craft(place="1115", facing=3, damage="L", hits=("L",)),
        craft(side="red", place="3015"),
        rulings={"flight": "adjudicated"},
    )
    line = "H, D, SD, slower, AB, HT, damage control"
    assert table.decision.draft is not None
    read = table.decision.draft(line)
    assert (read.path, read.facing, read.fault) == (("1215/1216",), 3, None)
    table.choose(line)
    assert table.decision.seat == "red"
    table.choose(False)
    assert table.decision.seat == "blue"
    table.choose(line).choose(True)
    one = table.craft()
    assert (one.pos.label, one.facing, one.altitude, one.o.next_speed) == ("1215/1216", 3, 17, 5.0)
    assert (one.s.flight_type, one.s.power, one.o.max_rate) == ("SD", "AB", "HT")
    assert (one.s.previous_type, one.s.previous_power) == ("LVL", "M")
    assert one.damage_control
    assert one.moved
    lines = [one.text for one in table.told()]
    said = [line for line in lines if line.startswith(("Blue enters", "Red agrees", "Red does"))]
    assert [line.split()[:2] for line in said] == [
        ["Blue", "enters"],
        ["Red", "does"],
        ["Blue", "enters"],
        ["Red", "agrees"],
    ]
    assert table.decision.unit == "b"


def test_whatever_is_entered_stands_where_it_may() -> None:
    """Facings on a hexside are along it (GS-G-6): a turn there leads to the hex on that side (GS-G-7)."""
    table = flight(
        craft(place="1215/1216", facing=3),
        craft(side="red", place="4001"),
        rulings={"flight": "adjudicated"},
    )
    dice = random.Random(6)
    assert table.decision.draft is not None
    for _ in range(40):
        line = ", ".join(dice.choice(["H", "L", "R", "SL", "SR", "C", "D"]) for _ in range(12))
        read = table.decision.draft(line)
        assert read.fault is None
        assert read.facing in legal_facings(parse(read.path[-1]))
    with pytest.raises(Illegal):
        table.choose(", ".join(["D"] * 19))
    table.choose(", ".join(["D"] * 18)).choose(True)
    assert table.craft().status == "crashed"


def test_power_that_was_entered_is_read_by_a_heat_seeker() -> None:
    """GS-C-25: 2 less for afterburner, and 1 more for a break turn."""
    table = flight(
        craft(place="2010", power="N"),
        craft(side="red", place="2015"),
        rulings={"flight": "adjudicated", "preempt": "off"},
    )
    table.choose("AB, BT").choose(True)
    state = table.state
    missile = Missile(
        id="missile-1",
        side="red",
        card=Secret("ir-all", ("red",)),
        shooter="b",
        target="a",
        pos=state.aircraft["b"].pos,
        altitude=18,
        facing=0,
        speed=Secret(16, ("red",)),
        left=Secret(2, ("red",)),
        launched=0,
    )
    lit = {part.words: part.amount for part in attack_number(state, missile).parts if part.lit}
    assert lit["target's afterburner"] == -2
    assert lit["target turned BT or ET"] == 1


def test_flight_by_hand_says_what_later_rules_ask() -> None:
    """Power (GS-C-25), the tightest turn (GS-C-21, GS-RAD-3b) and damage control (GS-FLT-17)."""
    table = flight(
        craft(place="1015", damage="L"),
        craft(side="red", place="3015"),
        rulings={"flight": "adjudicated"},
    )
    table.choose("H, AB, HT, damage control")
    detail = table.decision.all_options[0].detail
    assert "afterburner" in detail
    assert "turning hard" in detail
    assert "controls damage" in detail
    table.choose(True)
    one = table.craft()
    assert (one.s.power, one.o.max_rate, one.damage_control) == ("AB", "HT", True)
    with pytest.raises(Illegal):
        table.choose("H, damage control")  # it has no damage
    table.choose("H").choose(True)
    other = table.craft("b")
    assert (other.s.power, other.o.max_rate, other.damage_control) == ("M", None, False)


def test_flight_by_hand_may_end_with_a_gun_attack() -> None:
    table = flight(
        craft(place="2019", ammo=3),
        craft(side="red", place="2014", speed=5.5),
        rulings={"flight": "adjudicated"},
    )
    table.state = with_aircraft(table.state, with_own(table.craft(), saw=("b",)))
    table.choose("hold")  # who is five hexes ahead may move first
    table.choose("H, H, H, H").choose(True)
    assert table.decision.id.startswith("gun:a")
    table.choose("hold")
    assert moved(table) == ["a"]


# At random: everybody moves, and the log folds to the position.


def answer(table: Table, dice: random.Random) -> None:
    """A random legal answer to what is open."""
    decision = table.decision
    free = [option for option in decision.all_options if option.blocked is None]
    choice = dice.choice(free).value
    if decision.draft is not None and dice.random() < 0.7:
        choice = whole_line(decision, dice)
    table.choose(choice)


def whole_line(decision: Decision, dice: random.Random) -> str:
    """A line put together at random, as far as it goes."""
    assert decision.draft is not None
    line = ""
    for _ in range(dice.randint(1, 12)):
        going_on = [option for option in decision.draft(line).next if option.blocked is None]
        if not going_on:
            break
        line = dice.choice(going_on).value
    read = decision.draft(line)
    return read.text if read.whole else decision.draft("").next[0].value


def two_against_two(seed: int, **changes: Any) -> tuple[Table, random.Random]:
    dice = random.Random(seed)
    crafts = [
        craft(
            id=f"{side}{n}",
            side=side,
            card=card,
            place=f"{dice.randint(16, 24):02}{dice.randint(12, 18):02}",
            facing=dice.choice([0, 2, 4, 6, 8, 10]),
            altitude=dice.randint(10, 20),
            speed=dice.randint(6, 12) / 2,
            ammo=3,
        )
        for side, card in (("blue", "f-4e"), ("red", "mig-21mf"))
        for n in (1, 2)
    ]
    table = flight(*crafts, dice=[dice.randint(1, 10) for _ in range(400)], **changes)
    return table, dice


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("preempt", ["before-first-fp", "half-move"])
def test_random_flying_ends_with_everybody_moved(seed: int, preempt: str) -> None:
    table, dice = two_against_two(seed, rulings={"preempt": preempt})
    for _ in range(400):
        if table.state.phase != "flight":
            break
        again = sequence.todo(GAME, table.refold())
        assert _id(again) == _id(table.step)
        answer(table, dice)
    assert table.refold() == table.state
    state = at_the_end(table)
    assert state.activation is None
    assert state.waiting == ()
    assert all(one.moved for one in state.flying())
    assert sorted(moved(table)) == sorted(
        one.id for one in state.aircraft.values() if one.flying or one.id in moved(table)
    )
    assert len(moved(table)) == len(set(moved(table)))


def at_the_end(table: Table) -> State:
    """The position at the end of the Flight Phase."""
    state = table.start
    for one in table.happenings:
        after = sequence.evolve(GAME, state, one.event)
        if after.phase != "flight":
            return state
        state = after
    raise AssertionError("the phase does not end")


def _id(step: Any) -> Any:
    if isinstance(step, tuple):
        return tuple(one.id for one in step)
    return (type(step), step.id, step.seat) if isinstance(step, Decision | Roll) else type(step)
