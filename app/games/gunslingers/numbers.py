"""What a number is made from: the rows of a modifier table, and the ten-sided die.

Belongs here: the die, rows of a table with those that apply, countermeasures against resistance (GS-T-0). Does not
belong here: which rows a rule has.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from app.engine.dice import Pool
from app.engine.sequence import Term

D10 = Pool(1, 10)
FACES = range(1, 11)


class Line(Struct, frozen=True, omit_defaults=True):
    """A row of a modifier table: in a few words, what it adds to the die, and whether it applies.

    `own` marks what only the side that it is about may know (traits of a crew, damage); the sum is for all.
    """

    words: str
    amount: int
    lit: bool = True
    own: bool = False


def total(lines: Iterable[Line]) -> int:
    """The sum of the rows that apply."""
    return sum(line.amount for line in lines if line.lit)


def applied(lines: Iterable[Line], *, own: bool) -> tuple[Line, ...]:
    """The rows that apply and add something: those for the owner's eyes, or the others."""
    return tuple(line for line in lines if line.lit and line.amount and line.own == own)


def terms(lines: Iterable[Line]) -> tuple[Term, ...]:
    """The rows for the page."""
    return tuple(Term(line.words, signed(line.amount), line.lit) for line in lines)


def signed(number: float) -> str:
    """With its sign, a real minus for less than 0."""
    return f"−{-number:g}" if number < 0 else f"+{number:g}"


def told(lines: Sequence[Line]) -> str:
    """The rows in words: "+1 snap burst, −2 tail line"."""
    return ", ".join(f"{signed(line.amount)} {line.words}" for line in lines)


def eff(number: int, eccm: int) -> int:
    """What is left of a countermeasure against resistance (GS-T-0)."""
    return max(0, number - eccm)


def eff_half(number: int, eccm: int) -> int:
    """The same of half a countermeasure, rounded up before resistance counts (GS-T-0)."""
    return max(0, (number + 1) // 2 - eccm)
