"""Moments of a mission of F-14 Tomcats, as data, and how a script comes to them with dice by hand.

Belongs here: set-ups, and the answers that lead on from them. Does not belong here: what is to be seen.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from playwright.sync_api import APIRequestContext

GAME: Final = "f14-tomcats"
TARGETS: Final = (
    {"waypoint": 8, "type": "hq-bunker"},
    {"waypoint": 14, "type": "power-station"},
)
ANVIL: Final[Mapping[str, Any]] = {
    "name": "Alex Reyes",
    "call_sign": "Anvil",
    "career": {"rank": "Captain", "missions": 16, "points": 26},
}
BISHOP: Final[Mapping[str, Any]] = {"name": "Sam Okafor", "call_sign": "Bishop"}


class Moment(NamedTuple):
    """A set-up, the faces and choices that are given one after another, and the table's pace."""

    setup: Mapping[str, Any]
    answers: Sequence[Any] = ()
    pace: str = "flow"


def setup(*pilots: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """A set-up with these pilots, or one, and both targets known."""
    return {
        "title": "Night strike",
        "pilots": [dict(one) for one in pilots or (ANVIL,)],
        "targets": list(TARGETS),
        **changes,
    }


WORN: Final = {**ANVIL, "damage": 2, "stores": {"cannon": 6, "sidewinder": 2, "maverick": 1}}
DOOMED: Final = {**ANVIL, "damage": 6, "stores": {"chaff": 0}}

MOMENTS: Final[Mapping[str, Moment]] = {
    "start": Moment(setup(targets=[]), pace="step"),
    "flight": Moment(setup(WORN, waypoint=15), [3, 4], "step"),
    "sam": Moment(setup(waypoint=5), [1, 2, 5, 5, 1, 2, 2, 6, 1]),
    "migs": Moment(setup({**ANVIL, "damage": 1}, waypoint=10), [1, 5, 5, "amraam", 6, "sidewinder", 2]),
    "aim": Moment(setup(waypoint=10), [1, 5, 3, "amraam"], "step"),
    "pass": Moment(setup(waypoint=7), [3, "maverick", 3], "step"),
    "bombed": Moment(setup(waypoint=7), [3, "maverick", 3, 6]),
    "two": Moment(setup(ANVIL, {**BISHOP, "damage": 2}, waypoint=11), [1, 5, 5, "amraam@jet-1", 6]),
    "down": Moment(setup(DOOMED, waypoint=20), [1, 1, 1, 6]),
    "rescued": Moment(setup(DOOMED, waypoint=20), [1, 1, 1, 6, 4]),
    "lost": Moment(setup(DOOMED, waypoint=20), [1, 1, 1, 6, 2]),
    "home": Moment(setup({**ANVIL, "damage": 3}, waypoint=23), [2, 2]),
}  # fmt: skip


def come_to(request: APIRequestContext, moment: Moment) -> str:
    """A solo table at this moment; its id."""
    body = {
        "game": GAME,
        "mode": "solo",
        "dice": "hand",
        "pace": moment.pace,
        "setup": dict(moment.setup),
    }
    answer = request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    table = str(answer.json()["id"])
    left = list(moment.answers)
    while left:
        view: dict[str, Any] = request.get(f"/api/tables/{table}").json()
        offer = view["offers"][0]
        told: dict[str, Any] = {"version": view["version"]}
        path = "advance"
        if offer["kind"] != "confirm":
            path = "commands"
            told["offer"] = offer["id"]
            if offer["kind"] == "roll":
                count = int(offer["pool"].partition("d")[0])
                told["dice"] = [left.pop(0) for _ in range(count)]
            else:
                told["choice"] = left.pop(0)
        done = request.post(f"/api/tables/{table}/{path}", data=told)
        assert done.ok, done.text()
    return table
