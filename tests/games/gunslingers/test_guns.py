"""Guns and damage (GS-C-1 to GS-C-12): vectors by their ids, windows, rolls, and what hits add up to."""

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.errors import Illegal
from app.engine.sequence import Decision, evolve
from app.games.gunslingers.flight.activation import began
from app.games.gunslingers.flight.cards import printed_cards
from app.games.gunslingers.guns.eligible import target_blocked, to_hit
from app.games.gunslingers.guns.facts import (
    BurstRolled,
    CollisionRolled,
    DamageRolled,
    GunDeclared,
    GunHeld,
    NoShot,
    SystemsRolled,
)
from app.games.gunslingers.guns.hits import (
    SEVERITY,
    accumulated,
    damage_parts,
    result_of,
    worsened,
)
from app.games.gunslingers.model import Move, State, Wound
from app.games.gunslingers.radar.numbers import barred
from app.odds import exact
from tests.games.gunslingers.combat import Course, gunnery, moving, shooter, target
from tests.games.gunslingers.table import GAME

BURST = {"target": "b", "snap": False}
SNAP = {"target": "b", "snap": True}


def hits_on(state: State, *, snap: bool = False) -> int:
    """The highest die with which "a" hits "b"."""
    return to_hit(state, state.aircraft["a"], state.aircraft["b"], snap=snap).reach


def why_not(state: State) -> str | None:
    blocked = target_blocked(state, state.aircraft["a"], state.aircraft["b"])
    return blocked.cite if blocked else None


# Vectors.


def test_tv_63() -> None:
    """F-4E gun, range 1, on the 0 line: 7 hits; after a hard turn 6."""
    assert hits_on(moving(shooter(), target())) == 7
    assert hits_on(moving(shooter(sight_rate="HT"), target())) == 6


@pytest.mark.parametrize(
    ("rating", "vulnerability", "snap", "face", "margin", "result"),
    [
        (6, 0, False, 4, 2, "K"),
        (5, -1, False, 6, 0, "C"),
        (5, 0, False, 9, -4, "L"),
        (5, 0, True, 10, -6, ""),
    ],
)
def test_tv_64(
    rating: int, vulnerability: int, snap: bool, face: int, margin: int, result: str
) -> None:
    wound = Wound(target="b", rating=rating, cause="guns", bonus=-1 if snap else 0)
    parts = damage_parts(wound, damaged=False, vulnerability=vulnerability)
    assert rating + sum(part.amount for part in parts if part.lit) - face == margin
    assert result_of(margin) == result


def test_tv_65() -> None:
    """A direct missile hit rating 7, die 8: margin 1, crippled."""
    wound = Wound(target="b", rating=7, cause="missile", direct=True)
    parts = damage_parts(wound, damaged=False, vulnerability=0)
    margin = 7 + sum(part.amount for part in parts if part.lit) - 8
    assert (margin, result_of(margin)) == (1, "C")


def test_tv_66() -> None:
    assert accumulated(("L", "L", "L")) == "H"
    assert accumulated(("L", "L", "L", "H")) == "C"
    assert accumulated(("L", "L", "L", "H", "H")) == "K"


@pytest.mark.parametrize(("place", "reach"), [("2015", 3), ("2014", 1)])
def test_tv_81(place: str, reach: int) -> None:
    """F-4E on the 180 line: 3 or less at range 0, 1 at range 1."""
    state = moving(shooter(), target(place=place, facing=6))
    assert hits_on(state) == reach
    assert why_not(state) is None


def test_tv_81_too_far() -> None:
    state = moving(shooter(), target(place="2013", facing=6))
    assert hits_on(state) == -1
    assert why_not(state) == "GS-C-2"
    assert gunnery(state).todo is None


def test_tv_83() -> None:
    """Head-on: a collision is rolled for at the same place and level only, after both shots."""
    away = gunnery(moving(shooter(sighted=True), target(place="2014", facing=6))).go(
        BURST, "full", 10, 10
    )
    assert away.facts(CollisionRolled) == []
    assert away.state.fire is None
    close = gunnery(moving(shooter(sighted=True), target(place="2015", facing=6))).go(
        BURST, "full", 10, 10
    )
    assert close.roll.id == "ram:a"
    close.go(1)
    assert [wound.rating for wound in close.state.wounds] == [8, 8]
    assert {wound.target for wound in close.state.wounds} == {"a", "b"}
    both = close.go(1, 1)
    assert [both.state.aircraft[one].status for one in "ab"] == ["killed", "killed"]
    assert both.state.claims == ()  # nobody's kills
    past = gunnery(moving(shooter(sighted=True), target(place="2015", facing=6))).go(
        BURST, "hold", 10, 2
    )
    assert past.state.wounds == ()
    assert past.todo is None


# Legal windows (GS-C-1).


def test_no_window_before_the_first_flight_point() -> None:
    assert gunnery(moving(shooter(), target(), flown=0)).todo is None


@pytest.mark.parametrize(
    ("mine", "other", "cite"),
    [
        ({}, {"sighted": False}, "GS-C-1"),
        ({"saw": ()}, {}, "GS-VIS-11"),
        ({}, {"place": "2012"}, "GS-G-17"),
        ({}, {"altitude": 20}, "GS-C-1"),
        ({}, {"altitude": 19}, None),
        ({}, {"place": "2015", "altitude": 19}, "GS-C-1"),
        ({"flight_type": "ZC"}, {"altitude": 17}, "GS-C-1"),
        ({"flight_type": "ZC"}, {"altitude": 20}, None),
        ({"flight_type": "SD"}, {"altitude": 19}, "GS-C-1"),
        ({"flight_type": "SD"}, {"altitude": 16}, None),
    ],
)
def test_targets(mine: dict[str, Any], other: dict[str, Any], cite: str | None) -> None:
    state = moving(shooter(**mine), target(**other))
    assert why_not(state) == cite
    assert (gunnery(state).todo is None) == (cite is not None)


@pytest.mark.parametrize(
    "changes",
    [
        {"ammo": 0.0},
        {"gun_shots": 2},
        {"recovery": 1},
        {"move": Move(fps=5, band="MH", half_roll=True)},
        {"engaged": True},
        {"no_attacks": True},
        {"damage_control": True},
        {"damage": "C", "hits": ("C",)},
        {"out": ("guns",)},
        {"condition": "disoriented"},
        {"card_with": {"gun": None}},
    ],
)
def test_what_keeps_a_shooter_from_firing(changes: dict[str, Any]) -> None:
    assert isinstance(gunnery(moving(shooter(), target())).todo, Decision)
    assert gunnery(moving(shooter(**changes), target())).todo is None


def test_no_attack_is_one_choice_and_not_asked_again() -> None:
    course = gunnery(moving(shooter(), target()))
    assert course.decision.all_options[0].value == "hold"
    assert course.go("hold").todo is None
    assert len(course.facts(GunHeld)) == 1


def test_a_planned_shot_needs_no_choice() -> None:
    course = gunnery(moving(shooter(), target(), left=("G", "H"))).go()
    assert course.facts(GunDeclared)[0].burst.snap is False
    assert course.state.activation is not None
    assert course.state.activation.left == ("H",)
    assert course.roll.id == "burst:a"


def test_a_planned_shot_at_nobody_is_told_and_passed() -> None:
    course = gunnery(moving(shooter(), target(place="2010"), left=("G", "H"))).go()
    assert course.facts(NoShot)[0].why == "not in the gun field"
    assert course.todo is None


def test_who_can_t_be_hit_is_shown_with_the_reason() -> None:
    state = moving(shooter(saw=("b", "c")), target(), target(place="2010"))
    options = gunnery(state).decision.all_options
    shut = [option for option in options if option.blocked]
    assert [option.blocked.cite for option in shut if option.blocked] == ["GS-G-17"]
    with pytest.raises(Illegal):
        gunnery(state).go({"target": "c", "snap": False})


def test_half_a_burst_that_can_t_hit_is_not_fired() -> None:
    """TV-81 at range 1: 1 or less with a burst, nothing with the snap burst that is left (GS-0-6)."""
    front = target(facing=6)
    assert isinstance(gunnery(moving(shooter(), front)).todo, Decision)
    state = moving(shooter(ammo=0.5), front)
    assert why_not(state) == "GS-C-2"
    assert gunnery(state).todo is None
    planned = gunnery(moving(shooter(ammo=0.5), front, left=("G", "H"))).go()
    assert planned.facts(NoShot)[0].why == "no die would hit"
    assert planned.state.aircraft["a"].o.ammo == 0.5


def test_a_snap_burst_takes_half() -> None:
    course = gunnery(moving(shooter(ammo=0.5), target()))
    full, snap = course.decision.all_options[1:3]
    assert full.blocked is not None
    assert full.blocked.cite == "GS-C-3"
    assert snap.blocked is None
    course.go(SNAP)
    assert course.state.aircraft["a"].o.ammo == 0
    assert course.state.aircraft["a"].gun_shots == 1
    # 7 less 1 for the snap burst.
    assert course.go(6).facts(BurstRolled)[0].roll.made
    assert course.state.wounds[0].bonus == -1


# Chances against plain counting.


def damage_by_hand(rating: int, face: int) -> str:
    margin = rating - face
    return (
        "K"
        if margin >= 2
        else "C"
        if margin >= 0
        else "H"
        if margin >= -2
        else "L"
        if margin >= -4
        else ""
    )


@pytest.mark.parametrize("snap", [False, True])
@pytest.mark.parametrize("vulnerability", [-1, 0, 2])
@pytest.mark.parametrize(("facing", "modifier"), [(0, -2), (2, 1), (3, 3), (6, 4)])
def test_odds_of_a_burst(snap: bool, vulnerability: int, facing: int, modifier: int) -> None:
    state = moving(
        shooter(damage="L", hits=("L",)),
        target(
            facing=facing,
            card_with={"vulnerability": vulnerability},
            damage="L",
            hits=("L",),
        ),
    )
    needed = 5 - modifier - 1 - snap
    rating = 6 + 1 - vulnerability - snap
    counted: dict[int, Fraction] = {}
    for hit, face in product(range(1, 11), repeat=2):
        severity = -1 if hit > needed else SEVERITY.index(damage_by_hand(rating, face))  # type: ignore[arg-type]
        counted[severity] = counted.get(severity, Fraction(0)) + Fraction(1, 100)
    assert hits_on(state, snap=snap) == needed
    window = gunnery(state).todo
    if needed < 1:
        assert window is None or snap
        return
    assert isinstance(window, Decision)
    option = window.all_options[2 if snap else 1]
    assert option.odds is not None
    assert exact(option.odds.chance) == counted


def test_rolls_have_the_odds_of_what_they_do() -> None:
    course = gunnery(moving(shooter(), target())).go(BURST)
    for n in (1, 1):
        roll = course.roll
        assert roll.odds is not None
        hits = sum(1 for face in range(1, 11) if _good(roll.happen((face,))))
        worth = exact(roll.odds.chance)
        shown = sum(chance for result, chance in worth.items() if result is True or result == 4)
        assert shown == Fraction(hits, 10)
        course.go(n)


def _good(event: Any) -> bool:
    return event.roll.made if isinstance(event, BurstRolled) else event.result == "K"


# What a hit does.


def test_a_burst_to_the_end() -> None:
    """Rating 6, vulnerability 0, die 6: crippled; the engine goes with a 9."""
    course = gunnery(moving(shooter(), target())).go(BURST, 7, 6, 9)
    hit = course.state.aircraft["b"]
    assert course.facts(DamageRolled)[0].result == "C"
    assert (hit.o.damage, hit.o.hits, hit.smoking, hit.o.out) == ("C", ("C",), True, ("engine",))
    assert (hit.o.hit_turn, hit.o.hit_by) == (1, "a")
    assert course.todo is None


def test_a_kill_is_claimed_and_forgotten_by_all() -> None:
    state = moving(
        shooter(contacts=("b",), locks=("b",), illuminating="b"), target(padlocked_by=("a",))
    )
    course = gunnery(state).go(BURST, 1, 1)
    assert course.state.aircraft["b"].status == "killed"
    assert [(claim.aircraft, claim.side) for claim in course.state.claims] == [("b", "blue")]
    mine = course.state.aircraft["a"]
    assert (mine.o.contacts, mine.o.locks, mine.illuminating) == ((), (), None)
    assert course.state.aircraft["b"].padlocked_by == ()


@pytest.mark.parametrize(
    ("before", "face", "shaken"),
    [
        ((), 9, None),  # margin -3: light
        ((), 7, 1),  # -1: heavy
        (("H",), 10, None),  # one more for earlier damage, -3: light, and no new heavy hit
        (("L", "L"), 10, 1),  # the third light one is a heavy
    ],
)
def test_what_shakes_a_crew(before: tuple[str, ...], face: int, shaken: int | None) -> None:
    """GS-RAD-3b asks for a heavy or crippling hit of this turn."""
    hit = target(hits=before, damage=accumulated(before), hit_turn=0)
    one = gunnery(moving(shooter(), hit)).go(BURST, 1, face).state.aircraft["b"]
    assert (one.o.hit_turn, one.o.shaken_turn) == (1, shaken)


def test_both_shots_count_before_damage() -> None:
    """Head-on each kills the other: the one hit first still shoots."""
    state = moving(shooter(sighted=True), target(place="2015", facing=6))
    course = gunnery(state).go(BURST, "full", 1, 1, 10, 1, 1)
    assert [course.state.aircraft[one].status for one in "ab"] == ["killed", "killed"]
    assert {claim.side for claim in course.state.claims} == {"blue", "red"}


@pytest.mark.parametrize(
    "changes",
    [
        {"ammo": 0.0},
        {"engaged": True},
        {"out": ("guns",)},
        {"condition": "departed"},
        {"move": Move(fps=5, band="MH", half_roll=True)},
        {"gun_shots": 2},
    ],
)
def test_who_can_t_return_fire_is_not_asked(changes: dict[str, Any]) -> None:
    other = target(place="2015", facing=6, **changes)
    assert gunnery(moving(shooter(sighted=True), other)).go(BURST).roll.id == "burst:a"


@pytest.mark.parametrize(
    ("mine", "other", "asked"),
    [
        ({}, {}, True),
        ({"altitude": 19}, {}, True),  # a level apart in another hex
        ({"altitude": 20, "flight_type": "SD"}, {}, False),  # 2 levels up from level flight
        ({"altitude": 19}, {"flight_type": "SD"}, False),  # up, and it dives
        ({"altitude": 17}, {"flight_type": "ZC"}, False),  # down, and it climbs
        ({"sighted": False}, {}, False),
        ({"sighted": False, "vas_by": ("b",)}, {}, True),  # by VAS it sees for itself
        ({"sighted": False, "vas_by": ("c",)}, {}, False),
    ],
)
def test_return_fire_keeps_to_the_rules_of_a_shot(
    mine: dict[str, Any], other: dict[str, Any], asked: bool
) -> None:
    """GS-C-1 holds for whoever fires back as well: what it has in sight, and where its nose points."""
    gun = printed_cards()["f-4e"].gun
    assert gun is not None
    easy = {"gun": replace(gun, hit=(9, 9, 9))}
    state = moving(
        shooter(**{"sighted": True, "card_with": easy, **mine}),
        target(**{"place": "2014", "facing": 6, "card_with": easy, **other}),
    )
    course = gunnery(state).go(BURST)
    todo = course.todo
    assert todo is not None
    assert not isinstance(todo, tuple)
    assert todo.id == ("return-fire:b" if asked else "burst:a")


def test_whoever_fired_back_before_its_move_does_not_search_after_it() -> None:
    """GS-RAD-3b asks whether it fired its guns this turn."""
    state = moving(shooter(sighted=True), target(place="2015", facing=6))
    state = gunnery(state).go(BURST, "full", 10, 10, 10).state
    state = replace(state, activation=None)
    state = evolve(GAME, state, began(state, state.aircraft["b"]))
    blocked = barred(state, state.aircraft["b"])
    assert blocked is not None
    assert blocked.reason == "it fired its gun"


@pytest.mark.parametrize("face", [7, 8])
def test_what_comes_of_a_collision_is_nobody_s_kill(face: int) -> None:
    """A pilot who dies of it later was not shot down by whoever had hit his aircraft before."""
    state = moving(shooter(), target(card="mig-21mf", hit_by="a", hit_turn=0))
    wound = Wound(target="b", rating=face - 2, cause="collision")
    course = gunnery(replace(state, wounds=(wound,))).go(face, 1)
    assert course.facts(DamageRolled)[0].result == "H"
    assert course.state.aircraft["b"].status == "killed"
    assert course.state.claims == ()


@pytest.mark.parametrize(
    ("face", "what"),
    [
        (1, "crew"),
        *((n, "radar") for n in (2, 3, 4)),
        (5, "ecm"),
        (6, "ecm"),
        (7, "guns"),
        (8, "stores"),
        (9, "engine"),
        (10, ""),
    ],
)
def test_systems(face: int, what: str) -> None:
    state = moving(
        shooter(),
        target(contacts=("a",), stores=({"missile": "ir-rear", "count": 2},), program_on=True),
    )
    course = gunnery(state).go(BURST, 7, 8, face)
    assert course.facts(DamageRolled)[0].result == "H"
    assert course.facts(SystemsRolled)[0].what == what
    own = course.state.aircraft["b"].o
    assert [man.status for man in own.crew] == ["ok", "dead" if what == "crew" else "ok"]
    assert own.out == ((what,) if what in ("radar", "ecm", "guns", "engine") else ())
    assert (own.contacts == ()) == (what == "radar")
    assert (own.stores == ()) == (what == "stores")
    assert course.state.aircraft["b"].program_on == (what != "ecm")


def test_odds_of_what_breaks() -> None:
    course = gunnery(moving(shooter(), target())).go(BURST, 7, 8)
    assert course.roll.odds is not None
    tenths = {"crew": 1, "radar": 3, "ecm": 2, "guns": 1, "stores": 1, "engine": 1, "": 1}
    counted = {what: Fraction(count, 10) for what, count in tenths.items()}
    assert exact(course.roll.odds.chance) == counted


def test_nobody_flies_on_without_a_pilot() -> None:
    state = moving(shooter(), target(card="mig-21mf"))
    course = gunnery(state).go(BURST, 7, 9, 1)
    assert course.facts(DamageRolled)[0].result == "H"
    assert course.state.aircraft["b"].status == "killed"
    assert course.state.claims[0].side == "blue"


# How hits add up (GS-C-11).

RANK = {"": 0, "L": 1, "2L": 2, "H": 3, "C": 4, "K": 5}
SERIES = [hits for n in range(6) for hits in product("LHC", repeat=n)]


def test_another_hit_never_makes_it_better() -> None:
    for hits in SERIES:
        for more in "LHCK":
            assert RANK[accumulated((*hits, more))] >= RANK[accumulated(hits)]


def test_the_order_of_hits_does_not_matter() -> None:
    for hits in SERIES:
        if len(hits) <= 4:
            assert len({accumulated(order) for order in permutations(hits)}) == 1


def test_three_light_are_a_heavy_and_two_heavy_a_crippled() -> None:
    for hits in SERIES:
        assert accumulated((*hits, "L", "L", "L")) == accumulated((*hits, "H"))
        assert accumulated((*hits, "H", "H")) == accumulated((*hits, "C"))
        assert accumulated((*hits, "C", "H")) == accumulated((*hits, "C", "C")) == "K"


def test_worse_by_one() -> None:
    steps = {"": "", "L": "H", "2L": "H", "H": "C", "C": "K", "K": "K"}
    for hits in SERIES:
        assert accumulated(worsened(hits)) == steps[accumulated(hits)]


# Switch `guns` adjudicated.


def test_the_table_says_what_comes_of_a_burst() -> None:
    state = moving(shooter(), target(), rulings={"guns": "adjudicated"})
    course = gunnery(state).go(BURST)
    assert course.decision.seat == "blue"
    course.go("K")
    assert course.decision.seat == "red"
    course.go("no")
    assert course.decision.seat == "blue"
    course.go("L", "yes")
    assert course.state.aircraft["b"].o.damage == "L"
    assert course.state.fire is None
    assert course.todo is None


def test_no_number_of_the_house_keeps_the_table_from_a_shot() -> None:
    """By the house's numbers no die would hit at two hexes head-on (TV-81)."""
    far = shooter(), target(place="2013", facing=6)
    assert gunnery(moving(*far)).todo is None
    course = gunnery(moving(*far, rulings={"guns": "adjudicated"})).go(BURST, "H", "yes")
    assert course.state.aircraft["b"].o.damage == "H"


def test_a_miss_by_word() -> None:
    state = moving(shooter(), target(), rulings={"guns": "adjudicated"})
    course: Course = gunnery(state).go(BURST, "miss", "yes")
    assert course.state.aircraft["b"].o.damage == ""
    assert course.todo is None
