"""Lets pytest know of `--game`. An entry point makes this a plug-in of pytest wherever the server is installed.

Nothing heavy is imported here, as every run of pytest beside the server loads it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

SetUps = Iterator[tuple[Mapping[str, Any], Mapping[str, str]]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--game`, as often as there are games to test."""
    parser.getgroup("contrail").addoption(
        "--game",
        action="append",
        default=[],
        metavar="ID",
        help="test only this game: its id, or its package where it is not installed",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is collected: which games."""
    config.addinivalue_line("markers", "slow: more than a few seconds")
    named: list[str] | None = config.getoption("--game")
    if named:
        from app.engine.errors import Missing
        from app.testing import games

        try:
            games.only(*named)
        except Missing as missing:
            raise pytest.UsageError(missing.detail) from None


@pytest.fixture
def more_set_ups() -> Callable[[Any], SetUps]:
    """Set-ups for endings that chance hardly brings about in the scenarios: each is played ten times.

    A game's own tests may override it in their conftest.py: a function that yields set-up data and rulings.
    """
    return lambda game: iter(())
