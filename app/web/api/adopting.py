"""Adopting: the calls by which newer rulings come to a table in play.

What there is to adopt is in the view (`newer`), and what is asked for (`rulings_asked`).
"""

from typing import Annotated

from pydantic import Field
from starlette.responses import Response

from app.tables import adopting
from app.web.api.calls import Body, TableId, answer_doc, count_command, new_router
from app.web.api.play import CommandDone, Key, Version, done_answer
from app.web.deps import CallerDep, SiteDep

router = new_router()

Key_ = Annotated[str, Field(max_length=60)]


class RulingsBody(Body):
    """The newer rulings to go on by, each with its value. Those that are not named stay as they are."""

    version: Version | None = None
    rulings: Annotated[dict[Key_, Key_], Field(min_length=1, max_length=60)]


class RulingsAnswer(Body):
    """Whether you agree to the newer rulings that the other seat asks for."""

    version: Version | None = None
    accept: bool


@router.post("/tables/{table_id}/rulings", tags=["play"], responses=answer_doc(CommandDone))
async def adopt(
    table_id: TableId, body: RulingsBody, site: SiteDep, who: CallerDep, key: Key = None
) -> Response:
    """Go on by newer rulings: at once where you play alone, else the other seat is asked (`asked` is true)."""
    await count_command(site, table_id, who)
    done = await adopting.ask(site.service, table_id, body.version, body.rulings, who, key)
    return done_answer(site, who, done)


@router.post("/tables/{table_id}/rulings/answer", tags=["play"], responses=answer_doc(CommandDone))
async def answer_rulings(
    table_id: TableId, body: RulingsAnswer, site: SiteDep, who: CallerDep
) -> Response:
    """Say yes or no to the newer rulings that the other seat asks for."""
    await count_command(site, table_id, who)
    done = await adopting.answer(site.service, table_id, body.version, body.accept, who)
    return done_answer(site, who, done)
