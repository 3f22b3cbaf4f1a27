"""Is it well? For whoever runs the server."""

from fastapi import APIRouter
from sqlalchemy import select
from starlette.responses import PlainTextResponse, Response

from app.tables import models
from app.web.api.calls import PROBLEM_DOCS
from app.web.deps import SiteDep

router = APIRouter(tags=["server"])


@router.get(
    "/healthz",
    response_class=PlainTextResponse,
    responses={421: PROBLEM_DOCS[421], 503: {"description": "The database does not answer."}},
)
async def health(site: SiteDep) -> Response:
    """200 when the server runs and its database answers."""
    try:
        await site.service.store.read(select(models.game_table.c.id).limit(1))
    except Exception:
        return PlainTextResponse("The database does not answer.\n", 503, {"retry-after": "5"})
    return PlainTextResponse("ok\n", headers={"cache-control": "no-store"})


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
