"""What a game provides. One object a game; the registry finds it, tables play it, pages show it.

The parts are data and pure functions. A game never stores, sends or draws anything itself: it says what
is so, and its folder holds the templates that show it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from app.engine.chance import Chain, Chance
from app.engine.editing import Editor
from app.engine.editions import Upcasters
from app.engine.errors import BrokenGame
from app.engine.hexes import Board
from app.engine.log import TABLE_EVENTS, Event
from app.engine.people import People
from app.engine.rulebook import Rulebook
from app.engine.secret import Viewer
from app.engine.sequence import Decision, GameState, Todo

S = TypeVar("S", bound=GameState)
Begun = TypeVar("Begun", bound=GameState, covariant=True)


@dataclass(frozen=True)
class Meta:
    """What the home page shows of a game, known without loading its rules.

    `credit` names the author and the text. `players` and `minutes` are for people ("1-2", "20-40").
    """

    id: str
    title: str
    summary: str
    credit: str
    players: str
    minutes: str


@dataclass(frozen=True)
class Seat:
    """A side of a scenario. `mark` tells it by shape as well as colour: "first" or "second"."""

    id: str
    label: str
    mark: str = "first"


@dataclass(frozen=True)
class Scenario:
    """A set-up to start from. `setup` is plain data, the same that POST /api/tables takes."""

    id: str
    title: str
    summary: str
    setup: Mapping[str, Any]


@dataclass(frozen=True)
class PhaseStep:
    """A named part of a long phase, for the phase track."""

    id: str
    title: str


@dataclass(frozen=True)
class Phase(Generic[S]):
    """A phase: `todo` says what it has still to do in a state, None once it is through."""

    id: str
    title: str
    todo: Callable[[S], Todo]
    cite: str
    steps: tuple[PhaseStep, ...] = ()


class UnitView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unit as a viewer sees it: plain values only.

    `hex` is a label ("1115"; on a hexside "1115/1215", always in the same order), None off the board. `facing`
    is 0-5, or 0-11 where Game.facings says so. `glyph` names the silhouette in the game's counters. `states` are words
    such as "stalled". `fields` are the game's own values under their rule names. `trail` is the labels
    of the hexes of its last move, oldest first; `heights` its altitude at each of them, where that is worth drawing.
    """

    id: str
    seat: str
    kind: str
    name: str
    hex: str | None
    facing: int
    altitude: int | None = None
    speed: float | None = None
    glyph: str = ""
    states: tuple[str, ...] = ()
    fields: Mapping[str, Any] = {}
    trail: tuple[str, ...] = ()
    heights: tuple[int, ...] = ()


class DieShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die as the log draws it; dropped ones are struck out."""

    face: int
    kept: bool = True


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """A log line: one sentence, and how the dice led to it, step by step.

    `places` are labels of hexes that light up with the line. `quiet` lines are shown smaller, and not announced.
    An `aside` says only what other lines or the page show anyway: it is in the log when a unit's lines are asked for.
    """

    text: str
    dice: tuple[DieShown, ...] = ()
    steps: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    quiet: bool = False
    aside: bool = False


@dataclass(frozen=True)
class Cell:
    """A place on an overlay. `shade` from 0 to 1; `label` is drawn in it; `facings` tells more."""

    hex: str
    shade: float
    label: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Overlay:
    """Something drawn over the board when asked for: a heat map, an arc. `title` and `detail` as text."""

    title: str
    cells: tuple[Cell, ...]
    detail: str = ""


class Mark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something on the board that is no unit: a shot, the splash where one went down.

    `kind` names how the game draws it (its `counter.svg.jinja` has a macro `mark(mark, beside)`), `hex` is
    where it is or begins, `to` where it leads, both labels. What leads somewhere is drawn over the
    counters, anything else under them. `unit` and `target` are the ids of the units that it comes from
    and leads to: with them it is drawn from counter to counter, else from hex to hex. `words` tell it to
    those who can't see it; `side` is the seat that it belongs to; `good` whether it succeeded.
    """

    id: str
    kind: str
    hex: str
    to: str | None = None
    unit: str | None = None
    target: str | None = None
    words: str = ""
    side: str | None = None
    good: bool = False


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place in an order that units follow (of movement, of flight).

    `unit` is an id; for a unit that the viewer does not know, a few words ("unsighted aircraft"). `why` says in a
    few words why it stands there; `group` is what it shares with its neighbours ("Advantaged").
    """

    unit: str
    why: str
    group: str = ""
    done: bool = False
    now: bool = False


class Queue(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that units follow, first to last. `title` names it ("Order of movement"), `rule` makes it."""

    title: str
    rule: str
    places: tuple[Place, ...]


class Fate(msgspec.Struct, frozen=True):
    """What became of a unit that is out of the game: `cause` in a few words ("shot down")."""

    unit: str
    seat: str
    cause: str


def everything(before: Any, after: Any, event: Event, viewer: Viewer) -> Event | None:
    """A fact as it is: what the game hides stands in Secrets alone."""
    del before, after, viewer
    return event


Measured = bool | int | float
"""What a game measures of its end: yes or no, or how many."""


@dataclass(frozen=True)
class Standing:
    """What the person in a seat has to show after a game of a career: all games so far, not this one's.

    `totals` are numbers by their labels. `honours` are of several kinds ("rank", "awards"): for each that
    can be had, in the order in which they are shown, whether it is held.
    """

    totals: Mapping[str, float]
    honours: Mapping[str, Mapping[str, bool]] = field(default_factory=lambda: dict[str, Any]())


Exact = Callable[[Chance | Chain], Mapping[Any, Fraction]]


@dataclass(frozen=True)
class Sight:
    """All that a bot knows when it decides: what a person in its seat sees, and no more.

    Args:
        state: the position without other seats' secrets.
        seat: whom it plays for.
        decision: the open question; the answer is the value of one of its options.
        exact: computes a chance, as the page does for people.
        die: a die of so many sides for its own use; it is none of the table's dice.
    """

    state: Any
    seat: str
    decision: Decision
    exact: Exact
    die: Callable[[int], int]


@dataclass(frozen=True)
class Bot:
    """Plays a seat by itself, through the same offers as people.

    `choose` returns the value of an option that is not blocked. `cite` is the rule that describes it.
    """

    id: str
    title: str
    summary: str
    choose: Callable[[Sight], Any]
    cite: str | None = None


@dataclass(frozen=True)
class Aid:
    """A planning aid that a player can switch on for a unit. `title` labels its control.

    Aids of one `group` are ways to ask the same thing, and stand together under its words.

    `draw(state, unit id, exact)` gives the overlay, or None where the aid does not apply to the unit;
    `exact` computes a chain of chances. The state it gets is redacted for the viewer.
    """

    id: str
    title: str
    draw: Callable[[Any, str, Exact], Overlay | None]
    group: str = ""


def _no_queue(state: Any, viewer: Viewer) -> None:
    """There is no order."""


Cards = Mapping[str, Any]
"""The cards that a set-up uses (aircraft, missiles, ships), as plain data in a form of the game's own."""


class Start(Protocol[Begun]):
    """Makes the state before the first phase from a set-up and settled rulings. Raises Illegal.

    `cards` are those that a table was opened with; None: those that the game has today.
    """

    def __call__(
        self, setup: Any, rulings: Mapping[str, str], cards: Cards | None = None, /
    ) -> Begun:
        """The state."""
        ...


def no_cards(setup: Any) -> Cards:
    """For games whose set-ups use no cards beside their own."""
    del setup
    return {}


def _adopts(state: Any, rulings: Mapping[str, str]) -> Any:
    """The state where it keeps its rulings in a field of that name, as a struct or a mapping."""
    known: Any = state.rulings
    if isinstance(known, Mapping):
        return msgspec.structs.replace(state, rulings={**known, **rulings})
    return msgspec.structs.replace(state, rulings=msgspec.structs.replace(known, **rulings))


@dataclass(frozen=True)
class Game(Generic[S]):
    """A plug-in.

    Args:
        setup: the type of a set-up; data is converted to it, so its errors name the field.
        rules: the edition: raised when the form or meaning of events changes, when a ruling comes, or when a
            card or a table of the rules does; stored with each table.
        seats: the sides of a set-up.
        start: see Start. A game that names no `cards` is never given any.
        phases: in the order of the turn.
        events: every fact the game can make. With `state`, they say what the log and views can hold.
        evolve: the state after a fact; it runs no rule. Also called for PhaseBegan, after the engine.
        tell: the log line of a fact, from the names of units and seats and the fact alone.
        units: what a viewer sees, in a fixed order.
        names: the name of each unit, which never changes, and each seat's label.
        board: the hex board of a set-up; None for games that draw their own.
        facings: how many ways a unit can face, 6 or 12: counted from 0, north, clockwise.
        endings: each reason for which the game can end, with what it means.
        view: hides what is computed from secrets; called after `redact`.
        tells: a fact as a viewer may be told it, from the whole states before and after it; called after
            `redact`. None: he is not told that it happened. What a game hides in this way is not in `view` either.
        facts: what the table shows of the state beside units ("Sun in the south"), label and value.
        marks: what lies or happens on the board beside units, as a viewer sees it.
        queue: the order that units follow now, as a viewer may know it; None while there is none.
        fates: what became of units that are out of the game, for the summary of many games.
        scene: the game's own picture where there is no hex board: plain values for its templates.
        bots: those who can play a seat, from the plainest to the strongest; the first is taken where none
            is named.
        editor: how people make set-ups of their own; None: only as data.
        rivals: whether seats play against each other; else nobody wins, no game is a draw, and what came of
            it is in its measures.
        people: persons who outlive a table; None: the game has none.
        measures: what is worth knowing of a game that is over, by seat and label, for many games. A label
            always has the same kind of value; yes or no becomes a share, a number a mean.
        next_setup: the set-up in which the same persons play their next game, from the final state and the
            data of the set-up that led to it; None when one of them can't. No such function: no careers.
        standings: what each seat's person has to show after a game of a career.
        cards: see Cards; they are kept with the table, and from then on the table is played by them: rules
            and bots read them from the state, never from a file.
        upcasters: how events of earlier editions are read; see editions.
        adopt: the state with other rulings, from the next question on.
    """

    meta: Meta
    rules: int
    rulebook: Rulebook
    scenarios: Mapping[str, Scenario]
    setup: type[Any]
    state: type[S]
    events: tuple[type[Event], ...]
    seats: Callable[[Any], tuple[Seat, ...]]
    start: Start[S]
    phases: tuple[Phase[S], ...]
    evolve: Callable[[S, Event], S]
    tell: Callable[[Event, Mapping[str, str]], Told]
    units: Callable[[S, Viewer], Sequence[UnitView]]
    names: Callable[[Any], Mapping[str, str]]
    board: Callable[[Any], Board | None]
    endings: Mapping[str, str]
    facings: int = 6
    aids: tuple[Aid, ...] = ()
    view: Callable[[S, Viewer], S] = field(default=lambda state, viewer: state)
    tells: Callable[[S, S, Event, Viewer], Event | None] = field(default=everything)
    facts: Callable[[S], Sequence[tuple[str, str]]] = field(default=lambda state: ())
    marks: Callable[[S, Viewer], Sequence[Mark]] = field(default=lambda state, viewer: ())
    queue: Callable[[S, Viewer], Queue | None] = field(default=_no_queue)
    fates: Callable[[S], Sequence[Fate]] = field(default=lambda state: ())
    scene: Callable[[S, Viewer], Mapping[str, Any]] = field(default=lambda state, viewer: {})
    bots: tuple[Bot, ...] = ()
    editor: Editor | None = None
    rivals: bool = True
    people: People | None = None
    measures: Callable[[S], Mapping[str, Mapping[str, Measured]]] = field(default=lambda state: {})
    next_setup: Callable[[S, Mapping[str, Any]], Mapping[str, Any] | None] | None = None
    standings: Callable[[S], Mapping[str, Standing]] = field(default=lambda state: {})
    cards: Callable[[Any], Cards] = field(default=no_cards)
    upcasters: Upcasters = field(default_factory=lambda: dict[int, Any]())
    adopt: Callable[[S, Mapping[str, str]], S] = field(default=_adopts)

    def begin(self, setup: Any, rulings: Mapping[str, str], cards: Cards) -> S:
        """The state before the first phase of a table that was opened with these cards. Raises Illegal."""
        if self.cards is no_cards:
            return self.start(setup, rulings)
        return self.start(setup, rulings, cards)

    def cards_of(self, setup: Any) -> Cards:
        """The cards of a set-up as a table keeps them, and as it has them again when it is loaded: JSON."""
        kept: Cards = msgspec.json.decode(msgspec.json.encode(self.cards(setup)))
        return kept

    @property
    def has_queue(self) -> bool:
        """Whether there is ever an order to show."""
        return self.queue is not _no_queue

    @cached_property
    def _by_id(self) -> dict[str, Phase[S]]:
        return {phase.id: phase for phase in self.phases}

    def phase(self, phase: str) -> Phase[S]:
        """The phase of an id. Raises BrokenGame."""
        try:
            return self._by_id[phase]
        except KeyError:
            raise BrokenGame(f"{self.meta.id} has no phase {phase!r}") from None

    def phase_after(self, phase: str) -> Phase[S]:
        """The phase that follows: the first one after "" and after the last."""
        if not phase:
            return self.phases[0]
        place = self.phases.index(self.phase(phase))
        return self.phases[(place + 1) % len(self.phases)]

    @cached_property
    def event_types(self) -> dict[str, type[Event]]:
        """Every event a log of this game can hold, by its name."""
        return {kind.__name__: kind for kind in (*TABLE_EVENTS, *self.events)}
