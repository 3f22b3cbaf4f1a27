"""Guns and missiles in the Flight Phase, played through the engine: when they are asked for, and what follows."""

from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.secret import Secret
from app.games.gunslingers.flight.facts import MoveBegan, MoveEnded
from app.games.gunslingers.guns.facts import BurstRolled, DamageRolled, GunHeld
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.missiles.facts import MissileAttacked, MissileFlew
from app.games.gunslingers.missiles.launch import shots
from app.games.gunslingers.model import Missile, OrderPlace, Settings, State
from tests.games.gunslingers.table import Table, craft, line_to, position

BURST = {"target": "b", "snap": False}


def hunter(**changes: Any) -> Any:
    return craft(**{"place": "2020", "speed": 4.0, **changes})


def hunted(**changes: Any) -> Any:
    """Three hexes ahead of the hunter, on the same course, already moved."""
    return craft(
        **{"side": "red", "place": "2017", "speed": 4.0, "sighted": True, "moved": True, **changes}
    )


def flight(*crafts: Any, order: str = "a", **changes: Any) -> Table:
    """The Flight Phase; those named in `order` move, the first one first."""
    state = position(*crafts, **changes)
    places = tuple(OrderPlace(one, 8, n, "as listed") for n, one in enumerate(order))
    return Table(replace(state, order=places)).begin("flight")


def start(table: Table) -> Table:
    """Level flight at normal power."""
    return table.choose(line_to(table, Settings(flight_type="LVL", power="N")))


def test_the_window_opens_where_a_shot_is_and_once_a_point() -> None:
    table = start(flight(hunter(), hunted())).choose("H,H,H,H")
    assert table.decision.id == "gun:a:1"  # 2 hexes away
    table.choose("hold")
    assert table.decision.id == "gun:a:2"
    table.choose("hold")
    assert table.decision.id == "gun:a:3"  # at its place
    table.choose("hold")
    assert len(table.facts(GunHeld)) == 3
    assert table.craft("a").moved
    assert table.craft("a").pos.label == "2016"


def test_a_token_that_flies_nowhere_asks_nothing_again() -> None:
    table = start(flight(hunter(), hunted())).choose("EZR/H,-,H,H,H")
    assert table.decision.id == "gun:a:1"
    table.choose("hold")
    assert table.decision.id == "gun:a:2"


def test_a_burst_within_a_line_and_the_line_goes_on() -> None:
    table = start(flight(hunter(), hunted())).choose("H,H,G,H,H")
    table.choose("hold")  # after the first flight point
    assert table.waiting_roll.id == "burst:a"
    table.roll(7, 10)
    assert table.facts(BurstRolled)[0].roll.made
    assert table.facts(DamageRolled)[0].result == "L"
    assert table.decision.id == "gun:a:3"
    table.choose("hold")
    assert table.craft("a").moved
    assert (table.craft("a").gun_shots, table.craft("a").o.ammo) == (1, 4.0)
    assert table.refold() == table.state


def test_a_hit_in_return_may_forbid_what_was_planned() -> None:
    """GS-C-12: light damage forbids emergency turns; the rest of the move is asked for again."""
    table = flight(
        hunter(speed=5.0, altitude=12, sighted=True),
        hunted(place="2018", facing=6, speed=5.0, altitude=12, saw=("a",)),
    )
    start(table).choose("H,G,ETR/H,H,H,H").choose("full", 10, 1, 9)
    assert table.craft("a").o.damage == "L"
    assert table.decision.id == "fly:a:1"
    assert table.decision.why == "its damage forbids what was planned"
    assert table.decision.reading("ETR/H").fault is not None
    table.choose("BTR/H,H,H,H")
    assert [one.aircraft for one in table.facts(MoveEnded)] == ["a"]
    assert table.refold() == table.state


def test_two_attacks_a_turn() -> None:
    table = start(flight(hunter(), hunted())).choose("H,H,H,H")
    table.choose(BURST, 10).choose(BURST, 10)
    assert table.craft("a").gun_shots == 2
    assert table.craft("a").moved  # and is not asked a third time


def test_the_move_of_who_is_killed_is_over() -> None:
    """Head-on the target fires back and kills the mover, whose line is not flown on."""
    table = start(flight(hunter(place="2018", sighted=True), hunted(facing=6))).choose("H,H,H,H")
    table.choose(BURST).choose("full", 10, 1, 10, 1)  # miss, hit, no collision, damage
    assert table.craft("a").status == "killed"
    assert table.state.activation is None
    assert table.state.kills["red"] == 1


def in_flight(state: State, shooter: str, target: str, number: int) -> State:
    side = state.aircraft[shooter].side
    card = printed_missiles()["rh-medium"]
    one = Missile(
        id=f"missile-{number}",
        side=side,
        card=Secret(card.id, (side,)),
        shooter=shooter,
        target=target,
        pos=state.aircraft[shooter].pos,
        altitude=state.aircraft[shooter].altitude,
        facing=state.aircraft[shooter].facing,
        speed=Secret(card.speed, (side,)),
        left=Secret(card.turns, (side,)),
        launched=0,
    )
    return replace(state, missiles={**state.missiles, one.id: one})


def test_a_missile_moves_after_its_target() -> None:
    state = position(
        hunter(place="2025", locks=("b",), illuminating="b", moved=True, ammo=0.0),
        hunted(place="2006", moved=False, ammo=0.0),
    )
    state = replace(
        in_flight(state, "a", "b", 1), order=(OrderPlace("b", 8, 1, "as listed"),), movers=()
    )
    table = start(Table(state).begin("flight")).choose("H,H,H,H")
    (flew,) = table.facts(MissileFlew)
    # From 2025 to 2002 it is 23 hexes; 16 of them are flown.
    assert flew.pos.label == "2009"
    assert table.state.phase != "flight"


def test_tv_47_the_missile_moves_between_its_target_and_who_illuminates() -> None:
    state = position(
        hunter(place="2025", locks=("b",), illuminating="b", ammo=0.0),
        hunted(place="2006", moved=False, ammo=0.0),
        hunted(place="3001", moved=False, ammo=0.0, facing=6),
    )
    order = tuple(OrderPlace(one, 8, n, "as listed") for n, one in enumerate("bca"))
    table = start(Table(replace(in_flight(state, "a", "b", 1), order=order)).begin("flight"))
    table.choose("H,H,H,H")
    kinds = (MoveBegan, MissileFlew, MoveEnded)
    happened = [one.event for one in table.happenings if isinstance(one.event, kinds)]
    assert [type(one) for one in happened] == [MoveBegan, MoveEnded, MissileFlew, MoveBegan]
    assert isinstance(happened[-1], MoveBegan)
    assert (happened[-1].aircraft, happened[-1].after) == ("a", "b")


def test_a_shoot_out_resolves_at_once() -> None:
    """Both missiles attack before damage is rolled, and each kills."""
    state = position(
        hunter(place="2025", locks=("b",), illuminating="b", ammo=0.0),
        hunted(place="2010", facing=6, locks=("a",), illuminating="a", moved=False, ammo=0.0),
    )
    state = in_flight(in_flight(state, "a", "b", 1), "b", "a", 2)
    order = OrderPlace("a", 8, 1, "as listed"), OrderPlace("b", 8, 2, "as listed")
    table = start(Table(replace(state, order=order)).begin("flight")).choose("H,H,H,H")
    start(table).choose("H,H,H,H", 1, 1, 1, 1)
    assert len(table.facts(MissileAttacked)) == 2
    assert [table.craft(one).status for one in "ab"] == ["killed", "killed"]


def test_of_a_shoot_out_only_the_missiles_between_the_two_wait() -> None:
    """GS-FLT-15, GS-FLT-11: a third one's missile moves after its target, and its damage comes before the rest."""
    state = position(
        hunter(place="2025", locks=("b",), illuminating="b", ammo=0.0),
        hunted(place="2010", facing=6, locks=("a",), illuminating="a", moved=False, ammo=0.0),
        hunted(place="2030", facing=0, locks=("a",), illuminating="a", moved=False, ammo=0.0),
    )
    state = in_flight(in_flight(in_flight(state, "a", "b", 1), "b", "a", 2), "c", "a", 3)
    order = tuple(OrderPlace(one, 8, n, "as listed") for n, one in enumerate("abc"))
    table = start(Table(replace(state, order=order)).begin("flight"))
    table.choose("H,H,H,H", 10)  # the third one's missile misses
    assert [one.missile for one in table.facts(MissileAttacked)] == ["missile-3"]
    assert [one.aircraft for one in table.facts(MoveEnded)] == ["a"]
    again = start(Table(replace(state, order=order)).begin("flight"))
    again.choose("H,H,H,H", 1, 1)  # it kills, and what guided the other's missile is gone
    assert again.craft("a").status == "killed"
    assert again.craft("b").illuminating is None
    assert set(again.state.missiles) == {"missile-1"}


@pytest.mark.parametrize("fog", ["table", "soft", "hard"])
def test_nobody_is_named_whom_the_shooter_s_side_knows_nothing_of(fog: str) -> None:
    """What is offered, also as what can't be done, must not tell of an enemy (GS-4-F2, GS-4-F3)."""
    ghost = hunted(place="2005", sighted=False, name="Ghost", ammo=0.0)
    crafts = (
        hunter(stores=[{"missile": "ir-rear", "count": 2}]),
        hunted(),
        ghost,
    )
    table = start(flight(*crafts, rulings={"fog": fog})).choose("H,H,H,H")
    assert table.decision.id == "gun:a:1"
    labels = [option.label for option in table.decision.all_options]
    assert any("Ghost" in label for label in labels) is (fog == "table")
    shooter = replace(table.craft("a"), moved=True)
    named = {target.name for target, *_ in shots(table.state, shooter)}
    assert ("Ghost" in named) is (fog == "table")
