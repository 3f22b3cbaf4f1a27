"""What many missions are compared by, and whether the game feels as it should."""

from typing import Any

import msgspec
import pytest

from app.games import registry
from app.games.f14_tomcats.measures import measures, next_setup, standings
from app.games.f14_tomcats.model import Career, State, Target
from app.games.f14_tomcats.setup import Setup, start
from app.simulation.counting import Side, summary_of
from app.simulation.orders import order_for
from app.simulation.running import run

PAIR = registry.load("f14-tomcats").scenarios["pair"].setup


def ended(*, lost: bool = False) -> tuple[State, Any]:
    """Leader and wingman after a mission: one is home, the other was shot down."""
    state = start(msgspec.convert(PAIR, Setup), registry.load("f14-tomcats").rulebook.settle({}))
    one, two = state.jets.values()
    record = Career(rank="Captain", missions=7, points=20, kills=24, awards=("Ace",))
    home = msgspec.structs.replace(one, status="landed", damage=3, points=3, kills=4, record=record)
    saved = Career(missions=1, points=3, purple_hearts=1)
    down = msgspec.structs.replace(
        two, status="lost" if lost else "rescued", damage=7, points=3, record=saved
    )
    targets = (
        Target(id="primary", waypoint=5, type="HQ Bunker", points=3, needs=3, damage=3),
        Target(id="secondary", waypoint=9, type="Fuel Dump", points=2, needs=2, damage=1),
    )
    jets = {one.id: home, two.id: down}
    return msgspec.structs.replace(state, jets=jets, targets=targets), PAIR


def test_measures_by_hand() -> None:
    state, _ = ended()
    one, two = measures(state).values()
    assert one == {
        "home": True,
        "rescued": False,
        "lost": False,
        "both targets": False,
        "one target": True,
        "no target": False,
        "targets destroyed": 1,
        "points": 3,
        "kills": 4,
        "damage": 3,
        "bursts left": 10,
    }
    assert (two["home"], two["rescued"], two["lost"]) == (False, True, False)


def test_the_next_mission_begins_at_home_with_the_record() -> None:
    state, setup = ended()
    worn = {
        **setup,
        "waypoint": 4,
        "targets": [{"waypoint": 5, "type": "bridge"}, {"waypoint": 9, "type": "bridge"}],
        "pilots": [{**pilot, "damage": 2, "stores": {"cannon": 1}} for pilot in setup["pilots"]],
    }
    data = next_setup(state, worn)
    assert data is not None
    after = msgspec.convert(data, Setup)
    assert [pilot.call_sign for pilot in after.pilots] == ["Anvil", "Bishop"]
    assert after.pilots[0].career == state.jets["jet-1"].record
    assert (after.waypoint, after.targets) == (1, ())
    assert all(pilot.damage == 0 and pilot.stores is None for pilot in after.pilots)


def test_a_pilot_who_is_lost_ends_the_career_of_both() -> None:
    assert next_setup(*ended(lost=True)) is None


def test_standings_by_hand() -> None:
    one, two = standings(ended()[0]).values()
    assert one.totals == {"missions": 7, "points": 20, "kills": 24}
    assert [rank for rank, held in one.honours["rank"].items() if held] == ["Captain"]
    assert next(iter(one.honours["rank"])) == "2nd Lt"
    assert [award for award, held in one.honours["awards"].items() if held] == ["Ace"]
    assert [award for award, held in two.honours["awards"].items() if held] == ["Purple Heart"]


@pytest.fixture(scope="module")
def steady() -> Side:
    """Four thousand missions by the policy that the rulebook's numbers are of."""
    summary = summary_of(run(order_for("f14-tomcats", bots=["steady"], games=4000, seed=1)))
    assert summary.games == 4000
    (side,) = summary.sides
    return side


GAMES = 1 / 4000 + 1 / 20_000
"""The rulebook's numbers are of 20,000 missions themselves, and are rounded."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "percent"),
    [
        ("home", 52),
        ("rescued", 32),
        ("lost", 16),
        ("both targets", 35),
        ("one target", 47),
        ("no target", 18),
    ],
)
def test_missions_end_as_often_as_they_should(steady: Side, label: str, percent: int) -> None:
    """Within three and a half standard errors: all eight numbers hold in all but one of 300 seeds."""
    rate = percent / 100
    bound = 0.005 + 3.5 * (rate * (1 - rate) * GAMES) ** 0.5
    assert steady.shares[label].rate == pytest.approx(rate, abs=bound)


@pytest.mark.slow
@pytest.mark.parametrize(("label", "number"), [("points", 2.8), ("kills", 3.5)])
def test_missions_bring_as_much_as_they_should(steady: Side, label: str, number: float) -> None:
    found = steady.means[label]
    bound = 0.05 + 3.5 * found.deviation * GAMES**0.5
    assert found.mean == pytest.approx(number, abs=bound)
