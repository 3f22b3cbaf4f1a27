"""A log of the first edition of the rules still reads, tells and folds to where its jets ended.

`old_log.json` was written when there was no combat, fuel or aerobatics, and holds every kind of fact that
there was. It stays as it is: tables of that time are still on people's disks.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from app.engine import sequence
from app.engine.log import Event, Finished, Opened, PhaseBegan
from app.games.osaaf.model import State
from app.tables.codec import event_decoder
from tests.games.osaaf.table import GAME

OLD = json.loads(Path(__file__).with_name("old_log.json").read_text("utf-8"))
FIRST_EDITION = {
    "SunRolled",
    "Returned",
    "InitiativeRolled",
    "InitiativeTieRolled",
    "OrderSet",
    "PlanChosen",
    "EnergyRolled",
    "Dragged",
    "AltitudeChosen",
    "BrakesChosen",
    "EnergySettled",
    "Stalled",
    "Recovered",
    "MoveTieRolled",
    "MoveOrderSet",
    "MoveChosen",
    "TurnRolled",
    "Flew",
    "LeftBoard",
    "StallDropped",
    "Crashed",
}


def events() -> list[Event]:
    decoder = event_decoder(GAME)
    return [decoder.decode(json.dumps(entry["event"])) for entry in OLD["entries"]]


def folded() -> State:
    opened, *facts = events()
    assert isinstance(opened, Opened)
    state: State = GAME.start(msgspec.convert(opened.setup, GAME.setup), opened.rulings)
    for fact in facts:
        state = sequence.evolve(GAME, state, fact)
    return state


def test_it_is_of_the_first_edition_and_holds_all_of_it() -> None:
    opened = events()[0]
    assert isinstance(opened, Opened)
    assert opened.rules == 1
    later = {"combat", "fuel", "victory", "aerobatics"}
    assert not later & set(OLD["entries"][0]["event"]["rulings"])
    assert {opened.rulings[key] for key in later} == {"off"}
    kinds = {type(event).__name__ for event in events()}
    assert kinds == FIRST_EDITION | {"Opened", "PhaseBegan", "Finished"}


def test_it_folds_to_where_its_jets_ended() -> None:
    state = folded()
    ended: dict[str, dict[str, Any]] = {
        jet.id: {
            "hex": jet.hex.label,
            "facing": jet.facing,
            "altitude": jet.altitude,
            "speed": jet.speed,
            "stalled": jet.stalled,
            "status": jet.status,
            "back": jet.back,
            "trail": [place.label for place in jet.trail],
        }
        for jet in state.jets.values()
    }
    assert ended == OLD["jets"]
    assert state.result is not None
    assert json.loads(msgspec.json.encode(state.result)) == OLD["result"]
    assert sequence.todo(GAME, state) is None


def test_it_can_still_be_looked_at() -> None:
    state = folded()
    units = list(GAME.units(state, frozenset()))
    assert [unit.id for unit in units] == list(OLD["jets"])
    assert len(GAME.marks(state, frozenset())) == 2, "where they went down"
    assert [fate.cause for fate in GAME.fates(state)] == ["crashed in a stall"] * 2
    names = {jet: jet for jet in OLD["jets"]}
    for event in events():
        if not isinstance(event, Opened | PhaseBegan | Finished):
            assert GAME.tell(event, names).text.endswith(".")
