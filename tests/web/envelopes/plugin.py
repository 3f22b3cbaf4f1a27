"""The whole game: nouns, facts, phases and what is shown."""

import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from app.engine.dice import Pool
from app.engine.errors import Illegal
from app.engine.game import (
    Aid,
    Cell,
    DieShown,
    Exact,
    Game,
    Overlay,
    Phase,
    Scenario,
    Seat,
    Told,
    UnitView,
)
from app.engine.hexes import Board
from app.engine.log import Event, Finished, PhaseBegan, Result
from app.engine.rulebook import read_rulebook
from app.engine.secret import Secret, Viewer
from app.engine.sequence import Decision, Effect, GameState, Option, Roll, Todo
from tests.web.envelopes import META

SEATS = ("red", "blue")
LABELS = {"red": "Red", "blue": "Blue"}

PONDERING, PONDERED = threading.Semaphore(0), threading.Semaphore(0)
"""Tell a test that the aid "ponder" has begun, and the aid that it may end."""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long it goes on."""

    turns: int = 2


class State(GameState, frozen=True, kw_only=True):
    """The envelopes of each seat, oldest first; what was done in the open this turn."""

    turns: int
    envelopes: Mapping[str, tuple[Secret[str], ...]]
    spoken: tuple[str, ...] = ()
    rolled: int | None = None
    opened: bool = False


class Sealed(Event, frozen=True):
    """A seat has sealed a word."""

    seat: str
    word: Secret[str]


class Spoke(Event, frozen=True):
    """A seat has decided in the open."""

    seat: str
    how: str


class Fell(Event, frozen=True):
    """The die has fallen."""

    face: int


class AllOpened(Event, frozen=True):
    """Every envelope lies open."""

    words: Mapping[str, tuple[str, ...]]

    @classmethod
    def reveals(cls) -> bool:
        return True


def start(setup: Setup, rulings: Mapping[str, str]) -> State:
    """Nothing sealed yet. Raises Illegal."""
    if not 1 <= setup.turns <= 9:
        raise Illegal("A game has 1 to 9 turns.")
    return State(turns=setup.turns, envelopes=dict.fromkeys(SEATS, ()))


def seal(s: State) -> Todo:
    """Both at once, in secret, any word."""
    return tuple(
        Decision(
            id=f"seal-{s.turn}-{seat}",
            seat=seat,
            title="Seal a word",
            options=lambda: [Option("word", "A word")],
            happen=lambda word, seat=seat: Sealed(seat, Secret(word, (seat,))),
            cite="env-1",
            sealed=True,
            schema={"type": "string", "minLength": 1, "maxLength": 200},
            read=_word,
        )
        for seat in SEATS
        if len(s.envelopes[seat]) < s.turn
    )


def _word(choice: Any) -> str:
    if not isinstance(choice, str) or not 1 <= len(choice) <= 200:
        raise Illegal("A word has 1 to 200 characters.", "env-1")
    return choice


def speak(s: State) -> Todo:
    """In the open, one after the other; the options name what the seat itself has sealed."""
    for seat in SEATS:
        if seat not in s.spoken:
            sealed = s.envelopes[seat][-1].value
            return Decision(
                id=f"speak-{s.turn}-{seat}",
                seat=seat,
                title="Speak",
                options=lambda sealed=sealed: [
                    Option("yes", "Yes", detail=f"you sealed {sealed}"),
                    Option("no", "No"),
                ],
                happen=partial(Spoke, seat),
                cite="env-2",
            )
    if s.rolled is None:
        return Roll(
            id=f"die-{s.turn}",
            seat="red",
            title="The die",
            pool=Pool(1),
            happen=lambda faces: Fell(faces[0]),
            cite="env-3",
        )
    return None


def finish(s: State) -> Todo:
    """After the last turn all is opened."""
    if s.turn < s.turns:
        return None
    if not s.opened:
        words = {seat: tuple(_open(one) for one in s.envelopes[seat]) for seat in SEATS}
        return Effect(AllOpened(words), "env-4", "The envelopes are opened")
    return Effect(Finished(Result("opened", "All is opened.")), "env-4", "The end")


def _open(secret: Secret[str]) -> str:
    return secret.value or ""


def evolve(s: State, event: Event) -> State:
    """The state after a fact."""
    match event:
        case PhaseBegan(phase="seal"):
            return replace(s, spoken=(), rolled=None)
        case Sealed(seat, word):
            return replace(s, envelopes={**s.envelopes, seat: (*s.envelopes[seat], word)})
        case Spoke(seat):
            return replace(s, spoken=(*s.spoken, seat))
        case Fell(face):
            return replace(s, rolled=face)
        case AllOpened():
            return replace(s, opened=True)
        case _:
            return s


def tell(event: Event, names: Mapping[str, str]) -> Told:
    """The log line of a fact."""
    match event:
        case Sealed(seat, word):
            known = "" if word.value is None else f": {word.value}"
            return Told(f"{names[seat]} has sealed a word{known}.")
        case Spoke(seat, how):
            return Told(f"{names[seat]} says {how}.")
        case Fell(face):
            return Told("The die falls.", dice=(DieShown(face),))
        case AllOpened(words):
            said = "; ".join(f"{names[seat]}: {', '.join(all_)}" for seat, all_ in words.items())
            return Told(f"The envelopes held {said}.")
        case _:
            raise AssertionError(f"no log line for {type(event).__name__}")


def units(s: State, viewer: Viewer) -> tuple[UnitView, ...]:
    """Envelopes are no units."""
    return (UnitView(id="desk", seat="red", kind="desk", name="Desk", hex=None, facing=0),)


def facts(s: State) -> list[tuple[str, str]]:
    """What is in the envelopes, for those who know."""
    return [
        (f"{LABELS[seat]}'s envelopes", ", ".join(one.value or "closed" for one in all_))
        for seat, all_ in s.envelopes.items()
    ]


def _light(s: State, unit: str, exact: Exact) -> Overlay:
    known = [one.value or "closed" for all_ in s.envelopes.values() for one in all_]
    return Overlay("Against the light", (Cell("0101", 0.5, ""),), ", ".join(known))


def _ponder(s: State, unit: str, exact: Exact) -> Overlay:
    """A calculation that lasts until somebody says that it may end."""
    n = 0
    PONDERING.release()
    begun = time.monotonic()
    while not PONDERED.acquire(blocking=False) and time.monotonic() < begun + 10:
        n += sum(number % 7 for number in range(10_000))
    return Overlay("Pondered", (), str(n))


BOOK = """
[sections]
all = "All of it"

[[paragraph]]
id = "env-1"
section = "all"
summary = "Both seal a word in secret and at once."
provenance = "seed"

[[paragraph]]
id = "env-2"
section = "all"
summary = "Then each says yes or no."
provenance = "seed"

[[paragraph]]
id = "env-3"
section = "all"
summary = "Then a die falls."
provenance = "seed"

[[paragraph]]
id = "env-4"
section = "all"
summary = "After the last turn all envelopes are opened."
provenance = "seed"
"""


def _seats(setup: Setup) -> tuple[Seat, ...]:
    return (Seat("red", "Red", "first"), Seat("blue", "Blue", "second"))


def _names(setup: Setup) -> Mapping[str, str]:
    return {**LABELS, "desk": "Desk"}


def _board(setup: Setup) -> Board | None:
    return None


GAME: Game[State] = Game(
    meta=META,
    rules=1,
    rulebook=read_rulebook(BOOK, "ruling = []"),
    scenarios={"two": Scenario("two", "Two turns", "Short.", {"turns": 2})},
    setup=Setup,
    state=State,
    events=(Sealed, Spoke, Fell, AllOpened),
    seats=_seats,
    start=start,
    phases=(
        Phase("seal", "Seal", seal, "env-1"),
        Phase("speak", "Speak", speak, "env-2"),
        Phase("finish", "Finish", finish, "env-4"),
    ),
    evolve=evolve,
    tell=tell,
    units=units,
    names=_names,
    board=_board,
    endings={"opened": "All envelopes are open."},
    aids=(Aid("light", "Light", _light), Aid("ponder", "Ponder", _ponder)),
    facts=facts,
)
