"""The set-up page's words and choices, and the ships that it adds."""

import copy
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.games.war_in_space.editing import added, choices, points
from app.games.war_in_space.setup import Setup, ship_classes
from app.tables.datatext import data_text, read_text
from app.tables.faults import examine
from app.web.setup_form import form_view, read, shape_of, tidy
from tests.games.war_in_space.table import GAME
from tests.web.test_setups import junk, sent_by

DUEL = GAME.scenarios["duel"].setup


def with_ships(*ships: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """The duel with other ships."""
    return {**DUEL, "ships": list(ships), **changes}


def test_choices_of_a_scenario() -> None:
    found = {path: dict(offered) for path, offered in choices(DUEL).items()}
    assert found["ships.seat"] == {"home": "Home Fleet, 8 points", "rim": "Rim Fleet, 8 points"}
    assert found["ships.kind"]["corvette"] == (
        "Corvette: 3 points, turns on d12, energy 3d4, Hull 3, Raider"
    )
    assert list(found["ships.kind"]) == list(ship_classes())
    assert found["ships.facing"]["3"] == "S"
    assert list(found["ships.crew"]) == ["green", "regular", "veteran", "elite"]


@pytest.mark.parametrize(
    ("scenario", "totals"),
    [("duel", (8, 8)), ("hounds", (10, 8)), ("old-giant", (16, 15)), ("squadron-action", (18, 19))],
)
def test_points_of_a_side(scenario: str, totals: tuple[int, int]) -> None:
    data = GAME.scenarios[scenario].setup
    assert (points(data, "home"), points(data, "rim")) == totals


def test_the_next_ship_goes_to_the_side_with_fewer_points() -> None:
    data = GAME.scenarios["hounds"].setup
    ship = added(data, "ships", None)
    assert (ship["seat"], ship["kind"], ship["crew"]) == ("rim", "cruiser", "veteran")
    assert (ship["id"], ship["name"], ship["hex"]) == ("rim-2", "Rim Fleet 2", "1816")


def test_a_copy_is_of_its_own_side_and_stands_beside() -> None:
    data = GAME.scenarios["hounds"].setup
    ship = added(data, "ships", 0)
    assert (ship["seat"], ship["kind"], ship["id"]) == ("home", "frigate", "home-3")
    assert (ship["hex"], ship["facing"]) == ("1504", 3)


def test_a_side_s_first_ship_faces_the_other_side() -> None:
    ship = added(with_ships(DUEL["ships"][0]), "ships", None)
    assert (ship["seat"], ship["hex"], ship["facing"]) == ("rim", "1516", 0)
    assert examine(GAME, with_ships(DUEL["ships"][0], ship), {}).faults == ()


@st.composite
def set_ups(draw: st.DrawFn) -> dict[str, Any]:
    """Set-ups without faults, any number of ships."""
    columns, rows = draw(st.integers(15, 40)), draw(st.integers(16, 40))
    hexes = st.tuples(st.integers(1, columns), st.integers(1, rows))
    seats = [{"id": "home", "label": draw(st.text("xyz ", min_size=1, max_size=40))}]
    seats.append({"id": "rim", "label": "Rim"})
    ships = [
        {
            "id": f"s{n}",
            "seat": draw(st.sampled_from(("home", "rim"))),
            "kind": draw(st.sampled_from(list(ship_classes()))),
            "name": f"Ship {n}",
            "hex": "{:02}{:02}".format(*draw(hexes)),
            "facing": draw(st.integers(0, 5)),
            "speed": draw(st.integers(0, 12)),
            "crew": draw(st.sampled_from(("green", "regular", "veteran", "elite"))),
            "marked": {"hull": draw(st.integers(0, 2)), "power": draw(st.integers(0, 2))},
        }
        for n in range(draw(st.integers(1, 6)))
    ]
    board = {"columns": columns, "rows": rows}
    return {"title": "T", "board": board, "seats": seats, "ships": ships}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(set_ups(), st.integers(0, 7))
def test_the_next_ship_can_be_played(data: dict[str, Any], like: int) -> None:
    for pattern in (None, like):
        ships = [*data["ships"], added(data, "ships", pattern)]
        assert examine(GAME, {**data, "ships": ships}, {}).faults == ()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(set_ups())
def test_any_set_up_is_the_same_by_text_and_by_form(data: dict[str, Any]) -> None:
    shape = shape_of(GAME)
    again = read(shape, sent_by(form_view(shape, tidy(shape, data), ())))
    assert msgspec.convert(again, Setup) == msgspec.convert(data, Setup)
    assert read_text(data_text(data)).data == data


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    set_ups(),
    st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(Setup.__struct_fields__), junk), max_size=3
    ),
)
def test_nothing_that_is_typed_breaks_the_page(data: dict[str, Any], wrong: list[Any]) -> None:
    """Whatever stands where, there are choices and no failure."""
    data = copy.deepcopy(data)
    for n, name, value in wrong:
        ships = data.get("ships")
        if n < 3 or not isinstance(ships, list) or not ships:
            data[name] = value
        elif isinstance(ships[n % len(ships)], dict):
            row = ships[n % len(ships)]
            row[sorted(row)[n % len(row)] if row else "id"] = value
    assert len(choices(data)["ships.kind"]) == len(ship_classes())
    assert str(added(data, "ships", None)["id"])
    faults = examine(GAME, data, {}).faults
    assert form_view(shape_of(GAME), data, faults).lists
