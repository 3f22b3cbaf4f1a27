"""The log in words: one sentence a fact, and for dice how they led to it, step by step.

Belongs here: English. Does not belong here: anything that is not in the fact itself.
"""

from collections.abc import Mapping, Sequence
from functools import singledispatch

from app.engine.errors import BrokenGame
from app.engine.game import DieShown, Told
from app.engine.hexes import COMPASS
from app.engine.log import Event
from app.games.osaaf import events as e
from app.games.osaaf.model import SIDE_NAMES, Arm, Place, Plan
from app.games.osaaf.words import NUMBERS, plain, signed

Names = Mapping[str, str]


def tell(event: Event, names: Names) -> Told:
    """The line of a fact of this game. Raises BrokenGame for any other."""
    return _tell(event, names)


@singledispatch
def _tell(event: Event, names: Names) -> Told:
    raise BrokenGame(f"osaaf has no words for {type(event).__name__}")


def _named(names: Names, key: str) -> str:
    return names.get(key, key)


def _dice(faces: Sequence[int], kept: Sequence[bool] | None = None) -> tuple[DieShown, ...]:
    flags = kept or (True,) * len(faces)
    return tuple(DieShown(face, flag) for face, flag in zip(faces, flags, strict=True))


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(str(number) for number in numbers)


def _levels(number: int) -> str:
    return f"{number} level{'s' if number > 1 else ''}"


@_tell.register
def _(event: e.SunRolled, names: Names) -> Told:
    del names
    dice = _dice((event.face,))
    if event.edge is None:
        return Told("No edge for the sun yet: 5 and 6 are rolled again.", dice)
    return Told(f"The sun stands in the {SIDE_NAMES[event.edge]}.", dice)


@_tell.register
def _(event: e.Returned, names: Names) -> Told:
    name, place = _named(names, event.jet), event.hex.label
    text = f"{name} returns to the board at {place}, facing {COMPASS[event.facing]}."
    return Told(text, places=(place,))


@_tell.register
def _(event: e.InitiativeRolled, names: Names) -> Told:
    text = f"{_named(names, event.jet)} has initiative {event.total}."
    steps = (f"{event.face} rolled", f"{signed(event.bonus)} {event.skill} pilot")
    return Told(text, _dice((event.face,)), (*steps, f"initiative {event.total}"))


@_tell.register
def _(event: e.InitiativeTieRolled, names: Names) -> Told:
    text = f"{_named(names, event.jet)} rolls {event.face} to break the tie."
    return Told(text, _dice((event.face,)), ("the lower roll acts first",))


@_tell.register
def _(event: e.OrderSet, names: Names) -> Told:
    if not event.jets:
        return Told("No jet is on the board this turn.")
    listed = ", ".join(_named(names, jet) for jet in event.jets)
    how = "from low initiative to high" if event.rolled else "in the order of the units' list"
    return Told(f"Energy is managed {how}: {listed}.")


@_tell.register
def _(event: e.PlanChosen, names: Names) -> Told:
    name = _named(names, event.jet)
    return Told(f"{name} plans {_plan(event.plan)}: {NUMBERS[event.dice]} dice for energy.")


def _plan(plan: Plan) -> str:
    parts: list[str] = []
    if plan.hard_turns:
        several = "s" if plan.hard_turns > 1 else ""
        parts.append(f"{NUMBERS[plan.hard_turns]} hard turn{several}")
    parts += ["a jink"] * plan.jink + ["aim"] * plan.aim
    text = " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)
    return (text or "no hard manoeuvre") + (", with afterburner" if plan.afterburner else "")


_DROPS: Mapping[e.Band, str] = {
    "low": "the two lowest",
    "middle": "one high and one low",
    "high": "the two highest",
}


@_tell.register
def _(event: e.EnergyRolled, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.gain:
        text = f"{name} gains {event.gain} Speed from its energy roll."
    else:
        text = f"{name} gains no Speed from its energy roll."
    return Told(text, _dice(event.dice, event.kept), _energy_steps(event))


def _energy_steps(event: e.EnergyRolled) -> tuple[str, ...]:
    faces = [face for face, kept in zip(event.dice, event.kept, strict=True) if kept]
    boost = 1 if event.afterburner else 0
    above = sum(face + boost > event.factor for face in faces)
    steps = [
        f"altitude {event.altitude} drops {_DROPS[event.band]}",
        _spaced(faces) or "no die counts",
    ]
    if faces and boost:
        steps.append(f"afterburner {_spaced([face + 1 for face in faces])}")
    if faces:
        steps.append(f"above factor {event.factor}: {NUMBERS[above].replace('no', 'none')}")
    if boost:
        steps.append("+1 afterburner")
    return (*steps, f"{signed(event.gain)} Speed")


@_tell.register
def _(event: e.EngineOut, names: Names) -> Told:
    return Told(f"{_named(names, event.jet)} has no fuel: its engine is out and gives no Speed.")


@_tell.register
def _(event: e.Dragged, names: Names) -> Told:
    name = _named(names, event.jet)
    text = f"Drag: {name} goes from Speed {plain(event.before)} to {plain(event.speed)}."
    return Told(text, quiet=True)


@_tell.register
def _(event: e.AltitudeChosen, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.change == 0:
        return Told(f"{name} flies level at altitude {event.altitude}.")
    what = "climbs" if event.change > 0 else "dives"
    levels = _levels(abs(event.change))
    speed = f"{signed(event.speed)} Speed"
    return Told(f"{name} {what} {levels} to altitude {event.altitude}: {speed}.")


@_tell.register
def _(event: e.BrakesChosen, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.refused:
        return Told(f"{name} uses speed brakes and refuses {event.refused} of {event.most} Speed.")
    return Told(f"{name} uses no speed brakes.", quiet=True)


@_tell.register
def _(event: e.EnergySettled, names: Names) -> Told:
    steps = [f"Speed {event.start}", f"{signed(event.gain)} energy roll"]
    steps.append(f"{signed(-event.drag)} drag" if event.drag else "no drag below 0")
    if event.traded:
        steps.append(f"{signed(event.traded)} {'climb' if event.traded < 0 else 'dive'}")
    if event.refused:
        steps.append(f"{signed(-event.refused)} brakes")
    if event.raw > event.speed:
        steps.append(f"{event.raw} is above its maximum {event.speed}")
    elif event.raw < event.speed:
        steps.append(f"{plain(event.raw)} is raised to 0")
    text = f"{_named(names, event.jet)} has Speed {event.speed} this turn."
    return Told(text, steps=(*steps, f"Speed {event.speed}"))


@_tell.register
def _(event: e.MoveTieRolled, names: Names) -> Told:
    text = f"{_named(names, event.jet)} rolls {event.face} for its place in the order."
    return Told(text, _dice((event.face,)), ("the lower roll moves first",))


@_tell.register
def _(event: e.MoveOrderSet, names: Names) -> Told:
    if not event.places:
        return Told("No jet moves this turn.")
    listed = ", ".join(_named(names, place.jet) for place in event.places)
    steps = tuple(f"{_named(names, place.jet)}: {_place(event, place)}" for place in event.places)
    return Told(f"Jets move in this order: {listed}.", steps=steps)


def _place(event: e.MoveOrderSet, place: Place) -> str:
    text = f"altitude {place.altitude}"
    if place.by != "altitude" and event.sun is not None and place.from_sun is not None:
        unit = "half hexes" if event.sun in "NS" else "hexes"
        text += f", {place.from_sun} {unit} from the sun's edge"
    return f"{text}, die {_spaced(place.rolls)}" if place.rolls else text


@_tell.register
def _(event: e.MoveChosen, names: Names) -> Told:
    name = _named(names, event.jet)
    all_of_them = event.choice.endswith("-all")
    if event.choice.startswith("ahead"):
        where = (
            f"straight ahead for its last {event.hexes} hexes" if all_of_them else "straight ahead"
        )
        return Told(f"{name} flies {where}.", quiet=True)
    side = event.choice.removesuffix("-all")
    if all_of_them:
        return Told(f"{name} will try to turn {side} before each of its {event.hexes} hexes.")
    if side == "about":
        return Told(f"{name} tries aerobatics: to turn about.")
    if side.endswith("-2"):
        return Told(f"{name} tries aerobatics: to turn 120° {side.removesuffix('-2')}.")
    return Told(f"{name} tries to turn {side}.", quiet=True)


@_tell.register
def _(event: e.TurnRolled, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.success:
        text = f"{name} turns {event.side} to face {COMPASS[event.facing]}."
    else:
        text = f"{name} fails to turn {event.side} and keeps facing {COMPASS[event.facing]}."
    return Told(text, _dice(event.dice, event.kept), _turn_steps(event))


def _turn_steps(event: e.TurnRolled | e.StuntRolled) -> tuple[str, ...]:
    score = event.face + event.bonus
    hard = (f"hard turn +{event.bonus}: {score}",) if event.bonus else ()
    verdict = "is" if event.success else "is not"
    return (f"{event.face} counts", *hard, f"{score} {verdict} above Speed {event.speed}")


@_tell.register
def _(event: e.StuntRolled, names: Names) -> Told:
    name, which = _named(names, event.jet), f"roll {event.roll} of {event.sides}"
    if event.success and event.over:
        text = f"{name} turns by {60 * event.sides}° to face {COMPASS[event.facing]}."
    elif event.success:
        text = f"{name} succeeds with {which}."
    else:
        text = f"{name} fails {which} and keeps facing {COMPASS[event.facing]}."
    return Told(text, _dice(event.dice, event.kept), _turn_steps(event))


@_tell.register
def _(event: e.SpeedLost, names: Names) -> Told:
    text = (
        f"{_named(names, event.jet)} has lost Speed in the turn that failed: Speed {event.speed}."
    )
    return Told(text)


@_tell.register
def _(event: e.Flew, names: Names) -> Told:
    name, end = _named(names, event.jet), event.path[-1].label
    far = f" {len(event.path)} hexes" if len(event.path) > 1 else ""
    text = f"{name} flies{far} to {end}."
    places = tuple(place.label for place in event.path)
    return Told(text, places=places, quiet=event.left > 0)


@_tell.register
def _(event: e.LeftBoard, names: Names) -> Told:
    name, place = _named(names, event.jet), event.hex.label
    if event.back is None:
        return Told(f"{name} leaves the board at {place} and disengages for good.", places=(place,))
    text = f"{name} leaves the board at {place}; it is due back at the start of turn {event.back}."
    if event.speed is not None:
        text += f" It has lost Speed in the turn that failed: Speed {event.speed}."
    return Told(text, places=(place,))


@_tell.register
def _(event: e.Stalled, names: Names) -> Told:
    return Told(f"{_named(names, event.jet)} is at Speed 0 and has stalled.")


@_tell.register
def _(event: e.Recovered, names: Names) -> Told:
    return Told(f"{_named(names, event.jet)} has recovered from its stall.")


@_tell.register
def _(event: e.StallDropped, names: Names) -> Told:
    return Told(f"{_named(names, event.jet)} is stalled and falls to altitude {event.altitude}.")


@_tell.register
def _(event: e.Crashed, names: Names) -> Told:
    place = event.hex.label
    text = f"{_named(names, event.jet)} is stalled at altitude 1 and crashes at {place}."
    return Told(text, places=(place,))


ARMS: Mapping[Arm, str] = {
    "gun": "gun",
    "heat_seeker": "heat-seeker",
    "radar_missile": "radar missile",
}


@_tell.register
def _(event: e.NoShot, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.target is None:
        return Told(f"{name} has no shot: {event.reason}.", quiet=True)
    return Told(f"{name} has no shot at {_named(names, event.target)}: {event.reason}.", quiet=True)


@_tell.register
def _(event: e.FireHeld, names: Names) -> Told:
    return Told(f"{_named(names, event.jet)} holds its fire.")


@_tell.register
def _(event: e.AttackChosen, names: Names) -> Told:
    name, target = _named(names, event.jet), _named(names, event.target)
    hexes = "1 hex" if event.range == 1 else f"{event.range} hexes"
    return Told(f"{name} attacks {target} with its {ARMS[event.arm]} from {hexes}.", quiet=True)


@_tell.register
def _(event: e.Attacked, names: Names) -> Told:
    name, target, arm = _named(names, event.jet), _named(names, event.target), ARMS[event.arm]
    if event.hit:
        times = "once" if event.damage == 1 else f"for {event.damage} hits"
        text = f"{name} hits {target} {times} with its {arm}."
    else:
        text = f"{name} misses {target} with its {arm}."
    added = [f"{signed(one.value)} {one.reason}" for one in event.modifiers]
    verdict = "is" if event.hit else "is not"
    steps = (f"{event.face} counts", *added, f"{plain(event.score)} {verdict} above {event.needed}")
    if event.hit:
        steps = (*steps, f"{event.damage} damage")
    places = (event.start.label, event.end.label)
    return Told(text, _dice(event.dice, event.kept), steps, places)


@_tell.register
def _(event: e.ShotDown, names: Names) -> Told:
    name, place = _named(names, event.jet), event.hex.label
    text = f"{name} is shot down by {_named(names, event.by)} at {place}."
    hits = "1 hit" if event.hits == 1 else f"{event.hits} hits"
    steps = (hits, f"toughness {event.toughness}")
    return Told(text, steps=steps, places=(place,))


@_tell.register
def _(event: e.FuelBurnt, names: Names) -> Told:
    left = ", ".join(f"{_named(names, one.jet)} {one.left}" for one in event.burns)
    dry = [_named(names, one.jet) for one in event.burns if one.cost and not one.left]
    text = f"Fuel left: {left}." if left else "Nobody is left to use fuel."
    if dry:
        text += f" Out of fuel: {', '.join(dry)}."
    return Told(text, quiet=not dry)
