"""What ships are worth to their owners, and what damage takes from it.

Belongs here: the worth of boxes. Damage is reckoned exactly for Hull boxes, and by its mean for all others.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import comb, sqrt

from msgspec.structs import replace

from app.engine.hexes import Hex
from app.games.war_in_space.admiral.weights import STRENGTH, WEIGHTS
from app.games.war_in_space.ending import worth as given_away
from app.games.war_in_space.fire import WHERE
from app.games.war_in_space.model import SYSTEMS, Boxes, Ship, ShipClass, System

SHARE: Mapping[System, float] = {
    system: list(WHERE.values()).count(system) / len(WHERE) for system in SYSTEMS
}
"""How often a point of damage is for each system (WIS-WF-6)."""


@lru_cache(maxsize=4096)
def stand_in(kind: ShipClass, marked: Boxes) -> Ship:
    """A ship to ask the rules about, where only its class and boxes count."""
    return Ship(
        id="x",
        seat="x",
        name="X",
        kind=kind,
        crew="regular",
        hex=Hex(0, 0),
        facing=0,
        speed=2,
        marked=marked,
    )


def worth(ship: Ship) -> float:
    """What a ship is worth: the points that it has not given away yet, and what it can still do."""
    return _worth(ship, boxes_left(ship)) if ship.unmarked("hull") > 0 else 0.0


def boxes_left(ship: Ship) -> dict[System, float]:
    """The boxes that are left, by system."""
    return {system: float(ship.unmarked(system)) for system in SYSTEMS}


def _worth(ship: Ship, left: Mapping[System, float]) -> float:
    return ship.kind.points - given_away(ship) + strength(ship, left)


def strength(ship: Ship, left: Mapping[System, float]) -> float:
    """What a ship with so many boxes left can still do, in points.

    The last box of a weapon, shield or engine matters more than the first, as limits only cut off the best
    scores (WIS-EA-8); each Power box takes as much as the other (WIS-EA-11).
    """
    sound = 0.0
    for system, share in STRENGTH.items():
        part = left[system] / ship.total(system)
        sound += share * (part if system in ("hull", "power") else sqrt(part))
    return WEIGHTS.future * ship.kind.points * sound


def harm(ship: Ship, points: int) -> float:
    """What so many points of damage, beyond its defence, take from a ship in the mean; in points."""
    return _harm(ship.kind, ship.marked, points) if points > 0 else 0.0


@lru_cache(maxsize=65536)
def _harm(kind: ShipClass, marked: Boxes, points: int) -> float:
    ship = stand_in(kind, marked)
    now, left = worth(ship), boxes_left(ship)
    # WIS-WF-6: what finds no box of its system goes to the Hull.
    whole: dict[System, float] = {s: share for s, share in SHARE.items() if s != "hull" and left[s]}
    to_hull = 1 - sum(whole.values())
    lost = 0.0
    for hull in range(points + 1):
        chance = comb(points, hull) * to_hull**hull * (1 - to_hull) ** (points - hull)
        falls: dict[System, float] = {
            s: (points - hull) * share / (1 - to_hull) for s, share in whole.items()
        }
        spilt = sum(max(0.0, mean - left[s]) for s, mean in falls.items())
        lost += chance * (now - _after(ship, hull + int(spilt), falls))
    return lost


def _after(ship: Ship, hull: int, falls: Mapping[System, float]) -> float:
    """What a ship is worth with so many more Hull boxes marked, and in the mean so many others."""
    if hull >= ship.unmarked("hull"):
        return 0.0
    struck = replace(ship, marked=ship.marked.more("hull", hull))
    left = boxes_left(struck)
    for system, mean in falls.items():
        left[system] = max(0.0, left[system] - mean)
    return _worth(struck, left)
