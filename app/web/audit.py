"""The dice audit: every die of a table, and how anyone can check it."""

from typing import Any

import msgspec
from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse
from starlette.responses import Response

from app.engine.dice import commitment, verify
from app.engine.log import WordSaid
from app.engine.secret import Viewer
from app.settings import resource
from app.tables.live import LiveTable
from app.tables.looking import heading_of, lines_of
from app.web.deps import CallerDep, SiteDep, viewer_of
from app.web.page import TableId

router = APIRouter()


class Die(msgspec.Struct, frozen=True):
    """One roll as the audit lists it: `index` numbers its first die, `words` were said before it."""

    entry: int
    pool: str
    faces: tuple[int, ...]
    by: str
    index: int | None
    words: int
    struck: bool


class Audit(msgspec.Struct, frozen=True):
    """All dice of a table. `seed` (hex) is there once the game is over."""

    format: str
    table: str
    commitment: str | None
    seed: str | None
    words: tuple[str, ...]
    rolls: tuple[Die, ...]


def audit_of(table: LiveTable, viewer: Viewer) -> Audit:
    """The dice of a table, in the order in which they fell; before the end only those that the viewer saw fall."""
    words: list[str] = []
    rolls: list[Die] = []
    now = table.position
    for whole in now.entries:
        entry = now.seen_entry(whole, viewer)
        if entry is None:
            continue
        if isinstance(entry.event, WordSaid):
            words.append(entry.event.word)
        if entry.dice is not None:
            d = entry.dice
            struck = now.is_struck(whole.seq)
            rolls.append(Die(entry.seq, str(d.pool), d.faces, d.by, d.index, len(words), struck))
    return Audit(
        "contrail-dice-1",
        table.id,
        table.opened.commitment,
        now.secret,
        tuple(words),
        tuple(rolls),
    )


@router.get("/tables/{table_id}/dice.json", include_in_schema=False)
async def dice_json(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """The audit as a file, for the stand-alone script."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    name = f'attachment; filename="contrail-dice-{table.id}.json"'
    return Response(
        msgspec.json.format(msgspec.json.encode(audit_of(table, viewer))),
        media_type="application/json",
        headers={"content-disposition": name},
    )


@router.get("/tables/{table_id}/dice", include_in_schema=False)
async def dice_page(table_id: TableId, site: SiteDep, who: CallerDep) -> HTMLResponse:
    """Every die with its number; after the end each one recomputed."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    audit = audit_of(table, viewer)
    wrong = _wrong(table) if audit.seed else set[int]()
    texts = {line.seq: line for line in lines_of(table, viewer, 0, table.version) if line.dice}
    rows: list[dict[str, Any]] = [
        {"roll": roll, "line": texts.get(roll.entry), "ok": roll.entry not in wrong}
        for roll in audit.rolls
    ]
    return HTMLResponse(
        site.pages.page(
            "table/dice.html", table=heading_of(table), audit=audit, rows=rows, wrong=len(wrong)
        )
    )


def _wrong(table: LiveTable) -> set[int]:
    """Entries with a die that the seed does not give. The seed itself must fit the commitment."""
    published = table.opened.commitment or ""
    if commitment(table.cup.seed) != published:
        return {entry.seq for entry in table.entries if entry.dice is not None}
    words: list[str] = []
    bad: set[int] = set()
    for entry in table.entries:
        if isinstance(entry.event, WordSaid):
            words.append(entry.event.word)
        if entry.dice is not None and any(verify(table.cup.seed, published, [(entry.dice, words)])):
            bad.add(entry.seq)
    return bad


@router.get("/verify/contrail_verify.py", include_in_schema=False)
async def script() -> FileResponse:
    """The stand-alone checker: one file, Python only."""
    return FileResponse(
        resource("static") / "verify" / "contrail_verify.py",
        media_type="text/x-python",
        filename="contrail_verify.py",
    )
