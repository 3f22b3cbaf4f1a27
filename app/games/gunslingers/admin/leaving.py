"""Who may leave the fight, and on what number (GS-ADM-5a).

Belongs here: the conditions, those that a side knows and those that only its enemy does. Does not belong here: when
it is asked (`phase`). Off the map's edge nobody has to ask.
"""

from collections.abc import Iterator

from app.engine.sequence import Blocked
from app.games.gunslingers.checks import Number
from app.games.gunslingers.geometry import slant
from app.games.gunslingers.model import Aircraft, State

UNSEEN_ON, SEEN_ON = 8, 6
NEAR = 10
"""Within so many hexes of an enemy, an aircraft in sight can't leave."""


def stays(state: State, side: str) -> bool:
    """Whether a side stays until shots fall, none have fallen since it said so, and no aircraft would leave now."""
    would_leave = any(one.o.leaves for one in state.flying(side))
    return side in state.staying and not would_leave and not fought(state, side)


def fought(state: State, side: str) -> bool:
    """Whether one of a side's aircraft has fired or been fired at this turn."""
    fired = any(one.gun_shots or one.launches for one in state.flying(side))
    return fired or any(
        state.aircraft[target].side == side
        for target in (
            *(shot.target for shot in state.shots if shot.turn == state.turn),
            *(one.target for one in state.missiles.values() if one.launched == state.turn),
        )
    )


def lapsed(state: State) -> tuple[str, ...]:
    """The sides that are to be asked again from the next turn on, for shots have fallen since they said they stay."""
    return tuple(
        side for side, turn in state.staying.items() if turn < state.turn and fought(state, side)
    )


def leaving_blocked(state: State, one: Aircraft) -> Blocked | None:
    """Why an aircraft can't try to leave, as far as its own side knows."""
    blocked = _openly_blocked(state, one)
    if blocked is not None:
        return blocked
    if in_sight(state, one) and any(_known(state, one, enemy) for enemy in _near(state, one)):
        return Blocked(f"in sight, and an enemy is within {NEAR} hexes", "GS-ADM-5a")
    return None


def _openly_blocked(state: State, one: Aircraft) -> Blocked | None:
    """What keeps it that everybody knows."""
    if not state.leaving:
        return Blocked("this scenario does not allow it", "GS-ADM-5a")
    if one.condition != "normal":
        return Blocked(f"it is {one.condition}", "GS-ADM-5a")
    if one.gun_shots or one.launches:
        return Blocked("it has attacked this turn", "GS-ADM-5a")
    return None


def may_ask(state: State, one: Aircraft) -> bool:
    """Whether its side is asked about it: by what everybody knows, for the question is seen by all.

    In fog that does not take in whom its side knows to be near.
    """
    if state.switches.fog == "table":
        return leaving_blocked(state, one) is None
    return _openly_blocked(state, one) is None


def alone(state: State, side: str) -> bool:
    """Whether no enemy is left in the fight. In fog a side can't tell that there never was one."""
    if any(state.enemies(side)):
        return False
    return state.switches.fog == "table" or any(one.side != side for one in state.aircraft.values())


def in_sight(state: State, one: Aircraft) -> bool:
    """Whether the enemy has it in sight; where none is left, nobody has."""
    return state.other(one.side) in one.sighted_by and any(state.enemies(one.side))


def _near(state: State, one: Aircraft) -> Iterator[Aircraft]:
    for enemy in state.enemies(one.side):
        if slant(one.pos, one.altitude, enemy.pos, enemy.altitude) <= NEAR:
            yield enemy


def _known(state: State, one: Aircraft, enemy: Aircraft) -> bool:
    """Whether a side knows where an enemy is."""
    return (
        state.switches.fog == "table"
        or one.side in enemy.sighted_by
        or any(enemy.id in (*own.o.contacts, *own.o.locks) for own in state.flying(one.side))
    )


def refusal(state: State, one: Aircraft) -> str:
    """What the enemy then says that the side did not know; "" where nothing keeps it."""
    enemies = tuple(state.enemies(one.side))
    if in_sight(state, one):
        if any(one.id in enemy.o.locks for enemy in enemies):
            return "a radar is locked on it"
        return "an enemy is near" if any(_near(state, one)) else ""
    held = any(one.id in (*enemy.o.contacts, *enemy.o.locks) for enemy in enemies)
    return "a radar has it" if held else ""


def leaving_number(state: State, one: Aircraft) -> Number:
    """The number of the roll."""
    return Number(SEEN_ON if in_sight(state, one) else UNSEEN_ON)
