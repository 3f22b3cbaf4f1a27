"""Before take-off (F14-MS-1 to F14-MS-8, F14-TP-1, F14-TP-2): who leads, and where and what the targets are.

Belongs here: what is settled before the first leg. Does not belong here: anything that happens on it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from app.engine.sequence import Effect, Roll, Step
from app.games.f14_tomcats import chances
from app.games.f14_tomcats.events import (
    LeaderSet,
    LeaderTossed,
    TargetId,
    TargetIdentified,
    TargetPlaced,
)
from app.games.f14_tomcats.model import HOME, Cards, Jet, State

LAST = HOME - 1
"""The last waypoint that a target can have (F14-MS-5)."""

TARGETS: tuple[TargetId, TargetId] = ("primary", "secondary")


def todo(state: State) -> Step | None:
    """The leader, the places of both targets, then their types; None once all is known."""
    if not state.order or state.tossed:
        return _leader(state)
    if len(state.targets) < len(TARGETS):
        return _place(state)
    for target in state.targets:
        if not target.known:
            return Roll(
                id=f"type:{target.id}",
                seat=_seat(state),
                title=f"Roll for the {target.id} target",
                pool=chances.ONE_DIE,
                happen=partial(identified, state.cards, target.id),
                cite="F14-MS-7",
                why=f"at waypoint {target.waypoint}",
                step="briefing",
                odds=chances.kind_of_target(state.cards),
            )
    return None


def _seat(state: State) -> str:
    return state.jets[state.order[0]].seat


# Who leads.


def _leader(state: State) -> Step:
    """F14-TP-1: the higher rank; F14-TP-2: points, missions, then a die."""
    first, second = state.jets.values()
    if state.tossed:
        event = LeaderSet(state.order, "die", ())
        return Effect(event, "F14-TP-2", "Leader", step="briefing")
    for by, standing in STANDINGS.items():
        one, two = standing(state.cards, first), standing(state.cards, second)
        if one != two:
            lead, wing = (first, second) if one > two else (second, first)
            words = tuple(_standing(by, jet) for jet in (lead, wing))
            event = LeaderSet((lead.id, wing.id), by, words)
            cite = "F14-TP-1" if by == "rank" else "F14-TP-2"
            return Effect(event, cite, "Leader", step="briefing")
    return Roll(
        id="leader",
        seat=first.seat,
        title="Roll for the lead",
        pool=chances.ONE_DIE,
        happen=partial(tossed, first.id, second.id),
        cite="F14-TP-2",
        why="rank, points and missions are equal",
        step="briefing",
        odds=chances.between(f"{first.name} leads", 1, 3),
    )


def rank_of(cards: Cards, jet: Jet) -> int:
    """The place of a pilot's rank in the promotion table."""
    return cards.rank(jet.career.rank)


def points_of(_: Cards, jet: Jet) -> int:
    """A pilot's points before the mission."""
    return jet.career.points


def missions_of(_: Cards, jet: Jet) -> int:
    """A pilot's missions before this one."""
    return jet.career.missions


By = Literal["rank", "points", "missions"]

STANDINGS: Mapping[By, Callable[[Cards, Jet], int]] = {
    "rank": rank_of,
    "points": points_of,
    "missions": missions_of,
}
"""What decides who leads, one after another."""


def _standing(by: By, jet: Jet) -> str:
    if by == "rank":
        return jet.career.rank
    return f"{jet.career.points} points" if by == "points" else f"{jet.career.missions} missions"


def tossed(first: str, second: str, faces: tuple[int, ...]) -> LeaderTossed:
    """F14-TP-2."""
    return LeaderTossed(faces[0], (first, second) if faces[0] <= 3 else (second, first))


# The targets.


def _place(state: State) -> Roll:
    """F14-MS-3: two dice beyond waypoint 1, then two dice beyond the first target."""
    target = TARGETS[len(state.targets)]
    start = state.targets[-1].waypoint if state.targets else 1
    return Roll(
        id=f"distance:{target}",
        seat=_seat(state),
        title=f"Roll for the place of the {target} target",
        pool=chances.TWO_DICE,
        happen=partial(placed, target, start),
        cite="F14-MS-3",
        cited=partial(_placed_by, start),
        why=f"beyond waypoint {start}",
        step="briefing",
        odds=chances.distance(start, LAST),
    )


def _placed_by(start: int, faces: tuple[int, ...]) -> str:
    """F14-MS-5, where the dice would put a target on the home base."""
    return "F14-MS-5" if start + sum(faces) > LAST else "F14-MS-3"


def placed(target: TargetId, start: int, faces: tuple[int, ...]) -> TargetPlaced:
    """F14-MS-3; F14-MS-5: never on the home base. Two dice show 2 at least, so F14-MS-6 holds."""
    reach = start + sum(faces)
    return TargetPlaced(target, faces, start, reach, min(LAST, reach))


def identified(cards: Cards, target: TargetId, faces: tuple[int, ...]) -> TargetIdentified:
    """F14-MS-7. Which of the two it is makes no difference (F14-MS-4)."""
    row = cards.target(faces[0])
    return TargetIdentified(target, faces[0], row.name, row.points, row.needs)
