"""What people see of a position: units, facts, fates, and the picture of the flight.

Belongs here: plain values, computed from the position. Does not belong here: a rule, or markup.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from app.engine.game import Fate, UnitView
from app.engine.secret import Viewer
from app.games.f14_tomcats import migs
from app.games.f14_tomcats.model import HOME, Contact, Jet, Mig, Missile, State, Stores, Target

# Units and facts.


def units(state: State, viewer: Viewer) -> list[UnitView]:
    """Every aircraft, in the order of the set-up. Nothing of this game is hidden from anybody."""
    del viewer
    return [_unit(state, jet) for jet in state.jets.values()]


def _unit(state: State, jet: Jet) -> UnitView:
    return UnitView(
        id=jet.id,
        seat=jet.seat,
        kind=jet.aircraft,
        name=jet.name,
        hex=None,
        facing=0,
        glyph="tomcat",
        states=tuple(_states(state, jet)),
        fields=_fields(state, jet),
    )


def _states(state: State, jet: Jet) -> Iterator[str]:
    if not jet.flying:
        yield {"down": "going down"}.get(jet.status, jet.status)
        return
    if state.team and state.order:
        yield "leader" if state.leader is jet else "wingman"
    if jet.damage:
        yield "damaged"


def _fields(state: State, jet: Jet) -> Mapping[str, Any]:
    career = jet.record or jet.career
    return {
        "waypoint": state.waypoint,
        "damage": jet.damage,
        "of": jet.limit,
        "stores": _stores(jet.stores),
        "loadout": _stores(jet.loadout),
        "chaff": jet.stores.chaff,
        "kills": jet.kills,
        "points": jet.points,
        "pilot": jet.pilot,
        "call_sign": jet.name,
        "status": jet.status,
        "rank": career.rank,
        "career": msgspec.to_builtins(career),
        "debriefed": jet.record is not None,
    }


def _stores(stores: Stores) -> Mapping[str, int]:
    return {name: getattr(stores, name) for name in stores.__struct_fields__}


def facts(state: State) -> Sequence[tuple[str, str]]:
    """Where the flight is, and how the targets stand."""
    listed = [("Waypoint", f"{state.waypoint} of {HOME}")]
    for target in state.targets:
        where = f"waypoint {target.waypoint}"
        what = f"{target.type}, {where}: {_standing(target)}" if target.known else where
        listed.append((target.id.capitalize(), what))
    return listed


def _standing(target: Target) -> str:
    damage = f"{target.damage} of {target.needs} damage"
    if target.destroyed:
        return f"destroyed, {target.points} points"
    return f"left behind with {damage}" if target.left_behind else damage


def fates(state: State) -> Sequence[Fate]:
    """What became of the aircraft that are not home."""
    causes = {
        "down": "shot down",
        "rescued": "shot down, pilot rescued",
        "lost": "shot down, pilot lost",
    }
    return [
        Fate(jet.id, jet.seat, causes[jet.status])
        for jet in state.jets.values()
        if jet.status in causes
    ]


# The picture.


def scene(state: State, viewer: Viewer) -> Mapping[str, Any]:
    """The flight on its route, as plain values.

    `waypoints` are all of them, each with what has happened there; `targets` is None until both places
    are rolled for, and until then `haze` says where they may be. `contact` is what is going on now, or has
    just been; `jets` leader first.
    """
    del viewer
    placed = len(state.targets) == 2
    return {
        "at": state.waypoint,
        "home": HOME,
        "waypoints": [_waypoint(state, number) for number in range(1, HOME + 1)],
        "targets": [_target(state, one) for one in state.targets] if placed else None,
        "haze": [] if placed else _haze(state),
        "contact": _contact(state, state.contact) if _shown(state.contact) else None,
        "run": None if state.run is None else _run(state),
        "jets": [_jet(state, state.jets[name]) for name in state.order or state.jets],
        "over": state.result is not None,
    }


def _haze(state: State) -> Sequence[Mapping[str, Any]]:
    """From where to where on the route each target may still be (F14-MS-3)."""
    first = [target.waypoint for target in state.targets]
    primary = (first[0], first[0]) if first else (3, 13)
    secondary = (primary[0] + 2, min(primary[1] + 12, HOME - 1))
    return [
        {"id": name, "first": least, "last": most}
        for name, (least, most) in (("primary", primary), ("secondary", secondary))
    ]


def _shown(contact: Contact | None) -> bool:
    return contact is not None and contact.met


def _waypoint(state: State, number: int) -> Mapping[str, Any]:
    met = [one for one in (*state.past, state.contact) if one is not None and one.met]
    return {
        "number": number,
        "base": number in (1, HOME),
        "flown": number < state.waypoint or (number == state.waypoint and state.flown),
        "here": number == state.waypoint,
        "target": next((one.id for one in state.targets if one.waypoint == number), None),
        "contacts": [_happened(one) for one in met if one.waypoint == number],
    }


def _happened(contact: Contact) -> Mapping[str, Any]:
    """A contact in numbers."""
    outcomes = [missile.outcome for missile in contact.missiles]
    return {
        "kind": contact.kind,
        "run": contact.run,
        "number": len(contact.missiles) or len(contact.migs),
        "spoofed": outcomes.count("spoofed"),
        "evaded": outcomes.count("evaded"),
        "kills": sum(mig.by is not None for mig in contact.migs),
        "hits": outcomes.count("hit") + sum(mig.hit for mig in contact.migs),
    }


def _target(state: State, target: Target) -> Mapping[str, Any]:
    return {
        "id": target.id,
        "waypoint": target.waypoint,
        "type": target.type or None,
        "points": target.points,
        "damage": target.damage,
        "needs": target.needs,
        "passes": target.passes,
        "destroyed": target.destroyed,
        "left_behind": target.left_behind,
        "below": state.target is target,
    }


def _contact(state: State, contact: Contact | None) -> Mapping[str, Any] | None:
    """A contact as it unfolds."""
    if contact is None:
        return None
    coming = contact.coming
    return {
        **_happened(contact),
        "waypoint": contact.waypoint,
        "missiles": [_missile(n, one, coming) for n, one in enumerate(contact.missiles)],
        "migs": [_mig(n, one, contact) for n, one in enumerate(contact.migs)],
        "shooter": _shooter(state, contact),
        "over": _over(state, contact),
    }


def _missile(number: int, missile: Missile, coming: int | None) -> Mapping[str, Any]:
    return {
        "number": number + 1,
        "jet": missile.jet,
        "outcome": missile.outcome or None,
        "coming": number == coming,
        "countermeasure": missile.spoof,
        "evade": missile.evade,
        "saved": missile.chaff == "keep",
    }


def _mig(number: int, mig: Mig, contact: Contact) -> Mapping[str, Any]:
    aim = contact.aim
    return {
        "number": number + 1,
        "jet": mig.jet,
        "alive": mig.by is None,
        "by": mig.by,
        "hit": mig.hit,
        "shot_at": aim.weapon if aim is not None and aim.mig == number else None,
    }


def _shooter(state: State, contact: Contact) -> str | None:
    """Whose shot it is."""
    if contact.over or not migs.alive(contact):
        return None
    return next((jet.id for jet in state.flying() if jet.id not in contact.held), None)


def _over(state: State, contact: Contact) -> bool:
    if state.leader is None:
        return True
    if contact.kind == "migs":
        return contact.counted and (contact.over or not migs.alive(contact))
    return contact.counted and contact.coming is None


def _run(state: State) -> Mapping[str, Any]:
    assert state.run is not None
    run = state.run
    firing = next((jet.id for jet in state.flying() if jet.id not in run.done), None)
    return {
        "number": run.number,
        "jet": run.jet,
        "plan": run.plan,
        "firing": firing,
        "fired": run.fired or (run.plan if firing == run.jet else None),
    }


def _jet(state: State, jet: Jet) -> Mapping[str, Any]:
    return {
        "id": jet.id,
        "seat": jet.seat,
        "name": jet.name,
        "lead": state.leader is jet,
        "status": jet.status,
        "fell": None if jet.status in ("flying", "landed") else _fell(state, jet),
        "damage": jet.damage,
        "of": jet.limit,
        "stores": _stores(jet.stores),
        "loadout": _stores(jet.loadout),
        "kills": jet.kills,
        "points": jet.points,
    }


def _fell(state: State, jet: Jet) -> int:
    """Where a jet that is down was hit for the last time."""
    for contact in reversed((*state.past, *([state.contact] if state.contact else ()))):
        missiles = any(one.jet == jet.id and one.outcome == "hit" for one in contact.missiles)
        if missiles or any(mig.jet == jet.id and mig.hit for mig in contact.migs):
            return contact.waypoint
    return state.waypoint
