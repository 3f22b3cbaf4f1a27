"""Facts, and the position that each one leads to.

Belongs here: what can be written in the log, with all that is needed to tell it, and the bookkeeping.
Does not belong here: rules. A fact already holds what the rules made of it; here it is written down.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.engine.hexes import Hex
from app.engine.log import Event, PhaseBegan
from app.games.osaaf.model import (
    Arm,
    Attack,
    Edge,
    Energy,
    Heading,
    Jet,
    Move,
    Place,
    Plan,
    Shot,
    Side,
    Skill,
    State,
    Stores,
    with_jet,
)

Band = Literal["low", "middle", "high"]
MoveChoice = Literal[
    "ahead", "left", "right", "ahead-all", "left-all", "right-all", "left-2", "right-2", "about"
]


class SunRolled(Event, frozen=True):
    """A die for the edge over which the sun stands; None: roll again."""

    face: int
    edge: Edge | None


class Returned(Event, frozen=True):
    """A jet comes back to the board, its heading reversed."""

    jet: str
    hex: Hex
    facing: int


class InitiativeRolled(Event, frozen=True):
    """A jet's initiative for this turn: the die and what its pilot's skill adds."""

    jet: str
    face: int
    skill: Skill
    bonus: int

    @property
    def total(self) -> int:
        """What counts."""
        return self.face + self.bonus


class InitiativeTieRolled(Event, frozen=True):
    """A jet's die in a roll-off with others of the same initiative."""

    jet: str
    face: int


class OrderSet(Event, frozen=True):
    """The order of Energy Management this turn, first to last."""

    jets: tuple[str, ...]
    rolled: bool


class PlanChosen(Event, frozen=True):
    """A jet's hard manoeuvres and afterburner, and the dice that are left for its energy roll."""

    jet: str
    plan: Plan
    dice: int


class EnergyRolled(Event, frozen=True):
    """An energy roll: the dice as thrown, which of them count, and the Speed gained in all.

    `altitude` and `band` say which dice go; `factor` is the Energy Factor to beat.
    """

    jet: str
    dice: tuple[int, ...]
    kept: tuple[bool, ...]
    altitude: int
    band: Band
    factor: int
    afterburner: bool
    gain: int


class EngineOut(Event, frozen=True):
    """A jet has no fuel, so there is no energy roll for it and no gain."""

    jet: str


class Dragged(Event, frozen=True):
    """Drag: the Speed before it, with the roll's gain, and after it."""

    jet: str
    before: int
    speed: int


class AltitudeChosen(Event, frozen=True):
    """A climb (`change` above 0), a dive (below 0) or level flight, and the Speed that it brings."""

    jet: str
    altitude: int
    change: int
    speed: int


class BrakesChosen(Event, frozen=True):
    """How much of its gains a jet refuses with speed brakes, and how much it could have."""

    jet: str
    refused: int
    most: int


class EnergySettled(Event, frozen=True):
    """A jet's Speed for this turn. `raw` is what the sum gave before the maximum and the floor of 0."""

    jet: str
    start: int
    gain: int
    drag: int
    traded: int
    refused: int
    raw: int
    speed: int


class Stalled(Event, frozen=True):
    """A jet ended Energy Management at Speed 0."""

    jet: str


class Recovered(Event, frozen=True):
    """A stalled jet has Speed again."""

    jet: str


class MoveTieRolled(Event, frozen=True):
    """A jet's die for its place in the order of movement."""

    jet: str
    face: int


class MoveOrderSet(Event, frozen=True):
    """The order of movement this turn, with what decided each place."""

    places: tuple[Place, ...]
    sun: Edge | None


class MoveChosen(Event, frozen=True):
    """What a jet does about its next hex, or ("-all") about all the hexes it has left."""

    jet: str
    choice: MoveChoice
    hexes: int


class TurnRolled(Event, frozen=True):
    """A turn roll: the die that counts and the hard turns' bonus against Speed; the heading after it."""

    jet: str
    side: Side
    dice: tuple[int, ...]
    kept: tuple[bool, ...]
    face: int
    bonus: int
    speed: int
    success: bool
    facing: int


class Flew(Event, frozen=True):
    """A jet enters the hexes of `path`, straight ahead; `left` are still to be flown."""

    jet: str
    path: tuple[Hex, ...]
    facing: int
    left: int


class StuntRolled(Event, frozen=True):
    """One of the turn rolls of an aerobatic turn by `sides` hex-sides; it is the roll number `roll` of them.

    `over`: no further roll follows. The heading changes when all of them have succeeded.
    """

    jet: str
    side: Side
    sides: int
    roll: int
    dice: tuple[int, ...]
    kept: tuple[bool, ...]
    face: int
    bonus: int
    speed: int
    success: bool
    over: bool
    facing: int


class SpeedLost(Event, frozen=True):
    """At the end of its move a jet pays for an aerobatic turn that failed."""

    jet: str
    speed: int


class LeftBoard(Event, frozen=True):
    """A jet flies off the board; it is due back at the start of turn `back`, or has disengaged.

    `speed` is given when it had failed an aerobatic turn on its way and leaves slower than it came.
    """

    jet: str
    hex: Hex
    back: int | None
    speed: int | None = None


class StallDropped(Event, frozen=True):
    """A stalled jet falls to `altitude` instead of moving."""

    jet: str
    altitude: int


class Crashed(Event, frozen=True):
    """A stalled jet hits the ground."""

    jet: str
    hex: Hex


class Modifier(Struct, frozen=True):
    """What is added to an attack's die, and for what."""

    reason: str
    value: int


class NoShot(Event, frozen=True):
    """A jet can attack nobody. `reason` tells it of the nearest enemy, `target`, if there is one."""

    jet: str
    target: str | None
    reason: str


class FireHeld(Event, frozen=True):
    """A jet that could attack does not."""

    jet: str


class AttackChosen(Event, frozen=True):
    """A jet attacks: its weapon, its target and the range in hexes. The burst or missile is spent."""

    jet: str
    target: str
    arm: Arm
    range: int


class Attacked(Event, frozen=True):
    """An attack roll: the die that counts and what was added to it, against the number to beat."""

    jet: str
    target: str
    arm: Arm
    dice: tuple[int, ...]
    kept: tuple[bool, ...]
    face: int
    modifiers: tuple[Modifier, ...]
    score: int
    needed: int
    hit: bool
    damage: int
    start: Hex
    end: Hex


class ShotDown(Event, frozen=True):
    """A jet has as many hits as its Toughness, or more."""

    jet: str
    by: str
    hex: Hex
    hits: int
    toughness: int


class Burn(Struct, frozen=True):
    """The fuel that a jet has used this turn, and what is left."""

    jet: str
    cost: int
    left: int


class FuelBurnt(Event, frozen=True):
    """The end of a turn: each jet's fuel."""

    burns: tuple[Burn, ...]


EVENTS: tuple[type[Event], ...] = (
    SunRolled,
    Returned,
    InitiativeRolled,
    InitiativeTieRolled,
    OrderSet,
    PlanChosen,
    EnergyRolled,
    EngineOut,
    Dragged,
    AltitudeChosen,
    BrakesChosen,
    EnergySettled,
    Stalled,
    Recovered,
    MoveTieRolled,
    MoveOrderSet,
    MoveChosen,
    TurnRolled,
    StuntRolled,
    Flew,
    SpeedLost,
    LeftBoard,
    StallDropped,
    Crashed,
    NoShot,
    FireHeld,
    AttackChosen,
    Attacked,
    ShotDown,
    FuelBurnt,
)


def evolve(state: State, event: Event) -> State:
    """The position after a fact."""
    match event:
        case PhaseBegan(phase="initiative"):
            return _new_turn(state)
        case SunRolled(edge=edge):
            return replace(state, sun=edge)
        case OrderSet(jets=order):
            return replace(state, order=order)
        case MoveOrderSet(places=places):
            return replace(state, places=places, shots=())
        case Attacked():
            return _attacked(state, event)
        case FuelBurnt(burns=burns):
            return _burnt(state, burns)
        case Crashed(jet=name) | ShotDown(jet=name):
            status = "crashed" if isinstance(event, Crashed) else "shot-down"
            jet = replace(state.jets[name], status=status, lost=state.turn, trail=())
            return with_jet(state, jet)
        case _:
            name: str | None = getattr(event, "jet", None)
            return state if name is None else with_jet(state, _jet(state.jets[name], event))


def _new_turn(state: State) -> State:
    """What was known for one turn only is wiped; trails stay until the next move."""
    jets = {
        name: replace(jet, initiative=(), tie=(), energy=Energy(), move=Move(), attack=None)
        for name, jet in state.jets.items()
    }
    return replace(state, jets=jets, order=None, places=None, burnt=False)


def _attacked(state: State, event: Attacked) -> State:
    """The attack is done, and the target has its hits."""
    shooter, target = state.jets[event.jet], state.jets[event.target]
    shot = Shot(event.jet, event.target, event.arm, event.start, event.end, event.hit)
    state = replace(state, shots=(*state.shots, shot))
    state = with_jet(state, replace(shooter, attack=Attack(event.arm, event.target, rolled=True)))
    return with_jet(state, replace(target, hits=target.hits + event.damage))


def _burnt(state: State, burns: tuple[Burn, ...]) -> State:
    left = {burn.jet: replace(state.jets[burn.jet], fuel=burn.left) for burn in burns}
    return replace(state, jets={**state.jets, **left}, burnt=True)


def _jet(jet: Jet, event: Event) -> Jet:
    """The jet after a fact about it."""
    match event:
        case Returned(hex=place, facing=facing):
            return replace(jet, status="flying", back=None, hex=place, facing=facing, trail=())
        case InitiativeRolled(total=rolled) | InitiativeTieRolled(face=rolled):
            return replace(jet, initiative=(*jet.initiative, rolled))
        case MoveTieRolled(face=face):
            return replace(jet, tie=(*jet.tie, face))
        case Stalled():
            return replace(jet, stalled=True)
        case Recovered():
            return replace(jet, stalled=False)
        case StallDropped(altitude=altitude):
            return replace(jet, altitude=altitude, move=Move(dropped=True), trail=())
        case MoveChosen() | TurnRolled() | StuntRolled() | Flew() | SpeedLost() | LeftBoard():
            return _moved(jet, event)
        case NoShot() | FireHeld():
            return replace(jet, attack=Attack())
        case AttackChosen(target=target, arm=arm):
            stores = _one_less(jet.stores, arm)
            return replace(jet, attack=Attack(arm, target), stores=stores)
        case _:
            return _energy(jet, event)


def _one_less(stores: Stores, arm: Arm) -> Stores:
    return replace(stores, **{arm: stores.of(arm) - 1})


def _energy(jet: Jet, event: Event) -> Jet:
    """The jet after a fact of Energy Management."""
    known = jet.energy
    match event:
        case PlanChosen(plan=plan):
            return replace(jet, energy=replace(known, plan=plan))
        case EnergyRolled(gain=gain):
            return replace(jet, energy=replace(known, gain=gain))
        case EngineOut():
            return replace(jet, energy=replace(known, gain=0))
        case Dragged(speed=speed):
            return replace(jet, energy=replace(known, dragged=speed))
        case AltitudeChosen(altitude=altitude, change=change):
            return replace(jet, altitude=altitude, energy=replace(known, change=change))
        case BrakesChosen(refused=refused):
            return replace(jet, energy=replace(known, refused=refused))
        case EnergySettled(speed=speed):
            return replace(jet, speed=speed, energy=replace(known, settled=True))
        case _:
            return jet


_HEADINGS: dict[MoveChoice, tuple[Heading, bool, int]] = {
    "ahead": ("ahead", False, 1),
    "left": ("left", False, 1),
    "right": ("right", False, 1),
    "ahead-all": ("ahead", True, 1),
    "left-all": ("left", True, 1),
    "right-all": ("right", True, 1),
    "left-2": ("left", False, 2),
    "right-2": ("right", False, 2),
    "about": ("right", False, 3),
}
"""Heading, whether it stands, and hex-sides to turn at once."""


def _moved(
    jet: Jet, event: MoveChosen | TurnRolled | StuntRolled | Flew | SpeedLost | LeftBoard
) -> Jet:
    """The jet after a fact of its move."""
    move = jet.move
    match event:
        case MoveChosen(choice=choice):
            heading, standing, sides = _HEADINGS[choice]
            move = replace(move, heading=heading, standing=standing, sides=sides)
            return replace(jet, move=move)
        case TurnRolled(facing=facing):
            return replace(jet, facing=facing, move=replace(move, tried=True))
        case StuntRolled(facing=facing, success=success, over=over):
            won = move.won + 1 if success else move.won
            move = replace(move, tried=over, won=won, stunt=True, slowed=not success)
            return replace(jet, facing=facing, move=move)
        case Flew(path=path, left=left):
            going = move.standing and left > 0
            after = Move(
                flown=move.flown + len(path),
                heading=move.heading if going else "",
                standing=going,
                stunt=move.stunt,
                slowed=move.slowed,
            )
            trail = (jet.trail if move.flown else (jet.hex,)) + path
            return replace(jet, hex=path[-1], move=after, trail=trail)
        case SpeedLost(speed=speed):
            # It has flown the hexes of its old Speed: none is left to fly at the new one.
            return replace(jet, speed=speed, move=replace(move, slowed=False))
        case LeftBoard(back=back, speed=speed):
            status = "gone" if back is None else "away"
            speed = jet.speed if speed is None else speed
            return replace(jet, status=status, back=back, speed=speed, move=Move(), trail=())
