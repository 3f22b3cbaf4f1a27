"""Every test with a `game` argument runs for each game."""

from app.testing.fixtures import game, peopled, sittings

__all__ = ["game", "peopled", "sittings"]
