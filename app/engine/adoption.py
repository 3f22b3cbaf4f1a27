"""Adoption: how a table that is being played comes to rulings that are newer than it is.

A table plays by the edition that opened it. What came with later editions reaches it only by an entry that its
seats agreed on. Belongs here: what the log says of that, and what could be adopted. Does not belong here: who
may ask and answer (app.tables.adopting).
"""

from collections.abc import Iterator, Mapping, Sequence

from app.engine.errors import Illegal
from app.engine.log import (
    Entry,
    Forked,
    Opened,
    Restored,
    Rewound,
    RulingsAdopted,
    RulingsAsked,
    RulingsRefused,
    live,
)
from app.engine.rulebook import Rulebook, Ruling


def _adopted(entries: Sequence[Entry]) -> Iterator[RulingsAdopted]:
    """What the seats have agreed on and no take-back took back, oldest first."""
    if any(isinstance(entry.event, RulingsAdopted) for entry in entries):
        for entry in live(entries):
            if isinstance(entry.event, RulingsAdopted):
                yield entry.event


def opened_of(entries: Sequence[Entry]) -> Opened:
    """A log's first entry."""
    opened = entries[0].event
    assert isinstance(opened, Opened)
    return opened


def edition_of(entries: Sequence[Entry]) -> int:
    """The edition of its game that a table plays: it was opened by it, or its seats agreed on it since."""
    return max([opened_of(entries).rules, *(one.edition for one in _adopted(entries))])


def newest_in(entries: Sequence[Entry]) -> int:
    """The newest edition that a log was written by, also one whose adoption was taken back.

    What was played in between stands in the log, struck out, and takes that edition to be shown.
    """
    adopted = (one.event.edition for one in entries if isinstance(one.event, RulingsAdopted))
    return max([opened_of(entries).rules, *adopted])


def rulings_of(entries: Sequence[Entry]) -> Mapping[str, str]:
    """How a table settles each ruling, after these entries."""
    settled = dict(opened_of(entries).rulings)
    for one in _adopted(entries):
        settled.update(one.rulings)
    return settled


def asked_of(entries: Sequence[Entry]) -> RulingsAsked | None:
    """The newer rulings that a seat asks for and that wait for an answer.

    A take-back to before the request ends it, and so does a branch: at the other table it was asked of others.
    What was answered stays answered, also where the answer was taken back.
    """
    limit = len(entries)
    for entry in reversed(entries):
        if isinstance(entry.event, Rewound):
            limit = min(limit, entry.event.to)
        elif isinstance(entry.event, RulingsAsked):
            return entry.event if entry.seq <= limit else None
        elif isinstance(entry.event, RulingsRefused | RulingsAdopted | Forked | Restored):
            return None
    return None


def refused_in(entries: Sequence[Entry], turn: int) -> bool:
    """Whether newer rulings were refused in that turn, which is the last, at this table."""
    for entry in reversed(entries):
        if entry.turn != turn or isinstance(entry.event, Forked | Restored):
            return False
        if isinstance(entry.event, RulingsRefused):
            return True
    return False


def newer(rulebook: Rulebook, entries: Sequence[Entry]) -> tuple[Ruling, ...]:
    """The rulings that came after a table's edition, in the order of the text; also those that it can't change."""
    return rulebook.since(edition_of(entries))


def check_adoptable(
    rulebook: Rulebook, entries: Sequence[Entry], wanted: Mapping[str, str]
) -> None:
    """Whether a table can go on by these rulings. Raises Illegal, saying which can't be and why."""
    later = {ruling.id: ruling for ruling in newer(rulebook, entries)}
    if not later:
        raise Illegal("This table plays by the newest rules that there are.")
    now = rulings_of(entries)
    for key, value in wanted.items():
        ruling = rulebook.check(key, value)
        if key not in later:
            raise Illegal(
                f"Ruling {key!r} was settled when this table was opened, and stays. "
                f"Newer than the table are {', '.join(later)}.",
                ruling.rule,
            )
        if ruling.fixed and value != now.get(key):
            raise Illegal(f"Ruling {key!r} can't change in mid-game: {ruling.fixed}", ruling.rule)
    if all(now.get(key) == value for key, value in wanted.items()):
        raise Illegal("That changes nothing. Name at least one ruling, with another value.")
