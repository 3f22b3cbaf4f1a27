"""A missile at its target: what it needs to go on, the number of its attack, decoys (GS-C-22, GS-C-23, GS-C-26).

Belongs here: numbers and reasons. Does not belong here: their order (`flight`), or what a hit does (`guns.hits`).
"""

from app.engine.chance import Chance, Faces
from app.games.gunslingers.checks import ONE_DIE, Number, Part
from app.games.gunslingers.countermeasures import eff
from app.games.gunslingers.decisions.wishes import warned_of
from app.games.gunslingers.geometry import in_forward
from app.games.gunslingers.guns.aspect import attack_arc
from app.games.gunslingers.guns.hits import damage_chance, rating_against
from app.games.gunslingers.missiles.launch import HEAT
from app.games.gunslingers.model import Aircraft, Missile, MissileCard, State, Wound
from app.games.gunslingers.radar.numbers import keeps_lock

WIDE, NARROW = 150, 180
"""Arcs of a missile in which its target must be after its first move: within 60 degrees of the nose, or 30."""

NARROW_SEEKERS: frozenset[str] = frozenset({"IR-E", "OG"})
DIRECT_MARGIN = 3
"""By so much less than its number, or on a die of 1, a missile hits directly (GS-C-23)."""

MOST_CLUSTERS = 2
"""Clusters of each type of decoy dropped by hand against an attack (GS-C-26)."""


def card_of(state: State, missile: Missile) -> MissileCard:
    """A missile's card. Raises LookupError where it is hidden."""
    if missile.card.value is None:
        raise LookupError(f"the type of {missile.id} is hidden here")
    return state.missile_cards[missile.card.value]


def lost(state: State, missile: Missile) -> str:
    """GS-C-22: why a missile flies on no more: guidance, then its seeker; "" while it does."""
    card, shooter = card_of(state, missile), state.aircraft[missile.shooter]
    target = state.aircraft[missile.target]
    if card.seeker == "RH":
        if target.id not in shooter.o.locks:
            return "the radar that guides it has lost its target"
        if shooter.illuminating != target.id:
            return "nobody illuminates its target"
        # Whoever has not moved yet may still follow its target: it flies right after it (GS-FLT-12).
        if shooter.moved and not keeps_lock(state, shooter, target):
            return "its shooter's radar has lost it by what was flown"
    arc = NARROW if card.seeker in NARROW_SEEKERS else WIDE
    if missile.moves and not in_forward(missile.pos, missile.facing, target.pos, arc, sensor=True):
        return "its target has out-turned it"
    return ""


def attack_number(state: State, missile: Missile) -> Number:
    """The card's hit number and the rows of GS-C-23."""
    target, card = state.aircraft[missile.target], card_of(state, missile)
    arc = attack_arc(state, target, missile.pos, missile.facing, missile.speed.value or 0)
    rate = target.o.max_rate
    size = state.card(target).size
    return Number(
        card.hit,
        (
            *(_heat_rows if card.seeker in HEAT else _radar_rows)(state, target, card, arc),
            Part("target turned BT or ET", 1, rate in ("BT", "ET")),
            Part("target's size", size, size != 0),
            Part("target not engaged", -1, not target.engaged),
        ),
    )


def _heat_rows(state: State, target: Aircraft, card: MissileCard, arc: int) -> tuple[Part, ...]:
    """GS-C-25: heat is that of the power of the target's last move."""
    del state
    flares = min(target.program.flare, card.flare or 0) if target.program_on else 0
    return (
        Part("from its 30 arc", 0, arc <= 30),
        Part("from its 60 arc", 1, arc == 60),
        Part("from its 90 or 120 arc", 2, arc in (90, 120)),
        Part("from its 150 or 180 arc", 3, arc in (150, 180)),
        Part("target's afterburner", -2, target.s.power == "AB"),
        Part("target idles", 1, target.s.power == "I"),
        Part("target's flares", flares, flares > 0),
    )


def _radar_rows(state: State, target: Aircraft, card: MissileCard, arc: int) -> tuple[Part, ...]:
    jammer = state.card(target).djm
    jams = eff(jammer.number, card.eccm) if jammer and "ecm" not in target.o.out else 0
    chaff = eff(target.program.chaff, card.eccm) if target.program_on else 0
    chaff = min(chaff, card.chaff or 0)
    return (
        Part("from its 60- arcs", 0, arc <= 60),
        Part("from its 90 or 120 arc", 2, arc in (90, 120)),
        Part("from its 150 or 180 arc", 1, arc in (150, 180)),
        Part("target's jammer", jams, jams > 0),
        Part("target's chaff", chaff, chaff > 0),
    )


def direct(number: Number, face: int) -> bool:
    """GS-C-23: whether a die that hits does so directly."""
    return face == 1 or number.reach - face >= DIRECT_MARGIN


def wound(missile: Missile, card: MissileCard, *, direct: bool) -> Wound:
    """What a hit does (GS-C-24)."""
    return Wound(
        target=missile.target,
        rating=card.direct if direct else card.proximity,
        cause="missile",
        by=missile.shooter,
        direct=direct,
    )


def attack_chance(state: State, missile: Missile) -> Chance:
    """The chances of an attack from where the missile is: -1 a miss, else the severity of the damage."""
    card, number = card_of(state, missile), attack_number(state, missile)
    near, full = (
        rating_against(state, wound(missile, card, direct=hits)) for hits in (False, True)
    )
    reach = number.reach

    def outcome(faces: Faces) -> int | Chance:
        if faces[0] > reach:
            return -1
        return damage_chance(full if direct(number, faces[0]) else near)

    return Chance(ONE_DIE, outcome, ("gunslingers-missile", reach, near, full))


# Decoys dropped by hand (GS-C-26).


def may_drop(state: State, missile: Missile) -> bool:
    """Whether the target may drop decoys: engaged, warned of this missile, and with something to drop."""
    target = state.aircraft[missile.target]
    stock = target.o.decoys
    return (
        target.engaged
        and bool(state.card(target).dds)
        and "ecm" not in target.o.out
        and bool(stock.chaff or stock.flare)
        and warned_of(state, target, missile)
    )


def decoy_number(card: MissileCard, kind: str) -> Number:
    """What a cluster has to roll to tempt a missile; 0 where its seeker takes no notice of that kind."""
    tempting = card.flare if kind == "flare" else card.chaff
    seen = (kind == "flare") == (card.seeker in HEAT)
    return Number((tempting or 0) if seen else 0)
