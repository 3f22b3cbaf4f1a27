"""From where a target is attacked, and whether the shooter has it in view.

Belongs here: what gun attacks and missiles both ask of the places of two. Does not belong here: modifiers.
"""

from app.games.gunslingers.geometry import (
    Pos,
    angle_off,
    faster_forward,
    on_nose_line,
    on_tail_line,
    same_place_angle,
)
from app.games.gunslingers.model import Aircraft, State
from app.games.gunslingers.sighting import numbers as eyes


def attack_arc(state: State, target: Aircraft, pos: Pos, facing: int, speed: float) -> int:
    """The arc of the target from which something attacks it: 30 to 180, 0 on its tail line (GS-G-13 to GS-G-15).

    Args:
        target: who is attacked.
        pos: where the attacker is, with its `facing` and `speed`.
    """
    if pos == target.pos:
        return same_place_angle(target.facing, facing)
    about = target.pos
    if state.switches.border == "faster-forward":
        about, pos = faster_forward(about, target.facing, target.speed, pos, facing, speed)
    if pos == about or on_tail_line(about, target.facing, pos):
        return 0
    return angle_off(about, target.facing, pos, sensor=False)


def head_on(one: Aircraft, other: Aircraft) -> bool:
    """Whether each is on the other's 180 line (GS-C-4, GS-G-15)."""
    if one.pos == other.pos:
        return same_place_angle(one.facing, other.facing) == 180
    return on_nose_line(one.pos, one.facing, other.pos) and on_nose_line(
        other.pos, other.facing, one.pos
    )


def in_view(state: State, one: Aircraft, other: Aircraft) -> bool:
    """Whether a crew could see another aircraft itself: near enough, and not in a blind arc (GS-VIS-11).

    Straight below is blind, unless this crew keeps it padlocked (GS-VIS-9b).
    """
    if eyes.sighting_range(one, other) > eyes.EYE * eyes.visibility(state, other):
        return False
    if eyes.straight_below(one, other):
        return one.id in other.padlocked_by
    return eyes.can_search(one) and not eyes.in_blind_arc(state, one, other)


def views(state: State, one: Aircraft) -> tuple[str, ...]:
    """The enemies that a crew has in view now: what `Own.saw` keeps when its move begins (GS-VIS-11)."""
    return tuple(
        other.id
        for other in state.enemies(one.side)
        if eyes.sights(one, other) and in_view(state, one, other)
    )
