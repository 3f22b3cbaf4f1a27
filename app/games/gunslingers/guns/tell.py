"""Log lines of guns and damage to aircraft (GS-C-1 to GS-C-12).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.checks import shown, signed, steps
from app.games.gunslingers.guns.facts import (
    BurstRolled,
    CollisionRolled,
    DamageRolled,
    GunDeclared,
    GunHeld,
    Hurt,
    NoShot,
    ReturnFire,
    SystemsRolled,
)
from app.games.gunslingers.model import Damage

DOES = {
    "": "does no damage to",
    "L": "does light damage to",
    "H": "does heavy damage to",
    "C": "cripples",
    "K": "destroys",
}
"""What a result of the roll for damage does to its target."""

TOTALS: Mapping[Damage, str] = {
    "L": "light",
    "2L": "light twice",
    "H": "heavy",
    "C": "crippled",
    "K": "killed",
}
"""What damage comes to in all."""

_BROKEN = {
    "radar": "its radar is out",
    "ecm": "its electronic countermeasures are out",
    "guns": "its guns are out",
    "stores": "its stores are gone",
    "engine": "an engine is out",
    "": "nothing more breaks",
}


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    match event:
        case GunDeclared():
            return Told(_declared(event, names))
        case GunHeld():
            return Told(f"{names[event.shooter]} does not fire.", quiet=True)
        case NoShot():
            return Told(f"{names[event.shooter]} has no shot: {event.why}.")
        case ReturnFire():
            does = "fires back" if event.burst else "does not fire back"
            return Told(f"{names[event.target]} {does} at {names[event.shooter]}.")
        case BurstRolled():
            does = "hits" if event.roll.made else "misses"
            text = f"{names[event.shooter]} {does} {names[event.target]} at range {event.reach}."
            return Told(text, shown([event.roll.face]), steps(event.roll))
        case CollisionRolled():
            who = f"{names[event.shooter]} and {names[event.target]}"
            does = "collide" if event.wounds else "pass each other"
            return Told(f"{who} {does}.", shown([event.face]), ("they collide on 1",))
        case DamageRolled():
            return _damage(event, names)
        case SystemsRolled():
            return Told(f"{names[event.target]}: {_broken(event)}.", shown([event.face]))
        case _:
            return None


def _declared(event: GunDeclared, names: Mapping[str, str]) -> str:
    burst = event.burst
    what = "a snap burst" if burst.snap else "a burst"
    way = ", head-on" if event.head_on else ""
    return (
        f"{names[burst.shooter]} fires {what} at {names[burst.target]}, range {burst.reach}{way}."
    )


def _damage(event: DamageRolled, names: Mapping[str, str]) -> Told:
    wound = event.wound
    by = names[wound.by] if wound.by else "The collision"
    text = f"{by} {DOES[event.result]} {names[wound.target]}.{total_of(event.hurt)}"
    rows = (f"{signed(part.amount)} {part.words}" for part in event.parts)
    counted = (
        f"rating {wound.rating}",
        *rows,
        f"less {event.face} rolled",
        f"margin {signed(event.margin)}",
    )
    return Told(text, shown([event.face]), counted)


def total_of(hurt: Hurt) -> str:
    """What the damage comes to in all, for those who may know it; a kill is for everybody to see."""
    if hurt.killed:
        return " It goes down."
    after = hurt.after.value
    return f" In all: {TOTALS[after]}." if after and len(hurt.hits.value or ()) > 1 else ""


def _broken(event: SystemsRolled) -> str:
    if event.what != "crew":
        return _BROKEN[event.what]
    return "its pilot is killed, and it goes down" if event.killed else "one of its crew is killed"
