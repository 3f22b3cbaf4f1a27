"""Words for the dice: each seat may add one, so that nobody chose the dice alone.

Belongs here: who may say a word, and saying it. Does not belong here: what dice make of it (app.engine.dice).
"""

from app.engine.errors import Illegal, Stale
from app.engine.log import WordSaid
from app.tables.commands import Done, acting_seat
from app.tables.live import Caller, LiveTable
from app.tables.orders import word_of
from app.tables.service import Service


def may_say_word(table: LiveTable, seat: str) -> bool:
    """Whether a seat can still add its word to the dice."""
    open_still = not table.finished and not table.damaged
    return table.opened.dice == "server" and open_still and seat not in table.worded


async def say_word(
    service: Service, table_id: str, word: str, caller: Caller, seat: str | None
) -> Done:
    """Add a word to the dice, once a seat: that of `seat` where the caller holds it, else of the first they hold."""
    table = await service.whole(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        who = seat if seat in seats else acting_seat(seats, table)
        text = word_of(word)
        if not text:
            raise Illegal("Type a word first: any letters that you make up.")
        if table.opened.dice == "hand":
            raise Illegal("This table plays with real dice.")
        if table.finished:
            raise Stale("The game is over.")
        if not may_say_word(table, who):
            raise Illegal("This seat has already added its word.")
        entries = await service.append_about(table, WordSaid(who, text), who)
    service.publish(table)
    return Done(table, entries, table.version)
