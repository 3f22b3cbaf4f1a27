"""Importing: from a document to something to look at or to go on from.

    a whole record of a game that is over    a table of its own, with the same log, to look at
    a whole record of a game in play         a table that goes on from there, with dice of its own
    a view                                   a page to read (kept): it has not all that a table needs

Belongs here: what a document may become, and all reasons why not. Does not belong here: its format (document),
checks of what it says (proving). A document comes from anywhere: nothing of it is believed, nothing is written
before all of it was read, folded and looked at, and the same one twice is one table.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from app.archive.branching import Made, Seated, Sitters, branch, made_once
from app.archive.document import Document, read
from app.archive.proving import Proof, proof_of
from app.engine.dice import commitment
from app.engine.errors import Illegal, Missing, NotYourSeat, Refused
from app.engine.game import Game
from app.engine.log import Finished, Opened, Rematched, Restored, RulingsAdopted
from app.engine.record import FIELDS, first_fault
from app.engine.sequence import canonical
from app.games import registry
from app.tables import models, opening
from app.tables.codec import claim_row, encode, head_row
from app.tables.live import Caller, Claim, LiveTable, setup_of, token_hash
from app.tables.loading import folded
from app.tables.looking import lines_of, view_of
from app.tables.orders import MOST_NAME, one_line
from app.tables.service import Service

MOST_LOOKS = 5_000
"""Moments of a record that are tried one by one. A long game has some two thousand entries."""


class Provenance(msgspec.Struct, frozen=True):
    """Where a table that is only to be looked at came from, and what was found out about it then."""

    table: str
    app: str
    proof: Proof


def provenance_of(table: LiveTable) -> Provenance | None:
    """What is kept of where a table came from; None of one that can be played, or was played here."""
    return None if table.origin is None else msgspec.json.decode(table.origin, type=Provenance)


@dataclass(frozen=True)
class Kept:
    """A view that was read in: the id of its page, and whether it is new."""

    id: str
    new: bool


async def import_document(
    service: Service, data: bytes, caller: Caller, *, seats: Seated = "all", by: str = ""
) -> Made | Kept:
    """Make of a file what it can be. The same file again from the same caller answers what is there already.

    `seats` of a game in play are the caller's: all, the first, or none, and the others have invitations; of a game
    that is over all are, so that he sees all of it. `by` is under which name he does it. Raises Refused: what is wrong with it, and what to do.
    """
    owner = caller.identity
    if owner is None:
        raise NotYourSeat("Importing a table needs an identity.")
    name = one_line(by, MOST_NAME, "A name")
    document, once = await asyncio.to_thread(opened_file, data)
    if document.kind == "view":
        return await _keep(service, document, owner, once)
    if (known := await made_once(service, owner, once)) is not None:
        return Made(known, {}, new=False)
    at = service.clock()
    if document.finished:
        finished = await asyncio.to_thread(_finished, document, owner, once, at)
        work, table, tokens = finished.create, finished.table, dict[str, str]()
    else:
        dealt = await asyncio.to_thread(_going_on, document, owner, once, at, name, seats)
        work, table, tokens = dealt.create, dealt.table, dealt.tokens
    try:
        await service.store.attempt(work)
    except IntegrityError:
        # The same was sent twice at once: the other one made it.
        if (known := await made_once(service, owner, once)) is None:
            raise
        return Made(known, {}, new=False)
    return Made(service.remember(table), tokens)


def opened_file(data: bytes) -> tuple[Document, str]:
    """A file's document and what it is known by, however it is spaced."""
    document = read(data)
    return document, hashlib.sha256(canonical(document).encode()).hexdigest()


# Whole records


@dataclass(frozen=True)
class _Record:
    """A whole document whose chain holds, and what it is about."""

    document: Document
    game: Game[Any]
    opened: Opened
    rows: Sequence[Mapping[str, Any]]


def _record(document: Document) -> _Record:
    """Check a whole document as far as it goes without folding it. Raises Illegal."""
    rows = [_row(number, entry) for number, entry in enumerate(document.log, start=1)]
    fault = first_fault(document.log)
    if fault is not None:
        raise Illegal(
            f"This record was changed after it was written: {fault.why}. Ask for another copy of it."
        )
    if len(rows) != document.table.entries:
        raise Illegal(
            f"This record is cut short: it has {len(rows)} of {document.table.entries} entries. "
            "Ask for another copy of it."
        )
    try:
        game = registry.load(document.game)
    except Missing:
        raise Illegal(
            f"This record is of the game {document.game!r}, which this server does not have. "
            "Install the plug-in that brings it, then import the record again."
        ) from None
    first = document.log[0]["event"]
    if first.get("type") != "Opened" or first.get("game") != document.game:
        raise Illegal(f"Entry 1 of this record does not open a table of {game.meta.title}.")
    try:
        opened = msgspec.convert(first, Opened)
    except msgspec.ValidationError as error:
        raise Illegal(f"Entry 1 of this record can't be read: {error}.") from None
    for what in ("setup", "rulings"):
        if canonical(getattr(document, what)) != canonical(getattr(opened, what)):
            raise Illegal(f"The {what} of this record are not those of its first entry.")
    _check_rulings(game, opened.rules, opened.rulings)
    for adopted in _adopted(document):
        _check_rulings(game, adopted.edition, adopted.rulings)
    return _Record(document, game, opened, rows)


def _adopted(document: Document) -> Iterator[RulingsAdopted]:
    """The newer rules that were agreed on in mid-game, also those that were taken back. Raises Illegal."""
    for number, entry in enumerate(document.log, start=1):
        if entry["event"].get("type") == "RulingsAdopted":
            try:
                yield msgspec.convert(entry["event"], RulingsAdopted)
            except msgspec.ValidationError as error:
                raise Illegal(f"Entry {number} of this record can't be read: {error}.") from None


def _check_rulings(game: Game[Any], edition: int, rulings: Mapping[str, str]) -> None:
    """Raises Illegal for rules that this server does not have."""
    if edition > game.rules:
        raise Illegal(
            f"This record is of edition {edition} of {game.meta.title}; this server has edition "
            f"{game.rules}. Update it, then import the record again."
        )
    for key, value in rulings.items():
        ruling = game.rulebook.rulings.get(key)
        if ruling is None:
            raise Illegal(
                f"This record has a ruling {key[:60]!r}, which this version of {game.meta.title} does not know."
            )
        if all(option.value != value for option in ruling.options):
            raise Illegal(
                f"This record settles the ruling {key!r} as {value[:60]!r}, which this version does not know."
            )


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of an entry of a whole document, as strictly as rows can hold them."""

    seq: int
    at: int
    turn: int
    phase: str
    kind: str
    event: dict[str, Any]
    command: int
    hash: str
    seat: str | None = None
    unit: str | None = None
    cite: str | None = None
    dice: dict[str, Any] | None = None
    receipt: str | None = None
    choice: Any = None


_LONGEST = {"phase": 40, "kind": 10, "seat": 40, "unit": 60, "cite": 40, "receipt": 64, "hash": 64}


def _row(number: int, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The row that an entry would be. Raises Illegal, naming the entry."""
    try:
        line = msgspec.convert(entry, _Line)
    except msgspec.ValidationError as error:
        raise Illegal(f"Entry {number} of this record can't be read: {error}.") from None
    for name, most in _LONGEST.items():
        if len(getattr(line, name) or "") > most:
            raise Illegal(f"Entry {number} of this record can't be read: its {name} is too long.")
    for name in ("seq", "at", "turn", "command"):
        if not 0 <= getattr(line, name) < 2**31 * (2**20 if name == "at" else 1):
            raise Illegal(
                f"Entry {number} of this record can't be read: its {name} is out of range."
            )
    row: dict[str, Any] = {name: getattr(line, name) for name in (*FIELDS, "hash")}
    row["event"] = encode(line.event)
    row["dice"] = None if line.dice is None else encode(line.dice)
    row["choice"] = None if line.choice is None else encode(line.choice)
    return row


def _fold(
    record: _Record, about: Mapping[str, Any], seed: bytes, claims: Sequence[Claim]
) -> LiveTable:
    """The table that a record makes. Raises Illegal where it makes none."""
    at = about["created_at"]
    try:
        return folded(
            record.game, about, [claim_row(claim, at) for claim in claims], seed, record.rows
        )
    except Refused as refused:
        raise Illegal(f"This record makes no table: {refused.detail}", refused.cite) from None
    except Exception as error:  # a document may say anything; what falls over on it is no table
        raise Illegal(
            f"This record makes no table that this version could show ({type(error).__name__}: "
            f"{str(error)[:200]}). It was damaged, or written by another version."
        ) from None


def _seats(record: _Record) -> list[str]:
    """The seats of a record's set-up. Raises Illegal where that can't be played."""
    try:
        setup = setup_of(record.game, record.opened.setup)
        return [seat.id for seat in record.game.seats(setup)]
    except msgspec.ValidationError as error:
        raise Illegal(f"The set-up of this record can't be read: {error}.") from None
    except Exception as error:
        raise Illegal(f"The set-up of this record can't be played: {error}.") from None


def _check_looks(table: LiveTable, proof: Proof) -> None:
    """Raises Illegal where somebody who looks at a moment of the table would see nothing but an error.

    What the rules made can be shown; anything else is tried moment by moment.
    """
    moments = () if proof.replay.right else range(1, table.version + 1)
    if len(moments) > MOST_LOOKS:
        raise Illegal(
            f"This record is not what these rules make ({proof.replay.text}), and with more than {MOST_LOOKS} "
            "entries it is too long to be looked through."
        )
    everybody = frozenset(seat.id for seat in table.seats)
    seq = table.version
    try:
        for viewer in (everybody, frozenset[str]()):
            lines_of(table, viewer, 0, table.version)
            view_of(table, viewer)
        for seq in moments:
            view_of(table, everybody, at=seq)
            if seq <= table.position.count(frozenset()):
                view_of(table, frozenset(), at=seq)
    except Exception as error:
        raise Illegal(
            f"Entry {seq} of this record leads to a position that can't be shown ({type(error).__name__}). "
            "It was damaged, or made by hand."
        ) from None


# Games that are over


@dataclass(frozen=True)
class _Looked:
    """A table to look at, not yet written: its rows are the record's own."""

    table: LiveTable
    about: Mapping[str, Any]
    seed: bytes
    rows: Sequence[Mapping[str, Any]]

    def create(self, connection: Connection) -> None:
        """Write it."""
        table, at = self.table, self.about["created_at"]
        head = head_row(table.state, table.todo, table.entries[-1])
        # To its owner it is new, however long ago it was played.
        connection.execute(insert(models.game_table), {**self.about, **head, "updated_at": at})
        connection.execute(insert(models.seed), {"table_id": table.id, "seed": self.seed})
        seats = [
            {"table_id": table.id, "label": s.label, **claim_row(table.claims[s.id], at)}
            for s in table.seats
        ]
        connection.execute(insert(models.seat_claim), seats)
        connection.execute(
            insert(models.log_entry), [{"table_id": table.id, **row} for row in self.rows]
        )


def table_in(document: Document) -> tuple[LiveTable, Sequence[Mapping[str, Any]]]:
    """The table that a whole document makes, and its rows: to be checked, not to be kept. Raises Illegal."""
    if document.kind == "view":
        raise Illegal(
            "This is what one viewer saw of a table; it has not all that can be checked. "
            "A whole record can be exported when the game is over."
        )
    record = _record(document)
    claims = [Claim(seat, "") for seat in _seats(record)]
    about = _about(record, "", "", 0)
    return _fold(record, about, bytes.fromhex(document.dice.seed or "00" * 32), claims), record.rows


def _about(record: _Record, table_id: str, owner: str, at: int) -> dict[str, Any]:
    """What a table's row says of it beside what goes on with the log."""
    return {
        "id": table_id,
        "game": record.game.meta.id,
        "name": _name(record.document.table.name) or record.game.meta.title,
        "mode": record.opened.mode,
        "listed": False,
        "owner": owner,
        "created_at": at,
    }


def _finished(document: Document, owner: str, once: str, at: int) -> _Looked:
    """A record of a game that is over, as a table to look at. All its seats are its owner's, so that he sees all."""
    record = _record(document)
    seats = _seats(record)
    hand = record.opened.dice == "hand"
    if not hand and document.dice.seed is None:
        raise Illegal(
            "A record of a game that is over has the seed of its dice; this one has none. "
            "Ask for another copy of it."
        )
    seed = bytes.fromhex(document.dice.seed or "") or opening.new_seed()
    names = {sitter.id: sitter.name or sitter.bot for sitter in document.seats}
    bots = record.opened.bots
    claims = [
        Claim(
            seat,
            secrets.token_urlsafe(16),
            owner,
            None if seat in bots else token_hash(secrets.token_urlsafe(24)),
            _name(names.get(seat, "")),
        )
        for seat in seats
    ]
    about = _about(record, secrets.token_urlsafe(9), owner, at) | {"made_once": once}
    table = _fold(record, about, seed, claims)
    if not table.finished or any(
        not isinstance(entry.event, Finished | Rematched) for entry in table.entries[-1:]
    ):
        raise Illegal("This record says that the game is over, and its log does not end it.")
    if not hand and commitment(seed) != table.commitment:
        raise Illegal(
            "The seed of this record is not the one that its dice were promised to follow from."
        )
    if table.commitment != document.dice.commitment:
        raise Illegal("The dice of this record are not those that its log tells of.")
    proof = proof_of(table, record.rows)
    _check_looks(table, proof)
    provenance = Provenance(document.table.id, document.app[:40], proof)
    about["origin"] = encode(provenance)
    return _Looked(_fold(record, about, seed, claims), about, seed, record.rows)


def _name(text: str) -> str:
    """A name of a document as a table keeps it."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:MOST_NAME]


# Games in play


def _going_on(
    document: Document, owner: str, once: str, at: int, by: str, taken: Seated
) -> opening.Dealt:
    """A table that goes on where a whole record of a game in play stops."""
    record = _record(document)
    seats = _seats(record)
    claims = [Claim(seat, secrets.token_urlsafe(16)) for seat in seats]
    about = _about(record, "", owner, at)
    table = _fold(record, about, bytes(32), claims)
    if table.finished:
        raise Illegal("This record says that the game is in play, and its log ends it.")
    if table.awaited:
        raise Illegal("The game of this record has not begun; there is nothing to go on from.")
    proof = proof_of(table, record.rows)
    _check_looks(table, proof)
    free = [seat for seat in seats if seat not in table.bots]
    sitting = {"all": free, "first": free[:1], "none": []}[taken]
    who = by or "whoever has its file"
    source = _name(document.table.id)
    try:
        return branch(
            record.game,
            table.entries,
            Sitters(owner, sitting, dict.fromkeys(sitting, by)),
            lambda seal: Restored(source, table.version, who, seal),
            at,
            name=about["name"],
            once=once,
        )
    except Refused:
        raise
    except Exception as error:
        raise Illegal(
            f"This version can't go on from where this record stops ({type(error).__name__}: {str(error)[:200]})."
        ) from None


# Views


async def _keep(service: Service, document: Document, owner: str, once: str) -> Kept:
    """Keep a view, to be read."""
    for number, entry in enumerate(document.log, start=1):
        if not isinstance(entry.get("text"), str) or not isinstance(entry.get("seq"), int):
            raise Illegal(
                f"Entry {number} of this view has no text or number, so it can't be read."
            )
    kept = secrets.token_urlsafe(9)
    row = {
        "id": kept,
        "owner": owner,
        "made_once": once,
        "game": document.game[:40],
        "name": _name(document.table.name) or document.game[:40],
        "created_at": service.clock(),
        "document": encode(document),
    }
    view = models.kept_view
    known = select(view.c.id).where(view.c.owner == owner, view.c.made_once == once)

    def write(connection: Connection) -> None:
        connection.execute(insert(view), row)

    found = await service.store.read(known)
    if not found:
        try:
            await service.store.attempt(write)
            return Kept(kept, new=True)
        except IntegrityError:
            found = await service.store.read(known)
    return Kept(found[0]["id"], new=False)
