"""How numbers are written for people."""

from fractions import Fraction

NUMBERS = ("no", "one", "two", "three", "four", "five")


def signed(number: int) -> str:
    """With its sign: "+2", "−1"."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def plain(number: int) -> str:
    """With a sign only below 0, and then a real minus."""
    return str(number) if number >= 0 else f"−{-number}"


def percent(chance: Fraction) -> str:
    """Never 0 % for what can happen, nor 100 % for what may not."""
    if 0 < chance < Fraction(1, 200):
        return "<1 %"
    if Fraction(199, 200) < chance < 1:
        return ">99 %"
    return f"{round(chance * 100)} %"
