"""The Aircraft Decisions Phase (GS-DEC): TV-48, what may be decided by whom, and that it stays sealed."""

from typing import Any

import pytest

from app.engine.errors import Illegal
from app.engine.secret import Secret, redact
from app.games.gunslingers.decisions import wishes
from app.games.gunslingers.decisions.facts import Decided
from app.games.gunslingers.geometry import Pos
from app.games.gunslingers.model import Decoys, Missile, State
from tests.games.gunslingers.table import Craft, Table, craft, position


def blue(**changes: Any) -> Craft:
    return craft(**changes)


def red(**changes: Any) -> Craft:
    return craft(**{"side": "red", "card": "mig-21mf", "place": "2005", "facing": 6, **changes})


def decide(*crafts: Craft, first: str = "", second: str = "", **changes: Any) -> Table:
    """Through the phase with these lines of Blue and Red."""
    table = Table.of(*(crafts or (blue(), red())), **changes).begin("decisions")
    return table.choose(first, offer="decide:blue").choose(second, offer="decide:red")


def why_not(table: Table, line: str, offer: str = "decide:blue") -> str | None:
    with pytest.raises(Illegal) as refused:
        table.choose(line, offer=offer)
    return refused.value.cite


def missile(card: str, shooter: str, target: str, **changes: Any) -> Missile:
    side = "blue" if shooter in "ab" else "red"
    return Missile(
        id=f"{shooter}-{target}",
        side=side,
        card=Secret(card, (side,)),
        shooter=shooter,
        target=target,
        pos=Pos(40, 20),
        altitude=18,
        facing=6,
        speed=Secret(12, (side,)),
        left=Secret(2, (side,)),
        launched=1,
        **changes,
    )


def missiles(*some: Missile) -> dict[str, Missile]:
    return {one.id: one for one in some}


# Programs (GS-DEC-1).


def test_tv_48() -> None:
    """Stock chaff 3, program 4/0/0: 3 are dropped, then none."""
    a = blue(decoys=Decoys(3, 0, 0), program=Decoys(4, 0, 0), program_on=True)
    table = decide(a, red())
    one = table.craft()
    assert (one.program, one.program_on, one.o.decoys) == (Decoys(3), True, Decoys())
    table.begin("decisions", turn=2).choose("", offer="decide:blue").choose("", offer="decide:red")
    one = table.craft()
    assert one.program_on is False
    assert one.o.decoys == Decoys()


def test_a_program_is_set_and_runs_every_turn() -> None:
    table = decide(first="a chaff 2, a flare 3, a program on")
    one = table.craft()
    assert (one.program, one.program_on, one.flares_used) == (Decoys(2, 3), True, True)
    assert one.o.decoys == Decoys(6, 5)
    table.begin("decisions", turn=2).choose("", offer="decide:blue").choose("", offer="decide:red")
    assert table.craft().o.decoys == Decoys(4, 2)
    table.begin("decisions", turn=3)
    table.choose("a program off", offer="decide:blue").choose("", offer="decide:red")
    one = table.craft()
    assert (one.program_on, one.flares_used, one.o.decoys) == (False, False, Decoys(4, 2))


def test_what_a_dispenser_can_not_do() -> None:
    empty = Table.of(blue(decoys=Decoys()), red()).begin("decisions")
    assert why_not(empty, "a program on") == "GS-DEC-1"
    hit = Table.of(blue(out=("ecm",)), red()).begin("decisions")
    assert why_not(hit, "a chaff 2") == "GS-DEC-1"
    # The MiG has none at all: there is nothing to order.
    lines = [one.value for one in empty.decisions[1].all_options]
    assert lines == ["", "b iff on", "b radar off", "b would leave"]
    assert why_not(empty, "b program on", "decide:red") == "GS-DEC-1"


def test_levels_end_at_six_and_at_the_stock() -> None:
    table = Table.of(blue(decoys=Decoys(8, 2)), red()).begin("decisions")
    lines = {one.value for one in table.decision.all_options}
    assert {"a chaff 6", "a flare 2"} <= lines
    assert not {"a chaff 7", "a flare 3", "a mini 1"} & lines


# IFF and modes: known to their own side only (GS-DEC-1a, GS-DEC-6).


def test_iff_and_radar_are_the_sides_own() -> None:
    table = decide(first="a iff on, a radar off")
    own = table.craft().o
    assert (own.iff, own.radar_mode) == (True, "off")
    other = redact(table.state, frozenset({"red"})).aircraft["a"]
    assert other.own.value is None
    shown = redact(table.facts(Decided)[0], frozenset({"red"}))
    assert shown.hidden.value is None
    nothing = decide().facts(Decided)[0]
    assert shown == redact(nothing, frozenset({"red"}))


def test_a_radar_that_is_switched_off_lets_go() -> None:
    a = blue(contacts=("b",), locks=("b",))
    table = decide(a, red(card="f-4e", facing=0, warned=("a",)), first="a radar off")
    own = table.craft().o
    assert (own.contacts, own.locks, table.craft("b").o.warned) == ((), (), ())


def test_only_modes_that_are_fitted_are_offered() -> None:
    plain = Table.of(blue(), red()).begin("decisions")
    assert "a radar boresight" not in {one.value for one in plain.decision.all_options}
    fitted = blue(card_with={"technology": ("boresight", "auto-track", "ir-uncage")})
    table = decide(fitted, red(), first="a radar boresight, a uncages")
    assert (table.craft().o.radar_mode, table.craft().o.uncaged) == ("boresight", True)
    broken = Table.of(blue(out=("radar",)), red()).begin("decisions")
    assert why_not(broken, "a radar off") == "GS-DEC-6"


def test_a_lock_may_be_dropped() -> None:
    table = decide(blue(contacts=("b",), locks=("b",)), red(), first="a drops b")
    assert (table.craft().o.contacts, table.craft().o.locks) == (("b",), ())


# Engaging (GS-DEC-2).


@pytest.mark.parametrize(
    ("card", "seen", "rwr", "allowed"),
    [
        ("ir-rear", True, "B", True),
        ("ir-rear", False, "B", False),
        ("rh-medium", False, "B", True),
        ("rh-medium", False, "", False),
        ("rh-medium", True, "", True),
    ],
)
def test_engaging_takes_a_warning(card: str, seen: bool, rwr: str, allowed: bool) -> None:
    flown = missiles(missile(card, "c", "a", sighted_by=("blue",) if seen else ()))
    crafts = blue(card_with={"rwr": rwr}), red(id="c", name="C")
    table = Table.of(*crafts, missiles=flown).begin("decisions")
    if not allowed:
        assert why_not(table, "a engages") == "GS-DEC-2"
        return
    table.choose("a engages", offer="decide:blue").choose("", offer="decide:red")
    assert table.craft().engaged is True
    assert table.refold() == table.state


def test_a_receiver_that_is_hit_warns_of_nothing() -> None:
    flown = missiles(missile("rh-medium", "c", "a"))
    table = Table.of(blue(out=("ecm",)), red(id="c", name="C"), missiles=flown).begin("decisions")
    assert why_not(table, "a engages") == "GS-DEC-2"


def test_green_pilots_may_not_engage() -> None:
    flown = missiles(missile("ir-rear", "c", "a", sighted_by=("blue",)))
    crew = ({"quality": "green"}, {"quality": "veteran"})
    table = Table.of(blue(crew=crew), red(id="c", name="C"), missiles=flown).begin("decisions")
    assert why_not(table, "a engages") == "GS-DEC-2a"


@pytest.mark.parametrize("condition", ["stalled", "departed", "gloc", "disoriented"])
def test_who_is_out_of_control_can_not_engage(condition: str) -> None:
    flown = missiles(missile("ir-rear", "c", "a", sighted_by=("blue",)))
    table = Table.of(blue(condition=condition), red(id="c", name="C"), missiles=flown).begin(
        "decisions"
    )
    assert why_not(table, "a engages") == "GS-DEC-2"


def test_nobody_engages_what_does_not_fly_at_him() -> None:
    table = Table.of(blue(), red()).begin("decisions")
    assert not any("engages" in one.value for one in table.decision.all_options)


def test_engaging_costs_locks_and_light_and_ends_with_the_turn() -> None:
    flown = missiles(
        missile("rh-medium", "a", "c"), missile("ir-rear", "c", "a", sighted_by=("blue",))
    )
    crafts = blue(contacts=("c",), locks=("c",)), red(id="c", name="C")
    table = decide(*crafts, missiles=flown, first="a engages")
    one = table.craft()
    assert (one.engaged, one.illuminating, one.o.locks) == (True, None, ())
    table.begin("decisions", turn=2).choose("", offer="decide:blue").choose("", offer="decide:red")
    assert table.craft().engaged is False


def test_shoot_outs_are_named_and_chosen_in_secret() -> None:
    """GS-DEC-2b: each learns only afterwards whether the other has engaged."""
    flown = missiles(missile("rh-medium", "a", "c"), missile("rh-medium", "c", "a"))
    crafts = (
        blue(contacts=("c",), locks=("c",)),
        red(id="c", name="C", card="f-4e", contacts=("a",), locks=("a",)),
    )
    table = Table.of(*crafts, missiles=flown).begin("decisions")
    a, c = table.craft(), table.craft("c")
    assert wishes.shoot_outs(table.state, a) == (c,)
    assert wishes.shoot_outs(table.state, c) == (a,)
    assert "shoot-out with C" in table.option("a engages").detail
    before = table.state
    table.choose("a engages", offer="decide:blue")
    assert table.state == before
    table.choose("", offer="decide:red")
    assert (table.craft().engaged, table.craft("c").engaged) == (True, False)
    assert (table.craft().illuminating, table.craft("c").illuminating) == (None, "a")


# Illuminating (GS-DEC-3).


def lit(**changes: Any) -> tuple[State, Table]:
    flown = missiles(missile("rh-medium", "a", "c"))
    own = {"contacts": ("c",), "locks": ("c",), **changes}
    table = Table.of(blue(**own), red(id="c", name="C"), missiles=flown).begin("decisions")
    return table.state, table


def test_a_missile_in_flight_is_illuminated_unless_told_otherwise() -> None:
    _, table = lit()
    assert table.decision.all_options[0].detail == "A illuminates C"
    table.choose("", offer="decide:blue").choose("", offer="decide:red")
    assert table.craft().illuminating == "c"
    _, table = lit()
    table.choose("a does not illuminate", offer="decide:blue").choose("", offer="decide:red")
    assert table.craft().illuminating is None


def test_illuminating_takes_a_lock() -> None:
    _, table = lit(locks=())
    assert why_not(table, "a illuminates c") == "GS-DEC-3"
    _, table = lit()
    assert why_not(table, "a drops c, a illuminates c") == "GS-DEC-3"
    _, table = lit()
    table.choose("a drops c", offer="decide:blue").choose("", offer="decide:red")
    assert table.craft().illuminating is None


# Who is asked.


def test_both_are_asked_in_secret_every_turn() -> None:
    table = Table.of(blue(), red()).begin("decisions")
    assert [(one.seat, one.sealed, one.initial) for one in table.decisions] == [
        ("blue", True, ""),
        ("red", True, ""),
    ]
    assert table.decision.all_options[0].label == "No change"
    assert table.decision.unit is None


def test_nobody_awake_is_not_asked() -> None:
    asleep = blue(crew=({"status": "gloc"}, {"status": "dead"}))
    table = Table.of(asleep, red()).begin("decisions")
    assert [one.seat for one in table.decisions] == ["red"]


@pytest.mark.parametrize("wingman", [True, False])
def test_where_nobody_is_awake_a_program_goes_on(wingman: bool) -> None:
    """GS-DEC-1: what is on drops its numbers again; flares of the turn before count no longer."""
    asleep = {
        "crew": ({"status": "gloc"}, {"status": "gloc"}),
        "condition": "gloc",
        "program": Decoys(chaff=5),
        "program_on": True,
        "flares_used": True,
    }
    ours = [blue(**asleep), blue(place="2025")] if wingman else [blue(**asleep)]
    table = Table.of(*ours, red()).begin("decisions")
    assert {one.seat for one in table.decisions} == {"red", *(["blue"] if wingman else [])}
    while table.state.phase == "decisions":
        table.choose("")
    one = table.craft()
    assert (one.o.decoys.chaff, one.program.chaff, one.program_on) == (3, 5, True)
    assert not one.flares_used
    assert {fact.side for fact in table.facts(Decided)} == {"blue", "red"}
    assert table.refold() == table.state


def test_a_missile_that_the_crew_alone_sees_by_vas_can_be_engaged() -> None:
    """GS-VIS-9c: for others of its side it stays unsighted."""
    flown = missiles(
        missile("ir-rear", "c", "a", vas_by=("a",)),
        missile("ir-rear", "c", "b", vas_by=("a",)),
    )
    crafts = blue(), blue(id="b", place="2025"), red(id="c", name="C")
    table = Table.of(*crafts, missiles=flown).begin("decisions")
    engages = {one.value: one.blocked for one in table.decision.all_options}
    assert engages["a engages"] is None
    assert engages["b engages"] is not None


def test_no_change_changes_nothing() -> None:
    table = decide()
    assert table.craft() == table.start.aircraft["a"]
    assert [one.text for one in table.told()][1:3] == [
        "Blue decides: nothing special.",
        "Red decides: nothing special.",
    ]


@pytest.mark.parametrize("line", ["a iff off", "a program off", "a radar search", "a stays"])
def test_what_is_so_already_may_be_ordered_and_is_no_change(line: str) -> None:
    """Whatever is said of what is so leaves the line as it is; what is not to be had stays refused."""
    table = Table.of(blue(), red()).begin("decisions")
    known = wishes.orders(table.state, "blue")
    offered = {order.text for order in known.offered(known.proposal)}
    assert line not in offered
    assert known.draft(line).text == ""
    assert known.draft(line).fault is None
    assert known.plan(line) == known.proposal
    assert known.draft("a drops b").fault is not None


def test_the_log_tells_each_what_is_for_him() -> None:
    table = decide(first="a iff on, a chaff 2, a program on")
    own = next(one.text for one in table.told({"blue"}) if one.text.startswith("Blue decides"))
    other = next(one.text for one in table.told({"red"}) if one.text.startswith("Blue decides"))
    assert own == "Blue decides: A has its program on (2/0/0), has IFF on."
    assert other == "Blue decides: A has its program on (2/0/0)."


def test_orders_out_of_order_are_read_from_where_they_stand() -> None:
    state = position(blue(), red())
    orders = wishes.orders(state, "blue")
    assert orders.draft("a program on").fault is not None
    assert orders.draft("a chaff 2, a program on").fault is None
    assert orders.draft("a chaff 2, a program on").figures == (("A: decoys used", "2/0/0"),)
