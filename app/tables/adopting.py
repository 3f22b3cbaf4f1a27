"""Adopting: newer rulings come to a table that is being played, by consent of its seats.

Belongs here: who asks, who answers, and what is shown of it. Does not belong here: what a log says of it, and what
can be adopted (app.engine.adoption); what rulings mean (the games).
"""

from collections.abc import Mapping

from app.engine.adoption import asked_of, check_adoptable, newer, refused_in, rulings_of
from app.engine.editions import too_new
from app.engine.errors import NotYourSeat, Stale
from app.engine.log import Event, RulingsAdopted, RulingsAsked, RulingsRefused
from app.engine.rulebook import Ruling
from app.engine.secret import Viewer
from app.tables.commands import Done, acting_seat, done_before, moved_on, receipt_of, seen_at
from app.tables.live import Caller
from app.tables.position import Position
from app.tables.service import Service
from app.tables.views import NewerView, NewRulingView, RulingsAskedView, RulingView


def newer_view(table: Position) -> NewerView | None:
    """The rulings that are newer than a table in play; None where none of them could come to it."""
    if table.finished or table.awaited or table.game.rules == table.opened.rules:
        return None
    rulings = newer(table.game.rulebook, table.entries)
    if all(one.fixed for one in rulings):
        return None
    now = rulings_of(table.entries)
    return NewerView(table.game.rules, tuple(_ruling(one, now.get(one.id, "")) for one in rulings))


def _ruling(ruling: Ruling, now: str) -> NewRulingView:
    ways = tuple(RulingView(one.value, one.label) for one in ruling.options)
    return NewRulingView(ruling.id, ruling.question, now, ways, ruling.rule, ruling.fixed)


def asked_view(table: Position, viewer: Viewer) -> RulingsAskedView | None:
    """The newer rulings that a seat asks for, if they wait for an answer."""
    asked = None if table.game.rules == table.opened.rules else asked_of(table.entries)
    if asked is None or table.finished:
        return None
    label = table.names.get(asked.seat, asked.seat)
    yours = bool(viewer - {asked.seat})
    return RulingsAskedView(asked.seat, label, asked.edition, asked.rulings, yours)


def _check(now: Position, seats: Viewer, version: int | None) -> int:
    """The last moment that whoever sends this can have seen; now where he names no version.

    Raises Stale for a version that there never was, and when the game is over or has not begun.
    """
    seen = seen_at(now, seats, now.version_for(seats) if version is None else version)
    if now.awaited:
        raise Stale("The game has not begun: somebody has yet to take a seat.")
    return seen


async def ask(
    service: Service,
    table_id: str,
    version: int | None,
    rulings: Mapping[str, str],
    caller: Caller,
    receipt: str | None = None,
) -> Done:
    """Ask that a table goes on by newer rulings; done at once where nobody else is there to be asked.

    Rulings that are not named stay as they are. Raises Illegal for what can't be adopted, Stale where
    somebody has asked already, or was refused in this turn.
    """
    table = await service.whole(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        receipt = receipt_of(caller, receipt)
        if (before := done_before(table, receipt, RulingsAsked)) is not None:
            return before
        _check(table.position, seats, version)
        who = acting_seat(seats, table)
        check_adoptable(table.game.rulebook, table.entries, rulings)
        if asked_of(table.entries) is not None:
            raise Stale("Newer rules are asked for already. Answer that first.")
        if refused_in(table.entries, table.state.turn):
            raise Stale("Newer rules were refused in this turn. Ask again in the next.")
        edition = table.game.rules
        alone = all(seat in seats or seat in table.bots for seat in table.claims)
        event: Event = RulingsAsked(who, rulings, edition)
        if alone:
            event = RulingsAdopted(rulings, edition, who)
        entries = await service.append_about(table, event, who, receipt)
    service.publish(table)
    return Done(table, entries, table.version, asked=not alone)


async def answer(
    service: Service, table_id: str, version: int | None, accept: bool, caller: Caller
) -> Done:
    """Agree to the newer rulings that another seat asks for, or not; who asked may withdraw it by a no.

    Raises OtherEdition for a yes to rulings of an edition that this server does not have.
    """
    table = await service.whole(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        now = table.position
        seen = _check(now, seats, version)
        asked = asked_of(now.entries)
        if asked is None:
            raise Stale("Nobody asks for newer rules any more.")
        if seen < now.version and not any(one.event is asked for one in now.entries[:seen]):
            raise moved_on(now, seats, now.version if version is None else version)
        others = seats - {asked.seat}
        who = acting_seat(others or seats, table)
        if accept and not others:
            raise NotYourSeat("You asked; the other seat answers.")
        event: Event = RulingsRefused(who)
        if accept and asked.edition > table.game.rules:  # it was asked on a newer server
            raise too_new(table.game.meta.title, asked.edition, table.game.rules)
        if accept:
            event = RulingsAdopted(asked.rulings, asked.edition, asked.seat, (who,))
        entries = await service.append_about(table, event, who)
    service.publish(table)
    return Done(table, entries, table.version)
