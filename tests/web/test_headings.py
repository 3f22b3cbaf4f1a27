"""The tab's title and icon, the list of tables and the page: all say "your turn" to the same seat, after every change."""

import html
import random
import re
from typing import Any

import pytest

from tests.web.house import House, Table, Visitor, small_duel

pytestmark = pytest.mark.anyio


async def pair(house: House, **order: Any) -> Table:
    """A shared table of two visitors."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel(), name='The "last" duel & more', **order)
    await table.join("red", bob)
    return table


async def turns(table: Table, visitor: Visitor, frames: str) -> set[bool]:
    """Whether it is a visitor's turn, as each place says it; `frames` are those that came so far."""
    page = await visitor.page(table.page)
    heading = await visitor.get(f"{table.page}/heading")
    listed = await visitor.page("/tables")
    newest = re.findall(r'<data id="version"[^>]*data-title="([^"]*)" data-icon="([^"]*)"', frames)[
        -1
    ]
    title = re.search(r"<title>(.*?)</title>", page)
    icon = re.search(r'<link rel="icon" href="([^"]*)"', page)
    assert title is not None
    assert icon is not None
    titles = {html.unescape(text) for text in (title[1], newest[0], heading["title"])}
    icons = {icon[1], newest[1], heading["icon"]}
    row = next(row for row in listed.split("<li>") if table.id in row)
    said = {
        'class="now yours"' in page,
        *(text.startswith("Your turn: ") for text in titles),
        *("your-turn" in text for text in icons),
        'class="yourturn"' in row,
    }
    assert {text.removeprefix("Your turn: ") for text in titles} == {
        'The "last" duel & more · Contrail'
    }
    return said


async def test_all_places_name_the_same_seat(house: House) -> None:
    table = await pair(house, takebacks="consent")
    streams = {
        seat: await visitor.stream(f"{table.page}/frames") for seat, visitor in table.seats.items()
    }
    frames = dict.fromkeys(streams, "")
    rng = random.Random(5)
    seen: set[tuple[bool, ...]] = set()
    for n in range(24):
        if n % 8 == 5:  # who is asked for a take-back has something to answer
            await table.take_back(("blue", "red")[n // 8 % 2], to=1)
        elif n % 8 == 7 and "asked" in (view := await table.view("blue")):
            other = "red" if view["asked"]["by"] == "blue" else "blue"
            await table.answer(other, False)
        elif await table.step(rng) is None:
            break
        await house.quiet()
        now: list[bool] = []
        for seat, visitor in table.seats.items():
            frames[seat] += "".join(message.data for message in streams[seat].pending())
            said = await turns(table, visitor, frames[seat])
            assert len(said) == 1, (n, seat, said)
            now.append(said.pop())
        seen.add(tuple(now))
    assert len(seen) > 1


async def test_a_watcher_has_no_turn(house: House) -> None:
    table = await pair(house)
    eve = await house.visitor()
    assert (await eve.get(f"{table.page}/heading"))["title"].startswith("The ")
