"""Rematches: another table like one that is over, for the same people.

Belongs here: who sits where there, and that there is one at most. Does not belong here: how a table is made
(opening), or one that somebody merely opens like another (orders.again_like).
"""

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.engine.errors import Stale
from app.engine.log import Rematched
from app.tables.codec import head_row, to_row
from app.tables.commands import acting_seat, check_kept
from app.tables.entries import about, entries_for
from app.tables.live import Caller, LiveTable
from app.tables.opening import Dealt, deal
from app.tables.orders import again_like
from app.tables.service import Service
from app.tables.store import Append, MovedOn, write_append


async def rematch(
    service: Service, table_id: str, caller: Caller, *, swapped: bool
) -> tuple[LiveTable, dict[str, str], bool]:
    """Another table like this one, for the same people in the same seats, or each in the next one.

    Returns it, the seat tokens of the caller's seats there, and whether it is new: there is one
    rematch at most, and whoever asks later gets that one, without tokens.
    """
    table = await service.whole(table_id)
    async with table.lock:
        check_kept(table)
        seats = table.seats_of(caller)
        who = acting_seat(seats, table)
        if not table.finished:
            raise Stale("The game is not over. There can be a rematch when it is.")
        if table.rematch is not None:
            return await service.get(table.rematch.table), {}, False
        moves = _moves(table, swapped=swapped)
        bots = {moves[seat]: bot for seat, bot in table.opened.bots.items()}
        sitters = {
            moves[claim.seat]: claim
            for claim in table.claims.values()
            # A script without an identity takes its seat anew, save the one that asks.
            if claim.identity is not None or claim.seat in seats
        }
        order = replace(again_like(table, seats), bots=bots)
        if (
            table.opened.people and not table.borrowed
        ):  # nobody was taken from a book for an exercise
            order = replace(order, people=await service.keeper.recall(table, moves))
        dealt = deal(order, caller.identity or table.owner, service.clock(), sitters)
        await _write_rematch(service, table, dealt, Rematched(dealt.table.id, who, swapped))
    service.remember(dealt.table)
    service.publish(table)
    own = {moves[seat] for seat in seats}
    tokens = {seat: token for seat, token in dealt.tokens.items() if seat in own}
    return dealt.table, tokens, True


async def _write_rematch(
    service: Service, table: LiveTable, dealt: Dealt, event: Rematched
) -> None:
    """The new table and the old one's link to it: both are kept, or neither."""
    entries = entries_for(table, [about(table, event, event.by)], service.clock())
    rows = [to_row(table.id, entry) for entry in entries]
    link = Append(table.id, rows, head_row(table.state, table.todo, entries[-1]))

    def both(connection: Connection) -> None:
        dealt.create(connection)
        write_append(connection, link)

    try:
        await service.write(table, both)
    except IntegrityError:  # another process was quicker: the next caller finds its rematch
        raise MovedOn from None
    service.note(table, entries, None)


def _moves(table: LiveTable, *, swapped: bool) -> Mapping[str, str]:
    """Where the holder of each seat sits at a rematch: in the same one, or in the next one around."""
    seats = [seat.id for seat in table.seats]
    return dict(zip(seats, seats[1:] + seats[:1] if swapped else seats, strict=True))
