"""After the game: what there is to tell of it, and another one with the same people.

Does not belong here: how the numbers come about (app.tables.history, app.tables.luck).
"""

import msgspec
from fastapi import Request
from starlette.responses import Response

from app.tables import rematches
from app.tables.history import Timeline
from app.tables.looking import debrief_of
from app.tables.luck import Luck
from app.tables.views import DebriefView, ResultView
from app.web.after import accounts
from app.web.api.calls import (
    Body,
    TableId,
    answer_doc,
    count_command,
    json_answer,
    new_router,
    seen_by,
)
from app.web.api.tables import TableOpened, opened
from app.web.deps import CallerDep, SiteDep, address_of, viewer_of

router = new_router()


class RematchBody(Body):
    """Another game like this one: everybody in the same seat, or each in the next one."""

    swapped: bool = False


class AfterGame(msgspec.Struct, frozen=True):
    """What there is to tell when a game is over. `ending` is what the result's reason means in the game;
    `rematch` is the table that follows, if there is one."""

    result: ResultView
    ending: str
    timeline: Timeline
    luck: Luck
    rematch: str | None
    debrief: tuple[DebriefView, ...] = ()


@router.get("/tables/{table_id}/summary", tags=["tables"], responses=answer_doc(AfterGame))
async def summary(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """The timeline of a finished game and the luck in it. 409 while it is still played."""
    table = await site.service.get(table_id)
    timeline, luck = await accounts(table, viewer_of(table, who))
    view = seen_by(site, table, who, None, None)
    assert view.result is not None
    ending = table.game.endings.get(view.result.reason, "")
    rematch = None if table.rematch is None else table.rematch.table
    debrief = debrief_of(table, viewer_of(table, who))
    return json_answer(AfterGame(view.result, ending, timeline, luck, rematch, debrief))


@router.post(
    "/tables/{table_id}/rematch",
    tags=["tables"],
    status_code=201,
    responses={**answer_doc(TableOpened, status=201), **answer_doc(TableOpened)},
)
async def rematch(
    table_id: TableId, body: RematchBody, request: Request, site: SiteDep, who: CallerDep
) -> Response:
    """Play again with the same people. 200 with the same table, and no tokens, if there is one already.

    Seats whose holders have no identity are free there; take yours with its invitation.
    """
    await count_command(site, table_id, who)
    site.limits.table(address_of(request))
    table, tokens, new = await rematches.rematch(site.service, table_id, who, swapped=body.swapped)
    return json_answer(opened(request, site, table, tokens, who), 201 if new else 200)
