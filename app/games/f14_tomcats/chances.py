"""Chances of single dice, named once, for rolls and for the options that lead to them.

Belongs here: what one die can bring. Does not belong here: what lies ahead; that is `foresight`.
"""

from app.engine.chance import Chance, Faces, Odds
from app.engine.dice import Pool
from app.games.f14_tomcats.model import Cards, Target, WeaponType

ONE_DIE = Pool(1)
TWO_DICE = Pool(2)


def between(label: str, low: int, high: int) -> Odds:
    """A die that shows `low` to `high`, yes or no."""

    def outcome(faces: Faces) -> bool:
        return low <= faces[0] <= high

    return Odds(label, Chance(ONE_DIE, outcome, ("f14-tomcats-between", low, high)), yes=True)


def number(label: str) -> Odds:
    """A die as it falls."""
    return Odds(label, Chance(ONE_DIE, lambda faces: faces[0], ("f14-tomcats-number",)))


def distance(start: int, last: int) -> Odds:
    """The waypoint two dice beyond `start`, and not beyond `last` (F14-MS-3, F14-MS-5)."""

    def outcome(faces: Faces) -> int:
        return min(last, start + sum(faces))

    chance = Chance(TWO_DICE, outcome, ("f14-tomcats-distance", start, last))
    return Odds("Waypoint", chance)


def kind_of_target(cards: Cards) -> Odds:
    """What a target may be (F14-MS-7)."""

    def outcome(faces: Faces) -> int:
        return faces[0]

    rows = [cards.target(face) for face in range(1, 7)]
    words = tuple((row.face, row.name) for row in rows)
    return Odds("What it is", Chance(ONE_DIE, outcome, ("f14-tomcats-number",)), words=words)


def hits(weapon: WeaponType) -> Odds:
    """A shot at a MiG (F14-MG-2)."""
    return between("MiG destroyed", weapon.hits, 6)


def damage_after(target: Target, weapon: WeaponType) -> Odds:
    """The damage of a target once a weapon is fired at it; what is above its number is lost (F14-BP-4)."""
    hit = min(target.needs, target.damage + weapon.ground)

    def outcome(faces: Faces) -> int:
        return hit if weapon.hit(faces[0]) else target.damage

    key = ("f14-tomcats-damage", target.damage, hit, weapon.hits)
    words = ((target.needs, "destroyed"),)
    return Odds("Damage of the target when it is fired", Chance(ONE_DIE, outcome, key), words=words)
