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
from app.archive import command as archive
from app.descriptors import connections_for, raise_descriptors
from app.settings import DOTENV, Settings, resource, unknown_settings
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
NewKey = Annotated[
    bool, typer.Option("--new-key", help="Go on with another secret.key: old seats are nobody's.")
]
SchemaOf = Annotated[
    str | None,
    typer.Argument(help='A game\'s id, or "table" for the events of every table. All without it.'),
]
Unreleased = Annotated[
    bool,
    typer.Option("--unreleased", help="Nobody has tables of this edition yet: write it anew."),
]
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
def serve(host: Host = None, port: Port = None, data: Data = None, new_key: NewKey = False) -> None:
    """Bring the database up to date, then serve until stopped."""
    settings = _settings(host=host, port=port, data=data)
    if not assets.present(resource("static")):
        _stop("the pages' scripts are missing from static; make them with: python -m app assets")
    from app.thinking.pool import thinkers_for  # here, as the other commands start faster without

    # It forks, so it comes before what makes this process large: the web, the database.
    thinkers = thinkers_for(settings)
    # The port comes before the database: if another server has it, that one may use the file.
    with _listen(settings) as listening, _owning(settings, _addresses(settings, listening)):
        _migrate(settings)
        _settle_key(settings, new=new_key)
        _serve(settings, listening, thinkers)


@cli.command()
def migrate(data: Data = None) -> None:
    """Bring the database up to date, and nothing else."""
    settings = _settings(data=data)
    with _owning(settings, "which brings the database up to date"):
        _migrate(settings)


@cli.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not be there.")],
    data: Data = None,
) -> None:
    """Write all that a server keeps into one file; it may be running. The file holds every secret."""
    from app.backup import BackupError, back_up, said_of

    try:
        done = back_up(_settings(data=data), file)
    except BackupError as error:
        _stop(str(error))
    print(f"{file}: " + "; ".join(said_of(done)))


@cli.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `backup` has written.")],
    data: Data = None,
) -> None:
    """Put what a backup holds in place of what is there, which is kept. No server may be running."""
    from app.backup import BackupError, said_of
    from app.backup import restore as put_back

    settings = _settings(data=data)
    with _owning(settings, "which restores a backup"):
        try:
            done = put_back(settings, file)
        except BackupError as error:
            _stop(str(error))
    print(f"{settings.data}: " + "; ".join(said_of(done)))


@cli.command(name="assets")
def fetch_assets() -> None:
    """Fetch htmx and build the pages' scripts, by npm. An installed Contrail has them already."""
    root = Path(__file__).resolve().parent.parent
    if not (root / "package-lock.json").is_file():
        print("assets: this is an installed Contrail, and they came with it")
        return
    try:
        print(assets.make(root))
    except (assets.AssetsError, OSError) as error:
        _stop(str(error))


cli.command()(simulate)


@cli.command()
def schema(game: SchemaOf = None, unreleased: Unreleased = False) -> None:
    """Write the files that say what form a game's events have. For those who change a game."""
    from app.schema import write  # here, as the other commands start faster without

    write(game, unreleased)


@contextlib.contextmanager
def _owned(settings: Settings) -> Generator[None]:
    """The data folder, ours alone and up to date."""
    with _owning(settings, "which changes its tables"):
        _migrate(settings)
        yield


archive.install(cli, archive.Tools(lambda data: _settings(data=data), _owned))


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
        _check_names()
        return Settings(**given)
    except (OSError, UnicodeError) as error:
        _stop(f"{DOTENV} cannot be read: {getattr(error, 'strerror', None) or error}")
    except ValidationError as error:
        _stop(
            "; ".join(
                f"{_setting(str(e['loc'][0]), e['input'])}: {e['msg'].removeprefix('Value error, ')}"
                for e in error.errors()
            )
        )


def _check_names() -> None:
    """Stop for a setting that is misspelt, as what it was to change would silently stay; tell of stranger ones."""
    strange = unknown_settings()
    if wrong := {name: nearest for name, nearest in strange.items() if nearest}:
        _stop("; ".join(f"{name} is no setting; is it {near}?" for name, near in wrong.items()))
    for name in strange:
        print(f"contrail: warning: {name} is no setting", file=sys.stderr)


def _setting(name: str, value: object) -> str:
    """A setting as it was given; an address may hold a password, which is nobody's."""
    shown = "" if name == "database_url" else f"={value!r}"
    return f"CONTRAIL_{name.upper()}{shown}"


@contextlib.contextmanager
def _owning(settings: Settings, where: str) -> Generator[None]:
    """The data folder, there and ours alone."""
    from app.owner import Owned, owning  # here, as `assets` needs no database

    _check_folder(settings.data)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(owning(settings, where))
        except Owned as error:
            _stop(str(error))
        except OSError as error:
            _stop(f"cannot lock {error.filename or settings.data}: {error.strerror}")
        yield


def _check_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        _stop(f"the data folder {folder} is not a folder")
    except OSError as error:
        _stop(f"the data folder {folder} cannot be written to: {error.strerror}")


def _migrate(settings: Settings) -> None:
    from app.migrate import MigrationError, migrate  # here, as `assets` needs no database
    from app.owner import LOCK

    folder = settings.data
    others = sorted(path.name for path in folder.iterdir() if path.name != LOCK)
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


def _settle_key(settings: Settings, *, new: bool) -> None:
    from app.keys import KeyTrouble, settle_key

    try:
        settle_key(settings, new=new)
    except KeyTrouble as error:
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
