"""How the ace asks the rules: about stand-in jets that differ from each other in what is asked, and no more.

So a table can be made of the answers once, and no number of the rules is written down a second time.
"""

from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from app.engine.game import Exact
from app.engine.hexes import Hex
from app.games.osaaf.energy import NO_MANOEUVRE
from app.games.osaaf.model import Aircraft, Energy, Jet, Maneuverability, Stores, Weapon
from app.games.osaaf.movement import turn_chance


def chances(exact: Exact, chance: Any) -> dict[Any, float]:
    """A distribution in floats: quick, and exact enough to choose by."""
    return {result: float(share) for result, share in exact(chance).items()}


CARD = Aircraft(id="x", name="X", maneuverability="low", energy_factor=1, max_speed=9)
_ARMED = replace(
    CARD,
    gun=Weapon("low", 1),
    heat_seeker=Weapon("low", 1),
    radar_missile=Weapon("low", 1),
    toughness=9,
)
STAND_IN = Jet(
    id="x",
    seat="x",
    name="X",
    aircraft=_ARMED,
    skill="regular",
    hex=Hex(0, 0),
    facing=0,
    altitude=5,
    speed=4,
    stores=Stores(1, 1, 1),
)
"""A jet to ask the rules about, where only its stance counts."""


def turns_by(exact: Exact, jet: Jet) -> float:
    """The chance of a turn roll."""
    return _turns_by(exact, jet.aircraft.maneuverability, jet.hard_turns, jet.speed)


@lru_cache(maxsize=1024)
def _turns_by(exact: Exact, maneuverability: Maneuverability, hard_turns: int, speed: int) -> float:
    plan = replace(NO_MANOEUVRE, hard_turns=hard_turns)
    jet = replace(
        STAND_IN,
        aircraft=replace(CARD, maneuverability=maneuverability),
        speed=speed,
        energy=Energy(plan=plan),
    )
    return chances(exact, turn_chance(jet)).get(True, 0.0)
