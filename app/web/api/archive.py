"""The archive: tables as files, and other ways to go on from a moment.

Does not belong here: what a document is and what becomes of it (app.archive).
"""

from typing import Annotated, Literal

import msgspec
from fastapi import Query, Request
from pydantic import Field
from starlette.responses import Response

from app.archive.branching import Made
from app.archive.document import Document
from app.archive.forking import fork as forked
from app.archive.importing import provenance_of
from app.archive.proving import Finding
from app.web.api.calls import Body, TableId, answer_doc, count_command, json_answer, new_router
from app.web.api.play import Key
from app.web.api.tables import SeatInvite, TableOpened, opened
from app.web.archive import exported, imported
from app.web.deps import CallerDep, SiteDep, address_of

router = new_router()

FILE_DOC = {
    "requestBody": {
        "required": True,
        "description": "The document that an export gave, as it is.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Document"}}},
    }
}


class ForkBody(Body):
    """From which moment: after entry `at`, or the newest. `shared`: one seat is yours, the others have invitations."""

    at: int | None = Field(None, ge=1, le=2**31)
    mode: Literal["solo", "shared"] = "solo"


class Imported(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a file.

    `kind` "finished" is a table to look at; "goes on" one that is played on, with dice of its own; "view" only a
    page to read, at `url`, with the id of that page. `verified` says of a finished one whether chain, dice and
    replay are right, and `findings` what each came to.
    """

    kind: Literal["finished", "goes on", "view"]
    id: str
    url: str
    version: int = 0
    seats: tuple[SeatInvite, ...] = ()
    verified: bool | None = None
    findings: dict[str, Finding] = {}


@router.get("/tables/{table_id}/export", tags=["archive"], responses=answer_doc(Document))
async def export(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """The table as one document: whole and verifiable once the game is over, till then as you see it."""
    return await exported(site, table_id, who)


@router.post(
    "/tables/import",
    tags=["archive"],
    status_code=201,
    openapi_extra=FILE_DOC,
    responses={**answer_doc(Imported, status=201), **answer_doc(Imported)},
)
async def import_(
    request: Request,
    site: SiteDep,
    who: CallerDep,
    seats: Annotated[
        Literal["all", "first"],
        Query(description="Of a game in play: which are yours; the others have invitations."),
    ] = "all",
    name: Annotated[str, Query(max_length=200, description="Under which name you import it.")] = "",
) -> Response:
    """Make a table of an exported one, or 200 with the one that you made of the same file before.

    The body is the document. A game that is over can be looked at; a whole record of a game in play can be
    gone on from, with dice of its own; a view can only be read.
    """
    site.limits.table(address_of(request))
    done = await imported(request, site, who, await request.body(), seats, name)
    if not isinstance(done, Made):
        answer = Imported("view", done.id, f"/kept/{done.id}")
        return json_answer(answer, 201 if done.new else 200)
    table = opened(request, site, done.table, done.tokens, who)
    found = provenance_of(done.table)
    answer = Imported(
        "goes on" if found is None else "finished",
        table.id,
        table.url,
        table.version,
        table.seats,
        None if found is None else found.proof.verified,
        {} if found is None else dict(found.proof.findings),
    )
    return json_answer(answer, 201 if done.new else 200)


@router.post(
    "/tables/{table_id}/fork",
    tags=["archive"],
    status_code=201,
    responses={**answer_doc(TableOpened, status=201), **answer_doc(TableOpened)},
)
async def fork(
    table_id: TableId,
    body: ForkBody,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    key: Key = None,
) -> Response:
    """Another table that goes on from a moment of this one, with dice of its own.

    409 where somebody keeps something secret that you may not know: before the end it can't be gone on from.
    """
    await count_command(site, table_id, who)
    site.limits.table(address_of(request))
    seats = "all" if body.mode == "solo" else "first"
    made = await forked(site.service, table_id, who, body.at, seats=seats, key=key)
    answer = opened(request, site, made.table, made.tokens, who)
    return json_answer(answer, 201 if made.new else 200)
