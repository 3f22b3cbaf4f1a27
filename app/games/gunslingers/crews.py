"""Questions about an aircraft's crew that several rules ask.

Belongs here: who of it can act, and its traits. Does not belong here: what a rule makes of them.
"""

from app.games.gunslingers.model import Aircraft, Condition, Crew


def able(aircraft: Aircraft) -> tuple[Crew, ...]:
    """Those of the crew who are alive and awake, the pilot first."""
    return tuple(one for one in aircraft.o.crew if one.status == "ok")


def pilot(aircraft: Aircraft) -> Crew:
    """Who flies it: the first who can, or the pilot where nobody can."""
    return next(iter(able(aircraft)), aircraft.o.crew[0])


def at_controls(aircraft: Aircraft) -> int:
    """The place in the crew of the one at its controls: the pilot, or who flies for him once he is dead."""
    alive = (n for n, one in enumerate(aircraft.o.crew) if one.status != "dead")
    return next(alive, 0)


def awake(aircraft: Aircraft) -> bool:
    """Whether the one at its controls is."""
    return aircraft.o.crew[at_controls(aircraft)].status == "ok"


def helpless(aircraft: Aircraft) -> bool:
    """Whether nobody flies it: who is at its controls is blacked out or without bearings (GS-F-33)."""
    return not awake(aircraft) or aircraft.bearings_lost


def in_hand(aircraft: Aircraft) -> Condition:
    """What it is once it neither stalls nor departs: under control, unless nobody flies it (GS-F-33)."""
    if not helpless(aircraft):
        return "normal"
    return "disoriented" if awake(aircraft) else "gloc"


def woken(aircraft: Aircraft) -> Condition:
    """What it is once its pilot has come to: he may be without bearings still (GS-F-34)."""
    if aircraft.condition != "gloc":
        return aircraft.condition
    return "disoriented" if aircraft.bearings_lost else "normal"


def operator(aircraft: Aircraft) -> Crew:
    """Who works the radar: a crewman where there is one who can, else the pilot."""
    return next(iter(able(aircraft)[1:]), pilot(aircraft))


def multi(aircraft: Aircraft) -> bool:
    """Whether it is multi-crew as it is now."""
    return len(able(aircraft)) > 1


def keen(one: Crew) -> bool:
    """A Veteran or a Tactics Master."""
    return one.quality == "veteran" or one.tactics_master
