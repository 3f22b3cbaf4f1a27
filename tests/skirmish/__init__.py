"""Skirmish: the tests' own game, a whole plug-in in the form of the real ones.

Two pairs of planes, four turns, and nothing but flows that are hard to get right: secrets that last
and secrets that are shown, choices made at once, a flight that the enemy interrupts, a second plane
that has to move because the first has, an order that dice fix and everybody sees, choices too many to
list, a line that is written token by token.
"""

from app.engine.game import Game, Meta

META = Meta(
    id="skirmish",
    title="Skirmish",
    summary="Two leaders, two wingmen and a little smoke.",
    credit="Written for the tests of Contrail",
    players="1-2",
    minutes="5-10",
)


def load() -> "Game":
    """The game. Rules are only imported when it is wanted."""
    from tests.skirmish.plugin import GAME

    return GAME
