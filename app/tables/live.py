"""A table in memory: its log, its state, who holds its seats. No storage and no HTTP here.

The log and the state only change through `added`, after the entries are durable.
"""

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

import msgspec

from app.bots import seated
from app.engine.dice import Cup, Pool, Rolled
from app.engine.errors import Missing
from app.engine.game import Bot, Game, Seat, Told, everything
from app.engine.hexes import Board
from app.engine.log import (
    Brought,
    Entry,
    Event,
    Finished,
    Opened,
    PhaseBegan,
    Rematched,
    Rewound,
    RulingsAdopted,
    RulingsAsked,
    RulingsRefused,
    TakebackAsked,
    TakebackRefused,
    Unseen,
    WordSaid,
    live,
)
from app.engine.people import Person
from app.engine.secret import Viewer, holds_secrets, redact
from app.engine.sequence import GameState, Held, Todo, evolve, todo

CHECKPOINT = 64
"""A state is kept every so many entries, so that any past moment is a short fold away."""


@dataclass(frozen=True)
class Caller:
    """Who sends a command: an identity (a visitor's cookie or personal token), or a seat token.

    `counted` is what its requests are counted by: a newcomer's by where they come from, as each would
    be somebody new without its cookie.
    """

    identity: str | None = None
    seat_token: str | None = None
    counted: str = field(default="", compare=False)


@dataclass
class Claim:
    """A seat of a table and who holds it."""

    seat: str
    invite: str
    identity: str | None = None
    token_hash: str | None = None
    name: str = ""


def token_hash(token: str) -> str:
    """What is stored of a seat token."""
    return hashlib.sha256(token.encode()).hexdigest()


class LiveTable:
    """A table that is being played or looked at.

    Args:
        game: its rules.
        about: its row of `game_table`.
        claims: its seats.
        seed: the dice secret.
        entries: the whole log; the first entry is Opened.
        held: sealed answers that wait.
    """

    def __init__(
        self,
        game: Game[Any],
        about: Mapping[str, Any],
        claims: Sequence[Claim],
        seed: bytes,
        entries: Sequence[Entry],
        held: Sequence[Held] = (),
    ) -> None:
        opened = entries[0].event
        assert isinstance(opened, Opened)
        self.game = game
        self._about = about
        self._seed = seed
        self.id: str = about["id"]
        self.name: str = about["name"]
        self.owner: str = about["owner"]
        self.listed: bool = about["listed"]
        self.opened = opened
        self.claims = {claim.seat: claim for claim in claims}
        self.bots: Mapping[str, Bot] = seated(game, opened.bots)
        self.stalled: int | None = None  # the version at which a bot could not go on
        self.lock = asyncio.Lock()
        self.cup = Cup(seed)
        self.people: dict[str, Person] = {}  # who was brought to which seat
        self._told: dict[tuple[int, Viewer | None], Told] = {}
        self.seats: tuple[Seat, ...]
        self.board: Board | None
        self.names: Mapping[str, str]
        self._first: GameState
        self.state: GameState
        self._recent: deque[GameState]  # before and after the newest entries; the last is `state`
        self._seat_people()
        self.entries: list[Entry] = []
        self.held: tuple[Held, ...] = tuple(held)
        self.asked: TakebackAsked | None = None
        self.rematch: Rematched | None = None
        self.worded: set[str] = set()  # seats that have said their word for the dice
        self.receipts: dict[str, int] = {}
        self._struck: set[int] = set()
        self._checkpoints: list[GameState] = []
        self._near: tuple[int, GameState] | None = None  # the past moment that was asked for last
        self._seen: dict[tuple[int, Viewer], Entry] = {}
        self._seen_states: dict[Viewer, GameState] = {}
        self._last: tuple[int, dict[str, Entry]] = (0, {})  # see `last_in`
        self._todo: tuple[int, Todo] = (-1, None)
        self._secretive = {kind for kind in game.events if holds_secrets(kind)}
        self.views: dict[Viewer, Any] = {}
        # What is worked out of the whole log once the game is over and the log tells nothing new of it.
        self.accounts: dict[Any, Any] = {}
        self.watchers = 0
        # No longer the one in memory: it may be behind, so nothing is written from it.
        self.lost = False
        self.added(entries)

    @property
    def version(self) -> int:
        """The seq of the last entry."""
        return len(self.entries)

    @property
    def todo(self) -> Todo:
        """What must happen next, asked of the rules once a version."""
        if self._todo[0] != self.version:
            self._todo = (self.version, self.todo_in(self.state))
        return self._todo[1]

    def todo_in(self, state: GameState) -> Todo:
        """What must happen next in a state of this table; nothing while it waits for a person."""
        return None if self.awaited else todo(self.game, state)

    @property
    def awaited(self) -> tuple[str, ...]:
        """The seats to which a person must be brought before the game begins."""
        if not self.opened.people:
            return ()
        here = self.people.keys() | self.bots.keys()
        return tuple(seat.id for seat in self.seats if seat.id not in here)

    def expect(self, step: Todo) -> None:
        """Take over what `todo` is known to be at this version."""
        self._todo = (self.version, step)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.state.result is not None

    def seats_of(self, caller: Caller) -> Viewer:
        """The seats that somebody holds here; none for a spectator."""
        hashed = token_hash(caller.seat_token) if caller.seat_token else None
        return frozenset(
            claim.seat
            for claim in self.claims.values()
            if (caller.identity and claim.identity == caller.identity)
            or (hashed and claim.token_hash == hashed)
        )

    def taken(self, seat: str) -> bool:
        """Whether a seat has somebody to play it, a person or a bot."""
        return seat in self.bots or self.claims[seat].token_hash is not None

    def throws_of(self, seats: Viewer) -> Viewer:
        """The seats whose dice somebody who holds `seats` throws: also those of bots, who have no hands."""
        return seats.union(self.bots) if seats else seats

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

    def after(self, entries: Sequence[Entry]) -> GameState:
        """The state that there would be after more entries."""
        state = self.state
        for entry in entries:
            state = self._after(state, entry)
        return state

    def added(self, entries: Sequence[Entry]) -> None:
        """Take note of entries that are durable."""
        self._recent = deque([self.state], CHECKPOINT)
        for entry in entries:
            if isinstance(entry.event, Brought):
                self.people[entry.event.seat] = entry.event.person
                self._seat_people()
            self.state = self._after(self.state, entry)
            self.entries.append(entry)
            self._recent.append(self.state)
            if entry.seq % CHECKPOINT == 0:
                self._checkpoints.append(self.state)
            if entry.receipt is not None:
                self.receipts[entry.receipt] = entry.seq
            self._note(entry)
        self.views.clear()
        self._seen_states.clear()

    def with_entries(self, entries: Sequence[Entry]) -> "LiveTable":
        """Another table in memory that has these entries too."""
        claims = list(self.claims.values())
        log = [*self.entries, *entries]
        return LiveTable(self.game, self._about, claims, self._seed, log, self.held)

    def _seat_people(self) -> None:
        """Begin with those who have come in their seats, and with stand-ins for those who have not.

        Nobody comes once the game has begun, so no later state is lost. Raises Illegal where they can't
        play together.
        """
        game, setup = self.game, setup_of(self.game, self.opened.setup)
        if self.opened.people and game.people is not None:
            taken = self.people.keys() | self.bots.keys()
            free = [seat.id for seat in game.seats(setup) if seat.id not in taken]
            stand_ins = {seat: game.people.stand_in(n) for n, seat in enumerate(free)}
            setup = game.people.seated(setup, {**self.people, **stand_ins})
        self.seats = game.seats(setup)
        self.board = game.board(setup)
        self.names = game.names(setup)
        self.state = self._first = game.begin(setup, self.opened.rulings, self.opened.cards)
        self._told = {}
        self._recent = deque([self.state], CHECKPOINT)

    def done_by(self, receipt: str) -> Sequence[Entry] | None:
        """The entries that the command with this receipt made, if it was carried out before."""
        first = self.receipts.get(receipt)
        if first is None:
            return None
        last = first
        while last < self.version and self.entries[last].command == first:
            last += 1
        return self.entries[first - 1 : last]

    def _note(self, entry: Entry) -> None:
        event = entry.event
        if entry.dice is not None and entry.dice.index is not None:
            self.cup.next_index = entry.dice.index + len(entry.dice.faces)
        if isinstance(event, WordSaid):
            self.cup.words = (*self.cup.words, event.word)
            self.worded.add(event.seat)
        elif isinstance(event, TakebackAsked):
            self.asked = event
        elif isinstance(event, TakebackRefused):
            self.asked = None
        elif isinstance(event, Rematched):
            self.rematch = event
        elif isinstance(event, Rewound):
            self.asked = None
            for past in reversed(self.entries[:-1]):
                if past.seq <= event.to:
                    break
                self._struck.add(past.seq)
            self._last = (0, {})
            for past in self._of_this_turn():
                self._keep_last(past)
        elif entry.kind != "table":
            self.asked = None
        self._keep_last(entry)

    def _keep_last(self, entry: Entry) -> None:
        turn, last = self._last
        if turn != entry.turn:
            last = {}
        by_rules = entry.kind != "table" and not isinstance(entry.event, PhaseBegan)
        if by_rules and entry.seq not in self._struck:
            last[entry.phase] = entry
        self._last = (entry.turn, last)

    def _of_this_turn(self) -> Sequence[Entry]:
        """The newest entries, as far back as they are of one turn; oldest first."""
        turn = self.entries[-1].turn
        return [*takewhile(lambda one: one.turn == turn, reversed(self.entries))][::-1]

    def last_in(self, turn: int, phase: str) -> Entry | None:
        """The last thing that the rules made happen in a phase, when `turn` is that of the newest entry."""
        return self._last[1].get(phase) if self._last[0] == turn else None

    def _after(self, state: GameState, entry: Entry) -> GameState:
        event = entry.event
        if isinstance(event, Rewound):
            return self.state_at(event.to)
        if entry.kind == "table" and not isinstance(event, Finished | RulingsAdopted):
            return state
        return evolve(self.game, state, event)

    def state_at(self, seq: int) -> GameState:
        """The state after entry `seq`. Raises Missing when there is no such moment."""
        if not 1 <= seq <= len(self.entries):
            raise Missing(f"This table has moments 1 to {self.version}; {seq} is not one of them.")
        back = self.version - seq
        if back < len(self._recent):
            return self._recent[-1 - back]
        return self._fold_to(seq)

    def _fold_to(self, seq: int) -> GameState:
        kept = min(seq // CHECKPOINT, len(self._checkpoints))
        done, state = kept * CHECKPOINT, self._checkpoints[kept - 1] if kept else self._first
        if self._near is not None and done <= self._near[0] <= seq:
            done, state = self._near
        for entry in self.entries[done:seq]:
            state = self._after(state, entry)
        self._near = (seq, state)
        return state

    def course(self) -> Iterator[tuple[GameState, Entry, GameState]]:
        """The entries that count, in order, each with the state before and after it: one fold."""
        state = self._first
        for entry in live(tuple(self.entries)):
            before, state = state, self._after(state, entry)
            yield before, entry, state

    def is_struck(self, seq: int) -> bool:
        """Whether an entry was taken back."""
        return seq in self._struck

    @property
    def hides(self) -> bool:
        """Whether the game keeps whole facts from some viewers."""
        return self.game.tells is not everything

    def may_show_setup(self, viewer: Viewer) -> bool:
        """Whether a viewer may see what the sides began with: where nothing is hidden, or all is over."""
        return not self.hides or self.finished or viewer.issuperset(self.claims)

    def seen_entry(self, entry: Entry, viewer: Viewer) -> Entry:
        """An entry without what the game hides from a viewer beside secrets; an unseen one says nothing at all."""
        if not self.hides or viewer.issuperset(self.claims):
            return entry
        if isinstance(entry.event, Opened):
            if self.may_show_setup(viewer):
                return entry
            return msgspec.structs.replace(
                entry, event=msgspec.structs.replace(entry.event, setup={}, cards={})
            )
        if type(entry.event) not in self.game.events:
            return entry
        key = (entry.seq, viewer)
        seen = self._seen.get(key)
        if seen is None:
            before, after = self.state_at(entry.seq - 1), self.state_at(entry.seq)
            whole = redact(entry.event, viewer)
            event = self.game.tells(before, after, whole, viewer)
            seen = self._seen[key] = (
                entry
                if event == entry.event
                else _unseen(entry)
                if event is None
                else msgspec.structs.replace(entry, event=event)
            )
        return seen

    def told(self, entry: Entry, viewer: Viewer) -> Told:
        """The log line of an entry for a viewer."""
        hidden = self.hides or type(entry.event) in self._secretive
        key = (entry.seq, viewer if hidden else None)
        line = self._told.get(key)
        if line is None:
            event = redact(self.seen_entry(entry, viewer).event, viewer) if hidden else entry.event
            line = self._told[key] = tell(self.game, event, self.names)
        return line

    def told_of(self, event: Event, viewer: Viewer) -> str:
        """The sentence of an event that is not in the log yet, without what a viewer may not know."""
        return tell(self.game, redact(event, viewer), self.names).text

    def seen_state(self, viewer: Viewer, seq: int | None = None) -> GameState:
        """The state at a moment (default: now) without what a viewer may not see."""
        if seq is not None:
            return self.game.view(redact(self.state_at(seq), viewer), viewer)
        seen = self._seen_states.get(viewer)
        if seen is None:
            seen = self.game.view(redact(self.state, viewer), viewer)
            self._seen_states[viewer] = seen
        return seen


def _unseen(entry: Entry) -> Entry:
    """An entry of which a viewer learns only that there is one."""
    return Entry(entry.seq, entry.at, entry.turn, entry.phase, "effect", Unseen())


def setup_of(game: Game[Any], data: Mapping[str, Any]) -> Any:
    """A set-up from plain data. Raises msgspec.ValidationError, which names the field."""
    return msgspec.convert(data, game.setup)


def tell(game: Game[Any], event: Any, names: Mapping[str, str]) -> Told:
    """The log line of any event: the ones every table has here, the game's by the game."""
    name = names.get
    match event:
        case Opened():
            return Told(f"The table opens: {game.meta.title}.", quiet=True)
        case Brought(person=person, instead=instead):
            assert game.people is not None
            who = f"{game.people.title(game.people.read(person.record))} {person.name}".strip()
            place = f", in place of {instead}" if instead else ""
            return Told(f"{person.call_sign} takes the seat: {who}{place}.", quiet=not instead)
        case PhaseBegan(turn=turn, phase=phase):
            return Told(f"Turn {turn}, {game.phase(phase).title}.", quiet=True)
        case WordSaid(seat=seat, word=word):
            return Told(f"{name(seat, seat)} adds a word to the dice: {word}", quiet=True)
        case TakebackAsked(seat=seat, to=to):
            return Told(f"{name(seat, seat)} asks to take back to entry {to}.")
        case TakebackRefused(seat=seat):
            return Told(f"{name(seat, seat)} does not agree to the take-back.")
        case Rewound(to=to, by=by, agreed=agreed):
            yes = f", agreed by {name(agreed, agreed)}" if agreed else ""
            return Told(f"Taken back to entry {to} by {name(by, by)}{yes}.")
        case Finished(result=result):
            return Told(result.text)
        case RulingsAsked(seat=seat, edition=edition):
            return Told(f"{name(seat, seat)} asks to go on by rules of edition {edition}.")
        case RulingsRefused(seat=seat):
            return Told(f"{name(seat, seat)} stays with the rules that the table has.")
        case RulingsAdopted(rulings=rulings, edition=edition, by=by, agreed=agreed):
            yes = f", agreed by {' and '.join(name(one, one) for one in agreed)}" if agreed else ""
            steps = tuple(_settled(game, key, value) for key, value in rulings.items())
            return Told(
                f"From here on, rules of edition {edition}, asked for by {name(by, by)}{yes}.",
                steps=steps,
            )
        case Unseen():
            return Told("Something happens out of sight.", quiet=True)
        case Rematched(by=by, swapped=swapped):
            return Told(
                f"{name(by, by)} has opened a rematch, {'sides swapped' if swapped else 'same sides'}."
            )
        case _:
            return game.tell(event, names)


def _settled(game: Game[Any], key: str, value: str) -> str:
    """A ruling and its value in the words of the rulebook."""
    ruling = game.rulebook.rulings.get(key)
    if ruling is None:
        return f"{key}: {value}"
    label = next((one.label for one in ruling.options if one.value == value), value)
    return f"{ruling.question} {label}"
