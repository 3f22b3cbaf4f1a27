"""Bots compared in one seat: the same seeds for each, and results side by side."""

import csv
import io
import itertools
import json

import pytest

from app.engine.errors import Illegal
from app.simulation.charts import charts_of
from app.simulation.counting import Summary
from app.simulation.figures import Bars, Lines, Value, bars, lines
from app.simulation.orders import compared, order_for
from app.simulation.results import counted, plain, results_of
from app.simulation.running import Run, run, run_all
from app.simulation.tables import tables_of
from app.simulation.writing import command_line, csv_of, json_of

pytestmark = pytest.mark.usefixtures("solo")

BOTS = ("brave", "wary", "fickle")


def played(games: int = 30, *, missions: int = 0, jobs: int = 2) -> tuple[Run, ...]:
    """The same games for three bots."""
    order = order_for("sortie", games=games, seed=3, missions=missions)
    return run_all(compared(order, BOTS), jobs=jobs)


def test_each_bot_plays_the_same_seeds() -> None:
    runs = played()
    seeds = [[one.seed for one in result.outcomes.values()] for result in runs]
    assert seeds[0] == seeds[1] == seeds[2]
    assert len(set(seeds[0])) == 30
    brave, wary, fickle = runs
    assert all(one.scores["pilot"] == 0 for one in wary.outcomes.values())
    # Whenever the fickle one presses on, the die falls as it does for the brave one.
    on = [n for n, one in fickle.outcomes.items() if one.scores["pilot"]]
    assert on
    assert all(fickle.outcomes[n].scores == brave.outcomes[n].scores for n in on)


def test_what_comes_out_is_what_each_would_get_alone() -> None:
    runs = played(jobs=3)
    for result in runs:
        alone = run(result.order, jobs=1)
        scores = [one.scores for one in alone.outcomes.values()]
        assert [one.scores for one in result.outcomes.values()] == scores


def test_one_that_is_cut_short_has_played_as_much_for_each() -> None:
    order = order_for("sortie", games=4000, seed=3)
    done = 0

    def progress(now: int) -> None:
        nonlocal done
        done = now

    runs = run_all(compared(order, BOTS), progress, lambda: done >= 60, jobs=1)
    numbers = [result.done for result in runs]
    assert 60 <= sum(numbers) < 12_000
    assert max(numbers) - min(numbers) <= 1


def test_the_time_is_shared_out() -> None:
    runs = played(games=60)
    assert all(result.seconds > 0 for result in runs)
    games = [sum(one.seconds for one in result.outcomes.values()) for result in runs]
    for result, own in zip(runs, games, strict=True):
        whole = sum(one.seconds for one in runs)
        assert result.seconds / whole == pytest.approx(own / sum(games))


def test_what_can_t_be_compared_is_refused() -> None:
    order = order_for("sortie", games=1, seed=1)
    with pytest.raises(Illegal, match="brave, wary"):
        compared(order, ["brave", "nobody"])
    for bots in (["brave"], ["brave", "brave"], []):
        with pytest.raises(Illegal, match="two bots or more"):
            compared(order, bots)
    pair = order_for("f14-tomcats", scenario="pair", games=1, seed=1)
    with pytest.raises(Illegal, match="has 2"):
        compared(pair, ["steady", "bold"])


def test_there_are_no_wins_where_nobody_can_win() -> None:
    results = plain(results_of(played()))
    for summary in results:
        assert summary.draws is None
        assert all(side.wins is None for side in summary.sides)
    text = " ".join(figure.title for figure in charts_of(results))
    assert "won" not in text
    assert [figure.id for figure in charts_of(results)] == ["share-0", "mean-0", "mean-1"]
    # Alone, how often each number came is shown instead; halves have no such chart.
    alone = charts_of(results[:1])
    assert [figure.id for figure in alone] == ["shares", "mean-0", "turns"]


def test_tables_stand_side_by_side() -> None:
    results = results_of(played())
    (table,) = tables_of(results, {"brave": "Brave"})
    assert [head.label for head in table.heads] == ["Brave", "wary", "fickle"]
    assert [label for label, _ in table.rows] == ["lost", "points, mean", "half, mean"]
    assert table.rows[0][1][1] == "0.0% (0.0% to 11.4%)"  # 3.8415 / 33.8415
    assert table.rows[1][1][1] == "0.00 (0.00 to 0.00)"
    assert counted(results) == "30 games for each bot"


def test_csv_and_json_say_whose_game_it_is() -> None:
    runs = played()
    rows = list(csv.DictReader(io.StringIO(csv_of(runs))))
    assert list(rows[0])[:3] == ["policy", "game", "seed"]
    assert [sum(row["policy"] == bot for row in rows) for bot in BOTS] == [30, 30, 30]
    data = json.loads(json_of(results_of(runs)))
    assert list(data) == ["compared"]
    assert list(data["compared"]) == list(BOTS)
    for bot, result in data["compared"].items():
        assert set(result) == set(Summary.__struct_fields__)
        mine = [row for row in rows if row["policy"] == bot]
        lost = sum(int(row["pilot: lost"]) for row in mine)
        assert result["sides"][0]["shares"]["lost"]["count"] == lost
        halves = sum(float(row["pilot: half"]) for row in mine) / 30
        assert result["sides"][0]["means"]["half"]["mean"] == pytest.approx(halves)


def test_the_command_plays_them_again() -> None:
    orders = [result.order for result in played(games=2, missions=4)]
    words = "python -m app simulate sortie --scenario first --games 2 --career 4"
    assert command_line(orders) == f"{words} --compare brave,wary,fickle --seed 3"
    assert command_line(orders[1:2]) == f"{words} --a wary --seed 3"


def value(number: float, low: float, high: float) -> Value:
    """A number with its interval."""
    return Value(number, low, high, str(number))


def test_bars_below_nothing_begin_at_nothing() -> None:
    figure = bars(
        "x", "X", [("a", "first", value(-1, -2, 0)), ("b", "", value(2, 1, 3))], rates=False
    )
    assert isinstance(figure, Bars)
    assert [label for _, label in figure.ticks] == ["-2", "0", "2", "4"]
    first, second = figure.rows
    assert (first.zero, first.end, first.low, first.high) == pytest.approx((1 / 3, 1 / 6, 0, 1 / 3))
    assert (second.zero, second.end) == pytest.approx((1 / 3, 2 / 3))


def test_labels_of_lines_do_not_cover_each_other() -> None:
    ends = [0.5, 0.51, 0.0, 0.02, 1.0]
    drawn = [(str(n), "", [value(end, end, end)] * 3) for n, end in enumerate(ends)]
    figure = lines("x", "X", "mission", drawn, rates=True)
    assert isinstance(figure, Lines)
    placed = sorted(line.end for line in figure.lines)
    gaps = [after - before for before, after in itertools.pairwise(placed)]
    assert min(gaps) >= 0.1 - 1e-9
    assert 0 <= placed[0] <= placed[-1] <= 1
    order = sorted(range(5), key=lambda n: figure.lines[n].end)
    assert order == sorted(range(5), key=lambda n: ends[n])
    assert [label for _, label in figure.across] == ["1", "2", "3"]


def test_the_last_mission_is_always_numbered() -> None:
    for most in (2, 7, 12, 20, 33):
        drawn = [("a", "", [value(0, 0, 0)] * most)]
        numbers = [int(label) for _, label in lines("x", "X", "m", drawn, rates=True).across]
        assert numbers[0] == 1
        assert numbers[-1] == most
