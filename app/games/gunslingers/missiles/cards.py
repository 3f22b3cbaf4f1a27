"""The printed missile cards: `missiles.toml`, read once.

Belongs here: reading. Does not belong here: what a number of a card means.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from app.games.gunslingers.model import MissileCard

_HERE = files(__package__ or __name__)


@cache
def printed_missiles() -> Mapping[str, MissileCard]:
    """The cards by their id. Raises ValueError when the file is broken."""
    read = tomllib.loads(_HERE.joinpath("missiles.toml").read_text("utf-8"))
    cards = msgspec.convert(read["missile"], tuple[MissileCard, ...])
    return {card.id: card for card in cards}
