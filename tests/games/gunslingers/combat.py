"""Combat on its own, for tests: a question asked of a position again and again, with answers and dice that are given.

What asks (a gun window, missiles in flight) stands in the flight phase in a real game; `test_flight_phase` and the
contract suite play it there.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from app.engine import sequence
from app.engine.log import Event
from app.engine.sequence import Decision, Effect, Roll, Todo
from app.games.gunslingers.guns import attack as guns
from app.games.gunslingers.model import Activation, Settings, State
from tests.games.gunslingers.table import GAME, craft, position

E = TypeVar("E", bound=Event)


class Course:
    """A position in which `ask` has something to do: answers and dice lead it on until none is left, or it is done."""

    def __init__(self, state: State, ask: Callable[[State], Todo]) -> None:
        self.state = state
        self.ask = ask
        self.events: list[Event] = []

    def go(self, *given: Any) -> "Course":
        """Give answers and dice in the order in which they are asked for."""
        left = list(given)
        while (todo := self.ask(self.state)) is not None:
            if isinstance(todo, tuple):
                todo = todo[0]
            if isinstance(todo, Effect):
                event = todo.event
            elif not left:
                break
            elif isinstance(todo, Roll):
                event = todo.happen((left.pop(0),))
            else:
                event = todo.happen(todo.accept(left.pop(0)))
            self.events.append(event)
            self.state = sequence.evolve(GAME, self.state, event)
        assert not left, f"nobody asked for {left}"
        return self

    @property
    def todo(self) -> Todo:
        """What is open."""
        return self.ask(self.state)

    @property
    def decision(self) -> Decision:
        """The open question."""
        assert isinstance(self.todo, Decision), self.todo
        return self.todo

    @property
    def roll(self) -> Roll:
        """The roll that waits."""
        assert isinstance(self.todo, Roll), self.todo
        return self.todo

    def facts(self, kind: type[E]) -> list[E]:
        """All that happened of a kind."""
        return [event for event in self.events if isinstance(event, kind)]


def shooter(**changes: Any) -> Any:
    """An F-4E at 2015 that flies north and has "b" in view."""
    return craft(**{"saw": ("b",), "max_rate": None, **changes})


def target(**changes: Any) -> Any:
    """An F-4E of Red, one hex ahead of the shooter on the same course, and sighted."""
    return craft(**{"side": "red", "place": "2014", "sighted": True, **changes})


def moving(*crafts: Any, left: tuple[str, ...] = (), flown: int = 1, **changes: Any) -> State:
    """A position in which "a" is under way in level flight, so many flight points flown."""
    state = position(*crafts, **changes)
    settings = Settings(flight_type=state.aircraft["a"].s.flight_type, power="M")
    under_way = Activation(aircraft="a", settings=settings, flown=("H",) * flown, left=left)
    return replace(state, phase="flight", turn=1, activation=under_way)


def gunnery(state: State) -> Course:
    """The gun window of the move under way."""

    def ask(state: State) -> Todo:
        assert state.activation is not None
        return guns.window(state, state.activation)

    return Course(state, ask)
