"""The end of the game (VC): house rules, a switch.

Belongs here: whether the game is over, why, for whom, and the points. Leaving the board is in `movement`.
"""

from collections.abc import Callable, Mapping

from app.engine.log import Finished, Result
from app.engine.sequence import Effect, Todo
from app.games.war_in_space.model import Ship, State

ENDINGS: Mapping[str, str] = {
    "turns": "The last turn of the scenario is over.",
    "side-out": "A side has no ship left on the board.",
    "empty": "No ship is left on the board.",
}

Rules = Callable[[State], Todo]


def watched(todo: Rules) -> Rules:
    """A phase that the end of the game may cut short: a side that is out can't come back (WIS-VC-2)."""

    def watching(state: State) -> Todo:
        return out_of_ships(state) or todo(state)

    return watching


def settled(todo: Rules) -> Rules:
    """A phase whose results all count before anybody looks: ships may be lost on both sides at once."""

    def settling(state: State) -> Todo:
        return todo(state) or out_of_ships(state)

    return settling


def closing(todo: Rules) -> Rules:
    """The last phase of the turn: after it, WIS-VC-2 looks whether the last turn is over."""

    def closed(state: State) -> Todo:
        return todo(state) or turns_over(state)

    return closed


def out_of_ships(state: State) -> Effect | None:
    """WIS-VC-2: a side that had ships has none on the board; without victory, only an empty board ends it."""
    had = {ship.seat for ship in state.ships.values()}
    left = {ship.seat for ship in state.fighting()}
    if not left:
        return _finished(state, "empty", "")
    if state.rulings.victory == "off" or left == had:
        return None
    out = next(label for seat, label in state.sides.items() if seat in had - left)
    return _finished(state, "side-out", f"Out: {out}.")


def turns_over(state: State) -> Effect | None:
    """WIS-VC-2: the last turn is over."""
    return None if state.turn < state.turns else _finished(state, "turns", "")


def _finished(state: State, reason: str, which: str) -> Effect:
    """WIS-VC-3: more points win; equal points are a draw. Nobody wins alone on the board from the start."""
    told = " ".join(filter(None, (ENDINGS[reason], which)))
    winners: tuple[str, ...] = ()
    points: dict[str, int] = {}
    if state.rulings.victory == "on" and len({s.seat for s in state.ships.values()}) > 1:
        points = {seat: score(state, seat) for seat in state.sides}
        best = [seat for seat in points if points[seat] == max(points.values())]
        winners = tuple(best) if len(best) == 1 else ()
    result = Result(reason, told, winners=winners, scores=points)
    return Effect(Finished(result), "WIS-VC-3" if points else "WIS-VC-2", "End of the game")


def score(state: State, seat: str) -> int:
    """WIS-VC-3: the points of a side, from what has become of the other's ships."""
    return sum(worth(ship) for ship in state.ships.values() if ship.seat != seat)


def worth(ship: Ship) -> int:
    """WIS-VC-3: what a ship has brought the other side so far."""
    if ship.status == "destroyed":
        return ship.kind.points
    if ship.status == "withdrawn" or ship.crippled:
        return (ship.kind.points + 1) // 2
    return 0
