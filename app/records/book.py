"""The campaign book: the persons of each visitor, and what they did. Nobody sees or changes another's.

Belongs here: rows in and out for pages and scripts, and the hall of fame. Does not belong here: how persons
get to tables and back (`crew`), books that come from elsewhere (`papers`).
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, and_, func, insert, select, update

from app.engine.errors import Illegal, Missing, NotYourSeat, Stale
from app.engine.game import Game
from app.engine.people import MOST_CALL_SIGN, MOST_NAME, People, Person
from app.records.models import deed, person
from app.tables.clock import Clock, now
from app.tables.codec import encode
from app.tables.live import Caller
from app.tables.orders import one_line
from app.tables.store import Row, Store

MOST_PEOPLE = 500
"""Of one visitor, all games together, lost and retired ones too."""

MOST_READ = 5_000
"""Of one game, the latest, are compared for the hall of fame."""

BEST = 10

Status = Literal["active", "lost", "retired"]


class Story(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A deed as it is kept.

    `kind` "abandoned": its player ended the game before its end; "cut": somebody else did. Both add nothing
    to the record. `taken_back` are the rolls that were taken back at that table; `own_setup`: it was no
    scenario of the game; `table` is what the table was called.
    """

    title: str
    kind: Literal["played", "abandoned", "cut"] = "played"
    lines: tuple[str, ...] = ()
    tallies: Mapping[str, int] = {}
    taken_back: int = 0
    own_setup: bool = False
    table: str = ""


@dataclass(frozen=True)
class Flown:
    """A deed of a person: its number, when, and the table and entry where it ended; none if from elsewhere."""

    number: int
    table: str | None
    seq: int | None
    at: int
    story: Story


@dataclass(frozen=True)
class Kept:
    """A person in the book. `table` is where he plays now."""

    id: str
    owner: str
    game: str
    name: str
    call_sign: str
    record: Mapping[str, Any]
    status: Status
    abandoned: int
    imported: bool
    created_at: int
    updated_at: int
    table: str | None

    @property
    def free(self) -> bool:
        """Whether he can be brought to a table."""
        return self.status == "active" and self.table is None

    @property
    def person(self) -> Person:
        """As he comes to a table."""
        return Person(self.id, self.name, self.call_sign, self.record)

    @property
    def whereabouts(self) -> str:
        """Why he can't be brought, after "who"; "" when he can."""
        if self.status == "active":
            return "" if self.table is None else "is at another table"
        return "is lost" if self.status == "lost" else "has retired"


@dataclass(frozen=True)
class Hall:
    """Those of a game that are remembered: who is lost, the latest first, and the best of all."""

    lost: Sequence[Kept]
    best: Sequence[Kept]


class Book:
    """The book of one server.

    Args:
        store: where it is.
        clock: milliseconds since 1970.
    """

    def __init__(self, store: Store, *, clock: Clock = now) -> None:
        self._store = store
        self._clock = clock

    async def of(self, who: Caller, game: str | None = None) -> list[Kept]:
        """A visitor's persons, those who played last first."""
        if who.identity is None:
            return []
        return await people_of(self._store, who.identity, game)

    async def get(self, who: Caller, person_id: str) -> Kept:
        """One of a visitor's persons. Raises Missing, also for another's."""
        if (kept := await kept_by_id(self._store, person_id)) and kept.owner == who.identity:
            return kept
        raise _missing()

    async def deeds(self, kept: Kept) -> list[Flown]:
        """What a person did, the latest first."""
        c = deed.c
        rows = await self._store.read(
            select(deed).where(c.person_id == kept.id).order_by(c.number.desc())
        )
        return [
            Flown(
                row["number"],
                row["table_id"],
                row["seq"],
                row["at"],
                msgspec.json.decode(row["data"], type=Story),
            )
            for row in rows
        ]

    async def make(self, who: Caller, game: Game[Any], name: str, call_sign: str) -> Kept:
        """A newcomer. Raises Illegal for a name that can't be, or when there are too many."""
        people = people_in(game)
        name, call_sign = checked_names(people, name, call_sign)
        made = newcomer(owner_of(who), game, name, call_sign, self._clock())
        return await self.add(made, ())

    async def add(self, made: Kept, stories: Sequence[tuple[int, Story]]) -> Kept:
        """Keep somebody who comes with deeds, the oldest first. Raises Illegal when there are too many."""

        def write(connection: Connection) -> None:
            enlist(connection, made)
            rows = [
                {"person_id": made.id, "number": n, "at": at, "data": encode(story)}
                for n, (at, story) in enumerate(stories, start=1)
            ]
            if rows:
                connection.execute(insert(deed), rows)

        await self._store.attempt(write)
        return made

    async def rename(
        self, who: Caller, game: Game[Any], person_id: str, name: str, call_sign: str
    ) -> None:
        """Give a free person other names. What was done under the old ones keeps them."""
        kept = await self.get(who, person_id)
        name, call_sign = checked_names(people_in(game), name, call_sign)
        await self._change(kept, {"name": name, "call_sign": call_sign})

    async def retire(self, who: Caller, person_id: str) -> None:
        """Let a free person go into retirement, from which nobody comes back."""
        await self._change(await self.get(who, person_id), {"status": "retired"})

    async def _change(self, kept: Kept, values: Mapping[str, Any]) -> None:
        if not kept.free:
            raise Stale(f"{kept.call_sign} {kept.whereabouts}, so nothing can be changed now.")
        # Somebody may have taken him to a table meanwhile.
        still_free = and_(
            person.c.id == kept.id, person.c.status == "active", person.c.table_id.is_(None)
        )
        change = update(person).where(still_free).values(**values, updated_at=self._clock())
        if not await self._store.write(lambda connection: connection.execute(change).rowcount):
            raise Stale(f"{kept.call_sign} is at a table by now, so nothing can be changed.")

    async def hall(self, game: Game[Any]) -> Hall:
        """Who is remembered of a game."""
        people = people_in(game)
        rows = await self._store.read(
            select(person)
            .where(person.c.game == game.meta.id)
            .order_by(person.c.updated_at.desc())
            .limit(MOST_READ)
        )
        kept = [from_row(row) for row in rows]
        fresh = people.fresh()
        proven = [one for one in kept if one.record != fresh and people.legible(one.record)]
        best = sorted(proven, key=lambda one: people.order(people.read(one.record)), reverse=True)
        lost = [one for one in kept if one.status == "lost"]
        return Hall(lost[: 3 * BEST], best[:BEST])


def people_in(game: Game[Any]) -> People:
    """What a game says of its persons. Raises Missing where it has none."""
    if game.people is None:
        raise Missing(f"{game.meta.title} keeps no book of persons.")
    return game.people


def checked_names(people: People, name: str, call_sign: str) -> tuple[str, str]:
    """A name and a call sign as they are kept. Raises Illegal."""
    name = one_line(name, MOST_NAME, "A name")
    call_sign = one_line(call_sign, MOST_CALL_SIGN, "A call sign")
    if not name or not call_sign:
        raise Illegal(f"Give the {people.noun} a name and a call sign.")
    if call_sign.casefold().startswith(people.awaited.casefold()):
        raise Illegal(f"{people.awaited.capitalize()} is what one is called who has yet to come.")
    return name, call_sign


def newcomer(owner: str, game: Game[Any], name: str, call_sign: str, at: int) -> Kept:
    """Somebody new, who is not kept yet."""
    record = people_in(game).fresh()
    made = secrets.token_urlsafe(9)
    return Kept(
        made, owner, game.meta.id, name, call_sign, record, "active", 0, False, at, at, None
    )


def enlist(connection: Connection, made: Kept) -> None:
    """Keep somebody new. Raises Illegal when there are too many."""
    count = select(func.count()).where(person.c.owner == made.owner)
    if connection.execute(count).scalar_one() >= MOST_PEOPLE:
        raise Illegal(f"Your book has {MOST_PEOPLE} persons, and no more fit in.")
    row = {
        "id": made.id,
        "owner": made.owner,
        "game": made.game,
        "name": made.name,
        "call_sign": made.call_sign,
        "record": encode(made.record),
        "status": made.status,
        "abandoned": made.abandoned,
        "imported": made.imported,
        "created_at": made.created_at,
        "updated_at": made.updated_at,
        "table_id": made.table,
    }
    connection.execute(insert(person), row)


async def people_of(store: Store, owner: str, game: str | None = None) -> list[Kept]:
    """The persons of an owner, those who played last first."""
    wanted = select(person).where(person.c.owner == owner)
    if game is not None:
        wanted = wanted.where(person.c.game == game)
    rows = await store.read(wanted.order_by(person.c.updated_at.desc(), person.c.id))
    return [from_row(row) for row in rows]


async def kept_by_id(store: Store, person_id: str) -> Kept | None:
    """A person, whoever's he is."""
    rows = await store.read(select(person).where(person.c.id == person_id))
    return from_row(rows[0]) if rows else None


def from_row(row: Row) -> Kept:
    """A person as the database has him."""
    return Kept(
        row["id"],
        row["owner"],
        row["game"],
        row["name"],
        row["call_sign"],
        msgspec.json.decode(row["record"]),
        row["status"],
        row["abandoned"],
        row["imported"],
        row["created_at"],
        row["updated_at"],
        row["table_id"],
    )


def owner_of(who: Caller) -> str:
    """Whose book somebody has. Raises NotYourSeat for one without an identity."""
    if who.identity is None:
        raise NotYourSeat("A campaign book needs an identity.")
    return who.identity


def _missing() -> Missing:
    return Missing("There is nobody of that id in your book.")
