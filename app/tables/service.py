"""The service: everything that can be done to a table, for pages and scripts alike.

Each call loads the table, takes its lock, asks the engine, writes, and only when the entries are durable
takes note of them and tells the watchers. A refusal (engine.errors) leaves no trace: no entry, no die.
Does not belong here: HTTP, HTML, what a viewer sees (views).
"""

import asyncio
import hashlib
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Executable, insert, select, true, update
from sqlalchemy.exc import IntegrityError

from app.engine.dice import Pool, Rolled, commitment
from app.engine.errors import Illegal, Missing, NotYourSeat, Refused, Stale
from app.engine.game import Game
from app.engine.log import (
    Brought,
    Entry,
    Event,
    Finished,
    Kind,
    Opened,
    Rematched,
    Result,
    Rewound,
    TakebackAsked,
    TakebackRefused,
    WordSaid,
)
from app.engine.secret import Viewer
from app.engine.sequence import (
    Advance,
    Answer,
    Happening,
    Held,
    Roll,
    Todo,
    begin,
    play,
    to_act,
    withdraw,
)
from app.games import registry
from app.tables import models
from app.tables.codec import encode, event_decoder, from_row, to_row
from app.tables.live import Caller, Claim, LiveTable, token_hash
from app.tables.orders import (
    MOST_NAME,
    MOST_WORD,
    Order,
    again_like,
    checked_bots,
    checked_people,
    checked_seats,
    one_line,
    openers_seats,
    setup_for,
)
from app.tables.persons import Coming, Keeper, Nobody
from app.tables.store import Append, Row, Store, entries_of, keep_held, write_append
from app.tables.takebacks import plan_takeback

T = TypeVar("T")

Clock = Callable[[], int]
"""Milliseconds since 1970."""

log = logging.getLogger("contrail")


def _nobody(_: LiveTable) -> None:
    """Nobody is told."""


def new_seed() -> bytes:
    """What all dice of a table follow from, drawn once, when it is opened."""
    return secrets.token_bytes(32)


def _now() -> int:
    return time.time_ns() // 1_000_000


class Unreadable(Refused):
    """What is stored of a table makes no table: a row is missing or damaged, or not of this game."""

    status = 500
    title = "This table can't be read"

    def __init__(self) -> None:
        super().__init__(
            "What is kept of this table is damaged. The server's log says more; "
            "other tables are not affected."
        )


@dataclass(frozen=True)
class Done:
    """What a command did: the entries it made and the version after them.

    `asked`: a take-back was not done but asked for. A sealed answer that was kept makes no entry.
    """

    table: LiveTable
    entries: Sequence[Entry]
    version: int
    asked: bool = False


@dataclass(frozen=True)
class _Arrival:
    """What follows when a person comes to a seat: the entries, and where the table stands after them."""

    entries: Sequence[Entry]
    state: Any
    step: Todo
    label: str


class SeatTaken(Stale):
    """Somebody else has the seat."""

    def __init__(self) -> None:
        super().__init__("That seat is taken. You can watch.")


@dataclass(frozen=True)
class _Dealt:
    """A table that is made but not yet written. `tokens` are the seat tokens of those who sit there."""

    table: LiveTable
    tokens: dict[str, str]
    create: Callable[[Connection], None]


class Service:
    """All tables of one server.

    Args:
        store: where they are kept.
        publish: told of a table after something about it has changed and is durable.
        keep: how many tables are kept folded in memory; others are loaded when somebody comes.

    `done` and `written` count commands carried out and entries written since the start. `wake` is told of a
    table with bots whenever one of them may be to act. `keeper` keeps the persons of tables that have some.
    """

    def __init__(
        self,
        store: Store,
        publish: Callable[[LiveTable], None],
        *,
        keep: int = 256,
        clock: Clock = _now,
    ) -> None:
        self.store = store
        self._tell = publish
        self.wake: Callable[[LiveTable], None] = _nobody
        self.keeper: Keeper = Nobody()
        self._keep = keep
        self._clock = clock
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.done = 0
        self.written = 0

    @property
    def live(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    # Tables come and go

    async def open(self, order: Order, caller: Caller) -> tuple[LiveTable, dict[str, str]]:
        """Open a table. Returns it and the seat tokens of the opener's own seats.

        Raises Missing for an unknown game or scenario, Illegal for a set-up or ruling that can't be.
        """
        if caller.identity is None:
            raise NotYourSeat("Opening a table needs an identity.")
        dealt = self._deal(order, caller.identity)
        await self._write(dealt.create)
        self._remember(dealt.table)
        return dealt.table, dealt.tokens

    def _deal(self, order: Order, owner: str, sitters: Mapping[str, Claim] | None = None) -> _Dealt:
        """Make a table in memory, played to its first choice.

        `sitters` are whose seats they are, by seat (only identity and name count); without them they
        are the owner's: all at a solo table, else the first that no bot has.
        """
        game = registry.load(order.game)
        setup, scenario = setup_for(game, order)
        rulings = game.rulebook.settle(order.rulings)
        seats = checked_seats(game, setup, rulings)
        seed = new_seed()
        bots = checked_bots(game, seats, order.bots)
        solo = order.mode == "solo"
        alone = solo or len(bots) == len(seats) - 1
        if order.takebacks == "free" and not alone:
            raise Illegal(
                "Free take-backs are for playing alone: a shared table has own, consent or none."
            )
        opened = Opened(
            game=game.meta.id,
            rules=game.rules,
            setup=setup,
            rulings=rulings,
            mode=order.mode,
            dice=order.dice,
            pace=order.pace,
            takebacks=order.takebacks or ("free" if alone else "consent"),
            commitment=commitment(seed) if order.dice == "server" else None,
            bots=bots,
            people=bool(order.people),
        )
        at = self._clock()
        about = {
            "id": secrets.token_urlsafe(9),
            "game": game.meta.id,
            "name": one_line(order.name, MOST_NAME, "A table's name") or scenario,
            "mode": order.mode,
            "listed": order.listed and not solo,
            "owner": owner,
            "created_at": at,
        }
        claims = [Claim(seat.id, secrets.token_urlsafe(16)) for seat in seats]
        own = [claim for claim in claims if claim.seat not in bots]
        tokens: dict[str, str] = {}
        if sitters is None:
            sitters = {seat: Claim(seat, "", owner) for seat in openers_seats(order, seats, bots)}
        people = checked_people(game, list(sitters), order.people)
        for claim in own:
            if (sitter := sitters.get(claim.seat)) is not None:
                tokens[claim.seat] = secrets.token_urlsafe(24)
                claim.identity, claim.name = sitter.identity, sitter.name
                claim.token_hash = token_hash(tokens[claim.seat])
        first: list[tuple[Event, str | None]] = [(opened, None)]
        first += [(Brought(s, one.person, one.instead), s) for s, one in people.items()]
        word = one_line(order.word, MOST_WORD, "A word for the dice")
        if word:
            first.append((WordSaid(own[0].seat, word), own[0].seat))
        entries = [
            Entry(seq, at, 0, "", "table", event, seat=seat, command=1)
            for seq, (event, seat) in enumerate(first, start=1)
        ]
        table = LiveTable(game, about, claims, seed, entries)
        for seat, bot in table.bots.items():
            table.claims[seat].name = bot.title[:MOST_NAME]
        entries += self._begun(table, at=at, command=1)
        table.added(entries[table.version :])

        def create(connection: Connection) -> None:
            head = _head(table.state, table.todo, entries[-1])
            connection.execute(insert(models.game_table), {**about, **head})
            connection.execute(insert(models.seed), {"table_id": table.id, "seed": seed})
            connection.execute(
                insert(models.seat_claim),
                [
                    {"table_id": table.id, "label": seat.label, **_claim_values(claim, at)}
                    for seat, claim in zip(table.seats, claims, strict=True)
                ],
            )
            connection.execute(
                insert(models.log_entry), [to_row(table.id, entry) for entry in entries]
            )
            for one in people.values():
                one.take(connection, table.id)

        return _Dealt(table, tokens, create)

    def _begun(
        self, table: LiveTable, *, at: int | None = None, command: int | None = None
    ) -> list[Entry]:
        """What happens at a new table before the first choice; nothing while it waits for a person."""
        if table.awaited:
            return []
        played = begin(table.game, table.state, _Thrower(table).throw, pace=table.opened.pace)
        return self._entries(table, played.happenings, at=at, command=command)

    async def rematch(
        self, table_id: str, caller: Caller, *, swapped: bool
    ) -> tuple[LiveTable, dict[str, str], bool]:
        """Another table like this one, for the same people in the same seats, or each in the next one.

        Returns it, the seat tokens of the caller's seats there, and whether it is new: there is one
        rematch at most, and whoever asks later gets that one, without tokens.
        """
        table = await self.get(table_id)
        async with table.lock:
            _check_kept(table)
            seats = table.seats_of(caller)
            who = _first(seats, table)
            if not table.finished:
                raise Stale("The game is not over. There can be a rematch when it is.")
            if table.rematch is not None:
                return await self.get(table.rematch.table), {}, False
            moves = _moves(table, swapped=swapped)
            bots = {moves[seat]: bot for seat, bot in table.opened.bots.items()}
            sitters = {
                moves[claim.seat]: claim
                for claim in table.claims.values()
                # A script without an identity takes its seat anew, save the one that asks.
                if claim.identity is not None or claim.seat in seats
            }
            order = replace(again_like(table), bots=bots)
            if table.opened.people:
                order = replace(order, people=await self.keeper.recall(table, moves))
            dealt = self._deal(order, caller.identity or table.owner, sitters)
            await self._write_rematch(table, dealt, Rematched(dealt.table.id, who, swapped))
        self._remember(dealt.table)
        self._publish(table)
        own = {moves[seat] for seat in seats}
        tokens = {seat: token for seat, token in dealt.tokens.items() if seat in own}
        return dealt.table, tokens, True

    async def _write_rematch(self, table: LiveTable, dealt: _Dealt, event: Rematched) -> None:
        """The new table and the old one's link to it: both are kept, or neither."""
        entries = self._table_entry(table, event, event.by, None)
        rows = [to_row(table.id, entry) for entry in entries]
        link = Append(table.id, rows, _head(table.state, table.todo, entries[-1]))

        def both(connection: Connection) -> None:
            dealt.create(connection)
            write_append(connection, link)

        try:
            await self._write(both)
        except IntegrityError:  # another process was quicker: the next caller finds its rematch
            self._let_go(table)
            raise Stale("The table has moved on since then. Look again, then choose.") from None
        except BaseException:
            self._let_go(table)
            raise
        self._note(table, entries, None)

    async def get(self, table_id: str) -> LiveTable:
        """The table, loaded if need be. Raises Missing."""
        table = self._live.get(table_id)
        if table is not None:
            self._live.move_to_end(table_id)
            return table
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    def latest(self, table: LiveTable) -> LiveTable:
        """A table that somebody has held on to, as it is in memory now."""
        return self._live.get(table.id, table)

    async def _load(self, table_id: str) -> LiveTable:
        read, m = self.store.read, models
        about = await read(select(m.game_table).where(m.game_table.c.id == table_id))
        if not about:
            raise Missing("There is no such table. The link may be cut short.")
        claims = await read(select(m.seat_claim).where(m.seat_claim.c.table_id == table_id))
        seeds = await read(select(m.seed).where(m.seed.c.table_id == table_id))
        held = await read(select(m.held_answer).where(m.held_answer.c.table_id == table_id))
        rows = await read(entries_of(table_id))
        game = registry.load(about[0]["game"])
        try:
            table = await asyncio.get_running_loop().run_in_executor(
                None, _fold, game, about[0], claims, seeds[0]["seed"], rows, held
            )
        except Exception as error:  # whatever is wrong with it, the others are not affected
            log.error("the table %s can't be loaded", table_id, exc_info=error)
            raise Unreadable from None
        return self._remember(table)

    def _remember(self, table: LiveTable) -> LiveTable:
        table = self._live.setdefault(table.id, table)
        self._live.move_to_end(table.id)
        for old in list(self._live.values()):
            if len(self._live) <= self._keep:
                break
            if old is not table and not old.lock.locked() and not old.watchers:
                self._let_go(old)
        if table.bots:
            self.wake(table)
        return table

    # Seats

    async def claim(
        self,
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
        said = one_line(word, MOST_WORD, "A word for the dice")
        table = await self.get(table_id)
        async with table.lock:
            _check_kept(table)
            claim = table.claims.get(seat)
            if claim is None:
                raise Missing(f"This table has no seat {seat!r}.")
            if seat in table.bots:
                raise Stale(f"{table.bots[seat].title} plays that seat by itself. You can watch.")
            if not secrets.compare_digest(claim.invite.encode(), invite.encode()):
                raise NotYourSeat("That is not this seat's invitation. Ask for the link again.")
            if claim.token_hash is not None and seat not in table.seats_of(caller):
                raise SeatTaken
            token = secrets.token_urlsafe(24)
            taken = Claim(
                seat,
                claim.invite,
                caller.identity or claim.identity,
                token_hash(token),
                one_line(name, MOST_NAME, "A name") or claim.name,
            )
            arrival = self._arrival(table, seat, coming, said)
            await self._write_claim(table, taken, coming, arrival)
            table.claims[seat] = taken
            table.views.clear()
            if arrival is not None:
                self._note(table, arrival.entries, arrival.step)
        if said and may_say_word(table, seat):
            await self.say_word(table_id, said, Caller(seat_token=token), seat)
        self._publish(table)
        return table, token

    def _arrival(
        self, table: LiveTable, seat: str, coming: Coming | None, word: str
    ) -> _Arrival | None:
        """What follows when a person is brought to a seat of a table that has not begun; None elsewhere.

        The word comes before what begins then: the first dice depend on it too.
        """
        if seat not in table.awaited:
            return None
        if coming is None:
            raise Illegal("This table waits for somebody to be brought to that seat: say whom.")
        entries = self._table_entry(table, Brought(seat, coming.person, coming.instead), seat, None)
        if word and may_say_word(table, seat):
            entries += self._table_entry(table, WordSaid(seat, word), seat, None)
            entries[1] = msgspec.structs.replace(
                entries[1], seq=entries[0].seq + 1, command=entries[0].seq
            )
        # The game has not begun, so this is a few entries; nothing is noted at the table before they are kept.
        then = table.with_entries(entries)
        begun = self._begun(then, at=entries[0].at, command=entries[0].seq)
        then.added(begun)
        label = next(one.label for one in then.seats if one.id == seat)
        return _Arrival([*entries, *begun], then.state, then.todo, label)

    async def _write_claim(
        self, table: LiveTable, taken: Claim, coming: Coming | None, arrival: _Arrival | None
    ) -> None:
        """Keep who holds a seat, and who was brought there. The table's lock is held."""
        before = table.claims[taken.seat]
        values = _claim_values(taken, self._clock())
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
                head = _head(arrival.state, arrival.step, arrival.entries[-1])
                write_append(connection, Append(table.id, rows, head))
                coming.take(connection, table.id)

        try:
            await self._write(take)
        except (SeatTaken, IntegrityError):
            self._let_go(table)
            raise SeatTaken from None

    async def find_invite(self, invite: str) -> tuple[LiveTable, str]:
        """The table and seat that an invitation opens. Raises Missing."""
        row = models.seat_claim.c
        rows = await self.store.read(select(row.table_id, row.seat).where(row.invite == invite))
        if not rows:
            raise Missing("This invitation is not known here. Ask for the link again.")
        return await self.get(rows[0]["table_id"]), rows[0]["seat"]

    # Playing

    async def command(
        self,
        table_id: str,
        command: Answer | Advance,
        version: int,
        caller: Caller,
        receipt: str | None = None,
    ) -> Done:
        """Carry out a choice, hand-thrown dice, or an advance.

        Raises a Refused of the engine; the table is then as it was. The same `receipt` from the same
        caller again answers what the first one answered.
        """
        table = await self.get(table_id)
        async with table.lock:
            seats = table.seats_of(caller)
            receipt = _receipt(caller, receipt)
            if receipt is not None and (before := table.done_by(receipt)) is not None:
                return Done(table, before, before[-1].seq)
            _check_open(table, version)
            if table.awaited:
                raise Stale("The game has not begun: somebody has yet to take a seat.")
            if isinstance(table.todo, Roll):
                seats = table.throws_of(seats)
            done = await self._play(table, command, seats, receipt)
        self._publish(table)
        return done

    async def play_bot(self, table: LiveTable, seat: str, answer: Answer, version: int) -> None:
        """Carry out what the bot of a seat decided at `version`. Raises Stale when that has passed."""
        async with table.lock:
            _check_kept(table)
            _check_open(table, version)
            await self._play(table, answer, frozenset({seat}), None)
        self._publish(table)

    def stall(self, table: LiveTable, version: int) -> None:
        """Say that no bot can go on from `version`, so that people know whom the table waits for."""
        if table.version == version:
            table.stalled = version
            table.views.clear()
            self._publish(table)

    async def _play(
        self, table: LiveTable, command: Answer | Advance, seats: Viewer, receipt: str | None
    ) -> Done:
        """Ask the engine and write what it says. The table's lock is held."""
        played = play(
            table.game,
            table.state,
            command,
            seats,
            _Thrower(table).throw,
            pace=table.opened.pace,
            held=table.held,
            known=table.todo,
        )
        if not played.happenings:
            await self._hold(table, played.held)
            return Done(table, (), table.version)
        entries = self._entries(table, played.happenings, receipt=receipt)
        await self._append(table, entries, played.state, played.todo, played.held)
        return Done(table, entries, table.version)

    async def withdraw(self, table_id: str, offer: str, version: int, caller: Caller) -> Done:
        """Withdraw a sealed answer that waits for others, so that its question is asked again.

        Nobody else can tell: there is no entry and no new version. Raises NotYourSeat, and Stale when it
        does not wait any more; whoever completes the answers first has them all.
        """
        table = await self.get(table_id)
        async with table.lock:
            _check_open(table, version)
            held = withdraw(table.todo, offer, table.seats_of(caller), table.held)
            await self._hold(table, held)
        self._publish(table)
        return Done(table, (), table.version)

    async def take_back(
        self,
        table_id: str,
        version: int,
        caller: Caller,
        to: int | None = None,
        receipt: str | None = None,
    ) -> Done:
        """Take back to the moment after entry `to` (default: before one's last decision).

        Done at once where the table's setting allows it, else asked of the other seat (`Done.asked`).
        """
        table = await self.get(table_id)
        async with table.lock:
            seats = table.seats_of(caller)
            receipt = _receipt(caller, receipt)
            if receipt is not None and (before := table.done_by(receipt)) is not None:
                asked = isinstance(before[-1].event, TakebackAsked)
                return Done(table, before, before[-1].seq, asked=asked)
            _check_open(table, version)
            who = _first(seats, table)
            plan = plan_takeback(table, seats, to)
            if plan.how == "no":
                raise Refused(plan.reason)
            if plan.how == "ask":
                event: Event = TakebackAsked(who, plan.to)
            else:
                event = Rewound(plan.to, who)
            entries = self._table_entry(table, event, who, receipt)
            await self._append_about(table, entries)
        self._publish(table)
        return Done(table, entries, table.version, asked=plan.how == "ask")

    async def answer_takeback(
        self, table_id: str, version: int, accept: bool, caller: Caller
    ) -> Done:
        """Agree to the take-back that another seat asked for, or not."""
        table = await self.get(table_id)
        async with table.lock:
            seats = table.seats_of(caller)
            _check_open(table, version)
            asked = table.asked
            if asked is None:
                raise Stale("Nobody is asking for a take-back any more.")
            others = seats - {asked.seat}
            who = _first(others or seats, table)
            event: Event
            if asked.seat in seats and not others:
                if accept:
                    raise NotYourSeat("You asked; the other seat answers.")
                event = TakebackRefused(asked.seat)
            elif accept:
                event = Rewound(asked.to, asked.seat, who)
            else:
                event = TakebackRefused(who)
            entries = self._table_entry(table, event, who, None)
            await self._append_about(table, entries)
        self._publish(table)
        return Done(table, entries, table.version)

    async def say_word(self, table_id: str, word: str, caller: Caller, seat: str | None) -> Done:
        """Add a word to the dice, once a seat."""
        table = await self.get(table_id)
        async with table.lock:
            seats = table.seats_of(caller)
            who = seat if seat in seats else _first(seats, table)
            text = one_line(word, MOST_WORD, "A word for the dice")
            if not text:
                raise Illegal("Type a word first: any letters that you make up.")
            if table.opened.dice == "hand":
                raise Illegal("This table plays with real dice.")
            if table.finished:
                raise Stale("The game is over.")
            if not may_say_word(table, who):
                raise Illegal("This seat has already added its word.")
            entries = self._table_entry(table, WordSaid(who, text), who, None)
            await self._append_about(table, entries)
        self._publish(table)
        return Done(table, entries, table.version)

    async def close(self, table_id: str, caller: Caller) -> Done:
        """End the game now: who holds every seat closes it, any other concedes to the rest, bots too."""
        table = await self.get(table_id)
        async with table.lock:
            seats = table.seats_of(caller)
            who = _first(seats, table)
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
            entries = self._table_entry(table, Finished(result), who, None)
            await self._append_about(table, entries)
        self._publish(table)
        return Done(table, entries, table.version)

    # Lists

    async def tables_of(
        self, identity: str, limit: int = 50, *, in_play: bool = False
    ) -> list[Row]:
        """The tables where an identity has a seat or that it opened, newest activity first."""
        table, claim = models.game_table, models.seat_claim
        seated = select(claim.c.table_id).where(claim.c.identity == identity)
        return await self._with_seats(
            select(table)
            .where((table.c.owner == identity) | table.c.id.in_(seated))
            .where(~table.c.finished if in_play else true())
            .order_by(table.c.updated_at.desc())
            .limit(limit)
        )

    async def open_tables(self, limit: int = 50) -> list[Row]:
        """Listed tables that are being played, newest activity first."""
        table = models.game_table
        return await self._with_seats(
            select(table)
            .where(table.c.listed, ~table.c.finished)
            .order_by(table.c.updated_at.desc())
            .limit(limit)
        )

    async def _with_seats(self, statement: Executable) -> list[Row]:
        """Rows of tables, each with the rows of its seats as `seats`. No game is loaded for it."""
        rows = await self.store.read(statement)
        claim = models.seat_claim.c
        ids = [row["id"] for row in rows]
        claims = await self.store.read(
            select(
                claim.table_id,
                claim.seat,
                claim.label,
                claim.name,
                claim.identity,
                claim.token_hash,
            )
            .where(claim.table_id.in_(ids))
            .order_by(claim.seat)
        )
        seats: dict[str, list[Row]] = {}
        for one in claims:
            seats.setdefault(one["table_id"], []).append(one)
        return [{**row, "seats": seats.get(row["id"], [])} for row in rows]

    # Writing

    def _publish(self, table: LiveTable) -> None:
        """Tell the watchers that something has changed, and the bots, who may be to act."""
        self._tell(table)
        if table.bots:
            self.wake(table)

    def _entries(
        self,
        table: LiveTable,
        happenings: Sequence[Happening],
        *,
        at: int | None = None,
        command: int | None = None,
        receipt: str | None = None,
    ) -> list[Entry]:
        first = table.version + 1
        at = self._clock() if at is None else at
        return [
            Entry(
                seq=first + n,
                at=at,
                turn=h.turn,
                phase=h.phase,
                kind=h.kind,
                event=h.event,
                seat=h.seat,
                unit=h.unit,
                cite=h.cite,
                dice=h.dice,
                command=command or first,
                receipt=receipt if n == 0 else None,
            )
            for n, h in enumerate(happenings)
        ]

    def _table_entry(
        self, table: LiveTable, event: Event, seat: str, receipt: str | None
    ) -> list[Entry]:
        kind: Kind = "table"
        state = table.state
        happening = Happening(event, kind, state.turn, state.phase, seat, None, None)
        return self._entries(table, [happening], receipt=receipt)

    async def _append_about(self, table: LiveTable, entries: Sequence[Entry]) -> None:
        """The same for entries about the table: what they lead to is not known yet.

        Sealed answers wait on, unless the game goes on from another moment or is over.
        """
        state = table.after(entries)
        moved = any(isinstance(entry.event, Rewound | Finished) for entry in entries)
        held = () if moved else table.held
        await self._append(table, entries, state, table.todo_in(state), held)

    async def _append(
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
        _check_kept(table)
        head = _head(state, step, entries[-1])
        waiting = None if held == table.held else _held_rows(table, held)
        try:
            rows = [to_row(table.id, entry) for entry in entries]
            also = self._settled(table, state, entries)
            await self.store.append(Append(table.id, rows, head, held=waiting, also=also))
        except BaseException:
            # Whether it was written is not known here: the database is asked again by the next caller.
            self._let_go(table)
            raise
        table.held = held
        self._note(table, entries, step)

    def _settled(
        self, table: LiveTable, state: Any, entries: Sequence[Entry]
    ) -> Callable[[Connection], None] | None:
        """What is to be written of a table's persons with the entries that end its game, once.

        No take-back undoes an ending (takebacks), so what was written then is never taken back.
        """
        if not table.people or not isinstance(entries[-1].event, Finished):
            return None
        return self.keeper.settle(table, state, entries[-1])

    def _note(self, table: LiveTable, entries: Sequence[Entry], step: Todo) -> None:
        """Make durable entries part of the table."""
        self.done += 1
        self.written += len(entries)
        table.added(entries)
        table.expect(step)

    async def _write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction of its own. A refusal in it undoes what it wrote.

        The refusal is brought back from the writer, which takes what is raised there for trouble.
        """

        def guarded(connection: Connection) -> T | Refused:
            try:
                with connection.begin_nested():
                    return work(connection)
            except Refused as refused:
                return refused

        done = await self.store.write(guarded)
        if isinstance(done, Refused):
            raise done
        return done

    async def _hold(self, table: LiveTable, held: tuple[Held, ...]) -> None:
        """Keep these sealed answers in place of those that wait."""
        _check_kept(table)
        rows = _held_rows(table, held)
        try:
            await self.store.write(lambda connection: keep_held(connection, table.id, rows))
        except BaseException:
            self._let_go(table)
            raise
        table.held = held
        table.views.clear()

    def _let_go(self, table: LiveTable) -> None:
        """Forget a table in memory. Whoever waits for its lock must not write from it."""
        table.lost = True
        if self._live.get(table.id) is table:
            del self._live[table.id]


class _Thrower:
    """Throws a command's dice, one after another, without moving the table's cup."""

    def __init__(self, table: LiveTable) -> None:
        self._table = table
        self._index = table.cup.next_index

    def throw(self, pool: Pool) -> Rolled | None:
        rolled = self._table.throw(pool, self._index)
        if rolled is not None:
            self._index += pool.count
        return rolled


def _moves(table: LiveTable, *, swapped: bool) -> Mapping[str, str]:
    """Where the holder of each seat sits at a rematch: in the same one, or in the next one around."""
    seats = [seat.id for seat in table.seats]
    return dict(zip(seats, seats[1:] + seats[:1] if swapped else seats, strict=True))


def _head(state: Any, step: Todo, last: Entry) -> dict[str, Any]:
    """What the lists of tables show."""
    return {
        "version": last.seq,
        "turn": state.turn,
        "to_act": " ".join(to_act(step)),
        "finished": state.result is not None,
        "updated_at": last.at,
    }


def _claim_values(claim: Claim, at: int) -> dict[str, Any]:
    return {
        "seat": claim.seat,
        "invite": claim.invite,
        "identity": claim.identity,
        "token_hash": claim.token_hash,
        "name": claim.name,
        "claimed_at": at if claim.token_hash else None,
    }


def _fold(
    game: Game[Any],
    about: Row,
    claims: Sequence[Row],
    seed: bytes,
    rows: Sequence[Row],
    held: Sequence[Row],
) -> LiveTable:
    decoder = event_decoder(game)
    table = LiveTable(
        game,
        about,
        [
            Claim(c["seat"], c["invite"], c["identity"], c["token_hash"], c["name"])
            for c in sorted(claims, key=lambda claim: claim["seat"])
        ],
        seed,
        [from_row(row, decoder) for row in rows],
        [Held(h["offer"], h["seat"], msgspec.json.decode(h["choice"])) for h in held],
    )
    if any(seat.id not in table.claims for seat in table.seats):
        raise ValueError("a seat is missing")
    return table


def may_say_word(table: LiveTable, seat: str) -> bool:
    """Whether a seat can still add its word to the dice."""
    return table.opened.dice == "server" and not table.finished and seat not in table.worded


def _held_rows(table: LiveTable, held: Sequence[Held]) -> list[dict[str, Any]]:
    return [
        {"table_id": table.id, "offer": h.offer, "seat": h.seat, "choice": encode(h.choice)}
        for h in held
    ]


def _check_kept(table: LiveTable) -> None:
    if table.lost:
        raise Stale("The table was loaded anew meanwhile. Look again, then choose.")


def _check_open(table: LiveTable, version: int) -> None:
    if version != table.version:
        raise Stale(
            f"The position has changed: the table is at version {table.version}, "
            f"you saw {version}. Look again, then choose."
        )
    if table.finished:
        raise Stale("The game is over.")


def _first(seats: Viewer, table: LiveTable) -> str:
    """The seat in whose name somebody acts about the table."""
    for seat in table.seats:
        if seat.id in seats:
            return seat.id
    raise NotYourSeat("Only those who have a seat at this table can do that.")


def _receipt(caller: Caller, key: str | None) -> str | None:
    """A caller's key for a command, as the log keeps it: nobody's key can meet another's."""
    if not key:
        return None
    who = caller.identity or token_hash(caller.seat_token or "")
    return hashlib.sha256(f"{who}\n{key}".encode()).hexdigest()
