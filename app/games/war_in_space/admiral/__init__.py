"""The admiral, of this house: picks by expected worth, from the exact odds that everybody can see.

Belongs here: what is compared with what for each question. In the order in which they build on each other:
`weights`, `damage` (what boxes are worth), `gunnery` (shots), `moves` (places), `orders` (cards).

It knows what a person in its seat knows: no card that lies face down, no fire that is not shown, and no die of
the table's.
"""

from typing import Any

import msgspec

from app.engine.game import Bot, Exact, Sight
from app.engine.sequence import Decision
from app.games.war_in_space.admiral.gunnery import fire_plan
from app.games.war_in_space.admiral.moves import Outlook
from app.games.war_in_space.admiral.orders import best_card, best_repair, spendings
from app.games.war_in_space.energy import KEEP, affordable
from app.games.war_in_space.fire import HOLD
from app.games.war_in_space.model import USES, Ship, State
from app.games.war_in_space.movement import STOP as STOP_HERE
from app.games.war_in_space.movement import TURNS
from app.games.war_in_space.repair import STOP as REPAIR_NO_MORE


def choose(sight: Sight) -> Any:
    """Answer any question of this game."""
    state: State = sight.state
    ship = state.ships[sight.decision.unit or ""]
    match sight.decision.id.partition(":")[0]:
        case "order":
            return msgspec.to_builtins(best_card(sight.exact, state, ship))
        case "spend":
            return spending(sight.exact, state, ship)
        case "fire":
            return shot(sight.exact, state, ship)
        case "move":
            return heading(sight.exact, state, ship)
        case "repair":
            return best_repair(ship, ship.has("dc")) or REPAIR_NO_MORE
        case _:
            return again(sight.exact, sight.decision, ship)


def again(exact: Exact, decision: Decision, ship: Ship) -> Any:
    """The energy die that brings most in the mean when it is thrown again; none where that is less than now."""
    best: tuple[float, Any] = (float(sum(ship.has(use) for use in USES)), KEEP)
    for option in decision.all_options:
        if option.odds is not None:
            found = exact(option.odds.chance).items()
            best = max(best, (float(sum(n * p for n, p in found)), option.value), key=_first)
    return best[1]


def _first(pair: tuple[float, Any]) -> float:
    return pair[0]


def spending(exact: Exact, state: State, ship: Ship) -> dict[str, int]:
    """The speed and turn bonus with the best move."""
    outlook = Outlook(exact, state, ship)
    open_ = list(spendings(ship, affordable(ship)))
    speed, bonus = max(open_, key=lambda one: outlook.plan(*one).worth())
    return {"speed": speed, "bonus": bonus}


def shot(exact: Exact, state: State, ship: Ship) -> Any:
    """The ship's part in the fire of its side."""
    aim = fire_plan(exact, state, ship.seat).get(ship.id)
    return HOLD if aim is None else {"target": aim.target, "aim": aim.aim}


TURN_OF = {sides if side == "right" else -sides: choice for choice, side, sides in TURNS}
"""The choice of a turn by hex-sides to the right."""


def heading(exact: Exact, state: State, ship: Ship) -> str:
    """What to do before the next hex, with the best rest of the move."""
    plan = Outlook(exact, state, ship).plan(ship.speed, ship.bonus)
    worths = plan.next()
    best = max(worths, key=lambda sides: worths[sides])
    if plan.outlook.may_stop and plan.go(plan.start, 0, ship.bonus) > worths[best]:
        return STOP_HERE
    return TURN_OF.get(best, "ahead")


BOT = Bot(
    id="admiral",
    title="Admiral",
    summary="Weighs each card, shot and turn by exact odds, and takes what is worth most in the mean.",
    choose=choose,
    formerly=("odds",),
)
