"""Papers: a person as one JSON document, to take along from server to server.

What comes in was made elsewhere: it is checked for its form and bounds and against the game, and whoever
has it is marked for good, as nobody here can say whether it is true.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from app.engine.errors import Illegal
from app.engine.game import Game
from app.engine.people import MOST_CALL_SIGN, MOST_NAME, Person, plain
from app.games import registry
from app.records.book import Book, Flown, Kept, Story, checked_names, owner_of, people_in
from app.tables.clock import now
from app.tables.live import Caller, setup_of

MOST_BYTES = 131_072
MOST_DEEDS = 300
"""The latest go into a document: with more it would not fit into a form."""
MOST_TIME = 4_102_444_800_000
"""The year 2100."""

Line = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0, le=9999)]


class DeedPaper(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A deed in a document."""

    at: Annotated[int, Meta(ge=0, le=MOST_TIME)]
    title: Line
    kind: Literal["played", "abandoned", "cut"] = "played"
    lines: Annotated[tuple[Line, ...], Meta(max_length=20)] = ()
    tallies: Annotated[
        Mapping[Annotated[str, Meta(max_length=40)], Number], Meta(max_length=10)
    ] = {}
    taken_back: Number = 0
    own_setup: bool = False
    table: Annotated[str, Meta(max_length=80)] = ""


class Paper(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person in a document. `record` is of the game's own type. Deeds are the oldest first."""

    contrail: Literal["person 1"]
    game: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(min_length=1, max_length=MOST_NAME)]
    call_sign: Annotated[str, Meta(min_length=1, max_length=MOST_CALL_SIGN)]
    status: Literal["active", "lost", "retired"]
    abandoned: Number
    record: Mapping[str, Any]
    deeds: Annotated[tuple[DeedPaper, ...], Meta(max_length=MOST_DEEDS)]


def paper_of(one: Kept, deeds: Sequence[Flown]) -> bytes:
    """The document of a person, the latest of `deeds` first."""
    latest = [_deed_paper(done) for done in deeds[:MOST_DEEDS]]
    paper = Paper(
        contrail="person 1",
        game=one.game,
        name=one.name,
        call_sign=one.call_sign,
        status=one.status,
        abandoned=one.abandoned,
        record=one.record,
        deeds=tuple(reversed(latest)),
    )
    return msgspec.json.encode(paper)


def _deed_paper(done: Flown) -> DeedPaper:
    return DeedPaper(at=done.at, **msgspec.structs.asdict(done.story))


async def bring(book: Book, who: Caller, text: str) -> Kept:
    """Keep whom a document describes. Raises Illegal, naming what is wrong with it."""
    return await book.add(*checked(text, owner_of(who)))


def checked(text: str, owner: str) -> tuple[Kept, list[tuple[int, Story]]]:
    """Whom a document describes, as somebody's who brings it. Raises Illegal, Missing."""
    paper = _read(text)
    made = _checked(registry.load(paper.game), paper, owner)
    stories = [
        (one.at, Story(**{name: getattr(one, name) for name in Story.__struct_fields__}))
        for one in paper.deeds
    ]
    return made, stories


def _read(text: str) -> Paper:
    if len(text.encode(errors="replace")) > MOST_BYTES:
        raise Illegal(f"Such a document has at most {MOST_BYTES // 1024} KiB.")
    try:
        return msgspec.json.decode(text, type=Paper)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Illegal(f"This is no document of a person: {error}") from None


def _checked(game: Game[Any], paper: Paper, owner: str) -> Kept:
    """The person, whom the game itself would seat."""
    people = people_in(game)
    name, call_sign = checked_names(people, paper.name, paper.call_sign)
    try:
        record = plain(people.read(paper.record))
        _try_out(game, Person("", name, call_sign, paper.record))
    except msgspec.ValidationError as error:
        raise Illegal(f"This record can't be read: {error}") from None
    at = now()
    return Kept(
        secrets.token_urlsafe(9),
        owner,
        game.meta.id,
        name,
        call_sign,
        record,
        paper.status,
        paper.abandoned,
        True,
        at,
        at,
        None,
    )


def _try_out(game: Game[Any], person: Person) -> None:
    """Seat somebody as a table would. Raises Illegal for what the type of a record does not forbid."""
    people = people_in(game)
    scenario = next(iter(game.scenarios.values()))
    setup = setup_of(game, scenario.setup)
    seat = game.seats(setup)[0].id
    game.start(people.seated(setup, {seat: person}), game.rulebook.settle({}))
