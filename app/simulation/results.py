"""Results: what came of orders, be they for games or for careers.

Belongs here: which of the two it is, for those who show either. Does not belong here: how each is counted,
charted or shown.
"""

from collections.abc import Mapping, Sequence

from app.simulation.career_counting import CareerSummary, career_summary_of
from app.simulation.charts import career_charts_of, charts_of
from app.simulation.counting import Summary, summary_of
from app.simulation.figures import Figure
from app.simulation.orders import Order
from app.simulation.running import Run

Result = Summary | CareerSummary


def results_of(runs: Sequence[Run]) -> tuple[Result, ...]:
    """One for each order that was carried out."""
    return tuple(career_summary_of(run) if run.order.missions else summary_of(run) for run in runs)


def plain(results: Sequence[Result]) -> list[Summary]:
    """Those of games; none where careers were asked for."""
    return [result for result in results if isinstance(result, Summary)]


def careers(results: Sequence[Result]) -> list[CareerSummary]:
    """Those of careers; none where games were asked for."""
    return [result for result in results if isinstance(result, CareerSummary)]


def figures_of(
    results: Sequence[Result], titles: Mapping[str, str] | None = None
) -> tuple[Figure, ...]:
    """Their charts. `titles` names bots for people."""
    if found := careers(results):
        return career_charts_of(found, titles)
    return charts_of(plain(results), titles)


def asked_for(orders: Sequence[Order]) -> str:
    """What orders are for: "200 games", "50 careers of up to 20 missions for each bot"."""
    return _phrase([order.games for order in orders], orders[0].missions)


def counted(results: Sequence[Result]) -> str:
    """What was finished, in the same words; of several, how many for each."""
    return _phrase([result.games for result in results], results[0].order.missions)


def _phrase(games: Sequence[int], missions: int) -> str:
    least, most = min(games), max(games)
    number = str(most) if least == most else f"{least} to {most}"
    what = ("career" if missions else "game") + ("s" if most != 1 else "")
    of = f" of up to {missions} missions" if missions else ""
    return f"{number} {what}{of}" + (" for each bot" if len(games) > 1 else "")
