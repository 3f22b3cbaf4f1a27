"""The log in words."""

from typing import Any

import pytest

from app.engine.errors import BrokenGame
from app.engine.game import Told
from app.engine.hexes import at
from app.engine.log import Event, PhaseBegan
from app.games.osaaf import events as e
from app.games.osaaf.model import Place, Plan
from tests.games.osaaf.table import GAME, Table, attack, flying, in_combat, plan, setup

NAMES = {"a": "Jet A", "b": "Jet B", "blue": "Blue"}


def told(event: Event) -> Told:
    return GAME.tell(event, NAMES)


def first(table: Table, kind: type[Any]) -> Told:
    return told(table.facts(kind)[0])


def test_the_die_explains_itself() -> None:
    """The source's example: SU-9 at altitude 4, one hard turn, afterburner, 1 3 4 4."""
    card = {"energy_factor": 4, "name": "SU-9"}
    table = Table(setup([{"altitude": 4, "card": card}]), [(1,)])
    table.choose(plan(1, lit=True), (1, 3, 4, 4))
    line = first(table, e.EnergyRolled)
    assert line.text == "Jet A gains 2 Speed from its energy roll."
    assert [(die.face, die.kept) for die in line.dice] == [
        (1, False),
        (3, True),
        (4, True),
        (4, False),
    ]
    assert line.steps == (
        "altitude 4 drops one high and one low",
        "3 4",
        "afterburner 4 5",
        "above factor 4: one",
        "+1 afterburner",
        "+2 Speed",
    )


def test_no_die_counts_after_three_manoeuvres() -> None:
    table = Table(setup([{}]), [(1,)])
    table.choose(plan(3), (6, 6))
    assert first(table, e.EnergyRolled).steps == (
        "altitude 5 drops one high and one low",
        "no die counts",
        "+0 Speed",
    )


def test_the_sum_of_speed() -> None:
    table = Table(setup([{"speed": 6}]), [(1,)])
    table.choose(plan(lit=True), (1, 4, 4, 4, 6))
    table.choose(-2)
    table.choose(1)
    line = first(table, e.EnergySettled)
    assert line.text == "Jet A has Speed 8 this turn."
    assert line.steps == (
        "Speed 6",
        "+4 energy roll",
        "−1 drag",
        "+3 dive",
        "−1 brakes",
        "11 is above its maximum 8",
        "Speed 8",
    )


def test_the_floor_is_told() -> None:
    table = Table(
        setup([{"speed": 0, "altitude": 1, "card": {"afterburner": False}}]), [(1,), (1,) * 5]
    )
    assert "−1 is raised to 0" in first(table, e.EnergySettled).steps
    assert "goes from Speed 0 to −1" in first(table, e.Dragged).text


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (Plan(0, False, False, False), "no hard manoeuvre"),
        (Plan(1, False, False, False), "one hard turn"),
        (Plan(2, False, True, False), "two hard turns and aim"),
        (Plan(1, True, True, True), "one hard turn, a jink and aim, with afterburner"),
        (Plan(0, False, False, True), "no hard manoeuvre, with afterburner"),
    ],
)
def test_plans(chosen: Plan, words: str) -> None:
    assert told(e.PlanChosen("a", chosen, 3)).text == f"Jet A plans {words}: three dice for energy."


def test_turn_rolls() -> None:
    table = flying(3, 1)
    table.choose("left-all", (3, 3, 6), (2, 2, 1), (5, 1, 6))
    lines = [told(fact) for fact in table.facts(e.TurnRolled)]
    assert [line.text for line in lines] == [
        "Jet A turns left to face NW.",
        "Jet A fails to turn left and keeps facing NW.",
        "Jet A turns left to face SW.",
    ]
    assert lines[0].steps == ("3 counts", "hard turn +1: 4", "4 is above Speed 3")
    assert lines[1].steps[-1] == "3 is not above Speed 3"
    flown = [told(fact) for fact in table.facts(e.Flew)]
    assert [line.quiet for line in flown] == [True, True, False]
    assert flown[0].places == ("0909",)


def test_the_order_of_movement_says_why() -> None:
    by_sun = Place("a", 5, 9, (), "sun")
    by_die = Place("b", 5, None, (2, 4), "die")
    line = told(e.MoveOrderSet((by_sun, Place("b", 6, 3, (), "altitude")), "N"))
    assert line.text == "Jets move in this order: Jet A, Jet B."
    assert line.steps == (
        "Jet A: altitude 5, 9 half hexes from the sun's edge",
        "Jet B: altitude 6",
    )
    assert told(e.MoveOrderSet((by_die,), None)).steps == ("Jet B: altitude 5, die 2 4",)
    assert told(e.MoveOrderSet((), None)).text == "No jet moves this turn."


GUNS = {"gun": {"quality": "medium", "shots": 4}}


def test_an_attack_explains_itself() -> None:
    jets = [
        {"hex": "1012", "card": GUNS, "plan": {"aim": True}},
        {"hex": "1010", "seat": "red", "plan": {"jink": True}},
    ]
    table = in_combat(jets)
    table.choose(attack("gun"), (6, 4, 2))
    chosen, rolled = first(table, e.AttackChosen), first(table, e.Attacked)
    assert chosen.text == "Jet A attacks Jet B with its gun from 2 hexes."
    assert rolled.text == "Jet A hits Jet B once with its gun."
    assert [(die.face, die.kept) for die in rolled.dice] == [(6, False), (4, True), (2, False)]
    assert rolled.steps == (
        "4 counts",
        "+1 Aim",
        "+1 in the target's rear arc",
        "−1 target jinks",
        "5 is above 4",
        "1 damage",
    )
    assert rolled.places == ("1012", "1010")


def test_a_miss_below_nothing_has_a_real_minus() -> None:
    jets = [
        {"hex": "1012", "card": GUNS, "hits": 1, "plan": {"jink": True}},
        {"hex": "1011", "seat": "red", "facing": 3, "plan": {"jink": True}},
    ]
    table = in_combat(jets)
    table.choose(attack("gun"), (1, 1, 1))
    line = first(table, e.Attacked)
    assert first(table, e.AttackChosen).text == "Jet A attacks Jet B with its gun from 1 hex."
    assert line.text == "Jet A misses Jet B with its gun."
    assert line.steps == (
        "1 counts",
        "−1 target jinks",
        "−1 attacker jinks",
        "−1 attacker damaged",
        "−2 is not above 4",
    )


@pytest.mark.parametrize(
    ("arm", "words"),
    [("heat_seeker", "its heat-seeker"), ("radar_missile", "its radar missile")],
)
@pytest.mark.parametrize(("toughness", "hits"), [(1, "2 hits"), (3, None)])
def test_missiles_and_going_down(arm: str, words: str, toughness: int, hits: str | None) -> None:
    jets = [
        {"hex": "1012", "card": {arm: {"quality": "medium", "shots": 4}}},
        {"hex": "1008", "seat": "red", "card": {"toughness": toughness}},
    ]
    table = in_combat(jets)
    table.choose(attack(arm), (6, 6, 6))
    assert first(table, e.Attacked).text == f"Jet A hits Jet B for 2 hits with {words}."
    assert first(table, e.Attacked).steps[-1] == "2 damage"
    if hits is None:
        assert not table.facts(e.ShotDown)
        return
    line = first(table, e.ShotDown)
    assert line.text == "Jet B is shot down by Jet A at 1008."
    assert (line.steps, line.places) == ((hits, "toughness 1"), ("1008",))


def test_one_hit_is_one_hit() -> None:
    line = told(e.ShotDown("b", "a", at(10, 8), 1, 1))
    assert line.steps == ("1 hit", "toughness 1")


def test_holding_fire_and_aerobatics() -> None:
    assert told(e.FireHeld("a")).text == "Jet A holds its fire."
    assert told(e.MoveChosen("a", "left-2", 3)).text == "Jet A tries aerobatics: to turn 120° left."
    assert told(e.MoveChosen("a", "about", 3)).text == "Jet A tries aerobatics: to turn about."
    lost = told(e.SpeedLost("a", 2)).text
    assert lost == "Jet A has lost Speed in the turn that failed: Speed 2."


def test_a_fact_of_no_game_has_no_words() -> None:
    with pytest.raises(BrokenGame):
        told(PhaseBegan(1, "energy"))
