"""A game's folder: the data files that every game has, read the same way.

Belongs here: reading. Does not belong here: what the data means.
"""

import tomllib
from collections.abc import Callable, Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from app.engine.game import Scenario
from app.engine.rulebook import Rulebook, read_rulebook

SUFFIX = ".toml"


class Folder:
    """The folder of a game's package, by the package's name ("app.games.osaaf")."""

    def __init__(self, package: str) -> None:
        self._root: Traversable = files(package)

    def text(self, name: str) -> str:
        """A file's text."""
        return self._root.joinpath(name).read_text("utf-8")

    def rulebook(self) -> Rulebook:
        """Every numbered paragraph and ruling. Raises ValueError when the two files do not fit together."""
        return read_rulebook(self.text("rulebook.toml"), self.text("rulings.toml"))

    def scenarios(self, setup: type[Any], size: Callable[[Any], int]) -> dict[str, Scenario]:
        """Each file of `scenarios/` by its name; a file is a set-up with a title and a summary.

        `size` measures a set-up: the smallest comes first, to learn on. Raises ValueError.
        """
        setups = {key: msgspec.convert(tomllib.loads(text), setup) for key, text in self._files()}
        return {
            key: Scenario(key, made.title, made.summary, msgspec.to_builtins(made))
            for key, made in sorted(setups.items(), key=lambda item: (size(item[1]), item[0]))
        }

    def _files(self) -> Iterable[tuple[str, str]]:
        for file in self._root.joinpath("scenarios").iterdir():
            if file.name.endswith(SUFFIX):
                yield file.name.removesuffix(SUFFIX), file.read_text("utf-8")
