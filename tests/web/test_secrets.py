"""S-01, S-02, S-04, R-07: what a seat keeps to itself reaches nobody else, by no door.

Words are planted in the envelopes and looked for in everything that others can fetch. Where secrets are
no words (the skirmish's plots), two tables that differ in nothing else must look the same byte by byte.
"""

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.web.house import House, Stream, Table, Visitor, open_house, small_duel

pytestmark = pytest.mark.anyio


async def pair(house: House, game: str, **order: Any) -> Table:
    """A shared table of two visitors."""
    red, blue = await house.visitor(), await house.visitor()
    table = await red.sit(game, mode="shared", **order)
    await table.join("blue", blue)
    return table


async def bodies(table: Table, visitor: Visitor) -> dict[str, str]:
    """All that a visitor can fetch of a table, by path."""
    version = (await visitor.get(table.url))["version"]
    paths = [
        table.url,
        *(f"{table.url}?at={at}" for at in range(1, version + 1, 2)),
        f"{table.url}/log?limit=1000",
        f"{table.url}/overlay?unit=desk&aid=light",
        f"{table.page}/overlay?unit=desk&aid=light",
        table.page,
        *(f"{table.page}?at={at}" for at in range(version % 5 + 1, version + 1, 5)),
        f"{table.page}/log?before={version}",
        f"{table.page}/dice",
        f"{table.page}/dice.json",
        f"{table.page}/stream?once=true",
        "/",
        "/tables",
        "/api/tables",
        "/api/tables?open",
        "/metrics",
    ]
    found: dict[str, str] = {}
    for path in paths:
        answer = await visitor.http.get(path, headers={"hx-request": "true"})
        assert answer.status_code in (200, 303, 404), (path, answer.text[:300])
        found[path] = answer.text + json.dumps(dict(answer.headers))
    for path in (f"{table.page}/frames", f"{table.page}/frames?since=x.1"):
        stream = await visitor.stream(path)
        found[path] = (await stream.event()).raw
        await stream.close()
    return found


def holding(found: dict[str, str], token: str) -> list[str]:
    """The paths whose answer has a token in it."""
    return [path for path, text in found.items() if token in text]


async def listeners(table: Table, visitor: Visitor) -> list[Stream]:
    """Both streams of a visitor, open and quiet."""
    streams = [
        await visitor.stream(f"{table.page}/frames"),
        await visitor.stream(f"{table.page}/stream"),
    ]
    for stream in streams:
        await stream.next()
    await visitor.house.quiet()
    for stream in streams:
        stream.pending()
    return streams


@pytest.mark.parametrize("pace", ["flow", "step"])
async def test_s01_no_token_reaches_anybody_else(house: House, pace: str) -> None:
    table = await pair(house, "envelopes", pace=pace)
    eve, nobody = await house.visitor(), house.stranger()
    others: dict[str, list[Visitor]] = {
        "red": [table.seats["blue"], eve, nobody],
        "blue": [table.seats["red"], eve, nobody],
    }
    streams = {seat: await listeners(table, table.seats[seat]) for seat in ("red", "blue")}
    watching = await listeners(table, eve)
    tokens: dict[str, list[str]] = {"red": [], "blue": []}
    heard = {"red": "", "blue": "", "": ""}

    async def listen() -> None:
        await house.quiet()
        for name, opened in (*streams.items(), ("", watching)):
            heard[name] += "".join(message.raw for stream in opened for message in stream.pending())

    async def look() -> None:
        await listen()
        for seat, visitors in others.items():
            for visitor in visitors:
                found = await bodies(table, visitor)
                for token in tokens[seat]:
                    assert not holding(found, token)
            own = await bodies(table, table.seats[seat])
            for token in tokens[seat]:
                assert holding(own, token), "a seat sees its own"

    rng = random.Random(1)
    answered: list[Any] = []
    looks = 0
    while not (await table.view())["finished"]:
        offers = await table.open_offers()
        _, offer, version = rng.choice(offers)
        if offer.get("sealed"):
            seat = offer["seat"]
            token = f"zq{seat}{version}xj"
            tokens[seat].append(token)
            done = await table.command(seat, token)
            # Whoever completes the round hears only of the other seat's event, not of its word.
            other = "blue" if seat == "red" else "red"
            answered.append((done, tokens[other][:]))
            await look()
            looks += 1
        else:
            await table.step(rng)
        shown = any(entry["type"] == "AllOpened" for entry in await table.log())
        if shown:
            break
        for done, theirs in answered:
            assert not [token for token in theirs if token in json.dumps(done)]
        await listen()
        for name, text in heard.items():
            theirs = [t for seat in tokens if seat != name for t in tokens[seat]]
            assert not [token for token in theirs if token in text]
    assert looks == 4
    # At the end all lies open for everybody.
    while not (await table.view())["finished"]:
        await table.advance("red")
    found = await bodies(table, eve)
    for seat in tokens:
        for token in tokens[seat]:
            assert holding(found, token)
            assert f"{table.url}/log?limit=1000" in holding(found, token)


async def test_s01_a_take_back_shows_nothing(house: House) -> None:
    table = await pair(house, "envelopes", setup={"turns": 3}, takebacks="consent")
    await table.command("red", "zqredtoken")
    await table.command("blue", "zqbluetoken")
    eve = await house.visitor()
    asked = await table.take_back("blue", to=2)
    assert asked["asked"]
    done = await table.answer("red", True)
    assert "zqbluetoken" not in json.dumps(done)
    red, blue = "zqredtoken", "zqbluetoken"
    for visitor, hidden in (
        (table.seats["red"], [blue]),
        (table.seats["blue"], [red]),
        (eve, [red, blue]),
    ):
        found = await bodies(table, visitor)
        assert not [token for token in hidden if holding(found, token)]


async def snapshot(table: Table, visitor: Visitor) -> dict[str, bytes]:
    """What a visitor sees, to the byte, as far as it doesn't tell the request apart."""
    paths = (
        table.url,
        f"{table.url}/log?limit=1000",
        table.page,
        f"{table.page}/dice.json",
        f"{table.page}/stream?once=true",
        "/api/tables?open",
        "/tables",
    )
    found: dict[str, bytes] = {}
    for path in paths:
        answer = await visitor.http.get(path)
        found[path] = answer.content + answer.headers["content-type"].encode()
    stream = await visitor.stream(f"{table.page}/frames")
    found["frames"] = (await stream.event()).raw.encode()
    await stream.close()
    return found


@pytest.mark.parametrize("game", ["skirmish", "envelopes"])
async def test_a_sealed_answer_changes_nothing_for_others(house: House, game: str) -> None:
    """Not the version, not the bodies, not the log, not who is to act; no frame, no event, no ping."""
    table = await pair(house, game)
    choice = 2 if game == "skirmish" else "zqword"
    eve = await house.visitor()
    blue = table.seats["blue"]
    streams = [*await listeners(table, blue), *await listeners(table, eve)]
    before = [await snapshot(table, visitor) for visitor in (blue, eve)]
    metrics = (await eve.http.get("/metrics")).text
    for again in (choice, choice, 3 if game == "skirmish" else "zqother"):
        done = await table.command("red", again)
        assert done["entries"] == []
        assert done["version"] == done["view"]["version"] == await table.version()
        assert done["view"]["offers"][0]["held"] == again
    assert [await snapshot(table, visitor) for visitor in (blue, eve)] == before
    assert (await eve.http.get("/metrics")).text == metrics
    for stream in streams:
        await stream.silence(0.1)
    # A wrong answer of the other seat is refused in the same words, whether red has answered or not.
    other = await pair(house, game)
    problems: list[dict[str, Any]] = []
    for one in (table, other):
        problem = await one.command("blue", "x" * 300, status=422)
        del problem["request_id"]
        problems.append(problem)
    assert problems[0] == problems[1]


@pytest.mark.parametrize("game", ["skirmish", "envelopes"])
async def test_a_sealed_answer_survives_a_restart(
    tmp_path: Path, plug_ins: None, game: str
) -> None:
    choices = (2, 1) if game == "skirmish" else ("zqred", "zqblue")
    async with open_house(tmp_path) as house:
        table = await pair(house, game)
        await table.command("red", choices[0])
        cookies = {seat: dict(visitor.http.cookies) for seat, visitor in table.seats.items()}
        before = await table.view("blue")
    async with open_house(tmp_path) as house:
        table.house = house
        for seat, jar in cookies.items():
            table.seats[seat] = house.stranger()
            table.seats[seat].http.cookies.update(jar)
        after = await table.view("blue")
        assert {**after, "seats": 0} == {**before, "seats": 0}
        assert (await table.view("red"))["offers"][0]["held"] == choices[0]
        done = await table.command("blue", choices[1])
        kinds = [entry["type"] for entry in done["entries"]]
        assert kinds[:2] == (["ReserveDeclared"] * 2 if game == "skirmish" else ["Sealed"] * 2)
    with sqlite3.connect(tmp_path / "contrail.db") as stored:
        assert stored.execute("SELECT count(*) FROM held_answer").fetchone() == (0,)
    stored.close()


async def test_s02_s04_twins_look_the_same(house: House) -> None:
    """Two tables where red chose differently in secret: blue and a spectator can't tell them apart."""
    tables: list[Table] = []
    for reserve, plot in (
        (1, {"plan": "hold", "decoy": False}),
        (3, {"plan": "dash", "decoy": True}),
    ):
        table = await pair(house, "skirmish", name="Twin")
        await table.command("red", reserve)
        await table.command("blue", 2)
        await table.command("red", plot)
        tables.append(table)
    for one in ("blue", ""):
        seen: list[Any] = []
        for table in tables:
            visitor = table.seats[one] if one else await house.visitor()
            view = await visitor.get(table.url)
            log = await visitor.get(f"{table.url}/log", limit=1000)
            page = await visitor.page(table.page)
            stable = page.replace(table.id, "ID").replace(view["dice"]["commitment"], "C")
            for invite in ("since=", "/join/"):
                start = stable.find(invite)
                while start >= 0:
                    end = stable.index('"', start)
                    stable = stable[:start] + "GONE" + stable[end:]
                    start = stable.find(invite)
            for entry in log:
                del entry["at"]
            del log[0]["data"]["commitment"]
            waits = [one["seat"] for one in view["waiting"]]
            seen.append(({**view, "id": 0, "dice": {}, "waiting": waits}, log, stable, len(page)))
        assert seen[0] == seen[1]


async def test_r07_the_seed_is_nowhere_before_the_end(own_house: House) -> None:
    """R-07: in no body and no list while the game goes on; there for everybody once it is over."""
    ann, eve = await own_house.visitor(), await own_house.visitor()
    table = await ann.sit(setup=small_duel())
    with sqlite3.connect(own_house.settings.data / "contrail.db") as stored:
        ((seed,),) = stored.execute("SELECT seed FROM seed").fetchall()
        columns = stored.execute("SELECT event FROM log_entry").fetchall()
    stored.close()
    secret = seed.hex()
    assert len(seed) == 32
    assert not [row for row in columns if secret in row[0].lower()]
    rng = random.Random(1)
    stream = await ann.stream(f"{table.page}/frames")
    heard = (await stream.event()).raw
    while not (await table.view())["finished"]:
        for visitor in (ann, eve):
            assert not holding(await bodies(table, visitor), secret)
        heard += "".join(message.raw for message in stream.pending())
        assert secret not in heard.lower()
        if await table.play(rng, 15) < 15:
            break
    for visitor in (ann, eve):
        found = await bodies(table, visitor)
        assert table.url in holding(found, secret)
        assert f"{table.page}/dice.json" in holding(found, secret)
    assert (await eve.get(table.url))["dice"]["seed"] == secret


async def test_the_next_dice_cannot_be_told_from_the_last_ones(own_house: House) -> None:
    """R-07, R-09: two tables with the same name, players and words throw different dice."""
    ann = await own_house.visitor()
    rows: list[Any] = []
    for _ in range(3):
        table = await ann.sit(setup=small_duel(), name="Same", word="same")
        await table.play(random.Random(3), 12)
        rows.append([entry["dice"]["faces"] for entry in await table.log() if "dice" in entry][:8])
    assert rows[0] != rows[1] != rows[2]


async def test_the_audit_lets_anybody_check_every_die(own_house: House) -> None:
    """The published file and arithmetic alone give the faces again, words and struck rolls included."""
    from app.engine.dice import commitment, die

    ann = await own_house.visitor()
    table = await ann.sit(setup=small_duel(), word="ann's")
    await table.play(random.Random(5), 9)
    await table.take_back("blue", to=await table.version() - 4)
    await table.play(random.Random(6), 1000)
    audit = (await (own_house.stranger()).http.get(f"{table.page}/dice.json")).json()
    seed = bytes.fromhex(audit["seed"])
    assert commitment(seed) == audit["commitment"] == (await table.view())["dice"]["commitment"]
    assert audit["rolls"]
    for roll in audit["rolls"]:
        sides = int(roll["pool"].split("d")[1])
        words = audit["words"][: roll["words"]]
        faces = [die(seed, words, roll["index"] + n, sides) for n in range(len(roll["faces"]))]
        assert faces == roll["faces"]
    page = await ann.page(f"{table.page}/dice")
    assert audit["seed"] in page


async def test_invitations_are_for_players(house: House) -> None:
    """S-13: neither a spectator nor a list shows the link to a free seat, nor anybody's token."""
    ann = await house.visitor()
    table = await ann.sit("osaaf", mode="shared", setup=small_duel())
    code = table.invite("red").rpartition("/")[2]
    tokens = [one["token"] for one in table.opened["seats"] if "token" in one]
    eve = await house.visitor()
    own = await bodies(table, ann)
    assert table.page in holding(own, code)
    found = await bodies(table, eve)
    assert not holding(found, code)
    for token in tokens:
        assert not holding({**own, **found}, token)
    identity = ann.http.cookies["contrail"].split(".")[0]
    assert not holding(found, identity)
