"""The Flight Phase (GS-FLT): its steps in the rulebook's order.

Belongs here: whose move it is, rank by rank, with those who follow their target and those who were interrupted.
Does not belong here: a move (`activation`), the order (`order`).

A step flies its own rank, and whoever of an earlier one had to wait for his target. An aircraft that follows another
flies in the other's step.
"""

from functools import partial

from app.engine.sequence import Effect, Todo
from app.games.gunslingers.flight import activation, collisions
from app.games.gunslingers.flight.facts import MoveResumed
from app.games.gunslingers.guns import hits as guns
from app.games.gunslingers.missiles import flight as missiles
from app.games.gunslingers.model import State
from app.games.gunslingers.order.walk import Entry, shoot_out_with, walk
from app.games.gunslingers.steps import Step, nobody, phase


def _rank(rank: int, state: State) -> Todo:
    """What a step has still to do: the move under way, what it leads to, the next of its rank."""
    if state.activation is not None:
        return activation.todo(state, state.activation)
    due = _missiles(state) or guns.damage(state)
    if due is not None:
        return due
    order = walk(state)
    for entry in order:
        if entry.after is not None and state.aircraft[entry.after].moved and _waits(state, entry):
            return _begin(state, entry)
    if state.waiting:
        name = state.waiting[-1].aircraft
        one = state.aircraft[name]
        return Effect(MoveResumed(name), "GS-FLT-14", f"{one.name} goes on", one.side, name)
    for entry in order:
        if entry.step <= rank and _waits(state, entry):
            return _begin(state, entry)
    return None


def _waits(state: State, entry: Entry) -> bool:
    """Whether an aircraft has not begun its move."""
    name = entry.place.aircraft
    begun = any(each.aircraft == name for each in state.waiting)
    return not state.aircraft[name].moved and not begun


def _begin(state: State, entry: Entry) -> Effect:
    one = state.aircraft[entry.place.aircraft]
    event = activation.began(state, one, after=entry.after)
    cite = f"GS-FLT-{entry.step}" if entry.after is None else "GS-FLT-12"
    if one.tailing is not None and entry.after == one.tailing:
        cite = "GS-FLT-13"
    return Effect(event, cite, f"{one.name} flies", one.side, one.id)


def _missiles(state: State) -> Todo:
    """GS-FLT-11: missiles move after their target; those of a shoot-out at once, after both (GS-FLT-15)."""
    for name in state.movers:
        rival = shoot_out_with(state, state.aircraft[name])
        due = missiles.after_move(state, name, rival.id if rival else None)
        if due is None and rival is not None and rival.moved:
            due = missiles.shoot_out(state, name, rival.id)
        if due is not None:
            return due
    return None


PHASE = phase(
    "flight",
    "Flight",
    (
        Step("GS-FLT-1", "Air-to-ground weapons", nobody),
        Step("GS-FLT-2", "Departed and stalled aircraft", partial(_rank, 2)),
        Step("GS-FLT-3", "Blacked-out and disoriented crews", partial(_rank, 3)),
        Step("GS-FLT-4", "Engaged aircraft", partial(_rank, 4)),
        Step("GS-FLT-5", "Aircraft marking targets", partial(_rank, 5)),
        Step("GS-FLT-6", "Joint-attack designators", partial(_rank, 6)),
        Step("GS-FLT-7", "Aircraft guiding weapons", partial(_rank, 7)),
        Step("GS-FLT-8", "Disadvantaged, non-advantaged, advantaged", partial(_rank, 8)),
        Step("GS-FLT-9", "Unsighted, on radar", partial(_rank, 9)),
        Step("GS-FLT-10", "Unsighted, undetected", partial(_rank, 10)),
        Step("GS-FLT-18", "Collisions", collisions.todo),
    ),
    "GS-FLT-1",
)
