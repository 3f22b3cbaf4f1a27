"""Odds: what is shown equals every throw counted one by one, and what the engine makes of them."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.sequence import Roll
from app.games.osaaf import energy
from app.games.osaaf.energy import UNPAID
from app.games.osaaf.events import Band, EnergySettled, TurnRolled
from app.games.osaaf.model import Jet, Maneuverability, Plan, Rulings
from app.games.osaaf.movement import turn_blocked, turns
from app.odds import exact
from tests.games.osaaf.table import GAME, Table, flying, plan, setup

ALTITUDES = (1, 3, 4, 6, 9)


def shares(results: Iterable[Any]) -> dict[Any, Fraction]:
    counted = Counter(results)
    whole = sum(counted.values())
    return {result: Fraction(n, whole) for result, n in counted.items()}


def gained(altitude: int, factor: int, lit: bool, high6: bool, faces: tuple[int, ...]) -> int:
    """The energy roll, written down a second time."""
    rest = sorted(faces)
    if altitude <= 3:
        rest = rest[2:]
    elif altitude <= (5 if high6 else 6):
        rest = rest[1:-1]
    else:
        rest = rest[:-2]
    return len([face for face in rest if face + lit > factor]) + lit


def jet_with(factor: int, altitude: int, speed: int, maximum: int = 8) -> Jet:
    card = {"energy_factor": factor, "max_speed": maximum}
    data = setup([{"altitude": altitude, "speed": speed, "card": card}])
    return GAME.start(msgspec.convert(data, GAME.setup), GAME.rulebook.settle({})).jets["a"]


@pytest.mark.parametrize("altitude", ALTITUDES)
@pytest.mark.parametrize("lit", [False, True])
@pytest.mark.parametrize(
    ("hard_turns", "jink", "aim"), [(0, False, False), (1, False, True), (2, True, False)]
)
def test_gain_and_speed_equal_brute_force(
    altitude: int, lit: bool, hard_turns: int, jink: bool, aim: bool
) -> None:
    chosen = Plan(hard_turns, jink, aim, lit)
    dice = 5 - hard_turns - jink - aim
    for factor, rulings in ((4, Rulings()), (3, Rulings(alt6_band="high"))):
        jet = jet_with(factor, altitude, 3)
        high6 = rulings.alt6_band == "high"
        gains = [
            gained(altitude, factor, lit, high6, faces)
            for faces in product(range(1, 7), repeat=dice)
        ]
        assert exact(energy.gain_of(rulings, jet, chosen)) == shares(gains)
        for change, traded in ((0, 0), (2, -3), (-1, 1)):
            speeds = [3 + gain - 1 + traded for gain in gains]
            shown = [UNPAID if s < 0 else min(8, s) for s in speeds]
            assert exact(energy.speed_after(rulings, jet, chosen, change)) == shares(shown)


def test_three_dice_at_least_is_in_the_odds() -> None:
    jet = jet_with(3, 5, 3)
    two, three = Rulings(), Rulings(min_energy_dice="3")
    assert exact(energy.gain_of(two, jet, Plan(3, False, False, True))) == {1: 1}
    middle = [sorted(faces)[1] for faces in product(range(1, 7), repeat=3)]
    expected = shares(1 + (face + 1 > 3) for face in middle)
    assert exact(energy.gain_of(three, jet, Plan(3, False, False, True))) == expected


@pytest.mark.parametrize("altitude", ALTITUDES)
def test_odds_of_an_option_are_what_the_engine_makes_of_every_throw(altitude: int) -> None:
    choice = plan(1, aim=True, lit=True)
    start = Table(setup([{"altitude": altitude, "speed": 2}]), [(1,)])
    [option] = [one for one in start.decision.all_options if one.value == choice]
    assert option.odds is not None
    assert option.odds.label == "Speed if it then flies level"
    speeds: list[int] = []
    for faces in product(range(1, 7), repeat=3):
        table = Table(setup([{"altitude": altitude, "speed": 2}]), [(1,)])
        table.choose(choice, faces)
        table.choose(0)
        table.choose(0)
        speeds.append(table.facts(EnergySettled)[0].speed)
    assert exact(option.odds.chance) == shares(speeds)


def test_the_waiting_roll_shows_its_odds() -> None:
    table = Table(setup([{}]), [(1,)])
    table.choose(plan(2))
    assert isinstance(table.step, Roll)
    assert table.step.odds is not None
    assert table.step.odds.label == "Speed gained by the roll"
    thrown = shares(table.step.happen(faces).gain for faces in product(range(1, 7), repeat=3))  # pyright: ignore[reportAttributeAccessIssue]
    assert exact(table.step.odds.chance) == thrown


@pytest.mark.parametrize("maneuverability", ["low", "medium", "high"])
@pytest.mark.parametrize(("speed", "hard_turns"), [(1, 0), (3, 0), (4, 1), (5, 3)])
def test_turn_chance_equals_brute_force(maneuverability: str, speed: int, hard_turns: int) -> None:
    table = flying(speed, hard_turns, card={"maneuverability": maneuverability})
    [option] = [one for one in table.decision.all_options if one.value == "left"]
    assert option.odds is not None
    assert option.odds.yes
    place = {"low": 0, "medium": 1, "high": 2}[maneuverability]
    thrown = list(product(range(1, 7), repeat=3))
    expected = shares(sorted(faces)[place] + hard_turns > speed for faces in thrown)
    assert exact(option.odds.chance) == expected
    table.choose("left")
    assert isinstance(table.step, Roll)
    rolled = [table.step.happen(faces) for faces in thrown]
    assert shares(one.success for one in rolled if isinstance(one, TurnRolled)) == expected


def test_a_plan_shows_the_speeds_of_each_altitude_within_reach() -> None:
    table = Table(setup([{"altitude": 2, "speed": 2}]), [(1,)])
    [option] = [one for one in table.decision.all_options if one.value == plan(0)]
    assert option.then is not None
    rows = {label: exact(odds.chance) for label, odds in option.then()}
    assert [label.split()[-1] for label in rows] == ["5", "4", "3", "2", "1"]
    assert all(sum(row.values()) == 1 for row in rows.values())
    assert min(rows["Climb 3 to altitude 5"]) == UNPAID
    shut = [one for one in table.decision.all_options if one.value == plan(3, jink=True)]
    assert shut[0].then is None


def test_a_plan_shows_climbs_that_only_a_roll_past_the_maximum_pays_for() -> None:
    """OSAAF-EN-14: 5 at a maximum of 5, and 3 from the roll less drag make 7; three levels cost 6."""
    card = {"energy_factor": 4, "max_speed": 5}
    table = Table(setup([{"altitude": 2, "speed": 5, "card": card}]), [(1,)])
    [option] = [one for one in table.decision.all_options if one.value == plan(0)]
    assert option.then is not None
    rows = {label: exact(odds.chance) for label, odds in option.then()}
    raws = [
        5 + sum(face > 4 for face in sorted(faces)[2:]) - 1 - 6
        for faces in product(range(1, 7), repeat=5)
    ]
    assert rows["Climb 3 to altitude 5"] == shares(UNPAID if raw < 0 else raw for raw in raws)
    table.choose(plan(0), (1, 1, 5, 5, 5))
    table.choose(3)
    table.choose(0)
    assert (table.jet().speed, table.jet().altitude) == (1, 5)


BANDS: dict[Band, slice] = {"low": slice(2, None), "middle": slice(1, -1), "high": slice(None, -2)}


@given(
    st.sampled_from(list(BANDS)),
    st.integers(1, 5),
    st.booleans(),
    st.lists(st.integers(1, 6), min_size=2, max_size=5),
)
def test_energy_gain_in_one_line(band: Band, factor: int, lit: bool, faces: list[int]) -> None:
    expected = sum(face + lit > factor for face in sorted(faces)[BANDS[band]]) + lit
    assert energy.energy_gain(band, factor, lit, tuple(faces)) == expected
    kept = energy.kept(band, tuple(faces))
    assert kept.count(False) == 2
    assert sorted(f for f, k in zip(faces, kept, strict=True) if k) == sorted(faces)[BANDS[band]]


@given(
    st.integers(0, 8),
    st.integers(1, 9),
    st.integers(1, 5),
    st.integers(0, 3),
    st.booleans(),
    st.integers(-3, 3),
    st.data(),
)
def test_energy_management_is_the_formula(
    speed: int, altitude: int, factor: int, hard: int, lit: bool, change: int, data: st.DataObject
) -> None:
    faces = tuple(data.draw(st.integers(1, 6)) for _ in range(5 - hard))
    card = {"energy_factor": factor}
    jet = {"speed": speed, "altitude": altitude, "card": card}
    table = Table(setup([jet]), [(1,)], {"stall": "off", "unpaid_climb": "yes"})
    table.choose(plan(hard, lit=lit), faces)
    change = max(1 - altitude, min(9 - altitude, change))
    table.choose(change)
    gain = gained(altitude, factor, lit, False, faces)
    delta = {-3: 6, -2: 3, -1: 1, 0: 0, 1: -1, 2: -3, 3: -6}[change]
    most = gain + max(0, delta)
    refused = data.draw(st.integers(0, most))
    if most:
        table.choose(refused)
    assert table.jet().speed == max(0, min(8, speed + gain - 1 + delta - refused))
    assert table.jet().stalled == (table.jet().speed == 0)


@given(
    st.sampled_from(["low", "medium", "high"]),
    st.integers(0, 3),
    st.integers(1, 12),
    st.tuples(*[st.integers(1, 6)] * 3),
)
def test_no_turn_at_speed_6_and_hard_turns(
    maneuverability: Maneuverability, hard: int, speed: int, faces: tuple[int, int, int]
) -> None:
    """OSAAF-MV-13."""
    blocked = turn_blocked(flying_jet(speed, hard)) is not None
    assert blocked == (speed >= 6 + hard)
    if blocked:
        assert not turns(maneuverability, hard, speed, faces)
    assert blocked == (not turns(maneuverability, hard, speed, (6, 6, 6)))


def flying_jet(speed: int, hard: int) -> Jet:
    jet = jet_with(3, 5, speed, 12)
    chosen = Plan(hard, False, False, False)
    return msgspec.structs.replace(jet, energy=msgspec.structs.replace(jet.energy, plan=chosen))
