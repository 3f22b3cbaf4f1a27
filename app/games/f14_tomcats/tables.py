"""The tables of the rules as they are today, read from the files beside this one.

Belongs here: reading. A mission that is on its way is flown by those of its position (`model.Cards`), as it began:
no rule reads them here. Does not belong here: what is done with them.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from app.games.f14_tomcats.model import Aircraft, Award, Cards, Rank, TargetType, WeaponType

Row = TypeVar("Row")


def _read(file: str, key: str, row: type[Row]) -> tuple[Row, ...]:
    text = files(__package__ or __name__).joinpath(file).read_text("utf-8")
    rows: Any = tomllib.loads(text)[key]
    return msgspec.convert(rows, tuple[row, ...])


@cache
def printed() -> Cards:
    """All of them, as they are today."""
    return Cards(
        targets=_read("targets.toml", "target", TargetType),
        weapons=_read("weapons.toml", "weapon", WeaponType),
        aircraft=_read("loadouts.toml", "aircraft", Aircraft),
        ranks=_read("ranks.toml", "rank", Rank),
        awards=_read("awards.toml", "award", Award),
    )


def target_types() -> Mapping[str, TargetType]:
    """The target table, by id, in the order of its faces."""
    return {row.id: row for row in printed().targets}


def ranks() -> Sequence[Rank]:
    """The promotion table, lowest rank first (F14-RK-2)."""
    return printed().ranks


def awards() -> Sequence[Award]:
    """What kills earn (F14-RK-4)."""
    return printed().awards
