"""Reads the scenarios and the rulebook beside it. The tables of the rules are read by `tables`.

Belongs here: reading. Does not belong here: what the data means.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

import msgspec

from app.engine.game import Scenario
from app.engine.rulebook import Rulebook, read_rulebook
from app.games.f14_tomcats.setup import Setup

_HERE = files(__package__ or __name__)

SCENARIOS = ("solo", "pair")
"""The scenario to learn on comes first."""


def rulebook() -> Rulebook:
    """Every numbered paragraph and ruling. Raises ValueError when the files do not fit together."""
    return read_rulebook(_text("rulebook.toml"), _text("rulings.toml"))


def scenarios() -> Mapping[str, Scenario]:
    """The set-ups of `scenarios/`. Raises ValueError."""
    return {key: _scenario(key) for key in SCENARIOS}


def _scenario(key: str) -> Scenario:
    setup = msgspec.convert(tomllib.loads(_text(f"scenarios/{key}.toml")), Setup)
    return Scenario(key, setup.title, setup.summary, msgspec.to_builtins(setup))


def _text(name: str) -> str:
    return _HERE.joinpath(name).read_text("utf-8")
