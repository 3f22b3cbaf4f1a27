"""The campaign book: one's own persons of each game, what they did, and who is remembered of all.

Belongs here: requests and what the pages show. Does not belong here: what is kept (app.records.book), what
comes from elsewhere (app.records.papers), choosing somebody for a seat (`people`).
"""

import contextlib
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from app.engine.errors import Missing, Refused
from app.engine.game import Game
from app.games import registry
from app.records import papers
from app.records.book import Flown, Kept, people_in
from app.records.crew import suggestion
from app.tables.live import Caller
from app.web.deps import CallerDep, Site, SiteDep, name_of
from app.web.people import called
from app.web.when import ago, day

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

PersonId = Annotated[str, Path(max_length=24)]
Text = Annotated[str, Form(max_length=200)]

GROUPS = (
    ("free", "Free"),
    ("away", "At a table"),
    ("lost", "Lost"),
    ("retired", "Retired"),
)


@router.get("/book")
async def book(site: SiteDep, who: CallerDep) -> HTMLResponse:
    """One's own persons, game by game."""
    return await _book(site, who)


async def _book(
    site: Site, who: Caller, status: int = 200, wrong: str = "", paste: str = ""
) -> HTMLResponse:
    own = await site.book.of(who)
    games = [_chapter(game, own) for game in games_with_people()]
    html = site.pages.page("book/book.html", games=games, wrong=wrong, paste=paste)
    return HTMLResponse(html, status, headers={"cache-control": "no-store"})


def games_with_people() -> list[Game[Any]]:
    """The games whose persons outlive a table."""
    found: list[Game[Any]] = []
    for game in registry.metas():
        with contextlib.suppress(Missing):  # one that does not load is told of in the server's log
            found.append(registry.load(game))
    return [game for game in found if game.people is not None]


def _chapter(game: Game[Any], own: list[Kept]) -> Mapping[str, Any]:
    people = people_in(game)
    mine = [one for one in own if one.game == game.meta.id]
    name, call_sign = suggestion(game, {one.call_sign.casefold() for one in mine})
    groups = [
        (title, [_row(game, one) for one in mine if _group(one) == key]) for key, title in GROUPS
    ]
    return {
        "meta": game.meta,
        "noun": people.noun,
        "plural": people.plural,
        "groups": [(title, rows) for title, rows in groups if rows],
        "name": name,
        "call_sign": call_sign,
    }


def _group(one: Kept) -> str:
    if one.status != "active":
        return one.status
    return "free" if one.table is None else "away"


def _row(game: Game[Any], one: Kept) -> Mapping[str, Any]:
    people = people_in(game)
    return {
        "id": one.id,
        "call_sign": one.call_sign,
        "called": called(one),
        "told": people.told(people.read(one.record)) if people.legible(one.record) else (),
        "when": ago(one.updated_at),
        "table": one.table,
        "status": one.status,
        "imported": one.imported,
        "abandoned": one.abandoned,
    }


@router.post("/book")
async def make(
    site: SiteDep, who: CallerDep, game: Text = "", name: Text = "", call_sign: Text = ""
) -> Response:
    """Somebody new in the book."""
    site.limits.command(name_of(who))
    made = await site.book.make(who, registry.load(game), name, call_sign)
    return RedirectResponse(f"/book/{made.id}", status_code=303)


@router.post("/book/import")
async def bring(
    site: SiteDep, who: CallerDep, paper: Annotated[str, Form(max_length=papers.MOST_BYTES)] = ""
) -> Response:
    """Somebody from elsewhere in the book. What can't be read is shown again, with what is wrong."""
    site.limits.command(name_of(who))
    try:
        made = await papers.bring(site.book, who, paper)
    except Refused as refused:
        return await _book(site, who, 422, refused.detail, paper)
    return RedirectResponse(f"/book/{made.id}", status_code=303)


@router.get("/book/{person_id}")
async def person(person_id: PersonId, site: SiteDep, who: CallerDep) -> HTMLResponse:
    """A person: the record, and every game that made it."""
    one = await site.book.get(who, person_id)
    game = registry.load(one.game)
    html = site.pages.page(
        "book/person.html",
        meta=game.meta,
        noun=people_in(game).noun,
        one=_row(game, one),
        name=one.name,
        free=one.free,
        since=day(one.created_at),
        deeds=[_deed(done) for done in await site.book.deeds(one)],
    )
    return HTMLResponse(html, headers={"cache-control": "no-store"})


def _deed(done: Flown) -> Mapping[str, Any]:
    story = done.story
    return {
        "number": done.number,
        "day": day(done.at),
        "table": done.table,
        "seq": done.seq,
        "story": story,
        "tallies": ", ".join(f"{value} {label.lower()}" for label, value in story.tallies.items()),
    }


@router.post("/book/{person_id}/rename")
async def rename(
    person_id: PersonId, site: SiteDep, who: CallerDep, name: Text = "", call_sign: Text = ""
) -> Response:
    """Other names for somebody who is free."""
    site.limits.command(name_of(who))
    game = registry.load((await site.book.get(who, person_id)).game)
    await site.book.rename(who, game, person_id, name, call_sign)
    return RedirectResponse(f"/book/{person_id}", status_code=303)


@router.post("/book/{person_id}/retire")
async def retire(person_id: PersonId, site: SiteDep, who: CallerDep) -> Response:
    """Into retirement, for good."""
    site.limits.command(name_of(who))
    await site.book.retire(who, person_id)
    return RedirectResponse(f"/book/{person_id}", status_code=303)


@router.get("/book/{person_id}/export")
async def export(person_id: PersonId, site: SiteDep, who: CallerDep) -> Response:
    """The person as one JSON document, to be brought to another server."""
    one = await site.book.get(who, person_id)
    return Response(
        papers.paper_of(one, await site.book.deeds(one)),
        media_type="application/json",
        headers={
            "content-disposition": f'attachment; filename="{one.game}-{one.id}.json"',
            "cache-control": "no-store",
        },
    )


@router.get("/hall-of-fame")
async def hall(site: SiteDep) -> HTMLResponse:
    """Who is lost and who is the best, of everybody on this server. It tells no player's name."""
    games: list[Mapping[str, Any]] = []
    for game in games_with_people():
        found = await site.book.hall(game)
        games.append(
            {
                "meta": game.meta,
                "plural": people_in(game).plural,
                "lost": [_remembered(game, one) for one in found.lost],
                "best": [_remembered(game, one) for one in found.best],
            }
        )
    return HTMLResponse(site.pages.page("book/hall.html", games=games))


def _remembered(game: Game[Any], one: Kept) -> Mapping[str, Any]:
    """A row without anything that leads to the person's page or player."""
    row = _row(game, one)
    shown = ("called", "told", "status", "imported", "abandoned")
    return {**{key: row[key] for key in shown}, "day": day(one.updated_at)}
