"""The nouns: stores, tables of the rules, career, jet, target, contact, state. Data only, with the questions one value can answer.

Belongs here: what a position is made of. Does not belong here: rules, or how a position changes.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from app.engine.sequence import GameState

Weapon = Literal["amraam", "sidewinder", "cannon", "maverick"]
RankName = Literal["2nd Lt", "1st Lt", "Captain", "Major", "Lt Col", "Col"]
Status = Literal["flying", "down", "rescued", "lost", "landed"]
ContactKind = Literal["", "sam", "migs"]
Label = Literal["complete", "partial", "failed"]
Switch = Literal["on", "off"]
Count = Annotated[int, Meta(ge=0, le=9999)]

WEAPON_NAMES: Mapping[Weapon, tuple[str, str]] = {
    "amraam": ("AMRAAM", "AMRAAMs"),
    "sidewinder": ("Sidewinder", "Sidewinders"),
    "cannon": ("cannon", "cannon bursts"),
    "maverick": ("Maverick", "Mavericks"),
}
"""What a weapon is called: one, and several."""

HOME = 25
"""The last waypoint; the first one is home as well (F14-MS-2)."""


class Rulings(Struct, frozen=True):
    """How this table settles what the text leaves open; see `rulings.toml`."""

    contact_last_leg: Switch = "on"
    first_pass_contact: Switch = "on"
    optional_cm: Switch = "off"
    shots_per_mig: Literal["unlimited", "one"] = "unlimited"
    team_points: Literal["both", "destroyer"] = "both"
    aircraft: Literal["f14", "f18"] = "f14"


class Stores(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an aircraft carries. `chaff` is chaff and flares together, one stock (F14-SM-2)."""

    cannon: Annotated[int, Meta(ge=0, le=99)] = 0
    amraam: Annotated[int, Meta(ge=0, le=9)] = 0
    sidewinder: Annotated[int, Meta(ge=0, le=9)] = 0
    maverick: Annotated[int, Meta(ge=0, le=9)] = 0
    chaff: Annotated[int, Meta(ge=0, le=99)] = 0

    def of(self, weapon: Weapon) -> int:
        """How many there are of a weapon."""
        return getattr(self, weapon)

    def without(self, weapon: Weapon) -> "Stores":
        """One less of a weapon."""
        return msgspec.structs.replace(self, **{weapon: self.of(weapon) - 1})


class TargetType(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the target table: `needs` is the damage that destroys it."""

    face: int
    id: str
    name: str
    points: int
    needs: int


class WeaponType(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon: it hits on `hits` or more; `ground` is 0 for what can't be used on a target."""

    id: Weapon
    hits: int
    air: bool = False
    ground: int = 0

    @property
    def name(self) -> str:
        """One of it."""
        return WEAPON_NAMES[self.id][0]

    @property
    def plural(self) -> str:
        """Several."""
        return WEAPON_NAMES[self.id][1]

    def hit(self, face: int) -> bool:
        """Whether a die hits (F14-MG-2, F14-BP-1)."""
        return face >= self.hits


class Aircraft(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type of aircraft: the damage that brings it down, and what it carries."""

    id: str
    name: str
    short: str
    limit: int
    cannon: int
    amraam: int
    sidewinder: int
    maverick: int
    chaff: int

    @property
    def stores(self) -> Stores:
        """A full load."""
        return Stores(
            cannon=self.cannon,
            amraam=self.amraam,
            sidewinder=self.sidewinder,
            maverick=self.maverick,
            chaff=self.chaff,
        )


class Rank(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the promotion table."""

    name: RankName
    missions: int
    points: int


class Award(Struct, frozen=True, forbid_unknown_fields=True):
    """What so many kills earn; a title is no medal."""

    name: str
    kills: int
    title: bool = False


class Cards(Struct, frozen=True):
    """The tables of the rules that a mission is flown by, as they were when it began."""

    targets: tuple[TargetType, ...]
    weapons: tuple[WeaponType, ...]
    aircraft: tuple[Aircraft, ...]
    ranks: tuple[Rank, ...]
    awards: tuple[Award, ...]

    def target(self, face: int) -> TargetType:
        """The row of a face (F14-MS-7)."""
        return next(row for row in self.targets if row.face == face)

    def weapon(self, weapon: Weapon) -> WeaponType:
        """What is known of a weapon."""
        return next(row for row in self.weapons if row.id == weapon)

    def rank(self, rank: RankName) -> int:
        """The place of a rank in the promotion table."""
        return [row.name for row in self.ranks].index(rank)


class Career(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a pilot has to show for himself (F14-RK-1); by default, nothing yet."""

    rank: RankName = "2nd Lt"
    missions: Count = 0
    points: Count = 0
    kills: Count = 0
    purple_hearts: Count = 0
    awards: tuple[str, ...] = ()


class Jet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An aircraft and its pilot.

    `career` is what he took off with, `record` what it has become, once the mission is debriefed.
    `status` is "down" between the last damage point and the bail-out roll. `kills` and `points` are of
    this mission.
    """

    id: str
    seat: str
    name: str
    pilot: str
    aircraft: str
    limit: int
    stores: Stores
    loadout: Stores
    career: Career = Career()
    damage: int = 0
    status: Status = "flying"
    kills: int = 0
    points: int = 0
    record: Career | None = None

    @property
    def flying(self) -> bool:
        """Whether it is in the air and not going down."""
        return self.status == "flying"

    @property
    def left(self) -> int:
        """The damage points that would bring it down."""
        return self.limit - self.damage


class Target(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One of the two targets. `type`, `points` and `needs` are empty until its type is rolled."""

    id: Literal["primary", "secondary"]
    waypoint: int
    type: str = ""
    points: int = 0
    needs: int = 0
    damage: int = 0
    passes: int = 0
    left_behind: bool = False

    @property
    def known(self) -> bool:
        """Whether its type has been rolled."""
        return self.needs > 0

    @property
    def destroyed(self) -> bool:
        """Whether the damage is enough (F14-BP-4)."""
        return self.known and self.damage >= self.needs


class Missile(Struct, frozen=True, omit_defaults=True):
    """A missile of a SAM site on its way to `jet`; a face is None where there was no roll (yet).

    `chaff` is what the pilot chose, where he may choose; `outcome` is "" until it is dealt with.
    """

    jet: str
    chaff: Literal["", "use", "keep"] = ""
    spoof: int | None = None
    evade: int | None = None
    outcome: Literal["", "spoofed", "evaded", "hit"] = ""


class Mig(Struct, frozen=True, omit_defaults=True):
    """A MiG that comes for `jet`; `by` is the jet that destroyed it."""

    jet: str
    by: str | None = None
    hit: bool = False


class Aim(Struct, frozen=True):
    """A shot that is chosen and not yet rolled for: `mig` counts from 0."""

    jet: str
    weapon: Weapon
    mig: int


class Contact(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A contact roll and what came of it.

    `run` is the number of the bombing pass, 0 on the way. `held` are the jets that have stopped
    shooting, `shots` how many were fired in all, `over` is set when the MiGs that are left have hit.
    """

    waypoint: int
    run: int = 0
    met: bool = False
    kind: ContactKind = ""
    missiles: tuple[Missile, ...] = ()
    migs: tuple[Mig, ...] = ()
    aim: Aim | None = None
    held: tuple[str, ...] = ()
    shots: int = 0
    over: bool = False

    @property
    def counted(self) -> bool:
        """Whether the number of missiles or MiGs has been rolled."""
        return bool(self.missiles or self.migs)

    @property
    def coming(self) -> int | None:
        """The number, from 0, of the missile that is dealt with now."""
        return next((n for n, one in enumerate(self.missiles) if not one.outcome), None)


class Run(Struct, frozen=True, omit_defaults=True):
    """A bombing pass that is being flown: its number, and what the leader means to fire.

    `plan` is None for a leader who only flies it. `done` are the jets that have fired or held fire.
    """

    number: int
    jet: str
    plan: Weapon | None
    done: tuple[str, ...] = ()
    fired: Weapon | None = None


class State(GameState, frozen=True, kw_only=True):
    """A position.

    `order` is leader first; it is empty until the leader is known. `flown` says whether this turn's leg
    is flown, `contact` is the one that unfolds or the last one of this turn, `past` those before it in
    which something was met.
    """

    rulings: Rulings
    cards: Cards
    sides: Mapping[str, str]
    jets: Mapping[str, Jet]
    waypoint: int
    order: tuple[str, ...] = ()
    tossed: bool = False
    targets: tuple[Target, ...] = ()
    flown: bool = False
    contact: Contact | None = None
    run: Run | None = None
    past: tuple[Contact, ...] = ()

    def flying(self) -> Iterator[Jet]:
        """The jets in the air, leader first."""
        jets = (self.jets[name] for name in self.order or self.jets)
        return (jet for jet in jets if jet.flying)

    @property
    def leader(self) -> Jet | None:
        """Who leads now: the first one in the air (F14-TP-8)."""
        return next(self.flying(), None)

    @property
    def team(self) -> bool:
        """Whether two set out."""
        return len(self.jets) > 1

    @property
    def target(self) -> Target | None:
        """The target below, if it still stands and has not been left behind."""
        for target in self.targets:
            at = target.waypoint == self.waypoint
            if at and self.flown and not target.destroyed and not target.left_behind:
                return target
        return None


def with_jet(state: State, jet: Jet) -> State:
    """The state with this jet in place of the one of the same id."""
    return msgspec.structs.replace(state, jets={**state.jets, jet.id: jet})


def with_target(state: State, target: Target) -> State:
    """The state with this target in place of the one of the same id."""
    targets = tuple(target if one.id == target.id else one for one in state.targets)
    return msgspec.structs.replace(state, targets=targets)
