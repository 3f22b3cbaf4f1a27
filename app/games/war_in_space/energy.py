"""Energy Allocation (EA), with experience (XP-3): cards, dice, and what movement energy buys (MV-3, MV-8).

All ships of both sides get their cards in secret and at once; then the cards are shown, each ship rolls,
and in the order of movement each says what it does with movement energy. Belongs here: what is asked and
rolled in that phase, and the chances that are told of it. Same order as the rulebook.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from app.engine.chance import Chance, Odds
from app.engine.dice import Pool
from app.engine.game import PhaseStep
from app.engine.secret import Secret
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Step, Term, Todo, Toggle
from app.games.war_in_space import order
from app.games.war_in_space.events import (
    DieKept,
    DieLifted,
    DieRerolled,
    EnergyRolled,
    EnergySpent,
    NoPower,
    OrderGiven,
    OrdersShown,
    Role,
    Share,
)
from app.games.war_in_space.model import (
    ACTIONS,
    Action,
    Card,
    Crew,
    Ship,
    State,
    Suit,
    System,
    Use,
)
from app.games.war_in_space.movement import (
    hard_turn_blocked,
    place_reason,
    turn_chance,
)
from app.games.war_in_space.words import CREWS, SUITS, counted, one, signed
from app.games.war_in_space.words import USES as NAMES

STEPS = (
    PhaseStep("orders", "Orders"),
    PhaseStep("dice", "Energy dice"),
    PhaseStep("spending", "Spending"),
)

DICE = 3
"""Energy dice of a ship (WIS-EA-2)."""
DIE_TYPES = (4, 6, 8, 10, 12)
"""The steps of WIS-EA-11, worst first."""
PER_BOX = 2
"""Energy that an unmarked box can use (WIS-EA-8)."""
REROLLS: Mapping[Crew, int] = {"green": 0, "regular": 0, "veteran": 1, "elite": 2}
"""WIS-XP-3."""
SYSTEM_OF: Mapping[Action, System] = {
    "attack": "weapon",
    "defence": "shield",
    "movement": "engine",
}


def todo(state: State) -> Todo:
    """What Energy Allocation has still to do, first thing first; None once all energy has its use."""
    return _orders(state) or _dice(state) or _spending(state)


# Orders (EA-1, EA-6, EA-7, EA-10).


def _orders(state: State) -> Todo:
    """WIS-EA-1: a card for each ship, face down; all are turned up when the last one lies there."""
    owing = [ship for ship in state.fighting() if not ship.powerless and ship.card is None]
    open_ = tuple(_order(state, ship) for ship in owing if ship.order is None)
    if open_ or not owing:
        return open_ or None
    cards = {
        s.id: s.order.value for s in owing if s.order is not None and s.order.value is not None
    }
    return Effect(OrdersShown(cards), "WIS-EA-1", "Orders are shown", step="orders")


def _order(state: State, ship: Ship) -> Decision:
    first = next(card for card in cards() if card_blocked(ship, card) is None)
    return Decision(
        id=f"order:{state.turn}:{ship.id}",
        seat=ship.seat,
        title="Give orders",
        options=partial(_order_options, ship),
        happen=partial(_given, ship),
        cite="WIS-EA-1",
        unit=ship.id,
        step="orders",
        sealed=True,
        initial=msgspec.to_builtins(first),
        toggle=Toggle("dc", "Damage Control", "best dice to repairs"),
        then="The other energy",
        action="Give the order",
    )


def _given(ship: Ship, choice: Mapping[str, Any]) -> OrderGiven:
    card = Card(choice["suit"], choice["allout"], choice["dc"])
    return OrderGiven(ship.id, Secret(card, (ship.seat,)))


def cards() -> Iterable[Card]:
    """WIS-EA-6, WIS-EA-7: all orders that there are; a rank makes no other difference."""
    for allout in (False, True):
        for suit in SUITS:
            for dc in (False, True):
                yield Card(suit, allout, dc)


def _order_options(ship: Ship) -> list[Option]:
    return [_order_option(ship, card) for card in cards()]


def _order_option(ship: Ship, card: Card) -> Option:
    primary = ship.kind.pattern.suits[card.suit][0]
    blocked = card_blocked(ship, card)
    return Option(
        value=msgspec.to_builtins(card),
        label=f"{SUITS[card.suit]} {card.suit.capitalize()}" + ", all-out" * card.allout,
        detail=_served(ship, card),
        cite="WIS-EA-7" if card.dc else "WIS-EA-6",
        odds=None if blocked else _energy_odds(ship, card, primary),
        blocked=blocked,
        then=None if blocked else partial(_energy_of_others, ship, card, primary),
        group="All-out (Jack, Queen or King)" if card.allout else "Normal (Ace to 10)",
    )


def _served(ship: Ship, card: Card) -> str:
    """Who gets the dice, the highest first."""
    served = [
        f"{NAMES[use]}{' (two dice)' * (len(ranks) > 1)}"
        for use, ranks in uses_of(ship, card).items()
    ]
    return ", then ".join(served)


def card_blocked(ship: Ship, card: Card) -> Blocked | None:
    """WIS-EA-10: cards that damage forbids."""
    if card.allout and 2 * ship.marked.power >= ship.total("power"):
        return Blocked("half or more of its Power boxes are marked", "WIS-EA-10")
    if all(_suit_barred(ship, suit) for suit in SUITS):
        if card.dc:
            return None
        return Blocked("every suit is barred, so it must announce Damage Control", "WIS-EA-10")
    if _suit_barred(ship, card.suit):
        system = SYSTEM_OF[ship.kind.pattern.suits[card.suit][0]]
        return Blocked(f"all {system.capitalize()} boxes are marked", "WIS-EA-10")
    return None


def _suit_barred(ship: Ship, suit: Suit) -> bool:
    return ship.unmarked(SYSTEM_OF[ship.kind.pattern.suits[suit][0]]) == 0


# Dice (EA-2 to EA-5, EA-8, EA-11, XP-3).


def _dice(state: State) -> Step | None:
    """WIS-EA-2: each ship rolls, in the order of the list of units."""
    for ship in state.fighting():
        if ship.powerless:
            if ship.energy is None:
                return Effect(NoPower(ship.id), "WIS-EA-11", "No power", ship.seat, ship.id, "dice")
        elif ship.card is not None:
            step = _roll(state, ship, ship.card) or _reroll(state, ship, ship.card)
            if step is not None:
                return step
    return None


def energy_die(ship: Ship) -> int:
    """WIS-EA-11: the sides of its energy dice: a step less for each marked Power box, never below 4."""
    return DIE_TYPES[max(0, DIE_TYPES.index(ship.kind.energy_die) - ship.marked.power)]


def uses_of(ship: Ship, card: Card) -> dict[Use, tuple[int, ...]]:
    """Which dice each use gets, 0 for the highest: WIS-EA-3 to WIS-EA-5."""
    primary, secondary = ship.kind.pattern.suits[card.suit]
    third: Use = next(action for action in ACTIONS if action not in (primary, secondary))
    served: tuple[Use, ...] = (primary, secondary, third)
    if card.dc:
        served = ("dc", *served)
    ranks = ((0, 1), (2,)) if card.allout else ((0,), (1,), (2,))
    return dict(zip(served, ranks, strict=False))


def most_usable(ship: Ship, use: Use) -> int | None:
    """WIS-EA-8: twice the unmarked boxes of the action's system; Damage Control has no such limit."""
    return None if use == "dc" else PER_BOX * ship.unmarked(SYSTEM_OF[use])


def role(ship: Ship, card: Card, use: Use) -> Role:
    """What a use is to a card: its suit's Primary or Secondary action, the third one, or Damage Control."""
    if use == "dc":
        return "dc"
    primary, secondary = ship.kind.pattern.suits[card.suit]
    return "primary" if use == primary else "secondary" if use == secondary else "third"


def share(ship: Ship, card: Card, use: Use, faces: Sequence[int]) -> Share:
    """What a use gets of dice thrown, and how much of it can be used (WIS-EA-8)."""
    got = _ranked(faces, uses_of(ship, card).get(use, ()))
    most = most_usable(ship, use)
    return Share(use, role(ship, card, use), got, most, _usable(most, got))


def _ranked(faces: Sequence[int], ranks: Sequence[int]) -> tuple[int, ...]:
    """The dice of these ranks, 0 for the highest."""
    falling = sorted(faces, reverse=True)
    return tuple(falling[rank] for rank in ranks)


def _usable(most: int | None, dice: Sequence[int]) -> int:
    """WIS-EA-8: what dice give to a use that can take so much."""
    return sum(dice) if most is None else min(most, sum(dice))


def shares(ship: Ship, card: Card, faces: Sequence[int]) -> tuple[Share, ...]:
    """WIS-EA-3 to WIS-EA-5, WIS-EA-8 for the dice thrown: the uses in the order in which they are served."""
    return tuple(share(ship, card, use, faces) for use in uses_of(ship, card))


def _total(ship: Ship, card: Card, faces: tuple[int, ...]) -> int:
    return sum(one.gained for one in shares(ship, card, faces))


def _dealt(ship: Ship, card: Card) -> tuple[Any, ...]:
    """All that the energy of a ship depends on: dice, who gets which, and the limits."""
    return (
        energy_die(ship),
        *((use, ranks, most_usable(ship, use)) for use, ranks in uses_of(ship, card).items()),
    )


def energy_chance(ship: Ship, card: Card, use: Use) -> Chance:
    """The chances of the energy that a use gets from a card."""
    ranks = uses_of(ship, card).get(use, ())
    sides, most = energy_die(ship), most_usable(ship, use)
    key = ("war-in-space", "energy", sides, ranks, most)

    def gained(faces: tuple[int, ...]) -> int:
        return _usable(most, _ranked(faces, ranks))

    return Chance(Pool(DICE, sides), gained, key)


def _energy_odds(ship: Ship, card: Card, use: Use) -> Odds:
    return Odds(f"{NAMES[use]} energy", energy_chance(ship, card, use))


def _energy_of_others(ship: Ship, card: Card, primary: Use) -> list[tuple[str, Odds]]:
    others: list[Use] = [use for use in uses_of(ship, card) if use != primary]
    return [(NAMES[use], _energy_odds(ship, card, use)) for use in others]


def _roll(state: State, ship: Ship, card: Card) -> Roll | None:
    if ship.dice is not None:
        return None
    pool = Pool(DICE, energy_die(ship))
    chance = Chance(pool, partial(_total, ship, card), ("war-in-space", "all", _dealt(ship, card)))
    return Roll(
        id=f"energy:{state.turn}:{ship.id}",
        seat=ship.seat,
        title=f"{ship.name}: energy",
        pool=pool,
        happen=partial(energy_rolled, ship, card),
        cite="WIS-EA-2",
        unit=ship.id,
        why=", then ".join(NAMES[use] for use in uses_of(ship, card)),
        step="dice",
        odds=Odds("Energy in all", chance),
    )


def energy_rolled(ship: Ship, card: Card, faces: tuple[int, ...]) -> EnergyRolled:
    """WIS-EA-2 for the faces thrown."""
    return EnergyRolled(
        ship=ship.id,
        card=card,
        dice=faces,
        sides=energy_die(ship),
        full=ship.kind.energy_die,
        shares=shares(ship, card, faces),
    )


def _reroll(state: State, ship: Ship, card: Card) -> Step | None:
    """WIS-XP-3: an experienced crew may throw dice again, each of them once."""
    if state.rulings.xp_effects == "off" or ship.settled or ship.dice is None:
        return None
    number = len(ship.rerolled)
    if ship.rerolling is not None:
        return Roll(
            id=f"reroll:{state.turn}:{ship.id}:{number}",
            seat=ship.seat,
            title=f"{ship.name}: an energy die again",
            pool=Pool(1, energy_die(ship)),
            happen=partial(die_rerolled, ship, card, ship.rerolling),
            cite="WIS-XP-3",
            unit=ship.id,
            why="the new score stands",
            step="dice",
            odds=_reroll_odds(ship, card, ship.rerolling),
        )
    if number >= REROLLS[ship.crew]:
        return None
    return Decision(
        id=f"lift:{state.turn}:{ship.id}:{number}",
        seat=ship.seat,
        title="Throw an energy die again?",
        options=partial(_reroll_options, ship, card),
        happen=partial(_lifted, ship, ship.dice),
        cite="WIS-XP-3",
        unit=ship.id,
        why=f"{one(CREWS[ship.crew])} crew may throw {counted(REROLLS[ship.crew], 'die', 'dice')} again",
        step="dice",
        initial=KEEP,
    )


KEEP = "keep"


def _reroll_options(ship: Ship, card: Card) -> list[Option]:
    dice = ship.dice or ()
    now = _total(ship, card, dice)
    options = [Option(KEEP, "Keep them", f"{now} energy in all", cite="WIS-XP-3")]
    for die, face in enumerate(dice):
        done = die in ship.rerolled
        options.append(
            Option(
                value=die,
                label=f"Throw the {face} again" + (f" (die {die + 1})" * (dice.count(face) > 1)),
                cite="WIS-XP-3",
                odds=None if done else _reroll_odds(ship, card, die),
                blocked=Blocked("it was thrown again already", "WIS-XP-3") if done else None,
            )
        )
    return options


def _reroll_odds(ship: Ship, card: Card, die: int) -> Odds:
    others = tuple(face for n, face in enumerate(ship.dice or ()) if n != die)
    key = ("war-in-space", "again", tuple(sorted(others)), _dealt(ship, card))
    chance = Chance(
        Pool(1, energy_die(ship)), lambda faces: _total(ship, card, (*others, *faces)), key
    )
    return Odds("Energy in all after it", chance)


def _lifted(ship: Ship, dice: tuple[int, ...], choice: str | int) -> DieKept | DieLifted:
    if not isinstance(choice, int):
        return DieKept(ship.id)
    return DieLifted(ship.id, choice, dice[choice])


def die_rerolled(ship: Ship, card: Card, die: int, faces: tuple[int, ...]) -> DieRerolled:
    """WIS-XP-3: the new score stands."""
    before = ship.dice or ()
    dice = (*before[:die], faces[0], *before[die + 1 :])
    return DieRerolled(
        ship=ship.id,
        crew=ship.crew,
        die=die,
        before=before[die],
        face=faces[0],
        card=card,
        dice=dice,
        shares=shares(ship, card, dice),
    )


# Movement energy (EA-9, MV-3 to MV-5, MV-8).


def _spending(state: State) -> Step | None:
    """WIS-EA-9: in the order of movement, each ship that has movement energy for anything."""
    able = [ship for ship in state.fighting() if affordable(ship) and not ship.spent]
    if not able:
        return None
    if state.spending is None and len(able) > 1:
        return order.todo(state, "spending", "spending")
    turn = {place.ship: n for n, place in enumerate(state.spending or ())}
    return _spend(state, min(able, key=lambda ship: turn.get(ship.id, 0)))


def affordable(ship: Ship) -> int:
    """WIS-MV-3, WIS-MV-8: points of speed or bonus that its movement energy buys; each costs Size Class."""
    return ship.has("movement") // ship.size


def _spend(state: State, ship: Ship) -> Decision:
    return Decision(
        id=f"spend:{state.turn}:{ship.id}",
        seat=ship.seat,
        title=f"Spend {ship.has('movement')} movement energy",
        options=partial(_spend_options, state, ship),
        happen=partial(energy_spent, ship),
        cite="WIS-EA-9",
        unit=ship.id,
        why=place_reason(state.spending, ship.id) or "nobody else has any to spend",
        step="spending",
        initial={"speed": ship.speed, "bonus": 0},
        action="Spend",
    )


def _spend_options(state: State, ship: Ship) -> list[Option]:
    """Every mix of speed and bonus within reach, fastest first, and the first ones beyond it."""
    most = affordable(ship) + 1
    return [
        _spend_option(state, ship, change, bonus)
        for change in range(most, -most - 1, -1)
        if ship.speed + change >= -1
        for bonus in range(most - abs(change) + 1)
        if ship.speed + change >= 0 or bonus == 0
    ]


def _spend_option(state: State, ship: Ship, change: int, bonus: int) -> Option:
    speed, points = ship.speed + change, abs(change) + bonus
    cost, has = points * ship.size, ship.has("movement")
    blocked = spend_blocked(ship, change, bonus)
    label = f"Turn bonus {signed(bonus)}" if bonus else "No turn bonus"
    shown = blocked is None and speed > 0
    return Option(
        value={"speed": speed, "bonus": bonus},
        label=label,
        detail="" if blocked else _spend_detail(state, ship, speed),
        cost="" if blocked else _spend_cost(cost, has),
        cite="WIS-EA-9",
        odds=_turn_odds(ship, speed, bonus, 1) if shown else None,
        also=_hard_odds(state, ship, speed, bonus) if shown else (),
        blocked=blocked,
        group="Speed −1" if speed < 0 else f"Speed {speed}",
        terms=(
            Term(f"speed {signed(change)}", str(abs(change) * ship.size), change != 0),
            Term(f"turn bonus {signed(bonus)}", str(bonus * ship.size), bonus != 0),
        ),
    )


def spend_blocked(ship: Ship, change: int, bonus: int) -> Blocked | None:
    """WIS-MV-5: speed is never below 0. WIS-MV-3, WIS-MV-8: no more than the energy pays for."""
    if ship.speed + change < 0:
        return Blocked("speed can't go below 0", "WIS-MV-5")
    cost, has = (abs(change) + bonus) * ship.size, ship.has("movement")
    if cost > has:
        cite = "WIS-MV-8" if bonus else "WIS-MV-3"
        return Blocked(f"costs {cost} movement energy, and it has {has}", cite)
    return None


def _spend_cost(cost: int, has: int) -> str:
    """The running total: what it comes to of what there is, and what is lost (WIS-SQ-2)."""
    return f"{cost} of {has} energy" + (f", {has - cost} lost" if cost < has else "")


def _spend_detail(state: State, ship: Ship, speed: int) -> str:
    parts = ["stays in its hex and can't turn" if speed == 0 else counted(speed, "hex", "hexes")]
    if speed and hard_turn_blocked(state, ship) is not None:
        parts.append("no hard turn without an Engine box")
    return "; ".join(parts)


def _turn_odds(ship: Ship, speed: int, bonus: int, sides: int) -> Odds:
    return Odds(f"A {60 * sides}° turn", turn_chance(ship.kind, speed, bonus, sides), yes=True)


def _hard_odds(state: State, ship: Ship, speed: int, bonus: int) -> tuple[tuple[str, Odds], ...]:
    """WIS-MV-10: the chances of the hard turns, where there may be any."""
    if hard_turn_blocked(state, ship) is not None:
        return ()
    return tuple((f"{60 * n}°", _turn_odds(ship, speed, bonus, n)) for n in (2, 3))


def energy_spent(ship: Ship, choice: Mapping[str, int]) -> EnergySpent:
    """WIS-MV-4: speed changes at once. WIS-MV-9: the bonus is shown."""
    speed, bonus = choice["speed"], choice["bonus"]
    cost = (abs(speed - ship.speed) + bonus) * ship.size
    return EnergySpent(
        ship=ship.id,
        change=speed - ship.speed,
        bonus=bonus,
        cost=cost,
        left=ship.has("movement") - cost,
        size=ship.size,
        before=ship.speed,
        speed=speed,
    )
