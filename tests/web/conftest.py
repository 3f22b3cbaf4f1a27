"""Fixtures: a server in this process, its guests, and two more games to play there."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.games import registry
from tests.web import envelopes, skirmish
from tests.web.house import House, Visitor, open_house


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop that the server has."""
    return "asyncio"


@pytest.fixture(scope="session")
def plug_ins() -> Iterator[None]:
    """Two test games beside the real ones, found as plug-ins are."""
    known = registry._plugins()
    more = {**known, skirmish.META.id: skirmish, envelopes.META.id: envelopes}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_plugins", lambda: more)
        yield


@pytest.fixture
async def house(tmp_path: Path, anyio_backend: str) -> AsyncIterator[House]:
    """A server with a new database."""
    async with open_house(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
async def games_house(
    tmp_path: Path, plug_ins: None, anyio_backend: str
) -> AsyncIterator[House]:
    """A server with the test games too."""
    async with open_house(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
async def ann(house: House) -> Visitor:
    """A visitor."""
    return await house.visitor()


@pytest.fixture
async def bob(house: House) -> Visitor:
    """Another one."""
    return await house.visitor()
