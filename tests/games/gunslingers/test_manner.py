"""How a move begins, as a line of orders: what is proposed, and that any way to fly can be ordered (GS-F-3, GS-F-4)."""

import msgspec
import pytest
from msgspec.structs import replace

from app.engine.errors import Illegal
from app.games.gunslingers.flight import manner, starts
from app.games.gunslingers.flight.move_facts import SettingsChosen
from app.games.gunslingers.model import OrderPlace, Settings
from tests.games.gunslingers.table import Craft, Table, craft, lines_to, position

HURT = craft(damage="L")
DIVING = craft(flight_type="SD", power="AB")
IDLE = craft(power="I")
STALLED = craft(condition="stalled", speed=1.5)


def moving(one: Craft) -> Table:
    """The move of one aircraft begins."""
    state = position(one, craft(side="red", card="mig-21mf", place="2002", sighted=True))
    return Table(replace(state, order=(OrderPlace("a", 8, 1, "as listed"),))).begin("flight")


def ways(table: Table) -> dict[Settings, bool]:
    """Each way to fly, and whether it is allowed."""
    options = starts.starts(table.state, table.craft("a"))
    return {msgspec.convert(one.value, Settings): one.blocked is None for one in options}


def chosen(table: Table) -> Settings:
    [fact] = table.facts(SettingsChosen)
    assert fact.settings.value is not None
    return fact.settings.value


def test_it_is_proposed_to_fly_on_as_before_with_most_thrust() -> None:
    assert chosen(moving(craft()).choose("")) == Settings(flight_type="LVL", power="M", ap=1.5)
    assert chosen(moving(DIVING).choose("")) == Settings(flight_type="SD", power="AB", ap=3.5)


@pytest.mark.parametrize("last", ["LVL", "SC", "ZC", "VC", "SD", "UD", "VD"])
def test_what_is_proposed_can_be_flown_and_is_like_last_turn(last: str) -> None:
    """The same type of flight where it can follow itself, else level flight; the same power."""
    table = moving(craft(flight_type=last, speed=4.0))
    free = {way.flight_type for way, allowed in ways(table).items() if allowed}
    way = manner.orders(table.state, table.craft("a")).proposal
    assert ways(table)[way]
    assert way.power == "M"
    if last in free:
        assert way.flight_type == last
    elif "LVL" in free:
        assert way.flight_type == "LVL"


@pytest.mark.parametrize("one", [craft(), HURT, DIVING, IDLE, STALLED])
def test_every_way_to_fly_can_be_ordered_and_no_other(one: Craft) -> None:
    table = moving(one)
    lines = dict(lines_to(table))
    assert lines.keys() == {way for way, allowed in ways(table).items() if allowed}
    for line in lines.values():
        assert line.count(",") <= 3
        assert table.decision.accept(line) == line


def test_what_is_barred_says_why() -> None:
    """GS-F-4: no vertical climb out of level flight at this speed."""
    table = moving(craft())
    read = table.decision.reading("")
    barred = {option.value: option.blocked for option in read.next if option.blocked}
    assert {value: why.cite for value, why in barred.items()} == {"VC": "GS-F-4"}
    with pytest.raises(Illegal):
        table.decision.accept("VC")


def test_damage_is_controlled_only_where_there_is_some() -> None:
    """GS-FLT-17."""
    assert not any("damage" in option.value for option in moving(craft()).decision.reading("").next)
    table = moving(HURT).choose("damage control")
    assert chosen(table).damage_control
    assert table.craft("a").damage_control


def test_the_words_tell_power_and_brakes() -> None:
    braked = Settings(flight_type="LVL", power="N", brakes=0.5)
    assert manner.words(braked) == "Level flight, normal power, brakes 0.5"


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (DIVING, "SD"),
        (DIVING, "sd, AB 3.5"),
        (craft(), "LVL, M 1.5, no brakes"),
        (craft(), "brakes 0.5, brakes 0.5, M 0.5"),
        (HURT, "no damage control"),
        (HURT, "damage control, damage control"),
    ],
)
def test_an_order_that_is_in_force_is_no_change(one: Craft, line: str) -> None:
    """It is as if it had not been given: in the line, and in what comes of it."""
    table = moving(one)
    orders = manner.orders(table.state, table.craft("a"))
    left = [
        word for word in dict.fromkeys(line.split(", ")) if orders.plan(word) != orders.proposal
    ]
    read = table.decision.reading(line)
    assert read.fault is None
    assert read.text == ", ".join(left)
    fact = chosen(table.choose(line))
    assert fact == orders.plan(", ".join(left))


def test_an_order_in_force_is_not_offered() -> None:
    table = moving(DIVING)
    assert "SD" not in {option.value for option in table.decision.all_options}
    with pytest.raises(Illegal, match="no order"):
        table.choose("SL")
