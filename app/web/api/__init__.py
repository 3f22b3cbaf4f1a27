"""The JSON interface: the same door as the pages, for scripts, bots and club tools.

A contract: changes only add. Answers are msgspec structs (app.tables.views, and here beside their calls); bodies
are checked strictly, so that `true` is no number. Each module has the calls of one purpose, with what they are
sent and what they answer.
"""

from app.web.api import adopting, after, games, people, planning, play, tables, token

# Side by side, not one within another: FastAPI looks for the call twice on each level. The order is the document's.
ROUTERS = (
    games.router,
    tables.router,
    play.router,
    adopting.router,
    after.router,
    planning.router,
    people.router,
    token.router,
)
