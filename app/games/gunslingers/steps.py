"""Steps of a phase, in the rulebook's numbers, one after another.

Belongs here: how a phase walks its steps, and the log line for those that nobody had anything to do in (GS-0-1).
Does not belong here: what a step does; each phase's module lists its own.

A step says what is to be done in it, first thing first, and None once it is through; it reads `state.done`,
which is empty when the step begins. Whether anybody is concerned is asked by letting it begin on trial.
"""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from app.engine.game import Phase, PhaseStep
from app.engine.log import Event
from app.engine.sequence import Decision, Effect, Roll, Todo
from app.games.gunslingers.noted import NOTHING
from app.games.gunslingers.noting import complete
from app.games.gunslingers.step_facts import OVER, StepBegan

if TYPE_CHECKING:
    from app.games.gunslingers.model import State


@dataclasses.dataclass(frozen=True)
class Step:
    """A numbered step. `id` is its rule ("GS-VIS-7")."""

    id: str
    title: str
    todo: Callable[["State"], Todo]


def nobody(state: "State") -> Todo:
    """A step in which no unit of the game takes part."""
    del state
    return None


def phase(id: str, title: str, steps: tuple[Step, ...], cite: str) -> "Phase[State]":
    """A phase that walks its steps. `cite` is the rule of its first step, or of the phase."""

    places = {step.id: n for n, step in enumerate(steps)}

    def todo(state: "State") -> Todo:
        return _walk(steps, places.get(state.step, -1), state)

    return Phase(id, title, todo, cite, tuple(PhaseStep(step.id, step.title) for step in steps))


def _walk(steps: tuple[Step, ...], at: int, state: "State") -> Todo:
    """What is to be done in a phase whose step number `at` is under way; -1 before the first."""
    if state.step == OVER:
        return None
    if at >= 0:
        now = steps[at].todo(state)
        if now is not None and now != ():
            return _within(now, state, steps[at].id)
    passed: list[str] = []
    for step in steps[at + 1 :]:
        if step.todo(replace(state, step=step.id, done=())):
            event = StepBegan(step.id, tuple(passed), noted=NOTHING)
            return Effect(event, step.id, step.title, step=step.id, passing=True)
        passed.append(step.id)
    return Effect(
        StepBegan(OVER, tuple(passed), noted=NOTHING), "GS-0-1", "The phase is over", passing=True
    )


def _within(
    todo: Decision | tuple[Decision, ...] | Roll | Effect, state: "State", step: str
) -> Todo:
    """What is to be done, told which step it belongs to, and to note what follows from it."""
    if isinstance(todo, tuple):
        return tuple(_asked(one, state, step) for one in todo)
    if isinstance(todo, Decision):
        return _asked(todo, state, step)
    if isinstance(todo, Effect):
        event = complete(state, todo.event)
        return dataclasses.replace(todo, event=event, step=todo.step or step)

    def happen(faces: tuple[int, ...]) -> Event:
        return complete(state, todo.happen(faces))

    return dataclasses.replace(todo, happen=happen, step=todo.step or step)


def _asked(one: Decision, state: "State", step: str) -> Decision:
    def happen(choice: Any) -> Event:
        return complete(state, one.happen(choice))

    return dataclasses.replace(one, happen=happen, step=one.step or step)
