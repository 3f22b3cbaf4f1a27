"""The Order of Flight Determination Phase (GS-OOF): its steps in the rulebook's order.

Belongs here: what each step has still to do. Does not belong here: the tests and tables (`advantage`, `ranks`),
bookkeeping (`facts`).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from app.engine.dice import Pool
from app.engine.secret import Secret
from app.engine.sequence import Decision, Effect, Option, Roll, Todo
from app.games.gunslingers.checks import ONE_DIE
from app.games.gunslingers.crews import pilot
from app.games.gunslingers.model import Aircraft, OrderPlace, State
from app.games.gunslingers.order import advantage, ranks
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
from app.games.gunslingers.steps import Step, phase

TIE_DICE = 2
"""How many dice each aircraft throws in fog for ties: the first, and a second where the first are equal."""

# GS-OOF-1: advantage and categories.


def _advantage(state: State) -> Todo:
    if "categories" in state.done:
        return None
    concerned = [one for one in state.flying() if ranks.rank(state, one) == ranks.CATEGORY_RANK]
    found = tuple(advantage.advantages(state))
    if state.switches.sierra_hotel_bump == "on":
        asked = tuple(
            _bump(side, found, concerned)
            for side in state.sides
            if _bump_id(side) not in state.done
        )
        if asked:
            return asked
    categories = advantage.categories(state, found, concerned)
    return Effect(CategoriesSet(found, categories), "GS-OOF-1a", "Advantage")


def _bump_id(side: str) -> str:
    return f"bump:{side}"


def _bump(side: str, found: Sequence[Advantage], concerned: Sequence[Aircraft]) -> Decision:
    """GS-OOF-1d: a side may move its Sierra Hotel pilots up one category.

    Both sides are asked in secret, also one that has none: whose turn it is to choose would tell of a crew.
    """
    mine = [
        one
        for one in concerned
        if one.side == side
        and pilot(one).sierra_hotel
        and advantage.category(found, one.id) != "advantaged"
    ]
    return Decision(
        id=_bump_id(side),
        seat=side,
        title="Who flies one category later?",
        options=lambda: tuple(_bump_options(found, mine)),
        happen=partial(_bumped, side),
        cite="GS-OOF-1d",
        why="Sierra Hotel pilots may be moved up",
        sealed=True,
        initial="",
    )


def _bump_options(found: Sequence[Advantage], mine: Sequence[Aircraft]) -> Iterator[Option]:
    yield Option("", "Nobody")
    for number in range(1, len(mine) + 1):
        for some in combinations(mine, number):
            detail = (
                f"{one.name} as {advantage.bumped(advantage.category(found, one.id))}"
                for one in some
            )
            names = " and ".join(one.name for one in some)
            yield Option(" ".join(one.id for one in some), names, ", ".join(detail))


def _bumped(side: str, choice: str) -> Bumped:
    return Bumped(side, _bump_id(side), Secret(tuple(choice.split()), (side,)))


# GS-OOF-2: one die a side.


def _base(state: State) -> Todo:
    for side in state.sides:
        if side not in state.initiative and any(True for _ in state.flying(side)):
            return Roll(
                f"base:{side}", side, "Base initiative", ONE_DIE, partial(_rolled, side), "GS-OOF-2"
            )
    return None


def _rolled(side: str, faces: tuple[int, ...]) -> BaseRolled:
    return BaseRolled(side, faces[0])


# GS-OOF-3: initiative, ties, the order.


def _order(state: State) -> Todo:
    if "order" in state.done or not state.initiative:
        return None
    if "initiative" not in state.done:
        return _initiative(state)
    if state.foggy:
        return _ties(state) or Effect(OrderSet(state.order), "GS-T-12", "Order of flight")
    tied = ranks.next_to_roll(state.order)
    if tied is not None:
        return _tie(state, tied)
    return Effect(OrderSet(state.order), "GS-T-12", "Order of flight")


def _initiative(state: State) -> Effect:
    """GS-OOF-3, in every rank (GS-OOF-3a)."""
    found = tuple(advantage.advantages(state))
    standings = {one.id: _standing(state, one) for one in state.flying()}
    # Where in fog all dice for ties are equal, the set-up's order counts, in every other turn from its end.
    flying = list(state.flying())
    if state.foggy and state.turn % 2 == 0:
        flying.reverse()
    places = sorted(
        (_place(state, found, one, standings[one.id].total) for one in flying),
        key=lambda place: place.key,
    )
    event = InitiativeSet(tuple(standings.values()), tuple(places))
    return Effect(event, "GS-T-9", "Initiative")


def _standing(state: State, one: Aircraft) -> Standing:
    rows = [row for row in ranks.modifiers(state, one) if row.lit and row.amount]
    base = state.initiative[one.side]
    return Standing(
        aircraft=one.id,
        base=base,
        total=base + sum(row.amount for row in rows),
        parts=tuple(row for row in rows if not row.own),
        crew=Secret(tuple(row for row in rows if row.own), (one.side,)),
    )


def _place(state: State, found: Sequence[Advantage], one: Aircraft, initiative: int) -> OrderPlace:
    rank = ranks.rank(state, one)
    why = ranks.reason(state, found, one, rank)
    about = advantage.named(state, found, one) if rank == ranks.CATEGORY_RANK else ()
    within = ranks.within(state, one)
    return OrderPlace(one.id, rank, initiative, why, within=within, about=about)


def _ties(state: State) -> Roll | None:
    """GS-OOF-3 in fog: who rolls off a tie would tell that there is somebody. So dice fall for all, tied or not."""
    for side in state.sides:
        mine = tuple(one.id for one in state.flying(side))
        if mine and f"ties:{side}" not in state.done:
            return Roll(
                id=f"ties:{side}",
                seat=side,
                title=f"{state.sides[side]}: dice for ties",
                pool=Pool(len(mine) * TIE_DICE, 10),
                happen=partial(_ties_rolled, side, mine),
                cite="GS-OOF-3",
                why=f"{TIE_DICE} for each aircraft, tied or not",
            )
    return None


def _ties_rolled(side: str, mine: tuple[str, ...], faces: tuple[int, ...]) -> TiesRolled:
    dice = {one: faces[n * TIE_DICE : (n + 1) * TIE_DICE] for n, one in enumerate(mine)}
    return TiesRolled(side, Secret(dice, (side,)))


def _tie(state: State, place: OrderPlace) -> Roll:
    one = state.aircraft[place.aircraft]
    against = ranks.tied_with(state.order, place)
    return Roll(
        id=f"tie:{one.id}:{len(place.tie)}",
        seat=one.side,
        title=f"{one.name}: roll off the tie",
        pool=ONE_DIE,
        happen=partial(_tie_rolled, one.id, against),
        cite="GS-OOF-3",
        unit=one.id,
        why="tied with " + ", ".join(state.aircraft[each].name for each in against),
    )


def _tie_rolled(aircraft: str, against: tuple[str, ...], faces: tuple[int, ...]) -> TieRolled:
    return TieRolled(aircraft, faces[0], against)


PHASE = phase(
    "order",
    "Order of Flight",
    (
        Step("GS-OOF-1", "Advantage", _advantage),
        Step("GS-OOF-2", "Base initiative", _base),
        Step("GS-OOF-3", "Order of flight", _order),
    ),
    "GS-OOF-1",
)
