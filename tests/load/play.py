"""Players who watch their frames and answer by legal choices, as a person at a page would.

What can be chosen is read off the `now` fragment of the player's own newest frame, for both doors. So a
closed loop needs no request besides the commands, and the frame that is timed is one that is used.
"""

import asyncio
import html
import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote_plus

from tests.load.wire import Address, BenchError, Feed, Link, Reply, get, post, post_head

Door = Literal["page", "json"]
DOORS: tuple[Door, ...] = ("page", "json")
_VERSION = b'<data id="version" value="'
_FORM_VERSION = re.compile(rb'name="version" value="(\d+)"')
_OFFER = re.compile(rb'name="offer" value="([^"]*)"')
_OPTION = re.compile(
    rb'<div class="opt([^"]*)">\s*<label><input type="radio" name="choice" value="([^"]*)"'
)
_SWITCH = re.compile(rb'type="checkbox" name="with" value="([^"]*)"')
_COOKIE = re.compile(rb"\r\nset-cookie: *([^;\r]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Choice:
    """A way to answer what is open now; `value` is JSON."""

    version: int
    offer: str
    value: str


@dataclass(frozen=True, slots=True)
class Sample:
    """One command: seconds from its sending, and bytes. `frames` are those of both players together."""

    kind: str
    answered: float
    own: float
    other: float
    answer_bytes: int
    frame_bytes: int


def newest_version(frames: bytes) -> int | None:
    """The version that frames lead to; None when they are about something else, such as presence."""
    start = frames.rfind(_VERSION)
    if start < 0:
        return None
    start += len(_VERSION)
    return int(frames[start : frames.index(b'"', start)])


def choice_in(frames: bytes, rng: random.Random) -> Choice | None:
    """A choice among those that the newest frame offers; None when it offers none.

    Jets fly level (the value 0) or climb a little, use no brakes (0), circle to the left and come back
    to the board that they leave, so that games last; everything else is chosen at random, and so is a switch that options share. Its member
    comes after the option's own of the same name, and the last one counts in JSON.
    """
    start = frames.rfind(b'<section id="now"')
    if start < 0:
        return None
    now = frames[start : frames.index(b"</section>", start)]
    offer, version = _OFFER.search(now), _FORM_VERSION.search(now)
    if offer is None or version is None:
        return None
    ways = [(frozenset(marks.split()), value) for marks, value in _OPTION.findall(now)]
    values = [value for marks, value in ways if not marks & {b"shut", b"shut0"}]
    climbs = offer[1].startswith(b"altitude:")
    calm = [
        value
        for value in values
        if value in (b"0", b"&#34;return&#34;")
        or value.startswith(b"&#34;left")
        or (climbs and value == b"1")
    ]
    switch = _SWITCH.search(now)
    switched = [value for marks, value in ways if not marks & {b"shut", b"shut1"}]
    if switch is not None and switched and rng.random() < 0.5:
        both = _plain(rng.choice(switched))[:-1] + "," + _plain(switch[1])[1:]
        return Choice(int(version[1]), _plain(offer[1]), both)
    if not values:
        raise BenchError(f"no option can be chosen in: {now.decode()}")
    return Choice(int(version[1]), _plain(offer[1]), _plain(rng.choice(calm or values)))


def _plain(attribute: bytes) -> str:
    """The text of an attribute's value."""
    return html.unescape(attribute.decode())


class Watcher:
    """Somebody who has a table open. Remembers the newest frames and when their version came."""

    def __init__(self) -> None:
        self.feed: Feed | None = None
        self.frames = b""
        self.version = 0
        self.at = 0.0
        self.bytes = 0
        self._wanted = 0
        self._waiter: asyncio.Future[None] | None = None

    async def watch(self, address: Address, table: str, headers: str) -> None:
        """Open the stream, and wait for its first frame."""
        request = get(address, f"/tables/{table}/frames", f"Accept: text/event-stream\r\n{headers}")
        self.feed = await Feed.open(address, request, self._seen)
        await self.reach(1)

    def _seen(self, frames: bytes, at: float) -> None:
        version = newest_version(frames)
        if version is None:
            return
        self.frames, self.version, self.at = frames, version, at
        self.bytes += len(frames)
        if version >= self._wanted and self._waiter is not None:
            if not self._waiter.done():
                self._waiter.set_result(None)
            self._waiter = None

    async def reach(self, version: int) -> None:
        """Until a frame of `version` or later has come."""
        if self.version >= version:
            return
        self._wanted = version
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    def close(self) -> None:
        """Leave."""
        if self.feed is not None:
            self.feed.close()


class Player(Watcher):
    """Somebody with a seat: a browser with a cookie at the page door, a script with a token at the other."""

    def __init__(self, address: Address, seed: int = 0) -> None:
        super().__init__()
        self._address = address
        self._rng = random.Random(seed)
        self.link = Link(address)
        self.cookie = ""
        self._heads: dict[Door, bytes] = {}

    async def call(self, path: str, body: Mapping[str, Any]) -> Any:
        """Post JSON with the cookie; remembers the one that is given. Raises BenchError."""
        headers = f"{self.cookie}content-type: application/json\r\n"
        head = post_head(self._address, path, headers)
        reply = await self.link.send(post(head, json.dumps(body).encode()))
        if reply.status >= 300:
            raise BenchError(f"{path} answered {reply.status}: {reply.body.decode()}")
        given = _COOKIE.search(reply.head)
        if given is not None:
            self.cookie = f"cookie: {given[1].decode()}\r\n"
        return json.loads(reply.body)

    async def get(self, path: str, headers: str = "") -> Reply:
        """The answer to a GET with the cookie."""
        return await self.link.send(get(self._address, path, self.cookie + headers))

    def sit(self, table: str, token: str) -> None:
        """Get ready to send commands."""
        host = f"{self._address[0]}:{self._address[1]}"
        self._heads = {
            "page": post_head(
                self._address,
                f"/tables/{table}/commands",
                "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\r\n"
                "Accept: text/html, text/event-stream\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n"
                f"Origin: http://{host}\r\nReferer: http://{host}/tables/{table}\r\n"
                "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n"
                f"HX-Request: true\r\n{self.cookie}"
                "content-type: application/x-www-form-urlencoded\r\n",
            ),
            "json": post_head(
                self._address,
                f"/api/tables/{table}/commands",
                f"authorization: Bearer {token}\r\ncontent-type: application/json\r\n",
            ),
        }

    @property
    def choice(self) -> Choice | None:
        """What this player may answer now."""
        return choice_in(self.frames, self._rng)

    def request(self, door: Door, choice: Choice) -> bytes:
        """The bytes of a command."""
        if door == "page":
            text = (
                f"version={choice.version}&offer={quote_plus(choice.offer)}"
                f"&choice={quote_plus(choice.value)}"
            )
        else:
            offer = json.dumps(choice.offer)
            text = f'{{"version":{choice.version},"offer":{offer},"choice":{choice.value}}}'
        return post(self._heads[door], text.encode())

    def close(self) -> None:
        """Leave."""
        super().close()
        self.link.close()


@dataclass
class Table:
    """A shared table and its players."""

    id: str
    players: tuple[Player, ...]
    over: bool = field(default=False)

    @classmethod
    async def open(
        cls, address: Address, order: Mapping[str, Any], seed: int, *, watched: bool = True
    ) -> "Table":
        """A new table whose seats are all taken, each by a player of its own who has it open."""
        first = Player(address, seed)
        opened = await first.call("/api/tables", {**order, "mode": "shared"})
        table = opened["id"]
        players = [first]
        first.sit(table, opened["seats"][0].get("token", ""))
        for n, seat in enumerate(opened["seats"][1:], 1):
            player = Player(address, seed * 1000 + n)
            claim = {"invite": seat["invite"]}
            taken = await player.call(f"/api/tables/{table}/seats/{seat['id']}/claim", claim)
            player.sit(table, taken["token"])
            players.append(player)
        if watched:
            for player in players:
                await player.watch(address, table, player.cookie)
        return cls(table, tuple(players))

    def turn(self) -> tuple[Player, Choice] | None:
        """Who is to act, and a choice for them; None when the game is over."""
        for player in self.players:
            choice = player.choice
            if choice is not None:
                return player, choice
        self.over = True
        return None

    async def command(self, door: Door) -> Sample | None:
        """Play one command, and wait for its answer and for both players' frames. None: it is over."""
        turn = self.turn()
        if turn is None:
            return None
        player, choice = turn
        others = [other for other in self.players if other is not player]
        bytes_before = sum(one.bytes for one in self.players)
        request = player.request(door, choice)
        start = time.perf_counter()
        reply = await player.link.send(request)
        if reply.status not in (200, 204):
            raise BenchError(f"a command was answered {reply.status}: {reply.body.decode()}")
        for one in self.players:
            await one.reach(choice.version + 1)
        return Sample(
            choice.offer.partition(":")[0],
            reply.at - start,
            player.at - start,
            max(other.at for other in others) - start,
            len(reply.head) + 4 + len(reply.body),
            sum(one.bytes for one in self.players) - bytes_before,
        )

    def close(self) -> None:
        """Everybody leaves."""
        for player in self.players:
            player.close()


class Alone:
    """A script that plays both seats of a table by the JSON interface, off the views it is answered."""

    def __init__(self, address: Address, seed: int) -> None:
        self._player = Player(address, seed)
        self._address = address
        self._rng = random.Random(seed)
        self._head = b""
        self._view: dict[str, Any] = {}

    async def open(self, order: Mapping[str, Any]) -> None:
        """A new table."""
        opened = await self._player.call("/api/tables", {**order, "mode": "solo"})
        path = f"/api/tables/{opened['id']}"
        headers = f"{self._player.cookie}content-type: application/json\r\n"
        self._head = post_head(self._address, f"{path}/commands", headers)
        self._view = json.loads((await self._player.get(path)).body)

    async def play_until(self, end: float) -> int:
        """One command after another. Returns how many."""
        count = 0
        while time.perf_counter() < end and self._view["offers"]:
            offer = self._view["offers"][0]
            values = [one["value"] for one in offer["options"] if "blocked" not in one]
            calm = [v for v in values if v in (0, "return") or str(v).startswith("left")]
            choice = self._rng.choice(calm or values)
            body = {"version": self._view["version"], "offer": offer["id"], "choice": choice}
            reply = await self._player.link.send(post(self._head, json.dumps(body).encode()))
            if reply.status != 200:
                raise BenchError(f"a command was answered {reply.status}: {reply.body.decode()}")
            self._view = json.loads(reply.body)["view"]
            count += 1
        return count

    def close(self) -> None:
        """Leave."""
        self._player.close()


class Crowd:
    """Spectators of one table. Counts who has seen what came after a moment."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.frames = 0
        self.writes = 0
        self.bytes = 0
        self.base = 0
        self.seen = 0
        self.last_at = 0.0
        self.versions = [0] * size
        self._feeds: list[Feed] = []
        self._all: asyncio.Event = asyncio.Event()

    async def gather(self, address: Address, table: str) -> None:
        """Let everybody in."""
        request = get(address, f"/tables/{table}/frames", "Accept: text/event-stream\r\n")
        for start in range(0, self.size, 25):
            numbers = range(start, min(start + 25, self.size))
            self._feeds += await asyncio.gather(
                *(Feed.open(address, request, self._watcher(number)) for number in numbers)
            )
        await self.all()

    def _watcher(self, number: int) -> "Watching":
        return Watching(self, number)

    def after(self, version: int) -> None:
        """From now on count those who have seen more than `version`."""
        self.base = version
        self.seen = sum(1 for seen in self.versions if seen > version)
        if self.seen == self.size:
            self._all.set()
        else:
            self._all.clear()

    def note(self, number: int, version: int, at: float) -> None:
        """A spectator has come to a version."""
        was, self.versions[number] = self.versions[number], version
        if was <= self.base < version:
            self.seen += 1
            if self.seen == self.size:
                self.last_at = at
                self._all.set()

    async def all(self) -> None:
        """Until everybody has seen more than the version given to `after`."""
        await self._all.wait()

    def close(self) -> None:
        """Everybody leaves."""
        for feed in self._feeds:
            feed.close()


class Watching:
    """One spectator's eyes, kept as small as possible: there are hundreds."""

    __slots__ = ("_crowd", "_number")

    def __init__(self, crowd: Crowd, number: int) -> None:
        self._crowd = crowd
        self._number = number

    def __call__(self, frames: bytes, at: float) -> None:
        """Frames have come."""
        version = newest_version(frames)
        if version is None:
            return
        crowd = self._crowd
        crowd.frames += frames.count(_VERSION)
        crowd.writes += 1
        crowd.bytes += len(frames)
        crowd.note(self._number, version, at)
