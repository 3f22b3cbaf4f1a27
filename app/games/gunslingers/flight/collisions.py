"""Collisions of those that stand too close when all have moved (GS-FLT-18).

Belongs here: who is too close to whom, and the roll. Does not belong here: damage (guns).
"""

from collections.abc import Iterator

from app.engine.sequence import Roll, Todo
from app.games.gunslingers.checks import Thrown, check
from app.games.gunslingers.flight.facts import StackRolled
from app.games.gunslingers.guns import hits as guns
from app.games.gunslingers.guns.hits import COLLISION, collision
from app.games.gunslingers.model import Aircraft, State

FRIENDS = 3
"""So many friends at one place and level are too many."""


def todo(state: State) -> Todo:
    """GS-FLT-18: a roll for each crowded place, and the damage that comes of it."""
    due = guns.damage(state)
    if due is not None:
        return due
    for last, other in crowded(state):
        key = f"stack:{last.pos.label}:{last.altitude}"
        if key not in state.done:
            return _roll(last, other, key)
    return None


def crowded(state: State) -> Iterator[tuple[Aircraft, Aircraft]]:
    """For each crowded place, who moved into it last, and whom it may hit: an enemy if there is one.

    An aircraft and the one that it tails do not count as enemies here.
    """
    places: dict[object, list[Aircraft]] = {}
    for name in state.movers:
        one = state.aircraft[name]
        if one.flying:
            places.setdefault((one.pos, one.altitude), []).append(one)
    for stack in places.values():
        *others, last = stack
        enemies = [
            (one, other)
            for number, one in enumerate(stack)
            for other in stack[:number]
            if one.side != other.side and not _tails(one, other)
        ]
        friends = [other for other in others if other.side == last.side]
        mine = [other for one, other in enemies if one is last]
        if mine:
            yield last, mine[-1]
        elif enemies:
            yield enemies[-1]
        elif len(friends) + 1 >= FRIENDS:
            yield last, friends[-1]


def _tails(one: Aircraft, other: Aircraft) -> bool:
    return one.tailing == other.id or other.tailing == one.id


def _roll(last: Aircraft, other: Aircraft, key: str) -> Roll:
    def happen(roll: Thrown) -> StackRolled:
        return StackRolled(
            aircraft=last.id,
            other=other.id,
            key=key,
            place=last.pos.label,
            altitude=last.altitude,
            face=roll.face,
            wounds=collision(roll, last, other),
        )

    return check(
        COLLISION,
        happen,
        id=f"{key}:{last.id}",
        seat=last.side,
        title=f"{last.name} and {other.name}: collision?",
        cite="GS-FLT-18",
        unit=last.id,
        odds="They collide",
        good=False,
        why="the last to move into one place and level",
    )
