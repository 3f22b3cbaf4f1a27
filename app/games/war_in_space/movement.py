"""Movement (MV) and its edges (VC-1): each ship flies its whole move, in an order set beforehand.

Belongs here: the move hex by hex, turns and their chances, leaving the board. The order itself is in
`order`, what movement energy buys in `energy`. Same order as the rulebook.
"""

from collections.abc import Sequence
from functools import partial

from app.engine.chance import Chance, Odds
from app.engine.dice import Pool
from app.engine.game import PhaseStep
from app.engine.hexes import COMPASS, Board, Hex
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Step, Term, Todo
from app.games.war_in_space import order
from app.games.war_in_space.events import Moved, Stopped, TurnRolled, TurnTried, Withdrew
from app.games.war_in_space.model import Place, Ship, ShipClass, Side, State
from app.games.war_in_space.words import counted, signed

STEPS = (PhaseStep("order", "Order"), PhaseStep("move", "Move"))

TURNS: Sequence[tuple[str, Side, int]] = (
    ("left", "left", 1),
    ("right", "right", 1),
    ("left-2", "left", 2),
    ("right-2", "right", 2),
    ("about", "right", 3),
)
"""The turns that can be tried: choice, side and hex-sides (WIS-MV-6, WIS-MV-10). About, either side is as good."""


def todo(state: State) -> Todo:
    """What Movement has still to do, first thing first; None once every ship is through."""
    if state.order is None:
        # Nobody moves where nobody has speed, so there is no order to roll for.
        return order.todo(state, "movement", "order") if _any_speed(state) else None
    ship = next_to_move(state)
    return None if ship is None else _next(state, ship)


def _any_speed(state: State) -> bool:
    return any(ship.speed for ship in state.fighting())


def next_to_move(state: State) -> Ship | None:
    """The ship whose move is on. WIS-MV-1: a ship at speed 0 coasts where it is."""
    for place in state.order or ():
        ship = state.ships[place.ship]
        if ship.status == "fighting" and ship.steps_left > 0:
            return ship
    return None


def place_reason(places: Sequence[Place] | None, ship: str) -> str:
    """Why a ship comes when it does, in a few words; "" where there is no order."""
    return next((order.reason(place) for place in places or () if place.ship == ship), "")


def _next(state: State, ship: Ship) -> Step:
    """WIS-MV-7: a try, good or bad, then one hex; or what its owner chooses."""
    if ship.move.side is None:
        return _decide(state, ship)
    if not ship.move.tried:
        return _turn(state, ship, ship.move.side, ship.move.sides)
    event = advanced(state, ship, 1)
    cite = "WIS-VC-1" if isinstance(event, Withdrew) else "WIS-MV-7"
    return Effect(event, cite, f"{ship.name} moves", ship.seat, ship.id, "move")


def advanced(state: State, ship: Ship, hexes: int) -> Moved | Withdrew:
    """WIS-MV-1: so many hexes straight ahead. WIS-VC-1: a step off the board is the last one."""
    path = ahead(state.board, ship.hex, ship.facing, hexes)
    if len(path) < hexes:
        return Withdrew(ship.id, path, path[-1] if path else ship.hex, ship.facing)
    return Moved(ship.id, path, ship.facing, ship.steps_left - hexes)


def ahead(board: Board, place: Hex, facing: int, hexes: int) -> tuple[Hex, ...]:
    """The next hexes off the nose, as far as they are on the board."""
    path: list[Hex] = []
    for n in range(1, hexes + 1):
        one = place.ahead(facing, n)
        if one not in board:
            break
        path.append(one)
    return tuple(path)


# Turns (MV-6 to MV-15).


def turned(facing: int, side: Side, sides: int = 1) -> int:
    """So many hex-sides to the left or the right."""
    return (facing + (sides if side == "right" else -sides)) % 6


def turns(speed: int, bonus: int, faces: Sequence[int]) -> bool:
    """WIS-MV-6, WIS-MV-10: every die, with the bonus, must be above speed. WIS-MV-12: or nothing comes of it."""
    return all(face + bonus > speed for face in faces)


def turn_chance(kind: ShipClass, speed: int, bonus: int, sides: int) -> Chance:
    """The chance of a turn by so many hex-sides: True or False."""
    key = ("war-in-space", "turn", kind.turn_die, speed, bonus, sides)
    return Chance(Pool(sides, kind.turn_die), partial(turns, speed, bonus), key)


def hard_turn_blocked(state: State, ship: Ship) -> Blocked | None:
    """Why it can't try a hard turn: no power (WIS-EA-11), or no Engine box to lose, if the table minds (WIS-MV-14)."""
    if ship.powerless:
        return Blocked("without power it can try normal turns only", "WIS-EA-11")
    if ship.unmarked("engine") or state.rulings.hard_turn_without_engine == "yes":
        return None
    return Blocked("no Engine box is left to risk", "WIS-MV-14")


def _turn(state: State, ship: Ship, side: Side, sides: int) -> Roll:
    bonus = f" with {signed(ship.bonus)}" if ship.bonus else ""
    which = "each must beat" if sides > 1 else "must beat"
    return Roll(
        id=f"turn:{state.turn}:{ship.id}:{ship.move.flown}",
        seat=ship.seat,
        title=f"{ship.name}: turn {60 * sides}°" + (f" {side}" if sides < 3 else ""),
        pool=Pool(sides, ship.kind.turn_die),
        happen=partial(turn_rolled, state, ship, side, sides),
        cite="WIS-MV-10" if sides > 1 else "WIS-MV-6",
        unit=ship.id,
        why=f"{which} speed {ship.speed}{bonus}",
        step="move",
        odds=Odds(
            "Chance to turn", turn_chance(ship.kind, ship.speed, ship.bonus, sides), yes=True
        ),
        terms=turn_terms(ship),
    )


def turn_terms(ship: Ship) -> tuple[Term, ...]:
    """What is added to each turn die, and what it has to beat."""
    return (
        Term("turn bonus", signed(ship.bonus), ship.bonus > 0),
        Term("speed to beat", str(ship.speed)),
    )


def turn_rolled(
    state: State, ship: Ship, side: Side, sides: int, faces: tuple[int, ...]
) -> TurnRolled:
    """WIS-MV-6, WIS-MV-10 to WIS-MV-13, WIS-MV-15. WIS-MV-9: whether the bonus holds for later tries."""
    success = turns(ship.speed, ship.bonus, faces)
    return TurnRolled(
        ship=ship.id,
        side=side,
        sides=sides,
        dice=faces,
        die=ship.kind.turn_die,
        bonus=ship.bonus,
        speed=ship.speed,
        success=success,
        engine=not success and sides > 1 and ship.unmarked("engine") > 0,
        facing=turned(ship.facing, side, sides) if success else ship.facing,
        bonus_left=ship.bonus if state.rulings.bonus_scope == "turn" else 0,
    )


# What can be chosen before a hex.

ALL = "ahead-all"
STOP = "stop"


def _decide(state: State, ship: Ship) -> Decision:
    flown = ship.move.flown
    return Decision(
        id=f"move:{state.turn}:{ship.id}:{flown}",
        seat=ship.seat,
        title=f"Move hex {flown + 1} of {ship.speed}",
        options=partial(_options, state, ship),
        happen=partial(_chosen, state, ship),
        cite="WIS-MV-1",
        unit=ship.id,
        why=place_reason(state.order, ship.id),
        step="move",
        initial="ahead",
        action="Move",
    )


def _chosen(state: State, ship: Ship, choice: str) -> Moved | Withdrew | TurnTried | Stopped:
    if choice == STOP:
        return Stopped(ship.id, ship.steps_left)
    if choice in ("ahead", ALL):
        return advanced(state, ship, ship.steps_left if choice == ALL else 1)
    _, side, sides = next(turn for turn in TURNS if turn[0] == choice)
    return TurnTried(ship.id, side, sides)


def _options(state: State, ship: Ship) -> list[Option]:
    """WIS-MV-2: the whole distance is flown, unless the table lets ships stop."""
    options = [_straight(state, ship, "ahead", 1)]
    if ship.steps_left > 1:
        options.append(_straight(state, ship, ALL, ship.steps_left))
    options += [_turn_option(state, ship, *turn) for turn in TURNS]
    if state.rulings.whole_distance == "may":
        detail = f"{counted(ship.steps_left, 'hex', 'hexes')} not used; its speed stays"
        options.append(Option(STOP, "Stop here", detail, cite="WIS-MV-2"))
    return options


def _straight(state: State, ship: Ship, value: str, hexes: int) -> Option:
    path = ahead(state.board, ship.hex, ship.facing, hexes)
    whole = len(path) == hexes
    return Option(
        value=value,
        label="Straight on" if value == "ahead" else f"Straight on to the end, {hexes} hexes",
        detail=leads_to(path if whole else ()),
        cite="WIS-MV-1",
        place=path[-1].label if whole else None,
        path=tuple(place.label for place in path),
        facing=ship.facing,
    )


def _turn_option(state: State, ship: Ship, value: str, side: Side, sides: int) -> Option:
    facing = turned(ship.facing, side, sides)
    path = ahead(state.board, ship.hex, facing, 1)
    failed = leads_to(ahead(state.board, ship.hex, ship.facing, 1))
    blocked = hard_turn_blocked(state, ship) if sides > 1 else None
    chance = turn_chance(ship.kind, ship.speed, ship.bonus, sides)
    which = "About" if sides == 3 else side.capitalize()
    return Option(
        value=value,
        label=f"{which} {60 * sides}° to {COMPASS[facing]}",
        detail=f"{leads_to(path)}; if it fails, {failed}",
        cost="risks an Engine box" if sides > 1 and ship.unmarked("engine") else "",
        cite="WIS-MV-10" if sides > 1 else "WIS-MV-6",
        odds=None if blocked else Odds("Chance to turn", chance, yes=True),
        blocked=blocked,
        place=path[-1].label if path else None,
        path=tuple(place.label for place in path),
        facing=facing,
        group="Hard turns" if sides > 1 else "Turns",
        terms=turn_terms(ship),
    )


def leads_to(path: tuple[Hex, ...]) -> str:
    """Where a path ends, in a few words; no path leads off the board (WIS-VC-1)."""
    return f"to {path[-1].label}" if path else "off the board: it withdraws for good"
