"""What many games are compared by."""

from msgspec.structs import replace

from app.games.war_in_space.measures import measures
from app.games.war_in_space.model import Boxes, State
from app.simulation.counting import summary_of
from app.simulation.orders import order_for
from app.simulation.running import run
from tests.games.war_in_space.table import Table, setup


def ended() -> State:
    """Side A lost a Frigate and has a crippled Cruiser; of side B one withdrew and one is sound."""
    ships = [{}, {"kind": "frigate"}, {"seat": "b"}, {"seat": "b", "kind": "dreadnought"}]
    state = Table(setup(ships)).state
    changes = {
        "a1": {"marked": Boxes(hull=4, engine=1)},
        "a2": {"status": "destroyed", "marked": Boxes(hull=5)},
        "b1": {"status": "withdrawn", "marked": Boxes(hull=1)},
        "b2": {"marked": Boxes(shield=2)},
    }
    after = {name: replace(ship, **changes[name]) for name, ship in state.ships.items()}
    return replace(state, ships=after)


def test_measures_by_hand() -> None:
    assert measures(ended()) == {
        "a": {
            "wiped out": False,
            "points": 4,  # half a Cruiser's 8
            "own ships destroyed": 1,
            "own ships withdrawn": 0,
            "own ships crippled": 1,
            "own boxes marked": 5,
        },
        "b": {
            "wiped out": False,
            "points": 9,  # a Frigate's 5 and half of a Cruiser's 8
            "own ships destroyed": 0,
            "own ships withdrawn": 1,
            "own ships crippled": 0,
            "own boxes marked": 2,
        },
    }


def test_a_side_is_wiped_out_when_all_its_ships_are_destroyed() -> None:
    state = ended()
    gone = replace(state.ships["a1"], status="destroyed")
    counted = measures(replace(state, ships={**state.ships, "a1": gone}))
    assert (counted["a"]["wiped out"], counted["b"]["wiped out"]) == (True, False)


def test_a_side_that_has_no_ships_lost_none() -> None:
    assert measures(Table(setup([{}])).state)["b"]["wiped out"] is False


def test_many_games_are_counted_by_them() -> None:
    summary = summary_of(
        run(order_for("war-in-space", bots=["captain", "captain"], games=6, seed=1))
    )
    assert summary.games == 6
    for side in summary.sides:
        assert set(side.shares) == {"wiped out"}
    first, second = summary.sides
    lost = first.means["own ships destroyed"].mean + second.means["own ships destroyed"].mean
    assert lost == first.shares["wiped out"].rate + second.shares["wiped out"].rate
