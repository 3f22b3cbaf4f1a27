"""What lies ahead of two jets that fly together by a policy: exact, as `road` is for one.

Two jets meet the same sites and MiGs, and wear down the same target. What joins them otherwise is only that
one goes down: from then on the other one flies alone, and of that `road` knows all. So the flight is followed
as if neither could go down, by the weapons of both and the MiG hits that each has taken; missiles are left out,
as nothing but damage comes of them. Each place keeps in a row how likely it is after so many SAM sites. Beside
it, `Missiles` knows how the missiles of so many sites fall on both. Together they say how likely it is that
both are still in the air, or that one goes down at this very missile or MiG, and in what state that leaves the
other one. For the chance of one jet it makes no difference what becomes of the flight once that jet is down,
so each is counted as if the other one alone could be lost.

Exact to less than one in a thousand: what is left out are places less likely than `FAINT`, MiGs at those less
likely than `RARE`, and what `road` leaves out. Where a table limits the shots at a flight of MiGs, each shot of
the leader is one less for the wingman; that is followed too, but takes ten times as long.

Belongs here: these sums. Does not belong here: a game's position, or what people see; see `foresight`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from operator import mul
from typing import Any, NamedTuple

from app.games.f14_tomcats.model import HOME, Weapon
from app.games.f14_tomcats.policy import Load, Policy
from app.games.f14_tomcats.road import (
    FACES,
    MOST_SITES,
    NO_SUMS,
    NOTHING,
    WITH_CHAFF,
    WITHOUT,
    Arms,
    Plan,
    Road,
    Spot,
    Stage,
    Sums,
    Way,
    road,
    share_of,
)

# A row has a lane for each number of sites, in fixed point; a chance is in parts of 2 to the power of 20.
Row = int
LANE, POINT, PARTS = 64, 42, 20
ONE: Row = 1 << POINT
COUNTS = MOST_SITES + 1
WHOLE = sum(((1 << LANE) - 1) << LANE * n for n in range(COUNTS))
KEPT = sum(((1 << POINT + 2) - 1) << LANE * n for n in range(COUNTS))
FAINT: Row = ONE >> 26
"""A place that is less likely than this is dropped."""
RARE: Row = ONE >> 18
"""A place that is less likely than this, one in 260,000, meets no MiGs."""
KEY = 16
"""Holds apart the two numbers of a key: no jet takes so many hits."""


def _parts(chance: float) -> int:
    return round(chance * (1 << PARTS))


def _part(row: Row, parts: int) -> Row:
    return row * parts >> PARTS & KEPT


SITE, FLIGHT = _parts(6 / 72), _parts(1 / 72)
CALM = (1 << PARTS) - SITE - 6 * FLIGHT
CALMER = CALM + 6 * FLIGHT

Rows = dict[int, dict[int, Row]]
"""By the place of one jet, then by that of the other."""


class Outcome(NamedTuple):
    """How a jet's shots at its MiGs may end: its place, the MiGs and shots left, and how likely it is."""

    place: int
    left: int
    shots: int
    parts: int


class Aimed(NamedTuple):
    """What a jet fires at a target: its place afterwards, and what a hit does."""

    place: int
    parts: int
    damage: int


class Places:
    """The places of a jet: its load and the MiG hits that it has taken, numbered as they are met."""

    def __init__(self, policy: Policy, arms: Arms):
        self.policy = policy
        self.arms = arms
        self.known: dict[tuple[Load, int], int] = {}
        self.loads: list[Load] = []
        self.hits: list[int] = []
        self._ends: dict[tuple[int, int, int, bool], tuple[Outcome, ...]] = {}
        self._aims: dict[int, Aimed | None] = {}
        self._air: dict[tuple[int, bool], tuple[int, int] | None] = {}

    def of(self, load: Load, hits: int) -> int:
        """The number of a place."""
        place = self.known.get((load, hits))
        if place is None:
            place = self.known[load, hits] = len(self.loads)
            self.loads.append(load)
            self.hits.append(hits)
        return place

    def hurt(self, place: int, hits: int) -> int:
        """The place after so many further hits."""
        return self.of(self.loads[place], self.hits[place] + hits) if hits else place

    def shooting(self, place: int, migs: int, shots: int, *, ahead: bool) -> tuple[Outcome, ...]:
        """How a jet's fight against its MiGs may end, before those that are left hit it."""
        key = (place, migs, shots, ahead)
        found = self._ends.get(key)
        if found is None:
            ends = _bouts(self.policy, self.arms, self.loads[place], migs, shots, ahead)
            hits = self.hits[place]
            found = self._ends[key] = tuple(
                Outcome(self.of(load, hits), left, still, _parts(chance))
                for load, left, still, chance in ends
            )
        return found

    def air(self, place: int, *, ahead: bool) -> tuple[int, int] | None:
        """The shot at a MiG that the policy takes: the place afterwards, and how likely it hits."""
        key = (place, ahead)
        if key not in self._air:
            load = self.loads[place]
            weapon = self.policy.at_migs(load, ahead)
            self._air[key] = weapon and (
                self.of(load.without(weapon), self.hits[place]),
                _parts(self.arms.of(weapon).sixths / 6),
            )
        return self._air[key]

    def shots(self, place: int) -> int:
        """All that could be fired at MiGs."""
        load = self.loads[place]
        return load.amraam + load.sidewinder + load.cannon

    def aim(self, place: int) -> Aimed | None:
        """What the policy fires at a target."""
        if place not in self._aims:
            self._aims[place] = self.fired(place, self.policy.at_target(self.loads[place]))
        return self._aims[place]

    def fired(self, place: int, weapon: Weapon | None) -> Aimed | None:
        """A weapon fired at a target."""
        if weapon is None:
            return None
        left = self.of(self.loads[place].without(weapon), self.hits[place])
        arm = self.arms.of(weapon)
        return Aimed(left, _parts(arm.sixths / 6), arm.ground)


@cache
def _bouts(
    policy: Policy, arms: Arms, load: Load, migs: int, shots: int, ahead: bool
) -> tuple[tuple[Load, int, int, float], ...]:
    weapon = policy.at_migs(load, ahead) if migs and shots else None
    if weapon is None:
        return ((load, migs, shots, 1.0),)
    hit, left = arms.of(weapon).sixths / 6, load.without(weapon)
    further = shots - 1 if shots > 0 else shots
    ends: dict[tuple[Load, int, int], float] = defaultdict(float)
    for chance, still in ((hit, migs - 1), (1 - hit, migs)):
        for end, alive, rest, then in _bouts(policy, arms, left, still, further, ahead):
            ends[end, alive, rest] += chance * then
    return tuple((*end, chance) for end, chance in ends.items())


# Missiles.


class Hull:
    """One jet under fire: how likely so much damage is after so many missiles."""

    MOST = 6 * COUNTS
    """After so many missiles a jet is down, as good as certainly."""

    def __init__(self, spot: Spot, limit: int):
        self.limit = limit
        self.hit = [0.0]
        if spot.late:
            self.hit.append(WITHOUT)
        self.hit += [WITH_CHAFF] * spot.chaff
        self.hit += [WITHOUT] * (self.MOST + 1 - len(self.hit))
        first = [0.0] * limit
        first[spot.damage] = 1.0
        self.exactly = [first]
        for hit in self.hit[1:]:
            last = self.exactly[-1]
            self.exactly.append(
                [(1 - hit) * last[n] + (hit * last[n - 1] if n else 0.0) for n in range(limit)]
            )
        self.most = [[sum(row[: n + 1]) for n in range(limit)] for row in self.exactly]

    def spare(self, missiles: int, hits: int) -> float:
        """The chance to be in the air after so many missiles and MiG hits."""
        return self.most[min(missiles, self.MOST)][self.limit - 1 - hits]

    def last(self, missiles: int, hits: int) -> float:
        """The chance that one more point brings it down."""
        return self.exactly[min(missiles, self.MOST)][self.limit - 1 - hits]

    def falls(self, missile: int, hits: int) -> float:
        """The chance that it is this missile that brings it down."""
        return self.last(missile - 1, hits) * self.hit[min(missile, self.MOST)]

    def alone(self) -> list[list[float]]:
        """By missiles so far: for each number of sites to come, and of room left, the chance to stay in it.

        The room is counted from none upwards: MiG hits that are still borne.
        """
        by_sites = [[row[::-1] for row in self.most]]
        nothing = [0.0] * self.limit
        for _ in range(MOST_SITES):
            last = by_sites[-1]
            padded = [*last, *([nothing] * 6)]
            by_sites.append(
                [
                    [sum(column) / 6 for column in zip(*padded[n + 1 : n + 7], strict=True)]
                    for n in range(len(last))
                ]
            )
        return [[number for sites in by_sites for number in sites[n]] for n in range(self.MOST + 1)]


MIG, AT_SITE, COMING = range(3)
"""What brings a jet down: a MiG, a missile of the next site, or one that is on its way at the start."""
THROUGH, COUNTED = 30, 12
UNIT = 1 << THROUGH
"""The bits behind the point of a chance to stay in the air, and those left out of a row beside it."""


class Missiles:
    """How the missiles of so many sites fall on both jets, and what each may still expect then."""

    def __init__(self, spots: Sequence[Spot], limit: int):
        self.limit = limit
        self.hulls = [Hull(spot, limit) for spot in spots]
        first = (spots[0].missiles, spots[1].missiles)
        self.coming = first
        self.met: list[dict[tuple[int, int], float]] = [{first: 1.0}]
        shares = [(share_of(face, "leader"), share_of(face, "wingman")) for face in FACES]
        self.shares = shares
        for _ in range(MOST_SITES):
            further: dict[tuple[int, int], float] = defaultdict(float)
            for (one, two), chance in self.met[-1].items():
                for a, b in shares:
                    further[one + a, two + b] += chance / 6
            self.met.append(further)
        self._both: dict[tuple[int, int], list[float]] = {}
        self._alone = [[_packed(row) for row in hull.alone()] for hull in self.hulls]
        self._left: dict[tuple[int, int, int], list[Row]] = {}

    def both(self, hits: tuple[int, int]) -> list[float]:
        """By sites met: the chance that both are in the air, with so many MiG hits each."""
        found = self._both.get(hits)
        if found is None:
            one, two = self.hulls
            found = self._both[hits] = [
                sum(
                    chance * one.spare(a, hits[0]) * two.spare(b, hits[1])
                    for (a, b), chance in met.items()
                )
                for met in self.met
            ]
        return found

    def left(self, survivor: int, what: int, hits: int) -> list[Row]:
        """By sites met, when the other jet with so many MiG hits is brought down by `what`.

        Lanes for each number of sites that the survivor meets alone, and of MiG hits that he has taken in
        all: how likely it is that this happens and that he is still in the air then.
        """
        key = (survivor, what, hits)
        found = self._left.get(key)
        if found is None:
            alone = self._alone[survivor]
            found = self._left[key] = [
                sum(round(chance * UNIT) * alone[missiles] for missiles, chance in chances.items())
                >> THROUGH
                & SMALL
                for chances in self._fallen(survivor, what, hits)
            ]
        return found

    def _fallen(self, survivor: int, what: int, hits: int) -> Iterator[dict[int, float]]:
        """By sites met: how likely the other one falls so, by the missiles that the survivor has met."""
        other = self.hulls[1 - survivor]
        falls = [0.0, *(other.falls(n, hits) for n in range(1, Hull.MOST + 8))]
        if what == COMING:
            mine, his = self.coming[survivor], self.coming[1 - survivor]
            yield {mine + his - n: falls[n] for n in range(1, his + 1)}
            return
        more: dict[int, float] = defaultdict(float)
        if what == AT_SITE:
            by_his = [self._at_site(falls, his, survivor) for his in range(Hull.MOST + 2)]
        else:
            by_his = [{0: other.last(his, hits)} for his in range(Hull.MOST + 2)]
        for met in self.met:
            more = defaultdict(float)
            for pair, chance in met.items():
                mine = pair[survivor]
                for further, fallen in by_his[pair[1 - survivor]].items():
                    more[min(mine + further, Hull.MOST)] += chance * fallen
            yield more

    def _at_site(self, falls: Sequence[float], his: int, survivor: int) -> dict[int, float]:
        """The other one has met so many: how likely he falls at the next site, by the survivor's share of it."""
        shares: dict[int, float] = defaultdict(float)
        for share in self.shares:
            for n in range(1, share[1 - survivor] + 1):
                shares[sum(share) - n] += falls[his + n] / 6
        return shares


SMALL = sum(((1 << THROUGH + 2) - 1) << LANE * n for n in range(COUNTS * 9))
"""Lanes of chances to stay in the air; no jet bears more than nine points."""


def _packed(numbers: Iterable[float]) -> Row:
    lanes = [round(number * (1 << THROUGH)) for number in numbers]
    return int.from_bytes(b"".join(lane.to_bytes(LANE // 8, "little") for lane in lanes), "little")


def _lanes(row: Row, count: int) -> list[int]:
    return memoryview(row.to_bytes(count * LANE // 8, "little")).cast("Q").tolist()


# The flight.


Fallen = dict[tuple[Stage, int, int, int], Row]
"""By what follows, the survivor's place, what brought the other one down, and the MiG hits of that one."""


class Flight:
    """A pair on its way; `starts` differ in nothing but stage, weapons and MiGs."""

    def __init__(self, way: Way, starts: Sequence[tuple[float, tuple[Spot, ...]]]):
        self.way = way
        self.places = Places(way.policy, way.arms)
        self.last = max((target.waypoint for target in way.targets), default=0)
        self.missiles = Missiles(starts[0][1], way.limit)
        self.where: dict[Stage, Rows] = {}
        self.fallen: tuple[Fallen, Fallen] = (defaultdict(int), defaultdict(int))
        self.ends: dict[tuple[int, int], Row] = defaultdict(int)
        self.kills, self.points = (
            [defaultdict[tuple[int, int], Row](int) for _ in range(2)] for _ in range(2)
        )
        for chance, spots in starts:
            self._start(round(chance * ONE), *spots)
        first = min((stage.waypoint for stage in self.where), default=HOME)
        for waypoint in range(first, HOME + 1):
            self._over(waypoint)
            self._fly(waypoint)

    def _start(self, row: Row, one: Spot, two: Spot) -> None:
        stage = one.stage
        places = [self.places.of(spot.load, 0) for spot in (one, two)]
        if one.missiles or two.missiles:
            self._falls(row, places[0], 0, stage, COMING, 0)
            self._falls(row, places[1], 0, stage, COMING, 1)
        rows: Rows = {places[0]: {places[1]: row}}
        if one.migs or two.migs:
            rows = self._fought(rows, [(one.migs, two.migs, one.shots, two.shots)], stage)
        self._put(stage, rows)

    def _put(self, stage: Stage, rows: Rows) -> None:
        there = self.where.get(stage)
        if there is None:
            self.where[stage] = rows
        else:
            _add(there, rows)

    def _falls(
        self, row: Row, place: int, hits: int, after: Stage, what: int, survivor: int
    ) -> None:
        """The other one, with so many hits, may be brought down now."""
        if survivor and after.plan:
            after = after._replace(plan="")
        self.fallen[survivor][after, place, what, hits] += row

    # Along the route.

    def _fly(self, waypoint: int) -> None:
        """On to the next waypoint, and the contact there."""
        rows = self.where.pop(Stage("fly", waypoint), None)
        if rows is None:
            return
        if waypoint >= HOME:
            hits = self.places.hits
            for one, line in rows.items():
                for two, row in line.items():
                    self.ends[hits[one], hits[two]] += row
            return
        if waypoint >= self.last:
            rows = self._without_mavericks(rows)
        arrived = Stage("arrive", waypoint + 1)
        contact = waypoint + 1 < HOME or self.way.last_leg
        self._put(arrived, self._contact(rows, arrived) if contact else rows)

    def _without_mavericks(self, rows: Rows) -> Rows:
        """Beyond the targets they are of no use, and places that differ in them alone become one."""
        merged: Rows = {}
        for one, line in rows.items():
            mine = merged.setdefault(self._bare(one), {})
            for two, row in line.items():
                bare = self._bare(two)
                mine[bare] = mine.get(bare, 0) + row
        return merged

    def _bare(self, place: int) -> int:
        load = self.places.loads[place]
        return self.places.of(load._replace(maverick=0), self.places.hits[place])

    def _over(self, waypoint: int) -> None:
        """Targets: pass after pass."""
        for stage in [one for one in self.where if one == Stage("arrive", waypoint)]:
            self._put(self._arrived(waypoint), self.where.pop(stage))
        while True:
            here = [one for one in self.where if one.waypoint == waypoint and one.kind != "fly"]
            if not here:
                return
            for stage in here:
                rows = self.where.pop(stage)
                if stage.kind == "at":
                    self._decide(stage, rows)
                    continue
                if stage.kind == "pass":
                    contact = stage.again or self.way.first_pass
                    stage = stage._replace(kind="fire")
                    rows = self._contact(rows, stage) if contact else rows
                self._fire(stage, rows)

    def _arrived(self, waypoint: int) -> Stage:
        for n, target in enumerate(self.way.targets):
            if target.waypoint == waypoint:
                return Stage("at", waypoint, n)
        return Stage("fly", waypoint)

    def _decide(self, stage: Stage, rows: Rows) -> None:
        """A pass while one of them has something to fire, else on."""
        aim = self.places.aim
        stay: Rows = {}
        leave: Rows = {}
        for one, line in rows.items():
            if aim(one):
                stay[one] = line
                continue
            goes = {two: row for two, row in line.items() if aim(two)}
            if goes:
                stay[one] = goes
            if len(goes) < len(line):
                leave[one] = {two: row for two, row in line.items() if two not in goes}
        if stay:
            self._put(stage._replace(kind="pass"), stay)
        if leave:
            self._put(Stage("fly", stage.waypoint), leave)

    # Contact.

    def _contact(self, rows: Rows, after: Stage) -> Rows:
        """What becomes of a pair at a contact roll: calm, a site, or MiGs."""
        hits = self.places.hits
        sites: tuple[Rows, Rows] = ({}, {})
        few: Rows = {}
        out: Rows = {}
        for one, line in rows.items():
            taken = hits[one]
            mine = sites[0].setdefault(one, {})
            there: dict[int, Row] = {}
            rare: dict[int, Row] = {}
            out[one], few[one] = there, rare
            for two, row in line.items():
                had = hits[two]
                mine[had] = mine.get(had, 0) + row
                other = sites[1].setdefault(two, {})
                other[taken] = other.get(taken, 0) + row
                total = row % LANES
                if total >= RARE:
                    rare[two] = row * FLIGHT >> PARTS & KEPT
                    there[two] = row * CALM + (row << LANE & WHOLE) * SITE >> PARTS & KEPT
                elif total >= FAINT:
                    there[two] = row * CALMER + (row << LANE & WHOLE) * SITE >> PARTS & KEPT
        for survivor, marginal in enumerate(sites):
            for place, line in marginal.items():
                for taken, row in line.items():
                    self._falls(_part(row, SITE), place, taken, after, AT_SITE, survivor)
        if self.way.one_shot:
            met = [(*_shares(face), face, face) for face in FACES]
            _add(out, self._fought(few, met, after))
        else:
            _add(out, self._flights(few, after))
        return out

    # MiGs, while each shoots as often as he can: one MiG after another, whatever flight it belongs to.

    def _flights(self, rows: Rows, after: Stage) -> Rows:
        """One flight of each number that a die may show."""
        ahead, hits = self._target_ahead(after), self.places.hits
        self._kills(rows, ahead)
        # The leader's one to three MiGs; his places after each, and where one was left.
        mine: list[Rows] = [rows]
        hurt: list[Rows] = [{}]
        for _ in range(3):
            done, taken = self._one_mig(mine[-1], ahead)
            mine.append(done)
            struck: Rows = {}
            for one, line in taken:
                for two, row in line.items():
                    his = struck.setdefault(two, {})
                    his[hits[one]] = his.get(hits[one], 0) + row
            hurt.append(struck)
        # The wingman's none to three: who has more begins earlier.
        turned = [_turned(done) for done in mine]
        wing: Rows = {}
        felled: Rows = {}
        for migs in (3, 2, 1, 0):
            for face in FACES:
                first, second = _shares(face)
                if second != migs:
                    continue
                _add(wing, turned[first])
                for n in range(1, first + 1):
                    _add(felled, _keyed(hurt[n], first - n))
            if migs:
                wing, taken = self._one_mig(wing, ahead)
                for two, line in taken:
                    for one, row in line.items():
                        self._left_by(row, one, migs - 1, hits[two], after, 0)
                felled, _ = self._one_mig(felled, ahead)
        for two, line in felled.items():
            for key, row in line.items():
                over, before = divmod(key, KEY)
                self._left_by(row, two, over, before, after, 1)
        return _turned(wing)

    def _left_by(
        self, row: Row, place: int, over: int, before: int, after: Stage, survivor: int
    ) -> None:
        """A MiG hits the other one, whose further MiGs would then turn on the survivor."""
        if self.places.hits[place] + over < self.way.limit:
            self._falls(row, self.places.hurt(place, over), before, after, MIG, survivor)

    def _one_mig(self, rows: Rows, ahead: bool) -> tuple[Rows, list[tuple[int, dict[int, Row]]]]:
        """Shots at one MiG until it is destroyed or may hit; and where it hit."""
        places, limit = self.places, self.way.limit
        levels: list[Rows] = [{} for _ in range(16)]
        for place, line in rows.items():
            levels[places.shots(place)][place] = dict(line)
        done: Rows = {}
        taken: list[tuple[int, dict[int, Row]]] = []
        for level in range(15, -1, -1):
            for place, line in levels[level].items():
                shot = places.air(place, ahead=ahead)
                if shot is None:
                    taken.append((place, line))
                    if places.hits[place] + 1 < limit:
                        _add(done, {places.hurt(place, 1): line})
                    continue
                left, parts = shot
                hit = done.setdefault(left, {})
                missed = levels[level - 1].setdefault(left, {})
                for other, row in line.items():
                    part = row * parts >> PARTS & KEPT
                    hit[other] = hit.get(other, 0) + part
                    missed[other] = missed.get(other, 0) + row - part
        return done, taken

    def _kills(self, rows: Rows, ahead: bool) -> None:
        """Of the MiGs that come for a jet those that do not hit it; both are in the air all the while."""
        hits = self.places.hits
        for jet, side in enumerate((rows, _turned(rows))):
            marginal: Rows = {}
            for place, line in side.items():
                there = marginal.setdefault(place, {})
                for other, row in line.items():
                    there[hits[other]] = there.get(hits[other], 0) + row
            for n in range(1, 4):
                flights = sum(_shares(face)[jet] >= n for face in FACES)
                counts = self.kills[jet]

                def count(place: int, line: dict[int, Row], times: int) -> None:
                    for had, row in line.items():
                        pair = (had, hits[place]) if jet else (hits[place], had)  # noqa: B023
                        counts[pair] += row * times  # noqa: B023

                for place, line in marginal.items():
                    count(place, line, flights)
                marginal, taken = self._one_mig(marginal, ahead)
                for place, line in taken:
                    count(place, line, -flights)

    # MiGs, while shots are limited.

    def _fought(self, rows: Rows, met: Sequence[tuple[int, int, int, int]], after: Stage) -> Rows:
        """Flights of MiGs: for each the MiGs of both jets and the shots that each may fire."""
        ahead = self._target_ahead(after)
        places, limit = self.places, self.way.limit
        hits = places.hits
        firsts: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for mine, his, shots, still in met:
            firsts[mine, shots].append((his, still))
        # By the wingman's MiGs and shots: his place, then the leader's with the MiGs that will hit him.
        seconds: dict[tuple[int, int], dict[int, dict[tuple[int, int], Row]]] = {}
        for (migs, shots), others in firsts.items():
            for one, line in rows.items():
                for end in places.shooting(one, migs, shots, ahead=ahead):
                    parts, key = end.parts, (end.place, end.left)
                    shot = {two: row * parts >> PARTS & KEPT for two, row in line.items()}
                    if migs > end.left:
                        killed = self.kills[0]
                        for two, row in shot.items():
                            killed[hits[one], hits[two]] += row * (migs - end.left) * len(others)
                    for his, still in others:
                        further = still if not shots else (end.shots if still else 0)
                        there = seconds.setdefault((his, further), {})
                        for two, row in shot.items():
                            mine = there.get(two)
                            if mine is None:
                                there[two] = {key: row}
                            else:
                                mine[key] = mine.get(key, 0) + row
        out: Rows = {}
        for (migs, shots), there in seconds.items():
            for two, line in there.items():
                taken = hits[two]
                for end in places.shooting(two, migs, shots, ahead=ahead):
                    parts, left = end.parts, end.left
                    killed = migs - left
                    for (one, coming), row in line.items():
                        row = row * parts >> PARTS & KEPT
                        had = hits[one]
                        if killed:
                            self.kills[1][had, taken] += row * killed
                        if coming or left:
                            self._hit(row, (one, end.place), (coming, left), after)
                            if had + coming >= limit or taken + left >= limit:
                                continue
                        mine = out.setdefault(places.hurt(one, coming), {})
                        place = places.hurt(end.place, left)
                        mine[place] = mine.get(place, 0) + row
        return out

    def _hit(
        self, row: Row, places: tuple[int, int], coming: tuple[int, int], after: Stage
    ) -> None:
        """MiGs that are left hit both; those that come for a jet which is down hit the other one."""
        hits, limit = self.places.hits, self.way.limit
        for survivor in (0, 1):
            place, other = places[survivor], places[1 - survivor]
            mine, his = coming[survivor], coming[1 - survivor]
            for n in range(his):
                before, over = hits[other] + n, mine + his - n - 1
                if before < limit and hits[place] + over < limit:
                    after_all = self.places.hurt(place, over)
                    self._falls(row, after_all, before, after, MIG, survivor)

    def _target_ahead(self, after: Stage) -> bool:
        return self.last > after.waypoint or (self.last == after.waypoint and after.kind != "fly")

    # Over a target.

    def _fire(self, stage: Stage, rows: Rows) -> None:
        """The leader fires, then, if the target still stands, the wingman."""
        aim, needs = self.places.aim, self.way.targets[stage.target].needs
        standing: dict[int, Rows] = defaultdict(dict)
        for one, line in rows.items():
            aimed = self._aimed(one, stage.plan)
            if aimed is None:
                _add(standing[stage.damage], {one: line})
                continue
            parts = aimed.parts
            hit = {two: row * parts >> PARTS & KEPT for two, row in line.items()}
            missed = {two: row - hit[two] for two, row in line.items()}
            _add(standing[stage.damage], {aimed.place: missed})
            damage = min(needs, stage.damage + aimed.damage)
            _add(standing[damage], {aimed.place: hit})
        gone: list[Rows] = [standing.pop(needs, {}), {}]
        again: dict[int, Rows] = defaultdict(dict)
        for damage, there in standing.items():
            missing = again[damage]
            for one, line in there.items():
                missed = missing.setdefault(one, {})
                for two, row in line.items():
                    aimed = aim(two)
                    if aimed is None:
                        missed[two] = missed.get(two, 0) + row
                        continue
                    place, parts, more = aimed
                    part = row * parts >> PARTS & KEPT
                    missed[place] = missed.get(place, 0) + row - part
                    where = gone[1] if damage + more >= needs else again[damage + more]
                    hit = where.setdefault(one, {})
                    hit[place] = hit.get(place, 0) + part
        for shooter, there in enumerate(gone):
            self._score(stage, there, shooter)
            self._put(Stage("fly", stage.waypoint), there)
        for damage, there in again.items():
            at = Stage("at", stage.waypoint, stage.target, damage, again=True)
            self._put(at, there)

    def _aimed(self, place: int, plan: Plan) -> Aimed | None:
        if plan == NOTHING:
            return None
        if plan != "" and getattr(self.places.loads[place], plan):
            return self.places.fired(place, plan)
        return self.places.aim(place)

    def _score(self, stage: Stage, rows: Rows, shooter: int) -> None:
        """The target is destroyed."""
        hits, points = self.places.hits, self.way.targets[stage.target].points
        scorers = (0, 1) if self.way.both_score else (shooter,)
        for one, line in rows.items():
            for two, row in line.items():
                for jet in scorers:
                    self.points[jet][hits[one], hits[two]] += row * points

    # What comes of it.

    def sums(self) -> list[Sums]:
        """What each may expect."""
        alone = road(self.way)
        home = self._together(self.ends)
        found: list[Sums] = []
        for jet in (0, 1):
            rest = self._alone(jet, alone)
            found.append(
                Sums(
                    home + rest.home,
                    self._together(self.points[jet]) + rest.points,
                    self._together(self.kills[jet]) + rest.kills,
                )
            )
        alone.forget()
        return found

    def _together(self, rows: dict[tuple[int, int], Row]) -> float:
        total = 0.0
        for hits, row in rows.items():
            total += sum(map(mul, _lanes(row, COUNTS), self.missiles.both(hits)))
        return total / ONE

    def _alone(self, survivor: int, alone: Road) -> Sums:
        """What is to come once the other one is down."""
        limit = self.way.limit
        size = COUNTS * limit
        weights: dict[tuple[Stage, Load], Row] = defaultdict(int)
        for (after, place, what, taken), row in self.fallen[survivor].items():
            if row % LANES < FAINT << 2:
                continue
            by_sites = self.missiles.left(survivor, what, taken)
            weight = 0
            for lane, through in zip(_lanes(row, COUNTS), by_sites, strict=False):
                if lane >> COUNTED:
                    weight += (lane >> COUNTED) * through
            # From MiG hits in all to those that are still to come.
            hits = self.places.hits[place]
            weights[after, self.places.loads[place]] += weight >> LANE * hits & _first(limit, hits)
        unit = float(1 << POINT - COUNTED + THROUGH)
        home = points = kills = 0.0
        for (after, load), weight in weights.items():
            lanes = _lanes(weight, size)
            ahead = alone.rows.numbers(alone.row(after, load))
            home += sum(map(mul, ahead[0], lanes)) / unit
            points += sum(map(mul, ahead[1], lanes)) / unit
            kills += sum(map(mul, ahead[2], lanes)) / unit
        return Sums(home, points, kills) if weights else NO_SUMS


@cache
def _first(limit: int, hits: int) -> Row:
    """A mask of the lanes that keep their block when all move down by `hits`."""
    lane = (1 << LANE) - 1
    return sum(
        lane << LANE * (block * limit + n) for block in range(COUNTS) for n in range(limit - hits)
    )


def _shares(face: int) -> tuple[int, int]:
    return share_of(face, "leader"), share_of(face, "wingman")


def _add(rows: Rows, more: Rows) -> None:
    for place, line in more.items():
        there = rows.get(place)
        if there is None:
            rows[place] = dict(line)
        else:
            for other, row in line.items():
                there[other] = there.get(other, 0) + row


def _turned(rows: Rows) -> Rows:
    turned: Rows = {}
    for one, line in rows.items():
        for two, row in line.items():
            turned.setdefault(two, {})[one] = row
    return turned


def _keyed(rows: Rows, over: int) -> Rows:
    return {
        place: {over * KEY + before: row for before, row in line.items()}
        for place, line in rows.items()
    }


LANES = (1 << LANE) - 1
"""What is left of a row divided by this is the sum of its lanes."""


Starts = tuple[tuple[float, tuple[Spot, ...]], ...]


@lru_cache(maxsize=64)
def expected(way: Way, starts: Starts) -> tuple[Sums, ...]:
    """What each of two jets may expect that may be at one of several spots, the leader first."""
    flights: dict[tuple[Any, ...], list[tuple[float, tuple[Spot, ...]]]] = defaultdict(list)
    for chance, spots in starts:
        alike = tuple((one.damage, one.chaff, one.missiles, one.late) for one in spots)
        flights[alike].append((chance, spots))
    parts = [Flight(way, some).sums() for some in flights.values()]
    found: list[Sums] = []
    for jet in (0, 1):
        won = [(chance, spots[jet]) for chance, spots in starts]
        sums = [one[jet] for one in parts]
        found.append(
            Sums(
                sum(one.home for one in sums),
                sum(one.points for one in sums) + sum(p * spot.points for p, spot in won),
                sum(one.kills for one in sums) + sum(p * spot.kills for p, spot in won),
            )
        )
    return tuple(found)
