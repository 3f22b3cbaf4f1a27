"""Who of a crew flies, works the radar and can act, with some of them dead or blacked out."""

from typing import Any

import pytest

from app.games.gunslingers import crews
from app.games.gunslingers.flight.facts import GlocRolled
from tests.games.gunslingers.table import craft, position
from tests.games.gunslingers.test_flight_phase import flight, fly

OK, OUT, DEAD = {}, {"status": "gloc"}, {"status": "dead"}


@pytest.mark.parametrize(
    ("crew", "controls", "awake", "operator", "multi"),
    [
        ((OK, OK), 0, True, 1, True),
        ((OUT, OK), 0, False, 1, False),
        ((OK, OUT), 0, True, 0, False),
        ((DEAD, OK), 1, True, 1, False),
        ((DEAD, OUT), 1, False, 0, False),
        ((OUT, OUT), 0, False, 0, False),
    ],
)
def test_who_does_what(crew: Any, controls: int, awake: bool, operator: int, multi: bool) -> None:
    one = position(craft(crew=crew)).aircraft["a"]
    assert crews.at_controls(one) == controls
    assert crews.awake(one) is awake
    assert crews.operator(one) is one.o.crew[operator]
    assert crews.multi(one) is multi


def test_gs_f_15_who_flies_for_a_dead_pilot_blacks_out_with_the_aircraft() -> None:
    table = flight(craft(altitude=12, speed=5.0, crew=(DEAD, OK)), craft(side="red", place="4001"))
    fly(table, "ETR/H/R,H,H,H,H", 1, power="M", ap=1.5)
    assert [one.man for one in table.facts(GlocRolled)] == [1]
    assert table.craft().condition == "gloc"
