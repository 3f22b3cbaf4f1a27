"""What one is not told is not counted either: games that differ only in it give him the same bytes.

Played are Burrows with one, two and four moles, which only Red may know of. (Whether the game stops for any at all is
the matter of its rules.)
"""

import random
import re
from collections.abc import Iterator
from itertools import zip_longest

import pytest

from app.engine import dice
from app.tables import opening
from app.tables.looking import OUT_OF_SIGHT
from tests.web.house import House, Stream, Table, Visitor

pytestmark = pytest.mark.anyio

MOLES = (1, 2, 4)


@pytest.fixture(autouse=True)
def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """All games are played with the same seed, on the same dice."""
    monkeypatch.setattr(opening, "new_seed", lambda: bytes(32))
    monkeypatch.setattr(dice, "die", lambda *about: 3)


@pytest.fixture
def still(own_house: House) -> House:
    """A server where no time passes."""
    own_house.site.service.clock = lambda: 1_700_000_000_000
    return own_house


async def burrows(house: House, moles: int, **order: object) -> Table:
    """Red opens the table, Blue joins it."""
    red, blue = await house.visitor(), await house.visitor()
    setup = {"moles": moles, "turns": 2}
    table = await red.sit("burrows", mode="shared", name="Burrows", setup=setup, **order)
    await table.join("blue", blue)
    return table


async def bodies(table: Table, visitor: Visitor) -> Iterator[str]:
    """All that somebody can fetch of a table, but its name."""
    count = (await visitor.get(table.url))["log"]
    paths = [
        table.url,
        f"{table.url}/log?limit=1000",
        f"{table.url}/log?after=3",
        table.page,
        f"{table.page}/log?before={count}",
        f"{table.page}/dice",
        f"{table.page}/dice.json",
        f"{table.page}/stream?once=true",
        f"{table.page}/heading",
        f"{table.url}?at={count + 1}",
        *(f"{where}?at={at}" for at in range(1, count + 1) for where in (table.url, table.page)),
    ]
    found: list[str] = []
    for path in paths:
        answer = await visitor.http.get(path, headers={"hx-request": "true"})
        found.append(f"{path} {answer.status_code} {answer.text}")
    listed = [row for row in await visitor.get("/api/tables") if row["id"] == table.id]
    rows = (await visitor.page("/tables")).split("<li>")
    found += [str(listed), *(row for row in rows if table.id in row)]
    return (_without_names(table, text) for text in found)


def _without_names(table: Table, text: str) -> str:
    """What is drawn at random for each table, taken out."""
    text = text.replace(table.id, "TABLE")
    text = re.sub(r"since=[0-9a-f]+\.\d+", "since=", text)
    return re.sub(r'"request_id": ?"[^"]*"', "", text)


async def dig(table: Table) -> None:
    """Red does all that it has to do out of sight."""
    while any(offer["id"].startswith("dig") for offer in (await table.view("red"))["offers"]):
        await table.command("red", "left")


async def story(house: House, moles: int) -> list[list[str]]:
    """A whole game as Blue and as a stranger get it, moment by moment: bodies, answers and frames."""
    table = await burrows(house, moles)
    blue, eve = table.seats["blue"], await house.visitor()
    streams: list[Stream] = []
    told: list[list[str]] = []

    async def note(*more: str) -> None:
        await house.quiet()
        frames = [message.raw for stream in streams for message in stream.pending()]
        frames = [re.sub(r"id: [0-9a-f]+\.", "id: BOOT.", _without_names(table, f)) for f in frames]
        told.append([*more, *frames])
        for visitor in (blue, eve):
            told[-1] += await bodies(table, visitor)

    await dig(table)
    for path in (f"{table.page}/frames", f"{table.page}/stream"):
        streams += [await visitor.stream(path) for visitor in (blue, eve)]
    await note()
    for turn in range(2):
        if turn:
            await dig(table)
            await note()
        done = await table.command("blue", "yes")
        await note(_without_names(table, str(done)))
        if not turn:
            refused = await table.take_back("red", to=1, status=200)
            assert refused["asked"]
            await note()
            await table.answer("blue", False)
            await note()
        await table.command("red", "no")
        if not turn:
            await note()
    assert (await table.view("blue"))["finished"]
    return told


async def test_a_whole_game_is_the_same_however_many_moles_dig(still: House) -> None:
    stories = [await story(still, moles) for moles in MOLES]
    for other in stories[1:]:
        for n, (here, there) in enumerate(zip_longest(stories[0], other)):
            for one, two in zip_longest(here, there):
                assert one == two, n


@pytest.mark.parametrize("who", ["blue", "stranger"])
async def test_nobody_can_tell_what_waits_out_of_sight(still: House, who: str) -> None:
    """A choice, a roll and an effect of Red's look alike, also to somebody who tries to let them happen."""
    table = await burrows(still, 1, pace="step")
    visitor = table.seats["blue"] if who == "blue" else await still.visitor()
    await table.play_until(
        random.Random(1), lambda done: done["entries"][-1]["type"] == "PhaseBegan"
    )
    kinds: list[str] = []
    seen: list[list[str]] = []
    stream = await visitor.stream(f"{table.page}/frames")
    notices = await visitor.stream(f"{table.page}/stream")
    await still.quiet()
    stream.pending()
    notices.pending()
    for _ in range(3):
        (offer,) = (await table.view("red"))["offers"]
        kinds.append(offer["kind"])
        view = await visitor.get(table.url)
        assert view["prompt"] == OUT_OF_SIGHT
        tried = [
            await visitor.http.post(
                f"{table.url}/{call}", json={"version": view["version"], **more}
            )
            for call, more in (
                ("advance", {}),
                ("commands", {"offer": "dig-0", "choice": "left"}),
                ("commands", {"offer": "scrape-0"}),
                ("commands", {"offer": "continue"}),
                ("commands", {"offer": "nothing"}),
                ("withdraw", {"offer": "dig-0"}),
            )
        ]
        answers = [f"{one.status_code} {_without_names(table, one.text)}" for one in tried]
        assert len(set(answers[1:5])) == 1, answers
        seen.append([*answers, *await bodies(table, visitor)])
        await (
            table.command("red", "left") if offer["kind"] == "decision" else table.advance("red")
        )
        await still.quiet()
        if len(kinds) < 3:
            assert not stream.pending()
            assert not notices.pending()
    assert kinds == ["decision", "roll", "confirm"]
    assert seen[0] == seen[1] == seen[2]


async def test_one_hears_when_one_is_asked_after_what_one_is_not_told(still: House) -> None:
    """A question opens to Blue by what Red does in secret: frame and notice come, though no number moves."""
    table = await burrows(still, 1, pace="step")
    blue = table.seats["blue"]
    notices = await blue.stream(f"{table.page}/stream")
    first = (await notices.next()).data
    assert '"asked":[]' in first
    await table.play_until(random.Random(1), lambda done: done["view"]["phase"]["id"] == "look")
    await still.quiet()
    assert '"asked":["look-blue"]' in notices.pending()[-1].data


async def test_when_all_is_over_the_numbers_are_the_records(still: House) -> None:
    """And the page gets its log anew, as every line has another number."""
    table = await burrows(still, 3)
    blue = table.seats["blue"]
    await dig(table)
    await table.command("blue", "yes")
    await table.command("red", "yes")
    await dig(table)
    await table.command("blue", "yes")
    before = await table.log("blue")
    stream = await blue.stream(f"{table.page}/frames")
    await still.quiet()
    stream.pending()
    await table.command("red", "yes")
    await still.quiet()
    record = still.site.service._live[table.id]
    after = await table.log("blue")
    assert len(before) < len(after) == record.version == (await table.view("blue"))["log"]
    assert [line["seq"] for line in after] == list(range(1, record.version + 1))
    assert sum(line["type"] == "Dug" for line in after) == 6
    data = stream.pending()[-1].data
    assert 'hx-target="#log-lines" hx-swap="innerMorph"' in data
    shown = set(re.findall(r'<li id="e(\d+)"', data))
    assert shown == {str(line["seq"]) for line in after}


async def test_a_take_back_counts_as_its_reader_does(still: House) -> None:
    """Asked for by Red and read by Blue; by Blue it is never done at once, as that would tell."""
    for moles in MOLES:
        table = await burrows(still, moles)
        await dig(table)
        await table.command("blue", "yes")
        log = await table.log("blue")
        asked = await table.take_back("blue")
        assert asked["asked"]
        view = await table.view("blue")
        assert view["asked"] == {"by": "blue", "to": log[-1]["seq"] - 1}
        await table.answer("red", True)
        log = await table.log("blue")
        assert log[-1]["data"]["to"] == view["asked"]["to"]
        assert f"entry {view['asked']['to']} " in log[-1]["text"]
        assert [line["seq"] for line in log if line.get("struck")] == [
            *range(view["asked"]["to"] + 1, log[-1]["seq"])
        ]
        await table.command("blue", "no")


async def test_what_only_a_bot_may_know_of_waits_for_nobody(still: House) -> None:
    """In pace "step" a person lets happen what he may know of; of the bot's moles he may not."""
    ann = await still.visitor()
    table = await ann.sit(
        "burrows", setup={"moles": 2, "turns": 2}, pace="step", bots={"red": "digger"}
    )
    rng = random.Random(1)
    for _ in range(60):
        while still.site.service.wake.__self__.playing:  # pyright: ignore[reportFunctionMemberAccess]
            await still.quiet()
        if (await table.view("blue"))["finished"]:
            break
        assert (await table.view("blue"))["prompt"] != OUT_OF_SIGHT
        assert await table.step(rng) is not None
    assert (await table.view("blue"))["finished"]
    log = await table.log("blue")
    assert [line["type"] for line in log].count("Rested") == 4


async def test_a_take_back_leaves_what_was_sealed_before_and_is_still_asked(still: House) -> None:
    """Blue takes back what it did in the open; Red's wish was made before that, and its question is open as it was."""
    red, blue = await still.visitor(), await still.visitor()
    setup = {"moles": 0, "turns": 2, "wishes": True}
    table = await red.sit("burrows", mode="shared", setup=setup)
    await table.join("blue", blue)
    await table.command("red", "sun", offer="wish-red")
    await table.command("blue", "yes", offer="look-blue")
    assert (await table.take_back("blue"))["asked"]
    await table.answer("red", True)
    offers = {offer["id"]: offer for offer in (await table.view("red"))["offers"]}
    assert offers["wish-red"]["held"] == "sun"
    done = await table.command("blue", "rain", offer="wish-blue")
    assert [entry["text"] for entry in done["entries"]][:2] == [
        "Blue wishes for rain.",
        "Red wishes for sun.",
    ]


async def test_who_plays_all_sides_answers_through_each_seat_as_it_numbers(still: House) -> None:
    """Through a seat he sees what that seat sees; entries he counts as his commands and his log do."""
    for moles in MOLES:
        ann = await still.visitor()
        setup = {"moles": moles, "turns": 2}
        table = await ann.sit("burrows", mode="solo", name="Burrows", setup=setup)
        unseen = await table.view("blue")
        assert (unseen["prompt"], unseen["offers"]) == (OUT_OF_SIGHT, [])
        await dig(table)
        alone, blue = await ann.get(table.url), await table.view("blue")
        assert blue["version"] == alone["version"] == (await table.log())[-1]["seq"]
        assert blue["log"] == alone["log"]
        assert blue["dice"].get("thrown") == alone["dice"].get("thrown")
        before = await table.view("blue", at=blue["version"] - 1)
        assert before["version"] == blue["version"] - 1
        assert f"entry {blue['version'] - 1} of {blue['log']}" in before["prompt"]
        await table.command("blue", "yes")
        await table.command("red", "no")
