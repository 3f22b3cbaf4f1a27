"""Hexes: labels go there and back, distances are distances, and borders of sectors are shared."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.errors import Illegal
from app.engine.hexes import DIRECTIONS, Board, Hex, at, distance, parse_label, sectors

hexes = st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60))
facings = st.integers(0, 5)


def centre(place: Hex) -> tuple[float, float]:
    """Where the hex lies on paper, x to the east and y to the south, a hex being 1 high.

    By the column and row of its label alone: columns are sqrt(3)/2 apart, odd ones half a hex lower.
    """
    return place.column * math.sqrt(3) / 2, place.row + (0.5 if place.column % 2 else 0.0)


def test_labels_go_there_and_back() -> None:
    seen: set[Hex] = set()
    for column in range(1, 100):
        for row in range(1, 100):
            place = at(column, row)
            assert (place.column, place.row) == (column, row)
            assert place.label == f"{column:02}{row:02}"
            assert parse_label(place.label) == place
            seen.add(place)
    assert len(seen) == 99 * 99


def test_the_top_left_hex() -> None:
    assert parse_label("0101") == Hex(0, 0)


@pytest.mark.parametrize("label", ["", "712", "07123", "o712", "07 12", "-712", "0712\n", "٠٧١٢x"])
def test_what_is_no_label(label: str) -> None:
    with pytest.raises(Illegal, match="four digits"):
        parse_label(label)


def test_digits_of_other_scripts_are_no_label() -> None:
    """A label comes back as it was written, so there must be one way to write it."""
    with pytest.raises(Illegal):
        parse_label("٠٧١٢")


@pytest.mark.parametrize(
    ("facing", "label"),
    # Odd columns lie half a hex lower: from 0305 the north-east neighbour has the same row number.
    list(enumerate(["0304", "0405", "0406", "0306", "0206", "0205"])),
)
def test_neighbours_of_an_odd_column(facing: int, label: str) -> None:
    assert parse_label("0305").ahead(facing).label == label


@pytest.mark.parametrize(
    ("facing", "label"), list(enumerate(["0404", "0504", "0505", "0406", "0305", "0304"]))
)
def test_neighbours_of_an_even_column(facing: int, label: str) -> None:
    assert parse_label("0405").ahead(facing).label == label


@given(hexes)
def test_neighbours_are_one_hex_off_and_clockwise(place: Hex) -> None:
    x, y = centre(place)
    for facing in range(6):
        there = place.ahead(facing)
        assert distance(place, there) == 1
        dx, dy = centre(there)[0] - x, centre(there)[1] - y
        assert math.isclose(math.hypot(dx, dy), 1)
        # Clockwise from north, 60 degrees each.
        assert math.isclose(math.degrees(math.atan2(dx, -dy)) % 360, 60 * facing, abs_tol=1e-6)


@given(hexes, facings, st.integers(0, 30))
def test_straight_ahead(place: Hex, facing: int, far: int) -> None:
    there = place.ahead(facing, far)
    assert distance(place, there) == far
    assert there.ahead(facing + 3, far) == place
    assert place.ahead(facing + 6) == place.ahead(facing)


@given(hexes, hexes, hexes)
def test_a_distance_is_one(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a) >= 0
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert distance(a + c, b + c) == distance(a, b)
    assert (a + b) - b == a


def test_distance_is_how_many_steps_it_takes() -> None:
    """Walked out ring by ring from a hex in the middle."""
    start = at(20, 20)
    ring, known = {start}, {start: 0}
    for steps in range(1, 9):
        ring = {n for one in ring for f in range(6) if (n := one.ahead(f)) not in known}
        assert len(ring) == 6 * steps
        known |= dict.fromkeys(ring, steps)
    for place, steps in known.items():
        assert distance(start, place) == steps


@given(hexes)
def test_southing_is_where_it_lies_on_paper(place: Hex) -> None:
    assert place.southing == 2 * centre(place)[1]


def test_southing_steps() -> None:
    place = parse_label("0305")
    assert [place.ahead(f).southing - place.southing for f in range(6)] == [-2, -1, 1, 2, 1, -1]


@pytest.mark.parametrize(
    ("q", "r", "front"),
    [
        (0, -3, {0}),
        (1, -3, {0}),
        (1, -2, {0, 1}),  # 30 degrees off the nose: the border
        (2, -2, {1}),
        (0, 2, {3}),
        (0, 0, set()),
    ],
)
def test_sectors_of_a_plane_that_faces_north(q: int, r: int, front: set[int]) -> None:
    assert sectors(Hex(q, r), 0) == front


@pytest.mark.parametrize(
    ("q", "r", "rear"), [(0, 2, True), (1, 1, True), (-1, 2, True), (2, 0, False)]
)
def test_the_rear_of_a_plane_that_faces_north(q: int, r: int, rear: bool) -> None:
    assert (3 in sectors(Hex(q, r), 0)) is rear


@given(hexes, facings)
def test_sectors_are_angles(offset: Hex, facing: int) -> None:
    """By the arc tangent of where the hex lies, which knows nothing of axial coordinates."""
    (x, y), (x0, y0) = centre(offset), centre(Hex(0, 0))
    if offset == Hex(0, 0):
        assert sectors(offset, facing) == frozenset()
        return
    angle = math.degrees(math.atan2(x - x0, y0 - y)) - 60 * facing
    off = [abs((angle - 60 * sector + 180) % 360 - 180) for sector in range(6)]
    assert sectors(offset, facing) == {n for n, degrees in enumerate(off) if degrees < 30 + 1e-7}


@given(hexes, facings, facings)
def test_turning_both_changes_nothing(offset: Hex, facing: int, turn: int) -> None:
    a, b = sectors(offset, facing), sectors(offset, facing + turn)
    assert {(sector - turn) % 6 for sector in a} == b


def test_sectors_cover_the_ring_evenly() -> None:
    """Twelve hexes around at range 2: one in the middle of each sector, one on each border."""
    ring = [
        Hex(q, r) for q in range(-2, 3) for r in range(-2, 3) if distance(Hex(q, r), Hex(0, 0)) == 2
    ]
    assert len(ring) == 12
    assert sorted(len(sectors(one, 0)) for one in ring) == [1] * 6 + [2] * 6
    assert len(set(DIRECTIONS)) == 6


def test_the_board_ends_at_its_edges() -> None:
    board = Board(9, 7)
    inside = [(c, r) for c in range(-1, 12) for r in range(-1, 10) if at(c, r) in board]
    assert inside == [(c, r) for c in range(1, 10) for r in range(1, 8)]
