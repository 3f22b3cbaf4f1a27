"""Closing: the end of a game that the rules have not ended.

Belongs here: who closes or concedes. Does not belong here: endings of a game (its rules say them).
"""

from app.engine.errors import Stale
from app.engine.log import Finished, Result
from app.tables.commands import Done, acting_seat
from app.tables.live import Caller
from app.tables.service import Service


async def close(service: Service, table_id: str, caller: Caller) -> Done:
    """End the game now: who holds every seat closes it, any other concedes to the rest, bots too."""
    table = await service.whole(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        who = acting_seat(seats, table)
        if table.finished:
            raise Stale("The game is over already.")
        label = table.names.get(who, who)
        if table.awaited:
            result = Result("closed", "The table was closed before the game began.")
        elif len(seats) == len(table.seats):
            result = Result("closed", "The game was ended by its player.")
        else:
            others = tuple(seat.id for seat in table.seats if seat.id not in seats)
            winners = others if table.game.rivals else ()
            result = Result("conceded", f"{label} concedes.", winners)
        entries = await service.append_about(table, Finished(result), who)
    service.publish(table)
    return Done(table, entries, table.version)
