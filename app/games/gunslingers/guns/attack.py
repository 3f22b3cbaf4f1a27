"""A gun attack, from the window after a flight point to the last roll to hit (GS-C-1 to GS-C-4).

Belongs here: the choice, fire in return, collisions head-on, the rolls to hit. Does not belong here: who may fire and
the number (`eligible`), or what a hit does (`hits`).

The window opens by itself after each flight point from which somebody can be hit, and "No attack" closes it for that
point. A `G` in a planned line fires without asking where just one target can be hit.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from app.engine.chance import Chance, Faces, Odds
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Todo
from app.games.gunslingers.checks import ONE_DIE, Thrown, at_most, check
from app.games.gunslingers.flight.tokens import read_token
from app.games.gunslingers.fog import known_to
from app.games.gunslingers.guns.aspect import head_on
from app.games.gunslingers.guns.eligible import (
    FULL,
    SNAP,
    aim_blocked,
    burst_blocked,
    gun_blocked,
    gun_of,
    reach,
    target_blocked,
    to_hit,
)
from app.games.gunslingers.guns.facts import (
    BurstRolled,
    CollisionRolled,
    GunDeclared,
    GunHeld,
    NoShot,
    ReturnFire,
)
from app.games.gunslingers.guns.hits import (
    COLLISION,
    OUTLOOK,
    collision,
    damage,
    damage_chance,
    rating_against,
)
from app.games.gunslingers.model import (
    Activation,
    Aircraft,
    Burst,
    GunFire,
    State,
    Wound,
)
from app.games.gunslingers.outcomes import asking
from app.games.gunslingers.outcomes.facts import Attack
from app.games.gunslingers.sighting.numbers import sights

HOLD = "hold"
GUN_TOKEN = "G"
"""Stands for a gun attack in a planned line."""


def window(state: State, activation: Activation) -> Todo:
    """What guns have to do at this point of a move, and what damage is due; None when the move goes on.

    Args:
        activation: the move under way, at least one flight point of it flown.
    """
    if state.fire is not None:
        return _under_way(state, state.fire)
    due = damage(state)
    if due is not None:
        return due
    shooter = state.aircraft[activation.aircraft]
    if not shooter.flying or not _point(activation):
        return None
    if activation.left[:1] == (GUN_TOKEN,):
        return _planned(state, activation, shooter)
    if _held(activation) in activation.asked or _fired(activation) in activation.asked:
        return None
    if any(not blocked for _, blocked in _targets(state, activation, shooter)):
        return _choice(state, activation, shooter)
    return None


def _held(activation: Activation) -> str:
    return f"held:{_point(activation)}"


def _fired(activation: Activation) -> str:
    return f"fired:{_point(activation)}"


def _point(activation: Activation) -> int:
    """How many flight points of the move are flown."""
    return sum(read_token(token).spends for token in activation.flown)


def _targets(
    state: State, activation: Activation, shooter: Aircraft
) -> Iterator[tuple[Aircraft, Blocked | None]]:
    """Each enemy that its side knows of, and what keeps it from being fired at."""
    blocked = gun_blocked(state, shooter)
    for target in state.enemies(shooter.side):
        if known_to(state, shooter.side, target):
            yield target, blocked or target_blocked(state, shooter, target)


# The choice (GS-C-1).


def _planned(state: State, activation: Activation, shooter: Aircraft) -> Todo:
    """A `G` in the line: fire, choose a target where there are several, or say why there is none."""
    found = list(_targets(state, activation, shooter))
    free = [target for target, blocked in found if blocked is None]
    if _fired(activation) in activation.asked:
        held = NoShot(shooter.id, _held(activation), "one attack at a point of its move")
    elif not free:
        held = NoShot(shooter.id, _held(activation), _why_not(shooter, found))
    elif len(free) > 1:
        return _choice(state, activation, shooter)
    else:
        snap = burst_blocked(state, shooter, free[0], snap=False) is not None
        event = _declared(state, activation, shooter, {"target": free[0].id, "snap": snap})
        return Effect(event, "GS-C-1", f"{shooter.name} fires", shooter.side, shooter.id)
    return Effect(held, "GS-C-1", f"{shooter.name} has no shot", shooter.side, shooter.id)


def _why_not(shooter: Aircraft, found: Sequence[tuple[Aircraft, Blocked | None]]) -> str:
    """What keeps a shooter from the target that is least out of its reach."""
    aimed = [(target, blocked) for target, blocked in found if reach(shooter, target) is not None]
    for _, blocked in aimed or found:
        if blocked is not None:
            return blocked.reason
    return "there is no enemy"


def _choice(state: State, activation: Activation, shooter: Aircraft) -> Decision:
    return Decision(
        id=f"gun:{shooter.id}:{_point(activation)}",
        seat=shooter.side,
        title=f"{shooter.name}: fire guns?",
        options=partial(_options, state, activation, shooter),
        happen=partial(_declared, state, activation, shooter),
        cite="GS-C-1",
        unit=shooter.id,
        why=f"an enemy is in its gun field after flight point {_point(activation)}",
        initial=HOLD,
        action="Decide",
    )


def _options(state: State, activation: Activation, shooter: Aircraft) -> list[Option]:
    """No attack, each burst that can be fired, then those that can't, with the reason."""
    free: list[Option] = []
    shut: list[Option] = []
    for target, blocked in _targets(state, activation, shooter):
        if blocked is None:
            free += [
                _shot(state, shooter, target, {"target": target.id, "snap": snap}, snap=snap)
                for snap in (False, True)
            ]
        else:
            value = {"target": target.id, "snap": False}
            shut.append(Option(value, f"Burst at {target.name}", blocked=blocked))
    return [Option(HOLD, "No attack", "not asked again at this point"), *free, *shut]


def _shot(state: State, shooter: Aircraft, target: Aircraft, value: Any, *, snap: bool) -> Option:
    """A burst as an option, with its number and its chances."""
    number, cost = to_hit(state, shooter, target, snap=snap), SNAP if snap else FULL
    adjudicated = state.switches.guns == "adjudicated"
    blocked = burst_blocked(state, shooter, target, snap=snap)
    return Option(
        value,
        f"{'Snap burst' if snap else 'Burst'} at {target.name}",
        detail="the table says what comes of it"
        if adjudicated
        else f"hits on {at_most(number.reach)}",
        cost=f"−{cost:g} of {shooter.o.ammo:g} ammunition",
        cite="GS-C-2",
        odds=None if adjudicated or blocked else _outlook(state, shooter, target, snap=snap),
        blocked=blocked,
        place=target.pos.label,
        terms=number.terms(),
    )


def _outlook(state: State, shooter: Aircraft, target: Aircraft, *, snap: bool) -> Odds:
    """The chances of each damage, before the trigger is pulled."""
    needed = to_hit(state, shooter, target, snap=snap).reach
    rating = rating_against(state, _wound(state, shooter, target, snap=snap))
    return Odds("Damage", attack_chance(needed, rating), words=OUTLOOK)


def attack_chance(needed: int, rating: int) -> Chance:
    """A burst that hits on `needed` or less, with a rating that has all that changes it: -1 a miss, else severity."""

    def outcome(faces: Faces) -> int | Chance:
        return damage_chance(rating) if faces[0] <= needed else -1

    return Chance(ONE_DIE, outcome, ("gunslingers-guns", needed, rating))


def _wound(state: State, shooter: Aircraft, target: Aircraft, *, snap: bool) -> Wound:
    return Wound(
        target=target.id,
        rating=gun_of(state, shooter).rating,
        cause="guns",
        by=shooter.id,
        bonus=-1 if snap else 0,
    )


def _declared(
    state: State, activation: Activation, shooter: Aircraft, choice: Any
) -> GunDeclared | GunHeld:
    if choice == HOLD:
        return GunHeld(shooter.id, _held(activation))
    target, snap = state.aircraft[choice["target"]], bool(choice["snap"])
    facing_it = head_on(shooter, target)
    return GunDeclared(
        burst=_burst(shooter, target, snap=snap),
        key=_fired(activation),
        cost=SNAP if snap else FULL,
        head_on=facing_it,
        returns=facing_it and _may_return(state, target, shooter),
        ramming=facing_it
        and (shooter.pos, shooter.altitude) == (target.pos, target.altitude)
        and state.switches.guns == "house",
    )


def _burst(shooter: Aircraft, target: Aircraft, *, snap: bool) -> Burst:
    return Burst(shooter=shooter.id, target=target.id, reach=reach(shooter, target) or 0, snap=snap)


# Fire in return, the rolls, a collision (GS-C-2, GS-C-4).


def _may_return(state: State, target: Aircraft, shooter: Aircraft) -> bool:
    """GS-C-4: shots left, the other in sight, and a shot at him as any other (GS-C-1)."""
    return (
        gun_blocked(state, target) is None
        and sights(target, shooter)
        and aim_blocked(state, target, shooter) is None
    )


def _under_way(state: State, fire: GunFire) -> Todo:
    first = fire.bursts[0]
    if not fire.answered:
        return _ask_return(state, state.aircraft[first.target], state.aircraft[first.shooter])
    for burst in fire.bursts:
        if burst.hit is None:
            if state.switches.guns == "adjudicated":
                attack = Attack(target=burst.target, shooter=burst.shooter)
                return asking.todo(state, attack, state.aircraft[burst.shooter], "GS-C-1")
            return _roll(state, burst)
    return _collision(state, fire)


def _ask_return(state: State, target: Aircraft, shooter: Aircraft) -> Decision:
    return Decision(
        id=f"return-fire:{target.id}",
        seat=target.side,
        title=f"{target.name}: fire back at {shooter.name}?",
        options=partial(_return_options, state, target, shooter),
        happen=partial(_returned, target, shooter),
        cite="GS-C-4",
        unit=target.id,
        why=f"{shooter.name} attacks head-on; both shots count before damage",
        initial=HOLD,
        action="Decide",
    )


def _return_options(state: State, target: Aircraft, shooter: Aircraft) -> list[Option]:
    return [
        Option(HOLD, "Hold fire"),
        _shot(state, target, shooter, "full", snap=False),
        _shot(state, target, shooter, "snap", snap=True),
    ]


def _returned(target: Aircraft, shooter: Aircraft, choice: Any) -> ReturnFire:
    if choice == HOLD:
        return ReturnFire(target.id, shooter.id)
    snap = choice == "snap"
    burst = _burst(target, shooter, snap=snap)
    return ReturnFire(target.id, shooter.id, burst, SNAP if snap else FULL)


def _roll(state: State, burst: Burst) -> Roll:
    shooter, target = state.aircraft[burst.shooter], state.aircraft[burst.target]

    def happen(roll: Thrown) -> BurstRolled:
        return BurstRolled(
            shooter=shooter.id,
            target=target.id,
            snap=burst.snap,
            reach=burst.reach,
            roll=roll,
            wound=_wound(state, shooter, target, snap=burst.snap) if roll.made else None,
        )

    return check(
        to_hit(state, shooter, target, snap=burst.snap),
        happen,
        id=f"burst:{shooter.id}",
        seat=shooter.side,
        title=f"{shooter.name} fires at {target.name}",
        cite="GS-C-2",
        unit=shooter.id,
        odds="Hits",
        secret="crew and damage",
        why=f"{'snap burst' if burst.snap else 'burst'} at range {burst.reach}",
    )


def _collision(state: State, fire: GunFire) -> Roll:
    shooter, target = (
        state.aircraft[one] for one in (fire.bursts[0].shooter, fire.bursts[0].target)
    )
    return check(
        COLLISION,
        lambda roll: CollisionRolled(
            shooter.id, target.id, roll.face, collision(roll, shooter, target)
        ),
        id=f"ram:{shooter.id}",
        seat=shooter.side,
        title=f"{shooter.name} and {target.name}: collision?",
        cite="GS-C-4",
        unit=shooter.id,
        odds="They collide",
        good=False,
        why="head-on at one place and level",
    )
