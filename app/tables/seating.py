"""Seating: taking a seat with its invitation, and whom one brings there.

Belongs here: whose a seat becomes, and the beginning of a game that waited for it. Does not belong here:
the seats of the opener (opening), how persons are chosen and kept (app.records).
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import IntegrityError

from app.engine.errors import Illegal, Missing, NotYourSeat, Stale
from app.engine.log import Brought, Entry, Event, WordSaid
from app.engine.sequence import Todo
from app.tables import models
from app.tables.codec import claim_row, head_row, to_row
from app.tables.commands import check_kept
from app.tables.entries import about, entries_for
from app.tables.live import Caller, Claim, LiveTable, token_hash
from app.tables.opening import begun
from app.tables.orders import MOST_NAME, one_line, word_of
from app.tables.persons import Coming
from app.tables.service import Service
from app.tables.store import Append, write_append
from app.tables.words import may_say_word, say_word


class SeatTaken(Stale):
    """Somebody else has the seat."""

    def __init__(self) -> None:
        super().__init__("That seat is taken. You can watch.")


@dataclass(frozen=True)
class _Arrival:
    """What follows when a person comes to a seat: the entries, and where the table stands after them."""

    entries: Sequence[Entry]
    state: Any
    step: Todo
    label: str


async def claim(
    service: Service,
    table_id: str,
    seat: str,
    invite: str,
    caller: Caller,
    name: str = "",
    word: str = "",
    coming: Coming | None = None,
) -> tuple[LiveTable, str]:
    """Take a seat with its invitation. Returns the table and a seat token.

    Whoever holds the seat already gets a new token for it. Raises Stale (409) when somebody else does.
    `coming` is who is brought there, if the table waits for somebody; the last one begins the game.
    """
    said = word_of(word)
    table = await service.get(table_id)
    async with table.lock:
        check_kept(table)
        before = table.claims.get(seat)
        if before is None:
            raise Missing(f"This table has no seat {seat!r}.")
        if seat in table.bots:
            raise Stale(f"{table.bots[seat].title} plays that seat by itself. You can watch.")
        if not secrets.compare_digest(before.invite.encode(), invite.encode()):
            raise NotYourSeat("That is not this seat's invitation. Ask for the link again.")
        if before.token_hash is not None and seat not in table.seats_of(caller):
            raise SeatTaken
        token = secrets.token_urlsafe(24)
        taken = Claim(
            seat,
            before.invite,
            caller.identity or before.identity,
            token_hash(token),
            one_line(name, MOST_NAME, "A name") or before.name,
        )
        arrival = _arrival(table, seat, coming, said, service.clock())
        await _write_claim(service, table, taken, coming, arrival)
        table.seat_taken(taken)
        if arrival is not None:
            service.note(table, arrival.entries, arrival.step)
    if said and may_say_word(table, seat):
        await say_word(service, table_id, said, Caller(seat_token=token), seat)
    service.publish(table)
    return table, token


def _arrival(
    table: LiveTable, seat: str, coming: Coming | None, word: str, at: int
) -> _Arrival | None:
    """What follows when a person is brought to a seat of a table that has not begun; None elsewhere.

    The word comes before what begins then: the first dice depend on it too.
    """
    if seat not in table.awaited:
        return None
    if coming is None:
        raise Illegal("This table waits for somebody to be brought to that seat: say whom.")
    events: list[Event] = [Brought(seat, coming.person, coming.instead)]
    if word and may_say_word(table, seat):
        events.append(WordSaid(seat, word))
    entries = entries_for(table, [about(table, event, seat) for event in events], at)
    # The game has not begun, so this is a few entries; nothing is noted at the table before they are kept.
    then = table.with_entries(entries)
    more = begun(then, at, command=entries[0].seq)
    then.added(more)
    label = next(one.label for one in then.seats if one.id == seat)
    return _Arrival([*entries, *more], then.state, then.todo, label)


async def _write_claim(
    service: Service,
    table: LiveTable,
    taken: Claim,
    coming: Coming | None,
    arrival: _Arrival | None,
) -> None:
    """Keep who holds a seat, and who was brought there. The table's lock is held."""
    before = table.claims[taken.seat]
    values = claim_row(taken, service.clock())
    if arrival is not None:
        values["label"] = arrival.label

    def take(connection: Connection) -> None:
        row = models.seat_claim.c
        done = connection.execute(
            update(models.seat_claim)
            .where(
                row.table_id == table.id,
                row.seat == taken.seat,
                # Another process may have given it away meanwhile.
                row.token_hash.is_not_distinct_from(before.token_hash),
            )
            .values(**values)
        )
        if done.rowcount != 1:
            raise SeatTaken
        if arrival is not None and coming is not None:
            rows = [to_row(table.id, entry) for entry in arrival.entries]
            head = head_row(arrival.state, arrival.step, arrival.entries[-1])
            write_append(connection, Append(table.id, rows, head))
            coming.take(connection, table.id)

    try:
        await service.write(table, take)
    except IntegrityError:
        raise SeatTaken from None


async def find_invite(service: Service, invite: str) -> tuple[LiveTable, str]:
    """The table and seat that an invitation opens. Raises Missing."""
    row = models.seat_claim.c
    rows = await service.store.read(select(row.table_id, row.seat).where(row.invite == invite))
    if not rows:
        raise Missing("This invitation is not known here. Ask for the link again.")
    return await service.get(rows[0]["table_id"]), rows[0]["seat"]
