"""Places, ranges and arcs against the vectors of section 5 (GV), a float oracle and properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.errors import Illegal
from app.engine.hexes import Board
from app.games.gunslingers import geometry as g
from app.games.gunslingers.geometry import Pos, parse

N, NNE, ENE, E, ESE, SSE, S, SSW, WSW, W, WNW, NNW = range(12)

places = st.builds(Pos, st.integers(2, 80), st.integers(-20, 60))
facings = st.integers(0, 11)
sides = st.sampled_from(["L", "R"])


def labels(*positions):
    return [pos.label for pos in positions]


def flight(start, facing, count):
    pos = parse(start)
    for _ in range(count):
        pos = g.ahead(pos, facing)
        yield pos.label


@pytest.mark.parametrize(
    ("label", "pos"),
    [
        ("0101", (2, 2)),
        ("1115", (22, 20)),
        ("1215", (24, 18)),
        ("2010", (40, 0)),
        ("1115/1215", (23, 19)),
    ],
)
def test_gv_1_labels(label, pos):
    assert parse(label) == Pos(*pos)
    assert Pos(*pos).label == label


def test_gv_2_to_4_neighbours():
    def around(label, facings):
        return labels(*(g.ahead(parse(label), facing) for facing in facings))

    even, odd = range(0, 12, 2), range(1, 12, 2)
    assert around("1115", even) == ["1114", "1215", "1216", "1116", "1016", "1015"]
    assert around("1214", even) == ["1213", "1313", "1314", "1215", "1114", "1113"]
    assert around("1115", odd) == [
        "1114/1215",
        "1215/1216",
        "1116/1216",
        "1016/1116",
        "1015/1016",
        "1015/1114",
    ]


def test_gv_5_and_6_flying_along_hexsides():
    assert list(flight("1115", E, 4)) == ["1215/1216", "1315", "1415/1416", "1515"]
    assert list(flight("1115", NNE, 4)) == ["1114/1215", "1214", "1213/1313", "1312"]


def test_gv_7_legal_facings():
    assert g.legal_facings(parse("1215/1216")) == {E, W}
    assert g.legal_facings(parse("1114/1215")) == {NNE, SSW}
    assert g.legal_facings(parse("1115/1215")) == {SSE, NNW}
    assert g.legal_facings(parse("1115")) == set(range(12))


def test_gv_8_turning_on_a_hexside():
    side = parse("1215/1216")
    assert g.turned(side, E, "R") == (parse("1216"), ESE)
    assert g.turned(side, E, "L") == (parse("1215"), ENE)


def test_gv_9_and_10_slides():
    assert labels(*(g.slid(parse("1115"), N, side) for side in ("R", "L"))) == ["1215", "1015"]
    assert g.slid(parse("1115"), E, "R").label == "1216"
    assert g.slid(parse("1215/1216"), E, "R").label == "1315/1316"


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("1010", "1410", 4),
        ("0505", "2020", 22),
        ("1010", "1418", 10),
        ("1115", "1115/1215", 0),
        ("1115", "1114/1215", 1),
        ("2015", "2114/2115", 1),
    ],
)
def test_gv_11_and_12_horizontal_range(a, b, hexes):
    assert g.horizontal(parse(a), parse(b)) == hexes


def test_gv_13_and_14_slant_and_sighting_range():
    assert g.slant(parse("1115"), 10, parse("2015"), 27) == 17
    assert g.sighting_range(parse("1010"), 10, parse("1410"), 15) == 5
    assert g.sighting_range(parse("1010"), 20, parse("1418"), 6) == 17


def arc(facing, other, *, sensor=False, about="2015"):
    return g.angle_off(parse(about), facing, parse(other), sensor=sensor)


def test_gv_15_and_17_arcs():
    about = parse("2015")
    assert g.on_nose_line(about, N, parse("2010"))
    assert arc(N, "2010") == 180
    assert [arc(N, other) for other in ("2510", "2515", "2520")] == [150, 90, 60]
    assert g.on_tail_line(about, N, parse("2020"))
    assert arc(N, "2020") == 30
    assert g.on_nose_line(about, E, parse("2415"))
    assert arc(E, "2515") == 180
    assert not g.on_nose_line(about, E, parse("2515"))
    assert not g.on_tail_line(about, N, parse("2010"))


def test_gv_16_borders_belong_to_the_nose_for_sensors_and_to_the_tail_for_positions():
    about, sixty, thirty = parse("2015"), parse("2512"), parse("2310")
    assert g.on_border(about, N, sixty)
    assert g.on_border(about, N, thirty)
    assert g.in_forward(about, N, sixty, 150, sensor=True)
    assert g.in_forward(about, N, thirty, 180, sensor=True)
    assert arc(N, "2512") == 120
    assert arc(N, "2310") == 150


def test_gv_18_a_border_astern():
    assert arc(W, "2413") == 30
    assert not g.in_forward(parse("2015"), W, parse("2413"), 150, sensor=False)


@pytest.mark.parametrize(
    ("rule", "facing", "level", "other", "other_level", "advantage"),
    [
        ("GV-19", N, 15, "2006", 15, True),
        ("GV-19", N, 15, "2005", 15, False),
        ("GV-20", N, 15, "2010", 21, True),
        ("GV-20", N, 15, "2010", 22, False),
        ("GV-20", N, 15, "2010", 6, True),
        ("GV-20", N, 15, "2010", 5, False),
        ("GV-21", N, 15, "2412", 15, True),
        ("GV-21", N, 15, "2413", 15, False),
        ("GV-21", N, 15, "2414", 15, False),
        ("GV-22", N, 15, "2015", 14, False),
        ("GV-23", E, 15, "2413", 12, True),
    ],
)
def test_gv_19_to_23_places_of_the_advantage_test(
    rule, facing, level, other, other_level, advantage
):
    about, place = parse("2015"), parse(other)
    nine_six_nine = (
        g.in_forward(about, facing, place, 150, sensor=False)
        and g.horizontal(about, place) <= 9
        and -9 <= other_level - level <= 6
    )
    assert nine_six_nine is advantage, rule


def gun_field(facing, wanted):
    about = parse("2015")
    return {
        Pos(about.q + q, about.r + r).label
        for q in range(-8, 9)
        for r in range(-8, 9)
        if g.gun_range(about, facing, 10, Pos(about.q + q, about.r + r), 10) == wanted
    }


def test_gv_24_and_25_gun_field():
    assert gun_field(N, 0) == {"2015"}
    assert gun_field(N, 1) == {"2014/2015", "2014", "1913/2014", "2014/2113"}
    assert gun_field(N, 2) == {"2013/2014", "2013", "1913/2013", "2013/2113"}
    assert gun_field(E, 1) == {"2114/2115", "2114/2215", "2115/2215"}
    assert gun_field(E, 2) == {"2215", "2214/2215", "2215/2216", "2215/2314", "2215/2315"}


def test_gv_26_total_gun_range():
    about = parse("2015")
    assert g.gun_range(about, N, 12, parse("2014"), 14) == 2
    assert g.gun_range(about, N, 12, parse("2013"), 14) is None


def test_gv_27_plotted_box():
    box = parse("2012")
    inside = ("2012", "2011", "2112", "2111", "2011/2012", "2010/2011")
    assert all(g.horizontal(box, parse(label)) <= 1 for label in inside)
    assert all(g.horizontal(box, parse(label)) > 1 for label in ("2010", "2110"))


def test_gv_28_jammer_arcs():
    jammer = parse("2010")

    def covered(other, *arcs):
        return any(g.in_coverage(jammer, N, parse(other), arc, sensor=True) for arc in arcs)

    assert covered("2005", "180+", "30-")
    assert not covered("1605", "180+", "30-")
    assert not covered("2610", "180+", "30-")
    assert covered("1605", "150+", "60-")
    assert covered("2408", "150+", "60-")


def test_what_a_card_calls_an_arc():
    about, ahead, astern = parse("2015"), parse("2010"), parse("2020")
    assert g.in_coverage(about, N, astern, "30- L", sensor=False, level=10, other_level=9)
    assert not g.in_coverage(about, N, astern, "30- L", sensor=False, level=10, other_level=10)
    assert g.in_coverage(about, N, ahead, "limited", sensor=True)
    assert not g.in_coverage(about, N, ahead, "", sensor=True)
    for nonsense in ("30", "30- M"):
        with pytest.raises(ValueError, match="not an arc"):
            g.in_coverage(about, N, astern, nonsense, sensor=True)


@pytest.mark.parametrize("label", ["", "115", "11151215", "1115/1315", "1115/1115", "1115/"])
def test_what_is_no_place(label):
    with pytest.raises(Illegal):
        parse(label)


def test_same_place():
    pos = parse("1010")
    assert [g.same_place_angle(N, other) for other in (N, NNE, SSW, S, WNW)] == [
        0,
        30,
        150,
        180,
        60,
    ]
    with pytest.raises(ValueError, match="about itself"):
        g.angle_off(pos, N, pos, sensor=False)
    assert g.in_forward(pos, N, pos, 180, sensor=True)
    assert not g.in_forward(pos, N, pos, 30, sensor=False)
    assert not g.in_rear(pos, N, pos, 180)


def test_faster_forward_moves_the_faster_off_the_border():
    about, other = parse("2015"), parse("2512")
    assert g.faster_forward(about, N, 6.0, other, N, 5.0) == (parse("2014"), other)
    assert g.faster_forward(about, N, 5.0, other, N, 6.0) == (about, parse("2511"))
    assert g.faster_forward(about, N, 5.0, other, N, 5.0) == (about, other)
    off = parse("2510")
    assert g.faster_forward(about, N, 6.0, off, N, 5.0) == (about, off)


def test_sun_clutter_needs_bearing_and_height():
    unit, target = parse("2015"), parse("2011")
    assert g.in_sun_clutter(unit, 5, target, 9, N, 1.0)
    assert not g.in_sun_clutter(unit, 5, target, 8, N, 1.0)
    assert not g.in_sun_clutter(unit, 5, target, 9, ENE, 1.0)
    assert g.in_sun_clutter(unit, 5, parse("2310"), 20, N, 1.0)


def test_a_hexside_is_on_the_map_with_one_of_its_hexes():
    board = Board(40, 30)
    assert g.on_board(board, parse("0101"))
    assert g.on_board(board, parse("0001/0101"))
    assert not g.on_board(board, parse("0001"))
    assert not g.on_board(board, parse("4131"))


@given(places)
def test_a_label_names_one_place(pos):
    assert parse(pos.label) == pos


@given(st.builds(Pos, st.integers(-60, 2), st.integers(-60, 60)))
def test_a_label_names_a_place_off_the_map_too(pos):
    assert parse(pos.label) == pos


@given(places, facings)
def test_flying_and_turning_keep_a_facing_that_the_place_allows(pos, facing):
    if facing not in g.legal_facings(pos):
        return
    assert facing in g.legal_facings(g.ahead(pos, facing))
    for side in ("L", "R"):
        turned, new = g.turned(pos, facing, side)
        assert new in g.legal_facings(turned)
        assert facing in g.legal_facings(g.slid(pos, facing, side))


@given(places.filter(lambda pos: pos.centre), facings)
def test_left_then_right_on_a_centre_is_no_change(pos, facing):
    assert g.turned(*g.turned(pos, facing, "L"), "R") == (pos, facing)


@given(places, facings, facings)
def test_ranges_and_lines_are_symmetric(a, facing, other_facing):
    b = g.ahead(g.ahead(a, facing), other_facing)
    assert g.horizontal(a, b) == g.horizontal(b, a)
    assert g.slant(a, 3, b, 10) == g.slant(b, 10, a, 3)
    assert g.on_nose_line(a, facing, b) == g.on_tail_line(a, (facing + 6) % 12, b)


def xy(pos):
    return math.sqrt(3) / 4 * pos.q, pos.r / 2 + pos.q / 4


def oracle(about, facing, other):
    """Relative bearing in degrees, forward and lateral distance in pitches, by floats (GS-G-12)."""
    x, y = (there - here for here, there in zip(xy(about), xy(other), strict=True))
    beta = (math.degrees(math.atan2(x, -y)) - 30 * facing + 180) % 360 - 180
    length = math.hypot(x, y)
    return beta, length * math.cos(math.radians(beta)), length * math.sin(math.radians(beta))


def near(value, *borders):
    return any(abs(value - border) < 1e-6 for border in borders)


@given(places, places, facings)
def test_arcs_agree_with_floats(about, other, facing):
    if about == other:
        return
    beta, forward, aside = oracle(about, facing, other)
    off = abs(beta)
    border = next((at for at in (30, 60, 90, 120, 150) if near(off, at)), None)
    assert g.on_border(about, facing, other) == (border is not None)
    if border is None:
        expected = 180 - 30 * int(off // 30) if off < 179.999 else 30
        assert g.angle_off(about, facing, other, sensor=True) == expected
        assert g.angle_off(about, facing, other, sensor=False) == expected
    else:
        assert g.angle_off(about, facing, other, sensor=True) == 210 - border
        assert g.angle_off(about, facing, other, sensor=False) == 180 - border
    if not near(forward, 1.08, 4.4, 8.8, 1.4, 2.2) and not near(abs(aside), 0, 0.6, 1.1, 1.6, 0.5):
        width = 0.6 if forward <= 4.4 else 1.1 if forward <= 8.8 else 1.6
        in_beam = off < 30.000001 and forward > 1.08 and abs(aside) <= width
        assert g.limited(about, facing, other) == in_beam
    bearing = (beta + 30 * facing) % 360
    assert g.heading(about, other) == round(bearing / 30) % 12


@given(facings, st.integers(-8, 8), st.integers(-8, 8))
def test_the_gun_field_agrees_with_floats(facing, q, r):
    about = Pos(40, 10)
    other = Pos(about.q + q, about.r + r)
    if about == other:
        return
    beta, forward, aside = oracle(about, facing, other)
    in_field = abs(beta) < 29.999999 and 0 < forward <= 2.2 and abs(aside) <= 0.500001
    expected = (1 if forward < 1.4 else 2) if in_field else None
    assert g.gun_range(about, facing, 10, other, 11) == expected
