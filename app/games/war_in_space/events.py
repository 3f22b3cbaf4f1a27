"""Facts, and the position that each one leads to.

Belongs here: what can be written in the log, with all that is needed to tell it, and the bookkeeping.
Does not belong here: rules. A fact already holds what the rules made of it; here it is written down.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from app.engine.hexes import Hex
from app.engine.log import Event, PhaseBegan
from app.engine.secret import Secret
from app.games.war_in_space.model import (
    SYSTEMS,
    Aim,
    Boxes,
    Card,
    Crew,
    Energy,
    Move,
    Place,
    Salvo,
    Ship,
    Shot,
    Side,
    State,
    System,
    Tie,
    Use,
    with_ship,
)

Purpose = Literal["spending", "movement"]
Role = Literal["dc", "primary", "secondary", "third"]
"""What a use is to the card."""


class OrderGiven(Event, frozen=True):
    """A ship has its card, face down."""

    ship: str
    card: Secret[Card]


class OrdersShown(Event, frozen=True):
    """All cards are turned up at once."""

    cards: Mapping[str, Card]

    @classmethod
    def reveals(cls) -> bool:
        """What was secret lies open."""
        return True


class NoPower(Event, frozen=True):
    """A ship without a Power box has no roll and no energy this turn."""

    ship: str


class Share(Struct, frozen=True):
    """What one use gets of the dice: `most` it can use (None: all of it), `gained` after that."""

    use: Use
    role: Role
    dice: tuple[int, ...]
    most: int | None
    gained: int

    @property
    def lost(self) -> int:
        """Points above what it can use."""
        return sum(self.dice) - self.gained


class EnergyRolled(Event, frozen=True):
    """An energy roll: the dice, the card, and what each use gets. `full` are the sides without damage."""

    ship: str
    card: Card
    dice: tuple[int, ...]
    sides: int
    full: int
    shares: tuple[Share, ...]


class DieKept(Event, frozen=True):
    """A ship lets its energy dice stand."""

    ship: str


class DieLifted(Event, frozen=True):
    """A ship will throw one of its energy dice again: number `die`, from 0, which shows `face`."""

    ship: str
    die: int
    face: int


class DieRerolled(Event, frozen=True):
    """An energy die thrown again; the new score stands. `dice` are all three now."""

    ship: str
    crew: Crew
    die: int
    before: int
    face: int
    card: Card
    dice: tuple[int, ...]
    shares: tuple[Share, ...]


class TieRolled(Event, frozen=True):
    """One die for a place in an order, among ships with the same experience, speed and size."""

    purpose: Purpose
    place: int
    ship: str
    among: tuple[str, ...]
    face: int


class OrderSet(Event, frozen=True):
    """An order of ships, first to last, with what decided each place."""

    purpose: Purpose
    places: tuple[Place, ...]


class EnergySpent(Event, frozen=True):
    """What a ship buys with movement energy: `change` of speed and turn `bonus`. `left` is lost."""

    ship: str
    change: int
    bonus: int
    cost: int
    left: int
    size: int
    before: int
    speed: int


class NoShot(Event, frozen=True):
    """A ship with attack energy can fire at nobody. `reason` tells it of the nearest enemy, `target`."""

    ship: str
    target: str | None
    reason: str


class FireDeclared(Event, frozen=True):
    """A ship has declared its fire, in secret."""

    ship: str
    aim: Secret[Aim]


class FireShown(Event, frozen=True):
    """All declared fire lies open; `held` are ships that could fire and do not."""

    salvos: tuple[Salvo, ...]
    held: tuple[str, ...]

    @classmethod
    def reveals(cls) -> bool:
        """What was secret lies open."""
        return True


class ShotRolled(Event, frozen=True):
    """A roll to hit: the die and the aim against the range. A hit does charge and Size Class in damage."""

    ship: str
    target: str
    face: int
    aim: int
    range: int
    charge: int
    size: int
    hit: bool
    damage: int
    start: Hex
    end: Hex


class FireStopped(Event, frozen=True):
    """A target's defence takes all the damage of the turn."""

    ship: str
    hits: tuple[int, ...]
    defence: int


class DamageRolled(Event, frozen=True):
    """A die for each point of damage that defence left. `boxes` are marked now.

    `moved` are points that went to the Hull because their system had no box left, by that system; `beyond`
    is how many found no Hull box either.
    """

    ship: str
    hits: tuple[int, ...]
    defence: int
    dice: tuple[int, ...]
    boxes: Boxes
    moved: Boxes
    beyond: int
    hull_left: int


class Destroyed(Event, frozen=True):
    """A ship has no Hull box left."""

    ship: str
    by: tuple[str, ...]
    hex: Hex


class TurnTried(Event, frozen=True):
    """A ship will try to turn by `sides` hex-sides before its next hex."""

    ship: str
    side: Side
    sides: int


class TurnRolled(Event, frozen=True):
    """A turn roll: each die with the bonus against speed, and the heading after it.

    `engine`: an Engine box is marked. `bonus_left` is the bonus for later tries.
    """

    ship: str
    side: Side
    sides: int
    dice: tuple[int, ...]
    die: int
    bonus: int
    speed: int
    success: bool
    engine: bool
    facing: int
    bonus_left: int


class Moved(Event, frozen=True):
    """A ship enters the hexes of `path`, straight ahead; `left` are still to come."""

    ship: str
    path: tuple[Hex, ...]
    facing: int
    left: int


class Stopped(Event, frozen=True):
    """A ship ends its move with `left` hexes unused."""

    ship: str
    left: int


class Withdrew(Event, frozen=True):
    """A ship leaves the board for good from `hex`, at the end of `path`."""

    ship: str
    path: tuple[Hex, ...]
    hex: Hex
    facing: int


class Repaired(Event, frozen=True):
    """Damage Control repairs a box. `left` is the energy that it has still; `over`: no other can follow."""

    ship: str
    system: System
    cost: int
    left: int
    over: bool


class RepairsEnded(Event, frozen=True):
    """A ship repairs no more; `lost` is the energy left over."""

    ship: str
    lost: int


EVENTS: tuple[type[Event], ...] = (
    OrderGiven,
    OrdersShown,
    NoPower,
    EnergyRolled,
    DieKept,
    DieLifted,
    DieRerolled,
    TieRolled,
    OrderSet,
    EnergySpent,
    NoShot,
    FireDeclared,
    FireShown,
    ShotRolled,
    FireStopped,
    DamageRolled,
    Destroyed,
    TurnTried,
    TurnRolled,
    Moved,
    Stopped,
    Withdrew,
    Repaired,
    RepairsEnded,
)


def evolve(state: State, event: Event) -> State:
    """The position after a fact."""
    match event:
        case PhaseBegan(phase="energy"):
            return _new_turn(state)
        case OrdersShown(cards=cards):
            ships = {name: _shown(ship, cards) for name, ship in state.ships.items()}
            return replace(state, ships=ships, shots=())
        case TieRolled():
            tie = Tie(event.place, event.ship, event.among, event.face)
            return replace(state, ties=(*state.ties, tie))
        case OrderSet(purpose="spending", places=places):
            return replace(state, spending=places, ties=())
        case OrderSet(places=places):
            return replace(state, order=places, ties=())
        case FireShown() | ShotRolled() | FireStopped() | DamageRolled():
            return _fired(state, event)
        case Destroyed(ship=name) | Withdrew(ship=name):
            ship = _gone(state.ships[name], event)
            state = with_ship(state, replace(ship, lost=state.turn))
            return replace(state, shots=()) if isinstance(event, Withdrew) else state
        case Moved(ship=name):
            # The shots lay between ships that stood where they fired.
            state = replace(state, shots=())
            return with_ship(state, _ship(state.ships[name], event))
        case _:
            name: str | None = getattr(event, "ship", None)
            return state if name is None else with_ship(state, _ship(state.ships[name], event))


def _new_turn(state: State) -> State:
    """What was known for one turn only is wiped; trails stay until the next move."""
    ships = {name: _rested(ship) for name, ship in state.ships.items()}
    return replace(state, ships=ships, ties=(), spending=None, order=None, salvos=None, struck=())


def _rested(ship: Ship) -> Ship:
    return Ship(
        id=ship.id,
        seat=ship.seat,
        name=ship.name,
        kind=ship.kind,
        crew=ship.crew,
        hex=ship.hex,
        facing=ship.facing,
        speed=ship.speed,
        status=ship.status,
        lost=ship.lost,
        marked=ship.marked,
        trail=ship.trail,
    )


def _shown(ship: Ship, cards: Mapping[str, Card]) -> Ship:
    return replace(ship, order=None, card=cards.get(ship.id))


def _gone(ship: Ship, event: Destroyed | Withdrew) -> Ship:
    if isinstance(event, Destroyed):
        return replace(ship, status="destroyed", trail=())
    return replace(ship, status="withdrawn", hex=event.hex, move=Move(), trail=())


def _fired(state: State, event: FireShown | ShotRolled | FireStopped | DamageRolled) -> State:
    """Weapons Fire, from the moment when it is shown."""
    match event:
        case FireShown(salvos=salvos):
            for salvo in salvos:
                ship = state.ships[salvo.ship]
                state = with_ship(state, replace(ship, energy=_with(ship, attack=0)))
            return replace(state, salvos=salvos, shots=())
        case ShotRolled():
            salvos = tuple(
                replace(one, hit=event.hit) if one.ship == event.ship else one
                for one in state.salvos or ()
            )
            shot = Shot(event.ship, event.target, event.start, event.end, event.hit)
            return replace(state, salvos=salvos, shots=(*state.shots, shot))
        case FireStopped() | DamageRolled():
            ship = state.ships[event.ship]
            left = max(0, event.defence - sum(event.hits))
            marked = ship.marked
            if isinstance(event, DamageRolled):
                for system in SYSTEMS:
                    marked = marked.more(system, event.boxes.of(system))
            ship = replace(ship, marked=marked, energy=_with(ship, defence=left))
            return with_ship(replace(state, struck=(*state.struck, event.ship)), ship)


def _with(ship: Ship, **points: int) -> Energy:
    changed: dict[str, Any] = {**points}
    return replace(ship.energy or Energy(), **changed)


def _ship(ship: Ship, event: Event) -> Ship:
    """The ship after a fact about it."""
    match event:
        case OrderGiven(card=card):
            return replace(ship, order=card)
        case NoPower():
            return replace(ship, dealt=Energy(), energy=Energy(), settled=True)
        case EnergyRolled(dice=dice, shares=shares):
            energy = _energy(shares)
            return replace(ship, dice=dice, dealt=energy, energy=energy)
        case DieKept():
            return replace(ship, settled=True)
        case DieLifted(die=die):
            return replace(ship, rerolling=die)
        case DieRerolled(die=die, dice=dice, shares=shares):
            known = (*ship.rerolled, die)
            energy = _energy(shares)
            again = replace(ship, dealt=energy, energy=energy)
            return replace(again, dice=dice, rerolled=known, rerolling=None)
        case EnergySpent(speed=speed, bonus=bonus):
            # What is not spent is lost (WIS-SQ-2); it stays to be seen.
            energy = _with(ship, movement=event.left)
            return replace(ship, speed=speed, bonus=bonus, spent=True, energy=energy)
        case NoShot():
            return replace(ship, silent=True)
        case FireDeclared(aim=aim):
            return replace(ship, fire=aim)
        case Repaired(system=system, left=left, over=over):
            marked = ship.marked.more(system, -1)
            return replace(ship, marked=marked, energy=_with(ship, dc=left), repaired=over)
        case RepairsEnded():
            return replace(ship, repaired=True)
        case _:
            return _moved(ship, event)


def _energy(shares: tuple[Share, ...]) -> Energy:
    gained: dict[str, int] = {share.use: share.gained for share in shares}
    return Energy(**gained)


def _moved(ship: Ship, event: Event) -> Ship:
    """The ship after a fact of its move."""
    match event:
        case TurnTried(side=side, sides=sides):
            return replace(ship, move=replace(ship.move, side=side, sides=sides))
        case TurnRolled(facing=facing, engine=engine, bonus_left=bonus):
            marked = ship.marked.more("engine") if engine else ship.marked
            move = replace(ship.move, tried=True)
            return replace(ship, facing=facing, marked=marked, bonus=bonus, move=move)
        case Moved(path=path):
            trail = (ship.trail if ship.move.flown else (ship.hex,)) + path
            move = Move(flown=ship.move.flown + len(path))
            return replace(ship, hex=path[-1], move=move, trail=trail)
        case Stopped():
            return replace(ship, move=replace(ship.move, stopped=True))
        case _:
            return ship
