"""What many games are compared by.

Belongs here: numbers read off a game that is over. Does not belong here: a rule, or what is shown of one game.
"""

from collections.abc import Mapping

from app.engine.game import Measured
from app.games.war_in_space.ending import score
from app.games.war_in_space.model import SYSTEMS, Ship, State


def measures(state: State) -> Mapping[str, Mapping[str, Measured]]:
    """Each side's game in numbers: points are what it made, all else is what became of its own ships."""
    return {seat: _of(state, seat) for seat in state.sides}


def _of(state: State, seat: str) -> Mapping[str, Measured]:
    ships = [ship for ship in state.ships.values() if ship.seat == seat]
    there = [ship for ship in ships if ship.status == "fighting"]
    winners = state.result.winners if state.result is not None else ()
    return {
        "won": seat in winners,
        "wiped out": all(ship.status == "destroyed" for ship in ships),
        "points": score(state, seat),
        "destroyed": sum(ship.status == "destroyed" for ship in ships),
        "withdrawn": sum(ship.status == "withdrawn" for ship in ships),
        "crippled": sum(ship.crippled for ship in there),
        "boxes marked": sum(_marked(ship) for ship in there),
        "turns": state.turn,
    }


def _marked(ship: Ship) -> int:
    return sum(ship.marked.of(system) for system in SYSTEMS)
