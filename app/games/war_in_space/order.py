"""The order of movement (MO): who spends movement energy, and who moves, after whom.

Belongs here: the order, its ties, and the words for a place in it. It is made anew for each of the two
uses, since speeds change between them (WIS-MO-4), and stands from then on.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from app.engine.dice import Pool
from app.engine.sequence import Effect, Roll
from app.games.war_in_space.events import OrderSet, Purpose, TieRolled
from app.games.war_in_space.model import Place, Ship, State
from app.games.war_in_space.words import CREWS

First = Literal["", "more", "equal"]


class OpenTie(Struct, frozen=True):
    """Ships that could all take the next place, of which a die must choose one (WIS-MO-3)."""

    place: int
    ships: tuple[str, ...]


def todo(state: State, purpose: Purpose, step: str) -> Roll | Effect:
    """What the order of this use needs next: a die for a tie, or else the fact that it is set."""
    made = arranged(state)
    if isinstance(made, OpenTie):
        return _roll(state, purpose, step, made)
    title = "Order of movement" if purpose == "movement" else "Order of spending"
    return Effect(OrderSet(purpose, made), "WIS-MO-2", title, step=step)


def arranged(state: State) -> tuple[Place, ...] | OpenTie:
    """WIS-MO-1 to WIS-MO-4 for the ships on the board now, with the ties that dice have broken so far."""
    waiting = {seat: [s for s in state.fighting() if s.seat == seat] for seat in state.sides}
    drawn = {tie.place: tie.ship for tie in state.ties}
    places: list[Place] = []
    first = _first(list(waiting.values()))
    turn = first[0].seat if first else ""
    while any(waiting.values()):
        if not waiting[turn]:
            turn = _other(state, turn)
        able = first if not places else waiting[turn]
        lowest = min(_key(ship) for ship in able)
        tied = [ship for ship in able if _key(ship) == lowest]
        number = len(places)
        if len(tied) > 1 and number not in drawn:
            return OpenTie(number, tuple(ship.id for ship in tied))
        ship = state.ships[drawn[number]] if len(tied) > 1 else tied[0]
        places.append(_place(ship, able, tied, _begins(waiting) if not places else ""))
        waiting[ship.seat].remove(ship)
        turn = _other(state, ship.seat)
    return tuple(places)


def _first(sides: Sequence[list[Ship]]) -> list[Ship]:
    """WIS-MO-1: those who could be the first: of the side with more ships, or, at equal numbers, of both."""
    most = max(len(side) for side in sides)
    return [ship for side in sides if len(side) == most for ship in side]


def _begins(waiting: dict[str, list[Ship]]) -> Literal["more", "equal"]:
    return "equal" if len({len(side) for side in waiting.values()}) == 1 else "more"


def _other(state: State, seat: str) -> str:
    return next((other for other in state.sides if other != seat), seat)


def _key(ship: Ship) -> tuple[int, int, int]:
    """WIS-MO-2 and WIS-MO-3: the least experienced, then the slowest, then the largest."""
    return ship.experience, ship.speed, -ship.size


def _place(ship: Ship, able: list[Ship], tied: list[Ship], first: First) -> Place:
    mine = _key(ship)
    # What was compared last among the ships that could have this place: the others differ in it.
    shared = max((_shared(mine, _key(o)) for o in able if o is not ship), default=-1)
    by = "die" if len(tied) > 1 else ("crew", "speed", "size")[shared] if shared >= 0 else "alone"
    return Place(ship=ship.id, crew=ship.crew, speed=ship.speed, size=ship.size, by=by, first=first)


def _shared(one: tuple[int, int, int], two: tuple[int, int, int]) -> int:
    """How many of the leading values two keys share."""
    return next((n for n in range(3) if one[n] != two[n]), 2)


def _roll(state: State, purpose: Purpose, step: str, tie: OpenTie) -> Roll:
    """WIS-MO-3: one die with a side for each of the tied ships, thrown for the first one's owner."""
    first = state.ships[tie.ships[0]]
    named = ", ".join(state.ships[ship].name for ship in tie.ships)
    return Roll(
        id=f"tie:{state.turn}:{purpose}:{tie.place}",
        seat=first.seat,
        title=f"Place {tie.place + 1} in the order: roll between {named}",
        pool=Pool(1, len(tie.ships)),
        happen=partial(tie_rolled, purpose, tie),
        cite="WIS-MO-3",
        why="same experience, speed and size",
        step=step,
    )


def tie_rolled(purpose: Purpose, tie: OpenTie, faces: tuple[int, ...]) -> TieRolled:
    """WIS-MO-3: the face is the number of the ship, from 1, in the order of the list of units."""
    return TieRolled(purpose, tie.place, tie.ships[faces[0] - 1], tie.ships, faces[0])


def reason(place: Place) -> str:
    """Why a ship has its place, in a few words."""
    crew = f"{CREWS[place.crew]} crew"
    begins = {
        "more": "more ships, so its side begins; ",
        "equal": "first of both sides; ",
        "": "",
    }[place.first]
    return (
        begins
        + {
            "alone": "the last of its side",
            "crew": f"{crew}, least experienced",
            "speed": f"slowest {crew}, speed {place.speed}",
            "size": f"{crew}, same speed, largest: Size Class {place.size}",
            "die": f"{crew}, same speed and size, by die",
        }[place.by]
    )
