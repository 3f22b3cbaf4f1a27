"""The rules in numbers, by their ids, each played through the real sequence."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.engine.dice import Pool
from app.engine.errors import Illegal, Stale
from app.engine.hexes import Hex, parse_label
from app.engine.sequence import Decision, Roll, open_decisions
from app.games.war_in_space.events import (
    DamageRolled,
    EnergySpent,
    FireStopped,
    Moved,
    NoShot,
    OrderSet,
    Repaired,
    RepairsEnded,
    ShotRolled,
    TieRolled,
    TurnRolled,
)
from app.games.war_in_space.model import SYSTEMS, Boxes
from app.odds import exact
from tests.games.war_in_space.table import Table, card, moving, ordered, setup, spending

VECTORS = tomllib.loads(Path(__file__).with_name("vectors.toml").read_text("utf-8"))

KINDS = ("corvette", "frigate", "cruiser", "battlecruiser", "dreadnought")
CREWS = ("green", "regular", "veteran", "elite")
HERE = "1511"

# Those with a word after the number are parts of one.
NUMBERS = {"V": 16, "O": 6, "N": 8, "W": 8, "D": 2}


def test_every_numbered_example_is_here() -> None:
    ids = [v["id"] for kind in VECTORS.values() for v in kind]
    written_out = {
        "V13": test_v13_no_turn_at_speed_0,
        "V14": test_v14_a_frigate_turns_right_before_each_hex,
        "V16": test_v16_no_hard_turn_without_an_engine_box,
        "W7": test_w7_nobody_fires_astern,
    }
    found = {one.partition("-")[0] for one in ids} | set(written_out)
    assert found == {f"{letter}{n}" for letter, last in NUMBERS.items() for n in range(1, last + 1)}
    assert len(set(ids)) == len(ids)


def vectors(kind: str) -> Any:
    return pytest.mark.parametrize("v", VECTORS[kind], ids=lambda v: v["id"])


# Movement.


@vectors("turn")
def test_turn(v: dict[str, Any]) -> None:
    table = moving({"kind": v["kind"], "speed": v["speed"]}, v["bonus"])
    choice = {1: "right", 2: "right-2", 3: "about"}[v["sides"]]
    if "chance" in v:
        odds = table.option(choice).odds
        assert odds is not None
        assert exact(odds.chance).get(True, 0) == v["chance"]
    table.choose(choice, v["dice"])

    [rolled] = table.facts(TurnRolled)
    assert rolled.success is v["success"]
    ship = table.ship()
    assert ship.facing == (v["sides"] if v["success"] else 0)
    assert ship.marked == Boxes(engine=v.get("engine", 0))
    [moved] = table.facts(Moved)
    assert moved.path == (parse_label(HERE).ahead(ship.facing),)


@vectors("spend")
def test_spend(v: dict[str, Any]) -> None:
    table = spending({"kind": v["kind"], "speed": v["speed"]}, v["energy"])
    for wish in v.get("refused", ()):
        before = table.state
        with pytest.raises(Illegal) as refusal:
            table.choose(wish)
        assert refusal.value.cite == v["refused_by"]
        assert table.state is before
    table.choose(v["choice"])
    [spent] = table.facts(EnergySpent)
    assert spent.left == v["left"]
    ship = table.ship()
    assert (ship.speed, ship.bonus) == (v["choice"]["speed"], v["choice"]["bonus"])


def test_v13_no_turn_at_speed_0() -> None:
    table = moving({"speed": 0})
    # The turn is over without a question.
    assert table.state.turn == 2
    assert table.ship().hex.label == HERE
    assert table.facts(TurnRolled) == []
    assert table.facts(Moved) == []


def test_v14_a_frigate_turns_right_before_each_hex() -> None:
    table = moving({"kind": "frigate", "speed": 3})
    begin = parse_label(HERE)
    places: list[tuple[Hex, int]] = []
    for number, face in enumerate((4, 3, 9)):
        assert table.decision.id == f"move:1:a1:{number}"
        table.choose("right", (face,))
        places.append((table.ship().hex - begin, table.ship().facing))
    assert places == [(Hex(1, -1), 1), (Hex(2, -2), 1), (Hex(3, -2), 2)]
    with pytest.raises(Stale):
        table.choose("right", (9,), offer="move:1:a1:2")
    assert len(table.facts(TurnRolled)) == 3


def test_v16_no_hard_turn_without_an_engine_box() -> None:
    table = moving({"speed": 2, "marked": {"engine": 4}})
    for hard in ("left-2", "right-2", "about"):
        with pytest.raises(Illegal) as refusal:
            table.choose(hard)
        assert refusal.value.cite == "WIS-MV-14"
    table.choose("left", (3,))
    assert table.ship().facing == 5


@vectors("order")
def test_order(v: dict[str, Any]) -> None:
    ships = [
        {
            "seat": seat,
            "crew": CREWS[experience - 1],
            "speed": speed,
            "kind": KINDS[size - 1],
            "hex": f"{10 + n:02}11",
        }
        for seat in ("a", "b")
        for n, (experience, speed, size) in enumerate(v[seat])
    ]
    # Ones give no movement energy that buys anything, but to a Corvette, which keeps it.
    orders = {f"{s}{n}": (card(), (1, 1, 1)) for s in "ab" for n in range(1, 5)}
    table = ordered(ships, orders, {"weapons": "off"})
    while table.state.phase == "energy":
        table.choose({"speed": table.ship(table.decision.unit or "").speed, "bonus": 0})
    for face in v.get("dice", ()):
        assert isinstance(table.step, Roll)
        table.roll((face,))
    [order] = table.facts(OrderSet)
    assert [place.ship for place in order.places] == v["order"]
    assert len(table.facts(TieRolled)) == len(v.get("dice", ()))


# Energy.


@vectors("energy")
def test_energy(v: dict[str, Any]) -> None:
    ship = {"marked": v.get("marked", {})}
    table = ordered([ship], {"a1": (v["card"], v["dice"])}, {"weapons": "off"})
    assert list(table.energy()) == v["energy"]


@vectors("damaged")
def test_damage_shows_in_dice_and_cards(v: dict[str, Any]) -> None:
    table = Table(setup([{"marked": v["marked"]}]))
    barred = {
        "all-out" if option.value["allout"] else option.value["suit"]
        for option in table.decision.all_options
        if option.blocked is not None
    }
    normal = {suit for suit in v["barred"] if suit != "all-out"}
    # A barred suit is barred as a court card too.
    assert barred == {*v["barred"], *(["all-out"] if normal else [])}
    for option in table.decision.all_options:
        suit_barred = option.value["suit"] in normal
        court_barred = option.value["allout"] and "all-out" in v["barred"]
        assert (option.blocked is not None) == (suit_barred or court_barred)
        if option.blocked is not None:
            assert option.blocked.cite == "WIS-EA-10"
    table.choose(card("hearts"))
    assert isinstance(table.step, Roll)
    assert table.step.pool == Pool.parse(v["pool"])


# Fire.


@vectors("fire")
def test_fire(v: dict[str, Any]) -> None:
    target_hex = parse_label(HERE).ahead(0, v["range"]).label
    target = {
        "seat": "b",
        "hex": target_hex,
        "kind": v.get("target", "cruiser"),
        "marked": v.get("marked", {}),
    }
    ships = [{"hex": HERE} for _ in v["attack"]] + [target]
    orders: dict[str, Any] = {
        f"a{n}": (card("spades"), (attack, 1, 1)) for n, attack in enumerate(v["attack"], 1)
    }
    orders["b1"] = (card("hearts"), (v.get("defence", 1), 1, 1))
    table = ordered(ships, orders)
    assert table.ship("b1").has("defence") == v.get("defence", 1)
    asked = [decision.unit for decision in open_decisions(table.step)]
    assert asked == [ship for ship in orders if ship != "b1"]  # the target looks the other way
    for n in range(len(asked)):
        aim = v.get("aim", 0) if n == 0 else 0
        last = n + 1 == len(asked)
        table.choose({"target": "b1", "aim": aim}, *([(f,) for f in v["to_hit"]] if last else ()))
    rolled = table.facts(ShotRolled)
    assert [shot.face for shot in rolled] == v["to_hit"]
    assert [shot.damage for shot in rolled if shot.hit] == v["hits"]
    if "damage" not in v:
        return
    if not v["damage"]:
        [stopped] = table.facts(FireStopped)
        assert stopped.hits == tuple(v["hits"])
        assert table.facts(DamageRolled) == []
        return
    assert isinstance(table.step, Roll)
    assert table.step.pool == Pool(len(v["damage"]))
    before = table.ship("b1").marked
    table.roll(v["damage"])
    after = table.ship("b1").marked
    assert {
        system: after.of(system) - before.of(system)
        for system in SYSTEMS
        if after.of(system) != before.of(system)
    } == v["boxes"]


def test_w7_nobody_fires_astern() -> None:
    ahead, astern = (parse_label(HERE).ahead(facing, 3).label for facing in (0, 3))
    ships = [{}, {"seat": "b", "hex": ahead}, {"seat": "b", "hex": astern, "facing": 3}]
    orders = {ship: (card("spades"), (7, 1, 1)) for ship in ("a1", "b1", "b2")}
    table = ordered(ships, orders)
    with pytest.raises(Illegal) as refusal:
        table.choose({"target": "b2", "aim": 0}, offer="fire:1:a1")
    assert refusal.value.cite == "WIS-WF-1"
    assert [fact.ship for fact in table.facts(NoShot)] == ["b1", "b2"]


# Damage Control.


@vectors("repair")
def test_repair(v: dict[str, Any]) -> None:
    ship = {"kind": v["kind"], "speed": 0, "marked": v["marked"]}
    dice = (v["energy"], 1, 1)
    table = ordered([ship], {"a1": (card("spades", dc=True), dice)}, turns=1)
    assert table.energy()[3] == v["energy"]
    for n, system in enumerate(v["repaired"]):
        assert isinstance(table.step[0], Decision)
        table.choose(system)
        assert len(table.facts(Repaired)) == n + 1
    assert table.state.result is not None  # nothing more to choose
    marked = dict.fromkeys(SYSTEMS, 0) | v["marked"]
    for system in v["repaired"]:
        marked[system] -= 1
    assert table.ship().marked == Boxes(**marked)
    assert table.energy()[3] == v["lost"]
    assert table.facts(RepairsEnded) == []
