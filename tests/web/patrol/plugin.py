"""The whole game: nouns, facts, phases and what is shown."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from app.engine.chance import Chance, Odds
from app.engine.dice import Pool
from app.engine.errors import Illegal
from app.engine.game import (
    Game,
    Phase,
    PhaseStep,
    Place,
    Queue,
    Scenario,
    Seat,
    Told,
    UnitView,
)
from app.engine.hexes import Board, Hex, parse_label
from app.engine.log import Event, Finished, PhaseBegan, Result
from app.engine.rulebook import read_rulebook
from app.engine.secret import Viewer
from app.engine.sequence import (
    Blocked,
    Decision,
    Draft,
    Effect,
    GameState,
    Option,
    Roll,
    Term,
    Todo,
)
from tests.web.patrol import META

SEATS = ("red", "blue")
LABELS = {"red": "Red", "blue": "Blue"}
POINTS = 4
TURNS = {"TL": -1, "TR": 1}
CLIMBS = {"C": 1, "D": -1}
BOARD = Board(12, 10)


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long it goes on."""

    turns: int = 2


class Plane(msgspec.Struct, frozen=True):
    """An aircraft. `at` is a hex or a hexside."""

    id: str
    seat: str
    name: str
    at: str
    facing: int
    altitude: int
    trail: tuple[str, ...] = ()


class State(GameState, frozen=True, kw_only=True):
    """The planes in the order in which they move, and what was done this turn."""

    turns: int
    planes: tuple[Plane, ...]
    moved: tuple[str, ...] = ()
    sweep: str | None = None
    found: bool | None = None


class Swept(Event, frozen=True):
    """Red has turned its radar."""

    sector: str


class Searched(Event, frozen=True):
    """What the radar found."""

    total: int
    found: bool


class Moved(Event, frozen=True):
    """A plane has moved."""

    plane: str
    line: str
    path: tuple[str, ...]
    facing: int
    altitude: int


PLANES = (
    Plane("r1", "red", "Anvil 1", "0307", 1, 12),
    Plane("r2", "red", "Anvil 2", "0207/0307", 1, 12),
    Plane("r3", "red", "Badger 1", "0409", 3, 8),
    Plane("b1", "blue", "Falcon 1", "0903", 8, 14),
    Plane("b2", "blue", "Falcon 2", "1004", 7, 14),
    Plane("b3", "blue", "Gannet 1", "1006", 9, 6),
)


def start(setup: Setup, rulings: Mapping[str, str]) -> State:
    """All in place. Raises Illegal."""
    if not 1 <= setup.turns <= 9:
        raise Illegal("A game has 1 to 9 turns.")
    return State(turns=setup.turns, planes=PLANES)


def ahead(at: str, facing: int) -> str | None:
    """Where an advance leads: along the odd facings from a hex to a side and on to a hex. None off the map."""
    one, _, other = at.partition("/")
    left, right = facing // 2, (facing + 1) // 2 % 6
    here = parse_label(one)
    if other:
        beyond = {here.ahead(way) for way in range(6)} & {
            parse_label(other).ahead(way) for way in range(6)
        }
        to = max(beyond, key=partial(_along, facing))
        return to.label if to in BOARD else None
    if not facing % 2:
        to = here.ahead(left)
        return to.label if to in BOARD else None
    sides = sorted((here.ahead(left), here.ahead(right)), key=lambda place: place.label)
    if any(place not in BOARD for place in sides):
        return None
    return "/".join(place.label for place in sides)


def _along(facing: int, place: Hex) -> float:
    """How far a hex lies along an odd facing."""
    one, two = Hex(0, 0).ahead(facing // 2), Hex(0, 0).ahead((facing + 1) // 2)
    q, r = one.q + two.q, one.r + two.r
    return 2 * (place.q * q + place.r * r) + place.q * r + place.r * q


def orders(s: State) -> Todo:
    """P-1: red turns its radar."""
    if s.sweep is not None:
        return None
    return Decision(
        id=f"sweep-{s.turn}",
        seat="red",
        title="Turn the radar",
        options=lambda: [
            Option(
                f"{sector}-{level}",
                f"{sector}, {level}",
                detail="the band that it looks into",
                group=sector,
                terms=_terms(sector, level),
                blocked=Blocked("The nose is in the way.", "P-1")
                if (sector, level) == ("Astern", "high")
                else None,
            )
            for sector in ("Ahead", "Abeam", "Astern")
            for level in ("low", "high")
        ],
        happen=Swept,
        cite="P-1",
        unit="r1",
        why="before anything moves",
        initial="Ahead-low",
    )


def _terms(sector: str, level: str) -> tuple[Term, ...]:
    return (
        Term("Searching aircraft's radar", "6"),
        Term("Target abeam", "−1", sector == "Abeam"),
        Term("Target astern of the searching aircraft", "−3", sector == "Astern"),
        Term("Clutter: target below", "−2", level == "low"),
        *((Term("Look-down set", "+1", sector == "Ahead"),) if level == "low" else ()),
    )


def detection(s: State) -> Todo:
    """P-2: a roll with terms."""
    if s.found is not None or s.sweep is None:
        return None
    terms = _terms(*s.sweep.split("-"))
    need = sum(int(one.amount.replace("−", "-")) for one in terms if one.lit)

    def found(faces: tuple[int, ...]) -> bool:
        return faces[0] <= need

    return Roll(
        id=f"search-{s.turn}",
        seat="red",
        title="Search",
        pool=Pool(1, 10),
        happen=lambda faces: Searched(faces[0], found(faces)),
        cite="P-2",
        unit="r1",
        step="radar",
        odds=Odds("Found", Chance(Pool(1, 10), found, ("patrol", "search", need)), yes=True),
        terms=terms,
    )


def movement(s: State) -> Todo:
    """P-3: one after the other, each by a line."""
    for number, plane in enumerate(s.planes):
        if plane.id not in s.moved:
            read = partial(read_move, plane)
            return Decision(
                id=f"move-{s.turn}-{plane.id}",
                seat=plane.seat,
                title="Move",
                options=partial(_whole_moves, plane),
                happen=partial(_moved, plane),
                cite="P-3",
                unit=plane.id,
                why=f"number {number + 1} in the order",
                step=f"move-{2 * number + 1}",
                action="Fly this move",
                draft=read,
            )
    return None


def _whole_moves(plane: Plane) -> list[Option]:
    whole = {"Straight on": "H,H,H,H", "Right and on": "HTR,H,H,H"}
    return [
        Option(line, label, detail=line, blocked=read_move(plane, line).fault)
        for label, line in whole.items()
    ]


def read_move(plane: Plane, text: str) -> Draft:
    """P-3: four points, each an H; a turn or a climb may follow an H in the same token: HTR, HC."""
    done: list[str] = []
    at, facing, altitude, path, told = plane.at, plane.facing, plane.altitude, [], []
    fault = None
    for token in (one for one in text.upper().replace(" ", "").rstrip(",").split(",") if one):
        fault = _no_move(at, facing, altitude, done, token)
        if fault is not None:
            break
        done.append(token)
        at = ahead(at, facing) or at
        facing = (facing + TURNS.get(token[1:], 0)) % 12
        altitude += CLIMBS.get(token[1:], 0)
        path.append(at)
        told.append(f"to {at}" + (f", facing {facing}" if token[1:] in TURNS else ""))
    tokens = [f"H{more}" for more in ("", *TURNS, *CLIMBS)] if len(done) < POINTS else []
    to = ahead(at, facing)
    return Draft(
        text=",".join(done),
        next=tuple(
            Option(
                ",".join([*done, token]),
                token,
                detail=WORDS[token[1:]],
                cost="−0.5 speed" if token[1:] in TURNS else "",
                blocked=_no_move(at, facing, altitude, done, token),
                group="Advance"
                if token == "H"
                else "Turn"
                if token[1:] in TURNS
                else "Climb, dive",
                place=to,
                facing=(facing + TURNS.get(token[1:], 0)) % 12,
            )
            for token in tokens
        ),
        whole=len(done) == POINTS or to is None,
        fault=fault,
        path=tuple(path),
        facing=facing,
        figures=(
            ("Points left", str(POINTS - len(done))),
            ("Altitude", str(altitude)),
            ("Speed next turn", f"{5 - sum(t[1:] in TURNS for t in done) / 2:g}"),
        ),
        told=tuple(told),
    )


WORDS = {
    "": "one ahead",
    "TL": "then 30° left",
    "TR": "then 30° right",
    "C": "climb 1",
    "D": "dive 1",
}


def _no_move(at: str, facing: int, altitude: int, done: list[str], token: str) -> Blocked | None:
    if token[:1] != "H" or token[1:] not in WORDS:
        return Blocked(f"{token} is no token.", "P-3")
    if len(done) >= POINTS:
        return Blocked(f"There are only {POINTS} points.", "P-3")
    to = ahead(at, facing)
    if to is None:
        return Blocked("The map ends there.", "P-3")
    if token[1:] in TURNS and "/" in to:
        return Blocked("No turn on a hexside.", "P-3")
    if token[1:] == "D" and altitude <= 1:
        return Blocked("Too low to dive.", "P-3")
    return None


def _moved(plane: Plane, line: str) -> Event:
    read = read_move(plane, line)
    altitude = int(dict(read.figures)["Altitude"])
    return Moved(plane.id, line, read.path, read.facing or 0, altitude)


def finish(s: State) -> Todo:
    """P-4."""
    if s.turn < s.turns:
        return None
    return Effect(Finished(Result("over", "The patrol is over.")), "P-4", "The end")


def quiet(s: State) -> Todo:
    """A phase in which nothing ever happens."""
    return None


def evolve(s: State, event: Event) -> State:
    """The state after a fact."""
    match event:
        case PhaseBegan(phase="weather"):
            return replace(s, moved=(), sweep=None, found=None)
        case Swept(sector):
            return replace(s, sweep=sector)
        case Searched(_, found):
            return replace(s, found=found)
        case Moved(plane, _, path, facing, altitude):
            planes = tuple(
                replace(
                    one,
                    at=path[-1] if path else one.at,
                    facing=facing,
                    altitude=altitude,
                    trail=(one.at, *path),
                )
                if one.id == plane
                else one
                for one in s.planes
            )
            return replace(s, planes=planes, moved=(*s.moved, plane))
        case _:
            return s


def tell(event: Event, names: Mapping[str, str]) -> Told:
    """The log line of a fact."""
    match event:
        case Swept(sector):
            return Told(f"Red looks {sector.replace('-', ', ').lower()}.")
        case Searched(_, found):
            return Told("The radar finds something." if found else "The radar finds nothing.")
        case Moved(plane, line, path):
            return Told(f"{names[plane]} flies {line or 'nowhere'}.", places=path)
        case _:
            raise AssertionError(f"no log line for {type(event).__name__}")


def units(s: State, viewer: Viewer) -> tuple[UnitView, ...]:
    """Every plane."""
    return tuple(
        UnitView(
            id=one.id,
            seat=one.seat,
            kind="aircraft",
            name=one.name,
            hex=one.at,
            facing=one.facing,
            altitude=one.altitude,
            speed=5,
            fields={"Fuel": "62", "Gun": "4 bursts", "Missiles": "2 heat, 2 radar"},
            trail=one.trail,
        )
        for one in s.planes
    )


def queue(s: State, viewer: Viewer) -> Queue | None:
    """The order of movement, in its phase."""
    if s.phase != "movement":
        return None
    following = next((one.id for one in s.planes if one.id not in s.moved), None)
    places = [
        Place(
            unit=one.id,
            why=f"altitude {one.altitude}",
            group="Disadvantaged" if one.seat == "red" else "Advantaged",
            done=one.id in s.moved,
            now=one.id == following,
        )
        for one in s.planes
    ]
    return Queue(
        "Order of movement", "P-3", (*places, Place(unit="unsighted aircraft", why="last"))
    )


BOOK = "[sections]\nall = 'All of it'\n" + "".join(
    f"[[paragraph]]\nid = '{id_}'\nsection = 'all'\nsummary = '{summary}'\nprovenance = 'seed'\n"
    for id_, summary in {
        "P-1": "Red turns its radar.",
        "P-2": "Red searches with it.",
        "P-3": "All move in order, four points each.",
        "P-4": "After the last turn it is over.",
    }.items()
)

PHASES = (
    Phase("weather", "Weather", quiet, "P-1"),
    Phase("orders", "Orders and radar", orders, "P-1"),
    Phase(
        "detection",
        "Detection",
        detection,
        "P-2",
        (PhaseStep("eyes", "Visual sighting"), PhaseStep("radar", "Radar search")),
    ),
    Phase("locks", "Lock-ons", quiet, "P-2"),
    Phase("missiles", "Missile flight", quiet, "P-2"),
    Phase("initiative", "Initiative", quiet, "P-3"),
    Phase(
        "movement",
        "Movement",
        movement,
        "P-3",
        tuple(PhaseStep(f"move-{n}", f"Aircraft {n} of 13 moves") for n in range(1, 14)),
    ),
    Phase("guns", "Gun attacks", quiet, "P-3"),
    Phase("launch", "Missile launch", quiet, "P-3"),
    Phase("damage", "Damage", quiet, "P-3"),
    Phase("recovery", "Recovery", quiet, "P-3"),
    Phase("end", "End of the turn", finish, "P-4"),
)


def _seats(setup: Setup) -> tuple[Seat, ...]:
    return (Seat("red", "Red", "first"), Seat("blue", "Blue", "second"))


def _names(setup: Setup) -> Mapping[str, str]:
    return {**LABELS, **{one.id: one.name for one in PLANES}}


def _board(setup: Setup) -> Board | None:
    return BOARD


def _facts(s: State) -> list[tuple[str, Any]]:
    return [("Sun", "in the south")]


GAME: Game[State] = Game(
    meta=META,
    rules=1,
    rulebook=read_rulebook(BOOK, "ruling = []"),
    scenarios={"two": Scenario("two", "Two turns", "Short.", {"turns": 2})},
    setup=Setup,
    state=State,
    events=(Swept, Searched, Moved),
    seats=_seats,
    start=start,
    phases=PHASES,
    evolve=evolve,
    tell=tell,
    units=units,
    names=_names,
    board=_board,
    endings={"over": "The last turn is over."},
    facings=12,
    facts=_facts,
    queue=queue,
)
