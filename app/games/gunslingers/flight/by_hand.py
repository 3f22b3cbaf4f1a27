"""Moves that the players work out themselves (the switch `flight`: adjudicated, GS-0-7).

Belongs here: what a side enters, and that the other confirms it. Does not belong here: rules of flight.

A move is entered as a line of orders from where the aircraft stands: a step ahead, a facing, a level, and whatever
other rules ask of a move: the next speed, the type of flight, the power, the tightest turn, rolls, damage control.
"""

from collections.abc import Iterator
from dataclasses import replace as redrafted
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from app.engine.sequence import Blocked, Decision, Draft, Option
from app.games.gunslingers import geometry
from app.games.gunslingers.flight.energy import POWER_NAMES
from app.games.gunslingers.flight.facts import MoveConfirmed, MoveEntered
from app.games.gunslingers.flight.flight_types import NAMES
from app.games.gunslingers.flight.starts import CONTROLLING
from app.games.gunslingers.flight.turning import RATE_NAMES
from app.games.gunslingers.lines import Order, Orders
from app.games.gunslingers.model import Activation, Aircraft, Ended, State

MOST_SPEED = 30.0
MOST_LEVEL = 99


class Plan(Struct, frozen=True):
    """A move as far as it is entered: where it ends, and the labels of the places on its way."""

    ended: Ended
    path: tuple[str, ...] = ()


def todo(state: State, activation: Activation, one: Aircraft) -> Decision:
    """Where the move ends, then whether the other side agrees."""
    if activation.entered is None:
        known = orders(one)
        return Decision(
            id=f"enter:{one.id}",
            seat=one.side,
            title=f"{one.name}: where does its move end?",
            options=partial(known.options, lambda plan: ("As it is", in_words(plan.ended))),
            happen=lambda line: MoveEntered(one.id, one.side, known.plan(line).ended),
            cite="GS-0-7",
            unit=one.id,
            why="this table works out flight itself",
            action="Enter",
            draft=partial(_draft, known),
        )
    ended, other = activation.entered, state.other(one.side)
    options = (
        Option(True, "Agree", in_words(ended), place=ended.pos.label, facing=ended.facing),
        Option(False, "Disagree", "it is entered again"),
    )
    return Decision(
        id=f"agree:{one.id}",
        seat=other,
        title=f"{one.name} ends at {ended.pos.label}?",
        options=lambda: options,
        happen=partial(MoveConfirmed, one.id, other),
        cite="GS-0-7",
        unit=one.id,
        why="one side enters a move, the other confirms it",
    )


def in_words(ended: Ended) -> str:
    """The end of a move for people."""
    facing = geometry.COMPASS[ended.facing]
    parts = [
        f"{ended.pos.label} facing {facing}",
        f"level {ended.altitude}",
        NAMES[ended.flight_type].lower(),
        POWER_NAMES[ended.power],
        f"speed {ended.speed:g} next turn",
    ]
    if ended.rate is not None:
        parts.append(f"turning {RATE_NAMES[ended.rate]}")
    if ended.rolled:
        parts.append("with a roll")
    if ended.damage_control:
        parts.append("its crew controls damage")
    return ", ".join(parts)


def _draft(known: Orders[Plan], line: str) -> Draft:
    read = known.draft(line)
    plan = known.plan(read.text)
    return redrafted(read, path=plan.path, facing=plan.ended.facing)


def orders(one: Aircraft) -> Orders[Plan]:
    """What can be entered of a move; it begins with an aircraft that stays as it is."""
    return Orders(
        partial(_unmoved, one),
        partial(_offered, one),
        lambda plan: (("Ends", in_words(plan.ended)),),
        "GS-0-7",
    )


def _unmoved(one: Aircraft) -> Plan:
    return Plan(
        Ended(
            pos=one.pos,
            facing=one.facing,
            altitude=one.altitude,
            speed=one.speed,
            flight_type=one.s.flight_type,
            power=one.s.power,
        )
    )


def _offered(one: Aircraft, plan: Plan) -> Iterator[Order[Plan]]:
    yield from _places(plan)
    yield from _heights(plan)
    yield from _speeds(plan)
    yield from _manners(plan)
    if one.o.damage:
        yield _control(plan)


def _places(plan: Plan) -> Iterator[Order[Plan]]:
    """A step ahead or aside, and the facing (GS-G-5 to GS-G-8)."""
    pos, facing = plan.ended.pos, plan.ended.facing
    yield _to(plan, "H", "Ahead", geometry.ahead(pos, facing), facing)
    yield _to(plan, "L", "Face left", *geometry.turned(pos, facing, "L"))
    yield _to(plan, "R", "Face right", *geometry.turned(pos, facing, "R"))
    yield _to(plan, "SL", "Slide left", geometry.slid(pos, facing, "L"), facing)
    yield _to(plan, "SR", "Slide right", geometry.slid(pos, facing, "R"), facing)


def _to(plan: Plan, text: str, label: str, pos: geometry.Pos, facing: int) -> Order[Plan]:
    path = plan.path if pos == plan.ended.pos else (*plan.path, pos.label)
    after = Plan(replace(plan.ended, pos=pos, facing=facing), path)
    there = f"{pos.label} facing {geometry.COMPASS[facing]}"
    return Order(text, label, after, "Place and facing", there)


def _heights(plan: Plan) -> Iterator[Order[Plan]]:
    for text, label, levels in (("C", "Up a level", 1), ("D", "Down a level", -1)):
        level = plan.ended.altitude + levels
        blocked = None
        if not 0 <= level <= MOST_LEVEL:
            blocked = Blocked(f"levels go from 0 to {MOST_LEVEL}", "GS-F-25")
        yield _with(plan, text, label, "Altitude", blocked=blocked, altitude=level)


def _speeds(plan: Plan) -> Iterator[Order[Plan]]:
    for text, by in (("faster", 0.5), ("slower", -0.5)):
        speed = plan.ended.speed + by
        blocked = None
        if not 0 <= speed <= MOST_SPEED:
            blocked = Blocked(f"speeds go from 0 to {MOST_SPEED:g}", "GS-F-1")
        yield _with(plan, text, f"Speed {speed:g}", "Next turn", blocked=blocked, speed=speed)


def _manners(plan: Plan) -> Iterator[Order[Plan]]:
    """What other rules ask of a move: guns and missiles, radar, sighting."""
    ended = plan.ended
    for kind, name in NAMES.items():
        if kind != ended.flight_type:
            yield _with(plan, kind, name, "Type of flight", flight_type=kind)
    for power, name in POWER_NAMES.items():
        if power != ended.power:
            yield _with(plan, power, name.capitalize(), "Power", power=power)
    for rate, name in RATE_NAMES.items():
        if rate != ended.rate:
            yield _with(plan, rate, name.capitalize(), "Tightest turn", rate=rate)
    if ended.rate is not None:
        yield _with(plan, "no turn", "None", "Tightest turn", rate=None)
    text = "no roll" if ended.rolled else "roll"
    yield _with(plan, text, text.capitalize(), "Rolls", rolled=not ended.rolled)


def _control(plan: Plan) -> Order[Plan]:
    """GS-FLT-17."""
    on = plan.ended.damage_control
    text, detail = ("no damage control", "") if on else ("damage control", CONTROLLING)
    return _with(plan, text, text.capitalize(), "Damage", detail, damage_control=not on)


def _with(
    plan: Plan,
    text: str,
    label: str,
    group: str,
    detail: str = "",
    *,
    blocked: Blocked | None = None,
    **changes: object,
) -> Order[Plan]:
    """The order that changes these fields of the end."""
    after = replace(plan, ended=replace(plan.ended, **changes))
    return Order(text, label, after, group, detail, blocked=blocked)
