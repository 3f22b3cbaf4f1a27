"""The tables of the rules, read from the files beside this one.

Belongs here: rows of a table and how to find one. Does not belong here: what is done with them.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from app.games.f14_tomcats.model import RankName, Stores, Weapon

Row = TypeVar("Row")


class TargetType(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the target table: `needs` is the damage that destroys it."""

    face: int
    id: str
    name: str
    points: int
    needs: int


class WeaponType(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon: it hits on `hits` or more; `ground` is 0 for what can't be used on a target."""

    id: Weapon
    name: str
    plural: str
    hits: int
    air: bool = False
    ground: int = 0

    def hit(self, face: int) -> bool:
        """Whether a die hits (F14-MG-2, F14-BP-1)."""
        return face >= self.hits


class Aircraft(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type of aircraft: the damage that brings it down, and what it carries."""

    id: str
    name: str
    short: str
    limit: int
    cannon: int
    amraam: int
    sidewinder: int
    maverick: int
    chaff: int

    @property
    def stores(self) -> Stores:
        """A full load."""
        return Stores(
            cannon=self.cannon,
            amraam=self.amraam,
            sidewinder=self.sidewinder,
            maverick=self.maverick,
            chaff=self.chaff,
        )


class Rank(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the promotion table."""

    name: RankName
    missions: int
    points: int


class Award(Struct, frozen=True, forbid_unknown_fields=True):
    """What so many kills earn; a title is no medal."""

    name: str
    kills: int
    title: bool = False


def _read(file: str, key: str, row: type[Row]) -> tuple[Row, ...]:
    text = files(__package__ or __name__).joinpath(file).read_text("utf-8")
    rows: Any = tomllib.loads(text)[key]
    return msgspec.convert(rows, tuple[row, ...])


@cache
def target_types() -> Mapping[str, TargetType]:
    """The target table, by id, in the order of its faces."""
    return {row.id: row for row in _read("targets.toml", "target", TargetType)}


def target_type(face: int) -> TargetType:
    """The row of a face (F14-MS-7)."""
    return next(row for row in target_types().values() if row.face == face)


@cache
def weapons() -> Mapping[Weapon, WeaponType]:
    """What is fired, in the order in which it is offered."""
    return {row.id: row for row in _read("weapons.toml", "weapon", WeaponType)}


@cache
def aircraft() -> Mapping[str, Aircraft]:
    """The aircraft, by the value of the ruling that chooses one."""
    return {row.id: row for row in _read("loadouts.toml", "aircraft", Aircraft)}


@cache
def ranks() -> tuple[Rank, ...]:
    """The promotion table, lowest rank first (F14-RK-2)."""
    return _read("ranks.toml", "rank", Rank)


@cache
def awards() -> tuple[Award, ...]:
    """What kills earn (F14-RK-4)."""
    return _read("awards.toml", "award", Award)
