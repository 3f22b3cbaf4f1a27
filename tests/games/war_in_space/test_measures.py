"""What many games are compared by."""

from msgspec.structs import replace

from app.engine.log import Result
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
    result = Result("turns", "", winners=("b",))
    return replace(state, turn=15, ships=after, result=result)


def test_measures_by_hand() -> None:
    assert measures(ended()) == {
        "a": {
            "won": False,
            "wiped out": False,
            "points": 4,  # half a Cruiser's 8
            "destroyed": 1,
            "withdrawn": 0,
            "crippled": 1,
            "boxes marked": 5,
            "turns": 15,
        },
        "b": {
            "won": True,
            "wiped out": False,
            "points": 9,  # a Frigate's 5 and half of a Cruiser's 8
            "destroyed": 0,
            "withdrawn": 1,
            "crippled": 0,
            "boxes marked": 2,
            "turns": 15,
        },
    }


def test_a_side_is_wiped_out_when_all_its_ships_are_destroyed() -> None:
    state = ended()
    gone = replace(state.ships["a1"], status="destroyed")
    counted = measures(replace(state, ships={**state.ships, "a1": gone}))
    assert (counted["a"]["wiped out"], counted["b"]["wiped out"]) == (True, False)


def test_many_games_are_counted_by_them() -> None:
    summary = summary_of(run(order_for("war-in-space", bots=["simple", "simple"], games=6, seed=1)))
    assert summary.games == 6
    for side in summary.sides:
        assert set(side.shares) == {"won", "wiped out"}
        assert 1 <= side.means["turns"].mean <= 15
    first, second = summary.sides
    lost = first.means["destroyed"].mean + second.means["destroyed"].mean
    assert lost == first.shares["wiped out"].rate + second.shares["wiped out"].rate
