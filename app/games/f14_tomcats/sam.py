"""The SAM site (F14-SM-1 to F14-SM-5): missiles one after another, each spoofed, evaded or a hit.

Belongs here: what is done about a missile. Does not belong here: how many there are; see `contact`.
"""

from functools import partial

from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Todo
from app.games.f14_tomcats import chances, foresight
from app.games.f14_tomcats.events import (
    ChaffKept,
    CountermeasureRolled,
    EvadeRolled,
    MissileTurned,
)
from app.games.f14_tomcats.model import Contact, Jet, Missile, State

SPOOFS = 4
"""A countermeasure roll of this or more spoofs the missile (F14-SM-2)."""
EVADES = 4
"""An evade roll up to this evades it (F14-SM-4)."""


def todo(state: State, contact: Contact) -> Todo:
    """The missile that is coming; None when there is no other (F14-SM-5: or nobody left to be hit)."""
    number = contact.coming
    leader = state.leader
    if number is None or leader is None:
        return None
    missile = contact.missiles[number]
    jet = state.jets[missile.jet]
    if not jet.flying:
        event = MissileTurned(number, leader.id)
        return Effect(event, "F14-TP-8", "The next missile", leader.seat, leader.id, "sam")
    if missile.spoof is None and missile.chaff != "keep" and jet.stores.chaff:
        if state.rulings.optional_cm == "on" and not missile.chaff:
            return _choose(state, contact, number, jet)
        return _countermeasure(contact, number, jet, chosen=missile.chaff == "use")
    return _evade(contact, number, missile, jet)


def _name(contact: Contact, number: int) -> str:
    return f"{contact.waypoint}.{contact.run}.{number + 1}"


def _nth(contact: Contact, number: int) -> str:
    return f"missile {number + 1} of {len(contact.missiles)}"


def _choose(state: State, contact: Contact, number: int, jet: Jet) -> Decision:
    """F14-SM-3, where the table lets pilots save chaff and flares."""
    return Decision(
        id=f"chaff:{_name(contact, number)}",
        seat=jet.seat,
        title=f"{jet.name}: chaff and flares against {_nth(contact, number)}?",
        options=partial(_chaff_options, state, jet),
        happen=lambda used: ChaffKept(jet.id, number, used),
        cite="F14-SM-3",
        unit=jet.id,
        why=f"{jet.stores.chaff} left",
        step="sam",
        initial=True,
        then=foresight.offered(state),
    )


def _chaff_options(state: State, jet: Jet) -> tuple[Option, ...]:
    return (
        Option(
            True,
            "Use one",
            detail=f"spoofed on {SPOOFS}–6, else evaded on 1–{EVADES}",
            cost="−1 chaff and flares",
            cite="F14-SM-2",
            odds=chances.between("Spoofed", SPOOFS, 6),
            blocked=None if jet.stores.chaff else Blocked("none left", "F14-SM-2"),
            then=foresight.told(foresight.after_chaff, state, used=True),
        ),
        Option(
            False,
            "Save them",
            detail=f"evaded on 1–{EVADES}",
            cite="F14-SM-4",
            odds=chances.between("Evaded", 1, EVADES),
            then=foresight.told(foresight.after_chaff, state, used=False),
        ),
    )


def _countermeasure(contact: Contact, number: int, jet: Jet, *, chosen: bool) -> Roll:
    """F14-SM-2; where nobody chose it, F14-SM-3 says that it must be."""
    return Roll(
        id=f"countermeasure:{_name(contact, number)}",
        seat=jet.seat,
        title=f"{jet.name}: countermeasure roll",
        pool=chances.ONE_DIE,
        happen=partial(countermeasure, jet, number),
        cite="F14-SM-2" if chosen or jet.stores.chaff > 1 else "F14-SM-3",
        unit=jet.id,
        why=_nth(contact, number),
        step="sam",
        odds=chances.between("Spoofed", SPOOFS, 6),
    )


def countermeasure(jet: Jet, number: int, faces: tuple[int, ...]) -> CountermeasureRolled:
    """F14-SM-2: one unit is gone, whatever the die shows."""
    chaff = jet.stores.chaff - 1
    return CountermeasureRolled(jet.id, number, faces[0], faces[0] >= SPOOFS, chaff)


def _evade(contact: Contact, number: int, missile: Missile, jet: Jet) -> Roll:
    no_chaff = "saved chaff" if missile.chaff == "keep" else "no chaff left"
    why = "not spoofed" if missile.spoof is not None else no_chaff
    return Roll(
        id=f"evade:{_name(contact, number)}",
        seat=jet.seat,
        title=f"{jet.name}: evade roll",
        pool=chances.ONE_DIE,
        happen=partial(evade, jet, number),
        cite="F14-SM-4",
        unit=jet.id,
        why=f"{_nth(contact, number)}, {why}",
        step="sam",
        odds=chances.between("Evaded", 1, EVADES),
    )


def evade(jet: Jet, number: int, faces: tuple[int, ...]) -> EvadeRolled:
    """F14-SM-4. A jet that is already down is not asked, so the damage stays within its limit."""
    evaded = faces[0] <= EVADES
    damage = jet.damage if evaded else jet.damage + 1
    return EvadeRolled(jet.id, number, faces[0], evaded, damage, jet.limit)
