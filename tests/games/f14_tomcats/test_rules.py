"""Each numbered rule that the examples leave open, and each switch both ways."""

from typing import Any

import pytest

from app.engine.errors import Illegal
from app.engine.sequence import Decision, Effect, Roll
from app.games.f14_tomcats.events import (
    BombRolled,
    ChaffKept,
    ContactRolled,
    CountermeasureRolled,
    Debriefed,
    EvadeRolled,
    Flew,
    FlewOn,
    HeldFire,
    LeaderSet,
    LeaderTossed,
    MigsHit,
    MissileTurned,
    NumberRolled,
    RunBegun,
    ShotRolled,
    TargetIdentified,
    WeaponChosen,
)
from app.games.f14_tomcats.model import Stores
from tests.games.f14_tomcats.table import FAR, GAME, Table, pilot, setup

NO_AIR = {"amraam": 0, "sidewinder": 0, "cannon": 0}
NO_GROUND = {"maverick": 0, "cannon": 0}
QUIET = 2
"""A contact roll that finds nothing."""


def target(kind: str, waypoint: int = 6, damage: int = 0) -> dict[str, Any]:
    return {"waypoint": waypoint, "type": kind, "damage": damage}


def over(kind: str, rulings: Any = None, damage: int = 0, **jet: Any) -> Table:
    """A jet that has come to a target at waypoint 6 without a contact."""
    there = [target(kind, damage=damage), FAR[0]]
    return Table(setup(pilot(**jet), targets=there), [QUIET], rulings)


def team(
    dice: list[int], one: Any = None, two: Any = None, rulings: Any = None, **where: Any
) -> Table:
    """Two jets, the first one in the lead."""
    lead = {"career": {"rank": "Captain"}, **(one or {})}
    data = setup(pilot(0, **lead), pilot(1, **(two or {})), **where)
    return Table(data, dice, rulings)


def refused(table: Table, choice: str) -> str:
    """The rule that refuses a choice; nothing happens."""
    before, happened = table.state, len(table.happenings)
    with pytest.raises(Illegal) as refusal:
        table.choose(choice)
    assert table.state is before
    assert len(table.happenings) == happened
    assert refusal.value.cite is not None
    return refusal.value.cite


# Mission set-up.


@pytest.mark.parametrize(
    ("face", "name", "points", "needs"),
    [
        (1, "Truck Convoy", 2, 2),
        (2, "Temporary Bridge", 2, 2),
        (3, "Fuel Dump", 2, 2),
        (4, "Ammo Storage", 2, 2),
        (5, "HQ Bunker", 3, 3),
        (6, "Power Station", 4, 4),
    ],
)
def test_ms_7_types_are_rolled_one_by_one(face: int, name: str, points: int, needs: int) -> None:
    table = Table({"title": "Test", "pilots": [pilot()]}, [1, 1, 1, 1, face, face])
    rolled = table.facts(TargetIdentified)
    assert [(one.name, one.points, one.needs) for one in rolled] == [(name, points, needs)] * 2


def test_ms_8_what_is_carried() -> None:
    data = {"title": "Test", "pilots": [{"name": "P", "call_sign": "P"}]}
    table = Table(data)
    assert table.jet().stores == Stores(cannon=10, amraam=2, sidewinder=2, maverick=2, chaff=12)
    assert (table.jet().damage, table.jet().limit) == (0, 7)
    hornet = Table(data, rulings={"aircraft": "f18"})
    assert hornet.jet().stores == Stores(cannon=8, amraam=2, sidewinder=2, maverick=4, chaff=12)
    assert (hornet.jet().limit, hornet.jet().aircraft) == (6, "F-18 Hornet")


def test_the_f18_is_down_at_6_damage() -> None:
    jet = pilot(stores={"cannon": 8}, damage=5)
    table = Table(setup(jet), [1, 4, 1], {"aircraft": "f18"}).choose("stop")
    assert (table.jet().damage, table.jet().status) == (6, "down")


# The turn.


def test_tn_1_a_quiet_mission_has_24_turns_and_lands() -> None:
    data = {"title": "Test", "pilots": [pilot()], "targets": [target("hq-bunker", 2), FAR[0]]}
    table = Table(data, [QUIET] * 24)
    table.choose("fly on").choose("fly on")
    assert table.state.turn == 24
    assert [flew.waypoint for flew in table.facts(Flew)] == list(range(2, 26))
    assert [rolled.waypoint for rolled in table.facts(ContactRolled)] == list(range(2, 26))
    assert table.jet().status == "landed"


def test_tn_2_home_may_be_safe() -> None:
    table = Table(setup(at=24), rulings={"contact_last_leg": "off"})
    assert not table.facts(ContactRolled)
    assert table.jet().status == "landed"
    earlier = Table(setup(at=23, targets=[target("hq-bunker", 2), target("hq-bunker", 4)]))
    assert isinstance(earlier.step, Roll)
    assert earlier.step.cite == "F14-CT-1"


def test_tn_3_passes_as_many_as_he_likes_after_the_contact_of_the_turn() -> None:
    there = [target("power-station"), FAR[0]]
    table = Table(setup(targets=there), [1, 2, 1, 4])
    assert table.decision.id == "pass:6.1"
    assert table.facts(CountermeasureRolled)
    for number in range(1, 5):
        table.choose("cannon", QUIET, 1)
        assert table.decision.id == f"pass:6.{number + 1}"
    assert table.jet().stores.cannon == 6


def test_tn_4_what_is_left_behind_is_gone() -> None:
    table = over("hq-bunker").choose("fly on", QUIET)
    assert table.state.targets[0].left_behind
    assert [left.forced for left in table.facts(FlewOn)] == [False]
    assert isinstance(table.step, Roll)
    assert table.step.id == "contact:8.0"


# Contact.


@pytest.mark.parametrize("face", range(1, 7))
def test_ct_1_and_ct_2_by_face(face: int) -> None:
    table = Table(setup(), [face])
    assert table.facts(ContactRolled)[0].met == (face == 1)
    table = Table(setup(), [1, face])
    assert table.state.contact is not None
    assert table.state.contact.kind == ("sam" if face <= 3 else "migs")


def test_ct_3_no_contact_after_a_contact() -> None:
    table = Table(setup(), [1, 1, 1, 6])
    assert [rolled.waypoint for rolled in table.facts(ContactRolled)] == [6]
    assert isinstance(table.step, Roll)
    assert table.step.id == "contact:7.0"


# SAM sites.


@pytest.mark.parametrize("face", range(1, 7))
def test_sm_2_and_sm_4_by_face(face: int) -> None:
    table = Table(setup(), [1, 1, 1, face])
    assert table.facts(CountermeasureRolled)[0].spoofed == (face >= 4)
    assert table.jet().stores.chaff == 11
    table = Table(setup(pilot(stores={"chaff": 0})), [1, 1, 1, face])
    assert table.facts(EvadeRolled)[0].evaded == (face <= 4)
    assert table.jet().damage == (1 if face >= 5 else 0)


def test_sm_3_a_pilot_may_save_his_chaff() -> None:
    table = Table(setup(pilot(stores={"chaff": 1})), [1, 1, 3], {"optional_cm": "on"})
    assert table.decision.cite == "F14-SM-3"
    table.choose(False, 2)
    assert table.jet().stores.chaff == 1
    assert table.facts(CountermeasureRolled) == []
    table.choose(True, 6)
    assert table.jet().stores.chaff == 0
    assert [kept.used for kept in table.facts(ChaffKept)] == [False, True]
    # F14-SM-3 has the roll made by itself; this one was chosen.
    rolls = [one for one in table.happenings if isinstance(one.event, CountermeasureRolled)]
    assert [one.cite for one in rolls] == ["F14-SM-2"]
    # None is left for the third one: nobody is asked.
    assert isinstance(table.step, Roll)
    table.roll(5)
    assert table.jet().damage == 1


# MiGs.


@pytest.mark.parametrize(("weapon", "lowest"), [("amraam", 3), ("sidewinder", 4), ("cannon", 5)])
@pytest.mark.parametrize("face", range(1, 7))
def test_mg_2_by_face(weapon: str, lowest: int, face: int) -> None:
    table = Table(setup(), [1, 4, 2]).choose(weapon, face)
    [shot] = table.facts(ShotRolled)
    assert shot.hit == (face >= lowest)
    full = {"amraam": 2, "sidewinder": 2, "cannon": 10}
    assert getattr(table.jet().stores, weapon) == full[weapon] - 1


def test_mg_3_until_nothing_is_left() -> None:
    table = Table(setup(), [1, 4, 1])
    for weapon in ["amraam"] * 2 + ["sidewinder"] * 2 + ["cannon"] * 10:
        table.choose(weapon, 1)
    assert table.jet().damage == 1
    assert len(table.facts(ShotRolled)) == 14


def test_mg_3_one_shot_for_each_mig() -> None:
    table = Table(setup(), [1, 4, 2], {"shots_per_mig": "one"})
    table.choose("amraam", 1)
    table.choose("amraam", 6)
    # Both are fired, so there is nothing to choose: the MiG that is left hits.
    assert (table.jet().kills, table.jet().damage) == (1, 1)
    assert [held.migs for held in table.facts(HeldFire)] == [1]


def test_mg_3_one_shot_for_each_mig_is_for_the_team() -> None:
    table = team([1, 4, 3], rulings={"shots_per_mig": "one"})
    table.choose("amraam@jet-1", 1).choose("amraam@jet-1", 1).choose("stop")
    blocked = [one.blocked for one in table.decision.all_options if one.value == "cannon@jet-2"]
    assert blocked == [None]
    table.choose("cannon@jet-2", 1)
    assert (table.jet(1).damage, table.jet(2).damage) == (2, 1)


def test_mg_5_kills_are_not_points() -> None:
    table = Table(setup(), [1, 4, 1]).choose("amraam", 6)
    assert (table.jet().kills, table.jet().points) == (1, 0)


@pytest.mark.parametrize(
    ("choice", "stores", "rule"),
    [
        ("maverick", {}, "F14-MG-2"),
        ("amraam", {"amraam": 0}, "F14-MG-2"),
        ("sidewinder", {"sidewinder": 0}, "F14-MG-2"),
        ("cannon", {"cannon": 0}, "F14-MG-2"),
        ("phoenix", {}, "F14-MG-3"),
    ],
)
def test_shots_that_are_refused(choice: str, stores: dict[str, int], rule: str) -> None:
    assert refused(Table(setup(pilot(stores=stores)), [1, 4, 3]), choice) == rule


def test_stopping_tells_the_damage_that_is_certain() -> None:
    table = Table(setup(), [1, 4, 3]).choose("amraam", 6)
    assert table.option("stop").detail == "A takes 2 damage"
    table = Table(setup(pilot(damage=5)), [1, 4, 3])
    assert table.option("stop").detail == "A takes 2 damage and goes down"
    table = team([1, 4, 3])
    assert table.option("stop").detail == (
        "at most A takes 2 damage, B takes 1 damage; then B may shoot"
    )
    table.choose("stop")
    assert table.option("stop").detail == "A takes 2 damage, B takes 1 damage"


# Bombing.


@pytest.mark.parametrize(("weapon", "lowest", "done"), [("maverick", 4, 2), ("cannon", 5, 1)])
@pytest.mark.parametrize("face", range(1, 7))
def test_bp_1_by_face(weapon: str, lowest: int, done: int, face: int) -> None:
    table = over("power-station").choose(weapon, QUIET, face)
    assert table.state.targets[0].damage == (done if face >= lowest else 0)
    assert table.jet().points == 0


def test_bp_2_each_pass_has_a_contact_roll() -> None:
    table = over("power-station").choose("maverick", QUIET, 1).choose("maverick", QUIET, 1)
    assert [rolled.run for rolled in table.facts(ContactRolled)] == [0, 1, 2]


def test_bp_2_the_arrival_may_serve_the_first_pass() -> None:
    table = over("power-station", {"first_pass_contact": "off"}).choose("maverick", 1)
    assert [rolled.run for rolled in table.facts(ContactRolled)] == [0]
    table.choose("maverick", QUIET, 1)
    assert [rolled.run for rolled in table.facts(ContactRolled)] == [0, 2]


def test_bp_3_who_has_spent_what_he_meant_to_fire_takes_another() -> None:
    stores = {"amraam": 0, "sidewinder": 0, "cannon": 1}
    table = over("hq-bunker", stores=stores).choose("cannon", 1, 4, 1).choose("cannon", 1)
    assert table.jet().damage == 1
    assert table.decision.cite == "F14-BP-3"
    assert refused(table, "cannon") == "F14-BP-5"
    table.choose("maverick", 6)
    assert table.state.targets[0].damage == 2


def test_bp_3_with_nothing_left_the_pass_is_over() -> None:
    stores = {"amraam": 0, "sidewinder": 0, "cannon": 1, "maverick": 0}
    table = over("hq-bunker", stores=stores).choose("cannon", 1, 4, 1).choose("cannon", 6)
    assert [chosen.weapon for chosen in table.facts(WeaponChosen)] == [None]
    assert not table.facts(BombRolled)
    assert [left.forced for left in table.facts(FlewOn)] == [True]


@pytest.mark.parametrize(
    ("choice", "stores"), [("maverick", {"maverick": 0}), ("cannon", {"cannon": 0})]
)
def test_bp_5_a_pass_needs_a_weapon(choice: str, stores: dict[str, int]) -> None:
    table = over("hq-bunker", stores=stores)
    assert refused(table, choice) == "F14-BP-5"
    option = table.option(choice)
    assert option.blocked is not None
    assert option.blocked.reason.startswith("no ")


def test_bp_5_without_any_weapon_he_flies_on() -> None:
    table = over("hq-bunker", stores=NO_GROUND)
    assert [left.forced for left in table.facts(FlewOn)] == [True]


@pytest.mark.parametrize(
    ("kind", "points", "needs"),
    [("truck-convoy", 2, 2), ("hq-bunker", 3, 3), ("power-station", 4, 4)],
)
def test_bp_4_points_come_with_the_last_damage(kind: str, points: int, needs: int) -> None:
    table = over(kind)
    for number in range(1, needs + 1):
        assert table.jet().points == 0
        table.choose("cannon", QUIET, 5)
        assert table.state.targets[0].damage == number
    assert table.jet().points == points


# Going down.


@pytest.mark.parametrize("face", range(1, 7))
def test_dm_2_by_face(face: int) -> None:
    table = Table(setup(pilot(damage=6)), [1, 4, 1]).choose("stop", face)
    assert table.jet().status == ("rescued" if face >= 3 else "lost")


def test_dm_1_six_damage_change_nothing() -> None:
    table = Table(setup(pilot(damage=6)), [QUIET])
    assert table.jet().flying
    assert table.jet().left == 1


def test_dm_3_a_lost_pilot_is_not_promoted_but_keeps_what_he_won() -> None:
    career = {"missions": 5, "points": 13, "kills": 4}
    there = [target("truck-convoy"), FAR[0]]
    table = Table(setup(pilot(damage=6, career=career), targets=there), [QUIET])
    table.choose("maverick", QUIET, 6)
    table.roll(1, 4, 2).choose("amraam", 6).choose("stop", 1)
    record = table.jet().record
    assert record is not None
    assert (record.rank, record.missions, record.points, record.kills) == ("2nd Lt", 5, 15, 5)
    assert record.awards == ("Ace",)
    [debriefed] = table.facts(Debriefed)
    assert (debriefed.label, debriefed.fate, debriefed.counted) == ("partial", "lost", False)


def test_dm_5_a_rescued_pilot_has_flown_his_mission() -> None:
    career = {"missions": 4, "points": 15, "purple_hearts": 2}
    table = Table(setup(pilot(damage=6, career=career)), [1, 4, 1]).choose("stop", 6)
    record = table.jet().record
    assert record is not None
    assert (record.missions, record.rank, record.purple_hearts) == (5, "1st Lt", 3)


# Two players.


@pytest.mark.parametrize(
    ("one", "two", "order", "by"),
    [
        ({"rank": "Col"}, {"rank": "Lt Col", "points": 90}, (1, 2), "rank"),
        ({"points": 3}, {"points": 4, "missions": 0}, (2, 1), "points"),
        ({"points": 3, "missions": 2}, {"points": 3, "missions": 1}, (1, 2), "missions"),
    ],
)
def test_tp_2_who_leads(
    one: dict[str, Any], two: dict[str, Any], order: tuple[int, int], by: str
) -> None:
    table = Table(setup(pilot(0, career=one), pilot(1, career=two)))
    [led] = table.facts(LeaderSet)
    assert (led.order, led.by) == (tuple(f"jet-{n}" for n in order), by)


@pytest.mark.parametrize("face", range(1, 7))
def test_tp_2_a_die_between_equals(face: int) -> None:
    table = Table(setup(pilot(0), pilot(1)), [face])
    [led] = table.facts(LeaderSet)
    leader = "jet-1" if face <= 3 else "jet-2"
    assert (led.order[0], led.by) == (leader, "die")
    assert table.facts(LeaderTossed)[0].face == face
    assert table.state.leader is not None
    assert table.state.leader.id == leader


def test_tp_3_one_roll_by_the_leader_for_both() -> None:
    table = Table(setup(pilot(0), pilot(1, career={"rank": "Major"})), [1, 4, 4])
    assert len(table.facts(NumberRolled)) == 1
    assert table.facts(NumberRolled)[0].jets == ("jet-2", "jet-1", "jet-2", "jet-1")
    rolls = [one for one in table.happenings if one.kind == "roll"]
    assert {one.seat for one in rolls} == {"two"}


def test_tp_4_each_with_his_own_chaff() -> None:
    table = team([1, 1, 2, 5, 6], two={"stores": {"chaff": 0}})
    assert (table.jet(1).stores.chaff, table.jet(2).stores.chaff) == (11, 0)
    assert [one.jet for one in table.facts(EvadeRolled)] == ["jet-2"]
    assert table.jet(2).damage == 1


def test_tp_5_the_leader_shoots_first_and_the_kill_is_the_shooters() -> None:
    table = team([1, 4, 2])
    assert table.decision.unit == "jet-1"
    table.choose("stop")
    assert table.decision.unit == "jet-2"
    table.choose("amraam@jet-1", 6).choose("amraam", 6)
    assert (table.jet(1).kills, table.jet(2).kills) == (0, 2)
    assert not table.facts(MigsHit)


def test_tp_6_leader_then_wingman_while_the_target_stands() -> None:
    there = [target("hq-bunker"), FAR[0]]
    table = team([QUIET], targets=there).choose("maverick", QUIET, 6)
    assert (table.decision.unit, table.decision.id) == ("jet-2", "fire:6.1:jet-2")
    table.choose("cannon", 5)
    assert table.state.targets[0].destroyed
    table = team([QUIET], targets=[target("truck-convoy"), FAR[0]])
    table.choose("maverick", QUIET, 6)
    assert isinstance(table.step, Roll)
    assert table.jet(2).stores.maverick == 2


def test_tp_6_the_leader_may_fly_a_pass_for_the_wingman() -> None:
    there = [target("truck-convoy"), FAR[0]]
    table = team([QUIET], {"stores": NO_GROUND}, targets=there)
    assert refused(table, "maverick") == "F14-BP-5"
    table.choose("cover", QUIET)
    assert table.decision.unit == "jet-2"
    table.choose("hold")
    assert table.decision.id == "pass:6.2"
    table.choose("cover", QUIET).choose("maverick", 4)
    assert (table.jet(1).points, table.jet(2).points) == (2, 2)


def test_tp_6_no_cover_for_a_wingman_without_weapons() -> None:
    there = [target("truck-convoy"), FAR[0]]
    table = team([QUIET], two={"stores": NO_GROUND}, targets=there)
    assert refused(table, "cover") == "F14-BP-5"


@pytest.mark.parametrize(("ruling", "points"), [("both", (2, 2)), ("destroyer", (2, 0))])
def test_tp_7_points(ruling: str, points: tuple[int, int]) -> None:
    there = [target("truck-convoy"), FAR[0]]
    table = team([QUIET], rulings={"team_points": ruling}, targets=there)
    table.choose("maverick", QUIET, 6)
    assert (table.jet(1).points, table.jet(2).points) == points


def test_tp_7_only_for_who_is_still_in_the_air() -> None:
    there = [target("truck-convoy"), FAR[0]]
    table = team([1, 1, 1, 6, 1], {"damage": 6, "stores": {"chaff": 0}}, targets=there)
    assert table.decision.seat == "two"
    table.choose("maverick", QUIET, 6)
    assert (table.jet(1).points, table.jet(2).points) == (0, 2)


def test_tp_8_the_wingman_flies_on_as_leader() -> None:
    table = team([1, 1, 3, 6, 3, 4, 4], {"damage": 6, "stores": {"chaff": 0}})
    # The third missile was the leader's.
    assert [one.missile for one in table.facts(MissileTurned)] == [2]
    table.roll(1, 4, 3)
    assert [option.value for option in table.decision.all_options] == [
        "amraam",
        "sidewinder",
        "cannon",
        "maverick",
        "stop",
    ]
    table.choose("stop")
    assert table.jet(2).damage == 3


def test_tp_8_migs_go_on_to_the_other_once_one_is_down() -> None:
    # Numbers 1, 3 and 5 are the leader's, who takes one more; 2 and 4 are the wingman's.
    table = team([1, 4, 5], {"damage": 6}).choose("stop").choose("stop", 6)
    [hit] = table.facts(MigsHit)
    assert hit.hits == ((0, "jet-1"), (1, "jet-2"), (2, "jet-2"), (3, "jet-2"), (4, "jet-2"))
    assert (table.jet(1).damage, table.jet(2).damage) == (7, 4)


def test_tp_8_a_wingman_ends_a_pass_that_the_leader_began() -> None:
    there = [target("truck-convoy"), FAR[0]]
    table = team([QUIET], {"damage": 6, "stores": {"chaff": 0}}, targets=there)
    table.choose("maverick", 1, 1, 1, 6, 1)
    assert [begun.jet for begun in table.facts(RunBegun)] == ["jet-1"]
    assert table.decision.id == "fire:6.1:jet-2"
    table.choose("maverick", 6)
    assert table.jet(2).points == 2


def test_both_down_in_one_attack_each_roll_for_themselves() -> None:
    table = team([1, 4, 4], {"damage": 6}, {"damage": 6}).choose("stop").choose("stop", 1, 6)
    assert (table.jet(1).status, table.jet(2).status) == ("lost", "rescued")
    assert table.state.result is not None
    assert table.state.result.reason == "lost"


# Result.


@pytest.mark.parametrize(("destroyed", "label"), [(0, "failed"), (1, "partial"), (2, "complete")])
def test_rs_1_labels_and_scores(destroyed: int, label: str) -> None:
    there = [target("truck-convoy", 23), target("hq-bunker", 24, damage=1)]
    table = Table(setup(at=22, targets=there), [QUIET])
    for number in range(2):
        if number < destroyed:
            table.choose("maverick", QUIET, 6, QUIET)
        else:
            table.choose("fly on", QUIET)
    [debriefed] = table.facts(Debriefed)
    assert (debriefed.label, debriefed.destroyed) == (label, destroyed)
    result = table.state.result
    assert result is not None
    assert result.winners == ()
    assert result.scores == {"one": (0, 2, 5)[destroyed]}
    assert result.text.startswith(f"Mission {label}: A landed.")


def test_the_end_of_a_team_one_home() -> None:
    table = team([1, 1, 1, 6, 5], {"damage": 6, "stores": {"chaff": 0}}, at=24)
    result = table.state.result
    assert result is not None
    assert result.reason == "some-landed"
    assert result.text.startswith("Mission failed: A rescued, B landed.")
    records = [table.jet(n).record for n in (1, 2)]
    assert [record.purple_hearts for record in records if record is not None] == [1, 0]


# How it is asked.


def test_rolls_wait_for_dice_and_have_odds() -> None:
    table = Table(setup())
    assert isinstance(table.step, Roll)
    assert table.step.odds is not None
    table.roll(1)
    assert isinstance(table.step, Roll)
    table.roll(1)
    table.roll(1)
    assert table.step.id == "countermeasure:6.0.1"


def test_each_step_cites_its_rule() -> None:
    there = [target("truck-convoy"), FAR[0]]
    table = Table(setup(pilot(), targets=there), [1, 1, 1, 1, 1])
    table.choose("maverick", QUIET, 6, *[QUIET] * 14)
    rules = {one.cite for one in table.happenings}
    assert {"F14-TN-1", "F14-CT-1", "F14-CT-2", "F14-SM-1", "F14-SM-2", "F14-SM-4"} <= rules
    assert {"F14-TN-3", "F14-BP-2", "F14-BP-1"} <= rules
    assert all(one.cite in GAME.rulebook.paragraphs for one in table.happenings)
    assert not isinstance(table.step, Decision | Effect) or table.decision.id == "pass:20.1"
