"""What people see of a position: units, facts, the order, marks on the board, what became of each ship.

Belongs here: plain values, from the rules' own functions. Does not belong here: a rule, markup, or the
aids that can be switched on (`aids`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from app.engine.game import Fate, Mark, Queue, UnitView
from app.engine.game import Place as QueuePlace
from app.engine.secret import Viewer
from app.games.war_in_space import order
from app.games.war_in_space.ending import score
from app.games.war_in_space.energy import DICE, affordable, energy_die
from app.games.war_in_space.model import SYSTEMS, Place, Ship, Shot, State
from app.games.war_in_space.movement import next_to_move
from app.games.war_in_space.words import CREWS


def units(state: State, viewer: Viewer) -> list[UnitView]:
    """Every ship, in the order of the set-up. Cards are shown once they lie open, and to nobody before."""
    del viewer
    moving = next_to_move(state) if state.phase == "movement" else None
    return [_unit(state, ship, ship is moving) for ship in state.ships.values()]


def _unit(state: State, ship: Ship, moving: bool) -> UnitView:
    there = ship.status == "fighting"
    return UnitView(
        id=ship.id,
        seat=ship.seat,
        kind=ship.kind.title,
        name=ship.name,
        hex=ship.hex.label if there else None,
        facing=ship.facing,
        speed=ship.speed if there else None,
        glyph=ship.kind.id,
        states=tuple(_states(state, ship, moving)),
        fields=_fields(ship, moving),
        trail=tuple(place.label for place in ship.trail),
    )


def _states(state: State, ship: Ship, moving: bool) -> Iterator[str]:
    if ship.status != "fighting":
        yield ship.status
        return
    if ship.crippled:
        yield "crippled"
    for system in SYSTEMS:
        if ship.unmarked(system) == 0:
            yield f"no {'power' if system == 'power' else system + 's'}"
    if moving:
        yield "moving"
    elif state.order is not None and ship.steps_left == 0:
        yield "moved"


def _fields(ship: Ship, moving: bool) -> Mapping[str, Any]:
    kind, energy = ship.kind, ship.energy
    return {
        "class": kind.title,
        "size": kind.size,
        "crew": CREWS[ship.crew],
        "pattern": kind.pattern.title,
        "suits": {suit: list(actions) for suit, actions in kind.pattern.suits.items()},
        "boxes": {system: [ship.marked.of(system), ship.total(system)] for system in SYSTEMS},
        "turn_die": f"d{kind.turn_die}",
        "energy_dice": f"{DICE}d{energy_die(ship)}",
        "points": kind.points,
        "order": None if ship.card is None else msgspec.to_builtins(ship.card),
        "energy": None if energy is None else msgspec.structs.asdict(energy),
        "dealt": None if ship.dealt is None else msgspec.structs.asdict(ship.dealt),
        "bonus": ship.bonus,
        "left": ship.steps_left if moving else None,
    }


def facts(state: State) -> Sequence[tuple[str, str]]:
    """What holds for the whole table: the turn, and each side's points so far."""
    turn = ("Turn", f"{state.turn} of {state.turns}")
    if state.rulings.victory == "off":
        return (turn,)
    return (
        turn,
        *((label, f"{score(state, seat)} pts") for seat, label in state.sides.items()),
    )


# The order of movement.


def queue(state: State, viewer: Viewer) -> Queue | None:
    """The order that ships follow: to spend movement energy, then to move."""
    del viewer
    if state.phase == "movement" and state.order is not None:
        now = next_to_move(state)
        left = {ship.id for ship in state.fighting() if ship.steps_left}
        return _queue("Order of movement", state.order, left, now.id if now else None)
    if state.phase == "energy" and state.spending is not None:
        able = {ship.id for ship in state.fighting() if affordable(ship) and not ship.spent}
        now = next((place.ship for place in state.spending if place.ship in able), None)
        return _queue("Order of spending", state.spending, able, now)
    return None


def _queue(title: str, places: tuple[Place, ...], left: set[str], now: str | None) -> Queue:
    shown = tuple(
        QueuePlace(
            unit=place.ship,
            why=order.reason(place),
            done=place.ship not in left,
            now=place.ship == now,
        )
        for place in places
    )
    return Queue(title, "WIS-MO-2", shown)


# Marks: shots, wrecks, and where ships left the board.


def marks(state: State, viewer: Viewer) -> list[Mark]:
    """What has become of ships, where; then the shots of this turn. Nothing of it is hidden."""
    del viewer
    gone = [_left(ship) for ship in state.ships.values() if ship.status != "fighting"]
    return gone + [_shot(state, n, shot) for n, shot in enumerate(state.shots)]


def _shot(state: State, n: int, shot: Shot) -> Mark:
    ship, target = state.ships[shot.ship], state.ships[shot.target]
    return Mark(
        id=f"shot-{n}",
        kind="shot",
        hex=shot.start.label,
        to=shot.end.label,
        unit=shot.ship,
        target=shot.target,
        words=f"{ship.name} fired at {target.name}: {'hit' if shot.hit else 'miss'}",
        side=ship.seat,
        good=shot.hit,
    )


def _left(ship: Ship) -> Mark:
    wreck = ship.status == "destroyed"
    return Mark(
        id=f"{'wreck' if wreck else 'withdrew'}-{ship.id}",
        kind="wreck" if wreck else "withdrew",
        hex=ship.hex.label,
        words=f"{ship.name} {CAUSES[ship.status]} here in turn {ship.lost}",
        side=ship.seat,
    )


CAUSES: Mapping[str, str] = {"destroyed": "was destroyed", "withdrawn": "withdrew"}


def fates(state: State) -> list[Fate]:
    """What became of each ship that is out of the game."""
    return [
        Fate(ship.id, ship.seat, CAUSES[ship.status].removeprefix("was "))
        for ship in state.ships.values()
        if ship.status in CAUSES
    ]
