"""Opening: a new table, played to its first choice.

Belongs here: what is drawn, dealt and written for a new table. Does not belong here: whether it can be what
somebody ordered (orders), whose it is when it follows another one (rematches).
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert

from app.engine.dice import commitment
from app.engine.errors import NotYourSeat
from app.engine.log import TABLE_EDITION, Brought, Entry, Event, Opened, WordSaid
from app.engine.sequence import begin
from app.games import registry
from app.tables import models
from app.tables.codec import claim_row, head_row, to_row
from app.tables.entries import entries_for
from app.tables.live import Caller, Claim, LiveTable, setup_of, token_hash
from app.tables.orders import (
    MOST_NAME,
    Order,
    checked_bots,
    checked_people,
    checked_seats,
    one_line,
    openers_seats,
    plays_alone,
    setup_for,
    word_of,
)
from app.tables.persons import Coming
from app.tables.service import Service


def new_seed() -> bytes:
    """What all dice of a table follow from, drawn once, when it is opened."""
    return secrets.token_bytes(32)


@dataclass(frozen=True)
class Dealt:
    """A table that is made but not yet written.

    `tokens` are the seat tokens of those who sit there, `about` what its row has beside what goes on with
    the log, `people` who was brought.
    """

    table: LiveTable
    tokens: dict[str, str]
    about: Mapping[str, Any]
    people: Mapping[str, Coming]

    def create(self, connection: Connection) -> None:
        """Write it. Raises Refused where somebody who was to be brought can't be had any more."""
        table, at = self.table, self.about["created_at"]
        head = head_row(table.state, table.todo, table.entries[-1])
        connection.execute(insert(models.game_table), {**self.about, **head})
        connection.execute(insert(models.seed), {"table_id": table.id, "seed": table.cup.seed})
        seats = [
            {"table_id": table.id, "label": s.label, **claim_row(table.claims[s.id], at)}
            for s in table.seats
        ]
        connection.execute(insert(models.seat_claim), seats)
        rows = [to_row(table.id, entry) for entry in table.entries]
        connection.execute(insert(models.log_entry), rows)
        for one in self.people.values():
            one.take(connection, table.id)


async def open_table(
    service: Service, order: Order, caller: Caller
) -> tuple[LiveTable, dict[str, str]]:
    """Open a table. Returns it and the seat tokens of the opener's own seats.

    Raises Missing for an unknown game or scenario, Illegal for a set-up or ruling that can't be.
    """
    if caller.identity is None:
        raise NotYourSeat("Opening a table needs an identity.")
    dealt = deal(order, caller.identity, service.clock())
    await service.store.attempt(dealt.create)
    service.remember(dealt.table)
    return dealt.table, dealt.tokens


def deal(order: Order, owner: str, at: int, sitters: Mapping[str, Claim] | None = None) -> Dealt:
    """Make a table in memory, played to its first choice.

    `sitters` are whose seats they are, by seat (only identity and name count); without them they
    are the owner's: all at a solo table, else the first that no bot has.
    """
    game = registry.load(order.game)
    setup, scenario = setup_for(game, order)
    rulings = game.rulebook.settle(order.rulings)
    seats = checked_seats(game, setup, rulings)
    bots = checked_bots(game, seats, order.bots)
    alone = plays_alone(order, seats, bots)
    about = {
        "id": secrets.token_urlsafe(9),
        "game": game.meta.id,
        "name": one_line(order.name, MOST_NAME, "A table's name") or scenario,
        "mode": order.mode,
        "listed": order.listed and order.mode != "solo",
        "owner": owner,
        "created_at": at,
    }
    if sitters is None:
        sitters = {seat: Claim(seat, "", owner) for seat in openers_seats(order, seats, bots)}
    people = checked_people(game, list(sitters), order.people)
    seed = new_seed()
    opened = Opened(
        game=game.meta.id,
        rules=game.rules,
        setup=setup,
        rulings=rulings,
        mode=order.mode,
        dice=order.dice,
        pace=order.pace,
        takebacks=order.takebacks or ("free" if alone else "consent"),
        commitment=commitment(seed) if order.dice == "server" else None,
        bots=bots,
        people=bool(order.people),
        table=TABLE_EDITION,
        cards=game.cards_of(setup_of(game, setup)),
    )
    claims = [Claim(seat.id, secrets.token_urlsafe(16)) for seat in seats]
    own = [claim for claim in claims if claim.seat not in bots]
    tokens = {one.seat: _seat(one, sitters[one.seat]) for one in own if one.seat in sitters}
    first: list[tuple[Event, str | None]] = [(opened, None)]
    first += [(Brought(seat, one.person, one.instead), seat) for seat, one in people.items()]
    if word := word_of(order.word):
        first.append((WordSaid(own[0].seat, word), own[0].seat))
    entries = [
        Entry(seq, at, 0, "", "table", event, seat=seat, command=1)
        for seq, (event, seat) in enumerate(first, start=1)
    ]
    table = LiveTable(game, about, claims, seed, entries)
    for seat, bot in table.bots.items():
        table.claims[seat].name = bot.title[:MOST_NAME]
    table.added(begun(table, at, command=1))
    return Dealt(table, tokens, about, people)


def _seat(claim: Claim, sitter: Claim) -> str:
    """Give a seat to somebody. Returns its token."""
    token = secrets.token_urlsafe(24)
    claim.identity, claim.name, claim.token_hash = sitter.identity, sitter.name, token_hash(token)
    return token


def begun(table: LiveTable, at: int, *, command: int) -> list[Entry]:
    """What happens at a new table before the first choice; nothing while it waits for a person."""
    if table.awaited:
        return []
    played = begin(table.game, table.state, table.thrower(), pace=table.opened.pace)
    return entries_for(table, played.happenings, at, command=command)
