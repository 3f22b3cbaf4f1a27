"""Fuel (FU): what a turn costs, and an engine without any."""

from fractions import Fraction
from typing import Any

import pytest

from app.engine.errors import Illegal
from app.engine.log import Event
from app.games.osaaf.events import (
    Burn,
    Dragged,
    EnergyRolled,
    EngineOut,
    FuelBurnt,
    PlanChosen,
)
from app.odds import exact
from tests.games.osaaf.table import GAME, Table, plan, setup

ONES = (1, 1, 1, 1, 1)


def cites(table: Table, kind: type[Event]) -> list[str | None]:
    return [one.cite for one in table.happenings if isinstance(one.event, kind)]


def burnt(table: Table) -> list[dict[str, tuple[int, int]]]:
    """By turn, what each jet used and what it has left."""
    return [
        {burn.jet: (burn.cost, burn.left) for burn in fact.burns} for fact in table.facts(FuelBurnt)
    ]


def options(table: Table) -> dict[str, Any]:
    return {option.key: option for option in table.decision.all_options}


def lone(*dice: tuple[int, ...], rulings: dict[str, str] | None = None, **jet: Any) -> Table:
    return Table(setup([jet]), [(1,), *dice], rulings)


def one_turn(table: Table, lit: bool = False) -> None:
    """Level, no brakes, straight on."""
    table.choose(plan(lit=lit), ONES)
    table.choose(0)
    if table.decision.id.startswith("brakes"):
        table.choose(0)
    table.choose("ahead-all", (1,))


# FU-1.


def test_each_turn_is_paid_for_by_itself() -> None:
    table = lone(fuel=7, hex="1020", speed=5)
    one_turn(table)
    one_turn(table, lit=True)  # it gains 1 for the burner, and drag takes that
    one_turn(table)
    assert burnt(table) == [{"a": (1, 6)}, {"a": (3, 3)}, {"a": (1, 2)}]
    assert set(cites(table, FuelBurnt)) == {"OSAAF-FU-1"}


def test_the_last_fuel_is_all_that_can_be_used() -> None:
    table = lone(fuel=1)
    one_turn(table)
    assert burnt(table) == [{"a": (1, 0)}]


@pytest.mark.parametrize(
    ("fuel", "rule"),
    [(0, "OSAAF-FU-2"), (1, "OSAAF-FU-1"), (2, "OSAAF-FU-1"), (3, None), (4, None)],
)
def test_afterburner_needs_three(fuel: int, rule: str | None) -> None:
    table = lone(fuel=fuel)
    lit = [option for option in table.decision.all_options if option.value["afterburner"]]
    dry = [option for option in table.decision.all_options if not option.value["afterburner"]]
    few = [
        option for option in lit if option.blocked is None or option.blocked.cite != "OSAAF-EN-2"
    ]
    assert len(few) == 12
    assert {option.blocked and option.blocked.cite for option in few} == {rule}
    assert {option.blocked and option.blocked.cite for option in dry} == {None, "OSAAF-EN-2"}
    if rule is None:
        table.choose(plan(lit=True))
        return
    before = table.state
    with pytest.raises(Illegal, match=f"afterburner needs 3 fuel, and {fuel} is left") as refusal:
        table.choose(plan(lit=True))
    assert refusal.value.cite == rule
    assert table.state is before


def test_afterburner_with_the_last_three_leaves_none() -> None:
    table = lone(fuel=3)
    shown = options(table)
    [cost] = {option.cost for option in shown.values() if option.value == plan(lit=True)}
    assert cost == "−3 fuel"
    one_turn(table, lit=True)
    assert burnt(table) == [{"a": (3, 0)}]
    assert GAME.units(table.state, frozenset())[0].states == ("out of fuel",)


def test_a_turn_away_costs_one() -> None:
    table = Table(
        setup([{"fuel": 9, "hex": "1001"}, {"hex": "2020"}]), rulings={"initiative": "off"}
    )
    for lit in (True, False):
        table.choose(plan(lit=lit), ONES)
        table.choose(0)
        if lit:
            table.choose(0)
    table.choose("ahead-all")  # b, farther from the sun
    table.choose("ahead-all")
    table.choose("return")
    table.choose(plan(), ONES)  # turn 2: b alone
    table.choose(0)
    table.choose("ahead-all")
    assert [one["a"] for one in burnt(table)] == [(3, 6), (1, 5)]
    assert table.state.turn == 3
    assert table.jet().status == "flying"


def test_who_is_out_of_the_game_uses_none() -> None:
    jets = [{"speed": 0, "altitude": 1, "fuel": 5, "card": {"afterburner": False}}, {"hex": "2020"}]
    table = Table(setup(jets), [ONES], {"initiative": "off"})
    table.choose(plan(), ONES)
    table.choose(0)
    table.choose("ahead-all")
    assert table.jet("a").status == "crashed"
    assert burnt(table) == [{"b": (1, 23)}]


def test_nobody_left_to_use_fuel() -> None:
    table = Table(
        setup([{"speed": 0, "altitude": 1, "card": {"afterburner": False}}]), [(1,), ONES]
    )
    assert burnt(table) == [{}]
    assert GAME.tell(table.facts(FuelBurnt)[0], {}).text == "Nobody is left to use fuel."


def test_fuel_that_is_not_counted_is_not_used() -> None:
    table = lone(fuel=0, rulings={"fuel": "off"})
    [lit] = [option for option in table.decision.all_options if option.value == plan(lit=True)]
    assert (lit.blocked, lit.cost) == (None, "")
    one_turn(table, lit=True)
    assert not table.facts(FuelBurnt)
    assert not table.facts(EngineOut)
    assert len(table.facts(EnergyRolled)) == 1
    assert table.jet().fuel == 0
    unit = GAME.units(table.state, frozenset())[0]
    assert unit.fields["fuel"] is None
    assert "out of fuel" not in unit.states


# FU-2.


def test_engine_out_there_is_no_roll_and_no_gain() -> None:
    table = lone(fuel=0, altitude=5, speed=4)
    table.choose(plan(1))
    assert table.facts(EngineOut) == [EngineOut("a")]
    assert cites(table, EngineOut) == ["OSAAF-FU-2"]
    assert not table.facts(EnergyRolled)
    assert [(fact.before, fact.speed) for fact in table.facts(Dragged)] == [(4, 3)]
    assert table.facts(PlanChosen)[0].dice == 0
    told = GAME.tell(table.facts(PlanChosen)[0], {"a": "Jet A"}).text
    assert told == "Jet A plans one hard turn: no dice for energy."
    shown = {option.value: option.detail for option in table.decision.all_options}
    assert [shown[1], shown[0], shown[-1], shown[-2]] == [
        "Speed 2",
        "Speed 3",
        "Speed 4",
        "Speed 6",
    ]
    table.choose(-2)
    assert [option.value for option in table.decision.all_options] == [0, 1, 2, 3]  # the dive's 3
    table.choose(0)
    assert (table.jet().speed, table.jet().altitude) == (6, 3)
    assert table.jet().hard_turns == 1


def test_engine_out_climbs_are_paid_for_as_ever() -> None:
    table = lone(fuel=0, speed=3)
    table.choose(plan())
    table.choose(1)
    assert (table.jet().speed, table.jet().altitude) == (1, 6)
    slow = lone(fuel=0, speed=3)
    slow.choose(plan())
    with pytest.raises(Illegal) as refusal:
        slow.choose(2)  # 3 less than the 2 after drag
    assert refusal.value.cite == "OSAAF-EN-21"


def test_engine_out_the_odds_are_certain() -> None:
    table = lone(fuel=0, speed=4, altitude=5)
    free = [option for option in table.decision.all_options if option.blocked is None]
    assert len(free) == 12
    for option in free:
        assert option.odds is not None
        assert exact(option.odds.chance) == {3: Fraction(1)}
        assert option.cost == ""
        assert option.detail.startswith("no fuel, no energy roll")
        assert option.then is not None
        rows = {label: exact(odds.chance) for label, odds in option.then()}
        assert rows["Dive 1 to altitude 4"] == {4: Fraction(1)}
        assert rows["Climb 1 to altitude 6"] == {2: Fraction(1)}
    assert table.decision.action == "Fly on"


def test_with_fuel_there_is_a_roll() -> None:
    table = lone(fuel=1)
    assert table.decision.action == "Roll for energy"
    table.choose(plan(), ONES)
    assert len(table.facts(EnergyRolled)) == 1
    assert table.facts(PlanChosen)[0].dice == 5


def test_engine_out_and_stalled_it_must_still_dive() -> None:
    table = lone(fuel=0, speed=0, altitude=5)
    assert table.decision.id == "altitude:a", "there is nothing to plan"
    with pytest.raises(Illegal) as refusal:
        table.choose(0)
    assert refusal.value.cite == "OSAAF-ST-3"
    table.choose(-2)
    table.choose(0)
    assert table.jet().speed == 2  # 0, drag, and 3 for two levels
    assert not table.jet().stalled


def test_the_log_tells_of_an_empty_tank_once() -> None:
    names = {"a": "Jet A", "b": "Jet B"}
    both = FuelBurnt((Burn("a", 1, 0), Burn("b", 3, 4)))
    assert GAME.tell(both, names).text == "Fuel left: Jet A 0, Jet B 4. Out of fuel: Jet A."
    later = FuelBurnt((Burn("a", 0, 0), Burn("b", 1, 3)))
    assert GAME.tell(later, names).text == "Fuel left: Jet A 0, Jet B 3."
