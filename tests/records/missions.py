"""Short missions of F-14 Tomcats for tests of records: the last leg home, with dice thrown by hand.

A script is what the player does, in order: a list is the faces of a roll, anything else a choice.
"""

from collections.abc import Sequence
from typing import Any

from tests.games.f14_tomcats.table import pilot, setup
from tests.records.papers import paper
from tests.web.house import House, Table, Visitor

GAME = "f14-tomcats"

CALM: list[Any] = [[6]]
"""No contact: home."""

KILL: list[Any] = [[1], [4], [1], "amraam", [6]]
"""One MiG, shot down: home with a kill."""

SHOT_DOWN: list[Any] = [[1], [4], [1], "stop"]
"""One MiG hits: down, for an aircraft that has 6 damage. The bail-out roll waits."""

RESCUED: list[Any] = [*SHOT_DOWN, [3]]
LOST: list[Any] = [*SHOT_DOWN, [1]]


def last_leg(*, damage: int = 0, pilots: int = 1) -> dict[str, Any]:
    """A set-up: one leg from home, nothing bombed."""
    return setup(*(pilot(n, damage=damage) for n in range(pilots)), at=24)


async def newcomer(visitor: Visitor, call_sign: str = "Zed", name: str = "Ann Other") -> str:
    """Somebody new in a visitor's book; the id."""
    body = {"game": GAME, "name": name, "call_sign": call_sign}
    return (await visitor.post("/api/people", body, 201))["id"]


async def veteran(visitor: Visitor, call_sign: str = "Zed", **record: Any) -> str:
    """Somebody with a record, brought from elsewhere; the id."""
    text = paper(call_sign=call_sign, record=record)
    answer = await visitor.form("/book/import", {"paper": text}, 303, htmx=False)
    return answer.headers["location"].rpartition("/")[2]


async def take_off(visitor: Visitor, person: str, *, damage: int = 0, **order: Any) -> Table:
    """A table where somebody flies the last leg alone."""
    order = {"dice": "hand", **order}
    return await visitor.sit(GAME, setup=last_leg(damage=damage), people={"one": person}, **order)


async def fly(table: Table, script: Sequence[Any]) -> dict[str, Any]:
    """Do what a script says; the table as it is then."""
    for step in script:
        offers = await table.open_offers()
        assert offers, "nothing is open"
        visitor, offer, version = offers[0]
        body = {"version": version, "offer": offer["id"]}
        body |= {"dice": step} if isinstance(step, list) else {"choice": step}
        await visitor.post(f"{table.url}/commands", body)
    return await table.view()


async def mission(
    visitor: Visitor, person: str, script: Sequence[Any], *, damage: int = 0
) -> Table:
    """A whole mission."""
    table = await take_off(visitor, person, damage=damage)
    view = await fly(table, script)
    assert view["finished"], view["prompt"]
    return table


async def book_of(visitor: Visitor, person: str) -> dict[str, Any]:
    """What a visitor's book says of somebody."""
    return await visitor.get(f"/api/people/{person}")


async def by_click(house: House, visitor: Visitor, **fields: str) -> Table:
    """A table opened by a form, as the home page has it, with the seats that are the visitor's."""
    sent = {"game": GAME, "scenario": "solo", "mode": "solo", **fields}
    answer = await visitor.form("/tables", sent, 303, htmx=False)
    return await found(house, visitor, answer.headers["location"])


async def found(house: House, visitor: Visitor, address: str) -> Table:
    """The table at an address, with the seats that are the visitor's."""
    table = Table(house, address.partition("?")[0].rpartition("/")[2], {"seats": []})
    view = await visitor.get(table.url)
    table.seats = {seat["id"]: visitor for seat in view["seats"] if seat.get("yours")}
    return table
