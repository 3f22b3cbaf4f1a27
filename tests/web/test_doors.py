"""Every door of the server, and what it may say of a table whose game hides something.

The doors are read off the application's own routes: one that comes anew stands in none of the lists below, and a test
fails until it says where it stands. At a running table in hard fog every word that the other side's set-up could be
known by is planted in it; whoever may not know it knocks at each door in several ways, and looks for those words in
whatever comes back.
"""

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import httpx2
import pytest
from starlette.routing import Mount

from tests.web.house import House, Table, Visitor, any_choice
from tests.web.test_fog import far_apart

pytestmark = pytest.mark.anyio

PLANTED = ("qid-one", "qid-two", "Qname Hidden", "Qname Lurking", "qtitle")
"""Ids and names of the hidden aircraft, and the set-up's title."""

Asked = tuple[str, Any]
"""What is added to a path, and a body: a dict is sent as JSON, a list of pairs as a form, None not at all."""


def _form(**fields: str) -> list[tuple[str, str]]:
    return list(fields.items())


TABLE_DOORS: Mapping[str, tuple[Asked, ...]] = {
    "GET /tables/{table_id}": (("", None), ("?at=3", None), ("?at=9999", None)),
    "GET /tables/{table_id}/heading": (("", None),),
    "GET /tables/{table_id}/log": (("?before=9999", None), ("?before=4", None)),
    "GET /tables/{table_id}/overlay": (
        ("?unit=qid-one&aid=gun", None),
        ("?unit=blue-1&aid=gun", None),
    ),
    "GET /tables/{table_id}/odds": (("?offer=watch:red&choice=%22%22", None),),
    "GET /tables/{table_id}/draft": (
        ("?offer=watch:red&text=", None),
        ("?offer=decide:red&text=x", None),
    ),
    "GET /tables/{table_id}/after": (("", None),),
    "GET /tables/{table_id}/frames": (),  # the other tests of streams compare these; they don't end
    "GET /tables/{table_id}/stream": (("?once=true", None),),
    "GET /tables/{table_id}/dice": (("", None),),
    "GET /tables/{table_id}/dice.json": (("", None),),
    "POST /tables/{table_id}/commands": (
        ("", _form(version="1", offer="watch:red", choice='""')),
        ("", _form(version="1", offer="launch:qid-one", choice='"hold"')),
    ),
    "POST /tables/{table_id}/withdraw": (("", _form(version="1", offer="decide:red")),),
    "POST /tables/{table_id}/advance": (("", _form(version="1")),),
    "POST /tables/{table_id}/takeback": (("", _form(version="1", to="3")),),
    "POST /tables/{table_id}/takeback/answer": (("", _form(version="1", accept="yes")),),
    "POST /tables/{table_id}/word": (("", _form(word="x")),),
    "POST /tables/{table_id}/close": (("", []),),
    "POST /tables/{table_id}/rematch": (("", _form(swapped="no")),),
    "GET /api/tables/{table_id}": (("", None), ("?at=3", None), ("?seat=red", None)),
    "GET /api/tables/{table_id}/log": (("?limit=1000", None), ("?after=3", None)),
    "GET /api/tables/{table_id}/summary": (("", None),),
    "GET /api/tables/{table_id}/odds": (("?offer=watch:red&choice=%22%22", None),),
    "GET /api/tables/{table_id}/draft": (("?offer=watch:red&text=", None),),
    "GET /api/tables/{table_id}/overlay": (("?unit=qid-one&aid=gun", None),),
    "POST /api/tables/{table_id}/seats/{seat}/claim": (("", {"invite": "no"}),),
    "POST /api/tables/{table_id}/commands": (
        ("", {"version": 1, "offer": "watch:red", "choice": ""}),
        ("", {"version": 1, "offer": "decide:red", "choice": ""}),
    ),
    "POST /api/tables/{table_id}/withdraw": (("", {"version": 1, "offer": "decide:red"}),),
    "POST /api/tables/{table_id}/draft": (("", {"offer": "watch:red", "text": ""}),),
    "POST /api/tables/{table_id}/advance": (("", {"version": 1}),),
    "POST /api/tables/{table_id}/takeback": (("", {"version": 1, "to": 3}),),
    "POST /api/tables/{table_id}/takeback/answer": (("", {"version": 1, "accept": True}),),
    "POST /api/tables/{table_id}/word": (("", {"word": "x"}),),
    "POST /api/tables/{table_id}/close": (("", {}),),
    "POST /api/tables/{table_id}/rematch": (("", {"swapped": False}),),
    "GET /tables/{table_id}/rulings": (("", None),),
    "POST /tables/{table_id}/rulings": (("", _form(gloc="off")),),
    "POST /tables/{table_id}/rulings/answer": (("", _form(accept="yes")),),
    "POST /api/tables/{table_id}/rulings": (("", {"rulings": {"gloc": "off"}}),),
    "POST /api/tables/{table_id}/rulings/answer": (("", {"accept": True}),),
    "GET /tables/{table_id}/export": (("", None),),
    "GET /api/tables/{table_id}/export": (("", None),),
    "GET /tables/{table_id}/fork": (("", None), ("?at=3", None), ("?at=9999", None)),
    "POST /tables/{table_id}/fork": (("", _form(at="3")), ("", _form(at="9999"))),
    "POST /api/tables/{table_id}/fork": (("", {"at": 3}), ("", {"at": 9999}), ("", {})),
    "POST /tables/{table_id}/delete": (("", _form(confirmed="yes")),),
    "DELETE /api/tables/{table_id}": (("", None),),
}
"""Doors with a table's id in their path, and the ways in which they are tried."""

OTHER_DOORS: Mapping[str, tuple[Asked, ...]] = {
    "POST /tables": (("", _form(again="TABLE")), ("", _form(again="TABLE", form="full"))),
    "GET /games/{game}/setup": (("?table=TABLE", None),),
    "GET /": (("", None),),
    "GET /tables": (("", None),),
    "GET /api/tables": (("", None), ("?open", None)),
    "GET /metrics": (("", None),),
}
"""Doors that can come to a table in another way: by a field (TABLE stands for its id), or in a list."""

NO_TABLE = frozenset(
    {
        # What anybody may know: games, rules, scripts, health.
        "GET /games/{game}",
        "GET /games/{game}/rules",
        "GET /api/games",
        "GET /api/games/{game}/scenarios/{scenario}",
        "GET /verify/contrail_verify.py",
        "GET /healthz",
        "GET /readyz",
        "GET /openapi.json",
        # What somebody has sent himself: a set-up, kept set-ups, simulations, a new table's order.
        "POST /games/{game}/setup",
        "POST /setups/{setup_id}/play",
        "POST /setups/{setup_id}/delete",
        "GET /games/{game}/simulate",
        "POST /games/{game}/simulate",
        "GET /simulations/{job_id}",
        "GET /simulations/{job_id}/progress",
        "POST /simulations/{job_id}/cancel",
        "GET /simulations/{job_id}/games.csv",
        "POST /api/tables",
        "POST /tables/import",
        "POST /api/tables/import",
        "GET /kept/{view_id}",
        # Persons; no game that has some hides anything.
        "GET /book",
        "POST /book",
        "POST /book/import",
        "GET /book/{person_id}",
        "POST /book/{person_id}/rename",
        "POST /book/{person_id}/retire",
        "GET /book/{person_id}/export",
        "GET /hall-of-fame",
        "GET /api/people",
        "POST /api/people",
        "GET /api/people/{person_id}",
        "POST /api/token",
        # Whoever has the invitation sits down, and sees what that seat sees.
        "GET /join/{invite}",
        "POST /join/{invite}",
    }
)
"""Doors that give nothing of a table to whoever does not hold a seat of it."""


def doors(house: House) -> set[str]:
    """Every door of the application: method and path."""
    return {
        f"{method} {route.path}"
        for route in _routes(house.app.routes)
        for method in route.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }


def _routes(several: Iterable[Any]) -> Iterator[Any]:
    """Each route that has methods, those of included routers too. Mounts serve files."""
    for route in several:
        if getattr(route, "methods", None):
            yield route
        elif included := getattr(route, "original_router", None):
            yield from _routes(included.routes)
        else:
            assert isinstance(route, Mount), route


async def planted(house: House, **order: Any) -> Table:
    """A running table in hard fog: Blue opens it, Red's aircraft have the planted words."""
    setup: dict[str, Any] = far_apart()
    setup["title"] = "qtitle"
    hidden = [one for one in setup["aircraft"] if one["side"] == "red"]
    for one, (id, name) in zip(
        hidden, (("qid-one", "Qname Hidden"), ("qid-two", "Qname Lurking")), strict=True
    ):
        one["id"], one["name"] = id, name
    blue, red = await house.visitor(), await house.visitor()
    order = {"mode": "shared", "setup": setup, "rulings": {"fog": "hard"}, "name": "far", **order}
    table = await blue.sit("gunslingers", **order)
    await table.join("red", red)
    return table


def told_by(answer: httpx2.Response) -> str:
    """All of an answer: status line, headers, body."""
    return "\n".join([*(f"{name}: {value}" for name, value in answer.headers.items()), answer.text])


async def knock(
    visitor: Visitor, door: str, asked: Asked, table: Table, **headers: str
) -> httpx2.Response:
    """Try a door in one way, without following where it sends."""
    method, path = door.split(" ", 1)
    query, body = asked
    path = (
        path.replace("{table_id}", table.id)
        .replace("{seat}", "red")
        .replace("{game}", "gunslingers")
        .replace("{scenario}", "merge")
    )
    query = query.replace("TABLE", table.id)
    headers = {"sec-fetch-site": "same-origin", **headers}
    if isinstance(body, list):
        fields = {name: value.replace("TABLE", table.id) for name, value in body}
        return await visitor.http.request(method, path + query, data=fields, headers=headers)
    return await visitor.http.request(method, path + query, json=body, headers=headers)


def ways() -> Iterator[tuple[str, Asked]]:
    """Each door that could tell of a table, and each way of trying it."""
    for door, several in {**TABLE_DOORS, **OTHER_DOORS}.items():
        for asked in several:
            yield door, asked


async def test_every_door_says_where_it_stands(house: House) -> None:
    known = {*TABLE_DOORS, *OTHER_DOORS, *NO_TABLE}
    new = doors(house) - known
    assert not new, f"say in tests/web/test_doors.py what these may tell of a table: {sorted(new)}"
    of_tables = {door for door in doors(house) if "{table_id}" in door}
    assert of_tables <= TABLE_DOORS.keys(), "a door of a table is tried"
    assert TABLE_DOORS.keys() <= doors(house), "these doors are not there any more"


async def test_no_door_gives_a_planted_word_to_whom_it_is_hidden(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await planted(house)
    await table.play(random.Random(3), 6, any_choice)
    seen_by_red = json.dumps(await table.view("red"))
    assert all(word in seen_by_red for word in PLANTED if word != "qtitle"), "red has its own"
    stranger, spectator = house.stranger(quiet=True), await house.visitor()
    assert (await spectator.http.get(table.page)).status_code == 200
    for who, visitor in (
        ("a stranger", stranger),
        ("a spectator", spectator),
        ("the other seat", table.seats["blue"]),
    ):
        for door, asked in ways():
            for headers in ({"accept": "text/html"}, {"hx-request": "true", "accept": "text/html"}):
                if who == "the other seat" and door.endswith("/close"):
                    continue  # that would end the game, after which all may know
                caplog.clear()
                answer = await knock(visitor, door, asked, table, **headers)
                assert answer.status_code < 500, (who, door, asked)
                where = (who, door, asked, answer.status_code)
                words = [word for word in PLANTED if word not in str(asked)]
                assert not [word for word in words if word in told_by(answer)], where
                logged = "\n".join(record.getMessage() for record in caplog.records)
                assert not [word for word in words if word in logged], where
                if "location" in answer.headers and answer.status_code == 303:
                    there = await visitor.http.get(answer.headers["location"])
                    assert not [word for word in PLANTED if word in told_by(there)], where


async def test_asking_for_a_hidden_unit_is_asking_for_none(house: House) -> None:
    """Whoever guesses an id of a hidden aircraft is answered as for an id that is nobody's."""
    table = await planted(house)
    blue = table.seats["blue"]
    for path, status in ((table.url, 404), (table.page, 200)):
        texts: set[str] = set()
        for id in ("qid-one", "nobody"):
            answer = await blue.http.get(f"{path}/overlay?unit={id}&aid=gun")
            assert answer.status_code == status
            text = answer.text.replace(id, "ID")
            texts.add(re.sub(r'"request_id":"[^"]*"', "", text))
        assert len(texts) == 1


async def test_again_is_refused_until_the_game_is_over(house: House) -> None:
    """The set-up of a running table in fog is no stranger's, no spectator's and no opponent's."""
    table = await planted(house)
    blue = table.seats["blue"]
    before = len(await blue.get("/api/tables", mine=""))
    for visitor in (blue, table.seats["red"], await house.visitor()):
        answer = await visitor.form("/tables", {"again": table.id}, 404)
        assert "when the game is over" in answer.text
        page = await visitor.page("/games/gunslingers/setup", 404, table=table.id)
        assert "when the game is over" in page
    assert len(await blue.get("/api/tables", mine="")) == before, "nothing was opened"
    await blue.post(f"{table.url}/close", {"version": await table.version()})
    stranger = await house.visitor()
    opened = await stranger.form("/tables", {"again": table.id}, 303)
    other = opened.headers["location"].rsplit("/", 1)[1].partition("?")[0]
    assert (await stranger.get(f"/api/tables/{other}"))["game"] == "gunslingers"


async def test_whoever_holds_every_seat_may_play_it_again(house: House) -> None:
    alone = await house.visitor()
    table = await alone.sit("gunslingers", setup=far_apart(), rulings={"fog": "hard"})
    await alone.form("/tables", {"again": table.id}, 303)
