"""Overlays: exact, adding up to 1, and the same as the rules played out."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from app.engine.game import Overlay
from app.engine.hexes import Board, Hex, at, distance, parse_label
from app.games.war_in_space.aids import Flight, Policy, flight, side_to_try
from app.games.war_in_space.setup import ship_classes
from app.odds import exact
from tests.games.war_in_space.table import GAME, Table, card, moving, ordered, setup

AIDS = {aid.id: aid for aid in GAME.aids}
POLICIES: tuple[Policy, ...] = ("never", "left", "right", 0, 1, 2, 3, 4, 5)
HERE = parse_label("1511")


def draw(table: Table, aid: str, ship: str = "a1") -> Overlay:
    overlay = AIDS[aid].draw(table.state, ship, exact)
    assert overlay is not None
    return overlay


def brute_force(
    board: Board, die: int, speed: int, policy: Policy, start: Flight, *, once: bool
) -> Mapping[tuple[Hex, int, bool], Fraction]:
    """Every row of dice, each flown out by itself; dice that are not thrown come all ways."""
    ends: dict[tuple[Hex, int, bool], Fraction] = {}
    for dice in product(range(1, die + 1), repeat=start.left):
        place, facing, bonus, out = start.hex, start.facing, start.bonus, False
        for n, face in enumerate(dice):
            side = None if out or (n == 0 and start.tried) else side_to_try(policy, facing)
            if side is not None:
                facing = (facing + {"left": -1, "right": 1}[side] * (face + bonus > speed)) % 6
                bonus = 0 if once else bonus
            if not out:
                out = place.ahead(facing) not in board
                place = place if out else place.ahead(facing)
        key = (place, facing, out)
        ends[key] = ends.get(key, Fraction(0)) + Fraction(1, die**start.left)
    return ends


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("once", [True, False])
@pytest.mark.parametrize(("speed", "bonus"), [(1, 0), (2, 1), (4, 2), (4, 0)])
def test_heat_equals_brute_force(policy: Policy, once: bool, speed: int, bonus: int) -> None:
    for board, place in ((Board(40, 40), at(20, 20)), (Board(7, 7), at(3, 2))):
        for tried in (False, True):
            kind = ship_classes()["dreadnought"]
            start = Flight(place, 1, speed, bonus, tried)
            ends = exact(flight(board, kind, speed, policy, start, once=once))
            shown: dict[Any, Fraction] = {}
            for end, chance in ends.items():
                key = (end.hex, end.facing, end.out)
                shown[key] = shown.get(key, Fraction(0)) + chance
            assert shown == brute_force(board, 4, speed, policy, start, once=once)


@pytest.mark.parametrize("throws", list(product([(8,), (1,)], repeat=2)))
def test_a_move_ends_on_the_map_of_where_it_can(throws: Any) -> None:
    table = moving({"speed": 2})
    heat = {cell.hex for cell in draw(table, "heat-left-always").cells}
    reach = {cell.hex for cell in draw(table, "reach").cells}
    assert heat <= reach
    for throw in throws:
        table.choose("left", throw)
    assert table.ship().hex.label in heat


def test_reach_is_what_any_turns_lead_to() -> None:
    """With every turn possible each ring is all around; what no die can do is not on the map."""
    cells = {parse_label(cell.hex) for cell in draw(moving({"speed": 1}), "reach").cells}
    assert cells == {HERE.ahead(facing) for facing in range(6)}
    stiff = moving({"kind": "dreadnought", "speed": 4})
    assert [cell.hex for cell in draw(stiff, "reach").cells] == [HERE.ahead(0, 4).label]
    helpless = moving({"speed": 1, "marked": {"engine": 4}})
    cells = {parse_label(cell.hex) for cell in draw(helpless, "reach").cells}
    assert cells == {HERE.ahead(facing) for facing in (5, 0, 1)}


def test_a_bonus_that_counts_once_reaches_less_far() -> None:
    def ends(scope: str) -> set[str]:
        table = moving({"kind": "dreadnought", "speed": 4}, 1, {"bonus_scope": scope})
        return {cell.hex for cell in draw(table, "reach").cells}

    assert ends("attempt") < ends("turn")


@pytest.mark.parametrize(("aid", "aim"), [("hit-charge", 0), ("hit-aim", 2)])
def test_the_chance_to_hit_all_around(aid: str, aim: int) -> None:
    there = HERE.ahead(0, 4).label
    far = {"seat": "b", "hex": there, "facing": 3}
    orders = {s: (card(), (7, 1, 1)) for s in ("a1", "b1")}
    table = ordered([{}, far], orders)
    cells = {cell.hex: cell for cell in draw(table, aid).cells}
    for label, cell in cells.items():
        span = distance(HERE, parse_label(label))
        assert cell.shade == pytest.approx(min(10, 10 + aim - span) / 10)
        assert 1 <= span < 10 + aim
    odds = table.option({"target": "b1", "aim": aim}).odds
    assert odds is not None
    assert cells[there].shade == pytest.approx(float(exact(odds.chance)[True]))
    assert HERE.ahead(3).label not in cells
    assert HERE.ahead(2).label not in cells


def test_what_is_assumed_is_said() -> None:
    table = Table(setup([{}]))
    assert "not rolled for yet" in draw(table, "hit-aim").detail
    assert draw(table, "reach").detail == "Shown for speed 2 with turn bonus +0."
    dead = Table(setup([{"marked": {"weapon": 4}}]))
    assert "as if there were one" in draw(dead, "hit-charge").detail


def test_no_map_without_a_move_ahead_or_without_the_ship() -> None:
    still = Table(setup([{"speed": 0}]))
    for aid in ("reach", "heat-never"):
        assert AIDS[aid].draw(still.state, "a1", exact) is None
    gone = moving({"hex": "1501", "speed": 1})
    gone.choose("ahead")
    for aid in AIDS.values():
        assert aid.draw(gone.state, "a1", exact) is None
    peace = Table(setup([{}]), rulings={"weapons": "off"})
    assert AIDS["hit-aim"].draw(peace.state, "a1", exact) is None
