"""The order of movement (MO) against an oracle, and what is told of it."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.engine.sequence import Roll
from app.games.war_in_space.events import OrderSet, TieRolled
from app.games.war_in_space.model import Ship
from app.games.war_in_space.order import reason
from tests.games.war_in_space.table import GAME, Table, card, ordered, setup

KINDS = ("corvette", "frigate", "cruiser", "battlecruiser", "dreadnought")
CREWS = ("green", "regular", "veteran", "elite")

ships = st.builds(
    lambda crew, speed, kind: {"crew": crew, "speed": speed, "kind": kind},
    st.sampled_from(CREWS[:3]),
    st.integers(1, 3),
    st.sampled_from(KINDS[:3]),
)


def fleet(a: Sequence[dict[str, Any]], b: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ships without power, so that nothing happens before Movement."""
    boxes = {"corvette": 2, "frigate": 3, "cruiser": 4}
    return [
        {**ship, "seat": seat, "marked": {"power": boxes[ship["kind"]]}}
        for seat, side in (("a", a), ("b", b))
        for ship in side
    ]


def key(ship: Ship) -> tuple[int, int, int]:
    return CREWS.index(ship.crew), ship.speed, -ship.kind.size


def lawful(order: Sequence[Ship], a: int, b: int) -> bool:
    """Whether an order keeps MO-1 to MO-4, looked at from the finished order: no place is computed here."""
    seats = [ship.seat for ship in order]
    first = seats[0]
    if a != b and first != ("a" if a > b else "b"):
        return False
    if a == b and key(order[0]) != min(map(key, order)):
        return False
    fewer = min(a, b)
    turns = [first if n % 2 == 0 else ("b" if first == "a" else "a") for n in range(2 * fewer)]
    if seats[: 2 * fewer] != turns:
        return False
    return all(
        [key(ship) for ship in order if ship.seat == seat]
        == sorted(key(ship) for ship in order if ship.seat == seat)
        for seat in "ab"
    )


@given(st.lists(ships, min_size=1, max_size=3), st.lists(ships, min_size=1, max_size=3), st.data())
def test_the_order_is_one_that_the_rules_allow(
    a: list[dict[str, Any]], b: list[dict[str, Any]], data: st.DataObject
) -> None:
    table = Table(setup(fleet(a, b)))
    rolls = 0
    while not table.facts(OrderSet):
        assert isinstance(table.step, Roll)
        assert table.step.id.startswith("tie:")
        table.roll((data.draw(st.integers(1, table.step.pool.sides)),))
        rolls += 1
    [made] = table.facts(OrderSet)
    order = [table.start.ships[place.ship] for place in made.places]
    assert lawful(order, len(a), len(b))
    # Whoever could have had the place by the same right was in the roll, and a roll had a reason.
    allowed = {
        tuple(ship.id for ship in other)
        for other in permutations(table.start.ships.values())
        if lawful(other, len(a), len(b))
    }
    assert (rolls > 0) == (len(allowed) > 1)
    for tie in table.facts(TieRolled):
        before = tuple(place.ship for place in made.places[: tie.place])
        could = {one[tie.place] for one in allowed if one[: tie.place] == before}
        assert set(tie.among) == could
        assert tie.ship == tie.among[tie.face - 1]


def test_every_place_has_its_reason() -> None:
    sides = (
        [{"crew": "green"}, {"crew": "regular"}, {"crew": "regular", "speed": 3}],
        [
            {"crew": "regular", "speed": 1},
            {"crew": "regular", "speed": 1, "kind": "frigate"},
        ],
    )
    full = [{"kind": "cruiser", "speed": 2, **ship} for ship in sides[0]]
    table = Table(setup(fleet(full, [{"kind": "cruiser", **ship} for ship in sides[1]])))
    [made] = table.facts(OrderSet)
    assert [(place.ship, reason(place)) for place in made.places] == [
        ("a1", "more ships, so its side begins; Green crew, least experienced"),
        ("b1", "Regular crew, same speed, largest: Size Class 3"),
        ("a2", "slowest Regular crew, speed 2"),
        ("b2", "the last of its side"),
        ("a3", "the last of its side"),
    ]


def test_one_roll_for_two_alike_and_its_reason() -> None:
    table = Table(setup(fleet([{"kind": "cruiser"}], [{"kind": "cruiser"}])), [(2,)])
    [tie] = table.facts(TieRolled)
    assert (tie.ship, tie.among) == ("b1", ("a1", "b1"))
    rolled = [one for one in table.happenings if one.dice is not None]
    assert [one.dice.pool.sides for one in rolled if one.dice] == [2]
    [made] = table.facts(OrderSet)
    assert reason(made.places[0]) == (
        "first of both sides; Regular crew, same speed and size, by die"
    )


def test_a_lost_engine_box_or_a_turn_does_not_change_the_order() -> None:
    ships = [{}, {"seat": "b", "speed": 1}]
    orders = {ship: (card("hearts"), (1, 1, 1)) for ship in ("a1", "b1")}
    table = ordered(ships, orders, {"weapons": "off"})
    order = table.state.order
    table.choose("ahead")
    table.choose("right-2", (1, 1))
    assert table.ship("a1").marked.engine == 1
    assert table.state.order == order


def test_nobody_is_put_in_order_for_a_single_spender() -> None:
    table = ordered(
        [{"speed": 3}, {"seat": "b", "speed": 3}],
        {"a1": (card("diamonds"), (6, 1, 1)), "b1": (card("hearts"), (8, 1, 1))},
        {"weapons": "off"},
    )
    assert table.state.spending is None
    assert table.decision.id == "spend:1:a1"


def test_the_queue_shows_who_is_through() -> None:
    table = ordered(
        [{"crew": "green"}, {"seat": "b"}],
        {"a1": (card("diamonds"), (6, 1, 1)), "b1": (card("diamonds"), (6, 1, 1))},
        {"weapons": "off"},
    )

    def shown() -> tuple[str, list[tuple[str, bool, bool]]]:
        queue = GAME.queue(table.state, frozenset())
        assert queue is not None
        return queue.title, [(place.unit, place.done, place.now) for place in queue.places]

    title = "Order of spending"
    assert shown() == (title, [("a1", False, True), ("b1", False, False)])
    table.choose({"speed": 2, "bonus": 0})
    assert shown() == (title, [("a1", True, False), ("b1", False, True)])
    table.choose({"speed": 2, "bonus": 0})
    assert shown() == ("Order of movement", [("a1", False, True), ("b1", False, False)])
    table.choose("ahead-all")
    assert shown() == ("Order of movement", [("a1", True, False), ("b1", False, True)])
