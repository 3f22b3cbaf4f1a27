"""Playing: answers, dice and advances, of people and of bots.

Belongs here: what goes through the rules of the game. Does not belong here: the rules (app.engine.sequence
asks the game), how bots decide (autoplay), what is said or done about a table (takebacks, words, closing).
"""

from dataclasses import replace

from app.engine.errors import Refused, Stale
from app.engine.secret import Viewer
from app.engine.sequence import Advance, Answer, Played, Roll, play, withdraw
from app.tables.commands import (
    Done,
    check_asked,
    check_asked_since,
    check_kept,
    done_before,
    receipt_of,
)
from app.tables.entries import entries_for
from app.tables.live import Caller, LiveTable
from app.tables.position import Position, Standing, nobody_may_know, pending_of
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
        if (before := done_before(table, receipt)) is not None:
            return before
        check_asked(table.position, seats, version, given)
        if table.awaited:
            raise Stale("The game has not begun: somebody has yet to take a seat.")
        _check_told(table.position, seats, given)
        if isinstance(table.todo, Roll):
            seats = table.throws_of(seats)
        if isinstance(given, Answer):
            given = replace(given, receipt=receipt)
        done = await _play(service, table, given, seats, receipt)
    service.publish(table, seats)
    return done


async def play_bot(
    service: Service, table: LiveTable, seat: str, answer: Answer, version: int
) -> None:
    """Carry out what the bot of a seat decided after entry `version`.

    Raises Stale when that has passed, and while a person is asked for a take-back: that comes first.
    """
    async with table.lock:
        check_kept(table)
        if table.asked is not None:
            raise Stale("A take-back is asked for. Bots wait for the answer.")
        check_asked_since(table.position, version, answer)
        await _play(service, table, answer, frozenset({seat}), None)
    service.publish(table)


def stall(service: Service, table: LiveTable, version: int) -> None:
    """Say that no bot can go on from `version`, so that people know whom the table waits for."""
    if table.version == version:
        table.stalled = version
        service.publish(table)


def _check_told(now: Position, seats: Viewer, given: Answer | Advance) -> None:
    """Raises what a step that there is not would, for one that the caller may not know of.

    So nobody learns by trying what waits out of his sight.
    """
    if not seats or now.todo is None or not now.telling.hides_from(seats):
        return
    steps = pending_of(now, seats).steps
    if isinstance(given, Advance):
        if not steps:
            raise Refused("There is nothing that you could let happen now.")
    elif all(one.id != given.offer for one in steps):
        raise Stale("That question is not open any more: the position has changed.")


async def _play(
    service: Service,
    table: LiveTable,
    given: Answer | Advance,
    seats: Viewer,
    receipt: str | None,
) -> Done:
    """Ask the engine and write what it says. The table's lock is held."""
    throw, pace = table.thrower(), table.opened.pace
    played = play(
        table.game,
        table.state,
        given,
        seats,
        throw,
        pace=pace,
        held=table.held,
        known=table.todo,
    )
    if not played.happenings:
        await service.hold(table, played.held)
        return Done(table, (), table.version)
    happenings = played.happenings
    while _waits_for_nobody(table, played):
        played = play(
            table.game,
            played.state,
            Advance(),
            frozenset(table.claims),
            throw,
            pace=pace,
            held=played.held,
            known=played.todo,
        )
        happenings += played.happenings
    entries = entries_for(table, happenings, service.clock(), receipt=receipt)
    await service.append(table, entries, played.state, played.todo, played.held)
    return Done(table, entries, table.version)


def _waits_for_nobody(table: LiveTable, played: Played) -> bool:
    """Whether what comes next, in pace "step", would wait for somebody to let it happen who may not know of it."""
    if not table.position.hides:
        return False
    standing = Standing(table.game, played.state, waits=False)
    standing.expect(played.todo)
    return nobody_may_know(replace(table.position, standing=standing))


async def withdraw_answer(
    service: Service, table_id: str, offer: str, version: int, caller: Caller
) -> Done:
    """Withdraw a sealed answer that waits for others, so that its question is asked again.

    Nobody else can tell: there is no entry and no new version. Raises NotYourSeat, and Stale when it
    does not wait any more; whoever completes the answers first has them all.
    """
    table = await service.whole(table_id)
    async with table.lock:
        seats, answer = table.seats_of(caller), Answer(offer)
        check_asked(table.position, seats, version, answer)
        _check_told(table.position, seats, answer)
        held = withdraw(table.todo, offer, seats, table.held)
        await service.hold(table, held)
    service.publish(table)
    return Done(table, (), table.version)
