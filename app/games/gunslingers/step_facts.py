"""Facts of the steps of a phase, and the position that each one leads to.

Belongs here: that a step begins. Does not belong here: what there is to do in it, or whom it concerns (`steps`).
"""

from msgspec.structs import replace

from app.engine.log import Event, PhaseBegan
from app.games.gunslingers.model import State
from app.games.gunslingers.noted import Fact

OVER = "over"


class StepBegan(Fact, frozen=True):
    """A step begins, after those that were `passed` with nobody concerned. `step` "over": the phase is through."""

    step: str
    passed: tuple[str, ...] = ()


def evolve(state: State, event: Event) -> State | None:
    """The position after a step or a phase began; None for any other fact."""
    if isinstance(event, StepBegan):
        return replace(state, step=event.step, done=())
    if isinstance(event, PhaseBegan):
        return replace(state, step="", done=())
    return None
