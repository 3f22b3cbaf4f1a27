"""The archive's pages: a table as a file, a file as a table, another way from here. All work without JavaScript.

Belongs here: their routes, and what they share with the JSON calls. Does not belong here: what a file holds and
what becomes of it (app.archive).
"""

import asyncio
import secrets
from typing import Annotated, Any, cast

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy import select
from starlette.datastructures import UploadFile
from starlette.responses import Response

from app.archive.branching import Made, Seated
from app.archive.document import Document, read, written
from app.archive.exporting import export
from app.archive.forking import fork, why_not
from app.archive.importing import Kept, import_document, provenance_of
from app.engine.errors import Illegal, Missing
from app.engine.log import Forked
from app.engine.secret import Viewer
from app.games import registry
from app.tables import models
from app.tables.live import Caller, LiveTable
from app.tables.looking import heading_of
from app.web.deps import CallerDep, Site, SiteDep, address_of, name_of, viewer_of
from app.web.page import TableId, to_new_table

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

AtEntry = Annotated[int | None, Query(ge=1, le=2**31)]


async def exported(site: Site, table_id: str, who: Caller) -> Response:
    """A table as a file to keep."""
    site.limits.command(name_of(who))
    viewer: Viewer = frozenset()
    if await _in_play(site, table_id):
        viewer = viewer_of(await site.service.get(table_id), who)
    document = await export(site.service, table_id, viewer)
    return Response(
        await asyncio.to_thread(written, document),
        media_type="application/json",
        headers={
            "content-disposition": f'attachment; filename="contrail-{document.table.id}.json"',
            "cache-control": "no-store",
        },
    )


async def _in_play(site: Site, table_id: str) -> bool:
    row = models.game_table.c
    rows = await site.service.store.read(select(row.finished).where(row.id == table_id))
    return not rows or not rows[0]["finished"]


async def imported(
    request: Request, site: Site, who: Caller, data: bytes, seats: Seated, name: str
) -> Made | Kept:
    """A file made into what it can be. One at a time, as a long one keeps a processor busy."""
    one_at_a_time: asyncio.Semaphore = request.app.state.importing
    async with one_at_a_time:
        return await import_document(site.service, data, who, seats=seats, by=name)


@router.get("/tables/{table_id}/export")
async def export_page(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """The table as a file."""
    return await exported(site, table_id, who)


@router.post("/tables/import")
async def import_page(request: Request, site: SiteDep, who: CallerDep) -> Response:
    """To the table or page that a file becomes."""
    site.limits.table(address_of(request))
    async with request.form(max_files=1, max_fields=10) as form:
        file, name, seats = form.get("file"), form.get("name"), form.get("seats")
        if not isinstance(file, UploadFile) or not file.filename:
            raise Illegal("Choose a file first: one that Export gave.")
        data = await file.read()
    by = name if isinstance(name, str) else ""
    done = await imported(request, site, who, data, "first" if seats == "first" else "all", by)
    if isinstance(done, Made):
        return to_new_table(done.table)
    return RedirectResponse(f"/kept/{done.id}", status_code=303)


@router.get("/tables/{table_id}/fork")
async def fork_page(
    table_id: TableId, site: SiteDep, who: CallerDep, at: AtEntry = None
) -> HTMLResponse:
    """What another way from a moment would be, and the button for it; or why there is none."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    newest = table.position.count(viewer)
    seq = newest if at is None else at
    reason = why_not(table, viewer, seq)
    if isinstance(reason, Missing):
        raise reason
    return HTMLResponse(
        site.pages.page(
            "archive/fork.html",
            table=heading_of(table),
            at=seq,
            newest=newest,
            reason="" if reason is None else reason.detail,
            people=[seat.label for seat in table.seats if seat.id not in table.bots],
            bots=[table.bots[seat.id].title for seat in table.seats if seat.id in table.bots],
            career=bool(table.people),
            key=secrets.token_urlsafe(12),
        ),
        headers={"cache-control": "no-store"},
    )


@router.post("/tables/{table_id}/fork")
async def fork_form(
    table_id: TableId,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    at: Annotated[int, Form(ge=1, le=2**31)],
    key: Annotated[str, Form(max_length=40)],
    mode: Annotated[str, Form(max_length=10)] = "solo",
) -> Response:
    """To the other table."""
    site.limits.command(name_of(who))
    site.limits.table(address_of(request))
    viewer_of(await site.service.get(table_id), who)
    seats: Seated = "first" if mode == "shared" else "all"
    made = await fork(site.service, table_id, who, at, seats=seats, key=key)
    return to_new_table(made.table)


@router.get("/kept/{view_id}")
async def kept(
    view_id: Annotated[str, Path(max_length=24)], site: SiteDep, who: CallerDep
) -> HTMLResponse:
    """A view that was read in: what somebody saw of a table of elsewhere. For its owner alone."""
    view = models.kept_view
    wanted = select(view.c.document).where(view.c.id == view_id, view.c.owner == who.identity)
    rows = await site.service.store.read(wanted)
    if not rows:
        raise Missing("There is no such page, or it is somebody else's.")
    document: Document = await asyncio.to_thread(read, rows[0]["document"].encode())
    meta = registry.metas().get(document.game)
    seats = {seat.id: seat.label for seat in document.seats}
    return HTMLResponse(
        site.pages.page(
            "archive/kept.html",
            record=document,
            game=document.title if meta is None else meta.title,
            by=", ".join(seats.get(seat, seat) for seat in document.seen_by),
            lines=[_line(entry) for entry in document.log],
            units=[_unit(unit, seats) for unit in document.units],
        )
    )


def _line(entry: Any) -> dict[str, Any]:
    """A line of a view's log, whatever else stands in it."""
    dice: Any = entry.get("dice")
    faces: Any = cast("dict[str, Any]", dice).get("faces") if isinstance(dice, dict) else None
    return {
        "seq": entry["seq"],
        "turn": entry.get("turn"),
        "text": entry["text"],
        "faces": [str(face) for face in cast("list[Any]", faces)]
        if isinstance(faces, list)
        else [],
        "struck": entry.get("struck") is True,
    }


def _unit(unit: Any, seats: dict[str, str]) -> dict[str, str]:
    """A unit's row: what is text or a number of it."""
    plain = {
        name: str(value) for name, value in unit.items() if isinstance(value, str | int | float)
    }
    side = seats.get(plain.get("seat", ""), "")
    return {**dict.fromkeys(("name", "hex", "altitude", "speed"), ""), **plain, "side": side}


def origin_of(table: LiveTable, viewer: Viewer) -> dict[str, Any] | None:
    """What the table's page says to a viewer of where it came from; None of one that began here.

    The other table's id is empty for whoever may not know all that stands there once it is over.
    """
    found, branch = provenance_of(table), table.branch
    if found is not None:
        return {
            "how": "imported",
            "verified": found.proof.verified,
            "findings": found.proof.findings,
        }
    if branch is None:
        return None
    how = "forked" if isinstance(branch, Forked) else "restored"
    now = table.position
    return {
        "how": how,
        "table": branch.table if now.may_show_setup(viewer) else "",
        "at": now.number_of(branch.at, viewer),
        "by": getattr(branch, "by", ""),
    }
