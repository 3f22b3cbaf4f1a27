"""The Air to Air Missile Launch Phase (GS-AAM): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`), who may launch (`launch`).

In fog, whether a side could launch would tell whom it sees. So each is asked under seal in every turn whether anybody is
to launch, also when nobody can, and only then aircraft by aircraft.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from app.engine.chance import Chance, Faces, Odds
from app.engine.dice import Pool
from app.engine.secret import Secret
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Todo
from app.games.gunslingers.checks import ONE_DIE, at_most, thrown
from app.games.gunslingers.decisions.wishes import GUIDED_BY_RADAR
from app.games.gunslingers.guns.hits import OUTLOOK
from app.games.gunslingers.missiles.attack import attack_chance
from app.games.gunslingers.missiles.facts import (
    ExtraChosen,
    LaunchDeclared,
    LaunchesListed,
    LaunchesOpened,
    LaunchRolled,
    LegalShot,
)
from app.games.gunslingers.missiles.launch import (
    carried,
    last_mover_first,
    launch_number,
    may_launch,
    shots,
)
from app.games.gunslingers.model import Aircraft, Missile, MissileCard, State, Volley, nobodys
from app.games.gunslingers.radar.receivers import hears
from app.games.gunslingers.steps import Step, phase

HOLD, OPEN = "hold", "open"
MOST_ATTEMPTS = 2
"""Launches that an aircraft may declare in a turn (GS-T-13)."""


def _list(state: State) -> Todo:
    """GS-AAM-1: the legal launches of each side."""
    for side in state.sides:
        found = tuple(_legal(state, side))
        if found and side not in state.done:
            event = LaunchesListed(side, Secret(found, (side,)))
            return Effect(event, "GS-AAM-1", "Legal launches", side)
    return None


def _legal(state: State, side: str) -> Iterator[LegalShot]:
    for shooter in state.flying(side):
        if shooter.free:
            for target, card, _, blocked in shots(state, shooter):
                if blocked is None:
                    yield LegalShot(shooter.id, target.id, card.id)


def _launch(state: State) -> Todo:
    """GS-AAM-2: each free aircraft, last mover first, declares up to two launches and rolls for each."""
    if state.foggy and all(any(state.flying(side)) for side in state.sides):
        asked = tuple(_ask_open(state, side) for side in state.sides if not _answered(state, side))
        if asked:
            return asked
    for shooter in last_mover_first(state):
        volley = state.volleys.get(shooter.id)
        if volley is not None and volley.rolled < volley.declared:
            return _roll(state, shooter, volley)
        if state.foggy and f"open:{shooter.side}" not in state.done:
            continue
        if volley is None and shooter.id not in state.done and may_launch(state, shooter):
            return _declare(state, shooter)
    return None


def _again(state: State) -> Todo:
    """GS-AAM-3: whoever failed with all launches may try one more, of the same type (GS-AAM-2b)."""
    for shooter in last_mover_first(state):
        volley = state.volleys.get(shooter.id)
        if volley is None or volley.failed < volley.declared or volley.rolled > volley.declared:
            continue
        if volley.extra:
            return _roll(state, shooter, volley)
        if volley.extra is None and _count(state, shooter, volley):
            return _ask_again(state, shooter, volley)
    return None


def _count(state: State, shooter: Aircraft, volley: Volley) -> int:
    """How many missiles of a volley's type are left."""
    return sum(count for card, count in carried(state, shooter) if card.id == volley.missile.value)


def _card(state: State, volley: Volley) -> MissileCard:
    if volley.missile.value is None:
        raise LookupError("the type of this missile is hidden here")
    return state.missile_cards[volley.missile.value]


# Whether to launch at all, in fog (GS-4-F1).


def _answered(state: State, side: str) -> bool:
    return f"open:{side}" in state.done or f"shut:{side}" in state.done


def _ask_open(state: State, side: str) -> Decision:
    return Decision(
        id=f"launches:{side}",
        seat=side,
        title="Does anybody launch missiles?",
        options=partial(_open_options, state, side),
        happen=lambda choice: LaunchesOpened(side, Secret(choice == OPEN, (side,))),
        cite="GS-AAM-2",
        why="both sides in secret, in every turn",
        sealed=True,
        initial=HOLD,
        action="Decide",
    )


def _open_options(state: State, side: str) -> Sequence[Option]:
    able = [one for one in state.flying(side) if may_launch(state, one)]
    nobody = Blocked("no aircraft has a legal launch", "GS-C-20")
    return (
        Option(HOLD, "No launch"),
        Option(
            OPEN,
            "Launch",
            ", ".join(one.name for one in able),
            cite="GS-AAM-2",
            blocked=None if able else nobody,
        ),
    )


# Declaring (GS-AAM-2).


def _declare(state: State, shooter: Aircraft) -> Decision:
    return Decision(
        id=f"launch:{shooter.id}",
        seat=shooter.side,
        title=f"{shooter.name}: launch missiles?",
        options=partial(_options, state, shooter),
        happen=partial(_declared, shooter),
        cite="GS-AAM-2",
        unit=shooter.id,
        why="the last to have moved launches first",
        initial=HOLD,
        then="What one missile would do from here",
        action="Decide",
    )


def _options(state: State, shooter: Aircraft) -> Sequence[Option]:
    """No launch, each legal one with one and two attempts, then the others with the reason."""
    free: list[Option] = []
    shut: list[Option] = []
    for target, card, count, blocked in shots(state, shooter):
        if blocked is None:
            free += [
                _launch_option(state, shooter, target, card, count, attempts)
                for attempts in range(1, MOST_ATTEMPTS + 1)
            ]
        else:
            value = {"target": target.id, "missile": card.id, "attempts": 1}
            label = f"{card.name} at {target.name}"
            shut.append(Option(value, label, blocked=blocked, group=target.name))
    return [Option(HOLD, "No launch"), *free, *shut]


def _launch_option(
    state: State,
    shooter: Aircraft,
    target: Aircraft,
    card: MissileCard,
    count: int,
    attempts: int,
) -> Option:
    number = launch_number(state, shooter, target, card)
    few = Blocked(f"it has {count} left", "GS-AAM-2") if count < attempts else None
    return Option(
        {"target": target.id, "missile": card.id, "attempts": attempts},
        f"{attempts} × {card.name} at {target.name}",
        detail=f"each leaves on {at_most(number.reach)}",
        cost=f"−{attempts} of {count}",
        cite="GS-C-21",
        odds=Odds("Missiles in flight", launches_chance(number.reach, attempts)),
        blocked=few,
        place=target.pos.label,
        then=partial(_outlook, state, shooter, target, card),
        group=target.name,
        terms=number.terms(),
    )


def launches_chance(reach: int, attempts: int) -> Chance:
    """How many of so many attempts succeed, each on `reach` or less."""

    def outcome(faces: Faces) -> int:
        return sum(face <= reach for face in faces)

    return Chance(Pool(attempts, 10), outcome, ("gunslingers-launches", reach, attempts))


def _outlook(
    state: State, shooter: Aircraft, target: Aircraft, card: MissileCard
) -> Sequence[tuple[str, Odds]]:
    """What a missile would do that is in flight and attacked at once; what the target does next is open."""
    missile = _fresh(state, shooter, target, card)
    odds = Odds("Damage", attack_chance(state, missile), words=OUTLOOK)
    return ((f"{card.name}, if it attacked now", odds),)


def _fresh(state: State, shooter: Aircraft, target: Aircraft, card: MissileCard) -> Missile:
    """A missile that has just left its rail (GS-C-22): in the shooter's place, on its heading."""
    return Missile(
        id=nobodys(state, f"missile-{state.missiles_fired + 1}"),
        side=shooter.side,
        card=Secret(card.id, (shooter.side,)),
        shooter=shooter.id,
        target=target.id,
        pos=shooter.pos,
        altitude=shooter.altitude,
        facing=shooter.facing,
        speed=Secret(card.speed, (shooter.side,)),
        left=Secret(card.turns, (shooter.side,)),
        launched=state.turn,
    )


def _declared(shooter: Aircraft, choice: Any) -> LaunchDeclared:
    if choice == HOLD:
        return LaunchDeclared(shooter.id, None)
    missile = Secret(choice["missile"], (shooter.side,))
    volley = Volley(target=choice["target"], missile=missile, declared=choice["attempts"])
    return LaunchDeclared(shooter.id, volley)


# The rolls, and another attempt (GS-C-21, GS-AAM-3).


def _roll(state: State, shooter: Aircraft, volley: Volley) -> Roll:
    target = state.aircraft[volley.target]
    return Roll(
        id=f"launch:{shooter.id}:{volley.rolled + 1}",
        seat=shooter.side,
        title=f"{shooter.name} launches at {target.name}",
        pool=ONE_DIE,
        happen=partial(_rolled, state, shooter, volley),
        cite="GS-C-21",
        unit=shooter.id,
        # No odds and no rows: they would tell the enemy the missile's type. Its own side read them when it chose.
        why=f"attempt {volley.rolled + 1}",
    )


def _rolled(
    state: State, shooter: Aircraft, volley: Volley, faces: tuple[int, ...]
) -> LaunchRolled:
    target, card = state.aircraft[volley.target], _card(state, volley)
    roll = thrown(launch_number(state, shooter, target, card), faces[0], shooter.side)
    return LaunchRolled(
        shooter=shooter.id,
        target=target.id,
        spent=volley.missile,
        face=faces[0],
        roll=Secret(roll, (shooter.side,)),
        heard=roll.made and card.seeker in GUIDED_BY_RADAR and hears(state, target),
        missile=_fresh(state, shooter, target, card) if roll.made else None,
    )


def _ask_again(state: State, shooter: Aircraft, volley: Volley) -> Decision:
    return Decision(
        id=f"launch-again:{shooter.id}",
        seat=shooter.side,
        title=f"{shooter.name}: another attempt?",
        options=partial(_again_options, state, shooter, volley),
        happen=lambda choice: ExtraChosen(shooter.id, choice == "yes"),
        cite="GS-AAM-3",
        unit=shooter.id,
        why="all of its launches failed",
        action="Decide",
    )


def _again_options(state: State, shooter: Aircraft, volley: Volley) -> Sequence[Option]:
    target, card = state.aircraft[volley.target], _card(state, volley)
    number = launch_number(state, shooter, target, card)
    return (
        Option(
            "yes",
            f"Launch another {card.name} at {target.name}",
            detail=f"it leaves on {at_most(number.reach)}",
            cost=f"−1 of {_count(state, shooter, volley)}",
            odds=number.odds("In flight"),
            cite="GS-AAM-3",
            terms=number.terms(),
        ),
        Option("no", "No launch"),
    )


PHASE = phase(
    "launch",
    "Air to Air Missile Launch",
    (
        Step("GS-AAM-1", "Legal launches", _list),
        Step("GS-AAM-2", "Launches", _launch),
        Step("GS-AAM-3", "Another attempt", _again),
    ),
    "GS-AAM-1",
)
