"""A table for tests: any position of this game, played through the engine with dice that are given.

    table = Table(position(craft(condition="departed"), craft(side="red", place="2010")), 6)
    table.begin("stalled")

`craft` describes an aircraft in few words, `position` makes a State of some, `Table` plays it. Each die is a d10: dice
are given as plain numbers, and when none is left, rolls wait.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from app.engine import sequence
from app.engine.dice import Pool, Rolled
from app.engine.game import Told
from app.engine.log import Event
from app.engine.secret import redact
from app.engine.sequence import Advance, Answer, Decision, Effect, Happening, Option, Roll
from app.games import registry
from app.games.gunslingers.flight import manner
from app.games.gunslingers.flight.cards import printed_cards
from app.games.gunslingers.model import (
    Aircraft,
    Own,
    Seen,
    Settings,
    State,
    eyes,
    with_aircraft,
    with_own,
    with_seen,
)
from app.games.gunslingers.noted import Noted, written
from app.games.gunslingers.radar.receivers import heard
from app.games.gunslingers.setup import AircraftSetup

GAME = registry.load("gunslingers")
BOTH = frozenset({"blue", "red"})

E = TypeVar("E", bound=Event)

Craft = Mapping[str, Any]


def craft(**changes: Any) -> Craft:
    """An aircraft in few words: an F-4E of Blue at 2015, facing north at level 18, unless told otherwise.

    Fields are those of the set-up (`AircraftSetup`), or of Aircraft, Seen and Own in the model, which are then put
    in as they are. `card_with` changes values of its card.
    """
    return {
        "side": "blue",
        "card": "f-4e",
        "place": "2015",
        "facing": 0,
        "altitude": 18,
        "speed": 5.5,
        **changes,
    }


def setup(*crafts: Craft, **changes: Any) -> dict[str, Any]:
    """A set-up as data. The aircraft are "a", "b" and so on, named A, B ... unless they have ids and names."""
    placed: list[dict[str, Any]] = []
    cards: list[Any] = []
    for n, one in enumerate(crafts):
        letter = chr(ord("a") + n)
        card = str(one["card"])
        if "card_with" in one:
            cards.append(replace(printed_cards()[card], id=f"{card}-{letter}", **one["card_with"]))
            card = f"{card}-{letter}"
        given = {key: one[key] for key in one if key in AircraftSetup.__struct_fields__}
        placed.append({"id": letter, "name": letter.upper(), **given, "card": card})
    return {
        "title": "Test",
        "aircraft": placed,
        "cards": msgspec.to_builtins(cards),
        **changes,
    }


def position(*crafts: Craft, rulings: Mapping[str, str] | None = None, **changes: Any) -> State:
    """The position before the first phase. `changes` are fields of the set-up, or else of the State."""
    of_setup = {key: changes[key] for key in changes if key in GAME.setup.__struct_fields__}
    of_state = {key: changes[key] for key in changes if key not in of_setup}
    data = setup(*crafts, **of_setup)
    state: State = GAME.start(
        msgspec.convert(data, GAME.setup), GAME.rulebook.settle(rulings or {})
    )
    for one, placed in zip(crafts, data["aircraft"], strict=True):
        state = with_aircraft(state, _with_rest(state.aircraft[placed["id"]], one))
    return replace(state, **of_state)


def warned(state: State) -> State:
    """The position with each radar warning receiver telling of the locks that are held on its aircraft."""
    return written(state, state, Noted(warned=heard(state)))


def _with_rest(aircraft: Aircraft, given: Craft) -> Aircraft:
    """An aircraft with those fields of its description that no set-up has."""
    rest = {
        key: value
        for key, value in given.items()
        if key not in AircraftSetup.__struct_fields__ and key != "card_with"
    }
    own = {key: rest.pop(key) for key in list(rest) if key in Own.__struct_fields__}
    seen = {key: rest.pop(key) for key in list(rest) if key in Seen.__struct_fields__}
    return eyes(replace(with_seen(with_own(aircraft, **own), **seen), **rest))


class Table:
    """A game in play, from any position. `dice` are the throws to come, in order; when none is left, rolls wait."""

    def __init__(self, state: State, *dice: int) -> None:
        self.dice = list(dice)
        self.happenings: list[Happening] = []
        self.start = self.state = state

    @classmethod
    def of(cls, *crafts: Craft, dice: Iterable[int] = (), **changes: Any) -> "Table":
        """A table with these aircraft; see `position`."""
        return cls(position(*crafts, **changes), *dice)

    def begin(self, phase: str, step: str = "", *dice: int, turn: int = 1) -> "Table":
        """Jump to a phase, or to a numbered step of it, and let happen what needs no choice."""
        self.dice += dice
        jumped = replace(self.state, turn=turn, phase=phase, step=step, done=())
        self.start = self.state = jumped
        self.happenings = []
        self._keep(sequence.begin(GAME, self.state, self._throw))
        return self

    def _throw(self, pool: Pool) -> Rolled | None:
        if len(self.dice) < pool.count:
            return None
        faces, self.dice = tuple(self.dice[: pool.count]), self.dice[pool.count :]
        return Rolled(pool, pool.check(faces))

    def _keep(self, played: sequence.Played) -> None:
        self.happenings += played.happenings
        self.state = played.state
        self.held = played.held

    held: tuple[sequence.Held, ...] = ()

    @property
    def step(self) -> Any:
        """What is open."""
        return sequence.todo(GAME, self.state)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The open questions that are not answered yet."""
        held = {one.offer for one in self.held}
        return tuple(one for one in sequence.open_decisions(self.step) if one.id not in held)

    @property
    def decision(self) -> Decision:
        """The open question, or the first of several."""
        assert self.decisions, self.step
        return self.decisions[0]

    @property
    def waiting_roll(self) -> Roll:
        """The roll that waits for dice."""
        assert isinstance(self.step, Roll), self.step
        return self.step

    def option(self, value: Any) -> Option:
        """The option of the open question with this value."""
        key = sequence.canonical(value)
        return next(one for one in self.decision.all_options if one.key == key)

    def choose(self, choice: Any, *dice: int, offer: str | None = None) -> "Table":
        """Answer the open question, or the one named by `offer`; `dice` fall next. Raises Refused."""
        self.dice += dice
        answer = Answer(offer or self.decision.id, choice)
        self._keep(sequence.play(GAME, self.state, answer, BOTH, self._throw, held=self.held))
        return self

    def roll(self, *dice: int) -> "Table":
        """Let the waiting roll, and what follows, happen."""
        assert isinstance(self.step, Roll | Effect), self.step
        self.dice += dice
        self._keep(sequence.play(GAME, self.state, Advance(), BOTH, self._throw))
        return self

    def craft(self, id: str = "a") -> Aircraft:
        """An aircraft as it is now."""
        return self.state.aircraft[id]

    def facts(self, kind: type[E]) -> list[E]:
        """All that happened of a kind since `begin`, oldest first."""
        return [one.event for one in self.happenings if isinstance(one.event, kind)]

    def told(self, viewer: Iterable[str] = BOTH) -> list[Told]:
        """The game's log lines since `begin` as a viewer reads them."""
        names = {one.id: one.name for one in self.start.aircraft.values()} | dict(self.start.sides)
        return [
            GAME.tell(redact(one.event, frozenset(viewer)), names)
            for one in self.happenings
            if type(one.event) in GAME.events
        ]

    def refold(self) -> State:
        """The state folded again from every fact since `begin`, as loading a table does."""
        state = self.start
        for one in self.happenings:
            state = sequence.evolve(GAME, state, one.event)
        return state


def line_to(table: Table, wanted: Settings) -> str:
    """The shortest line of orders that leads to these settings, for the aircraft whose move begins."""
    return next(line for settings, line in lines_to(table) if settings == wanted)


def lines_to(table: Table) -> Iterator[tuple[Settings, str]]:
    """All settings that can be ordered, each with the shortest line of orders that leads there."""
    unit = table.decision.unit
    assert unit is not None, table.decision
    assert table.decision.id == f"settings:{unit}"
    known = manner.orders(table.state, table.state.aircraft[unit])
    lines = {known.proposal: ""}
    for plan in (waiting := [known.proposal]):
        yield plan, lines[plan]
        for order in known.offered(plan):
            if order.blocked is None and order.after not in lines:
                lines[order.after] = ", ".join(filter(None, (lines[plan], order.text)))
                waiting.append(order.after)
