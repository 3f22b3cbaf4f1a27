"""Log lines of the Air to Air Missile Launch Phase (GS-AAM) and missiles in flight (GS-C-20 to GS-C-26).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.checks import shown, steps
from app.games.gunslingers.missiles.facts import (
    DecoyRolled,
    DecoysDropped,
    ExtraChosen,
    LaunchDeclared,
    LaunchesListed,
    LaunchesOpened,
    LaunchRolled,
    LegalShot,
    MissileAttacked,
    MissileFlew,
    MissileLost,
)
from app.games.gunslingers.model import Decoys


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    match event:
        case LaunchesListed():
            return Told(_listed(event, names), quiet=True)
        case LaunchesOpened():
            does = "decides to launch" if event.opens.value else "launches nothing"
            return Told(f"{names[event.side]} {does}.", quiet=True)
        case LaunchDeclared():
            return _declared(event, names)
        case LaunchRolled():
            return _rolled(event, names)
        case ExtraChosen():
            does = "tries once more" if event.tries else "does not try again"
            return Told(f"{names[event.shooter]} {does}.")
        case MissileFlew():
            text = f"The missile at {names[event.target]} flies to {event.pos.label}, level {event.altitude}; range {event.away}."
            return Told(text, places=(event.pos.label,))
        case MissileLost():
            return Told(f"The missile at {names[event.target]} is lost: {event.why}.")
        case DecoysDropped():
            return Told(_dropped(event, names))
        case DecoyRolled():
            return _decoyed(event, names)
        case MissileAttacked():
            return _attacked(event, names)
        case _:
            return None


def _listed(event: LaunchesListed, names: Mapping[str, str]) -> str:
    side = names[event.side]
    if event.shots.value is None:
        return f"{side} may launch missiles."
    by: dict[str, list[LegalShot]] = {}
    for shot in event.shots.value:
        by.setdefault(shot.shooter, []).append(shot)
    listed = "; ".join(
        f"{names[shooter]} at {', '.join(dict.fromkeys(names[one.target] for one in shots))}"
        for shooter, shots in by.items()
    )
    return f"{side} may launch: {listed}."


def _declared(event: LaunchDeclared, names: Mapping[str, str]) -> Told:
    who, volley = names[event.shooter], event.volley
    if volley is None:
        return Told(f"{who} launches nothing.", quiet=True)
    what = "a missile" if volley.declared == 1 else f"{volley.declared} missiles"
    return Told(f"{who} is to launch {what} at {names[volley.target]}.")


def _rolled(event: LaunchRolled, names: Mapping[str, str]) -> Told:
    who, target = names[event.shooter], names[event.target]
    if event.missile is None:
        text = f"{who}'s launch at {target} fails; the missile is spent."
    else:
        text = f"{who} launches a missile at {target}."
    if event.heard:
        text += " Its warning receiver sounds."
    roll = event.roll.value
    return Told(text, shown([event.face]), steps(roll) if roll else ())


def _dropped(event: DecoysDropped, names: Mapping[str, str]) -> str:
    what = clusters(event.decoys) or "no decoys"
    return f"{names[event.target]} drops {what} against a missile."


def clusters(decoys: Decoys) -> str:
    """Decoys dropped by hand, in words; "" for none."""
    flares = f"{decoys.flare} flare{'s' if decoys.flare > 1 else ''}" if decoys.flare else ""
    parts = (f"{decoys.chaff} chaff" if decoys.chaff else "", flares)
    return " and ".join(filter(None, parts))


def _decoyed(event: DecoyRolled, names: Mapping[str, str]) -> Told:
    at = f"the missile at {names[event.target]}"
    kind = "A flare" if event.kind == "flare" else "Chaff"
    if event.roll is None:
        return Told(f"{kind} means nothing to {at}.")
    does = "decoys" if event.roll.made else "does not tempt"
    return Told(f"{kind} {does} {at}.", shown([event.roll.face]), steps(event.roll))


def _attacked(event: MissileAttacked, names: Mapping[str, str]) -> Told:
    who = names[event.target]
    if event.wound is None:
        text = f"The missile misses {who}."
    else:
        text = f"The missile {'hits' if event.direct else 'bursts close to'} {who}."
    return Told(text, shown([event.roll.face]), (f"range {event.away}", *steps(event.roll)))
