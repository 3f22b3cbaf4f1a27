"""After the game: what there is to tell of it, and another one with the same people.

Belongs here: the two routes. Does not belong here: how the numbers come about (app.tables.history,
app.tables.luck) or where lines are drawn (timelines).
"""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from app.engine.errors import Stale
from app.engine.secret import Viewer
from app.tables import rematches
from app.tables.history import Timeline, timeline
from app.tables.live import LiveTable
from app.tables.looking import page_of
from app.tables.luck import Luck, luck
from app.web.deps import CallerDep, SiteDep, address_of, name_of, viewer_of
from app.web.page import Htmx, TableId, to_table
from app.web.timelines import charts_of, tables_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


async def accounts(table: LiveTable, viewer: Viewer) -> tuple[Timeline, Luck]:
    """The timeline of a finished game and the luck in it. Raises Stale while it is still played.

    Until then luck would be a running commentary on the dice, and numbers of past turns are in the
    history already.
    """
    if not table.finished:
        raise Stale("The game is still being played. This is told when it is over.")
    # A fold of the whole log, and a convolution for each kind of roll: others do not wait for it.
    return await asyncio.to_thread(lambda: (timeline(table, viewer), luck(table)))


@router.get("/tables/{table_id}/after")
async def after(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    hx_request: Htmx = None,
) -> HTMLResponse:
    """What there is to tell: a page of its own, or for htmx the content of the table's panel."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    told, dice = await accounts(table, viewer)
    template = "table/after_told.html" if hx_request else "table/after.html"
    html = site.pages.page(
        template,
        page=page_of(table, viewer, site.hub.present(table.id)),
        charts=charts_of(told, table.seats),
        tables=tables_of(told, table.seats),
        luck=_luck_rows(table, dice),
    )
    return HTMLResponse(html, headers={"cache-control": "no-store", "vary": "HX-Request, Cookie"})


def _luck_rows(table: LiveTable, dice: Luck) -> list[dict[str, Any]]:
    """A row for each seat, with who sits there."""
    seats = {seat.id: seat for seat in table.seats}
    return [
        {"seat": seats[one.seat], "name": table.claims[one.seat].name, "luck": one}
        for one in dice.seats
    ]


@router.post("/tables/{table_id}/rematch")
async def rematch(
    table_id: TableId,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    swapped: Annotated[Literal["yes", "no"], Form()] = "no",
) -> Response:
    """To the rematch, which is opened unless it is there already."""
    site.limits.command(name_of(who))
    site.limits.table(address_of(request))
    viewer_of(await site.service.get(table_id), who)
    table, _, _ = await rematches.rematch(site.service, table_id, who, swapped=swapped == "yes")
    return to_table(table.id)
