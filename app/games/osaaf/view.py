"""What people see of a position: units, facts, and the aids they can switch on.

Belongs here: plain values and overlays, computed from the rules' own functions. Does not belong here: a
rule, or markup.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal

from msgspec import Struct

from app.engine.chance import Chain, Chance, percent
from app.engine.dice import Pool
from app.engine.game import Aid, Cell, Exact, Overlay, UnitView
from app.engine.hexes import COMPASS, DIRECTIONS, Board, Hex, sectors
from app.engine.secret import Viewer
from app.games.osaaf.energy import trade, within_limits
from app.games.osaaf.model import SIDE_NAMES, Jet, Maneuverability, Side, State
from app.games.osaaf.movement import (
    TURN_DICE,
    falls,
    next_to_move,
    place_reason,
    through,
    turned,
    turns,
)

ARC_RANGE = 6
NO_DICE = Pool(0)


# Units and facts.


def units(state: State, viewer: Viewer) -> list[UnitView]:
    """Every jet, in the order of the set-up. Nothing of this game is hidden from anybody."""
    del viewer
    moving = next_to_move(state) if state.phase == "movement" else None
    return [_unit(state, jet, jet is moving) for jet in state.jets.values()]


def _unit(state: State, jet: Jet, moving: bool) -> UnitView:
    flying = jet.status == "flying"
    return UnitView(
        id=jet.id,
        seat=jet.seat,
        kind=jet.aircraft.name,
        name=jet.name,
        hex=jet.hex.label if flying else None,
        facing=jet.facing,
        altitude=None if jet.status == "crashed" else jet.altitude,
        speed=None if jet.status == "crashed" else jet.speed,
        glyph=jet.aircraft.glyph,
        states=tuple(_states(state, jet, moving)),
        fields=_fields(state, jet),
        trail=tuple(place.label for place in jet.trail),
    )


def _states(state: State, jet: Jet, moving: bool) -> Iterator[str]:
    if jet.status != "flying":
        yield {"away": "off-board", "gone": "gone", "crashed": "crashed"}[jet.status]
        return
    if jet.stalled:
        yield "stalled"
    if moving:
        yield "moving"
    elif state.places is not None and through(state, jet):
        yield "moved"


def _fields(state: State, jet: Jet) -> Mapping[str, Any]:
    card, plan = jet.aircraft, jet.energy.plan
    order = next((n for n, place in enumerate(state.places or (), 1) if place.jet == jet.id), None)
    return {
        "aircraft": card.name,
        "maneuverability": card.maneuverability,
        "energy_factor": card.energy_factor,
        "max_speed": card.max_speed,
        "ceiling": card.ceiling,
        "afterburner": card.afterburner,
        "skill": jet.skill,
        "initiative": jet.initiative[0] if jet.initiative else None,
        "hard_turns": jet.hard_turns,
        "jink": plan is not None and plan.jink,
        "aim": plan is not None and plan.aim,
        "afterburner_lit": plan is not None and plan.afterburner,
        "order": order,
        "order_reason": place_reason(state, jet.id),
        "back": jet.back,
    }


def facts(state: State) -> Sequence[tuple[str, str]]:
    """What holds for the whole table: the light, and the turn."""
    turn = ("Turn", f"{state.turn} of {state.turns}")
    if state.night:
        return (("Light", "Night"), turn)
    sun = "Sun in the " + SIDE_NAMES[state.sun] if state.sun else "Sun not rolled for yet"
    return (("Light", sun), turn)


# Heat maps: where a move can end.

Policy = Literal["never"] | Side | int
"""Tries no turn, a turn to one side before each hex, or the shorter way until it faces 0 to 5."""


class Flight(Struct, frozen=True):
    """A moment of a move: `left` hexes to fly; `tried` if the turn before the next one is rolled.

    `out`: it has left the board from `hex`.
    """

    hex: Hex
    facing: int
    left: int
    tried: bool = False
    out: bool = False


def flight(
    board: Board, card: Maneuverability, hard_turns: int, speed: int, policy: Policy, start: Flight
) -> Chain:
    """The rest of a move under a policy, exactly as the rules play it (OSAAF-MV-5 to OSAAF-MV-8)."""

    def step(now: Flight) -> Chance | None:
        if now.left == 0 or now.out:
            return None
        side = None if now.tried else side_to_try(policy, now.facing)
        if side is None or speed >= 6 + hard_turns:
            straight = _forward(board, now, now.facing)
            return Chance(NO_DICE, lambda faces: straight)
        turn, fail = (
            _forward(board, now, turned(now.facing, side)),
            _forward(board, now, now.facing),
        )
        return Chance(
            TURN_DICE, lambda faces: turn if turns(card, hard_turns, speed, faces) else fail
        )

    return Chain(start, step, ("osaaf-flight", board, card, hard_turns, speed, policy, start))


def side_to_try(policy: Policy, facing: int) -> Side | None:
    """The side to which a policy tries to turn; dead astern counts as right."""
    if not isinstance(policy, int):
        return None if policy == "never" else policy
    by = (policy - facing) % 6
    return None if by == 0 else "right" if by <= 3 else "left"


def _forward(board: Board, now: Flight, facing: int) -> Flight:
    place = now.hex.ahead(facing)
    if place not in board:
        return Flight(now.hex, facing, 0, out=True)
    return Flight(place, facing, now.left - 1)


def _heat(policy: Policy, title: str, state: State, jet_id: str, exact: Exact) -> Overlay | None:
    """The chances of each end of the move; None for a jet that has no move ahead of it this turn."""
    jet = state.jets[jet_id]
    if not _has_to_move(state, jet):
        return None
    speed = _speed_so_far(jet)
    left = max(0, speed - jet.move.flown)
    if left == 0:
        return None
    start = Flight(jet.hex, jet.facing, left, jet.move.tried)
    card = jet.aircraft.maneuverability
    chain = flight(state.board, card, jet.hard_turns, speed, policy, start)
    return _overlay(title, _assumed(jet, speed), exact(chain))


def _speed_so_far(jet: Jet) -> int:
    """The Speed for the move as far as Energy Management has come: level and without brakes from there."""
    known = jet.energy
    if known.settled or known.dragged is None:
        return jet.speed
    return within_limits(
        jet.aircraft, known.dragged + trade(known.change or 0) - (known.refused or 0)
    )


def _has_to_move(state: State, jet: Jet) -> bool:
    if jet.status != "flying" or state.result is not None or state.phase == "end":
        return False
    return not (falls(state, jet) and jet.energy.settled)


def _assumed(jet: Jet, speed: int) -> str:
    if jet.energy.settled:
        return ""
    turns = "no hard turn" if not jet.hard_turns else f"hard turn ×{jet.hard_turns}"
    return f"Speed is not settled yet: shown for Speed {speed} with {turns}."


def _overlay(title: str, assumed: str, ends: Mapping[Flight, Fraction]) -> Overlay:
    by_hex: dict[Hex, dict[int, Fraction]] = {}
    out = Fraction(0)
    for end, chance in ends.items():
        if end.out:
            out += chance
        else:
            facings = by_hex.setdefault(end.hex, {})
            facings[end.facing] = facings.get(end.facing, Fraction(0)) + chance
    cells = tuple(_cell(place, facings) for place, facings in sorted(by_hex.items()))
    leaves = f"Leaves the board: {percent(out)}." if out else ""
    return Overlay(title, cells, " ".join(part for part in (assumed, leaves) if part))


def _cell(place: Hex, facings: Mapping[int, Fraction]) -> Cell:
    whole = sum(facings.values(), Fraction(0))
    detail = ", ".join(f"{COMPASS[f]} {percent(p)}" for f, p in sorted(facings.items()))
    return Cell(place.label, float(whole), percent(whole), f"facing {detail}")


# Arcs.


def _arcs(state: State, jet_id: str, exact: Exact) -> Overlay | None:
    """The hexes in front of a jet and behind it (OSAAF-CB-2); border hexes lie in the arc."""
    del exact
    jet = state.jets[jet_id]
    if jet.status != "flying":
        return None
    cells: list[Cell] = []
    for offset in _around(ARC_RANGE):
        place = jet.hex + offset
        inside = sectors(offset, jet.facing) & {0, 3}
        if inside and place in state.board:
            front = 0 in inside
            cells.append(
                Cell(place.label, 0.3 if front else 0.15, "", "front" if front else "rear")
            )
    detail = f"Darker: in front. Lighter: behind. Out to {ARC_RANGE} hexes."
    return Overlay("Front and rear arc", tuple(cells), detail)


def _around(radius: int) -> Iterator[Hex]:
    """Offsets of all hexes within a range, ring by ring."""
    for ring in range(1, radius + 1):
        for side in range(6):
            corner = Hex(0, 0).ahead(side, ring)
            step = DIRECTIONS[(side + 2) % 6]
            for n in range(ring):
                yield Hex(corner.q + step.q * n, corner.r + step.r * n)


def _heat_aid(key: str, policy: Policy, title: str) -> Aid:
    drawn = partial(_heat, policy, f"{ENDS}, {title}")
    return Aid(f"heat-{key}", title, drawn, ENDS)


ENDS = "Where the move ends"

AIDS: tuple[Aid, ...] = (
    Aid("arcs", "Front and rear arc", _arcs),
    _heat_aid("never", "never", "flying straight"),
    _heat_aid("left-always", "left", "trying left before each hex"),
    _heat_aid("right-always", "right", "trying right before each hex"),
    *(
        _heat_aid(f"until-{point.lower()}", facing, f"trying until it faces {point}")
        for facing, point in enumerate(COMPASS)
    ),
)
