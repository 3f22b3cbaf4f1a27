"""Outcomes that players enter for guns and missiles: the same two questions, and the log says who answered them."""

from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.errors import Illegal
from app.engine.secret import Secret, redact
from app.games.gunslingers.guns import hits as guns
from app.games.gunslingers.missiles import flight as missiles
from app.games.gunslingers.missiles.cards import printed_missiles
from app.games.gunslingers.model import Missile
from app.games.gunslingers.outcomes.facts import OutcomeAgreed, OutcomeEntered
from tests.games.gunslingers.combat import Course, gunnery, moving, shooter, target
from tests.games.gunslingers.table import GAME

BY_HAND = {"guns": "adjudicated", "missiles": "adjudicated"}
NAMES = {"a": "A", "b": "B", "blue": "Blue", "red": "Red"}


def burst() -> Course:
    """A burst of "a" at "b" whose outcome is asked for."""
    state = moving(shooter(), target(), rulings=BY_HAND)
    return gunnery(state).go({"target": "b", "snap": False})


def missile() -> Course:
    """A missile of "a" at "b" whose outcome is asked for."""
    state, card = moving(shooter(), target(), rulings=BY_HAND), printed_missiles()["ir-all"]
    one = state.aircraft["a"]
    flying = Missile(
        id="missile-1",
        side="blue",
        card=Secret(card.id, ("blue",)),
        shooter="a",
        target="b",
        pos=one.pos,
        altitude=one.altitude,
        facing=one.facing,
        speed=Secret(card.speed, ("blue",)),
        left=Secret(card.turns, ("blue",)),
        launched=0,
    )
    state = replace(state, missiles={"missile-1": flying})
    return Course(state, lambda now: missiles.after_move(now, "b") or guns.damage(now))


def told(course: Course, viewer: frozenset[str]) -> list[str]:
    """The lines of the outcomes entered and agreed on, as a viewer reads them."""
    kinds = OutcomeEntered | OutcomeAgreed
    shown = (redact(event, viewer) for event in course.events if isinstance(event, kinds))
    return [GAME.tell(event, NAMES).text for event in shown]


@pytest.mark.parametrize(("attack", "what"), [(burst, "A's burst"), (missile, "the missile")])
@pytest.mark.parametrize(
    ("outcome", "words", "damage"),
    [
        ("miss", "a miss", ""),
        ("none", "no damage", ""),
        ("L", "light", "L"),
        ("H", "heavy", "H"),
        ("C", "crippled", "C"),
        ("K", "killed", "K"),
    ],
)
def test_entered_by_one_side_and_confirmed_by_the_other(
    attack: Any, what: str, outcome: str, words: str, damage: str
) -> None:
    course: Course = attack()
    assert (course.decision.seat, course.decision.unit) == ("blue", "a")
    course.go("H" if outcome != "H" else "L")
    assert (course.decision.seat, course.decision.unit) == ("red", "b")
    course.go("no", outcome)
    assert words in course.decision.title
    course.go("yes", *(10 for _ in range(damage in ("H", "C"))))  # nothing more breaks (GS-C-12)
    assert course.todo is None
    assert course.state.proposed == {}
    assert course.state.aircraft["b"].o.damage == damage
    for viewer in (frozenset({"blue"}), frozenset({"red"}), frozenset[str]()):
        lines = told(course, viewer)
        assert [line.split()[0] for line in lines] == ["Blue", "Red", "Blue", "Red"]
        assert f"{what} at B" in lines[0]
        assert f"does not agree on {what} at B" in lines[1]
        assert words in lines[2]
        assert f"agrees on {what} at B: {words}" in lines[3]


def test_only_a_missile_flies_on() -> None:
    with pytest.raises(Illegal):
        burst().go("flies")
    course = missile().go("flies", "yes")
    assert course.state.missiles["missile-1"].moves == 1
    assert course.todo is None


def test_both_shots_of_a_pass_are_settled_before_anything_is_forgotten() -> None:
    """Each kills the other: the one that is entered first does not keep the other from counting."""
    state = moving(shooter(sighted=True), target(place="2015", facing=6), rulings=BY_HAND)
    course = gunnery(state).go({"target": "b", "snap": False}, "full", "K", "yes", "K", "yes")
    assert [course.state.aircraft[one].status for one in "ab"] == ["killed", "killed"]
    assert [(claim.aircraft, claim.side) for claim in course.state.claims] == [
        ("b", "blue"),
        ("a", "red"),
    ]
    assert course.todo is None
