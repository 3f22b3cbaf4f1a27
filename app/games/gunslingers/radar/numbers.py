"""What radars reach, find and lock, on what numbers, and what shakes them off (GS-RAD-1 to GS-RAD-6, GS-T-10).

Belongs here: arcs, ranges, conditions, numbers. Does not belong here: the order of the steps (`phase`), what a
side plans (`plans`), what is held (`holding`).
"""

from msgspec import Struct

from app.engine.sequence import Blocked
from app.games.gunslingers import crews, geometry
from app.games.gunslingers.checks import Number, Part
from app.games.gunslingers.countermeasures import eff, eff_half
from app.games.gunslingers.flight.flying import recovered
from app.games.gunslingers.model import Aircraft, Condition, RadarCard, State

MOST_SEARCHES = 4
"""Search rolls of one aircraft in a turn (GS-RAD-3)."""
GROUND_CLUTTER = 4
"""Levels above the ground below which a radar from above sees nothing, without look-down (GS-RAD-3c)."""
OUT_OF_HAND: frozenset[Condition] = frozenset({"stalled", "departed", "gloc"})
"""Conditions in which nobody works a radar, and locks are lost (GS-RAD-3b, GS-RAD-4b)."""
_TIGHT = {"pilot": ("HT", "BT", "ET"), "crew": ("BT", "ET")}


def works(state: State, one: Aircraft) -> RadarCard | None:
    """Its radar, if it has one that is not hit or switched off."""
    radar = state.card(one).radar
    return None if "radar" in one.o.out or one.o.radar_mode == "off" else radar


def covers(one: Aircraft, target: Aircraft, radar: RadarCard, arc: str, most: int) -> bool:
    """Whether a radar reaches a target: in an arc, within a range, not lost in the ground (GS-RAD-3c)."""
    from_above = one.altitude > target.altitude
    if from_above and not radar.look_down and target.altitude <= GROUND_CLUTTER:
        return False
    far = distance(one, target)
    return far <= most and geometry.in_coverage(one.pos, one.facing, target.pos, arc, sensor=True)


def distance(one: Aircraft, target: Aircraft) -> int:
    """Slant range in hexes (GS-G-10)."""
    return geometry.slant(one.pos, one.altitude, target.pos, target.altitude)


def barred(state: State, one: Aircraft) -> Blocked | None:
    """GS-RAD-3b: why its crew can't search or lock on this turn; None when it can."""
    own = one.o
    if works(state, one) is None:
        return Blocked("it has no radar that works", "GS-RAD-3b")
    if one.engaged:
        return Blocked("it engages missiles", "GS-DEC-2a")
    if one.condition in OUT_OF_HAND:
        return Blocked(f"it is {one.condition}", "GS-RAD-3b")
    if own.unloaded or own.rolls or one.damage_control or one.no_attacks:
        return Blocked("of what it flew this turn", "GS-RAD-3b")
    if own.half_rolled:
        return Blocked("it dived from a half-roll", "GS-F-6")
    if not recovered(one):
        return Blocked("it has not recovered from what it flew", "GS-F-13")
    if one.gun_shots:
        return Blocked("it fired its gun", "GS-RAD-3b")
    if badly_hit(state, one):
        return Blocked("it was hit this turn", "GS-RAD-3b")
    tight = _TIGHT["crew" if crews.multi(one) else "pilot"]
    if own.radar_mode == "search" and own.max_rate in tight:
        return Blocked("it turned too hard", "GS-RAD-3b")
    return None


def badly_hit(state: State, one: Aircraft) -> bool:
    """Whether it took heavy damage or worse this turn."""
    return one.o.shaken_turn == state.turn


def looking(state: State, side: str) -> tuple[Aircraft, ...]:
    """The aircraft of a side whose radars look this turn."""
    return tuple(one for one in state.flying(side) if barred(state, one) is None)


def in_search(state: State, one: Aircraft) -> tuple[Aircraft, ...]:
    """GS-RAD-2: the enemies in an aircraft's search arc and range, the nearest first."""
    radar = state.card(one).radar
    if radar is None:
        return ()
    found = (
        each
        for each in state.enemies(one.side)
        if covers(one, each, radar, radar.arc, radar.search_max)
    )
    return tuple(sorted(found, key=lambda each: distance(one, each)))


def in_track(state: State, one: Aircraft) -> tuple[Aircraft, ...]:
    """The enemies that its radar could be locked on where they are, the nearest first."""
    radar = state.card(one).radar
    if radar is None:
        return ()
    automatic = automatic_contact(state, one)
    found = (
        each
        for each in state.enemies(one.side)
        if each is automatic or covers(one, each, radar, radar.arc, radar.track_max)
    )
    return tuple(sorted(found, key=lambda each: distance(one, each)))


def automatic_contact(state: State, one: Aircraft) -> Aircraft | None:
    """GS-RAD-4c: whom auto-track or boresight finds without a roll, in the mode that is on."""
    radar, mode = state.card(one).radar, one.o.radar_mode
    if radar is None or mode not in ("auto-track", "boresight"):
        return None
    arc, most = ("180+", radar.search) if mode == "auto-track" else ("limited", radar.track)
    found = [
        each
        for each in state.enemies(one.side)
        if covers(one, each, radar, arc, most)
        and (mode == "auto-track" or one.side in each.sighted_by)
    ]
    return min(found, key=lambda each: distance(one, each), default=None)


# Kept from turn to turn (GS-RAD-1, GS-RAD-4b).


def keeps_contact(state: State, one: Aircraft, target: Aircraft) -> bool:
    """GS-RAD-1: contacts are kept while they are in arc and range."""
    radar = works(state, one)
    return (
        radar is not None
        and target.flying
        and covers(one, target, radar, radar.arc, radar.search_max)
    )


def keeps_lock(state: State, one: Aircraft, target: Aircraft) -> bool:
    """GS-RAD-4b: locks are kept while in arc and range, and while the tracker flies gently enough."""
    radar, own = works(state, one), one.o
    vertical = one.s.flight_type in ("VC", "VD") and own.rolls == 1
    return (
        radar is not None
        and one.flying
        and target.flying
        and one.condition not in OUT_OF_HAND
        and not one.engaged
        and own.max_rate != "ET"
        and (not own.rolls or vertical)
        and not badly_hit(state, one)
        and target in in_track(state, one)
    )


def contacts_after(
    radar: RadarCard, contacts: tuple[str, ...], locks: tuple[str, ...]
) -> tuple[str, ...]:
    """GS-RAD-4a: what a radar holds once it is locked: without track-while-scan, only that."""
    known = tuple(dict.fromkeys((*contacts, *locks)))
    return known if radar.tws != "none" or not locks else locks


def may_search(radar: RadarCard, locks: tuple[str, ...]) -> bool:
    """GS-RAD-4a: whether it can search for more while it holds these locks."""
    return not locks or radar.tws == "full"


# Numbers (GS-RAD-3a, GS-RAD-4a).


def search_need(strength: int, most: int, far: int) -> int | None:
    """GS-RAD-3a: the number for a range; None where no die would do. `strength`, `most`, `far` in hexes."""
    if far > most:
        return None
    beyond = max(0, far - 2 * strength)
    need = 10 - -(-3 * beyond // strength)
    return need if need >= 1 else None


def search(state: State, one: Aircraft, target: Aircraft) -> Number | None:
    """GS-RAD-3a: the number to find a target in arc and range."""
    radar = state.card(one).radar
    if radar is None:
        return None
    need = search_need(radar.search, radar.search_max, distance(one, target))
    return None if need is None else Number(need, _rows(state, one, target, radar))


def lock(state: State, one: Aircraft, target: Aircraft) -> Number | None:
    """GS-RAD-4a: the number to lock on a contact within tracking range."""
    radar = state.card(one).radar
    return None if radar is None else Number(radar.lock, _rows(state, one, target, radar))


def _rows(state: State, one: Aircraft, target: Aircraft, radar: RadarCard) -> tuple[Part, ...]:
    card, operator = state.card(target), crews.operator(one)
    jamming = 0 if card.ajm is None or "ecm" in target.o.out else eff(card.ajm.number, radar.eccm)
    chaff = eff_half(target.program.chaff, radar.eccm) if target.program_on else 0
    return (
        Part("target has IFF on", -2, target.o.iff, own=True),
        Part("active jammer", jamming, jamming > 0, own=True),
        Part("chaff", chaff, chaff > 0, own=True),
        Part("target's size", card.size, card.size != 0, own=True),
        Part("operator is Veteran or Tactics Master", -1, crews.keen(operator), own=True),
        Part("operator is a Novice", 1, operator.quality == "novice", own=True),
        Part("operator is Green", 2, operator.quality == "green", own=True),
    )


# Countermeasures (GS-RAD-5, GS-RAD-6).


class Shake(Struct, frozen=True):
    """A die against a lock of `tracker` on `target`, whether there is one or not; `need` or less breaks it."""

    tracker: str
    target: str
    by: str
    need: int


def by_jammers(state: State, side: str) -> tuple[Shake, ...]:
    """GS-RAD-5: the deceptive jammers of a side against every radar that might be locked."""
    found: list[Shake] = []
    for one in state.flying(side):
        jammer = state.card(one).djm
        if jammer is not None and "ecm" not in one.o.out:
            found += _against(state, one, "DJM", jammer.number, halved=False)
    return tuple(found)


def by_decoys(state: State, side: str) -> tuple[Shake, ...]:
    """GS-RAD-6: the programs of a side, chaff first, then mini-jammers."""
    on = [one for one in state.flying(side) if one.program_on]
    chaff = [s for one in on for s in _against(state, one, "chaff", one.program.chaff, halved=True)]
    minis = [
        s for one in on for s in _against(state, one, "mini-jammer", one.program.mini, halved=False)
    ]
    return (*chaff, *minis)


def _against(state: State, target: Aircraft, by: str, number: int, *, halved: bool) -> list[Shake]:
    found: list[Shake] = []
    if number < 1:
        return found
    for one in state.enemies(target.side):
        radar, need = state.card(one).radar, 0
        if radar is not None and target in in_track(state, one):
            need = (eff_half if halved else eff)(number, radar.eccm)
        if need >= 1 or state.foggy:  # in fog a die falls for each enemy in the fight
            found.append(Shake(one.id, target.id, by, need))
    return found
