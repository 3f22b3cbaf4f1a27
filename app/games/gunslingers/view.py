"""What people see of a position: units, facts, marks on the board, and what became of each aircraft.

Belongs here: plain values, from the rules' own functions. Does not belong here: a rule, markup, whom a viewer knows
of (`fog`), or the aids that can be switched on (`aids`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from app.engine.game import Fate, Mark, UnitView
from app.engine.secret import Viewer
from app.games.gunslingers import fog
from app.games.gunslingers.flight.cards import band, flown_card, limits
from app.games.gunslingers.geometry import COMPASS, on_board
from app.games.gunslingers.model import (
    Aircraft,
    Card,
    Crew,
    Missile,
    Own,
    Row,
    Seen,
    Shot,
    State,
)
from app.games.gunslingers.order.walk import queue

__all__ = ["facts", "fates", "marks", "queue", "units"]

KINDS: Mapping[str, str] = {
    "fighter": "Fighter",
    "fighter-bomber": "Fighter-bomber",
    "bomber": "Bomber",
    "jammer": "Jamming aircraft",
}
CONDITIONS: Mapping[str, str] = {
    "stalled": "stalled",
    "departed": "departed",
    "gloc": "blacked out",
    "disoriented": "disoriented",
}
CAUSES: Mapping[str, str] = {
    "killed": "shot down",
    "crashed": "crashed",
    "left": "left the fight",
}
DAMAGE: Mapping[str, tuple[str, str]] = {
    "L": ("light damage", "no emergency turns"),
    "2L": ("light damage, twice", "no emergency or break turns"),
    "H": ("heavy damage", "half power, no rolls, no emergency or break turns"),
    "C": ("crippled", "half power, no afterburner, rolls, hard turns or attacks"),
}
"""What a state of damage is called, and what it takes away (GS-C-12)."""


def units(state: State, viewer: Viewer) -> list[UnitView]:
    """Every aircraft that the viewer knows of, in the order of the set-up, then missiles."""
    aircraft = [_unit(state, one, viewer) for one in state.aircraft.values()]
    return aircraft + [_missile(state, one) for one in state.missiles.values()]


def _unit(state: State, aircraft: Aircraft, viewer: Viewer) -> UnitView:
    card = state.cards[aircraft.ident.value.card] if aircraft.ident.value else None
    blurred = not fog.knows(state, aircraft, viewer)
    return UnitView(
        id=aircraft.id,
        seat=aircraft.side,
        kind=card.name if card else KINDS[aircraft.kind],
        name=aircraft.name,
        hex=aircraft.pos.label if aircraft.flying and on_board(state.board, aircraft.pos) else None,
        facing=aircraft.facing,
        altitude=aircraft.altitude if aircraft.flying else None,
        speed=aircraft.seen.value.speed if aircraft.seen.value and aircraft.flying else None,
        glyph="blur" if blurred else card.glyph if card else f"kind-{aircraft.kind}",
        states=tuple(_states(state, aircraft, blurred=blurred)),
        fields=dict(_fields(state, aircraft, card)),
        trail=tuple(pos.label for pos in aircraft.trail),
        heights=aircraft.heights,
    )


def _states(state: State, aircraft: Aircraft, *, blurred: bool) -> Iterator[str]:
    if not aircraft.flying:
        yield CAUSES[aircraft.status]
        return
    if blurred and aircraft.known is not None:
        yield f"last known in turn {aircraft.known.turn}"
        return
    if aircraft.condition in CONDITIONS:
        yield CONDITIONS[aircraft.condition]
    if not any(seat != aircraft.side for seat in aircraft.sighted_by):
        yield "unsighted"
    if aircraft.engaged:
        yield "engaged"
    if aircraft.category in ("advantaged", "disadvantaged"):
        yield aircraft.category
    if aircraft.own.value is not None and aircraft.own.value.damage in DAMAGE:
        yield DAMAGE[aircraft.own.value.damage][0]
    if aircraft.own.value is not None and aircraft.own.value.warned:
        yield "locked on"
    if aircraft.smoking:
        yield "smoking"
    if aircraft.damage_control:
        yield "damage control"
    if state.activation is not None and state.activation.aircraft == aircraft.id:
        yield "moving"
    elif aircraft.moved:
        yield "moved"


def _fields(state: State, aircraft: Aircraft, card: Card | None) -> Iterator[tuple[str, Any]]:
    """What the viewer may know of it, under the names of the log sheet."""
    yield "facing", COMPASS[aircraft.facing]
    yield "category", aircraft.category
    yield "initiative", aircraft.initiative
    yield "padlocked_by", _names(state, aircraft.padlocked_by)
    yield "program", _decoys(aircraft.program) if aircraft.program_on else "off"
    yield "tailing", _name(state, aircraft.tailing)
    yield "illuminating", _name(state, aircraft.illuminating)
    if aircraft.seen.value is not None:
        yield from _seen(aircraft.seen.value)
    if card is not None:
        yield from _card(card)
        if aircraft.seen.value is not None and aircraft.flying:
            here = limits(flown_card(state, aircraft), band(aircraft.altitude))
            yield "band", band(aircraft.altitude)
            yield "least_speed", here.min
            yield "most_speed", here.max
    if aircraft.own.value is not None:
        yield from _own(state, aircraft.own.value)


def _seen(seen: Seen) -> Iterator[tuple[str, Any]]:
    yield "flight_type", seen.flight_type
    yield "power", seen.power
    yield "config", seen.config


def _card(card: Card) -> Iterator[tuple[str, Any]]:
    yield "card", card.name
    yield "visibility", card.visibility
    yield "ceiling", card.ceiling
    yield "gun", list(card.gun.hit) if card.gun else None
    yield "radar", card.radar.arc if card.radar else None
    yield "rwr", card.rwr or None


def _own(state: State, own: Own) -> Iterator[tuple[str, Any]]:
    yield "next_speed", own.next_speed
    yield "ap_carry", own.ap_carry
    yield "fp_carry", own.fp_carry
    yield "turn_carry", _turn(own)
    yield "fuel", own.fuel
    yield "ammo", own.ammo
    yield "damage", own.damage
    yield "damage_means", DAMAGE[own.damage][1] if own.damage in DAMAGE else ""
    yield "hits", list(own.hits)
    yield "out", list(own.out)
    yield "stores", [[state.missile_cards[one.missile].name, one.count] for one in own.stores]
    yield "decoys", _decoys(own.decoys)
    yield "radar_mode", own.radar_mode
    yield "contacts", _names(state, own.contacts)
    yield "locks", _names(state, own.locks)
    yield "iff", own.iff
    yield "crew", [_crew(one) for one in own.crew]
    yield "sheet", [_row(row) for row in own.sheet]


def _turn(own: Own) -> str | None:
    """The turn that it is in: "HTR 1", of how many while it moves ("HTR 1/2")."""
    if own.move is not None and own.move.turn is not None:
        turn = own.move.turn
        return f"{turn.rate}{turn.side} {turn.count}/{own.move.need}"
    carried = own.turn_carry
    return f"{carried.rate}{carried.side} {carried.count}" if carried else None


@lru_cache(1024)
def _crew(crew: Crew) -> str:
    """Quality and traits in words: "Veteran, Tactics Master"."""
    words = [crew.quality.capitalize()]
    words += ["Sierra Hotel"] if crew.sierra_hotel else []
    words += ["Tactics Master"] if crew.tactics_master else []
    words += ["Combat Hero"] if crew.combat_hero else []
    words += [f"{crew.confidence} confidence"] if crew.confidence != "normal" else []
    words += [f"fitness {crew.fitness:+d}".replace("-", "−")] if crew.fitness else []
    words += {"ok": [], "gloc": ["blacked out"], "dead": ["dead"]}[crew.status]
    return ", ".join(words)


@lru_cache(4096)
def _row(row: Row) -> Mapping[str, Any]:
    carry = row.turn_carry
    return {
        "turn": row.turn,
        "type": row.flight_type,
        "power": row.power,
        "speed": row.speed,
        "altitude": row.altitude,
        "ap": row.ap,
        "dp": row.dp,
        "carry": row.carry,
        "turn_carry": f"{carry.rate}{carry.side} {carry.count}" if carry else "",
        "fuel": row.fuel,
        "ammo": row.ammo,
        "missiles": row.missiles,
    }


def _decoys(decoys: Any) -> str:
    return f"{decoys.chaff}/{decoys.flare}/{decoys.mini}"


def _name(state: State, aircraft: str | None) -> str | None:
    known = state.aircraft.get(aircraft or "")
    return known.name if known else None


def _names(state: State, ids: Sequence[str]) -> list[str]:
    return [state.aircraft[one].name for one in ids if one in state.aircraft]


def _missile(state: State, missile: Missile) -> UnitView:
    card = state.missile_cards[missile.card.value] if missile.card.value else None
    return UnitView(
        id=missile.id,
        seat=missile.side,
        kind=card.name if card else "Missile",
        name="Missile",
        hex=missile.pos.label,
        facing=missile.facing,
        altitude=missile.altitude,
        speed=missile.speed.value,
        glyph="missile",
        states=() if missile.sighted_by else ("unsighted",),
        fields={
            "target": _name(state, missile.target),
            "shooter": _name(state, missile.shooter),
            "moves_left": missile.left.value,
        },
        trail=tuple(pos.label for pos in missile.trail),
    )


def facts(state: State) -> Sequence[tuple[str, str]]:
    """What holds for the whole table: the turn, the points, the sun, and that nobody may leave (GS-ADM-5a)."""
    found = [("Turn", f"{state.turn} of {state.turns}")]
    found += [
        (f"{label} points", str(state.points.get(side, 0))) for side, label in state.sides.items()
    ]
    if state.sun is not None and state.switches.sun == "on":
        found.append(("Sun", f"in the {COMPASS[state.sun.facing]}"))
    if not state.leaving:
        found.append(("Leaving the fight", "not allowed"))
    return tuple(found)


def marks(state: State, viewer: Viewer) -> list[Mark]:
    """Where aircraft went down, each missile's way to its target, and this turn's bursts."""
    del viewer
    lost = [_wreck(one) for one in state.aircraft.values() if one.status in ("killed", "crashed")]
    ways = [_way(state, one) for one in state.missiles.values() if one.target in state.aircraft]
    shots = [_shot(state, n, shot) for n, shot in enumerate(state.shots) if shot.turn == state.turn]
    return lost + ways + shots


def _shot(state: State, n: int, shot: Shot) -> Mark:
    shooter, target = state.aircraft[shot.shooter], state.aircraft[shot.target]
    return Mark(
        id=f"shot-{n}",
        kind="shot-gun",
        hex=shot.start.label,
        to=shot.end.label,
        unit=shot.shooter,
        target=shot.target,
        words=f"{shooter.name} fired at {target.name}: {'hit' if shot.hit else 'miss'}",
        side=shooter.side,
        good=shot.hit,
    )


def _wreck(aircraft: Aircraft) -> Mark:
    return Mark(
        id=f"wreck-{aircraft.id}",
        kind="wreck",
        hex=aircraft.pos.label,
        words=f"{aircraft.name} went down here",
        side=aircraft.side,
    )


def _way(state: State, missile: Missile) -> Mark:
    target = _name(state, missile.target)
    return Mark(
        id=f"way-{missile.id}",
        kind="way",
        hex=missile.pos.label,
        to=state.aircraft[missile.target].pos.label,
        unit=missile.id,
        target=missile.target,
        words=f"a missile flies at {target}",
        side=missile.side,
    )


def fates(state: State) -> list[Fate]:
    """What became of each aircraft that is out of the game."""
    return [
        Fate(one.id, one.side, CAUSES[one.status])
        for one in state.aircraft.values()
        if not one.flying
    ]
