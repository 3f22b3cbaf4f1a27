"""Weapons Fire (WF), of this house: a switch. The text's own parts about it are missing.

All fire is simultaneous (WIS-WF-5), so it is declared that way too: in secret, all ships of both sides at
once. If one side had to speak first, the other would know which of its ships are safe this turn before it
chose its own targets, and nobody's ship would gain by being quick. Then all shots are rolled for, and only
when the last one has fallen is damage dealt, so a ship that is destroyed has still fired.

Belongs here: who may fire at whom, the rolls and their chances, damage. Same order as the rulebook.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from app.engine.chance import Chain, Chance, Odds
from app.engine.dice import Pool
from app.engine.game import PhaseStep
from app.engine.hexes import distance, sectors
from app.engine.secret import Secret
from app.engine.sequence import Blocked, Decision, Effect, Option, Roll, Step, Term, Todo
from app.games.war_in_space.events import (
    DamageRolled,
    Destroyed,
    FireDeclared,
    FireShown,
    FireStopped,
    NoShot,
    ShotRolled,
)
from app.games.war_in_space.model import Aim, Boxes, Salvo, Ship, State, System
from app.games.war_in_space.words import counted, signed

STEPS = (
    PhaseStep("declare", "Declare"),
    PhaseStep("shoot", "Roll to hit"),
    PhaseStep("damage", "Damage"),
)

TO_HIT = Pool(1, 10)
FRONT = frozenset({5, 0, 1})
"""The sectors of the front 180°, counted clockwise from the nose (WIS-WF-1)."""
WHERE: Mapping[int, System] = {
    1: "hull",
    2: "hull",
    3: "weapon",
    4: "shield",
    5: "engine",
    6: "power",
}
"""What a damage die marks (WIS-WF-6)."""


def todo(state: State) -> Todo:
    """What Weapons Fire has still to do, first thing first; None once all damage is dealt."""
    if state.rulings.weapons == "off":
        return None
    if state.salvos is None:
        return _declare(state)
    return _shoot(state, state.salvos) or _damage(state, state.salvos) or _destroy(state)


# Declaring (WF-1, WF-2).


def _declare(state: State) -> Todo:
    able = [ship for ship in state.fighting() if can_fire(ship)]
    for ship in able:
        if not ship.silent and not has_target(state, ship):
            event = no_shot(state, ship)
            return Effect(
                event, "WIS-WF-1", f"{ship.name} can't fire", ship.seat, ship.id, "declare"
            )
    firing = [ship for ship in able if not ship.silent]
    open_ = tuple(_decide(state, ship) for ship in firing if ship.fire is None)
    if open_ or not firing:
        return open_ or None
    return Effect(shown(state, firing), "WIS-WF-5", "Fire is shown", step="declare")


def can_fire(ship: Ship) -> bool:
    """WIS-WF-1: a ship with attack energy and a Weapon box."""
    return ship.has("attack") > 0 and ship.unmarked("weapon") > 0


def enemies(state: State, ship: Ship) -> Iterator[Ship]:
    """The other side's ships on the board."""
    return (other for other in state.fighting() if other.seat != ship.seat)


def most_aim(ship: Ship) -> int:
    """WIS-WF-2: the most that aim can be bought to, with a charge of at least 1 left."""
    return max(0, ship.has("attack") - 1) // ship.size


def in_front(ship: Ship, other: Ship) -> bool:
    """WIS-WF-1: whether the other one is in the front 180°, its borders included; never in the same hex."""
    return bool(FRONT & sectors(other.hex - ship.hex, ship.facing))


def target_blocked(ship: Ship, target: Ship) -> Blocked | None:
    """WIS-WF-1: why a ship can't fire at a target, whatever its aim."""
    if target.hex == ship.hex:
        return Blocked("it is in the same hex", "WIS-WF-1")
    if not in_front(ship, target):
        return Blocked("it is not in the front 180°", "WIS-WF-1")
    return None


def aim_blocked(ship: Ship, target: Ship, aim: int) -> Blocked | None:
    """WIS-WF-2: some charge must be left. WIS-WF-3: what not even the best die can hit is not fired at."""
    if aim > most_aim(ship):
        has = ship.has("attack")
        reason = f"costs {aim * ship.size}, and of {has} attack energy 1 must be left to fire"
        return Blocked(reason, "WIS-WF-2")
    span = distance(ship.hex, target.hex)
    if TO_HIT.sides + aim <= span:
        return Blocked(f"not even a 10{_plus(aim)} is above range {span}", "WIS-WF-3")
    return None


def fire_blocked(ship: Ship, target: Ship, aim: int) -> Blocked | None:
    """Why a ship can't fire at a target with an aim; None where it can."""
    return target_blocked(ship, target) or aim_blocked(ship, target, aim)


def has_target(state: State, ship: Ship) -> bool:
    """Whether there is anybody that it can fire at."""
    best = most_aim(ship)
    return any(fire_blocked(ship, enemy, best) is None for enemy in enemies(state, ship))


def no_shot(state: State, ship: Ship) -> NoShot:
    """What keeps a ship from firing, told of the nearest enemy."""
    near = min(enemies(state, ship), key=lambda e: distance(ship.hex, e.hex), default=None)
    if near is None:
        return NoShot(ship.id, None, "no enemy is on the board")
    blocked = fire_blocked(ship, near, most_aim(ship))
    return NoShot(ship.id, near.id, blocked.reason if blocked else "")


def _decide(state: State, ship: Ship) -> Decision:
    return Decision(
        id=f"fire:{state.turn}:{ship.id}",
        seat=ship.seat,
        title="Fire, or hold fire",
        options=partial(_options, state, ship),
        happen=partial(_declared, ship),
        cite="WIS-WF-1",
        unit=ship.id,
        why=f"{ship.has('attack')} attack energy; all fire is resolved at once",
        step="declare",
        sealed=True,
        then="Boxes marked by this shot alone",
        action="Declare",
    )


HOLD = "hold"


def _declared(ship: Ship, choice: Any) -> FireDeclared:
    aim = Aim() if choice == HOLD else Aim(choice["target"], choice["aim"])
    return FireDeclared(ship.id, Secret(aim, (ship.seat,)))


def _options(state: State, ship: Ship) -> list[Option]:
    """Each target with each aim within reach and the first one beyond, what can be done first."""
    made = [
        _option(ship, target, aim)
        for target in enemies(state, ship)
        for aim in (range(most_aim(ship) + 2) if target_blocked(ship, target) is None else (0,))
    ]
    free = [option for option in made if option.blocked is None]
    shut = [option for option in made if option.blocked is not None]
    hold = Option(HOLD, "Hold fire", "its attack energy is lost", cite="WIS-WF-1")
    return [*free, hold, *shut]


def _option(ship: Ship, target: Ship, aim: int) -> Option:
    span = distance(ship.hex, target.hex)
    charge = ship.has("attack") - aim * ship.size
    blocked = fire_blocked(ship, target, aim)
    total = charge + ship.size
    past = max(0, total - target.has("defence"))
    return Option(
        value={"target": target.id, "aim": aim},
        label=f"{target.name}, aim {signed(aim)}" if aim else f"{target.name}, no aim",
        detail="" if blocked else f"{total} damage, {past or 'none'} past defence",
        cost=f"{aim * ship.size} for aim" if aim and not blocked else "",
        cite="WIS-WF-3",
        odds=None if blocked else Odds("Chance to hit", hit_chance(span, aim), yes=True),
        blocked=blocked,
        place=target.hex.label,
        then=None if blocked else partial(_prospects, target, span, aim, total),
        group=f"{target.name}, range {span}, defence {target.has('defence')}",
        terms=(
            Term(f"aim for {aim * ship.size} energy", signed(aim), aim > 0),
            Term("range to beat", str(span)),
        ),
    )


def _plus(aim: int) -> str:
    return f" with {signed(aim)}" if aim else ""


def _prospects(target: Ship, span: int, aim: int, damage: int) -> list[tuple[str, Odds]]:
    """What a shot alone does against the defence that there is now."""
    points = max(0, damage - target.has("defence"))
    told = [("Boxes marked", Odds("Boxes marked", points_chance(span, aim, points)))]
    if points:
        told.append(("Hull", Odds("Hull boxes marked", hull_chance(target, span, aim, points))))
    return told


def shown(state: State, firing: list[Ship]) -> FireShown:
    """WIS-WF-2, WIS-WF-4: all declared fire, with the charge that is left and what a hit does."""
    aims = {ship.id: ship.fire.value for ship in firing if ship.fire is not None}
    salvos: list[Salvo] = []
    for ship in firing:
        aim = aims[ship.id]
        if aim is not None and aim.target is not None:
            target = state.ships[aim.target]
            charge = ship.has("attack") - aim.aim * ship.size
            span = distance(ship.hex, target.hex)
            salvos.append(
                Salvo(ship.id, target.id, aim.aim, charge, span, damage=charge + ship.size)
            )
    fired = {salvo.ship for salvo in salvos}
    return FireShown(tuple(salvos), tuple(s.id for s in firing if s.id not in fired))


# Rolling to hit (WF-3, WF-4).


def hits(span: int, aim: int, face: int) -> bool:
    """WIS-WF-3: the die with aim must be above the range."""
    return face + aim > span


def hit_chance(span: int, aim: int) -> Chance:
    """The chance to hit: True or False."""
    key = ("war-in-space", "hit", span, aim)
    return Chance(TO_HIT, lambda faces: hits(span, aim, faces[0]), key)


def _shoot(state: State, salvos: tuple[Salvo, ...]) -> Roll | None:
    salvo = next((salvo for salvo in salvos if salvo.hit is None), None)
    if salvo is None:
        return None
    ship, target = state.ships[salvo.ship], state.ships[salvo.target]
    return Roll(
        id=f"shot:{state.turn}:{ship.id}",
        seat=ship.seat,
        title=f"{ship.name}: fire at {target.name}",
        pool=TO_HIT,
        happen=partial(shot_rolled, ship, target, salvo),
        cite="WIS-WF-3",
        unit=ship.id,
        why=f"must beat range {salvo.range}{_plus(salvo.aim)}",
        step="shoot",
        odds=Odds("Chance to hit", hit_chance(salvo.range, salvo.aim), yes=True),
        terms=(
            Term("aim", signed(salvo.aim), salvo.aim > 0),
            Term("range to beat", str(salvo.range)),
        ),
    )


def shot_rolled(ship: Ship, target: Ship, salvo: Salvo, faces: tuple[int, ...]) -> ShotRolled:
    """WIS-WF-3, WIS-WF-4 for the face thrown."""
    hit = hits(salvo.range, salvo.aim, faces[0])
    return ShotRolled(
        ship=ship.id,
        target=target.id,
        face=faces[0],
        aim=salvo.aim,
        range=salvo.range,
        charge=salvo.charge,
        size=ship.size,
        hit=hit,
        damage=salvo.damage if hit else 0,
        start=ship.hex,
        end=target.hex,
    )


# Damage (WF-5, WF-6).


def _damage(state: State, salvos: tuple[Salvo, ...]) -> Step | None:
    """WIS-WF-5: the damage of all hits on a ship together, less its defence, once."""
    for ship in state.fighting():
        taken = tuple(one.damage for one in salvos if one.hit and one.target == ship.id)
        if not taken or ship.id in state.struck:
            continue
        defence = ship.has("defence")
        points = sum(taken) - defence
        if points <= 0:
            event = FireStopped(ship.id, taken, defence)
            title = f"{ship.name}: defence holds"
            return Effect(event, "WIS-WF-5", title, ship.seat, ship.id, "damage")
        by = next(one.ship for one in salvos if one.hit and one.target == ship.id)
        return Roll(
            id=f"damage:{state.turn}:{ship.id}",
            seat=state.ships[by].seat,
            title=f"{ship.name}: {counted(points, 'point')} of damage",
            pool=Pool(points),
            happen=partial(damage_rolled, ship, taken),
            cite="WIS-WF-6",
            unit=ship.id,
            why=f"{' + '.join(map(str, taken))} less defence {defence}",
            step="damage",
        )
    return None


def damage_rolled(ship: Ship, taken: tuple[int, ...], faces: tuple[int, ...]) -> DamageRolled:
    """WIS-WF-6 for the faces thrown, whatever their order."""
    boxes, moved = Boxes(), Boxes()
    beyond = 0
    for face in faces:
        system = WHERE[face]
        place = marks(ship, boxes, system)
        if place is None:
            beyond += 1
            continue
        boxes = boxes.more(place)
        if place != system:
            moved = moved.more(system)
    return DamageRolled(
        ship=ship.id,
        hits=taken,
        defence=ship.has("defence"),
        dice=faces,
        boxes=boxes,
        moved=moved,
        beyond=beyond,
        hull_left=ship.unmarked("hull") - boxes.hull,
    )


def marks(ship: Ship, boxes: Boxes, system: System) -> System | None:
    """WIS-WF-6: what a point on a system marks after `boxes`: else the Hull; None when that is gone too."""
    for place in (system, "hull"):
        if ship.unmarked(place) > boxes.of(place):
            return place
    return None


def points_chance(span: int, aim: int, points: int) -> Chance:
    """The chances of boxes marked by one shot whose hit leaves so many points after defence."""
    key = ("war-in-space", "points", span, aim, points)
    return Chance(TO_HIT, lambda faces: points if hits(span, aim, faces[0]) else 0, key)


def hull_chance(target: Ship, span: int, aim: int, points: int) -> Chain:
    """The chances of Hull boxes marked by one shot: the roll to hit, then a die for each point.

    Positions are None before the roll to hit, then what is marked and how many points are left.
    """

    def step(position: tuple[Boxes, int] | None) -> Chance | None:
        if position is None:
            first = (Boxes(), points), (Boxes(), 0)
            return Chance(TO_HIT, lambda faces: first[0 if hits(span, aim, faces[0]) else 1])
        boxes, left = position
        if left == 0:
            return None

        def after(faces: tuple[int, ...]) -> tuple[Boxes, int]:
            place = marks(target, boxes, WHERE[faces[0]])
            return (boxes if place is None else boxes.more(place)), left - 1

        return Chance(Pool(1), after)

    key = ("war-in-space", "hull", target.kind.id, target.marked, span, aim, points)
    return Chain(None, step, key, lambda end: end[0].hull)


def _destroy(state: State) -> Effect | None:
    """WIS-WF-6: the last Hull box is marked; it goes when all fire is resolved."""
    for ship in state.fighting():
        if ship.unmarked("hull") <= 0:
            by = tuple(o.ship for o in state.salvos or () if o.hit and o.target == ship.id)
            event = Destroyed(ship.id, by, ship.hex)
            title = f"{ship.name} is destroyed"
            return Effect(event, "WIS-WF-6", title, ship.seat, ship.id, "damage")
    return None
