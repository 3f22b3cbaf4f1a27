"""The end of a turn, and of the game (OSAAF-SQ-2): fuel (FU), then victory (VC).

Belongs here: what the turn has cost, whether the game is over, why, and for whom.
"""

from collections.abc import Mapping

from app.engine.log import Finished, Result
from app.engine.sequence import Effect, Todo
from app.games.osaaf.energy import DRY_FUEL, LIT_FUEL
from app.games.osaaf.events import Burn, FuelBurnt
from app.games.osaaf.model import Jet, State

ENDINGS: Mapping[str, str] = {
    "turns": "The last turn of the scenario is over.",
    "side-out": "A side has no jet on the board and none due back.",
}

DOWN_POINTS, HIT_POINTS, DISENGAGED_POINTS = 3, 1, 1
"""OSAAF-VC-2: for an enemy that is down, for each hit on one that is not, for one that is out for good."""


def todo(state: State) -> Todo:
    """OSAAF-SQ-2: the fuel of this turn, then the game's end, or None when there is another turn."""
    if state.rulings.fuel == "on" and not state.burnt:
        return Effect(FuelBurnt(tuple(map(burn, _left(state)))), "OSAAF-FU-1", "Fuel")
    result = side_out(state) or turns_over(state)
    return None if result is None else Effect(Finished(result), "OSAAF-VC-1", "End of the game")


def burn(jet: Jet) -> Burn:
    """OSAAF-FU-1: 1 a turn, 3 with afterburner; also for a turn off the board (OSAAF-ED-1)."""
    cost = min(jet.fuel, LIT_FUEL if jet.lit else DRY_FUEL)
    return Burn(jet.id, cost, jet.fuel - cost)


def side_out(state: State) -> Result | None:
    """OSAAF-VC-1: a side that had jets has none left; alone on the board, one side just ends."""
    had = {jet.seat for jet in state.jets.values()}
    left = tuple(seat for seat in state.sides if any(jet.seat == seat for jet in _left(state)))
    if len(left) == len(had):
        return None
    out = [label for seat, label in state.sides.items() if seat in had and seat not in left]
    return _result(state, "side-out", f"Out: {' and '.join(out)}.", left)


def turns_over(state: State) -> Result | None:
    """OSAAF-VC-1: the last turn is over."""
    if state.turn < state.turns:
        return None
    return _result(state, "turns", "", ())


def _result(state: State, reason: str, which: str, unscored: tuple[str, ...]) -> Result:
    """The end with its points; `unscored` are the winners where no points are counted."""
    told = " ".join(filter(None, (ENDINGS[reason], which, _flying(state))))
    had = {jet.seat for jet in state.jets.values()}
    if state.rulings.victory == "off" or len(had) < len(state.sides):
        return Result(reason, told, winners=unscored)
    points = {seat: score(state, seat) for seat in state.sides}
    best = max(points.values())
    ahead = tuple(seat for seat, count in points.items() if count == best)
    winners = ahead if len(ahead) < len(points) else ()
    return Result(reason, told, winners=winners, scores=points)


def score(state: State, seat: str) -> int:
    """OSAAF-VC-2: the points of a side, from what has become of the other's jets."""
    return sum(_worth(jet) for jet in state.jets.values() if jet.seat != seat)


def _worth(jet: Jet) -> int:
    if jet.status in ("crashed", "shot-down"):
        return DOWN_POINTS
    return jet.hits * HIT_POINTS + (DISENGAGED_POINTS if jet.status == "gone" else 0)


def _left(state: State) -> list[Jet]:
    return [jet for jet in state.jets.values() if jet.status in ("flying", "away")]


def _flying(state: State) -> str:
    names = ", ".join(jet.name for jet in _left(state))
    return f"Still flying: {names}." if names else "Nobody is still flying."
