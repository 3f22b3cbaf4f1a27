"""Aircraft cards (GS-F 6.8): `cards/*.toml`, read once, and what they say of a load and an altitude.

Belongs here: reading cards and looking numbers up. Does not belong here: what a number of a card leads to.
"""

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from app.games.gunslingers.model import Aircraft, Band, BandLimits, Card, Config, State

BANDS: tuple[tuple[Band, int], ...] = (
    ("LO", 7),
    ("ML", 16),
    ("MH", 25),
    ("HI", 35),
    ("VH", 45),
    ("EH", 60),
    ("UH", 99),
)
"""Altitude bands from the lowest, each with its highest level (glossary)."""

_LOW: frozenset[Band] = frozenset({"LO", "ML", "MH"})
_LOADS: Mapping[Config, tuple[float, float, float]] = {
    "half": (0.5, 1.0, 1.0),
    "DT": (1.0, 2.0, 2.0),
}
"""What a load takes from AP and from maximum speed, and adds to the drag of each turn rate."""
_MIN_WITH_LOAD = 0.5
_LEAST_AP = 0.5


@cache
def printed_cards() -> Mapping[str, Card]:
    """The cards by their id. Raises ValueError when a file is broken."""
    folder = files("app.games.gunslingers").joinpath("cards")
    cards = [
        msgspec.convert(tomllib.loads(file.read_text("utf-8")), Card)
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return {card.id: card for card in sorted(cards, key=lambda card: card.id)}


def band(altitude: int) -> Band:
    """The altitude band of a level."""
    for name, top in BANDS:
        if altitude <= top:
            return name
    return "UH"


@lru_cache(maxsize=256)
def _at_config(encoded: bytes, config: Config) -> Card:
    card = msgspec.json.decode(encoded, type=Card)
    less_ap, less_speed, more_drag = _LOADS[config]

    def limits(name: Band, one: BandLimits) -> BandLimits:
        slower = config == "DT" or name not in _LOW
        return replace(
            one,
            min=one.min + (_MIN_WITH_LOAD if slower else 0),
            max=one.max - less_speed,
        )

    return replace(
        card,
        ap_m=max(_LEAST_AP, card.ap_m - less_ap),
        ap_ab=None if card.ap_ab is None else max(_LEAST_AP, card.ap_ab - less_ap),
        bands={name: limits(name, one) for name, one in card.bands.items()},
        drag={
            rate: drag + more_drag
            for rate, drag in card.drag.items()
            if not (config == "DT" and rate == "ET")
        },
    )


def at_config(card: Card, config: Config) -> Card:
    """The card as a load changes it: less thrust and speed, more drag, and no ET when dirty (6.8)."""
    return card if config == "CL" else _at_config(msgspec.json.encode(card), config)


def limits(card: Card, name: Band) -> BandLimits:
    """A band's line of the card; above the highest that it lists, that one's numbers hold."""
    found: BandLimits | None = None
    for each, _ in BANDS:
        found = card.bands.get(each, found)
        if each == name:
            break
    if found is None:
        raise LookupError(f"{card.id} lists no band at or below {name}")
    return found


def flown_card(state: State, aircraft: Aircraft) -> Card:
    """The aircraft's card with its present load."""
    return at_config(state.card(aircraft), aircraft.s.config)


def min_speed(state: State, aircraft: Aircraft) -> float:
    """The least speed at which it does not stall, in its present band and with its present load."""
    return limits(flown_card(state, aircraft), band(aircraft.altitude)).min
