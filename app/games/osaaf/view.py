"""What people see of a position: units, facts, marks on the board, and what became of each jet.

Belongs here: plain values, from the rules' own functions. Does not belong here: a rule, markup, or the
aids that can be switched on (`aids`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.engine.game import Fate, Mark, UnitView
from app.engine.secret import Viewer
from app.games.osaaf.combat import WEAPONS, carried
from app.games.osaaf.energy import engine_out
from app.games.osaaf.model import SIDE_NAMES, Arm, Jet, Shot, State
from app.games.osaaf.movement import next_to_move, place_reason, through


def units(state: State, viewer: Viewer) -> list[UnitView]:
    """Every jet, in the order of the set-up. Nothing of this game is hidden from anybody."""
    del viewer
    moving = next_to_move(state) if state.phase == "movement" else None
    return [_unit(state, jet, jet is moving) for jet in state.jets.values()]


def _unit(state: State, jet: Jet, moving: bool) -> UnitView:
    flying = jet.status == "flying"
    return UnitView(
        id=jet.id,
        seat=jet.seat,
        kind=jet.aircraft.name,
        name=jet.name,
        hex=jet.hex.label if flying else None,
        facing=jet.facing,
        altitude=None if jet.lost is not None else jet.altitude,
        speed=None if jet.lost is not None else jet.speed,
        glyph=jet.aircraft.glyph,
        states=tuple(_states(state, jet, moving)),
        fields=_fields(state, jet),
        trail=tuple(place.label for place in jet.trail),
    )


def _states(state: State, jet: Jet, moving: bool) -> Iterator[str]:
    if jet.status != "flying":
        yield "off-board" if jet.status == "away" else jet.status
        return
    if jet.stalled:
        yield "stalled"
    if jet.hits:
        yield "damaged"
    if engine_out(state.rulings, jet):
        yield "out of fuel"
    if moving:
        yield "moving"
    elif state.places is not None and through(state, jet):
        yield "moved"


def _fields(state: State, jet: Jet) -> Mapping[str, Any]:
    card, plan = jet.aircraft, jet.energy.plan
    order = next((n for n, place in enumerate(state.places or (), 1) if place.jet == jet.id), None)
    return {
        "aircraft": card.name,
        "maneuverability": card.maneuverability,
        "energy_factor": jet.energy_factor,
        "max_speed": card.max_speed,
        "ceiling": card.ceiling,
        "afterburner": card.afterburner,
        "skill": jet.skill,
        "initiative": jet.initiative[0] if jet.initiative else None,
        "hard_turns": jet.hard_turns,
        "jink": plan is not None and plan.jink,
        "aim": plan is not None and plan.aim,
        "afterburner_lit": plan is not None and plan.afterburner,
        "order": order,
        "order_reason": place_reason(state, jet.id),
        "back": jet.back,
        "fuel": jet.fuel if state.rulings.fuel == "on" else None,
        "full_fuel": card.fuel,
        "hits": jet.hits,
        "toughness": card.toughness,
        "weapons": {
            arm: {"quality": weapon.quality, "left": jet.stores.of(arm), "of": weapon.shots}
            for arm, weapon in carried(jet)
        }
        if state.rulings.combat == "on"
        else {},
    }


def facts(state: State) -> Sequence[tuple[str, str]]:
    """What holds for the whole table: the light, and the turn."""
    turn = ("Turn", f"{state.turn} of {state.turns}")
    if state.night:
        return (("Light", "Night"), turn)
    sun = "Sun in the " + SIDE_NAMES[state.sun] if state.sun else "Sun not rolled for yet"
    return (("Light", sun), turn)


# Marks: shots and wrecks.


def marks(state: State, viewer: Viewer) -> list[Mark]:
    """Where jets went down, then the last shots, until jets move again. Nothing of it is hidden."""
    del viewer
    lost = [_wreck(state, jet) for jet in state.jets.values() if jet.lost is not None]
    return lost + [_shot(state, n, shot) for n, shot in enumerate(state.shots)]


_SHOTS: Mapping[Arm, str] = {
    "gun": "shot-gun",
    "heat_seeker": "shot-heat",
    "radar_missile": "shot-radar",
}


def _shot(state: State, n: int, shot: Shot) -> Mark:
    shooter, target = state.jets[shot.jet], state.jets[shot.target]
    verdict = "hit" if shot.hit else "miss"
    return Mark(
        id=f"shot-{n}",
        kind=_SHOTS[shot.arm],
        hex=shot.start.label,
        to=shot.end.label,
        words=f"{shooter.name} attacked {target.name} with its {WEAPONS[shot.arm].name}: {verdict}",
        side=shooter.seat,
        good=shot.hit,
        unit=shot.jet,
        target=shot.target,
    )


def _wreck(state: State, jet: Jet) -> Mark:
    """Fresh until jets move again."""
    lost = jet.lost or 0
    fresh = lost == state.turn or (lost == state.turn - 1 and state.places is None)
    return Mark(
        id=f"wreck-{jet.id}",
        kind="splash" if fresh else "wreck",
        hex=jet.hex.label,
        words=f"{jet.name} {CAUSES[jet.status]} here in turn {lost}",
        side=jet.seat,
    )


CAUSES: Mapping[str, str] = {
    "crashed": "crashed in a stall",
    "shot-down": "was shot down",
    "gone": "disengaged",
}


def fates(state: State) -> list[Fate]:
    """What became of each jet that is out of the game."""
    return [
        Fate(jet.id, jet.seat, CAUSES[jet.status].removeprefix("was "))
        for jet in state.jets.values()
        if jet.status in CAUSES
    ]
