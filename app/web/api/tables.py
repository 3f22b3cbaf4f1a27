"""Tables: opening, finding, seating and looking.

Does not belong here: what is done at a table (play) and when it is over (after).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from app.games import registry
from app.records.crew import Wish
from app.tables import deleting, lists, opening, seating
from app.tables.listing import as_told
from app.tables.live import Caller, LiveTable
from app.tables.looking import entry_views
from app.tables.orders import Order
from app.tables.views import EntryView, View
from app.web.api.calls import (
    Body,
    TableId,
    answer_doc,
    count_command,
    json_answer,
    new_router,
    seen_by,
)
from app.web.deps import CallerDep, Site, SiteDep, address_of, name_of, viewer_of
from app.web.invites import invite_url
from app.web.people import coming_to

router = new_router()


class NewTable(Body):
    """A table to open. Without `scenario` and `setup`, the game's first scenario."""

    game: str = Field(max_length=40, examples=["osaaf"])
    scenario: str | None = Field(None, max_length=60)
    setup: dict[str, Any] | None = Field(
        None, description="A set-up as data, instead of a scenario."
    )
    mode: Literal["solo", "shared"] = "solo"
    rulings: dict[str, str] = Field(default_factory=dict, max_length=100)
    dice: Literal["server", "hand"] = "server"
    pace: Literal["flow", "step"] = "flow"
    takebacks: Literal["free", "own", "consent", "none"] | None = None
    name: str | None = Field(None, max_length=200)
    word: str | None = Field(None, max_length=200, description="Your word for the dice.")
    listed: bool = Field(True, description="Whether others find a shared table to watch it.")
    bots: dict[str, Annotated[str, Field(max_length=60)]] = Field(
        default_factory=dict,
        max_length=20,
        description="Seats that play by themselves: a seat's id and a bot's. One seat stays a person's.",
        examples=[{"red": "ace"}],
    )
    people: dict[str, Annotated[str, Field(max_length=24)]] = Field(
        default_factory=dict,
        max_length=20,
        description="Who is brought to your seats: a seat's id and that of somebody in your campaign book. "
        "All of your seats, or none: then the set-up's own play, and nothing is recorded.",
        examples=[{"one": "q3J9bT0mXw2a"}],
    )


class ClaimSeat(Body):
    """An invitation to a seat."""

    invite: str = Field(max_length=100)
    name: str = Field("", max_length=200)
    word: str = Field("", max_length=200, description="Your word for the dice.")
    person: str = Field(
        "",
        max_length=24,
        description="At a table that waits for somebody: whom of your campaign book you bring. "
        "Without it, who played last and is free, or somebody new.",
    )


class SeatInvite(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a new table. `invite` is a link to send, for seats that are not yours; `token` opens yours.

    `bot` is the title of the bot that plays it; such a seat has neither.
    """

    id: str
    label: str
    yours: bool
    invite: str | None = None
    token: str | None = None
    bot: str = ""


class TableOpened(msgspec.Struct, frozen=True):
    """A table that was opened."""

    id: str
    url: str
    version: int
    seats: tuple[SeatInvite, ...]


class SeatTaken(msgspec.Struct, frozen=True):
    """A seat that is yours now; `token` opens it as a bearer token."""

    seat: str
    token: str


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list. `to_act` are seats; times are in milliseconds since 1970.

    `damaged`: its record is not what was written, so that it can only be looked at.
    """

    id: str
    game: str
    name: str
    mode: str
    version: int
    turn: int
    to_act: tuple[str, ...]
    finished: bool
    updated_at: int
    damaged: bool


@router.post(
    "/tables", tags=["tables"], status_code=201, responses=answer_doc(TableOpened, status=201)
)
async def open_table(body: NewTable, request: Request, site: SiteDep, who: CallerDep) -> Response:
    """Open a table. Solo: every seat is yours. Shared: the first is, the others have invitations.

    Seats named in `bots` are nobody's: bots play them, through the same offers as people.
    """
    site.limits.table(address_of(request))
    fields = {name: getattr(body, name) for name in NewTable.model_fields}
    wishes = {seat: Wish(person) for seat, person in fields.pop("people").items()}
    order = Order(**fields)
    if wishes:
        game = registry.load(body.game)
        order = replace(order, people=await site.crew.comings(who, game, wishes))
    table, tokens = await opening.open_table(site.service, order, who)
    return json_answer(opened(request, site, table, tokens, who), 201)


def opened(
    request: Request, site: Site, table: LiveTable, tokens: Mapping[str, str], who: Caller
) -> TableOpened:
    """A new table as its opener is told of it; `tokens` open the seats that are theirs."""
    own = table.seats_of(who) | tokens.keys()
    seats = tuple(
        SeatInvite(
            seat.id,
            seat.label,
            seat.id in own,
            None
            if table.taken(seat.id)
            else invite_url(request, site.settings, table.claims[seat.id].invite),
            tokens.get(seat.id),
            table.bots[seat.id].title if seat.id in table.bots else "",
        )
        for seat in table.seats
    )
    version = table.position.version_for(frozenset(own))
    return TableOpened(table.id, f"/tables/{table.id}", version, seats)


@router.post(
    "/tables/{table_id}/seats/{seat}/claim", tags=["tables"], responses=answer_doc(SeatTaken)
)
async def claim(
    table_id: TableId,
    seat: Annotated[str, Path(max_length=60)],
    body: ClaimSeat,
    site: SiteDep,
    who: CallerDep,
) -> Response:
    """Take a seat with its invitation (the link, or the last part of it). A bot's seat is taken.

    A table that waits for somebody (`awaited`) begins when the last one is there.
    """
    await count_command(site, table_id, who)
    invite = body.invite.rstrip("/").rpartition("/")[2]
    table = await site.service.get(table_id)
    coming = await coming_to(site, who, table, seat, Wish(body.person))
    _, token = await seating.claim(
        site.service, table_id, seat, invite, who, body.name, body.word, coming
    )
    return json_answer(SeatTaken(seat, token))


@router.get("/tables", tags=["tables"], responses=answer_doc(TableLine, many=True))
async def tables(
    site: SiteDep,
    who: CallerDep,
    mine: Annotated[str | None, Query(description="Only tables where you have a seat.")] = None,
    open: Annotated[str | None, Query(description="Only listed tables in play.")] = None,
) -> Response:
    """Tables, newest activity first: yours (`?mine`), those to watch (`?open`), or both."""
    rows: dict[str, Mapping[str, Any]] = {}
    if (mine is not None or open is None) and who.identity:
        rows.update(
            {row["id"]: row for row in await lists.tables_of(site.service.store, who.identity)}
        )
    if open is not None or mine is None:
        rows.update({row["id"]: row for row in await lists.open_tables(site.service.store)})
    ordered = await as_told(site.service, map(dict, rows.values()), who)
    return json_answer([_table_line(row, site) for row in ordered])


@router.get("/tables/{table_id}", tags=["tables"], responses=answer_doc(View))
async def view(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    seat: Annotated[str | None, Query(max_length=60)] = None,
    at: Annotated[int | None, Query(ge=1, le=2**31, description="After this entry.")] = None,
) -> Response:
    """The table as you see it: through one of your seats, or as a spectator."""
    table = await site.service.get(table_id)
    return json_answer(seen_by(site, table, who, seat, at))


@router.delete(
    "/tables/{table_id}",
    tags=["tables"],
    status_code=204,
    responses={204: {"description": "It is gone, with its log, its seats and its dice."}},
)
async def delete(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """Delete a table that you opened, for good: while nobody else has a seat, or when the game is over."""
    site.limits.command(name_of(who))
    await deleting.delete_table(site.service, table_id, who)
    return Response(status_code=204)


@router.get("/tables/{table_id}/log", tags=["tables"], responses=answer_doc(EntryView, many=True))
async def log(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> Response:
    """Log entries after entry `after`, oldest first, without other seats' secrets."""
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    now = table.position
    return json_answer(entry_views(now, now.entries_for(viewer, after, after + limit), viewer))


def _table_line(row: Mapping[str, Any], site: Site) -> TableLine:
    found = {"damaged": not row["whole"] or row["id"] in site.service.damaged}
    fields: dict[str, Any] = {name: {**row, **found}[name] for name in TableLine.__struct_fields__}
    fields["to_act"] = tuple(row["to_act"].split())
    return TableLine(**fields)
