"""Who may launch what at whom, and the number of the launch (GS-C-20, GS-C-21).

Belongs here: prerequisites with their reasons, and the rows of the launch roll. Does not belong here: the phase that
asks (`phase`), or where a missile flies then.
"""

from collections.abc import Iterator

from app.engine.sequence import Blocked
from app.games.gunslingers.checks import Number, Part
from app.games.gunslingers.crews import pilot
from app.games.gunslingers.fog import known_to
from app.games.gunslingers.geometry import in_forward, slant
from app.games.gunslingers.guns.aspect import attack_arc
from app.games.gunslingers.guns.eligible import damage_rows, tightest, unfit, unsighted
from app.games.gunslingers.model import RATES, Aircraft, MissileCard, State
from app.games.gunslingers.radar.numbers import keeps_lock
from app.games.gunslingers.sighting.numbers import in_sun_clutter

HEAT: frozenset[str] = frozenset({"IR-E", "IR-A"})
"""Seekers that see heat; the others need radar."""

TRACK_FACTOR = 3
"""A radar-homing missile reaches as many times the track strength of its shooter's radar (GS-C-20)."""

RADAR_ARC, SEEKER_ARC, UNCAGED_ARC = 150, 180, 150
"""Arcs of the shooter in which the target must be: for radar, for a seeker, for one that looks off the nose."""

TAIL_ARC, BURNING_ARC = 30, 60
"""Arcs of the target from which an early seeker sees it: cool, and with afterburner."""

STEEP = 2
"""What each turn rate above TT adds to the launch roll (GS-C-21)."""

SUN = 3


def carried(state: State, shooter: Aircraft) -> Iterator[tuple[MissileCard, int]]:
    """The missiles that it carries, and how many of each."""
    for store in shooter.o.stores:
        if store.count:
            yield state.missile_cards[store.missile], store.count


def launch_blocked(state: State, shooter: Aircraft) -> Blocked | None:
    """GS-C-20: what keeps an aircraft from launching anything at anybody."""
    if shooter.o.last_fp == "guns":
        return Blocked("it fired its guns with its last flight point", "GS-C-20")
    if shooter.o.last_fp == "roll":
        return Blocked("it rolled with its last flight point", "GS-C-20")
    if "radar" in shooter.o.out and all(
        card.seeker not in HEAT for card, _ in carried(state, shooter)
    ):
        return Blocked("its radar is out of order", "GS-C-12")
    return unfit(shooter, "GS-C-20")


def shot_blocked(
    state: State, shooter: Aircraft, target: Aircraft, card: MissileCard
) -> Blocked | None:
    """GS-C-20: what keeps an aircraft that may launch from this missile at this target."""
    return (
        _heat_blocked(state, shooter, target, card)
        if card.seeker in HEAT
        else _radar_blocked(state, shooter, target, card)
    ) or _number_blocked(state, shooter, target, card)


def _heat_blocked(
    state: State, shooter: Aircraft, target: Aircraft, card: MissileCard
) -> Blocked | None:
    unseen = unsighted(shooter, target, "GS-C-20")
    if unseen is not None:
        return unseen
    arc = seeker_arc(state, shooter)
    if not in_forward(shooter.pos, shooter.facing, target.pos, arc, sensor=True):
        return Blocked(f"not in its {arc}+ arc", "GS-C-20")
    far = _range_blocked(shooter, target, card, card.max_range)
    if far is not None:
        return far
    if card.seeker == "IR-E":
        seen_from = BURNING_ARC if target.s.power == "AB" else TAIL_ARC
        if attack_arc(state, target, shooter.pos, shooter.facing, shooter.speed) > seen_from:
            return Blocked(f"not in the target's {seen_from}- arc", "GS-C-20")
    return None


def seeker_arc(state: State, shooter: Aircraft) -> int:
    """The arc ahead in which a heat seeker finds a target: wider uncaged, or cued by a helmet (GS-C-20)."""
    wide = shooter.o.uncaged or state.card(shooter).has("hms")
    return UNCAGED_ARC if wide else SEEKER_ARC


def _radar_blocked(
    state: State, shooter: Aircraft, target: Aircraft, card: MissileCard
) -> Blocked | None:
    radar = state.card(shooter).radar
    if radar is None or target.id not in shooter.o.locks:
        return Blocked("its radar is not locked on it", "GS-C-20")
    if not in_forward(shooter.pos, shooter.facing, target.pos, RADAR_ARC, sensor=True):
        return Blocked(f"not in its {RADAR_ARC}+ arc", "GS-C-20")
    reach = card.max_range
    if card.seeker == "RH":
        reach = min(reach, TRACK_FACTOR * radar.track)
    far = _range_blocked(shooter, target, card, reach)
    if far is None and not keeps_lock(state, shooter, target):
        return Blocked("its radar has lost it by what was flown", "GS-RAD-4b")
    return far


def _range_blocked(
    shooter: Aircraft, target: Aircraft, card: MissileCard, reach: int
) -> Blocked | None:
    away = slant(shooter.pos, shooter.altitude, target.pos, target.altitude)
    if card.min_range <= away <= reach:
        return None
    return Blocked(f"range {away}, and it reaches {card.min_range} to {reach}", "GS-C-20")


def _number_blocked(
    state: State, shooter: Aircraft, target: Aircraft, card: MissileCard
) -> Blocked | None:
    if launch_number(state, shooter, target, card).reach < 1:
        return Blocked("no die would launch it", "GS-C-21")
    return None


def launch_number(state: State, shooter: Aircraft, target: Aircraft, card: MissileCard) -> Number:
    """The card's launch number and the rows of GS-C-21."""
    rate, man = tightest(shooter), pilot(shooter)
    heat = card.seeker in HEAT
    flares = min(target.program.flare, card.flare or 0) if heat and target.program_on else 0
    return Number(
        card.launch,
        (
            *(
                Part(f"turned {each}", STEEP * (n + 1), rate == each)
                for n, each in enumerate(RATES[RATES.index("HT") :])
            ),
            Part("target's flares", flares, flares > 0),
            Part("into the sun", SUN, heat and in_sun_clutter(state, shooter, target)),
            *damage_rows(shooter),
            Part("veteran", -1, man.quality == "veteran", own=True),
            Part("combat hero", -1, man.combat_hero, own=True),
            Part("green", 1, man.quality == "green", own=True),
        ),
    )


def shots(
    state: State, shooter: Aircraft
) -> Iterator[tuple[Aircraft, MissileCard, int, Blocked | None]]:
    """Each enemy that its side knows of with each missile carried, how many, and what keeps it from that shot."""
    none = launch_blocked(state, shooter)
    for target in state.enemies(shooter.side):
        if not known_to(state, shooter.side, target):
            continue
        for card, count in carried(state, shooter):
            yield target, card, count, none or shot_blocked(state, shooter, target, card)


def may_launch(state: State, shooter: Aircraft) -> bool:
    """Whether an aircraft has any legal shot (GS-AAM-1)."""
    return shooter.free and any(blocked is None for *_, blocked in shots(state, shooter))


def last_mover_first(state: State) -> tuple[Aircraft, ...]:
    """GS-AAM-2a: those who launch, in the order of flight from its end."""
    waiting = (place.aircraft for place in state.order if place.aircraft not in state.movers)
    moved = dict.fromkeys((*waiting, *state.movers))
    return tuple(state.aircraft[one] for one in reversed(moved))
