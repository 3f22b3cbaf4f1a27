"""What things are called and how numbers are written, for people."""

from collections.abc import Mapping

from app.games.war_in_space.model import Crew, Suit, System, Use

SUITS: Mapping[Suit, str] = {"spades": "♠", "clubs": "♣", "hearts": "♥", "diamonds": "♦"}
USES: Mapping[Use, str] = {
    "attack": "Attack",
    "defence": "Defence",
    "movement": "Movement",
    "dc": "Damage Control",
}
SYSTEMS: Mapping[System, str] = {
    "hull": "Hull",
    "weapon": "Weapon",
    "shield": "Shield",
    "engine": "Engine",
    "power": "Power",
}
CREWS: Mapping[Crew, str] = {
    "green": "Green",
    "regular": "Regular",
    "veteran": "Veteran",
    "elite": "Elite",
}


def signed(number: int) -> str:
    """With its sign: "+2", "−1"."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def counted(number: int, thing: str, several: str = "") -> str:
    """A number of things: "1 hex", "3 hexes"."""
    return f"{number} {thing if number == 1 else several or thing + 's'}"


def one(thing: str) -> str:
    """With its article: "a Hull box", "an Engine box"."""
    return f"{'an' if thing[0] in 'AEIOU' else 'a'} {thing}"


def listed(words: tuple[str, ...] | list[str]) -> str:
    """A, B and C."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
