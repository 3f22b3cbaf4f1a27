"""The switches of the house's rules, alone and all together: what is off leaves no trace."""

import random
from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any

import msgspec
import pytest

from app.engine.sequence import Decision
from app.games.osaaf.events import (
    AttackChosen,
    Attacked,
    Crashed,
    EngineOut,
    FireHeld,
    FuelBurnt,
    InitiativeRolled,
    InitiativeTieRolled,
    LeftBoard,
    NoShot,
    Returned,
    ShotDown,
    SpeedLost,
    StallDropped,
    StuntRolled,
)
from app.games.osaaf.model import State
from tests.games.osaaf.table import GAME, Table, plan, setup

SWITCHES: tuple[str, ...] = (
    "initiative",
    "stall",
    "combat",
    "fuel",
    "edge",
    "victory",
    "aerobatics",
)
TRACES: dict[str, tuple[type[Any], ...]] = {
    "initiative": (InitiativeRolled, InitiativeTieRolled),
    "stall": (StallDropped, Crashed),
    "combat": (NoShot, FireHeld, AttackChosen, Attacked, ShotDown),
    "fuel": (FuelBurnt, EngineOut),
    "edge": (Returned,),
    "victory": (),
    "aerobatics": (StuntRolled, SpeedLost),
}
CARDS = ("f-86f", "f-8e", "f-4b", "mirage-iiic", "su-9", "mig-19s")


def crowd(rng: random.Random, count: int) -> dict[str, Any]:
    """So many jets on few hexes, worn already; now and then all of one side."""
    seats = rng.choice((("blue", "red"), ("blue", "red"), ("red",)))
    jets = [
        {
            "id": f"jet-{n}",
            "seat": rng.choice(seats),
            "aircraft": rng.choice(CARDS),
            "name": f"Jet {n}",
            "hex": f"{rng.randint(1, 8):02}{rng.randint(1, 8):02}",
            "facing": rng.randrange(6),
            "altitude": rng.randint(1, 4),
            "speed": rng.randint(0, 5),
            "fuel": rng.randint(0, 6),
            "hits": rng.randrange(2),
        }
        for n in range(count)
    ]
    board = {"columns": 8, "rows": 8}
    return {"title": "Crowd", "board": board, "night": True, "turns": 3, "jets": jets}


def check(state: State, rulings: Mapping[str, str]) -> None:
    """What holds in every position."""
    for jet in state.jets.values():
        card = jet.aircraft
        assert 1 <= jet.altitude <= card.ceiling
        assert 0 <= jet.speed <= card.max_speed
        assert 0 <= jet.fuel <= card.fuel
        assert 0 <= jet.stores.gun <= (card.gun.shots if card.gun else 0)
        assert (jet.back is not None) == (jet.status == "away")
        assert (jet.lost is not None) == (jet.status in ("crashed", "shot-down"))
        if jet.status == "flying":
            assert jet.hex in state.board
            if state.phase != "combat":
                assert jet.hits < card.toughness
    if state.phase == "combat":
        assert all(jet.stalled == (jet.speed == 0) for jet in state.flying())
    if rulings["edge"] == "off":
        assert all(jet.status != "away" for jet in state.jets.values())


@pytest.mark.parametrize("part", range(8))
def test_every_combination_of_switches_plays(part: int) -> None:
    combinations = [*product(("on", "off"), repeat=len(SWITCHES))][part::8]
    for number, values in enumerate(combinations):
        rulings = dict(zip(SWITCHES, values, strict=True))
        rng = random.Random(f"{part}-{number}")
        play(crowd(rng, rng.choice((1, 2, 4, 6))), rulings, rng)


@pytest.mark.parametrize("aerobatics", ["on", "off"])
def test_as_many_jets_as_a_set_up_can_hold(aerobatics: str) -> None:
    rng = random.Random(aerobatics)
    play(crowd(rng, 24), {**dict.fromkeys(SWITCHES, "on"), "aerobatics": aerobatics}, rng)


def play(data: dict[str, Any], rulings: Mapping[str, str], rng: random.Random) -> None:
    """A game by chance, and what must hold in it throughout and at its end."""
    table = Table(data, rulings=rulings)
    while (step := table.step) is not None:
        check(table.state, rulings)
        if isinstance(step, Decision):
            assert step.id.startswith("leave:") <= (rulings["edge"] == "on")
            if step.id.startswith("fire:"):
                assert not table.jet(step.unit or "").stalled
            free = [one.value for one in step.all_options if one.blocked is None]
            table.choose(rng.choice(free))
        else:
            table.roll([rng.randint(1, step.pool.sides) for _ in range(step.pool.count)])
    happened = {type(one.event) for one in table.happenings}
    for switch, traces in TRACES.items():
        if rulings[switch] == "off":
            assert not happened & set(traces), switch
    assert table.state.result is not None
    if rulings["victory"] == "off":
        assert not table.state.result.scores
    fired: Counter[tuple[int, str]] = Counter()
    for one in table.happenings:
        if isinstance(one.event, AttackChosen | FireHeld | NoShot):
            fired[one.turn, one.event.jet] += 1
    assert set(fired.values()) <= {1}, "once a turn each"
    assert table.refold() == table.state
    assert msgspec.json.decode(msgspec.json.encode(table.state), type=State) == table.state


def test_all_off_is_a_flying_exercise() -> None:
    """Speed, altitude and turns only: no shots, no fuel, no fall, no way back, no points."""
    guns = {"gun": {"quality": "high", "shots": 4}, "energy_factor": 5}
    jets = [
        {"hex": "1010", "speed": 2, "fuel": 0, "card": guns},
        {"hex": "1008", "speed": 2, "seat": "red", "altitude": 6, "card": guns, "hits": 1},
        {"hex": "2020", "speed": 0, "altitude": 1, "card": guns},
        {"hex": "2001", "speed": 2, "seat": "red", "altitude": 7, "card": guns},
    ]
    off = dict.fromkeys(SWITCHES, "off")
    table = Table(setup(jets, turns=2), rulings=off)
    assert [option.value for option in table.decision.all_options if option.blocked is None] == [
        plan(turns, jink, aim, lit)
        for turns, jink, aim in (
            (0, False, False),
            (0, False, True),
            (0, True, False),
            (0, True, True),
            (1, False, False),
            (1, False, True),
            (1, True, False),
            (1, True, True),
            (2, False, False),
            (2, False, True),
            (2, True, False),
            (3, False, False),
        )
        for lit in (False, True)
    ]
    while table.step is not None:
        assert isinstance(table.step, Decision)
        kind = table.step.id.partition(":")[0]
        assert kind in ("plan", "altitude", "brakes", "move")
        if kind == "plan":
            table.choose(plan(lit=True), (1, 1, 1, 1, 1))
        else:
            table.choose("ahead" if kind == "move" else 0)
    traces = {kind for kinds in TRACES.values() for kind in kinds}
    assert not traces & {type(one.event) for one in table.happenings}
    assert [left.back for left in table.facts(LeftBoard)] == [None]
    assert table.jet("c").altitude == 1
    assert table.state.result is not None
    assert (table.state.result.reason, table.state.result.winners) == ("turns", ())
    assert table.state.result.scores == {}
    units = {unit.id: unit for unit in GAME.units(table.state, frozenset())}
    assert units["a"].fields["weapons"] == {}
    assert units["b"].fields["hits"] == 0
