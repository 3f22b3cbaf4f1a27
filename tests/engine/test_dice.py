"""Dice: computed here once more in another way, thrown often enough to be counted, and tampered with."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.dice import Cup, Pool, Rolled, commitment, die, verify
from app.engine.errors import Illegal

SEED = bytes(range(32))

seeds = st.binary(min_size=32, max_size=32)
words = st.lists(st.text(max_size=20), max_size=4)


def stream(seed: bytes, said: list[str], index: int) -> Iterator[int]:
    """The bytes of a die, as the published description has them; HMAC spelt out from its definition."""
    block = 0
    while True:
        key = seed.ljust(64, b"\0")
        message = b":".join((b"%d" % index, b"%d" % block, "\n".join(said).encode()))
        inner = hashlib.sha256(bytes(k ^ 0x36 for k in key) + message).digest()
        yield from hashlib.sha256(bytes(k ^ 0x5C for k in key) + inner).digest()
        block += 1


def by_description(seed: bytes, said: list[str], index: int, sides: int) -> int:
    """A die by integer division: only whole rounds of `sides` count."""
    return next(
        byte % sides + 1 for byte in stream(seed, said, index) if byte // sides < 256 // sides
    )


@given(seeds, words, st.integers(0, 10**9), st.integers(2, 100))
def test_a_die_is_what_the_description_says(
    seed: bytes, said: list[str], index: int, sides: int
) -> None:
    assert die(seed, said, index, sides) == by_description(seed, said, index, sides)


def test_a_die_by_the_library_formula() -> None:
    """And once with the library's HMAC, on a die whose first byte counts."""
    first = hmac.new(SEED, b"5:0:otter\nnewt", hashlib.sha256).digest()[0]
    assert first < 252, "this die would need a second byte; take another index"
    assert die(SEED, ["otter", "newt"], 5, 6) == first % 6 + 1


def test_bytes_that_would_favour_a_face_are_passed_over() -> None:
    """With 100 sides a byte of 200 or more is no throw: find dice where that matters."""
    over = [n for n in range(200) if next(stream(SEED, [], n)) >= 200]
    assert len(over) > 20
    for index in over:
        second = next(byte for byte in stream(SEED, [], index) if byte < 200)
        assert die(SEED, [], index, 100) == second % 100 + 1


def test_a_die_may_need_a_second_block() -> None:
    """No 32 bytes in a row are all passed over with 100 sides (it takes 256 tries in 2**71), but the
    counting of blocks is part of the description: see that the stream goes on past 32 bytes."""
    bytes_ = stream(SEED, [], 3)
    head = bytes(next(bytes_) for _ in range(64))
    assert head[32:] == hmac.new(SEED, b"3:1:", hashlib.sha256).digest()


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 10, 20, 97, 100])
def test_each_face_is_as_likely(sides: int) -> None:
    """Chi-square on a fixed seed: at most five standard deviations above its mean."""
    throws = 300 * sides if sides < 20 else 100 * sides
    tally = Counter(die(SEED, [], index, sides) for index in range(throws))
    assert set(tally) == set(range(1, sides + 1))
    mean = throws / sides
    statistic = sum((tally[face] - mean) ** 2 / mean for face in range(1, sides + 1))
    freedom = sides - 1
    assert statistic < freedom + 5 * (2 * freedom) ** 0.5
    # As far below it would be no chance either: too even to be thrown.
    if freedom > 50:
        assert statistic > freedom - 5 * (2 * freedom) ** 0.5


def test_first_rolls_of_many_tables_are_even_too() -> None:
    """A seed that hardly varies must not show in the first die (tables are opened in a row)."""
    tally = Counter(die(n.to_bytes(32, "big"), [], 0, 6) for n in range(3000))
    statistic = sum((tally[face] - 500) ** 2 / 500 for face in range(1, 7))
    assert statistic < 5 + 5 * 10**0.5


def test_words_change_the_dice_and_so_does_their_order() -> None:
    cups = [
        Cup(SEED, said).throw(Pool(20), 0).faces for said in ([], ["a"], ["a", "b"], ["b", "a"])
    ]
    assert len(set(cups)) == 4


def test_one_word_with_a_line_break_could_pass_for_two() -> None:
    """Words are joined by line breaks, so a word must not hold one; the table sees to that."""
    assert die(SEED, ["a\nb"], 0, 100) == die(SEED, ["a", "b"], 0, 100)


@pytest.mark.parametrize("sides", [-1, 0, 1, 101, 1000])
def test_dice_have_2_to_100_sides(sides: int) -> None:
    with pytest.raises(ValueError, match="2 to 100"):
        die(SEED, [], 0, sides)


def test_a_cup_throws_the_dice_of_their_numbers() -> None:
    cup = Cup(SEED, ["word"], next_index=9)
    rolled = cup.throw(Pool(4, 10), 9)
    assert rolled == Rolled(
        Pool(4, 10), tuple(by_description(SEED, ["word"], n, 10) for n in range(9, 13)), "server", 9
    )
    assert cup.throw(Pool(3, 10), 10).faces == rolled.faces[1:]
    assert cup.throw(Pool(0), 9) == Rolled(Pool(0), (), "server", 9)
    assert cup.next_index == 9


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(b"abc") == (
        # The example of the standard (FIPS 180, appendix for SHA-256).
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def rolls() -> list[tuple[Rolled, list[str]]]:
    return [
        (Cup(SEED).throw(Pool(3), 0), []),
        (Cup(SEED, ["x"]).throw(Pool(2, 20), 3), ["x"]),
        (Rolled(Pool(2), (6, 6), "hand"), ["x"]),
    ]


def test_honest_dice_pass() -> None:
    assert list(verify(SEED, commitment(SEED), rolls())) == []


def test_a_tampered_die_is_found() -> None:
    honest = rolls()
    rolled, said = honest[1]
    false = rolled.faces[1] % 20 + 1
    faces = (rolled.faces[0], false)
    honest[1] = (Rolled(rolled.pool, faces, "server", rolled.index), said)
    (found,) = verify(SEED, commitment(SEED), honest)
    assert (found.index, found.recorded, found.computed) == (4, false, rolled.faces[1])


def test_dice_thrown_with_other_words_are_found() -> None:
    rolled = Cup(SEED, ["x"]).throw(Pool(20), 0)
    assert list(verify(SEED, commitment(SEED), [(rolled, ["y"])]))


def test_another_seed_is_found() -> None:
    with pytest.raises(ValueError, match="committed"):
        list(verify(bytes(32), commitment(SEED), []))


@given(st.integers(0, 99), st.integers(2, 100))
def test_pools_read_what_they_write(count: int, sides: int) -> None:
    assert Pool.parse(str(Pool(count, sides))) == Pool(count, sides)


@pytest.mark.parametrize(
    "text", ["", "d6", "4d", "4D6", " 4d6", "4d6 ", "-1d6", "100d6", "4d6+1", "4d1000"]
)
def test_what_is_no_pool(text: str) -> None:
    with pytest.raises(ValueError, match="pool"):
        Pool.parse(text)


@pytest.mark.parametrize(
    "faces", [(), (1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7), (-1, 2, 3)], ids=str
)
def test_faces_that_three_dice_cannot_show(faces: tuple[int, ...]) -> None:
    with pytest.raises(Illegal):
        Pool(3).check(faces)


def test_faces_that_three_dice_can_show() -> None:
    assert Pool(3).check([1, 6, 3]) == (1, 6, 3)
    assert Pool(0).check([]) == ()
