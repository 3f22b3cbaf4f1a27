"""The plug-in's data: rulebook, rulings, tables, scenarios, set-ups; its templates; its bots."""

import random
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.bots import answer, bot_of
from app.engine.errors import Illegal
from app.games import registry
from app.games.f14_tomcats import policy
from app.games.f14_tomcats.events import BombRolled, RunBegun, ShotRolled
from app.games.f14_tomcats.policy import Load
from app.web.templating import asset, game_folder
from tests.games.f14_tomcats.flying import fly
from tests.games.f14_tomcats.table import FAR, GAME, Table, pilot, setup

SECTIONS = {
    "MS": 8,
    "TN": 4,
    "CT": 3,
    "SM": 5,
    "MG": 5,
    "BP": 5,
    "DM": 5,
    "RK": 4,
    "TP": 8,
    "RS": 1,
}
ALL_IDS = [f"F14-{key}-{n}" for key, last in SECTIONS.items() for n in range(1, last + 1)]
DEFAULTS = {
    "contact_last_leg": "on",
    "first_pass_contact": "on",
    "optional_cm": "off",
    "shots_per_mig": "unlimited",
    "team_points": "both",
    "aircraft": "f14",
}


def test_every_numbered_rule_is_there() -> None:
    assert list(GAME.rulebook.paragraphs) == ALL_IDS
    assert list(GAME.rulebook.sections) == list(SECTIONS)


def test_the_code_cites_every_rule_and_no_other() -> None:
    folder = Path(str(files("app.games.f14_tomcats")))
    code = "\n".join(file.read_text("utf-8") for file in folder.glob("*.py"))
    cited = set(re.findall(r"F14-[A-Z]{2}-\d+", code))
    assert cited == set(ALL_IDS)


def test_switches_and_their_defaults() -> None:
    assert GAME.rulebook.settle({}) == DEFAULTS
    for ruling in GAME.rulebook.rulings.values():
        assert GAME.rulebook.paragraphs[ruling.rule].ruling == ruling.id
        assert len(ruling.options) == 2
        assert ruling.reason
    assert [one.id for one in GAME.rulebook.rulings.values() if one.house] == ["aircraft"]
    for paragraph in GAME.rulebook.paragraphs.values():
        assert paragraph.source
        assert paragraph.provenance not in ("ruling", "house") or paragraph.reason


def test_scenarios() -> None:
    assert list(GAME.scenarios) == ["solo", "pair"]
    for scenario, seats in (("solo", 1), ("pair", 2)):
        data = msgspec.json.decode(msgspec.json.encode(GAME.scenarios[scenario].setup))
        made = msgspec.convert(data, GAME.setup)
        assert len(GAME.seats(made)) == seats
        state = GAME.start(made, GAME.rulebook.settle({}))
        assert len(state.jets) == seats
        assert GAME.board(made) is None
        assert all(jet.stores == jet.loadout for jet in state.jets.values())
    assert [seat.mark for seat in GAME.seats(made)] == ["first", "second"]
    assert GAME.names(made) == {
        "one": "Anvil",
        "two": "Bishop",
        "jet-1": "Anvil",
        "jet-2": "Bishop",
    }


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (setup(pilot(damage=7)), r"pilots\[0\]\.damage can be 0 to 6 for the F-14; not 7"),
        (setup(pilot(stores={"amraam": 3})), r"pilots\[0\]\.stores\.amraam can be 0 to 2"),
        (setup(pilot(0), pilot(0)), r"pilots\[1\]\.call_sign must be another one; 'A' is taken"),
        (setup(pilot(career={"awards": ["Oscar"]})), r"career\.awards can be Ace, .*; not 'Oscar'"),
        (setup(targets=FAR[:1]), r"targets must be both of them"),
        (setup(targets=FAR[::-1]), r"targets\[1\]\.waypoint must lie beyond"),
        (setup(targets=[{**FAR[0], "type": "bar"}, FAR[1]]), r"targets\[0\]\.type can be truck-"),
        (setup(targets=[{**FAR[0], "damage": 2}, FAR[1]]), r"targets\[0\]\.damage can be 0 to 1"),
    ],
)
def test_a_wrong_set_up_is_refused_by_name(data: dict[str, Any], says: str) -> None:
    made = msgspec.convert(data, GAME.setup)
    with pytest.raises(Illegal, match=says):
        GAME.start(made, GAME.rulebook.settle({}))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (setup(*[pilot()] * 3), r"\$.pilots"),
        ({"title": "T", "pilots": []}, r"\$.pilots"),
        (setup(at=25), r"\$.waypoint"),
        (setup(pilot(career={"rank": "General"})), r"\$.pilots\[0\].career.rank"),
        (setup(pilot(colour="red")), r"unknown field `colour`"),
        (setup(targets=[{"waypoint": 25, "type": "hq-bunker"}]), r"\$.targets\[0\].waypoint"),
    ],
)
def test_a_set_up_of_another_shape_names_the_field(data: dict[str, Any], says: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=says):
        msgspec.convert(data, GAME.setup)


def test_the_editor_offers_what_can_be_played() -> None:
    editor = GAME.editor
    assert editor is not None
    assert editor.added is not None
    data: dict[str, Any] = {"title": "T", "pilots": [{"name": "P", "call_sign": "Comet"}]}
    data["pilots"].append(editor.added(data, "pilots", None))
    data["targets"] = []
    for _ in range(2):
        data["targets"].append(editor.added(data, "targets", None))
    state = GAME.start(msgspec.convert(data, GAME.setup), GAME.rulebook.settle({}))
    assert len(state.jets) == len(state.targets) == 2
    types = [value for value, _ in editor.choices(data)["targets.type"]]
    assert len(types) == 6


def test_a_folder_with_another_name_than_the_id() -> None:
    assert registry.metas()["f14-tomcats"].players == "1-2"
    assert registry.load("f14-tomcats") is GAME
    assert not asset("f14-tomcats/f14-tomcats.css").endswith("none")
    for name in ("counter.svg.jinja", "card.html", "emblem.svg.jinja"):
        assert (game_folder("f14-tomcats") / "templates" / "f14-tomcats" / name).is_file()


# Bots.


@pytest.mark.parametrize("bot", ["steady", "careful", "bold"])
@pytest.mark.parametrize("scenario", ["solo", "pair"])
def test_bots_fly_missions_to_their_end(bot: str, scenario: str) -> None:
    for seed in range(12):
        rulings = {"optional_cm": "on"} if seed % 2 else {}
        state = fly(GAME.scenarios[scenario].setup, bot_of(GAME, bot), seed, rulings)
        assert state.result is not None


def answered(table: Table, bot: str) -> Any:
    rng = random.Random(0)
    return answer(GAME, table.state, table.decision, bot_of(GAME, bot), rng).choice


@pytest.mark.parametrize(
    ("stores", "steady", "careful", "bold"),
    [
        ({}, "amraam", "amraam", "amraam"),
        ({"amraam": 0}, "sidewinder", "sidewinder", "sidewinder"),
        ({"amraam": 0, "sidewinder": 0}, "cannon", "cannon", "cannon"),
        ({"amraam": 0, "sidewinder": 0, "cannon": 6}, "cannon", "cannon", "stop"),
        ({"amraam": 0, "sidewinder": 0, "cannon": 3}, "stop", "cannon", "stop"),
    ],
)
def test_what_bots_fire_at_migs(
    stores: dict[str, int], steady: str, careful: str, bold: str
) -> None:
    table = Table(setup(pilot(stores=stores)), [1, 4, 3])
    answers = [answered(table, bot) for bot in ("steady", "careful", "bold")]
    assert answers == [steady, careful, bold]


def test_bots_free_the_reserve_after_the_last_target() -> None:
    stores = {"amraam": 0, "sidewinder": 0, "cannon": 2}
    table = Table(setup(pilot(stores=stores), at=23), [1, 4, 3])
    assert answered(table, "bold") == "cannon"


@pytest.mark.parametrize(
    ("stores", "steady", "careful"),
    [
        ({}, "maverick", "maverick"),
        ({"maverick": 0}, "cannon", "fly on"),
    ],
)
def test_what_bots_do_over_a_target(stores: dict[str, int], steady: str, careful: str) -> None:
    there = [{"waypoint": 6, "type": "hq-bunker"}, FAR[0]]
    table = Table(setup(pilot(stores=stores), targets=there), [2])
    assert [answered(table, bot) for bot in ("steady", "careful")] == [steady, careful]


def test_a_bot_in_a_team_shoots_at_those_that_come_for_it() -> None:
    lead = pilot(0, career={"rank": "Captain"})
    table = Table(setup(lead, pilot(1)), [1, 4, 3])
    assert answered(table, "steady") == "amraam@jet-1"
    table.choose("amraam@jet-1", 6).choose("amraam@jet-1", 6)
    assert answered(table, "steady") == "stop"
    table.choose("stop")
    assert answered(table, "steady") == "amraam"
    assert len(table.facts(ShotRolled)) == 2


def test_a_bot_leads_a_pass_for_its_wingman() -> None:
    lead = pilot(0, career={"rank": "Captain"}, stores={"maverick": 0, "cannon": 0})
    there = [{"waypoint": 6, "type": "hq-bunker"}, FAR[0]]
    table = Table(setup(lead, pilot(1), targets=there), [2])
    assert answered(table, "steady") == "cover"
    table.choose("cover", 2)
    assert answered(table, "steady") == "maverick"
    assert len(table.facts(RunBegun)) == 1
    assert table.facts(BombRolled) == []


def test_policies_as_they_are_told() -> None:
    assert policy.STEADY.at_migs(Load(0, 0, 4, 0), target_ahead=True) == "cannon"
    assert policy.STEADY.at_migs(Load(0, 0, 3, 0), target_ahead=True) is None
    assert policy.STEADY.at_migs(Load(0, 0, 3, 0), target_ahead=False) == "cannon"
    assert policy.CAREFUL.at_target(Load(0, 0, 9, 0)) is None
