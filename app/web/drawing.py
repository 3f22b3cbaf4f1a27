"""Drawing: how large a hex is drawn, and where.

These numbers stand here alone: templates get them as `grid`, and the board's `data-*` hand them to scripts. Does
not belong here: distances and directions on the board (app.engine.hexes).
"""

from functools import cache
from typing import NamedTuple


class Grid(NamedTuple):
    """Lengths of a drawn hex with flat top, in units of the drawing.

    Args:
        step: from the middle of a column to that of the next.
        tall: from the middle of a row to that of the next, the height of a hex.
        left: the middle of column 1 stands so much left of `step`: half of a side.
    """

    step: int = 39
    tall: int = 45
    left: int = 13

    @property
    def side(self) -> int:
        """A side of the hex, which is also half its width."""
        return 2 * self.left

    @property
    def half(self) -> float:
        """Half the height: so much higher do even columns stand than odd ones."""
        return self.tall / 2


GRID = Grid()


@cache
def centre(label: str) -> tuple[float, float]:
    """Where the middle of a hex ("0712") or hexside ("1115/1215") is drawn."""
    one, _, other = label.partition("/")
    column, row = int(one[:2]), int(one[2:])
    x = float(GRID.step * column - GRID.left)
    y = GRID.tall * row - (0 if column % 2 else GRID.half)
    if not other:
        return x, float(y)
    x2, y2 = centre(other)
    return (x + x2) / 2, (y + y2) / 2
