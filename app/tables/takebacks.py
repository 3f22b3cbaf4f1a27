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
from app.tables.commands import Done, acting_seat, done_before, moved_on, receipt_of, seen_at
from app.tables.live import Caller, LiveTable
from app.tables.position import Asked, Position
from app.tables.service import Service


@dataclass(frozen=True)
class TakebackPlan:
    """What the Undo control would do now; see views.UndoView.

    `to` is the moment after that entry of the record; `number` is its number as who takes back counts, and
    `entries` how many he would see struck out.
    """

    how: Literal["now", "confirm", "ask", "no"]
    reason: str = ""
    to: int = 0
    entries: int = 0
    number: int = 0


_PASSES = {
    "roll": "dice have fallen since",
    "reveal": "something hidden was shown since",
    "other": "another seat has decided since",
    "unseen": "something may have happened since that you do not see",
    "rulings": "newer rules were agreed on since",
}


def plan_takeback(
    table: LiveTable | Position, seats: Viewer, to: int | None = None
) -> TakebackPlan:
    """What a take-back by `seats` would do: to entry `to` as they count, or before their last decision.

    One's own choices come back at once as long as nothing else lies between; dice, a reveal or another
    seat's decision need the other seat's yes, or the player's own confirmation when playing alone. No bot
    is asked; where take-backs are free, what bots decided since goes like one's own choices. To whoever holds
    every seat a reveal shows nothing that he has not seen before, and it shows nobody else anything to play by.
    Where facts are hidden from them, it is never done at once: whether it could be would tell of hidden ones.
    """
    now = table if isinstance(table, Position) else table.position
    setting = now.opened.takebacks
    if not seats:
        return TakebackPlan("no", "Spectators have nothing to take back.")
    if now.damaged:
        return TakebackPlan("no", "This table's record is damaged: it can only be looked at.")
    if now.finished:
        return TakebackPlan("no", "The game is over and its dice are shown.")
    if setting == "none":
        return TakebackPlan("no", "This table plays without take-backs.")
    if to is None:
        entry = last_decision(now.entries, seats)
        if entry is None:
            return TakebackPlan("no", "You have decided nothing yet that could be taken back.")
        number = now.number_of(entry.seq - 1, seats)
        back = entry.seq - 1
    else:
        number, count = to, now.count(seats)
        if not 1 <= to < count or now.is_struck(now.seq_of(to, seats)):
            return TakebackPlan("no", f"Entry {to} is not a moment of this game to go back to.")
        back = now.seq_of(to + 1, seats) - 1  # what he is not told of before the next one stands
    plan = _passed(now, seats, back)
    if plan.entries == 0:
        return TakebackPlan("no", "Nothing has happened since that moment.")
    passes = plan.passes or ("unseen" if now.telling.hides_from(seats) else "")
    if passes == "":
        return TakebackPlan("now", "", back, plan.entries, number)
    why = _PASSES.get(passes, "that is before this table began")
    if passes == "start":
        return TakebackPlan("no", f"Not possible: {why}.", back, plan.entries, number)
    if setting == "free" or (setting == "consent" and _plays_bots_alone(now, seats)):
        return TakebackPlan("confirm", f"Asks first: {why}.", back, plan.entries, number)
    if setting == "own":
        return TakebackPlan("no", f"Not possible at this table: {why}.", back, plan.entries, number)
    if now.asked is not None:
        return TakebackPlan("no", "A take-back is asked for already.", back, plan.entries, number)
    if not seats.isdisjoint(now.spent):
        again = "You have asked, and there was no yes. Ask again when somebody has decided since."
        return TakebackPlan("no", again, back, plan.entries, number)
    return TakebackPlan("ask", f"Needs the other seat's yes: {why}.", back, plan.entries, number)


def _passed(now: Position, seats: Viewer, back: int, length: int | None = None) -> Takeback:
    """What lies between the moment after entry `back` and now, or when the log had `length` entries."""
    entries = now.entries if length is None else now.entries[:length]
    own = seats.union(now.bots) if now.opened.takebacks == "free" else seats
    sees_all = seats >= {seat.id for seat in now.seats}
    return takeback_to(
        entries,
        back,
        own,
        sees_all=sees_all,
        told=lambda entry: now.seen_entry(entry, seats) is not None,
    )


def _plays_bots_alone(now: Position, seats: Viewer) -> bool:
    """Whether all other seats are bots': nobody is there to be asked."""
    return bool(now.bots) and seats.union(now.bots) >= {seat.id for seat in now.seats}


def _check_seen(now: Position, seats: Viewer, version: int, plan: TakebackPlan) -> None:
    """Raises Stale when the take-back is not the one that was offered at `version`.

    It is another one when something was taken back since, when one has decided again, and when what could be
    done at once then would have to be asked for now.
    """
    seen = seen_at(now, seats, version)
    if seen >= now.version:
        return
    between = now.entries[seen:]
    changed = any(
        isinstance(entry.event, Rewound) or (entry.kind == "decision" and entry.seat in seats)
        for entry in between
    )
    if not changed and plan.how in ("ask", "confirm") and not now.telling.hides_from(seats):
        changed = plan.to >= seen or not _passed(now, seats, plan.to, seen).passes
    if changed:
        raise moved_on(now, seats, version)


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
    table = await service.whole(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        receipt = receipt_of(caller, receipt)
        if (before := done_before(table, receipt, TakebackAsked)) is not None:
            return before
        plan = plan_takeback(table, seats, to)
        _check_seen(table.position, seats, version, plan)
        who = acting_seat(seats, table)
        if plan.how == "no":
            raise Refused(plan.reason)
        if plan.how == "ask":
            event: Event = TakebackAsked(who, plan.to)
        else:
            event = Rewound(plan.to, who)
        entries = await service.append_about(table, event, who, receipt)
    service.publish(table)
    return Done(table, entries, table.version, asked=plan.how == "ask")


def _open_request(now: Position, seats: Viewer, version: int, request: int | None) -> Asked:
    """The take-back that is asked for now. Raises Stale where it is not the one that was seen at `version`.

    `request` is the number of its entry, where the answer names it.
    """
    seen = seen_at(now, seats, version)
    asked = now.asked
    if asked is None:
        raise Stale("Nobody is asking for a take-back any more.")
    if request is None:
        # A version of the position may be older than the request, the number of the log may not.
        known = seen == now.version or seen >= asked.seq
    else:
        known = request == now.number_of(asked.seq, seats)
    if seen < now.version or not known:
        raise moved_on(now, seats, version)
    return asked


async def answer_takeback(
    service: Service,
    table_id: str,
    version: int,
    accept: bool,
    caller: Caller,
    request: int | None = None,
) -> Done:
    """Agree to the take-back that another seat asked for, or not."""
    table = await service.whole(table_id)
    async with table.lock:
        seats = table.seats_of(caller)
        asked = _open_request(table.position, seats, version, request)
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
