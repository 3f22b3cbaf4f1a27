"""Marks on the board: what is sent of them and when, what scripts get, and where units of one hex stand."""

from dataclasses import replace
from typing import Any

import pytest

from app.engine.game import Mark
from app.engine.secret import Viewer
from app.tables.live import LiveTable
from app.tables.looking import page_of
from app.tables.views import MarkBeside, Page
from tests.web.dom import Element, parse
from tests.web.house import House, Table, Visitor, settle, small_duel
from tests.web.test_streams import since_of

pytestmark = pytest.mark.anyio

SHOT = Mark(
    id="shot-0", kind="shot-gun", hex="1203", to="1204", words="Blue 1 fired: hit", side="blue", good=True
)  # fmt: skip
SPLASH = Mark(id="wreck-red-1", kind="splash", hex="1205", words="Red 1 fell here", side="red")


class Marked:
    """A table whose marks the test decides."""

    def __init__(self, house: House, table: Table, live: LiveTable) -> None:
        self.house, self.table, self.live = house, table, live
        self.marks: list[Mark] = []
        self.asked: list[Viewer] = []
        live.game = replace(live.game, marks=self._marks)

    @classmethod
    async def of(cls, house: House, visitor: Visitor, **setup: Any) -> "Marked":
        table = await visitor.sit(setup=small_duel(**setup))
        return cls(house, table, await house.site.service.get(table.id))

    def _marks(self, state: Any, viewer: Viewer) -> tuple[Mark, ...]:
        self.asked.append(viewer)
        return tuple(self.marks)

    def show(self, *marks: Mark) -> None:
        """These are there now, and nothing else."""
        self.marks[:] = marks
        self.live.game = self.live.game  # another position: no look of the last one is kept
        self.house.site.hub.publish(self.live)

    def page(self) -> Page:
        self.live.game = self.live.game  # another position: no look of the last one is kept
        return page_of(self.live, frozenset({"blue", "red"}))


def layer(page: Element, name: str) -> list[Element]:
    """The marks that a layer of the board shows."""
    found = page.find(f"effects-{name}")
    assert found is not None
    assert name == "text" or found.attrs["aria-hidden"] == "true"
    return found.elements()


async def test_marks_are_drawn_and_told(house: House, ann: Visitor) -> None:
    """What leads somewhere over the counters, the rest under them; both as text."""
    marked = await Marked.of(house, ann)
    marked.show(SPLASH, SHOT)
    page = parse(await ann.page(marked.table.page))
    (shot,) = layer(page, "above")
    assert shot.attrs["id"] == "m-shot-0"
    assert "first" in shot.attrs["class"].split()
    assert any(element.attrs.get("class") == "burst" for element in shot.walk())
    (splash,) = layer(page, "below")
    assert splash.attrs["id"] == "m-wreck-red-1"
    assert "second" in splash.attrs["class"].split()
    assert [line.text().strip() for line in layer(page, "text")] == [SPLASH.words, SHOT.words]
    board = page.find("board")
    assert board is not None
    order = [element.attrs.get("id") for element in board.elements()]
    places = [order.index(one) for one in ("effects-below", "counters", "effects-above", "marks")]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", ["shot-gun", "shot-heat", "shot-radar"])
@pytest.mark.parametrize("to", ["1203", "1204", "1303", "1110", "2009"])
@pytest.mark.parametrize("good", [True, False])
async def test_every_shot_can_be_drawn(
    house: House, ann: Visitor, kind: str, to: str, good: bool
) -> None:
    """At any range, in every direction, and also within a hex: with numbers and nothing else."""
    marked = await Marked.of(house, ann)
    marked.show(Mark(id="a", kind=kind, hex="1203", to=to, good=good, side="blue"))
    (shot,) = layer(parse(await ann.page(marked.table.page)), "above")
    text = shot.canonical()
    assert "nan" not in text
    assert "e-" not in text.replace("stroke-", "")
    assert "--" not in text
    assert ("burst" in text) == good
    assert ("miss" in text) != good


async def test_a_frame_brings_what_has_changed_and_no_more(house: House, ann: Visitor) -> None:
    marked = await Marked.of(house, ann)
    since = since_of(await ann.page(marked.table.page))
    stream = await ann.stream(f"{marked.table.page}/frames?since={since}")
    await settle()
    stream.pending()

    async def targets() -> set[str]:
        await settle()
        frames = "".join(one.data for one in stream.pending() if one.data)
        return {part.attrs["hx-target"] for part in parse(frames).elements()}

    marked.show(SHOT)
    assert await targets() == {"#effects-above", "#effects-text"}
    marked.show(SHOT)
    assert await targets() == set()
    marked.show(SHOT, SPLASH)
    assert await targets() == {"#effects-below", "#effects-text"}
    marked.show()
    assert await targets() == {"#effects-above", "#effects-below", "#effects-text"}


async def test_scripts_get_marks_as_the_document_says(house: House, ann: Visitor) -> None:
    marked = await Marked.of(house, ann)
    assert "marks" not in await ann.get(marked.table.url)
    marked.show(SHOT, SPLASH)
    view = await ann.get(marked.table.url)
    assert view["marks"] == [
        {
            "id": "shot-0",
            "kind": "shot-gun",
            "hex": "1203",
            "to": "1204",
            "words": "Blue 1 fired: hit",
            "side": "blue",
            "good": True,
        },
        {
            "id": "wreck-red-1",
            "kind": "splash",
            "hex": "1205",
            "words": "Red 1 fell here",
            "side": "red",
        },
    ]
    schemas = (await ann.get("/openapi.json"))["components"]["schemas"]
    told = schemas["View"]["properties"]["marks"]
    assert told["items"] == {"$ref": "#/components/schemas/Mark"}
    assert "marks" not in schemas["View"]["required"]
    assert set(schemas["Mark"]["required"]) == {"id", "kind", "hex"}


async def test_marks_are_those_of_the_viewer_and_of_the_moment(house: House, ann: Visitor) -> None:
    marked = await Marked.of(house, ann)
    await ann.get(marked.table.url, seat="red")
    assert marked.asked[-1] == {"red"}
    watcher = await house.visitor()
    await watcher.page(marked.table.page)
    assert marked.asked[-1] == frozenset()

    def early(state: Any, viewer: Viewer) -> tuple[Mark, ...]:
        return (SHOT,) if state.phase == "initiative" else ()

    marked.live.game = replace(marked.live.game, marks=early)
    assert layer(parse(await ann.page(marked.table.page)), "above") == []
    # The first entry begins the table, the second the phase.
    assert len(layer(parse(await ann.page(marked.table.page, at=2)), "above")) == 1


async def test_words_are_text(house: House, ann: Visitor) -> None:
    marked = await Marked.of(house, ann)
    marked.show(Mark(id="a", kind="splash", hex="1205", words="<b>fell</b>"))
    html = await ann.page(marked.table.page)
    assert "&lt;b&gt;fell" in html
    assert "<b>fell" not in html


def three(*altitudes: int, place: str = "1203") -> list[dict[str, Any]]:
    """Jets of one hex."""
    return [
        {
            **small_duel()["jets"][n % 2],
            "id": f"jet-{n}",
            "name": f"Jet {n}",
            "hex": place,
            "altitude": altitude,
        }
        for n, altitude in enumerate(altitudes)
    ]


async def test_the_highest_of_a_hex_stands_first(house: House, ann: Visitor) -> None:
    """Equals keep the order of the set-up."""
    marked = await Marked.of(house, ann, jets=three(2, 7, 5, 7))
    beside = marked.page().beside
    assert [beside[f"jet-{n}"].place for n in range(4)] == [3, 0, 2, 1]
    assert {one.stack for one in beside.values()} == {4}


@pytest.mark.parametrize(
    ("above", "crowded"),
    [("1202", True), ("1102", True), ("1302", True), ("1204", False), ("1103", False)],
)
async def test_a_label_needs_room_above(
    house: House, ann: Visitor, above: str, crowded: bool
) -> None:
    """In an even column the hexes beside and above are of the row before."""
    jets = [*three(5), {**three(5, place=above)[0], "id": "other", "name": "Other"}]
    marked = await Marked.of(house, ann, jets=jets)
    assert marked.page().beside["jet-0"].crowded == crowded


async def test_a_mark_that_names_units_goes_from_counter_to_counter(
    house: House, ann: Visitor
) -> None:
    jets = [*three(2, 7), {**three(4, place="1205")[0], "id": "far", "name": "Far"}]
    marked = await Marked.of(house, ann, jets=jets)
    known = Mark(id="a", kind="shot-gun", hex="1203", to="1205", unit="jet-0", target="far")
    moved = Mark(id="b", kind="shot-gun", hex="1204", to="1205", unit="jet-0", target="nobody")
    lying = [Mark(id=f"w{n}", kind="wreck", hex="1207") for n in range(2)]
    marked.show(known, moved, *lying)
    made = marked.page().marks_beside
    assert made["a"] == MarkBeside("osaaf", "", (2, 1), (1, 0))
    assert made["b"] == MarkBeside("osaaf", "", (0, -1), (1, -1))
    assert [made[mark.id].start for mark in lying] == [(2, 0), (2, 1)]
