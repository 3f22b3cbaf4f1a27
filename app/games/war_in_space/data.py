"""Reads the files beside it: scenarios and the rulebook.

Belongs here: reading. Does not belong here: what the data means.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

import msgspec

from app.engine.game import Scenario
from app.engine.rulebook import Rulebook, read_rulebook
from app.games.war_in_space.setup import Setup

_HERE = files(__package__ or __name__)


def rulebook() -> Rulebook:
    """Every numbered paragraph and ruling. Raises ValueError when the files do not fit together."""
    return read_rulebook(_text("rulebook.toml"), _text("rulings.toml"))


def scenarios() -> Mapping[str, Scenario]:
    """Each file of `scenarios/` by its name; a file is a set-up. The smallest, to learn on, comes first.

    Raises ValueError.
    """
    setups = {
        file.name.removesuffix(".toml"): msgspec.convert(
            tomllib.loads(file.read_text("utf-8")), Setup
        )
        for file in _HERE.joinpath("scenarios").iterdir()
        if file.name.endswith(".toml")
    }
    found: dict[str, Scenario] = {}
    for key in sorted(setups, key=lambda key: (len(setups[key].ships), key)):
        setup = setups[key]
        found[key] = Scenario(key, setup.title, setup.summary, msgspec.to_builtins(setup))
    return found


def _text(name: str) -> str:
    return _HERE.joinpath(name).read_text("utf-8")
