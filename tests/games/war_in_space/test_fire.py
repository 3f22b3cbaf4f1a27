"""Weapons Fire: who may fire at whom, simultaneity, damage against brute force."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.errors import Illegal
from app.engine.hexes import Hex, parse_label
from app.engine.secret import redact
from app.engine.sequence import open_decisions
from app.games.war_in_space.events import (
    DamageRolled,
    Destroyed,
    FireDeclared,
    FireShown,
    NoShot,
    ShotRolled,
)
from app.games.war_in_space.fire import damage_rolled, hit_chance, hull_chance, in_front
from app.games.war_in_space.model import SYSTEMS, Boxes
from app.odds import exact
from tests.games.war_in_space.table import GAME, Table, card, ordered, setup

HERE = parse_label("1511")
HIT = {"target": "b1", "aim": 0}


def facing_off(attack: int = 7, span: int = 5, **changes: Any) -> Table:
    """A Cruiser and one that it faces, which faces it: both may fire."""
    target = {"seat": "b", "hex": HERE.ahead(0, span).label, "facing": 3, **changes}
    dice = (attack, 1, 1)
    return ordered([{}, target], {"a1": (card(), dice), "b1": (card(), dice)})


@pytest.mark.parametrize("facing", range(6))
def test_the_front_is_half_of_all_around(facing: int) -> None:
    """WF-1 by angles: within 90 degrees of the nose, the border inside; each ring is so counted."""
    for ring in range(1, 5):
        around = [
            Hex(q, r)
            for q in range(-ring, ring + 1)
            for r in range(-ring, ring + 1)
            if max(abs(q), abs(r), abs(q + r)) == ring
        ]
        ship = Table(setup([{"facing": facing}])).ship()
        for offset in around:
            other = Table(setup([{"hex": (HERE + offset).label}])).ship()
            # Across the nose, in half hexes: flat-top hexes have columns 1.5 wide and rows sqrt(3) high.
            nose = Hex(0, 0).ahead(facing)
            ahead = _dot(nose, offset)
            assert in_front(ship, other) == (ahead >= 0)


def _dot(a: Hex, b: Hex) -> float:
    """The product of two offsets on the plane, exact in quarters of a squared hex."""
    return 9 * a.q * b.q / 4 + 3 * (a.r + a.q / 2) * (b.r + b.q / 2)


def test_shots_are_seen_until_the_first_ship_moves() -> None:
    table = facing_off(attack=3)
    table.choose(HIT, offer="fire:1:a1")
    table.choose("hold", (9,), (3,) * 5, (1,), offer="fire:1:b1")
    assert table.state.phase == "movement"
    assert [mark.kind for mark in GAME.marks(table.state, frozenset())] == ["shot"]
    table.choose("ahead")
    assert list(GAME.marks(table.state, frozenset())) == []


def test_nobody_fires_into_its_own_hex() -> None:
    ships = [{}, {"seat": "b"}, {"seat": "b", "hex": HERE.ahead(0, 2).label}]
    table = ordered(ships, {s: (card(), (7, 1, 1)) for s in ("a1", "b1", "b2")})
    with pytest.raises(Illegal) as refusal:
        table.choose(HIT, offer="fire:1:a1")
    assert refusal.value.cite == "WIS-WF-1"


def test_some_charge_must_be_left() -> None:
    table = facing_off(attack=6)
    with pytest.raises(Illegal) as refusal:
        table.choose({"target": "b1", "aim": 2}, offer="fire:1:a1")
    assert refusal.value.cite == "WIS-WF-2"
    assert table.option({"target": "b1", "aim": 1}).blocked is None


@pytest.mark.parametrize(("span", "attack", "able"), [(9, 3, True), (10, 3, False), (10, 4, True)])
def test_what_no_die_can_hit_is_not_fired_at(span: int, attack: int, able: bool) -> None:
    table = facing_off(attack, span)
    assert bool(table.facts(NoShot)) is not able
    if able:
        best = {"target": "b1", "aim": (attack - 1) // 3}
        odds = table.option(best).odds
        assert odds is not None
        assert exact(odds.chance)[True] == Fraction(1, 10)


def test_a_ship_without_weapon_or_attack_energy_is_not_asked() -> None:
    target = {"seat": "b", "hex": HERE.ahead(0, 3).label, "facing": 3, "marked": {"weapon": 4}}
    orders = {"a1": (card("diamonds", dc=True), (8, 8, 8)), "b1": (card("hearts"), (7, 6, 1))}
    table = ordered([{}, target], orders)
    assert table.state.phase == "energy"  # a1 has movement energy to spend
    table.choose({"speed": 2, "bonus": 0})
    assert table.state.phase == "movement"
    assert table.facts(FireShown) == []


def test_fire_is_declared_in_secret_and_shown_at_once() -> None:
    table = facing_off()
    assert [decision.unit for decision in open_decisions(table.step)] == ["a1", "b1"]
    table.choose(HIT, offer="fire:1:a1")
    assert table.facts(FireDeclared) == []
    table.choose("hold", (9,), offer="fire:1:b1")
    declared = table.facts(FireDeclared)
    for viewer, seen in ((frozenset("a"), 1), (frozenset("b"), 1), (frozenset[str](), 0)):
        facts = [redact(fact, viewer) for fact in declared]
        assert sum(fact.aim.value is not None for fact in facts) == seen
        told = [GAME.tell(fact, {}).text for fact in facts]
        assert sum("has declared its fire" in text for text in told) == 2 - seen
    [shown] = table.facts(FireShown)
    assert shown.reveals()
    assert shown.held == ("b1",)
    assert [shot.target for shot in table.facts(ShotRolled)] == ["b1"]


def test_a_ship_that_is_destroyed_has_fired_and_both_may_go() -> None:
    weak = {"hull": 6}
    target = {"seat": "b", "hex": HERE.ahead(0, 2).label, "facing": 3, "marked": weak}
    orders = {s: (card("clubs"), (7, 2, 1)) for s in ("a1", "b1")}
    table = ordered([{"marked": weak}, target], orders)
    table.choose(HIT, offer="fire:1:a1")
    table.choose({"target": "a1", "aim": 0}, (9,), (9,), (1,) * 9, (1,) * 9, offer="fire:1:b1")
    assert [fact.ship for fact in table.facts(Destroyed)] == ["a1", "b1"]
    result = table.state.result
    assert result is not None
    assert (result.reason, result.winners) == ("empty", ())
    assert result.scores == {"a": 8, "b": 8}


def test_damage_goes_to_systems_then_the_hull_and_no_box_is_marked_twice() -> None:
    ship = Table(setup([{"marked": {"weapon": 3, "hull": 5}}])).ship()
    fact = damage_rolled(ship, (9,), (3, 3, 3, 1, 2))
    assert fact.boxes == Boxes(hull=2, weapon=1)
    assert fact.moved == Boxes(weapon=2)
    assert (fact.beyond, fact.hull_left) == (2, 0)


@given(
    st.lists(st.integers(1, 6), max_size=40),
    st.permutations(range(40)),
    st.builds(
        Boxes,
        st.integers(0, 6),
        st.integers(0, 4),
        st.integers(0, 4),
        st.integers(0, 4),
        st.integers(0, 4),
    ),
)
def test_boxes_stay_within_the_sheet(faces: list[int], mixed: list[int], marked: Boxes) -> None:
    data = setup([{"marked": {system: marked.of(system) for system in SYSTEMS}}])
    ship = Table(data).ship()
    fact = damage_rolled(ship, (99,), tuple(faces))
    for system in SYSTEMS:
        assert 0 <= marked.of(system) + fact.boxes.of(system) <= ship.total(system)
    assert sum(fact.boxes.of(system) for system in SYSTEMS) + fact.beyond == len(faces)
    # Dice lie on a table in no order.
    shuffled = tuple(faces[n] for n in mixed if n < len(faces))
    again = damage_rolled(ship, (99,), shuffled)
    assert (again.boxes, again.beyond) == (fact.boxes, fact.beyond)
    if fact.beyond:
        assert fact.hull_left == 0


@pytest.mark.parametrize(
    "marked", [{}, {"weapon": 4, "engine": 3}, {"hull": 5, "power": 4, "shield": 4}]
)
def test_the_odds_of_damage_are_those_of_the_dice(marked: Mapping[str, int]) -> None:
    """Every throw of a d10 and four d6, by the fact that play would make of it."""
    target = Table(setup([{"marked": marked}])).ship()
    tally: Counter[int] = Counter()
    for to_hit in range(1, 11):
        for faces in product(range(1, 7), repeat=4):
            hit = to_hit + 1 > 5
            tally[damage_rolled(target, (4,), faces).boxes.hull if hit else 0] += 1
    assert exact(hull_chance(target, 5, 1, 4)) == {
        hull: Fraction(n, 10 * 6**4) for hull, n in tally.items()
    }


@pytest.mark.parametrize("span", range(1, 12))
@pytest.mark.parametrize("aim", range(4))
def test_the_odds_to_hit(span: int, aim: int) -> None:
    good = sum(face + aim > span for face in range(1, 11))
    assert exact(hit_chance(span, aim)).get(True, Fraction(0)) == Fraction(good, 10)


def test_defence_is_taken_off_once_and_used_up() -> None:
    target = {"seat": "b", "hex": HERE.ahead(0, 5).label}
    orders = {
        "a1": (card(), (3, 1, 1)),
        "a2": (card(), (3, 1, 1)),
        "b1": (card("hearts"), (5, 1, 1)),
    }
    table = ordered([{}, {}, target], orders)
    table.choose(HIT, offer="fire:1:a1")
    table.choose(HIT, (6,), (6,), (4,) * 7, offer="fire:1:a2")
    [rolled] = table.facts(DamageRolled)
    assert (rolled.hits, rolled.defence) == ((6, 6), 5)
    assert table.ship("b1").marked == Boxes(hull=3, shield=4)
    assert table.energy("b1")[1] == 0
    assert table.energy("a1")[0] == 0


def test_without_weapons_nobody_is_asked() -> None:
    target = {"seat": "b", "hex": HERE.ahead(0, 2).label, "facing": 3}
    orders = {s: (card(), (7, 2, 1)) for s in ("a1", "b1")}
    table = ordered([{}, target], orders, {"weapons": "off"})
    assert table.state.phase == "movement"
    assert table.facts(NoShot) == []
