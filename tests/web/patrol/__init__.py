"""Patrol: a game for the eye, whose rules are few and whose table shows a lot.

Twelve facings and hexsides, twelve phases of which one has thirteen steps, a long order of movement, moves that are
lines of text, numbers with a table of terms, options under headings.
"""

from app.engine.game import Game, Meta

META = Meta(
    id="patrol",
    title="Patrol",
    summary="Six aircraft, twelve facings.",
    credit="Written for the tests of Contrail",
    players="1-2",
    minutes="5",
)


def load() -> "Game":
    """The game."""
    from tests.web.patrol.plugin import GAME

    return GAME
