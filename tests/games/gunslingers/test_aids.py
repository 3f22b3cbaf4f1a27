"""Aids: what they draw is what the rules say of each place."""

import pytest

from app import odds
from app.engine.game import Overlay
from app.engine.secret import redact
from app.games.gunslingers.model import State
from tests.games.gunslingers.table import BOTH, GAME, craft, position


def drawn(state: State, aid: str, unit: str = "a", viewer: frozenset[str] = BOTH) -> Overlay | None:
    """An aid as its viewer gets it."""
    seen = GAME.view(redact(state, viewer), viewer)
    return next(one for one in GAME.aids if one.id == aid).draw(seen, unit, odds.exact)


def cells(state: State, aid: str, unit: str = "a") -> dict[str, str]:
    """The labels of what an aid draws, by place."""
    overlay = drawn(state, aid, unit)
    assert overlay is not None
    return {cell.hex: cell.label for cell in overlay.cells}


def test_gun_field_to_the_north() -> None:
    """GV-24, with the hit numbers of an F-4E at range 0, 1 and 2."""
    near = {"2014/2015", "2014", "1913/2014", "2014/2113"}
    far = {"2013/2014", "2013", "1913/2013", "2013/2113"}
    found = cells(position(craft(place="2015", facing=0)), "guns")
    assert found == {"2015": "7"} | dict.fromkeys(near, "5") | dict.fromkeys(far, "3")


def test_gun_field_to_the_east() -> None:
    """GV-25."""
    near = {"2114/2115", "2114/2215", "2115/2215"}
    far = {"2215", "2214/2215", "2215/2216", "2215/2314", "2215/2315"}
    found = cells(position(craft(place="2015", facing=3)), "guns")
    assert found == {"2015": "7"} | dict.fromkeys(near, "5") | dict.fromkeys(far, "3")


@pytest.mark.parametrize(
    ("place", "inside"),
    [("2006", True), ("2005", False), ("2412", True), ("2413", False), ("2414", False)],
)
def test_advantage_zone(place: str, inside: bool) -> None:
    """GV-19 and GV-21: nine hexes, and exactly 60 degrees off the nose is out."""
    assert (place in cells(position(craft(place="2015", facing=0)), "advantage")) is inside


def test_radar_covers_its_border_and_its_range() -> None:
    """GV-16: as a sensor 150+ has exactly 60 degrees in. An F-4E's radar reaches beyond the board."""
    found = cells(position(craft(place="2015", facing=0)), "radar")
    assert "2512" in found
    assert "2001" in found
    assert "2016" not in found
    assert drawn(position(craft(card="mig-17f")), "radar") is None


def test_chance_to_be_sighted_falls_with_range() -> None:
    """V of a MiG-21 is 4: 5 or less to range 4, 4 to 8, 2 to 12, beyond that 0 and no attempt."""
    found = cells(position(craft(card="mig-21mf", place="2015")), "sighting")
    assert [found.get(label) for label in ("2011", "2007", "2003", "2002")] == [
        "50 %",
        "40 %",
        "20 %",
        None,
    ]


def test_blind_arcs_lie_behind() -> None:
    found = cells(position(craft(card="mig-21mf", place="2015", facing=0)), "blind")
    assert "2018" in found
    assert "2012" not in found


def test_no_aid_tells_of_a_card_that_is_not_known() -> None:
    state = position(craft(), craft(side="red", card="mig-21mf", place="2010"))
    for aid in GAME.aids:
        assert drawn(state, aid.id, "b", frozenset({"blue"})) is None
        assert drawn(state, aid.id, "b") is not None
