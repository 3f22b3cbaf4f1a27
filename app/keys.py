"""The server's key: the secret by which visitors' identities are signed, kept beside the database.

With another key every seat, table and person is nobody's, as no cookie names its holder any more. So a database
remembers a print of the key it was used with. Belongs here: making, reading and comparing the key. Does not
belong here: what is signed with it (app.web.deps).
"""

import hashlib
import secrets
from pathlib import Path

from sqlalchemy import create_engine, select, update
from sqlalchemy.exc import SQLAlchemyError

from app.settings import Settings
from app.tables import models

KEY = "secret.key"


class KeyTrouble(Exception):
    """The key can't be read, or is not the one of this database; the message says so in one line."""


def server_key(data: Path) -> bytes:
    """The server's secret, made at the first start and readable by its owner only."""
    path = data / KEY
    if not path.exists() or not path.read_text().strip():
        # Whole or not at all: with an empty key anybody could sign.
        made = data / f"{KEY}.new"
        made.touch(mode=0o600)
        made.write_text(secrets.token_hex(32))
        made.replace(path)
    return path.read_text().strip().encode()


def print_of(key: bytes) -> str:
    """What may be stored of a key."""
    return hashlib.sha256(b"contrail key\n" + key).hexdigest()


def settle_key(settings: Settings, *, new: bool = False) -> None:
    """See that the key in the data folder is the one that the database was used with; the first one is.

    `new` takes over another one. The database must have been migrated. Raises KeyTrouble.
    """
    path = settings.data / KEY
    try:
        there = path.exists() and bool(path.read_text().strip())
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise KeyTrouble(f"{path} cannot be read: {why}") from None
    engine = create_engine(settings.url, hide_parameters=True)
    server, claim = models.server, models.seat_claim
    try:
        with engine.begin() as connection:
            known = connection.scalar(select(server.c.key_print)) or ""
            held = select(claim.c.seat).where(claim.c.identity.is_not(None)).limit(1)
            used = known or connection.scalar(held)
            if used and not there and not new:
                raise KeyTrouble(
                    f"{path} is missing, and without it every seat in the database is nobody's. "
                    "Put it back, or restore a backup; to go on with a new key, start with --new-key"
                )
            key = print_of(server_key(settings.data))
            if known and known != key and not new:
                raise KeyTrouble(
                    f"{path} is not the key that this database was used with, so every seat in it would "
                    "be nobody's. Put that key back, or restore a backup; to go on with this one, "
                    "start with --new-key"
                )
            if known != key:
                connection.execute(update(server).values(key_print=key))
    except SQLAlchemyError as error:
        raise KeyTrouble(f"the database: {getattr(error, 'orig', None) or error}") from None
    except OSError as error:
        raise KeyTrouble(f"{path} cannot be made: {error.strerror}") from None
    finally:
        engine.dispose()
