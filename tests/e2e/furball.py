"""A furball: six jets in three hexes, as data, and a script that plays it to the first shots.

Dice are entered by hand, so each table comes to the same position. Belongs here: set-ups and how to get
on with them through the JSON interface. Does not belong here: what is to be seen of it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from playwright.sync_api import APIRequestContext

from tests.e2e.desk import PLAN

LEVEL = 0
"""The choice to keep the altitude."""


def _jet(jet: str, hex_: str, facing: int, altitude: int, aircraft: str = "f-8e") -> dict[str, Any]:
    return {
        "id": jet,
        "seat": jet.partition("-")[0],
        "aircraft": aircraft,
        "name": jet.replace("-", " ").title(),
        "hex": hex_,
        "facing": facing,
        "altitude": altitude,
        "speed": 4,
    }


FURBALL: Final[Mapping[str, Any]] = {
    "title": "Furball",
    "sun": "N",
    "jets": [
        _jet("blue-1", "1510", 1, 7),
        _jet("blue-2", "1510", 3, 3, "f-100d"),
        _jet("blue-3", "1611", 5, 5, "f-4b"),
        _jet("red-1", "1510", 4, 5, "mig-21f-13"),
        _jet("red-2", "1611", 2, 8, "f-104c"),
        _jet("red-3", "1511", 0, 2, "mig-21f-13"),
    ],
}
"""Three hexes that touch, with three jets, two and one."""

MELEE: Final[Mapping[str, Any]] = {
    "title": "Melee",
    "sun": "N",
    "jets": [
        _jet("red-1", "1514", 0, 5),
        _jet("blue-1", "1515", 0, 6),
        _jet("blue-3", "1516", 0, 3),
        _jet("blue-2", "1504", 3, 8),
        _jet("red-2", "1503", 3, 7),
        _jet("red-3", "1514", 0, 2),
    ],
}
"""Two fights that fly into one another; once all have moved, each jet that can fires."""


def crowd(many: int) -> dict[str, Any]:
    """So many jets in one hex, of both sides, each at another altitude as far as there are any."""
    altitudes = (7, 2, 9, 4, 1, 6, 3, 8)
    sides = ("blue", "red")
    jets = [
        _jet(f"{sides[n % 2]}-{n + 1}", "1510", n % 6, altitudes[n % 8], "f-104c")
        for n in range(many)
    ]
    return {"title": "Crowd", "sun": "N", "jets": jets}


def open_table(request: APIRequestContext, setup: Mapping[str, Any], **order: Any) -> str:
    """A solo table with this set-up; its id."""
    body = {"game": "osaaf", "mode": "solo", "setup": setup, **order}
    answer = request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    return str(answer.json()["id"])


def view_of(request: APIRequestContext, table: str) -> dict[str, Any]:
    """The table as its player sees it."""
    answer = request.get(f"/api/tables/{table}")
    assert answer.ok, answer.text()
    view: dict[str, Any] = answer.json()
    return view


def play(
    request: APIRequestContext,
    table: str,
    until: Callable[[Mapping[str, Any]], object],
    attack_dice: int = 5,
) -> dict[str, Any]:
    """Fly straight on and shoot at what can be shot at until a view is as wanted. Returns that view."""
    for step in range(300):
        view = view_of(request, table)
        if until(view):
            return view
        offer = view["offers"][0]
        body: dict[str, Any] = {"version": view["version"], "offer": offer["id"]}
        if offer["kind"] == "roll":
            face = {"attack": attack_dice, "energy": 5}.get(
                offer["id"].partition(":")[0], step % 6 + 1
            )
            body["dice"] = [face] * int(offer["pool"].partition("d")[0])
        elif offer["kind"] == "decision":
            body["choice"] = _choice(offer)
        path = "advance" if offer["kind"] == "confirm" else "commands"
        answer = request.post(f"/api/tables/{table}/{path}", data=body)
        assert answer.ok, answer.text()
    raise AssertionError("it did not come to that")


def _choice(offer: Mapping[str, Any]) -> Any:
    free = [option["value"] for option in offer["options"] if "blocked" not in option]
    if PLAN in free:
        return PLAN
    if "ahead-all" in free:
        return "ahead-all"
    if offer["id"].startswith("fire:"):
        missiles_first = sorted(free, key=lambda value: "heat_seeker" not in str(value))
        return next((value for value in missiles_first if value != "hold"), "hold")
    return LEVEL if LEVEL in free else free[0]


def shots_of(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The shots that a view tells of."""
    return [mark for mark in view.get("marks", ()) if mark["kind"].startswith("shot-")]
