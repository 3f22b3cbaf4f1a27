"""People: persons who outlive a table, and what a game says of them.

The rules know nothing of persons: one is put into the set-up before the first phase, and what the final
state says of him goes into his record. Belongs here: the shapes that a game and the shell share. Does not
belong here: where records are kept, or who may bring whom.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

MOST_NAME = 40
MOST_CALL_SIGN = 16


class Person(msgspec.Struct, frozen=True):
    """Somebody who takes a seat, as he comes to the table. `record` is plain data, of the game's type."""

    id: str
    name: str
    call_sign: str
    record: Mapping[str, Any]


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """What a game that was played to its end made of the person in a seat.

    Args:
        title: what it was, in a few words ("Mission complete, landed").
        record: the record with it, of the game's type.
        lost: he does not come back.
        lines: what he was given for it, each with what earned it ("Awarded Ace: 5 kills").
        tallies: what counts, under the game's words ("Points": 3).
    """

    seat: str
    title: str
    record: Any
    lost: bool = False
    lines: tuple[str, ...] = ()
    tallies: Mapping[str, int] = {}


@dataclass(frozen=True)
class People:
    """What a game says of its persons.

    Args:
        noun: what one is called ("pilot"), `plural` several.
        awaited: who has yet to come to a free seat is called that ("wingman"); nobody else may be.
        record: the type of a record; made without arguments it is a newcomer's.
        seated: a set-up with these persons in their seats. Raises Illegal where they can't play together;
            who belongs to the set-up itself gives way.
        deeds: of a final state that the rules have reached, one for each seat.
        told: a record for people, label and value.
        title: what stands before a name ("1st Lt"); "" for nothing.
        order: a key by which records are sorted, the best last.
        suggestions: names and call signs for newcomers.
    """

    noun: str
    plural: str
    awaited: str
    record: type[Any]
    seated: Callable[[Any, Mapping[str, Person]], Any]
    deeds: Callable[[Any], Sequence[Deed]]
    told: Callable[[Any], Sequence[tuple[str, str]]]
    title: Callable[[Any], str]
    order: Callable[[Any], Any]
    suggestions: Sequence[tuple[str, str]]

    def fresh(self) -> Mapping[str, Any]:
        """A newcomer's record as plain data."""
        return plain(self.record())

    def read(self, record: Mapping[str, Any]) -> Any:
        """A record from plain data. Raises msgspec.ValidationError, which names the field."""
        return msgspec.convert(record, self.record)

    def legible(self, record: Mapping[str, Any]) -> bool:
        """Whether a record can be read. One that was kept long ago may be of an older type."""
        try:
            self.read(record)
        except msgspec.ValidationError:
            return False
        return True

    def stand_in(self, number: int) -> Person:
        """Who is in a free seat until somebody comes; `number` counts such seats from 0."""
        name = self.awaited.capitalize() + (f" {number + 1}" if number else "")
        return Person("", name, name, self.fresh())


def plain(record: Any) -> Mapping[str, Any]:
    """A record as plain data, as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(record))
