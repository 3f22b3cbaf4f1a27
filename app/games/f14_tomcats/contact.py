"""Contact (F14-CT-1 to F14-CT-3, F14-TP-3, F14-TP-4): whether something is met, what, and how many for whom.

Belongs here: the three rolls, and handing over to `sam` or `migs`. Does not belong here: the fight itself.
"""

from functools import partial

from app.engine.chance import Chance, Faces, Odds
from app.engine.sequence import Roll, Todo
from app.games.f14_tomcats import chances, migs, sam
from app.games.f14_tomcats.events import ContactRolled, ContactTypeRolled, NumberRolled
from app.games.f14_tomcats.model import Contact, ContactKind, State

LAST_SAM = 3
"""A die up to this is a SAM site, above it a flight of MiGs (F14-CT-2)."""


def todo(state: State) -> Todo:
    """F14-CT-3: the roll, and all that comes of it, at once; None when it is over."""
    contact = state.contact
    leader = state.leader
    if leader is None:
        return None
    if contact is None:
        return _contact(state, leader.seat)
    if not contact.met:
        return None
    if not contact.kind:
        return _kind(contact, leader.seat)
    if not contact.counted:
        return _number(state, contact, leader.seat)
    return sam.todo(state, contact) if contact.kind == "sam" else migs.todo(state, contact)


def place(state: State) -> str:
    """Tells this contact roll from others of the mission, in an id."""
    return f"{state.waypoint}.{state.run.number if state.run else 0}"


def _contact(state: State, seat: str) -> Roll:
    run = state.run.number if state.run else 0
    return Roll(
        id=f"contact:{place(state)}",
        seat=seat,
        title="Roll for contact",
        pool=chances.ONE_DIE,
        happen=partial(contact_rolled, state.waypoint, run),
        cite="F14-BP-2" if run else "F14-TP-3" if state.team else "F14-CT-1",
        why=f"bombing pass {run}" if run else f"waypoint {state.waypoint}",
        step="contact",
        odds=chances.between("Contact", 1, 1),
    )


def contact_rolled(waypoint: int, run: int, faces: tuple[int, ...]) -> ContactRolled:
    """F14-CT-1."""
    return ContactRolled(waypoint, run, faces[0], faces[0] == 1)


def _kind(contact: Contact, seat: str) -> Roll:
    def outcome(faces: Faces) -> ContactKind:
        return kind_rolled(faces).kind

    words = (("sam", "SAM site"), ("migs", "MiG-23s"))
    chance = Chance(chances.ONE_DIE, outcome, ("f14-tomcats-kind",))
    return Roll(
        id=f"kind:{contact.waypoint}.{contact.run}",
        seat=seat,
        title="Roll for what it is",
        pool=chances.ONE_DIE,
        happen=kind_rolled,
        cite="F14-CT-2",
        step="contact",
        odds=Odds("What it is", chance, words=words),
    )


def kind_rolled(faces: tuple[int, ...]) -> ContactTypeRolled:
    """F14-CT-2."""
    return ContactTypeRolled(faces[0], "sam" if faces[0] <= LAST_SAM else "migs")


def _number(state: State, contact: Contact, seat: str) -> Roll:
    what, cite = ("missiles", "F14-SM-1") if contact.kind == "sam" else ("MiGs", "F14-MG-1")
    return Roll(
        id=f"number:{contact.waypoint}.{contact.run}",
        seat=seat,
        title=f"Roll for the number of {what}",
        pool=chances.ONE_DIE,
        happen=partial(number_rolled, state, contact.kind),
        cite=cite,
        step=contact.kind,
        odds=chances.number(f"Number of {what}"),
    )


def number_rolled(state: State, kind: ContactKind, faces: tuple[int, ...]) -> NumberRolled:
    """F14-SM-1, F14-MG-1; F14-TP-4: the leader's, the wingman's, the leader's and so on."""
    flying = [jet.id for jet in state.flying()]
    jets = tuple(flying[n % len(flying)] for n in range(faces[0]))
    return NumberRolled(kind, faces[0], jets)
