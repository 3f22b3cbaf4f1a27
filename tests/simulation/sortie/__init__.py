"""Sortie: a game for one seat, without a winner, with careers, and so small that all of it is done by hand.

The pilot presses on or turns back. Who presses on throws a die: on a 1 he is lost, else it is his points.
"""

import contextlib
import sys
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.engine.dice import Pool
from app.engine.game import Bot, Game, Meta, Phase, Scenario, Seat, Standing, Told
from app.engine.log import Event, Finished, Result
from app.engine.rulebook import read_rulebook
from app.engine.sequence import Decision, Effect, GameState, Option, Roll, Todo
from app.games import registry

META = Meta(
    id="sortie",
    title="Sortie",
    summary="Press on or turn back.",
    credit="Written for the tests of Contrail",
    players="1",
    minutes="1",
)

RULES = """
[sections]
all = "1. All of it"

[[paragraph]]
id = "sortie-1"
section = "all"
summary = "Press on and throw a die, or turn back."
provenance = "seed"
"""


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a pilot has so far."""

    missions: int = 0
    points: int = 0


class State(GameState, frozen=True, kw_only=True):
    """Where he is: `pressed` once that is chosen, `face` once it is thrown."""

    missions: int
    before: int
    pressed: bool | None = None
    face: int | None = None

    @property
    def lost(self) -> bool:
        """Whether the die was a 1."""
        return self.face == 1

    @property
    def points(self) -> int:
        """Of this mission."""
        return 0 if self.lost else self.face or 0


class Chosen(Event, frozen=True):
    """He presses on, or not."""

    pressed: bool


class Thrown(Event, frozen=True):
    """The die."""

    face: int


def _todo(state: State) -> Todo:
    if state.pressed is None:
        options = [Option(value=True, label="Press on"), Option(value=False, label="Turn back")]
        return Decision("press", "pilot", "Press on?", lambda: options, Chosen, "sortie-1")
    if state.pressed and state.face is None:
        return Roll("die", "pilot", "The die", Pool(1), lambda faces: Thrown(*faces), "sortie-1")
    reason = "lost" if state.lost else "back"
    return Effect(Finished(Result(reason, "Over.", scores={"pilot": state.points})), "sortie-1")


def _evolve(state: State, event: Event) -> State:
    match event:
        case Chosen(pressed=pressed):
            return msgspec.structs.replace(state, pressed=pressed)
        case Thrown(face=face):
            return msgspec.structs.replace(state, face=face)
        case _:
            return state


def measures(state: State) -> Mapping[str, Mapping[str, Any]]:
    """Whether he is lost, his points, and what half of them are."""
    return {"pilot": {"lost": state.lost, "points": state.points, "half": state.points / 2}}


def next_setup(state: State, setup: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The same pilot, with more to show; none when he is lost."""
    if state.lost:
        return None
    return {"missions": setup["missions"] + 1, "points": setup["points"] + state.points}


def standings(state: State) -> Mapping[str, Standing]:
    """He is an expert with ten points, and has a medal as soon as a mission brought him six."""
    points = state.before + state.points
    honours = {
        "rank": {"novice": points < 10, "expert": points >= 10, "legend": points >= 10_000},
        "awards": {"medal": state.face == 6},
    }
    return {"pilot": Standing({"missions": state.missions + 1, "points": points}, honours)}


BOTS = (
    Bot("brave", "Brave", "Presses on.", lambda sight: True),
    Bot("wary", "Wary", "Turns back.", lambda sight: False),
    Bot("fickle", "Fickle", "Lets its die decide.", lambda sight: sight.die(2) == 1),
    Bot("clumsy", "Clumsy", "Stumbles now and then.", lambda sight: 1 / (sight.die(20) - 1) > 0),
)


def load() -> Game[Any]:
    """The game."""
    return Game(
        meta=META,
        rules=1,
        rulebook=read_rulebook(RULES, "ruling = []"),
        scenarios={"first": Scenario("first", "First", "The first.", {"missions": 0, "points": 0})},
        setup=Setup,
        state=State,
        events=(Chosen, Thrown),
        seats=lambda setup: (Seat("pilot", "Pilot"),),
        start=lambda setup, rulings: State(missions=setup.missions, before=setup.points),
        phases=(Phase("all", "All", _todo, "sortie-1"),),
        evolve=_evolve,
        tell=lambda event, names: Told(str(event)),
        units=lambda state, viewer: [],
        names=lambda setup: {"pilot": "Pilot"},
        board=lambda setup: None,
        endings={"back": "He is back.", "lost": "He is lost."},
        bots=BOTS,
        rivals=False,
        measures=measures,
        next_setup=next_setup,
        standings=standings,
    )


def write_entry_point(folder: Path) -> Path:
    """A folder that makes Sortie an installed game for whoever has it on the path."""
    about = folder / "sortie-1.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: sortie\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{registry.GROUP}]\nsortie = {__name__}\n")
    return folder


@contextlib.contextmanager
def installed(folder: Path) -> Generator[None]:
    """Sortie is among the games, here and in the processes that are started from here."""
    found = {**registry._plugins(), META.id: sys.modules[__name__]}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(write_entry_point(folder)))
        patch.setattr(registry, "_plugins", lambda: found)
        yield
