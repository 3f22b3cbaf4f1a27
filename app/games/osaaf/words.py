"""How numbers are written for people."""

NUMBERS = ("no", "one", "two", "three", "four", "five")


def signed(number: int) -> str:
    """With its sign: "+2", "−1"."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def plain(number: int) -> str:
    """With a sign only below 0, and then a real minus."""
    return str(number) if number >= 0 else f"−{-number}"
