"""Persons at tables: what a table asks of whoever keeps them. No storage here, and no game.

The keeper sits above the tables. A table takes a person along in the transaction that seats him, and hands
back what became of him in the one that ends the game, so that neither can happen without the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection

from app.engine.log import Entry
from app.engine.people import Person
from app.tables.live import LiveTable
from app.tables.store import Row


@dataclass(frozen=True)
class Coming:
    """A person on the way to a seat.

    `take` notes at which table he is, on the connection that writes the rest of it, and raises Refused
    where he can't be had; `instead` is for whom he comes, and why.
    """

    person: Person
    take: Callable[[Connection, str], None]
    instead: str = ""


class Keeper(Protocol):
    """Who keeps persons while they are at no table."""

    def settle(
        self, table: LiveTable, state: Any, last: Entry
    ) -> Callable[[Connection], None] | None:
        """What is to be written with the table's last entry, after which it stands at `state`."""
        ...

    def leave(self, connection: Connection, about: Row, at: int) -> None:
        """Write that whoever is at a table leaves it at that time (ms since 1970), as its owner deletes it.

        For a table that can't be read: of it only its row, `about`, is known.
        """
        ...

    async def recall(self, table: LiveTable, moves: Mapping[str, str]) -> Mapping[str, Coming]:
        """Who comes to a rematch of this table, by their seats there; `moves` leads from seat to seat."""
        ...


class Nobody:
    """Keeps no persons."""

    def settle(
        self, table: LiveTable, state: Any, last: Entry
    ) -> Callable[[Connection], None] | None:
        """Nothing."""
        del table, state, last

    def leave(self, connection: Connection, about: Row, at: int) -> None:
        """Nobody."""
        del connection, about, at

    async def recall(self, table: LiveTable, moves: Mapping[str, str]) -> Mapping[str, Coming]:
        """Nobody."""
        del table, moves
        return {}
