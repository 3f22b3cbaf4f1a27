"""The log: what still counts after take-backs, and what stands in the way of one. By example here; the
laws for any log are in the contract tests."""

import msgspec
import pytest

from app.engine.dice import Pool, Rolled
from app.engine.log import (
    Entry,
    Event,
    Kind,
    Opened,
    Rewound,
    Takeback,
    TakebackAsked,
    WordSaid,
    last_decision,
    live,
    struck,
    takeback_to,
)


class Chose(Event, frozen=True):
    """Something chosen."""


class Shown(Event, frozen=True):
    """Something shown."""

    @classmethod
    def reveals(cls) -> bool:
        return True


RED, BLUE, BOTH = frozenset({"red"}), frozenset({"blue"}), frozenset({"red", "blue"})


def opened() -> Opened:
    return Opened("skirmish", 1, {}, {}, "shared", "server", "flow", "own")


def log(*lines: tuple[Event, Kind, str | None] | Entry) -> list[Entry]:
    """A log with its first entry and these."""
    entries = [Entry(1, 0, 0, "", "table", opened())]
    for event, kind, seat in lines:  # pyright: ignore[reportGeneralTypeIssues]
        dice = Rolled(Pool(1), (3,), "server", len(entries)) if kind == "roll" else None
        entries.append(Entry(len(entries) + 1, 0, 1, "p", kind, event, seat, dice=dice))
    return entries


def red() -> tuple[Event, Kind, str | None]:
    return Chose(), "decision", "red"


def blue() -> tuple[Event, Kind, str | None]:
    return Chose(), "decision", "blue"


def roll() -> tuple[Event, Kind, str | None]:
    return Chose(), "roll", "red"


def effect() -> tuple[Event, Kind, str | None]:
    return Chose(), "effect", None


def shown() -> tuple[Event, Kind, str | None]:
    return Shown(), "effect", None


def back(to: int) -> tuple[Event, Kind, str | None]:
    return Rewound(to, "red"), "table", "red"


def seqs(entries: list[Entry]) -> list[int]:
    return [entry.seq for entry in live(entries)]


def test_without_take_backs_all_counts() -> None:
    entries = log(red(), blue(), roll())
    assert live(entries) == entries
    assert struck(entries) == set()
    assert live([]) == []


def test_what_was_taken_back_does_not_count() -> None:
    entries = log(red(), blue(), red(), back(2), blue())
    assert seqs(entries) == [1, 2, 6]
    assert struck(entries) == {3, 4}


def test_a_take_back_of_what_followed_a_take_back() -> None:
    entries = log(red(), red(), back(2), red(), red(), back(2), red())
    assert seqs(entries) == [1, 2, 8]
    assert struck(entries) - {4} == {3, 5, 6}


def test_a_take_back_that_reaches_over_an_earlier_one() -> None:
    entries = log(red(), red(), red(), back(3), red(), back(1), blue())
    assert seqs(entries) == [1, 8]
    assert {2, 3, 4, 6} <= struck(entries)


def test_going_back_to_a_take_back_itself() -> None:
    """The moment after entry 4 is the one after entry 2."""
    entries = log(red(), red(), back(2), red(), back(4), blue())
    assert seqs(entries) == [1, 2, 7]
    assert last_decision(entries, RED) == entries[1]
    assert takeback_to(entries, 2, BLUE) == Takeback(2, "", 1)


def test_a_take_back_of_nothing() -> None:
    entries = log(red(), back(2), blue())
    assert seqs(entries) == [1, 2, 4]
    assert struck(entries) == set()


@pytest.mark.parametrize(
    ("lines", "passes"),
    [
        ((red(),), ""),
        ((red(), red(), effect()), ""),
        ((red(), blue()), "other"),
        ((red(), blue(), roll()), "roll"),
        ((roll(), blue()), "roll"),
        ((red(), shown()), "reveal"),
        ((red(), shown(), roll()), "reveal"),
        ((roll(), shown(), blue()), "reveal"),
        ((blue(), back(1), red()), ""),
        ((red(), roll(), back(2)), ""),
    ],
)
def test_what_stands_in_the_way(lines: tuple, passes: str) -> None:
    """A roll weighs more than another's decision, a reveal more than a roll."""
    assert takeback_to(log(*lines), 1, RED).passes == passes


def test_only_what_lies_between_stands_in_the_way() -> None:
    entries = log(roll(), shown(), blue(), red(), red())
    assert takeback_to(entries, 4, RED) == Takeback(4, "", 2)
    assert takeback_to(entries, 3, RED) == Takeback(3, "other", 3)
    assert takeback_to(entries, 3, BOTH) == Takeback(3, "", 3)
    assert takeback_to(entries, 2, RED) == Takeback(2, "reveal", 4)
    assert takeback_to(entries, 1, BOTH) == Takeback(1, "reveal", 5)
    assert takeback_to(entries, 6, RED) == Takeback(6, "", 0)


def test_who_holds_every_seat_was_shown_nothing_new() -> None:
    """But dice stay in the way, whatever was shown beside them."""
    entries = log(roll(), shown(), red(), shown(), blue())
    assert takeback_to(entries, 2, BOTH, sees_all=True) == Takeback(2, "", 4)
    assert takeback_to(entries, 1, BOTH, sees_all=True) == Takeback(1, "roll", 5)
    assert takeback_to(log(red(), roll(), shown()), 1, BOTH, sees_all=True).passes == "roll"
    assert takeback_to(log(red(), shown(), roll()), 1, BOTH, sees_all=True).passes == "roll"


def test_the_opening_is_not_taken_back() -> None:
    assert takeback_to(log(red()), 0, BOTH).passes == "start"


def test_talk_is_in_nobodys_way_and_counts_for_nothing() -> None:
    entries = log(
        red(), (WordSaid("blue", "x"), "table", "blue"), (TakebackAsked("red", 1), "table", "red")
    )
    assert takeback_to(entries, 1, RED) == Takeback(1, "", 1)


def test_a_forced_answer_is_nobodys_decision() -> None:
    """What the other side had to do is no reason to ask it."""
    entries = log(red(), (Chose(), "effect", "blue"))
    assert takeback_to(entries, 1, RED) == Takeback(1, "", 2)


def test_the_last_decision() -> None:
    entries = log(red(), blue(), roll(), red(), effect())
    assert last_decision(entries, RED) == entries[4]
    assert last_decision(entries, BLUE) == entries[2]
    assert last_decision(entries, frozenset()) is None
    assert last_decision(log(roll()), RED) is None
    assert last_decision(log(red(), blue(), back(2)), BLUE) is None


def test_an_entry_reads_what_it_writes() -> None:
    entry = Entry(
        7,
        1700,
        2,
        "p",
        "roll",
        None,
        "red",
        "red1",
        "x-1",
        Rolled(Pool(2), (1, 6), "server", 4),
        5,
        "k",
    )
    assert msgspec.json.decode(msgspec.json.encode(entry), type=Entry) == entry
