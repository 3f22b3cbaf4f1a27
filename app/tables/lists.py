"""Lists of tables, from what is written of each: no game and no log is loaded for them.

Belongs here: which tables somebody is shown. Does not belong here: how a list looks (app.web).
"""

from sqlalchemy import Executable, select, true

from app.tables import models
from app.tables.store import Row, Store


async def tables_of(
    store: Store, identity: str, limit: int = 50, *, in_play: bool = False
) -> list[Row]:
    """The tables where an identity has a seat or that it opened, newest activity first."""
    table, claim = models.game_table, models.seat_claim
    seated = select(claim.c.table_id).where(claim.c.identity == identity)
    return await _with_seats(
        store,
        select(table)
        .where((table.c.owner == identity) | table.c.id.in_(seated))
        .where(~table.c.finished if in_play else true())
        .order_by(table.c.updated_at.desc())
        .limit(limit),
    )


async def open_tables(store: Store, limit: int = 50) -> list[Row]:
    """Listed tables that are being played, newest activity first."""
    table = models.game_table
    return await _with_seats(
        store,
        select(table)
        .where(table.c.listed, ~table.c.finished)
        .order_by(table.c.updated_at.desc())
        .limit(limit),
    )


async def _with_seats(store: Store, statement: Executable) -> list[Row]:
    """Rows of tables, each with the rows of its seats as `seats`. No game is loaded for it."""
    rows = await store.read(statement)
    claim = models.seat_claim.c
    ids = [row["id"] for row in rows]
    claims = await store.read(
        select(
            claim.table_id,
            claim.seat,
            claim.label,
            claim.name,
            claim.identity,
            claim.token_hash,
        )
        .where(claim.table_id.in_(ids))
        .order_by(claim.seat)
    )
    seats: dict[str, list[Row]] = {}
    for one in claims:
        seats.setdefault(one["table_id"], []).append(one)
    return [{**row, "seats": seats.get(row["id"], [])} for row in rows]
