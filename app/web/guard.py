"""The guard: one ASGI middleware before everything, for what concerns every request.

It gives the request a number, refuses foreign hosts, cross-site requests and bodies that are too large,
and adds the headers that keep a page from running or loading anything that is not ours. It is plain ASGI
because streams pass through it: frameworks' middleware classes slow each message down.
"""

import logging
import secrets
from collections.abc import Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.errors import problem_response

log = logging.getLogger("contrail")

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

STREAMS = ("/frames", "/stream")

IMPORTS = frozenset({"/tables/import", "/api/tables/import"})
"""Where whole tables are sent."""

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        b"manifest-src 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Compression(GZipMiddleware):
    """Compresses answers, but leaves streams alone: their frames must go out at once."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http" and scope["path"].endswith(STREAMS):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class TooLarge(HTTPException):
    """The body went over the limit while it was read. Frameworks let an HTTPException through."""


class Guard:
    """See the module.

    Args:
        app: what is guarded.
        accepts_host: whether a Host header is ours.
        max_body: bytes.
        max_import: the same for a whole table.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        accepts_host: Callable[[str], bool],
        max_body: int,
        max_import: int,
    ) -> None:
        self.app = app
        self.accepts_host = accepts_host
        self.max_body = max_body
        self.max_import = max_import

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state: MutableMapping[str, Any] = scope.setdefault("state", {})
        number = state["request_id"] = secrets.token_hex(4)
        state["raw_send"] = send
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = message.setdefault("headers", [])
                headers += HEADERS
                headers.append((b"x-request-id", number.encode()))
                cookie = state.get("set_cookie")
                if cookie is not None:
                    headers.append((b"set-cookie", cookie))
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            status, detail = refusal
            await problem_response(scope, status, detail)(scope, receive, answer)
            return
        try:
            if scope["method"] in SAFE:
                if scope["method"] == "HEAD" and not scope["path"].endswith(STREAMS):
                    scope = {**scope, "method": "GET"}  # the server leaves the body out
                await self.app(scope, receive, answer)
            else:
                await self.app(scope, self._limited(receive, self._most(scope)), answer)
        except Exception as error:
            log.error("request %s failed", number, exc_info=error)
            if not started:
                said = "Something broke here. Nothing was changed by this request."
                await problem_response(scope, 500, said)(scope, receive, answer)
            raise

    def _most(self, scope: Scope) -> int:
        return self.max_import if scope["path"] in IMPORTS else self.max_body

    def _limited(self, receive: Receive, most: int) -> Receive:
        read = 0

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                if read > most:
                    raise TooLarge(413, _too_large(most))
            return message

        return limited

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self.accepts_host(host):
            return 421, f"This server does not answer to the name {host[:80]!r}."
        if scope["method"] in SAFE:
            return None
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and int(length[:20]) > self._most(scope):
            return 413, _too_large(self._most(scope))
        if not from_own_pages(headers, host):
            return 403, "This came from another site's page. Open the table here and try again."
        return None


def _too_large(most: int) -> str:
    return f"At most {most // 1024} KiB can be sent at once."


def from_own_pages(headers: Headers, host: str) -> bool:
    """Whether a request that changes something may be carried out with the browser's cookie.

    Browsers say where a request comes from: Sec-Fetch-Site, and without TLS at least Origin. A request
    with neither does not come from a browser's page, and one with a bearer token carries no cookie's
    authority; both may pass.
    """
    if headers.get("authorization", "").lower().startswith("bearer "):
        return True
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is not None:
        return bool(host) and urlsplit(origin).netloc.lower() == host.lower()
    return True
