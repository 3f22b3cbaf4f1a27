"""Facts, and the position that each one leads to.

Belongs here: what can be written in the log, with all that is needed to tell it, and the bookkeeping.
Does not belong here: rules. A fact already holds what the rules made of it; here it is written down.
"""

from typing import Literal

from msgspec.structs import replace

from app.engine.hexes import Hex
from app.engine.log import Event, PhaseBegan
from app.games.osaaf.model import (
    Edge,
    Energy,
    Heading,
    Jet,
    Move,
    Place,
    Plan,
    Side,
    Skill,
    State,
    with_jet,
)

Band = Literal["low", "middle", "high"]
MoveChoice = Literal["ahead", "left", "right", "ahead-all", "left-all", "right-all"]


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


class LeftBoard(Event, frozen=True):
    """A jet flies off the board; it is due back at the start of turn `back`, or never."""

    jet: str
    hex: Hex
    back: int | None


class StallDropped(Event, frozen=True):
    """A stalled jet falls to `altitude` instead of moving."""

    jet: str
    altitude: int


class Crashed(Event, frozen=True):
    """A stalled jet hits the ground."""

    jet: str
    hex: Hex


EVENTS: tuple[type[Event], ...] = (
    SunRolled,
    Returned,
    InitiativeRolled,
    InitiativeTieRolled,
    OrderSet,
    PlanChosen,
    EnergyRolled,
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
    Flew,
    LeftBoard,
    StallDropped,
    Crashed,
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
            return replace(state, places=places)
        case _:
            name: str | None = getattr(event, "jet", None)
            return state if name is None else with_jet(state, _jet(state.jets[name], event))


def _new_turn(state: State) -> State:
    """What was known for one turn only is wiped; trails stay until the next move."""
    jets = {
        name: replace(jet, initiative=(), tie=(), energy=Energy(), move=Move())
        for name, jet in state.jets.items()
    }
    return replace(state, jets=jets, order=None, places=None)


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
        case Crashed():
            return replace(jet, status="crashed", trail=())
        case MoveChosen() | TurnRolled() | Flew() | LeftBoard():
            return _moved(jet, event)
        case _:
            return _energy(jet, event)


def _energy(jet: Jet, event: Event) -> Jet:
    """The jet after a fact of Energy Management."""
    known = jet.energy
    match event:
        case PlanChosen(plan=plan):
            return replace(jet, energy=replace(known, plan=plan))
        case EnergyRolled(gain=gain):
            return replace(jet, energy=replace(known, gain=gain))
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


_HEADINGS: dict[MoveChoice, tuple[Heading, bool]] = {
    "ahead": ("ahead", False),
    "left": ("left", False),
    "right": ("right", False),
    "ahead-all": ("ahead", True),
    "left-all": ("left", True),
    "right-all": ("right", True),
}


def _moved(jet: Jet, event: MoveChosen | TurnRolled | Flew | LeftBoard) -> Jet:
    """The jet after a fact of its move."""
    move = jet.move
    match event:
        case MoveChosen(choice=choice):
            heading, standing = _HEADINGS[choice]
            return replace(jet, move=replace(move, heading=heading, standing=standing))
        case TurnRolled(facing=facing):
            return replace(jet, facing=facing, move=replace(move, tried=True))
        case Flew(path=path, left=left):
            going = move.standing and left > 0
            after = Move(move.flown + len(path), move.heading if going else "", going)
            trail = (jet.trail if move.flown else (jet.hex,)) + path
            return replace(jet, hex=path[-1], move=after, trail=trail)
        case LeftBoard(back=back):
            status = "gone" if back is None else "away"
            return replace(jet, status=status, back=back, move=Move(), trail=())
