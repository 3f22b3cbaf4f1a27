"""What the rules let a set-up have: whether an aircraft's fields fit its card and its place.

Belongs here: checks of what a table is opened with. Does not belong here: the schema, and the position that comes of
it (`setup`).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.engine.errors import Illegal
from app.games.gunslingers.flight.cards import at_config, band, limits
from app.games.gunslingers.geometry import Pos, legal_facings, parse
from app.games.gunslingers.model import Card, Decoys, MissileCard

if TYPE_CHECKING:
    from app.games.gunslingers.setup import AircraftSetup, Setup

MOST_PPL = 6


def fits(
    path: str,
    given: "AircraftSetup",
    card: Card,
    setup: "Setup",
    missiles: Mapping[str, MissileCard],
) -> None:
    """Raises Illegal, naming the field by its `path`, where an aircraft of a set-up does not fit."""
    _facing(f"{path}.facing", given, parse(given.place))
    _flown(path, given, at_config(card, given.config))
    _program(path, given, card)
    _on_radar(path, given, card, setup)
    _ammo(path, given, card)
    _stores(path, given, card, missiles)
    _decoys(path, given, card)
    _crew(path, given, card)


def _facing(path: str, given: "AircraftSetup", pos: Pos) -> None:
    """GS-G-6: on a hexside only the two facings along it."""
    legal = legal_facings(pos)
    if given.facing not in legal:
        listed = " or ".join(str(facing) for facing in sorted(legal))
        raise Illegal(f"{path} can be {listed} at {given.place}; not {given.facing}.", "GS-G-6")


def _flown(path: str, given: "AircraftSetup", card: Card) -> None:
    """Altitude (GS-F-25), speed (GS-F-23) and power (GS-F-3) that the card allows.

    Below its least speed an aircraft begins stalled.
    """
    if given.altitude > card.ceiling:
        raise Illegal(
            f"{path}.altitude can be 1 to {card.ceiling} for {card.name}; not {given.altitude}.",
            "GS-F-25",
        )
    most = limits(card, band(given.altitude)).max + card.dive_bonus
    if given.speed > most:
        raise Illegal(
            f"{path}.speed can be 0 to {most:g} for {card.name} at level {given.altitude}; "
            f"not {given.speed:g}.",
            "GS-F-23",
        )
    if given.power == "AB" and card.ap_ab is None:
        raise Illegal(f"{path}.power can be I, N, M: {card.name} has no afterburner.", "GS-F-3")


def _crew(path: str, given: "AircraftSetup", card: Card) -> None:
    if given.crew and len(given.crew) != card.seats:
        raise Illegal(
            f"{path}.crew must be as many as {card.name} has seats, {card.seats}; "
            f"not {len(given.crew)}."
        )


def _ammo(path: str, given: "AircraftSetup", card: Card) -> None:
    most = card.gun.ammo if card.gun else 0
    if given.ammo is not None and given.ammo > most:
        raise Illegal(
            f"{path}.ammo can be 0 to {most:g} for {card.name}; not {given.ammo:g}.", "GS-C-3"
        )


def _stores(
    path: str, given: "AircraftSetup", card: Card, missiles: Mapping[str, MissileCard]
) -> None:
    """Missiles that the card can carry, each kind listed once."""
    listed = ", ".join(card.missiles) or "nothing"
    for n, store in enumerate(given.stores):
        if store.missile not in missiles or store.missile not in card.missiles:
            raise Illegal(
                f"{path}.stores[{n}].missile: {card.name} carries {listed}; not {store.missile!r}."
            )
        if store.count < 1:
            raise Illegal(f"{path}.stores[{n}].count must be at least 1; not {store.count}.")
        if any(other.missile == store.missile for other in given.stores[:n]):
            raise Illegal(f"{path}.stores[{n}].missile: {store.missile!r} is listed twice.")


def _decoys(path: str, given: "AircraftSetup", card: Card) -> None:
    """The stock; at most what the dispenser holds."""
    if given.decoys is None:
        return
    for kind in Decoys.__struct_fields__:
        _within(f"{path}.decoys.{kind}", getattr(given.decoys, kind), getattr(card.decoys, kind))


def _program(path: str, given: "AircraftSetup", card: Card) -> None:
    """The decoy program in force; only with a dispenser (GS-DEC-1)."""
    for kind in Decoys.__struct_fields__:
        most = MOST_PPL if card.dds else 0
        _within(f"{path}.program.{kind}", getattr(given.program, kind), most)
    if given.program_on and not card.dds:
        raise Illegal(f"{path}.program_on: {card.name} has no dispenser.", "GS-DEC-1")


def _within(path: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise Illegal(f"{path} can be 0 to {most}; not {value}.", "GS-DEC-1")


def _on_radar(path: str, given: "AircraftSetup", card: Card, setup: "Setup") -> None:
    """Contacts and locks: enemies, on an aircraft with a radar."""
    enemies = [each.id for each in setup.aircraft if each.side != given.side]
    named = {"contacts": given.contacts, "locks": given.locks}
    for field, ids in named.items():
        if ids and card.radar is None:
            raise Illegal(f"{path}.{field}: {card.name} has no radar.", "GS-RAD-2")
        for one in ids:
            if one not in enemies:
                raise Illegal(f"{path}.{field} can be {', '.join(enemies)}; not {one!r}.")
    if card.radar is not None and len(given.locks) > card.radar.multi_track:
        raise Illegal(
            f"{path}.locks can be {card.radar.multi_track} at most for {card.name}.", "GS-RAD-4a"
        )
