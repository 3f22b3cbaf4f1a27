"""The administrative phases and the end of the game (GS-ADM, GS-EOT): vectors by their ids, rolls, what stays, who wins."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.secret import Secret, redact
from app.engine.sequence import Decision
from app.games.gunslingers.admin.ending import result
from app.games.gunslingers.admin.facts import (
    BearingsRolled,
    CrewRolled,
    KillsCredited,
    LeaveRefused,
    LeaveRolled,
    LogsKept,
    MissileSpent,
    TurnEnded,
    WorseRolled,
)
from app.games.gunslingers.admin.leaving import leaving_blocked
from app.games.gunslingers.admin.victory import points, worth
from app.games.gunslingers.guns.hits import accumulated
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.model import (
    Claim,
    Missile,
    Move,
    Shot,
    TurnCarry,
    Volley,
    with_aircraft,
    with_own,
)
from tests.games.gunslingers.table import GAME, Table, craft, position


def red(**changes: Any) -> Any:
    return craft(**{"side": "red", "card": "mig-21mf", "place": "2035", **changes})


BIG = {"columns": 40, "rows": 40}


def admin(*crafts: Any, turn: int = 3, dice: tuple[int, ...] = (), **changes: Any) -> Table:
    """The Aircraft Administrative Phase of a turn."""
    state = position(*crafts, board=BIG, **changes)
    return Table(state).begin("admin", "", *dice, turn=turn)


def missile(card: str, launched: int, **changes: Any) -> Missile:
    printed = printed_missiles()[card]
    given: dict[str, Any] = {
        "id": "missile-1",
        "side": "blue",
        "card": Secret(card, ("blue",)),
        "shooter": "a",
        "target": "b",
        "pos": position(craft()).aircraft["a"].pos,
        "altitude": 18,
        "facing": 0,
        "speed": Secret(printed.speed, ("blue",)),
        "left": Secret(printed.turns, ("blue",)),
        "launched": launched,
        **changes,
    }
    return Missile(**given)


# GS-ADM-1.


def test_tv_82() -> None:
    """An early heat seeker launched in turn 3 moves in turns 4 and 5, and is removed in turn 5."""
    crafts = craft(), red()
    one = missile("ir-rear", 3)
    for turn, left in ((3, 2), (4, 1)):
        table = admin(*crafts, turn=turn, missiles={one.id: one})
        one = table.state.missiles["missile-1"]
        assert one.left.value == left
    table = admin(*crafts, turn=5, missiles={one.id: one})
    assert table.state.missiles == {}
    assert [spent.missile for spent in table.facts(MissileSpent)] == ["missile-1"]


# GS-ADM-2.


@pytest.mark.parametrize(
    ("damage", "hits", "number", "after"),
    [
        ("L", ("L",), 1, "H"),
        ("2L", ("L", "L"), 1, "H"),
        ("H", ("H",), 2, "C"),
        ("C", ("C",), 3, "K"),
    ],
)
@pytest.mark.parametrize("over", [0, 1])
def test_damage_worsens(
    damage: str, hits: tuple[str, ...], number: int, after: str, over: int
) -> None:
    hurt = craft(damage=damage, hits=hits, hit_turn=2, hit_by="b")
    table = admin(hurt, red(), dice=(number + over, 10))
    (rolled,) = table.facts(WorseRolled)
    assert (rolled.hurt is not None) == (over == 0)
    now = table.craft("a")
    assert now.o.damage == (after if not over else damage)
    assert (now.status == "killed") == (after == "K" and not over)
    # The kill is of whoever hit it last.
    assert table.state.kills["red"] == (1 if now.status == "killed" else 0)


@pytest.mark.parametrize(
    "changes",
    [
        {"damage": "L", "hits": ("L",), "hit_turn": 3},
        {"damage": "L", "hits": ("L",), "damage_control": True},
        {},
    ],
)
def test_damage_that_can_t_worsen(changes: dict[str, Any]) -> None:
    assert admin(craft(**changes), red()).facts(WorseRolled) == []


def test_progressive_damage_can_be_off() -> None:
    hurt = craft(damage="C", hits=("C",))
    assert admin(hurt, red(), rulings={"progressive_damage": "off"}).facts(WorseRolled) == []


def test_what_becomes_heavy_breaks_something() -> None:
    table = admin(craft(damage="L", hits=("L",)), red(), dice=(1, 7))
    assert table.craft("a").o.out == ("guns",)


# GS-ADM-2a.


def test_kills_are_credited() -> None:
    claims = (Claim("b", "blue"), Claim("a", "red"), Claim("c", "blue"))
    crafts = craft(status="killed"), red(status="killed"), red(status="killed")
    (credited,) = admin(*crafts, craft(), claims=claims).facts(KillsCredited)
    assert credited.kills == {"blue": 2, "red": 1}
    assert credited.first == "blue"


def test_the_first_kill_stays_the_first() -> None:
    crafts = craft(status="killed"), red(), craft()
    table = admin(*crafts, claims=(Claim("a", "red"),), first_kill="blue")
    assert table.state.first_kill == "blue"
    assert table.state.claims == ()


# GS-ADM-3.

ASLEEP = {"condition": "gloc", "crew": [{"status": "gloc"}, {"status": "gloc"}]}


@pytest.mark.parametrize(("face", "awake"), [(4, True), (5, False)])
def test_waking_early(face: int, awake: bool) -> None:
    table = admin(craft(**ASLEEP, gloc_until=5), red(), dice=(face, 10))
    assert [one.awake for one in table.facts(CrewRolled)] == [awake, False]
    assert table.craft("a").condition == ("normal" if awake else "gloc")
    assert table.craft("a").o.crew[0].status == ("ok" if awake else "gloc")


def test_a_crewman_who_comes_to_does_not_fly_for_the_pilot() -> None:
    table = admin(craft(**ASLEEP, gloc_until=5), red(), dice=(10, 4))
    assert [one.awake for one in table.facts(CrewRolled)] == [False, True]
    assert table.craft("a").condition == "gloc"


def test_a_crewman_flies_again_where_the_pilot_is_dead() -> None:
    crew = ({"status": "dead"}, {"status": "gloc"})
    table = admin(craft(condition="gloc", gloc_until=5, crew=crew), red(), dice=(4,))
    assert table.craft().condition == "normal"


def test_waking_by_itself() -> None:
    table = admin(craft(**ASLEEP, gloc_until=3), red())
    assert table.craft("a").condition == "normal"
    assert {man.status for man in table.craft("a").o.crew} == {"ok"}
    assert all(one.roll is None for one in table.facts(CrewRolled))


@pytest.mark.parametrize(
    ("quality", "face", "made"),
    [("regular", 6, True), ("regular", 7, False), ("green", 4, True), ("green", 5, False)],
)
def test_bearings(quality: str, face: int, made: bool) -> None:
    lost = craft(condition="disoriented", bearings_lost=True, crew=[{"quality": quality}, {}])
    table = admin(lost, red(), dice=(face,))
    assert table.facts(BearingsRolled)[0].roll.made == made
    assert table.craft("a").condition == ("normal" if made else "disoriented")
    assert table.craft("a").bearings_lost != made


# GS-ADM-4.


def test_the_log_sheet_fills_itself() -> None:
    flown = craft(
        speed=5.5,
        next_speed=5.0,
        ap_carry=-0.5,
        last_ap=3.5,
        last_dp=4.0,
        turn_carry=TurnCarry("HT", "R", 1),
        flight_type="SC",
        power="AB",
        fuel=138.0,
        ammo=4.0,
        stores=[{"missile": "ir-rear", "count": 3}, {"missile": "rh-medium", "count": 4}],
    )
    table = admin(flown, red(), turn=2)
    (row,) = table.craft("a").o.sheet
    assert (row.turn, row.speed, row.altitude, row.flight_type, row.power) == (
        2,
        5.5,
        18,
        "SC",
        "AB",
    )
    assert (row.ap, row.dp, row.carry, row.turn_carry) == (3.5, 4.0, -0.5, TurnCarry("HT", "R", 1))
    assert (row.fuel, row.ammo, row.missiles) == (138.0, 4.0, 7)
    assert table.craft("a").speed == 5.0


def test_the_last_twenty_lines_are_kept_and_are_the_side_s_own() -> None:
    table = Table(position(craft(), red(), board=BIG, turns=99))
    for turn in range(1, 25):
        table.begin("admin", turn=turn)
    assert [row.turn for row in table.craft("a").o.sheet] == list(range(5, 25))
    (kept,) = table.facts(LogsKept)
    hidden = redact(kept, frozenset({"red"}))
    assert hidden.rows["a"].value is None
    assert hidden.rows["b"].value is not None


# GS-ADM-5.


def leaving(*crafts: Any, **changes: Any) -> Table:
    """The phase for two sides that have not said that they stay."""
    changes.setdefault("staying", {})
    return admin(*crafts, **changes)


def test_from_the_first_turn_on_whoever_wants_to_may_leave() -> None:
    """The text sets no shot before it; an aircraft out of everybody's sight leaves on 8 or less in turn 1 too."""
    table = admin(craft(leaves=True), red(), turn=1)
    assert [decision.seat for decision in table.decisions] == ["blue"]
    assert table.facts(LogsKept)[0].wished == ("blue",)  # what was said in secret shows first
    table.choose("a", 8)
    assert table.craft("a").status == "left"


def test_nobody_is_asked_who_has_no_mind_to_leave() -> None:
    assert admin(craft(), red(), turn=1).state.phase != "admin"


@pytest.mark.parametrize("fog", ["table", "soft", "hard"])
def test_nobody_is_asked_when_no_enemy_is_left(fog: str) -> None:
    one, other = craft(), red(sighted=False, place="2001")
    asked = leaving(one, other, rulings={"fog": fog})
    assert {decision.seat for decision in asked.decisions} == {"blue", "red"}
    last = leaving(one, red(status="killed", place="2001"), rulings={"fog": fog})
    assert last.state.phase != "admin"


def test_who_would_leave_says_so_in_secret_and_for_a_turn() -> None:
    table = Table.of(craft(), red(), board=BIG).begin("decisions")
    table.choose("a would leave", offer="decide:blue").choose("", offer="decide:red")
    assert table.craft("a").o.leaves
    assert any("would leave the fight" in told.text for told in table.told({"blue"}))
    assert not any("would leave" in told.text for told in table.told({"red"}))
    assert not table.begin("end").craft("a").o.leaves
    asked = Table.of(craft(), red(), board=BIG, staying={}).begin("decisions")
    assert not any("leave" in one.label for one in asked.decision.all_options)


def shot(shooter: str, at: str, turn: int) -> Shot:
    here = position(craft()).aircraft["a"].pos
    return Shot(shooter, at, here, here, hit=False, turn=turn)


def test_who_stays_until_shots_fall_is_not_asked_before() -> None:
    table = leaving(craft(), red(), turn=1)
    table.choose("stay on", offer="leave:blue:1").choose("stay", offer="leave:red:1")
    for turn in (2, 3):
        assert [decision.seat for decision in table.begin("admin", turn=turn).decisions] == ["red"]
        table.choose("stay")
    table.state = replace(table.state, shots=(shot("b", "a", 4),))
    assert {one.seat for one in table.begin("admin", turn=4).decisions} == {"blue", "red"}
    table.choose("stay on", offer="leave:blue:1").choose("stay on", offer="leave:red:1")
    assert table.begin("admin", turn=5).state.phase != "admin"


@pytest.mark.parametrize(
    ("blue", "red_asked"), [({"gun_shots": 1}, False), ({"launches": 1}, False), ({}, True)]
)
def test_what_was_said_lapses_where_shots_fell(blue: dict[str, Any], red_asked: bool) -> None:
    """Who fired can't leave in that turn, and is asked in the next."""
    crafts = craft(), red()
    table = leaving(*crafts, turn=3, staying={"blue": 2, "red": 2})
    assert table.state.phase != "admin"
    fired = replace(table.state.aircraft["a"], **blue)
    aimed = {} if not red_asked else {"missile-1": missile("ir-rear", 3)}
    table.state = replace(with_aircraft(table.state, fired), missiles=aimed)
    table.begin("end", turn=3)
    table.state = replace(table.state, missiles={})
    table.begin("admin", turn=4)
    asked = {decision.seat for decision in table.decisions}
    assert asked == ({"red"} if red_asked else {"blue"})


def test_a_scenario_may_forbid_leaving() -> None:
    """GS-ADM-5a: then nobody is asked, and the table says so."""
    table = leaving(craft(), red(), leaving=False)
    assert table.state.phase != "admin"
    blocked = leaving_blocked(table.state, table.craft("a"))
    assert blocked is not None
    assert blocked.cite == "GS-ADM-5a"
    assert ("Leaving the fight", "not allowed") in GAME.facts(table.state)
    assert not any("Leaving" in label for label, _ in GAME.facts(position(craft())))
    assert GAME.editor is not None
    assert "leaving" in GAME.editor.labels


@pytest.mark.parametrize(
    ("sighted", "face", "gone"),
    [(False, 8, True), (False, 9, False), (True, 6, True), (True, 7, False)],
)
def test_leaving(sighted: bool, face: int, gone: bool) -> None:
    table = leaving(craft(sighted=sighted), red())
    assert {decision.seat for decision in table.decisions} == {"blue", "red"}
    table.choose("a", face, offer="leave:blue:1")
    assert table.facts(LeaveRolled)[0].roll.made == gone
    assert table.craft("a").status == ("left" if gone else "flying")
    if not gone:  # else no enemy is left of whom Red could get away
        table.choose("stay", offer="leave:red:1")
    assert table.state.phase != "admin"


@pytest.mark.parametrize(
    "changes", [{"gun_shots": 1}, {"launches": 1}, {"condition": "stalled", "speed": 1.0}]
)
def test_who_can_t_leave(changes: dict[str, Any]) -> None:
    table = leaving(craft(**changes), craft(place="1015"), red())
    option = next(one for one in table.decision.all_options if one.value == "a")
    assert option.blocked is not None
    assert option.blocked.cite == "GS-ADM-5a"


@pytest.mark.parametrize(("place", "blocked"), [("2025", True), ("2026", False)])
def test_an_enemy_within_ten_hexes(place: str, blocked: bool) -> None:
    table = leaving(craft(sighted=True), craft(place="1001"), red(place=place))
    option = next(one for one in table.decision.all_options if one.value == "a")
    assert (option.blocked is not None) == blocked


@pytest.mark.parametrize("held", [(), ("b",)])
@pytest.mark.parametrize("fog", ["table", "soft", "hard"])
def test_who_is_asked_tells_nothing_of_a_radar(fog: str, held: tuple[str, ...]) -> None:
    """In sight, with an enemy near: in fog its side may know of him by radar alone, and is asked either way."""
    crafts = craft(sighted=True, contacts=held), red(place="2020")
    table = leaving(*crafts, rulings={"fog": fog})
    asked = {one.seat for one in table.decisions} if table.state.phase == "admin" else set()
    assert ("blue" in asked) == (fog != "table")
    if fog != "table":
        option = next(one for one in table.decision.all_options if one.value == "a")
        assert (option.blocked is not None) == bool(held)


@pytest.mark.parametrize(
    ("sighted", "other", "why"),
    [
        (False, {"contacts": ("a",)}, "a radar has it"),
        (False, {"locks": ("a",)}, "a radar has it"),
        (True, {"locks": ("a",)}, "a radar is locked on it"),
    ],
)
def test_what_the_enemy_knows_keeps_it(sighted: bool, other: dict[str, Any], why: str) -> None:
    """Only the attempt tells what an enemy's radar holds."""
    table = leaving(craft(sighted=sighted), red(**other))
    option = next(one for one in table.decision.all_options if one.value == "a")
    assert option.blocked is None
    table.choose("a", offer="leave:blue:1")
    assert [one.why for one in table.facts(LeaveRefused)] == [why]
    assert table.craft("a").flying


# GS-EOT-11, victory.


def test_what_the_turn_leaves() -> None:
    used = {
        "engaged": True,
        "illuminating": "b",
        "damage_control": True,
        "gun_shots": 2,
        "launches": 3,
        "move": Move(fps=5, band="MH", half_roll=True),
        "moved": True,
        "no_attacks": True,
    }
    kept = {
        "padlocked_by": ("b",),
        "sighted": True,
        "contacts": ("b",),
        "locks": ("b",),
        "tailing": "b",
    }
    flown = missile("ir-rear", 1, moved=True)
    volley = Volley(target="b", missile=Secret("ir-rear", ("blue",)), declared=1, rolled=1)
    state = position(
        craft(**used, **kept), red(), board=BIG, missiles={flown.id: flown}, volleys={"a": volley}
    )
    table = Table(state).begin("end", turn=3)
    one = table.craft("a")
    assert not any(
        (
            one.engaged,
            one.illuminating,
            one.damage_control,
            one.moved,
            one.no_attacks,
        )
    )
    assert (one.gun_shots, one.launches, one.o.move) == (0, 0, None)
    assert (one.padlocked_by, one.sighted_by) == (("b",), ("red",))
    assert (one.o.contacts, one.o.locks, one.tailing) == (("b",), ("b",), "b")
    assert table.state.missiles["missile-1"].moved is False
    assert table.state.volleys == {}
    assert len(table.facts(TurnEnded)) == 1


def test_points_by_the_cards() -> None:
    """F-4E: 24/16/8/4 for killed, crippled, heavy, light; MiG-21: 20/13/7/3."""
    state = position(
        craft(damage="L", hits=("L",)),
        craft(damage="H", hits=("H",)),
        craft(status="killed"),
        craft(),
        red(damage="2L", hits=("L", "L")),
        red(damage="C", hits=("C",), status="left"),
        red(status="crashed"),
        board=BIG,
    )
    assert points(state) == {"blue": 3 + 13 + 20, "red": 4 + 8 + 24}


def test_more_damage_is_never_worth_less() -> None:
    state = position(craft(), red(), board=BIG)
    for n in range(5):
        for hits in product("LHC", repeat=n):
            worths = [
                worth(state, with_own(state.aircraft["a"], hits=all_, damage=accumulated(all_)))
                for all_ in (hits, *((*hits, more) for more in "LHC"))
            ]
            assert worths[0] <= min(worths[1:])
            assert set(worths) <= {0, 4, 8, 16, 24}


def ended(*crafts: Any, turn: int, **changes: Any) -> Any:
    return result(replace(position(*crafts, board=BIG, **changes), turn=turn))


def test_the_last_turn() -> None:
    even = craft(), red()
    assert ended(*even, turn=14) is None
    draw = ended(*even, turn=15)
    assert (draw.reason, draw.winners, draw.scores) == ("time", (), {"blue": 0, "red": 0})
    short = ended(craft(), red(damage="H", hits=("H",)), turn=15)
    assert (short.winners, short.scores["blue"]) == ((), 7)
    lead = ended(craft(damage="H", hits=("H",)), red(), turn=15)
    assert (lead.winners, lead.scores["red"]) == (("red",), 8)


def test_a_side_has_left() -> None:
    over = ended(craft(), red(status="left"), turn=4)
    assert (over.reason, over.winners) == ("left", ())
    won = ended(craft(), red(status="killed"), turn=4)
    assert (won.reason, won.winners) == ("left", ("blue",))
    assert ended(craft(status="killed"), craft(), red(), turn=4) is None


def test_nobody_beats_an_empty_sky() -> None:
    assert ended(craft(), turn=4) is None
    assert ended(craft(), turn=15).winners == ()


def test_the_game_is_over_at_the_end_of_its_turn() -> None:
    table = Table(position(craft(), red(status="killed"), board=BIG)).begin("end", turn=3)
    assert table.state.result is not None
    assert table.state.result.winners == ("blue",)
    assert table.state.points == {"blue": 20, "red": 0}
    assert table.step is None


def test_every_line_is_told_and_folds_again() -> None:
    hurt = craft(damage="L", hits=("L",), condition="gloc", gloc_until=3)
    table = admin(hurt, red(), dice=(2,))
    while isinstance(table.step, Decision | tuple):
        table.choose("stay")
    assert all(line.text for line in table.told())
    assert table.refold() == table.state
