"""Ways to fly a mission: what is fired at MiGs, what at targets, and how much is kept for them.

Belongs here: policies as data, and what they choose. Bots play by them, and `foresight` tells what comes
of one. Does not belong here: what is allowed; that is offered by `migs` and `bombing`.
"""

from typing import NamedTuple

from msgspec import Struct

from app.games.f14_tomcats.model import State, Stores, Weapon


class Load(NamedTuple):
    """The weapons on board; chaff is no weapon."""

    amraam: int
    sidewinder: int
    cannon: int
    maverick: int

    def without(self, weapon: Weapon) -> "Load":
        """One less."""
        amraam, sidewinder, cannon, maverick = self
        if weapon == "amraam":
            return Load(amraam - 1, sidewinder, cannon, maverick)
        if weapon == "sidewinder":
            return Load(amraam, sidewinder - 1, cannon, maverick)
        if weapon == "cannon":
            return Load(amraam, sidewinder, cannon - 1, maverick)
        return Load(amraam, sidewinder, cannon, maverick - 1)


class Policy(Struct, frozen=True):
    """Missiles first at MiGs, then the gun; Mavericks first at targets, then the gun.

    `reserve` bursts are not fired at MiGs while a target is still to come or stands below; unless it
    `frees` them, not afterwards either. With `strafes` a target is attacked until it is destroyed or
    nothing is left; else with Mavericks only. In a team each pilot shoots at those MiGs that come for him.
    """

    reserve: int = 3
    strafes: bool = True
    frees: bool = True

    def at_migs(self, load: Load, target_ahead: bool) -> Weapon | None:
        """The next shot at MiGs, or None to stop."""
        if load.amraam:
            return "amraam"
        if load.sidewinder:
            return "sidewinder"
        kept = self.reserve if target_ahead or not self.frees else 0
        return "cannon" if load.cannon > kept else None

    def at_target(self, load: Load) -> Weapon | None:
        """What is fired on the next pass, or None to fly on."""
        if load.maverick:
            return "maverick"
        return "cannon" if load.cannon and self.strafes else None


STEADY = Policy(reserve=3)
BOLD = Policy(reserve=6)
CAREFUL = Policy(reserve=0, strafes=False)


def load_of(stores: Stores) -> Load:
    """The weapons of a jet's stores."""
    return Load(stores.amraam, stores.sidewinder, stores.cannon, stores.maverick)


def target_ahead(state: State) -> bool:
    """Whether a target still stands on the way, or below, that has not been left behind."""
    return any(
        target.waypoint >= state.waypoint and not target.destroyed and not target.left_behind
        for target in state.targets
    )
