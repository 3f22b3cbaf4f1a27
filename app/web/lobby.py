"""The lobby: games, tables to continue, join and watch, opening a table, taking a seat."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Path, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from app.engine.game import Game
from app.games import registry
from app.tables import lists, opening, seating
from app.tables.listing import as_told
from app.tables.live import Caller, LiveTable, setup_of
from app.tables.looking import heading_of
from app.tables.orders import Order, again_like
from app.tables.store import Row
from app.web.deps import CallerDep, Site, SiteDep, address_of, name_of
from app.web.page import GameId, to_new_table, to_table
from app.web.people import Choices, choices, coming_to, manned, manned_again, wish_of
from app.web.setups import saved_rows
from app.web.when import ago

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/")
async def home(site: SiteDep, who: CallerDep) -> HTMLResponse:
    """The games, one click from a table; own tables; tables to watch."""
    games = [_card(game) for game in registry.metas()]
    mine = await lists.tables_of(site.service.store, who.identity or "", 6, in_play=True)
    mine = await as_told(site.service, mine, who)
    listed = await as_told(site.service, await lists.open_tables(site.service.store, 6), who)
    own = {row["id"] for row in mine}
    return HTMLResponse(
        site.pages.page(
            "home.html",
            games=games,
            mine=[_row(row, who, site) for row in mine],
            open=[_row(row, who, site) for row in listed if row["id"] not in own],
        )
    )


@router.get("/tables")
async def tables(site: SiteDep, who: CallerDep) -> HTMLResponse:
    """All own tables, and those that can be watched."""
    mine = await lists.tables_of(site.service.store, who.identity or "")
    mine = await as_told(site.service, mine, who)
    listed = await as_told(site.service, await lists.open_tables(site.service.store), who)
    own = {row["id"] for row in mine}
    return HTMLResponse(
        site.pages.page(
            "tables/list.html",
            kept=[
                _kept(row) for row in await lists.kept_views(site.service.store, who.identity or "")
            ],
            mine=[_row(row, who, site) for row in mine],
            open=[_row(row, who, site) for row in listed if row["id"] not in own],
        )
    )


@router.get("/games/{game}")
async def game(game: GameId, site: SiteDep, who: CallerDep) -> HTMLResponse:
    """A game: where it comes from, its scenarios, and a table set up to one's liking."""
    loaded = registry.load(game)
    return HTMLResponse(
        site.pages.page(
            "games/game.html",
            meta=loaded.meta,
            scenarios=list(loaded.scenarios.values()),
            rulings=list(loaded.rulebook.rulings.values()),
            saved=await saved_rows(site, who, loaded.meta.id),
            bots=loaded.bots,
            sides=(sides := _sides(loaded)),
            flyers=await choices(site, who, loaded.meta.id, len(sides)),
        )
    )


@router.post("/tables")
async def open_table(
    request: Request,
    site: SiteDep,
    who: CallerDep,
    game: Annotated[str, Form(max_length=40)] = "",
    again: Annotated[str, Form(max_length=24)] = "",
    mode: Annotated[Literal["solo", "shared"], Form()] = "solo",
    scenario: Annotated[str, Form(max_length=60)] = "",
    dice: Annotated[Literal["server", "hand"], Form()] = "server",
    pace: Annotated[Literal["flow", "step"], Form()] = "flow",
    takebacks: Annotated[Literal["", "free", "own", "consent", "none"], Form()] = "",
    name: Annotated[str, Form(max_length=200)] = "",
    word: Annotated[str, Form(max_length=200)] = "",
    form: Annotated[str, Form(max_length=10)] = "",
    listed: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Open a table and go there; with `again`, one like that table.

    `form` "full" says that the box `listed` was there to be ticked: one that is not, is not sent. Further
    fields: `ruling.<id>`, for somebody alone `bot.1`, `bot.2` … with the bots that take those seats, and
    for a game with people those of `app.web.people`.
    """
    site.limits.table(address_of(request))
    if again:
        before = await site.service.get(again)
        like = again_like(before, before.seats_of(who))
        order = await manned_again(site, who, like, before)
        table, _ = await opening.open_table(site.service, order, who)
        return to_new_table(table)
    sent = (await request.form()).items()
    fields = {key: value for key, value in sent if isinstance(value, str) and value}
    rulings = {
        key.removeprefix("ruling."): value
        for key, value in fields.items()
        if key.startswith("ruling.")
    }
    order = Order(
        game=game,
        mode=mode,
        scenario=scenario or None,
        rulings=rulings,
        dice=dice,
        pace=pace,
        takebacks=takebacks or None,
        name=name or None,
        word=word or None,
        listed=form != "full" or bool(listed),
        bots=_bots(registry.load(game), scenario, fields) if mode == "solo" else {},
    )
    order = await manned(site, who, order, fields)
    table, _ = await opening.open_table(site.service, order, who)
    return to_new_table(table)


@router.get("/join/{invite}")
async def invitation(
    invite: Annotated[str, Path(max_length=100)], site: SiteDep, who: CallerDep
) -> Response:
    """What an invitation opens, and the button that takes the seat.

    Looking does not take it: programs that preview links would take seats otherwise.
    """
    table, seat = await seating.find_invite(site.service, invite)
    if seat in table.seats_of(who):
        return to_table(table.id)
    host = next((c.name for c in table.claims.values() if c.identity == table.owner), "")
    return HTMLResponse(
        site.pages.page(
            "tables/join.html",
            table=heading_of(table),
            meta=table.game.meta,
            seat=next(one for one in table.seats if one.id == seat),
            taken=table.taken(seat),
            host=host,
            invite=invite,
            asks_word=table.opened.dice == "server",
            flyers=await _flyers(site, who, table, seat),
        )
    )


async def _flyers(site: Site, who: Caller, table: LiveTable, seat: str) -> list[Choices]:
    """Who can be brought to a seat, if somebody must be."""
    if seat not in table.awaited:
        return []
    there = [one.call_sign for one in table.people.values()]
    return await choices(site, who, table.game.meta.id, beside=there)


@router.post("/join/{invite}")
async def join(
    request: Request,
    invite: Annotated[str, Path(max_length=100)],
    site: SiteDep,
    who: CallerDep,
    name: Annotated[str, Form(max_length=200)] = "",
    word: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Take the seat and go to the table. Who is brought there is in the fields of `app.web.people`."""
    site.limits.command(name_of(who))
    table, seat = await seating.find_invite(site.service, invite)
    if seat not in table.seats_of(who):
        sent = (await request.form()).items()
        fields = {key: value for key, value in sent if isinstance(value, str)}
        coming = await coming_to(site, who, table, seat, wish_of(fields, 1))
        await seating.claim(site.service, table.id, seat, invite, who, name, word, coming)
    return to_table(table.id)


def _card(game: str) -> Mapping[str, Any]:
    loaded = registry.load(game)
    scenarios = list(loaded.scenarios.values())
    for_two = (s.id for s in scenarios if len(loaded.seats(setup_of(loaded, s.setup))) > 1)
    return {
        "meta": loaded.meta,
        "scenarios": scenarios,
        "default": scenarios[0].id,
        "together": next(for_two, None),
        "bot": loaded.bots[-1] if loaded.bots else None,
        "rivals": loaded.rivals,
    }


def _sides(game: Game[Any]) -> list[str]:
    """What the seats are called, by their place. Where scenarios call them differently: in general words."""
    labels = [
        [seat.label for seat in game.seats(setup_of(game, scenario.setup))]
        for scenario in game.scenarios.values()
    ]
    places = [
        {seats[n] for seats in labels if n < len(seats)} for n in range(max(map(len, labels)))
    ]
    if (
        game.people is not None
    ):  # the labels are those of the scenarios' own, in whose place others come
        return [f"Seat {n}" for n in range(1, len(places) + 1)]
    return [
        names.pop() if len(names) == 1 else f"Side {n}" for n, names in enumerate(places, start=1)
    ]


def _bots(game: Game[Any], scenario: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Which seats bots take, from the fields `bot.1`, `bot.2` …: a seat's id depends on the scenario."""
    found = game.scenarios.get(scenario or next(iter(game.scenarios)))
    seats = game.seats(setup_of(game, found.setup)) if found else ()
    named = {seat.id: fields.get(f"bot.{n}") for n, seat in enumerate(seats, start=1)}
    return {seat: bot for seat, bot in named.items() if bot}


def _kept(row: Row) -> Mapping[str, str]:
    meta = registry.metas().get(row["game"])
    title = meta.title if meta else row["game"]
    return {
        "id": row["id"],
        "name": row["name"],
        "game_title": title,
        "when": ago(row["created_at"]),
    }


def _row(row: Row, who: Caller, site: Site) -> Mapping[str, Any]:
    meta = registry.metas().get(row["game"])
    acting = row["to_act"].split()
    mine = {seat["seat"] for seat in row["seats"] if seat["identity"] == who.identity}
    return {
        **row,
        "game_title": meta.title if meta else row["game"],
        "when": ago(row["updated_at"]),
        "playable": meta is not None,
        "own": who.identity is not None and row["owner"] == who.identity,
        "damaged": not row["whole"] or row["id"] in site.service.damaged,
        "your_turn": any(seat in mine for seat in acting),
        "seats": _against(row)
        if row["mode"] == "solo"
        else ", ".join(_seat(s, mine) for s in row["seats"]),
    }


def _against(row: Row) -> str:
    """Whom a solo player plays: the seats that are nobody's are bots'."""
    bots = [seat["name"] for seat in row["seats"] if seat["token_hash"] is None]
    return f"solo against {' and '.join(bots)}" if bots else ""


def _seat(seat: Row, mine: set[str]) -> str:
    if seat["seat"] in mine:
        holder = "you"
    else:
        holder = seat["name"] or ("taken" if seat["token_hash"] else "free")
    return f"{seat['label']}: {holder}"
