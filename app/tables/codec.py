"""Between facts and rows: events as tagged JSON; log entries, seats, sealed answers as database rows.

Rows are never rewritten. When a game changes an event, the game keeps reading the old form.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Union

import msgspec

from app.engine.dice import Rolled
from app.engine.game import Game
from app.engine.log import Entry, Event
from app.engine.sequence import Held, Todo, to_act
from app.tables.live import Claim
from app.tables.questions import mark_of

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
        "hash": entry.hash,
        "choice": None if entry.choice is None else encode(entry.choice),
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
        hash=row["hash"],
        choice=None if row["choice"] is None else msgspec.json.decode(row["choice"]),
    )


def head_row(state: Any, step: Todo, last: Entry) -> dict[str, Any]:
    """What the lists of tables show: the columns of `game_table` that go on with the log."""
    return {
        "version": last.seq,
        "turn": state.turn,
        "to_act": " ".join(to_act(step)),
        "finished": state.result is not None,
        "updated_at": last.at,
        "question": mark_of(step),
    }


def claim_row(claim: Claim, at: int) -> dict[str, Any]:
    """The columns of `seat_claim` that say who holds a seat, who came there at that time if anybody did."""
    return {
        "seat": claim.seat,
        "invite": claim.invite,
        "identity": claim.identity,
        "token_hash": claim.token_hash,
        "name": claim.name,
        "claimed_at": at if claim.token_hash else None,
    }


def claim_from_row(row: Mapping[str, Any]) -> Claim:
    """Who holds a seat, as a row keeps it."""
    return Claim(row["seat"], row["invite"], row["identity"], row["token_hash"], row["name"])


def held_rows(table_id: str, held: Sequence[Held]) -> list[dict[str, Any]]:
    """The rows of `held_answer` that keep a table's sealed answers."""
    return [
        {"table_id": table_id, "offer": h.offer, "seat": h.seat, "choice": encode(h.choice)}
        for h in held
    ]


def held_from_row(row: Mapping[str, Any]) -> Held:
    """The sealed answer that a row keeps."""
    return Held(row["offer"], row["seat"], msgspec.json.decode(row["choice"]))
