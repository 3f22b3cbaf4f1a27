"""Promotion and awards: tables as printed, several steps at once, never down, each award once."""

from typing import Any

import msgspec
import pytest

from app.games.f14_tomcats import tables
from app.games.f14_tomcats.careers import earned_rank
from app.games.f14_tomcats.events import Awarded, Debriefed, Promoted
from app.games.f14_tomcats.model import Career
from tests.games.f14_tomcats.table import Table, pilot, setup


def flown(dice: list[int], choices: list[str] | None = None, **career: Any) -> Table:
    """The last leg of a pilot with such a career."""
    table = Table(setup(pilot(career=career), at=24), dice)
    for choice in choices or []:
        table.choose(choice, 6)
    return table


def test_rk_2_the_promotion_table() -> None:
    assert [(row.name, row.missions, row.points) for row in tables.ranks()] == [
        ("2nd Lt", 0, 0),
        ("1st Lt", 5, 15),
        ("Captain", 15, 25),
        ("Major", 20, 45),
        ("Lt Col", 30, 80),
        ("Col", 50, 100),
    ]


def test_rk_4_the_awards() -> None:
    assert [(row.name, row.kills, row.title) for row in tables.awards()] == [
        ("Ace", 5, True),
        ("Air Man's Medal", 15, False),
        ("Distinguished Flying Medal", 20, False),
        ("Congressional Medal of Honour", 35, False),
    ]


@pytest.mark.parametrize(
    ("held", "missions", "points", "rank"),
    [
        ("2nd Lt", 4, 99, "2nd Lt"),
        ("2nd Lt", 99, 14, "2nd Lt"),
        ("2nd Lt", 5, 15, "1st Lt"),
        ("2nd Lt", 30, 80, "Lt Col"),
        ("Captain", 0, 0, "Captain"),
        ("Major", 15, 25, "Major"),
        ("Col", 500, 500, "Col"),
    ],
)
def test_rk_3_the_highest_rank_and_never_lower(
    held: Any, missions: int, points: int, rank: str
) -> None:
    record = Career(rank=held, missions=missions, points=points)
    assert earned_rank(record, tables.ranks()).name == rank


def test_rk_3_several_steps_at_once_are_one_fact() -> None:
    table = flown([3], missions=19, points=45)
    [promoted] = table.facts(Promoted)
    assert (promoted.before, promoted.rank, promoted.passed) == (
        "2nd Lt",
        "Major",
        ("1st Lt", "Captain"),
    )
    assert (promoted.needs_missions, promoted.needs_points) == (20, 45)
    assert (promoted.missions, promoted.points) == (20, 45)
    record = table.jet().record
    assert record is not None
    assert record.rank == "Major"


def test_rk_4_all_awards_that_are_reached_at_once() -> None:
    table = flown([1, 4, 1], ["amraam"], kills=19)
    assert [(one.award, one.needs, one.kills) for one in table.facts(Awarded)] == [
        ("Ace", 5, 20),
        ("Air Man's Medal", 15, 20),
        ("Distinguished Flying Medal", 20, 20),
    ]


def test_rk_4_each_award_once() -> None:
    table = flown([1, 4, 1], ["amraam"], kills=6, awards=["Ace"])
    assert table.facts(Awarded) == []
    record = table.jet().record
    assert record is not None
    assert (record.kills, record.awards) == (7, ("Ace",))


def test_rk_4_a_purple_heart_each_time() -> None:
    jet = pilot(damage=6, career={"purple_hearts": 1})
    table = Table(setup(jet), [1, 4, 1]).choose("stop", 3)
    [given] = table.facts(Awarded)
    assert (given.award, given.count, given.needs) == ("Purple Heart", 2, 0)
    record = table.jet().record
    assert record is not None
    assert record.purple_hearts == 2


def test_totals_are_those_of_before_and_the_mission() -> None:
    table = flown([1, 4, 2], ["amraam", "amraam"], missions=3, points=7, kills=2)
    [debriefed] = table.facts(Debriefed)
    record = debriefed.record
    assert (record.missions, record.points, record.kills) == (4, 7, 4)
    assert (debriefed.points, debriefed.kills, debriefed.destroyed) == (0, 2, 0)


def test_a_career_goes_on_in_the_next_mission() -> None:
    """What a mission leaves is what the next set-up takes."""
    table = flown([1, 4, 1], ["amraam"], missions=4, points=15, kills=4)
    record = msgspec.to_builtins(table.jet().record)
    again = Table(setup(pilot(career=record), at=24), [3])
    assert again.jet().career == table.jet().record
    later = again.jet().record
    assert later is not None
    assert (later.rank, later.missions, later.awards) == ("1st Lt", 6, ("Ace",))
    assert again.facts(Promoted) == []
    assert again.facts(Awarded) == []
