"""A move flown token by token (GS-F-4 to GS-F-17): what may be flown next, and where it leads.

Belongs here: one token at a time. Does not belong here: reading lines and showing them (`notation`), the energy
account (`energy`), what interrupts a move (the phase).

A token is allowed only if the move can be completed after it, so a line that is legal so far never runs into a dead
end.
"""

import dataclasses
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.engine.errors import Illegal
from app.engine.secret import Secret
from app.engine.sequence import Blocked
from app.games.gunslingers.flight import manoeuvres, turning
from app.games.gunslingers.flight.cards import band, flown_card, limits
from app.games.gunslingers.flight.flight_types import (
    CLIMBS,
    DIVES,
    NAMES,
    Shape,
    Start,
    shape,
)
from app.games.gunslingers.flight.move_facts import Counts, Flew
from app.games.gunslingers.flight.tokens import AHEAD, Kind, Token, read_token
from app.games.gunslingers.geometry import Pos, ahead, slid, turned
from app.games.gunslingers.model import (
    RATES,
    Activation,
    Aircraft,
    Band,
    Card,
    FlightType,
    Flown,
    Move,
    Power,
    Rate,
    Settings,
    Side,
    State,
    TurnCarry,
)

Bank = Literal["L", "R", "level"]

HIGHEST = 99
_MOST_FREE = 2
_SPENT_ON: Mapping[Kind, Flown] = {
    "H": "H",
    "HD": "H",
    "U": "U",
    "C": "C",
    "D": "D",
    "SL": "SL",
    "DR": "DR",
    "LR": "LR",
}


class Point(Struct, frozen=True):
    """Where a move has come to: place, facing, level, and what is counted."""

    pos: Pos
    facing: int
    altitude: int
    counts: Counts

    @property
    def crashed(self) -> bool:
        """Whether it has met the ground (GS-F-25)."""
        return self.altitude <= 0


@dataclasses.dataclass(frozen=True, slots=True)
class Frame:
    """What stays the same during a move.

    Args:
        aircraft: as it is now; only what the move does not change is read.
        card: its card with its load.
        settings: what was chosen for the move.
        shape: how its flight points may be spent.
        reversal: flight points that turning to the other side costs.
    """

    aircraft: Aircraft
    card: Card
    settings: Settings
    shape: Shape
    reversal: int

    @property
    def speed(self) -> float:
        """Start speed."""
        return self.aircraft.speed

    @property
    def kind(self) -> FlightType:
        """The general type of flight."""
        return self.settings.flight_type

    @property
    def power(self) -> Power:
        """The power that counts (GS-F-3)."""
        return power_given(self.aircraft, self.settings)

    @property
    def recovery(self) -> int:
        """Flight points to recover from an emergency turn, a roll or unloading (GS-F-13)."""
        return int(self.speed // 2)

    def least_speed(self, altitude: int) -> float:
        """The least speed at a level."""
        return limits(self.card, band(altitude)).min

    def rate_blocked(self, rate: Rate, altitude: int) -> Blocked | None:
        """What keeps it from turning at a rate at that level."""
        return turning.rate_blocked(
            self.card,
            rate,
            kind=self.kind,
            damage=self.aircraft.o.damage,
            damage_control=self.settings.damage_control,
            speed=self.speed,
            least_speed=self.least_speed(altitude),
        )

    def requirement(self, rate: Rate, altitude: int) -> tuple[int, int]:
        """Flight points that a facing change needs there, and of how many steps it may be (GS-F-10)."""
        return turning.requirement(rate, self.speed, band(altitude), self.card.turn_factor)


@dataclasses.dataclass(frozen=True, slots=True)
class Hazards:
    """What a token that was just flown must be paid for in dice.

    Args:
        et_facings: facing changes of an emergency turn at MH or lower: each is a check for GLOC (GS-F-15).
        ceiling: whether it was a turn or roll above the ceiling, which may depart (GS-F-25).
    """

    et_facings: int = 0
    ceiling: bool = False


def hazards(state: State, aircraft: Aircraft, token: str) -> Hazards:
    """What the token that an aircraft has just flown must be paid for; `aircraft` as it is after it."""
    read = read_token(token)
    emergency = rate_of(aircraft) == "ET" and band(aircraft.altitude) in ("LO", "ML", "MH")
    ceiling = flown_card(state, aircraft).ceiling
    return Hazards(
        et_facings=read.steps if emergency else 0,
        ceiling=aircraft.altitude > ceiling and _risky(aircraft, read, ceiling),
    )


def _risky(aircraft: Aircraft, token: Token, ceiling: int) -> bool:
    """Whether a token above the ceiling was a roll, or the first in a turn there that is not an easy one.

    A turn is new there where it is declared, where it was carried from the last move, or where it has been climbed in.
    """
    if token.rolls:
        return True
    carried = token.spends and aircraft.o.move is not None and aircraft.o.move.spent == 1
    climbed = token.kind == "C" and aircraft.altitude - token.number <= ceiling
    new = token.rate is not None or carried or climbed
    return new and rate_of(aircraft) not in (None, "EZ")


def flight_points(aircraft: Aircraft) -> int:
    """Flight points of its next move (GS-F-1)."""
    return int(aircraft.speed + aircraft.o.fp_carry)


def recovered(aircraft: Aircraft) -> bool:
    """Whether it may aim, fire, launch and search again (GS-F-13)."""
    return aircraft.o.recovery <= 0


def rate_of(aircraft: Aircraft) -> Rate | None:
    """The rate of the turn that it is in."""
    move = aircraft.o.move
    return move.turn.rate if move and move.turn else None


def points_left(aircraft: Aircraft) -> int:
    """Flight points that its move has still to spend; none once it has met the ground."""
    move = aircraft.o.move
    return 0 if move is None or aircraft.altitude <= 0 else move.fps - move.spent


def previous_type(aircraft: Aircraft, *, moving: bool) -> FlightType:
    """The type of flight that this turn's must follow; "DP" when it has just recovered from departed flight."""
    if aircraft.recovered:
        return "DP"
    return aircraft.s.previous_type if moving else aircraft.s.flight_type


def power_given(aircraft: Aircraft, settings: Settings) -> Power:
    """The power that counts: after a flame-out the engines idle until next turn (GS-F-3)."""
    return "I" if aircraft.o.flamed_out else settings.power


def climb_capability(card: Card, start: Band, power: Power, speed: float) -> float:
    """CC by this turn's power, halved below climb speed; 0 in N and I (GS-F-7, GS-F-22)."""
    line = limits(card, start)
    capability = {"AB": line.cc_ab, "M": line.cc_m}.get(power, 0.0)
    return capability / 2 if speed < card.climb_speed else capability


def start_of(state: State, aircraft: Aircraft, settings: Settings, *, moving: bool) -> Start:
    """What a type of flight is chosen by. `moving`: the move has begun, and `Own.move` says how."""
    card = flown_card(state, aircraft)
    move = aircraft.o.move if moving else None
    if move is None:
        fps, where = flight_points(aircraft), band(aircraft.altitude)
    else:
        fps, where = move.fps, move.band
    return Start(
        previous=previous_type(aircraft, moving=moving),
        fps=fps,
        speed=aircraft.speed,
        least_speed=limits(card, where).min,
        climb=climb_capability(card, where, power_given(aircraft, settings), aircraft.speed),
        high_pitch=card.has("high-pitch-rate"),
        high=not moving and aircraft.altitude >= card.ceiling,
        reversing=aircraft.vertical_reverse,
        damage_control=settings.damage_control,
    )


def frame(state: State, aircraft: Aircraft, settings: Settings, *, moving: bool = True) -> Frame:
    """What stays the same during a move. Raises Illegal when its type of flight can't be flown.

    `moving`: the move has begun, and the aircraft is as it flies in it.
    """
    card = flown_card(state, aircraft)
    made: Shape | Blocked = Shape()
    if settings.flight_type not in ("ST", "DP"):
        made = shape(settings.flight_type, start_of(state, aircraft, settings, moving=moving))
    if isinstance(made, Blocked):
        raise Illegal(f"{NAMES[settings.flight_type]}: {made.reason}.", made.cite)
    cost = turning.reversal_cost(card) if state.switches.bank == "on" else 0
    return Frame(aircraft, card, settings, made, cost)


def first_turn(begun: Frame, carried: TurnCarry | None) -> tuple[TurnCarry | None, int, int]:
    """The turn that a move begins with, its requirement by this move's speed, and the steps (GS-F-11, GS-F-12)."""
    altitude = begun.aircraft.altitude
    if carried is None or begun.rate_blocked(carried.rate, altitude):
        return None, 1, 1
    return carried, *begun.requirement(carried.rate, altitude)


def point_of(aircraft: Aircraft) -> Point:
    """Where its move has come to. Raises LookupError before it has begun."""
    own = aircraft.o
    if own.move is None:
        raise LookupError(f"{aircraft.id} is not on the move")
    return Point(
        aircraft.pos,
        aircraft.facing,
        aircraft.altitude,
        Counts(
            move=own.move,
            max_rate=own.max_rate,
            sight_rate=own.sight_rate,
            facings=own.facings,
            rolls=own.rolls,
            unloaded=own.unloaded,
            recovery=own.recovery,
            bank=own.bank,
            bank_free=own.bank_free,
            last_fp=own.last_fp,
        ),
    )


def over(point: Point) -> bool:
    """Whether its flight points are spent, or it has met the ground."""
    return point.crashed or point.counts.move.spent >= point.counts.move.fps


# What may be flown.


def blocked(begun: Frame, point: Point, token: Token) -> Blocked | None:
    """What keeps it from flying this token here; None when it may."""
    move = point.counts.move
    if point.crashed:
        return Blocked("it has flown into the ground", "GS-F-25")
    match token.kind:
        case "-":
            return None if move.turn else Blocked("no turn is under way", "GS-F-11")
        case "G":
            return None if move.spent else Blocked("a flight point must be spent first", "GS-C-1")
        case "VR":
            return _roll_blocked(begun, point, "VR")
        case "":
            return Blocked("a turn is declared before a flight point", "GS-F-11")
        case _:
            return (
                _spent(move)
                or _declaration_blocked(begun, point, token)
                or _kind_blocked(begun, point, token)
                or _facing_blocked(begun, point, token)
                or _unfinished(begun, point, token)
            )


def _spent(move: Move) -> Blocked | None:
    if move.spent >= move.fps:
        return Blocked(f"all {move.fps} flight points are spent", "GS-F-1")
    return None


def declaring_blocked(begun: Frame, point: Point, rate: Rate, side: Side) -> Blocked | None:
    """What keeps it from declaring that turn before its next flight point, whichever that is (GS-F-11)."""
    if over(point):
        return Blocked("a turn is declared before a flight point, and none is left", "GS-F-11")
    plain = (AHEAD, *(_vertical(begun, levels) for levels in begun.shape.levels))
    if all(blocked(begun, point, token) for token in plain):
        return Blocked("a turn is declared before a plain flight point", "GS-F-11")
    return _rate_blocked(begun, point, rate, side)


def _vertical(begun: Frame, levels: int) -> Token:
    """A VFP of its type of flight."""
    return Token(kind="C" if begun.kind in CLIMBS else "D", number=levels)


def _rate_blocked(begun: Frame, point: Point, rate: Rate, side: Side) -> Blocked | None:
    turn = point.counts.move.turn
    if turn is not None and (turn.rate, turn.side) == (rate, side):
        return Blocked("that turn is under way: fly on in it", "GS-F-11")
    return begun.rate_blocked(rate, point.altitude)


def _declaration_blocked(begun: Frame, point: Point, token: Token) -> Blocked | None:
    """GS-F-11: a turn is declared before an HFP or a VFP, fast enough for its rate."""
    if token.rate is None or token.turn is None:
        return None
    if token.kind not in ("H", "HD", "C", "D"):
        return Blocked("a turn is declared before a plain flight point", "GS-F-11")
    return _rate_blocked(begun, point, token.rate, token.turn)


def _kind_blocked(begun: Frame, point: Point, token: Token) -> Blocked | None:
    move = point.counts.move
    match token.kind:
        case "HD" if begun.kind != "LVL":
            return Blocked("only level flight has a free level down", "GS-F-4")
        case "HD" if move.free_level:
            return Blocked("the one free level is lost already", "GS-F-4")
        case "U":
            return _unloading_blocked(begun, point)
        case "C" | "D":
            return _vertical_blocked(begun, point, token)
        case "SL":
            return manoeuvres.slide_blocked(move, begun.kind, begun.speed)
        case "DR" | "LR":
            return _roll_blocked(begun, point, token.kind)
        case _:
            return None


def _unloading_blocked(begun: Frame, point: Point) -> Blocked | None:
    """GS-F-4, UD: a continuous run of unloaded HFPs."""
    move = point.counts.move
    if not begun.shape.unloads:
        return Blocked("only an unloaded dive has them", "GS-F-4")
    if move.spent < begun.shape.first:
        return _level_first(begun)
    if point.counts.unloaded and move.last != "U":
        return Blocked("unloaded flight points follow one another", "GS-F-4")
    return None


def _vertical_blocked(begun: Frame, point: Point, token: Token) -> Blocked | None:
    """GS-F-4: how many VFPs, of how many levels, and after what."""
    plan, move = begun.shape, point.counts.move
    way = "C" if begun.kind in CLIMBS else "D" if begun.kind in DIVES else ""
    if token.kind != way or not plan.levels:
        what = "climb" if token.kind == "C" else "dive by VFPs"
        return Blocked(f"{NAMES[begun.kind].lower()} does not {what}", "GS-F-4")
    if token.number not in plan.levels:
        listed = " or ".join(str(levels) for levels in plan.levels)
        return Blocked(f"{listed} level{'s' * (plan.levels != (1,))} a VFP", "GS-F-4")
    if move.spent < plan.first:
        return _level_first(begun)
    if move.vertical >= plan.most:
        return Blocked(f"{plan.most} VFPs at most", "GS-F-4")
    if plan.level_first and move.fps - move.spent > plan.least - move.vertical:
        return Blocked("after a half-roll all HFPs come first", "GS-F-4")
    if token.kind == "C":
        return _too_high(begun, point.altitude + token.number)
    return None


def _level_first(begun: Frame) -> Blocked:
    first = begun.shape.first
    words = "the first flight point is" if first == 1 else f"the first {first} flight points are"
    return Blocked(f"{words} horizontal", "GS-F-4")


def _too_high(begun: Frame, altitude: int) -> Blocked | None:
    """GS-F-25."""
    if begun.kind == "SC" and altitude > begun.card.ceiling:
        return Blocked("no sustained climb above its ceiling", "GS-F-25")
    if altitude > HIGHEST:
        return Blocked(f"nothing flies above level {HIGHEST}", "GS-F-25")
    return None


def _roll_blocked(begun: Frame, point: Point, roll: manoeuvres.Roll) -> Blocked | None:
    return manoeuvres.roll_blocked(
        roll,
        point.counts.move,
        card=begun.card,
        kind=begun.kind,
        speed=begun.speed,
        band=band(point.altitude),
        damage=begun.aircraft.o.damage,
        damage_control=begun.settings.damage_control,
        half_roll=begun.settings.half_roll,
    )


def _facing_blocked(begun: Frame, point: Point, token: Token) -> Blocked | None:
    """GS-F-11: a facing change at the end of the flight point that completes the requirement."""
    if not token.steps:
        return None
    if token.kind not in ("H", "HD", "C", "D"):
        return Blocked("no facing change of a turn on this flight point", "GS-F-11")
    turn, need, most = _turning(begun, point, token)[:3]
    if turn is None:
        return Blocked("no turn is declared", "GS-F-11")
    if turn.side != token.face:
        return Blocked(f"it turns {_side(turn.side)}", "GS-F-11")
    if turn.count < need:
        return Blocked(f"{turn.count} of {need} flight points counted", "GS-F-11")
    if token.steps > most:
        return Blocked("30 degrees at a time at this speed", "GS-F-10")
    return turning.damage_blocked(turn.rate, begun.aircraft.o.damage)


def _side(side: Side) -> str:
    return "left" if side == "L" else "right"


def _unfinished(begun: Frame, point: Point, token: Token) -> Blocked | None:
    """What the move must still have, and could not have after this token (GS-F-4)."""
    plan, move = begun.shape, point.counts.move
    spent = move.spent + 1
    free = move.fps - spent - max(0, plan.first - spent)
    if plan.unloads and not (point.counts.unloaded or token.kind == "U" or free):
        return Blocked("one flight point must be unloaded", "GS-F-4")
    vertical = move.vertical + (token.kind in ("C", "D"))
    if vertical + free < plan.least:
        return Blocked(f"{plan.least - move.vertical} VFPs are still to be flown", "GS-F-4")
    return None


# Where it leads.


def fly(begun: Frame, point: Point, token: Token) -> Point:
    """Where a token that may be flown leads."""
    match token.kind:
        case "-":
            return _counted(point, replace(point.counts.move, turn=None))
        case "G":
            return point
        case "VR":
            return _rolled(begun, point, token)
        case _:
            return _spend(begun, point, token)


def _counted(point: Point, move: Move) -> Point:
    return replace(point, counts=replace(point.counts, move=move))


def _rolled(begun: Frame, point: Point, token: Token) -> Point:
    """A vertical roll, which spends nothing (GS-F-17)."""
    counts = point.counts
    pos, facing = manoeuvres.vertically_rolled(
        point.pos, point.facing, token.side or "R", token.number
    )
    drag = counts.move.drag + manoeuvres.roll_drag("VR", begun.card, counts.rolls)
    return Point(
        pos,
        facing,
        point.altitude,
        replace(
            counts,
            move=replace(counts.move, last="VR", drag=drag),
            rolls=counts.rolls + 1,
            recovery=begun.recovery,
            sight_rate=_tighter(counts.sight_rate, "BT"),
            last_fp="roll",
        ),
    )


def _spend(begun: Frame, point: Point, token: Token) -> Point:
    counts = point.counts
    turn, need, most, bank, bank_free = _turning(begun, point, token)
    pos, facing = _moved(point, token)
    altitude = max(0, point.altitude + _climb(token))
    if token.steps and turn is not None:
        for _ in range(token.steps):
            pos, facing = turned(pos, facing, turn.side)
        turn = replace(turn, count=0)
        need, most = begun.requirement(turn.rate, altitude)
    tiring = token.kind in ("U", "DR", "LR") or (turn is not None and turn.rate == "ET")
    recovery = begun.recovery if tiring else max(0, counts.recovery - 1)
    rate = turn.rate if turn else None
    return Point(
        pos,
        facing,
        altitude,
        Counts(
            move=_move_after(begun, counts, token, turn, need, most),
            max_rate=_tighter(counts.max_rate, rate),
            sight_rate=_sight_rate(counts, token, rate, recovery),
            facings=counts.facings + token.steps,
            rolls=counts.rolls + token.rolls,
            unloaded=counts.unloaded + (token.kind == "U"),
            recovery=recovery,
            bank=bank,
            bank_free=bank_free,
            last_fp="roll" if token.rolls else "",
        ),
    )


def _climb(token: Token) -> int:
    """Levels that a token gains."""
    if token.kind == "C":
        return token.number
    if token.kind == "D":
        return -token.number
    return -1 if token.kind in ("HD", "U") else 0


def _moved(point: Point, token: Token) -> tuple[Pos, int]:
    side = token.side or "R"
    match token.kind:
        case "C" | "D":
            return point.pos, point.facing
        case "SL" | "DR":
            return slid(point.pos, point.facing, side), point.facing
        case "LR":
            return manoeuvres.lag_rolled(point.pos, point.facing, side)
        case _:
            return ahead(point.pos, point.facing), point.facing


def _turning(
    begun: Frame, point: Point, token: Token
) -> tuple[TurnCarry | None, int, int, Bank, int]:
    """The turn after a flight point, before it faces: with what it needs, and the bank (GS-F-11, GS-F-14).

    A flight point that pays for a reversal counts for nothing else; so does an unloaded one.
    """
    counts, move = point.counts, point.counts.move
    turn, need, most = move.turn, move.need, move.most
    if token.rate is not None and token.turn is not None:
        turn = TurnCarry(token.rate, token.turn)
        need, most = begun.requirement(token.rate, point.altitude)
    if token.kind == "U":
        return turn, need, most, counts.bank, counts.bank_free
    if turn is None:
        return None, need, most, counts.bank, min(counts.bank_free + 1, _MOST_FREE)
    owed = reversal_owed(begun, point, turn.side)
    if owed > 1:
        return turn, need, most, counts.bank, counts.bank_free + 1
    if owed:
        return turn, need, most, turn.side, 0
    return replace(turn, count=turn.count + 1), need, most, turn.side, 0


def reversal_owed(begun: Frame, point: Point, side: Side) -> int:
    """Flight points that a turn to that side still pays for reversing, and that count for nothing (GS-F-14)."""
    counts = point.counts
    if counts.bank in ("level", side):
        return 0
    return max(0, begun.reversal - counts.bank_free)


def _move_after(
    begun: Frame, counts: Counts, token: Token, turn: TurnCarry | None, need: int, most: int
) -> Move:
    move = counts.move
    slide = token.kind == "SL"
    drag = move.drag
    if slide:
        drag += manoeuvres.slide_drag(move)
    elif token.kind in ("DR", "LR"):
        drag += manoeuvres.roll_drag(token.kind, begun.card, counts.rolls)
    vertical = token.kind in ("C", "D")
    plain = turn is None and token.kind in ("H", "HD", "C", "D")
    return Move(
        fps=move.fps,
        band=move.band,
        spent=move.spent + 1,
        vertical=move.vertical + vertical,
        levels=move.levels + (token.number if vertical else token.kind == "U"),
        free_level=move.free_level or token.kind == "HD",
        last=_SPENT_ON[token.kind],
        straight=move.straight + 1 if plain and not vertical else 0,
        steady=move.steady + 1 if plain else 0,
        slides=move.slides + slide,
        slid_at=move.spent + 1 if slide else move.slid_at,
        drag=drag,
        turn=turn,
        need=need,
        most=most,
        half_roll=move.half_roll,
    )


def _sight_rate(counts: Counts, token: Token, rate: Rate | None, recovery: int) -> Rate | None:
    """The tightest rate since it last recovered; rolls count as BT (GS-C-2, GS-F-17)."""
    if counts.recovery > 0 and recovery == 0:
        return rate
    if token.rolls:
        rate = _tighter(rate, "BT")
    return _tighter(counts.sight_rate, rate)


def _tighter(one: Rate | None, other: Rate | None) -> Rate | None:
    """The tighter of two rates."""
    if one is None or other is None:
        return one or other
    return one if RATES.index(one) >= RATES.index(other) else other


# As facts.


def flew(state: State, aircraft: Aircraft, activation: Activation, token: str) -> Flew:
    """The fact of flying a token. Raises Illegal when it may not be flown now."""
    read = read_token(token)
    begun = frame(state, aircraft, _settings(activation))
    point = point_of(aircraft)
    reason = blocked(begun, point, read)
    if reason is not None:
        raise Illegal(f"{read.text}: {reason.reason}.", reason.cite)
    after = fly(begun, point, read)
    return Flew(
        aircraft.id,
        Secret(read.text, (aircraft.side,)),
        after.pos,
        after.facing,
        after.altitude,
        Secret(after.counts, (aircraft.side,)),
        after.counts.move.spent,
    )


def _settings(activation: Activation) -> Settings:
    if activation.settings is None:
        raise LookupError(f"{activation.aircraft} has not chosen how it flies")
    return activation.settings
