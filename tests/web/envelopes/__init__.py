"""Envelopes: a game of nothing but secrets, to plant words in and look where they turn up.

Each turn both seats seal a word of their own making, then each decides in the open and a die falls. The
envelopes stay closed, in state and log, until the last turn is over; then all are opened.
"""

from app.engine.game import Game, Meta

META = Meta(
    id="envelopes",
    title="Envelopes",
    summary="Words under seal.",
    credit="Written for the tests of Contrail",
    players="1-2",
    minutes="1",
)


def load() -> "Game":
    """The game."""
    from tests.web.envelopes.plugin import GAME

    return GAME
