"""Gunslingers for browsers: set-ups, and a table of two whose plain questions are answered by a script.

Dice are entered by hand, so each table comes to the same position. Belongs here: set-ups, and how one or two people get
on with them. Does not belong here: what is to be seen of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from playwright.sync_api import Locator, Page, expect

from tests.e2e.desk import Desk

GAME: Final = "gunslingers"
MOST_ANSWERS: Final = 60

DICE: Final = {
    "search": 1,
    "base:blue": 1,
    "base:red": 6,
    "tie:blue": 2,
    "tie:red": 8,
    "burst": 1,
    "damage": 1,
}
"""What is thrown by the beginning of a roll's id; 5 for every other. Blue flies first where nothing else decides."""

BLIND: Final = {"search": 10, "radar": 10, **{key: DICE[key] for key in DICE if key != "search"}}
"""The same, but nobody finds anybody."""


def jet(id: str, card: str, place: str, facing: int, **changes: Any) -> dict[str, Any]:
    """An aircraft in sight of the enemy at level 18, unless told otherwise."""
    given = {"id": id, "side": id.partition("-")[0], "card": card, "place": place, "facing": facing}
    name = id.replace("-", " ").title()
    return {"name": name, "altitude": 18, "speed": 5.5, "sighted": True, **given, **changes}


CHASE: Final[Mapping[str, Any]] = {
    "title": "Chase",
    "aircraft": [
        jet("blue-1", "f-8e", "1426", 0),
        jet("red-1", "mig-21mf", "1424", 0, speed=4.5),
        jet("red-2", "mig-21mf", "1621", 6),
    ],
}
"""Blue 1 has one MiG before its guns and another coming at it, and can keep its eyes on one of them only."""

KEPT: Final = ("veteran", "tactics master", "combat hero", "basilisk")
"""What only Blue may read of SECRETIVE: its crew's traits, and the name of what it carries."""

SECRETIVE: Final[Mapping[str, Any]] = {
    "title": "Far apart",
    "missile_cards": [
        {
            "id": "ir-rear",
            "name": "Basilisk",
            "seeker": "IR-E",
            "launch": 7,
            "min_range": 2,
            "max_range": 8,
            "speed": 12,
            "turns": 2,
            "hit": 6,
            "direct": 7,
            "proximity": 4,
            "visibility": 3,
            "flare": 4,
        }
    ],
    "aircraft": [
        jet(
            "quokka",
            "f-4e",
            "0510",
            3,
            side="blue",
            name="Nightjar",
            sighted=False,
            crew=[{"quality": "veteran", "tactics_master": True}, {"combat_hero": True}],
            stores=[{"missile": "ir-rear", "count": 2}],
        ),
        jet("red-1", "mig-21mf", "3620", 9),
    ],
}
"""A crew full of secrets with a missile of another name, far from a MiG that it sees and that does not see it."""


def deal_out(page: Page, setup: Mapping[str, Any], **order: Any) -> str:
    """Open a table with this set-up, dice by hand unless told otherwise; its id."""
    body = {"game": GAME, "mode": "solo", "dice": "hand", "setup": dict(setup), **order}
    answer = page.request.post("/api/tables", data=body)
    assert answer.ok, answer.text()
    return str(answer.json()["id"])


def alone(
    page: Page, setup: Mapping[str, Any], until: str, dice: Mapping[str, int] = DICE, **order: Any
) -> "Pilot":
    """A solo table with this set-up where a question is open, told by the beginning of its id."""
    table = deal_out(page, setup, **order)
    play_to(table, (page,), until, dice)
    page.goto(f"/tables/{table}")
    return Pilot(page).ready()


def two(
    first: Page,
    second: Page,
    setup: Mapping[str, Any],
    until: str,
    dice: Mapping[str, int] = DICE,
    **order: Any,
) -> "Duel":
    """A table for two with this set-up, played until a question is open. Whoever opens it is Blue."""
    table = deal_out(first, setup, mode="shared", **order)
    first.goto(f"/tables/{table}")
    second.goto(first.locator("#table input[aria-label^=Invitation]").input_value())
    second.get_by_role("button", name="Take the seat").click()
    duel = Duel(Pilot(first).ready(), Pilot(second).ready())
    expect(first.locator("#seats .seat.here")).to_have_count(2)
    duel.both(play_to(table, (first, second), until, dice))
    return duel


def play_to(table: str, pages: Sequence[Page], until: str, dice: Mapping[str, int] = DICE) -> int:
    """Answer plainly for these people, by the JSON interface, until a question is open. Returns the version then."""
    held: set[str] = set()
    for _ in range(MOST_ANSWERS):
        views = [page.request.get(f"/api/tables/{table}").json() for page in pages]
        offers = [
            (page, view["version"], one)
            for page, view in zip(pages, views, strict=True)
            for one in view["offers"]
        ]
        if any(one["id"].startswith(until) for _, _, one in offers):
            return int(views[0]["version"])
        page, version, offer = next(one for one in offers if one[2]["id"] not in held)
        body: dict[str, Any] = {"version": version, "offer": offer["id"]}
        if offer["kind"] == "roll":
            body["dice"] = [face_of(offer["id"], dice)] * int(offer["pool"].partition("d")[0])
        else:
            body["choice"] = next(one["value"] for one in offer["options"] if "blocked" not in one)
        answer = page.request.post(f"/api/tables/{table}/commands", data=body)
        assert answer.ok, answer.text()
        held.add(offer["id"])
        if answer.json()["version"] != version:
            held.clear()
    raise AssertionError(f"no question {until} came up")


def face_of(offer: str, dice: Mapping[str, int]) -> int:
    """What is thrown for a roll."""
    return next((face for start, face in dice.items() if offer.startswith(start)), 5)


class Pilot(Desk):
    """One person's page of a table of Gunslingers."""

    def ready(self) -> Self:
        """Wait until lines are read too."""
        super().ready()
        if self.line.count():
            expect(self.page.locator("#keys kbd").get_by_text("Backspace")).to_have_count(1)
        return self

    @property
    def line(self) -> Locator:
        """The field of a line."""
        return self.page.locator("#line")

    @property
    def fault(self) -> Locator:
        """What is wrong with the line."""
        return self.page.locator("#draft-fault")

    def read(self, text: str) -> Self:
        """The field has this line, and the server has read it."""
        expect(self.line).to_have_value(text)
        expect(self.page.locator("#draft-read")).to_have_attribute("data-asked", text)
        return self

    def write(self, text: str) -> Self:
        """Put a line into the field at once."""
        self.line.fill(text)
        return self.read(text)

    def token(self, words: str) -> Self:
        """Press the button of a token that may follow."""
        label = self.page.get_by_text(words, exact=True)
        button = self.page.locator("#draft .next button").filter(has=label)
        value = str(button.get_attribute("value"))
        button.click()
        return self.read(value)

    def quick(self, words: str) -> Self:
        """Press the button of a whole line."""
        button = self.page.locator(".quick button").filter(has_text=words).first
        value = str(button.get_attribute("value"))
        button.click()
        return self.read(value)

    def throw(self, face: int) -> int:
        """Enter a die, the same face for each where there are several."""
        for field in self.page.locator("#act input[name=faces]").all():
            field.fill(str(face))
        return self.confirm()

    def pick(self, words: str) -> None:
        """Choose the option with this label."""
        label = self.page.get_by_text(words, exact=True)
        self.page.locator("#act .opt").filter(has=label).locator("input").check()

    def enter(self) -> int:
        """Press Enter, wherever the focus is, and wait for what comes of it."""
        expect(self.primary).to_be_enabled()
        before = self.version
        self.page.keyboard.press("Enter")
        self.after(before)
        expect(self.page.locator("body.busy")).to_have_count(0)
        return self.version

    def tap(self) -> int:
        """Tap the primary button and wait for what comes of it."""
        before = self.version
        self.page.wait_for_timeout(360)  # a tap that comes sooner is the second one of a double tap
        self.primary.tap()
        self.after(before)
        expect(self.page.locator("body.busy")).to_have_count(0)
        return self.version

    def plainly(self, dice: Mapping[str, int] = DICE) -> int:
        """Answer the open question as nobody in particular would: straight on, no shots, no changes."""
        if self.page.locator("#act input[name=faces]").count():
            return self.throw(face_of(self.offer, dice))
        if self.kind == "fly":
            self.quick("Straight on")
        elif not self.line.count() and not self.page.locator("#act input:checked").count():
            self.options.first.check()
        return self.confirm()

    def skip_to(self, until: str, dice: Mapping[str, int] = DICE) -> Self:
        """Go on by the JSON interface until a question is open."""
        table = self.page.url.rpartition("/")[2]
        self.reaches(play_to(table, (self.page,), until, dice))
        return self

    def decide(self) -> None:
        """Answer a sealed question plainly; the next one is the other side's, or comes of both."""
        offer = self.offer
        self.primary.click()
        expect(self.page.locator("#act input[name=offer]")).not_to_have_value(offer)
        expect(self.page.locator("body.busy")).to_have_count(0)


class Duel:
    """Two people at one table."""

    def __init__(self, blue: Pilot, red: Pilot) -> None:
        self.blue = blue
        self.red = red

    @property
    def desks(self) -> tuple[Pilot, Pilot]:
        """Both, Blue first."""
        return self.blue, self.red

    @property
    def actor(self) -> Pilot:
        """Whose question is open, Blue first."""
        return self.blue if self.blue.offer else self.red

    def both(self, version: int) -> None:
        """Wait until both pages show what is so now, after Blue's or Red's page has come to this version.

        In fog the two count apart: each what it is told of.
        """
        table = self.blue.page.url.rpartition("/")[2]
        now = [desk.page.request.get(f"/api/tables/{table}").json() for desk in self.desks]
        assert version in [view["version"] for view in now]
        for desk, view in zip(self.desks, now, strict=True):
            desk.reaches(view["version"])

    def decide(self, blue: str = "", red: str = "") -> None:
        """Both decide in secret."""
        self.blue.write(blue)
        self.blue.primary.click()
        expect(self.blue.page.locator("#act .held")).to_be_visible()
        self.red.write(red)
        self.both(self.red.confirm())

    def skip_to(self, until: str, dice: Mapping[str, int] = DICE) -> None:
        """Go on by the JSON interface until a question is open."""
        table = self.blue.page.url.rpartition("/")[2]
        self.both(play_to(table, [desk.page for desk in self.desks], until, dice))

    def fly_to(self, until: str, dice: Mapping[str, int] = DICE) -> None:
        """Answer plainly, each on his page, until a question is open."""
        for _ in range(MOST_ANSWERS):
            if any(desk.offer.startswith(until) for desk in self.desks):
                return
            if self.blue.kind == "decide":
                self.decide()
            else:
                assert self.actor.offer, "nobody can act"
                self.both(self.actor.plainly(dice))
        raise AssertionError(f"no question {until} came up")


def spots(*labels: str) -> list[tuple[float, float]]:
    """Where hexes and hexsides lie in the drawing: columns 39 apart, rows 45, even columns half a row further up."""
    found: list[tuple[float, float]] = []
    for label in labels:
        hexes = [(int(part[:2]), int(part[2:])) for part in label.split("/")]
        across = [39 * column - 13 for column, _ in hexes]
        down = [45 * row - (0 if column % 2 else 22.5) for column, row in hexes]
        found.append((sum(across) / len(hexes), sum(down) / len(hexes)))
    return found
