"""Who is advantaged over whom, and what each aircraft is for it (GS-OOF-1).

Belongs here: the 9-6-9 test for a pair, and the categories. Does not belong here: who moves when (`ranks`).
"""

from collections.abc import Iterable, Iterator, Mapping

from app.games.gunslingers import geometry
from app.games.gunslingers.model import Aircraft, Category, State
from app.games.gunslingers.order.facts import Advantage

RANGE = 9
"""Hexes, horizontal (GS-OOF-1a)."""
HIGHER = 6
LOWER = 9
ARC = 150

CATEGORIES: tuple[Category, ...] = ("disadvantaged", "non-advantaged", "advantaged")
"""In the order in which they fly (GS-T-12)."""


def advantages(state: State) -> Iterator[Advantage]:
    """GS-OOF-1: all advantages, in the order of the set-up."""
    for one in state.flying():
        for other in state.enemies(one.side):
            found = advantage(state, one, other)
            if found is not None:
                yield found


def advantage(state: State, one: Aircraft, other: Aircraft) -> Advantage | None:
    """GS-OOF-1a to GS-OOF-1c: the advantage of `one` over an enemy, None where there is none."""
    if not one.free or one.side not in other.sighted_by:
        return None
    levels = other.altitude - one.altitude
    hexes = _hexes(state, one, other)
    if one.tailing is not None:
        return Advantage(one.id, other.id, hexes, levels) if one.tailing == other.id else None
    if one.pos == other.pos or hexes > RANGE or not -LOWER <= levels <= HIGHER:
        return None
    if one.s.flight_type == "VD" and levels > 0:
        return None
    arc = _arc(state, one, other)
    return Advantage(one.id, other.id, hexes, levels, arc) if arc >= ARC else None


def _hexes(state: State, one: Aircraft, other: Aircraft) -> int:
    """How far away the other is: on the map, or by ruling with its levels (GS-OOF-1a)."""
    if state.switches.nine_hexes == "slant":
        return geometry.slant(one.pos, one.altitude, other.pos, other.altitude)
    return geometry.horizontal(one.pos, other.pos)


def _arc(state: State, one: Aircraft, other: Aircraft) -> int:
    """The arc of `one` that the other is in; on a border the one nearer the tail (GS-G-14)."""
    here, there = one.pos, other.pos
    if state.switches.border == "faster-forward":
        here, there = geometry.faster_forward(
            here, one.facing, one.speed, there, other.facing, other.speed
        )
        if here == there:
            return 0
    return geometry.angle_off(here, one.facing, there, sensor=False)


def category(found: Iterable[Advantage], aircraft: str) -> Category:
    """GS-OOF-1b: what an aircraft is by the advantages there are; both over and under others: neither."""
    over = any(each.of == aircraft for each in found)
    under = any(each.over == aircraft for each in found)
    if over == under:
        return "non-advantaged"
    return "advantaged" if over else "disadvantaged"


def bumped(now: Category) -> Category:
    """GS-OOF-1d: one category up."""
    return CATEGORIES[min(CATEGORIES.index(now) + 1, len(CATEGORIES) - 1)]


def reason(state: State, found: Iterable[Advantage], aircraft: Aircraft) -> str:
    """Why an aircraft has its category, in a few words. In fog, those out of sight are not named."""
    over = [_named(state, aircraft, each.over) for each in found if each.of == aircraft.id]
    under = [_named(state, aircraft, each.of) for each in found if each.over == aircraft.id]
    words: list[str] = []
    if over:
        words.append("advantaged over " + _listed(over))
    if under:
        words.append("disadvantaged by " + _listed(under))
    return ", ".join(words) or "no advantage either way"


def named(state: State, found: Iterable[Advantage], aircraft: Aircraft) -> tuple[str, ...]:
    """Whom the reason for an aircraft's category names."""
    others = (
        each.over if each.of == aircraft.id else each.of
        for each in found
        if aircraft.id in (each.of, each.over)
    )
    return tuple(other for other in others if not _out_of_sight(state, aircraft, other))


def _named(state: State, viewer: Aircraft, other: str) -> str:
    if _out_of_sight(state, viewer, other):
        return "an enemy out of sight"
    return state.aircraft[other].name


def _out_of_sight(state: State, viewer: Aircraft, other: str) -> bool:
    """Whether a reason may not say who it is."""
    return state.switches.fog != "table" and viewer.side not in state.aircraft[other].sighted_by


def _listed(names: Iterable[str]) -> str:
    first = list(dict.fromkeys(names))
    return " and ".join((", ".join(first[:-1]), first[-1])) if len(first) > 1 else first[0]


def categories(
    state: State, found: tuple[Advantage, ...], concerned: Iterable[Aircraft]
) -> Mapping[str, Category]:
    """GS-OOF-1b and GS-OOF-1d: the category of each aircraft that is ordered by it."""
    of: dict[str, Category] = {}
    for aircraft in concerned:
        mine = category(found, aircraft.id)
        of[aircraft.id] = bumped(mine) if aircraft.o.bumped else mine
    return of
