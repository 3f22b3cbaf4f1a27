"""Pilots who outlive a mission: seated by name, and what a mission made of them told by the printed rows."""

from typing import Any

import msgspec
import pytest

from app.engine.errors import Illegal
from app.engine.people import Deed, Person
from app.games.f14_tomcats.people import PILOTS
from app.games.f14_tomcats.setup import Setup
from tests.games.f14_tomcats.table import GAME, Table, pilot, setup


def person(call_sign: str, **record: Any) -> Person:
    """Somebody with a record."""
    return Person(call_sign, "Some Body", call_sign, record)


def seated(*pilots: dict[str, Any], **people: Person) -> Setup:
    """A set-up with these people in it."""
    return PILOTS.seated(msgspec.convert(setup(*pilots), Setup), people)


def deed_of(*dice: int, choices: tuple[Any, ...] = (), **changes: Any) -> Deed:
    """What the last leg home makes of a pilot."""
    table = Table(setup(pilot(0, **changes), at=24), dice)
    for choice in choices:
        table.choose(choice)
    (deed,) = PILOTS.deeds(table.state)
    return deed


def test_the_aircraft_stays_when_the_pilot_changes() -> None:
    before = msgspec.convert(setup(pilot(0, damage=3, stores={"cannon": 4})), Setup)
    after = PILOTS.seated(before, {"one": person("New", kills=7)})
    old, new = before.pilots[0], after.pilots[0]
    assert (new.name, new.call_sign, new.career.kills) == ("Some Body", "New", 7)
    assert (new.damage, new.stores) == (old.damage, old.stores)


def test_call_signs_of_two_who_are_brought_differ() -> None:
    with pytest.raises(Illegal, match="There is a ANVIL in this flight already"):
        seated(pilot(0), pilot(1), one=person("Anvil"), two=person("ANVIL"))


def test_the_set_ups_own_pilot_gives_way() -> None:
    both = seated(pilot(0), pilot(1), one=person("b"))
    assert [one.call_sign for one in both.pilots] == ["b", "B 2"]
    long = "N" * 16
    both = seated(pilot(0), pilot(1, call_sign=long), one=person(long))
    assert both.pilots[1].call_sign == f"{'N' * 13} 2"


def test_an_award_is_given_once() -> None:
    with pytest.raises(Illegal, match="Each award"):
        seated(pilot(0), one=person("New", awards=["Ace", "Ace"]))


def test_a_calm_flight_home() -> None:
    deed = deed_of(6)
    assert (deed.title, deed.lost, deed.lines) == ("Mission failed, landed", False, ())
    assert deed.record.missions == 1


def test_several_awards_and_ranks_at_once_are_told_each_by_its_row() -> None:
    career = {"missions": 14, "points": 25, "kills": 19}
    deed = deed_of(1, 4, 1, 6, choices=("amraam",), career=career)
    assert deed.lines == (
        "Awarded Ace: 5 kills",
        "Awarded the Air Man's Medal: 15 kills",
        "Awarded the Distinguished Flying Medal: 20 kills",
        "Promoted to Captain: 15 missions and 25 points",
    )
    assert deed.tallies == {"Points": 0, "Kills": 1}


@pytest.mark.parametrize(("face", "lost"), [(1, True), (2, True), (3, False), (6, False)])
def test_a_bail_out(face: int, lost: bool) -> None:
    deed = deed_of(1, 4, 1, face, choices=("stop",), damage=6)
    assert deed.lost is lost
    assert deed.record.missions == int(not lost)
    assert deed.lines == (() if lost else ("Awarded the Purple Heart: a bail-out with rescue",))


def test_who_is_lost_is_given_no_rank() -> None:
    career = {"missions": 5, "points": 15}
    assert deed_of(1, 4, 1, 1, choices=("stop",), damage=6, career=career).lines == ()


def test_the_best_are_sorted_by_rank_then_points() -> None:
    records = [
        {"rank": "1st Lt", "points": 99},
        {"rank": "Captain", "points": 3, "kills": 9},
        {"rank": "Captain", "points": 4},
        {"rank": "Captain", "points": 4, "kills": 1},
    ]
    keys = [PILOTS.order(PILOTS.read(record)) for record in records]
    assert keys == sorted(keys)
    assert len(set(keys)) == 4


def test_a_record_is_told_with_every_medal() -> None:
    told = dict(PILOTS.told(PILOTS.read({"awards": ["Ace"], "purple_hearts": 2})))
    assert told["Awards"] == "Ace, Purple Heart × 2"
    assert dict(PILOTS.told(PILOTS.record()))["Awards"] == "none yet"


def test_a_row_that_is_added_to_a_set_up_can_be_played() -> None:
    """Also a copy, and beside fields that are not right yet."""
    editor = GAME.editor
    assert editor is not None
    assert editor.added is not None
    one = setup(pilot(0, damage=2))
    for like, damage in ((None, 0), (0, 2)):
        more = editor.added(one, "pilots", like)
        both = msgspec.convert({**one, "pilots": [*one["pilots"], more]}, Setup)
        GAME.start(both, GAME.rulebook.settle({}))
        assert both.pilots[1].damage == damage
    row = editor.added({"targets": [{"waypoint": "soon"}, {"waypoint": 9}]}, "targets", None)
    assert row["waypoint"] == 12
