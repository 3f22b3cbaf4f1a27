"""Loading: a table as its rows have it.

Belongs here: reading the rows of one table, and what can be wrong with them. Does not belong here: which
tables are kept in memory (service), how a row is read (codec).
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import select

from app.engine.adoption import newest_in
from app.engine.dice import commitment
from app.engine.editions import OtherEdition, too_new, unknown_game
from app.engine.errors import Missing, Refused
from app.engine.game import Game
from app.engine.log import Entry
from app.engine.record import first_stored_fault
from app.engine.sequence import Held
from app.games import registry
from app.tables import models
from app.tables.codec import claim_from_row, event_decoder, from_row, held_from_row
from app.tables.damage import Damage
from app.tables.live import LiveTable
from app.tables.store import Row, Store, entries_of

log = logging.getLogger("contrail")


class Unreadable(Refused):
    """What is stored of a table makes none, not even a part of it.

    `altered`: it is not what was written. Otherwise it is, and this version can't make anything of it.
    """

    status = 500
    title = "This table can't be read"

    def __init__(self, about: Row, why: str, *, altered: bool = True) -> None:
        super().__init__(
            f"What is kept of the table “{about['name']}” is damaged: {why}. "
            "The server's log says more; other tables are not affected."
        )
        self.why = why
        self.altered = altered


async def load(store: Store, table_id: str) -> LiveTable:
    """The table, folded from its rows as far as they are what was written; see `LiveTable.damaged`.

    Raises Missing, OtherEdition for one that this version can't read, and Unreadable when there is nothing
    to be shown.
    """
    read, m = store.read, models
    about = await read(select(m.game_table).where(m.game_table.c.id == table_id))
    if not about:
        raise Missing("There is no such table. The link may be cut short.")
    claims = await read(select(m.seat_claim).where(m.seat_claim.c.table_id == table_id))
    seeds = await read(select(m.seed).where(m.seed.c.table_id == table_id))
    held = await read(select(m.held_answer).where(m.held_answer.c.table_id == table_id))
    rows = await read(entries_of(table_id))
    if about[0]["game"] not in registry.metas():
        raise unknown_game(about[0]["game"])
    game = registry.load(about[0]["game"])
    kept = _Kept(game, about[0], claims, seeds[0]["seed"] if seeds else b"", rows, held)
    try:
        return await asyncio.get_running_loop().run_in_executor(None, _fold, kept)
    except OtherEdition as other:
        log.warning("the table %s can't be read here: %s", table_id, other)
        raise
    except Refused:
        raise
    except Exception as error:  # whatever is wrong with it, the others are not affected
        log.error("the table %s can't be loaded", table_id, exc_info=error)
        raise Unreadable(about[0], "its first entry can't be read", altered=False) from None


@dataclass(frozen=True)
class _Kept:
    """The rows of a table."""

    game: Game[Any]
    about: Row
    claims: Sequence[Row]
    seed: bytes
    rows: Sequence[Row]
    held: Sequence[Row]

    def table(
        self, entries: Sequence[Entry], held: Sequence[Held] = (), damage: Damage | None = None
    ) -> LiveTable:
        """The table that entries make."""
        claims = [
            claim_from_row(row) for row in sorted(self.claims, key=lambda claim: claim["seat"])
        ]
        return LiveTable(self.game, self.about, claims, self.seed, entries, held, damage)


def _fold(kept: _Kept) -> LiveTable:
    """Raises Unreadable when there is no first entry, or a seat is gone; whatever the game raises."""
    damage = _damage_of(kept.about, kept.rows)
    if damage is not None and damage.after == 0:
        raise Unreadable(kept.about, damage.why)
    rows = kept.rows if damage is None else kept.rows[: damage.after]
    entries, unknown = _entries(kept.game, rows)
    damage = unknown or damage
    held: list[Held] = []
    if damage is None:
        try:
            held = [held_from_row(row) for row in kept.held]
        except msgspec.MsgspecError:
            damage = Damage(len(entries), "a sealed answer can't be read")
    try:
        table = kept.table(entries, held, damage)
    except Exception as error:
        table = _as_far_as_it_goes(kept, entries, error)
    for seat in table.seats:
        if seat.id not in table.claims:
            raise Unreadable(kept.about, f"who holds the seat “{seat.label}” is missing")
    promised = table.commitment
    if table.damaged is None and promised and commitment(kept.seed) != promised:
        damage = Damage(len(entries), "its dice secret is not the one that was promised")
        table = kept.table(entries, (), damage)
    return table


def _damage_of(about: Row, rows: Sequence[Row]) -> Damage | None:
    """Whether the rows are those that were written: all of them, and as they were.

    Entries and the number of the last one are written in one transaction, so they agree whenever the
    server was stopped.
    """
    if fault := first_stored_fault(rows):
        return Damage(fault.after, fault.why)
    last, kept = about["version"], len(rows)
    if kept < last:
        missing = f"entry {last} is" if last == kept + 1 else f"entries {kept + 1} to {last} are"
        return Damage(kept, f"{missing} missing")
    if kept > last:
        return Damage(min(kept, last), f"it has {kept} entries where {last} were written")
    if not rows:
        return Damage(0, "it has no entries")
    return None


def _entries(game: Game[Any], rows: Sequence[Row]) -> tuple[list[Entry], Damage | None]:
    """The entries of rows that are as they were written, up to one that this version can't read.

    Raises OtherEdition where a later edition of the game was opened with, or adopted.
    """
    decoder = event_decoder(game, rows[0]["event"] if rows else None)
    entries: list[Entry] = []
    damage: Damage | None = None
    for row in rows:
        try:
            entries.append(from_row(row, decoder))
        except msgspec.MsgspecError as error:
            if not entries:
                raise
            why = f"it can't read entry {row['seq']} ({error})"
            damage = Damage(len(entries), why, altered=False)
            break
    if entries and (edition := newest_in(entries)) > game.rules:
        raise too_new(game.meta.title, edition, game.rules)
    return entries, damage


def _as_far_as_it_goes(kept: _Kept, entries: Sequence[Entry], error: Exception) -> LiveTable:
    """The table at its last moment that the game's rules can make of the log. Raises `error` if there is none."""
    good, bad = 0, len(entries)
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            kept.table(entries[:middle])
        except Exception:
            bad = middle
        else:
            good = middle
    if good == 0:
        raise error
    log.error("the table %s stops at entry %s", kept.about["id"], bad, exc_info=error)
    why = f"it can't make anything of entry {bad}"
    return kept.table(entries[:good], (), Damage(good, why, altered=False))


def folded(
    game: Game[Any], about: Row, claims: Sequence[Row], seed: bytes, rows: Sequence[Row]
) -> LiveTable:
    """A table from rows that are not in the database, all of them. Raises whatever is wrong with them."""
    entries, unknown = _entries(game, rows)
    if unknown is not None:
        raise ValueError(unknown.why)
    return _Kept(game, about, claims, seed, rows, ()).table(entries)
