"""The JSON interface: the same door as the pages, for scripts, bots and club tools.

A contract: changes only add. Answers are msgspec structs (app.tables.views); bodies are checked strictly,
so that `true` is no number.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Header, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.engine.errors import Missing, NotYourSeat
from app.engine.game import Game, Scenario
from app.engine.rulebook import RulingOption
from app.engine.sequence import MOST_LINE, Advance, Answer
from app.games import registry
from app.records.book import Flown, Kept
from app.records.crew import Wish
from app.tables import (
    closing,
    lists,
    opening,
    playing,
    rematches,
    seating,
    takebacks,
    words,
)
from app.tables.commands import Done
from app.tables.history import Timeline
from app.tables.live import Caller, LiveTable, setup_of
from app.tables.looking import (
    debrief_of,
    draft_of,
    entry_view,
    further_odds,
    overlay_of,
    view_of,
)
from app.tables.luck import Luck
from app.tables.orders import Order
from app.tables.views import DebriefView, DraftView, EntryView, FurtherOdds, ResultView, View
from app.web.after import accounts
from app.web.deps import CallerDep, Site, SiteDep, address_of, name_of, viewer_of
from app.web.errors import Problem
from app.web.invites import invite_url
from app.web.people import coming_to
from app.web.reading import read_json

TableId = Annotated[str, Path(max_length=24, description="A table's id.")]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="Any text of yours. The same key again answers what the first call answered.",
    ),
]


# What is sent


class Body(BaseModel):
    """Bodies take exactly what they name."""

    model_config = ConfigDict(strict=True, extra="forbid")


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
        examples=[{"red": "odds"}],
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


class NewPerson(Body):
    """Somebody new for your campaign book."""

    game: str = Field(max_length=40, examples=["f14-tomcats"])
    name: str = Field(max_length=200)
    call_sign: str = Field(max_length=200)


Version = Annotated[int, Field(ge=0, le=2**31, description="The version that you saw.")]


class CommandBody(Body):
    """An answer to an offer: a `choice`, or at a table with real dice the faces for a roll.

    For an offer with `draft` the choice is a line of text; see `/draft`.
    """

    version: Version
    offer: str = Field(max_length=200)
    choice: Any = None
    dice: list[int] | None = Field(None, max_length=100)


class DraftBody(Body):
    """A line of text to be read for an offer with `draft`."""

    offer: str = Field(max_length=200)
    text: str = Field("", max_length=MOST_LINE)


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
    """Whether you agree to what the other seat asks."""

    version: Version
    accept: bool


class RematchBody(Body):
    """Another game like this one: everybody in the same seat, or each in the next one."""

    swapped: bool = False


class WordBody(Body):
    """A word for the dice."""

    word: str = Field(max_length=200)


# What is answered


class SeatName(msgspec.Struct, frozen=True):
    """A side of a scenario."""

    id: str
    label: str


class ScenarioView(msgspec.Struct, frozen=True):
    """A scenario of a game."""

    id: str
    title: str
    summary: str
    seats: tuple[SeatName, ...]


class RulingView(msgspec.Struct, frozen=True):
    """A ruling and the ways to settle it."""

    id: str
    question: str
    default: str
    options: tuple[RulingOption, ...]
    rule: str
    reason: str
    house: bool


class BotView(msgspec.Struct, frozen=True):
    """A bot that can take a seat."""

    id: str
    title: str
    summary: str


class GameView(msgspec.Struct, frozen=True):
    """A game. The bots that can take its seats are listed from the plainest to the strongest.

    `people` is what those are called who outlive a table ("pilots"); "" where nobody does.
    """

    id: str
    title: str
    summary: str
    credit: str
    players: str
    minutes: str
    scenarios: tuple[ScenarioView, ...]
    rulings: tuple[RulingView, ...]
    bots: tuple[BotView, ...]
    people: str = ""


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
    """A table in a list. `to_act` are seats; times are in milliseconds since 1970."""

    id: str
    game: str
    name: str
    mode: str
    version: int
    turn: int
    to_act: tuple[str, ...]
    finished: bool
    updated_at: int


class CommandDone(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a command did. `asked`: a take-back now waits for the other seat's answer."""

    version: int
    entries: tuple[EntryView, ...]
    view: View
    asked: bool = False


class OverlayCell(msgspec.Struct, frozen=True):
    """A place of a planning aid; `shade` from 0 to 1."""

    hex: str
    shade: float
    label: str
    detail: str


class OverlayView(msgspec.Struct, frozen=True):
    """A planning aid for a unit."""

    title: str
    detail: str
    cells: tuple[OverlayCell, ...]


class AfterGame(msgspec.Struct, frozen=True):
    """What there is to tell when a game is over. `ending` is what the result's reason means in the game;
    `rematch` is the table that follows, if there is one."""

    result: ResultView
    ending: str
    timeline: Timeline
    luck: Luck
    rematch: str | None
    debrief: tuple[DebriefView, ...] = ()


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


class PersonalToken(msgspec.Struct, frozen=True):
    """A token that stands for you at every table."""

    token: str


ANSWERS: tuple[type[msgspec.Struct], ...] = (
    GameView,
    TableOpened,
    SeatTaken,
    TableLine,
    View,
    EntryView,
    CommandDone,
    OverlayView,
    FurtherOdds,
    DraftView,
    AfterGame,
    PersonView,
    PersonBook,
    PersonalToken,
    Problem,
)


def answer_doc(
    kind: type[msgspec.Struct], *, many: bool = False, status: int = 200
) -> dict[Any, Any]:
    """The OpenAPI entry of an answer; the schemas are added in `app.web.openapi`."""
    reference: dict[str, Any] = {"$ref": f"#/components/schemas/{kind.__name__}"}
    schema = {"type": "array", "items": reference} if many else reference
    return {
        status: {
            "description": (kind.__doc__ or "").splitlines()[0],
            "content": {"application/json": {"schema": schema}},
        }
    }


_PROBLEMS = {
    400: "Not JSON that can be read",
    401: "Unknown token",
    403: "Not your seat, not your turn, or another site's page",
    404: "No such table, game or moment",
    409: "The table has moved on, it was answered already, or the seat is taken",
    413: "Too large",
    421: "Not a name of this server",
    422: "Malformed, or not allowed by the rules (then `rule` names it)",
    429: "Too many requests; see Retry-After",
    503: "The database can't be written or read now; see Retry-After",
}

PROBLEM_DOCS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": text,
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        },
    }
    for status, text in _PROBLEMS.items()
}

router = APIRouter(prefix="/api", default_response_class=Response, responses=PROBLEM_DOCS)


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


@router.get("/games", tags=["games"], responses=answer_doc(GameView, many=True))
async def games() -> Response:
    """The games of this server, with their scenarios and rulings."""
    return _json([_game(registry.load(game)) for game in registry.metas()])


@router.get(
    "/games/{game}/scenarios/{scenario}",
    tags=["games"],
    responses={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def scenario(
    game: Annotated[str, Path(max_length=40)], scenario: Annotated[str, Path(max_length=60)]
) -> Response:
    """A scenario's set-up as data, fit to edit and send back as `setup`."""
    found = registry.load(game).scenarios.get(scenario)
    if found is None:
        raise Missing(f"The game {game!r} has no scenario {scenario!r}.")
    return _json(found.setup)


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
    return _json(_opened(request, site, table, tokens, who), 201)


def _opened(
    request: Request, site: Site, table: LiveTable, tokens: Mapping[str, str], who: Caller
) -> TableOpened:
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
    return TableOpened(table.id, f"/tables/{table.id}", table.version, seats)


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
    await _player(site, table_id, who)
    invite = body.invite.rstrip("/").rpartition("/")[2]
    table = await site.service.get(table_id)
    coming = await coming_to(site, who, table, seat, Wish(body.person))
    _, token = await seating.claim(
        site.service, table_id, seat, invite, who, body.name, body.word, coming
    )
    return _json(SeatTaken(seat, token))


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
    ordered = sorted(rows.values(), key=lambda row: row["updated_at"], reverse=True)
    return _json([_table_line(row) for row in ordered])


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
    return _json(_view(site, table, who, seat, at))


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
    entries = table.entries[after : after + limit]
    return _json([entry_view(table, entry, viewer) for entry in entries])


@router.post("/tables/{table_id}/commands", tags=["play"], responses=answer_doc(CommandDone))
async def command(
    table_id: TableId, body: CommandBody, site: SiteDep, who: CallerDep, key: Key = None
) -> Response:
    """Answer an offer. A refused command changes nothing: same version, same log, no die used."""
    await _player(site, table_id, who)
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
    await _player(site, table_id, who)
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
    await _player(site, table_id, who)
    return _done(
        site, who, await playing.command(site.service, table_id, Advance(), body.version, who, key)
    )


@router.post("/tables/{table_id}/takeback", tags=["play"], responses=answer_doc(CommandDone))
async def take_back(
    table_id: TableId, body: TakebackBody, site: SiteDep, who: CallerDep, key: Key = None
) -> Response:
    """Take back: at once where that is allowed, else the other seat is asked (`asked` is true)."""
    await _player(site, table_id, who)
    done = await takebacks.take_back(site.service, table_id, body.version, who, body.to, key)
    return _done(site, who, done)


@router.post("/tables/{table_id}/takeback/answer", tags=["play"], responses=answer_doc(CommandDone))
async def answer_take_back(
    table_id: TableId, body: TakebackAnswer, site: SiteDep, who: CallerDep
) -> Response:
    """Say yes or no to the take-back that the other seat asks for."""
    await _player(site, table_id, who)
    done = await takebacks.answer_takeback(site.service, table_id, body.version, body.accept, who)
    return _done(site, who, done)


@router.post("/tables/{table_id}/word", tags=["play"], responses=answer_doc(CommandDone))
async def say_word(table_id: TableId, body: WordBody, site: SiteDep, who: CallerDep) -> Response:
    """Add your word to the dice, once a seat, so that nobody chose them alone."""
    await _player(site, table_id, who)
    return _done(site, who, await words.say_word(site.service, table_id, body.word, who, None))


@router.post("/tables/{table_id}/close", tags=["play"], responses=answer_doc(CommandDone))
async def close(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """End the game: who holds every seat closes the table, anybody else concedes, also to bots."""
    await _player(site, table_id, who)
    return _done(site, who, await closing.close(site.service, table_id, who))


@router.get("/tables/{table_id}/summary", tags=["tables"], responses=answer_doc(AfterGame))
async def summary(table_id: TableId, site: SiteDep, who: CallerDep) -> Response:
    """The timeline of a finished game and the luck in it. 409 while it is still played."""
    table = await site.service.get(table_id)
    timeline, luck = await accounts(table, viewer_of(table, who))
    view = _view(site, table, who, None, None)
    assert view.result is not None
    ending = table.game.endings.get(view.result.reason, "")
    rematch = None if table.rematch is None else table.rematch.table
    debrief = debrief_of(table, viewer_of(table, who))
    return _json(AfterGame(view.result, ending, timeline, luck, rematch, debrief))


@router.post(
    "/tables/{table_id}/rematch",
    tags=["tables"],
    status_code=201,
    responses={**answer_doc(TableOpened, status=201), **answer_doc(TableOpened)},
)
async def rematch(
    table_id: TableId, body: RematchBody, request: Request, site: SiteDep, who: CallerDep
) -> Response:
    """Play again with the same people. 200 with the same table, and no tokens, if there is one already.

    Seats whose holders have no identity are free there; take yours with its invitation.
    """
    await _player(site, table_id, who)
    site.limits.table(address_of(request))
    table, tokens, new = await rematches.rematch(site.service, table_id, who, swapped=body.swapped)
    return _json(_opened(request, site, table, tokens, who), 201 if new else 200)


@router.get("/tables/{table_id}/odds", tags=["play"], responses=answer_doc(FurtherOdds, many=True))
async def odds(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    offer: Annotated[str, Query(max_length=200)],
    choice: Annotated[str, Query(max_length=2000, description="An option's value, as JSON.")],
) -> Response:
    """For an option of an open decision of yours, the odds of each further choice it leads to."""
    table = await site.service.get(table_id)
    _, rows = further_odds(table, viewer_of(table, who), offer, read_json(choice))
    return _json(rows)


@router.get("/tables/{table_id}/draft", tags=["play"], responses=answer_doc(DraftView))
async def draft(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    offer: Annotated[str, Query(max_length=200)],
    text: Annotated[str, Query(max_length=MOST_LINE, description="The line so far.")] = "",
) -> Response:
    """Read a line of text for an open decision of yours that has `draft`, as far as it goes.

    Nothing happens. A line that is `whole` can be sent as the `choice` of a command.
    """
    return await _draft(site, table_id, who, offer, text)


@router.post("/tables/{table_id}/draft", tags=["play"], responses=answer_doc(DraftView))
async def post_draft(table_id: TableId, body: DraftBody, site: SiteDep, who: CallerDep) -> Response:
    """The same for those who would rather send JSON. Nothing happens either."""
    return await _draft(site, table_id, who, body.offer, body.text)


async def _draft(site: Site, table_id: str, who: Caller, offer: str, text: str) -> Response:
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    return _json(await asyncio.to_thread(draft_of, table, viewer_of(table, who), offer, text))


@router.get("/tables/{table_id}/overlay", tags=["play"], responses=answer_doc(OverlayView))
async def overlay(
    table_id: TableId,
    site: SiteDep,
    who: CallerDep,
    unit: Annotated[str, Query(max_length=60)],
    aid: Annotated[str, Query(max_length=60)],
) -> Response:
    """A planning aid for a unit, such as where it may end its move and with what chance."""
    site.limits.command(name_of(who))
    table = await site.service.get(table_id)
    # Aids may compute for long: the others' moves do not wait for it.
    drawn = await asyncio.to_thread(overlay_of, table, viewer_of(table, who), aid, unit)
    if drawn is None:
        raise Missing(f"There is no {aid!r} to show for {unit!r} now.")
    cells = tuple(OverlayCell(c.hex, c.shade, c.label, c.detail) for c in drawn.cells)
    return _json(OverlayView(drawn.title, drawn.detail, cells))


@router.get("/people", tags=["people"], responses=answer_doc(PersonView, many=True))
async def people(
    site: SiteDep, who: CallerDep, game: Annotated[str | None, Query(max_length=40)] = None
) -> Response:
    """Your campaign book: those who outlive a table, who played last first."""
    return _json([_person(one) for one in await site.book.of(who, game)])


@router.post(
    "/people", tags=["people"], status_code=201, responses=answer_doc(PersonView, status=201)
)
async def new_person(body: NewPerson, site: SiteDep, who: CallerDep) -> Response:
    """Somebody new in your campaign book, fit to be named in `people` of a new table."""
    site.limits.command(name_of(who))
    game = registry.load(body.game)
    return _json(_person(await site.book.make(who, game, body.name, body.call_sign)), 201)


@router.get("/people/{person_id}", tags=["people"], responses=answer_doc(PersonBook))
async def one_person(
    person_id: Annotated[str, Path(max_length=24)], site: SiteDep, who: CallerDep
) -> Response:
    """Somebody of your campaign book, with every deed. Others' are not found."""
    kept = await site.book.get(who, person_id)
    deeds = tuple(_deed(done) for done in await site.book.deeds(kept))
    return _json(PersonBook(_person(kept), deeds))


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


@router.post(
    "/token", tags=["games"], status_code=201, responses=answer_doc(PersonalToken, status=201)
)
async def token(site: SiteDep, who: CallerDep) -> Response:
    """A personal token for scripts that act for you: it opens all your seats, like your cookie."""
    if who.identity is None:
        raise NotYourSeat("A seat token can't ask for a personal one.")
    return _json(PersonalToken(site.identities.token(who.identity)), 201)


async def _player(site: Site, table_id: str, who: Caller) -> None:
    """Count a command. Raises TooMany, Missing, and Unknown for a token that opens nothing here."""
    site.limits.command(name_of(who))
    viewer_of(await site.service.get(table_id), who)


def _view(site: Site, table: LiveTable, who: Caller, seat: str | None, at: int | None) -> View:
    viewer = viewer_of(table, who)
    if seat is not None and seat not in viewer:
        if seat not in table.claims:
            raise Missing(f"This table has no seat {seat!r}.")
        raise NotYourSeat("That seat is not yours; ask without `seat` to look on.")
    if at is not None and at > table.version:
        raise Missing(f"This table has {table.version} entries; {at} is not one of them.")
    return view_of(table, viewer, site.hub.present(table.id), seat=seat, at=at)


def _done(site: Site, who: Caller, done: Done) -> Response:
    table = done.table
    viewer = viewer_of(table, who)
    present = site.hub.present(table.id)
    at = None if done.version == table.version else done.version
    return _json(
        CommandDone(
            done.version,
            tuple(entry_view(table, entry, viewer) for entry in done.entries),
            view_of(table, viewer, present, at=at),
            done.asked,
        )
    )


def _table_line(row: Mapping[str, Any]) -> TableLine:
    fields: dict[str, Any] = {name: row[name] for name in TableLine.__struct_fields__}
    fields["to_act"] = tuple(row["to_act"].split())
    return TableLine(**fields)


def _game(game: Game[Any]) -> GameView:
    meta = game.meta
    return GameView(
        meta.id,
        meta.title,
        meta.summary,
        meta.credit,
        meta.players,
        meta.minutes,
        tuple(
            ScenarioView(s.id, s.title, s.summary, _seats(game, s)) for s in game.scenarios.values()
        ),
        tuple(
            RulingView(r.id, r.question, r.default, r.options, r.rule, r.reason, r.house)
            for r in game.rulebook.rulings.values()
        ),
        tuple(BotView(bot.id, bot.title, bot.summary) for bot in game.bots),
        "" if game.people is None else game.people.plural,
    )


def _seats(game: Game[Any], scenario: Scenario) -> tuple[SeatName, ...]:
    return tuple(SeatName(s.id, s.label) for s in game.seats(setup_of(game, scenario.setup)))
