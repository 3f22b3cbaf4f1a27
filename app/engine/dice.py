"""Dice: what is thrown, and how a table's dice follow from one seed so that anyone can check them.

The server draws 32 random bytes for a table before it opens and publishes their SHA-256, the
*commitment*. Each player may add a *word*. Die number n is computed from the seed, the words said so
far and n; n only ever rises, also across a take-back. When the game is over the seed is shown, and
`verify` (or the stand-alone script that players can download) computes every die again.

Drawing the seed is the table's business; here is only arithmetic.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from app.engine.errors import Illegal

_POOL = re.compile(r"(\d{1,2})d(\d{1,3})", re.ASCII)
MAX_SIDES = 100


class Pool(msgspec.Struct, frozen=True):
    """Dice of one kind thrown together, such as 4d6. `count` may be 0: nothing is thrown."""

    count: int
    sides: int = 6

    def __str__(self) -> str:
        return f"{self.count}d{self.sides}"

    @classmethod
    def parse(cls, text: str) -> "Pool":
        """Read "4d6". Raises ValueError when it is not of that form."""
        match = _POOL.fullmatch(text)
        if match is None:
            raise ValueError(f"not a pool of dice: {text!r}")
        return cls(int(match[1]), int(match[2]))

    def check(self, faces: Sequence[int]) -> tuple[int, ...]:
        """The faces of dice thrown by hand, if they can be this pool's. Raises Illegal."""
        if len(faces) != self.count:
            raise Illegal(f"{self} needs {self.count} faces; {len(faces)} were given.")
        for face in faces:
            if not 1 <= face <= self.sides:
                raise Illegal(f"A d{self.sides} shows 1 to {self.sides}; {face} was given.")
        return tuple(faces)


class Rolled(msgspec.Struct, frozen=True, omit_defaults=True):
    """Dice as the log keeps them. `index` is the number of the first one; None when thrown by hand."""

    pool: Pool
    faces: tuple[int, ...]
    by: Literal["server", "hand"] = "server"
    index: int | None = None


def commitment(seed: bytes) -> str:
    """What is published before the first die: the SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def die(seed: bytes, words: Sequence[str], index: int, sides: int) -> int:
    """Die number `index` (from 0) with `sides` faces (at most 100), 1 to sides, each equally likely.

    HMAC-SHA256 keyed by the seed over "index:block:words", read byte by byte; a byte at or above the
    largest multiple of `sides` is passed over, so that no face is favoured.
    """
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"a die has 2 to {MAX_SIDES} sides, not {sides}")
    limit = 256 - 256 % sides
    said = "\n".join(words)
    block = 0
    while True:
        for byte in hmac.digest(seed, f"{index}:{block}:{said}".encode(), "sha256"):
            if byte < limit:
                return byte % sides + 1
        block += 1


class Cup:
    """A table's server dice: a seed, the words said so far, and the number of the next die."""

    def __init__(self, seed: bytes, words: Sequence[str] = (), next_index: int = 0) -> None:
        self.seed = seed
        self.words = tuple(words)
        self.next_index = next_index

    def throw(self, pool: Pool, index: int) -> Rolled:
        """The faces of `pool` when its first die has number `index`. Does not move the cup on."""
        faces = tuple(die(self.seed, self.words, index + n, pool.sides) for n in range(pool.count))
        return Rolled(pool, faces, "server", index)


class Mismatch(msgspec.Struct, frozen=True):
    """A die that is not what the seed gives."""

    index: int
    recorded: int
    computed: int


def verify(
    seed: bytes, published: str, rolls: Sequence[tuple[Rolled, Sequence[str]]]
) -> Iterator[Mismatch]:
    """Each die of `rolls` (with the words said before it) that the seed does not give.

    Raises ValueError when the seed is not the one that was committed to. Dice by hand are skipped.
    """
    if commitment(seed) != published:
        raise ValueError("the seed is not the one that was committed to")
    for rolled, words in rolls:
        if rolled.index is None:
            continue
        for n, face in enumerate(rolled.faces):
            computed = die(seed, words, rolled.index + n, rolled.pool.sides)
            if computed != face:
                yield Mismatch(rolled.index + n, face, computed)
