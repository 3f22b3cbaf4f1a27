"""Planning: what a choice may lead to. Nothing happens at the table."""

import asyncio
from typing import Annotated

import msgspec
from fastapi import Query
from pydantic import Field
from starlette.responses import Response

from app.engine.errors import Missing
from app.engine.sequence import MOST_LINE
from app.tables.live import Caller
from app.tables.looking import draft_of, further_odds, overlay_of
from app.tables.views import DraftView, FurtherOdds
from app.web.api.calls import Body, TableId, answer_doc, json_answer, new_router
from app.web.deps import CallerDep, Site, SiteDep, name_of, viewer_of
from app.web.reading import read_json

router = new_router()


class DraftBody(Body):
    """A line of text to be read for an offer with `draft`."""

    offer: str = Field(max_length=200)
    text: str = Field("", max_length=MOST_LINE)


class OverlayCell(msgspec.Struct, frozen=True):
    """A place of a planning aid; `shade` from 0 to 1."""

    hex: str
    shade: float
    label: str
    detail: str


class OverlayView(msgspec.Struct, frozen=True):
    """A planning aid for a unit."""

    title: str
    detail: str
    cells: tuple[OverlayCell, ...]


@router.get("/tables/{table_id}/odds", tags=["play"], responses=answer_doc(FurtherOdds, many=True))
async def odds(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    offer: Annotated[str, Query(max_length=200)],
    choice: Annotated[str, Query(max_length=2000, description="An option's value, as JSON.")],
) -> Response:
    """For an option of an open decision of yours, the odds of each further choice it leads to."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    _, rows = await asyncio.to_thread(further_odds, table, viewer, offer, read_json(choice))
    return json_answer(rows)


@router.get("/tables/{table_id}/draft", tags=["play"], responses=answer_doc(DraftView))
async def draft(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    offer: Annotated[str, Query(max_length=200)],
    text: Annotated[str, Query(max_length=MOST_LINE, description="The line so far.")] = "",
) -> Response:
    """Read a line of text for an open decision of yours that has `draft`, as far as it goes.

    Nothing happens. A line that is `whole` can be sent as the `choice` of a command.
    """
    return await _draft(site, table_id, who, offer, text)


@router.post("/tables/{table_id}/draft", tags=["play"], responses=answer_doc(DraftView))
async def post_draft(table_id: TableId, body: DraftBody, site: SiteDep, who: CallerDep) -> Response:
    """The same for those who would rather send JSON. Nothing happens either."""
    return await _draft(site, table_id, who, body.offer, body.text)


async def _draft(site: Site, table_id: str, who: Caller, offer: str, text: str) -> Response:
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    return json_answer(await asyncio.to_thread(draft_of, table, viewer_of(table, who), offer, text))


@router.get("/tables/{table_id}/overlay", tags=["play"], responses=answer_doc(OverlayView))
async def overlay(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    unit: Annotated[str, Query(max_length=60)],
    aid: Annotated[str, Query(max_length=60)],
) -> Response:
    """A planning aid for a unit, such as where it may end its move and with what chance."""
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    # Aids may compute for long: the others' moves do not wait for it.
    drawn = await asyncio.to_thread(overlay_of, table, viewer_of(table, who), aid, unit)
    if drawn is None:
        raise Missing(f"There is no {aid!r} to show for {unit!r} now.")
    cells = tuple(OverlayCell(c.hex, c.shade, c.label, c.detail) for c in drawn.cells)
    return json_answer(OverlayView(drawn.title, drawn.detail, cells))
