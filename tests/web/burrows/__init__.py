"""Burrows: a game in which one side acts out of the other's sight, as often as its set-up says.

Each turn Red digs with each of its moles: a choice, a die and what comes of it, all unseen. Then Blue looks, Red
waves and a die falls, in the open. Nothing but the set-up says how many moles there are.
"""

from app.engine.game import Game, Meta

META = Meta(
    id="burrows",
    title="Burrows",
    summary="Moles out of sight.",
    credit="Written for the tests of Contrail",
    players="1-2",
    minutes="1",
)


def load() -> "Game":
    """The game."""
    from tests.web.burrows.plugin import GAME

    return GAME
