"""Crew: how persons get from the book to tables, and back with what they did.

A person is taken in the transaction that seats him, where the book says that he is free, and given back in
the one that ends the game. Belongs here: choosing, taking and giving back. Does not belong here: what a
game makes of a person; it says that itself.
"""

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from app.engine.errors import Illegal, Missing, Stale
from app.engine.game import Game
from app.engine.log import Entry, Finished
from app.engine.people import Deed, Person, plain
from app.engine.sequence import canonical
from app.records.book import (
    Kept,
    Story,
    checked_names,
    enlist,
    kept_by_id,
    newcomer,
    owner_of,
    people_in,
    people_of,
)
from app.records.models import deed, person
from app.tables.clock import Clock, now
from app.tables.codec import encode
from app.tables.live import Caller, LiveTable
from app.tables.models import log_entry
from app.tables.persons import Coming
from app.tables.store import Row, Store


@dataclass(frozen=True)
class Wish:
    """Whom somebody wants in a seat: one of the book by id, or somebody `new`, with these names.

    Names that are left open are suggested; without any wish it is who played last and is free, or
    somebody new.
    """

    person: str = ""
    new: bool = False
    name: str = ""
    call_sign: str = ""


class Crew:
    """Brings the persons of one server's book to its tables. It is the tables' keeper.

    Args:
        store: where the book is.
        clock: milliseconds since 1970.
    """

    def __init__(self, store: Store, *, clock: Clock = now) -> None:
        self._store = store
        self._clock = clock

    async def comings(
        self,
        who: Caller,
        game: Game[Any],
        wishes: Mapping[str, Wish],
        beside: Collection[Person] = (),
    ) -> dict[str, Coming]:
        """Who comes to each of these seats of a table where `beside` are already.

        Raises Missing for an id that is not in the visitor's book, Stale for one that can't come now.
        """
        owner = owner_of(who)
        choice = _Choice(game, self._clock(), beside)
        own = await people_of(self._store, owner, game.meta.id)
        made: dict[str, Coming] = {}
        # Those who are named first, so that nobody who is only at hand is taken in their place.
        for seat, wish in sorted(wishes.items(), key=lambda item: not item[1].person):
            if wish.person:
                made[seat] = choice.named(own, wish.person)
            elif wish.new or wish.name or wish.call_sign:
                made[seat] = choice.newcomer(owner, own, wish)
            else:
                made[seat] = choice.at_hand(owner, own)
        return {seat: made[seat] for seat in wishes}

    async def again(self, who: Caller, table: LiveTable, seats: Sequence[str]) -> dict[str, Coming]:
        """Who comes to these seats when somebody plays a game like that table's: the same, if they can."""
        owner = owner_of(who)
        same = {seat: (owner, table.people.get(seat)) for seat in seats}
        return await self._same(table.game, same)

    async def recall(self, table: LiveTable, moves: Mapping[str, str]) -> Mapping[str, Coming]:
        """See tables.persons.Keeper: each seat's holder brings the same person again, if that can be."""
        same: dict[str, tuple[str, Person | None]] = {}
        for seat, before in table.people.items():
            owner = owner_of(Caller(table.claims[seat].identity))
            same[moves[seat]] = owner, before
        return await self._same(table.game, same)

    async def _same(
        self, game: Game[Any], same: Mapping[str, tuple[str, Person | None]]
    ) -> dict[str, Coming]:
        """By seat, the person of before, or somebody else of that owner, told in whose place."""
        choice = _Choice(game, self._clock(), ())
        made: dict[str, Coming] = {}
        absent: dict[str, Kept | None] = {}
        for seat, (owner, before) in same.items():
            kept = None if before is None else await kept_by_id(self._store, before.id)
            if kept is not None and kept.owner == owner and kept.free and choice.fits(kept):
                made[seat] = choice.take(kept)
            else:
                absent[seat] = kept
        for seat, kept in absent.items():
            owner, _ = same[seat]
            coming = choice.at_hand(owner, await people_of(self._store, owner, game.meta.id))
            if kept is not None and kept.owner == owner:
                why = kept.whereabouts or "has a call sign that is taken"
                coming = replace(coming, instead=f"{kept.call_sign}, who {why}")
            made[seat] = coming
        return {seat: made[seat] for seat in same}

    # Back from a table

    def settle(
        self, table: LiveTable, state: Any, last: Entry
    ) -> Callable[[Connection], None] | None:
        """See tables.persons.Keeper: what each person did, and that he is free again or lost.

        It is written once: nothing can be taken back after the end of a game. A game that somebody ends
        before its end (or closes before it began) adds nothing to any record.
        """
        finished = last.event
        assert isinstance(finished, Finished)
        if last.kind != "table":
            homes = _homes(table, state)
        elif any(entry.kind != "table" for entry in table.entries):
            homes = _broken_off(table, last)
        else:
            homes = {seat: _Home() for seat in table.people}

        def write(connection: Connection) -> None:
            for seat, home in homes.items():
                who = table.people[seat].id
                _bring_home(connection, table.id, who, home, last.seq, last.at)

        return write

    def leave(self, connection: Connection, about: Row, at: int) -> None:
        """See tables.persons.Keeper: the owner's have abandoned a game that had begun, the others' was cut short."""
        entry, seq = log_entry.c, about["version"] + 1
        begun = connection.execute(
            select(entry.seq).where(entry.table_id == about["id"], entry.kind != "table").limit(1)
        ).first()
        here = select(person.c.id, person.c.owner).where(person.c.table_id == about["id"])
        for who, owner in connection.execute(here).all():
            mine = owner == about["owner"]
            story = Story(
                title=f"{'Abandoned' if mine else 'Cut short'} in turn {about['turn']}",
                kind="abandoned" if mine else "cut",
                table=about["name"],
            )
            home = _Home() if begun is None else _Home(story)
            _bring_home(connection, about["id"], who, home, seq, at)


@dataclass(frozen=True)
class _Home:
    """How a person comes back: with a story or without, with a new record or the old one."""

    story: Story | None = None
    record: Any = None
    lost: bool = False


def _homes(table: LiveTable, state: Any) -> dict[str, _Home]:
    """From a game that was played to its end."""
    deeds = people_in(table.game).deeds(state)
    return {
        one.seat: _Home(_story(table, one), one.record, one.lost)
        for one in deeds
        if one.seat in table.people
    }


def _story(table: LiveTable, one: Deed) -> Story:
    known = (canonical(scenario.setup) for scenario in table.game.scenarios.values())
    return Story(
        title=one.title,
        lines=one.lines,
        tallies=one.tallies,
        taken_back=_rolls_taken_back(table),
        own_setup=canonical(table.opened.setup) not in known,
        table=table.name,
    )


def _rolls_taken_back(table: LiveTable) -> int:
    return sum(1 for one in table.entries if one.dice is not None and table.is_struck(one.seq))


def _broken_off(table: LiveTable, last: Entry) -> dict[str, _Home]:
    """From a game that somebody ended: for all seats of that player it is abandoned."""
    assert last.seat is not None
    quitter = table.claims[last.seat].identity
    homes: dict[str, _Home] = {}
    for seat in table.people:
        mine = seat == last.seat or table.claims[seat].identity == quitter
        by = "" if mine else f" by {table.names.get(last.seat, last.seat)}"
        story = Story(
            title=f"{'Abandoned' if mine else 'Cut short'}{by} in turn {last.turn}",
            kind="abandoned" if mine else "cut",
            taken_back=_rolls_taken_back(table),
            table=table.name,
        )
        homes[seat] = _Home(story)
    return homes


def _bring_home(
    connection: Connection, table: str, who: str, home: _Home, seq: int, at: int
) -> None:
    values: dict[str, Any] = {
        "table_id": None,
        "updated_at": at,
        "status": "lost" if home.lost else "active",
    }
    if home.record is not None:
        values["record"] = encode(plain(home.record))
    if home.story is not None and home.story.kind == "abandoned":
        values["abandoned"] = person.c.abandoned + 1
    here = update(person).where(person.c.id == who, person.c.table_id == table)
    if connection.execute(here.values(**values)).rowcount != 1 or home.story is None:
        return
    so_far = select(func.coalesce(func.max(deed.c.number), 0)).where(deed.c.person_id == who)
    row = {
        "person_id": who,
        "number": connection.execute(so_far).scalar_one() + 1,
        "table_id": table,
        "seq": seq,
        "at": at,
        "data": encode(home.story),
    }
    connection.execute(insert(deed), row)


@dataclass
class _Choice:
    """Choosing for the seats of one table: nobody comes twice, and no call sign either."""

    game: Game[Any]
    at: int
    beside: Collection[Person]
    _here: set[str] = field(default_factory=set[str])
    _signs: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self._signs |= {one.call_sign.casefold() for one in self.beside}

    def fits(self, kept: Kept) -> bool:
        """Whether he can come beside those who do."""
        return (
            kept.id not in self._here
            and kept.call_sign.casefold() not in self._signs
            and people_in(self.game).legible(kept.record)
        )

    def take(self, kept: Kept) -> Coming:
        """Somebody of the book."""
        self._here.add(kept.id)
        self._signs.add(kept.call_sign.casefold())
        # As he was read: with this record, under this name.
        unchanged = (
            person.c.id == kept.id,
            person.c.status == "active",
            person.c.table_id.is_(None),
            person.c.updated_at == kept.updated_at,
        )

        def write(connection: Connection, table_id: str) -> None:
            taken = update(person).where(*unchanged)
            values = {"table_id": table_id, "updated_at": self.at}
            if connection.execute(taken.values(**values)).rowcount != 1:
                raise Stale(f"{kept.call_sign} is at another table by now. Bring somebody else.")

        return Coming(kept.person, write)

    def named(self, own: Sequence[Kept], person_id: str) -> Coming:
        """One's own, by id. Raises Missing, Stale."""
        kept = next((one for one in own if one.id == person_id), None)
        if kept is None:
            raise Missing(f"There is nobody of the id {person_id[:24]!r} in your book.")
        if not kept.free:
            raise Stale(f"{kept.call_sign} {kept.whereabouts}. Bring somebody else.")
        if kept.id in self._here:
            raise Stale(f"{kept.call_sign} is in another seat already. Bring somebody else.")
        if not people_in(self.game).legible(kept.record):
            raise Illegal(f"{kept.call_sign}'s record can't be read by this version of the game.")
        return self.take(kept)

    def newcomer(self, owner: str, own: Sequence[Kept], wish: Wish) -> Coming:
        """Somebody new, kept as soon as he is seated."""
        name, call_sign = self._suggested(own)
        names = checked_names(people_in(self.game), wish.name or name, wish.call_sign or call_sign)
        made = newcomer(owner, self.game, *names, self.at)
        self._here.add(made.id)
        self._signs.add(made.call_sign.casefold())

        def write(connection: Connection, table_id: str) -> None:
            enlist(connection, replace(made, table=table_id))

        return Coming(made.person, write)

    def at_hand(self, owner: str, own: Sequence[Kept]) -> Coming:
        """Who played last and is free, else somebody new."""
        for kept in own:
            if kept.free and self.fits(kept):
                return self.take(kept)
        return self.newcomer(owner, own, Wish())

    def _suggested(self, own: Sequence[Kept]) -> tuple[str, str]:
        """Names that nobody of this book or table has."""
        taken = self._signs | {one.call_sign.casefold() for one in own}
        return suggestion(self.game, taken)


def suggestion(game: Game[Any], taken: Collection[str]) -> tuple[str, str]:
    """A name and a call sign for a newcomer; `taken` are call signs in lower case."""
    known = people_in(game).suggestions
    free = [one for one in known if one[1].casefold() not in taken]
    if free:
        return secrets.choice(free)
    name, sign = secrets.choice(list(known))
    number = next(n for n in range(2, len(taken) + 3) if f"{sign} {n}".casefold() not in taken)
    return name, f"{sign} {number}"
