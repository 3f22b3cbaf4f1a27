"""Checks that the set-ups of several games need. Each raises Illegal, naming the field and what it can be."""

from collections.abc import Sequence

from app.engine.errors import Illegal
from app.engine.hexes import Board, Hex, parse_label


def unlike(path: str, ids: Sequence[str], taken: Sequence[str] = ()) -> None:
    """Ids that nothing else has: neither one another nor those that are `taken`."""
    seen = set(taken)
    for n, one in enumerate(ids):
        if one in seen:
            raise Illegal(f"{path}[{n}].id must be one that nothing else has; {one!r} is taken.")
        seen.add(one)


def hex_on(path: str, label: str, board: Board) -> Hex:
    """The hex of a label, on the board."""
    try:
        place = parse_label(label)
    except Illegal as wrong:
        raise Illegal(f"{path}: {wrong.detail}") from None
    if place not in board:
        last = f"{board.columns:02}{board.rows:02}"
        raise Illegal(f"{path} can be 0101 to {last}, column and row; {label} is off the board.")
    return place
