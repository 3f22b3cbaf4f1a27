"""A table for tests: any position of this game, played through the engine with dice that are given."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from app.engine import sequence
from app.engine.dice import Pool, Rolled
from app.engine.log import Event
from app.engine.sequence import Advance, Answer, Decision, Effect, Happening, Option, Roll
from app.games import registry
from app.games.f14_tomcats.model import Jet, State

GAME = registry.load("f14-tomcats")
ALL = frozenset({"one", "two"})

E = TypeVar("E", bound=Event)

FULL = {"cannon": 10, "amraam": 2, "sidewinder": 2, "maverick": 2, "chaff": 12}
FAR = [
    {"waypoint": 20, "type": "truck-convoy"},
    {"waypoint": 22, "type": "truck-convoy"},
]
"""Targets that are out of the way of a test."""


def pilot(n: int = 0, **changes: Any) -> dict[str, Any]:
    """A pilot as data. `stores` are changes to a full load."""
    stores = {**FULL, **changes.pop("stores", {})}
    return {
        "name": f"Pilot {n + 1}",
        "call_sign": "AB"[n],
        "stores": stores,
        **changes,
    }


def setup(
    *pilots: Mapping[str, Any], at: int = 5, targets: Sequence[Mapping[str, Any]] = FAR
) -> dict[str, Any]:
    """A set-up as data: the flight is at waypoint `at` before its next leg."""
    return {
        "title": "Test",
        "waypoint": at,
        "pilots": list(pilots) or [pilot()],
        "targets": list(targets),
    }


class Table:
    """A mission in play. `dice` are the faces to come, in order; when none is left, rolls wait."""

    def __init__(
        self,
        data: Mapping[str, Any],
        dice: Iterable[int] = (),
        rulings: Mapping[str, str] | None = None,
    ) -> None:
        self.dice = list(dice)
        self.happenings: list[Happening] = []
        self.start: State = GAME.start(
            msgspec.convert(data, GAME.setup), GAME.rulebook.settle(rulings or {})
        )
        self.state = self.start
        self._keep(sequence.begin(GAME, self.start, self._throw))

    def _throw(self, pool: Pool) -> Rolled | None:
        if len(self.dice) < pool.count:
            return None
        faces = [self.dice.pop(0) for _ in range(pool.count)]
        return Rolled(pool, pool.check(faces))

    def _keep(self, played: sequence.Played) -> None:
        self.happenings += played.happenings
        self.state = played.state

    @property
    def step(self) -> Any:
        """What is open."""
        return sequence.todo(GAME, self.state)

    @property
    def decision(self) -> Decision:
        """The open question."""
        assert isinstance(self.step, Decision), self.step
        return self.step

    def option(self, value: Any) -> Option:
        """An option of the open question."""
        return next(one for one in self.decision.all_options if one.value == value)

    def choose(self, choice: Any, *dice: int) -> "Table":
        """Answer the open question; `dice` fall next."""
        self.dice += dice
        answer = Answer(self.decision.id, choice)
        self._keep(sequence.play(GAME, self.state, answer, ALL, self._throw))
        return self

    def roll(self, *dice: int) -> "Table":
        """Let the waiting roll, and what follows, happen."""
        assert isinstance(self.step, Roll | Effect), self.step
        self.dice += dice
        self._keep(sequence.play(GAME, self.state, Advance(), ALL, self._throw))
        return self

    def jet(self, n: int = 1) -> Jet:
        """A jet as it is now."""
        return self.state.jets[f"jet-{n}"]

    def facts(self, kind: type[E]) -> list[E]:
        """All that happened of a kind, oldest first."""
        return [one.event for one in self.happenings if isinstance(one.event, kind)]

    def refold(self) -> State:
        """The state folded again from every fact, as loading a table does."""
        state = self.start
        for one in self.happenings:
            state = sequence.evolve(GAME, state, one.event)
        return state
