"""The plug-in's data: rulebook, rulings, cards, scenarios, set-ups; and how the registry finds it."""

import logging
import re
import types
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.engine.errors import Illegal, Missing
from app.games import registry
from app.games.osaaf.model import Stores, Weapon
from app.games.osaaf.setup import printed_aircraft
from tests.games.osaaf.table import GAME, setup

SECTIONS = {
    "CO": 7,
    "SQ": 2,
    "IN": 3,
    "EN": 22,
    "MV": 13,
    "ST": 4,
    "AE": 2,
    "CB": 7,
    "FU": 2,
    "ED": 2,
    "VC": 2,
    "BA": 8,
}
ALL_IDS = [f"OSAAF-{key}-{n}" for key, last in SECTIONS.items() for n in range(1, last + 1)]


CARRIES = {"radar_missile": {"quality": "low", "shots": 4}}


def source() -> str:
    folder = Path(str(files("app.games.osaaf")))
    return "\n".join(file.read_text("utf-8") for file in sorted(folder.glob("*.py")))


def test_every_numbered_rule_is_there() -> None:
    assert list(GAME.rulebook.paragraphs) == ALL_IDS
    assert list(GAME.rulebook.sections) == list(SECTIONS)


def test_the_code_cites_rules_that_exist_and_every_rule_in_force() -> None:
    cited = set(re.findall(r"OSAAF-[A-Z]{2}-\d+", source()))
    assert cited <= set(ALL_IDS)
    standing = {p.id for p in GAME.rulebook.paragraphs.values() if p.standing == "rule"}
    assert standing <= cited


def test_rulings_and_paragraphs_name_each_other() -> None:
    for ruling in GAME.rulebook.rulings.values():
        assert GAME.rulebook.paragraphs[ruling.rule].ruling == ruling.id
        assert len(ruling.options) == 2
        assert ruling.house == (GAME.rulebook.paragraphs[ruling.rule].provenance == "house")
    for paragraph in GAME.rulebook.paragraphs.values():
        assert paragraph.ruling is None or paragraph.ruling in GAME.rulebook.rulings
        assert paragraph.source
        assert paragraph.provenance not in ("ruling", "house") or paragraph.reason


# Name, maneuverability, energy factor, maximum speed, ceiling, afterburner, gun, heat-seeker, radar
# missile, toughness, fuel.
CARDS = """
F-86F Sabre         | High | 4 | 5 | 8 | no  | Mx7 | -   | -   | 2 | 24
F-100D Super Sabre  | Med  | 4 | 6 | 8 | yes | Mx6 | Lx2 | -   | 2 | 28
F-104C Starfighter  | Low  | 3 | 9 | 9 | yes | Mx4 | Lx2 | -   | 2 | 22
F-105D Thunderchief | Low  | 4 | 8 | 8 | yes | Mx6 | Lx2 | -   | 3 | 30
F-8E Crusader       | Med  | 3 | 7 | 9 | yes | Mx6 | Mx4 | -   | 2 | 28
F-4B Phantom II     | Low  | 3 | 9 | 9 | yes | -   | Mx4 | Lx4 | 3 | 32
F-5A Freedom Fighter| High | 4 | 6 | 8 | yes | Mx5 | Lx2 | -   | 2 | 20
Hunter F.6          | High | 4 | 5 | 8 | no  | Hx4 | -   | -   | 2 | 24
Mirage IIIC         | Med  | 3 | 8 | 9 | yes | Mx4 | Lx2 | Lx1 | 2 | 22
MiG-15bis           | High | 4 | 5 | 8 | no  | Mx4 | -   | -   | 2 | 22
MiG-17F             | High | 4 | 5 | 8 | yes | Mx5 | -   | -   | 2 | 24
MiG-19S             | Med  | 3 | 6 | 9 | yes | Hx4 | -   | -   | 2 | 22
MiG-21F-13          | Med  | 3 | 8 | 9 | yes | Mx4 | Lx2 | -   | 2 | 22
SU-7B               | Low  | 4 | 7 | 8 | yes | Mx4 | -   | -   | 3 | 24
SU-9                | Low  | 4 | 8 | 9 | yes | -   | -   | Mx4 | 2 | 24
"""
GRADES = {"Low": "low", "Med": "medium", "High": "high", "L": "low", "M": "medium", "H": "high"}


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]


def weapon(cell: str) -> Weapon | None:
    return None if cell == "-" else Weapon(GRADES[cell[0]], int(cell[2:]))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("row", rows(CARDS), ids=lambda row: row[0])
def test_a_card_is_its_row_of_the_table(row: list[str]) -> None:
    name, grade, factor, speed, ceiling, lit, gun, heat, radar, toughness, fuel = row
    [card] = [card for card in printed_aircraft().values() if card.name == name]
    assert card.maneuverability == GRADES[grade]
    assert (card.energy_factor, card.max_speed, card.ceiling) == (
        int(factor),
        int(speed),
        int(ceiling),
    )
    assert card.afterburner == (lit == "yes")
    assert (card.gun, card.heat_seeker, card.radar_missile) == tuple(
        map(weapon, (gun, heat, radar))
    )
    assert (card.toughness, card.fuel) == (int(toughness), int(fuel))


def test_there_are_no_other_cards() -> None:
    cards = printed_aircraft()
    assert [card.name for card in cards.values()] == [row[0] for row in rows(CARDS)]
    assert {card.glyph for card in cards.values()} == {"delta", "swept", "straight", "heavy"}


@pytest.mark.parametrize(
    ("scenario", "blue", "red"),
    [
        ("duel", ["F-8E Crusader"], ["MiG-21F-13"]),
        ("mig-alley", ["F-86F Sabre"] * 2, ["MiG-15bis"] * 2),
        ("route-package", ["F-4B Phantom II"] * 2, ["MiG-17F"] * 2),
        ("desert-noon", ["Mirage IIIC"] * 2, ["MiG-21F-13"] * 2),
        ("night-intercept", ["SU-9"] * 2, ["F-105D Thunderchief"]),
    ],
)
def test_scenarios(scenario: str, blue: list[str], red: list[str]) -> None:
    data = msgspec.json.decode(msgspec.json.encode(GAME.scenarios[scenario].setup))
    made = msgspec.convert(data, GAME.setup)
    state = GAME.start(made, GAME.rulebook.settle({}))
    board = GAME.board(made)
    assert board is not None
    assert (board.columns, board.rows, state.turns) == (30, 22, 20)
    assert state.night == (scenario == "night-intercept")
    assert state.sun == ("S" if scenario == "desert-noon" else None)
    for jet in state.jets.values():
        card = jet.aircraft
        assert (jet.fuel, jet.hits, jet.stalled) == (card.fuel, 0, False)
        for arm, weapon in (
            ("gun", card.gun),
            ("heat_seeker", card.heat_seeker),
            ("radar_missile", card.radar_missile),
        ):
            assert jet.stores.of(arm) == (weapon.shots if weapon else 0)
    for seat, cards, row, facing in (("blue", blue, 3, 3), ("red", red, 18, 0)):
        jets = [jet for jet in state.jets.values() if jet.seat == seat]
        assert [jet.aircraft.name for jet in jets] == cards
        assert [jet.hex.label for jet in jets] == [
            f"{12 + 4 * n}{row:02}" for n in range(len(jets))
        ]
        assert {(jet.facing, jet.altitude, jet.speed, jet.skill) for jet in jets} == {
            (facing, 5, 4, "regular")
        }
    assert [(seat.id, seat.mark) for seat in GAME.seats(made)] == [
        ("blue", "first"),
        ("red", "second"),
    ]
    assert GAME.names(made)["blue-1"] == "Blue 1"


def test_the_first_scenario_is_the_first_game() -> None:
    fours = ["desert-noon", "mig-alley", "route-package"]
    assert list(GAME.scenarios) == ["duel", "night-intercept", *fours]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hex": "4010"}, r"jets\[0\]\.hex can be 0101 to 3022"),
        ({"hex": "10-10"}, r"jets\[0\]\.hex: A hex is named by four digits"),
        ({"altitude": 0}, r"jets\[0\]\.altitude can be 1 to 9"),
        ({"altitude": 10}, r"jets\[0\]\.altitude can be 1 to 9"),
        ({"speed": 9}, r"jets\[0\]\.speed can be 0 to 8"),
        ({"speed": -1}, r"jets\[0\]\.speed can be 0 to 8"),
        ({"aircraft": "concorde"}, r"jets\[0\]\.aircraft can be f-86f, .*card-0; not 'concorde'"),
        ({"seat": "green"}, r"jets\[0\]\.seat can be blue, red; not 'green'"),
        ({"id": "red"}, r"jets\[0\]\.id must be one that nothing else has; 'red' is taken"),
        ({"fuel": 25}, r"jets\[0\]\.fuel can be 0 to 24 for Test 0; not 25"),
        ({"fuel": -1}, r"jets\[0\]\.fuel can be 0 to 24"),
        ({"hits": 2}, r"jets\[0\]\.hits can be 0 to 1 for Test 0; not 2"),
        ({"hits": -1}, r"jets\[0\]\.hits can be 0 to 1"),
        ({"gun": 1}, r"jets\[0\]\.gun can be 0 to 0"),
        ({"heat_seeker": -1}, r"jets\[0\]\.heat_seeker can be 0 to 0"),
        ({"radar_missile": 5, "card": CARRIES}, r"jets\[0\]\.radar_missile can be 0 to 4"),
    ],
)
def test_a_wrong_set_up_is_refused_by_name(change: dict[str, Any], says: str) -> None:
    made = msgspec.convert(setup([change]), GAME.setup)
    with pytest.raises(Illegal, match=says):
        GAME.start(made, GAME.rulebook.settle({}))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (setup([{"colour": "red"}]), r"unknown field `colour` - at `\$.jets\[0\]`"),
        (setup([{"facing": 6}]), r"\$.jets\[0\].facing"),
        (setup([{}] * 25), r"\$.jets"),
        (setup([]), r"\$.jets"),
        (setup([{}], turns=0), r"\$.turns"),
        (setup([{"card": {"energy_factor": 6}}]), r"\$.aircraft\[0\].energy_factor"),
        (setup([{}], seats=[{"id": "blue", "label": "Blue"}]), r"\$.seats"),
    ],
)
def test_a_set_up_of_another_shape_names_the_field(data: dict[str, Any], says: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=says):
        msgspec.convert(data, GAME.setup)


def test_a_jet_may_start_with_less_than_its_card_has() -> None:
    some = {"fuel": 0, "radar_missile": 3, "hits": 1, "card": CARRIES}
    made = msgspec.convert(setup([some, {"card": CARRIES}]), GAME.setup)
    jets = GAME.start(made, GAME.rulebook.settle({})).jets
    assert [(jet.fuel, jet.stores, jet.hits) for jet in jets.values()] == [
        (0, Stores(radar_missile=3), 1),
        (24, Stores(radar_missile=4), 0),
    ]


def test_the_rules_are_a_new_edition() -> None:
    """Facts mean more than they did, so tables of before can be told from those of now."""
    assert GAME.rules == 3


def test_a_jet_at_speed_0_starts_stalled() -> None:
    made = msgspec.convert(setup([{"speed": 0}, {}]), GAME.setup)
    jets = GAME.start(made, GAME.rulebook.settle({})).jets
    assert [jet.stalled for jet in jets.values()] == [True, False]


def test_registry_finds_the_game_and_its_folder() -> None:
    assert registry.metas()["osaaf"].title == "Our Space Age Air Force"
    assert registry.load("osaaf") is GAME
    assert registry.folder("osaaf").joinpath("rulebook.toml").is_file()
    for ask in (registry.load, registry.folder):
        with pytest.raises(Missing, match="There is no game 'chess' here"):
            ask("chess")


def test_a_broken_plugin_is_reported_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(registry, "_names", lambda: ["app.games.osaaf", "no.such.game"])
    monkeypatch.setattr(registry, "_plugins", registry._find)
    with caplog.at_level(logging.ERROR):
        assert list(registry.metas()) == ["osaaf"]
    assert "no.such.game" in caplog.text


def test_a_plugin_that_does_not_load_is_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = types.ModuleType("broken")
    monkeypatch.setattr(registry, "_plugins", lambda: {"broken": broken})
    with pytest.raises(Missing, match="does not load"):
        registry.load("broken")
    assert "the game broken does not load" in caplog.text
