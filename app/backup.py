"""Backups: everything that a server keeps as one file, and back.

A backup is a zip: the database as SQLite itself copies it (also while a server writes), the key, whatever else
is in the data folder, and `manifest.json`, which names each with its SHA-256. Restoring checks all of it before
it touches anything, and keeps what was there in a folder of its own. Belongs here: what is in such a file, and
both ways. Does not belong here: the commands' options (cli), who may write (owner).
"""

import contextlib
import hashlib
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec
from sqlalchemy import make_url

from app import __version__
from app.keys import KEY, print_of
from app.migrate import known_revisions
from app.owner import LOCK
from app.settings import Settings

FORMAT = 1
"""The form of the archive. It rises when an older Contrail could no longer restore one."""

DATABASE = "contrail.db"
MANIFEST = "manifest.json"
KEPT_ASIDE = "before-restore-"
_UNPACKING = "restoring-"
_MOST_MANIFEST = 16 * 2**20


class BackupError(Exception):
    """A backup can't be made or restored; the message says why in one line."""


class Member(msgspec.Struct, frozen=True):
    """A file in the archive."""

    sha256: str
    bytes: int


class Manifest(msgspec.Struct, frozen=True):
    """What an archive says of itself. `schema` is the database's revision, `made` when it was written."""

    format: int
    contrail: str
    schema: str
    made: str
    members: dict[str, Member]


@dataclass(frozen=True)
class Done:
    """What was backed up or restored; `aside` is where what was there before is now."""

    manifest: Manifest
    aside: Path | None = None


def back_up(settings: Settings, target: Path) -> Done:
    """Write everything that the server keeps into one file, which must not be there. Raises BackupError.

    A server may be running on it: what it has acknowledged before is in the backup.
    """
    database = _database_of(settings)
    if not database.is_file():
        raise BackupError(f"there is no database at {database}; is it the right folder?")
    if target.exists():
        raise BackupError(f"{target} is there already, and is left as it is; name another file")
    part = target.with_name(f"{target.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent or None, prefix=".backup-") as folder:
            copy = Path(folder) / DATABASE
            _copy_database(database, copy)
            schema = _checked(copy)
            part.unlink(missing_ok=True)
            with _created(part) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
                members = {DATABASE: _pack(packed, DATABASE, copy)}
                for name, path in _others(settings.data, {database, target, part, Path(folder)}):
                    with contextlib.suppress(FileNotFoundError):  # gone since it was listed
                        members[name] = _pack(packed, name, path)
                made = datetime.now(UTC).isoformat(timespec="seconds")
                manifest = Manifest(FORMAT, __version__, schema, made, members)
                packed.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
        os.replace(part, target)
    except OSError as error:
        part.unlink(missing_ok=True)
        where = error.filename or target
        raise BackupError(f"{where}: {error.strerror or error}") from None
    except BackupError:
        part.unlink(missing_ok=True)
        raise
    return Done(manifest)


def restore(settings: Settings, source: Path) -> Done:
    """Put what a backup holds in place of what is there, which is kept in a folder beside. Raises BackupError.

    Whoever calls this owns the data folder. Nothing is touched before all of the archive has been checked.
    """
    database = _database_of(settings)
    data = settings.data
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    unpacked = Path(tempfile.mkdtemp(dir=data, prefix=_UNPACKING))
    moves: list[tuple[Path, Path]] = []
    aside = data / f"{KEPT_ASIDE}{now}-{os.getpid()}"
    try:
        manifest = _unpack(source, unpacked)
        _check_members(manifest, unpacked)
        there = [path for path in data.iterdir() if _is_content(path)]
        if database.parent.absolute() != data.absolute():
            there += [path for path in _files_of(database) if path.exists()]
        _hand_over(unpacked, data)
        if there:
            aside.mkdir(mode=0o700)
            # The files beside the database first: without them it is as it was when they were last taken in,
            # and with a new one they would be another one's.
            for path in sorted(there, key=lambda one: one.name, reverse=True):
                _move(path, aside / path.name, moves)
        for path in sorted(unpacked.iterdir()):
            _move(path, database if path.name == DATABASE else data / path.name, moves)
        return Done(manifest, aside if there else None)
    except OSError as error:
        said = f"{error.filename or source}: {error.strerror or error}"
        raise BackupError(f"{said}. {_moved_back(moves, aside)}") from None
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)


def _move(path: Path, to: Path, moves: list[tuple[Path, Path]]) -> None:
    """Move a file or folder, and note it."""
    shutil.move(path, to)
    moves.append((path, to))


def _moved_back(moves: list[tuple[Path, Path]], aside: Path) -> str:
    """Undo what a restore has moved, the last first. Says where what was there is now."""
    try:
        for path, now in reversed(moves):
            shutil.move(now, path)
        if aside.exists():
            aside.rmdir()
    except OSError as error:
        return (
            f"What was there before is in {aside} and could not be put back "
            f"({error.strerror or error}): move it back by hand"
        )
    return "Nothing is changed: what was there before is there again"


def _database_of(settings: Settings) -> Path:
    url = make_url(settings.url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise BackupError(
            "the database is not a file of SQLite's: back it up with its own tools (pg_dump), and "
            f"{settings.data / KEY} with it"
        )
    return Path(url.database)


def _files_of(database: Path) -> list[Path]:
    """A database and what SQLite keeps beside it."""
    return [database.with_name(database.name + end) for end in ("", "-wal", "-shm", "-journal")]


def _is_content(path: Path) -> bool:
    """Whether something in a data folder is what a server keeps, and not the work of these commands."""
    return not _is_work(path.name) and not _is_archive(path)


def _is_work(name: str) -> bool:
    return name == LOCK or name.startswith((KEPT_ASIDE, _UNPACKING, ".backup-"))


def _is_archive(path: Path) -> bool:
    """Whether a file is a backup: one that lies in the folder is not packed into the next."""
    if path.suffix == ".part":
        return True
    try:
        if not path.is_file() or not zipfile.is_zipfile(path):
            return False
        with zipfile.ZipFile(path) as packed:
            return MANIFEST in packed.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def _others(data: Path, without: set[Path]) -> Iterator[tuple[str, Path]]:
    """What is to be kept besides the database: names as they stand in the archive, and files."""
    skipped = {one.absolute() for path in without for one in _files_of(path)}
    for top in sorted(data.iterdir()):
        if top.absolute() in skipped or not _is_content(top) or top.name == f"{KEY}.new":
            continue
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(data).as_posix(), path


def _copy_database(source: Path, copy: Path) -> None:
    """SQLite's own copy of one moment, which other programs' writing does not disturb."""
    copy.touch(mode=0o600)
    try:
        reading = sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
        with contextlib.closing(reading), contextlib.closing(sqlite3.connect(copy)) as writing:
            reading.backup(writing)
            writing.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
    except sqlite3.Error as error:
        raise BackupError(f"the database {source} cannot be copied: {error}") from None


def _checked(database: Path) -> str:
    """The revision of a database that is whole. Raises BackupError."""
    try:
        with contextlib.closing(sqlite3.connect(database)) as stored:
            said = stored.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if said != "ok":
                raise BackupError(f"the database is damaged: {said.splitlines()[0]}")
            if stored.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise BackupError("the database is damaged: there are rows without their parent")
            return stored.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    except sqlite3.Error as error:
        raise BackupError(f"the database is damaged: {error}") from None
    except TypeError:
        raise BackupError("the database has no revision; it is not Contrail's") from None


def _created(path: Path) -> IO[bytes]:
    """A new file for the owner only: it holds the key, the dice secrets and all invitations."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _pack(packed: zipfile.ZipFile, name: str, path: Path) -> Member:
    digest, size = hashlib.sha256(), 0
    info = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
    info.compress_type = zipfile.ZIP_DEFLATED
    with path.open("rb") as source, packed.open(info, "w", force_zip64=True) as target:
        while chunk := source.read(2**20):
            digest.update(chunk)
            size += len(chunk)
            target.write(chunk)
    return Member(digest.hexdigest(), size)


def _unpack(source: Path, folder: Path) -> Manifest:
    """Unpack an archive into an empty folder, checking each member. Raises BackupError."""
    try:
        with zipfile.ZipFile(source) as packed:
            manifest = _manifest_of(packed, source)
            names = packed.namelist()
            if sorted(names) != sorted([*manifest.members, MANIFEST]):
                raise BackupError(f"{source}: its manifest names other files than are in it")
            for name, member in manifest.members.items():
                _unpack_one(packed, name, member, folder, source)
            return manifest
    except FileNotFoundError:
        raise BackupError(f"there is no file {source}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise BackupError(f"{source} is no backup, or a damaged one: {error}") from None
    except OSError as error:
        raise BackupError(f"{error.filename or source}: {error.strerror or error}") from None


def _manifest_of(packed: zipfile.ZipFile, source: Path) -> Manifest:
    try:
        if packed.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
            raise BackupError(f"{source} is no backup: its manifest is too long")
        text = packed.read(MANIFEST)
    except KeyError:
        raise BackupError(f"{source} is no backup: it has no {MANIFEST}") from None
    try:
        form = msgspec.json.decode(text, type=_Form).format
        if form > FORMAT:
            raise BackupError(
                f"{source} is of format {form}, and this Contrail reads up to {FORMAT}: a newer one "
                "made it, so restore it with that one or newer"
            )
        return msgspec.json.decode(text, type=Manifest)
    except msgspec.MsgspecError as error:
        raise BackupError(f"{source} is no backup: {error}") from None


class _Form(msgspec.Struct):
    """The one thing that a manifest of any format has."""

    format: int


def _unpack_one(
    packed: zipfile.ZipFile, name: str, member: Member, folder: Path, source: Path
) -> None:
    parts = PurePosixPath(name).parts
    safe = parts and not name.startswith("/") and "\\" not in name and ":" not in name
    if not safe or any(part in ("..", ".") for part in parts) or "\0" in name:
        raise BackupError(f"{source}: it holds a file with the unsafe name {name!r}")
    if _is_work(parts[0]):
        raise BackupError(f"{source}: it holds {name!r}, which no backup has")
    path = folder.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest, left = hashlib.sha256(), member.bytes
    with packed.open(name) as stored, _created(path) as target:
        while chunk := stored.read(2**20):
            left -= len(chunk)
            if left < 0:
                break
            digest.update(chunk)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
    if left != 0 or digest.hexdigest() != member.sha256:
        raise BackupError(f"{source} is damaged: {name} is not what its manifest says")


def _check_members(manifest: Manifest, unpacked: Path) -> None:
    """See that what was unpacked makes a server's folder. Raises BackupError."""
    database, key = unpacked / DATABASE, unpacked / KEY
    if not database.is_file():
        raise BackupError(f"the backup has no {DATABASE}")
    schema = _checked(database)
    if schema not in known_revisions():
        raise BackupError(
            f"the backup's database has revision {schema}, which is unknown here; Contrail "
            f"{manifest.contrail} made it, so restore it with that one or newer"
        )
    known = _known_print(database)
    if known and (not key.is_file() or print_of(key.read_bytes().strip()) != known):
        raise BackupError(f"the backup's {KEY} is not the one that its database was used with")


def _known_print(database: Path) -> str:
    with contextlib.closing(sqlite3.connect(database)) as stored:
        try:
            return stored.execute("SELECT key_print FROM server").fetchone()[0]
        except (sqlite3.Error, TypeError):  # from before it was kept
            return ""


def _hand_over(unpacked: Path, data: Path) -> None:
    """Give what was unpacked to the folder's owner, where somebody else restores."""
    if os.name != "posix" or os.geteuid() != 0:
        return
    owner = data.stat()
    for path in [*unpacked.rglob("*")]:
        os.chown(path, owner.st_uid, owner.st_gid)


def said_of(done: Done) -> Sequence[str]:
    """What a command tells the operator of a backup."""
    files = len(done.manifest.members)
    return (
        f"{files} {'file' if files == 1 else 'files'}, made by Contrail {done.manifest.contrail} at "
        f"{done.manifest.made}, database at revision {done.manifest.schema}",
        *([f"what was there before is in {done.aside}"] if done.aside else []),
    )
