"""The simple captain (AC), of this house: a plain opponent for those who want one. Rulebook order.

It is the rulebook's own opponent, so that anybody can play it by hand too. Belongs here: what AC-1 to AC-3
say, and the plain thing where they are silent. Does not belong here: any cleverness beyond them.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec

from app.engine.game import Bot, Exact, Sight
from app.engine.hexes import DIRECTIONS, Board, distance, sectors
from app.games.war_in_space.energy import KEEP, affordable, card_blocked, cards
from app.games.war_in_space.fire import (
    HOLD,
    enemies,
    fire_blocked,
    hit_chance,
    in_front,
    most_aim,
)
from app.games.war_in_space.model import Action, Card, Ship, Side, State, System
from app.games.war_in_space.movement import turned
from app.games.war_in_space.repair import repair_blocked

NEAR = 6
"""As far as a target in front is one to fire at rather than to close with (WIS-AC-1, WIS-AC-2)."""

Stance = Literal["near", "far", "beside"]
"""How the target lies: in the front 180° or the same hex within 6 hexes, in front but farther, or not in front."""

Wish = tuple[Action, Action]
"""The actions that a card should serve first and second."""

WISHES: Mapping[Stance, tuple[tuple[int, Wish], ...]] = {
    "near": (
        (3, ("attack", "defence")),
        (4, ("attack", "movement")),
        (6, ("defence", "attack")),
    ),
    "far": ((3, ("attack", "movement")), (6, ("movement", "attack"))),
    "beside": ((4, ("movement", "defence")), (6, ("defence", "movement"))),
}
"""What a d6 chooses, each with the highest face for it (WIS-AC-1)."""

WANTED_SPEED: Mapping[Stance, int] = {"far": 3, "near": 2, "beside": 1}
"""The speed that it goes for (WIS-AC-2)."""

MENDED: tuple[System, ...] = ("weapon", "shield", "engine", "power", "hull")
"""In this order it repairs: what bars its cards comes first."""


def choose(sight: Sight) -> Any:
    """Answer any question of this game."""
    state: State = sight.state
    ship = state.ships[sight.decision.unit or ""]
    match sight.decision.id.partition(":")[0]:
        case "order":
            return msgspec.to_builtins(order(sight, state, ship))
        case "spend":
            return spending(state, ship)
        case "fire":
            return shot(sight.exact, state, ship)
        case "move":
            return heading(state, ship)
        case "repair":
            return repair(ship)
        case _:
            # No rule lets it throw energy dice again.
            return KEEP


# The target and the card (AC-1).


def target_of(state: State, ship: Ship) -> Ship | None:
    """WIS-AC-1: the nearest enemy, of several the first of the list; None when there is none."""
    return min(enemies(state, ship), key=lambda enemy: distance(ship.hex, enemy.hex), default=None)


def stance(state: State, ship: Ship) -> Stance:
    """WIS-AC-1: how the target lies. With nobody to fight there is nobody in front.

    A target in the ship's own hex is in front, at range 0: it can't be fired at, which WIS-WF-1 says beside the
    front 180°, but it is not behind either. Two ships that took each other for lost there would both slow down
    and stay together.
    """
    target = target_of(state, ship)
    if target is None or not (target.hex == ship.hex or in_front(ship, target)):
        return "beside"
    return "near" if distance(ship.hex, target.hex) <= NEAR else "far"


def order(sight: Sight, state: State, ship: Ship) -> Card:
    """WIS-AC-1: the card that a d6 chooses."""
    face = sight.die(6)
    wish = next(wish for last, wish in WISHES[stance(state, ship)] if face <= last)
    return card_for(ship, wish)


def card_for(ship: Ship, wish: Wish) -> Card:
    """WIS-AC-1: the normal card with both actions, else one with that Primary action.

    Damage may bar those (WIS-EA-10). Then one whose Primary is the second action is as near as it gets, and
    Damage Control is announced only where no suit is left without it.
    """
    suits = ship.kind.pattern.suits
    open_ = [card for card in cards() if not card.allout and card_blocked(ship, card) is None]

    def preference(card: Card) -> tuple[bool, bool, bool, bool]:
        served = suits[card.suit]
        return card.dc, served != wish, served[0] != wish[0], served[0] != wish[1]

    return min(open_, key=preference)


# Movement energy (AC-2).


def spending(state: State, ship: Ship) -> dict[str, int]:
    """WIS-AC-2: first toward the speed it wants, with what is left into turn bonus."""
    wanted = WANTED_SPEED[stance(state, ship)]
    most = affordable(ship)
    change = max(-most, min(most, wanted - ship.speed))
    return {"speed": ship.speed + change, "bonus": most - abs(change)}


# Moves and aim (AC-3).


def heading(state: State, ship: Ship) -> str:
    """WIS-AC-3: a turn of 60° toward a target that is not dead ahead, before each hex.

    The rule knows no edge. Where it asks for no turn, an opponent does not leave the board by itself.
    """
    target = target_of(state, ship)
    side = None if target is None else side_toward(ship, target)
    if side is None and ship.hex.ahead(ship.facing) not in state.board:
        side = _inward(state.board, ship)
    return side or "ahead"


def side_toward(ship: Ship, target: Ship) -> Side | None:
    """WIS-AC-3: the side on which the target lies; None dead ahead, and in the same hex.

    Dead astern, where both sides are as good, it is the right one.
    """
    offset = target.hex - ship.hex
    found = sectors(offset, ship.facing)
    if not found or 0 in found:
        return None
    nose = DIRECTIONS[ship.facing]
    return "left" if nose.q * offset.r - nose.r * offset.q < 0 else "right"


def _inward(board: Board, ship: Ship) -> Side:
    """The side on which the next hex is on the board, if there is one."""
    return "left" if ship.hex.ahead(turned(ship.facing, "right")) not in board else "right"


def shot(exact: Exact, state: State, ship: Ship) -> Any:
    """WIS-AC-3: the aim with the best product of the chance to hit and charge; of equal ones the least.

    It fires at its target. When it can't, no rule says that it holds its fire: the nearest other one will do.
    """
    open_ = [
        (enemy, aim)
        for enemy in enemies(state, ship)
        for aim in range(most_aim(ship) + 1)
        if fire_blocked(ship, enemy, aim) is None
    ]
    if not open_:
        return HOLD
    target = min((enemy for enemy, _ in open_), key=lambda enemy: distance(ship.hex, enemy.hex))
    aim = max(
        (aim for enemy, aim in open_ if enemy is target),
        key=lambda aim: _product(exact, ship, target, aim),
    )
    return {"target": target.id, "aim": aim}


def _product(exact: Exact, ship: Ship, target: Ship, aim: int) -> Fraction:
    charge = ship.has("attack") - aim * ship.size
    odds = exact(hit_chance(distance(ship.hex, target.hex), aim))
    return odds.get(True, Fraction(0)) * charge


# Damage Control: no rule has it repair, but where it had to be announced its energy is used.


def repair(ship: Ship) -> System:
    """The first box that can be repaired. The question is only asked when there is one."""
    return next(s for s in MENDED if repair_blocked(ship, s, ship.has("dc")) is None)


BOT = Bot(
    id="captain",
    title="Captain",
    summary="Fights by three plain rules: goes for the nearest enemy, turns towards it and fires.",
    choose=choose,
    cite="WIS-AC-1",
    formerly=("simple",),
)
