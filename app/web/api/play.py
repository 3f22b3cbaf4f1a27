"""Play: what can be done at a table.

Each of these calls counts as a command, and answers what it did. Does not belong here: looking ahead, which
does nothing (planning).
"""

from typing import Annotated, Any

import msgspec
from fastapi import Header
from pydantic import Field
from starlette.responses import Response

from app.engine.sequence import Advance, Answer
from app.tables import closing, playing, takebacks, words
from app.tables.commands import Done
from app.tables.live import Caller
from app.tables.looking import entry_views, view_of
from app.tables.views import EntryView, View
from app.web.api.calls import Body, TableId, answer_doc, count_command, json_answer, new_router
from app.web.deps import CallerDep, Site, SiteDep, viewer_of

router = new_router()

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="Any text of yours. The same key again answers what the first call answered.",
    ),
]
Version = Annotated[int, Field(ge=0, le=2**31, description="The version that you saw.")]


class CommandBody(Body):
    """An answer to an offer: a `choice`, or at a table with real dice the faces for a roll.

    For an offer with `draft` the choice is a line of text; see `/draft`.
    """

    version: Version
    offer: str = Field(max_length=200)
    choice: Any = None
    dice: list[int] | None = Field(None, max_length=100)


class WithdrawBody(Body):
    """A sealed answer of yours to withdraw, by the id of its offer."""

    version: Version
    offer: str = Field(max_length=200)


class AdvanceBody(Body):
    """Play on what needs no choice."""

    version: Version


class TakebackBody(Body):
    """Take back to the moment after entry `to`; without it, before your last decision."""

    version: Version
    to: int | None = Field(None, ge=0, le=2**31)


class TakebackAnswer(Body):
    """Whether you agree to what the other seat asks.

    `request` is the number of the entry that asks; with it the answer can meet no other request.
    """

    version: Version
    accept: bool
    request: int | None = Field(None, ge=1, le=2**31)


class WordBody(Body):
    """A word for the dice."""

    word: str = Field(max_length=200)


class CommandDone(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a command did. `asked`: a take-back now waits for the other seat's answer."""

    version: int
    entries: tuple[EntryView, ...]
    view: View
    asked: bool = False


@router.post("/tables/{table_id}/commands", tags=["play"], responses=answer_doc(CommandDone))
async def command(
    table_id: TableId, body: CommandBody, site: SiteDep, who: CallerDep, key: Key = None
) -> Response:
    """Answer an offer. A refused command changes nothing: same version, same log, no die used."""
    await count_command(site, table_id, who)
    faces = None if body.dice is None else tuple(body.dice)
    answer = Answer(body.offer, body.choice, faces)
    return _done(
        site, who, await playing.command(site.service, table_id, answer, body.version, who, key)
    )


@router.post("/tables/{table_id}/withdraw", tags=["play"], responses=answer_doc(CommandDone))
async def withdraw(
    table_id: TableId, body: WithdrawBody, site: SiteDep, who: CallerDep
) -> Response:
    """Withdraw a sealed answer (an offer with `held`), so that it is asked again. Nobody else can tell.

    No entry and no new version come of it. 409 when it does not wait any more: all have answered, or
    nothing was held for that offer.
    """
    await count_command(site, table_id, who)
    return _done(
        site,
        who,
        await playing.withdraw_answer(site.service, table_id, body.offer, body.version, who),
    )


@router.post("/tables/{table_id}/advance", tags=["play"], responses=answer_doc(CommandDone))
async def advance(
    table_id: TableId, body: AdvanceBody, site: SiteDep, who: CallerDep, key: Key = None
) -> Response:
    """Play the next thing that needs no choice; in pace "flow", all of them."""
    await count_command(site, table_id, who)
    return _done(
        site, who, await playing.command(site.service, table_id, Advance(), body.version, who, key)
    )


@router.post("/tables/{table_id}/takeback", tags=["play"], responses=answer_doc(CommandDone))
async def take_back(
    table_id: TableId, body: TakebackBody, site: SiteDep, who: CallerDep, key: Key = None
) -> Response:
    """Take back: at once where that is allowed, else the other seat is asked (`asked` is true)."""
    await count_command(site, table_id, who)
    done = await takebacks.take_back(site.service, table_id, body.version, who, body.to, key)
    return _done(site, who, done)


@router.post("/tables/{table_id}/takeback/answer", tags=["play"], responses=answer_doc(CommandDone))
async def answer_take_back(
    table_id: TableId, body: TakebackAnswer, site: SiteDep, who: CallerDep
) -> Response:
    """Say yes or no to the take-back that the other seat asks for."""
    await count_command(site, table_id, who)
    done = await takebacks.answer_takeback(
        site.service, table_id, body.version, body.accept, who, body.request
    )
    return _done(site, who, done)


@router.post("/tables/{table_id}/word", tags=["play"], responses=answer_doc(CommandDone))
async def say_word(table_id: TableId, body: WordBody, site: SiteDep, who: CallerDep) -> Response:
    """Add your word to the dice, once a seat, so that nobody chose them alone."""
    await count_command(site, table_id, who)
    return _done(site, who, await words.say_word(site.service, table_id, body.word, who, None))


@router.post("/tables/{table_id}/close", tags=["play"], responses=answer_doc(CommandDone))
async def close(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """End the game: who holds every seat closes the table, anybody else concedes, also to bots."""
    await count_command(site, table_id, who)
    return _done(site, who, await closing.close(site.service, table_id, who))


def _done(site: Site, who: Caller, done: Done) -> Response:
    viewer, now = viewer_of(done.table, who), done.table.position
    at = None if done.version == now.length else now.number_of(done.version, viewer)
    view = view_of(now, viewer, site.hub.present(now.id), at=at)
    entries = entry_views(now, done.entries, viewer)
    return json_answer(CommandDone(view.version, entries, view, done.asked))
