"""The archive's commands: what the operator does with kept tables in a terminal.

Belongs here: their options, words and exit statuses. Does not belong here: what they do (the other modules of this
package), settings and the data folder (app.cli hands them in). Commands that only read work beside a running
server; those that write need the data folder to themselves.

Exit status: 0 all is well, 1 something is wrong with what was checked, 2 it can't be done.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Never, TypeVar

import typer

if TYPE_CHECKING:
    from app.archive.branching import Made
    from app.settings import Settings
    from app.tables.live import LiveTable
    from app.tables.service import Service

T = TypeVar("T")

OPERATOR = "operator"
"""Whose tables are that the operator makes: no visitor is called so."""

Data = Annotated[Path | None, typer.Option(help="Folder for everything the server keeps.")]
Table = Annotated[str, typer.Argument(help="A table's id, as in its address.")]


@dataclass(frozen=True)
class Tools:
    """What the command line has for all commands.

    `settings` makes the settings of a data folder. `owned` keeps that folder for this process, brought up to date,
    or ends it with a line that says who has it.
    """

    settings: "Callable[[Path | None], Settings]"
    owned: "Callable[[Settings], AbstractContextManager[Any]]"


def install(cli: typer.Typer, tools: Tools) -> None:
    """Add the commands."""
    for make in (_check, _show, _replay, _verify, _export, _import, _fork):
        make(cli, tools)


def _check(cli: typer.Typer, tools: Tools) -> None:
    @cli.command()
    def check(
        file: Annotated[
            Path | None,
            typer.Argument(help="A database, or a copy of one; else the data folder's."),
        ] = None,
        data: Data = None,
    ) -> None:
        """List tables that this version would not load, or would ask another question. Do it before an upgrade."""
        from app.archive.checking import Uncheckable
        from app.archive.checking import check as checked
        from app.migrate import MigrationError

        url = f"sqlite:///{file}" if file else tools.settings(data).url
        try:
            report = checked(url)
        except (Uncheckable, MigrationError) as error:
            _stop(str(error))
        for one in report.troubles:
            typer.echo(f"{one.table}  {one.name} ({one.game}): {one.why}")
        if report.unmarked:
            typer.echo(
                f"Of {report.unmarked} tables in play an older version has not kept what was asked; "
                "they load, and that is all that can be said."
            )
        wrong = len(report.troubles)
        typer.echo(f"{report.tables} tables checked, {wrong or 'none'} with trouble.")
        raise typer.Exit(1 if wrong else 0)


def _show(cli: typer.Typer, tools: Tools) -> None:
    @cli.command()
    def show(
        table: Table,
        data: Data = None,
        log: Annotated[bool, typer.Option("--log", help="The whole log.")] = False,
        as_json: Annotated[
            bool, typer.Option("--json", help="The view and the log as JSON.")
        ] = False,
        secrets: Annotated[
            bool, typer.Option("--secrets", help="Also what players hide from each other.")
        ] = False,
    ) -> None:
        """Show a table: its seats, what is to be done, the last lines of its log."""
        import msgspec

        from app.archive.telling import told
        from app.tables.looking import entry_views, view_of

        async def work(service: "Service") -> None:
            found = await service.get(table)
            viewer = frozenset(found.claims if secrets or found.finished else ())
            if not as_json:
                typer.echo("\n".join(told(found, viewer, whole=log)))
                return
            lines = entry_views(found, found.entries, viewer)
            shown = {"view": view_of(found, viewer), "log": lines}
            typer.echo(msgspec.json.encode(shown).decode())

        if secrets:
            typer.echo("contrail: what players hide from each other is shown", err=True)
        _reading(tools, data, work)


def _replay(cli: typer.Typer, tools: Tools) -> None:
    @cli.command()
    def replay(
        table: Annotated[str, typer.Argument(help="A table's id, or an exported file.")],
        data: Data = None,
    ) -> None:
        """Decide a table again from its own choices and dice, and say where these rules differ."""
        from app.archive.proving import replay_finding
        from app.archive.replaying import replay as again

        found, _ = _found(tools, data, table)
        _said(replay_finding(again(found)))


def _verify(cli: typer.Typer, tools: Tools) -> None:
    @cli.command(name="verify-dice")
    def verify_dice(
        table: Annotated[str, typer.Argument(help="A table's id, or an exported file.")],
        data: Data = None,
    ) -> None:
        """Compute every die of a table again from its seed, and follow the chain of its entries."""
        from app.archive.proving import chain_finding, dice_finding

        found, rows = _found(tools, data, table)
        if not found.finished:
            _stop("the game is in play: its dice can be checked when it is over")
        _said(chain_finding(rows), dice_finding(found))


def _export(cli: typer.Typer, tools: Tools) -> None:
    @cli.command()
    def export(
        table: Table,
        file: Annotated[Path | None, typer.Argument(help="Where to; else it is printed.")] = None,
        data: Data = None,
        whole: Annotated[
            bool, typer.Option("--whole", help="All of a game in play too, with what players hide.")
        ] = False,
    ) -> None:
        """Write a table as one JSON document: whole when the game is over, till then as a spectator sees it."""
        from app.archive.document import written
        from app.archive.exporting import export as exported
        from app.archive.exporting import whole as exported_whole

        async def work(service: "Service") -> bytes:
            if whole:
                return written(await exported_whole(service.store, table))
            return written(await exported(service, table, frozenset()))

        document = _reading(tools, data, work)
        if file is None:
            typer.echo(document)
            return
        try:
            with file.open("xb") as target:
                target.write(document)
        except FileExistsError:
            _stop(f"{file} is there already; choose another name")
        except OSError as error:
            _stop(f"{file} can't be written: {error.strerror}")
        typer.echo(f"written to {file}")


def _import(cli: typer.Typer, tools: Tools) -> None:
    @cli.command(name="import")
    def import_(
        file: Annotated[Path, typer.Argument(help="An exported table.")], data: Data = None
    ) -> None:
        """Make a table of an exported one: to look at when its game is over, else to go on from."""
        from app.archive.branching import Made
        from app.archive.importing import import_document
        from app.tables.live import Caller

        document = _read(file)

        async def work(service: "Service") -> None:
            who = Caller(OPERATOR)
            done = await import_document(service, document, who, seats="none", by="the operator")
            if not isinstance(done, Made):
                typer.echo(
                    f"It is what one viewer saw; it can be read at {_at(settings)}/kept/{done.id}"
                )
                return
            _told(settings, done)

        settings = tools.settings(data)
        _writing(tools, settings, work)


def _fork(cli: typer.Typer, tools: Tools) -> None:
    @cli.command()
    def fork(
        table: Table,
        data: Data = None,
        at: Annotated[
            int | None, typer.Option(min=1, help="The entry after which it parts; else the newest.")
        ] = None,
        secrets: Annotated[
            bool,
            typer.Option("--secrets", help="Also where players hide something from each other."),
        ] = False,
    ) -> None:
        """Open a table that goes on from a moment of another one, with dice of its own; print its invitations."""
        from app.archive.forking import fork as forked
        from app.tables.live import Caller

        async def work(service: "Service") -> None:
            claims = (await service.get(table)).claims
            viewer = frozenset(claims if secrets else ())
            who = Caller(OPERATOR)
            _told(settings, await forked(service, table, who, at, seats="none", viewer=viewer))

        settings = tools.settings(data)
        _writing(tools, settings, work)


# What they share


def _found(tools: Tools, data: Path | None, table: str) -> "tuple[LiveTable, Any]":
    """A table of the server, or of a file, with its rows."""
    from app.archive.importing import opened_file, table_in
    from app.engine.errors import Refused
    from app.tables.store import entries_of

    file = Path(table)
    if file.suffix == ".json" or file.is_file():
        try:
            return table_in(opened_file(_read(file))[0])
        except Refused as refused:
            _stop(refused.detail)

    async def work(service: "Service") -> "tuple[LiveTable, Any]":
        return await service.get(table), await service.store.read(entries_of(table))

    return _reading(tools, data, work)


def _reading(tools: Tools, data: Path | None, work: "Callable[[Service], Awaitable[T]]") -> T:
    """Do something that only reads, of the database as it is."""
    settings = tools.settings(data)
    if settings.database_url is None and not (settings.data / "contrail.db").is_file():
        _stop(f"there is no contrail.db in {settings.data}. Is it the right folder?")
    return _done(settings, work)


def _writing(tools: Tools, settings: "Settings", work: "Callable[[Service], Awaitable[T]]") -> T:
    """Do something that writes, with the data folder to ourselves."""
    with tools.owned(settings):
        return _done(settings, work)


def _done(settings: "Settings", work: "Callable[[Service], Awaitable[T]]") -> T:
    from sqlalchemy import text

    from app.engine.errors import Refused
    from app.migrate import newest
    from app.tables.service import Service
    from app.tables.store import Store

    async def run() -> T:
        store = Store(settings.url)
        try:
            at = await store.read(text("SELECT version_num FROM alembic_version"))
            if not at or at[0]["version_num"] != newest():
                _stop(
                    "the database is not as this version has it: bring it up to date with the command "
                    "migrate, or look into it with the command check"
                )
            return await work(Service(store, lambda table, who: None))
        finally:
            store.close()

    try:
        return asyncio.run(run())
    except Refused as refused:
        _stop(refused.detail)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        _stop(f"{file} can't be read: {error.strerror}")


def _said(*findings: Any) -> None:
    """Print what was found, and end with 1 if something is wrong."""
    for one in findings:
        typer.echo(one.text if one.right is not False else f"WRONG: {one.text}")
    raise typer.Exit(1 if any(one.right is False for one in findings) else 0)


def _at(settings: "Settings") -> str:
    return settings.public_url or f"http://{settings.host}:{settings.port}"


def _told(settings: "Settings", made: "Made") -> None:
    """Where a table is, and the invitations to its free seats."""
    table = made.table
    typer.echo(
        f"{'Table' if made.new else 'It is there already: table'} {table.id}: {_at(settings)}/tables/{table.id}"
    )
    for seat in table.seats:
        if not table.taken(seat.id) and not table.finished:
            typer.echo(f"  {seat.label}: {_at(settings)}/join/{table.claims[seat.id].invite}")


def _stop(message: str) -> Never:
    print(f"contrail: {message}", file=sys.stderr)  # noqa: T201 - a command says why it ends
    raise typer.Exit(2)
