"""Links that are sent to people: they must be whole addresses, as the receiver will type them."""

from fastapi import Request

from app.settings import Settings


def site_url(request: Request, settings: Settings) -> str:
    """Where this site is reached: the public address if one is set, else as this request came."""
    if settings.public_url:
        return settings.public_url
    return f"{request.url.scheme}://{request.headers.get('host', '')}"


def invite_url(request: Request, settings: Settings, invite: str) -> str:
    """The link that opens a seat."""
    return f"{site_url(request, settings)}/join/{invite}"
