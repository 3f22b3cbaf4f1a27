"""What a side's radars are to search for and lock on to (GS-RAD-3, GS-RAD-4).

Belongs here: the plans that are proposed, and how they may be changed. Does not belong here: numbers.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from app.engine.sequence import Blocked
from app.games.gunslingers.checks import Number
from app.games.gunslingers.fog import known_to
from app.games.gunslingers.lines import Order, Orders
from app.games.gunslingers.model import Aircraft, State
from app.games.gunslingers.radar import numbers
from app.games.gunslingers.radar.facts import Plan

HOMING = ("RH", "AH")


def dice(state: State, side: str) -> int:
    """GS-RAD-3: how many search dice a side throws: for each radar that looks, those that it could use at most.

    In fog, as if every enemy in the fight were in its reach.
    """
    return sum(
        min(numbers.MOST_SEARCHES, _reached(state, side, one))
        for one in numbers.looking(state, side)
    )


def _reached(state: State, side: str, one: Aircraft) -> int:
    """How many enemies a radar reaches, or in fog could."""
    if state.foggy:
        return sum(1 for _ in state.enemies(side))
    return len(numbers.in_search(state, one))


def searches(state: State, side: str) -> Plan:
    """GS-RAD-2: the nearest four that each radar has still to find."""
    return {
        one.id: tuple(each.id for each in _to_find(state, one)[: numbers.MOST_SEARCHES])
        for one in numbers.looking(state, side)
    }


def _to_find(state: State, one: Aircraft) -> list[Aircraft]:
    """Those in arc and range that it does not hold, and that some die would find."""
    radar, own = state.card(one).radar, one.o
    if radar is None or own.radar_mode != "search" or not numbers.may_search(radar, own.locks):
        return []
    return [
        each
        for each in numbers.in_search(state, one)
        if each.id not in (*own.contacts, *own.locks)
        and (number := numbers.search(state, one, each)) is not None
        and number.reach >= 1
    ]


def crowded(state: State, side: str) -> bool:
    """Whether a radar of a side has more enemies in its arc and range than it can search for, of those it knows of."""
    return any(
        sum(known_to(state, side, each) for each in numbers.in_search(state, one))
        > numbers.MOST_SEARCHES
        for one in numbers.looking(state, side)
    )


def filled(state: State, side: str, plan: Plan) -> Plan:
    """A plan with the searches that it leaves over for those whom no order can name, the nearest first."""
    return {
        one.id: (*plan[one.id], *_unnamed(state, side, one))[: numbers.MOST_SEARCHES]
        for one in numbers.looking(state, side)
    }


def _unnamed(state: State, side: str, one: Aircraft) -> tuple[str, ...]:
    return tuple(each.id for each in _to_find(state, one) if not known_to(state, side, each))


def _nameable(state: State, side: str) -> Plan:
    """GS-RAD-2: the nearest four that each radar has still to find, of those that its side knows of."""
    return {
        one.id: tuple(each.id for each in _to_find(state, one) if known_to(state, side, each))[
            : numbers.MOST_SEARCHES
        ]
        for one in numbers.looking(state, side)
    }


def search_orders(state: State, side: str) -> Orders[Plan]:
    """Whom to search for, where four rolls are not enough for all."""
    return Orders(
        partial(_nameable, state, side),
        partial(_search_offered, state, side),
        lambda plan: (("Searches", str(sum(map(len, plan.values())))),),
        "GS-RAD-3",
    )


def _search_offered(state: State, side: str, plan: Plan) -> Sequence[Order[Plan]]:
    return [
        _search_order(state, plan, one, target)
        for one in numbers.looking(state, side)
        for target in _to_find(state, one)
        if known_to(state, side, target)
    ]


def _search_order(state: State, plan: Plan, one: Aircraft, target: Aircraft) -> Order[Plan]:
    chosen = plan[one.id]
    if target.id in chosen:
        left = tuple(each for each in chosen if each != target.id)
        label = f"Leaves out {target.name}"
        return Order(f"{one.id} skips {target.id}", label, {**plan, one.id: left}, one.name)
    full = len(chosen) >= numbers.MOST_SEARCHES
    number = numbers.search(state, one, target)
    return Order(
        f"{one.id} searches {target.id}",
        f"Searches for {target.name}",
        {**plan, one.id: (*chosen, target.id)},
        one.name,
        cite="GS-RAD-3a",
        odds=None if number is None else number.odds("Found"),
        blocked=Blocked("four searches a turn", "GS-RAD-3") if full else None,
        terms=() if number is None else number.terms(),
    )


# Lock-ons (GS-RAD-4).


def attempts(state: State, side: str) -> int:
    """GS-RAD-4a: how many lock-on dice a side throws: for each radar that looks, as many as it may try.

    In fog, as if some enemy were in reach of each.
    """
    anybody = state.foggy and any(state.enemies(side))
    return sum(
        _tries(state, one)
        for one in numbers.looking(state, side)
        if anybody or numbers.in_track(state, one)
    )


def locking(state: State, side: str) -> bool:
    """Whether a side is asked about lock-ons: in fog in every turn, as no question may tell what its radars reach."""
    if state.foggy:
        return any(state.flying(side)) and any(state.enemies(side))
    return attempts(state, side) > 0


def _tries(state: State, one: Aircraft) -> int:
    """GS-RAD-4a, GS-RAD-4c: the lock-ons that a radar may try in a turn; in a special mode one."""
    radar = state.card(one).radar
    if radar is None:
        return 0
    return radar.multi_track if one.o.radar_mode == "search" else 1


def lock_orders(state: State, side: str) -> Orders[Plan]:
    """Whom to lock on to."""
    return Orders(
        partial(locks, state, side),
        partial(_lock_offered, state, side),
        lambda plan: (("Lock-ons", str(sum(map(len, plan.values())))),),
        "GS-RAD-4",
    )


def locks(state: State, side: str) -> Plan:
    """For radars with missiles that need a lock, the nearest contact that no other is to take."""
    plan: dict[str, tuple[str, ...]] = {}
    for one in numbers.looking(state, side):
        taken = {each for chosen in plan.values() for each in chosen}
        free = [
            target.id
            for target in numbers.in_track(state, one)
            if _no_lock(state, one, target) is None and target.id not in taken
        ]
        plan[one.id] = tuple(free[: _room(state, one)]) if _carries_homing(state, one) else ()
    return plan


def _carries_homing(state: State, one: Aircraft) -> bool:
    return any(
        store.count and state.missile_cards[store.missile].seeker in HOMING
        for store in one.o.stores
    )


def _room(state: State, one: Aircraft) -> int:
    radar = state.card(one).radar
    held = len(one.o.locks)
    return 0 if radar is None else min(_tries(state, one), radar.multi_track - held)


def _no_lock(state: State, one: Aircraft, target: Aircraft) -> Blocked | None:
    """Why a radar can't lock on to somebody within its tracking range."""
    if target.id in one.o.locks:
        return Blocked("it is locked on already", "GS-RAD-4a")
    if _room(state, one) < 1:
        return Blocked("its radar is locked on another", "GS-RAD-4a")
    if target.id not in one.o.contacts:
        return Blocked("it is no contact", "GS-RAD-4")
    number = numbers.lock(state, one, target)
    if number is None or number.reach < 1:
        return Blocked("no die would do it", "GS-RAD-4")
    return None


def _lock_offered(state: State, side: str, plan: Plan) -> Iterator[Order[Plan]]:
    for one in numbers.looking(state, side):
        chosen = plan[one.id]
        if chosen:
            none = {**plan, one.id: ()}
            yield Order(f"{one.id} does not lock", "No lock-on", none, one.name)
        for target in numbers.in_track(state, one):
            if target.id not in chosen and known_to(state, side, target):
                yield _lock_order(state, plan, one, target)


def _lock_order(state: State, plan: Plan, one: Aircraft, target: Aircraft) -> Order[Plan]:
    """One lock more, or instead of another where there is room for one only."""
    kept = plan[one.id][: max(0, _room(state, one) - 1)]
    number: Number | None = numbers.lock(state, one, target)
    return Order(
        f"{one.id} locks {target.id}",
        f"Locks on to {target.name}",
        {**plan, one.id: (*kept, target.id)},
        one.name,
        cite="GS-RAD-4a",
        odds=None if number is None else number.odds("Locked on"),
        blocked=_no_lock(state, one, target),
        terms=() if number is None else number.terms(),
    )
