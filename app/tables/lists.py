"""Lists of tables, from what is written of each: no log is loaded for them, but where a game keeps facts from some.

Belongs here: which tables somebody is shown, and what he may know of each. Does not belong here: how a list looks
(app.web).
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Executable, select, true

from app.engine.errors import Refused
from app.engine.game import Game, everything
from app.games import registry
from app.tables import models
from app.tables.live import Caller
from app.tables.position import pending_of
from app.tables.service import Service
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


async def as_known(service: Service, rows: Sequence[Row], who: Caller) -> list[Row]:
    """Rows of tables as somebody may know them.

    What is written of a table counts all that has happened and says whom all wait for. At a table that keeps facts
    from him, he reads his own count, the time of the last thing that he was told, and whom he knows to be waited for.
    """
    return [await _row_as_known(service, row, who) for row in rows]


async def _row_as_known(service: Service, row: Row, who: Caller) -> Row:
    if row["finished"] or row["game"] not in registry.metas():
        return row
    game: Game[Any] = registry.load(row["game"])
    if game.tells is everything:
        return row
    try:
        table = await service.get(row["id"])
    except Refused:  # its own page says what is wrong with it
        return {**row, "to_act": "", "version": 0}
    now, viewer = table.position, table.seats_of(who)
    if not now.telling.hides_from(viewer):
        return row
    count = now.count(viewer)
    return {
        **row,
        "version": now.version_for(viewer),
        "to_act": " ".join(pending_of(now, viewer).seats),
        "updated_at": now.entries[now.seq_of(count, viewer) - 1].at,
    }


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
