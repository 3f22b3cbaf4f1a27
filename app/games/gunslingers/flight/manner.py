"""The question that a move begins with (GS-F-3, GS-F-4, GS-FLT-17): how it flew last turn, and what is to change.

Belongs here: the ways of `starts` as a line of orders, so that the usual case is one click and any other a few.
Does not belong here: which ways there are.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial

import msgspec

from app.engine.sequence import Blocked, Option
from app.games.gunslingers.flight import starts
from app.games.gunslingers.flight.energy import POWER_NAMES
from app.games.gunslingers.flight.flight_types import NAMES
from app.games.gunslingers.lines import Order, Orders
from app.games.gunslingers.model import Aircraft, FlightType, Settings, State

Ways = Mapping[Settings, Option]


def orders(state: State, aircraft: Aircraft) -> Orders[Settings]:
    """What may be ordered before the first flight point. It begins with how the aircraft flew last turn."""
    ways = cache(partial(_ways, state, aircraft))
    return Orders(
        lambda: _usual(aircraft, ways()),
        lambda plan: _offered(aircraft, ways(), plan),
        lambda plan: _figures(ways(), plan),
        "GS-F-4",
    )


def _ways(state: State, aircraft: Aircraft) -> Ways:
    return {
        msgspec.convert(option.value, Settings): option for option in starts.starts(state, aircraft)
    }


def words(settings: Settings) -> str:
    """A way to fly in a few words: "Level flight, military power 2"."""
    power = POWER_NAMES[settings.power]
    if settings.power in ("M", "AB"):
        power += f" {settings.ap:g}"
    brakes = f", brakes {settings.brakes:g}" if settings.brakes else ""
    return f"{NAMES[settings.flight_type]}, {power}{brakes}"


def _usual(aircraft: Aircraft, ways: Ways) -> Settings:
    """Of what may be flown, the likest to last turn: its type of flight, else level; its power, with most thrust."""
    last = aircraft.s

    def unlike(way: Settings) -> tuple[bool, bool, bool, float, float]:
        return (
            way.damage_control,
            way.flight_type != last.flight_type,
            way.power != last.power,
            way.brakes,
            -way.ap,
        )

    free = [way for way, option in ways.items() if option.blocked is None]
    level = [way for way in free if way.flight_type in (last.flight_type, "LVL")]
    return min(level or free, key=unlike)


def _figures(ways: Ways, plan: Settings) -> tuple[tuple[str, str], ...]:
    option = ways[plan]
    control = (("Damage", "under control"),) if plan.damage_control else ()
    return (("How", words(plan)), ("Gives", option.detail), ("Takes", option.cost), *control)


def _offered(aircraft: Aircraft, ways: Ways, plan: Settings) -> Sequence[Order[Settings]]:
    control = _controls(ways, plan) if aircraft.o.damage else ()
    return (*_types(ways, plan), *_powers(ways, plan), *_brakes(ways, plan), *control)


def _types(ways: Ways, plan: Settings) -> Iterator[Order[Settings]]:
    """Each type of flight at the same thrust; why not, where none of its ways can be flown."""
    kinds: dict[FlightType, list[Settings]] = {}
    for way in ways:
        if way.damage_control == plan.damage_control:
            kinds.setdefault(way.flight_type, []).append(way)
    for kind, among in kinds.items():
        way = min(among, key=lambda one: _apart(one, plan))
        yield _order(ways, way, kind, NAMES[kind], "Type of flight", _by_half_roll(way))


def _by_half_roll(way: Settings) -> str:
    return "by a half-roll" if way.half_roll else ""


def _apart(way: Settings, plan: Settings) -> tuple[bool, float, float]:
    return way.power != plan.power, abs(way.ap - plan.ap), abs(way.brakes - plan.brakes)


def _powers(ways: Ways, plan: Settings) -> Iterator[Order[Settings]]:
    """Each thrust without brakes; the present one with those that there are."""
    for way in _alike(ways, plan):
        present = (way.power, way.ap) == (plan.power, plan.ap)
        if way == plan if present else not way.brakes:
            words = POWER_NAMES[way.power].capitalize().removesuffix(" power")
            text = f"{way.power}"
            if way.power in ("M", "AB"):
                text, words = f"{text} {way.ap:g}", f"{words} {way.ap:g}"
            yield _order(ways, way, text, words, "Power", ways[way].cost)


def _brakes(ways: Ways, plan: Settings) -> Iterator[Order[Settings]]:
    """Brakes at the same power, which then gives its least; and none."""
    for way in _alike(ways, plan):
        if way.power != plan.power:
            continue
        if way.brakes:
            text = f"brakes {way.brakes:g}"
            yield _order(ways, way, text, text.capitalize(), "Speed brakes", _least(way))
        elif way.ap == plan.ap:
            yield _order(ways, way, "no brakes", "No brakes", "Speed brakes")


def _least(way: Settings) -> str:
    return f"at {POWER_NAMES[way.power]} {way.ap:g}" if way.power in ("M", "AB") else ""


def _alike(ways: Ways, plan: Settings) -> Iterator[Settings]:
    """The ways that differ from a plan in no more than thrust."""
    for way in ways:
        if (way.flight_type, way.damage_control) == (plan.flight_type, plan.damage_control):
            yield way


def _controls(ways: Ways, plan: Settings) -> Iterator[Order[Settings]]:
    """GS-FLT-17: damage control, or no more of it."""
    after = [way for way in ways if way.damage_control != plan.damage_control]
    same = [way for way in after if way.flight_type == plan.flight_type]
    way = min(same or after, key=lambda one: _apart(one, plan))
    text = "no damage control" if plan.damage_control else "damage control"
    detail = "" if plan.damage_control else starts.CONTROLLING
    yield _order(ways, way, text, text.capitalize(), "Damage", detail, cite="GS-FLT-17")
    present = "damage control" if plan.damage_control else "no damage control"
    yield _order(ways, plan, present, present.capitalize(), "Damage", cite="GS-FLT-17")


def _order(
    ways: Ways,
    way: Settings,
    text: str,
    label: str,
    group: str,
    detail: str = "",
    cite: str = "GS-F-4",
) -> Order[Settings]:
    option = ways[way]
    blocked: Blocked | None = option.blocked
    return Order(text, label, way, group, detail, cite, option.odds, blocked)
