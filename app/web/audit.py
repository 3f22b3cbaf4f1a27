"""The dice audit: every die of a table, and how anyone can check it."""

from typing import Any

import msgspec
from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse
from starlette.responses import Response

from app.archive.proving import own_dice, wrong_dice
from app.engine.log import WordSaid
from app.engine.secret import Viewer
from app.settings import resource
from app.tables.live import LiveTable
from app.tables.looking import heading_of, lines_of
from app.web.deps import CallerDep, SiteDep, viewer_of
from app.web.page import TableId

router = APIRouter()


class Die(msgspec.Struct, frozen=True):
    """One roll as the audit lists it: `index` numbers its first die, `words` were said before it.

    `other`: it fell before this table parted from another one, so it follows from another seed.
    """

    entry: int
    pool: str
    faces: tuple[int, ...]
    by: str
    index: int | None
    words: int
    struck: bool
    other: bool = False


class Audit(msgspec.Struct, frozen=True):
    """All dice of a table. `seed` (hex) is there once the game is over.

    Dice up to entry `parted` fell before this table parted from another one: `seed` and `commitment` are of those after it.
    """

    format: str
    table: str
    commitment: str | None
    seed: str | None
    words: tuple[str, ...]
    rolls: tuple[Die, ...]
    parted: int | None = None


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
            other = not own_dice(table, whole)
            rolls.append(
                Die(entry.seq, str(d.pool), d.faces, d.by, d.index, len(words), struck, other)
            )
    return Audit(
        "contrail-dice-1",
        table.id,
        now.commitment,
        now.secret,
        tuple(words),
        tuple(rolls),
        now.number_of(now.branched, viewer) or None,
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
    wrong = {one.seq for one in wrong_dice(table)} if audit.seed else set[int]()
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


@router.get("/verify/contrail_verify.py", include_in_schema=False)
async def script() -> FileResponse:
    """The stand-alone checker: one file, Python only."""
    return FileResponse(
        resource("static") / "verify" / "contrail_verify.py",
        media_type="text/x-python",
        filename="contrail_verify.py",
    )
