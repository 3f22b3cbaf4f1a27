"""The service: the tables of one server, in memory as in the database.

Belongs here: which tables are in memory, and that nothing becomes part of one before it is durable; where that
is not certain, the table is let go and loaded anew. A refusal (engine.errors) leaves no trace: no entry, no die.
Does not belong here: what can be done to a table, which is a room of its own for each purpose (opening,
rematches, seating, playing, takebacks, words, closing); how rows are read (loading, lists); HTTP, HTML.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection

from app.engine.log import (
    Entry,
    Event,
    Finished,
    Rewound,
    RulingsAdopted,
    TakebackAsked,
    TakebackRefused,
)
from app.engine.secret import Viewer
from app.engine.sequence import Held, Todo, to_act
from app.tables.clock import Clock, now
from app.tables.codec import head_row, held_rows, to_row
from app.tables.commands import check_kept, still_held
from app.tables.damage import Damaged
from app.tables.entries import about, entries_for
from app.tables.live import LiveTable
from app.tables.loading import Unreadable, load
from app.tables.persons import Keeper, Nobody
from app.tables.store import Append, HeldChange, Store, keep_held

log = logging.getLogger("contrail")


def _nobody(_: LiveTable) -> None:
    """Nobody is told."""


def _to_answer(table: LiveTable, last: Entry) -> tuple[str, ...]:
    """The seats that have a take-back to agree to or not, once entry `last` is written."""
    event = last.event
    if isinstance(event, TakebackAsked):
        asks = event.seat
    elif table.asked is not None and not event.moves() and not isinstance(event, TakebackRefused):
        asks = table.asked.seat
    else:
        return ()
    return tuple(seat.id for seat in table.seats if seat.id != asks and seat.id not in table.bots)


def _nobody_at(_: str) -> None:
    """Nobody is told."""


class Service:
    """All tables of one server.

    Each command gets its table, takes its lock, asks the engine, writes through this, and only when the
    entries are durable do those who watch hear of it (`publish`).

    Args:
        store: where they are kept.
        publish: told of a table after something about it has changed and is durable, and who did it.
        keep: how many tables are kept folded in memory; others are loaded when somebody comes.

    `done` and `written` count commands carried out and entries written since the start, those of a table that
    keeps facts from some once its game is over. `wake` is told of a
    table with bots whenever one of them may be to act. `keeper` keeps the persons of tables that have some.
    `parted` is told of a table that was deleted. `damaged` are the tables that were found not to be what was written.
    """

    def __init__(
        self,
        store: Store,
        publish: Callable[[LiveTable, Viewer], None],
        *,
        keep: int = 256,
        clock: Clock = now,
    ) -> None:
        self.store = store
        self.clock = clock
        self._tell = publish
        self.wake: Callable[[LiveTable], None] = _nobody
        self.parted: Callable[[str], None] = _nobody_at
        self.keeper: Keeper = Nobody()
        self._keep = keep
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.damaged: set[str] = set()
        self.done = 0
        self.written = 0
        self._uncounted: dict[str, tuple[int, int]] = {}

    # Tables come and go

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    async def get(self, table_id: str) -> LiveTable:
        """The table, loaded if need be. Raises Missing, and Unreadable when what is kept of it is damaged."""
        table = self._live.get(table_id)
        if table is not None:
            self._live.move_to_end(table_id)
            return table
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def whole(self, table_id: str) -> LiveTable:
        """The table, to do something to it. Raises Damaged where its record is; else as `get`."""
        table = await self.get(table_id)
        if table.damaged:
            raise Damaged
        return table

    async def _load(self, table_id: str) -> LiveTable:
        try:
            table = await load(self.store, table_id)
        except Unreadable as error:
            self._found(table_id, error.why)
            raise
        if table.damaged:
            self._found(table_id, table.damaged.text)
        else:
            self.damaged.discard(table_id)
        return self.remember(table)

    def _found(self, table_id: str, what: str) -> None:
        """Tell the operator, once, of a table that is not what was written."""
        if table_id not in self.damaged:
            self.damaged.add(table_id)
            log.error("the table %s is damaged: %s", table_id, what)

    def latest(self, table: LiveTable) -> LiveTable:
        """A table that somebody has held on to, as it is in memory now."""
        return self._live.get(table.id, table)

    def remember(self, table: LiveTable) -> LiveTable:
        """Keep a table in memory, as the one that was used last; others may have to leave for it.

        Returns the one that is in memory: another of the same id that was there first stays.
        """
        table = self._live.setdefault(table.id, table)
        self._live.move_to_end(table.id)
        for old in list(self._live.values()):
            if len(self._live) <= self._keep:
                break
            if old is not table and not old.lock.locked() and not old.watchers:
                self.let_go(old)
        if table.bots:
            self.wake(table)
        return table

    def let_go(self, table: LiveTable) -> None:
        """Forget a table in memory. Whoever waits for its lock must not write from it."""
        table.lost = True
        if self._live.get(table.id) is table:
            del self._live[table.id]

    def gone(self, table_id: str) -> None:
        """Let those who watch a table know that it was deleted."""
        self.damaged.discard(table_id)
        self._uncounted.pop(table_id, None)
        self.parted(table_id)

    def publish(self, table: LiveTable, who: Viewer = frozenset()) -> None:
        """Tell the watchers what the holder of some seats has changed, and the bots, who may be to act."""
        self._tell(table, who)
        if table.bots:
            self.wake(table)

    # Writing; the table's lock is held

    async def append(
        self,
        table: LiveTable,
        entries: Sequence[Entry],
        state: Any,
        step: Todo,
        held: tuple[Held, ...],
    ) -> None:
        """Make entries durable, and only then part of the table: nobody sees what may not be kept.

        `state` is the state after them, `step` what is to be done then, `held` the sealed answers then.
        """
        check_kept(table)
        head = dict(head_row(state, step, entries[-1]))
        head["to_act"] = " ".join(dict.fromkeys((*to_act(step), *_to_answer(table, entries[-1]))))
        try:
            waiting = None if held == table.held else _change(table, held)
            rows = [to_row(table.id, entry) for entry in entries]
            also = self._settled(table, state, entries)
            await self.store.append(Append(table.id, rows, head, held=waiting, also=also))
        except BaseException:
            # Whether it was written is not known here: the database is asked again by the next caller.
            self.let_go(table)
            raise
        table.held = held
        self.note(table, entries, step)

    async def append_about(
        self, table: LiveTable, event: Event, seat: str, receipt: str | None = None
    ) -> Sequence[Entry]:
        """The same for what a seat says or does about the table. Returns the entry, alone.

        Sealed answers wait on, unless the game is over, goes on by other rulings, or goes back to where they were
        not asked for.
        """
        entries = entries_for(table, [about(table, event, seat)], self.clock(), receipt=receipt)
        state = table.after(entries)
        step = table.todo_in(state)
        held = () if isinstance(event, RulingsAdopted | Finished) else table.held
        if isinstance(event, Rewound):
            held = still_held(table.position, event.to, step)
        await self.append(table, entries, state, step, held)
        return entries

    def _settled(
        self, table: LiveTable, state: Any, entries: Sequence[Entry]
    ) -> Callable[[Connection], None] | None:
        """What is to be written of a table's persons with the entries that end its game, once.

        No take-back undoes an ending (takebacks), so what was written then is never taken back. What is
        played on from another table's moment is an exercise: it writes nothing.
        """
        if (
            not table.people
            or table.branch is not None
            or not isinstance(entries[-1].event, Finished)
        ):
            return None
        return self.keeper.settle(table, state, entries[-1])

    async def write(self, table: LiveTable, work: Callable[[Connection], None]) -> None:
        """Write what is more than entries of a table, all of it or nothing. It is noted by whoever asks for it.

        Raises IntegrityError where another process was quicker, and a Refused of `work`.
        """
        check_kept(table)
        try:
            await self.store.attempt(work)
        except BaseException:
            self.let_go(table)
            raise

    async def hold(self, table: LiveTable, held: tuple[Held, ...]) -> None:
        """Keep these sealed answers in place of those that wait. Raises MovedOn when they are others by now."""
        check_kept(table)
        try:
            change = _change(table, held)
            await self.store.attempt(lambda connection: keep_held(connection, change))
        except BaseException:
            self.let_go(table)
            raise
        table.held = held

    def note(self, table: LiveTable, entries: Sequence[Entry], step: Todo) -> None:
        """Make entries that are durable part of the table; `step` is what is to be done after them."""
        table.added(entries)
        table.expect(step)
        self._count(table, len(entries))

    def _count(self, table: LiveTable, entries: int) -> None:
        """Count a command and its entries: of a table that keeps facts from some, only when its game is over.

        The counters are for all to read, and their steps would tell what happens out of sight.
        """
        commands, waiting = self._uncounted.pop(table.id, (0, 0))
        commands, entries = commands + 1, waiting + entries
        if table.position.hides and not table.finished:
            self._uncounted[table.id] = commands, entries
        else:
            self.done += commands
            self.written += entries


def _change(table: LiveTable, held: tuple[Held, ...]) -> HeldChange:
    """What becomes of a table's sealed answers."""
    return HeldChange(held_rows(table.id, table.held), held_rows(table.id, held))
