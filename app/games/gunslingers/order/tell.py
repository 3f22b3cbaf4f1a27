"""Log lines of the Order of Flight Determination Phase (GS-OOF).

Belongs here: one sentence a fact, and how its dice led to it. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping
from functools import singledispatch

from app.engine.game import DieShown, Told
from app.engine.log import Event
from app.games.gunslingers.checks import signed
from app.games.gunslingers.model import OrderPlace
from app.games.gunslingers.order.advantage import Advantage
from app.games.gunslingers.order.facts import (
    BaseRolled,
    Bumped,
    CategoriesSet,
    InitiativeSet,
    OrderSet,
    Standing,
    TieRolled,
    TiesRolled,
)
from app.games.gunslingers.order.ranks import GROUPS

Names = Mapping[str, str]


def tell(event: Event, names: Names) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    return _tell(event, names)


@singledispatch
def _tell(event: Event, names: Names) -> Told | None:
    del event, names


@_tell.register
def _(event: Bumped, names: Names) -> Told:
    side = names.get(event.side, event.side)
    if event.up.value is None:
        return Told(f"{side} has said who flies one category later.")
    listed = ", ".join(names[one] for one in event.up.value)
    return Told(f"{side} flies one category later with {listed or 'nobody'}.")


@_tell.register
def _(event: CategoriesSet, names: Names) -> Told:
    steps = tuple(_advantage(each, names) for each in event.found)
    categories = tuple(f"{names[one]}: {what}" for one, what in event.categories.items())
    if not event.found:
        return Told("Nobody is advantaged over anybody.", steps=categories)
    number = len(event.found)
    return Told(
        f"{number} advantage{'s' if number > 1 else ''} by 9-6-9.", steps=(*steps, *categories)
    )


def _advantage(each: Advantage, names: Names) -> str:
    pair = f"{names[each.of]} over {names[each.over]}"
    if not each.arc:
        return f"{pair}: tails it"
    hexes = f"{each.hexes} hex{'es' if each.hexes != 1 else ''} of at most 9"
    return f"{pair}: in its {each.arc}{'+' if each.arc == 150 else ''} arc, {hexes}, {_levels(each.levels)}"


def _levels(levels: int) -> str:
    if not levels:
        return "same level"
    if levels > 0:
        return f"{levels} higher of at most 6"
    return f"{-levels} lower of at most 9"


@_tell.register
def _(event: BaseRolled, names: Names) -> Told:
    side = names.get(event.side, event.side)
    return Told(f"{side} has base initiative {event.die}.", (DieShown(event.die),))


@_tell.register
def _(event: InitiativeSet, names: Names) -> Told:
    steps = tuple(_standing(each, names) for each in event.standings)
    return Told("Each aircraft adds to its side's base.", steps=steps)


def _standing(each: Standing, names: Names) -> str:
    if each.crew.value is None:
        return f"{names[each.aircraft]}: {each.total}"
    rows = (f"{signed(row.amount)} {row.words}" for row in (*each.parts, *each.crew.value))
    return f"{names[each.aircraft]}: {', '.join(('base ' + str(each.base), *rows))}: {each.total}"


@_tell.register
def _(event: TieRolled, names: Names) -> Told:
    against = ", ".join(names[one] for one in event.against)
    return Told(
        f"{names[event.aircraft]} rolls {event.die} to break the tie with {against}.",
        (DieShown(event.die),),
        ("low flies first, no modifiers",),
    )


@_tell.register
def _(event: TiesRolled, names: Names) -> Told:
    dice = event.dice.value or {}
    rows = tuple(f"{names[one]}: {', '.join(map(str, faces))}" for one, faces in dice.items())
    return Told(
        f"{names[event.side]} throws its dice for ties.",
        tuple(DieShown(face) for faces in dice.values() for face in faces),
        (*rows, "low flies first"),
        quiet=True,
    )


@_tell.register
def _(event: OrderSet, names: Names) -> Told:
    listed = ", ".join(names[one.aircraft] for one in event.places)
    steps = tuple(_placed(one, names) for one in event.places)
    return Told(f"Order of flight: {listed or 'nobody'}.", steps=steps)


def _placed(place: OrderPlace, names: Names) -> str:
    tie = f", tie {', '.join(str(die) for die in place.tie)}" if place.tie else ""
    group = GROUPS[place.rank, place.within].lower()
    why = f" ({place.why})" if place.why != group else ""
    return f"{names[place.aircraft]}: {group}{why}, initiative {place.initiative}{tie}"
