"""What many missions and careers are compared by.

Belongs here: numbers read off a mission that is over, and the set-up of the next one. Does not belong here: a
rule, or what is shown of one mission; see `careers` and `view`.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from app.engine.game import Measured, Standing
from app.games.f14_tomcats.careers import PURPLE_HEART
from app.games.f14_tomcats.model import Cards, Career, Jet, State


def measures(state: State) -> Mapping[str, Mapping[str, Measured]]:
    """Each pilot's mission in numbers. Targets are the flight's, all else is his own."""
    destroyed = sum(target.destroyed for target in state.targets)
    return {jet.seat: _of(jet, destroyed) for jet in state.jets.values()}


def _of(jet: Jet, destroyed: int) -> Mapping[str, Measured]:
    return {
        "home": jet.status == "landed",
        "rescued": jet.status == "rescued",
        "lost": jet.status == "lost",
        "both targets": destroyed == 2,
        "one target": destroyed == 1,
        "no target": destroyed == 0,
        "targets destroyed": destroyed,
        "points": jet.points,
        "kills": jet.kills,
        "damage": jet.damage,
        "bursts left": jet.stores.cannon,
    }


def next_setup(state: State, setup: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """F14-MS-8: the next mission from home, with all repaired; F14-DM-3: none when a pilot is lost.

    Its targets are rolled for, whatever the set-up of the first mission had.
    """
    jets = list(state.jets.values())
    if any(jet.status == "lost" for jet in jets):
        return None
    pilots = [
        {
            "name": pilot["name"],
            "call_sign": pilot["call_sign"],
            "career": msgspec.to_builtins(jet.record),
        }
        for jet, pilot in zip(jets, setup["pilots"], strict=True)
    ]
    return {"title": setup["title"], "pilots": pilots}


def standings(state: State) -> Mapping[str, Standing]:
    """Each pilot's record after the debriefing."""
    return {
        jet.seat: _standing(state.cards, jet.record or jet.career) for jet in state.jets.values()
    }


def _standing(cards: Cards, record: Career) -> Standing:
    return Standing(
        totals={"missions": record.missions, "points": record.points, "kills": record.kills},
        honours={
            "rank": {rank.name: rank.name == record.rank for rank in cards.ranks},
            "awards": {
                PURPLE_HEART: record.purple_hearts > 0,
                **{award.name: award.name in record.awards for award in cards.awards},
            },
        },
    )
