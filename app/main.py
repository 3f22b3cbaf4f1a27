"""The one place where the parts are put together."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator

from fastapi import FastAPI
from sqlalchemy import select

from app import __version__
from app.descriptors import watch_descriptors
from app.games import registry
from app.keys import server_key
from app.records.book import Book
from app.records.crew import Crew
from app.settings import Settings, resource
from app.simulation.jobs import Jobs
from app.simulation.keeping import Files
from app.tables import models
from app.tables.autoplay import Autoplay
from app.tables.frames import Hub
from app.tables.service import Service
from app.tables.setups import Setups
from app.tables.store import Store
from app.thinking.pool import Thinkers, thinkers_for
from app.web import (
    adopting,
    after,
    api,
    archive,
    audit,
    book,
    errors,
    health,
    lobby,
    openapi,
    rules,
    setups,
    simulations,
    stream,
    tables,
)
from app.web.assets import Assets
from app.web.deps import Identities, Limits, Site
from app.web.guard import Compression, Guard
from app.web.templating import Pages, game_folder

DESCRIPTION = (
    "Tables for air and space wargames with rules that the server enforces. "
    "The pages and these calls are two doors to the same tables."
)


def create_app(settings: Settings, thinkers: Thinkers | None = None) -> FastAPI:
    """The web application of one server. Its database must have been migrated.

    Bots think in `thinkers`, which are best made long before: see `thinkers_for`.
    """
    thinkers = thinkers or thinkers_for(settings)
    settings.data.mkdir(parents=True, exist_ok=True)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        site: Site = app.state.site
        await site.service.store.read(select(models.game_table.c.id).limit(1))
        closing: asyncio.Event = app.state.closing
        helpers = [
            asyncio.create_task(stream.ping_forever(site.hub)),
            asyncio.create_task(_close_when(closing, site.hub)),
            asyncio.create_task(watch_descriptors()),
        ]
        try:
            yield
        finally:
            for helper in helpers:
                helper.cancel()
            await app.state.bots.close()
            await asyncio.to_thread(app.state.simulations.close)
            site.service.store.close()

    app = FastAPI(
        title="Contrail",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    pages = Pages()
    hub = Hub(pages.renderer, time.monotonic)
    store = Store(settings.url)
    service = Service(store, hub.publish, keep=settings.live_tables)
    crew = Crew(store)
    service.keeper = crew
    service.parted = hub.part
    app.state.bots = Autoplay(service, settings.bot_pause_ms / 1000, thinkers)
    app.state.closing = asyncio.Event()
    app.state.importing = asyncio.Semaphore(1)
    app.state.pages = pages
    app.state.simulations = Jobs(
        at_once=settings.simulations_at_once,
        waiting=settings.simulations_waiting,
        seconds=settings.simulation_seconds,
        keep=settings.simulation_kept_seconds,
        megabytes=settings.simulation_megabytes,
        files=Files(settings.data / "simulations"),
    )
    app.state.site = Site(
        settings=settings,
        service=service,
        hub=hub,
        pages=pages,
        identities=Identities(server_key(settings.data), secure=settings.cookies_are_secure),
        limits=Limits(settings),
        setups=Setups(store),
        book=Book(store),
        crew=crew,
    )

    for router in (
        tables.router,  # first: with the route of the command that pages send all the time
        stream.router,
        *api.ROUTERS,
        after.router,
        adopting.router,
        lobby.router,
        setups.router,
        rules.router,
        book.router,
        simulations.router,
        archive.router,
        audit.router,
        health.router,
    ):
        app.include_router(router)
    for game in registry.metas():
        folder = game_folder(game) / "static"
        if folder.is_dir():
            app.mount(f"/static/{game}", Assets(directory=folder), name=f"static-{game}")
    app.mount("/static", Assets(directory=resource("static")), name="static")
    errors.install(app)
    openapi.install(app)
    app.add_middleware(Compression, minimum_size=500, compresslevel=6)
    app.add_middleware(
        Guard,
        accepts_host=settings.accepts_host,
        max_body=settings.max_body_bytes,
        max_import=settings.max_import_bytes,
    )
    return app


async def _close_when(closing: asyncio.Event, hub: Hub) -> None:
    await closing.wait()
    hub.close()
