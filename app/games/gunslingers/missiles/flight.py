"""Missiles in flight, after their target has moved (GS-FLT-11, GS-C-22 to GS-C-26).

Belongs here: what each missile at a target has to do, in its order: guidance and seeker, flight or attack, decoys
first. Does not belong here: numbers (`attack`), geometry (`pursuit`).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal

from app.engine.chance import Odds
from app.engine.secret import Secret
from app.engine.sequence import Decision, Effect, Option, Roll, Todo
from app.games.gunslingers.checks import ONE_DIE, Number, Thrown, check, thrown
from app.games.gunslingers.geometry import slant
from app.games.gunslingers.guns.hits import OUTLOOK, damage
from app.games.gunslingers.missiles.attack import (
    MOST_CLUSTERS,
    attack_chance,
    attack_number,
    card_of,
    decoy_number,
    direct,
    lost,
    may_drop,
    wound,
)
from app.games.gunslingers.missiles.facts import (
    DecoyRolled,
    DecoysDropped,
    MissileAttacked,
    MissileFlew,
    MissileLost,
)
from app.games.gunslingers.missiles.pursuit import Leg, leg
from app.games.gunslingers.missiles.tell import clusters
from app.games.gunslingers.model import Aircraft, Decoys, Missile, State
from app.games.gunslingers.outcomes import asking
from app.games.gunslingers.outcomes.facts import Attack


def after_move(state: State, target: str, rival: str | None = None) -> Todo:
    """What the missiles at a target have to do once it has moved; None when all have done it.

    Damage from one is rolled before the next one moves. What the last one does is left to `guns.damage`.

    Args:
        target: whom they fly at.
        rival: whose missiles wait, because the two are in a shoot-out (see `shoot_out`).
    """
    flying = _waiting(state, target)
    mine = next((missile for missile in flying if missile.shooter != rival), None)
    return None if mine is None else damage(state) or _next(state, mine)


def shoot_out(state: State, one: str, other: str) -> Todo:
    """GS-FLT-15: the missiles between two that have both moved: all attack before any of their damage is rolled."""
    pair = {(one, other), (other, one)}
    between = [
        missile
        for missile in (*_waiting(state, one), *_waiting(state, other))
        if (missile.shooter, missile.target) in pair
    ]
    if not between:
        return None
    earlier = state.shaken or any((each.by, each.target) not in pair for each in state.wounds)
    return (damage(state) if earlier else None) or _next(state, between[0])


def _waiting(state: State, target: str) -> list[Missile]:
    """The missiles at a target that have not moved this turn."""
    missiles = state.missiles.values()
    return [one for one in missiles if one.target == target and not one.moved]


def _next(state: State, missile: Missile) -> Todo:
    if state.switches.missiles == "adjudicated":
        attack = Attack(target=missile.target, missile=missile.id)
        return asking.todo(state, attack, state.aircraft[missile.shooter], "GS-C-22")
    why = lost(state, missile)
    if why:
        return _lost(state, missile, why, "GS-C-22")
    target = state.aircraft[missile.target]
    flown = leg(
        missile.pos,
        missile.altitude,
        missile.speed.value or 0,
        target.pos,
        target.altitude,
        missile.facing,
    )
    if flown is not None:
        return _flies(missile, target, flown)
    number = attack_number(state, missile)
    if number.reach < 1:
        return _lost(state, missile, "no die would hit", "GS-C-23")
    if missile.decoys is None and may_drop(state, missile):
        return _ask_decoys(missile, target)
    return _decoy(state, missile, target) or _attack(state, missile, target, number)


def _lost(state: State, missile: Missile, why: str, cite: str) -> Effect:
    event = MissileLost(missile.id, missile.target, why)
    name = state.aircraft[missile.target].name
    return Effect(event, cite, f"Missile at {name}", missile.side, missile.shooter)


def _flies(missile: Missile, target: Aircraft, flown: Leg) -> Effect:
    """GS-C-22 (d): towards the target, which is out of reach."""
    event = MissileFlew(
        missile=missile.id,
        target=target.id,
        pos=flown.pos,
        altitude=flown.altitude,
        facing=flown.facing,
        away=slant(flown.pos, flown.altitude, target.pos, target.altitude),
        speed=Secret(flown.speed, (missile.side,)),
    )
    return Effect(event, "GS-C-22", f"Missile at {target.name}", missile.side, missile.shooter)


# Decoys (GS-C-26).


def _ask_decoys(missile: Missile, target: Aircraft) -> Decision:
    return Decision(
        id=f"decoys:{missile.id}",
        seat=target.side,
        title=f"{target.name}: drop decoys?",
        options=partial(_decoy_options, target),
        happen=partial(_dropped, missile, target),
        cite="GS-C-26",
        unit=target.id,
        why="a missile attacks it; which decoy tempts that one, only its shooter knows",
        action="Decide",
    )


def _decoy_options(target: Aircraft) -> Sequence[Option]:
    """Up to two clusters of each type that is left. Which type tempts this missile, its target has to guess."""
    stock = target.o.decoys
    return [
        _decoy_option(stock, chaff, flare)
        for chaff in range(min(MOST_CLUSTERS, stock.chaff) + 1)
        for flare in range(min(MOST_CLUSTERS, stock.flare) + 1)
    ]


def _decoy_option(stock: Decoys, chaff: int, flare: int) -> Option:
    dropped = Decoys(chaff, flare)
    spent = ((chaff, stock.chaff, "chaff"), (flare, stock.flare, "flares"))
    return Option(
        {"chaff": chaff, "flare": flare},
        f"Drop {clusters(dropped) or 'nothing'}",
        detail="each cluster rolls to tempt it" if chaff or flare else "",
        cost=", ".join(f"−{count} of {left} {kind}" for count, left, kind in spent if count),
        cite="GS-C-26",
    )


def _dropped(missile: Missile, target: Aircraft, choice: Any) -> DecoysDropped:
    return DecoysDropped(missile.id, target.id, Decoys(choice["chaff"], choice["flare"]))


def _decoy(state: State, missile: Missile, target: Aircraft) -> Todo:
    """The next cluster's roll; those that this missile takes no notice of burn out without one."""
    for kind in _left(missile.decoys or Decoys()):
        number = decoy_number(card_of(state, missile), kind)
        if number.need < 1:
            event = DecoyRolled(missile=missile.id, target=target.id, kind=kind, roll=None)
            title = f"{target.name}: {kind}"
            return Effect(event, "GS-C-26", title, target.side, target.id)
        return check(
            number,
            partial(_decoy_rolled, missile, target, kind),
            id=f"decoy:{missile.id}:{kind}",
            seat=target.side,
            title=f"{target.name}: {kind} against a missile",
            cite="GS-C-26",
            unit=target.id,
            odds="Decoyed",
        )
    return None


def _left(decoys: Decoys) -> Iterator[Literal["chaff", "flare"]]:
    if decoys.chaff:
        yield "chaff"
    if decoys.flare:
        yield "flare"


def _decoy_rolled(
    missile: Missile, target: Aircraft, kind: Literal["chaff", "flare"], roll: Thrown
) -> DecoyRolled:
    return DecoyRolled(missile=missile.id, target=target.id, kind=kind, roll=roll)


# The attack (GS-C-23).


def _attack(state: State, missile: Missile, target: Aircraft, number: Number) -> Roll:
    return Roll(
        id=f"missile:{missile.id}",
        seat=missile.side,
        title=f"Missile at {target.name}",
        pool=ONE_DIE,
        happen=partial(_attacked, state, missile, number),
        cite="GS-C-23",
        unit=missile.shooter,
        why="its target is within its reach",
        odds=Odds("Damage", attack_chance(state, missile), words=OUTLOOK),
        terms=number.terms(),
    )


def _attacked(
    state: State, missile: Missile, number: Number, faces: tuple[int, ...]
) -> MissileAttacked:
    target, roll = state.aircraft[missile.target], thrown(number, faces[0], missile.side)
    straight = roll.made and direct(number, faces[0])
    return MissileAttacked(
        missile=missile.id,
        target=target.id,
        away=slant(missile.pos, missile.altitude, target.pos, target.altitude),
        roll=roll,
        direct=straight,
        wound=wound(missile, card_of(state, missile), direct=straight) if roll.made else None,
    )
