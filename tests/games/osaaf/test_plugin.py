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


def test_cards() -> None:
    cards = printed_aircraft()
    assert len(cards) == 15
    assert cards["su-9"].energy_factor == 4
    assert {card.glyph for card in cards.values()} == {"delta", "swept", "straight", "heavy"}
    assert cards["mirage-iiic"].radar_missile is not None
    assert cards["mirage-iiic"].radar_missile.shots == 1


@pytest.mark.parametrize(
    ("scenario", "blue", "red"),
    [
        ("duel", ["f-8e"], ["mig-21f-13"]),
        ("route-package", ["f-4b"] * 2, ["mig-17f"] * 2),
        ("night-intercept", ["su-9"] * 2, ["f-105d"]),
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
    for seat, cards, row, facing in (("blue", blue, 3, 3), ("red", red, 18, 0)):
        jets = [jet for jet in state.jets.values() if jet.seat == seat]
        assert [jet.aircraft.id for jet in jets] == cards
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
    assert list(GAME.scenarios) == ["duel", "night-intercept", "route-package"]


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
    registry._plugins.cache_clear()
    try:
        with caplog.at_level(logging.ERROR):
            assert list(registry.metas()) == ["osaaf"]
        assert "no.such.game" in caplog.text
    finally:
        monkeypatch.undo()
        registry._plugins.cache_clear()


def test_a_plugin_that_does_not_load_is_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = types.ModuleType("broken")
    monkeypatch.setattr(registry, "_plugins", lambda: {"broken": broken})
    with pytest.raises(Missing, match="does not load"):
        registry.load("broken")
    assert "the game broken does not load" in caplog.text
