"""Personal tokens, for scripts that act for somebody."""

import msgspec
from starlette.responses import Response

from app.engine.errors import NotYourSeat
from app.web.api.calls import answer_doc, json_answer, new_router
from app.web.deps import CallerDep, SiteDep

router = new_router()


class PersonalToken(msgspec.Struct, frozen=True):
    """A token that stands for you at every table."""

    token: str


@router.post(
    "/token", tags=["games"], status_code=201, responses=answer_doc(PersonalToken, status=201)
)
async def token(site: SiteDep, who: CallerDep) -> Response:
    """A personal token for scripts that act for you: it opens all your seats, like your cookie."""
    if who.identity is None:
        raise NotYourSeat("A seat token can't ask for a personal one.")
    return json_answer(PersonalToken(site.identities.token(who.identity)), 201)
