"""Counting: Wilson's interval against values worked out by hand, and sums that add up."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.engine.game import Fate, Game
from app.simulation.charts import charts_of
from app.simulation.counting import Summary, summary_of
from app.simulation.figures import Figure, Groups, Histogram, percent, ticks
from app.simulation.measuring import mean, share
from app.simulation.orders import order_for
from app.simulation.playing import Outcome, Thinking
from app.simulation.running import Failure, Run, run


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        # z² = 3.8415. 8 of 10: (0.8 + 0.19207 ± 1.95996·√(0.016 + 0.009604)) / 1.38415
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),  # 0.38415 / 1.38415
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (1, 1, 0.2065, 1.0),  # 1 / (1 + 3.8415)
        (0, 0, 0.0, 1.0),  # nothing is known
    ],
)
def test_wilson(count: int, of: int, low: float, high: float) -> None:
    part = share(count, of)
    assert (part.low, part.high) == pytest.approx((low, high), abs=5e-5)
    assert 0 <= part.low <= part.rate or of == 0
    assert part.rate <= part.high <= 1


def test_a_mean_and_its_interval_by_hand() -> None:
    # 1, 2, 3, 6: squares 4 + 1 + 0 + 9 = 14, deviation sqrt(14 / 3), half of the interval 1.959964 x
    # 2.160247 / 2.
    found = mean([1, 2, 3, 6])
    assert (found.mean, found.least, found.most) == (3, 1, 6)
    assert found.deviation == pytest.approx(2.160247, abs=1e-6)
    assert (found.low, found.high) == pytest.approx((0.882998, 5.117002), abs=1e-5)
    assert [(one.value, one.games) for one in found.distribution] == [
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 0),
        (5, 0),
        (6, 1),
    ]


def test_a_mean_of_one_and_of_numbers_without_a_distribution() -> None:
    alone = mean([5])
    assert (alone.mean, alone.low, alone.high, alone.deviation) == (5, 5, 5, 0)
    assert mean([0.5, 1]).distribution == ()
    assert mean([0, 24]).distribution == ()
    assert len(mean([0, 23]).distribution) == 24
    assert mean([-2, 0]).distribution[0].value == -2


def made(
    winners: tuple[str, ...] = (),
    turns: int = 4,
    fates: tuple[Fate, ...] = (),
    *,
    reason: str = "time",
    red: int = 0,
    longest: float = 0.002,
    measures: Mapping[str, Mapping[str, Any]] | None = None,
) -> Outcome:
    """An outcome of a game that nobody played."""
    return Outcome(
        seed=1,
        winners=winners,
        reason=reason,
        turns=turns,
        scores={"red": red},
        fates=fates,
        decisions=3,
        seconds=0.5,
        thinking={"red": Thinking(2, 0.004, longest), "blue": Thinking(1, 0.001, 0.001)},
        measures=measures or {},
    )


def summary(*outcomes: Outcome, failures: int = 0, games: int | None = None) -> Summary:
    """The summary of a run with these outcomes."""
    order = order_for("spar", games=games or len(outcomes) + failures, seed=1)
    found = Run(order, dict(enumerate(outcomes)), seconds=2.0)
    found.failures = [Failure(len(outcomes) + n, n, "broken") for n in range(failures)]
    return summary_of(found)


def chart(counted: Summary, figure: str) -> Figure:
    """One of its charts."""
    return next(one for one in charts_of([counted]) if one.id == figure)


@pytest.mark.usefixtures("game")
def test_a_summary_of_known_games() -> None:
    hit, lost = Fate("red1", "red", "hit"), Fate("red2", "red", "lost its leader")
    counted = summary(
        made(("red",), 1, red=4),
        made(("red",), 2, red=1, longest=0.009),
        made(("blue",), 3, (hit, lost), reason="elimination"),
        made((), 4, (hit, Fate("blue1", "blue", "hit"))),
        made(("red",), 9, reason="elimination"),
        failures=1,
    )
    red, blue = counted.sides
    assert (counted.games, counted.whole, len(counted.failures)) == (5, True, 1)
    assert red.wins
    assert blue.wins
    assert counted.draws
    assert (red.wins.count, blue.wins.count, counted.draws.count) == (3, 1, 1)
    assert red.wins == share(3, 5)
    assert (red.score, blue.score) == (1.0, None)
    assert red.lost == {"hit": 2, "lost its leader": 1}
    assert blue.lost == {"hit": 1}
    assert counted.reasons == {"time": 3, "elimination": 2}
    turns = counted.turns
    assert turns is not None
    assert (turns.least, turns.lower_quartile, turns.median) == (1, 2, 3)
    assert (turns.upper_quartile, turns.most, turns.mean) == (4, 9, 3.8)
    assert [bar.games for bar in turns.histogram] == [1, 1, 1, 1, 0, 0, 0, 0, 1]
    assert counted.speed.games_per_second == 2.5
    assert counted.speed.bots["red"].decisions == 10
    assert counted.speed.bots["red"].mean_ms == 2.0
    assert counted.speed.bots["red"].most_ms == 9.0


@pytest.mark.usefixtures("game")
def test_measures_are_shares_and_means_by_hand() -> None:
    counted = summary(
        made(measures={"red": {"home": True, "hits": 4}, "blue": {"home": False}}),
        made(measures={"red": {"home": False, "hits": 0}, "blue": {"home": False}}),
        made(measures={"red": {"home": True, "hits": 2}}),
    )
    red, blue = counted.sides
    assert red.shares == {"home": share(2, 3)}
    assert red.means == {"hits": mean([4, 0, 2])}
    assert red.means["hits"].mean == 2
    # Where a game does not say it, it is not counted as a no.
    assert blue.shares == {"home": share(0, 2)}
    assert blue.means == {}
    home = chart(counted, "share-0")
    assert home.title == "Home, with the 95% interval"
    assert "Red (any): 66.7% (20.8% to 93.9%). Blue (any): 0.0%" in home.text
    assert chart(counted, "mean-0").text == "Red (any): 2.00 (-0.26 to 4.26)"


@pytest.mark.usefixtures("game")
def test_one_game_and_none() -> None:
    turns = summary(made(turns=7)).turns
    assert turns is not None
    assert (turns.lower_quartile, turns.median, turns.upper_quartile) == (7, 7, 7)
    empty = summary(games=10)
    assert (empty.games, empty.whole, empty.turns) == (0, False, None)
    assert charts_of([empty]) == ()


@pytest.mark.usefixtures("game")
def test_a_real_summary_adds_up() -> None:
    played = run(order_for("spar", bots=["any", "first"], games=60, seed=3), jobs=2)
    counted = summary_of(played)
    assert counted.games == 60
    wins = [side.wins.count for side in counted.sides if side.wins]
    assert len(wins) == 2
    assert counted.draws
    assert sum(wins) + counted.draws.count == 60
    assert sum(counted.reasons.values()) == 60
    assert counted.turns is not None
    assert sum(bar.games for bar in counted.turns.histogram) == 60
    fates = [fate for one in played.outcomes.values() for fate in one.fates]
    assert sum(sum(side.lost.values()) for side in counted.sides) == len(fates) > 0
    decisions = sum(one.decisions for one in played.outcomes.values())
    assert sum(pace.decisions for pace in counted.speed.bots.values()) == decisions


@pytest.mark.usefixtures("game")
def test_a_histogram_with_many_lengths_has_columns_for_several_turns_each() -> None:
    lengths = chart(summary(*[made(turns=turn) for turn in range(1, 61)]), "turns")
    assert isinstance(lengths, Histogram)
    columns = lengths.columns
    assert len(columns) == 20
    assert (columns[0].label, columns[-1].label) == ("1–3", "58–60")
    assert all(column.count == 3 for column in columns)


@pytest.mark.usefixtures("game")
def test_charts_say_everything_in_words() -> None:
    hit = Fate("red1", "red", "hit")
    counted = summary(made(("red",), 2, (hit,)), made((), 5))
    assert "Red (any): 50.0% (9.5% to 90.5%)" in chart(counted, "wins").text
    assert "Draws: 50.0%" in chart(counted, "wins").text
    assert "2 turns: 1, 5 turns: 1" in chart(counted, "turns").text
    losses = chart(counted, "losses")
    assert isinstance(losses, Groups)
    assert losses.text == "hit: Red 1, Blue 0"


def test_percent_and_ticks() -> None:
    assert [percent(part) for part in (0, 0.5, 0.9999, 1)] == ["0.0%", "50.0%", "99.9%", "100%"]
    assert ticks(0) == (0, 1)
    assert ticks(3) == (0, 1, 2, 3)
    assert ticks(177) == (0, 50, 100, 150, 200)
    assert ticks(786) == (0, 200, 400, 600, 800)
    for most in range(1, 3000, 7):
        marks = ticks(most)
        assert marks[-1] >= most > marks[-2]
        assert 2 <= len(marks) <= 6


def test_seeds_are_exact_in_json(game: Game[Any]) -> None:
    order = order_for(game.meta.id, games=1000, seed=5)
    seeds = [order.seed_of(n) for n in range(1000)]
    assert seeds[0] == 5
    assert len(set(seeds)) == 1000
    assert all(seed == int(float(seed)) for seed in seeds)
