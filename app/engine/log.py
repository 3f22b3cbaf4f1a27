"""The log: everything that happened at a table, in order, as facts. It is only ever added to.

State is the fold of the log. An entry that was taken back stays, struck out; `Rewound` says from where
the table went on. The events here are the ones that every game has.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from app.engine.dice import Rolled
from app.engine.people import Person

Kind = Literal["decision", "roll", "effect", "table"]
Takebacks = Literal["free", "own", "consent", "none"]
Passes = Literal["", "roll", "reveal", "other", "start", "rulings"]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the log.

    `seq` counts from 1 and names the moment after it, also where it moves nothing; `at` is in
    milliseconds since 1970. `seat` is who caused it: who decided, whose roll it was. `kind` "table" is
    what people do about the table rather than in the game (a word for the dice, a take-back).
    `command` is the seq of the first entry that the same command made, `receipt` the caller's key for
    that command, on its first entry only.
    `choice` is a decision's answer as it was given, from which the rules made the event; with the dice it is
    all that a course depends on, so that it can be decided again. Older decisions have none.
    `hash` proves the log up to here (engine.record); nobody is shown it before the game is over.
    """

    seq: int
    at: int
    turn: int
    phase: str
    kind: Kind
    event: Any
    seat: str | None = None
    unit: str | None = None
    cite: str | None = None
    dice: Rolled | None = None
    command: int = 0
    receipt: str | None = None
    choice: Any = None
    hash: str = ""


class Event(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Base of all facts. Its JSON names its type. `reveals` marks those that show what was hidden."""

    @classmethod
    def reveals(cls) -> bool:
        """Whether this fact shows somebody something secret: no take-back passes it silently."""
        return False

    @classmethod
    def moves(cls) -> bool:
        """Whether this fact moves the position. What is only said about a table leaves its question as it is."""
        return True


class Opened(Event, frozen=True):
    """The table's first entry: all that the game's course depends on besides choices and dice.

    `bots` says which seats play by themselves: seat and the id of its bot. With `people` the game begins
    when somebody was brought to every other seat. `rules` is the edition of the game that opened it, and
    `table` that of the events here. `cards` are those that the set-up uses, as they were then: plain data
    of which only the game knows the form.
    """

    game: str
    rules: int
    setup: Mapping[str, Any]
    rulings: Mapping[str, str]
    mode: Literal["solo", "shared"]
    dice: Literal["server", "hand"]
    pace: Literal["flow", "step"]
    takebacks: Takebacks
    commitment: str | None = None
    bots: Mapping[str, str] = {}
    people: bool = False
    table: int = 1
    cards: Mapping[str, Any] = {}


class Brought(Event, frozen=True):
    """A person comes to a seat, before the game begins: as the set-up's own would, with this record.

    `instead` says for whom he comes, and why ("Anvil, who is lost").
    """

    seat: str
    person: Person
    instead: str = ""


class PhaseBegan(Event, frozen=True):
    """A phase begins; the one before it is over. The first phase of a turn also begins the turn."""

    turn: int
    phase: str


class WordSaid(Event, frozen=True):
    """A seat adds a word to the dice, so that nobody chose them alone."""

    seat: str
    word: str

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


class TakebackAsked(Event, frozen=True):
    """A seat asks to go back to the moment after entry `to`."""

    seat: str
    to: int

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


class TakebackRefused(Event, frozen=True):
    """A seat says no."""

    seat: str

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


class Rewound(Event, frozen=True):
    """The table goes on from the moment after entry `to`; `agreed` is the seat that said yes."""

    to: int
    by: str
    agreed: str | None = None


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended. `reason` is one of the ids the game declares; no `winners` is a draw."""

    reason: str
    text: str
    winners: tuple[str, ...] = ()
    scores: Mapping[str, int] = {}


class Finished(Event, frozen=True):
    """The game is over. Nothing but talk follows, and the dice are shown."""

    result: Result


class RulingsAsked(Event, frozen=True):
    """A seat asks that the table goes on by these rulings, which came with later editions, up to `edition`."""

    seat: str
    rulings: Mapping[str, str]
    edition: int

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


class RulingsRefused(Event, frozen=True):
    """A seat says no to them; the one that asked may say so as well."""

    seat: str

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


class RulingsAdopted(Event, frozen=True):
    """From here on the table plays by these rulings too; `agreed` are the seats that said yes to `by`.

    Those that it does not name stay as they were.
    """

    rulings: Mapping[str, str]
    edition: int
    by: str
    agreed: tuple[str, ...] = ()


class Rematched(Event, frozen=True):
    """After the end, seat `by` has opened another table like this one, with sides `swapped` or not."""

    table: str
    by: str
    swapped: bool

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


class Forked(Event, frozen=True):
    """This table was begun as a copy of another one up to its entry `at`; it goes on by itself.

    All entries before this one are the other table's. From here on the dice follow from a seed of this
    table's own, of which `commitment` is the SHA-256; None with real dice.
    """

    table: str
    at: int
    commitment: str | None = None

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


class Restored(Event, frozen=True):
    """This table was read in from a record of a table, up to its entry `at`, by `by` (a name), and goes on here.

    Dice are as after `Forked`.
    """

    table: str
    at: int
    by: str
    commitment: str | None = None

    @classmethod
    def moves(cls) -> bool:
        """Said about the table."""
        return False


Branch = Forked | Restored


TABLE_EVENTS: tuple[type[Event], ...] = (
    Opened,
    Brought,
    PhaseBegan,
    WordSaid,
    TakebackAsked,
    TakebackRefused,
    Rewound,
    Finished,
    Rematched,
    Forked,
    Restored,
    RulingsAsked,
    RulingsRefused,
    RulingsAdopted,
)

TABLE_EDITION = 2
"""The edition of these events: 2 brought cards, and rulings that are adopted in mid-game."""


def live(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that still count: those that no `Rewound` struck out, and not the Rewound itself."""
    kept: list[Entry] = []
    for entry in entries:
        if isinstance(entry.event, Rewound):
            while kept and kept[-1].seq > entry.event.to:
                kept.pop()
        else:
            kept.append(entry)
    return kept


def struck(entries: Iterable[Entry]) -> set[int]:
    """The seqs of entries that were taken back."""
    gone: set[int] = set()
    kept: list[int] = []
    for entry in entries:
        if isinstance(entry.event, Rewound):
            while kept and kept[-1] > entry.event.to:
                gone.add(kept.pop())
        kept.append(entry.seq)
    return gone


class Takeback(msgspec.Struct, frozen=True):
    """What a take-back would do: go back to the moment after entry `to`.

    `passes` says what stands in the way of doing it at once: "roll", "reveal", "other" (another seat's
    entry), "rulings" (that seats agreed on), or "" when nothing does. `entries` is how many entries of the game it strikes out.
    """

    to: int
    passes: Passes
    entries: int


def takeback_to(
    entries: Sequence[Entry],
    to: int,
    seats: frozenset[str],
    *,
    sees_all: bool = False,
    told: Callable[[Entry], bool] = lambda entry: True,
) -> Takeback:
    """What lies between now and the moment after entry `to`, seen from `seats`.

    `entries` is the whole log. Only entries that still count are looked at; the limit is read off the
    log, so no game says what may be taken back. Whoever `sees_all`, holding every seat, was shown nothing new.
    Entries that are not `told` to them are passed over.
    """
    passes: Passes = ""
    undone = 0
    for entry in from_the_end(entries):
        if entry.seq <= to:
            break
        if isinstance(entry.event, Opened | Brought | Forked | Restored):
            return Takeback(to, "start", undone)
        if isinstance(entry.event, RulingsAdopted):
            passes = "rulings"
        if entry.kind == "table" or not told(entry):
            continue
        undone += 1
        if passes == "rulings":
            continue
        if entry.event.reveals() and not sees_all:
            passes = "reveal"
        elif passes != "reveal" and entry.dice is not None:
            passes = "roll"
        elif not passes and entry.kind == "decision" and entry.seat not in seats:
            passes = "other"
    return Takeback(to, passes, undone)


def last_decision(entries: Sequence[Entry], seats: frozenset[str]) -> Entry | None:
    """The last decision of `seats` that still counts: what the Undo control takes back."""
    for entry in from_the_end(entries):
        if entry.kind == "decision" and entry.seat in seats:
            return entry
    return None


def from_the_end(entries: Sequence[Entry]) -> Iterable[Entry]:
    """The entries that still count, last first, without walking the log from its start."""
    limit = len(entries)
    for entry in reversed(entries):
        if entry.seq > limit:
            continue
        if isinstance(entry.event, Rewound):
            limit = entry.event.to
            continue
        yield entry
