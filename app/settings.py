"""What can be set, by environment variables `CONTRAIL_…` or the same in a file `.env`. Every value has a default
that runs. The environment wins over the file, which is read from the folder where a command is started.

Lists are written with commas: `CONTRAIL_ALLOWED_HOSTS=club.example.org,*.games.example.org`.
"""

import ipaddress
import os
import socket
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, NoDecode, SettingsConfigDict
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

LOCAL_DOMAINS = (".localhost", ".local", ".lan", ".internal", ".home.arpa")
"""Endings that public DNS never answers for."""


PREFIX, DOTENV = "CONTRAIL_", ".env"


def resource(name: str) -> Path:
    """The folder `static`, `templates` or `migrations`: in the wheel beside us, else in the checkout."""
    here = Path(__file__).resolve().parent
    packed = here / f"_{name}"
    return packed if packed.is_dir() else here.parent / name


class Settings(BaseSettings):
    """The settings of one server."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=DOTENV, env_file_encoding="utf-8", extra="ignore", frozen=True
    )

    # Where it listens and what it keeps
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)  # 0: any free one
    data: Path = Path("data")  # everything a server keeps is in here
    database_url: str | None = None  # None: SQLite, in contrail.db in the folder above

    # How it is reached
    public_url: str | None = None  # the address that invitations show, if a proxy stands in front
    secure_cookies: bool | None = None  # None: when public_url is https
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()  # more host names to answer to
    forwarded_allow_ips: str = "127.0.0.1"  # proxies whose X-Forwarded-* are believed

    # Limits. Generous ones: they stop a runaway script, not a fast player.
    max_body_bytes: int = Field(default=262_144, ge=1024)
    max_import_bytes: int = Field(default=16_777_216, ge=1024)  # of a table that is read in
    commands_per_minute: int = Field(default=600, ge=1)  # of one visitor
    tables_per_minute: int = Field(default=30, ge=1)  # opened from one address
    live_tables: int = Field(default=256, ge=1)  # folded and ready in memory

    bot_pause_ms: int = Field(
        default=350, ge=0
    )  # between a bot's decisions, while somebody watches

    # Simulations that visitors may start, each in a process of low priority
    simulation_games: int = Field(default=2_000, ge=1)  # the most of one
    simulation_seconds: float = Field(default=120.0, gt=0)  # then it is cut short
    simulations_at_once: int = Field(default=1, ge=1)
    simulations_waiting: int = Field(default=4, ge=0)  # more are refused
    simulation_kept_seconds: float = Field(default=3600.0, gt=0)  # for which results are shown

    log_level: Literal["critical", "error", "warning", "info", "debug"] = "info"

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip().lower() for part in value.split(",") if part.strip())
        return value

    @field_validator("database_url")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        try:
            return str(value) if value and make_url(value) else None
        except SQLAlchemyError:
            raise ValueError(
                "is no address of a database; it looks like sqlite:////data/contrail.db "
                "or postgresql+psycopg://user:password@host/name"
            ) from None

    @field_validator("public_url")
    @classmethod
    def _whole_url(cls, value: str | None) -> str | None:
        if not value:
            return None
        url = urlsplit(value)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError("must look like https://club.example.org")
        if url.path.strip("/"):
            raise ValueError("has a path, and Contrail needs a host name of its own; drop the path")
        return value.rstrip("/")

    @property
    def url(self) -> str:
        """The database's URL, for SQLAlchemy."""
        if self.database_url:
            return self.database_url
        return URL.create(
            "sqlite", database=str(self.data.absolute() / "contrail.db")
        ).render_as_string()

    @property
    def cookies_are_secure(self) -> bool:
        """Whether cookies are for https only. A club's LAN has plain http, where they would be lost."""
        if self.secure_cookies is not None:
            return self.secure_cookies
        return (self.public_url or "").startswith("https:")

    @cached_property
    def _own_names(self) -> frozenset[str]:
        names = {self.host.lower(), socket.gethostname().lower()}
        if self.public_url and (name := urlsplit(self.public_url).hostname):
            names.add(name)
        return frozenset(names)

    def accepts_host(self, header: str) -> bool:
        """Whether a request with this Host header may be answered.

        Without the check a hostile page could point its own name at this machine (DNS rebinding),
        and its requests would then look like ours. That needs a name which the attacker owns in
        public DNS, so everything that is none is welcome and a club on a LAN has nothing to set:
        addresses, names without a dot, the local domains, and this machine's own names. Any other
        name must be set, by `public_url` or `allowed_hosts` (`*.example.org` and `*` work there).
        """
        try:
            name = (urlsplit(f"//{header}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if not name:
            return False
        if "." not in name or name.endswith(LOCAL_DOMAINS) or name in self._own_names:
            return True
        for allowed in self.allowed_hosts:
            if allowed in ("*", name) or (allowed.startswith("*.") and name.endswith(allowed[1:])):
                return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def unknown_settings() -> dict[str, str | None]:
    """Names in the environment and in `.env` that look like settings and are none, with the nearest that is one.

    None stands for the nearest where nothing is near.
    """
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    in_file = DotEnvSettingsSource(Settings).env_vars
    given = {name.upper() for name in (*os.environ, *in_file)}
    strange = sorted(name for name in given - known if name.startswith(PREFIX))
    near = {name: get_close_matches(name, known, 1, cutoff=0.8) for name in strange}
    return {name: found[0] if found else None for name, found in near.items()}
