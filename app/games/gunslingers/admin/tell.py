"""Log lines of the two administrative phases (GS-ADM, GS-EOT) and the end of the game.

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.admin.facts import (
    BearingsRolled,
    CrewRolled,
    KillsCredited,
    LeaveChosen,
    LeaveRefused,
    LeaveRolled,
    LogsKept,
    MissilesAged,
    MissileSpent,
    TurnEnded,
    WorseRolled,
)
from app.games.gunslingers.checks import Thrown, shown, steps
from app.games.gunslingers.guns.tell import TOTALS


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    match event:
        case MissilesAged():
            count = len(event.missiles)
            flies = "1 missile flies" if count == 1 else f"{count} missiles fly"
            return Told(f"{flies} on with a move less.", quiet=True)
        case MissileSpent():
            return Told(f"The missile at {names[event.target]} has run out.")
        case WorseRolled():
            return _worse(event, names)
        case KillsCredited():
            return Told(_kills(event, names))
        case CrewRolled():
            return _crew(event, names)
        case BearingsRolled():
            does = "finds his bearings" if event.roll.made else "stays disoriented"
            return _rolled(f"{names[event.aircraft]}: the pilot {does}.", event.roll)
        case LogsKept():
            who = " and ".join(names[side] for side in event.wished)
            wish = f" Of {who} somebody would leave the fight." if who else ""
            return Told(f"The logs are kept.{wish}", quiet=not wish)
        case LeaveChosen():
            if event.standing:
                return Told(f"{names[event.side]} stays until shots fall.", quiet=True)
            if event.aircraft is None:
                return Told(f"{names[event.side]} stays in the fight.", quiet=True)
            return Told(f"{names[event.aircraft]} tries to leave the fight.")
        case LeaveRefused():
            return Told(f"{names[event.aircraft]} can't leave: {event.why}.")
        case LeaveRolled():
            does = "leaves the fight" if event.roll.made else "does not get away"
            return _rolled(f"{names[event.aircraft]} {does}.", event.roll)
        case TurnEnded():
            score = ", ".join(f"{names[side]} {count}" for side, count in event.points.items())
            return Told(f"The turn is over. Points: {score}.")
        case _:
            return None


def _rolled(text: str, roll: Thrown) -> Told:
    return Told(text, shown([roll.face]), steps(roll))


def _worse(event: WorseRolled, names: Mapping[str, str]) -> Told:
    who = names[event.aircraft]
    if event.hurt is None:
        return _rolled(f"{who}'s damage gets no worse.", event.roll)
    if event.hurt.killed:
        return _rolled(f"{who}'s damage gets worse: it goes down.", event.roll)
    after = event.hurt.after.value
    now = f": {TOTALS[after]}" if after else ""
    return _rolled(f"{who}'s damage gets worse{now}.", event.roll)


def _kills(event: KillsCredited, names: Mapping[str, str]) -> str:
    listed = ", ".join(f"{names[one.aircraft]} to {names[one.side]}" for one in event.claims)
    score = ", ".join(f"{names[side]} {count}" for side, count in event.kills.items())
    return f"Kills: {listed}. In all: {score}; the first was {names[event.first]}'s."


def _crew(event: CrewRolled, names: Mapping[str, str]) -> Told:
    who = "the pilot" if event.man == 0 else f"crewman {event.man}"
    text = f"{names[event.aircraft]}: {who} {'comes to' if event.awake else 'is still out'}."
    return Told(text) if event.roll is None else _rolled(text, event.roll)
