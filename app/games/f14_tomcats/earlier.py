"""What earlier editions wrote, in today's form.

Belongs here: a step for each event that changed its form, and the cards of those editions. They stay as they
are. Does not belong here: today's tables (`tables`), what rulings came when (`rulings.toml`).
"""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from app.engine.editions import Plain, Upcasters


@cache
def _cards() -> dict[str, Any]:
    """The tables of edition 1, which its missions did not keep."""
    folder = files(__package__ or __name__).joinpath("editions")
    return msgspec.json.decode(folder.joinpath("cards-1.json").read_bytes())


def _with_cards(opened: Plain) -> Plain:
    if "cards" not in opened:
        opened["cards"] = _cards()
    return opened


UPCASTERS: Upcasters = {2: {"Opened": _with_cards}}
