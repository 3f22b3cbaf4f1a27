"""What the ace likes and fears: every weight, in one place.

Most are in points of victory, so that each can be held against a hit (1) or a jet shot down (3).
"""

from msgspec import Struct


class Weights(Struct, frozen=True):
    """What the ace likes and fears, in points unless said otherwise. Set by games against the bandit."""

    damage: float = 0.6
    """A hit beyond its point: the jet flies and shoots worse from then on."""
    kill: float = 1.0
    """A jet that is gone beyond its points: it never shoots again."""
    fear: float = 1.0
    """How much a point that the enemy makes counts against one's own."""
    caution: float = 0.5
    """More fear for a lead in points that has not long to last."""
    pointing: float = 0.55
    """To have the nose on an enemy that has its tail to oneself, at a good range."""
    far: float = 0.05
    """Each hex beyond a good range."""
    gap: float = 0.06
    """Each level of altitude beyond what the weapons bridge."""
    keep: float = 0.8
    """Of what a good shot is worth, what the last burst or missile is worth unspent."""
    chance: float = 0.4
    """Good shots that a turn brings, to tell whether ammunition will run out before the game does."""
    stall: float = 1.2
    """A turn in a stall, beyond the shots that it invites."""
    crash: float = 12.0
    """A jet lost to the ground: far more than its points, as one more turn of bad dice is always possible."""
    turning: float = 0.35
    """To be sure of one's turns, for a turn."""
    pace: float = 0.12
    """To be at a Speed from which one can slow down, for a turn."""
    manoeuvre: float = 0.1
    """To be able to afford a hard manoeuvre, for a turn."""
    later: float = 0.9
    """The next turn's worth, of this turn's (a factor)."""
    fuel: float = 0.03
    """Each fuel burnt that no turn needs."""
    dry: float = 0.35
    """Each turn at the end of the game for which there will be no fuel."""
    edge: float = 0.08
    """Each hex that the edge is nearer ahead than three."""
    leave: float = 1.2
    """Two turns off the board and a come-back on its edge."""


WEIGHTS = Weights()
