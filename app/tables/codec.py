"""Between facts and rows: events as tagged JSON, log entries as database rows.

Rows are never rewritten. When a game changes an event, the game keeps reading the old form.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Union

import msgspec

from app.engine.dice import Rolled
from app.engine.game import Game
from app.engine.log import Entry, Event

_encoder = msgspec.json.Encoder()
_dice_decoder = msgspec.json.Decoder(Rolled)


def event_decoder(game: Game[Any]) -> msgspec.json.Decoder[Event]:
    """Reads any event of a game's log from its JSON."""
    return _decoder(tuple(game.event_types.values()))


@lru_cache(maxsize=64)
def _decoder(kinds: tuple[type[Event], ...]) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(Union[kinds])  # noqa: UP007 - a union made at run time


def encode(value: Any) -> str:
    """JSON text of a struct or plain value."""
    return _encoder.encode(value).decode()


def to_row(table_id: str, entry: Entry) -> dict[str, Any]:
    """The row of `log_entry` that keeps an entry."""
    return {
        "table_id": table_id,
        "seq": entry.seq,
        "at": entry.at,
        "turn": entry.turn,
        "phase": entry.phase,
        "kind": entry.kind,
        "seat": entry.seat,
        "unit": entry.unit,
        "cite": entry.cite,
        "dice": None if entry.dice is None else encode(entry.dice),
        "event": encode(entry.event),
        "command": entry.command,
        "receipt": entry.receipt,
    }


def from_row(row: Mapping[str, Any], decoder: msgspec.json.Decoder[Event]) -> Entry:
    """The entry that a row keeps. Raises msgspec.ValidationError when it is not this game's."""
    return Entry(
        seq=row["seq"],
        at=row["at"],
        turn=row["turn"],
        phase=row["phase"],
        kind=row["kind"],
        event=decoder.decode(row["event"]),
        seat=row["seat"],
        unit=row["unit"],
        cite=row["cite"],
        dice=None if row["dice"] is None else _dice_decoder.decode(row["dice"]),
        command=row["command"],
        receipt=row["receipt"],
    )
