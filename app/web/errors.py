"""Errors as answers: Problem Details (RFC 9457) for scripts, a fragment or a page for people.

Every error names the request's number, so that a player can report it.
"""

from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from app.engine.errors import Refused


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error. `rule` is the id of the rule that refuses; `request_id` is for reports."""

    type: str
    title: str
    status: int
    detail: str
    rule: str | None = None
    request_id: str = ""


class Unknown(Refused):
    """A token that opens nothing here."""

    status = 401
    title = "Unknown token"


class TooMany(Refused):
    """More requests than are allowed; `retry_after` in seconds."""

    status = 429
    title = "Too many requests"

    def __init__(self, detail: str, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


def problem_response(
    scope: Scope,
    status: int,
    detail: str,
    *,
    title: str | None = None,
    rule: str | None = None,
    retry_after: int | None = None,
) -> Response:
    """The answer to a request that failed, in the form that its sender can use."""
    phrase = HTTPStatus(status).phrase
    problem = Problem(
        type="about:blank",
        title=title or phrase,
        status=status,
        detail=detail.encode(errors="replace").decode(),
        rule=rule,
        request_id=scope.get("state", {}).get("request_id", ""),
    )
    headers: dict[str, str] = {}
    if retry_after is not None:
        headers["retry-after"] = str(retry_after)
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    request_headers = dict(scope["headers"])
    app = scope.get("app")
    wants_html = b"text/html" in request_headers.get(b"accept", b"")
    partial = b"hx-request" in request_headers
    if scope["path"].startswith("/api/") or app is None or not (wants_html or partial):
        return Response(
            msgspec.json.encode(problem), status, headers, media_type="application/problem+json"
        )
    html: str = app.state.pages.problem(problem, partial=partial)
    return Response(html, status, headers, media_type="text/html")


def install(app: FastAPI) -> None:
    """Answer every kind of failure; what nobody foresaw is the guard's (500)."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return problem_response(
            request.scope,
            error.status,
            error.detail,
            title=error.title,
            rule=error.cite,
            retry_after=getattr(error, "retry_after", None),
        )

    async def malformed(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem_response(
            request.scope, 422, "; ".join(map(_where, error.errors())), title="Malformed request"
        )

    async def unwritable(request: Request, error: Exception) -> Response:
        # Half of a surrogate pair: JSON can spell it, no text can hold it.
        detail = "There is a character in this that can't be kept. Remove it and try again."
        return problem_response(request.scope, 422, detail, title="Malformed request")

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        detail = _DETAILS.get(error.status_code, error.detail)
        response = problem_response(request.scope, error.status_code, detail)
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response

    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(UnicodeEncodeError, unwritable)
    app.add_exception_handler(HTTPException, http)


_DETAILS = {
    404: "There is nothing at this address. The link may be cut short.",
    405: "This address can't be used that way.",
}


def _where(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"] if part not in ("body", "query"))
    return f"{place or 'body'}: {error['msg']}"
