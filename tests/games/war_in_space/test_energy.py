"""Energy Allocation: secrets, shares, limits, re-rolls."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.dice import Pool
from app.engine.errors import Illegal
from app.engine.secret import redact
from app.engine.sequence import Decision, Roll, open_decisions
from app.games.war_in_space.energy import cards, energy_chance, shares, uses_of
from app.games.war_in_space.events import (
    DieRerolled,
    EnergyRolled,
    NoPower,
    OrderGiven,
    OrdersShown,
)
from app.games.war_in_space.model import USES, Boxes, Ship, State
from app.games.war_in_space.setup import ship_classes
from app.odds import exact
from tests.games.war_in_space.table import GAME, Table, card, ordered, setup

CLASSES = tuple(ship_classes().values())


def ship_of(kind: Any, marked: Boxes) -> Ship:
    data = setup([{"kind": kind.id}])
    ship = Table(data).ship()
    return Ship(
        id=ship.id,
        seat=ship.seat,
        name=ship.name,
        kind=kind,
        crew="regular",
        hex=ship.hex,
        facing=0,
        speed=2,
        marked=marked,
    )


@st.composite
def damaged(draw: st.DrawFn) -> Ship:
    kind = draw(st.sampled_from(CLASSES))
    boxes = st.integers(0, kind.systems)
    return ship_of(kind, Boxes(0, draw(boxes), draw(boxes), draw(boxes), draw(boxes)))


@given(damaged(), st.sampled_from(list(cards())), st.data())
def test_nobody_gets_more_than_the_dice_gave(ship: Ship, card: Any, data: st.DataObject) -> None:
    """EA-3 to EA-5, EA-8, each from the sorted dice by hand."""
    faces = tuple(data.draw(st.integers(1, 12)) for _ in range(3))
    low, middle, high = sorted(faces)
    primary, secondary = ship.kind.pattern.suits[card.suit]
    [third] = {"attack", "defence", "movement"} - {primary, secondary}
    whole = {
        (False, False): {primary: high, secondary: middle, third: low},
        (False, True): {"dc": high, primary: middle, secondary: low},
        (True, False): {primary: high + middle, secondary: low},
        (True, True): {"dc": high + middle, primary: low},
    }[card.allout, card.dc]
    most = {
        "attack": 2 * ship.unmarked("weapon"),
        "defence": 2 * ship.unmarked("shield"),
        "movement": 2 * ship.unmarked("engine"),
        "dc": 24,
    }
    got = {one.use: one.gained for one in shares(ship, card, faces)}
    assert got == {use: min(points, most[use]) for use, points in whole.items()}
    assert sum(got.values()) <= sum(faces)
    lost = sum(one.lost for one in shares(ship, card, faces))
    assert sum(got.values()) + lost == sum(whole.values())


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.id)
def test_a_ship_without_damage_uses_any_one_die_whole(kind: Any) -> None:
    """EA-8: a full system can use one die's most, so Table 1 fits the dice."""
    assert kind.energy_die == 2 * kind.systems
    assert kind.systems == kind.size + 1
    assert kind.hull == 2 * kind.size + 1
    assert kind.turn_die + kind.energy_die == 16


@pytest.mark.parametrize("power", [0, 1])
def test_the_odds_of_energy_are_those_of_the_dice(power: int) -> None:
    ship = ship_of(ship_classes()["cruiser"], Boxes(weapon=2, power=power))
    sides = 8 - 2 * power
    for one in cards():
        for use in uses_of(ship, one):
            tally: Counter[int] = Counter()
            for faces in product(range(1, sides + 1), repeat=3):
                tally[next(s.gained for s in shares(ship, one, faces) if s.use == use)] += 1
            odds = {points: Fraction(n, sides**3) for points, n in tally.items()}
            assert exact(energy_chance(ship, one, use)) == odds


# Orders.


def two_sides() -> Table:
    return Table(setup([{}, {}, {"seat": "b", "facing": 3}]))


def test_all_cards_are_asked_for_at_once_and_shown_at_once() -> None:
    table = two_sides()
    assert [decision.unit for decision in open_decisions(table.step)] == ["a1", "a2", "b1"]
    assert all(decision.sealed for decision in open_decisions(table.step))
    table.choose(card("spades"), offer="order:1:a2")
    table.choose(card("hearts"), offer="order:1:b1")
    # Who has answered may think again, and nothing has happened.
    table.choose(card("clubs", allout=True), offer="order:1:a2")
    assert table.facts(OrderGiven) == []
    assert all(ship.order is None for ship in table.state.ships.values())
    table.choose(card("diamonds", dc=True), offer="order:1:a1")
    [shown] = table.facts(OrdersShown)
    assert {ship: (one.suit, one.allout, one.dc) for ship, one in shown.cards.items()} == {
        "a1": ("diamonds", False, True),
        "a2": ("clubs", True, False),
        "b1": ("hearts", False, False),
    }
    assert shown.reveals()


def test_a_card_that_lies_face_down_is_seen_by_its_owner_only() -> None:
    table = two_sides()
    for ship in ("a1", "a2", "b1"):
        table.choose(card("spades"), offer=f"order:1:{ship}")
    given_ = table.facts(OrderGiven)
    for viewer, seen in ((frozenset("a"), 2), (frozenset("b"), 1), (frozenset[str](), 0)):
        cards_seen = [redact(fact, viewer).card.value for fact in given_]
        assert sum(one is not None for one in cards_seen) == seen
        told = [GAME.tell(redact(fact, viewer), {}).text for fact in given_]
        assert sum("♠" in text for text in told) == seen
    # Between the last answer and the showing, a page could be drawn too.
    state: State = table.start
    for fact in given_:
        state = GAME.evolve(state, fact)
    units = GAME.units(redact(state, frozenset("b")), frozenset("b"))
    assert [unit.fields["order"] for unit in units] == [None, None, None]


def test_a_ship_with_every_suit_barred_must_repair() -> None:
    table = Table(setup([{"marked": {"weapon": 4, "shield": 4, "engine": 4}}]))
    for option in table.decision.all_options:
        assert (option.blocked is None) == option.value["dc"]
    table.choose(card("clubs", dc=True), (8, 5, 3))
    assert table.energy() == (0, 0, 0, 8)


@pytest.mark.parametrize(
    ("kind", "marked", "barred"),
    [
        ("cruiser", "shield", {"hearts"}),
        ("cruiser", "engine", {"diamonds"}),
        ("frigate", "weapon", {"spades"}),
        ("frigate", "shield", {"hearts"}),
        ("frigate", "engine", {"clubs", "diamonds"}),
    ],
)
def test_a_dead_system_bars_its_suits(kind: str, marked: str, barred: set[str]) -> None:
    boxes = ship_classes()[kind].systems
    table = Table(setup([{"kind": kind, "marked": {marked: boxes}}]))
    shut = {o.value["suit"] for o in table.decision.all_options if o.blocked is not None}
    assert shut == barred
    [first] = [o for o in table.decision.all_options if o.value == table.decision.initial]
    assert first.blocked is None


def test_without_power_there_is_no_card_and_no_roll() -> None:
    table = Table(setup([{"marked": {"power": 4}, "speed": 1}]))
    assert [fact.ship for fact in table.facts(NoPower)] == ["a1"]
    assert table.facts(OrderGiven) == []
    table.choose("left", (2,))
    assert table.ship().facing == 5


@pytest.mark.parametrize("hard", ["left-2", "right-2", "about"])
def test_without_power_only_normal_turns_are_tried(hard: str) -> None:
    """EA-11; where the table lets ships without Engine boxes try hard turns too."""
    ship = {"marked": {"power": 4}, "speed": 1}
    table = Table(setup([ship]), rulings={"hard_turn_without_engine": "yes"})
    with pytest.raises(Illegal) as refusal:
        table.choose(hard)
    assert refusal.value.cite == "WIS-EA-11"
    three = Table(setup([{"marked": {"power": 3}, "speed": 1}]), [(1, 1, 1)])
    three.choose(card("hearts"))
    assert three.option(hard).blocked is None


@pytest.mark.parametrize(("power", "pool"), [(1, "3d10"), (3, "3d6"), (4, "3d4"), (5, "3d4")])
def test_power_damage_makes_dice_worse_and_never_below_d4(power: int, pool: str) -> None:
    table = Table(setup([{"kind": "dreadnought", "marked": {"power": power}}]))
    table.choose(card())
    assert isinstance(table.step, Roll)
    assert table.step.pool == Pool.parse(pool)


# Experience (XP-3).


def lifted(crew: str, rulings: dict[str, str] | None = None) -> Table:
    how = {"xp_effects": "on"} if rulings is None else rulings
    return ordered([{"crew": crew}], {"a1": (card("hearts"), (2, 7, 5))}, how)


@pytest.mark.parametrize(
    ("crew", "why"),
    [
        ("veteran", "a Veteran crew may throw 1 die again"),
        ("elite", "an Elite crew may throw 2 dice again"),
    ],
)
def test_why_a_crew_is_asked(crew: str, why: str) -> None:
    assert lifted(crew).decision.why == why


@pytest.mark.parametrize(
    ("crew", "dice"), [("green", 0), ("regular", 0), ("veteran", 1), ("elite", 2)]
)
def test_how_many_dice_a_crew_throws_again(crew: str, dice: int) -> None:
    table = lifted(crew)
    for number in range(dice):
        assert table.decision.id == f"lift:1:a1:{number}"
        table.choose(number, (1,))
    assert not table.decision.id.startswith("lift")
    assert len(table.facts(DieRerolled)) == dice


def test_the_new_score_stands_for_better_or_worse() -> None:
    table = lifted("elite")
    table.choose(1, (1,))
    assert table.energy() == (2, 5, 1, 0)
    blocked = table.option(1).blocked
    assert blocked is not None
    assert blocked.cite == "WIS-XP-3"
    table.choose(2, (8,))
    assert table.energy() == (2, 8, 1, 0)
    assert [fact.before for fact in table.facts(DieRerolled)] == [7, 5]


def test_dice_may_be_kept() -> None:
    table = lifted("elite")
    table.choose("keep")
    assert table.energy() == (5, 7, 2, 0)
    assert table.facts(DieRerolled) == []


def test_without_the_switch_nobody_throws_again() -> None:
    table = lifted("elite", {})
    assert isinstance(table.decision, Decision)
    assert not table.decision.id.startswith("lift")
    [rolled] = table.facts(EnergyRolled)
    assert sum(one.gained for one in rolled.shares) == sum(table.energy())
    assert {one.use for one in rolled.shares} < set(USES)
