"""Newer rules for a table in play: a page to choose and ask, and to answer the other seat.

Belongs here: the routes. Does not belong here: who may ask and answer (app.tables.adopting), what rulings mean.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from app.tables import adopting
from app.tables.looking import heading_of, view_of
from app.web.deps import CallerDep, SiteDep, name_of, viewer_of
from app.web.page import TableId, to_table
from app.web.reading import read_form

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Version = Annotated[int, Form(ge=0, le=2**31)]
MOST_VALUE = 60


@router.get("/tables/{table_id}/rulings")
async def show(table_id: TableId, site: SiteDep, who: CallerDep) -> HTMLResponse:
    """The rulings that are newer than the table, and what is asked for."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    return HTMLResponse(
        site.pages.page(
            "table/rulings.html",
            table=heading_of(table),
            view=view_of(table, viewer),
            seated=bool(viewer),
            alone=all(seat in viewer or seat in table.bots for seat in table.claims),
        )
    )


@router.post("/tables/{table_id}/rulings")
async def ask(table_id: TableId, request: Request, site: SiteDep, who: CallerDep) -> Response:
    """Ask for those that are chosen otherwise than they are; done at once by who plays alone."""
    site.limits.command(name_of(who))
    fields = await read_form(request)
    table = await site.service.get(table_id)
    newer = view_of(table, viewer_of(table, who)).newer
    chosen = {
        one.id: fields.text(f"ruling.{one.id}", MOST_VALUE, one.now)
        for one in (newer.rulings if newer else ())
    }
    rulings = (
        {one.id: chosen[one.id] for one in newer.rulings if chosen[one.id] != one.now}
        if newer
        else {}
    )
    await adopting.ask(site.service, table_id, fields.whole("version"), rulings, who)
    return to_table(table_id)


@router.post("/tables/{table_id}/rulings/answer")
async def answer(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    version: Version,
    accept: Annotated[str, Form(max_length=10)],
) -> Response:
    """Yes or no to the other seat."""
    site.limits.command(name_of(who))
    await adopting.answer(site.service, table_id, version, accept == "yes", who)
    return to_table(table_id)
