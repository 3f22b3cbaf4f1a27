"""Calls: what all of them have in common.

Belongs here: how a call is described and counted, the shape of its body, its answer and its problems, and who
may see a table through it. Does not belong here: any call.
"""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.engine.errors import Missing, NotYourSeat
from app.tables.live import Caller, LiveTable
from app.tables.looking import view_of
from app.tables.views import View
from app.web.deps import Site, name_of, viewer_of

TableId = Annotated[str, Path(max_length=24, description="A table's id.")]


class Body(BaseModel):
    """Bodies take exactly what they name."""

    model_config = ConfigDict(strict=True, extra="forbid")


def answer_doc(
    kind: type[msgspec.Struct], *, many: bool = False, status: int = 200
) -> dict[Any, Any]:
    """The OpenAPI entry of an answer; the schemas are added in `app.web.openapi`."""
    reference: dict[str, Any] = {"$ref": f"#/components/schemas/{kind.__name__}"}
    schema = {"type": "array", "items": reference} if many else reference
    return {
        status: {
            "description": (kind.__doc__ or "").splitlines()[0],
            "content": {"application/json": {"schema": schema}},
        }
    }


_PROBLEMS = {
    400: "Not JSON that can be read",
    401: "Unknown token",
    403: "Not your seat, not your turn, or another site's page",
    404: "No such table, game or moment",
    409: "The table has moved on, it was answered already, or the seat is taken",
    413: "Too large",
    421: "Not a name of this server",
    422: "Malformed, or not allowed by the rules (then `rule` names it)",
    429: "Too many requests; see Retry-After",
    503: "The database can't be written or read now; see Retry-After",
}

PROBLEM_DOCS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": text,
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        },
    }
    for status, text in _PROBLEMS.items()
}


def new_router() -> APIRouter:
    """A router for some of the calls."""
    return APIRouter(prefix="/api", default_response_class=Response, responses=PROBLEM_DOCS)


def json_answer(value: Any, status: int = 200) -> Response:
    """A struct, or several, as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def count_command(site: Site, table_id: str, who: Caller) -> None:
    """Count a command. Raises TooMany, Missing, and Unknown for a token that opens nothing here."""
    site.limits.command(name_of(who))
    viewer_of(await site.service.get(table_id), who)


def seen_by(site: Site, table: LiveTable, who: Caller, seat: str | None, at: int | None) -> View:
    """A table as somebody sees it, through one of their seats, after entry `at`.

    Raises NotYourSeat, and Missing for a seat or an entry that there is not.
    """
    viewer = viewer_of(table, who)
    if seat is not None and seat not in viewer:
        if seat not in table.claims:
            raise Missing(f"This table has no seat {seat!r}.")
        raise NotYourSeat("That seat is not yours; ask without `seat` to look on.")
    return view_of(table, viewer, site.hub.present(table.id), seat=seat, at=at)
