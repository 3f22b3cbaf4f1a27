"""The end of a turn, and of the game (OSAAF-SQ-2, OSAAF-VC-1).

Belongs here: whether it is over and why. Points follow with combat, so a side wins only by having the
last jets.
"""

from collections.abc import Mapping

from app.engine.log import Finished, Result
from app.engine.sequence import Effect, Todo
from app.games.osaaf.model import Jet, State

ENDINGS: Mapping[str, str] = {
    "turns": "The last turn of the scenario is over.",
    "side-out": "A side has no jet on the board and none due back.",
}


def todo(state: State) -> Todo:
    """OSAAF-VC-1: the game's end, or None when there is another turn."""
    result = side_out(state) or turns_over(state)
    return None if result is None else Effect(Finished(result), "OSAAF-VC-1", "End of the game")


def side_out(state: State) -> Result | None:
    """The result when a side that had jets has none left; alone on the board, one side just ends."""
    had = {jet.seat for jet in state.jets.values()}
    left = tuple(seat for seat in state.sides if any(jet.seat == seat for jet in _left(state)))
    if len(left) == len(had):
        return None
    out = [label for seat, label in state.sides.items() if seat in had and seat not in left]
    text = f"{' and '.join(out)}: no jet on the board and none due back."
    return Result("side-out", f"{text} {_flying(state)}", winners=left)


def turns_over(state: State) -> Result | None:
    """The result after the last turn; nobody has won."""
    if state.turn < state.turns:
        return None
    return Result("turns", f"Turn {state.turn} was the last one. {_flying(state)}")


def _left(state: State) -> list[Jet]:
    return [jet for jet in state.jets.values() if jet.status in ("flying", "away")]


def _flying(state: State) -> str:
    names = ", ".join(jet.name for jet in _left(state))
    return f"Still flying: {names}." if names else "Nobody is still flying."
