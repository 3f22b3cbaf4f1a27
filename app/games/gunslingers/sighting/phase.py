"""The Visual Sighting Phase (GS-VIS): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: bookkeeping (`facts`), numbers, plans (`watch`).
Ground units and those who mark them come later: GS-VIS-1 to GS-VIS-6 pass.

Both sides set their watch at the same time, and openly: neither gains by waiting, for what a side sees does not
change what the other can see. A side whose watch could be no better in any way is not asked; that tells how
many of its aircraft can look at whom, which the board shows, and when a crew can't padlock at all. What each die
needs is open, as at any table; why, is not.

In fog nothing may tell who could be seen. Both sides are always asked, under seal, and each throws one die for each
enemy in the fight and each missile at its aircraft, wherever they are; those dice count whose targets are looked for.
"""

from functools import partial

from msgspec.structs import replace

from app.engine.dice import Pool
from app.engine.secret import Secret
from app.engine.sequence import Decision, Effect, Roll, Todo
from app.games.gunslingers.checks import ONE_DIE, Number, at_most, thrown
from app.games.gunslingers.fog import known_to
from app.games.gunslingers.model import Aircraft, State, Watch
from app.games.gunslingers.sighting import numbers, watch
from app.games.gunslingers.sighting.facts import (
    Identified,
    Looked,
    LostFromSight,
    Padlocked,
    Searched,
    Sighted,
    TrailsSeen,
    WatchSet,
    found,
)
from app.games.gunslingers.sighting.facts import target as find
from app.games.gunslingers.sighting.numbers import Target
from app.games.gunslingers.steps import Step, nobody, phase

HIDDEN = "crew, radar and restricted arc"


def _designate(state: State) -> Todo:
    """GS-VIS-7 with GS-VIS-8: each side names its search aircraft and its padlocks in one go."""
    if "trails" not in state.done:
        trails = tuple(one.id for one in state.flying() if numbers.smokes(state, one))
        return Effect(TrailsSeen(trails), "GS-VIS-7", "Smoke trails")
    if state.foggy:
        return tuple(_ask(state, side) for side in _lookers(state) if side not in state.done)
    waiting = [side for side in state.sides if side not in state.done]
    for side in waiting:
        if not watch.choice(state, side):
            event = _set(state, side, watch.proposal(state, side))
            return Effect(event, "GS-VIS-7", "Search and padlock", side)
    return tuple(_ask(state, side) for side in waiting) or None


def _lookers(state: State) -> tuple[str, ...]:
    """In fog, the sides that look out: with somebody in the fight, and somebody to look for."""
    return tuple(
        side
        for side in state.sides
        if any(state.flying(side)) and any(True for _ in numbers.targets(state, side))
    )


def _set(state: State, side: str, plan: Watch) -> WatchSet:
    return WatchSet(side, plan, watch.needs(state, side, plan))


def _ask(state: State, side: str) -> Decision:
    orders = watch.orders(state, side)
    return Decision(
        id=f"watch:{side}",
        seat=side,
        title="Search and padlock",
        options=partial(orders.options, partial(_words, state, side)),
        happen=lambda line: _set(state, side, orders.plan(line)),
        cite="GS-VIS-7",
        why="both sides in secret" if state.foggy else "both sides at once",
        sealed=state.foggy,
        initial="",
        action="Search",
        draft=orders.draft,
    )


def _words(state: State, side: str, plan: Watch) -> tuple[str, str]:
    """A plan in a few words, and in some more."""
    needs = watch.needs(state, side, plan)
    rolls = {0: "no die would do", 1: "roll once"}.get(len(needs), f"roll all {len(needs)}")
    words = [
        f"{state.aircraft[by].name} padlocks {watch.name_of(state, side, find(state, id))}"
        for id, by in plan.padlocks.items()
    ]
    for id, by in plan.searchers.items():
        target, searcher = find(state, id), state.aircraft[by]
        if id not in plan.padlocks and known_to(state, side, target):
            need = at_most(needs[id]) if id in needs else "no die would do"
            words.append(f"{searcher.name} looks for {watch.name_of(state, side, target)}: {need}")
    # In fog, the number of dice would tell of those that the side knows nothing of.
    return "Search" if state.foggy else f"Search: {rolls}", "; ".join(words)


def _padlock(state: State) -> Todo:
    """GS-VIS-8: those that are padlocked stay in sight."""
    padlocks = {id: by for one in state.watches.values() for id, by in one.padlocks.items()}
    before = {t.id: t.padlocked_by[0] for t in _everything(state) if t.padlocked_by}
    if "padlocks" in state.done or (not padlocks and not before):
        return None
    return Effect(Padlocked(padlocks), "GS-VIS-8", "Padlocks")


def _everything(state: State) -> tuple[Target, ...]:
    return (*state.flying(), *state.missiles.values())


def _search(state: State) -> Todo:
    """GS-VIS-9: what nobody padlocks is lost from sight; then one roll for each."""
    if not state.done:
        lost = [
            t.id for t in _everything(state) if t.vas_by or (t.sighted_by and not t.padlocked_by)
        ]
        if lost:
            padlocked = tuple(id for id in lost if find(state, id).padlocked_by)
            event = LostFromSight(tuple(lost), padlocked)
            return Effect(event, "GS-VIS-9", "Out of sight until found again")
    if state.foggy:
        return _look(state)
    for side in state.sides:
        plan = state.watches[side]
        left = {id: by for id, by in plan.searchers.items() if f"{side}:{id}" not in state.done}
        for target, number in watch.rolls(state, side, replace(plan, searchers=left)):
            return _roll(state, state.aircraft[left[target.id]], target, number)
    return None


def _roll(state: State, searcher: Aircraft, target: Target, number: Number) -> Roll:
    """One roll. Its terms are for all to see."""
    side = searcher.side
    return Roll(
        id=f"search:{side}:{len(state.done)}",
        seat=side,
        title=f"{searcher.name} looks for {watch.name_of(state, side, target)}",
        pool=ONE_DIE,
        happen=lambda faces: _searched(state, searcher, target, number, faces[0]),
        cite="GS-VIS-9",
        unit=searcher.id,
        odds=number.odds("Sighted"),
        terms=number.open_terms(HIDDEN),
    )


def _look(state: State) -> Todo:
    """GS-VIS-9 in fog: all dice of a side at once, then what is found is told to those who may know."""
    for side in _lookers(state):
        if f"dice:{side}" not in state.done:
            return _pool(state, side)
        seen = found(state, side)
        if seen and f"told:{side}" not in state.done:
            return Effect(Sighted(side, seen), "GS-VIS-9", "Sighted", side)
    return None


def _pool(state: State, side: str) -> Roll:
    targets = tuple(numbers.targets(state, side))
    pool = Pool(len(targets), 10)

    def happen(faces: tuple[int, ...]) -> Looked:
        thrown_now = pool.check(faces)  # a log of before had a roll for each target
        dice = {target.id: face for target, face in zip(targets, thrown_now, strict=True)}
        plan = state.watches.get(side, Watch())
        looks = tuple(
            _searched(state, searcher, target, number, dice[target.id])
            for searcher, target, number in watch.looks(state, side, plan)
        )
        return Looked(side, Secret(looks, (side,)))

    return Roll(
        id=f"search:{side}",
        seat=side,
        title=f"{state.sides[side]}: visual search",
        pool=pool,
        happen=happen,
        cite="GS-VIS-9",
        why="a die for each enemy and each missile, wherever they are",
    )


def _searched(
    state: State, searcher: Aircraft, target: Target, number: Number, face: int
) -> Searched:
    roll = thrown(number, face, searcher.side)
    by_vas = numbers.by_vas(state, searcher, target)
    shows = None
    if roll.made and isinstance(target, Aircraft):
        shows = Secret(target.seen.value, (target.side, searcher.side))
    return Searched(searcher.side, target.id, searcher.id, roll, by_vas, shows)


def _identify(state: State) -> Todo:
    """GS-VIS-10: sighted aircraft that are near enough are identified, and stay so."""
    if "identified" in state.done:
        return None
    found = {side: _newly(state, side) for side in state.sides}
    if not any(found.values()):
        return None
    return Effect(Identified(found), "GS-VIS-10a", "Identified")


def _newly(state: State, side: str) -> tuple[str, ...]:
    return tuple(
        target.id
        for target in state.enemies(side)
        if side not in target.identified_by
        and any(
            numbers.identifies(state, one, target)
            for one in state.flying(side)
            if side in target.sighted_by or one.id in target.vas_by
        )
    )


PHASE = phase(
    "sighting",
    "Visual Sighting",
    (
        Step("GS-VIS-1", "Ground controllers mark targets", nobody),
        Step("GS-VIS-2", "Lines of sight", nobody),
        Step("GS-VIS-3", "Search for ground units", nobody),
        Step("GS-VIS-4", "Sight ground units", nobody),
        Step("GS-VIS-5", "Sight camouflaged units", nobody),
        Step("GS-VIS-6", "Identify ground units", nobody),
        Step("GS-VIS-7", "Designate search aircraft", _designate),
        Step("GS-VIS-8", "Padlock", _padlock),
        Step("GS-VIS-9", "Search for aircraft", _search),
        Step("GS-VIS-10", "Identify aircraft", _identify),
    ),
    "GS-VIS-1",
)
