"""An aircraft leaves the fight, and everybody else forgets it."""

from msgspec.structs import replace

from app.engine.secret import Secret
from app.games.gunslingers.guns.facts import gone
from app.games.gunslingers.model import Missile
from tests.games.gunslingers.table import craft, position


def flying_at(target: str, key: str) -> Missile:
    return Missile(
        id=key,
        side="red",
        card=Secret("ir-rear", ("red",)),
        shooter="b",
        target=target,
        pos=position(craft()).aircraft["a"].pos,
        altitude=18,
        facing=0,
        speed=Secret(12, ("red",)),
        left=Secret(2, ("red",)),
        launched=1,
        padlocked_by=("a", "c"),
        vas_by=("a", "c"),
    )


def test_what_it_saw_and_what_flew_at_it_are_lost() -> None:
    """GS-VIS-9c: what is seen by VAS is seen by that aircraft alone, so by nobody once it is gone."""
    watched = {"padlocked_by": ("a",), "vas_by": ("a", "c"), "tailing": "a", "locks": ("a",)}
    state = position(
        craft(contacts=("b",), vas_by=("b",)),
        craft(side="red", place="2010", **watched),
        craft(place="2012"),
    )
    state = replace(
        state, missiles={one.id: one for one in (flying_at("a", "m"), flying_at("c", "n"))}
    )
    after = gone(state, "a", "killed")
    lost, other, missile = after.aircraft["a"], after.aircraft["b"], after.missiles["n"]
    assert (lost.status, lost.o.contacts, lost.vas_by) == ("killed", (), ())
    assert (other.padlocked_by, other.vas_by, other.tailing) == ((), ("c",), None)
    assert other.o.locks == ()
    assert list(after.missiles) == ["n"]
    assert (missile.padlocked_by, missile.vas_by) == (("c",), ("c",))
