"""Places on hex centres and hexsides, twelve facings, range and arcs (GS-G), in exact integers.

Belongs here: geometry and nothing else. Does not belong here: what a rule makes of a range or an arc.
"""

from msgspec import Struct


class Pos(Struct, frozen=True, order=True, array_like=True):
    """A place: doubled axial coordinates (GS-G-2). Both even: a hex centre; else a hexside's midpoint."""

    q: int
    r: int
