"""Damage to aircraft: the roll, how hits add up, and what they put out of order (GS-C-10 to GS-C-12).

Belongs here: what becomes of every hit, whoever made it: guns, missiles, collisions. Does not belong here: who hits
(`attack`, the missiles), or what a damaged aircraft can't do any more (the rules of flight, radar and so on).
"""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from app.engine.chance import Chance, Odds
from app.engine.secret import Secret
from app.engine.sequence import Roll, Term, Todo
from app.games.gunslingers.checks import ONE_DIE, Number, Part, Thrown, signed
from app.games.gunslingers.guns.facts import DamageRolled, Hurt, SystemsRolled
from app.games.gunslingers.model import Aircraft, Damage, Result, State, Wound

COLLISION = Number(1)
"""On what two that are too close fly into each other (GS-C-4, GS-FLT-18)."""

COLLISION_RATING = 8
"""What a collision is rolled with (GS-FLT-18)."""

SEVERITY: tuple[Result, ...] = ("", "L", "H", "C", "K")
"""Results of the roll for damage, from nothing to a kill."""

RESULT_WORDS = {"": "no damage", "L": "light", "H": "heavy", "C": "crippled", "K": "killed"}
OUTLOOK = ((-1, "miss"), *((n, RESULT_WORDS[one]) for n, one in enumerate(SEVERITY)))
"""What results stand for where an attack's chances are shown: −1 a miss, then the severities."""


def damage(state: State) -> Todo:
    """The rolls that hits have left to be made, first for damage, then for systems; None when all are made."""
    for wound in state.wounds:
        return _damage_roll(state, wound)
    for unit in state.shaken:
        return _systems_roll(state, state.aircraft[unit])
    return None


def collision(roll: Thrown, one: Aircraft, other: Aircraft) -> tuple[Wound, ...]:
    """What a roll for a collision does to the two; nothing where they pass each other."""
    hit = (one, other) if roll.made else ()
    return tuple(Wound(target=each.id, rating=COLLISION_RATING, cause="collision") for each in hit)


# The roll (GS-C-10).


def damage_parts(wound: Wound, damaged: bool, vulnerability: int) -> tuple[Part, ...]:
    """What changes the margin of a roll for damage: rating, and the die the other way round."""
    return (
        Part("already damaged", 1, damaged),
        Part("snap burst", -1, wound.bonus < 0),
        Part("direct hit", 2, wound.direct),
        Part("vulnerability", -vulnerability, vulnerability != 0),
    )


def result_of(margin: int) -> Result:
    """GS-C-10: what a margin does."""
    if margin >= 2:
        return "K"
    if margin >= 0:
        return "C"
    if margin >= -2:
        return "H"
    return "L" if margin >= -4 else ""


def severity_of(rating: int, face: int) -> int:
    """The severity of a die, the rating having all that changes it."""
    return SEVERITY.index(result_of(rating - face))


def damage_chance(rating: int) -> Chance:
    """The chances of each severity; `rating` with all that changes it."""
    return Chance(
        ONE_DIE, lambda faces: severity_of(rating, faces[0]), ("gunslingers-damage", rating)
    )


def rating_against(state: State, wound: Wound) -> int:
    """The rating of a hit with all that changes it."""
    return wound.rating + _sum(_parts(state, wound))


def _parts(state: State, wound: Wound) -> tuple[Part, ...]:
    target = state.aircraft[wound.target]
    return damage_parts(wound, target.o.damage != "", state.card(target).vulnerability)


def _sum(parts: Sequence[Part]) -> int:
    return sum(part.amount for part in parts if part.lit)


def _terms(wound: Wound, parts: Sequence[Part]) -> tuple[Term, ...]:
    rows = (Term(part.words, signed(part.amount), part.lit) for part in parts)
    return (Term("rating", str(wound.rating)), *rows)


def _damage_roll(state: State, wound: Wound) -> Roll:
    target = state.aircraft[wound.target]
    parts = _parts(state, wound)
    by = state.aircraft[wound.by] if wound.by else None
    return Roll(
        id=f"damage:{target.id}:{len(state.wounds)}",
        seat=by.side if by else target.side,
        title=f"Damage to {target.name}",
        pool=ONE_DIE,
        happen=partial(_damaged, state, wound),
        cite="GS-C-10",
        unit=wound.by or target.id,
        why=f"rating {wound.rating}",
        odds=Odds(
            "Damage",
            damage_chance(wound.rating + _sum(parts)),
            words=OUTLOOK,
            good="high" if by and by.side != target.side else "low",
        ),
        terms=_terms(wound, parts),
    )


def _damaged(state: State, wound: Wound, faces: tuple[int, ...]) -> DamageRolled:
    parts = _parts(state, wound)
    margin = wound.rating + _sum(parts) - faces[0]
    result = result_of(margin)
    target = state.aircraft[wound.target]
    done = hurt_by(state, target, result, wound.by)
    if wound.cause == "collision":
        done = replace(done, credit=None)  # nobody's kill
    return DamageRolled(
        wound=wound,
        parts=tuple(part for part in parts if part.lit),
        face=faces[0],
        margin=margin,
        result=result,
        hurt=done,
    )


# How hits add up (GS-C-11).


def accumulated(hits: Sequence[str]) -> Damage:
    """The damage that hits come to, in whatever order: three L are an H, two H a C, C and H or C a K."""
    light, crippled = hits.count("L"), hits.count("C")
    heavy = hits.count("H") + light // 3
    crippled, heavy = crippled + heavy // 2, heavy % 2
    if "K" in hits or crippled > 1 or (crippled and heavy):
        return "K"
    if crippled:
        return "C"
    if heavy:
        return "H"
    return ("", "L", "2L")[light % 3]


def worsened(hits: Sequence[str]) -> tuple[str, ...]:
    """The hits of an aircraft whose damage has got worse by one (GS-ADM-2): L or 2L to H, H to C, C to K."""
    spare = ("L",) * (hits.count("L") % 3)
    match accumulated(hits):
        case "":
            return tuple(hits)
        case "L" | "2L":
            return ("H",)
        case "H":
            return ("C", *spare)
        case _:
            return (*hits, "K")


def hurt_by(state: State, target: Aircraft, result: Result, by: str | None) -> Hurt:
    """What a result of a roll for damage does to an aircraft."""
    hits = (*target.o.hits, result) if result else target.o.hits
    return hurt_to(state, target, hits, by)


def hurt_to(state: State, target: Aircraft, hits: tuple[str, ...], by: str | None) -> Hurt:
    """What it does to an aircraft to have had these hits in all."""
    before, after = target.o.damage, accumulated(hits)
    return Hurt(
        target=target.id,
        hits=Secret(hits, (target.side,)),
        after=Secret(after, (target.side,)),
        by=by,
        shaken=after != before and after in ("H", "C"),
        smokes=after in ("C", "K"),
        killed=after == "K",
        credit=credit(state, target, by) if after == "K" else None,
    )


def credit(state: State, target: Aircraft, by: str | None) -> str | None:
    """GS-ADM-2a: the side whose kill it is: who did it, else who hit it last; nobody for a friend's."""
    shooter = by or target.o.hit_by
    side = state.aircraft[shooter].side if shooter else None
    return side if side != target.side else None


# What breaks (GS-C-12).

_SYSTEMS = ("crew", "radar", "radar", "radar", "ecm", "ecm", "guns", "stores", "engine", "")
"""By the die, 1 to 10."""


_SYSTEM_WORDS = (
    ("", "nothing"),
    ("crew", "a man"),
    ("ecm", "countermeasures"),
    ("engine", "an engine"),
)


def system_of(face: int) -> str:
    """GS-C-12: what a die puts out of order; "" for nothing."""
    return _SYSTEMS[face - 1]


SYSTEMS_CHANCE = Chance(ONE_DIE, lambda faces: system_of(faces[0]), ("gunslingers-systems",))


def _systems_roll(state: State, target: Aircraft) -> Roll:
    return Roll(
        id=f"systems:{target.id}",
        seat=target.side,
        title=f"{target.name}: what breaks",
        pool=ONE_DIE,
        happen=partial(_shaken, state, target),
        cite="GS-C-12",
        unit=target.id,
        why="heavy or crippling damage",
        odds=Odds("What breaks", SYSTEMS_CHANCE, words=_SYSTEM_WORDS, good="none"),
    )


def _shaken(state: State, target: Aircraft, faces: tuple[int, ...]) -> SystemsRolled:
    what = system_of(faces[0])
    man = _next_to_die(target) if what == "crew" else 0
    # The pilot is the last to go; without him nobody flies it.
    killed = what == "crew" and man == 0
    return SystemsRolled(
        target=target.id,
        face=faces[0],
        what=what,
        man=man,
        killed=killed,
        credit=credit(state, target, None) if killed else None,
    )


def _next_to_die(target: Aircraft) -> int:
    """The place of the one who is killed: of several a crewman, the last one first."""
    return max((n for n, man in enumerate(target.o.crew) if man.status != "dead"), default=0)
