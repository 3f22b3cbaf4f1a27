"""The rules on screen: what each paragraph says, where it comes from, what was ruled."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from app.engine.errors import Missing
from app.games import registry
from app.web.deps import Site, SiteDep
from app.web.page import GameId, Htmx

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/games/{game}/rules")
async def rules(
    game: GameId,
    site: SiteDep,
    rule: Annotated[str | None, Query(max_length=60)] = None,
    table: Annotated[str | None, Query(max_length=24)] = None,
    hx_request: Htmx = None,
) -> HTMLResponse:
    """The whole rulebook; with `rule`, inside a page, that one paragraph, as `table` has settled it."""
    loaded = registry.load(game)
    book = loaded.rulebook
    if rule is not None and hx_request:
        paragraph = book.paragraphs.get(rule)
        if paragraph is None:
            raise Missing(f"{loaded.meta.title} has no rule {rule!r}.")
        context: dict[str, Any] = {
            "meta": loaded.meta,
            "paragraph": paragraph,
            "section": book.sections[paragraph.section],
            "ruling": book.rulings.get(paragraph.ruling or ""),
            "settled": await _settled(site, table, paragraph.ruling),
        }
        return HTMLResponse(site.pages.page("games/rule.html", **context))
    sections = [
        (title, [p for p in book.paragraphs.values() if p.section == key])
        for key, title in book.sections.items()
    ]
    return HTMLResponse(
        site.pages.page(
            "games/rules.html", meta=loaded.meta, sections=sections, rulings=book.rulings
        )
    )


async def _settled(site: Site, table: str | None, ruling: str | None) -> str | None:
    """The value of a ruling that a table plays by now; None without either."""
    if not table or not ruling:
        return None
    return (await site.service.get(table)).position.rulings.get(ruling)
