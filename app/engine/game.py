"""What a game provides. One object a game; the registry finds it, tables play it, pages show it.

The parts are data and pure functions. A game never stores, sends or draws anything itself: it says what
is so, and its folder holds the templates that show it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar

import msgspec

from app.engine.chance import Chain
from app.engine.errors import BrokenGame
from app.engine.hexes import Board
from app.engine.log import TABLE_EVENTS, Event
from app.engine.rulebook import Rulebook
from app.engine.secret import Viewer
from app.engine.sequence import GameState, Todo

S = TypeVar("S", bound=GameState)


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

    `hex` is a label ("1115"; on a hexside "1115/1215"), None off the board. `facing` is 0-5, or 0-11
    for games with twelve. `glyph` names the silhouette in the game's counters. `states` are words
    such as "stalled". `fields` are the game's own values under their rule names. `trail` is the labels
    of the hexes of its last move, oldest first.
    """

    id: str
    seat: str
    kind: str
    name: str
    hex: str | None
    facing: int
    altitude: int | None = None
    speed: int | None = None
    glyph: str = ""
    states: tuple[str, ...] = ()
    fields: Mapping[str, Any] = {}
    trail: tuple[str, ...] = ()


class DieShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die as the log draws it; dropped ones are struck out."""

    face: int
    kept: bool = True


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """A log line: one sentence, and how the dice led to it, step by step.

    `places` are labels of hexes that light up with the line. `quiet` lines are shown but not announced.
    """

    text: str
    dice: tuple[DieShown, ...] = ()
    steps: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    quiet: bool = False


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


Exact = Callable[[Chain], Mapping[Any, Fraction]]


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


@dataclass(frozen=True)
class Game(Generic[S]):
    """A plug-in.

    Args:
        setup: the type of a set-up; data is converted to it, so its errors name the field.
        rules: raised when the meaning of events changes; stored with each table.
        seats: the sides of a set-up.
        start: the state before the first phase, from a set-up and settled rulings. Raises Illegal.
        phases: in the order of the turn.
        events: every fact the game can make. With `state`, they say what the log and views can hold.
        evolve: the state after a fact; it runs no rule. Also called for PhaseBegan, after the engine.
        tell: the log line of a fact, from the names of units and seats and the fact alone.
        units: what a viewer sees, in a fixed order.
        names: the name of each unit, which never changes, and each seat's label.
        board: the hex board of a set-up; None for games that draw their own.
        endings: each reason for which the game can end, with what it means.
        view: hides what is computed from secrets; called after `redact`.
        facts: what the table shows of the state beside units ("Sun in the south"), label and value.
    """

    meta: Meta
    rules: int
    rulebook: Rulebook
    scenarios: Mapping[str, Scenario]
    setup: type[Any]
    state: type[S]
    events: tuple[type[Event], ...]
    seats: Callable[[Any], tuple[Seat, ...]]
    start: Callable[[Any, Mapping[str, str]], S]
    phases: tuple[Phase[S], ...]
    evolve: Callable[[S, Event], S]
    tell: Callable[[Event, Mapping[str, str]], Told]
    units: Callable[[S, Viewer], Sequence[UnitView]]
    names: Callable[[Any], Mapping[str, str]]
    board: Callable[[Any], Board | None]
    endings: Mapping[str, str]
    aids: tuple[Aid, ...] = ()
    view: Callable[[S, Viewer], S] = field(default=lambda state, viewer: state)
    facts: Callable[[S], Sequence[tuple[str, str]]] = field(default=lambda state: ())

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
