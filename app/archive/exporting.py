"""Exporting: a table as a document.

Belongs here: who is given what. Whoever may look at a table may have it as he sees it; whole, with hashes and the
dice secret, everybody may have it once the game is over. Does not belong here: the format (document), what the
operator asks for on his own machine (command).
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import select

from app.archive.document import DiceOf, Document, Origin, Sitter
from app.engine.errors import Missing
from app.engine.record import FIELDS, fields_of
from app.engine.secret import Viewer
from app.games import registry
from app.tables import models
from app.tables.live import LiveTable
from app.tables.looking import entry_views, view_of
from app.tables.service import Service
from app.tables.store import Row, Store, entries_of


async def export(service: Service, table_id: str, viewer: Viewer) -> Document:
    """What a viewer may have of a table: all of it once the game is over, till then his own view."""
    row = models.game_table.c
    over = await service.store.read(select(row.finished).where(row.id == table_id))
    if over and over[0]["finished"]:  # also where it does not load any more
        return await whole(service.store, table_id)
    return await asyncio.to_thread(seen, await service.get(table_id), viewer)


def seen(table: LiveTable, viewer: Viewer) -> Document:
    """A table as somebody sees it now: as the log of the JSON interface tells it, without hashes."""
    now = table.position
    view = view_of(now, viewer)
    log = [_plain(entry) for entry in entry_views(now, now.entries, viewer)]
    opened: Mapping[str, Any] = log[0]["data"]
    return Document(
        kind="view",
        game=table.game.meta.id,
        title=table.game.meta.title,
        edition=view.edition,
        table=Origin(table.id, table.name, now.entries[0].at, len(log)),
        seats=tuple(Sitter(seat.id, seat.label, seat.name, seat.bot) for seat in view.seats),
        seen_by=tuple(seat.id for seat in table.seats if seat.id in viewer),
        rulings=view.rulings,
        setup=opened.get("setup") or None,
        cards=opened.get("cards") if opened.get("setup") else None,
        finished=view.finished,
        result="" if view.result is None else view.result.text,
        dice=DiceOf(table.opened.dice, table.commitment, now.secret),
        units=tuple(_plain(unit) for unit in view.units),
        log=tuple(log),
    )


def _plain(value: Any) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(value))


async def whole(store: Store, table_id: str) -> Document:
    """A table as it is kept, with every secret: the seed of its dice is there only once the game is over.

    Nothing is read into it, so it can also be had of a table that does not load. Raises Missing.
    """
    read, m = store.read, models
    about = await read(select(m.game_table).where(m.game_table.c.id == table_id))
    if not about:
        raise Missing("There is no such table. The link may be cut short.")
    claims = await read(
        select(m.seat_claim)
        .where(m.seat_claim.c.table_id == table_id)
        .order_by(m.seat_claim.c.seat)
    )
    seeds = await read(select(m.seed).where(m.seed.c.table_id == table_id))
    rows = await read(entries_of(table_id))
    return await asyncio.to_thread(_whole, about[0], claims, seeds, rows)


def _whole(
    about: Row, claims: Sequence[Row], seeds: Sequence[Row], rows: Sequence[Row]
) -> Document:
    log = [_entry(row) for row in rows]
    events: list[dict[str, Any]] = [e["event"] for e in log if isinstance(e["event"], dict)]
    opened = events[0] if events else dict[str, Any]()
    bots: Mapping[str, str] = opened.get("bots", {})
    adopted = _adopted(log)
    rulings: dict[str, Any] | None = opened.get("rulings")
    for one in adopted:
        rulings = {**(rulings or {}), **one["rulings"]}
    ends = [e for e in events if e.get("type") == "Finished"]
    seals = [
        e.get("commitment") for e in events if e.get("type") in ("Opened", "Forked", "Restored")
    ]
    finished, mode = bool(about["finished"]), opened.get("dice", "server")
    shown = finished and mode == "server" and bool(seeds)
    meta = registry.metas().get(about["game"])
    return Document(
        kind="whole",
        game=about["game"],
        title=about["game"] if meta is None else meta.title,
        edition=max([opened.get("rules", 1), *(one["edition"] for one in adopted)])
        if opened
        else 0,
        table=Origin(about["id"], about["name"], about["created_at"], len(log)),
        seats=tuple(
            Sitter(
                one["seat"],
                one["label"],
                "" if one["seat"] in bots else one["name"],
                one["name"] if one["seat"] in bots else "",
            )
            for one in claims
        ),
        rulings=rulings,
        setup=opened.get("setup"),
        cards=opened.get("cards"),
        finished=finished,
        result=ends[-1]["result"]["text"] if finished and ends else "",
        dice=DiceOf(
            mode,
            seals[-1] if seals else None,
            bytes(seeds[0]["seed"]).hex() if shown else None,
        ),
        log=tuple(log),
    )


def _adopted(log: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The facts by which seats agreed on newer rulings and that no take-back took back, as they were written.

    As app.engine.adoption has it of events: here nothing is read into them.
    """
    kept: list[tuple[int, dict[str, Any]]] = []
    for entry in log:
        match entry["event"]:
            case {"type": "Rewound", "to": int(to)}:
                kept = [one for one in kept if one[0] <= to]
            case {"type": "RulingsAdopted", "rulings": dict(), "edition": int()}:
                kept.append((entry["seq"], entry["event"]))
            case _:
                pass
    return [event for _, event in kept]


def _entry(row: Row) -> dict[str, Any]:
    """An entry with all its fields and its hash; what is no JSON any more stays text."""
    try:
        plain = fields_of(row)
    except ValueError:
        plain = {name: row[name] for name in (*FIELDS, "choice", "hash")}
    return {name: value for name, value in plain.items() if value is not None}
