"""People: the campaign book of whoever asks.

Does not belong here: bringing them to a table (tables), books that come from elsewhere (app.web.book).
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Path, Query
from pydantic import Field
from starlette.responses import Response

from app.games import registry
from app.records.book import Flown, Kept
from app.web.api.calls import Body, answer_doc, json_answer, new_router
from app.web.deps import CallerDep, SiteDep, name_of

router = new_router()


class NewPerson(Body):
    """Somebody new for your campaign book."""

    game: str = Field(max_length=40, examples=["f14-tomcats"])
    name: str = Field(max_length=200)
    call_sign: str = Field(max_length=200)


class PersonView(msgspec.Struct, frozen=True):
    """Somebody in your campaign book. `table` is where he plays now; `record` is the game's own.

    `imported`: the record was brought from elsewhere. `abandoned` counts games that you ended early.
    """

    id: str
    game: str
    name: str
    call_sign: str
    status: Literal["active", "lost", "retired"]
    table: str | None
    record: Mapping[str, Any]
    abandoned: int
    imported: bool
    created_at: int
    updated_at: int


class DeedView(msgspec.Struct, frozen=True):
    """What somebody did at a table, which ended with entry `seq`; neither if it was brought from elsewhere.

    `kind` "abandoned" and "cut" (by another player) add nothing to the record.
    """

    number: int
    at: int
    table: str | None
    seq: int | None
    kind: Literal["played", "abandoned", "cut"]
    title: str
    lines: tuple[str, ...]
    tallies: Mapping[str, int]
    taken_back: int
    own_setup: bool


class PersonBook(msgspec.Struct, frozen=True):
    """Somebody in your campaign book, and what he did, the latest first."""

    person: PersonView
    deeds: tuple[DeedView, ...]


@router.get("/people", tags=["people"], responses=answer_doc(PersonView, many=True))
async def people(
    site: SiteDep, who: CallerDep, game: Annotated[str | None, Query(max_length=40)] = None
) -> Response:
    """Your campaign book: those who outlive a table, who played last first."""
    return json_answer([_person(one) for one in await site.book.of(who, game)])


@router.post(
    "/people", tags=["people"], status_code=201, responses=answer_doc(PersonView, status=201)
)
async def new_person(body: NewPerson, site: SiteDep, who: CallerDep) -> Response:
    """Somebody new in your campaign book, fit to be named in `people` of a new table."""
    site.limits.command(name_of(who))
    game = registry.load(body.game)
    return json_answer(_person(await site.book.make(who, game, body.name, body.call_sign)), 201)


@router.get("/people/{person_id}", tags=["people"], responses=answer_doc(PersonBook))
async def one_person(
    person_id: Annotated[str, Path(max_length=24)], site: SiteDep, who: CallerDep
) -> Response:
    """Somebody of your campaign book, with every deed. Others' are not found."""
    kept = await site.book.get(who, person_id)
    deeds = tuple(_deed(done) for done in await site.book.deeds(kept))
    return json_answer(PersonBook(_person(kept), deeds))


def _person(kept: Kept) -> PersonView:
    return PersonView(**{name: getattr(kept, name) for name in PersonView.__struct_fields__})


def _deed(done: Flown) -> DeedView:
    story = done.story
    return DeedView(
        done.number,
        done.at,
        done.table,
        done.seq,
        story.kind,
        story.title,
        story.lines,
        story.tallies,
        story.taken_back,
        story.own_setup,
    )
