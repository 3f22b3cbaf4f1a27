"""Counting careers: how many still go on after each mission, and what they have to show by then.

Belongs here: statistics of careers, as data. Does not belong here: statistics of games that stand alone
(`counting`), and how any of it is shown.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from app.engine.game import Seat
from app.simulation.careers import Career
from app.simulation.counting import Speed, falling, speed_of
from app.simulation.measuring import Mean, Share, mean, share
from app.simulation.orders import Order, seats_of
from app.simulation.running import Failure, Run


class CareerSide(msgspec.Struct, frozen=True, kw_only=True):
    """What the persons in a seat have to show.

    `totals` has, by label, the mean after each mission; `honours`, by kind, the share that holds each at the
    end. A career that is over keeps what it had, and counts on with it.
    """

    seat: str
    label: str
    mark: str
    bot: str
    totals: Mapping[str, tuple[Mean, ...]]
    honours: Mapping[str, Mapping[str, Share]]


class CareerSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What came of many careers. `whole` is False when the order was cut short.

    `careers` are those that were followed to their end or to the order's last mission; shares are of these.
    `survival` is the share that can go on after mission 1, 2 and so on. `missions` is how many a career had,
    `endings` counts how the last mission of each ended; the speed counts missions.
    """

    order: Order
    careers: int
    whole: bool
    survival: tuple[Share, ...]
    missions: Mean | None
    sides: tuple[CareerSide, ...]
    endings: Mapping[str, int]
    failures: tuple[Failure, ...]
    speed: Speed

    @property
    def games(self) -> int:
        """What is counted, as of a plain summary."""
        return self.careers


def career_summary_of(run: Run) -> CareerSummary:
    """Count what came of an order for careers."""
    careers, most = list(run.careers.values()), run.order.missions
    played = sum(one.missions for one in careers)
    return CareerSummary(
        order=run.order,
        careers=len(careers),
        whole=run.whole,
        survival=tuple(share(_going_on(careers, n), len(careers)) for n in range(1, most + 1))
        if careers
        else (),
        missions=mean([one.missions for one in careers]) if careers else None,
        sides=tuple(_side(seat, run.order, careers) for seat in seats_of(run.order)),
        endings=falling(Counter(one.ending for one in careers)),
        failures=tuple(run.failures),
        speed=speed_of(run, played, [one.thinking for one in careers]),
    )


def _going_on(careers: Sequence[Career], mission: int) -> int:
    """How many could fly another mission after this one."""
    return sum(
        one.missions > mission or (one.missions == mission and not one.over) for one in careers
    )


def _side(seat: Seat, order: Order, careers: Sequence[Career]) -> CareerSide:
    totals = [one.totals[seat.id] for one in careers if seat.id in one.totals]
    honours = [one.honours[seat.id] for one in careers if seat.id in one.honours]
    return CareerSide(
        seat=seat.id,
        label=seat.label,
        mark=seat.mark,
        bot=order.bots[seat.id],
        totals=_totals(totals, order.missions) if totals else {},
        honours=_honours(honours) if honours else {},
    )


def _totals(
    totals: Sequence[Mapping[str, Sequence[float]]], missions: int
) -> dict[str, tuple[Mean, ...]]:
    return {
        label: tuple(
            mean([_after(mission, one[label]) for one in totals])
            for mission in range(1, missions + 1)
        )
        for label in totals[0]
    }


def _honours(
    honours: Sequence[Mapping[str, Mapping[str, bool]]],
) -> dict[str, dict[str, Share]]:
    return {
        kind: {
            honour: share(sum(one[kind][honour] for one in honours), len(honours))
            for honour in named
        }
        for kind, named in honours[0].items()
    }


def _after(mission: int, totals: Sequence[float]) -> float:
    """The total after a mission; of a career that was over by then, its last one."""
    return totals[min(mission, len(totals)) - 1]
