"""The end (F14-DM-1 to F14-DM-5, F14-RS-1): going down and bailing out, landing, and the debriefing.

Belongs here: what ends a flight or the mission. Does not belong here: what a mission adds to a career;
see `careers`.
"""

from collections.abc import Mapping
from functools import partial

from app.engine.game import PhaseStep
from app.engine.log import Finished, Result
from app.engine.sequence import Effect, Roll, Todo
from app.games.f14_tomcats import careers, chances
from app.games.f14_tomcats.events import BailoutRolled, Landed, WentDown
from app.games.f14_tomcats.model import HOME, Jet, State
from app.games.f14_tomcats.words import many

RESCUED = 3
"""A bail-out roll of this or more is a rescue (F14-DM-2)."""

STEPS = (PhaseStep("landing", "Landing"), PhaseStep("debriefing", "Debriefing"))

ENDINGS: Mapping[str, str] = {
    "landed": "Every aircraft is home.",
    "some-landed": "One aircraft of two is home.",
    "rescued": "No aircraft is home, and every pilot was rescued.",
    "lost": "No aircraft is home, and a pilot is lost.",
}


# Going down interrupts whatever is going on.


def bail_out(state: State) -> Effect | Roll | None:
    """F14-DM-1: who has all the damage goes down; F14-DM-2, F14-TP-8: he rolls for himself, at once."""
    for name in state.order or state.jets:
        jet = state.jets[name]
        if jet.flying and not jet.left:
            event = WentDown(jet.id, jet.damage)
            title = f"{jet.name} goes down"
            return Effect(event, "F14-DM-1", title, jet.seat, jet.id, "bailout")
        if jet.status == "down":
            return _bail_out(state, jet)
    return None


def _bail_out(state: State, jet: Jet) -> Roll:
    return Roll(
        id=f"bail-out:{jet.id}",
        seat=jet.seat,
        title=f"{jet.name}: bail-out roll",
        pool=chances.ONE_DIE,
        happen=partial(bailed_out, jet.id),
        cite="F14-TP-8" if state.team else "F14-DM-2",
        unit=jet.id,
        why=f"rescued on {RESCUED}–6",
        step="bailout",
        odds=chances.between("Rescued", RESCUED, 6),
    )


def bailed_out(jet: str, faces: tuple[int, ...]) -> BailoutRolled:
    """F14-DM-2."""
    return BailoutRolled(jet, faces[0], faces[0] >= RESCUED)


# Landing and debriefing.


def todo(state: State) -> Todo:
    """Who is home lands; then each pilot's record, and the end. None while the flight is on its way."""
    if state.leader is not None and state.waypoint < HOME:
        return None
    for jet in state.flying():
        event = Landed(jet.id, jet.damage, jet.limit)
        return Effect(event, "F14-TN-2", f"{jet.name} lands", jet.seat, jet.id, "landing")
    for name in state.order:
        if step := _debrief(state, state.jets[name]):
            return step
    return Effect(Finished(result(state)), "F14-RS-1", "End of the mission", step="debriefing")


def _debrief(state: State, jet: Jet) -> Effect | None:
    """F14-DM-5, then F14-RK-4 and F14-RK-3."""
    if jet.record is None:
        cite = {"landed": "F14-DM-5", "rescued": "F14-DM-4"}.get(jet.status, "F14-DM-3")
        event, title = careers.debriefed(state, jet), f"{jet.name}: debriefing"
    elif given := careers.award(jet, jet.record, state.cards.awards):
        event, cite, title = given, "F14-RK-4", f"{jet.name}: {given.award}"
    elif higher := careers.promotion(jet, jet.record, state.cards.ranks):
        event, cite, title = higher, "F14-RK-3", f"{jet.name}: promotion"
    else:
        return None
    return Effect(event, cite, title, jet.seat, jet.id, "debriefing")


def result(state: State) -> Result:
    """F14-RS-1: nobody wins; the scores are the points of each pilot."""
    jets = [state.jets[name] for name in state.order]
    label = careers.LABELS[sum(target.destroyed for target in state.targets)]
    fates = ", ".join(f"{jet.name} {jet.status}" for jet in jets)
    points = "; ".join(_score(jet, alone=len(jets) == 1) for jet in jets)
    return Result(
        reason(jets),
        f"Mission {label}: {fates}. {points}.",
        scores={jet.seat: jet.points for jet in jets},
    )


def _score(jet: Jet, *, alone: bool) -> str:
    points = many(jet.points, "point")
    score = f"{points} and {many(jet.kills, 'kill')}"
    return score[0].upper() + score[1:] if alone else f"{jet.name}: {score}"


def reason(jets: list[Jet]) -> str:
    """The id of the ending."""
    home = sum(jet.status == "landed" for jet in jets)
    if home:
        return "landed" if home == len(jets) else "some-landed"
    return "lost" if any(jet.status == "lost" for jet in jets) else "rescued"
