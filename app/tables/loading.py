"""Loading: a table as its rows have it.

Belongs here: reading the rows of one table, and what can be wrong with them. Does not belong here: which
tables are kept in memory (service), how a row is read (codec).
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from app.engine.editions import OtherEdition, unknown_game
from app.engine.errors import Missing, Refused
from app.engine.game import Game
from app.games import registry
from app.tables import models
from app.tables.codec import claim_from_row, event_decoder, from_row, held_from_row
from app.tables.live import LiveTable
from app.tables.store import Row, Store, entries_of

log = logging.getLogger("contrail")


class Unreadable(Refused):
    """What is stored of a table makes no table: a row is missing or damaged, or not of this game."""

    status = 500
    title = "This table can't be read"

    def __init__(self) -> None:
        super().__init__(
            "What is kept of this table is damaged. The server's log says more; "
            "other tables are not affected."
        )


async def load(store: Store, table_id: str) -> LiveTable:
    """The table, folded from its rows.

    Raises Missing, OtherEdition for one that this version can't read, and Unreadable when it is damaged.
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
    try:
        return await asyncio.get_running_loop().run_in_executor(
            None, _fold, game, about[0], claims, seeds[0]["seed"], rows, held
        )
    except OtherEdition as other:
        log.warning("the table %s can't be read here: %s", table_id, other)
        raise
    except Exception as error:  # whatever is wrong with it, the others are not affected
        log.error("the table %s can't be loaded", table_id, exc_info=error)
        raise Unreadable from None


def _fold(
    game: Game[Any],
    about: Row,
    claims: Sequence[Row],
    seed: bytes,
    rows: Sequence[Row],
    held: Sequence[Row],
) -> LiveTable:
    decoder = event_decoder(game, rows[0]["event"])
    table = LiveTable(
        game,
        about,
        [claim_from_row(row) for row in sorted(claims, key=lambda claim: claim["seat"])],
        seed,
        [from_row(row, decoder) for row in rows],
        [held_from_row(row) for row in held],
    )
    if any(seat.id not in table.claims for seat in table.seats):
        raise ValueError("a seat is missing")
    return table
