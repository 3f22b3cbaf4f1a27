"""Deleting: a table goes for good, with its log, its seats and its dice.

Belongs here: who may, when, and that nothing stays behind that refers to it. Does not belong here: ending a game
(closing), what becomes of persons (the keeper).
"""

from typing import Any

from sqlalchemy import Connection, delete, select

from app.engine.errors import Missing, NotYourSeat, Refused, Stale
from app.engine.log import Finished, Result
from app.tables import models
from app.tables.entries import about, entries_for
from app.tables.live import Caller, LiveTable
from app.tables.loading import Unreadable
from app.tables.service import Service


async def kept_as(service: Service, table_id: str, caller: Caller) -> str:
    """The name of a table of the caller's own, also of one that can't be read. Raises Missing, NotYourSeat."""
    m = models.game_table.c
    rows = await service.store.read(select(m.name, m.owner).where(m.id == table_id))
    if not rows:
        raise Missing("There is no such table. The link may be cut short.")
    if caller.identity is None or rows[0]["owner"] != caller.identity:
        raise NotYourSeat("Only whoever opened a table can delete it.")
    return rows[0]["name"]


def may_go(table: LiveTable) -> bool:
    """Whether a table is its owner's alone to delete: nobody else plays there, or nothing is played any more.

    A record that is whole, and that only this version can't follow, may be played on by another: it counts as
    any other table.
    """
    return bool(
        table.finished
        or table.was_over
        or (table.damaged and table.damaged.altered)
        or all(
            claim.token_hash is None or claim.identity == table.owner
            for claim in table.claims.values()
        )
    )


async def delete_table(service: Service, table_id: str, caller: Caller) -> None:
    """Delete a table for good.

    Raises Missing, NotYourSeat for anybody but its owner, Stale while others have seats in a game that goes on,
    also where only another version of the server can go on with it. Whose person plays there is free again; where
    the game went on, its owner's has abandoned it.
    """
    await kept_as(service, table_id, caller)
    try:
        table = await service.get(table_id)
    except Missing:
        raise
    except Refused as unread:  # nothing of it is in memory
        lost = isinstance(unread, Unreadable) and unread.altered
        await service.store.attempt(lambda c: _unseen(service, c, table_id, caller, lost=lost))
        service.gone(table_id)
        return
    async with table.lock:
        if not (table.damaged or may_go(table)):
            raise Stale(
                "Somebody else plays at this table. End the game first; then it can be deleted."
            )
        ended = _ended(service, table)
        held = {seat: claim.token_hash for seat, claim in table.claims.items()}

        def work(connection: Connection) -> None:
            if table.damaged:
                lost = table.damaged.altered
                _unseen(service, connection, table_id, caller, lost=lost)
                return
            _check_claims(connection, table_id, held)
            if ended is not None:
                ended(connection)
            _delete(connection, table_id, caller)

        try:
            await service.store.attempt(work)
        finally:
            # Gone, or not certain to be there: the database is asked again by the next caller.
            service.let_go(table)
    service.gone(table_id)


def _ended(service: Service, table: LiveTable) -> Any:
    """What is to be written of those who play here, as if the game were closed now; None where there is nothing."""
    if table.finished or table.damaged or not table.people:
        return None
    own = [seat for seat, claim in table.claims.items() if claim.identity == table.owner]
    who = own[0] if own else table.seats[0].id
    result = Finished(Result("closed", "The table was deleted."))
    entries = entries_for(table, [about(table, result, who)], service.clock())
    return service.keeper.settle(table, table.after(entries), entries[-1])


def _unseen(
    service: Service, connection: Connection, table_id: str, caller: Caller, *, lost: bool
) -> None:
    """Delete a table of which nobody here knows where the game stands: its rows say whose it is.

    `lost`: its record is not what was written, so it is played nowhere any more. Raises Missing, Stale.
    """
    if not lost:
        m, claim = models.game_table.c, models.seat_claim.c
        rows = connection.execute(select(models.game_table).where(m.id == table_id))
        row = rows.mappings().first()
        if row is None:
            raise Missing("There is no such table. The link may be cut short.")
        about = {str(name): value for name, value in row.items()}
        others = connection.execute(
            select(claim.seat).where(
                claim.table_id == table_id,
                claim.token_hash.is_not(None),
                claim.identity.is_distinct_from(about["owner"]),
            )
        )
        if not about["finished"]:
            if others.first() is not None:
                raise Stale(
                    "Somebody else plays at this table, and nothing of it is lost: this server can't follow its "
                    "record, but another version can. It can be deleted when the game is over."
                )
            service.keeper.leave(connection, about, service.clock())
    _delete(connection, table_id, caller)


def _check_claims(connection: Connection, table_id: str, held: dict[str, str | None]) -> None:
    """Raises Stale where somebody has taken a seat by way of another process."""
    claim = models.seat_claim.c
    rows = connection.execute(
        select(claim.seat, claim.token_hash).where(claim.table_id == table_id)
    )
    if {row[0]: row[1] for row in rows} != held:
        raise Stale("Somebody has taken a seat meanwhile. Look again, then choose.")


def _delete(connection: Connection, table_id: str, caller: Caller) -> None:
    m = models.game_table.c
    gone = connection.execute(
        delete(models.game_table).where(m.id == table_id, m.owner == caller.identity)
    )
    if gone.rowcount != 1:
        raise Missing("There is no such table. The link may be cut short.")
