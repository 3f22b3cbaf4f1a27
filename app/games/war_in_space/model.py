"""The nouns: class, ship, card, energy, boxes, state. Data only, with the questions one value can answer.

Belongs here: what a position is made of. Does not belong here: rules, or how a position changes.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from app.engine.hexes import Board, Hex
from app.engine.secret import Secret
from app.engine.sequence import GameState

Suit = Literal["spades", "clubs", "hearts", "diamonds"]
Action = Literal["attack", "defence", "movement"]
Use = Literal["attack", "defence", "movement", "dc"]
"""What energy is for: an action, or Damage Control."""
System = Literal["hull", "weapon", "shield", "engine", "power"]
Crew = Literal["green", "regular", "veteran", "elite"]
Side = Literal["left", "right"]
Status = Literal["fighting", "withdrawn", "destroyed"]
Switch = Literal["on", "off"]

ACTIONS: tuple[Action, ...] = ("attack", "defence", "movement")
USES: tuple[Use, ...] = (*ACTIONS, "dc")
SYSTEMS: tuple[System, ...] = ("hull", "weapon", "shield", "engine", "power")

EXPERIENCE: Mapping[Crew, int] = {"green": 1, "regular": 2, "veteran": 3, "elite": 4}
"""The levels of experience (WIS-XP-2)."""


class Pattern(Struct, frozen=True, forbid_unknown_fields=True):
    """Which actions each suit serves: the Primary one, then the Secondary one."""

    id: str
    title: str
    suits: Mapping[Suit, tuple[Action, Action]]


class ShipClass(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of Table 1. `turn_die` and `energy_die` are sides; `systems` the boxes of each system."""

    id: str
    title: str
    size: Annotated[int, Meta(ge=1, le=5)]
    turn_die: int
    energy_die: int
    systems: int
    hull: int
    points: int
    pattern: Pattern

    def __hash__(self) -> int:
        """Bots remember by it; the whole of it is compared."""
        return hash(self.id)


class Rulings(Struct, frozen=True):
    """How this table settles what the text leaves open; see `rulings.toml`."""

    weapons: Switch = "on"
    victory: Switch = "on"
    bonus_scope: Literal["turn", "attempt"] = "turn"
    xp_effects: Switch = "off"
    whole_distance: Literal["must", "may"] = "must"
    hard_turn_without_engine: Literal["no", "yes"] = "no"


class Boxes(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Numbers of boxes by system."""

    hull: Annotated[int, Meta(ge=0)] = 0
    weapon: Annotated[int, Meta(ge=0)] = 0
    shield: Annotated[int, Meta(ge=0)] = 0
    engine: Annotated[int, Meta(ge=0)] = 0
    power: Annotated[int, Meta(ge=0)] = 0

    def of(self, system: System) -> int:
        """The number of one system."""
        count: int = getattr(self, system)
        return count

    def more(self, system: System, by: int = 1) -> "Boxes":
        """The same with more (or fewer) of one system."""
        return msgspec.structs.replace(self, **{system: self.of(system) + by})


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """An order: a suit, a court card (`allout`) or not, and Damage Control announced or not."""

    suit: Suit
    allout: bool
    dc: bool


class Energy(Struct, frozen=True, omit_defaults=True):
    """Energy points by use, as they are left this turn."""

    attack: int = 0
    defence: int = 0
    movement: int = 0
    dc: int = 0

    def of(self, use: Use) -> int:
        """The points for one use."""
        points: int = getattr(self, use)
        return points


class Aim(Struct, frozen=True, omit_defaults=True):
    """What a ship declares in Weapons Fire: a target and the bonus bought; no target: it holds fire."""

    target: str | None = None
    aim: int = 0


class Salvo(Struct, frozen=True, omit_defaults=True):
    """A declared shot. `range` is in hexes, `damage` what a hit does; `hit` is None until it is rolled for."""

    ship: str
    target: str
    aim: int
    charge: int
    range: int
    damage: int
    hit: bool | None = None


class Shot(Struct, frozen=True):
    """A shot that was fired, for the board: from where, at whom, and whether it hit."""

    ship: str
    target: str
    start: Hex
    end: Hex
    hit: bool


class Move(Struct, frozen=True, omit_defaults=True):
    """How far a ship's move has come.

    `side` is the turn it tries before the next hex, by `sides` hex-sides; None: no try is open. `tried`:
    its dice have fallen. `stopped`: its owner has ended the move early.
    """

    flown: int = 0
    side: Side | None = None
    sides: int = 1
    tried: bool = False
    stopped: bool = False


class Ship(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A ship in play.

    `marked` are the boxes marked out. `order` is the card while it lies face down, `card` once it is shown.
    `dice` are this turn's energy dice, `rerolled` which of them were thrown again, `rerolling` the one that
    is to be; `settled`: they stand. `dealt` is the energy that they gave, `energy` what is left of it, both
    None before. `spent`: movement energy has been dealt with. `bonus` is the turn bonus. `fire` is what it declared, `silent`:
    it can't fire this turn. `lost` is the turn in which it was destroyed or withdrew.
    """

    id: str
    seat: str
    name: str
    kind: ShipClass
    crew: Crew
    hex: Hex
    facing: int
    speed: int
    status: Status = "fighting"
    lost: int | None = None
    marked: Boxes = Boxes()
    order: Secret[Card] | None = None
    card: Card | None = None
    dice: tuple[int, ...] | None = None
    rerolled: tuple[int, ...] = ()
    rerolling: int | None = None
    settled: bool = False
    dealt: Energy | None = None
    energy: Energy | None = None
    spent: bool = False
    bonus: int = 0
    fire: Secret[Aim] | None = None
    silent: bool = False
    move: Move = Move()
    repaired: bool = False
    trail: tuple[Hex, ...] = ()

    @property
    def size(self) -> int:
        """The Size Class."""
        return self.kind.size

    @property
    def experience(self) -> int:
        """The level that puts ships in order (WIS-XP-1)."""
        return EXPERIENCE[self.crew]

    def total(self, system: System) -> int:
        """All boxes of a system, marked or not."""
        return self.kind.hull if system == "hull" else self.kind.systems

    def unmarked(self, system: System) -> int:
        """The boxes of a system that are left."""
        return self.total(system) - self.marked.of(system)

    def has(self, use: Use) -> int:
        """Energy left for a use; 0 before the dice."""
        return self.energy.of(use) if self.energy is not None else 0

    @property
    def crippled(self) -> bool:
        """Whether half or more of its Hull boxes are marked (WIS-VC-3)."""
        return 2 * self.marked.hull >= self.kind.hull

    @property
    def powerless(self) -> bool:
        """Whether all its Power boxes are marked (WIS-EA-11)."""
        return self.unmarked("power") == 0

    @property
    def steps_left(self) -> int:
        """Hexes that it has still to enter this turn."""
        return 0 if self.move.stopped else self.speed - self.move.flown


class Tie(Struct, frozen=True):
    """A place in an order that a die gave to one of several ships. `place` counts from 0."""

    place: int
    ship: str
    among: tuple[str, ...]
    face: int


class Place(Struct, frozen=True):
    """A place in the order of movement (WIS-MO-1 to WIS-MO-3), and what decided it.

    `first` says why its side begins, "" for later places; `by` is what set the ship apart from others of
    its side ("alone" where there was none), and `crew`, `speed`, `size` what was compared.
    """

    ship: str
    crew: Crew
    speed: int
    size: int
    by: Literal["alone", "crew", "speed", "size", "die"]
    first: Literal["", "more", "equal"] = ""


class State(GameState, frozen=True, kw_only=True):
    """A position.

    `spending` is the order in which movement energy is spent, `order` that of Movement; None until they
    are set. `ties` are the dice for the one that is being made. `salvos` is all declared fire of the turn,
    `struck` the targets whose damage has been dealt with, `shots` the last fire, for the board.
    """

    board: Board
    turns: int
    rulings: Rulings
    sides: Mapping[str, str]
    ships: Mapping[str, Ship]
    ties: tuple[Tie, ...] = ()
    spending: tuple[Place, ...] | None = None
    order: tuple[Place, ...] | None = None
    salvos: tuple[Salvo, ...] | None = None
    struck: tuple[str, ...] = ()
    shots: tuple[Shot, ...] = ()

    def fighting(self) -> Iterator[Ship]:
        """The ships on the board, in the order of the set-up."""
        return (ship for ship in self.ships.values() if ship.status == "fighting")


def with_ship(state: State, ship: Ship) -> State:
    """The state with this ship in place of the one of the same id."""
    return msgspec.structs.replace(state, ships={**state.ships, ship.id: ship})
