"""Between facts and rows: events as tagged JSON; log entries, seats, sealed answers as database rows.

Rows are never rewritten. When a game changes an event, the old form is brought into the new one as it is read
(app.engine.editions).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Union

import msgspec

from app.engine.dice import Rolled
from app.engine.editions import (
    TABLE_UPCASTERS,
    table_too_new,
    too_new,
    unknown_event,
    upcast,
)
from app.engine.game import Game
from app.engine.log import TABLE_EDITION, Entry, Event
from app.engine.sequence import Held, Todo, to_act
from app.tables.live import Claim
from app.tables.questions import mark_of

_encoder = msgspec.json.Encoder()
_dice_decoder = msgspec.json.Decoder(Rolled)


class _Kind(msgspec.Struct):
    """What says of which type an event is."""

    type: str


class _Head(msgspec.Struct):
    """What a log's first entry says of how the log is to be read: the editions."""

    rules: int = 1
    table: int = 1


_kinds = msgspec.json.Decoder(_Kind)
_heads = msgspec.json.Decoder(_Head)


@dataclass(frozen=True)
class EventDecoder:
    """Reads the events of a game's log from their JSON, those of earlier editions too.

    Args:
        game: whose log it is.
        rules: the edition of the game that the table was opened by.
        table: that of the events of every table.
    """

    game: Game[Any]
    rules: int
    table: int

    def decode(self, text: str | bytes) -> Event:
        """An event. Raises OtherEdition when a later version wrote it, else msgspec.ValidationError."""
        kind = _kinds.decode(text).type
        kinds = tuple(self.game.event_types.values())
        if kind == "Opened":
            opened = self._opened(msgspec.json.decode(text), _heads.decode(text))
            return msgspec.convert(opened, _union(kinds))
        if self.rules == self.game.rules and self.table == TABLE_EDITION:
            self._check_type(kind)
            return _decoder(kinds).decode(text)
        event: dict[str, Any] = upcast(msgspec.json.decode(text), self.table, TABLE_UPCASTERS)
        event = upcast(event, self.rules, self.game.upcasters)
        self._check_type(event["type"])
        return msgspec.convert(event, _union(kinds))

    def _opened(self, event: dict[str, Any], head: _Head) -> dict[str, Any]:
        """The first entry says itself of which edition it is; rulings that came later are as before."""
        event = upcast(event, head.table, TABLE_UPCASTERS)
        event = upcast(event, head.rules, self.game.upcasters)
        return event | {
            "rulings": self.game.rulebook.completed(event["rulings"], head.rules),
        }

    def _check_type(self, kind: str) -> None:
        if kind not in self.game.event_types:
            raise unknown_event(kind, self.game.meta.title)


def event_decoder(game: Game[Any], opened: str | bytes | None = None) -> EventDecoder:
    """Reads any event of a game's log from its JSON.

    `opened` is the JSON of the log's first entry, which says by which edition the others were written; without
    it they are read as of today, save a first entry, which says so itself. Raises OtherEdition for a log
    of a later edition than this version has.
    """
    if opened is None:
        return EventDecoder(game, game.rules, TABLE_EDITION)
    head = _heads.decode(opened)
    if head.rules > game.rules:
        raise too_new(game.meta.title, head.rules, game.rules)
    if head.table > TABLE_EDITION:
        raise table_too_new(head.table, TABLE_EDITION)
    return EventDecoder(game, head.rules, head.table)


@lru_cache(maxsize=64)
def _decoder(kinds: tuple[type[Event], ...]) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(_union(kinds))


def _union(kinds: tuple[type[Event], ...]) -> Any:
    return Union[kinds]  # noqa: UP007 - a union made at run time


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


def from_row(row: Mapping[str, Any], decoder: EventDecoder) -> Entry:
    """The entry that a row keeps. Raises msgspec.ValidationError when it is not this game's, OtherEdition."""
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
        {
            "table_id": table_id,
            "offer": h.offer,
            "seat": h.seat,
            "choice": encode(h.choice),
            "receipt": h.receipt,
        }
        for h in held
    ]


def held_from_row(row: Mapping[str, Any]) -> Held:
    """The sealed answer that a row keeps."""
    return Held(row["offer"], row["seat"], msgspec.json.decode(row["choice"]), row["receipt"])
