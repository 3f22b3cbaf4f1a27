"""A roll of a ten-sided die as the log keeps it.

Belongs here: what stands in a fact. Does not belong here: odds, or the making of a roll (`checks`).
"""

from msgspec import Struct

from app.engine.secret import Secret


class Part(Struct, frozen=True, omit_defaults=True):
    """A row: what it is for, and what it adds. `lit` where it applies; `own` where it tells a secret."""

    words: str
    amount: int
    lit: bool = True
    own: bool = False


class Thrown(Struct, frozen=True, omit_defaults=True):
    """A roll as the log keeps it: `parts` are the rows that applied, `own` those only its side may see."""

    face: int
    need: int
    modifier: int
    parts: tuple[Part, ...]
    own: Secret[tuple[Part, ...]]

    @property
    def result(self) -> int:
        """The modified die."""
        return self.face + self.modifier

    @property
    def made(self) -> bool:
        """Whether it is at most the number needed."""
        return self.result <= self.need
