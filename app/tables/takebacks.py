"""Take-backs: what one would do now, and what stands in its way. It does nothing itself."""

from dataclasses import dataclass
from typing import Literal

from app.engine.errors import NotYourSeat, Refused, Stale
from app.engine.log import (
    Event,
    Rewound,
    Takeback,
    TakebackAsked,
    TakebackRefused,
    last_decision,
    takeback_to,
)
from app.engine.secret import Viewer
from app.tables.commands import Done, acting_seat, check_open, receipt_of
from app.tables.live import Caller, LiveTable
from app.tables.service import Service


@dataclass(frozen=True)
class TakebackPlan:
    """What the Undo control would do now; see views.UndoView."""

    how: Literal["now", "confirm", "ask", "no"]
    reason: str = ""
    to: int = 0
    entries: int = 0


_PASSES = {
    "roll": "dice have fallen since",
    "reveal": "something hidden was shown since",
    "other": "another seat has decided since",
    "rulings": "newer rules were agreed on since",
}


def plan_takeback(table: LiveTable, seats: Viewer, to: int | None = None) -> TakebackPlan:
    """What a take-back by `seats` would do: to entry `to`, or before their last decision.

    One's own choices come back at once as long as nothing else lies between; dice, a reveal or another
    seat's decision need the other seat's yes, or the player's own confirmation when playing alone. No bot
    is asked; where take-backs are free, what bots decided since goes like one's own choices. To whoever holds
    every seat a reveal shows nothing that he has not seen before, and it shows nobody else anything to play by.
    """
    setting = table.opened.takebacks
    if not seats:
        return TakebackPlan("no", "Spectators have nothing to take back.")
    if table.finished:
        return TakebackPlan("no", "The game is over and its dice are shown.")
    if setting == "none":
        return TakebackPlan("no", "This table plays without take-backs.")
    if to is None:
        entry = last_decision(table.entries, seats)
        if entry is None:
            return TakebackPlan("no", "You have decided nothing yet that could be taken back.")
        to = entry.seq - 1
    if not 1 <= to < table.version or table.is_struck(to):
        return TakebackPlan("no", f"Entry {to} is not a moment of this game to go back to.")
    own = seats.union(table.bots) if setting == "free" else seats
    sees_all = seats >= {seat.id for seat in table.seats}
    plan: Takeback = takeback_to(table.entries, to, own, sees_all=sees_all)
    if plan.entries == 0:
        return TakebackPlan("no", "Nothing has happened since that moment.")
    if plan.passes == "":
        return TakebackPlan("now", "", to, plan.entries)
    why = _PASSES.get(plan.passes, "that is before the game began")
    if plan.passes == "start":
        return TakebackPlan("no", f"Not possible: {why}.", to, plan.entries)
    if setting == "free" or (setting == "consent" and _plays_bots_alone(table, seats)):
        return TakebackPlan("confirm", f"Asks first: {why}.", to, plan.entries)
    if setting == "own":
        return TakebackPlan("no", f"Not possible at this table: {why}.", to, plan.entries)
    if table.asked is not None:
        return TakebackPlan("no", "A take-back is asked for already.", to, plan.entries)
    return TakebackPlan("ask", f"Needs the other seat's yes: {why}.", to, plan.entries)


def _plays_bots_alone(table: LiveTable, seats: Viewer) -> bool:
    """Whether all other seats are bots': nobody is there to be asked."""
    return bool(table.bots) and seats.union(table.bots) >= {seat.id for seat in table.seats}


async def take_back(
    service: Service,
    table_id: str,
    version: int,
    caller: Caller,
    to: int | None = None,
    receipt: str | None = None,
) -> Done:
    """Take back to the moment after entry `to` (default: before one's last decision).

    Done at once where the table's setting allows it, else asked of the other seat (`Done.asked`).
    """
    table = await service.get(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        receipt = receipt_of(caller, receipt)
        if receipt is not None and (before := table.done_by(receipt)) is not None:
            asked = isinstance(before[-1].event, TakebackAsked)
            return Done(table, before, before[-1].seq, asked=asked)
        check_open(table, version)
        who = acting_seat(seats, table)
        plan = plan_takeback(table, seats, to)
        if plan.how == "no":
            raise Refused(plan.reason)
        if plan.how == "ask":
            event: Event = TakebackAsked(who, plan.to)
        else:
            event = Rewound(plan.to, who)
        entries = await service.append_about(table, event, who, receipt)
    service.publish(table)
    return Done(table, entries, table.version, asked=plan.how == "ask")


async def answer_takeback(
    service: Service, table_id: str, version: int, accept: bool, caller: Caller
) -> Done:
    """Agree to the take-back that another seat asked for, or not."""
    table = await service.get(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        check_open(table, version)
        asked = table.asked
        if asked is None:
            raise Stale("Nobody is asking for a take-back any more.")
        others = seats - {asked.seat}
        who = acting_seat(others or seats, table)
        event: Event
        if asked.seat in seats and not others:
            if accept:
                raise NotYourSeat("You asked; the other seat answers.")
            event = TakebackRefused(asked.seat)
        elif accept:
            event = Rewound(asked.to, asked.seat, who)
        else:
            event = TakebackRefused(who)
        entries = await service.append_about(table, event, who)
    service.publish(table)
    return Done(table, entries, table.version)
