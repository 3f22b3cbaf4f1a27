"""What a side may not learn of the other's crews, radars and decisions: not from the position, facts, log or offers.

Twins: two positions that differ in what one side keeps to itself alone. With the same choices of the other side and
the same dice, the other side and a spectator must be shown the same, as long as no fact says that it reveals.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from app.engine import sequence
from app.engine.secret import Secret, Viewer, redact
from app.engine.sequence import Decision, Roll, waiting
from app.games.gunslingers.decisions.facts import Decided
from app.games.gunslingers.model import (
    Crew,
    Decoys,
    Jammer,
    Own,
    State,
    with_aircraft,
    with_own,
)
from app.games.gunslingers.radar.facts import ContactsKept, LocksPlanned
from tests.games.gunslingers.table import GAME, Craft, Table, craft, position, warned

OTHERS: tuple[Viewer, ...] = (frozenset({"red"}), frozenset())
BOTH_SEE = ("blue", "red")


def merge(blue: dict[str, Any], *, rwr: str = "") -> State:
    """Two of Blue and two of Red in each other's radar; `blue` is what may differ."""
    ours: Craft = {"place": "2025", "power": "N", **blue}
    theirs: Craft = {"side": "red", "facing": 6, "power": "N", "card_with": {"rwr": rwr}}
    return warned(
        position(
            craft(**ours),
            craft(place="2225", power="N"),
            craft(**theirs, place="2015"),
            craft(**theirs, place="2215"),
        )
    )


def shown(table: Table, viewer: Viewer) -> list[Any]:
    """All that a viewer is shown of a table: the position, what has happened, the log, what is open."""
    facts = [
        (redact(one.event, viewer), one.kind, one.seat, one.unit, one.cite, one.dice)
        for one in table.happenings
    ]
    state = GAME.view(redact(table.state, viewer), viewer)
    units = GAME.units(state, viewer)
    return [state, units, facts, table.told(viewer), list(open_to(table, viewer))]


def open_to(table: Table, viewer: Viewer) -> Iterator[Any]:
    for one in waiting(table.step):
        yield type(one), one.id, one.title, one.seat, one.unit, one.step, one.cite
        if isinstance(one, Roll):
            yield one.why, one.pool, one.odds is None, one.terms
        elif isinstance(one, Decision):
            yield one.why, one.sealed, one.forced is None, one.action
            if one.seat in viewer:
                yield [(o.key, o.label, o.detail, o.blocked, o.terms) for o in one.all_options]


def alike(one: Table, two: Table) -> None:
    for viewer in OTHERS:
        assert shown(one, viewer) == shown(two, viewer)
    assert one.state != two.state, "the twins are no twins: nothing differs"


# Radar.

HELD = ({}, {"contacts": ("c",)}, {"contacts": ("c", "d")}, {"contacts": ("c",), "locks": ("c",)})


@pytest.mark.parametrize("first", HELD)
@pytest.mark.parametrize("second", HELD)
def test_what_a_radar_holds_is_not_told(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Through the whole phase, lock-ons included: the same questions, the same number of dice."""
    if first == second:
        return
    tables = [Table(merge(held)).begin("radar") for held in (first, second)]
    alike(*tables)
    for side in ("blue", "red"):
        for table in tables:
            assert table.waiting_roll.seat == side
            table.roll(2, 9, 10, 1)
        alike(*tables)
    assert all(one.id == "lock-plan:blue" for one in (t.decisions[0] for t in tables))
    for table in tables:
        table.choose("", offer="lock-plan:blue").choose("", 5, 5, 5, 5, offer="lock-plan:red")
        assert table.state.phase != "radar"
    alike(*tables)


@pytest.mark.parametrize("rwr", ["", "A"])
def test_whom_a_side_locks_on_to_only_a_receiver_tells(rwr: str) -> None:
    held = {"contacts": ("c", "d")}
    tables = [Table(merge(held, rwr=rwr)).begin("radar", "GS-RAD-4") for _ in range(2)]
    for table, line in zip(tables, ("a locks c", "a locks d"), strict=True):
        table.choose(line, offer="lock-plan:blue").choose("", 1, 1, 1, 1, offer="lock-plan:red")
    assert [t.craft().o.locks for t in tables] == [("c",), ("d",)]
    red, nobody = OTHERS
    told = [shown(table, red) for table in tables]
    assert (told[0] == told[1]) is (rwr == "")
    assert shown(tables[0], nobody) == shown(tables[1], nobody)
    if rwr:
        assert [t.craft(id).o.warned for t, id in zip(tables, "cd", strict=True)] == [("a",)] * 2


def test_countermeasures_tell_their_own_side_nothing_without_a_receiver() -> None:
    """The target's side throws the dice, and still does not learn whether anybody was locked on."""
    jammed: Craft = {
        "side": "red",
        "facing": 6,
        "program": Decoys(6),
        "program_on": True,
        "card_with": {"rwr": "", "djm": Jammer("A", 9)},
    }
    tables = [
        Table(
            position(
                craft(place="2025", contacts=("b",), locks=locks), craft(**jammed, place="2015")
            )
        ).begin("radar", "GS-RAD-5", *[1] * 12)
        for locks in ((), ("b",))
    ]
    assert [t.craft().o.locks for t in tables] == [(), ()]
    for viewer in OTHERS:
        assert shown(tables[0], viewer) == shown(tables[1], viewer)


def test_lock_plans_are_for_their_side() -> None:
    table = Table(merge({"contacts": ("c",)})).begin("radar", "GS-RAD-4")
    table.choose("a locks c", offer="lock-plan:blue").choose("", offer="lock-plan:red")
    plan = table.facts(LocksPlanned)[0]
    assert redact(plan, frozenset({"blue"})).plan.value == {"a": ("c",), "b": ()}
    assert redact(plan, frozenset({"red"})).plan.value is None
    seen = redact(table.state, frozenset({"red"}))
    assert seen.locking["blue"].value is None


# Decisions.


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a iff on", ""),
        ("a radar off", ""),
        ("b radar off, b iff on", "a iff on"),
        ("a drops c", ""),
    ],
)
def test_hidden_decisions_stay_hidden(first: str, second: str) -> None:
    held = {"contacts": ("c",), "locks": ("c",)}
    tables = [Table(merge(held)).begin("decisions") for _ in range(2)]
    for table, line in zip(tables, (first, second), strict=True):
        table.choose(line, offer="decide:blue")
        assert [one.seat for one in table.decisions] == ["red"]
    for viewer in OTHERS:
        assert shown(tables[0], viewer) == shown(tables[1], viewer)
    for table in tables:
        table.choose("", offer="decide:red")
    facts = [
        [redact(one, viewer) for one in table.facts(Decided)]
        for table in tables
        for viewer in OTHERS
    ]
    assert facts[0] == facts[2]
    assert facts[1] == facts[3]
    for viewer in OTHERS:
        assert redact(tables[0].state.aircraft["a"], viewer) == redact(
            tables[1].state.aircraft["a"], viewer
        )


def test_what_is_left_of_decoys_is_not_told() -> None:
    def stocked(chaff: int) -> State:
        return merge({"decoys": Decoys(chaff, 8), "program": Decoys(2, 0), "program_on": True})

    tables = [Table(stocked(chaff)).begin("decisions") for chaff in (8, 5)]
    alike(*tables)
    for table in tables:
        table.choose("", offer="decide:blue").choose("", offer="decide:red")
    for viewer in OTHERS:
        told = [[redact(e, viewer) for e in table.facts(Decided)] for table in tables]
        assert told[0] == told[1]


# Sighting and stalls: totals are open, reasons are not.

WORDS = (
    "Veteran",
    "Tactics",
    "Novice",
    "Green",
    "Sierra",
    "confidence",
    "fly-by-wire",
    "multi-crew",
)


@pytest.mark.parametrize("phase", ["stalled", "sighting"])
@pytest.mark.parametrize("quality", ["veteran", "novice", "green"])
def test_traits_are_no_words_to_others(phase: str, quality: str) -> None:
    crew = ({"quality": quality, "sierra_hotel": True}, {"quality": quality})
    slow = craft(place="2025", speed=2.0, crew=crew)
    table = Table.of(slow, craft(side="red", place="2015", facing=6)).begin(phase, "", *[9] * 12)
    for _ in range(3):
        if table.state.phase == phase and table.decisions:
            table.choose("")
    own = " ".join(row for told in table.told({"blue"}) for row in (told.text, *told.steps))
    other = " ".join(row for told in table.told({"red"}) for row in (told.text, *told.steps))
    assert quality.capitalize() in own
    blue = [one for one in table.happenings if one.seat == "blue"]
    assert blue
    for viewer in OTHERS:
        texts = [msgspec.json.encode(redact(one.event, viewer)).decode() for one in blue]
        assert not [word for word in WORDS for text in texts if word in text]
    red_rows = [told for told in table.told({"red"}) if told.text.startswith("A ")]
    assert red_rows
    assert not [word for word in WORDS for told in red_rows for row in told.steps if word in row]
    assert other != own


@pytest.mark.parametrize("phase", ["stalled", "sighting"])
def test_rolls_that_wait_show_no_trait(phase: str) -> None:
    crew = ({"quality": "veteran", "sierra_hotel": True}, {"quality": "veteran"})
    table = Table(merge({"speed": 2.0, "crew": crew})).begin(phase)
    for _ in range(3):
        if table.decisions:
            table.choose("")
    roll = table.waiting_roll
    assert roll.seat == "blue"
    assert not [word for word in WORDS for term in roll.terms if word in term.words]
    modifier = sum(int(t.amount.replace("−", "-")) for t in roll.terms[1:] if t.lit)
    assert modifier != 0


def test_nothing_of_an_enemys_own_is_in_a_position() -> None:
    """By token: each value of `own` is swapped for a word that no redacted position may hold."""
    state = merge({"contacts": ("c",), "locks": ("c",), "iff": True})
    planted = msgspec.structs.replace(
        state,
        aircraft={
            id: msgspec.structs.replace(
                one,
                own=Secret("token-own", one.own.seats),
                seen=Secret("token-seen", one.seen.seats),
            )
            for id, one in state.aircraft.items()
        },
    )
    for viewer in OTHERS:
        text = msgspec.json.encode(redact(planted, viewer)).decode()
        blue = {id for id, one in state.aircraft.items() if one.side == "blue"}
        held = msgspec.json.decode(text)["aircraft"]
        assert all(held[id]["own"]["value"] is None for id in blue)
        assert all(held[id]["seen"]["value"] is None for id in blue)
    assert Own(next_speed=1, crew=(Crew(),)).warned == ()


def test_sighting_opens_what_is_seen_and_no_more() -> None:
    table = Table(merge({})).begin("sighting", "", *[10] * 12)
    for _ in range(3):
        if table.decisions and table.state.phase == "sighting":
            table.choose("", *[10] * 4)
    # Ten misses everybody: nobody knows more than before.
    assert all(one.seen.seats == (one.side,) for one in table.state.aircraft.values())
    table = Table(merge({})).begin("sighting", "", *[1] * 12)
    for _ in range(3):
        if table.decisions and table.state.phase == "sighting":
            table.choose("", *[1] * 4)
    for one in table.state.aircraft.values():
        assert set(one.seen.seats) == set(BOTH_SEE)
        assert set(one.ident.seats) == set(BOTH_SEE)
        assert one.own.seats == (one.side,)


# What a receiver hears, its side is told; nobody else.


@pytest.mark.parametrize(("rwr", "heard"), [("A", (("a", "c"),)), ("", ())])
def test_a_receiver_hears_a_lock_given_up(rwr: str, heard: tuple[tuple[str, str], ...]) -> None:
    table = Table(merge({"contacts": ("c",), "locks": ("c",)}, rwr=rwr)).begin("decisions")
    table.choose("a drops c", offer="decide:blue").choose("", offer="decide:red")
    fact = table.facts(Decided)[0]
    assert redact(fact, frozenset({"red"})).silenced.value == heard
    assert redact(fact, frozenset()).silenced.value is None
    assert table.craft("c").o.warned == ()
    lines = " ".join(told.text for told in table.told({"red"}))
    assert ("C is no longer locked on by A" in lines) is bool(heard)


@pytest.mark.parametrize(("rwr", "heard"), [("A", (("a", "c"),)), ("", ())])
def test_a_receiver_hears_a_lock_lost(rwr: str, heard: tuple[tuple[str, str], ...]) -> None:
    """An emergency turn drops the lock (GS-RAD-4b)."""
    state = merge({"contacts": ("c",), "locks": ("c",), "max_rate": "ET"}, rwr=rwr)
    table = Table(state).begin("radar")
    fact = table.facts(ContactsKept)[0]
    assert redact(fact, frozenset({"red"})).silenced["red"].value == heard
    assert redact(fact, frozenset()).silenced["red"].value is None
    lines = " ".join(told.text for told in table.told({"red"}))
    assert ("C is no longer locked on by A" in lines) is bool(heard)
    assert not any("locked on" in told.text for told in table.told(()))


@pytest.mark.parametrize("fog", ["soft", "hard"])
def test_in_fog_a_receiver_tells_of_a_lock_and_not_whose(fog: str) -> None:
    """A side that knows nothing of the one who locks on to it hears the lock all the same (GS-4-F3)."""
    hunter = craft(side="red", place="2001", facing=6, power="N", contacts=("a",))
    prey = craft(place="2030", facing=6, power="N", card_with={"rwr": "A", "djm": Jammer("A", 3)})
    rest = {"side": "red", "place": "0101", "facing": 6, "power": "N"}
    state = position(prey, hunter, craft(**rest), rulings={"fog": fog})
    table = Table(state).begin("radar", "GS-RAD-4")
    table.choose("b locks a", offer="lock-plan:red").choose("", offer="lock-plan:blue")
    table.roll(9).roll(1, 1)  # a die for each radar that looks
    assert table.craft("a").o.warned == ("b",)
    view = GAME.view(redact(table.state, frozenset({"blue"})), frozenset({"blue"}))
    assert view.aircraft["a"].o.warned == ("",)
    units = {unit.id: unit for unit in GAME.units(view, frozenset({"blue"}))}
    assert "locked on" in units["a"].states
    assert told_in_fog(table) == [
        "Blue: lock-ons, nothing to roll for.",
        "Radar warning: A is locked on by somebody out of sight.",
    ]
    table.roll(3, 1)  # more than 3 - 1: not broken; the other has no lock
    assert told_in_fog(table)[2:] == ["A's DJM does not break somebody out of sight's lock."]
    table.begin("decisions").choose("b drops a", offer="decide:red").choose("", offer="decide:blue")
    assert any("A is no longer locked on by somebody" in line for line in told_in_fog(table))
    table = Table(state).begin("radar", "GS-RAD-4").choose("b locks a", offer="lock-plan:red")
    table.choose("", offer="lock-plan:blue").roll(9).roll(1, 1)
    one = table.craft("b")
    table.state = with_aircraft(table.state, with_own(one, max_rate="ET"))
    table.begin("radar")
    assert any("A is no longer locked on by somebody" in line for line in told_in_fog(table))


def told_in_fog(table: Table) -> list[str]:
    """The lines of locks that Blue reads, each fact as its table would hand it over."""
    blue, state, lines = frozenset({"blue"}), table.start, list[str]()
    names = {one.id: one.name for one in state.aircraft.values()} | dict(state.sides)
    for one in table.happenings:
        before, state = state, sequence.evolve(GAME, state, one.event)
        event = GAME.tells(before, state, redact(one.event, blue), blue)
        if event is not None and type(event) in GAME.events:
            lines.append(GAME.tell(event, names).text)
    return [line for line in lines if "lock" in line and "decides on" not in line]
