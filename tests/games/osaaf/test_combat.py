"""Combat (CB): who fires when, at whom, with what, the roll and its odds, and what hits do."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from app.engine.errors import Illegal
from app.engine.hexes import Hex, at
from app.engine.log import Event
from app.engine.sequence import Roll
from app.games.osaaf.combat import behind, damage_chance, in_front
from app.games.osaaf.events import (
    AttackChosen,
    Attacked,
    EnergyRolled,
    FireHeld,
    Modifier,
    NoShot,
    OrderSet,
    ShotDown,
)
from app.games.osaaf.model import Arm, Quality
from app.odds import exact
from tests.games.osaaf.table import GAME, Table, attack, in_combat, plan, setup, shots

HERE = at(15, 14)
GUN = {"gun": {"quality": "medium", "shots": 4}}
ALL = {arm: {"quality": "medium", "shots": 4} for arm in ("gun", "heat_seeker", "radar_missile")}
THROWS = list(product(range(1, 7), repeat=3))
PLACE = {"low": 0, "medium": 1, "high": 2}
TABLE: dict[str, tuple[int, int, int]] = {
    "gun": (1, 3, 1),
    "heat_seeker": (2, 6, 2),
    "radar_missile": (4, 10, 3),
}
"""The weapons table by hand: least and most range, levels apart at most."""


def off(q: int, r: int) -> str:
    return (HERE + Hex(q, r)).label


def shooter(**changes: Any) -> dict[str, Any]:
    return {"hex": HERE.label, "card": ALL, **changes}


def target(q: int = 0, r: int = -2, facing: int = 0, **changes: Any) -> dict[str, Any]:
    return {"seat": "red", "hex": off(q, r), "facing": facing, **changes}


def bait() -> dict[str, Any]:
    """An enemy that a radar missile reaches, so that there is always something to choose."""
    return target(0, -9)


def cites(table: Table, kind: type[Event]) -> list[str | None]:
    return [one.cite for one in table.happenings if isinstance(one.event, kind)]


# CB-1: the order, and who fires at all.

HEAD_ON = [
    shooter(card=GUN),
    target(facing=3, card=GUN),
    shooter(hex=off(0, 1), card=GUN),
]
"""a and c, one behind the other, have b in front of them, and b has both in front."""


def holds(table: Table) -> list[str]:
    """Everybody holds fire; in which order they were asked."""
    asked: list[str] = []
    while table.state.phase == "combat" and table.state.turn == 1:
        asked.append(table.decision.unit or "")
        table.choose("hold")
    return asked


def test_the_highest_initiative_fires_first() -> None:
    table = in_combat(HEAD_ON, initiative=(2, 5, 3))
    assert [order.jets for order in table.facts(OrderSet)] == [("a", "c", "b")]
    assert table.decision.why == "highest initiative (6)"
    assert table.decision.cite == "OSAAF-CB-1"
    table.choose("hold")
    assert table.decision.why == "next highest initiative (4)"
    assert ["b", *holds(table)] == ["b", "c", "a"]
    assert [held.jet for held in table.facts(FireHeld)] == ["b", "c", "a"]
    assert set(cites(table, FireHeld)) == {"OSAAF-CB-1"}


def test_who_lost_the_roll_off_in_energy_fires_later() -> None:
    table = in_combat(HEAD_ON, initiative=(4, 4, 1, 6, 2))  # a and b tie; then a 6, b 2
    assert [order.jets for order in table.facts(OrderSet)] == [("c", "b", "a")]
    assert holds(table) == ["a", "b", "c"]


def test_without_initiative_the_last_of_the_list_fires_first() -> None:
    table = in_combat(HEAD_ON)
    assert table.decision.why == "last of those still to attack in the list of units"
    assert holds(table) == ["c", "b", "a"]


@pytest.mark.parametrize("stall", ["on", "off"])
def test_a_stalled_jet_does_not_fire(stall: str) -> None:
    """CB-1 names unstalled jets only, so it holds whether stalls fall or not."""
    jets = [shooter(stalled=True, altitude=5 if stall == "on" else 4), target()]
    table = in_combat(jets, rulings={"stall": stall})
    assert table.jet("a").stalled
    assert table.jet("a").altitude == table.jet("b").altitude == 5
    assert table.state.turn == 2
    assert {fact.jet for fact in table.facts(NoShot)} == {"b"}


def test_results_count_at_once_and_the_dead_do_not_fire() -> None:
    table = in_combat(HEAD_ON)
    table.choose(attack("gun"), (6, 6, 6))  # c, head-on
    assert table.jet("b").hits == 1
    assert table.decision.unit == "b"
    table.choose("hold")
    table.choose(attack("gun"), (5, 5, 5))
    assert table.jet("b").status == "shot-down"

    again = in_combat([*HEAD_ON[:2], target(0, -1, 3, card=GUN)])
    again.choose(attack("gun", "a"), (5, 5, 5))  # c
    again.choose(attack("gun", "a"), (5, 5, 5))  # b
    assert [down.by for down in again.facts(ShotDown)] == ["b"]
    assert again.state.phase != "combat", "a went down before its turn to fire"


def test_damage_lowers_the_score_of_who_fires_next() -> None:
    table = in_combat(HEAD_ON[:2])
    table.choose(attack("gun", "a"), (5, 5, 5))
    assert table.decision.unit == "a"
    assert shots(table)["gun", "b"].detail == "range 2, same altitude; −1 attacker damaged"
    table.choose(attack("gun"), (1, 5, 6))
    rolled = table.facts(Attacked)[1]
    assert rolled.modifiers == (Modifier("attacker damaged", -1),)
    assert (rolled.score, rolled.hit) == (4, False)


def test_nobody_fires_at_friends_or_at_nobody() -> None:
    friends = in_combat([shooter(), {"hex": off(0, -2)}, bait()])
    assert {other for _, other in shots(friends)} == {"c"}
    alone = in_combat([shooter(), {"hex": off(0, -2)}])
    assert alone.state.turn == 2
    assert not alone.facts(NoShot)


def test_without_combat_nobody_is_asked() -> None:
    table = in_combat(HEAD_ON, rulings={"combat": "off"})
    assert table.state.turn == 2
    assert not table.facts(NoShot)


def test_who_has_no_shot_is_told_why() -> None:
    lines = {}
    for place, jets in {
        "behind": [shooter(), target(0, 2)],
        "far": [shooter(), target(0, -11)],
        "unarmed": [shooter(card={}), target()],
        "high": [shooter(card=GUN), target(altitude=8)],
    }.items():
        table = in_combat(jets)
        [fact] = [one for one in table.facts(NoShot) if one.jet == "a"]
        assert set(cites(table, NoShot)) == {"OSAAF-CB-3"}
        lines[place] = GAME.tell(fact, {"a": "Jet A", "b": "Jet B"}).text
    assert lines == {
        "behind": "Jet A has no shot at Jet B: the target is not in the front arc.",
        "far": (
            "Jet A has no shot at Jet B: gun, 11 hexes away, and it reaches 1 to 3; heat-seeker, "
            "11 hexes away, and it reaches 2 to 6; radar missile, 11 hexes away, and it reaches 4 to 10."
        ),
        "unarmed": "Jet A has no shot at Jet B: it carries no weapon.",
        "high": "Jet A has no shot at Jet B: 3 levels apart, and 1 at most.",
    }


# CB-2: arcs, against angles.


def bearing(offset: Hex, facing: int) -> float:
    """Degrees off the nose, 0 to 180, by the centres of flat-top hexes."""
    east, south = 1.5 * offset.q, math.sqrt(3) * (offset.r + offset.q / 2)
    clockwise = math.degrees(math.atan2(east, -south))
    return abs((clockwise - 60 * facing + 180) % 360 - 180)


NEAR = 1e-6
"""Within 10 hexes no centre that is off a border is nearer to it than a degree."""


@pytest.mark.parametrize("facing", range(6))
def test_arcs_equal_angles(facing: int) -> None:
    jet = msgspec.structs.replace(in_combat([shooter()]).jet(), facing=facing)
    borders = 0
    for q, r in product(range(-10, 11), repeat=2):
        offset = Hex(q, r)
        if max(abs(q), abs(r), abs(q + r)) > 10 or offset == Hex(0, 0):
            continue
        angle = bearing(offset, facing)
        borders += abs(angle - 30) < NEAR
        assert abs(angle - 30) < NEAR or abs(angle - 30) > 1
        other = msgspec.structs.replace(jet, hex=jet.hex + offset)
        assert in_front(jet, other) == (angle < 30 + NEAR), offset
        assert behind(jet, other) == (angle > 150 - NEAR), offset
    assert borders == 10, "every second hex of each border lies on it"


def test_nothing_is_in_front_of_itself() -> None:
    jet = in_combat([shooter()]).jet()
    assert not in_front(jet, jet)
    assert not behind(jet, jet)


# CB-3: the weapons table, both sides of each border.


def refusal(table: Table, arm: str) -> str | None:
    """The rule that forbids an attack on b; it is refused by the same one when it is tried."""
    blocked = shots(table)[arm, "b"].blocked
    if blocked is None:
        return None
    with pytest.raises(Illegal) as refused:
        table.choose(attack(arm))
    assert refused.value.cite == blocked.cite
    return blocked.cite


@pytest.mark.parametrize("arm", TABLE)
@pytest.mark.parametrize("span", range(1, 12))
def test_range(arm: str, span: int) -> None:
    least, most, _ = TABLE[arm]
    table = in_combat([shooter(), target(0, -span), bait()])
    assert refusal(table, arm) == (None if least <= span <= most else "OSAAF-CB-3")


@pytest.mark.parametrize("arm", TABLE)
@pytest.mark.parametrize("levels", [-4, -3, -2, -1, 0, 1, 2, 3, 4])
def test_levels_apart(arm: str, levels: int) -> None:
    least, most, apart = TABLE[arm]
    there = target(0, -(least + most) // 2, altitude=5 + levels)
    table = in_combat([shooter(), there, bait()])
    assert refusal(table, arm) == (None if abs(levels) <= apart else "OSAAF-CB-3")


FAR = [(0, -4), (1, -4), (2, -4), (-1, -3), (-2, -2)]
CLOSE = [(0, -3), (1, -3), (1, -2), (-1, -2), (-1, -1)]


@pytest.mark.parametrize(
    ("arm", "place"), [(arm, place) for arm in TABLE for place in (CLOSE if arm == "gun" else FAR)]
)
@pytest.mark.parametrize("facing", range(6))
def test_aspect(arm: str, facing: int, place: tuple[int, int]) -> None:
    """Only a heat-seeker minds from where it comes."""
    from_behind = bearing(Hex(-place[0], -place[1]), facing) > 150 - NEAR
    table = in_combat([shooter(), target(*place, facing), bait()])
    free = arm != "heat_seeker" or from_behind
    assert refusal(table, arm) == (None if free else "OSAAF-CB-3")
    if free:
        assert ("+1 in the target's rear arc" in shots(table)[arm, "b"].detail) is from_behind


@pytest.mark.parametrize("arm", TABLE)
def test_the_same_hex(arm: str) -> None:
    table = in_combat([shooter(), target(0, 0), bait()])
    assert refusal(table, arm) == "OSAAF-CB-3"
    blocked = shots(table)[arm, "b"].blocked
    assert blocked is not None
    assert blocked.reason == "in the same hex"


@pytest.mark.parametrize("arm", TABLE)
def test_beside_the_front_arc(arm: str) -> None:
    table = in_combat([shooter(), target(2, -1), bait()])
    assert refusal(table, arm) == "OSAAF-CB-2"


def test_what_can_be_done_comes_first() -> None:
    table = in_combat([shooter(card=GUN), target(), bait()])
    assert [(one.label, one.blocked is None) for one in table.decision.all_options] == [
        ("Gun at Jet B", True),
        ("Hold fire", True),
        ("Gun at Jet C", False),
    ]


# CB-4, CB-5: the roll.

SIX = list(product((False, True), repeat=6))


@pytest.mark.parametrize("case", SIX, ids=lambda case: "".join("+" if one else "-" for one in case))
def test_modifiers_alone_and_together(case: tuple[bool, ...]) -> None:
    aim, rear, stalled, target_jinks, jinks, damaged = case
    jets = [
        shooter(plan={"aim": aim, "jink": jinks}, hits=int(damaged)),
        target(facing=0 if rear else 3, stalled=stalled, plan={"jink": target_jinks}),
    ]
    table = in_combat(jets)
    assert table.jet("b").stalled is stalled
    added = aim + rear + stalled - target_jinks - jinks - damaged
    option = shots(table)["gun", "b"]
    assert option.odds is not None
    assert exact(option.odds.chance) == counted("gun", "medium", added)
    table.choose(attack("gun"), (2, 4, 6))
    [rolled] = table.facts(Attacked)
    assert [modifier.value for modifier in rolled.modifiers] == [1] * (aim + rear + stalled) + [
        -1
    ] * (target_jinks + jinks + damaged)
    assert rolled.score == 4 + added
    assert rolled.hit is (added > 0)
    assert rolled.damage == (0 if added <= 0 else 2 if added == 3 else 1)


def counted(arm: str, quality: str, added: int) -> dict[int, Fraction]:
    """The chances of each damage, every throw counted."""
    found: dict[int, Fraction] = {}
    for faces in THROWS:
        score = sorted(faces)[PLACE[quality]] + added
        done = 0 if score <= 4 else 1 if arm == "gun" and score < 7 else 2
        found[done] = found.get(done, Fraction(0)) + Fraction(1, len(THROWS))
    return found


@pytest.mark.parametrize("arm", TABLE)
@pytest.mark.parametrize("quality", PLACE)
@pytest.mark.parametrize("added", range(-3, 4))
def test_odds_equal_every_throw(arm: Arm, quality: Quality, added: int) -> None:
    assert exact(damage_chance(arm, quality, added)) == counted(arm, quality, added)


@pytest.mark.parametrize("arm", TABLE)
@pytest.mark.parametrize("quality", PLACE)
def test_odds_that_are_offered_are_what_the_rolls_make(arm: str, quality: str) -> None:
    card = {arm: {"quality": quality, "shots": 4}}
    table = in_combat(
        [shooter(card=card, plan={"aim": True}), target(0, -3 if arm == "gun" else -4)]
    )
    option = shots(table)[arm, "b"]
    assert option.odds is not None
    table.choose(attack(arm))
    assert isinstance(table.step, Roll)
    assert table.step.odds is not None
    rolled = [table.step.happen(faces) for faces in THROWS]
    thrown = counted(arm, quality, 2)  # aim, and from behind
    made: dict[int, Fraction] = {}
    for one in rolled:
        assert isinstance(one, Attacked)
        made[one.damage] = made.get(one.damage, Fraction(0)) + Fraction(1, len(THROWS))
    assert made == exact(option.odds.chance) == exact(table.step.odds.chance) == thrown


@pytest.mark.parametrize(
    ("arm", "quality", "facing", "aim", "chance", "percent"),
    [
        ("gun", "medium", 3, False, Fraction(7, 27), 26),  # two of three dice show 5 or more
        ("gun", "medium", 0, False, Fraction(1, 2), 50),  # 4 or more
        ("gun", "medium", 0, True, Fraction(20, 27), 74),  # 3 or more
        ("heat_seeker", "low", 0, False, Fraction(1, 8), 12),  # all three show 4 or more
        ("heat_seeker", "low", 0, True, Fraction(8, 27), 30),  # 3 or more
    ],
)
def test_the_chances_that_the_rules_state(
    arm: str, quality: str, facing: int, aim: bool, chance: Fraction, percent: int
) -> None:
    card = {arm: {"quality": quality, "shots": 4}}
    table = in_combat([shooter(card=card, plan={"aim": aim}), target(facing=facing)])
    odds = shots(table)[arm, "b"].odds
    assert odds is not None
    assert 1 - exact(odds.chance)[0] == chance
    assert abs(float(chance) * 100 - percent) <= 0.5


def test_gun_sevens_do_two() -> None:
    for faces, damage in (((4, 4, 4), 1), ((5, 5, 5), 2)):
        table = in_combat([shooter(plan={"aim": True}), target(card={"toughness": 3})])
        table.choose(attack("gun"), faces)
        assert table.jet("b").hits == damage


@pytest.mark.parametrize("arm", ["heat_seeker", "radar_missile"])
def test_a_missile_does_two_whatever_it_scores(arm: str) -> None:
    for faces in ((4, 4, 4), (6, 6, 6)):
        there = target(0, -4, card={"toughness": 4})
        table = in_combat([shooter(plan={"aim": True}), there])
        table.choose(attack(arm), faces)
        assert table.jet("b").hits == 2


# CB-6: one burst or missile each.


@pytest.mark.parametrize("faces", [(1, 1, 1), (6, 6, 6)])
@pytest.mark.parametrize("arm", TABLE)
def test_an_attack_uses_one_shot_hit_or_miss(arm: str, faces: tuple[int, ...]) -> None:
    table = in_combat([shooter(), target(0, -3 if arm == "gun" else -4, card={"toughness": 4})])
    table.choose(attack(arm), faces)
    left = {one: table.jet().stores.of(one) for one in TABLE}  # pyright: ignore[reportArgumentType]
    assert left == {**dict.fromkeys(TABLE, 4), arm: 3}
    assert [chosen.range for chosen in table.facts(AttackChosen)] == [3 if arm == "gun" else 4]


def test_holding_fire_uses_nothing() -> None:
    table = in_combat([shooter(), target()])
    table.choose("hold")
    assert {table.jet().stores.of(arm) for arm in ("gun", "heat_seeker", "radar_missile")} == {4}


@pytest.mark.parametrize(
    ("arm", "reason"),
    [
        ("gun", "no bursts left"),
        ("heat_seeker", "no heat-seekers left"),
        ("radar_missile", "no radar missiles left"),
    ],
)
def test_with_none_left_there_is_no_attack(arm: str, reason: str) -> None:
    jets = [shooter(**{arm: 0}), target(0, -2), target(0, -5)]
    table = in_combat(jets)
    assert refusal(table, arm) == "OSAAF-CB-6"
    blocked = shots(table)[arm, "b"].blocked
    assert blocked is not None
    assert blocked.reason == reason


def test_one_attack_a_turn_and_the_cost_is_shown() -> None:
    table = in_combat([shooter(gun=2), target(), bait()])
    offered = shots(table)
    assert offered["gun", "b"].cost == "−1 burst of 2"
    assert offered["radar_missile", "c"].cost == "−1 missile of 4"
    table.choose(attack("gun"), (1, 1, 1))
    assert table.state.turn == 2


# CB-7: damage.


@pytest.mark.parametrize(
    ("factor", "hits", "worse"), [(3, 0, 3), (3, 1, 4), (3, 2, 4), (4, 2, 5), (5, 1, 5), (1, 2, 2)]
)
def test_a_damaged_jet_has_a_factor_one_worse_once(factor: int, hits: int, worse: int) -> None:
    jet = {
        "hits": hits,
        "speed": 4,
        "altitude": 2,
        "card": {"toughness": 3, "energy_factor": factor},
    }
    table = Table(setup([jet]), [(1,)])
    [option] = [one for one in table.decision.all_options if one.value == plan(2)]
    assert option.odds is not None
    # At altitude 2 the highest of three dice counts; then drag.
    expected: dict[int, Fraction] = {}
    for faces in THROWS:
        speed = 4 + (max(faces) > worse) - 1
        expected[speed] = expected.get(speed, Fraction(0)) + Fraction(1, 216)
    assert exact(option.odds.chance) == expected
    assert option.then is not None
    level = dict(option.then())["Level at altitude 2"]
    assert exact(level.chance) == expected
    table.choose(plan(2))
    assert isinstance(table.step, Roll)
    assert table.step.odds is not None
    gained = sum(
        (chance for gain, chance in exact(table.step.odds.chance).items() if gain), Fraction(0)
    )
    assert gained == expected.get(4, Fraction(0))
    table.roll((1, 1, worse))
    [rolled] = table.facts(EnergyRolled)
    assert (rolled.factor, rolled.gain) == (worse, 0)
    unit = GAME.units(table.state, frozenset())[0]
    assert unit.fields["energy_factor"] == worse
    assert ("damaged" in unit.states) is (hits > 0)


def test_hits_of_this_turn_slow_the_next() -> None:
    table = in_combat([shooter(), target(facing=3, card={"energy_factor": 2})])
    table.choose(attack("gun"), (5, 5, 5))
    table.choose(plan(), (1, 1, 1, 1, 1))
    table.choose(0)
    table.choose(plan(), (3, 3, 3, 3, 3))  # equal to 2 and 1 worse
    assert table.facts(EnergyRolled)[-1].factor == 3
    assert table.facts(EnergyRolled)[-1].gain == 0


@pytest.mark.parametrize("toughness", [1, 2, 3])
@pytest.mark.parametrize("damage", [1, 2])
@pytest.mark.parametrize("before", [0, 1])
def test_as_many_hits_as_toughness_destroy(toughness: int, damage: int, before: int) -> None:
    hits = min(before, toughness - 1)
    jets = [shooter(), target(card={"toughness": toughness}, hits=hits)]
    table = in_combat(jets)
    table.choose(attack("gun"), (4, 4, 4) if damage == 1 else (6, 6, 6))
    down = hits + damage >= toughness
    assert table.jet("b").status == ("shot-down" if down else "flying")
    assert [(one.by, one.hits, one.toughness) for one in table.facts(ShotDown)] == (
        [("a", hits + damage, toughness)] if down else []
    )
    assert set(cites(table, ShotDown)) <= {"OSAAF-CB-7"}
    assert table.jet("b").lost == (1 if down else None)


def test_without_combat_hits_of_the_set_up_count_for_nothing() -> None:
    """CB-7 is part of the block that is off."""
    jet = {"hits": 1, "seat": "red", "card": {"energy_factor": 3}}
    table = Table(setup([jet, {}], turns=1), rulings={"combat": "off", "initiative": "off"})
    assert table.jet().energy_factor == 3
    table.choose(plan(), (4, 4, 4, 4, 4))
    assert table.facts(EnergyRolled)[0].gain == 3
