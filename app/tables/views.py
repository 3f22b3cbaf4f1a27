"""Views: what one viewer may see of a table, as plain values.

Templates and the JSON interface get a View, never a State: all secrets of other seats are gone before
one is made. The structs below are also the JSON that `GET /api/tables/{id}` answers; those of
`Page` and `LineView` are for the pages only. `looking` makes them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, TypeVar

import msgspec

from app.engine.chance import percent
from app.engine.game import DieShown, Mark, Meta, Queue, UnitView
from app.engine.hexes import Board
from app.engine.sequence import Term


class BlockedView(msgspec.Struct, frozen=True):
    """Why an option can't be chosen now, and the rule that says so."""

    reason: str
    rule: str


class Bar(msgspec.Struct, frozen=True):
    """One result and its exact chance. `p` is the fraction as text ("5/16"), `chance` from 0 to 1."""

    value: Any
    label: str
    p: str
    chance: float

    @property
    def percent(self) -> str:
        """For people."""
        return percent(self.chance)


class OddsView(msgspec.Struct, frozen=True):
    """A chance beside an option. `label` says what the results are. One bar: the chance of a yes."""

    label: str
    outcomes: tuple[Bar, ...]


class FurtherOdds(msgspec.Struct, frozen=True):
    """A further choice that an option leads to, and its chances."""

    label: str
    odds: OddsView


T = TypeVar("T")


def _by_group(members: Iterable[tuple[str, T]]) -> tuple[tuple[str, tuple[T, ...]], ...]:
    """Members under their headings; headings and members keep their order."""
    groups: dict[str, list[T]] = {}
    for group, member in members:
        groups.setdefault(group, []).append(member)
    return tuple((group, tuple(under)) for group, under in groups.items())


def sum_of(terms: Sequence[Term]) -> str | None:
    """What the terms that apply come to, None where they are not all whole numbers.

    With a sign where each of them has one: then they modify something that is not among them.
    """
    lit = [term.amount.replace("−", "-").replace(" ", "") for term in terms if term.lit]
    try:
        total = sum(int(amount) for amount in lit)
    except ValueError:
        return None
    shown = f"{total:+}" if all(amount[0] in "+-0" for amount in lit) else str(total)
    return shown.replace("-", "−")


class OptionView(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """A way to answer. `value` is what a command's `choice` must be.

    `group` is the heading that it stands under, `terms` what its number is made from, `also` further chances.
    """

    value: Any
    label: str
    detail: str = ""
    odds: OddsView | None = None
    also: tuple[FurtherOdds, ...] = ()
    cost: str = ""
    rule: str | None = None
    blocked: BlockedView | None = None
    place: str | None = None
    path: tuple[str, ...] = ()
    facing: int | None = None
    group: str = ""
    terms: tuple[Term, ...] = ()

    @cached_property
    def key(self) -> str:
        """The value as JSON text, for a form."""
        return msgspec.json.encode(self.value, order="sorted").decode()


class Figure(msgspec.Struct, frozen=True):
    """A value that a line leads to."""

    label: str
    value: str


class TokenView(msgspec.Struct, frozen=True):
    """A token of a line. `before` is the line without it and what follows."""

    label: str
    before: str


class DraftView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of text, read as far as it is legal: what it leads to, and what may follow.

    `text` is that part in its normal form, `fault` why what was sent beyond it can't be. Each of `next` has the
    line with a token added as its value. `whole`: the line can be the answer. `path` are the places that it leads
    through, `facing` that at the last one, `told` what happens, token by token.
    """

    text: str
    whole: bool
    fault: BlockedView | None = None
    tokens: tuple[TokenView, ...] = ()
    next: tuple[OptionView, ...] = ()
    path: tuple[str, ...] = ()
    facing: int | None = None
    figures: tuple[Figure, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def groups(self) -> tuple[tuple[str, tuple[OptionView, ...]], ...]:
        """What may follow, by heading."""
        return _by_group((one.group, one) for one in self.next if one.blocked is None)

    @property
    def shut(self) -> tuple[OptionView, ...]:
        """What may not."""
        return tuple(one for one in self.next if one.blocked is not None)

    @property
    def altitude(self) -> str:
        """The altitude among the figures, to be drawn where the path ends."""
        return next((f.value for f in self.figures if f.label.lower() == "altitude"), "")


class ToggleView(msgspec.Struct, frozen=True):
    """A switch shared by all options: a member of each option's value, true or false."""

    key: str
    label: str
    detail: str


class Summary(msgspec.Struct, frozen=True):
    """What an offer's options have in common: told once instead of with each.

    `free` is how many can be chosen, `top` the largest chance among bars, `label` what all the odds are, "" if
    they differ; `bars`: some odds have several results; `rule` is the one that all free options rest on.
    """

    free: int
    top: float
    label: str
    bars: bool
    rule: str | None


class Offer(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, dict=True):
    """Something that can be done now by `seat`.

    `kind` "decision": answer with one of the options' values (or an object that fits `schema`). "roll": a
    roll is pending; at a table with real dice it is answered with the faces, else by advance. "confirm":
    a step that needs no choice waits for advance. `held`: this seat's sealed answer, waiting for others.
    `then`: what further odds can be asked for each option; "" for none. `draft`: answer with a line of text such
    as `example`, which `/draft` reads before it is sent; the options are whole lines. `terms`: what the number of a
    roll is made from. `pool`: the dice of a roll; none where their number would tell of what you may not know.
    """

    id: str
    seat: str
    kind: Literal["decision", "roll", "confirm"]
    title: str
    unit: str | None = None
    rule: str
    why: str = ""
    action: str = "Confirm"
    schema: Mapping[str, Any] | None = None
    options: tuple[OptionView, ...] = ()
    draft: bool = False
    example: Any = None
    toggle: ToggleView | None = None
    initial: Any = None
    then: str = ""
    pool: str | None = None
    odds: OddsView | None = None
    terms: tuple[Term, ...] = ()
    sealed: bool = False
    held: Any = None

    @property
    def held_words(self) -> str:
        """What the sealed answer says, in the words of its option; a text as it was written."""
        shown = msgspec.json.encode(self.held, order="sorted").decode()
        option = next((one for one in self.options if one.key == shown), None)
        if option is None:
            return self.held if isinstance(self.held, str) else shown
        on = self.toggle is not None and option.value[self.toggle.key]
        return f"{option.label}, {self.toggle.label}" if self.toggle and on else option.label

    @cached_property
    def summary(self) -> Summary:
        """See Summary."""
        free = [option for option in self.options if option.blocked is None]
        odds = [option.odds for option in self.options if option.odds is not None]
        bars = [one for one in odds if len(one.outcomes) > 1]
        labels = {one.label for one in odds}
        rules = {row[0].rule for row in self.free_rows}
        return Summary(
            len(free),
            max((bar.chance for one in bars for bar in one.outcomes), default=1.0),
            labels.pop() if len(labels) == 1 else "",
            bool(bars),
            rules.pop() if len(rules) == 1 else None,
        )

    @cached_property
    def rows(self) -> tuple[tuple[OptionView, OptionView | None], ...]:
        """Options as rows: with a toggle, each (off, on) pair is one row; else (option, None)."""
        if self.toggle is None:
            return tuple((option, None) for option in self.options)
        key = self.toggle.key
        on = {_without(o.value, key): o for o in self.options if o.value[key]}
        return tuple((o, on.get(_without(o.value, key))) for o in self.options if not o.value[key])

    def by_group(
        self, rows: Sequence[tuple[OptionView, OptionView | None]]
    ) -> tuple[tuple[str, tuple[tuple[OptionView, OptionView | None], ...]], ...]:
        """Rows under their headings."""
        return _by_group((row[0].group, row) for row in rows)

    @cached_property
    def longest_terms(self) -> tuple[Term, ...]:
        """The terms of the option that has most: there must be room for them whichever is selected."""
        return max((option.terms for option in self.options), key=len, default=())

    def starts_with(self, option: OptionView, on: OptionView | None) -> bool:
        """Whether a row is the one that is selected at first."""
        if self.initial is None:
            return False
        return option.value == self.initial or (on is not None and on.value == self.initial)

    @cached_property
    def free_rows(self) -> tuple[tuple[OptionView, OptionView | None], ...]:
        """The rows of which something can be chosen."""
        return tuple(row for row in self.rows if not _shut(*row))

    @cached_property
    def shut_rows(self) -> tuple[tuple[OptionView, OptionView | None], ...]:
        """The rows of which nothing can be chosen."""
        return tuple(row for row in self.rows if _shut(*row))


def _shut(option: OptionView, on: OptionView | None) -> bool:
    return option.blocked is not None and (on is None or on.blocked is not None)


def _without(value: Mapping[str, Any], key: str) -> str:
    rest = {name: member for name, member in value.items() if name != key}
    return msgspec.json.encode(rest, order="sorted").decode()


class PhaseView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A phase of the turn. `told` says what has happened in it this turn, once it is done."""

    id: str
    title: str
    state: Literal["done", "current", "ahead"]
    steps: tuple[str, ...] = ()
    told: str = ""


class Named(msgspec.Struct, frozen=True):
    """An id with the words for it."""

    id: str
    title: str


class Heading(msgspec.Struct, frozen=True):
    """What a page about a table, other than the table's own, says of it. `game` is the game's id."""

    id: str
    name: str
    game: str


class SeatView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat. `present`: somebody who holds it has the table open. `mark` "first" or "second".

    `bot` is the title of the bot that plays it, "" for a person's seat.
    """

    id: str
    label: str
    present: bool
    to_act: bool
    mark: str = "first"
    yours: bool = False
    taken: bool = False
    name: str = ""
    bot: str = ""


class DiceView(msgspec.Struct, frozen=True, omit_defaults=True):
    """How dice fall here. `seed` is there once the game is over; `thrown` counts server dice so far."""

    mode: Literal["server", "hand"]
    commitment: str | None = None
    words: tuple[str, ...] = ()
    thrown: int = 0
    seed: str | None = None


class ResultView(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the game ended."""

    reason: str
    text: str
    winners: tuple[str, ...] = ()
    scores: Mapping[str, int] = {}


class DiceEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice of a log entry. `kept` are the faces that counted; `index` numbers the first die."""

    pool: str
    faces: tuple[int, ...]
    by: Literal["server", "hand"]
    kept: tuple[int, ...] | None = None
    index: int | None = None


class EntryView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A log entry without other seats' secrets. `text` is for people, `data` has the numbers.

    `hash` proves the log up to here (engine.record); it is shown when the game is over.
    """

    seq: int
    at: int
    turn: int
    phase: str
    type: str
    seat: str | None
    text: str
    data: Any
    unit: str | None = None
    dice: DiceEntry | None = None
    rule: str | None = None
    struck: bool = False
    hash: str = ""


class DamagedView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong with a table's record. It is shown as it was after entry `after`, 0 where that is hidden."""

    why: str
    after: int = 0


class WaitingView(msgspec.Struct, frozen=True):
    """A seat that the table waits for, and since when, in milliseconds since 1970."""

    seat: str
    since: int


class RequestView(msgspec.Struct, frozen=True):
    """A take-back that seat `by` asks for, to the moment after entry `to`."""

    by: str
    to: int


class RulingView(msgspec.Struct, frozen=True):
    """A way to settle a ruling."""

    value: str
    label: str


class NewRulingView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ruling that is newer than a table: how the table plays it `now`, and how it could.

    `fixed` says why it can't change in mid-game; "" where it can.
    """

    id: str
    question: str
    now: str
    options: tuple[RulingView, ...]
    rule: str
    fixed: str = ""


class NewerView(msgspec.Struct, frozen=True):
    """The rules that have come out since a table was opened, in `edition` of its game."""

    edition: int
    rulings: tuple[NewRulingView, ...]


class RulingsAskedView(msgspec.Struct, frozen=True):
    """Newer rulings that a seat asks for, and that wait for an answer."""

    seat: str
    label: str
    edition: int
    rulings: Mapping[str, str]
    yours_to_answer: bool


class View(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table as one viewer sees it. `seat` is None for a spectator.

    `version` is the number of the last entry that moved the position: what is only said about the table (a word for
    the dice, a request) leaves it as it is. `log` is the number of the newest entry. Both count the entries that the
    viewer is told of. `waiting` are the seats that the table waits for, as far as he may know, `asked` is a
    take-back that waits for an answer.

    `scene` is the game's own picture as plain values, where there is no hex board.
    `awaited` are seats to which a person must be brought before the game begins. `queue` is the order that units
    follow now, in games that have one. `facings`: in how many directions a unit can face. A `damaged` table can
    only be looked at; `detail` says so to people. `edition` is that of the game's rules by which the table plays;
    `newer` are those that came out since and that its seats could agree on.
    """

    id: str
    game: str
    name: str
    version: int
    seat: str | None
    turn: int
    phase: Named
    step: Named | None = None
    phases: tuple[PhaseView, ...]
    prompt: str
    offers: tuple[Offer, ...]
    units: tuple[UnitView, ...]
    marks: tuple[Mark, ...] = ()
    queue: Queue | None = None
    board: Board | None
    facings: int = 6
    scene: Mapping[str, Any] = {}
    seats: tuple[SeatView, ...]
    rulings: Mapping[str, str]
    dice: DiceView
    finished: bool
    result: ResultView | None = None
    awaited: tuple[str, ...] = ()
    log: int = 0
    waiting: tuple[WaitingView, ...] = ()
    asked: RequestView | None = None
    damaged: DamagedView | None = None
    detail: str = ""
    edition: int
    newer: NewerView | None = None
    rulings_asked: RulingsAskedView | None = None


class DebriefView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a finished game made of who sat in a seat; see engine.people.Deed.

    `person` is the id of one of the viewer's own, `kept` whether it went into somebody's book.
    """

    seat: str
    who: str
    title: str
    lines: tuple[str, ...] = ()
    tallies: Mapping[str, int] = {}
    lost: bool = False
    kept: bool = False
    person: str = ""


class LineView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A log line for the page. `heading` lines begin a phase; `mark` is the seat's mark.

    A sentence that begins with its unit has the name in `unit_name` and the rest in `text`.
    """

    seq: int
    turn: int
    phase_title: str
    text: str
    seat: str | None = None
    mark: str = ""
    unit: str | None = None
    unit_name: str = ""
    dice: tuple[DieShown, ...] = ()
    steps: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    rule: str | None = None
    kind: str = "effect"
    heading: bool = False
    struck: bool = False
    by_hand: bool = False
    quiet: bool = False
    aside: bool = False


class UndoView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the Undo control does now.

    `how`: "now" does it at once; "confirm" asks first and lists what goes (solo, past a roll); "ask" sends
    a request to the other seat; "no" can't, and `reason` says why. `to` is the entry to go back to.
    """

    how: Literal["now", "confirm", "ask", "no"]
    reason: str = ""
    to: int = 0
    entries: int = 0


class AskedView(msgspec.Struct, frozen=True):
    """A request to take back that waits for an answer; `number` is that of its entry."""

    seat: str
    label: str
    to: int
    entries: int
    yours_to_answer: bool
    number: int


class AidView(msgspec.Struct, frozen=True):
    """A planning aid that can be switched on; those of a group are ways to ask one thing."""

    id: str
    title: str
    group: str


class Beside(msgspec.Struct, frozen=True):
    """All that a unit's counter, card and row are drawn with besides the unit.

    `stack` is how many units share its hex, `place` which of them it is, from 0 for the highest;
    `crowded`: there is a unit in a hex above it, which leaves no room for a label there.
    """

    game: str
    mark: str
    acting: bool
    stack: int
    place: int
    crowded: bool


class MarkBeside(msgspec.Struct, frozen=True):
    """All that a mark is drawn with besides itself.

    `mark` is its seat's, "" where it has none. `start` and `end` say where it stands: how many share the
    hex and its place among them, as in Beside. For a mark that leads somewhere they are those of the units
    that it comes from and leads to, with the place -1 where these are not known or not there any more;
    else `start` counts the marks of the hex.
    """

    game: str
    mark: str
    start: tuple[int, int]
    end: tuple[int, int]


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """All that the table page shows. `now` is set when it shows a past moment: controls are off then.

    `ending` is what the game says of the reason for which it ended; `rematch` is the table that follows,
    `debrief` what became of the people of a game that has some. `rivals`: the seats play against each other.
    `your_turn`: somebody waits for the viewer, at a table where others play too. `offer` is what is asked now, `held` what was answered under seal and waits for others. `draft`: the line that the
    offer begins with, where it is answered by one. `queues`: the game has orders to show.
    """

    view: View
    meta: Meta
    seats: Mapping[str, SeatView]
    yours: tuple[str, ...]
    units: Mapping[str, UnitView]
    your_turn: bool
    beside: Mapping[str, Beside]
    marks_beside: Mapping[str, MarkBeside]
    acting: UnitView | None
    waiting_for: str
    offer: Offer | None
    held: tuple[Offer, ...]
    draft: DraftView | None
    queues: bool
    undo: UndoView
    asked: AskedView | None
    advance: str | None
    facts: tuple[tuple[str, str], ...]
    aids: tuple[AidView, ...]
    mode: Literal["solo", "shared"]
    pace: Literal["flow", "step"]
    takebacks: str
    past: int | None = None
    latest: int = 0
    ending: str = ""
    rematch: str | None = None
    rivals: bool = True
    debrief: tuple[DebriefView, ...] = ()
