"""A ten-sided die against a number: the rows that the number is made from, its odds, and how the log keeps it.

Belongs here: what all such rolls share (GS-0-3). Does not belong here: any row of a particular roll.

Low is good: a roll succeeds when the die, with its modifiers added, is at most the number needed. What tells
traits of a crew, its card or what it holds on radar is the roller's secret: others get the sum of such rows.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from app.engine.chance import Chance, Faces, Odds
from app.engine.dice import Pool
from app.engine.game import DieShown
from app.engine.log import Event
from app.engine.secret import Secret
from app.engine.sequence import Roll, Term
from app.games.gunslingers.rolled import Part, Thrown

ONE_DIE = Pool(1, 10)


class Number(Struct, frozen=True):
    """A number that the modified die may not exceed, and every row of its table."""

    need: int
    parts: tuple[Part, ...] = ()

    @property
    def modifier(self) -> int:
        """What is added to the die."""
        return sum(part.amount for part in self.parts if part.lit)

    @property
    def reach(self) -> int:
        """The highest face that does it; below 1 there is no attempt (GS-0-6)."""
        return self.need - self.modifier

    def terms(self) -> tuple[Term, ...]:
        """Every row, for the eyes of whoever rolls."""
        return (
            Term("number needed", str(self.need)),
            *(Term(part.words, signed(part.amount), part.lit) for part in self.parts),
        )

    def open_terms(self, secret: str) -> tuple[Term, ...]:
        """The rows that everybody may see, and the sum of the others under the words `secret`."""
        hidden = sum(part.amount for part in self.parts if part.own and part.lit)
        return (
            Term("number needed", str(self.need)),
            *(
                Term(part.words, signed(part.amount), part.lit)
                for part in self.parts
                if not part.own
            ),
            Term(secret, signed(hidden), hidden != 0),
        )

    def odds(self, label: str, *, good: bool = True) -> Odds:
        """The chance that the die does it; `good` whether that is what the roller hopes for."""
        reach = min(10, max(0, self.reach))

        def outcome(faces: Faces) -> bool:
            return faces[0] <= reach

        chance = Chance(ONE_DIE, outcome, ("gunslingers-at-most", reach))
        return Odds(label, chance, yes=True, good="high" if good else "low")


def thrown(number: Number, face: int, side: str) -> Thrown:
    """What came of a die that `side` threw."""
    lit = [part for part in number.parts if part.lit]
    return Thrown(
        face,
        number.need,
        number.modifier,
        tuple(part for part in lit if not part.own),
        Secret(tuple(part for part in lit if part.own), (side,)),
    )


def check(
    number: Number,
    happen: Callable[[Thrown], Event],
    *,
    id: str,
    seat: str,
    title: str,
    cite: str,
    unit: str,
    odds: str,
    good: bool = True,
    secret: str = "",
    why: str = "",
) -> Roll:
    """A die against a number, to be thrown by `seat`.

    Args:
        number: the number and its rows.
        happen: the fact that a throw makes.
        odds: what the chance is of ("Hits"); `good` whether `seat` hopes for it.
        secret: what to call the sum of the rows that are the roller's own; "" where there are none.
        id: and the others, see Roll.
    """
    return Roll(
        id=id,
        seat=seat,
        title=title,
        pool=ONE_DIE,
        happen=lambda faces: happen(thrown(number, faces[0], seat)),
        cite=cite,
        unit=unit,
        why=why,
        odds=number.odds(odds, good=good),
        terms=number.open_terms(secret) if secret else number.terms(),
    )


def steps(roll: Thrown) -> tuple[str, ...]:
    """How a die led to its result, for the log."""
    own = roll.own.value
    if own is None:
        hidden = roll.modifier - sum(part.amount for part in roll.parts)
        own = (Part("not shown", hidden),) if hidden else ()
    rows = (f"{signed(part.amount)} {part.words}" for part in (*roll.parts, *own))
    result = str(roll.result).replace("-", "−")
    return (f"{roll.face} rolled", *rows, f"{result}, and {roll.need} or less is needed")


def at_most(reach: int) -> str:
    """The highest face that does it, for people: "6 or less"; "any die" where none fails."""
    return "any die" if reach >= ONE_DIE.sides else f"{reach} or less"


def shown(faces: Iterable[int]) -> tuple[DieShown, ...]:
    """Dice as the log draws them."""
    return tuple(DieShown(face) for face in faces)


def signed(number: float) -> str:
    """A modifier with its sign."""
    return f"{number:+g}".replace("-", "−")
