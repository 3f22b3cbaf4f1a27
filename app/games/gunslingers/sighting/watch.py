"""How a side keeps its eyes open: who searches for each enemy, who padlocks whom (GS-VIS-7, GS-VIS-8).

Belongs here: the plan that is proposed, and how it may be changed. Does not belong here: numbers (`numbers`), or
what is done with the plan (`phase`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from app.engine.sequence import Blocked
from app.games.gunslingers import crews
from app.games.gunslingers.checks import Number, at_most, signed
from app.games.gunslingers.fog import known_to
from app.games.gunslingers.lines import Order, Orders
from app.games.gunslingers.model import Aircraft, State, Watch
from app.games.gunslingers.sighting import numbers
from app.games.gunslingers.sighting.facts import target as find
from app.games.gunslingers.sighting.numbers import Target


def orders(state: State, side: str) -> Orders[Watch]:
    """What a side may order, beginning with the best plan that the server knows."""
    return Orders(
        partial(proposal, state, side),
        partial(_offered, state, side),
        partial(_figures, state, side),
        "GS-VIS-7",
    )


def _figures(state: State, side: str, plan: Watch) -> tuple[tuple[str, str], ...]:
    """Each roll of a plan for a target that the side may be told of, and what its number is made from."""
    return tuple(
        _figure(state, side, state.aircraft[plan.searchers[target.id]], target, number)
        for target, number in rolls(state, side, plan)
        if known_to(state, side, target)
    )


def _figure(
    state: State, side: str, searcher: Aircraft, target: Target, number: Number
) -> tuple[str, str]:
    rows = [f"{signed(part.amount)} {part.words}" for part in number.parts if part.lit]
    made = ", ".join((f"visibility {number.need}", *rows))
    return (
        f"{searcher.name} looks for {name_of(state, side, target)}",
        f"{at_most(number.reach)}: {made}",
    )


def choice(state: State, side: str) -> bool:
    """Whether a side's plan could be another one that makes a difference.

    It can where a padlock is wanting, or somebody can be searched for by more than one. Numbers don't count: they
    depend on what is held on radar, and whether a side is asked may not tell that. In fog each side is asked in any case.
    """
    padlocks = proposal(state, side).padlocks
    return any(
        (side in target.sighted_by and any(_able(state, side, target)))
        or len(numbers.searchers(state, side, target)) > 1
        for target in numbers.targets(state, side)
        if target.id not in padlocks
    )


def proposal(state: State, side: str) -> Watch:
    """The best searcher for each enemy, and padlocks for those that would be the hardest to find again."""
    ranked = {target.id: _ranked(state, side, target) for target in numbers.targets(state, side)}
    padlocks = _padlocks(state, side, {id: each[0].reach for id, each in ranked.items() if each})
    searchers = {
        target.id: found
        for target in numbers.targets(state, side)
        if (found := _best(state, target, ranked[target.id], padlocks)) is not None
    }
    return Watch(searchers, padlocks)


def rolls(state: State, side: str, plan: Watch) -> Iterator[tuple[Target, Number]]:
    """Whom a plan rolls for, and on what: each one searched for, not padlocked, that some die would find."""
    for _, target, number in looks(state, side, plan):
        yield target, number


def looks(state: State, side: str, plan: Watch) -> Iterator[tuple[Aircraft, Target, Number]]:
    """The same with who looks."""
    for target in numbers.targets(state, side):
        by = None if target.id in plan.padlocks else _looker(state, side, plan, target)
        if by is None:
            continue
        searcher = state.aircraft[by]
        number = numbers.search(state, searcher, target)
        if number.reach >= 1:
            yield searcher, target, number


def _looker(state: State, side: str, plan: Watch, target: Target) -> str | None:
    """Who looks for a target: for one that no order can name, the best whom the plan's padlocks leave free."""
    if known_to(state, side, target):
        return plan.searchers.get(target.id)
    return _best(state, target, _ranked(state, side, target), plan.padlocks)


def needs(state: State, side: str, plan: Watch) -> dict[str, int]:
    """The highest face with which each search of a plan succeeds."""
    return {target.id: number.reach for target, number in rolls(state, side, plan)}


class Able(NamedTuple):
    """Who can search for a target, and the highest face that finds it."""

    searcher: Aircraft
    reach: int


def _ranked(state: State, side: str, target: Target) -> tuple[Able, ...]:
    """Those who can search for a target: the best number first, among equals the nearest."""
    able = numbers.searchers(state, side, target)
    reaches = (Able(one, numbers.search(state, one, target, len(able)).reach) for one in able)
    return tuple(
        sorted(reaches, key=lambda one: (-one.reach, numbers.sighting_range(one.searcher, target)))
    )


def _best(
    state: State, target: Target, ranked: Iterable[Able], padlocks: Mapping[str, str]
) -> str | None:
    """The first who may search: a crew with a padlock leaves VAS alone (GS-VIS-9c)."""
    for one, _ in ranked:
        if one.id not in padlocks.values() or not numbers.by_vas(state, one, target):
            return one.id
    return None


def _padlocks(state: State, side: str, reaches: Mapping[str, int]) -> dict[str, str]:
    """As many padlocks as possible, the enemies that are hardest to find first.

    A target that nobody has a place left for may make room by moving another's padlock to a second aircraft.
    """
    kept: dict[str, str] = {}

    def place(target: Target, tried: set[str]) -> bool:
        for one in _able(state, side, target):
            if one.id in tried:
                continue
            tried.add(one.id)
            held = [name for name, by in kept.items() if by == one.id]
            if len(held) < numbers.padlocks(one) or any(
                place(find(state, name), tried) for name in held
            ):
                kept[target.id] = one.id
                return True
        return False

    def hardest(target: Target) -> int:
        return reaches.get(target.id, 0)

    for target in sorted(numbers.targets(state, side), key=hardest):
        place(target, set())
    return kept


def _able(state: State, side: str, target: Target) -> Iterator[Aircraft]:
    """Those that may padlock a target, the ones that already do first."""
    able = [one for one in state.flying(side) if numbers.no_padlock(state, one, target) is None]
    return iter(sorted(able, key=lambda one: one.id not in target.padlocked_by))


def _offered(state: State, side: str, plan: Watch) -> Sequence[Order[Watch]]:
    """Every change of a plan: another searcher, another padlock, none."""
    found: list[Order[Watch]] = []
    for target in numbers.targets(state, side):
        if not known_to(state, side, target):
            continue
        if side in target.sighted_by:
            found += _padlock_orders(state, side, plan, target)
        if target.id not in plan.padlocks:
            found += _search_orders(state, side, plan, target)
    return found


def _padlock_orders(state: State, side: str, plan: Watch, target: Target) -> Iterator[Order[Watch]]:
    now = plan.padlocks.get(target.id)
    others = {name: by for name, by in plan.padlocks.items() if name != target.id}
    group = f"{name_of(state, side, target)}, in sight"
    for one in state.flying(side):
        if one.id == now:
            continue
        full = list(others.values()).count(one.id) >= numbers.padlocks(one)
        blocked = numbers.no_padlock(state, one, target)
        if blocked is None and full:
            blocked = Blocked(f"it holds {numbers.padlocks(one)} already", "GS-VIS-8")
        elif blocked is None and _takes_vas(state, plan, one):
            blocked = Blocked("its crew takes VAS", "GS-VIS-9c")
        yield Order(
            f"padlock {target.id} by {one.id}",
            f"Padlocked by {one.name}",
            replace(plan, padlocks={**others, target.id: one.id}),
            group,
            "stays in sight, no roll",
            "GS-VIS-8b" if crews.multi(one) else "GS-VIS-8a",
            blocked=blocked,
        )
    if now is not None:
        yield Order(
            f"no padlock on {target.id}",
            "No padlock",
            replace(plan, padlocks=others),
            group,
            "it must be found again",
            "GS-VIS-8",
        )


def _takes_vas(state: State, plan: Watch, one: Aircraft) -> bool:
    """GS-VIS-9c: whether a crew uses VAS this phase, as far as its side's orders say."""
    return any(
        by == one.id and numbers.by_vas(state, one, find(state, id))
        for id, by in plan.searchers.items()
        if id not in plan.padlocks and known_to(state, one.side, find(state, id))
    )


def _search_orders(state: State, side: str, plan: Watch, target: Target) -> Iterator[Order[Watch]]:
    now = plan.searchers.get(target.id)
    why_not = {one.id: numbers.unseen(state, one, target) for one in state.flying(side)}
    many = sum(blocked is None for blocked in why_not.values())
    name = name_of(state, side, target)
    for one in state.flying(side):
        if one.id == now:
            continue
        blocked = why_not[one.id]
        number = numbers.search(state, one, target, many) if blocked is None else None
        if number is not None and number.reach < 1:
            blocked = Blocked("no die would find it", "GS-VIS-9a")
        vas = number is not None and numbers.by_vas(state, one, target)
        if blocked is None and vas and one.id in plan.padlocks.values():
            blocked = Blocked("its crew padlocks, and can't take VAS", "GS-VIS-9c")
        yield Order(
            f"search {target.id} by {one.id}",
            f"Searched for by {one.name}"
            + ("" if number is None else f": {at_most(number.reach)}"),
            replace(plan, searchers={**plan.searchers, target.id: one.id}),
            f"{name}, to be found",
            "by VAS" if vas else "",
            "GS-VIS-9a",
            odds=None if number is None else number.odds("Sighted"),
            blocked=blocked,
            terms=() if number is None else number.terms(),
        )


def name_of(state: State, side: str, target: Target) -> str:
    """What a target is called by a side that looks for it."""
    if not known_to(state, side, target):
        return "somebody"
    if isinstance(target, Aircraft):
        return target.name
    return f"Missile at {state.aircraft[target.target].name}"
