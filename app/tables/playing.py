"""Playing: answers, dice and advances, of people and of bots.

Belongs here: what goes through the rules of the game. Does not belong here: the rules (app.engine.sequence
asks the game), how bots decide (autoplay), what is said or done about a table (takebacks, words, closing).
"""

from app.engine.errors import Stale
from app.engine.secret import Viewer
from app.engine.sequence import Advance, Answer, Roll, play, withdraw
from app.tables.commands import Done, check_kept, check_open, receipt_of
from app.tables.entries import entries_for
from app.tables.live import Caller, LiveTable
from app.tables.service import Service


async def command(
    service: Service,
    table_id: str,
    given: Answer | Advance,
    version: int,
    caller: Caller,
    receipt: str | None = None,
) -> Done:
    """Carry out a choice, hand-thrown dice, or an advance.

    Raises a Refused of the engine; the table is then as it was. The same `receipt` from the same
    caller again answers what the first one answered.
    """
    table = await service.whole(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        receipt = receipt_of(caller, receipt)
        if receipt is not None and (before := table.done_by(receipt)) is not None:
            return Done(table, before, before[-1].seq)
        check_open(table, version)
        if table.awaited:
            raise Stale("The game has not begun: somebody has yet to take a seat.")
        if isinstance(table.todo, Roll):
            seats = table.throws_of(seats)
        done = await _play(service, table, given, seats, receipt)
    service.publish(table, seats)
    return done


async def play_bot(
    service: Service, table: LiveTable, seat: str, answer: Answer, version: int
) -> None:
    """Carry out what the bot of a seat decided at `version`. Raises Stale when that has passed."""
    async with table.lock:
        check_kept(table)
        check_open(table, version)
        await _play(service, table, answer, frozenset({seat}), None)
    service.publish(table)


def stall(service: Service, table: LiveTable, version: int) -> None:
    """Say that no bot can go on from `version`, so that people know whom the table waits for."""
    if table.version == version:
        table.stalled = version
        table.views.clear()
        service.publish(table)


async def _play(
    service: Service,
    table: LiveTable,
    given: Answer | Advance,
    seats: Viewer,
    receipt: str | None,
) -> Done:
    """Ask the engine and write what it says. The table's lock is held."""
    played = play(
        table.game,
        table.state,
        given,
        seats,
        table.thrower(),
        pace=table.opened.pace,
        held=table.held,
        known=table.todo,
    )
    if not played.happenings:
        await service.hold(table, played.held)
        return Done(table, (), table.version)
    entries = entries_for(table, played.happenings, service.clock(), receipt=receipt)
    await service.append(table, entries, played.state, played.todo, played.held)
    return Done(table, entries, table.version)


async def withdraw_answer(
    service: Service, table_id: str, offer: str, version: int, caller: Caller
) -> Done:
    """Withdraw a sealed answer that waits for others, so that its question is asked again.

    Nobody else can tell: there is no entry and no new version. Raises NotYourSeat, and Stale when it
    does not wait any more; whoever completes the answers first has them all.
    """
    table = await service.whole(table_id)
    async with table.lock:
        check_open(table, version)
        held = withdraw(table.todo, offer, table.seats_of(caller), table.held)
        await service.hold(table, held)
    service.publish(table)
    return Done(table, (), table.version)
