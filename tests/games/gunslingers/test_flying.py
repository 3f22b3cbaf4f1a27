"""Moves token by token, and their energy: the vectors of section 7.4, the tables of section 6, and properties."""

import random
from fractions import Fraction
from math import floor
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import convert
from msgspec.structs import replace

from app.engine.errors import Illegal
from app.engine.game import Told
from app.engine.log import Event
from app.engine.secret import redact
from app.engine.sequence import Draft
from app.games.gunslingers import fog
from app.games.gunslingers.flight import energy, flying, move_facts, notation, starts
from app.games.gunslingers.flight.cards import at_config, band, limits, min_speed, printed_cards
from app.games.gunslingers.flight.flight_types import Shape, Start, flown_in, shape, third
from app.games.gunslingers.flight.move_tell import tell
from app.games.gunslingers.flight.tokens import line, read_line, read_token
from app.games.gunslingers.flight.turning import EXTRA_SPEED, requirement
from app.games.gunslingers.geometry import COMPASS, legal_facings
from app.games.gunslingers.model import (
    RATES,
    Activation,
    Band,
    Rate,
    Settings,
    State,
    TurnCarry,
    with_own,
)
from tests.games.gunslingers.table import craft, position

FULL = {"AB": "ap_ab", "M": "ap_m"}

T = TypeVar("T")


def sure(value: T | None) -> T:
    """A value that must be there."""
    assert value is not None
    return value


def under_way(one, kind="LVL", power="M", *, rulings=None, enemies=(), **chosen):
    """A position in which aircraft "a" has chosen how it flies. AP are all that its power gives."""
    state = position(one, *enemies, rulings=rulings)
    aircraft = state.aircraft["a"]
    card = state.card(aircraft)
    ap = getattr(card, FULL[power]) if power in FULL else 0
    how = {"flight_type": kind, "power": power, "ap": ap, **chosen}
    return chosen_in(state, convert(how, Settings))


def chosen_in(state, how):
    state = replace(state, activation=Activation(aircraft="a"))
    return folded(state, starts.chosen(state, state.aircraft["a"], how))


def folded(state: State, event: Event) -> State:
    return sure(move_facts.evolve(state, event))


def fly(state: State, token: str) -> State:
    return folded(state, flying.flew(state, state.aircraft["a"], sure(state.activation), token))


def settle(state: State) -> move_facts.EnergySettled:
    return energy.settle(state, state.aircraft["a"], sure(state.activation))


def draft(state: State, text: str) -> Draft:
    return notation.draft(state, state.aircraft["a"], sure(state.activation), text)


def flown(state, text):
    """The position after a line, which must be legal."""
    read = draft(state, text)
    assert read.fault is None, read.fault
    for token in read.text.split(","):
        state = fly(state, token)
    return state


def settled(state: State, text: str) -> tuple[move_facts.Account, State]:
    """What the account of a whole move comes to, and the position after it."""
    state = flown(state, text)
    event = settle(state)
    return sure(event.account.value), folded(state, event)


def path(state, text):
    return list(draft(state, text).path)[1:]


def where(state):
    one = state.aircraft["a"]
    return one.pos.label, COMPASS[one.facing], one.altitude


def refused(state, text):
    """The rule that refuses a line, with the text that is legal before it."""
    return sure(draft(state, text).fault).cite


def offered(state, text):
    """What may follow: the last token of each, and why not."""
    return {option.value.rsplit(",", 1)[-1]: option.blocked for option in draft(state, text).next}


def f4e(**changes):
    return craft(card="f-4e", place="1015", **changes)


def mig21(**changes):
    return craft(card="mig-21mf", place="1015", **changes)


def mig17(**changes):
    return craft(card="mig-17f", place="1015", **changes)


N, NNE, ENE, E, ESE = range(5)


# Vectors.


def test_tv_49_a_hard_turn_that_is_carried():
    state = under_way(f4e(facing=E, altitude=18, speed=5.5), power="AB")
    text = "HTR/H,H/R,H,H/R,H"
    assert path(state, text) == ["1114/1115", "1215", "1315", "1416", "1417/1516"]
    account, after = settled(state, text)
    assert where(after) == ("1417/1516", "SSE", 18)
    assert account.dp == 3.0
    assert (account.net, account.next_speed, account.ap_carry) == (0.5, 5.5, 0.5)
    assert account.fp_carry == 0.5
    assert account.turn_carry == TurnCarry("HT", "R", 1)
    stopped, _ = settled(state, text + ",-")
    assert stopped.turn_carry is None


def test_tv_50_a_break_turn():
    state = under_way(f4e(facing=N, altitude=12, speed=5.0))
    text = "BTL/H/L,H/L,H/L,H/L,H"
    assert path(state, text) == ["1014", "0913", "0813", "0713", "0614"]
    account, after = settled(state, text)
    assert where(after) == ("0614", "WSW", 12)
    assert account.dp == 6.5
    assert (account.net, account.next_speed, account.ap_carry) == (-5.0, 4.0, -1.0)


def test_tv_51_sixty_degrees_at_once():
    state = under_way(f4e(facing=N, altitude=12, speed=3.0))
    text = "HTR/H/RR,H,H"
    assert path(state, text) == ["1014", "1113", "1213"]
    account, after = settled(state, text)
    assert where(after) == ("1213", "ENE", 12)
    assert account.dp == 3.0


def test_tv_52_a_fighter_that_turns_well():
    state = under_way(mig17(facing=N, altitude=10, speed=5.0), power="AB")
    text = "HTR/H/R,H/R,H,H,H"
    assert path(state, text) == ["1014", "1113", "1213", "1312", "1412"]
    account, after = settled(state, text)
    assert where(after) == ("1412", "ENE", 10)
    assert account.dp == 2.0
    assert account.net == 0.5


def test_tv_53_a_zoom_climb():
    state = under_way(f4e(facing=ENE, altitude=18, speed=6.0), "ZC", "AB")
    account, after = settled(state, "H,C2,C2,H,C1,H")
    assert where(after) == ("1313", "ENE", 23)
    assert account.dp == 5.0
    assert (account.net, account.next_speed, account.ap_carry) == (-1.5, 6.0, -1.5)
    assert after.aircraft["a"].o.climb_turns == 1


def test_tv_54_and_55_a_steep_dive_and_another():
    state = under_way(mig21(facing=ENE, altitude=18, speed=6.0), "SD")
    account, after = settled(state, "H,D2,D2,H,D2,H")
    assert where(after)[2] == 12
    assert (account.net, account.next_speed, account.ap_carry) == (4.5, 7.0, 0.5)
    again = mig21(facing=ENE, altitude=12, speed=7.0, flight_type="SD", ap_carry=0.5, dive_turns=1)
    account, _ = settled(under_way(again, "SD"), "H,D2,D2,H,D2,H,H")
    assert (account.net, account.next_speed, account.ap_carry) == (8.0, 9.0, 0.0)


def test_tv_56_the_first_vertical_dive():
    one = mig21(facing=ESE, altitude=20, speed=6.0, flight_type="SD")
    state = under_way(one, "VD", "N")
    account, after = settled(state, "H,H,D3,D3,D3,D3")
    assert where(after) == ("1216", "ESE", 8)
    assert account.net == 11.0
    assert (account.next_speed, account.ap_carry) == (8.5, 1.0)
    assert refused(state, "H,H,H") == "GS-F-4"
    assert refused(state, "D3,D3,D3,D3,D3") == "GS-F-4"


def test_tv_57_the_first_flight_point_after_level_flight_is_horizontal():
    state = under_way(f4e(), "SD")
    assert sure(draft(state, "D2").fault).cite == "GS-F-4"
    assert draft(state, "D2").text == ""
    assert draft(state, "H,D2").fault is None


@pytest.mark.parametrize(
    ("rule", "facing", "places"),
    [
        ("TV-58", N, ["1014", "1013", "1112", "1111", "1110"]),
        ("TV-59", E, ["1114/1115", "1215", "1315", "1415/1416", "1515"]),
    ],
)
def test_tv_58_and_59_slides(rule, facing, places):
    state = under_way(f4e(facing=facing, speed=5.0))
    assert path(state, "H,H,SLR,H,H") == places, rule
    assert flown(state, "H,H,SLR,H,H").aircraft["a"].facing == facing


@pytest.mark.parametrize(("speed", "carry", "points", "left"), [(6.5, 0.5, 7, 0), (5.5, 0, 5, 0.5)])
def test_tv_60_flight_points(speed, carry, points, left):
    state = under_way(f4e(speed=speed, fp_carry=carry))
    assert sure(state.aircraft["a"].o.move).fps == points
    account, _ = settled(state, f"{points}H")
    assert account.fp_carry == left


def test_gs_f_1_by_ruling_no_half_flight_point_is_kept():
    account, _ = settled(under_way(f4e(speed=5.5), rulings={"half_fp": "off"}), "5H")
    assert account.fp_carry == 0


def test_tv_61_fading_back_to_level_speed():
    one = mig17(altitude=5, speed=7.0, flight_type="SD", ap_carry=-1.5)
    account, _ = settled(under_way(one), "7H")
    assert account.net == 0
    assert account.next_speed == 6.5


def test_tv_62_least_speeds_of_rates():
    state = under_way(f4e(altitude=20, speed=3.0))
    assert refused(state, "HTR/H") == "GS-F-11"
    assert draft(state, "TTR/H").fault is None


# Tables of section 6.


def test_types_of_flight_within_a_sentence():
    assert [flown_in(kind) for kind in ("LVL", "SD", "UD", "ST")] == [
        "level flight",
        "a steep dive",
        "an unloaded dive",
        "stalled flight",
    ]


def test_gs_f_2_thirds():
    assert [third(n) for n in range(1, 13)] == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]


TURN_TABLE: dict[Rate, str] = {
    "EZ": "60 1 2 3 4 6 8 10 12 17",
    "TT": "60 1 1 2 3 3 4 6 7 10",
    "HT": "60 60 1 1 2 2 3 4 5 6",
    "BT": "60 60 1 1 1 2 2 3 3 5",
    "ET": "60 60 60 1 1 1 2 2 3 4",
}


def test_gs_f_10_turn_table():
    for rate, row in TURN_TABLE.items():
        for speed, entry in zip((2, 3, 4, 5, 6, 7, 8, 9, 10, 12), row.split(), strict=True):
            expected = (1, 2) if entry == "60" else (int(entry), 1)
            assert requirement(rate, speed, "LO", 1.0) == expected, (rate, speed)
            assert requirement(rate, speed, "ML", 1.0) == expected, (rate, speed)


K: dict[Rate, str] = {"EZ": "0.120", "TT": "0.070", "HT": "0.045", "BT": "0.034", "ET": "0.025"}
B: dict[Band, str] = {
    "LO": "1",
    "ML": "1",
    "MH": "1.2",
    "HI": "1.5",
    "VH": "2",
    "EH": "3",
    "UH": "3",
}


def test_gs_f_10_is_the_formula_in_exact_fractions():
    for rate, k in K.items():
        for name, b in B.items():
            for factor in ("0.8", "0.95", "1", "1.2"):
                for halves in range(1, 31):
                    exact = Fraction(k) * Fraction(halves, 2) ** 2 * Fraction(b) * Fraction(factor)
                    expected = (
                        (1, 2) if exact < Fraction(1, 2) else (floor(exact + Fraction(1, 2)), 1)
                    )
                    got = requirement(rate, halves / 2, name, float(factor))
                    assert got == expected, (rate, name, factor, halves)


def test_altitude_bands():
    borders = (0, 7, 8, 16, 17, 25, 26, 35, 36, 45, 46, 60, 61, 99)
    names = ("LO", "LO", "ML", "ML", "MH", "MH", "HI", "HI", "VH", "VH", "EH", "EH", "UH", "UH")
    assert tuple(band(level) for level in borders) == names


def test_cards_of_6_8():
    cards = printed_cards()
    assert set(cards) == {"f-4e", "mig-21mf", "mig-17f", "f-105d", "f-8e", "eb-66c"}
    phantom, fresco, jammer = cards["f-4e"], cards["mig-17f"], cards["eb-66c"]
    assert [limits(phantom, name).min for name in ("LO", "ML", "MH", "HI", "VH")] == [
        2.0,
        2.0,
        2.5,
        3.0,
        3.5,
    ]
    assert [limits(phantom, name).max for name in ("LO", "ML", "MH", "HI", "VH")] == [
        8.5,
        9.0,
        10.5,
        12.5,
        13.5,
    ]
    assert limits(phantom, "EH") == limits(phantom, "VH")
    assert fresco.properties == ("low-roll-rate", "low-bleed")
    assert dict(fresco.drag) == {"TT": 1.0, "HT": 1.5, "BT": 2.5, "ET": 4.0}
    assert jammer.ap_ab is None
    assert "BT" not in jammer.drag
    assert not jammer.roll_dp


def test_a_load_changes_a_card():
    clean = printed_cards()["f-4e"]
    half, dirty = at_config(clean, "half"), at_config(clean, "DT")
    assert at_config(clean, "CL") is clean
    assert (half.ap_ab, half.ap_m) == (3.0, 1.0)
    assert (dirty.ap_ab, dirty.ap_m) == (2.5, 0.5)
    assert [limits(half, name).min for name in ("LO", "MH", "HI")] == [2.0, 2.5, 3.5]
    assert [limits(dirty, name).min for name in ("LO", "MH", "HI")] == [2.5, 3.0, 3.5]
    assert (limits(half, "ML").max, limits(dirty, "ML").max) == (8.0, 7.0)
    assert (half.drag["HT"], dirty.drag["HT"]) == (3.0, 4.0)
    assert "ET" in half.drag
    assert "ET" not in dirty.drag


def followed(kind, previous, *, fps=6, speed=6.0, climb=1.0, **more):
    made = shape(
        kind,
        Start(previous=previous, fps=fps, speed=speed, least_speed=2.0, climb=climb, **more),
    )
    return made if isinstance(made, Shape) else None


def test_gs_f_4_what_may_follow_what():
    assert followed("LVL", "VD") is None
    assert followed("LVL", "VD", speed=2.0, fps=2) is not None
    assert followed("LVL", "VD", speed=3.0, fps=3) is None
    assert followed("LVL", "VD", speed=3.0, fps=3, high_pitch=True) is not None
    assert followed("SC", "LVL", speed=2.5, fps=2) is None
    assert followed("VC", "LVL") is None
    assert followed("VC", "LVL", speed=3.5, fps=3, high_pitch=True) is not None
    assert followed("VC", "ZC") is not None
    assert followed("SD", "VC") is not None, "by a half-roll"
    assert followed("UD", "VC") is None
    assert followed("VD", "ZC") is None
    assert followed("VD", "ZC", speed=4.0, fps=4) is not None, "by a half-roll"
    assert followed("VD", "VC") is None
    assert followed("VD", "VC", reversing=True) is not None
    assert followed("SD", "VC", reversing=True) is None
    for kind in ("SC", "ZC", "VC"):
        assert followed(kind, "VD") is None
        assert followed(kind, "ST") is None
        assert followed(kind, "DP") is None
    assert followed("VD", "ST") is not None
    assert followed("LVL", "ST") is not None
    assert followed("LVL", "DP") is None
    assert followed("LVL", "DP", high_pitch=True) is not None
    assert followed("SC", "SC", high=True) is None


def test_gs_f_4_how_many_vfps_and_when():
    assert followed("SC", "LVL") == Shape(1, 4, (1,), 1)
    assert followed("ZC", "SC", climb=2.5) == Shape(1, 4, (1, 2), 0)
    assert followed("ZC", "SD") == Shape(1, 4, (1,), 3)
    assert followed("ZC", "SD", high_pitch=True) == Shape(1, 4, (1,), 2)
    assert followed("VC", "ZC") == Shape(4, 4, (1, 2), 0)
    assert followed("VC", "VC") == Shape(4, 6, (1, 2), 0)
    assert followed("SD", "VD") == Shape(3, 4, (1, 2), 0)
    assert followed("SD", "VD", high_pitch=True) == Shape(2, 4, (1, 2), 0)
    assert followed("SD", "ZC") == Shape(1, 4, (1, 2), 3)
    assert followed("VD", "SD") == Shape(4, 4, (2, 3), 0)
    assert followed("VD", "VD") == Shape(4, 6, (2, 3), 0)
    assert followed("VD", "LVL") == Shape(4, 4, (2, 3), 0, level_first=True)
    assert followed("UD", "ZC") == Shape(first=3, unloads=True)
    assert followed("SC", "LVL", fps=1) is None
    assert followed("VD", "LVL", fps=1) is None
    assert followed("VD", "SD", damage_control=True) is None
    assert followed("SD", "LVL", damage_control=True) == Shape(1, 2, (1, 2), 1)
    assert followed("ZC", "LVL", damage_control=True) is None


def test_gs_stl_3_a_vertical_reverse_dives():
    one = f4e(altitude=30, speed=3.0, flight_type="VC", vertical_reverse=True)
    state = position(one)
    free = {
        (option.value["flight_type"], option.value["half_roll"])
        for option in starts.starts(state, state.aircraft["a"])
        if option.blocked is None
    }
    assert free == {("VD", False)}
    account, after = settled(under_way(one, "VD"), "D3,H,D2")
    assert where(after) == ("1014", "N", 25)
    assert account.ap == 5.0 + 1.5


def test_gs_stl_1a_recovered_from_departed_flight_it_dives():
    one = f4e(altitude=30, speed=3.0, flight_type="DP", recovered=True)
    state = position(one)
    options = starts.starts(state, state.aircraft["a"])
    free = {option.value["flight_type"] for option in options if option.blocked is None}
    assert free == {"SD", "UD", "VD"}
    assert draft(under_way(one, "VD"), "D2,D2,H").fault is None


# Turning.


def test_gs_f_11_more_than_needed_and_a_new_declaration():
    state = under_way(f4e(facing=E, speed=5.5), power="AB")
    assert refused(state, "HTR/H/R") == "GS-F-11"
    assert draft(state, "HTR/H,H,H/R").fault is None
    assert refused(state, "HTR/H,H/RR") == "GS-F-10"
    assert refused(state, "HTR/H,H/L") == "GS-F-11"
    assert refused(state, "H,H/R") == "GS-F-11"
    assert refused(state, "HTR/H,HTR/H") == "GS-F-11"
    # A tighter turn begins to count afresh.
    assert ("Turn", "BT right 1 of 1") in draft(state, "HTR/H,BTR/H").figures
    assert refused(state, "HTR/H,-,H/R") == "GS-F-11"


def test_gs_f_11_a_carried_turn_goes_by_this_moves_speed():
    carried = f4e(facing=N, altitude=12, speed=5.0, turn_carry=TurnCarry("HT", "R", 1))
    state = under_way(carried)
    assert ("Turn", "HT right 1 of 1") in draft(state, "").figures
    assert path(state, "H/R") == ["1014"]
    gone = under_way(carried, "SC")
    assert ("Turn", "none") in draft(gone, "").figures
    kept, _ = settled(under_way(carried), "-,5H")
    assert kept.turn_carry is None
    assert kept.dp == 0


def test_gs_f_11_the_requirement_follows_the_altitude_after_a_facing_change():
    state = under_way(f4e(facing=N, altitude=18, speed=7.0), "SD")
    # EZ at speed 7: 0.120 x 49 = 5.88, by 1.2 in MH 7.06.
    assert ("Turn", "EZ right 1 of 7") in draft(state, "EZR/H").figures
    tt = draft(state, "TTR/H,D2,D1,D1/R,H")
    assert tt.fault is None, tt.fault
    assert ("Turn", "TT right 1 of 3") in tt.figures


def test_gs_f_12_a_turn_carried_too_slowly_departs():
    slow = f4e(facing=N, altitude=12, speed=4.0)
    state = under_way(slow, power="I")
    account, after = settled(state, "ETR/H/RR,H/RR,H/RR,H")
    assert account.next_speed < min_speed(after, after.aircraft["a"]) + EXTRA_SPEED["ET"]
    assert after.aircraft["a"].condition == "departed"
    assert after.aircraft["a"].o.depart_speed == account.next_speed
    _, safe = settled(state, "ETR/H/RR,H/RR,H/RR,H,-")
    assert safe.aircraft["a"].condition == "normal"


def test_gs_f_14_reversing_the_bank():
    left = {"facing": N, "altitude": 12, "speed": 5.0, "bank": "L"}
    state = under_way(f4e(**left))
    assert refused(state, "HTR/H/R") == "GS-F-11"
    assert path(state, "HTR/H,H/R") == ["1014", "1013"]
    assert path(state, "H,HTR/H/R") == ["1014", "1013"]
    assert path(state, "HTL/H/L") == ["1014"]
    slow = under_way(mig17(**left))
    assert refused(slow, "HTR/H,H/R") == "GS-F-11"
    assert draft(slow, "HTR/H,H,H/R").fault is None
    assert draft(slow, "H,HTR/H,H/R").fault is None
    told = {option.value: option.detail for option in draft(slow, "H").next}
    assert told["H,HTR/"] == "30° a flight point; 1 more to reverse the bank"
    assert told["H,HTL/"] == "30° a flight point"
    earlier = under_way(mig17(**left, bank_free=2))
    assert draft(earlier, "HTR/H/R").fault is None
    off = under_way(f4e(**left), rulings={"bank": "off"})
    assert draft(off, "HTR/H/R").fault is None
    quick = under_way(
        craft(card="f-4e", place="1015", card_with={"properties": ("high-roll-rate",)}, **left)
    )
    assert draft(quick, "HTR/H/R").fault is None


@pytest.mark.parametrize(
    ("damage", "tightest"), [("", "ET"), ("L", "BT"), ("2L", "HT"), ("H", "HT"), ("C", "TT")]
)
def test_gs_c_12_damage_limits_turns(damage, tightest):
    state = under_way(f4e(facing=N, altitude=5, speed=6.0, damage=damage))
    free = [rate for rate in RATES if draft(state, f"{rate}R/H").fault is None]
    assert free == list(RATES[: RATES.index(tightest) + 1])


def test_gs_f_5_types_limit_turns():
    climb = under_way(f4e(facing=N, altitude=5, speed=6.0), "SC")
    assert draft(climb, "EZR/H").fault is None
    assert refused(climb, "TTR/H") == "GS-F-5"
    zoom = under_way(f4e(facing=N, altitude=5, speed=6.0), "ZC")
    assert draft(zoom, "BTR/H").fault is None
    assert refused(zoom, "ETR/H") == "GS-F-5"
    vertical = under_way(f4e(speed=6.0, flight_type="SD"), "VD")
    assert refused(vertical, "EZR/H") == "GS-F-5"
    assert refused(vertical, "H,H,SLR") == "GS-F-5"


def test_gs_f_13_recovery():
    state = under_way(f4e(facing=N, altitude=5, speed=6.0), power="AB")
    turning = flown(state, "ETR/H")
    assert turning.aircraft["a"].o.recovery == 3
    assert not flying.recovered(turning.aircraft["a"])
    still = flown(turning, "-,H,H")
    assert not flying.recovered(still.aircraft["a"])
    assert still.aircraft["a"].o.sight_rate == "ET"
    ready = flown(still, "H")
    assert flying.recovered(ready.aircraft["a"])
    assert ready.aircraft["a"].o.sight_rate is None
    assert ready.aircraft["a"].o.max_rate == "ET"


# Slides, rolls, unloading.


def test_gs_f_16_slides_need_preparation_and_room():
    state = under_way(f4e(speed=6.0))
    assert refused(state, "H,SLR") == "GS-F-16"
    assert refused(state, "H,H,SLR,H,H,SLL") == "GS-F-16"
    assert refused(state, "EZR/H,H,H,SLR") == "GS-F-16"
    fast = under_way(f4e(speed=9.5, altitude=20))
    assert refused(fast, "H,H,SLR,H,H,H,SLL") == "GS-F-16"
    account, _ = settled(fast, "H,H,SLR,H,H,H,H,SLL,H")
    assert account.dp == 1.0


def test_gs_f_17_displacement_and_lag_rolls():
    state = under_way(f4e(facing=N, altitude=12, speed=5.0))
    assert refused(state, "H,DRR") == "GS-F-17"
    assert path(state, "H,H,DRR") == ["1014", "1013", "1112"]
    account, rolled = settled(state, "H,H,LRR,H,H")
    assert rolled.aircraft["a"].facing == 11
    assert path(state, "H,H,LRR") == ["1014", "1013", "1112"]
    assert account.dp == 1.0
    assert rolled.aircraft["a"].o.rolls == 1
    high = under_way(f4e(facing=N, altitude=30, speed=5.0))
    assert refused(high, "H,H,DRR") == "GS-F-17"
    assert draft(high, "H,H,H,DRR").fault is None
    assert refused(under_way(f4e(speed=5.0, damage="H")), "H,H,DRR") == "GS-C-12"
    assert flown(state, "H,H,DRR").aircraft["a"].o.last_fp == "roll"


def test_gs_f_17_a_roll_is_prepared_by_vfps_too_and_a_slide_is_not():
    dive = under_way(f4e(facing=N, altitude=20, speed=5.0, flight_type="SD"), "SD")
    assert refused(dive, "D1,DRR") == "GS-F-17"
    assert path(dive, "D1,D1,DRR") == ["1114"]
    assert draft(dive, "D1,H,LRL").fault is None
    assert refused(dive, "D1,H,SLR") == "GS-F-16"
    assert refused(dive, "H,D1,SLR") == "GS-F-16"
    # Those flown in a turn, or unloaded, prepare nothing.
    assert refused(dive, "TTR/D1,D1,DRR") == "GS-F-17"
    assert refused(dive, "TTR/D1,D1,-,H,DRR") == "GS-F-17"
    unloaded = under_way(f4e(facing=N, altitude=20, speed=5.0, flight_type="SD"), "UD")
    assert refused(unloaded, "U,U,DRR") == "GS-F-17"


def test_gs_f_17_each_roll_after_the_first_costs_more():
    state = under_way(f4e(facing=N, altitude=12, speed=7.0))
    account, _ = settled(state, "H,H,DRR,H,H,LRL,H")
    assert account.dp == 0.5 + 1.0 + 1.0


def test_gs_f_17_vertical_rolls():
    state = under_way(mig21(facing=ESE, altitude=20, speed=6.0, flight_type="SD"), "VD", "N")
    assert refused(state, "H,VRR60") == "GS-F-17"
    rolled = flown(state, "H,D3,VRR150")
    assert rolled.aircraft["a"].facing == (ESE + 5) % 12
    assert refused(state, "H,D3,VRR60,VRL60") == "GS-F-17"
    account, _ = settled(state, "H,D3,VRR60,D3,VRL30,D3,H,D3")
    assert account.dp == 1.0 + 0.5 + 1.5
    assert refused(under_way(f4e()), "H,VRR60") == "GS-F-17"


def test_gs_f_6_half_roll_and_dive():
    state = under_way(f4e(facing=N, altitude=20, speed=6.0), "VD", half_roll=True)
    assert refused(state, "H,D2") == "GS-F-4"
    assert draft(state, "H,H,D2,D3,D2,D2").fault is None
    assert refused(state, "H,H,D2,VRR60") == "GS-F-6"
    assert draft(state, "H,H,D2,D3,D2,D2,VRR60").fault is None
    _, after = settled(state, "H,H,D2,D3,D2,D2")
    assert sure(after.aircraft["a"].o.move).half_roll


def test_gs_f_6_no_other_roll_in_a_half_roll_and_dive():
    one = f4e(facing=N, altitude=20, speed=9.0, flight_type="VC")
    dive = under_way(one, "SD", half_roll=True)
    assert refused(dive, "H,H,H,H,DRL") == "GS-F-6"
    assert refused(dive, "H,H,H,H,LRR") == "GS-F-6"
    assert draft(under_way(f4e(altitude=20, speed=9.0), "SD"), "H,H,H,H,DRL").fault is None


def test_gs_f_4_an_unloaded_dive():
    state = under_way(f4e(facing=N, altitude=12, speed=5.0), "UD")
    account, after = settled(state, "H,U,U,H,H")
    assert where(after) == ("1010", "N", 10)
    assert account.ap == 1.5 + 1.0
    assert refused(state, "H,U,H,U") == "GS-F-4"
    assert refused(state, "H,H,H,H,H") == "GS-F-4"
    # Unloaded flight points count for no turn.
    assert ("Turn", "TT right 1 of 2") in draft(state, "TTR/H,U,U").figures
    assert flown(state, "H,U").aircraft["a"].o.recovery == 2


def test_the_one_free_level_of_level_flight():
    state = under_way(f4e(facing=N, altitude=12, speed=5.0))
    account, after = settled(state, "H,HD,H,H,H")
    assert where(after) == ("1010", "N", 11)
    assert account.items[1:] == (move_facts.Item("military power", 1.5),)
    assert refused(state, "HD,HD") == "GS-F-4"
    assert refused(state, "D1") == "GS-F-4"


def test_gs_flt_17_damage_control():
    state = under_way(f4e(speed=6.0, damage="L"), "SD", damage_control=True)
    assert refused(state, "TTR/H") == "GS-FLT-17"
    assert refused(state, "H,D1,D1,D1") == "GS-F-4"
    assert draft(state, "H,H,SLR,H,D1,H").fault is None
    assert refused(state, "H,H,DRR") == "GS-FLT-17"
    assert state.aircraft["a"].damage_control


# Energy.


def test_gs_f_3_thin_air_and_damage():
    military = Settings(flight_type="LVL", power="M", ap=1.5)
    burner = Settings(flight_type="LVL", power="AB", ap=3.5)
    given_ap: dict[tuple[Band, bool], tuple[float, float]] = {
        ("MH", False): (1.5, 3.5),
        ("VH", False): (1.0, 2.5),
        ("EH", False): (0.5, 1.0),
        ("UH", False): (0.5, 1.0),
        ("MH", True): (0.75, 1.75),
    }
    for (where_, halved), (less, more) in given_ap.items():
        assert energy.ap_of_power(military, where_, halvings=int(halved)) == less
        assert energy.ap_of_power(burner, where_, halvings=int(halved)) == more
    least = Settings(flight_type="LVL", power="M", ap=0.5)
    assert energy.ap_of_power(least, "EH", halvings=0) == 0.5
    assert energy.ap_of_power(replace(least, ap=0), "EH", halvings=0) == 0


def test_gs_c_12_an_engine_out_halves_what_heavy_damage_leaves():
    full = under_way(f4e(speed=5.0, altitude=12, damage="H"), power="AB")
    assert items_of(full, "5H")["afterburner"] == 1.75
    one_out = under_way(f4e(speed=5.0, altitude=12, damage="H", out=("engine",)), power="AB")
    assert items_of(one_out, "5H")["afterburner"] == 1.0, "0.875, up to a quarter"


def test_gs_f_3_a_flame_out_leaves_no_climb_capability():
    climbing = f4e(speed=6.0, altitude=18, flight_type="SC")
    state = under_way(climbing, "SC", "AB")
    assert draft(state, "C2").fault is None
    out = with_own(state.aircraft["a"], flamed_out=True)
    idle = replace(state, aircraft={**state.aircraft, "a": out})
    assert refused(idle, "C2") == "GS-F-4"
    assert items_of(idle, "C1,H,H,H,H,H")["1 level, sustained climb"] == -1.5


def test_gs_c_12_a_turn_under_way_does_not_turn_on_once_it_is_hit():
    state = flown(under_way(f4e(facing=N, altitude=12, speed=5.0)), "ETR/H/R")
    hit = with_own(state.aircraft["a"], damage="L", hits=("L",))
    after = replace(state, aircraft={**state.aircraft, "a": hit})
    assert draft(state, "H/R").fault is None
    assert refused(after, "H/R") == "GS-C-12"
    assert draft(after, "BTR/H/R").fault is None


def items_of(state, text):
    account, _ = settled(state, text)
    return {item.words: item.amount for item in account.items}


def test_gs_f_3_after_a_flame_out_the_engines_idle_until_next_turn():
    burning = under_way(f4e(altitude=12, speed=5.0, power="I"), power="AB")
    out = replace(
        burning,
        aircraft={"a": with_own(burning.aircraft["a"], flamed_out=True)},
    )
    assert items_of(out, "5H") == {"carried": 0, "idle": -1.0}
    next_turn = position({**f4e(altitude=12, speed=5.0, power="AB"), "flamed_out": True})
    relit = chosen_in(next_turn, Settings(flight_type="LVL", power="M", ap=1.5))
    assert items_of(relit, "5H") == {"carried": 0, "military power": 1.5}


def test_gs_f_20_every_source_is_listed():
    one = f4e(facing=N, altitude=12, speed=7.0, ap_carry=-0.5, power="M")
    state = under_way(one, "LVL", "I", brakes=0.5)
    assert items_of(state, "TTR/H,H,H/R,H,H,H/R,H") == {
        "carried": -0.5,
        "idle": -1.0,
        "over cruise speed 5.5": -1.0,
        "speed brakes": -0.5,
        "tactical turn": -1.0,
        "1 facing change after the first": -1.0,
    }


@given(st.integers(-60, 60))
def test_gs_f_20_carry_stays_small_and_speed_is_never_negative(quarters):
    state = under_way(f4e(altitude=12, speed=5.0, ap_carry=quarters / 4), power="N")
    account, _ = settled(state, "5H")
    assert -2 < account.ap_carry < 2
    assert account.next_speed >= 0
    moved = account.next_speed - 5.0
    if 0 < account.next_speed < 9:
        assert moved * 4 + account.ap_carry == account.net


def test_gs_f_20_rapid_acceleration_needs_fewer_points():
    quick = craft(card="f-4e", place="1015", card_with={"properties": ("rapid-accel",)}, speed=5.0)
    account, _ = settled(under_way(quick), "5H")
    assert (account.next_speed, account.ap_carry) == (5.5, 0)


def test_gs_f_22_a_sustained_climb_is_cheap_up_to_cc():
    first = f4e(altitude=18, speed=6.0)
    # CC 3 in AB at MH: three levels at 0.5, the fourth and fifth as a zoom.
    climb = items_of(under_way(first, "SC", "AB"), "H,C2,C2,C1,H,H")
    assert climb["5 levels, sustained climb"] == -3.5
    fast = f4e(altitude=18, speed=6.0, flight_type="ZC")
    climb = items_of(under_way(fast, "SC", "AB"), "C2,C2,H,C1,H,H")
    assert climb["5 levels, sustained climb"] == -4.5, "it climbed before: a zoom costs 1.5"
    slow = f4e(altitude=18, speed=4.5, flight_type="ZC")
    # Below climb speed CC 3 is 1.5, and a VFP climbs one level only.
    state = under_way(slow, "SC", "AB")
    assert refused(state, "C2") == "GS-F-4"
    assert items_of(state, "C1,C1,H,H")["2 levels, sustained climb"] == -0.75 - 0.75
    normal = under_way(fast, "SC", "N")
    assert items_of(normal, "C1,H,H,H,H,H")["1 level, sustained climb"] == -1.5
    later = under_way(fast, "ZC", "AB")
    assert items_of(later, "C2,H,H,H,H,H")["2 levels, zoom climb"] == -3.0
    vertical = under_way(fast, "VC", "AB")
    assert items_of(vertical, "C1,C1,C2,C2,H,H")["6 levels, vertical climb"] == -12.0


def test_gs_f_22_a_dive_of_the_turn_before_the_first_counts():
    before = under_way(f4e(altitude=20, speed=6.0, flight_type="UD"), "SD")
    assert items_of(before, "D2,H,H,H,H,H")["2 levels, steep dive"] == 2.0
    level = under_way(f4e(altitude=20, speed=6.0), "SD")
    assert items_of(level, "H,D2,H,H,H,H")["2 levels, steep dive"] == 1.0


def test_gs_f_23_limits_of_speed():
    level = under_way(f4e(altitude=12, speed=9.0), power="AB")
    account, _ = settled(level, "9H")
    assert account.next_speed == 9.0
    assert account.notes == ("level speed 9 at most",)
    dive = under_way(f4e(altitude=20, speed=10.0, flight_type="SD", dive_turns=1), "SD", "AB")
    account, _ = settled(dive, "D2,D2,D2,D2,D2,D2,D2,H,H,H")
    assert account.next_speed == 8.5 + 1.5
    shallow = under_way(f4e(altitude=12, speed=10.5, flight_type="SD"), "SD", "N")
    account, _ = settled(shallow, "H,D1,8H")
    assert account.next_speed == 9.5, "one level is no dive: it fades back by 1.0"


def test_gs_f_24_the_sound_barrier():
    near = f4e(altitude=12, speed=7.0)
    assert "near the speed of sound" not in items_of(under_way(near), "7H")
    on = {"transonic": "on"}
    assert items_of(under_way(near, rulings=on), "7H")["near the speed of sound"] == -1.0
    at = f4e(altitude=12, speed=7.5, ap_carry=1.5)
    account, _ = settled(under_way(at, power="AB", rulings=on), "7H")
    assert account.net == 1.5 + 3.5 - 1.5
    assert (account.next_speed, account.ap_carry) == (8.0, 0.5)


def test_gs_f_26_fuel():
    account, _ = settled(under_way(f4e(speed=5.0, fuel=10), power="AB"), "5H")
    assert account.fuel == 0
    dry = position(f4e(speed=5.0, fuel=0))
    free = {
        option.value["power"]
        for option in starts.starts(dry, dry.aircraft["a"])
        if option.blocked is None
    }
    assert free == {"I"}


def test_tv_30_and_31_a_stall():
    state = position(f4e(altitude=30, speed=2.0, condition="stalled"))
    stalled = chosen_in(state, Settings(flight_type="ST", power="M", ap=1.5))
    lost, account = energy.fall(
        stalled, stalled.aircraft["a"], Settings(flight_type="ST", power="M", ap=1.5)
    )
    assert lost == 3
    assert (account.net, account.next_speed, account.ap_carry) == (3.0, 2.5, 1.0)
    later = position(
        f4e(altitude=27, speed=2.5, condition="stalled", stalled_turns=1, ap_carry=1.0)
    )
    later = chosen_in(later, Settings(flight_type="ST", power="M", ap=1.5))
    lost, account = energy.fall(
        later, later.aircraft["a"], Settings(flight_type="ST", power="M", ap=1.5)
    )
    assert lost == 5
    assert (account.net, account.next_speed, account.ap_carry) == (7.5, 4.0, 1.5)


# The start of a move.


def test_starts_offer_each_result_once_and_say_why_not():
    state = position(f4e(speed=5.5))
    options = starts.starts(state, state.aircraft["a"])
    assert len({option.key for option in options}) == len(options)
    barred = {
        option.value["flight_type"]: option.blocked.cite for option in options if option.blocked
    }
    assert barred == {"VC": "GS-F-4"}
    dive = next(o for o in options if o.value["flight_type"] == "VD")
    assert dive.value["half_roll"]
    for option in options:
        if option.blocked is None:
            how = convert(option.value, Settings)
            assert starts.chosen(state, state.aircraft["a"], how).settings.value == how


def test_starts_from_idle_may_flame_out():
    state = position(f4e(power="I"))
    burning = [
        option
        for option in starts.starts(state, state.aircraft["a"])
        if option.value["power"] == "AB" and not option.blocked
    ]
    assert burning
    assert all(option.odds is starts.FLAME_OUT_ODDS for option in burning)


def test_starts_of_the_damaged_and_the_stalled():
    hurt = position(f4e(damage="C"))
    options = starts.starts(hurt, hurt.aircraft["a"])
    assert {o.value["damage_control"] for o in options} == {True, False}
    burners = [o for o in options if o.value["power"] == "AB"]
    assert burners
    assert all(o.blocked for o in burners)
    light = position(f4e(damage="L"))
    burners = [o for o in starts.starts(light, light.aircraft["a"]) if o.value["power"] == "AB"]
    assert {(o.value["damage_control"], o.blocked and o.blocked.cite) for o in burners} == {
        (True, "GS-FLT-17"),
        (False, None),
    }
    stalled = position(f4e(condition="stalled", speed=1.5))
    kinds = {o.value["flight_type"] for o in starts.starts(stalled, stalled.aircraft["a"])}
    assert kinds == {"ST"}


# Notation.


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("htr/h, h/r", "HTR/H,H/R"),
        ("htr h h/r", "HTR/H,H/R"),
        ("3h hr", "H,H,H,H/R"),
        ("hhh", "H,H,H"),
        ("r", "H/R"),
        ("htr/r", "HTR/H/R"),
        ("btl/hd/ll;-;g", "BTL/HD/LL,-,G"),
        ("sll, drr,lrl vrl120", "SLL,DRR,LRL,VRL120"),
        ("c1 / r d3", "C1/R,D3"),
        ("htr", "HTR/"),
        ("", ""),
    ],
)
def test_typed_lines_are_read_kindly(typed, normal):
    tokens, wrong = read_line(typed)
    assert wrong is None
    assert line(tokens) == normal


@pytest.mark.parametrize("typed", ["X", "D", "C4", "SL", "HT", "VRL45", "VRL210", "H/LR", "HTR -"])
def test_what_is_no_token_is_said_so(typed):
    _, wrong = read_line(typed)
    assert isinstance(wrong, Illegal)


def test_a_draft_says_what_is_wrong_and_keeps_the_rest():
    state = under_way(f4e(speed=5.0))
    read = draft(state, "h,h,nonsense,h")
    assert read.text == "H,H"
    assert read.whole
    assert "NONSENSE" in sure(read.fault).reason
    too_long = draft(state, "6h")
    assert too_long.text == "H,H,H,H,H"
    assert sure(too_long.fault).cite == "GS-F-1"
    assert not draft(state, "").whole
    assert not draft(state, "htr").whole
    assert draft(state, "htr").text == "HTR/"
    assert set(offered(state, "htr")) == {"HTR/H", "HTR/HD", "HTR/H/R", "HTR/HD/R"}


def test_a_draft_says_what_may_follow_and_why_not():
    state = under_way(f4e(facing=E, altitude=18, speed=5.5))
    first = offered(state, "")
    assert first["H"] is None
    assert first["HTR/"] is None
    assert sure(first["SLL"]).cite == "GS-F-16"
    then = offered(state, "HTR/H")
    assert then["H/R"] is None
    assert then["-"] is None
    assert sure(then["G"]).cite == "GS-C-1"
    assert offered(state, "5H") == {"G": then["G"]}


def test_a_gun_attack_needs_an_enemy_in_the_field():
    enemy = craft(side="red", card="mig-21mf", place="1011", altitude=18, sighted=True)
    state = under_way(f4e(facing=N, speed=5.0), enemies=(enemy,))
    assert refused(state, "H,H,G") == "GS-VIS-11"
    seen = replace(
        state,
        aircraft={**state.aircraft, "a": with_own(state.aircraft["a"], saw=("b",))},
    )
    assert draft(seen, "H,H,G").fault is None
    assert refused(seen, "H,G") == "GS-G-17"
    assert refused(seen, "ETR/H/R,H,G") == "GS-F-13"


def test_whole_lines_to_choose_at_once_end_the_move():
    for kind, previous in (("LVL", "LVL"), ("ZC", "LVL"), ("SD", "ZC"), ("UD", "ZC"), ("VD", "SD")):
        state = under_way(f4e(speed=6.0, flight_type=previous), kind)
        options = notation.lines(state, state.aircraft["a"], sure(state.activation))
        assert options, kind
        for option in options:
            read = draft(state, option.value)
            assert read.fault is None
            assert read.whole
            assert read.text == option.value
            assert ("Flight points left", "0 of 6") in read.figures


# Secrets.


def said(event: Event) -> Told:
    return sure(tell(event, {"a": "Alpha"}))


def test_what_a_side_plans_is_its_own():
    one = f4e(speed=5.0)
    state = position(one)
    side = frozenset({"red"})
    how = starts.chosen(state, state.aircraft["a"], Settings(flight_type="SD", power="AB", ap=3.5))
    plan = starts.planned(state.aircraft["a"], 5, "HTR/H")
    assert "steep" not in said(redact(how, side)).text.lower()
    assert "HTR" not in said(redact(plan, side)).text
    begun = under_way(one)
    flew = flying.flew(begun, begun.aircraft["a"], sure(begun.activation), "HTR/H")
    assert "HTR" not in said(redact(flew, side)).text
    account = settle(flown(begun, "5H"))
    assert said(redact(account, side)).steps == ()
    assert "net +1.5" in said(account).steps
    seen = position({**one, "sighted": True})
    how = starts.chosen(seen, seen.aircraft["a"], Settings(flight_type="SD", power="AB", ap=3.5))
    told = said(redact(how, side))
    assert "steep dive" in told.text
    assert told.steps == ()


def test_the_position_tells_an_enemy_nothing_of_a_plan():
    state = flown(under_way(f4e(speed=5.0, sighted=True)), "HTR/H")
    state = folded(state, starts.planned(state.aircraft["a"], 5, "H/R,H"))
    for viewer in (frozenset({"red"}), frozenset[str]()):
        shown = fog.view(redact(state, viewer), viewer)
        assert shown.activation == Activation(aircraft="a")
    mine = fog.view(redact(state, frozenset({"blue"})), frozenset({"blue"}))
    assert sure(mine.activation).left == ("H/R", "H")


def test_a_line_that_leads_off_the_map_or_into_the_ground_says_so():
    low = under_way(craft(card="f-4e", place="1001", facing=N, altitude=1, speed=5.0))
    assert draft(low, "H").told == ("to 1000, off the map",)
    assert "into the ground" in draft(low, "HD").told[0]
    assert not draft(low, "HD").next
    assert sure(draft(low, "HD,H").fault).cite == "GS-F-25"


# Properties.

PREVIOUS = ("LVL", "SC", "ZC", "VC", "SD", "UD", "VD", "ST")


@st.composite
def crafts(draw):
    card = draw(st.sampled_from(sorted(printed_cards())))
    return craft(
        card=card,
        place="2015",
        facing=draw(st.integers(0, 11)),
        altitude=draw(st.integers(1, 40)),
        speed=draw(st.integers(3, 12)) / 2,
        flight_type=draw(st.sampled_from(PREVIOUS)),
        fp_carry=draw(st.sampled_from([0.0, 0.5])),
        bank=draw(st.sampled_from(["L", "R", "level"])),
        damage=draw(st.sampled_from(["", "L", "H", "C"])),
        turn_carry=draw(
            st.none()
            | st.builds(
                TurnCarry,
                st.sampled_from(RATES),
                st.sampled_from(["L", "R"]),
                st.integers(1, 3),
            )
        ),
    )


def walk(state, dice):
    """One random move, token by token, by what is offered; the tokens that it came to."""
    text = ""
    while True:
        read = draft(state, text)
        assert read.fault is None
        assert read.text == text
        one = state.aircraft["a"]
        free = [option for option in read.next if option.blocked is None]
        left = int(dict(read.figures)["Flight points left"].split(" ")[0])
        if left == 0 or dict(read.figures)["Altitude"] == "0":
            return text
        assert free, (one, state.activation, text)
        text = dice.choice(free).value


@settings(max_examples=150, deadline=None)
@given(crafts(), st.integers(0, 2**32))
def test_random_walks_by_what_is_offered_never_run_into_a_dead_end(one, seed):
    dice = random.Random(seed)
    try:
        state = position(one)
    except Illegal:
        return
    free = [
        option for option in starts.starts(state, state.aircraft["a"]) if option.blocked is None
    ]
    assert free
    how = convert(dice.choice(free).value, Settings)
    state = chosen_in(state, how)
    text = walk(state, dice)
    if text:
        check(state, text)


@pytest.mark.parametrize("card", sorted(printed_cards()))
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_to_read_a_line_is_to_fly_it(card, seed):
    """After each token of a random line the draft says what the position says once the token is flown."""
    dice = random.Random(f"{card} {seed}")
    state = position(random_craft(dice, card))
    options = [o for o in starts.starts(state, state.aircraft["a"]) if o.blocked is None]
    begun = now = chosen_in(state, convert(dice.choice(options).value, Settings))
    read_so_far = ""
    for token in walk(begun, dice).split(","):
        read_so_far = f"{read_so_far},{token}" if read_so_far else token
        now = fly(now, token)
        line_, here = draft(begun, read_so_far), draft(now, "")
        assert (line_.text, line_.fault) == (read_so_far, None)
        assert line_.figures == here.figures
        assert (line_.facing, line_.path[-1]) == (here.facing, here.path[-1])
        follow = [offer(option, len(read_so_far) + 1) for option in line_.next]
        assert follow == [offer(option, 0) for option in here.next]


def offer(option, begins):
    """All that is said of a token that may follow, the line before it left out."""
    words = (option.label, option.detail, option.cost, option.group, option.cite, option.blocked)
    return (option.value[begins:], *words, option.place, option.facing)


def random_craft(dice, card):
    return craft(
        card=card,
        facing=dice.randrange(12),
        altitude=dice.randrange(3, 36),
        speed=dice.randrange(6, 12) / 2,
        flight_type=dice.choice(PREVIOUS),
    )


def check(state, text):
    """A whole move flown as facts: place and facing agree at each point, and the account with itself."""
    begun = one = state.aircraft["a"]
    spent = 0
    for token in text.split(","):
        state = fly(state, token)
        one = state.aircraft["a"]
        spent += read_token(token).spends
        assert one.facing in legal_facings(one.pos)
        assert sure(one.o.move).spent == spent
        assert 0 <= one.altitude <= 99
    assert sure(state.activation).flown == tuple(text.split(","))
    account = sure(settle(state).account.value)
    assert account.net == sum(item.amount for item in account.items)
    assert account.net == begun.o.ap_carry + account.ap - account.dp
    assert account.next_speed >= 0
    assert account.next_speed * 2 == int(account.next_speed * 2)
    assert -2 < account.ap_carry < 2
    if one.altitude:
        assert spent == sure(one.o.move).fps
        verticals(one, begun)


def verticals(one, begun):
    """GS-F-4 again, by itself: how many VFPs the whole move must have."""
    move = sure(one.o.move)
    fps, kind, count = move.fps, one.s.flight_type, move.vertical
    if kind in ("LVL", "UD"):
        assert count == 0
    elif kind in ("SC", "ZC", "SD"):
        assert 1 <= count <= fps - third(fps)
    elif kind == one.s.previous_type:
        assert count >= fps - third(fps)
    else:
        assert count == fps - third(fps)
    if kind == "UD":
        assert one.o.unloaded >= 1


@pytest.mark.parametrize("moves", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_random_moves_add_up(moves):
    dice = random.Random(1990)
    cards = sorted(printed_cards())
    for _ in range(moves):
        state = position(random_craft(dice, dice.choice(cards)))
        options = [o for o in starts.starts(state, state.aircraft["a"]) if o.blocked is None]
        state = chosen_in(state, convert(dice.choice(options).value, Settings))
        text = walk_fast(state, dice)
        check(state, text)


def walk_fast(state, dice):
    """A random move by the rules below the notation: what may be flown of all the tokens that there are."""
    begun = flying.frame(state, state.aircraft["a"], state.activation.settings)
    point = flying.point_of(state.aircraft["a"])
    tokens = []
    while not flying.over(point):
        token = dice.choice(ALL_TOKENS)
        while flying.blocked(begun, point, token) is not None:
            token = dice.choice(ALL_TOKENS)
        tokens.append(token)
        point = flying.fly(begun, point, token)
    return line(tuple(tokens))


ALL_TOKENS = [
    read_token(f"{declared}{kind}{face}")
    for kind in ("H", "HD", "C1", "C2", "D1", "D2", "D3")
    for declared in ("", *(f"{rate}{side}/" for rate in RATES for side in "LR"))
    for face in ("", "/L", "/R", "/LL", "/RR")
] + [
    read_token(text) for text in ("U", "SLL", "SLR", "DRL", "DRR", "LRL", "LRR", "VRL60", "VRR180")
]
