"""The bots: the simple captain rule by rule, and the admiral by what it must not miss.

Expected answers are worked out from the rulebook. `at(q, r)` is a place as seen from the ship that decides, which
stands in the middle of the board and faces north: (0, -3) is three hexes ahead, (0, 3) three astern.
"""

import itertools
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app import bots
from app.engine import sequence
from app.engine.game import Bot, Sight
from app.engine.hexes import Hex, parse_label
from app.engine.secret import Secret
from app.engine.sequence import Answer, Decision, open_decisions
from app.games.war_in_space import admiral, captain
from app.games.war_in_space.admiral.damage import harm, worth
from app.games.war_in_space.admiral.gunnery import allowed_cards, energy, fire_plan, plan_worth
from app.games.war_in_space.admiral.moves import FARTHEST, Outlook, Pose, after_chase
from app.games.war_in_space.fire import WHERE, damage_rolled
from app.games.war_in_space.model import Aim, Boxes, Card, Energy, Move, Place, State
from app.odds import exact
from app.simulation.playing import play_one
from app.testing.player import Sitting, askable, at_random, pairwise, settlement
from tests.games.war_in_space.table import GAME, Table, setup, squadrons

MIDDLE = parse_label("1511")
ATTACK, DEFENCE, MOVEMENT = "attack", "defence", "movement"


def at(q: int, r: int) -> str:
    """A place seen from the ship that decides, as a label."""
    return (MIDDLE + Hex(q, r)).label


def foe(q: int, r: int, facing: int = 0, **changes: Any) -> dict[str, Any]:
    """A ship of the other side."""
    return {"seat": "b", "hex": at(q, r), "facing": facing, **changes}


def state_of(
    *others: Mapping[str, Any], rulings: Mapping[str, str] | None = None, **me: Any
) -> State:
    """A position in which ship a1 is about to get its card."""
    return Table(setup([me, *others]), rulings=rulings).state


def changed(state: State, ship: str = "a1", **changes: Any) -> State:
    """The position with something else about a ship."""
    return replace(state, ships={**state.ships, ship: replace(state.ships[ship], **changes)})


def shown(state: State, **energy: int) -> State:
    """All cards lie open and all dice have fallen; ship a1 has so much energy, the others have none."""
    for name in state.ships:
        gained = Energy(**energy) if name == "a1" else Energy()
        open_ = Card("spades", allout=False, dc=False)
        state = changed(state, name, card=open_, dice=(1, 1, 1), settled=True, energy=gained)
    return state


def firing(state: State, attack: int) -> State:
    """Ship a1 has so much attack energy."""
    return replace(shown(state, attack=attack), phase="fire")


def moving(state: State, *last: str) -> State:
    """Ship a1 moves; the ships of `last` have still to, the others have."""
    state = shown(state)
    for name, ship in state.ships.items():
        done = Move() if name in ("a1", *last) else Move(flown=ship.speed)
        state = changed(state, name, move=done)
    ships = [state.ships[name] for name in ("a1", *last)]
    order = tuple(Place(s.id, s.crew, s.speed, s.size, "speed") for s in ships)
    return replace(state, phase="movement", order=order)


def repairing(state: State, dc: int) -> State:
    """Ship a1 has so much Damage Control energy."""
    return replace(shown(state, dc=dc), phase="repair")


def question(state: State) -> Decision:
    """What is asked of ship a1."""
    step = sequence.todo(GAME, state)
    return next(one for one in open_decisions(step) if one.unit == "a1")


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
    """What the simple captain answers."""
    return answer(captain.BOT, state, faces)


def served(state: State, choice: Mapping[str, Any]) -> tuple[str, str]:
    """The Primary and Secondary action of a card that ship a1 plays."""
    return state.ships["a1"].kind.pattern.suits[choice["suit"]]


# AC-1: the target.


def target(state: State) -> str | None:
    """Whom ship a1 is after."""
    found = captain.target_of(state, state.ships["a1"])
    return None if found is None else found.id


def test_ac_1_the_nearest_enemy_is_the_target() -> None:
    assert target(state_of(foe(0, -5), foe(0, 3), {"hex": at(0, -1)})) == "b2"


def test_ac_1_of_those_as_near_the_first_of_the_list() -> None:
    assert target(state_of(foe(0, 3), foe(0, -3))) == "b1"


def test_ac_1_ships_that_are_gone_are_no_targets() -> None:
    state = changed(state_of(foe(0, -2), foe(0, 5)), "b1", status="destroyed")
    assert target(state) == "b2"
    assert target(changed(state, "b2", status="withdrawn")) is None


# AC-1: the card. Faces of the d6, then Primary and Secondary action, for a Line ship, which has a card for each.

NEAR = [((1, 3), (ATTACK, DEFENCE)), ((4, 4), (ATTACK, MOVEMENT)), ((5, 6), (DEFENCE, ATTACK))]
FAR = [((1, 3), (ATTACK, MOVEMENT)), ((4, 6), (MOVEMENT, ATTACK))]
BESIDE = [((1, 4), (MOVEMENT, DEFENCE)), ((5, 6), (DEFENCE, MOVEMENT))]

PLACES = [
    ((0, -6), NEAR),
    ((6, -3), NEAR),  # straight across the nose: the border is in front
    ((0, -7), FAR),
    ((1, 0), BESIDE),
    ((0, 6), BESIDE),
    ((0, 0), NEAR),  # in its own hex, neither behind nor beside
]


@pytest.mark.parametrize(("place", "table"), PLACES)
@pytest.mark.parametrize("kind", ["cruiser", "frigate"])
def test_ac_1_the_card(place: tuple[int, int], table: Any, kind: str) -> None:
    """The normal card with both actions where the pattern has one, else one with the Primary action."""
    state = state_of(foe(*place), kind=kind)
    pairs = list(state.ships["a1"].kind.pattern.suits.values())
    for (first, last), wish in table:
        for face in range(first, last + 1):
            choice = simple(state, face)
            assert not choice["allout"]
            assert not choice["dc"]
            if wish in pairs:
                assert served(state, choice) == wish
            else:
                assert served(state, choice)[0] == wish[0]


@pytest.mark.parametrize(
    ("marked", "primary"),
    [
        ({"weapon": 4}, DEFENCE),  # Attack is barred: the second action as Primary
        ({"weapon": 4, "shield": 4}, MOVEMENT),
    ],
)
def test_ac_1_a_card_that_damage_bars_is_not_played(marked: dict[str, int], primary: str) -> None:
    state = state_of(foe(0, -4), marked=marked)
    choice = simple(state, 1)
    assert served(state, choice)[0] == primary
    assert not choice["dc"]


def test_ac_1_damage_control_only_where_every_suit_is_barred() -> None:
    marked = {"weapon": 4, "shield": 4, "engine": 4}
    assert simple(state_of(foe(0, -4), marked=marked), 2)["dc"]


# AC-2: movement energy.


@pytest.mark.parametrize(
    ("place", "speed", "energy", "expected"),
    [
        # Toward 3 in front beyond 6 hexes, each point for 3 energy; the rest into the bonus.
        ((0, -7), 2, 3, (3, 0)),
        ((0, -7), 2, 8, (3, 1)),
        ((0, -7), 1, 3, (2, 0)),
        ((0, -7), 5, 6, (3, 0)),
        # Toward 2 in front within 6.
        ((0, -6), 2, 6, (2, 2)),
        ((0, -6), 3, 6, (2, 1)),
        ((0, -6), 0, 3, (1, 0)),
        ((0, 0), 1, 3, (2, 0)),  # in its own hex, at range 0
        ((0, 0), 2, 3, (2, 1)),
        # Toward 1 when it is not in front.
        ((0, 4), 3, 6, (1, 0)),
        ((0, 4), 2, 6, (1, 1)),
        ((0, 4), 1, 8, (1, 2)),
    ],
)
def test_ac_2_spending(
    place: tuple[int, int], speed: int, energy: int, expected: tuple[int, int]
) -> None:
    state = shown(state_of(foe(*place), speed=speed), movement=energy)
    assert simple(state) == {"speed": expected[0], "bonus": expected[1]}


# AC-3: moves.


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((0, -3), "ahead"),
        ((1, -2), "ahead"),  # on the border of the front sector
        ((2, -2), "right"),
        ((-2, 0), "left"),
        ((1, 3), "right"),
        ((-1, 4), "left"),
        ((0, 4), "right"),  # dead astern both sides are as good
        ((0, 0), "ahead"),
    ],
)
def test_ac_3_it_turns_towards_a_target_that_is_not_dead_ahead(
    place: tuple[int, int], expected: str
) -> None:
    assert simple(moving(state_of(foe(*place)))) == expected


def test_ac_3_the_target_is_looked_for_again_before_each_hex() -> None:
    state = moving(state_of(foe(0, -3), foe(4, -2), speed=3))
    assert simple(state) == "ahead"
    there = changed(state, hex=MIDDLE + Hex(3, -2), move=Move(flown=1))
    assert simple(there) == "right"


def test_ac_3_it_tries_even_a_turn_that_can_t_succeed() -> None:
    assert simple(moving(state_of(foe(3, -3), kind="dreadnought", speed=4))) == "right"


def test_where_ac_3_asks_for_no_turn_it_does_not_leave_the_board() -> None:
    # In one hex with its target at the north edge, and at the north-west corner.
    state = moving(state_of({"seat": "b", "hex": "1501"}, hex="1501"))
    assert simple(state) == "right"
    assert simple(moving(state_of({"seat": "b", "hex": "3001"}, hex="3001"))) == "left"


# AC-3: aim.


@pytest.mark.parametrize(
    ("attack", "span", "expected"),
    [
        # Chance in tenths times charge, by aim: (10 - range + aim) x (attack - 3 x aim).
        (7, 5, 0),  # 5 x 7 = 35, 6 x 4 = 24, 7 x 1 = 7
        (8, 8, 0),  # 2 x 8 = 16, 3 x 5 = 15, 4 x 2 = 8
        (8, 9, 1),  # 1 x 8 = 8, 2 x 5 = 10, 3 x 2 = 6
        (6, 9, 0),  # 1 x 6 = 6, 2 x 3 = 6: the least
        (8, 10, 1),  # without aim it can't hit; 1 x 5, 2 x 2
        (8, 1, 0),
    ],
)
def test_ac_3_the_aim_with_the_best_product(attack: int, span: int, expected: int) -> None:
    state = firing(state_of(foe(0, -span)), attack)
    assert simple(state) == {"target": "b1", "aim": expected}


def test_it_fires_at_its_target_or_else_at_the_nearest_that_it_can() -> None:
    assert simple(firing(state_of(foe(0, -4), foe(0, -3)), 5))["target"] == "b2"
    assert simple(firing(state_of(foe(0, 1), foe(0, -6), foe(0, -5)), 5))["target"] == "b3"


# Where the rules are silent.


def test_it_repairs_only_what_it_had_to() -> None:
    marked = {"weapon": 4, "shield": 4, "engine": 4, "hull": 2}
    state = repairing(state_of(foe(0, -4), marked=marked), 6)
    assert simple(state) == "weapon"
    assert simple(repairing(state_of(foe(0, -4), marked={"hull": 2}), 6)) == "hull"


def test_it_throws_no_energy_die_again() -> None:
    assert simple(rerolling()) == "keep"


def rerolling() -> State:
    """An elite crew may throw a 1 of its dice 1, 5, 8 again."""
    state = shown(state_of(foe(0, -4), crew="elite", rulings={"xp_effects": "on"}))
    return changed(
        state, dice=(1, 5, 8), settled=False, energy=Energy(attack=8, defence=5, movement=1)
    )


# Both: always an answer that is allowed.

ROWS = pairwise(GAME)


@pytest.mark.parametrize("bot", GAME.bots, ids=lambda bot: bot.id)
@pytest.mark.parametrize("number", range(len(ROWS) + 6))
def test_every_answer_is_allowed_in_random_positions(bot: Bot, number: int) -> None:
    """Random play leads to positions that no bot would fly into; there the bot is asked as well."""
    rng = random.Random(number)
    sitting = Sitting.open(GAME, squadrons(number), settlement(GAME, number, ROWS), number)
    while asked := askable(sitting):
        decision = asked[0]
        # `answer` shows a bot what its seat sees, and raises where it chooses what is blocked.
        value = bots.answer(GAME, sitting.state, decision, bot, rng).choice
        if rng.random() < 0.5:
            value = at_random(rng, decision)
        sitting.do(decision.seat, Answer(decision.id, value))
    assert sitting.state.result is not None


@settings(max_examples=300, deadline=None)
@given(
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 5),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_the_simple_captain_never_flies_straight_off_the_board(
    column: int, row: int, facing: int, its_column: int, its_row: int
) -> None:
    """A turn that WIS-AC-3 asks for may lead out or fail at the edge. Straight on it leaves by no choice."""
    board = {"columns": 6, "rows": 6}
    mine = {"hex": f"{column:02}{row:02}", "facing": facing}
    other = {"seat": "b", "hex": f"{its_column:02}{its_row:02}"}
    state = moving(Table(setup([mine, other], board=board)).state)
    ship = state.ships["a1"]
    if simple(state) == "ahead":
        assert ship.hex.ahead(facing) in state.board


# The admiral: what it reckons with.


@pytest.mark.parametrize("points", [1, 2, 3])
@pytest.mark.parametrize("marked", [Boxes(), Boxes(hull=3), Boxes(hull=5, weapon=4)])
def test_harm_is_the_mean_of_what_damage_dice_take(marked: Boxes, points: int) -> None:
    """By brute force over all dice, with the rules' own damage; systems by their mean only, so nearly."""
    ship = replace(state_of(foe(0, -4)).ships["a1"], marked=marked)
    lost = Fraction(0)
    for face in _throws(points):
        boxes = damage_rolled(ship, (points,), face).boxes
        after = marked
        for system in ("hull", "weapon", "shield", "engine", "power"):
            after = after.more(system, boxes.of(system))
        lost += Fraction(worth(ship) - worth(replace(ship, marked=after))) / 6**points
    assert harm(ship, points) == pytest.approx(float(lost), rel=0.08)


def _throws(dice: int) -> list[tuple[int, ...]]:
    throws: list[tuple[int, ...]] = [()]
    for _ in range(dice):
        throws = [(*throw, face) for throw in throws for face in WHERE]
    return throws


def test_harm_grows_with_damage_and_never_beyond_the_ship() -> None:
    ship = state_of(foe(0, -4)).ships["a1"]
    losses = [harm(ship, points) for points in range(30)]
    assert losses[0] == 0
    assert all(more > less - 1e-9 for less, more in itertools.pairwise(losses))
    assert losses[-1] == pytest.approx(worth(ship), rel=0.01)


def test_energy_of_a_card_adds_up_to_one() -> None:
    ship = state_of(foe(0, -4), marked={"power": 1}).ships["a1"]
    for choice in allowed_cards(ship):
        for use in ("attack", "defence", "movement", "dc"):
            assert sum(energy(exact, ship, choice, use).values()) == pytest.approx(1)


def test_a_chase_keeps_all_chances_and_turns_towards_the_prey() -> None:
    state = state_of(foe(3, 0, 2))
    poses = after_chase(exact, state.board, state.ships["b1"], MIDDLE)
    assert sum(poses.values()) == pytest.approx(1)
    # It flies south-east with speed 2. The d8 beats 2 with 6 in 8: both turns succeed with 36 in 64.
    start = state.ships["b1"].hex
    assert poses[Pose(start.ahead(3).ahead(4), 4)] == pytest.approx(36 / 64)
    assert poses[Pose(start.ahead(2, 2), 2)] == pytest.approx(4 / 64)


def test_fire_of_a_side_is_worth_no_less_than_any_other() -> None:
    """Against every plan that there is, for two ships and two targets."""
    others = [{"hex": at(1, 0)}, foe(0, -3, marked={"hull": 5}), foe(1, -4)]
    state = firing(state_of(*others), 7)
    state = changed(state, "a2", energy=Energy(attack=5))
    found = plan_worth(exact, state, fire_plan(exact, state, "a"))
    one = [Aim(name, aim) for name in ("b1", "b2") for aim in (0, 1, 2)]
    two = [Aim(name, aim) for name in ("b1", "b2") for aim in (0, 1)]
    every = (plan_worth(exact, state, {"a1": first, "a2": then}) for first in one for then in two)
    assert found == pytest.approx(max(every))


# The admiral: what it must not miss.


def odds(state: State) -> Any:
    """What the admiral answers; it needs no dice."""
    return answer(admiral.BOT, state)


def test_it_finishes_off_the_one_that_is_nearly_gone() -> None:
    state = firing(state_of(foe(0, -4), foe(1, -5, marked={"hull": 6})), 7)
    assert odds(state)["target"] == "b2"


def test_it_does_not_fire_at_a_defence_that_holds() -> None:
    state = firing(state_of(foe(0, -2), foe(0, -5)), 5)
    assert odds(changed(state, "b1", energy=Energy(defence=8)))["target"] == "b2"


def test_two_ships_fire_together_at_a_defence_that_holds_one() -> None:
    state = firing(state_of({"hex": at(1, 0)}, foe(0, -3), foe(1, -3)), 6)
    state = changed(state, "a2", energy=Energy(attack=6))
    for name in ("b1", "b2"):
        state = changed(state, name, energy=Energy(defence=9))
    plan = fire_plan(exact, state, "a")
    assert plan["a1"].target == plan["a2"].target


def test_it_attacks_one_that_can_t_fire_back() -> None:
    # Three hexes ahead of it, with its stern to it.
    state = state_of(foe(0, -3, 0))
    assert served(state, odds(state))[0] == ATTACK


def test_it_does_not_spend_a_card_on_an_enemy_out_of_reach() -> None:
    state = state_of({"seat": "b", "hex": "1522"}, hex="1503", facing=0)
    assert served(state, odds(state))[0] == MOVEMENT


def test_it_mends_the_hull_box_that_makes_it_a_cripple() -> None:
    # With 4 of 7 Hull boxes marked half its points are given away; no enemy is near.
    state = state_of({"seat": "b", "hex": "0122"}, hex="3001", facing=3, marked={"hull": 4})
    assert odds(state)["dc"]
    assert odds(repairing(state, 6)) == "hull"


def test_it_turns_in_behind_an_enemy_that_has_moved() -> None:
    assert odds(moving(state_of(foe(3, 0, 2)))) in ("right", "right-2")


def test_it_turns_away_from_the_edge() -> None:
    state = moving(state_of(foe(0, 8, 0), hex="1502", facing=0))
    assert odds(state) != "ahead"


def test_it_leaves_the_board_with_its_last_ship_when_that_wins() -> None:
    # The other side has lost a Dreadnought; its own cripple withdraws at no price, and the game is over.
    gone = foe(0, -6, kind="dreadnought")
    state = state_of(foe(0, 3, 0), gone, hex="1501", facing=0, marked={"hull": 6})
    state = moving(changed(state, "b2", status="destroyed", lost=1))
    assert odds(state) == "ahead"


def test_it_does_not_leave_the_board_with_a_sound_ship() -> None:
    state = moving(state_of(foe(0, 3, 0), hex="1502", facing=0, speed=2))
    assert odds(state) not in ("ahead", "ahead-all")


def test_it_throws_the_worst_die_again() -> None:
    # A 1 becomes 4.5 in the mean.
    assert odds(rerolling()) == 0


def test_it_sees_no_card_that_lies_face_down() -> None:
    """Whatever the enemy has played, the answer is the same, even if it could look."""
    state = state_of(foe(0, -4, 3))
    answers = {
        str(odds(changed(state, "b1", order=Secret(hidden, ("b",)))))
        for hidden in allowed_cards(state.ships["b1"])
    }
    assert len(answers) == 1


def test_a_fast_ship_is_thought_through_as_far_as_a_slower_one() -> None:
    """The work must not grow with speed: three to the power of its hexes would."""
    state = moving(state_of(foe(3, -6, 3), kind="frigate", speed=12), "b1")
    plan = Outlook(exact, state, state.ships["a1"]).plan(12, 0)
    assert (plan.left, plan.before) == (FARTHEST, 12 - FARTHEST)
    # No d10 beats 12, so it leaves by the north edge, eleven hexes away.
    assert plan.worth() == plan.outlook.leaving < 0


def test_it_answers_alike_when_it_sees_alike() -> None:
    state = state_of(foe(2, -6, 3), foe(-3, -2, 1))
    assert [odds(state) for _ in range(3)] == [odds(state)] * 3
    # What it remembers must not show either: a position in between changes nothing.
    first = odds(moving(state, "b1"))
    odds(changed(state, marked=Boxes(hull=1)))
    assert odds(moving(state, "b1")) == first


def test_captains_fight_it_out_as_the_house_values_mean_them_to() -> None:
    """Without an edge and in 20 turns: 9 to 13 turns in the mean, and a side wiped out in 70 to 90 % of games."""
    duel = GAME.scenarios["duel"].setup
    middle = {"home-1": "4942", "rim-1": "4954"}
    afar = {
        **duel,
        "board": {"columns": 99, "rows": 99},
        "turns": 20,
        "ships": [{**ship, "hex": middle[ship["id"]]} for ship in duel["ships"]],
    }
    seats = {"home": "captain", "rim": "captain"}
    played = [play_one(GAME, afar, {}, seats, seed) for seed in range(60)]
    assert 0.7 <= sum(one.reason != "turns" for one in played) / len(played) <= 0.9
    assert 9 <= sum(one.turns for one in played) / len(played) <= 13


FIRST_ANSWER = """
import random, sys
from app import bots
from app.engine.sequence import open_decisions, todo
from tests.games.war_in_space.table import GAME, Table
state = Table(GAME.scenarios["squadron-action"].setup).state
known = set(sys.modules)
bots.answer(GAME, state, open_decisions(todo(GAME, state))[0], GAME.bots[1], random.Random(1))
print(*sorted(set(sys.modules) - known))
"""


def test_the_first_answer_of_a_process_waits_for_no_library() -> None:
    """To load the one that computes odds takes longer than to answer."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_ANSWER], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["home", "rim"])
def test_the_admiral_beats_the_captain(seat: str) -> None:
    """Far below the rate of docs/captains.md, so that only a broken admiral fails."""
    seats = {"home": "captain", "rim": "captain", seat: "admiral"}
    duel = GAME.scenarios["duel"].setup
    played = [play_one(GAME, duel, {}, seats, seed) for seed in range(40)]
    assert sum(outcome.winners == (seat,) for outcome in played) >= 28


def test_games_of_bots_repeat() -> None:
    setup_data = GAME.scenarios["duel"].setup
    seats = {"home": "admiral", "rim": "captain"}
    one, two = (play_one(GAME, setup_data, {}, seats, 5) for _ in range(2))
    assert (one.winners, one.turns, one.scores) == (two.winners, two.turns, two.scores)
    assert one.decisions == two.decisions
