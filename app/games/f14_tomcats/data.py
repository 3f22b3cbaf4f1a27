"""Reads the files beside it that every game has. The tables of the rules are read by `tables`."""

from collections.abc import Mapping

from app.engine.folder import Folder
from app.engine.game import Scenario
from app.engine.rulebook import Rulebook
from app.games.f14_tomcats.setup import Setup

_FOLDER = Folder(__package__ or __name__)


def rulebook() -> Rulebook:
    """Every numbered paragraph and ruling. Raises ValueError when the files do not fit together."""
    return _FOLDER.rulebook()


def scenarios() -> Mapping[str, Scenario]:
    """The set-ups of `scenarios/`; the one for a single pilot, to learn on, comes first. Raises ValueError."""
    return _FOLDER.scenarios(Setup, lambda setup: len(setup.pilots))
