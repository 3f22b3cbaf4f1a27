"""Hexes: flat-top, axial coordinates (q, r), six facings clockwise from north.

Labels are column and row, two digits each, 0101 at the top left; odd columns lie half a hex lower.
Range is in hexes, facings are 0 N, 1 NE, 2 SE, 3 S, 4 SW, 5 NW. Twelve-way facings and hexsides
belong to the game that needs them.
"""

import re

import msgspec

from app.engine.errors import Illegal

_LABEL = re.compile(r"(\d\d)(\d\d)", re.ASCII)

COMPASS = ("N", "NE", "SE", "S", "SW", "NW")


class Hex(msgspec.Struct, frozen=True, order=True, array_like=True):
    """A hex of an endless grid."""

    q: int
    r: int

    def __add__(self, other: "Hex") -> "Hex":
        return Hex(self.q + other.q, self.r + other.r)

    def __sub__(self, other: "Hex") -> "Hex":
        return Hex(self.q - other.q, self.r - other.r)

    def ahead(self, facing: int, hexes: int = 1) -> "Hex":
        """The hex so many hexes off the nose."""
        step = DIRECTIONS[facing % 6]
        return Hex(self.q + step.q * hexes, self.r + step.r * hexes)

    @property
    def label(self) -> str:
        """Column and row, such as "0712"."""
        return f"{self.column:02}{self.row:02}"

    @property
    def column(self) -> int:
        """From 1."""
        return self.q + 1

    @property
    def row(self) -> int:
        """From 1."""
        return self.r + (self.q + (self.q & 1)) // 2 + 1

    @property
    def southing(self) -> int:
        """Distance from the north edge in half hexes, exact: row x 2, and 1 more in odd columns."""
        return self.row * 2 + (self.column & 1)


DIRECTIONS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))


def at(column: int, row: int) -> Hex:
    """The hex at a column and row, both from 1."""
    q = column - 1
    return Hex(q, row - 1 - (q + (q & 1)) // 2)


def parse_label(label: str) -> Hex:
    """The hex of a label such as "0712". Raises Illegal when it is not four digits."""
    match = _LABEL.fullmatch(label)
    if match is None:
        raise Illegal(
            f"A hex is named by four digits, column and row, such as 0712; not {label!r}."
        )
    return at(int(match[1]), int(match[2]))


def distance(a: Hex, b: Hex) -> int:
    """Range in hexes."""
    d = a - b
    return max(abs(d.q), abs(d.r), abs(d.q + d.r))


def sectors(offset: Hex, facing: int) -> frozenset[int]:
    """The 60-degree sectors, counted clockwise from the nose, in which a hex at `offset` lies.

    Sector 0 is 30 degrees either side of the nose, 3 is the tail. A hex on the border lies in both;
    the zero offset lies in none.
    """
    if offset == Hex(0, 0):
        return frozenset()
    for i in range(6):
        one, two = DIRECTIONS[(facing + i) % 6], DIRECTIONS[(facing + i + 1) % 6]
        determinant = one.q * two.r - one.r * two.q
        a = (offset.q * two.r - offset.r * two.q) * determinant
        b = (one.q * offset.r - one.r * offset.q) * determinant
        if a > 0 and b >= 0:
            near, far = i, (i + 1) % 6
            return frozenset({near, far}) if a == b else frozenset({near if b < a else far})
    raise AssertionError("six sectors cover the plane")


class Board(msgspec.Struct, frozen=True):
    """A rectangle of hexes, columns by rows, at most 99 each way."""

    columns: int
    rows: int

    def __contains__(self, place: Hex) -> bool:
        return 1 <= place.column <= self.columns and 1 <= place.row <= self.rows
