"""Lines of text as answers: read for scripts and for pages, with and without a script, and only for whom they are."""

import random
from typing import Any

import pytest

from app.engine.sequence import MOST_LINE
from tests.web.dom import Element, parse
from tests.web.house import House, Table, Visitor

pytestmark = pytest.mark.anyio

MOVE = "move-1-r1"
WHOLE = "HC,HTL,HTL,H"
NO_POINT = "There are only 4 points."


async def moving(visitor: Visitor, **order: Any) -> Table:
    """A patrol whose first aircraft is to move."""
    table = await visitor.sit("patrol", **order)
    await table.command("red", "Ahead-low")
    return table


async def draft(table: Table, text: str, seat: str = "red", status: int = 200) -> Any:
    return await table.seats[seat].get(f"{table.url}/draft", status, offer=MOVE, text=text)


async def test_an_offer_says_that_it_takes_a_line(ann: Visitor) -> None:
    table = await moving(ann)
    [offer] = (await table.view())["offers"]
    assert offer["draft"] is True
    assert offer["example"] == "H,H,H,H"
    assert [one["value"] for one in offer["options"]] == ["H,H,H,H", "HTR,H,H,H"]
    await table.command("red", offer["example"])


async def test_a_question_without_a_line_says_nothing_of_it(ann: Visitor) -> None:
    table = await ann.sit("patrol")
    [offer] = (await table.view())["offers"]
    assert "draft" not in offer


async def test_a_line_is_read_as_far_as_it_goes(ann: Visitor) -> None:
    table = await moving(ann)
    read = await draft(table, "hc, htl,H,X")
    assert read["text"] == "HC,HTL,H"
    assert read["whole"] is False
    assert read["fault"] == {"reason": "X is no token.", "rule": "P-3"}
    assert read["tokens"] == [
        {"label": "HC", "before": ""},
        {"label": "HTL", "before": "HC"},
        {"label": "H", "before": "HC,HTL"},
    ]
    # 30 degrees from 0307 by the side to 0406, and north from there.
    assert read["path"] == ["0306/0407", "0406", "0405"]
    assert read["facing"] == 0
    assert {"label": "Altitude", "value": "13"} in read["figures"]
    assert len(read["told"]) == 3
    follow = {one["label"]: one for one in read["next"]}
    assert follow["HTR"]["value"] == "HC,HTL,H,HTR"
    assert follow["HTR"]["group"] == "Turn"
    assert follow["HTR"]["cost"] == "−0.5 speed"


async def test_a_whole_line_leaves_nothing_to_add(ann: Visitor) -> None:
    table = await moving(ann)
    read = await draft(table, WHOLE)
    assert read["whole"] is True
    assert "fault" not in read
    assert "next" not in read
    assert (await draft(table, f"{WHOLE},H"))["fault"]["reason"] == NO_POINT
    assert (await draft(table, f"{WHOLE},H"))["whole"] is False


async def test_both_ways_to_ask_answer_the_same(ann: Visitor) -> None:
    table = await moving(ann)
    posted = await ann.post(f"{table.url}/draft", {"offer": MOVE, "text": "HC,HQ"})
    assert posted == await draft(table, "HC,HQ")


async def test_reading_changes_nothing(ann: Visitor) -> None:
    table = await moving(ann)
    before = await table.view()
    for text in ("", "HC", WHOLE, "HQ"):
        await draft(table, text)
        await ann.post(f"{table.url}/draft", {"offer": MOVE, "text": text})
    assert await table.view() == before


async def test_nobody_reads_a_line_for_another_seat(house: House, ann: Visitor) -> None:
    """What a line may hold tells what only its seat may know."""
    bob, eve = await house.visitor(), await house.visitor()
    table = await moving(ann, mode="shared")
    await table.join("blue", bob)
    assert (await draft(table, "HC"))["text"] == "HC"
    wrong = await draft(table, "HC", "blue", 404)
    assert wrong["detail"] == (await draft(table, "HC,X", "blue", 404))["detail"]
    await eve.get(f"{table.url}/draft", 404, offer=MOVE, text="HC")
    await eve.post(f"{table.url}/draft", {"offer": MOVE, "text": "HC"}, 404)
    for visitor in (bob, eve):
        page = await visitor.page(f"{table.page}/draft", 404, offer=MOVE, text="HC")
        assert "0306" not in page
        assert "0306/0407" not in await visitor.page(table.page)


async def test_only_open_questions_that_take_a_line_are_read(ann: Visitor) -> None:
    table = await ann.sit("patrol")
    [offer] = (await table.view())["offers"]
    await ann.get(f"{table.url}/draft", 404, offer=offer["id"], text="H")
    await draft(table, "H", status=404)
    await table.command("red", "Ahead-low")
    await draft(table, "H")
    await table.command("red", WHOLE)
    await draft(table, "H", status=404)


async def test_a_line_is_not_endless(ann: Visitor) -> None:
    table = await moving(ann)
    endless = "H" * (MOST_LINE + 1)
    await draft(table, endless, status=422)
    await ann.post(f"{table.url}/draft", {"offer": MOVE, "text": endless}, 422)
    await table.command("red", endless, status=422)
    await draft(table, endless[:MOST_LINE])


async def test_reading_counts_as_much_as_playing(own_house: House) -> None:
    ann = await own_house.visitor()
    table = await moving(ann)
    limits = own_house.site.limits
    limits._settings = limits._settings.model_copy(update={"commands_per_minute": 0})
    await draft(table, "H", status=429)
    await ann.page(f"{table.page}/draft", 429, offer=MOVE, text="H")


async def test_a_line_is_a_command_like_another(ann: Visitor) -> None:
    table = await moving(ann)
    view = await table.view()
    body = {"version": view["version"], "offer": MOVE, "choice": " hc,htl, htl,h"}
    refused = await ann.post(f"{table.url}/commands", {**body, "choice": "H,H,H"}, 422)
    assert refused["rule"] == "P-3"
    refused = await ann.post(f"{table.url}/commands", {**body, "choice": "H,H,HX"}, 422)
    assert refused["detail"] == "Move: HX is no token."
    assert await table.view() == view
    done = await ann.post(f"{table.url}/commands", body, key="once")
    assert done["entries"][0]["data"]["line"] == WHOLE
    assert await ann.post(f"{table.url}/commands", body, key="once") == done
    await ann.post(f"{table.url}/commands", body, 409, key="twice")


# Pages


def offered(page: Element) -> dict[str, str]:
    """The buttons that ask for another line, by what they say first; not those back to an earlier one."""
    return {
        "".join(part if isinstance(part, str) else part.text() for part in button.children[:1]): (
            button.attrs["value"]
        )
        for button in page.walk()
        if button.attrs.get("form") == "draft-form" and "so-far" not in button.attrs["class"]
    }


async def test_the_page_asks_for_a_line(ann: Visitor) -> None:
    table = await moving(ann)
    page = parse(await ann.page(table.page))
    assert not page.duplicates()
    act, line, asks = page.find("act"), page.find("line"), page.find("draft-form")
    assert act is not None
    assert line is not None
    assert asks is not None
    assert act.attrs["action"] == f"{table.page}/commands"
    assert any(one is line for one in act.walk())
    assert not any(one is asks for one in act.walk()), "forms in forms are not sent"
    assert asks.attrs["method"] == "get"
    buttons = offered(page)
    assert buttons["H"] == "H"
    assert buttons["Straight on"] == "H,H,H,H"
    assert "HTR" not in buttons, "what is blocked is told, not offered"
    assert "No turn on a hexside." in page.text()


async def test_what_changes_is_fetched_as_a_piece(ann: Visitor) -> None:
    table = await moving(ann)
    answer = await ann.http.get(
        f"{table.page}/draft", params={"offer": MOVE, "text": "HC"}, headers={"hx-request": "true"}
    )
    (piece,) = parse(answer.text).elements()
    assert piece.attrs["id"] == "draft-read"
    assert piece.attrs["data-path"] == "0306/0407"
    assert piece.attrs["data-altitude"] == "13"
    assert "data-whole" not in piece.attrs
    assert offered(piece)["HTL"] == "HC,HTL"
    assert offered(piece)["Back"] == ""


async def test_a_line_is_written_without_a_script(ann: Visitor) -> None:
    """Each button leads to a page with the next ones; the last one is sent by the form there."""
    table = await moving(ann)
    text = ""
    for token in ("HC", "HTL", "HTL", "H"):
        page = parse(await ann.page(f"{table.page}/draft", offer=MOVE, text=text))
        assert not page.duplicates()
        text = offered(page)[token]
    page = parse(await ann.page(f"{table.page}/draft", offer=MOVE, text=text))
    fields = {
        one.attrs["name"]: one.attrs["value"]
        for one in page.walk()
        if one.tag == "input" and one.attrs.get("name") in ("version", "offer", "text")
    }
    assert fields["text"] == WHOLE
    primary = page.find("primary")
    assert primary is not None
    assert "disabled" not in primary.attrs
    await ann.form(f"{table.page}/commands", fields, 303, htmx=False)
    assert (await table.log())[-1]["data"]["line"] == WHOLE


@pytest.mark.parametrize(
    ("text", "why"), [("H,H,HX", "HX is no token."), ("H,H,H", "the line is not complete")]
)
async def test_what_was_typed_is_kept_where_it_is_refused(
    ann: Visitor, text: str, why: str
) -> None:
    table = await moving(ann)
    fields = {"version": await table.version(), "offer": MOVE, "text": text}
    answer = await ann.form(f"{table.page}/commands", fields, 422, htmx=False)
    page = parse(answer.text)
    line = page.find("line")
    assert line is not None
    assert line.attrs["value"] == text
    assert why in page.text()
    answer = await ann.form(f"{table.page}/commands", fields, 422)
    assert why in answer.text
    assert "<html" not in answer.text


@pytest.mark.parametrize("htmx", [True, False])
async def test_a_line_that_comes_too_late_is_not_lost(ann: Visitor, htmx: bool) -> None:
    table = await moving(ann)
    version = await table.version()
    await table.command("red", "H,H,H,H")
    fields = {"version": version, "offer": MOVE, "text": "HC,HD,H,H"}
    answer = await ann.form(f"{table.page}/commands", fields, 409, htmx=htmx)
    assert "The table has moved on" in answer.text
    assert "Your line was: HC,HD,H,H" in answer.text


async def test_a_sealed_or_repeated_press_is_one_command(ann: Visitor) -> None:
    table = await moving(ann)
    fields = {"version": await table.version(), "offer": MOVE, "text": WHOLE}
    await ann.form(f"{table.page}/commands", fields)
    after = await table.version()
    await ann.form(f"{table.page}/commands", fields)
    assert await table.version() == after


async def test_games_are_played_by_lines_to_the_end(ann: Visitor) -> None:
    """Whoever takes what is offered, and the example where nothing is."""
    table = await ann.sit("patrol")
    await table.play(random.Random(3), 200)
    assert (await table.view())["finished"]
