"""Fixtures: a game whose bots do what tests need."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.engine.game import Game
from app.games import registry
from tests.simulation import sortie, spar

ROOT = Path(__file__).parents[2]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game[Any]]:
    """Spar, found as a plug-in."""
    with spar.installed(tmp_path / "site"):
        yield registry.load("spar")


@pytest.fixture
def solo(tmp_path: Path) -> Iterator[Game[Any]]:
    """Sortie, found as a plug-in."""
    with sortie.installed(tmp_path / "site"):
        yield registry.load("sortie")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """For a command that is to find Spar and Sortie. A narrow terminal, no colours."""
    site = spar.write_entry_point(tmp_path / "site")
    sortie.write_entry_point(site)
    return {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "COLUMNS": "100"}
