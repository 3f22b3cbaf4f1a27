"""Set-ups that people keep under a name. Nobody sees or changes another's.

Belongs here: rows in and out. Does not belong here: whether a set-up can be played (`orders`), pages.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, select, update

from app.engine.errors import Illegal, Missing, NotYourSeat, Refused
from app.tables import models
from app.tables.clock import Clock, now
from app.tables.codec import encode
from app.tables.live import Caller
from app.tables.orders import MOST_NAME, MOST_SETUP_BYTES, one_line
from app.tables.store import Row, Store

MOST_SETUPS = 200
"""Of one visitor, all games together."""


class Taken(Refused):
    """There is another set-up of that name, and nobody has said that it may be replaced."""

    status = 409
    title = "There is one of that name"

    def __init__(self, name: str) -> None:
        super().__init__(f"You have another set-up called {name!r}.")


@dataclass(frozen=True)
class SavedSetup:
    """A set-up under its name, with the rulings to play it by."""

    id: str
    game: str
    name: str
    data: Mapping[str, Any]
    rulings: Mapping[str, str]
    updated_at: int


class Setups:
    """The set-ups that are kept on one server.

    Args:
        store: where they are.
        clock: milliseconds since 1970.
    """

    def __init__(self, store: Store, *, clock: Clock = now) -> None:
        self._store = store
        self._clock = clock

    async def save(
        self,
        who: Caller,
        game: str,
        name: str,
        data: Mapping[str, Any],
        rulings: Mapping[str, str],
        *,
        over: str = "",
        anyway: bool = False,
    ) -> SavedSetup:
        """Keep a set-up. One's own of the same name is replaced if it is the one that was opened
        (`over` is its id), holds the same, or `anyway` says so.

        Raises Taken, or Illegal when there are too many, or for a name or data that can't be.
        """
        owner = _owner(who)
        name = one_line(name, MOST_NAME, "A set-up's name")
        if not name:
            raise Illegal("Give the set-up a name first.")
        text = encode(data)
        if len(text.encode()) > MOST_SETUP_BYTES:
            raise Illegal(f"A set-up has at most {MOST_SETUP_BYTES // 1024} KiB.")
        made = SavedSetup(secrets.token_urlsafe(9), game, name, data, rulings, self._clock())
        may = _May(over, anyway)
        return await self._store.attempt(lambda connection: _save(connection, owner, made, may))

    async def of(self, who: Caller, game: str) -> list[SavedSetup]:
        """A visitor's set-ups of a game, the newest first."""
        if who.identity is None:
            return []
        table = models.setup
        rows = await self._store.read(
            select(table)
            .where(table.c.owner == who.identity, table.c.game == game)
            .order_by(table.c.updated_at.desc(), table.c.name)
        )
        return [_from_row(row) for row in rows]

    async def get(self, who: Caller, setup_id: str) -> SavedSetup:
        """One of a visitor's set-ups. Raises Missing, also for another's."""
        table = models.setup
        rows = await self._store.read(
            select(table).where(table.c.id == setup_id, table.c.owner == (who.identity or ""))
        )
        if not rows:
            raise _missing()
        return _from_row(rows[0])

    async def rename(self, who: Caller, setup_id: str, name: str) -> SavedSetup:
        """Give a set-up another name. Raises Missing, or Taken where another has that name."""
        kept = await self.get(who, setup_id)
        owner = _owner(who)
        name = one_line(name, MOST_NAME, "A set-up's name")
        if not name:
            raise Illegal("Give the set-up a name first.")

        def write(connection: Connection) -> SavedSetup:
            other = _by_name(connection, owner, kept.game, name)
            if other is not None and other["id"] != setup_id:
                raise Taken(name)
            renamed = update(models.setup).where(_is(owner, setup_id)).values(name=name)
            if not connection.execute(renamed).rowcount:
                raise _missing()
            return replace(kept, name=name)

        return await self._store.attempt(write)

    async def delete(self, who: Caller, setup_id: str) -> None:
        """Forget a set-up. Raises Missing."""
        owner = _owner(who)

        gone = delete(models.setup).where(_is(owner, setup_id))
        if not await self._store.write(lambda connection: connection.execute(gone).rowcount):
            raise _missing()


@dataclass(frozen=True)
class _May:
    """What somebody who saves has agreed to: to write over the one of this id, or over any."""

    over: str
    anyway: bool


def _save(connection: Connection, owner: str, made: SavedSetup, may: _May) -> SavedSetup:
    """Write it, unless there are too many, or one of that name that may not be replaced."""
    values = {
        "data": encode(made.data),
        "rulings": encode(made.rulings),
        "updated_at": made.updated_at,
    }
    old = _by_name(connection, owner, made.game, made.name)
    if old is None:
        count = select(func.count()).where(models.setup.c.owner == owner)
        if connection.execute(count).scalar_one() >= MOST_SETUPS:
            raise Illegal(f"You keep {MOST_SETUPS} set-ups, and no more fit in. Delete one first.")
        row = {"id": made.id, "owner": owner, "game": made.game, "name": made.name, **values}
        connection.execute(insert(models.setup), row)
        return made
    same = (old["data"], old["rulings"]) == (values["data"], values["rulings"])
    if not (same or may.anyway or may.over == old["id"]):
        raise Taken(made.name)
    connection.execute(update(models.setup).where(_is(owner, old["id"])).values(**values))
    return replace(made, id=old["id"])


def _by_name(connection: Connection, owner: str, game: str, name: str) -> Row | None:
    table = models.setup
    found = select(table).where(table.c.owner == owner, table.c.game == game, table.c.name == name)
    row = connection.execute(found).mappings().first()
    return None if row is None else dict(row)


def _is(owner: str, setup_id: str) -> Any:
    return and_(models.setup.c.id == setup_id, models.setup.c.owner == owner)


def _owner(who: Caller) -> str:
    if who.identity is None:
        raise NotYourSeat("Keeping a set-up needs an identity.")
    return who.identity


def _missing() -> Missing:
    return Missing("You have no such set-up. It may have been deleted.")


def _from_row(row: Row) -> SavedSetup:
    return SavedSetup(
        row["id"],
        row["game"],
        row["name"],
        msgspec.json.decode(row["data"]),
        msgspec.json.decode(row["rulings"]),
        row["updated_at"],
    )
