"""Listing: rows of tables, as far as somebody may be told them.

Where a game hides facts, how far a table's log has come, who is waited for and when something last happened are
told as on its page. Belongs here: that. Does not belong here: which tables somebody is shown (lists).
"""

from collections.abc import Iterable

from app.engine.errors import Refused
from app.games import registry
from app.tables.live import Caller
from app.tables.position import pending_of
from app.tables.service import Service
from app.tables.store import Row


async def as_told(service: Service, rows: Iterable[Row], who: Caller) -> list[Row]:
    """Rows as their reader may have them, newest activity that he may know of first."""
    told = [await _as_told(service, row, who) for row in rows]
    return sorted(told, key=lambda row: row["updated_at"], reverse=True)


async def _as_told(service: Service, row: Row, who: Caller) -> Row:
    if row["finished"] or not _may_hide(row["game"]):
        return row
    try:
        table = await service.get(row["id"])
    except Refused:  # what can't be read has its row to be found by, and says no more
        return {**row, "version": 0, "to_act": ""}
    now, viewer = table.position, table.seats_of(who)
    if not now.telling.hides_from(viewer):
        return row
    seats = dict.fromkeys(pending_of(now, viewer).seats)
    if now.asked is not None:
        seats |= dict.fromkeys(seat for seat in now.claims if seat != now.asked.seat)
    newest = now.entries[now.seq_of(now.count(viewer), viewer) - 1]
    return {
        **row,
        "version": now.version_for(viewer),
        "to_act": " ".join(seats),
        "updated_at": newest.at,
    }


def _may_hide(game: str) -> bool:
    """Whether a game keeps facts back at some table; False for one that is not installed."""
    try:
        return registry.load(game).may_hide
    except Refused:
        return False
