"""Combat (CB), of this house: Aim and Jink stand in the text, their effects are in parts that are missing.

After Movement each jet may attack once, the highest initiative first, and results count at once. Belongs
here: who may attack whom with what, the attack roll and its odds, and what a hit does. Same order as the
rulebook.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from app.engine.chance import Chance, Odds
from app.engine.dice import Pool
from app.engine.hexes import distance, sectors
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Step, Todo
from app.games.osaaf.events import (
    AttackChosen,
    Attacked,
    FireHeld,
    Modifier,
    NoShot,
    ShotDown,
)
from app.games.osaaf.model import Arm, Attack, Jet, State, Weapon
from app.games.osaaf.movement import keep_one
from app.games.osaaf.words import signed

ATTACK_DICE = Pool(3)
NEEDED = 4
"""The score of an attack must be above this (OSAAF-CB-4)."""
HEAVY_SCORE = 7
"""A gun burst with this score or more does 2 damage (OSAAF-CB-3)."""
FRONT, REAR = 0, 3
"""Sectors counted from the nose (OSAAF-CB-2)."""


class Reach(Struct, frozen=True):
    """A line of the weapons table (OSAAF-CB-3): range in hexes, levels between the jets, damage."""

    name: str
    least: int
    most: int
    levels: int
    from_behind: bool
    damage: int


WEAPONS: Mapping[Arm, Reach] = {
    "gun": Reach("gun", 1, 3, 1, from_behind=False, damage=1),
    "heat_seeker": Reach("heat-seeker", 2, 6, 2, from_behind=True, damage=2),
    "radar_missile": Reach("radar missile", 4, 10, 3, from_behind=False, damage=2),
}


def todo(state: State) -> Todo:
    """OSAAF-CB-1: from the highest initiative to the lowest; None when nobody is left to attack."""
    if state.rulings.combat == "off":
        return None
    for jet in state.flying():
        if jet.hits >= jet.aircraft.toughness:
            return _destroyed(state, jet)
    for name in reversed(state.order or ()):
        jet = state.jets[name]
        if may_attack(state, jet) and (jet.attack is None or not _through(jet.attack)):
            return _next(state, jet)
    return None


def may_attack(state: State, jet: Jet) -> bool:
    """OSAAF-CB-1: on the board, with an enemy there too, and not stalled, whether stalls fall or not."""
    if jet.status != "flying" or jet.stalled:
        return False
    return any(True for _ in enemies(state, jet))


def enemies(state: State, jet: Jet) -> Iterator[Jet]:
    """The other side's jets on the board."""
    return (other for other in state.flying() if other.seat != jet.seat)


def _through(attack: Attack) -> bool:
    return attack.arm is None or attack.rolled


def _next(state: State, jet: Jet) -> Step:
    attack = jet.attack
    if attack is not None and attack.arm is not None and attack.target is not None:
        return _roll(jet, state.jets[attack.target], attack.arm)
    if any(blocked is None for _, _, blocked in attacks(state, jet)):
        return _decide(state, jet)
    event = no_shot(state, jet)
    return Effect(event, "OSAAF-CB-3", f"{jet.name} has no shot", jet.seat, jet.id)


# Who can be attacked with what (CB-2, CB-3, CB-6).


def in_front(jet: Jet, other: Jet) -> bool:
    """OSAAF-CB-2: whether the other one is in the jet's front arc; never in its own hex."""
    return FRONT in sectors(other.hex - jet.hex, jet.facing)


def behind(jet: Jet, other: Jet) -> bool:
    """OSAAF-CB-2: whether the other one is in the jet's rear arc."""
    return REAR in sectors(other.hex - jet.hex, jet.facing)


def carried(jet: Jet) -> Iterator[tuple[Arm, Weapon]]:
    """The weapons on the card, spent or not."""
    for arm in WEAPONS:
        weapon: Weapon | None = getattr(jet.aircraft, arm)
        if weapon is not None:
            yield arm, weapon


def attack_blocked(jet: Jet, target: Jet, arm: Arm) -> Blocked | None:
    """Why a jet can't attack a target with a weapon."""
    weapon, span = WEAPONS[arm], distance(jet.hex, target.hex)
    if jet.stalled:
        return Blocked("it is stalled", "OSAAF-CB-1")
    if jet.stores.of(arm) == 0:
        return Blocked(f"no {_shots(arm)} left", "OSAAF-CB-6")
    if span == 0:
        return Blocked("in the same hex", "OSAAF-CB-3")
    if not in_front(jet, target):
        return Blocked("the target is not in the front arc", "OSAAF-CB-2")
    if not weapon.least <= span <= weapon.most:
        far = "1 hex" if span == 1 else f"{span} hexes"
        reason = f"{far} away, and it reaches {weapon.least} to {weapon.most}"
        return Blocked(reason, "OSAAF-CB-3")
    levels = abs(jet.altitude - target.altitude)
    if levels > weapon.levels:
        return Blocked(f"{levels} levels apart, and {weapon.levels} at most", "OSAAF-CB-3")
    if weapon.from_behind and not behind(target, jet):
        return Blocked("it is not in the target's rear arc", "OSAAF-CB-3")
    return None


def _shots(arm: Arm) -> str:
    return "bursts" if arm == "gun" else f"{WEAPONS[arm].name}s"


def attacks(state: State, jet: Jet) -> Iterator[tuple[Jet, Arm, Blocked | None]]:
    """Each enemy on the board with each weapon on the card, and why it can't be attacked with it."""
    for target in enemies(state, jet):
        for arm, _ in carried(jet):
            yield target, arm, attack_blocked(jet, target, arm)


def no_shot(state: State, jet: Jet) -> NoShot:
    """What keeps a jet from attacking, told of the nearest enemy."""
    nearest = min(enemies(state, jet), key=lambda other: distance(jet.hex, other.hex))
    told: dict[str, list[str]] = {}
    for arm, _ in carried(jet):
        blocked = attack_blocked(jet, nearest, arm)
        if blocked is not None:
            told.setdefault(blocked.reason, []).append(WEAPONS[arm].name)
    if len(told) > 1:
        text = "; ".join(f"{' and '.join(names)}, {reason}" for reason, names in told.items())
    else:
        text = next(iter(told), "it carries no weapon")
    return NoShot(jet.id, nearest.id, text)


# The attack roll (CB-4, CB-5).


def modifiers(jet: Jet, target: Jet) -> tuple[Modifier, ...]:
    """OSAAF-CB-5."""
    held = (
        (jet.aims, "Aim", 1),
        (behind(target, jet), "in the target's rear arc", 1),
        (target.stalled, "target stalled", 1),
        (target.jinks, "target jinks", -1),
        (jet.jinks, "attacker jinks", -1),
        (jet.hits > 0, "attacker damaged", -1),
    )
    return tuple(Modifier(reason, value) for holds, reason, value in held if holds)


def damage(arm: Arm, score: int) -> int:
    """OSAAF-CB-4: what a score does; OSAAF-CB-3: by the weapon, and 1 more for a gun's 7 or above."""
    if score <= NEEDED:
        return 0
    return WEAPONS[arm].damage + (1 if arm == "gun" and score >= HEAVY_SCORE else 0)


def weapon_of(jet: Jet, arm: Arm) -> Weapon:
    """What the card says of a weapon that it carries."""
    weapon: Weapon | None = getattr(jet.aircraft, arm)
    assert weapon is not None
    return weapon


def attack_roll(jet: Jet, target: Jet, arm: Arm, faces: tuple[int, ...]) -> Attacked:
    """OSAAF-CB-4, OSAAF-CB-5 for the faces thrown."""
    kept = keep_one(weapon_of(jet, arm).quality, faces)
    added = modifiers(jet, target)
    score = faces[kept] + sum(one.value for one in added)
    return Attacked(
        jet=jet.id,
        target=target.id,
        arm=arm,
        dice=faces,
        kept=tuple(n == kept for n in range(len(faces))),
        face=faces[kept],
        modifiers=added,
        score=score,
        needed=NEEDED,
        hit=score > NEEDED,
        damage=damage(arm, score),
        start=jet.hex,
        end=target.hex,
    )


def attack_chance(jet: Jet, target: Jet, arm: Arm) -> Chance:
    """The chances of each damage; 0 is a miss."""
    quality = weapon_of(jet, arm).quality
    bonus = sum(one.value for one in modifiers(jet, target))
    return damage_chance(arm, quality, bonus)


def damage_chance(arm: Arm, quality: Any, bonus: int) -> Chance:
    """The same from the weapon's quality and the sum of the modifiers."""

    def outcome(faces: tuple[int, ...]) -> int:
        return damage(arm, faces[keep_one(quality, faces)] + bonus)

    return Chance(ATTACK_DICE, outcome, ("osaaf-attack", arm, quality, bonus))


def _roll(jet: Jet, target: Jet, arm: Arm) -> Roll:
    return Roll(
        id=f"attack:{jet.id}",
        seat=jet.seat,
        title=f"{jet.name}: attack {target.name}",
        pool=ATTACK_DICE,
        happen=partial(attack_roll, jet, target, arm),
        cite="OSAAF-CB-4",
        unit=jet.id,
        why=f"{WEAPONS[arm].name}; must be above {NEEDED}{_sum_of(modifiers(jet, target))}",
        odds=Odds("Damage", attack_chance(jet, target, arm), words=NO_DAMAGE),
    )


NO_DAMAGE = ((0, "miss"),)


def _sum_of(added: tuple[Modifier, ...]) -> str:
    total = sum(one.value for one in added)
    return f" with {signed(total)}" if added else ""


# The choice (CB-1, CB-6).

HOLD = "hold"


def _decide(state: State, jet: Jet) -> Decision:
    return Decision(
        id=f"fire:{jet.id}",
        seat=jet.seat,
        title="Attack, or hold fire",
        options=partial(_options, state, jet),
        happen=partial(_chosen, state, jet),
        cite="OSAAF-CB-1",
        unit=jet.id,
        why=_why_now(state, jet),
        action="Decide",
    )


def _why_now(state: State, jet: Jet) -> str:
    if not jet.initiative:
        return "last of those still to attack in the list of units"
    order = state.order or ()
    rank = "highest" if order and order[-1] == jet.id else "next highest"
    return f"{rank} initiative ({jet.initiative[0]})"


def _options(state: State, jet: Jet) -> list[Option]:
    """What can be done first; then what can't, and why."""
    made = [_option(jet, *attack) for attack in attacks(state, jet)]
    free = [option for option in made if option.blocked is None]
    shut = [option for option in made if option.blocked is not None]
    hold = Option(HOLD, "Hold fire", "nothing is used up", cite="OSAAF-CB-1")
    return [*free, hold, *shut]


def _option(jet: Jet, target: Jet, arm: Arm, blocked: Blocked | None) -> Option:
    label = f"{WEAPONS[arm].name.capitalize()} at {target.name}"
    value = {"arm": arm, "target": target.id}
    if blocked is not None:
        return Option(value, label, blocked=blocked)
    span, levels = distance(jet.hex, target.hex), target.altitude - jet.altitude
    height = (
        "same altitude" if levels == 0 else f"{abs(levels)} {'above' if levels > 0 else 'below'}"
    )
    why = ", ".join(f"{signed(one.value)} {one.reason}" for one in modifiers(jet, target))
    detail = f"range {span}, {height}" + (f"; {why}" if why else "")
    return Option(
        value,
        label,
        detail=detail,
        cost=f"−1 {'burst' if arm == 'gun' else 'missile'} of {jet.stores.of(arm)}",
        cite="OSAAF-CB-4",
        odds=Odds("Damage", attack_chance(jet, target, arm), words=NO_DAMAGE),
        place=target.hex.label,
    )


def _chosen(state: State, jet: Jet, choice: Any) -> AttackChosen | FireHeld:
    if choice == HOLD:
        return FireHeld(jet.id)
    target = state.jets[choice["target"]]
    return AttackChosen(jet.id, target.id, choice["arm"], distance(jet.hex, target.hex))


# What hits do (CB-7).


def _destroyed(state: State, jet: Jet) -> Effect:
    """OSAAF-CB-7: as many hits as its Toughness."""
    by = next(shot.jet for shot in reversed(state.shots) if shot.target == jet.id and shot.hit)
    event = ShotDown(jet.id, by, jet.hex, jet.hits, jet.aircraft.toughness)
    return Effect(event, "OSAAF-CB-7", f"{jet.name} goes down", jet.seat, jet.id)
