"""The desk: a table in memory, the one place that changes it. No storage and no HTTP here.

What is so at a moment is a position, which never changes; the desk puts the next one in its place. The log and the
state only change through `added`, after the entries are durable.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from app.bots import seated
from app.engine.dice import Cup, Pool, Rolled
from app.engine.game import Bot, Game, Seat
from app.engine.hexes import Board
from app.engine.log import (
    Branch,
    Brought,
    Entry,
    Forked,
    Opened,
    Rematched,
    Restored,
    Rewound,
    TakebackAsked,
    TakebackRefused,
    WordSaid,
)
from app.engine.people import Person
from app.engine.secret import Viewer
from app.engine.sequence import GameState, Held, Todo, todo
from app.tables.damage import Damage
from app.tables.past import Past
from app.tables.position import Asked, Claim, Position, Standing, by_rules, last_of_turn
from app.tables.telling import Telling

__all__ = ["Caller", "Claim", "LiveTable", "setup_of", "token_hash"]


@dataclass(frozen=True)
class Caller:
    """Who sends a command: an identity (a visitor's cookie or personal token), or a seat token.

    `counted` is what its requests are counted by: a newcomer's by where they come from, as each would
    be somebody new without its cookie.
    """

    identity: str | None = None
    seat_token: str | None = None
    counted: str = field(default="", compare=False)


def token_hash(token: str) -> str:
    """What is stored of a seat token."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class _Notes:
    """What entries change beside the state, while they are taken in."""

    version: int
    last: dict[str, Entry]
    turn: int
    asked: Asked | None
    spent: frozenset[str]
    rematch: Rematched | None
    words: tuple[str, ...]
    worded: frozenset[str]
    thrown: int
    struck: set[int]
    branch: Branch | None
    branched: int


class LiveTable:
    """A table that is being played or looked at.

    Args:
        game: its rules.
        about: its row of `game_table`.
        claims: its seats.
        seed: the dice secret.
        entries: the whole log; the first entry is Opened.
        held: sealed answers that wait.
        damaged: what is wrong with its record, if the entries are only those up to there.
    """

    def __init__(
        self,
        game: Game[Any],
        about: Mapping[str, Any],
        claims: Sequence[Claim],
        seed: bytes,
        entries: Sequence[Entry],
        held: Sequence[Held] = (),
        damaged: Damage | None = None,
    ) -> None:
        opened = entries[0].event
        assert isinstance(opened, Opened)
        self._about = about
        self._seed = seed
        self.id: str = about["id"]
        self.name: str = about["name"]
        self.owner: str = about["owner"]
        self.listed: bool = about["listed"]
        self.origin: str | None = about.get("origin")  # of what was read in to be looked at
        # As its row had it when it was read, also where its log can't be followed to the end.
        self.was_over: bool = about.get("finished", False)
        self.opened = opened
        self.damaged = damaged
        self.lock = asyncio.Lock()
        self.cup = Cup(seed)
        self.receipts: dict[str, int] = {}
        # What is worked out of the whole log once the game is over and the log tells nothing new of it.
        self.accounts: dict[Any, Any] = {}
        self.watchers = 0
        # No longer the one in memory: it may be behind, so nothing is written from it.
        self.lost = False
        self.position = self._opening(game, claims)
        self.added(entries)
        self.held = tuple(held)

    def _opening(self, game: Game[Any], claims: Sequence[Claim]) -> Position:
        """The position before the first entry."""
        seats, board, names, first = self._beginning(game, {})
        past = Past(game, first)
        return Position(
            game=game,
            id=self.id,
            name=self.name,
            opened=self.opened,
            seats=seats,
            board=board,
            names=names,
            claims={claim.seat: claim for claim in claims},
            bots=seated(game, self.opened.bots),
            people={},
            past=past,
            length=0,
            version=0,
            standing=Standing(
                game, first, waits=bool(self.opened.people) or self.damaged is not None
            ),
            telling=Telling(game, past, names, [seat.id for seat in seats], over=False),
            last={},
            damaged=self.damaged,
            origin=self.origin,
        )

    # What is so now

    @property
    def game(self) -> Game[Any]:
        """The rules of the table."""
        return self.position.game

    @game.setter
    def game(self, game: Game[Any]) -> None:
        """Go on by other rules, which mean the same by what has happened so far."""
        now = self.position
        standing = Standing(game, now.state, waits=now.waits)
        self.position = replace(now, game=game, standing=standing)

    @property
    def version(self) -> int:
        """The number of the last entry, which is the length of the log; for that of the position see there."""
        return self.position.length

    @property
    def state(self) -> GameState:
        """The state of the game, with all secrets."""
        return self.position.standing.state

    @property
    def entries(self) -> Sequence[Entry]:
        """The whole log."""
        return self.position.entries

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The sides."""
        return self.position.seats

    @property
    def board(self) -> Board | None:
        """The hex board."""
        return self.position.board

    @property
    def names(self) -> Mapping[str, str]:
        """The words for units and seats."""
        return self.position.names

    @property
    def claims(self) -> Mapping[str, Claim]:
        """Who holds each seat."""
        return self.position.claims

    @property
    def bots(self) -> Mapping[str, Bot]:
        """The seats that play by themselves."""
        return self.position.bots

    @property
    def people(self) -> Mapping[str, Person]:
        """Who was brought to which seat."""
        return self.position.people

    @property
    def asked(self) -> Asked | None:
        """The take-back that is asked for."""
        return self.position.asked

    @property
    def rematch(self) -> Rematched | None:
        """The table that follows."""
        return self.position.rematch

    @property
    def worded(self) -> frozenset[str]:
        """The seats that have said their word for the dice."""
        return self.position.worded

    @property
    def todo(self) -> Todo:
        """What must happen next."""
        return self.position.todo

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.position.finished

    @property
    def awaited(self) -> tuple[str, ...]:
        """The seats to which a person must be brought before the game begins."""
        return self.position.awaited

    @property
    def held(self) -> tuple[Held, ...]:
        """Sealed answers that wait."""
        return self.position.held

    @held.setter
    def held(self, held: tuple[Held, ...]) -> None:
        if held != self.position.held:
            self.position = replace(self.position, held=held)

    @property
    def stalled(self) -> int | None:
        """The version at which a bot could not go on."""
        return self.position.stalled

    @stalled.setter
    def stalled(self, version: int | None) -> None:
        self.position = replace(self.position, stalled=version)

    def seat_taken(self, claim: Claim) -> None:
        """Take note of who holds a seat now."""
        claims = {**self.position.claims, claim.seat: claim}
        self.position = replace(self.position, claims=claims)

    def taken(self, seat: str) -> bool:
        """Whether a seat has somebody to play it, a person or a bot."""
        return self.position.taken(seat)

    def throws_of(self, seats: Viewer) -> Viewer:
        """The seats whose dice somebody who holds `seats` throws."""
        return self.position.throws_of(seats)

    def is_struck(self, seq: int) -> bool:
        """Whether an entry was taken back."""
        return self.position.is_struck(seq)

    def state_at(self, seq: int) -> GameState:
        """The state after entry `seq`. Raises Missing when there is no such moment."""
        return self.position.state_at(seq)

    def course(self) -> Iterator[tuple[GameState, Entry, GameState]]:
        """The entries that count, in order, each with the state before and after it: one fold."""
        return self.position.course()

    def may_show_setup(self, viewer: Viewer) -> bool:
        """Whether a viewer may see what the sides began with."""
        return self.position.may_show_setup(viewer)

    @property
    def borrowed(self) -> bool:
        """Whether it began as another table, here or elsewhere: what is played there is in nobody's record."""
        return self.position.borrowed

    @property
    def commitment(self) -> str | None:
        """The SHA-256 of the seed that this table's dice follow from; None with real dice."""
        return self.position.commitment

    @property
    def branch(self) -> Branch | None:
        """Where this table parted from another one, if it did."""
        return self.position.branch

    @property
    def branched(self) -> int:
        """The number of that entry, or 0: dice before it are another seed's."""
        return self.position.branched

    def seats_of(self, caller: Caller) -> Viewer:
        """The seats that somebody holds here; none for a spectator."""
        hashed = token_hash(caller.seat_token) if caller.seat_token else None
        return frozenset(
            claim.seat
            for claim in self.position.claims.values()
            if (caller.identity and claim.identity == caller.identity)
            or (hashed and claim.token_hash == hashed)
        )

    def todo_in(self, state: GameState) -> Todo:
        """What must happen next in a state of this table; nothing while it waits for a person, or is damaged."""
        return None if self.position.waits else todo(self.game, state)

    def expect(self, step: Todo) -> None:
        """Take over what `todo` is known to be now."""
        self.position.standing.expect(step)

    # Dice

    def throw(self, pool: Pool, index: int) -> Rolled | None:
        """Dice from the cup, the first one numbered `index`; None at a table with real dice."""
        return None if self.opened.dice == "hand" else self.cup.throw(pool, index)

    def thrower(self) -> Callable[[Pool], Rolled | None]:
        """Throws a command's dice, one after another, without moving the cup; see `throw`."""
        index = self.cup.next_index

        def throw(pool: Pool) -> Rolled | None:
            nonlocal index
            rolled = self.throw(pool, index)
            if rolled is not None:
                index += pool.count
            return rolled

        return throw

    # The log grows

    def after(self, entries: Sequence[Entry]) -> GameState:
        """The state that there would be after more entries."""
        state = self.state
        for entry in entries:
            state = self.position.past.after(state, entry)
        return state

    def added(self, entries: Sequence[Entry]) -> None:
        """Take note of entries that are durable."""
        now = self.position
        notes = _Notes(
            version=now.version,
            last=dict(now.last),
            turn=now.state.turn,
            asked=now.asked,
            spent=now.spent,
            rematch=now.rematch,
            words=now.words,
            worded=now.worded,
            thrown=now.thrown,
            struck=set(),
            branch=now.branch,
            branched=now.branched,
        )
        state, past = now.state, now.past
        past.begin(state)
        for entry in entries:
            if isinstance(entry.event, Brought):
                now = self._brought(now, past, entry.event)
                state, past = now.state, now.past
            state = past.after(state, entry)
            past.add(entry, state)
            if entry.receipt is not None:
                self.receipts[entry.receipt] = entry.seq
            self._note(notes, past, entry, state)
        self.cup.words, self.cup.next_index = notes.words, notes.thrown
        standing, telling = now.standing, now.telling
        if state is not now.state:
            standing = Standing(now.game, state, waits=now.waits)
        over = state.result is not None
        if over and not telling.over:
            telling = Telling(now.game, past, now.names, now.claims, over=True)
        self.position = replace(
            now,
            length=len(past.entries),
            version=notes.version,
            standing=standing,
            telling=telling,
            last=notes.last,
            asked=notes.asked,
            spent=notes.spent,
            rematch=notes.rematch,
            words=notes.words,
            worded=notes.worded,
            thrown=notes.thrown,
            struck=now.struck | notes.struck if notes.struck else now.struck,
            branch=notes.branch,
            branched=notes.branched,
            stalled=None if notes.version != now.version else now.stalled,
            secret=self._seed.hex() if over and self.opened.dice == "server" else None,
        )

    def with_entries(self, entries: Sequence[Entry]) -> "LiveTable":
        """Another table in memory that has these entries too."""
        claims = list(self.claims.values())
        log = [*self.entries, *entries]
        return LiveTable(self.game, self._about, claims, self._seed, log, self.held)

    def _brought(self, now: Position, past: Past, event: Brought) -> Position:
        """The position with one more person in his seat; the game begins anew with him.

        Nobody comes once it has begun, so no later state is lost.
        """
        people = {**now.people, event.seat: event.person}
        seats, board, names, first = self._beginning(now.game, people)
        anew = Past(now.game, first, past.entries)
        telling = Telling(now.game, anew, names, [seat.id for seat in seats], over=False)
        moved = replace(
            now, seats=seats, board=board, names=names, people=people, past=anew, telling=telling
        )
        return replace(moved, standing=Standing(now.game, first, waits=moved.waits))

    def _beginning(
        self, game: Game[Any], people: Mapping[str, Person]
    ) -> tuple[tuple[Seat, ...], Board | None, Mapping[str, str], GameState]:
        """Seats, board, names and first state, with those who have come in their seats and stand-ins for others.

        Raises Illegal where they can't play together.
        """
        setup = setup_of(game, self.opened.setup)
        if self.opened.people and game.people is not None:
            taken = people.keys() | self.opened.bots.keys()
            free = [seat.id for seat in game.seats(setup) if seat.id not in taken]
            stand_ins = {seat: game.people.stand_in(n) for n, seat in enumerate(free)}
            setup = game.people.seated(setup, {**people, **stand_ins})
        first = game.begin(setup, self.opened.rulings, self.opened.cards)
        return game.seats(setup), game.board(setup), game.names(setup), first

    def _note(self, notes: _Notes, past: Past, entry: Entry, state: GameState) -> None:
        event = entry.event
        if event.moves():
            notes.version = entry.seq
        if entry.dice is not None and entry.dice.index is not None:
            notes.thrown = entry.dice.index + len(entry.dice.faces)
        if isinstance(event, WordSaid):
            notes.words = (*notes.words, event.word)
            notes.worded |= {event.seat}
        elif isinstance(event, TakebackAsked):
            notes.asked = Asked(event.seat, event.to, entry.seq)
        elif isinstance(event, TakebackRefused):
            if notes.asked is not None:
                notes.spent |= {notes.asked.seat}
            notes.asked = None
        elif isinstance(event, Rematched):
            notes.rematch = event
        elif isinstance(event, Forked | Restored):
            # Another seed: each seat may add its word again. Numbers of dice go on, and none comes twice.
            notes.branch, notes.branched = event, entry.seq
            notes.asked = notes.rematch = None
            notes.worded = frozenset()
        elif isinstance(event, Rewound):
            notes.asked, notes.spent = None, frozenset()
            for gone in reversed(past.entries[event.to : -1]):
                notes.struck.add(gone.seq)
            _keep_from_past(notes, past, state)
        elif entry.kind != "table":
            notes.asked = None
            if entry.kind == "decision":
                notes.spent = frozenset()
        if state.turn != notes.turn and not isinstance(event, Rewound):
            notes.last = {}
        if by_rules(entry):
            notes.last[entry.phase] = entry
        notes.turn = state.turn

    def done_by(self, receipt: str) -> Sequence[Entry] | None:
        """The entries that the command with this receipt made, if it was carried out before.

        Not one for a sealed answer that waits; when it has opened, all that the last answer made.
        """
        if any(one.receipt == receipt for one in self.held):
            return ()
        seq = self.receipts.get(receipt)
        if seq is None:
            return None
        first = last = self.entries[seq - 1].command
        while last < self.version and self.entries[last].command == first:
            last += 1
        return self.entries[first - 1 : last]


def _keep_from_past(notes: _Notes, past: Past, state: GameState) -> None:
    """The last thing of each phase of the turn that a take-back leads to."""
    notes.last = {}
    for entry in last_of_turn(past.entries, state.turn):
        notes.last.setdefault(entry.phase, entry)


def setup_of(game: Game[Any], data: Mapping[str, Any]) -> Any:
    """A set-up from plain data. Raises msgspec.ValidationError, which names the field."""
    return msgspec.convert(data, game.setup)
