"""Who may do what from where, and what strangers send: S-05, S-06, S-07, S-08, H-06, S-15."""

import asyncio
import html
import json
import random
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.web.guard import HEADERS
from tests.web.dom import parse
from tests.web.house import (
    HOST,
    House,
    Table,
    Visitor,
    any_choice,
    open_house,
    problem_of,
    small_duel,
    strings_of,
)

pytestmark = pytest.mark.anyio

# Where a request comes from


@pytest.mark.parametrize(
    ("headers", "passes"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),  # typed into the address bar
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),  # another host of the same domain
        ({"sec-fetch-site": "nonsense"}, False),
        ({"sec-fetch-site": ""}, False),
        ({"origin": HOST}, True),
        ({"origin": "http://TABLE.local"}, True),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "http://table.local.evil.example"}, False),
        ({"origin": "http://table.local:8001"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"sec-fetch-site": "cross-site", "origin": HOST}, False),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, True),
        ({}, True),  # no browser
        ({"authorization": "Bearer TOKEN", "origin": "http://evil.example"}, True),
        ({"authorization": "Bearer TOKEN", "sec-fetch-site": "cross-site"}, True),
        ({"authorization": "Basic TOKEN", "sec-fetch-site": "cross-site"}, False),
    ],
)
async def test_a_change_must_come_from_our_own_pages(
    house: House, ann: Visitor, headers: dict[str, str], passes: bool
) -> None:
    """CSRF: another site's page can't use the visitor's cookie; a token is no cookie."""
    table = await ann.sit(pace="step")
    sent = {name: value.replace("TOKEN", table.token("blue")) for name, value in headers.items()}
    for path in (f"{table.url}/advance", f"{table.page}/advance"):
        version = await table.version()
        body: dict[str, Any] = (
            {"json": {"version": version}}
            if path.startswith("/api")
            else {"data": {"version": str(version)}}
        )
        answer = await ann.http.post(path, headers=sent, **body)
        if passes:
            assert answer.status_code in (200, 303), answer.text
            assert await table.version() == version + 1
        else:
            assert answer.status_code == 403
            problem_of(answer)
            assert await table.version() == version


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
async def test_other_methods_are_changes_too(ann: Visitor, method: str) -> None:
    cross = {"sec-fetch-site": "cross-site"}
    table = await ann.sit()
    assert (await ann.http.request(method, table.url, headers=cross)).status_code == 403
    done = 204 if method == "DELETE" else 405  # that one there is
    assert (await ann.http.request(method, table.url)).status_code == done


async def test_looking_never_changes_anything(ann: Visitor) -> None:
    """No GET has an effect, so a link or an image on another site can't either."""
    table = await ann.sit(mode="shared", setup=small_duel())
    before = [await table.view(), await table.log()]
    calls = ("commands", "withdraw", "advance", "takeback", "takeback/answer", "word", "close")
    for path in calls:
        for base in (table.url, table.page):
            answer = await ann.http.get(f"{base}/{path}")
            assert answer.status_code in (404, 405)
    await ann.page(f"/join/{table.invite('red').rpartition('/')[2]}")
    assert [await table.view(), await table.log()] == before


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("table.local", True),
        ("TABLE.local:8000", True),
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.1.5", True),
        ("mymachine", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("", False),
        ("@", False),
        ("[", False),
        ("a b.example", False),
    ],
)
async def test_only_our_own_names_are_answered_to(house: House, host: str, known: bool) -> None:
    """Against DNS rebinding: a name that somebody else owns is 421, for pages and scripts alike."""
    visitor = house.stranger()
    for path in ("/healthz", "/api/tables"):
        answer = await visitor.http.get(path, headers={"host": host})
        assert answer.status_code == (200 if known else 421)
        if not known:
            problem_of(answer)
            assert "set-cookie" not in answer.headers


async def test_a_public_name_can_be_set(tmp_path: Path) -> None:
    async with open_house(
        tmp_path, public_url="https://club.example.org", allowed_hosts=("*.games.example.org",)
    ) as house:
        visitor = house.stranger()
        for host, status in (
            ("club.example.org", 200),
            ("a.games.example.org", 200),
            ("other.example.org", 421),
        ):
            answer = await visitor.http.get("/api/tables", headers={"host": host})
            assert answer.status_code == status
        ann = await house.visitor()
        opened = await ann.post("/api/tables", {"game": "osaaf", "mode": "shared"}, 201)
        invite = opened["seats"][1]["invite"]
        assert invite.startswith("https://club.example.org/join/")


# How much


async def test_a_large_body_is_413(ann: Visitor) -> None:
    limit = ann.house.settings.max_body_bytes
    large = b'{"game": "osaaf", "name": "' + b"x" * limit + b'"}'

    async def chunks() -> AsyncGenerator[bytes]:
        for start in range(0, len(large), 10_000):
            yield large[start : start + 10_000]

    kind = {"content-type": "application/json"}
    announced = await ann.http.post("/api/tables", content=large, headers=kind)
    unannounced = await ann.http.post("/api/tables", content=chunks(), headers=kind)
    form = await ann.http.post(
        "/tables", content=chunks(), headers={"content-type": "application/x-www-form-urlencoded"}
    )
    multipart = await ann.http.post("/tables", files={"game": b"x" * (limit + 1)})
    for answer in (announced, unannounced, form, multipart):
        assert answer.status_code == 413
        problem_of(answer)
    assert await ann.get("/api/tables?mine") == []


async def test_a_body_that_is_longer_than_it_says_is_cut(ann: Visitor) -> None:
    limit = ann.house.settings.max_body_bytes

    async def chunks() -> AsyncGenerator[bytes]:
        for _ in range(limit // 1000 + 10):
            yield b"x" * 1000

    answer = await ann.http.post(
        "/api/tables",
        content=chunks(),
        headers={"content-length": "10", "content-type": "text/json"},
    )
    assert answer.status_code == 413


async def test_a_large_set_up_is_refused_with_the_limit(ann: Visitor) -> None:
    setup = small_duel(summary="x" * 70_000)
    problem = await ann.post("/api/tables", {"game": "osaaf", "setup": setup}, 422)
    assert "KiB" in problem["detail"]


BOMBS = {
    "deep list": b'{"version": 1, "offer": "x", "choice": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "deep object": b'{"version":1,"offer":"x","choice":' + b'{"a":' * 20_000 + b"1" + b"}" * 20_001,
    "deep outside": b"[" * 100_000,
    "huge number": b'{"version": 1, "offer": "x", "choice": ' + b"9" * 100_000 + b"}",
    "huge exponent": b'{"version": 1, "offer": "x", "choice": 1e999999}',
    "nan": b'{"version": 1, "offer": "x", "choice": NaN}',
    "infinity": b'{"version": 1, "offer": "x", "choice": -Infinity}',
    "version nan": b'{"version": NaN, "offer": "x"}',
    "lone surrogate": b'{"version": 1, "offer": "\\ud800", "choice": "\\udfff"}',
    "not utf-8": b'{"version": 1, "offer": "\xff\xfe"}',
    "utf-16": '{"version": 1}'.encode("utf-16"),
    "cut off": b'{"version": 1, "offer"',
    "nothing": b"",
    "zero bytes": b"\0\0\0\0",
    "twice": b'{"version": 1, "version": 2, "offer": "x", "choice": 1}',
    "many keys": b"{" + b",".join(b'"k%d": 1' % n for n in range(5000)) + b"}",
}


@pytest.mark.parametrize("name", BOMBS)
async def test_s05_malformed_bodies_are_refused(house: House, name: str) -> None:
    """Not one is a server error, and the table is as before."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel())
    before: list[Any] = [await table.view(), await table.log()]
    for path in ("commands", "withdraw", "advance", "takeback", "takeback/answer", "word"):
        answer = await ann.http.post(
            f"{table.url}/{path}",
            content=BOMBS[name],
            headers={"content-type": "application/json"},
        )
        assert answer.status_code in (400, 409, 413, 422), (path, answer.status_code)
        problem_of(answer)
        form = await ann.http.post(
            f"{table.page}/{path}",
            data={
                "version": str(before[0]["version"]),
                "offer": before[0]["offers"][0]["id"],
                "choice": BOMBS[name].decode("latin-1")[:9_000],
                "with": BOMBS[name].decode("latin-1")[:9_000],
                "accept": "yes",
                "to": "9999999",
            },
        )
        assert form.status_code in (303, 400, 409, 413, 422), (path, form.status_code)
    assert [await table.view(), await table.log()] == before


# Acting as somebody else, or doing what was not offered


async def shared(house: House, **order: Any) -> Table:
    """A shared table of two."""
    ann, bob = await house.visitor(), await house.visitor()
    table = await ann.sit(mode="shared", setup=small_duel(turns=9), **order)
    await table.join("red", bob)
    return table


async def test_s05_nobody_acts_for_another_seat(house: House) -> None:
    """S-05: in every position the seat that is not asked is refused, as are spectators and strangers."""
    table = await shared(house)
    eve, stranger = await house.visitor(), house.stranger()
    rng = random.Random(1)
    tried = {"blue": 0, "red": 0}
    for _ in range(30):
        offers = await table.open_offers()
        if not offers:
            break
        seats = {offer["seat"] for _, offer, _ in offers}
        _, offer, version = offers[0]
        choice = any_choice(rng, offer)
        body = {"version": version, "offer": offer["id"], "choice": choice}
        before = await table.log()
        wrong = [eve, stranger]
        for seat, visitor in table.seats.items():
            if seat not in seats:
                wrong.append(visitor)
                tried[seat] += 1
        for visitor in wrong:
            problem = await visitor.post(f"{table.url}/commands", body, 403)
            assert problem["title"] == "Not yours to decide"
            fields = {"version": str(version), "offer": offer["id"], "choice": json.dumps(choice)}
            await visitor.form(f"{table.page}/commands", fields, 403)
        assert await table.log() == before
        await table.step(rng)
    assert min(tried.values()) > 3


@pytest.mark.parametrize(
    "offer",
    [
        "__init__", "prompt", "undo", "happen", "options", "__class__.__init__", "continue", "",
        "../../etc/passwd", "plan-blue-1'; DROP TABLE log_entry; --", "0", "null", "😈", "\u202e",
    ],
)  # fmt: skip
async def test_s05_handlers_cannot_be_called_by_name(house: House, offer: str) -> None:
    table = await shared(house)
    before: list[Any] = [await table.view(), await table.log()]
    for seat in ("blue", "red"):
        body = {"version": before[0]["version"], "offer": offer, "choice": "x"}
        answer = await table.seats[seat].http.post(f"{table.url}/commands", json=body)
        assert answer.status_code in (403, 409, 422)
        problem_of(answer)
    assert [await table.view(), await table.log()] == before


ODD: list[Any] = [
    None, True, False, 0, -1, 10**40, 1.5, "", "x", "0101", "9999", "__init__", [], [1], {}, {"a": 1},
    {"__class__": "x"}, [[[]]], {"hard_turns": 10**30, "jink": 1, "aim": 0, "afterburner": "no"},
    {"hard_turns": 0, "jink": False, "aim": False, "afterburner": False, "extra": 1},
    {"hard_turns": True, "jink": False, "aim": False, "afterburner": False}, "\ud7ff", "a" * 5000,
]  # fmt: skip


async def test_s05_only_what_is_offered_is_accepted(house: House) -> None:
    """In many positions: nothing but an option's own value passes, whatever its type or shape."""
    ann = await house.visitor()
    for game, order in (
        ("osaaf", {"setup": small_duel()}),
        ("skirmish", {"scenario": "duel"}),
    ):
        table = await ann.sit(game, **order)
        rng = random.Random(2)
        for _ in range(25):
            view = await table.view()
            if view["finished"]:
                break
            offer = view["offers"][0]
            allowed = [o["value"] for o in offer.get("options", ()) if "blocked" not in o]
            before = await table.log()
            for odd in rng.sample(ODD, 6):
                if "schema" in offer or any(json.dumps(odd) == json.dumps(a) for a in allowed):
                    continue
                body = {"version": view["version"], "offer": offer["id"], "choice": odd}
                await ann.post(f"{table.url}/commands", body, 422)
            assert await table.log() == before
            await table.step(rng)


@pytest.mark.parametrize(
    "label",
    ["9999", "0000", "0", "abcd", "", "01011", "0101/0102", "１２０３", "\u0661\u0662\u0660\u0663"],
)
async def test_s05_a_choice_by_schema_is_checked_too(house: House, label: str) -> None:
    ann = await house.visitor()
    table = await ann.sit("skirmish", scenario="duel")
    offer: dict[str, Any] = {}
    for _ in range(10):
        offer = (await table.view())["offers"][0]
        if "schema" in offer:
            break
        await table.step(random.Random(1))
    before = await table.log()
    for odd in ({"hex": label}, {"hex": 5}, {}, {"hex": "0101", "x": 1}, [], "0101", None):
        await table.command(offer["seat"], odd, status=422)
    assert await table.log() == before


async def test_s08_the_server_takes_no_dice_and_no_result_from_outside(house: House) -> None:
    """S-08: faces at a table with server dice are refused, by both doors; so are results."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel(), pace="step")
    view: dict[str, Any] = {}
    offer: dict[str, Any] = {}
    for _ in range(60):
        view = await table.view()
        offer = view["offers"][0]
        if offer["kind"] == "roll":
            break
        await table.step(random.Random(1))
    before = [view, await table.log()]
    count = int(offer["pool"].split("d")[0])
    body = {"version": view["version"], "offer": offer["id"], "dice": [6] * count}
    problem = await ann.post(f"{table.url}/commands", body, 422)
    assert "server rolls" in problem["detail"]
    fields = {"version": str(view["version"]), "offer": offer["id"], "faces": ["6"] * count}
    await ann.form(f"{table.page}/commands", fields, 422)
    for extra in ("result", "winner", "entries", "faces", "seed", "events", "state"):
        await ann.post(f"{table.url}/commands", {**body, "dice": None, extra: 1}, 422)
        await ann.post("/api/tables", {"game": "osaaf", extra: 1}, 422)
    assert [await table.view(), await table.log()] == before


@pytest.mark.parametrize(
    "table_id",
    [
        "x",
        "a" * 24,
        "a" * 25,
        "a" * 3000,
        "'",
        "%00",
        "null",
        "0",
        "-1",
        "%F0%9F%98%88",
    ],
)
async def test_guessed_ids_are_404(house: House, table_id: str) -> None:
    visitor = await house.visitor()
    for path in ("", "/log", "/overlay?unit=x&aid=y"):
        answer = await visitor.http.get(f"/api/tables/{table_id}{path}")
        assert answer.status_code in (404, 405, 422), path
        problem_of(answer)
    for path in ("", "/dice", "/dice.json", "/frames", "/stream"):
        answer = await visitor.http.get(f"/tables/{table_id}{path}")
        assert answer.status_code in (404, 405, 422), path
    for base in ("/api/tables", "/tables"):
        answer = await visitor.http.post(f"{base}/{table_id}/close", json={})
        assert answer.status_code in (404, 405, 422)
    assert (await visitor.http.get(f"/join/{table_id}")).status_code in (404, 422)


async def test_ids_and_invitations_cannot_be_guessed(house: House) -> None:
    ann = await house.visitor()
    tables = [await ann.sit(mode="shared") for _ in range(5)]
    for name in ("id", "invite"):
        values = [t.id if name == "id" else t.invite("red").rpartition("/")[2] for t in tables]
        assert len(set(values)) == 5
        assert all(len(value) >= 12 for value in values)


# Cookies


async def test_a_cookie_is_kept_from_scripts_and_other_sites(house: House) -> None:
    answer = await house.stranger().http.get("/api/tables")
    name, _, rest = answer.headers["set-cookie"].partition("=")
    assert name == "contrail"
    flags = {part.strip().lower() for part in rest.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/"} <= flags
    assert "secure" not in flags  # a LAN has plain http, where it would be lost (H-06)
    assert not any(flag.startswith("domain") for flag in flags)


@pytest.mark.parametrize(
    ("changed", "secure"),
    [
        ({"public_url": "https://club.example.org"}, True),
        ({"public_url": "http://192.168.0.2:8000"}, False),
        ({"secure_cookies": True}, True),
        ({"public_url": "https://club.example.org", "secure_cookies": False}, False),
    ],
)
async def test_h06_cookies_are_secure_on_https(
    tmp_path: Path, changed: dict[str, Any], secure: bool
) -> None:
    async with open_house(tmp_path, **changed) as house:
        # What a client claims about the scheme does not count.
        visitor = house.stranger(headers={"x-forwarded-proto": "https"})
        answer = await visitor.http.get("/api/tables")
        assert ("; Secure" in answer.headers["set-cookie"]) == secure


async def test_a_known_visitor_gets_no_new_cookie(ann: Visitor) -> None:
    for path in ("/api/tables", "/api/tables/nothing", "/"):
        assert "set-cookie" not in (await ann.http.get(path)).headers


@pytest.mark.parametrize("how", ["cut", "changed", "unsigned", "other", "token", "empty", "long"])
async def test_a_cookie_cannot_be_made_up(
    house: House, ann: Visitor, bob: Visitor, how: str
) -> None:
    """A changed cookie is nobody's: its bearer is a new visitor, never the one named in it."""
    table = await ann.sit()
    value = ann.http.cookies["contrail"]
    name, _, signature = value.rpartition(".")
    token = (await ann.post("/api/token", {}, 201))["token"]
    forged = {
        "cut": value[:-1],
        "changed": f"{name[:-1]}{'A' if name[-1] != 'A' else 'B'}.{signature}",
        "unsigned": name,
        "other": f"{name}.{bob.http.cookies['contrail'].rpartition('.')[2]}",
        "token": token.removeprefix("person."),
        "empty": "",
        "long": "x" * 3000,
    }[how]
    visitor = house.stranger(headers={"cookie": f"contrail={forged}"})
    answer = await visitor.http.get(table.url)
    assert not any(seat.get("yours") for seat in answer.json()["seats"])
    assert "contrail=" in answer.headers["set-cookie"]
    assert name not in answer.headers["set-cookie"]


async def test_a_cookie_is_no_token(house: House, ann: Visitor) -> None:
    table = await ann.sit()
    for value in (ann.http.cookies["contrail"], f"person.{ann.http.cookies['contrail']}"):
        await house.bearer(value).get(table.url, 401)


async def test_the_key_is_the_servers_own(tmp_path: Path) -> None:
    """Another server's cookies are worth nothing here; this one's live through a restart."""
    async with open_house(tmp_path / "a") as house:
        ann = await house.visitor()
        table = await ann.sit()
        cookies = dict(ann.http.cookies)
    mode = (tmp_path / "a" / "secret.key").stat().st_mode & 0o777
    assert mode == 0o600
    async with open_house(tmp_path / "a") as house:
        again = house.stranger()
        again.http.cookies.update(cookies)
        assert (await again.get(table.url))["seats"][0]["yours"]
    async with open_house(tmp_path / "b") as house:
        elsewhere = house.stranger()
        elsewhere.http.headers["cookie"] = f"contrail={cookies['contrail']}"
        answer = await elsewhere.http.get("/api/tables?mine")
        assert answer.json() == []
        assert "contrail=" in answer.headers["set-cookie"]


async def test_the_key_is_never_empty(tmp_path: Path) -> None:
    """A server that was killed while it wrote its first key makes a new one."""
    (tmp_path / "secret.key").touch()
    async with open_house(tmp_path):
        assert len((tmp_path / "secret.key").read_text()) >= 32


# Headers


async def test_every_answer_has_the_headers(house: House) -> None:
    """Pages, JSON, files, streams and all kinds of errors: nothing that is not ours runs or loads."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel())
    css = next(iter(Path(__file__).parents[2].glob("static/css/*.css"))).name
    answers = [
        await ann.http.get("/"),
        await ann.http.get(table.page),
        await ann.http.get(table.url),
        await ann.http.get("/openapi.json"),
        await ann.http.get(f"/static/css/{css}"),
        await ann.http.get("/static/nothing.css"),
        await ann.http.get("/healthz"),
        await ann.http.get("/nothing"),
        await ann.http.get("/nothing", headers={"accept": "text/html"}),
        await ann.http.get("/healthz", headers={"host": "evil.example"}),
        await ann.http.post("/api/tables", content=b"["),
        await ann.http.post("/api/tables", headers={"sec-fetch-site": "cross-site"}),
        await ann.http.post("/api/tables", content=b"x" * 300_000),
        await ann.http.put("/healthz"),
        await ann.http.get(f"{table.page}/stream?once=true"),
    ]
    statuses = {answer.status_code for answer in answers}
    assert {200, 404, 421, 422, 403, 413, 405} <= statuses
    for answer in answers:
        for name, value in HEADERS:
            assert answer.headers[name.decode()] == value.decode(), answer.url
        assert len(answer.headers.get_list("content-security-policy")) == 1
        assert answer.headers["x-request-id"]
    stream = await ann.stream(f"{table.page}/frames")
    for name, value in HEADERS:
        assert stream.headers[name.decode()] == value.decode()
    csp = answers[0].headers["content-security-policy"]
    assert "unsafe" not in csp
    assert "default-src 'none'" in csp
    assert "frame-ancestors 'none'" in csp


async def test_request_ids_are_all_different(ann: Visitor) -> None:
    ids = [(await ann.http.get("/healthz")).headers["x-request-id"] for _ in range(50)]
    assert len(set(ids)) == 50


async def test_a_servers_fault_tells_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A 500 has the number to report, all headers, no stack trace; and nothing was changed."""
    ann = await house.visitor()
    table = await ann.sit(setup=small_duel())
    view = await table.view()
    offer = view["offers"][0]
    live = house.site.service._live[table.id]

    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("the secret plan")

    quiet = house.stranger(quiet=True)
    quiet.http.cookies.update(ann.http.cookies)
    with monkeypatch.context() as patch:
        patch.setattr(live.cup, "throw", fail)
        patch.setattr("app.tables.playing.play", fail)
        body = {"version": view["version"], "offer": offer["id"], "choice": "x"}
        answers = [
            await quiet.http.post(f"{table.url}/commands", json=body),
            await quiet.http.post(
                f"{table.page}/commands",
                data={**body, "choice": '"x"'},
                headers={"accept": "text/html"},
            ),
            await quiet.http.post(
                f"{table.page}/commands",
                data={**body, "choice": '"x"'},
                headers={"hx-request": "true"},
            ),
        ]
    for answer in answers:
        assert answer.status_code == 500
        for word in ("Traceback", "ZeroDivision", "secret plan", "site-packages", ".py"):
            assert word not in answer.text
        for name, value in HEADERS:
            assert answer.headers[name.decode()] == value.decode()
        assert answer.headers["x-request-id"] in answer.text
    problem_of(answers[0])
    assert await table.view() == view
    await table.step(random.Random(1))


# What people type


NASTY = {
    "html": '</script><img src=x onerror="alert(1)">',
    "attribute": "\"'><svg/onload=alert(1)>",
    "template": "{{7*7}}{% raw %}${7*7}",
    "rtl": "\u202eevil\u202c \u0645\u0631\u062d\u0628\u0627",
    "emoji": "👩‍✈️🛩️ e\u0301 ﷽",
    "control": "a\x00b\x1b[31mc\u200bd\x7f\u2028e",
    "lines": "one\r\nid: 9\r\n\r\ndata: <b>two</b>",
    "comment": "--><b>x</b><!-- ]]>",
    "entity": "&lt;b&gt; &amp;amp;",
}


def kept(text: str) -> str:
    """A person's text as the server keeps it: one line, printable."""
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


@pytest.mark.parametrize("name", NASTY)
async def test_s06_text_stays_text(own_house: House, name: str) -> None:
    """S-06: as the name of a table, a player, a unit, and as a word: on pages, in frames, in JSON."""
    text = NASTY[name]
    short = text[:40]
    shown = kept(text)
    ann, bob, eve = [await own_house.visitor() for _ in range(3)]
    setup = small_duel(title=shown[:40] or "x", seats=[
        {"id": "blue", "label": shown[:40]}, {"id": "red", "label": "Red"}
    ])  # fmt: skip
    setup["jets"][0]["name"] = shown[:40]
    table = await ann.sit(mode="shared", setup=setup, name=text, word=short)
    watching = await eve.stream(f"{table.page}/frames")
    await watching.event()
    await table.join("red", bob, name=text, word=short)
    await table.play(random.Random(1), 3)
    view = await table.view()
    assert view["name"] == shown
    assert view["seats"][1]["name"] == shown
    assert view["dice"]["words"] == [kept(short)] * 2
    for text_ in strings_of([view, await table.log()]):
        assert all(c.isprintable() for c in text_), repr(text_)
    frames = "".join(message.data for message in watching.pending())
    assert frames
    pages = [
        await ann.page(table.page),
        await eve.page(table.page),
        await ann.page("/tables"),
        await eve.page("/"),
        await ann.page(f"{table.page}/dice"),
        await eve.page(f"/join/{table.invite('red').rpartition('/')[2]}"),
    ]
    for page in [*pages, frames]:
        tree = parse(page)
        for element in tree.walk():
            assert not [key for key in element.attrs if key.startswith("on")], element
            if element.tag == "script":
                assert element.attrs.get("src", "").startswith("/static/")
                assert not element.text().strip()
            assert element.tag not in ("img", "iframe", "object", "embed", "base", "marquee")
        if name in ("html", "attribute", "comment"):
            assert shown not in page
    assert shown in html.unescape(pages[0])
    assert parse(pages[0]).first("title").text().find(shown) >= 0
    assert parse(pages[0]).first("h1").text().strip() == shown


@pytest.mark.parametrize(
    ("field", "length"), [("name", 61), ("name", 201), ("word", 41), ("word", 201)]
)
async def test_s07_long_texts_are_refused_with_the_limit(
    ann: Visitor, field: str, length: int
) -> None:
    before = await ann.get("/api/tables?mine")
    problem = await ann.post("/api/tables", {"game": "osaaf", field: "x" * length}, 422)
    assert any(number in problem["detail"] for number in ("60", "40", "200"))
    assert await ann.get("/api/tables?mine") == before
    table = await ann.sit(mode="shared")
    bob = await ann.house.visitor()
    body = {"invite": table.invite("red"), field: "x" * length}
    await bob.post(f"{table.url}/seats/red/claim", body, 422)
    # A refused claim takes no seat.
    assert not (await ann.get(table.url))["seats"][1].get("taken")
    await table.join("red", bob)


async def test_long_names_fit(ann: Visitor) -> None:
    table = await ann.sit(name="x" * 60, word="y" * 40)
    assert (await table.view())["name"] == "x" * 60


# How often


async def test_commands_are_limited(tmp_path: Path) -> None:
    """H-15: a runaway script is told when to come back; others play on."""
    async with open_house(tmp_path, commands_per_minute=5) as house:
        ann, bob = await house.visitor(), await house.visitor()
        table = await ann.sit(setup=small_duel(), pace="step")
        statuses: list[int] = []
        for _ in range(8):
            version = (await ann.get(table.url))["version"]
            answer = await ann.http.post(f"{table.url}/advance", json={"version": version})
            statuses.append(answer.status_code)
        assert statuses.count(429) == 3
        assert statuses[-1] == 429
        await ann.post(f"{table.url}/advance", {"version": 1}, 429)
        fields = {"version": "1"}
        page = await ann.http.post(
            f"{table.page}/advance", data=fields, headers={"accept": "text/html"}
        )
        assert page.status_code == 429
        assert int(page.headers["retry-after"]) >= 1
        other = await bob.sit(setup=small_duel(), pace="step")
        await other.advance("blue")
        # Looking is not limited.
        for _ in range(20):
            await ann.get(table.url)


async def test_opening_tables_is_limited_by_address(tmp_path: Path) -> None:
    async with open_house(tmp_path, tables_per_minute=3) as house:
        for _ in range(3):
            await (await house.visitor()).sit()
        visitor = await house.visitor()
        await visitor.post("/api/tables", {"game": "osaaf"}, 429)
        await visitor.form("/tables", {"game": "osaaf"}, 429)
        assert await visitor.get("/api/tables?mine") == []


async def test_a_seat_token_is_limited_too(tmp_path: Path) -> None:
    async with open_house(tmp_path, commands_per_minute=3) as house:
        ann = await house.visitor()
        table = await ann.sit(pace="step")
        script = house.bearer(table.token("blue"))
        answers = [
            (await script.http.post(f"{table.url}/advance", json={"version": n})).status_code
            for n in range(1, 6)
        ]
        assert answers == [200, 200, 200, 429, 429]


async def test_an_unknown_token_is_401_for_changes_too(house: House, ann: Visitor) -> None:
    """Not "you are a spectator": a script must learn that its token is the trouble."""
    table = await ann.sit()
    script = house.bearer("forgotten")
    version = await table.version()
    for path, body in (
        ("commands", {"version": version, "offer": "x", "choice": 1}),
        ("advance", {"version": version}),
        ("takeback", {"version": version}),
        ("word", {"word": "x"}),
        ("close", {}),
    ):
        await script.post(f"{table.url}/{path}", body, 401)
    assert not (await table.view())["finished"]


async def test_many_at_the_same_time_are_served(house: House) -> None:
    """Nothing in the guard is shared between requests."""
    visitors = [house.stranger() for _ in range(30)]
    answers: list[httpx2.Response] = await asyncio.gather(
        *(visitor.http.get("/api/tables") for visitor in visitors)
    )
    assert len({answer.headers["set-cookie"] for answer in answers}) == 30
    assert len({answer.headers["x-request-id"] for answer in answers}) == 30


async def test_static_files_are_kept_where_their_address_tells_their_content(house: House) -> None:
    page = await (await house.visitor()).page("/")
    marked = re.search(r'href="(/static/css/contrail\.css\?v=\w+)"', page)
    assert marked
    http = house.stranger().http
    for path in (marked[1], "/static/vendor/htmx.org/4.0.1/htmx.min.js"):
        assert "immutable" in (await http.get(path)).headers["cache-control"]
    assert (await http.get("/static/css/contrail.css")).headers["cache-control"] == "no-cache"


HALF = "\ud800"


async def test_half_a_character_is_refused_everywhere(house: House, ann: Visitor) -> None:
    """JSON can spell half of a surrogate pair; no text, and so no log, can hold it."""
    table = await ann.sit(setup=small_duel())
    view = await table.view()
    offer = view["offers"][0]["id"]
    setup = {**small_duel(), "title": HALF}
    for path, body in (
        (f"{table.url}/commands", {"version": view["version"], "offer": offer, "choice": HALF}),
        (
            f"{table.url}/commands",
            {"version": view["version"], "offer": offer, "choice": {HALF: 1}},
        ),
        (f"{table.url}/commands", {"version": view["version"], "offer": HALF, "choice": 1}),
        ("/api/tables", {"game": "osaaf", "setup": setup}),
        ("/api/tables", {"game": "osaaf", "rulings": {HALF: "on"}}),
    ):
        answer = await ann.http.post(
            path, content=json.dumps(body), headers={"content-type": "application/json"}
        )
        assert answer.status_code in (409, 422), (path, answer.status_code, answer.text)
    choice = {"offer": offer, "choice": '"\\ud800"'}
    for path in (f"{table.url}/odds", f"{table.page}/odds"):
        answer = await ann.http.get(path, params=choice)
        assert answer.status_code in (404, 422), answer.text
    assert (await table.view())["version"] == view["version"]


async def test_a_strange_frame_number_is_answered_by_everything(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    page = await ann.page(table.page)
    boot = re.search(r"since=(\w+)\.", page)
    assert boot
    for number in ("²", "9" * 5000, "-1", "1e9"):
        stream = await ann.stream(f"{table.page}/frames?since={boot[1]}.{number}")
        assert 'hx-target="#log-lines" hx-swap="innerMorph"' in (await stream.event()).data


async def test_a_claim_by_an_unknown_token_takes_nothing(house: House, ann: Visitor) -> None:
    table = await ann.sit(mode="shared", setup=small_duel())
    claim = {"invite": table.invite("red"), "word": "x"}
    path = f"{table.url}/seats/red/claim"
    await house.bearer("junk").post(path, claim, 401)
    bob = await house.visitor()
    token = (await bob.post(path, claim))["token"]
    # A script may ask for a new token with the old one; the browser that has the seat keeps it.
    await house.bearer(token).post(path, {"invite": claim["invite"]})
    seats = (await bob.get(table.url))["seats"]
    assert [seat["id"] for seat in seats if seat.get("yours")] == ["red"]


async def test_newcomers_are_counted_by_where_they_come_from(tmp_path: Path) -> None:
    """H-15: who throws its cookie away is not somebody new each time."""
    async with open_house(tmp_path, commands_per_minute=5) as house:
        ann = await house.visitor()
        table = await ann.sit(setup=small_duel())
        body = {"version": 1, "offer": "x", "choice": 1}
        answers = [
            (await house.stranger().http.post(f"{table.url}/commands", json=body)).status_code
            for _ in range(8)
        ]
        assert answers == [409] * 5 + [429] * 3 or answers == [403] * 5 + [429] * 3, answers


async def test_a_page_can_be_asked_for_without_its_body(ann: Visitor) -> None:
    table = await ann.sit(setup=small_duel())
    for path in ("/", table.page, "/healthz"):
        assert (await ann.http.head(path)).status_code == 200


async def test_planning_aids_are_counted(tmp_path: Path) -> None:
    """H-15: they cost more than most commands, and change nothing."""
    async with open_house(tmp_path, commands_per_minute=4) as house:
        ann = await house.visitor()
        table = await ann.sit(setup=small_duel())
        asked = {"unit": "blue-1", "aid": "arcs"}
        paths = (f"{table.url}/overlay", f"{table.page}/overlay") * 3
        answers = [(await ann.http.get(path, params=asked)).status_code for path in paths]
        assert [status == 429 for status in answers] == [False] * 4 + [True] * 2


async def test_a_refusal_leads_to_the_rule_whatever_its_id_begins_with(house: House) -> None:
    """The ids of a game's rules need not begin with the game's own."""
    ann = await house.visitor()
    table = await ann.sit("envelopes")
    view = await table.view()
    offer = view["offers"][0]
    assert offer["rule"].startswith("env-")
    fields = {"version": view["version"], "offer": offer["id"], "choice": "7"}
    notice = (await ann.form(f"{table.page}/commands", fields, 422)).text
    assert f'href="/games/envelopes/rules#{offer["rule"]}"' in notice
    whole = (await ann.form(f"{table.page}/commands", fields, 422, htmx=False)).text
    assert f'href="/games/envelopes/rules#{offer["rule"]}"' in whole
