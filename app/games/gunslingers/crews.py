"""Questions about an aircraft's crew that several rules ask.

Belongs here: who of it can act, and its traits. Does not belong here: what a rule makes of them.
"""

from app.games.gunslingers.model import Aircraft, Crew


def able(aircraft: Aircraft) -> tuple[Crew, ...]:
    """Those of the crew who are alive and awake, the pilot first."""
    return tuple(one for one in aircraft.o.crew if one.status == "ok")


def pilot(aircraft: Aircraft) -> Crew:
    """Who flies it: the first who can, or the pilot where nobody can."""
    return next(iter(able(aircraft)), aircraft.o.crew[0])


def helpless(aircraft: Aircraft) -> bool:
    """Whether nobody flies it: its pilot is blacked out or without bearings (GS-F-33)."""
    return aircraft.o.crew[0].status == "gloc" or aircraft.bearings_lost


def operator(aircraft: Aircraft) -> Crew:
    """Who works the radar: a crewman where there is one who can, else the pilot."""
    return next(iter(able(aircraft)[1:]), pilot(aircraft))


def multi(aircraft: Aircraft) -> bool:
    """Whether it is multi-crew as it is now."""
    return len(able(aircraft)) > 1


def keen(one: Crew) -> bool:
    """A Veteran or a Tactics Master."""
    return one.quality == "veteran" or one.tactics_master
