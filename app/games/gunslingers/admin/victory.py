"""Points (section 8.1): what a side has from the damage to the other's aircraft.

Belongs here: points. Does not belong here: whether the game is over (`ending`).
"""

from collections.abc import Mapping

from app.games.gunslingers.model import Aircraft, Damage, State

_COLUMN: Mapping[Damage, int] = {"K": 0, "C": 1, "H": 2, "2L": 3, "L": 3}
"""Where a card's points for damage stand: killed, crippled, heavy, light."""


def worth(state: State, aircraft: Aircraft) -> int:
    """What the enemy has from an aircraft: by its card, for its damage. A crash counts as a kill."""
    lost = aircraft.status in ("killed", "crashed")
    damage: Damage = "K" if lost else aircraft.o.damage
    return state.card(aircraft).vp[_COLUMN[damage]] if damage else 0


def points(state: State) -> Mapping[str, int]:
    """Each side's points."""
    return {
        side: sum(worth(state, one) for one in state.aircraft.values() if one.side != side)
        for side in state.sides
    }
