"""Initiative (IN): the order in which jets manage their energy. Part 2 of the text is missing.

What is known is that there is a low-to-high order (OSAAF-IN-1); the rest is of this house. The turn
also begins here, so a jet that is due back returns first (OSAAF-ED-1), and the sun's edge is rolled for
in the first turn (OSAAF-MV-4).
"""

from collections.abc import Mapping
from functools import partial

from app.engine.dice import Pool
from app.engine.sequence import Effect, Roll, Todo
from app.games.osaaf.events import (
    InitiativeRolled,
    InitiativeTieRolled,
    OrderSet,
    Returned,
    SunRolled,
)
from app.games.osaaf.model import Edge, Jet, Skill, State
from app.games.osaaf.ties import next_to_roll, tied_with

ONE_DIE = Pool(1)

SKILL: Mapping[Skill, int] = {"rookie": 0, "regular": 1, "veteran": 2, "ace": 3}
"""What a pilot's skill adds to the die (OSAAF-IN-2)."""

SUN_EDGES: Mapping[int, Edge] = {1: "N", 2: "E", 3: "S", 4: "W"}
"""The edge of the sun by a die; 5 and 6 are rolled again (OSAAF-MV-4)."""


def todo(state: State) -> Todo:
    """What Initiative has still to do, first thing first; None once the order is set."""
    if state.order is not None:
        return None
    if state.sun is None and not state.night:
        return _sun(state)
    for jet in state.jets.values():
        if jet.status == "away" and jet.back is not None and jet.back <= state.turn:
            back = Returned(jet.id, jet.hex, (jet.facing + 3) % 6)
            return Effect(back, "OSAAF-ED-1", "Back on the board", jet.seat, jet.id)
    if state.rulings.initiative == "off":
        order = tuple(jet.id for jet in state.flying())
        return Effect(OrderSet(order, rolled=False), "OSAAF-IN-1", "Order of Energy")
    return _roll(state) or _set(state)


def _sun(state: State) -> Roll:
    """OSAAF-MV-4: one die for the sun's edge, rolled for the first side."""
    seat = next(iter(state.sides))
    return Roll("sun", seat, "Roll for the sun's edge", ONE_DIE, sun_rolled, "OSAAF-MV-4")


def sun_rolled(faces: tuple[int, ...]) -> SunRolled:
    """OSAAF-MV-4."""
    return SunRolled(faces[0], SUN_EDGES.get(faces[0]))


def _roll(state: State) -> Roll | None:
    """OSAAF-IN-2: one die a jet, then OSAAF-IN-3: the tied ones roll off until no tie is left."""
    for jet in state.flying():
        if not jet.initiative:
            happen = partial(initiative_rolled, jet)
            title = f"{jet.name}: roll for initiative"
            why = f"{jet.skill} pilot: +{SKILL[jet.skill]}"
            return Roll(
                f"initiative:{jet.id}", jet.seat, title, ONE_DIE, happen, "OSAAF-IN-2", jet.id, why
            )
    keys = {jet.id: jet.initiative for jet in state.flying()}
    tied = next_to_roll(keys)
    if tied is None:
        return None
    jet = state.jets[tied]
    others = ", ".join(state.jets[other].name for other in tied_with(keys, tied))
    return Roll(
        f"initiative-tie:{tied}:{len(jet.initiative)}",
        jet.seat,
        f"{jet.name}: roll off the tie",
        ONE_DIE,
        partial(_tie_rolled, tied),
        "OSAAF-IN-3",
        tied,
        f"tied with {others}" if others else "tied",
    )


def initiative_rolled(jet: Jet, faces: tuple[int, ...]) -> InitiativeRolled:
    """OSAAF-IN-2."""
    return InitiativeRolled(jet.id, faces[0], jet.skill, SKILL[jet.skill])


def _tie_rolled(jet: str, faces: tuple[int, ...]) -> InitiativeTieRolled:
    return InitiativeTieRolled(jet, faces[0])


def _set(state: State) -> Effect:
    """OSAAF-IN-1: from low to high."""
    order = tuple(jet.id for jet in sorted(state.flying(), key=lambda jet: jet.initiative))
    return Effect(OrderSet(order, rolled=True), "OSAAF-IN-1", "Order of Energy")
