"""Who can see whom, and on what number (GS-VIS-8 to GS-VIS-11, GS-T-11).

Belongs here: eyes and the dice that they need. Does not belong here: the order of the steps (`phase`), plans
of a side (`watch`).

A target is an aircraft or a missile. Everything is asked of a whole position: a search shows its odds to the
side that searches, and with them the visibility of what it has not identified.
"""

from collections.abc import Iterator

from app.engine.sequence import Blocked
from app.games.gunslingers import crews, geometry
from app.games.gunslingers.checks import Number, Part
from app.games.gunslingers.geometry import Pos
from app.games.gunslingers.model import Aircraft, Missile, State

Target = Aircraft | Missile

EYE, VAS = 4, 10
"""Maximum sighting range in visibility numbers (GS-T-11)."""
EYE_IDENTIFIES, VAS_IDENTIFIES = 2, 4


def targets(state: State, side: str) -> Iterator[Target]:
    """Enemy aircraft and missiles of a side, in a fixed order."""
    yield from state.enemies(side)
    for missile in state.missiles.values():
        if missile.side != side:
            yield missile


def visibility(state: State, target: Target) -> int:
    """The visibility number V of a target."""
    if isinstance(target, Aircraft):
        return state.card(target).visibility
    if target.card.value is None:
        raise LookupError(f"the type of {target.id} is hidden here")
    return state.missile_cards[target.card.value].visibility


def sighting_range(searcher: Aircraft, target: Target) -> int:
    """GS-G-11: hexes, with two levels down or four levels up for one more."""
    return geometry.sighting_range(searcher.pos, searcher.altitude, target.pos, target.altitude)


def sights(one: Aircraft, target: Target) -> bool:
    """Whether an aircraft's side has a target in sight, or it alone by VAS (GS-VIS-9c)."""
    return one.side in target.sighted_by or one.id in target.vas_by


def can_search(searcher: Aircraft) -> bool:
    """GS-VIS-9b: somebody in it is awake, and its pilot knows which way is up."""
    return (
        searcher.flying
        and searcher.condition not in ("gloc", "disoriented")
        and bool(crews.able(searcher))
    )


def in_blind_arc(state: State, searcher: Aircraft, target: Target) -> bool:
    """GS-VIS-8e, GS-VIS-9a: whether a target is where the crew can't look."""
    return _in_arc(state, searcher, target, state.card(searcher).blind)


def _in_arc(state: State, searcher: Aircraft, target: Target, arc: str) -> bool:
    about, other = _places(state, searcher, target)
    return geometry.in_coverage(
        about,
        searcher.facing,
        other,
        arc,
        sensor=False,
        level=searcher.altitude,
        other_level=target.altitude,
    )


def _places(state: State, searcher: Aircraft, target: Target) -> tuple[Pos, Pos]:
    """GS-G-14: where the two stand when an arc's border is settled."""
    if state.switches.border == "simple":
        return searcher.pos, target.pos
    return geometry.faster_forward(
        searcher.pos,
        searcher.facing,
        searcher.speed,
        target.pos,
        target.facing,
        _speed(target),
    )


def _speed(target: Target) -> float:
    return target.speed if isinstance(target, Aircraft) else target.speed.value or 0


def straight_below(searcher: Aircraft, target: Target) -> bool:
    """GS-VIS-9b: under the searcher's own feet, in the same hex."""
    flat = geometry.horizontal(searcher.pos, target.pos) == 0
    return flat and target.altitude < searcher.altitude


def in_sun_clutter(state: State, searcher: Aircraft, target: Target) -> bool:
    """GS-G-19, with the switch `sun` on: whether a searcher looks into the sun."""
    sun = state.sun
    return (
        state.switches.sun == "on"
        and sun is not None
        and geometry.in_sun_clutter(
            searcher.pos, searcher.altitude, target.pos, target.altitude, sun.facing, sun.ratio
        )
    )


def unseen(state: State, searcher: Aircraft, target: Target) -> Blocked | None:
    """GS-VIS-9a, GS-VIS-9b: why an aircraft can't search for a target; None when it can."""
    if not can_search(searcher):
        return Blocked("its crew does not search", "GS-VIS-9b")
    if in_blind_arc(state, searcher, target):
        return Blocked("in its blind arc", "GS-VIS-9a")
    if straight_below(searcher, target):
        return Blocked("straight below it", "GS-VIS-9b")
    if in_sun_clutter(state, searcher, target):
        return Blocked("in the glare of the sun", "GS-VIS-9a")
    far, limit = sighting_range(searcher, target), _limit(state, searcher, target)
    if far > limit:
        return Blocked(f"range {far}, and it sees to {limit}", "GS-VIS-9a")
    return None


def _limit(state: State, searcher: Aircraft, target: Target) -> int:
    times = VAS if state.card(searcher).has("vas") else EYE
    return times * visibility(state, target)


def by_vas(state: State, searcher: Aircraft, target: Target) -> bool:
    """GS-VIS-9c: whether a search takes the visual augmentation system: it is too far for the eye."""
    return sighting_range(searcher, target) > EYE * visibility(state, target)


def searchers(state: State, side: str, target: Target) -> tuple[Aircraft, ...]:
    """The aircraft of a side that can search for a target."""
    return tuple(one for one in state.flying(side) if unseen(state, one, target) is None)


def search(state: State, searcher: Aircraft, target: Target, many: int | None = None) -> Number:
    """GS-VIS-9a: V or less, with every row of its table. The searcher must be able to search for it.

    `many` is how many of its side can search for the target; they are counted where it is not given.
    """
    number = len(searchers(state, searcher.side, target)) if many is None else many
    return Number(
        visibility(state, target),
        (
            *range_rows(sighting_range(searcher, target), visibility(state, target)),
            *_searcher_rows(state, searcher, target),
            Part("3 or 4 aircraft search", -1, 3 <= number < 5),
            Part("5 aircraft search, or more", -2, number >= 5),
            *_target_rows(state, searcher, target),
        ),
    )


def range_rows(far: int, v: int) -> tuple[Part, ...]:
    """The rows of GS-VIS-9a for a range, in hexes, to a target of a visibility number."""
    return (
        Part(f"range to {v}", -1, far <= v),
        Part(f"range to {2 * v}", 0, v < far <= 2 * v),
        Part(f"range to {3 * v}", 2, 2 * v < far <= 3 * v),
        Part(f"range to {EYE * v}", 4, 3 * v < far <= EYE * v),
        Part(f"range beyond {EYE * v}, by VAS", 3, far > EYE * v),
    )


def _searcher_rows(state: State, searcher: Aircraft, target: Target) -> tuple[Part, ...]:
    crew, own = crews.able(searcher), searcher.o
    green = all(one.quality == "green" for one in crew)
    raw = all(one.quality in ("novice", "green") for one in crew)
    restricted = _in_arc(state, searcher, target, state.card(searcher).restricted)
    return (
        Part("in its restricted arc", 2, restricted, own=True),
        Part("multi-crew", -1, crews.multi(searcher), own=True),
        Part("Veteran or Tactics Master", -1, any(map(crews.keen, crew)), own=True),
        Part("only Novices", 1, raw and not green, own=True),
        Part("only Green", 2, green, own=True),
        Part("it is on radar", -1, target.id in (*own.contacts, *own.locks), own=True),
    )


def _target_rows(state: State, searcher: Aircraft, target: Target) -> tuple[Part, ...]:
    if isinstance(target, Missile):
        return (Part("launched last turn", -3, target.launched == state.turn - 1),)
    lower = target.altitude < searcher.altitude
    return (
        Part("it smokes", -2, smokes(state, target)),
        Part("it used flares last turn", -1, target.flares_used),
        Part("camouflaged, and lower", 1, target.paint == "camouflage" and lower),
        Part("bare metal", -1, target.paint == "bare metal"),
    )


def smokes(state: State, aircraft: Aircraft) -> bool:
    """Damaged, or a smoker in military power."""
    return aircraft.smoking or (aircraft.s.power == "M" and state.card(aircraft).smoker)


def padlocks(aircraft: Aircraft) -> int:
    """GS-VIS-8a, GS-VIS-8b, GS-VIS-8c, GS-VIS-8d: how many enemies an aircraft can padlock."""
    crew = crews.able(aircraft)
    if not can_search(aircraft):
        return 0
    raw = all(one.quality in ("novice", "green") for one in crew)
    if raw and not any(one.tactics_master for one in crew):
        return 0
    return (2 if crews.multi(aircraft) else 1) + sum(map(crews.keen, crew))


def no_padlock(state: State, aircraft: Aircraft, target: Target) -> Blocked | None:
    """GS-VIS-8: why an aircraft can't padlock a target; how many it has already is not looked at."""
    if aircraft.side not in target.sighted_by:
        return Blocked("it is not in sight", "GS-VIS-8")
    if not padlocks(aircraft):
        return Blocked("its crew can't padlock", "GS-VIS-8d")
    if in_blind_arc(state, aircraft, target):
        return Blocked("in its blind arc", "GS-VIS-8e")
    far, limit = sighting_range(aircraft, target), EYE * visibility(state, target)
    if far > limit:
        return Blocked(f"range {far}, and it sees to {limit}", "GS-VIS-8")
    return None


def identifies(state: State, aircraft: Aircraft, target: Target) -> bool:
    """Near enough and in view, by eye (GS-VIS-10a) or VAS (GS-VIS-10b), or locked by a radar that tells types
    (GS-VIS-10c). A crew that padlocks does not use VAS (GS-VIS-9c).
    """
    card = state.card(aircraft)
    if target.id in aircraft.o.locks and card.has("tgt-id"):
        return True
    vas = card.has("vas") and not _padlocks_anybody(state, aircraft)
    times = VAS_IDENTIFIES if vas else EYE_IDENTIFIES
    near = sighting_range(aircraft, target) <= times * visibility(state, target)
    return near and _looks_at(state, aircraft, target)


def _padlocks_anybody(state: State, aircraft: Aircraft) -> bool:
    return any(aircraft.id in target.padlocked_by for target in targets(state, aircraft.side))


def _looks_at(state: State, aircraft: Aircraft, target: Target) -> bool:
    """It padlocks the target, or could search for it."""
    return aircraft.id in target.padlocked_by or unseen(state, aircraft, target) is None
