"""Heat maps and arcs: exact, adding up to 1, and the same as the rules played out."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from app.engine.chance import percent
from app.engine.game import Overlay
from app.engine.hexes import COMPASS, Board, Hex, at
from app.games.osaaf.view import Flight, Policy, flight, side_to_try
from app.odds import exact
from tests.games.osaaf.table import GAME, Table, flying, plan, setup

AIDS = {aid.id: aid for aid in GAME.aids}
BIG = Board(40, 40)
POLICIES: tuple[Policy, ...] = ("never", "left", "right", 0, 1, 2, 3, 4, 5)


def draw(table: Table, aid: str, jet: str = "a") -> Overlay:
    overlay = AIDS[aid].draw(table.state, jet, exact)
    assert overlay is not None
    return overlay


def brute_force(
    board: Board, keep: int, bonus: int, speed: int, policy: Policy, start: Flight
) -> Mapping[tuple[Hex, int, bool], Fraction]:
    """Every row of throws, each flown out by itself."""
    throws = list(product(range(1, 7), repeat=3))
    beats = Fraction(sum(sorted(t)[keep] + bonus > speed for t in throws), len(throws))
    ends: dict[tuple[Hex, int, bool], Fraction] = {}
    for luck in product((True, False), repeat=start.left):
        place, facing, chance, out = start.hex, start.facing, Fraction(1), False
        for n, lucky in enumerate(luck):
            side = None if out or (n == 0 and start.tried) else side_to_try(policy, facing)
            if side is None:
                chance *= Fraction(1, 2)  # this luck was not asked for, and comes both ways
            else:
                chance *= beats if lucky else 1 - beats
                facing = (facing + {"left": -1, "right": 1}[side] * lucky) % 6
            if not out:
                out = place.ahead(facing) not in board
                place = place if out else place.ahead(facing)
        key = (place, facing, out)
        ends[key] = ends.get(key, Fraction(0)) + chance
    return {key: chance for key, chance in ends.items() if chance}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("speed", "bonus"), [(1, 0), (2, 0), (4, 1), (5, 3), (6, 0)])
def test_heat_equals_brute_force(policy: Policy, speed: int, bonus: int) -> None:
    for board, place in ((BIG, at(20, 20)), (Board(7, 7), at(3, 2))):
        for card, keep in (("low", 0), ("medium", 1), ("high", 2)):
            for tried in (False, True):
                start = Flight(place, 1, speed, tried)
                chain = flight(board, card, bonus, speed, policy, start)  # pyright: ignore[reportArgumentType]
                ends = exact(chain)
                assert sum(ends.values()) == 1
                shown = {(end.hex, end.facing, end.out): p for end, p in ends.items()}
                assert shown == brute_force(board, keep, bonus, speed, policy, start)


@pytest.mark.parametrize("throws", list(product([(6, 6, 6), (1, 1, 1)], repeat=2)))
def test_heat_ends_where_the_engine_ends(throws: Any) -> None:
    table = flying(2)
    cells = {cell.hex for cell in draw(table, "heat-left-always").cells}
    table.choose("left-all", *throws)
    assert table.jet().hex.label in cells
    assert len(cells) == 4


def test_heat_names_chances_and_facings() -> None:
    overlay = draw(flying(3), "heat-right-always")
    assert sum(cell.shade for cell in overlay.cells) == pytest.approx(1)
    straight = next(cell for cell in overlay.cells if cell.hex == "1007")
    assert straight.label == "12 %"
    assert straight.detail == "facing N 12 %"
    assert overlay.detail == ""


def test_heat_of_a_jet_whose_energy_is_open_says_so() -> None:
    overlay = draw(Table(setup([{"speed": 3}])), "heat-never")
    assert [cell.hex for cell in overlay.cells] == ["1007"]
    assert overlay.detail == "Speed is not settled yet: shown for Speed 3 with no hard turn."


def test_heat_follows_energy_management() -> None:
    """After the roll and drag the Speed is no longer the one of last turn, and hard turns are known."""
    table = Table(setup([{"speed": 3, "altitude": 5, "card": {"energy_factor": 5}}]), [(1,)])
    table.choose(plan(2), (1, 1, 1))
    overlay = draw(table, "heat-never")
    assert overlay.detail == "Speed is not settled yet: shown for Speed 2 with hard turn ×2."
    assert [cell.hex for cell in overlay.cells] == ["1008"]
    table.choose(-2)
    assert [cell.hex for cell in draw(table, "heat-never").cells] == ["1005"]


def test_heat_tells_of_the_edge() -> None:
    overlay = draw(Table(setup([{"speed": 3, "hex": "1002"}])), "heat-never")
    assert overlay.cells == ()
    assert overlay.detail.endswith("Leaves the board: 100 %.")


def test_heat_in_the_middle_of_a_move_counts_what_is_left() -> None:
    table = flying(3)
    table.choose("ahead")
    cells = draw(table, "heat-never").cells
    assert [cell.hex for cell in cells] == ["1007"]
    table.choose("left")  # and the roll waits
    assert {cell.hex for cell in draw(table, "heat-until-n").cells} == {"1007"}


@pytest.mark.parametrize("aid", [aid for aid in AIDS if aid != "arcs"])
def test_no_heat_without_a_move_ahead(aid: str) -> None:
    stalled = Table(setup([{"speed": 0}]))
    assert AIDS[aid].draw(stalled.state, "a", exact) is None
    moved = Table(setup([{}, {"altitude": 6}]), rulings={"initiative": "off"})
    for _ in range(2):
        moved.choose(plan(3), (1, 1))
        moved.choose(0)
    moved.choose("ahead-all")
    assert AIDS[aid].draw(moved.state, "a", exact) is None
    assert AIDS[aid].draw(moved.state, "b", exact) is not None


@pytest.mark.parametrize(
    ("facing", "until", "side"),
    [
        (0, 0, None),
        (0, 1, "right"),
        (0, 3, "right"),
        (0, 4, "left"),
        (5, 1, "right"),
        (1, 5, "left"),
    ],
)
def test_the_shorter_way(facing: int, until: int, side: str | None) -> None:
    assert side_to_try(until, facing) == side


def test_one_heat_map_for_each_policy() -> None:
    until = [f"heat-until-{point.lower()}" for point in COMPASS]
    assert list(AIDS) == ["arcs", "heat-never", "heat-left-always", "heat-right-always", *until]


def test_arcs() -> None:
    cells = {cell.hex: cell.detail for cell in draw(Table(setup([{}])), "arcs").cells}
    here = at(10, 10)
    front = [Hex(0, -3), Hex(1, -3), Hex(1, -2)]  # the last one lies on the border
    rear = [Hex(0, 2), Hex(1, 1)]
    assert [cells[(here + one).label] for one in front + rear] == ["front"] * 3 + ["rear"] * 2
    assert (here + Hex(2, -2)).label not in cells
    assert (here + Hex(2, 0)).label not in cells
    assert (here + Hex(0, -7)).label not in cells
    assert here.label not in cells


def test_arcs_of_a_jet_that_is_not_there() -> None:
    table = Table(setup([{}]))
    gone = msgspec.structs.replace(table.jet(), status="away")
    state = msgspec.structs.replace(table.state, jets={"a": gone})
    assert AIDS["arcs"].draw(state, "a", exact) is None


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(1), "100 %"),
        (Fraction(999, 1000), ">99 %"),
        (Fraction(1, 1000), "<1 %"),
        (Fraction(1, 3), "33 %"),
    ],
)
def test_percent(chance: Fraction, text: str) -> None:
    assert percent(chance) == text
