"""The set-up page: any game's set-up as a form, as data and as a board; and set-ups kept under a name.

Every button works by a round trip of the form, which is all the state there is. With htmx the form sends
itself after each change, and only what depends on it is put in its place. Belongs here: requests and what
the page shows. Does not belong here: fields and widgets (`setup_form`), what is wrong (`tables.faults`).
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from app.engine.errors import Illegal, Missing, Refused
from app.engine.game import Game
from app.games import registry
from app.tables.datatext import BadText, data_text, read_text
from app.tables.faults import Examined, examine
from app.tables.live import Caller, setup_of
from app.tables.looking import beside_of
from app.tables.opening import open_table
from app.tables.orders import MOST_NAME, Order, known_setup
from app.tables.setups import SavedSetup, Taken
from app.tables.views import DiceView, Named, SeatView, View
from app.web.deps import CallerDep, Site, SiteDep, address_of, name_of
from app.web.page import GameId, Htmx, to_new_table
from app.web.reading import read_fields
from app.web.setup_form import (
    Sent,
    Shape,
    change,
    form_view,
    read,
    shape_of,
    tidy,
)
from app.web.when import ago

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

MOST_FIELDS = 5_000
ROW_CHANGES = ("add", "copy", "remove", "up", "down")
SetupId = Annotated[str, Path(max_length=24)]
Id = Annotated[str, Query(max_length=60)]


@dataclass(frozen=True)
class Ways:
    """How the table is to be played: the same fields as on the game's page. `bots` by the seats' places."""

    mode: str = "solo"
    bots: tuple[str, ...] = ()
    table: str = ""
    dice: str = "server"
    pace: str = "flow"
    takebacks: str = ""
    word: str = ""
    listed: bool = True


@dataclass(frozen=True)
class Draft:
    """All that the page holds: what the form is made of, and what it makes.

    `saved` is the id of the kept set-up that was opened, `name` the name to keep it under. `said` is news
    of what was just done; `wrong` why it was not, and `anyway` what to press to do it all the same.
    """

    game: Game[Any]
    shape: Shape
    data: dict[str, Any]
    rulings: Mapping[str, str]
    ways: Ways = Ways()
    saved: str = ""
    name: str = ""
    paste: str = ""
    paste_faults: tuple[str, ...] = ()
    said: str = ""
    wrong: str = ""
    anyway: str = ""
    focus: str = ""


# The page


@router.get("/games/{game}/setup")
async def show(
    game: GameId,
    site: SiteDep,
    who: CallerDep,
    scenario: Annotated[str, Query(alias="from", max_length=60)] = "",
    saved: Id = "",
    table: Id = "",
) -> HTMLResponse:
    """The form, beginning with a scenario, one's own kept set-up, or a table's."""
    loaded = registry.load(game)
    shape = shape_of(loaded)
    if saved:
        kept = await _own(site, who, game, saved)
        draft = _draft(loaded, shape, kept.data, kept.rulings)
        draft = replace(draft, saved=kept.id, name=kept.name)
    elif table:
        played = await site.service.get(table)
        if played.game.meta.id != game:
            raise Missing(f"This table does not play {loaded.meta.title}.")
        begun_with = known_setup(played, played.seats_of(who))
        draft = _draft(loaded, shape, begun_with, played.position.rulings)
    else:
        chosen = scenario or next(iter(loaded.scenarios))
        if chosen not in loaded.scenarios:
            known = ", ".join(loaded.scenarios)
            raise Missing(f"{loaded.meta.title} has the scenarios {known}; not {chosen!r}.")
        draft = _draft(loaded, shape, loaded.scenarios[chosen].setup, {})
    return _page(site, draft)


def _draft(
    game: Game[Any], shape: Shape, data: Mapping[str, Any], rulings: Mapping[str, str]
) -> Draft:
    # With what it leaves out, such as the seats. Where the game has changed since it was kept: as it is.
    with contextlib.suppress(msgspec.ValidationError):
        data = msgspec.to_builtins(setup_of(game, data))
    plain = msgspec.json.decode(msgspec.json.encode(data))  # tuples as lists
    return Draft(game, shape, tidy(shape, plain), rulings)


@router.post("/games/{game}/setup")
async def submit(
    game: GameId, request: Request, site: SiteDep, who: CallerDep, hx_request: Htmx = None
) -> Response:
    """What the button `do` says. Whatever comes of it, all that was typed is there again."""
    site.limits.command(name_of(who))
    sent = await read_fields(request, MOST_FIELDS)
    draft = _typed(registry.load(game), sent)
    do = _one(sent, "do")
    what = do.partition(":")[0]
    if what in ROW_CHANGES:
        draft = _changed(draft, do)
    elif what == "paste":
        draft = _pasted(draft)
    elif what in ("save", "replace", "rename"):
        draft = await _kept(site, who, draft, what)
    elif what == "deal":
        try:
            return await _deal(request, site, who, draft)
        except Refused as refused:
            draft = replace(draft, wrong=refused.detail)
    refused = bool(draft.wrong or draft.paste_faults)
    if hx_request:
        return HTMLResponse(site.pages.page("setups/changed.html", **_context(draft)))
    return _page(site, draft, 422 if refused else 200)


def _page(site: Site, draft: Draft, status: int = 200) -> HTMLResponse:
    html = site.pages.page("setups/page.html", **_context(draft))
    return HTMLResponse(html, status, headers={"cache-control": "no-store"})


def _context(draft: Draft) -> dict[str, Any]:
    game = draft.game
    looked = examine(game, draft.data, draft.rulings)
    view = _preview(game, looked)
    beside = beside_of(view, None)
    form = form_view(draft.shape, draft.data, looked.faults)
    return {
        "meta": game.meta,
        "scenarios": list(game.scenarios.values()),
        "rulings": list(game.rulebook.rulings.values()),
        "bots": game.bots,
        "game_people": game.people.plural if game.people else "",
        "draft": draft,
        "name": draft.name or _title(draft),
        "ways": draft.ways,
        "form": form,
        "view": view,
        "beside": beside,
        "marks": {unit: one.mark for unit, one in beside.items()},
        "sides": _sides(draft, looked),
        "data_text": data_text(draft.data),
    }


def _title(draft: Draft) -> str:
    """What a set-up calls itself, if it does."""
    title = draft.data.get("title")
    return title[:MOST_NAME] if isinstance(title, str) else ""


def _sides(draft: Draft, looked: Examined) -> list[str]:
    """What the seats are called; while their names can't be read, they are counted."""
    if looked.seats:
        return [seat.label for seat in looked.seats]
    sample = next(iter(draft.game.scenarios.values())).setup
    count = len(draft.ways.bots) or len(draft.game.seats(setup_of(draft.game, sample)))
    return [f"Side {n}" for n in range(1, count + 1)]


def _preview(game: Game[Any], looked: Examined) -> View:
    """The board or picture as the first player would see it, without the rows at fault."""
    seats = tuple(SeatView(s.id, s.label, False, False, s.mark) for s in looked.seats)
    everybody = frozenset(seat.id for seat in seats)
    state = looked.state
    units = () if state is None else tuple(game.units(state, everybody))
    return View(
        id="",
        game=game.meta.id,
        name="",
        version=0,
        seat=None,
        turn=0,
        phase=Named("", ""),
        phases=(),
        prompt="",
        offers=(),
        units=units,
        board=looked.board,
        scene={} if state is None else game.scene(state, everybody),
        seats=seats,
        rulings={},
        dice=DiceView("server"),
        finished=False,
        edition=game.rules,
    )


# Reading what was typed


def _one(sent: Sent, name: str, otherwise: str = "") -> str:
    return sent.get(name, [otherwise])[-1]


def _typed(game: Game[Any], sent: Sent) -> Draft:
    shape = shape_of(game)
    rulings = {
        name.removeprefix("ruling."): values[-1]
        for name, values in sent.items()
        if name.startswith("ruling.") and values[-1]
    }
    places = range(1, 1 + sum(name.startswith("bot.") for name in sent))
    ways = Ways(
        mode=_one(sent, "mode", "solo"),
        bots=tuple(_one(sent, f"bot.{place}") for place in places),
        table=_one(sent, "name"),
        dice=_one(sent, "dice", "server"),
        pace=_one(sent, "pace", "flow"),
        takebacks=_one(sent, "takebacks"),
        word=_one(sent, "word"),
        listed="listed" in sent,
    )
    return Draft(
        game,
        shape,
        read(shape, sent),
        rulings,
        ways,
        saved=_one(sent, "saved"),
        name=_one(sent, "save_as"),
        paste=_one(sent, "paste"),
    )


# What the buttons do


def _changed(draft: Draft, do: str) -> Draft:
    """A row added, copied, removed or moved. The focus goes where it can go on."""
    data = dict(draft.data)
    try:
        focus = change(draft.shape, data, do)
    except Illegal as wrong:
        return replace(draft, wrong=wrong.detail)
    return replace(draft, data=data, focus=focus)


def _pasted(draft: Draft) -> Draft:
    """Data in place of the form's, if there is nothing wrong with it; else each fault with its line."""
    try:
        pasted = read_text(draft.paste)
    except BadText as bad:
        return replace(draft, paste_faults=(bad.detail,))
    faults = examine(draft.game, pasted.data, draft.rulings).faults
    if faults:
        lines = [
            f"Line {pasted.line_of(fault.path)}, {fault.path}: {fault.text}"
            if fault.path
            else fault.text
            for fault in faults
        ]
        return replace(draft, paste=pasted.text, paste_faults=tuple(lines))
    used = _draft(draft.game, draft.shape, pasted.data, {})
    return replace(draft, data=used.data, paste="", said="The form shows the data that you pasted.")


async def _kept(site: Site, who: Caller, draft: Draft, what: str) -> Draft:
    """Keep the set-up under its name. Only one that can be played is kept.

    Another one of that name is not written over before somebody says so.
    """
    setups = site.setups
    try:
        if what == "rename":
            kept = await setups.rename(who, draft.saved, draft.name)
            return replace(draft, name=kept.name, said=f"It is called {kept.name!r} now.")
        _check(draft)
        kept = await setups.save(
            who,
            draft.game.meta.id,
            draft.name,
            draft.data,
            draft.rulings,
            over=draft.saved,
            anyway=what == "replace",
        )
    except Taken as taken:
        asks = "" if what == "rename" else "replace"
        return replace(draft, wrong=taken.detail, anyway=asks)
    except Refused as refused:
        return replace(draft, wrong=refused.detail)
    return replace(draft, saved=kept.id, name=kept.name, said=f"Kept as {kept.name!r}.")


def _check(draft: Draft) -> None:
    """Raises Illegal where the set-up can't be played; what is wrong is told beside its fields."""
    if examine(draft.game, draft.data, draft.rulings).faults:
        raise Illegal("Something must be put right first; it is told below.")


async def _deal(request: Request, site: Site, who: Caller, draft: Draft) -> Response:
    """Open the table and go there."""
    _check(draft)
    site.limits.table(address_of(request))
    ways = draft.ways
    seats = draft.game.seats(setup_of(draft.game, draft.data))
    named = zip(seats, ways.bots, strict=False)
    order = Order(
        game=draft.game.meta.id,
        mode=_member(ways.mode, ("solo", "shared"), "Seats"),
        setup=draft.data,
        rulings=draft.rulings,
        dice=_member(ways.dice, ("server", "hand"), "Dice"),
        pace=_member(ways.pace, ("flow", "step"), "Pace"),
        takebacks=_member(ways.takebacks, ("", "free", "own", "consent", "none"), "Take-backs")
        or None,
        name=ways.table or _title(draft) or None,
        word=ways.word or None,
        listed=ways.listed,
        bots={seat.id: bot for seat, bot in named if bot} if ways.mode == "solo" else {},
    )
    table, _ = await open_table(site.service, order, who)
    return to_new_table(table)


def _member(value: str, of: Sequence[str], what: str) -> Any:
    if value not in of:
        raise Illegal(f"{what} can be {', '.join(filter(None, of))}; not {value[:40]!r}.")
    return value


# Kept set-ups


@router.post("/setups/{setup_id}/play")
async def play(setup_id: SetupId, request: Request, site: SiteDep, who: CallerDep) -> Response:
    """A solo table with a kept set-up; where it can't be played any more, the page that says why."""
    kept = await site.setups.get(who, setup_id)
    site.limits.table(address_of(request))
    order = Order(game=kept.game, setup=kept.data, rulings=kept.rulings, name=kept.name)
    try:
        table, _ = await open_table(site.service, order, who)
    except Illegal:
        return RedirectResponse(f"/games/{kept.game}/setup?saved={kept.id}", status_code=303)
    return to_new_table(table)


@router.post("/setups/{setup_id}/delete")
async def delete(setup_id: SetupId, site: SiteDep, who: CallerDep) -> Response:
    """Forget a kept set-up."""
    site.limits.command(name_of(who))
    kept = await site.setups.get(who, setup_id)
    await site.setups.delete(who, setup_id)
    return RedirectResponse(f"/games/{kept.game}#saved", status_code=303)


async def saved_rows(site: Site, who: Caller, game: str) -> list[Mapping[str, str]]:
    """A visitor's kept set-ups of a game, as its page lists them."""
    kept = await site.setups.of(who, game)
    return [{"id": one.id, "name": one.name, "when": ago(one.updated_at)} for one in kept]


async def _own(site: Site, who: Caller, game: str, setup_id: str) -> SavedSetup:
    kept = await site.setups.get(who, setup_id)
    if kept.game != game:
        raise Missing("You have no such set-up of this game.")
    return kept
