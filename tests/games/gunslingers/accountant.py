"""An accountant of flight: it reads what happened in a game, and works out every move again (GS-F, GS-STL).

Belongs here: the rules of flight and the cards of 6.8, written a second time and in another way than the game has them:
places are points of the plane, points and speeds are fractions, altitude bands are columns of a sheet. Of the game it
knows the facts that it reads, and none of its rules. Does not belong here: the games that are read (`test_accounts`).
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import singledispatchmethod
from typing import Any, Literal

from app.engine.log import Event, Opened
from app.games.gunslingers.admin.facts import LeaveRolled, LogsKept
from app.games.gunslingers.flight.facts import (
    CeilingRolled,
    Crashed,
    FlameOutRolled,
    GlocRolled,
    LeftMap,
    MoveBegan,
    MoveConfirmed,
    MoveEnded,
    MoveEntered,
    Sank,
    Tumbled,
)
from app.games.gunslingers.flight.move_facts import Account, EnergySettled, Flew, SettingsChosen
from app.games.gunslingers.guns.facts import Hurt, SystemsRolled
from app.games.gunslingers.model import Ended, Settings, TurnCarry
from app.games.gunslingers.stalls.facts import (
    DepartureRolled,
    Jettisoned,
    RecoveryRolled,
    ReverseRolled,
    StallEnded,
)

Number = Fraction
Point = tuple[float, float]
Side = Literal["L", "R"]

# The cards (6.8), and what a load changes.

RATES = ("EZ", "TT", "HT", "BT", "ET")
TOPS = (7, 16, 25, 35, 45, 60)
"""The highest level of each altitude band but the last: LO, ML, MH, HI, VH, EH, and UH above."""


def numbers(row: str) -> tuple[Number, ...]:
    """The numbers of a row of a sheet."""
    return tuple(Fraction(each) for each in row.split())


@dataclass(frozen=True)
class Sheet:
    """A card. Rows by band go from LO to VH, `drag` from TT to ET, `rolls` are LR, DR, VR, `fuel` AB, M, N, I."""

    ab: str
    m: str
    idle: str
    brakes: str
    cruise: str
    climb: str
    least: str
    most: str
    dive: str
    ceiling: int
    cc_ab: str
    cc_m: str
    drag: str
    factor: str
    rolls: str
    fuel: str


SHEETS: Mapping[str, Sheet] = {
    "f-4e": Sheet(
        ab="3.5",
        m="1.5",
        idle="1.0",
        brakes="1.0",
        cruise="5.5",
        climb="5.0",
        least="2.0 2.0 2.5 3.0 3.5",
        most="8.5 9.0 10.5 12.5 13.5",
        dive="1.5",
        ceiling=58,
        cc_ab="4 4 3 3 1",
        cc_m="2 2 2 1 1",
        drag="1.0 2.0 3.5 5.0",
        factor="1.0",
        rolls="1.0 0.5 0.5",
        fuel="12 4 2 1",
    ),
    "mig-21mf": Sheet(
        ab="3.0",
        m="1.5",
        idle="0.5",
        brakes="1.0",
        cruise="5.0",
        climb="5.0",
        least="2.0 2.0 2.5 3.0 3.5",
        most="8.0 8.5 10.0 12.0 13.0",
        dive="1.5",
        ceiling=57,
        cc_ab="4 4 3 3 2",
        cc_m="2 2 2 1 1",
        drag="1.0 2.5 4.0 5.5",
        factor="1.0",
        rolls="1.0 0.5 0.5",
        fuel="8 3 1.5 0.5",
    ),
    "mig-17f": Sheet(
        ab="2.5",
        m="1.5",
        idle="0.5",
        brakes="1.0",
        cruise="4.5",
        climb="3.5",
        least="1.5 1.5 2.0 2.5 3.0",
        most="6.5 6.5 6.5 6.0 5.5",
        dive="0.5",
        ceiling=52,
        cc_ab="2 2 2 1 1",
        cc_m="2 2 1 1 1",
        drag="1.0 1.5 2.5 4.0",
        factor="0.8",
        rolls="1.0 0.5 0.5",
        fuel="6 2 1 0.5",
    ),
    "f-105d": Sheet(
        ab="2.5",
        m="1.5",
        idle="1.0",
        brakes="1.5",
        cruise="5.5",
        climb="5.0",
        least="2.5 2.5 3.0 3.5 4.0",
        most="9.0 9.0 10.5 11.5 12.0",
        dive="1.5",
        ceiling=50,
        cc_ab="3 3 3 2 1",
        cc_m="2 2 1 1 1",
        drag="1.5 3.0 4.5",
        factor="1.2",
        rolls="1.5 1.0 0.5",
        fuel="12 4 2 1",
    ),
    "f-8e": Sheet(
        ab="2.5",
        m="1.0",
        idle="0.5",
        brakes="1.0",
        cruise="5.0",
        climb="4.5",
        least="2.0 2.0 2.5 3.0 3.5",
        most="7.5 8.0 9.0 10.0 10.5",
        dive="1.0",
        ceiling=55,
        cc_ab="3 3 3 2 1",
        cc_m="2 2 1 1 1",
        drag="1.0 2.0 3.0 4.5",
        factor="0.95",
        rolls="1.0 0.5 0.5",
        fuel="8 3 1.5 0.5",
    ),
    "eb-66c": Sheet(
        ab="",
        m="1.0",
        idle="0.5",
        brakes="0.5",
        cruise="5.0",
        climb="4.0",
        least="2.0 2.0 2.5 3.0 4.0",
        most="6.0 6.0 6.0 5.5 5.0",
        dive="0.5",
        ceiling=42,
        cc_ab="0 0 0 0 0",
        cc_m="1 1 1 1 1",
        drag="1.5 3.0",
        factor="1.2",
        rolls="",
        fuel="0 4 2 1",
    ),
}
PROPERTIES: Mapping[str, frozenset[str]] = {
    "mig-17f": frozenset({"low-roll-rate", "low-bleed"}),
    "eb-66c": frozenset({"low-roll-rate"}),
}


def band(level: int) -> int:
    """The altitude band of a level, 0 for LO to 6 for UH."""
    return sum(level > top for top in TOPS)


def third(number: Number) -> int:
    """GS-F-2."""
    return math.floor(number / 3 + Fraction(1, 2))


# The plane (5.1): x goes east and y south, in hex pitches.


def go(point: Point, facing: int, far: float) -> Point:
    """So far along a facing."""
    bearing = math.radians(30 * facing)
    return point[0] + far * math.sin(bearing), point[1] - far * math.cos(bearing)


def hexside(point: Point) -> bool:
    """Whether it is the middle of a hexside: an odd number of quarter columns, or of half rows."""
    quarters = round(point[0] / (math.sqrt(3) / 4))
    return bool(quarters % 2 or round(2 * (point[1] - quarters / 4)) % 2)


def step(facing: int) -> float:
    """How far an HFP goes: by odd facings it ends on a hexside, or leaves one."""
    return math.sqrt(3) / 2 if facing % 2 else 1.0


def turned(point: Point, facing: int, side: str) -> tuple[Point, int]:
    """GS-G-7."""
    way = 1 if side == "R" else -1
    if hexside(point):
        point = go(point, facing + 3 * way, 0.5)
    return point, (facing + way) % 12


def slid(point: Point, facing: int, side: str) -> Point:
    """GS-G-8."""
    way = 1 if side == "R" else -1
    if facing % 2:
        return go(go(point, facing, step(facing)), facing + 3 * way, 0.5)
    return go(point, facing + 2 * way, 1.0)


# What is kept of an aircraft.

CLIMBS = ("SC", "ZC", "VC")
DIVES = ("SD", "UD", "VD")
EXTRA = {"EZ": "0", "TT": "0.5", "HT": "1.0", "BT": "1.5", "ET": "2.0"}
K = {"EZ": "0.120", "TT": "0.070", "HT": "0.045", "BT": "0.034", "ET": "0.025"}
THIN = numbers("1.0 1.0 1.2 1.5 2.0 3.0 3.0")
SOUND = numbers("7.5 7.5 7.0 7.0 6.5 6.5 6.5")
BY_DAMAGE = {"": "ET", "L": "BT", "2L": "HT", "H": "HT", "C": "TT", "K": "EZ"}
LOADS = {"CL": numbers("0 0 0"), "half": numbers("0.5 1.0 1.0"), "DT": numbers("1.0 2.0 2.0")}

TOKEN = re.compile(
    r"(?:(?P<rate>EZ|TT|HT|BT|ET)(?P<turn>[LR])/)?"
    r"(?P<kind>HD|H|U|C|D(?=\d)|SL|DR|LR|VR|-|G)(?P<side>[LR]?)(?P<number>\d*)"
    r"(?:/(?P<face>L+|R+))?"
)


@dataclass
class Turn:
    """A turn under way: `need` the count at which it may face, `sixty` whether by two steps."""

    rate: str
    side: str
    count: int = 0
    need: int = 1
    sixty: bool = False

    @property
    def known(self) -> tuple[str, str, int]:
        """What the game knows of it."""
        return self.rate, self.side, self.count


@dataclass
class Sortie:
    """A move under way."""

    settings: Settings
    fps: int
    band: int
    previous: str
    power: str
    tokens: list[str] = field(default_factory=list)
    spent: int = 0
    vertical: int = 0
    levels: int = 0
    free_level: bool = False
    straight: int = 0
    steady: int = 0
    slides: list[int] = field(default_factory=list)
    rolls: int = 0
    unloaded: int = 0
    facings: int = 0
    drag: Number = Fraction(0)
    rate: str = ""

    @property
    def kind(self) -> str:
        """The type of flight."""
        return self.settings.flight_type

    @property
    def unloading(self) -> bool:
        """Whether its last flight point was unloaded."""
        return next((text == "U" for text in reversed(self.tokens) if text not in "-G"), False)


@dataclass
class Ledger:
    """An aircraft, as far as its flight goes."""

    sheet: Sheet
    properties: frozenset[str]
    load: str
    point: Point
    facing: int
    altitude: int
    speed: Number
    fuel: Number
    kind: str
    power: str
    next_speed: Number = Fraction(0)
    points: Number = Fraction(0)
    half: Number = Fraction(0)
    turn: Turn | None = None
    bank: str = "level"
    free: int = 0
    climbs: int = 0
    dives: int = 0
    checks: int = 0
    recovery: int = 0
    stalls: int = 0
    falls: int = 0
    departed_at: Number = Fraction(0)
    damage: str = ""
    engine_out: bool = False
    recovered: bool = False
    reversing: bool = False
    flying: bool = True
    sortie: Sortie | None = None

    def copy(self) -> "Ledger":
        """Another of the same, to try something with."""
        turn = replace(self.turn) if self.turn else None
        move = self.sortie
        if move is not None:
            move = replace(move, tokens=[*move.tokens], slides=[*move.slides])
        return replace(self, turn=turn, sortie=move)

    def of_band(self, row: str, where: int) -> Number:
        """A number of a row by bands; above VH those of VH."""
        return numbers(row)[min(where, 4)]

    def least(self, where: int) -> Number:
        """The least speed in a band, with the load."""
        heavier = self.load == "DT" or (self.load == "half" and where >= 3)
        return self.of_band(self.sheet.least, where) + Fraction(heavier, 2)

    def most(self, where: int) -> Number:
        """The most speed in level flight."""
        return self.of_band(self.sheet.most, where) - LOADS[self.load][1]

    def thrust(self, power: str) -> Number:
        """All that a power gives, with the load."""
        printed = Fraction(self.sheet.ab if power == "AB" else self.sheet.m)
        return max(Fraction(1, 2), printed - LOADS[self.load][0])

    def drag(self, rate: str) -> Number | None:
        """What a rate costs; None where it can't be flown."""
        if rate in ("", "EZ"):
            return Fraction(0)
        row, place = numbers(self.sheet.drag), RATES.index(rate) - 1
        if place >= len(row) or (self.load == "DT" and rate == "ET"):
            return None
        return row[place] + LOADS[self.load][2]

    def climb_capability(self, move: Sortie) -> Number:
        """CC (GS-F-7)."""
        row = {"AB": self.sheet.cc_ab, "M": self.sheet.cc_m}.get(move.power)
        if row is None:
            return Fraction(0)
        whole = self.of_band(row, move.band)
        return whole / 2 if self.speed < Fraction(self.sheet.climb) else whole

    def may_turn(self, rate: str, move: Sortie) -> bool:
        """6.1, GS-F-5, GS-C-12, GS-FLT-17."""
        tightest = {"VC": "", "VD": "", "ST": "", "SC": "EZ", "ZC": "BT"}.get(move.kind, "ET")
        limits = [tightest, BY_DAMAGE[self.damage]]
        if move.settings.damage_control:
            limits.append("EZ")
        return (
            "" not in limits
            and all(RATES.index(rate) <= RATES.index(limit) for limit in limits)
            and self.drag(rate) is not None
            and self.speed >= self.least(band(self.altitude)) + Fraction(EXTRA[rate])
        )

    def needed(self, turn: Turn) -> Turn:
        """GS-F-10, in the band in which it is."""
        thin, factor = THIN[band(self.altitude)], Fraction(self.sheet.factor)
        points = Fraction(K[turn.rate]) * self.speed**2 * thin * factor
        turn.need = max(1, math.floor(points + Fraction(1, 2)))
        turn.sixty = points < Fraction(1, 2)
        return turn

    def reversal(self, side: str, *, counts: bool) -> int:
        """Flight points that a turn to a side still owes (GS-F-14)."""
        if not counts or self.bank in ("level", side) or "high-roll-rate" in self.properties:
            return 0
        return max(0, (2 if "low-roll-rate" in self.properties else 1) - self.free)


class Accountant:
    """Reads the facts of a game, one after the other. Raises AssertionError at the first that does not add up.

    Args:
        opened: the first of them.
        damage: what aircraft have been hit already, and the damage.
        engines: those with an engine out.
    """

    def __init__(
        self, opened: Opened, damage: Mapping[str, str] | None = None, engines: Iterable[str] = ()
    ) -> None:
        setup, self.rulings = opened.setup, opened.rulings
        own_cards = {card["id"]: card for card in setup.get("cards", ())}
        self.ledgers = {one["id"]: _ledger(one, own_cards) for one in setup["aircraft"]}
        for unit, came_to in (damage or {}).items():
            self.ledgers[unit].damage = came_to
        for unit in engines:
            self.ledgers[unit].engine_out = True
        self.entered: dict[str, Ended] = {}
        self.moves = 0

    def read_all(self, events: Iterable[Event]) -> "Accountant":
        """Read so many facts."""
        for event in events:
            done = getattr(event, "hurt", None)
            if isinstance(done, Hurt):
                self.hurt(done)
            self.read(event)
        return self

    def hurt(self, event: Hurt) -> None:
        """Damage is not worked out again here."""
        book = self.ledgers[event.target]
        book.damage = known(event.after)
        book.flying = book.flying and not event.killed

    @singledispatchmethod
    def read(self, event: Event) -> None:
        """A fact; most are none of flight's."""

    # A move begins.

    @read.register
    def _(self, event: MoveBegan) -> None:
        book = self.ledgers[event.aircraft]
        assert book.sortie is None, event

    @read.register
    def _(self, event: SettingsChosen) -> None:
        book = self.ledgers[event.aircraft]
        move = begun(book, known(event.settings))
        assert known(event.move).fps == move.fps, "GS-F-1"
        same_turn(book, known(event.move).turn)
        book.kind, book.power = move.kind, move.power

    def may_choose(self, unit: str, settings: Settings) -> bool:
        """Whether an aircraft may fly so, and can fly all its flight points so."""
        book = self.ledgers[unit].copy()
        try:
            begun(book, settings)
        except AssertionError:
            return False
        return settings.flight_type == "ST" or self.completable(book)

    @read.register
    def _(self, event: FlameOutRolled) -> None:
        book = self.ledgers[event.aircraft]
        assert event.out == (event.die <= 4), "GS-F-3"
        if event.out:
            book.power = flight(book).power = "I"

    # It is flown.

    @read.register
    def _(self, event: Flew) -> None:
        book = self.ledgers[event.aircraft]
        move = flight(book)
        self.fly(book, known(event.token))
        same_place(book, event)
        counts = known(event.counts)
        same_turn(book, counts.move.turn)
        assert event.spent == counts.move.spent == move.spent, "GS-F-1"
        told = (counts.facings, counts.rolls, counts.unloaded, counts.recovery, counts.bank)
        assert told == (move.facings, move.rolls, move.unloaded, book.recovery, book.bank)
        assert (counts.max_rate or "") == move.rate
        assert (counts.move.vertical, counts.move.levels) == (move.vertical, move.levels)

    def may_fly(self, unit: str, text: str) -> bool:
        """Whether an aircraft may fly a token, and then all that is left of its move."""
        book = self.ledgers[unit].copy()
        try:
            self.fly(book, text)
        except AssertionError:
            return False
        return self.completable(book)

    def completable(self, book: Ledger, known_bad: set[tuple[object, ...]] | None = None) -> bool:
        """Whether its move can be ended as its type of flight wants it, the ground aside: every way is tried."""
        move, bad = flight(book), set[tuple[object, ...]]() if known_bad is None else known_bad
        if move.spent == move.fps:
            try:
                whole(book, move)
            except AssertionError:
                return False
            return True
        key = (move.spent, move.vertical, bool(move.unloaded), move.unloading)
        if key in bad:
            return False
        for text in ("C1", "D1", "D2", "U", "H"):
            after = book.copy()
            try:
                self.fly(after, text)
            except AssertionError:
                continue
            if self.completable(after, bad):
                return True
        bad.add(key)
        return False

    def fly(self, book: Ledger, text: str) -> None:
        """A token. Raises AssertionError when it may not be flown."""
        move, token = flight(book), TOKEN.fullmatch(text)
        assert token, text
        if token["rate"]:
            under_way = book.turn and (book.turn.rate, book.turn.side)
            assert under_way != (token["rate"], token["turn"]), "GS-F-11"
            assert token["kind"] in ("H", "HD", "C", "D"), "GS-F-11"
            assert book.may_turn(token["rate"], move), "GS-F-11"
            book.turn = book.needed(Turn(token["rate"], token["turn"]))
        if token["kind"] in ("-", "G", "VR"):
            self._between(book, move, token)
        else:
            self._spent(book, move, token)
        move.tokens.append(text)

    def _between(self, book: Ledger, move: Sortie, token: re.Match[str]) -> None:
        """What spends no flight point."""
        if token["kind"] == "-":
            assert book.turn, "GS-F-11"
            book.turn = None
        if token["kind"] == "VR":
            rolling(book, move)
            assert move.kind in ("VC", "VD"), "GS-F-17"
            assert (move.tokens or ["H"])[-1][0] in "CD", "GS-F-17"
            assert not move.settings.half_roll or move.spent == move.fps, "GS-F-6"
            assert 30 <= int(token["number"]) <= 180, "GS-F-17"
            for _ in range(int(token["number"]) // 30):
                book.point, book.facing = turned(book.point, book.facing, token["side"])
            rolled(book, move, 2)

    def _spent(self, book: Ledger, move: Sortie, token: re.Match[str]) -> None:
        """A flight point."""
        kind = token["kind"]
        self._counted(book, kind)
        if kind in ("C", "D", "U"):
            assert move.spent >= first_level(book, move), "GS-F-4"
        move.spent += 1
        assert move.spent <= move.fps, "GS-F-1"
        if kind in ("C", "D"):
            climbed(book, move, int(token["number"]) * (1 if kind == "C" else -1))
        elif kind in ("H", "HD", "U"):
            book.point = go(book.point, book.facing, step(book.facing))
            sank(book, move, kind)
        else:
            manoeuvred(book, move, kind, token["side"])
        straight = kind in ("H", "HD") and book.turn is None
        move.straight = move.straight + 1 if straight else 0
        steady = kind in ("H", "HD", "C", "D") and book.turn is None
        move.steady = move.steady + 1 if steady else 0
        if token["face"]:
            faced(book, move, token["face"])
        tiring = kind in ("U", "DR", "LR") or (book.turn is not None and book.turn.rate == "ET")
        book.recovery = math.floor(book.speed / 2) if tiring else max(0, book.recovery - 1)
        if book.turn is not None:
            move.rate = max(move.rate or "EZ", book.turn.rate, key=RATES.index)

    def _counted(self, book: Ledger, kind: str) -> None:
        """GS-F-11, GS-F-14: what a flight point counts for."""
        if kind == "U":
            return
        if book.turn is None:
            book.free = min(2, book.free + 1)
            return
        owed = book.reversal(book.turn.side, counts=self.rulings["bank"] == "on")
        if owed > 1:
            book.free += 1
            return
        if not owed:
            book.turn.count += 1
        book.bank, book.free = book.turn.side, 0

    @read.register
    def _(self, event: GlocRolled) -> None:
        book = self.ledgers[event.aircraft]
        assert book.altitude <= 25, "GS-F-15"
        assert flight(book).rate == "ET", "GS-F-15"
        book.checks += event.last

    @read.register
    def _(self, event: CeilingRolled) -> None:
        book = self.ledgers[event.aircraft]
        assert book.altitude > book.sheet.ceiling, "GS-F-25"
        if event.roll.made:
            move = flight(book)
            book.departed_at = book.next_speed = book.speed
            book.falls, book.turn, book.bank = 0, None, "level"
            self._used_up(book, move)
            book.sortie = None

    # It is over.

    @read.register
    def _(self, event: EnergySettled) -> None:
        book = self.ledgers[event.aircraft]
        move, told = flight(book), known(event.account)
        whole(book, move)
        same_place(book, event)
        self._settled(book, move, told, sum(book_items(book, move, self.rulings), book.points))
        if book.turn is not None and not book.turn.count:
            book.turn = None
        same_turn(book, told.turn_carry)
        slow = False
        if book.turn is not None:
            rate = Fraction(EXTRA[book.turn.rate])
            slow = book.next_speed < book.least(band(book.altitude)) + rate
        assert event.departed == slow, "GS-F-12"
        if slow:
            book.departed_at, book.falls, book.turn = book.next_speed, 0, None
        book.sortie = None

    def _settled(self, book: Ledger, move: Sortie, told: Account, net: Number) -> None:
        """GS-F-20, GS-F-23: the net of a move, and all that it leads to."""
        assert told.net == net, f"GS-F-20: {net} and not {told}"
        sonic = SOUND[move.band] if self.rulings["transonic"] == "on" else Fraction(99)
        book.next_speed, book.points = accelerated(book, net, sonic)
        book.next_speed = limited(book, move, book.next_speed)
        if not book.next_speed:
            book.points = Fraction(0)
        left = book.speed + book.half - move.fps
        book.half = left if self.rulings["half_fp"] == "on" else Fraction(0)
        self._used_up(book, move)
        assert told.next_speed == book.next_speed, f"GS-F-23: {book.next_speed} and not {told}"
        assert (told.ap_carry, told.fp_carry) == (book.points, book.half), "GS-F-20, GS-F-1"
        assert told.fuel == book.fuel, "GS-F-26"
        assert (told.climb_turns, told.dive_turns) == (book.climbs, book.dives), "GS-F-22"
        assert told.gloc_checks == book.checks, "GS-F-15"
        self.moves += 1

    def _used_up(self, book: Ledger, move: Sortie) -> None:
        """Fuel, and what is counted from turn to turn (GS-F-15, GS-F-22, GS-F-26)."""
        use = numbers(book.sheet.fuel)[("AB", "M", "N", "I").index(move.power)]
        book.fuel = max(Fraction(0), book.fuel - use)
        book.climbs = book.climbs + 1 if move.kind in CLIMBS else 0
        book.dives = book.dives + 1 if move.kind in DIVES else 0
        book.checks = book.checks if move.rate in ("BT", "ET") else 0

    @read.register
    def _(self, event: Sank) -> None:
        book = self.ledgers[event.aircraft]
        assert book.speed < book.least(band(book.altitude)) or book.stalls == 0, "GS-F-30"
        book.stalls += 1
        lost = math.ceil(book.speed) + book.stalls
        assert event.levels == lost, "GS-F-30"
        move = flight(book)
        each = Fraction(1, 2) if book.stalls == 1 else Fraction(1)
        net = sum(thrust_items(book, move, self.rulings), book.points) + each * lost
        book.altitude = max(0, book.altitude - lost)
        assert event.altitude == book.altitude, "GS-F-30"
        self._settled(book, move, known(event.account), net)
        book.turn = book.sortie = None

    @read.register
    def _(self, event: Tumbled) -> None:
        book = self.ledgers[event.aircraft]
        book.falls += 1
        side = "L" if event.dice[0] % 2 else "R"
        for _ in range(event.dice[1]):
            book.point, book.facing = turned(book.point, book.facing, side)
        lost = math.ceil(book.speed) + 2 * book.falls
        assert (event.side, event.levels) == (side, lost), "GS-F-31"
        book.altitude = max(0, book.altitude - lost)
        same_place(book, event)
        book.next_speed, book.kind, book.turn = book.speed, "DP", None
        book.climbs = book.dives = book.checks = 0

    @read.register
    def _(self, event: MoveEnded) -> None:
        book = self.ledgers[event.aircraft]
        assert book.sortie is None or not book.flying, f"{event}: its account is not made up"
        book.sortie = None
        book.recovered = book.reversing = False

    @read.register
    def _(self, event: LogsKept) -> None:
        for unit, speed in event.speeds.items():
            book, row = self.ledgers[unit], known(event.rows[unit])
            assert known(speed) == book.next_speed, f"GS-ADM-4: {unit}"
            told = (row.altitude, row.fuel, row.carry, row.speed, row.flight_type, row.power)
            kept = (book.altitude, book.fuel, book.points, book.speed, book.kind, book.power)
            assert told == kept, f"GS-ADM-4: {unit}"
            book.speed = book.next_speed

    # Out of hand, and away.

    @read.register
    def _(self, event: RecoveryRolled) -> None:
        book = self.ledgers[event.aircraft]
        if event.speed is not None:
            speed = max(book.least(band(book.altitude)), book.departed_at)
            assert event.speed == speed, "GS-STL-1a"
            book.speed = book.next_speed = speed
            book.points = book.half = Fraction(0)
            book.turn, book.bank, book.free, book.falls, book.stalls = None, "level", 0, 0, 0
            book.recovered = True

    @read.register
    def _(self, event: StallEnded) -> None:
        book = self.ledgers[event.aircraft]
        assert book.speed >= book.least(band(book.altitude)), "GS-F-30"
        book.stalls = 0

    @read.register
    def _(self, event: Jettisoned) -> None:
        if event.dropped:
            self.ledgers[event.aircraft].load = "CL"

    @read.register
    def _(self, event: DepartureRolled) -> None:
        book = self.ledgers[event.aircraft]
        assert book.speed < book.least(band(book.altitude)), "GS-STL-2"
        if event.departs:
            book.departed_at, book.stalls = book.speed, 0

    @read.register
    def _(self, event: ReverseRolled) -> None:
        book = self.ledgers[event.aircraft]
        least = book.least(band(book.altitude))
        assert book.kind == "VC", "GS-STL-3"
        assert least - 1 <= book.speed <= least, "GS-STL-3a"
        if event.speed is not None:
            assert event.speed == least, "GS-STL-3"
            book.speed = book.next_speed = least
            book.reversing, book.stalls = True, 0

    @read.register
    def _(self, event: SystemsRolled) -> None:
        book = self.ledgers[event.target]
        book.flying = book.flying and not event.killed
        book.engine_out = book.engine_out or event.what == "engine"
        if event.what == "stores":
            book.load = "CL"

    @read.register
    def _(self, event: Crashed) -> None:
        book = self.ledgers[event.aircraft]
        assert book.altitude == 0, "GS-F-25"
        book.flying, book.sortie = False, None

    @read.register
    def _(self, event: LeftMap) -> None:
        book = self.ledgers[event.aircraft]
        book.flying, book.sortie = False, None

    @read.register
    def _(self, event: LeaveRolled) -> None:
        self.ledgers[event.aircraft].flying = not event.roll.made

    # Moves that the players work out (GS-0-7): they are taken as they are.

    @read.register
    def _(self, event: MoveEntered) -> None:
        self.entered[event.aircraft] = event.ended

    @read.register
    def _(self, event: MoveConfirmed) -> None:
        if event.agreed:
            book, ended = self.ledgers[event.aircraft], self.entered[event.aircraft]
            book.point, book.facing = point_at(ended.pos), ended.facing
            book.altitude, book.kind = ended.altitude, ended.flight_type
            book.next_speed, book.power = Fraction(ended.speed), ended.power or book.power


def _ledger(given: Mapping[str, Any], own_cards: Mapping[str, Mapping[str, Any]]) -> Ledger:
    """An aircraft as a set-up has it. A card of the set-up's own is a printed one with a suffix, of other properties."""
    card = str(given["card"])
    properties = PROPERTIES.get(card, frozenset())
    if card in own_cards:
        properties = frozenset(own_cards[card].get("properties", ()))
        card = card.rpartition("-")[0]
    kind = given.get("flight_type", "LVL")
    return Ledger(
        sheet=SHEETS[card],
        properties=properties,
        load=given.get("config", "CL"),
        point=labelled(given["place"]),
        facing=given["facing"],
        altitude=given["altitude"],
        speed=Fraction(given["speed"]),
        fuel=Fraction(given.get("fuel", 150)),
        kind=kind,
        power=given.get("power", "M"),
        climbs=int(kind in CLIMBS),
        dives=int(kind in DIVES),
    )


def labelled(label: str) -> Point:
    """The point of a label (GS-G-3): odd columns sit half a hex lower; a hexside is halfway between its hexes."""
    points = [
        (int(each[:2]) * math.sqrt(3) / 2, int(each[2:]) + int(each[:2]) % 2 / 2)
        for each in label.split("/")
    ]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def point_at(pos: Any) -> Point:
    """The point of a place of the game (GS-G-2)."""
    return math.sqrt(3) / 4 * pos.q, pos.r / 2 + pos.q / 4


def known(secret: Any) -> Any:
    """What a fact hides from some; the accountant sees it."""
    assert secret.value is not None
    return secret.value


def flight(book: Ledger) -> Sortie:
    """The move under way."""
    assert book.sortie is not None
    return book.sortie


def same_place(book: Ledger, event: Any) -> None:
    """Place, facing and level are those that the game tells."""
    assert math.dist(book.point, point_at(event.pos)) < 1e-6, f"{event.pos.label}: {event}"
    assert (book.facing, book.altitude) == (event.facing, event.altitude), event


def same_turn(book: Ledger, told: TurnCarry | None) -> None:
    """The turn under way is the one that the game tells."""
    assert (book.turn and book.turn.known) == (told and (told.rate, told.side, told.count)), told


# What may be chosen.


def begun(book: Ledger, settings: Settings) -> Sortie:
    """A move begins (GS-F-1, GS-F-4, GS-F-12). Raises AssertionError when it may not be flown so."""
    previous = "DP" if book.recovered else book.kind
    fps = math.floor(book.speed + book.half)
    move = Sortie(settings, fps, band(book.altitude), previous, settings.power)
    thrust_may_be_chosen(book, move)
    if move.kind != "ST":
        assert settings.half_roll == type_may_be_flown(book, move), "GS-F-6"
    if book.turn is not None and not book.may_turn(book.turn.rate, move):
        book.turn = None
    if book.turn is not None:
        book.needed(book.turn)
    book.sortie = move
    return move


def thrust_may_be_chosen(book: Ledger, move: Sortie) -> None:
    """GS-F-3, GS-F-26, GS-C-12, GS-FLT-17."""
    how = move.settings
    assert 0 <= how.brakes <= Fraction(book.sheet.brakes)
    least = most = Fraction(0)
    if how.power == "AB":
        assert book.sheet.ab
        assert book.damage != "C"
        assert not how.damage_control
        least, most = book.thrust("M") + Fraction(1, 2), book.thrust("AB")
    elif how.power == "M":
        most = book.thrust("M")
    assert least <= how.ap <= most
    assert how.ap * 2 % 1 == how.brakes * 2 % 1 == 0
    assert how.power == "I" or book.fuel > 0, "GS-F-26"


def type_may_be_flown(book: Ledger, move: Sortie) -> bool:
    """GS-F-4, GS-STL-1a, GS-STL-3, GS-F-30: what may follow what; whether by a half-roll."""
    kind, previous, speed = move.kind, move.previous, book.speed
    pitch = "high-pitch-rate" in book.properties
    if book.reversing:
        assert kind == "VD", "GS-STL-3"
        return False
    if move.settings.damage_control:
        assert kind not in ("ZC", "VC"), "GS-FLT-17"
    if previous == "DP":
        assert kind in DIVES or (kind == "LVL" and pitch), "GS-STL-1a"
    if previous == "ST":
        assert kind not in CLIMBS, "GS-F-30"
    match kind:
        case "LVL":
            assert previous != "VD" or speed <= (3 if pitch else 2), "GS-F-4"
        case "SC":
            assert previous != "VD", "GS-F-4"
            assert speed >= book.least(band(book.altitude)) + 1, "GS-F-4"
            assert book.altitude < book.sheet.ceiling, "GS-F-25"
        case "ZC":
            assert previous != "VD", "GS-F-4"
        case "VC":
            assert previous in CLIMBS or (previous == "LVL" and pitch and speed < 4), "GS-F-4"
        case "SD":
            return previous == "VC" and not pitch
        case "UD":
            assert previous != "VC", "GS-F-4"
        case _:
            assert previous != "VC", "GS-F-4"
            assert previous not in ("SC", "ZC") or speed <= 4, "GS-F-4"
            return previous in ("LVL", "SC", "ZC")
    return False


def first_level(book: Ledger, move: Sortie) -> int:
    """GS-F-4, last column: how many flight points are HFPs first."""
    kind, previous = move.kind, move.previous
    pitch = "high-pitch-rate" in book.properties
    if kind == "VD":
        level = max(third(Fraction(move.fps)), previous == "LVL")
        return level if move.settings.half_roll else 0
    if kind in ("SD", "UD") and previous in CLIMBS:
        return math.floor(book.speed / 2)
    if kind in ("SC", "ZC") and previous in DIVES:
        return third(Fraction(move.fps)) if pitch else math.floor(book.speed / 2)
    return int(previous == "LVL" and kind != "UD")


# What a flight point does.


def climbed(book: Ledger, move: Sortie, levels: int) -> None:
    """A VFP (GS-F-4, GS-F-25)."""
    kind = move.kind
    assert kind in (CLIMBS if levels > 0 else DIVES), "GS-F-4"
    allowed = {"VC": (1, 2), "SD": (1, 2), "VD": (2, 3)}.get(kind)
    if kind in ("SC", "ZC"):
        allowed = (1, 2) if book.climb_capability(move) > 2 else (1,)
    assert abs(levels) in (allowed or ()), "GS-F-4"
    move.vertical += 1
    move.levels += abs(levels)
    book.altitude = max(0, book.altitude + levels)
    assert kind != "SC" or book.altitude <= book.sheet.ceiling, "GS-F-25"


def sank(book: Ledger, move: Sortie, kind: str) -> None:
    """What an HFP loses of altitude: the free level of level flight, or one for being unloaded (GS-F-4)."""
    if kind == "HD":
        assert move.kind == "LVL", "GS-F-4"
        assert not move.free_level, "GS-F-4"
        move.free_level = True
    if kind == "U":
        assert move.kind == "UD", "GS-F-4"
        assert not move.unloaded or move.unloading, "GS-F-4"
        move.unloaded += 1
        move.levels += 1
    if kind != "H":
        book.altitude -= 1


def faced(book: Ledger, move: Sortie, face: str) -> None:
    """GS-F-10, GS-F-11: a facing change at the end of a flight point."""
    turn = book.turn
    assert turn is not None, "GS-F-11"
    assert turn.side == face[0], "GS-F-11"
    assert turn.count >= turn.need, "GS-F-11"
    assert len(face) <= 1 + turn.sixty, "GS-F-10"
    assert RATES.index(turn.rate) <= RATES.index(BY_DAMAGE[book.damage]), "GS-C-12"
    for side in face:
        book.point, book.facing = turned(book.point, book.facing, side)
    move.facings += len(face)
    turn.count = 0
    book.needed(turn)


def manoeuvred(book: Ledger, move: Sortie, kind: str, side: str) -> None:
    """A slide, a displacement or a lag roll (GS-F-16, GS-F-17)."""
    assert book.turn is None, "GS-F-16"
    assert move.kind not in ("VC", "VD"), "GS-F-5"
    if kind == "SL":
        assert move.straight >= 2, "GS-F-16"
        if move.slides:
            assert book.speed > 9, "GS-F-16"
            assert move.spent - 1 - move.slides[-1] >= 4, "GS-F-16"
            move.drag += 1
        move.slides.append(move.spent)
        assert len(move.slides) <= 2, "GS-F-16"
    else:
        rolling(book, move)
        assert move.kind != "SC", "GS-F-5"
        assert not move.settings.half_roll, "GS-F-6"
        higher = (0, 0, 0, 1, 2, 3, 3)[band(book.altitude)]
        assert move.steady >= max(1, third(book.speed)) + higher, "GS-F-17"
    book.point = slid(book.point, book.facing, side)
    if kind == "LR":
        book.point, book.facing = turned(book.point, book.facing, "L" if side == "R" else "R")
    if kind != "SL":
        rolled(book, move, ("LR", "DR").index(kind))


def rolling(book: Ledger, move: Sortie) -> None:
    """What every roll needs."""
    assert book.sheet.rolls, "GS-F-17"
    assert book.damage not in ("H", "C"), "GS-C-12"
    assert not move.settings.damage_control, "GS-FLT-17"


def rolled(book: Ledger, move: Sortie, which: int) -> None:
    """What every roll costs (GS-F-13, GS-F-17)."""
    move.drag += numbers(book.sheet.rolls)[which] + (move.rolls > 0)
    move.rolls += 1
    book.recovery = math.floor(book.speed / 2)


def whole(book: Ledger, move: Sortie) -> None:
    """GS-F-1, GS-F-4: all flight points are spent, and as the type of flight wants it."""
    assert move.spent == move.fps, "GS-F-1"
    rest = move.fps - third(Fraction(move.fps))
    flown = move.vertical
    match move.kind:
        case "LVL":
            assert flown == 0, "GS-F-4"
        case "UD":
            assert flown == 0, "GS-F-4"
            assert move.unloaded, "GS-F-4"
        case "VC" | "VD" if move.previous == move.kind and not book.reversing:
            assert flown >= rest, "GS-F-4"
        case "VC" | "VD":
            assert flown == rest, "GS-F-4"
        case _:
            assert 1 <= flown <= rest, "GS-F-4"
    if move.kind == "SD" and move.previous == "VD":
        pitch = "high-pitch-rate" in book.properties
        assert flown >= (third(Fraction(move.fps)) if pitch else move.fps // 2), "GS-F-4"
    if move.settings.damage_control and move.kind in DIVES:
        assert flown <= 2, "GS-FLT-17"


# Energy (6.5).


def thrust_items(book: Ledger, move: Sortie, rulings: Mapping[str, str]) -> Iterable[Number]:
    """Power, idling, cruise speed, brakes, the sound barrier (GS-F-3, GS-F-24)."""
    how = move.settings
    if move.power == how.power and how.ap:
        thin = Fraction({4: 2, 5: 1, 6: 1}.get(move.band, 3), 3)
        halves = max(1, math.floor(2 * Fraction(how.ap) * thin + Fraction(1, 2)))
        given = Fraction(halves, 2)
        for damaged in (book.damage in ("H", "C"), book.engine_out):
            given = given / 2 if damaged else given
        yield Fraction(math.ceil(4 * given), 4)
    if move.power == "I":
        yield -Fraction(book.sheet.idle)
    if move.power in ("I", "N") and book.speed > Fraction(book.sheet.cruise):
        yield Fraction(-1)
    yield -Fraction(how.brakes)
    if rulings["transonic"] == "on":
        below = SOUND[move.band] - book.speed
        yield -{
            Fraction(1): Fraction(1, 2),
            Fraction(1, 2): Fraction(1),
            Fraction(0): Fraction(3, 2),
        }.get(below, Fraction(0))


def book_items(book: Ledger, move: Sortie, rulings: Mapping[str, str]) -> Iterable[Number]:
    """All that a move brings and costs but the carry (GS-F-3, GS-F-16, GS-F-17, GS-F-21, GS-F-22)."""
    yield from thrust_items(book, move, rulings)
    drag = book.drag(move.rate)
    assert drag is not None
    yield -drag
    each = Fraction(1)
    if "high-bleed" in book.properties:
        each = Fraction(2)
    elif "low-bleed" in book.properties:
        each = Fraction(1, 2)
    yield -each * max(0, move.facings - 1)
    yield -move.drag
    zoom = Fraction(3, 2) if book.climbs else Fraction(1)
    match move.kind:
        case "SC":
            cheap = min(Fraction(move.levels), book.climb_capability(move))
            yield -cheap / 2 - zoom * (move.levels - cheap)
        case "ZC":
            yield -zoom * move.levels
        case "VC":
            yield Fraction(-2 * move.levels)
        case "SD" | "UD":
            yield Fraction(move.levels) if book.dives else Fraction(move.levels, 2)
        case "VD":
            yield Fraction(move.levels)
        case _:
            pass


def accelerated(book: Ledger, net: Number, sonic: Number) -> tuple[Number, Number]:
    """GS-F-20, GS-F-24: speed and carry before any limit."""
    speed = book.speed
    usual = Fraction(3, 2) if "rapid-accel" in book.properties else Fraction(2)
    while net >= (price := Fraction(3) if speed >= sonic else usual):
        speed, net = speed + Fraction(1, 2), net - price
    while net <= -2:
        speed, net = speed - Fraction(1, 2), net + 2
    return max(Fraction(0), speed), net


def limited(book: Ledger, move: Sortie, speed: Number) -> Number:
    """GS-F-23, by the band in which the move ends."""
    most = book.most(band(book.altitude))
    if move.kind in DIVES and move.levels >= 2:
        return min(speed, most + Fraction(book.sheet.dive))
    if book.speed <= most:
        return min(speed, most)
    speed = min(speed, book.speed)
    return max(most, speed - 1) if speed > most else speed
