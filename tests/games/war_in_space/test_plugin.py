"""The plug-in's data: rulebook, rulings, classes, scenarios, set-ups, and what a page gets of a ship."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.engine.errors import Illegal
from app.games import registry
from app.games.war_in_space.setup import ship_classes
from tests.games.war_in_space.table import GAME, Table, card, moving, ordered, setup, spending

SECTIONS = {"SQ": 2, "MV": 16, "MO": 4, "EA": 11, "WF": 6, "DC": 2, "XP": 3, "VC": 3, "AC": 3}
ALL_IDS = [f"WIS-{key}-{n}" for key, last in SECTIONS.items() for n in range(1, last + 1)]


def source() -> str:
    folder = Path(str(files("app.games.war_in_space")))
    return "\n".join(file.read_text("utf-8") for file in sorted(folder.glob("*.py")))


def test_every_numbered_rule_is_there() -> None:
    assert list(GAME.rulebook.paragraphs) == ALL_IDS
    assert list(GAME.rulebook.sections) == list(SECTIONS)


def test_the_code_cites_rules_that_exist() -> None:
    assert set(re.findall(r"WIS-[A-Z]{2}-\d+", source())) <= set(ALL_IDS)


def test_every_paragraph_says_where_it_is_from() -> None:
    for paragraph in GAME.rulebook.paragraphs.values():
        ours = paragraph.provenance in ("ruling", "house")
        assert (paragraph.source == "Contrail") == ours, paragraph.id
        assert bool(paragraph.reason) or not ours, paragraph.id


def test_rulings_and_paragraphs_name_each_other() -> None:
    for ruling in GAME.rulebook.rulings.values():
        paragraph = GAME.rulebook.paragraphs[ruling.rule]
        assert paragraph.ruling == ruling.id
        assert ruling.house == (paragraph.provenance == "house")


# Size Class, turn die, energy die, boxes of each system, Hull, points, pattern.
TABLE_1 = {
    "corvette": (1, 12, 4, 2, 3, 3, "Raider"),
    "frigate": (2, 10, 6, 3, 5, 5, "Raider"),
    "cruiser": (3, 8, 8, 4, 7, 8, "Line"),
    "battlecruiser": (4, 6, 10, 5, 9, 11, "Line"),
    "dreadnought": (5, 4, 12, 6, 11, 15, "Line"),
}


def test_table_1() -> None:
    read = {
        key: (k.size, k.turn_die, k.energy_die, k.systems, k.hull, k.points, k.pattern.title)
        for key, k in ship_classes().items()
    }
    assert read == TABLE_1


A, D, M = "attack", "defence", "movement"


@pytest.mark.parametrize(
    ("kind", "suits"),
    [
        ("cruiser", {"spades": (A, D), "clubs": (A, M), "hearts": (D, A), "diamonds": (M, D)}),
        ("frigate", {"spades": (A, M), "clubs": (M, A), "hearts": (D, M), "diamonds": (M, D)}),
    ],
)
def test_patterns(kind: str, suits: Any) -> None:
    assert ship_classes()[kind].pattern.suits == suits


@pytest.mark.parametrize(
    ("scenario", "a", "b"),
    [
        ("duel", ["cruiser"], ["cruiser"]),
        ("hounds", ["frigate"] * 2, ["cruiser"]),
        ("old-giant", ["cruiser"] * 2, ["dreadnought"]),
        ("squadron-action", ["cruiser", "frigate", "frigate"], ["battlecruiser", "cruiser"]),
    ],
)
def test_scenarios(scenario: str, a: list[str], b: list[str]) -> None:
    made = msgspec.convert(GAME.scenarios[scenario].setup, GAME.setup)
    assert (made.board.columns, made.board.rows, made.turns) == (30, 22, 15)
    first, second = (seat.id for seat in made.seats)
    for seat, kinds, row, facing in ((first, a, 4, 3), (second, b, 16, 0)):
        ships = [ship for ship in made.ships if ship.seat == seat]
        assert sorted(ship.kind for ship in ships) == sorted(kinds)
        assert {ship.hex[2:] for ship in ships} == {f"{row:02}"}
        assert {ship.hex[:2] for ship in ships} <= {"12", "15", "18"}
        assert {(ship.facing, ship.speed) for ship in ships} == {(facing, 2)}
        veteran = scenario == "hounds" and seat == second
        assert {ship.crew for ship in ships} == {"veteran" if veteran else "regular"}


def test_the_first_scenario_is_the_first_game() -> None:
    assert next(iter(GAME.scenarios)) == "duel"
    assert registry.metas()["war-in-space"].title == "War In Space"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seat": "c"}, r"ships\[0\]\.seat can be a, b; not 'c'"),
        ({"kind": "destroyer"}, r"ships\[0\]\.kind can be corvette, .*; not 'destroyer'"),
        ({"hex": "3101"}, r"ships\[0\]\.hex can be 0101 to 3022.* off the board"),
        ({"hex": "12"}, r"ships\[0\]\.hex: .* four digits"),
        ({"marked": {"hull": 7}}, r"ships\[0\]\.marked\.hull can be 0 to 6 for a Cruiser; not 7"),
        ({"marked": {"power": 5}}, r"ships\[0\]\.marked\.power can be 0 to 4"),
    ],
)
def test_a_wrong_set_up_is_refused_by_name(change: dict[str, Any], says: str) -> None:
    with pytest.raises(Illegal, match=says):
        Table(setup([change]))


def test_ids_are_told_apart() -> None:
    with pytest.raises(Illegal, match=r"ships\[1\]\.id .* 'a1' is taken"):
        Table(setup([{}, {"id": "a1"}]))
    with pytest.raises(Illegal, match=r"ships\[0\]\.id .* 'a' is taken"):
        Table(setup([{"id": "a"}]))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (setup([{"speed": 13}]), r"\$\.ships\[0\]\.speed"),
        (setup([{"facing": 6}]), r"\$\.ships\[0\]\.facing"),
        (setup([{"crew": "ace"}]), r"\$\.ships\[0\]\.crew"),
        (setup([{"armour": 3}]), r"armour"),
        (setup([{"marked": {"hull": -1}}]), r"\$\.ships\[0\]\.marked\.hull"),
        (setup([]), r"\$\.ships"),
        (setup([{}], turns=0), r"\$\.turns"),
    ],
)
def test_a_set_up_of_another_shape_names_the_field(data: dict[str, Any], says: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=says):
        msgspec.convert(data, GAME.setup)


def test_what_a_page_gets_of_a_ship() -> None:
    ship = {"crew": "elite", "speed": 2, "marked": {"hull": 4, "power": 1}}
    table = ordered([ship], {"a1": (card("clubs"), (6, 2, 1))})
    [unit] = GAME.units(table.state, frozenset())
    assert (unit.kind, unit.glyph, unit.states) == ("Cruiser", "cruiser", ("crippled", "moving"))
    assert unit.fields == {
        "class": "Cruiser",
        "size": 3,
        "crew": "Elite",
        "pattern": "Line",
        "suits": {"spades": [A, D], "clubs": [A, M], "hearts": [D, A], "diamonds": [M, D]},
        "boxes": {
            "hull": [4, 7],
            "weapon": [0, 4],
            "shield": [0, 4],
            "engine": [0, 4],
            "power": [1, 4],
        },
        "turn_die": "d8",
        "energy_dice": "3d6",
        "points": 8,
        "order": {"suit": "clubs", "allout": False, "dc": False},
        "energy": {"attack": 6, "defence": 1, "movement": 2, "dc": 0},
        "dealt": {"attack": 6, "defence": 1, "movement": 2, "dc": 0},
        "bonus": 0,
        "left": 2,
    }


def test_what_was_dealt_stays_beside_what_is_left() -> None:
    table = spending({"speed": 2}, 7)
    table.choose({"speed": 3, "bonus": 1})
    [unit, *_] = GAME.units(table.state, frozenset())
    assert (unit.fields["dealt"]["movement"], unit.fields["energy"]["movement"]) == (7, 1)


def test_what_a_page_gets_before_the_cards_are_shown() -> None:
    [unit] = GAME.units(Table(setup([{"marked": {"engine": 4, "weapon": 4}}])).state, frozenset())
    assert (unit.fields["order"], unit.fields["energy"], unit.fields["left"]) == (None, None, None)
    assert unit.states == ("no weapons", "no engines")


def test_facts_of_the_table() -> None:
    table = Table(setup([{"marked": {"hull": 4}}, {"seat": "b"}]))
    assert GAME.facts(table.state) == (
        ("Turn", "1 of 15"),
        ("Side A", "0 pts"),
        ("Side B", "4 pts"),
    )
    assert GAME.facts(moving({"speed": 1}, rulings={"victory": "off"}).state) == (
        ("Turn", "1 of 15"),
    )
