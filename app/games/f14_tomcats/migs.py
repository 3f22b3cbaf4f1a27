"""The MiG flight (F14-MG-1 to F14-MG-5, F14-TP-5): shots, and what the MiGs that are left do.

Belongs here: who shoots with what at which MiG, and the damage. Does not belong here: how many MiGs there
are; see `contact`.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Todo
from app.games.f14_tomcats import chances, foresight
from app.games.f14_tomcats.events import HeldFire, MigsHit, ShotChosen, ShotRolled
from app.games.f14_tomcats.model import Aim, Contact, Jet, State, WeaponType
from app.games.f14_tomcats.words import faces as faces_from
from app.games.f14_tomcats.words import many, stock

STOP = "stop"


def todo(state: State, contact: Contact) -> Todo:
    """The shot that is chosen, else who shoots next, else the MiGs; None when they are gone."""
    if contact.over or not alive(contact):
        return None
    if contact.aim is not None:
        return _shot(state, contact, state.jets[contact.aim.jet], contact.aim)
    for jet in state.flying():
        if jet.id not in contact.held:
            return _decision(state, contact, jet)
    event = migs_hit(state, contact)
    return Effect(event, "F14-MG-4", "The MiGs attack", step="migs")


def alive(contact: Contact) -> tuple[int, ...]:
    """The MiGs that are left, by number from 0."""
    return tuple(n for n, mig in enumerate(contact.migs) if mig.by is None)


# Shots (MG-2, MG-3, TP-5).


def _decision(state: State, contact: Contact, jet: Jet) -> Decision:
    left = many(len(alive(contact)), "MiG")
    return Decision(
        id=f"shoot:{contact.waypoint}.{contact.run}.{contact.shots + 1}:{jet.id}",
        seat=jet.seat,
        title=f"{jet.name}: shoot at the MiGs?",
        options=lambda: tuple(options(state, contact, jet)),
        happen=partial(_chosen, state, contact, jet),
        cite="F14-TP-5" if state.team else "F14-MG-3",
        unit=jet.id,
        why=f"{left} left",
        step="migs",
        then=foresight.offered(state),
        action="Fire",
    )


def options(state: State, contact: Contact, jet: Jet) -> Iterator[Option]:
    """Each weapon, at each kind of MiG where they come for different jets, and to stop."""
    preys = list(dict.fromkeys(contact.migs[n].jet for n in alive(contact)))
    for row in state.cards.weapons:
        for prey in preys if row.air else preys[:1]:
            yield _option(state, contact, jet, row, prey if len(preys) > 1 and row.air else None)
    yield Option(
        STOP,
        "Hold fire",
        detail=stop_detail(state, contact, jet),
        cite="F14-MG-3",
        then=foresight.told(foresight.after_stop, state, jet),
    )


def _option(state: State, contact: Contact, jet: Jet, row: WeaponType, prey: str | None) -> Option:
    has = stock(jet.stores.of(row.id), row.id)
    blocked = shot_blocked(state, contact, jet, row)
    at = f" at a MiG that comes for {state.jets[prey].name}" if prey else ""
    aimed = prey or contact.migs[alive(contact)[0]].jet
    return Option(
        f"{row.id}@{prey}" if prey else row.id,
        f"{row.name[0].upper()}{row.name[1:]}{at}",
        detail=f"hits on {faces_from(row.hits)}; {has}" if row.air else has,
        cost="" if blocked else f"−1 {row.name if row.id != 'cannon' else 'cannon burst'}",
        cite="F14-MG-2",
        odds=chances.hits(row) if row.air else None,
        blocked=blocked,
        then=None if blocked else foresight.told(foresight.after_shot, state, jet, row.id, aimed),
    )


def shot_blocked(state: State, contact: Contact, jet: Jet, row: WeaponType) -> Blocked | None:
    """Why a weapon can't be fired at a MiG."""
    if not row.air:
        return Blocked(f"MiGs can't be hit by {row.plural}", "F14-MG-2")
    if state.rulings.shots_per_mig == "one" and contact.shots >= len(contact.migs):
        return Blocked("there was one shot for each MiG", "F14-MG-3")
    if not jet.stores.of(row.id):
        none = row.plural if row.id == "cannon" else row.name
        return Blocked(f"no {none} left", "F14-MG-2")
    return None


def stop_detail(state: State, contact: Contact, jet: Jet) -> str:
    """The damage that is certain once he stops; while the wingman still shoots, the most there can be."""
    damage = {name: 0 for _, name in hits(state, contact)}
    for _, name in hits(state, contact):
        damage[name] += 1
    later = any(one.id not in (*contact.held, jet.id) for one in state.flying())
    parts = [_damage(state.jets[name], n) for name, n in damage.items()]
    return ("at most " if later else "") + ", ".join(parts) + _then(state, jet, later=later)


def _damage(jet: Jet, number: int) -> str:
    down = " and goes down" if number >= jet.left else ""
    return f"{jet.name} takes {number} damage{down}"


def _then(state: State, jet: Jet, *, later: bool) -> str:
    if not later:
        return ""
    wingman = next(one for one in state.flying() if one.id != jet.id)
    return f"; then {wingman.name} may shoot"


def _chosen(state: State, contact: Contact, jet: Jet, value: str) -> ShotChosen | HeldFire:
    left = alive(contact)
    if value == STOP:
        return HeldFire(jet.id, len(left))
    fired, _, prey = value.partition("@")
    mig = next(n for n in left if not prey or contact.migs[n].jet == prey)
    row = next(row for row in state.cards.weapons if row.id == fired)
    return ShotChosen(jet.id, row.id, mig, contact.migs[mig].jet)


def _shot(state: State, contact: Contact, jet: Jet, aim: Aim) -> Roll:
    row = state.cards.weapon(aim.weapon)
    return Roll(
        id=f"shot:{contact.waypoint}.{contact.run}.{contact.shots + 1}",
        seat=jet.seat,
        title=f"{jet.name}: {row.name} against MiG {aim.mig + 1}",
        pool=chances.ONE_DIE,
        happen=partial(shot, row, contact, jet, aim),
        cite="F14-MG-2",
        unit=jet.id,
        why=f"hits on {faces_from(row.hits)}",
        step="migs",
        odds=chances.hits(row),
    )


def shot(
    row: WeaponType, contact: Contact, jet: Jet, aim: Aim, faces: tuple[int, ...]
) -> ShotRolled:
    """F14-MG-2: used up, hit or miss. F14-MG-5: a MiG destroyed is a kill."""
    hit = row.hit(faces[0])
    left = len(alive(contact)) - hit
    stores = jet.stores.of(aim.weapon) - 1
    return ShotRolled(jet.id, row.id, aim.mig, faces[0], row.hits, hit, stores, left)


# What the MiGs do (MG-4, TP-5, TP-8).


def hits(state: State, contact: Contact) -> tuple[tuple[int, str], ...]:
    """F14-MG-4: each MiG that is left hits the jet that it came for.

    F14-TP-8: once that one is down, the other. F14-DM-1: what is more than it takes is not counted.
    """
    left = {jet.id: jet.left for jet in state.flying()}
    found: list[tuple[int, str]] = []
    for number in alive(contact):
        meant = contact.migs[number].jet
        jet = meant if left[meant] else next((name for name, n in left.items() if n), None)
        if jet is None:
            break
        left[jet] -= 1
        found.append((number, jet))
    return tuple(found)


def migs_hit(state: State, contact: Contact) -> MigsHit:
    """The damage of all of them."""
    hitting = hits(state, contact)
    damage: Mapping[str, int] = {
        jet.id: jet.damage + sum(name == jet.id for _, name in hitting) for jet in state.flying()
    }
    hurt = tuple((name, n) for name, n in damage.items() if n > state.jets[name].damage)
    limit = next(state.flying()).limit
    return MigsHit(hitting, hurt, limit)
