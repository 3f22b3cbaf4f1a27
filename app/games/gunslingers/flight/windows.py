"""Who may interrupt a move, and who may follow: pre-emption and tailing (GS-FLT-13, GS-FLT-14).

Belongs here: who is eligible, and why the others are not. Does not belong here: when it is asked (`activation`).
"""

from app.engine.sequence import Blocked
from app.games.gunslingers import geometry
from app.games.gunslingers.flight.tokens import read_token
from app.games.gunslingers.fog import known_to
from app.games.gunslingers.model import Activation, Aircraft, State
from app.games.gunslingers.order.walk import walk
from app.games.gunslingers.sighting.numbers import sights

PREEMPT_RANGE = 6
PREEMPT_ARC = 150
TAIL_FACINGS = 2
"""Steps of 30 degrees between the facings, at most: within 60 degrees (GS-FLT-13)."""
TAIL_FASTER = 1.0
"""By how much a tailer's next start speed may be greater."""


def preemptors(state: State, mover: Aircraft) -> tuple[Aircraft, ...]:
    """GS-FLT-14: the enemies who may move before the mover does, in the order in which they would fly.

    In fog they are asked only if the mover's side knows of one of them: else being asked would tell it that somebody
    is near. Whom it knows nothing of it can't attack.
    """
    busy = {each.aircraft for each in state.waiting}
    order = [entry.place.aircraft for entry in walk(state)]
    if mover.id not in order:
        return ()
    later = (state.aircraft[one] for one in order[order.index(mover.id) + 1 :])
    found = tuple(
        one
        for one in later
        if one.side != mover.side
        and one.condition == "normal"
        and not one.moved
        and one.id not in busy
        and threatened(state, one, mover)
    )
    return found if any(known_to(state, mover.side, one) for one in found) else ()


def threatened(state: State, one: Aircraft, mover: Aircraft) -> bool:
    """GS-FLT-14: whether `one` has the mover sighted and lies in its 150+ arc within range 6."""
    if not sights(one, mover) or one.pos == mover.pos:
        return False
    about, place = mover.pos, one.pos
    reach = geometry.slant(about, mover.altitude, place, one.altitude)
    if state.switches.border == "faster-forward":
        about, place = geometry.faster_forward(
            about, mover.facing, mover.speed, place, one.facing, one.speed
        )
    return reach <= PREEMPT_RANGE and geometry.in_forward(
        about, mover.facing, place, PREEMPT_ARC, sensor=False
    )


def preemption_open(state: State, activation: Activation) -> bool:
    """GS-FLT-14: whether the enemy may be asked now: once before the first flight point, or before each of them.

    An aircraft that falls, sinks or is entered by hand has no flight points: it is asked before it moves at all.
    Nobody pre-empts an aircraft that pre-empts.
    """
    if preempt_key(activation) in activation.asked:
        return False
    if activation.preempting or activation.paused:
        return False
    match state.switches.preempt:
        case "before-first-fp":
            return not activation.flown
        case "half-move":
            return True
        case _:
            return False


def preempt_key(activation: Activation) -> str:
    """The window for pre-emption before the next flight point of a move."""
    return f"preempt:{sum(read_token(token).spends for token in activation.flown)}"


def tailees(state: State, one: Aircraft) -> tuple[tuple[Aircraft, Blocked | None], ...]:
    """GS-FLT-13: the enemies known in an aircraft's place, each with what keeps it from tailing him."""
    return tuple(
        (other, _tail_blocked(one, other))
        for other in state.enemies(one.side)
        if other.pos == one.pos
        and other.altitude == one.altitude
        and known_to(state, one.side, other)
    )


def _tail_blocked(one: Aircraft, other: Aircraft) -> Blocked | None:
    apart = (one.facing - other.facing) % 12
    if not one.free:
        return Blocked("only a free aircraft tails", "GS-FLT-13")
    if not other.moved:
        return Blocked("it has not moved yet", "GS-FLT-13")
    if one.side not in other.sighted_by:
        return Blocked("it is not in sight", "GS-FLT-13")
    if min(apart, 12 - apart) > TAIL_FACINGS:
        return Blocked("its facing is more than 60 degrees off", "GS-FLT-13")
    if one.o.next_speed - other.o.next_speed > TAIL_FASTER:
        return Blocked("next turn's speed would be more than 1.0 greater", "GS-FLT-13")
    return None
