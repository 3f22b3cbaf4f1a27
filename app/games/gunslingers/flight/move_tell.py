"""Log lines of a move (GS-F).

Belongs here: one sentence a fact, and how its numbers came about. Does not belong here: anything computed anew.
"""

from collections.abc import Mapping

from app.engine.game import Told
from app.engine.log import Event
from app.games.gunslingers.checks import signed
from app.games.gunslingers.flight.energy import POWER_NAMES
from app.games.gunslingers.flight.flight_types import flown_in
from app.games.gunslingers.flight.move_facts import (
    Account,
    EnergySettled,
    Flew,
    LinePlanned,
    SettingsChosen,
)
from app.games.gunslingers.geometry import COMPASS


def tell(event: Event, names: Mapping[str, str]) -> Told | None:
    """The log line of a fact of this area; None for any other."""
    if isinstance(event, SettingsChosen):
        return _chosen(event, names.get(event.aircraft, event.aircraft))
    if isinstance(event, LinePlanned):
        return _planned(event, names.get(event.aircraft, event.aircraft))
    if isinstance(event, Flew):
        return _flew(event, names.get(event.aircraft, event.aircraft))
    if isinstance(event, EnergySettled):
        return _settled(event, names.get(event.aircraft, event.aircraft))
    return None


def _chosen(event: SettingsChosen, name: str) -> Told:
    """Its own side reads all of it, those who see it how it flies, the others only that it does."""
    control = " while its crew controls damage" if event.damage_control else ""
    manner, settings, move = event.manner.value, event.settings.value, event.move.value
    if manner is None:
        return Told(f"{name} begins its move{control}.")
    how = f"{flown_in(manner.flight_type)}, {POWER_NAMES[manner.power]}"
    if settings is None or move is None:
        return Told(f"{name} begins its move in {how}{control}.")
    steps = [f"{move.fps} flight points"]
    if settings.ap:
        steps.append(f"{settings.ap:g} AP chosen")
    if settings.brakes:
        steps.append(f"speed brakes {settings.brakes:g} DP")
    if settings.half_roll:
        steps.append("by a half-roll")
    if move.turn is not None:
        turn = move.turn
        steps.append(f"turn carried: {turn.rate}{turn.side}, {turn.count} of {move.need}")
    return Told(f"{name} begins its move in {how}{control}.", steps=tuple(steps))


def _planned(event: LinePlanned, name: str) -> Told:
    tokens = event.tokens.value
    if tokens is None:
        return Told(f"{name} has its next flight points planned.", quiet=True)
    return Told(f"{name} plans {', '.join(tokens)}.", quiet=True)


def _flew(event: Flew, name: str) -> Told:
    token = f" ({event.token.value})" if event.token.value else ""
    where = f"{event.pos.label} facing {COMPASS[event.facing]}, level {event.altitude}"
    return Told(f"{name}: {where}{token}.", places=(event.pos.label,), aside=True)


def _settled(event: EnergySettled, name: str) -> Told:
    account = event.account.value
    departs = " It turns on too slowly and departs." if event.departed else ""
    where = f"{event.pos.label}, facing {COMPASS[event.facing]}, level {event.altitude}"
    text = f"{name} has flown to {where}.{departs}"
    steps = () if account is None else tuple(account_steps(account))
    return Told(text, steps=steps, places=(event.pos.label,))


def account_steps(account: Account) -> list[str]:
    """The account line by line, the sum, what is carried (GS-F-20)."""
    carried, *rest = account.items
    shown = (carried, *rest) if carried.amount else rest
    steps = [f"{item.words} {signed(item.amount)}" for item in shown]
    steps.append(f"net {signed(account.net)}" if account.net else "net 0")
    steps += account.notes
    steps.append(f"speed {account.next_speed:.1f}")
    if account.ap_carry:
        steps.append(f"{signed(account.ap_carry)} carried on")
    if account.fp_carry:
        steps.append("half a flight point carried")
    if account.turn_carry:
        turn = account.turn_carry
        steps.append(f"turn carried: {turn.rate}{turn.side}, {turn.count} counted")
    steps.append(f"fuel {account.fuel:g}")
    return steps
