"""Rows of numbers, each row one large integer, so that a whole row is added or mixed in one step.

A list of floats would read more plainly and is ten times slower, too slow for a page. A number takes a
lane of 128 bits, as a fixed point with 52 bits behind it; the upper half of a lane is room for products.
What is lost in a step is less than 2 to the power of -51.

Belongs here: arithmetic of rows. Does not belong here: what the numbers mean; see `foresight`.
"""

from collections.abc import Iterable, Sequence

Row = int

LANE = 128
POINT = 52
ONE: Row = 1 << POINT
INVERSE = 64
"""The bits of one sixth and one seventy-second, by which a lane is multiplied instead of divided."""
SIXTH = (1 << INVERSE) // 6 + 1
SEVENTY_SECOND = (1 << INVERSE) // 72 + 1
LOWER_HALF = (1 << LANE // 2) - 1


class Rows:
    """Rows of so many parts, each with `blocks` blocks of `width` numbers below 4096."""

    def __init__(self, parts: int, blocks: int, width: int):
        self.width = width
        self.part = blocks * width
        self.size = parts * self.part
        places = range(self.size)
        self._whole = _lanes(places)
        self._not_last = _lanes(n for n in places if n % self.part < self.part - width)
        self._from = [_lanes(n for n in places if n % width >= by) for by in range(width)]

    def first(self, part: int, number: int) -> Row:
        """A row with a whole number in the first place of a part, and nothing else."""
        return number * ONE << LANE * self.part * part

    def mix(self, sixths: int, one: Row, other: Row) -> Row:
        """So many sixths of one row, and the rest of the other."""
        return (sixths * one + (6 - sixths) * other) * SIXTH >> INVERSE & self._whole

    def contact(self, calm: Row, met: Sequence[Row]) -> Row:
        """Of 72: 60 calm, 6 a block further (the last one is dropped), and one each of six."""
        a, b, c, d, e, f = met
        further = (calm & self._not_last) << LANE * self.width
        whole = 60 * calm + 6 * further + a + b + c + d + e + f
        return whole * SEVENTY_SECOND >> INVERSE & self._whole

    def further(self, row: Row, by: int) -> Row:
        """Each number so many places further in its block; what leaves the block is dropped."""
        return row << LANE * by & self._from[by] if by < self.width else 0

    def numbers(self, row: Row) -> list[list[float]]:
        """The numbers of each part."""
        lanes = memoryview(row.to_bytes(self.size * LANE // 8, "little")).cast("Q")
        flat = [lanes[n] / ONE for n in range(0, 2 * self.size, 2)]
        return [flat[start : start + self.part] for start in range(0, self.size, self.part)]


def _lanes(places: Iterable[int]) -> int:
    """A mask of the lower halves of some lanes."""
    return sum(LOWER_HALF << LANE * n for n in places)
