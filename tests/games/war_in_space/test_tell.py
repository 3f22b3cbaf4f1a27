"""The log lines: a sentence for each fact, and how the dice led to it."""

from typing import Any

import pytest

from app.engine.errors import BrokenGame
from app.engine.game import Told
from app.engine.hexes import parse_label
from app.engine.log import Event
from app.games.war_in_space.events import (
    DamageRolled,
    Destroyed,
    EnergyRolled,
    EnergySpent,
    FireShown,
    FireStopped,
    Moved,
    Repaired,
    ShotRolled,
    TurnRolled,
    Withdrew,
)
from tests.games.war_in_space.table import GAME, Table, card, moving, ordered, spending

HERE = parse_label("1511")
NAMES = {"a1": "Resolve", "a2": "Steadfast", "b1": "Goliath"}


def told(table: Table, kind: type[Event], number: int = 0) -> Told:
    return GAME.tell(table.facts(kind)[number], NAMES)


def test_energy_explains_itself() -> None:
    ship = {"marked": {"weapon": 1}}
    table = ordered([ship], {"a1": (card(allout=True), (2, 7, 5))})
    line = told(table, EnergyRolled)
    assert line.text == "Resolve has energy: Attack 6, Defence 2."
    assert [die.face for die in line.dice] == [2, 7, 5]
    assert line.steps == (
        "7 + 5 → Attack (Primary); at most 6, 2 for each box left: 6 lost",
        "2 → Defence (Secondary)",
    )


def test_worse_dice_are_told() -> None:
    table = ordered([{"marked": {"power": 1}}], {"a1": (card("hearts", dc=True), (2, 6, 5))})
    assert told(table, EnergyRolled).steps == (
        "damage makes its dice d6 instead of d8",
        "6 → Damage Control (announced)",
        "5 → Defence (Primary)",
        "2 → Attack (Secondary)",
    )


@pytest.mark.parametrize(
    ("choice", "text", "steps"),
    [
        (
            {"speed": 3, "bonus": 1},
            "Resolve goes from speed 2 to 3 and has a turn bonus of +1.",
            ("2 points × Size Class 3 = 6 movement energy", "1 movement energy lost"),
        ),
        (
            {"speed": 2, "bonus": 0},
            "Resolve keeps speed 2, without a turn bonus.",
            ("7 movement energy lost",),
        ),
    ],
)
def test_spending(choice: Any, text: str, steps: tuple[str, ...]) -> None:
    table = spending({"speed": 2}, 7)
    table.choose(choice)
    line = told(table, EnergySpent)
    assert (line.text, line.steps) == (text, steps)


def test_turns() -> None:
    table = moving({"speed": 3}, 1)
    table.choose("right-2", (2, 8))
    line = told(table, TurnRolled)
    assert line.text == "Resolve fails to turn and loses an Engine box."
    assert line.steps == (
        "d8: 2, 8",
        "+1 turn bonus: 3, 9",
        "above speed 3: 1 of 2",
        "a hard turn that fails costs an Engine box",
    )
    assert told(table, Moved).text == "Resolve moves to 1510, facing N, 2 hexes left."
    table.choose("left", (3,))
    line = told(table, TurnRolled, 1)
    assert line.text == "Resolve turns 60° to the left and faces NW."
    assert line.steps == ("d8: 3", "+1 turn bonus: 4", "above speed 3")
    table.choose("right", (1,))
    assert told(table, TurnRolled, 2).text == "Resolve fails to turn."
    assert told(table, TurnRolled, 2).steps[-1] == "not above speed 3"


def fought(*damage: int, marked: dict[str, int], defence: int = 5) -> Table:
    target = {"seat": "b", "hex": HERE.ahead(0, 5).label, "marked": marked}
    orders = {
        "a1": (card(), (4, 1, 1)),
        "a2": (card(), (4, 1, 1)),
        "b1": (card("hearts"), (defence, 1, 1)),
    }
    table = ordered([{}, {}, target], orders)
    table.choose({"target": "b1", "aim": 1}, offer="fire:1:a1")
    table.choose({"target": "b1", "aim": 0}, (5,), (6,), damage, offer="fire:1:a2")
    return table


def test_fire() -> None:
    table = fought(1, 3, 3, 3, 6, 5, marked={"weapon": 3, "hull": 5})
    assert told(table, FireShown).steps == (
        "Resolve at Goliath: range 5, aim +1, charge 1",
        "Steadfast at Goliath: range 5, aim +0, charge 4",
    )
    line = told(table, ShotRolled)
    assert line.text == "Resolve hits Goliath for 4 damage."
    assert line.steps == (
        "5 rolled",
        "+1 aim",
        "6 is above range 5: hit",
        "charge 1 + Size Class 3 = 4 damage",
    )
    line = told(table, DamageRolled)
    assert line.text == "Goliath loses 2 Hull boxes, 1 Weapon box, 1 Engine box and 1 Power box."
    assert line.steps == (
        "damage 4 + 7 = 11, less defence 5",
        "6 dice",
        "no Weapon box left: 1 to the Hull",
        "1 point more than it had boxes for",
        "0 Hull boxes left",
    )
    assert told(table, Destroyed).text == "Goliath is destroyed by Resolve and Steadfast."


def test_defence_that_holds() -> None:
    target = {"seat": "b", "hex": HERE.ahead(0, 5).label}
    table = ordered([{}, target], {"a1": (card(), (1, 1, 1)), "b1": (card("hearts"), (4, 1, 1))})
    table.choose({"target": "b1", "aim": 0}, (6,))
    line = told(table, FireStopped)
    assert line.text == "The defence of Goliath takes all damage."
    assert line.steps == ("damage 4, less defence 4", "no box is marked")


def test_leaving_and_repairing() -> None:
    table = moving({"hex": "1501", "speed": 1})
    table.choose("ahead")
    line = told(table, Withdrew)
    assert (line.text, line.places) == (
        "Resolve leaves the board at 1501 and withdraws.",
        ("1501",),
    )
    ship = {"speed": 0, "marked": {"engine": 2, "weapon": 1}}
    table = ordered([ship], {"a1": (card(dc=True), (7, 1, 1))})
    table.choose("engine")
    table.choose("weapon")
    assert told(table, Repaired).text == "Resolve repairs an Engine box."
    assert told(table, Repaired).steps == ("costs 3 Damage Control energy", "4 left")
    assert told(table, Repaired, 1).steps == ("costs 3 Damage Control energy", "1 lost")


def test_a_fact_of_no_game_has_no_words() -> None:
    with pytest.raises(BrokenGame):
        GAME.tell(Event(), {})
