"""The Air Radar Search and Lock-on Phase (GS-RAD): vectors by their ids, and numbers against an oracle."""

import math
import random
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.errors import Illegal
from app.engine.sequence import Roll
from app.games.gunslingers.countermeasures import eff, eff_half
from app.games.gunslingers.model import Decoys, Jammer, Move, RadarCard, State
from app.games.gunslingers.radar import numbers, plans
from app.games.gunslingers.radar.facts import (
    ContactsKept,
    LocksPlanned,
    LocksShaken,
    LocksTried,
    RadarSearched,
    RadarsLook,
)
from app.games.gunslingers.radar.holding import holding
from tests.games.gunslingers.table import Craft, Table, craft, position, warned

REGULAR = ({"quality": "regular"}, {"quality": "regular"})
RADAR: dict[str, Any] = {
    "arc": "150+",
    "search_max": 60,
    "search": 15,
    "track_max": 30,
    "track": 10,
    "lock": 7,
    "eccm": 0,
}


def hunter(radar: dict[str, Any] | None = None, **changes: Any) -> Craft:
    """An F-4E of Blue at 2025 facing north, with RADAR but for `radar`."""
    card = {"radar": RadarCard(**{**RADAR, **(radar or {})}), **changes.pop("card_with", {})}
    return craft(**{"place": "2025", "card_with": card, **changes})


def prey(hexes: int, column: int = 20, **changes: Any) -> Craft:
    """A fighter of Red so many hexes north of 2025, without a radar of its own."""
    card = {"radar": None, "rwr": "", **changes.pop("card_with", {})}
    given = {"side": "red", "place": f"{column}{25 - hexes:02}", "card_with": card, **changes}
    return craft(**given)


def need(state: State, of: str = "b", by: str = "a") -> Any:
    return numbers.search(state, state.aircraft[by], state.aircraft[of])


# Vectors.


def test_tv_67() -> None:
    assert numbers.search_need(15, 60, 40) == 8
    assert numbers.search_need(15, 60, 30) == 10
    assert numbers.search_need(15, 60, 61) is None


@pytest.mark.parametrize(("face", "found"), [(8, True), (9, False)])
def test_tv_68(face: int, found: bool) -> None:
    state = position(hunter({"search": 6, "search_max": 20}), prey(20, iff=True))
    number = need(state)
    assert (number.need, number.modifier) == (6, -2)
    table = Table(state).begin("radar", "", face)
    assert table.craft().o.contacts == (("b",) if found else ())
    assert table.facts(ContactsKept)[0].answered == ("b",)


def test_tv_69() -> None:
    jammer = Jammer("A", 5)
    target: dict[str, Any] = {
        "program": Decoys(5, 0, 2),
        "program_on": True,
        "card_with": {"djm": jammer},
    }
    state = position(hunter({"eccm": 2}), prey(10, **target))
    assert [(one.by, one.need) for one in numbers.by_jammers(state, "red")] == [("DJM", 3)]
    assert [(one.by, one.need) for one in numbers.by_decoys(state, "red")] == [("chaff", 1)]


def test_a_lock_by_auto_track_is_shaken_too() -> None:
    """It may be held outside the radar's own arc (GS-RAD-4c), here 1.7 hexes to the side of its beam."""
    radar = {"arc": "limited", "search": 12}
    target = prey(10, column=22, card_with={"djm": Jammer("A", 5)})
    for mode, shaken in (("search", False), ("auto-track", True)):
        card = {"technology": ("auto-track",)}
        state = position(hunter(radar, card_with=card, radar_mode=mode), target)
        assert bool(numbers.in_track(state, state.aircraft["a"])) is shaken
        assert bool(numbers.by_jammers(state, "red")) is shaken


@pytest.mark.parametrize(("tws", "kept"), [("none", 1), ("limited", 3), ("full", 3)])
def test_tv_70(tws: str, kept: int) -> None:
    """Three contacts, one of them locked; then, with a fourth in arc, who may search for it."""
    table = Table.of(
        hunter({"tws": tws}, contacts=("b", "c", "d")), prey(10), prey(11), prey(12)
    ).begin("radar", "GS-RAD-4")
    table.choose("a locks b", 7)
    own = table.craft().o
    assert own.locks == ("b",)
    assert len(own.contacts) == kept
    four = position(hunter({"tws": tws}), prey(10), prey(11), prey(12), prey(13))
    four = holding(four, {"a": (own.contacts, own.locks)})
    searched = plans.searches(four, "blue")["a"]
    assert searched == (("e",) if tws == "full" else ())


def test_tv_71() -> None:
    state = position(hunter(), *(prey(n) for n in range(10, 15)))
    table = Table(state).begin("radar")
    assert table.decision.id == "radar-plan:blue"
    assert state.searches == {}
    with pytest.raises(Illegal) as refused:
        table.choose("a searches f")
    assert refused.value.cite == "GS-RAD-3"
    table.choose("a skips b, a searches f", 10, 10, 10, 10)
    assert table.craft().o.contacts == ("c", "d", "e", "f")


# Numbers (GS-RAD-3a).


@pytest.mark.parametrize(
    ("blue", "red", "amount"),
    [
        ({}, {}, 0),
        ({}, {"iff": True}, -2),
        ({}, {"card_with": {"ajm": Jammer("A", 3)}}, 3),
        ({"radar": {"eccm": 1}}, {"card_with": {"ajm": Jammer("A", 3)}}, 2),
        ({"radar": {"eccm": 3}}, {"card_with": {"ajm": Jammer("A", 3)}}, 0),
        ({}, {"card_with": {"ajm": Jammer("A", 3)}, "out": ("ecm",)}, 0),
        ({}, {"program": Decoys(3), "program_on": True}, 2),
        ({"radar": {"eccm": 1}}, {"program": Decoys(3), "program_on": True}, 1),
        ({}, {"program": Decoys(3), "program_on": False}, 0),
        ({}, {"card_with": {"size": -1}}, -1),
        ({"crew": ({}, {"quality": "veteran"})}, {}, -1),
        ({"crew": ({}, {"tactics_master": True})}, {}, -1),
        ({"crew": ({}, {"quality": "novice"})}, {}, 1),
        ({"crew": ({}, {"quality": "green"})}, {}, 2),
        # The pilot counts only where nobody else works the radar.
        ({"crew": ({"quality": "veteran"}, {})}, {}, 0),
        ({"crew": ({"quality": "veteran"}, {"status": "gloc"})}, {}, -1),
    ],
)
def test_each_row(blue: dict[str, Any], red: dict[str, Any], amount: int) -> None:
    state = position(hunter(**blue), prey(10, **red))
    assert need(state).modifier == amount
    lock = numbers.lock(state, state.aircraft["a"], state.aircraft["b"])
    assert lock is not None
    assert (lock.need, lock.modifier) == (7, amount)


@pytest.mark.parametrize(
    ("blue", "cite"),
    [
        ({}, None),
        ({"condition": "stalled"}, "GS-RAD-3b"),
        ({"condition": "departed"}, "GS-RAD-3b"),
        ({"condition": "gloc"}, "GS-RAD-3b"),
        ({"engaged": True}, "GS-DEC-2a"),
        ({"unloaded": 1}, "GS-RAD-3b"),
        ({"rolls": 1}, "GS-RAD-3b"),
        ({"damage_control": True}, "GS-RAD-3b"),
        ({"gun_shots": 1}, "GS-RAD-3b"),
        ({"no_attacks": True}, "GS-RAD-3b"),
        ({"damage": "H", "hit_turn": 1, "shaken_turn": 1}, "GS-RAD-3b"),
        ({"damage": "H", "hit_turn": 1, "shaken_turn": 0}, None),  # a light hit more
        ({"damage": "H", "hit_turn": 0, "shaken_turn": 0}, None),
        ({"condition": "disoriented"}, None),
        ({"move": Move(fps=5, band="MH", half_roll=True)}, "GS-F-6"),
        ({"recovery": 1, "radar_mode": "auto-track"}, "GS-F-13"),
        ({"radar_mode": "off"}, "GS-RAD-3b"),
        ({"out": ("radar",)}, "GS-RAD-3b"),
        ({"max_rate": "HT"}, None),
        ({"max_rate": "BT"}, "GS-RAD-3b"),
        ({"max_rate": "BT", "radar_mode": "boresight"}, None),
        ({"max_rate": "TT", "crew": ({}, {"status": "gloc"})}, None),
        ({"max_rate": "HT", "crew": ({}, {"status": "gloc"})}, "GS-RAD-3b"),
    ],
)
def test_who_may_look(blue: dict[str, Any], cite: str | None) -> None:
    state = position(hunter(**blue), prey(10), turn=1)
    blocked = numbers.barred(state, state.aircraft["a"])
    assert (blocked.cite if blocked else None) == cite


def test_look_down() -> None:
    """GS-RAD-3c: 4 levels above the ground hide from above, 5 do not."""
    for level, look_down, seen in ((4, False, False), (5, False, True), (4, True, True)):
        state = position(hunter({"look_down": look_down}), prey(10, altitude=level))
        assert bool(numbers.in_search(state, state.aircraft["a"])) is seen
    low = position(hunter(altitude=3), prey(10, altitude=4))
    assert numbers.in_search(low, low.aircraft["a"])


# Kept (GS-RAD-1, GS-RAD-4b).


@pytest.mark.parametrize(
    ("blue", "contact", "lock"),
    [
        ({}, True, True),
        ({"condition": "stalled"}, True, False),
        ({"engaged": True}, True, False),
        ({"max_rate": "ET"}, True, False),
        ({"max_rate": "BT"}, True, True),
        ({"rolls": 1}, True, False),
        ({"rolls": 1, "flight_type": "VD"}, True, True),
        ({"rolls": 2, "flight_type": "VD"}, True, False),
        ({"damage": "C", "shaken_turn": 1}, True, False),
        ({"damage": "C", "shaken_turn": 0}, True, True),
        ({"condition": "disoriented"}, True, True),
        ({"radar": {"track_max": 9}}, True, False),
        ({"radar": {"search_max": 9, "track_max": 9}}, False, False),
        ({"facing": 6}, False, False),
        ({"radar_mode": "off"}, False, False),
        ({"out": ("radar",)}, False, False),
    ],
)
def test_what_is_kept(blue: dict[str, Any], contact: bool, lock: bool) -> None:
    state = position(hunter(contacts=("b",), locks=("b",), **blue), prey(10))
    table = Table(state).begin("radar", "GS-RAD-1")
    own = table.craft().o
    assert ("b" in own.contacts, "b" in own.locks) == (contact, lock)


def test_what_is_gone_is_not_kept() -> None:
    state = position(hunter(contacts=("b",), locks=("b",)), prey(10, status="killed"), prey(11))
    assert Table(state).begin("radar").facts(ContactsKept)[0].held["blue"].value is not None
    own = Table(state).begin("radar").craft().o
    assert (own.contacts, own.locks) == ((), ())


# Search, lock, shake.


def test_all_search_dice_fall_at_once() -> None:
    table = Table.of(hunter(), hunter(place="2125"), prey(10), prey(11)).begin(
        "radar", "GS-RAD-3", 1, 2, 3, 4
    )
    assert table.facts(RadarsLook) == []
    # The plan is made in step 2.
    table = Table(table.start).begin("radar", "", 10, 10, 10, 4)
    assert (table.craft("a").o.contacts, table.craft("b").o.contacts) == (("c", "d"), ("c", "d"))
    tries = table.facts(RadarSearched)[0].tries.value
    assert tries is not None
    assert [(one.aircraft, one.target) for one in tries] == [
        ("a", "c"),
        ("a", "d"),
        ("b", "c"),
        ("b", "d"),
    ]


def test_dice_fall_for_what_is_held_already_too() -> None:
    """What is thrown may not tell what is held."""
    for held in ((), ("b",), ("b", "c")):
        table = Table.of(hunter(contacts=held), prey(10), prey(11)).begin("radar")
        assert table.waiting_roll.pool.count == 2
        assert table.waiting_roll.odds is None
        assert table.waiting_roll.unit is None


def locked(*faces: int, line: str = "a locks b", **red: Any) -> Table:
    table = Table.of(hunter(contacts=("b",)), prey(10, **red)).begin("radar", "GS-RAD-4")
    return table.choose(line, *faces)


@pytest.mark.parametrize(("face", "locks"), [(7, ("b",)), (8, ())])
def test_locking_on(face: int, locks: tuple[str, ...]) -> None:
    table = locked(face)
    assert (table.craft().o.locks, table.craft().o.contacts) == (locks, ("b",))
    assert table.refold() == table.state


def test_the_target_is_warned_by_its_receiver_alone() -> None:
    deaf, warned_one = locked(7), locked(7, card_with={"rwr": "B"})
    broken = locked(7, card_with={"rwr": "B"}, out=("ecm",))
    assert [t.craft("b").o.warned for t in (deaf, warned_one, broken)] == [(), ("a",), ()]
    lines = [one.text for one in warned_one.told({"red"})]
    assert "Radar warning: B is locked on by A." in lines
    assert not any("locked on" in one.text for one in deaf.told({"red"}))
    assert warned_one.facts(LocksTried)[0].warned.seats == ("red",)


def test_missiles_that_need_it_have_a_lock_proposed() -> None:
    homing = ({"missile": "rh-medium", "count": 1},)
    plain = position(hunter(contacts=("b", "c")), prey(10), prey(8))
    assert plans.locks(plain, "blue") == {"a": ()}
    armed = position(hunter(contacts=("b", "c"), stores=homing), prey(10), prey(8))
    assert plans.locks(armed, "blue") == {"a": ("c",)}
    two = position(
        hunter(contacts=("c", "d"), stores=homing),
        hunter(contacts=("c", "d"), stores=homing),
        prey(10),
        prey(8),
    )
    assert plans.locks(two, "blue") == {"a": ("d",), "b": ("c",)}


@pytest.mark.parametrize(
    ("blue", "line", "cite"),
    [
        ({}, "a locks b", "GS-RAD-4"),
        ({"contacts": ("b", "c"), "locks": ("c",)}, "a locks b", "GS-RAD-4a"),
        ({"contacts": ("b", "c"), "locks": ("c",)}, "a locks c", "GS-RAD-4a"),
        (
            {"contacts": ("b",), "crew": ({}, {"quality": "green"}), "radar": {"lock": 2}},
            "a locks b",
            "GS-RAD-4",
        ),
    ],
)
def test_what_can_not_be_locked(blue: dict[str, Any], line: str, cite: str) -> None:
    table = Table.of(hunter(**blue), prey(10), prey(11)).begin("radar", "GS-RAD-4")
    with pytest.raises(Illegal) as refused:
        table.choose(line)
    assert refused.value.cite == cite


def test_one_lock_takes_the_place_of_another_in_the_plan() -> None:
    state = position(hunter(contacts=("b", "c")), prey(10), prey(11))
    orders = plans.lock_orders(state, "blue")
    assert orders.plan("a locks b, a locks c") == {"a": ("c",)}
    assert orders.plan("a locks b, a does not lock") == {"a": ()}
    many = position(hunter({"multi_track": 2}, contacts=("b", "c")), prey(10), prey(11))
    assert plans.lock_orders(many, "blue").plan("a locks b, a locks c") == {"a": ("b", "c")}
    assert plans.attempts(many, "blue") == 2


def test_lock_ons_are_asked_for_where_one_could_be_and_nowhere_else() -> None:
    """Whether there is a contact does not matter: being asked may not tell."""
    for held in ((), ("b",)):
        table = Table.of(hunter(contacts=held), prey(10)).begin("radar", "GS-RAD-4")
        assert (table.decision.id, table.decision.sealed) == ("lock-plan:blue", True)
        assert table.choose("").waiting_roll.pool.count == 1
    far = Table.of(hunter({"track_max": 9}, contacts=("b",)), prey(10)).begin("radar", "GS-RAD-4")
    assert far.facts(LocksPlanned) == []
    assert not any(one.id.startswith("lock-plan") for one in far.decisions)


JAMMED: dict[str, Any] = {"card_with": {"djm": Jammer("A", 4), "rwr": "B"}}


def held_by(**red: Any) -> State:
    hunting = hunter({"eccm": 1}, contacts=("b",), locks=("b",))
    return warned(position(hunting, prey(10, **red)))


@pytest.mark.parametrize(("face", "locks"), [(3, ()), (4, ("b",))])
def test_jammers_break_locks(face: int, locks: tuple[str, ...]) -> None:
    """DJM 4, ECCM 1: 3 or less."""
    table = Table(held_by(**JAMMED)).begin("radar", "GS-RAD-5", face)
    assert table.craft().o.locks == locks
    assert table.craft("b").o.warned == (("a",) if locks else ())
    does = "does not break" if locks else "breaks"
    assert f"B's DJM {does} A's lock." in [one.text for one in table.told({"red"})]


@pytest.mark.parametrize("locks", [(), ("b",)])
def test_jammer_dice_fall_whether_anybody_is_locked_on_or_not(locks: tuple[str, ...]) -> None:
    state = position(hunter({"eccm": 1}, contacts=("b",), locks=locks), prey(10, **JAMMED))
    table = Table(state).begin("radar", "GS-RAD-5")
    assert isinstance(table.step, Roll)
    assert table.step.pool.count == 1
    assert table.roll(1).craft().o.locks == ()


def test_chaff_then_mini_jammers() -> None:
    """Chaff 5, minis 3, ECCM 1: 2 and 2. A lock that chaff broke is not rolled for again."""
    program: dict[str, Any] = {
        "program": Decoys(5, 0, 3),
        "program_on": True,
        "card_with": {"rwr": "B"},
    }
    for faces, count, kept in (((2, 9), 1, False), ((3, 2), 2, False), ((3, 3), 2, True)):
        table = Table(held_by(**program)).begin("radar", "GS-RAD-6", *faces)
        shaken = table.facts(LocksShaken)[0].known.value
        assert shaken is not None
        assert [one.by for one in shaken] == ["chaff", "mini-jammer"][:count]
        assert bool(table.craft().o.locks) is kept
        assert table.facts(LocksShaken)[0].known.seats == ("blue",)
        assert table.refold() == table.state


def test_no_dice_fall_where_resistance_leaves_nothing() -> None:
    state = position(hunter({"eccm": 4}, contacts=("b",), locks=("b",)), prey(10, **JAMMED))
    assert numbers.by_jammers(state, "red") == ()
    assert not Table(state).begin("radar", "GS-RAD-5").facts(LocksShaken)


@pytest.mark.parametrize("fog", ["table", "soft", "hard"])
def test_in_fog_nobody_is_offered_a_target_he_does_not_know_of(fog: str) -> None:
    """GS-4-F3: somebody may be in the arc; unless he is a contact or in sight, he is not named."""
    crafts = [hunter(contacts=("b",)), prey(10), prey(11), prey(12, sighted=True)]
    state = position(*crafts, rulings={"fog": fog})
    table = Table(state).begin("radar", "GS-RAD-4")
    names = {one.label.rpartition(" ")[2] for one in table.decision.all_options[1:]}
    assert names == ({"B", "C", "D"} if fog == "table" else {"B", "D"})
    many = [hunter(), *(prey(n, sighted=n != 9) for n in range(4, 10))]
    crowd = Table(position(*many, rulings={"fog": fog})).begin("radar")
    told = {one.label.rpartition(" ")[2] for one in crowd.decision.all_options[1:]}
    assert told == (set("BCDEFG") if fog == "table" else set("BCDEF"))


@pytest.mark.parametrize("fog", ["table", "soft", "hard"])
def test_in_fog_no_choice_of_targets_tells_that_there_are_many(fog: str) -> None:
    """GS-RAD-3a: with more than four in its arc a side picks; in fog only where it knows of as many."""
    many = [hunter(), *(prey(n, sighted=n == 9) for n in range(5, 10))]
    table = Table(position(*many, rulings={"fog": fog})).begin("radar")
    asked = [one.id for one in table.decisions]
    assert asked == (["radar-plan:blue"] if fog == "table" else [])
    if fog != "table":
        assert table.waiting_roll.pool.count == 4
        found = table.roll(1, 1, 1, 1).craft().o.contacts
        assert found == ("b", "c", "d", "e"), "the nearest four"


# Modes (GS-RAD-4c).


@pytest.mark.parametrize(("mode", "tries"), [("search", 2), ("auto-track", 1), ("boresight", 1)])
def test_a_mode_has_one_lock_roll_on_any_radar(mode: str, tries: int) -> None:
    """GS-RAD-4c, for a radar that could otherwise try two (GS-RAD-4a)."""
    card = {"technology": ("auto-track", "boresight")}
    held = {"radar_mode": mode, "contacts": ("b", "c"), "card_with": card}
    crafts = hunter({"multi_track": 2}, **held), prey(5, sighted=True), prey(6, sighted=True)
    table = Table.of(*crafts).begin("radar", "GS-RAD-4")
    lines = [one.value for one in table.decision.all_options]
    line = "a locks b, a locks c"
    assert line.split(", ")[0] in lines
    draft = table.decision.draft
    assert draft is not None
    assert draft(line).figures == (("Lock-ons", str(tries)),)
    assert table.choose(line).waiting_roll.pool.count == tries


def test_a_lock_that_is_kept_is_a_contact() -> None:
    """By auto-track it may be outside the arc in which its radar searches (GS-RAD-1, GS-RAD-4b)."""
    held = {"radar_mode": "auto-track", "contacts": ("b",), "locks": ("b",)}
    crafts = hunter({"arc": "limited"}, **held), prey(8, 22)
    table = Table.of(*crafts).begin("radar")
    own = table.craft().o
    assert (own.contacts, own.locks) == (("b",), ("b",))


@pytest.mark.parametrize(
    ("mode", "hexes", "sighted", "found"),
    [
        ("auto-track", 15, False, ("b",)),
        ("auto-track", 16, False, ()),
        ("boresight", 10, True, ("b",)),
        ("boresight", 10, False, ()),
        ("boresight", 11, True, ()),
    ],
)
def test_modes_find_without_a_roll(
    mode: str, hexes: int, sighted: bool, found: tuple[str, ...]
) -> None:
    seen = ("blue",) if sighted else ()
    table = Table.of(
        hunter(radar_mode=mode), prey(hexes, sighted_by=seen), prey(20, sighted_by=seen)
    ).begin("radar", "", 1, 1)
    assert table.craft().o.contacts == found


def test_a_mode_finds_the_nearest() -> None:
    table = Table.of(hunter(radar_mode="auto-track"), prey(12), prey(9)).begin("radar", "", 1, 1)
    assert table.craft().o.contacts == ("c",)


# Against an oracle: in floating point, from the brief alone.


def scattered(rng: random.Random) -> State:
    def one(n: int, side: str) -> Craft:
        radar = RadarCard(
            arc=rng.choice(("120+", "150+", "180+")),
            search_max=rng.randint(5, 40),
            search=rng.randint(2, 12),
            track_max=rng.randint(3, 20),
            track=5,
            lock=7,
            eccm=rng.randint(0, 3),
            look_down=rng.random() < 0.3,
        )
        card: dict[str, Any] = {"radar": radar, "size": rng.randint(-1, 1)}
        for jammer in ("ajm", "djm"):
            card[jammer] = Jammer("A", rng.randint(1, 6)) if rng.random() < 0.5 else None
        quality = rng.choice(("veteran", "regular", "novice", "green"))
        return craft(
            id=f"{side}{n}",
            name=f"{side}{n}",
            side=side,
            crew=({}, {"quality": quality}),
            place=f"{rng.randint(1, 40):02}{rng.randint(1, 30):02}",
            facing=rng.randrange(12),
            altitude=rng.randint(1, 40),
            iff=rng.random() < 0.3,
            program=Decoys(rng.randint(0, 6), 0, rng.randint(0, 6)),
            program_on=rng.random() < 0.5,
            card_with=card,
        )

    return position(*(one(n, side) for side in ("blue", "red") for n in range(3)))


def covered(state: State, by: str, of: str, most: str) -> bool:
    """Arc, range and look-down, by trigonometry."""
    one, other = state.aircraft[by], state.aircraft[of]
    radar = state.card(one).radar
    assert radar is not None
    dq, dr = other.pos.q - one.pos.q, other.pos.r - one.pos.r
    flat = math.floor(max(abs(dq), abs(dr), abs(dq + dr)) / 2)
    reach = flat + math.floor(abs(one.altitude - other.altitude) / 2)
    if reach > getattr(radar, most):
        return False
    if one.altitude > other.altitude and other.altitude <= 4 and not radar.look_down:
        return False
    bearing = math.degrees(math.atan2(math.sqrt(3) / 4 * dq, -(dr / 2 + dq / 4)))
    off = abs((bearing - 30 * one.facing + 180) % 360 - 180)
    half = {"180+": 30, "150+": 60, "120+": 90}[radar.arc]
    return (dq, dr) == (0, 0) or off <= half + 1e-9


def half_up(n: int) -> int:
    return math.ceil(n / 2)


def faces_that_find(state: State, by: str, of: str) -> int:
    """How many faces find a target in arc and range."""
    one, other = state.aircraft[by], state.aircraft[of]
    radar, card = state.card(one).radar, state.card(other)
    assert radar is not None
    dq, dr = other.pos.q - one.pos.q, other.pos.r - one.pos.r
    reach = max(abs(dq), abs(dr), abs(dq + dr)) // 2 + abs(one.altitude - other.altitude) // 2
    s = radar.search
    wanted = 10 if reach <= 2 * s else 10 - math.ceil(3 * (reach - 2 * s) / s)
    if wanted < 1:
        return 0
    add = {"veteran": -1, "regular": 0, "novice": 1, "green": 2}[one.o.crew[1].quality] + card.size
    add -= 2 * other.o.iff
    add += max(0, card.ajm.number - radar.eccm) if card.ajm else 0
    add += max(0, half_up(other.program.chaff) - radar.eccm) if other.program_on else 0
    return sum(face + add <= wanted for face in range(1, 11))


@pytest.mark.parametrize("seed", range(100))
def test_numbers_are_those_of_the_oracle(seed: int) -> None:
    state = scattered(random.Random(seed))
    for one in state.flying():
        searched = {each.id for each in numbers.in_search(state, one)}
        tracked = {each.id for each in numbers.in_track(state, one)}
        for other in state.enemies(one.side):
            assert (other.id in searched) == covered(state, one.id, other.id, "search_max")
            assert (other.id in tracked) == covered(state, one.id, other.id, "track_max")
            if other.id in searched:
                number = need(state, other.id, one.id)
                reach = 0 if number is None else min(10, max(0, number.reach))
                assert reach == faces_that_find(state, one.id, other.id)
        side = one.side
        shakes = {(s.tracker, s.target, s.by): s.need for s in numbers.by_jammers(state, side)}
        decoys = {(s.tracker, s.target, s.by): s.need for s in numbers.by_decoys(state, side)}
        for other in state.enemies(side):
            radar, jammer = state.card(other).radar, state.card(one).djm
            assert radar is not None
            reaches = covered(state, other.id, one.id, "track_max")
            number = max(0, jammer.number - radar.eccm) if jammer and reaches else 0
            assert shakes.get((other.id, one.id, "DJM"), 0) == number
            on = one.program_on and reaches
            chaff = max(0, half_up(one.program.chaff) - radar.eccm) if on else 0
            mini = max(0, one.program.mini - radar.eccm) if on else 0
            assert decoys.get((other.id, one.id, "chaff"), 0) == chaff
            assert decoys.get((other.id, one.id, "mini-jammer"), 0) == mini


def test_the_sample_has_all_kinds() -> None:
    found: list[int] = []
    for seed in range(100):
        state = scattered(random.Random(seed))
        for one in state.flying():
            found += [faces_that_find(state, one.id, o.id) for o in numbers.in_search(state, one)]
    assert len(found) > 200
    assert {0, 3, 5, 7, 9, 10} <= set(found)


def test_halves_round_up_before_resistance() -> None:
    assert [eff_half(n, 1) for n in range(6)] == [0, 0, 0, 1, 1, 2]
    assert [eff(n, 2) for n in range(5)] == [0, 0, 0, 1, 2]


def test_warnings_follow_locks() -> None:
    state = position(hunter(), prey(10, card_with={"rwr": "A"}), prey(11))
    both = warned(holding(state, {"a": (("b", "c"), ("b", "c"))}))
    assert (both.aircraft["b"].o.warned, both.aircraft["c"].o.warned) == (("a",), ())
    killed = replace(both.aircraft["a"], status="killed")
    gone = warned(replace(both, aircraft={**both.aircraft, "a": killed}))
    assert gone.aircraft["b"].o.warned == ()
