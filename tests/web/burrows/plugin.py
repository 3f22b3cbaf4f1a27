"""The whole game: nouns, facts, phases and what is shown."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from app.engine.dice import Pool
from app.engine.errors import Illegal
from app.engine.game import (
    AskedOf,
    Bot,
    DieShown,
    Game,
    Phase,
    Scenario,
    Seat,
    Sight,
    Told,
    UnitView,
)
from app.engine.hexes import Board
from app.engine.log import Event, Finished, PhaseBegan, Result
from app.engine.rulebook import read_rulebook
from app.engine.secret import Viewer
from app.engine.sequence import Decision, Effect, GameState, Option, Roll, Todo
from tests.web.burrows import META

LABELS = {"red": "Red", "blue": "Blue"}


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many moles dig, and how long; whether both also make a wish under seal when they look."""

    moles: int = 2
    turns: int = 2
    wishes: bool = False


class State(GameState, frozen=True, kw_only=True):
    """`dug` are the choices of this turn's moles, `settled` those that have come to their end."""

    moles: int
    turns: int
    wishes: bool = False
    wished: tuple[str, ...] = ()
    dug: tuple[str, ...] = ()
    settled: int = 0
    rolled: bool = False
    open: tuple[str, ...] = ()
    fallen: bool = False


class Dug(Event, frozen=True):
    """A mole has a direction."""

    mole: int
    way: str


class Scraped(Event, frozen=True):
    """How far it came."""

    mole: int
    face: int


class Rested(Event, frozen=True):
    """It rests."""

    mole: int


class Looked(Event, frozen=True):
    """A seat has done something in the open."""

    seat: str
    how: str


class Wished(Event, frozen=True):
    """A seat's wish is open."""

    seat: str
    wish: str


class Fell(Event, frozen=True):
    """The die has fallen."""

    face: int


UNSEEN = (Dug, Scraped, Rested)


def start(setup: Setup, rulings: Mapping[str, str]) -> State:
    """Nothing is dug. Raises Illegal."""
    if not 0 <= setup.moles <= 9 or not 1 <= setup.turns <= 9:
        raise Illegal("There are 0 to 9 moles and 1 to 9 turns.")
    return State(moles=setup.moles, turns=setup.turns, wishes=setup.wishes)


def dig(s: State) -> Todo:
    """Mole by mole."""
    if len(s.dug) > s.settled:
        mole = s.settled
        if s.rolled:
            return Effect(Rested(mole), "bur-1", f"Mole {mole} rests", "red")
        return Roll(
            id=f"scrape-{mole}",
            seat="red",
            title="How far",
            pool=Pool(2),
            happen=lambda faces: Scraped(mole, faces[0]),
            cite="bur-1",
        )
    if len(s.dug) < s.moles:
        mole = len(s.dug)
        return Decision(
            id=f"dig-{mole}",
            seat="red",
            title=f"Where does mole {mole} dig?",
            options=lambda: [Option("left", "Left"), Option("right", "Right")],
            happen=partial(Dug, mole),
            cite="bur-1",
        )
    return None


def look(s: State) -> Todo:
    """Blue looks and Red waves, each in his own time; then a die falls."""
    open_ = tuple(
        Decision(
            id=f"look-{seat}",
            seat=seat,
            title="Look up",
            options=lambda: [Option("yes", "Yes"), Option("no", "No")],
            happen=partial(Looked, seat),
            cite="bur-2",
        )
        for seat in ("blue", "red")
        if seat not in s.open
    )
    wishes = tuple(
        Decision(
            id=f"wish-{seat}",
            seat=seat,
            title="Make a wish",
            options=lambda: [Option("sun", "Sun"), Option("rain", "Rain")],
            happen=partial(Wished, seat),
            cite="bur-1",
            sealed=True,
        )
        for seat in ("blue", "red")
        if s.wishes and seat not in s.wished
    )
    if open_ or wishes:
        return (*open_, *wishes)
    if not s.fallen:
        return Roll(
            id="fall",
            seat="blue",
            title="The die",
            pool=Pool(1),
            happen=lambda faces: Fell(faces[0]),
            cite="bur-2",
        )
    if s.turn == s.turns:
        return Effect(Finished(Result("over", "All have come up.")), "bur-2", "The end")
    return None


def evolve(s: State, event: Event) -> State:
    """The state after a fact."""
    match event:
        case PhaseBegan(phase="dig"):
            return replace(s, dug=(), settled=0, rolled=False, open=(), wished=(), fallen=False)
        case Dug(way=way):
            return replace(s, dug=(*s.dug, way), rolled=False)
        case Scraped():
            return replace(s, rolled=True)
        case Rested():
            return replace(s, settled=s.settled + 1, rolled=False)
        case Looked(seat=seat):
            return replace(s, open=(*s.open, seat))
        case Wished(seat=seat):
            return replace(s, wished=(*s.wished, seat))
        case Fell():
            return replace(s, fallen=True)
        case _:
            return s


def tell(event: Event, names: Mapping[str, str]) -> Told:
    """The log line of a fact."""
    match event:
        case Dug(mole, way):
            return Told(f"Mole {mole} digs to the {way}.")
        case Scraped(mole, face):
            return Told(f"Mole {mole} scrapes.", dice=(DieShown(face),))
        case Rested(mole):
            return Told(f"Mole {mole} rests.")
        case Looked(seat, how):
            return Told(f"{names[seat]} says {how}.")
        case Wished(seat, wish):
            return Told(f"{names[seat]} wishes for {wish}.")
        case Fell(face):
            return Told("The die falls.", dice=(DieShown(face),))
        case _:
            raise AssertionError(f"no log line for {type(event).__name__}")


def view(s: State, viewer: Viewer) -> State:
    """Moles are Red's."""
    if "red" in viewer:
        return s
    return replace(s, moles=0, dug=(), settled=0, rolled=False)


def tells(before: State, after: State, event: Event, viewer: Viewer) -> Event | None:
    """What moles do is told to Red."""
    return None if isinstance(event, UNSEEN) and "red" not in viewer else event


def asks(s: State, step: Decision | Roll | Effect, viewer: Viewer) -> AskedOf:
    """Nor does anybody else learn that a mole is to dig."""
    return "nothing" if s.phase == "dig" and "red" not in viewer else "all"


def _first_of(sight: Sight) -> Any:
    return sight.decision.all_options[0].value


def units(s: State, viewer: Viewer) -> tuple[UnitView, ...]:
    """No units, but a page shows one."""
    return (UnitView(id="hill", seat="red", kind="hill", name="Hill", hex=None, facing=0),)


BOOK = """
[sections]
all = "All of it"

[[paragraph]]
id = "bur-1"
section = "all"
summary = "Each mole digs."
provenance = "seed"

[[paragraph]]
id = "bur-2"
section = "all"
summary = "Then both look up."
provenance = "seed"
"""


def _seats(setup: Setup) -> tuple[Seat, ...]:
    return (Seat("red", "Red", "first"), Seat("blue", "Blue", "second"))


def _names(setup: Setup) -> Mapping[str, str]:
    return {**LABELS, "hill": "Hill"}


def _board(setup: Setup) -> Board | None:
    return None


GAME: Game[State] = Game(
    meta=META,
    rules=1,
    rulebook=read_rulebook(BOOK, "ruling = []"),
    scenarios={"two": Scenario("two", "Two moles", "Short.", {"moles": 2})},
    setup=Setup,
    state=State,
    events=(*UNSEEN, Looked, Wished, Fell),
    seats=_seats,
    start=start,
    phases=(Phase("dig", "Dig", dig, "bur-1"), Phase("look", "Look", look, "bur-2")),
    evolve=evolve,
    tell=tell,
    units=units,
    names=_names,
    board=_board,
    endings={"over": "All have come up."},
    view=view,
    tells=tells,
    asks=asks,
    bots=(Bot("digger", "Digger", "Takes what comes first.", _first_of),),
)
