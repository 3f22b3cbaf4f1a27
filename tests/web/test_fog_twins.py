"""Two games that differ only in what is hidden are the same, byte by byte, to whoever may not know it.

Each pair is played side by side on the same dice: Blue makes the same choices in both, Red what it likes of its own.
At each moment at which Blue is asked, all that Blue, a spectator and a stranger can fetch by any door is compared.
All dice show ten, so nobody finds anybody: what a die finds is no secret any more.
"""

import random
import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

import pytest

from app.engine import dice
from app.tables import opening
from tests.web.house import House, Table, Visitor, any_choice
from tests.web.test_fog import far_apart

pytestmark = pytest.mark.anyio

Change = Mapping[str, Any]


@pytest.fixture(autouse=True)
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games have the same seed, and no die finds anything."""
    monkeypatch.setattr(opening, "new_seed", lambda: bytes(32))
    monkeypatch.setattr(dice, "die", lambda *about: 10)


@pytest.fixture
def still(own_house: House) -> House:
    """A server where no time passes."""
    own_house.site.service.clock = lambda: 1_700_000_000_000
    return own_house


def hidden(**changes: Any) -> dict[str, Any]:
    """Two against two, far apart, with Red's aircraft changed."""
    setup: dict[str, Any] = far_apart()
    setup["turns"] = 2
    for one in setup["aircraft"]:
        if one["side"] == "red":
            one |= changes
    return setup


def other_names() -> dict[str, Any]:
    """The same with other ids and names, words of the game among them."""
    setup = hidden()
    reds = [one for one in setup["aircraft"] if one["side"] == "red"]
    for one, id, name in zip(reds, ("fighter", "hold"), ("Viper Too", "Nobody"), strict=True):
        one["id"], one["name"] = id, name
    return setup


def near(*places: str, **changes: Any) -> dict[str, Any]:
    """The same with Red's aircraft at these places."""
    setup = hidden(**changes)
    reds = [one for one in setup["aircraft"] if one["side"] == "red"]
    for one, place in zip(reds, places, strict=True):
        one["place"] = place
    return setup


TWINS: Mapping[str, dict[str, Any]] = {
    "names": other_names(),
    "both at a flank": near("0536", "0738", facing=3),
    "one at a flank": near("0536", "9522"),
    "card, height and stores": hidden(
        card="mig-21mf", altitude=30, stores=[{"missile": "ir-rear", "count": 2}]
    ),
}
"""What others than Red can't tell from `hidden()`, as long as no die finds anybody."""


async def pair(house: House, setup: Mapping[str, Any], fog: str, **order: Any) -> Table:
    """Blue opens the table, Red joins it."""
    blue, red = await house.visitor(), await house.visitor()
    rulings = {"fog": fog}
    table = await blue.sit(
        "gunslingers", mode="shared", name="Twins", setup=setup, rulings=rulings, **order
    )
    await table.join("red", red)
    return table


async def bodies(table: Table, visitor: Visitor) -> Iterator[str]:
    """All that somebody can fetch of a table."""
    view = await visitor.get(table.url)
    count = view["log"]
    paths = [
        table.url,
        f"{table.url}/log?limit=1000",
        table.page,
        f"{table.page}/log?before={count}",
        f"{table.page}/dice",
        f"{table.page}/dice.json",
        f"{table.page}/stream?once=true",
        f"{table.page}/after",
        f"{table.url}/summary",
        f"{table.url}?at={count + 1}",
        f"{table.url}?at={max(1, count - 2)}",
        f"{table.page}?at={max(1, count - 2)}",
        f"/games/gunslingers/setup?table={table.id}",
        *(f"{table.url}/overlay?unit=blue-1&aid={aid}" for aid in AIDS),
        *(f"{table.url}/odds?offer={one['id']}&choice=%22%22" for one in view["offers"]),
        *(f"{table.url}/draft?offer={one['id']}&text=" for one in view["offers"]),
    ]
    found: list[str] = []
    for path in paths:
        answer = await visitor.http.get(path, headers={"hx-request": "true"})
        assert answer.status_code < 500, (path, answer.text[:300])
        found.append(f"{path} {answer.status_code} {answer.text}")
    lines = [one for one in await visitor.get("/api/tables", open="") if one["id"] == table.id]
    return (_without_names(table, text) for text in [*found, str(lines)])


AIDS = ("gun", "sight", "radar")


def _without_names(table: Table, text: str) -> str:
    """What is drawn at random for each table, taken out."""
    text = text.replace(table.id, "TABLE")
    text = re.sub(r"since=[0-9a-f]+\.\d+", "since=", text)
    text = re.sub(r"<code>[0-9a-f]{8}</code>", "", text)  # of a refusal
    return re.sub(r'"request_id": ?"[^"]*"', "", text)


async def red_plays(table: Table, rng: random.Random | None) -> list[str]:
    """Red answers all that it is asked, without an `rng` always the first. Returns what Blue sees meanwhile, each sight once.

    But in the Flight Phase: there the order in which all fly is the rules' own, and shows.
    """
    waits: list[str] = []
    for _ in range(200):
        seen = (await table.seats["blue"].http.get(table.url)).text
        if '"phase":{"id":"flight"' not in seen and waits[-1:] != [seen]:
            waits.append(seen)
        view = await table.view("red")
        mine = [one for one in view["offers"] if one["seat"] == "red" and "held" not in one]
        if not mine:
            return [_without_names(table, wait) for wait in waits]
        body = {
            "version": view["version"],
            "offer": mine[0]["id"],
            "choice": any_choice(rng, mine[0]) if rng else steady(mine[0]),
        }
        await table.seats["red"].post(f"{table.url}/commands", body)
    raise AssertionError("Red is asked without end")


def steady(offer: Mapping[str, Any]) -> Any:
    """Blue's choice, the same in both games: what comes first, or to fly on."""
    free = [one["value"] for one in offer["options"] if "blocked" not in one]
    return free[0] if free else offer["example"]


async def told(table: Table, seed: int | None = None) -> list[list[str]]:
    """A whole game as others than Red get it, at each moment at which Blue is asked.

    With a seed, Blue chooses at random, and only its view and log are looked at. Red then flies steadily, for whoever
    crashes or leaves is known.
    """
    own, rng = (None, random.Random(5)) if seed is None else (random.Random(seed), None)
    blue, eve, ann = table.seats["blue"], await table.house.visitor(), table.house.stranger()
    moments: list[list[str]] = []
    streams = [await who.stream(f"{table.page}/frames") for who in (blue, eve)]
    for _ in range(200):
        seen = await red_plays(table, rng)
        await table.house.quiet()
        frames = [message.raw for stream in streams for message in stream.pending()]
        seen += [re.sub(r"id: [0-9a-f]+\.", "id: ", _without_names(table, raw)) for raw in frames]
        view = await table.view("blue")
        if view["finished"]:
            return moments
        mine = [one for one in view["offers"] if "held" not in one]
        assert mine, view["prompt"]
        moments.append(seen)
        if own is None:
            moments[-1] += [text for who in (blue, eve, ann) for text in await bodies(table, who)]
            choice = steady(mine[0])
        else:
            log = await blue.http.get(f"{table.url}/log?limit=1000")
            moments[-1].append(_without_names(table, log.text))
            choice = any_choice(own, mine[0])
        body = {"version": view["version"], "offer": mine[0]["id"], "choice": choice}
        await blue.post(f"{table.url}/commands", body)
    raise AssertionError("the game has no end")


async def test_near_ones_are_found_by_good_dice(
    still: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the others can't tell makes a difference: with ones for tens, those who are near are seen."""
    monkeypatch.setattr(dice, "die", lambda *about: 1)
    for setup, found in (
        (hidden(), 0),
        (TWINS["both at a flank"], 2),
        (TWINS["one at a flank"], 1),
    ):
        table = await pair(still, setup, "hard")
        await table.command("blue", "", offer="watch:blue")
        await table.command("red", "", offer="watch:red")
        units = (await table.view("blue"))["units"]
        assert sum(one["seat"] == "red" for one in units) == found


@pytest.mark.parametrize("fog", ["hard", "soft"])
async def test_whole_games_that_differ_only_in_what_is_hidden(still: House, fog: str) -> None:
    plain = await told(await pair(still, hidden(), fog))
    assert len(plain) > 12
    for name, setup in TWINS.items():
        compare(name, plain, await told(await pair(still, setup, fog)))


@pytest.mark.parametrize("seed", range(3))
async def test_longer_games_at_random(still: House, seed: int) -> None:
    def longer(setup: dict[str, Any]) -> dict[str, Any]:
        return {**setup, "turns": 4}

    plain = await told(await pair(still, longer(hidden()), "hard"), seed)
    for name in ("names", "card, height and stores"):
        twin = await told(await pair(still, longer(TWINS[name]), "hard"), seed)
        compare(name, plain, twin)


def compare(name: str, plain: list[list[str]], twin: list[list[str]]) -> None:
    """Raises unless two stories are the same at each moment."""
    apart = [
        (n, _where(one, two))
        for n, (here, there) in enumerate(zip(plain, twin, strict=False))
        for one, two in zip_longest(here, there, fillvalue="")
        if one != two
    ]
    assert not apart, (name, apart[0])
    assert len(plain) == len(twin), name


def _where(one: str, two: str) -> tuple[str, str]:
    """Where two texts part, with what stands before and after it."""
    at = next(n for n, (a, b) in enumerate(zip_longest(one, two)) if a != b)
    path = one.partition(" ")[0]
    return f"{path}: …{one[max(0, at - 150) : at + 150]}", f"…{two[max(0, at - 50) : at + 150]}"
