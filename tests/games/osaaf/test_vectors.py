"""The rules' own examples and ours, by their ids, each played through the real sequence."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.engine.errors import Illegal, Stale
from app.engine.hexes import Hex, at
from app.games.osaaf.events import (
    Attacked,
    BrakesChosen,
    Crashed,
    EnergyRolled,
    EnergySettled,
    Flew,
    FuelBurnt,
    MoveChosen,
    MoveOrderSet,
    MoveTieRolled,
    StallDropped,
    TurnRolled,
)
from app.games.osaaf.movement import turn_roll
from tests.games.osaaf.table import Table, attack, flying, in_combat, plan, setup, shots

VECTORS = tomllib.loads(Path(__file__).with_name("vectors.toml").read_text("utf-8"))


HERE = at(15, 14)

# The numbered examples of the rules; those with a letter or a word after the number are parts of one.
NUMBERS = {"E": 20, "T": 10, "M": 7, "C": 10, "F": 1, "S": 1}


def test_every_numbered_example_is_here() -> None:
    ids = {v["id"] for kind in VECTORS.values() for v in kind}
    written_out = {"M3": test_m3_no_fourth_attempt, "S1": test_s1_stalled_at_altitude_1_crashes}
    found = {one.partition("-")[0] for one in ids} | set(written_out)
    numbered = {f"{letter}{n}" for letter, last in NUMBERS.items() for n in range(1, last + 1)}
    assert numbered | {"E6b"} <= found
    assert len(ids) == sum(len(kind) for kind in VECTORS.values())


def vectors(kind: str) -> Any:
    return pytest.mark.parametrize("v", VECTORS[kind], ids=lambda v: v["id"])


@vectors("energy")
def test_energy(v: dict[str, Any]) -> None:
    card = {"energy_factor": v["energy_factor"], "max_speed": v.get("max_speed", 8)}
    jet = {"speed": v["speed"], "altitude": v["altitude"], "card": card}
    table = Table(setup([jet]), [(1,)], v.get("rulings"))
    table.choose(plan(v["manoeuvres"], lit=v["afterburner"]), v["dice"])

    [rolled] = table.facts(EnergyRolled)
    kept = [face for face, counts in zip(rolled.dice, rolled.kept, strict=True) if counts]
    assert sorted(kept) == v["kept"]
    assert rolled.gain == v["gain"]

    if "refused_by" in v:
        with pytest.raises(Illegal) as refusal:
            table.choose(v["change"])
        assert refusal.value.cite == v["refused_by"]
        return
    table.choose(v["change"])
    if "most_refused" in v:
        with pytest.raises(Illegal) as refusal:
            table.choose(v["most_refused"] + 1)
        assert refusal.value.cite == "OSAAF-EN-19"
    if not table.facts(BrakesChosen):
        table.choose(v["refused"])

    [settled] = table.facts(EnergySettled)
    jet_now = table.jet()
    assert settled.speed == jet_now.speed == v["new_speed"]
    assert jet_now.stalled == v.get("stalled", False)
    fell = len(table.facts(StallDropped))
    assert jet_now.altitude + fell == v["new_altitude"]


@vectors("turn")
def test_turn(v: dict[str, Any]) -> None:
    card = {"maneuverability": v["maneuverability"]}
    table = flying(v["speed"], v["hard_turns"], card=card)
    if "refused_by" in v:
        with pytest.raises(Illegal) as refusal:
            table.choose("left")
        assert refusal.value.cite == v["refused_by"]
        rolled = turn_roll(table.jet(), "left", tuple(v["dice"]))
    else:
        table.choose("left", v["dice"])
        [rolled] = table.facts(TurnRolled)
    assert rolled.face == v["kept"]
    assert rolled.kept.count(True) == 1
    assert rolled.dice[rolled.kept.index(True)] == v["kept"]
    assert rolled.success is v["success"]
    assert rolled.facing == (5 if v["success"] else 0)


@vectors("move")
def test_move(v: dict[str, Any]) -> None:
    table = flying(v["speed"])
    begin = table.start.jets["a"].hex
    dice = list(v["dice"])
    for choice in v["choices"]:
        table.choose(choice, *(dice if choice.endswith("-all") else dice[:1]))
        dice = dice[1:]
    path = [place - begin for flew in table.facts(Flew) for place in flew.path]
    assert path == [Hex(q, r) for q, r in v["path"]]
    assert table.jet().facing == v["facing"]
    assert [chosen.choice for chosen in table.facts(MoveChosen)] == v["choices"]


def test_m3_no_fourth_attempt() -> None:
    table = flying(3)
    for hex_number in range(3):
        assert table.decision.id == f"move:a:{hex_number}"
        table.choose("right", (6, 6, 6))
    with pytest.raises(Stale):
        table.choose("right", (6, 6, 6), offer="move:a:2")
    assert len(table.facts(TurnRolled)) == len(table.facts(Flew)) == 3


@vectors("order")
def test_order(v: dict[str, Any]) -> None:
    jets = [
        {"altitude": jet["altitude"], "hex": f"10{jet['row']:02}", "speed": 4}
        for jet in v["jets"].values()
    ]
    data = setup(jets, night=v["night"])
    table = Table(data, rulings={"initiative": "off"})
    for _ in jets:
        table.choose(plan(), (1, 1, 1, 1, 1))
        table.choose(0)
    if v["dice"]:
        table.roll(*[(face,) for face in v["dice"]])
    assert len(table.facts(MoveTieRolled)) == len(v["dice"])
    [order] = table.facts(MoveOrderSet)
    assert [place.jet for place in order.places] == v["order"]


def test_s1_stalled_at_altitude_1_crashes() -> None:
    table = Table(setup([{"speed": 0, "altitude": 1}]), [(1,)])
    table.choose(plan(), (1, 1, 1, 1, 1))  # to fly level is all it can do then
    assert [crash.jet for crash in table.facts(Crashed)] == ["a"]
    assert table.jet().status == "crashed"
    assert table.state.result is not None
    assert table.state.result.reason == "side-out"
    assert not table.facts(Flew)


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        ({**plan(), "jink": 2}, "OSAAF-EN-3"),
        ({**plan(), "aim": 2}, "OSAAF-EN-3"),
        (plan(4), "OSAAF-EN-3"),
        (plan(3, aim=True), "OSAAF-EN-2"),
        (plan(2, jink=True, aim=True), "OSAAF-EN-2"),
        ({"hard_turns": 1}, "OSAAF-EN-3"),
        ("hard turn", "OSAAF-EN-3"),
    ],
)
def test_plans_that_are_refused(choice: Any, rule: str) -> None:
    table = Table(setup([{}]), [(1,)])
    before = table.state
    with pytest.raises(Illegal) as refusal:
        table.choose(choice)
    assert refusal.value.cite == rule
    assert table.state is before


@pytest.mark.parametrize("choice", [plan(2, aim=True), plan(3)])
def test_plans_that_are_accepted(choice: Any) -> None:
    table = Table(setup([{}]), [(1,)])
    table.choose(choice)
    assert table.jet().energy.plan is not None


# Combat and fuel.


def off(place: list[int]) -> str:
    """The label of a hex that lies so from the place of the vectors."""
    return (HERE + Hex(*place)).label


def armed(arm: str, quality: str) -> dict[str, Any]:
    radar = {"quality": "low", "shots": 4}
    return {"radar_missile": radar, arm: {"quality": quality, "shots": 4}}


BAIT = {"seat": "red", "hex": off([0, -10]), "facing": 3}


@vectors("attack")
def test_attack(v: dict[str, Any]) -> None:
    shooter = {
        "hex": HERE.label,
        "plan": v.get("plan", {}),
        "card": armed(v["arm"], v["quality"]),
    }
    target = {
        "seat": "red",
        "hex": off(v["at"]),
        "facing": v["facing"],
        "altitude": 5 + v.get("levels", 0),
        "plan": v.get("target_plan", {}),
        "card": {"toughness": 3},
    }
    table = in_combat([shooter, target, BAIT])
    assert table.decision.id == "fire:a"
    choice = attack(v["arm"])
    if "refused_by" in v:
        before = table.state
        with pytest.raises(Illegal) as refusal:
            table.choose(choice)
        assert refusal.value.cite == v["refused_by"]
        assert table.state is before
        return
    table.choose(choice, v["dice"])
    [rolled] = table.facts(Attacked)
    assert (rolled.face, rolled.score, rolled.damage) == (v["kept"], v["score"], v["damage"])
    assert rolled.hit is (v["damage"] > 0)
    assert table.jet("b").hits == v["damage"]
    assert table.jet("a").stores.of(v["arm"]) == 3


@pytest.mark.parametrize(
    ("place", "inside"),
    [
        (place, key == "inside")
        for key in ("inside", "outside")
        for place in VECTORS["front"][0][key]
    ],
    ids=lambda value: f"C9-{value}",
)
def test_front_arc(place: list[int], inside: bool) -> None:
    shooter = {"hex": HERE.label, "card": armed("gun", "medium")}
    table = in_combat([shooter, {"seat": "red", "hex": off(place)}, BAIT])
    blocked = shots(table)["gun", "b"].blocked
    assert (blocked is None) is inside
    assert blocked is None or blocked.cite == "OSAAF-CB-2"


@pytest.mark.parametrize(
    ("shooter", "inside"),
    [(one, key == "inside") for key in ("inside", "outside") for one in VECTORS["rear"][0][key]],
    ids=lambda value: f"C10-{value}",
)
def test_rear_arc(shooter: dict[str, Any], inside: bool) -> None:
    card = armed("gun", "medium") | armed("heat_seeker", "medium")
    jet = {"hex": off(shooter["at"]), "facing": shooter["facing"], "card": card}
    table = in_combat([jet, {"seat": "red", "hex": HERE.label}])
    offered = shots(table)
    blocked = offered["heat_seeker", "b"].blocked
    assert (blocked is None) is inside
    assert blocked is None or blocked.cite == "OSAAF-CB-3"
    assert offered["gun", "b"].blocked is None
    assert ("+1 in the target's rear arc" in offered["gun", "b"].detail) is inside


@vectors("fuel")
def test_fuel(v: dict[str, Any]) -> None:
    table = Table(setup([{"fuel": v["fuel"]}]), [(1,)])
    table.choose(plan(lit=v["afterburner"]), (1, 1, 1, 1, 1))
    table.choose(0)
    if v["afterburner"]:
        table.choose(0)  # brakes
    assert table.jet().fuel == v["fuel"]  # it is paid for at the end
    table.choose("ahead-all")
    assert [burn.left for burnt in table.facts(FuelBurnt) for burn in burnt.burns] == [v["left"]]
    assert table.jet().fuel == v["left"]
