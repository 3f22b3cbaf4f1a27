"""The nouns: crew, card, aircraft, missile, order, state. Data only, with questions one value can answer.

Belongs here: what a position is made of, and who may see which part of it. Does not belong here: rules, or
how a position changes.

Who sees what is a matter of type (GS section 4). An aircraft's own fields are public. `seen` is for its side and
for those who have it in sight, `ident` for its side and for those who have identified it, `own` for its side
alone. `eyes` sets the seats of the three anew whenever sighting or identification changes.

Speeds are in flight points, in steps of 0.5; energy points in steps of 0.25; both are exact as floats. Altitudes
are levels of 1,000 ft. Facings are 0 to 11 clockwise from north, in steps of 30 degrees.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from app.engine.hexes import Board
from app.engine.naming import Bookkeeping, Bookmarks, FadingId, UnitId
from app.engine.secret import Secret
from app.engine.sequence import GameState
from app.games.gunslingers.geometry import Pos

Side = Literal["L", "R"]
FlightType = Literal["LVL", "SC", "ZC", "VC", "SD", "UD", "VD", "ST", "DP"]
Power = Literal["I", "N", "M", "AB"]
Config = Literal["CL", "half", "DT"]
Rate = Literal["EZ", "TT", "HT", "BT", "ET"]
Band = Literal["LO", "ML", "MH", "HI", "VH", "EH", "UH"]
Quality = Literal["veteran", "regular", "novice", "green"]
Training = Literal["excellent", "good", "average", "limited", "poor"]
Confidence = Literal["excellent", "normal", "poor"]
Damage = Literal["", "L", "2L", "H", "C", "K"]
Condition = Literal["normal", "stalled", "departed", "gloc", "disoriented"]
Status = Literal["flying", "killed", "crashed", "left"]
Category = Literal["disadvantaged", "non-advantaged", "advantaged"]
Switch = Literal["on", "off"]

RATES: tuple[Rate, ...] = ("EZ", "TT", "HT", "BT", "ET")
"""From the widest turn to the tightest."""


CLIMBS: frozenset[FlightType] = frozenset({"SC", "ZC", "VC"})
DIVES: frozenset[FlightType] = frozenset({"SD", "UD", "VD"})


class Crew(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One of an aircraft's crew; the first is the pilot. `fitness` is +1, 0 or -1 (GS-F-15)."""

    quality: Quality = "regular"
    sierra_hotel: bool = False
    tactics_master: bool = False
    combat_hero: bool = False
    confidence: Confidence = "normal"
    fitness: Annotated[int, Meta(ge=-1, le=1)] = 0
    status: Literal["ok", "gloc", "dead"] = "ok"


class BandLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """What a card says of an altitude band: least and most speed, climb capability in AB and in M."""

    min: float
    max: float
    cc_ab: float
    cc_m: float


class GunCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A gun: hit numbers at range 0, 1, 2; rating; bursts; sight modifiers by rate of turn."""

    hit: tuple[int, int, int]
    rating: int
    ammo: float
    sight: Mapping[Rate, int]


class RadarCard(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An aircraft's radar; ranges and strengths in hexes, `arc` as in "150+" or "limited"."""

    arc: Literal["limited", "180+", "150+", "120+"]
    search_max: int
    search: int
    track_max: int
    track: int
    lock: int
    eccm: int
    look_down: bool = False
    tws: Literal["none", "limited", "full"] = "none"
    multi_track: int = 1


class Jammer(Struct, frozen=True, forbid_unknown_fields=True):
    """A jammer: type and number."""

    type: Literal["A", "B", "C", "D"]
    number: int


class Decoys(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Numbers of decoys of each type: a stock, or a program (GS-DEC-1)."""

    chaff: int = 0
    flare: int = 0
    mini: int = 0


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An aircraft card (GS-F 6.8), clean; `at_config` of the flight rules says what a load changes.

    Drag points by rate; a rate that is missing can't be flown. Above the highest of `bands` its numbers hold.
    `blind` and `restricted` are as on the card: "30-", "30- L", "60-" ... `kind` is what an enemy
    who has not identified it sees of it. Of `technology` the rules give "irsts" and "hud" nothing to do, and
    `bjm` jams only from the SAM Interaction Phase (GS-SAM-3).
    """

    id: str
    name: str
    kind: Literal["fighter", "fighter-bomber", "bomber", "jammer"] = "fighter"
    glyph: Literal["delta", "swept", "straight", "heavy"] = "swept"
    seats: int = 1
    ap_ab: float | None = None
    ap_m: float
    idle_dp: float
    brake_dp: float
    cruise: float
    climb_speed: float
    bands: Mapping[Band, BandLimits]
    dive_bonus: float
    ceiling: int
    drag: Mapping[Rate, float]
    turn_factor: float
    roll_dp: Mapping[Literal["LR", "DR", "VR"], float] = {}
    properties: tuple[
        Literal[
            "high-roll-rate",
            "low-roll-rate",
            "high-bleed",
            "low-bleed",
            "high-pitch-rate",
            "rapid-accel",
            "fly-by-wire",
        ],
        ...,
    ] = ()
    visibility: int
    size: int = 0
    vulnerability: int = 0
    smoker: bool = False
    blind: str = "30-"
    restricted: str = "60-"
    gun: GunCard | None = None
    radar: RadarCard | None = None
    rwr: Literal["", "A", "B", "C", "D"] = ""
    dds: Literal["", "A", "B", "C", "D"] = ""
    decoys: Decoys = Decoys()
    djm: Jammer | None = None
    ajm: Jammer | None = None
    bjm: Jammer | None = None
    technology: tuple[
        Literal["vas", "irsts", "hud", "hms", "tgt-id", "ir-uncage", "auto-track", "boresight"], ...
    ] = ()
    missiles: tuple[str, ...] = ()
    fuel_use: Mapping[Power, float]
    vp: tuple[int, int, int, int]

    def has(self, what: str) -> bool:
        """Whether it has a property or a technology."""
        return what in self.properties or what in self.technology


class MissileCard(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A missile of the table in GS-C. `turns` is how many moves it may make (GS-C-22)."""

    id: str
    name: str
    seeker: Literal["IR-E", "IR-A", "RH", "AH", "CG", "CW", "OG", "ARM"]
    launch: int
    min_range: int
    max_range: int
    speed: int
    turns: int
    hit: int
    direct: int
    proximity: int
    visibility: int
    eccm: int = 0
    chaff: int | None = None
    flare: int | None = None


class TurnCarry(Struct, frozen=True):
    """A turn under way: rate, side and flight points counted so far (GS-F-11, GS-F-12)."""

    rate: Rate
    side: Side
    count: int = 0


Flown = Literal["", "H", "U", "C", "D", "SL", "DR", "LR", "VR"]
"""What a flight point was spent on: level, unloaded, climb, dive, slide, displacement, lag and vertical roll."""


class Move(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A move under way: what its next flight point is judged by (GS-F-1 to GS-F-17).

    `fps` is how many flight points it has, `band` where it began. `levels` counts those climbed, dived or lost
    unloaded, not the one that level flight may lose freely. `straight` are the HFPs just flown without a turn,
    which prepare a slide, `steady` those with VFPs among them, which prepare a roll. `turn` is the turn under way, `need` the count at which it may face and `most` by how
    many steps of 30 degrees. `drag` are the decel points of slides and rolls, `half_roll` whether it began
    with one (GS-F-6).
    """

    fps: int
    band: Band
    spent: int = 0
    vertical: int = 0
    levels: int = 0
    free_level: bool = False
    last: Flown = ""
    straight: int = 0
    steady: int = 0
    slides: int = 0
    slid_at: int = 0
    drag: float = 0
    turn: TurnCarry | None = None
    need: int = 1
    most: int = 1
    half_roll: bool = False


class Store(Struct, frozen=True, forbid_unknown_fields=True):
    """What hangs under an aircraft: a missile's id and how many."""

    missile: str
    count: int


class Ident(Struct, frozen=True):
    """What is known of an aircraft once it is identified: its card's id."""

    card: str


class Seen(Struct, frozen=True, kw_only=True):
    """What is known of an aircraft once it is in sight."""

    speed: float
    flight_type: FlightType = "LVL"
    previous_type: FlightType = "LVL"
    power: Power = "N"
    previous_power: Power = "N"
    config: Config = "CL"


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of an aircraft's log sheet (GS-ADM-4): how it flew a turn, and what it has left.

    `ap` and `dp` are the points of the move, `carry` what stays in the account, `missiles` all that it carries.
    """

    turn: int
    flight_type: FlightType
    power: Power
    speed: float
    altitude: int
    ap: float = 0
    dp: float = 0
    carry: float = 0
    turn_carry: TurnCarry | None = None
    fuel: float = 0
    ammo: float = 0
    missiles: int = 0


class Own(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What only an aircraft's own side knows (GS 4.2 to 4.4, visibility O).

    From `max_rate` to `recovery`: what it has done in this turn's move, cleared when its next one begins. `saw` are
    those that the crew had in sight when it began (GS-VIS-11), `last_fp` what its last flight point was spent on
    besides flying (GS-C-20), `sight_rate` its tightest turn since it last recovered (GS-C-2), `thrust` the AP that
    were last chosen, `last_ap` and `last_dp` the points of its last move. `hit_by` is who hit it last,
    `shaken_turn` the turn in which its damage last came to heavy or crippled (GS-RAD-3b). `warned` are those of
    whose locks its receiver tells, "" in a view that may not say whose. `leaves`: it would leave the fight at the end
    of the turn.
    """

    next_speed: float
    ap_carry: float = 0
    fp_carry: float = 0
    turn_carry: TurnCarry | None = None
    bank: Literal["L", "R", "level"] = "level"
    bank_free: int = 0
    dive_turns: int = 0
    climb_turns: int = 0
    depart_speed: float = 0
    flamed_out: bool = False
    thrust: float | None = None
    fuel: float = 0
    max_rate: Rate | None = None
    facings: int = 0
    rolls: int = 0
    unloaded: int = 0
    recovery: int = 0
    damage: Damage = ""
    hits: tuple[str, ...] = ()
    out: tuple[Literal["radar", "ecm", "guns", "engine"], ...] = ()
    hit_turn: int = 0
    shaken_turn: int | None = None
    ammo: float = 0
    stores: tuple[Store, ...] = ()
    decoys: Decoys = Decoys()
    radar_mode: Literal["off", "search", "boresight", "auto-track"] = "search"
    contacts: tuple[UnitId, ...] = ()
    locks: tuple[UnitId, ...] = ()
    warned: tuple[FadingId, ...] = ()
    uncaged: bool = False
    leaves: bool = False
    iff: bool = False
    gloc_checks: int = 0
    saw: tuple[UnitId, ...] = ()
    sight_rate: Rate | None = None
    last_fp: Literal["", "guns", "roll"] = ""
    last_ap: float = 0
    last_dp: float = 0
    hit_by: UnitId | None = None
    sheet: tuple[Row, ...] = ()
    bumped: bool = False
    crew: tuple[Crew, ...] = (Crew(),)
    move: Move | None = None

    @property
    def half_rolled(self) -> bool:
        """Whether this turn's move began with a half-roll: no attacks, launches or searches then (GS-F-6)."""
        return self.move is not None and self.move.half_roll


class Known(Struct, frozen=True):
    """Where an aircraft was when its enemy last knew of it (GS-4-F2)."""

    pos: Pos
    facing: int
    altitude: int
    turn: int


class Aircraft(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An aircraft. `sighted_by` and `identified_by` are seats, `padlocked_by` ids of aircraft, as is
    `vas_by`: those that see it by VAS, each for itself.

    `bearings_lost` stays through a stall or a departure, which hide that its pilot is disoriented (GS-F-34).
    `program` is the decoy program in force, with the flags of this turn's decisions beside it. `trail` are the
    places of its last move, `heights` the altitude at each.
    """

    id: UnitId
    side: str
    name: str
    kind: str
    pos: Pos
    facing: int
    altitude: int
    seen: Secret[Seen]
    ident: Secret[Ident]
    own: Secret[Own]
    status: Status = "flying"
    condition: Condition = "normal"
    stalled_turns: int = 0
    departed_turns: int = 0
    recovered: bool = False
    vertical_reverse: bool = False
    bearings_lost: bool = False
    smoking: bool = False
    damage_control: bool = False
    sighted_by: tuple[str, ...] = ()
    identified_by: tuple[str, ...] = ()
    padlocked_by: tuple[UnitId, ...] = ()
    vas_by: tuple[UnitId, ...] = ()
    paint: Literal["", "camouflage", "bare metal"] = ""
    program: Decoys = Decoys()
    program_on: bool = False
    flares_used: bool = False
    engaged: bool = False
    illuminating: UnitId | None = None
    tailing: UnitId | None = None
    category: Category | None = None
    initiative: int | None = None
    moved: bool = False
    no_attacks: bool = False
    gun_shots: int = 0
    launches: int = 0
    gloc_until: int = 0
    trail: tuple[Pos, ...] = ()
    heights: tuple[int, ...] = ()
    known: Known | None = None

    @property
    def o(self) -> Own:
        """What its own side knows. Rules work on the whole state; a view that lacks it raises."""
        if self.own.value is None:
            raise LookupError(f"what {self.id}'s side knows is hidden here")
        return self.own.value

    @property
    def s(self) -> Seen:
        """What is known to those who see it."""
        if self.seen.value is None:
            raise LookupError(f"{self.id} is not in sight here")
        return self.seen.value

    @property
    def speed(self) -> float:
        """Start speed, in flight points."""
        return self.s.speed

    @property
    def flying(self) -> bool:
        """Whether it is still in the game."""
        return self.status == "flying"

    @property
    def free(self) -> bool:
        """Neither departed, stalled nor engaged, nor out of its crew's hands (glossary: free)."""
        return self.flying and self.condition == "normal" and not self.engaged


class Missile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A missile in flight. Its card is for its side; that it flies at its target, the target's side knows.

    `left` is how many moves it may still make, `speed` what it flies in the next, `moves` those behind it.
    `launched` is the turn of its launch, `moved` whether it has moved in this one. `decoys` are those that its
    target drops against its attack (GS-C-26), None until it attacks.
    """

    id: UnitId
    side: str
    card: Secret[str]
    shooter: FadingId
    target: FadingId
    pos: Pos
    altitude: int
    facing: int
    speed: Secret[int]
    left: Secret[int]
    launched: int
    moves: int = 0
    moved: bool = False
    decoys: Decoys | None = None
    sighted_by: tuple[str, ...] = ()
    padlocked_by: tuple[UnitId, ...] = ()
    vas_by: tuple[UnitId, ...] = ()
    trail: tuple[Pos, ...] = ()


Result = Literal["", "L", "H", "C", "K"]
"""What a roll for damage comes to (GS-C-10): nothing, light, heavy, crippled, killed."""


class Wound(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hit whose damage has not been rolled yet (GS-C-10).

    `by` is the aircraft that fired, None for a collision. `bonus` is what the rating is changed by.
    """

    target: UnitId
    rating: int
    cause: Literal["guns", "missile", "collision"]
    by: UnitId | None = None
    bonus: int = 0
    direct: bool = False


class Burst(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A burst of fire: by whom, at whom, whether it hit (None until that is known), and what it then does."""

    shooter: UnitId
    target: UnitId
    reach: int
    snap: bool = False
    hit: bool | None = None
    wound: Wound | None = None


class Shot(Struct, frozen=True):
    """A burst as the board shows it for the rest of its turn: from where to where, and whether it hit."""

    shooter: UnitId
    target: UnitId
    start: Pos
    end: Pos
    hit: bool
    turn: int


class GunFire(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A gun attack under way (GS-C-1 to GS-C-4): its burst, and the other's in return.

    `answered` says whether a target that may return fire has chosen, `ramming` whether the two are head-on at one
    place, so that they may collide.
    """

    bursts: tuple[Burst, ...]
    answered: bool = False
    ramming: bool = False


class Volley(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an aircraft launches this turn (GS-AAM-2, GS-AAM-3): attempts declared, rolled, and those that failed.

    `extra` says whether another attempt after a failure has been chosen or declined.
    """

    target: UnitId
    missile: Secret[str]
    declared: int
    rolled: int = 0
    failed: int = 0
    extra: bool | None = None


class Claim(Struct, frozen=True):
    """A kill that waits for its credit (GS-ADM-2a): the aircraft, and the side that shot it down."""

    aircraft: UnitId
    side: str


class OrderPlace(Struct, frozen=True, omit_defaults=True):
    """A place in the order of flight (GS-OOF-3). `tie` are its dice in roll-offs.

    `why` is for people, and `about` are those whom it names.
    """

    aircraft: UnitId
    rank: int
    initiative: int
    why: str
    tie: tuple[int, ...] = ()
    within: int = 0
    about: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[int, ...]:
        """What sorts the order: rank, place `within` it, initiative, then the tie dice (GS-T-12)."""
        return self.rank, self.within, self.initiative, *self.tie


class Activation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An aircraft's move under way (GS-FLT).

    `settings` is what was chosen before the first flight point, None until then. `flown` are the tokens
    flown so far, `left` those that were planned and wait. `asked` are the windows that were passed at this point.
    `paused`: a pre-emptor has flown its half and waits (GS-FLT-14). `drift` are the dice of an aircraft that nobody
    flies (GS-F-33). `entered` is where the players say that it ends, until the other side agrees.
    """

    aircraft: UnitId
    settings: "Settings | None" = None
    flown: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    asked: Bookmarks = ()
    preempting: bool = False
    paused: bool = False
    drift: tuple[int, int] | None = None
    entered: "Ended | None" = None


class Ended(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a move ends, as players enter it when they work out flight themselves.

    `speed` is the next turn's, `rate` the tightest turn; `rolled`: it made a roll. The rest as in Settings.
    """

    pos: Pos
    facing: int
    altitude: int
    speed: float
    flight_type: FlightType = "LVL"
    power: Power = "N"
    rate: Rate | None = None
    rolled: bool = False
    damage_control: bool = False


class Settings(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is chosen at the start of a move (GS-F-3, GS-F-4): power, its points, brakes, flight type."""

    flight_type: FlightType
    power: Power
    ap: float = 0
    brakes: float = 0
    damage_control: bool = False
    half_roll: bool = False


class Switches(Struct, frozen=True):
    """How this table settles what is switchable; see `rulings.toml`."""

    flight: Literal["house", "adjudicated"] = "house"
    missiles: Literal["pursuit", "adjudicated"] = "pursuit"
    guns: Literal["house", "adjudicated"] = "house"
    fog: Literal["table", "soft", "hard"] = "table"
    border: Literal["simple", "faster-forward"] = "simple"
    preempt: Literal["before-first-fp", "half-move", "off"] = "before-first-fp"
    half_fp: Switch = "on"
    bank: Switch = "on"
    gloc: Switch = "on"
    progressive_damage: Switch = "on"
    disorientation: Switch = "on"
    transonic: Switch = "off"
    sierra_hotel_bump: Switch = "off"
    sun: Switch = "off"
    nine_hexes: Literal["map", "slant"] = "map"


class Watch(Struct, frozen=True):
    """How a side keeps its eyes open (GS-VIS-7, GS-VIS-8): by id of a target, who searches for it or padlocks it."""

    searchers: Mapping[UnitId, UnitId] = {}
    padlocks: Mapping[UnitId, UnitId] = {}


class Sun(Struct, frozen=True):
    """Where the sun stands: its facing, and levels per hex of its slope (GS-G-19)."""

    facing: int
    ratio: float


class State(GameState, frozen=True, kw_only=True):
    """A position. `step` is the numbered step that is under way ("GS-VIS-7"), "" before the first of a
    phase, "over" after the last; `done` names what has been dealt with in it. `wounds` are damage rolls still to
    be made, `shaken` aircraft whose systems are still to be rolled for (GS-C-12), `volleys` this turn's launches,
    `proposed` the outcomes of attacks that one side has entered and the other has not confirmed. `watches` are
    the sides' plans in the Visual Sighting Phase, `searches` and `locking` those of their radars: targets by aircraft.
    `leaving` says whether aircraft may leave the fight, `staying` are sides that stay until shots fall, by the turn in
    which they said so, 0 from the start (GS-ADM-5a).
    """

    board: Board
    switches: Switches
    sides: Mapping[str, str]
    training: Mapping[str, Training]
    cards: Mapping[str, Card]
    missile_cards: Mapping[str, MissileCard]
    aircraft: Mapping[UnitId, Aircraft]
    missiles: Mapping[UnitId, Missile] = {}
    sun: Sun | None = None
    turns: int = 15
    lead: int = 8
    leaving: bool = True
    step: str = ""
    done: Bookmarks = ()
    initiative: Mapping[str, int] = {}
    order: tuple[OrderPlace, ...] = ()
    kills: Mapping[str, int] = {}
    first_kill: str | None = None
    points: Mapping[str, int] = {}
    activation: Activation | None = None
    waiting: tuple[Activation, ...] = ()
    movers: tuple[UnitId, ...] = ()
    watches: Mapping[str, Watch] = {}
    searches: Mapping[str, Secret[Mapping[UnitId, tuple[UnitId, ...]]]] = {}
    locking: Mapping[str, Secret[Mapping[UnitId, tuple[UnitId, ...]]]] = {}
    fire: GunFire | None = None
    shots: tuple[Shot, ...] = ()
    wounds: tuple[Wound, ...] = ()
    shaken: tuple[UnitId, ...] = ()
    claims: tuple[Claim, ...] = ()
    volleys: Mapping[UnitId, Volley] = {}
    proposed: Mapping[Bookkeeping, str] = {}
    missiles_fired: int = 0
    staying: Mapping[str, int] = {}

    @property
    def foggy(self) -> bool:
        """Whether sides are not told of all enemies (GS-4-F2, GS-4-F3)."""
        return self.switches.fog != "table"

    def card(self, aircraft: Aircraft) -> Card:
        """An aircraft's card."""
        ident = aircraft.ident.value
        if ident is None:
            raise LookupError(f"{aircraft.id} is not identified here")
        return self.cards[ident.card]

    def flying(self, side: str | None = None) -> Iterator[Aircraft]:
        """Aircraft that are in the game, of one side or of all, in the order of the set-up."""
        for one in self.aircraft.values():
            if one.flying and side in (None, one.side):
                yield one

    def enemies(self, side: str) -> Iterator[Aircraft]:
        """Aircraft in the game of the other side."""
        for one in self.flying():
            if one.side != side:
                yield one

    def other(self, side: str) -> str:
        """The other side."""
        return next(each for each in self.sides if each != side)


def nobodys(state: State, word: str) -> str:
    """The word, or one like it where an aircraft has it as its id: an answer or an id beside those of aircraft."""
    return f"{word}." if word in state.aircraft else word


def with_aircraft(state: State, aircraft: Aircraft) -> State:
    """The position with one aircraft as given."""
    return replace(state, aircraft={**state.aircraft, aircraft.id: aircraft})


def moved_to(aircraft: Aircraft, pos: Pos, facing: int, altitude: int) -> Aircraft:
    """The aircraft somewhere else, or at another altitude where it is, with that on its trail."""
    stays = pos == aircraft.pos and aircraft.trail[-1:] == (pos,)
    trail = aircraft.trail if stays else (*aircraft.trail, pos)
    heights = (*(aircraft.heights[:-1] if stays else aircraft.heights), altitude)
    return replace(
        aircraft, pos=pos, facing=facing, altitude=altitude, trail=trail, heights=heights
    )


def trail_begun(aircraft: Aircraft) -> Aircraft:
    """The aircraft with no trail but the place that it is at."""
    return replace(aircraft, trail=(aircraft.pos,), heights=(aircraft.altitude,))


def with_own(aircraft: Aircraft, **changes: object) -> Aircraft:
    """The aircraft with fields of `own` changed."""
    return replace(aircraft, own=Secret(replace(aircraft.o, **changes), aircraft.own.seats))


def with_seen(aircraft: Aircraft, **changes: object) -> Aircraft:
    """The aircraft with fields of `seen` changed."""
    return replace(aircraft, seen=Secret(replace(aircraft.s, **changes), aircraft.seen.seats))


def eyes(aircraft: Aircraft) -> Aircraft:
    """The aircraft with each part shown to those who may see it, by who has sighted and identified it."""
    side = aircraft.side
    seers = (side, *(seat for seat in aircraft.sighted_by if seat != side))
    knowers = (side, *(seat for seat in aircraft.identified_by if seat != side))
    return replace(
        aircraft,
        seen=Secret(aircraft.seen.value, seers),
        ident=Secret(aircraft.ident.value, knowers),
        own=Secret(aircraft.own.value, (side,)),
    )


def adopted(state: State, rulings: Mapping[str, str]) -> State:
    """The state with other switches, from the next question on."""
    return replace(state, switches=replace(state.switches, **rulings))
