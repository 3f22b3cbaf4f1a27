"""Heat maps: where a move can end, drawn from exact chances.

Belongs here: the overlay. Does not belong here: how a move's chances come about, which is the game's.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from app.engine.chance import percent
from app.engine.game import Cell, Overlay
from app.engine.hexes import COMPASS, Hex

End = tuple[Hex, int] | None
"""Where a move ends: hex and facing, or None off the board."""


def heat_map(title: str, note: str, ends: Iterable[tuple[End, Fraction]]) -> Overlay:
    """The chance of each hex, with its facings told apart; an end may come several times.

    `note` says what was taken for granted.
    """
    by_hex: dict[Hex, dict[int, Fraction]] = {}
    out = Fraction(0)
    for end, chance in ends:
        if end is None:
            out += chance
        else:
            place, facing = end
            facings = by_hex.setdefault(place, {})
            facings[facing] = facings.get(facing, Fraction(0)) + chance
    leaves = f"Leaves the board: {percent(out)}." if out else ""
    cells = tuple(_cell(place, facings) for place, facings in sorted(by_hex.items()))
    return Overlay(title, cells, " ".join(part for part in (note, leaves) if part))


def _cell(place: Hex, facings: Mapping[int, Fraction]) -> Cell:
    whole = sum(facings.values(), Fraction(0))
    detail = ", ".join(f"{COMPASS[f]} {percent(p)}" for f, p in sorted(facings.items()))
    return Cell(place.label, float(whole), percent(whole), f"facing {detail}")
