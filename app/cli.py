"""The operator's commands. `python -m app` alone is `python -m app serve`."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Never

import typer
from pydantic import ValidationError

from app import __version__, assets
from app.descriptors import connections_for, raise_descriptors
from app.settings import Settings, resource
from app.simulation.command import simulate

if TYPE_CHECKING:
    from fastapi import FastAPI

    from app.thinking.pool import Thinkers

# Tracebacks decorated with every local variable help nobody who runs a server.
cli = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=False)

LAST_SECONDS = 4.0
"""Seconds in which a server that is stopped may put things in order."""

Host = Annotated[str | None, typer.Option(help="Address to listen on; 0.0.0.0 for the whole LAN.")]
Port = Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes any free one.")]
Data = Annotated[Path | None, typer.Option(help="Folder for everything the server keeps.")]


@cli.callback(invoke_without_command=True)
def default(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Contrail, a web tabletop for games of air combat. Without a command it serves."""
    if version:
        print(f"Contrail {__version__}")
    elif context.invoked_subcommand is None:
        serve()


@cli.command()
def serve(host: Host = None, port: Port = None, data: Data = None) -> None:
    """Bring the database up to date, then serve until stopped."""
    settings = _settings(host=host, port=port, data=data)
    if not assets.present(resource("static")):
        _stop("htmx is missing from static/vendor; fetch it with: python -m app assets")
    from app.thinking.pool import thinkers_for  # here, as the other commands start faster without

    # It forks, so it comes before what makes this process large: the web, the database.
    thinkers = thinkers_for(settings)
    # The port comes before the database: if another server has it, that one may use the file.
    with _listen(settings) as listening:
        _migrate(settings)
        _serve(settings, listening, thinkers)


@cli.command()
def migrate(data: Data = None) -> None:
    """Bring the database up to date, and nothing else."""
    _migrate(_settings(data=data))


@cli.command(name="assets")
def fetch_assets() -> None:
    """Fetch htmx by npm into static/vendor. An installed Contrail has it already."""
    root = Path(__file__).resolve().parent.parent
    if not (root / "package-lock.json").is_file():
        print("assets: this is an installed Contrail, and they came with it")
        return
    try:
        print(assets.vendor(root))
    except (assets.AssetsError, OSError) as error:
        _stop(str(error))


cli.command()(simulate)


def main() -> None:
    """Run the command line."""
    cli(prog_name="contrail")


def _stop(message: str) -> Never:
    print(f"contrail: {message}", file=sys.stderr)
    raise typer.Exit(1)


def _settings(**options: object) -> Settings:
    """The settings, where what stands on the command line wins over the environment."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        _stop(
            "; ".join(
                f"CONTRAIL_{str(e['loc'][0]).upper()}={e['input']!r}: "
                f"{e['msg'].removeprefix('Value error, ')}"
                for e in error.errors()
            )
        )


def _migrate(settings: Settings) -> None:
    from app.migrate import MigrationError, migrate  # here, as `assets` needs no database

    folder = settings.data
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        _stop(f"the data folder {folder} is not a folder")
    except OSError as error:
        _stop(f"the data folder {folder} cannot be written to: {error.strerror}")
    others = sorted(path.name for path in folder.iterdir())
    if settings.database_url is None and "contrail.db" not in others and others:
        print(
            f"contrail: warning: {folder} holds {', '.join(others[:3])} but no contrail.db, "
            "so a new database is made there. Is it the right folder?",
            file=sys.stderr,
        )
    try:
        print(migrate(settings.url), flush=True)
    except MigrationError as error:
        _stop(str(error))


@contextlib.contextmanager
def _listen(settings: Settings) -> Generator[socket.socket]:
    """A bound socket, so that a bad address or a port in use is known before anything else."""
    listening: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        # After a restart, connections of the run before must not block the port.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)  # now, or two servers could both bind and one fail much later
    except OSError as error:
        if listening:
            listening.close()
        why = error.strerror or str(error)
        hint = ". Try another with --port" if error.errno == errno.EADDRINUSE else ""
        _stop(f"cannot listen on {settings.host} port {settings.port}: {why}{hint}")
    with listening:
        yield listening


def _addresses(settings: Settings, listening: socket.socket) -> str:
    port: int = listening.getsockname()[1]
    if settings.host not in ("0.0.0.0", "::", ""):
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        return f"http://{host}:{port}"
    urls = f"http://127.0.0.1:{port}"
    # Connecting a UDP socket sends nothing; it only asks which own address would be used.
    with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        urls += f" and, for others on this network, http://{probe.getsockname()[0]}:{port}"
    return urls


def _end_at_last(leaving: threading.Event) -> None:
    """End this process some seconds after it was asked to end, if it has not by then.

    What was acknowledged is durable by then, so nothing is lost.
    """
    leaving.wait()
    time.sleep(LAST_SECONDS)
    print("contrail: something did not end in time, so all of it ends now", file=sys.stderr)
    sys.stderr.flush()
    os._exit(1)


def _serve(settings: Settings, listening: socket.socket, thinkers: "Thinkers") -> None:
    import uvicorn  # here, as the other commands start faster without it

    from app.connections import Limits, bounded
    from app.main import create_app

    class Server(uvicorn.Server):
        """Says where it is, and stops at once however many streams are open."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                where = _addresses(settings, listening)
                if settings.public_url:
                    where += f", published as {settings.public_url}"
                print(f"Contrail is at {where}", flush=True)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # uvicorn waits for open responses before it runs the lifespan's end, and a stream of
            # events is open for good. So the streams hear of it here, first.
            closing.set()
            await super().shutdown(sockets)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            # Whatever hangs, be it a game's rules in this very thread: this ends.
            leaving.set()
            super().handle_exit(sig, frame)

    # For our own loggers; uvicorn sets up its own.
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(levelname)s:     %(name)s: %(message)s"
    )
    descriptors = raise_descriptors()
    leaving = threading.Event()
    threading.Thread(target=_end_at_last, args=(leaving,), daemon=True).start()
    app: FastAPI = create_app(settings, thinkers)
    # Streams end when this event is set; create_app may bring its own.
    closing: asyncio.Event = getattr(app.state, "closing", None) or asyncio.Event()
    app.state.closing = closing
    # What is loaded now stays: the collector of garbage need not look at it again and again, nor so
    # often, as states and views refer to each other in one direction only.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    server = Server(
        uvicorn.Config(
            app,
            loop="uvloop" if sys.platform != "win32" else "asyncio",
            http=bounded(
                Limits(
                    head_bytes=settings.max_header_bytes,
                    message_bytes=settings.max_header_bytes + 4 * settings.max_body_bytes,
                    head_seconds=settings.header_seconds,
                    body_seconds=settings.body_seconds,
                    stall_seconds=settings.body_seconds,
                    connections=connections_for(settings.connections, descriptors),
                    per_address=settings.connections_per_address,
                    trusted=settings.forwarded_allow_ips,
                )
            ),
            ws="none",
            lifespan="on",
            log_level=settings.log_level,
            access_log=False,
            server_header=False,
            forwarded_allow_ips=settings.forwarded_allow_ips,
            timeout_graceful_shutdown=2,
        )
    )
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        _stop("the server could not start; the reason stands above")
