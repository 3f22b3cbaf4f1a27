"""Careers (F14-RK-1 to F14-RK-4, F14-DM-3 to F14-DM-5, F14-RS-1): what a mission adds to a pilot's record.

Belongs here: totals, promotion and awards. Does not belong here: how the mission went.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from app.engine.errors import BrokenGame
from app.games.f14_tomcats.events import Awarded, Debriefed, Promoted
from app.games.f14_tomcats.model import Award, Career, Jet, Label, Rank, RankName, State

LABELS: tuple[Label, Label, Label] = ("failed", "partial", "complete")
PURPLE_HEART = "Purple Heart"


def debriefed(state: State, jet: Jet) -> Debriefed:
    """F14-RS-1: what the mission is called. F14-DM-4: points and kills count; F14-DM-5: the mission too."""
    destroyed = sum(target.destroyed for target in state.targets)
    if jet.status not in ("landed", "rescued", "lost"):
        raise BrokenGame(f"{jet.id} is debriefed while {jet.status}")
    counted = jet.status != "lost"
    record = replace(
        jet.career,
        missions=jet.career.missions + counted,
        points=jet.career.points + jet.points,
        kills=jet.career.kills + jet.kills,
    )
    label = LABELS[destroyed]
    return Debriefed(jet.id, label, jet.status, destroyed, jet.points, jet.kills, counted, record)


def earned_rank(record: Career, ranks: Sequence[Rank]) -> Rank:
    """F14-RK-3: the highest rank of which both numbers are reached, and never a lower one than now."""
    held = [rank.name for rank in ranks].index(record.rank)
    best = ranks[held]
    for rank in ranks[held:]:
        if record.missions >= rank.missions and record.points >= rank.points:
            best = rank
    return best


def promotion(jet: Jet, record: Career, ranks: Sequence[Rank]) -> Promoted | None:
    """F14-RK-3, over as many steps as there are; F14-DM-3: not for a pilot who is lost."""
    rank = earned_rank(record, ranks)
    if rank.name == record.rank or jet.status == "lost":
        return None
    names: list[RankName] = [row.name for row in ranks]
    passed = names[names.index(record.rank) + 1 : names.index(rank.name)]
    return Promoted(
        jet=jet.id,
        before=record.rank,
        rank=rank.name,
        missions=record.missions,
        points=record.points,
        needs_missions=rank.missions,
        needs_points=rank.points,
        passed=tuple(passed),
    )


def award(jet: Jet, record: Career, awards: Sequence[Award]) -> Awarded | None:
    """F14-RK-4: the next thing that is earned and has not been given."""
    if jet.status == "rescued" and record.purple_hearts == jet.career.purple_hearts:
        return Awarded(jet.id, PURPLE_HEART, count=record.purple_hearts + 1)
    for row in awards:
        if record.kills >= row.kills and row.name not in record.awards:
            return Awarded(jet.id, row.name, record.kills, row.kills, title=row.title)
    return None
