"""What the admiral likes and fears: every weight, in one place.

Most are in points of victory, so that each can be held against a ship destroyed (3 to 15).
"""

from collections.abc import Mapping

from msgspec import Struct

from app.games.war_in_space.model import System


class Weights(Struct, frozen=True):
    """What the admiral likes and fears. Set by games against the captain."""

    future: float = 0.6
    """What a sound ship is worth beyond the points that it would give away, for each of its points."""
    win: float = 4.0
    """To leave the board with the last ship while ahead; to do so while behind costs as much."""
    doubt: float = 0.6
    """How far from the best card an enemy may be thought to stray: cards that much worse are e times rarer."""
    pointing: float = 0.12
    """Each 60° by which the nose is nearer to an enemy than the enemy's to it, for each point at stake."""
    far: float = 0.05
    """Each hex beyond a good range, for each point at stake."""
    good_range: int = 3
    """As near as it wants to be, in hexes."""
    fear: float = 0.9
    """How much an enemy's shot counts against one's own."""
    edge: float = 0.15
    """Each hex that the edge is nearer ahead than three."""
    turning: float = 0.5
    """To be sure of one's turns next turn."""
    later: float = 0.8
    """Shots of the next turn, of those of this one (a factor)."""


WEIGHTS = Weights()

STRENGTH: Mapping[System, float] = {
    "hull": 0.4,
    "weapon": 0.2,
    "shield": 0.12,
    "engine": 0.1,
    "power": 0.18,
}
"""How much of a ship's strength is in each system, whole; together 1."""
