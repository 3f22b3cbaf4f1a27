"""A desk: one person's page of a table, and what that person does there."""

import json
import re
from typing import Any, Self, cast

from playwright.sync_api import Locator, Page, expect

PLAN = {"afterburner": False, "aim": False, "hard_turns": 0, "jink": False}

# What the server has sent, without what the script adds to it in the browser.
_PARTS = """(ids) => {
  const own = ["sel", "show", "over", "chosen", "fly", "htmx-settling", "htmx-added", "htmx-swapping"];
  const tidy = (node) => {
    for (const name of ["tabindex", "data-off", "style", "data-htmx-powered"]) node.removeAttribute(name);
    if (node.classList) own.forEach((name) => node.classList.remove(name));
    if (node.getAttribute("class") === "") node.removeAttribute("class");
    const all = [...node.attributes].map((a) => [a.name, a.value]).sort();
    all.forEach(([name]) => node.removeAttribute(name));
    all.forEach(([name, value]) => node.setAttribute(name, value));
    [...node.children].forEach(tidy);
    return node;
  };
  return Object.fromEntries(ids.map((id) => {
    const node = tidy(document.getElementById(id).cloneNode(true));
    if (id === "log-lines") while (node.children.length > 40) node.firstElementChild.remove();
    return [id, node.outerHTML.replace(/\\s+/g, " ").replace(/> </g, "><")];
  }));
}"""
# Another version or question than before, and all of it: a frame is shown part by part.
_MOVED_ON = """([version, offer]) => {
  const field = (name) => document.querySelector(`#act input[name=${name}]`)?.value ?? "";
  const now = document.querySelector("#version").value, asked = field("version");
  return (!asked || asked === now) && (now !== version || (offer !== null && field("offer") !== offer));
}"""
PARTS = (
    "version",
    "phases",
    "seats",
    "facts",
    "now",
    "trails",
    "lit",
    "counters",
    "cards",
    "rows",
    "log-lines",
    "after-link",
    "dice-panel",
    "effects-below",
    "effects-above",
    "effects-text",
)


def deal(page: Page, how: str, game: str = "Our Space Age Air Force") -> None:
    """Press a button such as "Play solo" on a game's card of the home page."""
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=game))
    card.get_by_role("button", name=how).click()


class Desk:
    """One person's page of a table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.now = page.locator("#now")
        self.title = page.locator("#ask-title")
        self.primary = page.locator("#primary")
        self.undo = page.locator("#undo")
        self.options = page.locator("#act input[name=choice]")
        self.lines = page.locator("#log-lines > li.line")

    # Coming to a table

    @classmethod
    def solo(cls, page: Page, scenario: str = "duel", **fields: str) -> Self:
        """Open a solo table."""
        return cls.open(page, {"scenario": scenario, "mode": "solo", **fields})

    @classmethod
    def pair(cls, first: Page, second: Page, **fields: str) -> tuple[Self, Self]:
        """Open a table for two; the second takes the seat that is left."""
        host = cls.open(first, {"scenario": "duel", "mode": "shared", **fields})
        link = host.page.locator("#table input[aria-label^=Invitation]").input_value()
        second.goto(link)
        second.get_by_role("button", name="Take the seat").click()
        guest = cls(second).ready()
        expect(host.page.locator("#seats .seat.here")).to_have_count(2)
        return host, guest

    @classmethod
    def open(cls, page: Page, fields: dict[str, str]) -> Self:
        # Straight to the form's address: the click on the home page is a test of its own.
        form: dict[str, str | float | bool] = {"game": "osaaf", **fields}
        answer = page.request.post("/tables", form=form, max_redirects=0)
        assert answer.status == 303, answer.text()
        page.goto(answer.headers["location"].split("?")[0])
        return cls(page).ready()

    def ready(self) -> Self:
        """Wait until the script runs and the stream is open."""
        expect(self.page.locator("#panels > [role=tablist]")).to_be_visible()
        self.page.wait_for_function(
            "() => document.querySelector('#stream')?._htmx?.sse", polling=50
        )
        return self

    # Reading

    @property
    def version(self) -> int:
        return int(self._value("#version", "value") or 0)

    @property
    def turn(self) -> int:
        return int(self.page.locator(".turn b").inner_text())

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return self.now.locator("a[href$='/after']").count() > 0

    @property
    def offer(self) -> str:
        """The id of the open question, "" when there is none for this person."""
        return self._value("#act input[name=offer]", "value") or ""

    @property
    def kind(self) -> str:
        """Its first word: plan, altitude, brakes, move."""
        return self.offer.partition(":")[0]

    @property
    def unit(self) -> str:
        """The unit that is to act."""
        return self._value("#now", "data-unit") or ""

    def _value(self, selector: str, name: str) -> str | None:
        found: Any = self.page.evaluate(
            "([s, n]) => document.querySelector(s)?.getAttribute(n) ?? null", [selector, name]
        )
        return cast("str | None", found)

    def hexes(self) -> dict[str, str]:
        """Where each counter is."""
        return self.page.locator("#counters .unit[data-hex]").evaluate_all(
            "all => Object.fromEntries(all.map(u => [u.dataset.unit, u.dataset.hex]))"
        )

    def parts(self) -> dict[str, str]:
        """What the page shows, part by part, as markup."""
        return self.page.evaluate(_PARTS, list(PARTS))

    def expect_as_fresh(self) -> None:
        """What has come piece by piece is what a reader who comes now gets (L-17)."""
        # The first page of a context may be asked, as it is the same person.
        page = self.page.context.new_page()
        page.goto(self.page.url)
        fresh = Desk(page)
        expect(page.locator("#version")).to_have_attribute("value", str(self.version))
        mine, new = self.parts(), fresh.parts()
        page.close()
        for name in PARTS:
            assert mine[name].split("<") == new[name].split("<"), f"#{name} is not as it should be"

    # Doing

    def radio(self, value: Any) -> Locator:
        """The option with this value."""
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
        return self.page.locator(f"#act input[name=choice][value='{text}']")

    def choose(self, value: Any) -> None:
        self.radio(value).check()

    def plan(self, **changes: Any) -> None:
        self.choose({**PLAN, **changes})

    def confirm(self) -> int:
        """Press the primary button and wait for what follows. Returns the new version."""
        before = self.version
        self.primary.click()
        self.after(before)
        # The news may come by the stream before the command has its answer.
        expect(self.page.locator("body.busy")).to_have_count(0)
        return self.version

    def after(self, version: int) -> int:
        """Wait for a version later than this one, and its question."""
        self.page.wait_for_function(_MOVED_ON, arg=[str(version), None], polling=20)
        return self.version

    def moved_on(self, offer: str, version: int) -> None:
        """Wait for another question or version than these; a sealed answer makes no version."""
        self.page.wait_for_function(_MOVED_ON, arg=[str(version), offer], polling=20)
        expect(self.page.locator("body.busy")).to_have_count(0)

    def reaches(self, version: int, timeout: float = 10_000) -> None:
        """Wait for just this version."""
        attribute = str(version)
        locator = self.page.locator("#version")
        expect(locator).to_have_attribute("value", attribute, timeout=timeout)

    def answer(self) -> int:
        """Answer the open question in the plainest way."""
        if self.kind == "move":
            whole = self.radio("ahead-all")
            (whole if whole.count() else self.radio("ahead")).check()
        elif not self.page.locator("#act input[name=choice]:checked").count():
            self.page.locator("#act input[name=choice]:enabled").first.check()
        return self.confirm()

    def play_to(self, kind: str, unit: str = "") -> Self:
        """Answer plainly until the open question is of this kind (and of this unit)."""
        for _ in range(60):
            if self.kind == kind and (not unit or self.unit == unit):
                return self
            self.answer()
        raise AssertionError(f"no question {kind} {unit} came up")

    def play_turn(self) -> Self:
        """Answer plainly until the turn is over."""
        turn = self.turn
        for _ in range(60):
            if self.turn != turn:
                return self
            self.answer()
        raise AssertionError(f"turn {turn} did not end")

    def tab(self, name: str) -> Locator:
        """Open a tab of the side panel and return its panel."""
        tab = self.page.get_by_role("tab", name=name)
        tab.click()
        panel = self.page.locator("#" + (tab.get_attribute("aria-controls") or ""))
        expect(panel).to_be_visible()
        return panel

    def concede(self) -> None:
        """End the game by the two steps in the tab Table."""
        panel = self.tab("Table")
        panel.get_by_role("button", name=re.compile("^(Concede|Close this table)…$")).click()
        self.page.locator("form[action$='/close'] button").click()
        expect(self.page.locator("#primary")).to_have_text(re.compile("^(Play again|Rematch)"))
