"""Odds before the trigger are what the dice then do: every throw is played through the rules and counted.

The rules' own chances are not asked here but for what an option or a roll shows; what is compared with it are the
facts that happen for each face of each die.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine import sequence
from app.engine.log import Event
from app.engine.sequence import Decision, Effect, Option, Roll, Todo
from app.games.gunslingers.flight.cards import printed_cards
from app.games.gunslingers.guns import hits as guns
from app.games.gunslingers.guns.facts import DamageRolled
from app.games.gunslingers.missiles import flight as missiles
from app.games.gunslingers.missiles.facts import DecoyRolled, LaunchRolled
from app.games.gunslingers.model import State
from app.odds import exact
from tests.games.gunslingers.combat import gunnery, moving, shooter, target
from tests.games.gunslingers.table import GAME, craft, position

Odds = Mapping[Any, Fraction]
SEVERITIES = ("", "L", "H", "C", "K")
TENTH = Fraction(1, 10)


def every_throw(
    state: State,
    ask: Callable[[State], Todo],
    answers: Mapping[str, Any],
    over: Callable[[tuple[Event, ...]], bool],
    events: tuple[Event, ...] = (),
    chance: Fraction = Fraction(1),
) -> Iterator[tuple[Fraction, tuple[Event, ...]]]:
    """All that can happen from a position on, with its chance, until it is `over` or nothing is asked any more.

    `answers` are given to questions by the first word of their ids.
    """
    todo = None if over(events) else ask(state)
    if isinstance(todo, tuple):
        todo = todo[0]
    if todo is None:
        yield chance, events
        return
    if isinstance(todo, Roll):
        assert (todo.pool.count, todo.pool.sides) == (1, 10)
        happening = [(todo.happen((face,)), chance * TENTH) for face in range(1, 11)]
    elif isinstance(todo, Effect):
        happening = [(todo.event, chance)]
    else:
        answer = todo.accept(answers[todo.id.split(":")[0]])
        happening = [(todo.happen(answer), chance)]
    for event, its_chance in happening:
        after = sequence.evolve(GAME, state, event)
        yield from every_throw(after, ask, answers, over, (*events, event), its_chance)


def counted(throws: Iterator[tuple[Fraction, tuple[Event, ...]]], of: Callable[..., Any]) -> Odds:
    """The chance of each thing that `of` makes of what happened."""
    odds: dict[Any, Fraction] = {}
    for chance, events in throws:
        result = of(events)
        odds[result] = odds.get(result, Fraction(0)) + chance
    assert sum(odds.values()) == 1
    return odds


def severity_by(unit: str) -> Callable[[tuple[Event, ...]], int]:
    """What an aircraft's attack came to: −1 a miss, else how bad the damage is."""

    def severity(events: tuple[Event, ...]) -> int:
        rolled = [one for one in events if isinstance(one, DamageRolled) and one.wound.by == unit]
        assert len(rolled) <= 1
        return SEVERITIES.index(rolled[0].result) if rolled else -1

    return severity


def shot_by(unit: str) -> Callable[[tuple[Event, ...]], bool]:
    """Over as soon as damage by an aircraft is rolled: what breaks then is another roll's matter."""

    def over(events: tuple[Event, ...]) -> bool:
        return any(isinstance(one, DamageRolled) and one.wound.by == unit for one in events)

    return over


def shown(option: Option) -> Odds:
    assert option.odds is not None, option.label
    return exact(option.odds.chance)


# Guns (GS-C-2, GS-C-10).


def pass_at(seed: int) -> State:
    """A position with an enemy in the gun field, drawn at random."""
    dice = random.Random(seed)
    quality = dice.choice(("veteran", "regular", "novice", "green"))
    mine: dict[str, Any] = {
        "crew": [{"quality": quality, "combat_hero": dice.random() < 0.3}, {}],
        "sight_rate": dice.choice((None, "TT", "HT", "BT")),
        "damage": (hurt := dice.choice(("", "", "L", "H"))),
        "hits": (hurt,) if hurt else (),
    }
    other: dict[str, Any] = {
        "place": dice.choice(("2015", "2014", "2014", "2013")),
        "facing": dice.choice((0, 0, 1, 2, 3, 6, 10, 11)),
        "damage": (worn := dice.choice(("", "L", "2L", "H"))),
        "hits": {"": (), "L": ("L",), "2L": ("L", "L"), "H": ("H",)}[worn],
        "card": dice.choice(("f-4e", "mig-21mf", "mig-17f", "eb-66c")),
    }
    return moving(shooter(**mine), target(**other))


def test_odds_of_bursts_are_what_the_dice_do() -> None:
    compared = {False: 0, True: 0}
    for seed in range(60):
        state = pass_at(seed)
        course = gunnery(state)
        if course.todo is None:
            continue
        for snap in (False, True):
            value = {"target": "b", "snap": snap}
            option = next(one for one in course.decision.all_options if one.value == value)
            if option.blocked:
                continue
            throws = every_throw(
                state, course.ask, {"gun": value, "return-fire": "hold"}, shot_by("a")
            )
            assert counted(throws, severity_by("a")) == shown(option), (seed, snap)
            compared[snap] += 1
    assert min(compared.values()) > 20


@pytest.mark.parametrize("answer", ["full", "snap"])
@pytest.mark.parametrize("worn", [(), ("L",)])
def test_odds_of_fire_in_return_are_what_the_dice_do(answer: str, worn: tuple[str, ...]) -> None:
    """Both shots count before damage, so what the first one does changes nothing (GS-C-4)."""
    damage = "L" if worn else ""
    gun = printed_cards()["f-4e"].gun
    assert gun is not None
    close = {"gun": replace(gun, hit=(9, 9, 9))}
    state = moving(
        shooter(sighted=True, damage=damage, hits=worn, card_with=close),
        target(facing=6, card_with=close, crew=[{"quality": "veteran"}, {}]),
    )
    course = gunnery(state).go({"target": "b", "snap": False})
    option = next(one for one in course.decision.all_options if one.value == answer)
    throws = every_throw(course.state, course.ask, {"return-fire": answer}, shot_by("b"))
    assert counted(throws, severity_by("b")) == shown(option)


# Missiles (GS-C-21 to GS-C-26).


def armed(**changes: Any) -> State:
    """The launch phase, in which "a" may launch at "b"."""
    state = position(
        craft(
            card_with={"missiles": ("ir-all", "rh-medium")},
            saw=("b",),
            locks=("b",),
            stores=[{"missile": "ir-all", "count": 3}, {"missile": "rh-medium", "count": 3}],
        ),
        craft(**{"side": "red", "place": "2010", "sighted": True, **changes}),
        movers=("b", "a"),
    )
    return replace(state, phase="launch", step="GS-AAM-2", turn=1)


def launch(state: State, missile: str, attempts: int) -> tuple[Option, dict[str, Any]]:
    """The option of such a launch, and its value."""
    value = {"target": "b", "missile": missile, "attempts": attempts}
    todo = sequence.todo(GAME, state)
    assert isinstance(todo, Decision)
    return next(one for one in todo.all_options if one.value == value), value


@pytest.mark.parametrize("missile", ["ir-all", "rh-medium"])
@pytest.mark.parametrize("attempts", [1, 2])
def test_odds_of_launches_are_what_the_dice_do(missile: str, attempts: int) -> None:
    state = armed(program={"flare": 2}, program_on=True)
    option, value = launch(state, missile, attempts)

    def over(events: tuple[Event, ...]) -> bool:
        return sum(isinstance(one, LaunchRolled) for one in events) == attempts

    def in_flight(events: tuple[Event, ...]) -> int:
        return sum(isinstance(one, LaunchRolled) and one.missile is not None for one in events)

    throws = every_throw(state, lambda now: sequence.todo(GAME, now), {"launch": value}, over)
    assert counted(throws, in_flight) == shown(option)


def attacking(state: State, missile: str, **changes: Any) -> State:
    """The next turn's Flight Phase, "b" having moved: a missile of this kind has left its rail."""
    _, value = launch(state, missile, 1)
    left = next(
        events
        for _, events in every_throw(
            state,
            lambda now: sequence.todo(GAME, now),
            {"launch": value},
            lambda events: any(isinstance(one, LaunchRolled) for one in events),
        )
    )
    for event in left:
        state = sequence.evolve(GAME, state, event)
    (one,) = state.missiles.values()
    guided = replace(state.aircraft["a"], illuminating="b")
    return replace(
        state,
        phase="flight",
        step="GS-FLT-8",
        turn=2,
        aircraft={**state.aircraft, "a": guided},
        missiles={one.id: replace(one, **changes)},
    )


def flight(state: State) -> Todo:
    return missiles.after_move(state, "b") or guns.damage(state)


@pytest.mark.parametrize("missile", ["ir-all", "rh-medium"])
@pytest.mark.parametrize(
    "other",
    [
        {},
        {"facing": 3},
        {"facing": 6, "power": "AB"},
        {"damage": "L", "hits": ("L",), "max_rate": "BT"},
        {"card": "mig-21mf", "engaged": True},
        {"program": {"chaff": 2, "flare": 1}, "program_on": True},
    ],
)
def test_odds_of_an_attack_are_what_the_dice_do(missile: str, other: dict[str, Any]) -> None:
    """From guidance to damage, as they were shown before the launch and as the roll shows them."""
    state = armed(decoys={}, **other)
    option, _ = launch(state, missile, 1)
    attack = attacking(state, missile)
    assert option.then is not None
    ((_, before),) = option.then()
    throws = counted(every_throw(attack, flight, {}, shot_by("a")), severity_by("a"))
    assert throws == exact(before.chance)
    roll = flight(attack)
    assert isinstance(roll, Roll)
    assert roll.odds is not None
    assert throws == exact(roll.odds.chance)


@pytest.mark.parametrize(("chaff", "flare"), list(product((0, 1), (0, 1, 2))))
def test_decoys_and_then_the_attack(chaff: int, flare: int) -> None:
    """Flares tempt an IR-all on 3 or less each, chaff never; what is not tempted attacks as without decoys."""
    state = armed(engaged=True, decoys={"chaff": 2, "flare": 3})
    attack = attacking(state, "ir-all", sighted_by=("red",))
    answers = {"decoys": {"chaff": chaff, "flare": flare}}
    throws = counted(every_throw(attack, flight, answers, shot_by("a")), severity_by("a"))
    plain = counted(
        every_throw(attack, flight, {"decoys": {"chaff": 0, "flare": 0}}, shot_by("a")),
        severity_by("a"),
    )
    on = Fraction(7, 10) ** flare
    expected = {one: p * on + (1 - on if one == -1 else 0) for one, p in plain.items()}
    assert throws == expected
    if chaff + flare:
        spent = next(every_throw(attack, flight, answers, shot_by("a")))[1]
        assert {one.kind for one in spent if isinstance(one, DecoyRolled)} <= {"chaff", "flare"}


@pytest.mark.parametrize("kind", ["chaff", "flare"])
def test_odds_of_a_cluster_are_what_its_die_does(kind: str) -> None:
    missile = "rh-medium" if kind == "chaff" else "ir-all"
    state = attacking(
        armed(engaged=True, decoys={"chaff": 2, "flare": 2}), missile, sighted_by=("red",)
    )
    asked = flight(state)
    assert isinstance(asked, Decision)
    dropped = {"chaff": 0, "flare": 0, kind: 1}
    state = sequence.evolve(GAME, state, asked.happen(dropped))
    roll = flight(state)
    assert isinstance(roll, Roll)
    assert roll.odds is not None
    gone = 0
    for face in range(1, 11):
        event = roll.happen((face,))
        gone += not sequence.evolve(GAME, state, event).missiles
    assert exact(roll.odds.chance)[True] == Fraction(gone, 10)
