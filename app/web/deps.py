"""Who is asking, and whether too often. The seat comes from the sign-in, never from a form."""

import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from itsdangerous import BadSignature, Signer

from app.engine.secret import Viewer
from app.records.book import Book
from app.records.crew import Crew
from app.settings import Settings
from app.tables.frames import Hub
from app.tables.live import Caller, LiveTable
from app.tables.service import Service
from app.tables.setups import Setups
from app.web.errors import TooMany, Unknown
from app.web.templating import Pages

COOKIE = "contrail"
TOKEN_PREFIX = "person."
YEAR = 365 * 24 * 3600


@dataclass(frozen=True)
class Site:
    """The parts of a running server that the endpoints use."""

    settings: Settings
    service: Service
    hub: Hub
    pages: Pages
    identities: "Identities"
    limits: "Limits"
    setups: Setups
    book: Book
    crew: Crew


class Identities:
    """Visitors' identities: random names in signed cookies, and personal tokens of the same names.

    Nothing is stored for a visitor until it has a seat.

    Args:
        key: the server's own secret; whoever has it can be anybody.
    """

    def __init__(self, key: bytes, *, secure: bool) -> None:
        self._cookies = Signer(key, salt="identity")
        self._tokens = Signer(key, salt="personal token")
        self._secure = secure

    def from_cookie(self, cookie: str | None) -> str | None:
        """The identity of a cookie; None when there is none, or it is not ours."""
        return _unsign(self._cookies, cookie)

    def from_token(self, token: str) -> str | None:
        """The identity of a personal token."""
        return _unsign(self._tokens, token.removeprefix(TOKEN_PREFIX))

    def token(self, identity: str) -> str:
        """A personal token, for scripts that act for this identity."""
        return TOKEN_PREFIX + self._tokens.sign(identity).decode()

    def new(self) -> tuple[str, bytes]:
        """A new identity, and the Set-Cookie header that gives it to the visitor."""
        identity = secrets.token_urlsafe(16)
        value = self._cookies.sign(identity).decode()
        secure = "; Secure" if self._secure else ""
        cookie = f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"
        return identity, cookie.encode()


def _unsign(signer: Signer, value: str | None) -> str | None:
    if not value:
        return None
    try:
        return signer.unsign(value).decode()
    except (BadSignature, UnicodeError):
        return None


class Limits:
    """How often somebody may do something, counted by whole minutes.

    Args:
        settings: how often.
        clock: seconds.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._minute = -1
        self._counts: Counter[tuple[str, str]] = Counter()

    def command(self, who: str) -> None:
        """Count a command. Raises TooMany."""
        self._hit("command", who, self._settings.commands_per_minute)

    def table(self, address: str) -> None:
        """Count an opened table. Raises TooMany."""
        self._hit("table", address, self._settings.tables_per_minute)

    def _hit(self, what: str, who: str, most: int) -> None:
        minute, second = divmod(int(self._clock()), 60)
        if minute != self._minute:
            self._minute = minute
            self._counts.clear()
        self._counts[what, who] += 1
        if self._counts[what, who] > most:
            raise TooMany(f"More than {most} a minute. Wait a little, then go on.", 60 - second)


def site_of(request: Request) -> Site:
    """The server's parts."""
    found: Site = request.app.state.site
    return found


def caller_of(request: Request) -> Caller:
    """Who sends this request. Somebody new gets an identity with the answer.

    Raises Unknown for a personal token that is not ours.
    """
    identities = site_of(request).identities
    authorization = request.headers.get("authorization", "")
    if authorization.lower().startswith("bearer "):
        token = authorization[7:].strip()
        if not token.startswith(TOKEN_PREFIX):
            return Caller(None, token)
        identity = identities.from_token(token)
        if identity is None:
            raise Unknown("This token is not known here.")
        return Caller(identity)
    identity = identities.from_cookie(request.cookies.get(COOKIE))
    if identity is None:
        identity, cookie = identities.new()
        request.scope["state"]["set_cookie"] = cookie
        return Caller(identity, counted=address_of(request))
    return Caller(identity)


# Dependencies are coroutines though they wait for nothing: FastAPI would run plain functions in a
# thread, twice for every request.


async def _site(request: Request) -> Site:
    return site_of(request)


async def _caller(request: Request) -> Caller:
    return caller_of(request)


SiteDep = Annotated[Site, Depends(_site)]
CallerDep = Annotated[Caller, Depends(_caller)]


def viewer_of(table: LiveTable, who: Caller) -> Viewer:
    """The seats that a caller holds at a table. Raises Unknown for a token that opens none of them."""
    seats = table.seats_of(who)
    if who.seat_token and not seats:
        raise Unknown("This token is not for a seat at this table.")
    return seats


def name_of(who: Caller) -> str:
    """What a caller's requests are counted by."""
    return who.counted or who.identity or who.seat_token or ""


def address_of(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""
