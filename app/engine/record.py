"""The record: how a log proves that nothing in it is missing or altered.

Each entry has a hash over the hash of the entry before it and over all of its own fields, so the last
hash stands for the whole log. Anyone can compute them again from an export, with nothing but SHA-256
and JSON:

    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    hash = hashlib.sha256(f"{before}\\n{text}".encode()).hexdigest()

`fields` are those of FIELDS, absent ones as null, and `choice` where an entry has one, else not at all: so
entries from before there were choices keep their hashes. `before` is "" for the first entry. Events stand
there as they were written, also when a later version reads them in another form.

A hash over something that can be guessed lets others guess it. So nobody is shown a hash before the game
is over. Belongs here: hashes and what they find. Does not belong here: rows, files, who may see what.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from app.engine.log import Entry

FIELDS = (
    "at", "cite", "command", "dice", "event", "kind", "phase", "receipt", "seat", "seq", "turn", "unit",
)  # fmt: skip
"""What an entry's hash is over, besides the hash before it, and its `choice` where it has one."""

_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder().decode
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
# Python and msgspec write very large and very small fractions differently (1e+16 and 1e16, 1e-05 and
# 0.00001). With every digit and minus made a 1, the one has this in its text and the other that. So may
# words, which only costs time.
_LIKE_ONES = bytes.maketrans(b"023456789-", b"1" * 10)
_LARGE, _SMALL = b"1e1", b"1.1111"


class Fault(msgspec.Struct, frozen=True):
    """Where a log stops being what was written: all is well up to entry `after`; `why` is for people."""

    after: int
    why: str


def link(before: str, fields: Mapping[str, Any]) -> str:
    """The hash of an entry from its fields as plain values; other keys don't count."""
    counted = {name: fields.get(name) for name in FIELDS} | _chosen(fields.get("choice"))
    return _hash(before, _canonical(counted).encode())


def link_stored(before: str, row: Mapping[str, Any]) -> str:
    """The same of an entry as it is kept, its `event`, `dice` and `choice` as JSON text.

    Raises ValueError where that is no JSON.
    """
    try:
        dice, choice = (
            None if text is None else _decode(text) for text in (row["dice"], row.get("choice"))
        )
        return _link_made(before, row, _decode(row["event"]), dice, choice)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None


def fields_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a stored entry as plain values, as an export has them, its `choice` if any, and its `hash`.

    Raises ValueError where its JSON is none.
    """
    plain = {name: row[name] for name in FIELDS}
    plain["event"] = json.loads(row["event"])
    plain["dice"] = None if row["dice"] is None else json.loads(row["dice"])
    if (choice := row.get("choice")) is not None:
        plain |= _chosen(json.loads(choice))
    plain["hash"] = row["hash"]
    return plain


def chained(entries: Iterable[Entry], before: str = "") -> list[Entry]:
    """New entries with their hashes, the first one after the hash `before`."""
    done: list[Entry] = []
    for entry in entries:
        fields = msgspec.structs.asdict(entry)
        before = _link_made(before, fields, entry.event, entry.dice, entry.choice)
        done.append(msgspec.structs.replace(entry, hash=before))
    return done


def first_fault(entries: Iterable[Mapping[str, Any]]) -> Fault | None:
    """The first thing wrong with a log whose entries are plain values with their `hash`; None when it is whole.

    That the end is missing can't be seen here: who keeps the log knows its length.
    """
    before, last = "", 0
    for entry in entries:
        if fault := _gap(last, entry):
            return fault
        if link(before, entry) != entry.get("hash"):
            return _altered(last)
        before, last = entry["hash"], last + 1
    return None


def first_stored_fault(rows: Iterable[Mapping[str, Any]]) -> Fault | None:
    """The same for entries whose `event`, `dice` and `choice` are JSON text, as they are kept."""
    before, last = "", 0
    for row in rows:
        if fault := _gap(last, row):
            return fault
        if not _holds(before, row):
            return _altered(last)
        before, last = row["hash"], last + 1
    return None


def _gap(last: int, entry: Mapping[str, Any]) -> Fault | None:
    if entry.get("seq") == last + 1:
        return None
    return Fault(last, f"entry {last + 1} is missing")


def _altered(last: int) -> Fault:
    return Fault(last, f"entry {last + 1} is not as it was written")


def _holds(before: str, row: Mapping[str, Any]) -> bool:
    try:
        return row["hash"] == link_stored(before, row)
    except (TypeError, ValueError):
        return False


def _chosen(choice: Any) -> dict[str, Any]:
    """What a choice adds to the fields of its entry: nothing where there is none."""
    return {} if choice is None else {"choice": choice}


def _link_made(before: str, fields: Mapping[str, Any], event: Any, dice: Any, choice: Any) -> str:
    """As `link`, several times quicker: the event and the dice may be structs."""
    counted = {name: fields[name] for name in FIELDS} | {"event": event, "dice": dice}
    line = _encode(counted | _chosen(choice))
    ones = line.translate(_LIKE_ONES)
    if _LARGE in ones or _SMALL in ones:
        return link(before, json.loads(line))
    return _hash(before, line)


def _hash(before: str, text: bytes) -> str:
    return hashlib.sha256(b"%s\n%s" % (before.encode(), text)).hexdigest()
