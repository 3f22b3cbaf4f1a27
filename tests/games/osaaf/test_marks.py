"""Marks on the board and fates: the last shots, where jets went down, and what became of them."""

from app.engine.game import Fate, Mark
from tests.games.osaaf.table import GAME, Table, attack, in_combat, plan

GUN = {"gun": {"quality": "medium", "shots": 4}, "energy_factor": 5}
NOBODY = frozenset[str]()


def marks(table: Table) -> list[Mark]:
    return list(GAME.marks(table.state, NOBODY))


def kinds(table: Table) -> list[tuple[str, str, str | None]]:
    return [(mark.kind, mark.hex, mark.to) for mark in marks(table)]


def fight() -> Table:
    """a and c, one behind the other, have b in front of them, and b has them; d is far away."""
    jets = [
        {"hex": "1510", "card": GUN},
        {"hex": "1508", "seat": "red", "facing": 3, "card": GUN},
        {"hex": "1511", "card": GUN},
        {"hex": "2518", "seat": "red"},
    ]
    return in_combat(jets)


def dive(table: Table) -> None:
    """Everybody through Energy; the dive keeps them from stalling at Speed 1."""
    while table.state.phase == "energy":
        match table.decision.id.partition(":")[0]:
            case "plan":
                table.choose(plan(), (1, 1, 1, 1, 1))
            case "altitude":
                table.choose(-1)
            case _:
                table.choose(0)


def test_shots_stay_until_jets_move_again() -> None:
    table = fight()
    assert marks(table) == []
    table.choose(attack("gun"), (1, 1, 1))  # c misses
    [shot] = marks(table)
    assert (shot.kind, shot.hex, shot.to, shot.good, shot.side) == (
        "shot-gun",
        "1511",
        "1508",
        False,
        "blue",
    )
    assert shot.words == "Jet C attacked Jet B with its gun: miss"
    table.choose("hold")  # b
    assert table.jet("b").hits == 0
    table.choose(attack("gun"), (5, 5, 5))
    assert table.state.turn == 2
    assert marks(table)[1].words == "Jet A attacked Jet B with its gun: hit"
    assert kinds(table) == [("shot-gun", "1511", "1508"), ("shot-gun", "1510", "1508")]
    dive(table)
    assert marks(table) == []


def test_a_splash_and_then_a_wreck() -> None:
    jets = [
        {"hex": "1510", "card": GUN},
        {"hex": "1508", "seat": "red", "card": {"toughness": 1}},
        {"hex": "2518", "seat": "red"},
    ]
    table = in_combat(jets, turns=4)
    table.choose(attack("gun"), (5, 5, 5))
    assert table.state.turn == 2
    assert kinds(table) == [("splash", "1508", None), ("shot-gun", "1510", "1508")]
    assert marks(table)[0].words == "Jet B was shot down here in turn 1"
    assert list(GAME.fates(table.state)) == [Fate("b", "red", "shot down")]
    unit = GAME.units(table.state, NOBODY)[1]
    assert (unit.hex, unit.states, unit.altitude, unit.speed) == (None, ("shot-down",), None, None)
    dive(table)
    assert table.state.phase == "movement"
    assert kinds(table) == [("wreck", "1508", None)]
