"""Steps of a phase, in the rulebook's numbers, one after another.

Belongs here: how a phase walks its steps, and the log line for those that nobody had anything to do in (GS-0-1).
Does not belong here: what a step does; each phase's module lists its own.

A step says what is to be done in it, first thing first, and None once it is through; it reads `state.done`,
which is empty when the step begins. Whether anybody is concerned is asked by letting it begin on trial.
"""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.engine.game import Phase, PhaseStep
from app.engine.log import Event, PhaseBegan
from app.engine.sequence import Decision, Effect, Roll, Todo

if TYPE_CHECKING:
    from app.games.gunslingers.model import State

OVER = "over"


class StepBegan(Event, frozen=True):
    """A step begins, after those that were `passed` with nobody concerned. `step` "over": the phase is through."""

    step: str
    passed: tuple[str, ...] = ()


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
            return _within(now, steps[at].id)
    passed: list[str] = []
    for step in steps[at + 1 :]:
        if step.todo(replace(state, step=step.id, done=())):
            event = StepBegan(step.id, tuple(passed))
            return Effect(event, step.id, step.title, step=step.id, passing=True)
        passed.append(step.id)
    return Effect(StepBegan(OVER, tuple(passed)), "GS-0-1", "The phase is over", passing=True)


def _within(todo: Decision | tuple[Decision, ...] | Roll | Effect, step: str) -> Todo:
    """What is to be done, told which step it belongs to."""
    if isinstance(todo, tuple):
        return tuple(one if one.step else dataclasses.replace(one, step=step) for one in todo)
    return todo if todo.step else dataclasses.replace(todo, step=step)


def evolve(state: "State", event: Event) -> "State | None":
    """The position after a step or a phase began; None for any other fact."""
    if isinstance(event, StepBegan):
        return replace(state, step=event.step, done=())
    if isinstance(event, PhaseBegan):
        return replace(state, step="", done=())
    return None
