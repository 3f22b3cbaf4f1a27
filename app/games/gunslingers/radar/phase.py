"""The Air Radar Search and Lock-on Phase (GS-RAD): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`), numbers, plans.

What a side's radars find and hold is secret, so nothing that shows may hang on it. Which radars look, and how, is
told to all: the dice would tell it anyway. From there on, who is asked and how many dice fall follows from places and cards
alone: a side is asked about lock-ons when an enemy is where one of its radars that look could be locked on it, even
if it has no contact there, and then can only say so. Dice are thrown for all searches, lock-ons and countermeasures
that there could be, whether there are as many or not. What an enemy learns is that a radar of a certain reach looks
his way, as its counter and card would tell him at a table.

In fog the places of enemies are secret too. There each side is asked about lock-ons in every turn, and dice are thrown as
if every enemy in the fight were in reach of every radar of a side that looks, and of each of its countermeasures; only its
own side is told that they fell. What they do to others these are told by itself (`LocksHeard`, `LocksLost`).
"""

from collections.abc import Callable, Mapping
from functools import partial

from app.engine.dice import Pool
from app.engine.secret import Secret
from app.engine.sequence import Decision, Effect, Roll, Todo
from app.games.gunslingers.checks import thrown
from app.games.gunslingers.lines import Orders
from app.games.gunslingers.model import Aircraft, State
from app.games.gunslingers.radar import numbers, plans
from app.games.gunslingers.radar.facts import (
    ContactsKept,
    Held,
    LocksHeard,
    LocksLost,
    LocksPlanned,
    LocksShaken,
    LocksTried,
    Plan,
    RadarSearched,
    RadarsLook,
    SearchPlanned,
    Shaken,
    Try,
    noted,
)
from app.games.gunslingers.radar.holding import Pair
from app.games.gunslingers.radar.numbers import Shake
from app.games.gunslingers.radar.receivers import hears, silenced
from app.games.gunslingers.steps import Step, phase


def _fitted(state: State) -> bool:
    return any(state.card(one).radar is not None for one in state.flying())


# GS-RAD-1, GS-RAD-2.


def _keep(state: State) -> Todo:
    """GS-RAD-1: contacts and locks that are kept; transponders that answer to radars."""
    if "kept" in state.done or not (state.foggy or _fitted(state)):
        return None
    kept = {side: _kept(state, side) for side in state.sides}
    held = {side: Secret(one, (side,)) for side, one in kept.items()}
    lost = {
        state.other(side): silenced(state, side, {id: held.locks for id, held in one.items()})
        for side, one in kept.items()
    }
    quiet = {side: Secret(pairs, (side,)) for side, pairs in lost.items()}
    answered = tuple(one.id for one in state.flying() if one.o.iff and _lit(state, one))
    return Effect(ContactsKept(held, answered, quiet), "GS-RAD-1", "Contacts kept")


def _lit(state: State, one: Aircraft) -> bool:
    """Whether an enemy radar that looks has it in arc and range."""
    others = numbers.looking(state, state.other(one.side))
    return any(one in numbers.in_search(state, each) for each in others)


def _kept(state: State, side: str) -> Mapping[str, Held]:
    found: dict[str, Held] = {}
    for one in state.flying(side):
        held = [state.aircraft[id] for id in dict.fromkeys((*one.o.contacts, *one.o.locks))]
        locks = [
            each.id
            for each in held
            if each.id in one.o.locks and numbers.keeps_lock(state, one, each)
        ]
        contacts = (
            each.id for each in held if each.id in locks or numbers.keeps_contact(state, one, each)
        )
        found[one.id] = Held(tuple(contacts), tuple(locks))
    return found


def _list(state: State) -> Todo:
    """GS-RAD-2: the radars that look, and whom they have to find."""
    if "looking" in state.done or not (state.foggy or _fitted(state)):
        return None
    looking = {
        one.id: one.o.radar_mode for side in state.sides for one in numbers.looking(state, side)
    }
    searches = {side: Secret(plans.searches(state, side), (side,)) for side in state.sides}
    return Effect(RadarsLook(looking, searches), "GS-RAD-2", "Targets to search for")


# GS-RAD-3.


def _search(state: State) -> Todo:
    """GS-RAD-3: a side with more enemies in an arc than it has rolls picks; then all dice fall."""
    asked = tuple(
        _ask_search(state, side)
        for side in state.sides
        if plans.crowded(state, side) and f"plan:{side}" not in state.done
    )
    if asked:
        return asked
    for side in state.sides:
        number = plans.dice(state, side)
        if number and f"dice:{side}" not in state.done:
            return Roll(
                id=f"radar-search:{side}",
                seat=side,
                title=f"{state.sides[side]}: radar search",
                pool=Pool(number, 10),
                happen=partial(_searched, state, side),
                cite="GS-RAD-3",
                why="a die for each search that there could be",
            )
    return None


def _ask_search(state: State, side: str) -> Decision:
    orders = plans.search_orders(state, side)
    return Decision(
        id=f"radar-plan:{side}",
        seat=side,
        title="Radar search",
        options=partial(orders.options, _search_words),
        happen=partial(_search_planned, state, side, orders),
        cite="GS-RAD-3",
        why="more are in arc than can be searched for",
        sealed=True,
        initial="",
        action="Search",
        draft=orders.draft,
    )


def _search_words(plan: Plan) -> tuple[str, str]:
    return f"Search: roll all {sum(map(len, plan.values()))}", "the nearest first"


def _search_planned(state: State, side: str, orders: Orders[Plan], line: str) -> SearchPlanned:
    return SearchPlanned(side, Secret(plans.filled(state, side, orders.plan(line)), (side,)))


def _searched(state: State, side: str, faces: tuple[int, ...]) -> RadarSearched:
    secret = state.searches.get(side)
    plan: Plan = {} if secret is None or secret.value is None else secret.value
    dice, tries = iter(faces), list[Try]()
    for id, targets in plan.items():
        one = state.aircraft[id]
        for target in targets:
            number = numbers.search(state, one, state.aircraft[target])
            if number is not None:
                tries.append(Try(id, target, thrown(number, next(dice), side)))
        automatic = numbers.automatic_contact(state, one)
        if automatic is not None:
            tries.append(Try(id, automatic.id))
    held = {
        id: Held(_with(state.aircraft[id].o.contacts, id, tries), state.aircraft[id].o.locks)
        for id in plan
    }
    return RadarSearched(side, Secret(tuple(tries), (side,)), Secret(held, (side,)))


def _with(before: tuple[str, ...], id: str, tries: list[Try]) -> tuple[str, ...]:
    """What an aircraft held, and what it has got of late."""
    won = (one.target for one in tries if one.aircraft == id and one.made)
    return tuple(dict.fromkeys((*before, *won)))


# GS-RAD-4.


def _lock(state: State) -> Todo:
    """GS-RAD-4: both sides pick whom to lock on to, in secret; then all dice fall."""
    asked = tuple(
        _ask_lock(state, side)
        for side in state.sides
        if plans.locking(state, side) and f"plan:{side}" not in state.done
    )
    if asked:
        return asked
    for side in state.sides:
        heard = noted(state, "heard", side) if state.foggy else ()
        if heard and f"told:{side}" not in state.done:
            event = LocksHeard(side, Secret(heard, (side,)))
            return Effect(event, "GS-RAD-4", "Radar warning", side)
        number = plans.attempts(state, side)
        if number and f"dice:{side}" not in state.done:
            return Roll(
                id=f"lock-on:{side}",
                seat=side,
                title=f"{state.sides[side]}: lock-ons",
                pool=Pool(number, 10),
                happen=partial(_locked, state, side),
                cite="GS-RAD-4",
                why="a die for each lock-on that there could be",
            )
    return None


def _ask_lock(state: State, side: str) -> Decision:
    orders = plans.lock_orders(state, side)
    return Decision(
        id=f"lock-plan:{side}",
        seat=side,
        title="Lock on",
        options=partial(orders.options, partial(_lock_words, state)),
        happen=partial(_locks_planned, side, orders),
        cite="GS-RAD-4",
        why="in secret",
        sealed=True,
        initial="",
        draft=orders.draft,
    )


def _lock_words(state: State, plan: Plan) -> tuple[str, str]:
    words = [
        f"{state.aircraft[id].name} on {state.aircraft[target].name}"
        for id, targets in plan.items()
        for target in targets
    ]
    return f"Lock on: {', '.join(words)}" if words else "No lock-ons", ""


def _locks_planned(side: str, orders: Orders[Plan], line: str) -> LocksPlanned:
    return LocksPlanned(side, Secret(orders.plan(line), (side,)))


def _locked(state: State, side: str, faces: tuple[int, ...]) -> LocksTried:
    secret = state.locking.get(side)
    plan: Plan = {} if secret is None or secret.value is None else secret.value
    dice, tries = iter(faces), list[Try]()
    for id, targets in plan.items():
        for target in targets:
            number = numbers.lock(state, state.aircraft[id], state.aircraft[target])
            if number is not None:
                tries.append(Try(id, target, thrown(number, next(dice), side)))
    held = {id: _held_then(state, state.aircraft[id], tries) for id in plan}
    warned = tuple(
        Pair(one.aircraft, one.target)
        for one in tries
        if one.made and hears(state, state.aircraft[one.target])
    )
    return LocksTried(
        side,
        Secret(tuple(tries), (side,)),
        Secret(held, (side,)),
        Secret(warned, (state.other(side),)),
    )


def _held_then(state: State, one: Aircraft, tries: list[Try]) -> Held:
    radar = state.card(one).radar
    locks = _with(one.o.locks, one.id, tries)
    contacts = one.o.contacts
    return Held(
        contacts if radar is None else numbers.contacts_after(radar, contacts, locks), locks
    )


# GS-RAD-5, GS-RAD-6.


def _jam(state: State) -> Todo:
    """GS-RAD-5: deceptive jammers."""
    return _shaking(state, numbers.by_jammers, "GS-RAD-5")


def _decoy(state: State) -> Todo:
    """GS-RAD-6: chaff, then mini-jammers."""
    return _shaking(state, numbers.by_decoys, "GS-RAD-6")


def _shaking(state: State, means: Callable[[State, str], tuple[Shake, ...]], cite: str) -> Todo:
    for side in state.sides:
        lost = noted(state, "lost", side) if state.foggy else ()
        if lost and f"told:{side}" not in state.done:
            return Effect(LocksLost(side, Secret(lost, (side,))), cite, "Locks lost", side)
        shakes = means(state, side)
        if shakes and side not in state.done:
            return _shake(state, side, shakes, cite)
    return None


def _shake(state: State, side: str, shakes: tuple[Shake, ...], cite: str) -> Roll:
    what = "jammers" if cite == "GS-RAD-5" else "decoys"
    return Roll(
        id=f"shake:{side}",
        seat=side,
        title=f"{state.sides[side]}: {what} against radar locks",
        pool=Pool(len(shakes), 10),
        happen=partial(_shaken, state, side, shakes, cite),
        cite=cite,
        why="a die for each radar that might be locked on",
    )


def _shaken(
    state: State, side: str, shakes: tuple[Shake, ...], cite: str, faces: tuple[int, ...]
) -> LocksShaken:
    """A lock that is broken is not rolled for again; a die where there is no lock does nothing."""
    known: list[Shaken] = []
    broken: set[tuple[str, str]] = set()
    for one, face in zip(shakes, faces, strict=True):
        pair = (one.tracker, one.target)
        locks = state.aircraft[one.tracker].o.locks
        if one.need < 1 or one.target not in locks or pair in broken:
            continue
        known.append(
            Shaken(target=one.target, by=one.by, face=face, need=one.need, tracker=one.tracker)
        )
        if known[-1].broken:
            broken.add(pair)
    heard = tuple(one for one in known if hears(state, state.aircraft[one.target]))
    return LocksShaken(
        side,
        "jammers" if cite == "GS-RAD-5" else "decoys",
        Secret(tuple(known), (state.other(side),)),
        Secret(heard, (side,)),
    )


PHASE = phase(
    "radar",
    "Air Radar Search and Lock-on",
    (
        Step("GS-RAD-1", "Contacts kept", _keep),
        Step("GS-RAD-2", "Targets to search for", _list),
        Step("GS-RAD-3", "Search", _search),
        Step("GS-RAD-4", "Lock on", _lock),
        Step("GS-RAD-5", "Deceptive jammers break locks", _jam),
        Step("GS-RAD-6", "Decoys break locks", _decoy),
    ),
    "GS-RAD-1",
)
