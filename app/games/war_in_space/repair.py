"""Damage Control (DC): repairs with the energy set aside in Energy Allocation.

Both sides repair at the same time; what one does changes nothing for the other. Belongs here: what can be
repaired and what it costs.
"""

from functools import partial
from typing import Final, Literal

from msgspec.structs import replace

from app.engine.sequence import Blocked, Decision, Option, Todo
from app.games.war_in_space.events import Repaired, RepairsEnded
from app.games.war_in_space.model import SYSTEMS, Ship, State, System
from app.games.war_in_space.words import SYSTEMS as NAMES

HULL_TIMES = 2
"""A Hull box costs so many times a system box (WIS-DC-2)."""
STOP: Final = "stop"


def todo(state: State) -> Todo:
    """WIS-DC-1: each ship with Damage Control energy for a marked box; None once nobody can repair more."""
    open_ = tuple(
        _repair(state, ship)
        for ship in state.fighting()
        if not ship.repaired and can_repair(ship, ship.has("dc"))
    )
    return open_ or None


def cost(ship: Ship, system: System) -> int:
    """WIS-DC-2: Size Class for a system box, twice that for a Hull box."""
    return ship.size * (HULL_TIMES if system == "hull" else 1)


def can_repair(ship: Ship, energy: int) -> bool:
    """Whether so much energy repairs any of its marked boxes."""
    return any(repair_blocked(ship, system, energy) is None for system in SYSTEMS)


def repair_blocked(ship: Ship, system: System, energy: int) -> Blocked | None:
    """Why a box of a system can't be repaired with so much energy (WIS-DC-2)."""
    if ship.marked.of(system) == 0:
        return Blocked("no box of it is marked", "WIS-DC-2")
    price = cost(ship, system)
    if price > energy:
        return Blocked(f"costs {price}, and {energy} is left", "WIS-DC-2")
    return None


def _repair(state: State, ship: Ship) -> Decision:
    energy = ship.has("dc")
    return Decision(
        id=f"repair:{state.turn}:{ship.id}:{energy}",
        seat=ship.seat,
        title="Repair a box",
        options=partial(_options, ship, energy),
        happen=partial(_chosen, ship, energy),
        cite="WIS-DC-1",
        unit=ship.id,
        why=f"{energy} Damage Control energy; repairs count from the next turn",
        action="Repair",
    )


def _options(ship: Ship, energy: int) -> list[Option]:
    options = [
        Option(
            value=system,
            label=f"{NAMES[system]} box",
            detail=f"{ship.marked.of(system)} of {ship.total(system)} marked",
            cost=f"{cost(ship, system)} of {energy} energy",
            cite="WIS-DC-2",
            blocked=repair_blocked(ship, system, energy),
        )
        for system in SYSTEMS
    ]
    return [*options, Option(STOP, "Repair no more", f"{energy} energy is lost", cite="WIS-DC-2")]


def _chosen(ship: Ship, energy: int, choice: System | Literal["stop"]) -> Repaired | RepairsEnded:
    if choice == STOP:
        return RepairsEnded(ship.id, energy)
    system = choice
    price = cost(ship, system)
    after = _after(ship, system)
    over = not can_repair(after, energy - price)
    return Repaired(ship.id, system, price, energy - price, over)


def _after(ship: Ship, system: System) -> Ship:
    return replace(ship, marked=ship.marked.more(system, -1))
