"""The table page: what it shows, and its forms. Each form works without JavaScript too.

With htmx a command answers 204 and the change comes by the stream, as it comes to everybody else;
without, the answer leads back to the page.
"""

import asyncio
import contextlib
import json
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.responses import Response

from app.engine.errors import Illegal, Refused, Stale
from app.engine.secret import Viewer
from app.engine.sequence import MOST_LINE, Advance, Answer, open_decisions
from app.tables import closing, deleting, playing, takebacks, words
from app.tables.frames import LINES
from app.tables.live import Caller, LiveTable
from app.tables.looking import (
    draft_of,
    further_odds,
    heading_of,
    lines_of,
    overlay_of,
    page_of,
    view_of,
)
from app.web.archive import origin_of
from app.web.deps import CallerDep, Site, SiteDep, caller_of, name_of, site_of, viewer_of
from app.web.entering import entered
from app.web.invites import invite_url, site_url
from app.web.page import Htmx, TableId, to_table
from app.web.reading import Fields, read_choice, read_face, read_form
from app.web.templating import qr_svg

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Version = Annotated[int, Form(ge=0, le=2**31)]


@router.get("/tables/{table_id}")
async def show(
    table_id: TableId,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    at: Annotated[int | None, Query(ge=1, le=2**31)] = None,
    fresh: bool = False,
) -> HTMLResponse:
    """The table, now or as it was after entry `at`."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    now = table.position
    page = page_of(now, viewer, site.hub.present(table.id), at)
    newest = page.latest if page.past is None else page.past
    first = max(0, newest - LINES)
    return HTMLResponse(
        site.pages.page(
            "table/page.html",
            page=page,
            lines=lines_of(now, viewer, first, newest),
            earlier=first + 1 if first else None,
            since=site.hub.channel(table, viewer).position if page.past is None else "",
            invites=_invites(table, viewer, request, site),
            watch_url=f"{site_url(request, site.settings)}/tables/{table.id}",
            fresh=fresh,
            word=any(words.may_say_word(table, seat) for seat in viewer),
            rulings=_rulings(table),
            origin=origin_of(table),
            deletable=who.identity == table.owner and deleting.may_go(table),
        ),
        headers={"cache-control": "no-store", "vary": "HX-Request, Cookie"},
    )


def _rulings(table: LiveTable) -> list[dict[str, str]]:
    """How this table settles now what the text leaves open."""
    return [
        {
            "question": ruling.question,
            "answer": next(o.label for o in ruling.options if o.value == settled),
            "rule": ruling.rule,
        }
        for key, ruling in table.game.rulebook.rulings.items()
        if (settled := table.position.rulings.get(key)) is not None
    ]


def _invites(
    table: LiveTable, viewer: Viewer, request: Request, site: Site
) -> list[dict[str, Any]]:
    """The free seats, for somebody who plays here."""
    if not viewer or table.damaged:
        return []
    free = [seat for seat in table.seats if not table.taken(seat.id)]
    urls = {s.id: invite_url(request, site.settings, table.claims[s.id].invite) for s in free}
    return [
        {"seat": s.id, "label": s.label, "url": urls[s.id], "qr_svg": qr_svg(urls[s.id])}
        for s in free
    ]


@router.get("/tables/{table_id}/heading")
async def heading(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """What a tab in the background is called now: it has no stream that would tell it."""
    table = await site.service.get(table_id)
    page = page_of(table, viewer_of(table, who), site.hub.present(table.id))
    return JSONResponse(site.pages.heading(page), headers={"cache-control": "no-store"})


@router.get("/tables/{table_id}/log")
async def earlier(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    before: Annotated[int, Query(ge=1, le=2**31)],
    hx_request: Htmx = None,
) -> Response:
    """Log lines before an entry."""
    if not hx_request:
        return to_table(f"{table_id}?at={max(1, before - 1)}")
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    last = min(before - 1, table.position.count(viewer))
    first = max(0, last - LINES)
    return HTMLResponse(
        site.pages.page(
            "table/log.html",
            table_id=table.id,
            game=table.game.meta.id,
            lines=lines_of(table, viewer, first, last),
            earlier=first + 1 if first else None,
        )
    )


@router.get("/tables/{table_id}/overlay")
async def overlay(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    unit: Annotated[str, Query(max_length=60)] = "",
    aid: Annotated[str, Query(max_length=60)] = "",
) -> HTMLResponse:
    """A planning aid drawn over the board; an empty one where it does not apply."""
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    # Aids may compute for long: the others' moves do not wait for it.
    viewer, now = viewer_of(table, who), table.position
    drawn = await asyncio.to_thread(overlay_of, now, viewer, aid, unit)
    taken = {seen.hex for seen in view_of(now, viewer).units}
    return HTMLResponse(site.pages.page("table/overlay.html", overlay=drawn, taken=taken))


@router.get("/tables/{table_id}/odds")
async def odds(
    table_id: TableId,
    request: Request,
    site: SiteDep,
    who: CallerDep,
    offer: Annotated[str, Query(max_length=200)] = "",
    choice: Annotated[str, Query(max_length=2000)] = "",
    hx_request: Htmx = None,
) -> HTMLResponse:
    """For the chosen option, the odds of each further choice that it leads to."""
    table = await site.service.get(table_id)
    toggles = request.query_params.getlist("with")
    value = read_choice(choice, toggles)
    viewer = viewer_of(table, who)
    title, rows = await asyncio.to_thread(further_odds, table.position, viewer, offer, value)
    template = "table/odds.html" if hx_request else "table/odds_page.html"
    return HTMLResponse(
        site.pages.page(template, table_id=table.id, title=title, rows=rows, value=value)
    )


@router.get("/tables/{table_id}/draft")
async def draft(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    offer: Annotated[str, Query(max_length=200)] = "",
    text: Annotated[str, Query(max_length=MOST_LINE)] = "",
    hx_request: Htmx = None,
) -> HTMLResponse:
    """A line of text, read as far as it goes: beside the board, or without JavaScript as a page."""
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    read = await asyncio.to_thread(draft_of, table.position, viewer, offer, text)
    if hx_request:
        game = table.game.meta.id
        return HTMLResponse(site.pages.page("table/draft.html", read=read, game=game, asked=text))
    return await _draft_page(site, table, viewer, offer, text)


async def _draft_page(
    site: Site,
    table: LiveTable,
    viewer: Viewer,
    offer: str,
    text: str,
    refused: Illegal | None = None,
) -> HTMLResponse:
    """An offer that is answered by a line, on a page of its own; also where the line was `refused`."""
    now = table.position
    read = await asyncio.to_thread(draft_of, now, viewer, offer, text)
    view = view_of(now, viewer, site.hub.present(table.id))
    return HTMLResponse(
        site.pages.page(
            "table/draft_page.html",
            table=heading_of(table),
            version=view.version,
            offer=next(one for one in view.offers if one.id == offer),
            read=read,
            typed=text if read.fault else read.text,
            refused=refused,
        ),
        200 if refused is None else refused.status,
    )


def _entered(table: LiveTable, who: Caller, offer: str, form: Fields) -> Any:
    """What was filled in for one's own decision, None for any other question. Raises Illegal, naming the field."""
    seats = viewer_of(table, who)
    for decision in open_decisions(table.todo):
        if decision.id == offer and decision.seat in seats and decision.schema is not None:
            return entered(decision.schema, form)
    return None


async def command(request: Request) -> Response:
    """Answer an offer. The choice is JSON, or "" with fields that are filled in; `with` adds members to it; `faces` are dice by hand; `text` is a line.

    The one call that is made all the time, so it reads its few fields itself.
    """
    site, who = site_of(request), caller_of(request)
    site.limits.command(name_of(who))
    form = await read_form(request)
    version, offer = form.whole("version"), form.text("offer", 200)
    value = read_choice(form.text("choice", 10_000, default=""), form.all("with"))
    faces = tuple(read_face(face) for face in form.all("faces")) or None
    table_id: str = request.path_params["table_id"]
    hx_request = request.headers.get("hx-request")
    line = form.text("text", MOST_LINE) if form.all("text") else None
    value = value if line is None else line
    if value is None and faces is None:
        value = _entered(await site.service.get(table_id), who, offer, form)
    if value is None and faces is None:
        raise Illegal("Choose one of the options first.")
    # The same choice of the same version is the same command, however often the button is pressed.
    receipt = json.dumps([version, offer, value, faces], sort_keys=True)
    answer = Answer(offer, value, faces)
    try:
        await playing.command(site.service, table_id, answer, version, who, receipt)
    except Stale as moved:
        if line is None:
            raise
        raise Stale(f"{moved.detail} Your line was: {line}", moved.cite) from None
    except Illegal as refused:
        if line is None or hx_request:
            raise
        table = await site.service.get(table_id)
        return await _draft_page(site, table, viewer_of(table, who), offer, line, refused)
    return _back(table_id, hx_request)


router.add_route("/tables/{table_id}/commands", command, methods=["POST"])


@router.post("/tables/{table_id}/withdraw")
async def withdraw(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    version: Version,
    offer: Annotated[str, Form(max_length=200)],
    hx_request: Htmx = None,
) -> Response:
    """Change a sealed answer: it is withdrawn, and its question asked again."""
    site.limits.command(name_of(who))
    await playing.withdraw_answer(site.service, table_id, offer, version, who)
    return _back(table_id, hx_request)


@router.post("/tables/{table_id}/advance")
async def advance(
    table_id: TableId, site: SiteDep, who: CallerDep, version: Version, hx_request: Htmx = None
) -> Response:
    """Play what needs no choice."""
    site.limits.command(name_of(who))
    receipt = f"advance {version}"
    await playing.command(site.service, table_id, Advance(), version, who, receipt)
    return _back(table_id, hx_request)


@router.post("/tables/{table_id}/takeback")
async def take_back(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    version: Version,
    to: Annotated[int | None, Form(ge=0, le=2**31)] = None,
    confirmed: Annotated[str, Form(max_length=10)] = "",
    hx_request: Htmx = None,
) -> Response:
    """Take back. Where dice have fallen a solo player is asked first, and shown what goes."""
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    now = table.position
    plan = takebacks.plan_takeback(now, viewer, to)
    if plan.how == "confirm" and not confirmed and now.version_for(viewer) == version:
        lines = [
            line
            for line in lines_of(now, viewer, plan.number, now.count(viewer))
            if not line.struck and not line.heading and line.kind != "table"
        ]
        return HTMLResponse(
            site.pages.page(
                "table/confirm.html",
                table=heading_of(table),
                title="Take this back?",
                text=f"{plan.reason} These entries are struck out; dice do not come back.",
                lines=lines,
                action=f"/tables/{table.id}/takeback",
                fields={"version": version, "to": plan.number, "confirmed": "yes"},
                button="Take back",
                back=f"/tables/{table.id}",
            )
        )
    receipt = f"takeback {version} {to}"
    to = plan.number if to is None else to
    await takebacks.take_back(site.service, table_id, version, who, to, receipt)
    return _back(table_id, hx_request)


@router.post("/tables/{table_id}/takeback/answer")
async def answer_take_back(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    version: Version,
    accept: Annotated[str, Form(max_length=10)],
    request: Annotated[int | None, Form(ge=1, le=2**31)] = None,
    hx_request: Htmx = None,
) -> Response:
    """Yes or no to the other seat's request."""
    site.limits.command(name_of(who))
    yes = accept == "yes"
    await takebacks.answer_takeback(site.service, table_id, version, yes, who, request)
    return _back(table_id, hx_request)


@router.post("/tables/{table_id}/word")
async def say_word(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    word: Annotated[str, Form(max_length=200)],
    hx_request: Htmx = None,
) -> Response:
    """Add a word to the dice."""
    site.limits.command(name_of(who))
    await words.say_word(site.service, table_id, word, who, None)
    return _back(table_id, hx_request)


@router.post("/tables/{table_id}/close")
async def close(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    confirmed: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """End the game; asks first."""
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    alone = len(viewer) == len(table.seats) or bool(table.awaited)
    if not confirmed:
        what = "The game ends here." if alone else "Your side concedes and the game ends here."
        what += _left_behind(table, viewer)
        return HTMLResponse(
            site.pages.page(
                "table/confirm.html",
                table=heading_of(table),
                title="End this game?",
                text=f"{what} The dice are shown, and nothing more can be played or taken back.",
                lines=[],
                action=f"/tables/{table.id}/close",
                fields={"confirmed": "yes"},
                button="End the game" if alone else "Concede",
                back=f"/tables/{table.id}",
            )
        )
    await closing.close(site.service, table_id, who)
    return to_table(table_id)


@router.post("/tables/{table_id}/delete")
async def delete(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    confirmed: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Delete a table of one's own; asks first. Also one that can't be shown any more."""
    site.limits.command(name_of(who))
    name = await deleting.kept_as(site.service, table_id, who)
    if not confirmed:
        behind = ""
        with contextlib.suppress(Refused):  # of one that can't be read nothing more is known
            table = await site.service.get(table_id)
            if not table.finished and not table.damaged:
                behind = _left_behind(table, viewer_of(table, who))
        return HTMLResponse(
            site.pages.page(
                "table/confirm.html",
                table=None,
                title="Delete this table?",
                text=f"“{name}” goes for good, with its log, its seats and its dice. Nobody can open it any "
                f"more, and nothing brings it back.{behind}",
                lines=[],
                action=f"/tables/{table_id}/delete",
                fields={"confirmed": "yes"},
                button="Delete it",
                back=f"/tables/{table_id}",
            )
        )
    await deleting.delete_table(site.service, table_id, who)
    return RedirectResponse("/tables", status_code=303)


def _left_behind(table: LiveTable, viewer: Viewer) -> str:
    """What ending the game early means for those who were brought."""
    own = [one.call_sign for seat, one in table.people.items() if seat in viewer]
    if not own or not any(entry.kind != "table" for entry in table.entries):
        return ""
    who = " and ".join(own)
    return (
        f" {who} will be free again, with nothing of this game in the record, and your campaign book "
        "counts it as abandoned for all time."
    )


def _back(table_id: str, hx_request: str | None) -> Response:
    if hx_request:
        return Response(status_code=204)
    return to_table(table_id)
