"""Shots: what energy may come of cards, what a shot is worth, and whom several ships fire at together.

Belongs here: fire, as far as chances go. What a hit takes from a ship is in `damage`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from app.engine.game import Exact
from app.engine.hexes import distance
from app.games.war_in_space.admiral.damage import harm, stand_in
from app.games.war_in_space.energy import card_blocked, cards, energy_chance, most_usable
from app.games.war_in_space.fire import enemies, fire_blocked, hit_chance, most_aim
from app.games.war_in_space.model import Aim, Boxes, Card, Ship, ShipClass, State, Use

Mix = Mapping[int, float]
"""Points, of energy or of damage, each with its chance."""

NOTHING: Mix = {0: 1.0}


@lru_cache(maxsize=4096)
def hit(exact: Exact, span: int, aim: int) -> float:
    """The chance to hit (WIS-WF-3)."""
    return float(exact(hit_chance(span, aim)).get(True, 0))


def energy(exact: Exact, ship: Ship, card: Card, use: Use) -> Mix:
    """The chances of the energy that a card brings a use."""
    if ship.powerless:
        return NOTHING
    return _energy(exact, ship.kind, ship.marked, card, use)


@lru_cache(maxsize=8192)
def _energy(exact: Exact, kind: ShipClass, marked: Boxes, card: Card, use: Use) -> Mix:
    # Other boxes than Power only lower a limit, which is quicker cut off here than asked for each damage.
    most = most_usable(stand_in(kind, marked), use)
    found: dict[int, float] = {}
    for points, share in _sound_energy(exact, kind, marked.power, card, use).items():
        usable = points if most is None else min(most, points)
        found[usable] = found.get(usable, 0.0) + share
    return found


@lru_cache(maxsize=2048)
def _sound_energy(exact: Exact, kind: ShipClass, power: int, card: Card, use: Use) -> Mix:
    found = exact(energy_chance(stand_in(kind, Boxes(power=power)), card, use))
    return {points: float(share) for points, share in found.items()}


def allowed_cards(ship: Ship) -> list[Card]:
    """The cards that a ship may play (WIS-EA-10)."""
    return [card for card in cards() if card_blocked(ship, card) is None]


def mixed(parts: Iterable[tuple[float, Mix]]) -> Mix:
    """One of several mixes, each with its chance."""
    found: dict[int, float] = {}
    for chance, mix in parts:
        for points, share in mix.items():
            found[points] = found.get(points, 0.0) + chance * share
    return found


def added(one: Mix, two: Mix) -> Mix:
    """The chances of a sum."""
    return mixed(
        (share, {points + more: s for more, s in two.items()}) for points, share in one.items()
    )


def damage(ship: Ship, attack: int, aim: int) -> int:
    """What a hit does with so much attack energy, of which some buys aim (WIS-WF-2, WIS-WF-4)."""
    return attack - aim * ship.size + ship.size


def aims(ship: Ship, attack: int) -> range:
    """The aims that so much attack energy can buy, a charge of 1 left (WIS-WF-2)."""
    return range((attack - 1) // ship.size + 1)


class Losses(dict[int, float]):
    """What a hit of so many points takes from a ship whose defence may be this or that; reckoned when asked for."""

    def __init__(self, ship: Ship, defence: Mix) -> None:
        super().__init__()
        self._ship, self._defence = ship, defence

    def __missing__(self, points: int) -> float:
        self[points] = sum(
            share * harm(self._ship, points - stops) for stops, share in self._defence.items()
        )
        return self[points]


def best_shot(exact: Exact, ship: Ship, attack: int, span: int, target: Losses) -> float:
    """What a shot with so much attack energy takes from a target at a range, with its best aim."""
    if attack <= 0 or span <= 0:
        return 0.0
    return max(
        hit(exact, span, aim) * target[damage(ship, attack, aim)] for aim in aims(ship, attack)
    )


def plain(exact: Exact, ship: Ship, use: Use) -> Mix:
    """The energy of a use where nothing is known of a card: any normal one, no Damage Control."""
    return _plain(exact, ship.kind, ship.marked, use)


@lru_cache(maxsize=4096)
def _plain(exact: Exact, kind: ShipClass, marked: Boxes, use: Use) -> Mix:
    ship = stand_in(kind, marked)
    open_ = [card for card in allowed_cards(ship) if not card.allout and not card.dc]
    if not open_:
        return NOTHING
    return mixed((1 / len(open_), energy(exact, ship, card, use)) for card in open_)


def exchange(exact: Exact, ship: Ship, target: Ship, span: int) -> float:
    """What a shot of another turn takes from a target at a range, cards unknown, in the mean."""
    if ship.unmarked("weapon") == 0 or ship.powerless:
        return 0.0
    return _exchange(exact, ship.kind, ship.marked, target.kind, target.marked, span)


@lru_cache(maxsize=16384)
def _exchange(
    exact: Exact, kind: ShipClass, marked: Boxes, its: ShipClass, its_marked: Boxes, span: int
) -> float:
    ship, target = stand_in(kind, marked), _plain_losses(exact, its, its_marked)
    return sum(
        share * best_shot(exact, ship, points, span, target)
        for points, share in plain(exact, ship, "attack").items()
    )


@lru_cache(maxsize=4096)
def _plain_losses(exact: Exact, kind: ShipClass, marked: Boxes) -> Losses:
    ship = stand_in(kind, marked)
    return Losses(ship, plain(exact, ship, "defence"))


# Whom all ships of a side fire at together.

Fire = Mapping[str, Aim]


def fire_plan(exact: Exact, state: State, seat: str) -> Fire:
    """The fire of a side that takes most from the enemy, all its ships together.

    One ship after another takes the best it can do beside the others, until none finds better: from each target
    that all might begin with, and the best of those.
    """
    open_ = {
        ship.id: shots
        for ship in state.fighting()
        if ship.seat == seat and (shots := _shots(state, ship))
    }
    targets = list(dict.fromkeys(aim.target for shots in open_.values() for aim in shots))
    nothing: Fire = {}
    plans = [_refined(exact, state, open_, first) for first in targets]
    return max(plans, key=lambda plan: plan_worth(exact, state, plan), default=nothing)


def _shots(state: State, ship: Ship) -> list[Aim]:
    if not ship.has("attack") or not ship.unmarked("weapon"):
        return []
    return [
        Aim(enemy.id, aim)
        for enemy in enemies(state, ship)
        for aim in range(most_aim(ship) + 1)
        if fire_blocked(ship, enemy, aim) is None
    ]


ROUNDS = 3
"""So often each ship thinks again about what the others do."""


def _refined(
    exact: Exact, state: State, open_: Mapping[str, Sequence[Aim]], first: str | None
) -> Fire:
    plan = {
        ship: next((aim for aim in shots if aim.target == first), shots[0])
        for ship, shots in open_.items()
    }
    for _ in range(ROUNDS):
        before = dict(plan)
        for ship, shots in open_.items():
            plan[ship] = max(shots, key=lambda aim: plan_worth(exact, state, {**plan, ship: aim}))
        if plan == before:
            break
    return plan


def plan_worth(exact: Exact, state: State, plan: Fire) -> float:
    """What all shots of a plan take, hits on one target added up before its defence (WIS-WF-5)."""
    taken: dict[str, Mix] = {}
    for name, aim in plan.items():
        if aim.target is None:
            continue
        ship, target = state.ships[name], state.ships[aim.target]
        chance = hit(exact, distance(ship.hex, target.hex), aim.aim)
        shot = {0: 1 - chance, damage(ship, ship.has("attack"), aim.aim): chance}
        taken[target.id] = added(taken.get(target.id, NOTHING), shot)
    return sum(
        share * harm(state.ships[name], points - state.ships[name].has("defence"))
        for name, mix in taken.items()
        for points, share in mix.items()
    )
