"""Whole games at close quarters, played at random: every fact of combat happens, is told to all, and folds again."""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
import pytest

from app.engine import sequence
from app.engine.secret import Viewer, redact
from app.engine.sequence import Decision, Option
from app.games.gunslingers.admin.facts import KillsCredited, LogsKept, TurnEnded, WorseRolled
from app.games.gunslingers.admin.victory import points
from app.games.gunslingers.guns.facts import EVENTS as GUNS
from app.games.gunslingers.guns.facts import DamageRolled
from app.games.gunslingers.guns.hits import accumulated
from app.games.gunslingers.missiles.facts import EVENTS as MISSILES
from app.games.gunslingers.missiles.facts import LaunchesOpened
from app.games.gunslingers.outcomes.facts import EVENTS as OUTCOMES
from app.testing.player import Sitting, at_random, play_game
from app.testing.test_secrets import Planter
from tests.games.gunslingers.table import GAME, craft, setup

GAMES = 20
VIEWERS: tuple[Viewer, ...] = (frozenset(), frozenset({"blue"}), frozenset({"red"}))
BY_HAND = {"guns": "adjudicated", "missiles": "adjudicated"}


def melee(seed: int) -> dict[str, Any]:
    """Two chases, a pass head-on and one far off, everybody in sight, armed and locked on."""
    rng = random.Random(seed)
    crafts = [
        _craft(rng, "blue", "e", "1024", 0, rng.choice((4.0, 5.0))),
        _craft(rng, "blue", "f", "2024", 0, rng.choice((4.0, 5.0))),
        _craft(rng, "blue", "g", "3024", 0, rng.choice((3.0, 4.0))),
        _craft(rng, "blue", "h", "0535", 0, 3.0),
        _craft(rng, "red", "a", f"10{rng.choice((18, 20, 21, 22))}", 0, 3.0),
        _craft(rng, "red", "b", f"20{rng.choice((18, 20, 21, 22))}", rng.choice((0, 1)), 3.0),
        _craft(rng, "red", "c", f"30{rng.choice((14, 18, 20))}", 6, rng.choice((3.0, 4.0))),
        _craft(rng, "red", "d", "0512", 6, 3.0),
    ]
    return setup(*crafts, turns=4, board={"columns": 40, "rows": 40})


def _craft(rng: random.Random, side: str, enemy: str, place: str, facing: int, speed: float) -> Any:
    return craft(
        side=side,
        place=place,
        facing=facing,
        speed=speed,
        sighted=True,
        identified=True,
        stores=[{"missile": "ir-rear", "count": 4}, {"missile": "rh-medium", "count": 4}],
        locks=[enemy],
        program={"chaff": 1, "flare": 1},
        program_on=rng.random() < 0.3,
        crew=[{"quality": rng.choice(("veteran", "regular", "novice"))}, {}],
    )


def eager(rng: random.Random, decision: Decision) -> Any:
    """Mostly straight ahead, shooting at whatever can be shot at; else at random."""
    kind = decision.id.split(":")[0]
    if kind == "leave" and rng.random() < 0.9:
        return "stay"
    if kind in ("gun", "launch", "return-fire", "decoys") and rng.random() < 0.5:
        free = [one.value for one in decision.all_options if one.blocked is None]
        return rng.choice(free[1:] or free)
    if kind == "settings" and rng.random() < 0.8:
        return _level(rng, decision)
    if kind == "fly" and rng.random() < 0.9:
        return _straight(rng, decision) or at_random(rng, decision)
    if kind == "decide" and rng.random() < 0.5:
        return _engaging(decision)
    return at_random(rng, decision)


def _level(rng: random.Random, decision: Decision) -> str:
    """Level flight, where that can be, with any thrust."""
    line = next((one.value for one in _free(decision, "") if one.value == "LVL"), "")
    thrust = (one.value for one in _free(decision, line) if one.group == "Power")
    return rng.choice([line, *thrust])


def _free(decision: Decision, line: str) -> list[Option]:
    return [one for one in decision.reading(line).next if one.blocked is None]


def _straight(rng: random.Random, decision: Decision) -> str | None:
    """A line straight on, with attacks where they can be planned."""
    assert decision.draft is not None
    line = ""
    while True:
        after = {one.label: one.value for one in decision.draft(line).next if not one.blocked}
        after = {value.rsplit(",", 1)[-1]: value for value in after.values()}
        if "G" in after and not line.endswith("G") and rng.random() < 0.5:
            line = after["G"]
        elif "H" in after:
            line = after["H"]
        else:
            return line if decision.draft(line).whole else None


def _engaging(decision: Decision) -> str:
    """The decisions of a side in which whoever can engages missiles."""
    assert decision.draft is not None
    line = ""
    while True:
        more = (one for one in decision.draft(line).next if not one.blocked)
        engages = next((one.value for one in more if one.label == "Engages missiles"), None)
        if engages is None:
            return line
        line = engages


@cache
def played(seed: int) -> Sitting:
    rulings: Mapping[str, str] = BY_HAND if seed % 4 == 0 else {}
    return play_game(GAME, melee(seed), rulings, seed, choose=eager)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_melee(seed: int) -> None:
    sitting = played(seed)
    assert sitting.state.result is not None
    names = GAME.names(sitting.setup)
    state = GAME.start(msgspec.convert(melee(seed), GAME.setup), sitting.rulings)
    for entry in sitting.entries:
        if type(entry.event) in GAME.events:
            for viewer in VIEWERS:
                assert GAME.tell(redact(entry.event, viewer), names).text
        state = sequence.evolve(GAME, state, entry.event)
        for one in state.aircraft.values():
            assert one.o.damage == accumulated(one.o.hits)
            assert 0 <= one.gun_shots <= 2
            assert one.o.ammo >= 0
            assert not (one.flying and one.o.damage == "K")
    assert state == sitting.state
    assert state.points == points(state)


def test_everything_of_combat_happens() -> None:
    kinds = {type(entry.event) for seed in range(GAMES) for entry in played(seed).entries}
    assert {
        *GUNS,
        *MISSILES,
        *OUTCOMES,
        LogsKept,
        KillsCredited,
        WorseRolled,
        TurnEnded,
    } - kinds == {LaunchesOpened}, "which is asked in fog alone"


def test_damage_comes_in_all_degrees() -> None:
    facts = [entry.event for seed in range(GAMES) for entry in played(seed).entries]
    damage = {fact.result for fact in facts if isinstance(fact, DamageRolled)}
    assert damage >= {"L", "H", "C", "K"}


@pytest.mark.parametrize("seed", range(0, GAMES, 3))
def test_no_secret_of_combat_leaves(seed: int) -> None:
    """Whatever is hidden in a fact is swapped for a word, which no other viewer's line may hold."""
    sitting = played(seed)
    names, planted = GAME.names(sitting.setup), 0
    for entry in sitting.entries:
        if type(entry.event) not in (*GUNS, *MISSILES, *OUTCOMES):
            continue
        for viewer in VIEWERS:
            planter = Planter(viewer)
            event = redact(planter.plant(entry.event), viewer)
            planted += len(planter.tokens)
            text = msgspec.json.encode((event, GAME.tell(event, names))).decode()
            assert not [token for token in planter.tokens if token in text]
    assert planted > 0


@pytest.mark.parametrize("seed", range(0, GAMES, 3))
def test_nobody_reads_a_missile_s_type_before_it_shows(seed: int) -> None:
    sitting = played(seed)
    for moment in sitting.moments:
        for missile in moment.state.missiles.values():
            enemy = "red" if missile.side == "blue" else "blue"
            seen = redact(missile, frozenset({enemy}))
            assert (seen.card.value, seen.speed.value, seen.left.value) == (None, None, None)
            assert redact(missile, frozenset({missile.side})) == missile
