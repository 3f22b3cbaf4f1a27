"""Who flies when: ranks, initiative and ties (GS-OOF-3, GS-T-9, GS-T-12).

Belongs here: the tables, and what a position makes of them. Does not belong here: advantage, and the insertions
that are made while the order is flown (`walk`).
"""

from collections.abc import Mapping, Sequence

from app.games.gunslingers.checks import Part
from app.games.gunslingers.crews import pilot
from app.games.gunslingers.model import (
    Aircraft,
    Confidence,
    OrderPlace,
    Quality,
    State,
    Training,
)
from app.games.gunslingers.order import advantage

TRAINING: Mapping[Training, int] = {
    "excellent": 2,
    "good": 1,
    "average": 0,
    "limited": -1,
    "poor": -2,
}
QUALITY: Mapping[Quality, int] = {"veteran": 1, "regular": 0, "novice": -1, "green": -2}
CONFIDENCE: Mapping[Confidence, int] = {"excellent": 1, "normal": 0, "poor": -1}
TRAIT = 1
"""Sierra Hotel, Tactics Master and Combat Hero, each (GS-T-9)."""
KILLS = 1
"""For the side with the first kill, and for the one with most."""

CATEGORY_RANK = 8

ABNORMAL: Mapping[str, tuple[int, int]] = {
    "departed": (2, 0),
    "stalled": (2, 1),
    "gloc": (3, 0),
    "disoriented": (3, 1),
}
"""Rank and place within it by condition (GS-T-12)."""

GROUPS: Mapping[tuple[int, int], str] = {
    (2, 0): "Departed",
    (2, 1): "Stalled",
    (3, 0): "Blacked out",
    (3, 1): "Disoriented",
    (4, 0): "Engaged",
    (8, 0): "Disadvantaged",
    (8, 1): "Non-advantaged",
    (8, 2): "Advantaged",
    (9, 0): "Unsighted, on radar",
    (10, 0): "Unsighted",
}
"""What each place of the table is called."""


def rank(state: State, aircraft: Aircraft) -> int:
    """GS-T-12: the first rank that fits."""
    if aircraft.condition in ABNORMAL:
        return ABNORMAL[aircraft.condition][0]
    if aircraft.engaged:
        return 4
    if any(seat != aircraft.side for seat in aircraft.sighted_by):
        return CATEGORY_RANK
    return 9 if detected(state, aircraft) else 10


def detected(state: State, aircraft: Aircraft) -> bool:
    """GS-OOF-3b: whether an enemy's radar holds it."""
    return any(
        aircraft.id in enemy.o.contacts or aircraft.id in enemy.o.locks
        for enemy in state.enemies(aircraft.side)
    )


def within(state: State, aircraft: Aircraft) -> int:
    """GS-T-12: departed before stalled, blacked out before disoriented, and the categories in their order."""
    if aircraft.condition in ABNORMAL:
        return ABNORMAL[aircraft.condition][1]
    if rank(state, aircraft) == CATEGORY_RANK and aircraft.category is not None:
        return advantage.CATEGORIES.index(aircraft.category)
    return 0


def reason(
    state: State, found: Sequence[advantage.Advantage], aircraft: Aircraft, mine: int
) -> str:
    """Why an aircraft has its rank, in a few words."""
    if mine == CATEGORY_RANK:
        why = advantage.reason(state, found, aircraft)
        return f"{why}; moved up by its pilot" if aircraft.o.bumped else why
    return GROUPS[mine, within(state, aircraft)].lower()


def modifiers(state: State, aircraft: Aircraft) -> tuple[Part, ...]:
    """GS-T-9 about an aircraft. What tells of its crew is its side's own."""
    training = state.training[aircraft.side]
    flier = pilot(aircraft)
    return (
        Part(f"{training} training", TRAINING[training]),
        Part(f"{flier.quality} pilot", QUALITY[flier.quality], own=True),
        Part("Sierra Hotel", TRAIT, flier.sierra_hotel, own=True),
        Part("Tactics Master", TRAIT, flier.tactics_master, own=True),
        Part("Combat Hero", TRAIT, flier.combat_hero, own=True),
        Part(f"{flier.confidence} confidence", CONFIDENCE[flier.confidence], own=True),
        Part("first kill", KILLS, state.first_kill == aircraft.side),
        Part("most kills", KILLS, _most_kills(state, aircraft.side)),
    )


def _most_kills(state: State, side: str) -> bool:
    """Whether a side has more kills than the other: with equal ones nobody has most."""
    return state.kills.get(side, 0) > state.kills.get(state.other(side), 0)


def next_to_roll(places: Sequence[OrderPlace]) -> OrderPlace | None:
    """GS-OOF-3: the first place that has to roll off a tie; None when no two are equal any more.

    Places are tied as long as one's dice begin like all of the other's.
    """
    for place in places:
        mine = place.key
        if sum(other.key[: len(mine)] == mine for other in places) > 1:
            return place
    return None


def tied_with(places: Sequence[OrderPlace], place: OrderPlace) -> tuple[str, ...]:
    """The other aircraft that a place is tied with."""
    mine = place.key
    return tuple(
        other.aircraft for other in places if other is not place and other.key[: len(mine)] == mine
    )
