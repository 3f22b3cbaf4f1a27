"""Positions: a table at one moment, as a value.

A desk (live) puts another position in the place of the last one whenever something changes, and changes none. So
whoever looks at one, also in a thread and for as long as he likes, looks at a single moment; what was worked out
of it is kept with it and dies with it, and can't be of any other.

Belongs here: what is so at a moment, and what a viewer may know of it. Does not belong here: what changes a table
(live), what is drawn of it (looking).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from app.engine.adoption import edition_of, rulings_of
from app.engine.errors import Missing
from app.engine.game import Bot, Game, Seat, Told
from app.engine.hexes import Board
from app.engine.log import (
    Branch,
    Entry,
    Event,
    Opened,
    PhaseBegan,
    Rematched,
    from_the_end,
    live,
)
from app.engine.people import Person
from app.engine.secret import Viewer, redact
from app.engine.sequence import (
    Decision,
    Effect,
    GameState,
    Held,
    Roll,
    Todo,
    open_decisions,
    to_act,
    todo,
    waiting,
)
from app.tables.damage import Damage
from app.tables.past import Log, Past
from app.tables.telling import Telling, tell

Present = frozenset[str]
"""The seats whose holders have a table open."""


@dataclass
class Claim:
    """A seat of a table and who holds it."""

    seat: str
    invite: str
    identity: str | None = None
    token_hash: str | None = None
    name: str = ""


@dataclass(frozen=True)
class Asked:
    """A take-back that is asked for: by which seat, to the moment after entry `to`, in entry `seq`."""

    seat: str
    to: int
    seq: int


class Standing:
    """A state of the game with what follows from it alone.

    Args:
        game: whose it is.
        state: the state.
        waits: whether nothing is asked: somebody is still to come, or the record is damaged.
    """

    def __init__(self, game: Game[Any], state: GameState, *, waits: bool) -> None:
        self.state = state
        self._game = game
        self._waits = waits
        self._seen: dict[Viewer, GameState] = {}

    @cached_property
    def todo(self) -> Todo:
        """What must happen next, asked of the rules once."""
        return None if self._waits else todo(self._game, self.state)

    def expect(self, step: Todo) -> None:
        """Take over what `todo` is known to be."""
        self.__dict__["todo"] = step

    def seen_by(self, viewer: Viewer) -> GameState:
        """The state without what a viewer may not see."""
        seen = self._seen.get(viewer)
        if seen is None:
            seen = self._seen[viewer] = self._game.view(redact(self.state, viewer), viewer)
        return seen


@dataclass(frozen=True, eq=False, kw_only=True)
class Position:
    """A table at one moment.

    Args:
        game: its rules; `opened` is how the table was opened.
        claims: who holds each seat; `bots` are the seats that play by themselves, `people` who was brought.
        past: what has happened, of which the first `length` entries belong to this moment.
        version: the number of the last entry that moved the position.
        standing: the state after it, and what must happen next.
        telling: who is told what of the entries.
        last: the last thing that happened in each phase of this turn.
        held: sealed answers that wait.
        asked: the take-back that is asked for.
        spent: seats whose request was refused or withdrawn since the last decision: they may not ask again.
        rematch: the table that follows.
        words: those said for the dice, `worded` by which seats; `thrown` counts the server's dice.
        struck: the entries that were taken back.
        stalled: the version at which a bot could not go on.
        secret: the dice secret in hex, once the game is over.
        damaged: what is wrong with the record, if the entries are only those up to there.
        branch: where the table parted from another one, in entry `branched`: dice before it are another seed's.
        origin: of a table that was read in to be looked at, what is known of it (archive).
    """

    game: Game[Any]
    id: str
    name: str
    opened: Opened
    seats: tuple[Seat, ...]
    board: Board | None
    names: Mapping[str, str]
    claims: Mapping[str, Claim]
    bots: Mapping[str, Bot]
    people: Mapping[str, Person]
    past: Past
    length: int
    version: int
    standing: Standing
    telling: Telling
    last: Mapping[str, Entry]
    held: tuple[Held, ...] = ()
    asked: Asked | None = None
    spent: frozenset[str] = frozenset()
    rematch: Rematched | None = None
    words: tuple[str, ...] = ()
    worded: frozenset[str] = frozenset()
    thrown: int = 0
    struck: frozenset[int] = frozenset()
    stalled: int | None = None
    secret: str | None = None
    damaged: Damage | None = None
    branch: Branch | None = None
    branched: int = 0
    origin: str | None = None
    looks: dict[tuple[Viewer, Viewer, Present], Any] = field(
        default_factory=lambda: dict[tuple[Viewer, Viewer, Present], Any](), init=False, repr=False
    )
    """Whole views that were made of it, by through which seats, as whose numbers, and who was present."""

    @property
    def state(self) -> GameState:
        """The state of the game, with all secrets."""
        return self.standing.state

    @property
    def todo(self) -> Todo:
        """What must happen next; nothing while it waits for a person."""
        return self.standing.todo

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.standing.state.result is not None

    @cached_property
    def entries(self) -> Log:
        """The log up to this moment, as the record has it."""
        return Log(self.past.entries, self.length)

    @cached_property
    def rulings(self) -> Mapping[str, str]:
        """How it settles each ruling: as it was opened, or as its seats agreed since."""
        return self.opened.rulings if self._of_this_edition else rulings_of(self.entries)

    @cached_property
    def edition(self) -> int:
        """The edition of its game's rules that it plays."""
        return self.opened.rules if self._of_this_edition else edition_of(self.entries)

    @property
    def _of_this_edition(self) -> bool:
        """Whether nothing has come since it was opened that could have been adopted."""
        return self.opened.rules == self.game.rules

    @property
    def borrowed(self) -> bool:
        """Whether it began as another table, here or elsewhere: what is played there is in nobody's record."""
        return self.branch is not None or self.origin is not None

    @property
    def commitment(self) -> str | None:
        """The SHA-256 of the seed that this table's dice follow from; None with real dice."""
        return (self.branch or self.opened).commitment

    @property
    def waits(self) -> bool:
        """Whether nothing is asked: somebody is still to come, or the record is damaged."""
        return bool(self.awaited) or self.damaged is not None

    @property
    def awaited(self) -> tuple[str, ...]:
        """The seats to which a person must be brought before the game begins."""
        if not self.opened.people:
            return ()
        here = self.people.keys() | self.bots.keys()
        return tuple(seat.id for seat in self.seats if seat.id not in here)

    def taken(self, seat: str) -> bool:
        """Whether a seat has somebody to play it, a person or a bot."""
        return seat in self.bots or self.claims[seat].token_hash is not None

    def throws_of(self, seats: Viewer) -> Viewer:
        """The seats whose dice somebody who holds `seats` throws: also those of bots, who have no hands."""
        return seats.union(self.bots) if seats else seats

    def is_struck(self, seq: int) -> bool:
        """Whether an entry was taken back."""
        return seq in self.struck

    def state_at(self, seq: int) -> GameState:
        """The state after entry `seq` of the record. Raises Missing when there is no such moment."""
        if not 1 <= seq <= self.length:
            raise Missing(f"This table has moments 1 to {self.length}; {seq} is not one of them.")
        return self.past.state_at(seq)

    def course(self) -> Iterator[tuple[GameState, Entry, GameState]]:
        """The entries that count, in order, each with the state before and after it: one fold."""
        state = self.past.first
        for entry in live(self.entries):
            before, state = state, self.past.after(state, entry)
            yield before, entry, state

    # What a viewer may know

    @property
    def hides(self) -> bool:
        """Whether the game keeps whole facts from some viewers at this table."""
        return self.telling.hides

    def may_show_setup(self, viewer: Viewer) -> bool:
        """Whether a viewer may see what the sides began with: where nothing is hidden, or all is over."""
        return self.telling.may_show_setup(viewer)

    def seen_state(self, viewer: Viewer, seq: int | None = None) -> GameState:
        """The state without what a viewer may not see: now, or after entry `seq` of the record."""
        if seq is None:
            return self.standing.seen_by(viewer)
        state = self.state_at(seq)
        return self.game.view(redact(state, viewer), viewer)

    def seen_entry(self, entry: Entry, viewer: Viewer) -> Entry | None:
        """An entry as a viewer is told it, with his own numbers; None where he is not told of it."""
        return self.telling.entry(entry, viewer)

    def told(self, entry: Entry, viewer: Viewer) -> Told | None:
        """The log line of an entry for a viewer; None where he is not told of it."""
        return self.telling.line(entry, viewer)

    def told_of(self, event: Event, viewer: Viewer) -> str:
        """The sentence of an event that is not in the log yet, without what a viewer may not know."""
        return tell(self.game, redact(event, viewer), self.names).text

    def last_in(self, phase: str, viewer: Viewer) -> Entry | None:
        """The last thing that a viewer is told of a phase of this turn, of what the rules made happen."""
        if not self.telling.hides_from(viewer):
            return self.last.get(phase)
        return self._last_told(viewer).get(phase)

    def _last_told(self, viewer: Viewer) -> Mapping[str, Entry]:
        found: dict[str, Entry] = {}
        for entry in last_of_turn(self.entries, self.state.turn):
            if entry.phase not in found and self.seen_entry(entry, viewer) is not None:
                found[entry.phase] = entry
        return found

    # Numbers

    def count(self, viewer: Viewer) -> int:
        """How many entries a viewer is told of: the number of the newest."""
        return self.number_of(self.length, viewer)

    def number_of(self, seq: int, viewer: Viewer) -> int:
        """How many of the record's first `seq` entries a viewer is told of."""
        numbers = self.telling.numbers(viewer, self.length)
        return seq if numbers is None else numbers.of(seq)

    def seq_of(self, number: int, viewer: Viewer) -> int:
        """The record's number of the entry that a viewer counts as `number`. Raises Missing for none."""
        numbers = self.telling.numbers(viewer, self.length)
        count = self.length if numbers is None else numbers.of(self.length)
        if not 1 <= number <= count:
            raise Missing(f"This table has {count} entries; {number} is not one of them.")
        return number if numbers is None else numbers.seqs[number - 1]

    def seen_since(self, number: int, viewer: Viewer) -> int | None:
        """The last moment of the record that a viewer can have seen as version `number`; None for no such one.

        What moved the position since is what he has been told of after it: of what he is not told, nothing shows.
        """
        numbers = self.telling.numbers(viewer, self.length)
        count = self.length if numbers is None else numbers.of(self.length)
        if not 1 <= number <= count:
            return None
        if numbers is None:
            return number
        for place in range(number, count):
            seq = numbers.seqs[place]
            if self.entries[seq - 1].event.moves():
                return seq - 1
        return self.length

    def version_for(self, viewer: Viewer, number: int | None = None) -> int:
        """The number of the last entry that moved the position, as a viewer counts: now, or up to `number`."""
        numbers = self.telling.numbers(viewer, self.length)
        if numbers is None and number is None:
            return self.version
        number = self.count(viewer) if number is None else number
        for n in range(number, 0, -1):
            seq = n if numbers is None else numbers.seqs[n - 1]
            if self.entries[seq - 1].event.moves():
                return n
        return number

    def entries_for(self, viewer: Viewer, after: int, to: int) -> Sequence[Entry]:
        """The entries that a viewer counts from the one after `after` to `to`, as the record has them."""
        numbers = self.telling.numbers(viewer, self.length)
        if numbers is None:
            return self.entries[after:to]
        to = min(to, numbers.of(self.length))
        return [self.entries[seq - 1] for seq in numbers.seqs[after:to]]

    def thrown_for(self, viewer: Viewer) -> int:
        """How many dice of the server a viewer was shown."""
        numbers = self.telling.numbers(viewer, self.length)
        return self.thrown if numbers is None else numbers.dice[numbers.of(self.length)]


def nobody_may_know(now: Position) -> bool:
    """Whether what waits needs no choice, and no person at the table may know of it: then it waits for nobody."""
    if now.todo is None or not now.hides or open_decisions(now.todo):
        return False
    if isinstance(now.todo, Roll) and now.opened.dice == "hand":
        return False
    people = (seat for seat in now.claims if seat not in now.bots)
    return not any(pending_of(now, frozenset({seat})).steps for seat in people)


def by_rules(entry: Entry) -> bool:
    """Whether something happened in the game, beside the beginning of a phase."""
    return entry.kind != "table" and not isinstance(entry.event, PhaseBegan)


def last_of_turn(entries: Sequence[Entry], turn: int) -> Iterator[Entry]:
    """What the rules made happen in the newest turn, as far as it counts; last first."""
    for entry in from_the_end(entries):
        if entry.kind == "table":
            continue
        if entry.turn != turn:
            return
        if by_rules(entry):
            yield entry


@dataclass(frozen=True)
class Pending:
    """What waits at a position, as far as a viewer may know of it.

    `steps` are those of which he may know all, `seats` the seats that he may know to be waited for.
    """

    steps: tuple[Decision | Roll | Effect, ...] = ()
    seats: tuple[str, ...] = ()


NOTHING_PENDING = Pending()


def pending_of(now: Position, viewer: Viewer) -> Pending:
    """What waits, as far as a viewer may know of it."""
    step = now.todo
    if not now.telling.hides_from(viewer):
        return Pending(tuple(waiting(step)), to_act(step)) if step is not None else NOTHING_PENDING
    state = now.seen_state(viewer)
    known = {*now.claims, *(unit.id for unit in now.game.units(state, viewer))}
    unseen = now.names.keys() - known
    steps: list[Decision | Roll | Effect] = []
    seats: dict[str, None] = {}
    for one in waiting(step):
        if one.unit in unseen and (isinstance(one, Effect) or one.seat not in viewer):
            continue
        known_of = "all" if one.seat in viewer else now.game.asks(now.state, one, viewer)
        if known_of == "all":
            steps.append(one)
        if known_of != "nothing" and not isinstance(one, Effect):
            seats[one.seat] = None
    return Pending(tuple(steps), tuple(seats))
