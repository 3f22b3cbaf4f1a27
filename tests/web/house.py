"""A server in this process, and the people who visit it.

The real application runs behind real requests; only the network is missing. `House` is the server,
`Visitor` somebody with a cookie or a token, `Stream` one open event stream.
"""

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from fastapi import FastAPI

from app.engine.record import link_stored
from app.main import create_app
from app.migrate import migrate
from app.settings import Settings
from app.web.deps import Site

HOST = "http://table.local"
PATIENCE = 10.0
"""Seconds after which something that should have come counts as not coming. A slow machine has time."""

PROBLEM_FIELDS = {"type", "title", "status", "detail", "rule", "request_id"}


def settings_for(data: Path, **changed: Any) -> Settings:
    """Settings of a test's server: its own folder, and no limit that a fast test could meet."""
    changed.setdefault("commands_per_minute", 1_000_000)
    changed.setdefault("tables_per_minute", 1_000_000)
    changed.setdefault("bot_pause_ms", 0)
    return Settings(data=data, **changed)


def prepare(settings: Settings) -> None:
    """What the command `migrate` does."""
    settings.data.mkdir(parents=True, exist_ok=True)
    migrate(settings.url)


class House:
    """A running server.

    Args:
        app: the application, whose lifespan has begun.
    """

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.site: Site = app.state.site
        self.settings = self.site.settings
        self.visitors: list[Visitor] = []
        self.streams: list[Stream] = []

    async def visitor(self, **options: Any) -> "Visitor":
        """Somebody new, with a cookie."""
        visitor = self.stranger(**options)
        await visitor.http.get("/api/tables/nothing")
        return visitor

    def stranger(
        self, *, headers: Mapping[str, str] | None = None, quiet: bool = False
    ) -> "Visitor":
        """Somebody who has not been here. `quiet`: a server error is an answer, not an exception."""
        transport = httpx2.ASGITransport(self.app, raise_app_exceptions=not quiet)
        http = httpx2.AsyncClient(transport=transport, base_url=HOST, headers=dict(headers or {}))
        visitor = Visitor(self, http)
        self.visitors.append(visitor)
        return visitor

    def bearer(self, token: str) -> "Visitor":
        """A script with a token and no cookie."""
        return self.stranger(headers={"authorization": f"Bearer {token}"})

    async def quiet(self) -> None:
        """Let all that is on its way to streams arrive, frames that wait for their turn too."""
        loop, of_tables = asyncio.get_running_loop(), self.site.hub._channels
        while due := [c.later.when() for of in of_tables.values() for c in of.values() if c.later]:
            last = max(due) - loop.time()
            await asyncio.sleep(last)
        await settle()

    async def close(self) -> None:
        """Everybody goes home."""
        for stream in self.streams:
            await stream.close()
        for visitor in self.visitors:
            await visitor.http.aclose()
        self.streams.clear()
        self.visitors.clear()


@contextlib.asynccontextmanager
async def open_house(data: Path, **changed: Any) -> AsyncGenerator[House]:
    """A server with its database in a folder; the folder may have been used before."""
    settings = settings_for(data, **changed)
    prepare(settings)
    app = create_app(settings)
    async with contextlib.AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            # Whether a stream is silent is a matter of tests: none is pinged by the clock.
            patch.setattr("app.web.stream.ping_forever", _for_ever)
            await stack.enter_async_context(app.router.lifespan_context(app))
        house = House(app)
        try:
            yield house
        finally:
            await house.close()


async def _for_ever(_: object) -> None:
    await asyncio.Event().wait()


class Visitor:
    """Somebody at a browser or a script. Calls fail the test when the status is not the expected one."""

    def __init__(self, house: House, http: httpx2.AsyncClient) -> None:
        self.house = house
        self.http = http

    async def get(self, path: str, status: int = 200, **params: Any) -> Any:
        """The JSON at a path."""
        answer = await self.http.get(path, params=params or None)
        return read(answer, status)

    async def post(
        self, path: str, body: Any = None, status: int = 200, *, key: str | None = None
    ) -> Any:
        """The JSON that a POST answers."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return read(await self.http.post(path, json=body or {}, headers=headers), status)

    async def page(self, path: str, status: int = 200, **params: Any) -> str:
        """The HTML at a path, as a browser asks for it."""
        answer = await self.http.get(path, params=params or None, headers={"accept": "text/html"})
        assert answer.status_code == status, (answer.status_code, answer.text[:500])
        assert answer.headers["content-type"].startswith("text/html")
        return answer.text

    async def form(
        self, path: str, fields: Any, status: int = 204, *, htmx: bool = True
    ) -> httpx2.Response:
        """What a form's POST answers."""
        headers = {"accept": "text/html", "sec-fetch-site": "same-origin"}
        if htmx:
            headers["hx-request"] = "true"
        answer = await self.http.post(path, data=fields, headers=headers)
        assert answer.status_code == status, (answer.status_code, answer.text[:500])
        return answer

    async def stream(self, path: str, **headers: str) -> "Stream":
        """An open stream."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        sent = {"host": "table.local", **dict(self.http.headers)}
        if cookies:
            sent["cookie"] = cookies
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        stream = Stream(self.house.app, path, sent)
        self.house.streams.append(stream)
        await stream.begin()
        return stream

    async def sit(self, game: str = "osaaf", **order: Any) -> "Table":
        """Open a table where all seats are this visitor's, or with `mode="shared"` the first."""
        opened = await self.post("/api/tables", {"game": game, **order}, 201)
        table = Table(self.house, opened["id"], opened)
        for seat in opened["seats"]:
            if seat["yours"]:
                table.seats[seat["id"]] = self
        return table


def read(answer: httpx2.Response, status: int) -> Any:
    """An answer's JSON, when it has the right status; problems are checked for their form too."""
    assert answer.status_code == status, (answer.status_code, answer.text[:500])
    if status >= 400:
        return problem_of(answer)
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def problem_of(answer: httpx2.Response) -> dict[str, Any]:
    """The problem that an answer states."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text[:300]
    problem: dict[str, Any] = answer.json()
    assert set(problem) <= PROBLEM_FIELDS
    assert {"type", "title", "status", "detail", "request_id"} <= set(problem)
    assert problem["status"] == answer.status_code
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert problem["title"]
    assert problem["detail"]
    if answer.status_code in (429, 503):
        assert int(answer.headers["retry-after"]) >= 1
    return problem


@dataclass
class Table:
    """A table and who holds its seats, as the test knows it."""

    house: House
    id: str
    opened: dict[str, Any]
    seats: dict[str, Visitor] = field(default_factory=dict[str, Visitor])

    @property
    def url(self) -> str:
        """Where scripts find it."""
        return f"/api/tables/{self.id}"

    @property
    def page(self) -> str:
        """Where people find it."""
        return f"/tables/{self.id}"

    def invite(self, seat: str) -> str:
        """The link to a free seat."""
        return next(one["invite"] for one in self.opened["seats"] if one["id"] == seat)

    def token(self, seat: str) -> str:
        """The seat token that the opener got."""
        return next(one["token"] for one in self.opened["seats"] if one["id"] == seat)

    async def join(self, seat: str, visitor: Visitor, **extra: Any) -> str:
        """Take a seat with its invitation; the seat's token."""
        body = {"invite": self.invite(seat), **extra}
        taken = await visitor.post(f"{self.url}/seats/{seat}/claim", body)
        assert taken["seat"] == seat
        self.seats[seat] = visitor
        return taken["token"]

    async def view(self, seat: str | None = None, **params: Any) -> dict[str, Any]:
        """The table as the holder of a seat sees it."""
        visitor = self.seats[seat] if seat else next(iter(self.seats.values()))
        if seat:
            params["seat"] = seat
        return await visitor.get(self.url, **params)

    async def version(self) -> int:
        """How far it is."""
        return (await self.view())["version"]

    async def log(self, seat: str | None = None, **params: Any) -> list[dict[str, Any]]:
        """The log as the holder of a seat sees it."""
        visitor = self.seats[seat] if seat else next(iter(self.seats.values()))
        return await visitor.get(f"{self.url}/log", **{"limit": 1000, **params})

    async def open_offers(self) -> list[tuple[Visitor, dict[str, Any], int]]:
        """What can be done now, by whom, at which version."""
        found: list[tuple[Visitor, dict[str, Any], int]] = []
        for seat, visitor in self.seats.items():
            view = await self.view(seat)
            found += [
                (visitor, offer, view["version"])
                for offer in view["offers"]
                if offer["seat"] == seat and "held" not in offer
            ]
        return found

    async def command(
        self, seat: str, choice: Any, *, offer: str | None = None, status: int = 200, **rest: Any
    ) -> Any:
        """Answer what is asked of a seat (its first offer)."""
        view = await self.view(seat)
        if offer is None:
            offer = next(one["id"] for one in view["offers"] if one["seat"] == seat)
        body = {"version": view["version"], "offer": offer, "choice": choice}
        return await self.seats[seat].post(f"{self.url}/commands", body, status, **rest)

    async def advance(self, seat: str, status: int = 200) -> Any:
        """Play on what needs no choice."""
        version = (await self.view(seat))["version"]
        return await self.seats[seat].post(f"{self.url}/advance", {"version": version}, status)

    async def take_back(self, seat: str, to: int | None = None, status: int = 200) -> Any:
        """Take back as the holder of a seat."""
        body: dict[str, Any] = {"version": (await self.view(seat))["version"]}
        if to is not None:
            body["to"] = to
        return await self.seats[seat].post(f"{self.url}/takeback", body, status)

    async def answer(self, seat: str, accept: bool, status: int = 200) -> Any:
        """Say yes or no to a take-back."""
        body = {"version": (await self.view(seat))["version"], "accept": accept}
        return await self.seats[seat].post(f"{self.url}/takeback/answer", body, status)

    async def step(self, rng: random.Random, pick: "Pick | None" = None) -> Any:
        """Do one thing that is offered, at random. None when the game is over."""
        offers = await self.open_offers()
        if not offers:
            view = await self.view()
            if view["finished"]:
                return None
            return await self.advance(next(iter(self.seats)))
        visitor, offer, version = rng.choice(offers)
        body: dict[str, Any] = {"version": version, "offer": offer["id"]}
        if offer["kind"] == "decision":
            body["choice"] = (pick or any_choice)(rng, offer)
        elif offer["kind"] == "roll":
            view = await self.view(offer["seat"])
            if view["dice"]["mode"] == "server":
                return await visitor.post(f"{self.url}/advance", {"version": version})
            body["dice"] = faces_for(offer["pool"], rng)
        else:
            return await visitor.post(f"{self.url}/advance", {"version": version})
        return await visitor.post(f"{self.url}/commands", body)

    async def play(self, rng: random.Random, steps: int, pick: "Pick | None" = None) -> int:
        """Play at random; how many steps were done before the end."""
        for number in range(steps):
            if await self.step(rng, pick) is None:
                return number
        return steps

    async def play_until(self, rng: random.Random, wanted: Callable[[Any], bool]) -> Any:
        """Play at random until a command's answer is as wanted."""
        for _ in range(400):
            done = await self.step(rng)
            assert done is not None, "the game ended before that"
            if wanted(done):
                return done
        raise AssertionError("that did not happen in 400 commands")


Pick = Callable[[random.Random, Mapping[str, Any]], Any]


def any_choice(rng: random.Random, offer: Mapping[str, Any]) -> Any:
    """One of an offer's choices that may be chosen."""
    free = [one["value"] for one in offer.get("options", ()) if "blocked" not in one]
    return rng.choice(free) if free else offer["example"]


def faces_for(pool: str, rng: random.Random) -> list[int]:
    """Faces that a pool such as "4d6" can show."""
    count, sides = map(int, pool.split("d"))
    return [rng.randint(1, sides) for _ in range(count)]


# Streams


@dataclass(frozen=True)
class Message:
    """What came by a stream: an event, or a ping, which only shows that the stream lives."""

    id: str = ""
    event: str = "message"
    data: str = ""
    raw: str = ""

    @property
    def ping(self) -> bool:
        """Whether it is a ping."""
        return self.event == "ping"


def messages_of(text: str) -> list[Message]:
    """The messages of a piece of a stream that ends with one."""
    found: list[Message] = []
    for block in text.split("\n\n"):
        if not block:
            continue
        fields: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        found.append(
            Message(
                fields.get("id", ""),
                fields.get("event", "message"),
                fields.get("data", ""),
                block,
            )
        )
    return found


class Stream:
    """One open stream, straight from the application: its chunks come as they are sent."""

    def __init__(self, app: FastAPI, path: str, headers: Mapping[str, str]) -> None:
        self._app = app
        self._path, _, self._query = path.partition("?")
        self._sent = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self._gone = asyncio.Event()
        self._asked = False
        self._chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._started = asyncio.Event()
        self._waiting: list[Message] = []
        self.status = 0
        self.headers: dict[str, str] = {}
        self.ended = False
        self._task: asyncio.Task[None] | None = None
        self.through: Callable[[Any], Awaitable[None]] = self._send

    async def begin(self) -> None:
        """Send the request; returns when the headers have come."""
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": self._path,
            "raw_path": self._path.encode(),
            "query_string": self._query.encode(),
            "root_path": "",
            "headers": self._sent,
            "client": ("127.0.0.1", 4321),
            "server": ("table.local", 80),
        }
        self._task = asyncio.create_task(self._app(scope, self._receive, self._deliver))
        self._task.add_done_callback(lambda _: (self._chunks.put_nowait(None), self._started.set()))
        await asyncio.wait_for(self._started.wait(), PATIENCE)

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _deliver(self, message: Any) -> None:
        await self.through(message)

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {k.decode().lower(): v.decode() for k, v in message["headers"]}
            self._started.set()
        elif message.get("body"):
            self._chunks.put_nowait(message["body"])

    async def next(self) -> Message:
        """The next message, pings too."""
        while not self._waiting:
            chunk = await asyncio.wait_for(self._chunks.get(), PATIENCE)
            assert chunk is not None, "the stream has ended"
            self._waiting += messages_of(chunk.decode())
        return self._waiting.pop(0)

    async def event(self) -> Message:
        """The next message that is no ping."""
        while (message := await self.next()).ping:
            pass
        return message

    async def silence(self, seconds: float = 0.15) -> None:
        """Fail when anything comes, be it a ping."""
        assert not self._waiting
        try:
            chunk = await asyncio.wait_for(self._chunks.get(), seconds)
        except TimeoutError:
            return
        raise AssertionError(f"something came: {chunk!r}")

    def pending(self) -> list[Message]:
        """What has come and was not yet taken."""
        while not self._chunks.empty():
            chunk = self._chunks.get_nowait()
            if chunk is None:
                self.ended = True
            else:
                self._waiting += messages_of(chunk.decode())
        taken, self._waiting = self._waiting, []
        return taken

    async def end(self) -> list[Message]:
        """Wait until the server ends the stream; what it said before."""
        said: list[Message] = []
        while True:
            chunk = await asyncio.wait_for(self._chunks.get(), PATIENCE)
            if chunk is None:
                return said
            said += messages_of(chunk.decode())

    async def close(self) -> None:
        """Go away, as a browser does."""
        self._gone.set()
        if self._task is not None:
            await asyncio.wait_for(self._task, PATIENCE)


def rechain(stored: sqlite3.Connection, table_id: str) -> None:
    """Compute the hashes of a log that a test has written into the database."""
    asked = stored.execute("SELECT * FROM log_entry WHERE table_id = ? ORDER BY seq", (table_id,))
    names = [column[0] for column in asked.description]
    before = ""
    for row in asked.fetchall():
        entry = dict(zip(names, row, strict=True))
        before = link_stored(before, entry)
        stored.execute(
            "UPDATE log_entry SET hash = ? WHERE table_id = ? AND seq = ?",
            (before, table_id, entry["seq"]),
        )


async def settle() -> None:
    """Let everything that is ready to run, run."""
    for _ in range(5):
        await asyncio.sleep(0)


async def until(true: Callable[[], Awaitable[object]]) -> None:
    """Wait until something has come true. Raises TimeoutError when it does not."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if await true():
                return
            await asyncio.sleep(0.01)


async def queue_of(lock: asyncio.Lock, length: int) -> None:
    """Wait until so many wait for a lock that is held."""

    async def long_enough() -> bool:
        return len(lock._waiters or ()) >= length

    await until(long_enough)


def small_duel(**changed: Any) -> dict[str, Any]:
    """A set-up of osaaf that ends soon: two jets, two turns."""
    setup: dict[str, Any] = {
        "title": "Small duel",
        "turns": 2,
        "sun": "N",
        "jets": [
            _jet("blue-1", "blue", "1203", 3, "f-8e"),
            _jet("red-1", "red", "1218", 0, "mig-21f-13"),
        ],
    }
    return {**setup, **changed}


def _jet(jet: str, seat: str, place: str, facing: int, aircraft: str) -> dict[str, Any]:
    return {
        "id": jet,
        "seat": seat,
        "aircraft": aircraft,
        "name": jet.replace("-", " ").title(),
        "hex": place,
        "facing": facing,
        "altitude": 5,
        "speed": 4,
    }


def strings_of(value: Any) -> list[str]:
    """Every string in a JSON value, keys too."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, Any]", value)
        return [text for k, v in pairs.items() for text in (k, *strings_of(v))]
    if isinstance(value, Sequence):
        return [text for one in cast("Sequence[Any]", value) for text in strings_of(one)]
    return []
