"""The log in words, and the picture of the flight."""

from typing import Any

import msgspec
import pytest

from app.engine.errors import BrokenGame
from app.engine.game import Told
from app.engine.log import Event
from app.games.f14_tomcats import events as e
from app.games.f14_tomcats.tell import tell
from app.games.f14_tomcats.view import facts, fates, scene, units
from tests.games.f14_tomcats.table import FAR, GAME, Table, pilot, setup

NAMES = {"jet-1": "Anvil", "jet-2": "Bishop"}
HQ = {"waypoint": 6, "type": "hq-bunker"}


def told(table: Table, kind: type[Event], n: int = -1) -> Told:
    return tell(table.facts(kind)[n], NAMES)


def lines(table: Table) -> list[str]:
    known = [one.event for one in table.happenings if type(one.event) in GAME.events]
    return [tell(event, NAMES).text for event in known]


def test_a_sam_site_missile_by_missile() -> None:
    table = Table(setup(), [1, 2, 2, 4, 2, 5])
    assert lines(table)[:7] == [
        "On to waypoint 6.",
        "Contact at waypoint 6!",
        "It is a SAM site.",
        "Two missiles are launched.",
        "Anvil spoofs missile 1.",
        "Anvil does not spoof missile 2.",
        "Missile 2 hits Anvil: 1 of 7 damage.",
    ]
    spoofed = told(table, e.CountermeasureRolled, 0)
    assert [die.face for die in spoofed.dice] == [4]
    assert spoofed.steps == ("4 rolled", "4–6 spoofs it", "11 chaff and flares left")


def test_migs_shot_by_shot() -> None:
    table = Table(setup(), [1, 4, 3])
    table.choose("amraam", 3).choose("amraam", 2).choose("sidewinder", 4).choose("stop")
    assert lines(table)[2:] == [
        "It is a flight of MiG-23s.",
        "Three MiGs attack.",
        "Anvil fires an AMRAAM at MiG 1.",
        "Anvil destroys MiG 1 with an AMRAAM: two MiGs left.",
        "Anvil fires an AMRAAM at MiG 2.",
        "Anvil misses MiG 2 with an AMRAAM.",
        "Anvil fires a Sidewinder at MiG 2.",
        "Anvil destroys MiG 2 with a Sidewinder: one MiG left.",
        "Anvil holds fire while one MiG is left.",
        "One MiG hits: Anvil takes 1 damage and has 1 of 7.",
        "On to waypoint 7.",
    ]
    assert told(table, e.ShotRolled).steps == ("4 rolled", "4–6 hits", "1 Sidewinder left")


def test_a_team_is_told_who_is_meant() -> None:
    lead = pilot(0, career={"rank": "Captain"})
    table = Table(setup(lead, pilot(1)), [1, 4, 3])
    assert told(table, e.LeaderSet).text == (
        "Anvil (Captain) leads, and Bishop (2nd Lt) is the wingman."
    )
    assert (
        told(table, e.NumberRolled).text == "Three MiGs attack: two for Anvil and one for Bishop."
    )
    table.choose("amraam@jet-2", 6)
    assert told(table, e.ShotChosen).text == (
        "Anvil fires an AMRAAM at MiG 2, which comes for Bishop."
    )


def test_a_pass_and_its_points() -> None:
    table = Table(setup(targets=[HQ, FAR[0]]), [2])
    table.choose("maverick", 4, 4).choose("cannon", 2, 5)
    assert lines(table)[2:] == [
        "Anvil begins pass 1 over the HQ Bunker with a Maverick.",
        "No contact on pass 1.",
        "Anvil hits the HQ Bunker with a Maverick for 2 damage.",
        "Anvil begins pass 2 over the HQ Bunker with a cannon burst.",
        "No contact on pass 2.",
        "Anvil destroys the HQ Bunker with a cannon burst: 3 points.",
        "On to waypoint 7.",
    ]
    assert told(table, e.BombRolled).steps == (
        "5 rolled",
        "5–6 hits",
        "3 of 3 damage",
        "9 cannon bursts left",
    )


def test_what_is_left_behind() -> None:
    table = Table(setup(targets=[HQ, FAR[0]]), [2]).choose("fly on")
    assert told(table, e.FlewOn).text == "The HQ Bunker is left behind with 0 of 3 damage."
    empty = pilot(stores={"maverick": 0, "cannon": 0})
    table = Table(setup(empty, targets=[HQ, FAR[0]]), [2])
    assert told(table, e.FlewOn).text == (
        "Nothing is left to fire at the ground: the HQ Bunker is left behind with 0 of 3 damage."
    )


def test_the_end_in_words() -> None:
    career = {"missions": 4, "points": 15, "kills": 4}
    table = Table(setup(pilot(damage=6, career=career)), [1, 4, 2]).choose("amraam", 6)
    table.choose("stop", 4)
    assert told(table, e.WentDown).text == "Anvil has 7 damage and goes down."
    assert told(table, e.BailoutRolled).text == "Anvil bails out and is rescued."
    debriefed = told(table, e.Debriefed)
    assert debriefed.text == "Anvil: mission failed, rescued, no point and one kill."
    assert debriefed.steps[2] == "in all five missions, 15 points and five kills"
    assert [tell(one, NAMES).text for one in table.facts(e.Awarded)] == [
        "Anvil receives the Purple Heart.",
        "Anvil is an Ace now.",
    ]
    promoted = told(table, e.Promoted)
    assert promoted.text == "Anvil is promoted from 2nd Lt to 1st Lt."
    assert promoted.steps == ("1st Lt needs 5 missions and 15 points", "5 missions and 15 points")


def test_a_target_on_the_base_is_put_back() -> None:
    table = Table({"title": "Test", "pilots": [pilot()]}, [6, 6, 6, 6, 5, 4])
    placed = told(table, e.TargetPlaced)
    assert placed.text == "The secondary target is at waypoint 24."
    assert placed.steps[-1] == "waypoint 25 is home, so it is put on 24"
    assert [tell(one, NAMES).text for one in table.facts(e.TargetIdentified)] == [
        "The primary target is an HQ Bunker: 3 points for 3 damage.",
        "The secondary target is an Ammo Storage: 2 points for 2 damage.",
    ]


def test_other_facts_are_refused() -> None:
    with pytest.raises(BrokenGame, match="no words"):
        tell(Event(), NAMES)


# The picture.


def picture(table: Table) -> Any:
    """The scene, as it comes out of JSON: plain values only."""
    return msgspec.json.decode(msgspec.json.encode(scene(table.state, frozenset({"one"}))))


def test_the_route_and_what_happened_on_it() -> None:
    table = Table(setup(), [1, 2, 2, 4, 2, 5, 1, 4, 2]).choose("amraam", 6).choose("stop")
    drawn = picture(table)
    assert [one["number"] for one in drawn["waypoints"]] == list(range(1, 26))
    assert [one["number"] for one in drawn["waypoints"] if one["base"]] == [1, 25]
    six, seven = drawn["waypoints"][5], drawn["waypoints"][6]
    [sam] = six["contacts"]
    assert (sam["kind"], sam["number"], sam["spoofed"], sam["evaded"], sam["hits"]) == (
        "sam",
        2,
        1,
        0,
        1,
    )
    [migs] = seven["contacts"]
    assert (migs["kind"], migs["number"], migs["kills"], migs["hits"]) == ("migs", 2, 1, 1)
    assert drawn["at"] == 8
    assert [one["flown"] for one in drawn["waypoints"]] == [n <= 8 for n in range(1, 26)]
    assert [target["waypoint"] for target in drawn["targets"]] == [20, 22]


def test_the_contact_as_it_unfolds() -> None:
    table = Table(setup(), [1, 1, 3, 4])
    contact = picture(table)["contact"]
    assert [one["outcome"] for one in contact["missiles"]] == ["spoofed", None, None]
    assert [one["coming"] for one in contact["missiles"]] == [False, True, False]
    assert contact["over"] is False
    lead = pilot(0, career={"rank": "Captain"})
    table = Table(setup(lead, pilot(1)), [1, 4, 3]).choose("amraam@jet-2", 6)
    contact = picture(table)["contact"]
    assert [one["jet"] for one in contact["migs"]] == ["jet-1", "jet-2", "jet-1"]
    assert [one["alive"] for one in contact["migs"]] == [True, False, True]
    assert contact["migs"][1]["by"] == "jet-1"
    assert contact["shooter"] == "jet-1"
    table.choose("stop")
    assert picture(table)["contact"]["shooter"] == "jet-2"


def test_targets_are_unknown_before_they_are_rolled_for() -> None:
    data = {"title": "Test", "pilots": [pilot()]}
    assert picture(Table(data))["targets"] is None
    assert picture(Table(data, [1, 2]))["targets"] is None
    table = Table(data, [1, 2, 3, 4])
    assert [one["type"] for one in picture(table)["targets"]] == [None, None]


def test_targets_as_they_stand() -> None:
    table = Table(setup(targets=[HQ, FAR[0]]), [2]).choose("maverick", 2, 6)
    target = picture(table)["targets"][0]
    assert (target["type"], target["damage"], target["needs"], target["passes"]) == (
        "HQ Bunker",
        2,
        3,
        1,
    )
    assert target["below"] is True
    assert target["destroyed"] is False
    table.choose("fly on")
    target = picture(table)["targets"][0]
    assert (target["left_behind"], target["below"]) == (True, False)


def test_units_and_facts() -> None:
    table = Table(setup(pilot(damage=1), targets=[HQ, FAR[0]]), [2])
    [unit] = units(table.state, frozenset())
    assert (unit.id, unit.seat, unit.hex, unit.kind) == ("jet-1", "one", None, "F-14 Tomcat")
    assert unit.states == ("damaged",)
    assert (unit.fields["damage"], unit.fields["of"], unit.fields["chaff"]) == (1, 7, 12)
    assert unit.fields["stores"]["maverick"] == 2
    assert (unit.fields["rank"], unit.fields["pilot"]) == ("2nd Lt", "Pilot 1")
    assert facts(table.state) == [
        ("Waypoint", "6 of 25"),
        ("Primary", "HQ Bunker, waypoint 6: 0 of 3 damage"),
        ("Secondary", "Truck Convoy, waypoint 20: 0 of 2 damage"),
    ]


def test_fates_of_those_that_are_not_home() -> None:
    table = Table(setup(pilot(damage=6)), [1, 4, 1]).choose("stop", 2)
    [fate] = fates(table.state)
    assert (fate.unit, fate.seat, fate.cause) == ("jet-1", "one", "shot down, pilot lost")
    assert fates(Table(setup(at=24), [3]).state) == []
