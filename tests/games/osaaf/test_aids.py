"""Heat maps and arcs: exact, adding up to 1, and the same as the rules played out."""

import math
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from app.engine.chance import percent
from app.engine.game import Overlay
from app.engine.hexes import COMPASS, Board, Hex, at
from app.games.osaaf.aids import Flight, Policy, flight, side_to_try
from app.odds import exact
from tests.games.osaaf.table import GAME, Table, attack, flying, in_combat, plan, setup, shots

AIDS = {aid.id: aid for aid in GAME.aids}
BIG = Board(40, 40)
POLICIES: tuple[Policy, ...] = ("never", "left", "right", 0, 1, 2, 3, 4, 5)


def draw(table: Table, aid: str, jet: str = "a") -> Overlay:
    overlay = AIDS[aid].draw(table.state, jet, exact)
    assert overlay is not None
    return overlay


def brute_force(
    board: Board, keep: int, bonus: int, speed: int, policy: Policy, start: Flight
) -> Mapping[tuple[Hex, int, bool], Fraction]:
    """Every row of throws, each flown out by itself."""
    throws = list(product(range(1, 7), repeat=3))
    beats = Fraction(sum(sorted(t)[keep] + bonus > speed for t in throws), len(throws))
    ends: dict[tuple[Hex, int, bool], Fraction] = {}
    for luck in product((True, False), repeat=start.left):
        place, facing, chance, out = start.hex, start.facing, Fraction(1), False
        for n, lucky in enumerate(luck):
            side = None if out or (n == 0 and start.tried) else side_to_try(policy, facing)
            if side is None:
                chance *= Fraction(1, 2)  # this luck was not asked for, and comes both ways
            else:
                chance *= beats if lucky else 1 - beats
                facing = (facing + {"left": -1, "right": 1}[side] * lucky) % 6
            if not out:
                out = place.ahead(facing) not in board
                place = place if out else place.ahead(facing)
        key = (place, facing, out)
        ends[key] = ends.get(key, Fraction(0)) + chance
    return {key: chance for key, chance in ends.items() if chance}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("speed", "bonus"), [(1, 0), (2, 0), (4, 1), (5, 3), (6, 0)])
def test_heat_equals_brute_force(policy: Policy, speed: int, bonus: int) -> None:
    for board, place in ((BIG, at(20, 20)), (Board(7, 7), at(3, 2))):
        for card, keep in (("low", 0), ("medium", 1), ("high", 2)):
            for tried in (False, True):
                start = Flight(place, 1, speed, tried)
                chain = flight(board, card, bonus, speed, policy, start)  # pyright: ignore[reportArgumentType]
                ends = exact(chain)
                assert sum(ends.values()) == 1
                shown = {(end.hex, end.facing, end.out): p for end, p in ends.items()}
                assert shown == brute_force(board, keep, bonus, speed, policy, start)


@pytest.mark.parametrize("throws", list(product([(6, 6, 6), (1, 1, 1)], repeat=2)))
def test_heat_ends_where_the_engine_ends(throws: Any) -> None:
    table = flying(2)
    cells = {cell.hex for cell in draw(table, "heat-left-always").cells}
    table.choose("left-all", *throws)
    assert table.jet().hex.label in cells
    assert len(cells) == 4


def test_heat_names_chances_and_facings() -> None:
    overlay = draw(flying(3), "heat-right-always")
    assert sum(cell.shade for cell in overlay.cells) == pytest.approx(1)
    straight = next(cell for cell in overlay.cells if cell.hex == "1007")
    assert straight.label == "12 %"
    assert straight.detail == "facing N 12 %"
    assert overlay.detail == ""


def test_heat_of_a_jet_whose_energy_is_open_says_so() -> None:
    overlay = draw(Table(setup([{"speed": 3}])), "heat-never")
    assert [cell.hex for cell in overlay.cells] == ["1007"]
    assert overlay.detail == "Speed is not settled yet: shown for Speed 3 with no hard turn."


def test_heat_follows_energy_management() -> None:
    """After the roll and drag the Speed is no longer the one of last turn, and hard turns are known."""
    table = Table(setup([{"speed": 3, "altitude": 5, "card": {"energy_factor": 5}}]), [(1,)])
    table.choose(plan(2), (1, 1, 1))
    overlay = draw(table, "heat-never")
    assert overlay.detail == "Speed is not settled yet: shown for Speed 2 with hard turn ×2."
    assert [cell.hex for cell in overlay.cells] == ["1008"]
    table.choose(-2)
    assert [cell.hex for cell in draw(table, "heat-never").cells] == ["1005"]


def test_heat_tells_of_the_edge() -> None:
    overlay = draw(Table(setup([{"speed": 3, "hex": "1002"}])), "heat-never")
    assert overlay.cells == ()
    assert overlay.detail.endswith("Leaves the board: 100 %.")


def test_heat_in_the_middle_of_a_move_counts_what_is_left() -> None:
    table = flying(3)
    table.choose("ahead")
    cells = draw(table, "heat-never").cells
    assert [cell.hex for cell in cells] == ["1007"]
    table.choose("left")  # and the roll waits
    assert {cell.hex for cell in draw(table, "heat-until-n").cells} == {"1007"}


@pytest.mark.parametrize("aid", [aid for aid in AIDS if aid.startswith("heat-")])
def test_no_heat_without_a_move_ahead(aid: str) -> None:
    stalled = Table(setup([{"speed": 0}]))
    assert AIDS[aid].draw(stalled.state, "a", exact) is None
    moved = Table(setup([{}, {"altitude": 6}]), rulings={"initiative": "off"})
    for _ in range(2):
        moved.choose(plan(3), (1, 1))
        moved.choose(0)
    moved.choose("ahead-all")
    assert AIDS[aid].draw(moved.state, "a", exact) is None
    assert AIDS[aid].draw(moved.state, "b", exact) is not None


@pytest.mark.parametrize(
    ("facing", "until", "side"),
    [
        (0, 0, None),
        (0, 1, "right"),
        (0, 3, "right"),
        (0, 4, "left"),
        (5, 1, "right"),
        (1, 5, "left"),
    ],
)
def test_the_shorter_way(facing: int, until: int, side: str | None) -> None:
    assert side_to_try(until, facing) == side


def test_one_heat_map_for_each_policy() -> None:
    until = [f"heat-until-{point.lower()}" for point in COMPASS]
    always = ["heat-never", "heat-left-always", "heat-right-always"]
    assert list(AIDS) == ["arcs", "reach", "shots", "threats", *always, *until]


def test_arcs() -> None:
    cells = {cell.hex: cell.detail for cell in draw(Table(setup([{}])), "arcs").cells}
    here = at(10, 10)
    front = [Hex(0, -3), Hex(1, -3), Hex(1, -2)]  # the last one lies on the border
    rear = [Hex(0, 2), Hex(1, 1)]
    assert [cells[(here + one).label] for one in front + rear] == ["front"] * 3 + ["rear"] * 2
    assert (here + Hex(2, -2)).label not in cells
    assert (here + Hex(2, 0)).label not in cells
    assert (here + Hex(0, -7)).label not in cells
    assert here.label not in cells


def test_arcs_of_a_jet_that_is_not_there() -> None:
    table = Table(setup([{}]))
    gone = msgspec.structs.replace(table.jet(), status="away")
    state = msgspec.structs.replace(table.state, jets={"a": gone})
    assert AIDS["arcs"].draw(state, "a", exact) is None


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(1), "100 %"),
        (Fraction(999, 1000), ">99 %"),
        (Fraction(1, 1000), "<1 %"),
        (Fraction(1, 3), "33 %"),
    ],
)
def test_percent(chance: Fraction, text: str) -> None:
    assert percent(chance) == text


# Shots, threats and reach.

ARMS = {"gun": "gun", "heat_seeker": "heat-seeker", "radar_missile": "radar missile"}
REACH = {"gun": (1, 3), "heat_seeker": (2, 6), "radar_missile": (4, 10)}


def melee(rng: random.Random) -> Table:
    """Jets close together as they are about to fight: in all attitudes, worn, some stalled."""
    jets: list[dict[str, Any]] = [
        {
            "seat": rng.choice(("blue", "red")),
            "hex": f"{rng.randint(12, 18):02}{rng.randint(9, 14):02}",
            "facing": rng.randrange(6),
            "altitude": rng.randint(3, 7),
            "stalled": rng.random() < 0.2,
            "plan": {"jink": rng.random() < 0.3, "aim": rng.random() < 0.3},
            "card": {
                arm: {"quality": rng.choice(("low", "medium", "high")), "shots": 2}
                for arm in ARMS
                if rng.random() < 0.8
            },
            "hits": rng.randrange(2),
        }
        for _ in range(7)
    ]
    for jet in jets:
        jet |= {arm: rng.randint(0, 2) for arm in jet["card"]}
    return in_combat(jets, night=True)


def melees() -> Iterator[Table]:
    """Every moment at which somebody decides about an attack, in fights that go on by chance."""
    for seed in range(90):
        rng = random.Random(seed)
        table = melee(rng)
        while table.state.turn == 1 and table.state.phase == "combat":
            if table.decision.id.startswith("fire:"):
                yield table
            free = [one.value for one in table.decision.all_options if one.blocked is None]
            faces = tuple(rng.randint(1, 6) for _ in range(3))
            choice = rng.choice(free)
            table.choose(choice, *([] if choice == "hold" else [faces]))


def test_aids_show_the_shots_that_combat_offers() -> None:
    seen = {"free": 0, "blocked": 0, "hexes": 0}
    for table in melees():
        shooter = table.jet(table.decision.unit or "")
        own = draw(table, "shots", shooter.id)
        reached = {cell.hex: cell.detail for cell in draw_or_nothing(table, "reach", shooter.id)}
        best: dict[str, Fraction] = {}
        for (arm, other), option in shots(table).items():
            target = table.jet(other)
            place = target.hex.label
            if option.blocked is not None:
                said = f"{ARMS[arm]} no: {option.blocked.reason}"
                seen["blocked"] += 1
            else:
                assert option.odds is not None
                hits = 1 - exact(option.odds.chance).get(0, Fraction(0))
                best[place] = max(best.get(place, Fraction(0)), hits)
                said = f"{ARMS[arm]} {percent(hits)}"
                assert ARMS[arm] in reached[place]
                seen["free"] += 1
            best.setdefault(place, Fraction(0))
            [cell] = [cell for cell in own.cells if cell.hex == place]
            assert said in cell.detail
            assert f"at {target.name}" in cell.detail
            threats = draw(table, "threats", other)
            [back] = [cell for cell in threats.cells if cell.hex == shooter.hex.label]
            assert f"by {shooter.name}" in back.detail
            assert said in back.detail
        assert {cell.hex: cell.shade for cell in own.cells} == pytest.approx(
            {place: float(chance) for place, chance in best.items()}
        )
        for cell in own.cells:
            assert cell.label == (percent(best[cell.hex]) if best[cell.hex] else "–")
            seen["hexes"] += 1
    assert min(seen.values()) > 100, seen


def draw_or_nothing(table: Table, aid: str, jet: str) -> tuple[Any, ...]:
    overlay = AIDS[aid].draw(table.state, jet, exact)
    return () if overlay is None else overlay.cells


@pytest.mark.parametrize("facing", range(6))
def test_reach_is_the_front_arc_out_to_the_range(facing: int) -> None:
    card = {arm: {"quality": "low", "shots": 1} for arm in ARMS}
    here = at(15, 12)
    table = in_combat([{"hex": here.label, "facing": facing, "card": card, "heat_seeker": 0}])
    expected: dict[str, str] = {}
    for q, r in product(range(-10, 11), repeat=2):
        span = max(abs(q), abs(r), abs(q + r))
        place = here + Hex(q, r)
        east, south = 1.5 * q, math.sqrt(3) * (r + q / 2)
        off_the_nose = (math.degrees(math.atan2(east, -south)) - 60 * facing + 180) % 360 - 180
        inside = span > 0 and abs(off_the_nose) < 30 + 1e-6
        names = [ARMS[arm] for arm in ("gun", "radar_missile") if in_reach(arm, span)]
        if inside and names and 1 <= place.column <= 30 and 1 <= place.row <= 22:
            expected[place.label] = ", ".join(names)
    assert {cell.hex: cell.detail for cell in draw(table, "reach").cells} == expected


def in_reach(arm: str, span: int) -> bool:
    least, most = REACH[arm]
    return least <= span <= most


def test_a_stalled_jet_has_no_shot_and_is_no_threat() -> None:
    gun = {"gun": {"quality": "high", "shots": 4}}
    jets = [{"stalled": True, "card": gun}, {"seat": "red", "hex": "1008", "card": gun}]
    table = in_combat(jets)
    assert table.state.turn == 2
    own = draw(table, "shots")
    assert (own.cells[0].label, own.cells[0].shade) == ("–", 0)
    assert own.detail == "At Jet B: gun no: it is stalled."
    assert draw(table, "threats", "b").detail == "By Jet A: gun no: it is stalled."


def test_shots_at_nobody_say_so() -> None:
    overlay = draw(in_combat([{"card": {"gun": {"quality": "low", "shots": 1}}}]), "shots")
    assert (overlay.cells, overlay.detail) == ((), "No enemy is on the board.")


@pytest.mark.parametrize("aid", ["reach", "shots", "threats"])
def test_no_shots_without_combat_or_without_the_jet(aid: str) -> None:
    gun = {"gun": {"quality": "high", "shots": 4}}
    jets = [{"card": gun}, {"seat": "red", "hex": "1008", "card": {**gun, "toughness": 1}}]
    peace = in_combat(jets, rulings={"combat": "off"})
    assert AIDS[aid].draw(peace.state, "a", exact) is None
    war = in_combat(jets)
    assert AIDS[aid].draw(war.state, "b", exact) is not None
    war.choose(attack("gun"), (6, 6, 6))
    assert AIDS[aid].draw(war.state, "b", exact) is None


def test_no_reach_with_nothing_left_to_fire() -> None:
    jet = {"card": {"gun": {"quality": "high", "shots": 4}}, "gun": 0}
    assert AIDS["reach"].draw(in_combat([jet]).state, "a", exact) is None


def test_jets_in_one_hex_are_told_apart() -> None:
    gun = {"gun": {"quality": "medium", "shots": 4}}
    jets = [
        {"card": gun},
        {"seat": "red", "hex": "1008", "altitude": 7},
        {"seat": "red", "hex": "1008", "facing": 3},
    ]
    [cell] = draw(in_combat(jets), "shots").cells
    assert cell.detail == "at Jet B: gun no: 2 levels apart, and 1 at most; at Jet C: gun 26 %"
    assert (cell.label, cell.shade) == ("26 %", pytest.approx(7 / 27))
