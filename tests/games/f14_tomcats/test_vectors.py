"""The examples of the rules by their ids, each played through the real sequence.

Dice fall from left to right. What must come of them is worked out by hand from the rules.
"""

from typing import Any

import pytest

from app.engine.sequence import Decision, Roll
from app.games.f14_tomcats.events import (
    Awarded,
    BailoutRolled,
    BombRolled,
    ContactRolled,
    CountermeasureRolled,
    Debriefed,
    EvadeRolled,
    Flew,
    Landed,
    LeaderSet,
    MigsHit,
    Promoted,
    ShotRolled,
    TargetPlaced,
)
from tests.games.f14_tomcats.table import FAR, FULL, Table, pilot, setup

HQ = {"waypoint": 6, "type": "hq-bunker"}
TRUCKS = {"waypoint": 6, "type": "truck-convoy"}
BRIDGE = {"waypoint": 6, "type": "temporary-bridge"}
NO_AIR = {"amraam": 0, "sidewinder": 0, "cannon": 0}


def flown(dice: list[int], rulings: Any = None, **jet: Any) -> Table:
    """A jet that flies from waypoint 5 to 6, with nothing there."""
    return Table(setup(pilot(**jet)), dice, rulings)


def over(target: dict[str, Any], **jet: Any) -> Table:
    """A jet that has just come to its target at waypoint 6 without a contact."""
    return Table(setup(pilot(**jet), targets=[target, FAR[0]]), [2])


def team(dice: list[int], one: Any = None, two: Any = None, **where: Any) -> Table:
    """A team; the first pilot has the higher rank and leads."""
    lead = {"career": {"rank": "Captain"}, **(one or {})}
    return Table(setup(pilot(0, **lead), pilot(1, **(two or {})), **where), dice)


def briefed(dice: list[int]) -> Table:
    return Table({"title": "Test", "pilots": [pilot()]}, dice)


@pytest.mark.parametrize(
    ("dice", "places"),
    [
        pytest.param([3, 4, 2, 2], (8, 12), id="A1"),
        pytest.param([6, 6, 6, 6], (13, 24), id="A2"),
        pytest.param([1, 1, 1, 1], (3, 5), id="A3"),
        pytest.param([6, 6, 6, 5], (13, 24), id="A4"),
    ],
)
def test_set_up(dice: list[int], places: tuple[int, int]) -> None:
    table = briefed([*dice, 5, 1])
    assert tuple(target.waypoint for target in table.state.targets) == places
    first, second = table.state.targets
    assert (first.id, first.type, first.points, first.needs) == ("primary", "HQ Bunker", 3, 3)
    assert (second.id, second.type, second.points, second.needs) == (
        "secondary",
        "Truck Convoy",
        2,
        2,
    )
    reached = [placed.reach for placed in table.facts(TargetPlaced)]
    assert reached == [1 + dice[0] + dice[1], 1 + sum(dice)]


def test_b1_no_contact() -> None:
    table = flown([2])
    [rolled] = table.facts(ContactRolled)
    assert (rolled.waypoint, rolled.met) == (6, False)
    assert table.jet() == table.start.jets["jet-1"]
    assert [flew.waypoint for flew in table.facts(Flew)] == [6, 7]


@pytest.mark.parametrize(("face", "kind"), [(3, "sam"), (4, "migs")])
def test_b2_what_is_met(face: int, kind: str) -> None:
    table = flown([1, face])
    assert table.state.contact is not None
    assert table.state.contact.kind == kind


@pytest.mark.parametrize(
    ("chaff", "damage", "dice", "left", "after"),
    [
        pytest.param(12, 0, [1, 2, 2, 4, 2, 5], 10, 1, id="C1"),
        pytest.param(0, 0, [1, 1, 3, 4, 5, 1], 0, 1, id="C2"),
        pytest.param(1, 0, [1, 3, 2, 3, 2, 6], 0, 1, id="C3"),
        pytest.param(12, 0, [1, 1, 1, 3, 4], 11, 0, id="C4"),
    ],
)
def test_sam(chaff: int, damage: int, dice: list[int], left: int, after: int) -> None:
    table = flown(dice, damage=damage, stores={"chaff": chaff})
    assert not table.dice
    assert (table.jet().stores.chaff, table.jet().damage) == (left, after)
    assert isinstance(table.step, Roll)
    assert table.step.id == "contact:7.0"
    assert len(table.facts(CountermeasureRolled)) == chaff - left


def test_c5_down_and_the_rest_passed_over() -> None:
    table = flown([1, 1, 4, 6], damage=6, stores={"chaff": 0})
    assert table.jet().damage == 7
    assert len(table.facts(EvadeRolled)) == 1
    assert isinstance(table.step, Roll)
    assert table.step.id == "bail-out:jet-1"
    table.roll(3)
    assert len(table.facts(EvadeRolled)) == 1


def test_g1_three_shots_and_a_hit_taken() -> None:
    table = flown([1, 4, 3])
    table.choose("amraam", 3).choose("amraam", 2).choose("sidewinder", 4).choose("stop")
    jet = table.jet()
    assert (jet.kills, jet.damage) == (2, 1)
    assert (jet.stores.amraam, jet.stores.sidewinder, jet.stores.cannon) == (0, 1, 10)


def test_g2_guns() -> None:
    table = flown([1, 6, 1], stores={"amraam": 0, "sidewinder": 0})
    table.choose("cannon", 4).choose("cannon", 5)
    assert (table.jet().kills, table.jet().stores.cannon, table.jet().damage) == (1, 8, 0)
    assert not table.facts(MigsHit)


def test_g3_no_shot_at_all() -> None:
    table = flown([1, 5, 6]).choose("stop")
    assert (table.jet().damage, table.jet().kills) == (6, 0)


def test_g4_nothing_to_shoot_with() -> None:
    table = flown([1, 4, 2], stores=NO_AIR)
    assert table.jet().damage == 2
    assert table.jet().stores.maverick == 2


def test_g5_damage_stops_at_7() -> None:
    table = flown([1, 4, 5], damage=5).choose("stop")
    assert table.jet().damage == 7
    assert isinstance(table.step, Roll)
    assert table.step.id == "bail-out:jet-1"


def test_p1_two_passes() -> None:
    table = over(HQ).choose("maverick", 4, 4)
    assert table.state.targets[0].damage == 2
    table.choose("cannon", 2, 5)
    assert table.state.targets[0].destroyed
    assert table.jet().points == 3
    assert (table.jet().stores.maverick, table.jet().stores.cannon) == (1, 9)


def test_p2_contact_first_then_a_miss() -> None:
    table = over(TRUCKS).choose("maverick", 1, 1, 1, 6, 3)
    assert table.jet().stores.chaff == 11
    assert table.jet().stores.maverick == 1
    assert table.state.targets[0].damage == 0
    assert not table.facts(BombRolled)[0].hit


def test_p3_one_maverick() -> None:
    table = over(TRUCKS).choose("maverick", 5, 6)
    assert table.state.targets[0].destroyed
    assert table.jet().points == 2


def test_p4_excess_is_lost() -> None:
    table = over({**BRIDGE, "damage": 1}).choose("maverick", 3, 5)
    [bombed] = table.facts(BombRolled)
    assert (bombed.done, bombed.damage, bombed.destroyed) == (1, 2, True)
    assert table.jet().points == 2


def test_p5_who_goes_down_does_not_fire() -> None:
    table = over(TRUCKS, damage=6, stores=NO_AIR).choose("maverick", 1, 4, 1)
    assert table.jet().damage == 7
    assert not table.facts(BombRolled)
    table.roll(6)
    assert not table.facts(BombRolled)
    assert table.jet().stores.maverick == 2


def test_p6_no_pass_over_what_is_destroyed() -> None:
    table = over(TRUCKS).choose("maverick", 5, 6)
    assert isinstance(table.step, Roll)
    assert table.step.id == "contact:7.0"


@pytest.mark.parametrize(
    ("face", "status", "hearts", "missions"),
    [pytest.param(3, "rescued", 1, 1, id="D1"), pytest.param(2, "lost", 0, 0, id="D2")],
)
def test_bail_out(face: int, status: str, hearts: int, missions: int) -> None:
    table = flown([1, 1, 1, 6, face], damage=6, stores={"chaff": 0})
    assert table.facts(BailoutRolled)[0].rescued == (status == "rescued")
    jet = table.jet()
    assert jet.status == status
    assert jet.record is not None
    assert (jet.record.purple_hearts, jet.record.missions) == (hearts, missions)
    assert table.state.result is not None
    assert table.state.result.reason == status


def landed(**career: Any) -> Table:
    """A pilot who lands without points or kills: his mission is added to what he has."""
    table = Table(setup(pilot(career=career), at=24), [3])
    assert table.jet().status == "landed"
    return table


@pytest.mark.parametrize(
    ("missions", "points", "rank"),
    [
        pytest.param(5, 14, "2nd Lt", id="R1 one point short"),
        pytest.param(5, 15, "1st Lt", id="R1"),
        pytest.param(15, 45, "Captain", id="R2"),
        pytest.param(20, 44, "Captain", id="R3"),
        pytest.param(20, 45, "Major", id="both numbers"),
        pytest.param(49, 100, "Lt Col", id="a mission short"),
        pytest.param(50, 100, "Col", id="the highest"),
    ],
)
def test_rank(missions: int, points: int, rank: str) -> None:
    record = landed(missions=missions - 1, points=points).jet().record
    assert record is not None
    assert (record.missions, record.points, record.rank) == (missions, points, rank)


@pytest.mark.parametrize(
    ("before", "shot_down", "award"),
    [(4, 1, "Ace"), (14, 2, "Air Man's Medal"), (34, 1, "Congressional Medal of Honour")],
    ids=["Ace", "Air Man's Medal", "Medal of Honour"],
)
def test_r4_awards(before: int, shot_down: int, award: str) -> None:
    lower = ["Ace", "Air Man's Medal", "Distinguished Flying Medal"]
    has = {4: [], 14: lower[:1], 34: lower}[before]
    table = Table(setup(pilot(career={"kills": before, "awards": has}), at=24), [1, 4, shot_down])
    for _ in range(shot_down):
        table.choose("amraam", 6)
    [given] = table.facts(Awarded)
    assert (given.award, given.kills) == (award, before + shot_down)
    record = table.jet().record
    assert record is not None
    assert record.awards == (*has, award)


def test_t1_and_t2_missiles_alternate_and_the_count_restarts() -> None:
    table = team([1, 1, 5, *[4] * 5])
    assert [one.jet for one in table.facts(CountermeasureRolled)] == [
        "jet-1",
        "jet-2",
        "jet-1",
        "jet-2",
        "jet-1",
    ]
    table.roll(1, 1, 1, 4)
    assert table.facts(CountermeasureRolled)[-1].jet == "jet-1"
    assert (table.jet(1).stores.chaff, table.jet(2).stores.chaff) == (8, 10)


def test_t3_migs_that_are_left_hit_whom_they_came_for() -> None:
    table = team([1, 4, 3])
    table.choose("amraam@jet-2", 6).choose("stop").choose("stop")
    assert (table.jet(1).damage, table.jet(2).damage) == (2, 0)
    assert (table.jet(1).kills, table.jet(2).kills) == (1, 0)


def test_t4_the_higher_rank_leads() -> None:
    table = team([], {"career": {"rank": "Captain"}}, {"career": {"rank": "Major"}})
    [led] = table.facts(LeaderSet)
    assert (led.order, led.by) == (("jet-2", "jet-1"), "rank")


def test_t5_the_other_gets_what_is_left() -> None:
    table = team([1, 1, 3, 6, 3, 4, 4], {"damage": 6, "stores": {"chaff": 0}})
    assert table.jet(1).status == "rescued"
    assert [one.jet for one in table.facts(CountermeasureRolled)] == ["jet-2", "jet-2"]
    assert table.jet(2).stores.chaff == 10
    table.roll(1, 4, 2)
    assert isinstance(table.step, Decision)
    assert table.step.seat == "two"


def test_l1_down_on_the_last_leg() -> None:
    table = Table(setup(pilot(damage=6, stores={"chaff": 0}), at=24), [1, 1, 1, 5])
    assert isinstance(table.step, Roll)
    assert table.step.id == "bail-out:jet-1"
    table.roll(1)
    assert not table.facts(Landed)
    assert table.state.result is not None
    assert table.state.result.reason == "lost"


def test_l2_landed() -> None:
    table = Table(setup(at=24), [3])
    assert [one.jet for one in table.facts(Landed)] == ["jet-1"]
    [debriefed] = table.facts(Debriefed)
    assert (debriefed.counted, debriefed.fate, debriefed.label) == (True, "landed", "failed")
    assert debriefed.record.missions == 1
    assert table.state.turn == 1
    assert table.state.result is not None
    assert table.state.result.reason == "landed"
    assert not table.facts(Promoted)


def test_nothing_is_shot_twice() -> None:
    """A MiG that is destroyed can't be shot at again, and a shot takes one of the right store."""
    table = team([1, 4, 2])
    table.choose("amraam@jet-1", 6).choose("amraam", 6)
    assert [one.mig for one in table.facts(ShotRolled)] == [0, 1]
    assert table.jet(1).stores.amraam == FULL["amraam"] - 2
    assert table.refold() == table.state
