"""The log in words: one sentence a fact, and for dice how they led to it, step by step.

Belongs here: English. Does not belong here: anything that is not in the fact itself.
"""

from collections.abc import Mapping, Sequence
from functools import singledispatch

from app.engine.errors import BrokenGame
from app.engine.game import DieShown, Told
from app.engine.hexes import COMPASS
from app.engine.log import Event
from app.games.war_in_space import events as e
from app.games.war_in_space import order
from app.games.war_in_space.model import SYSTEMS, Boxes, Card, Salvo
from app.games.war_in_space.words import SUITS, USES, counted, listed, one, signed
from app.games.war_in_space.words import SYSTEMS as SYSTEM_NAMES

Names = Mapping[str, str]


def tell(event: Event, names: Names) -> Told:
    """The line of a fact of this game. Raises BrokenGame for any other."""
    return _tell(event, names)


@singledispatch
def _tell(event: Event, names: Names) -> Told:
    raise BrokenGame(f"war-in-space has no words for {type(event).__name__}")


def _named(names: Names, key: str) -> str:
    return names.get(key, key)


def _dice(faces: Sequence[int]) -> tuple[DieShown, ...]:
    return tuple(DieShown(face) for face in faces)


def _card(card: Card) -> str:
    how = "all-out" if card.allout else "normal"
    return f"{SUITS[card.suit]} {how}" + (" with Damage Control" if card.dc else "")


# Energy Allocation.


@_tell.register
def _(event: e.OrderGiven, names: Names) -> Told:
    name = _named(names, event.ship)
    if event.card.value is None:
        return Told(f"{name} has its orders.", quiet=True)
    return Told(f"{name} has its orders: {_card(event.card.value)}.", quiet=True)


@_tell.register
def _(event: e.OrdersShown, names: Names) -> Told:
    steps = tuple(f"{_named(names, ship)}: {_card(card)}" for ship, card in event.cards.items())
    return Told("Orders are shown.", steps=steps)


@_tell.register
def _(event: e.NoPower, names: Names) -> Told:
    return Told(f"{_named(names, event.ship)} has no power left, and no energy this turn.")


@_tell.register
def _(event: e.EnergyRolled, names: Names) -> Told:
    worse = f"damage makes its dice d{event.sides} instead of d{event.full}"
    steps = ((worse,) if event.sides < event.full else ()) + _shares(event.shares)
    text = f"{_named(names, event.ship)} has energy: {_energy(event.shares)}."
    return Told(text, _dice(event.dice), steps)


def _energy(shares: Sequence[e.Share]) -> str:
    return ", ".join(f"{USES[share.use]} {share.gained}" for share in shares)


def _shares(shares: Sequence[e.Share]) -> tuple[str, ...]:
    return tuple(_share(share) for share in shares)


_ROLES: Mapping[e.Role, str] = {
    "dc": "announced",
    "primary": "Primary",
    "secondary": "Secondary",
    "third": "third",
}


def _share(share: e.Share) -> str:
    dice = " + ".join(str(face) for face in share.dice)
    text = f"{dice} → {USES[share.use]} ({_ROLES[share.role]})"
    if share.lost:
        text += f"; at most {share.most}, 2 for each box left: {share.lost} lost"
    return text


@_tell.register
def _(event: e.DieKept, names: Names) -> Told:
    return Told(f"{_named(names, event.ship)} keeps its energy dice.", quiet=True)


@_tell.register
def _(event: e.DieLifted, names: Names) -> Told:
    return Told(f"{_named(names, event.ship)} throws the {event.face} again.", quiet=True)


@_tell.register
def _(event: e.DieRerolled, names: Names) -> Told:
    name = _named(names, event.ship)
    text = f"{name} has {event.face} in place of {event.before}: {_energy(event.shares)}."
    steps = (f"{event.crew} crew: the new score stands", *_shares(event.shares))
    return Told(text, _dice((event.face,)), steps)


@_tell.register
def _(event: e.TieRolled, names: Names) -> Told:
    text = f"{_named(names, event.ship)} is number {event.place + 1} in the order, by die."
    steps = tuple(f"{n}: {_named(names, ship)}" for n, ship in enumerate(event.among, 1))
    return Told(text, _dice((event.face,)), ("same experience, speed and size", *steps))


@_tell.register
def _(event: e.OrderSet, names: Names) -> Told:
    ships = ", ".join(_named(names, place.ship) for place in event.places)
    what = "Ships move" if event.purpose == "movement" else "Ships spend movement energy"
    steps = tuple(f"{_named(names, place.ship)}: {order.reason(place)}" for place in event.places)
    return Told(f"{what} in this order: {ships}.", steps=steps)


@_tell.register
def _(event: e.EnergySpent, names: Names) -> Told:
    name = _named(names, event.ship)
    bought: list[str] = []
    if event.change:
        bought.append(f"goes from speed {event.before} to {event.speed}")
    if event.bonus:
        bought.append(f"has a turn bonus of {signed(event.bonus)}")
    steps: list[str] = []
    if event.cost:
        points = counted(abs(event.change) + event.bonus, "point")
        steps.append(f"{points} × Size Class {event.size} = {event.cost} movement energy")
    if event.left:
        steps.append(f"{event.left} movement energy lost")
    text = f"{name} {listed(bought) or f'keeps speed {event.speed}, without a turn bonus'}."
    return Told(text, steps=tuple(steps))


# Weapons Fire.


@_tell.register
def _(event: e.NoShot, names: Names) -> Told:
    name = _named(names, event.ship)
    if event.target is None:
        return Told(f"{name} can't fire: {event.reason}.", quiet=True)
    nearest = _named(names, event.target)
    return Told(f"{name} can't fire. {nearest} is the nearest: {event.reason}.", quiet=True)


@_tell.register
def _(event: e.FireDeclared, names: Names) -> Told:
    name, aim = _named(names, event.ship), event.aim.value
    if aim is None:
        return Told(f"{name} has declared its fire.", quiet=True)
    if aim.target is None:
        return Told(f"{name} will hold fire.", quiet=True)
    at = f" with aim {signed(aim.aim)}" if aim.aim else ""
    return Told(f"{name} will fire at {_named(names, aim.target)}{at}.", quiet=True)


@_tell.register
def _(event: e.FireShown, names: Names) -> Told:
    steps = [_salvo(salvo, names) for salvo in event.salvos]
    steps += [f"{_named(names, ship)} holds fire" for ship in event.held]
    text = (
        "All fire is shown; damage is dealt after the last shot."
        if event.salvos
        else "Nobody fires."
    )
    return Told(text, steps=tuple(steps))


def _salvo(salvo: Salvo, names: Names) -> str:
    at = f"{_named(names, salvo.ship)} at {_named(names, salvo.target)}"
    return f"{at}: range {salvo.range}, aim {signed(salvo.aim)}, charge {salvo.charge}"


@_tell.register
def _(event: e.ShotRolled, names: Names) -> Told:
    ship, target = _named(names, event.ship), _named(names, event.target)
    score = event.face + event.aim
    steps = [f"{event.face} rolled"] + [f"{signed(event.aim)} aim"] * bool(event.aim)
    if event.hit:
        steps.append(f"{score} is above range {event.range}: hit")
        steps.append(f"charge {event.charge} + Size Class {event.size} = {event.damage} damage")
        text = f"{ship} hits {target} for {event.damage} damage."
    else:
        steps.append(f"{score} is not above range {event.range}: miss")
        text = f"{ship} misses {target}."
    places = (event.start.label, event.end.label)
    return Told(text, _dice((event.face,)), tuple(steps), places)


def _less_defence(hits: Sequence[int], defence: int) -> str:
    whole = sum(hits)
    summed = f"{' + '.join(map(str, hits))} = {whole}" if len(hits) > 1 else str(whole)
    return f"damage {summed}, less defence {defence}"


@_tell.register
def _(event: e.FireStopped, names: Names) -> Told:
    text = f"The defence of {_named(names, event.ship)} takes all damage."
    return Told(text, steps=(_less_defence(event.hits, event.defence), "no box is marked"))


@_tell.register
def _(event: e.DamageRolled, names: Names) -> Told:
    text = f"{_named(names, event.ship)} loses {_boxes(event.boxes)}."
    steps = [_less_defence(event.hits, event.defence), f"{len(event.dice)} dice"]
    for system in SYSTEMS:
        if event.moved.of(system):
            count = event.moved.of(system)
            steps.append(f"no {SYSTEM_NAMES[system]} box left: {count} to the Hull")
    if event.beyond:
        steps.append(f"{counted(event.beyond, 'point')} more than it had boxes for")
    steps.append(f"{counted(event.hull_left, 'Hull box', 'Hull boxes')} left")
    return Told(text, _dice(event.dice), tuple(steps))


def _boxes(boxes: Boxes) -> str:
    marked = [
        counted(boxes.of(s), f"{SYSTEM_NAMES[s]} box", f"{SYSTEM_NAMES[s]} boxes")
        for s in SYSTEMS
        if boxes.of(s)
    ]
    return listed(marked) or "no box"


@_tell.register
def _(event: e.Destroyed, names: Names) -> Told:
    by = listed([_named(names, ship) for ship in event.by])
    text = f"{_named(names, event.ship)} is destroyed by {by}."
    return Told(text, places=(event.hex.label,))


# Movement.


def _turn(side: str, sides: int) -> str:
    return "about, 180°" if sides == 3 else f"{60 * sides}° to the {side}"


@_tell.register
def _(event: e.TurnTried, names: Names) -> Told:
    name = _named(names, event.ship)
    return Told(f"{name} tries to turn {_turn(event.side, event.sides)}.", quiet=True)


@_tell.register
def _(event: e.TurnRolled, names: Names) -> Told:
    name = _named(names, event.ship)
    steps = [f"d{event.die}: " + ", ".join(str(face) for face in event.dice)]
    if event.bonus:
        scores = ", ".join(str(face + event.bonus) for face in event.dice)
        steps.append(f"{signed(event.bonus)} turn bonus: {scores}")
    above = sum(face + event.bonus > event.speed for face in event.dice)
    if event.sides > 1:
        steps.append(f"above speed {event.speed}: {above} of {event.sides}")
    else:
        steps.append(f"{'' if above else 'not '}above speed {event.speed}")
    if event.success:
        text = f"{name} turns {_turn(event.side, event.sides)} and faces {COMPASS[event.facing]}."
    elif event.engine:
        text = f"{name} fails to turn and loses an Engine box."
        steps.append("a hard turn that fails costs an Engine box")
    else:
        text = f"{name} fails to turn."
    return Told(text, _dice(event.dice), tuple(steps))


@_tell.register
def _(event: e.Moved, names: Names) -> Told:
    last = event.path[-1].label
    left = f", {counted(event.left, 'hex', 'hexes')} left" if event.left else ""
    text = f"{_named(names, event.ship)} moves to {last}, facing {COMPASS[event.facing]}{left}."
    return Told(text, places=tuple(place.label for place in event.path))


@_tell.register
def _(event: e.Stopped, names: Names) -> Told:
    left = counted(event.left, "hex", "hexes")
    return Told(f"{_named(names, event.ship)} stops with {left} left.")


@_tell.register
def _(event: e.Withdrew, names: Names) -> Told:
    text = f"{_named(names, event.ship)} leaves the board at {event.hex.label} and withdraws."
    return Told(text, places=(*(place.label for place in event.path), event.hex.label))


# Damage Control.


@_tell.register
def _(event: e.Repaired, names: Names) -> Told:
    name, box = _named(names, event.ship), one(f"{SYSTEM_NAMES[event.system]} box")
    steps = [f"costs {event.cost} Damage Control energy"]
    if event.left:
        steps.append(f"{event.left} {'lost' if event.over else 'left'}")
    return Told(f"{name} repairs {box}.", steps=tuple(steps))


@_tell.register
def _(event: e.RepairsEnded, names: Names) -> Told:
    name = _named(names, event.ship)
    return Told(f"{name} repairs no more; {event.lost} energy is lost.", quiet=True)
