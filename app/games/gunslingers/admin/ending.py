"""How the game ends (GS-EOT-11 and the scenarios).

Belongs here: the reasons for which it ends, and the winner.
"""

from collections.abc import Mapping

from app.engine.log import Result
from app.games.gunslingers.admin.victory import points
from app.games.gunslingers.model import State

ENDINGS: Mapping[str, str] = {
    "time": "The last turn is over.",
    "left": "A side has nobody left in the fight.",
}


def result(state: State) -> Result | None:
    """How the game has ended at the end of this turn; None when there is another.

    Whoever leads by as much as the scenario asks for wins. Without an enemy from the start there is no winner.
    """
    had = {one.side for one in state.aircraft.values()}
    left = {one.side for one in state.flying()}
    if left != had:
        return _result(state, "left")
    return _result(state, "time") if state.turn >= state.turns else None


def _result(state: State, reason: str) -> Result:
    scores = points(state)
    first, second = sorted(scores, key=lambda side: -scores[side])
    lead = scores[first] - scores[second]
    winners = (first,) if lead >= state.lead else ()
    count = f"{state.sides[first]} {scores[first]}, {state.sides[second]} {scores[second]}"
    told = f"{ENDINGS[reason]} Points: {count}; a lead of {state.lead} wins."
    return Result(reason, told, winners=winners, scores=scores)
