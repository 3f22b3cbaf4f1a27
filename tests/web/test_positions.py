"""Positions: whoever looks sees one moment, in whatever thread and however long, and fills no cache of another."""

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.engine.dice import Pool
from app.engine.sequence import Answer, open_decisions, play
from app.games import registry
from app.tables import opening
from app.tables.entries import entries_for
from app.tables.live import LiveTable
from app.tables.looking import lines_of, overlay_of, page_of, view_of
from app.tables.orders import Order
from app.tables.past import Log
from tests.contract.player import at_random

GAMES = list(registry.metas())


def opened(game: str) -> LiveTable:
    """A new table at which one person plays every seat."""
    scenario = next(iter(registry.load(game).scenarios))
    return opening.deal(Order(game=game, scenario=scenario), "me", 0).table


def move(table: LiveTable, rng: random.Random) -> None:
    """Answer something that is open."""
    decision = rng.choice(open_decisions(table.todo))
    answer = Answer(decision.id, at_random(rng, decision))
    played = play(
        table.game,
        table.state,
        answer,
        frozenset(table.claims),
        table.thrower(),
        held=table.held,
        known=table.todo,
    )
    table.added(entries_for(table, played.happenings, 0))
    table.held = played.held


class Slow:
    """Stops what is looked at from another thread until told to go on."""

    def __init__(self, really: Callable[..., Any]) -> None:
        self.really = really
        self.inside, self.go = threading.Event(), threading.Event()

    def __call__(self, *about: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            self.inside.set()
            assert self.go.wait(20)
        return self.really(*about)


def in_thread(work: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Begin something in another thread; what comes of it is in the list at the end."""
    made: list[Any] = []
    thread = threading.Thread(target=lambda: made.append(work()))
    thread.start()
    return thread, made


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("look", ["view", "page", "lines"])
def test_a_look_in_a_thread_is_of_the_moment_it_began_with(game: str, look: str) -> None:
    """The table moves on meanwhile: the look shows the moment before, and the table's own looks the new one."""
    table, rng = opened(game), random.Random(1)
    me = frozenset(table.claims)
    one = frozenset(list(table.claims)[:1])
    before = table.position
    expected = view_of(replace(before), one), page_of(replace(before), one)
    slow = Slow(table.game.units)
    table.game = replace(table.game, units=slow)
    looks: dict[str, Callable[[], Any]] = {
        "view": lambda: view_of(table, one),
        "page": lambda: page_of(table, one),
        "lines": lambda: (view_of(table, one), lines_of(before, me, 0, before.length)),
    }
    thread, made = in_thread(looks[look])
    assert slow.inside.wait(20)
    for _ in range(4):
        move(table, rng)
    slow.go.set()
    thread.join()
    if look == "view":
        assert made[0] == expected[0]
    elif look == "page":
        assert made[0].view == expected[0]
        assert made[0].units == expected[1].units
        assert made[0].latest == expected[1].latest
    else:
        assert len(made[0][1]) <= before.length
    fresh = LiveTable(
        registry.load(game),
        {"id": table.id, "name": table.name, "owner": "me", "listed": False},
        list(table.claims.values()),
        bytes(32),
        table.entries,
        table.held,
    )
    for viewer in (me, one, frozenset[str]()):
        now, anew = view_of(table, viewer), view_of(fresh, viewer)
        assert now.version == table.position.version
        assert (now.units, now.offers, now.prompt) == (anew.units, anew.offers, anew.prompt)


def test_an_overlay_in_a_thread_leaves_no_view_of_another_moment() -> None:
    """What a thread has worked out of an old moment is not shown under the number of a new one."""
    table, rng = opened("osaaf"), random.Random(2)
    me = frozenset(table.claims)
    slow = Slow(table.game.view)
    table.game = replace(table.game, view=slow)
    aid, unit = table.game.aids[0].id, "blue-1"
    thread, _ = in_thread(lambda: overlay_of(table, me, aid, unit))
    assert slow.inside.wait(20)
    move(table, rng)
    move(table, rng)
    slow.go.set()
    thread.join()
    view = view_of(table, me)
    shown = sorted((unit.id, unit.altitude, unit.speed) for unit in view.units)
    jets = table.state.jets.values()  # pyright: ignore[reportAttributeAccessIssue]
    assert shown == sorted((jet.id, jet.altitude, jet.speed) for jet in jets)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_stays_as_it_was(game: str) -> None:
    """Kept from before: its log, its past states, its views; also when it is first looked at later."""
    table, rng = opened(game), random.Random(3)
    kept: list[tuple[Any, Any, Any, Any]] = []
    for _ in range(12):
        if not open_decisions(table.todo):
            break
        now = table.position
        view = view_of(replace(now), frozenset(table.claims))
        kept.append((now, view, list(now.entries), now.state))
        move(table, rng)
    for now, view, entries, state in kept:
        assert list(now.entries) == entries
        assert len(now.entries) == now.length == len(entries)
        assert now.state_at(now.length) == state
        assert view_of(now, frozenset(table.claims)) == view


def test_a_log_is_the_first_part_of_a_list() -> None:
    entries: list[Any] = [*range(10)]
    log = Log(entries, 7)
    entries += [99, 100]
    plain = [*range(7)]
    assert list(log) == plain
    assert list(reversed(log)) == plain[::-1]
    assert len(log) == 7
    assert log[-1] == 6
    for cut in (slice(None), slice(2, 99), slice(-3, None), slice(None, None, -2), slice(5, 2)):
        assert log[cut] == plain[cut]
    with pytest.raises(IndexError):
        log[7]


def test_nothing_is_copied_with_each_command() -> None:
    """The cost of a command does not grow with the log: positions share what lies behind them."""
    table, rng = opened("osaaf"), random.Random(4)
    past = table.position.past
    for _ in range(5):
        move(table, rng)
        assert table.position.past is past
    assert table.throw(Pool(2), 0) is not None
