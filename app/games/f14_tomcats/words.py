"""How numbers and stores are written for people."""

from app.games.f14_tomcats.model import WEAPON_NAMES, Weapon

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def many(number: int, one: str, several: str = "") -> str:
    """ "no MiG", "one MiG", "two MiGs"."""
    number_word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{number_word} {one if number <= 1 else several or one + 's'}"


def stock(number: int, weapon: Weapon) -> str:
    """ "2 AMRAAMs", "1 cannon burst"."""
    _, several = WEAPON_NAMES[weapon]
    word = several if number != 1 else several.removesuffix("s")
    return f"{number} {word}"


def faces(lowest: int) -> str:
    """What has to be rolled: "4-6", with a dash."""
    return f"{lowest}–6"
