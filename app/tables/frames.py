"""Frames: what is sent to the browsers that watch a table, made once per view and not per browser.

A *channel* is one view of one table (a set of seats, or the spectators). It remembers the fragments it
sent last; what differs now becomes one frame in its ring. A browser names the last frame it has and gets
the later ones, or, when they have left the ring, a *resync* with everything. So losing, doubling or
reordering frames leaves no lasting difference. Frame ids are "boot.n": after a restart every browser
resyncs.

Rendering is given by the web layer; nothing here knows HTML beyond the wrapper of a fragment.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.engine.log import Rewound
from app.engine.secret import Viewer
from app.tables.live import LiveTable
from app.tables.position import Position

RING = 64
LINES = 80
"""Log lines on a page; earlier ones are fetched when asked for."""

Kind = Literal["html", "svg"]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of the page with the id that it replaces. `group` names the element that holds it.

    When a group's members come or go, the whole group is sent: `group` is then the id that is filled.
    """

    html: str
    kind: Kind = "html"
    group: str | None = None


@dataclass(frozen=True)
class Renderer:
    """What the web layer provides.

    Args:
        fragments: the fragments of a view by id.
        news: log lines for the entries after `since`, and what is announced of those after `was`, as the viewer
            counts them.
    """

    fragments: Callable[[Position, Viewer], Mapping[str, Fragment]]
    news: Callable[[Position, Viewer, int, int], tuple[str, str]]


class Waiter:
    """A browser's place in a channel: woken when there is more, when it has gone, or at shutdown.

    `pinged`: it was woken to show that the stream lives. Other wakings that bring nothing stay silent:
    they may come of what this viewer must not notice.
    """

    __slots__ = ("_due", "_future", "gone", "pinged")

    def __init__(self) -> None:
        self._future: asyncio.Future[None] | None = None
        self._due = False
        self.gone = False
        self.pinged = True

    def wake(self) -> None:
        """Let `wait` return, also when it is called only later."""
        self._due = True
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    def leave(self) -> None:
        """The browser has gone."""
        self.gone = True
        self.wake()

    async def wait(self) -> None:
        """Until woken. A waking since the last return counts: it came while something was sent."""
        if not self._due:
            self._future = asyncio.get_running_loop().create_future()
            await self._future
        self._due = False


@dataclass
class Channel:
    """One view of one table.

    `log` is the number of the newest entry that it shows, as its viewer counts; `counted` whether those numbers are
    his own, which end with the game. `shown` is how long the record was when it was last made.
    """

    table: LiveTable
    viewer: Viewer
    boot: str
    n: int = 0
    log: int = 0
    counted: bool = False
    shown: int = 0
    fragments: Mapping[str, Fragment] = field(default_factory=lambda: dict[str, Fragment]())
    ring: deque[bytes] = field(default_factory=lambda: deque[bytes](maxlen=RING))
    waiters: set[Waiter] = field(default_factory=lambda: set[Waiter]())
    last_used: float = 0.0
    not_before: float = 0.0
    later: asyncio.TimerHandle | None = None
    _resync: tuple[int, bytes] = (-1, b"")

    @property
    def position(self) -> str:
        """The id of the newest frame."""
        return f"{self.boot}.{self.n}"

    def follow(self, table: LiveTable) -> None:
        """Go on with a table that was loaded anew; its watchers are the old one's."""
        if table is not self.table:
            self.table.watchers -= len(self.waiters)
            table.watchers += len(self.waiters)
            self.table = table

    def refresh(self, render: Renderer) -> bool:
        """Make a frame of what has changed since the last one. Says whether there was something."""
        position, was = self.table.position, self.log
        now = render.fragments(position, self.viewer)
        parts = list(_changes(self.fragments, now))
        self.fragments = now
        self.log, self.shown = position.count(self.viewer), position.length
        before, self.counted = self.counted, position.telling.hides_from(self.viewer)
        if before and not self.counted:  # all is told now: each line has another number
            parts.append(self._whole_log(render, position))
        elif self.log != was:
            parts += self._news(render, position, was)
        if not parts:
            return False
        self.n += 1
        self.ring.append(_message(self.position, "".join(parts)))
        for waiter in self.waiters:
            waiter.wake()
        return True

    def _news(self, render: Renderer, position: Position, was: int) -> Iterator[str]:
        since = was
        if not was:
            return
        for entry in position.entries_for(self.viewer, was, self.log):
            if isinstance(entry.event, Rewound):
                since = min(since, position.number_of(entry.event.to, self.viewer))
        lines, said = render.news(position, self.viewer, since, was)
        if lines:
            yield f'<hx-partial hx-target="#log-lines" hx-swap="upsert">{lines}</hx-partial>'
        if said:
            yield f'<hx-partial hx-target="#announce" hx-swap="innerHTML">{said}</hx-partial>'

    def _whole_log(self, render: Renderer, position: Position) -> str:
        """The newest lines, in place of all that were there."""
        lines, _ = render.news(position, self.viewer, max(0, self.log - LINES), self.log)
        return f'<hx-partial hx-target="#log-lines" hx-swap="innerMorph">{lines}</hx-partial>'

    def after(self, last: str) -> tuple[bytes, int] | None:
        """Frames after the one with id `last`, and the number of the newest; None where only a resync helps."""
        boot, _, number = last.partition(".")
        if boot != self.boot or not (number.isascii() and number.isdecimal()) or len(number) > 12:
            return None
        missed = self.n - int(number)
        if missed < 0 or missed > len(self.ring):
            return None
        if missed == 0:
            return b"", self.n
        if missed == 1:
            return self.ring[-1], self.n
        return b"".join(list(self.ring)[-missed:]), self.n

    def resync(self, render: Renderer) -> bytes:
        """A frame with everything."""
        if self._resync[0] != self.n:
            parts = list(_changes({}, self.fragments))
            parts.append(self._whole_log(render, self.table.position))
            self._resync = (self.n, _message(self.position, "".join(parts)))
        return self._resync[1]


def _changes(was: Mapping[str, Fragment], now: Mapping[str, Fragment]) -> Iterator[str]:
    """The partials that turn what was shown into what is to be shown."""
    groups: dict[str, list[str]] = {}
    for key, fragment in now.items():
        if fragment.group is not None:
            groups.setdefault(fragment.group, []).append(key)
    old_groups: dict[str, list[str]] = {}
    for key, fragment in was.items():
        if fragment.group is not None:
            old_groups.setdefault(fragment.group, []).append(key)
    for group, members in groups.items():
        if old_groups.get(group) != members:
            html = "".join(now[key].html for key in members)
            yield _partial(group, html, "innerMorph", now[members[0]].kind)
    for group in old_groups.keys() - groups.keys():
        yield f'<hx-partial hx-target="#{group}" hx-swap="innerHTML"></hx-partial>'
    for key, fragment in now.items():
        if fragment.group is not None and old_groups.get(fragment.group) != groups[fragment.group]:
            continue
        before = was.get(key)
        if before is None or before.html != fragment.html:
            yield _partial(key, fragment.html, "outerMorph", fragment.kind)


def _partial(target: str, html: str, swap: str, kind: Kind) -> str:
    if kind == "svg":
        # Inside <svg> the parser gives the elements their namespace; strip takes the wrapper off.
        return (
            f'<hx-partial hx-target="#{target}" hx-swap="{swap} strip:true">'
            f"<svg>{html}</svg></hx-partial>"
        )
    return f'<hx-partial hx-target="#{target}" hx-swap="{swap}">{html}</hx-partial>'


def _message(position: str, html: str) -> bytes:
    # One line of data: line feeds inside would each start another field.
    one_line = html.replace("\r", " ").replace("\n", " ")
    return f"id: {position}\ndata: {one_line}\n\n".encode()


class Hub:
    """All channels of one server, and who is present.

    Args:
        render: makes the Renderer, which asks this hub who is present.
        clock: seconds, for letting unused channels go.
    """

    UNUSED_SECONDS = 120.0
    SECONDS_A_WATCHER = 100e-6
    """How long a frame to one watcher keeps the next one: writing takes 40 %, the rest is for others."""

    AWAY_SECONDS = 4.0

    def __init__(self, render: "Callable[[Hub], Renderer]", clock: Callable[[], float]) -> None:
        self._render = render(self)
        self._clock = clock
        self._boot = secrets.token_hex(4)
        self._channels: dict[str, dict[Viewer, Channel]] = {}
        self._notices: dict[str, set[Waiter]] = {}
        self._presence: dict[str, dict[str, int]] = {}
        self.closing = False

    def publish(self, table: LiveTable, who: Viewer = frozenset()) -> None:
        """A table has changed: make the frames for those who watch.

        Whose command it was (`who`) has the answer to it; the others' frames are made first, and are on their way
        before theirs is made.
        """
        if table.lost:  # it was loaded anew meanwhile; this one is behind
            return
        channels = self._channels.get(table.id, {}).values()
        now = self._clock()
        for channel in channels:
            channel.follow(table)
            if who.isdisjoint(channel.viewer):
                self._refresh_in_turn(channel, now)
        for channel in channels:
            if not who.isdisjoint(channel.viewer):
                asyncio.get_running_loop().call_soon(self._refresh_in_turn, channel, now)
        for waiter in self._notices.get(table.id, ()):
            waiter.wake()

    def _refresh_in_turn(self, channel: Channel, now: float) -> None:
        """Make a frame at once, unless a crowd is still being served the last one: then a bit later.

        What happens meanwhile goes into one frame. So a crowd takes a share of the time, never all.
        """
        if channel.later is not None:
            return
        if now < channel.not_before:
            loop = asyncio.get_running_loop()
            channel.later = loop.call_later(channel.not_before - now, self._refresh_late, channel)
            return
        channel.refresh(self._render)
        channel.not_before = now + len(channel.waiters) * self.SECONDS_A_WATCHER

    def _refresh_late(self, channel: Channel) -> None:
        channel.later = None
        channel.not_before = 0.0
        self._refresh_in_turn(channel, self._clock())

    def channel(self, table: LiveTable, viewer: Viewer) -> Channel:
        """The channel of a view, up to date."""
        channels = self._channels.setdefault(table.id, {})
        channel = channels.get(viewer)
        if channel is None:
            channel = channels[viewer] = Channel(table, viewer, self._boot)
            channel.refresh(self._render)
        elif channel.table is not table or channel.shown != table.version:
            channel.follow(table)
            channel.refresh(self._render)
        channel.last_used = self._clock()
        return channel

    def resync(self, channel: Channel) -> bytes:
        """A frame with everything that the channel shows."""
        return channel.resync(self._render)

    def join(self, channel: Channel, waiter: Waiter) -> None:
        """A browser opens its stream."""
        channel.waiters.add(waiter)
        channel.table.watchers += 1
        self._count(channel, 1)

    def leave(self, channel: Channel, waiter: Waiter) -> None:
        """A browser's stream has ended. It counts as away only if it does not come back at once."""
        channel.waiters.discard(waiter)
        channel.table.watchers -= 1
        channel.last_used = self._clock()
        if self.closing:
            return
        loop = asyncio.get_running_loop()
        loop.call_later(self.AWAY_SECONDS, self._count, channel, -1)

    def _count(self, channel: Channel, by: int) -> None:
        table = channel.table
        present = self._presence.setdefault(table.id, {})
        before = self.present(table.id)
        for seat in channel.viewer or ("",):
            present[seat] = present.get(seat, 0) + by
            if not present[seat]:
                del present[seat]
        if not present:
            del self._presence[table.id]
        if self.present(table.id) != before:
            self.publish(table)

    def present(self, table_id: str) -> frozenset[str]:
        """The seats whose holder has the table open."""
        return frozenset(seat for seat in self._presence.get(table_id, ()) if seat)

    def listen(self, table_id: str, waiter: Waiter) -> None:
        """A script wants to know of each new version."""
        self._notices.setdefault(table_id, set()).add(waiter)

    def unlisten(self, table_id: str, waiter: Waiter) -> None:
        """It does not any more."""
        waiters = self._notices.get(table_id)
        if waiters is not None:
            waiters.discard(waiter)
            if not waiters:
                del self._notices[table_id]

    def sweep(self) -> None:
        """Let go of channels that nobody has watched or asked for lately, and with them of their tables."""
        limit = self._clock() - self.UNUSED_SECONDS
        for table_id, channels in list(self._channels.items()):
            for viewer, channel in list(channels.items()):
                if not channel.waiters and channel.last_used < limit:
                    del channels[viewer]
            if not channels:
                del self._channels[table_id]

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._everyone())

    def ping(self) -> None:
        """Wake every stream, so that each sends a ping and learns whether its browser is there."""
        for waiter in self._everyone():
            waiter.pinged = True
            waiter.wake()

    def close(self) -> None:
        """The server stops: streams end, browsers come back by themselves."""
        self.closing = True
        self.ping()

    def _everyone(self) -> list[Waiter]:
        waiters = [w for waiters in self._notices.values() for w in waiters]
        for channels in self._channels.values():
            for channel in channels.values():
                waiters += channel.waiters
        return waiters
