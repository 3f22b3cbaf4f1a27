"""Odds beside options and rolls: what is shown is what happens over every face, each once."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from app.engine.sequence import Roll
from app.games.f14_tomcats.briefing import placed
from app.games.f14_tomcats.events import TargetPlaced
from app.odds import exact
from tests.games.f14_tomcats.table import FAR, GAME, Table, pilot, setup

FACES = range(1, 7)


def shares(results: list[Any]) -> dict[Any, Fraction]:
    return {result: Fraction(n, len(results)) for result, n in Counter(results).items()}


def at_migs() -> Table:
    return Table(setup(pilot(damage=2)), [1, 4, 3])


@pytest.mark.parametrize("weapon", ["amraam", "sidewinder", "cannon"])
def test_a_shot(weapon: str) -> None:
    odds = at_migs().option(weapon).odds
    assert odds is not None
    assert odds.yes
    played = [at_migs().choose(weapon, face).jet().kills == 1 for face in FACES]
    assert exact(odds.chance) == shares(played)


@pytest.mark.parametrize("weapon", ["maverick", "cannon"])
@pytest.mark.parametrize("kind", ["truck-convoy", "hq-bunker", "power-station"])
@pytest.mark.parametrize("damage", [0, 1])
def test_a_pass(weapon: str, kind: str, damage: int) -> None:
    there = [{"waypoint": 6, "type": kind, "damage": damage}, FAR[0]]

    def over() -> Table:
        return Table(setup(targets=there), [2])

    odds = over().option(weapon).odds
    assert odds is not None
    played = [over().choose(weapon, 2, face).state.targets[0].damage for face in FACES]
    assert exact(odds.chance) == shares(played)
    assert odds.words == ((over().state.targets[0].needs, "destroyed"),)


def test_chaff() -> None:
    def asked() -> Table:
        return Table(setup(), [1, 1, 1], {"optional_cm": "on"})

    used, saved = asked().option(True).odds, asked().option(False).odds
    assert used is not None
    assert saved is not None
    spoofed = [asked().choose(True, face, 1).jet().stores.chaff for face in FACES]
    assert set(spoofed) == {11}
    assert exact(used.chance) == {True: Fraction(1, 2), False: Fraction(1, 2)}
    played = [asked().choose(False, face).jet().damage == 0 for face in FACES]
    assert exact(saved.chance) == shares(played)


Read = Callable[[Table], Any]


def kind_of(table: Table) -> Any:
    assert table.state.contact is not None
    return table.state.contact.kind


def waits_for(table: Table) -> str:
    return table.step.id.partition(":")[0]


@pytest.mark.parametrize(
    ("data", "dice", "read"),
    [
        (setup(), [], lambda table: waits_for(table) == "kind"),
        (setup(), [1], kind_of),
        (setup(), [1, 1], lambda table: len(table.state.contact.missiles)),
        (setup(), [1, 4], lambda table: len(table.state.contact.migs)),
        (setup(), [1, 1, 1], lambda table: waits_for(table) == "contact"),
        (setup(), [1, 1, 1, 1], lambda table: table.jet().damage == 0),
        (setup(pilot(0), pilot(1)), [], lambda table: table.state.order[0] == "jet-1"),
        (
            setup(pilot(damage=6, stores={"chaff": 0})),
            [1, 1, 1, 5],
            lambda table: table.jet().status == "rescued",
        ),
        (
            {"title": "Test", "pilots": [pilot()]},
            [1, 1, 1, 1],
            lambda table: table.dice or table.state.targets[0].needs,
        ),
    ],
    ids=["contact", "kind", "missiles", "migs", "spoof", "evade", "leader", "bail-out", "type"],
)
def test_a_roll(data: Any, dice: list[int], read: Read) -> None:
    table = Table(data, dice)
    assert isinstance(table.step, Roll)
    assert table.step.odds is not None
    shown = exact(table.step.odds.chance)
    played = [read(Table(data, [*dice, face])) for face in FACES]
    if waits_for(table) == "type":
        assert [played[face - 1] for face in FACES] == [2, 2, 2, 2, 3, 4]
        assert [word for _, word in table.step.odds.words][4] == "HQ Bunker"
        assert shown == {face: Fraction(1, 6) for face in FACES}
    else:
        assert shown == shares(played)


def test_where_a_target_may_be() -> None:
    data = {"title": "Test", "pilots": [pilot()]}
    for first, start in (([], 1), ([6, 6], 13)):
        table = Table(data, first)
        assert isinstance(table.step, Roll)
        assert table.step.odds is not None
        thrown = [min(24, start + a + b) for a in FACES for b in FACES]
        assert exact(table.step.odds.chance) == shares(thrown)
    for faces, cite, waypoint in (((6, 5), "F14-MS-3", 24), ((6, 6), "F14-MS-5", 24)):
        table = Table(data, [6, 6, *faces])
        placed = [one.cite for one in table.happenings if isinstance(one.event, TargetPlaced)]
        assert placed == ["F14-MS-3", cite]
        assert table.facts(TargetPlaced)[1].waypoint == waypoint


def test_only_twelve_and_twelve_put_a_target_on_the_home_base() -> None:
    """What the reason of F14-MS-5 says."""
    assert GAME.rulebook.paragraphs["F14-MS-5"].reason.endswith("It needs 12 and 12.")
    throws = [(a, b) for a in FACES for b in FACES]
    sums = [(sum(first), sum(second)) for first in throws for second in throws]
    home = {pair for pair in sums if placed("secondary", 1 + pair[0], (pair[1],)).reach > 24}
    assert home == {(12, 12)}
