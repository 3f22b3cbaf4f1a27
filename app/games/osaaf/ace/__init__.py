"""The ace, of this house: picks by expected value, from the exact odds that everybody can see.

It asks of each answer where its jet can get to, and what that is worth, and takes the best. Belongs here:
what is compared with what for each question. In the order in which they build on each other: `weights`,
`foresight` (geometry and moves), `stances` (shots), `reserves` (energy, fuel), `outlook` (a turn).

It knows what a person in its seat knows, and no die of the table's.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from app.engine.game import Bot, Exact, Sight
from app.games.osaaf.ace.asking import chances, turns_by
from app.games.osaaf.ace.outlook import VARIANTS, Prospect, first_step, prospect_of
from app.games.osaaf.ace.reserves import fuel_cost
from app.games.osaaf.ace.stances import shot_worth, spent
from app.games.osaaf.combat import HOLD, attacks, modifiers, weapon_of
from app.games.osaaf.energy import (
    NO_MANOEUVRE,
    after_drag,
    change_blocked,
    engine_out,
    gain_of,
    most_refused,
    plan_blocked,
    plans,
    trade,
    within_limits,
)
from app.games.osaaf.model import Energy, Jet, Plan, State
from app.games.osaaf.offers import allowed

PLAN_LEVELS, LEVELS = (1, 3), (2, 3)
"""So many levels up and down are thought of, first for a plan, then for the choice itself.

The second number only where the first would end in a stall, or where it is all that there is to fly on.
"""


def choose(sight: Sight) -> Any:
    """Answer any question of this game."""
    state: State = sight.state
    jet = state.jets[sight.decision.unit or ""]
    match sight.decision.id.partition(":")[0]:
        case "plan":
            return allowed(sight.decision, msgspec.structs.asdict(plan(sight.exact, state, jet)))
        case "altitude":
            return allowed(sight.decision, *altitudes(sight.exact, state, jet))
        case "brakes":
            return allowed(sight.decision, brakes(sight.exact, state, jet))
        case "move":
            return allowed(sight.decision, *headings(sight.exact, state, jet))
        case "fire":
            return allowed(sight.decision, shot(sight.exact, state, jet))
        case _:
            # Off the board it can't be shot at, and to disengage gives a point away.
            return allowed(sight.decision, "return")


# Energy Management: the plan, altitude, brakes.


def plan(exact: Exact, state: State, jet: Jet) -> Plan:
    """The plan with the best mean over its energy roll, each roll followed by the best it allows."""
    prospect = prospect_of(exact, state, jet)
    open_plans = [
        plan
        for plan in plans()
        if (plan.aim, plan.jink) in VARIANTS and plan_blocked(state.rulings, jet, plan) is None
    ]
    worths = [_plan_worth(prospect, plan) for plan in open_plans]
    return open_plans[worths.index(max(worths))]


def _plan_worth(prospect: Prospect, plan: Plan) -> float:
    state, jet = prospect.state, prospect.jet
    rulings = state.rulings
    worth = -fuel_cost(state, jet, lit=plan.afterburner)
    gains = {0: 1.0}
    if not engine_out(rulings, jet):
        gains = chances(prospect.exact, gain_of(rulings, jet, plan))
    for gain, share in gains.items():
        known = Energy(plan=plan, gain=gain, dragged=after_drag(rulings, jet.speed, gain))
        worth += share * max(_change_worths(prospect, known, PLAN_LEVELS).values())
    return worth


def _change_worths(prospect: Prospect, known: Energy, levels: tuple[int, int]) -> dict[int, float]:
    """What climbs and dives are worth after a roll; for `levels` see PLAN_LEVELS."""
    rulings, jet, dragged = prospect.state.rulings, prospect.jet, known.dragged or 0
    found: dict[int, float] = {}
    for most in levels:
        for change in range(-most, most + 1):
            if change not in found and change_blocked(rulings, jet, change, dragged) is None:
                found[change] = max(_brake_worths(prospect, replace(known, change=change)))[0]
        if not engine_out(rulings, jet) and any(dragged + trade(one) > 0 for one in found):
            break
    return found


def _brake_worths(prospect: Prospect, known: Energy) -> list[tuple[float, int]]:
    """What each use of the brakes is worth after a climb or dive.

    With it stands what is refused, below 0: of two that are worth the same, the most is the lesser use.
    """
    jet, plan = prospect.jet, known.plan or NO_MANOEUVRE
    change = known.change or 0
    raw = (known.dragged or 0) + trade(change)
    worths: list[tuple[float, int]] = []
    done: set[int] = set()
    for refused in range(most_refused(prospect.state.rulings, known) + 1):
        speed = within_limits(jet.aircraft, raw - refused)
        if speed not in done:
            done.add(speed)
            worth = prospect.worth(plan, speed, jet.altitude + change)
            worths.append((worth, -refused))
    return worths


def altitudes(exact: Exact, state: State, jet: Jet) -> list[int]:
    """Climbs and dives, the best first."""
    worths = _change_worths(prospect_of(exact, state, jet), jet.energy, LEVELS)
    return sorted(worths, key=lambda change: -worths[change])


def brakes(exact: Exact, state: State, jet: Jet) -> int:
    """How much to refuse."""
    return -max(_brake_worths(prospect_of(exact, state, jet), jet.energy))[1]


# Movement.


def headings(exact: Exact, state: State, jet: Jet) -> list[str]:
    """What to do about the next hex, the best first. Aerobatics are left to people."""
    turn, hexes = turns_by(exact, jet), jet.hexes_left
    if turn == 0:
        return ["ahead-all", "ahead"]
    ahead, left, right, straight = first_step(exact, state, jet, hexes, turn)
    if ahead >= max(left, right):
        return ["ahead-all", "ahead"] if straight else ["ahead"]
    return ["left" if left > right else "right", "ahead"]


# Combat.


def shot(exact: Exact, state: State, jet: Jet) -> Any:
    """The shot that is worth most; none, if its missile is worth more kept."""
    best: tuple[float, Any] = (0.0, HOLD)
    turns = state.turns - state.turn + 1
    for target, arm, blocked in attacks(state, jet):
        if blocked is None:
            quality = weapon_of(jet, arm).quality
            added = sum(one.value for one in modifiers(jet, target))
            worth, _ = shot_worth(
                exact, arm, quality, added, target.hits, target.aircraft.toughness
            )
            worth -= spent(exact, jet, arm, quality, turns)
            if worth > best[0]:
                best = (worth, {"arm": arm, "target": target.id})
    return best[1]


BOT = Bot(
    id="ace",
    title="Ace",
    summary="Works out where each choice can lead, by exact odds, and takes the best in the mean.",
    choose=choose,
    formerly=("odds",),
)
