"""The log in words: one sentence a fact, and for dice how they led to it, step by step.

Belongs here: English. Does not belong here: anything that is not in the fact itself.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import singledispatch

from app.engine.errors import BrokenGame
from app.engine.game import DieShown, Told
from app.engine.log import Event
from app.games.f14_tomcats import events as e
from app.games.f14_tomcats.model import WEAPON_NAMES, Weapon
from app.games.f14_tomcats.words import NUMBERS, faces, many, stock

Names = Mapping[str, str]


def tell(event: Event, names: Names) -> Told:
    """The line of a fact of this game. Raises BrokenGame for any other."""
    return _tell(event, names)


@singledispatch
def _tell(event: Event, names: Names) -> Told:
    raise BrokenGame(f"f14-tomcats has no words for {type(event).__name__}")


def _named(names: Names, key: str) -> str:
    return names.get(key, key)


def _dice(*thrown: int) -> tuple[DieShown, ...]:
    return tuple(DieShown(face) for face in thrown)


def _listed(words: Sequence[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def _weapon(weapon: Weapon) -> str:
    return "a cannon burst" if weapon == "cannon" else f"a {WEAPON_NAMES[weapon][0]}"


def _an(words: str) -> str:
    return words.replace("a AMRAAM", "an AMRAAM")


# Before take-off.


@_tell.register
def _(event: e.LeaderTossed, names: Names) -> Told:
    low = "1–3 is for the first pilot" if event.face <= 3 else "4–6 is for the second pilot"
    text = f"A die gives the lead to {_named(names, event.order[0])}."
    return Told(text, _dice(event.face), (f"{event.face} rolled", low))


@_tell.register
def _(event: e.LeaderSet, names: Names) -> Told:
    leader, wingman = (_named(names, jet) for jet in event.order)
    if not event.standing:
        return Told(f"{leader} leads, and {wingman} is the wingman.")
    one, other = event.standing
    return Told(f"{leader} ({one}) leads, and {wingman} ({other}) is the wingman.")


@_tell.register
def _(event: e.TargetPlaced, names: Names) -> Told:
    del names
    steps = [f"waypoint {event.start}", " + ".join(str(face) for face in event.faces)]
    if event.reach > event.waypoint:
        steps.append(f"waypoint {event.reach} is home, so it is put on {event.waypoint}")
    text = f"The {event.target} target is at waypoint {event.waypoint}."
    return Told(text, _dice(*event.faces), tuple(steps))


@_tell.register
def _(event: e.TargetIdentified, names: Names) -> Told:
    del names
    row = f"{event.points} points for {event.needs} damage"
    text = f"The {event.target} target is a {event.name}: {row}."
    return Told(text.replace("a HQ", "an HQ").replace("a Ammo", "an Ammo"), _dice(event.face))


# The leg and its contact.


@_tell.register
def _(event: e.Flew, names: Names) -> Told:
    del names
    where = f", over the {event.target}" if event.target else ""
    return Told(f"On to waypoint {event.waypoint}{where}.", quiet=not event.target)


@_tell.register
def _(event: e.ContactRolled, names: Names) -> Told:
    del names
    where = f"on pass {event.run}" if event.run else f"at waypoint {event.waypoint}"
    steps = (f"{event.face} rolled", "a 1 is contact")
    if event.met:
        return Told(f"Contact {where}!", _dice(event.face), steps)
    return Told(f"No contact {where}.", _dice(event.face), steps, quiet=True)


@_tell.register
def _(event: e.ContactTypeRolled, names: Names) -> Told:
    del names
    if event.kind == "sam":
        return Told("It is a SAM site.", _dice(event.face), ("1–3 is a SAM site",))
    return Told("It is a flight of MiG-23s.", _dice(event.face), ("4–6 is MiGs",))


@_tell.register
def _(event: e.NumberRolled, names: Names) -> Told:
    counts = Counter(event.jets)
    shares = [f"{NUMBERS[n]} for {_named(names, jet)}" for jet, n in counts.items()]
    what = "missile" if event.kind == "sam" else "MiG"
    if event.kind == "sam":
        begins = f"{many(event.face, what)} {'is' if event.face == 1 else 'are'} launched"
    else:
        begins = f"{many(event.face, what)} {'attacks' if event.face == 1 else 'attack'}"
    begins = begins[0].upper() + begins[1:]
    text = f"{begins}: {_listed(shares)}." if len(counts) > 1 else f"{begins}."
    return Told(text, _dice(event.face))


@_tell.register
def _(event: e.MissileTurned, names: Names) -> Told:
    return Told(f"Missile {event.missile + 1} comes for {_named(names, event.jet)} now.")


@_tell.register
def _(event: e.ChaffKept, names: Names) -> Told:
    name, number = _named(names, event.jet), event.missile + 1
    if event.used:
        return Told(f"{name} uses chaff and flares against missile {number}.", quiet=True)
    return Told(f"{name} saves chaff and flares at missile {number}.")


@_tell.register
def _(event: e.CountermeasureRolled, names: Names) -> Told:
    name, number = _named(names, event.jet), event.missile + 1
    steps = (f"{event.face} rolled", "4–6 spoofs it", f"{event.chaff} chaff and flares left")
    if event.spoofed:
        return Told(f"{name} spoofs missile {number}.", _dice(event.face), steps)
    return Told(f"{name} does not spoof missile {number}.", _dice(event.face), steps)


@_tell.register
def _(event: e.EvadeRolled, names: Names) -> Told:
    name, number = _named(names, event.jet), event.missile + 1
    steps = (f"{event.face} rolled", "1–4 evades it")
    if event.evaded:
        return Told(f"{name} evades missile {number}.", _dice(event.face), steps)
    text = f"Missile {number} hits {name}: {event.damage} of {event.limit} damage."
    return Told(text, _dice(event.face), steps)


@_tell.register
def _(event: e.ShotChosen, names: Names) -> Told:
    name = _named(names, event.jet)
    text = f"{name} fires {_weapon(event.weapon)} at MiG {event.mig + 1}."
    if event.prey != event.jet:
        text = text.replace(".", f", which comes for {_named(names, event.prey)}.")
    return Told(_an(text), quiet=True)


@_tell.register
def _(event: e.ShotRolled, names: Names) -> Told:
    name = _named(names, event.jet)
    steps = (
        f"{event.face} rolled",
        f"{faces(event.needed)} hits",
        f"{stock(event.stock, event.weapon)} left",
    )
    if event.hit:
        left = f"{many(event.migs, 'MiG')} left"
        text = f"{name} destroys MiG {event.mig + 1} with {_weapon(event.weapon)}: {left}."
    else:
        text = f"{name} misses MiG {event.mig + 1} with {_weapon(event.weapon)}."
    return Told(_an(text), _dice(event.face), steps)


@_tell.register
def _(event: e.HeldFire, names: Names) -> Told:
    left = many(event.migs, "MiG")
    verb = "is" if event.migs == 1 else "are"
    return Told(f"{_named(names, event.jet)} holds fire while {left} {verb} left.")


@_tell.register
def _(event: e.MigsHit, names: Names) -> Told:
    taken = Counter(jet for _, jet in event.hits)
    after = dict(event.damage)
    parts = [
        f"{_named(names, jet)} takes {n} damage and has {after[jet]} of {event.limit}"
        for jet, n in taken.items()
    ]
    begins = many(len(event.hits), "MiG")
    verb = "hits" if len(event.hits) == 1 else "hit"
    return Told(f"{begins[0].upper()}{begins[1:]} {verb}: {'; '.join(parts)}.")


# Over a target.


@_tell.register
def _(event: e.RunBegun, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.plan is None:
        return Told(f"{name} leads pass {event.number} over the {event.name} without firing.")
    weapon = _weapon(event.plan)
    return Told(f"{name} begins pass {event.number} over the {event.name} with {weapon}.")


@_tell.register
def _(event: e.WeaponChosen, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.weapon is None:
        return Told(f"{name} does not fire on this pass.", quiet=True)
    return Told(f"{name} fires {_weapon(event.weapon)}.", quiet=True)


@_tell.register
def _(event: e.BombRolled, names: Names) -> Told:
    name, weapon = _named(names, event.jet), _weapon(event.weapon)
    steps = [f"{event.face} rolled", f"{faces(event.needed)} hits"]
    if event.hit:
        steps.append(f"{event.damage} of {event.needs} damage")
    steps.append(f"{stock(event.stock, event.weapon)} left")
    if event.destroyed:
        each = " each" if len(event.scorers) > 1 else ""
        text = f"{name} destroys the {event.name} with {weapon}: {event.points} points{each}."
    elif event.hit:
        text = f"{name} hits the {event.name} with {weapon} for {event.done} damage."
    else:
        text = f"{name} misses the {event.name} with {weapon}."
    return Told(text, _dice(event.face), tuple(steps))


@_tell.register
def _(event: e.FlewOn, names: Names) -> Told:
    del names
    damage = f"{event.damage} of {event.needs} damage"
    why = "Nothing is left to fire at the ground: the" if event.forced else "The"
    return Told(f"{why} {event.name} is left behind with {damage}.")


# The end.


@_tell.register
def _(event: e.WentDown, names: Names) -> Told:
    return Told(f"{_named(names, event.jet)} has {event.damage} damage and goes down.")


@_tell.register
def _(event: e.BailoutRolled, names: Names) -> Told:
    name = _named(names, event.jet)
    steps = (f"{event.face} rolled", "3–6 is a rescue")
    if event.rescued:
        return Told(f"{name} bails out and is rescued.", _dice(event.face), steps)
    return Told(f"{name} is lost.", _dice(event.face), steps)


@_tell.register
def _(event: e.Landed, names: Names) -> Told:
    return Told(f"{_named(names, event.jet)} lands with {event.damage} of {event.limit} damage.")


@_tell.register
def _(event: e.Debriefed, names: Names) -> Told:
    name, record = _named(names, event.jet), event.record
    won = f"{many(event.points, 'point')} and {many(event.kills, 'kill')}"
    text = f"{name}: mission {event.label}, {event.fate}, {won}."
    targets = many(event.destroyed, "target")
    steps = (
        f"{targets} destroyed: {event.label}",
        "the mission counts" if event.counted else "the career is over, the mission does not count",
        f"in all {many(record.missions, 'mission')}, {many(record.points, 'point')} and "
        f"{many(record.kills, 'kill')}",
    )
    return Told(text, steps=steps)


@_tell.register
def _(event: e.Promoted, names: Names) -> Told:
    text = f"{_named(names, event.jet)} is promoted from {event.before} to {event.rank}."
    steps = [
        f"{event.rank} needs {event.needs_missions} missions and {event.needs_points} points",
        f"{event.missions} missions and {event.points} points",
    ]
    if event.passed:
        steps.append(f"passing over {_listed(event.passed)}")
    return Told(text, steps=tuple(steps))


@_tell.register
def _(event: e.Awarded, names: Names) -> Told:
    name = _named(names, event.jet)
    if event.title:
        return Told(f"{name} is an {event.award} now.", steps=_kills(event))
    if event.needs:
        return Told(f"{name} receives the {event.award}.", steps=_kills(event))
    steps = ("a bail-out with rescue", f"{event.award} number {event.count}")
    return Told(f"{name} receives the {event.award}.", steps=steps)


def _kills(event: e.Awarded) -> tuple[str, ...]:
    return (f"{event.needs} kills needed", f"{many(event.kills, 'kill')}")
