"""Whole games at random, and every number that is not of flying or shooting worked out again from the tables.

What the log says of a step is held against the position before it: who is advantaged, the order, who can see whom and on
what number, what radars find, lock and lose, stalls, crews, leaving. The tables are written down here once more, angles
are measured in floating point, and none of the game's own numbers is asked.
"""

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from app.engine.log import PhaseBegan
from app.engine.sequence import Decision
from app.games.gunslingers.admin.facts import BearingsRolled, CrewRolled, LeaveRolled, WorseRolled
from app.games.gunslingers.checks import Thrown
from app.games.gunslingers.model import (
    Aircraft,
    Band,
    Card,
    Crew,
    Decoys,
    Jammer,
    Missile,
    OrderPlace,
    RadarCard,
    State,
)
from app.games.gunslingers.order.facts import (
    BaseRolled,
    CategoriesSet,
    InitiativeSet,
    OrderSet,
    TieRolled,
    TiesRolled,
)
from app.games.gunslingers.radar.facts import (
    ContactsKept,
    LocksShaken,
    LocksTried,
    RadarSearched,
    RadarsLook,
)
from app.games.gunslingers.sighting.facts import (
    Identified,
    Looked,
    LostFromSight,
    Padlocked,
    Searched,
    TrailsSeen,
    WatchSet,
)
from app.games.gunslingers.stalls.facts import DepartureRolled, RecoveryRolled, ReverseRolled
from app.games.gunslingers.step_facts import OVER, StepBegan
from app.testing.player import Sitting, at_random, play_game
from tests.games.gunslingers.table import GAME, Craft, craft, setup
from tests.games.gunslingers.test_melee import eager

GAMES = range(18)
NEAR_ENOUGH = 1e-9
Target = Aircraft | Missile


# Games with as much in them as the tables have rows.


def fleet(seed: int) -> dict[str, Any]:
    """Three or four a side, close to each other, with cards and crews of all kinds."""
    rng = random.Random(seed)
    crafts = [_one(rng, side, n) for side in ("blue", "red") for n in range(rng.choice((3, 4, 5)))]
    sides = [
        {"id": side, "label": side.title(), "training": rng.choice((*TRAINING,))}
        for side in ("blue", "red")
    ]
    sun = {"facing": rng.randrange(12), "ratio": 0.25}
    return setup(*crafts, turns=3, sides=sides, sun=sun)


def _one(rng: random.Random, side: str, n: int) -> Craft:
    seats = rng.choice((1, 2))
    dice = rng.random
    technology = [
        each
        for each in ("vas", "tgt-id", "auto-track", "boresight")
        if dice() < (0.2 if each == "vas" else 0.5)
    ]
    card: dict[str, Any] = {
        "seats": seats,
        "visibility": rng.randint(3, 9),
        "size": rng.randint(-1, 1),
        "smoker": dice() < 0.5,
        "blind": rng.choice(("", "30-", "30- L", "60-")),
        "restricted": rng.choice(("", "60-", "60- L", "90-")),
        "properties": ("fly-by-wire",) if dice() < 0.3 else (),
        "technology": tuple(technology),
        "rwr": rng.choice(("", "A")),
        "dds": "B",
        "decoys": Decoys(9, 9, 9),
        "ajm": Jammer("A", rng.randint(1, 4)) if dice() < 0.3 else None,
        "djm": Jammer("A", rng.randint(1, 6)) if dice() < 0.5 else None,
        "radar": _radar(rng) if dice() < 0.8 else None,
    }
    return craft(
        id=f"{side}-{n}",
        name=f"{side} {n}",
        side=side,
        card_with=card,
        place=f"{rng.randint(10, 26):02}{rng.randint(6, 24):02}",
        facing=rng.randrange(12),
        altitude=rng.choice((4, 4, 5, 12, 14, 16, 18, 20)),
        speed=rng.choice((1.5, 4.0, 5.0, 5.5)),
        flight_type=rng.choice(("LVL", "LVL", "VC", "VD")),
        crew=[_man(rng) for _ in range(seats)],
        paint=rng.choice(("", "", "camouflage", "bare metal")),
        program={"chaff": rng.randint(0, 6), "flare": rng.randint(0, 1), "mini": rng.randint(0, 6)},
        program_on=dice() < 0.5,
        iff=dice() < 0.3,
        sighted=dice() < 0.6,
        stores=[{"missile": "rh-medium", "count": 4}],
    )


def _radar(rng: random.Random) -> RadarCard:
    return RadarCard(
        arc=rng.choice(("120+", "150+", "180+")),
        search_max=rng.randint(8, 40),
        search=rng.randint(3, 12),
        track_max=rng.randint(6, 24),
        track=rng.randint(4, 9),
        lock=rng.randint(5, 9),
        eccm=rng.randint(0, 2),
        look_down=rng.random() < 0.4,
        tws=rng.choice(("none", "limited", "full")),
        multi_track=rng.choice((1, 1, 2)),
    )


def _man(rng: random.Random) -> dict[str, Any]:
    return {
        "quality": rng.choice((*QUALITY,)),
        "sierra_hotel": rng.random() < 0.3,
        "tactics_master": rng.random() < 0.2,
        "combat_hero": rng.random() < 0.2,
        "confidence": rng.choice(("normal", "excellent", "poor")),
    }


@cache
def played(seed: int) -> Sitting:
    rulings = {
        "sun": "on" if seed % 2 else "off",
        "nine_hexes": "slant" if seed % 3 == 0 else "map",
        "fog": ("table", "soft", "hard")[seed % 3],
        "sierra_hotel_bump": "off",
    }
    return play_game(GAME, fleet(seed), rulings, seed, choose=_choose)


def _choose(rng: random.Random, decision: Decision) -> Any:
    """At random, or mostly straight on and shooting: who turns hard searches for nobody."""
    about, chance = decision.id.split(":")[0], rng.random()
    if about == "leave" and chance < 0.4:
        return at_random(rng, decision)
    if about == "decide" and chance < 0.6:
        order = "radar auto-track" if chance < 0.4 else "would leave"
        free = (one.value for one in decision.all_options if one.blocked is None)
        return rng.choice([line for line in free if order in line] or [""])
    return (eager if rng.random() < 0.7 else at_random)(rng, decision)


def facts(*kinds: type[Any]) -> Iterator[tuple[State, Any, State]]:
    """Every fact of some kinds in all games: the position before it, the fact, the position after it."""
    for seed in GAMES:
        sitting = played(seed)
        for entry in sitting.entries[1:]:
            if isinstance(entry.event, kinds):
                yield sitting.states[entry.seq - 1], entry.event, sitting.states[entry.seq]


# Ranges and angles.


def flat(a: Target, b: Target) -> int:
    q, r = b.pos.q - a.pos.q, b.pos.r - a.pos.r
    return math.floor(max(abs(q), abs(r), abs(q + r)) / 2)


def slant(a: Target, b: Target) -> int:
    return flat(a, b) + math.floor(abs(a.altitude - b.altitude) / 2)


def sight_range(a: Aircraft, b: Target) -> int:
    levels = b.altitude - a.altitude
    return flat(a, b) + (levels // 4 if levels > 0 else -levels // 2)


def bearing(a: Target, b: Target) -> float:
    """Degrees clockwise from north."""
    q, r = b.pos.q - a.pos.q, b.pos.r - a.pos.r
    return math.degrees(math.atan2(math.sqrt(3) / 4 * q, -(r / 2 + q / 4)))


def off(a: Aircraft, b: Target, facing: int | None = None) -> float:
    """Degrees off the nose, 0 to 180."""
    ahead = 30 * (a.facing if facing is None else facing)
    return abs((bearing(a, b) - ahead + 180) % 360 - 180)


def behind(a: Aircraft, b: Target, arc: str) -> bool:
    """Whether b is in an arc of a's tail, such as "60-" or "30- L"; its border belongs to it."""
    if not arc or a.pos == b.pos or (arc.endswith(" L") and b.altitude >= a.altitude):
        return False
    return off(a, b) >= 180 - int(arc.split("-")[0]) - NEAR_ENOUGH


def ahead(a: Aircraft, b: Target, arc: str) -> bool:
    """Whether b is in an arc of a's sensors, such as "150+"; its border belongs to it."""
    return a.pos == b.pos or off(a, b) <= 180 - int(arc[:-1]) + 30 + NEAR_ENOUGH


# Questions of a position.


def card(state: State, one: Aircraft) -> Card:
    assert one.ident.value is not None
    return state.cards[one.ident.value.card]


def enemies(state: State, side: str) -> list[Aircraft]:
    return [one for one in state.aircraft.values() if one.side != side and one.status == "flying"]


def own(state: State, side: str) -> list[Aircraft]:
    return [one for one in state.aircraft.values() if one.side == side and one.status == "flying"]


def everybody(state: State) -> list[Aircraft]:
    return [one for one in state.aircraft.values() if one.status == "flying"]


def targets(state: State, side: str) -> dict[str, Target]:
    missiles = [one for one in state.missiles.values() if one.side != side]
    return {one.id: one for one in (*enemies(state, side), *missiles)}


def awake(one: Aircraft) -> list[Crew]:
    return [man for man in one.o.crew if man.status == "ok"]


def pilot(one: Aircraft) -> Crew:
    return (awake(one) or list(one.o.crew))[0]


def free(one: Aircraft) -> bool:
    return one.condition == "normal" and not one.engaged


# The order of flight (GS-OOF, GS-T-9, GS-T-12).

TRAINING = {"excellent": 2, "good": 1, "average": 0, "limited": -1, "poor": -2}
QUALITY = {"veteran": 1, "regular": 0, "novice": -1, "green": -2}
CONFIDENCE = {"excellent": 1, "normal": 0, "poor": -1}
BY_CONDITION = {"departed": (2, 0), "stalled": (2, 1), "gloc": (3, 0), "disoriented": (3, 1)}


def advantaged(state: State, a: Aircraft, b: Aircraft) -> bool:
    """9-6-9, for who is free and sees the other; who tails has it over that one alone."""
    if not free(a) or a.side not in b.sighted_by:
        return False
    if a.tailing is not None:
        return a.tailing == b.id
    higher = b.altitude - a.altitude
    far = slant(a, b) if state.switches.nine_hexes == "slant" else flat(a, b)
    if a.pos == b.pos or far > 9 or higher > 6 or higher < -9:
        return False
    return not (a.s.flight_type == "VD" and higher > 0) and off(a, b) < 60 - NEAR_ENOUGH


def place(state: State, one: Aircraft) -> tuple[int, int]:
    """Rank, and place within it."""
    if one.condition in BY_CONDITION:
        return BY_CONDITION[one.condition]
    if one.engaged:
        return 4, 0
    others = enemies(state, one.side)
    if any(each.side in one.sighted_by for each in others):
        over = any(advantaged(state, one, each) for each in others)
        under = any(advantaged(state, each, one) for each in others)
        return 8, 1 + over - under
    held = any(one.id in (*each.o.contacts, *each.o.locks) for each in others)
    return (9 if held else 10), 0


def initiative(state: State, one: Aircraft) -> int:
    flier, kills = pilot(one), state.kills
    traits = (flier.sierra_hotel, flier.tactics_master, flier.combat_hero)
    other = "red" if one.side == "blue" else "blue"
    return (
        state.initiative[one.side]
        + TRAINING[state.training[one.side]]
        + QUALITY[flier.quality]
        + CONFIDENCE[flier.confidence]
        + sum(traits)
        + (state.first_kill == one.side)
        + (kills[one.side] > kills[other])
    )


def test_categories() -> None:
    words, counts = ("disadvantaged", "non-advantaged", "advantaged"), dict.fromkeys(range(3), 0)
    for state, fact, _ in facts(CategoriesSet):
        found = {(each.of, each.over) for each in fact.found}
        assert found == {
            (a.id, b.id)
            for a in everybody(state)
            for b in enemies(state, a.side)
            if advantaged(state, a, b)
        }
        places = {one.id: place(state, one) for one in everybody(state)}
        ranked = {id: words[within] for id, (rank, within) in places.items() if rank == 8}
        assert fact.categories == ranked
        for _, within in (each for each in places.values() if each[0] == 8):
            counts[within] += 1
    assert min(counts.values()) > 5, counts


def test_initiative_and_the_order() -> None:
    ranks: set[tuple[int, int]] = set()
    for state, fact, _ in facts(InitiativeSet):
        flying = everybody(state)
        assert {each.aircraft: each.total for each in fact.standings} == {
            one.id: initiative(state, one) for one in flying
        }
        at = {one.aircraft: one for one in fact.places}
        for one in flying:
            assert (at[one.id].rank, at[one.id].within) == place(state, one)
            assert at[one.id].initiative == initiative(state, one)
            ranks.add(place(state, one))
    assert {(8, 0), (8, 1), (8, 2), (9, 0), (10, 0)} <= ranks
    assert ranks & {(2, 0), (2, 1)}


def sorts(one: OrderPlace) -> tuple[int, ...]:
    return one.rank, one.within, one.initiative, *one.tie


def test_ties_are_rolled_off() -> None:
    """Low first; only the equal roll, until none are. In fog all roll, so that nobody is told of a tie."""
    thrown: dict[str, list[int]] = {}
    ties = 0
    for state, fact, _ in facts(InitiativeSet, TieRolled, TiesRolled, OrderSet):
        if isinstance(fact, InitiativeSet):
            thrown = {one.id: [] for one in everybody(state)}
        elif isinstance(fact, TieRolled):
            stands = {one.aircraft: sorts(one) for one in state.order}
            mine = stands[fact.aircraft]
            equal = {id for id, other in stands.items() if other[: len(mine)] == mine}
            assert equal - {fact.aircraft} == set(fact.against) != set()
            thrown[fact.aircraft].append(fact.die)
            ties += 1
        elif isinstance(fact, TiesRolled):
            for id, dice in (fact.dice.value or {}).items():
                thrown[id].extend(dice)
        else:
            assert {one.aircraft: list(one.tie) for one in fact.places} == thrown
            order = [sorts(one) for one in fact.places]
            assert all(a < b or (state.foggy and a == b) for a, b in pairwise(order))
    assert ties > 10


# Sighting (GS-VIS, GS-T-11).


def v_of(state: State, target: Target) -> int:
    if isinstance(target, Aircraft):
        return card(state, target).visibility
    assert target.card.value is not None
    return state.missile_cards[target.card.value].visibility


def dazzled(state: State, one: Aircraft, target: Target) -> bool:
    sun, levels = state.sun, target.altitude - one.altitude
    if state.switches.sun == "off" or sun is None or one.pos == target.pos or levels <= 0:
        return False
    in_its_arc = off(one, target, sun.facing) <= 30 + NEAR_ENOUGH
    return in_its_arc and levels >= sun.ratio * flat(one, target)


def looks(state: State, one: Aircraft, target: Target) -> bool:
    """Whether an aircraft can search for a target."""
    if one.condition in ("gloc", "disoriented") or not awake(one):
        return False
    if behind(one, target, card(state, one).blind) or dazzled(state, one, target):
        return False
    if flat(one, target) == 0 and target.altitude < one.altitude:
        return False
    most = 10 if "vas" in card(state, one).technology else 4
    return sight_range(one, target) <= most * v_of(state, target)


def sighting(state: State, one: Aircraft, target: Target) -> int:
    """What is added to the die (GS-VIS-9a)."""
    v, far, crew = v_of(state, target), sight_range(one, target), awake(one)
    brackets = ((1, -1), (2, 0), (3, 2), (4, 4))
    number = next((add for times, add in brackets if far <= times * v), 3)
    number += 2 * behind(one, target, card(state, one).restricted)
    number -= (len(crew) > 1) + any(m.quality == "veteran" or m.tactics_master for m in crew)
    if all(man.quality == "green" for man in crew):
        number += 2
    elif all(man.quality in ("green", "novice") for man in crew):
        number += 1
    number -= target.id in (*one.o.contacts, *one.o.locks)
    many = sum(looks(state, each, target) for each in own(state, one.side))
    number -= (many >= 3) + (many >= 5)
    if isinstance(target, Missile):
        return number - 3 * (target.launched == state.turn - 1)
    number -= 2 * smokes(state, target) + target.flares_used
    number += target.paint == "camouflage" and target.altitude < one.altitude
    return number - (target.paint == "bare metal")


def smokes(state: State, one: Aircraft) -> bool:
    return one.smoking or (card(state, one).smoker and one.s.power == "M")


def room(one: Aircraft) -> int:
    """How many an aircraft may padlock (GS-VIS-8a to GS-VIS-8d)."""
    crew = awake(one)
    if not crew or one.condition in ("gloc", "disoriented"):
        return 0
    if all(m.quality in ("novice", "green") and not m.tactics_master for m in crew):
        return 0
    return min(2, len(crew)) + sum(m.quality == "veteran" or m.tactics_master for m in crew)


def test_smoke_trails() -> None:
    for state, fact, _ in facts(TrailsSeen):
        assert set(fact.aircraft) == {one.id for one in everybody(state) if smokes(state, one)}


def test_watches_and_padlocks() -> None:
    held = 0
    for state, fact, _ in facts(WatchSet):
        at = targets(state, fact.side)
        crews = {one.id: one for one in own(state, fact.side)}
        taken = list(fact.watch.padlocks.values())
        for id, by in fact.watch.padlocks.items():
            one, target = crews[by], at[id]
            assert fact.side in target.sighted_by
            assert not behind(one, target, card(state, one).blind)
            assert sight_range(one, target) <= 4 * v_of(state, target)
            assert taken.count(by) <= room(one)
            held += 1
        needs: dict[str, int] = {}
        for id, by in fact.watch.searchers.items():
            assert looks(state, crews[by], at[id])
            reach = v_of(state, at[id]) - sighting(state, crews[by], at[id])
            if id not in fact.watch.padlocks and reach >= 1:
                needs[id] = reach
            if sight_range(crews[by], at[id]) > 4 * v_of(state, at[id]):
                assert by not in taken or id in fact.watch.padlocks
        assert fact.needs == needs
        for id, target in at.items():
            if any(looks(state, one, target) for one in crews.values()):
                covered = id in fact.watch.searchers or id in fact.watch.padlocks
                only_vas = all(
                    sight_range(one, target) > 4 * v_of(state, target)
                    for one in crews.values()
                    if looks(state, one, target)
                )
                assert covered or only_vas
    assert held > 20


def looks_of(fact: Any) -> tuple[Searched, ...]:
    """The searches of a fact: one, or in fog all of a side."""
    if isinstance(fact, Looked):
        return fact.looks.value or ()
    return (fact,) if isinstance(fact, Searched) else ()


def test_who_is_lost_from_sight_and_searched_for() -> None:
    """All that are not padlocked, at once, and then one roll for each that some die would find."""
    rolled: dict[str, set[str]] = {}
    searched = found = 0
    for state, fact, after in facts(WatchSet, Padlocked, LostFromSight, Searched, Looked):
        if isinstance(fact, WatchSet):
            rolled[fact.side] = {id for id in fact.needs if id not in fact.watch.padlocks}
        elif isinstance(fact, Padlocked):
            plans = [watch.padlocks for watch in state.watches.values()]
            assert fact.padlocks == {id: by for plan in plans for id, by in plan.items()}
        elif isinstance(fact, LostFromSight):
            everything: list[Target] = [*everybody(state), *state.missiles.values()]
            seen = {t.id for t in everything if t.vas_by or (t.sighted_by and not t.padlocked_by)}
            assert set(fact.targets) == seen
        for look in looks_of(fact):
            one, target = state.aircraft[look.searcher], targets(state, look.side)[look.target]
            assert (look.roll.need, look.roll.modifier) == (
                v_of(state, target),
                sighting(state, one, target),
            )
            rolled[look.side].remove(look.target)
            searched += 1
            far = sight_range(one, target) > 4 * v_of(state, target)
            assert look.by_vas == far
            then = targets(after, look.side)[look.target]
            hit = look.roll.face + sighting(state, one, target) <= v_of(state, target)
            assert (look.side in then.sighted_by) == (hit and not far)
            assert (one.id in then.vas_by) == (hit and far)
            found += hit
    assert not any(rolled.values())
    assert (searched > 60, found > 20) == (True, True)


def test_identification() -> None:
    """Who is near enough, or locked on by a radar that tells types, and nobody else."""
    known = 0
    for sitting in map(played, GAMES):
        for entry in sitting.entries[1:]:
            event = entry.event
            if not isinstance(event, StepBegan) or "GS-VIS-10" not in (event.step, *event.passed):
                continue
            state = sitting.states[entry.seq]
            due = {side: _identified(state, side) for side in state.sides}
            if event.step != "GS-VIS-10":
                assert not any(due.values())
                continue
            fact = sitting.entries[entry.seq].event
            assert isinstance(fact, Identified)
            assert {side: set(ids) for side, ids in fact.targets.items()} == due
            known += sum(map(len, due.values()))
    assert known > 10


def _identified(state: State, side: str) -> set[str]:
    found: set[str] = set()
    for target in enemies(state, side):
        if side in target.identified_by:
            continue
        for one in own(state, side):
            if side not in target.sighted_by and one.id not in target.vas_by:
                continue
            technology = card(state, one).technology
            busy = any(one.id in each.padlocked_by for each in targets(state, side).values())
            times = 4 if "vas" in technology and not busy else 2
            near = sight_range(one, target) <= times * v_of(state, target)
            sees = one.id in target.padlocked_by or looks(state, one, target)
            if (near and sees) or (target.id in one.o.locks and "tgt-id" in technology):
                found.add(target.id)
    return found


# Radar (GS-RAD, GS-T-10).


def eff(number: int, eccm: int) -> int:
    return max(0, number - eccm)


def radar_of(state: State, one: Aircraft) -> RadarCard | None:
    dead = "radar" in one.o.out or one.o.radar_mode == "off"
    return None if dead else card(state, one).radar


def reaches(one: Aircraft, target: Aircraft, radar: RadarCard, arc: str, most: int) -> bool:
    low = one.altitude > target.altitude and target.altitude <= 4 and not radar.look_down
    return not low and slant(one, target) <= most and ahead(one, target, arc)


def barred(state: State, one: Aircraft) -> bool:
    mine, crew = one.o, awake(one)
    tight = ("BT", "ET") if len(crew) > 1 else ("HT", "BT", "ET")
    flown = bool(mine.unloaded or mine.rolls or mine.recovery > 0 or one.gun_shots)
    half = mine.move is not None and mine.move.half_roll
    return (
        radar_of(state, one) is None
        or one.engaged
        or one.condition in ("stalled", "departed", "gloc")
        or flown
        or half
        or one.damage_control
        or one.no_attacks
        or mine.shaken_turn == state.turn
        or (mine.radar_mode == "search" and mine.max_rate in tight)
    )


def modifier(state: State, one: Aircraft, target: Aircraft, radar: RadarCard) -> int:
    """IFF, jammers, chaff, size and the operator (GS-RAD-3a)."""
    of, crew = card(state, target), awake(one)
    operator = crew[1] if len(crew) > 1 else pilot(one)
    working = "ecm" not in target.o.out
    number = -2 * target.o.iff + of.size
    number += eff(of.ajm.number, radar.eccm) if of.ajm and working else 0
    if target.program_on:
        number += eff(math.ceil(target.program.chaff / 2), radar.eccm)
    number -= operator.quality == "veteran" or operator.tactics_master
    return number + {"novice": 1, "green": 2}.get(operator.quality, 0)


def wanted(radar: RadarCard, far: int) -> int:
    s = radar.search
    return 10 if far <= 2 * s else 10 - math.ceil(3 * (far - 2 * s) / s)


def automatic(state: State, one: Aircraft) -> set[str]:
    """The nearest that auto-track or boresight could take; several where they are equally near."""
    radar, mode = card(state, one).radar, one.o.radar_mode
    if radar is None or mode != "auto-track":
        return set()
    near = [e for e in enemies(state, one.side) if reaches(one, e, radar, "180+", radar.search)]
    least = min((slant(one, each) for each in near), default=0)
    return {each.id for each in near if slant(one, each) == least}


def test_which_radars_look() -> None:
    modes: set[str] = set()
    for state, fact, _ in facts(RadarsLook):
        expected = {one.id: one.o.radar_mode for one in everybody(state) if not barred(state, one)}
        assert fact.looking == expected
        modes |= set(expected.values())
    assert modes >= {"search", "auto-track"}


def test_radar_searches() -> None:
    made = 0
    for state, fact, after in facts(RadarSearched):
        tries = fact.tries.value
        assert tries is not None
        for one in own(state, fact.side):
            radar, mine = card(state, one).radar, [t for t in tries if t.aircraft == one.id]
            rolled = {t.target for t in mine if t.roll is not None}
            if radar is None or barred(state, one):
                assert not mine
                continue
            due = {
                each.id
                for each in enemies(state, one.side)
                if reaches(one, each, radar, radar.arc, radar.search_max)
                and each.id not in (*one.o.contacts, *one.o.locks)
                and wanted(radar, slant(one, each)) >= 1
                and wanted(radar, slant(one, each)) - modifier(state, one, each, radar) >= 1
            }
            if one.o.radar_mode != "search" or (one.o.locks and radar.tws != "full"):
                due = set()
            in_arc = sum(
                reaches(one, each, radar, radar.arc, radar.search_max)
                for each in enemies(state, one.side)
            )
            assert rolled <= due if in_arc > 4 else rolled == due
            assert len(rolled) <= 4
            for each in mine:
                if each.roll is None:
                    if one.o.radar_mode == "auto-track":
                        assert each.target in automatic(state, one)
                    continue
                target = state.aircraft[each.target]
                assert each.roll.need == wanted(radar, slant(one, target))
                assert each.roll.modifier == modifier(state, one, target, radar)
            won = {t.target for t in mine if t.roll is None or _made(t.roll)}
            made += len(won)
            assert set(after.aircraft[one.id].o.contacts) == {*one.o.contacts, *won}
    assert made > 20


def _made(roll: Thrown) -> bool:
    return roll.face + roll.modifier <= roll.need


def test_lock_ons() -> None:
    made = kinds = 0
    for state, fact, after in facts(LocksTried):
        for one in own(state, fact.side):
            radar = card(state, one).radar
            mine = [t for t in fact.tries.value or () if t.aircraft == one.id]
            if radar is None or barred(state, one):
                assert not mine
                continue
            most = radar.multi_track if one.o.radar_mode == "search" else 1
            assert len(mine) <= most
            won: list[str] = []
            for each in mine:
                target = state.aircraft[each.target]
                assert each.target in one.o.contacts
                assert each.target not in one.o.locks
                special = one.o.radar_mode != "search"
                assert special or reaches(one, target, radar, radar.arc, radar.track_max)
                assert each.roll.need == radar.lock
                assert each.roll.modifier == modifier(state, one, target, radar)
                won += [each.target] if _made(each.roll) else []
            then = after.aircraft[one.id].o
            assert set(then.locks) == {*one.o.locks, *won}
            assert len(then.locks) <= radar.multi_track
            if then.locks and radar.tws == "none":
                assert set(then.contacts) == set(then.locks)
                kinds += 1
            else:
                assert set(then.contacts) == {*one.o.contacts, *then.locks}
            made += len(won)
    assert (made > 5, kinds > 0) == (True, True)


def test_locks_are_shaken() -> None:
    shaken = 0
    for state, fact, after in facts(LocksShaken):
        assert fact.known.value is not None
        for each in fact.known.value:
            tracker, target = state.aircraft[each.tracker], state.aircraft[each.target]
            radar, of = card(state, tracker).radar, card(state, target)
            assert radar is not None
            assert each.target in tracker.o.locks
            number = {
                "DJM": of.djm.number if of.djm else 0,
                "chaff": math.ceil(target.program.chaff / 2) if target.program_on else 0,
                "mini-jammer": target.program.mini if target.program_on else 0,
            }[each.by]
            assert each.need == eff(number, radar.eccm) >= 1
            assert (each.by == "DJM") == (fact.means == "jammers")
            if each.face <= each.need:
                assert each.target not in after.aircraft[each.tracker].o.locks
            shaken += 1
    assert shaken > 5


def test_what_is_kept_on_radar() -> None:
    lost = 0
    for state, _, after in facts(ContactsKept):
        for one in everybody(state):
            radar, mine, then = radar_of(state, one), one.o, after.aircraft[one.id].o
            if radar is None:
                assert (then.contacts, then.locks) == ((), ())
                continue
            at = {each.id: each for each in enemies(state, one.side)}
            gentle = (
                one.condition not in ("stalled", "departed", "gloc")
                and not one.engaged
                and mine.max_rate != "ET"
                and (not mine.rolls or (mine.rolls == 1 and one.s.flight_type in ("VC", "VD")))
                and mine.shaken_turn != state.turn
            )
            if mine.radar_mode == "search":
                locks = {
                    id
                    for id in mine.locks
                    if gentle and reaches(one, at[id], radar, radar.arc, radar.track_max)
                }
                assert set(then.locks) == locks
            contacts = {
                id
                for id in mine.contacts
                if reaches(one, at[id], radar, radar.arc, radar.search_max)
            }
            assert set(then.contacts) == contacts | set(then.locks)
            lost += len(set(mine.contacts) - set(then.contacts))
    assert lost > 0


# Stalls, crews, leaving (GS-STL, GS-T-7, GS-T-8, GS-ADM).


def steady(state: State, one: Aircraft) -> int:
    wire = -2 * ("fly-by-wire" in card(state, one).properties)
    return wire + _nerve(pilot(one))


def _nerve(man: Crew) -> int:
    return -(man.quality == "veteran") - man.sierra_hotel + 2 * (man.quality == "green")


def holds(state: State, one: Aircraft) -> int:
    man = pilot(one)
    number = {"veteran": 1, "novice": -1, "green": -2}.get(man.quality, 0)
    number += man.sierra_hotel + {"excellent": 1, "poor": -1}.get(man.confidence, 0)
    return number + 2 * ("fly-by-wire" in card(state, one).properties)


TOPS: Mapping[Band, int] = {"LO": 7, "ML": 16, "MH": 25, "HI": 35, "VH": 99}


def least(state: State, one: Aircraft) -> float:
    """Its least speed, clean, in the band that it is in."""
    names: list[Band] = [name for name, top in TOPS.items() if one.altitude <= top]
    return card(state, one).bands[names[0]].min


def test_stalls() -> None:
    rolls = dict.fromkeys((RecoveryRolled, DepartureRolled), 0)
    for state, fact, after in facts(RecoveryRolled, DepartureRolled, ReverseRolled):
        one, then = state.aircraft[fact.aircraft], after.aircraft[fact.aircraft]
        roll: Thrown = fact.roll
        if isinstance(fact, RecoveryRolled):
            assert one.condition == "departed"
            assert (roll.need, roll.modifier) == (6, steady(state, one))
            assert (then.condition != "departed") == _made(roll)
            if _made(roll):
                assert then.speed == max(least(state, one), one.o.depart_speed)
        elif isinstance(fact, DepartureRolled):
            assert one.speed < least(state, one)
            assert (roll.need, roll.modifier) == (5, holds(state, one))
            assert then.condition == ("departed" if _made(roll) else "stalled")
        else:
            assert one.s.flight_type == "VC"
            assert least(state, one) - 1 <= one.speed <= least(state, one)
            assert pilot(one).quality in ("veteran", "regular")
            assert (roll.need, roll.modifier) == (6, steady(state, one))
        if type(fact) in rolls:
            rolls[type(fact)] += 1
    assert all(rolls.values()), rolls


def test_who_has_to_roll_in_the_stalled_aircraft_phase() -> None:
    due: dict[type[Any], set[str]] = {}
    for state, fact, _ in facts(StepBegan, RecoveryRolled, DepartureRolled):
        if not isinstance(fact, StepBegan):
            due[type(fact)].remove(fact.aircraft)
        elif state.phase == "stalled" and state.step == "":
            departed = {one.id for one in everybody(state) if one.condition == "departed"}
            slow = {one.id for one in everybody(state) if one.speed < least(state, one)}
            due = {RecoveryRolled: departed, DepartureRolled: slow - departed}
        elif state.phase == "stalled" and fact.step == OVER:
            assert not any(due.values())


def test_crews_and_leaving() -> None:
    on = {"L": 1, "2L": 1, "H": 2, "C": 3}
    kinds: set[type[Any]] = set()
    for state, fact, after in facts(WorseRolled, CrewRolled, BearingsRolled, LeaveRolled):
        one, then = state.aircraft[fact.aircraft], after.aircraft[fact.aircraft]
        kinds.add(type(fact))
        if isinstance(fact, WorseRolled):
            assert (fact.roll.need, fact.roll.modifier) == (on[one.o.damage], 0)
            assert not one.damage_control
            assert one.o.hit_turn < state.turn
        elif isinstance(fact, CrewRolled):
            assert fact.awake == (state.turn >= one.gloc_until or _woke(fact.roll))
        elif isinstance(fact, BearingsRolled):
            assert (fact.roll.need, fact.roll.modifier) == (6, _nerve(pilot(one)))
        else:
            seen = any(each.side in one.sighted_by for each in enemies(state, one.side))
            assert (fact.roll.need, fact.roll.modifier) == (6 if seen else 8, 0)
            assert not one.gun_shots
            assert not one.launches
            held = [
                each.o.locks if seen else (*each.o.contacts, *each.o.locks)
                for each in enemies(state, one.side)
            ]
            assert not any(one.id in ids for ids in held)
            if seen:
                assert all(slant(one, each) > 10 for each in enemies(state, one.side))
            assert (then.status == "left") == _made(fact.roll)
    assert LeaveRolled in kinds


def _woke(roll: Thrown | None) -> bool:
    assert roll is not None
    assert (roll.need, roll.modifier) == (4, 0)
    return _made(roll)


# The turn.


@pytest.mark.parametrize("seed", GAMES)
def test_every_step_of_every_phase_comes_once_in_its_order(seed: int) -> None:
    """Each numbered step begins or is passed, and nobody is told more than that."""
    steps = {phase.id: [step.id for step in phase.steps] for phase in GAME.phases}
    sitting = played(seed)
    phase, walked, turns = "", list[str](), list[tuple[int, str]]()
    for entry in sitting.entries[1:]:
        event = entry.event
        if isinstance(event, PhaseBegan):
            phase, walked = event.phase, []
            turns.append((event.turn, event.phase))
        elif isinstance(event, StepBegan):
            walked += [*event.passed, *(() if event.step == OVER else (event.step,))]
            assert walked == steps[phase][: len(walked)]
            if event.step == OVER:
                assert walked == steps[phase]
    order = [phase.id for phase in GAME.phases]
    assert [each for _, each in turns] == (order * 3)[: len(turns)]
    assert [turn for turn, _ in turns] == [1 + n // len(order) for n in range(len(turns))]


def test_a_base_die_a_side_a_turn() -> None:
    dice: list[tuple[int, str]] = [(state.turn, fact.side) for state, fact, _ in facts(BaseRolled)]
    assert dice == [*_runs(dice)]
    assert len(dice) > 40


def _runs(dice: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The same without one that comes again at once."""
    before = None
    for each in dice:
        if each != before:
            yield each
        before = each
