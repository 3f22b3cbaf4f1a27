"""What earlier editions wrote, in today's form, and what the rules of their time came to.

Belongs here: a step for each event that changed its form, the cards of those editions, and functions for what their
facts did not say. They stay as they are, read nothing of today's rules, and have their numbers in themselves. Does not
belong here: today's cards (`cards`, `missiles`), what rulings came when (`rulings.toml`).
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from app.engine.editions import Plain, Upcasters
from app.engine.secret import Viewer
from app.games.gunslingers.model import Aircraft, Condition, Missile, Power, Settings, State
from app.games.gunslingers.noted import Noted


@cache
def _cards() -> dict[str, Any]:
    """The cards of edition 1, which its tables did not keep."""
    folder = files(__package__ or __name__).joinpath("editions")
    return msgspec.json.decode(folder.joinpath("cards-1.json").read_bytes())


def _with_cards(opened: Plain) -> Plain:
    if "cards" not in opened:
        opened["cards"] = _cards()
    return opened


UPCASTERS: Upcasters = {2: {"Opened": _with_cards}}
"""Facts need none: what the first edition did not say in them, folding takes from here."""


# Facts of the first edition


def in_hand(aircraft: Aircraft) -> Condition:
    """The condition of an aircraft that is neither stalled nor departed any more."""
    alive = (n for n, one in enumerate(aircraft.o.crew) if one.status != "dead")
    if aircraft.o.crew[next(alive, 0)].status != "ok":
        return "gloc"
    return "disoriented" if aircraft.bearings_lost else "normal"


def awake(aircraft: Aircraft) -> Condition:
    """The condition of an aircraft whose pilot has come to."""
    if aircraft.condition != "gloc":
        return aircraft.condition
    return "disoriented" if aircraft.bearings_lost else "normal"


class Broken(NamedTuple):
    """What a move comes to that a departure breaks off."""

    fuel: float
    climb_turns: int
    dive_turns: int
    gloc_checks: int


def broken_off(state: State, aircraft: Aircraft, settings: Settings | None) -> Broken:
    """The fuel, and the climbs, dives and checks in a row, after a move that a departure broke off."""
    own = aircraft.o
    if settings is None:
        return Broken(own.fuel, own.climb_turns, own.dive_turns, own.gloc_checks)
    power: Power = "I" if own.flamed_out else settings.power
    kind = settings.flight_type
    return Broken(
        max(0.0, own.fuel - state.card(aircraft).fuel_use.get(power, 0.0)),
        own.climb_turns + 1 if kind in ("SC", "ZC", "VC") else 0,
        own.dive_turns + 1 if kind in ("SD", "UD", "VD") else 0,
        own.gloc_checks if own.max_rate in ("BT", "ET") else 0,
    )


def stay_in_sight(state: State, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Of those that were said to be out of sight, the ones that are padlocked."""
    everything: Mapping[str, Aircraft | Missile] = {**state.aircraft, **state.missiles}
    return tuple(id for id in targets if everything[id].padlocked_by)


def noted(before: State, after: State, *, held: bool) -> Noted:
    """What followed from a fact for what the sides knew. `held`: it said what radars held from then on."""
    moved = held or any(
        one.o.locks != after.aircraft[one.id].o.locks or one.flying != after.aircraft[one.id].flying
        for one in before.aircraft.values()
    )
    return Noted(warned=_warned(after) if moved else {}, lost=_lost(before, after))


def _warned(state: State) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one in state.aircraft.values():
        locking = tuple(each.id for each in state.enemies(one.side) if one.id in each.o.locks)
        works = bool(state.card(one).rwr) and "ecm" not in one.o.out
        heard = locking if works else ()
        if heard != one.o.warned:
            found[one.id] = heard
    return found


def _lost(before: State, after: State) -> tuple[str, ...]:
    if after.switches.fog != "soft":
        return ()
    found: list[str] = []
    for one in after.flying():
        enemy = frozenset({after.other(one.side)})
        if not _knows(after, one, enemy) and _knows(before, before.aircraft[one.id], enemy):
            found.append(one.id)
    return tuple(found)


def _knows(state: State, aircraft: Aircraft, viewer: Viewer) -> bool:
    if any(seat in viewer for seat in aircraft.sighted_by if seat != aircraft.side):
        return True
    return any(
        one.id in aircraft.vas_by or aircraft.id in (*one.o.contacts, *one.o.locks)
        for one in state.aircraft.values()
        if one.side in viewer
    )
