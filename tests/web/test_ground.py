"""What lies under a hex board: the shell's chart, or a game's own ground; neither grows with the board."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.web.dom import Element, parse
from tests.web.house import House, small_duel

pytestmark = pytest.mark.anyio

SHIPS = [
    {"id": "a-1", "seat": "a", "kind": "cruiser", "name": "One", "hex": "0202", "facing": 3},
    {"id": "b-1", "seat": "b", "kind": "cruiser", "name": "Two", "hex": "0203", "facing": 0},
]
SETUPS: Mapping[str, Mapping[str, Any]] = {
    "osaaf": small_duel(),
    "war-in-space": {"title": "Two ships", "ships": SHIPS},
}
FLOORS = {"osaaf": "land", "war-in-space": "ground"}


async def board_of(house: House, game: str, columns: int = 30, rows: int = 22) -> Element:
    visitor = await house.visitor()
    size = {"columns": columns, "rows": rows}
    table = await visitor.sit(game, setup={**SETUPS[game], "board": size})
    board = parse(await visitor.page(f"/tables/{table.id}")).find("board")
    assert board is not None
    return board


def classes(element: Element) -> list[str]:
    return [name for one in element.walk() for name in one.attrs.get("class", "").split()]


def chart_of(board: Element) -> Element:
    return next(one for one in board.walk() if one.attrs.get("class") == "chart")


@pytest.mark.parametrize("game", SETUPS)
async def test_a_game_lies_on_its_own_ground_or_on_the_chart(house: House, game: str) -> None:
    board = await board_of(house, game)
    chart = chart_of(board)
    assert {name for name in FLOORS.values() if name in classes(board)} == {FLOORS[game]}
    assert FLOORS[game] in classes(chart)
    # Under the grid, and of no meaning to those who do not see it.
    order = classes(chart)
    assert order.index(FLOORS[game]) < order.index("grid")
    assert chart.attrs["aria-hidden"] == "true"
    assert board.attrs["aria-label"].startswith("Hex board, 30 columns by 22 rows.")


@pytest.mark.parametrize("game", SETUPS)
async def test_the_ground_does_not_grow_with_the_board(house: House, game: str) -> None:
    sizes: list[int] = []
    for columns, rows in ((20, 20), (99, 99)):
        chart = chart_of(await board_of(house, game, columns, rows))
        chart.children = [
            one
            for one in chart.children
            if not (isinstance(one, Element) and one.attrs.get("class") == "ruler")
        ]
        sizes.append(len(chart.canonical()))
    # The same elements; only the numbers in them have more digits.
    assert abs(sizes[1] - sizes[0]) < 100
    assert max(sizes) < 6000
