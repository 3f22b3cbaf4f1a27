"""Aids that a player can switch on for an aircraft: what its radar covers, where its crew is blind, whom it threatens.

Belongs here: overlays, computed from the rules' own functions. Does not belong here: a rule, or markup.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial

from app.engine.game import Aid, Cell, Exact, Overlay
from app.games.gunslingers.checks import Number
from app.games.gunslingers.geometry import (
    Pos,
    gun_range,
    horizontal,
    in_coverage,
    in_forward,
    parse,
    sighting_range,
)
from app.games.gunslingers.model import Aircraft, Card, State
from app.games.gunslingers.order import advantage
from app.games.gunslingers.sighting.numbers import EYE, range_rows

CREW_RANGE = 8
"""Out to which range blind and restricted arcs are drawn."""

Drawn = Callable[[State, Aircraft, Card], Overlay | None]


def _own_card(draw: Drawn, state: State, unit: str, exact: Exact) -> Overlay | None:
    """What an aid draws of an aircraft whose card the viewer knows; nothing of missiles and of those out."""
    del exact
    aircraft = state.aircraft.get(unit)
    if aircraft is None or not aircraft.flying or aircraft.ident.value is None:
        return None
    return draw(state, aircraft, state.card(aircraft))


def _around(state: State, pos: Pos, reach: int) -> Iterator[Pos]:
    """The hexes of the board within a range, column by column."""
    for place in _hexes(state.board.columns, state.board.rows):
        if horizontal(pos, place) <= reach:
            yield place


@cache
def _hexes(columns: int, rows: int) -> tuple[Pos, ...]:
    return tuple(
        parse(f"{column:02}{row:02}")
        for column in range(1, columns + 1)
        for row in range(1, rows + 1)
    )


def _radar(state: State, aircraft: Aircraft, card: Card) -> Overlay | None:
    """Where its radar searches and tracks at its own level (GS-RAD-2, GS-RAD-4)."""
    radar = card.radar
    if radar is None:
        return None
    cells = tuple(
        Cell(place.label, 0.35 if reach <= radar.track_max else 0.15, "", f"range {reach}")
        for place in _around(state, aircraft.pos, radar.search_max)
        if place != aircraft.pos
        and in_coverage(aircraft.pos, aircraft.facing, place, radar.arc, sensor=True)
        and (reach := horizontal(aircraft.pos, place)) <= radar.search_max
    )
    detail = (
        f"Arc {radar.arc}, out to {radar.search_max}; darker: it can lock, out to {radar.track_max}. "
        "Each two levels of difference count as one more."
    )
    return Overlay("Radar", cells, detail)


def _blind(state: State, aircraft: Aircraft, card: Card) -> Overlay:
    """Where its crew can't see, or sees with difficulty, at its level and below (GS-VIS-8e, GS-VIS-9a)."""
    cells: list[Cell] = []
    for place in _around(state, aircraft.pos, CREW_RANGE):
        covers = partial(in_coverage, aircraft.pos, aircraft.facing, place, sensor=False)
        for words, shade, name in (
            (card.blind, 0.4, "blind"),
            (card.restricted, 0.2, "restricted"),
        ):
            only_lower = words.endswith(" L")
            if covers(words, level=1, other_level=0 if only_lower else 1):
                lower = ", lower targets only" if only_lower else ""
                cells.append(Cell(place.label, shade, "", f"{name}{lower}"))
                break
    detail = f"Blind: {card.blind}. Restricted: {card.restricted}. Darker: blind. L: lower only."
    return Overlay("Blind and restricted arcs", tuple(cells), detail)


def _advantage(state: State, aircraft: Aircraft, card: Card) -> Overlay:
    """Where an enemy would be at its mercy: 150+, 9 hexes, 6 levels up, 9 down (GS-OOF-1a)."""
    del card
    cells = tuple(
        Cell(place.label, 0.3)
        for place in _around(state, aircraft.pos, advantage.RANGE)
        if place != aircraft.pos
        and in_forward(aircraft.pos, aircraft.facing, place, advantage.ARC, sensor=False)
    )
    low, high = aircraft.altitude - advantage.LOWER, aircraft.altitude + advantage.HIGHER
    return Overlay("Advantage, 9-6-9", cells, f"From level {max(0, low)} to {high}.")


def _guns(state: State, aircraft: Aircraft, card: Card) -> Overlay | None:
    """The places that its gun reaches at its own level, with the card's hit number (GS-G-17, GS-C-2)."""
    if card.gun is None:
        return None
    cells: list[Cell] = []
    for place in _half_places(aircraft.pos):
        reach = gun_range(
            aircraft.pos, aircraft.facing, aircraft.altitude, place, aircraft.altitude
        )
        if reach is not None:
            need = card.gun.hit[reach]
            cells.append(Cell(place.label, need / 10, str(need), f"range {reach}, {need} or less"))
    detail = "Hit numbers before modifiers; two levels of difference count as one more of range."
    return Overlay("Gun field", tuple(cells), detail)


def _half_places(pos: Pos) -> Iterator[Pos]:
    """Every place, hexsides too, within three hexes."""
    for dq in range(-6, 7):
        for dr in range(-6, 7):
            yield Pos(pos.q + dq, pos.r + dr)


def _sighting(state: State, aircraft: Aircraft, card: Card) -> Overlay:
    """From where it can be seen, at its own level, by range in visibility numbers (GS-VIS-9a, GS-T-11).

    So many hexes have the same chance that it is written in the aircraft's own column alone.
    """
    cells: list[Cell] = []
    for place in _around(state, aircraft.pos, EYE * card.visibility):
        reach = sighting_range(place, aircraft.altitude, aircraft.pos, aircraft.altitude)
        need = _need(reach, card.visibility)
        if need > 0 and place != aircraft.pos:
            detail = f"range {reach}, {need} or less"
            label = f"{10 * need} %" if place.label[:2] == aircraft.pos.label[:2] else ""
            cells.append(Cell(place.label, need / 10, label, detail))
    detail = (
        f"By one regular pilot at level {aircraft.altitude}, before other modifiers. Looking down, two levels "
        "count as one more of range; looking up, four."
    )
    return Overlay("Chance to be sighted", tuple(cells), detail)


@cache
def _need(reach: int, visibility: int) -> int:
    """The highest face of the die that sees it."""
    return min(10, Number(visibility, range_rows(reach, visibility)).reach)


AIDS: tuple[Aid, ...] = (
    Aid("radar", "Radar range", partial(_own_card, _radar)),
    Aid("blind", "Blind and restricted arcs", partial(_own_card, _blind)),
    Aid("advantage", "Advantage, 9-6-9", partial(_own_card, _advantage)),
    Aid("guns", "Gun field", partial(_own_card, _guns)),
    Aid("sighting", "Chance to be sighted", partial(_own_card, _sighting)),
)
