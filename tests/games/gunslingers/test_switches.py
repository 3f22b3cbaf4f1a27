"""Rulings that change a rule by themselves: each is shown with both of its answers."""

import pytest

from app.games.gunslingers.order.advantage import advantage
from tests.games.gunslingers.table import craft, position


@pytest.mark.parametrize(("how", "advantaged"), [("map", True), ("slant", False)])
def test_nine_hexes_on_the_map_or_with_levels(how: str, advantaged: bool) -> None:
    """A-14: nine hexes away and two levels higher is nine hexes, or ten."""
    state = position(
        craft(place="2015", altitude=15),
        craft(side="red", place="2006", altitude=17, sighted=True),
        rulings={"nine_hexes": how},
    )
    found = advantage(state, state.aircraft["a"], state.aircraft["b"])
    assert (found is not None) is advantaged
