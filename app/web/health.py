"""Is it well? For whoever runs the server."""

import asyncio

from fastapi import APIRouter, Request
from sqlalchemy import select
from starlette.responses import PlainTextResponse, Response

from app.tables import models
from app.tables.store import Unavailable
from app.web.api.calls import PROBLEM_DOCS
from app.web.deps import Site, SiteDep

router = APIRouter(tags=["server"])


@router.get("/healthz", response_class=PlainTextResponse, responses={421: PROBLEM_DOCS[421]})
async def health() -> Response:
    """200 as long as the server runs."""
    return PlainTextResponse("ok\n", headers={"cache-control": "no-store"})


@router.get(
    "/readyz",
    response_class=PlainTextResponse,
    responses={421: PROBLEM_DOCS[421], 503: {"description": "Nothing can be written; why."}},
)
async def ready(request: Request, site: SiteDep) -> Response:
    """200 when something was just written to the database, durably. Else 503 and the reason in a line."""
    # However many ask at once, it is tried once for all of them.
    state = request.app.state
    if getattr(state, "readiness", None) is None:
        state.readiness = asyncio.create_task(_trouble(site))
        state.readiness.add_done_callback(lambda _: setattr(state, "readiness", None))
    trouble = await asyncio.shield(state.readiness)
    if trouble is not None:
        said = f"The database can't be used: {trouble}.\n"
        return PlainTextResponse(said, 503, {"retry-after": "5", "cache-control": "no-store"})
    return PlainTextResponse("ready\n", headers={"cache-control": "no-store"})


async def _trouble(site: Site) -> str | None:
    store = site.service.store
    try:
        await store.read(select(models.game_table.c.id).limit(1))
    except Unavailable:
        return "it can't be read"
    return await store.trouble(site.service.clock())


@router.get("/metrics", response_class=PlainTextResponse, responses={421: PROBLEM_DOCS[421]})
async def metrics(site: SiteDep) -> Response:
    """Counters in Prometheus text form."""
    lines = [
        f"# HELP {name} {text}\n# TYPE {name} {kind}\n{name} {value}\n"
        for name, kind, text, value in (
            ("contrail_tables_live", "gauge", "Tables in memory.", site.service.live),
            ("contrail_streams", "gauge", "Open streams.", site.hub.streams),
            ("contrail_commands_total", "counter", "Commands carried out.", site.service.done),
            ("contrail_entries_total", "counter", "Log entries written.", site.service.written),
        )
    ]
    return PlainTextResponse("".join(lines), media_type="text/plain; version=0.0.4")
