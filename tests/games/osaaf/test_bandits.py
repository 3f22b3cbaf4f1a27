"""The bots: the simple bandit rule by rule, and the ace by what it must not miss.

Expected answers are worked out from the rulebook. `at(q, r)` is a place as seen from the jet that decides, which
stands in the middle of the board and faces north: (0, -3) is three hexes ahead, (0, 3) three astern.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine import sequence
from app.engine.game import Bot, Sight
from app.engine.hexes import Hex, parse_label
from app.engine.sequence import Answer, Decision
from app.games.osaaf import ace, bandit
from app.games.osaaf.model import Attack, Energy, Move, Place, Plan, State
from app.odds import exact
from app.simulation.orders import order_for
from app.simulation.playing import play_one
from app.testing.player import Sitting, askable, at_random, pairwise, settlement
from tests.games.osaaf.table import GAME, Table, setup
from tests.games.osaaf.table import plan as choice

MIDDLE = parse_label("1511")
GUN = {"quality": "medium", "shots": 6}
MISSILES = {"quality": "medium", "shots": 4}
NO_PLAN = Plan(0, jink=False, aim=False, afterburner=False)


def at(q: int, r: int) -> str:
    """A place seen from the jet that decides, as a label."""
    return (MIDDLE + Hex(q, r)).label


def me(**changes: Any) -> dict[str, Any]:
    """The jet that decides: blue, in the middle, facing north."""
    card = {"gun": GUN, **changes.pop("card", {})}
    return {"hex": MIDDLE.label, "facing": 0, "card": card, **changes}


def foe(q: int, r: int, facing: int = 0, **changes: Any) -> dict[str, Any]:
    """A red jet."""
    card = {"gun": GUN, **changes.pop("card", {})}
    return {"seat": "red", "hex": at(q, r), "facing": facing, "card": card, **changes}


def state_of(*jets: Mapping[str, Any], rulings: Mapping[str, str] | None = None) -> State:
    """A position in which jet "a", the first one, is about to choose its plan."""
    settled = {"initiative": "off", **(rulings or {})}
    return Table(setup(jets), rulings=settled).state


def changed(state: State, jet: str = "a", **changes: Any) -> State:
    """The position with something else about a jet."""
    return replace(state, jets={**state.jets, jet: replace(state.jets[jet], **changes)})


def rolled(state: State, dragged: int, gain: int = 1, plan: Plan = NO_PLAN) -> State:
    """Jet "a" has so much Speed after drag, and chooses its altitude."""
    return changed(state, energy=Energy(plan=plan, gain=gain, dragged=dragged))


def braking(state: State, dragged: int, gain: int, change: int = 0) -> State:
    """Jet "a" has chosen its altitude and may brake."""
    return changed(state, energy=Energy(NO_PLAN, gain, dragged, change))


def moving(state: State, *last: str) -> State:
    """Jet "a" moves; the jets of `last` have still to, the others have."""
    for name, jet in state.jets.items():
        done = Move() if name in ("a", *last) else Move(flown=jet.speed)
        state = changed(state, name, energy=Energy(NO_PLAN, settled=True), move=done)
    order = ("a", *last, *(name for name in state.jets if name not in ("a", *last)))
    places = tuple(Place(name, state.jets[name].altitude, None, (), "altitude") for name in order)
    return replace(state, phase="movement", places=places)


def fighting(state: State) -> State:
    """Jet "a" is the only one that has not attacked."""
    state = moving(state)
    state = changed(state, move=Move(flown=state.jets["a"].speed))
    for name in state.jets:
        if name != "a":
            state = changed(state, name, attack=Attack())
    return replace(state, phase="combat")


def question(state: State) -> Decision:
    """What is asked of jet "a"."""
    step = sequence.todo(GAME, state)
    assert isinstance(step, Decision), step
    assert step.unit == "a"
    return step


def answer(bot: Bot, state: State, faces: Sequence[int] = ()) -> Any:
    """What a bot answers; `faces` are its own dice, and all of them must be used."""
    dice = list(faces)
    decision = question(state)

    def die(sides: int) -> int:
        assert sides == 6
        return dice.pop(0)

    value = bot.choose(Sight(state, decision.seat, decision, exact, die))
    decision.accept(value)
    assert not dice
    return value


def simple(state: State, *faces: int) -> Any:
    """What the simple bandit answers."""
    return answer(bandit.BOT, state, faces)


def target(state: State) -> str | None:
    """Whom jet "a" is after."""
    found = bandit.target_of(state, state.jets["a"])
    return None if found is None else found.id


# BA-1: the target.


def test_ba_1_the_nearest_enemy_is_the_target() -> None:
    assert target(state_of(me(), foe(0, -5), foe(0, 3))) == "c"


def test_ba_1_of_those_as_near_the_one_at_the_smaller_difference_of_altitude() -> None:
    assert target(state_of(me(altitude=5), foe(0, -3, altitude=8), foe(3, -3, altitude=3))) == "c"


def test_ba_1_then_the_lowest_id() -> None:
    # Three hexes each, one level above and one below.
    assert target(state_of(me(altitude=5), foe(0, 3, altitude=6), foe(0, -3, altitude=4))) == "b"


def test_ba_1_friends_and_jets_off_the_board_are_no_targets() -> None:
    state = state_of(me(), foe(0, -1), foe(0, -9), {"hex": at(1, 0)})
    assert target(changed(state, "b", status="away", back=3)) == "c"
    assert target(changed(changed(state, "b", status="gone"), "c", status="crashed")) is None


# BA-2: on offence, threatened.


@pytest.mark.parametrize(
    ("place", "offence"),
    [
        ((0, -6), True),
        ((0, -7), False),
        ((1, -2), True),  # on the border of its front arc
        ((2, -2), False),
        ((0, 2), False),
        ((0, 0), False),  # in its own hex
    ],
)
def test_ba_2_on_offence_is_in_front_within_six(place: tuple[int, int], offence: bool) -> None:
    state = state_of(me(), foe(*place))
    assert bandit.on_offence(state.jets["a"], state.jets["b"]) is offence


@pytest.mark.parametrize(
    ("place", "facing", "threat"),
    [
        ((0, 6), 0, True),
        ((0, 7), 0, False),
        ((0, 6), 3, False),
        ((0, -4), 3, True),
    ],
)
def test_ba_2_threatened_is_in_an_enemy_s_front_within_six(
    place: tuple[int, int], facing: int, threat: bool
) -> None:
    state = state_of(me(), foe(*place, facing))
    assert bandit.threatened(state, state.jets["a"]) is threat


def test_ba_2_any_enemy_threatens_not_only_the_target() -> None:
    state = state_of(me(), foe(0, -2, 0), foe(0, 5, 0))
    assert target(state) == "b"
    assert bandit.threatened(state, state.jets["a"])


# BA-3 and BA-4: the plan.

# A target that flies away, by where it is: it threatens nobody.
IN_FRONT, FAR_IN_FRONT, ASTERN = foe(0, -4, 0), foe(0, -8, 0), foe(0, 4, 3)
ON_THE_TAIL = foe(0, 4, 0)


@pytest.mark.parametrize(
    ("jet", "others", "expected"),
    [
        # On offence it aims, also when it is threatened, and needs no turn.
        ({}, [IN_FRONT], choice(0, aim=True)),
        ({}, [IN_FRONT, foe(0, 6, 0)], choice(0, aim=True)),
        # A target in front but far needs neither.
        ({}, [FAR_IN_FRONT], choice()),
        # Not in front: two hard turns, one below Speed 4. Threatened: jink, and then one.
        ({"speed": 5}, [ASTERN], choice(2)),
        ({"speed": 4}, [ASTERN], choice(2)),
        ({"speed": 3}, [ASTERN], choice(1, lit=True)),
        ({"speed": 4}, [ON_THE_TAIL], choice(1, jink=True)),
        ({"speed": 3}, [ON_THE_TAIL], choice(1, jink=True, lit=True)),
        # Slower than 2 it makes none.
        ({"speed": 1}, [IN_FRONT], choice(lit=True)),
        ({"speed": 2}, [IN_FRONT], choice(aim=True, lit=True)),
        # Nor in a stall, whatever follows.
        ({"speed": 0}, [ON_THE_TAIL], choice(lit=True)),
    ],
)
def test_ba_3_hard_manoeuvres(
    jet: dict[str, Any], others: list[dict[str, Any]], expected: dict[str, Any]
) -> None:
    assert simple(state_of(me(**jet), *others)) == expected


@pytest.mark.parametrize(
    ("jet", "other", "lit"),
    [
        ({"speed": 2}, FAR_IN_FRONT, True),
        ({"speed": 3}, FAR_IN_FRONT, False),  # 3 only with a manoeuvre
        ({"speed": 3}, IN_FRONT, True),
        ({"speed": 4}, IN_FRONT, False),
        ({"speed": 2, "fuel": 3}, FAR_IN_FRONT, False),
        ({"speed": 2, "fuel": 4}, FAR_IN_FRONT, True),
        ({"speed": 2, "card": {"afterburner": False}}, FAR_IN_FRONT, False),
        ({"speed": 0}, FAR_IN_FRONT, True),
    ],
)
def test_ba_4_afterburner(jet: dict[str, Any], other: dict[str, Any], lit: bool) -> None:
    assert simple(state_of(me(**jet), other))["afterburner"] is lit


def test_ba_4_fuel_that_is_not_counted_does_not_run_short() -> None:
    state = state_of(me(speed=2, fuel=1), FAR_IN_FRONT, rulings={"fuel": "off"})
    assert simple(state)["afterburner"] is True


def test_with_nobody_to_fight_it_flies_on() -> None:
    state = changed(state_of(me(), IN_FRONT), "b", status="away", back=3)
    assert simple(state) == choice()


# BA-5: altitude.


@pytest.mark.parametrize(
    ("altitude", "dragged", "its", "expected"),
    [
        # Slow and high enough: dive 1.
        (5, 1, 5, -1),
        (3, 1, 9, -1),
        (3, -1, 3, -1),
        (2, 1, 5, 0),
        (1, 0, 5, 0),
        # Fast: climb after a higher target, or when it is low itself.
        (5, 4, 6, 1),
        (5, 4, 5, 0),
        (5, 3, 6, 0),
        (3, 4, 1, 1),
        (3, 4, 3, 1),
        (4, 4, 4, 0),
        (9, 6, 9, 0),
        # A target two or more below: dive 1, but not from 3 or less.
        (5, 3, 3, -1),
        (5, 3, 4, 0),
        (5, 6, 3, -1),
        (4, 2, 2, -1),
        (3, 3, 1, 0),
        # Fast and low goes before a target far below.
        (3, 5, 1, 1),
    ],
)
def test_ba_5_altitude(altitude: int, dragged: int, its: int, expected: int) -> None:
    state = state_of(me(altitude=altitude), foe(0, -4, altitude=its))
    assert simple(rolled(state, dragged)) == expected


def test_ba_5_it_does_not_climb_above_the_ceiling() -> None:
    state = state_of(me(altitude=7, card={"ceiling": 7}), foe(0, -4, altitude=9))
    assert simple(rolled(state, 6)) == 0


@pytest.mark.parametrize(
    ("altitude", "dragged", "expected"),
    [
        (5, 0, -1),
        (5, 2, -1),
        (5, -1, -2),
        (3, -1, -2),
        (2, -1, -1),
        (2, 1, -1),
    ],
)
def test_ba_5_out_of_a_stall(altitude: int, dragged: int, expected: int) -> None:
    state = rolled(state_of(me(altitude=altitude, speed=0), IN_FRONT), dragged)
    # At altitude 2 there is one level to dive, so the game does not even ask.
    if question(state).forced is None:
        assert simple(state) == expected
    assert bandit.altitude(state, state.jets["a"]) == expected


def test_ba_5_stalled_at_the_bottom_there_is_nothing_to_dive_into() -> None:
    state = rolled(state_of(me(altitude=1, speed=0), IN_FRONT), 1)
    assert simple(state) == 0


# BA-6: brakes.


@pytest.mark.parametrize(
    ("card", "dragged", "gain", "change", "expected"),
    [
        ("medium", 4, 2, 0, 0),
        ("medium", 5, 2, 0, 1),
        ("high", 6, 1, 0, 1),  # no more than it gained
        ("medium", 5, 1, -1, 2),  # what a dive brings can be refused too
        ("low", 4, 2, 0, 1),
        ("low", 3, 2, 0, 0),
        ("medium", 5, 2, 1, 0),  # after the climb it is not above 4
    ],
)
def test_ba_6_brakes(card: str, dragged: int, gain: int, change: int, expected: int) -> None:
    state = state_of(me(card={"maneuverability": card}), IN_FRONT)
    assert simple(braking(state, dragged, gain, change)) == expected


# BA-7: movement.


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((0, -3), "ahead"),
        ((1, -2), "ahead"),  # on the border of the front arc
        ((2, -2), "right"),
        ((2, 0), "right"),
        ((-2, 0), "left"),
        ((1, 3), "right"),
        ((-1, 4), "left"),
    ],
)
def test_ba_7_it_turns_towards_a_target_that_is_not_in_front(
    place: tuple[int, int], expected: str
) -> None:
    assert simple(moving(state_of(me(), foe(*place)))) == expected


@pytest.mark.parametrize(("face", "side"), [(1, "right"), (3, "right"), (4, "left"), (6, "left")])
def test_ba_7_a_die_picks_the_side_when_the_target_is_dead_astern(face: int, side: str) -> None:
    assert simple(moving(state_of(me(), foe(0, 4))), face) == side
    assert simple(moving(state_of(me(), foe(0, 0))), face) == side


@pytest.mark.parametrize(
    ("row", "faces", "expected"),
    [
        (4, [], "ahead"),  # there are three more hexes ahead of it
        (3, [2], "right"),
        (2, [5], "left"),
    ],
)
def test_ba_7_it_minds_the_edge_within_three_hexes(
    row: int, faces: list[int], expected: str
) -> None:
    state = moving(state_of(me(hex=f"15{row:02}"), {**foe(0, -3), "hex": "1501"}))
    assert simple(state, *faces) == expected


def test_ba_7_with_nobody_to_fight_it_minds_the_edge_too() -> None:
    state = changed(state_of(me(hex="1503"), foe(0, 4)), "b", status="away", back=3)
    assert simple(moving(state), 1) == "right"
    assert simple(moving(changed(state, hex=MIDDLE))) == "ahead"


def test_ba_7_the_target_is_looked_for_again_before_each_hex() -> None:
    state = moving(state_of(me(), foe(0, -3), foe(3, 0)))
    assert simple(changed(state, hex=MIDDLE.ahead(0, 1), move=Move(flown=1))) == "ahead"
    assert simple(changed(state, "b", hex=MIDDLE.ahead(0, 5))) == "right"


def test_ba_7_too_fast_to_turn_it_flies_on() -> None:
    assert simple(moving(state_of(me(speed=7), foe(2, 0)))) == "ahead"


# BA-8: the attack.

BOTH = {"gun": GUN, "heat_seeker": MISSILES}


def attack(arm: str, enemy: str = "b") -> dict[str, str]:
    """The value of an attack."""
    return {"arm": arm, "target": enemy}


def test_ba_8_a_missile_before_the_gun_when_both_are_as_good() -> None:
    state = state_of(me(card=BOTH), foe(0, -3, 0))
    assert simple(fighting(state)) == attack("heat_seeker")


def test_ba_8_quality_counts() -> None:
    better = {"gun": {"quality": "high", "shots": 4}, "heat_seeker": MISSILES}
    state = state_of(me(card=better), foe(0, -3, 0))
    assert simple(fighting(state)) == attack("gun")


def test_ba_8_modifiers_count() -> None:
    # The second one is farther, but it has its tail to the jet.
    state = state_of(me(), foe(0, -2, 3), foe(1, -3, 0))
    assert simple(fighting(state)) == attack("gun", "c")


def test_ba_8_equal_shots_at_the_nearest_then_the_lowest_id() -> None:
    assert simple(fighting(state_of(me(), foe(0, -3, 3), foe(0, -2, 3)))) == attack("gun", "c")
    assert simple(fighting(state_of(me(), foe(0, -2, 3), foe(0, -2, 3)))) == attack("gun", "b")


def test_ba_8_a_low_quality_with_a_bonus_is_as_good_as_a_medium_one_without() -> None:
    # A heat-seeker of low quality at one that shows its tail, against a medium gun at one head-on.
    card = {"gun": GUN, "heat_seeker": {"quality": "low", "shots": 2}}
    state = state_of(me(card=card), foe(0, -2, 3), foe(0, -5, 0))
    assert simple(fighting(state)) == attack("heat_seeker", "c")


def test_it_comes_back_to_the_board() -> None:
    state = moving(state_of(me(hex="1501"), foe(0, 0)))
    leaving = changed(state, move=Move(heading="ahead"))
    assert simple(leaving) == "return"
    assert answer(ace.BOT, leaving) == "return"


# Both: always an answer that is allowed.

CARDS = ("f-86f", "f-104c", "f-8e", "f-4b", "mig-17f", "mig-21f-13", "su-7b", "su-9")


def skirmish(number: int) -> dict[str, Any]:
    """A set-up of one to four jets a side, anywhere on a board that is small so that they meet."""
    rng = random.Random(number)
    jets = [
        {
            "id": f"{seat}-{n}",
            "seat": seat,
            "aircraft": rng.choice(CARDS),
            "name": f"{seat} {n}",
            "hex": f"{rng.randint(1, 14):02}{rng.randint(1, 12):02}",
            "facing": rng.randrange(6),
            "altitude": rng.randint(1, 8),
            "speed": rng.randint(0, 5),
            "fuel": rng.randint(0, 12),
            "skill": rng.choice(("rookie", "regular", "veteran", "ace")),
        }
        for seat in ("blue", "red")
        for n in range(rng.randint(1, 4))
    ]
    board = {"columns": 14, "rows": 12}
    return {"title": "x", "board": board, "turns": 7, "night": rng.random() < 0.3, "jets": jets}


ROWS = pairwise(GAME)


@pytest.mark.parametrize("bot", GAME.bots, ids=lambda bot: bot.id)
@pytest.mark.parametrize("number", range(len(ROWS) + 6))
def test_every_answer_is_allowed_in_random_positions(bot: Bot, number: int) -> None:
    """Random play leads to positions that no bot would fly into; there the bot is asked as well."""
    rng = random.Random(number)
    sitting = Sitting.open(GAME, skirmish(number), settlement(GAME, number, ROWS), number)
    while asked := askable(sitting):
        decision = asked[0]
        sight = Sight(sitting.state, decision.seat, decision, exact, lambda n: rng.randint(1, n))
        value = bot.choose(sight)
        decision.accept(value)
        if rng.random() < 0.5:
            value = at_random(rng, decision)
        sitting.do(decision.seat, Answer(decision.id, value))
    assert sitting.state.result is not None


# The ace: what it must not miss.


def odds(state: State) -> Any:
    """What the ace answers; it needs no dice."""
    return answer(ace.BOT, state)


def test_the_ace_takes_the_shot_that_kills() -> None:
    # A missile from behind at one that is hit already, or a burst head-on at one that is whole.
    state = state_of(me(card=BOTH), foe(0, -4, 0, hits=1), foe(0, -2, 3))
    assert odds(fighting(state)) == attack("heat_seeker")


def test_the_ace_does_not_waste_its_last_burst_early_on_a_poor_shot() -> None:
    state = fighting(state_of(me(gun=1), foe(0, -3, 3)))
    assert odds(state) == "hold"
    assert odds(replace(state, turn=state.turns)) == attack("gun")


def test_the_ace_does_not_climb_into_a_stall() -> None:
    state = rolled(state_of(me(altitude=5), foe(0, -6, 0, altitude=8)), dragged=1)
    assert odds(state) <= 0


def test_the_ace_recovers_from_a_stall() -> None:
    state = rolled(state_of(me(speed=0, altitude=6), foe(0, -6, 0)), dragged=-1, gain=0)
    assert odds(state) <= -2


@pytest.mark.parametrize("dragged", [2, 3, 4])
def test_the_ace_never_brakes_to_a_standstill(dragged: int) -> None:
    state = braking(state_of(me(), foe(0, -8, 3)), dragged, gain=4)
    assert dragged - odds(state) > 0


def test_the_ace_turns_away_from_the_edge() -> None:
    state = moving(state_of(me(hex="1502", speed=3), foe(0, 8, 0)))
    assert odds(state) in ("left", "right")


def test_the_ace_turns_in_behind_an_enemy_that_has_moved() -> None:
    # It flies away to the south-east; two turns to the right bring the jet behind it.
    state = moving(state_of(me(speed=2), foe(3, 0, 2)))
    assert odds(state) == "right"


def test_the_ace_keeps_its_fuel_for_the_turns_left() -> None:
    state = state_of(me(speed=3, fuel=20), foe(0, -9, 0))
    assert odds(state)["afterburner"] is False


def test_the_ace_makes_no_aim_where_nobody_can_be_shot_at() -> None:
    plan = odds(state_of(me(), foe(0, -10, 0, speed=6)))
    assert not plan["aim"]
    assert not plan["jink"]


def test_the_ace_answers_alike_when_it_sees_alike() -> None:
    state = state_of(me(), foe(2, -6, 3), foe(-3, -2, 1))
    assert [odds(state) for _ in range(3)] == [odds(state)] * 3
    # What it remembers must not show either: a position in between changes nothing.
    first = odds(moving(state, "b"))
    odds(changed(state, hits=1))
    assert odds(moving(state, "b")) == first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "bots"),
    [
        ("duel", {"blue": "ace", "red": "bandit"}),
        ("duel", {"blue": "bandit", "red": "ace"}),
        ("mig-alley", {"blue": "bandit", "red": "ace"}),
    ],
)
def test_the_ace_beats_the_bandit(scenario: str, bots: dict[str, str]) -> None:
    """Far below the rate of docs/bandits.md, so that only a broken ace fails."""
    played = [play_one(GAME, GAME.scenarios[scenario].setup, {}, bots, seed) for seed in range(60)]
    mine = next(seat for seat, bot in bots.items() if bot == "ace")
    assert sum(outcome.winners == (mine,) for outcome in played) >= 36
    crashed = sum(
        fate.seat == mine and "crashed" in fate.cause for one in played for fate in one.fates
    )
    assert crashed <= 6


def test_games_of_bots_repeat() -> None:
    setup_data = GAME.scenarios["mig-alley"].setup
    bots = {"blue": "ace", "red": "bandit"}
    one, two = (play_one(GAME, setup_data, {}, bots, 5) for _ in range(2))
    assert (one.winners, one.turns, one.scores) == (two.winners, two.turns, two.scores)
    assert one.decisions == two.decisions


def test_games_of_bots_by_their_old_ids_are_the_same() -> None:
    """Saved orders and stored tables know the ace as `odds` and the bandit as `simple`."""
    setup_data = GAME.scenarios["duel"].setup
    now, then = (
        play_one(GAME, setup_data, {}, bots, 5)
        for bots in ({"blue": "ace", "red": "bandit"}, {"blue": "odds", "red": "simple"})
    )
    assert (now.winners, now.turns, now.scores) == (then.winners, then.turns, then.scores)
    assert now.decisions == then.decisions
    order = order_for("osaaf", bots=["odds", "simple"], games=1, seed=1)
    assert sorted(order.bots.values()) == ["ace", "bandit"]
