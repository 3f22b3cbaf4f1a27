"""Exact odds, against chances known by heart or counted with pencil and paper."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from app.engine.chance import Chain, Chance
from app.engine.dice import Pool
from app.odds import exact

F = Fraction


def test_two_dice() -> None:
    odds = exact(Chance(Pool(2), sum))
    assert odds == {n: F(6 - abs(7 - n), 36) for n in range(2, 13)}


def test_the_highest_of_three_dice() -> None:
    odds = exact(Chance(Pool(3), max))
    assert odds == {n: F(n**3 - (n - 1) ** 3, 216) for n in range(1, 7)}


def test_successes_are_binomial() -> None:
    odds = exact(Chance(Pool(5, 10), lambda faces: sum(face > 7 for face in faces)))
    ways = (1, 5, 10, 10, 5, 1)
    assert odds == {n: F(ways[n] * 3**n * 7 ** (5 - n), 10**5) for n in range(6)}


def test_no_dice_have_one_result() -> None:
    assert exact(Chance(Pool(0), len)) == {0: F(1)}


def test_what_cannot_happen_is_not_listed() -> None:
    assert exact(Chance(Pool(1), lambda faces: faces[0] > 6)) == {False: F(1)}


def test_a_roll_that_leads_to_another() -> None:
    """A hit on 5 or more; then the damage is a d3, doubled on another 6."""
    double = {n: Chance(Pool(1), lambda f, n=n: 2 * n if f[0] == 6 else n) for n in (1, 2, 3)}
    damage = Chance(Pool(1, 3), lambda faces: double[faces[0]])
    odds = exact(Chance(Pool(1), lambda faces: damage if faces[0] >= 5 else 0))
    assert odds == {
        0: F(2, 3),
        1: F(1, 9) * F(5, 6),
        2: F(1, 9) * F(5, 6) + F(1, 9) * F(1, 6),
        3: F(1, 9) * F(5, 6),
        4: F(1, 9) * F(1, 6),
        6: F(1, 9) * F(1, 6),
    }


def test_a_chain_ends_where_nothing_is_rolled() -> None:
    """Walk on with 5 or 6, at most three hexes."""

    def step(at: tuple[int, bool]) -> Chance | None:
        hexes, going = at
        if not going or hexes == 3:
            return None
        return Chance(Pool(1), lambda f: (hexes + 1, True) if f[0] >= 5 else (hexes, False))

    assert exact(Chain((0, True), step)) == {
        (0, False): F(2, 3),
        (1, False): F(2, 9),
        (2, False): F(2, 27),
        (3, True): F(1, 27),
    }


def test_a_chain_that_rolls_nothing() -> None:
    assert exact(Chain("here", lambda at: None)) == {"here": F(1)}


def test_two_ways_to_one_place_add_up() -> None:
    def step(at: str) -> Chance | None:
        if at == "start":
            return Chance(Pool(1, 2), lambda f: "left" if f[0] == 1 else "right")
        if at == "end":
            return None
        return Chance(Pool(1, 4), lambda f: "end" if at == "left" or f[0] > 0 else "lost")

    assert exact(Chain("start", step)) == {"end": F(1)}


def test_a_chain_may_step_over_chances_that_lead_to_chances() -> None:
    then = Chance(Pool(1, 2), lambda f: f"done {f[0]}")
    chain = Chain(
        0,
        lambda at: Chance(Pool(1, 2), lambda f: then if f[0] == 2 else "out") if at == 0 else None,
    )
    assert exact(chain) == {"out": F(1, 2), "done 1": F(1, 4), "done 2": F(1, 4)}


def test_a_key_is_computed_once() -> None:
    thrown: list[tuple[int, ...]] = []

    def outcome(faces: tuple[int, ...]) -> int:
        thrown.append(faces)
        return sum(faces)

    first = exact(Chance(Pool(2), outcome, ("tests", "computed once")))
    calls = len(thrown)
    assert calls == 21  # the throws of two dice, without their order
    assert exact(Chance(Pool(2), outcome, ("tests", "computed once"))) == first
    assert len(thrown) == calls
    exact(Chance(Pool(2), outcome, ("tests", "another")))
    assert len(thrown) == 2 * calls


def test_a_key_of_a_chain_is_not_one_of_a_chance() -> None:
    """The same key on both: they are different things, and answer differently."""
    chance = Chance(Pool(1, 2), lambda f: f[0], ("tests", "shared"))
    chain = Chain(0, lambda at: None, ("tests", "shared"))
    assert exact(chance) == {1: F(1, 2), 2: F(1, 2)}
    assert exact(chain) == {0: F(1)}


@given(st.integers(0, 5), st.sampled_from([2, 4, 6, 10, 20]), st.integers(1, 7))
def test_they_add_up_to_one(count: int, sides: int, modulus: int) -> None:
    odds = exact(Chance(Pool(count, sides), lambda faces: sum(faces) % modulus))
    assert sum(odds.values()) == 1
    assert all(isinstance(p, Fraction) and p > 0 for p in odds.values())
    # Each chance is a number of throws out of all throws.
    assert all((p * sides**count).denominator == 1 for p in odds.values())
