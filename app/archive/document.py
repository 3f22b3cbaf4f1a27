"""The document: a table as one JSON file, for people, for other servers, for years.

Belongs here: its format, reading and writing it, and what can be wrong with it as a file. Does not belong here:
whether the game in it is right (proving), what becomes of it (importing), who may have which (exporting).

A document is "whole", with each entry as it is kept and its hash, or a "view": the log as one viewer may read
it, without hashes, as a hash over something that can be guessed gives it away.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, cast

import msgspec

from app import __version__
from app.engine.errors import Illegal

FORMAT = 1
"""Raised when a document can no longer be read by what was written for the one before; older ones stay readable."""

MOST_DEPTH = 64
"""Lists and objects within each other. A set-up or a fact has fewer than ten."""
MOST_ENTRIES = 100_000

Id = Annotated[str, msgspec.Meta(max_length=60)]
Line = Annotated[str, msgspec.Meta(max_length=2_000)]
Whole = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Sitter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: its id, what it is called, the name of whoever had it, and the title of its bot if one had."""

    id: Id
    label: Line
    name: Line = ""
    bot: Line = ""


class Origin(msgspec.Struct, frozen=True):
    """Which table it was: its id there, its name, when it was opened (ms since 1970), how many entries it had."""

    id: Id
    name: Line
    opened_at: Whole
    entries: Whole


class DiceOf(msgspec.Struct, frozen=True, omit_defaults=True):
    """How dice fell. `commitment` is the SHA-256 of `seed`, which is there when the game is over; both in hex."""

    mode: Literal["server", "hand"]
    commitment: Hex | None = None
    seed: Hex | None = None


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A table as a file.

    `contrail` is always "table". `app` is the version that wrote it. `edition` and `rulings` are what the table
    plays by after its last entry, `setup` and `cards` those of its first, for whoever reads: null where the
    viewer may not know them. `seats` are the sides, `seen_by` those whose view it is, none for a
    spectator's. `log` is in order: of a whole document all fields of each entry and its `hash`, of a view what
    the viewer is told.
    """

    contrail: Literal["table"] = "table"
    format: int = FORMAT
    kind: Literal["whole", "view"]
    app: Line = __version__
    game: Id
    title: Line
    edition: Whole
    table: Origin
    seats: Annotated[tuple[Sitter, ...], msgspec.Meta(max_length=40)]
    seen_by: tuple[Id, ...] = ()
    rulings: Mapping[str, Any] | None
    setup: Mapping[str, Any] | None
    cards: Mapping[str, Any] | None = None
    finished: bool
    result: Line = ""
    dice: DiceOf
    units: tuple[Mapping[str, Any], ...] = ()
    log: Annotated[
        tuple[Mapping[str, Any], ...], msgspec.Meta(min_length=1, max_length=MOST_ENTRIES)
    ]


def written(document: Document) -> bytes:
    """The document as a file. The same table gives the same bytes."""
    return msgspec.json.encode(document)


def read(data: bytes) -> Document:
    """The document in a file. Raises Illegal, which says what is wrong with it and what to do."""
    try:
        raw: Any = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Illegal(f"This is no JSON: {error}. Choose the file that an export gave.") from None
    except RecursionError:
        raise _too_deep() from None
    _check_depth(raw)
    if not isinstance(raw, dict) or cast("dict[str, Any]", raw).get("contrail") != "table":
        raise Illegal(
            "This is no record of a table: it does not begin like one. Choose the file that an export gave."
        )
    number = cast("dict[str, Any]", raw).get("format")
    if type(number) is not int or number < 1:
        raise Illegal("This record has no format number, so it can't be read.")
    if number > FORMAT:
        raise Illegal(
            f"This record has format {number}, and this Contrail reads up to {FORMAT}. "
            "A newer Contrail wrote it: update this one, then import it."
        )
    try:
        document = msgspec.convert(raw, Document)
        msgspec.json.encode(raw).decode()
    except msgspec.ValidationError as error:
        raise Illegal(f"This record is damaged or made by hand: {error}.") from None
    return document


def _check_depth(raw: Any) -> None:
    """Raises Illegal where lists and objects are nested so deeply that what walks them would fall over."""
    level: list[Any] = [raw]
    for _ in range(MOST_DEPTH):
        level = [inner for one in level for inner in _inner(one)]
        if not level:
            return
    raise _too_deep()


def _inner(thing: Any) -> Sequence[Any]:
    if isinstance(thing, dict):
        return list(cast("dict[str, Any]", thing).values())
    return cast("list[Any]", thing) if isinstance(thing, list) else ()


def _too_deep() -> Illegal:
    return Illegal(
        f"This is no record of a table: its values are nested more than {MOST_DEPTH} deep."
    )
