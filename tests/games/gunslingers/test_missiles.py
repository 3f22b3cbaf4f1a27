"""Missiles (GS-AAM, GS-C-20 to GS-C-26): vectors by their ids, launches, pursuit against an oracle, attacks, decoys."""

import math
import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.errors import Illegal
from app.engine.secret import Secret, redact
from app.engine.sequence import Decision, Roll
from app.games.gunslingers.flight.cards import printed_cards
from app.games.gunslingers.geometry import Pos, legal_facings, parse, slant
from app.games.gunslingers.missiles import flight as missiles
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.missiles.facts import (
    DecoyRolled,
    LaunchDeclared,
    LaunchesListed,
    LaunchRolled,
    MissileAttacked,
    MissileFlew,
    MissileLost,
)
from app.games.gunslingers.missiles.launch import last_mover_first, launch_number, shots
from app.games.gunslingers.missiles.pursuit import leg, slowed
from app.games.gunslingers.model import Missile, Move, State
from app.odds import exact
from tests.games.gunslingers.combat import Course
from tests.games.gunslingers.table import Table, craft, position

HEAT = [{"missile": "ir-rear", "count": 4}]
RADAR = [{"missile": "rh-medium", "count": 4}]
BOTH_KINDS = [*HEAT, *RADAR]
NARROW_RADAR = printed_cards()["f-8e"].radar
assert NARROW_RADAR is not None
NARROW = replace(NARROW_RADAR, track=10, track_max=30)
"""A radar that looks into its 180+ arc only."""


def shooter(**changes: Any) -> Any:
    """An F-4E at 2015 heading north, with "b" in view and both kinds of missile."""
    return craft(**{"saw": ("b",), "stores": BOTH_KINDS, "locks": ("b",), **changes})


def target(**changes: Any) -> Any:
    """An F-4E of Red five hexes ahead on the same course, sighted."""
    return craft(**{"side": "red", "place": "2010", "sighted": True, **changes})


def why_not(state: State, missile: str) -> str | None:
    """The rule that keeps "a" from launching a missile at "b"; None when nothing does."""
    found = [
        blocked for _, card, _, blocked in shots(state, state.aircraft["a"]) if card.id == missile
    ]
    return found[0].cite if found[0] else None


def in_flight(state: State, card: str = "ir-rear", **changes: Any) -> State:
    """The position with a missile of "a" at "b", launched last turn from where "a" is."""
    printed = printed_missiles()[card]
    given: dict[str, Any] = {
        "id": "missile-1",
        "side": "blue",
        "card": Secret(card, ("blue",)),
        "shooter": "a",
        "target": "b",
        "pos": state.aircraft["a"].pos,
        "altitude": state.aircraft["a"].altitude,
        "facing": state.aircraft["a"].facing,
        "speed": Secret(printed.speed, ("blue",)),
        "left": Secret(printed.turns, ("blue",)),
        "launched": 0,
        **changes,
    }
    missile = Missile(**given)
    return replace(state, turn=1, phase="flight", missiles={missile.id: missile})


def chase(state: State) -> Course:
    """What the missiles at "b" do after its move."""
    return Course(state, lambda now: missiles.after_move(now, "b"))


# The launch phase (GS-AAM).


def launching(*crafts: Any, dice: tuple[int, ...] = (), **changes: Any) -> Table:
    """The launch phase after "b" and then "a" have moved."""
    return Table(position(*crafts, movers=("b", "a"), **changes)).begin("launch", "", *dice)


def test_tv_72_both_fail_and_one_more_is_tried() -> None:
    table = launching(shooter(), target())
    table.choose({"target": "b", "missile": "ir-rear", "attempts": 2}, 8, 10)
    assert table.decision.id == "launch-again:a"
    table.choose("yes", 7)
    assert [one.missile is not None for one in table.facts(LaunchRolled)] == [False, False, True]
    assert table.state.phase != "launch"
    assert [store.count for store in table.craft("a").o.stores] == [1, 4]
    assert len(table.state.missiles) == 1


def test_tv_72_one_of_two_succeeds_and_that_is_all() -> None:
    table = launching(shooter(), target())
    table.choose({"target": "b", "missile": "ir-rear", "attempts": 2}, 7, 8)
    assert table.state.phase != "launch"
    assert len(table.facts(LaunchRolled)) == 2


def test_no_extra_attempt_without_a_missile() -> None:
    table = launching(shooter(stores=[{"missile": "ir-rear", "count": 1}]), target())
    two = table.option({"target": "b", "missile": "ir-rear", "attempts": 2})
    assert two.blocked is not None
    table.choose({"target": "b", "missile": "ir-rear", "attempts": 1}, 9)
    assert table.state.phase != "launch"


def test_another_attempt_may_be_declined() -> None:
    table = launching(shooter(), target())
    table.choose({"target": "b", "missile": "ir-rear", "attempts": 1}, 8).choose("no")
    assert table.state.phase != "launch"
    assert table.state.missiles == {}


def test_a_missile_starts_from_its_shooter() -> None:
    table = launching(shooter(), target())
    table.choose({"target": "b", "missile": "rh-medium", "attempts": 1}, 1)
    (missile,) = table.state.missiles.values()
    one = table.craft("a")
    assert (missile.pos, missile.altitude, missile.facing) == (one.pos, one.altitude, one.facing)
    assert (missile.speed.value, missile.left.value, missile.launched) == (16, 4, 1)
    assert redact(missile, frozenset({"red"})).card.value is None
    assert missile.target == "b"


def test_who_moved_last_launches_first() -> None:
    crafts = [shooter(), target(place="2008"), shooter(place="2016")]
    state = position(*crafts, movers=("c", "b", "a"))
    assert [one.id for one in last_mover_first(state)] == ["a", "b", "c"]
    table = Table(state).begin("launch")
    assert table.decision.unit == "a"
    assert table.choose("hold").decision.unit == "c"


def test_nobody_is_asked_without_a_legal_launch() -> None:
    table = launching(shooter(), target(place="2035"), board={"columns": 40, "rows": 40})
    assert table.facts(LaunchDeclared) == []
    assert table.state.phase != "launch"


def test_legal_launches_are_for_their_side() -> None:
    table = launching(shooter(), target())
    (listed,) = table.facts(LaunchesListed)
    assert {shot.missile for shot in listed.shots.value or ()} == {"ir-rear", "rh-medium"}
    assert redact(listed, frozenset({"red"})).shots.value is None


def test_what_can_t_be_launched_is_shown_with_the_reason() -> None:
    table = launching(shooter(locks=()), target())
    shut = table.option({"target": "b", "missile": "rh-medium", "attempts": 1})
    assert shut.blocked is not None
    assert shut.blocked.cite == "GS-C-20"
    with pytest.raises(Illegal):
        table.choose(shut.value)


# Prerequisites (GS-C-20).


@pytest.mark.parametrize(
    ("mine", "other", "cite"),
    [
        ({}, {}, None),
        ({"saw": ()}, {}, "GS-VIS-11"),
        ({}, {"sighted": False}, "GS-C-20"),
        ({"condition": "stalled"}, {}, "GS-C-20"),
        ({}, {"place": "2014"}, "GS-C-20"),  # range 1
        ({}, {"place": "2013"}, None),  # range 2
        ({}, {"place": "2007"}, None),  # range 8
        ({}, {"place": "2006"}, "GS-C-20"),  # range 9
        ({}, {"place": "2310"}, None),  # exactly 30 degrees off the nose, and off the target's tail
        ({}, {"place": "2310", "facing": 11}, "GS-C-20"),
        ({}, {"place": "2412", "facing": 2}, "GS-C-20"),  # 49 degrees off the nose
        ({"uncaged": True}, {"place": "2412", "facing": 2}, None),
        ({}, {"facing": 1}, None),  # exactly on a border: nearer the tail
        ({}, {"facing": 2}, "GS-C-20"),
        ({}, {"facing": 2, "power": "AB"}, None),
        ({}, {"facing": 3, "power": "AB"}, "GS-C-20"),
        ({"last_fp": "guns"}, {}, "GS-C-20"),
        ({"last_fp": "roll"}, {}, "GS-C-20"),
        ({"move": Move(fps=5, band="MH", half_roll=True)}, {}, "GS-F-6"),
        ({"recovery": 1}, {}, "GS-F-13"),
        ({"no_attacks": True}, {}, "GS-FLT-14"),
        ({"damage_control": True}, {}, "GS-FLT-17"),
        ({"damage": "C", "hits": ("C",)}, {}, "GS-C-12"),
        ({"max_rate": "ET", "rolls": 0}, {}, None),  # 7 less 6
        ({"max_rate": "ET", "damage": "L", "hits": ("L",)}, {}, "GS-C-21"),
    ],
)
def test_heat_seekers(mine: dict[str, Any], other: dict[str, Any], cite: str | None) -> None:
    assert why_not(position(shooter(**mine), target(**other)), "ir-rear") == cite


@pytest.mark.parametrize(
    ("mine", "other", "cite"),
    [
        ({}, {}, None),
        ({}, {"facing": 6}, None),
        ({}, {"sighted": False}, None),
        ({"locks": ()}, {}, "GS-C-20"),
        ({}, {"place": "2011"}, None),  # range 4
        ({}, {"place": "2012"}, "GS-C-20"),  # range 3
        ({}, {"place": "2412"}, None),  # 49 degrees off the nose
        ({}, {"place": "2515"}, "GS-C-20"),
        ({"place": "2040"}, {"place": "2010"}, None),  # 30 is 3 × track strength 10
        ({"place": "2040"}, {"place": "2009"}, "GS-C-20"),
        ({"place": "2040", "card_with": {"radar": None}}, {"place": "2010"}, "GS-C-20"),
        # What ends a lock ends it at once, not only in the radar phase that comes after (GS-RAD-4b).
        ({"rolls": 1}, {}, "GS-RAD-4b"),
        ({"rolls": 1, "flight_type": "VD"}, {}, None),
        ({"rolls": 2, "flight_type": "VD"}, {}, "GS-RAD-4b"),
        ({"max_rate": "BT"}, {}, None),
        ({"card_with": {"radar": NARROW}}, {"place": "2412"}, "GS-RAD-4b"),
    ],
)
def test_radar_homing(mine: dict[str, Any], other: dict[str, Any], cite: str | None) -> None:
    if "card_with" in mine and mine["card_with"]["radar"] is None:
        mine = {**mine, "locks": (), "contacts": ()}
    big = {"columns": 40, "rows": 40}
    assert why_not(position(shooter(**mine), target(**other), board=big), "rh-medium") == cite


def test_a_weak_radar_reaches_less_far() -> None:
    radar = printed_cards()["f-4e"].radar
    assert radar is not None
    weak = {"radar": replace(radar, track=2)}
    state = position(shooter(card_with=weak), target(place="2008"))
    assert why_not(state, "rh-medium") == "GS-C-20"


@pytest.mark.parametrize(
    ("mine", "other", "modifier"),
    [
        ({}, {}, 0),
        ({"max_rate": "TT"}, {}, 0),
        ({"max_rate": "HT"}, {}, 2),
        ({"max_rate": "BT"}, {}, 4),
        ({"rolls": 1}, {}, 4),
        ({"max_rate": "ET"}, {}, 6),
        ({"damage": "2L", "hits": ("L", "L")}, {}, 1),
        ({"damage": "H", "hits": ("H",)}, {}, 2),
        ({"crew": [{"quality": "veteran", "combat_hero": True}, {}]}, {}, -2),
        ({"crew": [{"quality": "green"}, {}]}, {}, 1),
        ({}, {"program": {"flare": 2}, "program_on": True}, 2),
        ({}, {"program": {"flare": 6}, "program_on": True}, 4),
        ({}, {"program": {"flare": 6}, "program_on": False}, 0),
        ({}, {"program": {"chaff": 6}, "program_on": True}, 0),
    ],
)
def test_launch_number(mine: dict[str, Any], other: dict[str, Any], modifier: int) -> None:
    state = position(shooter(**mine), target(**other))
    number = launch_number(
        state, state.aircraft["a"], state.aircraft["b"], printed_missiles()["ir-rear"]
    )
    assert number.modifier == modifier
    assert number.reach == 7 - modifier


@pytest.mark.parametrize("attempts", [1, 2])
def test_odds_of_launches(attempts: int) -> None:
    table = launching(shooter(max_rate="HT"), target())
    option = table.option({"target": "b", "missile": "ir-rear", "attempts": attempts})
    counted: dict[int, Fraction] = {}
    for faces in product(range(1, 11), repeat=attempts):
        flown = sum(face + 2 <= 7 for face in faces)
        counted[flown] = counted.get(flown, Fraction(0)) + Fraction(1, 10**attempts)
    assert option.odds is not None
    assert exact(option.odds.chance) == counted


# Pursuit (GS-C-22).


def test_tv_73() -> None:
    """From 1015 at 2415, speed 12: 14 away, it moves to 2215, heads east, and flies 9 next."""
    flown = leg(parse("1015"), 10, 12, parse("2415"), 10, 0)
    assert flown is not None
    assert (flown.pos.label, flown.altitude, flown.facing, flown.speed) == ("2215", 10, 3, 9)
    again = leg(flown.pos, 10, flown.speed, parse("2415"), 10, flown.facing)
    assert again is None  # 2 away


def test_within_reach_it_attacks() -> None:
    assert leg(parse("1015"), 10, 14, parse("2415"), 10, 0) is None


def plane(pos: Pos) -> tuple[float, float]:
    """Where a place lies, in hex pitches (GS-G-2)."""
    return math.sqrt(3) / 4 * pos.q, pos.r / 2 + pos.q / 4


def test_pursuit_against_the_plane() -> None:
    """In floating point, over all places of a patch: none is nearer the point, and none as near is nearer the target."""
    rng = random.Random(11)
    compared = 0
    while compared < 250:
        start = Pos(rng.randrange(-40, 40), rng.randrange(-40, 40))
        end = Pos(rng.randrange(-40, 40), rng.randrange(-40, 40))
        levels = rng.randrange(0, 30), rng.randrange(0, 30)
        speed = rng.randrange(4, 17)
        flown = leg(start, levels[0], speed, end, levels[1], 0)
        away = slant(start, levels[0], end, levels[1])
        assert (flown is None) == (away <= speed)
        if flown is None or start == end:
            continue
        compared += 1
        (x0, y0), (x1, y1) = plane(start), plane(end)
        point = x0 + (x1 - x0) * speed / away, y0 + (y1 - y0) * speed / away
        bearing = math.degrees(math.atan2(x1 - x0, y0 - y1)) % 360
        off = abs(bearing - 30 * flown.facing) % 360
        assert min(off, 360 - off) < 15 + 1e-9
        ranked = [
            (round(math.dist(plane(pos), point), 9), round(math.dist(plane(pos), (x1, y1)), 9))
            for q in range(-6, 7)
            for r in range(-6, 7)
            if flown.facing in legal_facings(pos := Pos(flown.pos.q + q, flown.pos.r + r))
        ]
        mine = (
            round(math.dist(plane(flown.pos), point), 9),
            round(math.dist(plane(flown.pos), (x1, y1)), 9),
        )
        assert mine == min(ranked)
        height = levels[0] + (levels[1] - levels[0]) * speed / away
        assert abs(flown.altitude - height) <= 0.5


def test_straight_up_it_keeps_its_heading() -> None:
    """There is no bearing to a target right above; its seeker must not be turned away from it."""
    for facing in range(12):
        flown = leg(parse("1015"), 10, 8, parse("1015"), 40, facing)
        assert flown is not None
        assert (flown.pos, flown.facing) == (parse("1015"), facing)


def test_slowing_down() -> None:
    """A quarter off, the loss rounded up, never below 4."""
    assert [slowed(speed) for speed in (16, 12, 9, 6, 5, 4)] == [12, 9, 6, 4, 4, 4]
    for speed in range(4, 40):
        assert slowed(speed) == max(4, math.floor(speed * 3 / 4))


def test_a_missile_flies_after_its_target_has_moved() -> None:
    state = in_flight(position(shooter(), target(place="2001")))
    course = chase(state).go()
    (flew,) = course.facts(MissileFlew)
    assert flew.pos == parse("2003")
    missile = course.state.missiles["missile-1"]
    assert (missile.moves, missile.moved, missile.speed.value) == (1, True, 9)
    assert course.todo is None  # once a turn


# Guidance and seekers.


@pytest.mark.parametrize(
    ("place", "moves", "card", "kept"),
    [
        ("2010", 1, "ir-rear", True),
        ("2310", 1, "ir-rear", True),  # exactly 30 degrees
        ("2412", 1, "ir-rear", False),  # 49 degrees
        ("2412", 0, "ir-rear", True),  # its first move
        ("2412", 1, "ir-all", True),
        ("2512", 1, "ir-all", True),  # exactly 60 degrees
        ("2514", 1, "ir-all", False),
    ],
)
def test_seeker_limits(place: str, moves: int, card: str, kept: bool) -> None:
    state = in_flight(position(shooter(), target(place=place)), card, moves=moves)
    course = chase(state).go()
    assert (course.facts(MissileLost) == []) == kept


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"illuminating": "b"}, True),
        ({}, False),
        ({"illuminating": "b", "locks": ()}, False),
        ({"illuminating": "b", "status": "killed", "locks": ()}, False),
    ],
)
def test_guidance(changes: dict[str, Any], kept: bool) -> None:
    state = in_flight(position(shooter(**changes), target(place="2001")), "rh-medium")
    course = chase(state).go()
    assert (course.facts(MissileLost) == []) == kept
    if not kept:
        assert course.state.missiles == {}


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"moved": True}, True),
        ({"moved": True, "max_rate": "ET"}, False),
        ({"moved": True, "rolls": 1}, False),
        ({"moved": True, "facing": 6}, False),  # out of its radar's arc
        ({"facing": 6}, True),  # it flies right after its target, and may still turn to it
    ],
)
def test_what_its_shooter_flew_ends_the_lock_that_guides_it(
    changes: dict[str, Any], kept: bool
) -> None:
    """GS-RAD-4b: of a shoot-out both have moved when the missiles do."""
    state = position(shooter(illuminating="b", **changes), target(place="2001"))
    course = chase(in_flight(state, "rh-medium")).go()
    assert (course.facts(MissileLost) == []) == kept


def test_an_early_seeker_needs_no_shooter() -> None:
    state = in_flight(position(shooter(status="killed", locks=()), target(place="2001")))
    assert chase(state).go().facts(MissileLost) == []


# The attack (GS-C-23).


def attack_modifier(state: State) -> int:
    roll = chase(state).go().todo
    assert isinstance(roll, Roll)
    return sum(
        int(term.amount.replace("−", "-"))
        for term in roll.terms
        if term.lit and term.words != "number needed"
    )


ENGAGED = {"engaged": True}


@pytest.mark.parametrize(
    ("other", "card", "modifier"),
    [
        ({}, "ir-all", -1),  # not engaged
        (ENGAGED, "ir-all", 0),
        ({**ENGAGED, "facing": 1}, "ir-all", 0),
        ({**ENGAGED, "facing": 2}, "ir-all", 1),
        ({**ENGAGED, "facing": 3}, "ir-all", 2),
        ({**ENGAGED, "facing": 6}, "ir-all", 3),
        ({**ENGAGED, "facing": 6, "power": "AB"}, "ir-all", 1),
        ({**ENGAGED, "power": "I"}, "ir-all", 1),
        ({**ENGAGED, "max_rate": "BT"}, "ir-all", 1),
        ({**ENGAGED, "max_rate": "HT"}, "ir-all", 0),
        ({**ENGAGED, "rolls": 1}, "ir-all", 0),
        ({**ENGAGED, "program": {"flare": 6}, "program_on": True}, "ir-all", 3),
        ({**ENGAGED, "card_with": {"size": -1}}, "ir-all", -1),
        ({**ENGAGED, "facing": 3}, "rh-medium", 2),
        ({**ENGAGED, "facing": 6}, "rh-medium", 1),
        ({**ENGAGED, "power": "AB"}, "rh-medium", 0),
        ({**ENGAGED, "program": {"chaff": 3}, "program_on": True}, "rh-medium", 2),  # less ECCM 1
        ({**ENGAGED, "program": {"chaff": 6}, "program_on": True}, "rh-medium", 4),
        ({**ENGAGED, "card_with": {"djm": {"type": "A", "number": 3}}}, "rh-medium", 2),
        (
            {**ENGAGED, "card_with": {"djm": {"type": "A", "number": 3}}, "out": ("ecm",)},
            "rh-medium",
            0,
        ),
    ],
)
def test_attack_modifiers(other: dict[str, Any], card: str, modifier: int) -> None:
    other = {"decoys": {}, **other}
    state = in_flight(position(shooter(illuminating="b"), target(**other)), card)
    assert attack_modifier(state) == modifier


@pytest.mark.parametrize(
    ("face", "hit", "direct"),
    [(1, True, True), (4, True, True), (5, True, False), (7, True, False), (8, False, False)],
)
def test_direct_and_proximity(face: int, hit: bool, direct: bool) -> None:
    """Hit number 7 at an engaged target from behind: 4 is a margin of 3."""
    state = in_flight(position(shooter(), target(engaged=True, decoys={})), "ir-all")
    course = chase(state).go(face)
    (attacked,) = course.facts(MissileAttacked)
    assert (attacked.wound is not None, attacked.direct) == (hit, direct)
    assert course.state.missiles == {}
    if attacked.wound:
        assert attacked.wound.rating == (7 if direct else 5)


def test_a_die_of_1_is_direct_though_the_margin_is_small() -> None:
    other = target(engaged=True, decoys={}, facing=3, program={"flare": 3}, program_on=True)
    course = chase(in_flight(position(shooter(), other), "ir-all")).go(1)
    (attacked,) = course.facts(MissileAttacked)
    assert attacked.roll.modifier == 5
    assert attacked.direct


def test_odds_of_an_attack() -> None:
    state = in_flight(position(shooter(), target(engaged=True, decoys={}, facing=3)), "ir-all")
    roll = chase(state).roll
    counted: dict[int, Fraction] = {}
    for hit, face in product(range(1, 11), repeat=2):
        if hit + 2 > 7:
            severity = -1
        else:
            straight = hit == 1 or 7 - (hit + 2) >= 3
            margin = 7 - (face - 2) if straight else 5 - face
            severity = (
                4
                if margin >= 2
                else 3
                if margin >= 0
                else 2
                if margin >= -2
                else 1
                if margin >= -4
                else 0
            )
        counted[severity] = counted.get(severity, Fraction(0)) + Fraction(1, 100)
    assert roll.odds is not None
    assert exact(roll.odds.chance) == counted


def test_no_attack_where_no_die_would_hit() -> None:
    other = target(engaged=True, decoys={}, facing=6, program={"flare": 6}, program_on=True)
    state = in_flight(position(shooter(), other))  # 6 less 3 less 4
    (lost,) = chase(state).go().facts(MissileLost)
    assert lost.why == "no die would hit"


def test_damage_is_rolled_before_the_next_missile_moves() -> None:
    state = in_flight(position(shooter(), target(decoys={})), "ir-all")
    second = replace(state.missiles["missile-1"], id="missile-2")
    state = replace(state, missiles={**state.missiles, "missile-2": second})
    course = chase(state).go(1, 1)
    assert course.state.aircraft["b"].status == "killed"
    assert course.state.missiles == {}
    assert course.todo is None


def test_a_shoot_out_resolves_together() -> None:
    """Each kills the other: both attacks come before the damage."""
    state = position(
        shooter(illuminating="b", decoys={}),
        target(facing=6, locks=("a",), illuminating="a", decoys={}),
    )
    mine = in_flight(state, "rh-medium").missiles["missile-1"]
    theirs = replace(
        mine,
        id="missile-2",
        side="red",
        card=Secret("rh-medium", ("red",)),
        shooter="b",
        target="a",
        pos=state.aircraft["b"].pos,
        facing=6,
    )
    state = replace(state, missiles={"missile-1": mine, "missile-2": theirs}, turn=1)
    course = Course(state, lambda now: missiles.shoot_out(now, "b", "a")).go(1, 1)
    assert course.todo is None
    assert [wound.target for wound in course.state.wounds] == ["b", "a"]


# Decoys (GS-C-26).


def test_nobody_is_asked_for_decoys_against_a_missile_that_can_t_hit() -> None:
    """Hit number 6, 3 for the angle, 4 for flares: there is no attack to drop them against (GS-0-6)."""
    other = target(
        engaged=True, decoys={"flare": 2}, facing=6, program={"flare": 6}, program_on=True
    )
    state = in_flight(position(shooter(), other), sighted_by=("red",))
    (lost,) = chase(state).go().facts(MissileLost)
    assert lost.why == "no die would hit"


def test_a_missile_seen_by_vas_is_in_sight_of_that_crew() -> None:
    """GS-VIS-9c: such a sighting serves the aircraft that has it."""
    state = decoying(card_with={"rwr": ""})
    (missile,) = state.missiles.values()
    for by, asked in (("b", True), ("c", False)):
        seen = replace(missile, sighted_by=(), vas_by=(by,))
        todo = chase(replace(state, missiles={seen.id: seen})).todo
        assert isinstance(todo, Decision if asked else Roll)


def test_decoys_in_words() -> None:
    options = {
        (one.value["chaff"], one.value["flare"]): one
        for one in chase(decoying()).decision.all_options
    }
    assert options[0, 0].label == "Drop nothing"
    assert options[1, 2].label == "Drop 1 chaff and 2 flares"
    assert options[1, 2].cost == "−1 of 1 chaff, −2 of 3 flares"
    assert options[0, 1].label == "Drop 1 flare"


def decoying(**changes: Any) -> State:
    other = target(**{"engaged": True, "decoys": {"chaff": 1, "flare": 3}, "facing": 0, **changes})
    state = position(shooter(illuminating="b"), other)
    return in_flight(state, "ir-all", sighted_by=("red",))


def test_decoys_are_offered_up_to_two_of_each() -> None:
    values = [option.value for option in chase(decoying()).decision.all_options]
    assert values == [{"chaff": chaff, "flare": flare} for chaff in (0, 1) for flare in (0, 1, 2)]


def test_a_flare_saves_it() -> None:
    course = chase(decoying()).go({"chaff": 1, "flare": 2}, 4, 3)
    rolled = course.facts(DecoyRolled)
    assert [(one.kind, one.roll and one.roll.made) for one in rolled] == [
        ("chaff", None),
        ("flare", False),
        ("flare", True),
    ]
    assert course.state.missiles == {}
    assert course.state.aircraft["b"].o.decoys.flare == 1
    assert course.state.aircraft["b"].o.decoys.chaff == 0
    assert course.todo is None


def test_after_decoys_that_fail_it_attacks() -> None:
    course = chase(decoying()).go({"chaff": 0, "flare": 1}, 4)
    assert course.roll.id == "missile:missile-1"
    assert chase(decoying()).go({"chaff": 0, "flare": 0}).roll.id == "missile:missile-1"


@pytest.mark.parametrize(
    "changes", [{"engaged": False}, {"decoys": {}}, {"out": ("ecm",)}, {"card_with": {"dds": ""}}]
)
def test_who_can_t_drop_decoys_is_not_asked(changes: dict[str, Any]) -> None:
    assert isinstance(chase(decoying()).todo, Decision)
    assert isinstance(chase(decoying(**changes)).todo, Roll)


def test_a_missile_that_nobody_knows_of_is_not_decoyed() -> None:
    state = decoying()
    unseen = replace(state.missiles["missile-1"], sighted_by=())
    assert isinstance(chase(replace(state, missiles={"missile-1": unseen})).todo, Roll)
    by_radar = replace(unseen, card=Secret("rh-medium", ("blue",)))
    assert isinstance(chase(replace(state, missiles={"missile-1": by_radar})).todo, Decision)


# Switch `missiles` adjudicated.


def test_the_table_says_what_a_missile_does() -> None:
    state = in_flight(
        position(shooter(), target(place="2001"), rulings={"missiles": "adjudicated"})
    )
    course = chase(state).go("flies", "no", "flies", "yes")
    assert course.state.missiles["missile-1"].moved
    assert course.todo is None
    hit = chase(state).go("H", "yes")
    assert hit.state.missiles == {}
    assert hit.state.aircraft["b"].o.damage == "H"
    missed = chase(state).go("miss", "yes")
    assert missed.state.missiles == {}
    assert missed.state.aircraft["b"].o.damage == ""
