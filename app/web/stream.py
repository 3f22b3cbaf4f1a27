"""Streams: server-sent events, one a page, each a plain ASGI response that writes ready frames."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Header, Query
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.engine.secret import Viewer
from app.engine.sequence import open_decisions
from app.tables.frames import Channel, Hub, Waiter
from app.tables.live import LiveTable
from app.web.deps import CallerDep, SiteDep, viewer_of

router = APIRouter()

PING = b"event: ping\ndata: {}\n\n"
"""An event and no comment, so that a page can tell a silent stream from a dead one."""

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    # Proxies that buffer would hold the frames back.
    (b"x-accel-buffering", b"no"),
]

Next = Callable[[], bytes]


class EventStream(Response):
    """Server-sent events until the browser goes or the server stops.

    Args:
        more: what there is to send now; empty when nothing has happened.
        waiter: woken when there may be more.
        closing: whether the server stops.
        leave: called once at the end.
    """

    def __init__(
        self,
        more: Next,
        waiter: Waiter,
        closing: Callable[[], bool],
        leave: Callable[[], None],
    ) -> None:
        super().__init__()
        self._more = more
        self._waiter = waiter
        self._closing = closing
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the stream."""
        # Once begun, frames go past the layers that wrap `send`: each costs a share of every frame.
        write: Send = scope["state"].get("raw_send", send)
        gone = asyncio.ensure_future(_until_gone(receive))
        gone.add_done_callback(lambda _: self._waiter.leave())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": list(_HEADERS)})
            while not self._waiter.gone:
                body = self._more() or (PING if self._waiter.pinged else b"")
                self._waiter.pinged = False
                if body:
                    await write({"type": "http.response.body", "body": body, "more_body": True})
                if self._closing():
                    restart = b"event: restart\ndata: {}\n\n"
                    await send({"type": "http.response.body", "body": restart, "more_body": False})
                    return
                await self._waiter.wait()
        finally:
            gone.cancel()
            self._leave()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _frames(hub: Hub, channel: Channel, last: str) -> Next:
    position = last

    def more() -> bytes:
        nonlocal position
        found = channel.after(position)
        position = channel.position
        return hub.resync(channel) if found is None else found[0]

    return more


@router.get("/tables/{table_id}/frames", include_in_schema=False)
async def frames(
    table_id: str,
    site: SiteDep,
    who: CallerDep,
    since: str = "",
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """The page's stream: fragments of the caller's own view as they change."""
    table = await site.service.get(table_id)
    channel = site.hub.channel(table, viewer_of(table, who))
    waiter = Waiter()
    site.hub.join(channel, waiter)
    return EventStream(
        _frames(site.hub, channel, last_event_id or since),
        waiter,
        lambda: site.hub.closing,
        lambda: site.hub.leave(channel, waiter),
    )


@router.get(
    "/tables/{table_id}/stream",
    tags=["tables"],
    summary="Server-sent events: the table is at version N",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream(
    table_id: str,
    site: SiteDep,
    who: CallerDep,
    once: Annotated[bool, Query(description="Send the present version and end.")] = False,
) -> Response:
    """Says which version the table is at, whenever that changes, and which seats are present.

    An event named `version` has `{"version": N, "present": [seat, ...]}` as its data, and `"log": N` where entries
    that move nothing came after version N. Where facts are hidden from you it also has `"asked": [offer, ...]`: a
    question may open to you after what you are not told of. Others only show that the stream lives (`ping`) or
    that the server stops and will be back (`restart`).
    """
    table = await site.service.get(table_id)
    viewer = viewer_of(table, who)
    said = b""

    def more() -> bytes:
        nonlocal said
        now = _notice(site.hub, site.service.latest(table), viewer)
        if now == said:
            return b""
        said = now
        return now

    if once:
        return Response(more(), media_type="text/event-stream")
    waiter = Waiter()
    site.hub.listen(table_id, waiter)
    return EventStream(
        more,
        waiter,
        lambda: site.hub.closing,
        lambda: site.hub.unlisten(table_id, waiter),
    )


def _notice(hub: Hub, table: LiveTable, viewer: Viewer) -> bytes:
    position = table.position
    log, version = position.count(viewer), position.version_for(viewer)
    told: dict[str, Any] = {"version": version, "present": sorted(hub.present(table.id))}
    if log != version:
        told["log"] = log
    if position.telling.hides_from(viewer):
        asked = open_decisions(position.todo)
        told["asked"] = [one.id for one in asked if one.seat in viewer]
    return b"id: %d\nevent: version\ndata: %b\n\n" % (log, msgspec.json.encode(told))


async def ping_forever(hub: Hub, seconds: float = 15.0) -> None:
    """Ping every stream now and then: proxies cut what is silent, and dead browsers show.

    Views that nobody looks at any more are let go with it.
    """
    while True:
        await asyncio.sleep(seconds)
        hub.ping()
        hub.sweep()
