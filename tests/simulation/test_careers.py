"""Careers: one mission leads to the next until somebody is lost, and what many of them come to."""

import csv
import io
import itertools
import json
from typing import Any

import msgspec
import pytest

from app.engine.errors import Illegal
from app.engine.game import Game, Standing
from app.games import registry
from app.simulation.career_counting import CareerSummary, career_summary_of
from app.simulation.careers import Career, play_career
from app.simulation.charts import career_charts_of
from app.simulation.figures import Lines
from app.simulation.measuring import mean, share
from app.simulation.orders import Order, derived_seed, order_for
from app.simulation.playing import play_one
from app.simulation.running import Run, run
from app.simulation.tables import tables_of
from app.simulation.writing import csv_of, json_of

pytestmark = pytest.mark.usefixtures("solo")


def ordered(bot: str = "brave", *, games: int = 40, missions: int = 6, seed: int = 1) -> Order:
    """An order for careers."""
    return order_for("sortie", bots=[bot], games=games, seed=seed, missions=missions)


def career(seed: int, bot: str = "brave", missions: int = 6) -> Career:
    """One career."""
    return play_career(registry.load("sortie"), ordered(bot, missions=missions), seed)


def made(missions: int, *points: float, over: bool, medal: bool = False) -> Career:
    """A career that nobody flew."""
    return Career(
        seed=1,
        missions=missions,
        over=over,
        ending="lost" if over else "back",
        totals={"pilot": {"points": points}},
        honours={"pilot": {"awards": {"medal": medal}}},
        decisions=missions,
        seconds=0.5,
        thinking={},
    )


def counted(*careers: Career, missions: int = 3) -> CareerSummary:
    """What these say together."""
    found = Run(ordered(games=len(careers), missions=missions), seconds=2.0)
    found.careers = {
        n: msgspec.structs.replace(one, thinking={"pilot": played.thinking["pilot"]})
        for played in [career(1)]
        for n, one in enumerate(careers)
    }
    return career_summary_of(found)


def test_a_career_ends_when_the_pilot_is_lost() -> None:
    """In twelve missions only (5/6)^12 = 11 % are not, so among forty there are both kinds."""
    careers = [career(seed, missions=12) for seed in range(40)]
    lost = [one for one in careers if one.over]
    assert lost
    assert len(lost) < 40
    for one in careers:
        points = one.totals["pilot"]["points"]
        assert len(points) == one.missions == one.decisions <= 12
        assert (one.ending == "lost") == one.over
        gained = [after - before for before, after in zip((0, *points), points, strict=False)]
        # Only a 1 brings nothing, and after it nothing more is flown.
        assert [gain == 0 for gain in gained] == [False] * (one.missions - one.over) + [
            True
        ] * one.over
        assert one.missions == 12 or one.over


def test_who_turns_back_flies_every_mission_and_gains_nothing() -> None:
    one = career(7, "wary")
    assert (one.missions, one.over) == (6, False)
    assert one.totals["pilot"] == {"missions": (1, 2, 3, 4, 5, 6), "points": (0,) * 6}
    assert one.honours["pilot"]["rank"] == {"novice": True, "expert": False, "legend": False}


def test_the_first_mission_is_the_game_of_the_same_seed_and_the_others_are_not() -> None:
    game = registry.load("sortie")
    setup = game.scenarios["first"].setup
    first: list[float] = []
    later: list[float] = []
    for seed in range(60):
        alone = play_one(game, setup, {}, {"pilot": "brave"}, seed)
        points = career(seed).totals["pilot"]["points"]
        assert points[0] == alone.scores["pilot"]
        first.append(points[0])
        later.append((points[1:2] or points)[-1] - points[0])
    assert first != later


def test_no_career_shares_missions_with_another() -> None:
    """Were mission 2 of the first career mission 1 of the second, luck would be counted twice."""
    order = ordered(games=50)
    seeds = {
        derived_seed(order.seed_of(career), "mission ", mission)
        for career in range(50)
        for mission in range(50)
    }
    assert len(seeds) == 2500


def test_a_summary_of_known_careers() -> None:
    """Three missions: one lost in the first, one in the third, two still flying after it."""
    found = counted(
        made(1, 0, over=True),
        made(3, 4, 9, 9, over=True, medal=True),
        made(3, 2, 4, 6, over=False),
        made(3, 6, 8, 13, over=False, medal=True),
    )
    assert (found.careers, found.games, found.whole) == (4, 4, True)
    assert found.survival == (share(3, 4), share(3, 4), share(2, 4))
    assert found.missions == mean([1, 3, 3, 3])
    (side,) = found.sides
    # Who is lost keeps his 0 points, and is still counted.
    assert [one.mean for one in side.totals["points"]] == [3.0, 5.25, 7.0]
    assert side.honours == {"awards": {"medal": share(2, 4)}}
    assert found.endings == {"back": 2, "lost": 2}
    assert found.speed.games_per_second == 5.0  # ten missions in two seconds


def test_survival_counts_add_up() -> None:
    order = ordered(games=300, missions=5)
    result = run(order, jobs=2)
    assert result.whole
    found = career_summary_of(result)
    left = [300, *(one.count for one in found.survival)]
    assert left == sorted(left, reverse=True)
    ended = [
        sum(one.over and one.missions == n for one in result.careers.values()) for n in range(1, 6)
    ]
    assert [before - after for before, after in itertools.pairwise(left)] == ended
    assert left[5] == found.endings["back"]
    # 5/6 go on each time; four standard errors at the widest.
    for n, part in enumerate(found.survival, start=1):
        assert part.rate == pytest.approx((5 / 6) ** n, abs=4 * 0.5 / 300**0.5)
    (side,) = found.sides
    novice, expert, legend = side.honours["rank"].values()
    assert novice.count + expert.count == 300
    assert legend == share(0, 300)


def test_careers_do_not_depend_on_the_number_of_processes() -> None:
    def untimed(jobs: int) -> list[Career]:
        found = run(ordered("fickle"), jobs=jobs).careers
        return [msgspec.structs.replace(one, seconds=0.0, thinking={}) for one in found.values()]

    assert untimed(1) == untimed(3)


def test_a_mission_that_fails_fails_its_career_with_its_seed() -> None:
    order = ordered("clumsy", games=30, missions=8)
    result = run(order, jobs=2)
    assert result.whole
    assert 0 < len(result.failures) < 30
    failure = result.failures[0]
    assert failure.seed == order.seed_of(failure.number)
    assert "ZeroDivisionError" in failure.error
    again = run(ordered("clumsy", games=1, missions=8, seed=failure.seed), jobs=1)
    assert [one.error for one in again.failures] == [failure.error]


def test_what_can_t_be_is_refused(game: Game[Any]) -> None:
    with pytest.raises(Illegal, match="no careers"):
        order_for("osaaf", games=1, seed=1, missions=2)
    for missions in (-1, 1001):
        with pytest.raises(Illegal, match="1 to 1000 missions"):
            ordered(missions=missions)


def test_tables_and_charts_say_the_same() -> None:
    found = counted(made(1, 0, over=True), made(2, 4, 6, over=False), missions=2)
    survival, totals, awards = tables_of([found])
    assert [label for label, _ in survival.rows] == ["1", "2"]
    assert survival.rows[1][1] == ("50.0% (9.5% to 90.5%)",)
    assert totals.title == "mean after 2 missions"
    assert totals.rows[0] == ("points", ("3.00 (-2.88 to 8.88)",))
    assert awards.rows == (("medal", ("0.0% (0.0% to 65.8%)",)),)
    line, points = career_charts_of([found])
    assert isinstance(line, Lines)
    assert line.text == "brave: mission 1: 50.0% (9.5% to 90.5%), mission 2: 50.0% (9.5% to 90.5%)"
    assert [(one.x, one.y) for one in line.lines[0].points] == [(0, 0.5), (1, 0.5)]
    assert isinstance(points, Lines)
    assert points.title == "Mean points so far, with the 95% interval"
    assert not career_charts_of([counted(missions=2)])


def test_csv_and_json_of_careers() -> None:
    result = run(ordered(games=25), jobs=2)
    rows = list(csv.DictReader(io.StringIO(csv_of([result]))))
    assert list(rows[0]) == [
        "career",
        "seed",
        "missions",
        "over",
        "ending",
        "decisions",
        "seconds",
        "pilot: missions",
        "pilot: points",
        "pilot: rank",
        "pilot: awards",
        "error",
    ]
    found = career_summary_of(result)
    survivors = found.survival[-1].count
    assert sum(row["over"] == "0" for row in rows) == survivors
    points = sum(int(row["pilot: points"]) for row in rows) / 25
    assert points == pytest.approx(found.sides[0].totals["points"][-1].mean)
    for row in rows:
        assert row["pilot: rank"] == ("expert" if int(row["pilot: points"]) >= 10 else "novice")
    data = json.loads(json_of([found]))
    assert set(data) == set(CareerSummary.__struct_fields__)
    assert msgspec.json.decode(json_of([found]), type=CareerSummary, strict=True) == found
    assert len(data["survival"]) == 6


real_games = pytest.mark.parametrize("game_id", list(registry.metas()))


@real_games
def test_what_games_measure_is_of_their_seats_and_can_be_sent(game_id: str) -> None:
    real = registry.load(game_id)
    if not real.bots:
        return  # nobody plays it by itself, so it is in no simulation
    for scenario in real.scenarios.values():
        setup: Any = msgspec.convert(scenario.setup, real.setup)
        seats = {seat.id: real.bots[0].id for seat in real.seats(setup)}
        outcome = play_one(real, scenario.setup, {}, seats, 1)
        assert set(outcome.measures) <= set(seats)
        sent = msgspec.msgpack.encode(outcome)
        assert msgspec.msgpack.decode(sent, type=type(outcome)) == outcome


@real_games
def test_careers_of_every_game_lead_on(game_id: str) -> None:
    real = registry.load(game_id)
    if real.next_setup is None:
        return
    for scenario in real.scenarios:
        order = order_for(game_id, scenario=scenario, games=1, seed=1, missions=3)
        for one in (play_career(real, order, seed) for seed in range(4)):
            assert one.missions == 3 or one.over
            assert set(one.totals) == set(one.honours) == set(order.bots)
            for totals in one.totals.values():
                assert all(len(each) == one.missions for each in totals.values())


def test_a_standing_needs_no_honours() -> None:
    assert Standing({"points": 1}).honours == {}
