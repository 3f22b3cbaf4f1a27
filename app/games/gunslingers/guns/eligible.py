"""Who may fire guns at whom, and the number to hit (GS-C-1 to GS-C-3).

Belongs here: what keeps a shooter from firing at all, what keeps it from a target, and the rows of GS-C-2. Does not
belong here: when it is asked (`attack`).
"""

from collections.abc import Iterator

from app.engine.sequence import Blocked
from app.games.gunslingers.checks import Number, Part
from app.games.gunslingers.crews import pilot
from app.games.gunslingers.flight.flying import recovered
from app.games.gunslingers.geometry import gun_range
from app.games.gunslingers.guns.aspect import attack_arc
from app.games.gunslingers.model import (
    RATES,
    Aircraft,
    Crew,
    FlightType,
    GunCard,
    Rate,
    State,
)
from app.games.gunslingers.sighting.numbers import sights

MOST_ATTACKS = 2
"""Gun attacks of an aircraft in a turn (GS-T-13, GS-FLT-16)."""

FULL, SNAP = 1.0, 0.5
"""Ammunition of a burst and of a snap burst (GS-C-3)."""

CLIMBING: frozenset[FlightType] = frozenset({"SC", "ZC", "VC"})
DIVING: frozenset[FlightType] = frozenset({"SD", "UD", "VD"})
ROLL_COUNTS_AS: Rate = "BT"
"""For sights and launches (GS-F-17)."""


def gun_of(state: State, shooter: Aircraft) -> GunCard:
    """Its gun. Raises LookupError when it has none."""
    gun = state.card(shooter).gun
    if gun is None:
        raise LookupError(f"{shooter.id} has no gun")
    return gun


def unfit(shooter: Aircraft, cite: str) -> Blocked | None:
    """What keeps an aircraft from any attack now, guns or missiles, of which `cite` tells."""
    if shooter.condition != "normal":
        return Blocked(f"it is {shooter.condition}", cite)
    if shooter.engaged:
        return Blocked("it is engaged with missiles", "GS-DEC-2a")
    if shooter.no_attacks:
        return Blocked("it has given up its attacks", "GS-FLT-14")
    if shooter.damage_control:
        return Blocked("its crew controls damage", "GS-FLT-17")
    if shooter.o.damage == "C":
        return Blocked("it is crippled", "GS-C-12")
    if shooter.o.half_rolled:
        return Blocked("it dives from a half-roll", "GS-F-6")
    if not recovered(shooter):
        return Blocked("it has not recovered from what it flew", "GS-F-13")
    return None


def gun_blocked(state: State, shooter: Aircraft) -> Blocked | None:
    """What keeps an aircraft from firing its guns at anybody."""
    own = shooter.o
    if state.card(shooter).gun is None:
        return Blocked("it has no gun", "GS-C-1")
    if "guns" in own.out:
        return Blocked("its guns are out of order", "GS-C-12")
    if own.ammo < SNAP:
        return Blocked("it has no ammunition left", "GS-C-3")
    if shooter.gun_shots >= MOST_ATTACKS:
        return Blocked(f"{MOST_ATTACKS} gun attacks a turn", "GS-T-13")
    return unfit(shooter, "GS-C-1")


def target_blocked(state: State, shooter: Aircraft, target: Aircraft) -> Blocked | None:
    """GS-C-1: what keeps an aircraft that may fire from this target."""
    return unsighted(shooter, target, "GS-C-1") or aim_blocked(state, shooter, target)


def aim_blocked(state: State, shooter: Aircraft, target: Aircraft) -> Blocked | None:
    """GS-C-1: what keeps its guns from a target that it has in sight."""
    if reach(shooter, target) is None:
        return Blocked("not in the gun field", "GS-G-17")
    height = _height_blocked(shooter, target)
    if height is not None:
        return height
    full, snap = (burst_blocked(state, shooter, target, snap=snap) for snap in (False, True))
    if full is None or snap is None:
        return None
    return full if shooter.o.ammo >= FULL else snap


def burst_blocked(
    state: State, shooter: Aircraft, target: Aircraft, *, snap: bool
) -> Blocked | None:
    """What keeps an aircraft from this burst at a target in its gun field: ammunition, or that no die would hit."""
    if shooter.o.ammo < (SNAP if snap else FULL):
        return Blocked(f"{shooter.o.ammo:g} of ammunition left", "GS-C-3")
    by_hand = state.switches.guns == "adjudicated"
    if not by_hand and to_hit(state, shooter, target, snap=snap).reach < 1:
        return Blocked("no die would hit", "GS-C-2")
    return None


def unsighted(shooter: Aircraft, target: Aircraft, cite: str) -> Blocked | None:
    """The shooter's side must have it in sight, as `cite` says, and its own crew had it when its move began."""
    if not sights(shooter, target):
        return Blocked("not sighted", cite)
    if target.id not in shooter.o.saw:
        return Blocked("its own crew had it not in view when it began to move", "GS-VIS-11")
    return None


def reach(shooter: Aircraft, target: Aircraft) -> int | None:
    """Total range of a shot (GS-G-17)."""
    return gun_range(shooter.pos, shooter.facing, shooter.altitude, target.pos, target.altitude)


def _height_blocked(shooter: Aircraft, target: Aircraft) -> Blocked | None:
    """GS-C-1: not downwards in a climb nor upwards in a dive; in level flight hardly up or down at all."""
    above = target.altitude - shooter.altitude
    if shooter.s.flight_type in CLIMBING:
        return Blocked("lower, and it climbs", "GS-C-1") if above < 0 else None
    if shooter.s.flight_type in DIVING:
        return Blocked("higher, and it dives", "GS-C-1") if above > 0 else None
    most = 0 if shooter.pos == target.pos else 1
    if abs(above) > most:
        return Blocked(f"{abs(above)} levels apart, and {most} at most in level flight", "GS-C-1")
    return None


# The number to hit (GS-C-2).


def to_hit(state: State, shooter: Aircraft, target: Aircraft, *, snap: bool = False) -> Number:
    """The gun's hit number at this range, and the rows of GS-C-2. Raises LookupError out of reach."""
    span = reach(shooter, target)
    if span is None:
        raise LookupError(f"{target.id} is out of {shooter.id}'s reach")
    size = state.card(target).size
    arc = attack_arc(state, target, shooter.pos, shooter.facing, shooter.speed)
    gun = gun_of(state, shooter)
    rows = (
        Part("target's size", size, size != 0),
        Part("on its tail line", -2, arc == 0),
        Part("from its 30 arc", 0, arc == 30),
        Part("from its 60 arc", 1, arc == 60),
        Part("from its 90 or 120 arc", 3, arc in (90, 120)),
        Part("from its 150 or 180 arc", 4, arc in (150, 180)),
        *_sight_rows(gun, shooter),
        Part("snap burst", 1, snap),
        *damage_rows(shooter),
        *_crew_rows(pilot(shooter)),
    )
    return Number(gun.hit[span], rows)


def tightest(shooter: Aircraft) -> Rate | None:
    """The tightest turn of its move; a roll counts as a break turn (GS-F-17)."""
    own = shooter.o
    if own.rolls and (own.max_rate is None or RATES.index(own.max_rate) < RATES.index("BT")):
        return ROLL_COUNTS_AS
    return own.max_rate


def _sight_rows(gun: GunCard, shooter: Aircraft) -> Iterator[Part]:
    """The sight modifier of the tightest turn since it last recovered (GS-C-2)."""
    rate = shooter.o.sight_rate
    for each, amount in gun.sight.items():
        yield Part(f"after turning {each}", amount, rate == each)


def damage_rows(shooter: Aircraft) -> tuple[Part, ...]:
    """The shooter's damage, as it counts in attacks."""
    return (
        Part("shooter's light damage", 1, shooter.o.damage in ("L", "2L"), own=True),
        Part("shooter's heavy damage", 2, shooter.o.damage == "H", own=True),
    )


def _crew_rows(man: Crew) -> tuple[Part, ...]:
    return (
        Part("veteran", -1, man.quality == "veteran", own=True),
        Part("combat hero", -1, man.combat_hero, own=True),
        Part("novice", 1, man.quality == "novice", own=True),
        Part("green", 2, man.quality == "green", own=True),
    )
