"""The leg (F14-TN-1 to F14-TN-4): the flight goes on to the next waypoint, and contact is rolled for there.

Belongs here: the first part of a turn; before the first leg, the briefing. Does not belong here: what a
contact brings, or bombing.
"""

from app.engine.game import PhaseStep
from app.engine.sequence import Effect, Todo
from app.games.f14_tomcats import briefing, contact, ending
from app.games.f14_tomcats.events import Flew
from app.games.f14_tomcats.model import HOME, State

STEPS = (
    PhaseStep("briefing", "Briefing"),
    PhaseStep("fly", "Fly"),
    PhaseStep("contact", "Contact"),
    PhaseStep("sam", "SAM site"),
    PhaseStep("migs", "MiGs"),
    PhaseStep("bailout", "Bail-out"),
)


def todo(state: State) -> Todo:
    """F14-TN-1: fly, then the contact of this turn; None once it is over, or nobody is in the air."""
    if step := ending.bail_out(state) or briefing.todo(state):
        return step
    if state.leader is None:
        return None
    if not state.flown:
        return _fly(state)
    return contact.todo(state) if has_contact(state) else None


def _fly(state: State) -> Effect:
    """F14-TN-4: one way, one waypoint at a time."""
    ahead = state.waypoint + 1
    types = [target.type for target in state.targets if target.waypoint == ahead]
    event = Flew(ahead, types[0] if types else "")
    return Effect(event, "F14-TN-1", f"Fly to waypoint {ahead}", step="fly")


def has_contact(state: State) -> bool:
    """F14-TN-2: the leg into the home base has a contact roll as well, unless it is ruled otherwise."""
    return state.waypoint < HOME or state.rulings.contact_last_leg == "on"
