"""Aids that a player can switch on for a jet: where its move can end, arcs, what it can shoot at, who at it.

Belongs here: overlays, computed from the rules' own functions. Does not belong here: a rule, or markup.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Literal

from msgspec import Struct

from app.engine.chance import Chain, Chance, percent
from app.engine.dice import Pool
from app.engine.game import Aid, Cell, Exact, Overlay
from app.engine.heat import End, heat_map
from app.engine.hexes import COMPASS, DIRECTIONS, Board, Hex, distance, sectors
from app.games.osaaf.combat import (
    FRONT,
    REAR,
    WEAPONS,
    attack_blocked,
    attack_chance,
    carried,
    enemies,
)
from app.games.osaaf.energy import trade, within_limits
from app.games.osaaf.model import Arm, Jet, Maneuverability, Side, State
from app.games.osaaf.movement import TURN_DICE, falls, turned, turns

ARC_RANGE = 6
NO_DICE = Pool(0)

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

    @property
    def where(self) -> End:
        """Where it is, for the map."""
        return None if self.out else (self.hex, self.facing)


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
    ends = ((end.where, chance) for end, chance in exact(chain).items())
    return heat_map(title, _assumed(jet, speed), ends)


def _speed_so_far(jet: Jet) -> int:
    """The Speed for the move as far as Energy Management has come: level and without brakes from there."""
    known = jet.energy
    if known.settled or known.dragged is None:
        return jet.speed
    return within_limits(
        jet.aircraft, known.dragged + trade(known.change or 0) - (known.refused or 0)
    )


def _has_to_move(state: State, jet: Jet) -> bool:
    if jet.status != "flying" or state.result is not None or state.phase in ("combat", "end"):
        return False
    return not (falls(state, jet) and jet.energy.settled)


def _assumed(jet: Jet, speed: int) -> str:
    if jet.energy.settled:
        return ""
    turns = "no hard turn" if not jet.hard_turns else f"hard turn ×{jet.hard_turns}"
    return f"Speed is not settled yet: shown for Speed {speed} with {turns}."


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
        inside = sectors(offset, jet.facing) & {FRONT, REAR}
        if inside and place in state.board:
            front = FRONT in inside
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


# Shots.


def _can_fire(state: State, jet: Jet) -> bool:
    return state.rulings.combat == "on" and jet.status == "flying"


def _reach(state: State, jet_id: str, exact: Exact) -> Overlay | None:
    """The hexes that each of a jet's weapons reaches, from where it is (OSAAF-CB-3)."""
    del exact
    jet = state.jets[jet_id]
    arms: list[Arm] = [arm for arm, _ in carried(jet) if jet.stores.of(arm)]
    if not _can_fire(state, jet) or not arms:
        return None
    cells: list[Cell] = []
    for offset in _around(max(WEAPONS[arm].most for arm in arms)):
        place = jet.hex + offset
        if FRONT in sectors(offset, jet.facing) and place in state.board:
            names = [WEAPONS[arm].name for arm in arms if _reaches(arm, jet.hex, place)]
            if names:
                cells.append(Cell(place.label, 0.2 * len(names), "", ", ".join(names)))
    reaches = (f"{WEAPONS[a].name} {WEAPONS[a].least}–{WEAPONS[a].most} hexes" for a in arms)
    detail = (
        f"{'; '.join(reaches)}. Darker: more weapons. A heat-seeker needs the target's rear arc."
    )
    return Overlay("Reach of its weapons", tuple(cells), detail)


def _reaches(arm: Arm, start: Hex, end: Hex) -> bool:
    return WEAPONS[arm].least <= distance(start, end) <= WEAPONS[arm].most


def _shots(state: State, jet_id: str, exact: Exact) -> Overlay | None:
    """The chance of each shot that a jet has as everybody stands now."""
    jet = state.jets[jet_id]
    if not _can_fire(state, jet):
        return None
    pairs = [(jet, target) for target in enemies(state, jet)]
    return _chances("Its shots, as all stand now", "at", pairs, [t for _, t in pairs], exact)


def _threats(state: State, jet_id: str, exact: Exact) -> Overlay | None:
    """The chance of each shot that enemies have at a jet as everybody stands now."""
    jet = state.jets[jet_id]
    if not _can_fire(state, jet):
        return None
    pairs = [(enemy, jet) for enemy in enemies(state, jet)]
    return _chances("Shots at it, as all stand now", "by", pairs, [e for e, _ in pairs], exact)


def _chances(
    title: str, word: str, pairs: list[tuple[Jet, Jet]], others: list[Jet], exact: Exact
) -> Overlay:
    """The best chance to hit in each other jet's hex, and each weapon's or why it has none, as text."""
    best: dict[Hex, Fraction] = {}
    told: dict[Hex, list[str]] = {}
    for (jet, target), other in zip(pairs, others, strict=True):
        chances: dict[Arm, Fraction | str] = {
            arm: _hit(jet, target, arm, exact) for arm, _ in carried(jet)
        }
        free = [chance for chance in chances.values() if isinstance(chance, Fraction)]
        best[other.hex] = max(best.get(other.hex, Fraction(0)), *free, Fraction(0))
        parts = ", ".join(
            f"{WEAPONS[arm].name} {percent(c) if isinstance(c, Fraction) else f'no: {c}'}"
            for arm, c in chances.items()
        )
        told.setdefault(other.hex, []).append(f"{word} {other.name}: {parts or 'no weapon'}")
    cells = tuple(
        Cell(place.label, float(chance), percent(chance) if chance else "–", "; ".join(told[place]))
        for place, chance in sorted(best.items())
    )
    every = [text for place in sorted(told) for text in told[place]] or ["no enemy is on the board"]
    return Overlay(title, cells, " ".join(f"{text[0].upper()}{text[1:]}." for text in every))


def _hit(jet: Jet, target: Jet, arm: Arm, exact: Exact) -> Fraction | str:
    """The chance to hit, or why there is none."""
    blocked = attack_blocked(jet, target, arm)
    if blocked is not None:
        return blocked.reason
    return 1 - exact(attack_chance(jet, target, arm)).get(0, Fraction(0))


def _heat_aid(key: str, policy: Policy, title: str) -> Aid:
    drawn = partial(_heat, policy, f"{ENDS}, {title}")
    return Aid(f"heat-{key}", title, drawn, ENDS)


ENDS = "Where the move ends"

AIDS: tuple[Aid, ...] = (
    Aid("arcs", "Front and rear arc", _arcs),
    Aid("reach", "Reach of its weapons", _reach),
    Aid("shots", "Chance of its shots", _shots),
    Aid("threats", "Chance of shots at it", _threats),
    _heat_aid("never", "never", "flying straight"),
    _heat_aid("left-always", "left", "trying left before each hex"),
    _heat_aid("right-always", "right", "trying right before each hex"),
    *(
        _heat_aid(f"until-{point.lower()}", facing, f"trying until it faces {point}")
        for facing, point in enumerate(COMPASS)
    ),
)
