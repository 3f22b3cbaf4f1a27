"""Branching: a new table that begins with the entries of another one, and then goes on by itself.

Belongs here: what is copied, whose the seats are, the new seed. Does not belong here: from where, for whom and why
(forking, importing).

Entries are copied as they are, under the same numbers, so that "entry 40" is the same moment at both tables. What
concerned people of the old one is not copied: who sat where, how they took back, keys of their commands. An
entry says where the table parted; dice before it are another seed's, those after it this table's own.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace
from sqlalchemy import select

from app.engine.dice import commitment
from app.engine.game import Game
from app.engine.log import Branch, Entry, Opened
from app.engine.record import chained
from app.tables import models, opening
from app.tables.live import Claim, LiveTable, setup_of, token_hash
from app.tables.opening import Dealt, begun
from app.tables.orders import MOST_NAME
from app.tables.service import Service

Seated = Literal["all", "first", "none"]
"""Which seats of a new table are its maker's."""


@dataclass(frozen=True)
class Sitters:
    """Whose a new table is: its owner, the seats that are taken at once, in whose name, and the seats' names."""

    owner: str
    seats: Sequence[str]
    names: dict[str, str]


@dataclass(frozen=True)
class Made:
    """A table that was made of another one or of a document.

    `tokens` open the seats that were taken, `new` says whether it was made now, or is there from before.
    """

    table: LiveTable
    tokens: dict[str, str]
    new: bool = True


def branch(
    game: Game[Any],
    entries: Sequence[Entry],
    sitters: Sitters,
    parting: Callable[[str | None], Branch],
    at: int,
    *,
    name: str,
    once: str | None = None,
) -> Dealt:
    """Make a table of the first entries of another one, played on to its next choice.

    `parting` makes the event that says where it parted, given the commitment of the new seed. `once` names
    what is made once for an owner.
    """
    opened = entries[0].event
    assert isinstance(opened, Opened)
    seats = [seat.id for seat in game.seats(setup_of(game, opened.setup))]
    people = [seat for seat in seats if seat not in opened.bots]
    alone = len(sitters.seats) == len(people)
    kept = "consent" if opened.takebacks == "free" else opened.takebacks
    first = replace(opened, mode="solo" if alone else "shared", takebacks="free" if alone else kept)
    seed = opening.new_seed()
    seq, last = len(entries) + 1, entries[-1]
    event = parting(commitment(seed) if opened.dice == "server" else None)
    log = [
        replace(entries[0], event=first, receipt=None),
        *(replace(entry, receipt=None) for entry in entries[1:]),
        Entry(seq, at, last.turn, last.phase, "table", event, command=seq),
    ]
    about = {
        "id": secrets.token_urlsafe(9),
        "game": game.meta.id,
        "name": name[:MOST_NAME],
        "mode": first.mode,
        "listed": False,
        "owner": sitters.owner,
        "created_at": at,
        "made_once": once,
    }
    claims, tokens = _claims(seats, sitters)
    table = LiveTable(game, about, claims, seed, chained(log))
    for seat, bot in table.bots.items():
        table.claims[seat].name = bot.title[:MOST_NAME]
    table.added(begun(table, at, command=seq))
    return Dealt(table, tokens, about, {})


def _claims(seats: Sequence[str], sitters: Sitters) -> tuple[list[Claim], dict[str, str]]:
    """The seats, those that are taken with their tokens."""
    tokens: dict[str, str] = {}
    claims: list[Claim] = []
    for seat in seats:
        claim = Claim(seat, secrets.token_urlsafe(16))
        if seat in sitters.seats:
            tokens[seat] = secrets.token_urlsafe(24)
            claim.identity, claim.token_hash = sitters.owner, token_hash(tokens[seat])
            claim.name = sitters.names.get(seat, "")
        claims.append(claim)
    return claims, tokens


async def made_once(service: Service, owner: str, once: str) -> LiveTable | None:
    """The table that was made for an owner under this name before, if it is still there."""
    row = models.game_table.c
    wanted = select(row.id).where(row.owner == owner, row.made_once == once)
    rows = await service.store.read(wanted)
    return await service.get(rows[0]["id"]) if rows else None
