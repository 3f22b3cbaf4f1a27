"""Rulings that change a rule by themselves: each is shown with both of its answers."""

import pytest

from app.games.gunslingers.flight import energy, flying, move_facts, starts
from app.games.gunslingers.flight.windows import threatened
from app.games.gunslingers.guns.aspect import attack_arc
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.missiles.launch import launch_number
from app.games.gunslingers.model import Activation, Settings, State
from app.games.gunslingers.order.advantage import advantage
from tests.games.gunslingers.table import craft, position


@pytest.mark.parametrize(("how", "advantaged"), [("map", True), ("slant", False)])
def test_nine_hexes_on_the_map_or_with_levels(how: str, advantaged: bool) -> None:
    """A-14: nine hexes away and two levels higher is nine hexes, or ten."""
    state = position(
        craft(place="2015", altitude=15),
        craft(side="red", place="2006", altitude=17, sighted=True),
        rulings={"nine_hexes": how},
    )
    found = advantage(state, state.aircraft["a"], state.aircraft["b"])
    assert (found is not None) is advantaged


@pytest.mark.parametrize(
    ("how", "speeds", "arc"),
    [
        ("simple", (5.0, 6.0), 120),
        ("faster-forward", (5.0, 5.0), 120),
        ("faster-forward", (5.0, 6.0), 150),  # the other goes on to 2412
        ("faster-forward", (6.0, 5.0), 120),  # this one goes on to 2014
    ],
)
def test_the_border_of_an_attack_and_of_a_threat(
    how: str, speeds: tuple[float, float], arc: int
) -> None:
    """GS-G-14: 2413 is exactly 60 degrees off the nose of who is at 2015 and faces north."""
    state = position(
        craft(speed=speeds[0], sighted=True),
        craft(side="red", place="2413", speed=speeds[1]),
        rulings={"border": how},
    )
    one, other = state.aircraft["a"], state.aircraft["b"]
    assert attack_arc(state, one, other.pos, other.facing, other.speed) == arc
    assert threatened(state, other, one) is (arc == 150)


@pytest.mark.parametrize(("how", "modifier"), [("on", 3), ("off", 0)])
def test_a_launch_into_the_sun(how: str, modifier: int) -> None:
    """GS-C-21, GS-G-19: three hexes north and four levels up, the sun in the north."""
    state = position(
        craft(),
        craft(side="red", place="2012", altitude=22),
        rulings={"sun": how},
        sun={"facing": 0, "ratio": 1.0},
    )
    one, other = state.aircraft["a"], state.aircraft["b"]
    for missile, expected in (("ir-rear", modifier), ("rh-medium", 0)):
        number = launch_number(state, one, other, printed_missiles()[missile])
        assert number.modifier == expected


@pytest.mark.parametrize(("how", "carry"), [("on", 0.5), ("off", 0.0)])
def test_half_a_flight_point_is_kept_or_lost(how: str, carry: float) -> None:
    """TV-60: at 5.5 without a carry five points are flown, and a half is left."""
    state = position(
        craft(speed=5.5), rulings={"half_fp": how}, activation=Activation(aircraft="a")
    )
    state = _after(
        state, starts.chosen(state, state.aircraft["a"], Settings(flight_type="LVL", power="M"))
    )
    for _ in range(5):
        state = _after(state, flying.flew(state, state.aircraft["a"], _move(state), "H"))
    account = energy.settle(state, state.aircraft["a"], _move(state)).account.value
    assert account is not None
    assert account.fp_carry == carry


def _move(state: State) -> Activation:
    assert state.activation is not None
    return state.activation


def _after(state: State, event: move_facts.SettingsChosen | move_facts.Flew) -> State:
    after = move_facts.evolve(state, event)
    assert after is not None
    return after
