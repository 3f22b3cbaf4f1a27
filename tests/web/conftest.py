"""Fixtures: servers in this process, their guests, and four more games to play there."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.games import registry
from tests.chance import fall_alike
from tests.web import burrows, envelopes, patrol, skirmish
from tests.web.house import House, Visitor, open_house


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop that the server has; one for all tests, so that they can share a server."""
    return "asyncio"


@pytest.fixture(scope="package")
def plug_ins() -> Iterator[None]:
    """Four test games beside the real ones, found as plug-ins are."""
    more = {
        **registry._plugins(),
        **{plugin.META.id: plugin for plugin in (skirmish, envelopes, patrol, burrows)},
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_plugins", lambda: more)
        yield


@pytest.fixture(scope="package")
async def shared_house(
    tmp_path_factory: pytest.TempPathFactory, plug_ins: None, anyio_backend: str
) -> AsyncIterator[House]:
    """One server for all tests that only look at tables of their own."""
    async with open_house(tmp_path_factory.mktemp("house") / "data") as opened:
        yield opened


@pytest.fixture
async def house(shared_house: House) -> AsyncIterator[House]:
    """A server that others use too. Guests and streams of the test leave with it."""
    yield shared_house
    await shared_house.close()


@pytest.fixture
async def own_house(tmp_path: Path, plug_ins: None, anyio_backend: str) -> AsyncIterator[House]:
    """A server with a new database, for one test alone."""
    async with open_house(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
async def ann(house: House) -> Visitor:
    """A visitor of the shared server."""
    return await house.visitor()


@pytest.fixture
async def bob(house: House) -> Visitor:
    """Another one."""
    return await house.visitor()


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has dice of its own, whatever ran before it."""
    fall_alike(monkeypatch, lambda: request.node.nodeid)
