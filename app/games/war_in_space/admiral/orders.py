"""Cards: what each is worth, and which the enemy is likely to play.

Belongs here: what energy of each kind would bring a ship this turn. An enemy's card lies face down: it is thought
to be any that it may play, the likelier the better it is for the enemy.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, partial
from math import exp

from msgspec.structs import replace

from app.engine.game import Exact
from app.engine.hexes import distance
from app.games.war_in_space.admiral.damage import harm, stand_in, worth
from app.games.war_in_space.admiral.gunnery import (
    NOTHING,
    Losses,
    Mix,
    added,
    aims,
    allowed_cards,
    best_shot,
    damage,
    energy,
    hit,
    mixed,
    plain,
)
from app.games.war_in_space.admiral.moves import Outlook
from app.games.war_in_space.admiral.weights import WEIGHTS
from app.games.war_in_space.fire import enemies, target_blocked
from app.games.war_in_space.model import (
    SYSTEMS,
    Action,
    Boxes,
    Card,
    Ship,
    ShipClass,
    State,
    System,
    Use,
)
from app.games.war_in_space.repair import cost as repair_cost
from app.games.war_in_space.repair import repair_blocked

Known = Mapping[tuple[str, Action], Mix]
"""What energy each ship may have for attack and defence."""

Value = Callable[[int], float]
"""What so many energy points of a use are worth."""

Fires = Mapping[str, tuple[Ship, ...]]
"""Whom each ship could fire at from where it is."""


def best_card(exact: Exact, state: State, ship: Ship) -> Card:
    """The card that is worth most in the mean, against what the enemies are likely to play."""
    can_hit = targets(state)
    first = unknown(exact, state)
    theirs: dict[tuple[str, Action], Mix] = {**first}
    for enemy in enemies(state, ship):
        theirs.update(likely(exact, state, enemy, first, can_hit))
    values = fighting_values(exact, state, ship, theirs, can_hit)
    values["movement"] = mobility(Outlook(exact, state, ship))
    worths = card_worths(exact, ship, values)
    return max(worths, key=lambda card: worths[card])


def targets(state: State) -> Fires:
    """Whom each ship could fire at (WIS-WF-1), energy and range left aside."""
    return {
        ship.id: tuple(e for e in enemies(state, ship) if target_blocked(ship, e) is None)
        for ship in state.fighting()
    }


def unknown(exact: Exact, state: State) -> dict[tuple[str, Action], Mix]:
    """Energy where nothing is known of any card."""
    uses: tuple[Action, ...] = ("attack", "defence")
    return {(ship.id, use): plain(exact, ship, use) for ship in state.fighting() for use in uses}


def likely(
    exact: Exact, state: State, enemy: Ship, known: Known, can_hit: Fires
) -> dict[tuple[str, Action], Mix]:
    """The energy that an enemy may have, its better cards the likelier."""
    worths = card_worths(exact, enemy, fighting_values(exact, state, enemy, known, can_hit))
    if not worths:
        return {}
    best = max(worths.values())
    weights = {card: exp((w - best) / WEIGHTS.doubt) for card, w in worths.items()}
    whole = sum(weights.values())
    uses: tuple[Action, ...] = ("attack", "defence")
    return {
        (enemy.id, use): mixed(
            (w / whole, energy(exact, enemy, c, use)) for c, w in weights.items()
        )
        for use in uses
    }


def card_worths(exact: Exact, ship: Ship, values: Mapping[Use, Value]) -> dict[Card, float]:
    """What each card is worth that a ship may play: the sum of what its energy brings each use."""
    return {
        card: sum(
            share * value(points)
            for use, value in values.items()
            for points, share in energy(exact, ship, card, use).items()
        )
        for card in allowed_cards(ship)
    }


def fighting_values(
    exact: Exact, state: State, ship: Ship, known: Known, can_hit: Fires
) -> dict[Use, Value]:
    """What energy is worth to a ship where it is."""
    return {
        "attack": offence(exact, state, ship, known, can_hit),
        "defence": safety(exact, state, ship, known, can_hit),
        "dc": partial(mended, ship),
    }


def offence(exact: Exact, state: State, ship: Ship, known: Known, can_hit: Fires) -> Value:
    """The best shot with so much energy. Friends who may fire at the same target use up its defence too."""
    if not ship.unmarked("weapon"):
        return _no_use

    def beside_friends(target: Ship) -> Losses:
        friends = sum(target in can_hit[f.id] for f in state.fighting() if f.seat == ship.seat)
        whole = known[target.id, "defence"]
        mine = mixed((share, {points // friends: 1.0}) for points, share in whole.items())
        return Losses(target, mine)

    open_ = [(distance(ship.hex, t.hex), beside_friends(t)) for t in can_hit[ship.id]]

    @cache
    def value(points: int) -> float:
        shots = (best_shot(exact, ship, points, span, target) for span, target in open_)
        return max(shots, default=0.0)

    return value


def _no_use(points: int) -> float:
    del points
    return 0.0


def safety(exact: Exact, state: State, ship: Ship, known: Known, can_hit: Fires) -> Value:
    """What is lost to the fire of all enemies with so much defence, below 0."""
    taken: Mix = NOTHING
    for enemy in enemies(state, ship):
        if ship in can_hit[enemy.id] and enemy.unmarked("weapon"):
            shot = _shot_at(exact, enemy, ship, known[enemy.id, "attack"])
            chance = 1 / len(can_hit[enemy.id])
            taken = added(taken, mixed(((chance, shot), (1 - chance, NOTHING))))
    if taken == NOTHING:
        return _no_use

    @cache
    def value(points: int) -> float:
        return -sum(share * harm(ship, hurt - points) for hurt, share in taken.items())

    return value


def _shot_at(exact: Exact, enemy: Ship, ship: Ship, attack: Mix) -> Mix:
    """The damage that an enemy's shot may do, aimed for the best mean of what it does."""
    span = distance(enemy.hex, ship.hex)
    found: dict[int, float] = {}
    for points, share in attack.items():
        open_ = [(hit(exact, span, aim), damage(enemy, points, aim)) for aim in aims(enemy, points)]
        chance, done = max(open_, key=lambda one: one[0] * one[1], default=(0.0, 0))
        found[done] = found.get(done, 0.0) + share * chance
        found[0] = found.get(0, 0.0) + share * (1 - chance)
    return found


def mobility(outlook: Outlook) -> Value:
    """What so much movement energy brings, spent at its best, beyond none of it."""
    ship = outlook.ship

    @cache
    def worth_of(units: int) -> float:
        plans = (outlook.plan(s, b).worth() for s, b in spendings(ship, units, least=units))
        best = max(plans, default=float("-inf"))
        return best if units == 0 else max(best, worth_of(units - 1))

    return lambda points: worth_of(points // ship.size) - worth_of(0)


def spendings(ship: Ship, units: int, least: int = 0) -> Iterable[tuple[int, int]]:
    """Each speed and turn bonus that so many units pay for, or that need at least some of them."""
    for change in range(-min(units, ship.speed), units + 1):
        for bonus in range(units - abs(change) + 1):
            if abs(change) + bonus >= least:
                yield ship.speed + change, bonus


def mended(ship: Ship, points: int) -> float:
    """What so much Damage Control energy brings, each time for the box that brings most."""
    return _mended(ship.kind, ship.marked, points)


@lru_cache(maxsize=16384)
def _mended(kind: ShipClass, marked: Boxes, points: int) -> float:
    ship = stand_in(kind, marked)
    system = best_repair(ship, points)
    if system is None:
        return 0.0
    after = marked.more(system, -1)
    gained = worth(stand_in(kind, after)) - worth(ship)
    return gained + _mended(kind, after, points - repair_cost(ship, system))


def best_repair(ship: Ship, points: int) -> System | None:
    """The box that brings most for its price, of those that so much energy repairs; None where there is none."""
    open_: list[System] = [s for s in SYSTEMS if repair_blocked(ship, s, points) is None]

    def gain(system: System) -> float:
        after = replace(ship, marked=ship.marked.more(system, -1))
        return (worth(after) - worth(ship)) / repair_cost(ship, system)

    return max(open_, key=gain, default=None)
