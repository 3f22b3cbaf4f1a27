"""Energy (GS-F-3, GS-F-20 to GS-F-26, GS-F-30): thrust, the account of a move, limits and fuel.

Belongs here: accel and decel points, each with where it comes from. Does not belong here: how flight points are
spent (`flying`).

Points are multiples of 0.25 and speeds of 0.5: exact as floats.
"""

import math
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from app.engine.secret import Secret
from app.games.gunslingers.flight import turning
from app.games.gunslingers.flight.cards import band, limits
from app.games.gunslingers.flight.facts import BrokenOff
from app.games.gunslingers.flight.flight_types import CLIMBS, DIVES, NAMES
from app.games.gunslingers.flight.flying import Frame, Point, climb_capability, frame, point_of
from app.games.gunslingers.flight.move_facts import Account, EnergySettled, Item
from app.games.gunslingers.model import (
    Activation,
    Aircraft,
    Band,
    Card,
    FlightType,
    Own,
    Power,
    Rate,
    Settings,
    State,
)

STEP = 0.5
POINTS_PER_STEP = 2.0
RAPID_POINTS_PER_STEP = 1.5
SONIC_POINTS_PER_STEP = 3.0
OVER_CRUISE = 1.0
FADEBACK = 1.0
DIVED = 2
"""Levels from which a dive's speed limit holds (GS-F-23)."""
STALLED_FIRST = 0.5
STALLED_LATER = 1.0
"""AP per level lost in a stall, in its first turn and in later ones (GS-F-30)."""

POWERS: tuple[Power, ...] = ("I", "N", "M", "AB")
POWER_NAMES: Mapping[Power, str] = {
    "I": "idle",
    "N": "normal power",
    "M": "military power",
    "AB": "afterburner",
}

_THIRDS: Mapping[Band, int] = {"VH": 2, "EH": 1, "UH": 1}
_SOUND: Mapping[Band, float] = {"LO": 7.5, "ML": 7.5, "MH": 7.0, "HI": 7.0}
_HIGH_SOUND = 6.5


def ap_of_power(settings: Settings, where: Band, *, halvings: int) -> float:
    """What the AP chosen come to in thin air and with damage (GS-F-3).

    Args:
        settings: power and its points.
        where: the band in which the move begins.
        halvings: how often damage halves them; what that leaves is rounded up to a quarter of a point.
    """
    if settings.power in ("I", "N") or settings.ap <= 0:
        return 0.0
    halves = round(settings.ap * 2)
    thirds = _THIRDS.get(where, 3)
    halves = max(1, (2 * halves * thirds + 3) // 6)
    return math.ceil(2 * halves / 2**halvings) / 4


def power_halvings(aircraft: Aircraft) -> int:
    """How often damage halves its thrust: heavy damage does, and an engine that is out does again (GS-C-12)."""
    return (aircraft.o.damage in ("H", "C")) + ("engine" in aircraft.o.out)


def account(state: State, begun: Frame, point: Point) -> Account:
    """The energy account, were the move over here (GS-F-20 to GS-F-24, GS-F-26)."""
    items = tuple(_items(state, begun, point))
    return _made_up(state, begun, point, items)


def flown_points(begun: Frame, point: Point) -> float:
    """The points of turns, slides, rolls and levels so far: AP, or DP as a negative number."""
    items = (*_turn_items(begun, point), *_level_items(begun, point))
    return sum(item.amount for item in items) - point.counts.move.drag


def _items(state: State, begun: Frame, point: Point) -> Iterator[Item]:
    """What goes into the account: the carry from before first, then only what is not nothing."""
    own, move = begun.aircraft.o, point.counts.move
    yield Item("carried", own.ap_carry)
    yield from thrust_items(state, begun, move.band)
    yield from _turn_items(begun, point)
    if move.drag:
        yield Item("slides and rolls", -move.drag)
    yield from _level_items(begun, point)


def thrust_items(state: State, begun: Frame, where: Band) -> Iterator[Item]:
    """Power, speed over cruise, speed brakes, the sound barrier (GS-F-3, GS-F-24)."""
    settings, card = begun.settings, begun.card
    power = begun.power
    gained = 0.0
    if power == settings.power:
        gained = ap_of_power(settings, where, halvings=power_halvings(begun.aircraft))
    if gained:
        yield Item(POWER_NAMES[power], gained)
    if power == "I" and card.idle_dp:
        yield Item(POWER_NAMES["I"], -card.idle_dp)
    if power in ("I", "N") and begun.speed > card.cruise:
        yield Item(f"over cruise speed {card.cruise:g}", -OVER_CRUISE)
    if settings.brakes:
        yield Item("speed brakes", -settings.brakes)
    if state.switches.transonic == "on":
        drag = {-1.0: 0.5, -0.5: 1.0, 0.0: 1.5}.get(begun.speed - _sound(where))
        if drag:
            yield Item("near the speed of sound", -drag)


def _sound(where: Band) -> float:
    return _SOUND.get(where, _HIGH_SOUND)


def _turn_items(begun: Frame, point: Point) -> Iterator[Item]:
    """GS-F-21."""
    counts = point.counts
    drag = turning.rate_drag(begun.card, counts.max_rate)
    if drag and counts.max_rate:
        yield Item(f"{turning.RATE_NAMES[counts.max_rate]} turn", -drag)
    further = counts.facings - 1
    if further > 0:
        each = turning.facing_drag(begun.card)
        yield Item(f"{further} facing change{'s' * (further > 1)} after the first", -further * each)


def _level_items(begun: Frame, point: Point) -> Iterator[Item]:
    """GS-F-22."""
    levels, own = point.counts.move.levels, begun.aircraft.o
    if not levels:
        return
    what = f"{levels} level{'s' * (levels > 1)}, {NAMES[begun.kind].lower()}"
    match begun.kind:
        case "SC" | "ZC":
            yield Item(what, -_climb_drag(begun, point))
        case "VC":
            yield Item(what, -2.0 * levels)
        case "SD" | "UD":
            yield Item(what, levels * (1.0 if own.dive_turns else 0.5))
        case "VD":
            yield Item(what, 1.0 * levels)
        case _:
            pass


def _climb_drag(begun: Frame, point: Point) -> float:
    """A sustained climb is cheap up to CC; a zoom climb, and what is beyond CC, is not."""
    move = point.counts.move
    zoom = 1.5 if begun.aircraft.o.climb_turns else 1.0
    cheap = 0.0
    if begun.kind == "SC":
        capability = climb_capability(begun.card, move.band, begun.power, begun.speed)
        cheap = min(float(move.levels), capability)
    return 0.5 * cheap + zoom * (move.levels - cheap)


def _made_up(state: State, begun: Frame, point: Point, items: tuple[Item, ...]) -> Account:
    own, move = begun.aircraft.o, point.counts.move
    net = sum(item.amount for item in items)
    speed, carry = _new_speed(state, begun.speed, begun.card, move.band, net)
    dived = begun.kind in DIVES and move.levels >= DIVED
    speed, notes = _limited(begun, point, speed, dived=dived)
    turn = move.turn if move.turn and move.turn.count else None
    climbs, dives, checks = _in_a_row(own, begun.kind, point.counts.max_rate)
    return Account(
        items=items,
        net=net,
        next_speed=speed,
        ap_carry=carry if speed else 0.0,
        fp_carry=_kept(state, begun.speed + own.fp_carry - move.fps),
        turn_carry=turn,
        fuel=_fuel_left(begun),
        climb_turns=climbs,
        dive_turns=dives,
        gloc_checks=checks,
        notes=notes,
    )


def _fuel_left(begun: Frame) -> float:
    """GS-F-26."""
    return max(0.0, begun.aircraft.o.fuel - begun.card.fuel_use.get(begun.power, 0.0))


def _in_a_row(own: Own, kind: FlightType, rate: Rate | None) -> tuple[int, int, int]:
    """Climbs and dives in a row after a move, and the checks for GLOC since the last gentle one (GS-F-15, GS-F-22)."""
    return (
        own.climb_turns + 1 if kind in CLIMBS else 0,
        own.dive_turns + 1 if kind in DIVES else 0,
        own.gloc_checks if rate in ("BT", "ET") else 0,
    )


def broken_off(state: State, aircraft: Aircraft, settings: Settings) -> BrokenOff:
    """The move of an aircraft that departs within it (GS-F-25): its speed and points are frozen, but it counts.

    The fuel is used, and a climb or a dive is one more in a row.
    """
    own, begun = aircraft.o, frame(state, aircraft, settings)
    climbs, dives, checks = _in_a_row(own, begun.kind, own.max_rate)
    return BrokenOff(
        fuel=_fuel_left(begun),
        climb_turns=climbs,
        dive_turns=dives,
        gloc_checks=checks,
    )


def _kept(state: State, half: float) -> float:
    """GS-F-1: what is left of a flight point for the next move, by ruling none."""
    return half if state.switches.half_fp == "on" else 0.0


def _new_speed(
    state: State, speed: float, card: Card, where: Band, net: float
) -> tuple[float, float]:
    """Speed and what is carried, before any limit (GS-F-20, GS-F-24)."""
    usual = RAPID_POINTS_PER_STEP if card.has("rapid-accel") else POINTS_PER_STEP
    sound = _sound(where) if state.switches.transonic == "on" else math.inf
    while net >= (step := SONIC_POINTS_PER_STEP if speed >= sound else usual):
        speed, net = speed + STEP, net - step
    while net <= -POINTS_PER_STEP:
        speed, net = speed - STEP, net + POINTS_PER_STEP
    return max(0.0, speed), net


def _limited(
    begun: Frame, point: Point, speed: float, *, dived: bool
) -> tuple[float, tuple[str, ...]]:
    """GS-F-23: the speed as the band where the move ends limits it, and what that changed."""
    most = limits(begun.card, band(point.altitude)).max
    if dived:
        most += begun.card.dive_bonus
        if speed > most:
            return most, (f"dive speed {most:g} at most",)
        return speed, ()
    if begun.speed <= most:
        return (most, (f"level speed {most:g} at most",)) if speed > most else (speed, ())
    faded = min(speed, begun.speed)
    if faded <= most:
        return faded, ()
    return max(most, faded - FADEBACK), (f"fades back toward level speed {most:g}",)


def settle(state: State, aircraft: Aircraft, activation: Activation) -> EnergySettled:
    """The end of a move: its energy account, made up (GS-F-20)."""
    if activation.settings is None:
        raise LookupError(f"{aircraft.id} has not chosen how it flies")
    begun = frame(state, aircraft, activation.settings)
    point = point_of(aircraft)
    made = account(state, begun, point)
    return EnergySettled(
        aircraft.id,
        Secret(made, (aircraft.side,)),
        aircraft.pos,
        aircraft.facing,
        aircraft.altitude,
        departs(begun, point, made),
    )


def departs(begun: Frame, point: Point, made: Account) -> bool:
    """Whether it carries a turn that it is too slow for next turn, and departs by (GS-F-12)."""
    turn = made.turn_carry
    if turn is None:
        return False
    return made.next_speed < begun.least_speed(point.altitude) + turning.EXTRA_SPEED[turn.rate]


def fall(state: State, aircraft: Aircraft, settings: Settings) -> tuple[int, Account]:
    """Stalled flight (GS-F-30): levels lost, and the energy account.

    Args:
        state: the position.
        aircraft: the one that is stalled, its `stalled_turns` those before this one.
        settings: power, its points and brakes; the type of flight is "ST".
    """
    begun, point = frame(state, aircraft, settings), point_of(aircraft)
    lost = math.ceil(aircraft.speed) + aircraft.stalled_turns + 1
    each = STALLED_LATER if aircraft.stalled_turns else STALLED_FIRST
    items = (
        Item("carried", aircraft.o.ap_carry),
        *thrust_items(state, begun, point.counts.move.band),
        Item(f"{lost} levels lost", each * lost),
    )
    sunk = replace(point, altitude=max(0, point.altitude - lost))
    return lost, _made_up(state, begun, sunk, items)
