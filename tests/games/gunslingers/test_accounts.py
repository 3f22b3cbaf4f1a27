"""Whole random games, with every move in them worked out again by an accountant who knows the rules only (GS-F)."""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any

import pytest
from msgspec import convert

from app.engine.log import Opened
from app.games.gunslingers.flight import notation
from app.games.gunslingers.flight.facts import (
    CeilingRolled,
    GlocRolled,
    MoveBegan,
    Sank,
    Tumbled,
)
from app.games.gunslingers.flight.flying import points_left
from app.games.gunslingers.flight.move_facts import EnergySettled, Flew, SettingsChosen
from app.games.gunslingers.flight.starts import starts
from app.games.gunslingers.guns.hits import accumulated
from app.games.gunslingers.model import (
    RATES,
    Aircraft,
    Settings,
    State,
    with_aircraft,
    with_own,
)
from app.games.gunslingers.stalls.facts import RecoveryRolled
from app.testing.player import Rulings, Sitting, pairwise, play_game, settlement
from tests.games.gunslingers.accountant import LOADS, SHEETS, Accountant, band, numbers
from tests.games.gunslingers.table import GAME, craft, setup
from tests.games.gunslingers.test_melee import melee

FIRST = 12
"""The number of the first game: the dozen from here have all that is rare."""

PROPERTIES = ("high-roll-rate", "high-bleed", "high-pitch-rate", "rapid-accel")
TYPES = ("LVL", "LVL", "SC", "ZC", "VC", "SD", "UD", "VD", "ST")
CREWS = {"f-4e": [{"quality": "veteran"}, {"fitness": -1}], "eb-66c": [{}, {}, {}, {}]}

TOKENS = (
    *(
        f"{declared}{kind}{face}"
        for kind in ("H", "HD", "C1", "C2", "D1", "D2", "D3")
        for declared in ("", *(f"{rate}{side}/" for rate in RATES for side in "LR"))
        for face in ("", "/L", "/R", "/LL", "/RR")
    ),
    *("U", "-", "SLL", "SLR", "DRL", "DRR", "LRL", "LRR"),
    *(f"VR{side}{degrees}" for side in "LR" for degrees in range(30, 181, 30)),
)
"""All that can be written of a move, but gun attacks."""
ALIKE = {"VRL180"}
"""Half a circle to the left, which on a hex centre is half a circle to the right."""


def opened(sitting: Sitting) -> Accountant:
    """An accountant with the first page of a game before him."""
    first = sitting.entries[0].event
    assert isinstance(first, Opened)
    begun = sitting.states[1].aircraft.values()
    damage = {one.id: one.o.damage for one in begun}
    return Accountant(first, damage, [one.id for one in begun if "engine" in one.o.out])


def accounted(sitting: Sitting) -> Accountant:
    """All of a game, read by an accountant."""
    return opened(sitting).read_all(entry.event for entry in sitting.entries[1:])


@cache
def rows() -> list[dict[str, str]]:
    """Settlements in which every two values of different rulings meet."""
    return pairwise(GAME)


def rulings(number: int, **fixed: str) -> Rulings:
    """The rulings of game number so and so, but for those that are given."""
    return {**settlement(GAME, number, rows()), **fixed}


def any_craft(dice: random.Random, card: str, side: str) -> Mapping[str, Any]:
    """One of the six cards, now and then with a property that none has, anywhere in its envelope or near its edge."""
    sheet = SHEETS[card]
    level = min(dice.choice([dice.randint(2, 40), dice.randint(6, 30), 99]), sheet.ceiling)
    load = dice.choice(["CL", "CL", "half", "DT"])
    most = numbers(sheet.most)[min(band(level), 4)] - LOADS[load][1]
    changed = {}
    if dice.random() < 0.4:
        changed["card_with"] = {"properties": (dice.choice(PROPERTIES),)}
    return craft(
        side=side,
        card=card,
        place=f"{dice.randint(12, 28):02}{dice.randint(10, 20):02}",
        facing=dice.randrange(12),
        altitude=level,
        speed=float(min(most, dice.randint(4, 13) / 2)),
        flight_type=dice.choice(TYPES),
        power=dice.choice("INM"),
        config=load,
        fuel=dice.choice([8, 60, 150]),
        crew=CREWS.get(card, [{"quality": dice.choice(["novice", "green"])}]),
        sighted=True,
        **changed,
    )


def any_game(seed: int) -> dict[str, Any]:
    """A set-up of three against three, of all cards."""
    dice = random.Random(seed)
    cards = [*SHEETS]
    dice.shuffle(cards)
    sides = ("blue", "red") * 3
    crafts = [any_craft(dice, card, side) for card, side in zip(cards, sides, strict=True)]
    return setup(*crafts, turns=8)


def play_any(number: int) -> tuple[Rulings, Sitting]:
    """A random game of them, in which some begin with damage."""
    flown = rulings(number, flight="house")
    game = dataclasses.replace(GAME, start=partial(hurt, number))
    return flown, play_game(game, any_game(number), flown, number)


def hurt(number: int, given: Any, ruled: Rulings) -> State:
    """The position at the start, with some aircraft damaged."""
    dice, state = random.Random(number), GAME.start(given, ruled)
    for one in state.aircraft.values():
        hits = dice.choice([(), (), (), ("L",), ("L", "L"), ("H",), ("C",)])
        out = ("engine",) if hits and dice.random() < 0.5 else ()
        damaged = with_own(one, hits=hits, damage=accumulated(hits), out=out)
        state = with_aircraft(state, damaged)
    return state


def games(many: int) -> Iterator[tuple[str, Sitting]]:
    """Random games of all cards, of the scenarios and at close quarters, with what plays each again."""
    scenarios = list(GAME.scenarios.items())
    for number in range(FIRST, FIRST + many):
        flown, sitting = play_any(number)
        yield f"any game {number} {flown}", sitting
        if number % 4 == 0:
            yield f"melee {number} {flown}", play_game(GAME, melee(number), flown, number)
        elif number % 2 == 0:
            name, scenario = scenarios[number // 4 % len(scenarios)]
            played = play_game(GAME, scenario.setup, flown, number)
            yield f"{name} {number} {flown}", played


def tried(sitting: Sitting, dice: random.Random, share: float) -> int:
    """Asks the game and the accountant, at some of a game's points, what may be chosen and flown there."""
    accountant, asked = opened(sitting), 0
    for entry in sitting.entries[1:]:
        accountant.read_all([entry.event])
        if isinstance(entry.event, MoveBegan | SettingsChosen | Flew) and dice.random() < share:
            state = sitting.states[entry.seq]
            one = state.aircraft[entry.event.aircraft]
            if one.condition != "normal" or state.activation.aircraft != one.id:
                continue
            asked += 1
            if isinstance(entry.event, MoveBegan):
                same_choices(accountant, state, one)
            elif points_left(one):
                same_tokens(accountant, state, one)
    return asked


def same_choices(accountant: Accountant, state: State, one: Aircraft) -> None:
    """Each way to fly is offered, or barred, by the rules alone."""
    for option in starts(state, one):
        settings = convert(option.value, Settings)
        assert (option.blocked is None) == accountant.may_choose(one.id, settings), option


def same_tokens(accountant: Accountant, state: State, one: Aircraft) -> None:
    """Whatever can be written may be flown as the rules alone have it; and what may be flown is offered, and no more."""
    now = state.activation
    assert now is not None
    free = {text for text in TOKENS if notation.may_fly(state, one, now, text)}
    unlike = free ^ {text for text in TOKENS if accountant.may_fly(one.id, text)}
    assert not unlike, (unlike, unlike & free, now)
    offered = set[str]()
    for option in notation.draft(state, one, now, "").next:
        texts = [option]
        if option.blocked is None and option.value.endswith("/"):
            texts = notation.draft(state, one, now, option.value).next
        offered |= {each.value for each in texts if each.blocked is None}
    assert free - ALIKE <= offered, (now, free - offered)
    assert offered - {"G"} <= free, (now, offered - free)


@pytest.mark.parametrize("many", [6, pytest.param(24, marks=pytest.mark.slow)])
def test_what_may_be_flown_is_what_the_rules_allow(many: int) -> None:
    dice, asked = random.Random(1990), 0
    for number in range(many):
        asked += tried(play_any(number)[1], dice, 0.1)
    assert asked >= 8 * many


@pytest.mark.parametrize("many", [12, pytest.param(80, marks=pytest.mark.slow)])
def test_every_move_adds_up(many: int) -> None:
    seen: Counter[type] = Counter()
    moves = 0
    for name, sitting in games(many):
        try:
            moves += accounted(sitting).moves
        except AssertionError as wrong:
            raise AssertionError(name) from wrong
        seen.update(type(entry.event) for entry in sitting.entries)
    assert moves == seen[EnergySettled] + seen[Sank]
    rare = (Sank, Tumbled, GlocRolled, RecoveryRolled, CeilingRolled)
    assert all(seen[kind] for kind in rare), seen
