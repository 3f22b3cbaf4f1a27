"""The nouns: aircraft, jet, plan, state. Data only, with the questions that one value can answer.

Belongs here: what a position is made of. Does not belong here: rules, or how a position changes.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from app.engine.hexes import Board, Hex
from app.engine.sequence import GameState

Maneuverability = Literal["low", "medium", "high"]
Quality = Literal["low", "medium", "high"]
Skill = Literal["rookie", "regular", "veteran", "ace"]
Edge = Literal["N", "E", "S", "W"]
Side = Literal["left", "right"]
Heading = Literal["", "ahead", "left", "right"]
Status = Literal["flying", "away", "gone", "crashed", "shot-down"]
Arm = Literal["gun", "heat_seeker", "radar_missile"]
Switch = Literal["on", "off"]

LOWEST, HIGHEST = 1, 9
"""The scale of Altitude (OSAAF-CO-2)."""

WORST_FACTOR = 5
"""The end of the scale of Energy Factors (OSAAF-CO-4)."""

SIDE_NAMES: Mapping[Edge, str] = {"N": "north", "E": "east", "S": "south", "W": "west"}


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon on a card: its quality and how many bursts or missiles there are."""

    quality: Quality
    shots: Annotated[int, Meta(ge=1, le=20)]


class Aircraft(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit card. Energy Factor: lower is better (OSAAF-CO-4). `glyph` names its silhouette.

    `toughness` is how many hits destroy it, `fuel` how many turns it flies without afterburner.
    """

    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9.-]{0,23}$")]
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    maneuverability: Maneuverability
    energy_factor: Annotated[int, Meta(ge=1, le=5)]
    max_speed: Annotated[int, Meta(ge=1, le=12)]
    ceiling: Annotated[int, Meta(ge=LOWEST, le=HIGHEST)] = HIGHEST
    afterburner: bool = False
    gun: Weapon | None = None
    heat_seeker: Weapon | None = None
    radar_missile: Weapon | None = None
    toughness: Annotated[int, Meta(ge=1, le=9)] = 2
    fuel: Annotated[int, Meta(ge=1, le=99)] = 24
    glyph: Literal["delta", "swept", "straight", "heavy"] = "swept"


class Rulings(Struct, frozen=True):
    """How this table settles what the text leaves open; see `rulings.toml`."""

    alt6_band: Literal["mid", "high"] = "mid"
    min_energy_dice: Literal["2", "3"] = "2"
    initiative: Switch = "on"
    refuse_afterburner: Literal["yes", "no"] = "yes"
    unpaid_climb: Literal["no", "yes"] = "no"
    speed_floor: Literal["end", "each_step"] = "end"
    stall: Switch = "on"
    aerobatics: Switch = "off"
    combat: Switch = "on"
    fuel: Switch = "on"
    edge: Switch = "on"
    victory: Switch = "on"


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """What a jet chose before its energy roll (OSAAF-EN-3, OSAAF-EN-5)."""

    hard_turns: int
    jink: bool
    aim: bool
    afterburner: bool

    @property
    def manoeuvres(self) -> int:
        """How many hard manoeuvres it makes."""
        return self.hard_turns + self.jink + self.aim


class Energy(Struct, frozen=True, omit_defaults=True):
    """What is known of a jet's Energy Management this turn; None where it is not there yet.

    `gain` is the Speed won by the roll, afterburner included; `dragged` the Speed after drag, which may
    be above the maximum or below 0; `change` the levels climbed (dived, if negative).
    """

    plan: Plan | None = None
    gain: int | None = None
    dragged: int | None = None
    change: int | None = None
    refused: int | None = None
    settled: bool = False


class Move(Struct, frozen=True, omit_defaults=True):
    """How far a jet's move has come.

    `heading` is what it does about the next hex, "" while that is open; a `standing` one holds for all
    the hexes left. `tried`: the turn before the next hex has been rolled for. `dropped`: it fell in a
    stall instead of moving.

    `sides` is how many hex-sides it tries to turn at once: 1, or more in aerobatics; `won` how many of
    their rolls have succeeded. `stunt`: it has tried aerobatics in this move; `slowed`: in vain.
    """

    flown: int = 0
    heading: Heading = ""
    standing: bool = False
    tried: bool = False
    dropped: bool = False
    sides: int = 1
    won: int = 0
    stunt: bool = False
    slowed: bool = False


class Stores(Struct, frozen=True, omit_defaults=True):
    """What is left of a jet's weapons: bursts of its gun, and missiles."""

    gun: int = 0
    heat_seeker: int = 0
    radar_missile: int = 0

    def of(self, arm: Arm) -> int:
        """How many shots there are of a weapon."""
        count: int = getattr(self, arm)
        return count


class Attack(Struct, frozen=True, omit_defaults=True):
    """What a jet does in this turn's Combat; without an `arm` it does not fire."""

    arm: Arm | None = None
    target: str | None = None
    rolled: bool = False


class Shot(Struct, frozen=True):
    """A shot that was fired, for the board: from where, at whom, and whether it hit."""

    jet: str
    target: str
    arm: Arm
    start: Hex
    end: Hex
    hit: bool


class Jet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An aircraft in play.

    `status`: "away" is off the board and due `back` at the start of that turn; "gone" has disengaged.
    `lost` is the turn in which it crashed or was shot down. `hits` are those it has taken.
    `initiative` is the total this turn and then the roll-offs, `tie` the rolls for its place in the
    order of movement. `trail` is its last move, oldest first.
    """

    id: str
    seat: str
    name: str
    aircraft: Aircraft
    skill: Skill
    hex: Hex
    facing: int
    altitude: int
    speed: int
    stalled: bool = False
    status: Status = "flying"
    back: int | None = None
    lost: int | None = None
    fuel: int = 0
    stores: Stores = Stores()
    hits: int = 0
    initiative: tuple[int, ...] = ()
    tie: tuple[int, ...] = ()
    energy: Energy = Energy()
    move: Move = Move()
    attack: Attack | None = None
    trail: tuple[Hex, ...] = ()

    @property
    def energy_factor(self) -> int:
        """The card's, or one worse once it is damaged, 5 at most (OSAAF-CB-7)."""
        return min(WORST_FACTOR, self.aircraft.energy_factor + (1 if self.hits else 0))

    @property
    def aims(self) -> bool:
        """Whether it took Aim this turn."""
        return self.energy.plan is not None and self.energy.plan.aim

    @property
    def jinks(self) -> bool:
        """Whether it took Jink this turn."""
        return self.energy.plan is not None and self.energy.plan.jink

    @property
    def lit(self) -> bool:
        """Whether its afterburner burns this turn."""
        return self.energy.plan is not None and self.energy.plan.afterburner

    @property
    def hard_turns(self) -> int:
        """Hard turns taken this turn: the bonus on each turn roll."""
        return 0 if self.energy.plan is None else self.energy.plan.hard_turns

    @property
    def hexes_left(self) -> int:
        """Hexes that it has still to enter this turn at its present Speed."""
        return max(0, self.speed - self.move.flown)


class Place(Struct, frozen=True):
    """A jet's place in the order of movement, and what decided it.

    `from_sun` is its distance from the sun's edge (half hexes for north and south, hexes for east and
    west), None at night; `rolls` are its tie rolls; `by` is what set it apart from the others.
    """

    jet: str
    altitude: int
    from_sun: int | None
    rolls: tuple[int, ...]
    by: Literal["altitude", "sun", "die"]


class State(GameState, frozen=True, kw_only=True):
    """A position. `sun` is None until its edge has been rolled; `order` and `places` until they are set.

    `shots` are the last ones fired; `burnt`: this turn's fuel has been counted.
    """

    board: Board
    night: bool
    sun: Edge | None
    turns: int
    rulings: Rulings
    sides: Mapping[str, str]
    jets: Mapping[str, Jet]
    order: tuple[str, ...] | None = None
    places: tuple[Place, ...] | None = None
    shots: tuple[Shot, ...] = ()
    burnt: bool = False

    def flying(self) -> Iterator[Jet]:
        """The jets on the board, in the order of the set-up."""
        return (jet for jet in self.jets.values() if jet.status == "flying")


def with_jet(state: State, jet: Jet) -> State:
    """The state with this jet in place of the one of the same id."""
    return msgspec.structs.replace(state, jets={**state.jets, jet.id: jet})
