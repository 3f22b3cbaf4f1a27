"""What many games are compared by.

Belongs here: numbers read off a game that is over. Does not belong here: a rule, what is shown of one game, or
who won and in how many turns, which is counted for every game.
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
    return {
        "wiped out": bool(ships) and all(ship.status == "destroyed" for ship in ships),
        "points": score(state, seat),
        "own ships destroyed": sum(ship.status == "destroyed" for ship in ships),
        "own ships withdrawn": sum(ship.status == "withdrawn" for ship in ships),
        "own ships crippled": sum(ship.crippled for ship in there),
        "own boxes marked": sum(_marked(ship) for ship in there),
    }


def _marked(ship: Ship) -> int:
    return sum(ship.marked.of(system) for system in SYSTEMS)
