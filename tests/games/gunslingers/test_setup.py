"""Set-ups: what they make, and what they refuse, naming the field and the rule that forbids it."""

from typing import Any

import msgspec
import pytest

from app.engine.errors import Illegal
from app.games.gunslingers.geometry import parse, sighting_range, slant
from app.games.gunslingers.model import Crew, Decoys, State
from app.games.gunslingers.sighting import numbers
from tests.games.gunslingers.table import GAME, craft, position, setup


def begun(scenario: str) -> State:
    """A scenario's first position."""
    data = GAME.scenarios[scenario].setup
    return GAME.start(msgspec.convert(data, GAME.setup), GAME.rulebook.settle({}))


@pytest.mark.parametrize(
    ("changes", "words", "rule"),
    [
        ({"side": "green"}, "aircraft[0].side can be blue, red; not 'green'", None),
        ({"card": "sopwith"}, "aircraft[0].card can be", None),
        ({"place": "4131"}, "aircraft[0].place can be 0101 to 4030", None),
        ({"place": "4010/4110"}, "4110 is off the board", None),
        ({"place": "1115/1315", "facing": 3}, "aircraft[0].place", "GS-G-3"),
        ({"place": "1215/1216", "facing": 0}, "aircraft[0].facing can be 3 or 9", "GS-G-6"),
        ({"place": "1114/1215", "facing": 3}, "aircraft[0].facing can be 1 or 7", "GS-G-6"),
        ({"place": "1115/1215", "facing": 1}, "aircraft[0].facing can be 5 or 11", "GS-G-6"),
        ({"altitude": 59}, "aircraft[0].altitude", "GS-F-25"),
        ({"speed": 12.5, "altitude": 18}, "aircraft[0].speed can be 0 to 12", "GS-F-23"),
        (
            {"speed": 10.5, "altitude": 18, "config": "DT"},
            "aircraft[0].speed can be 0 to 10",
            "GS-F-23",
        ),
        ({"card": "eb-66c", "power": "AB", "crew": []}, "aircraft[0].power", "GS-F-3"),
        ({"crew": [{}]}, "aircraft[0].crew must be as many as F-4E has seats, 2; not 1", None),
        ({"ammo": 5.5}, "aircraft[0].ammo can be 0 to 5", "GS-C-3"),
        ({"card": "mig-17f", "stores": [{"missile": "ir-rear", "count": 1}]}, "stores[0]", None),
        ({"stores": [{"missile": "ir-rear", "count": 0}]}, "stores[0].count", None),
        ({"stores": [{"missile": "ir-rear", "count": 1}] * 2}, "is listed twice", None),
        ({"decoys": {"chaff": 9}}, "aircraft[0].decoys.chaff can be 0 to 8; not 9", "GS-DEC-1"),
        ({"program": {"flare": 7}}, "aircraft[0].program.flare can be 0 to 6; not 7", "GS-DEC-1"),
        ({"card": "mig-17f", "program_on": True}, "aircraft[0].program_on", "GS-DEC-1"),
        ({"card": "mig-17f", "contacts": ["b"]}, "aircraft[0].contacts", "GS-RAD-2"),
        ({"contacts": ["a"]}, "aircraft[0].contacts can be b, c; not 'a'", None),
        ({"locks": ["b", "c"]}, "aircraft[0].locks can be 1 at most", "GS-RAD-4a"),
        ({"id": "b"}, "aircraft[1].id must be one that nothing else has", None),
        ({"id": "red"}, "aircraft[0].id must be one that nothing else has", None),
    ],
)
def test_what_is_refused_names_its_field_and_rule(
    changes: dict[str, Any], words: str, rule: str | None
) -> None:
    enemies = [craft(side="red", place=f"2{n}10") for n in (0, 1)]
    with pytest.raises(Illegal) as refused:
        position(craft(**changes), *enemies)
    assert words in refused.value.detail
    assert refused.value.cite == rule


@pytest.mark.parametrize(
    ("place", "facing"), [("1215/1216", 9), ("1114/1215", 7), ("1115/1215", 11), ("1215", 7)]
)
def test_facings_along_a_hexside_are_accepted(place: str, facing: int) -> None:
    aircraft = position(craft(place=place, facing=facing)).aircraft["a"]
    assert (aircraft.pos, aircraft.facing) == (parse(place), facing)


def test_what_is_left_out_is_as_on_the_card() -> None:
    own = position(craft()).aircraft["a"].o
    assert (own.ammo, own.decoys) == (5, Decoys(chaff=8, flare=8))
    assert own.crew == (Crew(), Crew())
    assert position(craft(card="mig-17f")).aircraft["a"].o.radar_mode == "off"


def test_whatever_is_locked_is_a_contact() -> None:
    state = position(craft(locks=["b"]), craft(side="red", place="2010"))
    assert (state.aircraft["a"].o.contacts, state.aircraft["a"].o.locks) == (("b",), ("b",))


def test_slower_than_the_least_speed_is_allowed_and_begins_stalled() -> None:
    assert position(craft(speed=2.0)).aircraft["a"].speed == 2.0


def test_a_card_of_the_set_ups_own_comes_before_the_printed_one() -> None:
    state = position(craft(card_with={"visibility": 3}))
    assert state.card(state.aircraft["a"]).visibility == 3
    assert state.cards["f-4e"].visibility == 7


@pytest.mark.parametrize(
    ("scenario", "places"),
    [
        ("merge", ["0810 3 18 5.5", "0812 3 18 5.5", "3214 9 20 5.5", "3216 9 20 5.5"]),
        ("merge-guns", ["1410 3 18 5.5", "1412 3 18 5.5", "2614 9 20 5.5", "2616 9 20 5.5"]),
        ("mig17-f8", ["0810 3 18 5", "0812 3 18 5", "3214 9 20 4.5", "3216 9 20 4.5"]),
        ("one-on-one", ["0810 3 18 5.5", "3214 9 20 5.5"]),
    ],
)
def test_scenarios_begin_where_they_should(scenario: str, places: list[str]) -> None:
    """The table of scenario 8.1 and its variants: place, facing, level, speed."""
    state = begun(scenario)
    assert [
        f"{one.pos.label} {one.facing} {one.altitude} {one.speed:g}"
        for one in state.aircraft.values()
    ] == places
    assert (state.turns, state.lead, state.board.columns, state.board.rows) == (15, 8, 40, 30)
    assert dict(state.training) == {"blue": "good", "red": "average"}


def test_merge_begins_as_it_says() -> None:
    """Nothing sighted; Blue 1 holds both Reds on radar at 24 + 1; Red 1 is in reach of eyes at 25."""
    state = begun("merge")
    blue, red = state.aircraft["blue-1"], state.aircraft["red-1"]
    assert not any(one.sighted_by for one in state.aircraft.values())
    assert blue.o.contacts == ("red-1", "red-2")
    assert state.aircraft["blue-2"].o.contacts == ()
    assert slant(blue.pos, 18, red.pos, 20) == 25
    assert sighting_range(red.pos, 20, blue.pos, 18) == 25
    assert [(one.missile, one.count) for one in blue.o.stores] == [("rh-medium", 4), ("ir-rear", 4)]
    assert (blue.program, blue.program_on) == (Decoys(chaff=2, flare=2), True)
    assert (blue.o.fuel, red.o.fuel) == (150, 110)
    assert red.o.crew == (Crew(sierra_hotel=True),)
    assert state.aircraft["red-2"].o.crew == (Crew(quality="novice"),)


def test_who_sees_whom_when_merge_begins() -> None:
    """GS-VIS-9a with all its rows: 7 less 4 for range 25, 2 more for smoke; a Novice sees one face less."""
    state = begun("merge")
    found = {
        (by.id, of.id): numbers.search(state, by, of).reach
        for side in state.sides
        for by in state.flying(side)
        for of in state.enemies(side)
        if numbers.unseen(state, by, of) is None
    }
    reds = {"red-1": 7 - (4 - 2), "red-2": 7 - (4 - 2 + 1)}
    assert found == {(red, f"blue-{n}"): reach for red, reach in reds.items() for n in (1, 2)}
    assert not any(one.flares_used for one in state.flying())  # nothing has been dropped yet


def test_guns_only_has_no_missiles_and_everybody_in_sight() -> None:
    state = begun("merge-guns")
    for one in state.aircraft.values():
        assert one.o.stores == ()
        assert one.sighted_by == (state.other(one.side),)
    assert state.aircraft["blue-1"].s.power == "M"


def test_the_smallest_scenario_comes_first() -> None:
    assert next(iter(GAME.scenarios)) == "one-on-one"


def test_switches_are_settled() -> None:
    assert position(craft(), rulings={"fog": "hard", "gloc": "off"}).switches.fog == "hard"
    assert position(craft()).switches.preempt == "before-first-fp"


def test_the_sun_is_told_only_when_it_counts() -> None:
    sun = {"facing": 3, "ratio": 0.5}
    shining = position(craft(), rulings={"sun": "on"}, sun=sun)
    assert ("Sun", "in the E") in GAME.facts(shining)
    assert all(label != "Sun" for label, _ in GAME.facts(position(craft(), sun=sun)))


def test_the_next_aircraft_of_the_set_up_page_can_be_played() -> None:
    assert GAME.editor is not None
    assert GAME.editor.added is not None
    sides = [{"id": "blue", "label": "Blue"}, {"id": "red", "label": "Red"}]
    data: dict[str, Any] = setup(craft(id="blue-1", name="Blue 1"), sides=sides)
    for _ in range(4):
        data = {**data, "aircraft": [*data["aircraft"], GAME.editor.added(data, "aircraft", None)]}
    state = GAME.start(msgspec.convert(data, GAME.setup), GAME.rulebook.settle({}))
    assert len({one.pos for one in state.aircraft.values()}) == 5
    assert {one.side for one in state.aircraft.values()} == {"blue", "red"}
