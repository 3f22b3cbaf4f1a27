"""The simple bandit (BA), of this house: a plain flyer for those who want an opponent. Rulebook order.

It is the rulebook's own opponent, so that anybody can play it by hand too. Belongs here: what BA-1 to
BA-8 say, and the plain thing where they are silent. Does not belong here: any cleverness beyond them.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec

from app.engine.game import Bot, Sight
from app.engine.hexes import DIRECTIONS, Hex, distance
from app.games.osaaf.combat import attacks, enemies, in_front, modifiers, weapon_of
from app.games.osaaf.energy import most_refused, trade
from app.games.osaaf.model import LOWEST, Arm, Jet, Maneuverability, Plan, Quality, Side, State
from app.games.osaaf.movement import ahead
from app.games.osaaf.offers import allowed

NEAR = 6
"""As far as it looks for offence and threats (OSAAF-BA-2)."""
EDGE_NEAR = 3
"""So many hexes before the edge it turns away (OSAAF-BA-7)."""
FUEL_KEPT = 3
"""With no more fuel than this it does not light the afterburner (OSAAF-BA-4)."""
ENOUGH_SPEED: Mapping[Maneuverability, int] = {"low": 3, "medium": 4, "high": 4}
"""The Speed above which it refuses gains (OSAAF-BA-6)."""
GRADE: Mapping[Quality, int] = {"low": 1, "medium": 2, "high": 3}
"""A weapon's quality as a number, to add modifiers to (OSAAF-BA-8)."""


def choose(sight: Sight) -> Any:
    """Answer any question of this game."""
    state: State = sight.state
    decision = sight.decision
    jet = state.jets[decision.unit or ""]
    match decision.id.partition(":")[0]:
        case "plan":
            return allowed(decision, msgspec.structs.asdict(plan(state, jet)))
        case "altitude":
            # No rule says what to do where the wish is refused: level is the plain thing.
            return allowed(decision, altitude(state, jet), 0)
        case "brakes":
            return allowed(decision, brakes(state, jet))
        case "move":
            # OSAAF-BA-7 knows no aerobatics. Too fast to turn at all, it flies on.
            return allowed(decision, heading(sight, state, jet), "ahead")
        case "fire":
            return allowed(decision, shot(state, jet))
        case _:
            # Leaving the board: OSAAF-BA-1 to OSAAF-BA-8 are silent, and an opponent comes back.
            return allowed(decision, "return")


# Whom it fights (BA-1, BA-2).


def target_of(state: State, jet: Jet) -> Jet | None:
    """OSAAF-BA-1: the nearest enemy on the board; None when all of them are away or out."""
    return min(enemies(state, jet), key=lambda enemy: _nearness(jet, enemy), default=None)


def _nearness(jet: Jet, enemy: Jet) -> tuple[int, int, str]:
    return distance(jet.hex, enemy.hex), abs(jet.altitude - enemy.altitude), enemy.id


def _bears_on(jet: Jet, other: Jet) -> bool:
    """OSAAF-BA-2: whether one has the other in its front arc within 6 hexes."""
    return distance(jet.hex, other.hex) <= NEAR and in_front(jet, other)


def on_offence(jet: Jet, target: Jet | None) -> bool:
    """OSAAF-BA-2."""
    return target is not None and _bears_on(jet, target)


def threatened(state: State, jet: Jet) -> bool:
    """OSAAF-BA-2."""
    return any(_bears_on(enemy, jet) for enemy in enemies(state, jet))


# Energy Management (BA-3 to BA-6).


def plan(state: State, jet: Jet) -> Plan:
    """OSAAF-BA-3 and OSAAF-BA-4 together: both are declared at once."""
    turns, jink, aim = manoeuvres(state, jet)
    lit = lights_up(state, jet, manoeuvred=bool(turns or jink or aim))
    return Plan(turns, jink, aim, lit)


def manoeuvres(state: State, jet: Jet) -> tuple[int, bool, bool]:
    """OSAAF-BA-3: hard turns, jink and aim. With nobody on the board to fight, none."""
    target = target_of(state, jet)
    if target is None or jet.stalled or jet.speed < 2:
        return 0, False, False
    aim = on_offence(jet, target)
    jink = not aim and threatened(state, jet)
    if in_front(jet, target):
        return 0, jink, aim
    return 1 if jink or jet.speed < 4 else 2, jink, aim


def lights_up(state: State, jet: Jet, *, manoeuvred: bool) -> bool:
    """OSAAF-BA-4. Where fuel is not counted it never runs short."""
    if not jet.aircraft.afterburner:
        return False
    if state.rulings.fuel == "on" and jet.fuel <= FUEL_KEPT:
        return False
    return jet.speed <= (3 if manoeuvred else 2)


def altitude(state: State, jet: Jet) -> int:
    """OSAAF-BA-5: levels to climb, or to dive (below 0), the first case that holds."""
    left = jet.energy.dragged or 0
    if jet.stalled:
        return _out_of_stall(jet, left)
    if left <= 1 and jet.altitude > 2:
        return -1
    target = target_of(state, jet)
    higher = target is not None and target.altitude > jet.altitude
    if left >= 4 and jet.altitude < jet.aircraft.ceiling and (higher or jet.altitude < 4):
        return 1
    far_below = target is not None and target.altitude <= jet.altitude - 2
    return -1 if far_below and jet.altitude > 3 else 0


def _out_of_stall(jet: Jet, left: int) -> int:
    """OSAAF-BA-5, its first case. At Altitude 1 there is nothing to dive into."""
    wished = 1 if left >= 0 else 2
    return -min(wished, jet.altitude - LOWEST)


def brakes(state: State, jet: Jet) -> int:
    """OSAAF-BA-6: how much of its gains it refuses; it can't refuse more than it gained."""
    known = jet.energy
    speed = (known.dragged or 0) + trade(known.change or 0)
    above = speed - ENOUGH_SPEED[jet.aircraft.maneuverability]
    return max(0, min(most_refused(state.rulings, known), above))


# Movement (BA-7).


def heading(sight: Sight, state: State, jet: Jet) -> Side | str:
    """OSAAF-BA-7: what it does before the next hex."""
    target = target_of(state, jet)
    if target is not None and not in_front(jet, target):
        return _toward(jet, target) or _by_die(sight)
    # It minds the edge as well when nobody is there to be kept in front.
    if len(ahead(state.board, jet.hex, jet.facing, EDGE_NEAR)) < EDGE_NEAR:
        return _by_die(sight)
    return "ahead"


def _toward(jet: Jet, target: Jet) -> Side | None:
    """The side to which the target lies; None dead astern, and in the same hex, where no side is nearer."""
    nose, offset = DIRECTIONS[jet.facing], target.hex - jet.hex
    across = _across(nose, offset)
    return None if across == 0 else "right" if across > 0 else "left"


def _across(nose: Hex, offset: Hex) -> int:
    """Above 0 to the right of the line through the nose, below 0 to the left."""
    return nose.q * offset.r - nose.r * offset.q


def _by_die(sight: Sight) -> Side:
    """OSAAF-BA-7: 1 to 3 right, 4 to 6 left."""
    return "right" if sight.die(6) <= 3 else "left"


# Combat (BA-8).


def shot(state: State, jet: Jet) -> dict[str, str]:
    """OSAAF-BA-8. It never holds its fire: the question is only asked when there is a shot."""
    legal: list[tuple[Jet, Arm]] = [
        (target, arm) for target, arm, blocked in attacks(state, jet) if blocked is None
    ]
    target, arm = min(legal, key=partial(_preference, jet))
    return {"arm": arm, "target": target.id}


def _preference(jet: Jet, attack: tuple[Jet, Arm]) -> tuple[Any, ...]:
    """The best one sorts first: by quality and modifiers, a missile before the gun, then OSAAF-BA-1."""
    target, arm = attack
    bonus = sum(one.value for one in modifiers(jet, target))
    return (
        -(GRADE[weapon_of(jet, arm).quality] + bonus),
        arm == "gun",
        _nearness(jet, target),
        arm,
    )


BOT = Bot(
    id="bandit",
    title="Bandit",
    summary="Flies by eight plain rules: turns towards the nearest enemy and takes its best shot.",
    choose=choose,
    cite="OSAAF-BA-1",
    formerly=("simple",),
)
