"""Forking: another table that goes on from a moment of this one, with dice of its own.

Belongs here: from which moments, and for whom. Does not belong here: how it is made (branching), a table that is
opened like another one from its beginning (app.tables.orders, rematches).
"""

from sqlalchemy.exc import IntegrityError

from app.archive.branching import Made, Seated, Sitters, branch, made_once
from app.engine.errors import Illegal, Missing, NotYourSeat, Stale
from app.engine.log import Brought, Forked
from app.engine.secret import Viewer, redact
from app.tables.commands import receipt_of
from app.tables.live import Caller, LiveTable
from app.tables.service import Service


async def fork(
    service: Service,
    table_id: str,
    caller: Caller,
    at: int | None = None,
    *,
    seats: Seated = "all",
    key: str | None = None,
    viewer: Viewer | None = None,
) -> Made:
    """A new table that goes on from the moment after entry `at` (default: the newest).

    `seats` are the caller's: all, the first that is his at the old table (else the first), or none; the others have
    invitations, and bots stay. `viewer` is as whom he sees the old table (default: by the seats that he has there).
    The same `key` from the same caller again answers the same table. Raises Missing
    for a moment that there is not, Illegal for one from which nothing goes on, and Stale where it can't
    honestly be done before the end.
    """
    owner = caller.identity
    if owner is None:
        raise NotYourSeat("Opening a table needs an identity.")
    table = await service.get(table_id)
    once = receipt_of(caller, None if key is None else f"fork {table_id} {at} {seats} {key}")
    if once is not None and (known := await made_once(service, owner, once)) is not None:
        return Made(known, {}, new=False)
    viewer = table.seats_of(caller) if viewer is None else viewer
    seq = table.version if at is None else at
    reason = why_not(table, viewer, seq)
    if reason is not None:
        raise reason
    free = [seat.id for seat in table.seats if seat.id not in table.bots]
    mine = [seat for seat in free if seat in viewer]
    sitting = {"all": free, "first": (mine or free)[:1], "none": []}[seats]
    name = next((table.claims[seat].name for seat in mine), "")
    dealt = branch(
        table.game,
        table.entries[:seq],
        Sitters(owner, sitting, dict.fromkeys(sitting, name)),
        lambda commitment: Forked(table.id, seq, commitment),
        service.clock(),
        name=_name(table, seq),
        once=once,
    )
    try:
        await service.store.attempt(dealt.create)
    except IntegrityError:
        # The same was sent twice at once: the other one made it.
        known = None if once is None else await made_once(service, owner, once)
        if known is None:
            raise
        return Made(known, {}, new=False)
    service.remember(dealt.table)
    return Made(dealt.table, dealt.tokens)


def _name(table: LiveTable, seq: int) -> str:
    """What a fork is called: like its table, with the moment.

    In fog without it: all may read the name, and the number would tell how much there is that they are not told.
    """
    ending = ", another way" if table.position.hides else f", from entry {seq}"
    return f"{table.name[: 60 - len(ending)]}{ending}"


def why_not(table: LiveTable, viewer: Viewer, seq: int) -> Missing | Illegal | Stale | None:
    """Why a viewer can't go on by himself from the moment after entry `seq`; None where he can."""
    now = table.position
    if now.telling.hides_from(viewer):  # first of all: how many moments there are is hidden too
        return Stale(
            "At this table not everybody knows the same, so nobody can try another way before the game is over. "
            "Then anyone can."
        )
    if not 1 <= seq <= now.length:
        return Missing(f"This table has moments 1 to {now.length}; {seq} is not one of them.")
    state = now.state_at(seq)
    if state.result is not None:
        return Illegal("The game is over at that moment. Choose an earlier one.")
    came = max((e.seq for e in table.entries if isinstance(e.event, Brought)), default=0)
    if table.awaited or seq < came:
        return Illegal("The game has not begun at that moment. Choose a later one.")
    if table.finished or viewer.issuperset(seat.id for seat in table.seats):
        return None
    if now.seen_state(viewer, seq) != state or any(
        redact(entry.event, viewer) != entry.event for entry in table.entries[:seq]
    ):
        return Stale(
            "At that moment somebody keeps something secret that you may not know, so you can't go on from it "
            "before the game is over. Then anyone can."
        )
    return None
